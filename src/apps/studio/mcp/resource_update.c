/* Whoever follows a resource is told of its changes (ST-003), once per 50 ms and URI (ST-122): of
 * the first of a burst almost at once, because somebody waits to see it (SC-225), of the others
 * together. */
#include <stdio.h>
#include <string.h>

#include "apps/studio/mcp/follow.h"
#include "apps/studio/mcp/resource.h"
#include "apps/studio/status/ghost.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/size.h"
#include "mcp/feed.h"
#include "mcp/server.h"

enum { TOGETHER_MS = 50, SOON_MS = 4 /* what one change changes is told together */ };

struct changed_uri {
	char *uri;
	struct changed_uri *next;
};

/* As many as are followed at most. */
struct tn_studio_updates {
	struct tn_timer *timer;
	struct tn_feed_teller teller;
	struct changed_uri *first;
	uint64_t told_ms; /* when somebody was told last; 0: never */
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

static void due(struct tn_timer *timer, void *data)
{
	struct tn_studio_door *door = data;

	(void)timer;
	door->updates->told_ms = tn_clock_now_ms(door->server->clock);
	tell_all(door, true);
}

static uint64_t wait_ms(const struct tn_studio_door *door)
{
	uint64_t since = tn_clock_now_ms(door->server->clock) - door->updates->told_ms;

	if (door->updates->told_ms == 0 || since + SOON_MS >= TOGETHER_MS)
		return SOON_MS;
	return TOGETHER_MS - since;
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
		tn_timer_start(door->updates->timer, wait_ms(door));
}

enum tenon_code tn_studio_updates_open(struct tn_studio_door *door, struct tenon_error *err)
{
	door->updates = tn_mem_alloc(sizeof(*door->updates));
	if (!door->updates)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	/* "studio://" and "terrastudio://": other apps' URIs are none of its projects'. */
	door->updates->teller = (struct tn_feed_teller){
		.prefix = "", .put = tn_studio_put_told_revision, .data = door};
	tn_feed_add_teller(door->server, &door->updates->teller);
	return tn_timer_open(door->server->loop, due, door, &door->updates->timer, err);
}

void tn_studio_updates_close(struct tn_studio_door *door)
{
	if (!door->updates)
		return;
	tn_feed_remove_teller(door->server, &door->updates->teller);
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

/* Of the current project, by the names that are older than parts. */
static void tell_current(struct tn_studio_door *door, unsigned told)
{
	static const char *const diagram[] = {"terrastudio://diagram/current", NULL};
	static const char *const config[] = {"terrastudio://project/config",
					     "studio://project/config", NULL};
	char uri[128];

	if (told & (TN_STUDIO_TOLD_DIAGRAM | TN_STUDIO_TOLD_STATUS))
		updated(door, diagram);
	if (told & TN_STUDIO_TOLD_CONFIG)
		updated(door, config);
	for (const struct tn_studio_project_part *at = tn_studio_project_parts; at->name; at++) {
		if (!(at->told & told))
			continue;
		(void)snprintf(uri, sizeof(uri), "studio://%s/current", at->name);
		tn_studio_updates_tell(door, uri);
	}
	if (told & TN_STUDIO_TOLD_DIAGRAM)
		tn_studio_files_changed(door);
}

static void tell_parts(struct tn_studio_door *door, const struct tn_studio_project *project,
		       unsigned told)
{
	char uri[128];

	for (const struct tn_studio_project_part *at = tn_studio_project_parts; at->name; at++) {
		if (!(at->told & told))
			continue;
		(void)snprintf(uri, sizeof(uri), TN_STUDIO_PROJECTS_URI "/%s/%s", project->id,
			       at->name);
		tn_studio_updates_tell(door, uri);
	}
}

/* Whether a project has something to save is in the list of them. */
static void tell_projects(struct tn_studio_door *door, struct tn_studio_project *project,
			  bool always)
{
	bool dirty = project && tn_studio_project_is_dirty(project);

	if (!always && (!project || project->told_dirty == dirty))
		return;
	if (project)
		project->told_dirty = dirty;
	tn_studio_updates_tell(door, TN_STUDIO_PROJECTS_URI);
	if (project) /* get_diagram says it, too */
		tell_parts(door, project, TN_STUDIO_TOLD_STATUS);
}

static unsigned told_by(const char *what)
{
	static const struct {
		const char *what;
		unsigned told;
	} known[] = {
		{"diagram", TN_STUDIO_TOLD_DIAGRAM},
		{"problems", TN_STUDIO_TOLD_DIAGRAM},
		{"config", TN_STUDIO_TOLD_DIAGRAM | TN_STUDIO_TOLD_CONFIG},
		{"status", TN_STUDIO_TOLD_STATUS},
		{"runs", TN_STUDIO_TOLD_RUNS},
		{"projects", 0},
		{"types", 0},
	};

	for (size_t i = 0; what && i < TN_COUNT(known); i++) {
		if (strcmp(known[i].what, what) == 0)
			return known[i].told;
	}
	return TN_STUDIO_TOLD_DIAGRAM | TN_STUDIO_TOLD_CONFIG | TN_STUDIO_TOLD_STATUS |
	       TN_STUDIO_TOLD_RUNS;
}

static void wake_followers(struct tn_studio_door *door, const struct tn_studio_project *project)
{
	if (!project)
		return;
	tn_studio_follow_outside(door->follows, project->id);
	tn_studio_followers_wake(door, project->id);
	tn_studio_follow_sweep(&door->follows, door->projects);
}

void tn_studio_publish(struct tn_studio_door *door, struct tn_studio_project *project,
		       const char *what)
{
	bool another = what && strcmp(what, "current") == 0;
	unsigned told = told_by(what);

	/* Before something leaves the diagram it is known how it looked. */
	if (project && tn_studio_document_index(&project->document, NULL) == TENON_OK &&
	    tn_studio_ghosts_note(project->status, &project->document))
		tn_studio_status_keep(project->status);
	tn_studio_run_list_look(door);
	wake_followers(door, project);
	/* Another one is the current one: what is said of this project by its id is as it was. */
	if (project && !another)
		tell_parts(door, project, told);
	if (another || !project || project == tn_studio_project_current(door->projects))
		tell_current(door, told);
	tell_projects(door, project, another || (what && strcmp(what, "projects") == 0));
	/* A project may have types of its own. */
	if (another || !what || strcmp(what, "types") == 0)
		tn_studio_updates_tell(door, "studio://types");
}
