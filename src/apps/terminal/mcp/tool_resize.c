/* resize_session (terminal.md section 7.11). */
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

void tn_term_call_resize(struct tenon_call *call, void *data)
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
	tn_call_begin_structured(call, &structured);
	tn_json_begin_object(&structured);
	tn_json_put_member_int(&structured, "cols", columns);
	tn_json_put_member_int(&structured, "rows", rows);
	tn_json_end_object(&structured);
	tn_term_reply(call, TN_STR("Resized."), &structured);
}
