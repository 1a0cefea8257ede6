/* workbench_get_selection: what is selected on screen (15.3). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"

void tn_wb_call_get_selection(struct tenon_call *call, void *data)
{
	const char *session = tenon_call_text(call, "sessionId");
	struct tn_wb_look look;
	enum tn_wb_seen seen;
	struct tn_buf out;

	if (tenon_call_text(call, "workspace") && !tn_wb_workspace_of(call, data))
		return;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	(void)tn_wb_look_begin(&look, data, call, tenon_call_text(call, "workspace"), &out);
	if (session && !tn_wb_session_of(look.workspace, session)) {
		tn_buf_finish(&out);
		tn_wb_reply_error(call, "session_not_found",
				  "there is no session %.60s; skaffa://preview/sessions lists them",
				  session);
		return;
	}
	seen = session ? tn_wb_see_session_selection(&look, session) : tn_wb_see_selection(&look);
	tn_wb_reply_look(call, &look, seen, &out);
}
