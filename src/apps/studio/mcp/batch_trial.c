#include "apps/studio/mcp/batch.h"
#include "apps/studio/mcp/trial.h"
#include "base/mem.h"
#include "mcp/call.h"

struct batch_trial {
	struct tn_studio_trial trial;
	struct tn_studio_batch batch;
};

static bool begin(struct tn_studio_trial *trial, struct tenon_call *call)
{
	struct tn_studio_batch *batch = &((struct batch_trial *)trial)->batch;
	const struct tn_studio_action *action;

	trial->label = tenon_call_text(call, "label");
	if (!tn_studio_batch_begin(batch, &trial->turn, call))
		return false;
	for (const struct tn_json *at = batch->operations->first; at; at = at->next) {
		action = tn_studio_batch_action(batch, at);
		/* One that is none fails when it is its turn, after those before it. */
		if (action && !tn_studio_trial_needs(trial, action, tn_json_get(at, "arguments")))
			return false;
	}
	return true;
}

static bool work(struct tn_studio_trial *trial, const struct tenon_call *call)
{
	struct tn_studio_batch *batch = &((struct batch_trial *)trial)->batch;

	while (batch->next) {
		if (tenon_call_cancelled(call) || !tn_studio_batch_step(batch))
			return false;
	}
	tn_studio_batch_put_results(batch);
	return true;
}

static void answer(struct tenon_call *call, struct tn_studio_trial *trial,
		   struct tn_studio_project *project, const struct tn_change *change)
{
	struct tn_studio_batch *batch = &((struct batch_trial *)trial)->batch;

	tn_studio_batch_put_change(batch, change);
	if (project)
		tn_studio_publish(trial->door, project, "config");
	tn_studio_reply(call, tn_buf_str(&trial->turn.text), &trial->turn.result);
}

static void at_once(struct tenon_call *call, struct tn_studio_trial *trial,
		    struct tn_studio_project *project)
{
	tn_studio_batch_at_once(call, trial->door, project);
}

void tn_studio_batch_on_trial(struct tenon_call *call, struct tn_studio_door *door,
			      struct tn_studio_project *project)
{
	static const struct tn_studio_trial_kind kind = {
		.begin = begin, .work = work, .answer = answer, .at_once = at_once};
	struct batch_trial *batch = tn_mem_alloc(sizeof(*batch));

	if (batch)
		(void)tenon_call_bool(call, "dryRun", &batch->trial.is_dry);
	tn_studio_trial_start(call, door, project, batch ? &batch->trial : NULL, &kind);
}
