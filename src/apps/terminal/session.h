/* session.h - the inside of sessions and commands, for the files that are their parts:
 *
 *   sessions.c        all of them: limits, callers, the backend's table
 *   session.c         one, and what others ask of it
 *   session_new.c     how it is made and started
 *   session_end.c     how it ends
 *   session_input.c   bytes and marks become state
 *   session_time.c    what happens because time passes
 *   command.c         commands: queue, delivery, end, results
 *   operation.c       calls that wait: execute, read, create
 *   wait_for.c        calls that wait for something said or shown
 *   journal.c         what a new daemon must know
 *   journal_sweep.c   what no server has any more
 *
 * Threads: loop. */
#ifndef TN_TERM_SESSION_H
#define TN_TERM_SESSION_H

#include <limits.h>

#include "apps/terminal/environment.h"
#include "apps/terminal/marks.h"
#include "apps/terminal/pty.h"
#include "apps/terminal/record.h"
#include "apps/terminal/screen.h"
#include "apps/terminal/sessions.h"
#include "apps/terminal/shell.h"
#include "apps/terminal/spool.h"
#include "apps/terminal/typed_line.h"
#include "base/arena.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/size.h"

enum {
	START_LIMIT_MS = 3000,      /* 4.2: for the first prompt */
	QUIET_CERTAIN_MS = 1000,    /* 7.1: of silence before "waits for input" ... */
	QUIET_LIKELY_MS = 3000,     /* ... when it is only likely */
	QUIET_HEURISTIC_MS = 300,   /* 5.3 */
	INTERRUPT_TERM_MS = 2000,   /* 7.1: after SIGINT */
	INTERRUPT_KILL_MS = 3000,   /* after SIGTERM */
	INTERRUPT_PROMPT_MS = 2000, /* after SIGKILL: then it is stuck */
	LOOK_MS = 250,              /* how often a running command is looked at */
	SNAPSHOT_BYTES = 4 << 20,   /* of output between two snapshots of the screen */
	SCREEN_PUBLISH_MS = 250,
	NOT_STARTED_MS = 10000, /* for the shell to read its line: then it is stuck */
	SILENT_LINE_MS = 2000,  /* of nothing after a line was sent to a shell that reads */
	LOST_LINE_MS = 300,     /* after a prompt that came instead of a command's begin */
	ECHO_TEXT_MAX = 4096,   /* of a command that is shown in place of the helper line */
	EPOCH_SIZE = 16,
	PROGRAM_SIZE = 128,
	NAME_SIZE = 65 * 4
};

struct tn_term_command {
	struct tn_term_session *session;
	struct tn_handle *handle; /* NULL before it has one */
	char id[TN_HANDLE_SIZE];
	uint64_t number; /* of delivered ones; 0: typed */
	char *text;
	size_t text_size;
	char *cwd_wish;  /* NULL: where the shell is */
	char **env_wish; /* NULL: none */
	char caller[TN_HANDLE_TITLE_SIZE];
	enum tn_term_status status;
	bool journaled, ended, delivered, started, typed, isolated, alternate, timed_out;
	bool sent_again; /* its line was lost on its way, once at least */
	bool passed;     /* a line ended after its delivery, and it was not this one */
	bool unwanted;   /* cancelled between its delivery and its start */
	int ended_by;    /* a signal of ours that was to end it; 0: none */
	int ends_early;  /* the same, while it was still on its way to the shell; 0: none */
	const char *completion;
	int exit_code;
	const char *signal;
	char *cwd;       /* when it started; NULL: not known */
	char *cwd_after; /* when it had ended; NULL: the same */
	int64_t started_wall_ms, ended_wall_ms;
	uint64_t started_ms, queued_ms; /* monotonic */
	uint64_t from, to;              /* of its output */
	uint64_t lines_before, lines;
	int64_t duration_ms;
	uint64_t timeout_ms;
	enum tn_term_on_timeout on_timeout;
	unsigned stage;     /* of ending it: 0 none, 1 INT, 2 TERM, 3 KILL, 4 stuck */
	uint64_t stage_ms;  /* when the next one is due; 0: never */
	unsigned reminders; /* of a signal that came before it had begun, see look_at_early */
	uint64_t lost_ms;   /* when its line counts as lost; 0: it does not look so */
	const char *warnings[4];
	unsigned warning_count;
	struct tn_term_command *next; /* among those that are kept, by number */
	struct tn_term_command *queue_next;
	bool kept; /* one that was delivered and lost waits again, and is kept all the same */
};

struct tn_term_bookmark {
	char key[192]; /* of the caller */
	uint64_t digest, offset;
};

