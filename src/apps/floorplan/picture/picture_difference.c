/* Two versions of a plan as one picture: the new one, and over it what came, went, moved or changed
 * since the old one. */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

enum change { CAME, WENT, MOVED, RESIZED, CHANGED, CHANGES };

static const struct {
	const char *word;
	tn_colour light, dark; /* on a light page and on a dark one */
} looks[] = {
	[CAME] = {"added", 0x1B7F3BFF, 0x6FDC8CFF},
	[WENT] = {"removed", 0xB00020FF, 0xFF6B6BFF},
	[MOVED] = {"moved", 0x0B5CADFF, 0x7CC0FFFF},
	[RESIZED] = {"resized", 0x8A4B00FF, 0xFFB454FF},
	[CHANGED] = {"changed", 0x6A2C91FF, 0xD9A6FFFF},
};

struct difference {
	struct tn_painter painter;
	unsigned counts[CHANGES];
};

static tn_colour colour_of(const struct tn_painter *painter, enum change change)
{
	return tn_paint_contrast(0xFFFFFFFF, painter->theme->page) < 2 ? looks[change].light
								       : looks[change].dark;
}

/* ---- what is different ---- */

static bool differ(double a, double b)
{
	return fabs(a - b) > 1e-6;
}

/* A label of no letters and none at all look alike. */
static bool is_changed(const struct tn_floor_room *a, const struct tn_floor_room *b)
{
	struct tn_str none = TN_STR("");

	for (int i = 0; i < 4; i++)
		if (a->walls[i] != b->walls[i])
			return true;
	return !tn_str_equal(a->label, b->label) ||
	       !tn_str_equal(a->style ? a->style->name : none, b->style ? b->style->name : none) ||
	       differ(a->height, b->height) || differ(a->elevation, b->elevation);
}

/* CHANGES: nothing. A room that only went along with its parent has not moved. Lengths are those of
 * the new plan's unit. */
static enum change compare(const struct tn_floor_room *old, const struct tn_floor_rect *was,
			   struct tn_floor_point at, const struct tn_floor_room *new)
{
	if (!old)
		return CAME;
	if (differ(was->width, new->rect.width) || differ(was->height, new->rect.height))
		return RESIZED;
	if (differ(at.x, new->at.x) || differ(at.y, new->at.y))
		return MOVED;
	return is_changed(old, new) ? CHANGED : CHANGES;
}

static struct tn_floor_rect converted(const struct tn_painter *painter,
				      const struct tn_floor_rect *rect)
{
	double by = 1;

	if (painter->before->unit != painter->plan->unit)
		by = tn_floor_metres(painter->before->unit) / tn_floor_metres(painter->plan->unit);
	return (struct tn_floor_rect){rect->x * by, rect->y * by, rect->width * by,
				      rect->height * by};
}

/* ---- drawing ---- */

static void put_frame(struct tn_painter *painter, const struct tn_floor_rect *rect,
		      tn_colour colour, bool dashed, bool filled)
{
	struct tn_floor_box box = tn_paint_box(painter, rect);
	struct tn_draw_style style = tn_paint_pen(painter, colour, 2.2);

	if (dashed) {
		style.dash[0] = 6 * painter->p;
		style.dash[1] = 4 * painter->p;
	}
	if (filled)
		style.fill = (colour & 0xFFFFFF00) | 0x30;
	tn_draw_rect(painter->display, box.x, box.y, box.width, box.height, 0, &style);
}

static void put_arrow(struct tn_painter *painter, const struct tn_floor_rect *from,
		      const struct tn_floor_rect *to, tn_colour colour)
{
	struct tn_floor_box a = tn_paint_box(painter, from), b = tn_paint_box(painter, to);
	struct tn_draw_style style = tn_paint_pen(painter, colour, 1.6);
	double x1 = a.x + a.width / 2, y1 = a.y + a.height / 2, x2 = b.x + b.width / 2,
	       y2 = b.y + b.height / 2, dx = x2 - x1, dy = y2 - y1,
	       length = sqrt(dx * dx + dy * dy);

	if (length < 8 * painter->p)
		return;
	dx *= 8 * painter->p / length;
	dy *= 8 * painter->p / length;
	tn_draw_begin(painter->display, &style);
	tn_paint_line(painter, x1, y1, x2, y2);
	tn_paint_line(painter, x2 - dx - dy / 2, y2 - dy + dx / 2, x2, y2);
	tn_paint_line(painter, x2 - dx + dy / 2, y2 - dy - dx / 2, x2, y2);
	tn_draw_end(painter->display);
}

