#include <math.h>

#include "draw/font.h"
#include "draw/limits.h"
#include "draw/png.h"
#include "draw/raster_image.h"

#define DEGREE 0.017453292519943295

enum { STROKED_MAX = 4096 /* contours at a time */ };

struct painter {
	struct tn_raster *raster;
	struct tn_outline shape, stroke;
	double scale;
	bool no_dashes; /* there are too many: such lines are drawn through, fainter */
};

/* ---- dashes ---- */

static double period_of(const struct tn_draw_style *style)
{
	return style->dash[0] + style->dash[1] + style->dash[2] + style->dash[3];
}

/* About how long its lines are; curves are a little shorter. */
static double length_of(const struct tn_draw_item *item)
{
	double x = 0, y = 0, length = 0;

	if (item->kind == TN_DRAW_RECT)
		return 2 * (item->width + item->height);
	for (const struct tn_draw_piece *at = item->pieces; at; at = at->next) {
		const double *end = at->step == TN_DRAW_CURVE ? at->at + 4 : at->at;

		if (at->step == TN_DRAW_CLOSE)
			continue;
		if (at->step != TN_DRAW_MOVE)
			length += hypot(end[0] - x, end[1] - y);
		x = end[0];
		y = end[1];
	}
	return length;
}

/* A picture may be so large that its dotted lines are of millions of dots, which are nearer to each
 * other than pixels: nobody could tell them apart, and they would take minutes. */
static bool has_many_dashes(const struct tn_display *display)
{
	double count = 0;

	for (const struct tn_draw_item *item = display->first; item; item = item->next) {
		if (item->kind <= TN_DRAW_PATH && item->style.stroke_width > 0 &&
		    item->style.dash[0] > 0 && item->style.dash[1] > 0)
			count += length_of(item) / period_of(&item->style);
	}
	return count > TN_DRAW_DASHES_MAX;
}

/* As much ink on the whole of the line as the dashes have. */
static struct tn_draw_style drawn_through(const struct tn_draw_style *style)
{
	const double cap = style->round ? style->stroke_width : 0;
	double ink = style->dash[0] + cap + (style->dash[2] > 0 ? style->dash[2] + cap : 0);
	struct tn_draw_style through = *style;
	unsigned alpha = tn_colour_alpha(style->stroke);

	ink = fmin(1, ink / period_of(style));
	through.stroke = (style->stroke & ~(tn_colour)0xFF) | (tn_colour)(alpha * ink + 0.5);
	for (int i = 0; i < 4; i++)
		through.dash[i] = 0;
	return through;
}

/* A path of tens of thousands of contours is stroked in parts, which takes less memory; what is
 * drawn over itself must not be seen to be, so that a colour that shines through is not. */
static void paint_stroke(struct painter *painter, const struct tn_draw_style *style)
{
	const struct tn_outline *shape = &painter->shape;
	const size_t most = tn_colour_alpha(style->stroke) == 255 ? STROKED_MAX : SIZE_MAX;
	struct tn_outline part = *shape;
	double dash[4];
	size_t done;
	unsigned i;

	for (i = 0; i < 4; i++)
		dash[i] = style->dash[i] * painter->scale;
	for (done = 0; done < shape->contour_count; done += part.contour_count) {
		const size_t left = shape->contour_count - done;

		part.contours = shape->contours + done;
		part.contour_count = left < most ? left : most;
		tn_outline_clear(&painter->stroke);
		tn_outline_stroke(&part, style->stroke_width * painter->scale, dash, style->round,
				  &painter->stroke);
		tn_raster_fill(painter->raster, &painter->stroke, style->stroke);
	}
}

static void paint_shape(struct painter *painter, const struct tn_draw_item *item)
{
	tn_outline_clear(&painter->shape);
	tn_outline_add_shape(&painter->shape, item);
	tn_raster_fill(painter->raster, &painter->shape, item->style.fill);
	if (tn_colour_alpha(item->style.stroke) == 0 || item->style.stroke_width <= 0)
		return;
	if (painter->no_dashes && item->style.dash[0] > 0 && item->style.dash[1] > 0) {
		const struct tn_draw_style through = drawn_through(&item->style);

		paint_stroke(painter, &through);
	} else {
		paint_stroke(painter, &item->style);
	}
}

/* ---- text ---- */

static void glyph_move(void *data, int32_t x, int32_t y)
{
	tn_outline_move(data, x, y);
}

static void glyph_line(void *data, int32_t x, int32_t y)
{
	tn_outline_line(data, x, y);
}

static void glyph_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	tn_outline_quadratic(data, cx, cy, x, y);
}

static void glyph_cubic(void *data, const int32_t at[6])
{
	const double places[] = {at[0], at[1], at[2], at[3], at[4], at[5]};

	tn_outline_cubic(data, places);
}

/* The tables of the C library differ in the last bit from machine to machine. */
static double steady(double value)
{
	return floor(value * 1e9 + 0.5) / 1e9;
}

static void close_all(struct tn_outline *outline)
{
	size_t i;

	for (i = 0; i < outline->contour_count; i++)
		outline->contours[i].closed = true;
}

