/* glob.h - patterns of paths: "**", "*", "?", "[a-z]", "[!a]", "{a,b}".
 *
 * A pattern stands for whole paths, written with slashes and relative to the workspace. "*" and "?"
 * stay within one part of a path, "**" as a whole part is any number of parts. Braces are taken
 * apart when the patterns are made; matching takes steps in proportion to pattern times path.
 * Ownership: the set has copies. Threads: any, once it is made. */
#ifndef TN_WB_VALUES_GLOB_H
#define TN_WB_VALUES_GLOB_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct tn_wb_globs;
/* Fails: INVALID (an empty pattern, a bracket without end, "." or ".." as a part), LIMIT
 * (TN_WB_GLOBS_MAX once braces are taken apart, or too long), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_globs_create(const struct tn_str *patterns, size_t count,
					       struct tn_wb_globs **ret, struct tenon_error *err);
void tn_wb_globs_destroy(struct tn_wb_globs *globs); /* accepts NULL */

/* `globs` may be NULL: nothing matches. */
bool tn_wb_globs_match(const struct tn_wb_globs *globs, struct tn_str path);
/* Whether something beneath the folder may match; the root is "". A folder whose name begins with a
 * dot, and "node_modules", only where a pattern says that name. */
bool tn_wb_globs_may_enter(const struct tn_wb_globs *globs, struct tn_str folder);
/* Whether all that may be beneath the folder matches: it ends in "**" and that matches already. */
bool tn_wb_globs_cover(const struct tn_wb_globs *globs, struct tn_str folder);

#endif
