/* screen.h - what a terminal shows: a grid of cells, as xterm would draw it (ECMA-48, DEC VT
 * series, xterm's control sequences).
 *
 * Bytes go in as they come, split anywhere; nothing is read from them but what a terminal reads.
 * Answers that some programs wait for (device attributes, cursor position) are written by `reply`,
 * with numeric content only; everything else that asks is not answered (terminal.md section 10.4).
 * No reflow. Left out of xterm's: left and right margins, protected cells, lines of double size,
 * reverse wrapping, national character sets, saved modes. Scroll-back also ends at
 * TN_SCREEN_LINE_BYTES a line on average: then the oldest lines go sooner. Ownership: the caller's.
 * Threads: one at a time. */
#ifndef TN_TERM_SCREEN_H
#define TN_TERM_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum {
	TN_SCREEN_CODES_MAX = 6, /* code points of one cell; more are dropped */
	TN_SCREEN_TITLE_SIZE = 256
};

enum {
	TN_CELL_BOLD = 1 << 0,
	TN_CELL_DIM = 1 << 1,
	TN_CELL_ITALIC = 1 << 2,
	TN_CELL_UNDERLINE = 1 << 3,
	TN_CELL_BLINK = 1 << 4,
	TN_CELL_REVERSE = 1 << 5,
	TN_CELL_HIDDEN = 1 << 6,
	TN_CELL_STRIKE = 1 << 7,
	TN_CELL_WIDE = 1 << 8,     /* the left half of two columns */
	TN_CELL_WIDE_TAIL = 1 << 9 /* the right half; has no text */
};

/* A colour: 0 the default; 1 to 256 the palette's entry less one; bit 24 set: 0xRRGGBB. */
typedef uint32_t tn_colour;
#define TN_COLOUR_RGB ((tn_colour)1 << 24)

struct tn_style {
	tn_colour foreground, background;
	uint16_t flags; /* TN_CELL_* without the wide ones */
};

struct tn_screen;

struct tn_screen_options {
	uint16_t columns, rows;
	uint32_t scrollback_max; /* lines above the main screen that are kept; 0: none */
	void (*reply)(struct tn_str bytes, void *data); /* NULL: nothing is answered */
	/* A line leaves the top of the main screen for good, before it is kept; NULL: nobody. Its
	 * text, with the blanks that were printed at its end, and whether it goes on in the next
	 * line. Once a line, even if a larger window brings it back. */
	void (*scrolled)(struct tn_screen *screen, struct tn_str text, bool wrapped, void *data);
	void (*bell)(void *data);
	void *data;
};

TN_MUST_USE enum tenon_code tn_screen_create(const struct tn_screen_options *options,
					     struct tn_screen **ret, struct tenon_error *err);
void tn_screen_destroy(struct tn_screen *screen); /* accepts NULL */

void tn_screen_feed(struct tn_screen *screen, struct tn_str bytes); /* never fails; grows nothing */
TN_MUST_USE enum tenon_code tn_screen_resize(struct tn_screen *screen, uint16_t columns,
					     uint16_t rows, struct tenon_error *err);
/* A prompt appears: main screen, no scroll region, default modes, character sets and attributes, no
 * half a sequence (terminal.md 5.2); the cursor keeps its shape. True: something had to be put
 * right. To be called before the shell's line editor sets its modes. */
bool tn_screen_sane(struct tn_screen *screen);

struct tn_screen_look {
	uint16_t columns, rows, cursor_row, cursor_column; /* from 0 */
	bool cursor_visible, alternate;
	const char *cursor_shape; /* "block", "underline", "bar" */
	const char *mouse;        /* "off", "click", "drag", "any" */
	bool bracketed_paste, application_cursor, application_keypad;
	uint8_t modify_other; /* xterm's modifyOtherKeys: 0, 1, 2 */
	uint32_t scrollback_count;
	uint64_t revision; /* grows with each change that can be seen */
	const char *title; /* UTF-8 without control bytes */
};
void tn_screen_look(const struct tn_screen *screen, struct tn_screen_look *ret);

/* One cell; outside of the grid: blank. `text`: UTF-8, "" for a blank; lives until the next feed.
 */
struct tn_str tn_screen_cell(const struct tn_screen *screen, uint16_t row, uint16_t column,
			     struct tn_style *ret_style, unsigned *ret_flags);

/* Lines as UTF-8: row 0 to rows - 1, or -1, -2, ... upwards into the scroll-back. `trim`: without
 * blanks at the end; otherwise as wide as the screen, at least. Nothing for a line that is not. */
void tn_screen_put_line(const struct tn_screen *screen, int32_t row, bool trim, struct tn_buf *out);
bool tn_screen_line_wraps(const struct tn_screen *screen, int32_t row); /* goes on in the next */
/* The same with SGR, ending in the default attributes. */
void tn_screen_put_line_ansi(const struct tn_screen *screen, int32_t row, bool trim,
			     struct tn_buf *out);

/* Bytes that bring a fresh terminal of the same size to this state: modes, both screens, cursor,
 * attributes, scroll region, tabs, title, with so many lines of scroll-back. For viewers that come
 * late, and for the journal: feeding them to a fresh struct tn_screen gives an equal one, also when
 * it is taken in the middle of a sequence, which is then its end. A terminal that is not fresh
 * needs ESC c first. Lines of scroll-back that are wider than the screen come over several rows. */
void tn_screen_put_snapshot(const struct tn_screen *screen, uint32_t scrollback,
			    struct tn_buf *out);

#endif
