#include "cli/relay/relay_session.h"

#include "base/size.h"
#include "cli/limits.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"

#define OWN_PREFIX "tenon-relay-"

enum { MESSAGE_SPACE = 1024 };

static const struct {
	const char *capability, *method, *filter;
} lists[] = {
	{"tools", "notifications/tools/list_changed", "toolsListChanged"},
	{"resources", "notifications/resources/list_changed", "resourcesListChanged"},
	{"prompts", "notifications/prompts/list_changed", "promptsListChanged"},
};

static char subscribed[1]; /* the value of every subscription */

void tn_relay_session_init(struct tn_relay_session *session)
{
	*session = (struct tn_relay_session){0};
	tn_buf_init(&session->initialize, TN_RELAY_KEPT_MAX);
	tn_buf_init(&session->level, TN_RELAY_KEPT_MAX);
	tn_map_init(&session->subscriptions);
}

void tn_relay_session_finish(struct tn_relay_session *session)
{
	tn_buf_finish(&session->initialize);
	tn_buf_finish(&session->level);
	tn_map_finish(&session->subscriptions);
}

/* ---- what is remembered ---- */

/* Reads what was agreed upon. */
static bool read_answer(struct tn_arena *arena, struct tn_str answer, enum tn_revision *ret,
			unsigned *ret_lists)
{
	const struct tn_json *result, *capabilities;
	struct tn_json *root;
	struct tn_str version;

	if (tn_json_parse_copy(arena, answer, &root, NULL) != TENON_OK)
		return false;
	result = tn_json_get(root, "result");
	if (!tn_json_to_str(tn_json_get(result, "protocolVersion"), &version))
		return false;
	*ret = tn_revision_find(version);
	capabilities = tn_json_get(result, "capabilities");
	*ret_lists = 0;
	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		bool tells = false;

		(void)tn_json_to_bool(
			tn_json_get(tn_json_get(capabilities, lists[i].capability), "listChanged"),
			&tells);
		*ret_lists |= tells ? 1u << i : 0;
	}
	return *ret != TN_REVISION_NONE;
}

/* A new buffer's worth; empty when it cannot be kept. */
static void keep(struct tn_buf *buf, struct tn_str text)
{
	tn_buf_clear(buf);
	tn_buf_append_str(buf, text);
	if (buf->failed)
		tn_buf_clear(buf);
}

static void note_initialize(struct tn_relay_session *session, const struct tn_relay_call *call,
			    struct tn_str answer)
{
	struct tn_relay_message message;
	struct tn_relay_scan scan;
	struct tn_arena arena;

	tn_relay_scan_init(&scan);
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (call->extra.size && tn_relay_scan_begin(&scan, call->extra) &&
	    tn_relay_scan_next(&scan, &message) == TN_RELAY_MESSAGE &&
	    read_answer(&arena, answer, &session->revision, &session->lists))
		keep(&session->initialize, message.params);
	tn_arena_finish(&arena);
	tn_relay_scan_finish(&scan);
}

static void subscribe(struct tn_relay_session *session, struct tn_str uri)
{
	if (uri.size == 0 || tn_map_get(&session->subscriptions, uri) ||
	    session->subscription_bytes + uri.size > TN_SUBSCRIPTION_BYTES_MAX)
		return;
	if (tn_map_put(&session->subscriptions, uri, subscribed, NULL) == TENON_OK)
		session->subscription_bytes += uri.size;
}

void tn_relay_session_note(struct tn_relay_session *session, const struct tn_relay_call *call,
			   struct tn_str answer)
{
	switch (call->kind) {
	case TN_RELAY_CALL_INITIALIZE:
		note_initialize(session, call, answer);
		break;
	case TN_RELAY_CALL_SET_LEVEL:
		keep(&session->level, call->extra);
		break;
	case TN_RELAY_CALL_SUBSCRIBE:
		subscribe(session, call->extra);
		break;
	case TN_RELAY_CALL_UNSUBSCRIBE:
		if (tn_map_remove(&session->subscriptions, call->extra))
			session->subscription_bytes -= call->extra.size;
		break;
	case TN_RELAY_CALL_TOOL:
	case TN_RELAY_CALL_PLAIN:
	case TN_RELAY_CALL_LISTEN:
		break;
	}
}

/* ---- to a new daemon ---- */

bool tn_relay_session_is_own(struct tn_str key)
{
	return tn_str_starts(key, TN_STR("\"" OWN_PREFIX));
}

static void request(struct tn_relay_session *session, const char *method, struct tn_str params,
		    tn_relay_say_fn *say, void *data)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RELAY_KEPT_MAX + MESSAGE_SPACE);
	tn_buf_format(&out,
		      "{\"jsonrpc\":\"2.0\",\"id\":\"" OWN_PREFIX "%llu\",\"method\":\"%s\","
		      "\"params\":",
		      (unsigned long long)++session->own_ids, method);
	tn_buf_append_str(&out, params);
	tn_buf_append_byte(&out, '}');
	if (!out.failed)
		say(data, tn_buf_str(&out));
	tn_buf_finish(&out);
}

