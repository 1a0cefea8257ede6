/* workbench_get_selection: what is selected on screen (15.3). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"

void tn_wb_call_get_selection(struct tenon_call *call, void *data)
{
	const char *session = tenon_call_text(call, "sessionId");
	struct tn_wb_look look;
	enum tn_wb_seen seen;
	struct tn_buf out;

	if (!tn_wb_look_begin_call(&look, data, call, &out))
		return;
	if (session && !tn_wb_session_of(look.workspace, session)) {
		tn_buf_finish(&out);
		tn_wb_reply_no_session(call, session);
		return;
	}
	seen = session ? tn_wb_see_session_selection(&look, session) : tn_wb_see_selection(&look);
	tn_wb_reply_look(call, &look, seen, &out);
}
