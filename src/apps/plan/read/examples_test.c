/* Every sample of tests/data/plan-examples gives exactly its expected result (P-15), and each with
 * one element dropped, doubled or renamed gives exactly that difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/names.h"
#include "apps/plan/read/reading_kit.h"
#include "base/size.h"
#include "jsonrpc/json.h"

static const char *const samples[][2] = {
	{"01-small-create.txt", "01-small-create.expected.json"},
	{"02-mixed-replace.txt", "02-mixed-replace.expected.json"},
	{"03-drift-move-import-forget.txt", "03-drift-move-import-forget.expected.json"},
	{"04-legacy-0.13.txt", "04-legacy-0.13.expected.json"},
	{"05-ci-log-ansi.txt", "05-ci-log-ansi.expected.json"},
	{"06-pull-request-comment.md", "06-pull-request-comment.expected.json"},
	{"07-errored.txt", "07-errored.expected.json"},
	{"08-tofu-truncated.txt", "08-tofu-truncated.expected.json"},
	{"09-same-plan.txt", "09-same-plan.expected.json"},
};

/* ---- values of the expected file ---- */

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static int64_t int_of(const struct tn_json *object, const char *key)
{
	int64_t value = -1;

	(void)tn_json_to_int(tn_json_get(object, key), &value);
	return value;
}

static void check_text(struct tn_str actual, const struct tn_json *object, const char *key)
{
	struct tn_str expected = text_of(object, key);

	if (!tn_str_equal(actual, expected))
		fail_msg("%s is \"%.*s\", expected \"%.*s\"", key, (int)actual.size,
			 actual.data ? actual.data : "", (int)expected.size,
			 expected.data ? expected.data : "");
}

static void check_name(const char *actual, const struct tn_json *object, const char *key)
{
	if (tn_json_get(object, key))
		check_text(tn_str_from(actual), object, key);
}

/* ---- parts ---- */

static void check_actions_array(const struct tn_plan_entry *entry, const struct tn_json *actions)
{
	char joined[64];
	size_t at = 0;

	for (const struct tn_json *child = actions->first; child; child = child->next)
		at += (size_t)snprintf(joined + at, sizeof(joined) - at, "%s%.*s", at ? "," : "",
				       (int)child->text.size, child->text.data);
	assert_string_equal(test_actions_text(entry), joined);
}

static void check_reasons(const struct tn_plan_entry *entry, const struct tn_json *codes)
{
	uint32_t i = 0;

	if (!codes)
		return;
	for (const struct tn_json *code = codes->first; code; code = code->next, i++) {
		assert_true(i < entry->reason_count);
		assert_str(tn_str_from(entry->reasons[i].code), code->text.data);
	}
	assert_int_equal(i, entry->reason_count);
}

static struct tn_str last_component(struct tn_str path)
{
	for (size_t i = path.size; i > 0; i--) {
		if (path.data[i - 1] == '.')
			return tn_str_from_offset(path, i);
	}
	return path;
}

static void check_forced(const struct tn_plan_entry *entry, const struct tn_json *names)
{
	const struct tn_json *name = names ? names->first : NULL;

	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		if (!entry->attributes.items[i].forces_replacement)
			continue;
		if (!name)
			fail_msg("%.*s forces replacement",
				 (int)entry->attributes.items[i].path.size,
				 entry->attributes.items[i].path.data);
		assert_str(last_component(entry->attributes.items[i].path), name->text.data);
		name = name->next;
	}
	assert_null(name);
}

static void check_entry(const struct tn_plan_entry *entry, const struct tn_json *expected)
{
	check_text(entry->address, expected, "address");
	check_name(tn_plan_action_name(entry->action), expected, "action");
	check_name(entry->is_data ? "data" : "managed", expected, "mode");
	check_actions_array(entry, tn_json_get(expected, "actions"));
	check_text(entry->deposed, expected, "deposed");
	check_text(entry->previous_address, expected, "previous_address");
	if (tn_json_get(expected, "import_id"))
		check_text(entry->import_id, expected, "import_id");
	check_reasons(entry, tn_json_get(expected, "reason_codes"));
	check_forced(entry, tn_json_get(expected, "forces_replacement"));
}

static void check_entries(const struct tn_plan *plan, const struct tn_json *expected)
{
	uint32_t i = 0;

	for (const struct tn_json *one = expected->first; one; one = one->next, i++) {
		assert_true(i < plan->change_count);
		check_entry(&plan->changes[i], one);
	}
	if (i < plan->change_count)
		fail_msg("%.*s is too much", (int)plan->changes[i].address.size,
			 plan->changes[i].address.data);
}

