/* add_room: one line, in canonical order (floorplan.md 8.3). */
#include <stdio.h>

#include "apps/floorplan/edit/internal.h"

struct added {
	struct tn_edit *e;
	const struct tn_floor_floor *floor;
	const struct tn_floor_room *parent; /* NULL: a room of the floor */
	struct tn_str name, size_name, label, style;
	struct tn_edit_length x, y, width, height, room_height;
	bool has_height, is_relative;
	struct tn_edit_relative relative;
	unsigned walls[4];
};

/* ---- reading ---- */

static bool read_size(struct added *a)
{
	static const char *const fields[] = {"width", "height", NULL};
	struct tn_edit *e = a->e;
	const struct tn_json *size = tn_edit_param(e->params, "size"), *width, *height;
	const struct tn_floor_define_tree *define = e->plan->tree.defines;

	if (!tn_edit_text(e, "sizeRef", &a->size_name) ||
	    !tn_edit_only(e, size, "params/size", fields))
		return false;
	if (!size == !a->size_name.data)
		return tn_edit_fail(e, 9001, size ? "params/sizeRef" : "params/size",
				    "send either 'size' or 'sizeRef'");
	if (size) {
		width = tn_edit_param(size, "width");
		height = tn_edit_param(size, "height");
		if (!width || !height)
			return tn_edit_missing(e,
					       width ? "params/size/height" : "params/size/width");
		return tn_edit_length(e, width, "params/size/width", true, &a->width) &&
		       tn_edit_length(e, height, "params/size/height", true, &a->height);
	}
	while (define && !tn_str_equal(tn_edit_token(e, define->name), a->size_name))
		define = define->next;
	if (!define)
		return tn_edit_fail(e, 9002, "params/sizeRef", "there is no size '%.*s'",
				    TN_EDIT_SHOW(a->size_name));
	return true;
}

static bool find_reference(struct added *a, const char *field)
{
	struct tn_edit *e = a->e;
	const struct tn_floor_room *at = a->parent ? a->parent->rooms : a->floor->rooms;

	while (at && !tn_str_equal(at->name, a->relative.reference))
		at = at->next;
	if (at)
		return true;
	return tn_edit_fail(e, 9002, field, "there is no room '%.*s' in '%.*s' to stand beside",
			    TN_EDIT_SHOW(a->relative.reference),
			    TN_EDIT_SHOW(a->parent ? a->parent->name : a->floor->name));
}

static bool read_relative(struct added *a, const struct tn_json *relative)
{
	static const char *const fields[] = {"direction", "reference", "gap", "alignment", NULL};
	struct tn_edit *e = a->e;
	const struct tn_json *gap = tn_edit_param(relative, "gap");
	const char *path = "params/relativePosition/reference";
	unsigned align = UINT32_MAX;

	if (!tn_edit_only(e, relative, "params/relativePosition", fields))
		return false;
	if (!tn_edit_param(relative, "direction"))
		return tn_edit_missing(e, "params/relativePosition/direction");
	if (!tn_json_to_str(tn_json_get(relative, "reference"), &a->relative.reference))
		return tn_edit_fail(e, 9001, path, "'reference' must be the name of a room");
	if (!tn_edit_word(e, relative, "direction", "params/relativePosition/direction",
			  tn_edit_directions, &a->relative.direction) ||
	    !tn_edit_word(e, relative, "alignment", "params/relativePosition/alignment",
			  tn_edit_alignments, &align))
		return false;
	if (align != UINT32_MAX)
		a->relative.align = align + TN_FLOOR_ALIGN_TOP;
	a->relative.has_gap = gap != NULL;
	if (gap && !tn_edit_length(e, gap, "params/relativePosition/gap", false, &a->relative.gap))
		return false;
	if (gap && a->relative.gap.number < 0)
		return tn_edit_fail(e, 9004, "params/relativePosition/gap",
				    "'gap' must not be below 0");
	return find_reference(a, path);
}

