/* Producers from outside, by tools of persons (section 0). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "apps/workbench/workspace/claiming.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* A call, until it is answered: what is long waits for its turn (claiming.h). */
struct asked {
	struct tn_wb_claiming claiming;
	struct tenon_call *call; /* NULL: nobody waits any more */
	const struct tn_json *document;
	bool writing, over; /* a worker writes the text; `done` has been called */
};

static void free_asked(struct asked *asked)
{
	tn_wb_claiming_finish(&asked->claiming);
	tn_mem_free(asked);
}

static void describe(struct tn_wb_claiming *claiming)
{
	tn_wb_put_claimed(claiming, TN_WB_ANSWER_BYTES_MAX / 2);
}

static void reply(struct tenon_call *call, struct tn_wb_claiming *claiming)
{
	switch (claiming->code) {
	case TENON_OK:
		if (!claiming->update.accepted)
			tenon_call_set_error(call);
		tn_wb_reply(call, &claiming->out);
		return;
	case TENON_NOT_FOUND:
		tn_wb_reply_error(call, "NOT_FOUND", "there is no producer %.100s",
				  strchr(claiming->producer, ':') + 1);
		return;
	case TENON_CANCELLED:
		tn_wb_reply_error(call, "no_workspace", "the workspace was closed meanwhile");
		return;
	default:
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
	}
}

static void done(struct tn_wb_claiming *claiming)
{
	struct asked *asked = claiming->data;
	struct tenon_call *call = asked->call;

	asked->over = true;
	asked->call = NULL;
	if (call) {
		tenon_call_set_data(call, NULL, NULL);
		reply(call, claiming);
	}
	if (!asked->writing)
		free_asked(asked);
}

/* The call has ended. What it sent counts all the same, unless its text was never written. */
static void call_gone(void *data)
{
	struct asked *asked = data;

	asked->call = NULL;
	if (asked->over || !asked->writing)
		return;
	asked->writing = false; /* no worker was to be had */
	tn_wb_claiming_drop(&asked->claiming);
}

/* The call's memory stays until this has ended, and no longer. */
static void write_text(const struct tenon_call *call, void *data)
{
	struct asked *asked = data;

	(void)call;
	tn_json_put_value(&asked->claiming.text, asked->document);
}

static void text_written(struct tenon_call *call, void *data)
{
	struct asked *asked = data;

	(void)call;
	asked->writing = false;
	if (asked->over) {
		free_asked(asked);
		return;
	}
	asked->claiming.comes = false;
	tn_wb_claiming_go_on(asked->claiming.workspace);
}

static void wait(struct asked *asked, struct tn_wb_workspace *workspace)
{
	struct tenon_call *call = asked->call;
	const bool writes = asked->document != NULL;

	asked->writing = asked->claiming.comes = writes;
	tenon_call_set_data(call, asked, call_gone);
	tn_wb_end_with_caller(call);
	if (!tn_wb_claiming_add(workspace, &asked->claiming)) {
		asked->over = true;
		tenon_call_set_data(call, NULL, NULL);
		tn_wb_reply_error(call, "limit_exceeded",
				  "too many updates wait already: try again in a moment");
		free_asked(asked);
		return;
	}
	if (writes)
		tenon_call_work(call, write_text, text_written, asked);
}

static void change(struct tenon_call *call, struct tn_wb_door *door, enum tn_wb_claiming_kind what,
		   const char *member)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, door);
	struct asked *asked = workspace ? tn_mem_alloc(sizeof(*asked)) : NULL;

	if (!workspace)
		return;
	if (!asked) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return;
	}
	tn_wb_claiming_init(&asked->claiming);
	tn_wb_name_producer(&asked->claiming, tn_str_from(tenon_call_text(call, "producerId")));
	asked->document = member ? tn_json_get(tn_call_arguments(call), member) : NULL;
	asked->call = call;
	asked->claiming.kind = what;
	asked->claiming.document = asked->document;
	asked->claiming.describe = describe;
	asked->claiming.done = done;
	asked->claiming.data = asked;
	if (!tn_wb_claiming_try(workspace, &asked->claiming))
		wait(asked, workspace);
}

void tn_wb_call_put_graph_snapshot(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_CLAIM_SNAPSHOT, "snapshot");
}

void tn_wb_call_patch_graph(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_CLAIM_PATCH, "patch");
}

void tn_wb_call_delete_producer(struct tenon_call *call, void *data)
{
	change(call, data, TN_WB_CLAIM_NOTHING, NULL);
}
