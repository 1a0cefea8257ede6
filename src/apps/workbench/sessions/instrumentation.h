/* instrumentation.h - what of a project's components a server has instrumented, and what not, and
 * why (workbench.md 10.3, R13).
 *
 * Ownership: the caller's struct. Limit: TN_WB_ENTRIES_MAX. Threads: one at a time. */
#ifndef TN_WB_SESSIONS_INSTRUMENTATION_H
#define TN_WB_SESSIONS_INSTRUMENTATION_H

#include "base/buf.h"
#include "base/map.h"

struct tn_wb_instrumentation {
	struct tn_map rows; /* of type, target and export */
	size_t skipped;
};

struct tn_wb_instrumented {
	struct tn_str type_id, target, export_name;
	struct tn_str reason; /* empty: it is instrumented */
};

void tn_wb_instrumentation_init(struct tn_wb_instrumentation *all); /* allocates nothing */
void tn_wb_instrumentation_finish(struct tn_wb_instrumentation *all);
/* The last word on a hint counts. False: nothing is another, or there is no room. */
bool tn_wb_instrumentation_add(struct tn_wb_instrumentation *all,
			       const struct tn_wb_instrumented *row);
/* False: it was not there. */
bool tn_wb_instrumentation_remove(struct tn_wb_instrumentation *all,
				  const struct tn_wb_instrumented *row);
/* All of `from`, as far as there is room. */
void tn_wb_instrumentation_copy(struct tn_wb_instrumentation *all,
				const struct tn_wb_instrumentation *from);
/* {"instrumented":[...],"skipped":[...]}, by type id; of what exceeds TN_WB_HINTS_BYTES_MAX the
 * number: "moreInstrumented", "moreSkipped". */
void tn_wb_instrumentation_put(struct tn_buf *out, const struct tn_wb_instrumentation *all);
/* Which are left out, in a sentence; nothing where none is. */
void tn_wb_instrumentation_put_skipped(struct tn_buf *out, const struct tn_wb_instrumentation *all);

#endif
