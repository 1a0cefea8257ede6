#include "apps/workbench/registry/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/registry/registry_test_kit.h"
#include "jsonrpc/json_write.h"

#define REGISTRY(components) "{\"schemaVersion\":\"v0\",\"components\":{" components "}}"
#define STRING "{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"}}}"
#define STRING_OUT(name)                                                               \
	"{\"propName\":\"" name "\",\"exposure\":{\"kind\":\"editable\",\"control\":{" \
	"\"kind\":\"string\"}}}"

static void check_text(const struct tn_wb_kit *kit, const char *want)
{
	struct tn_str text = tn_wb_registry_text(kit->registry);

	if (!tn_str_is(text, want))
		fail_msg("%.*s\nwant %s", (int)text.size, text.data, want);
}

/* R8 */
static void without_contributions_it_is_empty(void **state)
{
	const struct tn_wb_kit_inputs none = {.inferred = NULL};
	struct tn_wb_kit kit;

	(void)state;
	tn_wb_kit_compose(&kit, &none);
	check_text(&kit, REGISTRY(""));
	assert_int_equal(tn_wb_registry_count(kit.registry), 0);
	tn_wb_kit_finish(&kit);
}

/* R5: in order, and replaced whole; 7.1: typeId and propName always on output; what is not named in
 * the contract is not written. */
static void a_later_entry_replaces_the_earlier_one_whole(void **state)
{
	const struct tn_wb_kit_inputs inputs = {
		.inferred = REGISTRY("\"auto.a\":{\"displayName\":\"A\",\"props\":{},\"tags\":["
				     "\"inferred\"]},\"ui.badge\":{\"displayName\":\"Guess\","
				     "\"props\":{}}"),
		.modules = {
			REGISTRY("\"ui.badge\":{\"displayName\":\"Badge\",\"description\":\"old\","
				 "\"props\":{\"text\":" STRING ",\"old\":" STRING "}}"),
			REGISTRY("\"ui.badge\":{\"displayName\":\"Shop badge\",\"extra\":1,"
				 "\"props\":{\"count\":" STRING ",\"text\":" STRING "}}")}};
	struct tn_wb_kit kit;
	struct tn_buf out;

	(void)state;
	tn_wb_kit_compose(&kit, &inputs);
	check_text(&kit,
		   REGISTRY("\"auto.a\":{\"typeId\":\"auto.a\",\"displayName\":\"A\",\"tags\":["
			    "\"inferred\"],\"props\":{}},"
			    "\"ui.badge\":{\"typeId\":\"ui.badge\",\"displayName\":\"Shop "
			    "badge\",\"props\":{\"count\":" STRING_OUT(
				    "count") ",\"text\":" STRING_OUT("text") "}}"));
	assert_string_equal(tn_wb_kit_told(&kit), "unknown_field /components/ui.badge/extra\n");
	tn_buf_init(&out, TN_MIB);
	tn_wb_registry_put_provenance(&out, kit.registry);
	assert_true(tn_str_is(tn_buf_str(&out), "{\"auto.a\":\"inferred\",\"ui.badge\":\"m2\"}"));
	tn_buf_clear(&out);
	tn_json_begin_object(&out);
	tn_wb_entry_put_index_members(&out, tn_wb_registry_find(kit.registry, TN_STR("ui.badge")));
	tn_json_end_object(&out);
	assert_true(tn_str_is(tn_buf_str(&out),
			      "{\"typeId\":\"ui.badge\",\"displayName\":\"Shop badge\",\"tags\":"
			      "[],\"editable\":[\"count\",\"text\"]}"));
	tn_buf_finish(&out);
	tn_wb_kit_finish(&kit);
}

