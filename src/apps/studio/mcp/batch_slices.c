#include "apps/studio/mcp/batch.h"
#include "apps/studio/mcp/trial.h"
#include "base/mem.h"
#include "mcp/call.h"
#include "mcp/server.h"

/* A timer that is due at once would come before anything else that the loop has to do. */
enum { SLICE_US = 5000, NEXT_MS = 1 };

struct slices {
	struct tn_studio_trial trial;
	struct tn_studio_batch batch;
};

static bool begin(struct tn_studio_trial *trial, struct tenon_call *call)
{
	struct slices *slices = (struct slices *)trial;

	return tn_studio_batch_begin(&slices->batch, &trial->turn, call);
}

static void end(struct tenon_call *call, struct slices *slices, bool good)
{
	tenon_call_on_cancel(call, NULL, NULL);
	tn_studio_trial_end(call, &slices->trial, good);
}

static void slice(struct tenon_call *call, void *data)
{
	struct slices *slices = data;
	const struct tn_clock *clock = slices->trial.door->server->clock;
	uint64_t begun = tn_clock_now_us(clock);

	if (!slices->batch.next) {
		end(call, slices, true);
		return;
	}
	while (slices->batch.next && tn_clock_now_us(clock) - begun < SLICE_US) {
		if (!tn_studio_batch_step(&slices->batch)) {
			end(call, slices, false);
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

static void go(struct tenon_call *call, struct tn_studio_trial *trial)
{
	tenon_call_on_cancel(call, cancelled, NULL);
	tenon_call_after(call, NEXT_MS, slice, trial);
}

static const char *label(const struct tenon_call *call)
{
	return tenon_call_text(call, "label");
}

static bool is_dry(const struct tn_studio_trial *trial)
{
	return ((const struct slices *)trial)->batch.dry_run;
}

static void answer(struct tenon_call *call, struct tn_studio_trial *trial,
		   struct tn_studio_project *project, const struct tn_change *change)
{
	struct slices *slices = (struct slices *)trial;

	tn_studio_batch_put(&slices->batch, change);
	if (!slices->batch.dry_run)
		tn_studio_publish(trial->door, project, "config");
	tn_studio_reply(call, tn_buf_str(&trial->turn.text), &trial->turn.result);
}

static void at_once(struct tenon_call *call, struct tn_studio_trial *trial,
		    struct tn_studio_project *project)
{
	tn_studio_batch_at_once(call, trial->door, project);
}

void tn_studio_batch_in_slices(struct tenon_call *call, struct tn_studio_door *door,
			       struct tn_studio_project *project)
{
	static const struct tn_studio_trial_kind kind = {.begin = begin,
							 .go = go,
							 .label = label,
							 .is_dry = is_dry,
							 .answer = answer,
							 .at_once = at_once};
	struct slices *slices = tn_mem_alloc(sizeof(*slices));

	tn_studio_trial_start(call, door, project, slices ? &slices->trial : NULL, &kind);
}
