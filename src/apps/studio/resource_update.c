/* Whoever follows a resource is told of its changes, once per 50 ms and URI (ST-122). */
#include <string.h>

#include "apps/studio/resource.h"
#include "base/mem.h"
#include "mcp/feed.h"
#include "mcp/server.h"

enum { TOGETHER_MS = 50 };

struct changed_uri {
	char *uri;
	struct changed_uri *next;
};

/* As many as are followed at most. */
struct tn_studio_updates {
	struct tn_timer *timer;
	struct changed_uri *first;
};

static void tell_all(struct tn_studio_door *door, bool aloud)
{
	while (door->updates->first) {
		struct changed_uri *one = door->updates->first;

		door->updates->first = one->next;
		if (aloud)
			tenon_server_resource_updated(door->server, one->uri);
		tn_mem_free(one->uri);
		tn_mem_free(one);
	}
}

static void due(struct tn_timer *timer, void *door)
{
	(void)timer;
	tell_all(door, true);
}

void tn_studio_updates_tell(struct tn_studio_door *door, const char *uri)
{
	struct changed_uri *one = door->updates->first;

	if (!tn_feed_has_subscriber(door->server, tn_str_from(uri)))
		return;
	while (one && strcmp(one->uri, uri) != 0)
		one = one->next;
	if (one)
		return;
	one = tn_mem_alloc(sizeof(*one));
	if (one)
		one->uri = tn_mem_copy_text(uri, strlen(uri));
	if (!one || !one->uri) {
		tn_mem_free(one);
		tenon_server_resource_updated(door->server, uri); /* once more than needed */
		return;
	}
	one->next = door->updates->first;
	door->updates->first = one;
	if (!tn_timer_active(door->updates->timer))
		tn_timer_start(door->updates->timer, TOGETHER_MS);
}

enum tenon_code tn_studio_updates_open(struct tn_studio_door *door, struct tenon_error *err)
{
	door->updates = tn_mem_alloc(sizeof(*door->updates));
	if (!door->updates)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_timer_open(door->server->loop, due, door, &door->updates->timer, err);
}

void tn_studio_updates_close(struct tn_studio_door *door)
{
	if (!door->updates)
		return;
	tell_all(door, false);
	tn_timer_close(door->updates->timer);
	tn_mem_free(door->updates);
}
