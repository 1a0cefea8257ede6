/* diagnostic.h - what is wrong or worth knowing about a workspace (workbench.md section 5).
 *
 * A list keeps the first TN_WB_DIAGNOSTICS_MAX entries and counts the rest. Ownership: the list has
 * copies of everything. Threads: one at a time. */
#ifndef TN_WB_VALUES_DIAGNOSTIC_H
#define TN_WB_VALUES_DIAGNOSTIC_H

#include <stdint.h>

#include "base/buf.h"

enum tn_wb_severity { TN_WB_ERROR, TN_WB_WARNING, TN_WB_INFO };

struct tn_wb_diagnostic {
	enum tn_wb_severity severity;
	const char *code;    /* "entry_invalid"; a literal, or copied by adding */
	const char *message; /* what is wrong and what to do */
	const char *file;    /* NULL, or relative to the workspace, with slashes */
	const char *pointer; /* NULL, or a JSON Pointer into the document at fault */
	uint32_t line;       /* 0: unknown */
};

struct tn_wb_diagnostics {
	struct tn_wb_diagnostic *items;
	size_t count, capacity;
	size_t dropped; /* beyond the limit, or for want of memory */
};

void tn_wb_diagnostics_init(struct tn_wb_diagnostics *list); /* allocates nothing */
void tn_wb_diagnostics_finish(struct tn_wb_diagnostics *list);
/* `list` may be NULL: nobody wants to know. */
void tn_wb_diagnose(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostic *diagnostic);
/* With the message made of a format; `of` has the rest. */
void tn_wb_diagnose_format(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostic *of,
			   const char *format, ...) TN_PRINTF(3, 4);
/* All of `more`, in order. */
void tn_wb_diagnostics_add(struct tn_wb_diagnostics *list, const struct tn_wb_diagnostics *more);
/* The same in the same order. */
bool tn_wb_diagnostics_equal(const struct tn_wb_diagnostics *a, const struct tn_wb_diagnostics *b);
/* As a JSON array, absent members left out. */
void tn_wb_diagnostics_put(struct tn_buf *out, const struct tn_wb_diagnostics *list);
/* The same as elements of an array that is begun already. Beyond TN_WB_TOLD_BYTES_MAX they are
 * counted in one that says how many. */
void tn_wb_diagnostics_put_items(struct tn_buf *out, const struct tn_wb_diagnostics *list);

#endif
