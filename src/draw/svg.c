#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "draw/font.h"
#include "draw/items.h"

enum { CODES = 0x110000 };

struct svg {
	struct tn_buf *out;
	const struct tn_display *display;
	uint8_t *used; /* a bit a code point and weight */
};

/* ---- pieces of text ---- */

static void put(struct svg *svg, const char *text)
{
	tn_buf_append_text(svg->out, text);
}

static void put_number(struct svg *svg, double value)
{
	tn_draw_put_number(svg->out, value);
}

static void put_attribute(struct svg *svg, const char *name, double value)
{
	put(svg, " ");
	put(svg, name);
	put(svg, "=\"");
	put_number(svg, value);
	put(svg, "\"");
}

/* What XML has no way to write. */
static bool is_no_xml(uint32_t code)
{
	return code == 0xFFFE || code == 0xFFFF ||
	       (code < 0x20 && code != '\t' && code != '\n' && code != '\r');
}

static const char *entity_of(uint32_t code)
{
	switch (code) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

/* For text and attributes. XML has no way to write control characters: they are left out, and so
 * is what is no UTF-8. */
static void put_escaped(struct svg *svg, struct tn_str text)
{
	while (text.size > 0) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(text.data, text.size, &code);

		if (size == 0 || is_no_xml(code))
			size = size ? size : 1;
		else if (entity_of(code))
			put(svg, entity_of(code));
		else if (code != '\t' && tn_utf8_look(code) >= TN_UTF8_TURN)
			tn_buf_format(svg->out, "&#%u;", (unsigned)code); /* a line stays one */
		else
			tn_buf_append(svg->out, text.data, size);
		text = tn_str_from_offset(text, size);
	}
}

static void put_colour(struct svg *svg, const char *name, tn_colour colour)
{
	unsigned alpha = tn_colour_alpha(colour);

	if (alpha == 0) {
		tn_buf_format(svg->out, " %s=\"none\"", name);
		return;
	}
	tn_buf_format(svg->out, " %s=\"#%06x\"", name, (unsigned)(colour >> 8));
	if (alpha < 255) {
		tn_buf_format(svg->out, " %s-opacity=\"", name);
		put_number(svg, alpha / 255.0);
		put(svg, "\"");
	}
}

static void put_style(struct svg *svg, const struct tn_draw_style *style)
{
	unsigned i;

	put_colour(svg, "fill", style->fill);
	if (tn_colour_alpha(style->stroke) == 0 || style->stroke_width <= 0)
		return;
	put_colour(svg, "stroke", style->stroke);
	if (style->stroke_width != 1)
		put_attribute(svg, "stroke-width", style->stroke_width);
	if (style->round)
		put(svg, " stroke-linecap=\"round\" stroke-linejoin=\"round\"");
	if (style->dash[0] <= 0 || style->dash[1] <= 0)
		return;
	put(svg, " stroke-dasharray=\"");
	for (i = 0; i < (style->dash[2] > 0 ? 4u : 2u); i++) {
		if (i > 0)
			put(svg, " ");
		put_number(svg, style->dash[i]);
	}
	put(svg, "\"");
}

/* ---- glyphs ---- */

static size_t bit_of(enum tn_draw_weight weight, uint32_t code)
{
	return (weight == TN_DRAW_BOLD ? CODES : 0) + code;
}

static void note_glyphs(struct svg *svg)
{
	const struct tn_draw_item *item;
	uint32_t code;

	for (item = svg->display->first; item; item = item->next) {
		struct tn_str rest = item->text;

		while (item->kind == TN_DRAW_TEXT && tn_font_next(&rest, &code)) {
			size_t bit = bit_of(item->how.weight, code);

			svg->used[bit / 8] |= (uint8_t)(1u << bit % 8);
		}
	}
}

struct glyph_writer {
	struct svg *svg;
	int32_t x, y;
	bool begun;
};

static void put_step(struct glyph_writer *writer, char step, int32_t dx, int32_t dy)
{
	if (step)
		tn_buf_append_byte(writer->svg->out, step);
	tn_buf_format(writer->svg->out, step && dx >= 0 ? "%d" : dx < 0 ? "%d" : " %d", (int)dx);
	tn_buf_format(writer->svg->out, dy < 0 ? "%d" : " %d", (int)dy);
}

static void write_move(void *data, int32_t x, int32_t y)
{
	struct glyph_writer *writer = data;

	if (writer->begun)
		put(writer->svg, "z");
	writer->begun = true;
	put_step(writer, 'M', x, y);
	writer->x = x;
	writer->y = y;
}

static void write_line(void *data, int32_t x, int32_t y)
{
	struct glyph_writer *writer = data;

	put_step(writer, 'l', x - writer->x, y - writer->y);
	writer->x = x;
	writer->y = y;
}

