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
	struct tn_buf text;
	size_t seen = 0, at;

	(void)state;
	assert_int_equal(page != NULL, tn_ui_is_built());
	if (!page)
		skip();
	tn_buf_init(&text, page->size);
	assert_true(tn_ui_unpack(page, &text));
	for (rest = tn_buf_str(&text); (at = tn_str_find(rest, mark)) != TN_STR_NONE; seen++) {
		size_t end;

		rest = tn_str_from_offset(rest, at);
		end = tn_str_find_byte(rest, '"');
		assert_int_not_equal(end, TN_STR_NONE);
		assert_non_null(tn_ui_find(tn_str(rest.data, end)));
		rest = tn_str_from_offset(rest, end);
	}
	assert_true(seen >= 2);
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("<style")), TN_STR_NONE);
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("<script>")), TN_STR_NONE);
	assert_int_equal(tn_str_find(tn_buf_str(&text), TN_STR("style=")), TN_STR_NONE);
	tn_buf_finish(&text);
}

static void test_every_file_is_there_for_those_who_cannot_unpack_it(void **state)
{
	(void)state;
	for (const struct tn_ui_asset *a = tn_ui_assets; a->path; a++) {
		struct tn_buf plain;

		tn_buf_init(&plain, a->size);
		assert_true(a->size > 0 && a->bytes.size <= a->size);
		assert_true(tn_ui_unpack(a, &plain));
		assert_int_equal(plain.size, a->size);
		if (tn_ui_is_packed(a))
			assert_memory_equal(a->bytes.data, "\x1f\x8b\x08", 3);
		tn_buf_finish(&plain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accept_encoding),
		cmocka_unit_test(test_unknown_files),
		cmocka_unit_test(test_the_page_is_whole),
		cmocka_unit_test(test_every_file_is_there_for_those_who_cannot_unpack_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
