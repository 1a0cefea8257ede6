/* A plan as a DXF drawing (floorplan.md 10.2): ASCII R12, a unit of the drawing is U. */
#include <math.h>

#include "apps/floorplan/plan/bodies.h"
#include "apps/floorplan/exchange/dxf_write.h"
#include "apps/floorplan/exchange/interchange.h"

#define APART 1.5                        /* from floor to floor, of the larger extent */
#define OUTLINES_BYTES_MAX (64 * TN_MIB) /* more of them would not fit into the drawing (11) */

/* ---- a floor ---- */

static const struct tn_floor_room *next_room(const struct tn_floor_room *room)
{
	if (room->placed && room->rooms)
		return room->rooms;
	while (room && !room->next)
		room = room->parent;
	return room ? room->next : NULL;
}

static void put_rooms(struct tn_dxf *dxf)
{
	const struct tn_floor_room *room = dxf->floor->rooms;

	dxf->layer = TN_DXF_ROOMS;
	for (; room; room = next_room(room))
		if (room->placed)
			tn_dxf_rect(dxf, &room->rect);
}

/* The wall's faces and the glass between. */
static void put_window(struct tn_dxf *dxf, const struct tn_floor_opening *window,
		       const struct tn_floor_wall_piece *piece)
{
	double thickness = piece ? piece->thickness : dxf->plan->settings.wall_thickness,
	       line = piece ? piece->line : window->line, from = window->center - window->width / 2,
	       low = line - thickness / 2;
	struct tn_floor_rect rect = {from, low, window->width, thickness};

	dxf->layer = TN_DXF_WINDOWS;
	if (!window->horizontal)
		rect = (struct tn_floor_rect){low, from, thickness, window->width};
	tn_dxf_rect(dxf, &rect);
	if (window->horizontal)
		tn_dxf_line(dxf, from, line, from + window->width, line);
	else
		tn_dxf_line(dxf, line, from, line, from + window->width);
}

static double degrees_to(struct tn_floor_point from, struct tn_floor_point to)
{
	if (from.x == to.x)
		return to.y > from.y ? 90 : 270;
	return to.x > from.x ? 0 : 180;
}

/* The leaf, and a quarter circle from where it is open to where it is shut. */
static void put_leaf(struct tn_dxf *dxf, const struct tn_floor_leaf *leaf)
{
	double open = degrees_to(leaf->hinge, leaf->open),
	       closed = degrees_to(leaf->hinge, leaf->closed);
	bool clockwise = fmod(closed - open + 360, 360) == 90;

	dxf->layer = TN_DXF_DOORS;
	tn_dxf_line(dxf, leaf->hinge.x, leaf->hinge.y, leaf->open.x, leaf->open.y);
	tn_dxf_arc(dxf, leaf->hinge.x, leaf->hinge.y, leaf->width, clockwise ? open : closed,
		   clockwise ? closed : open);
}

static bool put_walls(struct tn_dxf *dxf, struct tn_arena *arena)
{
	const struct tn_floor_wall_piece *pieces;
	const struct tn_floor_loop *loops;
	size_t piece_count, loop_count;

	if (!tn_floor_walls(dxf->floor, dxf->plan, false, arena, &pieces, &piece_count) ||
	    !tn_floor_bodies(pieces, piece_count, arena, &loops, &loop_count))
		return false;
	dxf->layer = TN_DXF_WALLS;
	for (size_t i = 0; i < loop_count; i++)
		tn_dxf_loop(dxf, loops[i].points, loops[i].count);
	for (const struct tn_floor_opening *one = dxf->floor->openings; one; one = one->next) {
		const struct tn_floor_wall_piece *piece;
		struct tn_floor_leaf leaves[2];
		unsigned count;

		if (!one->drawn || one->width <= 0)
			continue;
		piece = tn_floor_wall_of(dxf->plan, pieces, piece_count, one);
		if (one->kind == TN_FLOOR_OPENING_WINDOW)
			put_window(dxf, one, piece);
		count = tn_floor_leaves(dxf->plan, one, piece, leaves);
		for (unsigned i = 0; i < count; i++)
			put_leaf(dxf, &leaves[i]);
	}
	return true;
}

