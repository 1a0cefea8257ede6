/* Runs of the engine as resources: studio://runs/{runId} and its log (studio.md section 13). */
#include "apps/studio/mcp/resource.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static struct tn_studio_run *find(struct tenon_call *call, struct tn_studio_door *door)
{
	const char *id = tenon_call_text(call, "runId");
	struct tn_studio_run *run = NULL;

	for (struct tn_studio_project *project = tn_studio_projects_first(door->projects);
	     project && id && !run; project = project->next)
		run = tn_studio_run_find(door->runs, project, id);
	if (!run)
		tenon_call_not_found(call);
	return run;
}

static void read_run(struct tenon_call *call, void *data)
{
	const struct tn_studio_run *run = find(call, data);
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

static void read_log(struct tenon_call *call, void *data)
{
	const struct tn_studio_run *run = find(call, data);
	uint64_t next = 0;
	struct tn_buf text;

	if (!run)
		return;
	tn_buf_init(&text, 2 * TN_STUDIO_RUN_LOG_BYTES_MAX);
	tn_studio_run_log(&text, run, 1, TN_STUDIO_RUN_LOG_BYTES_MAX, &next);
	tenon_call_set_cache(call, 0, false);
	tenon_call_add_resource_text(call, NULL, "text/plain", text.data ? text.data : "",
				     text.size);
	tenon_call_finish(call);
	tn_buf_finish(&text);
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
