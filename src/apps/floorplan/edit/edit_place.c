/* Where a room is and how large: move_room and resize_room, and pinning what hangs on a room
 * (floorplan.md 8.3). */
#include "apps/floorplan/edit/internal.h"

/* ---- pinning ---- */

static bool pin_room(struct tn_edit *e, const struct tn_floor_room *room, bool and_updates)
{
	const struct tn_floor_room_tree *tree = room->tree;
	bool has_at = tn_edit_written(tree->at.tokens);

	if (has_at && !and_updates)
		return true;
	if (!has_at && !room->placed)
		return tn_edit_fail(e, 9007, NULL,
				    "'%.*s' is placed relative to this room and has no place that "
				    "could be written; give it at (X,Y) first",
				    TN_EDIT_SHOW(room->name));
	tn_edit_affect_room(e, room, has_at ? "updated" : "pinned");
	return tn_edit_pin(e, tree->name, &tree->at, &tree->relative, room->at.x, room->at.y);
}

static bool pin_stair(struct tn_edit *e, const struct tn_floor_circulation *one, bool and_updates)
{
	const struct tn_floor_at *at = one->lift ? &one->lift_tree->at : &one->stair->at;
	bool has_at = tn_edit_written(at->tokens);

	if (has_at && !and_updates)
		return true;
	if (!has_at && !one->placed)
		return tn_edit_fail(e, 9007, NULL,
				    "'%.*s' is placed relative to this room and has no place that "
				    "could be written; give it at (X,Y) first",
				    TN_EDIT_SHOW(one->name));
	tn_edit_affect_stair(e, one, has_at ? "updated" : "pinned");
	return tn_edit_pin(e, one->lift ? one->lift_tree->name : one->stair->name, at,
			   one->lift ? &one->lift_tree->relative : &one->stair->relative,
			   one->rect.x, one->rect.y);
}

bool tn_edit_pin_dependents(struct tn_edit *e, const struct tn_floor_room *room, bool and_updates)
{
	for (const struct tn_floor_room *at = tn_edit_siblings(room); at; at = at->next) {
		if (at != room &&
		    tn_edit_relative_means(e, &at->tree->relative, at->floor, at->parent, room) &&
		    !pin_room(e, at, and_updates))
			return false;
	}
	for (const struct tn_floor_circulation *at = room->floor->circulation; at; at = at->next) {
		const struct tn_floor_relative *relative =
			at->lift ? &at->lift_tree->relative : &at->stair->relative;

		if (tn_edit_relative_means(e, relative, room->floor, NULL, room) &&
		    !pin_stair(e, at, and_updates))
			return false;
	}
	return true;
}

/* ---- move ---- */

static bool is_at(const struct tn_edit *e, const struct tn_floor_at *at,
		  const struct tn_edit_length *x, const struct tn_edit_length *y)
{
	double dx, dy;

	if (!tn_edit_written(at->tokens))
		return false;
	dx = tn_floor_to_unit(e->plan, &at->x) - x->in_plan;
	dy = tn_floor_to_unit(e->plan, &at->y) - y->in_plan;
	return dx < 5e-7 && dx > -5e-7 && dy < 5e-7 && dy > -5e-7;
}

static bool write_at(struct tn_edit *e, uint32_t name, const struct tn_edit_length *x,
		     const struct tn_edit_length *y)
{
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	tn_buf_append_text(&out, " at (");
	tn_edit_put_length(&out, x);
	tn_buf_append_byte(&out, ',');
	tn_edit_put_length(&out, y);
	tn_buf_append_byte(&out, ')');
	text = tn_edit_keep(e, &out);
	return text.data && tn_edit_put_behind(e, name, text);
}

static bool move(struct tn_edit *e, const struct tn_floor_room *room,
		 const struct tn_edit_length *x, const struct tn_edit_length *y, bool pins)
{
	const struct tn_floor_room_tree *tree = room->tree;

	if (is_at(e, &tree->at, x, y))
		return true;
	if (pins && !tn_edit_pin_dependents(e, room, false))
		return false;
	e->moves = room;
	if (tn_edit_written(tree->relative.tokens) && !tn_edit_cut_clause(e, tree->relative.tokens))
		return false;
	if (!tn_edit_written(tree->at.tokens))
		return write_at(e, tree->name, x, y);
	return tn_edit_put_number(e, &tree->at.x, x, "params/x", false) &&
	       tn_edit_put_number(e, &tree->at.y, y, "params/y", false);
}

