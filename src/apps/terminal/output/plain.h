/* plain.h - terminal output as plain text (terminal.md section 6.3), or with colours only.
 *
 * A state machine over bytes that may be split anywhere: UTF-8 (U+FFFD for what is none), escapes
 * removed, carriage returns, backspaces and erasures carried out within the line, CRLF to LF. A
 * line is handed on when it ends; tn_plain_end hands on the last one. Own marks must be gone before
 * (marks.h). Threads: one at a time. Ownership: the caller's. */
#ifndef TN_TERM_PLAIN_H
#define TN_TERM_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum tn_plain_format { TN_PLAIN_TEXT, TN_PLAIN_ANSI /* SGR kept */ };

struct tn_plain;

struct tn_plain_options {
	enum tn_plain_format format;
	/* Of the terminal: how wide a row is, and for cursor movement across lines, which is
	 * carried out on a screen of this size (6.3, 4). Lines are then held back while they could
	 * still change. 0: one row is as long as it gets, such movement is ignored. */
	uint16_t columns, rows;
	/* Characters of a line that are shown; then `…[+N]`; 0: as many as are kept at all. */
	uint32_t line_characters_max;
	/* A line without its end. `from`: the offset of its first byte; lines taken from a screen
	 * all have that of the first of them. `unfinished`: it ended with the stream. */
	void (*line)(struct tn_str text, uint64_t from, bool unfinished, void *data);
	void *data;
};

TN_MUST_USE enum tenon_code tn_plain_create(const struct tn_plain_options *options,
					    struct tn_plain **ret, struct tenon_error *err);
void tn_plain_destroy(struct tn_plain *plain); /* accepts NULL */
/* `from`: the offset of the first byte. */
void tn_plain_feed(struct tn_plain *plain, struct tn_str bytes, uint64_t from);
/* Text that is shown instead of the bytes at `at`. */
void tn_plain_insert(struct tn_plain *plain, struct tn_str text, uint64_t at);
/* The last line, if it has anything; the machine is as new. */
void tn_plain_end(struct tn_plain *plain);
/* Lines were taken from a screen; until the next feed. */
bool tn_plain_rendered(const struct tn_plain *plain);
/* No character and no escape sequence is unfinished. */
bool tn_plain_is_whole(const struct tn_plain *plain);
/* Bytes of the text of the unfinished line; SIZE_MAX: something has moved in it, so it cannot be
 * cut. */
size_t tn_plain_line_size(const struct tn_plain *plain);

#endif
