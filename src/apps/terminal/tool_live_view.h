/* tool_live_view.h - the live view (live.h) as browsers and other programs reach it: WebSockets
 * below /terminal/stream/, let in by the tickets that open_live_view hands out (terminal.md section
 * 11).
 *
 * Ownership: the app opens and closes it; it outlives every listener. Threads: loop. */
#ifndef TN_TERM_TOOL_LIVE_VIEW_H
#define TN_TERM_TOOL_LIVE_VIEW_H

#include "apps/terminal/live.h"

struct tenon_call;
struct tenon_server;
struct tn_live_door;

/* `find` is asked with the principal that a ticket was made for. */
TN_MUST_USE enum tenon_code tn_live_door_open(
	struct tenon_server *server,
	struct tn_term_session *(*find)(const char *session_id, const char *principal, void *data),
	void *data, struct tn_live_door **ret, struct tenon_error *err);
void tn_live_door_close(struct tn_live_door *door); /* accepts NULL */

/* The page of a session, good until the next question; NULL: there is no page. */
const char *tn_live_door_url(struct tn_live_door *door, const char *session_id);

/* Ends a call of open_live_view for a session that its caller may see. */
void tn_live_door_reply(struct tn_live_door *door, struct tenon_call *call, const char *session_id);

#endif
