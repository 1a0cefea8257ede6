#include "apps/studio/edit/internal.h"

#include <math.h>

/* studio.md 4.4: in this order, then what else there is. */
static const char *const order[] = {
	"id",   "typeId",     "label",      "terraformName", "parentId",       "position", "size",
	"slug", "properties", "references", "variableModes", "enabledOutputs", "moduleId", "notes"};

void tn_studio_draft_begin(struct tn_studio_draft *draft, struct tn_studio_edit *edit,
			   const struct tn_studio_node *node)
{
	draft->edit = edit;
	draft->record = node ? node->record : tn_json_make(edit->arena, TN_JSON_OBJECT);
}

void tn_studio_draft_set(struct tn_studio_draft *draft, const char *key,
			 const struct tn_json *value)
{
	bool empty = value && (value->type == TN_JSON_OBJECT || value->type == TN_JSON_ARRAY) &&
		     value->count == 0;

	if (draft->record)
		draft->record = tn_json_with(draft->edit->arena, draft->record, tn_str_from(key),
					     empty ? NULL : value);
}

void tn_studio_draft_text(struct tn_studio_draft *draft, const char *key, struct tn_str text)
{
	struct tn_json *value = NULL;

	if (text.size > 0) {
		value = tn_json_make_str(draft->edit->arena, text);
		if (!value)
			draft->record = NULL;
	}
	tn_studio_draft_set(draft, key, value);
}

static struct tn_json *pair(struct tn_arena *arena, const char *a_key, int64_t a, const char *b_key,
			    int64_t b)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, tn_str_from(a_key), tn_json_make_int(arena, a));
	tn_json_maker_put(&maker, tn_str_from(b_key), tn_json_make_int(arena, b));
	return tn_json_maker_end(&maker);
}

void tn_studio_draft_pair(struct tn_studio_draft *draft, const char *key, const char *a_key,
			  int64_t a, const char *b_key, int64_t b)
{
	struct tn_json *value = pair(draft->edit->arena, a_key, a, b_key, b);

	if (!value)
		draft->record = NULL;
	else
		tn_studio_draft_set(draft, key, value);
}

static bool is_ordered(struct tn_str key)
{
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (tn_str_is(key, order[i]))
			return true;
	}
	return false;
}

static struct tn_json *sorted(struct tn_arena *arena, const struct tn_json *record)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		const struct tn_json *value = tn_json_get(record, order[i]);

		if (value)
			tn_json_maker_put(&maker, value->key, value);
	}
	for (const struct tn_json *at = record->first; at; at = at->next) {
		if (!is_ordered(at->key))
			tn_json_maker_put(&maker, at->key, at);
	}
	return tn_json_maker_end(&maker);
}

/* {"op":OP,KEY:VALUE} */
static struct tn_json *operation(struct tn_arena *arena, const char *op, const char *key,
				 const struct tn_json *value)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("op"), tn_json_make_str(arena, tn_str_from(op)));
	tn_json_maker_put(&maker, tn_str_from(key), value);
	return tn_json_maker_end(&maker);
}

bool tn_studio_draft_put(struct tn_studio_draft *draft)
{
	struct tn_arena *arena = draft->edit->arena;
	struct tn_json *record = draft->record ? sorted(arena, draft->record) : NULL;
	struct tn_str id = tn_str(NULL, 0);
	const struct tn_studio_node *old;

	if (!record)
		return tn_studio_edit_no_memory(draft->edit);
	(void)tn_json_to_str(tn_json_get(record, "id"), &id);
	old = tn_studio_node_find(draft->edit->document, id);
	if (old && tn_json_equal(old->record, record))
		return true;
	tn_studio_edit_touch(draft->edit, id);
	return tn_studio_edit_step(draft->edit, operation(arena, "putNode", "node", record));
}

bool tn_studio_edit_remove_by_id(struct tn_studio_edit *edit, const char *op, struct tn_str id)
{
	struct tn_str kept = tn_studio_keep(edit, id);

	return tn_studio_edit_step(
		edit, operation(edit->arena, op, "id", tn_json_make_str(edit->arena, kept)));
}

static void put_text(struct tn_json_maker *maker, const char *key, struct tn_str text)
{
	tn_json_maker_put(maker, tn_str_from(key), tn_json_make_str(maker->arena, text));
}

