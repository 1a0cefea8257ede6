/* What has to be right before the engine is started (studio.md 9.2, 9.3). */
#include <stdio.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

const char *tn_studio_command_name(enum tn_studio_command command)
{
	static const char *const names[] = {"init", "validate", "plan", "apply", "destroy"};

	return names[command];
}

/* They live until the next start. */
static void set_details(struct tn_studio_starting *s)
{
	if (s->fault && !s->runs->details.failed)
		s->fault->details = tn_buf_str(&s->runs->details);
}

/* ---- who else runs ---- */

bool tn_studio_starting_is_free(struct tn_studio_starting *s)
{
	const struct tn_studio_scanned *scanned = tn_studio_runs_scan(s->runs, s->project);
	const struct tn_studio_run *active = tn_studio_run_active(s->runs, s->project);
	unsigned count = 0, at_once = s->runs->options.at_once ? s->runs->options.at_once : 2;

	if (!scanned)
		return tn_studio_fail_memory(s->fault);
	for (const struct tn_studio_run *run = s->runs->first; run; run = run->next)
		count += run->state == TN_STUDIO_RUNNING;
	if (active)
		(void)tn_studio_fail(s->fault, "RUN_IN_PROGRESS",
				     "%s runs in this project (%s). Wait for it with get_run, or "
				     "stop it with cancel_run.",
				     tn_studio_command_name(active->options.command), active->id);
	else if (tn_studio_process_is(scanned->orphan, scanned->orphan_start))
		(void)tn_studio_fail(s->fault, "RUN_IN_PROGRESS",
				     "The engine of %s was left running when Tenon ended (process "
				     "%d), and still does. Wait until it has come to its end.",
				     scanned->orphan_run, scanned->orphan);
	else if (count >= at_once)
		(void)tn_studio_fail(s->fault, "RUN_IN_PROGRESS",
				     "%u runs of other projects are under way, which is as many as "
				     "may be at once. Try again when one has ended.",
				     count);
	else
		return true;
	tn_buf_clear(&s->runs->details);
	if (active || tn_studio_process_is(scanned->orphan, scanned->orphan_start)) {
		tn_json_begin_object(&s->runs->details);
		tn_json_put_member_text(&s->runs->details, "runId",
					active ? active->id : scanned->orphan_run);
		tn_json_end_object(&s->runs->details);
	}
	set_details(s);
	if (s->fault)
		s->fault->retryable = true;
	return false;
}

/* ---- generation ---- */

static bool config_bool(const struct tn_studio_project *project, const char *key, bool fallback)
{
	bool value = fallback;

	(void)tn_json_to_bool(tn_json_get(tn_json_get(project->document.config, "terraform"), key),
			      &value);
	return value;
}

bool tn_studio_starting_is_valid(struct tn_studio_starting *s)
{
	enum tn_studio_command command = s->options->command;
	const struct tn_studio_diagnostic *one;
	size_t errors;

	if (!tn_studio_run_generate(s->runs, s->project, &s->arena, &s->diagnostics, &s->generated,
				    s->fault))
		return false;
	errors = s->diagnostics.counts[TN_STUDIO_ERROR];
	if (errors == 0 || s->options->force ||
	    (command != TN_STUDIO_PLAN && command != TN_STUDIO_APPLY))
		return true;
	for (one = s->diagnostics.first; one && one->severity != TN_STUDIO_ERROR;)
		one = one->next;
	(void)tn_studio_fail(s->fault, "VALIDATION_FAILED",
			     "The diagram has %zu error%s, the first: %.*s See validate_diagram; "
			     "force: true runs all the same.",
			     errors, errors == 1 ? "" : "s",
			     one ? (int)(one->message.size < 300 ? one->message.size : 300) : 0,
			     one ? one->message.data : "");
	tn_buf_clear(&s->runs->details);
	tn_json_begin_object(&s->runs->details);
	tn_json_put_key(&s->runs->details, "diagnostics");
	tn_studio_diagnostics_put(&s->runs->details, &s->diagnostics);
	tn_json_end_object(&s->runs->details);
	set_details(s);
	return false;
}

static bool write_files(struct tn_studio_starting *s, struct tn_studio_run *run)
{
	struct tn_buf result;
	bool good;

	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	s->project->written_revision = tn_studio_project_revision(s->project);
	good = tn_studio_project_write(s->project, &s->generated, false, &result, s->fault);
	tn_buf_finish(&result);
	if (good)
		tn_studio_run_inputs(s->project, tn_studio_known_of(s->runs, s->project),
				     &s->generated, run->directory, run->inputs);
	return good;
}

