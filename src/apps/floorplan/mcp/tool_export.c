/* export_floorplan: a plan in other forms (floorplan.md 7.6, section 10). */
#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tool_picture.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "jsonrpc/json_write.h"

static bool write_text(struct tn_floor_act *act, enum tn_floor_format format, struct tn_buf *notes)
{
	struct tenon_error err = {0};
	enum tenon_code code;

	if (format == TN_FLOOR_JSON)
		code = tn_floor_put_json(&act->file, act->plan, &err);
	else if (format == TN_FLOOR_CSV)
		code = tn_floor_put_csv(&act->file, act->plan, &err);
	else
		code = tn_floor_put_canonical(&act->file, act->plan, notes, &err);
	act->mime = tn_floor_format_mime(format);
	if (code != TENON_OK) {
		err.code = code;
		tn_floor_act_fail(act, &err);
	}
	return code == TENON_OK;
}

static bool write_drawing(struct tn_floor_act *act, enum tn_floor_format format,
			  struct tn_arena *arena)
{
	struct tn_floor_picture_options options;
	struct tn_floor_picture picture = {.display = NULL};

	if (!tn_floor_picture_ask(act, arena, &options))
		return false;
	if (format == TN_FLOOR_SVG)
		return tn_floor_picture_make(act, NULL, &options, format, arena, &picture);
	return tn_floor_drawing_make(act, &options, format);
}

static bool write_file(struct tn_floor_act *act, enum tn_floor_format format, struct tn_buf *notes)
{
	struct tn_arena arena;
	bool good;

	if (format != TN_FLOOR_SVG && format != TN_FLOOR_DXF && format != TN_FLOOR_PDF)
		return write_text(act, format, notes);
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	good = write_drawing(act, format, &arena);
	tn_arena_finish(&arena);
	return good;
}

static void put_answer(struct tn_floor_act *act, enum tn_floor_format format,
		       const struct tn_buf *notes)
{
	struct tn_buf *out = &act->json;
	bool cut = false;

	act->success = true;
	tn_json_put_member_bool(out, "success", true);
	tn_json_put_member_str(out, "format", tn_floor_argument_text(act, "format"));
	tn_json_put_member_text(out, "mimeType", act->mime);
	tn_floor_put_file(act);
	tn_floor_put_letters(act);
	if (format != TN_FLOOR_PDF) { /* it is no text, and a part of the result */
		tn_json_put_member_str(out, "content", tn_buf_str(&act->file));
		act->in_json = true;
	}
	if (notes->size > 0)
		tn_json_put_member_raw(out, "notes", tn_buf_str(notes));
	tn_floor_act_put_list(act, TN_FLOOR_WARNING, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
}

static void run(struct tn_floor_act *act)
{
	enum tn_floor_format format =
		tn_floor_format_of(tn_floor_argument_text(act, "format"), TN_FLOOR_JSON);
	struct tn_buf notes;

	if (!tn_floor_act_read(act, false))
		return;
	if (!act->plan->valid) {
		tn_floor_act_put_bad_plan(act);
		return;
	}
	tn_buf_init(&notes, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (write_file(act, format, &notes))
		put_answer(act, format, &notes);
	tn_buf_inherit_failure(&act->json, &notes);
	tn_buf_finish(&notes);
}

const struct tn_floor_action tn_floor_action_export = {.run = run};
