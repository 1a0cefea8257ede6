#include "apps/studio/mcp/trial.h"

#include "base/mem.h"
#include "mcp/call.h"

struct acting {
	struct tn_studio_trial trial;
	const struct tn_studio_action *action;
	const struct tn_json *arguments;
};

static bool begin(struct tn_studio_trial *trial, struct tenon_call *call)
{
	struct acting *acting = (struct acting *)trial;

	acting->arguments = tn_call_arguments(call);
	tn_studio_turn_fit(&trial->turn, call, acting->action);
	return tn_studio_trial_needs(trial, acting->action, acting->arguments);
}

static bool work(struct tn_studio_trial *trial, const struct tenon_call *call)
{
	struct acting *acting = (struct acting *)trial;

	(void)call; /* a step is not stopped in its middle */
	return acting->action->run(&trial->turn.act, acting->arguments, &trial->turn.result);
}

static void answer(struct tenon_call *call, struct tn_studio_trial *trial,
		   struct tn_studio_project *project, const struct tn_change *change)
{
	const struct acting *acting = (const struct acting *)trial;

	tn_studio_turn_changed(&trial->turn, call, change);
	if (project)
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
		.begin = begin, .work = work, .answer = answer, .at_once = at_once};
	struct acting *acting = tn_mem_alloc(sizeof(*acting));

	if (acting) {
		acting->action = action;
		(void)tenon_call_bool(call, "dryRun", &acting->trial.is_dry);
	}
	tn_studio_trial_start(call, door, project, acting ? &acting->trial : NULL, &kind);
}