static bool put_floor(struct tn_dxf *dxf)
{
	struct tn_arena arena;
	bool whole;

	tn_arena_init(&arena, OUTLINES_BYTES_MAX);
	put_rooms(dxf);
	whole = put_walls(dxf, &arena);
	tn_dxf_put_circulation(dxf);
	if (dxf->plan->settings.show_labels)
		tn_dxf_put_labels(dxf);
	whole = whole && tn_dxf_put_dimensions(dxf, &arena);
	dxf->starved = arena.starved;
	tn_arena_finish(&arena);
	return whole;
}

/* ---- all floors, side by side ---- */

static void stretch(struct tn_floor_rect *box, const struct tn_floor_rect *rect)
{
	double right = fmax(box->x + box->width, rect->x + rect->width),
	       bottom = fmax(box->y + box->height, rect->y + rect->height);

	if (box->width <= 0) {
		*box = *rect;
		return;
	}
	box->x = fmin(box->x, rect->x);
	box->y = fmin(box->y, rect->y);
	box->width = right - box->x;
	box->height = bottom - box->y;
}

static double larger_extent(const struct tn_floor_plan *plan)
{
	double extent = 0;

	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		const struct tn_floor_circulation *one = floor->circulation;
		const struct tn_floor_room *room = floor->rooms;
		struct tn_floor_rect box = {0, 0, 0, 0};

		for (; room; room = next_room(room))
			if (room->placed)
				stretch(&box, &room->rect);
		for (; one; one = one->next)
			if (one->placed)
				stretch(&box, &one->rect);
		extent = fmax(extent, fmax(box.width, box.height));
	}
	return extent;
}

static bool put_floors(struct tn_dxf *dxf)
{
	double step = APART * larger_extent(dxf->plan);

	dxf->low_x = dxf->low_y = INFINITY;
	dxf->high_x = dxf->high_y = -INFINITY;
	for (dxf->floor = dxf->plan->floors; dxf->floor; dxf->floor = dxf->floor->next) {
		dxf->aside = step * dxf->floor->index;
		if (!put_floor(dxf))
			return false;
	}
	if (dxf->low_x > dxf->high_x)
		dxf->low_x = dxf->low_y = dxf->high_x = dxf->high_y = 0;
	return true;
}

/* ---- header and tables ---- */

static void put_variable(struct tn_dxf *dxf, const char *name, double x, double y)
{
	tn_dxf_word(dxf, 9, name);
	tn_dxf_real(dxf, 10, x);
	tn_dxf_real(dxf, 20, y);
	tn_dxf_real(dxf, 30, 0);
}

static void put_header(struct tn_dxf *dxf)
{
	static const unsigned units[] = {0, 6, 2, 5, 1, 4}; /* by enum tn_floor_unit */

	tn_dxf_word(dxf, 0, "SECTION");
	tn_dxf_word(dxf, 2, "HEADER");
	tn_dxf_word(dxf, 9, "$ACADVER");
	tn_dxf_word(dxf, 1, "AC1009");
	tn_dxf_word(dxf, 9, "$INSUNITS");
	tn_dxf_count(dxf, 70, units[dxf->plan->unit]);
	put_variable(dxf, "$INSBASE", 0, 0);
	put_variable(dxf, "$EXTMIN", dxf->low_x, dxf->low_y);
	put_variable(dxf, "$EXTMAX", dxf->high_x, dxf->high_y);
	tn_dxf_word(dxf, 0, "ENDSEC");
}

static void put_table(struct tn_dxf *dxf, const char *name, unsigned count)
{
	tn_dxf_word(dxf, 0, "TABLE");
	tn_dxf_word(dxf, 2, name);
	tn_dxf_count(dxf, 70, count);
}

static void put_line_types(struct tn_dxf *dxf)
{
	put_table(dxf, "LTYPE", 1);
	tn_dxf_word(dxf, 0, "LTYPE");
	tn_dxf_word(dxf, 2, "CONTINUOUS");
	tn_dxf_count(dxf, 70, 0);
	tn_dxf_word(dxf, 3, "Solid line");
	tn_dxf_count(dxf, 72, 65);
	tn_dxf_count(dxf, 73, 0);
	tn_dxf_real(dxf, 40, 0);
	tn_dxf_word(dxf, 0, "ENDTAB");
}

