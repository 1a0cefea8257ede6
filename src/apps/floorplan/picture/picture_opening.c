/* Doors, double doors, gaps and windows (6.5). */
#include <math.h>
#include <stddef.h>

#include "apps/floorplan/picture/internal.h"

#define KAPPA 0.5522847498 /* of a quarter circle as a curve */

struct gap { /* an opening in pixels: along the wall and across it */
	bool horizontal;
	double from, to, line, half; /* half the wall's thickness */
	tn_colour leaf, arc;
	double side; /* 1: the leaf lies at larger coordinates; -1 */
};

static double across(const struct tn_painter *painter, const struct gap *gap, double value)
{
	return gap->horizontal ? tn_paint_y(painter, value) : tn_paint_x(painter, value);
}

static double along(const struct tn_painter *painter, const struct gap *gap, double value)
{
	return gap->horizontal ? tn_paint_x(painter, value) : tn_paint_y(painter, value);
}

/* ---- which way ---- */

static bool is_inside(const struct tn_floor_room *room, const struct tn_floor_room *of)
{
	while (room && room != of)
		room = room->parent;
	return room != NULL;
}

/* The room in whose wall it is: of a room and its sub-room, the sub-room (4.5). */
static const struct tn_floor_room *owner_of(const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *from = opening->from, *to = opening->to;

	if (opening->room)
		return opening->room;
	if (!from || !to)
		return from ? from : to;
	return is_inside(to, from) ? to : from;
}

static double side_of(const struct tn_floor_opening *opening)
{
	const struct tn_floor_room *owner = owner_of(opening);
	double middle, side;

	if (!owner)
		return 1;
	middle = opening->horizontal ? owner->rect.y + owner->rect.height / 2
				     : owner->rect.x + owner->rect.width / 2;
	side = middle >= opening->line ? 1 : -1;
	return opening->opens_into == owner ? side : -side;
}

static struct gap gap_of(const struct tn_painter *painter, const struct tn_floor_opening *opening)
{
	const struct tn_floor_wall_piece *piece =
		tn_floor_wall_of(painter->plan, painter->pieces, painter->piece_count, opening);
	double thickness = piece ? piece->thickness : painter->plan->settings.wall_thickness;
	struct gap gap = {.horizontal = opening->horizontal, .side = side_of(opening)};

	gap.from = along(painter, &gap, opening->center - opening->width / 2);
	gap.to = along(painter, &gap, opening->center + opening->width / 2);
	gap.line = across(painter, &gap, piece ? piece->line : opening->line);
	gap.half = thickness * painter->at->scale / 2;
	gap.leaf = painter->theme->leaf;
	gap.arc = painter->theme->line;
	if (opening->opens_into) {
		tn_colour fill = tn_paint_room_colour(painter, opening->opens_into);

		gap.leaf = tn_paint_visible(gap.leaf, fill);
		gap.arc = tn_paint_visible(gap.arc, fill);
	}
	return gap;
}

/* ---- lines ---- */

static void put_line(struct tn_painter *painter, const struct gap *gap, double from, double to,
		     double offset)
{
	double line = gap->line + offset;

	if (gap->horizontal)
		tn_paint_line(painter, from, line, to, line);
	else
		tn_paint_line(painter, line, from, line, to);
}

static void put_across(struct tn_painter *painter, const struct gap *gap, double at, double from,
		       double to)
{
	if (gap->horizontal)
		tn_paint_line(painter, at, gap->line + from, at, gap->line + to);
	else
		tn_paint_line(painter, gap->line + from, at, gap->line + to, at);
}

static void begin(struct tn_painter *painter, tn_colour colour, double width)
{
	const struct tn_draw_style style = tn_paint_pen(painter, colour, width);

	tn_draw_begin(painter->display, &style);
}

static void put_jambs(struct tn_painter *painter, const struct gap *gap)
{
	begin(painter, painter->theme->leaf, 1.0);
	put_across(painter, gap, gap->from, -gap->half, gap->half);
	put_across(painter, gap, gap->to, -gap->half, gap->half);
	tn_draw_end(painter->display);
}