/* ---- initialisation ---- */

static bool read_signature(const struct tn_studio_project *project, struct tn_buf *ret)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	return tn_studio_run_path(path, project->path, ".tenon/init.json") &&
	       tn_file_read(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, ret, NULL) == TENON_OK;
}

bool tn_studio_starting_needs_init(const struct tn_studio_starting *s, const char *directory,
				   struct tn_str signature)
{
	char path[TN_STUDIO_RUN_PATH_SIZE], expected[256];
	struct tn_buf stored;
	bool needs;

	tn_buf_init(&stored, 64 * TN_KIB);
	(void)snprintf(expected, sizeof(expected), "{\"signature\":\"%.*s\",\"engine\":\"%s\"}\n",
		       (int)signature.size, signature.data, s->runs->engine.name);
	needs = !tn_studio_run_path(path, directory, ".terraform") || access(path, F_OK) != 0 ||
		!read_signature(s->project, &stored) || !tn_str_is(tn_buf_str(&stored), expected);
	tn_buf_finish(&stored);
	return needs;
}

static bool check_init(struct tn_studio_starting *s, struct tn_studio_run *run)
{
	if (s->options->command == TN_STUDIO_INIT)
		return true;
	run->needs_init =
		tn_studio_starting_needs_init(s, run->directory, run->generated.init_signature);
	if (!run->needs_init || config_bool(s->project, "autoInit", true))
		return true;
	return tn_studio_fail(
		s->fault, "INIT_REQUIRED",
		"This folder is not initialised, or providers, versions or the backend "
		"have changed since. Run init first (or set terraform.autoInit).");
}

/* ---- targets ---- */

static bool to_addresses(struct tn_studio_starting *s, struct tn_studio_run *run,
			 const struct tn_json *ids, const struct tn_str **ret, size_t *ret_count)
{
	struct tn_str *list;
	size_t count = 0;

	if (!ids || ids->count == 0)
		return true;
	list = tn_arena_alloc_array(&run->arena, run->generated.address_count + 1, sizeof(*list));
	if (!list)
		return tn_studio_fail_memory(s->fault);
	for (const struct tn_json *id = ids->first; id; id = id->next) {
		size_t before = count;

		if (id->type != TN_JSON_STRING)
			continue;
		for (size_t i = 0; i < run->generated.address_count; i++) {
			const struct tn_studio_address *one = &run->generated.addresses[i];

			if (one->node && tn_str_equal(one->node->id, id->text) &&
			    count < run->generated.address_count)
				list[count++] = one->address;
		}
		if (count == before)
			return tn_studio_fail(s->fault, "NOT_FOUND",
					      "%.*s has no block in the configuration: it is no "
					      "node of this diagram, or one without a resource.",
					      (int)(id->text.size < 64 ? id->text.size : 64),
					      id->text.data);
	}
	*ret = list;
	*ret_count = count;
	return true;
}

/* ---- the run ---- */

static bool keep_digests(struct tn_studio_starting *s, struct tn_studio_run *run)
{
	struct tn_studio_run_digest *list =
		tn_arena_alloc_array(&run->arena, s->generated.address_count + 1, sizeof(*list));
	tn_studio_price_fn *price =
		run->options.command == TN_STUDIO_APPLY ? s->runs->options.price : NULL;
	void *data = s->runs->options.data;
	size_t count = 0;

	for (size_t i = 0; list && i < s->generated.address_count; i++) {
		const struct tn_studio_address *from = &s->generated.addresses[i];

		if (!from->primary || !from->node)
			continue;
		list[count].node_id = run->generated.addresses[i].node->id;
		tn_studio_node_digest(&s->generated, from->node, list[count].hex);
		list[count].is_priced =
			price && price(s->project, from->node, &list[count].cents, data);
		count++;
	}
	run->digests = list;
	run->digest_count = count;
	return list != NULL;
}

static bool copy_options(struct tn_studio_starting *s, struct tn_studio_run *run)
{
	const struct tn_studio_run_options *from = s->options;
	const struct tn_studio_engine *engine = &s->runs->engine;

	run->options = *from;
	run->options.targets = run->options.replace = NULL;
	run->options.plan_id = NULL;
	run->options.act = NULL;
	run->options.actor = tn_arena_copy(&run->arena, tn_str_from(from->actor));
	run->options.principal = tn_arena_copy(&run->arena, tn_str_from(from->principal));
	run->engine = *engine;
	run->engine.path = tn_arena_copy(&run->arena, tn_str_from(engine->path));
	run->engine.name = tn_arena_copy(&run->arena, tn_str_from(engine->name));
	run->engine.version = tn_arena_copy(&run->arena, tn_str_from(engine->version));
	return run->options.actor && run->options.principal && run->engine.path &&
	       run->engine.name && run->engine.version;
}

