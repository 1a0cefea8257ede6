#include "apps/terminal/redact/regex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"

static struct tn_regex *compile(const char *pattern, bool ignore_case)
{
	struct tn_regex *regex = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_regex_compile(tn_str_from(pattern), ignore_case, &regex, &err),
			 TENON_OK);
	return regex;
}

static bool search(struct tn_regex *regex, struct tn_str subject, size_t offset,
		   struct tn_regex_match *ret)
{
	struct tenon_error err = {0};
	bool found = false;

	assert_int_equal(tn_regex_search(regex, subject, offset, &found, ret, &err), TENON_OK);
	return found;
}

static void lines_groups_and_case(void **state)
{
	struct tn_regex *regex = compile("^(e\\w+): (\\d+)?(x)?$", true);
	struct tn_regex_match match;
	struct tn_str subject = TN_STR("no\nERROR: 17\nerror: \nend");

	(void)state;
	assert_true(search(regex, subject, 0, &match));
	assert_int_equal(match.begin, 3);
	assert_int_equal(match.end, 12);
	assert_int_equal(match.group_count, 3);
	assert_true(tn_str_is(match.groups[0], "ERROR"));
	assert_true(tn_str_is(match.groups[1], "17"));
	assert_null(match.groups[2].data);
	assert_ptr_equal(match.groups[0].data, subject.data + 3);

	assert_true(search(regex, subject, match.end, &match));
	assert_int_equal(match.begin, 13);
	assert_null(match.groups[1].data);
	assert_false(search(regex, subject, match.end, &match));
	tn_regex_free(regex);
}

/* terminal.md 7.8: a pattern may span the pieces in which output comes. */
static void tells_what_more_text_could_match(void **state)
{
	struct tn_regex *regex = compile("built in \\d+ ms", false);
	struct tn_regex_match match;

	(void)state;
	assert_false(search(regex, TN_STR("nothing yet"), 0, &match));
	assert_false(match.partial);
	assert_false(search(regex, TN_STR("app built in 1"), 0, &match));
	assert_true(match.partial);
	assert_int_equal(match.begin, 4);
	/* The first place that may become one, even when a later one may as well. */
	assert_false(search(regex, TN_STR("bbuilt in b"), 0, &match));
	assert_true(match.partial);
	assert_int_equal(match.begin, 10);
	assert_true(search(regex, TN_STR("app built in 12 ms b"), 0, &match));
	assert_false(match.partial);
	tn_regex_free(regex);
}

static void wrong_patterns_are_told_with_their_place(void **state)
{
	static const struct {
		const char *pattern, *words;
	} cases[] = {
		{"a(b", "offset 3: missing closing parenthesis"},
		{"[z-a]", "offset 3: range out of order"},
		{"*x", "offset 0: quantifier does not follow"},
		{"\\C", "offset 2: using \\C is disabled"},
		{"a\xff", "UTF-8"},
	};
	struct tn_regex *regex = NULL;
	struct tenon_error err = {0};
	char *nested = tn_mem_alloc(1000);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
			tn_regex_compile(tn_str_from(cases[i].pattern), false, &regex, &err),
			TENON_INVALID);
		if (!strstr(err.message, cases[i].words))
			fail_msg("%s: %s", cases[i].pattern, err.message);
	}
	assert_non_null(nested);
	memset(nested, '(', 500);
	memset(nested + 500, ')', 500);
	assert_int_equal(tn_regex_compile(tn_str(nested, 1000), false, &regex, &err),
			 TENON_INVALID);
	tn_mem_free(nested);
	assert_null(regex);
}

static void text_that_is_no_utf8_is_searched(void **state)
{
	struct tn_regex *regex = compile("caf\xc3\xa9 .ok", false);
	struct tn_str subject = TN_STR("\xff\xc3 caf\xc3\xa9 \xfeok\xf0\x9f");
	struct tn_regex_match match;

	(void)state;
	assert_true(search(regex, subject, 0, &match));
	assert_int_equal(match.begin, 3);
	assert_int_equal(match.end, 12);
	/* A start inside a character is moved to the next one. */
	assert_false(search(regex, subject, 7, &match));
	tn_regex_free(regex);
	regex = compile("", false);
	assert_true(search(regex, tn_str(NULL, 0), 0, &match));
	assert_int_equal(match.end, 0);
	assert_true(search(regex, TN_STR("ab"), 2, &match));
	assert_int_equal(match.begin, 2);
	tn_regex_free(regex);
}

/* terminal.md section 3: an over-limit pattern is an error, never a hang. */
static void what_takes_too_long_is_an_error(void **state)
{
	static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "(.*)*x", "^(([a-z])+.)+[A-Z]",
					       "(x+x+)+y|(a?){40}a{40}b"};
	size_t size = 600 * 1000;
	char *text = tn_mem_alloc(size);

	(void)state;
	assert_non_null(text);
	memset(text, 'a', size);
	text[size - 1] = '!';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct tn_regex *regex = compile(patterns[i], false);
		struct tenon_error err = {0};
		struct tn_regex_match match;
		bool found = false;
		uint64_t begin = tn_clock_now_ms(&tn_clock_system);
		enum tenon_code code =
			tn_regex_search(regex, tn_str(text, size), 0, &found, &match, &err);

		if (code != TENON_LIMIT)
			fail_msg("%s: %d", patterns[i], (int)code);
		assert_in_range(tn_clock_now_ms(&tn_clock_system) - begin, 0, 20000);
		/* The same pattern works on text that it can manage. */
		assert_int_equal(tn_regex_search(regex, TN_STR("b"), 0, &found, &match, &err),
				 TENON_OK);
		tn_regex_free(regex);
	}
	tn_mem_free(text);
}

/* A match behind many windows, beginning on the first and last place of one. */
static void finds_across_windows(void **state)
{
	struct tn_regex *regex = compile("\xc3\xa9X+", false);
	char *text = tn_mem_alloc(100000);
	struct tn_regex_match match;

	(void)state;
	assert_non_null(text);
	for (size_t at = 8180; at < 8200; at++) {
		memset(text, 'y', 100000);
		memcpy(text + at, "\xc3\xa9XXX", 5);
		assert_true(search(regex, tn_str(text, 100000), 0, &match));
		assert_int_equal(match.begin, at);
		assert_int_equal(match.end, at + 5);
		assert_true(search(regex, tn_str(text, 100000), at, &match));
		assert_false(search(regex, tn_str(text, 100000), at + 1, &match));
	}
	/* Needs more than the quick steps: found all the same. */
	tn_regex_free(regex);
	regex = compile("(?:y|z)+END", false);
	memcpy(text + 99000, "END", 3);
	memset(text + 99003, '-', 997);
	memset(text, '-', 97000);
	assert_true(search(regex, tn_str(text, 100000), 0, &match));
	assert_int_equal(match.begin, 97000);
	assert_int_equal(match.end, 99003);
	tn_regex_free(regex);
	tn_mem_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_groups_and_case),
		cmocka_unit_test(tells_what_more_text_could_match),
		cmocka_unit_test(wrong_patterns_are_told_with_their_place),
		cmocka_unit_test(text_that_is_no_utf8_is_searched),
		cmocka_unit_test(what_takes_too_long_is_an_error),
		cmocka_unit_test(finds_across_windows),
	};

	return cmocka_run_group_tests_name("regex", tests, NULL, NULL);
}
