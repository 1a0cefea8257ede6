/* Changes: `subscriptions/listen` of the modern era, `resources/subscribe` of the legacy one
 * (mcp.md section 15). */
#include "base/mem.h"
#include "base/limits.h"
#include "client/limits.h"
#include "client/wire.h"

bool tn_watch_is_stream(const struct tenon_client *client, const struct tn_wire *wire)
{
	return wire == client->listen || wire == client->listen_old;
}

static bool wants_lists(const struct tenon_client *client)
{
	return client->options.handlers.changed != NULL;
}

static void tell(struct tenon_client *client, enum tenon_change change, const char *uri)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;

	if (handlers->changed)
		handlers->changed(change, uri, handlers->data);
}

/* ---- modern: one stream for everything, made anew when what is watched changes ---- */

static void listen_over(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;

	client->listen = NULL;
	if (answer->is_lost)
		return; /* tn_watch_begin sees to it */
	client->listen_missed = true;
	/* Ended in order (MCP-195): again. By a broken stream: again, too, until the server is
	 * back; it may be away for a while, and over HTTP nothing else tells. */
	if (answer->code == TENON_OK) {
		client->watch_changed = true;
		client->listen_ended = true;
		tn_client_turn(client);
	} else if (answer->code == TENON_SYSTEM || answer->code == TENON_BUSY) {
		if (tn_loop_now_ms(client->loop) > client->listen_again_ms)
			client->listen_tries = 0; /* it has lived for a while */
		tn_timer_start(client->timer,
			       (uint64_t)TN_CLIENT_AGAIN_FIRST_MS << client->listen_tries);
		if (client->listen_tries < TN_CLIENT_LISTEN_DOUBLINGS_MAX)
			client->listen_tries++;
	} else {
		tn_client_log(client, "warning", answer->err.message);
	}
}

void tn_watch_rested(struct tenon_client *client)
{
	if (client->phase != TN_CLIENT_READY || !tn_client_is_modern(client) || client->listen)
		return;
	client->watch_changed = true;
	tn_client_turn(client);
}

static void old_listen_over(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;

	(void)answer;
	client->listen_old = NULL;
}

static void put_flag(struct tn_buf *out, const char *key, bool value)
{
	if (value)
		tn_json_put_member_bool(out, key, true);
}

static void put_filter(const struct tenon_client *client, struct tn_buf *out)
{
	const struct tn_client_about *about = &client->about;
	size_t cursor = 0;
	struct tn_str uri;
	void *value;

	tn_json_put_key(out, "notifications");
	tn_json_begin_object(out);
	put_flag(out, "toolsListChanged", wants_lists(client) && about->tools_changed);
	put_flag(out, "promptsListChanged", wants_lists(client) && about->prompts_changed);
	put_flag(out, "resourcesListChanged", wants_lists(client) && about->resources_changed);
	if (client->watched.used && about->subscribe) {
		tn_json_put_key(out, "resourceSubscriptions");
		tn_json_begin_array(out);
		while (tn_map_next(&client->watched, &cursor, &uri, &value))
			tn_json_put_str(out, uri);
		tn_json_end_array(out);
	}
	tn_json_end_object(out);
}

static bool has_something(const struct tenon_client *client)
{
	const struct tn_client_about *about = &client->about;

	if (client->watched.used && about->subscribe)
		return true;
	return wants_lists(client) &&
	       (about->tools_changed || about->prompts_changed || about->resources_changed);
}

static void send_listen(struct tenon_client *client)
{
	struct tn_wire_options options = {0}; /* it lives as long as the connection */
	struct tenon_error err;

	tn_wire_cancel(client->listen_old, "replaced");
	client->listen_old = client->listen; /* until the new one is acknowledged */
	if (client->listen_old)
		client->listen_old->done = old_listen_over;
	client->listen = NULL;
	if (!has_something(client)) {
		tn_wire_cancel(client->listen_old, "nothing to listen for");
		client->listen_old = NULL;
		return;
	}
	client->listen = tn_wire_begin(client, TN_STR("subscriptions/listen"), listen_over, client);
	if (!client->listen)
		return; /* the old one stays */
	put_filter(client, &client->listen->body);
	if (tn_wire_send(client->listen, &options, &err) != TENON_OK) {
		client->listen = NULL;
		tn_client_log(client, "warning", err.message);
	}
}

/* MCP-092: a notice belongs to the stream it names. */
static bool is_of_ours(const struct tenon_client *client, const struct tn_json *params)
{
	const struct tn_json *id =
		tn_json_get(tn_json_get(params, "_meta"), "io.modelcontextprotocol/subscriptionId");
	const struct tn_wire *wire = tn_wire_find(client, id);

	return wire && tn_watch_is_stream(client, wire);
}

/* ---- legacy: one request a URI ---- */

static void subscribed(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;

	if (answer->code != TENON_OK && !answer->is_lost)
		tn_client_log(client, "warning", answer->err.message);
}

static enum tenon_code subscribe(struct tenon_client *client, const char *method, struct tn_str uri,
				 struct tenon_error *err)
{
	struct tn_wire_options options = {.timeout_ms = client->options.request_timeout_ms};
	struct tn_wire *wire;

