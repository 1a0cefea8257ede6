/* The runs of a project as its canvas lists them (studio-canvas.md SC-021), and whether a plan that
 * was made still fits what is there now. */
#include "apps/studio/limits.h"
#include "apps/studio/run/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* Of what was generated what plans are compared by; the same for as long as the revision is, and
 * the secrets are (their names are written, their values are not). */
struct tn_studio_standing {
	struct tn_arena arena;
	struct tn_studio_generated generated; /* names of files, digest, what goes to the engine */
	uint64_t revision;
	char secrets[TN_DIGEST_HEX_SIZE];
	uint64_t stale; /* which plans were, when that was put last: a bit a plan, the newest first
			 */
	bool is_put;
};

void tn_studio_standing_free(struct tn_studio_standing *standing)
{
	if (!standing)
		return;
	tn_arena_finish(&standing->arena);
	tn_mem_free(standing);
}

/* ---- what there is now ---- */

static struct tn_str copy(struct tn_arena *arena, struct tn_str text, bool *good)
{
	const char *made = tn_arena_copy(arena, text);

	*good = *good && made;
	return made ? tn_str(made, text.size) : tn_str(NULL, 0);
}

static bool keep(struct tn_arena *arena, const struct tn_studio_generated *from,
		 struct tn_studio_generated *ret)
{
	struct tn_studio_file *files =
		tn_arena_alloc_array(arena, from->file_count + 1, sizeof(*files));
	struct tn_str *env = tn_arena_alloc_array(arena, from->env_count + 1, sizeof(*env));
	bool good = files && env;

	for (size_t i = 0; good && i < from->file_count; i++)
		files[i] = (struct tn_studio_file){.name = copy(arena, from->files[i].name, &good)};
	for (size_t i = 0; good && i < from->env_count; i++)
		env[i] = copy(arena, from->env[i], &good);
	*ret = (struct tn_studio_generated){.files = files,
					    .file_count = from->file_count,
					    .env = env,
					    .env_count = from->env_count};
	ret->digest = copy(arena, from->digest, &good);
	ret->backend_config = copy(arena, from->backend_config, &good);
	return good;
}

static void mark_secrets(const struct tn_studio_project *project, char ret[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_put_value(&text, project->secrets);
	tn_digest_hex(tn_buf_str(&text), ret);
	tn_buf_finish(&text);
}

static struct tn_studio_standing *generate(struct tn_studio_project *project)
{
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	struct tn_studio_standing *standing = tn_mem_alloc(sizeof(*standing));
	struct tn_studio_generated generated = {0};
	struct tn_studio_diagnostics list;
	struct tn_arena scratch;
	bool good;

	if (!standing)
		return NULL;
	tn_arena_init(&standing->arena, TN_STUDIO_ARENA_MAX);
	tn_arena_init(&scratch, TN_STUDIO_ARENA_MAX);
	tn_studio_diagnostics_init(&list, &scratch);
	good = tn_studio_document_index(&project->document, NULL) == TENON_OK &&
	       tn_studio_generate(&project->document, &options, &scratch, &list, &generated) &&
	       keep(&standing->arena, &generated, &standing->generated);
	tn_arena_finish(&scratch);
	if (good)
		return standing;
	tn_studio_standing_free(standing);
	return NULL;
}

/* NULL: nobody knows. */
static struct tn_studio_standing *stand(struct tn_studio_scanned *scanned)
{
	struct tn_studio_project *project = scanned->project;
	struct tn_studio_standing *old = scanned->standing, *made;
	const uint64_t revision = tn_oplog_revision(project->log);
	char secrets[TN_DIGEST_HEX_SIZE];

	mark_secrets(project, secrets);
	if (old && old->revision == revision && strcmp(old->secrets, secrets) == 0)
		return old;
	made = generate(project);
	if (!made)
		return NULL;
	made->revision = revision;
	memcpy(made->secrets, secrets, sizeof(secrets));
	made->stale = old ? old->stale : 0;
	made->is_put = old && old->is_put;
	tn_studio_standing_free(old);
	scanned->standing = made;
	return made;
}

/* ---- which plans still fit ---- */

struct fit {
	bool is_known;
	char inputs[TN_DIGEST_HEX_SIZE], state[TN_DIGEST_HEX_SIZE];
};

static bool has_plan(const struct tn_studio_runs *runs, const struct tn_studio_project *project)
{
	const struct tn_studio_run *run = runs->first;

	while (run && !(run->project == project && tn_studio_plan_is_applicable(run)))
		run = run->next;
	return run != NULL;
}

static struct fit look(struct tn_studio_runs *runs, struct tn_studio_scanned *scanned)
{
	const struct tn_studio_standing *standing;
	char directory[TN_STUDIO_RUN_PATH_SIZE];
	struct fit fit = {.is_known = false};

	if (!has_plan(runs, scanned->project) ||
	    !tn_studio_run_path(directory, scanned->project->path, "terraform"))
		return fit;
	standing = stand(scanned);
	if (!standing)
		return fit;
	tn_studio_run_inputs(scanned->project, scanned->known, &standing->generated, directory,
			     fit.inputs);
	tn_studio_known_state(scanned->known, directory, fit.state);
	fit.is_known = strcmp(fit.state, TN_STUDIO_STATE_UNREAD) != 0;
	return fit;
}

static bool is_stale(const struct tn_studio_run *run, const struct fit *fit)
{
	return run->is_spent || tn_studio_plan_why_stale(run, fit->inputs, fit->state);
}

static uint64_t stale_plans(const struct tn_studio_runs *runs,
			    const struct tn_studio_project *project, const struct fit *fit)
{
	uint64_t bits = 0, bit = 1;

	for (const struct tn_studio_run *run = runs->first; run && bit; run = run->next) {
		if (run->project != project || !tn_studio_plan_is_applicable(run))
			continue;
		if (is_stale(run, fit))
			bits |= bit;
		bit <<= 1;
	}
	return bits;
}

/* ---- the list ---- */

static void put_text_of(struct tn_buf *out, const char *key, const struct tn_json *object)
{
	struct tn_str text = {NULL, 0};

	if (tn_json_to_str(tn_json_get(object, key), &text) && text.size > 0)
		tn_json_put_member_str(out, key, text);
}

static void put_actor(struct tn_buf *out, struct tn_str name, bool person)
{
	tn_json_put_key(out, "actor");
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "name", name);
	tn_json_put_member_bool(out, "person", person);
	tn_json_end_object(out);
}

