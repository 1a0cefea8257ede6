/* render_floorplan: a picture that a model can look at, and the facts behind it (floorplan.md
 * 7.2). */
#include "apps/floorplan/mcp/brief.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tool_picture.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "jsonrpc/json_write.h"

struct rendering {
	struct tn_floor_act *act;
	struct tn_arena arena;
	struct tn_floor_picture_options options;
	struct tn_floor_picture picture;
	struct tn_floor_view view; /* of a model */
	enum tn_floor_format format;
	enum tn_floor_detail detail;
};

/* ---- the answer ---- */

static void put_transforms(struct tn_buf *out, const struct tn_floor_picture *picture)
{
	tn_json_put_key(out, "transforms");
	tn_json_begin_array(out);
	for (size_t i = 0; i < picture->transform_count; i++) {
		const struct tn_floor_transform *at = &picture->transforms[i];

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "floor", at->floor->name);
		tn_floor_put_member_number(out, "scale", at->scale);
		tn_floor_put_member_number(out, "x0", at->x0);
		tn_floor_put_member_number(out, "y0", at->y0);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_data(struct tn_floor_act *act)
{
	if (!tn_floor_argument_bool(act, "includeImageData", false))
		return;
	tn_json_put_key(&act->json, "data");
	tn_json_put_base64(&act->json, act->file.data, act->file.size);
}

static void put_image(struct rendering *r)
{
	struct tn_floor_act *act = r->act;
	struct tn_buf *out = &act->json;

	tn_json_put_key(out, "image");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "mimeType", act->mime);
	if (r->picture.transform_count > 0) { /* paper and CAD have no pixels */
		tn_json_put_member_int(out, "width", r->options.width);
		tn_json_put_member_int(out, "height", r->options.height);
	}
	tn_floor_put_file(act);
	if (r->format == TN_FLOOR_MODEL)
		tn_floor_put_view(out, &r->view);
	else
		put_transforms(out, &r->picture);
	tn_floor_put_letters(act);
	put_data(act);
	tn_json_end_object(out);
}

static void put_lists(struct tn_floor_act *act)
{
	bool cut = false;

	tn_floor_act_put_list(act, TN_FLOOR_WARNING, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_list(act, TN_FLOOR_INFO, TN_FLOOR_LISTED_MAX, &cut);
	tn_floor_act_put_cut(act, cut);
}

static void put_measures(struct tn_buf *out, const struct tn_floor_answer *answer)
{
	tn_json_put_key(out, "summary");
	tn_floor_put_summary(out, answer->plan, answer->sqm);
	tn_json_put_key(out, "floorMetrics");
	tn_json_begin_array(out);
	for (size_t i = 0; i < answer->floor_count; i++)
		tn_floor_put_floor_metrics(out, answer->plan, answer->floors[i], answer->sqm);
	tn_json_end_array(out);
}

/* With detail none or brief: what a look at the picture does not say (F11-170). */
static void put_little(struct rendering *r, const struct tn_floor_answer *answer)
{
	struct tn_buf *out = &r->act->json;

	tn_json_put_member_bool(out, "success", true);
	if (r->detail == TN_FLOOR_NONE)
		return;
	tn_json_put_key(out, "image");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "mimeType", r->act->mime);
	if (r->picture.transform_count > 0) {
		tn_json_put_member_int(out, "width", r->options.width);
		tn_json_put_member_int(out, "height", r->options.height);
		tn_floor_put_member_number(out, "scale", r->picture.transforms[0].scale);
	}
	tn_floor_put_file(r->act);
	tn_floor_put_letter_names(r->act);
	put_data(r->act);
	tn_json_end_object(out);
	tn_floor_put_brief(r->act, answer);
	tn_floor_put_worst(r->act);
}

static void put_answer(struct rendering *r, const struct tn_floor_answer *answer)
{
	struct tn_buf *out = &r->act->json;

	if (r->detail != TN_FLOOR_FULL) {
		put_little(r, answer);
		return;
	}
	tn_json_put_member_bool(out, "success", true);
	put_image(r);
	tn_floor_put_heading(out, answer);
	tn_json_put_key(out, "renderedFloors");
	tn_json_begin_array(out);
	for (size_t i = 0; i < answer->floor_count; i++)
		tn_json_put_str(out, answer->floors[i]->name);
	tn_json_end_array(out);
	tn_floor_put_facts(out, answer);
	put_measures(out, answer);
	put_lists(r->act);
}

