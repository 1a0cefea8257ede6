/* A plan in space: the camera's arguments, and what is told of it (floorplan.md 10.3). */
#include "apps/floorplan/mcp/answer.h"
#include "apps/floorplan/mcp/tool_picture.h"
#include "jsonrpc/json_write.h"

static bool ask_place(const struct tn_floor_act *act, const char *name, struct tn_point3 *ret)
{
	const struct tn_json *place = tn_json_get(act->arguments, name);

	return place && tn_json_to_double(tn_json_get(place, "x"), &ret->x) &&
	       tn_json_to_double(tn_json_get(place, "y"), &ret->y) &&
	       tn_json_to_double(tn_json_get(place, "z"), &ret->z);
}

bool tn_floor_model_make(struct tn_floor_act *act, const struct tn_floor_picture_options *options,
			 struct tn_arena *arena, struct tn_floor_picture *ret,
			 struct tn_floor_view *ret_view)
{
	struct tn_floor_view view = {
		.perspective = tn_str_is(tn_floor_argument_text(act, "projection"), "perspective"),
		.fov = tn_floor_argument_number(act, "fov", 50)};
	struct tenon_error err = {0};
	enum tenon_code code;

	if (!tn_floor_picture_has_floors(act, options))
		return false;
	view.has_from = ask_place(act, "cameraPosition", &view.from);
	view.has_to = ask_place(act, "cameraTarget", &view.to);
	code = tn_floor_draw_model(act->plan, options, &view, arena, &act->file, ret, &err);
	act->mime = tn_floor_format_mime(TN_FLOOR_MODEL);
	*ret_view = view;
	if (code == TENON_INVALID) {
		tn_floor_act_refuse(act, "FP9001",
				    view.has_from ? "/cameraPosition" : "/cameraTarget", "%s",
				    err.message);
	} else if (code != TENON_OK) {
		err.code = code;
		tn_floor_act_fail(act, &err);
	}
	return code == TENON_OK;
}

static void put_place(struct tn_buf *out, const char *name, struct tn_point3 place)
{
	tn_json_put_key(out, name);
	tn_json_begin_object(out);
	tn_floor_put_member_number(out, "x", place.x);
	tn_floor_put_member_number(out, "y", place.y);
	tn_floor_put_member_number(out, "z", place.z);
	tn_json_end_object(out);
}

void tn_floor_put_view(struct tn_buf *out, const struct tn_floor_view *view)
{
	const struct tn_point3 *a = &view->min, *b = &view->max;

	tn_json_put_member_text(out, "projection", view->perspective ? "perspective" : "isometric");
	put_place(out, "cameraPosition", view->from);
	put_place(out, "cameraTarget", view->to);
	tn_floor_put_member_number(out, "fov", view->fov);
	tn_json_put_key(out, "sceneBounds");
	tn_json_begin_object(out);
	put_place(out, "min", *a);
	put_place(out, "max", *b);
	put_place(out, "center",
		  (struct tn_point3){(a->x + b->x) / 2, (a->y + b->y) / 2, (a->z + b->z) / 2});
	tn_json_end_object(out);
}
