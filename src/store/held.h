/* held.h - an input of something that a person is asked about, held so that it cannot become
 * another one before it is used: a file opened once, copied and hashed; a folder kept by
 * descriptor.
 *
 * A file's copy is memory without a name that nobody can write any more (sealed), so whoever is
 * given the descriptor, or /proc/self/fd/N of a process that has it, reads what was hashed. A
 * folder's descriptor leads to that folder whatever its names lead to. Ownership: the caller
 * finishes. Threads: any, but these calls read files: large ones belong into a job. */
#ifndef TN_STORE_HELD_H
#define TN_STORE_HELD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/str.h"

struct tn_held {
	int fd; /* of the copy, or O_PATH of the folder; -1: nothing is held */
	bool is_folder;
	uint64_t device, inode;          /* of the original */
	uint64_t size_bytes;             /* of a file */
	mode_t mode;                     /* of the original */
	char digest[TN_DIGEST_HEX_SIZE]; /* of a file's bytes; empty for a folder */
	char path[PATH_MAX];             /* of a folder: its real path when it was opened */
};

void tn_held_init(struct tn_held *held);   /* holds nothing */
void tn_held_finish(struct tn_held *held); /* accepts one that holds nothing */

/* A regular file of at most `bytes_max`; symbolic links are followed. `path` is seen from the
 * folder `at` (AT_FDCWD: the process's own). On failure *held holds nothing. Fails: NOT_FOUND,
 * DENIED (permission, or no regular file), LIMIT (too large), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_held_file(struct tn_held *held, int at, const char *path,
					 size_t bytes_max, struct tenon_error *err);
/* Fails: NOT_FOUND, INVALID (no folder), DENIED, SYSTEM. */
TN_MUST_USE enum tenon_code tn_held_folder(struct tn_held *held, int at, const char *path,
					   struct tenon_error *err);
/* The same for one that is open already (it is duplicated). */
TN_MUST_USE enum tenon_code tn_held_folder_fd(struct tn_held *held, int fd,
					      struct tenon_error *err);

/* The name leads to the same now: a file of the same bytes, that very folder. */
bool tn_held_is_still(const struct tn_held *held, int at, const char *path);

/* The bytes of a held file, mapped read-only until it is unmapped; {NULL, 0} when it is empty or
 * cannot be mapped. */
struct tn_str tn_held_map(const struct tn_held *held);
void tn_held_unmap(struct tn_str bytes);

#endif
