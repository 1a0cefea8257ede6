#include "apps/floorplan/language/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { MESSAGE_SIZE = 1024 };

static const char *const severities[] = {"error", "warning", "info"};

/* ---- the table of 5.3 ---- */

struct code {
	int code;
	enum tn_floor_severity severity;
	const char *when;
};

#define E TN_FLOOR_ERROR
#define W TN_FLOOR_WARNING
#define I TN_FLOOR_INFO

static const struct code codes[] = {
	{1, E, "the text is larger than the limit"},
	{2, E, "a byte that is not UTF-8"},
	{3, E, "a NUL"},
	{4, E, "too many rooms, floors, statements or tokens, or too deep"},
	{1001, E, "an unexpected character"},
	{1002, E, "a comment that is never closed"},
	{1003, E, "a malformed number: .5 or 5."},
	{1004, E, "a string that is never closed"},
	{1005, E, "something else was expected"},
	{1006, E, "a room, stair or lift outside a floor"},
	{1007, E, "a reserved word used as a name"},
	{1008, E, "a brace after floorplan"},
	{1009, E, "a clause given twice"},
	{1010, E, "an unknown directive"},
	{1011, E, "a line of the front matter that cannot be read"},
	{1012, E, "front matter that is never closed"},
	{1014, E, "a name with a hyphen"},
	{1015, E, "a required clause is missing: size, shape or rise"},
	{2001, E, "a room is defined twice on a floor"},
	{2002, E, "a floor is defined twice"},
	{2003, E, "a stair or lift is defined twice on a floor"},
	{2004, E, "a relative position refers to an unknown room, or one in another container"},
	{2005, E, "a connection names an unknown room or floor"},
	{2006, E, "a connection's room exists on several floors"},
	{2008, E, "a style that is not defined"},
	{2009, E, "a style is defined twice"},
	{2010, E, "a size is defined twice"},
	{2011, E, "a size that is not defined"},
	{2012, E, "a flight along an unknown room"},
	{2013, E, "a vertical link to something unknown"},
	{3001, E, "a number out of range"},
	{3002, E, "a size that is not above zero"},
	{3003, E, "a room without position"},
	{3004, E, "positions that depend on each other in a circle"},
	{3006, W, "at and the relative position disagree"},
	{3007, W, "an alignment without effect"},
	{3010, W, "two rooms overlap"},
	{3011, W, "a sub-room stands out of its parent"},
	{3012, W, "a room taller than its floor"},
	{3020, W, "metric and imperial units in one plan"},
	{3021, W, "a plan without rooms"},
	{3022, I, "bare numbers beside units, and no default_unit"},
	{4001, E, "both ends of a connection are outside"},
	{4002, E, "a room connected to itself"},
	{4003, W, "connected rooms share no wall"},
	{4004, I, "the side of a connection was chosen"},
	{4005, W, "the ends of a connection are on different floors"},
	{4006, E, "a percentage above 100"},
	{4007, W, "an opening wider than its stretch of wall"},
	{4008, E, "an opening overlaps an earlier one"},
	{4009, W, "no place for a window"},
	{4010, W, "two rooms say different things of the wall they share"},
	{4011, I, "rooms of different heights share a wall"},
	{4012, W, "a side is listed twice"},
	{4013, W, "position or size on a solid or open side"},
	{4014, W, "a door in a side that is open or has a door"},
	{4015, W, "an opening taller than the room"},
	{4016, E, "a door that opens into a room it does not connect"},
	{4017, W, "options of a leaf on an opening"},
	{4018, W, "a door to the outside that leads into another room"},
	{5001, E, "an unknown key in the configuration"},
	{5002, E, "a value of the wrong kind in the configuration"},
	{5003, W, "a key given twice"},
	{5004, W, "a size beside the single keys"},
	{5005, W, "dark_mode beside theme"},
	{5006, W, "an unknown theme"},
	{5007, E, "a value that is not above zero"},
	{5008, E, "a second config block"},
	{5010, E, "an unknown property of a style"},
	{5011, E, "a colour that is none"},
	{5012, E, "a texture that is no text"},
	{5013, E, "a number out of 0 to 1 in a style"},
	{6001, E, "a measure of a stair that is not above zero, or too many steps"},
	{6002, W, "a riser higher than the code allows"},
	{6003, W, "a tread shorter than the code allows"},
	{6004, W, "a stair narrower than the code allows"},
	{6005, W, "less headroom than the code asks for"},
	{6006, W, "a stair or lift that is not inside a room"},
	{6007, W, "stairs or lifts overlap"},
	{6008, W, "a landing narrower than its flights"},
	{6011, W, "linked stairs or lifts are not above each other"},
	{6012, W, "a vertical link skips a floor"},
	{6013, W, "the steps of the runs do not add up"},
	{6014, W, "a stair or lift without position"},
	{6015, W, "a stair is linked to a lift"},
	{7000, I, "the plan does not say its version; 1.0 is assumed"},
	{7001, W, "an old version"},
	{7002, W, "a newer minor version"},
	{7003, E, "a version that is not supported, or none"},
	{7004, W, "an unknown key in the front matter"},
	{7005, W, "two versions"},
	{8001, W, "no way in from outside"},
	{8002, W, "a room that cannot be reached"},
	{8003, W, "a narrow corridor"},
	{8004, W, "a door too narrow for a wheelchair"},
	{8005, W, "a habitable room without a window"},
	{8006, W, "a bathroom that opens into a kitchen or dining room"},
	{8007, W, "a small bedroom"},
	{8008, W, "an upper floor without a stair"},
	{8009, W, "an upper room beyond the floor below"},
	{8010, W, "no room to turn a wheelchair"},
	{8011, W, "a long dead end"},
	{8012, W, "leaves that collide"},
};

