/* Producers from outside, by tools of persons (section 0). */
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "mcp/call.h"

static void change(struct tenon_call *call, struct tn_wb_door *door, enum tn_wb_produce what,
		   const char *member)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, door);
	const char *producer = tenon_call_text(call, "producerId");
	const struct tn_json *document =
		member ? tn_json_get(tn_call_arguments(call), member) : NULL;
	enum tn_wb_produced claimed;
	struct tn_buf out;

	if (!workspace)
		return;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	claimed = tn_wb_produce(workspace, what, tn_str_from(producer), document, &out);
	if (claimed == TN_WB_PRODUCE_REFUSED)
		tenon_call_set_error(call);
	if (claimed == TN_WB_PRODUCED || claimed == TN_WB_PRODUCE_REFUSED) {
		tn_wb_reply(call, &out);
		return;
	}
	tn_buf_finish(&out);
	if (claimed == TN_WB_PRODUCE_UNKNOWN)
		tn_wb_reply_error(call, "NOT_FOUND", "there is no producer %.100s", producer);
	else
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
}

void tn_wb_call_put_graph_snapshot(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_PRODUCE_SNAPSHOT, "snapshot");
}

void tn_wb_call_patch_graph(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_PRODUCE_PATCH, "patch");
}

void tn_wb_call_delete_producer(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_PRODUCE_NOTHING, NULL);
}
