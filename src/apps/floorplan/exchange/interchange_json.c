/* A plan as JSON (floorplan.md 10.1): what is written, in the plan's unit, with places resolved. */
#include <math.h>

#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/exchange/interchange_piece.h"
#include "apps/floorplan/limits.h"
#include "jsonrpc/json_write.h"

static struct tn_str style_name(const struct tn_floor_plan *plan,
				const struct tn_floor_name *clause)
{
	return tn_floor_is_written(clause->tokens) ? tn_floor_written(plan, clause->name)
						   : tn_str(NULL, 0);
}

/* ---- rooms ---- */

static void put_wall(struct tn_floor_json *j, const struct tn_floor_room *room,
		     enum tn_floor_side side)
{
	const struct tn_floor_wall *wall = room->wall_trees[side];
	const enum tn_floor_wall_type type = room->walls[side];
	const bool opening = type == TN_FLOOR_DOOR || type == TN_FLOOR_WINDOW;
	const bool own_height = wall && tn_floor_is_written(wall->height.tokens);

	if (!wall || (type == TN_FLOOR_SOLID && !own_height))
		return;
	tn_json_put_key(j->out, tn_floor_side_name(side));
	tn_json_begin_object(j->out);
	tn_json_put_member_text(j->out, "type", tn_floor_wall_name(type));
	if (opening && wall->has_at) {
		tn_floor_json_length(j, "at", &wall->at);
		tn_json_put_member_bool(j->out, "percent", wall->at_percent);
	}
	if (opening && wall->size.there)
		tn_floor_json_extent(j, &wall->size);
	if (own_height)
		tn_floor_json_length(j, "wallHeight", &wall->height.length);
	tn_json_end_object(j->out);
}

static void put_rooms(struct tn_floor_json *j, const struct tn_floor_room *room)
{
	tn_json_put_key(j->out, "rooms");
	tn_json_begin_array(j->out);
	for (; room; room = room->next) {
		const struct tn_floor_room_tree *tree = room->tree;

		tn_json_begin_object(j->out);
		tn_json_put_member_str(j->out, "name", room->name);
		tn_floor_json_text(j, "label", room->label);
		tn_floor_json_place(j, &tree->at, room->at);
		tn_floor_json_extent(j, &tree->size);
		tn_floor_json_measure(j, "roomHeight", &tree->height);
		if (tree->elevation.length.number != 0)
			tn_floor_json_measure(j, "elevation", &tree->elevation);
		else
			tn_json_put_member_null(j->out, "elevation");
		tn_floor_json_text(j, "style", style_name(j->plan, &tree->style));
		tn_floor_json_relative(j, &tree->at, &tree->relative);
		tn_json_put_key(j->out, "walls");
		tn_json_begin_object(j->out);
		for (int i = 0; i < 4; i++)
			put_wall(j, room, (enum tn_floor_side)i);
		tn_json_end_object(j->out);
		put_rooms(j, room->rooms); /* at most 8 deep */
		tn_json_end_object(j->out);
	}
	tn_json_end_array(j->out);
}

static void put_floor(struct tn_floor_json *j, const struct tn_floor_floor *floor)
{
	tn_json_begin_object(j->out);
	tn_json_put_member_str(j->out, "id", floor->name);
	tn_floor_json_measure(j, "height", &floor->tree->height);
	put_rooms(j, floor->rooms);
	tn_json_put_key(j->out, "stairs");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (!at->lift)
			tn_floor_json_stair(j, at);
	}
	tn_json_end_array(j->out);
	tn_json_put_key(j->out, "lifts");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next) {
		if (at->lift)
			tn_floor_json_lift(j, at);
	}
	tn_json_end_array(j->out);
	tn_json_end_object(j->out);
}

/* ---- statements ---- */

