/* layout_diagram: automatic layout, of all or a part, and lining up what was chosen (12.3). */
#include <stdlib.h>

#include "apps/studio/edit/internal.h"
#include "base/size.h"
#include "store/limits.h"

struct chosen { /* nodes that arguments name, in node order */
	const struct tn_studio_node **nodes;
	size_t count;
	bool *marks; /* of all nodes, by order */
};

static bool choose(struct tn_studio_edit *edit, const struct tn_json *ids, struct chosen *ret)
{
	const struct tn_studio_document *document = edit->document;
	size_t i;

	ret->count = 0;
	ret->marks = tn_arena_alloc_array(edit->arena, document->node_count + 1, sizeof(bool));
	ret->nodes = tn_arena_alloc_array(edit->arena, document->node_count + 1,
					  sizeof(const struct tn_studio_node *));
	if (!ret->marks || !ret->nodes)
		return tn_studio_edit_no_memory(edit);
	for (const struct tn_json *at = ids->first; at; at = at->next) {
		struct tn_str id = tn_str("", 0);
		const struct tn_studio_node *node;

		(void)tn_json_to_str(at, &id);
		node = tn_studio_node_find(document, id);
		if (!node)
			return tn_studio_fail(edit->fault, "NOT_FOUND",
					      "instanceIds: there is no resource '%.*s'",
					      (int)(id.size < 80 ? id.size : 80), id.data);
		ret->marks[node->order] = true;
	}
	for (i = 0; i < document->node_count; i++)
		if (ret->marks[i])
			ret->nodes[ret->count++] = document->nodes[i];
	return true;
}

/* ---- lining up ---- */

struct piece { /* along one axis, absolute */
	int32_t at, size, middle;
	size_t index; /* in the selection */
};

struct lining {
	struct tn_studio_rect *rects; /* absolute, of the selection */
	size_t count;
};

/* What lies inside something else that was chosen goes along with it. */
static void drop_inner(struct chosen *chosen)
{
	const struct tn_studio_node *above;
	size_t kept = 0, i;

	for (i = 0; i < chosen->count; i++) {
		for (above = chosen->nodes[i]->parent; above; above = above->parent)
			if (chosen->marks[above->order])
				break;
		if (!above)
			chosen->nodes[kept++] = chosen->nodes[i];
	}
	chosen->count = kept;
}

/* 0: the near edges, 1: the middles, 2: the far edges. */
static void align(struct lining *lining, bool horizontal, int where)
{
	int32_t near = INT32_MAX, far = INT32_MIN;
	size_t i;

	for (i = 0; i < lining->count; i++) {
		const struct tn_studio_rect *rect = &lining->rects[i];
		int32_t from = horizontal ? rect->x : rect->y;
		int32_t to = from + (horizontal ? rect->width : rect->height);

		near = from < near ? from : near;
		far = to > far ? to : far;
	}
	for (i = 0; i < lining->count; i++) {
		struct tn_studio_rect *rect = &lining->rects[i];
		int32_t size = horizontal ? rect->width : rect->height;
		int32_t *at = horizontal ? &rect->x : &rect->y;

		*at = where == 0 ? near : where == 1 ? near + (far - near - size) / 2 : far - size;
	}
}

