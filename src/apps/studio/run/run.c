#include "apps/studio/run/run.h"

#include <stdio.h>
#include <unistd.h>

#include "apps/studio/limits.h"
#include "apps/studio/run/internal.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { SHUTDOWN_MS = 120 * 1000 };

/* ---- making one ---- */

static char *join(const char *a, const char *b, const char *c)
{
	struct tn_buf path;
	char *copy;

	tn_buf_init(&path, TN_STUDIO_RUN_PATH_SIZE);
	tn_buf_format(&path, "%s%s%s", a, b, c);
	copy = path.failed ? NULL : tn_mem_copy_text(path.data, path.size);
	tn_buf_finish(&path);
	return copy;
}

struct tn_studio_run *tn_studio_run_new(struct tn_studio_runs *runs,
					struct tn_studio_project *project, const char *id)
{
	struct tn_studio_run *run = tn_mem_alloc(sizeof(*run));

	if (!run)
		return NULL;
	run->runs = runs;
	run->project = project;
	(void)snprintf(run->id, sizeof(run->id), "%s", id);
	tn_arena_init(&run->arena, TN_STUDIO_RUN_ARENA_MAX);
	tn_studio_findings_init(&run->findings);
	for (int i = 0; i < 2; i++)
		tn_studio_lines_init(&run->lines[i]);
	run->log.fd = -1;
	tn_buf_init(&run->log.pending, TN_MIB);
	tn_buf_init(&run->document, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
	tn_buf_init(&run->last_words, 64 * TN_KIB);
	tn_buf_init(&run->stored, 2 * TN_STUDIO_RUN_RESULT_BYTES_MAX);
	run->started_wall_ms = tn_clock_wall_ms(runs->options.clock);
	run->started_ms = tn_clock_now_ms(runs->options.clock);
	run->folder = join(project->path, "/.tenon/runs/", id);
	run->directory = join(project->path, "/terraform", "");
	if (run->folder && run->directory)
		return run;
	tn_studio_run_free(run);
	return NULL;
}

/* ---- watching ---- */

enum tenon_code tn_studio_run_watch(struct tn_studio_run *run,
				    void (*line)(struct tn_studio_run *run,
						 const struct tn_studio_run_line *line, void *data),
				    void (*ended)(struct tn_studio_run *run, void *data),
				    void *data, struct tenon_error *err)
{
	struct tn_studio_run_watcher *watcher, **end = &run->watchers;
	unsigned count = 0;

	/* The place of one that has gone is taken. */
	for (; *end && ((*end)->line || (*end)->ended); end = &(*end)->next)
		count++;
	if (*end) {
		(*end)->line = line;
		(*end)->ended = ended;
		(*end)->data = data;
		return TENON_OK;
	}
	if (count >= TN_STUDIO_RUN_WATCHERS_MAX)
		return tn_fail(err, TENON_LIMIT, "%u calls wait for this run already", count);
	watcher = tn_mem_alloc(sizeof(*watcher));
	if (!watcher)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*watcher = (struct tn_studio_run_watcher){.line = line, .ended = ended, .data = data};
	*end = watcher;
	return TENON_OK;
}

void tn_studio_run_unwatch(struct tn_studio_run *run, void *data)
{
	/* It may be in the middle of being told: the entry goes with the run. */
	for (struct tn_studio_run_watcher *one = run->watchers; one; one = one->next) {
		if (one->data != data)
			continue;
		one->line = NULL;
		one->ended = NULL;
	}
}

void tn_studio_run_tell_line(struct tn_studio_run *run, const struct tn_studio_run_line *line)
{
	const struct tn_studio_runs_options *options = &run->runs->options;

	tn_studio_run_log_add(&run->log, line, tn_clock_wall_ms(options->clock));
	for (struct tn_studio_run_watcher *one = run->watchers; one; one = one->next) {
		if (one->line)
			one->line(run, line, one->data);
	}
	if (options->line && run->project)
		options->line(run->project, run, line, options->data);
}

void tn_studio_run_tell_end(struct tn_studio_run *run)
{
	for (struct tn_studio_run_watcher *one = run->watchers; one; one = one->next) {
		void (*ended)(struct tn_studio_run * run, void *data) = one->ended;

		one->ended = NULL;
		one->line = NULL;
		if (ended)
			ended(run, one->data);
	}
}

/* ---- the end of one ---- */

void tn_studio_run_finish(struct tn_studio_run *run)
{
	const struct tn_studio_runs_options *options = &run->runs->options;

	run->state = run->cancelled ? TN_STUDIO_CANCELLED : TN_STUDIO_FINISHED;
	tn_studio_run_log_flush(&run->log);
	tn_studio_run_save(run);
	if (run->project)
		tn_studio_status_keep(run->project->status);
	tn_studio_run_settle(run);
	tn_studio_run_tell_end(run);
	if (options->changed && run->project)
		options->changed(run->project, run, options->data);
}

/* ---- the table ---- */

enum tenon_code tn_studio_runs_create(const struct tn_studio_runs_options *options,
				      struct tn_studio_runs **ret, struct tenon_error *err)
{
	struct tn_studio_runs *runs = tn_mem_alloc(sizeof(*runs));

