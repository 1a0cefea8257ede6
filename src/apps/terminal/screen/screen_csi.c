/* screen_csi.c - the table of control sequences. */
#include <stdio.h>

#include "apps/terminal/screen/internal.h"
#include "base/size.h"

void tn_screen_answer(struct tn_screen *s, struct tn_str bytes)
{
	if (s->options.reply)
		s->options.reply(bytes, s->options.data);
}

static void cursor_up(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned count = tn_vt_count(q);
	unsigned first = s->now.row >= s->top ? s->top : 0;
	unsigned room = s->now.row - first;

	s->now.row = (uint16_t)(s->now.row - (count < room ? count : room));
}

static void cursor_down(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned count = tn_vt_count(q);
	unsigned last = s->now.row <= s->bottom ? s->bottom : tn_screen_rows(s) - 1u;
	unsigned room = last - s->now.row;

	s->now.row = (uint16_t)(s->now.row + (count < room ? count : room));
}

static void cursor_right(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned count = tn_vt_count(q);
	unsigned room = tn_screen_columns(s) - 1u - s->now.column;

	s->now.column = (uint16_t)(s->now.column + (count < room ? count : room));
}

static void cursor_left(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned count = tn_vt_count(q);

	s->now.column = count < s->now.column ? (uint16_t)(s->now.column - count) : 0;
}

static void next_lines(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	cursor_down(s, q);
	s->now.column = 0;
}

static void previous_lines(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	cursor_up(s, q);
	s->now.column = 0;
}

/* 1 and 0 are both the first. */
static unsigned position(const struct tn_vt_sequence *q, unsigned index)
{
	unsigned value = tn_vt_value(q, index, 1);

	return value ? value - 1 : 0;
}

static void to_column(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned column = position(q, 0), last = tn_screen_columns(s) - 1u;

	s->now.column = (uint16_t)(column < last ? column : last);
}

static void to_row(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_move(s, position(q, 0), s->now.column);
}

static void rows_down(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned last = s->now.origin ? s->bottom : tn_screen_rows(s) - 1u;
	unsigned row = s->now.row + tn_vt_count(q);

	s->now.row = (uint16_t)(row < last ? row : last);
}

static void to_place(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_move(s, position(q, 0), position(q, 1));
}

static void tabs_right(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_tab(s, tn_vt_count(q));
}

static void tabs_left(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned at = s->now.column;

	for (unsigned count = tn_vt_count(q); count && at; count--)
		do
			at--;
		while (at && !(s->tabs[at / 8] >> (at % 8) & 1));
	s->now.column = (uint16_t)at;
}

static void clear_tabs(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned what = tn_vt_value(q, 0, 0);

	if (what == 0)
		s->tabs[s->now.column / 8] &= (uint8_t) ~(1 << (s->now.column % 8));
	else if (what == 3)
		memset(s->tabs, 0, sizeof(s->tabs));
}

static void erase_display(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_erase_display(s, tn_vt_value(q, 0, 0));
}

static void erase_line(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_erase_line(s, tn_vt_value(q, 0, 0));
}

static uint16_t cells_from_cursor(const struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned count = tn_vt_count(q), room = (unsigned)tn_screen_columns(s) - s->now.column;

	return (uint16_t)(count < room ? count : room);
}

static void erase_cells(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	uint16_t to = (uint16_t)(s->now.column + cells_from_cursor(s, q));

	tn_row_erase(tn_screen_row(s), tn_screen_columns(s), s->now.column, to,
		     s->now.style.background);
}

static void insert_cells(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_row_insert(tn_screen_row(s), tn_screen_columns(s), s->now.column,
		      cells_from_cursor(s, q), s->now.style.background);
}

static void delete_cells(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_row_delete(tn_screen_row(s), tn_screen_columns(s), s->now.column,
		      cells_from_cursor(s, q), s->now.style.background);
}

static bool in_region(const struct tn_screen *s)
{
	return s->now.row >= s->top && s->now.row <= s->bottom;
}

static void insert_rows(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (!in_region(s))
		return;
	tn_screen_scroll_down(s, s->now.row, tn_vt_count(q));
	s->now.column = 0;
}