static int by_middle(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	if (left->middle != right->middle)
		return left->middle < right->middle ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

/* The first and the last stay; between them the gaps become equal. */
static bool distribute(struct tn_studio_edit *edit, struct lining *lining, bool horizontal)
{
	struct piece *pieces = tn_arena_alloc_array(edit->arena, lining->count, sizeof(*pieces));
	int64_t room, used = 0;
	size_t i, gaps = lining->count - 1;

	if (!pieces)
		return tn_studio_edit_no_memory(edit);
	for (i = 0; i < lining->count; i++) {
		const struct tn_studio_rect *rect = &lining->rects[i];

		pieces[i].index = i;
		pieces[i].at = horizontal ? rect->x : rect->y;
		pieces[i].size = horizontal ? rect->width : rect->height;
		pieces[i].middle = 2 * pieces[i].at + pieces[i].size;
		used += pieces[i].size;
	}
	qsort(pieces, lining->count, sizeof(*pieces), by_middle);
	room = (int64_t)pieces[gaps].at + pieces[gaps].size - pieces[0].at - used;
	used = 0;
	for (i = 0; i < lining->count; i++) {
		struct tn_studio_rect *rect = &lining->rects[pieces[i].index];
		int64_t at = pieces[0].at + used + room * (int64_t)i / (int64_t)gaps;

		used += pieces[i].size;
		*(horizontal ? &rect->x : &rect->y) = (int32_t)at;
	}
	return true;
}

static const struct {
	const char *name;
	bool horizontal;
	int where;
} alignments[] = {{"left", true, 0}, {"center", true, 1},  {"right", true, 2},
		  {"top", false, 0}, {"middle", false, 1}, {"bottom", false, 2}};

static bool line_up(struct tn_studio_edit *edit, const struct tn_json *arguments,
		    struct chosen *chosen, struct lining *lining)
{
	struct tn_str way = tn_str("", 0), axis = tn_str("", 0);
	size_t i;

	(void)tn_json_to_str(tn_json_get(arguments, "align"), &way);
	(void)tn_json_to_str(tn_json_get(arguments, "distribute"), &axis);
	drop_inner(chosen);
	if (chosen->count < (axis.size > 0 ? 3u : 2u))
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "instanceIds: name at least %d resources that are not inside "
				      "each other to %s them",
				      axis.size > 0 ? 3 : 2,
				      axis.size > 0 ? "distribute" : "align");
	lining->count = chosen->count;
	lining->rects = tn_arena_alloc_array(edit->arena, chosen->count, sizeof(*lining->rects));
	if (!lining->rects)
		return tn_studio_edit_no_memory(edit);
	for (i = 0; i < chosen->count; i++)
		lining->rects[i] = tn_studio_absolute_rect(chosen->nodes[i]);
	for (i = 0; i < TN_COUNT(alignments); i++)
		if (tn_str_is(way, alignments[i].name))
			align(lining, alignments[i].horizontal, alignments[i].where);
	return axis.size == 0 || distribute(edit, lining, tn_str_is(axis, "horizontal"));
}

static int32_t at_least(int32_t value, int32_t least)
{
	return value < least ? least : value;
}

/* Back to places in the parents, inside their padding. */
static bool place_lined(struct tn_studio_edit *edit, const struct chosen *chosen,
			const struct lining *lining, const struct tn_studio_placed **ret)
{
	struct tn_studio_placed *placed =
		tn_arena_alloc_array(edit->arena, chosen->count, sizeof(*placed));
	size_t i;

	if (!placed)
		return tn_studio_edit_no_memory(edit);
	for (i = 0; i < chosen->count; i++) {
		const struct tn_studio_node *node = chosen->nodes[i];
		struct tn_studio_rect old = tn_studio_absolute_rect(node);
		struct tn_studio_rect rect = tn_studio_rect_of(node);

		rect.x += lining->rects[i].x - old.x;
		rect.y += lining->rects[i].y - old.y;
		if (node->parent) {
			rect.x = at_least(rect.x, TN_STUDIO_PADDING);
			rect.y = at_least(rect.y, TN_STUDIO_HEADER + TN_STUDIO_PADDING);
		}
		placed[i] = (struct tn_studio_placed){node, rect};
	}
	*ret = placed;
	return true;
}

/* ---- the operation and the answer ---- */

/* Sizes are written down where they are kept: on containers and notes, and where they were. */
static bool keeps_size(const struct tn_studio_node *node)
{
	return node->width > 0 || node->height > 0 || tn_studio_holds_nodes(node) ||
	       tn_studio_has_size(node->type);
}

static bool has_moved(const struct tn_studio_placed *placed)
{
	const struct tn_studio_node *node = placed->node;

	return node->x != placed->rect.x || node->y != placed->rect.y ||
	       (keeps_size(node) &&
		(node->width != placed->rect.width || node->height != placed->rect.height));
}