static void put_layer(struct tn_dxf *dxf, enum tn_dxf_layer layer)
{
	tn_dxf_word(dxf, 0, "LAYER");
	tn_buf_append_text(dxf->out, "  2\n");
	tn_dxf_put_layer(dxf, layer);
	tn_dxf_count(dxf, 70, 0);
	tn_dxf_count(dxf, 62, (unsigned)tn_dxf_layer_colour(layer));
	tn_dxf_word(dxf, 6, "CONTINUOUS");
}

static void put_layers(struct tn_dxf *dxf)
{
	unsigned floors = dxf->prefixed ? dxf->plan->floor_count : 1;

	put_table(dxf, "LAYER", floors * TN_DXF_LAYER_COUNT + 1);
	tn_dxf_word(dxf, 0, "LAYER");
	tn_dxf_word(dxf, 2, "0");
	tn_dxf_count(dxf, 70, 0);
	tn_dxf_count(dxf, 62, 7);
	tn_dxf_word(dxf, 6, "CONTINUOUS");
	dxf->floor = dxf->plan->floors;
	for (unsigned i = 0; i < floors; i++) {
		for (int layer = 0; layer < TN_DXF_LAYER_COUNT; layer++)
			put_layer(dxf, (enum tn_dxf_layer)layer);
		dxf->floor = dxf->floor ? dxf->floor->next : NULL;
	}
	tn_dxf_word(dxf, 0, "ENDTAB");
}

static void put_text_style(struct tn_dxf *dxf)
{
	put_table(dxf, "STYLE", 1);
	tn_dxf_word(dxf, 0, "STYLE");
	tn_dxf_word(dxf, 2, "STANDARD");
	tn_dxf_count(dxf, 70, 0);
	tn_dxf_real(dxf, 40, 0);
	tn_dxf_real(dxf, 41, 1);
	tn_dxf_real(dxf, 50, 0);
	tn_dxf_count(dxf, 71, 0);
	tn_dxf_real(dxf, 42, dxf->plan->settings.font_size);
	tn_dxf_word(dxf, 3, "txt");
	tn_dxf_word(dxf, 4, "");
	tn_dxf_word(dxf, 0, "ENDTAB");
}

static void put_head(struct tn_dxf *dxf)
{
	put_header(dxf);
	tn_dxf_word(dxf, 0, "SECTION");
	tn_dxf_word(dxf, 2, "TABLES");
	put_line_types(dxf);
	put_layers(dxf);
	put_text_style(dxf);
	tn_dxf_word(dxf, 0, "ENDSEC");
	tn_dxf_word(dxf, 0, "SECTION");
	tn_dxf_word(dxf, 2, "ENTITIES");
}

/* The entities come first: only then is it known how far they reach. */
enum tenon_code tn_floor_put_dxf(struct tn_buf *out, const struct tn_floor_plan *plan,
				 struct tenon_error *err)
{
	struct tn_dxf dxf = {.plan = plan, .prefixed = plan->floor_count > 1};
	struct tn_buf entities;
	bool whole;

	tn_buf_init(&entities, out->limit);
	dxf.out = &entities;
	whole = put_floors(&dxf);
	dxf.out = out;
	put_head(&dxf);
	tn_buf_append_str(out, tn_buf_str(&entities));
	tn_buf_inherit_failure(out, &entities);
	tn_buf_finish(&entities);
	tn_dxf_word(&dxf, 0, "ENDSEC");
	tn_dxf_word(&dxf, 0, "EOF");
	if (!whole && !dxf.starved)
		return tn_fail(err, TENON_LIMIT,
			       "the drawing would be too large: its walls cross "
			       "each other in too many places");
	if (!whole)
		return tn_fail(err, TENON_NO_MEMORY, "no memory for a drawing");
	return tn_buf_check(out, err);
}
