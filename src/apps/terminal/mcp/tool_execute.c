/* execute_command: shell text in a session, or by itself; answers when it has ended, waits for
 * input, or has taken as long as a call may (terminal.md section 7.1, T-07). */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/tool_admit.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/fit.h"

enum { TIMEOUT_MS = 30000, YIELD_MS = 20000, PROGRESS_MS = 1000 };

static void executed(const struct tn_term_executed *result, const struct tn_term_fault *fault,
		     void *data)
{
	struct tn_term_task *task = data;
	struct tn_buf text, structured;
	char cursor[TN_CURSOR_TEXT_SIZE];

	task->op = NULL;
	if (fault) {
		tn_term_fail_fault(task->call, fault);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_term_put_executed_text(&text, result);
	if (result->command.status != TN_TERM_COMPLETED && tn_call_is_for_model(task->call)) {
		tn_output_cursor(result->epoch, result->output.next, cursor);
		tn_buf_format(&text, "\n[%s \xc2\xb7 next_cursor %s",
			      result->cwd ? result->cwd : "", cursor);
		if (result->command.waiting.program[0]) {
			tn_buf_append_text(&text, " \xc2\xb7 program ");
			tn_utf8_put_line(&text, tn_str_from(result->command.waiting.program));
		}
		tn_buf_append_byte(&text, ']');
	}
	if (tn_call_is_lean(task->call))
		tn_term_put_executed_lean(&structured, result);
	else if (tn_call_sends_structured(task->call))
		tn_term_put_executed(&structured, result);
	if (result->has_screen) { /* what is on it may hold a secret; the output is clean already */
		unsigned redactions;

		tn_term_clean(task->door->term, &text, &redactions);
		tn_term_clean(task->door->term, &structured, &redactions);
	}
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(task->call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

/* 7.1: bytes and lines so far, and the last line. */
static void progress(struct tenon_call *call, void *data)
{
	struct tn_term_task *task = data;
	struct tn_term_progress *so_far = &task->so_far;
	char message[384];

	if (!task->op)
		return;
	if (tn_term_op_progress(task->op, so_far) && so_far->bytes > 0) {
		(void)snprintf(message, sizeof(message), "%llu byte%s, %llu line%s: %s",
			       (unsigned long long)so_far->bytes, so_far->bytes == 1 ? "" : "s",
			       (unsigned long long)so_far->lines, so_far->lines == 1 ? "" : "s",
			       so_far->last_line);
		tenon_call_progress(call, (double)so_far->bytes, 0, message);
	}
	tenon_call_after(call, PROGRESS_MS, progress, task);
}

static bool read_choices(const struct tenon_call *call, struct tn_term_execute *request)
{
	const char *on_timeout = tenon_call_text(call, "on_timeout");
	const char *if_busy = tenon_call_text(call, "if_busy");

	request->on_timeout = TN_TERM_INTERRUPT;
	if (on_timeout && strcmp(on_timeout, "kill") == 0)
		request->on_timeout = TN_TERM_KILL;
	else if (on_timeout && strcmp(on_timeout, "leave") == 0)
		request->on_timeout = TN_TERM_LEAVE;
	request->if_busy = TN_TERM_WAIT;
	if (if_busy && strcmp(if_busy, "fail") == 0)
		request->if_busy = TN_TERM_FAIL;
	else if (if_busy && strcmp(if_busy, "new_session") == 0)
		request->if_busy = TN_TERM_NEW_SESSION;
	return true;
}

static bool is_outside(const struct tenon_call *call)
{
	const char *sandbox = tenon_call_text(call, "sandbox");

	return sandbox && strcmp(sandbox, "off") == 0;
}

/* False: the call has ended. */
static bool read_request(struct tenon_call *call, struct tn_term_execute *request)
{
	int64_t timeout = TIMEOUT_MS;
	bool pty_given;

	(void)tenon_call_bytes(call, "command", &request->command.data, &request->command.size);
	request->has_stdin = tenon_call_bytes(call, "stdin", &request->stdin_text.data,
					      &request->stdin_text.size);
	request->cwd = tenon_call_text(call, "cwd");
	request->session_id = tenon_call_text(call, "session_id");
	request->timeout_given = tenon_call_int(call, "timeout_ms", &timeout);
	request->timeout_ms = (uint64_t)timeout;
	request->yield_ms = (uint32_t)tn_term_int(call, "yield_ms", YIELD_MS);
	request->isolated = tn_term_flag(call, "isolated", false);
	request->pty = true;
	pty_given = tenon_call_bool(call, "pty", &request->pty);
	request->outside = is_outside(call);
	if (request->command.size > TN_TERM_COMMAND_BYTES_MAX)
		tn_term_fail(call, "input_too_large", "Write it to a file and run that.", NULL,
			     "command: %zu bytes; at most 1 MiB can be sent.",
			     request->command.size);
	else if (request->stdin_text.size > TN_TERM_STDIN_BYTES_MAX)
		tn_term_fail(call, "input_too_large", "Write it to a file and redirect it.", NULL,
			     "stdin: %zu bytes; at most 1 MiB can be sent.",
			     request->stdin_text.size);
	else if (request->has_stdin && !request->isolated)
		tn_term_refuse(call, "stdin: only with isolated: true; use send_keys to type into "
				     "a session");
	else if (request->outside && !request->isolated)
		tn_term_refuse(call, "sandbox: off only with isolated: true; a session has the one "
				     "that it was made with");
	else if (pty_given && !request->pty && !request->isolated)
		tn_term_refuse(call,
			       "pty: false only with isolated: true; a session has a terminal");
	else
		return tn_term_env_of(call, "env", &request->env) && read_choices(call, request);
	return false;
}

static void run(struct tenon_call *call, struct tn_term_door *door,
		const struct tn_term_caller *caller, struct tn_term_execute *request)
{
	struct tn_term_task *task = tn_term_task_new(call, door, caller);
	struct tn_term_op *op;

	if (!task)
		return;
	tn_term_shaping_of(call, &task->shaping);
	if (!task->shaping.lines_max)
		task->shaping.lines_max = TN_TERM_ANSWER_LINES;
	request->caller = &task->caller;
	request->shaping = task->shaping;
	op = door->backend->execute_command(door->backend->self, request, executed, task);
	if (!op)
		return;
	task->op = op;
	tenon_call_after(call, PROGRESS_MS, progress, task);
}

void tn_term_call_execute(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_execute request = {0};
	struct tn_term_run_wish wish;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_term_run resolved;

	if (!tn_term_begin(call, door,
			   "{\"cwd\":\"<current>\",\"timeout_ms\":30000,\"isolated\":false,"
			   "\"yield_ms\":20000}",
			   &caller) ||
	    !read_request(call, &request))
		return;
	request.caller = &caller;
	request.run = &resolved;
	tn_term_execute_wish(&request, &wish);
	if (!tn_term_run_resolve(door->term, &door->config, &wish, &resolved, &fault))
		tn_term_fail_fault(call, &fault);
	else if (tn_term_admit_run(call, door, &caller, &resolved))
		run(call, door, &caller, &request);
	tn_term_run_finish(&resolved);
}
