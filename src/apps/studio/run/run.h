/* run.h - runs of terraform or tofu (studio.md section 9): found, started, read line by line,
 * cancelled, kept.
 *
 * One run a project at a time. The engine is started with an argument vector in its own process
 * group; nothing it prints can break the reader (ST-088). Everything a reader sees has passed the
 * redactor. What it writes of itself stands in .tenon/runs/<runId>/.
 *
 * init, validate and plan end with us, however we end. An apply or a destroy does not: it writes to
 * files and is no child that the kernel kills, because one that is cut off may leave a state half
 * written (docs/studio.md). Ownership: the table owns its runs. Threads: loop. */
#ifndef TN_STUDIO_RUN_H
#define TN_STUDIO_RUN_H

#include "apps/studio/generate/generate.h"
#include "apps/studio/project/project.h"
#include "apps/studio/run/run_tell.h"

enum tn_studio_command {
	TN_STUDIO_INIT,
	TN_STUDIO_VALIDATE,
	TN_STUDIO_PLAN,
	TN_STUDIO_APPLY,
	TN_STUDIO_DESTROY
};
const char *tn_studio_command_name(enum tn_studio_command command);

struct tn_studio_engine {
	char *path, *name, *version; /* "terraform", "1.11.4" */
	bool json_init;              /* it knows init -json */
};

enum tn_studio_run_state {
	TN_STUDIO_RUNNING,
	TN_STUDIO_FINISHED,
	TN_STUDIO_CANCELLED,
	TN_STUDIO_LOST
};

struct tn_studio_run; /* opaque; by its id */
struct tn_studio_run_line {
	uint64_t number; /* from 1 */
	struct tn_str text, level;
	bool is_stderr;
	uint64_t at; /* where it ends in the file that its stream is; 0: it is none */
};

struct tn_studio_act; /* what an apply or destroy will do, held (tn_studio_act_open) */

struct tn_studio_run_options {
	enum tn_studio_command command;
	const char *plan_id; /* apply exactly this plan; NULL: none */
	/* Apply and destroy: what was approved; a start that succeeds takes it. */
	struct tn_studio_act *act;
	bool destroy, refresh_only, upgrade, reconfigure, migrate_state, force;
	const struct tn_json *targets, *replace; /* arrays of instanceIds; NULL: none */
	const char *actor, *principal;
	bool person; /* the actor is one */
	/* Watching; the run lives on without its watcher (tn_studio_run_unwatch). */
	void (*line)(struct tn_studio_run *run, const struct tn_studio_run_line *line, void *data);
	void (*ended)(struct tn_studio_run *run, void *data);
	void *data;
};

/* What a node costs a month, in cents; false: nobody knows. */
typedef bool tn_studio_price_fn(const struct tn_studio_project *project,
				const struct tn_studio_node *node, int64_t *ret_cents, void *data);

struct tn_studio_runs_options {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	const char *engine_path;  /* the setting terraform.path; NULL: looked for */
	const char *plugin_cache; /* TF_PLUGIN_CACHE_DIR; NULL: none */
	const char *watcher; /* a program that knows --confine (hold.h); NULL: nothing is watched */
	unsigned at_once;    /* 0: 2 */
	uint64_t grace_ms;   /* from SIGINT to SIGTERM, and to SIGKILL; 0: 10 s; applies: never */
	uint64_t shutdown_ms; /* how long destroying waits for an apply; 0: 120 s (9.6) */
	/* The plan engine: what `show -json` says of a plan, as its changes in JSON. Called by a
	 * worker. NULL: nobody can be asked about a plan, and none is applied. */
	tn_studio_read_plan_fn *read_plan;
	tn_studio_price_fn *price; /* noted of what is applied; NULL: it is not */
	bool keep_tf_variables;    /* TF_LOG, TF_CLI_ARGS* are the engine's, too */
	/* For every run: each line, and each change of state. May be NULL. */
	void (*line)(struct tn_studio_project *project, struct tn_studio_run *run,
		     const struct tn_studio_run_line *line, void *data);
	void (*changed)(struct tn_studio_project *project, struct tn_studio_run *run, void *data);
	void *data;
};
TN_MUST_USE enum tenon_code tn_studio_runs_create(const struct tn_studio_runs_options *options,
						  struct tn_studio_runs **ret,
						  struct tenon_error *err);