struct tn_term_session {
	struct tn_term *term;
	struct tn_term_session *next, *previous; /* newest first */
	struct tn_handle *handle;
	char id[TN_HANDLE_SIZE], name[NAME_SIZE], owner[TN_HANDLE_PRINCIPAL_SIZE];
	char *project_id;
	char by[TN_HANDLE_TITLE_SIZE]; /* of one that came back: the client that made it */
	char nonce[TN_NONCE_SIZE], epoch[EPOCH_SIZE];
	char caller_key[192]; /* whose session it counts as */

	/* What it is started with. */
	char **program; /* argv; NULL: a shell */
	char **env;
	char shell[PATH_MAX];
	char program_name[PROGRAM_SIZE];
	enum tn_shell_kind kind;
	uint16_t columns, rows;
	bool login, pagers, recorded, history_off, isolated, pipes, temporary, sandboxed,
		sandbox_if_available;
	int stdin_fd; /* -1: none */
	uint32_t idle_timeout_s;

	/* What it has. */
	struct tn_pty *pty; /* NULL: not yet, or no more */
	struct tn_spool *spool, *error_spool;
	struct tn_screen *screen;
	struct tn_record *record; /* NULL: none */
	struct tn_marks marks;
	struct tn_timer *timer;
	struct tn_later *later; /* waiters are looked at */
	char run_folder[PATH_MAX], spool_folder[PATH_MAX];
	int journal_fd;
	size_t journal_bytes;
	bool journal_torn, compacting, reading_journal;

	/* What it does. */
	enum tn_term_state state;
	enum tn_term_integration integration;
	bool at_prompt, swallowing, replaying, prompted_once, wants_spawn, stuck, closing,
		sandbox_failed, directory_failed, typed_since_prompt, paused;
	char cwd[PATH_MAX];
	char title[TN_SCREEN_TITLE_SIZE];
	uint64_t offset, error_offset;    /* of the stream: consumed */
	uint64_t cleared_ms;              /* Ctrl-C was sent to an input line; 0: not */
	uint64_t input_offset;            /* where the prompt's input begins */
	uint16_t input_row, input_column; /* of the screen then */
	uint64_t lines;                   /* line feeds so far */
	char last_byte;
	uint64_t alternate_from; /* UINT64_MAX: not on the alternate screen */
	char alternate_program[64];
	uint64_t snapshot_offset;
	/* Marks up to here have been heard, line feeds counted, and the journal knows of it. */
	uint64_t event_offset;
	struct tn_output_edit *edits;
	size_t edit_count, edit_room, edit_bytes;
	struct tn_term_waiting waiting;
	uint64_t waiting_seen_ms; /* first seen to wait; 0: it does not */
	int64_t created_wall_ms, activity_wall_ms, ended_wall_ms;
	uint64_t output_ms, activity_ms, started_ms, ended_ms, screen_published_ms;
	uint64_t screen_revision; /* that was published */
	int exit_code;
	const char *signal; /* NULL: none */
	char signal_text[24];
	const char *end_reason;                /* static sentence; NULL: it ended by itself */
	char controller[TN_HANDLE_TITLE_SIZE]; /* a person; empty: nobody */
	char *message;                         /* of a hand-over; NULL: none */
	char *failure;                         /* why it could not be started; NULL: it could */
	struct tn_typed_line *typed_line;      /* NULL before something was typed */
	struct tn_term_bookmark bookmarks[16]; /* of waits that were held */
	unsigned bookmark_next;

	/* Commands and who waits. */
	uint64_t numbers;
	struct tn_term_command *commands, *last_command; /* delivered or typed, oldest first */
	size_t command_count;
	struct tn_term_command *queue; /* not delivered yet */
	struct tn_term_command *running;
	struct tn_term_op *ops;
	unsigned look_round;
	struct tn_term_watcher *watchers, *walking; /* walking: the one after the one being told */
	tn_term_closed_fn *on_closed;
	void *on_closed_data;
};

enum tn_term_op_kind { OP_EXECUTE, OP_READ, OP_CREATE, OP_WAIT };

struct tn_regex;

struct tn_term_op {
	struct tn_term *term;
	struct tn_term_session *session;
	struct tn_term_command *command;
	enum tn_term_op_kind kind;
	struct tn_term_op *next; /* of the session */
	unsigned looked;         /* the round of looking that it was seen in, or made */
	struct tn_timer *timer;
	struct tn_term_shaping shaping;
	bool timeout_given, new_session, from_command, activates;
	uint32_t yield_ms;
	uint64_t timeout_ms;
	uint64_t begun_ms, from;
	char caller_key[192];
	union {
		tn_term_executed_fn *executed;
		tn_term_read_fn *read;
		tn_term_created_fn *created;
		tn_term_waited_fn *waited;
	} done;
	void *data;
	/* OP_WAIT */
	enum tn_term_until until;
	char *value;
	size_t value_size;
	struct tn_regex *regex;
	uint64_t scan_from, scanned_to, wait_until_ms, hold_until_ms;
	bool scans_on; /* more stands there than is looked at in one turn */
	uint32_t idle_ms;
};

