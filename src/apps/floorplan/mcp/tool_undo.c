/* undo_floorplan, redo_floorplan, write_floorplan: a document's changes, by anyone, whoever made
 * them (floorplan.md 7.8). */
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

void tn_floor_put_open_document(struct tn_buf *out, const struct tn_handle *handle)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "success", true);
	tn_floor_put_document(out, handle);
	tn_json_put_member_str(out, "dsl", tn_buf_str(&tn_floor_document_of(handle)->text));
	tn_json_end_object(out);
}

static void reply_document(struct tenon_call *call, struct tn_floor_door *door,
			   const struct tn_handle *handle)
{
	struct tn_buf json;

	tn_floor_publish(door, handle);
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	tn_floor_put_open_document(&json, handle);
	tn_floor_reply(call, &json);
}

typedef enum tenon_code step_fn(struct tn_oplog *log, const char *actor, int64_t expected_revision,
				struct tn_change *ret, struct tenon_error *err);

static void move(struct tenon_call *call, struct tn_floor_door *door, step_fn *step)
{
	struct tn_handle *handle = tn_floor_handle_of(call, door);
	struct tn_oplog *log = handle ? tn_floor_document_of(handle)->log : NULL;
	int64_t steps = 1, expected = -1, done = 0;
	struct tn_change change;
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	if (!handle)
		return;
	(void)tenon_call_int(call, "steps", &steps);
	(void)tenon_call_int(call, "expectedRevision", &expected);
	for (; done < steps && code == TENON_OK; done += code == TENON_OK) {
		code = step(log, tn_floor_actor_of(call), expected, &change, &err);
		expected = -1;
	}
	err.code = code;
	if (done > 0) /* fewer than wanted are fine */
		reply_document(call, door, handle);
	else
		tn_floor_reply_error(call, code == TENON_NOT_FOUND ? "NOTHING_TO_UNDO" : NULL,
				     &err);
}

void tn_floor_call_undo(struct tenon_call *call, void *door)
{
	move(call, door, tn_oplog_undo);
}

void tn_floor_call_redo(struct tenon_call *call, void *door)
{
	move(call, door, tn_oplog_redo);
}

void tn_floor_call_write(struct tenon_call *call, void *data)
{
	struct tn_floor_door *door = data;
	struct tn_handle *handle = tn_floor_handle_of(call, door);
	struct tn_str text = {NULL, 0};
	struct tenon_error err = {0};
	int64_t expected = -1;

	if (!handle)
		return;
	(void)tenon_call_int(call, "expectedRevision", &expected);
	(void)tn_json_to_str(tn_json_get(tn_call_arguments(call), "dsl"), &text);
	if (tn_floor_document_change(tn_floor_document_of(handle), text, expected,
				     tn_floor_actor_of(call), "write_floorplan", &err) == TENON_OK)
		reply_document(call, door, handle);
	else
		tn_floor_reply_error(call, NULL, &err);
}
