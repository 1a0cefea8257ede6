#include "apps/studio/document/internal.h"

#include <math.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_make.h"

const char *const tn_studio_part_names[TN_STUDIO_PART_COUNT] = {
	"config", "modules", "instances", "template", "usage", "rest", "costRest"};

/* ---- life ---- */

void tn_studio_document_init(struct tn_studio_document *document,
			     struct tn_studio_registry *registry)
{
	*document = (struct tn_studio_document){.registry = tn_studio_registry_ref(registry),
						.budget = NAN};
	tn_map_init(&document->nodes_by_id);
	tn_map_init(&document->nodes_by_own);
	tn_map_init(&document->nodes_by_address);
	tn_map_init(&document->edges_by_id);
}

void tn_studio_document_finish(struct tn_studio_document *document)
{
	for (size_t i = 0; i < document->node_count; i++)
		tn_studio_node_destroy(document->nodes[i]);
	for (size_t i = 0; i < document->edge_count; i++)
		tn_studio_edge_destroy(document->edges[i]);
	tn_mem_free(document->nodes);
	tn_mem_free(document->edges);
	tn_map_finish(&document->nodes_by_id);
	tn_map_finish(&document->nodes_by_own);
	tn_map_finish(&document->nodes_by_address);
	tn_map_finish(&document->edges_by_id);
	for (int i = 0; document->own && i < TN_STUDIO_PART_COUNT; i++)
		tn_studio_memory_unref(document->own->parts[i]);
	tn_mem_free(document->own);
	tn_studio_revisions_free(document->revisions);
	tn_studio_registry_unref(document->registry);
	*document = (struct tn_studio_document){.budget = NAN};
}

void tn_studio_document_changed(struct tn_studio_document *document)
{
	document->generation++;
	document->indexed = document->links_known = false;
}

/* ---- parts ---- */

static const struct tn_json **part_of(const struct tn_studio_document *document,
				      enum tn_studio_document_part part)
{
	struct tn_studio_document *at = (struct tn_studio_document *)(uintptr_t)document;

	switch (part) {
	case TN_STUDIO_PART_CONFIG:
		return &at->config;
	case TN_STUDIO_PART_MODULES:
		return &at->modules;
	case TN_STUDIO_PART_INSTANCES:
		return &at->instances;
	case TN_STUDIO_PART_TEMPLATE:
		return &at->template_info;
	case TN_STUDIO_PART_USAGE:
		return &at->usage;
	case TN_STUDIO_PART_REST:
		return &at->rest;
	default:
		return &at->own->cost_rest;
	}
}

const struct tn_json *tn_studio_part_get(const struct tn_studio_document *document,
					 enum tn_studio_document_part part)
{
	return document->own ? *part_of(document, part) : NULL;
}

enum tenon_code tn_studio_part_set(struct tn_studio_document *document,
				   enum tn_studio_document_part part, const struct tn_json *value,
				   struct tenon_error *err)
{
	struct tn_studio_memory *memory = NULL;
	const struct tn_json *copy = NULL;
	enum tenon_code code;

	if (value && value->type == TN_JSON_NULL)
		value = NULL;
	if (!value && !document->own)
		return TENON_OK;
	if (!document->own)
		document->own = tn_mem_alloc(sizeof(*document->own));
	if (!document->own)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = value ? tn_studio_memory_make(value, &memory, &copy, err) : TENON_OK;
	if (code != TENON_OK)
		return code;
	tn_studio_memory_unref(document->own->parts[part]);
	document->own->parts[part] = memory;
	*part_of(document, part) = copy;
	tn_studio_document_changed(document);
	return TENON_OK;
}

/* ---- records ---- */

static enum tenon_code make_room(void ***array, size_t count, size_t *room, size_t max,
				 const char *what, struct tenon_error *err)
{
	size_t more = *room ? 2 * *room : 64;
	void **grown;

	if (count >= max)
		return tn_fail(err, TENON_LIMIT, "a diagram has at most %zu %s", max, what);
	if (count < *room)
		return TENON_OK;
	grown = tn_mem_resize(*array, more * sizeof(*grown));
	if (!grown)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*array = grown;
	*room = more;
	return TENON_OK;
}

static void open_gap(void **array, size_t count, size_t at)
{
	if (at < count)
		memmove(array + at + 1, array + at, (count - at) * sizeof(*array));
}

static void close_gap(void **array, size_t count, size_t at)
{
	memmove(array + at, array + at + 1, (count - at - 1) * sizeof(*array));
}

enum tenon_code tn_studio_node_insert(struct tn_studio_document *document,
				      struct tn_studio_node *node, size_t at,
				      struct tenon_error *err)
{
	bool links_known = document->links_known;
	enum tenon_code code = make_room((void ***)(void *)&document->nodes, document->node_count,
					 &document->node_room, TN_STUDIO_NODES_MAX, "nodes", err);

