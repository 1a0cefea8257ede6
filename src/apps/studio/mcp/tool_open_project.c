/* open_project: a project from its folder, and the current one (FR-17). Its files are read by a
 * worker. */
#include "apps/studio/mcp/tool_state.h"

#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"

enum { LOOK_AGAIN_MS = 5 }; /* whether the same folder is still being opened for somebody else */

struct opening {
	struct tn_studio_door *door;
	struct tn_studio_opening *of;
};

static void free_opening(void *data)
{
	struct opening *opening = data;

	tn_studio_opening_free(opening->of);
	tn_mem_free(opening);
}

static void end(struct tenon_call *call, void *data)
{
	struct opening *opening = data;
	struct tn_studio_door *door = opening->door;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;
	struct tn_buf warnings;

	if (tenon_call_cancelled(call)) {
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
		return;
	}
	tn_buf_init(&warnings, TN_STUDIO_RESULT_BYTES_MAX);
	project = tn_studio_opening_end(opening->of, &warnings, &fault);
	if (project) {
		tn_studio_runs_take_up(door->runs, project);
		tn_studio_reply_project(call, door, project, warnings.size > 0 ? &warnings : NULL);
		/* ST-100: what exists, in the background; nothing of what is not trusted runs. */
		tn_studio_state_refresh(door->runs, project, NULL, NULL);
	} else {
		tn_studio_reply_fault(call, &fault);
	}
	tn_buf_finish(&warnings);
}

static void load(const struct tenon_call *call, void *data)
{
	const struct opening *opening = data;

	(void)call; /* it is not long enough to ask whether somebody still waits */
	tn_studio_opening_load(opening->of);
}

static void go_on(struct tenon_call *call, void *data)
{
	struct opening *opening = data;

	if (tn_studio_opening_waits(opening->of)) {
		tenon_call_after(call, LOOK_AGAIN_MS, go_on, opening);
		return;
	}
	tenon_call_on_cancel(call, NULL, NULL);
	if (tn_studio_opening_is_open(opening->of))
		end(call, opening);
	else
		tenon_call_work(call, load, end, opening);
}

static void cancelled(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

void tn_studio_call_open_project(struct tenon_call *call, void *data)
{
	struct opening *opening = tn_mem_alloc(sizeof(*opening));
	struct tn_studio_fault fault = {.code = NULL};

	if (opening) {
		opening->door = data;
		opening->of = tn_studio_opening_begin(opening->door->projects,
						      tenon_call_text(call, "projectPath"), &fault);
	} else {
		(void)tn_studio_fail_memory(&fault);
	}
	if (!opening || !opening->of) {
		tn_mem_free(opening);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	tenon_call_set_data(call, opening, free_opening);
	tenon_call_on_cancel(call, cancelled, NULL);
	go_on(call, opening);
}
