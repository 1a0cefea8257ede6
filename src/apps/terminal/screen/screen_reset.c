/* screen_reset.c - how a screen is at the start, and how programs put it back to that. */
#include "apps/terminal/limits.h"
#include "apps/terminal/screen/internal.h"

struct tn_place tn_screen_default_place(void)
{
	return (struct tn_place){.charsets = {.sets = {'B', 'B', 'B', 'B'}}};
}

struct tn_modes tn_screen_default_modes(void)
{
	return (struct tn_modes){.autowrap = true, .cursor_visible = true};
}

void tn_screen_default_tabs(uint8_t *tabs, unsigned from)
{
	for (unsigned i = from; i < TN_SCREEN_COLUMNS_MAX; i++)
		if (i % 8 == 0)
			tabs[i / 8] |= 1;
		else
			tabs[i / 8] &= (uint8_t) ~(1 << (i % 8));
}

void tn_screen_whole_region(struct tn_screen *s)
{
	s->top = 0;
	s->bottom = (uint16_t)(tn_screen_rows(s) - 1);
}

void tn_screen_set_defaults(struct tn_screen *s)
{
	s->grid = &s->grids[TN_MAIN];
	s->now = s->saved[TN_MAIN] = s->saved[TN_ALTERNATE] = tn_screen_default_place();
	s->modes = tn_screen_default_modes();
	s->single_shift = 0;
	tn_screen_forget_last(s);
	tn_screen_default_tabs(s->tabs, 0);
	tn_screen_whole_region(s);
}

void tn_screen_reset(struct tn_screen *s)
{
	tn_grid_erase(&s->grids[TN_MAIN], 0);
	tn_grid_erase(&s->grids[TN_ALTERNATE], 0);
	tn_scrollback_clear(&s->scrollback);
	tn_screen_set_defaults(s);
}

void tn_screen_soft_reset(struct tn_screen *s)
{
	struct tn_place place = tn_screen_default_place();

	s->modes.insert = s->modes.application_cursor = s->modes.application_keypad = false;
	s->modes.autowrap = s->modes.cursor_visible = true;
	s->saved[s->grid == &s->grids[TN_ALTERNATE]] = place;
	place.row = s->now.row;
	place.column = s->now.column;
	s->now = place;
	s->single_shift = 0;
	tn_screen_whole_region(s);
}
