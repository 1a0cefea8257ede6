/* markdown.h - the comment for a pull request (plan.md section 14).
 *
 * Nothing from the plan can open a tag, a table cell, a code span, a mention or a reference. The
 * size stays within the limit by leaving out whole rows, creations first, deletions last, and
 * saying so. Threads: any. */
#ifndef TN_PLAN_MARKDOWN_H
#define TN_PLAN_MARKDOWN_H

#include "apps/plan/explain/explain.h"

/* 65,536 characters is a common limit of comments; bytes are never fewer than characters. */
enum { TN_PLAN_MARKDOWN_BYTES = 60000, TN_PLAN_MARKDOWN_BYTES_MIN = 1000 };

/* `max_bytes` 0: TN_PLAN_MARKDOWN_BYTES; below the minimum: the minimum. */
void tn_plan_put_markdown(struct tn_buf *out, const struct tn_plan *plan,
			  enum tn_plan_audience audience, size_t max_bytes);

/* The same for who reads it behind `said`, an explanation of this plan: without what that tells,
 * and of the settings those that weigh and a few more, the rest counted (hosts.md HO-001, HO-003).
 */
void tn_plan_put_markdown_beside(struct tn_buf *out, const struct tn_plan *plan,
				 enum tn_plan_audience audience, struct tn_str said);

/* Text of the plan, made inert in paragraphs and table cells; and as a code span. */
void tn_plan_put_markdown_text(struct tn_buf *out, struct tn_str text);
void tn_plan_put_markdown_code(struct tn_buf *out, struct tn_str text);

/* " in dir: prod", where the text holds several plans (sentence.h). */
void tn_plan_put_markdown_unit(struct tn_buf *out, const struct tn_plan *plan, uint32_t unit);

#endif
