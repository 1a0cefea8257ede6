/* switch_session: which session counts when you name none (terminal.md section 7.5). */
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mcp/fit.h"

/* For who reads the text alone (hosts.md HO-001). */
static void put_note(struct tn_buf *out, const struct tn_term_session_info *info,
		     const char *previous)
{
	tn_buf_append_text(out, "[\"");
	tn_utf8_put_line(out, tn_str_from(info->name));
	tn_buf_append_text(out, "\" in ");
	tn_utf8_put_line(out, tn_str_from(info->cwd));
	tn_buf_format(out, ", %s", tn_term_state_name(info->state));
	if (previous[0])
		tn_buf_format(out, "; before: %s", previous);
	tn_buf_append_byte(out, ']');
}

void tn_term_call_switch(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_buf text, note, structured;
	char previous[64] = "";

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
	tn_buf_init(&note, TN_RESULT_BYTES_MAX);
	if (tn_call_says_all(call))
		put_note(&note, &info, previous);
	tn_buf_inherit_failure(&structured, &text);
	tn_buf_inherit_failure(&structured, &note);
	tn_term_reply_with(call, tn_buf_str(&text), tn_buf_str(&note), &structured);
	tn_buf_finish(&note);
	tn_buf_finish(&text);
}
