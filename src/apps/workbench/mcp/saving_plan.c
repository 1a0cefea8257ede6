/* The save plan: made anew for whoever reads it, and for those who follow it after every change
 * that it depends on (N3, N4). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/workspace/saving.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* Who waits for a plan. */
struct waiting {
	struct tenon_call *call; /* NULL: nobody any more, or those who follow it */
	struct tn_wb_door *door;
	tenon_call_fn *next;
};

static bool is_same(const struct tn_wb_workspace *workspace, struct tn_str plan)
{
	return tn_str_is(plan, workspace->plan ? workspace->plan : TN_WB_EMPTY_PLAN);
}

/* Keeps it; true: it is another one. */
static bool keep(struct tn_wb_workspace *workspace, struct tn_str plan)
{
	bool same = is_same(workspace, plan);
	char *copy = same && workspace->plan ? NULL : tn_mem_copy_text(plan.data, plan.size);

	if (copy) {
		tn_mem_free(workspace->plan);
		workspace->plan = copy;
	}
	return !same;
}

static void planned(void *data, struct tn_wb_workspace *workspace, const struct tn_wb_saved *saved)
{
	struct waiting *waiting = data;
	struct tenon_call *call = waiting->call;
	struct tn_wb_door *door = waiting->door;
	tenon_call_fn *next = waiting->next;

	tn_mem_free(waiting);
	if (workspace && saved->code == TENON_OK && keep(workspace, tn_buf_str(&saved->plan.data)))
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_PLAN);
	if (workspace && workspace->plan_again) {
		workspace->plan_again = false;
		tn_wb_plan_follow(door, workspace, TN_WB_CHANGED_OVERRIDES);
	}
	if (!call)
		return;
	tenon_call_on_cancel(call, NULL, NULL);
	if (workspace && saved->code != TENON_OK)
		tn_wb_reply_failure(call, &saved->err);
	else
		next(call, door);
}

static void cancelled(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;

	waiting->call = NULL;
	tenon_call_finish(call);
}

/* Makes the plan of all drafts. False: out of memory. */
static bool plan(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
		 struct tenon_call *call, tenon_call_fn *next)
{
	struct waiting *waiting = tn_mem_alloc(sizeof(*waiting));
	const struct tn_wb_save save = {.done = planned, .data = waiting};

	if (!waiting)
		return false;
	*waiting = (struct waiting){.call = call, .door = door, .next = next};
	if (call)
		tenon_call_on_cancel(call, cancelled, waiting);
	if (tn_wb_workspace_save(workspace, &save, NULL) == TENON_OK)
		return true;
	if (call)
		tenon_call_on_cancel(call, NULL, NULL);
	tn_mem_free(waiting);
	return false;
}

bool tn_wb_plan_first(struct tn_wb_door *door, struct tenon_call *call, struct tn_str uri,
		      tenon_call_fn *next)
{
	struct tn_wb_workspace *workspace =
		tn_wb_look_workspace(door, call, uri, "workspace/overrides/save-plan");

	return workspace && workspace->config && tn_wb_saving_has_drafts(workspace) &&
	       plan(door, workspace, call, next);
}

void tn_wb_plan_follow(struct tn_wb_door *door, struct tn_wb_workspace *workspace, unsigned what)
{
	const unsigned of = TN_WB_CHANGED_OVERRIDES | TN_WB_CHANGED_REGISTRY |
			    TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_SOURCES | TN_WB_CHANGED_INSTANCES |
			    TN_WB_CHANGED_DRAFTS;
	bool has = tn_wb_saving_has_drafts(workspace);

	if (!(what & of) || !workspace->config)
		return;
	if (!has && !is_same(workspace, tn_str_from(TN_WB_EMPTY_PLAN))) {
		(void)keep(workspace, tn_str_from(TN_WB_EMPTY_PLAN));
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_PLAN);
	} else if (has && !workspace->savings) {
		(void)plan(door, workspace, NULL, NULL); /* or the next change does it */
	} else if (has) {
		workspace->plan_again = true;
	}
}
