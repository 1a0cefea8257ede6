/* clean.h - bytes from anywhere to plain UTF-8 lines (plan.md section 3.2).
 *
 * Works in place in one buffer of the plan's arena, which becomes the text every slice of the plan
 * points into. Each step that changed something is noted in plan->normalised. Threads: one at a
 * time. */
#ifndef TN_PLAN_CLEAN_H
#define TN_PLAN_CLEAN_H

#include "apps/plan/read/build.h"

struct tn_plan_text {
	char *data;
	size_t size;
};

/* In cleaned text a line that begins with this byte names the unit whose lines follow; control
 * characters of the input never get that far. */
#define TN_PLAN_UNIT_MARK '\x01'

/* Step 1: encoding. Enough for JSON. False: the build has failed. */
bool tn_plan_clean_encoding(struct tn_plan_build *build, const void *bytes, size_t size,
			    struct tn_plan_text *ret);

/* Before them: a whole text in quotation marks, and no-break spaces for blanks (wrapping.c). */
void tn_plan_clean_wrapping(struct tn_plan_build *build, struct tn_plan_text *text);

/* Steps 2 and 3: line ends, redraws, escape sequences. */
void tn_plan_clean_controls(struct tn_plan_build *build, struct tn_plan_text *text);

/* Step 4 and 5: log prefixes and uniform indentation (prefix.c). */
void tn_plan_clean_prefixes(struct tn_plan_build *build, struct tn_plan_text *text);

/* Puts the lines of each unit together where a runner mixed those of several (unit_group.c). */
void tn_plan_group_units(struct tn_plan_text *text);

/* Step 6: HTML entities. Fences and tags are passed over by the reader of lines. */
void tn_plan_clean_entities(struct tn_plan_build *build, struct tn_plan_text *text);

#endif
