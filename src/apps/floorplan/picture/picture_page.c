/* The page: strips in order, cells of the floors, the scale (6.2); title, legend, scale bar. */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

#define LEGEND_SHARE 0.4 /* of the page's height, at most */
#define CELL_MIN 8       /* pixels: with less for a floor, strips are made smaller */
#define COLUMNS 3        /* of the legend */
#define TEXT_MIN 5       /* pixels: smaller words are left out */

/* ---- how large the floors are together ---- */

struct extent {
	double left, top, right, bottom;
};

static void include(struct extent *extent, const struct tn_floor_rect *rect)
{
	extent->left = fmin(extent->left, rect->x);
	extent->top = fmin(extent->top, rect->y);
	extent->right = fmax(extent->right, rect->x + rect->width);
	extent->bottom = fmax(extent->bottom, rect->y + rect->height);
}

static void include_floor(struct extent *extent, const struct tn_floor_floor *floor)
{
	const struct tn_floor_room *room = NULL;

	while ((room = tn_paint_next_room(floor, room)))
		include(extent, &room->rect);
	for (const struct tn_floor_circulation *c = floor->circulation; c; c = c->next)
		if (c->placed)
			include(extent, &c->rect);
}

void tn_paint_measure(struct tn_painter *painter)
{
	struct extent extent = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	double wall = painter->plan->settings.wall_thickness;

	for (size_t i = 0; i < painter->cell_count; i++) {
		const struct tn_floor_floor *floor = painter->cells[i].floor, *old = NULL;

		include_floor(&extent, floor);
		if (painter->before)
			old = tn_floor_floor_find(painter->before, floor->name);
		if (old)
			include_floor(&extent, old);
	}
	if (extent.left > extent.right)
		return;
	painter->bounds = (struct tn_floor_rect){.x = extent.left - wall / 2,
						 .y = extent.top - wall / 2,
						 .width = extent.right - extent.left + wall,
						 .height = extent.bottom - extent.top + wall};
}

/* ---- dividing ---- */

struct strips { /* pixels */
	double margin, title, legend, bar, summary, name, dimensions, gap;
	double width, height; /* what is left for each floor */
	size_t columns, rows;
};

static struct strips take_strips(const struct tn_painter *painter)
{
	const struct tn_floor_picture_options *options = painter->options;
	double p = painter->p * painter->strip, shorter = fmin(options->width, options->height);
	size_t count = painter->cell_count ? painter->cell_count : 1;
	struct strips strips = {.margin = 16 * p, .columns = 1, .rows = 1};

	if (painter->plan->tree.front.title.size > 0)
		strips.title = 24 * p;
	strips.legend = 14 * p * (double)painter->legend_rows;
	if (!options->no_scale_bar)
		strips.bar = 26 * p;
	if (options->summary)
		strips.summary = 44 * p;
	if (count > 1)
		strips.name = 22 * p;
	if (painter->dimensions && !options->dimensions_in_rooms)
		strips.dimensions = 44 * p;
	strips.gap = fmax(24 * p, 0.04 * shorter * painter->strip);
	*(options->layout == TN_FLOOR_STACKED ? &strips.rows : &strips.columns) = count;
	strips.width =
		options->width - 2 * strips.margin - (double)(strips.columns - 1) * strips.gap;
	strips.width = strips.width / (double)strips.columns - strips.dimensions;
	strips.height = options->height - 2 * strips.margin - strips.title - strips.legend -
			strips.bar - (double)(strips.rows - 1) * strips.gap;
	strips.height = strips.height / (double)strips.rows - strips.dimensions - strips.name -
			strips.summary;
	return strips;
}

static void place_cells(struct tn_painter *painter, const struct strips *strips, double scale)
{
	const struct tn_floor_picture_options *options = painter->options;
	double width = painter->bounds.width * scale, height = painter->bounds.height * scale;
	double above = strips->name + strips->dimensions;
	double wide = strips->dimensions + width + strips->gap,
	       high = above + height + strips->summary + strips->gap;
	double left = (options->width - (wide * (double)strips->columns - strips->gap)) / 2;
	double room =
		options->height - 2 * strips->margin - strips->title - strips->legend - strips->bar;
	double top = strips->margin + strips->title +
		     (room - (high * (double)strips->rows - strips->gap)) / 2;

	for (size_t i = 0; i < painter->cell_count; i++) {
		struct tn_floor_cell *cell = &painter->cells[i];
		size_t column = strips->columns > 1 ? i : 0,
		       row = strips->rows > 1 ? painter->cell_count - 1 - i : 0;
		double x = floor(left + wide * (double)column + strips->dimensions + 0.5),
		       y = floor(top + high * (double)row + above + 0.5);

		cell->box = (struct tn_floor_box){x, y, width, height};
		cell->name = (struct tn_floor_box){x, y - above, width, strips->name};
		cell->summary = (struct tn_floor_box){x, y + height, width, strips->summary};
		painter->transforms[i] =
			(struct tn_floor_transform){.floor = cell->floor,
						    .scale = scale,
						    .x0 = x - scale * painter->bounds.x,
						    .y0 = y - scale * painter->bounds.y};
	}
}

