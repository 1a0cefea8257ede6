/* Section 5 as JSON, the compact text of terraform_parse, one change alone, the risk object. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/to_lines.h"
#include "apps/plan/explain/wording_kit.h"
#include "apps/plan/limits.h"
#include "base/size.h"

static const struct tn_json *json_of(struct tn_plan *plan, const struct tn_plan_filter *filter)
{
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	tn_plan_put_json(&out, plan, filter);
	json = test_json(plan, &out);
	tn_buf_finish(&out);
	return json;
}

/* Every key of section 5 is there, in its order, and absent values are null. */
static void test_empty_plan(void **state)
{
	static const char *const keys[] = {
		"plan_id",          "input",   "status",    "errored",    "mode",
		"resource_changes", "summary", "plan_line", "consistent", "mismatches",
		"confidence",       "outputs", "drift",     "deferred",   "invocations",
		"diagnostics",      "units",   "risk",      "warnings",   "page"};
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	const struct tn_json *json, *member;
	size_t i = 0;

	(void)state;
	plan->consistent = -1;
	json = json_of(plan, &filter);
	for (member = json->first; member; member = member->next, i++)
		assert_true(i < TN_COUNT(keys) && tn_str_is(member->key, keys[i]));
	assert_int_equal(i, TN_COUNT(keys));
	test_is_text(json, "plan_id", NULL);
	test_is_text(json, "plan_line", NULL);
	test_is_text(json, "consistent", NULL);
	test_is_text(json, "input.tool_version", NULL);
	test_is_text(json, "input.kind", "text");
	test_is_text(json, "input.format", "modern");
	test_is_text(json, "risk.level", "none");
	test_is_int(json, "summary.actions.read", 0);
	assert_null(test_get(json, "summary.actions.unknown"));
	test_is_int(json, "page.matched", 0);
	test_is_text(json, "page.next_offset", NULL);
	test_plan_free(plan);
}

static void test_entry(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry =
		test_add(plan, TN_PLAN_REPLACE, "module.db[\"eu\"].aws_db_instance.main[0]");
	struct tn_plan_attribute *secret;
	const struct tn_json *json;

	(void)state;
	entry->line_first = 36;
	entry->line_last = 58;
	entry->hidden_attributes = 31;
	entry->deposed = TN_STR("9c1d");
	test_reason(plan, entry, "forces_replacement", "engine_version");
	test_attr(plan, entry, "engine_version", "13.4", "15.2")->forces_replacement = true;
	(void)test_attr(plan, entry, "size", "#10", "#20.5");
	(void)test_attr(plan, entry, "on", "?false", "?true");
	(void)test_attr(plan, entry, "same", "x", "x");
	secret = test_attr(plan, entry, "password", "visible", "visible2");
	secret->sensitive = true;
	test_assess(plan);
	json = json_of(plan, &filter);
	test_is_int(json, "resource_changes.0.index", 1);
	test_is_int(json, "resource_changes.0.lines.1", 58);
	test_is_text(json, "resource_changes.0.address",
		     "module.db[\"eu\"].aws_db_instance.main[0]");
	test_is_text(json, "resource_changes.0.module", "module.db[\"eu\"]");
	test_is_text(json, "resource_changes.0.mode", "managed");
	test_is_int(json, "resource_changes.0.key", 0);
	test_is_text(json, "resource_changes.0.deposed", "9c1d");
	test_is_text(json, "resource_changes.0.previous_address", NULL);
	test_is_text(json, "resource_changes.0.import_id", NULL);
	test_is_text(json, "resource_changes.0.action", "replace");
	test_is_text(json, "resource_changes.0.actions.0", "delete");
	test_is_text(json, "resource_changes.0.actions.1", "create");
	test_is_text(json, "resource_changes.0.replace_order", "destroy_first");
	test_is_text(json, "resource_changes.0.reasons.0.code", "forces_replacement");
	test_is_text(json, "resource_changes.0.attributes.0.path", "engine_version");
	test_is_text(json, "resource_changes.0.attributes.0.change", "update");
	test_is_text(json, "resource_changes.0.attributes.0.before", "13.4");
	assert_true(tn_json_is(test_get(json, "resource_changes.0.attributes.0.forces_replacement"),
			       TN_JSON_TRUE));
	test_is_int(json, "resource_changes.0.attributes.1.before", 10);
	assert_true(
		tn_json_is(test_get(json, "resource_changes.0.attributes.2.after"), TN_JSON_TRUE));
	/* Unchanged ones are left out; sensitive ones are null whatever they hold. */
	test_is_text(json, "resource_changes.0.attributes.3.path", "password");
	test_is_text(json, "resource_changes.0.attributes.3.before", NULL);
	test_is_text(json, "resource_changes.0.attributes.3.after", NULL);
	test_is_int(json, "resource_changes.0.hidden.attributes", 31);
	test_is_text(json, "resource_changes.0.risk.level", "critical");
	test_is_text(json, "resource_changes.0.risk.codes.0", "RISK-DATA-REPLACE");
	test_is_text(json, "risk.findings.0.id", "RISK-DATA-REPLACE");
	test_is_text(json, "risk.findings.0.evidence", NULL);
	filter.detail = TN_PLAN_DETAIL_FULL;
	json = json_of(plan, &filter);
	test_is_text(json, "resource_changes.0.attributes.3.path", "same");
	filter.detail = TN_PLAN_DETAIL_SUMMARY;
	json = json_of(plan, &filter);
	assert_int_equal(test_get(json, "resource_changes")->count, 0);
	test_is_int(json, "summary.total_changes", 1);
	test_plan_free(plan);
}

