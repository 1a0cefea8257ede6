/* internal.h - the inside of runs, for the files run*.c and terraform_find.c. Threads: loop. */
#ifndef TN_STUDIO_RUN_INTERNAL_H
#define TN_STUDIO_RUN_INTERNAL_H

#include <sys/stat.h>

#include "apps/studio/run/run.h"
#include "apps/studio/run/run_line.h"
#include "apps/studio/run/run_process.h"
#include "apps/studio/run/run_tell.h"
#include "base/digest.h"
#include "base/rng.h"
#include "hold/hold.h"
#include "store/held.h"

enum {
	TN_STUDIO_RUN_ID_SIZE = sizeof("run_") + TN_RNG_TOKEN_SIZE(16),
	TN_STUDIO_RUN_PATH_SIZE = 4200
};

/* ---- one result (run_event.c) ---- */

struct tn_studio_run_change {
	struct tn_str address, action, node_id, error; /* error: empty: none */
	unsigned halves; /* of a replacement that are over: delete and create */
	bool started, done, failed, primary;
	struct tn_studio_run_change *next;
};

struct tn_studio_run_diagnostic {
	bool is_error;
	struct tn_str summary, detail, address, file, node_id, property; /* empty: none */
	int64_t line;                                                    /* 0: none */
	struct tn_studio_run_diagnostic *next;
};

struct tn_studio_run_findings {
	struct tn_studio_run_change *changes, **last_change;
	struct tn_map by_address;
	size_t change_count, replaced;
	struct tn_studio_run_diagnostic *diagnostics, **last_diagnostic;
	size_t diagnostic_count, errors, warnings;
	bool has_summary;
	int64_t add, change, remove, import;
	char operation[16];    /* of the summary: "plan", "apply", "destroy" */
	struct tn_str outputs; /* a JSON object, redacted; empty: none */
	bool is_stale;         /* the engine says so of the plan (ST-083) */
};

/* ---- the log (run_log.c) ---- */

enum { TN_STUDIO_RUN_LOG_HEAD = 160 }; /* bytes in which a line's number, stream and place stand */

struct tn_studio_run_log {
	int fd;              /* -1: none */
	uint64_t size, head; /* head: where the part that stays ends; 0: all is there */
	uint64_t tail;       /* where what is kept of the end begins, after the mark */
	uint64_t omitted;    /* lines */
	uint64_t last;       /* number of the last line */
	int64_t last_ms;     /* when it was written; of one that is read again */
	uint64_t at[2];      /* how far it has the files stdout and stderr */
	bool failed;         /* something could not be written */
	struct tn_buf pending;
	/* While it is read again: how far, and how the line there begins. */
	uint64_t looked;
	char line[TN_STUDIO_RUN_LOG_HEAD];
	size_t line_size;
};

/* ---- a run ---- */

struct tn_studio_run_digest { /* what a node generates in this run (ST-101) */
	struct tn_str node_id;
	char hex[TN_DIGEST_HEX_SIZE];
	int64_t cents; /* a month */
	bool is_priced;
};

enum tn_studio_run_step {
	TN_STUDIO_STEP_INIT,
	TN_STUDIO_STEP_COMMAND,
	TN_STUDIO_STEP_SHOW_PLAN, /* what before and after are (plan) */
	TN_STUDIO_STEP_STATE      /* what there is now (apply, destroy) */
};

struct tn_studio_run_watcher {
	void (*line)(struct tn_studio_run *run, const struct tn_studio_run_line *line, void *data);
	void (*ended)(struct tn_studio_run *run, void *data);
	void *data; /* NULL-ed `line` and `ended`: it has gone */
	struct tn_studio_run_watcher *next;
};

/* Of a plan that was made: its file, sealed, and what it does. Lives longer than the running. */
struct tn_studio_stamp { /* of a file: what a writer cannot put back */
	uint64_t device, inode, size, changed, modified;
};

struct tn_studio_program { /* what an engine's name led to */
	int fd;            /* -1: not open */
	bool is_script;
	struct tn_studio_stamp stamp;
	char path[32]; /* of the descriptor */
};

