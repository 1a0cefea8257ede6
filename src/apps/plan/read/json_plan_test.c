/* JSON plans and the stream (plan.md sections 3.1 and 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "base/size.h"

#define PLAN(changes) "{\"format_version\":\"1.2\",\"resource_changes\":[" changes "]}"
#define CHANGE(members)                                                            \
	"{\"address\":\"a.b\",\"mode\":\"managed\",\"type\":\"a\",\"name\":\"b\"," \
	"\"change\":{" members "}}"

static void attributes_come_from_both_sides(void **state)
{
	static const struct {
		const char *path;
		unsigned change;
		const char *before, *after;
		bool unknown, sensitive, forces;
	} expected[] = {
		{"a", TN_PLAN_ATTR_UPDATE, "1", "2", false, false, true},
		{"doc.Statement[0].Action[0]", TN_PLAN_ATTR_UNCHANGED, "a", "a", false, false,
		 false},
		{"doc.Statement[0].Action[1]", TN_PLAN_ATTR_ADD, "", "b", false, false, false},
		{"gone", TN_PLAN_ATTR_REMOVE, "true", "null", false, false, false},
		{"list[1].x", TN_PLAN_ATTR_UPDATE, "p", "q", false, false, false},
		{"map[\"odd key\"]", TN_PLAN_ATTR_ADD, "", "v", false, false, false},
		{"name", TN_PLAN_ATTR_UNCHANGED, "n", "n", false, false, false},
		{"nested.deep", TN_PLAN_ATTR_ADD, "", "", true, false, false},
		{"pw", TN_PLAN_ATTR_UPDATE, "", "", false, true, false},
		{"secrets.inner", TN_PLAN_ATTR_UPDATE, "", "", false, true, false},
		{"later", TN_PLAN_ATTR_UPDATE, "old", "", true, false, false},
		{"block[0]", TN_PLAN_ATTR_UPDATE, "", "", false, false, true},
	};
	struct tn_plan *plan = test_parse_text(PLAN(CHANGE(
		"\"actions\":[\"create\",\"delete\"],"
		"\"before\":{\"zz\":\"same\",\"a\":1,\"gone\":true,\"name\":\"n\",\"pw\":"
		"\"hunter2\","
		"\"list\":[{\"x\":\"o\"},{\"x\":\"p\"}],\"later\":\"old\","
		"\"doc\":\"{\\\"Statement\\\":[{\\\"Action\\\":[\\\"a\\\"]}]}\","
		"\"secrets\":{\"inner\":\"hunter2\",\"open\":1}},"
		"\"after\":{\"a\":2,\"gone\":null,\"name\":\"n\",\"zz\":\"same\",\"pw\":"
		"\"hunter3\","
		"\"list\":[{\"x\":\"o\"},{\"x\":\"q\"}],\"map\":{\"odd key\":\"v\"},"
		"\"doc\":\"{\\\"Statement\\\":[{\\\"Action\\\":[\\\"a\\\",\\\"b\\\"]}]}\","
		"\"secrets\":{\"inner\":\"hunter3\",\"open\":1}},"
		"\"after_unknown\":{\"later\":true,\"nested\":{\"deep\":true},\"list\":[{},{}]},"
		"\"before_sensitive\":{\"pw\":true,\"secrets\":{\"inner\":true}},"
		"\"after_sensitive\":{\"pw\":true,\"secrets\":{\"inner\":true}},"
		"\"replace_paths\":[[\"a\"],[\"block\",0]]")));
	const struct tn_plan_entry *entry = &plan->changes[0];

	(void)state;
	assert_int_equal(entry->action, TN_PLAN_REPLACE);
	assert_int_equal(entry->order, TN_PLAN_CREATE_FIRST);
	for (size_t i = 0; i < TN_COUNT(expected); i++) {
		const struct tn_plan_attribute *attribute =
			test_attribute(&entry->attributes, expected[i].path);

		assert_int_equal(attribute->change, expected[i].change);
		assert_str(attribute->before.text, expected[i].before);
		if (strcmp(expected[i].after, "null") != 0)
			assert_str(attribute->after.text, expected[i].after);
		assert_int_equal(attribute->unknown, expected[i].unknown);
		assert_int_equal(attribute->sensitive, expected[i].sensitive);
		assert_int_equal(attribute->forces_replacement, expected[i].forces);
	}
	assert_int_equal(entry->attributes.count, TN_COUNT(expected));
	tn_plan_free(plan);
}

/* Marked as a whole: nothing of it may be copied. */
static bool tells(const struct tn_plan_entry *entry, const char *text, bool after)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

		if (tn_str_is(after ? attribute->after.text : attribute->before.text, text))
			return true;
	}
	return false;
}

