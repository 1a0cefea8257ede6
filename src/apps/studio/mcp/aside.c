#include "apps/studio/mcp/aside.h"

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "mcp/call.h"

bool tn_studio_is_large(const struct tn_studio_project *project)
{
	return project->document.node_count + project->document.edge_count > TN_STUDIO_AT_ONCE_MAX;
}

/* ---- life ---- */

static void free_aside(void *data)
{
	struct tn_studio_aside *aside = data;

	if (aside->free_data)
		aside->free_data(aside->data);
	tn_studio_turn_end(&aside->turn);
	tn_studio_project_let_go(aside->frozen);
	tn_studio_prices_unref(aside->prices);
	tn_mem_free(aside);
}

struct tn_studio_aside *tn_studio_aside_begin(struct tenon_call *call, struct tn_studio_door *door,
					      struct tn_studio_project *project)
{
	struct tn_studio_aside *aside = tn_mem_alloc(sizeof(*aside));
	struct tn_studio_fault fault;

	if (!aside || tn_studio_project_freeze(project, &aside->frozen, NULL) != TENON_OK) {
		tn_mem_free(aside);
		(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
		return NULL;
	}
	aside->call = call;
	tn_studio_turn_begin(&aside->turn, door, aside->frozen);
	aside->turn.act.runs = NULL;
	tenon_call_set_data(call, aside, free_aside);
	return aside;
}

/* ---- the work ---- */

static void work(const struct tenon_call *call, void *data)
{
	struct tn_studio_aside *aside = data;

	aside->good = !tenon_call_cancelled(call) && aside->work(aside);
}

static void done(struct tenon_call *call, void *data)
{
	struct tn_studio_aside *aside = data;

	if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
	else
		aside->then(call, aside);
}

void tn_studio_aside_start(struct tenon_call *call, struct tn_studio_aside *aside,
			   bool (*how)(struct tn_studio_aside *aside),
			   void (*then)(struct tenon_call *call, struct tn_studio_aside *aside))
{
	/* The door has new prices when the user's have changed: these stay as long as they are
	 * used. */
	if (aside->turn.act.prices && !aside->prices)
		aside->prices = tn_studio_prices_ref(aside->turn.door->prices);
	aside->work = how;
	aside->then = then;
	tenon_call_work(call, work, done, aside);
}

/* ---- actions ---- */

struct acting {
	const struct tn_studio_action *action;
	const struct tn_json *arguments;
	tn_studio_answer_fn *answer;
};

static bool run_action(struct tn_studio_aside *aside)
{
	const struct acting *acting = aside->data;

	return acting->action->run(&aside->turn.act, acting->arguments, &aside->turn.result);
}

static void answer(struct tenon_call *call, struct tn_studio_aside *aside)
{
	const struct acting *acting = aside->data;

	if (aside->good && acting->action->after)
		acting->action->after(&aside->turn.act, &aside->turn.result);
	acting->answer(call, &aside->turn, aside->good);
}

bool tn_studio_goes_aside(const struct tn_studio_action *action,
			  const struct tn_studio_project *project)
{
	return action->stands_aside && project && tn_studio_is_large(project);
}

/* Here is everything of the door and of the project itself. */
static bool prepare(struct tn_studio_aside *aside, struct tn_studio_project *project,
		    const struct tn_studio_action *action)
{
	struct tn_studio_act *act = &aside->turn.act;
	bool good;

	act->project = project;
	act->runs = aside->turn.door->runs;
	good = tn_studio_turn_prepare(&aside->turn, action);
	act->project = aside->frozen;
	act->runs = NULL;
	return good;
}

void tn_studio_act_aside(struct tenon_call *call, struct tn_studio_door *door,
			 struct tn_studio_project *project, const struct tn_studio_action *action,
			 const char *arguments_json, tn_studio_answer_fn *answer_with)
{
	struct tn_studio_aside *aside = tn_studio_aside_begin(call, door, project);
	struct acting *acting;
	struct tn_json *parsed = NULL;

	if (!aside)
		return;
	acting = tn_arena_alloc(&aside->turn.arena, sizeof(*acting));
	if (!acting || !prepare(aside, project, action) ||
	    (arguments_json && tn_json_parse_copy(&aside->turn.arena, tn_str_from(arguments_json),
						  &parsed, NULL) != TENON_OK)) {
		answer_with(call, &aside->turn, false);
		return;
	}
	if (!arguments_json)
		tn_studio_turn_fit(&aside->turn, call, action);
	*acting = (struct acting){action, arguments_json ? parsed : tn_call_arguments(call),
				  answer_with};
	aside->data = acting;
	tn_studio_aside_start(call, aside, run_action, answer);
}
