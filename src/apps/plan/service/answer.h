/* answer.h - one explanation or several, from whichever source, guarded (plan.md sections 10
 * and 11.1).
 *
 * The command line and the MCP server stand on this and add no logic of their own. A model's text
 * is shown only when the guard lets it through; after one retry the built-in text takes its place.
 * Ownership: an answer's texts live in its arena, from begin to finish; what a wish points to
 * outlives the answer. Threads: one at a time; tn_plan_answer_run and tn_plan_answer_run_best may
 * block. */
#ifndef TN_PLAN_ANSWER_H
#define TN_PLAN_ANSWER_H

#include <stdatomic.h>

#include "apps/plan/explain/best_of.h"
#include "apps/plan/service/config.h"
#include "apps/plan/explain/context.h"
#include "apps/plan/explain/guard.h"
#include "loop/http_client.h"

/* What is wanted. */
struct tn_plan_wish {
	const struct tn_plan *plan;
	enum tn_plan_form form; /* COUNT or FULL */
	enum tn_plan_audience audience;
	enum tn_plan_source source; /* never AUTO */
	double temperature;
	const struct tn_plan_turn *turns; /* the conversation so far, oldest first */
	size_t turn_count;
	const struct tn_plan_config *config;
	struct tn_http_client *client; /* for OPENAI; otherwise NULL */
	const atomic_bool *cancel;     /* NULL, or ends asking a model */
	atomic_uint *finished;         /* NULL, or counts candidates */
};

extern const char tn_plan_internal[]; /* compared by address */

struct tn_plan_answer {
	struct tn_arena arena;
	struct tn_str text;
	struct tn_plan_score score;
	enum tn_plan_source source_used;
	/* Why the wished source gave nothing: the contract's error code and a sentence. NULL when
	 * it did; "guard" when the model's texts were refused. */
	const char *failure;
	struct tn_str why;
	/* Between questions to a model: */
	unsigned refused; /* texts the guard did not let through */
	struct tn_plan_turn retry[2];
};

/* Whether key facts go into the context document: on for models on this machine only, unless the
 * operator says otherwise (section 9). */
bool tn_plan_shows_details(const struct tn_plan_config *config, enum tn_plan_source source);

/* "auto" as the operator prefers it. */
enum tn_plan_source tn_plan_resolve_source(const struct tn_plan_config *config,
					   enum tn_plan_source source);

void tn_plan_answer_begin(struct tn_plan_answer *answer);
void tn_plan_answer_finish(struct tn_plan_answer *answer);

/* The question to put to a model now: the first, or after a refused text the second.
 * False: no memory. */
bool tn_plan_answer_question(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			     struct tn_str *ret_system, struct tn_str *ret_document);

/* Takes what the model wrote. False: it was refused, ask again with tn_plan_answer_question. The
 * second refusal is answered with the built-in text, and true. */
bool tn_plan_answer_take(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			 struct tn_str text);

/* The built-in text instead; `failure` NULL when that is what was wished. */
void tn_plan_answer_use_builtin(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
				const char *failure, const char *why);

/* The whole way for BUILTIN and OPENAI. A failed model leaves `failure` beside the built-in text;
 * there is no text only when `failure` is "internal". */
void tn_plan_answer_run(struct tn_plan_answer *answer, const struct tn_plan_wish *wish);

/* One candidate from a model's text. A text that the guard refuses for more than its number is a
 * failed candidate: what it says about the plan is not true. */
void tn_plan_take_candidate(struct tn_arena *arena, const struct tn_plan_wish *wish,
			    struct tn_str text, struct tn_plan_candidate *ret);

/* `count` candidates by BUILTIN or OPENAI, not yet compared. The failure of the first candidate
 * that failed goes to answer->failure and why. */
void tn_plan_answer_run_best(struct tn_plan_answer *answer, const struct tn_plan_wish *wish,
			     unsigned count, struct tn_plan_best *best);

#endif
