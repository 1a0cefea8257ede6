/* studio://projects/{projectId}/runs: who ran what, and which plans still fit (SC-021). */
#include <stdio.h>
#include <string.h>

#include "apps/studio/mcp/resource.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "mcp/feed.h"
#include "mcp/server.h"

/* At most so often is it looked whether plans still fit: that generates. */
enum { LOOK_MS = 250, URI_SIZE = 64 + TN_STUDIO_ID_SIZE };

#define CURRENT_URI "studio://runs/current"

/* ---- reading ---- */

struct reading {                 /* a worker looks at what plans stand on */
	struct tenon_call *call; /* NULL: it has gone */
	struct tn_studio_door *door;
	char project_id[TN_STUDIO_ID_SIZE];
	bool is_looking;
};

static void free_reading(void *data)
{
	struct reading *reading = data;

	reading->call = NULL;
	if (!reading->is_looking) /* otherwise who looks frees it */
		tn_mem_free(reading);
}

static void answer(struct tenon_call *call, const struct reading *reading)
{
	struct tn_studio_project *project =
		tn_studio_project_find(reading->door->projects, reading->project_id, NULL);
	struct tn_buf text;

	if (!project) {
		tenon_call_not_found(call);
		return;
	}
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_runs_put(&text, reading->door->runs, project);
	if (text.failed) {
		tenon_call_fail(call, "The result is too large.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static void looked(void *data)
{
	struct reading *reading = data;

	reading->is_looking = false;
	if (!reading->call)
		tn_mem_free(reading);
	else if (tenon_call_cancelled(reading->call))
		tenon_call_fail(reading->call, "cancelled");
	else
		answer(reading->call, reading);
}

void tn_studio_read_runs(struct tenon_call *call, struct tn_studio_door *door,
			 struct tn_studio_project *project)
{
	struct reading *reading = project ? tn_mem_alloc(sizeof(*reading)) : NULL;

	if (!project) {
		tenon_call_not_found(call);
		return;
	}
	if (!reading) {
		tenon_call_fail(call, "Out of memory.");
		return;
	}
	*reading = (struct reading){.call = call, .door = door};
	memcpy(reading->project_id, project->id, sizeof(reading->project_id));
	tenon_call_set_data(call, reading, free_reading);
	reading->is_looking =
		tn_studio_files_read(door->runs, project, false, looked, reading, NULL);
	if (!reading->is_looking)
		answer(call, reading); /* by what was read before */
}

/* ---- telling ---- */

struct tn_studio_run_list {
	struct tn_timer *timer;
	char looked_at[TN_STUDIO_ID_SIZE]; /* the project a worker looks at; empty: none */
};

static const char *name_list(char uri[URI_SIZE], const struct tn_studio_project *project)
{
	(void)snprintf(uri, URI_SIZE, TN_STUDIO_PROJECTS_URI "/%s/runs", project->id);
	return uri;
}

static bool is_followed(const struct tn_studio_door *door, const struct tn_studio_project *project)
{
	char uri[URI_SIZE];

	return tn_feed_has_subscriber(door->server, tn_str_from(name_list(uri, project))) ||
	       (project == tn_studio_project_current(door->projects) &&
		tn_feed_has_subscriber(door->server, TN_STR(CURRENT_URI)));
}

static void look_at(struct tn_studio_door *door, struct tn_studio_project *project);

/* The next of the open projects that somebody follows is looked at. */
static void compared(void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_run_list *list = door->run_list;
	struct tn_studio_project *project =
		tn_studio_project_find(door->projects, list->looked_at, NULL);

	list->looked_at[0] = '\0';
	if (!project)
		return;
	if (tn_studio_runs_changed(door->runs, project))
		tn_studio_publish(door, project, "runs");
	look_at(door, project->next);
}

static void look_at(struct tn_studio_door *door, struct tn_studio_project *project)
{
	while (project && !is_followed(door, project))
		project = project->next;
	if (!project)
		return;
	(void)snprintf(door->run_list->looked_at, sizeof(door->run_list->looked_at), "%s",
		       project->id);
	if (!tn_studio_files_read(door->runs, project, false, compared, door, NULL))
		door->run_list->looked_at[0] = '\0'; /* again with the next change */
}

static void due(struct tn_timer *timer, void *data)
{
	struct tn_studio_door *door = data;

	if (door->run_list->looked_at[0])
		tn_timer_start(timer, LOOK_MS); /* one look at a time */
	else
		look_at(door, tn_studio_projects_first(door->projects));
}

void tn_studio_run_list_look(struct tn_studio_door *door)
{
	struct tn_studio_project *project =
		door->run_list ? tn_studio_projects_first(door->projects) : NULL;

	while (project && !is_followed(door, project))
		project = project->next;
	if (project && !tn_timer_active(door->run_list->timer))
		tn_timer_start(door->run_list->timer, LOOK_MS);
}

enum tenon_code tn_studio_run_list_open(struct tn_studio_door *door, struct tenon_error *err)
{
	door->run_list = tn_mem_alloc(sizeof(*door->run_list));
	if (!door->run_list)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_timer_open(door->server->loop, due, door, &door->run_list->timer, err);
}

void tn_studio_run_list_close(struct tn_studio_door *door)
{
	if (!door->run_list)
		return;
	if (door->runs)
		tn_studio_files_give_up(door->runs, door);
	tn_timer_close(door->run_list->timer);
	tn_mem_free(door->run_list);
	door->run_list = NULL;
}
