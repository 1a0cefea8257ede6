#include "apps/floorplan/mcp/answer.h"

#include "apps/floorplan/plan/metrics.h"
#include "jsonrpc/json_write.h"

/* ---- pieces ---- */

void tn_floor_put_member_number(struct tn_buf *out, const char *key, double number)
{
	tn_json_put_key(out, key);
	tn_floor_put_number(out, number);
}

void tn_floor_put_point(struct tn_buf *out, double x, double y)
{
	tn_json_begin_object(out);
	tn_floor_put_member_number(out, "x", x);
	tn_floor_put_member_number(out, "y", y);
	tn_json_end_object(out);
}

static void put_size(struct tn_buf *out, const struct tn_floor_rect *rect)
{
	tn_json_put_key(out, "size");
	tn_json_begin_object(out);
	tn_floor_put_member_number(out, "width", rect->width);
	tn_floor_put_member_number(out, "height", rect->height);
	tn_json_end_object(out);
}

static void put_places(struct tn_buf *out, double x, double y, const struct tn_floor_rect *rect)
{
	tn_json_put_key(out, "position");
	tn_floor_put_point(out, x, y);
	tn_json_put_key(out, "resolvedPosition");
	tn_floor_put_point(out, rect->x, rect->y);
	put_size(out, rect);
}

static void put_token(struct tn_buf *out, const struct tn_floor_answer *answer, const char *key,
		      uint32_t token)
{
	if (token != TN_FLOOR_NO_TOKEN)
		tn_json_put_member_str(out, key,
				       tn_floor_token_text(&answer->plan->tree.lexed, token));
}

static void put_line(struct tn_buf *out, const struct tn_floor_answer *answer, uint32_t token)
{
	tn_json_put_member_int(out, "line", answer->plan->tree.lexed.tokens[token].range.line);
}

static void put_label(struct tn_buf *out, struct tn_str label)
{
	if (label.data)
		tn_json_put_member_str(out, "label", label);
}

static void put_relative(struct tn_buf *out, const struct tn_floor_answer *answer,
			 const struct tn_floor_relative *relative)
{
	if (relative->tokens.first == TN_FLOOR_NO_TOKEN)
		return;
	tn_json_put_key(out, "relativePosition");
	tn_json_begin_object(out);
	put_token(out, answer, "direction", relative->word);
	put_token(out, answer, "reference", relative->name);
	tn_floor_put_member_number(
		out, "gap", relative->has_gap ? tn_floor_to_unit(answer->plan, &relative->gap) : 0);
	if (relative->align != TN_FLOOR_NO_ALIGN)
		put_token(out, answer, "alignment", relative->align_token);
	tn_json_end_object(out);
}

/* ---- rooms ---- */

static void put_walls(struct tn_buf *out, const struct tn_floor_room *room)
{
	tn_json_put_key(out, "walls");
	tn_json_begin_object(out);
	for (int side = TN_FLOOR_TOP; side <= TN_FLOOR_LEFT; side++)
		tn_json_put_member_text(out, tn_floor_side_name((enum tn_floor_side)side),
					tn_floor_wall_name(room->walls[side]));
	tn_json_end_object(out);
}

static void put_where_it_applies(struct tn_buf *out, const struct tn_floor_answer *answer,
				 const struct tn_floor_room *room)
{
	if (room->tree->size.there)
		put_token(out, answer, "sizeRef", room->tree->size.name);
	put_relative(out, answer, &room->tree->relative);
	if (room->has_height)
		tn_floor_put_member_number(out, "roomHeight", room->height);
	if (room->tree->elevation.tokens.first != TN_FLOOR_NO_TOKEN)
		tn_floor_put_member_number(out, "elevation", room->elevation);
	if (room->style)
		tn_json_put_member_str(out, "style", room->style->name);
}

static void put_key(struct tn_buf *out, const struct tn_floor_answer *answer,
		    const struct tn_floor_room *room)
{
	if (answer->keys && answer->keys[room->index] > 0)
		tn_json_put_member_int(out, "key", answer->keys[room->index]);
	else
		tn_json_put_member_null(out, "key");
}

static void put_room(struct tn_buf *out, const struct tn_floor_answer *answer,
		     const struct tn_floor_room *room)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "name", room->name);
	tn_json_put_member_str(out, "floor", room->floor->name);
	put_places(out, room->at.x, room->at.y, &room->rect);
	put_label(out, room->label);
	put_walls(out, room);
	tn_floor_put_member_number(
		out, "area",
		tn_floor_area(answer->plan, room->rect.width * room->rect.height, answer->sqm));
	put_where_it_applies(out, answer, room);
	put_key(out, answer, room);
	put_line(out, answer, room->tree->tokens.first);
	tn_json_put_key(out, "subRooms");
	tn_json_begin_array(out);
	for (const struct tn_floor_room *at = room->rooms; at; at = at->next)
		put_room(out, answer, at); /* at most TN_FLOOR_DEPTH_MAX deep */
	tn_json_end_array(out);
	tn_json_end_object(out);
}

/* ---- stairs and lifts ---- */

static void put_stair(struct tn_buf *out, const struct tn_floor_answer *answer,
		      const struct tn_floor_circulation *stair)
{
	put_token(out, answer, "shape", stair->stair->shape_token);
	tn_json_put_member_int(out, "steps", stair->steps);
	tn_floor_put_member_number(out, "rise", stair->rise);
	tn_floor_put_member_number(out, "width", stair->width);
	tn_floor_put_member_number(out, "riser", stair->riser);
	tn_floor_put_member_number(out, "tread", stair->tread);
	put_relative(out, answer, &stair->stair->relative);
	put_line(out, answer, stair->stair->tokens.first);
}

