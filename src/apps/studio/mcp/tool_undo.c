/* undo_change, redo_change: the last change of anyone, the caller's own, or a certain one (ST-065,
 * 12.6, studio-canvas.md SC-019). */
#include <string.h>

#include "apps/studio/document/change.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/trial.h"
#include "apps/studio/mcp/waiting.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

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
	return tn_studio_read_change_id(id, &which->id) ||
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

static void finish(struct tn_studio_turn *turn, struct tenon_call *call,
		   struct tn_studio_project *project)
{
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

static void begin_list(struct tn_studio_turn *turn, bool redo)
{
	tn_json_put_key(&turn->result, redo ? "redone" : "undone");
	tn_json_begin_array(&turn->result);
}

static void run(struct tenon_call *call, struct tn_studio_door *door,
		struct tn_studio_project *project, bool redo)
{
	struct tn_oplog_which which = {.redo = redo};
	struct tn_studio_turn turn;

	tn_studio_turn_begin(&turn, door, project);
	begin_list(&turn, redo);
	if (choose(&turn, call, &which) && move(&turn, call, &which))
		finish(&turn, call, project);
	else
		tn_studio_turn_fail(&turn, call);
	tn_studio_turn_end(&turn);
}

/* ---- of much, by a worker ---- */

struct undoing {
	struct tn_studio_trial trial;
	struct tn_studio_undo undo;
	bool redo;
};

/* What is undone is of the log that the fork was made at. */
static bool begin(struct tn_studio_trial *trial, struct tenon_call *call)
{
	struct undoing *undoing = (struct undoing *)trial;
	struct tn_oplog_which which = {.redo = undoing->redo};

	if (!choose(&trial->turn, call, &which))
		return false;
	if (!tn_studio_undo_is_large(trial->turn.edit.log, &which, &trial->turn.arena,
				     &undoing->undo))
		return tn_studio_fail(&trial->turn.fault, "STALE_REVISION",
				      "somebody has changed the diagram meanwhile: see "
				      "list_changes, then call again");
	trial->label = undoing->undo.label;
	begin_list(&trial->turn, undoing->redo);
	return true;
}

static bool work(struct tn_studio_trial *trial, const struct tenon_call *call)
{
	(void)call; /* it is not stopped in its middle */
	return tn_studio_undo_do(&trial->turn.edit, &((struct undoing *)trial)->undo,
				 &trial->turn.result);
}

static void answer(struct tenon_call *call, struct tn_studio_trial *trial,
		   struct tn_studio_project *project, const struct tn_change *change)
{
	(void)change; /* what it did has been put there by the work */
	finish(&trial->turn, call, project);
}

static void at_once(struct tenon_call *call, struct tn_studio_trial *trial,
		    struct tn_studio_project *project)
{
	run(call, trial->door, project, ((const struct undoing *)trial)->redo);
}

static void start_trial(struct tenon_call *call, struct tn_studio_door *door,
			struct tn_studio_project *project, bool redo)
{
	static const struct tn_studio_trial_kind kind = {
		.begin = begin, .work = work, .answer = answer, .at_once = at_once};
	struct undoing *undoing = tn_mem_alloc(sizeof(*undoing));

	if (undoing)
		undoing->redo = redo;
	tn_studio_trial_start(call, door, project, undoing ? &undoing->trial : NULL, &kind);
}

/* One change that stands as it was made, and has much. */
static bool is_large(struct tenon_call *call, struct tn_studio_door *door,
		     struct tn_studio_project *project, bool redo)
{
	struct tn_oplog_which which = {.redo = redo};
	struct tn_studio_undo undo;
	struct tn_studio_turn turn;
	int64_t steps = 1;
	bool is;

	(void)tenon_call_int(call, "steps", &steps);
	tn_studio_turn_begin(&turn, door, project);
	is = steps == 1 && choose(&turn, call, &which) &&
	     tn_studio_undo_is_large(project->log, &which, &turn.arena, &undo);
	tn_studio_turn_end(&turn);
	return is;
}

static void undo(struct tenon_call *call, struct tn_studio_door *door, bool redo)
{
	struct tn_studio_project *project = tn_studio_project_of(call, door);

	if (!project || tn_studio_waits(call, door, project->path,
					redo ? tn_studio_call_redo : tn_studio_call_undo, door))
		return;
	if (is_large(call, door, project, redo))
		start_trial(call, door, project, redo);
	else
		run(call, door, project, redo);
}

void tn_studio_call_undo(struct tenon_call *call, void *door)
{
	undo(call, door, false);
}

void tn_studio_call_redo(struct tenon_call *call, void *door)
{
	undo(call, door, true);
}