/* FR-07, 9.6: interrupts what runs, and waits for an apply or destroy, which then goes on without
 * us and is lost. Projects go after it. Accepts NULL. */
void tn_studio_runs_destroy(struct tn_studio_runs *runs);
/* After a project is opened: what the engine of a lost run wrote to nobody is taken into its log
 * while what must not stand there is still what it was then. */
void tn_studio_runs_take_up(struct tn_studio_runs *runs, struct tn_studio_project *project);
/* Before a project is closed. Fails: RUN_IN_PROGRESS. */
bool tn_studio_runs_forget(struct tn_studio_runs *runs, struct tn_studio_project *project,
			   struct tn_studio_fault *fault);

/* Looked for once; again after the setting changed. Fails: TERRAFORM_NOT_FOUND, TERRAFORM_TOO_OLD.
 * `ready` is called later (never inside); engine NULL: the fault says why. */
void tn_studio_engine_find(struct tn_studio_runs *runs,
			   void (*ready)(const struct tn_studio_engine *engine,
					 const struct tn_studio_fault *fault, void *data),
			   void *data);

/* NULL: not looked for, or not found. */
const struct tn_studio_engine *tn_studio_engine_known(const struct tn_studio_runs *runs);
void tn_studio_engine_set_path(struct tn_studio_runs *runs, const char *path); /* NULL: none */

/* Has a worker read the user's own files and the state, which the calls below compare then, and
 * with `generates` check and generate the diagram for the run that is to start: on the loop they
 * read no more than TN_STUDIO_LOOP_BYTES_MAX, and take what is larger and was not read, or has
 * changed since, for another file. `then` is called later (never inside), once, also when the
 * project has gone meanwhile. False: it will not come. */
bool tn_studio_files_read(struct tn_studio_runs *runs, struct tn_studio_project *project,
			  bool generates, void (*then)(void *data), void *data,
			  struct tn_studio_fault *fault);

/* Whoever waits with this `data` has gone: no `then` comes. */
void tn_studio_files_give_up(struct tn_studio_runs *runs, const void *data);

/* Validates, generates, writes, initialises if need be, then runs (9.2). *ret at once, in state
 * RUNNING; what prevents the start (RUN_IN_PROGRESS, VALIDATION_FAILED, STALE_PLAN, ...) is a
 * fault. The engine has been found (tn_studio_engine_find); the caller has dealt with the guard and
 * consent (ST-080, ST-081). */
bool tn_studio_run_start(struct tn_studio_runs *runs, struct tn_studio_project *project,
			 const struct tn_studio_run_options *options, struct tn_studio_run **ret,
			 struct tn_studio_fault *fault);
/* What a person has to trust before the engine runs: names of what can run programs or read files,
 * the text of what clients brought, and the digest of all that is trusted, for
 * tn_studio_project_trust. */
struct tn_studio_trust {
	struct tn_buf names, text;
	size_t count;
	bool too_many;    /* to be looked at: they cannot be trusted */
	bool is_outside;  /* a module comes from elsewhere on this machine: it cannot either */
	bool from_client; /* also in a project that was made here */
	char digest[TN_DIGEST_HEX_SIZE];
};
/* To be finished where it is true. */
bool tn_studio_run_trust(const struct tn_studio_runs *runs, struct tn_studio_project *project,
			 struct tn_studio_trust *ret, struct tn_studio_fault *fault);
