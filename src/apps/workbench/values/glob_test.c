#include "apps/workbench/values/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static bool matches(const char *pattern, const char *path)
{
	struct tn_str text = tn_str_from(pattern);
	struct tn_wb_globs *globs = NULL;
	bool found;

	assert_int_equal(tn_wb_globs_create(&text, 1, &globs, NULL), TENON_OK);
	found = tn_wb_globs_match(globs, tn_str_from(path));
	tn_wb_globs_destroy(globs);
	return found;
}

static void signs_stand_for_what_they_say(void **state)
{
	static const struct {
		const char *pattern, *path;
		bool matches;
	} cases[] = {
		{"src/**/*.{tsx,ts}", "src/App.tsx", true},
		{"src/**/*.{tsx,ts}", "src/a/b/c.ts", true},
		{"src/**/*.{tsx,ts}", "src/a.js", false},
		{"src/**/*.{tsx,ts}", "lib/src/a.ts", false},
		{"**/node_modules/**", "node_modules/a/b.js", true},
		{"**/node_modules/**", "x/y/node_modules/a", true},
		{"**/node_modules/**", "x/my_node_modules/a", false},
		{"**/*.test.*", "a/b.test.tsx", true},
		{"**/*.test.*", "b.test.tsx", true},
		{"**/*.test.*", "b.tests.tsx", false},
		{"*.ts", "a/b.ts", false},
		{"a/**/b/**/c", "a/x/b/y/z/c", true},
		{"a/**/b/**/c", "a/b/c", true},
		{"a/**/b/**/c", "a/b/b/x", false},
		{"./src/*.ts", "src/a.ts", true},
		{"src/[A-C]?.tsx", "src/Bx.tsx", true},
		{"src/[A-C]?.tsx", "src/Dx.tsx", false},
		{"src/[!A-C].tsx", "src/D.tsx", true},
		{"{src,app/{src,lib}}/**", "app/lib/x", true},
		{"{src,app/{src,lib}}/**", "app/x", false},
		{"a{b", "a{b", true},
		{"**", "anything/at/all", true},
		{"a/**", "a", true},
		{"*a*b*c*", "xxaxxbxxcxx", true},
		{"*a*b*c*", "xxaxxcxxbxx", false},
	};
	(void)state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (matches(cases[i].pattern, cases[i].path) != cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].path);
}

static void what_is_no_pattern_is_refused(void **state)
{
	static const char *const wrong[] = {"", "a/../b", "/a", "a//b", "a[b", "../x"};
	struct tn_wb_globs *globs = NULL;
	struct tn_str many = TN_STR("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}");
	(void)state;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct tn_str text = tn_str_from(wrong[i]);

		assert_int_equal(tn_wb_globs_create(&text, 1, &globs, NULL), TENON_INVALID);
	}
	assert_int_equal(tn_wb_globs_create(&many, 1, &globs, NULL), TENON_LIMIT);
}

static void hostile_patterns_take_no_time(void **state)
{
	char pattern[601], path[1001];
	(void)state;

	for (size_t i = 0; i < 200; i++)
		memcpy(pattern + 3 * i, "*a?", 3);
	pattern[600] = '\0';
	memset(path, 'a', 1000);
	path[1000] = '\0';
	assert_true(matches(pattern, path));
	for (size_t i = 0; i < 200; i++)
		memcpy(pattern + 3 * i, "**/", 3);
	pattern[599] = 'b';
	for (size_t i = 1; i < 1000; i += 2)
		path[i] = '/';
	assert_false(matches(pattern, path));
}

static void folders_are_entered_where_something_may_be(void **state)
{
	struct tn_str patterns[] = {TN_STR("src/**/*.ts"), TN_STR("lib/*.ts"),
				    TN_STR("own/.hidden/*.ts")};
	struct tn_str dropped[] = {TN_STR("**/node_modules/**"), TN_STR("**/dist/**")};
	struct tn_wb_globs *globs = NULL, *out = NULL;
	(void)state;

	assert_int_equal(tn_wb_globs_create(patterns, 3, &globs, NULL), TENON_OK);
	assert_int_equal(tn_wb_globs_create(dropped, 2, &out, NULL), TENON_OK);
	assert_true(tn_wb_globs_may_enter(globs, TN_STR("")));
	assert_true(tn_wb_globs_may_enter(globs, TN_STR("src")));
	assert_true(tn_wb_globs_may_enter(globs, TN_STR("src/a/b")));
	assert_false(tn_wb_globs_may_enter(globs, TN_STR("src/.git")));
	assert_false(tn_wb_globs_may_enter(globs, TN_STR("src/node_modules")));
	assert_false(tn_wb_globs_may_enter(globs, TN_STR("test")));
	assert_true(tn_wb_globs_may_enter(globs, TN_STR("lib")));
	assert_false(tn_wb_globs_may_enter(globs, TN_STR("lib/a")));
	assert_true(tn_wb_globs_may_enter(globs, TN_STR("own/.hidden")));
	assert_true(tn_wb_globs_cover(out, TN_STR("a/dist")));
	assert_false(tn_wb_globs_cover(out, TN_STR("a")));
	tn_wb_globs_destroy(globs);
	tn_wb_globs_destroy(out);
	assert_false(tn_wb_globs_match(NULL, TN_STR("a")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signs_stand_for_what_they_say),
		cmocka_unit_test(what_is_no_pattern_is_refused),
		cmocka_unit_test(hostile_patterns_take_no_time),
		cmocka_unit_test(folders_are_entered_where_something_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
