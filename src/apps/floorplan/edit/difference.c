#include "apps/floorplan/edit/difference.h"

#include "apps/floorplan/limits.h"
#include "jsonrpc/json_write.h"

#define SAME 1e-6 /* U */

struct pair {
	const struct tn_floor_plan *before, *after;
	const struct tn_floor_floor *old_floor, *floor; /* NULL: is not there */
	struct tn_buf *out;
	struct tn_buf words; /* of the change being told */
	bool json;
	size_t count;
};

/* ---- telling ---- */

static void begin(struct pair *pair)
{
	tn_buf_clear(&pair->words);
}

static void put_name(struct pair *pair, struct tn_str name)
{
	tn_buf_append_str(&pair->words, name);
}

static void put_point(struct pair *pair, double x, double y)
{
	tn_buf_append_text(&pair->words, "(");
	tn_floor_put_number(&pair->words, x);
	tn_buf_append_text(&pair->words, ", ");
	tn_floor_put_number(&pair->words, y);
	tn_buf_append_text(&pair->words, ")");
}

static void put_size(struct pair *pair, const struct tn_floor_plan *plan,
		     const struct tn_floor_rect *rect)
{
	tn_floor_put_number(&pair->words, rect->width);
	tn_buf_append_text(&pair->words, " x ");
	tn_floor_put_number(&pair->words, rect->height);
	tn_buf_format(&pair->words, " %s", tn_floor_unit_name(plan->unit));
}

/* `mark`: + came, - went, ~ is another. */
static void tell(struct pair *pair, char mark, const char *kind, struct tn_str name)
{
	const struct tn_floor_floor *floor = pair->floor ? pair->floor : pair->old_floor;
	struct tn_str words = tn_buf_str(&pair->words);

	pair->count++;
	if (!pair->json) {
		tn_buf_format(pair->out, "%c %s %.*s.", mark, kind, (int)floor->name.size,
			      floor->name.data);
		tn_buf_append_str(pair->out, name);
		tn_buf_append_text(pair->out, words.size > 0 ? " " : "");
		tn_buf_append_str(pair->out, words);
		tn_buf_append_byte(pair->out, '\n');
		return;
	}
	tn_json_begin_object(pair->out);
	tn_json_put_member_text(pair->out, "change",
				mark == '+'   ? "came"
				: mark == '-' ? "went"
					      : "changed");
	tn_json_put_member_text(pair->out, "kind", kind);
	tn_json_put_member_str(pair->out, "floor", floor->name);
	tn_json_put_member_str(pair->out, "name", name);
	tn_json_put_member_str(pair->out, "text", words);
	tn_json_end_object(pair->out);
}

/* ---- places ---- */

static bool differs(double a, double b)
{
	return a - b > SAME || b - a > SAME;
}

/* Lengths of plans in different units are compared in the new one's. */
static double scale_of(const struct pair *pair)
{
	return pair->before->unit == pair->after->unit
		       ? 1
		       : tn_floor_metres(pair->before->unit) / tn_floor_metres(pair->after->unit);
}

static struct tn_floor_rect convert(const struct pair *pair, const struct tn_floor_rect *rect)
{
	double scale = scale_of(pair);

	return (struct tn_floor_rect){rect->x * scale, rect->y * scale, rect->width * scale,
				      rect->height * scale};
}

static void compare_rects(struct pair *pair, const char *kind, struct tn_str name,
			  const struct tn_floor_rect *old, const struct tn_floor_rect *now)
{
	const struct tn_floor_rect was = convert(pair, old);

	if (differs(was.x, now->x) || differs(was.y, now->y)) {
		begin(pair);
		tn_buf_append_text(&pair->words, "moved from ");
		put_point(pair, was.x, was.y);
		tn_buf_append_text(&pair->words, " to ");
		put_point(pair, now->x, now->y);
		tell(pair, '~', kind, name);
	}
	if (differs(was.width, now->width) || differs(was.height, now->height)) {
		begin(pair);
		tn_buf_append_text(&pair->words, "resized from ");
		put_size(pair, pair->after, &was);
		tn_buf_append_text(&pair->words, " to ");
		put_size(pair, pair->after, now);
		tell(pair, '~', kind, name);
	}
}

