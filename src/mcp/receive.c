#include "mcp/receive.h"

#include <stdio.h>

#include "base/limits.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/plain_text.h"
#include "mcp/ability.h"
#include "mcp/batch.h"
#include "mcp/call.h"
#include "mcp/feed.h"
#include "mcp/header_params.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"
#include "mcp/task.h"

static const char claim_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
static const char client_key[] = "io.modelcontextprotocol/clientInfo";
static const char level_key[] = "io.modelcontextprotocol/logLevel";

static void refuse(struct tenon_call *call, int status, int code, const char *message)
{
	tn_call_error(call, status, code, tn_str_from(message), tn_str(NULL, 0));
}

void tn_receive_refused(struct tenon_server *server, struct tn_exchange *x, int status, int code,
			const char *message)
{
	struct tenon_call *call = tn_call_take(server);

	if (!call) {
		x->ops->end(x, true);
		return;
	}
	tn_call_adopt(call, NULL, x);
	refuse(call, status, code, message);
}

/* ---- ids ---- */

/* MCP-002 to MCP-004: a string, or an integer whose digits are kept as they were written. */
static bool read_id(struct tenon_call *call, const struct tn_json *id)
{
	struct tn_buf text;
	const char *copy;

	if (tn_json_is(id, TN_JSON_NUMBER) && tn_json_number_is_id(id->text) &&
	    id->text.size <= TN_ID_BYTES_MAX) {
		call->id = id->text;
		return true;
	}
	if (!tn_json_is(id, TN_JSON_STRING) || id->text.size > TN_ID_BYTES_MAX)
		return false;
	tn_buf_init(&text, TN_ID_BYTES_MAX * 8);
	tn_json_put_str(&text, id->text);
	copy = text.failed ? NULL : tn_arena_copy(&call->arena, tn_buf_str(&text));
	if (copy)
		call->id = tn_str(copy, text.size);
	tn_buf_finish(&text);
	return copy != NULL;
}

static struct tenon_call *find_call(const struct tn_peer *peer, struct tn_str id)
{
	struct tenon_call *call = peer->calls;

	while (call && !tn_str_equal(call->id, id))
		call = call->next;
	return call;
}

static bool is_id_in_use(const struct tn_peer *peer, struct tn_str id)
{
	return find_call(peer, id) || tn_feed_has_listener(peer, id);
}

/* ---- headers ---- */

static bool header(const struct tenon_call *call, const char *name, struct tn_str *ret)
{
	return call->view && call->view->ops->header(call->view, name, 0, ret);
}

static bool has_modern_header(const struct tenon_call *call)
{
	struct tn_str version;

	return header(call, "MCP-Protocol-Version", &version) &&
	       tn_revision_is_modern_date(version);
}

/* MCP-114: one required header, equal to what the body says. */
static bool header_matches(struct tenon_call *call, const char *name, struct tn_str body)
{
	struct tenon_error err;
	struct tn_str value;

	if (tn_header_value(call->view, name, &call->arena, &value, &err) != TENON_OK) {
		refuse(call, 400, TN_HEADER_MISMATCH, err.message);
		return false;
	}
	if (!value.data || !tn_str_equal(value, body)) {
		(void)tn_fail(&err, TENON_INVALID,
			      value.data ? "header %s differs from the body"
					 : "header %s is missing",
			      name);
		refuse(call, 400, TN_HEADER_MISMATCH, err.message);
		return false;
	}
	return true;
}

/* ---- the modern era ---- */

static const struct tn_json *meta_of(const struct tn_json *params)
{
	const struct tn_json *meta = tn_json_get(params, "_meta");

	return tn_json_is(meta, TN_JSON_OBJECT) ? meta : NULL;
}

static bool is_client_info(const struct tn_json *info)
{
	return tn_json_is(tn_json_get(info, "name"), TN_JSON_STRING) &&
	       tn_json_is(tn_json_get(info, "version"), TN_JSON_STRING);
}

/* Who is on this connection, for display. A client says it with every request, and says the same.
 */
