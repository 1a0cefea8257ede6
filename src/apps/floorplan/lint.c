/* Design rules: kinds of rooms, how they are told of (floorplan.md 9.4). */
#include "apps/floorplan/lint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"

/* ---- kinds ---- */

struct words {
	enum tn_floor_room_kind kind;
	const char *words; /* with blanks around each */
};

static const struct words kinds[] = {
	{TN_ROOM_CORE, " stair stairs staircase stairwell lift elevator "},
	{TN_ROOM_BATH, " bath bathroom shower wc toilet powder ensuite restroom "},
	{TN_ROOM_BED, " bed bedroom suite "},
	{TN_ROOM_KITCHEN, " kitchen "},
	{TN_ROOM_PANTRY, " pantry "},
	{TN_ROOM_DINING, " dining "},
	{TN_ROOM_LIVING, " living lounge family "},
	{TN_ROOM_OFFICE, " office study "},
	{TN_ROOM_HALL, " hall hallway corridor lobby foyer entry passage "},
	{TN_ROOM_STORE, " closet store storage utility laundry garage "},
};

enum { WORD_SIZE = 32 };

/* Words are split at case changes and at everything that is no letter; the plural counts, too. */
static size_t next_word(struct tn_str text, size_t *at, char out[WORD_SIZE])
{
	size_t size = 0;

	while (*at < text.size && !tn_is_alpha(text.data[*at]))
		(*at)++;
	while (*at < text.size && tn_is_alpha(text.data[*at])) {
		const char c = text.data[*at];

		if (size > 0 && c != tn_to_lower(c) &&
		    text.data[*at - 1] == tn_to_lower(text.data[*at - 1]))
			break; /* livingRoom */
		if (size < WORD_SIZE - 1)
			out[size++] = tn_to_lower(c);
		(*at)++;
	}
	out[size] = '\0';
	return size;
}

static bool has_word(struct tn_str text, const char *words)
{
	char word[WORD_SIZE], padded[WORD_SIZE + 2];
	size_t at = 0;

	while (next_word(text, &at, word) > 0) {
		(void)snprintf(padded, sizeof(padded), " %s ", word);
		if (strstr(words, padded))
			return true;
	}
	return false;
}

enum tn_floor_room_kind tn_floor_room_kind(const struct tn_floor_room *room)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		if (has_word(room->name, kinds[i].words) || has_word(room->label, kinds[i].words))
			return kinds[i].kind;
	}
	return TN_ROOM_OTHER;
}

/* ---- telling ---- */

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

/* ---- all rules ---- */

bool tn_floor_lint(struct tn_floor_plan *plan)
{
	struct tn_lint lint = {.plan = plan, .arena = &plan->arena};
	uint32_t nodes;

	if (!plan->tree.parses || plan->diagnostics.counts[TN_FLOOR_ERROR] > 0)
		return true; /* advice on what is wrong anyway helps nobody */
	if (!tn_floor_ways_build(plan, lint.arena, &lint.ways))
		return false;
	nodes = lint.ways.node_count;
	lint.metrics = tn_floor_rooms_measure(plan, lint.arena);
	lint.kinds = tn_arena_alloc_array(lint.arena, nodes, sizeof(*lint.kinds));
	lint.reached = tn_arena_alloc_array(lint.arena, nodes, sizeof(bool));
	lint.reached_without = tn_arena_alloc_array(lint.arena, nodes, sizeof(bool));
	lint.queue = tn_arena_alloc_array(lint.arena, nodes, sizeof(*lint.queue));
	if (!lint.metrics || !lint.kinds || !lint.reached || !lint.reached_without || !lint.queue)
		return false;
	tn_lint_reach(&lint, TN_LINT_NO_NODE, lint.reached);
	for (uint32_t i = 0; i < plan->room_count; i++)
		lint.kinds[i] = tn_floor_room_kind(plan->rooms[i]);
	tn_lint_access(&lint);
	tn_lint_rooms(&lint);
	tn_lint_floors(&lint);
	tn_lint_doors(&lint);
	return !lint.starved && !plan->diagnostics.starved;
}
