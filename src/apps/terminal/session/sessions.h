/* sessions.h - the sessions of one server: programs on PTYs, the commands that run in them, and who
 * waits for what (terminal.md sections 4 to 7). It is the concrete backend of backend.h.
 *
 * Nothing is opened before the first session, but sessions that an earlier daemon left. Ownership:
 * the app opens and closes it. Threads: loop. */
#ifndef TN_TERM_SESSIONS_H
#define TN_TERM_SESSIONS_H

#include <sys/types.h>

#include "apps/terminal/session/backend.h"
#include "apps/terminal/settings/config.h"
#include "apps/terminal/session/watch.h"
#include "loop/loop.h"
#include "store/handles.h"

struct tn_term;
struct tn_analysis;
struct tn_inputs;
struct tn_names;

enum tn_term_change {
	TN_TERM_LIST_CHANGED,    /* a session came or went; id: NULL */
	TN_TERM_SESSION_CHANGED, /* its state, size, title, directory, commands */
	TN_TERM_SCREEN_CHANGED,  /* at most four times a second */
	TN_TERM_COMMAND_ENDED,   /* id: the command's */
	TN_TERM_HISTORY_CHANGED
};

/* What a command reads, or where it would run, is not what it was when it was judged. */
struct tn_term_again {
	const struct tn_term_caller *caller;
	const char *session_id, *cwd; /* cwd NULL: where the session is */
	struct tn_str text;
	const char *const *env;
	bool is_elsewhere;
};

struct tn_term_options {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	const struct tn_term_config *config; /* outlives it */
	uint64_t records_bytes_max;          /* of all recordings; 0: TN_RECORDS_BYTES_MAX */
	struct tn_handle_registry *registry; /* may be NULL */
	/* Each may be NULL. */
	void (*changed)(enum tn_term_change what, const char *id, void *data);
	/* A session came (or came back), or is forgotten; a command was given a handle. */
	void (*came)(const struct tn_term_session_info *info, void *data);
	void (*went)(const char *id, void *data);
	void (*command_came)(const struct tn_term_command_info *info, const char *owner,
			     void *data);
	/* May it run as it is now, without a question? Then *ret are its inputs, a reference for
	 * the caller. NULL: nothing may. */
	bool (*judge_again)(const struct tn_term_again *again, struct tn_inputs **ret, void *data);
	void (*host_started)(pid_t pid, void *data);         /* nothing below it is a person */
	void (*problem)(const char *sentence, void *data);   /* for the log */
	const char *(*live_url)(const char *id, void *data); /* NULL: there is no page */
	void *data;
};

/* Fails: NO_MEMORY, INVALID (a setting). */
TN_MUST_USE enum tenon_code tn_term_open(const struct tn_term_options *options,
					 struct tn_term **ret, struct tenon_error *err);
/* Ends every session, within TN_PTY_SHUTDOWN_MS. `keep`: leaves them to a server that comes within
 * terminal.host_grace_s, where they persist. Accepts NULL. */
void tn_term_close(struct tn_term *term, bool keep);

struct tn_term_run_wish; /* run.h */
void tn_term_execute_wish(const struct tn_term_execute *request, struct tn_term_run_wish *ret);
void tn_term_create_wish(const struct tn_term_create *request, struct tn_term_run_wish *ret);

const struct tn_term_backend *tn_term_backend(struct tn_term *term);
struct tn_history *tn_term_history(struct tn_term *term);
const char *tn_term_path(const struct tn_term *term); /* of sessions; NULL: not known yet */
const struct tn_term_config *tn_term_settings(const struct tn_term *term);

/* Do sessions of this caller get a sandbox when the call does not say? */
bool tn_term_sandboxes(const struct tn_term_config *config, const struct tn_term_caller *caller);
bool tn_term_is_sandboxed(const struct tn_term_session *s);

