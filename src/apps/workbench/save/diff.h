/* diff.h - what edits make of a text, as a unified diff that `patch -p1` takes. Threads: any. */
#ifndef TN_WB_SAVE_DIFF_H
#define TN_WB_SAVE_DIFF_H

#include "apps/workbench/edit/edit.h"

/* Appends the diff of one file, three lines around each change; nothing where nothing changes. The
 * edits are in order and do not overlap. */
void tn_wb_put_diff(struct tn_buf *out, struct tn_str path, struct tn_str before,
		    const struct tn_wb_replacement *list, size_t count);

#endif