/* Letters of the embedded font, one behind the other. `c`, `s`: how the line is turned. */
static void outline_letters(struct tn_outline *shape, const struct tn_outline *page,
			    const struct tn_draw_item *item, double c, double s)
{
	const struct tn_font_pen pen = {glyph_move, glyph_line, glyph_curve, shape};
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, along = tn_draw_text_start(item);
	struct tn_str rest = item->text;
	uint32_t code;

	while (tn_font_next(&rest, &code)) {
		shape->x = page->x + page->ax * (how->x + along * c);
		shape->y = page->y + page->ax * (how->y + along * s);
		(void)tn_font_outline(how->weight, code, &pen); /* a space has none */
		along += tn_font_width(how->weight, code) * unit;
	}
}

/* Where a glyph of a set text begins, as a transformation of its units into pixels. */
static void go_to(struct tn_outline *shape, const struct tn_outline *page,
		  const struct tn_draw_item *item, const struct tn_set_glyph *at, double c,
		  double s)
{
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, along = tn_draw_text_start(item) + at->x * unit,
	       down = at->y * unit;

	shape->x = page->x + page->ax * (how->x + along * c - down * s);
	shape->y = page->y + page->ax * (how->y + along * s + down * c);
}

static void outline_set(struct tn_outline *shape, const struct tn_outline *page,
			const struct tn_draw_item *item, double c, double s)
{
	const struct tn_font_pen pen = {glyph_move, glyph_line, glyph_curve, shape};
	const struct tn_setting *set = item->set;

	for (size_t i = 0; i < set->text.glyph_count; i++) {
		const struct tn_set_glyph *at = &set->text.glyphs[i];

		go_to(shape, page, item, at, c, s);
		tn_setting_outline(set, i, item->how.weight, &pen, glyph_cubic);
	}
}

static void paint_images(struct painter *painter, const struct tn_outline *page,
			 const struct tn_draw_item *item, double c, double s)
{
	struct tn_outline *shape = &painter->shape;
	const struct tn_setting *set = item->set;

	for (size_t i = 0; i < set->text.glyph_count; i++) {
		if (!set->shapes[i] || !set->shapes[i]->image)
			continue;
		go_to(shape, page, item, &set->text.glyphs[i], c, s);
		tn_raster_put_image(painter->raster, set->shapes[i]->image, shape,
				    tn_colour_alpha(item->how.colour));
	}
}

static void paint_text(struct painter *painter, const struct tn_draw_item *item)
{
	struct tn_outline *shape = &painter->shape, saved = *shape;
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, c = steady(cos(how->angle * DEGREE)),
	       s = steady(sin(how->angle * DEGREE));

	tn_outline_clear(shape);
	shape->ax = saved.ax * unit * c;
	shape->ay = saved.ax * unit * s;
	shape->bx = -shape->ay;
	shape->by = shape->ax;
	(item->set ? outline_set : outline_letters)(shape, &saved, item, c, s);
	close_all(shape);
	if (tn_colour_alpha(how->halo) > 0) {
		const struct tn_draw_style halo = {.stroke = how->halo,
						   .stroke_width = how->size * TN_DRAW_HALO,
						   .round = true};

		paint_stroke(painter, &halo);
	}
	tn_raster_fill(painter->raster, shape, how->colour);
	if (item->set)
		paint_images(painter, &saved, item, c, s);
	shape->ax = saved.ax;
	shape->ay = saved.ay;
	shape->bx = saved.bx;
	shape->by = saved.by;
	shape->x = saved.x;
	shape->y = saved.y;
}

static void paint_items(struct painter *painter, const struct tn_display *display)
{
	const struct tn_draw_item *item;

	painter->shape.ax = painter->shape.by = painter->scale;
	painter->shape.x = -display->x * painter->scale;
	painter->shape.y = -display->y * painter->scale;
	for (item = display->first; item; item = item->next) {
		if (item->kind == TN_DRAW_TEXT)
			paint_text(painter, item);
		else if (item->kind <= TN_DRAW_PATH)
			paint_shape(painter, item);
	}
}

static uint32_t pixels(double size, double scale)
{
	double count = floor(size * scale + 0.5);

	if (!(count > 1))
		return 1;
	return count < UINT16_MAX * 16.0 ? (uint32_t)count : UINT16_MAX * 16u;
}

enum tenon_code tn_raster_draw(struct tn_raster *raster, const struct tn_display *display,
			       double scale, struct tenon_error *err)
{
	struct painter painter = {
		.raster = raster, .scale = scale, .no_dashes = has_many_dashes(display)};
	enum tenon_code code = tn_display_check(display, err);

	if (code != TENON_OK)
		return code;
	tn_outline_init(&painter.shape);
	tn_outline_init(&painter.stroke);
	paint_items(&painter, display);
	tn_outline_finish(&painter.shape);
	tn_outline_finish(&painter.stroke);
	if (raster->failed)
		return tn_fail(err, TENON_LIMIT, "the picture is too large to be drawn");
	return TENON_OK;
}

enum tenon_code tn_draw_png(const struct tn_display *display, double scale, struct tn_buf *out,
			    struct tenon_error *err)
{
	struct tn_raster raster;
	enum tenon_code code;

	if (!isfinite(scale) || scale <= 0)
		return tn_fail(err, TENON_INVALID, "the scale is more than 0");
	code = tn_raster_init(&raster, pixels(display->width, scale),
			      pixels(display->height, scale), display->background, err);
	if (code != TENON_OK)
		return code;
	code = tn_raster_draw(&raster, display, scale, err);
	if (code == TENON_OK)
		code = tn_png_encode(&raster, tn_colour_alpha(display->background) < 255, out, err);
	tn_raster_finish(&raster);
	return code;
}
