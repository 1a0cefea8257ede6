/* canonical_piece.h - the pieces that canonical text is made of (floorplan.md 10.1): numbers,
 * lengths, places and clauses, each as every reader of the language takes it.
 *
 * A clause that is not written in the plan writes nothing. Failures stick in the buffer. Threads:
 * one at a time. */
#ifndef TN_FLOORPLAN_EXCHANGE_CANONICAL_PIECE_H
#define TN_FLOORPLAN_EXCHANGE_CANONICAL_PIECE_H

#include "apps/floorplan/exchange/internal.h"

struct tn_canon {
	struct tn_buf *out;
	const struct tn_floor_plan *plan;
	/* How often what other readers may not know was written, and where first. */
	struct {
		unsigned count;
		uint32_t line;
	} notes[5];
};
enum { TN_CANON_NEGATIVE, TN_CANON_FLOOR, TN_CANON_UNITS, TN_CANON_FRONT, TN_CANON_RELATIVE };

void tn_canon_note(struct tn_canon *c, unsigned note, uint32_t token);
void tn_canon_number(struct tn_canon *c, double number); /* exactly, without exponent */
void tn_canon_length(struct tn_canon *c, const struct tn_floor_length *length);
/* " word length", if it is written. */
void tn_canon_measure(struct tn_canon *c, const char *word, const struct tn_floor_measure *measure);
void tn_canon_size(struct tn_canon *c, const struct tn_floor_size *size); /* "(W x H)" or a name */
void tn_canon_string(struct tn_canon *c, struct tn_str inside);
void tn_canon_at(struct tn_canon *c, const struct tn_floor_at *at);
void tn_canon_relative(struct tn_canon *c, const struct tn_floor_at *at,
		       const struct tn_floor_relative *relative, bool extended);
void tn_canon_label(struct tn_canon *c, const struct tn_floor_text *label);
void tn_canon_style(struct tn_canon *c, const struct tn_floor_name *style);
/* ---- whole elements (canonical_stair.c) ---- */

void tn_canon_stair(struct tn_canon *c, const struct tn_floor_stair_tree *stair);
void tn_canon_lift(struct tn_canon *c, const struct tn_floor_lift_tree *lift);

#endif
