/* add_connection and remove_connection (floorplan.md 8.3). */
#include <stdio.h>

#include "apps/floorplan/edit/internal.h"

struct end {
	struct tn_str text;
	bool outside;
	const struct tn_floor_room *room;
	enum tn_floor_side side;
};

struct connection {
	struct tn_edit *e;
	struct end ends[2];
	unsigned type, swing;
	bool has_at, has_size, full, has_swing;
	double at;
	struct tn_edit_length width, height;
	struct tn_str opens_into;
};

/* ---- ends: outside, Room, Room.side, Floor.Room, Floor.Room.side ---- */

static enum tn_floor_side take_side(struct tn_str *name)
{
	for (size_t at = name->size; at-- > 0;) {
		struct tn_str word = tn_str_from_offset(*name, at + 1);

		if (name->data[at] != '.')
			continue;
		for (int side = 0; side < 4; side++) {
			if (!tn_str_is(word, tn_edit_sides[side]))
				continue;
			name->size = at;
			return (enum tn_floor_side)side;
		}
		break;
	}
	return TN_FLOOR_NO_SIDE;
}

static bool read_end(struct tn_edit *e, const char *key, const char *field, struct end *ret)
{
	struct tn_str name;

	*ret = (struct end){.side = TN_FLOOR_NO_SIDE, .text = {NULL, 0}};
	if (!tn_edit_text(e, key, &ret->text))
		return false;
	if (!ret->text.data)
		return tn_edit_missing(e, field);
	ret->outside = tn_str_is(ret->text, "outside");
	if (ret->outside)
		return true;
	name = ret->text;
	ret->side = take_side(&name);
	/* A name that is on several floors may be told by the other end. */
	if (tn_str_find_byte(name, '.') == TN_STR_NONE && e->floor_name.size == 0) {
		size_t count = 0;

		(void)tn_floor_room_find(e->plan, NULL, name, &count);
		if (count > 1)
			return true;
	}
	return tn_edit_room(e, name, field, &ret->room);
}

static struct tn_str room_name(const struct end *end)
{
	struct tn_str name = end->text;

	(void)take_side(&name);
	return name;
}

/* One end is known: the other is on its floor. */
static bool complete(struct tn_edit *e, struct end *end, const struct end *other, const char *field)
{
	if (end->outside || end->room)
		return true;
	if (other->room)
		end->room = tn_floor_room_find(e->plan, other->room->floor, room_name(end), NULL);
	return end->room || tn_edit_room(e, room_name(end), field, &end->room);
}

static bool read_ends(struct tn_edit *e, struct end ends[2])
{
	return read_end(e, "from", "params/from", &ends[0]) &&
	       read_end(e, "to", "params/to", &ends[1]) &&
	       complete(e, &ends[0], &ends[1], "params/from") &&
	       complete(e, &ends[1], &ends[0], "params/to");
}

/* ---- adding ---- */

static bool read_opening_size(struct connection *c)
{
	static const char *const fields[] = {"width", "height", NULL};
	struct tn_edit *e = c->e;
	const struct tn_json *size = tn_edit_param(e->params, "size"), *width, *height;
	struct tn_str word;

	if (!size)
		return true;
	if (!tn_edit_only(e, size, "params/size", fields))
		return false;
	width = tn_edit_param(size, "width");
	height = tn_edit_param(size, "height");
	if (!width || !height)
		return tn_edit_missing(e, width ? "params/size/height" : "params/size/width");
	c->has_size = true;
	c->full = tn_json_to_str(height, &word) && tn_str_is(word, "full");
	return tn_edit_length(e, width, "params/size/width", true, &c->width) &&
	       (c->full || tn_edit_length(e, height, "params/size/height", true, &c->height));
}

static bool read_percent(struct connection *c)
{
	const struct tn_json *at = tn_edit_param(c->e->params, "at");

	if (!at)
		return true;
	c->has_at = true;
	if (!tn_json_is(at, TN_JSON_NUMBER))
		return tn_edit_fail(c->e, 9001, "params/at", "'at' must be a number of percent");
	if (!tn_json_to_double(at, &c->at) || !(c->at >= 0 && c->at <= 100))
		return tn_edit_fail(c->e, 9004, "params/at", "'at' must be 0 to 100 percent");
	return true;
}

static bool check_opens_into(struct connection *c)
{
	struct tn_str into = tn_str(NULL, 0);

	if (!tn_edit_text(c->e, "opensInto", &into))
		return false;
	c->opens_into = into;
	if (!into.data)
		return true;
	for (int i = 0; i < 2; i++) {
		if (c->ends[i].outside ? tn_str_is(into, "outside")
				       : tn_str_equal(into, c->ends[i].room->name))
			return true;
	}
	return tn_edit_fail(c->e, 9002, "params/opensInto",
			    "'%.*s' is no end of this connection; name one of its rooms, or "
			    "outside",
			    TN_EDIT_SHOW(into));
}

