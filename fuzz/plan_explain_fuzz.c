/* plan_explain_fuzz.c - any bytes as a plan, then everything that is written about it: JSON parses,
 * explanations have the newlines they promise, comments keep their size, and nothing crashes. The
 * same bytes are also taken for a model's answer and for text to redact. */
#include <stdint.h>

#include "apps/plan/explain/best_of.h"
#include "apps/plan/explain/compare.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/explain/guard.h"
#include "apps/plan/explain/markdown.h"
#include "apps/plan/parse.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/risk_text.h"
#include "apps/plan/explain/sarif.h"
#include "apps/plan/explain/table.h"
#include "apps/plan/explain/to_json.h"
#include "base/utf8.h"
#include "jsonrpc/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SMALL_COMMENT = 1500 };

static size_t count_newlines(const struct tn_buf *out)
{
	size_t count = 0;

	for (size_t i = 0; i < out->size; i++)
		count += out->data[i] == '\n';
	return count;
}

/* Text for people: UTF-8 without control characters but the newlines asked for. */
static void check_text(struct tn_buf *out)
{
	tn_assert(!out->failed && tn_utf8_valid(out->data, out->size));
	for (size_t i = 0; i < out->size; i++)
		tn_assert((unsigned char)out->data[i] >= 0x20 || out->data[i] == '\n');
	tn_buf_clear(out);
}

static void check_json(struct tn_buf *out)
{
	struct tn_arena arena;
	struct tenon_error err;
	struct tn_json *value;

	tn_assert(!out->failed && tn_utf8_valid(out->data, out->size));
	tn_arena_init(&arena, 1024 * TN_MIB);
	tn_assert(tn_json_parse(&arena, out->data, out->size, &value, &err) == TENON_OK);
	tn_arena_finish(&arena);
	tn_buf_clear(out);
}

static void explain(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_plan_put_explanation(out, plan, TN_PLAN_FORM_COUNT, TN_PLAN_NON_TECHNICAL);
	tn_assert(count_newlines(out) == 0);
	tn_assert(tn_plan_score(tn_buf_str(out), plan->total_changes, true, TN_PLAN_SCORE_EXACT)
			  .total == TN_PLAN_SCORE_MAX);
	check_text(out);
	for (unsigned i = 0; i < TN_PLAN_WORDING_COUNT; i++) {
		tn_plan_put_candidate(out, plan, i, 0, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
		tn_assert(count_newlines(out) == 1);
		tn_assert(tn_plan_score(tn_buf_str(out), plan->total_changes, false,
					TN_PLAN_SCORE_EXACT)
				  .passed);
		check_text(out);
	}
}

static void write_json(struct tn_buf *out, const struct tn_plan *plan)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_FULL};
	struct tenon_error err;

	tn_plan_put_json(out, plan, &filter);
	check_json(out);
	filter.redact = true;
	filter.limit = 3;
	tn_plan_put_json(out, plan, &filter);
	check_json(out);
	tn_plan_put_compact_json(out, plan, &filter);
	check_json(out);
	if (plan->change_count > 0) {
		tn_plan_put_change_json(out, plan, plan->change_count - 1, 1, 2);
		check_json(out);
	}
	tn_plan_put_context(out, plan, TN_STR("system"), NULL, 0, true);
	check_json(out);
	tn_plan_put_sarif(out, plan, TN_PLAN_RISK_NONE, tn_str(NULL, 0));
	check_json(out);
	tn_plan_put_risk_json(out, plan, TN_PLAN_RISK_MEDIUM);
	check_json(out);
	tn_assert(tn_plan_put_compare_json(out, plan, plan, &err) == TENON_OK);
	check_json(out);
}

static void write_texts(struct tn_buf *out, const struct tn_plan *plan)
{
	struct tn_plan_filter filter = {.detail = TN_PLAN_DETAIL_CHANGES};
	struct tenon_error err;

	tn_plan_put_markdown(out, plan, TN_PLAN_NON_TECHNICAL, 0);
	tn_assert(out->size <= TN_PLAN_MARKDOWN_BYTES);
	check_text(out);
	tn_plan_put_markdown(out, plan, TN_PLAN_DEVELOPER, SMALL_COMMENT);
	tn_assert(out->size <= SMALL_COMMENT);
	check_text(out);
	tn_plan_put_table(out, plan, &filter);
	check_text(out);
	tn_plan_put_tsv(out, plan, &filter);
	tn_buf_clear(out);
	tn_plan_put_risk_text(out, plan, TN_PLAN_RISK_NONE);
	check_text(out);
	tn_plan_put_risk_markdown(out, plan, TN_PLAN_RISK_NONE);
	check_text(out);
	tn_assert(tn_plan_put_compare_text(out, plan, plan, &err) == TENON_OK);
	check_text(out);
}

static void guard(const struct tn_plan *plan, struct tn_str answer)
{
	struct tn_plan_verdict verdict;
	struct tenon_error err;
	struct tn_arena arena;

	tn_arena_init(&arena, 64 * TN_MIB);
	for (int count_only = 0; count_only < 2; count_only++) {
		tn_assert(tn_plan_guard(&arena, plan, answer, count_only, &verdict, &err) ==
			  TENON_OK);
		tn_assert(tn_utf8_valid(verdict.answer.data, verdict.answer.size));
		tn_assert(verdict.failure_count > 0 || verdict.score.passed);
	}
	tn_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str text = tn_str((const char *)data, size);
	struct tn_plan *plan = NULL;
	struct tenon_error err;
	struct tn_buf out;

	tn_buf_init(&out, 512 * TN_MIB);
	tn_plan_redact(&out, text);
	tn_assert(!out.failed && tn_plan_has_secret(text) == !tn_str_equal(tn_buf_str(&out), text));
	tn_buf_clear(&out);
	if (tn_plan_parse(data, size, NULL, &plan, NULL, &err) == TENON_OK) {
		explain(&out, plan);
		write_json(&out, plan);
		write_texts(&out, plan);
		guard(plan, text);
		tn_plan_free(plan);
	}
	tn_buf_finish(&out);
	return 0;
}