static void put_lift(struct tn_buf *out, const struct tn_floor_answer *answer,
		     const struct tn_floor_circulation *lift)
{
	tn_json_put_key(out, "doors");
	tn_json_begin_array(out);
	for (int side = TN_FLOOR_TOP; side <= TN_FLOOR_LEFT; side++) {
		if (lift->lift_tree->doors & (1u << side))
			tn_json_put_text(out, tn_floor_side_name((enum tn_floor_side)side));
	}
	tn_json_end_array(out);
	put_relative(out, answer, &lift->lift_tree->relative);
	put_line(out, answer, lift->lift_tree->tokens.first);
}

static void put_circulation(struct tn_buf *out, const struct tn_floor_answer *answer, bool lifts)
{
	tn_json_put_key(out, lifts ? "lifts" : "stairs");
	tn_json_begin_array(out);
	for (size_t i = 0; i < answer->floor_count; i++) {
		const struct tn_floor_circulation *at = answer->floors[i]->circulation;

		for (; at; at = at->next) {
			if (at->lift != lifts)
				continue;
			tn_json_begin_object(out);
			tn_json_put_member_str(out, "name", at->name);
			tn_json_put_member_str(out, "floor", at->floor->name);
			put_label(out, at->label);
			tn_json_put_key(out, "position");
			tn_floor_put_point(out, at->rect.x, at->rect.y);
			put_size(out, &at->rect);
			if (lifts)
				put_lift(out, answer, at);
			else
				put_stair(out, answer, at);
			if (at->style)
				tn_json_put_member_str(out, "style", at->style->name);
			tn_json_end_object(out);
		}
	}
	tn_json_end_array(out);
}

/* ---- openings ---- */

static void put_end(struct tn_buf *out, const char *key, const struct tn_floor_room *room)
{
	tn_json_put_member_str(out, key, room ? room->name : TN_STR("outside"));
}

static void put_connection(struct tn_buf *out, const struct tn_floor_opening *opening)
{
	put_end(out, "from", opening->from);
	put_end(out, "to", opening->to);
	if (opening->kind == TN_FLOOR_OPENING_GAP)
		return;
	put_end(out, "opensInto", opening->opens_into);
	tn_json_put_member_text(out, "swing",
				opening->swing == TN_FLOOR_HAND_LEFT ? "left" : "right");
}

static void put_own(struct tn_buf *out, const struct tn_floor_opening *opening)
{
	tn_json_put_member_str(out, "room", opening->room->name);
	tn_json_put_member_text(out, "side", tn_floor_side_name(opening->side));
}

static uint32_t token_of(const struct tn_floor_opening *opening)
{
	const struct tn_floor_wall *wall =
		opening->room ? opening->room->wall_trees[opening->side] : NULL;

	if (opening->connect)
		return opening->connect->tokens.first;
	return wall ? wall->tokens.first : TN_FLOOR_NO_TOKEN;
}

static void put_opening(struct tn_buf *out, const struct tn_floor_answer *answer,
			const struct tn_floor_opening *opening)
{
	static const char *const kinds[] = {"door", "double-door", "opening", "window"};
	uint32_t token = token_of(opening);

	tn_json_begin_object(out);
	if (token != TN_FLOOR_NO_TOKEN)
		put_line(out, answer, token);
	tn_json_put_member_str(out, "floor", opening->floor->name);
	tn_json_put_member_text(out, "kind", kinds[opening->kind]);
	tn_json_put_member_text(out, "orientation",
				opening->horizontal ? "horizontal" : "vertical");
	tn_floor_put_member_number(out, "wallLine", opening->line);
	tn_floor_put_member_number(out, "center", opening->center);
	tn_floor_put_member_number(out, "width", opening->width);
	if (opening->room)
		put_own(out, opening);
	else
		put_connection(out, opening);
	tn_json_end_object(out);
}

/* ---- the whole ---- */

void tn_floor_put_heading(struct tn_buf *out, const struct tn_floor_answer *answer)
{
	const struct tn_floor_plan *plan = answer->plan;
	struct tn_str title = plan->tree.front.title;

	tn_json_put_member_text(out, "unit", tn_floor_unit_name(plan->unit));
	tn_json_put_member_text(out, "areaUnit", answer->sqm ? "sqm" : "sqft");
	if (title.data)
		tn_json_put_member_str(out, "title", title);
	else
		tn_json_put_member_null(out, "title");
	if (plan->tree.front.author.data)
		tn_json_put_member_str(out, "author", plan->tree.front.author);
	tn_json_put_member_int(out, "floorCount", plan->floor_count);
}

void tn_floor_put_facts(struct tn_buf *out, const struct tn_floor_answer *answer)
{
	tn_json_put_key(out, "rooms");
	tn_json_begin_array(out);
	for (size_t i = 0; i < answer->floor_count; i++) {
		for (const struct tn_floor_room *at = answer->floors[i]->rooms; at; at = at->next)
			put_room(out, answer, at);
	}
	tn_json_end_array(out);
	put_circulation(out, answer, false);
	put_circulation(out, answer, true);
	tn_json_put_key(out, "openings");
	tn_json_begin_array(out);
	for (size_t i = 0; i < answer->floor_count; i++) {
		const struct tn_floor_opening *at = answer->floors[i]->openings;

		for (; at; at = at->next) {
			if (at->drawn)
				put_opening(out, answer, at);
		}
	}
	tn_json_end_array(out);
}