	if (!runs)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	runs->options = *options;
	tn_buf_init(&runs->details, TN_MIB);
	if (options->engine_path && options->engine_path[0]) {
		runs->engine_path =
			tn_mem_copy_text(options->engine_path, strlen(options->engine_path));
		if (!runs->engine_path) {
			tn_mem_free(runs);
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		}
	}
	*ret = runs;
	return TENON_OK;
}

static void drop_refresh(struct tn_studio_refresh *refresh)
{
	tn_studio_capture_free(refresh->capture);
	tn_arena_finish(&refresh->arena);
	tn_mem_free(refresh);
}

/* 9.6: everything is interrupted; an apply gets time for its clean end, and goes on alone when that
 * is not enough. */
static void stop_runs(struct tn_studio_runs *runs)
{
	uint64_t start = tn_clock_now_ms(&tn_clock_system);
	uint64_t wait = runs->options.shutdown_ms ? runs->options.shutdown_ms : SHUTDOWN_MS;

	for (struct tn_studio_run *run = runs->first; run; run = run->next)
		tn_studio_run_cancel(run, false);
	for (struct tn_studio_run *run = runs->first; run; run = run->next) {
		uint64_t spent = tn_clock_now_ms(&tn_clock_system) - start;
		bool outlives = run->process && run->step == TN_STUDIO_STEP_COMMAND &&
				(run->options.command == TN_STUDIO_APPLY ||
				 run->options.command == TN_STUDIO_DESTROY);

		if (run->state != TN_STUDIO_RUNNING || !outlives)
			continue;
		if (tn_studio_process_wait(run->process, spent < wait ? wait - spent : 0))
			continue;
		/* run.json still says that it runs, and by which number: it is lost. */
		tn_studio_run_log_flush(&run->log);
		tn_studio_run_save(run);
		tn_studio_process_leave(run->process);
		run->process = NULL;
		run->state = TN_STUDIO_LOST;
	}
}

void tn_studio_runs_destroy(struct tn_studio_runs *runs)
{
	if (!runs)
		return;
	runs->is_closing = true;
	stop_runs(runs);
	while (runs->refreshes) {
		struct tn_studio_refresh *refresh = runs->refreshes;

		runs->refreshes = refresh->next;
		tn_studio_files_give_up(runs, refresh);
		drop_refresh(refresh);
	}
	tn_studio_files_forget(runs, NULL);
	while (runs->first) {
		struct tn_studio_run *run = runs->first;

		runs->first = run->next;
		if (run->state == TN_STUDIO_RUNNING) { /* what only reads ends with us */
			tn_studio_process_free(run->process);
			tn_studio_capture_free(run->capture);
			run->process = NULL;
			run->capture = NULL;
			run->state = TN_STUDIO_CANCELLED;
			tn_studio_run_save(run);
		}
		tn_studio_run_free(run);
	}
	while (runs->scanned) {
		struct tn_studio_scanned *scanned = runs->scanned;

		runs->scanned = scanned->next;
		tn_studio_known_free(scanned->known);
		tn_studio_made_free(scanned->made);
		tn_studio_standing_free(scanned->standing);
		tn_mem_free(scanned);
	}
	tn_studio_engine_forget(runs);
	while (runs->waiters) {
		struct tn_studio_engine_waiter *waiter = runs->waiters;

		runs->waiters = waiter->next;
		tn_mem_free(waiter);
	}
	tn_later_close(runs->engine_later);
	tn_mem_free(runs->engine_path);
	tn_buf_finish(&runs->details);
	tn_mem_free(runs);
}

void tn_studio_runs_take_up(struct tn_studio_runs *runs, struct tn_studio_project *project)
{
	(void)tn_studio_runs_scan(runs, project); /* without memory: when it is next asked for */
}

bool tn_studio_runs_forget(struct tn_studio_runs *runs, struct tn_studio_project *project,
			   struct tn_studio_fault *fault)
{
	struct tn_studio_run **at = &runs->first;
	struct tn_studio_scanned **scanned = &runs->scanned;
	const struct tn_studio_run *active = tn_studio_run_active(runs, project);

