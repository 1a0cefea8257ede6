/* file.h - whole files: read with a cap, replaced so that a crash leaves the old or the new one.
 *
 * Threads: any, but these calls block: on the loop's thread they belong into a job. Messages never
 * carry the path, so they may be shown to a peer. */
#ifndef TN_STORE_FILE_H
#define TN_STORE_FILE_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

enum {
	TN_FILE_NO_FOLLOW = 1 << 0,   /* a symbolic link as last component is refused */
	TN_FILE_REGULAR_ONLY = 1 << 1 /* no pipes, devices or folders: opening them can hang */
};

/* Opens for reading; on success *ret_fd belongs to the caller.
 * Fails: NOT_FOUND (no such file), DENIED (permission, link, not regular), SYSTEM. */
TN_MUST_USE enum tenon_code tn_file_open(const char *path, unsigned flags, int *ret_fd,
					 struct tenon_error *err);

/* The same, by a name in a folder that is open (or AT_FDCWD). */
TN_MUST_USE enum tenon_code tn_file_open_at(int folder, const char *name, unsigned flags,
					    int *ret_fd, struct tenon_error *err);

/* Appends the whole file to `out`, whose own limit is the cap.
 * Fails: as tn_file_open, and LIMIT (the buffer's cap), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_file_read(const char *path, unsigned flags, struct tn_buf *out,
					 struct tenon_error *err);

/* Writes all of it at the descriptor's place, and to the disk. Fails: SYSTEM. */
TN_MUST_USE enum tenon_code tn_file_write_all(int fd, struct tn_str data, struct tenon_error *err);

/* Replaces the file: temporary file beside it, fsync, rename, fsync of the folder. Either the old
 * or the new content is there afterwards, whatever happens. `mode` is the new file's.
 * Fails: DENIED, NOT_FOUND (no such folder), SYSTEM. */
TN_MUST_USE enum tenon_code tn_file_write(const char *path, mode_t mode, struct tn_str data,
					  struct tenon_error *err);

/* The same, by a name in a folder that is open, as O_PATH, too. */
TN_MUST_USE enum tenon_code tn_file_write_at(int folder, const char *name, mode_t mode,
					     struct tn_str data, struct tenon_error *err);

/* The same, unless the file is another than the caller knows: `known` is the SHA-256 of its bytes,
 * in hexadecimal, "" where there is none. Looked at when the new content is on the disk, and once
 * more when it is in place: what others have put there meanwhile goes back. Processes that use this
 * take turns (a lock on the folder, waited for up to two seconds). Fails: as above, and EXPIRED (it
 * is another). */
TN_MUST_USE enum tenon_code tn_file_write_known_at(int folder, const char *name, mode_t mode,
						   struct tn_str data, const char *known,
						   struct tenon_error *err);

/* Makes the folder and those above it; one that exists is fine and keeps its mode.
 * Fails: DENIED, INVALID (something else is in the way, path too long), SYSTEM. */
TN_MUST_USE enum tenon_code tn_dir_create(const char *path, mode_t mode, struct tenon_error *err);

/* The folder for what must survive: $XDG_STATE_HOME/tenon or $HOME/.local/state/tenon. Made with
 * mode 0700 when it is missing and `create` says so.
 * Fails: NOT_FOUND (neither variable is set), and as tn_dir_create. */
TN_MUST_USE enum tenon_code tn_dir_state(struct tn_buf *ret_path, bool create,
					 struct tenon_error *err);

#endif
