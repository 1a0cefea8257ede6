/* From tree to plan: the steps in order, and how they tell of faults. */
#include "apps/floorplan/resolve.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 1024 };

/* ---- telling ---- */

static const char *copy_name(struct tn_resolver *r, struct tn_str name)
{
	const char *copy = tn_arena_copy(r->arena, name);

	if (!copy)
		r->list->starved = true;
	return copy;
}

static struct tn_floor_diagnostic *tell(struct tn_resolver *r, int code,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor,
					const struct tn_floor_range *range, const char *format,
					va_list arguments) TN_PRINTF(6, 0);
static struct tn_floor_diagnostic *tell(struct tn_resolver *r, int code,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor,
					const struct tn_floor_range *range, const char *format,
					va_list arguments)
{
	struct tn_floor_diagnostic *one;
	char message[MESSAGE_SIZE];

	if (r->list->silent)
		return NULL;
	(void)vsnprintf(message, sizeof(message), format, arguments);
	one = tn_floor_diagnose(r->list, code, range, "%s", message);
	if (!one)
		return NULL;
	if (room)
		one->room = copy_name(r, room->name);
	if (floor)
		one->floor = copy_name(r, floor->name);
	return one;
}

struct tn_floor_diagnostic *tn_tell(struct tn_resolver *r, int code,
				    const struct tn_floor_room *room,
				    const struct tn_floor_floor *floor,
				    const struct tn_floor_range *range, const char *format, ...)
{
	struct tn_floor_diagnostic *one;
	va_list arguments;

	va_start(arguments, format);
	one = tell(r, code, room, floor, range, format, arguments);
	va_end(arguments);
	return one;
}

struct tn_floor_diagnostic *tn_tell_token(struct tn_resolver *r, int code,
					  const struct tn_floor_room *room,
					  const struct tn_floor_floor *floor, uint32_t token,
					  const char *format, ...)
{
	struct tn_floor_diagnostic *one;
	va_list arguments;

	va_start(arguments, format);
	one = tell(r, code, room, floor, &r->lexed->tokens[token].range, format, arguments);
	va_end(arguments);
	return one;
}

void tn_tell_hint(struct tn_floor_diagnostic *one, const char *hint)
{
	if (one)
		one->hint = hint;
}

void tn_tell_related(struct tn_resolver *r, struct tn_floor_diagnostic *one,
		     struct tn_floor_tokens tokens, const char *message)
{
	if (!one)
		return;
	one->related = tn_resolve_range(r, tokens);
	one->related_message = message;
}

void tn_tell_fix(struct tn_resolver *r, struct tn_floor_diagnostic *one, const char *format, ...)
{
	char fix[MESSAGE_SIZE];
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(fix, sizeof(fix), format, arguments);
	va_end(arguments);
	if (one && size > 0 && (size_t)size < sizeof(fix))
		one->fix = copy_name(r, tn_str(fix, (size_t)size));
}

const char *tn_resolve_number(struct tn_resolver *r, double number)
{
	struct tn_buf text;
	const char *copy;

	tn_buf_init(&text, 512);
	tn_floor_put_number(&text, number);
	copy = text.failed ? NULL : tn_arena_copy(r->arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	if (!copy)
		r->list->starved = true;
	return copy ? copy : "0";
}

void tn_tell_move(struct tn_resolver *r, struct tn_floor_diagnostic *one,
		  const struct tn_floor_room *room, double x, double y)
{
	const struct tn_str floor = room->floor->name;

	tn_tell_fix(r, one,
		    "{\"action\":\"move_room\",\"target\":\"%.*s.%.*s\",\"params\":{\"x\":%s,\"y\":"
		    "%s}}",
		    TN_SHOW(floor), TN_SHOW(room->name), tn_resolve_number(r, x),
		    tn_resolve_number(r, y));
}

void *tn_resolve_new(struct tn_resolver *r, size_t count, size_t size)
{
	void *made = tn_arena_alloc_array(r->arena, count ? count : 1, size);

	if (!made)
		r->list->starved = true;
	return made;
}

/* ---- the steps ---- */

static size_t count_rooms(const struct tn_floor_room_tree *room)
{
	size_t count = 0;

	for (; room; room = room->next)
		count += 1 + count_rooms(room->rooms); /* at most 8 deep */
	return count;
}

static size_t count_names(const struct tn_floor_tree *tree)
{
	size_t count = 0;

	for (const struct tn_floor_define_tree *at = tree->defines; at; at = at->next)
		count++;
	for (const struct tn_floor_style_tree *at = tree->styles; at; at = at->next)
		count++;
	for (const struct tn_floor_floor_tree *at = tree->floors; at; at = at->next) {
		count += 1 + count_rooms(at->rooms);
		for (const struct tn_floor_stair_tree *stair = at->stairs; stair;
		     stair = stair->next)
			count++;
		for (const struct tn_floor_lift_tree *lift = at->lifts; lift; lift = lift->next)
			count++;
	}
	return count;
}

static void run(struct tn_resolver *r, void (*const *steps)(struct tn_resolver *))
{
	for (; *steps && !r->list->starved; steps++)
		(*steps)(r);
}

/* Names, units and what there is. `unit`: the plan's, when no other is chosen; NO_UNIT: the
 * lengths say. */
static bool begin(struct tn_resolver *r, enum tn_floor_unit unit)
{
	if (!tn_names_init(r, count_names(&r->plan->tree)))
		return false;
	tn_resolve_settings_collect(r);
	r->plan->unit_is_chosen = r->plan->unit != TN_FLOOR_NO_UNIT;
	if (unit == TN_FLOOR_NO_UNIT)
		tn_resolve_units(r);
	else if (r->plan->unit == TN_FLOOR_NO_UNIT)
		r->plan->unit = unit;
	tn_resolve_styles(r);
	tn_resolve_settings(r);
	tn_resolve_defines(r);
	return !r->list->starved && tn_resolve_build(r);
}

static struct tn_resolver resolver_of(struct tn_floor_plan *plan)
{
	return (struct tn_resolver){.plan = plan,
				    .arena = &plan->arena,
				    .list = &plan->diagnostics,
				    .lexed = &plan->tree.lexed};
}

bool tn_floor_resolve(struct tn_floor_plan *plan)
{
	static void (*const steps[])(struct tn_resolver *) = {
		tn_resolve_stairs,        tn_resolve_positions,
		tn_resolve_containers,    tn_resolve_shared,
		tn_resolve_connections,   tn_resolve_shared_types,
		tn_resolve_wall_openings, tn_resolve_footprints,
		tn_resolve_verticals,     NULL};
	struct tn_resolver r = resolver_of(plan);

	if (!begin(&r, TN_FLOOR_NO_UNIT))
		return false;
	run(&r, steps);
	return !r.list->starved;
}

bool tn_floor_resolve_places(struct tn_floor_plan *plan, enum tn_floor_unit unit)
{
	static void (*const steps[])(struct tn_resolver *) = {tn_resolve_stairs,
							      tn_resolve_positions, NULL};
	struct tn_resolver r = resolver_of(plan);

	plan->diagnostics.silent = true;
	if (!begin(&r, unit))
		return false;
	run(&r, steps);
	return !r.list->starved;
}
