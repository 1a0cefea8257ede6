/* workbench_list_instances: what is mounted in the previewed page (15.3). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
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
	const struct tn_wb_session *session;
	enum tn_wb_seen seen = TN_WB_SEEN;
	struct tn_wb_look look;
	struct tn_buf out;
	int64_t limit;

	if (tenon_call_int(call, "limit", &limit))
		query.limit = (size_t)limit;
	if (!tn_wb_look_begin_call(&look, data, call, &out))
		return;
	session = tn_wb_session_of(look.workspace, named);
	if (named && !session) {
		tn_buf_finish(&out);
		tn_wb_reply_no_session(call, named);
		return;
	}
	if (session)
		seen = tn_wb_see_instances(&look, session->id, &query);
	else
		put_none(&look);
	tn_wb_reply_look(call, &look, seen, &out);
}
