/* The road of a picture in space: floors, the camera, the page around it. */
#include "apps/floorplan/picture/model.h"

#include <math.h>

#include "apps/floorplan/limits.h"
#include "apps/floorplan/picture/model_faces.h"
#include "draw/png.h"

#define DEGREE 0.017453292519943295
#define EDGE 0.8                  /* of the lines between planes, in p */
#define CORNER 0.5773502691896258 /* from the middle of a cube to its corner: 1, 1, 1 */
#define TRIES 6                   /* until the whole is in the middle of the picture */

/* ---- floors ---- */

/* A room's floor goes to the outside of its walls. */
static void put_slab(struct tn_model *model, const struct tn_floor_room *room)
{
	const struct tn_floor_settings *settings = &model->painter.plan->settings;
	const struct tn_floor_theme *theme = model->painter.theme;
	double half = settings->wall_thickness / 2, level = tn_floor_level(room);
	tn_colour colour = tn_paint_room_colour(&model->painter, room);
	struct tn_floor_rect rect = {room->rect.x - half, room->rect.y - half,
				     room->rect.width + 2 * half, room->rect.height + 2 * half};

	if (room->parent)
		rect = room->rect;
	tn_model_put_box(
		model, &rect, level - settings->floor_thickness, level,
		(struct tn_model_colours){colour, tn_model_mix(theme->room, theme->wall, 0.3)});
}

static void put_floor(struct tn_model *model, size_t index)
{
	const struct tn_floor_floor *floor = model->painter.cells[index].floor;
	const struct tn_floor_room *room = NULL;

	model->base = 0;
	for (const struct tn_floor_floor *at = model->painter.plan->floors; at != floor;
	     at = at->next)
		model->base += at->height;
	while ((room = tn_paint_next_room(floor, room)))
		put_slab(model, room);
	tn_model_put_walls(model, &model->walls[index]);
	tn_model_put_circulation(model, floor);
}

/* From the lowest up: of planes at one place the later is seen. */
static void put_floors(struct tn_model *model, enum tn_model_act act)
{
	model->act = act;
	for (const struct tn_floor_floor *floor = model->painter.plan->floors; floor;
	     floor = floor->next)
		for (size_t i = 0; i < model->painter.cell_count; i++)
			if (model->painter.cells[i].floor == floor) {
				put_floor(model, i);
				break; /* named twice, it is there once */
			}
}

static bool find_walls(struct tn_model *model)
{
	struct tn_painter *painter = &model->painter;
	size_t stairs = 1;

	model->walls = tn_paint_new(painter, painter->cell_count, sizeof(*model->walls));
	for (size_t i = 0; model->walls && i < painter->cell_count; i++) {
		const struct tn_floor_floor *floor = painter->cells[i].floor;

		if (!tn_floor_walls(floor, painter->plan, true, painter->arena,
				    &model->walls[i].pieces, &model->walls[i].count))
			painter->starved = true;
		for (const struct tn_floor_circulation *c = floor->circulation; c; c = c->next)
			stairs++;
	}
	model->steps = TN_FLOOR_SOLID_STEPS_MAX / stairs;
	return !painter->starved;
}

/* ---- the camera ---- */

struct frame { /* where on the page, in pixels */
	double left, top, width, height;
};

static struct frame frame_of(const struct tn_painter *painter)
{
	double margin = 16 * painter->p * painter->strip;

	return (struct frame){margin, margin + painter->title.height,
			      painter->options->width - 2 * margin,
			      painter->options->height - 2 * margin - painter->title.height};
}

/* How large the scene looks through a camera. */
static bool look_through(struct tn_model *model, const struct tn_camera *camera)
{
	const struct tn_floor_picture_options *options = model->painter.options;

	tn_scene_finish(&model->scene);
	if (!tn_scene_init(&model->scene, camera, options->width, options->height))
		return false;
	model->look = (struct tn_floor_box){INFINITY, INFINITY, -INFINITY, -INFINITY};
	put_floors(model, TN_MODEL_LOOK);
	model->look.width -= model->look.x;
	model->look.height -= model->look.y;
	return true;
}