/* One side of a plan: `shape` with `word` in it, at a place. In a string its quotes are escaped. */
static void write_side(char *ret, size_t size, const char *const place[2], bool in_string,
		       const char *shape, const char *word)
{
	char text[80] = "", escaped[160] = "";
	const char *mark = strstr(shape, "%s");
	size_t used = 0;

	(void)snprintf(text, sizeof(text), "%.*s%s%s", mark ? (int)(mark - shape) : 0, shape,
		       mark ? word : "", mark ? mark + 2 : shape);
	for (const char *at = text; *at; at++) {
		if (in_string && *at == '"')
			escaped[used++] = '\\';
		escaped[used++] = *at;
	}
	(void)snprintf(ret, size, "%s%s%s", place[0], escaped, place[1]);
}

struct shape {
	const char *json, *mark; /* mark: the value that must be told; NULL: the word */
};

/* A list that is empty on one side keeps its shape: only its elements come or go. */
static bool tells_side(const struct tn_plan_entry *entry, const struct shape *side,
		       const struct shape *other, const char *word, bool after)
{
	bool is_empty = strcmp(side->json, "[]") == 0 || strcmp(side->json, "{}") == 0;

	return (is_empty && side->json[0] == other->json[0]) ||
	       tells(entry, side->mark ? side->mark : word, after);
}

static void check_shapes(const char *const place[2], bool in_string, const struct shape *one,
			 const struct shape *other)
{
	char before[300], after[300], text[900];
	const struct tn_plan_entry *entry;
	struct tn_plan *plan;

	write_side(before, sizeof(before), place, in_string, one->json, "old");
	write_side(after, sizeof(after), place, in_string, other->json, "new");
	(void)snprintf(text, sizeof(text),
		       PLAN(CHANGE("\"actions\":[\"update\"],\"before\":%s,\"after\":%s")), before,
		       after);
	plan = test_parse_text(text);
	entry = &plan->changes[0];
	if (!tells_side(entry, one, other, "old", false) ||
	    !tells_side(entry, other, one, "new", true))
		fail_msg("%s: a side is lost", text);
	tn_plan_free(plan);
}

/* Section 17: the same as a text plan shows, so both sides of a value that changes its shape. Every
 * ordered pair of shapes, at the top, nested, as an element, and in a document inside of a string.
 */
static void a_changed_shape_keeps_both_sides(void **state)
{
	static const struct shape shapes[] = {
		{"\"%s\"", NULL},
		{"[\"%s\"]", NULL},
		{"{\"k\":\"%s\"}", NULL},
		{"true", "true"},
		{"12", "12"},
		{"[{\"k\":\"%s\"}]", NULL},
		{"{}", "{}"},
		{"{\"k\":[\"%s\"]}", NULL},
		{"[]", "[]"},
		{"[[\"%s\"]]", NULL},
	};
	static const char *const places[][2] = {
		{"{\"v\":", "}"},
		{"{\"n\":[{\"v\":", "}]}"},
		{"{\"n\":[\"same\",", "]}"},
		{"{\"doc\":\"{\\\"v\\\":", "}\"}"},
	};

	(void)state;
	for (size_t place = 0; place < TN_COUNT(places); place++)
		for (size_t i = 0; i < TN_COUNT(shapes); i++)
			for (size_t j = 0; j < TN_COUNT(shapes); j++)
				if (i != j)
					check_shapes(places[place], place == 3, &shapes[i],
						     &shapes[j]);
}

/* What is only known after the apply is a shape of its own: the list that goes is still told. */
static void a_list_that_becomes_unknown_is_told(void **state)
{
	struct tn_plan *plan = test_parse_text(
		PLAN(CHANGE("\"actions\":[\"update\"],\"before\":{\"cidr_blocks\":[\"10.0.0.0/"
			    "8\"]},\"after\":{},\"after_unknown\":{\"cidr_blocks\":true}")));

	(void)state;
	assert_true(tells(&plan->changes[0], "10.0.0.0/8", false));
	assert_int_equal(plan->changes[0].attributes.count, 2);
	assert_true(plan->changes[0].attributes.items[1].unknown);
	tn_plan_free(plan);
}