/* R1, R2: what is dropped whole, and that the rest stays. */
static void broken_contributions_and_entries_are_dropped_alone(void **state)
{
	const struct tn_wb_kit_inputs inputs = {
		.modules = {
			"[1]", "{\"schemaVersion\":\"v1\",\"components\":{}}",
			"{\"schemaVersion\":\"v0\"}",
			REGISTRY("\"a\":{\"props\":{}},\"b\":{\"displayName\":\"\",\"props\":{}},"
				 "\"c\":{\"displayName\":\"C\",\"props\":[]},"
				 "\"d\":{\"displayName\":\"D\",\"props\":{},\"typeId\":\"e\"},"
				 "\"\":{\"displayName\":\"N\",\"props\":{}},\"f/g\":null,"
				 "\"h\":{\"displayName\":\"H\",\"props\":{},\"typeId\":\"h\","
				 "\"tags\":\"x\"}")}};
	struct tn_wb_kit kit;

	(void)state;
	tn_wb_kit_compose(&kit, &inputs);
	check_text(&kit, REGISTRY("\"h\":{\"typeId\":\"h\",\"displayName\":\"H\",\"props\":{}}"));
	assert_string_equal(tn_wb_kit_told(&kit),
			    "registry_invalid \nregistry_invalid \nregistry_invalid \n"
			    "entry_invalid /components/a\nentry_invalid /components/b\n"
			    "entry_invalid /components/c\nentry_invalid /components/d\n"
			    "entry_invalid /components/\nentry_invalid /components/f~1g\n"
			    "field_invalid /components/h\n");
	assert_non_null(strstr(kit.diagnostics.items[0].message, "module \"m1\""));
	tn_wb_kit_finish(&kit);
}

/* R3: an invalid prop does not take its component down. */
static void an_invalid_prop_becomes_opaque(void **state)
{
	static const char *const bad[] = {
		"null",
		"{}",
		"{\"exposure\":1}",
		"{\"exposure\":{\"kind\":\"secret\"}}",
		"{\"exposure\":{\"kind\":\"editable\"}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"wheel\"}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":"
		"[]}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"select\"}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":"
		"[{\"value\":\"a\",\"label\":\"A\"},{\"value\":\"a\",\"label\":\"B\"}]}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"select\",\"options\":"
		"[{\"value\":1,\"label\":\"A\"}]}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"number\"},"
		"\"constraints\":{\"min\":2,\"max\":1}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"},"
		"\"constraints\":{\"pattern\":\"(\"}}}",
		"{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"color\",\"format\":"
		"\"cmyk\"}}}",
		"{\"exposure\":{\"kind\":\"inspectOnly\",\"displayHint\":\"loud\"}}",
		"{\"propName\":\"q\",\"exposure\":{\"kind\":\"opaque\"}}",
		"{\"order\":\"x\",\"exposure\":{\"kind\":\"opaque\"}}",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		struct tn_wb_kit_inputs inputs = {.inferred = NULL};
		struct tn_wb_kit kit;
		char text[1024];

		(void)snprintf(text, sizeof(text),
			       REGISTRY("\"a\":{\"displayName\":\"A\",\"props\":{\"p\":%s,\"ok\":"
					"" STRING "}}"),
			       bad[i]);
		inputs.modules[0] = text;
		tn_wb_kit_compose(&kit, &inputs);
		check_text(&kit, REGISTRY("\"a\":{\"typeId\":\"a\",\"displayName\":\"A\","
					  "\"props\":{\"p\":{\"propName\":\"p\",\"exposure\":{"
					  "\"kind\":\"opaque\",\"reason\":\"invalid definition\"}}"
					  ",\"ok\":" STRING_OUT("ok") "}}"));
		assert_string_equal(tn_wb_kit_told(&kit), "prop_invalid /components/a/props/p\n");
		tn_wb_kit_finish(&kit);
	}
}

/* R3: label, group and order survive; 7.1: constraints that do not apply are ignored, R4: a bad
 * default is left out. */
