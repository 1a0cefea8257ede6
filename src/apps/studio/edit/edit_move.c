/* move_resource: place, size, container and module of a node (studio.md 6.3). */
#include "apps/studio/edit/internal.h"

struct move {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	struct tn_str id, parent_id, module_id; /* as they will be; empty: none */
	struct tn_studio_rect rect;
	struct tn_studio_point inside; /* how far what it holds goes the other way */
	bool reparented, sized, other_module, keep_contents;
};

static double number(const struct tn_json *object, const char *key)
{
	double value = 0;

	(void)tn_json_to_double(tn_json_get(object, key), &value);
	return value;
}

static unsigned levels_below(const struct tn_studio_document *document,
			     const struct tn_studio_node *node)
{
	unsigned deepest = node->depth;

	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *at = document->nodes[i];

		if (at->depth > deepest && tn_studio_is_within(at, node))
			deepest = at->depth;
	}
	return deepest - node->depth;
}

/* What it holds has to fit its new surroundings as well when it is an annotation: the rule looks
 * through it. */
static bool check_children(struct tn_studio_edit *edit, const struct tn_studio_node *node,
			   const struct tn_studio_node *parent)
{
	if (!node->type || !node->type->is_annotation)
		return true;
	for (const struct tn_studio_node *at = node->first_child; at; at = at->next_sibling) {
		if (!tn_studio_edit_check_parent(edit, at->type, parent, 0) ||
		    !check_children(edit, at, parent))
			return false;
	}
	return true;
}

bool tn_studio_edit_check_place(struct tn_studio_edit *edit, const struct tn_studio_node *node,
				const struct tn_studio_node *parent)
{
	return tn_studio_edit_check_parent(edit, node->type, parent,
					   levels_below(edit->document, node)) &&
	       check_children(edit, node, parent);
}

static bool choose_parent(struct move *move, const struct tn_studio_node *node)
{
	const struct tn_json *given = tn_json_get(move->arguments, "parentId");
	const struct tn_studio_node *parent = NULL;

	move->parent_id = tn_studio_keep(move->edit, node->parent_id);
	if (!given)
		return true;
	if (given->type != TN_JSON_NULL) {
		parent = tn_studio_edit_node(move->edit, move->arguments, "parentId");
		if (!parent)
			return false;
	}
	if (parent && (parent == node || tn_studio_is_within(parent, node)))
		return tn_studio_fail(move->edit->fault, "CONTAINMENT_ERROR",
				      "'%.*s' cannot stand in itself or in what it holds",
				      (int)node->label.size, node->label.data);
	if (!tn_studio_edit_check_place(move->edit, node, parent))
		return false;
	move->reparented = parent != node->parent;
	move->parent_id = parent ? tn_studio_keep(move->edit, parent->id) : tn_str(NULL, 0);
	if (move->reparented && parent && !tn_json_get(move->arguments, "moduleId"))
		move->module_id = tn_studio_keep(move->edit, parent->module_id);
	return true;
}

static bool choose_module(struct move *move, const struct tn_studio_node *node)
{
	const struct tn_json *given = tn_json_get(move->arguments, "moduleId");
	struct tn_str id = tn_str(NULL, 0);

	if (given) {
		(void)tn_json_to_str(given, &id);
		move->module_id = id;
	}
	move->other_module = !tn_str_equal(move->module_id, node->module_id);
	return tn_studio_edit_check_module(move->edit, move->module_id);
}

/* Without a position it stays where it is on the canvas. */
static void choose_place(struct move *move, const struct tn_studio_node *node)
{
	const struct tn_json *position = tn_json_get(move->arguments, "position");
	const struct tn_studio_node *parent =
		tn_studio_node_find(move->edit->document, move->parent_id);

	if (position) {
		move->rect.x = tn_studio_edit_snap(move->edit, number(position, "x"));
		move->rect.y = tn_studio_edit_snap(move->edit, number(position, "y"));
	} else if (move->reparented) {
		struct tn_studio_rect place = tn_studio_absolute_rect(node), around = {0, 0, 0, 0};

		if (parent)
			around = tn_studio_absolute_rect(parent);
		move->rect.x = place.x - around.x;
		move->rect.y = place.y - around.y;
	}
}

static int32_t at_least(int32_t value, int32_t least)
{
	return value < least ? least : value;
}

/* ---- resizing ---- */

static void least_size(const struct tn_studio_node *node, int32_t *width, int32_t *height)
{
	*width = *height = TN_STUDIO_GRID;
	if (node->type) {
		*width = at_least(node->type->min_width, *width);
		*height = at_least(node->type->min_height, *height);
	}
}

/* What the contents take up in their container: from where to where, on one axis. */
struct span {
	int32_t from, to;
	bool any;
};

