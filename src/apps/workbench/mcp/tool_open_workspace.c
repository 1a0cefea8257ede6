/* Opening, closing and trusting a folder: what persons alone may do (section 0, Opening). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

static void reply_workspace(struct tenon_call *call, const struct tn_wb_workspace *workspace)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_bool(&out, "ok", true);
	tn_json_put_key(&out, "workspace");
	if (workspace)
		tn_wb_put_workspace(&out, workspace);
	else
		tn_json_put_null(&out);
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

void tn_wb_call_open_workspace(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = NULL;
	struct tn_wb_door *door = data;
	struct tenon_error err;
	bool trusted = false;

	(void)tenon_call_bool(call, "trusted", &trusted);
	if (tn_wb_workspace_open(&door->workspaces, tenon_call_text(call, "path"), trusted,
				 &workspace, &err) != TENON_OK)
		tn_wb_reply_failure(call, &err);
	else
		reply_workspace(call, workspace);
}

void tn_wb_call_close_workspace(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);

	if (!workspace)
		return;
	tn_wb_workspace_close(workspace);
	reply_workspace(call, NULL);
}

void tn_wb_call_trust_workspace(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	struct tenon_error err;
	bool trusted = false;

	if (!workspace)
		return;
	(void)tenon_call_bool(call, "trusted", &trusted);
	if (tn_wb_workspace_trust(workspace, trusted, &err) != TENON_OK)
		tn_wb_reply_failure(call, &err);
	else
		reply_workspace(call, workspace);
}
