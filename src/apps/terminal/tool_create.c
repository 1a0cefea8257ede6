/* create_session: a new shell, or another program, on a terminal of its own (terminal.md section
 * 7.4). */
#include <string.h>

#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_admit.h"
#include "apps/terminal/tool_state.h"
#include "base/utf8.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,\"description\":\"For "
	"people; need not be unique\"},"
	"\"cwd\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Where "
	"it starts\"},"
	"\"project_id\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128,\"description\":"
	"\"To find it by\"},"
	"\"shell\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"bash, "
	"zsh, fish, dash ... or a path; must be allowed\"},"
	"\"program\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":256,\"items\":{\"type\":"
	"\"string\",\"maxLength\":65536},\"description\":\"A program and its arguments instead of "
	"a shell\"},"
	"\"env\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},"
	"\"maxProperties\":256,\"description\":\"Further variables\"},"
	"\"cols\":{\"type\":\"integer\",\"minimum\":20,\"maximum\":500,\"default\":120},"
	"\"rows\":{\"type\":\"integer\",\"minimum\":5,\"maximum\":200,\"default\":40},"
	"\"login\":{\"type\":\"boolean\",\"default\":false,\"description\":\"A login shell\"},"
	"\"pagers\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Leave pagers and "
	"editors as they are: for people\"},"
	"\"sandbox\":{\"enum\":[\"default\",\"on\",\"off\"],\"default\":\"default\"},"
	"\"idle_timeout_s\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":604800},"
	"\"activate\":{\"type\":\"boolean\",\"default\":true,\"description\":\"Make it your active "
	"session\"},"
	"\"record\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Keep a recording "
	"(asciicast)\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA("\"session\":" TN_TERM_SESSION_SCHEMA
							  ",\"first_output\":" TN_TERM_TEXT,
							  "\"session\",\"first_output\"");

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
	tn_buf_format(&text, "Created session %s \"%s\" in %s (%s). Sessions close after ",
		      info->id, info->name, info->cwd, info->program);
	put_lifetime(&text, info);
	tn_buf_append_text(&text, " without activity.");
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session(&structured, info);
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
	if (request->sandbox == 0 && door->config.sandbox != TN_TERM_SANDBOX_NONE && door->rules &&
	    !tn_rules_sandbox_off_allowed(door->rules)) {
		tn_term_fail(call, "denied_by_policy", "Leave sandbox out.", NULL,
			     "sandbox: the policy does not allow \"off\".");
		return false;
	}
	request->history_off =
		door->rules && tn_rules_history_off(door->rules, request->project_id);
	return true;
}

static void call_create(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_create request = {0};
	struct tn_term_caller caller;
	struct tn_term_task *task;

	if (!tn_term_begin(call, door, "{\"cwd\":\"<current>\",\"cols\":120,\"rows\":40}",
			   &caller) ||
	    !read_request(call, door, &request))
		return;
	if (request.program && !tn_term_admit_program(call, door, &caller, &request))
		return;
	task = tn_term_task_new(call, door, &caller);
	if (!task)
		return;
	request.caller = &task->caller;
	task->op = door->backend->create_session(door->backend->self, &request, created, task);
}

const struct tenon_tool tn_term_tool_create = {
	.name = "create_session",
	.title = "New session",
	.description = "Starts a persistent terminal session: a shell, or a program of your own. "
		       "It keeps its directory, variables and running programs between calls, "
		       "outlives this conversation, and closes after an hour without activity "
		       "(idle_timeout_s) or by close_session.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_CLOSED_WORLD | TENON_ASKS_CONSENT,
	.call = call_create,
};
