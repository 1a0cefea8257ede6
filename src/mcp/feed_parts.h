/* feed_parts.h - what the files of the change feed share (feed.h): sets of URIs, notifications, and
 * modern listeners. Threads: loop. */
#ifndef TN_MCP_FEED_PARTS_H
#define TN_MCP_FEED_PARTS_H

#include "mcp/feed.h"
#include "mcp/method.h"

/* ---- feed_uris.c: sets of URIs; each leads to one of two marks ---- */

extern char tn_feed_clean[1], tn_feed_dirty[1];

/* Adds a URI to a set of them, whose bytes are counted. Fails: LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_feed_add_uri(struct tenon_server *server, struct tn_map *uris,
					    size_t *bytes, struct tn_str uri,
					    struct tenon_error *err);
/* True: somebody follows it, and has it marked as dirty now. */
bool tn_feed_mark_uri(const struct tenon_server *server, struct tn_map *uris, struct tn_str uri);
bool tn_feed_has_uri(const struct tenon_server *server, const struct tn_map *uris,
		     struct tn_str uri);

/* ---- feed_meta.c: notifications ---- */

enum { TN_FEED_LIST_KINDS = 3 };
extern const struct tn_feed_list_kind {
	unsigned bit; /* TN_DIRTY_* */
	const char *method;
	const char *filter;
} tn_feed_list_kinds[TN_FEED_LIST_KINDS];

/* A notification, in the server's scratch; absent: out of memory. `uri`, `subscription` (JSON
 * text): absent for none. */
struct tn_str tn_feed_build(struct tenon_server *server, const char *method, struct tn_str uri,
			    struct tn_str subscription);

/* ---- feed_listen.c ---- */

/* A modern `subscriptions/listen`. */
struct tn_listener {
	struct tenon_server *server;
	struct tn_peer *peer;
	struct tn_exchange *exchange;
	struct tn_str id; /* as JSON text, own memory */
	char *id_text;
	unsigned wanted; /* TN_DIRTY_* */
	unsigned dirty;
	bool dirty_uris, dirty_tasks;
	struct tn_map uris;  /* URI to tn_feed_clean or tn_feed_dirty */
	struct tn_map tasks; /* a task's id to such a mark */
	size_t uri_bytes;
	struct tn_listener *next, *previous;           /* of the server */
	struct tn_listener *peer_next, *peer_previous; /* of the peer */
};

#endif