void tn_studio_trust_finish(struct tn_studio_trust *trust);
/* One more that watches; it goes with `data`. Functions may be NULL. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_run_watch(
	struct tn_studio_run *run,
	void (*line)(struct tn_studio_run *run, const struct tn_studio_run_line *line, void *data),
	void (*ended)(struct tn_studio_run *run, void *data), void *data, struct tenon_error *err);
void tn_studio_run_unwatch(struct tn_studio_run *run, void *data);
/* 9.6: once is a SIGINT, again is nothing more; `force` kills. */
void tn_studio_run_cancel(struct tn_studio_run *run, bool force);
uint64_t tn_studio_run_lines(const struct tn_studio_run *run); /* how many it has said */
/* It made a plan that is held, and it is known what that does. */
bool tn_studio_run_has_plan(const struct tn_studio_run *run);
bool tn_studio_run_went_well(const struct tn_studio_run *run); /* it is over, with success */
/* Asked to stop, whether or not it has come to its end. */
bool tn_studio_run_is_cancelled(const struct tn_studio_run *run);

const char *tn_studio_run_id(const struct tn_studio_run *run);
enum tn_studio_run_state tn_studio_run_state(const struct tn_studio_run *run);
enum tn_studio_command tn_studio_run_command(const struct tn_studio_run *run);
/* Why it is a tool error and no result (ENGINE_FAILED, STALE_PLAN); NULL: it is none. */
const struct tn_studio_fault *tn_studio_run_fault(const struct tn_studio_run *run);
/* The one that runs; NULL: none. */
struct tn_studio_run *tn_studio_run_active(const struct tn_studio_runs *runs,
					   const struct tn_studio_project *project);
/* NULL `id`: the last of the project. Those of earlier processes are read from disk. */
struct tn_studio_run *tn_studio_run_find(struct tn_studio_runs *runs,
					 struct tn_studio_project *project, const char *id);
/* The index-th run of the project, the newest first, those on disk too; false: there are not so
 * many. For completion of `runId`. */
bool tn_studio_run_listed(struct tn_studio_runs *runs, struct tn_studio_project *project,
			  size_t index, char ret_id[TN_STUDIO_ID_SIZE]);
/* The runs of a project for its canvas (studio-canvas.md SC-021), the newest first, as a JSON
 * array. Whether a plan still fits is said by what a worker has read (tn_studio_files_read), and
 * left out where that is not known. Generates when the diagram has changed since it was last asked.
 */
void tn_studio_runs_put(struct tn_buf *out, struct tn_studio_runs *runs,
			struct tn_studio_project *project);
/* A plan fits no more, or fits again, since that was put last. */
bool tn_studio_runs_changed(struct tn_studio_runs *runs, struct tn_studio_project *project);
/* The result of 9.5 as one JSON object; `ret_text` gets what a reader needs in few lines. */
void tn_studio_run_put(struct tn_buf *out, const struct tn_studio_run *run,
		       struct tn_buf *ret_text);
/* Lines from `from` on as text; *ret_next: where to go on. */
void tn_studio_run_log(struct tn_buf *out, const struct tn_studio_run *run, uint64_t from,
		       size_t bytes_max, uint64_t *ret_next);
/* The same in two steps, for who wants much of it: a worker reads the file (true: to its end), then
 * the loop adds what the log has not. Lines may have been left out meanwhile: when `cuts` is no
 * longer what it was, what was read may be of before and after, and is read again. */
bool tn_studio_run_log_file(const struct tn_studio_run *run, char *ret_path, size_t size);
bool tn_studio_run_log_read(struct tn_buf *out, const char *path, uint64_t from, size_t bytes_max,
			    uint64_t *ret_next);
void tn_studio_run_log_end(struct tn_buf *out, const struct tn_studio_run *run);
uint64_t tn_studio_run_log_cuts(const struct tn_studio_run *run);

/* ---- acts (ST-081): what is asked is what runs ---- */

enum tn_studio_act_state {
	TN_STUDIO_ACT_READY,     /* *ret_plan is held, and known for what it does */
	TN_STUDIO_ACT_UNREAD,    /* *ret_plan has to be read first (tn_studio_plan_read) */
	TN_STUDIO_ACT_UNPLANNED, /* a plan has to be made first: tn_studio_act_plan_options */
	TN_STUDIO_ACT_REFUSED
};
/* The plan that this apply or destroy goes by: the one that is named, or the last that was made of
 * exactly what would be applied now and is held. Fails with what prevents a start, and STALE_PLAN
 * (the named one does not fit, or its file was changed). */
