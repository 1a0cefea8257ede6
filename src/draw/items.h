/* items.h - what a display list holds, for the back ends.
 *
 * Everything is in the display's arena and never changes once it is in the list. Threads: as
 * display.h. */
#ifndef TN_DRAW_ITEMS_H
#define TN_DRAW_ITEMS_H

#include "draw/setting.h"

#define TN_DRAW_HALO 0.24 /* the halo's pen, of the size of the letters */

enum tn_draw_kind {
	TN_DRAW_RECT,
	TN_DRAW_ELLIPSE,
	TN_DRAW_PATH,
	TN_DRAW_TEXT,
	TN_DRAW_GROUP_BEGIN,
	TN_DRAW_GROUP_END
};

enum tn_draw_step { TN_DRAW_MOVE, TN_DRAW_LINE, TN_DRAW_CURVE, TN_DRAW_CLOSE };

struct tn_draw_piece {
	enum tn_draw_step step;
	double at[6]; /* the end point is the last pair used */
	struct tn_draw_piece *next;
};

struct tn_draw_item {
	enum tn_draw_kind kind;
	struct tn_draw_item *next;
	struct tn_draw_style style;   /* of shapes */
	double x, y, width, height;   /* RECT; ELLIPSE: centre and radii */
	double radius;                /* RECT: of the corners */
	struct tn_draw_piece *pieces; /* PATH */
	struct tn_str text;           /* TEXT: what fits, with its ellipsis; GROUP_BEGIN: the id */
	struct tn_draw_text how;      /* TEXT */
	double text_width;            /* TEXT */
	const struct tn_setting *set; /* TEXT: in fonts of the machine; NULL: the embedded one */
	struct tn_str title;          /* GROUP_BEGIN */
	struct tn_draw_data *data;    /* GROUP_BEGIN */
	size_t data_count;
};

struct tn_display {
	struct tn_arena arena;
	double x, y, width, height;
	tn_colour background;
	struct tn_str title, description, family, remark;
	bool has_words; /* text is kept as text */
	struct tn_draw_item *first, *last;
	struct tn_draw_item *path;        /* that is being made; NULL: none */
	struct tn_draw_piece *last_piece; /* of it */
	size_t item_count;
	unsigned depth; /* of groups */
	struct tn_setter setter;
	enum tenon_code failed;
};

/* The first failure sticks. */
static inline void tn_display_fail(struct tn_display *display, enum tenon_code code)
{
	if (display->failed == TENON_OK)
		display->failed = code;
}

/* OK, or what went wrong while the list was made. */
TN_MUST_USE enum tenon_code tn_display_check(const struct tn_display *display,
					     struct tenon_error *err);

/* At most three decimals, no exponent, no locale, no "-0". */
void tn_draw_put_number(struct tn_buf *out, double value);

/* Where its first glyph begins, before it is turned. */
double tn_draw_text_start(const struct tn_draw_item *item);

static inline unsigned tn_colour_alpha(tn_colour colour)
{
	return colour & 0xFF;
}

#endif