static void put_operation(struct tn_buf *operation, const struct tn_studio_placed *placed)
{
	tn_json_begin_object(operation);
	tn_json_put_member_str(operation, "id", placed->node->id);
	tn_json_put_member_int(operation, "x", placed->rect.x);
	tn_json_put_member_int(operation, "y", placed->rect.y);
	if (keeps_size(placed->node)) {
		tn_json_put_member_int(operation, "width", placed->rect.width);
		tn_json_put_member_int(operation, "height", placed->rect.height);
	}
	tn_json_end_object(operation);
}

static void put_answer(struct tn_buf *result, const struct tn_studio_placed *placed)
{
	tn_json_begin_object(result);
	tn_json_put_member_str(result, "instanceId", placed->node->id);
	tn_json_put_key(result, "position");
	tn_json_begin_object(result);
	tn_json_put_member_int(result, "x", placed->rect.x);
	tn_json_put_member_int(result, "y", placed->rect.y);
	tn_json_end_object(result);
	if (keeps_size(placed->node)) {
		tn_json_put_key(result, "size");
		tn_json_begin_object(result);
		tn_json_put_member_int(result, "width", placed->rect.width);
		tn_json_put_member_int(result, "height", placed->rect.height);
		tn_json_end_object(result);
	}
	tn_json_end_object(result);
}

static bool apply(struct tn_studio_edit *edit, struct tn_buf *operation)
{
	bool ok = !operation->failed && tn_studio_edit_apply(edit, tn_buf_str(operation));

	if (operation->failed)
		(void)tn_studio_edit_no_memory(edit);
	tn_buf_finish(operation);
	return ok;
}

/* One operation for all that moved. */
static bool take_over(struct tn_studio_edit *edit, const struct tn_studio_placed *placed,
		      size_t count, struct tn_buf *result)
{
	struct tn_buf operation;
	size_t moved = 0, i;

	tn_buf_init(&operation, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_append_text(&operation, "{\"op\":\"place\",\"nodes\":[");
	tn_json_put_key(result, "moved");
	tn_json_begin_array(result);
	for (i = 0; i < count; i++) {
		if (!has_moved(&placed[i]))
			continue;
		moved++;
		put_operation(&operation, &placed[i]);
		put_answer(result, &placed[i]);
		tn_studio_edit_touch(edit, placed[i].node->id);
	}
	tn_json_end_array(result);
	tn_buf_append_text(&operation, "]}");
	tn_studio_edit_say(edit, "Lay out %zu resource%s", moved, moved == 1 ? "" : "s");
	if (moved > 0)
		return apply(edit, &operation);
	tn_buf_finish(&operation);
	return true;
}

/* ---- which layout ---- */

static struct tn_str setting(const struct tn_studio_document *document,
			     const struct tn_json *arguments, const char *key)
{
	struct tn_str value = tn_str("", 0);

	if (!tn_json_to_str(tn_json_get(arguments, key), &value))
		(void)tn_json_to_str(tn_json_get(tn_json_get(document->config, "layout"), key),
				     &value);
	return value;
}

static enum tn_studio_algorithm algorithm_of(struct tn_str name)
{
	return tn_str_is(name, "hybrid") ? TN_STUDIO_HYBRID : TN_STUDIO_LAYERED;
}

static enum tn_studio_direction direction_of(struct tn_str name)
{
	static const char *const names[] = {[TN_STUDIO_LR] = "LR",
					    [TN_STUDIO_RL] = "RL",
					    [TN_STUDIO_TB] = "TB",
					    [TN_STUDIO_BT] = "BT"};
	unsigned i;

	for (i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i]))
			return (enum tn_studio_direction)i;
	return TN_STUDIO_LR;
}

struct tn_studio_layout_way tn_studio_layout_way_of(const struct tn_studio_document *document,
						    const struct tn_json *arguments)
{
	return (struct tn_studio_layout_way){
		algorithm_of(setting(document, arguments, "algorithm")),
		direction_of(setting(document, arguments, "direction"))};
}

