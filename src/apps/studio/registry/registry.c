#include "apps/studio/registry/registry.h"

#include "base/mem.h"

struct tn_studio_registry *tn_studio_registry_ref(struct tn_studio_registry *registry)
{
	(void)atomic_fetch_add_explicit(&registry->refs, 1, memory_order_relaxed);
	return registry;
}

void tn_studio_registry_unref(struct tn_studio_registry *registry)
{
	if (!registry || atomic_fetch_sub_explicit(&registry->refs, 1, memory_order_acq_rel) > 1)
		return;
	tn_map_finish(&registry->by_id);
	tn_arena_finish(&registry->arena);
	tn_mem_free(registry);
}

const struct tn_studio_type *tn_studio_type_find(const struct tn_studio_registry *registry,
						 struct tn_str type_id)
{
	return tn_map_get(&registry->by_id, type_id);
}

const struct tn_studio_property *tn_studio_property_find(const struct tn_studio_type *type,
							 struct tn_str key)
{
	for (size_t i = 0; type && i < type->property_count; i++) {
		if (tn_str_equal(type->properties[i].key, key))
			return &type->properties[i];
	}
	return NULL;
}

const struct tn_studio_handle *tn_studio_handle_find(const struct tn_studio_type *type,
						     struct tn_str id)
{
	for (size_t i = 0; type && i < type->handle_count; i++) {
		if (tn_str_equal(type->handles[i].id, id))
			return &type->handles[i];
	}
	return NULL;
}

const struct tn_studio_output *tn_studio_output_find(const struct tn_studio_type *type,
						     struct tn_str key)
{
	for (size_t i = 0; type && i < type->output_count; i++) {
		if (tn_str_equal(type->outputs[i].key, key))
			return &type->outputs[i];
	}
	return NULL;
}

const struct tn_studio_provider *tn_studio_provider_find(const struct tn_studio_registry *registry,
							 struct tn_str id)
{
	for (size_t i = 0; i < registry->provider_count; i++) {
		if (tn_str_equal(registry->providers[i].id, id))
			return &registry->providers[i];
	}
	return NULL;
}

struct tn_str tn_studio_type_makes(const struct tn_studio_type *type, size_t at)
{
	const struct tn_json *terraform = tn_json_get(type->terraform, "type"), *cases;
	struct tn_str name = tn_str("", 0);

	if (type->no_primary || (tn_json_to_str(terraform, &name) && at > 0))
		return tn_str("", 0);
	if (name.size > 0)
		return name;
	if (tn_json_to_str(tn_json_get(terraform, "default"), &name) && at-- == 0)
		return name;
	cases = tn_json_get(terraform, "cases");
	for (const struct tn_json *one = cases ? cases->first : NULL; one; one = one->next) {
		if (tn_json_to_str(one, &name) && at-- == 0)
			return name;
	}
	return tn_str("", 0);
}

bool tn_studio_ids_have(const struct tn_json *ids, const struct tn_studio_type *type)
{
	if (!type || !tn_json_is(ids, TN_JSON_ARRAY))
		return false;
	for (const struct tn_json *e = ids->first; e; e = e->next) {
		if (e->type == TN_JSON_STRING && tn_str_equal(e->text, type->id))
			return true;
	}
	return false;
}

bool tn_studio_may_contain(const struct tn_studio_type *parent, const struct tn_studio_type *child)
{
	if (!parent || child->is_annotation)
		return true;
	if (!parent->container)
		return false;
	return !child->can_be_child_of || tn_studio_ids_have(child->can_be_child_of, parent);
}