/* False: too many calls a minute; *ret_after_ms tells when the next one may come. */
bool tn_term_admit_rate(struct tn_term *term, const struct tn_term_caller *caller,
			uint64_t *ret_after_ms);

/* Calls that wait: at most max_concurrent_calls of one caller. False: there are so many. */
bool tn_term_admit_begin(struct tn_term *term, const struct tn_term_caller *caller);
void tn_term_admit_end(struct tn_term *term, const struct tn_term_caller *caller);

/* Takes secrets out of a text that is about to be sent (settings: redact.results); counts them. */
void tn_term_clean(struct tn_term *term, struct tn_buf *text, unsigned *ret_count);

/* For the audit in the history: a hand-over, a signal, an end. `detail`: a JSON object, or NULL. */
void tn_term_note(struct tn_term *term, const char *kind, const struct tn_term_session *session,
		  const struct tn_term_caller *caller, const char *detail);

/* ---- one session ---- */

struct tn_typed_line;

/* The caller's active session for NULL. NULL: *fault. Closed ones are found, too. */
struct tn_term_session *tn_term_find(struct tn_term *term, const struct tn_term_caller *caller,
				     const char *session_id, struct tn_term_fault *fault);
/* Whether it can be typed into; false: *fault (session_closed, session_exited, session_lost,
 * handed_over unless the caller is a person). A stuck one can: that may free it. */
bool tn_term_usable(struct tn_term_session *session, const struct tn_term_caller *caller,
		    struct tn_term_fault *fault);
const char *tn_term_session_id(const struct tn_term_session *session);
const char *tn_term_session_epoch(const struct tn_term_session *session);
const char *tn_term_session_cwd(const struct tn_term_session *session);
uint64_t tn_term_session_end(const struct tn_term_session *session); /* stream offset */
bool tn_term_session_at_prompt(const struct tn_term_session *session);
/* Something runs or waits to, a command or what was typed. */
bool tn_term_session_busy(const struct tn_term_session *session);
/* The shell itself reads what is typed now: no other program is in front. */
/* What its shell has learnt so far, its start files first (names.h); and what it learns by what is
 * about to be given to it. */
const struct tn_names *tn_term_session_names(struct tn_term_session *session);
void tn_term_session_learn(struct tn_term_session *session, const struct tn_analysis *analysis);
bool tn_term_session_shell_in_front(const struct tn_term_session *session);
/* The program that is in front, with a shell behind it, reads what is typed now, and has read what
 * was. */
bool tn_term_session_is_read(const struct tn_term_session *session);
/* The same, and it takes single keys: nothing of what was typed is left for anybody else. */
bool tn_term_session_has_read_all(const struct tn_term_session *session);
/* What is in front is what the session was made for: there is no shell behind it. */
bool tn_term_session_has_no_shell(const struct tn_term_session *session);
/* What has been typed on the shell's line so far, for the rules. */
struct tn_typed_line *tn_term_session_typed_line(struct tn_term_session *session);
const char *tn_term_session_shell(const struct tn_term_session *session);
/* The name of what is in front; empty: not known. */
void tn_term_session_front(const struct tn_term_session *session, char *out, size_t size);
void tn_term_session_waiting(const struct tn_term_session *session, struct tn_term_waiting *ret);
/* Output from an offset on, or (from = UINT64_MAX) its last lines; what is redacted is counted. */
TN_MUST_USE enum tenon_code
tn_term_session_output(struct tn_term_session *session, uint64_t from, uint64_t to,
		       const struct tn_term_shaping *shaping, bool contiguous,
		       struct tn_output *ret, unsigned *ret_redactions, struct tenon_error *err);

/* Bytes as from a keyboard (for models: tn_term_usable was asked). Fails: EXPIRED, LIMIT (a line of
 * more than 4095 bytes in canonical mode, or too much waits). */
TN_MUST_USE enum tenon_code tn_term_session_send(struct tn_term_session *session,
						 struct tn_str bytes, struct tenon_error *err);

