/* record.h - a session as a file that can be played again: asciicast v2, what viewers see and when
 * (terminal.md sections 7.4 and 8).
 *
 * Nothing that is typed is recorded, only what the session shows; what viewers do not get
 * (live_filter.h) is not in it either. Each piece is written when it comes, so a killed daemon
 * loses none; opened again the file goes on. Ownership: the caller's, from open to close, which
 * precedes the session's end of life. One that ends early
 * says so in its last line. Threads: loop; writes do not wait for the disk. */
#ifndef TN_TERM_RECORD_H
#define TN_TERM_RECORD_H

#include "apps/terminal/session/watch.h"
#include "base/clock.h"

struct tn_record;

/* Makes the file (0600), or goes on with the one that is there. Fails: DENIED (a link of either
 * kind, or no plain file), INVALID (what is there is no recording), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_record_open(struct tn_term_session *session, const char *path,
					   const struct tn_clock *clock, struct tn_record **ret,
					   struct tenon_error *err);
void tn_record_close(struct tn_record *record); /* the file stays; accepts NULL */

/* Why nothing is recorded any more: a full disk, TN_RECORD_BYTES_MAX (the session has it as
 * record_ended), or the session's end. NULL: it goes on. */
const char *tn_record_problem(const struct tn_record *record);

#endif
