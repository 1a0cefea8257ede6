/* move_resource: place, size, container and module of a node (studio.md 6.3). */
#include "apps/studio/edit/internal.h"

struct move {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	struct tn_str id, parent_id, module_id; /* as they will be; empty: none */
	struct tn_studio_rect rect;
	bool reparented, sized, other_module;
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
static bool check_children(struct move *move, const struct tn_studio_node *node,
			   const struct tn_studio_node *parent)
{
	if (!node->type || !node->type->is_annotation)
		return true;
	for (const struct tn_studio_node *at = node->first_child; at; at = at->next_sibling) {
		if (!tn_studio_edit_check_parent(move->edit, at->type, parent, 0) ||
		    !check_children(move, at, parent))
			return false;
	}
	return true;
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
	if (!tn_studio_edit_check_parent(move->edit, node->type, parent,
					 levels_below(move->edit->document, node)) ||
	    !check_children(move, node, parent))
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

static void choose_size(struct move *move, const struct tn_studio_node *node)
{
	const struct tn_json *size = tn_json_get(move->arguments, "size");
	int32_t width = TN_STUDIO_GRID, height = TN_STUDIO_GRID;

	if (!size)
		return;
	if (node->type && node->type->min_width > width)
		width = node->type->min_width;
	if (node->type && node->type->min_height > height)
		height = node->type->min_height;
	if (tn_studio_holds_nodes(node))
		tn_studio_needed_size(node, &width, &height);
	move->rect.width = at_least(tn_studio_edit_snap(move->edit, number(size, "width")), width);
	move->rect.height =
		at_least(tn_studio_edit_snap(move->edit, number(size, "height")), height);
	move->sized = true;
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

static bool answer(struct move *move, struct tn_buf *result)
{
	const struct tn_studio_node *node;
	struct tn_studio_rect rect;

	if (!tn_studio_edit_index(move->edit))
		return false;
	node = tn_studio_node_find(move->edit->document, move->id);
	rect = tn_studio_rect_of(node);
	tn_json_put_member_str(result, "instanceId", move->id);
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
	return tn_studio_edit_put_diagnostics(move->edit, move->id, false, result);
}

static bool move_node(struct tn_studio_edit *edit, const struct tn_json *arguments,
		      struct tn_buf *result)
{
	const struct tn_studio_node *node = tn_studio_edit_node(edit, arguments, "instanceId");
	struct move move = {.edit = edit, .arguments = arguments};
	struct tn_str old_module;

	if (!node)
		return false;
	tn_studio_edit_say(edit, "Move '%.*s'", (int)node->label.size, node->label.data);
	move.id = tn_studio_keep(edit, node->id);
	old_module = move.module_id = tn_studio_keep(edit, node->module_id);
	move.rect = (struct tn_studio_rect){node->x, node->y, node->width, node->height};
	if (!choose_parent(&move, node) || !choose_module(&move, node))
		return false;
	choose_place(&move, node);
	choose_size(&move, node);
	return put_node(&move) && move_children(&move, old_module) &&
	       (!move.reparented || (tn_studio_drop_by_place(edit, move.id) &&
				     tn_studio_switch_on_by_place(edit, move.id))) &&
	       tn_studio_edit_grow(edit, move.parent_id) && answer(&move, result);
}

bool tn_studio_edit_move(struct tn_studio_edit *edit, const struct tn_json *arguments,
			 struct tn_buf *result)
{
	return tn_studio_edit_run(edit, move_node, arguments, result);
}