static struct span contents_of(const struct tn_studio_node *node, bool across)
{
	struct span span = {0, 0, false};

	for (const struct tn_studio_node *at = node->first_child; at; at = at->next_sibling) {
		struct tn_studio_rect rect = tn_studio_rect_of(at);
		int32_t from = across ? rect.x : rect.y;
		int32_t to = from + (across ? rect.width : rect.height);

		span.from = !span.any || from < span.from ? from : span.from;
		span.to = !span.any || to > span.to ? to : span.to;
		span.any = true;
	}
	return span;
}

/* One axis of a resizing that leaves the contents where they are on the board: the border goes as
 * far as they allow, and the edge that nobody moved stays. `edge`: room before the first of them.
 */
struct axis {
	int32_t old_from, old_size, from, size, least;
	struct span contents; /* from the old border */
	int32_t edge;
};

static int32_t resize_axis(struct axis *axis)
{
	bool far_edge_stays = axis->from + axis->size == axis->old_from + axis->old_size;
	int32_t to = axis->from + axis->size;

	if (axis->contents.any && axis->from != axis->old_from) {
		int32_t most = axis->old_from + axis->contents.from - axis->edge;

		/* Where they stand nearer to the border already, it stays there. */
		if (most < axis->old_from)
			most = axis->old_from;
		if (axis->from > most)
			axis->from = most;
	}
	if (axis->contents.any && to < axis->old_from + axis->contents.to + TN_STUDIO_PADDING)
		to = axis->old_from + axis->contents.to + TN_STUDIO_PADDING;
	axis->size = at_least(to - axis->from, axis->least);
	if (far_edge_stays && axis->size > to - axis->from)
		axis->from = to - axis->size;
	return axis->from - axis->old_from;
}

static void resize_around(struct move *move, const struct tn_studio_node *node)
{
	struct tn_studio_rect old = tn_studio_rect_of(node);
	struct axis across = {old.x,
			      old.width,
			      move->rect.x,
			      move->rect.width,
			      0,
			      contents_of(node, true),
			      TN_STUDIO_PADDING};
	struct axis down = {old.y,
			    old.height,
			    move->rect.y,
			    move->rect.height,
			    0,
			    contents_of(node, false),
			    TN_STUDIO_HEADER + TN_STUDIO_PADDING};

	least_size(node, &across.least, &down.least);
	if (tn_studio_holds_nodes(node)) {
		int32_t width, height;

		tn_studio_least_size(node, &width, &height);
		across.least = at_least(across.least, width);
		down.least = at_least(down.least, height);
	}
	move->inside = (struct tn_studio_point){resize_axis(&across), resize_axis(&down)};
	move->rect = (struct tn_studio_rect){across.from, down.from, across.size, down.size};
}

static void choose_size(struct move *move, const struct tn_studio_node *node)
{
	const struct tn_json *size = tn_json_get(move->arguments, "size");
	struct tn_studio_rect old = tn_studio_rect_of(node);
	int32_t width, height;

	if (!size)
		return;
	move->sized = true;
	move->rect.width = tn_studio_edit_snap(move->edit, number(size, "width"));
	move->rect.height = tn_studio_edit_snap(move->edit, number(size, "height"));
	if (move->keep_contents && !move->reparented && tn_json_get(move->arguments, "position") &&
	    (move->rect.width != old.width || move->rect.height != old.height)) {
		resize_around(move, node);
		return;
	}
	least_size(node, &width, &height);
	if (tn_studio_holds_nodes(node)) {
		int32_t needed_width, needed_height;

		tn_studio_needed_size(node, &needed_width, &needed_height);
		width = at_least(width, needed_width);
		height = at_least(height, needed_height);
	}
	move->rect.width = at_least(move->rect.width, width);
	move->rect.height = at_least(move->rect.height, height);
}

/* ---- doing ---- */

static bool put_node(struct move *move)
{
	const struct tn_studio_node *node = tn_studio_node_find(move->edit->document, move->id);
	struct tn_studio_draft draft;

	tn_studio_draft_begin(&draft, move->edit, node);
	if (move->reparented)
		tn_studio_draft_text(&draft, "parentId", move->parent_id);
	if (move->other_module)
		tn_studio_draft_text(&draft, "moduleId", move->module_id);
	if (move->rect.x != node->x || move->rect.y != node->y || move->reparented)
		tn_studio_draft_pair(&draft, "position", "x", move->rect.x, "y", move->rect.y);
	if (move->sized && (move->rect.width != node->width || move->rect.height != node->height))
		tn_studio_draft_pair(&draft, "size", "width", move->rect.width, "height",
				     move->rect.height);
	return tn_studio_draft_put(&draft);
}

