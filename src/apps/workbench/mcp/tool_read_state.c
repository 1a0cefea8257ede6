/* workbench_read_state: any resource of workbench, for hosts whose models see tools alone (15.3).
 */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"

static void read_now(struct tenon_call *call, void *data)
{
	const char *uri = tenon_call_text(call, "uri"), *message = NULL;
	enum tn_wb_seen seen;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	seen = tn_wb_look_at(data, call, tn_str_from(uri), TN_WB_ANSWER_BYTES_MAX, &out, &message);
	if (seen == TN_WB_SEEN) {
		tn_wb_reply(call, &out);
		return;
	}
	tn_buf_finish(&out);
	if (seen == TN_WB_MALFORMED)
		tenon_call_refuse(call, TN_WB_RPC_INVALID_PARAMS, message, NULL);
	else
		tn_wb_reply_error(call, "resource_not_found",
				  "nothing is at %.200s; send skaffa://server/info, or a URI that "
				  "resources/list names",
				  uri);
}

void tn_wb_call_read_state(struct tenon_call *call, void *data)
{
	if (!tn_wb_plan_first(data, call, tn_str_from(tenon_call_text(call, "uri")), read_now))
		read_now(call, data);
}