	if (active)
		return tn_studio_fail(fault, "RUN_IN_PROGRESS",
				      "%s runs in this project (%s). Wait for it with get_run, or "
				      "stop it with cancel_run.",
				      tn_studio_command_name(active->options.command), active->id);
	for (struct tn_studio_refresh *one = runs->refreshes; one; one = one->next) {
		if (one->project == project)
			one->project = NULL;
	}
	while (*at) {
		struct tn_studio_run *run = *at;

		if (run->project != project) {
			at = &run->next;
			continue;
		}
		*at = run->next;
		tn_studio_run_tell_end(run); /* whoever waits for what its plan does */
		tn_studio_run_free(run);
	}
	tn_studio_files_forget(runs, project);
	while (*scanned && (*scanned)->project != project)
		scanned = &(*scanned)->next;
	if (*scanned) {
		struct tn_studio_scanned *gone = *scanned;

		*scanned = gone->next;
		tn_studio_known_free(gone->known);
		tn_studio_made_free(gone->made);
		tn_studio_standing_free(gone->standing);
		tn_mem_free(gone);
	}
	return true;
}

/* ---- asking ---- */

const char *tn_studio_run_id(const struct tn_studio_run *run)
{
	return run->id;
}

enum tn_studio_run_state tn_studio_run_state(const struct tn_studio_run *run)
{
	return run->state;
}

uint64_t tn_studio_run_lines(const struct tn_studio_run *run)
{
	return run->line_count;
}

bool tn_studio_run_has_plan(const struct tn_studio_run *run)
{
	return run->plan && run->plan->is_told;
}

bool tn_studio_run_went_well(const struct tn_studio_run *run)
{
	return tn_json_is(tn_json_get(tn_json_get(run->record, "result"), "success"), TN_JSON_TRUE);
}

bool tn_studio_run_is_cancelled(const struct tn_studio_run *run)
{
	return run->cancelled || run->state == TN_STUDIO_CANCELLED;
}

enum tn_studio_command tn_studio_run_command(const struct tn_studio_run *run)
{
	return run->options.command;
}

const struct tn_studio_fault *tn_studio_run_fault(const struct tn_studio_run *run)
{
	return run->fault.code ? &run->fault : NULL;
}

struct tn_studio_run *tn_studio_run_active(const struct tn_studio_runs *runs,
					   const struct tn_studio_project *project)
{
	for (struct tn_studio_run *run = runs->first; run; run = run->next) {
		if (run->project == project && run->state == TN_STUDIO_RUNNING)
			return run;
	}
	return NULL;
}

struct tn_studio_run *tn_studio_run_find(struct tn_studio_runs *runs,
					 struct tn_studio_project *project, const char *id)
{
	if (!tn_studio_runs_scan(runs, project))
		return NULL;
	for (struct tn_studio_run *run = runs->first; run; run = run->next) {
		if (run->project == project && (!id || strcmp(run->id, id) == 0))
			return run;
	}
	return NULL;
}

bool tn_studio_run_listed(struct tn_studio_runs *runs, struct tn_studio_project *project,
			  size_t index, char ret_id[TN_STUDIO_ID_SIZE])
{
	const struct tn_studio_run *run = tn_studio_runs_scan(runs, project) ? runs->first : NULL;

	for (; run; run = run->next) {
		if (run->project != project || index-- > 0)
			continue;
		(void)snprintf(ret_id, TN_STUDIO_ID_SIZE, "%s", run->id);
		return true;
	}
	return false;
}

/* ---- what exists (ST-100) ---- */

static void refresh_over(struct tn_studio_refresh *refresh, bool good)
{
	struct tn_studio_refresh **at = &refresh->runs->refreshes;
	void (*done)(bool good, void *data) = refresh->done;
	void *data = refresh->data;

	while (*at && *at != refresh)
		at = &(*at)->next;
	if (*at)
		*at = refresh->next;
	drop_refresh(refresh);
	if (done)
		done(good, data);
}

static void state_read(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct tn_studio_refresh *refresh = data;
	struct tn_studio_project *project = refresh->project;
	struct tn_json *state = NULL;
	struct tn_arena arena;
	bool good = false;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	/* A run that has begun meanwhile knows better. */
	if (project && !tn_studio_run_active(refresh->runs, project)) {
		good = code == TENON_OK && exit_code == 0 &&
		       tn_json_parse_copy(&arena, out, &state, NULL) == TENON_OK &&
		       tn_studio_status_read(project->status, &refresh->generated, state, NULL);
		if (!good)
			tn_studio_status_unknown(project->status);
		tn_studio_status_keep(project->status);
	}
	tn_arena_finish(&arena);
	refresh_over(refresh, good);
}

/* A local state, or an initialised folder that knows of another. */
static bool has_state(const char *directory)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	return (tn_studio_run_path(path, directory, ".terraform") && access(path, F_OK) == 0) ||
	       (tn_studio_run_path(path, directory, "terraform.tfstate") &&
		access(path, F_OK) == 0);
}

