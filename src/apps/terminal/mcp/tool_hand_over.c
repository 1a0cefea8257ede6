/* hand_over: the keyboard goes to a person, and comes back (terminal.md section 7.14). The only way
 * to enter a password or a one-time code. */
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

enum { TIMEOUT_MS = 600000 };

static const char *reason_of(const struct tn_term_task *task, const struct tn_term_waited *result)
{
	return result->matched && task->until == TN_TERM_UNTIL_RETURNED ? "returned"
									: result->reason;
}

static void put_text(struct tn_buf *out, const char *reason, const char *url)
{
	if (strcmp(reason, "held") != 0) {
		tn_buf_format(out, "[%s: the keyboard is yours again]",
			      strcmp(reason, "returned") == 0 ? "returned by the person" : reason);
		return;
	}
	tn_buf_append_text(out, "[still with the person; call hand_over again to go on waiting.");
	if (url)
		tn_buf_format(out, " They can type at %s", url);
	tn_buf_append_text(out, "]");
}

static void waited(const struct tn_term_waited *result, const struct tn_term_fault *fault,
		   void *data)
{
	struct tn_term_task *task = data;
	struct tn_term_session_info info;
	struct tn_output output = {0};
	struct tn_buf text, structured;
	struct tenon_error err;
	char cursor[TN_CURSOR_TEXT_SIZE];
	const char *reason;
	unsigned redactions;

	task->op = NULL;
	task->stop = NULL;
	if (fault) {
		tn_term_session_give(task->session);
		tn_term_fail_fault(task->call, fault);
		return;
	}
	reason = reason_of(task, result);
	/* While it is held a person may be in the middle of it. */
	if (strcmp(reason, "held") != 0) {
		tn_term_note(task->door->term, "returned", result->session, &task->caller, NULL);
		tn_term_session_give(result->session);
	}
	if (tn_term_session_output(result->session, result->from, UINT64_MAX, &task->shaping, false,
				   &output, &redactions, &err) != TENON_OK) {
		tenon_call_refuse(task->call, -32603, err.message, NULL);
		return;
	}
	tn_term_session_describe(result->session, &task->caller, &info);
	tn_output_cursor(tn_term_session_epoch(result->session), output.next, cursor);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(task->call, &structured);
	put_text(&text, reason, info.live_url);
	tn_buf_format(&text, "\n[next_cursor %s]\n", cursor);
	tn_buf_append_str(&text, tn_buf_str(&output.text)); /* what the person was shown */
	tn_json_begin_object(&structured);
	tn_json_put_member_text(&structured, "reason", reason);
	tn_json_put_member_str(&structured, "output", tn_buf_str(&output.text));
	tn_json_put_member_text(&structured, "next_cursor", cursor);
	tn_json_put_member_text(&structured, "live_url", info.live_url);
	tn_json_end_object(&structured);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(task->call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
	tn_output_finish(&output);
}

/* The one who asked has gone: nobody waits for the keyboard to come back. */
static void stop(struct tn_term_task *task)
{
	tn_term_session_give(task->session);
}

static enum tn_term_until read_until(const struct tenon_call *call)
{
	const char *until = tenon_call_text(call, "until");

	if (until && strcmp(until, "pattern") == 0)
		return TN_TERM_UNTIL_PATTERN;
	if (until && (strcmp(until, "prompt") == 0 || strcmp(until, "exit") == 0))
		return TN_TERM_UNTIL_EXIT;
	return TN_TERM_UNTIL_RETURNED;
}

/* The person is told by the page, and by the client when it can open one. False: it is being asked,
 * or has ended. */
static bool invite(struct tenon_call *call, struct tn_term_session *s,
		   const struct tn_term_caller *caller)
{
	const char *message = tenon_call_text(call, "message");
	const struct tenon_answer *answer;
	struct tn_term_session_info info;

	tn_term_session_hand_over(s, message);
	tn_term_session_describe(s, caller, &info);
	/* Who has the keyboard already is not asked again when a call goes on waiting. */
	if (!info.live_url || info.controlled_by || !tenon_call_can(call, TENON_CAN_ELICIT_URL))
		return true;
	answer = tenon_call_elicit_url(call, "hand_over", message, info.live_url);
	if (!answer)
		return false;
	if (tenon_answer_action(answer) == TENON_ACCEPTED)
		return true;
	tn_term_session_give(s);
	tn_term_fail(call, "confirmation_declined", "Ask what to do instead.", NULL,
		     "The person did not take the keyboard.");
	return false;
}

void tn_term_call_hand_over(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_wait wait = {.until = read_until(call),
				    .from = UINT64_MAX,
				    .timeout_ms =
					    (uint64_t)tn_term_int(call, "timeout_ms", TIMEOUT_MS)};
	struct tn_term_caller caller;
	struct tn_term_fault fault = {0};
	struct tn_term_task *task;
	struct tn_term_session *s;

	if (!tn_term_begin(call, door, "{\"until\":\"returned\"}", &caller))
		return;
	(void)tenon_call_bytes(call, "value", &wait.value.data, &wait.value.size);
	if (wait.until == TN_TERM_UNTIL_PATTERN && !wait.value.size) {
		tn_term_refuse(call, "value: missing; \"pattern\" needs it");
		return;
	}
	s = tn_term_session_of(call, door, &caller, false);
	if (!s)
		return;
	if (!tn_term_usable(s, &caller, &fault) && strcmp(fault.code, "handed_over") != 0) {
		tn_term_fail_fault(call, &fault);
		return;
	}
	if (!invite(call, s, &caller))
		return;
	tn_term_note(door->term, "hand_over", s, &caller, NULL);
	task = tn_term_task_new(call, door, &caller);
	if (!task)
		return;
	task->shaping.bytes_max = TN_TERM_ANSWER_BYTES;
	task->session = s;
	task->stop = stop;
	task->until = wait.until;
	wait.caller = &task->caller;
	wait.session = s;
	wait.hold_ms = tn_settings_u32(&door->config.settings, "terminal.max_hold_ms");
	task->op = tn_term_wait_for(door->term, &wait, waited, task);
}
