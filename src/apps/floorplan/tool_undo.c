/* undo_floorplan, redo_floorplan, write_floorplan: a document's changes, by anyone, whoever made
 * them (floorplan.md 7.8). */
#include "apps/floorplan/tool_state.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_DOCUMENT_ARGUMENT
	","
	TN_FLOOR_EXPECTED_ARGUMENT
	",\"steps\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":50,\"default\":1,"
	"\"description\":\"How many changes\"}},\"required\":[\"document\"],"
	"\"additionalProperties\":false}";
/* clang-format on */
/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"dsl\":{\"type\":\"string\"},\"path\":{\"type\":[\"string\","
	"\"null\"]},\"changed\":{\"type\":\"boolean\"},\"canUndo\":{\"type\":\"boolean\"},"
	"\"canRedo\":{\"type\":\"boolean\"}},\"required\":[\"success\"]}";
/* clang-format on */
/* clang-format off */
static const char write_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_DOCUMENT_ARGUMENT
	","
	TN_FLOOR_EXPECTED_ARGUMENT
	",\"dsl\":{\"type\":\"string\",\"description\":\"The whole new text\"}},"
	"\"required\":[\"document\",\"dsl\"],\"additionalProperties\":false}";
/* clang-format on */
/* clang-format off */
static const char write_output[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"dsl\":{\"type\":\"string\"},\"path\":{\"type\":[\"string\","
	"\"null\"]},\"changed\":{\"type\":\"boolean\"},\"canUndo\":{\"type\":\"boolean\"},"
	"\"canRedo\":{\"type\":\"boolean\"}},\"required\":[\"success\"]}";
/* clang-format on */

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

static void call_undo(struct tenon_call *call, void *door)
{
	move(call, door, tn_oplog_undo);
}

static void call_redo(struct tenon_call *call, void *door)
{
	move(call, door, tn_oplog_redo);
}

static void call_write(struct tenon_call *call, void *data)
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

const struct tenon_tool tn_floor_tool_undo = {
	.name = "undo_floorplan",
	.title = "Undo",
	.description = "Takes back the last change of a document, whoever made it: a person, you "
		       "or a script.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.call = call_undo,
};

const struct tenon_tool tn_floor_tool_redo = {
	.name = "redo_floorplan",
	.title = "Redo",
	.description = "Makes the change of a document again that was undone last.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.call = call_redo,
};

const struct tenon_tool tn_floor_tool_write = {
	.name = "write_floorplan",
	.title = "Write a document's text",
	.description = "Makes a document's text the one sent, as one change of what differs. For "
		       "single rooms modify_floorplan is shorter and keeps references whole.",
	.input_schema = write_schema,
	.output_schema = write_output,
	.flags = TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_write,
};
