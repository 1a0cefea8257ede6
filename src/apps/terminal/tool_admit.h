/* tool_admit.h - whether what a call is about to run may run: the analysis, the rules, and where
 * they say so a person (terminal.md sections 10.1 and 10.2).
 *
 * Each returns true: go on. False: the handler returns; the call has ended (denied_by_policy, or an
 * error of consent), or waits for a person and is called again from its start. A person who calls
 * is not asked about what they do themselves; what is denied is denied for them, too. Threads:
 * loop. */
#ifndef TN_TERM_TOOL_ADMIT_H
#define TN_TERM_TOOL_ADMIT_H

#include "apps/terminal/tool_state.h"
#include "apps/terminal/typed_line.h"

bool tn_term_admit_execute(struct tenon_call *call, struct tn_term_door *door,
			   const struct tn_term_caller *caller,
			   const struct tn_term_execute *request);
/* create_session: what is started instead of a shell (request->program is not NULL). */
bool tn_term_admit_program(struct tenon_call *call, struct tn_term_door *door,
			   const struct tn_term_caller *caller,
			   const struct tn_term_create *request);
/* send_keys, once for all bytes of the call, before any is sent. A shell in front: each line that
 * they complete is looked at. Another program: the policy's interactive_input decides, and asks
 * once for each program of a session. `shell`: its name or path; `program`: what is in front, NULL
 * for the shell. `line` is the session's, and has taken the bytes when this returns true. */
bool tn_term_admit_typed(struct tenon_call *call, struct tn_term_door *door, const char *session_id,
			 const char *cwd, const char *shell, const char *program,
			 struct tn_typed_line *line, struct tn_str bytes);

/* The policy has changed, or is read for the first time: the member "terminal" of policy.json.
 * Registers the door with the server's policy. Fails: INVALID (with file and line), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_admit_open(struct tn_term_door *door, struct tenon_error *err);
void tn_term_admit_close(struct tn_term_door *door); /* frees door->rules */

#endif