enum tn_studio_act_state tn_studio_act_find(struct tn_studio_runs *runs,
					    struct tn_studio_project *project,
					    const struct tn_studio_run_options *options,
					    struct tn_studio_run **ret_plan,
					    struct tn_studio_fault *fault);
/* What to start so that there is one. */
struct tn_studio_run_options
tn_studio_act_plan_options(const struct tn_studio_run_options *options);
/* Holds the plan's file and has the engine show it. `ended` of whoever watches is called later.
 * Fails: IO_ERROR. */
bool tn_studio_plan_read(struct tn_studio_run *plan, struct tn_studio_fault *fault);
/* Why that came to nothing: STALE_PLAN (it is no longer what plan made), IO_ERROR, ENGINE_FAILED;
 * NULL: it did not, or nobody knows. */
const struct tn_studio_fault *tn_studio_plan_unread(const struct tn_studio_run *plan);

struct tn_studio_act_words {
	const char *summary, *detail; /* for the person; without costs */
	const char *digest;           /* of every input: what consent is bound to */
	const char *plan_id;          /* what is applied */
	bool destroys;                /* it is a plan to destroy, by whichever command */
	/* What get_plan says of it since it was made is what it does (tn_studio_run_plan_shown). */
	bool is_as_shown;
};
/* What an act does, for programs; NULL: its plan has gone. The run's. */
const struct tn_studio_told *tn_studio_plan_told(const struct tn_studio_run *plan);
/* Opens and hashes everything that will be used, in a worker: the plan's sealed copy, the real
 * folder and what is in it, the engine. Execution reads these and nothing else. `opened` comes
 * later, once: the act is the receiver's until a run takes it; NULL: the fault says why. False: it
 * will not come. */
struct tn_studio_opening;
typedef void tn_studio_opened_fn(struct tn_studio_act *act, const struct tn_studio_fault *fault,
				 void *data);
bool tn_studio_act_open(struct tn_studio_runs *runs, struct tn_studio_project *project,
			const struct tn_studio_run_options *options, struct tn_studio_run *plan,
			tn_studio_opened_fn *opened, void *data, struct tn_studio_opening **ret,
			struct tn_studio_fault *fault);
/* Nobody waits for it any more; `opened` does not come. */
void tn_studio_act_give_up(struct tn_studio_opening *opening);
struct tn_studio_act_words tn_studio_act_words(const struct tn_studio_act *act);
void tn_studio_act_free(struct tn_studio_act *act); /* accepts NULL */

/* Where the JSON of show -json of a plan run is, for the plan engine. Fails: NOT_FOUND (no plan was
 * made). */
bool tn_studio_run_plan_file(const struct tn_studio_run *run, char *ret_path, size_t size,
			     struct tn_studio_fault *fault);
/* The digest it had when we wrote it: whoever shows another text would show another plan than the
 * one that is held. Empty: not known, it is of an earlier process. */
const char *tn_studio_run_plan_shown(const struct tn_studio_run *run);
/* It plans a destroy, or is one. */
bool tn_studio_run_destroys(const struct tn_studio_run *run);
/* Each change of a run that is over, as its lines told it; node empty: none. */
void tn_studio_run_each_change(const struct tn_studio_run *run,
			       void (*each)(struct tn_str address, struct tn_str action,
					    struct tn_str node_id, void *data),
			       void *data);
/* Node of an address of this run; empty: none. */
struct tn_str tn_studio_run_node_of(const struct tn_studio_run *run, struct tn_str address);

/* ST-100: reads what exists from the engine into project->status, in the background, within 30 s;
 * nothing where there is no engine, no initialised folder, or a run. `done` (may be NULL) is called
 * later; false: it could not be read. */
void tn_studio_state_refresh(struct tn_studio_runs *runs, struct tn_studio_project *project,
			     void (*done)(bool good, void *data), void *data);

#endif
