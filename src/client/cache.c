/* Results that the server allows us to keep for a while (MCP-189, MCP-190). One client has one
 * token, so what is private may be kept beside what is public. */
#include "base/mem.h"
#include "client/client.h"
#include "client/limits.h"

struct tn_cached {
	struct tn_cached *next;    /* newest first */
	struct tn_str key, result; /* behind the struct */
	uint64_t until_ms;
};

static size_t size_of(const struct tn_cached *entry)
{
	return sizeof(*entry) + entry->key.size + entry->result.size;
}

static void unlink_entry(struct tenon_client *client, struct tn_cached **link)
{
	struct tn_cached *entry = *link;

	*link = entry->next;
	client->cached_count--;
	client->cached_bytes -= size_of(entry);
	tn_mem_free(entry);
}

static struct tn_cached **find(struct tenon_client *client, struct tn_str key)
{
	struct tn_cached **link = &client->cached;

	while (*link && !tn_str_equal((*link)->key, key))
		link = &(*link)->next;
	return link;
}

struct tn_str tn_cache_get(struct tenon_client *client, struct tn_str key)
{
	struct tn_cached **link = find(client, key);

	if (!*link)
		return tn_str(NULL, 0);
	if (tn_loop_now_ms(client->loop) >= (*link)->until_ms) {
		unlink_entry(client, link);
		return tn_str(NULL, 0);
	}
	return (*link)->result;
}

static void drop_last(struct tenon_client *client)
{
	struct tn_cached **link = &client->cached;

	while ((*link)->next)
		link = &(*link)->next;
	unlink_entry(client, link);
}

void tn_cache_put(struct tenon_client *client, struct tn_str key, struct tn_str result,
		  int64_t ttl_ms)
{
	struct tn_cached **old = find(client, key);
	struct tn_cached *entry;
	char *bytes;

	if (*old)
		unlink_entry(client, old);
	if (key.size + result.size > TN_CLIENT_CACHE_BYTES_MAX / 4)
		return;
	entry = tn_mem_alloc(sizeof(*entry) + key.size + result.size);
	if (!entry)
		return; /* it is asked for again */
	bytes = (char *)(entry + 1);
	memcpy(bytes, key.data, key.size);
	memcpy(bytes + key.size, result.data, result.size);
	entry->key = tn_str(bytes, key.size);
	entry->result = tn_str(bytes + key.size, result.size);
	if (ttl_ms > INT32_MAX)
		ttl_ms = INT32_MAX; /* three weeks: longer than most of us run */
	entry->until_ms = tn_loop_now_ms(client->loop) + (uint64_t)ttl_ms;
	entry->next = client->cached;
	client->cached = entry;
	client->cached_count++;
	client->cached_bytes += size_of(entry);
	while (client->cached_count > TN_CLIENT_CACHE_ENTRIES_MAX ||
	       client->cached_bytes > TN_CLIENT_CACHE_BYTES_MAX)
		drop_last(client);
}

void tn_cache_drop(struct tenon_client *client, struct tn_str prefix)
{
	struct tn_cached **link = &client->cached;

	while (*link) {
		if (tn_str_starts((*link)->key, prefix))
			unlink_entry(client, link);
		else
			link = &(*link)->next;
	}
}
