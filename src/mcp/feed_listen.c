/* Modern subscribers: `subscriptions/listen`. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/feed_parts.h"
#include "mcp/limits.h"
#include "mcp/scope.h"

/* ---- life ---- */

static void unlink_listener(struct tn_listener *listener)
{
	struct tenon_server *server = listener->server;
	struct tn_peer *peer = listener->peer;

	if (listener->previous)
		listener->previous->next = listener->next;
	else
		server->listeners = listener->next;
	if (listener->next)
		listener->next->previous = listener->previous;
	if (listener->peer_previous)
		listener->peer_previous->peer_next = listener->peer_next;
	else
		peer->listeners = listener->peer_next;
	if (listener->peer_next)
		listener->peer_next->peer_previous = listener->peer_previous;
	server->listener_count--;
	peer->listener_count--;
}

static void drop_uris(struct tn_listener *listener)
{
	tn_map_finish(&listener->uris);
	listener->server->subscription_bytes -= listener->uri_bytes;
	listener->uri_bytes = 0;
}

static struct tn_exchange *free_listener(struct tn_listener *listener)
{
	struct tn_exchange *x = listener->exchange;

	unlink_listener(listener);
	if (x) {
		x->user = NULL;
		x->gone = NULL;
	}
	drop_uris(listener);
	tn_map_finish(&listener->tasks);
	tn_mem_free(listener->id_text);
	tn_mem_free(listener);
	return x;
}

static void listener_gone(struct tn_exchange *x)
{
	(void)free_listener(x->user);
}

static void link_listener(struct tn_listener *listener)
{
	struct tenon_server *server = listener->server;
	struct tn_peer *peer = listener->peer;

	listener->next = server->listeners;
	if (server->listeners)
		server->listeners->previous = listener;
	server->listeners = listener;
	listener->peer_next = peer->listeners;
	if (peer->listeners)
		peer->listeners->peer_previous = listener;
	peer->listeners = listener;
	server->listener_count++;
	peer->listener_count++;
}

/* ---- listening ---- */

static void refuse_limit(struct tenon_call *call)
{
	tn_call_error(call, 200, TN_INTERNAL_ERROR, TN_STR("subscription limit reached"),
		      tn_str(NULL, 0)); /* MCP-197 */
}

/* A URI that belongs to a template, or to nothing yet, may be listened to by everybody. */
static bool is_for(const struct tn_peer *peer, struct tn_str uri)
{
	const struct tn_sight sight = tn_peer_sight(peer);
	const struct tn_item *item =
		tn_registry_find(&peer->server->registry, TN_ITEM_RESOURCE, uri);

	return tn_scope_allows(sight.scope, TN_ITEM_RESOURCE, uri) &&
	       (!item || tn_sees_app_of(&sight, item));
}

/* False: answered (MCP-194). */
static bool read_uris(struct tenon_call *call, struct tn_listener *listener,
		      const struct tn_json *uris)
{
	if (!uris)
		return true;
	if (uris->type != TN_JSON_ARRAY) {
		tn_method_invalid(call, "notifications.resourceSubscriptions: send an array");
		return false;
	}
	if (uris->count > TN_LISTEN_URIS_MAX) {
		refuse_limit(call);
		return false;
	}
	for (const struct tn_json *uri = uris->first; uri; uri = uri->next) {
		if (uri->type != TN_JSON_STRING || uri->text.size > TN_URI_BYTES_MAX) {
			tn_method_invalid(call,
					  "notifications.resourceSubscriptions: send strings of "
					  "at most %zu bytes",
					  TN_URI_BYTES_MAX);
			return false;
		}
		if (!is_for(call->peer, uri->text))
			continue; /* as if it did not exist */
		if (tn_feed_add_uri(call->server, &listener->uris, &listener->uri_bytes, uri->text,
				    NULL) != TENON_OK) {
			refuse_limit(call);
			return false;
		}
	}
	return true;
}

