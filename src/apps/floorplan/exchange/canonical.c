/* A plan as text in canonical order (floorplan.md 3.2, 10.1): two blanks a level, one element a
 * line, numbers and units as they are written. */
#include <stdio.h>

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/exchange/canonical_piece.h"
#include "jsonrpc/json_write.h"

/* ---- rooms ---- */

static void put_wall(struct tn_canon *c, const struct tn_floor_room *room, enum tn_floor_side side)
{
	const struct tn_floor_wall *wall = room->wall_trees[side];
	const enum tn_floor_wall_type type = room->walls[side];

	tn_buf_format(c->out, "%s%s: %s", side == TN_FLOOR_TOP ? "" : ", ",
		      tn_floor_side_name(side), tn_floor_wall_name(type));
	if (!wall)
		return;
	/* On solid and open sides they are ignored (FP4013). */
	if (type == TN_FLOOR_DOOR || type == TN_FLOOR_WINDOW) {
		if (wall->has_at) {
			tn_buf_append_text(c->out, " at ");
			tn_canon_length(c, &wall->at);
			if (wall->at_percent)
				tn_buf_append_byte(c->out, '%');
			if (wall->at.unit != TN_FLOOR_NO_UNIT)
				tn_canon_note(c, TN_CANON_UNITS, wall->at.digits);
		}
		if (wall->size.there) {
			tn_buf_append_text(c->out, " size ");
			tn_canon_size(c, &wall->size);
		}
	}
	tn_canon_measure(c, "height", &wall->height);
}

static void put_rooms(struct tn_canon *c, const struct tn_floor_room *room, unsigned depth)
{
	for (; room; room = room->next) {
		const struct tn_floor_room_tree *tree = room->tree;

		tn_buf_format(c->out, "%*s%s ", (int)(2 * depth), "",
			      room->parent ? "sub-room" : "room");
		tn_buf_append_str(c->out, room->name);
		tn_canon_at(c, &tree->at);
		tn_buf_append_text(c->out, " size ");
		tn_canon_size(c, &tree->size);
		tn_canon_measure(c, "height", &tree->height);
		if (tree->elevation.length.number != 0)
			tn_canon_measure(c, "elevation", &tree->elevation);
		tn_buf_append_text(c->out, " walls [");
		for (int i = 0; i < 4; i++)
			put_wall(c, room, (enum tn_floor_side)i);
		tn_buf_append_byte(c->out, ']');
		tn_canon_relative(c, &tree->at, &tree->relative, room->parent != NULL);
		tn_canon_label(c, &tree->label);
		if (room->rooms) {
			tn_buf_append_text(c->out, " composed of [\n");
			put_rooms(c, room->rooms, depth + 1); /* at most 8 deep */
			tn_buf_format(c->out, "%*s]", (int)(2 * depth), "");
		}
		tn_canon_style(c, &tree->style);
		tn_buf_append_byte(c->out, '\n');
	}
}

static void put_floor(struct tn_canon *c, const struct tn_floor_floor *floor)
{
	tn_buf_append_text(c->out, "  floor ");
	tn_buf_append_str(c->out, floor->name);
	tn_canon_measure(c, "height", &floor->tree->height);
	tn_buf_append_text(c->out, " {\n");
	put_rooms(c, floor->rooms, 2);
	for (const struct tn_floor_stair_tree *at = floor->tree->stairs; at; at = at->next)
		tn_canon_stair(c, at);
	for (const struct tn_floor_lift_tree *at = floor->tree->lifts; at; at = at->next)
		tn_canon_lift(c, at);
	tn_buf_append_text(c->out, "  }\n");
}

/* ---- statements ---- */

static void put_end(struct tn_canon *c, const struct tn_floor_end *end)
{
	if (end->outside) {
		tn_buf_append_text(c->out, "outside");
		return;
	}
	if (end->floor != TN_FLOOR_NO_TOKEN) {
		tn_canon_note(c, TN_CANON_FLOOR, end->floor);
		tn_buf_append_str(c->out, tn_floor_written(c->plan, end->floor));
		tn_buf_append_byte(c->out, '.');
	}
	tn_buf_append_str(c->out, tn_floor_written(c->plan, end->room));
	if (end->side != TN_FLOOR_NO_SIDE)
		tn_buf_format(c->out, ".%s", tn_floor_side_name(end->side));
}

