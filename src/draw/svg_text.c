/* Text of an SVG: glyphs once, as outlines or pictures, and lines that use them; or words as words.
 */
#include <math.h>

#include "base/base64.h"
#include "draw/svg_write.h"

/* ---- glyphs ---- */

static size_t bit_of(enum tn_draw_weight weight, uint32_t code)
{
	return (weight == TN_DRAW_BOLD ? TN_SVG_CODES : 0) + code;
}

static void note(struct tn_svg *svg, enum tn_draw_weight weight, uint32_t code)
{
	size_t bit = bit_of(weight, code);

	svg->used[bit / 8] |= (uint8_t)(1u << bit % 8);
}

void tn_svg_note_glyphs(struct tn_svg *svg)
{
	const struct tn_draw_item *item;
	uint32_t code;

	for (item = svg->display->first; item; item = item->next) {
		const struct tn_setting *set = item->kind == TN_DRAW_TEXT ? item->set : NULL;
		struct tn_str rest = item->text;

		for (size_t i = 0; set && i < set->text.glyph_count; i++)
			if (set->text.glyphs[i].font == 0)
				note(svg, item->how.weight, set->text.glyphs[i].id);
		while (item->kind == TN_DRAW_TEXT && !set && tn_font_next(&rest, &code))
			note(svg, item->how.weight, code);
	}
}