struct tn_term_active; /* what is known of a caller */

struct tn_term {
	struct tn_term_options options;
	const struct tn_term_config *config;
	struct tn_term_backend backend;
	struct tn_pty_host *host;
	struct tn_environment *environment;
	struct tn_history *history;
	struct tn_redactor *redactor;
	struct tn_spool_budget budget;
	struct tn_handles session_handles, command_handles;
	struct tn_term_session *sessions; /* newest first */
	size_t session_count, open_count; /* open: not exited, closed, failed, lost */
	struct tn_map callers;            /* key to struct tn_term_active */
	struct tn_timer *sweep;
	size_t removed; /* since memory was last given back */
	unsigned names; /* session-N */
	int path_state; /* 0: not asked, 1: asked, 2: known */
	int sandbox_state;
	struct tn_sandbox_probe *sandbox_probe;
	char sandbox_why_not[256];
	bool closing;
};

/* ---- sessions.c ---- */
void tn_term_changed(struct tn_term *term, enum tn_term_change what, const char *id);
void tn_term_set_active(struct tn_term *term, const char *key,
			struct tn_term_session *s); /* NULL: none */
/* As it was with the daemon before: counts when no later session became the caller's. */
void tn_term_revive_active(struct tn_term *term, const char *key, const char *id, int64_t since_ms);
/* Into the session's journal: everybody whose active session it is. */
void tn_term_journal_active(struct tn_term_session *s);
const char *tn_term_active_id(struct tn_term *term, const char *key);
void tn_term_drop_active(struct tn_term *term, const char *id); /* nobody's any more */
TN_MUST_USE enum tenon_code tn_term_host(struct tn_term *term, struct tenon_error *err);
static inline uint64_t tn_term_now(const struct tn_term *term)
{
	return tn_clock_now_ms(term->options.clock);
}
static inline int64_t tn_term_wall(const struct tn_term *term)
{
	return tn_clock_wall_ms(term->options.clock);
}
void tn_term_fault(struct tn_term_fault *fault, const char *code, const char *hint,
		   const char *format, ...) TN_PRINTF(4, 5);
/* From an error of ours: `code` for what the caller can mend, none for faults of the server. */
void tn_term_fault_from(struct tn_term_fault *fault, enum tenon_code code,
			const struct tenon_error *err, const char *domain_code);

/* The same, of a directory that was sent. */
void tn_term_fault_from_directory(struct tn_term_fault *fault, enum tenon_code code,
				  const struct tenon_error *err);

/* Within the limits, and on its way. NULL: *fault. */
struct tn_term_start;
struct tn_term_session *tn_term_session_add(struct tn_term *term, const struct tn_term_start *start,
					    struct tn_term_fault *fault);

/* ---- session_new.c ---- */
struct tn_term_start {
	const struct tn_term_create *create;
	const char *key_of_caller;
	bool isolated, pipes, temporary, has_stdin;
	struct tn_str command, stdin_text; /* of isolated ones */
};
/* NULL: *fault. It starts by itself. */
struct tn_term_session *tn_term_session_new(struct tn_term *term, const struct tn_term_start *start,
					    struct tn_term_fault *fault);
/* Its parts, for one that comes back: a blank one, its folders, screen and timers, its place in the
 * list; or all of it taken apart. */
