/* check_command: what the policy would say about a command, and what it would do; nothing is run
 * (terminal.md section 7.13). */
#include "apps/terminal/mcp/tools.h"
#include "apps/terminal/policy/rules_write.h"
#include "apps/terminal/mcp/tool_admit.h"
#include "apps/terminal/mcp/tool_state.h"
#include "base/limits.h"
#include "mcp/fit.h"

static void reply(struct tenon_call *call, const struct tn_analysis *analysis,
		  const struct tn_verdict_of_rules *verdict)
{
	struct tn_buf text, structured;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(call, &structured);
	tn_rules_put_text(&text, analysis, verdict);
	if (tn_call_says_all(call))
		tn_rules_put_commands(&text, analysis, verdict);
	tn_rules_put_verdict(&structured, analysis, verdict);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

static void check(struct tenon_call *call, const struct tn_term_door *door, struct tn_term_run *run)
{
	struct tn_verdict_of_rules verdict;
	struct tenon_error err;

	if (tn_term_judge(door, run, call->elsewhere, &verdict, &err) == TENON_OK)
		reply(call, &run->analysis, &verdict);
	else
		tn_term_fail(call, "input_too_large", "Check it in parts.", NULL, "%s.",
			     err.message);
}

void tn_term_call_check(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_execute request = {.session_id = tenon_call_text(call, "session_id"),
					  .cwd = tenon_call_text(call, "cwd")};
	struct tn_term_run_wish wish;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_term_run run;

	if (!tn_term_begin(call, door, "{\"cwd\":\"<current>\"}", &caller))
		return;
	(void)tenon_call_bytes(call, "command", &request.command.data, &request.command.size);
	request.caller = &caller;
	tn_term_execute_wish(&request, &wish); /* as execute_command would run it */
	if (tn_term_run_resolve(door->term, &door->config, &wish, &run, &fault))
		check(call, door, &run);
	else
		tn_term_fail_fault(call, &fault);
	tn_term_run_finish(&run);
}
