/* Walls as they are built: one path a colour, with the openings left out of it (6.4). */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

enum { OUTLINED_MAX = 5000 /* pieces; more of them are drawn wider instead, which is the same */ };

static tn_colour colour_of(const struct tn_painter *painter,
			   const struct tn_floor_wall_piece *piece)
{
	return piece->style ? tn_paint_colour(piece->style->wall_color, painter->theme->wall)
			    : painter->theme->wall;
}

/* A part of the wall, from the one place along it to the other: always the same way round, so that
 * parts that overlap add up. */
static void put_body(struct tn_painter *painter, const struct tn_floor_wall_piece *piece,
		     double from, double to, double wider)
{
	double low = piece->line - piece->thickness / 2, high = piece->line + piece->thickness / 2;
	struct tn_floor_rect rect = {from, low, to - from, high - low};
	struct tn_floor_box box;

	if (to - from <= 0)
		return;
	if (!piece->horizontal)
		rect = (struct tn_floor_rect){low, from, high - low, to - from};
	box = tn_paint_box(painter, &rect);
	box = (struct tn_floor_box){box.x - wider, box.y - wider, box.width + 2 * wider,
				    box.height + 2 * wider};
	tn_draw_move(painter->display, box.x, box.y);
	tn_draw_line(painter->display, box.x + box.width, box.y);
	tn_draw_line(painter->display, box.x + box.width, box.y + box.height);
	tn_draw_line(painter->display, box.x, box.y + box.height);
	tn_draw_close(painter->display);
}

static void put_piece(struct tn_painter *painter, const struct tn_floor_wall_piece *piece,
		      double wider)
{
	double from = piece->start;

	for (unsigned i = 0; i < piece->opening_count; i++) {
		const struct tn_floor_opening *opening = piece->openings[i];

		put_body(painter, piece, from,
			 fmin(opening->center - opening->width / 2, piece->end), wider);
		from = fmax(from, opening->center + opening->width / 2);
	}
	put_body(painter, piece, from, piece->end, wider);
}

static bool is_first(const struct tn_painter *painter, size_t index)
{
	const struct tn_floor_style *style = painter->pieces[index].style;
	tn_colour colour = colour_of(painter, &painter->pieces[index]);

	if (index > 0 && style == painter->pieces[index - 1].style)
		return false;
	for (size_t i = 0; i < index; i++)
		if (colour_of(painter, &painter->pieces[i]) == colour)
			return false;
	return true;
}

static void put_colour(struct tn_painter *painter, tn_colour colour)
{
	struct tn_draw_style style = tn_paint_pen(painter, colour, TN_FLOOR_WALL_PEN);
	double wider = 0;

	style.fill = colour;
	if (painter->piece_count > OUTLINED_MAX) {
		style = (struct tn_draw_style){.fill = colour};
		wider = tn_paint_round(TN_FLOOR_WALL_PEN * painter->p / 2);
	}
	tn_draw_begin(painter->display, &style);
	for (size_t i = 0; i < painter->piece_count; i++)
		if (colour_of(painter, &painter->pieces[i]) == colour)
			put_piece(painter, &painter->pieces[i], wider);
	tn_draw_end(painter->display);
}

void tn_paint_walls(struct tn_painter *painter)
{
	for (size_t i = 0; i < painter->piece_count; i++)
		if (is_first(painter, i))
			put_colour(painter, colour_of(painter, &painter->pieces[i]));
}
