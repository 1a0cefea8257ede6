/* spool.h - the raw output of one session, by stream offset, in segment files of a private folder
 * (terminal.md section 6.1).
 *
 * Appending writes at once (into the page cache: a killed process loses nothing; nothing is
 * synced). Beyond the session's budget, or that of all, the oldest segments go. Ownership: the
 * caller's. Threads: loop; writes do not wait for the disk but may fail when it is full. */
#ifndef TN_TERM_SPOOL_H
#define TN_TERM_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

struct tn_spool;

/* What all spools of a server may take together; the largest one gives first. All zero but the
 * budget is ready for use. */
struct tn_spool_budget {
	uint64_t bytes_max, bytes;
	struct tn_spool *first;
};

/* Opens or makes the folder; with what it has already, so that a new daemon goes on. It is locked
 * until it is closed, or this process ends. Fails: BUSY (another one has it), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_spool_open(const char *folder, uint64_t bytes_max,
					  struct tn_spool_budget *budget, struct tn_spool **ret,
					  struct tenon_error *err);
void tn_spool_close(struct tn_spool *spool);  /* keeps the files; accepts NULL */
void tn_spool_remove(struct tn_spool *spool); /* and the folder with everything in it */

uint64_t tn_spool_begin(const struct tn_spool *spool); /* the oldest offset there is */
uint64_t tn_spool_end(const struct tn_spool *spool);

/* `at` may lie before the end (a killed daemon wrote but did not consume): what stood from there on
 * is gone then, written or not. When `at` lies beyond the end, or before the begin, all that was
 * there goes: what is left has no hole. A write may take the oldest segments of this spool or of
 * others with it; when the disk is full, as many as it needs. Fails: LIMIT (the disk is full and
 * nothing is left to give up: nothing was written), SYSTEM, NO_MEMORY. `err` is not NULL. */
TN_MUST_USE enum tenon_code tn_spool_write(struct tn_spool *spool, uint64_t at, struct tn_str bytes,
					   struct tenon_error *err);

/* Whether a write has given old output up because the disk was full, since this was last asked:
 * what it tells is cleared by it. */
bool tn_spool_clear_gave(struct tn_spool *spool);

/* For a file of ours for which the disk has no room: the spool that has most gives up its oldest
 * segment. False: what they have is not worth it. */
bool tn_spool_make_room(struct tn_spool_budget *budget);

/* Reads at most `max` bytes at `from` (>= begin) onto `out`; fewer at the end or a segment's
 * border, none at the end. Fails: EXPIRED (gone by now), SYSTEM, LIMIT and NO_MEMORY of `out`. */
TN_MUST_USE enum tenon_code tn_spool_read(struct tn_spool *spool, uint64_t from, size_t max,
					  struct tn_buf *out, struct tenon_error *err);

#endif