#undef E
#undef W
#undef I

static const struct code *find_code(int code)
{
	for (size_t i = 0; i < TN_COUNT(codes); i++) {
		if (codes[i].code == code)
			return &codes[i];
	}
	return NULL;
}

bool tn_floor_code_at(size_t index, int *ret_code, const char **ret_severity, const char **ret_when)
{
	if (index >= TN_COUNT(codes))
		return false;
	*ret_code = codes[index].code;
	*ret_severity = severities[codes[index].severity];
	*ret_when = codes[index].when;
	return true;
}

/* ---- the list ---- */

void tn_floor_diagnostics_init(struct tn_floor_diagnostics *list, struct tn_arena *arena)
{
	*list = (struct tn_floor_diagnostics){.arena = arena};
}

static struct tn_floor_diagnostic *diagnose(struct tn_floor_diagnostics *list, int code,
					    enum tn_floor_severity severity,
					    const struct tn_floor_range *range, const char *format,
					    va_list arguments) TN_PRINTF(5, 0);
static struct tn_floor_diagnostic *diagnose(struct tn_floor_diagnostics *list, int code,
					    enum tn_floor_severity severity,
					    const struct tn_floor_range *range, const char *format,
					    va_list arguments)
{
	struct tn_floor_diagnostic *one = tn_arena_alloc(list->arena, sizeof(*one));
	char message[MESSAGE_SIZE];

	(void)vsnprintf(message, sizeof(message), format, arguments);
	if (one)
		one->message = tn_arena_copy(
			list->arena, tn_utf8_cut(tn_str_from(message), sizeof(message) - 1));
	if (!one || !one->message) {
		list->starved = true;
		return NULL;
	}
	one->code = code;
	one->severity = severity;
	one->range = *range;
	list->counts[severity]++;
	if (list->last)
		list->last->next = one;
	else
		list->first = one;
	list->last = one;
	return one;
}

struct tn_floor_diagnostic *tn_floor_diagnose(struct tn_floor_diagnostics *list, int code,
					      const struct tn_floor_range *range,
					      const char *format, ...)
{
	const struct code *known = find_code(code);
	struct tn_floor_diagnostic *one;
	va_list arguments;

	tn_assert(known);
	va_start(arguments, format);
	one = diagnose(list, code, known->severity, range, format, arguments);
	va_end(arguments);
	return one;
}