/* Parallel rays: the whole, as large as fits, in the middle. */
static bool fit(struct tn_model *model, struct tn_camera *camera)
{
	struct frame frame = frame_of(&model->painter);
	const struct tn_floor_box *look = &model->look;

	camera->x = camera->y = 0;
	camera->scale = 1;
	if (!look_through(model, camera))
		return false;
	if (look->width > 0 && look->height > 0)
		camera->scale = fmin(frame.width / look->width, frame.height / look->height);
	camera->x = frame.left + (frame.width - look->width * camera->scale) / 2 -
		    look->x * camera->scale;
	camera->y = frame.top + (frame.height - look->height * camera->scale) / 2 -
		    look->y * camera->scale;
	return true;
}

static struct tn_point3 towards(struct tn_point3 from, double distance)
{
	distance *= CORNER;
	return (struct tn_point3){tn_model_steady(from.x + distance),
				  tn_model_steady(from.y + distance),
				  tn_model_steady(from.z + distance)};
}

/* The corners of all there is. */
static bool look_at_bounds(struct tn_model *model, const struct tn_camera *camera)
{
	const struct tn_point3 *min = &model->view->min, *max = &model->view->max;
	const struct tn_floor_picture_options *options = model->painter.options;

	tn_scene_finish(&model->scene);
	if (!tn_scene_init(&model->scene, camera, options->width, options->height))
		return false;
	model->look = (struct tn_floor_box){INFINITY, INFINITY, -INFINITY, -INFINITY};
	for (unsigned i = 0; i < 8; i++)
		tn_model_look_at(model, (struct tn_point3){i & 1 ? max->x : min->x,
							   i & 2 ? max->y : min->y,
							   i & 4 ? max->z : min->z});
	model->look.width -= model->look.x;
	model->look.height -= model->look.y;
	return true;
}

/* `anywhere`: as large as the page has room for; otherwise where it is, too. */
static bool is_in_frame(const struct tn_model *model, bool anywhere)
{
	struct frame frame = frame_of(&model->painter);
	const struct tn_floor_box *look = &model->look;

	if (look->width > frame.width || look->height > frame.height)
		return false;
	return anywhere ||
	       (look->x >= frame.left && look->x + look->width <= frame.left + frame.width &&
		look->y >= frame.top && look->y + look->height <= frame.top + frame.height);
}

/* How near it may be for the whole to be seen. */
static double nearest(struct tn_model *model, struct tn_camera *camera, double size, bool anywhere)
{
	double near = 0, far = size * 64;

	while (far - near > size / 1000) {
		double distance = (near + far) / 2;

		camera->from = towards(camera->to, distance);
		if (look_at_bounds(model, camera) && is_in_frame(model, anywhere))
			far = distance;
		else
			near = distance;
	}
	return far;
}

/* Perspective from no place in particular: as near as the whole can be seen from, with what is seen
 * in the middle of the page. The target moves there where it is free. */
static void step_back(struct tn_model *model, struct tn_camera *camera, double size)
{
	struct tn_floor_view *view = model->view;
	double distance = nearest(model, camera, size, !view->has_to);

	for (int i = 0; i < TRIES && !view->has_to; i++) {
		const struct tn_scene *scene = &model->scene;
		double right, down;

		camera->from = towards(camera->to, distance);
		if (!look_at_bounds(model, camera))
			break;
		right = (model->look.x + model->look.width / 2 - camera->x) * distance /
			camera->scale;
		down = (model->look.y + model->look.height / 2 - camera->y) * distance /
		       camera->scale;
		camera->to.x = tn_model_steady(camera->to.x + right * scene->right.x +
					       down * scene->down.x);
		camera->to.y = tn_model_steady(camera->to.y + right * scene->right.y +
					       down * scene->down.y);
		camera->to.z = tn_model_steady(camera->to.z + right * scene->right.z +
					       down * scene->down.z);
		distance = nearest(model, camera, size, i + 1 < TRIES);
	}
	camera->from = towards(camera->to, distance);
}

