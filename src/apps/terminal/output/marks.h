/* marks.h - finds our own marks in a terminal's output, byte by byte, wherever it is split.
 *
 * A mark is OSC 133 with the session's nonce (terminal.md section 5.1):
 *   ESC ] 133 ; A ; tn=NONCE BEL                       a prompt begins
 *   ESC ] 133 ; B ; tn=NONCE BEL                       it ends, input begins
 *   ESC ] 133 ; C ; tn=NONCE [;n=NUMBER] BEL           a command starts
 *   ESC ] 133 ; D ; EXIT ; tn=NONCE [;n=NUMBER] [;cwd=PERCENT-ENCODED] BEL   it ended
 * (ST ends it as well.) What says OSC 133 without the right nonce is stripped and no mark. OSC 7 is
 * stripped, too; it counts between D (or A) and B. Everything else is handed on unchanged: this is
 * no filter, see live_filter.h. A mark is seen wherever its ESC stands, in the middle of a foreign
 * string that nobody ended as well. C1 controls begin nothing here: 0x9D is a part of many
 * characters, and no mark of ours has one.
 *
 * Threads: one at a time. Ownership: the caller's, all inline. */
#ifndef TN_TERM_MARKS_H
#define TN_TERM_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

enum {
	TN_NONCE_SIZE = 33,       /* 32 hex digits and the NUL */
	TN_MARK_BYTES_MAX = 8192, /* a longer OSC is handed on, not looked at */
	TN_MARK_CWD_SIZE = 4096
};

enum tn_mark_kind {
	TN_MARK_PROMPT,    /* A */
	TN_MARK_INPUT,     /* B */
	TN_MARK_START,     /* C */
	TN_MARK_END,       /* D */
	TN_MARK_DIRECTORY, /* OSC 7 that may be believed */
	TN_MARK_ALTERNATE, /* the alternate screen was switched on or off: CSI ? 47, 1047, 1049 h/l;
			      its bytes are text, too, handed on before */
	TN_MARK_RESET      /* RIS (ESC c), likewise */
};

struct tn_mark {
	enum tn_mark_kind kind;
	uint64_t from, to; /* stream offsets of the sequence */
	uint64_t number;   /* of the command; 0: none */
	int exit_code;     /* END; -1: it does not say */
	bool on;           /* ALTERNATE */
	struct tn_str cwd; /* END, DIRECTORY; decoded; empty: none. Lives for the call */
};

struct tn_marks {
	char nonce[TN_NONCE_SIZE];
	uint64_t offset; /* of the next byte */
	bool prompting;  /* between D (or A) and B */
	unsigned state;
	unsigned number;    /* of the OSC, or the parameter of the CSI, that is being read */
	bool alternate;     /* a parameter of this CSI names the alternate screen */
	uint64_t held_from; /* where the sequence that is being read began */
	uint32_t held_size; /* of it, from earlier feeds */
	char held[TN_MARK_BYTES_MAX];
};

struct tn_marks_sink {
	/* Bytes that are no mark; `from`: their stream offset. Held ones come in one piece. */
	void (*text)(struct tn_str bytes, uint64_t from, void *data);
	void (*mark)(const struct tn_mark *mark, void *data);
	/* An OSC 133 or 7 that is stripped and has no right nonce: a program's own; NULL: nobody
	 * asks. */
	void (*foreign)(struct tn_str bytes, uint64_t from, void *data);
	void *data;
};

void tn_marks_init(struct tn_marks *marks, const char *nonce, uint64_t offset);
void tn_marks_feed(struct tn_marks *marks, struct tn_str bytes, const struct tn_marks_sink *sink);
/* The stream has ended: what is held is text. */
void tn_marks_end(struct tn_marks *marks, const struct tn_marks_sink *sink);

#endif
