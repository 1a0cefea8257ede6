/* modify_floorplan: changes of a plan's text without damage (floorplan.md 7.4, section 8). */
#include "apps/floorplan/edit/edit.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "jsonrpc/json_write.h"

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

const struct tn_floor_action tn_floor_action_modify = {.writes = true, .run = run};
