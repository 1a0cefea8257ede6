/* Walls in space: what is left of them beside, above and below their openings. */
#include <math.h>

#include "apps/floorplan/picture/model_faces.h"

static void put_part(struct tn_model *model, const struct tn_floor_wall_piece *piece, double from,
		     double to, double bottom, double top, struct tn_model_colours colours)
{
	double half = piece->thickness / 2;
	struct tn_floor_rect rect = {from, piece->line - half, to - from, piece->thickness};

	if (!piece->horizontal)
		rect = (struct tn_floor_rect){piece->line - half, from, piece->thickness,
					      to - from};
	if (to > from && top > bottom)
		tn_model_put_box(model, &rect, bottom, top, colours);
}

static struct tn_model_colours colours_of(const struct tn_model *model,
					  const struct tn_floor_wall_piece *piece)
{
	const struct tn_floor_theme *theme = model->painter.theme;
	struct tn_model_colours colours = {theme->wall,
					   tn_model_mix(theme->room, theme->wall, 0.14)};

	if (piece->style)
		colours.top = colours.side = tn_paint_colour(piece->style->wall_color, theme->wall);
	return colours;
}

/* Where openings lie over each other, the one that begins first is cut out. */
static void put_wall(struct tn_model *model, const struct tn_floor_wall_piece *piece)
{
	struct tn_model_colours colours = colours_of(model, piece), sill_colours = colours;
	double at = piece->start;

	sill_colours.top = colours.side; /* only what is cut is dark */
	for (unsigned i = 0; i < piece->opening_count; i++) {
		const struct tn_floor_opening *o = piece->openings[i];
		double from = fmax(o->center - o->width / 2, at),
		       to = fmin(o->center + o->width / 2, piece->end),
		       sill = o->kind == TN_FLOOR_OPENING_WINDOW ? piece->bottom + o->sill
								 : piece->bottom,
		       head = o->full ? piece->top : fmin(sill + o->height, piece->top);

		if (to <= from)
			continue;
		put_part(model, piece, at, from, piece->bottom, piece->top, colours);
		put_part(model, piece, from, to, piece->bottom, fmin(sill, piece->top),
			 sill_colours);
		put_part(model, piece, from, to, head, piece->top, colours);
		at = to;
	}
	put_part(model, piece, at, piece->end, piece->bottom, piece->top, colours);
}

void tn_model_put_walls(struct tn_model *model, const struct tn_model_walls *walls)
{
	for (size_t i = 0; i < walls->count; i++)
		put_wall(model, &walls->pieces[i]);
}