/* Section 5: the mapping of action to actions. */
static void test_action_words(void **state)
{
	static const struct {
		enum tn_plan_action action;
		enum tn_plan_order order;
		const char *text, *order_text;
	} cases[] = {
		{TN_PLAN_CREATE, 0, "[\"create\"]", NULL},
		{TN_PLAN_UPDATE, 0, "[\"update\"]", NULL},
		{TN_PLAN_DELETE, 0, "[\"delete\"]", NULL},
		{TN_PLAN_READ, 0, "[\"read\"]", NULL},
		{TN_PLAN_FORGET, 0, "[\"forget\"]", NULL},
		{TN_PLAN_MOVE, 0, "[\"no-op\"]", NULL},
		{TN_PLAN_IMPORT, 0, "[\"no-op\"]", NULL},
		{TN_PLAN_REPLACE, TN_PLAN_DESTROY_FIRST, "[\"delete\",\"create\"]",
		 "\"destroy_first\""},
		{TN_PLAN_REPLACE, TN_PLAN_ORDER_NONE, "[\"delete\",\"create\"]", "null"},
		{TN_PLAN_REPLACE, TN_PLAN_CREATE_FIRST, "[\"create\",\"delete\"]",
		 "\"create_first\""},
		{TN_PLAN_REPLACE, TN_PLAN_FORGET_OLD, "[\"create\",\"forget\"]", "\"forget_old\""},
		{TN_PLAN_REPLACE, TN_PLAN_FORGET_FIRST, "[\"forget\",\"create\"]",
		 "\"forget_old\""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
		struct tn_plan *plan = test_plan();
		struct tn_buf out = test_buf();
		char expected[160];

		test_add(plan, cases[i].action, "a_b.c")->order = (uint8_t)cases[i].order;
		tn_plan_put_json(&out, plan, &filter);
		(void)snprintf(expected, sizeof(expected), "\"actions\":%s,\"replace_order\":%s",
			       cases[i].text, cases[i].order_text ? cases[i].order_text : "null");
		assert_contains(&out, expected);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_plan_line(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_SUMMARY};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	plan->plan_line = (struct tn_plan_line){true, -1, 1, 0, 1, -1, -1};
	tn_plan_put_json(&out, plan, &filter);
	assert_contains(&out, "\"plan_line\":{\"import\":0,\"add\":1,\"change\":0,\"destroy\":1,"
			      "\"forget\":null,\"invoke\":null}");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static struct tn_plan *plan_of_many(void)
{
	static const enum tn_plan_action actions[] = {TN_PLAN_CREATE, TN_PLAN_DELETE,
						      TN_PLAN_UPDATE};
	struct tn_plan *plan = test_plan();
	char address[64];

	for (unsigned i = 0; i < 9; i++) {
		(void)snprintf(address, sizeof(address), "%saws_lb.n[%u]", i < 6 ? "" : "module.m.",
			       i);
		(void)test_add(plan, actions[i % 3], address);
	}
	test_assess(plan);
	return plan;
}

static void test_filters(void **state)
{
	static const struct {
		struct tn_plan_filter filter;
		uint32_t matched, written;
		int64_t first_index, next;
	} cases[] = {
		{{.detail = TN_PLAN_DETAIL_CHANGES}, 9, 9, 1, -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .limit = 4}, 9, 4, 1, 4},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .limit = 4, .offset = 4}, 9, 4, 5, 8},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .limit = 4, .offset = 8}, 9, 1, 9, -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .offset = 20, .limit = 1}, 9, 0, 0, -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .actions = 1u << TN_PLAN_DELETE}, 3, 3, 2, -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .min_risk = TN_PLAN_RISK_HIGH}, 3, 3, 2, -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .address_prefix = {"module.m.", 9}},
		 3,
		 3,
		 7,
		 -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES,
		  .address_prefix = {"module.m.", 9},
		  .actions = 1u << TN_PLAN_DELETE,
		  .limit = 10},
		 1,
		 1,
		 8,
		 -1},
		{{.detail = TN_PLAN_DETAIL_CHANGES, .address_prefix = {"nothing", 7}}, 0, 0, 0, -1},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = plan_of_many();
		const struct tn_json *json = json_of(plan, &cases[i].filter);
		const struct tn_json *list = test_get(json, "resource_changes");

		assert_int_equal(list->count, cases[i].written);
		if (cases[i].written > 0)
			test_is_int(json, "resource_changes.0.index", cases[i].first_index);
		test_is_int(json, "page.matched", cases[i].matched);
		if (cases[i].next < 0)
			test_is_text(json, "page.next_offset", NULL);
		else
			test_is_int(json, "page.next_offset", cases[i].next);
		test_is_int(json, "summary.total_changes", 9);
		test_plan_free(plan);
	}
}

