#include "apps/studio/document/connection.h"

static const struct tn_str node_handle = {"node", 4};

static bool after(struct tn_str text, const char *prefix, struct tn_str *ret)
{
	struct tn_str start = tn_str_from(prefix);

	if (!tn_str_starts(text, start))
		return false;
	*ret = tn_str_from_offset(text, start.size);
	return true;
}

bool tn_studio_may_refer(const struct tn_studio_property *property,
			 const struct tn_studio_type *other)
{
	return !property->to || (other && tn_studio_ids_have(property->to, other));
}

static bool takes_references(const struct tn_studio_type *type, struct tn_str handle)
{
	const struct tn_studio_handle *found;

	if (tn_str_equal(handle, node_handle))
		return true;
	found = tn_studio_handle_find(type, handle);
	return found && !found->source;
}

static const struct tn_studio_property *reference_of(const struct tn_studio_type *type,
						     struct tn_str key)
{
	const struct tn_studio_property *property = tn_studio_property_find(type, key);

	return property && property->type == TN_STUDIO_REFERENCE ? property : NULL;
}

static const struct tn_studio_rule *find_rule(const struct tn_studio_registry *registry,
					      const struct tn_studio_type *source,
					      struct tn_str source_handle,
					      const struct tn_studio_type *target,
					      struct tn_str target_handle)
{
	for (size_t i = 0; i < registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &registry->rules[i];

		if (rule->from == source && rule->to == target &&
		    tn_str_equal(rule->from_handle, source_handle) &&
		    tn_str_equal(rule->to_handle, target_handle))
			return rule;
	}
	return NULL;
}

const struct tn_studio_rule *tn_studio_rule_of(const struct tn_studio_registry *registry,
					       const struct tn_studio_type *type, struct tn_str key,
					       const struct tn_studio_type *other)
{
	struct tn_str rest;

	for (size_t i = 0; i < registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &registry->rules[i];
		bool fits = rule->sets_on_source ? rule->from == type && rule->to == other
						 : rule->to == type && rule->from == other;

		/* The edge of a `ref-` handle is the reference itself (ST-034). */
		if (fits && rule->sets && tn_str_equal(rule->reference, key) &&
		    !after(rule->from_handle, "ref-", &rest))
			return rule;
	}
	return NULL;
}

/* A reference that a rule's edge pictures is made as that edge. */
static bool find_reference(const struct tn_studio_registry *registry,
			   const struct tn_studio_type *source, struct tn_str key,
			   const struct tn_studio_type *target, struct tn_str target_handle,
			   struct tn_studio_connection *ret)
{
	const struct tn_studio_property *property = reference_of(source, key);

	if (!property || !tn_studio_may_refer(property, target) ||
	    !takes_references(target, target_handle))
		return false;
	ret->category = TN_STUDIO_REFERENCE_EDGE;
	ret->property = property;
	ret->rule = tn_studio_rule_of(registry, source, key, target);
	return true;
}

static bool find_binding(const struct tn_studio_type *source, struct tn_str key,
			 const struct tn_studio_type *target, struct tn_str target_handle,
			 struct tn_studio_connection *ret)
{
	const struct tn_studio_handle *handle = tn_studio_handle_find(target, target_handle);

	ret->output = tn_studio_output_find(source, key);
	ret->category = TN_STUDIO_BINDING;
	return ret->output && handle && !handle->source && handle->accepts_outputs;
}

static bool is_annotation_end(const struct tn_studio_type *type, struct tn_str handle)
{
	return tn_str_equal(handle, node_handle) ||
	       (type->is_annotation && tn_studio_handle_find(type, handle));
}

bool tn_studio_connection_find(const struct tn_studio_registry *registry,
			       const struct tn_studio_type *source, struct tn_str source_handle,
			       const struct tn_studio_type *target, struct tn_str target_handle,
			       struct tn_studio_connection *ret)
{
	struct tn_str key;