/* ---- making it ---- */

static bool make_picture(struct rendering *r)
{
	struct tn_str text = tn_floor_argument_text(r->act, "before");
	struct tn_floor_plan *before = NULL;
	struct tenon_error err = {0};
	bool good = true;

	if (text.data && tn_floor_plan_create(text, false, &before, &err) != TENON_OK) {
		tn_floor_act_fail(r->act, &err);
		return false;
	}
	if (before && !before->valid) {
		tn_floor_act_refuse(r->act, "FP9001", "/before",
				    "the earlier version has errors; validate_floorplan tells "
				    "them");
		good = false;
	}
	good = good && tn_floor_picture_make(r->act, before, &r->options, r->format, &r->arena,
					     &r->picture);
	tn_floor_plan_free(before);
	return good;
}

static bool make(struct rendering *r)
{
	if (r->format == TN_FLOOR_PDF || r->format == TN_FLOOR_DXF)
		return tn_floor_drawing_make(r->act, &r->options, r->format);
	if (r->format == TN_FLOOR_MODEL)
		return tn_floor_model_make(r->act, &r->options, &r->arena, &r->picture, &r->view);
	return make_picture(r);
}

static void render_bad_plan(struct rendering *r)
{
	struct tn_floor_act *act = r->act;

	/* What has a place is drawn with its marks; text that does not parse has none. */
	if (r->options.diagnostics && act->plan->tree.parses && act->plan->room_count > 0 &&
	    !make(r)) {
		tn_buf_clear(&act->json);
		tn_json_begin_object(&act->json);
		tn_buf_clear(&act->file);
	}
	if (r->detail != TN_FLOOR_FULL) {
		act->success = false;
		tn_json_put_member_bool(&act->json, "success", false);
		tn_floor_put_worst(act);
		return;
	}
	tn_floor_act_put_bad_plan(act);
}

static bool find_floors(struct rendering *r, struct tn_floor_answer *answer)
{
	const struct tn_floor_plan *plan = r->act->plan;
	const struct tn_floor_floor **floors =
		tn_arena_alloc_array(&r->arena, plan->floor_count + 1, sizeof(*floors));

	if (!floors)
		return false;
	answer->floors = floors;
	for (size_t i = 0; i < r->picture.transform_count; i++)
		floors[answer->floor_count++] = r->picture.transforms[i].floor;
	if (r->format != TN_FLOOR_PDF && r->format != TN_FLOOR_DXF)
		return true;
	for (const struct tn_floor_floor *at = plan->floors; at; at = at->next)
		floors[answer->floor_count++] = at;
	return true;
}

static void render(struct rendering *r)
{
	struct tn_floor_act *act = r->act;
	struct tn_floor_answer answer;

	if (!tn_floor_picture_ask(act, &r->arena, &r->options) ||
	    !tn_floor_act_read(act, r->options.diagnostics))
		return;
	if (!act->plan->valid) {
		render_bad_plan(r);
		return;
	}
	if (!make(r))
		return;
	answer = (struct tn_floor_answer){.plan = act->plan,
					  .keys = r->picture.keys,
					  .sqm = r->options.area_in_sqm >= 0
							 ? r->options.area_in_sqm > 0
							 : act->plan->settings.area_in_sqm};
	if (!find_floors(r, &answer)) {
		act->json.failed = true;
		return;
	}
	act->success = true;
	put_answer(r, &answer);
}

static void run(struct tn_floor_act *act)
{
	struct rendering r = {
		.act = act,
		.detail = tn_floor_detail_of(act),
		.format = tn_floor_format_of(tn_floor_argument_text(act, "format"), TN_FLOOR_PNG)};

	tn_arena_init(&r.arena, TN_FLOOR_ARENA_MAX);
	render(&r);
	tn_arena_finish(&r.arena);
}

const struct tn_floor_action tn_floor_action_render = {.run = run};
