/* create_session: a new shell, or another program, on a terminal of its own (terminal.md section
 * 7.4). */
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_admit.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/fit.h"

static void put_lifetime(struct tn_buf *out, const struct tn_term_session_info *info)
{
	long long seconds = (info->expires_ms - info->last_activity_ms) / 1000;

	if (seconds % 3600 == 0)
		tn_buf_format(out, "%lld h", seconds / 3600);
	else if (seconds % 60 == 0)
		tn_buf_format(out, "%lld min", seconds / 60);
	else
		tn_buf_format(out, "%lld s", seconds);
}

/* Its start files take long, or ask something (4.2). */
static void put_start(struct tn_buf *out, const struct tn_term_session_info *info)
{
	const char *program = info->waiting.program;

	if (info->state == TN_TERM_STARTING)
		tn_buf_format(
			out,
			" Its shell has shown no prompt yet (%s is in front); commands wait for "
			"it.",
			program[0] ? program : "its program");
	else if (info->state == TN_TERM_WAITING_INPUT)
		tn_buf_format(out,
			      " Its shell has shown no prompt yet: %s waits for %s; send_keys or "
			      "hand_over answer it, commands wait.",
			      program[0] ? program : "its program",
			      info->waiting.hidden_input ? "hidden input (password?)" : "input");
}

static void created(const struct tn_term_session_info *info, struct tn_str first_output,
		    const struct tn_term_fault *fault, void *data)
{
	struct tn_term_task *task = data;
	struct tn_buf text, structured;

	task->op = NULL;
	if (fault) {
		tn_term_fail_fault(task->call, fault);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text, "Created session %s \"%s\" in %s (%s).", info->id, info->name,
		      info->cwd, info->program);
	if (text.data)
		tn_utf8_one_line(text.data, text.size);
	tn_buf_append_text(&text, " Sessions close after ");
	put_lifetime(&text, info);
	tn_buf_append_text(&text, " without activity.");
	put_start(&text, info);
	tn_call_begin_structured(task->call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session_for(task->call, &structured, info);
	tn_json_put_member_str(&structured, "first_output", first_output);
	tn_json_end_object(&structured);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(task->call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

/* 7.4: printable characters. */
static bool is_printable(const char *name)
{
	struct tn_str rest = tn_str_from(name);

	while (rest.size) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(rest.data, rest.size, &code);

		if (!size || code < ' ' || (code >= 0x7f && code < 0xa0))
			return false;
		rest = tn_str_from_offset(rest, size);
	}
	return true;
}

static void read_plainly(const struct tenon_call *call, struct tn_term_create *request)
{
	const char *sandbox = tenon_call_text(call, "sandbox");

	request->name = tenon_call_text(call, "name");
	request->cwd = tenon_call_text(call, "cwd");
	request->project_id = tenon_call_text(call, "project_id");
	request->shell = tenon_call_text(call, "shell");
	request->columns = (uint16_t)tn_term_int(call, "cols", 120);
	request->rows = (uint16_t)tn_term_int(call, "rows", 40);
	request->login = tn_term_flag(call, "login", false);
	request->pagers = tn_term_flag(call, "pagers", false);
	request->activate = tn_term_flag(call, "activate", true);
	request->record = tn_term_flag(call, "record", false);
	request->idle_timeout_s = (uint32_t)tn_term_int(call, "idle_timeout_s", 0);
	request->start_timeout_ms = (uint32_t)tn_term_int(call, "start_timeout_ms", 0);
	request->sandbox = -1;
	if (sandbox && strcmp(sandbox, "default") != 0)
		request->sandbox = strcmp(sandbox, "on") == 0;
}

/* False: the call has ended. */
static bool read_request(struct tenon_call *call, const struct tn_term_door *door,
			 struct tn_term_create *request)
{
	read_plainly(call, request);
	if (request->name && !is_printable(request->name)) {
		tn_term_refuse(call, "name: it has characters that cannot be printed");
		return false;
	}
	if (!tn_term_list_of(call, "program", &request->program) ||
	    !tn_term_env_of(call, "env", &request->env))
		return false;
	if (request->program && request->shell) {
		tn_term_refuse(call, "shell: not together with program; send one of them");
		return false;
	}
	if (request->program && !request->program[0][0]) {
		tn_term_refuse(call, "program: its first word is empty");
		return false;
	}
	request->history_off =
		door->rules && tn_rules_history_off(door->rules, request->project_id);
	return true;
}

static void create(struct tenon_call *call, struct tn_term_door *door,
		   const struct tn_term_caller *caller, struct tn_term_create *request)
{
	struct tn_term_task *task = tn_term_task_new(call, door, caller);

	if (!task)
		return;
	request->caller = &task->caller;
	task->op = door->backend->create_session(door->backend->self, request, created, task);
}

void tn_term_call_create(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_create request = {0};
	struct tn_term_run_wish wish;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_term_run resolved;

	if (!tn_term_begin(call, door, "{\"cwd\":\"<current>\",\"cols\":120,\"rows\":40}",
			   &caller) ||
	    !read_request(call, door, &request))
		return;
	request.caller = &caller;
	request.run = &resolved;
	tn_term_create_wish(&request, &wish);
	if (!tn_term_run_resolve(door->term, &door->config, &wish, &resolved, &fault))
		tn_term_fail_fault(call, &fault);
	else if ((!request.program && !request.env && !wish.outside) ||
		 tn_term_admit_run(call, door, &caller, &resolved))
		create(call, door, &caller, &request);
	tn_term_run_finish(&resolved);
}
