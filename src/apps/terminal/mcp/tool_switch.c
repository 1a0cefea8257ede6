/* switch_session: which session counts when you name none (terminal.md section 7.5). */
#include <stdio.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

void tn_term_call_switch(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_buf text, structured;
	char previous[64] = "", note[96] = "";

	if (!tn_term_begin(call, door, "{}", &caller))
		return;
	if (!door->backend->switch_session(door->backend->self, &caller,
					   tenon_call_text(call, "session_id"), &info, previous,
					   &fault)) {
		tn_term_fail_fault(call, &fault);
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text, "Switched to session: %s", info.id);
	tn_call_begin_structured(call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session_for(call, &structured, &info);
	tn_json_put_member_text(&structured, "previous_session_id", previous[0] ? previous : NULL);
	tn_json_end_object(&structured);
	tn_buf_inherit_failure(&structured, &text);
	if (previous[0] && !tn_call_sends_structured(call))
		(void)snprintf(note, sizeof(note), "[before: %s]", previous);
	tn_term_reply_with(call, tn_buf_str(&text), tn_str_from(note), &structured);
	tn_buf_finish(&text);
}
