/* tool_telling.h - what terraform_explain and terraform_explain_best_of_n share: the arguments that
 * choose a wording, asking the client's model, and keeping what was said.
 *
 * Threads: loop, except tn_plan_telling_record, which runs in a worker. */
#ifndef TN_PLAN_TOOL_TELLING_H
#define TN_PLAN_TOOL_TELLING_H

#include "apps/plan/service/answer.h"
#include "apps/plan/mcp/tool_task.h"

struct tn_plan_telling {
	struct tn_plan_wish wish;
	struct tn_plan_turn turns[TN_PLAN_TURNS_MAX + 1]; /* copies: workers read them */
	bool automatic; /* source "auto": falls back instead of failing */
	const char
		*unusable; /* why the wished source cannot be used: the contract's code, or NULL */
	struct tenon_error why_unusable;
	/* Told to the history. */
	struct tn_str said; /* the person's choice, absent when nothing was said */
	bool recorded;
	struct tenon_error record_error;
};

/* Reads audience, source and temperature, and copies the last turns of the conversation, if there
 * is one, into the task's arena. The form is set by the caller. `unusable` says whether the source
 * can be used with this client and these settings. */
void tn_plan_telling_read(struct tn_plan_telling *telling, struct tn_plan_task *task,
			  double temperature);

/* The parameters of sampling/createMessage for a question; NULL: no memory. */
const char *tn_plan_sampling_params(struct tn_plan_task *task, const struct tn_plan_wish *wish,
				    struct tn_str system, struct tn_str document);

/* Worker: keeps the explanation in the history, redacted. Without success only `recorded` stays
 * false: an explanation is not lost because a disk is full. */
void tn_plan_telling_record(struct tn_plan_telling *telling, struct tn_plan_task *task,
			    struct tn_str text, int score, enum tn_plan_source source);

/* Loop, afterwards: tells subscribers of plan://history, or logs why nothing was kept. */
void tn_plan_telling_tell(const struct tn_plan_telling *telling, struct tn_plan_task *task);

#endif
