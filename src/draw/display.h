/* display.h - a display list: what is to be drawn, in order, for every back end alike.
 *
 * Filled by an app (shapes, paths, text at exact places), drawn as SVG or PNG.
 * Coordinates are doubles in the user's units, y downwards; colours are 0xRRGGBBAA. Text is set in
 * the embedded DejaVu Sans, whose widths are known here without drawing, so that boxes can be made
 * to fit: the same list gives the same bytes everywhere. Only a text with characters that it lacks
 * is set in fonts of the machine, if there are any (tn_display_use_fonts); which, the display
 * tells. Ownership: the display owns its items (one arena). Threads: one at a time. */
#ifndef TN_DRAW_DISPLAY_H
#define TN_DRAW_DISPLAY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

typedef uint32_t tn_colour; /* 0xRRGGBBAA; alpha 0: nothing is drawn */

struct tn_draw_style {
	tn_colour fill, stroke;
	double stroke_width;
	double dash[4]; /* on, off, on, off; 0 ends; all 0: solid */
	bool round;     /* caps and joins */
};

enum tn_draw_anchor { TN_DRAW_START, TN_DRAW_MIDDLE, TN_DRAW_END };
enum tn_draw_weight { TN_DRAW_REGULAR, TN_DRAW_BOLD };

struct tn_draw_text {
	double x, y;  /* of the baseline at the anchor */
	double size;  /* of the em */
	double angle; /* degrees, clockwise, around x, y */
	enum tn_draw_anchor anchor;
	enum tn_draw_weight weight;
	tn_colour colour;
	tn_colour halo;   /* drawn around the glyphs; alpha 0: none */
	double max_width; /* longer text ends in an ellipsis; 0: whole */
};

struct tn_display;
struct tn_fonts; /* fonts.h */
TN_MUST_USE enum tenon_code tn_display_create(double width, double height, tn_colour background,
					      struct tn_display **ret, struct tenon_error *err);
void tn_display_free(struct tn_display *display); /* accepts NULL */
void tn_display_resize(struct tn_display *display, double x, double y, double width,
		       double height); /* the visible part */

void tn_display_size(const struct tn_display *display, double *ret_width, double *ret_height);
/* Told to readers of the screen, and shown by SVG viewers; copied. Either may be empty. */
void tn_display_describe(struct tn_display *display, struct tn_str title,
			 struct tn_str description);

/* SVG holds text as text, in fonts of this family and then any without serifs: it can be read,
 * searched and copied, and is as wide as it is here. Otherwise as outlines. */
void tn_display_keep_words(struct tn_display *display, struct tn_str family);
/* A comment at the beginning of an SVG. */
void tn_display_remark(struct tn_display *display, struct tn_str remark);

/* Failures (memory, TN_DRAW_ITEMS_MAX, places that are no numbers) stick and are told by the back
 * ends. */
void tn_draw_rect(struct tn_display *display, double x, double y, double width, double height,
		  double radius, const struct tn_draw_style *style);
void tn_draw_ellipse(struct tn_display *display, double cx, double cy, double rx, double ry,
		     const struct tn_draw_style *style);
/* Paths: begin, points and curves, end. */
void tn_draw_begin(struct tn_display *display, const struct tn_draw_style *style);
void tn_draw_move(struct tn_display *display, double x, double y);
void tn_draw_line(struct tn_display *display, double x, double y);
void tn_draw_curve(struct tn_display *display, double x1, double y1, double x2, double y2, double x,
		   double y);
/* Along a circle, clockwise, from one angle to the other (degrees, 0 is to the right); begins with
 * a line from where the path is, if it has begun. */
void tn_draw_arc(struct tn_display *display, double cx, double cy, double radius, double from,
		 double to);
void tn_draw_close(struct tn_display *display);
void tn_draw_end(struct tn_display *display);
void tn_draw_put_text(struct tn_display *display, struct tn_str text,
		      const struct tn_draw_text *how);
/* What belongs together: an id and a title for SVG (escaped), nothing for pixels. */
void tn_draw_group_begin(struct tn_display *display, struct tn_str id, struct tn_str title);
struct tn_draw_data {
	const char *name; /* static: lower case letters and "-" */
	struct tn_str value;
};
/* Of the group just begun: data-<name>="<value>" for SVG; copied. */
void tn_draw_group_data(struct tn_display *display, const struct tn_draw_data *data, size_t count);
void tn_draw_group_end(struct tn_display *display);

/* Width in the same units, in the embedded font alone. */
double tn_draw_text_width(struct tn_str text, double size, enum tn_draw_weight weight);
/* As wide as the display draws it. */
double tn_draw_measure(struct tn_display *display, struct tn_str text, double size,
		       enum tn_draw_weight weight);
/* Bytes of the longest beginning of a line that is at most as wide, at least a letter: up to a
 * blank, or where its script lets a line break, or between any two letters. TN_STR_NONE: all of it
 * is in the embedded font, and the caller breaks between words. */
size_t tn_draw_line_end(struct tn_display *display, struct tn_str line, double size,
			enum tn_draw_weight weight, double width);

/* ---- fonts of the machine ---- */

struct tn_font_used {
	char name[100], file[100]; /* "Noto Sans CJK SC Regular"; without its folder */
	char sha256[65];           /* of the whole file */
};
enum { TN_DRAW_BOXES_TOLD_MAX = 5, TN_DRAW_FONTS_TOLD_MAX = 24 };
struct tn_letters_told { /* all zero at first */
	struct tn_font_used fonts[TN_DRAW_FONTS_TOLD_MAX];
	size_t font_count;
	size_t box_count;                       /* characters that are drawn as boxes */
	uint32_t boxes[TN_DRAW_BOXES_TOLD_MAX]; /* the first of them, each once */
	size_t told_count;
	char why[100]; /* the machine's fonts could not be used; empty: they could */
};
/* What the embedded font lacks is set in these (NULL: boxes). When the display is freed, `told`
 * (NULL: nobody asks) gets what is known of its letters beside what it has: the fonts that widths
 * or letters are from, each once. Both outlive the display. */
void tn_display_use_fonts(struct tn_display *display, struct tn_fonts *fonts,
			  struct tn_letters_told *told);
/* The same at once. */
void tn_display_tell_letters(const struct tn_display *display, struct tn_letters_told *told);
/* A sentence about the boxes, without its full stop; nothing when there are none. */
void tn_letters_put_boxes(const struct tn_letters_told *told, struct tn_buf *out);

/* ---- back ends ---- */

/* Text as outlines, so that it looks the same without the font, unless words are kept. Fails:
 * LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_draw_svg(const struct tn_display *display, struct tn_buf *out,
					struct tenon_error *err);
/* `scale`: pixels a unit; the size is the display's times the scale, rounded. RGB, or RGBA when the
 * background is not opaque. Fails: LIMIT (more than TN_DRAW_PIXELS_MAX), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_draw_png(const struct tn_display *display, double scale,
					struct tn_buf *out, struct tenon_error *err);

#endif
