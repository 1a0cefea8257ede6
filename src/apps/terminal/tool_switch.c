/* switch_session: which session counts when you name none (terminal.md section 7.5). */
#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_state.h"

static const char input_schema[] = "{\"type\":\"object\",\"properties\":{" TN_TERM_SESSION_ARGUMENT
				   "},\"required\":[\"session_id\"],"
				   "\"additionalProperties\":false}";

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA(
	"\"session\":" TN_TERM_SESSION_SCHEMA ",\"previous_session_id\":" TN_TERM_TEXT_OR_NULL,
	"\"session\",\"previous_session_id\"");

static void call_switch(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct tn_term_caller caller;
	struct tn_buf text, structured;
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
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "session");
	tn_term_put_session(&structured, &info);
	tn_json_put_member_text(&structured, "previous_session_id", previous[0] ? previous : NULL);
	tn_json_end_object(&structured);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

const struct tenon_tool tn_term_tool_switch = {
	.name = "switch_session",
	.title = "Switch session",
	.description = "Makes a session your active one: it counts in calls that name none. Other "
		       "callers keep theirs.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_switch,
};