struct tn_studio_plan_held {
	struct tn_held file;
	struct tn_studio_program shown_by; /* the engine whose words `told` are; open meanwhile */
	struct tn_studio_stamp stamp;      /* all zero: not known */
	struct tn_studio_told told;
	bool is_told;
	char shown[TN_DIGEST_HEX_SIZE];    /* of plan.json, when we wrote it; empty: we did not */
	struct tn_studio_telling *telling; /* a worker reads it; NULL: none */
};

struct tn_studio_run {
	struct tn_studio_runs *runs;
	struct tn_studio_project *project;
	char id[TN_STUDIO_RUN_ID_SIZE];
	char *folder, *directory; /* .tenon/runs/<id>; terraform/ */
	enum tn_studio_run_state state;
	bool cancelled;
	int64_t started_wall_ms;
	struct tn_studio_run *next;

	/* While it runs; all of it goes with the arena. */
	struct tn_arena arena;
	struct tn_studio_run_options options;   /* copied; targets and replace are not */
	const struct tn_str *targets, *replace; /* addresses */
	size_t target_count, replace_count;
	struct tn_studio_generated generated; /* a copy without texts; nodes are shadows */
	const struct tn_studio_run_digest *digests;
	size_t digest_count;
	const char *const *env;
	char inputs[TN_DIGEST_HEX_SIZE];     /* of files, values and foreign files (ST-083) */
	char state_mark[TN_DIGEST_HEX_SIZE]; /* of the state, where it is a file; empty: none */
	char request[TN_DIGEST_HEX_SIZE];    /* of what was asked of a plan: targets and the like */
	char hidden[TN_DIGEST_HEX_SIZE];     /* of what nobody may read (tn_studio_redact_digest) */
	struct tn_studio_plan_held *plan;    /* NULL: none is held */
	struct tn_studio_holding *holding;   /* a worker reads its file; NULL: none */
	struct tn_studio_fault unread;       /* why it could not be read; code NULL: nothing */
	bool is_spent;                       /* the plan was applied */
	struct tn_studio_act *act;           /* what an apply or destroy carries out */
	struct tn_studio_engine engine;
	enum tn_studio_run_step step;
	bool needs_init, stop_after_step;
	struct tn_studio_process *process;
	struct tn_studio_capture *capture;
	struct tn_studio_lines lines[2]; /* stdout, stderr */
	struct tn_studio_run_log log;
	struct tn_studio_run_watcher *watchers;
	struct tn_timer *grace;
	unsigned grace_stage;
	uint64_t started_ms, line_count, step_lines, status_saved_ms;
	struct tn_studio_run_findings findings;
	struct tn_buf document;   /* stdout of validate */
	struct tn_buf last_words; /* stderr, for what ended without a diagnostic */
	int exit_code;
	bool has_exit;
	struct tn_studio_fault fault; /* code NULL: none */
	struct tn_buf fault_details;

	/* Once it is over, here or in an earlier process. */
	struct tn_buf stored;         /* run.json */
	const struct tn_json *record; /* the same; NULL: it runs */
	struct tn_studio_rest *rest;  /* of a lost one (run_rest.c); NULL: its log is whole */
};

enum tn_studio_finding { TN_STUDIO_UNKNOWN_ENGINE, TN_STUDIO_ASKING, TN_STUDIO_ASKED };

struct tn_studio_engine_waiter {
	void (*ready)(const struct tn_studio_engine *engine, const struct tn_studio_fault *fault,
		      void *data);
	void *data;
	struct tn_studio_engine_waiter *next;
};

struct tn_studio_scanned { /* a project whose folder has been read */
	struct tn_studio_project *project;
	int orphan;            /* an engine of an earlier process that still runs; 0: none */
	uint64_t orphan_start; /* so that the number means the same process */
	char orphan_run[TN_STUDIO_RUN_ID_SIZE];
	struct tn_studio_known *known;       /* NULL: nothing was read yet */
	struct tn_studio_made *made;         /* NULL: nothing was made, or it was used */
	struct tn_studio_standing *standing; /* NULL: nothing was generated yet */
	struct tn_studio_scanned *next;
};

struct tn_studio_refresh {
	struct tn_studio_runs *runs;
	struct tn_studio_project *project; /* NULL: it has been forgotten */
	struct tn_arena arena;
	struct tn_studio_generated generated;
	struct tn_studio_capture *capture;
	void (*done)(bool good, void *data);
	void *data;
	struct tn_studio_refresh *next;
};

