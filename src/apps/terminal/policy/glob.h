/* glob.h - patterns of names: * and ** stand for any text, ? for a character, [a-z] for one of a
 * set (glob(7)).
 *
 * Threads: any. */
#ifndef TN_TERM_GLOB_H
#define TN_TERM_GLOB_H

#include <stdbool.h>

#include "base/str.h"

enum { TN_GLOB_BYTES_MAX = 4096 }; /* of a pattern, and of a text that is one */

/* Is there a text that fits both? `text_is_glob`: `text` is a pattern, too. `slashes`: only ** goes
 * beyond a slash, and a `pattern` of all that is in a directory fits the directory, too. Takes the
 * time of text.size, whatever stands in it, times what of the pattern may be where it has come to.
 */
bool tn_globs_meet(struct tn_str pattern, struct tn_str text, bool text_is_glob, bool slashes);

/* Does a text of any length fit, where stars and signs go beyond slashes? */
bool tn_glob_fits(struct tn_str pattern, struct tn_str text);

#endif
