/* Every sample of tests/data/plan-examples gives the risk, the count, the question and the words
 * its expected file asks for (P-15, P-03, P-04), and every output of it is well formed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/best_of.h"
#include "apps/plan/explain/compare.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/explain/guard.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/read/reading_kit.h"
#include "apps/plan/explain/sarif.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

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
	{"09-same-plan.json", "09-same-plan.expected.json"},
	{"09-same-plan.ndjson", "09-same-plan.expected.json"},
};

struct sample {
	const char *name;
	struct tn_buf text;
	struct tn_plan *plan;
	const struct tn_json *expected; /* in the plan's arena */
};

static struct sample load(size_t index)
{
	struct sample sample = {.name = samples[index][0]};
	struct tn_buf expected = test_load(samples[index][1]);

	sample.text = test_load(sample.name);
	sample.plan = test_parse(tn_buf_str(&sample.text));
	sample.plan->arena.limit += 1 << 20;
	sample.expected = test_json(sample.plan, &expected);
	tn_buf_finish(&expected);
	return sample;
}

static void unload(struct sample *sample)
{
	tn_plan_free(sample->plan);
	tn_buf_finish(&sample->text);
}

/* ---- risk ---- */

static bool is_found(const struct tn_plan *plan, struct tn_str id, const struct tn_json *address,
		     bool null_is_any)
{
	bool whole_only = tn_json_is(address, TN_JSON_NULL) && !null_is_any;

	for (uint32_t i = 0; i < plan->finding_count; i++) {
		const struct tn_plan_finding *finding = &plan->findings[i];

		if (!tn_str_is(id, finding->id))
			continue;
		if (tn_json_is(address, TN_JSON_NULL)) {
			if (!whole_only || finding->change == TN_PLAN_NO_CHANGE)
				return true;
		} else if (finding->change != TN_PLAN_NO_CHANGE &&
			   tn_str_equal(plan->changes[finding->change].address, address->text)) {
			return true;
		}
	}
	return false;
}

static void check_findings(const struct sample *sample, const char *list, bool wanted)
{
	const struct tn_json *pairs = test_get(sample->expected, list);

	assert_true(tn_json_is(pairs, TN_JSON_ARRAY));
	for (const struct tn_json *pair = pairs->count ? pairs->first : NULL; pair;
	     pair = pair->next)
		if (is_found(sample->plan, pair->first->text, pair->first->next, !wanted) != wanted)
			fail_msg("%s: %.*s is %s", sample->name, (int)pair->first->text.size,
				 pair->first->text.data, wanted ? "missing" : "there");
}

static void test_risk(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);

		test_is_text(sample.expected, "risk.level", tn_plan_risk_name(sample.plan->risk));
		check_findings(&sample, "risk.must_have", true);
		check_findings(&sample, "risk.must_not_have", false);
		unload(&sample);
	}
}

/* ---- words ---- */

static void test_count_and_question(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);
		struct tn_buf out = test_buf();
		bool asks = false;

		tn_plan_put_explanation(&out, sample.plan, TN_PLAN_FORM_COUNT,
					TN_PLAN_NON_TECHNICAL);
		test_is_text(sample.expected, "count_only", test_text(&out));
		assert_int_equal(tn_plan_score(tn_buf_str(&out), sample.plan->total_changes, true,
					       TN_PLAN_SCORE_EXACT)
					 .total,
				 100);
		assert_true(tn_json_to_bool(test_get(sample.expected, "asks"), &asks));
		assert_int_equal(tn_plan_choose_form(TN_PLAN_PREFER_AUTO, TN_PLAN_REPLY_NONE, false,
						     sample.plan->total_changes) ==
					 TN_PLAN_FORM_ASK,
				 asks);
		tn_buf_finish(&out);
		unload(&sample);
	}
}

static void test_full_explanation(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);
		const struct tn_json *words = test_get(sample.expected, "explanation_must_mention");
		struct tn_buf out = test_buf();

		tn_plan_put_explanation(&out, sample.plan, TN_PLAN_FORM_FULL,
					TN_PLAN_NON_TECHNICAL);
		assert_int_equal(tn_plan_score(tn_buf_str(&out), sample.plan->total_changes, false,
					       TN_PLAN_SCORE_EXACT)
					 .total,
				 80);
		for (words = words && words->count ? words->first : NULL; words;
		     words = words->next)
			if (tn_str_find(tn_buf_str(&out), words->text) == TN_STR_NONE)
				fail_msg("%s: \"%.*s\" is not mentioned", sample.name,
					 (int)words->text.size, words->text.data);
		words = test_get(sample.expected, "addresses_must_not_appear");
		for (words = words && words->count ? words->first : NULL; words;
		     words = words->next)
			assert_true(tn_str_find(tn_buf_str(&out), words->text) == TN_STR_NONE);
		tn_buf_finish(&out);
		unload(&sample);
	}
}