static bool make_folder(struct tn_studio_starting *s, const struct tn_studio_run *run)
{
	struct tenon_error err = {0};

	if (tn_dir_create(run->folder, 0700, &err) == TENON_OK)
		return true;
	return tn_studio_fail(s->fault, "IO_ERROR", "The folder of the run cannot be made: %s.",
			      err.message);
}

/* What was approved is still what would run, as far as that is not held. */
static bool take_act(struct tn_studio_starting *s, struct tn_studio_run *run)
{
	struct tn_studio_act *act = s->options->act;
	struct tn_studio_run *plan;

	if (run->options.command != TN_STUDIO_APPLY && run->options.command != TN_STUDIO_DESTROY)
		return true;
	tn_assert(act);
	if (strcmp(act->inputs, run->inputs) != 0 || !tn_studio_act_is_still(act, run->engine.path))
		return tn_studio_fail(s->fault, "STALE_PLAN",
				      "What would be applied has changed since it was approved. "
				      "Nothing was done; ask again.");
	plan = tn_studio_run_find(s->runs, s->project, act->plan_id);
	if (plan)
		plan->is_spent = true;
	run->act = act;
	return true;
}

static bool prepare(struct tn_studio_starting *s)
{
	struct tn_studio_run *run = s->run;

	if (!copy_options(s, run) ||
	    !tn_studio_run_keep(&s->generated, &run->arena, &run->generated) ||
	    !keep_digests(s, run))
		return tn_studio_fail_memory(s->fault);
	if (!write_files(s, run) || !tn_studio_starting_is_trusted(s, run) || !check_init(s, run) ||
	    !to_addresses(s, run, s->options->targets, &run->targets, &run->target_count) ||
	    !to_addresses(s, run, s->options->replace, &run->replace, &run->replace_count) ||
	    !make_folder(s, run))
		return false;
	tn_studio_run_request(s->options, s->options->destroy, run->request);
	run->env = tn_studio_run_env(s->runs, s->project, &s->generated, &run->arena);
	if (!run->env)
		return tn_studio_fail_memory(s->fault);
	return take_act(s, run) && tn_studio_run_begin(run, s->fault);
}

static bool start(struct tn_studio_starting *s)
{
	struct tenon_error err = {0};
	char id[TN_STUDIO_RUN_ID_SIZE] = "run_";

	if (!tn_studio_starting_is_free(s) || !tn_studio_starting_is_valid(s))
		return false;
	tn_studio_runs_prune(s->runs, s->project);
	tn_rng_token(id + 4, 16);
	s->run = tn_studio_run_new(s->runs, s->project, id);
	if (!s->run)
		return tn_studio_fail_memory(s->fault);
	if (s->options->line || s->options->ended) {
		if (tn_studio_run_watch(s->run, s->options->line, s->options->ended,
					s->options->data, &err) != TENON_OK)
			return tn_studio_fail_error(s->fault, &err);
	}
	return prepare(s);
}

bool tn_studio_run_start(struct tn_studio_runs *runs, struct tn_studio_project *project,
			 const struct tn_studio_run_options *options, struct tn_studio_run **ret,
			 struct tn_studio_fault *fault)
{
	struct tn_studio_starting s = {
		.runs = runs, .project = project, .options = options, .fault = fault};
	bool good;

	if (!tn_studio_engine_known(runs))
		return tn_studio_fail(fault, "TERRAFORM_NOT_FOUND", "%s",
				      runs->engine_fault.code ? runs->engine_fault.message
							      : "It was not looked for yet.");
	tn_arena_init(&s.arena, TN_STUDIO_ARENA_MAX);
	good = start(&s);
	tn_studio_made_drop(runs, project);
	tn_arena_finish(&s.arena);
	if (!good) {
		if (s.run)
			s.run->act = NULL; /* it stays the caller's */
		tn_studio_run_free(s.run);
		return false;
	}
	s.run->next = runs->first;
	runs->first = s.run;
	*ret = s.run;
	if (runs->options.changed)
		runs->options.changed(project, s.run, runs->options.data);
	return true;
}
