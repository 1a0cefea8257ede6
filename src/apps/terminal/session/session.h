/* session.h - the inside of sessions and commands, for the files that are their parts:
 *
 *   sessions.c        all of them: limits, the backend's table
 *   sessions_find.c   which one a caller means
 *   callers.c         who calls: active sessions, rates
 *   fault.c           what callers can mend
 *   session.c         one: its state, and what it is told to do
 *   session_view.c    what is seen of it
 *   session_new.c     how it is made
 *   session_start.c   from its program's start to the shell's first prompt
 *   session_end.c     how it ends
 *   session_input.c   bytes and marks become state
 *   session_edits.c   what is shown in place of parts of the stream
 *   session_disk.c    a full disk
 *   session_time.c    what happens because time passes
 *   command.c         commands: queue, delivery, end, results
 *   operation.c       calls that wait (operation.h), whatever for:
 *   execute.c         for a command
 *   execute_where.c   which session that is given to
 *   read.c            for output
 *   create.c          for a session to be ready
 *   wait_for.c        for something said or shown
 *   journal.c         what a new daemon must know
 *   journal_sweep.c   what no server has any more
 *
 * Threads: loop. */
#ifndef TN_TERM_SESSION_H
#define TN_TERM_SESSION_H

#include <limits.h>

#include "apps/terminal/pty/environment.h"
#include "apps/terminal/output/marks.h"
#include "apps/terminal/pty/pty.h"
#include "apps/terminal/session/record.h"
#include "apps/terminal/session/record_trim.h"
#include "apps/terminal/session/run.h"
#include "apps/terminal/screen/screen.h"
#include "apps/terminal/sandbox/sandbox.h"
#include "apps/terminal/session/sessions.h"
#include "apps/terminal/shell/shell.h"
#include "apps/terminal/output/spool.h"
#include "apps/terminal/shell/typed_line.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/size.h"

enum {
	CREATE_HOLD_MS = 9000,      /* create_session waits for the first prompt */
	START_TOLD_MS = 1000,       /* 4.2: from then on it is said what is in front */
	TAKE_MS = 10000,            /* for a shell to read our line before it is given up */
	QUIET_CERTAIN_MS = 1000,    /* 7.1: of silence before "waits for input" ... */
	QUIET_LIKELY_MS = 3000,     /* ... when it is only likely */
	QUIET_HEURISTIC_MS = 300,   /* 5.3 */
	INTERRUPT_TERM_MS = 2000,   /* 7.1: after SIGINT */
	INTERRUPT_KILL_MS = 3000,   /* after SIGTERM */
	INTERRUPT_PROMPT_MS = 2000, /* after SIGKILL: then it is stuck */
	BEGINNING_MS = 1000,        /* in which a shell starts a command's first program */
	LOOK_MS = 250,              /* how often a running command is looked at */
	SNAPSHOT_BYTES = 4 << 20,   /* of output between two snapshots of the screen */
	SCREEN_PUBLISH_MS = 250,
	NOT_STARTED_MS = 10000, /* for the shell to read its line: then it is stuck */
	SILENT_LINE_MS = 2000,  /* of nothing after a line was sent to a shell that reads */
	LOST_LINE_MS = 300,     /* after a prompt that came instead of a command's begin */
	ECHO_TEXT_MAX = 4096,   /* of a command that is shown in place of the helper line */
	EPOCH_SIZE = 16,
	PROGRAM_SIZE = 128,
	NAME_SIZE = 65 * 4,
	STAGE_STUCK = 4 /* of ending a command: nothing more can be done */
};

