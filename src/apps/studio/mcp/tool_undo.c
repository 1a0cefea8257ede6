/* undo_change, redo_change: by anyone, whoever made the change (ST-065, 12.6). */
#include <string.h>

#include "apps/studio/document/change.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

typedef enum tenon_code step_fn(struct tn_oplog *log, const char *actor, int64_t expected_revision,
				struct tn_change *ret, struct tenon_error *err);

struct found {
	uint64_t id;
	struct tn_change change;
};

static bool is_it(const struct tn_change *change, void *data)
{
	struct found *found = data;

	if (change->id != found->id)
		return true;
	found->change = *change;
	return false;
}

/* The change that was taken back or made again, as it stands in the list. */
static void put_step(struct tn_buf *out, const struct tn_oplog *log, const struct tn_change *step)
{
	struct found found = {.id = step->of, .change = *step};

	tn_oplog_list(log, 0, is_it, &found);
	tn_json_begin_object(out);
	tn_studio_put_change_id(out, "changeId", step->of);
	tn_json_put_member_text(out, "summary", found.change.label);
	tn_json_put_member_text(out, "actor", found.change.actor);
	tn_json_end_object(out);
}

static bool move(struct tn_studio_turn *turn, struct tenon_call *call, step_fn *step)
{
	struct tn_studio_project *project = turn->act.project;
	int64_t steps = 1, expected = -1;
	struct tn_change change = {.id = 0};
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	(void)tenon_call_int(call, "steps", &steps);
	(void)tenon_call_int(call, "expectedRevision", &expected);
	for (int64_t i = 0; i < steps && code == TENON_OK; i++) {
		code = step(project->log, tn_studio_actor_of(call), expected, &change, &err);
		if (code == TENON_OK)
			put_step(&turn->result, project->log, &change);
		else if (code == TENON_NOT_FOUND && i > 0)
			break; /* there were fewer than wanted */
		expected = -1;
	}
	if (code == TENON_OK || (code == TENON_NOT_FOUND && change.id > 0))
		return true;
	if (code == TENON_NOT_FOUND)
		return tn_studio_fail(&turn->fault, "NOTHING_TO_UNDO", "%s", err.message);
	return tn_studio_fail_error(&turn->fault, &err);
}

static void run(struct tenon_call *call, struct tn_studio_door *door, const char *what,
		step_fn *step)
{
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_turn turn;

	if (!project)
		return;
	tn_studio_turn_begin(&turn, door, project);
	tn_json_put_key(&turn.result, what);
	tn_json_begin_array(&turn.result);
	if (move(&turn, call, step)) {
		tn_json_end_array(&turn.result);
		tn_json_put_member_int(&turn.result, "revision",
				       (int64_t)tn_oplog_revision(project->log));
		tn_studio_put_can_undo(&turn.result, project->log);
		tn_json_end_object(&turn.result);
		tn_studio_publish(door, project, "config");
		tn_studio_reply(call, tn_str("", 0), &turn.result);
	} else {
		tn_studio_turn_fail(&turn, call);
	}
	tn_studio_turn_end(&turn);
}

void tn_studio_call_undo(struct tenon_call *call, void *door)
{
	run(call, door, "undone", tn_oplog_undo);
}

void tn_studio_call_redo(struct tenon_call *call, void *door)
{
	run(call, door, "redone", tn_oplog_redo);
}