/* Ends it: HUP, TERM, KILL. `done` comes once. */
typedef void tn_term_closed_fn(const struct tn_term_session_info *session, const pid_t *killed,
			       unsigned count, struct tn_str final_output, void *data);
void tn_term_session_close(struct tn_term_session *session, bool force, uint32_t grace_ms,
			   tn_term_closed_fn *done, void *data);
void tn_term_session_close_forget(struct tn_term_session *session, void *data); /* no `done` */

/* Returns how many pids were told. */
unsigned tn_term_session_signal(struct tn_term_session *session, int number, const char *target,
				bool escalate, pid_t *ret_pids, unsigned max);

/* A person is asked to take the keyboard; a `take` and `give` of theirs follow. */
void tn_term_session_hand_over(struct tn_term_session *session, const char *message);
const char *tn_term_session_message(const struct tn_term_session *session); /* NULL: none */

/* ---- commands ---- */

struct tn_term_command;
/* NULL: *fault (unknown_command, output_expired). */
struct tn_term_command *tn_term_command_find(struct tn_term *term,
					     const struct tn_term_caller *caller, const char *id,
					     struct tn_term_fault *fault);
void tn_term_command_describe(const struct tn_term_command *command,
			      struct tn_term_command_info *ret);
struct tn_term_session *tn_term_command_session(const struct tn_term_command *command);
bool tn_term_command_ended(const struct tn_term_command *command);
bool tn_term_command_is_running(
	const struct tn_term_command *command); /* in front of its session */
/* The answer of execute_command as it would be now. Fails: SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_command_result(struct tn_term_command *command,
						   const struct tn_term_shaping *shaping,
						   struct tn_term_executed *ret,
						   struct tenon_error *err);
void tn_term_executed_finish(struct tn_term_executed *executed);
/* Those of a session, oldest first; NULL session: the newest 50 of all that the caller may see. */
void tn_term_commands_each(struct tn_term *term, const struct tn_term_caller *caller,
			   struct tn_term_session *session,
			   void (*each)(const struct tn_term_command_info *info, void *data),
			   void *data);
struct tn_term_progress {
	uint64_t bytes, lines;
	char last_line[256];
};
/* How far a running operation is, for progress; false: it runs no command. */
bool tn_term_op_progress(const struct tn_term_op *op, struct tn_term_progress *ret);

/* ---- waiting (wait_for) ---- */

enum tn_term_until {
	TN_TERM_UNTIL_EXIT,
	TN_TERM_UNTIL_PATTERN,
	TN_TERM_UNTIL_TEXT,
	TN_TERM_UNTIL_SCREEN,
	TN_TERM_UNTIL_IDLE,
	TN_TERM_UNTIL_INPUT,
	TN_TERM_UNTIL_PORT,
	TN_TERM_UNTIL_RETURNED
};
struct tn_term_wait {
	const struct tn_term_caller *caller;
	struct tn_term_session *session;
	struct tn_term_command *command; /* NULL: none */
	enum tn_term_until until;
	struct tn_str value;
	uint64_t from; /* stream offset; UINT64_MAX: from the bookmark or now on */
	uint32_t idle_ms;
	uint64_t timeout_ms;
	uint32_t hold_ms;
};
struct tn_term_waited {
	bool matched;
	const char *reason; /* "matched", "exited", "timed_out", "held", "closed" */
	struct tn_str match, groups[16];
	unsigned group_count;
	uint64_t from, next;
	uint64_t elapsed_ms;
	struct tn_term_session *session;
	struct tn_term_command *command;
};
typedef void tn_term_waited_fn(const struct tn_term_waited *result,
			       const struct tn_term_fault *fault, void *data);
/* Returns the running operation, or NULL when `done` has come. Cancelled with the backend's cancel.
 */
struct tn_term_op *tn_term_wait_for(struct tn_term *term, const struct tn_term_wait *wait,
				    tn_term_waited_fn *done, void *data);

#endif
