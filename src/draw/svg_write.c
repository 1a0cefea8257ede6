#include "draw/svg_write.h"

#include "base/utf8.h"

void tn_svg_put(struct tn_svg *svg, const char *text)
{
	tn_buf_append_text(svg->out, text);
}

void tn_svg_put_number(struct tn_svg *svg, double value)
{
	tn_draw_put_number(svg->out, value);
}

void tn_svg_put_attribute(struct tn_svg *svg, const char *name, double value)
{
	tn_svg_put(svg, " ");
	tn_svg_put(svg, name);
	tn_svg_put(svg, "=\"");
	tn_svg_put_number(svg, value);
	tn_svg_put(svg, "\"");
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
void tn_svg_put_escaped(struct tn_svg *svg, struct tn_str text)
{
	while (text.size > 0) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(text.data, text.size, &code);

		if (size == 0 || is_no_xml(code))
			size = size ? size : 1;
		else if (entity_of(code))
			tn_svg_put(svg, entity_of(code));
		else if (code != '\t' && tn_utf8_look(code) >= TN_UTF8_TURN)
			tn_buf_format(svg->out, "&#%u;", (unsigned)code); /* a line stays one */
		else
			tn_buf_append(svg->out, text.data, size);
		text = tn_str_from_offset(text, size);
	}
}

void tn_svg_put_colour(struct tn_svg *svg, const char *name, tn_colour colour)
{
	unsigned alpha = tn_colour_alpha(colour);

	if (alpha == 0) {
		tn_buf_format(svg->out, " %s=\"none\"", name);
		return;
	}
	tn_buf_format(svg->out, " %s=\"#%06x\"", name, (unsigned)(colour >> 8));
	if (alpha < 255) {
		tn_buf_format(svg->out, " %s-opacity=\"", name);
		tn_svg_put_number(svg, alpha / 255.0);
		tn_svg_put(svg, "\"");
	}
}
