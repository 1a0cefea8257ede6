#include "apps/workbench/values/diagnostic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/limits.h"
#include "base/size.h"

static void a_list_is_written_without_absent_members(void **state)
{
	static const char want[] =
		"[{\"severity\":\"warning\",\"code\":\"prop_invalid\",\"message\":\"prop \\\"a\\\" "
		"has 2 faults\","
		"\"file\":\"ui.module.json\",\"pointer\":\"/props/a\",\"line\":3},"
		"{\"severity\":\"info\",\"code\":\"NOT_FOUND\",\"message\":\"there is none\"}]";
	struct tn_wb_diagnostics list, more;
	struct tn_buf out;

	(void)state;
	tn_wb_diagnostics_init(&list);
	tn_wb_diagnostics_init(&more);
	tn_wb_diagnose_format(&list,
			      &(struct tn_wb_diagnostic){.severity = TN_WB_WARNING,
							 .code = "prop_invalid",
							 .file = "ui.module.json",
							 .pointer = "/props/a",
							 .line = 3},
			      "prop \"%s\" has %d faults", "a", 2);
	tn_wb_diagnose(&more, &(struct tn_wb_diagnostic){.severity = TN_WB_INFO,
							 .code = "NOT_FOUND",
							 .message = "there is none"});
	tn_wb_diagnostics_add(&list, &more);
	tn_buf_init(&out, TN_MIB);
	tn_wb_diagnostics_put(&out, &list);
	assert_int_equal(out.size, sizeof(want) - 1);
	assert_memory_equal(out.data, want, out.size);
	tn_buf_finish(&out);
	tn_wb_diagnostics_finish(&more);
	tn_wb_diagnostics_finish(&list);
}

static void what_is_beyond_the_limit_is_counted(void **state)
{
	struct tn_wb_diagnostics list;

	(void)state;
	tn_wb_diagnostics_init(&list);
	for (int i = 0; i < TN_WB_DIAGNOSTICS_MAX + 7; i++)
		tn_wb_diagnose(&list, &(struct tn_wb_diagnostic){.code = "x", .message = "again"});
	assert_int_equal(list.count, TN_WB_DIAGNOSTICS_MAX);
	assert_int_equal(list.dropped, 7);
	tn_wb_diagnostics_finish(&list);
}

static void lists_are_equal_while_no_member_differs(void **state)
{
	static const struct tn_wb_diagnostic one = {TN_WB_ERROR, "a", "it is wrong", NULL, NULL, 0};
	static const struct tn_wb_diagnostic others[] = {
		{TN_WB_WARNING, "a", "it is wrong", NULL, NULL, 0},
		{TN_WB_ERROR, "b", "it is wrong", NULL, NULL, 0},
		{TN_WB_ERROR, "a", "it is odd", NULL, NULL, 0},
		{TN_WB_ERROR, "a", "it is wrong", "x.json", NULL, 0},
		{TN_WB_ERROR, "a", "it is wrong", NULL, "", 0},
		{TN_WB_ERROR, "a", "it is wrong", NULL, NULL, 1},
	};
	struct tn_wb_diagnostics a, b;

	(void)state;
	tn_wb_diagnostics_init(&a);
	tn_wb_diagnostics_init(&b);
	assert_true(tn_wb_diagnostics_equal(&a, &b));
	tn_wb_diagnose(&a, &one);
	assert_false(tn_wb_diagnostics_equal(&a, &b));
	tn_wb_diagnose(&b, &one);
	assert_true(tn_wb_diagnostics_equal(&a, &b));
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		tn_wb_diagnostics_finish(&b);
		tn_wb_diagnose(&b, &others[i]);
		assert_false(tn_wb_diagnostics_equal(&a, &b));
	}
	tn_wb_diagnostics_finish(&a);
	tn_wb_diagnostics_finish(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_written_without_absent_members),
		cmocka_unit_test(what_is_beyond_the_limit_is_counted),
		cmocka_unit_test(lists_are_equal_while_no_member_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