static bool lay_out_chosen(struct tn_studio_edit *edit, const struct tn_json *arguments,
			   const struct chosen *chosen, const struct tn_studio_placed **ret,
			   size_t *ret_count)
{
	struct tn_studio_layout_way way = tn_studio_layout_way_of(edit->document, arguments);
	size_t i;

	*ret_count = 0;
	for (i = 1; i < chosen->count; i++)
		if (chosen->nodes[i]->parent != chosen->nodes[0]->parent)
			return tn_studio_fail(
				edit->fault, "INVALID_INPUT",
				"instanceIds: '%.*s' and '%.*s' stand in different "
				"containers; lay out those of one at a time",
				(int)chosen->nodes[0]->label.size, chosen->nodes[0]->label.data,
				(int)chosen->nodes[i]->label.size, chosen->nodes[i]->label.data);
	if (chosen->count == 0)
		return true;
	return tn_studio_layout_siblings(edit->document, chosen->nodes, chosen->count,
					 way.algorithm, way.direction, edit->arena, ret,
					 ret_count) ||
	       tn_studio_edit_no_memory(edit);
}

/* Ids of the containers around them: records are others once they have been placed. */
static bool list_parents(struct tn_studio_edit *edit, const struct tn_studio_placed *placed,
			 size_t count, struct tn_str **ret, size_t *ret_count)
{
	struct tn_str *ids = tn_arena_alloc_array(edit->arena, count + 1, sizeof(*ids));
	size_t kept = 0, i;

	if (!ids)
		return tn_studio_edit_no_memory(edit);
	for (i = 0; i < count; i++) {
		const struct tn_studio_node *parent = placed[i].node->parent;

		if (parent && (i == 0 || parent != placed[i - 1].node->parent))
			ids[kept++] = tn_studio_keep(edit, parent->id);
	}
	*ret = ids;
	*ret_count = kept;
	return true;
}

static bool place_chosen(struct tn_studio_edit *edit, const struct tn_json *arguments,
			 struct chosen *chosen, const struct tn_studio_placed **ret,
			 size_t *ret_count)
{
	struct lining lining = {NULL, 0};

	if (!tn_json_get(arguments, "align") && !tn_json_get(arguments, "distribute"))
		return lay_out_chosen(edit, arguments, chosen, ret, ret_count);
	if (!line_up(edit, arguments, chosen, &lining) || !place_lined(edit, chosen, &lining, ret))
		return false;
	*ret_count = chosen->count;
	return true;
}

static bool step_chosen(struct tn_studio_edit *edit, const struct tn_json *arguments,
			struct tn_buf *result)
{
	const struct tn_studio_placed *placed = NULL;
	struct tn_str *parents = NULL;
	struct chosen chosen;
	size_t count, parent_count = 0, i;

	if (!choose(edit, tn_json_get(arguments, "instanceIds"), &chosen) ||
	    !place_chosen(edit, arguments, &chosen, &placed, &count) ||
	    !list_parents(edit, placed, count, &parents, &parent_count) ||
	    !take_over(edit, placed, count, result))
		return false;
	for (i = 0; i < parent_count; i++)
		if (!tn_studio_edit_grow(edit, parents[i]))
			return false;
	return true;
}

static bool step(struct tn_studio_edit *edit, const struct tn_json *arguments,
		 struct tn_buf *result)
{
	struct tn_studio_layout_way way = tn_studio_layout_way_of(edit->document, arguments);
	const struct tn_studio_node *container = NULL;
	const struct tn_studio_placed *placed;
	size_t count;

	if (tn_json_get(arguments, "instanceIds"))
		return step_chosen(edit, arguments, result);
	if (tn_json_get(arguments, "align") || tn_json_get(arguments, "distribute"))
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "align and distribute need instanceIds");
	if (tn_json_get(arguments, "containerId")) {
		container = tn_studio_edit_node(edit, arguments, "containerId");
		if (!container)
			return false;
		if (!tn_studio_holds_nodes(container))
			return tn_studio_fail(edit->fault, "INVALID_INPUT",
					      "containerId: '%.*s' is no container",
					      (int)container->label.size, container->label.data);
	}
	if (!tn_studio_layout(edit->document, container, way.algorithm, way.direction, edit->arena,
			      &placed, &count))
		return tn_studio_edit_no_memory(edit);
	return take_over(edit, placed, count, result);
}

bool tn_studio_edit_layout(struct tn_studio_edit *edit, const struct tn_json *arguments,
			   struct tn_buf *result)
{
	return tn_studio_edit_run(edit, step, arguments, result);
}
