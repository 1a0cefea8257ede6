/* What a person reads before apply and destroy, and what their consent is bound to (ST-081). */
#include <stdio.h>

#include "apps/studio/run_private.h"
#include "apps/studio/status.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

enum { NAMES_MAX = 50 };

struct preview {
	struct tn_studio_starting s;
	const struct tn_json *plan; /* result of the plan it goes by; NULL: none is fresh */
	struct tn_buf names;        /* of what would be destroyed */
	unsigned name_count;
};

static struct tn_str member(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* ---- the plan that tells ---- */

static bool destroys(const struct tn_studio_run *plan)
{
	bool destroy = false;

	(void)tn_json_to_bool(tn_json_get(tn_json_get(plan->record, "private"), "destroys"),
			      &destroy);
	return destroy;
}

/* The one that was named, or the last one when it is of exactly what would be applied now. */
static const struct tn_studio_run *find_plan(struct preview *p)
{
	const struct tn_studio_run_options *options = p->s.options;
	const struct tn_studio_run *run = p->s.runs->first;
	bool whole = !options->targets && !options->replace;

	if (options->command == TN_STUDIO_APPLY && options->plan_id)
		return tn_studio_run_find(p->s.runs, p->s.project, options->plan_id);
	for (; whole && run; run = run->next) {
		const struct tn_json *kept = tn_json_get(run->record, "private");
		char mark[TN_DIGEST_HEX_SIZE];

		if (run->project != p->s.project || run->options.command != TN_STUDIO_PLAN ||
		    run->state != TN_STUDIO_FINISHED)
			continue;
		tn_studio_run_state_mark(p->s.run->directory, mark);
		if (tn_str_is(member(kept, "inputs"), p->s.run->inputs) &&
		    tn_str_is(member(kept, "state"), mark) &&
		    member(tn_json_get(run->record, "result"), "planId").size > 0 &&
		    destroys(run) == (options->command == TN_STUDIO_DESTROY))
			return run;
		return NULL;
	}
	return NULL;
}

/* ---- names ---- */

static void add_name(struct preview *p, struct tn_str address)
{
	if (p->name_count++ < NAMES_MAX)
		tn_buf_format(&p->names, "\n  - %.*s", (int)address.size, address.data);
}

static void names_of_plan(struct preview *p)
{
	const struct tn_json *changes = tn_json_get(p->plan, "resourceChanges");

	for (const struct tn_json *one = tn_json_is(changes, TN_JSON_ARRAY) ? changes->first : NULL;
	     one; one = one->next) {
		struct tn_str action = member(one, "action");

		if (tn_str_is(action, "delete") || tn_str_is(action, "replace"))
			add_name(p, member(one, "address"));
	}
}

/* Without a plan: a destroy takes what is there. */
static void names_of_status(struct preview *p)
{
	const struct tn_studio_generated *generated = &p->s.generated;

	for (size_t i = 0; i < generated->address_count; i++) {
		const struct tn_studio_address *one = &generated->addresses[i];

		if (one->node && one->primary &&
		    tn_studio_status_deployed(p->s.project->status, one->node->id, NULL))
			add_name(p, one->address);
	}
}

/* ---- words ---- */

static void put_summary(const struct preview *p, struct tn_buf *out)
{
	bool destroy = p->s.options->command == TN_STUDIO_DESTROY;
	struct tn_str counts = member(tn_json_get(p->plan, "summary"), "text");

	tn_buf_format(out, "%s %s", destroy ? "Destroy the infrastructure of" : "Apply the diagram",
		      p->s.project->name);
	if (counts.size > 0)
		tn_buf_format(out, ": %.*s", (int)counts.size, counts.data);
	else if (destroy && !p->s.options->targets)
		tn_buf_format(out, ": all of it, at least %u resource%s", p->name_count,
			      p->name_count == 1 ? "" : "s");
	else
		tn_buf_append_text(out, ": no plan was made of it as it is now");
}

static void put_detail(const struct preview *p, struct tn_buf *out)
{
	const struct tn_studio_run_options *options = p->s.options;
	const struct tn_studio_engine *engine = &p->s.runs->engine;

	tn_buf_format(out, "Project: %s\nCommand: %s%s\nEngine: %s %s", p->s.project->path,
		      tn_studio_command_name(options->command),
		      options->plan_id ? " (a plan that was made before)" : "", engine->name,
		      engine->version);
	if (options->targets)
		tn_buf_format(out, "\nOnly %u chosen resource%s, and what they need",
			      options->targets->count, options->targets->count == 1 ? "" : "s");
	if (options->force)
		tn_buf_append_text(out, "\nErrors of the diagram are passed over");
	if (p->name_count > 0) {
		tn_buf_format(out, "\nDestroyed (%u):", p->name_count);
		tn_buf_append_str(out, tn_buf_str(&p->names));
		if (p->name_count > NAMES_MAX)
			tn_buf_format(out, "\n  and %u more", p->name_count - NAMES_MAX);
	}
}

/* ---- what consent is bound to ---- */

static void put_digest(const struct preview *p, char ret[65])
{
	const struct tn_studio_run_options *options = p->s.options;
	struct tn_buf all;

	tn_buf_init(&all, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_array(&all);
	tn_json_put_text(&all, tn_studio_command_name(options->command));
	tn_json_put_text(&all, p->s.project->id);
	tn_json_put_text(&all, p->s.run->inputs);
	tn_json_put_text(&all, options->plan_id);
	tn_json_put_value(&all, options->targets);
	tn_json_put_value(&all, options->replace);
	tn_json_end_array(&all);
	tn_digest_hex(tn_buf_str(&all), ret);
	tn_buf_finish(&all);
}

static bool look(struct preview *p)
{
	const struct tn_studio_run *plan;

	if (!tn_studio_starting_is_free(&p->s) || !tn_studio_starting_is_valid(&p->s))
		return false;
	/* It is in no list, and nothing of it comes to the disk. */
	p->s.run = tn_studio_run_new(p->s.runs, p->s.project, "run_preview");
	if (!p->s.run)
		return tn_studio_fail_memory(p->s.fault);
	tn_studio_run_inputs(p->s.project, &p->s.generated, p->s.run->directory, p->s.run->inputs);
	if (!tn_studio_starting_is_trusted(&p->s, p->s.run) ||
	    !tn_studio_starting_is_fresh(&p->s, p->s.run))
		return false;
	plan = find_plan(p);
	p->plan = plan ? tn_json_get(plan->record, "result") : NULL;
	if (p->plan)
		names_of_plan(p);
	else if (p->s.options->command == TN_STUDIO_DESTROY && !p->s.options->targets)
		names_of_status(p);
	return true;
}

bool tn_studio_run_preview(struct tn_studio_runs *runs, struct tn_studio_project *project,
			   const struct tn_studio_run_options *options, struct tn_buf *ret_summary,
			   struct tn_buf *ret_detail, char ret_digest[65],
			   struct tn_studio_fault *fault)
{
	struct preview p = {
		.s = {.runs = runs, .project = project, .options = options, .fault = fault}};
	bool good;

	if (!tn_studio_engine_known(runs))
		return tn_studio_fail(fault, "TERRAFORM_NOT_FOUND", "It was not looked for yet.");
	tn_arena_init(&p.s.arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&p.names, TN_MIB);
	good = look(&p);
	if (good) {
		put_summary(&p, ret_summary);
		put_detail(&p, ret_detail);
		put_digest(&p, ret_digest);
	}
	tn_studio_run_free(p.s.run);
	tn_buf_finish(&p.names);
	tn_arena_finish(&p.s.arena);
	return good;
}
