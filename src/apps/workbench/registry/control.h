/* control.h - whether a value fits the control of a prop and its constraints (workbench.md sections
 * 7.1 and 13.5, steps 9 and 10): one routine for defaults in the registry (R4) and for overrides.
 *
 * The control and the constraints are such as tn_wb_exposure_read has made: valid. Threads: any.
 * Time: a pattern is matched in at most TN_WB_PATTERN_STEPS_MAX steps. */
#ifndef TN_WB_REGISTRY_CONTROL_H
#define TN_WB_REGISTRY_CONTROL_H

#include "jsonrpc/json.h"

enum tn_wb_fit {
	TN_WB_FITS,
	TN_WB_TYPE_MISMATCH,
	TN_WB_NOT_IN_OPTIONS,
	TN_WB_CONSTRAINT_REQUIRED,
	TN_WB_CONSTRAINT_MIN,
	TN_WB_CONSTRAINT_MAX,
	TN_WB_CONSTRAINT_PATTERN,
	TN_WB_PATTERN_RUNAWAY, /* counts as the one before; the pattern deserves a diagnostic */
	TN_WB_CHECK_STARVED    /* no memory to find out */
};

/* `constraints` may be NULL. `value` may be a part of a json control's value. */
enum tn_wb_fit tn_wb_control_check(const struct tn_json *control, const struct tn_json *constraints,
				   const struct tn_json *value);
/* "type_mismatch", ...; NULL for what fits. */
const char *tn_wb_fit_code(enum tn_wb_fit fit);
/* The end of a sentence that begins with the value's name: "must be one of ...". */
void tn_wb_fit_explain(enum tn_wb_fit fit, const struct tn_json *control,
		       const struct tn_json *constraints, char *out, size_t size);

/* False: it accepts nothing (a slot that is not editable). */
bool tn_wb_control_is_editable(const struct tn_json *control);
/* Whether a constraint field means something to controls of that kind. */
bool tn_wb_constraint_applies(struct tn_str control_kind, struct tn_str constraint);
/* Is it a pattern that can be matched? Fails: INVALID (it is none), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_pattern_check(struct tn_str source);

#endif
