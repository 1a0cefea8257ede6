/* initialize, ping, logging/setLevel of the legacy eras; server/discover of the modern one. */
#include <stdio.h>

#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/ability.h"
#include "mcp/extension.h"
#include "mcp/feed.h"
#include "mcp/finder/finder.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/scope.h"
#include "mcp/server.h"

/* ---- capabilities (mcp.md section 4) ---- */

/* The member is there only when something stands in it. */
static void put_extensions(const struct tn_peer *peer, enum tn_revision revision,
			   struct tn_buf *out)
{
	size_t before = out->size, inside;

	tn_json_put_key(out, "extensions");
	tn_json_begin_object(out);
	inside = out->size;
	if (revision == TN_R5 && tn_peer_has_feature(peer, TN_FEATURE_TASKS)) /* MCP-249 */
		tn_json_put_member_raw(out, TN_TASK_EXTENSION, TN_STR("{}"));
	tn_extension_put_all(peer->server, revision, out);
	if (out->size == inside && !out->failed)
		out->size = before;
	else
		tn_json_end_object(out);
}

/* MCP-242, MCP-247: whoever cannot be told from others has no list of tasks. */
static void put_tasks(const struct tenon_call *call, struct tn_buf *out)
{
	tn_json_put_key(out, "tasks");
	tn_json_begin_object(out);
	if (tn_task_may_list(call))
		tn_json_put_member_raw(out, "list", TN_STR("{}"));
	tn_json_put_member_raw(out, "cancel", TN_STR("{}"));
	tn_json_put_member_raw(out, "requests", TN_STR("{\"tools\":{\"call\":{}}}"));
	tn_json_end_object(out);
}

/* `session`: whom `initialize` is answered for; NULL: nobody who is known again. */
static void put_capabilities(const struct tenon_call *call, const struct tn_peer *session,
			     struct tn_buf *out)
{
	const struct tn_peer *peer = call->peer;
	enum tn_revision revision = call->revision;
	bool keeps = session || revision == TN_R5; /* else nothing can be told later (MCP-129) */
	struct tn_str list = keeps ? TN_STR("{\"listChanged\":true}") : TN_STR("{}");

	tn_json_put_key(out, "capabilities");
	tn_json_begin_object(out);
	if (keeps)
		tn_json_put_member_raw(out, "logging", TN_STR("{}"));
	if (revision >= TN_R2 && tn_peer_has_feature(peer, TN_FEATURE_COMPLETIONS))
		tn_json_put_member_raw(out, "completions", TN_STR("{}"));
	if (tn_peer_has_feature(peer, TN_FEATURE_PROMPTS))
		tn_json_put_member_raw(out, "prompts", list);
	if (tn_peer_has_feature(peer, TN_FEATURE_RESOURCES))
		tn_json_put_member_raw(out, "resources",
				       keeps ? TN_STR("{\"subscribe\":true,\"listChanged\":true}")
					     : list);
	if (tn_peer_has_feature(peer, TN_FEATURE_TOOLS))
		tn_json_put_member_raw(out, "tools", list);
	if (session && revision == TN_R4 && tn_peer_has_feature(peer, TN_FEATURE_TASKS))
		put_tasks(call, out);
	put_extensions(peer, revision, out);
	tn_json_end_object(out);
}

static void put_instructions(const struct tenon_call *call, struct tn_buf *out)
{
	const struct tn_sight sight = tn_peer_sight(call->peer);
	struct tn_buf text;

	tn_buf_init(&text, TN_INSTRUCTIONS_BYTES_MAX);
	tn_server_put_instructions(call->server, sight.hidden, &text);
	if (sight.listing == TN_LISTS_EVERYDAY)
		tn_buf_format(&text, "%s" TN_FINDER_INSTRUCTIONS, text.size ? " " : "");
	if (text.size && !text.failed)
		tn_json_put_member_str(out, "instructions", tn_buf_str(&text));
	if (text.starved)
		out->failed = out->starved = true;
	tn_buf_finish(&text);
}

/* ---- initialize (mcp.md sections 6.2 and 7) ---- */