/* At the upper left corner, where names seldom are. */
static void put_word(struct tn_painter *painter, const struct tn_floor_rect *rect,
		     enum change change, struct tn_str name)
{
	struct tn_floor_box box = tn_paint_box(painter, rect);
	double p = painter->p,
	       wall = painter->plan->settings.wall_thickness * painter->at->scale / 2;
	struct tn_paint_text how = {.x = box.x + wall + 4 * p,
				    .y = box.y + wall + 8 * p,
				    .size = fmax(9 * p, 8),
				    .bold = true,
				    .max_width = fmax(box.width - 2 * wall - 8 * p, 1),
				    .colour = colour_of(painter, change),
				    .halo = painter->theme->page};

	tn_paint_new_words(painter);
	tn_buf_append_text(&painter->words, looks[change].word);
	if (name.size > 0) {
		tn_buf_append_text(&painter->words, " ");
		tn_buf_append_str(&painter->words, name);
	}
	if (box.width > 24 * p && box.height > 2 * wall + 12 * p)
		tn_paint_words(painter, tn_buf_str(&painter->words), &how);
}

static void mark_new(struct difference *difference, const struct tn_floor_room *room,
		     const struct tn_floor_floor *old_floor)
{
	struct tn_painter *painter = &difference->painter;
	const struct tn_floor_room *old = NULL;
	struct tn_floor_rect was = {0};
	struct tn_floor_point at = {0, 0};
	enum change change;
	tn_colour colour;

	if (old_floor)
		old = tn_floor_room_find(painter->before, old_floor, room->name, NULL);
	if (old && !old->placed)
		old = NULL;
	if (old) {
		struct tn_floor_rect own =
			converted(painter, &(struct tn_floor_rect){old->at.x, old->at.y, 0, 0});

		was = converted(painter, &old->rect);
		at = (struct tn_floor_point){own.x, own.y};
	}
	change = compare(old, &was, at, room);
	if (change == CHANGES)
		return;
	difference->counts[change]++;
	colour = colour_of(painter, change);
	put_frame(painter, &room->rect, colour, false, change == CAME);
	if (change == MOVED || change == RESIZED)
		put_frame(painter, &was, colour, true, false);
	if (change == MOVED)
		put_arrow(painter, &was, &room->rect, colour);
	put_word(painter, &room->rect, change, TN_STR(""));
}

static void mark_old(struct difference *difference, const struct tn_floor_room *old)
{
	struct tn_painter *painter = &difference->painter;
	struct tn_floor_rect rect = converted(painter, &old->rect);
	tn_colour colour = colour_of(painter, WENT);

	difference->counts[WENT]++;
	put_frame(painter, &rect, colour, true, true);
	put_word(painter, &rect, WENT, old->name);
}

static void mark_floor(struct difference *difference)
{
	struct tn_painter *painter = &difference->painter;
	const struct tn_floor_floor *floor = painter->cell->floor,
				    *old_floor = tn_floor_floor_find(painter->before, floor->name);
	const struct tn_floor_room *room = NULL;

	while ((room = tn_paint_next_room(floor, room)))
		mark_new(difference, room, old_floor);
	while (old_floor && (room = tn_paint_next_room(old_floor, room)))
		if (!tn_floor_room_find(painter->plan, floor, room->name, NULL))
			mark_old(difference, room);
}

/* What the colours mean, at the upper right of the page. */
static void put_meaning(struct difference *difference)
{
	struct tn_painter *painter = &difference->painter;
	double p = painter->p;
	struct tn_paint_text how = {.x = painter->options->width - 6 * p,
				    .y = 8 * p,
				    .size = fmax(9 * p, 8),
				    .anchor = TN_DRAW_END,
				    .bold = true};

	for (int i = CHANGES - 1; i >= 0; i--) {
		struct tn_str words;

		if (difference->counts[i] == 0)
			continue;
		tn_paint_new_words(painter);
		tn_buf_format(&painter->words, "%u %s", difference->counts[i], looks[i].word);
		words = tn_buf_str(&painter->words);
		how.colour = colour_of(painter, (enum change)i);
		tn_paint_words(painter, words, &how);
		how.x -= tn_draw_text_width(words, how.size, TN_DRAW_BOLD) + 10 * p;
	}
}

enum tenon_code tn_floor_draw_difference(const struct tn_floor_plan *before,
					 const struct tn_floor_plan *after,
					 const struct tn_floor_picture_options *options,
					 struct tn_arena *arena, struct tn_floor_picture *ret,
					 struct tenon_error *err)
{
	struct difference difference = {.counts = {0}};
	struct tn_painter *painter = &difference.painter;
	enum tenon_code code = tn_paint_begin(painter, after, before, options, arena, err);

	if (code != TENON_OK) {
		tn_buf_finish(&painter->words);
		return code;
	}
	tn_paint_floors(painter);
	for (size_t i = 0; i < painter->cell_count; i++) {
		painter->cell = &painter->cells[i];
		painter->at = &painter->transforms[i];
		mark_floor(&difference);
	}
	put_meaning(&difference);
	return tn_paint_end(painter, ret, err);
}
