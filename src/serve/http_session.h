/* http_session.h - legacy sessions over Streamable HTTP (mcp.md sections 11.6 to 11.8).
 *
 * A session is a peer of the core, found by an unguessable id and bound to the principal that
 * opened it. It has at most one GET stream, and keeps the events of its POST streams for clients
 * that come back. Threads: loop. */
#ifndef TN_HOST_HTTP_SESSION_H
#define TN_HOST_HTTP_SESSION_H

#include "base/map.h"
#include "base/rng.h"
#include "mcp/peer.h"
#include "transport/http.h"

#define TN_SESSION_ID_SIZE TN_RNG_TOKEN_SIZE(16)

struct tn_http_caller;
struct tn_post;

/* What an HTTP exchange's user pointer points to: who must know that the connection is gone, and
 * whose token let it in. */
struct tn_http_owner {
	void (*closed)(struct tn_http_owner *owner);
	const struct tn_http_caller *caller;
};

struct tn_http_session {
	struct tn_http_owner owner; /* of the GET stream; first. Its caller is the session's */
	struct tn_http_sessions *table;
	char id[TN_SESSION_ID_SIZE];
	struct tn_peer *peer;
	struct tn_http_exchange *get; /* the GET stream, or NULL */
	uint64_t used_ms;             /* when it was last asked for anything */
	uint64_t next_stream;         /* number of the next POST stream with event ids */
	struct tn_post *posts;        /* streams a client may come back to, newest first */
	struct tn_http_session *next, *previous;
};

struct tn_http_sessions {
	struct tenon_server *server;
	struct tn_map by_id;
	struct tn_http_session *newest, *oldest; /* by last use */
	struct tn_timer *sweep;
	size_t sessions_max;
	size_t replay_bytes; /* held in all replay stores */
};

TN_MUST_USE enum tenon_code tn_http_sessions_open(struct tn_http_sessions *table,
						  struct tenon_server *server,
						  struct tenon_error *err);
void tn_http_sessions_close(struct tn_http_sessions *table);
/* Ends those that have been idle for TN_SESSION_IDLE_MS; a timer does it every half minute. */
void tn_http_sessions_sweep(struct tn_http_sessions *table);

/* NULL: too many, and none of them idle (MCP-136). */
struct tn_http_session *tn_http_session_create(struct tn_http_sessions *table,
					       const char *principal,
					       const struct tn_http_caller *caller);
/* NULL: unknown, another caller's (MCP-130), or opened on the path of other apps. Counts as a use.
 */
struct tn_http_session *tn_http_session_find(struct tn_http_sessions *table, struct tn_str id,
					     const struct tn_http_caller *caller, uint32_t apps);
/* Ends those that this caller opened. */
void tn_http_sessions_expel(struct tn_http_sessions *table, const struct tn_http_caller *caller);
void tn_http_session_destroy(struct tn_http_session *session);

/* A GET stream begins; an older one of the session ends (MCP-141). */
void tn_http_session_attach(struct tn_http_session *session, struct tn_http_exchange *x);
void tn_http_session_end_get(struct tn_http_session *session); /* nothing when there is none */

/* One message as an event; `id` may be absent. */
bool tn_http_send_message(struct tn_http_exchange *x, struct tn_str id, struct tn_str json);

#endif
