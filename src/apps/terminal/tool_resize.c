/* resize_session (terminal.md section 7.11). */
#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_TERM_SESSION_ARGUMENT ","
	"\"cols\":{\"type\":\"integer\",\"minimum\":20,\"maximum\":500},"
	"\"rows\":{\"type\":\"integer\",\"minimum\":5,\"maximum\":200}"
	"},\"required\":[\"cols\",\"rows\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA(
	"\"cols\":" TN_TERM_COUNT ",\"rows\":" TN_TERM_COUNT, "\"cols\",\"rows\"");

static void call_resize(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	uint16_t columns = (uint16_t)tn_term_int(call, "cols", 120);
	uint16_t rows = (uint16_t)tn_term_int(call, "rows", 40);
	struct tn_term_caller caller;
	struct tn_term_session *s;
	struct tenon_error err;
	struct tn_buf structured;
	enum tenon_code code;

	if (!tn_term_begin(call, door, "{}", &caller))
		return;
	s = tn_term_session_of(call, door, &caller, true);
	if (!s)
		return;
	code = tn_term_session_resize(s, columns, rows, &err);
	if (code == TENON_EXPIRED) {
		tn_term_fail(call, "not_supported", NULL, NULL, "%s.", err.message);
		return;
	}
	if (code != TENON_OK) {
		tenon_call_refuse(call, -32603, err.message, NULL);
		return;
	}
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&structured);
	tn_json_put_member_int(&structured, "cols", columns);
	tn_json_put_member_int(&structured, "rows", rows);
	tn_json_end_object(&structured);
	tn_term_reply(call, TN_STR("Resized."), &structured);
}

const struct tenon_tool tn_term_tool_resize = {
	.name = "resize_session",
	.title = "Resize",
	.description = "Gives a session's terminal another size; programs are told (SIGWINCH).",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_resize,
};
