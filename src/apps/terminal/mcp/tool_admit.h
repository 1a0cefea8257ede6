/* tool_admit.h - whether what a call is about to run may run: the analysis, the rules, and where
 * they say so a person (terminal.md sections 10.1 and 10.2).
 *
 * Each returns true: go on. False: the handler returns; the call has ended (denied_by_policy, or an
 * error of consent), or waits for a person and is called again from its start. A person who calls
 * is not asked about what they do themselves; what is denied is denied for them, too. Threads:
 * loop. */
#ifndef TN_TERM_TOOL_ADMIT_H
#define TN_TERM_TOOL_ADMIT_H

#include "apps/terminal/session/run.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/shell/typed_line.h"

/* Reads and judges a resolved run. Fails: NO_MEMORY (the text is too large to be looked at). */
TN_MUST_USE enum tenon_code tn_term_judge(const struct tn_term_door *door, struct tn_term_run *run,
					  bool is_elsewhere, struct tn_verdict_of_rules *ret,
					  struct tenon_error *err);
bool tn_term_admit_run(struct tenon_call *call, struct tn_term_door *door,
		       const struct tn_term_caller *caller, struct tn_term_run *run);

/* send_keys, in one session. */
struct tn_term_typing {
	struct tenon_call *call;
	struct tn_term_door *door;
	const struct tn_term_caller *caller;
	const char *session_id, *cwd;
	const char *shell;   /* name or path of the one in front */
	const char *program; /* what is in front; NULL: the shell */
	/* Of lines that read files: they may be typed much later than they were looked at. */
	struct tn_inputs *inputs[16];
	size_t input_count;
	size_t judged_bytes; /* what was read for it: a line that goes on is read again with each */
};
/* Once for all bytes of the call, before any is sent. A shell in front: each line that they
 * complete is looked at. Another program: the policy's interactive_input decides, and asks once for
 * each program of a session. `line` is the session's, and has taken the bytes when this returns
 * true. */
bool tn_term_admit_typed(struct tn_term_typing *typing, struct tn_typed_line *line,
			 struct tn_str bytes);
/* After typing has begun nobody can be asked: lines that would come to the shell after all, though
 * they were meant for another program, may be typed as far as no rule stops them. `line` as above.
 */
bool tn_term_may_type(const struct tn_term_typing *typing, struct tn_typed_line *line,
		      struct tn_str bytes);
/* A file that one of the lines reads is not what it was; NULL: all are. */
const char *tn_term_typing_changed(const struct tn_term_typing *typing);
void tn_term_typing_finish(struct tn_term_typing *typing);

/* The options' judge_again (sessions.h); `data` is the door. */
bool tn_term_admit_again(const struct tn_term_again *again, struct tn_inputs **ret, void *data);

/* The policy has changed, or is read for the first time: the member "terminal" of policy.json.
 * Registers the door with the server's policy. Fails: INVALID (with file and line), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_admit_open(struct tn_term_door *door, struct tenon_error *err);
void tn_term_admit_close(struct tn_term_door *door); /* frees door->rules */

#endif
