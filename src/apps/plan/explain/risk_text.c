#include "apps/plan/explain/risk_text.h"

#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/explain/vocabulary.h"
#include "jsonrpc/json_write.h"

typedef void put_fn(struct tn_buf *out, const struct tn_plan *plan,
		    const struct tn_plan_finding *finding);

/* Highest level first, then plan order. Returns how many were left out. */
static uint32_t for_each(struct tn_buf *out, const struct tn_plan *plan,
			 enum tn_plan_risk min_level, put_fn *put)
{
	uint32_t shown = 0;

	for (int level = TN_PLAN_RISK_CRITICAL; level >= (int)min_level; level--)
		for (uint32_t i = 0; i < plan->finding_count; i++)
			if ((int)plan->findings[i].level == level) {
				put(out, plan, &plan->findings[i]);
				shown++;
			}
	return plan->finding_count - shown;
}

static struct tn_str finding_address(const struct tn_plan *plan,
				     const struct tn_plan_finding *finding)
{
	return finding->change == TN_PLAN_NO_CHANGE ? tn_str(NULL, 0)
						    : plan->changes[finding->change].address;
}

/* ---- lines ---- */

static void put_line(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_finding *finding)
{
	struct tn_str address = finding_address(plan, finding);

	tn_buf_format(out, "%-8s  %-21s  ", tn_plan_risk_name(finding->level), finding->id);
	if (address.data) {
		tn_plan_put_clean(out, address, 0);
		tn_plan_put_unit(out, plan, plan->changes[finding->change].unit, " in ");
		tn_buf_append_text(out, "  ");
	}
	tn_buf_append_str(out, finding->title);
	if (finding->path.data) {
		tn_buf_append_text(out, " (");
		tn_plan_put_clean(out, finding->path, 0);
		tn_buf_append_byte(out, ')');
	}
	tn_buf_append_text(out, ": ");
	tn_buf_append_str(out, finding->detail);
	tn_buf_append_byte(out, '\n');
}

void tn_plan_put_risk_text(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_risk min_level)
{
	uint32_t below;

	tn_buf_format(out, "Risk: %s\n", tn_plan_risk_name(plan->risk));
	below = for_each(out, plan, min_level, put_line);
	if (below > 0)
		tn_buf_format(out, "(%u finding%s below %s)\n", below, tn_plan_plural(below),
			      tn_plan_risk_name(min_level));
}

/* ---- Markdown ---- */

static void put_item(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_finding *finding)
{
	struct tn_str address = finding_address(plan, finding);

	tn_buf_format(out, "- **%s** %s", tn_plan_risk_name(finding->level), finding->id);
	if (address.data) {
		tn_buf_append_byte(out, ' ');
		tn_plan_put_markdown_code(out, address);
		tn_plan_put_markdown_unit(out, plan, plan->changes[finding->change].unit);
	}
	tn_buf_append_text(out, ": ");
	tn_buf_append_str(out, finding->title);
	if (finding->path.data) {
		tn_buf_append_text(out, " (");
		tn_plan_put_markdown_code(out, finding->path);
		tn_buf_append_byte(out, ')');
	}
	tn_buf_append_text(out, ". ");
	tn_buf_append_str(out, finding->detail);
	tn_buf_append_byte(out, '\n');
}

void tn_plan_put_risk_markdown(struct tn_buf *out, const struct tn_plan *plan,
			       enum tn_plan_risk min_level)
{
	uint32_t below;

	tn_buf_format(out, "### Risk: %s\n\n", tn_plan_risk_name(plan->risk));
	below = for_each(out, plan, min_level, put_item);
	if (below > 0)
		tn_buf_format(out, "\n%u finding%s below %s left out.\n", below,
			      tn_plan_plural(below), tn_plan_risk_name(min_level));
}

/* ---- JSON ---- */

void tn_plan_put_risk_object(struct tn_buf *out, const struct tn_plan *plan,
			     enum tn_plan_risk min_level)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	tn_plan_put_json_findings(out, plan, min_level);
	tn_json_end_object(out);
}

void tn_plan_put_risk_json(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_risk min_level)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "plan_id", plan->id[0] ? plan->id : NULL);
	tn_json_put_member_text(out, "level", tn_plan_risk_name(plan->risk));
	tn_plan_put_json_findings(out, plan, min_level);
	tn_json_put_key(out, "counts");
	tn_json_begin_object(out);
	for (int level = TN_PLAN_RISK_LOW; level <= TN_PLAN_RISK_CRITICAL; level++)
		tn_json_put_member_int(out, tn_plan_risk_name((enum tn_plan_risk)level),
				       tn_plan_count_findings(plan, (enum tn_plan_risk)level));
	tn_json_end_object(out);
	tn_json_put_member_int(out, "total_findings", plan->finding_count);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_end_object(out);
}
