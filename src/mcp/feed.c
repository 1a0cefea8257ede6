#include "mcp/feed.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/scope.h"

enum { RETRY_MS = 100 };

/* Marks in a subscription map: any two addresses that differ. */
static char clean_mark[1], dirty_mark[1];

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
	struct tn_map uris;  /* URI to clean_mark or dirty_mark */
	struct tn_map tasks; /* a task's id to such a mark */
	size_t uri_bytes;
	struct tn_listener *next, *previous;           /* of the server */
	struct tn_listener *peer_next, *peer_previous; /* of the peer */
};

static const struct {
	unsigned bit;
	const char *method;
	const char *filter;
} list_kinds[] = {
	{TN_DIRTY_TOOLS, "notifications/tools/list_changed", "toolsListChanged"},
	{TN_DIRTY_PROMPTS, "notifications/prompts/list_changed", "promptsListChanged"},
	{TN_DIRTY_RESOURCES, "notifications/resources/list_changed", "resourcesListChanged"},
};

/* ---- messages ---- */

static struct tn_str build(struct tenon_server *server, const char *method, struct tn_str uri,
			   struct tn_str subscription)
{
	struct tn_buf *out = &server->scratch;

	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_text(out, "method", method);
	if (uri.data || subscription.data) {
		tn_json_put_key(out, "params");
		tn_json_begin_object(out);
		if (uri.data)
			tn_json_put_member_str(out, "uri", uri);
		tn_feed_put_meta(server, uri, subscription, out);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
	return out->failed ? tn_str(NULL, 0) : tn_buf_str(out); /* half a message is none */
}

/* ---- legacy subscribers ---- */

void tn_peer_flush(struct tn_peer *peer)
{
	const struct tn_str none = {NULL, 0};
	struct tn_str uri, json;
	size_t cursor = 0;
	void *mark;

	if (!peer->initialized || !peer->outlet || !peer->outlet->ready(peer))
		return;
	for (size_t i = 0; i < TN_COUNT(list_kinds); i++) {
		if (!(peer->dirty & list_kinds[i].bit))
			continue;
		json = build(peer->server, list_kinds[i].method, none, none);
		if (!json.size)
			return; /* out of memory: the next change tells of this one, too */
		peer->dirty &= ~list_kinds[i].bit;
		peer->outlet->send(peer, json);
	}
	if (!peer->dirty_uris)
		return;
	peer->dirty_uris = false;
	while (tn_map_next(&peer->subscriptions, &cursor, &uri, &mark)) {
		if (mark != dirty_mark)
			continue;
		json = peer->outlet->ready(peer)
			       ? build(peer->server, "notifications/resources/updated", uri, none)
			       : none;
		if (!json.size) {
			peer->dirty_uris = true;
			return;
		}
		tn_map_replace(&peer->subscriptions, uri, clean_mark);
		peer->outlet->send(peer, json);
	}
}

/* Adds a URI to a set of them, whose bytes are counted. */
static enum tenon_code add_uri(struct tenon_server *server, struct tn_map *uris, size_t *bytes,
			       struct tn_str uri, struct tenon_error *err)
{
	enum tenon_code code;

