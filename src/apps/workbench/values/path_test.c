#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/values/id.h"
#include "apps/workbench/values/prop_path.h"
#include "apps/workbench/values/strict_json.h"
#include "base/buf.h"

static void ids_are_bounded_and_type_ids_have_no_control_characters(void **state)
{
	char longest[201];

	(void)state;
	memset(longest, 'a', sizeof(longest));
	assert_true(tn_wb_type_id_is_valid(tn_str(longest, 200)));
	assert_false(tn_wb_type_id_is_valid(tn_str(longest, 201)));
	assert_false(tn_wb_type_id_is_valid(TN_STR("")));
	assert_true(tn_wb_type_id_is_valid(TN_STR("ui.knöpfe/a:b")));
	assert_false(tn_wb_type_id_is_valid(TN_STR("a\nb")));
	assert_false(tn_wb_type_id_is_valid(TN_STR("a\x7F")));
	assert_false(tn_wb_type_id_is_valid(TN_STR("a\xC2\x85")));
	assert_false(tn_wb_type_id_is_valid(TN_STR("a\xFF")));
	assert_true(tn_wb_instance_id_is_valid(TN_STR("a\nb")));
	assert_false(tn_wb_instance_id_is_valid(TN_STR("")));
}

/* O4: the syntax of paths, as a table. */
static void paths_are_pointers_with_names(void **state)
{
	static const struct {
		const char *path;
		enum tn_wb_path_fault fault;
		size_t count;
	} cases[] = {
		{"/label", TN_WB_PATH_GOOD, 1},
		{"/style/color", TN_WB_PATH_GOOD, 2},
		{"/a~1b~0c", TN_WB_PATH_GOOD, 1},
		{"/items/0/x", TN_WB_PATH_GOOD, 3},
		{"/items/10", TN_WB_PATH_GOOD, 2},
		{"/0a", TN_WB_PATH_GOOD, 1},
		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16", TN_WB_PATH_GOOD, 16},
		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", TN_WB_PATH_INVALID, 0},
		{"", TN_WB_PATH_INVALID, 0},
		{"label", TN_WB_PATH_INVALID, 0},
		{"/", TN_WB_PATH_INVALID, 0},
		{"/a//b", TN_WB_PATH_INVALID, 0},
		{"/a/", TN_WB_PATH_INVALID, 0},
		{"/a~", TN_WB_PATH_INVALID, 0},
		{"/a~2", TN_WB_PATH_INVALID, 0},
		{"/items/01", TN_WB_PATH_INVALID, 0},
		{"/items/00", TN_WB_PATH_INVALID, 0},
		{"/items/-", TN_WB_PATH_INVALID, 0},
		{"/__proto__", TN_WB_PATH_UNSAFE, 1},
		{"/style/constructor/x", TN_WB_PATH_UNSAFE, 3},
		{"/a/prototype", TN_WB_PATH_UNSAFE, 2},
		{"/a/prototype/-", TN_WB_PATH_INVALID, 0},
	};
	struct tn_wb_prop_path path;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		enum tn_wb_path_fault fault =
			tn_wb_prop_path_read(&path, tn_str_from(cases[i].path));

		if (fault != cases[i].fault)
			fail_msg("%s: %d", cases[i].path, fault);
		if (fault == TN_WB_PATH_GOOD)
			assert_int_equal(path.count, cases[i].count);
	}
	assert_int_equal(tn_wb_prop_path_read(&path, TN_STR("/a~1b~0c/d")), TN_WB_PATH_GOOD);
	assert_true(tn_str_is(path.tokens[0], "a/b~c"));
	assert_true(tn_str_is(path.tokens[1], "d"));
}

/* Section 5: duplicate keys are rejected, also such as differ only in how they are written. */
static void a_key_twice_is_refused(void **state)
{
	static const struct {
		const char *text;
		enum tenon_code code;
	} cases[] = {
		{"{\"a\":{\"b\":1},\"c\":{\"b\":2,\"a\":3}}", TENON_OK},
		{"[{\"a\":1},{\"a\":1}]", TENON_OK},
		{"{\"a\":1,\"b\":2,\"a\":3}", TENON_INVALID},
		{"{\"x\":[{\"k\":1,\"\\u006b\":2}]}", TENON_INVALID},
		{"{\"a\":{\"z\":1},\"z\":{\"a\":1},\"a\":1}", TENON_INVALID},
		{"{\"a\":\"\xFF\"}", TENON_INVALID},
		{"{\"a\":1}x", TENON_INVALID},
		{"", TENON_INVALID},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_json *tree = NULL;
		struct tenon_error err;
		struct tn_arena arena;

		tn_arena_init(&arena, TN_MIB);
		if (tn_wb_json_read(&arena, tn_str_from(cases[i].text), &tree, &err) !=
		    cases[i].code)
			fail_msg("%s", cases[i].text);
		tn_arena_finish(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_bounded_and_type_ids_have_no_control_characters),
		cmocka_unit_test(paths_are_pointers_with_names),
		cmocka_unit_test(a_key_twice_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