static void put_running(struct tn_buf *out, const struct tn_studio_run *run)
{
	char time[TN_CLOCK_ISO_SIZE];

	put_actor(out, tn_str_from(run->options.actor), run->options.person);
	tn_clock_format_iso(run->started_wall_ms, time);
	tn_json_put_member_text(out, "startedAt", time);
	tn_json_put_key(out, "summary");
	tn_studio_run_put_summary(out, run);
	if (run->act)
		tn_json_put_member_text(out, "planId", run->act->plan_id);
}

static void put_over(struct tn_buf *out, const struct tn_studio_run *run)
{
	const struct tn_json *result = tn_json_get(run->record, "result");
	const struct tn_json *own = tn_json_get(run->record, "private"), *member;
	struct tn_str actor = {NULL, 0};
	bool person = false, good = false;

	(void)tn_json_to_str(tn_json_get(result, "actor"), &actor);
	(void)tn_json_to_bool(tn_json_get(own, "person"), &person);
	put_actor(out, actor, person);
	put_text_of(out, "startedAt", result);
	put_text_of(out, "finishedAt", result);
	if (tn_json_to_bool(tn_json_get(result, "success"), &good))
		tn_json_put_member_bool(out, "success", good);
	member = tn_json_get(result, "exitCode");
	if (member) {
		tn_json_put_key(out, "exitCode");
		tn_json_put_value(out, member);
	}
	tn_json_put_key(out, "summary");
	tn_studio_run_put_stored_summary(out, run);
	put_text_of(out, "planId", result);
}

static void put_one(struct tn_buf *out, const struct tn_studio_run *run, const struct fit *fit)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "runId", run->id);
	tn_json_put_member_text(out, "command", tn_studio_command_name(run->options.command));
	tn_json_put_member_text(out, "status", tn_studio_run_state_name(run->state));
	if (run->record)
		put_over(out, run);
	else
		put_running(out, run);
	if (fit->is_known && tn_studio_plan_is_applicable(run))
		tn_json_put_member_bool(out, "stale", is_stale(run, fit));
	tn_json_end_object(out);
}

void tn_studio_runs_put(struct tn_buf *out, struct tn_studio_runs *runs,
			struct tn_studio_project *project)
{
	struct tn_studio_scanned *scanned = tn_studio_runs_scan(runs, project);
	struct fit fit = {.is_known = false};

	if (scanned)
		fit = look(runs, scanned);
	if (scanned && scanned->standing) {
		scanned->standing->stale = fit.is_known ? stale_plans(runs, project, &fit) : 0;
		scanned->standing->is_put = true;
	}
	tn_json_begin_array(out);
	for (const struct tn_studio_run *run = scanned ? runs->first : NULL; run; run = run->next) {
		if (run->project == project)
			put_one(out, run, &fit);
	}
	tn_json_end_array(out);
}

bool tn_studio_runs_changed(struct tn_studio_runs *runs, struct tn_studio_project *project)
{
	struct tn_studio_scanned *scanned = tn_studio_runs_scan(runs, project);
	struct fit fit;
	uint64_t stale;

	if (!scanned || !scanned->standing || !scanned->standing->is_put)
		return false; /* nobody knows of plans yet */
	fit = look(runs, scanned);
	stale = fit.is_known ? stale_plans(runs, project, &fit) : 0;
	if (stale == scanned->standing->stale)
		return false;
	scanned->standing->stale = stale;
	return true;
}