static bool check_ends(struct connection *c)
{
	const struct tn_floor_room *from = c->ends[0].room, *to = c->ends[1].room;

	if (!from && !to)
		return tn_edit_fail(c->e, 9004, "params/to", "both ends are outside");
	if (from == to)
		return tn_edit_fail(c->e, 9004, "params/to", "both ends are the same room");
	if (from && to && from->floor != to->floor)
		return tn_edit_fail(c->e, 9004, "params/to",
				    "the ends are on different floors; link floors by vertical");
	return true;
}

/* A bare name is enough where only one floor has both ends. */
static bool wants_floor(const struct connection *c)
{
	unsigned floors = 0;

	for (const struct tn_floor_floor *at = c->e->plan->floors; at; at = at->next) {
		bool all = true;

		for (int i = 0; i < 2; i++)
			all = all &&
			      (c->ends[i].outside ||
			       tn_floor_room_find(c->e->plan, at, c->ends[i].room->name, NULL));
		floors += all;
	}
	return floors > 1;
}

static void put_end(const struct connection *c, struct tn_buf *out, const struct end *end)
{
	bool has_floor;

	if (end->outside) {
		tn_buf_append_text(out, "outside");
		return;
	}
	has_floor = wants_floor(c) || tn_str_find_byte(room_name(end), '.') != TN_STR_NONE;
	if (has_floor) {
		tn_buf_append_str(out, end->room->floor->name);
		tn_buf_append_byte(out, '.');
	}
	tn_buf_append_str(out, end->room->name);
	if (end->side != TN_FLOOR_NO_SIDE) {
		tn_buf_append_byte(out, '.');
		tn_buf_append_text(out, tn_edit_sides[end->side]);
	}
}

static struct tn_str line_of(const struct connection *c)
{
	struct tn_buf out;

	tn_edit_begin(&out);
	tn_buf_append_text(&out, "connect ");
	put_end(c, &out, &c->ends[0]);
	tn_buf_append_text(&out, " to ");
	put_end(c, &out, &c->ends[1]);
	tn_buf_append_byte(&out, ' ');
	tn_buf_append_text(&out, tn_edit_doors[c->type]);
	if (c->has_at) {
		tn_buf_append_text(&out, " at ");
		tn_floor_put_number(&out, c->at);
		tn_buf_append_byte(&out, '%');
	}
	if (c->has_size) {
		tn_buf_append_text(&out, " size (");
		tn_edit_put_length(&out, &c->width);
		tn_buf_append_text(&out, " x ");
		if (c->full)
			tn_buf_append_text(&out, "full");
		else
			tn_edit_put_length(&out, &c->height);
		tn_buf_append_byte(&out, ')');
	}
	if (c->opens_into.data)
		tn_buf_format(&out, " opens into %.*s", (int)c->opens_into.size,
			      c->opens_into.data);
	if (c->has_swing)
		tn_buf_format(&out, " swing: %s", tn_edit_hands[c->swing]);
	return tn_edit_keep(c->e, &out);
}

/* How the change is named in the answer. */
static bool name_change(struct tn_edit *e, const struct end ends[2])
{
	const char *name = tn_arena_format(e->arena, "%.*s to %.*s", TN_EDIT_SHOW(ends[0].text),
					   TN_EDIT_SHOW(ends[1].text));

	e->target = tn_str_from(name);
	return name || tn_edit_starve(e);
}

static bool put_connection(struct tn_edit *e, struct tn_str line)
{
	const struct tn_floor_connect_tree *last = e->plan->tree.connections;
	const struct tn_floor_floor_tree *floor = e->plan->tree.floors;

	while (last && last->next)
		last = last->next;
	while (floor && floor->next)
		floor = floor->next;
	if (last)
		return tn_edit_put_line(e, last->tokens.first, last->tokens.last, false, line);
	return tn_edit_put_line(e, floor->word, floor->tokens.last, false, line);
}

