/* model.h - sessions and commands as everybody sees them: the terms of terminal.md sections 2, 4
 * and 7.
 *
 * Plain values filled by a backend; texts live until the loop turns. Threads: loop. */
#ifndef TN_TERM_MODEL_H
#define TN_TERM_MODEL_H

#include "apps/terminal/output/output.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum tn_term_state {
	TN_TERM_STARTING,
	TN_TERM_IDLE,
	TN_TERM_RUNNING,
	TN_TERM_WAITING_INPUT,
	TN_TERM_EXITED,
	TN_TERM_CLOSED,
	TN_TERM_FAILED,
	TN_TERM_LOST
};
enum tn_term_integration {
	TN_TERM_INTEGRATION_NONE,
	TN_TERM_INTEGRATION_PROMPT,
	TN_TERM_INTEGRATION_MARKS,
	TN_TERM_INTEGRATION_PROCESS
};
enum tn_term_status {
	TN_TERM_QUEUED,
	TN_TERM_STATUS_RUNNING,
	TN_TERM_COMPLETED,
	TN_TERM_TIMED_OUT,
	TN_TERM_INTERRUPTED,
	TN_TERM_KILLED,
	TN_TERM_STATUS_WAITING_INPUT,
	TN_TERM_SESSION_EXITED,
	TN_TERM_NOT_STARTED, /* it has not run, and will not */
	TN_TERM_UNKNOWN      /* nothing proves that it ran, or that it did not */
};
const char *tn_term_state_name(enum tn_term_state state);
const char *tn_term_integration_name(enum tn_term_integration integration);
const char *tn_term_status_name(enum tn_term_status status);

/* Among a command's warnings: what it says of a refusal may be the sandbox's doing. */
#define TN_TERM_SANDBOX_WARNING                                                                \
	"maybe refused by the sandbox: isolated with sandbox \"off\" asks a person to run it " \
	"once without"

enum { TN_TERM_NO_EXIT_CODE = -1 };

/* Who calls. The key separates active sessions: principal, client, conversation. */
struct tn_term_caller {
	char key[192];
	const char *principal, *client;
	int64_t process;       /* of a relay: where it runs sessions start; 0: not known */
	const char *directory; /* where our own front says it was started; NULL: not known */
	/* One call is its whole conversation (`tenon call`): nobody comes back to a session that a
	 * call without session_id has made. */
	bool passes_by;
	bool person;
	bool elsewhere; /* it speaks from another machine */
};

struct tn_term_waiting {
	bool for_input, certain, hidden_input;
	char program[64]; /* empty: unknown */
};

struct tn_term_session_info {
	const char *id, *name, *cwd, *program, *title, *sandbox, *owner;
	const char *project_id, *shell, *running_command_id, *signal, *live_url; /* NULL: none */
	bool is_active, alternate_screen, stuck, hosted, recorded;
	enum tn_term_state state;
	enum tn_term_integration integration;
	int pid;
	uint16_t columns, rows;
	int exit_code; /* or TN_TERM_NO_EXIT_CODE */
	int64_t created_ms, last_activity_ms, expires_ms;
	uint64_t total_bytes;
	const char *controlled_by; /* NULL: nobody; a person who has taken over, or was handed it */
	const char *message;       /* NULL, or what a person was asked to do (hand_over) */
	struct tn_term_waiting waiting; /* while it starts, from 1 s on: what is in front */
};

/* What a command waits for that is queued. */
enum tn_term_queued_for { TN_TERM_FOR_NOTHING, TN_TERM_FOR_COMMAND, TN_TERM_FOR_SHELL_START };

struct tn_term_command_info {
	const char *id, *session_id, *text, *cwd, *signal /* NULL: none */, *caller;
	uint64_t number;
	enum tn_term_status status;
	enum tn_term_queued_for queued_for;   /* FOR_NOTHING unless it is queued */
	enum tn_term_integration integration; /* of its session */
	const char *completion;               /* "marks", "process", "heuristic", "none" */
	int exit_code;
	int64_t started_ms, duration_ms; /* wall clock; duration so far while it runs */
	uint64_t from, to;               /* its output, stream offsets */
	uint64_t total_bytes, total_lines, timeout_ms;
	bool isolated, typed; /* typed: by a person or send_keys */
	bool alternate_screen;
	struct tn_term_waiting waiting;
	const char *const *warnings; /* NULL-terminated; may be NULL */
};

#endif
