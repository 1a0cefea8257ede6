/* svg_write.h - the inside of writing SVG, for the files svg*.c. Threads: one at a time. */
#ifndef TN_DRAW_SVG_WRITE_H
#define TN_DRAW_SVG_WRITE_H

#include "draw/items.h"

enum { TN_SVG_CODES = 0x110000 };

struct tn_svg {
	struct tn_buf *out;
	const struct tn_display *display;
	uint8_t *used; /* a bit a code point and weight */
};

void tn_svg_put(struct tn_svg *svg, const char *text);
void tn_svg_put_number(struct tn_svg *svg, double value);
void tn_svg_put_attribute(struct tn_svg *svg, const char *name, double value);
/* For text and attributes. XML has no way to write control characters: they are left out, and so
 * is what is no UTF-8. */
void tn_svg_put_escaped(struct tn_svg *svg, struct tn_str text);
void tn_svg_put_colour(struct tn_svg *svg, const char *name, tn_colour colour);

/* ---- text (svg_text.c) ---- */

void tn_svg_note_glyphs(struct tn_svg *svg);
void tn_svg_put_glyphs(struct tn_svg *svg); /* those noted */
void tn_svg_put_text(struct tn_svg *svg, const struct tn_draw_item *item);
/* Text as text: the same width in whatever font is there. */
void tn_svg_put_words(struct tn_svg *svg, const struct tn_draw_item *item);

#endif