struct tn_studio_runs {
	struct tn_studio_runs_options options;
	struct tn_studio_run *first; /* newest first */
	struct tn_studio_scanned *scanned;
	struct tn_studio_refresh *refreshes;
	struct tn_studio_reading *readings; /* workers read these */
	struct tn_later *later;
	bool is_closing;
	unsigned rests_open;   /* run_rest.c */
	struct tn_buf details; /* of the last start that was refused */

	/* terraform_find.c */
	char *engine_path; /* the setting */
	enum tn_studio_finding finding;
	struct tn_studio_engine engine;
	struct tn_studio_fault engine_fault; /* code NULL: found */
	uint64_t engine_mark[3];             /* inode, size, time of change */
	struct tn_studio_capture *asking;
	struct tn_studio_engine_waiter *waiters;
	struct tn_later *engine_later;
};

/* ---- terraform_find.c ---- */
void tn_studio_engine_forget(struct tn_studio_runs *runs);

/* ---- run_surroundings.c ---- */

/* The environment of the engine, in the arena (9.2). NULL: no memory. */
const char *const *tn_studio_run_env(const struct tn_studio_runs *runs,
				     const struct tn_studio_project *project,
				     const struct tn_studio_generated *generated,
				     struct tn_arena *arena);
/* Copies what of a generation outlives its document: addresses, places, nodes' ids. */
bool tn_studio_run_keep(const struct tn_studio_generated *from, struct tn_arena *arena,
			struct tn_studio_generated *ret);
/* Finished by the caller. */
void tn_studio_trust_look(struct tn_studio_trust *trust, const struct tn_studio_project *project,
			  const struct tn_studio_known *known,
			  const struct tn_studio_generated *generated, const char *directory);
/* Nothing can, or it was made here and no client has brought anything, or a person trusts
 * exactly this. */
bool tn_studio_trust_holds(const struct tn_studio_trust *trust,
			   const struct tn_studio_project *project);

/* ---- run_made.c ---- */

/* What a worker made of a project as it was: begin and free on the loop, work anywhere. NULL: no
 * memory; accepts NULL. */
struct tn_studio_made *tn_studio_made_begin(struct tn_studio_project *project);
void tn_studio_made_work(struct tn_studio_made *made);
void tn_studio_made_free(struct tn_studio_made *made);
/* NULL: none, or the project is another by now. */
const struct tn_studio_made *tn_studio_made_of(const struct tn_studio_runs *runs,
					       const struct tn_studio_project *project);
void tn_studio_made_drop(struct tn_studio_runs *runs, const struct tn_studio_project *project);
/* Checks and generates for a run: what a worker has made, which the runs own, or at once, in the
 * arena. Not to be added to. */
bool tn_studio_run_generate(const struct tn_studio_runs *runs, struct tn_studio_project *project,
			    struct tn_arena *arena, struct tn_studio_diagnostics *list,
			    struct tn_studio_generated *ret, struct tn_studio_fault *fault);

/* ---- run_own_files.c ---- */

/* Configuration in the folder of a run and below it that is not ours, by its path there, sorted, in
 * the arena. False: there are more than these, or they lie too deep. */
bool tn_studio_own_files(const struct tn_studio_generated *generated, const char *directory,
			 size_t max, struct tn_arena *arena, const char **ret, size_t *ret_count);

/* Everything else in the folder of a project but what is ours alone: likewise. */
bool tn_studio_neighbours(const char *directory, size_t max, struct tn_arena *arena,
			  const char **ret, size_t *ret_count);

/* ---- run_known.c ---- */

/* What a worker read of a project's folder (tn_studio_files_read). On the loop a file is compared
 * with it, and only what is small is read there. `known` may be NULL everywhere: nothing was. */
struct tn_studio_known;
struct tn_studio_known *tn_studio_known_new(void);        /* NULL: no memory */
void tn_studio_known_free(struct tn_studio_known *known); /* accepts NULL */
/* For workers; once. */
void tn_studio_known_read(struct tn_studio_known *known, const char *directory,
			  const atomic_bool *cancelled);
