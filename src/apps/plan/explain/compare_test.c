/* terraform_compare (section 12): entries by address and deposed key, attributes by path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/compare.h"
#include "apps/plan/explain/wording_kit.h"

static struct tn_plan *first(void)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)test_add(plan, TN_PLAN_CREATE, "a_b.same");
	entry = test_add(plan, TN_PLAN_UPDATE, "a_b.differs");
	(void)test_attr(plan, entry, "kept", "#1", "#2");
	(void)test_attr(plan, entry, "value", "x", "y");
	(void)test_attr(plan, entry, "dropped", "x", "y");
	(void)test_attr(plan, entry, "still", "x", "x");
	(void)test_add(plan, TN_PLAN_DELETE, "a_b.gone");
	entry = test_add(plan, TN_PLAN_DELETE, "a_b.two");
	entry->deposed = TN_STR("1234abcd");
	(void)test_add(plan, TN_PLAN_UPDATE, "a_b.action");
	return plan;
}

static struct tn_plan *second(void)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	entry = test_add(plan, TN_PLAN_UPDATE, "a_b.differs");
	(void)test_attr(plan, entry, "value", "x", "z");
	(void)test_attr(plan, entry, "kept", "#1", "#2");
	(void)test_attr(plan, entry, "new", NULL, "n");
	test_attr(plan, entry, "api_token", "visible", "visible")->sensitive = true;
	plan->changes[0].attributes.items[3].change = TN_PLAN_ATTR_UPDATE;
	(void)test_add(plan, TN_PLAN_CREATE, "a_b.same");
	(void)test_add(plan, TN_PLAN_DELETE, "a_b.two"); /* the living one, not the deposed one */
	(void)test_add(plan, TN_PLAN_REPLACE, "a_b.action");
	return plan;
}

static void test_json_result(void **state)
{
	struct tn_plan *plan = first(), *other = second();
	struct tn_buf out = test_buf();
	struct tenon_error err;
	const struct tn_json *json;

	(void)state;
	assert_int_equal(tn_plan_put_compare_json(&out, plan, other, &err), TENON_OK);
	assert_lacks(&out, "visible");
	json = test_json(plan, &out);
	assert_true(tn_json_is(test_get(json, "identical"), TN_JSON_FALSE));
	test_is_int(json, "counts.added", 1);
	test_is_int(json, "counts.removed", 2);
	test_is_int(json, "counts.changed", 2);
	test_is_int(json, "counts.same", 1);
	test_is_text(json, "added.0.address", "a_b.two");
	test_is_text(json, "added.0.deposed", NULL);
	test_is_text(json, "removed.0.address", "a_b.gone");
	test_is_text(json, "removed.1.deposed", "1234abcd");
	test_is_text(json, "changed.0.address", "a_b.differs");
	assert_int_equal(test_get(json, "changed.0.attributes")->count, 4);
	test_is_text(json, "changed.0.attributes.0.path", "value");
	test_is_text(json, "changed.0.attributes.0.difference", "changed");
	test_is_text(json, "changed.0.attributes.0.after", "y");
	test_is_text(json, "changed.0.attributes.0.other_after", "z");
	test_is_text(json, "changed.0.attributes.1.path", "dropped");
	test_is_text(json, "changed.0.attributes.1.difference", "removed");
	test_is_text(json, "changed.0.attributes.1.other_change", NULL);
	test_is_text(json, "changed.0.attributes.2.path", "new");
	test_is_text(json, "changed.0.attributes.2.difference", "added");
	assert_true(tn_json_is(test_get(json, "changed.0.attributes.3.sensitive"), TN_JSON_TRUE));
	test_is_text(json, "changed.1.action", "update");
	test_is_text(json, "changed.1.other_action", "replace");
	tn_buf_finish(&out);
	test_plan_free(other);
	test_plan_free(plan);
}

static void test_identical(void **state)
{
	struct tn_plan *plan = first(), *other = first();
	struct tn_buf out = test_buf();
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_plan_put_compare_json(&out, plan, other, &err), TENON_OK);
	assert_contains(&out, "\"identical\":true");
	assert_contains(&out, "\"changed\":[]");
	tn_buf_clear(&out);
	assert_int_equal(tn_plan_put_compare_text(&out, plan, other, &err), TENON_OK);
	assert_string_equal(test_text(&out), "0 added, 0 removed, 0 changed, 5 the same\n");
	tn_buf_finish(&out);
	test_plan_free(other);
	test_plan_free(plan);
}

static void test_lines(void **state)
{
	struct tn_plan *plan = first(), *other = second();
	struct tn_buf out = test_buf();
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_plan_put_compare_text(&out, plan, other, &err), TENON_OK);
	assert_string_equal(
		test_text(&out),
		"1 added, 2 removed, 2 changed, 1 the same\n+ delete  a_b.two\n~ update  "
		"a_b.differs\n    value: \"y\" in the first, \"z\" in the second\n    dropped: "
		"\"y\" in the first, not changed in the second\n    new: not changed in the first, "
		"\"n\" in the second\n    api_token: not changed in the first, (hidden) in the "
		"second\n- delete  a_b.gone\n- delete  a_b.two (deposed 1234abcd)\n~ update  "
		"a_b.action (replace in the second)\n");
	tn_buf_finish(&out);
	test_plan_free(other);
	test_plan_free(plan);
}

/* Two projects in one comment may use the same address. */
static void test_units(void **state)
{
	struct tn_plan *plan = test_plan(), *other = test_plan();
	struct tn_buf out = test_buf();
	struct tenon_error err;

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "a_b.c");
	test_add(plan, TN_PLAN_DELETE, "a_b.c")->unit = 1;
	(void)test_add(other, TN_PLAN_CREATE, "a_b.c");
	test_add(other, TN_PLAN_DELETE, "a_b.c")->unit = 1;
	plan->unit_count = other->unit_count = 2;
	assert_int_equal(tn_plan_put_compare_json(&out, plan, other, &err), TENON_OK);
	assert_contains(&out, "\"identical\":true");
	tn_buf_finish(&out);
	test_plan_free(other);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_result),
		cmocka_unit_test(test_identical),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
