/* internal.h - what a screen holds, for the files that carry its sequences out.
 *
 * screen.c is its life, screen_resize.c another size, screen_print.c writes characters,
 * screen_escape.c and screen_csi.c have the tables of sequences, screen_edit.c moves and erases,
 * screen_mode.c has modes and the other screen, screen_style.c colours, screen_text.c and
 * screen_snapshot.c what is read from it. Threads: one at a time. */
#ifndef TN_TERMINAL_SCREEN_INTERNAL_H
#define TN_TERMINAL_SCREEN_INTERNAL_H

#include "apps/terminal/limits.h"
#include "apps/terminal/screen/screen_scrollback.h"
#include "apps/terminal/screen/vt_parser.h"

enum { TN_MAIN = 0, TN_ALTERNATE = 1 };

/* The four character sets, and which of them is in use. */
struct tn_charsets {
	char sets[4]; /* finals of their designations: 'B' ASCII, '0' line drawing, 'A' British */
	uint8_t shift;
};

struct tn_place {
	uint16_t row, column;
	bool waiting; /* the last column was written: the next character goes to the next row */
	bool origin;
	struct tn_style style;
	struct tn_charsets charsets;
};

struct tn_modes {
	bool insert, newline;    /* 4, 20 */
	bool application_cursor; /* ?1 */
	bool application_keypad; /* ?66, ESC = */
	bool reversed;           /* ?5 */
	bool autowrap;           /* ?7 */
	bool cursor_visible;     /* ?25 */
	bool bracketed_paste;    /* ?2004 */
	bool focus;              /* ?1004 */
	uint16_t mouse;          /* 0, or 9, 1000, 1002, 1003 */
	uint16_t mouse_encoding; /* 0, or 1005, 1006, 1015, 1016 */
	uint8_t modify_other;
	uint8_t cursor_shape; /* of DECSCUSR: 0 to 6 */
};

struct tn_screen {
	struct tn_screen_options options;
	struct tn_grid grids[2];
	struct tn_grid *grid; /* the one that is seen */
	struct tn_scrollback scrollback;
	struct tn_place now;
	struct tn_place saved[2];
	uint16_t top, bottom; /* of the scroll region, both in it */
	struct tn_modes modes;
	uint8_t single_shift; /* the set of the next character; 0: none */
	/* The character before the cursor, for REP, if nothing came after it but characters; zeros:
	 * none. */
	char last[TN_UTF8_BYTES_MAX];
	uint8_t tabs[(TN_SCREEN_COLUMNS_MAX + 7) / 8];
	bool changed; /* since the last feed began */
	uint64_t revision;
	char title[TN_SCREEN_TITLE_SIZE];
	struct tn_buf text; /* of a line that scrolls away */
	struct tn_vt_parser parser;
};

static inline uint16_t tn_screen_columns(const struct tn_screen *s)
{
	return s->grid->columns;
}

static inline uint16_t tn_screen_rows(const struct tn_screen *s)
{
	return s->grid->row_count;
}

static inline struct tn_row *tn_screen_row(const struct tn_screen *s)
{
	return tn_grid_row(s->grid, s->now.row);
}

/* Value `index` of a sequence; `fallback` if it was not given. */
static inline unsigned tn_vt_value(const struct tn_vt_sequence *q, unsigned index,
				   unsigned fallback)
{
	return index < q->count && q->values[index] >= 0 ? (unsigned)q->values[index] : fallback;
}

/* The same as a count: 0 is 1. */
static inline unsigned tn_vt_count(const struct tn_vt_sequence *q)
{
	unsigned value = tn_vt_value(q, 0, 1);

	return value ? value : 1;
}

static inline void tn_screen_forget_last(struct tn_screen *s)
{
	memset(s->last, 0, sizeof(s->last));
}

/* screen.c */
TN_MUST_USE enum tenon_code tn_screen_check_size(uint16_t columns, uint16_t rows,
						 struct tenon_error *err);

/* screen_reset.c */
void tn_screen_set_defaults(struct tn_screen *s);          /* all but what is shown */
void tn_screen_whole_region(struct tn_screen *s);          /* scrolls */
void tn_screen_soft_reset(struct tn_screen *s);            /* DECSTR */
void tn_screen_reset(struct tn_screen *s);                 /* RIS */
void tn_screen_default_tabs(uint8_t *tabs, unsigned from); /* to the last that there may be */
struct tn_place tn_screen_default_place(void);
struct tn_modes tn_screen_default_modes(void);

/* screen_print.c */
void tn_screen_print_text(struct tn_str ascii, void *screen);
void tn_screen_print_code(uint32_t code, void *screen);
void tn_screen_repeat(struct tn_screen *s, unsigned count); /* REP */

/* screen_edit.c: the cursor, and what it moves or erases. Rows and columns from 0, clamped. */
void tn_screen_index(struct tn_screen *s, bool wrapped); /* down one row, scrolling */
void tn_screen_reverse_index(struct tn_screen *s);
void tn_screen_scroll_up(struct tn_screen *s, uint16_t first, unsigned count);
void tn_screen_scroll_down(struct tn_screen *s, uint16_t first, unsigned count);
void tn_screen_keep_row(struct tn_screen *s, const struct tn_row *row);  /* scrolled away */
void tn_screen_move(struct tn_screen *s, unsigned row, unsigned column); /* origin counts */
void tn_screen_save_cursor(struct tn_screen *s);
void tn_screen_restore_cursor(struct tn_screen *s);
void tn_screen_erase_display(struct tn_screen *s, unsigned what); /* ED */
void tn_screen_erase_line(struct tn_screen *s, unsigned what);    /* EL */
void tn_screen_tab(struct tn_screen *s, unsigned count);
void tn_screen_align(struct tn_screen *s); /* DECALN */
/* Nothing waits where the last column has nothing, or the row goes on already. */
void tn_screen_check_waiting(struct tn_screen *s);

/* screen_escape.c */
void tn_screen_control(unsigned char code, void *screen);
void tn_screen_escape(char intermediate, char final, void *screen);
void tn_screen_osc(struct tn_str text, void *screen);

/* screen_csi.c */
void tn_screen_csi(const struct tn_vt_sequence *sequence, void *screen);
void tn_screen_answer(struct tn_screen *s, struct tn_str bytes);

/* screen_mode.c */
void tn_screen_set_mode(struct tn_screen *s, const struct tn_vt_sequence *q);
void tn_screen_set_private_mode(struct tn_screen *s, const struct tn_vt_sequence *q);
void tn_screen_leave_alternate(struct tn_screen *s);

/* screen_style.c */
void tn_screen_set_style(struct tn_screen *s, const struct tn_vt_sequence *q); /* SGR */
void tn_style_apply(struct tn_style *style, const struct tn_vt_sequence *q);
void tn_screen_put_style(const struct tn_style *style, struct tn_buf *out); /* 0 and all of it */
bool tn_style_equal(const struct tn_style *a, const struct tn_style *b);
struct tn_style tn_cell_style(const struct tn_cell *cell);

/* screen_text.c: a row to its last cell that was drawn, with printed blanks. */
void tn_row_put_text(const struct tn_row *row, struct tn_buf *out);

#endif
