/* to_json_findings.c - what was found about a plan, as JSON. */
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/to_json_parts.h"
#include "apps/plan/explain/vocabulary.h"
#include "jsonrpc/json_write.h"

/* Which of several plans in one text: addresses alone do not tell. */
static void put_finding_unit(struct tn_buf *out, const struct tn_plan *plan,
			     const struct tn_plan_finding *finding)
{
	struct tn_buf unit;

	if (finding->change == TN_PLAN_NO_CHANGE)
		return;
	tn_buf_init(&unit, out->limit);
	tn_plan_put_unit(&unit, plan, plan->changes[finding->change].unit, "");
	tn_buf_inherit_failure(out, &unit);
	if (unit.size > 0)
		tn_json_put_member_str(out, "unit", tn_buf_str(&unit));
	tn_buf_finish(&unit);
}

/* Evidence is a copy of attribute values, so it obeys the same rules. */
static void put_finding(struct tn_buf *out, const struct tn_plan *plan,
			const struct tn_plan_finding *finding, bool redact)
{
	bool whole = finding->change == TN_PLAN_NO_CHANGE;
	bool hidden = redact && tn_plan_is_hidden(finding->path, &finding->before, &finding->after);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", finding->id);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(finding->level));
	tn_plan_to_json_member(out, "address",
			       whole ? tn_str(NULL, 0) : plan->changes[finding->change].address);
	put_finding_unit(out, plan, finding);
	tn_json_put_member_str(out, "title", finding->title);
	tn_json_put_member_str(out, "detail", finding->detail);
	tn_json_put_key(out, "evidence");
	if (finding->path.data) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "path", finding->path);
		tn_plan_to_json_value(out, "before", &finding->before, hidden, redact);
		tn_plan_to_json_value(out, "after", &finding->after, hidden, redact);
		tn_json_end_object(out);
	} else {
		tn_json_put_null(out);
	}
	tn_json_end_object(out);
}

/* The worst first, then in the order of the plan. */
void tn_plan_to_json_findings(struct tn_buf *out, const struct tn_plan *plan,
			      enum tn_plan_risk min_level, bool redact)
{
	tn_json_put_key(out, "findings");
	tn_json_begin_array(out);
	for (int level = TN_PLAN_RISK_CRITICAL; level >= (int)min_level; level--)
		for (uint32_t i = 0; i < plan->finding_count; i++)
			if ((int)plan->findings[i].level == level)
				put_finding(out, plan, &plan->findings[i], redact);
	tn_json_end_array(out);
}

void tn_plan_put_json_findings(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_risk min_level)
{
	tn_plan_to_json_findings(out, plan, min_level, false);
}
