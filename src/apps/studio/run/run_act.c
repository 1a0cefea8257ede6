/* An apply or a destroy as one object: what it goes by, opened once, hashed and held; what a person
 * reads of it; and the digest that their consent is bound to (ST-081). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* ---- the plan it goes by ---- */

static struct tn_str kept(const struct tn_studio_run *run, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(tn_json_get(run->record, "private"), key), &text);
	return text;
}

bool tn_studio_plan_is_applicable(const struct tn_studio_run *run)
{
	struct tn_str id = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(tn_json_get(run->record, "result"), "planId"), &id);
	return run->options.command == TN_STUDIO_PLAN && run->state == TN_STUDIO_FINISHED &&
	       id.size > 0;
}

const char *tn_studio_plan_why_stale(const struct tn_studio_run *plan, const char *inputs,
				     const char *state)
{
	int64_t age_ms = tn_clock_wall_ms(plan->runs->options.clock) - plan->started_wall_ms;

	if (age_ms < 0 || age_ms > (int64_t)TN_STUDIO_PLAN_HOURS * 60 * 60 * 1000)
		return "The plan is older than 24 hours. Run plan again.";
	if (!tn_str_is(kept(plan, "inputs"), inputs))
		return "The configuration or a value has changed since the plan was made. Run plan "
		       "again.";
	if (!tn_str_is(kept(plan, "state"), state))
		return "The state has changed since the plan was made. Run plan again.";
	if (plan->plan && !tn_studio_plan_is_still(plan))
		return "The file of the plan was changed since it was made. Run plan again.";
	return NULL;
}

static enum tn_studio_act_state named(struct tn_studio_starting *s, const char *state,
				      struct tn_studio_run **ret)
{
	struct tn_studio_run *plan = tn_studio_run_find(s->runs, s->project, s->options->plan_id);
	const char *stale = plan && tn_studio_plan_is_applicable(plan)
				    ? tn_studio_plan_why_stale(plan, s->run->inputs, state)
				    : NULL;

	if (!plan || !tn_studio_plan_is_applicable(plan))
		(void)tn_studio_fail(s->fault, "NOT_FOUND",
				     "%.64s is no plan of this project that could be applied. Run "
				     "plan, and use the runId of its result.",
				     s->options->plan_id);
	else if (s->options->command == TN_STUDIO_DESTROY && !tn_studio_run_destroys(plan))
		(void)tn_studio_fail(s->fault, "INVALID_INPUT",
				     "planId: %.64s is no plan to destroy. Run plan with destroy: "
				     "true and send the runId of its result, or leave planId out.",
				     s->options->plan_id);
	else if (stale)
		(void)tn_studio_fail(s->fault, "STALE_PLAN", "%s", stale);
	else
		*ret = plan;
	if (!*ret)
		return TN_STUDIO_ACT_REFUSED;
	return plan->plan && plan->plan->is_told ? TN_STUDIO_ACT_READY : TN_STUDIO_ACT_UNREAD;
}

/* The last that was made here of exactly this. One that was applied is over. */
static enum tn_studio_act_state unnamed(struct tn_studio_starting *s, const char *state,
					struct tn_studio_run **ret)
{
	char request[TN_DIGEST_HEX_SIZE];

	tn_studio_run_request(s->options, s->options->command == TN_STUDIO_DESTROY, request);
	for (struct tn_studio_run *run = s->runs->first; run; run = run->next) {
		if (run->project != s->project || !tn_studio_plan_is_applicable(run) ||
		    run->is_spent || !run->plan || !run->plan->is_told ||
		    strcmp(run->request, request) != 0 ||
		    tn_studio_plan_why_stale(run, s->run->inputs, state))
			continue;
		*ret = run;
		return TN_STUDIO_ACT_READY;
	}
	return TN_STUDIO_ACT_UNPLANNED;
}

bool tn_studio_act_look(struct tn_studio_starting *s)
{
	if (!tn_studio_starting_is_free(s) || !tn_studio_starting_is_valid(s))
		return false;
	/* It is in no list, and nothing of it comes to the disk. */
	s->run = tn_studio_run_new(s->runs, s->project, "run_preview");
	if (!s->run)
		return tn_studio_fail_memory(s->fault);
	tn_studio_run_inputs(s->project, tn_studio_known_of(s->runs, s->project), &s->generated,
			     s->run->directory, s->run->inputs);
	return tn_studio_starting_is_trusted(s, s->run);
}

