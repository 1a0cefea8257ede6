/* close_project: a project is let go. A worker drops what is unsaved, and frees it. */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/waiting.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct closing {
	struct tn_studio_door *door;
	struct tn_studio_closing *project;
	struct tn_studio_queue *queue; /* held: nobody opens the folder before it is closed */
	char id[TN_STUDIO_ID_SIZE];
};

static void free_closing(void *data)
{
	struct closing *closing = data;

	if (closing->project)
		(void)tn_studio_closing_end(closing->project, NULL);
	tn_studio_queue_release(closing->queue);
	tn_mem_free(closing);
}

static void reply(struct tenon_call *call, struct tn_studio_door *door, const char *id)
{
	const struct tn_studio_project *current = tn_studio_project_current(door->projects);
	struct tn_buf result;

	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "closed", id);
	tn_json_put_member_text(&result, "current", current ? current->id : NULL);
	tn_json_end_object(&result);
	tn_studio_publish(door, NULL, "current");
	tn_studio_reply(call, tn_str("", 0), &result);
}

static void closed(struct tenon_call *call, void *data)
{
	struct closing *closing = data;
	struct tn_studio_closing *project = closing->project;
	struct tn_studio_fault fault = {.code = NULL};

	closing->project = NULL;
	if (tn_studio_closing_end(project, &fault))
		reply(call, closing->door, closing->id);
	else
		tn_studio_reply_fault(call, &fault);
}

static void work(const struct tenon_call *call, void *data)
{
	(void)call; /* it is closed, whether somebody waits for it or not */
	tn_studio_closing_close(((struct closing *)data)->project);
}

static void fail_memory(struct tenon_call *call)
{
	struct tn_studio_fault fault;

	(void)tn_studio_fail_memory(&fault);
	tn_studio_reply_fault(call, &fault);
}

static void start(struct tenon_call *call, struct tn_studio_door *door,
		  struct tn_studio_project *project, bool discard)
{
	struct closing *closing = tn_mem_alloc(sizeof(*closing));
	struct tn_studio_fault fault = {.code = NULL};

	if (closing)
		closing->queue = tn_studio_queue_hold(door, project->path);
	if (!closing || !closing->queue) {
		tn_mem_free(closing);
		fail_memory(call);
		return;
	}
	closing->door = door;
	memcpy(closing->id, project->id, sizeof(closing->id));
	tenon_call_set_data(call, closing, free_closing);
	closing->project = tn_studio_closing_begin(project, discard, &fault);
	if (closing->project)
		tenon_call_work(call, work, closed, closing);
	else
		tn_studio_reply_fault(call, &fault);
}

void tn_studio_call_close_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_fault fault = {.code = NULL};
	bool discard = false;

	if (!project)
		return;
	(void)tenon_call_bool(call, "discard", &discard);
	/* What runs in it has to come to its end first. */
	if (tn_studio_runs_forget(door->runs, project, &fault))
		start(call, door, project, discard);
	else
		tn_studio_reply_fault(call, &fault);
}