static void put_end(struct tn_floor_json *j, const char *key, const char *wall_key,
		    const struct tn_floor_end *end)
{
	tn_json_put_member_str(j->out, key,
			       end->outside ? TN_STR("outside")
					    : tn_floor_written(j->plan, end->room));
	tn_json_put_member_text(j->out, wall_key,
				end->side == TN_FLOOR_NO_SIDE ? NULL
							      : tn_floor_side_name(end->side));
}

/* The floor that an end names; NULL data: none does. */
static struct tn_str floor_of(const struct tn_floor_plan *plan,
			      const struct tn_floor_connect_tree *connect)
{
	if (!connect->from.outside && connect->from.floor != TN_FLOOR_NO_TOKEN)
		return tn_floor_written(plan, connect->from.floor);
	if (!connect->to.outside && connect->to.floor != TN_FLOOR_NO_TOKEN)
		return tn_floor_written(plan, connect->to.floor);
	return tn_str(NULL, 0);
}

static void put_connection(struct tn_floor_json *j, const struct tn_floor_connect_tree *connect)
{
	const bool leaf = connect->type != TN_FLOOR_OPENING;
	const bool left = connect->has_swing && connect->swing == TN_FLOOR_HAND_LEFT;

	tn_json_begin_object(j->out);
	tn_floor_json_text(j, "floor", floor_of(j->plan, connect));
	put_end(j, "from", "fromWall", &connect->from);
	put_end(j, "to", "toWall", &connect->to);
	if (!connect->to.outside && connect->to.floor != TN_FLOOR_NO_TOKEN &&
	    !tn_str_equal(floor_of(j->plan, connect), tn_floor_written(j->plan, connect->to.floor)))
		tn_json_put_member_str(j->out, "toFloor",
				       tn_floor_written(j->plan, connect->to.floor));
	tn_json_put_member_text(j->out, "type", tn_floor_connection_name(connect->type));
	tn_floor_json_number(j, "at", connect->has_at ? connect->at : 50);
	tn_floor_json_extent(j, &connect->size);
	tn_json_put_member_bool(j->out, "full", connect->size.there && connect->size.full);
	tn_floor_json_text(j, "opensInto",
			   leaf ? tn_floor_opens_into(j->plan, connect) : tn_str(NULL, 0));
	tn_json_put_member_text(j->out, "swing", leaf ? left ? "left" : "right" : NULL);
	tn_json_end_object(j->out);
}

static void put_vertical(struct tn_floor_json *j, const struct tn_floor_vertical_tree *vertical)
{
	tn_json_begin_array(j->out);
	for (const struct tn_floor_link *at = vertical->links; at; at = at->next) {
		tn_json_begin_object(j->out);
		tn_json_put_member_str(j->out, "floor", tn_floor_written(j->plan, at->floor));
		tn_json_put_member_str(j->out, "element", tn_floor_written(j->plan, at->element));
		tn_json_end_object(j->out);
	}
	tn_json_end_array(j->out);
}

static void put_property(struct tn_floor_json *j, const char *key,
			 const struct tn_floor_property *property)
{
	const bool is_truth =
		property->kind == TN_FLOOR_VALUE_WORD &&
		(tn_str_is(property->text, "true") || tn_str_is(property->text, "false"));

	if (property->kind == TN_FLOOR_VALUE_LENGTH)
		tn_floor_json_length(j, key, &property->length);
	else if (property->kind == TN_FLOOR_VALUE_SIZE)
		tn_floor_json_size(j, key, &property->size);
	else if (is_truth)
		tn_json_put_member_bool(j->out, key, tn_str_is(property->text, "true"));
	else
		tn_json_put_member_str(j->out, key, property->text);
}

static void put_config(struct tn_floor_json *j)
{
	struct tn_floor_setting settings[TN_FLOOR_SETTINGS_MAX];
	const size_t count = tn_floor_settings_written(j->plan, settings);

	tn_json_put_key(j->out, "config");
	tn_json_begin_object(j->out);
	for (size_t i = 0; i < count; i++)
		put_property(j, settings[i].key, settings[i].property);
	tn_json_end_object(j->out);
}

