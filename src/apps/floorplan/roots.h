/* roots.h - in which folders plans may be opened and saved (floorplan.md 7.8).
 *
 *   TENON_FLOORPLAN_ROOTS   absolute folders by colons; empty: the working directory
 *
 * Links are followed before anything is compared, and what was opened is looked at once more, so
 * that nothing outside is read or written. Ownership: texts live in the struct's arena. Threads:
 * any after reading; opening and writing block. */
#ifndef TN_FLOOR_ROOTS_H
#define TN_FLOOR_ROOTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct tn_floor_roots {
	const char **folders; /* real paths, ends with NULL; none: nothing is allowed */
	size_t count;
	struct tn_arena arena;
};

/* `list` may be NULL. Fails: INVALID (a folder that is not absolute), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_roots_read(struct tn_floor_roots *roots, const char *list,
						struct tenon_error *err);
void tn_floor_roots_finish(struct tn_floor_roots *roots);

/* The real path of a file that is or may come into being; a relative one is taken from each folder
 * in turn, one where it exists first. Fails: DENIED (in none of the folders), NOT_FOUND (no such
 * folder), INVALID (no path), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_roots_find(const struct tn_floor_roots *roots,
						const char *path, struct tn_buf *ret_path,
						struct tenon_error *err);
/* Appends the whole file, by its real path. Fails: DENIED, NOT_FOUND, LIMIT, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_roots_load(const struct tn_floor_roots *roots,
						const char *real_path, struct tn_buf *text,
						struct tenon_error *err);
/* Replaces the file whole. Fails: DENIED, NOT_FOUND, SYSTEM. */
TN_MUST_USE enum tenon_code tn_floor_roots_store(const struct tn_floor_roots *roots,
						 const char *real_path, struct tn_str text,
						 struct tenon_error *err);

#endif