static void remember_modern_client(struct tn_peer *peer, const struct tn_json *info,
				   struct tn_str name)
{
	if (peer->kind == TN_PEER_STREAM && peer->revision == TN_REVISION_NONE &&
	    !tn_str_is(name, peer->client_name))
		tn_peer_name_client(peer, info);
}

/* MCP-044: what every modern request carries. False: answered. */
static bool check_meta(struct tenon_call *call)
{
	const struct tn_json *capabilities = tn_json_get(call->meta, capabilities_key);
	const struct tn_json *info = tn_json_get(call->meta, client_key);
	struct tn_str name;

	if (!tn_json_is(tn_json_get(call->meta, claim_key), TN_JSON_STRING)) {
		refuse(call, 400, TN_INVALID_PARAMS,
		       "_meta: io.modelcontextprotocol/protocolVersion must be a string");
		return false;
	}
	if (!tn_json_is(capabilities, TN_JSON_OBJECT)) {
		refuse(call, 400, TN_INVALID_PARAMS,
		       "_meta: io.modelcontextprotocol/clientCapabilities must be an object");
		return false;
	}
	if (info && !is_client_info(info)) {
		refuse(call, 400, TN_INVALID_PARAMS,
		       "_meta: io.modelcontextprotocol/clientInfo needs name and version");
		return false;
	}
	call->abilities = tn_abilities_parse(capabilities, TN_R5);
	if (tn_json_to_str(tn_json_get(info, "name"), &name)) {
		call->client_name = name.data;
		remember_modern_client(call->peer, info, name);
	}
	return true;
}

static void refuse_version(struct tenon_call *call, struct tn_str requested)
{
	struct tn_buf data;

	tn_buf_init(&data, TN_KIB * 64);
	tn_json_begin_object(&data);
	tn_json_put_key(&data, "supported");
	tn_json_begin_array(&data);
	tn_json_put_str(&data, tn_revision_name(TN_R5));
	tn_json_end_array(&data);
	tn_json_put_member_str(&data, "requested", requested);
	tn_json_end_object(&data);
	tn_call_error(call, 400, TN_UNSUPPORTED_VERSION, TN_STR("Unsupported protocol version"),
		      data.failed ? tn_str(NULL, 0) : tn_buf_str(&data));
	tn_buf_finish(&data);
}

/* MCP-179: the lowest level to send; none without the key. False: answered. */
static bool read_log_level(struct tenon_call *call)
{
	const struct tn_json *wanted = tn_json_get(call->meta, level_key);
	struct tn_str name;
	int level;

	call->log_level = TENON_LOG_EMERGENCY + 1;
	if (!wanted)
		return true;
	level = tn_json_to_str(wanted, &name) ? tn_mcp_log_level_find(name) : -1;
	if (level < 0) {
		tn_method_invalid(call,
				  "_meta: io.modelcontextprotocol/logLevel: send debug, info, "
				  "notice, warning, error, critical, alert or emergency");
		return false;
	}
	call->log_level = level;
	return true;
}

static void start(struct tenon_call *call);

/* Ladder steps 8 to 10 and the checks that follow a claim. */
static void receive_modern(struct tenon_call *call)
{
	struct tn_str version = {"", 0}, name = {"", 0};
	const char *member;

	if (call->peer->no_modern) {
		refuse(call, 400, TN_INVALID_REQUEST, call->peer->no_modern);
		return;
	}
	call->revision = TN_R5;
	call->exchange->revision = TN_R5;
	if (!check_meta(call))
		return;
	(void)tn_json_to_str(tn_json_get(call->meta, claim_key), &version);
	if (call->view && !header_matches(call, "MCP-Protocol-Version", version))
		return;
	if (tn_revision_find(version) != TN_R5) {
		refuse_version(call, version);
		return;
	}
	if (call->view && !header_matches(call, "Mcp-Method", call->method_name))
		return;
	call->method = tn_method_find(call, call->method_name);
	member = call->method ? call->method->name_member : NULL;
	if (call->view && member && tn_json_to_str(tn_json_get(call->params, member), &name) &&
	    !header_matches(call, "Mcp-Name", name))
		return;
	if (read_log_level(call))
		start(call);
}

/* ---- the legacy eras ---- */

