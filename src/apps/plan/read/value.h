/* value.h - one value as the renderer prints it (plan.md section 4.5), and what may follow it.
 * Threads: any. */
#ifndef TN_PLAN_VALUE_H
#define TN_PLAN_VALUE_H

#include "apps/plan/read/build.h"

enum tn_plan_shape {
	TN_PLAN_SHAPE_NONE, /* nothing there */
	TN_PLAN_SHAPE_SCALAR,
	TN_PLAN_SHAPE_UNKNOWN,    /* (known after apply) */
	TN_PLAN_SHAPE_SENSITIVE,  /* (sensitive value), (sensitive) */
	TN_PLAN_SHAPE_WRITE_ONLY, /* (write-only attribute) */
	TN_PLAN_SHAPE_SECRET,     /* (sensitive, write-only attribute) */
	TN_PLAN_SHAPE_LIST,       /* opens [ */
	TN_PLAN_SHAPE_MAP,        /* opens { */
	TN_PLAN_SHAPE_CALL,       /* opens jsonencode( and its like */
	TN_PLAN_SHAPE_HEREDOC     /* opens <<-EOT; text holds the delimiter */
};

struct tn_plan_token {
	enum tn_plan_shape shape;
	struct tn_plan_value value; /* SCALAR */
	struct tn_str text;         /* HEREDOC: delimiter */
	bool old_heredoc;           /* <<~EOT: 0.12 and 0.13 */
};

/* Reads a value at the start of *rest and moves *rest behind it and the blanks after it. */
void tn_plan_value_read(struct tn_plan_build *build, struct tn_str *rest,
			struct tn_plan_token *ret);

/* Passes over "-> " at the start of *rest. */
bool tn_plan_arrow_read(struct tn_str *rest);

/* True when the words behind a value or bracket say that it forces replacement. */
bool tn_plan_suffix_forces(struct tn_str rest);

bool tn_plan_is_number(struct tn_str text); /* by JSON's grammar */

#endif
