/* beneath.h - paths that a peer names, opened beneath folders that the operator allows.
 *
 * Nothing is looked up by name and opened by name afterwards: each step is a descriptor. Where the
 * kernel has openat2, a path without links is opened by it (RESOLVE_BENEATH, no links); every
 * other is walked from the top, one name after the other, links read and followed by hand, and
 * counts as inside when the walk came through one of the folders by device and inode. So a folder
 * or a link that is exchanged at any moment leads to a place inside, or to a refusal.
 *
 * What this does not stop: who may rename a folder that was opened already takes it along wherever
 * it goes. Mount points inside a root are inside. A hard link is the file itself: it is read, and
 * a write puts a new file in its place, so that what else has the name of the old one stays.
 *
 * Ownership: a place holds one descriptor from find to close. Threads: any; these calls block.
 * Messages never carry a path. */
#ifndef TN_STORE_BENEATH_H
#define TN_STORE_BENEATH_H

#include <limits.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct tn_root {
	const char *path; /* absolute, as given */
	/* Its path has a link in it, or it was not there: it is looked up each time. Any other is
	 * never reached through a link that appears later. */
	bool is_loose;
};

struct tn_roots {
	struct tn_root *list;
	size_t count;   /* 0: nothing is allowed */
	bool no_links;  /* not even one that stays inside; set it after the beginning */
	bool walk_only; /* as if the kernel had no openat2 (TENON_NO_OPENAT2=1, for tests) */
	struct tn_arena arena;
};

/* `folders` ends with NULL and is copied. Fails: INVALID (one that is not absolute or too long),
 * LIMIT (too many), NO_MEMORY; then nothing is to be finished. */
TN_MUST_USE enum tenon_code tn_roots_init(struct tn_roots *roots, const char *const *folders,
					  struct tenon_error *err);
void tn_roots_finish(struct tn_roots *roots);
/* The folder itself, as O_PATH, for fchdir and the *at calls. Fails: NOT_FOUND, DENIED (a link has
 * come in its way), SYSTEM. */
TN_MUST_USE enum tenon_code tn_root_open(const struct tn_roots *roots, size_t index, int *ret_fd,
					 struct tenon_error *err);

/* Somewhere beneath a root. */
struct tn_place {
	int folder; /* O_PATH; where the last step is made from */
	/* Into `path`: "." when the place is a folder; the last part, no link and no folder when
	 * it is there; else all parts that are missing, "a/b" when a folder is, too. */
	const char *name;
	bool exists, has_slash; /* has_slash: "x/" was written, and there is no x */
	struct stat status;     /* when it exists */
	char path[PATH_MAX];    /* whole and real: no link, no ".." */
};

/* A relative path is taken from each root in turn, one where it exists first. Links are followed.
 * Fails: DENIED (in no root, there or not; or a folder that may not be entered), NOT_FOUND (a file
 * is where a folder should be, links in circles), INVALID (empty, too long, ".." below what does
 * not exist), LIMIT (descriptors), SYSTEM. On failure there is nothing to close. */
TN_MUST_USE enum tenon_code tn_place_find(const struct tn_roots *roots, const char *path,
					  struct tn_place *ret, struct tenon_error *err);
void tn_place_close(struct tn_place *place);
/* What `path` means to somebody who stands in `folder` (absolute; NULL: nowhere): a relative one is
 * taken from there, as far as that is a folder beneath a root; else it stays, to be taken from each
 * root. Nothing more is allowed by it. Returns `path` or `ret`. */
const char *tn_place_from(const struct tn_roots *roots, const char *folder, const char *path,
			  char ret[PATH_MAX]);

/* Makes the folders that are missing: all, or all but the last part, which is a file's name.
 * Afterwards the place is the folder or a file in it. Fails: DENIED, NOT_FOUND, SYSTEM. */
enum tn_place_kind { TN_PLACE_FOLDER, TN_PLACE_FILE };
TN_MUST_USE enum tenon_code tn_place_make(struct tn_place *place, enum tn_place_kind kind,
					  mode_t mode, struct tenon_error *err);

/* For reading; never waits, whatever the file is. Fails: NOT_FOUND, DENIED (no ordinary file, one
 * that the kernel makes up, permission), SYSTEM. */
TN_MUST_USE enum tenon_code tn_place_open(const struct tn_place *place, int *ret_fd,
					  struct tenon_error *err);
/* Appends the whole file; `out` has the cap, also for one that grows meanwhile. Fails: as
 * tn_place_open, and LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_place_read(const struct tn_place *place, struct tn_buf *out,
					  struct tenon_error *err);
/* Replaces the file whole or not at all, as tn_file_write. Fails: DENIED (what is there is no
 * ordinary file, permission), NOT_FOUND (its folder is missing), INVALID (a folder), SYSTEM. */
TN_MUST_USE enum tenon_code tn_place_write(const struct tn_place *place, mode_t mode,
					   struct tn_str data, struct tenon_error *err);
/* The file, never a folder; one that is gone is fine. Fails: DENIED, INVALID, SYSTEM. */
TN_MUST_USE enum tenon_code tn_place_remove(const struct tn_place *place, struct tenon_error *err);
/* A descriptor of the folder that can be listed and synced. Fails: INVALID (no folder), NOT_FOUND,
 * DENIED, SYSTEM. */
TN_MUST_USE enum tenon_code tn_place_folder(const struct tn_place *place, int *ret_fd,
					    struct tenon_error *err);
static inline bool tn_place_is_folder(const struct tn_place *place)
{
	return place->exists && S_ISDIR(place->status.st_mode);
}

#endif