static bool read_position(struct added *a)
{
	static const char *const fields[] = {"x", "y", NULL};
	struct tn_edit *e = a->e;
	const struct tn_json *at = tn_edit_param(e->params, "position"), *x, *y;
	const struct tn_json *relative = tn_edit_param(e->params, "relativePosition");

	a->is_relative = relative != NULL;
	if (!at == !relative)
		return tn_edit_fail(e, 9001, at ? "params/relativePosition" : "params/position",
				    "send either 'position' or 'relativePosition'");
	if (relative)
		return read_relative(a, relative);
	if (!tn_edit_only(e, at, "params/position", fields))
		return false;
	x = tn_edit_param(at, "x");
	y = tn_edit_param(at, "y");
	if (!x || !y)
		return tn_edit_missing(e, x ? "params/position/y" : "params/position/x");
	return tn_edit_length(e, x, "params/position/x", false, &a->x) &&
	       tn_edit_length(e, y, "params/position/y", false, &a->y);
}

static bool read_walls(struct added *a)
{
	const struct tn_json *walls = tn_edit_param(a->e->params, "walls");
	char path[32];

	if (!tn_edit_only(a->e, walls, "params/walls", tn_edit_sides))
		return false;
	for (int side = 0; side < 4; side++) {
		(void)snprintf(path, sizeof(path), "params/walls/%s", tn_edit_sides[side]);
		if (!tn_edit_word(a->e, walls, tn_edit_sides[side], path, tn_edit_wall_types,
				  &a->walls[side]))
			return false;
	}
	return true;
}

static bool read_height(struct added *a)
{
	const struct tn_json *height = tn_edit_param(a->e->params, "height");

	a->has_height = height != NULL;
	return !height || tn_edit_length(a->e, height, "params/height", true, &a->room_height);
}

static bool read_container(struct added *a)
{
	struct tn_edit *e = a->e;
	struct tn_str floor = e->floor_name, parent = tn_str(NULL, 0);

	if (!tn_edit_text(e, "floor", &floor) || !tn_edit_text(e, "parent", &parent))
		return false;
	a->floor = e->plan->floors;
	if (floor.size > 0 && !tn_edit_floor(e, floor, "params/floor", &a->floor))
		return false;
	if (parent.data) {
		/* A floor that is named for the room holds for its parent. */
		e->floor_name = floor;
		if (!tn_edit_room(e, parent, "params/parent", &a->parent))
			return false;
		a->floor = a->parent->floor;
	}
	return a->floor || tn_edit_fail(e, 9002, NULL, "the plan has no floor; add one first");
}

static bool read_all(struct added *a)
{
	static const char *const fields[] = {
		"name",  "size",  "sizeRef", "position", "relativePosition", "walls",
		"label", "style", "height",  "floor",    "parent",           NULL};
	struct tn_edit *e = a->e;

	if (!tn_edit_only(e, e->params, "params", fields) || !tn_edit_text(e, "name", &a->name))
		return false;
	if (!a->name.data)
		return tn_edit_missing(e, "params/name");
	if (!read_container(a) || !tn_edit_new_name(e, a->floor, a->name, "params/name") ||
	    !read_size(a) || !read_position(a) || !read_walls(a) || !read_height(a) ||
	    !tn_edit_text(e, "label", &a->label) || !tn_edit_text(e, "style", &a->style))
		return false;
	return !a->style.data || tn_edit_find_style(e, a->style);
}

/* ---- writing ---- */

void tn_edit_put_relative(struct tn_buf *out, const struct tn_edit_relative *relative)
{
	tn_buf_append_byte(out, ' ');
	tn_buf_append_text(out, tn_edit_directions[relative->direction]);
	tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, relative->reference);
	if (relative->has_gap) {
		tn_buf_append_text(out, " gap ");
		tn_edit_put_length(out, &relative->gap);
	}
	if (relative->align != TN_FLOOR_NO_ALIGN) {
		tn_buf_append_text(out, " align ");
		tn_buf_append_text(out, tn_edit_alignments[relative->align - TN_FLOOR_ALIGN_TOP]);
	}
}