static void a_secret_object_stays_secret(void **state)
{
	struct tn_plan *plan = test_parse_text(PLAN(
		CHANGE("\"actions\":[\"create\"],\"before\":null,"
		       "\"after\":{\"x\":{\"user\":\"u\",\"pw\":\"hunter2\"},\"y\":\"hunter2\"},"
		       "\"after_sensitive\":{\"x\":true,\"y\":true}")));

	(void)state;
	assert_int_equal(plan->changes[0].attributes.count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(plan->changes[0].attributes.items[i].sensitive);
		assert_int_equal(plan->changes[0].attributes.items[i].after.kind,
				 TN_PLAN_VALUE_NONE);
	}
	tn_plan_free(plan);
	plan = test_parse_text("{\"resource_changes\":[],\"output_changes\":{\"o\":{\"actions\":["
			       "\"create\"],\"before\":null,\"after\":\"hunter2\","
			       "\"after_sensitive\":true}}}");
	assert_true(plan->outputs[0].sensitive);
	assert_int_equal(plan->outputs[0].after.kind, TN_PLAN_VALUE_NONE);
	tn_plan_free(plan);
}

static void every_action_has_its_word(void **state)
{
	static const struct {
		const char *actions, *more;
		const char *expected; /* "" when the entry is dropped */
	} cases[] = {
		{"\"no-op\"", "", ""},
		{"\"no-op\"", ",\"importing\":{\"id\":\"x\"}", "no-op"},
		{"\"create\"", "", "create"},
		{"\"update\"", "", "update"},
		{"\"delete\"", "", "delete"},
		{"\"forget\"", "", "forget"},
		{"\"read\"", "", "read"},
		{"\"delete\",\"create\"", "", "delete,create"},
		{"\"create\",\"delete\"", "", "create,delete"},
		{"\"create\",\"forget\"", "", "create,forget"},
		{"\"forget\",\"create\"", "", "forget,create"},
		{"\"explode\"", "", "unknown"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		char text[400];
		struct tn_plan *plan;

		(void)snprintf(text, sizeof(text), "%s\"actions\":[%s]%s%s",
			       "{\"format_version\":\"1.2\",\"resource_changes\":[{\"type\":\"a\","
			       "\"name\":\"b\",\"change\":{",
			       cases[i].actions, cases[i].more, "}}]}");
		plan = test_parse_text(text);
		assert_int_equal(plan->change_count, cases[i].expected[0] != '\0');
		if (plan->change_count) {
			assert_string_equal(test_actions_text(&plan->changes[0]),
					    cases[i].expected);
			assert_str(plan->changes[0].address, "a.b"); /* made up from the parts */
		}
		tn_plan_free(plan);
	}
}

static void removed_data_sources_are_dropped(void **state)
{
	struct tn_plan *plan = test_parse_text(
		"{\"format_version\":\"1.0\",\"resource_changes\":[{\"address\":\"data.a.b\","
		"\"mode\":\"data\",\"type\":\"a\",\"name\":\"b\",\"change\":{\"actions\":["
		"\"delete\"]}}]}");

	(void)state;
	assert_int_equal(plan->change_count, 0);
	assert_int_equal(plan->status, TN_PLAN_NO_CHANGES);
	assert_int_equal(plan->consistent, -1);
	tn_plan_free(plan);
}

static void names_come_from_the_members(void **state)
{
	struct tn_plan *plan = test_parse_text(
		"{\"format_version\":\"1.2\",\"terraform_version\":\"1.9.1\",\"resource_changes\":["
		"{"
		"\"address\":\"module.m[\\\"x\\\"].a.b[\\\"k\\\"]\",\"module_address\":\"module.m["
		"\\\"x\\\"]\",\"mode\":\"managed\",\"type\":\"a\",\"name\":\"b\",\"index\":\"k\","
		"\"provider_name\":\"registry.opentofu.org/x/y\",\"deposed\":\"dead\","
		"\"action_reason\":\"delete_because_each_key\","
		"\"change\":{\"actions\":[\"delete\"]}}],"
		"\"resource_drift\":[{\"address\":\"c.d\",\"change\":{\"actions\":[\"update\"],"
		"\"before\":{\"x\":1},\"after\":{\"x\":2}}}],"
		"\"deferred_changes\":[{\"reason\":\"absent_prereq\",\"resource_change\":{"
		"\"address\":\"e.f\",\"change\":{\"actions\":[\"create\"]}}}],"
		"\"action_invocations\":[{\"address\":\"action.r.s\",\"lifecycle_action_trigger\":{"
		"\"triggering_resource_address\":\"a.b\",\"action_trigger_event\":\"BeforeCreate\"}"
		"}],"
		"\"errored\":true}");
	const struct tn_plan_entry *entry = &plan->changes[0];

	(void)state;
	assert_str(entry->module, "module.m[\"x\"]");
	assert_str(entry->key_text, "k");
	assert_str(entry->deposed, "dead");
	assert_string_equal(entry->reasons[0].code, "for_each_key");
	assert_int_equal(plan->tool, TN_PLAN_OPENTOFU);
	assert_str(plan->tool_version, "1.9.1");
	assert_int_equal(plan->drift[0].attributes.count, 1);
	assert_string_equal(plan->deferred[0].reason, "deferred_absent_prerequisite");
	assert_int_equal(plan->deferred[0].action, TN_PLAN_CREATE);
	assert_string_equal(plan->invocations[0].when, "before");
	assert_int_equal(plan->status, TN_PLAN_ERRORED);
	tn_plan_free(plan);
}

static void versions_are_checked(void **state)
{
	struct tn_plan *plan = test_parse_text("{\"resource_changes\":[]}");

	(void)state;
	assert_true(test_has_warning(plan, "format_version_missing"));
	tn_plan_free(plan);
	plan = test_parse_text("{\"resource_changes\":[],\"format_version\":\"1.99\"}");
	assert_true(test_has_warning(plan, "format_version_unknown"));
	tn_plan_free(plan);
	plan = test_parse_text("{\"format_version\":\"1.2\",\"planned_values\":{}}");
	assert_int_equal(plan->status, TN_PLAN_NO_CHANGES);
	tn_plan_free(plan);
	assert_string_equal(
		test_parse_reason(TN_STR("{\"resource_changes\":[],\"format_version\":\"2.0\"}")),
		"unsupported_format");
	assert_string_equal(test_parse_reason(TN_STR("{\"resource_changes\":[}")), "not_a_plan");
	assert_string_equal(test_parse_reason(TN_STR("{\"resource_changes\":[]} x")), "not_a_plan");
}

static void a_cut_off_document_keeps_what_was_read(void **state)
{
	static const char text[] = "{\"format_version\":\"1.2\",\"resource_changes\":[" CHANGE(
		"\"actions\":[\"create\"]") ",{\"address\":\"c.";
	struct tn_plan *plan = test_parse_text(text);

	(void)state;
	assert_int_equal(plan->change_count, 1);
	assert_true(plan->truncated);
	assert_int_equal(plan->confidence, TN_PLAN_LOW);
	tn_plan_free(plan);
}

/* A word that nothing can decode is a string like any other. */
static void what_only_looks_like_a_document_stays_text(void **state)
{
	struct tn_plan *plan = test_parse_text(
		PLAN(CHANGE("\"actions\":[\"create\"],\"after\":{\"x\":\"{not json\","
			    "\"y\":\"[]\",\"z\":\"two\\nlines\"}")));
	const struct tn_plan_attributes *attributes = &plan->changes[0].attributes;

	(void)state;
	assert_str(test_attribute(attributes, "x")->after.text, "{not json");
	assert_true(test_attribute(attributes, "z")->multiline);
	tn_plan_free(plan);
}

static void json_may_be_utf16(void **state)
{
	static const char text[] = "{\"resource_changes\":[],\"format_version\":\"1.2\"}";
	struct tn_plan *plan;
	struct tn_buf wide;

	(void)state;
	tn_buf_init(&wide, TN_KIB);
	tn_buf_append_text(&wide, "\xFF\xFE");
	for (size_t i = 0; text[i]; i++) {
		tn_buf_append_byte(&wide, text[i]);
		tn_buf_append_byte(&wide, '\0');
	}
	plan = test_parse(tn_buf_str(&wide));
	assert_int_equal(plan->kind, TN_PLAN_JSON);
	assert_string_equal(plan->encoding, "utf-16le");
	tn_plan_free(plan);
	tn_buf_finish(&wide);
}

/* ---- stream ---- */

#define RECORD(type, members) "{\"@level\":\"info\",\"type\":\"" type "\"," members "}\n"
#define SUMMARY(add, operation)                                                       \
	RECORD("change_summary",                                                      \
	       "\"changes\":{\"add\":" add ",\"change\":0,\"import\":0,\"remove\":0," \
	       "\"operation\":\"" operation "\"}")

static void the_stream_tells_the_rest(void **state)
{
	struct tn_plan *plan = test_parse_text(
		RECORD("version", "\"tofu\":\"1.8.0\"") "not a record\n" RECORD(
			"resource_drift",
			"\"change\":{\"resource\":{\"addr\":\"c.d\"},\"action\":\"delete\"}")
			RECORD("planned_change",
			       "\"change\":{\"resource\":{\"addr\":\"a.b[\\\"x\\\"]\"},"
			       "\"action\":\"create\",\"reason\":\"tainted\"}")
				RECORD("planned_change",
				       "\"change\":{\"resource\":{\"addr\":\"a.n\"},"
				       "\"action\":\"noop\"}") SUMMARY("1", "plan")
					RECORD("outputs",
					       "\"outputs\":{\"o\":{\"action\":\"update\","
					       "\"sensitive\":false,\"value\":3},"
					       "\"s\":{\"action\":\"create\",\"sensitive\":true,"
					       "\"value\":\"hunter2\"}}")
						RECORD("apply_start", "\"hook\":{}")
							RECORD("diagnostic",
							       "\"diagnostic\":{\"severity\":"
							       "\"error\",\"summary\":\"late\","
							       "\"range\":{\"filename\":\"m.tf\","
							       "\"start\":{\"line\":7}}}")
								SUMMARY("5", "apply"));

	(void)state;
	assert_int_equal(plan->tool, TN_PLAN_OPENTOFU);
	assert_int_equal(plan->change_count, 1);
	assert_str(plan->changes[0].key_text, "x");
	assert_string_equal(plan->changes[0].reasons[0].code, "tainted");
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->plan_line.add, 1);
	assert_int_equal(plan->drift[0].action, TN_PLAN_DELETE);
	assert_int_equal(plan->output_count, 2);
	assert_str(plan->outputs[0].after.text, "3");
	assert_int_equal(plan->outputs[1].after.kind, TN_PLAN_VALUE_NONE);
	assert_true(plan->contains_apply);
	assert_false(plan->errored);
	assert_int_equal(plan->diagnostics[0].line, 7);
	assert_int_equal(plan->status, TN_PLAN_CHANGES);
	tn_plan_free(plan);
}