static bool is_stateless_method(struct tn_str method)
{
	return tn_str_is(method, "tools/list") || tn_str_is(method, "tools/call") ||
	       tn_str_is(method, "resources/list") || tn_str_is(method, "resources/read") ||
	       tn_str_is(method, "resources/templates/list") || tn_str_is(method, "prompts/list") ||
	       tn_str_is(method, "prompts/get");
}

/* MCP-118: a version header must at least name a legacy revision. False: answered. */
static bool check_legacy_header(struct tenon_call *call)
{
	struct tn_str version;
	enum tn_revision revision;

	if (!header(call, "MCP-Protocol-Version", &version))
		return true;
	revision = tn_revision_find(version);
	if (revision != TN_REVISION_NONE && revision != TN_R5)
		return true;
	refuse(call, 400, TN_INVALID_REQUEST, "MCP-Protocol-Version: unsupported version");
	return false;
}

/* What is served, or taken and dropped, where no sessions are kept. No name: a response. */
static bool stands_alone(struct tn_str method)
{
	return is_stateless_method(method) || tn_str_is(method, "ping") ||
	       tn_str_is(method, "completion/complete") || method.size == 0 ||
	       tn_str_starts(method, TN_STR("notifications/"));
}

static bool is_nobodys(struct tn_str method)
{
	return method.size && !tn_method_is_known(method) &&
	       !tn_str_starts(method, TN_STR("notifications/"));
}

/* MCP-118: without a session the header says it, or else it is the oldest that has no such header.
 */
static enum tn_revision header_revision(const struct tenon_call *call)
{
	struct tn_str version;

	return header(call, "MCP-Protocol-Version", &version) ? tn_revision_find(version) : TN_R2;
}

/* Finds the session of an HTTP request. False: answered. */
static bool find_session(struct tenon_call *call)
{
	struct tn_peer *peer = NULL;

	switch (call->view->ops->find_session(call->view, &peer)) {
	case TN_SESSION_FOUND:
		call->peer = peer;
		return true;
	case TN_SESSION_UNKNOWN:
		refuse(call, 404, TN_INVALID_REQUEST,
		       "Session not found; send initialize to open a new one");
		return false;
	case TN_SESSION_OFF:
		if (stands_alone(call->method_name)) {
			call->revision = header_revision(call);
			return true;
		}
		refuse(call, 400, TN_INVALID_REQUEST, "This server keeps no sessions");
		return false;
	case TN_SESSION_ABSENT:
		break;
	}
	/* MCP-120: a bare curl works; and what no session would know is unknown (T-06). */
	if (is_stateless_method(call->method_name) || is_nobodys(call->method_name)) {
		call->revision = TN_R2;
		return true;
	}
	refuse(call, 400, TN_INVALID_REQUEST,
	       "Mcp-Session-Id is missing; send initialize, or the _meta keys of 2026-07-28");
	return false;
}

static void receive_legacy(struct tenon_call *call)
{
	if (call->view && (!check_legacy_header(call) || !find_session(call)))
		return;
	if (call->revision == TN_REVISION_NONE)
		call->revision = call->peer->revision;
	call->exchange->revision = call->revision;
	if (call->revision == TN_REVISION_NONE && !tn_str_is(call->method_name, "ping")) {
		tn_method_invalid(call, "send initialize first, or the _meta keys %s and %s",
				  claim_key, capabilities_key); /* MCP-052 */
		return;
	}
	call->abilities = call->peer->kind == TN_PEER_HTTP_REQUEST ? 0 : call->peer->abilities;
	call->client_name = call->peer->client_name;
	call->method = tn_method_find(call, call->method_name);
	start(call);
}

static void receive_initialize(struct tenon_call *call)
{
	struct tn_peer *known;
	struct tn_str version = {"", 0};

	if (call->peer->no_legacy) { /* MCP-053 */
		(void)tn_json_to_str(tn_json_get(call->params, "protocolVersion"), &version);
		refuse_version(call, version);
		return;
	}
	if (has_modern_header(call)) {
		refuse(call, 400, TN_HEADER_MISMATCH,
		       "MCP-Protocol-Version does not go with initialize");
		return;
	}
	if (call->view ? call->view->ops->find_session(call->view, &known) == TN_SESSION_FOUND
		       : call->peer->revision != TN_REVISION_NONE) {
		refuse(call, 400, TN_INVALID_REQUEST, "Already initialized"); /* MCP-058 */
		return;
	}
	tn_method_initialize(call);
}

