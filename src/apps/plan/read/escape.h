/* escape.h - quoted strings as Terraform prints them: Go's backslash escapes, and the doubled
 * template markers $${ and %%{. Threads: any. */
#ifndef TN_PLAN_ESCAPE_H
#define TN_PLAN_ESCAPE_H

#include "base/arena.h"

/* The inside of a quoted string. Without escapes *ret is the text itself, else a copy in the arena.
 * An escape that is none stays as it is. False: no memory. */
bool tn_plan_unescape(struct tn_str text, struct tn_arena *arena, struct tn_str *ret);

/* The offset of the closing quote in text[at..), where `at` stands behind the opening one, or
 * TN_STR_NONE. */
size_t tn_plan_quote_end(struct tn_str text, size_t at);

#endif