struct tn_term_session *tn_term_session_blank(struct tn_term *term);
TN_MUST_USE enum tenon_code tn_term_session_folders(struct tn_term_session *s,
						    struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_term_session_error_folder(struct tn_term_session *s,
							 struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_term_session_make_parts(struct tn_term_session *s,
						       struct tenon_error *err);
void tn_term_session_link(struct tn_term_session *s);
void tn_term_session_unmake(struct tn_term_session *s);
void tn_term_session_free(struct tn_term_session *s);  /* nobody knows it any more */
void tn_term_session_spawn(struct tn_term_session *s); /* the surroundings are ready */
void tn_term_session_fail(struct tn_term_session *s, const char *sentence);

/* ---- session_end.c ---- */
void tn_term_session_exited(struct tn_term_session *s);
void tn_term_session_closed(struct tn_term_session *s, const pid_t *killed, unsigned count);
void tn_term_session_lost(struct tn_term_session *s, const char *why);
void tn_term_session_remove(struct tn_term_session *s); /* for good */
void tn_term_session_leave(struct tn_term_session *s);  /* to a server that comes */

/* ---- session.c ---- */
void tn_term_session_set_state(struct tn_term_session *s, enum tn_term_state state);
void tn_term_session_moved(struct tn_term_session *s); /* those who wait should look */
void tn_term_session_tell(struct tn_term_session *s);  /* watchers: changed */
void tn_term_session_tell_command(struct tn_term_session *s, const struct tn_term_command *command);
bool tn_term_session_open(const struct tn_term_session *s); /* it still has its program */

/* ---- session_input.c ---- */
void tn_term_session_readable(struct tn_term_session *s, int stream);
void tn_term_session_replay(struct tn_term_session *s, uint64_t from, uint64_t to);
void tn_term_session_add_edit(struct tn_term_session *s, const struct tn_output_edit *edit);
/* All edits there are now, with one for a full-screen program that is still there. `echo`: commands
 * are shown in place of their helper lines; false: nothing is. In the arena or the session's own:
 * they live until more of its stream is read. */
TN_MUST_USE enum tenon_code tn_term_session_edits(const struct tn_term_session *s, bool echo,
						  struct tn_arena *arena,
						  struct tn_output_source *source,
						  struct tenon_error *err);
void tn_term_session_end_alternate(struct tn_term_session *s, uint64_t at);

/* ---- session_time.c ---- */
void tn_term_session_schedule(struct tn_term_session *s);
void tn_term_session_time(struct tn_timer *timer, void *session);

/* ---- command.c ---- */
struct tn_term_command *tn_term_command_new(struct tn_term_session *s, struct tn_str text,
					    const char *caller);
void tn_term_command_free(struct tn_term_command *c);
/* Takes its place among those whose results are kept. */
void tn_term_command_keep(struct tn_term_command *c);
void tn_term_command_queue(struct tn_term_command *c);
void tn_term_session_pump(struct tn_term_session *s); /* delivers the next one, if it can */
/* Ctrl-C to what stands on the input line; the next prompt is empty. */
void tn_term_session_clear_line(struct tn_term_session *s);
void tn_term_command_start(struct tn_term_command *c, uint64_t from);
void tn_term_command_end(struct tn_term_command *c, uint64_t to, int exit_code);
void tn_term_command_note_cwd(struct tn_term_command *c, const char *cwd); /* a thousand are kept */
void tn_term_command_warn(struct tn_term_command *c, const char *warning); /* static */
void tn_term_command_interrupt(struct tn_term_command *c);
void tn_term_commands_give_up(struct tn_term_session *s); /* the session has ended */

/* ---- operation.c ---- */
struct tn_term_op *tn_term_op_new(struct tn_term *term, enum tn_term_op_kind kind,
				  struct tn_term_session *s, uint64_t hold_ms);
void tn_term_op_free(struct tn_term_op *op);
void tn_term_ops_look(struct tn_term_session *s); /* which of them are done by now */
void tn_term_ops_lose_command(struct tn_term_session *s, const struct tn_term_command *c);
void tn_term_ops_lose(struct tn_term_session *s); /* the session goes for good */
void tn_term_op_cancel(void *self, struct tn_term_op *op);
struct tn_term_op *tn_term_execute(void *self, const struct tn_term_execute *request,
				   tn_term_executed_fn *done, void *data);
struct tn_term_op *tn_term_read(void *self, const struct tn_term_read *request,
				tn_term_read_fn *done, void *data);
struct tn_term_op *tn_term_create(void *self, const struct tn_term_create *request,
				  tn_term_created_fn *done, void *data);

/* ---- wait_for.c ---- */
bool tn_term_wait_look(struct tn_term_op *op); /* true: done, and the op is gone */
void tn_term_wait_time(struct tn_term_op *op);
void tn_term_wait_end(struct tn_term_op *op, const char *reason);

/* ---- journal.c ---- */
void tn_journal_session(struct tn_term_session *s); /* everything that does not change */
void tn_journal_command(struct tn_term_command *c); /* its state now */
void tn_journal_edit(struct tn_term_session *s, const struct tn_output_edit *edit);
void tn_journal_state(struct tn_term_session *s); /* offsets, directory, exit, closing */
void tn_journal_active(struct tn_term_session *s, const char *caller_key);
void tn_journal_snapshot(struct tn_term_session *s);
/* A session that an earlier daemon left. NULL: its journal cannot be read. */
struct tn_term_session *tn_journal_recover(struct tn_term *term, struct tn_pty *pty,
					   const char *key);
/* What stands in the state folder of sessions that nobody has any more goes. */
void tn_journal_sweep(struct tn_term *term);

#endif
