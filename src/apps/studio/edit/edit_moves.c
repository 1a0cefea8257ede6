/* move_resources: many nodes, one change, all or none (studio-canvas.md SC-013). */
#include <stdio.h>

#include "apps/studio/edit/internal.h"

/* A node as it was before anything moved, by its place in the document, which moving leaves alone.
 */
struct was {
	struct tn_studio_rect rect;
	uint32_t parent; /* order + 1; 0: top level */
	bool asked, to_grow;
};

struct moves {
	struct tn_studio_edit *edit;
	struct was *was;
	size_t count;                    /* nodes */
	struct tn_studio_placed *placed; /* that only get another place, not done yet */
	size_t placed_count;
	bool keeps_contents;
};

static uint32_t parent_of(const struct tn_studio_node *node)
{
	return node->parent ? node->parent->order + 1 : 0;
}

static bool remember(struct moves *moves, size_t move_count)
{
	const struct tn_studio_document *document = moves->edit->document;

	moves->count = document->node_count;
	moves->was =
		tn_arena_alloc_array(moves->edit->arena, moves->count + 1, sizeof(*moves->was));
	moves->placed =
		tn_arena_alloc_array(moves->edit->arena, move_count + 1, sizeof(*moves->placed));
	if (!moves->was || !moves->placed)
		return tn_studio_edit_no_memory(moves->edit);
	for (size_t i = 0; i < moves->count; i++)
		moves->was[i] = (struct was){.rect = tn_studio_rect_of(document->nodes[i]),
					     .parent = parent_of(document->nodes[i])};
	return true;
}

/* ---- one of them ---- */

static bool stays_in_its_parent(const struct tn_studio_node *node, const struct tn_json *move)
{
	const struct tn_json *parent = tn_json_get(move, "parentId");
	struct tn_str id = tn_str("", 0);

	(void)tn_json_to_str(parent, &id);
	return !parent || tn_str_equal(id, node->parent_id);
}

static bool do_placed(struct moves *moves)
{
	size_t count = moves->placed_count;

	moves->placed_count = 0;
	return tn_studio_edit_place_all(moves->edit, moves->placed, count) &&
	       tn_studio_edit_index(moves->edit);
}

static void place(struct moves *moves, const struct tn_studio_node *node,
		  const struct tn_json *position)
{
	struct tn_studio_placed *placed = &moves->placed[moves->placed_count];
	double x = 0, y = 0;

	(void)tn_json_to_double(tn_json_get(position, "x"), &x);
	(void)tn_json_to_double(tn_json_get(position, "y"), &y);
	*placed = (struct tn_studio_placed){node, tn_studio_rect_of(node)};
	placed->rect.x = tn_studio_edit_snap(moves->edit, x);
	placed->rect.y = tn_studio_edit_snap(moves->edit, y);
	if (placed->rect.x != node->x || placed->rect.y != node->y)
		moves->placed_count++;
	if (node->parent)
		moves->was[node->parent->order].to_grow = true;
}

static bool move_by_all_rules(struct moves *moves, const struct tn_json *move)
{
	struct tn_str id, parent_id;
	const struct tn_studio_node *parent;

	if (!do_placed(moves) ||
	    !tn_studio_edit_move_one(moves->edit, move, moves->keeps_contents, &id, &parent_id) ||
	    !tn_studio_edit_index(moves->edit))
		return false;
	parent = tn_studio_node_find(moves->edit->document, parent_id);
	if (parent)
		moves->was[parent->order].to_grow = true;
	return true;
}

static bool move_one(struct moves *moves, const struct tn_json *move)
{
	const struct tn_studio_node *node = tn_studio_edit_node(moves->edit, move, "instanceId");
	const struct tn_json *position = tn_json_get(move, "position");

	if (!node)
		return false;
	if (moves->was[node->order].asked)
		return tn_studio_fail(moves->edit->fault, "INVALID_INPUT",
				      "'%.*s' is named twice: send one move for each node",
				      (int)node->id.size, node->id.data);
	moves->was[node->order].asked = true;
	if (tn_json_get(move, "size") || !stays_in_its_parent(node, move))
		return move_by_all_rules(moves, move);
	if (position)
		place(moves, node, position);
	return true;
}

