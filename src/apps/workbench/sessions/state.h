/* state.h - the states of a preview session, and which event leads where (workbench.md 10.2).
 *
 * Threads: any. */
#ifndef TN_WB_SESSIONS_STATE_H
#define TN_WB_SESSIONS_STATE_H

#include <stdbool.h>

enum tn_wb_session_state {
	TN_WB_SESSION_CREATING,
	TN_WB_SESSION_LOADING, /* the server answers, no adapter is there yet */
	TN_WB_SESSION_READY,
	TN_WB_SESSION_RELOADING,
	TN_WB_SESSION_STOPPED, /* not everything of it is released */
	TN_WB_SESSION_DISPOSED,
	TN_WB_SESSION_FAILED /* "error" */
};
enum { TN_WB_SESSION_STATES = TN_WB_SESSION_FAILED + 1 };

enum tn_wb_session_event {
	TN_WB_SERVER_REACHABLE,
	TN_WB_HANDSHAKE,  /* of its first page, or of the first one after a reload */
	TN_WB_PAGES_GONE, /* the last one has gone, or says that it goes */
	TN_WB_STOP_REQUESTED,
	TN_WB_RELEASED, /* everything that it had is released */
	TN_WB_LAUNCH_FAILED,
	TN_WB_SERVER_EXITED
};
enum { TN_WB_SESSION_EVENTS = TN_WB_SERVER_EXITED + 1 };

const char *tn_wb_session_state_name(enum tn_wb_session_state state); /* "creating", ..., "error" */

/* False: the event has no meaning in that state, and *ret is untouched. */
bool tn_wb_session_next(enum tn_wb_session_state state, enum tn_wb_session_event event,
			enum tn_wb_session_state *ret);
/* Creating, loading, ready or reloading. */
bool tn_wb_session_state_is_live(enum tn_wb_session_state state);

#endif