static void put_size(const struct added *a, struct tn_buf *out)
{
	tn_buf_append_text(out, " size ");
	if (a->size_name.data) {
		tn_buf_append_str(out, a->size_name);
	} else {
		tn_buf_append_byte(out, '(');
		tn_edit_put_length(out, &a->width);
		tn_buf_append_text(out, " x ");
		tn_edit_put_length(out, &a->height);
		tn_buf_append_byte(out, ')');
	}
	if (a->has_height) {
		tn_buf_append_text(out, " height ");
		tn_edit_put_length(out, &a->room_height);
	}
}

static struct tn_str line_of(const struct added *a)
{
	struct tn_buf out;
	bool good = true;

	tn_edit_begin(&out);
	tn_buf_append_text(&out, a->parent ? "sub-room " : "room ");
	tn_buf_append_str(&out, a->name);
	if (!a->is_relative) {
		tn_buf_append_text(&out, " at (");
		tn_edit_put_length(&out, &a->x);
		tn_buf_append_byte(&out, ',');
		tn_edit_put_length(&out, &a->y);
		tn_buf_append_byte(&out, ')');
	}
	put_size(a, &out);
	for (int side = 0; side < 4; side++)
		tn_buf_format(&out, "%s%s: %s", side ? ", " : " walls [", tn_edit_sides[side],
			      tn_edit_wall_types[a->walls[side]]);
	tn_buf_append_byte(&out, ']');
	if (a->is_relative)
		tn_edit_put_relative(&out, &a->relative);
	if (a->label.size > 0) {
		tn_buf_append_text(&out, " label ");
		good = tn_edit_put_label(a->e, &out, a->label, '"');
	}
	if (a->style.data)
		tn_buf_format(&out, " style %.*s", (int)a->style.size, a->style.data);
	if (!good)
		tn_buf_clear(&out);
	return tn_edit_keep(a->e, &out);
}

/* A parent that is not composed of anything yet. */
static bool put_composed(const struct added *a, struct tn_str line)
{
	struct tn_edit *e = a->e;
	const struct tn_floor_room_tree *tree = a->parent->tree;
	struct tn_str indent = tn_edit_indent(e, tree->word);
	struct tn_str end = tn_edit_line_end(e, tree->tokens.last);
	struct tn_buf out;
	struct tn_str text;

	tn_edit_begin(&out);
	tn_buf_append_text(&out, " composed of [");
	tn_buf_append_str(&out, end);
	tn_buf_append_str(&out, indent);
	tn_buf_append_text(&out, "  ");
	tn_buf_append_str(&out, line);
	tn_buf_append_str(&out, end);
	tn_buf_append_str(&out, indent);
	tn_buf_append_byte(&out, ']');
	text = tn_edit_keep(e, &out);
	/* Canonical order: before the style. */
	return text.data && tn_edit_put_behind(e,
					       tree->tokens.last == tree->style.tokens.last
						       ? tree->style.tokens.first - 1
						       : tree->tokens.last,
					       text);
}

bool tn_edit_add_room(struct tn_edit *e)
{
	struct added a = {.e = e};
	const struct tn_floor_room_tree *last;
	struct tn_str line;
	uint32_t open;

	if (!read_all(&a))
		return false;
	e->target = a.name;
	line = line_of(&a);
	if (e->code != 0 || !line.data)
		return false;
	last = a.parent ? a.parent->tree->rooms : a.floor->tree->rooms;
	while (last && last->next)
		last = last->next;
	if (last)
		return tn_edit_put_line(e, last->word, last->tokens.last, false, line);
	open = a.parent ? a.parent->tree->open : a.floor->tree->open;
	if (open == TN_FLOOR_NO_TOKEN)
		return put_composed(&a, line);
	return tn_edit_put_line(e, open, open, true, line);
}
