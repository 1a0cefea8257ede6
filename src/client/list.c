/* All pages of a list as one result (MCP-181, MCP-041). */
#include "base/mem.h"
#include "client/limits.h"
#include "client/request.h"

struct list_kind {
	const char *method;
	const char *key;
};

static const struct list_kind kinds[] = {
	[TENON_LIST_TOOLS] = {"tools/list", "tools"},
	[TENON_LIST_RESOURCES] = {"resources/list", "resources"},
	[TENON_LIST_TEMPLATES] = {"resources/templates/list", "resourceTemplates"},
	[TENON_LIST_PROMPTS] = {"prompts/list", "prompts"},
};

void tn_list_begin_again(struct tenon_request *request)
{
	tn_buf_clear(&request->cursor);
	tn_buf_clear(&request->items);
	tn_map_finish(&request->cursors);
	request->pages = 0;
	request->cursor_bytes = 0;
}

void tn_list_finish(struct tenon_request *request)
{
	tn_buf_finish(&request->cursor);
	tn_buf_finish(&request->items);
	tn_map_finish(&request->cursors);
}

/* {"tools":[...]}, and what the first page says about keeping it. */
static void end_list(struct tenon_request *request)
{
	struct tn_buf *out = &request->result;

	tn_json_begin_object(out);
	tn_json_put_key(out, kinds[request->list].key);
	tn_buf_append_byte(out, '[');
	if (request->items.size) /* each item brought its comma */
		tn_buf_append(out, request->items.data, request->items.size - 1);
	tn_buf_append_byte(out, ']');
	if (request->ttl_ms > 0)
		tn_json_put_member_int(out, "ttlMs", request->ttl_ms);
	tn_json_end_object(out);
	tn_buf_inherit_failure(out, &request->items);
	if (request->list == TENON_LIST_TOOLS)
		tn_tools_retire(request->client, request->token);
	tn_request_end_list(request);
}

static bool add_items(struct tenon_request *request, const struct tn_json *items)
{
	if (!tn_json_is(items, TN_JSON_ARRAY))
		return false;
	for (const struct tn_json *item = items->first; item; item = item->next) {
		if (request->list == TENON_LIST_TOOLS &&
		    !tn_tools_learn(request->client, item, request->token))
			continue;
		tn_json_put_value(&request->items, item);
		tn_buf_append_byte(&request->items, ',');
	}
	return true;
}

/* True: there is another page, and its cursor is new. Else the request may have failed. */
static bool next_page(struct tenon_request *request, const struct tn_json *result)
{
	const struct tn_json *cursor = tn_json_get(result, "nextCursor");
	struct tn_str text;

	if (!cursor || cursor->type == TN_JSON_NULL)
		return false;
	if (!tn_json_to_str(cursor, &text) || text.size > TN_CLIENT_CURSOR_MAX) {
		tn_request_fail(request, TENON_INVALID,
				"%s: the server's nextCursor is no string, or too long",
				request->method.data);
		return false;
	}
	request->cursor_bytes += text.size;
	if (++request->pages >= TN_CLIENT_PAGES_MAX || tn_map_get(&request->cursors, text) ||
	    request->cursor_bytes > TN_CLIENT_CURSORS_MAX) {
		tn_request_fail(request, TENON_LIMIT,
				"%s: the list does not end: %u pages, long cursors, or one that "
				"came again",
				request->method.data, request->pages);
		return false;
	}
	tn_buf_clear(&request->cursor);
	tn_json_put_str(&request->cursor, text);
	if (request->cursor.failed ||
	    tn_map_put(&request->cursors, text, request, NULL) != TENON_OK) {
		tn_request_fail(request, TENON_NO_MEMORY, "out of memory");
		return false;
	}
	return true;
}

static void take_page(struct tenon_request *request, const struct tn_json *result)
{
	const struct tn_json *type = tn_json_get(result, "resultType");
	int64_t ttl_ms = 0;

	if ((type && tn_client_is_modern(request->client) &&
	     !(type->type == TN_JSON_STRING && tn_str_is(type->text, "complete"))) ||
	    !add_items(request, tn_json_get(result, kinds[request->list].key))) {
		tn_request_fail(request, TENON_INVALID, "%s: the server's result has no %s",
				request->method.data, kinds[request->list].key);
		return;
	}
	if (!tn_json_to_int(tn_json_get(result, "ttlMs"), &ttl_ms) || ttl_ms < 0)
		ttl_ms = 0;
	if (request->pages == 0 || ttl_ms < request->ttl_ms)
		request->ttl_ms = ttl_ms;
	if (request->items.failed)
		tn_request_fail(request, request->items.starved ? TENON_NO_MEMORY : TENON_LIMIT,
				"%s: all pages together are too large", request->method.data);
	else if (next_page(request, result))
		tn_list_go(request);
	else if (!request->has_ended)
		end_list(request);
}

static void answered(void *data, const struct tn_answer *answer)
{
	struct tenon_request *request = data;

	request->wire = NULL;
	if (answer->code == TENON_OK)
		take_page(request, answer->result);
	else
		tn_request_fail_answer(request, answer);
}

static bool is_offered(const struct tenon_client *client, enum tenon_list which)
{
	if (which == TENON_LIST_TOOLS)
		return client->about.tools;
	return which == TENON_LIST_PROMPTS ? client->about.prompts : client->about.resources;
}

void tn_list_go(struct tenon_request *request)
{
	struct tn_wire_options options;
	struct tenon_error err;
	struct tn_wire *wire;

	if (!is_offered(request->client, request->list)) {
		end_list(request);
		return;
	}
	tn_request_options_fill(request, &options);
	wire = tn_wire_begin(request->client, request->method, answered, request);
	if (!wire) {
		tn_request_fail(request, TENON_NO_MEMORY, "out of memory");
		return;
	}
	if (request->cursor.size)
		tn_json_put_member_raw(&wire->body, "cursor", tn_buf_str(&request->cursor));
	request->wire = wire;
	if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		request->wire = NULL;
		tn_request_fail(request, err.code, "%s", err.message);
	}
}

struct tenon_request *tenon_client_list(struct tenon_client *client, enum tenon_list which,
					const struct tenon_request_options *options,
					struct tenon_error *err)
{
	struct tenon_request *request;

	if ((unsigned)which > TENON_LIST_PROMPTS) {
		(void)tn_fail(err, TENON_INVALID, "which: no such list");
		return NULL;
	}
	request = tn_request_make(client, TN_REQUEST_LIST, kinds[which].method, NULL, options, err);
	if (!request)
		return NULL;
	request->list = which;
	if (!tn_request_answer_from_cache(request))
		tn_request_go(request);
	return request;
}
