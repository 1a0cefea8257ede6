/* Where nodes stand: in what their references and groups say. */
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

static bool may_stand_in(const struct tn_import_node *node, const struct tn_import_node *parent)
{
	return parent && parent != node && !parent->gone &&
	       tn_studio_may_contain(parent->type, node->type);
}

static struct tn_import_node *group_of(const struct tn_import_node *node)
{
	for (const struct tn_import_binding *one = node->bindings; one; one = one->next) {
		if (one->kind == TN_IMPORT_SCOPE && !one->target->gone)
			return one->target;
	}
	return NULL;
}

/* The group that a node in this parent would be in. */
static struct tn_import_node *group_above(struct tn_import_node *parent,
					  const struct tn_studio_type *type)
{
	for (unsigned depth = 0; parent && depth < TN_STUDIO_DEPTH_MAX;
	     parent = parent->parent, depth++) {
		if (parent->type == type)
			return parent;
	}
	return NULL;
}

static bool is_above(const struct tn_import_node *node, const struct tn_import_node *above)
{
	for (unsigned depth = 0; node && depth <= TN_STUDIO_DEPTH_MAX;
	     node = node->parent, depth++) {
		if (node == above)
			return true;
	}
	return node != NULL; /* too deep: not there */
}

static struct tn_import_node *implied_parent(const struct tn_import_node *node, struct tn_str *key)
{
	const struct tn_json *reference = node->type->parent_reference;
	const struct tn_import_binding *bound;

	if (!tn_json_to_str(tn_json_get(reference, "key"), key))
		return NULL;
	bound = tn_import_binding(node->bindings, TN_IMPORT_TARGET, *key);
	return bound && tn_studio_ids_have(tn_json_get(reference, "from"), bound->target->type)
		       ? bound->target
		       : NULL;
}

/* Where a node can stand so that it is in its group, when it can stand neither in the group itself
 * nor in what it refers to. */
static struct tn_import_node *somewhere_in(const struct tn_import *import,
					   const struct tn_import_node *node,
					   const struct tn_import_node *group)
{
	for (struct tn_import_node *one = import->nodes; one && group; one = one->next) {
		if (one->placed && may_stand_in(node, one) &&
		    group_above(one, group->type) == group && !is_above(one, node))
			return one;
	}
	return NULL;
}

/* In a network of another group a node would become one of that group. */
static bool is_elsewhere(struct tn_import_node *parent, const struct tn_import_node *group)
{
	const struct tn_import_node *above = group ? group_above(parent, group->type) : NULL;

	return above && above != group;
}

static struct tn_import_node *parent_of(const struct tn_import *import, struct tn_import_node *node,
					struct tn_import_node *implied)
{
	struct tn_import_node *group = group_of(node);
	bool in_group = may_stand_in(node, group) && !is_above(group, node);

	if (implied && may_stand_in(node, implied) && !is_above(implied, node) &&
	    !(in_group && is_elsewhere(implied, group)))
		return implied;
	return in_group ? group : somewhere_in(import, node, group);
}

static void place(const struct tn_import *import, struct tn_import_node *node)
{
	const struct tn_import_node *group = group_of(node);
	struct tn_import_node *implied;
	struct tn_str key = TN_STR("");

	if (node->parent)
		return; /* a private endpoint has said where it stands */
	implied = implied_parent(node, &key);
	node->parent = parent_of(import, node, implied);
	node->stranded = group && group_above(node->parent, group->type) != group;
	if (implied && node->parent == implied) {
		node->implied = true;
		node->implied_key = key;
	}
}

/* How deep a type stands: containers have their places before what is in them. */
static bool waits_for(const struct tn_import_node *node)
{
	struct tn_str key;
	const struct tn_import_node *parent = implied_parent(node, &key);

	return parent && !parent->placed && parent != node;
}

void tn_import_parents(struct tn_import *import)
{
	bool again = true;

	for (unsigned round = 0; again && round <= TN_STUDIO_DEPTH_MAX; round++) {
		again = false;
		for (struct tn_import_node *node = import->nodes; node; node = node->next) {
			if (node->gone || node->placed)
				continue;
			if (round < TN_STUDIO_DEPTH_MAX && waits_for(node)) {
				again = true;
				continue;
			}
			place(import, node);
			node->placed = true;
		}
	}
}
