/* resources/read and the legacy subscriptions. */
#include "base/limits.h"
#include "base/percent.h"
#include "jsonrpc/json_write.h"
#include "mcp/feed.h"
#include "mcp/fit.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/method.h"
#include "mcp/room.h"
#include "mcp/scope.h"
#include "mcp/server.h"

/* The variables of a template's URI become the call's arguments. */
static bool set_arguments(struct tenon_call *call, const struct tn_uri_variable *variables,
			  size_t count)
{
	struct tn_json *object = tn_arena_alloc(&call->arena, sizeof(*object));
	struct tn_json **tail;

	if (!object)
		return false;
	object->type = TN_JSON_OBJECT;
	object->count = (uint32_t)count;
	tail = &object->first;
	for (size_t i = 0; i < count; i++) {
		struct tn_json *member = tn_arena_alloc(&call->arena, sizeof(*member));

		if (!member)
			return false;
		member->type = TN_JSON_STRING;
		member->key = variables[i].name;
		member->text = variables[i].value;
		*tail = member;
		tail = &member->next;
	}
	call->arguments = object;
	return true;
}

/* Concrete resources win over templates, among those the first that was added. */
static struct tn_item *find_template(struct tenon_call *call, const struct tn_sight *sight,
				     struct tn_str uri)
{
	const struct tn_list *list = &call->server->registry.lists[TN_ITEM_TEMPLATE];
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	size_t count;

	for (size_t i = 0; i < list->count; i++) {
		if (tn_sees_app_of(sight, list->items[i]) &&
		    tn_uri_template_match(list->items[i]->pattern, uri, &call->arena, variables,
					  &count))
			return set_arguments(call, variables, count) ? list->items[i] : NULL;
	}
	return NULL;
}

static struct tn_item *find(struct tenon_call *call, struct tn_str uri)
{
	const struct tn_sight sight = tn_peer_sight(call->peer);
	struct tn_item *item;

	if (!tn_scope_allows(sight.scope, TN_ITEM_RESOURCE, uri))
		return NULL;
	item = tn_registry_find(&call->server->registry, TN_ITEM_RESOURCE, uri);
	return item && tn_sees_app_of(&sight, item) ? item : find_template(call, &sight, uri);
}

/* A person and a script get all of it, a model as much as it is handed (HO-003). */
static void put_long_text(struct tenon_call *call, const struct tn_long_text_found *found)
{
	struct tn_str text = tn_str_from_offset(found->text, found->from);
	struct tn_buf page;

	tn_buf_init(&page, TN_RESULT_BYTES_MAX);
	if (!tn_call_is_for_model(call)) {
		tn_json_put_member_str(&call->out, "text", text);
	} else if (found->json) {
		tn_buf_append_str(&page, text);
		tn_room_fit(call, &page, TN_MODEL_TOKENS_MAX);
	} else {
		tn_room_put_page(&page, found->text, found->from, found->uri);
	}
	if (tn_call_is_for_model(call))
		tn_json_put_member_str(&call->out, "text", tn_buf_str(&page));
	call->out.failed = call->out.failed || page.failed;
	tn_buf_finish(&page);
}

/* MCP-231: what a tool's result was too long for. False: no such text. */
static bool read_long_text(struct tenon_call *call)
{
	struct tn_long_text_found found;

	if (!call->server->long_texts || !tn_long_text_find(call, call->uri, &found))
		return false;
	tn_result_begin(call);
	tn_json_put_key(&call->out, "contents");
	tn_json_begin_array(&call->out);
	tn_json_begin_object(&call->out);
	tn_json_put_member_str(&call->out, "uri", call->uri);
	tn_json_put_member_text(&call->out, "mimeType",
				found.json ? "application/json" : "text/plain");
	put_long_text(call, &found);
	tn_json_end_object(&call->out);
	tn_json_end_array(&call->out);
	tn_result_put_cache(call, 0, false);
	tn_result_send_as(call, "complete");
	return true;
}

static void not_there(struct tenon_call *call)
{
	if (tn_percent_is_valid(call->uri))
		tenon_call_not_found(call);
	else
		tn_method_invalid(call, "uri: \"%%\" stands before two hexadecimal digits, as in "
					"%%25 for itself");
}

void tn_method_resources_read(struct tenon_call *call)
{
	bool plain;

	if (!tn_method_string(call, "uri", TN_URI_BYTES_MAX, &call->uri))
		return;
	call->item = find(call, call->uri);
	if (!call->item) {
		if (!read_long_text(call))
			not_there(call);
		return;
	}
	call->item->references++;
	if (!tn_method_admit(call) || !tn_call_take_answers(call))
		return;
	plain = call->item->kind == TN_ITEM_RESOURCE;
	call->handler = plain ? call->item->resource.read : call->item->resource_template.read;
	call->handler_data = plain ? call->item->resource.data : call->item->resource_template.data;
	if (!call->handler_data)
		call->handler_data = call->item->app_state;
	tn_call_run(call);
}

/* ---- legacy subscriptions (MCP-234) ---- */

void tn_method_subscribe(struct tenon_call *call)
{
	struct tenon_error err;

	if (!tn_method_string(call, "uri", TN_URI_BYTES_MAX, &call->uri))
		return;
	if (!find(call, call->uri))
		not_there(call);
	else if (tn_feed_subscribe(call->peer, call->uri, &err) != TENON_OK)
		tn_call_error(call, 200, TN_INTERNAL_ERROR, tn_str_from(err.message),
			      tn_str(NULL, 0));
	else
		tn_result_send_empty(call);
}

void tn_method_unsubscribe(struct tenon_call *call)
{
	if (!tn_method_string(call, "uri", TN_URI_BYTES_MAX, &call->uri))
		return;
	tn_feed_unsubscribe(call->peer, call->uri);
	tn_result_send_empty(call);
}
