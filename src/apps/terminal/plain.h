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
	/* Cursor movement across lines is carried out on a screen of this size (6.3, 4); 0:
	 * ignored.
	 */
	uint16_t columns, rows;
	/* Characters of a line that are shown; then `…[+N]`; 0: all. */
	uint32_t line_characters_max;
	/* A finished line without its end. `from`: the offset given to the feed in which it began.
	 */
	void (*line)(struct tn_str text, uint64_t from, bool is_last, void *data);
	void *data;
};

TN_MUST_USE enum tenon_code tn_plain_create(const struct tn_plain_options *options,
					    struct tn_plain **ret, struct tenon_error *err);
void tn_plain_destroy(struct tn_plain *plain); /* accepts NULL */
void tn_plain_feed(struct tn_plain *plain, struct tn_str bytes, uint64_t from);
/* The last line, if it has anything; the machine is as new. */
void tn_plain_end(struct tn_plain *plain);
bool tn_plain_rendered(const struct tn_plain *plain); /* lines were taken from a screen */

#endif