static void what_is_valid_of_a_prop_survives(void **state)
{
	const struct tn_wb_kit_inputs inputs = {
		.modules = {REGISTRY(
			"\"a\":{\"displayName\":\"A\",\"props\":{\"p\":{\"label\":\"L\",\"order\":"
			"1.5,\"group\":\"G\",\"description\":\"D\",\"exposure\":{}},"
			"\"n\":{\"exposure\":{\"uiDefaultValue\":500,\"constraints\":{\"pattern\":"
			"\"(\",\"max\":200},\"kind\":\"editable\",\"control\":{\"unit\":\"px\","
			"\"kind\":\"number\",\"placeholder\":1}}},"
			"\"t\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":"
			"\"boolean\"},\"constraints\":{\"required\":true},\"uiDefaultValue\":false}"
			"}}}")}};
	struct tn_wb_kit kit;

	(void)state;
	tn_wb_kit_compose(&kit, &inputs);
	check_text(&kit,
		   REGISTRY("\"a\":{\"typeId\":\"a\",\"displayName\":\"A\",\"props\":{\"p\":{"
			    "\"propName\":\"p\",\"label\":\"L\",\"group\":\"G\",\"order\":1.5,"
			    "\"exposure\":{\"kind\":\"opaque\",\"reason\":\"invalid definition\"}},"
			    "\"n\":{\"propName\":\"n\",\"exposure\":{\"kind\":\"editable\","
			    "\"control\":{\"kind\":\"number\",\"unit\":\"px\"},\"constraints\":{"
			    "\"max\":200}}},\"t\":{\"propName\":\"t\",\"exposure\":{\"kind\":"
			    "\"editable\",\"control\":{\"kind\":\"boolean\"},\"uiDefaultValue\":"
			    "false}}}}"));
	assert_string_equal(tn_wb_kit_told(&kit),
			    "prop_invalid /components/a/props/p\n"
			    "unknown_field "
			    "/components/a/props/n/exposure/placeholder\n"
			    "default_invalid /components/a/props/n/exposure\n");
	tn_wb_kit_finish(&kit);
}

/* R9, R10, R11 and the guardrails. */
static void the_project_has_the_last_word(void **state)
{
	const struct tn_wb_kit_inputs inputs = {
		.modules = {REGISTRY("\"a\":{\"displayName\":\"A\",\"props\":{\"p\":" STRING
				     ",\"q\":" STRING ",\"o\":{\"exposure\":{\"kind\":\"opaque\"}}"
				     "}},\"b\":{\"displayName\":\"B\",\"props\":{}}")},
		.overrides = "{\"b\":{\"disabled\":true,\"displayName\":1},\"c\":{\"disabled\":"
			     "true},\"a\":{\"disabled\":false,\"displayName\":\"Alpha\",\"props\":{"
			     "\"p\":{\"label\":\"L\",\"group\":\"G\",\"order\":-3,\"description\":"
			     "7},\"r\":{}}}}",
		.locked = "{\"a\":[\"q\",\"o\",\"x\"],\"z\":[\"p\"],\"b\":[\"p\"]}"};
	struct tn_wb_kit kit;
	struct tn_wb_prop prop;
	struct tn_buf out;

	(void)state;
	tn_wb_kit_compose(&kit, &inputs);
	check_text(&kit,
		   REGISTRY("\"a\":{\"typeId\":\"a\",\"displayName\":\"Alpha\",\"props\":{\"p\":{"
			    "\"propName\":\"p\",\"label\":\"L\",\"group\":\"G\",\"order\":-3,"
			    "\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"}}"
			    "},\"q\":{\"propName\":\"q\",\"exposure\":{\"kind\":\"inspectOnly\"}},"
			    "\"o\":{\"propName\":\"o\",\"exposure\":{\"kind\":\"opaque\"}}}}"));
	assert_string_equal(tn_wb_kit_told(&kit),
			    "override_unknown_component /components/overrides/c\n"
			    "override_invalid /components/overrides/a/props/p\n"
			    "override_unknown_prop /components/overrides/a/props/r\n"
			    "locked_unknown_prop /guardrails/lockedProps/a\n"
			    "locked_unknown_component /guardrails/lockedProps/z\n");
	tn_buf_init(&out, TN_MIB);
	tn_wb_registry_put_disabled(&out, kit.registry);
	assert_true(tn_str_is(tn_buf_str(&out), "[\"b\"]"));
	tn_buf_finish(&out);
	assert_null(tn_wb_registry_find(kit.registry, TN_STR("b")));
	assert_true(tn_wb_registry_is_disabled(kit.registry, TN_STR("b")));
	assert_false(tn_wb_registry_is_disabled(kit.registry, TN_STR("a")));
	assert_false(tn_wb_registry_is_disabled(kit.registry, TN_STR("c")));
	assert_true(tn_wb_entry_prop(tn_wb_registry_at(kit.registry, 0), TN_STR("p"), &prop));
	assert_true(prop.editable && prop.control && !prop.constraints);
	assert_true(tn_wb_entry_prop(tn_wb_registry_at(kit.registry, 0), TN_STR("q"), &prop));
	assert_true(!prop.editable && prop.kind == TN_WB_INSPECT_ONLY);
	assert_false(tn_wb_entry_prop(tn_wb_registry_at(kit.registry, 0), TN_STR("x"), &prop));
	tn_wb_kit_finish(&kit);
}

