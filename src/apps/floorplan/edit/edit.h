/* edit.h - changing a plan's text without damage (floorplan.md section 8): only the bytes that an
 * operation names are touched.
 *
 * Operations are JSON as in modify_floorplan; any JSON may be given, what is wrong with it is told
 * as FP9001 with its path. Each runs on the text that the one before has made. Threads: any. */
#ifndef TN_FLOOR_EDIT_H
#define TN_FLOOR_EDIT_H

#include "apps/floorplan/plan/plan.h"
#include "jsonrpc/json.h"

struct tn_floor_edit_options {
	const struct tn_json *operations; /* an array */
	bool atomic;
	struct tn_str floor; /* default floor of all; empty: none */
};
struct tn_floor_edited {
	struct tn_buf text;         /* the new text; the caller finishes it */
	struct tn_buf changes;      /* the arrays `changes` and `errors` of 7.4 as JSON */
	struct tn_buf errors;       /* empty: none */
	bool success;               /* every operation was applied, or had nothing to do */
	bool readable;              /* false: the input has syntax errors and nothing was done */
	struct tn_floor_plan *plan; /* of the new text; the caller frees it */
};
/* Fails: INVALID (no array of at most TN_FLOOR_OPERATIONS_MAX), NO_MEMORY; then nothing is to be
 * finished. What an operation cannot do is no failure of the call. */
TN_MUST_USE enum tenon_code tn_floor_edit(struct tn_str text,
					  const struct tn_floor_edit_options *options,
					  struct tn_floor_edited *ret, struct tenon_error *err);
void tn_floor_edited_finish(struct tn_floor_edited *edited);
/* Names of all actions: NULL at the end. */
const char *tn_floor_edit_action(size_t index);

#endif
