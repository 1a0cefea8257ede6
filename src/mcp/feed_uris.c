/* Sets of URIs that are followed. */
#include "base/limits.h"
#include "mcp/feed_parts.h"
#include "mcp/limits.h"
#include "mcp/server.h"

char tn_feed_clean[1], tn_feed_dirty[1]; /* any two addresses that differ */

enum tenon_code tn_feed_add_uri(struct tenon_server *server, struct tn_map *uris, size_t *bytes,
				struct tn_str uri, struct tenon_error *err)
{
	enum tenon_code code;

	if (tn_map_get(uris, uri))
		return TENON_OK;
	if (*bytes + uri.size > TN_SUBSCRIPTION_BYTES_MAX ||
	    server->subscription_bytes + uri.size > TN_SUBSCRIPTION_TOTAL_MAX)
		return tn_fail(err, TENON_LIMIT, "too many subscriptions");
	code = tn_map_put(uris, uri, tn_feed_clean, err);
	if (code != TENON_OK)
		return code;
	*bytes += uri.size;
	server->subscription_bytes += uri.size;
	server->has_queries |= tn_str_find_byte(uri, '?') != TN_STR_NONE;
	return TENON_OK;
}

/* Who subscribes to a URI with a query follows what stands before it, and is told the URI that was
 * subscribed to (workbench N2). */
static bool is_with_query(struct tn_str subscribed, struct tn_str uri)
{
	return subscribed.size > uri.size && subscribed.data[uri.size] == '?' &&
	       tn_str_starts(subscribed, uri);
}

bool tn_feed_mark_uri(const struct tenon_server *server, struct tn_map *uris, struct tn_str uri)
{
	bool found = tn_map_replace(uris, uri, tn_feed_dirty);
	struct tn_str subscribed;
	size_t cursor = 0;
	void *mark;

	if (!server->has_queries)
		return found;
	while (tn_map_next(uris, &cursor, &subscribed, &mark)) {
		if (is_with_query(subscribed, uri))
			found |= tn_map_replace(uris, subscribed, tn_feed_dirty);
	}
	return found;
}

bool tn_feed_has_uri(const struct tenon_server *server, const struct tn_map *uris,
		     struct tn_str uri)
{
	struct tn_str subscribed;
	size_t cursor = 0;
	void *mark;

	if (tn_map_get(uris, uri))
		return true;
	while (server->has_queries && tn_map_next(uris, &cursor, &subscribed, &mark)) {
		if (is_with_query(subscribed, uri))
			return true;
	}
	return false;
}
