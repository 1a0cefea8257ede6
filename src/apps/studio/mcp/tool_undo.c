/* undo_change, redo_change: the last change of anyone, the caller's own, or a certain one (ST-065,
 * 12.6, studio-canvas.md SC-019). */
#include <stdlib.h>
#include <string.h>

#include "apps/studio/document/change.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/waiting.h"
#include "jsonrpc/json_write.h"

static bool read_id(const char *text, uint64_t *ret)
{
	static const char head[] = "change-";
	char *end = NULL;

	if (strncmp(text, head, sizeof(head) - 1) != 0 || text[sizeof(head) - 1] < '1' ||
	    text[sizeof(head) - 1] > '9')
		return false;
	*ret = strtoull(text + sizeof(head) - 1, &end, 10);
	return *end == '\0';
}

static bool choose(struct tn_studio_turn *turn, struct tenon_call *call,
		   struct tn_oplog_which *which)
{
	const char *scope = tenon_call_text(call, "scope"), *id = tenon_call_text(call, "changeId");
	int64_t steps = 1;

	if (scope && strcmp(scope, "mine") == 0)
		which->who = tn_studio_actor_id(call, &turn->arena);
	if (!id)
		return true;
	if ((tenon_call_int(call, "steps", &steps) && steps > 1) || scope)
		return tn_studio_fail(&turn->fault, "INVALID_INPUT",
				      "changeId names one change: send it without scope and steps");
	return read_id(id, &which->id) ||
	       tn_studio_fail(&turn->fault, "INVALID_INPUT",
			      "changeId '%.60s' is none; list_changes has them (\"change-12\")",
			      id);
}

/* Why there were fewer than wanted: what the next one meets. */
static void put_stop(struct tn_studio_turn *turn)
{
	if (turn->fault.code && strcmp(turn->fault.code, "UNDO_CONFLICT") == 0) {
		tn_json_put_key(&turn->text, "stoppedBy");
		tn_studio_fault_put(&turn->text, &turn->fault);
	}
}

static bool move(struct tn_studio_turn *turn, struct tenon_call *call,
		 const struct tn_oplog_which *which)
{
	int64_t steps = 1, expected = -1, done = 0;
	struct tn_change change = {.id = 0};

	(void)tenon_call_int(call, "steps", &steps);
	(void)tenon_call_int(call, "expectedRevision", &expected);
	tn_studio_turn_author(turn, call, which->redo ? "redo_change" : "undo_change");
	if (!tn_studio_turn_expects(turn, call))
		return false;
	while (done < steps &&
	       tn_studio_edit_undo(&turn->edit, which, expected, &turn->result, &change)) {
		expected = -1;
		done++;
	}
	if (done == 0)
		return false;
	if (done < steps)
		put_stop(turn);
	return true;
}

static void finish(struct tn_studio_turn *turn, struct tenon_call *call)
{
	struct tn_studio_project *project = turn->act.project;

	tn_studio_project_settle(project);
	tn_json_end_array(&turn->result);
	if (turn->text.size > 0) {
		tn_buf_append_byte(&turn->result, ',');
		tn_buf_append_str(&turn->result, tn_buf_str(&turn->text));
	}
	tn_json_put_member_int(&turn->result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_studio_put_can_undo(&turn->result, project->log);
	tn_json_end_object(&turn->result);
	tn_studio_publish(turn->door, project, "config");
	tn_studio_reply(call, tn_str("", 0), &turn->result);
}

static void run(struct tenon_call *call, struct tn_studio_door *door, const char *what, bool redo)
{
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_oplog_which which = {.redo = redo};
	struct tn_studio_turn turn;

	if (!project || tn_studio_waits(call, door, project->path,
					redo ? tn_studio_call_redo : tn_studio_call_undo, door))
		return;
	tn_studio_turn_begin(&turn, door, project);
	tn_json_put_key(&turn.result, what);
	tn_json_begin_array(&turn.result);
	if (choose(&turn, call, &which) && move(&turn, call, &which))
		finish(&turn, call);
	else
		tn_studio_turn_fail(&turn, call);
	tn_studio_turn_end(&turn);
}

void tn_studio_call_undo(struct tenon_call *call, void *door)
{
	run(call, door, "undone", false);
}

void tn_studio_call_redo(struct tenon_call *call, void *door)
{
	run(call, door, "redone", true);
}
