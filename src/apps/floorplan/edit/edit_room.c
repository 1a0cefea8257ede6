/* What a room says of itself: label, style, walls (floorplan.md 8.3). */
#include "apps/floorplan/edit/internal.h"

#include "apps/floorplan/limits.h"

/* ---- label ---- */

bool tn_edit_put_label(struct tn_edit *e, struct tn_buf *out, struct tn_str label, char quote)
{
	if (label.size > TN_FLOOR_LABEL_BYTES_MAX)
		return tn_edit_fail(e, 9004, "params/label",
				    "a label has at most %d bytes; this one has %zu",
				    TN_FLOOR_LABEL_BYTES_MAX, label.size);
	if (tn_str_find_byte(label, quote) != TN_STR_NONE)
		quote = quote == '"' ? '\'' : '"';
	if (tn_str_find_byte(label, quote) != TN_STR_NONE)
		return tn_edit_fail(e, 9008, "params/label",
				    "a label cannot have both kinds of quotes; leave out one");
	tn_buf_append_byte(out, quote);
	tn_buf_append_str(out, label);
	tn_buf_append_byte(out, quote);
	return true;
}

static uint32_t behind_walls(const struct tn_floor_room_tree *tree)
{
	return tn_edit_written(tree->walls.tokens) ? tree->walls.tokens.last
						   : tree->size_clause.last;
}

static bool write_label(struct tn_edit *e, const struct tn_floor_room *room, struct tn_str label)
{
	const struct tn_floor_room_tree *tree = room->tree;
	bool is_there = tn_edit_written(tree->label.tokens);
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	if (!is_there)
		tn_buf_append_text(&out, " label ");
	if (!tn_edit_put_label(e, &out, label,
			       is_there ? tn_edit_token(e, tree->label.string).data[0] : '"')) {
		tn_buf_finish(&out);
		return false;
	}
	text = tn_edit_keep(e, &out);
	if (!text.data)
		return false;
	if (is_there)
		return tn_edit_replace(e, tree->label.string, text);
	return tn_edit_put_behind(e,
				  tn_edit_written(tree->relative.tokens)
					  ? tree->relative.tokens.last
					  : behind_walls(tree),
				  text);
}

bool tn_edit_add_label(struct tn_edit *e)
{
	static const char *const fields[] = {"label", NULL};
	const struct tn_floor_room *room;
	struct tn_str label = tn_str(NULL, 0);

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &room) ||
	    !tn_edit_text(e, "label", &label))
		return false;
	if (!label.data)
		return tn_edit_missing(e, "params/label");
	if (label.size == 0)
		return !tn_edit_written(room->tree->label.tokens) ||
		       tn_edit_cut_clause(e, room->tree->label.tokens);
	if (room->label.data && tn_str_equal(room->label, label))
		return true;
	return write_label(e, room, label);
}

/* ---- style ---- */

static bool style_exists(const struct tn_edit *e, struct tn_str name)
{
	const struct tn_floor_style *at = e->plan->styles;

	while (at && !tn_str_equal(at->name, name))
		at = at->next;
	return at != NULL;
}

bool tn_edit_find_style(struct tn_edit *e, struct tn_str name)
{
	if (style_exists(e, name))
		return true;
	return tn_edit_fail(e, 9002, "params/style", "there is no style '%.*s'",
			    TN_EDIT_SHOW(name));
}

bool tn_edit_set_style(struct tn_edit *e)
{
	static const char *const fields[] = {"style", NULL};
	const struct tn_floor_room *room;
	const struct tn_floor_name *style;
	struct tn_str name = tn_str(NULL, 0);
	const char *text;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &room) ||
	    !tn_edit_text(e, "style", &name))
		return false;
	style = &room->tree->style;
	if (!tn_json_get(e->params, "style"))
		return tn_edit_missing(e, "params/style");
	if (!name.data) /* null */
		return !tn_edit_written(style->tokens) || tn_edit_cut_clause(e, style->tokens);
	if (!tn_edit_find_style(e, name))
		return false;
	if (tn_edit_written(style->tokens))
		return tn_str_equal(tn_edit_token(e, style->name), name) ||
		       tn_edit_replace(e, style->name, name);
	text = tn_arena_format(e->arena, " style %.*s", (int)name.size, name.data);
	return text ? tn_edit_put_behind(e, room->tree->tokens.last, tn_str_from(text))
		    : tn_edit_starve(e);
}

