/* What every part of a picture paints with: places in pixels, pens, groups, rooms in order. */
#include "apps/floorplan/picture/internal.h"

#include <math.h>
#include <stdio.h>

#define STEPS 256 /* in a pixel: places are rounded to them */

double tn_paint_round(double pixels)
{
	return floor(pixels * STEPS + 0.5) / STEPS;
}

double tn_paint_x(const struct tn_painter *painter, double x)
{
	return tn_paint_round(painter->at->x0 + painter->at->scale * x);
}

double tn_paint_y(const struct tn_painter *painter, double y)
{
	return tn_paint_round(painter->at->y0 + painter->at->scale * y);
}

struct tn_floor_box tn_paint_box(const struct tn_painter *painter, const struct tn_floor_rect *rect)
{
	struct tn_floor_box box = {.x = tn_paint_x(painter, rect->x),
				   .y = tn_paint_y(painter, rect->y)};

	box.width = tn_paint_x(painter, rect->x + rect->width) - box.x;
	box.height = tn_paint_y(painter, rect->y + rect->height) - box.y;
	return box;
}

struct tn_draw_style tn_paint_pen(const struct tn_painter *painter, tn_colour colour, double width)
{
	return (struct tn_draw_style){.stroke = colour, .stroke_width = width * painter->p};
}

void tn_paint_line(struct tn_painter *painter, double x1, double y1, double x2, double y2)
{
	tn_draw_move(painter->display, tn_paint_round(x1), tn_paint_round(y1));
	tn_draw_line(painter->display, tn_paint_round(x2), tn_paint_round(y2));
}

void tn_paint_group(struct tn_painter *painter, const char *kind, struct tn_str name,
		    const struct tn_floor_tokens *tokens)
{
	const struct tn_floor_lexed *lexed = &painter->plan->tree.lexed;
	struct tn_draw_data data[3] = {{"floor", painter->cell->floor->name}};
	char line[16];
	size_t count = 1;

	if (name.size > 0)
		data[count++] = (struct tn_draw_data){kind, name};
	if (tokens && tokens->first < lexed->count) {
		(void)snprintf(line, sizeof(line), "%u", lexed->tokens[tokens->first].range.line);
		data[count++] = (struct tn_draw_data){"line", tn_str_from(line)};
	}
	tn_draw_group_begin(painter->display, TN_STR(""), TN_STR(""));
	tn_draw_group_data(painter->display, data, count);
}

void *tn_paint_new(struct tn_painter *painter, size_t count, size_t size)
{
	void *memory = tn_arena_alloc_array(painter->arena, count ? count : 1, size);

	if (!memory)
		painter->starved = true;
	return memory;
}

bool tn_paint_has_rooms(const struct tn_floor_floor *floor)
{
	return tn_paint_next_room(floor, NULL) != NULL;
}

/* In order, without recursion: down, then on, then up and on. */
static const struct tn_floor_room *after(const struct tn_floor_room *room)
{
	if (room->placed && room->rooms)
		return room->rooms;
	while (room && !room->next)
		room = room->parent;
	return room ? room->next : NULL;
}

const struct tn_floor_room *tn_paint_next_room(const struct tn_floor_floor *floor,
					       const struct tn_floor_room *room)
{
	room = room ? after(room) : floor->rooms;
	while (room && !room->placed)
		room = after(room);
	return room;
}
