/* font.h - the embedded DejaVu Sans: widths and outlines of characters.
 *
 * Left to right, one glyph a character, no kerning. Combining marks have no width and are drawn
 * over what stands before. A character without a glyph (other scripts, emoji) is a box with its
 * code point, so that nothing is lost silently. Pure functions. Threads: any. */
#ifndef TN_DRAW_FONT_H
#define TN_DRAW_FONT_H

#include <stdint.h>

#include "draw/display.h"

enum { TN_FONT_EM = 2048 }; /* units of widths and outlines; y downwards, 0 is the baseline */

/* Takes the next character that is to be seen off the text: white space counts as a space, what is
 * no UTF-8 as U+FFFD, marks of direction and joiners are passed over. False: the end. */
bool tn_font_next(struct tn_str *text, uint32_t *ret_code);

/* Whether there is a glyph for it. */
bool tn_font_has(enum tn_draw_weight weight, uint32_t code);
/* It has no glyph and needs none: a joiner, a mark of direction, a control character. */
bool tn_font_is_unseen(uint32_t code);
/* Of its glyph, or of its box. */
int32_t tn_font_width(enum tn_draw_weight weight, uint32_t code);

struct tn_font_pen {
	void (*move)(void *data, int32_t x, int32_t y); /* begins a contour; it closes by itself */
	void (*line)(void *data, int32_t x, int32_t y);
	void (*curve)(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y); /* quadratic */
	void *data;
};
/* To be filled by the non-zero rule. False: there is nothing to draw (a space). `pen` NULL: asks
 * only. */
bool tn_font_outline(enum tn_draw_weight weight, uint32_t code, const struct tn_font_pen *pen);

#endif
