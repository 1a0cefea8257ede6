/* Lengths and areas as they are written on a picture: converted, not only relabelled (6.7, 6.8). */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

#define FOOT_M 0.3048
#define SQUARE_FEET 10.763910 /* of a square metre (6.8) */

void tn_paint_number(struct tn_buf *out, double number)
{
	tn_floor_put_number(out, round(number * 100) / 100);
}

/* 12'-6 1/2": to the nearest half of an inch. */
static void put_architectural(struct tn_buf *out, double metres)
{
	long long halves = llround(metres / FOOT_M * 24);

	if (halves < 0)
		tn_buf_append_byte(out, '-');
	halves = halves < 0 ? -halves : halves;
	tn_buf_format(out, "%lld'-%lld", halves / 24, halves % 24 / 2);
	tn_buf_append_text(out, halves % 2 ? " 1/2\"" : "\"");
}

static bool is_architectural(const struct tn_painter *painter)
{
	return painter->options->architectural &&
	       (painter->length_unit == TN_FLOOR_FT || painter->length_unit == TN_FLOOR_IN);
}

static double converted(const struct tn_painter *painter, double length)
{
	if (painter->length_unit == painter->plan->unit)
		return length;
	return length * tn_floor_metres(painter->plan->unit) /
	       tn_floor_metres(painter->length_unit);
}

static void put_length(struct tn_painter *painter, double length)
{
	if (is_architectural(painter))
		put_architectural(&painter->words, length * tn_floor_metres(painter->plan->unit));
	else
		tn_paint_number(&painter->words, converted(painter, length));
}

static void put_unit(struct tn_painter *painter)
{
	if (!is_architectural(painter))
		tn_buf_format(&painter->words, " %s", tn_floor_unit_name(painter->length_unit));
}

void tn_paint_new_words(struct tn_painter *painter)
{
	painter->starved = painter->starved || painter->words.starved;
	tn_buf_clear(&painter->words);
}

struct tn_str tn_paint_length(struct tn_painter *painter, double length)
{
	tn_paint_new_words(painter);
	put_length(painter, length);
	put_unit(painter);
	return tn_buf_str(&painter->words);
}

struct tn_str tn_paint_size(struct tn_painter *painter, const struct tn_floor_rect *rect)
{
	tn_paint_new_words(painter);
	put_length(painter, rect->width);
	tn_buf_append_text(&painter->words, " x ");
	put_length(painter, rect->height);
	put_unit(painter);
	return tn_buf_str(&painter->words);
}

struct tn_str tn_paint_area(struct tn_painter *painter, double area)
{
	double metres = tn_floor_metres(painter->plan->unit);
	bool feet = painter->plan->unit == TN_FLOOR_FT && !painter->sqm;
	double square = feet ? area : area * metres * metres * (painter->sqm ? 1 : SQUARE_FEET);

	tn_paint_new_words(painter);
	tn_paint_number(&painter->words, square);
	tn_buf_append_text(&painter->words, painter->sqm ? " m\xc2\xb2" : " ft\xc2\xb2");
	return tn_buf_str(&painter->words);
}

struct tn_str tn_paint_keep(struct tn_painter *painter, struct tn_str words)
{
	const char *copy = tn_arena_copy(painter->arena, words);

	if (!copy)
		painter->starved = true;
	return copy ? tn_str(copy, words.size) : TN_STR("");
}

void tn_paint_words(struct tn_painter *painter, struct tn_str words,
		    const struct tn_paint_text *how)
{
	static const double middle = 0.36; /* of the size: how far below it the baseline is */
	struct tn_draw_text text = {.x = how->x,
				    .y = how->y,
				    .size = how->size,
				    .anchor = how->anchor,
				    .weight = how->bold ? TN_DRAW_BOLD : TN_DRAW_REGULAR,
				    .colour = how->colour,
				    .halo = how->halo,
				    .max_width = how->max_width};

	if (how->upright) {
		text.angle = -90;
		text.x += middle * how->size;
	} else {
		text.y += middle * how->size;
	}
	text.x = tn_paint_round(text.x);
	text.y = tn_paint_round(text.y);
	text.size = tn_paint_round(text.size);
	tn_draw_put_text(painter->display, words, &text);
}