/* The user's own files beside ours, by their bytes; `each` (may be NULL) gets their names. False:
 * there are too many. */
bool tn_studio_foreign_put(struct tn_buf *out, const struct tn_studio_known *known,
			   const struct tn_studio_generated *generated, const char *directory,
			   void (*each)(void *data, const char *name), void *data);
/* What a plan stands on: files, values, and the user's own files beside ours. */
void tn_studio_run_inputs(const struct tn_studio_project *project,
			  const struct tn_studio_known *known,
			  const struct tn_studio_generated *generated, const char *directory,
			  char ret[TN_DIGEST_HEX_SIZE]);
/* The state where it is a local file; empty: none. The first reads it, and is for workers. */
void tn_studio_run_state_mark(const char *directory, char ret[TN_DIGEST_HEX_SIZE]);
/* A large one that was not read: nothing was ever marked so. */
#define TN_STUDIO_STATE_UNREAD "not read"
void tn_studio_known_state(const struct tn_studio_known *known, const char *directory,
			   char ret[TN_DIGEST_HEX_SIZE]);

/* ---- run_files.c ---- */

/* What was read last; NULL: nothing was. */
const struct tn_studio_known *tn_studio_known_of(const struct tn_studio_runs *runs,
						 const struct tn_studio_project *project);
/* The project goes; NULL: all of this. */
void tn_studio_files_forget(struct tn_studio_runs *runs, const struct tn_studio_project *project);

/* ---- run_start.c ---- */

struct tn_studio_starting {
	struct tn_studio_runs *runs;
	struct tn_studio_project *project;
	const struct tn_studio_run_options *options;
	struct tn_studio_fault *fault;
	struct tn_arena arena; /* of the generation, which does not outlive the start */
	struct tn_studio_diagnostics diagnostics;
	struct tn_studio_generated generated;
	struct tn_studio_run *run;
};

/* Nothing else runs, as far as it matters (ST-084). */
bool tn_studio_starting_is_free(struct tn_studio_starting *s);
/* Generates; without errors where they count. */
bool tn_studio_starting_is_valid(struct tn_studio_starting *s);
/* ST-085. */
bool tn_studio_starting_is_trusted(struct tn_studio_starting *s, const struct tn_studio_run *run);
/* The engine has to be initialised before anything else. */
bool tn_studio_starting_needs_init(const struct tn_studio_starting *s, const char *directory,
				   struct tn_str signature);

/* ---- run_engine.c ---- */
struct tn_studio_stamp tn_studio_stamp_from(const struct stat *about);
struct tn_studio_stamp tn_studio_stamp_of(int fd);
bool tn_studio_stamps_equal(const struct tn_studio_stamp *a, const struct tn_studio_stamp *b);
/* False: errno. */
bool tn_studio_program_open(const char *path, struct tn_studio_program *ret);
void tn_studio_program_close(struct tn_studio_program *program); /* its stamp stays */
/* It is as it was when it was opened; a script: what its name leads to is. */
bool tn_studio_program_is_still(const struct tn_studio_program *program, const char *path);

/* ---- run_hold.c: the plan that was made, held ---- */

/* Of what is asked of a plan beside the configuration: destroy, targets and the like. */
void tn_studio_run_request(const struct tn_studio_run_options *options, bool destroy,
			   char ret[TN_DIGEST_HEX_SIZE]);
/* Has a worker hold its file; `then` comes later, with run->plan, or why there is none. Fails:
 * LIMIT, NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_studio_plan_hold(struct tn_studio_run *run,
						void (*then)(struct tn_studio_run *run,
							     const struct tenon_error *why_not),
						struct tenon_error *err);
/* The file is still what is held. */
bool tn_studio_plan_is_still(const struct tn_studio_run *run);
/* Has the engine, argv[0], show it: that program, whatever stands under its name by then, which
 * whoever applies it compares with theirs. Sets `program` and `kept`. Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_plan_show(struct tn_studio_run *run,
						struct tn_studio_capture_options *options,
						struct tenon_error *err);
/* It did: a worker reads `shown` (NULL: nothing), which is taken, and kept of a plan that is new;
 * the run finishes, or those who watch are told, when that is over. */
