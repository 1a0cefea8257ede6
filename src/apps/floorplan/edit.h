/* edit.h - changing a plan's text without damage (floorplan.md section 8): only the bytes that an
 * operation names are touched.
 *
 * Operations are JSON as in modify_floorplan, checked against its schema. Threads: any. */
#ifndef TN_FLOOR_EDIT_H
#define TN_FLOOR_EDIT_H

#include "apps/floorplan/plan.h"
#include "jsonrpc/json.h"

struct tn_floor_edit_options {
	const struct tn_json *operations; /* an array */
	bool atomic;
	struct tn_str floor; /* default floor of all; empty: none */
};
struct tn_floor_edited {
	struct tn_buf text;    /* the new text; the caller finishes it */
	struct tn_buf changes; /* the arrays `changes` and `errors` as JSON */
	struct tn_buf errors;  /* empty: none */
	bool success;
	bool readable;              /* false: the input has syntax errors and nothing was done */
	struct tn_floor_plan *plan; /* of the new text; the caller frees it */
};
TN_MUST_USE enum tenon_code tn_floor_edit(struct tn_str text,
					  const struct tn_floor_edit_options *options,
					  struct tn_floor_edited *ret, struct tenon_error *err);
void tn_floor_edited_finish(struct tn_floor_edited *edited);

#endif