static void test_compact(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES, .limit = 1};
	struct tn_plan *plan = plan_of_many();
	struct tn_buf out = test_buf();

	(void)state;
	tn_plan_put_compact_json(&out, plan, &filter);
	assert_string_equal(
		test_text(&out),
		"{\"resource_changes\":[{\"address\":\"aws_lb.n[0]\",\"type\":\"aws_lb\",\"name\":"
		"\"n\",\"action\":\"create\",\"actions\":[\"create\"]}],\"summary\":{"
		"\"total_changes\":9,\"actions\":{\"create\":3,\"update\":3,\"delete\":3,"
		"\"replace\":0,\"forget\":0,\"import\":0,\"move\":0,\"read\":0}}}");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_one_change(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "a_b.c");
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		(void)test_attr(plan, entry, i % 2 ? "odd" : "even", "x", i == 3 ? "x" : "y");
	tn_plan_put_change_json(&out, plan, 0, 2, 2);
	json = test_json(plan, &out);
	test_is_int(json, "total_attributes", 5);
	assert_int_equal(test_get(json, "attributes")->count, 2);
	test_is_text(json, "attributes.1.change", "unchanged");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Section 16: what is stored holds no secret. */
static void test_redacted(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_FULL, .redact = true};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "a_b.c");
	struct tn_plan_output output = {.name = TN_STR("db_password"), .action = TN_PLAN_UPDATE};
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_attr(plan, entry, "kms_access_key", "visible-1", NULL);
	(void)test_attr(plan, entry, "url", "a", "https://u:visible-2@host/");
	output.after = (struct tn_plan_value){TN_STR("visible-3"), TN_PLAN_VALUE_STRING, false};
	plan->outputs = &output;
	plan->output_count = 1;
	test_diagnostic(plan, "error", "x")->detail = TN_STR("token AKIAVISIBLE4567890123");
	test_assess(plan);
	tn_plan_put_json(&out, plan, &filter);
	assert_lacks(&out, "visible");
	assert_lacks(&out, "VISIBLE");
	assert_contains(&out, "https://[redacted]@host/");
	filter.redact = false;
	tn_buf_clear(&out);
	tn_plan_put_json(&out, plan, &filter);
	assert_contains(&out, "visible-1");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_lists(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	struct tn_plan_deferred deferred = {TN_STR("a_b.c"), TN_PLAN_UPDATE, "deferred_unknown"};
	struct tn_plan_invocation invocation = {TN_STR("action.x.y"), "before", TN_STR("a_b.c")};
	struct tn_plan_unit unit = {TN_STR("dir: x"), 3, {true, 0, 1, 2, 0, -1, -1}, false};
	struct tn_plan_warning warning = {"unterminated_body", TN_STR("no end"), 88};
	struct tn_plan_mismatch mismatch = {"add", 0, 2, 1};
	struct tn_plan_drift *drift = test_drift(plan, TN_PLAN_DELETE, "a_b.d");
	const struct tn_json *json;

	(void)state;
	plan->deferred = &deferred;
	plan->invocations = &invocation;
	plan->units = &unit;
	plan->warnings = &warning;
	plan->mismatches = &mismatch;
	plan->deferred_count = plan->invocation_count = plan->unit_count = 1;
	plan->warning_count = plan->mismatch_count = 1;
	plan->consistent = 0;
	plan->normalised = TN_PLAN_CLEAN_ANSI | TN_PLAN_CLEAN_DIFF_LAYOUT;
	test_drift_attr(plan, drift, "size", "#1", NULL);
	test_diagnostic(plan, "error", "E")->line = 436;
	json = json_of(plan, &filter);
	test_is_text(json, "deferred.0.reason", "deferred_unknown");
	test_is_text(json, "invocations.0.resource", "a_b.c");
	test_is_text(json, "units.0.label", "dir: x");
	test_is_int(json, "units.0.plan_line.change", 2);
	test_is_int(json, "warnings.0.line", 88);
	test_is_int(json, "mismatches.0.stated", 2);
	test_is_text(json, "drift.0.action", "delete");
	test_is_text(json, "drift.0.attributes.0.path", "size");
	test_is_int(json, "diagnostics.0.line", 436);
	test_is_text(json, "diagnostics.0.file", NULL);
	test_is_text(json, "diagnostics.0.phase", "plan");
	test_is_text(json, "input.normalised.0", "ansi");
	test_is_text(json, "input.normalised.1", "diff_layout");
	assert_true(tn_json_is(test_get(json, "consistent"), TN_JSON_FALSE));
	test_plan_free(plan);
}

