/* check_command: what the policy would say about a command, and what it would do; nothing is run
 * (terminal.md section 7.13). */
#include <stdlib.h>

#include "apps/terminal/rules_write.h"
#include "apps/terminal/tool_state.h"
#include "base/limits.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"command\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":1048576,"
	"\"description\":\"Shell text; it is not run\"},"
	"\"cwd\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Where "
	"it would run\"}," TN_TERM_SESSION_ARGUMENT
	"},\"required\":[\"command\"],\"additionalProperties\":false}";

#define RISK "{\"enum\":[\"safe\",\"caution\",\"danger\",\"unknown\"]}"
#define TEXTS "{\"type\":\"array\",\"items\":" TN_TERM_TEXT "}"

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA(
	"\"decision\":{\"enum\":[\"allow\",\"confirm\",\"deny\"]},"
	"\"rules\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"id\":" TN_TERM_TEXT ",\"source\":" TN_TERM_TEXT ",\"pattern\":" TN_TERM_TEXT
	"},\"required\":[\"id\",\"source\",\"pattern\"]}},\"risk\":" RISK ",\"explanation\":" TEXTS
	",\"simple_commands\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"name\":" TN_TERM_TEXT ",\"path\":" TN_TERM_TEXT ",\"args\":" TEXTS
	",\"source\":" TN_TERM_TEXT ",\"writes\":" TEXTS ",\"privileged\":" TN_TERM_SWITCH
	",\"wrapper\":" TN_TERM_TEXT_OR_NULL "},\"required\":[\"name\",\"args\"]}},"
	"\"opaque\":" TN_TERM_SWITCH ",\"needs_privilege\":" TN_TERM_SWITCH
	",\"network\":" TN_TERM_SWITCH ",\"undo_hint\":" TN_TERM_TEXT_OR_NULL
	",\"alternatives\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"command\":" TN_TERM_TEXT ",\"description\":" TN_TERM_TEXT ",\"risk\":" RISK
	"},\"required\":[\"command\",\"description\",\"risk\"]}}",
	"\"decision\",\"rules\",\"risk\",\"explanation\",\"simple_commands\",\"opaque\","
	"\"needs_privilege\",\"network\",\"undo_hint\",\"alternatives\"");

static void reply(struct tenon_call *call, const struct tn_analysis *analysis,
		  const struct tn_verdict_of_rules *verdict)
{
	struct tn_buf text, structured;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_rules_put_text(&text, analysis, verdict);
	tn_rules_put_verdict(&structured, analysis, verdict);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

/* The session whose shell would read it. False: the call has ended. */
static bool find_place(struct tenon_call *call, struct tn_term_door *door,
		       const struct tn_term_caller *caller, struct tn_analysis_surroundings *around)
{
	const char *id = tenon_call_text(call, "session_id"), *cwd = tenon_call_text(call, "cwd");
	struct tn_term_fault fault = {0};
	struct tn_term_session *s =
		door->term ? tn_term_find(door->term, caller, id, &fault) : NULL;
	const char *base = s ? tn_term_session_cwd(s) : NULL;

	if (id && !s) {
		tn_term_fail_fault(call, &fault);
		return false;
	}
	if (!base && door->config.roots)
		base = door->config.roots[0];
	if (cwd && cwd[0] != '/' && cwd[0] != '~' && base)
		cwd = tn_arena_format(&call->arena, "%s/%s", base, cwd);
	around->cwd = cwd ? cwd : base;
	around->shell = s ? tn_term_session_shell(s) : door->config.shell;
	return true;
}

static void call_check(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_analysis_surroundings around = {.cwd = NULL};
	struct tn_rules_question question = {.home = getenv("HOME"), .network = call->foreign};
	struct tn_verdict_of_rules verdict;
	struct tn_analysis analysis;
	struct tn_term_caller caller;
	struct tn_str command = {NULL, 0};
	struct tn_arena arena;
	struct tenon_error err;
	enum tenon_code code;

	if (!tn_term_begin(call, door, "{\"cwd\":\"<current>\"}", &caller) ||
	    !find_place(call, door, &caller, &around))
		return;
	(void)tenon_call_bytes(call, "command", &command.data, &command.size); /* required */
	tn_arena_init(&arena, TN_ANALYSIS_ARENA_MAX);
	question.analysis = &analysis;
	question.cwd = around.cwd;
	question.roots = door->config.roots;
	code = tn_analyse(&arena, command, &around, &analysis, &err);
	if (code == TENON_OK)
		code = tn_rules_judge(door->rules, &arena, &question, &verdict, &err);
	if (code == TENON_OK)
		reply(call, &analysis, &verdict);
	else
		tn_term_fail(call, "input_too_large", "Check it in parts.", NULL, "%s.",
			     err.message);
	tn_arena_finish(&arena);
}

const struct tenon_tool tn_term_tool_check = {
	.name = "check_command",
	.title = "Check a command",
	.description =
		"Says whether the policy would allow a command, ask a person about it, or deny it, "
		"which programs it would start, how risky it is, how to undo it, and what to do "
		"instead. Runs nothing. The policy is a guard rail against accidents, no sandbox.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_check,
};