static void delete_rows(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (!in_region(s))
		return;
	tn_screen_scroll_up(s, s->now.row, tn_vt_count(q));
	s->now.column = 0;
}

static void scroll_up(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_scroll_up(s, s->top, tn_vt_count(q));
}

/* With five values the same letter is a request to track the mouse. */
static void scroll_down(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (q->count == 1)
		tn_screen_scroll_down(s, s->top, tn_vt_count(q));
}

/* SL, SR: every row of the region, columns to the left or to the right. */
static void shift_rows(struct tn_screen *s, uint16_t column, unsigned count,
		       void (*shift)(struct tn_row *row, uint16_t columns, uint16_t at,
				     uint16_t count, tn_colour background))
{
	unsigned room = (unsigned)tn_screen_columns(s) - column;

	for (unsigned i = s->top; i <= s->bottom; i++)
		shift(tn_grid_row(s->grid, i), tn_screen_columns(s), column,
		      (uint16_t)(count < room ? count : room), s->now.style.background);
}

static void scroll_left(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	shift_rows(s, 0, tn_vt_count(q), tn_row_delete);
}

static void scroll_right(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	shift_rows(s, 0, tn_vt_count(q), tn_row_insert);
}

static void insert_columns(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (in_region(s))
		shift_rows(s, s->now.column, tn_vt_count(q), tn_row_insert);
}

static void delete_columns(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (in_region(s))
		shift_rows(s, s->now.column, tn_vt_count(q), tn_row_delete);
}

static void repeat(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	tn_screen_repeat(s, tn_vt_count(q));
}

static void set_region(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned rows = tn_screen_rows(s), top = position(q, 0);
	unsigned bottom = tn_vt_value(q, 1, 0);

	if (bottom == 0 || bottom > rows)
		bottom = rows;
	if (top + 1 >= bottom)
		return;
	s->top = (uint16_t)top;
	s->bottom = (uint16_t)(bottom - 1);
	tn_screen_move(s, 0, 0);
}

static void save(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	(void)q;
	tn_screen_save_cursor(s);
}

static void restore(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	(void)q;
	tn_screen_restore_cursor(s);
}

static void soft_reset(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	(void)q;
	tn_screen_soft_reset(s);
}

static void set_shape(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned shape = tn_vt_value(q, 0, 0);

	if (shape <= 6)
		s->modes.cursor_shape = (uint8_t)shape;
}

/* CSI > 4 ; level m. The other resources of xterm's keyboard are not ours. */
static void modify_keys(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned level = tn_vt_value(q, 1, 0);

	if (tn_vt_value(q, 0, 4) == 4 && level <= 2)
		s->modes.modify_other = (uint8_t)level;
}

static void do_not_modify_keys(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (tn_vt_value(q, 0, 4) == 4)
		s->modes.modify_other = 0;
}

/* A terminal of the VT220 kind, with colours. */
static void device_attributes(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (tn_vt_value(q, 0, 0) == 0)
		tn_screen_answer(s, TN_STR("\033[?62;22c"));
}

static void secondary_attributes(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	if (tn_vt_value(q, 0, 0) == 0)
		tn_screen_answer(s, TN_STR("\033[>1;10;0c"));
}

static void report(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	unsigned row = s->now.row + 1u - (s->now.origin ? s->top : 0u);
	char text[32];

	if (tn_vt_value(q, 0, 0) == 5)
		tn_screen_answer(s, TN_STR("\033[0n"));
	if (tn_vt_value(q, 0, 0) != 6)
		return;
	(void)snprintf(text, sizeof(text), "\033[%u;%uR", row, s->now.column + 1u); /* fits */
	tn_screen_answer(s, tn_str_from(text));
}

enum {
	KEEPS_WAITING = 1 << 0, /* the cursor stays between two rows */
	UNSEEN = 1 << 1         /* nothing that is shown changes */
};

struct entry {
	void (*run)(struct tn_screen *s, const struct tn_vt_sequence *q);
	unsigned flags;
};