struct tn_term_command {
	struct tn_term_session *session;
	struct tn_handle *handle; /* NULL before it has one */
	char id[TN_HANDLE_SIZE];
	uint64_t number; /* of delivered ones; 0: typed */
	char *text;
	size_t text_size;
	char *cwd_wish;           /* NULL: where the shell is */
	struct tn_inputs *inputs; /* what was judged; NULL: it was typed, or is over */
	char **env_wish;          /* NULL: none */
	char caller[TN_HANDLE_TITLE_SIZE];
	enum tn_term_status status;
	bool journaled, ended, delivered, started, typed, isolated, alternate, timed_out;
	bool told;         /* its caller has its id: it is worth something without the call */
	bool sent_again;   /* its line was lost on its way, once at least */
	bool passed;       /* a line ended after its delivery, and it was not this one */
	bool changed;      /* not run: what it reads, or where, is not what was judged (10.2) */
	bool unwanted;     /* cancelled between its delivery and its start */
	unsigned to_shell; /* cancelled while the shell was about to start its program: looks */
	int ended_by;      /* a signal of ours that was to end it; 0: none */
	int ends_early;    /* the same, while it was still on its way to the shell; 0: none */
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
	unsigned stage;     /* of ending it: 0 none, 1 INT, 2 TERM, 3 KILL, STAGE_STUCK */
	uint64_t stage_ms;  /* when the next one is due; 0: never */
	unsigned reminders; /* of a signal that came before it had begun, see look_at_early */
	uint64_t lost_ms;   /* when its line counts as lost; 0: it does not look so */
	char *problem; /* why it could not be handed over; NULL: it could, or was not to be yet */
	const char *warnings[4];
	unsigned warning_count;
	struct tn_term_command *next; /* among those that are kept, by number */
	struct tn_term_command *queue_next;
	bool kept; /* one that was delivered and lost waits again, and is kept all the same */
};

/* 4.2: how far its shell has come. Nothing is typed into it before TN_START_OVER, but one line of
 * ours to a shell that took the first one's place and shows its prompt. */
enum tn_start_state {
	TN_START_PENDING,     /* there is no program yet: what all have in common is asked for */
	TN_START_FILES,       /* the shell reads its start files; its first mark ends this */
	TN_START_INTERRUPTED, /* likewise, but Ctrl-C may have ended them without our part */
	TN_START_TAKING,      /* our line was typed (session_start.c) */
	TN_START_OVER         /* a prompt was shown, or what runs says nothing of itself */
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
	bool login, pagers, recorded, record_ended /* before the session */, history_off, isolated,
		pipes, temporary, sandboxed, holds, /* its inputs (hold.h) */
		sandbox_if_available;
	enum tn_sandbox_kind sandbox; /* when it is sandboxed */
	int stdin_fd;                 /* -1: none */
	struct tn_held folder;        /* where it will start; fd -1: it has */
	struct tn_inputs *inputs;     /* of what it is started with; NULL: it has been */
	uint32_t idle_timeout_s, start_timeout_ms;

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
	enum tn_start_state start_state;
	uint64_t taken_ms;    /* when our line was typed to what took the shell's place */
	uint64_t root_digest; /* of the root program when it showed its first prompt */
	bool at_prompt, swallowing, replaying, stuck, closing, sandbox_failed, directory_failed,
		inputs_changed, typed_since_prompt, paused;
	uint64_t waits_told, gave_told; /* of a full disk: 1 + the command's number; 0: nobody */
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
	struct tn_names names;                 /* what its shell has learnt */
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
	struct tn_record_trimmer *trimmer;
	size_t removed; /* since memory was last given back */
	unsigned names; /* session-N */
	int path_state; /* 0: not asked, 1: asked, 2: known */
	int sandbox_state;
	enum tn_sandbox_kind sandbox; /* that works; while one is tried: which */
	struct tn_sandbox_probe *sandbox_probe;
	char sandbox_why_not[512];
	bool closing;
};

/* ---- sessions_tell.c ---- */
void tn_term_changed(struct tn_term *term, enum tn_term_change what, const char *id);
static inline uint64_t tn_term_now(const struct tn_term *term)
{
	return tn_clock_now_ms(term->options.clock);
}
/* How long it has been, in ms; not at all, for what began after somebody looked at the clock: what
 * is looked at in a turn may begin in it. */
static inline uint64_t tn_term_since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}
static inline int64_t tn_term_wall(const struct tn_term *term)
{
	return tn_clock_wall_ms(term->options.clock);
}

/* ---- sessions_host.c ---- */
TN_MUST_USE enum tenon_code tn_term_host(struct tn_term *term, struct tenon_error *err);

/* ---- sessions_add.c ---- */
void tn_term_set_active(struct tn_term *term, const char *key,
			struct tn_term_session *s); /* NULL: none */
