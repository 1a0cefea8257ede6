/* diff.h - two texts as a unified diff of one hunk. Threads: any. */
#ifndef TN_CLI_DIFF_H
#define TN_CLI_DIFF_H

#include "base/buf.h"

/* Appends the lines that differ, three lines around them, and a header with both names; nothing
 * when the texts are equal. Between the first and the last line that differ, at most a thousand
 * lines are matched up; more are shown as all replaced. */
void tn_diff(struct tn_str before, struct tn_str after, const char *name_before,
	     const char *name_after, struct tn_buf *out);

#endif