static void check_totals(const struct tn_plan *plan, const struct tn_json *expected)
{
	const struct tn_json *actions = tn_json_get(expected, "actions");
	const struct tn_json *consistent = tn_json_get(expected, "consistent");
	bool flag = false;

	assert_int_equal(plan->total_changes, int_of(expected, "total_changes"));
	for (const struct tn_json *one = actions->first; one; one = one->next) {
		enum tn_plan_action action;

		assert_true(tn_plan_action_from_name(one->key, &action));
		assert_int_equal(plan->actions[action], int_of(actions, one->key.data));
	}
	if (tn_json_is(consistent, TN_JSON_NULL))
		assert_int_equal(plan->consistent, -1);
	else
		assert_int_equal(plan->consistent, tn_json_is(consistent, TN_JSON_TRUE));
	assert_true(tn_json_to_bool(tn_json_get(expected, "errored"), &flag));
	assert_int_equal(plan->errored, flag);
	check_name(tn_plan_status_name(plan->status), expected, "status");
}

static void check_plan_line(const struct tn_plan *plan, const struct tn_json *expected)
{
	const struct tn_json *line = tn_json_get(expected, "plan_line");

	assert_non_null(line);
	assert_int_equal(plan->plan_line.present, !tn_json_is(line, TN_JSON_NULL));
	if (tn_json_is(line, TN_JSON_NULL))
		return;
	assert_int_equal(plan->plan_line.import < 0 ? 0 : plan->plan_line.import,
			 int_of(line, "import"));
	assert_int_equal(plan->plan_line.add, int_of(line, "add"));
	assert_int_equal(plan->plan_line.change, int_of(line, "change"));
	assert_int_equal(plan->plan_line.destroy, int_of(line, "destroy"));
}

static void check_lists(const struct tn_plan *plan, const struct tn_json *expected)
{
	const struct tn_json *drift = tn_json_get(expected, "drift");
	const struct tn_json *outputs = tn_json_get(expected, "outputs");
	const struct tn_json *diagnostics = tn_json_get(expected, "diagnostics");
	uint32_t i = 0;

	assert_int_equal(plan->drift_count, drift->count);
	for (const struct tn_json *one = drift->first; one; one = one->next, i++) {
		check_text(plan->drift[i].address, one, "address");
		check_name(tn_plan_action_name(plan->drift[i].action), one, "action");
	}
	assert_int_equal(plan->output_count, outputs->count);
	i = 0;
	for (const struct tn_json *one = outputs->first; one; one = one->next, i++) {
		check_text(plan->outputs[i].name, one, "name");
		check_name(tn_plan_action_name(plan->outputs[i].action), one, "action");
	}
	assert_int_equal(plan->diagnostic_count, diagnostics->count);
	i = 0;
	for (const struct tn_json *one = diagnostics->first; one; one = one->next, i++) {
		check_name(plan->diagnostics[i].severity, one, "severity");
		check_text(plan->diagnostics[i].summary, one, "summary");
	}
}

static void check_normalised(const struct tn_plan *plan, const struct tn_json *names)
{
	for (const struct tn_json *name = names->first; name; name = name->next) {
		bool found = false;

		for (uint32_t left = plan->normalised; left; left &= left - 1) /* a bit each */
			found |= tn_str_is(name->text, tn_plan_cleanup_name(left & -left));
		if (!found)
			fail_msg("clean-up step %s is not listed", name->text.data);
	}
}

static void check_value(const struct tn_plan_value *value, const struct tn_json *expected)
{
	struct tn_str text;

	if (!expected)
		return;
	if (tn_json_is(expected, TN_JSON_NUMBER)) {
		assert_int_equal(value->kind, TN_PLAN_VALUE_NUMBER);
		assert_true(tn_str_equal(value->text, expected->text));
	} else if (tn_json_to_str(expected, &text)) {
		assert_int_equal(value->kind, TN_PLAN_VALUE_STRING);
		assert_str(value->text, text.data);
	} else if (tn_json_is(expected, TN_JSON_NULL)) {
		assert_true(value->kind <= TN_PLAN_VALUE_NULL);
	} else {
		assert_int_equal(value->kind, TN_PLAN_VALUE_BOOL);
		assert_str(value->text, tn_json_is(expected, TN_JSON_TRUE) ? "true" : "false");
	}
}

static void check_flag(bool actual, const struct tn_json *object, const char *key)
{
	bool expected = false;

	if (tn_json_to_bool(tn_json_get(object, key), &expected))
		assert_int_equal(actual, expected);
}

