#include "apps/studio/mcp/trial.h"

#include <string.h>

#include "apps/studio/mcp/waiting.h"
#include "base/mem.h"
#include "mcp/call.h"

enum { TRIES_MAX = 5 };

static void forget_fork(struct tn_studio_trial *trial)
{
	tn_studio_project_let_go(trial->fork);
	trial->fork = NULL;
	while (trial->others) {
		struct tn_studio_project *other = trial->others;

		trial->others = other->next;
		tn_studio_project_let_go(other);
	}
	tn_studio_prices_unref(trial->prices);
	trial->prices = NULL;
}

static void free_trial(void *data)
{
	struct tn_studio_trial *trial = data;

	if (trial->fork) {
		if (trial->turn.act.edit)
			tn_studio_edit_abandon(&trial->turn.edit);
		tn_studio_turn_end(&trial->turn);
		forget_fork(trial);
	}
	tn_studio_queue_release(trial->queue);
	tn_mem_free(trial);
}

static void fail_memory(struct tenon_call *call)
{
	struct tn_studio_fault fault;

	(void)tn_studio_fail_memory(&fault);
	tn_studio_reply_fault(call, &fault);
}

/* ---- what is needed ---- */

/* Every other open project: what an operation calls the one it copies from may come of one before
 * it. */
static bool freeze_others(struct tn_studio_trial *trial)
{
	struct tn_studio_project *at = tn_studio_projects_first(trial->door->projects), *frozen;

	for (; at; at = at->next) {
		if (trial->fork->path && strcmp(at->path, trial->fork->path) == 0)
			continue;
		if (tn_studio_project_freeze(at, &frozen, NULL) != TENON_OK)
			return tn_studio_fail_memory(&trial->turn.fault);
		frozen->next = trial->others;
		trial->others = frozen;
	}
	trial->turn.edit.others = trial->others;
	return true;
}

bool tn_studio_trial_needs(struct tn_studio_trial *trial, const struct tn_studio_action *action,
			   const struct tn_json *arguments)
{
	if (!tn_studio_turn_prepare(&trial->turn, action))
		return false;
	/* The door has new prices when the user's have changed: these stay as long as they are
	 * used. */
	if (trial->turn.act.prices && !trial->prices)
		trial->prices = tn_studio_prices_ref(trial->door->prices);
	return trial->others || !tn_json_get(arguments, "fromProject") || freeze_others(trial);
}

/* ---- making it ---- */

/* Whether the project is as the call expects it: said before anything is done. False: the call has
 * ended. */
static bool is_as_expected(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project)
{
	struct tn_studio_turn turn;
	bool good;

	tn_studio_turn_begin(&turn, door, project);
	good = tn_studio_turn_edit(&turn, call, call->item->tool.name);
	if (good)
		tn_studio_edit_abandon(&turn.edit);
	else
		tn_studio_turn_fail(&turn, call);
	tn_studio_turn_end(&turn);
	return good;
}

static void work(const struct tenon_call *call, void *data)
{
	struct tn_studio_trial *trial = data;

	/* Indexed here, so that the loop need not. */
	trial->good = !tenon_call_cancelled(call) && trial->kind->work(trial, call) &&
		      (tn_studio_document_index(&trial->fork->document, NULL) == TENON_OK ||
		       tn_studio_fail_memory(&trial->turn.fault));
}

static void done(struct tenon_call *call, void *data);

static bool begin(struct tenon_call *call, struct tn_studio_trial *trial,
		  const struct tn_studio_project *project)
{
	struct tn_studio_turn *turn = &trial->turn;
	bool good;

	tn_studio_turn_begin(turn, trial->door, trial->fork);
	turn->act.runs = NULL;    /* the loop's */
	turn->act.follows = NULL; /* likewise */
	tn_studio_turn_author(turn, call, call->item->tool.name);
	if (project) /* who has changed what stands there alone */
		turn->edit.log = project->log;
	good = (!project || tn_studio_turn_expects(turn, call)) && trial->kind->begin(trial, call);
	turn->edit.log = trial->fork->log;
	if (!good || !tn_studio_edit_begin(&turn->edit, -1))
		return false;
	turn->act.edit = &turn->edit;
	return true;
}

/* On the project as it is now. */
static void start(struct tenon_call *call, struct tn_studio_trial *trial,
		  struct tn_studio_project *project)
{
	if (project && !is_as_expected(call, trial->door, project))
		return;
	if (project && tn_studio_project_fork(project, &trial->fork, NULL) != TENON_OK)
		trial->fork = NULL;
	if (!project)
		trial->fork = tn_studio_project_draft(trial->door->projects, NULL);
	if (!trial->fork)
		fail_memory(call);
	else if (begin(call, trial, project))
		tenon_call_work(call, work, done, trial);
	else
		tn_studio_turn_fail(&trial->turn, call);
}

void tn_studio_trial_start(struct tenon_call *call, struct tn_studio_door *door,
			   struct tn_studio_project *project, struct tn_studio_trial *trial,
			   const struct tn_studio_trial_kind *kind)
{
	if (trial && project && !trial->is_dry)
		trial->queue = tn_studio_queue_hold(door, project->path);
	if (!trial || (project && !trial->is_dry && !trial->queue)) {
		tn_mem_free(trial);
		fail_memory(call);
		return;
	}
	trial->door = door;
	trial->kind = kind;
	tenon_call_set_data(call, trial, free_trial);
	start(call, trial, project);
}

/* ---- when it is made ---- */

static void start_anew(struct tenon_call *call, struct tn_studio_trial *trial,
		       struct tn_studio_project *project)
{
	tn_studio_edit_abandon(&trial->turn.edit);
	tn_studio_turn_end(&trial->turn);
	forget_fork(trial);
	if (++trial->tries < TRIES_MAX)
		start(call, trial, project);
	else
		trial->kind->at_once(call, trial, project);
}

/* What was made on trial becomes a change of the project. */
static bool adopt(struct tn_studio_trial *trial, struct tn_studio_project *project,
		  struct tn_change *ret)
{
	struct tn_studio_edit edit = trial->turn.edit;

	edit.document = &project->document;
	edit.log = project->log;
	edit.project = project;
	edit.status = project->status;
	edit.others = NULL;
	if (!tn_studio_edit_begin(&edit, (int64_t)trial->fork->frozen_revision))
		return false;
	trial->turn.act.edit = NULL; /* it is abandoned by what follows */
	return tn_studio_edit_adopt(&edit, &trial->turn.edit) &&
	       tn_studio_edit_finish(&edit, trial->label, false, ret);
}

static void keep(struct tenon_call *call, struct tn_studio_trial *trial)
{
	struct tn_studio_turn *turn = &trial->turn;
	struct tn_change change;
	struct tn_studio_project *project =
		tn_studio_project_find(trial->door->projects, trial->fork->path, &turn->fault);

	if (project && tn_studio_project_revision(project) != trial->fork->frozen_revision)
		start_anew(call, trial, project);
	else if (!project || !adopt(trial, project, &change))
		tn_studio_turn_fail(turn, call);
	else
		trial->kind->answer(call, trial, project, &change);
}

static void done(struct tenon_call *call, void *data)
{
	struct tn_studio_trial *trial = data;
	const struct tn_change unchanged = {.revision = trial->fork->frozen_revision};

	if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
	else if (!trial->good)
		tn_studio_turn_fail(&trial->turn, call);
	else if (trial->is_dry)
		trial->kind->answer(call, trial, NULL, &unchanged);
	else
		keep(call, trial);
}