static void put_faces(struct tn_painter *painter, const struct gap *gap, tn_colour colour,
		      double width, const double *dash)
{
	struct tn_draw_style style = tn_paint_pen(painter, colour, width);

	for (int i = 0; dash && i < 2; i++)
		style.dash[i] = dash[i] * painter->p;
	tn_draw_begin(painter->display, &style);
	put_line(painter, gap, gap->from, gap->to, -gap->half);
	put_line(painter, gap, gap->from, gap->to, gap->half);
	tn_draw_end(painter->display);
}

/* ---- leaves ---- */

/* Open at a right angle, and the quarter circle to where it closes. */
static void put_leaf(struct tn_painter *painter, const struct gap *gap, double hinge, double closed)
{
	double width = fabs(closed - hinge), face = gap->half * gap->side,
	       end = face + width * gap->side, bend = KAPPA;
	double at[6] = {hinge + (closed - hinge) * bend,        gap->line + end, closed,
			gap->line + face + (end - face) * bend, closed,          gap->line + face};

	begin(painter, gap->arc, 0.8);
	for (int i = 0; i < 6; i += 2) {
		double swap = at[i];

		if (!gap->horizontal) {
			at[i] = at[i + 1];
			at[i + 1] = swap;
		}
	}
	for (int i = 0; i < 6; i++)
		at[i] = tn_paint_round(at[i]);
	if (gap->horizontal)
		tn_draw_move(painter->display, tn_paint_round(hinge),
			     tn_paint_round(gap->line + end));
	else
		tn_draw_move(painter->display, tn_paint_round(gap->line + end),
			     tn_paint_round(hinge));
	tn_draw_curve(painter->display, at[0], at[1], at[2], at[3], at[4], at[5]);
	tn_draw_end(painter->display);
	begin(painter, gap->leaf, 1.4);
	put_across(painter, gap, hinge, face, end);
	tn_draw_end(painter->display);
}

/* Whoever stands in the room that the leaf swings into and faces the wall has larger x at the right
 * hand below a wall and at the left hand above it; larger y at the left hand to the right of a wall
 * and at the right hand to the left of it. */
static bool hinge_is_far(const struct gap *gap, enum tn_floor_hand swing)
{
	bool right = swing == TN_FLOOR_HAND_RIGHT, larger = gap->side > 0;

	return gap->horizontal ? right == larger : right != larger;
}

/* So that words over it are kept apart from its lines. */
static void note_swing(struct tn_painter *painter, const struct gap *gap,
		       const struct tn_floor_opening *opening)
{
	double length = gap->to - gap->from, face = gap->line + gap->half * gap->side,
	       deep = opening->kind == TN_FLOOR_OPENING_DOUBLE ? length / 2 : length,
	       low = fmin(face, face + deep * gap->side);
	struct tn_floor_swing *swing;

	if (!opening->opens_into)
		return;
	swing = tn_paint_new(painter, 1, sizeof(*swing));
	if (!swing)
		return;
	swing->box = gap->horizontal ? (struct tn_floor_box){gap->from, low, length, deep}
				     : (struct tn_floor_box){low, gap->from, deep, length};
	swing->next = painter->swings[opening->opens_into->index];
	painter->swings[opening->opens_into->index] = swing;
}

static void put_door(struct tn_painter *painter, const struct gap *gap,
		     const struct tn_floor_opening *opening)
{
	double middle = (gap->from + gap->to) / 2;
	bool far = hinge_is_far(gap, opening->swing);

	put_faces(painter, gap, painter->theme->line, 0.5, NULL);
	put_jambs(painter, gap);
	if (opening->kind == TN_FLOOR_OPENING_DOUBLE) {
		put_leaf(painter, gap, gap->from, middle);
		put_leaf(painter, gap, gap->to, middle);
	} else if (far) {
		put_leaf(painter, gap, gap->to, gap->from);
	} else {
		put_leaf(painter, gap, gap->from, gap->to);
	}
}