/* What a node holds belongs to the same module. */
static bool move_children(struct move *move, struct tn_str old_module)
{
	struct tn_studio_edit *edit = move->edit;

	if (!move->other_module)
		return true;
	for (size_t i = 0; i < edit->document->node_count; i++) {
		const struct tn_studio_node *node;
		struct tn_studio_draft draft;

		if (!tn_studio_edit_index(edit))
			return false;
		node = edit->document->nodes[i];
		if (!tn_str_equal(node->module_id, old_module) ||
		    !tn_studio_is_within(node, tn_studio_node_find(edit->document, move->id)))
			continue;
		tn_studio_draft_begin(&draft, edit, node);
		tn_studio_draft_text(&draft, "moduleId", move->module_id);
		if (!tn_studio_draft_put(&draft))
			return false;
	}
	return true;
}

/* The border has moved, they have not. */
static bool keep_contents(struct move *move)
{
	struct tn_studio_edit *edit = move->edit;
	struct tn_studio_placed *placed;
	const struct tn_studio_node *node;
	size_t count = 0;

	if (move->inside.x == 0 && move->inside.y == 0)
		return true;
	if (!tn_studio_edit_index(edit))
		return false;
	node = tn_studio_node_find(edit->document, move->id);
	for (const struct tn_studio_node *at = node->first_child; at; at = at->next_sibling)
		count++;
	placed = tn_arena_alloc_array(edit->arena, count + 1, sizeof(*placed));
	if (!placed)
		return tn_studio_edit_no_memory(edit);
	count = 0;
	for (const struct tn_studio_node *at = node->first_child; at; at = at->next_sibling) {
		placed[count] = (struct tn_studio_placed){at, tn_studio_rect_of(at)};
		placed[count].rect.x -= move->inside.x;
		placed[count++].rect.y -= move->inside.y;
	}
	return tn_studio_edit_place_all(edit, placed, count);
}

void tn_studio_edit_put_place(const struct tn_studio_node *node, struct tn_buf *result)
{
	struct tn_studio_rect rect = tn_studio_rect_of(node);

	tn_json_put_member_str(result, "instanceId", node->id);
	tn_json_put_key(result, "position");
	tn_json_begin_object(result);
	tn_json_put_member_int(result, "x", node->x);
	tn_json_put_member_int(result, "y", node->y);
	tn_json_end_object(result);
	tn_json_put_key(result, "size");
	tn_json_begin_object(result);
	tn_json_put_member_int(result, "width", rect.width);
	tn_json_put_member_int(result, "height", rect.height);
	tn_json_end_object(result);
	if (node->parent_id.size > 0)
		tn_json_put_member_str(result, "parentId", node->parent_id);
}

static bool answer(struct tn_studio_edit *edit, struct tn_str id, struct tn_buf *result)
{
	const struct tn_studio_node *node;

	if (!tn_studio_edit_index(edit))
		return false;
	node = tn_studio_node_find(edit->document, id);
	tn_studio_edit_put_place(node, result);
	return tn_studio_edit_put_diagnostics(edit, id, false, result);
}

bool tn_studio_edit_move_one(struct tn_studio_edit *edit, const struct tn_json *arguments,
			     bool keeps_contents, struct tn_str *ret_id, struct tn_str *ret_parent)
{
	const struct tn_studio_node *node = tn_studio_edit_node(edit, arguments, "instanceId");
	struct move move = {.edit = edit, .arguments = arguments, .keep_contents = keeps_contents};
	struct tn_str old_module;

	if (!node)
		return false;
	tn_studio_edit_say(edit, "Move '%.*s'", (int)node->label.size, node->label.data);
	*ret_id = move.id = tn_studio_keep(edit, node->id);
	old_module = move.module_id = tn_studio_keep(edit, node->module_id);
	move.rect = (struct tn_studio_rect){node->x, node->y, node->width, node->height};
	if (!choose_parent(&move, node) || !choose_module(&move, node))
		return false;
	*ret_parent = move.parent_id;
	choose_place(&move, node);
	choose_size(&move, node);
	return put_node(&move) && move_children(&move, old_module) && keep_contents(&move) &&
	       (!move.reparented || (tn_studio_drop_by_place(edit, move.id) &&
				     tn_studio_switch_on_by_place(edit, move.id)));
}

static bool move_node(struct tn_studio_edit *edit, const struct tn_json *arguments,
		      struct tn_buf *result)
{
	struct tn_str id, parent_id;

	return tn_studio_edit_move_one(edit, arguments, false, &id, &parent_id) &&
	       tn_studio_edit_grow(edit, parent_id) && answer(edit, id, result);
}

bool tn_studio_edit_move(struct tn_studio_edit *edit, const struct tn_json *arguments,
			 struct tn_buf *result)
{
	return tn_studio_edit_run(edit, move_node, arguments, result);
}
