/* render_floorplan: a picture that a model can look at, and the facts behind it (floorplan.md
 * 7.2). */
#include "apps/floorplan/answer.h"
#include "apps/floorplan/tool_picture.h"
#include "apps/floorplan/tool_state.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_SOURCE
	","
	TN_FLOOR_PICTURE_ARGUMENTS
	",\"format\":{\"type\":\"string\",\"enum\":[\"png\",\"svg\",\"pdf\",\"dxf\","
	"\"3d-png\"],\"default\":\"png\",\"description\":\"png: an image to look at. svg, dxf: "
	"text. pdf: vectors on paper. 3d-png: an image of the plan in "
	"space\"},\"includeImageData\":{\"type\":\"boolean\","
	"\"default\":false,\"description\":\"Repeat the picture as base 64 in the JSON; "
	"costs context\"},\"showDiagnostics\":{\"type\":\"boolean\",\"default\":false,"
	"\"description\":\"Mark what is wrong where it is; then even a plan with faults of "
	"meaning is drawn, beside its errors\"},\"before\":{\"type\":\"string\","
	"\"description\":\"An earlier version of the plan: what is different is shown (png "
	"and svg)\"},"
	TN_FLOOR_PAPER_ARGUMENTS
	","
	TN_FLOOR_CAMERA_ARGUMENTS
	"},\"additionalProperties\":false}";
/* clang-format on */

/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"image\":{\"type\":\"object\",\"properties\":{\"mimeType\":{\"type\""
	":\"string\"},\"width\":{\"type\":\"integer\",\"minimum\":0},"
	"\"height\":{\"type\":\"integer\",\"minimum\":0},\"bytes\":{\"type\":\"integer\","
	"\"minimum\":0},\"sha256\":{\"type\":\"string\"},\"data\":{\"type\":\"string\"},"
	"\"transforms\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"projection\":{\"type\":\"string\"},\"cameraPosition\":{\"type\":\"object\"},"
	"\"cameraTarget\":{\"type\":\"object\"},\"fov\":{\"type\":\"number\"},"
	"\"sceneBounds\":{\"type\":\"object\"}},"
	"\"required\":[\"mimeType\",\"bytes\",\"sha256\"]},\"renderedFloors\":{\"type\":\"arr"
	"ay\",\"items\":{\"type\":\"string\"}},\"unit\":{\"type\":\"string\"},"
	"\"areaUnit\":{\"type\":\"string\"},\"title\":{\"type\":[\"string\",\"null\"]},"
	"\"author\":{\"type\":\"string\"},\"floorCount\":{\"type\":\"integer\","
	"\"minimum\":0},\"rooms\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"stairs\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"lifts\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"openings\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
	"\"summary\":{\"type\":\"object\"},\"floorMetrics\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\"}},"
	TN_FLOOR_PLAN_LISTS
	"},\"required\":[\"success\"]}";
/* clang-format on */

struct rendering {
	struct tn_floor_act *act;
	struct tn_arena arena;
	struct tn_floor_picture_options options;
	struct tn_floor_picture picture;
	struct tn_floor_view view; /* of a model */
	enum tn_floor_format format;
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
	if (tn_floor_argument_bool(act, "includeImageData", false)) {
		tn_json_put_key(out, "data");
		tn_json_put_base64(out, act->file.data, act->file.size);
	}
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

static void put_answer(struct rendering *r, const struct tn_floor_answer *answer)
{
	struct tn_buf *out = &r->act->json;

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
		.format = tn_floor_format_of(tn_floor_argument_text(act, "format"), TN_FLOOR_PNG)};

	tn_arena_init(&r.arena, TN_FLOOR_ARENA_MAX);
	render(&r);
	tn_arena_finish(&r.arena);
}

const struct tn_floor_action tn_floor_action_render = {
	.name = "render_floorplan", .input_schema = input_schema, .run = run};

static void call_render(struct tenon_call *call, void *door)
{
	tn_floor_run_tool(call, door, &tn_floor_action_render);
}

const struct tenon_tool tn_floor_tool_render = {
	.name = "render_floorplan",
	.title = "Draw a floor plan",
	.description = "Parse a plan and render it to a PNG image that the model can look at, with "
		       "rooms, openings and measures as data, and how places become pixels. Errors "
		       "come with line and column instead.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TN_FLOOR_PURE,
	.call = call_render,
};
