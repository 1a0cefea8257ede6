/* oplog_disk.h - the three files of an operation log: snapshot, journal and lock. Private to the
 * log.
 *
 * Knows bytes and descriptors, not what they mean. Threads: loop, apart from
 * tn_oplog_disk_sync_fds, which a worker calls with descriptors of its own. */
#ifndef TN_STORE_OPLOG_DISK_H
#define TN_STORE_OPLOG_DISK_H

#include "base/buf.h"

struct tn_oplog_disk {
	char *path, *journal_path, *lock_path; /* NULL: memory only */
	int lock_fd, journal_fd;               /* -1: not open */
	size_t journal_size;                   /* what counts; there may be torn bytes behind it */
	bool torn;
	bool is_new;   /* the journal's name may not be on the disk yet */
	bool unsynced; /* lines may not be on the disk yet */
};

/* `path` NULL: every function does nothing and succeeds. Takes the lock.
 * Fails: BUSY (which process has it), NOT_FOUND (no folder), DENIED, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_oplog_disk_open(struct tn_oplog_disk *disk, const char *path,
					       struct tenon_error *err);
/* Gives the lock back. `journal_done`: nobody needs the journal any more. */
void tn_oplog_disk_close(struct tn_oplog_disk *disk, bool journal_done);

/* Appends what is there; nothing when the file does not exist. */
TN_MUST_USE enum tenon_code tn_oplog_disk_read(const struct tn_oplog_disk *disk, bool journal,
					       struct tn_buf *out, struct tenon_error *err);
/* The journal as far as it is good; the rest is cut off with the next line. */
void tn_oplog_disk_keep(struct tn_oplog_disk *disk, size_t good_size, size_t size);

/* Fails: LIMIT, SYSTEM; the line is not there then. */
TN_MUST_USE enum tenon_code tn_oplog_disk_append(struct tn_oplog_disk *disk, struct tn_str line,
						 struct tenon_error *err);
/* Replaces the snapshot, then empties the journal. */
TN_MUST_USE enum tenon_code tn_oplog_disk_replace(struct tn_oplog_disk *disk,
						  struct tn_str snapshot, struct tenon_error *err);

/* Descriptors of one's own for syncing elsewhere: the journal and, when its name is new, its
 * folder (else -1). Fails: SYSTEM. */
struct tn_oplog_sync_fds {
	int journal, folder;
};
TN_MUST_USE enum tenon_code tn_oplog_disk_sync_begin(struct tn_oplog_disk *disk,
						     struct tn_oplog_sync_fds *ret,
						     struct tenon_error *err);
/* Blocks; closes both. */
TN_MUST_USE enum tenon_code tn_oplog_disk_sync_fds(struct tn_oplog_sync_fds *fds,
						   struct tenon_error *err);

#endif
