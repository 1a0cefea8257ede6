/* What is written in rooms: as much as fits, else a number that the legend explains (6.8). */
#include <math.h>

#include "apps/floorplan/picture/internal.h"

#define FILLED 0.9    /* of the free box, at most */
#define TEXT_MIN 8.0  /* pixels */
#define CIRCLE_MIN 10 /* pixels across: letters of 6.5 pixels */
#define LINE 1.22     /* of the size: from one line to the next */
#define STEP 0.25     /* pixels that sizes differ by */
enum { LINES_MAX = 12 };

struct line {
	struct tn_str words;
	double size, width; /* of the block's size; of letters of size 1 */
	bool bold, secondary;
};
struct block {
	struct tn_display *display;
	struct line lines[LINES_MAX];
	size_t count;
};
enum { WITH_SIZE = 1, WITH_AREA = 2, WITH_LABEL = 4 };

struct words { /* of one room, made once */
	struct tn_str label, size, area;
};

static void add_line(struct block *block, struct tn_str words, double size, bool bold)
{
	struct line *line = &block->lines[block->count];

	if (block->count == LINES_MAX)
		return;
	block->count++;
	line->words = words;
	line->size = size;
	line->bold = bold;
	line->secondary = !bold;
	line->width =
		tn_draw_measure(block->display, words, 1, bold ? TN_DRAW_BOLD : TN_DRAW_REGULAR);
}

/* A label's line breaks are kept. */
static void add_label(struct block *block, struct tn_str label)
{
	while (label.size > 0) {
		size_t end = tn_str_find_byte(label, '\n');
		struct tn_str line = end == TN_STR_NONE ? label : tn_str(label.data, end);

		if (tn_str_trim(line).size > 0)
			add_line(block, tn_str_trim(line), 1.0, false);
		label = end == TN_STR_NONE ? TN_STR("") : tn_str_from_offset(label, end + 1);
	}
}

static void make_block(const struct tn_floor_room *room, const struct words *words, unsigned with,
		       struct block *ret)
{
	ret->count = 0;
	add_line(ret, room->name, 1.0, true);
	if (with & WITH_LABEL)
		add_label(ret, words->label);
	if ((with & WITH_SIZE) && words->size.size > 0)
		add_line(ret, words->size, 0.85, false);
	if ((with & WITH_AREA) && words->area.size > 0)
		add_line(ret, words->area, 0.8, false);
}

static double line_size(const struct line *line, double size)
{
	return fmax(line->size * size, TEXT_MIN);
}

static bool fits(const struct block *block, double size, double width, double height)
{
	double high = 0;

	for (size_t i = 0; i < block->count; i++) {
		double letters = line_size(&block->lines[i], size);

		if (block->lines[i].width * letters > width)
			return false;
		high += letters * LINE;
	}
	return high <= height;
}

/* The largest size it fits with; 0: none. */
static double fitting(const struct block *block, double start, double width, double height)
{
	double size;

	if (!fits(block, TEXT_MIN, width, height))
		return 0;
	for (size = start; size > TEXT_MIN; size -= STEP)
		if (fits(block, size, width, height))
			return size;
	return TEXT_MIN;
}

/* Whether words of this size in the middle of a box lie over a door's leaf. */
static bool is_swept(const struct tn_painter *painter, const struct tn_floor_room *room,
		     const struct tn_floor_box *box, double width, double height)
{
	double x = box->x + (box->width - width) / 2, y = box->y + (box->height - height) / 2;
	const struct tn_floor_swing *swing = painter->swings[room->index];

	for (; swing; swing = swing->next)
		if (swing->box.x < x + width && x < swing->box.x + swing->box.width &&
		    swing->box.y < y + height && y < swing->box.y + swing->box.height)
			return true;
	return false;
}

/* The room's colour under a line, so that nothing runs through its letters: a halo would do, but
 * thousands of them take seconds. */
static void put_ground(struct tn_painter *painter, const struct tn_paint_text *how, double width,
		       tn_colour fill)
{
	const struct tn_draw_style style = {.fill = fill};
	double wide = width + 2 * painter->p, high = how->size * LINE;

	if (how->upright) {
		wide = how->size * LINE;
		high = width + 2 * painter->p;
	}
	tn_draw_rect(painter->display, tn_paint_round(how->x - wide / 2),
		     tn_paint_round(how->y - high / 2), tn_paint_round(wide), tn_paint_round(high),
		     0, &style);
}

