/* workbench_list_instances: what is mounted in the previewed page (15.3). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

void tn_wb_call_list_instances(struct tenon_call *call, void *data)
{
	const char *session = tenon_call_text(call, "sessionId");
	const char *workspace = tenon_call_text(call, "workspace");
	struct tn_wb_look look;
	struct tn_buf out;

	if (workspace && !tn_wb_workspace_of(call, data))
		return;
	if (session) {
		tn_wb_reply_error(call, "session_not_found",
				  "there is no session %.60s: nothing is previewed", session);
		return;
	}
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	(void)tn_wb_look_begin(&look, data, call, workspace, &out);
	tn_wb_say_why_empty(&look);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "instances");
	tn_json_begin_array(&out);
	tn_json_end_array(&out);
	tn_json_end_object(&out);
	tn_wb_reply_look(call, &look, TN_WB_SEEN, &out);
}