bool tn_edit_move_room(struct tn_edit *e)
{
	static const char *const fields[] = {"x", "y", "pinDependents", NULL};
	const struct tn_json *x = tn_edit_param(e->params, "x"), *y = tn_edit_param(e->params, "y");
	const struct tn_floor_room *room;
	struct tn_edit_length to_x, to_y;
	bool pins = false;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &room))
		return false;
	if (!x || !y)
		return tn_edit_missing(e, x ? "params/y" : "params/x");
	if (!tn_edit_length(e, x, "params/x", false, &to_x) ||
	    !tn_edit_length(e, y, "params/y", false, &to_y) ||
	    !tn_edit_flag(e, "pinDependents", &pins))
		return false;
	return move(e, room, &to_x, &to_y, pins);
}

/* ---- resize ---- */

static const struct tn_floor_size *defined(const struct tn_edit *e, uint32_t name)
{
	const struct tn_floor_define_tree *at = e->plan->tree.defines;

	while (at && !tn_str_equal(tn_edit_token(e, at->name), tn_edit_token(e, name)))
		at = at->next;
	return at ? &at->size : NULL;
}

static void put_extent(const struct tn_edit *e, struct tn_buf *out,
		       const struct tn_floor_length *before, const struct tn_edit_length *value)
{
	if (value)
		tn_edit_put_length(out, value);
	else {
		tn_buf_append_str(out, tn_edit_token(e, before->digits));
		tn_buf_append_text(out, tn_floor_unit_name(before->unit));
	}
}

/* A named size becomes one of its own; what does not change is written as the define has it. */
static bool write_size(struct tn_edit *e, const struct tn_floor_size *size,
		       const struct tn_edit_length *width, const struct tn_edit_length *height)
{
	const struct tn_floor_size *before = defined(e, size->name);
	struct tn_str name = tn_edit_token(e, size->name), text;
	struct tn_buf out;

	if (!before && (!width || !height))
		return tn_edit_fail(e, 9002, NULL,
				    "size '%.*s' is not defined; send width and height",
				    TN_EDIT_SHOW(name));
	if (before && (!width || tn_floor_to_unit(e->plan, &before->width) == width->in_plan) &&
	    (!height || tn_floor_to_unit(e->plan, &before->height) == height->in_plan))
		return true;
	tn_edit_begin(&out);
	tn_buf_append_byte(&out, '(');
	put_extent(e, &out, before ? &before->width : NULL, width);
	tn_buf_append_text(&out, " x ");
	put_extent(e, &out, before ? &before->height : NULL, height);
	tn_buf_append_byte(&out, ')');
	text = tn_edit_keep(e, &out);
	return text.data && tn_edit_replace(e, size->name, text);
}

/* A side that is not told (NULL) stays as it is. */
static bool resize(struct tn_edit *e, const struct tn_floor_room *room,
		   const struct tn_edit_length *width, const struct tn_edit_length *height)
{
	const struct tn_floor_size *size = &room->tree->size;

	if (size->name != TN_FLOOR_NO_TOKEN)
		return write_size(e, size, width, height);
	return (!width || tn_edit_put_number(e, &size->width, width, "params/width", true)) &&
	       (!height || tn_edit_put_number(e, &size->height, height, "params/height", true));
}

/* Absent: NULL. */
static bool read_extent(struct tn_edit *e, const char *key, const char *field,
			struct tn_edit_length *memory, const struct tn_edit_length **ret)
{
	const struct tn_json *value = tn_edit_param(e->params, key);

	*ret = value ? memory : NULL;
	return !value || tn_edit_length(e, value, field, true, memory);
}

bool tn_edit_resize_room(struct tn_edit *e)
{
	static const char *const fields[] = {"width", "height", "pinDependents", NULL};
	const struct tn_floor_room *room;
	struct tn_edit_length memory[2];
	const struct tn_edit_length *width, *height;
	bool pins = false;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_target(e, &room) ||
	    !read_extent(e, "width", "params/width", &memory[0], &width) ||
	    !read_extent(e, "height", "params/height", &memory[1], &height) ||
	    !tn_edit_flag(e, "pinDependents", &pins))
		return false;
	if (!width && !height)
		return tn_edit_fail(e, 9001, "params", "send 'width', 'height' or both");
	if (!resize(e, room, width, height))
		return false;
	if (e->cut_count == 0)
		return true;
	e->moves = room;
	return !pins || tn_edit_pin_dependents(e, room, false);
}