static void write_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	struct glyph_writer *writer = data;

	put_step(writer, 'q', cx - writer->x, cy - writer->y);
	put_step(writer, 0, x - writer->x, y - writer->y);
	writer->x = x;
	writer->y = y;
}

static void put_glyph_id(struct svg *svg, enum tn_draw_weight weight, uint32_t code)
{
	tn_buf_format(svg->out, "%s%x", weight == TN_DRAW_BOLD ? "tnb" : "tn", (unsigned)code);
}

static void put_glyphs(struct svg *svg)
{
	size_t bit;

	put(svg, "<defs>\n");
	for (bit = 0; bit < 2 * (size_t)CODES; bit++) {
		enum tn_draw_weight weight = bit >= CODES ? TN_DRAW_BOLD : TN_DRAW_REGULAR;
		uint32_t code = (uint32_t)(bit % CODES);
		struct glyph_writer writer = {.svg = svg};
		const struct tn_font_pen pen = {write_move, write_line, write_curve, &writer};

		if (bit % 8 == 0 && svg->used[bit / 8] == 0) {
			bit += 7;
			continue;
		}
		if (!(svg->used[bit / 8] >> bit % 8 & 1) || !tn_font_outline(weight, code, NULL))
			continue;
		put(svg, "<path id=\"");
		put_glyph_id(svg, weight, code);
		put(svg, "\" d=\"");
		(void)tn_font_outline(weight, code, &pen); /* it has one */
		put(svg, "z\"/>\n");
	}
	put(svg, "</defs>\n");
}

/* Text as text: the same width in whatever font is there. */
static void put_words(struct svg *svg, const struct tn_draw_item *item)
{
	static const char *const anchors[] = {"", " text-anchor=\"middle\"",
					      " text-anchor=\"end\""};
	const struct tn_draw_text *how = &item->how;

	put(svg, "<text");
	put_attribute(svg, "x", how->x);
	put_attribute(svg, "y", how->y);
	put_attribute(svg, "font-size", how->size);
	put_attribute(svg, "textLength", item->text_width);
	put(svg, " lengthAdjust=\"spacingAndGlyphs\"");
	put(svg, anchors[how->anchor]);
	if (how->weight == TN_DRAW_BOLD)
		put(svg, " font-weight=\"bold\"");
	if (how->angle != 0) {
		put(svg, " transform=\"rotate(");
		put_number(svg, how->angle);
		put(svg, " ");
		put_number(svg, how->x);
		put(svg, " ");
		put_number(svg, how->y);
		put(svg, ")\"");
	}
	put_colour(svg, "fill", how->colour);
	if (tn_colour_alpha(how->halo) > 0) {
		put_colour(svg, "stroke", how->halo);
		put_attribute(svg, "stroke-width", how->size * TN_DRAW_HALO);
		put(svg, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
	}
	put(svg, ">");
	put_escaped(svg, item->text);
	put(svg, "</text>\n");
}

static void put_text(struct svg *svg, const struct tn_draw_item *item)
{
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, start = tn_draw_text_start(item);
	uint64_t millionths = (uint64_t)floor(fabs(unit) * 1e6 + 0.5);
	struct tn_str rest = item->text;
	int64_t along = 0;
	uint32_t code;

	put(svg, "<g aria-label=\"");
	put_escaped(svg, item->text);
	put(svg, "\" transform=\"translate(");
	put_number(svg, how->x + (how->angle == 0 ? start : 0));
	put(svg, " ");
	put_number(svg, how->y);
	if (how->angle != 0) {
		put(svg, ") rotate(");
		put_number(svg, how->angle);
		put(svg, ") translate(");
		put_number(svg, start);
	}
	put(svg, ") scale(");
	tn_buf_format(svg->out, "%u.%06u", (unsigned)(millionths / 1000000),
		      (unsigned)(millionths % 1000000));
	put(svg, ")\"");
	put_colour(svg, "fill", how->colour);
	if (tn_colour_alpha(how->halo) > 0) {
		put_colour(svg, "stroke", how->halo);
		put_attribute(svg, "stroke-width", TN_FONT_EM * TN_DRAW_HALO);
		put(svg, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
	}
	put(svg, ">");
	while (tn_font_next(&rest, &code)) {
		if (tn_font_outline(how->weight, code, NULL)) {
			put(svg, "<use href=\"#");
			put_glyph_id(svg, how->weight, code);
			tn_buf_format(svg->out, along ? "\" x=\"%lld\"/>" : "\"/>",
				      (long long)along);
		}
		along += tn_font_width(how->weight, code);
	}
	put(svg, "</g>\n");
}

/* ---- shapes ---- */

static void put_rect(struct svg *svg, const struct tn_draw_item *item)
{
	put(svg, "<rect");
	put_attribute(svg, "x", item->x);
	put_attribute(svg, "y", item->y);
	put_attribute(svg, "width", item->width);
	put_attribute(svg, "height", item->height);
	if (item->radius > 0)
		put_attribute(svg, "rx", item->radius);
	put_style(svg, &item->style);
	put(svg, "/>\n");
}

static void put_ellipse(struct svg *svg, const struct tn_draw_item *item)
{
	put(svg, "<ellipse");
	put_attribute(svg, "cx", item->x);
	put_attribute(svg, "cy", item->y);
	put_attribute(svg, "rx", item->width);
	put_attribute(svg, "ry", item->height);
	put_style(svg, &item->style);
	put(svg, "/>\n");
}

static void put_path(struct svg *svg, const struct tn_draw_item *item)
{
	static const char steps[] = "MLCZ";
	static const unsigned counts[] = {2, 2, 6, 0};
	const struct tn_draw_piece *piece;
	unsigned i;

	if (!item->pieces)
		return;
	put(svg, "<path d=\"");
	for (piece = item->pieces; piece; piece = piece->next) {
		tn_buf_append_byte(svg->out, steps[piece->step]);
		for (i = 0; i < counts[piece->step]; i++) {
			if (i > 0)
				put(svg, " ");
			put_number(svg, piece->at[i]);
		}
	}
	put(svg, "\"");
	put_style(svg, &item->style);
	put(svg, "/>\n");
}

static void put_group(struct svg *svg, const struct tn_draw_item *item)
{
	put(svg, "<g");
	if (item->text.size > 0) {
		put(svg, " id=\"");
		put_escaped(svg, item->text);
		put(svg, "\"");
	}
	for (size_t i = 0; i < item->data_count; i++) {
		tn_buf_format(svg->out, " data-%s=\"", item->data[i].name);
		put_escaped(svg, item->data[i].value);
		put(svg, "\"");
	}
	put(svg, ">");
	if (item->title.size > 0) {
		put(svg, "<title>");
		put_escaped(svg, item->title);
		put(svg, "</title>");
	}
	put(svg, "\n");
}

static void put_items(struct svg *svg)
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
			(svg->display->has_words ? put_words : put_text)(svg, item);
			break;
		case TN_DRAW_GROUP_BEGIN:
			put_group(svg, item);
			break;
		default:
			put(svg, "</g>\n");
		}
	}
	for (depth = svg->display->depth; depth > 0; depth--)
		put(svg, "</g>\n");
}