/* MCP-256: the caller's own tasks; others are left out of what is accepted. False: answered. */
static bool read_tasks(struct tenon_call *call, struct tn_listener *listener,
		       const struct tn_json *ids)
{
	if (!ids || !tn_peer_has_feature(call->peer, TN_FEATURE_TASKS))
		return true;
	if (!tenon_call_require(call, TENON_CAN_TASKS))
		return false;
	if (ids->type != TN_JSON_ARRAY) {
		tn_method_invalid(call, "notifications.taskIds: send an array");
		return false;
	}
	for (const struct tn_json *id = ids->first; id; id = id->next) {
		if (id->type != TN_JSON_STRING) {
			tn_method_invalid(call, "notifications.taskIds: send strings");
			return false;
		}
		if (tn_task_find(call, id->text) &&
		    tn_map_put(&listener->tasks, id->text, tn_feed_clean, NULL) != TENON_OK) {
			refuse_limit(call);
			return false;
		}
	}
	return true;
}

/* Reads the filter into the listener. False: answered. */
static bool read_filter(struct tenon_call *call, struct tn_listener *listener)
{
	const struct tn_json *filter = tn_json_get(call->params, "notifications");

	if (!tn_json_is(filter, TN_JSON_OBJECT)) {
		tn_method_invalid(call, "notifications: send an object");
		return false;
	}
	for (size_t i = 0; i < TN_FEED_LIST_KINDS; i++) {
		const struct tn_json *wanted = tn_json_get(filter, tn_feed_list_kinds[i].filter);
		bool on = false;

		if (wanted && !tn_json_to_bool(wanted, &on)) {
			tn_method_invalid(call, "notifications.%s: send true or false",
					  tn_feed_list_kinds[i].filter);
			return false;
		}
		if (on)
			listener->wanted |= tn_feed_list_kinds[i].bit;
	}
	return read_uris(call, listener, tn_json_get(filter, "resourceSubscriptions")) &&
	       read_tasks(call, listener, tn_json_get(filter, "taskIds"));
}

/* Leaves out what the server does not offer (MCP-191). */
static void limit_to_offers(struct tn_listener *listener)
{
	const struct tn_peer *peer = listener->peer;

	if (!tn_peer_has_feature(peer, TN_FEATURE_TOOLS))
		listener->wanted &= ~(unsigned)TN_DIRTY_TOOLS;
	if (!tn_peer_has_feature(peer, TN_FEATURE_PROMPTS))
		listener->wanted &= ~(unsigned)TN_DIRTY_PROMPTS;
	if (!tn_peer_has_feature(peer, TN_FEATURE_RESOURCES)) {
		listener->wanted &= ~(unsigned)TN_DIRTY_RESOURCES;
		drop_uris(listener);
	}
}

static void put_keys(struct tn_buf *out, const char *name, const struct tn_map *map)
{
	struct tn_str key;
	size_t cursor = 0;
	void *mark;

	if (!map->used)
		return;
	tn_json_put_key(out, name);
	tn_json_begin_array(out);
	while (tn_map_next(map, &cursor, &key, &mark))
		tn_json_put_str(out, key);
	tn_json_end_array(out);
}

static void acknowledge(struct tn_listener *listener)
{
	struct tn_buf *out = &listener->server->scratch;

	tn_buf_clear(out);
	tn_buf_append_str(out, TN_STR("{\"jsonrpc\":\"2.0\",\"method\":"
				      "\"notifications/subscriptions/acknowledged\",\"params\":{"
				      "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"));
	tn_buf_append_str(out, listener->id);
	tn_buf_append_str(out, TN_STR("},\"notifications\":{"));
	for (size_t i = 0; i < TN_FEED_LIST_KINDS; i++) {
		if (listener->wanted & tn_feed_list_kinds[i].bit)
			tn_json_put_member_bool(out, tn_feed_list_kinds[i].filter, true);
	}
	put_keys(out, "resourceSubscriptions", &listener->uris);
	put_keys(out, "taskIds", &listener->tasks);
	tn_buf_append_str(out, TN_STR("}}}"));
	if (!out->failed)
		listener->exchange->ops->notify(listener->exchange, tn_buf_str(out));
	tn_buf_shrink(out, 64 * TN_KIB);
}

