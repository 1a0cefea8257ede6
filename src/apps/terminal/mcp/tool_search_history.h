/* tool_search_history.h - a search on its way through the backend, for the tool and the resource.
 *
 * Threads: loop. */
#ifndef TN_TERM_TOOL_SEARCH_HISTORY_H
#define TN_TERM_TOOL_SEARCH_HISTORY_H

#include "apps/terminal/mcp/tool_state.h"

/* Only what the caller's principal has run is found; a person finds all. `reply` gets the result's
 * JSON, which belongs to it; what goes wrong ends the call before. */
void tn_term_search(struct tenon_call *call, const struct tn_term_door *door,
		    struct tn_history_search *search,
		    void (*reply)(struct tenon_call *call, const struct tn_history_found *found,
				  struct tn_buf *json));

/* "commands", "output", "all" (and "", which is all) as bits of enum tn_history_...; 0: none of
 * these. */
unsigned tn_term_search_types(struct tn_str type);

#endif
