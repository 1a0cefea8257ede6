/* Limits are kept: of size, number and time (plan.md section 3.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/limits.h"
#include "apps/plan/read/reading_kit.h"

static void too_large_input_is_refused(void **state)
{
	struct tn_plan_options options = {.bytes_max = 10};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	struct tn_buf text;

	(void)state;
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_LIMIT);
	assert_string_equal(reason, "input_too_large");
	tn_buf_init(&text, TN_PLAN_CLI_BYTES_MAX + 1);
	assert_true(tn_buf_reserve(&text, TN_PLAN_CLI_BYTES_MAX + 1));
	memset(text.data, '\n', TN_PLAN_CLI_BYTES_MAX + 1);
	memcpy(text.data, "No changes.", 11);
	assert_int_equal(
		tn_plan_parse(text.data, TN_PLAN_CLI_BYTES_MAX + 1, NULL, &plan, &reason, &err),
		TENON_LIMIT);
	assert_string_equal(reason, "input_too_large");
	assert_int_equal(
		tn_plan_parse(text.data, TN_PLAN_CLI_BYTES_MAX, NULL, &plan, &reason, &err),
		TENON_OK);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void too_many_resources_are_refused(void **state)
{
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n");
	for (unsigned i = 0; i < TN_PLAN_RESOURCES_MAX; i++)
		tn_buf_format(&text,
			      "  # cloud_thing.number_%08u will be created\n"
			      "  + resource \"cloud_thing\" \"number_%08u\" {\n    }\n",
			      i, i);
	tn_plan_free(test_parse(tn_buf_str(&text)));
	tn_buf_append_text(&text, "  # cloud_thing.one_more will be created\n");
	assert_string_equal(test_parse_reason(tn_buf_str(&text)), "input_too_large");
	tn_buf_finish(&text);
}

static void attributes_beyond_the_limit_are_counted(void **state)
{
	struct tn_buf text;
	struct tn_plan *plan;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n"
				  "  # a.b will be created\n  + resource \"a\" \"b\" {\n");
	for (unsigned i = 0; i < TN_PLAN_ATTRIBUTES_MAX + 7; i++)
		tn_buf_format(&text, "      + name_of_attribute_%u = \"%u\"\n", i, i);
	tn_buf_append_text(&text, "    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n");
	plan = test_parse(tn_buf_str(&text));
	assert_int_equal(plan->changes[0].attributes.count, TN_PLAN_ATTRIBUTES_MAX);
	assert_int_equal(plan->changes[0].attributes.truncated, 7);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void long_values_are_cut(void **state)
{
	struct tn_buf text;
	struct tn_plan *plan;
	const struct tn_plan_value *value;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "  # a.b will be created\n  + resource \"a\" \"b\" {\n"
				  "      + x = \"");
	for (unsigned i = 0; i < 3000; i++)
		tn_buf_append_text(&text, "\xC3\xA9");
	tn_buf_append_text(&text, "\"\n    }\n");
	plan = test_parse(tn_buf_str(&text));
	value = &plan->changes[0].attributes.items[0].after;
	assert_true(value->truncated);
	assert_int_equal(value->text.size, TN_PLAN_VALUE_BYTES_MAX + 3);
	assert_true(tn_str_ends(value->text, TN_STR("\xC3\xA9\xE2\x80\xA6")));
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void a_cancelled_or_slow_parse_ends(void **state)
{
	atomic_bool cancel = true;
	atomic_size_t progress = 0;
	struct tn_plan_options options = {.cancel = &cancel, .progress_bytes = &progress};
	struct tenon_error err;
	struct tn_plan *plan = NULL;
	const char *reason = NULL;
	struct tn_buf text;

	(void)state;
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_CANCELLED);
	assert_string_equal(reason, "cancelled");
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "Terraform will perform the following actions:\n");
	while (text.size < 30 * TN_MIB)
		tn_buf_append_text(&text,
				   "  # a.b has changed\n  ~ resource \"a\" \"b\" {\n    }\n");
	options = (struct tn_plan_options){.cpu_ms_max = 1};
	assert_int_equal(tn_plan_parse(text.data, text.size, &options, &plan, &reason, &err),
			 TENON_LIMIT);
	assert_string_equal(reason, "timeout");
	tn_buf_shrink(&text, 0);
	tn_buf_finish(&text);
	cancel = false;
	options = (struct tn_plan_options){.cancel = &cancel, .progress_bytes = &progress};
	assert_int_equal(tn_plan_parse("No changes.", 11, &options, &plan, &reason, &err),
			 TENON_OK);
	assert_int_equal(progress, 11);
	tn_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_large_input_is_refused),
		cmocka_unit_test(too_many_resources_are_refused),
		cmocka_unit_test(attributes_beyond_the_limit_are_counted),
		cmocka_unit_test(long_values_are_cut),
		cmocka_unit_test(a_cancelled_or_slow_parse_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