static void put_connection(struct tn_canon *c, const struct tn_floor_connect_tree *connect)
{
	const bool leaf = connect->type != TN_FLOOR_OPENING;
	const struct tn_str into = tn_floor_opens_into(c->plan, connect);

	tn_buf_append_text(c->out, "  connect ");
	put_end(c, &connect->from);
	tn_buf_append_text(c->out, " to ");
	put_end(c, &connect->to);
	tn_buf_format(c->out, " %s", tn_floor_connection_name(connect->type));
	if (connect->has_at && connect->at != 50) {
		tn_buf_append_text(c->out, " at ");
		tn_canon_number(c, connect->at);
		tn_buf_append_byte(c->out, '%');
	}
	if (connect->size.there) {
		tn_buf_append_text(c->out, " size ");
		tn_canon_size(c, &connect->size);
	}
	if (leaf && !tn_str_equal(into, tn_floor_opens_default(c->plan, connect))) {
		tn_buf_append_text(c->out, " opens into ");
		tn_buf_append_str(c->out, into);
	}
	if (leaf && connect->has_swing && connect->swing == TN_FLOOR_HAND_LEFT)
		tn_buf_append_text(c->out, " swing: left");
	tn_buf_append_byte(c->out, '\n');
}

static void put_vertical(struct tn_canon *c, const struct tn_floor_vertical_tree *vertical)
{
	tn_buf_append_text(c->out, "  vertical ");
	for (const struct tn_floor_link *at = vertical->links; at; at = at->next) {
		if (at != vertical->links)
			tn_buf_append_text(c->out, " to ");
		tn_buf_append_str(c->out, tn_floor_written(c->plan, at->floor));
		tn_buf_append_byte(c->out, '.');
		tn_buf_append_str(c->out, tn_floor_written(c->plan, at->element));
	}
	tn_buf_append_byte(c->out, '\n');
}

static void put_value(struct tn_canon *c, const struct tn_floor_property *property, bool word)
{
	if (property->kind == TN_FLOOR_VALUE_LENGTH)
		tn_canon_length(c, &property->length);
	else if (property->kind == TN_FLOOR_VALUE_SIZE)
		tn_canon_size(c, &property->size);
	else if (word && (tn_floor_is_name(property->text) || tn_floor_is_reserved(property->text)))
		tn_buf_append_str(c->out, property->text);
	else
		tn_canon_string(c, property->text);
}

static void put_style(struct tn_canon *c, const struct tn_floor_style *style)
{
	bool first = true;

	tn_buf_append_text(c->out, "  style ");
	tn_buf_append_str(c->out, style->name);
	tn_buf_append_text(c->out, " { ");
	for (size_t i = 0; i < 6; i++) {
		const char *key = tn_floor_style_keys[i];
		const struct tn_floor_property *property =
			tn_floor_property_last(style->tree->properties, key, key);

		if (!property)
			continue;
		tn_buf_format(c->out, "%s%s: ", first ? "" : ", ", key);
		put_value(c, property, false);
		first = false;
	}
	tn_buf_append_text(c->out, " }\n");
}

static bool has_unit(const struct tn_floor_property *property)
{
	return (property->kind == TN_FLOOR_VALUE_LENGTH && property->length.unit) ||
	       (property->kind == TN_FLOOR_VALUE_SIZE &&
		(property->size.width.unit || property->size.height.unit));
}

/* The unit is said when it was, and when the order of the text might decide it (4.1). */
static bool says_unit(const struct tn_floor_plan *plan)
{
	if (tn_floor_unit_written(plan))
		return true;
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at; at = at->next) {
		if (at->code == 3020)
			return true;
	}
	return false;
}

static void put_config(struct tn_canon *c)
{
	struct tn_floor_setting settings[TN_FLOOR_SETTINGS_MAX];
	const size_t count = tn_floor_settings_written(c->plan, settings);
	const bool unit = says_unit(c->plan);

	if (count == 0 && !unit)
		return;
	tn_buf_append_text(c->out, "  config { ");
	if (unit)
		tn_buf_format(c->out, "default_unit: %s%s", tn_floor_unit_name(c->plan->unit),
			      count ? ", " : "");
	for (size_t i = 0; i < count; i++) {
		const struct tn_floor_property *property = settings[i].property;

		tn_buf_format(c->out, "%s%s: ", i ? ", " : "", settings[i].key);
		if (has_unit(property))
			tn_canon_note(c, TN_CANON_UNITS, property->tokens.first);
		put_value(c, property, strcmp(settings[i].key, "font_family") != 0);
	}
	tn_buf_append_text(c->out, " }\n");
}