/* ---- both ---- */

/* Arguments of a tool are checked with its schema; everything else that is sent is text. */
static bool has_nul(const struct tenon_call *call)
{
	bool of_tool = tn_str_is(call->method_name, "tools/call");

	for (const struct tn_json *m = call->params ? call->params->first : NULL; m; m = m->next) {
		if (!(of_tool && tn_str_is(m->key, "arguments")) && tn_json_has_nul(m))
			return true;
	}
	return false;
}

static void start(struct tenon_call *call)
{
	const struct tn_json *token = tn_json_get(call->meta, "progressToken");
	struct tn_str id = call->id;

	if (!call->method) {
		refuse(call, call->revision == TN_R5 ? 404 : 200, TN_METHOD_NOT_FOUND,
		       "Method not found");
		return;
	}
	if (call->peer->kind == TN_PEER_STREAM && is_id_in_use(call->peer, call->id)) {
		refuse(call, 400, TN_INVALID_REQUEST, "A request with this id is still running");
		return;
	}
	if (call->peer->kind != TN_PEER_HTTP_REQUEST &&
	    call->peer->call_count >= TN_CALLS_PER_PEER_MAX) {
		refuse(call, 429, TN_INTERNAL_ERROR, "Too many requests at once");
		return;
	}
	if (has_nul(call)) {
		refuse(call, 200, TN_INVALID_PARAMS,
		       "params: a text has a NUL character (\\u0000); send text without it");
		return;
	}
	if (!tn_fit_of_call(call, &call->fit)) {
		refuse(call, 400, TN_INVALID_REQUEST, TN_FIT_HEADER ": send " TN_FIT_WORDS);
		return;
	}
	call->peer->spoken = call->revision;
	if (token && read_id(call, token)) /* the same types as an id */
		call->progress_token = call->id;
	call->id = id;
	tn_call_list(call);
	call->method->call(call);
}

static void receive_request(struct tenon_call *call)
{
	bool claims = tn_json_get(call->meta, claim_key) != NULL;

	if (!claims && tn_str_is(call->method_name, "initialize"))
		receive_initialize(call);
	else if (claims)
		receive_modern(call);
	else if (has_modern_header(call) || call->peer->no_legacy)
		refuse(call, 400, TN_INVALID_PARAMS,
		       "_meta needs io.modelcontextprotocol/protocolVersion and "
		       "io.modelcontextprotocol/clientCapabilities");
	else
		receive_legacy(call);
}

/* MCP-171: unknown, finished and malformed cancellations are ignored. */
static void receive_cancelled(struct tenon_call *call)
{
	struct tenon_call *running;

	/* Stateless HTTP requests of all clients share a peer, where ids name nothing: there one
	 * cancels by closing the stream (MCP-174), and nobody for another. */
	if (call->peer->kind == TN_PEER_HTTP_REQUEST)
		return;
	if (!read_id(call, tn_json_get(call->params, "requestId")))
		return;
	if (tn_feed_cancel_listener(call->peer, call->id))
		return;
	running = find_call(call->peer, call->id);
	if (running && !tn_str_is(running->method_name, "initialize"))
		tn_call_cancel(running);
}

/* False: answered. */
static bool find_notification_peer(struct tenon_call *call)
{
	struct tn_str value;

	if (!call->view)
		return true;
	if (has_modern_header(call) || tn_json_get(call->meta, claim_key)) {
		/* MCP-115: the header is not required here, but must not contradict. */
		if (header(call, "Mcp-Method", &value) &&
		    !header_matches(call, "Mcp-Method", call->method_name))
			return false;
		call->revision = TN_R5;
		return true;
	}
	return check_legacy_header(call) && find_session(call);
}

static void receive_notification(struct tenon_call *call)
{
	if (!find_notification_peer(call))
		return;
	if (tn_str_is(call->method_name, "notifications/cancelled")) {
		receive_cancelled(call);
	} else if (tn_str_is(call->method_name, "notifications/initialized") &&
		   call->revision != TN_R5) {
		call->peer->initialized = true;
		tn_peer_flush(call->peer);
	}
	tn_call_end(call, false);
}

