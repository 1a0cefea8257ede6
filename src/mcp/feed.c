/* Publishing, and legacy subscribers. */
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/feed_parts.h"
#include "mcp/limits.h"
#include "mcp/server.h"

enum { RETRY_MS = 100 };

/* ---- legacy subscribers ---- */

void tn_peer_flush(struct tn_peer *peer)
{
	const struct tn_str none = {NULL, 0};
	struct tn_str uri, json;
	size_t cursor = 0;
	void *mark;

	if (!peer->initialized || !peer->outlet || !peer->outlet->ready(peer))
		return;
	for (size_t i = 0; i < TN_FEED_LIST_KINDS; i++) {
		if (!(peer->dirty & tn_feed_list_kinds[i].bit))
			continue;
		json = tn_feed_build(peer->server, tn_feed_list_kinds[i].method, none, none);
		if (!json.size)
			return; /* out of memory: the next change tells of this one, too */
		peer->dirty &= ~tn_feed_list_kinds[i].bit;
		peer->outlet->send(peer, json);
	}
	if (!peer->dirty_uris)
		return;
	peer->dirty_uris = false;
	while (tn_map_next(&peer->subscriptions, &cursor, &uri, &mark)) {
		if (mark != tn_feed_dirty)
			continue;
		json = peer->outlet->ready(peer)
			       ? tn_feed_build(peer->server, "notifications/resources/updated", uri,
					       none)
			       : none;
		if (!json.size) {
			peer->dirty_uris = true;
			return;
		}
		tn_map_replace(&peer->subscriptions, uri, tn_feed_clean);
		peer->outlet->send(peer, json);
	}
}

enum tenon_code tn_feed_subscribe(struct tn_peer *peer, struct tn_str uri, struct tenon_error *err)
{
	if (peer->subscriptions.used >= TN_SUBSCRIPTIONS_MAX &&
	    !tn_map_get(&peer->subscriptions, uri))
		return tn_fail(err, TENON_LIMIT, "more than %d subscriptions",
			       TN_SUBSCRIPTIONS_MAX);
	return tn_feed_add_uri(peer->server, &peer->subscriptions, &peer->subscription_bytes, uri,
			       err);
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
		if (mark != tn_feed_dirty)
			continue;
		if (!keeps_up(listener))
			return false;
		tn_map_replace(&listener->tasks, id, tn_feed_clean);
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

	for (size_t i = 0; i < TN_FEED_LIST_KINDS; i++) {
		if (!(listener->dirty & tn_feed_list_kinds[i].bit))
			continue;
		if (!keeps_up(listener))
			return false;
		json = tn_feed_build(listener->server, tn_feed_list_kinds[i].method, none,
				     listener->id);
		if (!json.size)
			return false;
		listener->dirty &= ~tn_feed_list_kinds[i].bit;
		listener->exchange->ops->notify(listener->exchange, json);
	}
	if (!flush_tasks(listener))
		return false;
	if (!listener->dirty_uris)
		return true;
	while (tn_map_next(&listener->uris, &cursor, &uri, &mark)) {
		if (mark != tn_feed_dirty)
			continue;
		if (!keeps_up(listener))
			return false;
		json = tn_feed_build(listener->server, "notifications/resources/updated", uri,
				     listener->id);
		if (!json.size)
			return false;
		tn_map_replace(&listener->uris, uri, tn_feed_clean);
		listener->exchange->ops->notify(listener->exchange, json);
	}
	listener->dirty_uris = false;
	return true;
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
	/* Who is concerned may cost a look at the system: it is asked of those who follow alone. */
	if (audience->concerns &&
	    !(tn_feed_has_uri(peer->server, uris, uri) && audience->concerns(peer, audience->data)))
		return false;
	return tn_feed_mark_uri(peer->server, uris, uri);
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
		if (tn_feed_has_uri(server, &peer->subscriptions, uri))
			return true;
	}
	for (const struct tn_listener *l = server->listeners; l; l = l->next) {
		if (tn_feed_has_uri(server, &l->uris, uri))
			return true;
	}
	return false;
}

static bool follows(const struct tn_peer *peer, struct tn_str uri)
{
	if (tn_feed_has_uri(peer->server, &peer->subscriptions, uri))
		return true;
	for (const struct tn_listener *l = peer->listeners; l; l = l->peer_next) {
		if (tn_feed_has_uri(peer->server, &l->uris, uri))
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
		if (tn_map_replace(&l->tasks, id, tn_feed_dirty))
			any = l->dirty_tasks = true;
	}
	if (any)
		flush_all(server);
}