	if (tn_map_get(uris, uri))
		return TENON_OK;
	if (*bytes + uri.size > TN_SUBSCRIPTION_BYTES_MAX ||
	    server->subscription_bytes + uri.size > TN_SUBSCRIPTION_TOTAL_MAX)
		return tn_fail(err, TENON_LIMIT, "too many subscriptions");
	code = tn_map_put(uris, uri, clean_mark, err);
	if (code != TENON_OK)
		return code;
	*bytes += uri.size;
	server->subscription_bytes += uri.size;
	server->has_queries |= tn_str_find_byte(uri, '?') != TN_STR_NONE;
	return TENON_OK;
}

/* ---- who follows a URI ---- */

/* Who subscribes to a URI with a query follows what stands before it, and is told the URI that was
 * subscribed to (workbench N2). */
static bool is_with_query(struct tn_str subscribed, struct tn_str uri)
{
	return subscribed.size > uri.size && subscribed.data[uri.size] == '?' &&
	       tn_str_starts(subscribed, uri);
}

static bool mark_changed(const struct tenon_server *server, struct tn_map *uris, struct tn_str uri)
{
	bool found = tn_map_replace(uris, uri, dirty_mark);
	struct tn_str subscribed;
	size_t cursor = 0;
	void *mark;

	if (!server->has_queries)
		return found;
	while (tn_map_next(uris, &cursor, &subscribed, &mark)) {
		if (is_with_query(subscribed, uri))
			found |= tn_map_replace(uris, subscribed, dirty_mark);
	}
	return found;
}

static bool has_uri(const struct tenon_server *server, const struct tn_map *uris, struct tn_str uri)
{
	struct tn_str subscribed;
	size_t cursor = 0;
	void *mark;

	if (tn_map_get(uris, uri))
		return true;
	while (server->has_queries && tn_map_next(uris, &cursor, &subscribed, &mark)) {
		if (is_with_query(subscribed, uri))
			return true;
	}
	return false;
}

enum tenon_code tn_feed_subscribe(struct tn_peer *peer, struct tn_str uri, struct tenon_error *err)
{
	if (peer->subscriptions.used >= TN_SUBSCRIPTIONS_MAX &&
	    !tn_map_get(&peer->subscriptions, uri))
		return tn_fail(err, TENON_LIMIT, "more than %d subscriptions",
			       TN_SUBSCRIPTIONS_MAX);
	return add_uri(peer->server, &peer->subscriptions, &peer->subscription_bytes, uri, err);
}

void tn_feed_unsubscribe(struct tn_peer *peer, struct tn_str uri)
{
	if (!tn_map_remove(&peer->subscriptions, uri))
		return;
	peer->subscription_bytes -= uri.size;
	peer->server->subscription_bytes -= uri.size;
}

void tn_feed_unsubscribe_all(struct tn_peer *peer)
{
	tn_map_finish(&peer->subscriptions);
	peer->server->subscription_bytes -= peer->subscription_bytes;
	peer->subscription_bytes = 0;
}

/* ---- modern subscribers ---- */

static struct tn_str build_task(const struct tn_listener *listener, const struct tn_task *task)
{
	struct tn_buf *out = &listener->server->scratch;

	tn_buf_clear(out);
	tn_buf_append_str(out, TN_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\","
				      "\"params\":{"));
	tn_task_put_detail(task, out);
	tn_json_put_key(out, "_meta");
	tn_json_begin_object(out);
	tn_json_put_member_raw(out, "io.modelcontextprotocol/subscriptionId", listener->id);
	tn_buf_append_str(out, TN_STR("}}}"));
	return tn_buf_str(out);
}

static bool keeps_up(const struct tn_listener *listener)
{
	return !listener->exchange->ops->backlogged ||
	       !listener->exchange->ops->backlogged(listener->exchange);
}

/* True when every task that changed could be told; one that has expired since is passed over. */
static bool flush_tasks(struct tn_listener *listener)
{
	const struct tn_task *task;
	struct tn_str id, json;
	size_t cursor = 0;
	void *mark;

	if (!listener->dirty_tasks)
		return true;
	while (tn_map_next(&listener->tasks, &cursor, &id, &mark)) {
		if (mark != dirty_mark)
			continue;
		if (!keeps_up(listener))
			return false;
		tn_map_replace(&listener->tasks, id, clean_mark);
		task = tn_task_by_id(listener->server, id);
		if (!task)
			continue;
		json = build_task(listener, task);
		if (!listener->server->scratch.failed)
			listener->exchange->ops->notify(listener->exchange, json);
		tn_buf_shrink(&listener->server->scratch, 64 * TN_KIB);
	}
	listener->dirty_tasks = false;
	return true;
}