/* R13, 7.5 */
static void hints_name_what_is_instrumented(void **state)
{
	const struct tn_wb_kit_inputs inputs = {
		.modules = {REGISTRY(
			"\"b\":{\"displayName\":\"B\",\"props\":{},\"implementation\":[{\"kind\":"
			"\"file\",\"filePath\":\"src/B.tsx\",\"exportName\":\"B\"},{\"kind\":"
			"\"file\",\"filePath\":\"../B.tsx\"},{\"kind\":\"package\",\"specifier\":"
			"\"@s/kit/B\"}]},\"a\":{\"displayName\":\"A\",\"props\":{},"
			"\"implementation\":{\"kind\":\"file\",\"filePath\":\"src/B.tsx\","
			"\"exportName\":\"A\"}},\"c\":{\"displayName\":\"C\",\"props\":{},"
			"\"implementation\":{\"kind\":\"file\",\"filePath\":\"/etc/"
			"passwd\"}},\"d\":"
			"{\"displayName\":\"D\",\"props\":{},\"implementation\":[{\"kind\":"
			"\"package\",\"specifier\":\"./x\"},7]}")}};
	struct tn_wb_kit kit;
	const struct tn_wb_hint *hints;
	size_t count;

	(void)state;
	tn_wb_kit_compose(&kit, &inputs);
	hints = tn_wb_registry_hints(kit.registry, &count);
	assert_int_equal(count, 3);
	assert_true(tn_str_is(hints[0].type_id, "a") && tn_str_is(hints[0].target, "src/B.tsx") &&
		    tn_str_is(hints[0].export_name, "A"));
	assert_true(tn_str_is(hints[1].type_id, "b") && tn_str_is(hints[1].export_name, "B"));
	assert_true(hints[2].kind == TN_WB_HINT_PACKAGE && tn_str_is(hints[2].target, "@s/kit/B") &&
		    tn_str_is(hints[2].export_name, "default"));
	assert_string_equal(tn_wb_kit_told(&kit), "hint_invalid /components/b/implementation/1\n"
						  "hint_invalid /components/c/implementation\n"
						  "hint_invalid /components/d/implementation/0\n"
						  "hint_invalid /components/d/implementation/1\n");
	assert_null(tn_json_get(tn_wb_kit_entry(&kit, "c"), "implementation"));
	tn_wb_kit_finish(&kit);
}

