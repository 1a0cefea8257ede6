/* open_project: a project from its folder, and the current one (FR-17). Its files are read by a
 * worker. */
#include "apps/studio/mcp/tool_state.h"

#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/waiting.h"
#include "base/mem.h"
#include "mcp/caller_folder.h"

struct opening {
	struct tn_studio_door *door;
	struct tn_studio_loading *loading;
	struct tn_studio_queue *queue; /* held: the folder is opened once, whoever asks meanwhile */
};

static void free_opening(void *data)
{
	struct opening *opening = data;

	tn_studio_loading_free(opening->loading);
	tn_studio_queue_release(opening->queue);
	tn_mem_free(opening);
}

static void end(struct tenon_call *call, struct tn_studio_door *door,
		struct tn_studio_loading *loading)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;
	struct tn_buf warnings;

	tn_buf_init(&warnings, TN_STUDIO_RESULT_BYTES_MAX);
	project = tn_studio_loading_end(loading, &warnings, &fault);
	if (project) {
		tn_studio_runs_take_up(door->runs, project);
		tn_buf_append_byte(&warnings, '\0');
		tn_studio_reply_project(call, door, project,
					warnings.failed ? NULL : warnings.data);
		/* ST-100: what exists, in the background; nothing of what is not trusted runs. */
		tn_studio_state_refresh(door->runs, project, NULL, NULL);
	} else {
		tn_studio_reply_fault(call, &fault);
	}
	tn_buf_finish(&warnings);
}

static void loaded(struct tenon_call *call, void *data)
{
	struct opening *opening = data;

	if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
	else
		end(call, opening->door, opening->loading);
}

static void load(const struct tenon_call *call, void *data)
{
	const struct opening *opening = data;

	if (!tenon_call_cancelled(call))
		tn_studio_loading_load(opening->loading);
}

static void fail_memory(struct tenon_call *call)
{
	struct tn_studio_fault fault;

	(void)tn_studio_fail_memory(&fault);
	tn_studio_reply_fault(call, &fault);
}

/* `loading` is passed on. */
static void start(struct tenon_call *call, struct tn_studio_door *door,
		  struct tn_studio_loading *loading)
{
	struct opening *opening = tn_mem_alloc(sizeof(*opening));

	if (opening)
		opening->queue = tn_studio_queue_hold(door, tn_studio_loading_path(loading));
	if (!opening || !opening->queue) {
		tn_mem_free(opening);
		tn_studio_loading_free(loading);
		fail_memory(call);
		return;
	}
	opening->door = door;
	opening->loading = loading;
	tenon_call_set_data(call, opening, free_opening);
	tenon_call_work(call, load, loaded, opening);
}

void tn_studio_call_open_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	const char *path = tn_call_path(call, tn_studio_projects_roots(door->projects),
					tenon_call_text(call, "projectPath"));
	struct tn_studio_loading *loading = tn_studio_loading_begin(door->projects, path, &fault);

	if (!loading) {
		tn_studio_reply_fault(call, &fault);
		return;
	}
	if (tn_studio_loading_is_open(loading))
		end(call, door, loading);
	else if (!tn_studio_waits(call, door, tn_studio_loading_path(loading),
				  tn_studio_call_open_project, door)) {
		start(call, door, loading);
		return;
	}
	tn_studio_loading_free(loading);
}