/* True when everything could be told. */
static bool flush_listener(struct tn_listener *listener)
{
	const struct tn_str none = {NULL, 0};
	struct tn_str uri, json;
	size_t cursor = 0;
	void *mark;

	for (size_t i = 0; i < TN_COUNT(list_kinds); i++) {
		if (!(listener->dirty & list_kinds[i].bit))
			continue;
		if (!keeps_up(listener))
			return false;
		json = build(listener->server, list_kinds[i].method, none, listener->id);
		if (!json.size)
			return false;
		listener->dirty &= ~list_kinds[i].bit;
		listener->exchange->ops->notify(listener->exchange, json);
	}
	if (!flush_tasks(listener))
		return false;
	if (!listener->dirty_uris)
		return true;
	while (tn_map_next(&listener->uris, &cursor, &uri, &mark)) {
		if (mark != dirty_mark)
			continue;
		if (!keeps_up(listener))
			return false;
		json = build(listener->server, "notifications/resources/updated", uri,
			     listener->id);
		if (!json.size)
			return false;
		tn_map_replace(&listener->uris, uri, clean_mark);
		listener->exchange->ops->notify(listener->exchange, json);
	}
	listener->dirty_uris = false;
	return true;
}

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
		if (add_uri(call->server, &listener->uris, &listener->uri_bytes, uri->text, NULL) !=
		    TENON_OK) {
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
		    tn_map_put(&listener->tasks, id->text, clean_mark, NULL) != TENON_OK) {
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
	for (size_t i = 0; i < TN_COUNT(list_kinds); i++) {
		const struct tn_json *wanted = tn_json_get(filter, list_kinds[i].filter);
		bool on = false;

		if (wanted && !tn_json_to_bool(wanted, &on)) {
			tn_method_invalid(call, "notifications.%s: send true or false",
					  list_kinds[i].filter);
			return false;
		}
		if (on)
			listener->wanted |= list_kinds[i].bit;
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
	for (size_t i = 0; i < TN_COUNT(list_kinds); i++) {
		if (listener->wanted & list_kinds[i].bit)
			tn_json_put_member_bool(out, list_kinds[i].filter, true);
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

/* ---- publishing ---- */

/* Some subscriber did not keep up: look again a little later. */
static void retry_later(struct tenon_server *server);

/* There is more to tell and somebody to tell it to, only not now. */
static bool is_slow(const struct tn_peer *peer)
{
	return peer->initialized && (peer->dirty || peer->dirty_uris) && peer->outlet &&
	       peer->outlet->slow && peer->outlet->slow(peer);
}

static void flush_all(struct tenon_server *server)
{
	bool waiting = false;

	for (struct tn_peer *peer = server->peers; peer; peer = peer->next) {
		if (!peer->dirty && !peer->dirty_uris)
			continue;
		tn_peer_flush(peer);
		waiting |= is_slow(peer);
	}
	for (struct tn_listener *l = server->listeners; l; l = l->next) {
		if ((l->dirty || l->dirty_uris || l->dirty_tasks) && !flush_listener(l))
			waiting = true;
	}
	if (waiting)
		retry_later(server);
}

static void retry_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	flush_all(data);
}

static void retry_later(struct tenon_server *server)
{
	if (!server->retry_timer &&
	    tn_timer_open(server->loop, retry_due, server, &server->retry_timer, NULL) != TENON_OK)
		return; /* the next change tries again */
	if (!tn_timer_active(server->retry_timer))
		tn_timer_start(server->retry_timer, RETRY_MS);
}

static void lists_due(struct tn_timer *timer, void *data)
{
	struct tenon_server *server = data;

	(void)timer;
	for (struct tn_peer *peer = server->peers; peer; peer = peer->next) {
		if (peer->revision != TN_REVISION_NONE)
			peer->dirty |= server->dirty;
	}
	for (struct tn_listener *l = server->listeners; l; l = l->next)
		l->dirty |= server->dirty & l->wanted;
	server->dirty = 0;
	flush_all(server);
}

void tn_feed_list_changed(struct tenon_server *server, enum tn_item_kind kind)
{
	static const unsigned bits[] = {
		[TN_ITEM_TOOL] = TN_DIRTY_TOOLS,
		[TN_ITEM_RESOURCE] = TN_DIRTY_RESOURCES,
		[TN_ITEM_TEMPLATE] = TN_DIRTY_RESOURCES,
		[TN_ITEM_PROMPT] = TN_DIRTY_PROMPTS,
	};

	if (!server->peers && !server->listeners)
		return;
	if (!server->list_timer &&
	    tn_timer_open(server->loop, lists_due, server, &server->list_timer, NULL) != TENON_OK)
		return; /* out of memory: the next change tells of this one, too */
	server->dirty |= bits[kind];
	if (!tn_timer_active(server->list_timer))
		tn_timer_start(server->list_timer, TN_LIST_CHANGED_DEBOUNCE_MS);
}

/* Of what a change is told to; `concerns` is asked of those who follow the URI only. */
struct audience {
	bool (*concerns)(const struct tn_peer *peer, void *data);
	void *data;
};

static bool mark_for(const struct audience *audience, const struct tn_peer *peer,
		     struct tn_map *uris, struct tn_str uri)
{
	return uris->used && has_uri(peer->server, uris, uri) &&
	       (!audience->concerns || audience->concerns(peer, audience->data)) &&
	       mark_changed(peer->server, uris, uri);
}

void tn_feed_resource_updated_for(struct tenon_server *server, struct tn_str uri,
				  bool (*concerns)(const struct tn_peer *peer, void *data),
				  void *data)
{
	const struct tn_item *item = tn_registry_find(&server->registry, TN_ITEM_RESOURCE, uri);
	const struct audience audience = {.concerns = concerns, .data = data};

	if (item && (item->app & server->registry.apps_off))
		return; /* its app is off: it does not exist */
	for (struct tn_peer *peer = server->peers; peer; peer = peer->next) {
		if (mark_for(&audience, peer, &peer->subscriptions, uri))
			peer->dirty_uris = true;
	}
	for (struct tn_listener *l = server->listeners; l; l = l->next) {
		if (mark_for(&audience, l->peer, &l->uris, uri))
			l->dirty_uris = true;
	}
	flush_all(server);
}

void tn_feed_resource_updated(struct tenon_server *server, struct tn_str uri)
{
	tn_feed_resource_updated_for(server, uri, NULL, NULL);
}

bool tn_feed_has_subscriber(const struct tenon_server *server, struct tn_str uri)
{
	if (!server->subscription_bytes)
		return false;
	for (const struct tn_peer *peer = server->peers; peer; peer = peer->next) {
		if (has_uri(server, &peer->subscriptions, uri))
			return true;
	}
	for (const struct tn_listener *l = server->listeners; l; l = l->next) {
		if (has_uri(server, &l->uris, uri))
			return true;
	}
	return false;
}

static bool follows(const struct tn_peer *peer, struct tn_str uri)
{
	if (has_uri(peer->server, &peer->subscriptions, uri))
		return true;
	for (const struct tn_listener *l = peer->listeners; l; l = l->peer_next) {
		if (has_uri(peer->server, &l->uris, uri))
			return true;
	}
	return false;
}

size_t tn_feed_count_persons(const struct tenon_server *server, struct tn_str uri)
{
	size_t count = 0;

	for (const struct tn_peer *peer = server->peers; peer; peer = peer->next)
		count += peer->person && follows(peer, uri);
	return count;
}

void tn_feed_task_changed(struct tenon_server *server, struct tn_str id)
{
	bool any = false;

	for (struct tn_listener *l = server->listeners; l; l = l->next) {
		if (tn_map_replace(&l->tasks, id, dirty_mark))
			any = l->dirty_tasks = true;
	}
	if (any)
		flush_all(server);
}
