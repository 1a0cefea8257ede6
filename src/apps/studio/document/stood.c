#include "apps/studio/document/stood.h"

#include "apps/studio/document/geometry.h"
#include "apps/studio/document/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { ROOM = 2 * TN_STUDIO_STOOD_MAX }; /* with what they stood in */

struct gone {
	const struct tn_studio_document *document;
	struct tn_oplog *log;
	struct tn_studio_node **nodes;
	size_t count, most;
	struct tn_map by_id;
	size_t left; /* bytes of the log that may still be read: more would hold everybody up */
};

static bool is_known(const struct gone *gone, struct tn_str id)
{
	return tn_studio_node_find(gone->document, id) || tn_map_get(&gone->by_id, id);
}

/* `only`: of this id; empty: any. */
static enum tenon_code add(struct gone *gone, const struct tn_json *record, struct tn_str only,
			   struct tenon_error *err)
{
	struct tn_str id = tn_str("", 0);
	struct tn_studio_node *node;
	enum tenon_code code;

	(void)tn_json_to_str(tn_json_get(record, "id"), &id);
	if (gone->count == gone->most || is_known(gone, id) ||
	    (only.size && !tn_str_equal(only, id)))
		return TENON_OK;
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

static enum tenon_code add_all(struct gone *gone, struct tn_str text, struct tn_str only,
			       struct tn_arena *arena, struct tenon_error *err)
{
	struct tn_json *operations = NULL;
	enum tenon_code code;

	if (!text.size || text.size > gone->left)
		return TENON_OK;
	gone->left -= text.size;
	code = tn_json_parse_copy(arena, text, &operations, err);
	if (code != TENON_OK || !tn_json_is(operations, TN_JSON_ARRAY))
		return code;
	for (const struct tn_json *at = operations->first; at && code == TENON_OK; at = at->next) {
		struct tn_str op = tn_str("", 0);

		(void)tn_json_to_str(tn_json_get(at, "op"), &op);
		if (tn_str_is(op, "putNode"))
			code = add(gone, tn_json_get(at, "node"), only, err);
	}
	return code;
}

/* As the change left them, else as they were before it. */
static enum tenon_code take(struct gone *gone, uint64_t change, struct tn_str only,
			    struct tenon_error *err)
{
	const struct tn_change *line = tn_oplog_line(gone->log, change);
	struct tn_oplog_which which = {.id = change, .redo = line && line->undone};
	struct tn_oplog_taken taken;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_STUDIO_NODE_ARENA_MAX);
	code = tn_oplog_look(gone->log, &which, &arena, &taken, err);
	if (code == TENON_OK)
		code = add_all(gone, which.redo ? taken.text : taken.forth_text, only, &arena, err);
	if (code == TENON_OK)
		code = add_all(gone, which.redo ? taken.forth_text : taken.text, only, &arena, err);
	tn_arena_finish(&arena);
	return code == TENON_NOT_FOUND ? TENON_OK : code;
}

/* ---- what they stood in, where that went by another change ---- */

struct search {
	struct tn_str id;
	uint64_t newest; /* change whose note has it; 0: none */
};

static bool see(const struct tn_change *change, void *data)
{
	struct search *search = data;

	if (change->note && tn_str_find(tn_str_from(change->note), search->id) != TN_STR_NONE)
		search->newest = change->id;
	return true;
}

static enum tenon_code add_above(struct gone *gone, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	unsigned searches = 0;

	gone->most = ROOM;
	for (size_t i = 0; i < gone->count && code == TENON_OK; i++) {
		struct search search = {.id = gone->nodes[i]->parent_id};

		if (!search.id.size || is_known(gone, search.id) ||
		    searches++ == TN_STUDIO_DEPTH_MAX)
			continue;
		tn_oplog_list(gone->log, 0, see, &search);
		if (search.newest)
			code = take(gone, search.newest, search.id, err);
	}
	return code;
}

/* A record of before may have another place among them than one of after: nothing stands in
 * itself. */
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

/* It is known where what it stood in was, up to the canvas. */
static bool has_place(const struct gone *gone, const struct tn_studio_node *node)
{
	while (node->parent)
		node = node->parent;
	return !node->parent_id.size || tn_studio_node_find(gone->document, node->id);
}

static void put(struct tn_buf *out, const struct tn_studio_node *node)
{
	struct tn_studio_rect rect = tn_studio_absolute_rect(node);

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "instanceId", node->id);
	tn_json_put_member_str(out, "label", node->label);
	tn_json_put_key(out, "rect");
	tn_studio_put_rect(out, &rect);
	tn_json_end_object(out);
}

static enum tenon_code put_all(struct tn_buf *out, struct gone *gone, uint64_t change,
			       struct tenon_error *err)
{
	enum tenon_code code = take(gone, change, tn_str("", 0), err);
	size_t own = gone->count;

	if (code == TENON_OK)
		code = add_above(gone, err);
	nest(gone);
	tn_json_begin_array(out);
	for (size_t i = 0; i < own; i++)
		if (has_place(gone, gone->nodes[i]))
			put(out, gone->nodes[i]);
	tn_json_end_array(out);
	return code;
}

enum tenon_code tn_studio_put_stood(struct tn_buf *out, const struct tn_studio_document *document,
				    struct tn_oplog *log, uint64_t change, struct tenon_error *err)
{
	struct gone gone = {.document = document,
			    .log = log,
			    .most = TN_STUDIO_STOOD_MAX,
			    .left = TN_STUDIO_STOOD_BYTES_MAX};
	enum tenon_code code;

	gone.nodes = tn_mem_alloc_array(ROOM, sizeof(struct tn_studio_node *));
	if (!gone.nodes)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_map_init(&gone.by_id);
	code = put_all(out, &gone, change, err);
	for (size_t i = 0; i < gone.count; i++)
		tn_studio_node_destroy(gone.nodes[i]);
	tn_map_finish(&gone.by_id);
	tn_mem_free(gone.nodes);
	return code;
}