static void a_cut_off_stream_says_so(void **state)
{
	struct tn_plan *plan = test_parse_text(RECORD(
		"planned_change",
		"\"change\":{\"resource\":{\"addr\":\"a.b\"},\"action\":\"replace\"}") "{\"@lev");

	(void)state;
	assert_true(plan->truncated);
	assert_int_equal(plan->change_count, 1);
	assert_int_equal(plan->changes[0].order, TN_PLAN_ORDER_NONE);
	assert_string_equal(test_actions_text(&plan->changes[0]), "delete,create");
	tn_plan_free(plan);
}

/* Checks that fail are said as in a text plan (finding 13). */
static void checks_that_fail_are_diagnostics(void **state)
{
	struct tn_plan *plan = test_parse_text(
		"{\"format_version\":\"1.2\",\"resource_changes\":[],\"checks\":["
		"{\"address\":{\"kind\":\"check\",\"name\":\"c\",\"to_display\":\"check.c\"},"
		"\"status\":\"fail\",\"instances\":[{\"address\":{\"to_display\":\"check.c\"},"
		"\"status\":\"fail\",\"problems\":[{\"message\":\"n is too large\"}]}]},"
		"{\"address\":{\"kind\":\"check\",\"to_display\":\"check.d\"},\"status\":\"pass\","
		"\"instances\":[{\"status\":\"pass\"}]},"
		"{\"address\":{\"kind\":\"resource\",\"to_display\":\"a_b.c\"},"
		"\"status\":\"fail\",\"instances\":null},3]}");

	(void)state;
	assert_int_equal(plan->diagnostic_count, 2);
	assert_string_equal(plan->diagnostics[0].severity, "warning");
	assert_str(plan->diagnostics[0].address, "check.c");
	assert_str(plan->diagnostics[0].detail, "n is too large");
	assert_string_equal(plan->diagnostics[1].severity, "error");
	assert_str(plan->diagnostics[1].address, "a_b.c");
	tn_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_that_fail_are_diagnostics),
		cmocka_unit_test(attributes_come_from_both_sides),
		cmocka_unit_test(a_changed_shape_keeps_both_sides),
		cmocka_unit_test(a_list_that_becomes_unknown_is_told),
		cmocka_unit_test(a_secret_object_stays_secret),
		cmocka_unit_test(every_action_has_its_word),
		cmocka_unit_test(removed_data_sources_are_dropped),
		cmocka_unit_test(names_come_from_the_members),
		cmocka_unit_test(versions_are_checked),
		cmocka_unit_test(a_cut_off_document_keeps_what_was_read),
		cmocka_unit_test(what_only_looks_like_a_document_stays_text),
		cmocka_unit_test(json_may_be_utf16),
		cmocka_unit_test(the_stream_tells_the_rest),
		cmocka_unit_test(a_cut_off_stream_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