static void receive_response(struct tenon_call *call, const struct tn_json *root)
{
	struct tenon_call *asking;
	int64_t id;

	if (call->view && !find_session(call))
		return;
	/* MCP-017: what matches nothing is dropped. Stateless peers are many clients at once. */
	if (call->peer->kind != TN_PEER_HTTP_REQUEST &&
	    tn_json_to_int(tn_json_get(root, "id"), &id)) {
		for (asking = call->peer->calls; asking; asking = asking->next) {
			if (tn_call_answered(asking, id, root))
				break; /* it may be gone: the walk must end */
		}
		if (!asking)
			tn_task_answered(call->peer, id, root);
	}
	tn_call_end(call, false);
}

static bool is_response(const struct tn_json *message)
{
	return tn_json_get(message, "result") || tn_json_get(message, "error");
}

static void receive_message(struct tenon_call *call, const struct tn_json *root)
{
	const struct tn_json *id = tn_json_get(root, "id");
	const struct tn_json *method = tn_json_get(root, "method");
	struct tn_str version;

	if (!method && is_response(root)) {
		receive_response(call, root);
		return;
	}
	if (id && !read_id(call, id)) {
		refuse(call, 400, TN_INVALID_REQUEST, "id: send a string or an integer");
		return;
	}
	if (!tn_json_to_str(tn_json_get(root, "jsonrpc"), &version) || !tn_str_is(version, "2.0")) {
		refuse(call, 400, TN_INVALID_REQUEST,
		       "Not a JSON-RPC 2.0 message: it needs \"jsonrpc\":\"2.0\"");
		return;
	}
	if (!tn_json_to_str(method, &call->method_name) ||
	    call->method_name.size > TN_METHOD_BYTES_MAX) {
		refuse(call, 400, TN_INVALID_REQUEST, "method: send a string");
		return;
	}
	call->params = tn_json_get(root, "params");
	if (call->params && call->params->type != TN_JSON_OBJECT) {
		if (id) /* MCP-008: no reply to a notification, not even to a malformed one */
			refuse(call, 400, TN_INVALID_REQUEST, "params: send an object");
		else
			tn_call_end(call, false);
		return;
	}
	call->meta = meta_of(call->params);
	if (id)
		receive_request(call);
	else
		receive_notification(call);
}

static void receive(struct tenon_call *call, struct tn_str text)
{
	char *copy = tn_arena_copy(&call->arena, text);
	struct tn_json *root;
	struct tenon_error err;
	enum tenon_code code;

	if (!copy) {
		refuse(call, 400, TN_INVALID_REQUEST, "The message is too large");
		return;
	}
	code = tn_json_parse(&call->arena, copy, text.size, &root, &err);
	if (code == TENON_INVALID) {
		char message[TENON_ERROR_MESSAGE_MAX + 16];

		(void)snprintf(message, sizeof(message), "Parse error: %s", err.message);
		refuse(call, 400, TN_PARSE_ERROR, message);
	} else if (code != TENON_OK) {
		refuse(call, 400, TN_INVALID_REQUEST, err.message);
	} else if (root->type == TN_JSON_ARRAY) {
		tn_batch_receive(call, root);
	} else {
		receive_message(call, root);
	}
}

static void enter(struct tn_peer *peer, struct tn_exchange *x, const struct tn_http_view *view,
		  struct tn_str text)
{
	struct tenon_call *call = tn_call_take(peer->server);

	if (!call) {
		tn_answer_without_memory(x, tn_str(NULL, 0)); /* silence would be waited for */
		return;
	}
	call->view = view;
	tn_call_adopt(call, peer, x);
	receive(call, text);
}

void tn_receive_stream(struct tn_peer *peer, struct tn_exchange *x, struct tn_str text)
{
	enter(peer, x, NULL, text);
}

void tn_receive_http(struct tn_peer *modern, struct tn_exchange *x, const struct tn_http_view *view,
		     struct tn_str text)
{
	enter(modern, x, view, text);
}
