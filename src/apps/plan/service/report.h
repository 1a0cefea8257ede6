/* report.h - results in the layouts that the MCP tools and the command line share (plan.md sections
 * 8 and 12). Failures stick to the buffer. Threads: any. */
#ifndef TN_PLAN_REPORT_H
#define TN_PLAN_REPORT_H

#include "apps/plan/service/answer.h"
#include "apps/plan/read/model.h"
#include "apps/plan/explain/score.h"

/* Members, without the braces around them: total_changes, actions, risk, consistent, confidence,
 * errored, warnings. */
void tn_plan_report_facts(struct tn_buf *out, const struct tn_plan *plan);

/* Members: form, explanation, details_markdown, the facts above, score, passed, source_used,
 * fallback_reason. */
void tn_plan_report_explained(struct tn_buf *out, const struct tn_plan *plan,
			      enum tn_plan_form form, const struct tn_plan_answer *answer,
			      struct tn_str markdown);

/* {"score","passed","parts":{format,number,count_only,short},"score_profile","total_changes",
 * "plan_id"} */
void tn_plan_report_score(struct tn_buf *out, const struct tn_plan *plan,
			  const struct tn_plan_score *score, enum tn_plan_score_profile profile);

#endif