static void tell_place(struct pair *pair, char mark, const struct tn_floor_plan *plan,
		       const char *kind, struct tn_str name, const struct tn_floor_rect *rect)
{
	begin(pair);
	if (rect) {
		put_size(pair, plan, rect);
		tn_buf_append_text(&pair->words, " at ");
		put_point(pair, rect->x, rect->y);
	}
	tell(pair, mark, kind, name);
}

/* ---- rooms ---- */

static const struct tn_floor_room *find_room(const struct tn_floor_plan *plan,
					     const struct tn_floor_floor *floor, struct tn_str name)
{
	size_t count;

	return floor ? tn_floor_room_find(plan, floor, name, &count) : NULL;
}

static void compare_walls(struct pair *pair, const struct tn_floor_room *old,
			  const struct tn_floor_room *now)
{
	begin(pair);
	for (int side = 0; side < 4; side++)
		if (old->walls[side] != now->walls[side])
			tn_buf_format(&pair->words, "%s%s wall %s, was %s",
				      pair->words.size > 0 ? "; " : "",
				      tn_floor_side_name((enum tn_floor_side)side),
				      tn_floor_wall_name(now->walls[side]),
				      tn_floor_wall_name(old->walls[side]));
	if (pair->words.size > 0)
		tell(pair, '~', "room", now->name);
}

static void compare_labels(struct pair *pair, const struct tn_floor_room *old,
			   const struct tn_floor_room *now)
{
	if (tn_str_equal(old->label, now->label))
		return;
	begin(pair);
	tn_buf_append_text(&pair->words, "label \"");
	put_name(pair, now->label);
	tn_buf_append_text(&pair->words, "\", was \"");
	put_name(pair, old->label);
	tn_buf_append_text(&pair->words, "\"");
	tell(pair, '~', "room", now->name);
}

static void compare_rooms(struct pair *pair, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		const struct tn_floor_room *old =
			find_room(pair->before, pair->old_floor, room->name);

		if (!old) {
			tell_place(pair, '+', pair->after, "room", room->name,
				   room->placed ? &room->rect : NULL);
		} else {
			if (old->placed && room->placed)
				compare_rects(pair, "room", room->name, &old->rect, &room->rect);
			compare_walls(pair, old, room);
			compare_labels(pair, old, room);
		}
		compare_rooms(pair, room->rooms);
	}
}

static void find_lost_rooms(struct pair *pair, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		if (!find_room(pair->after, pair->floor, room->name))
			tell_place(pair, '-', pair->before, "room", room->name,
				   room->placed ? &room->rect : NULL);
		find_lost_rooms(pair, room->rooms);
	}
}

/* ---- stairs and lifts ---- */

static const struct tn_floor_circulation *find_circulation(const struct tn_floor_floor *floor,
							   const struct tn_floor_circulation *like)
{
	const struct tn_floor_circulation *one = floor ? floor->circulation : NULL;

	while (one && (one->lift != like->lift || !tn_str_equal(one->name, like->name)))
		one = one->next;
	return one;
}

static void compare_circulation(struct pair *pair)
{
	const struct tn_floor_circulation *one = pair->floor ? pair->floor->circulation : NULL,
					  *other;

	for (; one; one = one->next) {
		const char *kind = one->lift ? "lift" : "stair";

		other = find_circulation(pair->old_floor, one);
		if (!other)
			tell_place(pair, '+', pair->after, kind, one->name,
				   one->placed ? &one->rect : NULL);
		else if (one->placed && other->placed)
			compare_rects(pair, kind, one->name, &other->rect, &one->rect);
	}
	for (one = pair->old_floor ? pair->old_floor->circulation : NULL; one; one = one->next)
		if (!find_circulation(pair->floor, one))
			tell_place(pair, '-', pair->before, one->lift ? "lift" : "stair", one->name,
				   one->placed ? &one->rect : NULL);
}

/* ---- connections ---- */

static struct tn_str end_name(const struct tn_floor_room *room)
{
	return room ? room->name : TN_STR("outside");
}

/* Which of several between the same two ends. */
static unsigned rank_of(const struct tn_floor_floor *floor, const struct tn_floor_opening *opening)
{
	const struct tn_floor_opening *one = floor->openings;
	unsigned rank = 0;

	for (; one && one != opening; one = one->next)
		if (one->connect && tn_str_equal(end_name(one->from), end_name(opening->from)) &&
		    tn_str_equal(end_name(one->to), end_name(opening->to)))
			rank++;
	return rank;
}

