#include "apps/plan/service/report.h"

#include "apps/plan/explain/names.h"
#include "apps/plan/explain/to_json.h"
#include "jsonrpc/json_write.h"

static void put_findings(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	tn_plan_put_json_findings(out, plan, TN_PLAN_RISK_LOW);
}

/* A plan that nobody keeps has no handle. */
static void put_plan_id(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
}

void tn_plan_report_facts(struct tn_buf *out, const struct tn_plan *plan)
{
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_key(out, "actions");
	tn_plan_put_actions_object(out, plan);
	tn_json_put_key(out, "risk");
	tn_json_begin_object(out);
	put_findings(out, plan);
	tn_json_end_object(out);
	if (plan->consistent < 0)
		tn_json_put_member_null(out, "consistent");
	else
		tn_json_put_member_bool(out, "consistent", plan->consistent == 1);
	tn_json_put_member_text(out, "confidence", tn_plan_confidence_name(plan->confidence));
	tn_json_put_member_bool(out, "errored", plan->errored);
	tn_json_put_key(out, "warnings");
	tn_plan_put_warnings_array(out, plan);
}

void tn_plan_report_explained(struct tn_buf *out, const struct tn_plan *plan,
			      enum tn_plan_form form, const struct tn_plan_answer *answer,
			      struct tn_str markdown)
{
	tn_json_put_member_text(out, "form", tn_plan_form_name(form));
	tn_json_put_member_str(out, "explanation", answer->text);
	tn_json_put_member_str(out, "details_markdown", markdown);
	tn_plan_report_facts(out, plan);
	tn_json_put_member_int(out, "score", answer->score.total);
	tn_json_put_member_bool(out, "passed", answer->score.passed);
	tn_json_put_member_text(out, "source_used", tn_plan_source_name(answer->source_used));
	if (answer->failure)
		tn_json_put_member_str(out, "fallback_reason", answer->why);
	else
		tn_json_put_member_null(out, "fallback_reason");
}

void tn_plan_report_score(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_score *score, enum tn_plan_score_profile profile)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "score", score->total);
	tn_json_put_member_bool(out, "passed", score->passed);
	tn_json_put_key(out, "parts");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "format", score->format);
	tn_json_put_member_int(out, "number", score->number);
	tn_json_put_member_int(out, "count_only", score->count_only);
	tn_json_put_member_int(out, "short", score->brief);
	tn_json_end_object(out);
	tn_json_put_member_text(out, "score_profile",
				profile == TN_PLAN_SCORE_DETAILED ? "detailed" : "exact");
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	put_plan_id(out, plan);
	tn_json_end_object(out);
}