void tn_studio_plan_shown(struct tn_studio_run *run, struct tn_buf *shown, const char *engine_path,
			  bool is_new);
void tn_studio_plan_drop(struct tn_studio_run *run);

/* ---- run_list.c ---- */

/* What was generated of a project, for whoever asks whether its plans still fit. */
struct tn_studio_standing;
void tn_studio_standing_free(struct tn_studio_standing *standing); /* accepts NULL */

/* ---- run_act.c ---- */

/* It made a plan that could be applied. */
bool tn_studio_plan_is_applicable(const struct tn_studio_run *run);
/* NULL: the plan fits these inputs and this state (ST-083). */
const char *tn_studio_plan_why_stale(const struct tn_studio_run *plan, const char *inputs,
				     const char *state);

struct tn_studio_act {
	struct tn_held plan, folder; /* terraform/ itself, whatever its name leads to */
	struct tn_studio_program engine;
	char plan_id[TN_STUDIO_RUN_ID_SIZE], inputs[TN_DIGEST_HEX_SIZE];
	char digest[TN_DIGEST_HEX_SIZE];
	struct tn_hold_list *list;  /* what a watcher holds; NULL: nothing can be watched here */
	const char *watcher;        /* the program that watches */
	bool destroys, is_as_shown; /* tn_studio_act_words */
	/* For the start of a process. */
	char plan_path[32], folder_path[32], held_at[16];
	int kept[2];
	struct tn_buf summary, detail; /* NUL-terminated */
};
/* What has to be right before anything else. */
bool tn_studio_act_look(struct tn_studio_starting *s);
/* The engine is still the one that was looked at: a script can only be checked. */
bool tn_studio_act_is_still(const struct tn_studio_act *act, const char *engine_path);
/* What a process of this act is started with: that folder, that plan, that engine, and the watcher
 * that sees to it. *ret_held is the caller's to close after the start; -1: there is none. NULL
 * `argv`: no memory. */
TN_MUST_USE enum tenon_code tn_studio_act_use(struct tn_studio_act *act, struct tn_arena *arena,
					      struct tn_studio_process_options *options,
					      int *ret_held, struct tenon_error *err);

/* ---- run_around.c ---- */

struct tn_studio_around {
	struct tn_hold_list *list; /* gets what is to be held; NULL: nothing is */
	bool needs_init;           /* the engine's own folder is made anew before */
	const atomic_bool *cancelled;
	char path[PATH_MAX];      /* of the folder; of what is looked at */
	struct tn_buf large;      /* names of what is only compared */
	struct tn_buf privileged; /* names of files that gain privileges */
	/* Its own. */
	struct tn_buf *out;
	struct tn_arena arena;
	struct tn_buf content;
	uint64_t bytes;
	unsigned count;
	bool is_unheld, failed;
};
void tn_studio_around_init(struct tn_studio_around *around);
void tn_studio_around_finish(struct tn_studio_around *around);
/* Every file below the folder, by its bytes, and large ones and providers by inode, size and times;
 * without the state. False: there are too many, or there is no memory. */
bool tn_studio_around_put(struct tn_studio_around *around, struct tn_buf *out, int folder);

/* ---- run_argv.c ---- */
const char *const *tn_studio_run_argv(struct tn_studio_run *run, enum tn_studio_run_step step);

/* ---- run_step.c ---- */

/* A line of the engine as readers get it, with the next number: what it says, redacted and clean.
 * The text is `out`'s, the rest the arena's. */
struct tn_studio_run_line tn_studio_run_line_of(struct tn_studio_run *run, struct tn_str raw,
						uint64_t cut, bool is_stderr,
						struct tn_arena *arena, struct tn_buf *out,
						struct tn_studio_said *ret_said);
/* Starts the first step. Fails: ENGINE_FAILED. */
bool tn_studio_run_begin(struct tn_studio_run *run, struct tn_studio_fault *fault);

/* ---- run_event.c ---- */
void tn_studio_findings_init(struct tn_studio_run_findings *findings);
void tn_studio_findings_finish(struct tn_studio_run_findings *findings);
void tn_studio_run_hear(struct tn_studio_run *run, const struct tn_studio_said *said);
/* The engine has ended: what its end says that its lines did not. */
void tn_studio_run_conclude(struct tn_studio_run *run);
/* Redacted, and without control characters but line ends; in the run's arena. */
struct tn_str tn_studio_run_clean(struct tn_studio_run *run, struct tn_str text);