static void put_block(struct tn_painter *painter, const struct tn_floor_room *room,
		      const struct block *block, double size, const struct tn_floor_box *box,
		      bool upright)
{
	tn_colour fill = tn_paint_room_colour(painter, room);
	double cx = box->x + box->width / 2, cy = box->y + box->height / 2, high = 0, wide = 0, at;
	bool swept;

	for (size_t i = 0; i < block->count; i++) {
		double letters = line_size(&block->lines[i], size);

		high += letters * LINE;
		wide = fmax(wide, block->lines[i].width * letters);
	}
	at = -high / 2;
	swept = is_swept(painter, room, box, upright ? high : wide, upright ? wide : high);
	for (size_t i = 0; i < block->count; i++) {
		const struct line *line = &block->lines[i];
		double letters = line_size(line, size), middle = at + letters * LINE / 2;
		struct tn_paint_text how = {.x = upright ? cx + middle : cx,
					    .y = upright ? cy : cy + middle,
					    .size = letters,
					    .anchor = TN_DRAW_MIDDLE,
					    .bold = line->bold,
					    .upright = upright};

		how.colour = tn_paint_readable(
			line->secondary ? painter->theme->secondary : painter->theme->text, fill);
		if (swept)
			put_ground(painter, &how, line->width * letters, fill);
		tn_paint_words(painter, line->words, &how);
		at += letters * LINE;
	}
}

/* ---- the number in a circle ---- */

static void put_number(struct tn_painter *painter, const struct tn_floor_room *room,
		       const struct tn_floor_box *box, uint32_t number, double size)
{
	tn_colour fill = tn_paint_room_colour(painter, room),
		  colour = tn_paint_readable(painter->theme->text, fill);
	const struct tn_draw_style pen = tn_paint_pen(painter, colour, 0.8);
	double radius = tn_paint_round(fmin(size * 0.85, fmin(box->width, box->height) / 2));
	struct tn_paint_text how = {.x = box->x + box->width / 2,
				    .y = box->y + box->height / 2,
				    .size = size,
				    .anchor = TN_DRAW_MIDDLE,
				    .bold = true,
				    .colour = colour};

	tn_paint_new_words(painter);
	tn_buf_append_uint(&painter->words, number);
	how.size = fmin(size, 1.3 * radius);
	how.size *= fmin(
		1, 1.5 * radius /
			   tn_draw_text_width(tn_buf_str(&painter->words), how.size, TN_DRAW_BOLD));
	tn_draw_ellipse(painter->display, tn_paint_round(how.x), tn_paint_round(how.y), radius,
			radius, &pen);
	tn_paint_words(painter, tn_buf_str(&painter->words), &how);
}

static uint32_t next_number(const struct tn_painter *painter)
{
	uint32_t number = 1;

	for (size_t i = painter->listed_count; i > 0; i--)
		if (painter->listed[i - 1].number > 0) {
			number = painter->listed[i - 1].number + 1;
			break;
		}
	return number;
}

static void list(struct tn_painter *painter, const struct tn_floor_room *room, uint32_t number)
{
	painter->keys[room->index] = number;
	if (number > 0 || painter->options->legend)
		painter->listed[painter->listed_count++] = (struct tn_floor_key){room, number};
}

/* False: the circle would not stay in its room, and name a neighbour. */
static bool put_key(struct tn_painter *painter, const struct tn_floor_room *room,
		    const struct tn_floor_box *box, bool draw)
{
	double size = fmin(9 * painter->p, fmin(box->width, box->height) / 2);
	uint32_t number;

	size = fmax(size, TEXT_MIN);
	if (fmin(box->width, box->height) < CIRCLE_MIN)
		return false;
	number = next_number(painter);
	list(painter, room, number);
	if (draw)
		put_number(painter, room, box, number, size);
	return true;
}

/* ---- where ---- */