void tn_paint_divide(struct tn_painter *painter)
{
	const struct tn_floor_picture_options *options = painter->options;
	size_t rows_max = (size_t)(LEGEND_SHARE * options->height / (14 * painter->p));
	struct strips strips;
	double scale = 1, across, bottom;

	if (painter->legend_rows > rows_max)
		painter->legend_rows = rows_max;
	for (painter->strip = 1; painter->strip >= 0; painter->strip -= 0.25) {
		strips = take_strips(painter);
		if (strips.width >= CELL_MIN && strips.height >= CELL_MIN)
			break;
	}
	painter->strip = fmax(painter->strip, 0);
	strips = take_strips(painter);
	if (painter->bounds.width > 0 && painter->bounds.height > 0)
		scale = fmin(strips.width / painter->bounds.width,
			     strips.height / painter->bounds.height);
	if (options->scale > 0)
		scale = options->scale;
	place_cells(painter, &strips, scale);
	across = options->width - 2 * strips.margin;
	bottom = options->height - strips.margin;
	painter->title = (struct tn_floor_box){strips.margin, strips.margin, across, strips.title};
	painter->legend =
		(struct tn_floor_box){strips.margin, bottom - strips.legend, across, strips.legend};
	painter->bar = (struct tn_floor_box){strips.margin, bottom - strips.legend - strips.bar,
					     across, strips.bar};
}

/* ---- words on the page ---- */

static void put_centred(struct tn_painter *painter, const struct tn_floor_box *box,
			struct tn_str words, double size, bool bold)
{
	struct tn_paint_text how = {.x = box->x + box->width / 2,
				    .y = box->y + box->height / 2,
				    .size = size,
				    .bold = bold,
				    .anchor = TN_DRAW_MIDDLE,
				    .max_width = box->width,
				    .colour = painter->theme->text};

	if (box->height > 0 && size >= TEXT_MIN)
		tn_paint_words(painter, words, &how);
}

static struct tn_str key_words(struct tn_painter *painter, const struct tn_floor_key *key)
{
	struct tn_str size = tn_paint_keep(painter, tn_paint_size(painter, &key->room->rect));
	struct tn_buf *out = &painter->words;

	tn_paint_new_words(painter);
	tn_buf_append_str(out, key->room->name);
	if (key->room->label.size > 0 && !tn_str_equal(key->room->label, key->room->name)) {
		tn_buf_append_text(out, ", ");
		tn_buf_append_str(out, key->room->label);
	}
	tn_buf_append_text(out, ", ");
	tn_buf_append_str(out, size);
	return tn_buf_str(out);
}

static void put_key(struct tn_painter *painter, size_t index, size_t shown)
{
	const struct tn_floor_key *key = &painter->listed[index];
	double p = painter->p * painter->strip, width = painter->legend.width / COLUMNS;
	size_t rows = painter->legend_rows;
	struct tn_paint_text how = {
		.x = painter->legend.x + width * (double)(index / rows) + 16 * p,
		.y = painter->legend.y + 14 * p * ((double)(index % rows) + 0.5),
		.size = 9.5 * p,
		.max_width = width - 24 * p,
		.colour = painter->theme->text};

	if (index + 1 == shown && shown < painter->listed_count) {
		tn_paint_new_words(painter);
		tn_buf_format(&painter->words, "\xe2\x80\xa6 %zu more",
			      painter->listed_count - index);
		tn_paint_words(painter, tn_buf_str(&painter->words), &how);
		return;
	}
	tn_paint_words(painter, key_words(painter, key), &how);
	if (key->number == 0)
		return;
	tn_paint_new_words(painter);
	tn_buf_append_uint(&painter->words, key->number);
	how.x -= 4 * p;
	how.anchor = TN_DRAW_END;
	how.bold = true;
	how.max_width = 0;
	tn_paint_words(painter, tn_buf_str(&painter->words), &how);
}

static void put_legend(struct tn_painter *painter)
{
	size_t capacity = painter->legend_rows * COLUMNS, shown = painter->listed_count;

	if (9.5 * painter->p * painter->strip < TEXT_MIN)
		return;
	if (shown > capacity)
		shown = capacity;
	for (size_t i = 0; i < shown; i++)
		put_key(painter, i, shown);
}

/* ---- the scale bar ---- */

/* The largest of 1, 2, 5 times a power of ten that is not longer. */
static double round_length(double most)
{
	double power = 1;

	while (power > most)
		power /= 10;
	while (power * 10 <= most)
		power *= 10;
	if (power * 5 <= most)
		return power * 5;
	return power * 2 <= most ? power * 2 : power;
}