struct tn_floor_diagnostic *tn_floor_diagnose_as(struct tn_floor_diagnostics *list, int code,
						 enum tn_floor_severity severity,
						 const struct tn_floor_range *range,
						 const char *format, ...)
{
	struct tn_floor_diagnostic *one;
	va_list arguments;

	va_start(arguments, format);
	one = diagnose(list, code, severity, range, format, arguments);
	va_end(arguments);
	return one;
}

/* ---- order ---- */

static bool comes_first(const struct tn_floor_diagnostic *a, const struct tn_floor_diagnostic *b)
{
	if (a->range.line != b->range.line)
		return a->range.line < b->range.line;
	if (a->range.column != b->range.column)
		return a->range.column < b->range.column;
	return a->code <= b->code;
}

static struct tn_floor_diagnostic *merge(struct tn_floor_diagnostic *a,
					 struct tn_floor_diagnostic *b)
{
	struct tn_floor_diagnostic *first = NULL, **end = &first;

	while (a && b) {
		struct tn_floor_diagnostic **from = comes_first(a, b) ? &a : &b;

		*end = *from;
		end = &(*from)->next;
		*from = *end;
	}
	*end = a ? a : b;
	return first;
}

/* Merges runs of doubling length, which keeps the order of equal ones and needs no memory. */
void tn_floor_diagnostics_sort(struct tn_floor_diagnostics *list)
{
	struct tn_floor_diagnostic *runs[64] = {NULL};
	struct tn_floor_diagnostic *all = NULL;

	while (list->first) {
		struct tn_floor_diagnostic *one = list->first;
		size_t i = 0;

		list->first = one->next;
		one->next = NULL;
		for (; runs[i]; i++) {
			one = merge(runs[i], one);
			runs[i] = NULL;
		}
		runs[i] = one;
	}
	for (size_t i = 0; i < TN_COUNT(runs); i++)
		all = merge(runs[i], all);
	list->first = list->last = all;
	while (list->last && list->last->next)
		list->last = list->last->next;
}

/* ---- writing ---- */

static void put_place(struct tn_buf *out, const struct tn_floor_range *range)
{
	tn_json_put_member_int(out, "line", range->line);
	tn_json_put_member_int(out, "column", range->column);
	tn_json_put_member_int(out, "endLine", range->end_line);
	tn_json_put_member_int(out, "endColumn", range->end_column);
}

static void put_related(struct tn_buf *out, const struct tn_floor_diagnostic *one)
{
	tn_json_put_key(out, "related");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	put_place(out, &one->related);
	tn_json_put_member_text(out, "message", one->related_message);
	tn_json_end_object(out);
	tn_json_end_array(out);
}

void tn_floor_diagnostic_put(struct tn_buf *out, const struct tn_floor_diagnostic *one)
{
	char code[16];

	(void)snprintf(code, sizeof(code), "FP%04d", one->code);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", code);
	tn_json_put_member_text(out, "severity", severities[one->severity]);
	tn_json_put_member_text(out, "message", one->message);
	put_place(out, &one->range);
	if (one->hint)
		tn_json_put_member_text(out, "hint", one->hint);
	if (one->room)
		tn_json_put_member_text(out, "roomName", one->room);
	if (one->floor)
		tn_json_put_member_text(out, "floor", one->floor);
	if (one->related.line > 0)
		put_related(out, one);
	if (one->fix)
		tn_json_put_member_raw(out, "fix", tn_str_from(one->fix));
	tn_json_end_object(out);
}

void tn_floor_diagnostics_put(struct tn_buf *out, const struct tn_floor_diagnostics *list,
			      enum tn_floor_severity severity, size_t max, bool *ret_cut)
{
	size_t count = 0;

	*ret_cut = list->counts[severity] > max;
	tn_json_begin_array(out);
	for (const struct tn_floor_diagnostic *at = list->first; at; at = at->next) {
		if (at->severity == severity && count++ < max)
			tn_floor_diagnostic_put(out, at);
	}
	tn_json_end_array(out);
}

void tn_floor_diagnostic_print(struct tn_buf *out, const char *file,
			       const struct tn_floor_diagnostic *one)
{
	tn_buf_format(out, "%s:%u:%u: %s FP%04d: %s\n", file, one->range.line, one->range.column,
		      severities[one->severity], one->code, one->message);
}
