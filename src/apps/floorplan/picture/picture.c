/* The road of a picture: which floors, where on the page, then everything in the order of 6.3. */
#include "apps/floorplan/picture/picture.h"

#include <math.h>

#include "apps/floorplan/limits.h"
#include "apps/floorplan/picture/internal.h"

/* ---- beginning ---- */

static void settle(struct tn_painter *painter)
{
	const struct tn_floor_picture_options *options = painter->options;
	const struct tn_floor_settings *settings = &painter->plan->settings;
	double shorter = fmin(options->width, options->height);

	painter->p = fmin(fmax(shorter / 600, 0.5), 4);
	painter->theme =
		tn_floor_theme_find(options->theme.size > 0 ? options->theme : settings->theme);
	painter->labels = options->labels < 0 ? settings->show_labels : options->labels > 0;
	painter->dimensions =
		options->dimensions < 0 ? settings->show_dimensions : options->dimensions > 0;
	painter->sqm = options->area_in_sqm < 0 ? settings->area_in_sqm : options->area_in_sqm > 0;
	painter->length_unit = options->length_unit == TN_FLOOR_NO_UNIT ? painter->plan->unit
									: options->length_unit;
}

/* For readers of the screen, and of the SVG (6.10). */
static void describe(struct tn_painter *painter)
{
	const struct tn_floor_tree *tree = &painter->plan->tree;
	struct tn_str version = tree->directive_version;
	struct tn_buf *out = &painter->words;

	if (version.size == 0)
		version = tree->front.version;
	tn_display_keep_words(painter->display, painter->plan->settings.font_family);
	tn_paint_new_words(painter);
	tn_buf_append_text(out, "floorplan language ");
	tn_buf_append_str(out, version.size > 0 ? version : TN_STR("1.0"));
	tn_display_remark(painter->display, tn_buf_str(out));
	tn_paint_new_words(painter);
	for (size_t i = 0; i < painter->cell_count; i++) {
		tn_buf_append_text(out, i > 0 ? ", " : "Floors: ");
		tn_buf_append_str(out, painter->cells[i].floor->name);
	}
	tn_display_describe(painter->display,
			    tree->front.title.size > 0 ? tree->front.title : TN_STR("Floor plan"),
			    tn_buf_str(out));
}

enum tenon_code tn_paint_begin(struct tn_painter *painter, const struct tn_floor_plan *plan,
			       const struct tn_floor_plan *before,
			       const struct tn_floor_picture_options *options,
			       struct tn_arena *arena, struct tenon_error *err)
{
	enum tenon_code code;
	size_t at;

	*painter = (struct tn_painter){
		.plan = plan, .before = before, .options = options, .arena = arena};
	tn_buf_init(&painter->words, TN_FLOOR_OUTPUT_BYTES_MAX);
	if (options->width == 0 || options->height == 0 ||
	    (uint64_t)options->width * options->height > TN_FLOOR_PIXELS_MAX)
		return tn_fail(err, TENON_LIMIT, "a picture of %u x %u pixels; at most %d in all",
			       options->width, options->height, TN_FLOOR_PIXELS_MAX);
	settle(painter);
	painter->keys = tn_paint_new(painter, plan->room_count, sizeof(*painter->keys));
	painter->insides = tn_paint_new(painter, plan->room_count, sizeof(*painter->insides));
	painter->places = tn_paint_new(painter, plan->room_count, sizeof(*painter->places));
	painter->swings = tn_paint_new(painter, plan->room_count, sizeof(struct tn_floor_swing *));
	painter->listed = tn_paint_new(painter, plan->room_count, sizeof(*painter->listed));
	code = tn_floor_floors_check(plan, options, &at, err);
	if (code != TENON_OK)
		return code;
	tn_paint_choose(painter);
	if (painter->starved)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a picture");
	code = tn_display_create(options->width, options->height, painter->theme->page,
				 &painter->display, err);
	if (code != TENON_OK)
		return code;
	tn_display_use_fonts(painter->display, options->fonts, options->told);
	describe(painter);
	tn_paint_measure(painter);
	tn_paint_divide(painter);
	return TENON_OK;
}

/* ---- floors ---- */

static void turn_to(struct tn_painter *painter, size_t index)
{
	painter->cell = &painter->cells[index];
	painter->at = &painter->transforms[index];
	painter->pieces = painter->cell->pieces;
	painter->piece_count = painter->cell->piece_count;
}

/* Which rooms need the legend, so that the page is laid out again with the rows for them. */
static void find_keys(struct tn_painter *painter)
{
	painter->listed_count = 0;
	for (size_t i = 0; i < painter->cell_count; i++) {
		turn_to(painter, i);
		tn_paint_labels(painter, false);
	}
}

static void build_walls(struct tn_painter *painter)
{
	for (size_t i = 0; i < painter->cell_count; i++) {
		struct tn_floor_cell *cell = &painter->cells[i];

		if (tn_floor_walls(cell->floor, painter->plan, false, painter->arena, &cell->pieces,
				   &cell->piece_count))
			cell->walls = tn_floor_walls_index(cell->pieces, cell->piece_count,
							   painter->arena);
		if (!cell->walls)
			painter->starved = true;
	}
}

static void paint_floor(struct tn_painter *painter)
{
	tn_paint_fills(painter);
	tn_paint_walls(painter);
	tn_paint_openings(painter);
	tn_paint_circulation(painter);
	if (painter->dimensions)
		tn_paint_dimensions(painter);
	tn_paint_labels(painter, true);
	if (painter->options->diagnostics)
		tn_paint_diagnostics(painter);
	tn_paint_strips(painter);
}

void tn_paint_floors(struct tn_painter *painter)
{
	build_walls(painter);
	find_keys(painter);
	painter->legend_rows = (painter->listed_count + 2) / 3;
	if (painter->legend_rows > 0) {
		tn_paint_divide(painter);
		find_keys(painter);
	}
	painter->listed_count = 0;
	for (size_t i = 0; i < painter->cell_count; i++) {
		turn_to(painter, i);
		tn_paint_group(painter, "floor", TN_STR(""), &painter->cell->floor->tree->tokens);
		paint_floor(painter);
		tn_draw_group_end(painter->display);
	}
	tn_paint_page(painter);
}

enum tenon_code tn_paint_end(struct tn_painter *painter, struct tn_floor_picture *ret,
			     struct tenon_error *err)
{
	bool starved = painter->starved || painter->words.starved;

	tn_buf_finish(&painter->words);
	if (starved) {
		tn_display_free(painter->display);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a picture");
	}
	ret->display = painter->display;
	ret->transforms = painter->transforms;
	ret->transform_count = painter->cell_count;
	ret->keys = painter->keys;
	return TENON_OK;
}

enum tenon_code tn_floor_draw(const struct tn_floor_plan *plan,
			      const struct tn_floor_picture_options *options,
			      struct tn_arena *arena, struct tn_floor_picture *ret,
			      struct tenon_error *err)
{
	struct tn_painter painter;
	enum tenon_code code = tn_paint_begin(&painter, plan, NULL, options, arena, err);

	if (code != TENON_OK) {
		tn_buf_finish(&painter.words);
		return code;
	}
	tn_paint_floors(&painter);
	return tn_paint_end(&painter, ret, err);
}
