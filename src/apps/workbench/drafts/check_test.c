/* The table of section 13.5, in its order, and what is known of instances. */
#include "apps/workbench/drafts/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts_test_kit.h"

static struct tn_wb_drafts_kit kit;

static int setup(void **state)
{
	(void)state;
	tn_wb_drafts_kit_init(&kit);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tn_wb_drafts_kit_finish(&kit);
	return 0;
}

static const char *check(const char *op)
{
	static const char unset[] = "no code";
	struct tn_wb_op_fault fault = {.code = unset};
	struct tn_wb_checked checked;

	if (tn_wb_check_op(tn_wb_drafts_document(kit.drafts), TN_WB_GROUP_APP, &kit.facts,
			   tn_wb_drafts_kit_parse(&kit, op), &checked, &fault))
		return "ok";
	assert_true(fault.message[0] != '\0');
	return fault.code;
}

#define SET(instance, path, value) \
	"{\"op\":\"set\",\"instanceId\":\"" instance "\",\"path\":\"" path "\",\"value\":" value
#define TYPE(type) ",\"componentTypeId\":\"" type "\"}"

static void each_check_has_its_code(void **state)
{
	static const char *const cases[][2] = {
		{"7", "malformed_op"},
		{"{}", "malformed_op"},
		{"{\"op\":\"put\"}", "malformed_op"},
		{"{\"op\":\"set\",\"path\":\"/label\",\"value\":1}", "malformed_op"},
		{"{\"op\":\"set\",\"instanceId\":\"\",\"path\":\"/label\",\"value\":1}",
		 "malformed_op"},
		{"{\"op\":\"set\",\"instanceId\":\"b1\",\"value\":1}", "malformed_op"},
		{"{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\"}", "malformed_op"},
		{"{\"op\":\"clear\",\"instanceId\":\"b1\"}", "malformed_op"},
		{SET("b1", "/label", "\"x\",\"componentTypeId\":1}"), "malformed_op"},
		{SET("b1", "/label", "\"x\",\"instanceLocator\":[1e999]}"), "malformed_op"},
		{SET("c1", "/style", "{\"a\":1e999}}"), "malformed_op"},
		{SET("b1", "label", "\"x\"}"), "invalid_path"},
		{SET("b1", "/a~2", "\"x\"}"), "invalid_path"},
		{SET("b1", "/__proto__", "\"x\"}"), "unsafe_path"},
		{"{\"op\":\"clear\",\"instanceId\":\"zz\",\"path\":\"/\"}", "invalid_path"},
		{SET("zz", "/label", "\"x\"}"), "unknown_instance"},
		{SET("zz", "/label", "\"x\"") TYPE("ui.button"), "unknown_instance"},
		{SET("b1", "/label", "\"x\"") TYPE("ui.card"), "type_conflict"},
		{SET("n1", "/label", "\"x\"}"), "unknown_component"},
		{SET("n1", "/label", "\"x\"") TYPE("ui.none"), "unknown_component"},
		{SET("n1", "/label", "\"x\"") TYPE("ui.off"), "component_disabled"},
		{SET("n1", "/label", "\"x\"") TYPE("ui.button"), "ok"},
		{SET("b1", "/nothing", "\"x\"}"), "unknown_prop"},
		{SET("b1", "/onClick", "\"x\"}"), "not_editable"},
		{SET("c1", "/children", "\"x\"}"), "not_editable"},
		{SET("b1", "/label/0", "\"x\"}"), "path_too_deep"},
		{SET("c1", "/style/color/0", "\"x\"}"), "ok"},
		{SET("b1", "/label", "1}"), "type_mismatch"},
		{SET("c1", "/fill", "\"red\"}"), "type_mismatch"},
		{SET("b1", "/tone", "\"loud\"}"), "not_in_options"},
		{SET("b1", "/label", "\"\"}"), "constraint_required"},
		{SET("b1", "/size", "-1}"), "constraint_min"},
		{SET("b1", "/size", "10}"), "constraint_max"},
		{SET("b1", "/code", "\"A\"}"), "constraint_pattern"},
		{SET("b1", "/label", "\"x\"}"), "ok"},
		{SET("b1", "/disabled", "false}"), "ok"},
		{SET("b1", "/size", "0}"), "ok"},
		{SET("c1", "/style", "null}"), "ok"},
		{"{\"op\":\"clear\",\"instanceId\":\"zz\",\"path\":\"/x\"}", "ok"},
		{"{\"op\":\"clearInstance\",\"instanceId\":\"zz\"}", "ok"},
		{"{\"op\":\"clearInstance\"}", "malformed_op"},
		{"{\"op\":\"clearAll\"}", "ok"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		if (strcmp(check(cases[i][0]), cases[i][1]) != 0)
			fail_msg("%s: %s", cases[i][0], check(cases[i][0]));
	}
}

/* 13.5, step 3, and section 0: what makes an instance known. */
static void an_adapter_without_list_takes_a_type(void **state)
{
	(void)state;
	kit.facts.lists_instances = false;
	assert_string_equal(check(SET("zz", "/label", "\"x\"") TYPE("ui.button")), "ok");
	assert_string_equal(check(SET("zz", "/label", "\"x\"}")), "unknown_instance");
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[" SET("zz", "/label", "\"x\"")
							      TYPE("ui.button") "]"),
			 TENON_OK);
	kit.facts.lists_instances = true;
	/* Now a stored override makes it known, with its type. */
	assert_string_equal(check(SET("zz", "/tone", "\"quiet\"}")), "ok");
	assert_string_equal(check(SET("zz", "/style", "1") TYPE("ui.card")), "type_conflict");
	kit.facts.instance = NULL;
	kit.facts.registry = NULL;
	assert_string_equal(check(SET("zz", "/tone", "\"quiet\"}")), "unknown_component");
	assert_string_equal(check(SET("b1", "/tone", "\"quiet\"}")), "unknown_instance");
}

/* Step 11, and the step limit of patterns. */
static void what_is_too_large_is_refused(void **state)
{
	struct tn_buf op;

	(void)state;
	for (size_t size = 65534; size <= 65535; size++) {
		tn_buf_init(&op, TN_MIB);
		tn_buf_append_text(&op, SET("c1", "/style", "\""));
		for (size_t i = 0; i < size; i++)
			tn_buf_append_byte(&op, 'a');
		tn_buf_append(&op, "\"}", 3);
		assert_string_equal(check(op.data), size == 65534 ? "ok" : "value_too_large");
		tn_buf_finish(&op);
	}
	for (size_t depth = 32; depth <= 33; depth++) {
		tn_buf_init(&op, TN_MIB);
		tn_buf_append_text(&op, SET("c1", "/style", ""));
		for (size_t i = 0; i < depth; i++)
			tn_buf_append_byte(&op, '[');
		for (size_t i = 0; i < depth; i++)
			tn_buf_append_byte(&op, ']');
		tn_buf_append(&op, "}", 2);
		assert_string_equal(check(op.data), depth == 32 ? "ok" : "value_too_large");
		tn_buf_finish(&op);
	}
	tn_buf_init(&op, TN_MIB);
	tn_buf_append_text(&op, SET("b1", "/slow", "\""));
	for (size_t i = 0; i < 60000; i++)
		tn_buf_append_byte(&op, 'a');
	tn_buf_append(&op, "\"}", 3);
	assert_string_equal(check(op.data), "constraint_pattern");
	tn_buf_finish(&op);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_check_has_its_code, setup, teardown),
		cmocka_unit_test_setup_teardown(an_adapter_without_list_takes_a_type, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_too_large_is_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