/* ---- run_log.c ---- */
void tn_studio_run_log_open(struct tn_studio_run_log *log, const char *folder);
/* The one that is there, to go on with it once all of it was looked at: a chunk at a time, until
 * there is no more. */
void tn_studio_run_log_reopen(struct tn_studio_run_log *log, const char *folder);
bool tn_studio_run_log_look(struct tn_studio_run_log *log, struct tn_buf *chunk);
/* Of a line; 0: it marks what was left out. */
uint64_t tn_studio_run_line_number(struct tn_str line);
void tn_studio_run_log_add(struct tn_studio_run_log *log, const struct tn_studio_run_line *line,
			   int64_t wall_ms);
/* What was added goes to the file; then what does not fit is left out (true: something was). Each
 * of the two takes some ms, which a turn of the loop may have. Flush: both. */
void tn_studio_run_log_append(struct tn_studio_run_log *log);
bool tn_studio_run_log_fit(struct tn_studio_run_log *log);
void tn_studio_run_log_flush(struct tn_studio_run_log *log);
void tn_studio_run_log_close(struct tn_studio_run_log *log);

/* ---- run_rest.c ---- */
/* Of a lost run: how many lines it has, and what its engine wrote to nobody, which is taken into
 * its log; up to so many `turns` at once (the rest of them is left there), the others one for each
 * turn of the loop. What the engine wrote waits until it has ended. */
void tn_studio_rest_open(struct tn_studio_run *run, unsigned *turns);
void tn_studio_rest_close(struct tn_studio_rest *rest); /* accepts NULL */
/* From the start to the last that it wrote, or until now; -1: not known. */
int64_t tn_studio_rest_duration_ms(const struct tn_studio_rest *rest);
/* A line that says what the log has not, and why; nothing where it is whole. */
void tn_studio_rest_tell(const struct tn_studio_rest *rest, struct tn_buf *out);

/* ---- run_result.c ---- */
const char *tn_studio_run_state_name(enum tn_studio_run_state state);
/* The counts of what it has done, or would, up to now. */
void tn_studio_run_put_summary(struct tn_buf *out, const struct tn_studio_run *run);
/* Of one that is over. A lost one's counts are those of its start: its text says that. */
void tn_studio_run_put_stored_summary(struct tn_buf *out, const struct tn_studio_run *run);
void tn_studio_run_put_live(struct tn_buf *out, const struct tn_studio_run *run);
bool tn_studio_run_success(const struct tn_studio_run *run);

/* ---- run_disk.c ---- */

/* run.json as it is now. */
void tn_studio_run_save(struct tn_studio_run *run);
void tn_studio_run_resave(struct tn_studio_run *run); /* of what was stored: its lines are more */
/* Becomes what is stored: nothing of the running stays. */
void tn_studio_run_settle(struct tn_studio_run *run);
/* Reads the runs of earlier processes, once; NULL: no memory. */
struct tn_studio_scanned *tn_studio_runs_scan(struct tn_studio_runs *runs,
					      struct tn_studio_project *project);
/* The oldest go until there is room for one more. */
void tn_studio_runs_prune(struct tn_studio_runs *runs, struct tn_studio_project *project);
void tn_studio_run_free(struct tn_studio_run *run); /* it is in no list */
bool tn_studio_process_is(int pid, uint64_t start);
uint64_t tn_studio_process_start_time(int pid); /* 0: not known */

/* ---- run.c ---- */
struct tn_studio_run *tn_studio_run_new(struct tn_studio_runs *runs,
					struct tn_studio_project *project, const char *id);
void tn_studio_run_tell_end(struct tn_studio_run *run); /* to those who watch */
void tn_studio_run_tell_line(struct tn_studio_run *run, const struct tn_studio_run_line *line);
/* The last step is over. */
void tn_studio_run_finish(struct tn_studio_run *run);
bool tn_studio_run_path(char out[TN_STUDIO_RUN_PATH_SIZE], const char *folder, const char *name);

#endif