/* Within the limits, and on its way. NULL: *fault. */
struct tn_term_start;
struct tn_term_session *tn_term_session_add(struct tn_term *term, const struct tn_term_start *start,
					    struct tn_term_fault *fault);

/* ---- callers.c ---- */
/* Of a relay that has not called yet what an ended one of its host had last; it is its own as soon
 * as it calls. Two relays that run share none. */
const char *tn_term_active_id(struct tn_term *term, const char *key);
/* From now on; `id` empty: none. False: no memory, it is not kept. */
bool tn_term_put_active(struct tn_term *term, const char *key, const char *id);
/* As it was with the daemon before: counts when no later session became the caller's. */
void tn_term_revive_active(struct tn_term *term, const char *key, const char *id, int64_t since_ms);
void tn_term_drop_active(struct tn_term *term, const char *id); /* nobody's any more */
/* Key of the next caller whose active session it is; `cursor` begins at 0. NULL: no more. */
const char *tn_term_next_active(const struct tn_term *term, const char *id, size_t *cursor);

/* ---- fault.c ---- */
void tn_term_fault(struct tn_term_fault *fault, const char *code, const char *hint,
		   const char *format, ...) TN_PRINTF(4, 5);
/* From an error of ours: `code` for what the caller can mend, none for faults of the server. */
void tn_term_fault_from(struct tn_term_fault *fault, enum tenon_code code,
			const struct tenon_error *err, const char *domain_code);

/* The same, of a directory that was sent. */
void tn_term_fault_from_directory(struct tn_term_fault *fault, enum tenon_code code,
				  const struct tenon_error *err);
/* 10.2: what it was judged by was changed between the judgement and the run. */
void tn_term_fault_changed(struct tn_term_fault *fault);
/* The session's program has never been there. */
void tn_term_fault_not_started(struct tn_term_fault *fault, const struct tn_term_session *s);

/* ---- sessions_find.c ---- */
/* Why one that has ended cannot be used. */
void tn_term_fault_ended(const struct tn_term_session *s, struct tn_term_fault *fault);