static const struct tn_floor_opening *
find_opening(const struct tn_floor_floor *floor, const struct tn_floor_opening *like, unsigned rank)
{
	const struct tn_floor_opening *one = floor ? floor->openings : NULL;

	for (; one; one = one->next) {
		if (!one->connect || !tn_str_equal(end_name(one->from), end_name(like->from)) ||
		    !tn_str_equal(end_name(one->to), end_name(like->to)))
			continue;
		if (rank-- == 0)
			return one;
	}
	return NULL;
}

static void tell_opening(struct pair *pair, char mark, const struct tn_floor_opening *one,
			 const struct tn_floor_opening *old)
{
	static const char *const kinds[] = {"door", "double-door", "opening", "window"};
	char room[2 * TN_FLOOR_NAME_BYTES_MAX + 16];
	struct tn_buf name = {.data = room, .capacity = sizeof(room), .limit = sizeof(room)};

	tn_buf_append_str(&name, end_name(one->from));
	tn_buf_append_text(&name, " to ");
	tn_buf_append_str(&name, end_name(one->to));
	begin(pair);
	tn_buf_append_text(&pair->words, kinds[one->kind]);
	tn_buf_append_text(&pair->words, ", width ");
	tn_floor_put_number(&pair->words, one->width);
	if (old) {
		tn_buf_format(&pair->words, "; was %s, width ", kinds[old->kind]);
		tn_floor_put_number(&pair->words, old->width * scale_of(pair));
	}
	tell(pair, mark, "connection", tn_buf_str(&name));
}

static bool is_other(const struct pair *pair, const struct tn_floor_opening *old,
		     const struct tn_floor_opening *now)
{
	return old->kind != now->kind || differs(old->width * scale_of(pair), now->width) ||
	       old->swing != now->swing || old->full != now->full ||
	       !tn_str_equal(end_name(old->opens_into), end_name(now->opens_into));
}

static void compare_connections(struct pair *pair)
{
	const struct tn_floor_opening *one = pair->floor ? pair->floor->openings : NULL, *other;

	for (; one; one = one->next) {
		if (!one->connect)
			continue;
		other = find_opening(pair->old_floor, one, rank_of(pair->floor, one));
		if (!other)
			tell_opening(pair, '+', one, NULL);
		else if (is_other(pair, other, one))
			tell_opening(pair, '~', one, other);
	}
	for (one = pair->old_floor ? pair->old_floor->openings : NULL; one; one = one->next)
		if (one->connect && !find_opening(pair->floor, one, rank_of(pair->old_floor, one)))
			tell_opening(pair, '-', one, NULL);
}

/* ---- all ---- */

static void compare_floor(struct pair *pair)
{
	if (pair->floor)
		compare_rooms(pair, pair->floor->rooms);
	if (pair->old_floor)
		find_lost_rooms(pair, pair->old_floor->rooms);
	compare_circulation(pair);
	compare_connections(pair);
}

static size_t compare(struct pair *pair)
{
	tn_buf_init(&pair->words, TN_FLOOR_OUTPUT_BYTES_MAX);
	for (pair->floor = pair->after->floors; pair->floor; pair->floor = pair->floor->next) {
		pair->old_floor = tn_floor_floor_find(pair->before, pair->floor->name);
		compare_floor(pair);
	}
	pair->old_floor = pair->before->floors;
	for (; pair->old_floor; pair->old_floor = pair->old_floor->next)
		if (!tn_floor_floor_find(pair->after, pair->old_floor->name))
			compare_floor(pair);
	tn_buf_inherit_failure(pair->out, &pair->words);
	tn_buf_finish(&pair->words);
	return pair->count;
}

size_t tn_floor_put_difference(struct tn_buf *out, const struct tn_floor_plan *before,
			       const struct tn_floor_plan *after)
{
	struct pair pair = {.before = before, .after = after, .out = out};

	return compare(&pair);
}

size_t tn_floor_put_difference_json(struct tn_buf *out, const struct tn_floor_plan *before,
				    const struct tn_floor_plan *after)
{
	struct pair pair = {.before = before, .after = after, .out = out, .json = true};
	size_t count;

	tn_json_begin_array(out);
	count = compare(&pair);
	tn_json_end_array(out);
	return count;
}
