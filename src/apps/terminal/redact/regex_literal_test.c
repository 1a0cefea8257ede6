/* terminal.md section 3 and 7.6: a pattern is looked for only where its literals are, and that
 * loses nothing. */
#include "apps/terminal/redact/regex_literal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/redact/regex.h"
#include "base/size.h"

static void what_must_be_there(void **state)
{
	static const struct {
		const char *pattern, *wanted; /* joined by `|`; "": nothing is known */
	} cases[] = {
		{"needle", "needle"},
		{"needle$", "needle"},
		{"zebra[a-z]+", "zebra"},
		{"https?://registry\\.example\\.com/v2/\\w+", "://registry.example.com/v2/"},
		{"(?i)ZEBRA|yyy[0-9]", "zebra|yyy"},
		{"(?i)Task", "ta"},
		{"ab+cd", "ab|"},
		{"abc?de", "ab|"},
		{"abc*", "ab"},
		{"abc{0,3}de", "ab|"},
		{"abcd{2}", "abc"},
		{"(foo)?barn", "barn"},
		{"(?:foo|x)barn", "barn"},
		{"(?=foo)barn(?!x[)])", "barn"},
		{"[]a]bc[^]d]", "bc"},
		{"[[:alpha:]]bc", "bc"},
		{"\\d{3}-\\d{4}ab", "ab"},
		{"\\bab\\.cd\\b", "ab.cd"},
		{"grün", "grün"},
		{"(?i)grün", "gr"},
		{"foo|", ""},
		{"foo|b", ""},
		{"[a-z]+_", ""},
		{"\\d+", ""},
		{"", ""},
		{"a(?i)bc", ""},
		{"(?x)ab c", ""},
		{"\\Qabc\\E", ""},
		{"(*UCP)abc", ""},
		{"\\x61bc", ""},
		{"[\\Q]\\E]abc", ""},
		{"really\\?", "really"},
		{"a?", ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_regex_literals literals;
		char text[256] = "";
		size_t used = 0;

		tn_regex_literals_read(&literals, tn_str_from(cases[i].pattern), false);
		for (size_t j = 0; j < literals.count; j++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.*s",
						 j ? "|" : "", (int)literals.items[j].size,
						 literals.items[j].text);
		if (strcmp(text, cases[i].wanted) != 0 &&
		    !(cases[i].wanted[0] && strncmp(text, cases[i].wanted, used) == 0))
			fail_msg("%s: %s, not %s", cases[i].pattern, text, cases[i].wanted);
	}
}

/* Pieces of which patterns are made, usual and unusual. */
static const char *const pieces[] = {
	"a",        "b",    "k",    "K",     "s",      "\xc3\xbc", "a",     "b",           "ab",
	"?",        "*",    "+",    "{2}",   "{0,1}",  "{1}",      "{,2}",  "|",           "(",
	")",        "(?:",  "[ab]", "[^a]",  "[]a]",   "[",        "]",     "\\d",         "\\.",
	"\\?",      "\\b",  "^",    "$",     ".",      "(?i)",     "(?-i)", "\\Q",         "\\E",
	"(?=a",     "(?!b", "\\1",  "{",     "}",      "\\x61",    "(?#",   "[[:alpha:]]", " ",
	"(?x)",     "\\R",  "\\",   "(?<n>", "\\k<n>", "(?|",      "(?1)",  "(a|b)",       "ba",
	"\\o{141}", "++",   "??",   "-",     "\\-",    "\\K"};
static const char *const texts[] = {
	"a",        "b",        "ab", "A", "B", "k", "K",  "s", "\xe2\x84\xaa", "\xc5\xbf",
	"\xc3\xbc", "\xc3\x9c", " ",  ".", "?", "1", "\n", "-", "\xff",         "ba"};

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525U + 1013904223U;
	return (*seed >> 8) % below;
}

static void put_random(uint32_t *seed, const char *const *from, uint32_t count, char *out,
		       size_t size)
{
	uint32_t number = next_random(seed, 8) + 1;
	size_t used = 0;

	for (uint32_t i = 0; i < number; i++)
		used += (size_t)snprintf(out + used, size - used, "%s",
					 from[next_random(seed, count)]);
}

static void nothing_is_lost(void **state)
{
	enum { PATTERNS = 30000, TEXTS = 12 };
	uint32_t seed = 20261129;
	unsigned known = 0, ruled_out = 0;

	(void)state;
	for (unsigned i = 0; i < PATTERNS; i++) {
		char pattern[256], text[256];
		struct tn_regex_literals literals;
		struct tn_regex *regex = NULL;
		struct tenon_error err;
		bool ignore_case = next_random(&seed, 4) == 0;

		put_random(&seed, pieces, TN_COUNT(pieces), pattern, sizeof(pattern));
		if (tn_regex_compile(tn_str_from(pattern), ignore_case, &regex, &err) != TENON_OK)
			continue;
		tn_regex_literals_read(&literals, tn_str_from(pattern), ignore_case);
		known += literals.count > 0;
		for (unsigned j = 0; j < TEXTS; j++) {
			struct tn_regex_match match;
			bool plain = false, found = false;

			put_random(&seed, texts, TN_COUNT(texts), text, sizeof(text));
			if (tn_regex_search(regex, tn_str_from(text), 0, &plain, &match, &err) !=
			    TENON_OK)
				continue;
			assert_int_equal(tn_regex_finds(regex, tn_str_from(text), &found, &err),
					 TENON_OK);
			if (plain != found)
				fail_msg("`%s` in `%s`: %d, not %d", pattern, text, found, plain);
			ruled_out += !tn_regex_literals_allow(&literals, tn_str_from(text));
		}
		tn_regex_free(regex);
	}
	assert_true(known > 1000); /* else it proves nothing */
	assert_true(ruled_out > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_must_be_there),
		cmocka_unit_test(nothing_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