/* ---- session_new.c ---- */
struct tn_term_start {
	const struct tn_term_create *create;
	const struct tn_term_run *run; /* where, and of which inputs */
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

/* ---- session_start.c ---- */
/* Its shell has not shown a prompt: what is to run waits. */
static inline bool tn_term_session_starting(const struct tn_term_session *s)
{
	return s->start_state != TN_START_OVER;
}
/* Its program has been started. */
void tn_term_start_begun(struct tn_term_session *s);
/* A first prompt was shown. */
void tn_term_start_over(struct tn_term_session *s);
/* What took the shell's place has read our line, up to this offset of the stream. False: nothing
 * did. */
bool tn_term_start_taken(struct tn_term_session *s, uint64_t at);
/* Something that interrupts was sent to it. */
void tn_term_start_interrupted(struct tn_term_session *s);
void tn_term_start_look(struct tn_term_session *s, uint64_t now);
/* The command that runs may have put another shell in the place of its own (exec zsh). */
void tn_term_start_look_again(struct tn_term_session *s, uint64_t now);
/* Why a command that waited for the first prompt was not run. */
void tn_term_start_fault(const struct tn_term_command *c, struct tn_term_fault *fault);

/* ---- session_end.c ---- */
void tn_term_session_exited(struct tn_term_session *s);
void tn_term_session_closed(struct tn_term_session *s, const pid_t *killed, unsigned count);
void tn_term_session_lost(struct tn_term_session *s, const char *why);
void tn_term_session_remove(struct tn_term_session *s); /* for good */
void tn_term_session_leave(struct tn_term_session *s);  /* to a server that comes */

/* ---- session.c ---- */
void tn_term_session_set_state(struct tn_term_session *s, enum tn_term_state state);
/* What was waited for has come: it works again, at its start or at a command. */
void tn_term_session_works(struct tn_term_session *s);
void tn_term_session_moved(struct tn_term_session *s); /* those who wait should look */
void tn_term_session_tell(struct tn_term_session *s);  /* watchers: changed */
void tn_term_session_tell_command(struct tn_term_session *s, const struct tn_term_command *command);

/* ---- session_view.c ---- */
/* It still has its program. */
static inline bool tn_term_session_open(const struct tn_term_session *s)
{
	return s->state == TN_TERM_STARTING || s->state == TN_TERM_IDLE ||
	       s->state == TN_TERM_RUNNING || s->state == TN_TERM_WAITING_INPUT;
}
/* What is in front is the shell itself, or a child of it that is no other program yet. It has a
 * PTY. */
bool tn_term_session_is_shell_still(const struct tn_term_session *s);
/* Who is in front, once it is worth telling. */
void tn_term_start_describe(const struct tn_term_session *s, struct tn_term_waiting *ret);

/* ---- session_input.c ---- */
void tn_term_session_readable(struct tn_term_session *s, int stream);
void tn_term_session_replay(struct tn_term_session *s, uint64_t from, uint64_t to);
/* Its shell reads what is typed at its prompt, from this offset of the stream on. */
void tn_term_session_prompted(struct tn_term_session *s, uint64_t at);

/* ---- session_edits.c ---- */
void tn_term_session_add_edit(struct tn_term_session *s, const struct tn_output_edit *edit);
/* All edits there are now, with one for a full-screen program that is still there. `echo`: commands
 * are shown in place of their helper lines; false: nothing is. In the arena or the session's own:
 * they live until more of its stream is read. */
TN_MUST_USE enum tenon_code tn_term_session_edits(const struct tn_term_session *s, bool echo,
						  struct tn_arena *arena,
						  struct tn_output_source *source,
						  struct tenon_error *err);
void tn_term_session_end_alternate(struct tn_term_session *s, uint64_t at);
/* So much more is written down than has been understood (intake.h). */
uint64_t tn_term_session_ahead(const struct tn_term_session *s);

/* ---- session_disk.c ---- */
/* Once a command each: what it waits for, and why beginnings of outputs are gone. */
void tn_term_session_wait_for_room(struct tn_term_session *s, const struct tenon_error *err);
void tn_term_session_tell_gave(struct tn_term_session *s);
/* A file of ours could not be written, `why`: true, old output was given up; try again. */
bool tn_term_session_made_room(struct tn_term_session *s, const struct tenon_error *why);

/* As tn_pty_signal; who is stopped goes on to hear what is to end it. */
unsigned tn_term_session_kill(struct tn_term_session *s, int number, enum tn_pty_target whom,
			      pid_t *ret_pids, unsigned max);

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
/* Takes it out of the queue: it has not run, and will not. */
void tn_term_command_withdraw(struct tn_term_command *c);
void tn_term_commands_give_up(struct tn_term_session *s); /* the session has ended */

/* ---- the backend's calls (execute.c, read.c, create.c) ---- */
struct tn_term_op *tn_term_execute(void *self, const struct tn_term_execute *request,
				   tn_term_executed_fn *done, void *data);
struct tn_term_op *tn_term_read(void *self, const struct tn_term_read *request,
				tn_term_read_fn *done, void *data);
struct tn_term_op *tn_term_create(void *self, const struct tn_term_create *request,
				  tn_term_created_fn *done, void *data);

/* ---- journal.c ---- */
/* The place of a session that no host keeps: it is lost when its server is killed. */
#define TN_JOURNAL_NO_PLACE "-"
void tn_journal_session(struct tn_term_session *s); /* everything that does not change */
void tn_journal_command(struct tn_term_command *c); /* its state now */
void tn_journal_edit(struct tn_term_session *s, const struct tn_output_edit *edit);
void tn_journal_state(struct tn_term_session *s); /* offsets, directory, exit, closing */
void tn_journal_active(struct tn_term_session *s, const char *caller_key);
void tn_journal_snapshot(struct tn_term_session *s);
/* A session that an earlier daemon left. NULL: its journal cannot be read. */
struct tn_term_session *tn_journal_recover(struct tn_term *term, struct tn_pty *pty,
					   const char *key);

/* ---- journal_sweep.c ---- */
typedef struct tn_term_session *tn_journal_recover_fn(struct tn_term *term, struct tn_pty *pty,
						      const char *key);
/* What stands in the state folder of sessions that nobody has any more goes. */
void tn_journal_sweep(struct tn_term *term, tn_journal_recover_fn *recover);

#endif
