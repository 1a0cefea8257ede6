/* score.h - the reward function of plan.md section 11. Pure; threads: any. */
#ifndef TN_PLAN_SCORE_H
#define TN_PLAN_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum { TN_PLAN_SCORE_MAX = 100, TN_PLAN_SCORE_PASSING = 80 };

enum tn_plan_score_profile {
	TN_PLAN_SCORE_EXACT,   /* the contract's function */
	TN_PLAN_SCORE_DETAILED /* to compare long answers; never the default */
};

struct tn_plan_score {
	int total; /* 0..100, the sum of the parts */
	bool passed;
	int format, number, count_only, brief; /* 40, 30, 20, 10 or 0; brief is "short" in JSON */
};

/* `answer` is scored as given. */
struct tn_plan_score tn_plan_score(struct tn_str answer, uint64_t total_changes, bool count_only,
				   enum tn_plan_score_profile profile);

/* Reads N of "Summary: N change" at the very start. False: no such start, or N above 2^64-1;
 * *ret_format (may be NULL) tells the two apart. */
bool tn_plan_read_summary(struct tn_str answer, uint64_t *ret_number, bool *ret_format);

#endif
