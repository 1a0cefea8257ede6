/* workbench_list_instances: what is mounted in the previewed page (15.3). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

/* Nothing is previewed, or nothing of it is ready. */
static void put_none(struct tn_wb_look *look)
{
	tn_wb_say_preview(look, NULL);
	tn_json_begin_object(look->data);
	tn_json_put_key(look->data, "instances");
	tn_json_begin_array(look->data);
	tn_json_end_array(look->data);
	tn_json_end_object(look->data);
}

void tn_wb_call_list_instances(struct tenon_call *call, void *data)
{
	const char *named = tenon_call_text(call, "sessionId");
	struct tn_wb_instances_query query = {.type = tenon_call_text(call, "typeId"),
					      .cursor = tenon_call_text(call, "cursor")};
	const char *workspace = tenon_call_text(call, "workspace");
	const struct tn_wb_session *session;
	enum tn_wb_seen seen = TN_WB_SEEN;
	struct tn_wb_look look;
	struct tn_buf out;
	int64_t limit;

	if (workspace && !tn_wb_workspace_of(call, data))
		return;
	if (tenon_call_int(call, "limit", &limit))
		query.limit = (size_t)limit;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	(void)tn_wb_look_begin(&look, data, call, workspace, &out);
	session = tn_wb_session_of(look.workspace, named);
	if (named && !session) {
		tn_buf_finish(&out);
		tn_wb_reply_error(call, "session_not_found",
				  "there is no session %.60s; skaffa://preview/sessions lists them",
				  named);
		return;
	}
	if (session)
		seen = tn_wb_see_instances(&look, session->id, &query);
	else
		put_none(&look);
	tn_wb_reply_look(call, &look, seen, &out);
}
