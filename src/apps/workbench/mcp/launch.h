/* launch.h - servers that we start for sessions (workbench.md 10.5, S6): one for all sessions whose
 * launcher and options are equal; it ends with the last of them.
 *
 * launch.c has their life, launch_server.c the process and what it says, launch_sessions.c what
 * both stand on. Ownership: the door has them, beyond the workspace that they are of: until the
 * last process of one has ended. Threads: loop. */
#ifndef TN_WB_LAUNCH_H
#define TN_WB_LAUNCH_H

#include "apps/workbench/launch/launcher.h"
#include "apps/workbench/launch/prepare.h"
#include "apps/workbench/launch/process.h"
#include "apps/workbench/mcp/door.h"

enum tn_wb_launch_phase {
	TN_WB_LAUNCH_PREPARING, /* a worker looks whether everything is there */
	TN_WB_LAUNCH_STARTING,  /* the process runs, and does not serve yet */
	TN_WB_LAUNCH_SERVING,
	TN_WB_LAUNCH_ENDING /* it is stopped, or there is nothing of it */
};

struct tn_wb_poll;
struct tn_wb_preparation;
struct tn_wb_ready;

struct tn_wb_launch {
	struct tn_wb_door *door;
	struct tn_wb_launch *next;
	char workspace[TN_HANDLE_SIZE];
	char *launcher; /* its id */
	char *options;  /* JSON; "null" */
	/* What was agreed to, whatever the files say by now: a module's description of it, and the
	 * variables of the configuration; JSON, "null". */
	char *described, *environment;
	uint64_t inputs;
	uint64_t hints; /* that its Vite was told of last */
	char *packages; /* that it prepared when it began (vite.h) */
	enum tn_wb_launch_phase phase;
	struct tn_wb_preparation *preparation; /* the worker's; NULL: it is done */
	struct tn_wb_process *process;
	char *url;                        /* where it serves; NULL: not known yet */
	char *error_code, *error_message; /* what it has said of its end */
	uint64_t due_ms;                  /* ENDING: when it is killed */

	/* Of a command: it is found by what it prints, or by asking. It is seen through the
	 * gateway, or its pages have a tag (S18). */
	bool is_command, is_tagged;
	struct tn_wb_ready *ready; /* NULL: it is asked */
	char *address;             /* its `url`, with the port; NULL: it has none */
	struct tn_timer *poll_timer;
	struct tn_wb_poll *poll; /* the worker's, now */
};

/* What a launch is of, while the session begins. */
struct tn_wb_launch_wish {
	struct tn_wb_workspace *workspace;
	struct tn_wb_launcher launcher;
	const struct tn_json *options; /* or NULL */
};

/* ---- launch_sessions.c ---- */

struct tn_wb_workspace *
tn_wb_launch_workspace(const struct tn_wb_launch *launch); /* NULL: closed */
/* Those of its sessions that are live, one after the other; NULL begins. */
struct tn_wb_session *tn_wb_launch_next(const struct tn_wb_launch *launch,
					const struct tn_wb_session *after);
/* One of the texts that a launch keeps, read into the arena; NULL: "null", or no memory. */
const struct tn_json *tn_wb_launch_kept(const char *text, struct tn_arena *arena);
/* It is asked to end, if it was not yet. */
void tn_wb_launch_end(struct tn_wb_launch *launch);
/* None of its sessions can go on. The process, if it runs, is stopped. */
void tn_wb_launch_fail(struct tn_wb_launch *launch, enum tn_wb_session_event event,
		       const char *code, const char *message);

/* ---- launch.c ---- */

/* Files of the workspace were replaced, as a Save says it: [{"filePath",...}]. */
void tn_wb_launches_written(struct tn_wb_door *door, const struct tn_wb_workspace *workspace,
			    struct tn_str files);

/* A live session of the same target (17.1, `reused`); NULL: there is none. */
struct tn_wb_session *tn_wb_launch_find_session(const struct tn_wb_launch_wish *wish,
						struct tn_str component);
/* The session gets a server: one that serves already, or a new one. */
TN_MUST_USE enum tenon_code tn_wb_launch_begin(struct tn_wb_door *door,
					       const struct tn_wb_launch_wish *wish,
					       struct tn_wb_session *session,
					       struct tenon_error *err);
/* Servers without live sessions are stopped, sessions whose server is not theirs alone let go of
 * it. After how many ms there is more, UINT64_MAX: nothing is due. */
uint64_t tn_wb_launches_tick(struct tn_wb_door *door);
/* The workspace is closing: its servers end, and know of no session any more. */
void tn_wb_launches_leave(struct tn_wb_door *door, const struct tn_wb_workspace *workspace);
void tn_wb_launches_finish(struct tn_wb_door *door); /* all of them, at once */
/* The configuration or the registry is another: servers are told what is instrumented now, and
 * sessions whose server began with what cannot change while it runs are told so (C5). */
void tn_wb_launches_compare(struct tn_wb_door *door, struct tn_wb_workspace *workspace);

/* ---- launch_reach.c ---- */

/* It serves there, says it: every session is reached, or it fails. */
void tn_wb_launch_reach_all(struct tn_wb_launch *launch, struct tn_str said);
/* The same for one more session of a server that serves. */
void tn_wb_launch_reach(struct tn_wb_launch *launch, struct tn_wb_session *session);
void tn_wb_launch_log(const struct tn_wb_launch *launch, enum tn_wb_log_level level,
		      struct tn_str text);
void tn_wb_launch_keep(char **to, struct tn_str text); /* NULL: no memory */
/* For tn_wb_process_options.ended. */
void tn_wb_launch_ended(void *launch, struct tn_child_end end);

/* ---- launch_vite.c, launch_command.c ---- */

/* Everything is there: the process starts. What `arena` has may be used until it returns. */
TN_MUST_USE enum tenon_code tn_wb_launch_vite_start(struct tn_wb_launch *launch,
						    const struct tn_wb_workspace *workspace,
						    const struct tn_wb_prepare *prepared,
						    struct tn_arena *arena,
						    struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_wb_launch_command_start(struct tn_wb_launch *launch,
						       const struct tn_wb_prepare *prepared,
						       struct tn_arena *arena,
						       struct tenon_error *err);
/* A session more whose pages Vite serves, and one less. */
void tn_wb_launch_vite_join(struct tn_wb_launch *launch, const struct tn_wb_session *session);
void tn_wb_launch_vite_written(struct tn_wb_launch *launch, const char *root,
			       const struct tn_json *files);
/* What is instrumented is another. */
void tn_wb_launch_vite_hint(struct tn_wb_launch *launch, const struct tn_wb_registry *registry);
void tn_wb_launch_vite_part(struct tn_wb_launch *launch, const struct tn_wb_session *session);
void tn_wb_launch_command_finish(struct tn_wb_launch *launch);

#endif
