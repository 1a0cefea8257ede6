/* Diagnostics where they are: a small flag with the code, on the room or the opening. */
#include "apps/floorplan/picture/internal.h"

struct place {
	double x, y;
};

static bool find_room(const struct tn_painter *painter, const struct tn_floor_diagnostic *one,
		      struct place *ret)
{
	const struct tn_floor_room *room = NULL;
	const struct tn_floor_floor *floor = painter->cell->floor;

	if (!one->room || (one->floor && !tn_str_is(floor->name, one->floor)))
		return false;
	while ((room = tn_paint_next_room(floor, room))) {
		if (!tn_str_is(room->name, one->room))
			continue;
		*ret = (struct place){tn_paint_x(painter, room->rect.x),
				      tn_paint_y(painter, room->rect.y)};
		return true;
	}
	return false;
}

static bool find_opening(const struct tn_painter *painter, const struct tn_floor_diagnostic *one,
			 struct place *ret)
{
	const struct tn_floor_lexed *lexed = &painter->plan->tree.lexed;
	const struct tn_floor_opening *o = painter->cell->floor->openings;

	for (; o; o = o->next) {
		struct tn_floor_range range;

		if (!o->connect)
			continue;
		range = tn_floor_span(lexed, o->connect->tokens.first, o->connect->tokens.last);
		if (one->range.start < range.start || one->range.end > range.end)
			continue;
		*ret = o->horizontal ? (struct place){tn_paint_x(painter, o->center),
						      tn_paint_y(painter, o->line)}
				     : (struct place){tn_paint_x(painter, o->line),
						      tn_paint_y(painter, o->center)};
		return true;
	}
	return false;
}

static void put_mark(struct tn_painter *painter, struct place at, int code)
{
	const struct tn_draw_style flag = {.fill = painter->theme->accent};
	double p = painter->p, size = 8.5 * p, width;
	struct tn_paint_text how = {
		.size = size,
		.bold = true,
		.anchor = TN_DRAW_MIDDLE,
		.colour = tn_paint_readable(painter->theme->page, painter->theme->accent)};

	tn_paint_new_words(painter);
	tn_buf_format(&painter->words, "FP%04d", code);
	width = tn_draw_text_width(tn_buf_str(&painter->words), size, TN_DRAW_BOLD) + 6 * p;
	tn_draw_rect(painter->display, at.x, at.y, tn_paint_round(width), tn_paint_round(12 * p),
		     tn_paint_round(2 * p), &flag);
	how.x = at.x + width / 2;
	how.y = at.y + 6 * p;
	tn_paint_words(painter, tn_buf_str(&painter->words), &how);
}

void tn_paint_diagnostics(struct tn_painter *painter)
{
	enum { SHOWN_MAX = 100 }; /* 5.1: as many as are told of */
	unsigned shown = 0;

	for (const struct tn_floor_diagnostic *one = painter->plan->diagnostics.first;
	     one && shown < SHOWN_MAX; one = one->next) {
		struct place at;

		if (one->severity == TN_FLOOR_INFO)
			continue;
		if (!find_opening(painter, one, &at) && !find_room(painter, one, &at))
			continue;
		at.y += shown % 4 * 13 * painter->p;
		put_mark(painter, at, one->code);
		shown++;
	}
}
