/* roots.h - in which folders plans may be opened and saved (floorplan.md 7.8).
 *
 * Threads: any after reading; finding blocks. */
#ifndef TN_FLOOR_ROOTS_H
#define TN_FLOOR_ROOTS_H

#include "store/beneath.h"

/* `list`: floorplan.roots, ends with NULL; none: the working directory, unless home
 * is or lies in it. Fails: INVALID (a folder
 * that is not absolute), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_roots_read(struct tn_roots *roots, const char *const *list,
						struct tenon_error *err);

/* A file that is or may come into being, as tn_place_find, in the words of this app. Fails: DENIED
 * (in none of the folders), NOT_FOUND (no such folder), INVALID (no path of a file). */
TN_MUST_USE enum tenon_code tn_floor_place_find(const struct tn_roots *roots, const char *path,
						struct tn_place *ret, struct tenon_error *err);

#endif
