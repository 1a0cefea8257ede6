/* tool_live_view.h - the live view (live.h) as browsers and other programs reach it: WebSockets
 * below /terminal/stream/, let in by the tickets that open_live_view hands out (terminal.md section
 * 11).
 *
 * Ownership: the app opens and closes it; it outlives every listener. Threads: loop. */
#ifndef TN_TERM_TOOL_LIVE_VIEW_H
#define TN_TERM_TOOL_LIVE_VIEW_H

#include "apps/terminal/live/live.h"

struct tenon_server;
struct tn_term;
struct tn_live_door;

TN_MUST_USE enum tenon_code tn_live_door_open(struct tenon_server *server, struct tn_term *term,
					      struct tn_live_door **ret, struct tenon_error *err);
void tn_live_door_close(struct tn_live_door *door); /* accepts NULL */

/* The page of a session, good until the next question; NULL: there is no page. */
const char *tn_live_door_url(struct tn_live_door *door, const char *session_id);

#endif