static void put_bar(struct tn_painter *painter)
{
	const struct tn_floor_theme *theme = painter->theme;
	const struct tn_floor_box *box = &painter->bar;
	double p = painter->p * painter->strip, scale = painter->transforms[0].scale;
	double length = round_length(painter->options->width * 0.25 / scale);
	double width = length * scale, height = 5 * p, y = box->y + box->height - 12 * p;
	struct tn_draw_style outline = tn_paint_pen(painter, theme->text, 0.6 * painter->strip);
	const struct tn_draw_style dark = {.fill = theme->text}, light = {.fill = theme->page};
	struct tn_paint_text how = {.x = box->x + width + 6 * p,
				    .y = y + height / 2,
				    .size = 10 * p,
				    .colour = theme->text};

	if (how.size < TEXT_MIN)
		return;
	for (int i = 0; i < 4; i++) {
		double from = tn_paint_round(box->x + width * i / 4),
		       to = tn_paint_round(box->x + width * (i + 1) / 4);

		tn_draw_rect(painter->display, from, tn_paint_round(y), to - from, height, 0,
			     i % 2 ? &light : &dark);
	}
	tn_draw_rect(painter->display, tn_paint_round(box->x), tn_paint_round(y),
		     tn_paint_round(width), height, 0, &outline);
	tn_paint_new_words(painter);
	tn_floor_put_number(&painter->words, length);
	tn_buf_format(&painter->words, " %s", tn_floor_unit_name(painter->plan->unit));
	tn_paint_words(painter, tn_buf_str(&painter->words), &how);
}

/* ---- strips ---- */

static struct tn_str summary_words(struct tn_painter *painter)
{
	const struct tn_floor_floor *floor = painter->cell->floor;
	struct extent extent = {INFINITY, INFINITY, -INFINITY, -INFINITY};
	struct tn_floor_rect box = {0};
	struct tn_buf *out = &painter->words;
	struct tn_str area, size;
	unsigned count = 0;
	double sum = 0;

	for (const struct tn_floor_room *room = floor->rooms; room; room = room->next) {
		count++;
		if (!room->placed)
			continue;
		sum += room->rect.width * room->rect.height;
		include(&extent, &room->rect);
	}
	if (extent.left <= extent.right) {
		box.width = extent.right - extent.left;
		box.height = extent.bottom - extent.top;
	}
	area = tn_paint_keep(painter, tn_paint_area(painter, sum));
	size = tn_paint_keep(painter, tn_paint_size(painter, &box));
	tn_paint_new_words(painter);
	tn_buf_format(out, "Rooms %u \xc2\xb7 Net area ", count);
	tn_buf_append_str(out, area);
	tn_buf_append_text(out, " \xc2\xb7 Bounds ");
	tn_buf_append_str(out, size);
	tn_buf_append_text(out, " \xc2\xb7 Use ");
	sum = box.width * box.height > 0 ? sum / (box.width * box.height) : 0;
	sum = (double)(int64_t)(100 * sum + 0.5);
	tn_paint_number(out, sum);
	tn_buf_append_text(out, " %");
	return tn_buf_str(out);
}

static void put_summary(struct tn_painter *painter)
{
	struct tn_floor_box box = painter->cell->summary;
	double size = 10 * painter->p * painter->strip, width;
	struct tn_str words = summary_words(painter);

	/* A floor narrower than its line of facts may use the gap on both sides. */
	box.x -= 10 * painter->p * painter->strip;
	box.width += 20 * painter->p * painter->strip;
	/* Below doors that open to the outside. */
	box.y += box.height / 2;
	box.height /= 2;
	width = tn_draw_measure(painter->display, words, size, TN_DRAW_REGULAR);
	if (width > box.width)
		size = fmax(size * box.width / width, fmin(size, 6));
	put_centred(painter, &box, words, size, false);
}

void tn_paint_strips(struct tn_painter *painter)
{
	double p = painter->p * painter->strip;

	if (painter->cell->name.height > 0)
		put_centred(painter, &painter->cell->name, painter->cell->floor->name, 13 * p,
			    true);
	if (painter->cell->summary.height > 0)
		put_summary(painter);
}

void tn_paint_page(struct tn_painter *painter)
{
	const struct tn_floor_picture_options *options = painter->options;
	const struct tn_floor_box page = {0, 0, options->width, options->height};

	if (painter->bounds.width <= 0)
		put_centred(painter, &page, TN_STR("empty plan"), 14 * painter->p, false);
	if (painter->legend_rows > 0)
		put_legend(painter);
	if (!options->no_scale_bar && painter->bounds.width > 0)
		put_bar(painter);
	if (painter->title.height > 0)
		put_centred(painter, &painter->title, painter->plan->tree.front.title,
			    16 * painter->p * painter->strip, true);
}