	if (!client->about.subscribe)
		return TENON_OK;
	wire = tn_wire_begin(client, tn_str_from(method), subscribed, client);
	if (!wire)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_json_put_member_str(&wire->body, "uri", uri);
	return tn_wire_send(wire, &options, err);
}

/* ---- life ---- */

void tn_watch_begin(struct tenon_client *client)
{
	size_t cursor = 0;
	struct tn_str uri;
	void *value;

	if (tn_client_is_modern(client)) {
		client->watch_changed = true;
		tn_client_turn(client);
		return;
	}
	while (tn_map_next(&client->watched, &cursor, &uri, &value)) {
		struct tenon_error err;

		if (subscribe(client, "resources/subscribe", uri, &err) != TENON_OK)
			tn_client_log(client, "warning", err.message);
	}
}

/* At most one listen request a turn, however many URIs were added in it. */
void tn_watch_turn(struct tenon_client *client)
{
	uint64_t now = tn_loop_now_ms(client->loop);

	if (!client->watch_changed || client->phase != TN_CLIENT_READY)
		return;
	client->watch_changed = false;
	/* A server that ends each stream at once is not asked in a circle. */
	if (client->listen_ended && now < client->listen_again_ms) {
		client->listen_ended = false;
		tn_client_log(client, "warning",
			      "the server ends subscriptions as soon as they "
			      "begin: changes are not seen");
		return;
	}
	client->listen_ended = false;
	client->listen_again_ms = now + TN_CLIENT_POLL_MS;
	send_listen(client);
}

void tn_watch_forget(struct tenon_client *client)
{
	client->watch_changed = false;
	client->listen_missed = false; /* the new connection tells */
	client->listen_tries = 0;
}

void tn_watch_finish(struct tenon_client *client)
{
	tn_map_finish(&client->watched);
}

static void take_updated(struct tenon_client *client, const struct tn_json *params)
{
	struct tn_str uri;

	if (!tn_json_to_str(tn_json_get(params, "uri"), &uri))
		return;
	tn_cache_drop(client, TN_STR("resources/read "));
	tell(client, TENON_CHANGED_RESOURCE, uri.data);
}

static void take_acknowledged(struct tenon_client *client, const struct tn_json *params)
{
	const struct tn_json *id =
		tn_json_get(tn_json_get(params, "_meta"), "io.modelcontextprotocol/subscriptionId");

	if (tn_wire_find(client, id) != client->listen)
		return;
	tn_wire_cancel(client->listen_old, "replaced");
	client->listen_old = NULL;
	if (!client->listen_missed)
		return;
	/* MCP-196: nobody told of what happened in between. */
	client->listen_missed = false;
	tn_cache_drop(client, tn_str("", 0));
	tell(client, TENON_CHANGED_ALL, NULL);
}

void tn_watch_notice(struct tenon_client *client, struct tn_str method,
		     const struct tn_json *params)
{
	if (client->phase != TN_CLIENT_READY ||
	    (tn_client_is_modern(client) && !is_of_ours(client, params)))
		return;
	if (tn_str_is(method, "notifications/subscriptions/acknowledged")) {
		take_acknowledged(client, params);
	} else if (tn_str_is(method, "notifications/tools/list_changed")) {
		tn_cache_drop(client, TN_STR("tools/list "));
		tell(client, TENON_CHANGED_TOOLS, NULL);
	} else if (tn_str_is(method, "notifications/prompts/list_changed")) {
		tn_cache_drop(client, TN_STR("prompts/list "));
		tell(client, TENON_CHANGED_PROMPTS, NULL);
	} else if (tn_str_is(method, "notifications/resources/list_changed")) {
		tn_cache_drop(client, TN_STR("resources/"));
		tell(client, TENON_CHANGED_RESOURCES, NULL);
	} else if (tn_str_is(method, "notifications/resources/updated")) {
		take_updated(client, params);
	}
}

enum tenon_code tenon_client_watch(struct tenon_client *client, const char *uri,
				   struct tenon_error *err)
{
	struct tn_str key = tn_str_from(uri);
	enum tenon_code code;

	if (key.size == 0 || key.size > TN_URI_BYTES_MAX)
		return tn_fail(err, TENON_INVALID, "uri: send 1 to %zu bytes", TN_URI_BYTES_MAX);
	if (tn_map_get(&client->watched, key))
		return TENON_OK;
	if (client->watched.used >= TN_CLIENT_WATCHED_MAX)
		return tn_fail(err, TENON_LIMIT, "%d resources are watched already",
			       TN_CLIENT_WATCHED_MAX);
	code = tn_map_put(&client->watched, key, client, err);
	if (code != TENON_OK || client->phase != TN_CLIENT_READY)
		return code; /* tn_watch_begin sees to it */
	if (!tn_client_is_modern(client))
		return subscribe(client, "resources/subscribe", key, err);
	client->watch_changed = true;
	tn_client_turn(client);
	return TENON_OK;
}

void tenon_client_unwatch(struct tenon_client *client, const char *uri)
{
	struct tn_str key = tn_str_from(uri);

	if (!tn_map_remove(&client->watched, key) || client->phase != TN_CLIENT_READY)
		return;
	if (tn_client_is_modern(client)) {
		client->watch_changed = true;
		tn_client_turn(client);
	} else {
		/* Without memory for it, updates go on coming and are passed on. */
		(void)subscribe(client, "resources/unsubscribe", key, NULL);
	}
}
