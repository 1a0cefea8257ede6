/* workbench_list_components: the registry's index, filtered (15.3). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"

void tn_wb_call_list_components(struct tenon_call *call, void *data)
{
	struct tn_wb_index_query query = {.query = tenon_call_text(call, "query"),
					  .tag = tenon_call_text(call, "tag"),
					  .cursor = tenon_call_text(call, "cursor"),
					  .limit = TN_WB_PAGE};
	struct tn_wb_look look;
	enum tn_wb_seen seen;
	struct tn_buf out;
	int64_t limit;

	if (tenon_call_int(call, "limit", &limit))
		query.limit = (size_t)limit;
	if (!tn_wb_look_begin_call(&look, data, call, &out))
		return;
	seen = tn_wb_see_index(&look, &query);
	tn_wb_reply_look(call, &look, seen, &out);
}