	if (code != TENON_OK)
		return code;
	code = tn_studio_names_take(document, node, NULL, err);
	if (code != TENON_OK)
		return code;
	code = tn_map_put(&document->nodes_by_id, node->id, node, err);
	if (code != TENON_OK) {
		tn_studio_names_drop(document, node);
		return code;
	}
	if (at > document->node_count)
		at = document->node_count;
	open_gap((void **)document->nodes, document->node_count, at);
	document->nodes[at] = node;
	document->node_count++;
	tn_studio_document_changed(document);
	document->links_known = links_known;
	return TENON_OK;
}

enum tenon_code tn_studio_node_replace(struct tn_studio_document *document, size_t at,
				       struct tn_studio_node *node, struct tenon_error *err)
{
	struct tn_studio_node *old = document->nodes[at];
	enum tenon_code code = tn_studio_names_take(document, node, old, err);

	if (code != TENON_OK)
		return code;
	(void)tn_map_replace(&document->nodes_by_id, node->id, node);
	node->edge_count = old->edge_count;
	document->nodes[at] = node;
	tn_studio_node_destroy(old);
	tn_studio_document_changed(document);
	return TENON_OK;
}

void tn_studio_node_remove(struct tn_studio_document *document, size_t at)
{
	struct tn_studio_node *node = document->nodes[at];

	(void)tn_map_remove(&document->nodes_by_id, node->id);
	tn_studio_names_drop(document, node);
	close_gap((void **)document->nodes, document->node_count, at);
	document->node_count--;
	tn_studio_node_destroy(node);
	tn_studio_document_changed(document);
}

/* A node's number of edges says whether it can go. */
static void count_ends(const struct tn_studio_document *document, const struct tn_studio_edge *edge,
		       bool more)
{
	struct tn_studio_node *ends[] = {tn_studio_node_find(document, edge->source_id),
					 tn_studio_node_find(document, edge->target_id)};

	for (int i = 0; i < 2; i++)
		ends[i]->edge_count += more ? 1u : -1u;
}

static enum tenon_code check_ends(const struct tn_studio_document *document,
				  const struct tn_studio_edge *edge, struct tenon_error *err)
{
	struct tn_str missing = edge->source_id;

	if (tn_studio_node_find(document, edge->source_id))
		missing = edge->target_id;
	if (!tn_studio_node_find(document, missing))
		return tn_fail(err, TENON_INVALID, "edge %.*s: there is no node %.*s",
			       (int)edge->id.size, edge->id.data, (int)missing.size, missing.data);
	return TENON_OK;
}

enum tenon_code tn_studio_edge_insert(struct tn_studio_document *document,
				      struct tn_studio_edge *edge, size_t at,
				      struct tenon_error *err)
{
	enum tenon_code code = make_room((void ***)(void *)&document->edges, document->edge_count,
					 &document->edge_room, TN_STUDIO_EDGES_MAX, "edges", err);

	if (code == TENON_OK)
		code = check_ends(document, edge, err);
	if (code == TENON_OK)
		code = tn_map_put(&document->edges_by_id, edge->id, edge, err);
	if (code != TENON_OK)
		return code;
	if (at > document->edge_count)
		at = document->edge_count;
	open_gap((void **)document->edges, document->edge_count, at);
	document->edges[at] = edge;
	document->edge_count++;
	count_ends(document, edge, true);
	tn_studio_document_changed(document);
	return TENON_OK;
}

enum tenon_code tn_studio_edge_replace(struct tn_studio_document *document, size_t at,
				       struct tn_studio_edge *edge, struct tenon_error *err)
{
	enum tenon_code code = check_ends(document, edge, err);

	if (code != TENON_OK)
		return code;
	count_ends(document, document->edges[at], false);
	count_ends(document, edge, true);
	(void)tn_map_replace(&document->edges_by_id, edge->id, edge);
	tn_studio_edge_destroy(document->edges[at]);
	document->edges[at] = edge;
	tn_studio_document_changed(document);
	return TENON_OK;
}

void tn_studio_edge_remove(struct tn_studio_document *document, size_t at)
{
	struct tn_studio_edge *edge = document->edges[at];

	count_ends(document, edge, false);
	(void)tn_map_remove(&document->edges_by_id, edge->id);
	close_gap((void **)document->edges, document->edge_count, at);
	document->edge_count--;
	tn_studio_edge_destroy(edge);
	tn_studio_document_changed(document);
}

size_t tn_studio_node_at(const struct tn_studio_document *document,
			 const struct tn_studio_node *node)
{
	size_t at = node->order;

	/* The order is right unless something was put in or taken out since. */
	if (at < document->node_count && document->nodes[at] == node)
		return at;
	for (at = 0; at < document->node_count && document->nodes[at] != node;)
		at++;
	return at;
}

size_t tn_studio_edge_at(const struct tn_studio_document *document,
			 const struct tn_studio_edge *edge)
{
	size_t at = 0;

	while (at < document->edge_count && document->edges[at] != edge)
		at++;
	return at;
}
