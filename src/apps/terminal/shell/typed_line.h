/* typed_line.h - what stands on the input line of a shell, put together from the keys sent to it,
 * so that it is looked at before Enter is (terminal.md section 10.1).
 *
 * Keys that edit with the cursor, the history or completion make the line hidden: what it says then
 * is known to the shell only. A line that goes on (a quote is open, a backslash at its end) stays
 * until it is whole. Ownership: the caller's; nothing is allocated. All zero is an
 * empty line. Threads: loop. */
#ifndef TN_TERM_TYPED_LINE_H
#define TN_TERM_TYPED_LINE_H

#include <stdbool.h>

#include "base/str.h"

enum { TN_TYPED_LINE_MAX = 4096 }; /* what the kernel takes in one line */

struct tn_typed_line {
	char text[TN_TYPED_LINE_MAX];
	size_t size;
	/* So many bytes of the beginning were typed for another program. The shell gets none of
	 * them, all, or the last ones: those that it had not read when it ended. */
	size_t leaked;
	bool hidden;   /* and `text` is what is known of it */
	bool entered;  /* Enter came: the next byte begins a new line */
	bool stays;    /* entered by ^D, which an editor of lines takes for something else */
	bool escape;   /* in an escape sequence of a key */
	bool prefixed; /* ^X came just before */
	bool in_paste; /* between the marks of a bracketed paste */
	char sequence[8];
	size_t sequence_size;
};

void tn_typed_line_reset(struct tn_typed_line *line);
/* The shell shows a new prompt; what was typed ahead may be on its line already. */
void tn_typed_line_prompted(struct tn_typed_line *line);

/* Takes bytes up to and with the next Enter. Returns how many; *ret_entered: Enter was among them,
 * and `text` is the line without it. The next call begins a new line, unless
 * tn_typed_line_continue was called in between. */
size_t tn_typed_line_feed(struct tn_typed_line *line, struct tn_str bytes, bool *ret_entered);
/* Bytes for another program than the shell: what stands behind the last Enter may come to the shell
 * when that ends. */
void tn_typed_line_lend(struct tn_typed_line *line, struct tn_str bytes);
/* bash and zsh put lines of the history in place of !word before they read it. */
bool tn_typed_line_asks_history(const struct tn_typed_line *line);
/* The shell will ask for more: what was typed is a part of what comes. */
void tn_typed_line_continue(struct tn_typed_line *line);

#endif
