/* What notifications of the change feed say beside the URI. */
#include "mcp/feed.h"

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
