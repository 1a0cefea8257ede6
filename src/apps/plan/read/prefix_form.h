/* prefix_form.h - what logs put in front of each line (plan.md section 3.2, step 4): times,
 * streams, containers, quoting, line numbers. A form may vary from line to line. Threads: any; no
 * state. */
#ifndef TN_PLAN_PREFIX_FORM_H
#define TN_PLAN_PREFIX_FORM_H

#include "apps/plan/read/model.h"

struct tn_plan_prefix_form {
	/* The bytes of the prefix; 0: it is not there. Names the unit where the prefix does, in
	 * which it has at least two bytes more. */
	size_t (*match)(struct tn_str line, struct tn_str *ret_unit);
	uint32_t step; /* enum tn_plan_cleanup */
};

extern const struct tn_plan_prefix_form tn_plan_prefix_forms[];
extern const size_t tn_plan_prefix_form_count;

#endif
