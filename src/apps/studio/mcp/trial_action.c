#include "apps/studio/mcp/trial.h"

#include "base/mem.h"
#include "mcp/call.h"

struct acting {
	struct tn_studio_trial trial;
	const struct tn_studio_action *action;
	const struct tn_json *arguments;
	bool good;
};

static void work(const struct tenon_call *call, void *data)
{
	struct acting *acting = data;
	struct tn_studio_turn *turn = &acting->trial.turn;

	acting->good = !tenon_call_cancelled(call) &&
		       acting->action->run(&turn->act, acting->arguments, &turn->result);
}

static void done(struct tenon_call *call, void *data)
{
	struct acting *acting = data;

	if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
	else
		tn_studio_trial_end(call, &acting->trial, acting->good);
}

static void go(struct tenon_call *call, struct tn_studio_trial *trial)
{
	struct acting *acting = (struct acting *)trial;

	acting->arguments = tn_call_arguments(call);
	tn_studio_turn_fit(&trial->turn, call, acting->action);
	if (tn_studio_turn_prepare(&trial->turn, acting->action))
		tenon_call_work(call, work, done, acting);
	else
		tn_studio_turn_fail(&trial->turn, call);
}

static void answer(struct tenon_call *call, struct tn_studio_trial *trial,
		   struct tn_studio_project *project, const struct tn_change *change)
{
	const struct acting *acting = (const struct acting *)trial;

	tn_studio_turn_changed(&trial->turn, call, change);
	tn_studio_publish(trial->door, project, acting->action->changes);
	tn_studio_turn_answer(call, &trial->turn, true);
}

static void at_once(struct tenon_call *call, struct tn_studio_trial *trial,
		    struct tn_studio_project *project)
{
	tn_studio_act_now(call, trial->door, project, ((const struct acting *)trial)->action);
}

void tn_studio_act_on_trial(struct tenon_call *call, struct tn_studio_door *door,
			    struct tn_studio_project *project,
			    const struct tn_studio_action *action)
{
	static const struct tn_studio_trial_kind kind = {
		.go = go, .answer = answer, .at_once = at_once};
	struct acting *acting = tn_mem_alloc(sizeof(*acting));

	if (acting)
		acting->action = action;
	tn_studio_trial_start(call, door, project, acting ? &acting->trial : NULL, &kind);
}
