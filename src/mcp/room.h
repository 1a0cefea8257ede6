/* room.h - keeps what a model is sent within what hosts hand on (hosts.md HO-003): lists end early,
 * long texts too, and what is left out is said and kept to be read.
 *
 *     {"left_out":{"what":["nodes: 120 of 493"],"rest":"tenon:text/...","how":"..."},"nodes":[...]}
 *
 * No member goes: a list that has no room is shorter, a text is cut. `rest` is JSON of the same
 * shape with all that is not there, and reading it is bounded in the same way. Threads: loop. */
#ifndef TN_MCP_ROOM_H
#define TN_MCP_ROOM_H

#include "mcp/call.h"

/* Makes the JSON object in `json` one of `tokens` at most, when it is longer; anything else stays.
 * A failure leaves it as it was. */
void tn_room_fit(struct tenon_call *call, struct tn_buf *json, size_t tokens);

/* For tools whose lists have pages: whether the two forms of a page are more than a model is
 * handed. `entries`, how many it has at most, is then fewer, and the page is made again. */
bool tn_room_lacks(const struct tenon_call *call, const struct tn_buf *text,
		   const struct tn_buf *structured, uint32_t *entries);

/* The part of a kept text that has room, and a line that says where it goes on, from `from`. */
void tn_room_put_page(struct tn_buf *out, struct tn_str text, size_t from, struct tn_str uri);

#endif