static void put_description(struct svg *svg)
{
	if (svg->display->title.size > 0) {
		put(svg, "<title>");
		put_escaped(svg, svg->display->title);
		put(svg, "</title>\n");
	}
	if (svg->display->description.size > 0) {
		put(svg, "<desc>");
		put_escaped(svg, svg->display->description);
		put(svg, "</desc>\n");
	}
}

static void put_family(struct svg *svg)
{
	if (!svg->display->has_words)
		return;
	put(svg, " font-family=\"");
	if (svg->display->family.size > 0) {
		put_escaped(svg, svg->display->family);
		put(svg, ", ");
	}
	put(svg, "DejaVu Sans, Verdana, sans-serif\"");
}

/* Two hyphens would end a comment, or make it no XML. */
static void put_remark(struct svg *svg)
{
	struct tn_str remark = svg->display->remark;

	if (remark.size == 0)
		return;
	put(svg, "<!-- ");
	for (size_t i = 0; i < remark.size; i++)
		if (remark.data[i] != '-' || i == 0 || remark.data[i - 1] != '-')
			put_escaped(svg, tn_str(remark.data + i, 1));
	put(svg, " -->\n");
}

static void put_picture(struct svg *svg)
{
	const struct tn_display *display = svg->display;

	put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	put_attribute(svg, "width", display->width);
	put_attribute(svg, "height", display->height);
	put(svg, " viewBox=\"");
	put_number(svg, display->x);
	put(svg, " ");
	put_number(svg, display->y);
	put(svg, " ");
	put_number(svg, display->width);
	put(svg, " ");
	put_number(svg, display->height);
	put(svg, "\" role=\"img\"");
	put_family(svg);
	put(svg, ">\n");
	put_remark(svg);
	put_description(svg);
	if (!display->has_words)
		put_glyphs(svg);
	if (tn_colour_alpha(display->background) > 0) {
		const struct tn_draw_item page = {.style = {.fill = display->background},
						  .x = display->x,
						  .y = display->y,
						  .width = display->width,
						  .height = display->height};

		put_rect(svg, &page);
	}
	put_items(svg);
	put(svg, "</svg>\n");
}

enum tenon_code tn_draw_svg(const struct tn_display *display, struct tn_buf *out,
			    struct tenon_error *err)
{
	struct svg svg = {.out = out, .display = display};
	enum tenon_code code = tn_display_check(display, err);

	if (code != TENON_OK)
		return code;
	svg.used = tn_mem_alloc(2 * (size_t)CODES / 8);
	if (!svg.used)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	note_glyphs(&svg);
	put_picture(&svg);
	tn_mem_free(svg.used);
	return tn_buf_check(out, err);
}