static bool has_inside(const struct tn_painter *painter, const struct tn_floor_room *room)
{
	const struct tn_floor_inside *inside = &painter->insides[room->index];

	return inside->across || inside->down;
}

static struct tn_floor_box free_box(struct tn_painter *painter, const struct tn_floor_room *room)
{
	double wall = painter->plan->settings.wall_thickness * painter->at->scale / 2 +
		      TN_FLOOR_WALL_PEN / 2 * painter->p;
	struct tn_floor_box box = tn_paint_grown(painter, &room->rect, -wall);
	struct tn_floor_obstacles obstacles;

	if (has_inside(painter, room)) {
		double edge = fmax(14 * painter->p, TEXT_MIN);

		box.x += edge;
		box.y += edge;
		box.width = fmax(box.width - edge, 0);
		box.height = fmax(box.height - edge, 0);
	}
	if (fmax(box.width, box.height) < TEXT_MIN || painter->starved ||
	    !tn_paint_obstacles(painter, room, &box, &obstacles))
		return box; /* nothing fits, or there is no picture */
	return tn_paint_free_box(painter, box, &obstacles);
}

/* What was found when the page was laid out is true when it is drawn. */
static struct tn_floor_box place_of(struct tn_painter *painter, const struct tn_floor_room *room,
				    bool draw)
{
	struct tn_floor_place *place = &painter->places[room->index];

	if (!draw || place->cell != painter->cell)
		*place = (struct tn_floor_place){painter->cell, free_box(painter, room)};
	return place->box;
}

static struct words words_of(struct tn_painter *painter, const struct tn_floor_room *room)
{
	struct words words = {0};

	if (!tn_str_equal(room->label, room->name))
		words.label = room->label;
	words.size = tn_paint_keep(painter, tn_paint_size(painter, &room->rect));
	if (painter->options->area)
		words.area = tn_paint_keep(
			painter, tn_paint_area(painter, room->rect.width * room->rect.height));
	return words;
}

/* As much as fits; false: not even the name. */
static bool put_words(struct tn_painter *painter, const struct tn_floor_room *room,
		      const struct words *words, const struct tn_floor_box *box, bool draw)
{
	static const unsigned tries[] = {WITH_SIZE | WITH_AREA | WITH_LABEL, WITH_AREA | WITH_LABEL,
					 WITH_LABEL, 0};
	double start = painter->plan->settings.font_size * painter->at->scale;
	double width = box->width * FILLED, height = box->height * FILLED;

	start = fmax(fmin(fmax(start, 9 * painter->p), 16 * painter->p), TEXT_MIN);
	for (unsigned i = 0; i < 8; i++) {
		bool upright = i >= 4;
		struct block block = {.display = painter->display};
		double size;

		make_block(room, words, tries[i % 4], &block);
		size = fitting(&block, start, upright ? height : width, upright ? width : height);
		if (size <= 0)
			continue;
		list(painter, room, 0);
		if (!draw)
			return true;
		tn_paint_group(painter, "room", room->name, &room->tree->tokens);
		put_block(painter, room, &block, size, box, upright);
		tn_draw_group_end(painter->display);
		return true;
	}
	return false;
}

/* A room's own dimensions make way where nothing would tell which room it is. */
static void label_room(struct tn_painter *painter, const struct tn_floor_room *room, bool draw)
{
	const struct words words = words_of(painter, room);

	for (;;) {
		struct tn_floor_box box = place_of(painter, room, draw);

		if (put_words(painter, room, &words, &box, draw) ||
		    put_key(painter, room, &box, draw))
			return;
		if (!has_inside(painter, room) || draw)
			break;
		painter->insides[room->index] = (struct tn_floor_inside){.across = false};
	}
	list(painter, room, 0);
}

void tn_paint_labels(struct tn_painter *painter, bool draw)
{
	const bool inside = painter->dimensions && painter->options->dimensions_in_rooms;
	const struct tn_floor_room *room = NULL;

	while ((room = tn_paint_next_room(painter->cell->floor, room))) {
		if (inside && !draw)
			tn_paint_find_inside(painter, room);
		if (painter->labels)
			label_room(painter, room, draw);
		else
			list(painter, room, 0);
	}
}
