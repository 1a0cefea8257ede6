/* What is instrumented, and what is left out (10.3, R13). */
#include "apps/workbench/sessions/instrumentation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct tn_wb_instrumented row(const char *type_id, const char *reason)
{
	return (struct tn_wb_instrumented){.type_id = tn_str_from(type_id),
					   .target = TN_STR("src/A.tsx"),
					   .export_name = TN_STR("A"),
					   .reason = tn_str_from(reason)};
}

static bool add(struct tn_wb_instrumentation *all, const char *type_id, const char *reason)
{
	const struct tn_wb_instrumented one = row(type_id, reason);

	return tn_wb_instrumentation_add(all, &one);
}

static void assert_written(const struct tn_wb_instrumentation *all, const char *want,
			   const char *skipped)
{
	struct tn_buf out, words;

	tn_buf_init(&out, TN_MIB);
	tn_buf_init(&words, TN_MIB);
	tn_wb_instrumentation_put(&out, all);
	tn_wb_instrumentation_put_skipped(&words, all);
	tn_buf_append_byte(&out, '\0');
	tn_buf_append_byte(&words, '\0');
	assert_string_equal(out.data, want);
	assert_string_equal(words.data, skipped);
	tn_buf_finish(&out);
	tn_buf_finish(&words);
}

static void the_last_word_counts_and_rows_have_an_order(void **state)
{
	struct tn_wb_instrumentation all, copy;

	(void)state;
	tn_wb_instrumentation_init(&all);
	assert_written(&all, "{\"instrumented\":[],\"skipped\":[]}", "");
	assert_true(add(&all, "ui.b", "no export \"A\""));
	assert_true(add(&all, "ui.a", ""));
	assert_false(add(&all, "ui.a", "")); /* the same again */
	assert_written(&all,
		       "{\"instrumented\":[{\"typeId\":\"ui.a\",\"target\":\"src/A.tsx\","
		       "\"exportName\":\"A\"}],\"skipped\":[{\"typeId\":\"ui.b\",\"target\":"
		       "\"src/A.tsx\",\"exportName\":\"A\",\"reason\":\"no export \\\"A\\\"\"}]}",
		       "ui.b (src/A.tsx, export A): no export \"A\"");
	assert_true(add(&all, "ui.b", "another"));
	assert_int_equal(all.skipped, 1);
	tn_wb_instrumentation_init(&copy);
	tn_wb_instrumentation_copy(&copy, &all);
	assert_int_equal(copy.skipped, 1);
	assert_int_equal(copy.rows.used, 2);
	tn_wb_instrumentation_finish(&copy);
	assert_true(add(&all, "ui.b", ""));
	assert_int_equal(all.skipped, 0);
	tn_wb_instrumentation_finish(&all);
}

static void many_are_counted_and_not_written(void **state)
{
	struct tn_wb_instrumentation all;
	char name[32];
	struct tn_buf out;

	(void)state;
	tn_wb_instrumentation_init(&all);
	for (int i = 0; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "ui.t%04d", i);
		assert_true(add(&all, name, i % 2 ? "why" : ""));
	}
	tn_buf_init(&out, TN_MIB);
	tn_wb_instrumentation_put(&out, &all);
	tn_wb_instrumentation_put_skipped(&out, &all);
	tn_buf_append_byte(&out, '\0');
	assert_true(out.size < 20 * TN_KIB);
	assert_non_null(strstr(out.data, "\"moreInstrumented\":"));
	assert_non_null(strstr(out.data, "\"moreSkipped\":"));
	assert_non_null(strstr(out.data, "; and 497 more"));
	tn_buf_finish(&out);
	tn_wb_instrumentation_finish(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_word_counts_and_rows_have_an_order),
		cmocka_unit_test(many_are_counted_and_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