bool tn_studio_edit_put_edge(struct tn_studio_edit *edit, const struct tn_studio_edge *edge)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	put_text(&maker, "id", edge->id);
	put_text(&maker, "source", edge->source_id);
	put_text(&maker, "sourceHandle", edge->source_handle);
	put_text(&maker, "target", edge->target_id);
	put_text(&maker, "targetHandle", edge->target_handle);
	put_text(&maker, "category", tn_str_from(tn_studio_edge_category_name(edge->category)));
	if (edge->label.size > 0)
		put_text(&maker, "label", edge->label);
	tn_studio_edit_touch(edit, edge->source_id);
	tn_studio_edit_touch(edit, edge->target_id);
	return tn_studio_edit_step(
		edit, operation(edit->arena, "putEdge", "edge", tn_json_maker_end(&maker)));
}

static struct tn_json *place_of(struct tn_arena *arena, struct tn_str id,
				struct tn_studio_rect rect, bool with_size)
{
	struct tn_json_maker node;

	tn_json_maker_begin(&node, arena, TN_JSON_OBJECT);
	put_text(&node, "id", id);
	tn_json_maker_put(&node, TN_STR("x"), tn_json_make_int(arena, rect.x));
	tn_json_maker_put(&node, TN_STR("y"), tn_json_make_int(arena, rect.y));
	if (with_size) {
		tn_json_maker_put(&node, TN_STR("width"), tn_json_make_int(arena, rect.width));
		tn_json_maker_put(&node, TN_STR("height"), tn_json_make_int(arena, rect.height));
	}
	return tn_json_maker_end(&node);
}

bool tn_studio_edit_place(struct tn_studio_edit *edit, struct tn_str id, struct tn_studio_rect rect,
			  bool with_size)
{
	struct tn_json_maker list;

	tn_json_maker_begin(&list, edit->arena, TN_JSON_ARRAY);
	tn_json_maker_add(&list, place_of(edit->arena, id, rect, with_size));
	tn_studio_edit_touch(edit, id);
	return tn_studio_edit_step(
		edit, operation(edit->arena, "place", "nodes", tn_json_maker_end(&list)));
}

bool tn_studio_edit_place_all(struct tn_studio_edit *edit, const struct tn_studio_placed *placed,
			      size_t count)
{
	struct tn_json_maker list;

	if (count == 0)
		return true;
	tn_json_maker_begin(&list, edit->arena, TN_JSON_ARRAY);
	for (size_t i = 0; i < count; i++) {
		tn_json_maker_add(&list,
				  place_of(edit->arena, placed[i].node->id, placed[i].rect, false));
		tn_studio_edit_touch(edit, placed[i].node->id);
	}
	return tn_studio_edit_step(
		edit, operation(edit->arena, "place", "nodes", tn_json_maker_end(&list)));
}

bool tn_studio_edit_set_usage(struct tn_studio_edit *edit, struct tn_str id,
			      const struct tn_json *usage)
{
	struct tn_json *made =
		operation(edit->arena, "setUsage", "id", tn_json_make_str(edit->arena, id));
	const struct tn_json *value =
		usage && usage->count > 0 ? usage : tn_json_make(edit->arena, TN_JSON_NULL);

	if (made && value)
		made = tn_json_with(edit->arena, made, TN_STR("usage"), value);
	tn_studio_edit_touch(edit, id);
	return tn_studio_edit_step(edit, value ? made : NULL);
}

/* ---- containers that grow ---- */

/* `aside`: it only makes room. Undoing that leaves alone whatever was moved since (edit_undo.c). */
static const struct tn_json *place_aside(struct tn_arena *arena, const struct tn_studio_node *node,
					 int32_t right, int32_t down)
{
	struct tn_studio_rect rect = tn_studio_rect_of(node);
	const struct tn_json *place;

	rect.x += right;
	rect.y += down;
	place = place_of(arena, node->id, rect, false);
	return place ? tn_json_with(arena, place, TN_STR("aside"), tn_json_make_bool(arena, true))
		     : NULL;
}

/* Whether a neighbour stands beyond the old edge of what grows: below it, or to its right. */
static bool is_beyond(const struct tn_studio_node *node, const struct tn_studio_node *other,
		      const struct tn_studio_rect *old, bool below)
{
	struct tn_studio_rect rect = tn_studio_rect_of(other);

	if (other == node || other->parent != node->parent)
		return false;
	return below ? rect.y >= old->y + old->height : rect.x >= old->x + old->width;
}

