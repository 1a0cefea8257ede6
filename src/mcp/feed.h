/* feed.h - the change feed: a change is published once and reaches every subscriber (ARCHITECTURE
 * section 3.2): legacy `resources/subscribe` and list notifications, modern `subscriptions/listen`.
 *
 * Nothing is queued: a subscriber that does not keep up has its changes marked, and is told once
 * when it has caught up. Threads: loop. */
#ifndef TN_MCP_FEED_H
#define TN_MCP_FEED_H

#include "mcp/call.h"
#include "mcp/server.h"

void tn_feed_list_changed(struct tenon_server *server, enum tn_item_kind kind); /* debounced */
void tn_feed_resource_updated(struct tenon_server *server, struct tn_str uri);
/* The same for some of those who follow it: a URI may mean another thing to each. */
void tn_feed_resource_updated_for(struct tenon_server *server, struct tn_str uri,
				  bool (*concerns)(const struct tn_peer *peer, void *data),
				  void *data);
/* How many connections of persons (struct tn_peer.person) follow it. */
size_t tn_feed_count_persons(const struct tenon_server *server, struct tn_str uri);
/* Somebody would be told; cheap while nobody subscribed to anything. */
bool tn_feed_has_subscriber(const struct tenon_server *server, struct tn_str uri);

/* What `_meta` of notifications/resources/updated says beside, for URIs that begin so: `put`
 * appends members to an open object, at the time it is sent. Ownership: whoever adds it, until
 * removed. */
struct tn_feed_teller {
	const char *prefix;
	void (*put)(struct tn_str uri, struct tn_buf *members, void *data);
	void *data;
	struct tn_feed_teller *next;
};
void tn_feed_add_teller(struct tenon_server *server, struct tn_feed_teller *teller);
void tn_feed_remove_teller(struct tenon_server *server, struct tn_feed_teller *teller);
/* The member `_meta` of params, unless it would be empty. `subscription`: JSON text, or absent. */
void tn_feed_put_meta(const struct tenon_server *server, struct tn_str uri,
		      struct tn_str subscription, struct tn_buf *out);

void tn_feed_task_changed(struct tenon_server *server, struct tn_str id); /* MCP-256 */

/* Legacy. */
TN_MUST_USE enum tenon_code tn_feed_subscribe(struct tn_peer *peer, struct tn_str uri,
					      struct tenon_error *err);
void tn_feed_unsubscribe(struct tn_peer *peer, struct tn_str uri);
void tn_feed_unsubscribe_all(struct tn_peer *peer);

/* Modern: turns the call (whose params have been read) into a listener; the call is consumed. */
void tn_feed_listen(struct tenon_call *call);
bool tn_feed_has_listener(const struct tn_peer *peer, struct tn_str id); /* with this request id */
/* Ends the listener with this request id; false: none. No answer is sent (MCP-196). */
bool tn_feed_cancel_listener(struct tn_peer *peer, struct tn_str id);
void tn_feed_drop_listeners(struct tn_peer *peer); /* the peer is gone */
/* Ends all listeners with a result: the server shuts down (MCP-195). */
void tn_feed_close(struct tenon_server *server);

#endif
