/* The four list methods, page by page. */
#include "mcp/method.h"
#include "mcp/limits.h"
#include "mcp/scope.h"
#include "mcp/server.h"

static void list(struct tenon_call *call, enum tn_item_kind kind)
{
	const struct tenon_server_options *o = &call->server->options;
	const struct tn_json *cursor = tn_json_get(call->params, "cursor");
	struct tn_sight sight = tn_peer_sight(call->peer);
	struct tn_str from = {NULL, 0};
	struct tenon_error err;

	if (cursor && cursor->type != TN_JSON_NULL &&
	    !tn_method_string(call, "cursor", TN_CURSOR_BYTES_MAX, &from))
		return;
	if (kind == TN_ITEM_TOOL)
		sight.fit = call->fit.fit;
	tn_result_begin(call);
	if (tn_registry_write_page(&call->server->registry, kind, call->revision, &sight, from,
				   &call->out, &err) != TENON_OK) {
		tn_method_invalid(call, "%s", err.message);
		return;
	}
	tn_result_put_cache(call, o->list_ttl_ms, o->list_public);
	tn_result_end(call);
	tn_call_send(call, 200);
}

void tn_method_tools_list(struct tenon_call *call)
{
	list(call, TN_ITEM_TOOL);
}

void tn_method_resources_list(struct tenon_call *call)
{
	for (const struct tn_app_slot *slot = call->server->apps; slot; slot = slot->next) {
		if (slot->app->refresh_resources && !slot->is_off)
			slot->app->refresh_resources(slot->state);
	}
	list(call, TN_ITEM_RESOURCE);
}

void tn_method_templates_list(struct tenon_call *call)
{
	list(call, TN_ITEM_TEMPLATE);
}

void tn_method_prompts_list(struct tenon_call *call)
{
	list(call, TN_ITEM_PROMPT);
}
