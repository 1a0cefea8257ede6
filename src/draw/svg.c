#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "draw/svg_write.h"

static void put_style(struct tn_svg *svg, const struct tn_draw_style *style)
{
	unsigned i;

	tn_svg_put_colour(svg, "fill", style->fill);
	if (tn_colour_alpha(style->stroke) == 0 || style->stroke_width <= 0)
		return;
	tn_svg_put_colour(svg, "stroke", style->stroke);
	if (style->stroke_width != 1)
		tn_svg_put_attribute(svg, "stroke-width", style->stroke_width);
	if (style->round)
		tn_svg_put(svg, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
	if (style->dash[0] <= 0 || style->dash[1] <= 0)
		return;
	tn_svg_put(svg, " stroke-dasharray=\"");
	for (i = 0; i < (style->dash[2] > 0 ? 4u : 2u); i++) {
		if (i > 0)
			tn_svg_put(svg, " ");
		tn_svg_put_number(svg, style->dash[i]);
	}
	tn_svg_put(svg, "\"");
}

/* ---- shapes ---- */

static void put_rect(struct tn_svg *svg, const struct tn_draw_item *item)
{
	tn_svg_put(svg, "<rect");
	tn_svg_put_attribute(svg, "x", item->x);
	tn_svg_put_attribute(svg, "y", item->y);
	tn_svg_put_attribute(svg, "width", item->width);
	tn_svg_put_attribute(svg, "height", item->height);
	if (item->radius > 0)
		tn_svg_put_attribute(svg, "rx", item->radius);
	put_style(svg, &item->style);
	tn_svg_put(svg, "/>\n");
}

static void put_ellipse(struct tn_svg *svg, const struct tn_draw_item *item)
{
	tn_svg_put(svg, "<ellipse");
	tn_svg_put_attribute(svg, "cx", item->x);
	tn_svg_put_attribute(svg, "cy", item->y);
	tn_svg_put_attribute(svg, "rx", item->width);
	tn_svg_put_attribute(svg, "ry", item->height);
	put_style(svg, &item->style);
	tn_svg_put(svg, "/>\n");
}

static void put_path(struct tn_svg *svg, const struct tn_draw_item *item)
{
	static const char steps[] = "MLCZ";
	static const unsigned counts[] = {2, 2, 6, 0};
	const struct tn_draw_piece *piece;
	unsigned i;

	if (!item->pieces)
		return;
	tn_svg_put(svg, "<path d=\"");
	for (piece = item->pieces; piece; piece = piece->next) {
		tn_buf_append_byte(svg->out, steps[piece->step]);
		for (i = 0; i < counts[piece->step]; i++) {
			if (i > 0)
				tn_svg_put(svg, " ");
			tn_svg_put_number(svg, piece->at[i]);
		}
	}
	tn_svg_put(svg, "\"");
	put_style(svg, &item->style);
	tn_svg_put(svg, "/>\n");
}

static void put_group(struct tn_svg *svg, const struct tn_draw_item *item)
{
	tn_svg_put(svg, "<g");
	if (item->text.size > 0) {
		tn_svg_put(svg, " id=\"");
		tn_svg_put_escaped(svg, item->text);
		tn_svg_put(svg, "\"");
	}
	for (size_t i = 0; i < item->data_count; i++) {
		tn_buf_format(svg->out, " data-%s=\"", item->data[i].name);
		tn_svg_put_escaped(svg, item->data[i].value);
		tn_svg_put(svg, "\"");
	}
	tn_svg_put(svg, ">");
	if (item->title.size > 0) {
		tn_svg_put(svg, "<title>");
		tn_svg_put_escaped(svg, item->title);
		tn_svg_put(svg, "</title>");
	}
	tn_svg_put(svg, "\n");
}

static void put_items(struct tn_svg *svg)
{
	const struct tn_draw_item *item;
	unsigned depth;

	for (item = svg->display->first; item; item = item->next) {
		switch (item->kind) {
		case TN_DRAW_RECT:
			put_rect(svg, item);
			break;
		case TN_DRAW_ELLIPSE:
			put_ellipse(svg, item);
			break;
		case TN_DRAW_PATH:
			put_path(svg, item);
			break;
		case TN_DRAW_TEXT:
			(svg->display->has_words ? tn_svg_put_words : tn_svg_put_text)(svg, item);
			break;
		case TN_DRAW_GROUP_BEGIN:
			put_group(svg, item);
			break;
		default:
			tn_svg_put(svg, "</g>\n");
		}
	}
	for (depth = svg->display->depth; depth > 0; depth--)
		tn_svg_put(svg, "</g>\n");
}

static void put_description(struct tn_svg *svg)
{
	if (svg->display->title.size > 0) {
		tn_svg_put(svg, "<title>");
		tn_svg_put_escaped(svg, svg->display->title);
		tn_svg_put(svg, "</title>\n");
	}
	if (svg->display->description.size > 0) {
		tn_svg_put(svg, "<desc>");
		tn_svg_put_escaped(svg, svg->display->description);
		tn_svg_put(svg, "</desc>\n");
	}
}

static void put_family(struct tn_svg *svg)
{
	if (!svg->display->has_words)
		return;
	tn_svg_put(svg, " font-family=\"");
	if (svg->display->family.size > 0) {
		tn_svg_put_escaped(svg, svg->display->family);
		tn_svg_put(svg, ", ");
	}
	tn_svg_put(svg, "DejaVu Sans, Verdana, sans-serif\"");
}

/* Two hyphens would end a comment, or make it no XML. */
static void put_remark(struct tn_svg *svg)
{
	struct tn_str remark = svg->display->remark;

	if (remark.size == 0)
		return;
	tn_svg_put(svg, "<!-- ");
	for (size_t i = 0; i < remark.size; i++)
		if (remark.data[i] != '-' || i == 0 || remark.data[i - 1] != '-')
			tn_svg_put_escaped(svg, tn_str(remark.data + i, 1));
	tn_svg_put(svg, " -->\n");
}

static void put_picture(struct tn_svg *svg)
{
	const struct tn_display *display = svg->display;

	tn_svg_put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	tn_svg_put_attribute(svg, "width", display->width);
	tn_svg_put_attribute(svg, "height", display->height);
	tn_svg_put(svg, " viewBox=\"");
	tn_svg_put_number(svg, display->x);
	tn_svg_put(svg, " ");
	tn_svg_put_number(svg, display->y);
	tn_svg_put(svg, " ");
	tn_svg_put_number(svg, display->width);
	tn_svg_put(svg, " ");
	tn_svg_put_number(svg, display->height);
	tn_svg_put(svg, "\" role=\"img\"");
	put_family(svg);
	tn_svg_put(svg, ">\n");
	put_remark(svg);
	put_description(svg);
	if (!display->has_words)
		tn_svg_put_glyphs(svg);
	if (tn_colour_alpha(display->background) > 0) {
		const struct tn_draw_item page = {.style = {.fill = display->background},
						  .x = display->x,
						  .y = display->y,
						  .width = display->width,
						  .height = display->height};

		put_rect(svg, &page);
	}
	put_items(svg);
	tn_svg_put(svg, "</svg>\n");
}

enum tenon_code tn_draw_svg(const struct tn_display *display, struct tn_buf *out,
			    struct tenon_error *err)
{
	struct tn_svg svg = {.out = out, .display = display};
	enum tenon_code code = tn_display_check(display, err);

	if (code != TENON_OK)
		return code;
	svg.used = tn_mem_alloc(2 * (size_t)TN_SVG_CODES / 8);
	if (!svg.used)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_svg_note_glyphs(&svg);
	put_picture(&svg);
	tn_mem_free(svg.used);
	return tn_buf_check(out, err);
}