void tn_relay_session_replay(struct tn_relay_session *session, tn_relay_say_fn *say, void *data)
{
	request(session, "initialize", tn_buf_str(&session->initialize), say, data);
}

bool tn_relay_session_agrees(struct tn_relay_session *session, struct tn_str answer,
			     struct tenon_error *err)
{
	enum tn_revision revision = TN_REVISION_NONE;
	struct tn_arena arena;
	bool ok;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	ok = read_answer(&arena, answer, &revision, &session->lists);
	tn_arena_finish(&arena);
	if (ok && revision == session->revision)
		return true;
	if (ok)
		(void)tn_fail(err, TENON_INVALID,
			      "the daemon was replaced by one that speaks %s, and this "
			      "conversation began with %s: start it anew",
			      tn_revision_name(revision).data,
			      tn_revision_name(session->revision).data);
	else
		(void)tn_fail(err, TENON_INVALID,
			      "the daemon was replaced by one that does not take this "
			      "conversation: start it anew");
	return false;
}

static void restore_subscriptions(struct tn_relay_session *session, tn_relay_say_fn *say,
				  void *data)
{
	struct tn_str uri;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&session->subscriptions, &cursor, &uri, &value)) {
		struct tn_buf params;

		tn_buf_init(&params, TN_RELAY_KEPT_MAX);
		tn_json_begin_object(&params);
		tn_json_put_member_str(&params, "uri", uri);
		tn_json_end_object(&params);
		if (!params.failed)
			request(session, "resources/subscribe", tn_buf_str(&params), say, data);
		tn_buf_finish(&params);
	}
}

void tn_relay_session_restore(struct tn_relay_session *session, tn_relay_say_fn *say, void *data)
{
	if (session->initialized)
		say(data, TN_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
	if (session->level.size)
		request(session, "logging/setLevel", tn_buf_str(&session->level), say, data);
	restore_subscriptions(session, say, data);
}

/* ---- to the host ---- */

/* `subscription`: the id of a listen request, as JSON; no data: a legacy session. */
static void notify(const char *method, struct tn_str uri, struct tn_str subscription,
		   tn_relay_say_fn *say, void *data)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RELAY_KEPT_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "jsonrpc", "2.0");
	tn_json_put_member_text(&out, "method", method);
	if (uri.data || subscription.data) {
		tn_json_put_key(&out, "params");
		tn_json_begin_object(&out);
		if (uri.data)
			tn_json_put_member_str(&out, "uri", uri);
		if (subscription.data) {
			tn_json_put_key(&out, "_meta");
			tn_json_begin_object(&out);
			tn_json_put_member_raw(&out, "io.modelcontextprotocol/subscriptionId",
					       subscription);
			tn_json_end_object(&out);
		}
		tn_json_end_object(&out);
	}
	tn_json_end_object(&out);
	if (!out.failed)
		say(data, tn_buf_str(&out));
	tn_buf_finish(&out);
}

void tn_relay_session_tell(const struct tn_relay_session *session, tn_relay_say_fn *say, void *data)
{
	const struct tn_str none = {NULL, 0};
	struct tn_str uri;
	size_t cursor = 0;
	void *value;

	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		if (session->lists >> i & 1)
			notify(lists[i].method, none, none, say, data);
	}
	while (tn_map_next(&session->subscriptions, &cursor, &uri, &value))
		notify("notifications/resources/updated", uri, none, say, data);
}

static bool is_id(const struct tn_json *id, struct tn_str key)
{
	if (tn_json_is(id, TN_JSON_NUMBER))
		return tn_str_equal(id->text, key);
	return tn_json_is(id, TN_JSON_STRING) && key.size && key.data[0] == '"' &&
	       tn_str_equal(id->text, tn_str_from_offset(key, 1));
}

static void tell_filter(const struct tn_json *filter, struct tn_str id, tn_relay_say_fn *say,
			void *data)
{
	const struct tn_json *uris = tn_json_get(filter, "resourceSubscriptions");
	const struct tn_str none = {NULL, 0};

	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		bool wanted = false;

		(void)tn_json_to_bool(tn_json_get(filter, lists[i].filter), &wanted);
		if (wanted)
			notify(lists[i].method, none, id, say, data);
	}
	if (!tn_json_is(uris, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *uri = uris->first; uri; uri = uri->next) {
		if (uri->type == TN_JSON_STRING)
			notify("notifications/resources/updated", uri->text, id, say, data);
	}
}

bool tn_relay_session_tell_listener(const struct tn_relay_call *call, struct tn_str acknowledged,
				    tn_relay_say_fn *say, void *data)
{
	const struct tn_json *params, *id;
	struct tn_arena arena;
	struct tn_json *root;
	bool ours = false;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (tn_json_parse_copy(&arena, acknowledged, &root, NULL) == TENON_OK) {
		params = tn_json_get(root, "params");
		id = tn_json_get(tn_json_get(params, "_meta"),
				 "io.modelcontextprotocol/subscriptionId");
		ours = is_id(id, call->key);
		if (ours)
			tell_filter(tn_json_get(params, "notifications"), call->id, say, data);
	}
	tn_arena_finish(&arena);
	return ours;
}
