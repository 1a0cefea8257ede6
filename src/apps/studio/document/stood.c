#include "apps/studio/document/stood.h"

#include "apps/studio/document/geometry.h"
#include "apps/studio/document/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct gone {
	const struct tn_studio_document *document;
	struct tn_studio_node **nodes;
	size_t count, room;
	struct tn_map by_id;
};

static const struct tn_json *node_of(const struct tn_json *operation)
{
	struct tn_str op = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(operation, "op"), &op);
	return tn_str_is(op, "putNode") ? tn_json_get(operation, "node") : NULL;
}

static enum tenon_code add(struct gone *gone, const struct tn_json *record, struct tenon_error *err)
{
	struct tn_str id = tn_str("", 0);
	struct tn_studio_node *node;
	enum tenon_code code;

	(void)tn_json_to_str(tn_json_get(record, "id"), &id);
	if (tn_studio_node_find(gone->document, id) || tn_map_get(&gone->by_id, id))
		return TENON_OK;
	if (gone->count == gone->room)
		return TENON_OK; /* more than any picture needs */
	code = tn_studio_node_make(gone->document->registry, record, &node, err);
	if (code != TENON_OK)
		return code;
	code = tn_map_put(&gone->by_id, node->id, node, err);
	if (code == TENON_OK)
		gone->nodes[gone->count++] = node;
	else
		tn_studio_node_destroy(node);
	return code;
}

/* Of very many nothing is told: reading them would hold everybody up. */
static enum tenon_code add_all(struct gone *gone, struct tn_str text, struct tn_arena *arena,
			       struct tenon_error *err)
{
	struct tn_json *operations = NULL;
	enum tenon_code code;

	if (!text.size || text.size > TN_STUDIO_STOOD_BYTES_MAX)
		return TENON_OK;
	code = tn_json_parse_copy(arena, text, &operations, err);
	if (code != TENON_OK)
		return code;
	for (const struct tn_json *at = operations->first; at && code == TENON_OK; at = at->next) {
		const struct tn_json *record = node_of(at);

		if (record)
			code = add(gone, record, err);
	}
	return code;
}

/* What it stood in may be gone, too. A record of before may have another place among them than one
 * of after: nothing stands in itself. */
static void nest(struct gone *gone)
{
	for (size_t i = 0; i < gone->count; i++) {
		struct tn_studio_node *node = gone->nodes[i], *above;

		node->parent = tn_map_get(&gone->by_id, node->parent_id);
		for (above = node->parent; above && above != node; above = above->parent)
			;
		if (above)
			node->parent = NULL;
		if (node->parent) {
			node->next_sibling = node->parent->first_child;
			node->parent->first_child = node;
		}
	}
	for (size_t i = 0; i < gone->count; i++)
		if (!gone->nodes[i]->parent)
			gone->nodes[i]->parent =
				tn_studio_node_find(gone->document, gone->nodes[i]->parent_id);
}

static void put(struct tn_buf *out, const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_absolute_rect(node);

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", node->id);
	tn_json_put_member_str(out, "label", node->label);
	tn_json_put_key(out, "rect");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "x", rect.x);
	tn_json_put_member_int(out, "y", rect.y);
	tn_json_put_member_int(out, "width", rect.width);
	tn_json_put_member_int(out, "height", rect.height);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static enum tenon_code take(struct gone *gone, struct tn_oplog *log, uint64_t change,
			    struct tenon_error *err)
{
	const struct tn_change *line = tn_oplog_line(log, change);
	struct tn_oplog_which which = {.id = change, .redo = line && line->undone};
	struct tn_oplog_taken taken;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_STUDIO_NODE_ARENA_MAX);
	code = tn_oplog_look(log, &which, &arena, &taken, err);
	if (code == TENON_OK)
		code = add_all(gone, which.redo ? taken.text : taken.forth_text, &arena, err);
	if (code == TENON_OK)
		code = add_all(gone, which.redo ? taken.forth_text : taken.text, &arena, err);
	tn_arena_finish(&arena);
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

enum tenon_code tn_studio_put_stood(struct tn_buf *out, const struct tn_studio_document *document,
				    struct tn_oplog *log, uint64_t change, struct tenon_error *err)
{
	struct gone gone = {.document = document, .room = TN_STUDIO_STOOD_MAX};
	enum tenon_code code;

	gone.nodes = tn_mem_alloc_array(gone.room, sizeof(struct tn_studio_node *));
	if (!gone.nodes)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_map_init(&gone.by_id);
	code = take(&gone, log, change, err);
	nest(&gone);
	tn_json_begin_array(out);
	for (size_t i = 0; i < gone.count; i++)
		put(out, gone.nodes[i]);
	tn_json_end_array(out);
	for (size_t i = 0; i < gone.count; i++)
		tn_studio_node_destroy(gone.nodes[i]);
	tn_map_finish(&gone.by_id);
	tn_mem_free(gone.nodes);
	return code;
}
