/* screen_mode.c - modes that programs switch on and off, the other screen among them. */
#include <stddef.h>

#include "apps/terminal/screen/internal.h"
#include "base/size.h"

static void set_origin(struct tn_screen *s, bool on)
{
	s->now.origin = on;
	tn_screen_move(s, 0, 0);
}

static void set_autowrap(struct tn_screen *s, bool on)
{
	s->modes.autowrap = on;
	s->now.waiting = s->now.waiting && on;
}

/* What was on the alternate screen is gone with it. */
void tn_screen_leave_alternate(struct tn_screen *s)
{
	if (s->grid != &s->grids[TN_ALTERNATE])
		return;
	tn_grid_erase(s->grid, 0);
	s->grid = &s->grids[TN_MAIN];
	tn_screen_check_waiting(s);
}

/* As in xterm the cursor waits behind the last column whatever stands there on the other screen. A
 * snapshot can make it wait behind a character only: a blank. */
static void wait_there(struct tn_screen *s)
{
	const struct tn_row *row = tn_screen_row(s);

	if (!s->now.waiting || !tn_cell_is_erased(&row->cells[s->now.column]))
		return;
	s->now.waiting = false;
	tn_screen_print_text(TN_STR(" "), s);
	tn_screen_forget_last(s);
}

static void set_alternate(struct tn_screen *s, bool on)
{
	bool is_there = s->grid == &s->grids[TN_ALTERNATE];
	bool waiting = s->now.waiting;

	if (on == is_there)
		return;
	if (on) {
		s->grid = &s->grids[TN_ALTERNATE];
		s->saved[TN_ALTERNATE] = tn_screen_default_place();
	} else {
		tn_screen_leave_alternate(s);
		s->now.waiting = waiting;
	}
	wait_there(s);
	tn_screen_check_waiting(s);
}

/* Whoever leaves by this clears what is left, which ends the waiting. */
static void set_alternate_and_clear(struct tn_screen *s, bool on)
{
	if (!on && s->grid == &s->grids[TN_ALTERNATE])
		s->now.waiting = false;
	set_alternate(s, on);
}

static void set_saved(struct tn_screen *s, bool on)
{
	if (on)
		tn_screen_save_cursor(s);
	else
		tn_screen_restore_cursor(s);
}

static void set_alternate_and_saved(struct tn_screen *s, bool on)
{
	bool fresh = on && s->grid != &s->grids[TN_ALTERNATE];

	if (on)
		tn_screen_save_cursor(s);
	/* Who asks for it twice keeps what is on it. */
	if (fresh) {
		s->now.waiting = false;
		set_alternate(s, true);
		tn_grid_erase(s->grid, s->now.style.background);
	}
	if (!on) {
		s->now.waiting = false;
		set_alternate(s, false);
		tn_screen_restore_cursor(s);
	}
}

#define FLAG(name) offsetof(struct tn_modes, name)

static const struct {
	uint16_t number, offset;
} private_flags[] = {
	{1, FLAG(application_cursor)},  {5, FLAG(reversed)}, {25, FLAG(cursor_visible)},
	{66, FLAG(application_keypad)}, {1004, FLAG(focus)}, {2004, FLAG(bracketed_paste)},
};

static const struct {
	uint16_t number;
	void (*set)(struct tn_screen *s, bool on);
} private_modes[] = {
	{6, set_origin},     {7, set_autowrap},
	{47, set_alternate}, {1047, set_alternate_and_clear},
	{1048, set_saved},   {1049, set_alternate_and_saved},
};

static const uint16_t mice[] = {9, 1000, 1002, 1003};
static const uint16_t mouse_encodings[] = {1005, 1006, 1015, 1016};

/* Of these the last one that was switched on counts; switching any off is off. */
static bool set_one_of(uint16_t *mode, const uint16_t *numbers, size_t count, unsigned number,
		       bool on)
{
	for (size_t i = 0; i < count; i++)
		if (numbers[i] == number) {
			*mode = on ? numbers[i] : 0;
			return true;
		}
	return false;
}

static void set_private(struct tn_screen *s, unsigned number, bool on)
{
	for (size_t i = 0; i < TN_COUNT(private_flags); i++)
		if (private_flags[i].number == number) {
			*(bool *)((char *)&s->modes + private_flags[i].offset) = on;
			return;
		}
	for (size_t i = 0; i < TN_COUNT(private_modes); i++)
		if (private_modes[i].number == number) {
			private_modes[i].set(s, on);
			return;
		}
	if (!set_one_of(&s->modes.mouse, mice, TN_COUNT(mice), number, on))
		(void)set_one_of(&s->modes.mouse_encoding, mouse_encodings,
				 TN_COUNT(mouse_encodings), number, on); /* or unknown */
}

void tn_screen_set_private_mode(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	for (unsigned i = 0; i < q->count; i++)
		set_private(s, tn_vt_value(q, i, 0), q->final == 'h');
}

void tn_screen_set_mode(struct tn_screen *s, const struct tn_vt_sequence *q)
{
	for (unsigned i = 0; i < q->count; i++) {
		if (q->values[i] == 4)
			s->modes.insert = q->final == 'h';
		if (q->values[i] == 20)
			s->modes.newline = q->final == 'h';
	}
}