static bool start_reading(struct tn_studio_refresh *refresh, const struct tn_studio_engine *engine)
{
	const char *argv[] = {engine->path, "show", "-json", NULL};
	struct tn_studio_capture_options options = {.loop = refresh->runs->options.loop,
						    .argv = argv,
						    .bytes_max = TN_STUDIO_RUN_DOCUMENT_BYTES_MAX,
						    .timeout_ms = 30000,
						    .done = state_read,
						    .data = refresh};
	struct tn_studio_generated generated = {0};
	struct tn_studio_diagnostics list;
	char directory[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_arena scratch;
	struct tn_studio_trust trust;
	bool good;

	tn_arena_init(&scratch, TN_STUDIO_ARENA_MAX);
	good = tn_studio_run_path(directory, refresh->project->path, "terraform") &&
	       has_state(directory) &&
	       tn_studio_run_generate(refresh->runs, refresh->project, &scratch, &list, &generated,
				      NULL) &&
	       tn_studio_run_keep(&generated, &refresh->arena, &refresh->generated);
	/* ST-085, ST-143: nothing of a project is run by opening it. */
	if (good) {
		tn_studio_trust_look(&trust, refresh->project,
				     tn_studio_known_of(refresh->runs, refresh->project),
				     &generated, directory);
		good = tn_studio_trust_holds(&trust, refresh->project);
		tn_studio_trust_finish(&trust);
	}
	options.env =
		good ? tn_studio_run_env(refresh->runs, refresh->project, &generated, &scratch)
		     : NULL;
	options.directory = directory;
	good = good && options.env &&
	       tn_studio_capture_start(&options, &refresh->capture, NULL) == TENON_OK;
	tn_studio_made_drop(refresh->runs, refresh->project);
	tn_arena_finish(&scratch);
	return good;
}

static void cannot_refresh(struct tn_studio_refresh *refresh)
{
	if (refresh->project && !tn_studio_run_active(refresh->runs, refresh->project))
		tn_studio_status_unknown(refresh->project->status);
	refresh_over(refresh, false);
}

static void files_read(void *data)
{
	struct tn_studio_refresh *refresh = data;
	const struct tn_studio_engine *engine = tn_studio_engine_known(refresh->runs);

	if (!engine || !refresh->project || tn_studio_run_active(refresh->runs, refresh->project) ||
	    !start_reading(refresh, engine))
		cannot_refresh(refresh);
}

static void engine_found(const struct tn_studio_engine *engine, const struct tn_studio_fault *fault,
			 void *data)
{
	struct tn_studio_refresh *refresh = data;

	(void)fault;
	if (!engine || !refresh->project || tn_studio_run_active(refresh->runs, refresh->project) ||
	    !tn_studio_files_read(refresh->runs, refresh->project, true, files_read, refresh, NULL))
		cannot_refresh(refresh);
}

void tn_studio_state_refresh(struct tn_studio_runs *runs, struct tn_studio_project *project,
			     void (*done)(bool good, void *data), void *data)
{
	struct tn_studio_refresh *refresh = tn_mem_alloc(sizeof(*refresh));

	if (!refresh) {
		if (done)
			done(false, data);
		return;
	}
	*refresh = (struct tn_studio_refresh){.runs = runs,
					      .project = project,
					      .done = done,
					      .data = data,
					      .next = runs->refreshes};
	tn_arena_init(&refresh->arena, TN_STUDIO_RUN_ARENA_MAX);
	runs->refreshes = refresh;
	tn_studio_engine_find(runs, engine_found, refresh);
}
