/* best_of.h - several candidates, each scored, the best one returned (plan.md sections 11.1, 12.2).
 *
 * Making candidates with a model is the caller's work; here are the built-in ones, the scoring and
 * the two layouts of the result. Ownership: texts stay the caller's. Threads: any. */
#ifndef TN_PLAN_BEST_OF_H
#define TN_PLAN_BEST_OF_H

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/score.h"

enum { TN_PLAN_CANDIDATES_MAX = 10, TN_PLAN_CANDIDATES_DEFAULT = 3 };
#define TN_PLAN_TEMPERATURE_MAX 2.0
#define TN_PLAN_TEMPERATURE_DEFAULT 0.7

struct tn_plan_candidate {
	struct tn_str response; /* empty when it failed */
	struct tn_str error;    /* no data unless it failed */
	int score;              /* set by tn_plan_choose_best; 0 when it failed */
};

struct tn_plan_best {
	struct tn_plan_candidate candidates[TN_PLAN_CANDIDATES_MAX];
	unsigned count;
	unsigned best; /* index; lowest on a tie */
	bool passed;
};

/* COUNT or FULL: best-of never asks. */
enum tn_plan_form tn_plan_best_form(enum tn_plan_preference preference, uint32_t total_changes);

/* Built-in candidate number `index` (0..9): a wording variant; the temperature only turns the
 * order. `audience` developer makes variant plain the developer's one. */
void tn_plan_put_candidate(struct tn_buf *out, const struct tn_plan *plan, unsigned index,
			   double temperature, enum tn_plan_form form,
			   enum tn_plan_audience audience);

/* Scores all and sets best and passed. False when every candidate failed. */
bool tn_plan_choose_best(struct tn_plan_best *best, uint32_t total_changes, bool count_only);

void tn_plan_put_best_text(struct tn_buf *out, const struct tn_plan_best *best);

/* {best_response,best_score,passed,total_attempts,best_index,
 *  all_responses:[{response,score,error}],source_used,plan_id,total_changes};
 * best_index counts from 0. */
void tn_plan_put_best_json(struct tn_buf *out, const struct tn_plan_best *best,
			   const struct tn_plan *plan, const char *source_used);

#endif
