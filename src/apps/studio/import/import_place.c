/* Places for what was added, so that it can be read: laid out inside, then put beside what was
 * there. */
#include "apps/studio/document/geometry.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static bool apply_places(struct tn_import *import, const struct tn_studio_placed *placed,
			 size_t count)
{
	struct tn_buf out;
	bool good;

	if (count == 0)
		return true;
	tn_buf_init(&out, TN_STUDIO_FILE_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "op", "place");
	tn_json_put_key(&out, "nodes");
	tn_json_begin_array(&out);
	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_placed *one = &placed[i];

		tn_json_begin_object(&out);
		tn_json_put_member_str(&out, "id", one->node->id);
		tn_json_put_member_int(&out, "x", one->rect.x);
		tn_json_put_member_int(&out, "y", one->rect.y);
		if (one->node->type && one->node->type->container) {
			tn_json_put_member_int(&out, "width", one->rect.width);
			tn_json_put_member_int(&out, "height", one->rect.height);
		}
		tn_json_end_object(&out);
	}
	tn_json_end_array(&out);
	tn_json_end_object(&out);
	good = !out.failed && tn_studio_edit_apply(import->edit, tn_buf_str(&out));
	tn_buf_finish(&out);
	return good;
}

static bool index_again(struct tn_import *import)
{
	struct tenon_error err;

	return tn_studio_document_index(import->edit->document, &err) == TENON_OK ||
	       tn_studio_fail_error(import->edit->fault, &err);
}

static bool place_inside(struct tn_import *import, const struct tn_studio_node *container)
{
	struct tn_studio_layout_way way =
		tn_studio_layout_way_of(import->edit->document, import->options->layout);
	const struct tn_studio_placed *placed;
	size_t count;

	if (!tn_studio_layout(import->edit->document, container, way.algorithm, way.direction,
			      import->arena, &placed, &count))
		return tn_studio_fail_memory(import->edit->fault);
	return apply_places(import, placed, count) && index_again(import);
}

/* ---- beside what was there ---- */

struct added { /* children of one parent that have come */
	struct tn_studio_placed *list;
	size_t count;
	int64_t area;  /* of all of them, in square pixels */
	int32_t below; /* where what was there ends */
};

static void add_one(struct added *added, const struct tn_studio_node *node)
{
	struct tn_studio_placed *one = &added->list[added->count++];

	one->node = node;
	one->rect = tn_studio_rect_of(node);
	if (node->first_child)
		tn_studio_needed_size(node, &one->rect.width, &one->rect.height);
	added->area += (int64_t)(one->rect.width + TN_STUDIO_NODE_GAP) *
		       (one->rect.height + TN_STUDIO_NODE_GAP);
}

static bool find_added(struct tn_import *import, struct tn_str parent, struct added *ret)
{
	const struct tn_studio_document *document = import->edit->document;

	*ret = (struct added){.below = TN_STUDIO_HEADER + TN_STUDIO_PADDING};
	ret->list =
		tn_arena_alloc_array(import->arena, document->node_count + 1, sizeof(*ret->list));
	if (!ret->list)
		return tn_studio_fail_memory(import->edit->fault);
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		struct tn_studio_rect rect = tn_studio_rect_of(node);
		int32_t end = rect.y + rect.height + TN_STUDIO_NODE_GAP;

		if (!tn_str_equal(node->parent ? node->parent->id : tn_str("", 0), parent))
			continue;
		if (i >= import->old_count)
			add_one(ret, node);
		else if (end > ret->below)
			ret->below = end;
	}
	return true;
}

static int32_t on_grid(int32_t at)
{
	return (at + TN_STUDIO_GRID - 1) / TN_STUDIO_GRID * TN_STUDIO_GRID;
}

/* In rows, and all of them about as wide as high. */
static void put_in_rows(struct added *added)
{
	int32_t width = TN_STUDIO_ROW_WIDTH, x = TN_STUDIO_PADDING, y = on_grid(added->below);
	int32_t high = 0;

	while ((int64_t)width * width < added->area && width < TN_STUDIO_PLACE_MAX / 2)
		width *= 2;
	for (size_t i = 0; i < added->count; i++) {
		struct tn_studio_rect *rect = &added->list[i].rect;

		if (x > TN_STUDIO_PADDING && x + rect->width > width) {
			x = TN_STUDIO_PADDING;
			y = on_grid(y + high + TN_STUDIO_NODE_GAP);
			high = 0;
		}
		rect->x = x;
		rect->y = y;
		x = on_grid(x + rect->width + TN_STUDIO_NODE_GAP);
		if (rect->height > high)
			high = rect->height;
	}
}

/* The inside of each first: their sizes follow from it. Nodes live until the next of them is
 * placed, their names stay. */
static bool place_insides(struct tn_import *import, const struct added *added, bool *ret_any)
{
	struct tn_str *ids = tn_arena_alloc_array(import->arena, added->count + 1, sizeof(*ids));
	size_t count = 0;
	bool good = ids != NULL;

	for (size_t i = 0; good && i < added->count; i++) {
		const struct tn_studio_node *node = added->list[i].node;

		if (!node->first_child)
			continue;
		ids[count] = tn_str(tn_arena_copy(import->arena, node->id), node->id.size);
		good = ids[count++].data != NULL;
	}
	*ret_any = count > 0;
	if (!good)
		return tn_studio_fail_memory(import->edit->fault);
	for (size_t i = 0; good && i < count; i++)
		good = place_inside(import, tn_studio_node_find(import->edit->document, ids[i]));
	return good;
}

static bool place_below(struct tn_import *import, struct tn_str parent)
{
	struct added added;
	bool any = false;

	if (!find_added(import, parent, &added) || !place_insides(import, &added, &any) ||
	    (any && !find_added(import, parent, &added)))
		return false;
	put_in_rows(&added);
	return apply_places(import, added.list, added.count) && index_again(import);
}

bool tn_import_place(struct tn_import *import)
{
	if (!index_again(import))
		return false;
	/* Nothing was there: the whole diagram is what was added. */
	if (import->was_empty)
		return place_inside(import, NULL);
	return place_below(import, tn_str("", 0)) &&
	       (import->into.size == 0 || place_below(import, import->into));
}
