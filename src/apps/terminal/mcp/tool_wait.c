/* wait_for: one call instead of many that ask again (terminal.md section 7.8). */
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

enum { TIMEOUT_MS = 30000, IDLE_MS = 1000 };

static const struct {
	const char *name;
	enum tn_term_until until;
	bool value;
} untils[] = {
	{"exit", TN_TERM_UNTIL_EXIT, false}, {"pattern", TN_TERM_UNTIL_PATTERN, true},
	{"text", TN_TERM_UNTIL_TEXT, true},  {"screen", TN_TERM_UNTIL_SCREEN, true},
	{"idle", TN_TERM_UNTIL_IDLE, false}, {"input", TN_TERM_UNTIL_INPUT, false},
	{"port", TN_TERM_UNTIL_PORT, true},
};

/* ---- the answer ---- */

static void put_matches(struct tn_buf *out, const struct tn_term_waited *result)
{
	if (result->match.data)
		tn_json_put_member_str(out, "match", result->match);
	else
		tn_json_put_member_null(out, "match");
	tn_json_put_key(out, "groups");
	tn_json_begin_array(out);
	for (unsigned i = 0; i < result->group_count; i++) {
		if (result->groups[i].data)
			tn_json_put_str(out, result->groups[i]);
		else
			tn_json_put_null(out);
	}
	tn_json_end_array(out);
}

static void put_result(struct tn_buf *out, const struct tn_term_waited *result,
		       const struct tn_output *output)
{
	const char *epoch = tn_term_session_epoch(result->session);
	char from[TN_CURSOR_TEXT_SIZE], next[TN_CURSOR_TEXT_SIZE];
	struct tn_term_command_info info;

	tn_output_cursor(epoch, result->from, from);
	tn_output_cursor(epoch, result->next, next);
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "matched", result->matched);
	tn_json_put_member_text(out, "reason", result->reason);
	put_matches(out, result);
	tn_json_put_member_text(out, "cursor", from);
	tn_json_put_member_text(out, "next_cursor", next);
	tn_json_put_member_str(out, "output", tn_buf_str(&output->text));
	tn_json_put_member_int(out, "omitted_bytes", (int64_t)output->omitted_bytes);
	tn_json_put_key(out, "command");
	if (result->command) {
		tn_term_command_describe(result->command, &info);
		tn_term_put_command(out, &info);
	} else {
		tn_json_put_null(out);
	}
	tn_json_put_member_int(out, "elapsed_ms", (int64_t)result->elapsed_ms);
	tn_json_end_object(out);
}

static void put_text(struct tn_buf *out, const struct tn_term_waited *result,
		     const struct tn_output *output)
{
	char next[TN_CURSOR_TEXT_SIZE];

	tn_buf_append_str(out, tn_buf_str(&output->text));
	if (out->size && out->data[out->size - 1] != '\n')
		tn_buf_append_byte(out, '\n');
	tn_buf_format(out, "[%s after %llu.%llu s", result->reason,
		      (unsigned long long)(result->elapsed_ms / 1000),
		      (unsigned long long)(result->elapsed_ms % 1000 / 100));
	if (result->command) {
		struct tn_term_command_info info;

		tn_term_command_describe(result->command, &info);
		tn_buf_append_text(out, " \xc2\xb7 ");
		tn_term_put_ended(out, &info);
	}
	tn_output_cursor(tn_term_session_epoch(result->session), result->next, next);
	tn_buf_format(out, " \xc2\xb7 next_cursor %s]", next);
}

static void waited(const struct tn_term_waited *result, const struct tn_term_fault *fault,
		   void *data)
{
	struct tn_term_task *task = data;
	struct tn_output output = {0};
	struct tn_buf text, structured;
	struct tenon_error err;
	unsigned redactions;

	task->op = NULL;
	if (fault) {
		tn_term_fail_fault(task->call, fault);
		return;
	}
	if (tn_term_session_output(result->session, result->from, result->next, &task->shaping,
				   false, &output, &redactions, &err) != TENON_OK) {
		tenon_call_refuse(task->call, -32603, err.message, NULL);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	put_text(&text, result, &output);
	if (tn_call_sends_structured(task->call))
		put_result(&structured, result, &output);
	/* A match, its groups and a command's text may hold a secret, too. */
	tn_term_clean(task->door->term, &structured, &redactions);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(task->call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
	tn_output_finish(&output);
}

/* ---- the call ---- */

static bool read_until(struct tenon_call *call, struct tn_term_wait *wait)
{
	const char *until = tenon_call_text(call, "until");
	size_t i = 0;
	uint64_t port;

	while (strcmp(untils[i].name, until) != 0) /* the schema has checked it */
		i++;
	wait->until = untils[i].until;
	(void)tenon_call_bytes(call, "value", &wait->value.data, &wait->value.size);
	if (untils[i].value && !wait->value.size)
		tn_term_refuse(call, "value: missing; \"%s\" needs it", until);
	else if (wait->until == TN_TERM_UNTIL_PORT &&
		 (!tn_str_to_uint(wait->value, &port) || port < 1 || port > 65535))
		tn_term_refuse(call, "value: a port is a number from 1 to 65535");
	else
		return true;
	return false;
}

/* False: the call has ended. */
static bool read_place(struct tenon_call *call, struct tn_term_door *door,
		       const struct tn_term_caller *caller, struct tn_term_wait *wait)
{
	const char *command_id = tenon_call_text(call, "command_id");
	const char *cursor = tenon_call_text(call, "cursor");
	struct tn_term_fault fault = {0};
	struct tenon_error err;

	if (command_id) {
		wait->command = tn_term_command_find(door->term, caller, command_id, &fault);
		if (!wait->command) {
			tn_term_fail_fault(call, &fault);
			return false;
		}
		wait->session = tn_term_command_session(wait->command);
	} else {
		wait->session = tn_term_session_of(call, door, caller, false);
	}
	wait->from = UINT64_MAX;
	if (!wait->session)
		return false;
	if (cursor &&
	    tn_output_read_cursor(tn_str_from(cursor), tn_term_session_epoch(wait->session),
				  &wait->from, &err) != TENON_OK) {
		tn_term_fail(call, "invalid_cursor",
			     "Send next_cursor of an earlier result unchanged.", NULL, "cursor: %s",
			     err.message);
		return false;
	}
	return true;
}

void tn_term_call_wait(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_wait wait = {.idle_ms = (uint32_t)tn_term_int(call, "idle_ms", IDLE_MS),
				    .timeout_ms =
					    (uint64_t)tn_term_int(call, "timeout_ms", TIMEOUT_MS)};
	struct tn_term_task *task;

	if (!tn_term_begin(call, door, "{\"timeout_ms\":30000}", &caller) ||
	    !read_until(call, &wait) || !read_place(call, door, &caller, &wait))
		return;
	task = tn_term_task_new(call, door, &caller);
	if (!task)
		return;
	tn_term_shaping_of(call, &task->shaping);
	wait.caller = &task->caller;
	wait.hold_ms = tn_settings_u32(&door->config.settings, "terminal.max_hold_ms");
	task->op = tn_term_wait_for(door->term, &wait, waited, task);
}
