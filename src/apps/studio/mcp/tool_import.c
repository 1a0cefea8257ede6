/* import_terraform: existing configuration, a state or a plan into the diagram. */
#include "apps/studio/import/import_action.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static const struct tn_studio_action import_action = {
	.writes = true, .on_trial = true, .run = tn_studio_act_import};

/* ---- what would be in a project that is not made yet: in a draft, which nobody keeps ---- */

struct drafting {
	struct tn_studio_project *draft;
	struct tn_studio_turn turn;
	bool good;
};

static void free_drafting(void *data)
{
	struct drafting *drafting = data;

	if (drafting->turn.act.edit)
		tn_studio_edit_abandon(&drafting->turn.edit);
	tn_studio_turn_end(&drafting->turn);
	tn_studio_project_thaw(drafting->draft);
	tn_mem_free(drafting);
}

static void import_into_draft(const struct tenon_call *call, void *data)
{
	struct drafting *drafting = data;
	struct tn_studio_turn *turn = &drafting->turn;

	drafting->good = !tenon_call_cancelled(call) &&
			 import_action.run(&turn->act, tn_call_arguments(call), &turn->result);
}

static void answer_draft(struct tenon_call *call, void *data)
{
	struct drafting *drafting = data;
	struct tn_studio_turn *turn = &drafting->turn;

	if (tenon_call_cancelled(call)) {
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
	} else if (drafting->good) {
		tn_json_put_member_int(&turn->result, "revision", 0);
		tn_json_end_object(&turn->result);
		tn_studio_reply_headline(call, tn_buf_str(&turn->text), &turn->result);
	} else {
		tn_studio_turn_fail(turn, call);
	}
}

static void draft(struct tenon_call *call, struct tn_studio_door *door)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project = tn_studio_project_draft(door->projects, &fault);
	struct drafting *drafting = project ? tn_mem_alloc(sizeof(*drafting)) : NULL;

	if (!drafting) {
		tn_studio_project_thaw(project);
		if (!fault.code)
			(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	drafting->draft = project;
	tn_studio_turn_begin(&drafting->turn, door, project);
	tenon_call_set_data(call, drafting, free_drafting);
	tn_studio_turn_fit(&drafting->turn, call, &import_action);
	if (tn_studio_turn_edit(&drafting->turn, call, call->item->tool.name))
		tenon_call_work(call, import_into_draft, answer_draft, drafting);
	else
		tn_studio_turn_fail(&drafting->turn, call);
}

void tn_studio_call_import(struct tenon_call *call, void *data)
{
	struct tn_studio_fault fault = {.code = NULL};
	bool fresh = false, dry_run = false;

	(void)tenon_call_bool(call, "newProject", &fresh);
	(void)tenon_call_bool(call, "dryRun", &dry_run);
	if (!fresh) {
		tn_studio_run_action(call, data, &import_action);
	} else if (!dry_run || tenon_call_text(call, "project") || tenon_call_text(call, "into")) {
		(void)tn_studio_fail(&fault, "INVALID_INPUT",
				     "newProject goes with dryRun, and without project and into: "
				     "new_project makes one");
		tn_studio_reply_fault(call, &fault);
	} else {
		draft(call, data);
	}
}
