/* generate_relation.c - no reference and no edge is drawn and left out of the configuration
 * (studio.md 5.3): what was written is noted where it is written, and the rest is told. */
#include "apps/studio/document/connection.h"
#include "apps/studio/generate/internal.h"

enum { REFERENCES_MAX = 1000 };

static struct tn_str name_of(struct tn_studio_gen *gen, const struct tn_studio_node *node,
			     struct tn_str key, const struct tn_studio_node *target)
{
	return tn_studio_gen_format(gen, "%zu %zu %.*s", (size_t)node->order, (size_t)target->order,
				    (int)key.size, key.data);
}

void tn_studio_gen_emitted(struct tn_studio_gen *gen, const struct tn_studio_node *node,
			   struct tn_str key, const struct tn_studio_node *target)
{
	struct tn_str name = name_of(gen, node, key, target);

	if (name.size == 0 || tn_map_get(&gen->emitted, name))
		return;
	if (tn_map_put(&gen->emitted, name, gen, NULL) != TENON_OK)
		gen->full = true;
}

static void tell(struct tn_studio_gen *gen, const struct tn_studio_node *node, struct tn_str key,
		 const struct tn_studio_node *target)
{
	tn_studio_gen_tell(gen, TN_STUDIO_ERROR, "RELATION_NOT_EMITTED", node, key,
			   "'%.*s' refers to '%.*s' by %.*s, but as it is set up that is not "
			   "written: set the reference again (update_resource), or clear it.",
			   (int)node->label.size, node->label.data, (int)target->label.size,
			   target->label.data, (int)key.size, key.data);
}

static void check_reference(struct tn_studio_gen *gen, const struct tn_studio_node *node,
			    const struct tn_studio_property *property)
{
	const struct tn_studio_node *targets[REFERENCES_MAX];
	size_t count =
		tn_studio_references(gen->document, node, property, targets, REFERENCES_MAX, NULL);

	for (size_t i = 0; i < count; i++) {
		struct tn_str name = name_of(gen, node, property->key, targets[i]);

		if (name.size > 0 && !tn_map_get(&gen->emitted, name))
			tell(gen, node, property->key, targets[i]);
	}
}

/* An edge of a rule is its reference; one of an output makes a block, which has its own trouble. */
static void check_edge(struct tn_studio_gen *gen, const struct tn_studio_edge *edge)
{
	const struct tn_studio_node *node, *target;
	struct tn_studio_connection connection;

	if (edge->category != TN_STUDIO_STRUCTURAL || !edge->source || !edge->target ||
	    !edge->source->type || !edge->target->type ||
	    !tn_studio_connection_find(gen->document->registry, edge->source->type,
				       edge->source_handle, edge->target->type, edge->target_handle,
				       &connection) ||
	    !connection.rule || !connection.rule->sets)
		return;
	node = connection.rule->sets_on_source ? edge->source : edge->target;
	target = connection.rule->sets_on_source ? edge->target : edge->source;
	struct tn_str name = name_of(gen, node, connection.rule->reference, target);
	if (name.size > 0 && !tn_map_get(&gen->emitted, name))
		tell(gen, node, connection.rule->reference, target);
}

void tn_studio_gen_check_relations(struct tn_studio_gen *gen)
{
	const struct tn_studio_document *document = gen->document;

	for (size_t i = 0; i < document->node_count && !gen->full; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		for (size_t p = 0; node->type && p < node->type->property_count; p++) {
			if (node->type->properties[p].type == TN_STUDIO_REFERENCE)
				check_reference(gen, node, &node->type->properties[p]);
		}
	}
	for (size_t i = 0; i < document->edge_count && !gen->full; i++)
		check_edge(gen, document->edges[i]);
}
