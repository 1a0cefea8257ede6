/* How the steps between tree and plan tell of faults, and the memory that they fill. */
#include "apps/floorplan/plan/resolve.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 1024 };

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