static void test_risk_outputs(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_instance.a");
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	(void)state;
	(void)test_attr(plan, entry, "instance_type", "a", "b");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.b");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_lb.c");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_lb.d");
	test_assess(plan);
	tn_plan_put_risk_json(&out, plan, TN_PLAN_RISK_MEDIUM);
	json = test_json(plan, &out);
	test_is_text(json, "level", "critical");
	assert_int_equal(test_get(json, "findings")->count, 1);
	test_is_text(json, "findings.0.address", "aws_db_instance.b");
	test_is_int(json, "counts.low", 1);
	test_is_int(json, "counts.critical", 1);
	test_is_int(json, "total_findings", 2);
	tn_buf_clear(&out);
	tn_plan_put_risk_text(&out, plan, TN_PLAN_RISK_NONE);
	assert_contains(&out, "Risk: critical\ncritical  RISK-DATA-DELETE       aws_db_instance.b");
	assert_contains(&out, "low       RISK-RESTART           aws_instance.a");
	tn_buf_clear(&out);
	tn_plan_put_risk_text(&out, plan, TN_PLAN_RISK_HIGH);
	assert_contains(&out, "(1 finding below high)");
	tn_buf_clear(&out);
	tn_plan_put_risk_markdown(&out, plan, TN_PLAN_RISK_NONE);
	assert_contains(&out, "### Risk: critical\n\n- **critical** RISK-DATA-DELETE "
			      "`aws_db_instance.b`: ");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* What a model is sent (hosts.md HO-003). */
static const struct tn_json *lean_of(struct tn_plan *plan, enum tn_plan_detail detail)
{
	struct tn_plan_filter filter = {.detail = detail};
	struct tn_buf out = test_buf();
	const struct tn_json *json;

	tn_plan_put_lean_json(&out, plan, &filter);
	json = test_json(plan, &out);
	tn_buf_finish(&out);
	return json;
}

