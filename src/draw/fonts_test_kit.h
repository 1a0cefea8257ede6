/* fonts_test_kit.h - a picture of labels, with the fonts it may use, as PNG and SVG: for tests. */
#ifndef TN_DRAW_FONTS_TEST_KIT_H
#define TN_DRAW_FONTS_TEST_KIT_H

#include "draw/display.h"
#include "draw/fonts.h"

struct kit {
	struct tn_fonts *fonts; /* NULL: none */
	struct tn_display *display;
	struct tn_letters_told told; /* after kit_draw */
	struct tn_buf png, svg;
	double y;
};
/* `plugin_folder` NULL: no fonts; `folder` NULL: those of the machine. */
void kit_open(struct kit *kit, const char *plugin_folder, const char *folder);
/* With fonts that are open already. */
void kit_open_with(struct kit *kit, struct tn_fonts *fonts);
void kit_close(struct kit *kit);
/* A label of size 100, below the ones before. */
void kit_put(struct kit *kit, const char *label, double max_width);
double kit_width(struct kit *kit, const char *label); /* of size 100 */
/* Makes png, svg and told; nothing more can be put. */
void kit_draw(struct kit *kit);

/* Whether this machine draws the label in that font; otherwise it is said that a test is skipped.
 */
bool kit_has(struct tn_fonts *fonts, const char *label, const char *font);
/* In the lines of the SVG: how often, where; -1 or a failed test: not there. */
int kit_count(const struct kit *kit, const char *what);
long kit_place(const struct kit *kit, const char *what);
const char *kit_find(const struct kit *kit, const char *what);
size_t kit_yellow(const struct kit *kit); /* pixels of the PNG that are yellow */

#endif
