/* signal: to what is in front, a command, or everything in a session (terminal.md section 7.10). */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/size.h"
#include "mcp/fit.h"

enum { PIDS_MAX = 256, SETTLE_MS = 100, PROMPT_LOOKS_MAX = 20 };

static const struct {
	const char *name;
	int number;
} signals[] = {
	{"INT", SIGINT},   {"TERM", SIGTERM}, {"KILL", SIGKILL}, {"HUP", SIGHUP},
	{"QUIT", SIGQUIT}, {"STOP", SIGSTOP}, {"CONT", SIGCONT}, {"TSTP", SIGTSTP},
	{"USR1", SIGUSR1}, {"USR2", SIGUSR2},
};

struct sent {
	struct tn_term_door *door;
	char session_id[TN_HANDLE_SIZE], command_id[TN_HANDLE_SIZE];
	pid_t pids[PIDS_MAX];
	unsigned count, looks;
};

static void put_exit(struct tn_buf *out, const struct tn_term_command *command)
{
	struct tn_term_command_info info;

	tn_json_put_key(out, "exit");
	if (!command || !tn_term_command_ended(command)) {
		tn_json_put_null(out);
		return;
	}
	tn_term_command_describe(command, &info);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "status", tn_term_status_name(info.status));
	if (info.exit_code == TN_TERM_NO_EXIT_CODE)
		tn_json_put_member_null(out, "exit_code");
	else
		tn_json_put_member_int(out, "exit_code", info.exit_code);
	tn_json_put_member_text(out, "signal", info.signal);
	tn_json_end_object(out);
}

/* What ran has ended, and the shell is about to show its prompt: nothing is running. */
static bool prompt_is_coming(const struct tn_term_session *s,
			     const struct tn_term_session_info *info)
{
	return info->state == TN_TERM_RUNNING && !info->running_command_id &&
	       tn_term_session_shell_in_front(s);
}

/* Whoever got it has had a moment to end. */
static void answer(struct tenon_call *call, void *data)
{
	struct sent *sent = data;
	struct tn_term_fault fault = {0};
	struct tn_term_session_info info = {.state = TN_TERM_CLOSED};
	struct tn_term_command *command = NULL;
	struct tn_term_caller caller;
	struct tn_term_session *s;
	struct tn_buf text, structured;

	tn_term_caller_of(call, &caller);
	s = tn_term_find(sent->door->term, &caller, sent->session_id, &fault);
	if (s)
		tn_term_session_describe(s, &caller, &info);
	if (s && prompt_is_coming(s, &info) && sent->looks++ < PROMPT_LOOKS_MAX) {
		tenon_call_after(call, SETTLE_MS, answer, sent);
		return;
	}
	if (sent->command_id[0])
		command = tn_term_command_find(sent->door->term, &caller, sent->command_id, &fault);
	tn_call_begin_structured(call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "delivered_to");
	tn_json_begin_array(&structured);
	for (unsigned i = 0; i < sent->count; i++)
		tn_json_put_int(&structured, sent->pids[i]);
	tn_json_end_array(&structured);
	tn_json_put_member_text(&structured, "state", tn_term_state_name(info.state));
	put_exit(&structured, command);
	tn_json_end_object(&structured);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	if (sent->count)
		tn_buf_format(&text, "Delivered to %u process%s; the session is %s.", sent->count,
			      sent->count == 1 ? "" : "es", tn_term_state_name(info.state));
	else
		tn_buf_append_text(&text, "Nothing was running that could get it.");
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

static int read_signal(const struct tenon_call *call)
{
	const char *name = tenon_call_text(call, "signal");

	for (size_t i = 0; name && i < TN_COUNT(signals); i++) {
		if (strcmp(signals[i].name, name) == 0)
			return signals[i].number;
	}
	return SIGINT;
}

/* The session and the command that are meant. False: the call has ended. */
static bool find_target(struct tenon_call *call, struct tn_term_door *door,
			const struct tn_term_caller *caller, struct tn_term_session **ret,
			struct tn_term_command **ret_command)
{
	const char *command_id = tenon_call_text(call, "command_id");
	const char *target = tenon_call_text(call, "target");
	struct tn_term_fault fault = {0};

	*ret_command = NULL;
	if (target && strcmp(target, "command") == 0 && !command_id) {
		tn_term_refuse(call, "command_id: missing; target \"command\" needs it");
		return false;
	}
	if (!command_id) {
		*ret = tn_term_session_of(call, door, caller, false);
		return *ret != NULL;
	}
	*ret_command = tn_term_command_find(door->term, caller, command_id, &fault);
	if (!*ret_command) {
		tn_term_fail_fault(call, &fault);
		return false;
	}
	*ret = tn_term_command_session(*ret_command);
	return true;
}

void tn_term_call_signal(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	const char *target = tenon_call_text(call, "target");
	struct tn_term_command *command;
	struct tn_term_caller caller;
	struct tn_term_session *s;
	struct sent *sent;
	char detail[64];

	if (!tn_term_begin(call, door, "{\"signal\":\"INT\",\"target\":\"foreground\"}", &caller) ||
	    !find_target(call, door, &caller, &s, &command))
		return;
	sent = tn_arena_alloc(&call->arena, sizeof(*sent));
	if (!sent) {
		tenon_call_refuse(call, -32603, "Out of memory.", NULL);
		return;
	}
	sent->door = door;
	(void)snprintf(sent->session_id, sizeof(sent->session_id), "%s", tn_term_session_id(s));
	(void)snprintf(sent->command_id, sizeof(sent->command_id), "%s",
		       command ? tenon_call_text(call, "command_id") : "");
	/* What has ended gets nothing, and neither does another command that runs by now. */
	if (!command || tn_term_command_is_running(command))
		sent->count = tn_term_session_signal(
			s, read_signal(call), target ? target : "foreground",
			tn_term_flag(call, "escalate", false), sent->pids, PIDS_MAX);
	(void)snprintf(detail, sizeof(detail), "{\"signal\":%d,\"processes\":%u}",
		       read_signal(call), sent->count);
	tn_term_note(door->term, "signal", s, &caller, detail);
	tenon_call_after(call, sent->count ? SETTLE_MS : 1, answer, sent);
}
