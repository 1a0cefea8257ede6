/* reading.h - objects that others wrote, field by field: what is known and of the right shape goes
 * into a tree of ours, everything else into a diagnostic (workbench.md sections 5 and 7).
 *
 * Ownership: the trees live in the reading's arena and share texts with what was read. A reading
 * stands at a place of its document (the pointer), which its user moves. Threads: one at a time. */
#ifndef TN_WB_REGISTRY_READING_H
#define TN_WB_REGISTRY_READING_H

#include "apps/workbench/values/diagnostic.h"
#include "base/map.h"
#include "jsonrpc/json_make.h"

struct tn_wb_reading {
	struct tn_arena *arena;
	struct tn_wb_diagnostics *diagnostics; /* NULL: nobody wants to know */
	const char *file;                      /* NULL: none */
	struct tn_buf pointer;                 /* where we are */
	struct tn_map unknown;                 /* fields that were reported: once each */
	bool failed;                           /* out of room: nothing more will be read */
	bool starved; /* because the system refused memory; the arena says so itself */
};

/* `pointer` is where the document begins in the file ("" or "/registry"). */
void tn_wb_reading_init(struct tn_wb_reading *reading, struct tn_arena *arena,
			struct tn_wb_diagnostics *diagnostics, const char *file,
			const char *pointer);
void tn_wb_reading_finish(struct tn_wb_reading *reading);

/* One step down; the result takes it back. */
size_t tn_wb_reading_enter(struct tn_wb_reading *reading, struct tn_str token);
void tn_wb_reading_leave(struct tn_wb_reading *reading, size_t mark);

void tn_wb_reading_say(struct tn_wb_reading *reading, enum tn_wb_severity severity,
		       const char *code, const char *format, ...) TN_PRINTF(4, 5);

enum tn_wb_shape {
	TN_WB_ANY,
	TN_WB_TEXT,
	TN_WB_FILLED, /* a text that is not empty */
	TN_WB_BOOL,
	TN_WB_NUMBER, /* finite */
	TN_WB_TEXTS,  /* an array of texts */
	TN_WB_OBJECT,
	TN_WB_FORMAT, /* hex, rgb, hsl */
	TN_WB_HINT    /* summary, json, code */
};
bool tn_wb_shape_is(enum tn_wb_shape shape, const struct tn_json *value);
const char *tn_wb_shape_name(enum tn_wb_shape shape);

struct tn_wb_field {
	const char *name; /* NULL ends a list */
	enum tn_wb_shape shape;
};
/* Puts those of the fields that the object has into the maker, in the order of the list. NULL, or
 * the first field of another shape; the others are in the maker all the same. */
const struct tn_wb_field *tn_wb_reading_fields(struct tn_json_maker *maker,
					       const struct tn_json *object,
					       const struct tn_wb_field *fields);
/* Reports members of the object that are in neither list (`more` may be NULL), each name once for
 * each `what`. */
void tn_wb_reading_unknown(struct tn_wb_reading *reading, const struct tn_json *object,
			   const char *what, const struct tn_wb_field *fields,
			   const struct tn_wb_field *more);

#endif