enum tn_studio_act_state tn_studio_act_find(struct tn_studio_runs *runs,
					    struct tn_studio_project *project,
					    const struct tn_studio_run_options *options,
					    struct tn_studio_run **ret_plan,
					    struct tn_studio_fault *fault)
{
	struct tn_studio_starting s = {
		.runs = runs, .project = project, .options = options, .fault = fault};
	enum tn_studio_act_state found = TN_STUDIO_ACT_REFUSED;
	char state[TN_DIGEST_HEX_SIZE];

	*ret_plan = NULL;
	if (!tn_studio_engine_known(runs)) {
		(void)tn_studio_fail(fault, "TERRAFORM_NOT_FOUND", "It was not looked for yet.");
		return found;
	}
	tn_arena_init(&s.arena, TN_STUDIO_ARENA_MAX);
	if (tn_studio_act_look(&s)) {
		tn_studio_known_state(tn_studio_known_of(runs, project), s.run->directory, state);
		found = options->plan_id ? named(&s, state, ret_plan)
					 : unnamed(&s, state, ret_plan);
	}
	tn_studio_run_free(s.run);
	if (found == TN_STUDIO_ACT_REFUSED || found == TN_STUDIO_ACT_UNREAD)
		tn_studio_made_drop(runs, project); /* otherwise a start follows */
	tn_arena_finish(&s.arena);
	return found;
}

struct tn_studio_run_options tn_studio_act_plan_options(const struct tn_studio_run_options *options)
{
	struct tn_studio_run_options plan = *options;

	plan.command = TN_STUDIO_PLAN;
	plan.destroy = options->command == TN_STUDIO_DESTROY;
	plan.refresh_only = false;
	plan.plan_id = NULL;
	plan.act = NULL;
	if (plan.destroy)
		plan.replace = NULL;
	return plan;
}

/* ---- what is held ---- */

bool tn_studio_act_is_still(const struct tn_studio_act *act, const char *engine_path)
{
	return tn_studio_program_is_still(&act->engine, engine_path);
}

/* ---- carrying it out ---- */

static enum tenon_code hold(struct tn_studio_act *act, struct tn_arena *arena,
			    struct tn_studio_process_options *options, int *ret_held,
			    struct tenon_error *err)
{
	const char *const begin[] = {act->watcher, "--confine",  "--only-held",
				     "--at",       act->held_at, "--"};
	const size_t count = sizeof(begin) / sizeof(begin[0]);
	size_t words = 0;
	const char **argv;
	enum tenon_code code;

	while (options->argv[words])
		words++;
	argv = tn_arena_alloc_array(arena, count + words + 1, sizeof(*argv));
	if (!argv)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	memcpy(argv, begin, sizeof(begin));
	memcpy(argv + count, options->argv, (words + 1) * sizeof(*argv));
	code = tn_hold_list_pack(act->list, ret_held, err);
	if (code != TENON_OK)
		return code;
	(void)snprintf(act->held_at, sizeof(act->held_at), "%d", *ret_held);
	act->kept[options->kept_count++] = *ret_held;
	options->argv = argv;
	options->program = act->watcher;
	return TENON_OK;
}

enum tenon_code tn_studio_act_use(struct tn_studio_act *act, struct tn_arena *arena,
				  struct tn_studio_process_options *options, int *ret_held,
				  struct tenon_error *err)
{
	*ret_held = -1;
	options->directory = act->folder_path;
	options->program = act->engine.is_script ? NULL : act->engine.path;
	options->kept = act->kept;
	options->kept_count = 1;
	return act->list ? hold(act, arena, options, ret_held, err) : TENON_OK;
}

void tn_studio_act_free(struct tn_studio_act *act)
{
	if (!act)
		return;
	tn_held_finish(&act->plan);
	tn_held_finish(&act->folder);
	tn_studio_program_close(&act->engine);
	tn_hold_list_free(act->list);
	tn_buf_finish(&act->summary);
	tn_buf_finish(&act->detail);
	tn_mem_free(act);
}

struct tn_studio_act_words tn_studio_act_words(const struct tn_studio_act *act)
{
	return (struct tn_studio_act_words){.summary = act->summary.data,
					    .detail = act->detail.data,
					    .digest = act->digest,
					    .plan_id = act->plan_id,
					    .destroys = act->destroys,
					    .is_as_shown = act->is_as_shown};
}