/* False: from and to are one place. */
static bool aim(struct tn_model *model, struct tn_camera *camera)
{
	struct tn_floor_view *view = model->view;
	const struct tn_point3 *min = &view->min, *max = &view->max;
	struct frame frame = frame_of(&model->painter);
	double dx = max->x - min->x, dy = max->y - min->y, dz = max->z - min->z,
	       size = fmax(sqrt(dx * dx + dy * dy + dz * dz), 1);
	if (!view->has_to)
		view->to = (struct tn_point3){min->x + dx / 2, min->y + dy / 2, min->z + dz / 2};
	if (!view->has_from)
		view->from = towards(view->to, size);
	*camera = (struct tn_camera){.perspective = view->perspective,
				     .from = view->from,
				     .to = view->to,
				     .x = frame.left + frame.width / 2,
				     .y = frame.top + frame.height / 2,
				     .scale = tn_model_steady(model->painter.options->height / 2.0 /
							      tan(view->fov / 2 * DEGREE))};
	if (!view->perspective)
		return fit(model, camera);
	if (!view->has_from)
		step_back(model, camera, size);
	view->from = camera->from;
	view->to = camera->to;
	return true;
}

/* ---- the page ---- */

/* The widest line of words through the middle of a room. */
static double room_for_words(const struct tn_model *model, const struct tn_floor_rect *rect,
			     struct tn_point3 middle)
{
	const struct tn_scene *scene = &model->scene;
	double reach = fmin(rect->width / 2 / fmax(fabs(scene->right.x), 1e-9),
			    rect->height / 2 / fmax(fabs(scene->right.y), 1e-9));
	struct tn_point3 end = {middle.x + reach * scene->right.x,
				middle.y + reach * scene->right.y, middle.z};
	struct tn_point a, b;

	if (!tn_scene_pixel(scene, middle, &a) || !tn_scene_pixel(scene, end, &b))
		return 0;
	return 1.8 * fabs(b.x - a.x);
}

struct words { /* in the opening above a room; on a deck's floor */
	const struct tn_floor_room *room;
	struct tn_point3 at;
	size_t mark;
	struct tn_floor_box box; /* that they fill; width 0: they are left out */
};

static struct words mark_room(struct tn_model *model, const struct tn_floor_room *room)
{
	const struct tn_floor_rect *r = &room->rect;
	struct words words = {.room = room, .at = {r->x + r->width / 2, r->y + r->height / 2, 0}};
	int walls = 0;

	for (int side = 0; side < 4; side++)
		walls += room->walls[side] != TN_FLOOR_OPEN;
	words.at.z = model->base + tn_floor_level(room) + (walls > 1 ? room->height : 0);
	words.mark = tn_scene_mark(&model->scene, words.at);
	return words;
}

static struct words *mark_rooms(struct tn_model *model, size_t *ret_count)
{
	struct tn_painter *painter = &model->painter;
	struct words *words = tn_paint_new(painter, painter->plan->room_count, sizeof(*words));

	*ret_count = 0;
	model->base = 0;
	for (const struct tn_floor_floor *floor = painter->plan->floors; words && floor;
	     model->base += floor->height, floor = floor->next) {
		const struct tn_floor_room *room = NULL;
		bool drawn = false;

		for (size_t i = 0; i < painter->cell_count; i++)
			drawn = drawn || painter->cells[i].floor == floor;
		while (drawn && (room = tn_paint_next_room(floor, room)))
			if (!room->rooms)
				words[(*ret_count)++] = mark_room(model, room);
	}
	return words;
}

/* Words before these are there already. */
static bool is_free(const struct words *words, size_t index)
{
	const struct tn_floor_box *box = &words[index].box;

	for (size_t i = 0; i < index; i++) {
		const struct tn_floor_box *other = &words[i].box;

		if (other->width > 0 && fabs(other->x - box->x) * 2 < other->width + box->width &&
		    fabs(other->y - box->y) * 2 < other->height + box->height)
			return false;
	}
	return true;
}

static void put_words(struct tn_model *model, struct words *all, size_t index)
{
	struct tn_painter *painter = &model->painter;
	struct words *words = &all[index];
	struct tn_str name = words->room->label.size > 0 ? words->room->label : words->room->name;
	double width = tn_draw_measure(painter->display, name, 1, TN_DRAW_BOLD),
	       size = fmin(12 * painter->p,
			   room_for_words(model, &words->room->rect, words->at) / width);
	struct tn_point pixel;

	if (size < fmax(7 * painter->p, 7) || !tn_scene_is_seen(&model->scene, words->mark) ||
	    !tn_scene_pixel(&model->scene, words->at, &pixel))
		return;
	words->box = (struct tn_floor_box){pixel.x, pixel.y, width * size, size};
	if (!is_free(all, index)) {
		words->box.width = 0;
		return;
	}
	tn_paint_words(painter, name,
		       &(struct tn_paint_text){.x = tn_paint_round(pixel.x),
					       .y = tn_paint_round(pixel.y),
					       .size = tn_paint_round(size),
					       .bold = true,
					       .anchor = TN_DRAW_MIDDLE,
					       .colour = painter->theme->text,
					       .halo = painter->theme->page});
}

