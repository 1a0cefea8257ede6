/* lines.h - what an object says before and after, as lines of text, and which of them differ. Equal
 * things are equal lines, wherever they stood. Threads: any; no state. */
#ifndef TN_PLAN_LINES_H
#define TN_PLAN_LINES_H

#include "base/buf.h"

enum { TN_PLAN_LINES_SHOWN = 3, TN_PLAN_LINES_BYTES_MAX = 256 * 1024 };

/* Those of `lines` that `other` has not, each once, `before` in front of each and commas between
 * them and what stands behind `start`, those about everybody or everything first. Returns how many
 * there are; of more than three the rest is counted. */
unsigned tn_plan_put_difference(struct tn_buf *out, size_t start, struct tn_str lines,
				struct tn_str other, const char *before);

#endif
