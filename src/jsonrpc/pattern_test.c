#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/pattern.h"

static enum tn_pattern_result search(const char *source, struct tn_str text)
{
	uint64_t steps = TN_PATTERN_STEPS_MAX;
	const struct tn_pattern *pattern;
	enum tn_pattern_result result;
	struct tenon_error err;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	if (tn_pattern_compile(&arena, tn_str_from(source), &pattern, &err) != TENON_OK)
		fail_msg("%s: %s", source, err.message);
	result = tn_pattern_search(pattern, text, &steps);
	tn_arena_finish(&arena);
	return result;
}

static const struct {
	const char *source, *yes, *no; /* texts, NULL: none */
} cases[] = {
	{"abc", "xxabcxx", "xxabxc"},
	{"^abc", "abcd", "zabc"},
	{"abc$", "zabc", "abcd"},
	{"^abc$", "abc", "abcc"},
	{"^$", "", "a"},
	{"", "", NULL},
	{"", "anything", NULL},
	{"^a*$", "", "ab"},
	{"^a*$", "aaaa", "baaa"},
	{"^a+$", "aaa", ""},
	{"^a?$", "a", "aa"},
	{"^a?$", "", "b"},
	{"^a{3}$", "aaa", "aa"},
	{"^a{3}$", NULL, "aaaa"},
	{"^a{2,}$", "aaaaa", "a"},
	{"^a{2,4}$", "aa", "a"},
	{"^a{2,4}$", "aaaa", "aaaaa"},
	{"^a{0}b$", "b", "ab"},
	{"^a{0,1}b$", "ab", "aab"},
	{"^a{,3}$", "a{,3}", "aaa"},
	{"^x{$", "x{", "x"},
	{"^x{a}$", "x{a}", "xa"},
	{"^a]$", "a]", "a"},
	{"^a}$", "a}", "a"},
	{"^a*?b+?c??$", "aabb", "aacb"},
	{"a|b", "xb", "xc"},
	{"^(a|b)$", "b", "ab"},
	{"^(?:ab|cd|ef)+$", "abefcd", "abc"},
	{"^(?<year>\\d{4})-(?<month>\\d\\d)$", "2026-11", "2026-1"},
	{"^a|b$", "ax", "xax"},
	{"^(a|)b$", "b", "aab"},
	{"^(|a)+b$", "aab", "c"},
	{"^(a*)*$", "aaa", "aab"},
	{"^(a*)+b$", "aaab", "aaac"},
	{"^((a+)+)+$", "aaaa", "aaaab"},
	{"^()*$", "", "a"},
	{"^(){3}a$", "a", ""},
	{"^((){60000}){60000}$", "", "a"},
	{"^.$", "a", "\n"},
	{"^.$", "\xC3\xA9", "ab"},
	{"^.$", "\xF0\x9F\x98\x80", "\r"},
	{"^.$", " ", "\xE2\x80\xA8"},
	{"^[abc]$", "b", "d"},
	{"^[^abc]$", "d", "b"},
	{"^[^abc]$", "\xE2\x82\xAC", ""},
	{"^[a-c]$", "c", "d"},
	{"^[a-cx-z0]$", "y", "w"},
	{"^[-a]$", "-", "b"},
	{"^[a-]$", "-", "b"},
	{"^[\\w-]$", "-", "."},
	{"^[\\w-.]$", "-", "*"},
	{"^[a-\\d]$", "-", "b"},
	{"^[]$", NULL, ""},
	{"^[^]$", "x", ""},
	{"^[\\]]$", "]", "\\"},
	{"^[\\\\]$", "\\", "]"},
	{"^[\\b]$", "\b", "b"},
	{"^[.]$", ".", "a"},
	{"^[$^]$", "^", "a"},
	{"^[\xC3\xA0-\xC3\xBF]$", "\xC3\xA9", "e"},
	{"^[\\u0430-\\u044f]+$", "\xD0\xBF\xD1\x80", "pr"},
	{"^\\d$", "7", "x"},
	{"^\\d$", NULL, "\xD9\xA3"}, /* an Arabic digit is not a digit here */
	{"^\\D$", "x", "7"},
	{"^\\w$", "_", "-"},
	{"^\\w$", "Z", "\xC3\xA9"},
	{"^\\W$", "-", "a"},
	{"^\\s$", "\xC2\xA0", "a"},
	{"^\\s$", "\xE3\x80\x80", "_"},
	{"^\\S$", "a", " "},
	{"^[\\d\\s]$", "\t", "a"},
	{"^[^\\d]$", "a", "1"},
	{"^[\\D]$", "a", "1"},
	{"^[\\S]$", "a", "\xEF\xBB\xBF"},
	{"\\bfoo\\b", "a foo b", "afoo b"},
	{"\\bfoo\\b", "foo", "foot"},
	{"oo\\B", "foot", "foo"},
	{"^\\B$", "", NULL},
	{"^\\t\\n\\v\\f\\r\\0$", NULL, "tnvfr0"},
	{"^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", "t"},
	{"^\\cJ$", "\n", "J"},
	{"^\\x41\\u0042\\u{43}$", "ABC", "ABc"},
	{"^\\ud83d\\ude00$", "\xF0\x9F\x98\x80", "x"},
	{"^\\u{1F600}$", "\xF0\x9F\x98\x80", "x"},
	{"^\xF0\x9F\x98\x80*$", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80", "x"},
	{"^\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\^\\$\\/\\-$", ".*+?()[]{}|^$/-", ".*"},
	{"^[a-zA-Z0-9][a-zA-Z0-9_.-]*[a-zA-Z0-9_]$", "my-net_1", "-net"},
	{"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}$", "0123abCD-9999", "0123abCD-999"},
	{"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$", "a-b.example",
	 "a-.b"},
	{"a.*b.*c", "xaxbxcx", "acb"},
	{"$a", NULL, "a"},
	{"a^", NULL, "a"},
	{"(^a|b)c", "zbc", "zac"},
};

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		if (cases[i].yes &&
		    search(cases[i].source, tn_str_from(cases[i].yes)) != TN_PATTERN_YES)
			fail_msg("%s does not match \"%s\"", cases[i].source, cases[i].yes);
		if (cases[i].no &&
		    search(cases[i].source, tn_str_from(cases[i].no)) != TN_PATTERN_NO)
			fail_msg("%s matches \"%s\"", cases[i].source, cases[i].no);
	}
}

