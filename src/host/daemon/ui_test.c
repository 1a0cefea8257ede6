/* The page in the program: which encoding a browser gets, and that the files belong together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/size.h"
#include "host/daemon/ui.h"

static void test_accept_encoding(void **state)
{
	static const struct {
		const char *value;
		bool expected;
	} cases[] = {
		{"gzip, deflate, br, zstd", true},
		{"br, GZIP;q=0.5", true},
		{"*", true},
		{"identity, *;q=0.1", true},
		{"gzip;q=0", false},
		{"gzip; q=0.000, *", false},
		{"*;q=0", false},
		{"br", false},
		{"xgzip", false},
		{"", false},
		{",;,", false},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_ui_takes_gzip(tn_str_from(cases[i].value)), cases[i].expected);
	assert_false(tn_ui_takes_gzip(tn_str(NULL, 0)));
}

static void test_unknown_files(void **state)
{
	(void)state;
	assert_null(tn_ui_find(TN_STR("/index.html")));
	assert_null(tn_ui_find(TN_STR("/assets/")));
	assert_null(tn_ui_find(TN_STR("/assets/../")));
	assert_null(tn_ui_find(tn_str("", 0)));
}

/* What "/" refers to is there, and nothing of it stands inline: the policy would refuse it. */
static void test_the_page_is_whole(void **state)
{
	const struct tn_ui_asset *page = tn_ui_find(TN_STR("/"));
	static const struct tn_str mark = {"/assets/", 8};
	struct tn_str rest;
	size_t seen = 0, at;

	(void)state;
	assert_int_equal(page != NULL, tn_ui_is_built());
	if (!page)
		skip();
	for (rest = page->plain; (at = tn_str_find(rest, mark)) != TN_STR_NONE; seen++) {
		size_t end;

		rest = tn_str_from_offset(rest, at);
		end = tn_str_find_byte(rest, '"');
		assert_int_not_equal(end, TN_STR_NONE);
		assert_non_null(tn_ui_find(tn_str(rest.data, end)));
		rest = tn_str_from_offset(rest, end);
	}
	assert_true(seen >= 2);
	assert_int_equal(tn_str_find(page->plain, TN_STR("<style")), TN_STR_NONE);
	assert_int_equal(tn_str_find(page->plain, TN_STR("<script>")), TN_STR_NONE);
	assert_int_equal(tn_str_find(page->plain, TN_STR("style=")), TN_STR_NONE);
	for (const struct tn_ui_asset *a = tn_ui_assets; a->path; a++) {
		assert_true(a->plain.size > 0);
		assert_true(a->packed.size == 0 || memcmp(a->packed.data, "\x1f\x8b\x08", 3) == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accept_encoding),
		cmocka_unit_test(test_unknown_files),
		cmocka_unit_test(test_the_page_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
