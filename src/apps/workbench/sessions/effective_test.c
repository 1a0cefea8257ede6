/* Props with drafts laid over them (workbench.md A12). */
#include "apps/workbench/sessions/effective.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "jsonrpc/json_write.h"

static const struct {
	const char *base, *path, *value, *want; /* base NULL: nothing; want NULL: blocked */
} cases[] = {
	{"\"a\"", "/label", "\"b\"", "\"b\""},
	{NULL, "/label", "0", "0"},
	{"{\"color\":\"red\",\"top\":1}", "/style/color", "\"blue\"",
	 "{\"color\":\"blue\",\"top\":1}"},
	{NULL, "/style/a/b", "false", "{\"a\":{\"b\":false}}"},
	{"null", "/style/a", "1", "{\"a\":1}"},
	{NULL, "/list/0/name", "\"x\"", "[{\"name\":\"x\"}]"},
	{"[1,2,3]", "/list/1", "null", "[1,null,3]"},
	{"[1]", "/list/3", "4", "[1,null,null,4]"},
	{"{\"0\":1}", "/map/0", "2", "{\"0\":2}"},
	{"[1]", "/list/name", "1", NULL},
	{"\"text\"", "/label/0", "1", NULL},
	{"[]", "/list/99999", "1", NULL},
};

static void a_draft_is_laid_over_a_copy(void **none)
{
	(void)none;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_json *base = NULL, *value = NULL;
		const struct tn_json *made;
		struct tn_wb_prop_path path;
		struct tn_arena arena;
		struct tn_buf out;
		bool blocked;

		tn_arena_init(&arena, TN_MIB);
		tn_buf_init(&out, TN_MIB);
		if (cases[i].base)
			assert_int_equal(
				tn_json_parse_copy(&arena, tn_str_from(cases[i].base), &base, NULL),
				TENON_OK);
		assert_int_equal(
			tn_json_parse_copy(&arena, tn_str_from(cases[i].value), &value, NULL),
			TENON_OK);
		assert_int_equal(tn_wb_prop_path_read(&path, tn_str_from(cases[i].path)),
				 TN_WB_PATH_GOOD);
		made = tn_wb_effective_set(&arena, base, &path, value, &blocked);
		assert_int_equal(made == NULL, cases[i].want == NULL);
		assert_int_equal(blocked, cases[i].want == NULL);
		tn_json_put_value(&out, made);
		tn_buf_append_byte(&out, '\0');
		if (made)
			assert_string_equal(out.data, cases[i].want);
		tn_buf_clear(&out);
		tn_json_put_value(&out, base);
		tn_buf_append_byte(&out, '\0');
		assert_string_equal(out.data, cases[i].base ? cases[i].base : "null");
		tn_buf_finish(&out);
		tn_arena_finish(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_draft_is_laid_over_a_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