static void check_attributes(const struct tn_plan *plan, const struct tn_json *list)
{
	static const char *const changes[] = {"add", "remove", "update", "unchanged"};

	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next) {
		const struct tn_plan_entry *entry = test_entry(plan, text_of(one, "address").data);
		const struct tn_plan_attribute *attribute =
			test_attribute(&entry->attributes, text_of(one, "path").data);

		check_name(changes[attribute->change], one, "change");
		check_value(&attribute->before, tn_json_get(one, "before"));
		check_value(&attribute->after, tn_json_get(one, "after"));
		check_flag(attribute->sensitive, one, "sensitive");
		check_flag(attribute->unknown, one, "unknown");
		check_flag(attribute->multiline, one, "multiline");
		check_flag(attribute->forces_replacement, one, "forces_replacement");
	}
}

static void check_hidden(const struct tn_plan *plan, const struct tn_json *hidden)
{
	for (const struct tn_json *one = hidden ? hidden->first : NULL; one; one = one->next) {
		const struct tn_plan_entry *entry = test_entry(plan, one->key.data);

		if (tn_json_get(one, "attributes"))
			assert_int_equal(entry->hidden_attributes, int_of(one, "attributes"));
		if (tn_json_get(one, "blocks"))
			assert_int_equal(entry->hidden_blocks, int_of(one, "blocks"));
		if (tn_json_get(one, "elements"))
			assert_int_equal(entry->hidden_elements, int_of(one, "elements"));
	}
}

static void check_rest(const struct tn_plan *plan, const struct tn_json *expected)
{
	static const char *const tools[] = {"unknown", "terraform", "opentofu"};
	static const char *const formats[] = {"modern", "legacy_0_12", "legacy_0_11", "json",
					      "json_stream"};
	static const char *const levels[] = {"high", "medium", "low"};
	const struct tn_json *list = tn_json_get(expected, "keys");

	check_name(tools[plan->tool], expected, "tool");
	check_name(formats[plan->format], expected, "format");
	check_name(levels[plan->confidence], expected, "confidence");
	check_flag(plan->truncated, expected, "truncated");
	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next)
		assert_str(test_entry(plan, one->key.data)->key_text, one->text.data);
	list = tn_json_get(expected, "units");
	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next) {
		assert_true(int_of(one, "index") < plan->unit_count);
		assert_int_equal(plan->units[int_of(one, "index")].total_changes,
				 int_of(one, "total_changes"));
	}
	list = tn_json_get(expected, "warning_codes");
	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next)
		assert_true(test_has_warning(plan, one->text.data));
	list = tn_json_get(expected, "addresses_must_not_appear");
	for (const struct tn_json *one = list ? list->first : NULL; one; one = one->next) {
		for (uint32_t i = 0; i < plan->change_count; i++)
			assert_false(tn_str_equal(plan->changes[i].address, one->text));
	}
}

static void check_same(const struct tn_plan *plan, const struct tn_json *files)
{
	struct tn_buf own = test_change_set(plan, true);

	for (const struct tn_json *file = files ? files->first : NULL; file; file = file->next) {
		struct tn_buf text = test_load(file->text.data);
		struct tn_plan *other = test_parse(tn_buf_str(&text));
		struct tn_buf set = test_change_set(other, true);

		if (!tn_str_equal(tn_buf_str(&own), tn_buf_str(&set)))
			fail_msg("%s differs: %.*s", file->text.data, (int)set.size, set.data);
		tn_buf_finish(&set);
		tn_plan_free(other);
		tn_buf_finish(&text);
	}
	tn_buf_finish(&own);
}

static void check_sample(const char *name, const char *expected_name)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_buf text = test_load(name), expected_text = test_load(expected_name);
	struct tn_plan *plan = test_parse(tn_buf_str(&text));
	struct tn_json *expected = NULL;

	print_message("%s\n", name);
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&expected_text), &expected, &err),
			 TENON_OK);
	check_entries(plan, tn_json_get(expected, "resource_changes"));
	check_totals(plan, expected);
	check_plan_line(plan, expected);
	check_lists(plan, expected);
	check_normalised(plan, tn_json_get(expected, "normalised"));
	check_attributes(plan, tn_json_get(expected, "attributes_must_include"));
	check_hidden(plan, tn_json_get(expected, "hidden"));
	check_rest(plan, expected);
	check_same(plan, tn_json_get(expected, "same_result_as"));
	tn_arena_finish(&arena);
	tn_plan_free(plan);
	tn_buf_finish(&text);
	tn_buf_finish(&expected_text);
}

static void samples_give_their_expected_result(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++)
		check_sample(samples[i][0], samples[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_give_their_expected_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