/* Without marker and intermediate, by the final less 0x40. */
static const struct entry plain[] = {
	['@' - 0x40] = {insert_cells, 0},
	['A' - 0x40] = {cursor_up, 0},
	['B' - 0x40] = {cursor_down, 0},
	['C' - 0x40] = {cursor_right, 0},
	['D' - 0x40] = {cursor_left, 0},
	['E' - 0x40] = {next_lines, 0},
	['F' - 0x40] = {previous_lines, 0},
	['G' - 0x40] = {to_column, 0},
	['H' - 0x40] = {to_place, 0},
	['I' - 0x40] = {tabs_right, KEEPS_WAITING}, /* what waits is beyond the last tab */
	['J' - 0x40] = {erase_display, KEEPS_WAITING},
	['K' - 0x40] = {erase_line, KEEPS_WAITING},
	['L' - 0x40] = {insert_rows, 0},
	['M' - 0x40] = {delete_rows, 0},
	['P' - 0x40] = {delete_cells, 0},
	['S' - 0x40] = {scroll_up, 0},
	['T' - 0x40] = {scroll_down, 0},
	['X' - 0x40] = {erase_cells, 0},
	['Z' - 0x40] = {tabs_left, 0},
	['`' - 0x40] = {to_column, 0},
	['a' - 0x40] = {cursor_right, 0},
	['b' - 0x40] = {repeat, KEEPS_WAITING},
	['c' - 0x40] = {device_attributes, KEEPS_WAITING | UNSEEN},
	['d' - 0x40] = {to_row, 0},
	['e' - 0x40] = {rows_down, 0},
	['f' - 0x40] = {to_place, 0},
	['g' - 0x40] = {clear_tabs, KEEPS_WAITING | UNSEEN},
	['h' - 0x40] = {tn_screen_set_mode, KEEPS_WAITING | UNSEEN},
	['l' - 0x40] = {tn_screen_set_mode, KEEPS_WAITING | UNSEEN},
	['m' - 0x40] = {tn_screen_set_style, KEEPS_WAITING | UNSEEN},
	['n' - 0x40] = {report, KEEPS_WAITING | UNSEEN},
	['r' - 0x40] = {set_region, KEEPS_WAITING},
	['s' - 0x40] = {save, KEEPS_WAITING | UNSEEN},
	['u' - 0x40] = {restore, 0},
};

static const struct {
	char marker, intermediate, final;
	struct entry entry;
} others[] = {
	{'?', 0, 'h', {tn_screen_set_private_mode, KEEPS_WAITING}},
	{'?', 0, 'l', {tn_screen_set_private_mode, KEEPS_WAITING}},
	{'?', 0, 'J', {erase_display, KEEPS_WAITING}}, /* nothing is ever protected from erasing */
	{'?', 0, 'K', {erase_line, KEEPS_WAITING}},
	{'>', 0, 'c', {secondary_attributes, KEEPS_WAITING | UNSEEN}},
	{'>', 0, 'm', {modify_keys, KEEPS_WAITING}},
	{'>', 0, 'n', {do_not_modify_keys, KEEPS_WAITING}},
	{0, '!', 'p', {soft_reset, 0}},
	{0, ' ', 'q', {set_shape, KEEPS_WAITING}},
	{0, ' ', '@', {scroll_left, 0}},
	{0, ' ', 'A', {scroll_right, 0}},
	{0, '\'', '}', {insert_columns, 0}},
	{0, '\'', '~', {delete_columns, 0}},
};

static const struct entry *find(const struct tn_vt_sequence *q)
{
	size_t index = (size_t)((unsigned char)q->final - 0x40);

	if (!q->marker && !q->intermediate)
		return index < TN_COUNT(plain) && plain[index].run ? &plain[index] : NULL;
	for (size_t i = 0; i < TN_COUNT(others); i++)
		if (others[i].marker == q->marker && others[i].intermediate == q->intermediate &&
		    others[i].final == q->final)
			return &others[i].entry;
	return NULL;
}

void tn_screen_csi(const struct tn_vt_sequence *sequence, void *screen)
{
	const struct entry *entry = find(sequence);
	struct tn_screen *s = screen;

	if (!entry) {
		tn_screen_forget_last(s);
		return;
	}
	if (!(entry->flags & KEEPS_WAITING))
		s->now.waiting = false;
	if (!(entry->flags & UNSEEN))
		s->changed = true;
	if (entry->run != repeat)
		tn_screen_forget_last(s);
	entry->run(s, sequence);
}