static void put_window(struct tn_painter *painter, const struct gap *gap)
{
	const struct tn_draw_style glass = {.fill = painter->theme->glass};
	double length = gap->to - gap->from, low = tn_paint_round(gap->line - gap->half),
	       thickness = tn_paint_round(2 * gap->half);

	if (gap->horizontal)
		tn_draw_rect(painter->display, gap->from, low, length, thickness, 0, &glass);
	else
		tn_draw_rect(painter->display, low, gap->from, thickness, length, 0, &glass);
	put_faces(painter, gap, painter->theme->leaf, 1.0, NULL);
	begin(painter, painter->theme->leaf, 0.8);
	put_line(painter, gap, gap->from, gap->to, 0);
	tn_draw_end(painter->display);
	put_jambs(painter, gap);
}

static void put_gap(struct tn_painter *painter, const struct gap *gap)
{
	static const double dash[] = {4, 3};

	put_faces(painter, gap, painter->theme->line, 0.5, dash);
	put_jambs(painter, gap);
}

/* ---- symbols that are drawn already ---- */

struct symbol { /* to a quarter of a pixel, where nobody can tell two from one */
	int64_t from, to, line, half;
	uint64_t how; /* kind, direction, sides and colours */
	bool there;
};
struct symbols { /* a table that is never more than half full */
	struct symbol *slots;
	size_t mask;
};

static bool init_symbols(struct tn_painter *painter, struct symbols *symbols)
{
	const struct tn_floor_opening *opening = painter->cell->floor->openings;
	size_t count = 1, slots = 2;

	for (; opening; opening = opening->next)
		count++;
	while (slots < 2 * count)
		slots *= 2;
	symbols->slots = tn_paint_new(painter, slots, sizeof(*symbols->slots));
	symbols->mask = slots - 1;
	return symbols->slots != NULL;
}

static int64_t quarters(double pixels)
{
	return llround(pixels * 4);
}

static bool is_same(const struct symbol *a, const struct symbol *b)
{
	return a->from == b->from && a->to == b->to && a->line == b->line && a->half == b->half &&
	       a->how == b->how;
}

/* Notes it; true: there is one already. Thousands of doors at one place would take seconds. */
static bool is_drawn(struct symbols *symbols, const struct gap *gap,
		     const struct tn_floor_opening *opening)
{
	const struct symbol own = {
		quarters(gap->from),
		quarters(gap->to),
		quarters(gap->line),
		quarters(gap->half),
		(uint64_t)gap->leaf << 32 ^ (uint64_t)gap->arc << 8 ^ (uint64_t)opening->kind << 3 ^
			(uint64_t)gap->horizontal << 2 ^ (uint64_t)(gap->side > 0) << 1 ^
			(uint64_t)hinge_is_far(gap, opening->swing),
		true};
	size_t at =
		(size_t)tn_str_hash(tn_str((const char *)&own, offsetof(struct symbol, there)), 0) &
		symbols->mask;

	while (symbols->slots[at].there && !is_same(&symbols->slots[at], &own))
		at = (at + 1) & symbols->mask;
	if (symbols->slots[at].there)
		return true;
	symbols->slots[at] = own;
	return false;
}

void tn_paint_openings(struct tn_painter *painter)
{
	const struct tn_floor_opening *opening = painter->cell->floor->openings;
	struct symbols symbols;

	if (!init_symbols(painter, &symbols))
		return;
	for (; opening; opening = opening->next) {
		struct gap gap;

		if (!opening->drawn || opening->width <= 0)
			continue;
		gap = gap_of(painter, opening);
		if (opening->kind == TN_FLOOR_OPENING_DOOR ||
		    opening->kind == TN_FLOOR_OPENING_DOUBLE)
			note_swing(painter, &gap, opening);
		if (is_drawn(&symbols, &gap, opening))
			continue;
		if (opening->kind == TN_FLOOR_OPENING_WINDOW)
			put_window(painter, &gap);
		else if (opening->kind == TN_FLOOR_OPENING_GAP)
			put_gap(painter, &gap);
		else
			put_door(painter, &gap, opening);
	}
}
