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

/* One that stands at the top level, with everything in it, to a free place. */
static bool place_beside(struct tn_import *import, struct tn_str id)
{
	const struct tn_studio_node *node = tn_studio_node_find(import->edit->document, id);
	struct tn_studio_placed placed;
	struct tn_studio_point point;

	if (!node || (node->parent && !tn_str_equal(node->parent->id, import->into)))
		return true;
	if (node->first_child && !place_inside(import, node))
		return false;
	node = tn_studio_node_find(import->edit->document, id);
	if (!node)
		return true;
	placed.node = node;
	placed.rect = tn_studio_rect_of(node);
	if (node->first_child)
		tn_studio_needed_size(node, &placed.rect.width, &placed.rect.height);
	point = tn_studio_free_place(import->edit->document, node->parent, placed.rect.width,
				     placed.rect.height);
	placed.rect.x = point.x;
	placed.rect.y = point.y;
	return apply_places(import, &placed, 1) && index_again(import);
}

bool tn_import_place(struct tn_import *import)
{
	if (!index_again(import))
		return false;
	/* Nothing was there: the whole diagram is what was added. */
	if (import->was_empty)
		return place_inside(import, NULL);
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (!node->gone && !node->exists && !node->parent &&
		    !place_beside(import, tn_str_from(node->id)))
			return false;
	}
	for (const struct tn_import_foreign *one = import->foreign; one; one = one->next) {
		if (one->id[0] && !place_beside(import, tn_str_from(one->id)))
			return false;
	}
	return true;
}
