/* backend.h - what stands behind the tools: six functions that every backend has, and more that it
 * may have (terminal.md section 14). The concrete one is `sessions.h`; `backend_none.h` answers
 * with placeholders; tests have a scripted one.
 *
 * Called on the loop thread. Each answers at once, or is one operation that completes later,
 * exactly once, on the loop; one that is cancelled is gone, and does not complete. Ownership:
 * requests live for the call; results until the completion returns. */
#ifndef TN_TERM_BACKEND_H
#define TN_TERM_BACKEND_H

#include "apps/terminal/history/history.h"
#include "apps/terminal/session/model.h"

/* A refusal: a code of terminal.md section 13, a sentence, a way out. */
struct tn_term_fault {
	const char *code; /* "busy"; NULL: a fault of the server (-32603) */
	char message[512];
	char hint[256];
	char data[512]; /* a JSON object, or empty */
};

enum tn_term_on_timeout { TN_TERM_INTERRUPT, TN_TERM_KILL, TN_TERM_LEAVE };
enum tn_term_if_busy { TN_TERM_WAIT, TN_TERM_FAIL, TN_TERM_NEW_SESSION };

struct tn_term_shaping {
	size_t bytes_max;
	uint32_t lines_max;
	enum tn_output_format format;
	enum tn_output_omit omit;
};

struct tn_term_run; /* run.h */

struct tn_term_execute {
	const struct tn_term_caller *caller;
	struct tn_term_run *run; /* what was judged and is to run; NULL: the backend resolves it */
	struct tn_str command;
	const char *cwd, *session_id; /* NULL: none */
	const char *const *env;       /* "NAME=value"; NULL: none */
	uint64_t timeout_ms;
	bool timeout_given;
	uint32_t yield_ms;
	enum tn_term_on_timeout on_timeout;
	enum tn_term_if_busy if_busy;
	bool isolated, pty, has_stdin;
	bool outside; /* with isolated: without a sandbox */
	struct tn_str stdin_text;
	struct tn_term_shaping shaping;
};

struct tn_term_screen_text; /* screen_text.h */

/* A command and what it has printed, as a tool answers. */
struct tn_term_executed {
	struct tn_term_command_info command;
	const char *cwd;
	struct tn_output output;
	struct tn_buf error_output; /* with pipes: standard error; has_error_output says */
	bool has_error_output, has_screen;
	enum tn_output_format format;
	const struct tn_screen *screen; /* when has_screen */
	char epoch[32];                 /* for cursors */
	unsigned redactions;
	const char *new_session_id; /* if_busy = new_session */
};

struct tn_term_op; /* the backend's */

struct tn_term_create {
	const struct tn_term_caller *caller;
	struct tn_term_run *run; /* as of tn_term_execute */
	const char *name, *cwd, *project_id, *shell;
	const char *const *program; /* argv; NULL: a shell */
	const char *const *env;
	uint16_t columns, rows;
	bool login, pagers, activate, record;
	int sandbox;                               /* -1: default, 0: off, 1: on */
	uint32_t idle_timeout_s, start_timeout_ms; /* 0: the setting's */
	bool history_off;
};

struct tn_term_read {
	const struct tn_term_caller *caller;
	const char *session_id, *command_id, *cursor;
	struct tn_term_shaping shaping;
	uint32_t wait_ms;
};

struct tn_term_read_result {
	struct tn_term_session_info session;
	const char *command_id; /* NULL: none */
	bool has_ended;         /* it has, be the shell's prompt there or not: `command` is how */
	struct tn_term_command_info command;
	struct tn_output output;
	char epoch[32];
	bool has_screen;
	const struct tn_screen *screen;
	unsigned redactions;
};

/* The completions of operations. `fault` NULL: it went well. */
typedef void tn_term_executed_fn(const struct tn_term_executed *result,
				 const struct tn_term_fault *fault, void *data);
typedef void tn_term_read_fn(const struct tn_term_read_result *result,
			     const struct tn_term_fault *fault, void *data);
typedef void tn_term_created_fn(const struct tn_term_session_info *session,
				struct tn_str first_output, const struct tn_term_fault *fault,
				void *data);

struct tn_term_list {
	const struct tn_term_caller *caller;
	const char *project_id; /* NULL: all */
	bool include_closed, all_callers;
};

struct tn_term_backend {
	void *self;
	/* Each of these returns the running operation (for cancel), or NULL when it has completed.
	 */
	struct tn_term_op *(*execute_command)(void *self, const struct tn_term_execute *request,
					      tn_term_executed_fn *done, void *data);
	struct tn_term_op *(*get_output)(void *self, const struct tn_term_read *request,
					 tn_term_read_fn *done, void *data);
	struct tn_term_op *(*create_session)(void *self, const struct tn_term_create *request,
					     tn_term_created_fn *done, void *data);
	/* Calls `each`, newest first; *ret_active: the caller's active session or NULL. */
	void (*list_sessions)(void *self, const struct tn_term_list *request,
			      void (*each)(const struct tn_term_session_info *info, void *data),
			      void *data, const char **ret_active);
	/* False: *fault says why. */
	bool (*switch_session)(void *self, const struct tn_term_caller *caller,
			       const char *session_id, struct tn_term_session_info *ret,
			       char ret_previous[64], struct tn_term_fault *fault);
	/* Fails as tn_history_search. */
	enum tenon_code (*search_history)(void *self, const struct tn_history_search *search,
					  void (*done)(struct tn_history_found *found, void *data),
					  void *data, struct tenon_error *err);
	void (*cancel)(void *self, struct tn_term_op *op);
	/* What send_keys, wait_for, get_screen, signal, resize_session, close_session, hand_over
	 * need is the session itself: NULL here means not_supported. Fails: *fault. */
	struct tn_term_session *(*find)(void *self, const struct tn_term_caller *caller,
					const char *session_id, struct tn_term_fault *fault);
};

#endif
