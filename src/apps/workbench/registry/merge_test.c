/* R12, all of it: every pair of exposure kinds, every pair of control kinds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/registry/registry_test_kit.h"

static const char *const controls[] = {
	"{\"kind\":\"string\",\"placeholder\":\"ph\",\"multiline\":true}",
	"{\"kind\":\"number\",\"step\":2,\"unit\":\"px\"}",
	"{\"kind\":\"boolean\"}",
	"{\"kind\":\"select\",\"options\":[{\"value\":\"a\",\"label\":\"A\"}]}",
	"{\"kind\":\"color\",\"format\":\"hex\"}",
	"{\"kind\":\"slot\",\"slotName\":\"s\",\"editable\":true}",
	"{\"kind\":\"json\"}",
};
static const char *const fields[] = {"placeholder", "multiline", "step",     "unit",
				     "options",     "format",    "slotName", "editable"};
static const size_t first_field[] = {0, 2, 4, 4, 5, 6, 8, 8};
static const char *const constraint_fields[] = {"required", "min", "max", "pattern"};

/* Composes one prop with an override; the exposure it has then. */
static const struct tn_json *merged(struct tn_wb_kit *kit, const char *old, const char *over)
{
	struct tn_wb_kit_inputs inputs = {.inferred = NULL};
	char module[2048], overrides[2048];
	const struct tn_json *props;

	(void)snprintf(module, sizeof(module),
		       "{\"schemaVersion\":\"v0\",\"components\":{\"a\":{\"displayName\":\"A\","
		       "\"props\":{\"p\":{\"exposure\":%s}}}}}",
		       old);
	(void)snprintf(overrides, sizeof(overrides),
		       "{\"a\":{\"props\":{\"p\":{\"exposure\":%s}}}}", over);
	inputs.modules[0] = module;
	inputs.overrides = overrides;
	tn_wb_kit_compose(kit, &inputs);
	props = tn_json_get(tn_wb_kit_entry(kit, "a"), "props");
	return tn_json_get(tn_json_get(props, "p"), "exposure");
}

static void check(const char *old, const char *over, const char *want, const char *told)
{
	struct tn_wb_kit kit;
	const struct tn_json *got = merged(&kit, old, over);
	struct tn_json *tree = NULL;

	assert_int_equal(tn_json_parse_copy(&kit.arena, tn_str_from(want), &tree, NULL), TENON_OK);
	if (!tn_json_equal(got, tree))
		fail_msg("%s with %s is not %s", old, over, want);
	if (strcmp(tn_wb_kit_told(&kit), told) != 0)
		fail_msg("%s with %s: %s", old, over, tn_wb_kit_told(&kit));
	tn_wb_kit_finish(&kit);
}

#define AT "/components/overrides/a/props/p/exposure\n"
#define PLAIN "{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"}}"

static void kinds_that_differ_leak_nothing(void **state)
{
	static const char editable[] =
		"{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},\"uiDefaultValue\":\"d\","
		"\"constraints\":{\"required\":true}}";
	static const char *const kinds[] = {
		editable,
		"{\"kind\":\"inspectOnly\",\"displayHint\":\"json\"}",
		"{\"kind\":\"opaque\",\"reason\":\"why\"}",
	};
	static const char *const bare[] = {"{\"kind\":\"editable\"}", "{\"kind\":\"inspectOnly\"}",
					   "{\"kind\":\"opaque\"}"};

	(void)state;
	for (size_t old = 0; old < 3; old++) {
		for (size_t over = 0; over < 3; over++) {
			bool refused = over == 0 && old != 0;

			check(kinds[old], kinds[over], kinds[over], "");
			check(kinds[old], bare[over],
			      old == over || refused ? kinds[old] : bare[over],
			      refused ? "override_invalid " AT : "");
		}
	}
	check(kinds[1], "{\"displayHint\":\"code\"}",
	      "{\"kind\":\"inspectOnly\",\"displayHint\":\"code\"}", "");
	check(kinds[2], "{\"reason\":\"new\"}", "{\"kind\":\"opaque\",\"reason\":\"new\"}", "");
	check(kinds[1], "{\"kind\":\"opaque\",\"displayHint\":\"code\"}", "{\"kind\":\"opaque\"}",
	      "unknown_field /components/overrides/a/props/p/exposure/displayHint\n");
	check(kinds[0], "{\"kind\":7}", kinds[0], "override_invalid " AT);
	check(kinds[0], "7", kinds[0], "override_invalid " AT);
	check(kinds[1], "{\"displayHint\":\"loud\"}", kinds[1], "override_invalid " AT);
}

/* Whether a control of that kind may have the field. */
static bool has_field(size_t kind, size_t field)
{
	return field >= first_field[kind] && field < first_field[kind + 1];
}

