/* beneath_walk.h - from the top of the file system to a place, one descriptor after the other.
 * Inside of beneath*.c. Threads: any. */
#ifndef TN_STORE_BENEATH_WALK_H
#define TN_STORE_BENEATH_WALK_H

#include "store/beneath.h"

/* As tn_place_find, for an absolute path of less than PATH_MAX bytes. */
TN_MUST_USE enum tenon_code tn_beneath_walk(const struct tn_roots *roots, const char *path,
					    struct tn_place *ret, struct tenon_error *err);
/* A folder by a path that begins at "/" and has no link in it. ELOOP or ENOTDIR when it has.
 * Returns -1 with errno. */
int tn_beneath_open_linkless(const char *path, bool walk_only);
enum tenon_code tn_beneath_fail(struct tenon_error *err, int number);
enum tenon_code tn_beneath_refuse(struct tenon_error *err); /* it is in no root */

#endif
