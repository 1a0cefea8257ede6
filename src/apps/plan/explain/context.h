/* context.h - the one JSON document a language model gets (plan.md section 9), and the system
 * prompt in it.
 *
 * Nothing else about a plan leaves the process. Threads: any. */
#ifndef TN_PLAN_CONTEXT_H
#define TN_PLAN_CONTEXT_H

#include "apps/plan/explain/explain.h"

struct tn_plan_turn {
	struct tn_str role; /* "user", "assistant" */
	struct tn_str content;
};

enum { TN_PLAN_BULLETS_MAX = 10, TN_PLAN_TURNS_MAX = 2 };

/* {"mcp_version":"1.0","system":...,"tool_output":[...],"history":[...]}. `turns` oldest first;
 * only the last two are written. `details`: key facts behind the addresses. */
void tn_plan_put_context(struct tn_buf *out, const struct tn_plan *plan, struct tn_str system,
			 const struct tn_plan_turn *turns, size_t turn_count, bool details);

/* The system prompt for a form; FORM_ASK words the choice itself ("more than five: ask"). */
void tn_plan_put_system_prompt(struct tn_buf *out, uint32_t total_changes, enum tn_plan_form form,
			       enum tn_plan_audience audience);

/* The short instruction that goes with source "client". */
void tn_plan_put_client_instruction(struct tn_buf *out);

#endif