/* ---- walls ---- */

static uint32_t wall_at_end(const struct tn_floor_wall *wall)
{
	uint32_t last =
		wall->at.unit_token != TN_FLOOR_NO_TOKEN ? wall->at.unit_token : wall->at.digits;

	return wall->at_percent ? last + 1 : last;
}

/* 8.3: becoming solid or open drops position and size. */
static bool drop_opening(struct tn_edit *e, const struct tn_floor_wall *wall)
{
	if (wall->has_at && !tn_edit_cut_clause(e, (struct tn_floor_tokens){wall->at.digits - 1,
									    wall_at_end(wall)}))
		return false;
	return !wall->size.there ||
	       tn_edit_cut_clause(e, (struct tn_floor_tokens){wall->size.tokens.first - 1,
							      wall->size.tokens.last});
}

static bool change_wall(struct tn_edit *e, const struct tn_floor_wall *wall, unsigned type)
{
	const char *word = tn_edit_wall_types[type];

	if (!tn_edit_replace(e, wall->type_token, tn_str_from(word)))
		return false;
	return type == TN_FLOOR_DOOR || type == TN_FLOOR_WINDOW || drop_opening(e, wall);
}

/* Sides that are not listed yet: behind the last one, or in a clause of their own. */
static bool put_walls(struct tn_edit *e, const struct tn_floor_room *room,
		      const struct tn_buf *list)
{
	const struct tn_floor_walls *walls = &room->tree->walls;
	const struct tn_floor_wall *last = walls->first;
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	if (!last) {
		tn_buf_append_text(&out, " walls [");
		tn_buf_append_str(&out, tn_str_from_offset(tn_buf_str(list), 2));
		tn_buf_append_byte(&out, ']');
	} else {
		tn_buf_append_str(&out, tn_buf_str(list));
	}
	text = tn_edit_keep(e, &out);
	if (!text.data)
		return false;
	while (last && last->next)
		last = last->next;
	return tn_edit_put_behind(e, last ? last->tokens.last : room->tree->size_clause.last, text);
}

static bool change_walls(struct tn_edit *e, const struct tn_floor_room *room, unsigned types[4])
{
	struct tn_buf list;
	bool good = true;

	tn_edit_begin(&list);
	for (unsigned side = 0; side < 4 && good; side++) {
		const struct tn_floor_wall *wall = room->wall_trees[side];

		if (types[side] == room->walls[side])
			continue;
		if (wall)
			good = change_wall(e, wall, types[side]);
		else
			tn_buf_format(&list, ", %s: %s", tn_edit_sides[side],
				      tn_edit_wall_types[types[side]]);
	}
	if (list.failed)
		good = tn_edit_starve(e);
	if (good && list.size > 0)
		good = put_walls(e, room, &list);
	tn_buf_finish(&list);
	return good;
}

bool tn_edit_update_walls(struct tn_edit *e)
{
	const struct tn_floor_room *room;
	unsigned types[4];

	if (!tn_edit_only(e, e->params, "params", tn_edit_sides) || !tn_edit_target(e, &room))
		return false;
	if (!e->params || e->params->count == 0)
		return tn_edit_fail(e, 9001, "params",
				    "name at least one of top, right, bottom, left");
	for (unsigned side = 0; side < 4; side++) {
		const char *path = tn_arena_format(e->arena, "params/%s", tn_edit_sides[side]);

		types[side] = room->walls[side];
		if (!path)
			return tn_edit_starve(e);
		if (!tn_edit_word(e, e->params, tn_edit_sides[side], path, tn_edit_wall_types,
				  &types[side]))
			return false;
	}
	return change_walls(e, room, types);
}