static void check_pair(size_t old, size_t over)
{
	static const bool applies[7][4] = {
		{true, false, false, true},   {false, true, true, false},
		{false, false, false, false}, {true, false, false, false},
		{true, false, false, true},   {false, false, false, false},
		{false, false, false, false}};
	char before[512], change[512];
	const struct tn_json *got, *control, *constraints;
	struct tn_wb_kit kit;

	(void)snprintf(before, sizeof(before),
		       "{\"kind\":\"editable\",\"control\":%s,\"constraints\":{\"required\":true,"
		       "\"min\":1,\"max\":9,\"pattern\":\"x\"}}",
		       controls[old]);
	(void)snprintf(change, sizeof(change), "{\"control\":%s}", controls[over]);
	got = merged(&kit, before, change);
	control = tn_json_get(got, "control");
	constraints = tn_json_get(got, "constraints");
	for (size_t i = 0; i < TN_COUNT(fields); i++) {
		if ((tn_json_get(control, fields[i]) != NULL) != has_field(over, i))
			fail_msg("%zu to %zu: %s", old, over, fields[i]);
	}
	for (size_t i = 0; i < TN_COUNT(constraint_fields); i++) {
		if ((tn_json_get(constraints, constraint_fields[i]) != NULL) !=
		    (applies[old][i] && applies[over][i]))
			fail_msg("%zu to %zu: %s", old, over, constraint_fields[i]);
	}
	assert_string_equal(tn_wb_kit_told(&kit), "");
	tn_wb_kit_finish(&kit);
}

static void controls_that_differ_replace_each_other(void **state)
{
	(void)state;
	for (size_t old = 0; old < TN_COUNT(controls); old++) {
		for (size_t over = 0; over < TN_COUNT(controls); over++)
			check_pair(old, over);
	}
}

static void fields_of_the_same_kind_merge(void **state)
{
	(void)state;
	check("{\"kind\":\"editable\",\"control\":{\"kind\":\"number\",\"step\":1,\"unit\":\"px\"},"
	      "\"uiDefaultValue\":5,\"constraints\":{\"min\":1,\"max\":9}}",
	      "{\"control\":{\"step\":2},\"constraints\":{\"max\":10}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"number\",\"step\":2,\"unit\":\"px\"},"
	      "\"uiDefaultValue\":5,\"constraints\":{\"min\":1,\"max\":10}}",
	      "");
	/* select.options is replaced as a whole */
	check("{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{\"value\":"
	      "\"a\",\"label\":\"A\"},{\"value\":\"b\",\"label\":\"B\"}]},\"uiDefaultValue\":"
	      "\"a\"}",
	      "{\"control\":{\"options\":[{\"value\":\"a\",\"label\":\"Only\"}]}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{\"value\":"
	      "\"a\",\"label\":\"Only\"}]},\"uiDefaultValue\":\"a\"}",
	      "");
	/* R4: a default that is no option any more */
	check("{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{\"value\":"
	      "\"a\",\"label\":\"A\"}]},\"uiDefaultValue\":\"a\"}",
	      "{\"control\":{\"options\":[{\"value\":\"b\",\"label\":\"B\"}]}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{\"value\":"
	      "\"b\",\"label\":\"B\"}]}}",
	      "default_invalid " AT);
	check(PLAIN, "{\"uiDefaultValue\":\"x\"}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},\"uiDefaultValue\":\"x\"}",
	      "");
}

static void what_does_not_hold_together_changes_nothing(void **state)
{
	static const char number[] = "{\"kind\":\"editable\",\"control\":{\"kind\":\"number\"},"
				     "\"constraints\":{\"min\":5}}";

	(void)state;
	check(number, "{\"constraints\":{\"max\":4}}", number, "override_invalid " AT);
	check(number, "{\"constraints\":null}", number, "override_invalid " AT);
	check(number, "{\"control\":null}", number, "override_invalid " AT);
	check(number, "{\"control\":{\"kind\":\"wheel\"}}", number, "override_invalid " AT);
	check(PLAIN, "{\"constraints\":{\"pattern\":\"(\"}}", PLAIN, "override_invalid " AT);
}

static void an_old_default_stays_where_the_new_control_takes_it(void **state)
{
	static const char text[] = "{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},"
				   "\"uiDefaultValue\":\"a\"}";

	(void)state;
	check(text,
	      "{\"control\":{\"kind\":\"select\",\"options\":[{\"value\":\"a\",\"label\":\"A\"}]}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":[{\"value\":"
	      "\"a\",\"label\":\"A\"}]},\"uiDefaultValue\":\"a\"}",
	      "");
	check(text, "{\"control\":{\"kind\":\"number\"}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"number\"}}", "");
	check(text, "{\"control\":{\"kind\":\"json\"}}",
	      "{\"kind\":\"editable\",\"control\":{\"kind\":\"json\"},\"uiDefaultValue\":\"a\"}",
	      "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_that_differ_leak_nothing),
		cmocka_unit_test(controls_that_differ_replace_each_other),
		cmocka_unit_test(fields_of_the_same_kind_merge),
		cmocka_unit_test(what_does_not_hold_together_changes_nothing),
		cmocka_unit_test(an_old_default_stays_where_the_new_control_takes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
