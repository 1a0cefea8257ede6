/* tool_list.h - the list of sessions, which is a resource, too. */
#ifndef TN_TERM_TOOL_LIST_H
#define TN_TERM_TOOL_LIST_H

#include "apps/terminal/mcp/tool_state.h"

/* `call`: who reads it. `base`: an array of the five base fields of each; `busy`: a line for each
 * that is not just idle, and that the others are. Both may be NULL. */
void tn_term_put_list(const struct tenon_call *call, struct tn_buf *out, struct tn_buf *base,
		      struct tn_buf *busy, struct tn_term_door *door,
		      const struct tn_term_list *request);

#endif
