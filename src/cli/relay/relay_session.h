/* relay_session.h - what a daemon that is new must be told so that the host notices nothing, and
 * what the host must be told then.
 *
 * Legacy: the host's initialize, initialized, log level and resource subscriptions. Modern: the
 * listen requests that are open, which are calls (relay_calls.h). Ownership: the caller owns it.
 * Threads: loop. */
#ifndef TN_CLI_RELAY_SESSION_H
#define TN_CLI_RELAY_SESSION_H

#include "base/buf.h"
#include "base/map.h"
#include "cli/relay/relay_calls.h"

struct tn_relay_session {
	enum tn_revision revision; /* agreed upon; TN_REVISION_NONE: no legacy session */
	struct tn_buf initialize;  /* the params, as the host wrote them */
	struct tn_buf level;       /* of logging/setLevel, likewise; empty: never sent */
	bool initialized;          /* the host has said so */
	unsigned lists;            /* which of tools, resources, prompts may tell of changes */
	struct tn_map subscriptions;
	size_t subscription_bytes;
	uint64_t own_ids; /* requests of our own so far */
};

/* Takes one message to send. */
typedef void tn_relay_say_fn(void *data, struct tn_str json);

void tn_relay_session_init(struct tn_relay_session *session);
void tn_relay_session_finish(struct tn_relay_session *session);

/* The daemon has answered one of the host's requests with a result. */
void tn_relay_session_note(struct tn_relay_session *session, const struct tn_relay_call *call,
			   struct tn_str answer);

/* An id that we made. */
bool tn_relay_session_is_own(struct tn_str key);

/* To the new daemon: initialize. Then its answer: false means that it is none to go on with, and
 * *err has the reason. */
void tn_relay_session_replay(struct tn_relay_session *session, tn_relay_say_fn *say, void *data);
bool tn_relay_session_agrees(struct tn_relay_session *session, struct tn_str answer,
			     struct tenon_error *err);
/* And all the rest. */
void tn_relay_session_restore(struct tn_relay_session *session, tn_relay_say_fn *say, void *data);

/* To the host: everything may have changed (ST-015). */
void tn_relay_session_tell(const struct tn_relay_session *session, tn_relay_say_fn *say,
			   void *data);
/* The same for a listen request that was sent again, out of its acknowledgement. False: this is
 * none of `call`. */
bool tn_relay_session_tell_listener(const struct tn_relay_call *call, struct tn_str acknowledged,
				    tn_relay_say_fn *say, void *data);

#endif
