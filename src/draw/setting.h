/* setting.h - text of a display in fonts of the machine: which texts need them, how wide they are,
 * and the glyphs they become, each text and glyph made once a picture.
 *
 * Everything lies in the display's arena. Threads: one at a time. */
#ifndef TN_DRAW_SETTING_H
#define TN_DRAW_SETTING_H

#include "base/map.h"
#include "draw/font.h"
#include "draw/shaping_plugin.h"

struct tn_setting {
	struct tn_set_text text;
	const size_t *offsets;                /* in bytes, of each code point and the end */
	const struct tn_glyph *const *shapes; /* by glyph; NULL: of the embedded font */
};

struct tn_made_glyph {
	struct tn_glyph glyph;
	struct tn_made_glyph *next;
};

/* A display's; all zero: no fonts. */
struct tn_setter {
	struct tn_fonts *fonts;
	struct tn_letters_told *told; /* in the end; NULL: nobody */
	const struct tn_shaping_plugin *plugin;
	struct tn_shaper *shaper;
	struct tenon_error why; /* there is no shaper */
	bool tried;
	struct tn_map texts[2], glyphs;     /* that are made already; texts by weight */
	struct tn_made_glyph *first, *last; /* glyphs in order of their first use */
	size_t box_count;
	uint32_t boxes[TN_DRAW_BOXES_TOLD_MAX];
	size_t told_count;
};
void tn_setter_finish(struct tn_setter *setter);
void tn_setter_tell(const struct tn_setter *setter, struct tn_letters_told *told); /* letters.c */

/* NULL: the embedded font has all of it, or no other can be used. Failures are the display's. */
struct tn_setting *tn_setting_of(struct tn_display *display, struct tn_str text,
				 enum tn_draw_weight weight);
/* Its glyphs' shapes, for the back ends. */
void tn_setting_draw(struct tn_display *display, struct tn_setting *set);
/* letters.c: notes the characters that become boxes; `set` NULL: of a text in the embedded font. */
void tn_setting_note_boxes(struct tn_display *display, struct tn_str text,
			   const struct tn_setting *set, enum tn_draw_weight weight);
/* As tn_draw_line_end, in units of the em. */
size_t tn_setting_line_end(const struct tn_setting *set, struct tn_str line, double width);
/* The bytes of the longest beginning that is at most as wide, in units of the em; it parts no
 * letter from its marks. */
size_t tn_setting_beginning(const struct tn_setting *set, double width);
/* A letter less. */
size_t tn_setting_before(const struct tn_setting *set, size_t end);
/* Curves of the embedded font are quadratic, those of others may be cubic. */
typedef void tn_glyph_cubic_fn(void *data, const int32_t at[6]);
/* Its outline; nothing of a picture. */
void tn_glyph_outline(const struct tn_glyph *glyph, const struct tn_font_pen *pen,
		      tn_glyph_cubic_fn *cubic);
/* Of one glyph of a text, from whichever font it is. */
void tn_setting_outline(const struct tn_setting *set, size_t glyph, enum tn_draw_weight weight,
			const struct tn_font_pen *pen, tn_glyph_cubic_fn *cubic);

#endif
