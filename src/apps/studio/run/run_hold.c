/* A plan that was made is held: its bytes in sealed memory, and what it does in words. What is
 * asked about it, and what is applied, is this copy (ST-081, ST-083). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

struct tn_studio_holding {         /* a worker's */
	struct tn_studio_run *run; /* NULL: it has gone */
	void (*then)(struct tn_studio_run *run, const struct tenon_error *why_not);
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_held file;
	struct tn_studio_stamp stamp; /* of the file itself */
	struct tenon_error err;       /* code OK: it is held */
};

struct tn_studio_telling {         /* a worker's */
	struct tn_studio_run *run; /* NULL: it has gone */
	bool is_new;               /* what was shown is kept, and what state it goes by is noted */
	char json_path[TN_STUDIO_RUN_PATH_SIZE], directory[TN_STUDIO_RUN_PATH_SIZE];
	char state_mark[TN_DIGEST_HEX_SIZE], shown_mark[TN_DIGEST_HEX_SIZE];
	tn_studio_read_plan_fn *read;
	struct tn_buf shown;
	struct tn_studio_told told;
	enum tenon_code code;
	struct tenon_error err;
};

void tn_studio_run_request(const struct tn_studio_run_options *options, bool destroy,
			   char ret[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_array(&text);
	tn_json_put_bool(&text, destroy);
	tn_json_put_bool(&text, options->refresh_only);
	tn_json_put_value(&text, options->targets);
	tn_json_put_value(&text, destroy ? NULL : options->replace);
	tn_json_end_array(&text);
	tn_digest_hex(tn_buf_str(&text), ret);
	tn_buf_finish(&text);
}

/* ---- holding ---- */

void tn_studio_plan_drop(struct tn_studio_run *run)
{
	struct tn_studio_plan_held *plan = run->plan;

	if (run->holding)
		run->holding->run = NULL; /* the worker's end frees it */
	run->holding = NULL;
	if (!plan)
		return;
	if (plan->telling)
		plan->telling->run = NULL; /* the worker's end frees it */
	tn_held_finish(&plan->file);
	tn_studio_program_close(&plan->shown_by);
	tn_studio_told_finish(&plan->told);
	tn_mem_free(plan);
	run->plan = NULL;
}

/* The oldest go: theirs are read again when they are asked for. */
static void make_room(struct tn_studio_runs *runs)
{
	unsigned count = 0;

	for (struct tn_studio_run *run = runs->first; run; run = run->next) {
		if (run->plan && ++count >= TN_STUDIO_PLANS_HELD_MAX &&
		    run->state != TN_STUDIO_RUNNING && !run->capture && !run->holding &&
		    !run->plan->telling)
			tn_studio_plan_drop(run);
	}
}

static struct tn_studio_stamp stamp_of(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct tn_studio_stamp stamp = tn_studio_stamp_of(fd);

	if (fd >= 0)
		(void)close(fd); /* only looked at */
	return stamp;
}

bool tn_studio_plan_is_still(const struct tn_studio_run *run)
{
	const struct tn_studio_plan_held *plan = run->plan;
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_stamp now;

	if (!tn_studio_run_path(path, run->folder, "plan.tfplan"))
		return false;
	now = stamp_of(path);
	if (tn_studio_stamps_equal(&now, &plan->stamp))
		return true;
	/* Put back, or touched: a small one can be compared here. */
	return now.size == plan->file.size_bytes && now.size <= TN_STUDIO_ACT_FILE_BYTES_MAX &&
	       tn_held_is_still(&plan->file, AT_FDCWD, path);
}

static void hold_work(void *data, const atomic_bool *cancelled)
{
	struct tn_studio_holding *holding = data;
	struct tn_studio_stamp after;

	(void)cancelled;
	holding->stamp = stamp_of(holding->path);
	if (tn_held_file(&holding->file, AT_FDCWD, holding->path, TN_STUDIO_PLAN_BYTES_MAX,
			 &holding->err) != TENON_OK)
		return;
	/* One that changes meanwhile is known by its bytes alone. */
	after = stamp_of(holding->path);
	if (!tn_studio_stamps_equal(&after, &holding->stamp))
		holding->stamp = (struct tn_studio_stamp){0};
}

static enum tenon_code take(struct tn_studio_run *run, struct tn_studio_holding *holding)
{
	struct tn_studio_plan_held *plan;

	if (holding->err.code != TENON_OK)
		return holding->err.code;
	make_room(run->runs);
	plan = tn_mem_alloc(sizeof(*plan));
	if (!plan)
		return tn_fail(&holding->err, TENON_NO_MEMORY, "out of memory");
	plan->file = holding->file;
	plan->stamp = holding->stamp;
	plan->shown_by.fd = -1;
	tn_held_init(&holding->file);
	tn_studio_told_init(&plan->told);
	tn_studio_plan_drop(run);
	run->plan = plan;
	return TENON_OK;
}

static void hold_done(void *data, bool cancelled)
{
	struct tn_studio_holding *holding = data;
	struct tn_studio_run *run = holding->run;

	(void)cancelled;
	if (run) {
		run->holding = NULL;
		holding->then(run, take(run, holding) == TENON_OK ? NULL : &holding->err);
	}
	tn_held_finish(&holding->file);
	tn_mem_free(holding);
}

enum tenon_code tn_studio_plan_hold(struct tn_studio_run *run,
				    void (*then)(struct tn_studio_run *run,
						 const struct tenon_error *why_not),
				    struct tenon_error *err)
{
	struct tn_studio_holding *holding = tn_mem_alloc(sizeof(*holding));
	struct tn_job *job;
	enum tenon_code code;

	if (!holding)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	holding->run = run;
	holding->then = then;
	tn_held_init(&holding->file);
	if (!tn_studio_run_path(holding->path, run->folder, "plan.tfplan"))
		code = tn_fail(err, TENON_LIMIT, "the project's path is too long");
	else
		code = tn_job_start(run->runs->options.loop, hold_work, hold_done, holding, &job,
				    err);
	if (code == TENON_OK)
		run->holding = holding;
	else
		tn_mem_free(holding);
	return code;
}

/* ---- what it does ---- */

/* Without it get_plan says that there is none; the plan itself is good. */
static void keep_shown(struct tn_studio_telling *telling)
{
	if (telling->shown.size > 0 && telling->json_path[0] &&
	    tn_file_write(telling->json_path, 0600, tn_buf_str(&telling->shown), NULL) != TENON_OK)
		(void)unlink(telling->json_path);
	if (telling->shown.size > 0)
		tn_digest_hex(tn_buf_str(&telling->shown), telling->shown_mark);
	tn_studio_run_state_mark(telling->directory, telling->state_mark);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_studio_telling *telling = data;
	struct tn_buf plan;

	(void)cancelled;
	if (telling->is_new)
		keep_shown(telling);
	tn_buf_init(&plan, TN_STUDIO_ARENA_MAX);
	if (telling->shown.size == 0 || !telling->read)
		telling->code = tn_fail(&telling->err, TENON_INVALID, "the engine did not show it");
	else
		telling->code = telling->read(tn_buf_str(&telling->shown), &plan, &telling->err);
	if (telling->code == TENON_OK)
		telling->code = tn_studio_tell(tn_buf_str(&plan), &telling->told, &telling->err);
	tn_buf_finish(&plan);
}

static void over(struct tn_studio_run *run)
{
	if (run->state == TN_STUDIO_RUNNING)
		tn_studio_run_finish(run);
	else
		tn_studio_run_tell_end(run);
}

/* A reason may have a value in it, and a value may be a secret. So may an address; those of the
 * changes are redacted when they are told, one by one. */
static void keep_told(struct tn_studio_run *run, struct tn_studio_told *told)
{
	struct tn_studio_plan_held *plan = run->plan;
	const struct tn_buf before = plan->told.changes;

	tn_buf_clear(&plan->told.lines);
	if (run->project)
		tn_studio_redact(run->project, tn_buf_str(&told->lines), &plan->told.lines);
	else
		tn_buf_append_str(&plan->told.lines, tn_buf_str(&told->lines));
	(void)snprintf(plan->told.counts, sizeof(plan->told.counts), "%s", told->counts);
	plan->told.numbers = told->numbers;
	plan->told.changes = told->changes;
	told->changes = before;
	plan->is_told = !plan->told.lines.failed;
}

static void done(void *data, bool cancelled)
{
	struct tn_studio_telling *telling = data;
	struct tn_studio_run *run = telling->run;

	(void)cancelled;
	if (run) {
		run->plan->telling = NULL;
		if (telling->is_new) {
			memcpy(run->state_mark, telling->state_mark, sizeof(run->state_mark));
			memcpy(run->plan->shown, telling->shown_mark, sizeof(run->plan->shown));
		}
		if (telling->code == TENON_OK)
			keep_told(run, &telling->told);
	}
	tn_buf_finish(&telling->shown);
	tn_studio_told_finish(&telling->told);
	tn_mem_free(telling);
	if (run)
		over(run);
}

static void name_files(struct tn_studio_telling *telling, const struct tn_studio_run *run)
{
	if (!tn_studio_run_path(telling->json_path, run->folder, "plan.json"))
		telling->json_path[0] = '\0';
	(void)snprintf(telling->directory, sizeof(telling->directory), "%s", run->directory);
}

/* A worker reads what `show -json` says of it; the run finishes, or those who watch are told, when
 * that is over. */
static void tell(struct tn_studio_run *run, struct tn_buf *shown, bool is_new)
{
	struct tn_studio_telling *telling = tn_mem_alloc(sizeof(*telling));
	struct tn_job *job;

	if (telling) {
		telling->run = run;
		telling->read = run->runs->options.read_plan;
		telling->is_new = is_new;
		name_files(telling, run);
		tn_buf_init(&telling->shown, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
		if (shown) {
			telling->shown = *shown;
			tn_buf_init(shown, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
		}
		tn_studio_told_init(&telling->told);
		run->plan->telling = telling;
		if (tn_job_start(run->runs->options.loop, work, done, telling, &job, NULL) ==
		    TENON_OK)
			return;
		run->plan->telling = NULL;
		tn_buf_finish(&telling->shown);
		tn_studio_told_finish(&telling->told);
		tn_mem_free(telling);
	}
	over(run); /* it is not told: whoever wants to apply it has it read again */
}

enum tenon_code tn_studio_plan_show(struct tn_studio_run *run,
				    struct tn_studio_capture_options *options,
				    struct tenon_error *err)
{
	struct tn_studio_program *by = &run->plan->shown_by;
	int kept[2] = {run->plan->file.fd};
	enum tenon_code code;

	tn_studio_program_close(by);
	if (!tn_studio_program_open(options->argv[0], by))
		return tn_fail_errno(err, errno, "open the engine");
	kept[1] = by->fd;
	options->kept = kept; /* while it starts */
	options->kept_count = by->is_script ? 1 : 2;
	options->program = by->is_script ? NULL : by->path;
	code = tn_studio_capture_start(options, &run->capture, err);
	if (code != TENON_OK)
		tn_studio_program_close(by);
	return code;
}

void tn_studio_plan_shown(struct tn_studio_run *run, struct tn_buf *shown, const char *engine_path,
			  bool is_new)
{
	struct tn_studio_program *by = &run->plan->shown_by;
	bool is_still = tn_studio_program_is_still(by, engine_path);

	tn_studio_program_close(by);
	tell(run, is_still ? shown : NULL, is_new);
}

/* ---- one of an earlier process, or one that had to make room ---- */

static void shown(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct tn_studio_run *run = data;
	struct tn_studio_capture *capture = run->capture;

	(void)out;
	run->capture = NULL;
	if (run->plan && !run->plan->telling)
		tn_studio_plan_shown(
			run,
			code == TENON_OK && exit_code == 0 ? tn_studio_capture_out(capture) : NULL,
			run->runs->engine.path, false);
	else
		tn_studio_run_tell_end(run);
	tn_studio_capture_free(capture);
}

/* What the record of the run says of the file, where it says so. */
static bool is_as_recorded(const struct tn_studio_run *run)
{
	struct tn_str digest = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(tn_json_get(run->record, "private"), "plan"), &digest);
	return digest.size == 0 || tn_str_is(digest, run->plan->file.digest);
}

static bool start_showing(struct tn_studio_run *run, const char *const *env,
			  struct tenon_error *err)
{
	char path[32];
	const char *argv[] = {run->runs->engine.path, "show", "-json", path, NULL};
	struct tn_studio_capture_options options = {.loop = run->runs->options.loop,
						    .argv = argv,
						    .env = env,
						    .directory = run->directory,
						    .bytes_max = TN_STUDIO_RUN_DOCUMENT_BYTES_MAX,
						    .timeout_ms = 30000,
						    .done = shown,
						    .data = run};

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", run->plan->file.fd);
	return tn_studio_plan_show(run, &options, err) == TENON_OK;
}

static void cannot_read(struct tn_studio_run *run)
{
	tn_studio_plan_drop(run);
	tn_studio_run_tell_end(run);
}

static void read_held(struct tn_studio_run *run, const struct tenon_error *why_not)
{
	const struct tn_studio_generated nothing = {0};
	struct tenon_error err = {0};
	const char *const *env;
	struct tn_arena arena;
	bool good = false;

	if (why_not) {
		(void)tn_studio_fail(&run->unread, "IO_ERROR", "The plan %s cannot be read: %s.",
				     run->id, why_not->message);
	} else if (!is_as_recorded(run)) {
		(void)tn_studio_fail(&run->unread, "STALE_PLAN",
				     "The file of the plan %s is not the one that plan made. Run "
				     "plan again.",
				     run->id);
	} else {
		tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
		env = tn_studio_run_env(run->runs, run->project, &nothing, &arena);
		good = env && start_showing(run, env, &err);
		tn_arena_finish(&arena);
		if (!good)
			(void)tn_studio_fail(&run->unread, "ENGINE_FAILED",
					     "The plan %s cannot be shown: %s.", run->id,
					     env ? err.message : "out of memory");
	}
	if (!good)
		cannot_read(run);
}

const struct tn_studio_fault *tn_studio_plan_unread(const struct tn_studio_run *run)
{
	return run->unread.code ? &run->unread : NULL;
}

bool tn_studio_plan_read(struct tn_studio_run *run, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};

	if (run->holding || run->capture || (run->plan && run->plan->telling))
		return true; /* it is being read */
	run->unread = (struct tn_studio_fault){.code = NULL};
	if (tn_studio_plan_hold(run, read_held, &err) == TENON_OK)
		return true;
	return tn_studio_fail(fault, "IO_ERROR", "The plan %s cannot be read: %s.", run->id,
			      err.message);
}
