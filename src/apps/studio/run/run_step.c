/* The steps of a run: which process comes after which, what its lines mean, and its end (studio.md
 * 9.2, 9.4, 9.6). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "base/utf8.h"
#include "store/file.h"

enum { TERMINATE_MS = 10000, READ_STATE_MS = 30000, LAST_WORDS_MAX = 16 * 1024 };

static bool start_step(struct tn_studio_run *run, enum tn_studio_run_step step,
		       struct tenon_error *err);

static bool changes_things(const struct tn_studio_run *run)
{
	return run->options.command == TN_STUDIO_APPLY || run->options.command == TN_STUDIO_DESTROY;
}

static bool is_initialising(const struct tn_studio_run *run)
{
	return run->step == TN_STUDIO_STEP_INIT || run->options.command == TN_STUDIO_INIT;
}

/* ---- lines ---- */

struct heard {
	struct tn_studio_run *run;
	bool is_stderr;
};

static void redact(const struct tn_studio_run *run, struct tn_str text, struct tn_buf *out)
{
	if (run->project)
		tn_studio_redact(run->project, text, out);
	else
		tn_buf_append_str(out, text);
}

/* Twice where something was taken out of it: what was apart may have come together. */
static void make_readable(const struct tn_studio_run *run, struct tn_str raw, struct tn_buf *out)
{
	struct tn_buf redacted, clean;

	tn_buf_init(&redacted, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tn_buf_init(&clean, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	redact(run, raw, &redacted);
	tn_studio_line_clean(&clean, tn_buf_str(&redacted));
	if (tn_str_equal(tn_buf_str(&redacted), tn_buf_str(&clean)))
		tn_buf_append_str(out, tn_buf_str(&clean));
	else
		redact(run, tn_buf_str(&clean), out);
	tn_buf_inherit_failure(out, &redacted);
	tn_buf_inherit_failure(out, &clean);
	tn_buf_finish(&redacted);
	tn_buf_finish(&clean);
}

struct tn_studio_run_line tn_studio_run_line_of(struct tn_studio_run *run, struct tn_str raw,
						uint64_t cut, bool is_stderr,
						struct tn_arena *arena, struct tn_buf *out,
						struct tn_studio_said *ret_said)
{
	struct tn_studio_run_line line = {.is_stderr = is_stderr};

	*ret_said = (struct tn_studio_said){0};
	if (!is_stderr && cut == 0)
		tn_studio_line_read(raw, arena, ret_said);
	make_readable(run, ret_said->message.size > 0 ? ret_said->message : raw, out);
	if (cut > 0)
		tn_buf_format(out, " [%llu bytes left out]", (unsigned long long)cut);
	line.number = ++run->line_count;
	line.text = tn_buf_str(out);
	line.level = ret_said->level.size > 0 ? ret_said->level
		     : is_stderr              ? TN_STR("error")
					      : TN_STR("info");
	return line;
}

static void keep_raw(struct tn_studio_run *run, struct tn_str line, bool is_stderr)
{
	if (run->step == TN_STUDIO_STEP_COMMAND && run->options.command == TN_STUDIO_VALIDATE &&
	    !is_stderr) {
		tn_buf_append_str(&run->document, line);
		tn_buf_append_byte(&run->document, '\n');
	}
}

/* What it said when it did not speak JSON: the end of it, for want of a diagnostic. */
static void keep_last_words(struct tn_studio_run *run, struct tn_str text)
{
	struct tn_buf *words = &run->last_words;

	if (text.size > LAST_WORDS_MAX / 4)
		text = tn_utf8_cut(text, LAST_WORDS_MAX / 4);
	while (words->size + text.size + 1 > LAST_WORDS_MAX) {
		size_t end = tn_str_find_byte(tn_buf_str(words), '\n');

		tn_buf_drop_front(words, end == TN_STR_NONE ? words->size : end + 1);
	}
	tn_buf_append_str(words, text);
	tn_buf_append_byte(words, '\n');
}

static void hear_line(struct tn_str raw, uint64_t cut, void *data)
{
	const struct heard *heard = data;
	struct tn_studio_run *run = heard->run;
	struct tn_studio_run_line line;
	struct tn_studio_said said;
	struct tn_arena arena;
	struct tn_buf text;

	tn_arena_init(&arena, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
	tn_buf_init(&text, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	keep_raw(run, raw, heard->is_stderr);
	line = tn_studio_run_line_of(run, raw, cut, heard->is_stderr, &arena, &text, &said);
	if (run->step == TN_STUDIO_STEP_COMMAND && changes_things(run))
		line.at = run->lines[heard->is_stderr].at;
	run->step_lines++;
	if (!said.is_json)
		keep_last_words(run, line.text);
	tn_studio_run_tell_line(run, &line);
	if (said.is_json)
		tn_studio_run_hear(run, &said);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}

static void output(struct tn_str bytes, bool is_stderr, void *data)
{
	struct tn_studio_run *run = data;
	struct heard heard = {.run = run, .is_stderr = is_stderr};

	tn_studio_lines_feed(&run->lines[is_stderr], bytes, hear_line, &heard);
	tn_studio_run_log_flush(&run->log);
}

static void end_lines(struct tn_studio_run *run)
{
	for (int i = 0; i < 2; i++) {
		struct heard heard = {.run = run, .is_stderr = i == 1};

		tn_studio_lines_end(&run->lines[i], hear_line, &heard);
	}
	tn_studio_run_log_flush(&run->log);
}

/* ---- initialisation ---- */

static void remove_backend(const struct tn_studio_run *run)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	if (run->generated.backend_config.size > 0 && run->project &&
	    tn_studio_run_path(path, run->project->path, ".tenon/backend.tfbackend"))
		(void)unlink(path); /* the next start tries again */
}

static bool write_backend(const struct tn_studio_run *run, struct tenon_error *err)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	if (run->generated.backend_config.size == 0)
		return true;
	if (!tn_studio_run_path(path, run->project->path, ".tenon/backend.tfbackend"))
		return tn_fail(err, TENON_LIMIT, "the project's path is too long") == TENON_OK;
	return tn_file_write(path, 0600, run->generated.backend_config, err) == TENON_OK;
}

static void note_initialised(const struct tn_studio_run *run)
{
	char path[TN_STUDIO_RUN_PATH_SIZE], text[256];

	(void)snprintf(text, sizeof(text), "{\"signature\":\"%.*s\",\"engine\":\"%s\"}\n",
		       (int)run->generated.init_signature.size, run->generated.init_signature.data,
		       run->engine.name);
	if (!run->project || !tn_studio_run_path(path, run->project->path, ".tenon/init.json") ||
	    tn_file_write(path, 0600, tn_str_from(text), NULL) != TENON_OK)
		return; /* it is done once more */
}

/* ---- what comes next ---- */

static void fail_start(struct tn_studio_run *run, const struct tenon_error *err)
{
	(void)tn_studio_fail(&run->fault, "ENGINE_FAILED", "%s could not be started: %s.",
			     run->engine.name, err->message);
}

static void go_on(struct tn_studio_run *run, enum tn_studio_run_step step)
{
	struct tenon_error err = {0};

	if (run->runs->is_closing) {
		tn_studio_run_finish(run);
	} else if (!start_step(run, step, &err)) {
		if (step == TN_STUDIO_STEP_COMMAND)
			fail_start(run, &err);
		if (step == TN_STUDIO_STEP_STATE && run->project)
			tn_studio_status_unknown(run->project->status);
		tn_studio_run_finish(run);
	} else if (step == TN_STUDIO_STEP_COMMAND) {
		tn_studio_run_save(run); /* which process it is now */
	}
}

static void plan_held(struct tn_studio_run *run, const struct tenon_error *why_not)
{
	if (why_not || run->cancelled)
		tn_studio_run_finish(run);
	else
		go_on(run, TN_STUDIO_STEP_SHOW_PLAN);
}

static void command_over(struct tn_studio_run *run)
{
	bool good = run->exit_code == 0;

	tn_studio_run_conclude(run);
	if (run->options.command == TN_STUDIO_INIT && good)
		note_initialised(run);
	if (run->options.command == TN_STUDIO_PLAN && good && !run->cancelled &&
	    !run->runs->is_closing && tn_studio_plan_hold(run, plan_held, NULL) == TENON_OK)
		return;
	if (changes_things(run) && !run->fault.code)
		go_on(run, TN_STUDIO_STEP_STATE);
	else
		tn_studio_run_finish(run);
}

static void ended(struct tn_child_end end, void *data)
{
	struct tn_studio_run *run = data;

	end_lines(run);
	tn_studio_process_free(run->process);
	run->process = NULL;
	if (run->grace)
		tn_timer_stop(run->grace);
	if (is_initialising(run))
		remove_backend(run);
	run->exit_code = end.by_signal ? 128 + end.number : end.number;
	run->has_exit = true;
	if (run->exit_code != 0 && run->step_lines == 0 && !run->cancelled)
		(void)tn_studio_fail(&run->fault, "ENGINE_FAILED",
				     "%s ended with exit code %d and said nothing.",
				     run->engine.name, run->exit_code);
	if (run->step == TN_STUDIO_STEP_COMMAND) {
		command_over(run);
	} else if (run->exit_code != 0 || run->cancelled) {
		tn_studio_run_conclude(run);
		tn_studio_run_finish(run);
	} else {
		note_initialised(run);
		tn_buf_clear(&run->last_words);
		go_on(run, TN_STUDIO_STEP_COMMAND);
	}
}

/* ---- what is only read ---- */

static void plan_shown(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct tn_studio_run *run = data;
	struct tn_studio_capture *capture = run->capture;

	(void)out;
	run->capture = NULL;
	tn_studio_plan_shown(
		run, code == TENON_OK && exit_code == 0 ? tn_studio_capture_out(capture) : NULL,
		run->engine.path, true);
	tn_studio_capture_free(capture);
}

static void state_shown(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct tn_studio_run *run = data;
	struct tn_studio_status *status = run->project ? run->project->status : NULL;
	struct tn_json *state = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (code != TENON_OK || exit_code != 0 ||
	    tn_json_parse_copy(&arena, out, &state, NULL) != TENON_OK ||
	    !tn_studio_status_read(status, &run->generated, state, run->id))
		tn_studio_status_unknown(status);
	tn_arena_finish(&arena);
	tn_studio_capture_free(run->capture);
	run->capture = NULL;
	tn_studio_run_finish(run);
}

/* ---- starting ---- */

static bool start_capture(struct tn_studio_run *run, const char *const *argv,
			  struct tenon_error *err)
{
	struct tn_studio_process_options process = {.argv = argv, .directory = run->directory};
	struct tn_studio_capture_options options = {
		.loop = run->runs->options.loop,
		.argv = argv,
		.env = run->env,
		.directory = run->directory,
		.bytes_max = TN_STUDIO_RUN_DOCUMENT_BYTES_MAX,
		.timeout_ms = READ_STATE_MS,
		.done = run->step == TN_STUDIO_STEP_STATE ? state_shown : plan_shown,
		.data = run};
	enum tenon_code code = TENON_OK;
	int held = -1;

	if (run->step == TN_STUDIO_STEP_SHOW_PLAN)
		return tn_studio_plan_show(run, &options, err) == TENON_OK;
	if (run->act)
		code = tn_studio_act_use(run->act, &run->arena, &process, &held, err);
	options.argv = process.argv;
	options.directory = process.directory;
	options.program = process.program;
	options.kept = process.kept;
	options.kept_count = process.kept_count;
	if (code == TENON_OK)
		code = tn_studio_capture_start(&options, &run->capture, err);
	if (held >= 0)
		(void)close(held); /* the watcher has it */
	return code == TENON_OK;
}

/* What was approved: that folder, that program, that plan. */
static bool start_process(struct tn_studio_run *run, struct tn_studio_process_options *options,
			  struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	int held = -1;

	if (run->act)
		code = tn_studio_act_use(run->act, &run->arena, options, &held, err);
	if (code == TENON_OK)
		code = tn_studio_process_start(options, &run->process, err);
	if (held >= 0)
		(void)close(held); /* the watcher has it */
	return code == TENON_OK;
}

static bool start_step(struct tn_studio_run *run, enum tn_studio_run_step step,
		       struct tenon_error *err)
{
	struct tn_studio_process_options options = {.loop = run->runs->options.loop,
						    .env = run->env,
						    .directory = run->directory,
						    .output = output,
						    .ended = ended,
						    .data = run};

	run->step = step;
	run->step_lines = 0;
	run->lines[0].at = run->lines[1].at = 0;
	options.argv = tn_studio_run_argv(run, step);
	if (!options.argv)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory") == TENON_OK;
	if (step == TN_STUDIO_STEP_SHOW_PLAN || step == TN_STUDIO_STEP_STATE)
		return start_capture(run, options.argv, err);
	if (is_initialising(run) && !write_backend(run, err))
		return false;
	if (step == TN_STUDIO_STEP_COMMAND && changes_things(run))
		options.folder = run->folder;
	if (start_process(run, &options, err))
		return true;
	remove_backend(run);
	return false;
}

bool tn_studio_run_begin(struct tn_studio_run *run, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};

	tn_studio_run_log_open(&run->log, run->folder);
	(void)!tn_studio_redact_digest(run->project, run->hidden); /* "": nothing is known of it */
	if (!start_step(run, run->needs_init ? TN_STUDIO_STEP_INIT : TN_STUDIO_STEP_COMMAND,
			&err)) {
		fail_start(run, &err);
		if (fault)
			*fault = run->fault;
		tn_studio_engine_forget(run->runs); /* it may be another one now */
		return false;
	}
	tn_studio_run_save(run);
	return true;
}

/* ---- cancelling (9.6) ---- */

static uint64_t grace_of(const struct tn_studio_run *run)
{
	uint64_t grace = run->runs->options.grace_ms;

	return grace ? grace : TERMINATE_MS;
}

static void grace_over(struct tn_timer *timer, void *data)
{
	struct tn_studio_run *run = data;

	if (!run->process)
		return;
	if (run->grace_stage++ == 0) {
		tn_studio_process_signal(run->process, SIGTERM);
		tn_timer_start(timer, grace_of(run));
	} else {
		tn_studio_process_signal(run->process, SIGKILL);
	}
}

void tn_studio_run_cancel(struct tn_studio_run *run, bool force)
{
	bool again = run->cancelled;

	if (run->state != TN_STUDIO_RUNNING)
		return;
	run->cancelled = true;
	if (!run->process)
		return; /* it only reads what it has done */
	if (force) {
		tn_studio_process_signal(run->process, SIGKILL);
		return;
	}
	/* A second SIGINT makes it drop everything at once. */
	if (again)
		return;
	tn_studio_process_signal(run->process, SIGINT);
	if (run->step == TN_STUDIO_STEP_COMMAND && changes_things(run))
		return; /* it may be writing state */
	run->grace_stage = 0;
	if (run->grace ||
	    tn_timer_open(run->runs->options.loop, grace_over, run, &run->grace, NULL) == TENON_OK)
		tn_timer_start(run->grace, grace_of(run));
}
