/* output.h - a stretch of a session's output as an answer: cleaned, cut to size, with where to go
 * on (terminal.md section 6).
 *
 * Threads: loop. Ownership: the caller finishes the result. */
#ifndef TN_TERM_OUTPUT_H
#define TN_TERM_OUTPUT_H

#include "apps/terminal/plain.h"
#include "apps/terminal/spool.h"

enum tn_output_format { TN_OUTPUT_PLAIN, TN_OUTPUT_ANSI, TN_OUTPUT_RAW /* base64 */ };
enum tn_output_omit { TN_OUTPUT_OMIT_MIDDLE, TN_OUTPUT_OMIT_HEAD, TN_OUTPUT_OMIT_TAIL };

/* Bytes that are shown as other text: the echo of a helper line, frames of a full-screen program.
 * Kept by the session in the order of `from`, none overlapping. */
struct tn_output_edit {
	uint64_t from, to;  /* stream offsets */
	struct tn_str text; /* instead of them; empty: nothing */
};

struct tn_output_source {
	struct tn_spool *spool;
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
	size_t bytes_max;   /* of the text */
	uint32_t lines_max; /* 0: no limit */
	/* The next piece of at most bytes_max from `from` on, without omission: what a cursor asks
	 * for. Otherwise all of it, with a part omitted when it is too long. */
	bool contiguous;
};

struct tn_output {
	struct tn_buf text;
	uint64_t from,
		next; /* what was covered; `next` is where the omitted part begins, or the rest */
	uint64_t gap_bytes; /* asked for, but gone from the spool */
	uint64_t omitted_bytes;
	bool truncated, rendered, more;
};

/* Fails: SYSTEM, NO_MEMORY. */
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
