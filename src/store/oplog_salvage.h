/* oplog_salvage.h - what can be saved of an operation log whose journal has a bad line.
 *
 * A log with a bad line is refused as a whole when it is opened (oplog.h): nothing is guessed. What
 * stands before that line is sound, each line by its checksum and by following the one before it;
 * salvage keeps that prefix, and a copy of the whole file beside it. What stands behind the line
 * rests on a change that is not known, so it stays in the copy only. Threads: any; the calls block.
 */
#ifndef TN_STORE_OPLOG_SALVAGE_H
#define TN_STORE_OPLOG_SALVAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct tn_oplog_salvage {
	bool is_damaged;     /* opening it would be refused because of the journal */
	size_t good_lines;   /* before the bad one */
	size_t lost_lines;   /* from it on */
	size_t good_bytes;   /* of the file */
	char copy[PATH_MAX]; /* after a repair: the file as it was */
};

/* Looks at the journal of the log at `path` (the snapshot's, without ".journal"); changes nothing.
 * A torn last line is no damage: a crash leaves one, and opening drops it. Fails: NOT_FOUND (no
 * journal), INVALID (the snapshot is damaged: nothing can be read), DENIED, LIMIT, SYSTEM,
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_salvage_look(const char *path, struct tn_oplog_salvage *ret,
						  struct tenon_error *err);

/* Keeps the good lines, after a copy with `stamp` in its name is on the disk; nothing when it is
 * not damaged. Fails: BUSY (a process has the log open), and as above; the journal is as it was
 * then. */
TN_MUST_USE enum tenon_code tn_oplog_salvage_repair(const char *path, const char *stamp,
						    struct tn_oplog_salvage *ret,
						    struct tenon_error *err);

#endif
