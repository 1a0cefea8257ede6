/* output.h - a stretch of a session's output as an answer: cleaned, cut to size, with where to go
 * on (terminal.md section 6).
 *
 * Only the head and the tail of a long stretch are read: the time depends on what is asked for, not
 * on how much there is. Our marks are never shown, in no format: whoever knows the nonce could say
 * that a command has ended. Threads: loop. Ownership: the caller finishes the result. */
#ifndef TN_TERM_OUTPUT_H
#define TN_TERM_OUTPUT_H

#include "apps/terminal/output/plain.h"
#include "apps/terminal/output/spool.h"

enum tn_output_format { TN_OUTPUT_PLAIN, TN_OUTPUT_ANSI, TN_OUTPUT_RAW /* base64 */ };
enum tn_output_omit { TN_OUTPUT_OMIT_MIDDLE, TN_OUTPUT_OMIT_HEAD, TN_OUTPUT_OMIT_TAIL };

/* Bytes that are shown as other text: the echo of a helper line, frames of a full-screen program.
 * Kept by the session in the order of `from`, none overlapping. */
struct tn_output_edit {
	uint64_t from, to;  /* stream offsets */
	struct tn_str text; /* instead of them; empty: nothing */
	bool frames;        /* of a full-screen program: raw output has the bytes all the same */
};

struct tn_output_source {
	struct tn_spool *spool;
	uint64_t ahead;    /* the spool's last bytes, which nobody has been told of yet */
	const char *nonce; /* our marks are left out */
	const struct tn_output_edit *edits;
	size_t edit_count;
	uint16_t columns, rows;
	const char *epoch; /* of the session, for cursors */
};

struct tn_output_wish {
	uint64_t from, to; /* [from, to): clipped to what there is */
	enum tn_output_format format;
	enum tn_output_omit omit;
	size_t bytes_max;   /* of the text, without the line that says what is omitted */
	uint32_t lines_max; /* likewise; 0: no limit. What is too much is omitted as `omit` says */
	/* Only the last so many lines of the stretch are wanted at all: nothing is said of what is
	 * before them. 0: all. */
	uint32_t last_lines;
	/* The next piece of at most bytes_max from `from` on, without omission: what a cursor asks
	 * for. Pieces put together are the whole: none is shortened at its end. Otherwise all of
	 * it, with a part omitted when it is too long, and at most one newline at the end. */
	bool contiguous;
};

struct tn_output {
	struct tn_buf text;
	uint64_t from;      /* the first byte that was asked for and is there */
	uint64_t next;      /* where the omitted part begins, or the rest */
	uint64_t gap_bytes; /* asked for, but gone from the spool */
	uint64_t omitted_bytes;
	bool truncated; /* not all of it is in `text` */
	bool rendered;
	bool more; /* something after `next` can be read now; an unfinished character cannot */
};

/* RAW is the program's bytes with the edits that are no frames; bytes_max counts bytes before
 * base64, lines_max does not apply. Nothing can stand in the middle of it: too long, it is the
 * first piece, or with OMIT_HEAD the last. Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_output_make(const struct tn_output_source *source,
					   const struct tn_output_wish *wish, struct tn_output *ret,
					   struct tenon_error *err);
void tn_output_finish(struct tn_output *output);

/* "c1.EPOCH.OFFSET" */
enum { TN_CURSOR_TEXT_SIZE = 64 };
void tn_output_cursor(const char *epoch, uint64_t offset, char out[TN_CURSOR_TEXT_SIZE]);
/* Fails: INVALID (not one of ours), EXPIRED (of another session). */
TN_MUST_USE enum tenon_code tn_output_read_cursor(struct tn_str text, const char *epoch,
						  uint64_t *ret_offset, struct tenon_error *err);

#endif