static void put_front(struct tn_canon *c)
{
	const struct tn_floor_front *front = &c->plan->tree.front;
	const struct {
		const char *key;
		struct tn_str text;
	} lines[] = {{"title", front->title},
		     {"description", front->description},
		     {"author", front->author}};
	bool any = false;

	for (size_t i = 0; i < 3; i++) {
		if (!lines[i].text.data)
			continue;
		tn_buf_format(c->out, "%s%s: \"", any ? "" : "---\n", lines[i].key);
		tn_buf_append_str(c->out, lines[i].text); /* only the outer quotes are taken off */
		tn_buf_append_text(c->out, "\"\n");
		any = true;
	}
	if (!any)
		return;
	tn_buf_append_text(c->out, "---\n");
	tn_canon_note(c, TN_CANON_FRONT, TN_FLOOR_NO_TOKEN);
}

/* ---- notes ---- */

static bool has_comments(const struct tn_floor_plan *plan)
{
	const struct tn_floor_lexed *lexed = &plan->tree.lexed;
	uint32_t at = 0;

	for (uint32_t i = 0; i < lexed->count; i++) {
		for (; at < lexed->tokens[i].range.start; at++) {
			if (plan->text.data[at] == '#' || plan->text.data[at] == '/')
				return true;
		}
		if (at < lexed->tokens[i].range.end)
			at = lexed->tokens[i].range.end;
		if (at < lexed->body)
			at = lexed->body;
	}
	for (; at < plan->text.size; at++) { /* behind the last token */
		if (plan->text.data[at] == '#' || plan->text.data[at] == '/')
			return true;
	}
	return false;
}

static void put_notes(struct tn_buf *notes, const struct tn_canon *c)
{
	static const struct {
		const char *feature, *message;
	} table[] = {
		[TN_CANON_NEGATIVE] = {"E1", "negative numbers are kept; readers of language 1.0 "
					     "may refuse them"},
		[TN_CANON_FLOOR] = {"E6", "Floor.Room in connect is kept; readers of language 1.0 "
					  "may refuse it"},
		[TN_CANON_UNITS] = {"E7", "units in the configuration and on wall positions are "
					  "kept; readers of language 1.0 may refuse them"},
		[TN_CANON_FRONT] = {"E9", "front matter with title, description or author is "
					  "kept; readers of language 1.0 may refuse it"},
		[TN_CANON_RELATIVE] = {"E11", "relative positions of sub-rooms, stairs and lifts "
					      "are kept; readers of language 1.0 may refuse them"},
	};

	tn_json_begin_array(notes);
	for (size_t i = 0; i < 5; i++) {
		if (c->notes[i].count == 0)
			continue;
		tn_json_begin_object(notes);
		tn_json_put_member_text(notes, "feature", table[i].feature);
		tn_json_put_member_text(notes, "message", table[i].message);
		tn_json_put_member_int(notes, "count", c->notes[i].count);
		tn_json_put_member_int(notes, "line", c->notes[i].line);
		tn_json_end_object(notes);
	}
	if (has_comments(c->plan)) {
		tn_json_begin_object(notes);
		tn_json_put_member_text(notes, "message", "comments are left out");
		tn_json_end_object(notes);
	}
	tn_json_end_array(notes);
}

enum tenon_code tn_floor_put_canonical(struct tn_buf *out, const struct tn_floor_plan *plan,
				       struct tn_buf *notes, struct tenon_error *err)
{
	struct tn_canon canon = {.out = out, .plan = plan};
	enum tenon_code code;

	put_front(&canon);
	tn_buf_append_text(out, "%%{version: \"1.0\"}%%\nfloorplan\n");
	for (const struct tn_floor_define_tree *at = plan->tree.defines; at; at = at->next) {
		tn_buf_append_text(out, "  define ");
		tn_buf_append_str(out, tn_floor_written(plan, at->name));
		tn_buf_append_byte(out, ' ');
		tn_canon_size(&canon, &at->size);
		tn_buf_append_byte(out, '\n');
	}
	for (const struct tn_floor_style *at = plan->styles; at; at = at->next)
		put_style(&canon, at);
	put_config(&canon);
	for (const struct tn_floor_floor *at = plan->floors; at; at = at->next)
		put_floor(&canon, at);
	for (const struct tn_floor_connect_tree *at = plan->tree.connections; at; at = at->next)
		put_connection(&canon, at);
	for (const struct tn_floor_vertical_tree *at = plan->tree.verticals; at; at = at->next)
		put_vertical(&canon, at);
	if (notes)
		put_notes(notes, &canon);
	code = tn_buf_check(out, err);
	return code == TENON_OK && notes ? tn_buf_check(notes, err) : code;
}