struct glyph_writer {
	struct tn_svg *svg;
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
		tn_svg_put(writer->svg, "z");
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

static void write_cubic(void *data, const int32_t at[6])
{
	struct glyph_writer *writer = data;

	put_step(writer, 'c', at[0] - writer->x, at[1] - writer->y);
	put_step(writer, 0, at[2] - writer->x, at[3] - writer->y);
	put_step(writer, 0, at[4] - writer->x, at[5] - writer->y);
	writer->x = at[4];
	writer->y = at[5];
}

static void put_glyph_id(struct tn_svg *svg, enum tn_draw_weight weight, uint32_t code)
{
	tn_buf_format(svg->out, "%s%x", weight == TN_DRAW_BOLD ? "tnb" : "tn", (unsigned)code);
}

static bool is_empty(const struct tn_glyph *glyph)
{
	return !glyph->image && glyph->step_count == 0;
}

static void put_set_glyph_id(struct tn_svg *svg, const struct tn_glyph *glyph)
{
	tn_buf_format(svg->out, "tnf%u-%x", (unsigned)glyph->font, (unsigned)glyph->id);
}

static void put_image(struct tn_svg *svg, const struct tn_glyph_image *image)
{
	tn_svg_put_attribute(svg, "x", image->x);
	tn_svg_put_attribute(svg, "y", image->y);
	tn_svg_put_attribute(svg, "width", image->width);
	tn_svg_put_attribute(svg, "height", image->height);
	tn_svg_put(svg, " preserveAspectRatio=\"none\" href=\"data:image/png;base64,");
	tn_base64_append(svg->out, image->png.data, image->png.size);
	tn_svg_put(svg, "\"/>\n");
}

static void put_set_glyph(struct tn_svg *svg, const struct tn_glyph *glyph)
{
	struct glyph_writer writer = {.svg = svg};
	const struct tn_font_pen pen = {write_move, write_line, write_curve, &writer};

	tn_svg_put(svg, glyph->image ? "<image id=\"" : "<path id=\"");
	put_set_glyph_id(svg, glyph);
	tn_svg_put(svg, "\"");
	if (glyph->image) {
		put_image(svg, glyph->image);
		return;
	}
	tn_svg_put(svg, " d=\"");
	tn_glyph_outline(glyph, &pen, write_cubic);
	tn_svg_put(svg, "z\"/>\n");
}

void tn_svg_put_glyphs(struct tn_svg *svg)
{
	size_t bit;

	tn_svg_put(svg, "<defs>\n");
	for (bit = 0; bit < 2 * (size_t)TN_SVG_CODES; bit++) {
		enum tn_draw_weight weight = bit >= TN_SVG_CODES ? TN_DRAW_BOLD : TN_DRAW_REGULAR;
		uint32_t code = (uint32_t)(bit % TN_SVG_CODES);
		struct glyph_writer writer = {.svg = svg};
		const struct tn_font_pen pen = {write_move, write_line, write_curve, &writer};

		if (bit % 8 == 0 && svg->used[bit / 8] == 0) {
			bit += 7;
			continue;
		}
		if (!(svg->used[bit / 8] >> bit % 8 & 1) || !tn_font_outline(weight, code, NULL))
			continue;
		tn_svg_put(svg, "<path id=\"");
		put_glyph_id(svg, weight, code);
		tn_svg_put(svg, "\" d=\"");
		(void)tn_font_outline(weight, code, &pen); /* it has one */
		tn_svg_put(svg, "z\"/>\n");
	}
	for (const struct tn_made_glyph *at = svg->display->setter.first; at; at = at->next)
		if (!is_empty(&at->glyph))
			put_set_glyph(svg, &at->glyph);
	tn_svg_put(svg, "</defs>\n");
}

/* What files say are their names: letters, digits and blanks, as CSS takes them without quotes. */
static void put_family_names(struct tn_svg *svg, const char *name)
{
	for (; *name; name++)
		if (tn_is_alpha(*name) || tn_is_digit(*name) || *name == ' ' || *name == ',')
			tn_buf_append_byte(svg->out, *name);
}

/* The fonts that the width is from, where a reader has it too; and where the line begins. */
static void put_set_words(struct tn_svg *svg, const struct tn_setting *set)
{
	if (set->text.leftward)
		tn_svg_put(svg, " direction=\"rtl\"");
	if (!set->text.families)
		return;
	tn_svg_put(svg, " font-family=\"");
	put_family_names(svg, set->text.families);
	tn_svg_put(svg, ", ");
	if (svg->display->family.size > 0) {
		tn_svg_put_escaped(svg, svg->display->family);
		tn_svg_put(svg, ", ");
	}
	tn_svg_put(svg, "DejaVu Sans, sans-serif\"");
}

/* An anchor is where a line begins or ends, on whichever side that is. */
static enum tn_draw_anchor anchor_of(const struct tn_draw_item *item)
{
	if (!item->set || !item->set->text.leftward || item->how.anchor == TN_DRAW_MIDDLE)
		return item->how.anchor;
	return item->how.anchor == TN_DRAW_START ? TN_DRAW_END : TN_DRAW_START;
}

/* Text as text: the same width in whatever font is there. */
void tn_svg_put_words(struct tn_svg *svg, const struct tn_draw_item *item)
{
	static const char *const anchors[] = {"", " text-anchor=\"middle\"",
					      " text-anchor=\"end\""};
	const struct tn_draw_text *how = &item->how;

	tn_svg_put(svg, "<text");
	tn_svg_put_attribute(svg, "x", how->x);
	tn_svg_put_attribute(svg, "y", how->y);
	tn_svg_put_attribute(svg, "font-size", how->size);
	tn_svg_put_attribute(svg, "textLength", item->text_width);
	tn_svg_put(svg, " lengthAdjust=\"spacingAndGlyphs\"");
	if (item->set)
		put_set_words(svg, item->set);
	tn_svg_put(svg, anchors[anchor_of(item)]);
	if (how->weight == TN_DRAW_BOLD)
		tn_svg_put(svg, " font-weight=\"bold\"");
	if (how->angle != 0) {
		tn_svg_put(svg, " transform=\"rotate(");
		tn_svg_put_number(svg, how->angle);
		tn_svg_put(svg, " ");
		tn_svg_put_number(svg, how->x);
		tn_svg_put(svg, " ");
		tn_svg_put_number(svg, how->y);
		tn_svg_put(svg, ")\"");
	}
	tn_svg_put_colour(svg, "fill", how->colour);
	if (tn_colour_alpha(how->halo) > 0) {
		tn_svg_put_colour(svg, "stroke", how->halo);
		tn_svg_put_attribute(svg, "stroke-width", how->size * TN_DRAW_HALO);
		tn_svg_put(svg, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
	}
	tn_svg_put(svg, ">");
	tn_svg_put_escaped(svg, item->text);
	tn_svg_put(svg, "</text>\n");
}

static void put_set_letters(struct tn_svg *svg, const struct tn_draw_item *item)
{
	const struct tn_setting *set = item->set;

	for (size_t i = 0; i < set->text.glyph_count; i++) {
		const struct tn_set_glyph *at = &set->text.glyphs[i];
		const struct tn_glyph *shape = set->shapes[i];

		if (shape ? is_empty(shape) : !tn_font_outline(item->how.weight, at->id, NULL))
			continue;
		tn_svg_put(svg, "<use href=\"#");
		if (shape)
			put_set_glyph_id(svg, shape);
		else
			put_glyph_id(svg, item->how.weight, at->id);
		tn_svg_put(svg, "\"");
		if (at->x != 0)
			tn_svg_put_attribute(svg, "x", at->x);
		if (at->y != 0)
			tn_svg_put_attribute(svg, "y", at->y);
		tn_svg_put(svg, "/>");
	}
}

void tn_svg_put_text(struct tn_svg *svg, const struct tn_draw_item *item)
{
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, start = tn_draw_text_start(item);
	uint64_t millionths = (uint64_t)floor(fabs(unit) * 1e6 + 0.5);
	struct tn_str rest = item->text;
	int64_t along = 0;
	uint32_t code;

	tn_svg_put(svg, "<g aria-label=\"");
	tn_svg_put_escaped(svg, item->text);
	tn_svg_put(svg, "\" transform=\"translate(");
	tn_svg_put_number(svg, how->x + (how->angle == 0 ? start : 0));
	tn_svg_put(svg, " ");
	tn_svg_put_number(svg, how->y);
	if (how->angle != 0) {
		tn_svg_put(svg, ") rotate(");
		tn_svg_put_number(svg, how->angle);
		tn_svg_put(svg, ") translate(");
		tn_svg_put_number(svg, start);
	}
	tn_svg_put(svg, ") scale(");
	tn_buf_format(svg->out, "%u.%06u", (unsigned)(millionths / 1000000),
		      (unsigned)(millionths % 1000000));
	tn_svg_put(svg, ")\"");
	tn_svg_put_colour(svg, "fill", how->colour);
	if (tn_colour_alpha(how->halo) > 0) {
		tn_svg_put_colour(svg, "stroke", how->halo);
		tn_svg_put_attribute(svg, "stroke-width", TN_FONT_EM * TN_DRAW_HALO);
		tn_svg_put(svg, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
	}
	tn_svg_put(svg, ">");
	if (item->set)
		put_set_letters(svg, item);
	while (!item->set && tn_font_next(&rest, &code)) {
		if (tn_font_outline(how->weight, code, NULL)) {
			tn_svg_put(svg, "<use href=\"#");
			put_glyph_id(svg, how->weight, code);
			tn_buf_format(svg->out, along ? "\" x=\"%lld\"/>" : "\"/>",
				      (long long)along);
		}
		along += tn_font_width(how->weight, code);
	}
	tn_svg_put(svg, "</g>\n");
}