/* Whoever reads only the beginning reads the worst (plan.md section 8). */
static void test_findings_worst_first(void **state)
{
	static const char *const levels[] = {"critical", "high", "medium", "low"};
	const struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_attr(plan, test_add(plan, TN_PLAN_UPDATE, "aws_instance.a"), "instance_type",
			"a", "b");
	(void)test_add(plan, TN_PLAN_FORGET, "aws_instance.b");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_instance.c");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.d");
	test_assess(plan);
	for (unsigned lean = 0; lean < 2; lean++) {
		const struct tn_json *json;

		tn_buf_clear(&out);
		if (lean)
			tn_plan_put_lean_json(&out, plan, &filter);
		else
			tn_plan_put_json(&out, plan, &filter);
		json = test_json(plan, &out);
		for (size_t i = 0; i < TN_COUNT(levels); i++) {
			char path[64];

			(void)snprintf(path, sizeof(path), "risk.findings.%zu.level", i);
			test_is_text(json, path, levels[i]);
		}
	}
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* A block that forces has no values of its own: never "null -> null". */
static void test_block_that_forces(void **state)
{
	const struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "google_compute_instance.a");
	struct tn_plan_attribute *block = test_attr(plan, entry, "boot_disk", NULL, NULL);
	struct tn_buf out = test_buf();

	(void)state;
	block->change = TN_PLAN_ATTR_UPDATE;
	block->forces_replacement = true;
	(void)test_attr(plan, entry, "boot_disk.image", "a", "b");
	tn_plan_put_lines(&out, plan, &filter);
	assert_contains(&out, "boot_disk (forces replacement), boot_disk.image: \"a\" -> \"b\"");
	assert_lacks(&out, "null");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_lean_entry(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_db_instance.main");
	const struct tn_json *json, *at;

	(void)state;
	test_reason(plan, entry, "forces_replacement", "engine_version");
	test_attr(plan, entry, "engine_version", "13.4", "15.2")->forces_replacement = true;
	(void)test_attr(plan, entry, "same", "x", "x");
	test_attr(plan, entry, "password", "visible", "visible2")->sensitive = true;
	test_attr(plan, entry, "arn", "old", NULL)->unknown = true;
	test_assess(plan);
	json = lean_of(plan, TN_PLAN_DETAIL_CHANGES);
	at = test_get(json, "resource_changes.0");
	assert_null(tn_json_get(at, "module"));
	assert_null(tn_json_get(at, "reasons")); /* the attribute says it */
	assert_null(tn_json_get(at, "attributes_more"));
	assert_null(tn_json_get(json, "drift"));
	test_is_text(json, "resource_changes.0.attributes.0.before", "13.4");
	assert_non_null(test_get(json, "resource_changes.0.attributes.0.forces_replacement"));
	assert_null(test_get(json, "resource_changes.0.attributes.0.change"));
	/* Hidden values say nothing: then the kind of change does, and no secret is told. */
	test_is_text(json, "resource_changes.0.attributes.1.path", "password");
	test_is_text(json, "resource_changes.0.attributes.1.change", "update");
	assert_null(test_get(json, "resource_changes.0.attributes.1.before"));
	test_is_text(json, "resource_changes.0.attributes.2.before", "old");
	test_is_int(json, "summary.actions.replace", 1);
	assert_null(test_get(json, "summary.actions.read"));
	assert_int_equal(test_get(lean_of(plan, TN_PLAN_DETAIL_SUMMARY), "resource_changes")->count,
			 0);
	test_plan_free(plan);
}

/* Of many changes a few attributes each, but none that weighs is left out. */
static void test_lean_many(void **state)
{
	enum { CHANGES = 60, EACH = 20 };
	struct tn_plan *plan = test_plan();
	char name[32];

	(void)state;
	for (int i = 0; i < CHANGES; i++) {
		struct tn_plan_entry *entry;

		(void)snprintf(name, sizeof(name), "aws_sqs_queue.q%d", i);
		entry = test_add(plan, TN_PLAN_UPDATE, name);
		for (int j = 0; j < EACH; j++) {
			(void)snprintf(name, sizeof(name), "part_%d", j);
			test_attr(plan, entry, name, "a", "b")->forces_replacement = j == EACH - 1;
		}
	}
	test_assess(plan);
	test_is_int(lean_of(plan, TN_PLAN_DETAIL_CHANGES), "resource_changes.59.attributes_more",
		    EACH - TN_PLAN_LEAN_ATTRIBUTES_MIN - 1);
	test_is_text(lean_of(plan, TN_PLAN_DETAIL_CHANGES), "resource_changes.59.attributes.2.path",
		     "part_19");
	assert_int_equal(
		test_get(lean_of(plan, TN_PLAN_DETAIL_FULL), "resource_changes.59.attributes")
			->count,
		EACH);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty_plan),
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_action_words),
		cmocka_unit_test(test_plan_line),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_compact),
		cmocka_unit_test(test_one_change),
		cmocka_unit_test(test_redacted),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_risk_outputs),
		cmocka_unit_test(test_findings_worst_first),
		cmocka_unit_test(test_block_that_forces),
		cmocka_unit_test(test_lean_entry),
		cmocka_unit_test(test_lean_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