/* R7: the order in which types come does not matter; who they come from does. */
static void equal_compositions_are_equal(void **state)
{
	const char *a = "\"a\":{\"displayName\":\"A\",\"props\":{}}";
	const char *b = "\"b\":{\"displayName\":\"B\",\"props\":{}}";
	struct tn_wb_kit kits[5];
	char texts[4][256];
	const char *const overrides[] = {NULL, NULL, NULL, NULL, "{\"b\":{\"disabled\":true}}"};

	(void)state;
	(void)snprintf(texts[0], 256, "{\"schemaVersion\":\"v0\",\"components\":{%s,%s}}", a, b);
	(void)snprintf(texts[1], 256, "{\"schemaVersion\":\"v0\",\"components\":{%s,%s}}", b, a);
	(void)snprintf(texts[2], 256, "{\"schemaVersion\":\"v0\",\"components\":{%s}}", a);
	(void)snprintf(texts[3], 256, "{\"schemaVersion\":\"v0\",\"components\":{%s}}", b);
	for (size_t i = 0; i < 5; i++) {
		const struct tn_wb_kit_inputs inputs = {
			.modules = {i == 4 ? texts[0] : texts[i < 3 ? i : 0],
				    i == 2 || i == 3 ? texts[3] : NULL},
			.overrides = overrides[i]};

		tn_wb_kit_compose(&kits[i], &inputs);
	}
	assert_true(tn_wb_registry_equal(kits[0].registry, kits[1].registry));
	assert_false(tn_wb_registry_equal(kits[0].registry, kits[2].registry));
	assert_true(tn_wb_registry_equal(kits[2].registry, kits[3].registry));
	assert_false(tn_wb_registry_equal(kits[0].registry, kits[4].registry));
	for (size_t i = 0; i < 5; i++)
		tn_wb_kit_finish(&kits[i]);
}

/* Section 21: 20,000 entries; more are left out, and it is said once. */
static void the_number_of_entries_is_bounded(void **state)
{
	struct tn_wb_kit_inputs inputs = {.inferred = NULL};
	struct tn_wb_kit kit;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_buf_append_text(&text, "{\"schemaVersion\":\"v0\",\"components\":{");
	for (int i = 0; i < TN_WB_ENTRIES_MAX + 3; i++)
		tn_buf_format(&text,
			      "%s\"t%d\":{\"displayName\":\"T\",\"props\":{\"p\":" STRING "}}",
			      i ? "," : "", i);
	tn_buf_append(&text, "}}", 3);
	inputs.modules[0] = text.data;
	tn_wb_kit_compose(&kit, &inputs);
	assert_int_equal(tn_wb_registry_count(kit.registry), TN_WB_ENTRIES_MAX);
	assert_string_equal(tn_wb_kit_told(&kit), "registry_limit /components/t20000\n");
	tn_wb_kit_finish(&kit);
	tn_buf_finish(&text);
}

/* Names that mean something to JavaScript, values as deep as JSON may be, and long texts. */
static void hostile_contributions_are_data(void **state)
{
	struct tn_wb_kit_inputs inputs = {.inferred = NULL};
	struct tn_wb_kit kit;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_buf_append_text(&text, "{\"schemaVersion\":\"v0\",\"components\":{\"__proto__\":{"
				  "\"displayName\":\"");
	for (int i = 0; i < 1000000; i++)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append_text(&text, "\",\"props\":{\"__proto__\":" STRING ",\"deep\":{\"exposure\":{"
				  "\"kind\":\"editable\",\"control\":{\"kind\":\"json\"},"
				  "\"uiDefaultValue\":");
	for (int i = 0; i < 120; i++)
		tn_buf_append_byte(&text, '[');
	for (int i = 0; i < 120; i++)
		tn_buf_append_byte(&text, ']');
	tn_buf_append(&text, "}}}}}}", 7);
	inputs.modules[0] = text.data;
	tn_wb_kit_compose(&kit, &inputs);
	assert_string_equal(tn_wb_kit_told(&kit), "");
	assert_int_equal(tn_json_get(tn_wb_kit_entry(&kit, "__proto__"), "displayName")->text.size,
			 1000000);
	tn_wb_kit_finish(&kit);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_contributions_it_is_empty),
		cmocka_unit_test(a_later_entry_replaces_the_earlier_one_whole),
		cmocka_unit_test(broken_contributions_and_entries_are_dropped_alone),
		cmocka_unit_test(an_invalid_prop_becomes_opaque),
		cmocka_unit_test(what_is_valid_of_a_prop_survives),
		cmocka_unit_test(the_project_has_the_last_word),
		cmocka_unit_test(hints_name_what_is_instrumented),
		cmocka_unit_test(equal_compositions_are_equal),
		cmocka_unit_test(the_number_of_entries_is_bounded),
		cmocka_unit_test(hostile_contributions_are_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
