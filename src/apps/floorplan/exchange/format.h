/* format.h - the usual layout of a plan's text: two blanks a level, one between words, no blanks at
 * the ends of lines, at most one empty line.
 *
 * Nothing is lost and nothing is moved: lines stay lines, comments and front matter stay as they
 * are, the tokens are the same ones afterwards. Formatting twice is formatting once. Threads: any.
 */
#ifndef TN_FLOOR_FORMAT_H
#define TN_FLOOR_FORMAT_H

#include "apps/floorplan/language/tree.h"

/* Appends the text in its usual layout. Fails: INVALID (it does not parse), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_format(struct tn_str text, struct tn_buf *out,
					    struct tenon_error *err);

#endif
