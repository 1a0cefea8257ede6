/* What notifications of the change feed say. */
#include "mcp/feed_parts.h"

#include "jsonrpc/json_write.h"

void tn_feed_add_teller(struct tenon_server *server, struct tn_feed_teller *teller)
{
	teller->next = server->tellers;
	server->tellers = teller;
}

void tn_feed_remove_teller(struct tenon_server *server, struct tn_feed_teller *teller)
{
	struct tn_feed_teller **at = &server->tellers;

	while (*at && *at != teller)
		at = &(*at)->next;
	if (*at)
		*at = teller->next;
}

void tn_feed_put_meta(const struct tenon_server *server, struct tn_str uri,
		      struct tn_str subscription, struct tn_buf *out)
{
	size_t before = out->size, empty;

	tn_json_put_key(out, "_meta");
	tn_json_begin_object(out);
	empty = out->size;
	if (subscription.data)
		tn_json_put_member_raw(out, "io.modelcontextprotocol/subscriptionId", subscription);
	for (const struct tn_feed_teller *at = server->tellers; uri.data && at; at = at->next) {
		if (tn_str_starts(uri, tn_str_from(at->prefix)))
			at->put(uri, out, at->data);
	}
	if (out->size == empty)
		out->size = before;
	else
		tn_json_end_object(out);
}

const struct tn_feed_list_kind tn_feed_list_kinds[TN_FEED_LIST_KINDS] = {
	{TN_DIRTY_TOOLS, "notifications/tools/list_changed", "toolsListChanged"},
	{TN_DIRTY_PROMPTS, "notifications/prompts/list_changed", "promptsListChanged"},
	{TN_DIRTY_RESOURCES, "notifications/resources/list_changed", "resourcesListChanged"},
};

struct tn_str tn_feed_build(struct tenon_server *server, const char *method, struct tn_str uri,
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