/* Which of them it was; the rest of the fault stays as it is. */
static void say_which(struct moves *moves, size_t index, size_t count)
{
	struct tn_studio_fault *fault = moves->edit->fault;
	char why[sizeof(fault->message)];

	if (!fault || !fault->code || count < 2)
		return;
	(void)snprintf(why, sizeof(why), "%s", fault->message);
	(void)snprintf(fault->message, sizeof(fault->message), "moves[%zu]: %.900s", index, why);
}

/* ---- afterwards ---- */

static bool grow(struct moves *moves)
{
	for (size_t i = 0; i < moves->count; i++) {
		if (moves->was[i].to_grow &&
		    !tn_studio_edit_grow(moves->edit, moves->edit->document->nodes[i]->id))
			return false;
	}
	return tn_studio_edit_index(moves->edit);
}

static bool differs(const struct was *was, const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_rect_of(node);

	return rect.x != was->rect.x || rect.y != was->rect.y || rect.width != was->rect.width ||
	       rect.height != was->rect.height || parent_of(node) != was->parent;
}

/* Those that were asked for, and what was kept in place inside them; and containers that grew. */
static bool is_grown(const struct was *was, const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_rect_of(node);

	return !was->asked && (rect.width != was->rect.width || rect.height != was->rect.height);
}

static void put_list(const struct moves *moves, const char *key, bool grown, struct tn_buf *result)
{
	const struct tn_studio_document *document = moves->edit->document;

	tn_json_put_key(result, key);
	tn_json_begin_array(result);
	for (size_t i = 0; i < moves->count; i++) {
		const struct was *was = &moves->was[i];

		if ((!was->asked && !differs(was, document->nodes[i])) ||
		    is_grown(was, document->nodes[i]) != grown)
			continue;
		tn_json_begin_object(result);
		tn_studio_edit_put_place(document->nodes[i], result);
		tn_json_end_object(result);
	}
	tn_json_end_array(result);
}

static void say(struct moves *moves, const struct tn_json *list)
{
	const struct tn_studio_node *node =
		tn_studio_edit_node(moves->edit, list->first, "instanceId");

	if (list->count == 1 && node)
		tn_studio_edit_say(moves->edit, "Move '%.*s'", (int)node->label.size,
				   node->label.data);
	else
		tn_studio_edit_say(moves->edit, "Move %u resource%s", list->count,
				   list->count == 1 ? "" : "s");
}

static bool move_many(struct tn_studio_edit *edit, const struct tn_json *arguments,
		      struct tn_buf *result)
{
	const struct tn_json *list = tn_json_get(arguments, "moves");
	struct moves moves = {.edit = edit, .keeps_contents = true};
	size_t index = 0;

	(void)tn_json_to_bool(tn_json_get(arguments, "keepContentPlaces"), &moves.keeps_contents);
	if (!remember(&moves, list->count))
		return false;
	for (const struct tn_json *at = list->first; at; at = at->next, index++) {
		if (!move_one(&moves, at)) {
			say_which(&moves, index, list->count);
			return false;
		}
	}
	if (!do_placed(&moves) || !grow(&moves))
		return false;
	say(&moves, list);
	put_list(&moves, "moved", false, result);
	put_list(&moves, "grown", true, result);
	return true;
}

bool tn_studio_edit_moves(struct tn_studio_edit *edit, const struct tn_json *arguments,
			  struct tn_buf *result)
{
	bool snap = true, done;

	(void)tn_json_to_bool(tn_json_get(arguments, "snap"), &snap);
	edit->exact = !snap;
	done = tn_studio_edit_run(edit, move_many, arguments, result);
	edit->exact = false;
	return done;
}
