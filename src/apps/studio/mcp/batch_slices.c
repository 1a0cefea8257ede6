#include "apps/studio/mcp/batch.h"

#include <string.h>

#include "apps/studio/mcp/waiting.h"
#include "base/mem.h"
#include "mcp/call.h"
#include "mcp/server.h"

/* A timer that is due at once would come before anything else that the loop has to do. */
enum { SLICE_US = 5000, NEXT_MS = 1, TRIES_MAX = 5 };

struct slices {
	struct tn_studio_door *door;
	struct tn_studio_project *fork;
	struct tn_studio_queue *queue; /* held */
	struct tn_studio_turn turn;    /* of the fork */
	struct tn_studio_batch batch;
	unsigned tries;
};

static void free_slices(void *data)
{
	struct slices *slices = data;

	if (slices->fork) {
		if (slices->turn.act.edit)
			tn_studio_edit_abandon(&slices->turn.edit);
		tn_studio_turn_end(&slices->turn);
		tn_studio_project_thaw(slices->fork);
	}
	tn_studio_queue_release(slices->queue);
	tn_mem_free(slices);
}

static void fail_memory(struct tenon_call *call)
{
	struct tn_studio_fault fault;

	(void)tn_studio_fail_memory(&fault);
	tn_studio_reply_fault(call, &fault);
}

static void slice(struct tenon_call *call, void *data);

/* Who has changed what stands in the project's log alone. */
static bool begin(struct tenon_call *call, struct slices *slices, struct tn_studio_project *project)
{
	struct tn_studio_turn *turn = &slices->turn;
	bool good;

	tn_studio_turn_author(turn, call, "execute_batch");
	turn->edit.log = project->log;
	good = tn_studio_turn_expects(turn, call) &&
	       tn_studio_batch_begin(&slices->batch, turn, call);
	turn->edit.log = slices->fork->log;
	return good && tn_studio_edit_begin(&turn->edit, -1);
}

/* On the project as it is now. */
static void start(struct tenon_call *call, struct slices *slices, struct tn_studio_project *project)
{
	if (tn_studio_project_fork(project, &slices->fork, NULL) != TENON_OK) {
		fail_memory(call);
		return;
	}
	tn_studio_turn_begin(&slices->turn, slices->door, slices->fork);
	slices->turn.act.runs = NULL;
	if (!begin(call, slices, project)) {
		tn_studio_turn_fail(&slices->turn, call);
		return;
	}
	slices->turn.act.edit = &slices->turn.edit;
	tenon_call_after(call, NEXT_MS, slice, slices);
}

static void start_anew(struct tenon_call *call, struct slices *slices,
		       struct tn_studio_project *project)
{
	struct tn_studio_door *door = slices->door;

	tn_studio_edit_abandon(&slices->turn.edit);
	tn_studio_turn_end(&slices->turn);
	tn_studio_project_thaw(slices->fork);
	slices->fork = NULL;
	if (++slices->tries < TRIES_MAX) {
		start(call, slices, project);
	} else {
		tenon_call_on_cancel(call, NULL, NULL);
		tn_studio_batch_at_once(call, door, project);
	}
}

/* What was made on trial becomes a change of the project. */
static bool adopt(struct tenon_call *call, struct slices *slices, struct tn_studio_project *project,
		  struct tn_change *ret)
{
	struct tn_studio_edit edit = slices->turn.edit;

	edit.document = &project->document;
	edit.log = project->log;
	edit.project = project;
	edit.status = project->status;
	if (!tn_studio_edit_begin(&edit, (int64_t)slices->fork->frozen_revision))
		return false;
	slices->turn.act.edit = NULL; /* it is abandoned by what follows */
	return tn_studio_edit_adopt(&edit, &slices->turn.edit) &&
	       tn_studio_edit_finish(&edit, tenon_call_text(call, "label"), false, ret);
}

static void finish(struct tenon_call *call, struct slices *slices)
{
	struct tn_studio_turn *turn = &slices->turn;
	struct tn_studio_project *project =
		tn_studio_project_find(slices->door->projects, slices->fork->id, &turn->fault);
	struct tn_change change = {.revision = slices->fork->frozen_revision};

	if (project && tn_studio_project_revision(project) != slices->fork->frozen_revision) {
		start_anew(call, slices, project);
		return;
	}
	if (!project || (!slices->batch.dry_run && !adopt(call, slices, project, &change))) {
		tn_studio_turn_fail(turn, call);
		return;
	}
	tn_studio_batch_put(&slices->batch, &change);
	if (!slices->batch.dry_run)
		tn_studio_publish(slices->door, project, "config");
	tn_studio_reply(call, tn_buf_str(&turn->text), &turn->result);
}

static void slice(struct tenon_call *call, void *data)
{
	struct slices *slices = data;
	const struct tn_clock *clock = slices->door->server->clock;
	uint64_t begun = tn_clock_now_us(clock);

	if (!slices->batch.next) {
		finish(call, slices);
		return;
	}
	while (slices->batch.next && tn_clock_now_us(clock) - begun < SLICE_US) {
		if (!tn_studio_batch_step(&slices->batch)) {
			tn_studio_turn_fail(&slices->turn, call);
			return;
		}
	}
	tenon_call_after(call, NEXT_MS, slice, slices);
}

static void cancelled(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

void tn_studio_batch_in_slices(struct tenon_call *call, struct tn_studio_door *door,
			       struct tn_studio_project *project)
{
	struct slices *slices;
	struct tn_studio_turn turn;
	bool good;

	/* What is wrong with the revision is said before anything is done. */
	tn_studio_turn_begin(&turn, door, project);
	good = tn_studio_turn_edit(&turn, call, "execute_batch");
	if (good)
		tn_studio_edit_abandon(&turn.edit);
	else
		tn_studio_turn_fail(&turn, call);
	tn_studio_turn_end(&turn);
	slices = good ? tn_mem_alloc(sizeof(*slices)) : NULL;
	if (!good)
		return;
	if (slices)
		slices->queue = tn_studio_queue_hold(door, project);
	if (!slices || !slices->queue) {
		tn_mem_free(slices);
		fail_memory(call);
		return;
	}
	slices->door = door;
	tenon_call_set_data(call, slices, free_slices);
	tenon_call_on_cancel(call, cancelled, NULL);
	start(call, slices, project);
}
