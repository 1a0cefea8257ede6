/* Producers from outside: what they claim in the graph is theirs to change (G20, section 19). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static void put_error(struct tn_buf *out, const struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_wb_diagnostic *first = diagnostics->count ? diagnostics->items : NULL;
	bool is_limit = first && strcmp(first->code, "limit_exceeded") == 0;

	tn_json_put_key(out, "error");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", is_limit ? first->code : "VALIDATION_ERROR");
	tn_json_put_member_text(out, "message", first ? first->message : "the update is refused");
	tn_json_put_member_bool(out, "retryable", false);
	tn_json_end_object(out);
}

static void put_update(struct tn_buf *out, const struct tn_wb_update *update,
		       const struct tn_wb_diagnostics *diagnostics)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "ok", update->accepted);
	if (!update->accepted)
		put_error(out, diagnostics);
	tn_json_put_member_bool(out, "accepted", update->accepted);
	tn_json_put_member_int(out, "revision", (int64_t)update->revision);
	tn_json_put_key(out, "emitted");
	if (update->patch.size)
		tn_json_put_raw(out, update->patch);
	else
		tn_json_put_null(out);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, diagnostics);
	tn_json_end_object(out);
}

static void reply_update(struct tenon_call *call, struct tn_wb_workspace *workspace,
			 const struct tn_wb_update *update, struct tn_wb_diagnostics *diagnostics)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	put_update(&out, update, diagnostics);
	tn_wb_diagnostics_finish(diagnostics);
	if (update->changed)
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_GRAPH);
	if (!update->accepted)
		tenon_call_set_error(call);
	tn_wb_reply(call, &out);
}

typedef enum tenon_code update_fn(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				  const struct tn_json *document, struct tn_wb_update *ret,
				  struct tn_wb_diagnostics *diagnostics, struct tenon_error *err);

static void update(struct tenon_call *call, struct tn_wb_door *door, const char *member,
		   update_fn *change)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, door);
	const char *producer;
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_update done;
	struct tenon_error err;

	if (!workspace)
		return;
	tn_wb_diagnostics_init(&diagnostics);
	producer = tn_arena_format(&call->arena, "outside:%s", tenon_call_text(call, "producerId"));
	if (producer &&
	    change(workspace->graph, producer, tn_wb_workspace_rank_of(workspace, producer),
		   tn_json_get(tn_call_arguments(call), member), &done, &diagnostics,
		   &err) == TENON_OK) {
		reply_update(call, workspace, &done, &diagnostics);
		return;
	}
	tn_wb_diagnostics_finish(&diagnostics);
	tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
}

void tn_wb_call_put_graph_snapshot(struct tenon_call *call, void *data)
{
	update(call, data, "snapshot", tn_wb_graph_put);
}

void tn_wb_call_patch_graph(struct tenon_call *call, void *data)
{
	update(call, data, "patch", tn_wb_graph_edit);
}

void tn_wb_call_delete_producer(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	struct tn_wb_diagnostics none;
	struct tn_wb_update done;
	const char *producer;

	if (!workspace)
		return;
	tn_wb_diagnostics_init(&none);
	producer = tn_arena_format(&call->arena, "outside:%s", tenon_call_text(call, "producerId"));
	if (producer && tn_wb_graph_remove(workspace->graph, producer, &done)) {
		done.accepted = true;
		reply_update(call, workspace, &done, &none);
	} else {
		tn_wb_reply_error(call, "NOT_FOUND", "there is no producer %.100s",
				  tenon_call_text(call, "producerId"));
	}
}
