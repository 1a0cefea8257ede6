/* The edges of a picture: the stored ones, and those that are references (studio.md 4.5). */
#include "apps/studio/document/internal.h"

bool tn_studio_reference_is_drawn(const struct tn_studio_node *node,
				  const struct tn_studio_property *property)
{
	const struct tn_json *drawn = tn_json_get(node->record, TN_STUDIO_DRAWN);
	struct tn_str key;

	if (property->edge)
		return true;
	if (!tn_json_is(drawn, TN_JSON_ARRAY))
		return false;
	for (const struct tn_json *at = drawn->first; at; at = at->next) {
		if (tn_json_to_str(at, &key) && tn_str_equal(key, property->key))
			return true;
	}
	return false;
}

struct maker {
	const struct tn_studio_document *document;
	struct tn_arena *arena;
	struct tn_studio_edge *edges; /* NULL: they are only counted */
	size_t count;
	bool failed;
};

static void derive(struct maker *maker, struct tn_studio_node *source, struct tn_str key,
		   const struct tn_json *id)
{
	struct tn_str target_id = tn_str(NULL, 0);
	struct tn_studio_node *target;
	struct tn_studio_edge *edge;

	(void)tn_json_to_str(id, &target_id);
	target = tn_studio_node_find(maker->document, target_id);
	if (!target || maker->failed)
		return;
	if (maker->edges) {
		edge = &maker->edges[maker->count];
		*edge = (struct tn_studio_edge){.source_id = source->id,
						.target_id = target->id,
						.target_handle = TN_STR("node"),
						.category = TN_STUDIO_REFERENCE_EDGE,
						.derived = true,
						.rev = source->linked,
						.source = source,
						.target = target};
		edge->id = tn_str_from(tn_arena_format(
			maker->arena, "ref:%.*s:%.*s:%.*s", (int)source->id.size, source->id.data,
			(int)key.size, key.data, (int)target->id.size, target->id.data));
		edge->source_handle = tn_str_from(
			tn_arena_format(maker->arena, "ref-%.*s", (int)key.size, key.data));
		maker->failed = !edge->id.data || !edge->source_handle.data;
	}
	maker->count++;
}

static void derive_of(struct maker *maker, struct tn_studio_node *node)
{
	if (!node->type || !node->references)
		return;
	for (const struct tn_json *at = node->references->first; at; at = at->next) {
		const struct tn_studio_property *property =
			tn_studio_property_find(node->type, at->key);

		if (!property || !tn_studio_reference_is_drawn(node, property))
			continue;
		if (at->type != TN_JSON_ARRAY) {
			derive(maker, node, at->key, at);
			continue;
		}
		for (const struct tn_json *one = at->first; one; one = one->next)
			derive(maker, node, at->key, one);
	}
}

static void derive_all(struct maker *maker)
{
	for (size_t i = 0; i < maker->document->node_count; i++)
		derive_of(maker, maker->document->nodes[i]);
}

enum tenon_code tn_studio_edges_all(const struct tn_studio_document *document,
				    struct tn_arena *arena, const struct tn_studio_edge **ret,
				    size_t *ret_count, struct tenon_error *err)
{
	struct maker maker = {.document = document, .arena = arena};

	derive_all(&maker);
	maker.edges = tn_arena_alloc_array(arena, document->edge_count + maker.count + 1,
					   sizeof(*maker.edges));
	if (!maker.edges)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < document->edge_count; i++)
		maker.edges[i] = *document->edges[i];
	maker.count = document->edge_count;
	derive_all(&maker);
	if (maker.failed)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*ret = maker.edges;
	*ret_count = maker.count;
	return TENON_OK;
}

/* ---- one of them by its id ---- */

static bool refers(const struct tn_json *value, struct tn_str target)
{
	struct tn_str id;

	if (value->type != TN_JSON_ARRAY)
		return tn_json_to_str(value, &id) && tn_str_equal(id, target);
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (tn_json_to_str(at, &id) && tn_str_equal(id, target))
			return true;
	}
	return false;
}

/* What stands before the next colon; no part but the last has one (id.h). */
static struct tn_str next_part(struct tn_str *rest)
{
	const char *colon = rest->size > 0 ? memchr(rest->data, ':', rest->size) : NULL;
	size_t size = colon ? (size_t)(colon - rest->data) : rest->size;
	struct tn_str part = tn_str(rest->data, size);

	*rest = tn_str(rest->data + size + (colon ? 1 : 0), rest->size - size - (colon ? 1 : 0));
	return part;
}

const struct tn_studio_node *tn_studio_derived_from(const struct tn_studio_document *document,
						    struct tn_str id)
{
	struct tn_str target = id;
	bool is_reference = tn_str_is(next_part(&target), "ref");
	struct tn_str source = next_part(&target), key = next_part(&target);
	const struct tn_studio_node *node =
		is_reference ? tn_studio_node_find(document, source) : NULL;
	const struct tn_json *value = node ? tn_json_get_str(node->references, key) : NULL;
	const struct tn_studio_property *property =
		value && node->type ? tn_studio_property_find(node->type, key) : NULL;

	return property && tn_studio_reference_is_drawn(node, property) &&
			       tn_studio_node_find(document, target) && refers(value, target)
		       ? node
		       : NULL;
}
