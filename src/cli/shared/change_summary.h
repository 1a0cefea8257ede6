/* change_summary.h - what differs between two contents of a resource, in one line. Threads: any. */
#ifndef TN_CLI_CHANGE_SUMMARY_H
#define TN_CLI_CHANGE_SUMMARY_H

#include "base/buf.h"

/* "calls.total 3 -> 4, clients[1] added, and 3 more" of JSON; "+2 -1 lines" of other texts; nothing
 * when both are the same. Appends to `out`. */
void tn_change_summary(struct tn_str before, struct tn_str after, struct tn_buf *out);

#endif