static void put_styles(struct tn_floor_json *j)
{
	tn_json_put_key(j->out, "styles");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_style *style = j->plan->styles; style; style = style->next) {
		tn_json_begin_object(j->out);
		tn_json_put_member_str(j->out, "name", style->name);
		for (size_t i = 0; i < 6; i++) {
			const char *key = tn_floor_style_keys[i];
			const struct tn_floor_property *property =
				tn_floor_property_last(style->tree->properties, key, key);

			if (property)
				put_property(j, key, property);
		}
		tn_json_end_object(j->out);
	}
	tn_json_end_array(j->out);
}

static void put_plan(struct tn_floor_json *j)
{
	const struct tn_floor_tree *tree = &j->plan->tree;

	tn_json_begin_object(j->out);
	tn_json_put_member_text(j->out, "format", "floorplan/1");
	tn_json_put_member_text(j->out, "language", "1.0");
	tn_json_put_member_text(j->out, "unit", tn_floor_unit_name(j->plan->unit));
	tn_floor_json_text(j, "title", tree->front.title);
	if (tree->front.description.data)
		tn_json_put_member_str(j->out, "description", tree->front.description);
	if (tree->front.author.data)
		tn_json_put_member_str(j->out, "author", tree->front.author);
	put_config(j);
	put_styles(j);
	tn_json_put_key(j->out, "floors");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_floor *at = j->plan->floors; at; at = at->next)
		put_floor(j, at);
	tn_json_end_array(j->out);
	tn_json_put_key(j->out, "connections");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_connect_tree *at = tree->connections; at; at = at->next)
		put_connection(j, at);
	tn_json_end_array(j->out);
	tn_json_put_key(j->out, "verticals");
	tn_json_begin_array(j->out);
	for (const struct tn_floor_vertical_tree *at = tree->verticals; at; at = at->next)
		put_vertical(j, at);
	tn_json_end_array(j->out);
	tn_json_end_object(j->out);
}

/* Lengths that were converted lose a little with six decimals, and a place that hangs on them may
 * then differ in the last one. So such places are those of the plan that a reader of this JSON
 * makes. */
static enum tenon_code put_as_read(struct tn_buf *out, size_t start, struct tenon_error *err)
{
	struct tn_floor_plan *plan = NULL;
	struct tn_json *json = NULL;
	struct tn_buf text, ignored;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&text, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_init(&ignored, TN_FLOOR_TEXT_BYTES_MAX); /* warnings and faults: not asked for */
	code = tn_json_parse_copy(&arena, tn_str(out->data + start, out->size - start), &json, err);
	if (code == TENON_OK)
		code = tn_floor_import(json, tn_str("", 0), &text, &ignored, &ignored, err);
	if (code == TENON_OK)
		code = tn_floor_plan_create(tn_buf_str(&text), false, &plan, err);
	if (code == TENON_OK && plan->tree.parses) {
		struct tn_floor_json again = {.out = out, .plan = plan};

		out->size = start;
		put_plan(&again);
		code = tn_buf_check(out, err);
	}
	tn_floor_plan_free(plan);
	tn_buf_finish(&ignored);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tn_floor_put_json(struct tn_buf *out, const struct tn_floor_plan *plan,
				  struct tenon_error *err)
{
	struct tn_floor_json json = {.out = out, .plan = plan};
	struct tenon_error ignored;
	const size_t start = out->size;
	enum tenon_code code;

	put_plan(&json);
	code = tn_buf_check(out, err);
	if (code != TENON_OK || !json.rounded || !json.relative)
		return code;
	code = put_as_read(out, start, &ignored);
	/* What cannot be read back (a size that six decimals make 0) stays as it is. */
	return code == TENON_NO_MEMORY ? tn_fail(err, code, "no memory for the JSON")
				       : tn_buf_check(out, err);
}
