/* live_filter.h - what viewers and recordings get of a terminal's bytes (terminal.md 10.4):
 * clipboard, reports, colour questions and answer-back are taken out, everything that draws stays.
 *
 * The session answers what may be answered, once; with viewers that answer, too, the program would
 * read each answer twice. Bytes are read as our screen reads them, so that a viewer cannot be shown
 * what the screen does not show; what comes out is UTF-8 with ESC sequences of seven bits, each of
 * them whole: at most TN_LIVE_FILTER_GROWTH times the input and TN_LIVE_FILTER_HELD bytes.
 *
 * Split anywhere. Threads: one at a time. Ownership: the caller's, all inline. */
#ifndef TN_TERM_LIVE_FILTER_H
#define TN_TERM_LIVE_FILTER_H

#include "apps/terminal/screen/vt_parser.h"
#include "base/buf.h"
#include "base/str.h"

enum {
	TN_LIVE_FILTER_GROWTH = 3,  /* U+FFFD instead of one byte */
	TN_LIVE_FILTER_HELD = 2048, /* of a sequence that is not over */
	TN_LIVE_TITLE_CODES_MAX = 128
};

struct tn_live_filter {
	struct tn_vt_parser parser;
	bool took_out; /* something since the last character: REP repeats none then */
};
void tn_live_filter_init(struct tn_live_filter *filter);
void tn_live_filter_feed(struct tn_live_filter *filter, struct tn_str bytes, struct tn_buf *out);

#endif
