/* explain.h - a plan in plain English by built-in rules (plan.md section 10): which form, the
 * question, and the wording. Byte-identical for equal input; no network, no clock, no locale.
 * Threads: any. */
#ifndef TN_PLAN_EXPLAIN_H
#define TN_PLAN_EXPLAIN_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

#define TN_PLAN_QUESTION "Count only or full summary?"
#define TN_PLAN_OPTION_COUNT "Count only"
#define TN_PLAN_OPTION_FULL "Full summary"
enum { TN_PLAN_ASK_ABOVE = 5 }; /* more changes than this and mode auto asks */

enum tn_plan_preference { TN_PLAN_PREFER_AUTO, TN_PLAN_PREFER_COUNT, TN_PLAN_PREFER_FULL };

enum tn_plan_audience { TN_PLAN_NON_TECHNICAL, TN_PLAN_DEVELOPER };

enum tn_plan_form { TN_PLAN_FORM_COUNT, TN_PLAN_FORM_FULL, TN_PLAN_FORM_ASK };

enum tn_plan_reply {
	TN_PLAN_REPLY_NONE,
	TN_PLAN_REPLY_COUNT,
	TN_PLAN_REPLY_FULL,
	TN_PLAN_REPLY_UNCLEAR
};

/* What is accepted, for those whose answer was not understood. */
#define TN_PLAN_ACCEPTED                                                                          \
	"\"count only\" (or 1) gives the number of changes, \"full summary\" (or 2) all of them " \
	"in words"

/* "Count only", "1", "full summary please", "the long one", "yes", ... (reply.c); NONE for an empty
 * slice without data (no reply was given). */
enum tn_plan_reply tn_plan_read_reply(struct tn_str reply);

/* Section 10.1. `asked_again`: an unclear reply was answered with the question once already, so
 * this time it means full. Without a reply pass NONE. */
enum tn_plan_form tn_plan_choose_form(enum tn_plan_preference preference, enum tn_plan_reply reply,
				      bool asked_again, uint32_t total_changes);

/* Words of arguments: "auto", "count_only", "full_summary"; "non_technical" (or "non-technical"),
 * "developer". */
bool tn_plan_preference_from_name(struct tn_str name, enum tn_plan_preference *ret);
bool tn_plan_audience_from_name(struct tn_str name, enum tn_plan_audience *ret);
const char *tn_plan_form_name(enum tn_plan_form form); /* "count_only", "full", "ask" */

/* How the full form is worded. PLAIN is section 10.4; the others are best-of candidates. */
enum tn_plan_wording {
	TN_PLAN_WORDING_PLAIN,
	TN_PLAN_WORDING_BY_ACTION,
	TN_PLAN_WORDING_BY_MODULE,
	TN_PLAN_WORDING_RISK_FIRST,
	TN_PLAN_WORDING_SHORTEST,
	TN_PLAN_WORDING_DEVELOPER,
	TN_PLAN_WORDING_COUNT
};

/* COUNT: "Summary: N changes", no newline. FULL: one newline exactly. ASK: the count, a newline and
 * the question. */
void tn_plan_put_explanation(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_form form,
			     enum tn_plan_audience audience);
void tn_plan_put_explanation_worded(struct tn_buf *out, const struct tn_plan *plan,
				    enum tn_plan_wording wording);

/* Pieces of it: "Summary: N changes", and the paragraph alone. */
void tn_plan_put_count_line(struct tn_buf *out, uint64_t total_changes);
void tn_plan_put_paragraph(struct tn_buf *out, const struct tn_plan *plan,
			   enum tn_plan_audience audience);

#endif
