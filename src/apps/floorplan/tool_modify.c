/* modify_floorplan: changes of a plan's text without damage (floorplan.md 7.4, section 8). */
#include "apps/floorplan/edit.h"
#include "apps/floorplan/tool_state.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_SOURCE
	","
	TN_FLOOR_EXPECTED_ARGUMENT
	",\"operations\":{\"type\":\"array\",\"maxItems\":500,\"items\":{\"type\":\"object\","
	"\"properties\":{\"action\":{\"type\":\"string\",\"enum\":[\"add_room\","
	"\"remove_room\",\"resize_room\",\"move_room\",\"rename_room\",\"update_walls\","
	"\"add_label\",\"convert_to_relative\",\"convert_to_absolute\",\"add_connection\","
	"\"remove_connection\",\"set_style\"]},\"target\":{\"type\":\"string\","
	"\"minLength\":1,\"description\":\"A room's name or Floor.Room; sub-rooms of any "
	"depth are found\"},\"params\":{\"type\":[\"object\",\"null\"],"
	"\"description\":\"What the action needs; lengths are numbers in the plan's unit or "
	"texts like \\\"3.5m\\\"\"}},\"required\":[\"action\"],"
	"\"additionalProperties\":false,\"allOf\":[{\"if\":{\"properties\":{\"action\":{\"con"
	"st\":\"add_room\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":"
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":1},"
	"\"size\":{\"type\":\"object\",\"properties\":{\"width\":{\"type\":[\"number\","
	"\"string\"]},\"height\":{\"type\":[\"number\",\"string\"]}},\"required\":[\"width\","
	"\"height\"],\"additionalProperties\":false},\"sizeRef\":{\"type\":\"string\","
	"\"minLength\":1},\"position\":{\"type\":\"object\","
	"\"properties\":{\"x\":{\"type\":[\"number\",\"string\"]},"
	"\"y\":{\"type\":[\"number\",\"string\"]}},\"required\":[\"x\",\"y\"],"
	"\"additionalProperties\":false},\"relativePosition\":{\"type\":\"object\","
	"\"properties\":{\"direction\":{\"type\":\"string\",\"enum\":[\"right-of\","
	"\"left-of\",\"above\",\"below\",\"above-right-of\",\"above-left-of\","
	"\"below-right-of\",\"below-left-of\"]},\"reference\":{\"type\":\"string\","
	"\"minLength\":1},\"gap\":{\"type\":[\"number\",\"string\"]},"
	"\"alignment\":{\"type\":\"string\",\"enum\":[\"top\",\"bottom\",\"left\",\"right\","
	"\"center\"]}},\"required\":[\"direction\",\"reference\"],"
	"\"additionalProperties\":false},\"walls\":{\"type\":\"object\","
	"\"properties\":{\"top\":{\"type\":\"string\",\"enum\":[\"solid\",\"door\","
	"\"window\",\"open\"]},\"right\":{\"type\":\"string\",\"enum\":[\"solid\",\"door\","
	"\"window\",\"open\"]},\"bottom\":{\"type\":\"string\",\"enum\":[\"solid\",\"door\","
	"\"window\",\"open\"]},\"left\":{\"type\":\"string\",\"enum\":[\"solid\",\"door\","
	"\"window\",\"open\"]}},\"additionalProperties\":false},"
	"\"label\":{\"type\":\"string\"},\"style\":{\"type\":\"string\",\"minLength\":1},"
	"\"height\":{\"type\":[\"number\",\"string\"]},\"floor\":{\"type\":\"string\","
	"\"minLength\":1},\"parent\":{\"type\":\"string\",\"minLength\":1}},"
	"\"additionalProperties\":false,\"required\":[\"name\"]}},"
	"\"required\":[\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const\":\"remove_"
	"room\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":["
	"\"object\",\"null\"],\"properties\":{\"onReferences\":{\"type\":\"string\","
	"\"enum\":[\"repair\",\"refuse\"]}},\"additionalProperties\":false}},"
	"\"required\":[\"target\"]}},{\"if\":{\"properties\":{\"action\":{\"const\":\"resize_"
	"room\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":"
	"\"object\",\"properties\":{\"width\":{\"type\":[\"number\",\"string\"]},"
	"\"height\":{\"type\":[\"number\",\"string\"]}},\"additionalProperties\":false}},"
	"\"required\":[\"target\",\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const"
	"\":\"move_room\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{"
	"\"type\":\"object\",\"properties\":{\"x\":{\"type\":[\"number\",\"string\"]},"
	"\"y\":{\"type\":[\"number\",\"string\"]},\"pinDependents\":{\"type\":\"boolean\"}},"
	"\"additionalProperties\":false,\"required\":[\"x\",\"y\"]}},"
	"\"required\":[\"target\",\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const"
	"\":\"rename_room\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\""
	":{\"type\":\"object\",\"properties\":{\"newName\":{\"type\":\"string\"}},"
	"\"additionalProperties\":false,\"required\":[\"newName\"]}},"
	"\"required\":[\"target\",\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const"
	"\":\"update_walls\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params"
	"\":{\"type\":\"object\",\"properties\":{\"top\":{\"type\":\"string\","
	"\"enum\":[\"solid\",\"door\",\"window\",\"open\"]},\"right\":{\"type\":\"string\","
	"\"enum\":[\"solid\",\"door\",\"window\",\"open\"]},\"bottom\":{\"type\":\"string\","
	"\"enum\":[\"solid\",\"door\",\"window\",\"open\"]},\"left\":{\"type\":\"string\","
	"\"enum\":[\"solid\",\"door\",\"window\",\"open\"]}},"
	"\"additionalProperties\":false}},\"required\":[\"target\",\"params\"]}},"
	"{\"if\":{\"properties\":{\"action\":{\"const\":\"add_label\"}},"
	"\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":\"object\""
	",\"properties\":{\"label\":{\"type\":\"string\"}},\"additionalProperties\":false,"
	"\"required\":[\"label\"]}},\"required\":[\"target\",\"params\"]}},"
	"{\"if\":{\"properties\":{\"action\":{\"const\":\"convert_to_relative\"}},"
	"\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":\"object\""
	",\"properties\":{\"anchorRoom\":{\"type\":\"string\",\"minLength\":1},"
	"\"alignmentTolerance\":{\"type\":\"number\",\"minimum\":0},"
	"\"targetRooms\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
	"\"minLength\":1}}},\"additionalProperties\":false,\"required\":[\"anchorRoom\"]}},"
	"\"required\":[\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const\":\"convert"
	"_to_absolute\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\""
	"type\":[\"object\",\"null\"],\"properties\":{\"targetRooms\":{\"type\":\"array\","
	"\"items\":{\"type\":\"string\",\"minLength\":1}}},\"additionalProperties\":false}}}}"
	",{\"if\":{\"properties\":{\"action\":{\"const\":\"add_connection\"}},"
	"\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":\"object\""
	",\"properties\":{\"from\":{\"type\":\"string\",\"minLength\":1,"
	"\"description\":\"Room, Floor.Room, Room.side or outside\"},"
	"\"to\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Room, Floor.Room, "
	"Room.side or outside\"},\"type\":{\"type\":\"string\",\"enum\":[\"door\","
	"\"double-door\",\"opening\"]},\"at\":{\"type\":\"number\",\"minimum\":0,"
	"\"maximum\":100,\"description\":\"Percent of the shared wall\"},"
	"\"size\":{\"type\":\"object\",\"properties\":{\"width\":{\"type\":[\"number\","
	"\"string\"]},\"height\":{\"type\":[\"number\",\"string\"],\"description\":\"A "
	"length, or full\"}},\"required\":[\"width\",\"height\"],"
	"\"additionalProperties\":false},\"opensInto\":{\"type\":\"string\",\"minLength\":1},"
	"\"swing\":{\"type\":\"string\",\"enum\":[\"left\",\"right\"]}},"
	"\"additionalProperties\":false,\"required\":[\"from\",\"to\"]}},"
	"\"required\":[\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const\":\"remove_"
	"connection\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"ty"
	"pe\":\"object\",\"properties\":{\"from\":{\"type\":\"string\",\"minLength\":1,"
	"\"description\":\"Room, Floor.Room, Room.side or outside\"},"
	"\"to\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Room, Floor.Room, "
	"Room.side or outside\"},\"type\":{\"type\":\"string\",\"enum\":[\"door\","
	"\"double-door\",\"opening\"]},\"at\":{\"type\":\"number\",\"minimum\":0,"
	"\"maximum\":100,\"description\":\"Percent of the shared wall\"},"
	"\"size\":{\"type\":\"object\",\"properties\":{\"width\":{\"type\":[\"number\","
	"\"string\"]},\"height\":{\"type\":[\"number\",\"string\"],\"description\":\"A "
	"length, or full\"}},\"required\":[\"width\",\"height\"],"
	"\"additionalProperties\":false},\"opensInto\":{\"type\":\"string\",\"minLength\":1},"
	"\"swing\":{\"type\":\"string\",\"enum\":[\"left\",\"right\"]}},"
	"\"additionalProperties\":false,\"required\":[\"from\",\"to\"]}},"
	"\"required\":[\"params\"]}},{\"if\":{\"properties\":{\"action\":{\"const\":\"set_sty"
	"le\"}},\"required\":[\"action\"]},\"then\":{\"properties\":{\"params\":{\"type\":\"o"
	"bject\",\"properties\":{\"style\":{\"type\":[\"string\",\"null\"]}},"
	"\"additionalProperties\":false,\"required\":[\"style\"]}},\"required\":[\"target\","
	"\"params\"]}}]},\"description\":\"Changes in order, each on the result of the one "
	"before: add_room {name, size or sizeRef, position or relativePosition, walls?, "
	"label?, style?, height?, floor?, parent?}, remove_room, resize_room {width?, "
	"height?}, move_room {x, y}, rename_room {newName}, update_walls {top?, right?, "
	"bottom?, left?}, add_label {label}, convert_to_relative {anchorRoom}, "
	"convert_to_absolute, add_connection, remove_connection {from, to}, set_style "
	"{style}\"},\"mode\":{\"type\":\"string\",\"enum\":[\"best_effort\",\"atomic\"],"
	"\"default\":\"best_effort\",\"description\":\"atomic: all or nothing\"},"
	"\"floor\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Where targets are "
	"looked for, unless they say\"}},\"required\":[\"operations\"],"
	"\"additionalProperties\":false}";
/* clang-format on */
/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"dsl\":{\"type\":\"string\"},\"changes\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\",\"properties\":{\"action\":{\"type\":\"string\"},"
	"\"target\":{\"type\":[\"string\",\"null\"]},\"result\":{\"enum\":[\"applied\","
	"\"skipped\",\"error\"]},\"message\":{\"type\":\"string\"},"
	"\"affected\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}},"
	"\"required\":[\"action\",\"result\"]}},\"valid\":{\"type\":\"boolean\"},"
	"\"diagnostics\":{\"type\":\"object\",\"properties\":{\"errors\":"
	TN_FLOOR_MESSAGES
	",\"warnings\":"
	TN_FLOOR_MESSAGES
	","
	TN_FLOOR_CUT
	"},\"required\":[\"errors\",\"warnings\"]},"
	TN_FLOOR_CUT
	"},\"required\":[\"success\"]}";
/* clang-format on */

static void put_diagnostics(struct tn_floor_act *act)
{
	bool cut = false;

	tn_json_put_member_bool(&act->json, "valid", act->plan->valid);
	tn_json_put_key(&act->json, "diagnostics");
	tn_json_begin_object(&act->json);
	tn_floor_act_put_list(act, TN_FLOOR_ERROR, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_list(act, TN_FLOOR_WARNING, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
	tn_json_end_object(&act->json);
}

/* 8.1: the text has syntax errors, and nothing was done. */
static void put_unreadable(struct tn_floor_act *act)
{
	bool cut = false;

	tn_json_put_member_bool(&act->json, "success", false);
	tn_json_put_member_raw(&act->json, "changes", TN_STR("[]"));
	tn_floor_act_put_list(act, TN_FLOOR_ERROR, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
	put_diagnostics(act);
}

static void put_edited(struct tn_floor_act *act, struct tn_floor_edited *edited)
{
	struct tn_buf *out = &act->json;

	act->plan = edited->plan;
	edited->plan = NULL;
	if (!edited->readable) {
		put_unreadable(act);
		return;
	}
	act->success = edited->success;
	act->text_after = edited->text;
	edited->text = (struct tn_buf){.data = NULL};
	tn_json_put_member_bool(out, "success", edited->success);
	tn_json_put_member_str(out, "dsl", tn_buf_str(&act->text_after));
	tn_json_put_member_raw(out, "changes", tn_buf_str(&edited->changes));
	if (edited->errors.size > 0)
		tn_json_put_member_raw(out, "errors", tn_buf_str(&edited->errors));
	put_diagnostics(act);
}

static void run(struct tn_floor_act *act)
{
	const struct tn_floor_edit_options options = {
		.operations = tn_json_get(act->arguments, "operations"),
		.atomic = tn_str_is(tn_floor_argument_text(act, "mode"), "atomic"),
		.floor = tn_floor_argument_text(act, "floor")};
	struct tn_floor_edited edited;
	struct tenon_error err = {0};
	enum tenon_code code = tn_floor_edit(act->text, &options, &edited, &err);

	if (code != TENON_OK) {
		err.code = code;
		tn_floor_act_fail(act, &err);
		return;
	}
	put_edited(act, &edited);
	tn_floor_edited_finish(&edited);
}

const struct tn_floor_action tn_floor_action_modify = {
	.name = "modify_floorplan", .input_schema = input_schema, .writes = true, .run = run};

static void call_modify(struct tenon_call *call, void *door)
{
	tn_floor_run_tool(call, door, &tn_floor_action_modify);
}

const struct tenon_tool tn_floor_tool_modify = {
	.name = "modify_floorplan",
	.title = "Change a floor plan",
	.description = "Apply changes to a plan and return the new text. Only the bytes that a "
		       "change names are touched: comments, order and spacing stay. References to "
		       "a room that is renamed or removed are kept whole. With a document the "
		       "change is also the document's, for everyone who has it open, and can be "
		       "undone.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TN_FLOOR_PURE,
	.call = call_modify,
};