static bool has_room(const struct tenon_call *call)
{
	/* A peer of kind HTTP_REQUEST is everybody on HTTP: there the connections are the cap. */
	return call->server->listener_count < call->server->options.listeners_max &&
	       (call->peer->kind == TN_PEER_HTTP_REQUEST ||
		call->peer->listener_count < TN_LISTENERS_PER_PEER_MAX);
}

void tn_feed_listen(struct tenon_call *call)
{
	struct tn_listener *listener;

	if (tn_exchange_deaf(call->exchange)) { /* it would wait for ever and hear nothing */
		tn_call_error(call, 406, TN_INVALID_REQUEST,
			      TN_STR("Accept must allow text/event-stream"), tn_str(NULL, 0));
		return;
	}
	if (call->server->stopping) { /* those that were there have been told so (MCP-195) */
		tn_call_error(call, 503, TN_INTERNAL_ERROR, TN_STR("The server is stopping"),
			      tn_str(NULL, 0));
		return;
	}
	if (!has_room(call)) {
		refuse_limit(call);
		return;
	}
	listener = tn_mem_alloc(sizeof(*listener));
	if (listener)
		listener->id_text = tn_mem_copy_text(call->id.data, call->id.size);
	if (!listener || !listener->id_text) {
		tn_mem_free(listener);
		tn_call_error(call, 200, TN_INTERNAL_ERROR, TN_STR("out of memory"),
			      tn_str(NULL, 0));
		return;
	}
	listener->server = call->server;
	listener->peer = call->peer;
	listener->id = tn_str(listener->id_text, call->id.size);
	link_listener(listener);
	if (!read_filter(call, listener)) {
		(void)free_listener(listener);
		return;
	}
	limit_to_offers(listener);
	listener->exchange = call->exchange;
	call->exchange = NULL;
	listener->exchange->user = listener;
	listener->exchange->gone = listener_gone;
	tn_call_end(call, false);
	acknowledge(listener);
}

static struct tn_listener *find_listener(const struct tn_peer *peer, struct tn_str id)
{
	struct tn_listener *l = peer->listeners;

	while (l && !tn_str_equal(l->id, id))
		l = l->peer_next;
	return l;
}

bool tn_feed_has_listener(const struct tn_peer *peer, struct tn_str id)
{
	return find_listener(peer, id) != NULL;
}

bool tn_feed_cancel_listener(struct tn_peer *peer, struct tn_str id)
{
	struct tn_listener *listener = find_listener(peer, id);
	struct tn_exchange *x;

	if (!listener)
		return false;
	x = free_listener(listener);
	x->ops->end(x, true);
	return true;
}

void tn_feed_drop_listeners(struct tn_peer *peer)
{
	while (peer->listeners) {
		struct tn_exchange *x = free_listener(peer->listeners);

		x->ops->end(x, true);
	}
}

void tn_feed_close(struct tenon_server *server)
{
	while (server->listeners) {
		struct tn_listener *listener = server->listeners;
		struct tn_buf *out = &server->scratch;
		struct tn_exchange *x;

		tn_buf_clear(out);
		tn_buf_append_str(out, TN_STR("{\"jsonrpc\":\"2.0\",\"id\":"));
		tn_buf_append_str(out, listener->id);
		tn_buf_append_str(out, TN_STR(",\"result\":{\"resultType\":\"complete\",\"_meta\":{"
					      "\"io.modelcontextprotocol/subscriptionId\":"));
		tn_buf_append_str(out, listener->id);
		tn_buf_append_str(out, TN_STR("}}}"));
		x = free_listener(listener);
		if (out->failed)
			x->ops->end(x, true);
		else
			x->ops->answer(x, 200, tn_buf_str(out));
	}
}
