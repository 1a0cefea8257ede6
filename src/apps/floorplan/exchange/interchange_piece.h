/* interchange_piece.h - the pieces that a plan as JSON is made of (floorplan.md 10.1): numbers in
 * the unit of the plan, sizes and places; what is not written is null.
 *
 * Failures stick in the buffer; what was lost sticks in the struct. Threads: one at a time. */
#ifndef TN_FLOORPLAN_EXCHANGE_INTERCHANGE_PIECE_H
#define TN_FLOORPLAN_EXCHANGE_INTERCHANGE_PIECE_H

#include "apps/floorplan/exchange/internal.h"

struct tn_floor_json {
	struct tn_buf *out;
	const struct tn_floor_plan *plan;
	bool rounded;  /* a length lost something by being written with 6 decimals */
	bool relative; /* places depend on others, and so on their lengths */
};
void tn_floor_json_number(struct tn_floor_json *j, const char *key, double number);
void tn_floor_json_length(struct tn_floor_json *j, const char *key,
			  const struct tn_floor_length *length);
void tn_floor_json_measure(struct tn_floor_json *j, const char *key,
			   const struct tn_floor_measure *measure); /* or null */
void tn_floor_json_size(struct tn_floor_json *j, const char *key,
			const struct tn_floor_size *size); /* {"width","height"} or null */
/* "width" and "height", written out or named; null if there is none. */
void tn_floor_json_extent(struct tn_floor_json *j, const struct tn_floor_size *size);
/* "x" and "y". */
void tn_floor_json_place(struct tn_floor_json *j, const struct tn_floor_at *at,
			 struct tn_floor_point resolved);
void tn_floor_json_text(struct tn_floor_json *j, const char *key, struct tn_str text); /* or null */
void tn_floor_json_relative(struct tn_floor_json *j, const struct tn_floor_at *at,
			    const struct tn_floor_relative *relative);
/* ---- whole elements (interchange_stair.c) ---- */

void tn_floor_json_stair(struct tn_floor_json *j, const struct tn_floor_circulation *one);
void tn_floor_json_lift(struct tn_floor_json *j, const struct tn_floor_circulation *one);

#endif
