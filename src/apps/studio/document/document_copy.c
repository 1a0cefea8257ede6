#include "apps/studio/document/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_make.h"

/* ---- what is shared ---- */

enum tenon_code tn_studio_memory_make(const struct tn_json *value, struct tn_studio_memory **ret,
				      const struct tn_json **ret_copy, struct tenon_error *err)
{
	struct tn_studio_memory *memory = tn_mem_alloc(sizeof(*memory));

	if (!memory)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	atomic_init(&memory->refs, 1);
	/* One allocation, and no larger than it must be. */
	tn_arena_init(&memory->arena, tn_json_copy_size(value) + 64);
	*ret_copy = tn_json_copy(&memory->arena, value);
	if (!*ret_copy) {
		tn_studio_memory_unref(memory);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = memory;
	return TENON_OK;
}

struct tn_studio_memory *tn_studio_memory_ref(struct tn_studio_memory *memory)
{
	if (memory)
		(void)atomic_fetch_add_explicit(&memory->refs, 1, memory_order_relaxed);
	return memory;
}

void tn_studio_memory_unref(struct tn_studio_memory *memory)
{
	if (!memory || atomic_fetch_sub_explicit(&memory->refs, 1, memory_order_acq_rel) > 1)
		return;
	tn_arena_finish(&memory->arena);
	tn_mem_free(memory);
}

/* ---- the copy ---- */

static enum tenon_code no_memory(struct tenon_error *err)
{
	return tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code copy_node(struct tn_studio_document *to, const struct tn_studio_node *from,
				 struct tenon_error *err)
{
	struct tn_studio_node *node = tn_mem_alloc(sizeof(*node));

	if (!node)
		return no_memory(err);
	*node = *from;
	node->memory = tn_studio_memory_ref(from->memory);
	to->nodes[to->node_count++] = node;
	if (tn_map_put(&to->nodes_by_id, node->id, node, err) != TENON_OK)
		return TENON_NO_MEMORY;
	return tn_studio_names_put(to, node, err);
}

static struct tn_studio_node *same_in(const struct tn_studio_document *to,
				      const struct tn_studio_node *node)
{
	return node ? to->nodes[node->order] : NULL;
}

static enum tenon_code copy_nodes(struct tn_studio_document *to,
				  const struct tn_studio_document *from, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	to->nodes = tn_mem_alloc_array(from->node_count + 1, sizeof(struct tn_studio_node *));
	if (!to->nodes)
		return no_memory(err);
	to->node_room = from->node_count + 1;
	for (size_t i = 0; i < from->node_count && code == TENON_OK; i++)
		code = copy_node(to, from->nodes[i], err);
	for (size_t i = 0; i < to->node_count && code == TENON_OK; i++) {
		struct tn_studio_node *node = to->nodes[i];

		node->parent = same_in(to, node->parent);
		node->first_child = same_in(to, node->first_child);
		node->next_sibling = same_in(to, node->next_sibling);
	}
	return code;
}

static enum tenon_code copy_edges(struct tn_studio_document *to,
				  const struct tn_studio_document *from, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	to->edges = tn_mem_alloc_array(from->edge_count + 1, sizeof(struct tn_studio_edge *));
	if (!to->edges)
		return no_memory(err);
	to->edge_room = from->edge_count + 1;
	for (size_t i = 0; i < from->edge_count && code == TENON_OK; i++) {
		struct tn_studio_edge *edge = tn_mem_alloc(sizeof(*edge));

		if (!edge)
			return no_memory(err);
		*edge = *from->edges[i];
		edge->memory = tn_studio_memory_ref(edge->memory);
		edge->source = same_in(to, edge->source);
		edge->target = same_in(to, edge->target);
		to->edges[to->edge_count++] = edge;
		code = tn_map_put(&to->edges_by_id, edge->id, edge, err);
	}
	return code;
}

static enum tenon_code copy_parts(struct tn_studio_document *to,
				  const struct tn_studio_document *from, struct tenon_error *err)
{
	if (!from->own)
		return TENON_OK;
	to->own = tn_mem_alloc(sizeof(*to->own));
	if (!to->own)
		return no_memory(err);
	*to->own = *from->own;
	for (int i = 0; i < TN_STUDIO_PART_COUNT; i++)
		to->own->parts[i] = tn_studio_memory_ref(from->own->parts[i]);
	to->config = from->config;
	to->modules = from->modules;
	to->instances = from->instances;
	to->template_info = from->template_info;
	to->usage = from->usage;
	to->rest = from->rest;
	return TENON_OK;
}

enum tenon_code tn_studio_document_copy(struct tn_studio_document *from,
					struct tn_studio_document *ret, struct tenon_error *err)
{
	enum tenon_code code = tn_studio_document_index(from, err);

	if (code != TENON_OK)
		return code;
	tn_studio_document_init(ret, from->registry);
	ret->budget = from->budget;
	ret->generation = from->generation;
	code = copy_nodes(ret, from, err);
	if (code == TENON_OK)
		code = copy_edges(ret, from, err);
	if (code == TENON_OK)
		code = copy_parts(ret, from, err);
	if (code != TENON_OK) {
		tn_studio_document_finish(ret);
		return code;
	}
	ret->indexed = ret->links_known = true;
	return TENON_OK;
}

enum tenon_code tn_studio_document_exchange(struct tn_studio_document *document,
					    struct tn_studio_document *copy,
					    struct tenon_error *err)
{
	struct tn_studio_document before;
	uint64_t generation =
		document->generation > copy->generation ? document->generation : copy->generation;
	enum tenon_code code;

	if (document->registry != copy->registry)
		return tn_fail(err, TENON_INVALID, "the copy has other types");
	code = tn_studio_revisions_pass(copy, document, err);
	if (code != TENON_OK)
		return code;
	before = *document;
	*document = *copy;
	*copy = before;
	copy->revisions = document->revisions;
	document->revisions = before.revisions;
	document->generation = generation + 1; /* nothing that is cached is of this one */
	return TENON_OK;
}