bool tn_edit_add_connection(struct tn_edit *e)
{
	static const char *const fields[] = {"from", "to",        "type",  "at",
					     "size", "opensInto", "swing", NULL};
	struct connection c = {.e = e};
	struct tn_str line;

	if (!tn_edit_only(e, e->params, "params", fields) || !read_ends(e, c.ends) ||
	    !name_change(e, c.ends) || !check_ends(&c))
		return false;
	c.has_swing = tn_edit_param(e->params, "swing") != NULL;
	if (!tn_edit_word(e, e->params, "type", "params/type", tn_edit_doors, &c.type) ||
	    !tn_edit_word(e, e->params, "swing", "params/swing", tn_edit_hands, &c.swing) ||
	    !read_percent(&c) || !read_opening_size(&c) || !check_opens_into(&c))
		return false;
	line = line_of(&c);
	return line.data && put_connection(e, line);
}

/* ---- removing ---- */

static bool is_end(const struct end *wanted, const struct tn_floor_end *end,
		   const struct tn_floor_room *room)
{
	if (wanted->outside != end->outside || wanted->room != room)
		return false;
	return wanted->side == TN_FLOOR_NO_SIDE || wanted->side == end->side;
}

static bool is_meant(const struct tn_edit *e, const struct end ends[2], int type,
		     const struct tn_floor_connect_tree *connect)
{
	const struct tn_floor_room *rooms[2];

	if (type >= 0 && (int)connect->type != type)
		return false;
	tn_edit_ends(e, connect, rooms);
	return (is_end(&ends[0], &connect->from, rooms[0]) &&
		is_end(&ends[1], &connect->to, rooms[1])) ||
	       (is_end(&ends[1], &connect->from, rooms[0]) &&
		is_end(&ends[0], &connect->to, rooms[1]));
}

/* As it is written, without blanks and comments. */
static bool is_written_as(const struct tn_edit *e, const struct tn_floor_end *end,
			  struct tn_str text)
{
	for (uint32_t at = end->tokens.first; at <= end->tokens.last; at++) {
		struct tn_str token = tn_edit_token(e, at);

		if (!tn_str_starts(text, token))
			return false;
		text = tn_str_from_offset(text, token.size);
	}
	return text.size == 0;
}

static bool is_at(const struct connection *c, const struct tn_floor_connect_tree *connect)
{
	double percent = connect->has_at ? connect->at : 50;

	return !c->has_at || (percent - c->at < 5e-7 && c->at - percent < 5e-7);
}

struct found {
	const struct tn_floor_connect_tree *connect;
	unsigned count;
};

/* Ends that mean nothing can be removed, too, as they are written: that repairs a plan. */
static void find_written(const struct connection *c, int type, struct found *ret)
{
	for (const struct tn_floor_connect_tree *at = c->e->plan->tree.connections; at;
	     at = at->next) {
		if ((type >= 0 && (int)at->type != type) || !is_at(c, at) ||
		    !is_written_as(c->e, &at->from, c->ends[0].text) ||
		    !is_written_as(c->e, &at->to, c->ends[1].text))
			continue;
		ret->connect = at;
		ret->count++;
	}
}

static void find_meant(const struct connection *c, int type, struct found *ret)
{
	for (const struct tn_floor_connect_tree *at = c->e->plan->tree.connections; at;
	     at = at->next) {
		if (!is_at(c, at) || !is_meant(c->e, c->ends, type, at))
			continue;
		ret->connect = at;
		ret->count++;
	}
}

/* Size and swing do not tell connections apart: two that differ in nothing else overlap (FP4008).
 */
bool tn_edit_remove_connection(struct tn_edit *e)
{
	static const char *const fields[] = {"from", "to",        "type",  "at",
					     "size", "opensInto", "swing", NULL};
	struct connection c = {.e = e};
	struct found found = {NULL, 0};
	int type;

	if (!tn_edit_only(e, e->params, "params", fields) ||
	    !tn_edit_text(e, "from", &c.ends[0].text) || !tn_edit_text(e, "to", &c.ends[1].text))
		return false;
	if (!c.ends[0].text.data || !c.ends[1].text.data)
		return tn_edit_missing(e, c.ends[0].text.data ? "params/to" : "params/from");
	if (!name_change(e, c.ends) ||
	    !tn_edit_word(e, e->params, "type", "params/type", tn_edit_doors, &c.type) ||
	    !read_percent(&c))
		return false;
	type = tn_edit_param(e->params, "type") ? (int)c.type : -1;
	find_written(&c, type, &found);
	if (!found.connect) {
		if (!read_ends(e, c.ends))
			return false;
		find_meant(&c, type, &found);
	}
	if (!found.connect)
		return tn_edit_fail(e, 9002, NULL, "there is no such connection of '%.*s'",
				    TN_EDIT_SHOW(e->target));
	if (found.count > 1)
		return tn_edit_fail(e, 9003, NULL,
				    "there are %u such connections; tell their sides, type, or at",
				    found.count);
	return tn_edit_cut_statement(e, found.connect->tokens);
}
