/* Whether two patterns have a text in common, beside somebody who tries every short text with a
 * matcher that is no more than the definition. */
#include "apps/terminal/policy/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/policy/paths.h"
#include "base/buf.h"
#include "base/size.h"

static bool matches(const char *pattern, const char *text, bool slashes)
{
	size_t stars = strspn(pattern, "*");

	if (!*pattern)
		return !*text;
	if (!stars)
		return *text && (*pattern == '?' ? !slashes || *text != '/' : *pattern == *text) &&
		       matches(pattern + 1, text + 1, slashes);
	for (;; text++) {
		if (matches(pattern + stars, text, slashes))
			return true;
		if (!*text || (stars == 1 && slashes && *text == '/'))
			return false;
	}
}

/* All that is in a directory is the directory, too. */
static bool fits(const char *pattern, const char *text, bool slashes)
{
	size_t size = strlen(pattern);
	char directory[16] = "";

	if (matches(pattern, text, slashes))
		return true;
	if (!slashes || size < 4 || strcmp(pattern + size - 3, "/**") != 0)
		return false;
	memcpy(directory, pattern, size - 3);
	return matches(directory, text, true);
}

enum { LONGEST = 6 };

/* The next text of a, b and slashes, in the order of their lengths; false: that was the last. */
static bool next_text(char *text)
{
	static const char *const letters = "ab/";
	size_t size = strlen(text), at = size;

	while (at > 0 && text[at - 1] == '/')
		text[--at] = 'a';
	if (at > 0) {
		text[at - 1] = strchr(letters, text[at - 1])[1];
		return true;
	}
	if (size == LONGEST)
		return false;
	memset(text, 'a', size + 1);
	text[size + 1] = '\0';
	return true;
}

static bool have_common(const char *a, const char *b, bool slashes)
{
	char text[LONGEST + 1] = "";

	do {
		if (fits(a, text, slashes) && matches(b, text, slashes))
			return true;
	} while (next_text(text));
	return false;
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525U + 1013904223U;
	return *seed >> 8;
}

/* Short enough that what two have in common has such a text that is tried. */
static void make_pattern(char *out, uint32_t *seed)
{
	size_t size = next_random(seed) % 5;

	for (size_t i = 0; i < size; i++)
		out[i] = "ab/?**"[next_random(seed) % 6];
	out[size] = '\0';
}

static void test_every_text(void **state)
{
	uint32_t seed = 7;
	unsigned met = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		char a[8], b[8];
		bool slashes = i % 2, common;

		make_pattern(a, &seed);
		make_pattern(b, &seed);
		common = have_common(a, b, slashes);
		if (tn_globs_meet(tn_str_from(a), tn_str_from(b), true, slashes) != common)
			fail_msg("%s and %s: %s", a, b, common ? "they meet" : "nothing fits");
		if (tn_globs_meet(tn_str_from(a), tn_str_from(b), false, slashes) !=
		    fits(a, b, slashes))
			fail_msg("%s and the text %s", a, b);
		if (tn_glob_fits(tn_str_from(a), tn_str_from(b)) != matches(a, b, false))
			fail_msg("%s and the text %s, where no slash stops", a, b);
		met += common;
	}
	assert_in_range(met, 300, 2700);
}

struct pair {
	const char *a, *b;
	bool meet;
};

static void test_sets(void **state)
{
	static const struct pair pairs[] = {
		{"[a-c]x", "bx", true},
		{"[a-c]x", "dx", false},
		{"[!a-c]x", "dx", true},
		{"[!a-c]x", "/x", false},
		{"[^a]x", "ax", false},
		{"[abc", "[abc", true},
		{"[]a]", "]", true},
		{"a?", "a/", false},
		{"/e[st]c/**", "/etc/x/y", true},
		{"/e[st]c/*", "/e?c/p*", true},
		{"*", "a/b", false},
		{"**", "a/b", true},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(pairs); i++)
		assert_int_equal(
			tn_globs_meet(tn_str_from(pairs[i].a), tn_str_from(pairs[i].b), true, true),
			pairs[i].meet);
}

/* What a set of places holds goes on from one word of it to the next. */
static void test_long(void **state)
{
	(void)state;
	for (size_t size = 1; size < 200; size++) {
		struct tn_buf pattern, text;

		tn_buf_init(&pattern, TN_MIB);
		tn_buf_init(&text, TN_MIB);
		for (size_t i = 0; i < size; i++) {
			tn_buf_append_text(&pattern, i % 3 ? "a" : "?");
			tn_buf_append_text(&text, "a");
		}
		tn_buf_append_text(&pattern, "/z*");
		assert_true(tn_globs_meet(tn_buf_str(&pattern), TN_STR("*/z"), true, true));
		assert_true(tn_globs_meet(tn_buf_str(&pattern), TN_STR("**"), true, true));
		assert_true(tn_globs_meet(tn_buf_str(&pattern), TN_STR("*?/?*y"), true, true));
		assert_false(tn_globs_meet(tn_buf_str(&pattern), TN_STR("*"), true, true));
		assert_false(tn_globs_meet(tn_buf_str(&pattern), TN_STR("*/y"), true, true));
		tn_buf_append_text(&text, "/zy");
		assert_true(tn_globs_meet(tn_buf_str(&pattern), tn_buf_str(&text), false, true));
		tn_buf_append_text(&text, "/");
		assert_false(tn_globs_meet(tn_buf_str(&pattern), tn_buf_str(&text), false, true));
		tn_buf_finish(&pattern);
		tn_buf_finish(&text);
	}
}

/* A name in any folder is only compared with the last part of a path, and finds the same. */
static void test_names_in_folders(void **state)
{
	static const char *const patterns[] = {"**/ab", "**/*.a", "**/a*b", "**/[ab]/", "**/[!b]a"};
	static const char letters[] = "/*?[]ab.";
	enum { LETTERS = sizeof(letters) - 1, SIZE = 5 };
	char text[SIZE + 2] = "/";

	(void)state;
	for (size_t i = 0; i < LETTERS * LETTERS * LETTERS * LETTERS * LETTERS; i++) {
		for (size_t k = 0, rest = i; k < SIZE; k++, rest /= LETTERS)
			text[k + 1] = letters[rest % LETTERS];
		for (size_t k = 0; k < TN_COUNT(patterns); k++) {
			struct tn_str pattern = tn_str_from(patterns[k]), path = tn_str_from(text);

			if (tn_path_fits(pattern, path, true) !=
			    tn_globs_meet(pattern, path, true, true))
				fail_msg("%s and %s", patterns[k], text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_text),
					   cmocka_unit_test(test_sets), cmocka_unit_test(test_long),
					   cmocka_unit_test(test_names_in_folders)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
