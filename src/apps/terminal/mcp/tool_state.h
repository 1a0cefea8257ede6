/* tool_state.h - what the door of the terminal holds, and how its handlers begin and wait.
 *
 * Threads: loop. */
#ifndef TN_TERM_TOOL_STATE_H
#define TN_TERM_TOOL_STATE_H

#include "apps/terminal/policy/rules.h"
#include "apps/terminal/session/sessions.h"
#include "apps/terminal/mcp/tool_answer.h"
#include "apps/terminal/mcp/tool_live_view.h"
#include "mcp/call.h"
#include "mcp/policy_part.h"
#include "tenon/server.h"

enum { TN_TERM_LISTED_COMMANDS = 50, TN_TERM_LISTED_SIZE = 96 };

struct tn_term_door {
	struct tenon_server *server;
	const struct tenon_app *app; /* whose resources come and go */
	struct tn_term_config config;
	struct tn_term *term;                  /* NULL: no backend, placeholders */
	const struct tn_term_backend *backend; /* NULL: likewise */
	struct tn_live_door *live;             /* NULL: there is nothing to see */
	struct tn_rules *rules;
	struct tn_policy_part policy; /* that reads them (tool_admit.h) */
	/* Those among the resources now, oldest at `listed_next`. */
	char listed[TN_TERM_LISTED_COMMANDS][TN_TERM_LISTED_SIZE];
	unsigned listed_next;
};

/* An argument that is a number, or what counts without it. */
int64_t tn_term_int(const struct tenon_call *call, const char *name, int64_t fallback);
bool tn_term_flag(const struct tenon_call *call, const char *name, bool fallback);
/* max_bytes, lines, format, omit (6.2). `lines` counts only where the tool has it. */
void tn_term_shaping_of(const struct tenon_call *call, struct tn_term_shaping *ret);
/* An object of strings as a block "NAME=value" in the call's arena; NULL: absent. False: the call
 * has ended (a name that is none, no memory). */
bool tn_term_env_of(struct tenon_call *call, const char *name, const char *const **ret);
/* An array of strings, likewise. */
bool tn_term_list_of(struct tenon_call *call, const char *name, const char *const **ret);

/* Every tool begins so: the caller, its rate, the placeholder where there is no backend (with the
 * arguments and `defaults`, the inside of a JSON object, for those that are absent). False: the
 * call has ended. */
bool tn_term_begin(struct tenon_call *call, struct tn_term_door *door, const char *defaults,
		   struct tn_term_caller *ret_caller);

/* A call that waits for the backend. */
struct tn_term_task {
	struct tenon_call *call;
	struct tn_term_door *door;
	struct tn_term_caller caller;
	struct tn_term_op *op; /* running; NULL: not any more */
	struct tn_term_shaping shaping;
	struct tn_term_session *session;
	void (*stop)(struct tn_term_task *task); /* instead of the backend's cancel; may be NULL */
	struct tn_term_progress so_far;
	enum tn_term_until until;
};
/* NULL: the call has ended. Cancelled calls stop waiting by themselves. */
struct tn_term_task *tn_term_task_new(struct tenon_call *call, struct tn_term_door *door,
				      const struct tn_term_caller *caller);

/* The session that the argument session_id names; NULL: the call has ended. `usable`: it can be
 * typed into. */
struct tn_term_session *tn_term_session_of(struct tenon_call *call, struct tn_term_door *door,
					   const struct tn_term_caller *caller, bool usable);

#endif
