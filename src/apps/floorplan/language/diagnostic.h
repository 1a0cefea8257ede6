/* diagnostic.h - what is wrong with a plan, where, and what to do about it (floorplan.md section
 * 5).
 *
 * Collected by the phases in any order, handed out by line, column, code. Everything lives in the
 * plan's arena. Threads: one at a time. */
#ifndef TN_FLOOR_DIAGNOSTIC_H
#define TN_FLOOR_DIAGNOSTIC_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum tn_floor_severity { TN_FLOOR_ERROR, TN_FLOOR_WARNING, TN_FLOOR_INFO };

struct tn_floor_range {      /* lines and columns from 1; the end is exclusive (L2, 5.1) */
	uint32_t start, end; /* bytes */
	uint32_t line, column, end_line, end_column;
};

struct tn_floor_diagnostic {
	int code; /* 2004: FP2004 */
	enum tn_floor_severity severity;
	struct tn_floor_range range;
	const char *message;             /* one sentence in plain words */
	const char *hint, *room, *floor; /* NULL: none */
	struct tn_floor_range related;   /* line 0: none */
	const char *related_message;
	/* An edit that would cure it: a JSON object of modify_floorplan's `operations`; NULL: none.
	 */
	const char *fix;
	struct tn_floor_diagnostic *next;
};

struct tn_floor_diagnostics {
	struct tn_arena *arena;
	struct tn_floor_diagnostic *first, *last;
	size_t counts[3]; /* by severity */
	bool starved;     /* memory ran out: the list is not whole */
	bool silent;      /* nobody will read it: phase 4 tells nothing */
};

void tn_floor_diagnostics_init(struct tn_floor_diagnostics *list, struct tn_arena *arena);
/* The severity is that of the code's table; FP6002-FP6005 are told theirs by
 * tn_floor_diagnose_as. Returns it, to add a hint or a related place; NULL: no memory. */
struct tn_floor_diagnostic *tn_floor_diagnose(struct tn_floor_diagnostics *list, int code,
					      const struct tn_floor_range *range,
					      const char *format, ...) TN_PRINTF(4, 5);
struct tn_floor_diagnostic *tn_floor_diagnose_as(struct tn_floor_diagnostics *list, int code,
						 enum tn_floor_severity severity,
						 const struct tn_floor_range *range,
						 const char *format, ...) TN_PRINTF(5, 6);
void tn_floor_diagnostics_sort(struct tn_floor_diagnostics *list); /* line, column, code */

/* The array of one severity, at most `max`; *ret_cut: there were more. */
void tn_floor_diagnostics_put(struct tn_buf *out, const struct tn_floor_diagnostics *list,
			      enum tn_floor_severity severity, size_t max, bool *ret_cut);
void tn_floor_diagnostic_put(struct tn_buf *out, const struct tn_floor_diagnostic *one);
/* "file:line:column: error FP2004: message" and a line end. */
void tn_floor_diagnostic_print(struct tn_buf *out, const char *file,
			       const struct tn_floor_diagnostic *one);

/* The table of 5.3, for documentation: false at the end. */
bool tn_floor_code_at(size_t index, int *ret_code, const char **ret_severity,
		      const char **ret_when);

#endif