static void test_zero_byte(void **state)
{
	(void)state;
	assert_int_equal(search("^a\\0b$", tn_str("a\0b", 3)), TN_PATTERN_YES);
	assert_int_equal(search("^a.b$", tn_str("a\0b", 3)), TN_PATTERN_YES);
}

static const struct {
	const char *source, *part; /* of the message */
	enum tenon_code code;
} refused[] = {
	{"(a)\\1", "back-reference", TENON_INVALID},
	{"(?<n>a)\\k<n>", "back-reference", TENON_INVALID},
	{"a(?=b)", "look-around", TENON_INVALID},
	{"a(?!b)", "look-around", TENON_INVALID},
	{"(?<=a)b", "look-around", TENON_INVALID},
	{"(?<!a)b", "look-around", TENON_INVALID},
	{"(?i)a", "not supported", TENON_INVALID},
	{"\\p{L}", "Unicode property", TENON_INVALID},
	{"\\a", "unknown escape", TENON_INVALID},
	{"\\", "unknown escape", TENON_INVALID},
	{"\\u12", "unknown escape", TENON_INVALID},
	{"\\u{110000}", "unknown escape", TENON_INVALID},
	{"\\x1", "unknown escape", TENON_INVALID},
	{"\\c1", "unknown escape", TENON_INVALID},
	{"\\07", "unknown escape", TENON_INVALID},
	{"(a", "a ( without", TENON_INVALID},
	{"a)", "a ) without", TENON_INVALID},
	{"[a", "a [ without", TENON_INVALID},
	{"[z-a]", "backwards", TENON_INVALID},
	{"a{3,2}", "backwards", TENON_INVALID},
	{"*a", "nothing to repeat", TENON_INVALID},
	{"a**", "nothing to repeat", TENON_INVALID},
	{"a|+", "nothing to repeat", TENON_INVALID},
	{"^*", "repeated assertion", TENON_INVALID},
	{"a{70000}", "too long", TENON_LIMIT},
	{"(a{100}){100}", "too large", TENON_LIMIT},
	{"((((a{60}){60}){60}){60}){60}", "too large", TENON_LIMIT},
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(refused); i++) {
		const struct tn_pattern *pattern = NULL;
		struct tenon_error err;
		struct tn_arena arena;

		tn_arena_init(&arena, TN_MIB);
		assert_int_equal(
			tn_pattern_compile(&arena, tn_str_from(refused[i].source), &pattern, &err),
			refused[i].code);
		if (!strstr(err.message, refused[i].part))
			fail_msg("%s: %s", refused[i].source, err.message);
		assert_null(pattern);
		tn_arena_finish(&arena);
	}
}

static void test_deep_groups_are_refused(void **state)
{
	char source[2001];
	const struct tn_pattern *pattern;
	struct tn_arena arena;

	(void)state;
	memset(source, '(', 1000);
	memset(source + 1000, ')', 1000);
	source[2000] = '\0';
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_pattern_compile(&arena, tn_str(source, 2000), &pattern, NULL),
			 TENON_LIMIT);
	tn_arena_finish(&arena);
}

/* MCP-282: what takes a backtracking matcher forever is linear here. */
static void test_hostile_patterns_are_linear(void **state)
{
	static const char *const sources[] = {"^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*a){12}$"};
	size_t size = 20000;
	char *text = tn_mem_alloc(size);

	(void)state;
	assert_non_null(text);
	memset(text, 'a', size);
	text[size - 1] = '!';
	for (size_t i = 0; i < TN_COUNT(sources); i++)
		assert_int_equal(search(sources[i], tn_str(text, size)), TN_PATTERN_NO);
	tn_mem_free(text);
}

static void test_steps_run_out(void **state)
{
	uint64_t steps = 100;
	char text[1000];
	const struct tn_pattern *pattern;
	struct tn_arena arena;

	(void)state;
	memset(text, 'a', sizeof(text));
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_pattern_compile(&arena, TN_STR("^a*b"), &pattern, NULL), TENON_OK);
	assert_int_equal(tn_pattern_search(pattern, tn_str(text, sizeof(text)), &steps),
			 TN_PATTERN_GAVE_UP);
	assert_int_equal(steps, 0);
	steps = 1000;
	assert_int_equal(tn_pattern_search(pattern, TN_STR("aab"), &steps), TN_PATTERN_YES);
	assert_in_range(steps, 900, 999);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_zero_byte),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_deep_groups_are_refused),
		cmocka_unit_test(test_hostile_patterns_are_linear),
		cmocka_unit_test(test_steps_run_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
