/* runtime.h - where a user's daemon is found: the runtime folder, the lock, the discovery file.
 *
 * Threads: main, or loop. Messages may name paths: they are for the user at this machine. */
#ifndef TN_HOST_RUNTIME_H
#define TN_HOST_RUNTIME_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define TN_TOKEN_TEXT_MAX 128 /* with the final NUL */

/* Absolute paths (docs/daemon.md, "Files"). */
struct tn_runtime_paths {
	char folder[PATH_MAX], lock[PATH_MAX], discovery[PATH_MAX], person[PATH_MAX];
	char launch[PATH_MAX];
};
/* Makes the folder when it is missing and `create` says so. Fails: DENIED (it is somebody else's,
 * or open to others), SYSTEM. */
TN_MUST_USE enum tenon_code tn_runtime_find(struct tn_runtime_paths *ret, bool create,
					    struct tenon_error *err);

struct tn_discovery {
	int64_t pid;
	uint16_t http_port, bridge_port;
	char url[256]; /* "http://127.0.0.1:7777" */
	char token[TN_TOKEN_TEXT_MAX];
	char version[32], started_at[32];
};
/* Fails: NOT_FOUND (no daemon lives: no file, or nobody holds the lock), INVALID (not ours to
 * read, or not what we write), SYSTEM. */
TN_MUST_USE enum tenon_code tn_discovery_read(const struct tn_runtime_paths *paths,
					      struct tn_discovery *ret, struct tenon_error *err);
/* The same without asking whether the daemon lives: opens this one file and no other (FR-05). What
 * a killed daemon left is still there. Fails: NOT_FOUND (no file), INVALID, SYSTEM. */
TN_MUST_USE enum tenon_code tn_discovery_peek(const struct tn_runtime_paths *paths,
					      struct tn_discovery *ret, struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_discovery_parse(struct tn_str text, struct tn_discovery *ret,
					       struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_discovery_write(const struct tn_runtime_paths *paths,
					       const struct tn_discovery *discovery,
					       struct tenon_error *err);

void tn_discovery_put(const struct tn_discovery *discovery, struct tn_buf *out); /* as JSON */

/* *ret_fd holds the lock until it is closed, or the process ends. Fails: BUSY (a daemon lives). */
TN_MUST_USE enum tenon_code tn_runtime_lock(const struct tn_runtime_paths *paths, int *ret_fd,
					    struct tenon_error *err);

/* The lock that is held is the one that others find: its folder has not been removed meanwhile. */
bool tn_runtime_is_ours(const struct tn_runtime_paths *paths, int lock_fd);

bool tn_runtime_is_held(const struct tn_runtime_paths *paths); /* a daemon lives */

/* Makes sure that a daemon answers, starting one when none lives; what `tenond --launch` does. The
 * relay and every verb come here. A daemon that died is started again three times in a row at most;
 * 60 s of health start the count anew, and so does `reset` (a person said "tenon up").
 * Fails: LIMIT (it died too often; the message has its last line of log), SYSTEM, INVALID (its
 * configuration; the message is its own). */
TN_MUST_USE enum tenon_code tn_launch(bool reset, struct tn_discovery *ret,
				      struct tenon_error *err);

#endif