	*ret = (struct tn_studio_connection){.category = TN_STUDIO_STRUCTURAL};
	if (!source || !target)
		return false;
	if (after(source_handle, "ref-", &key))
		return find_reference(registry, source, key, target, target_handle, ret);
	if (after(source_handle, "out-", &key) && !tn_studio_handle_find(source, source_handle))
		return find_binding(source, key, target, target_handle, ret);
	ret->rule = find_rule(registry, source, source_handle, target, target_handle);
	if (ret->rule)
		return true;
	ret->category = TN_STUDIO_ANNOTATION;
	return is_annotation_end(source, source_handle) && is_annotation_end(target, target_handle);
}

/* ---- what may be ---- */

struct pairs {
	const struct tn_studio_registry *registry;
	const struct tn_studio_type *source, *target;
	struct tn_arena *arena;
	struct tn_studio_handle_pair *at;
	size_t count, max;
	bool reversed;
};

static void add(struct pairs *pairs, struct tn_str source_handle, struct tn_str target_handle)
{
	if (pairs->count < pairs->max && source_handle.data)
		pairs->at[pairs->count++] = (struct tn_studio_handle_pair){
			pairs->reversed, source_handle, target_handle};
}

static struct tn_str named(struct pairs *pairs, const char *prefix, struct tn_str key)
{
	return tn_str_from(
		tn_arena_format(pairs->arena, "%s%.*s", prefix, (int)key.size, key.data));
}

static void add_rules(struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->registry->rule_count; i++) {
		const struct tn_studio_rule *rule = &pairs->registry->rules[i];

		if (rule->from == pairs->source && rule->to == pairs->target)
			add(pairs, rule->from_handle, rule->to_handle);
	}
}

static bool has_pair(const struct pairs *pairs, struct tn_str source_handle)
{
	for (size_t i = 0; i < pairs->count; i++) {
		if (pairs->at[i].reversed == pairs->reversed &&
		    tn_str_equal(pairs->at[i].source_handle, source_handle))
			return true;
	}
	return false;
}

static void add_references(struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->source->property_count; i++) {
		const struct tn_studio_property *property = &pairs->source->properties[i];
		struct tn_str handle;

		/* Those that take everything say nothing about these two. */
		if (property->type != TN_STUDIO_REFERENCE || !property->to ||
		    !tn_studio_may_refer(property, pairs->target) ||
		    tn_studio_rule_of(pairs->registry, pairs->source, property->key, pairs->target))
			continue;
		handle = named(pairs, "ref-", property->key);
		if (!has_pair(pairs, handle))
			add(pairs, handle, node_handle);
	}
}

static void add_bindings(struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->target->handle_count; i++) {
		const struct tn_studio_handle *handle = &pairs->target->handles[i];

		if (!handle->source && handle->accepts_outputs && pairs->source->output_count > 0)
			add(pairs, named(pairs, "out-", pairs->source->outputs[0].key), handle->id);
	}
}

static void both_ways(struct pairs *pairs, void (*each)(struct pairs *pairs))
{
	const struct tn_studio_type *source = pairs->source;

	each(pairs);
	if (source == pairs->target)
		return;
	pairs->source = pairs->target;
	pairs->target = source;
	pairs->reversed = true;
	each(pairs);
	pairs->target = pairs->source;
	pairs->source = source;
	pairs->reversed = false;
}

size_t tn_studio_connection_pairs(const struct tn_studio_registry *registry,
				  const struct tn_studio_type *source,
				  const struct tn_studio_type *target, struct tn_arena *arena,
				  struct tn_studio_handle_pair *ret, size_t max)
{
	struct pairs pairs = {registry, source, target, arena, ret, 0, max, false};

	if (!source || !target)
		return 0;
	both_ways(&pairs, add_rules);
	both_ways(&pairs, add_references);
	both_ways(&pairs, add_bindings);
	add(&pairs, node_handle, node_handle);
	return pairs.count;
}
