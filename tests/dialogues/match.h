/* match.h - does a message fit what a dialogue expects, and what is to be remembered of it?
 *
 * An expected value is JSON with placeholders in strings:
 *   "{{any}}"        any value                    "{{absent}}"    the member must not be there
 *   "{{=name}}"      any string, remembered       "{{has:text}}"  a string with this text in it
 *   "{{starts:text}}" a string that begins so     "{{number}}"    any number
 *   "{{pln}}", "{{cnv}}" a handle of that kind: the prefix and 26 characters
 * Objects may have more members than expected; arrays may have more elements when the expected one
 * ends with "{{more}}". Everything else is equal. */
#ifndef TN_DIALOGUE_MATCH_H
#define TN_DIALOGUE_MATCH_H

#include "base/buf.h"
#include "base/map.h"
#include "jsonrpc/json.h"

/* True when it fits. Otherwise `why` gets the path and the difference. Remembered strings go to
 * `memory`: name to a text of tn_mem_copy_text. */
bool dialogue_match(const struct tn_json *expected, const struct tn_json *actual,
		    struct tn_map *memory, struct tn_buf *why);

#endif
