/* Whoever follows a resource is told of its changes (ST-003), once per 50 ms and URI (ST-122). */
#include <string.h>

#include "apps/studio/mcp/resource.h"
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

/* ---- which resources a change is one of ---- */

static void updated(struct tn_studio_door *door, const char *const *uris)
{
	for (; *uris; uris++)
		tn_studio_updates_tell(door, *uris);
}

static void publish_diagram(struct tn_studio_door *door)
{
	static const char *const uris[] = {"terrastudio://diagram/current",
					   "studio://diagram/current", "studio://costs/current",
					   "studio://problems/current", NULL};

	updated(door, uris);
	tn_studio_files_changed(door);
}

static void publish_config(struct tn_studio_door *door)
{
	static const char *const uris[] = {"terrastudio://project/config",
					   "studio://config/current", NULL};

	updated(door, uris);
}

static void publish_status(struct tn_studio_door *door)
{
	static const char *const uris[] = {"studio://status/current",
					   "terrastudio://diagram/current",
					   "studio://diagram/current", NULL};

	updated(door, uris);
}

void tn_studio_publish(struct tn_studio_door *door, struct tn_studio_project *project,
		       const char *what)
{
	bool everything = !what || strcmp(what, "current") == 0;

	/* All resources are of the current project. */
	if (!everything && project && project != tn_studio_project_current(door->projects))
		return;
	if (everything || strcmp(what, "diagram") == 0 || strcmp(what, "problems") == 0 ||
	    strcmp(what, "config") == 0)
		publish_diagram(door);
	if (everything || strcmp(what, "config") == 0)
		publish_config(door);
	if (everything || strcmp(what, "status") == 0)
		publish_status(door);
}