/* The built-in text stands up to the guard that model answers have to pass. */
static void test_guard(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);
		struct tn_plan_verdict verdict;
		struct tenon_error err;
		struct tn_buf out = test_buf();

		tn_plan_put_explanation(&out, sample.plan, TN_PLAN_FORM_FULL,
					TN_PLAN_NON_TECHNICAL);
		assert_int_equal(tn_plan_guard(&sample.plan->arena, sample.plan, tn_buf_str(&out),
					       false, &verdict, &err),
				 TENON_OK);
		if (verdict.failure_count > 0)
			fail_msg("%s: %s", sample.name, verdict.failures[0].data);
		tn_buf_finish(&out);
		unload(&sample);
	}
}

/* ---- every other output ---- */

static void test_json_outputs(void **state)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_FULL};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);
		struct tn_buf out = test_buf();
		struct tenon_error err;
		const struct tn_json *json;

		tn_plan_put_json(&out, sample.plan, &filter);
		json = test_json(sample.plan, &out);
		test_is_int(json, "summary.total_changes", sample.plan->total_changes);
		assert_true(tn_json_equal(test_get(json, "summary.actions"),
					  test_get(sample.expected, "actions")));
		assert_true(tn_json_equal(test_get(json, "status"),
					  test_get(sample.expected, "status")));
		tn_buf_clear(&out);
		tn_plan_put_sarif(&out, sample.plan, TN_PLAN_RISK_NONE, tn_str(NULL, 0));
		(void)test_json(sample.plan, &out);
		tn_buf_clear(&out);
		tn_plan_put_context(&out, sample.plan, TN_STR("s"), NULL, 0, true);
		json = test_json(sample.plan, &out);
		assert_int_equal(test_get(json, "tool_output")->count, sample.plan->total_changes);
		tn_buf_clear(&out);
		assert_int_equal(tn_plan_put_compare_json(&out, sample.plan, sample.plan, &err),
				 TENON_OK);
		assert_contains(&out, "\"identical\":true");
		tn_buf_finish(&out);
		unload(&sample);
	}
}

static void test_markdown(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(samples); i++) {
		struct sample sample = load(i);
		struct tn_buf out = test_buf();

		tn_plan_put_markdown(&out, sample.plan, TN_PLAN_NON_TECHNICAL, 0);
		assert_false(out.failed);
		assert_true(out.size < TN_PLAN_MARKDOWN_BYTES);
		for (uint32_t j = 0; j < sample.plan->change_count; j++) {
			struct tn_buf code = test_buf();

			tn_plan_put_markdown_code(&code, sample.plan->changes[j].address);
			assert_contains(&out, test_text(&code));
			tn_buf_finish(&code);
		}
		tn_buf_finish(&out);
		unload(&sample);
	}
}

/* Text, JSON and stream of the same plan differ in nothing that matters. */
static void test_same_plan(void **state)
{
	struct sample text = load(8), json = load(9);
	struct tenon_error err;
	struct tn_buf out = test_buf();
	const struct tn_json *result;

	(void)state;
	assert_int_equal(tn_plan_put_compare_json(&out, text.plan, json.plan, &err), TENON_OK);
	result = test_json(text.plan, &out);
	test_is_int(result, "counts.added", 0);
	test_is_int(result, "counts.removed", 0);
	tn_buf_finish(&out);
	unload(&json);
	unload(&text);
}

/* ---- no room ---- */

typedef void write_fn(struct tn_buf *out, const struct tn_plan *plan);

static void write_explanation(struct tn_buf *out, const struct tn_plan *plan)
{
	for (unsigned i = 0; i < TN_PLAN_WORDING_COUNT; i++)
		tn_plan_put_explanation_worded(out, plan, i);
}

static void write_json(struct tn_buf *out, const struct tn_plan *plan)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_FULL, .redact = true};

	tn_plan_put_json(out, plan, &filter);
}

static void write_markdown(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_plan_put_markdown(out, plan, TN_PLAN_NON_TECHNICAL, 0);
}

static void write_context(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_plan_put_context(out, plan, TN_STR("s"), NULL, 0, true);
}

static void write_sarif(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_plan_put_sarif(out, plan, TN_PLAN_RISK_NONE, tn_str(NULL, 0));
}

/* Whatever room there is, too little of it fails the buffer and nothing else. */
static void test_small_buffers(void **state)
{
	static write_fn *const writers[] = {write_explanation, write_json, write_markdown,
					    write_context, write_sarif};
	struct sample sample = load(1);

	(void)state;
	for (size_t i = 0; i < TN_COUNT(writers); i++) {
		struct tn_buf whole = test_buf();

		writers[i](&whole, sample.plan);
		assert_false(whole.failed);
		for (size_t limit = 0; limit < whole.size; limit += 1 + limit / 40) {
			struct tn_buf out;

			tn_buf_init(&out, limit);
			writers[i](&out, sample.plan);
			assert_true(out.failed);
			tn_buf_finish(&out);
		}
		tn_buf_finish(&whole);
	}
	unload(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_risk),
		cmocka_unit_test(test_count_and_question),
		cmocka_unit_test(test_full_explanation),
		cmocka_unit_test(test_guard),
		cmocka_unit_test(test_json_outputs),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_same_plan),
		cmocka_unit_test(test_small_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
