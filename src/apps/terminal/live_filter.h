/* live_filter.h - what viewers and recordings get of a terminal's bytes (terminal.md 10.4):
 * clipboard, reports, colour questions and answer-back are taken out, everything that draws stays.
 *
 * Split anywhere. Threads: one at a time. Ownership: the caller's, all inline. */
#ifndef TN_TERM_LIVE_FILTER_H
#define TN_TERM_LIVE_FILTER_H

#include "base/buf.h"
#include "base/str.h"

struct tn_live_filter {
	unsigned state;
	uint32_t held_size;
	char held[512];
};
void tn_live_filter_init(struct tn_live_filter *filter);
void tn_live_filter_feed(struct tn_live_filter *filter, struct tn_str bytes, struct tn_buf *out);

#endif
