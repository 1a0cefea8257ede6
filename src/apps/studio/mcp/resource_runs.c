/* Runs of the engine as resources: studio://runs/{runId} and its log (studio.md section 13). */
#include "apps/studio/mcp/resource.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static struct tn_studio_run *find(struct tenon_call *call, struct tn_studio_door *door,
				  struct tn_studio_project **ret_project)
{
	const char *id = tenon_call_text(call, "runId");
	struct tn_studio_run *run = NULL;

	for (struct tn_studio_project *project = tn_studio_projects_first(door->projects);
	     project && id && !run; project = project->next) {
		run = tn_studio_run_find(door->runs, project, id);
		*ret_project = project;
	}
	if (!run)
		tenon_call_not_found(call);
	return run;
}

static void read_run(struct tenon_call *call, void *data)
{
	struct tn_studio_project *project = NULL;
	const struct tn_studio_run *run = find(call, data, &project);
	struct tn_buf text;

	if (!run)
		return;
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_run_put(&text, run, NULL);
	if (text.failed) {
		tenon_call_fail(call, "The result is too large.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

/* ---- the log: ten megabytes take a worker some 50 ms ---- */

enum { TRIES = 3 /* of a log that others have made fit meanwhile */ };

struct reading {
	struct tn_studio_door *door;
	char run_id[TN_STUDIO_ID_SIZE], project_id[TN_STUDIO_ID_SIZE];
	char path[PATH_MAX];
	uint64_t cuts;
	unsigned tries;
	struct tn_buf text;
	bool is_whole;
};

static void free_reading(void *data)
{
	struct reading *reading = data;

	tn_buf_finish(&reading->text);
	tn_mem_free(reading);
}

static void work(const struct tenon_call *call, void *data)
{
	struct reading *reading = data;
	uint64_t next;

	(void)call;
	reading->is_whole = tn_studio_run_log_read(&reading->text, reading->path, 1,
						   TN_STUDIO_RUN_LOG_BYTES_MAX, &next);
}

static void done(struct tenon_call *call, void *data)
{
	struct reading *reading = data;
	struct tn_studio_project *project =
		tn_studio_project_find(reading->door->projects, reading->project_id, NULL);
	const struct tn_studio_run *run =
		project ? tn_studio_run_find(reading->door->runs, project, reading->run_id) : NULL;

	if (!run) {
		tenon_call_not_found(call);
		return;
	}
	if (tn_studio_run_log_cuts(run) != reading->cuts && reading->tries++ < TRIES) {
		reading->cuts = tn_studio_run_log_cuts(run);
		tn_buf_clear(&reading->text);
		tenon_call_work(call, work, done, reading);
		return;
	}
	if (reading->is_whole)
		tn_studio_run_log_end(&reading->text, run);
	if (reading->text.failed) {
		tenon_call_fail(call, "The log is too large.");
		return;
	}
	tenon_call_set_cache(call, 0, false);
	tenon_call_add_resource_text(call, NULL, "text/plain",
				     reading->text.data ? reading->text.data : "",
				     reading->text.size);
	tenon_call_finish(call);
}

static void read_log(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = NULL;
	const struct tn_studio_run *run = find(call, door, &project);
	struct reading *reading;

	if (!run)
		return;
	reading = tn_mem_alloc(sizeof(*reading));
	if (!reading || !tn_studio_run_log_file(run, reading->path, sizeof(reading->path))) {
		tn_mem_free(reading);
		tenon_call_fail(call,
				"The log cannot be read: no memory, or its path is too long.");
		return;
	}
	reading->door = door;
	memcpy(reading->project_id, project->id, sizeof(reading->project_id));
	(void)snprintf(reading->run_id, sizeof(reading->run_id), "%s", tn_studio_run_id(run));
	reading->cuts = tn_studio_run_log_cuts(run);
	tn_buf_init(&reading->text, 2 * TN_STUDIO_RUN_LOG_BYTES_MAX);
	tenon_call_set_data(call, reading, free_reading);
	tenon_call_work(call, work, done, reading);
}

const struct tenon_resource_template tn_studio_template_run = {
	.uri_template = "studio://runs/{runId}",
	.name = "run",
	.title = "A run of the engine",
	.description = "State, exit code, counts, changes by node, diagnostics",
	.mime_type = "application/json",
	.read = read_run,
	.complete = tn_studio_complete,
};

const struct tenon_resource_template tn_studio_template_run_log = {
	.uri_template = "studio://runs/{runId}/log",
	.name = "run-log",
	.title = "The log of a run",
	.description = "Everything the engine printed, line by line, without secrets",
	.mime_type = "text/plain",
	.read = read_log,
	.complete = tn_studio_complete,
};