static bool is_in_the_way(const struct tn_studio_edit *edit, const struct tn_studio_node *node,
			  const struct tn_studio_rect *old, const struct tn_studio_rect *rect,
			  bool below)
{
	for (size_t i = 0; i < edit->document->node_count; i++) {
		const struct tn_studio_node *other = edit->document->nodes[i];
		struct tn_studio_rect place = tn_studio_rect_of(other);

		if (is_beyond(node, other, old, below) &&
		    tn_studio_rects_meet(&place, rect, TN_STUDIO_GRID))
			return true;
	}
	return false;
}

/* FR-15: all that stands beyond the old edge moves on by as much as that moved, so what did not
 * overlap does not, and rows and columns stay what they are. */
static bool make_room(struct tn_studio_edit *edit, const struct tn_studio_node *node,
		      const struct tn_studio_rect *old, const struct tn_studio_rect *rect,
		      bool below)
{
	int32_t right = below ? 0 : rect->width - old->width;
	int32_t down = below ? rect->height - old->height : 0;
	struct tn_json_maker list;

	if (right + down == 0 || !is_in_the_way(edit, node, old, rect, below))
		return true;
	tn_json_maker_begin(&list, edit->arena, TN_JSON_ARRAY);
	for (size_t i = 0; i < edit->document->node_count; i++) {
		const struct tn_studio_node *other = edit->document->nodes[i];

		if (!is_beyond(node, other, old, below))
			continue;
		tn_json_maker_add(&list, place_aside(edit->arena, other, right, down));
		tn_studio_edit_touch(edit, other->id);
	}
	return tn_studio_edit_step(
		edit, operation(edit->arena, "place", "nodes", tn_json_maker_end(&list)));
}

/* First down, then to the right. */
static bool grow_to(struct tn_studio_edit *edit, struct tn_str id, int32_t width, int32_t height)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, id);
	struct tn_studio_rect old = tn_studio_rect_of(node), rect = old;

	rect.height = height > rect.height ? height : rect.height;
	if (!make_room(edit, node, &old, &rect, true) || !tn_studio_edit_index(edit))
		return false;
	node = tn_studio_node_find(edit->document, id);
	old = rect;
	rect.width = width > rect.width ? width : rect.width;
	return make_room(edit, node, &old, &rect, false) &&
	       tn_studio_edit_place(edit, id, rect, true);
}

static bool grow(struct tn_studio_edit *edit, struct tn_str container_id, bool to_push)
{
	struct tn_str id = tn_studio_keep(edit, container_id);

	while (id.size > 0) {
		const struct tn_studio_node *node;
		struct tn_str own = id;
		struct tn_studio_rect rect;
		int32_t width, height;

		if (!tn_studio_edit_index(edit))
			return false;
		node = tn_studio_node_find(edit->document, id);
		if (!node)
			return true;
		id = node->parent ? tn_studio_keep(edit, node->parent->id) : tn_str(NULL, 0);
		rect = tn_studio_rect_of(node);
		tn_studio_needed_size(node, &width, &height);
		if (width <= rect.width && height <= rect.height)
			continue;
		rect.width = width > rect.width ? width : rect.width;
		rect.height = height > rect.height ? height : rect.height;
		if (!(to_push ? grow_to(edit, own, width, height)
			      : tn_studio_edit_place(edit, own, rect, true)))
			return false;
	}
	return true;
}

bool tn_studio_edit_grow(struct tn_studio_edit *edit, struct tn_str container_id)
{
	return grow(edit, container_id, true);
}

bool tn_studio_edit_grow_alone(struct tn_studio_edit *edit, struct tn_str container_id)
{
	return grow(edit, container_id, false);
}

int32_t tn_studio_edit_snap(const struct tn_studio_edit *edit, double value)
{
	const struct tn_json *layout = tn_json_get(edit->document->config, "layout");
	int64_t grid = TN_STUDIO_GRID;
	bool snap = true;

	(void)tn_json_to_bool(tn_json_get(layout, "snap"), &snap);
	(void)tn_json_to_int(tn_json_get(layout, "gridSize"), &grid);
	value = fmax(-TN_STUDIO_PLACE_MAX, fmin(TN_STUDIO_PLACE_MAX, value));
	if (snap && !edit->exact && grid > 0 && grid <= 1000)
		value = round(value / (double)grid) * (double)grid;
	return (int32_t)lround(value);
}
