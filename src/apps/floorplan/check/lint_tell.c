/* How design rules tell what they found: measures in the plan's unit, rooms, doors and floors. */
#include "apps/floorplan/check/lint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *number_text(struct tn_lint *lint, double number)
{
	const double rounded = round(number * 1000) / 1000; /* the limits have as many */
	struct tn_buf text;
	const char *copy;

	tn_buf_init(&text, 64);
	tn_floor_put_number(&text, rounded);
	copy = text.failed ? NULL : tn_arena_copy(lint->arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	lint->starved = lint->starved || !copy;
	return copy ? copy : "?";
}

static const char *both_units(struct tn_lint *lint, double metric, double units, const char *square)
{
	const char *unit = tn_floor_unit_name(lint->plan->unit), *text;

	if (lint->plan->unit == TN_FLOOR_M)
		text = tn_arena_format(lint->arena, "%s m%s", number_text(lint, metric), square);
	else
		text = tn_arena_format(lint->arena, "%s %s%s (%s m%s)", number_text(lint, units),
				       unit, square, number_text(lint, metric), square);
	lint->starved = lint->starved || !text;
	return text ? text : "?";
}

const char *tn_lint_length(struct tn_lint *lint, double metres)
{
	return both_units(lint, metres, metres / tn_floor_metres(lint->plan->unit), "");
}

const char *tn_lint_area(struct tn_lint *lint, double square_metres)
{
	const double unit = tn_floor_metres(lint->plan->unit);

	return both_units(lint, square_metres, square_metres / unit / unit, "\xc2\xb2");
}

static struct tn_floor_diagnostic *tell(struct tn_lint *lint, int code,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor,
					const struct tn_floor_range *range, const char *hint,
					const char *format, va_list arguments) TN_PRINTF(7, 0);
static struct tn_floor_diagnostic *tell(struct tn_lint *lint, int code,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor,
					const struct tn_floor_range *range, const char *hint,
					const char *format, va_list arguments)
{
	struct tn_floor_diagnostic *one;
	char message[1024];

	(void)vsnprintf(message, sizeof(message), format, arguments);
	one = tn_floor_diagnose(&lint->plan->diagnostics, code, range, "%s", message);
	if (!one)
		return NULL;
	one->hint = hint ? tn_arena_copy(lint->arena, tn_str_from(hint)) : NULL;
	if (room)
		one->room = tn_arena_copy(lint->arena, room->name);
	if (floor)
		one->floor = tn_arena_copy(lint->arena, floor->name);
	return one;
}

void tn_lint_room(struct tn_lint *lint, int code, const struct tn_floor_room *room,
		  const char *hint, const char *format, ...)
{
	const struct tn_floor_range range = lint->plan->tree.lexed.tokens[room->tree->name].range;
	va_list arguments;

	va_start(arguments, format);
	(void)tell(lint, code, room, room->floor, &range, hint, format, arguments);
	va_end(arguments);
}

struct tn_floor_range tn_lint_opening_range(const struct tn_lint *lint,
					    const struct tn_floor_opening *opening)
{
	const struct tn_floor_lexed *lexed = &lint->plan->tree.lexed;
	const struct tn_floor_wall *wall;

	if (opening->connect)
		return tn_floor_span(lexed, opening->connect->tokens.first,
				     opening->connect->tokens.last);
	wall = opening->room->wall_trees[opening->side];
	return lexed->tokens[wall ? wall->type_token : opening->room->tree->name].range;
}

void tn_lint_opening(struct tn_lint *lint, int code, const struct tn_floor_opening *opening,
		     const struct tn_floor_opening *related, const char *hint, const char *format,
		     ...)
{
	const struct tn_floor_range range = tn_lint_opening_range(lint, opening);
	const struct tn_floor_room *room = opening->room ? opening->room : opening->from;
	struct tn_floor_diagnostic *one;
	va_list arguments;

	va_start(arguments, format);
	one = tell(lint, code, room ? room : opening->to, opening->floor, &range, hint, format,
		   arguments);
	va_end(arguments);
	if (one && related) {
		one->related = tn_lint_opening_range(lint, related);
		one->related_message = "the other door";
	}
}

void tn_lint_floor(struct tn_lint *lint, int code, const struct tn_floor_floor *floor,
		   const char *hint, const char *format, ...)
{
	const struct tn_floor_range range = lint->plan->tree.lexed.tokens[floor->tree->name].range;
	va_list arguments;

	va_start(arguments, format);
	(void)tell(lint, code, NULL, floor, &range, hint, format, arguments);
	va_end(arguments);
}

void tn_lint_rooms_of(const struct tn_lint *lint, const struct tn_floor_opening *opening,
		      const struct tn_floor_room *ret[2])
{
	ret[0] = opening->from;
	ret[1] = opening->to;
	if (!opening->room)
		return;
	ret[0] = opening->room;
	tn_floor_wall_behind(&lint->ways, opening->room, opening->side, opening->center, &ret[1]);
}
