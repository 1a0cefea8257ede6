/* plain_lines.h - what plain.c and plain_screen.c share: lines that are held back, and the screen
 * that they are drawn on once something moves across them (terminal.md section 6.3, 4).
 *
 * Threads: one at a time. */
#ifndef TN_TERMINAL_OUTPUT_PLAIN_LINES_H
#define TN_TERMINAL_OUTPUT_PLAIN_LINES_H

#include "apps/terminal/output/plain.h"
#include "apps/terminal/output/plain_line.h"
#include "apps/terminal/screen/vt_parser.h"

/* A finished line that could still change. */
struct tn_plain_held {
	uint64_t from;
	struct tn_buf text;
};

struct tn_plain {
	struct tn_plain_options options;
	struct tn_vt_parser parser;
	struct tn_plain_line line;
	bool begun;         /* `line` has had a byte */
	uint64_t line_from; /* then: where that stands */
	uint64_t line_number;
	uint32_t last_code; /* printed, for REP; 0: none */
	bool returned;      /* the last byte was CR */
	bool newlines;      /* LF has come after CR: the terminal driver wrote it */
	struct tn_buf out;  /* a line that is being handed on */

	struct tn_plain_held *held; /* a ring of `rows`; NULL without columns */
	size_t held_first, held_count;

	uint64_t saved_line, saved_column, saved_row_start; /* DECSC */
	struct tn_style saved_style;

	struct tn_screen *screen; /* NULL: lines are lines */
	uint64_t screen_from;
	struct tn_buf row; /* of the screen, that goes on in the next one */
	uint64_t row_characters, row_hidden;
	bool rendered;
};

/* plain.c */
void tn_plain_hand_on(struct tn_plain *plain, struct tn_str text, uint64_t from, bool unfinished);
void tn_plain_drop_held(struct tn_plain *plain);

/* plain_screen.c. False: there is no screen to draw on. */
bool tn_plain_render(struct tn_plain *plain);
void tn_plain_draw_text(struct tn_plain *plain, struct tn_str ascii);
void tn_plain_draw_code(struct tn_plain *plain, uint32_t code);
void tn_plain_draw_control(struct tn_plain *plain, unsigned char code);
void tn_plain_draw_escape(struct tn_plain *plain, char intermediate, char final);
void tn_plain_draw_csi(struct tn_plain *plain, const struct tn_vt_sequence *q);
void tn_plain_end_screen(struct tn_plain *plain);

#endif