/* ---- the whole ---- */

static enum tenon_code paint(struct tn_model *model, struct tn_raster *raster,
			     struct tenon_error *err)
{
	struct tn_painter *painter = &model->painter;
	size_t count = 0;
	struct words *words = painter->labels ? mark_rooms(model, &count) : NULL;
	enum tenon_code code;

	put_floors(model, TN_MODEL_DRAW);
	if (model->scene.face_count == 0 && painter->bounds.width > 0 &&
	    model->scene.failed == TENON_OK)
		return tn_fail(err, TENON_INVALID,
			       "nothing of the plan is seen from there; send another "
			       "cameraPosition or cameraTarget");
	code = tn_scene_draw(&model->scene, raster, painter->theme->line, EDGE * painter->p, err);
	if (code != TENON_OK)
		return code;
	for (size_t i = 0; i < count; i++)
		put_words(model, words, i);
	tn_paint_page(painter);
	return painter->starved ? tn_fail(err, TENON_NO_MEMORY, "no memory for a picture")
				: tn_raster_draw(raster, painter->display, 1, err);
}

static enum tenon_code paint_png(struct tn_model *model, struct tn_buf *out,
				 struct tenon_error *err)
{
	const struct tn_floor_picture_options *options = model->painter.options;
	struct tn_raster raster;
	enum tenon_code code = tn_raster_init(&raster, options->width, options->height,
					      model->painter.theme->page, err);

	if (code != TENON_OK)
		return code;
	code = paint(model, &raster, err);
	if (code == TENON_OK)
		code = tn_png_encode(&raster, false, out, err);
	tn_raster_finish(&raster);
	return code;
}

static enum tenon_code build(struct tn_model *model, struct tn_buf *out, struct tenon_error *err)
{
	const struct tn_floor_picture_options *options = model->painter.options;
	struct tn_floor_view *view = model->view;
	struct tn_camera camera;

	if (!find_walls(model))
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a picture");
	view->min = (struct tn_point3){INFINITY, INFINITY, INFINITY};
	view->max = (struct tn_point3){-INFINITY, -INFINITY, -INFINITY};
	put_floors(model, TN_MODEL_MEASURE);
	if (view->min.x > view->max.x)
		view->min = view->max = (struct tn_point3){0, 0, 0};
	if (!aim(model, &camera))
		return tn_fail(err, TENON_INVALID,
			       "cameraPosition and cameraTarget are one place; send two");
	tn_scene_finish(&model->scene);
	(void)tn_scene_init(&model->scene, &camera, options->width, options->height);
	return paint_png(model, out, err);
}

enum tenon_code tn_floor_draw_model(const struct tn_floor_plan *plan,
				    const struct tn_floor_picture_options *options,
				    struct tn_floor_view *view, struct tn_arena *arena,
				    struct tn_buf *out, struct tn_floor_picture *ret,
				    struct tenon_error *err)
{
	struct tn_floor_picture_options page = *options;
	struct tn_model model = {.view = view};
	enum tenon_code code;

	/* Of the page's strips there is the title: lengths are not the same everywhere. */
	page.no_scale_bar = true;
	page.summary = page.legend = false;
	page.dimensions = 0;
	code = tn_paint_begin(&model.painter, plan, NULL, &page, arena, err);
	if (code == TENON_OK)
		code = build(&model, out, err);
	tn_scene_finish(&model.scene);
	tn_buf_finish(&model.painter.words);
	tn_display_free(model.painter.display);
	*ret = (struct tn_floor_picture){.transforms = model.painter.transforms,
					 .transform_count = model.painter.cell_count,
					 .keys = model.painter.keys};
	return code;
}