static void put_initialize_result(struct tenon_call *call, const struct tn_peer *session)
{
	const struct tenon_server_options *o = &call->server->options;
	struct tn_buf *out = &call->out;

	tn_result_begin(call);
	tn_json_put_member_str(out, "protocolVersion", tn_revision_name(call->revision));
	put_capabilities(call, session, out);
	tn_json_put_key(out, "serverInfo");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", o->name);
	tn_json_put_member_text(out, "version", o->version);
	if (o->title && call->revision >= TN_R3)
		tn_json_put_member_text(out, "title", o->title);
	if (call->revision >= TN_R4)
		tn_server_put_about(call->server, out);
	tn_json_end_object(out);
	put_instructions(call, out);
	tn_result_end(call);
}

static void remember_client(struct tn_peer *peer, const struct tenon_call *call)
{
	tn_peer_name_client(peer, tn_json_get(call->params, "clientInfo"));
	peer->revision = call->revision;
	peer->abilities =
		tn_abilities_parse(tn_json_get(call->params, "capabilities"), call->revision);
	if (call->revision == TN_R4)
		tn_extension_remember(peer, tn_json_get(call->params, "capabilities"));
	peer->log_level = TENON_LOG_WARNING; /* MCP-178: until the client chooses */
}

void tn_method_initialize(struct tenon_call *call)
{
	const struct tn_json *capabilities = tn_json_get(call->params, "capabilities");
	struct tn_peer *peer = call->peer;
	struct tn_str version;

	if (!tn_json_to_str(tn_json_get(call->params, "protocolVersion"), &version)) {
		tn_method_invalid(call, "protocolVersion: send a string such as \"2025-11-25\"");
		return;
	}
	if (capabilities && capabilities->type != TN_JSON_OBJECT) {
		tn_method_invalid(call, "capabilities: send an object");
		return;
	}
	call->revision = tn_revision_find(version);
	if (call->revision == TN_REVISION_NONE || call->revision == TN_R5)
		call->revision = TN_R4; /* MCP-055, MCP-057: the newest legacy one */
	if (call->view && !call->view->ops->open_session(call->view, &peer)) {
		tn_call_error(call, 503, TN_INVALID_REQUEST, TN_STR("Too many sessions; try later"),
			      tn_str(NULL, 0));
		return;
	}
	if (peer) { /* else nobody will know it again */
		remember_client(peer, call);
		call->client_name = peer->client_name;
	}
	call->exchange->revision = call->revision;
	put_initialize_result(call, peer);
	tn_call_send(call, 200);
}

void tn_method_ping(struct tenon_call *call)
{
	tn_result_send_empty(call);
}

int tn_mcp_log_level_find(struct tn_str name)
{
	static const char *const names[] = {"debug", "info",     "notice", "warning",
					    "error", "critical", "alert",  "emergency"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i]))
			return (int)i;
	}
	return -1;
}

void tn_method_set_level(struct tenon_call *call)
{
	struct tn_str name;
	int level;

	if (!tn_method_string(call, "level", TN_NAME_BYTES_MAX, &name))
		return;
	level = tn_mcp_log_level_find(name);
	if (level < 0) {
		tn_method_invalid(call,
				  "level: send debug, info, notice, warning, error, critical, "
				  "alert or emergency");
		return;
	}
	call->peer->log_level = level;
	tn_result_send_empty(call);
}

/* ---- server/discover (MCP-074) ---- */

void tn_method_discover(struct tenon_call *call)
{
	const struct tenon_server_options *o = &call->server->options;

	tn_result_begin(call);
	tn_json_put_key(&call->out, "supportedVersions");
	tn_json_begin_array(&call->out);
	tn_json_put_str(&call->out, tn_revision_name(TN_R5));
	tn_json_end_array(&call->out);
	put_capabilities(call, NULL, &call->out);
	put_instructions(call, &call->out);
	tn_result_put_cache(call, o->list_ttl_ms, o->list_public);
	tn_result_end(call);
	tn_call_send(call, 200);
}
