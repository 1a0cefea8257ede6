/* skaffa://workspace/overrides/save-plan: what a Save would do, as it was made last. */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/workspace/saving.h"
#include "jsonrpc/json_write.h"

enum tn_wb_seen tn_wb_see_plan(struct tn_wb_look *look)
{
	/* Their values may be a page's, and so are ids and places. */
	static const char *const pointers[] = {"/edits", "/failures", "/diff", "/files"};
	const struct tn_wb_workspace *workspace = look->workspace;
	bool has_plan;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	has_plan = tn_wb_saving_has_drafts(workspace) && workspace->plan;
	tn_json_put_raw(look->data, tn_str_from(has_plan ? workspace->plan : TN_WB_EMPTY_PLAN));
	if (has_plan)
		memcpy(look->untrusted, pointers, sizeof(pointers));
	return TN_WB_SEEN;
}
