#include "apps/workbench/registry/registry.h"

#include "apps/workbench/registry/control.h"
#include "apps/workbench/registry/registry_parts.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

void tn_wb_registry_free(struct tn_wb_registry *registry)
{
	if (!registry)
		return;
	tn_map_finish(&registry->by_type);
	tn_buf_finish(&registry->text);
	tn_arena_finish(&registry->arena);
	tn_mem_free(registry);
}

bool tn_wb_registry_equal(const struct tn_wb_registry *a, const struct tn_wb_registry *b)
{
	if (!tn_str_equal(tn_buf_str(&a->text), tn_buf_str(&b->text)) || a->count != b->count ||
	    a->disabled_count != b->disabled_count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!tn_str_equal(a->entries[i].module, b->entries[i].module))
			return false;
	}
	for (size_t i = 0; i < a->disabled_count; i++) {
		if (!tn_str_equal(a->disabled[i], b->disabled[i]))
			return false;
	}
	return true;
}

struct tn_str tn_wb_registry_text(const struct tn_wb_registry *registry)
{
	return tn_buf_str(&registry->text);
}

size_t tn_wb_registry_count(const struct tn_wb_registry *registry)
{
	return registry->count;
}

const struct tn_wb_entry *tn_wb_registry_at(const struct tn_wb_registry *registry, size_t index)
{
	return index < registry->count ? &registry->entries[index] : NULL;
}

const struct tn_wb_entry *tn_wb_registry_find(const struct tn_wb_registry *registry,
					      struct tn_str type_id)
{
	const void *found = tn_map_get(&registry->by_type, type_id);

	return found == registry ? NULL : found;
}

bool tn_wb_registry_is_disabled(const struct tn_wb_registry *registry, struct tn_str type_id)
{
	return tn_map_get(&registry->by_type, type_id) == registry;
}

static void fill_prop(const struct tn_json *definition, struct tn_wb_prop *ret)
{
	const struct tn_json *exposure = tn_json_get(definition, "exposure");

	*ret = (struct tn_wb_prop){.definition = definition, .kind = TN_WB_OPAQUE};
	(void)tn_wb_exposure_kind_of(exposure, &ret->kind);
	if (ret->kind != TN_WB_EDITABLE)
		return;
	ret->control = tn_json_get(exposure, "control");
	ret->constraints = tn_json_get(exposure, "constraints");
	ret->editable = tn_wb_control_is_editable(ret->control);
}

bool tn_wb_entry_prop(const struct tn_wb_entry *entry, struct tn_str name, struct tn_wb_prop *ret)
{
	const struct tn_json *definition = tn_json_get_str(tn_json_get(entry->tree, "props"), name);

	if (!definition)
		return false;
	fill_prop(definition, ret);
	return true;
}

const struct tn_wb_hint *tn_wb_registry_hints(const struct tn_wb_registry *registry,
					      size_t *ret_count)
{
	*ret_count = registry->hint_count;
	return registry->hints;
}

void tn_wb_registry_put_disabled(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < registry->disabled_count; i++)
		tn_json_put_str(out, registry->disabled[i]);
	tn_json_end_array(out);
}

void tn_wb_registry_put_provenance(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	tn_json_begin_object(out);
	for (size_t i = 0; i < registry->count; i++) {
		tn_json_put_key_str(out, registry->entries[i].type_id);
		tn_json_put_str(out, registry->entries[i].module);
	}
	tn_json_end_object(out);
}

void tn_wb_entry_put_index_members(struct tn_buf *out, const struct tn_wb_entry *entry)
{
	const struct tn_json *tags = tn_json_get(entry->tree, "tags");
	const struct tn_json *props = tn_json_get(entry->tree, "props");

	tn_json_put_member_str(out, "typeId", entry->type_id);
	tn_json_put_member_str(out, "displayName", entry->display_name);
	tn_json_put_key(out, "tags");
	if (tags)
		tn_json_put_value(out, tags);
	else
		tn_json_put_raw(out, TN_STR("[]"));
	tn_json_put_key(out, "editable");
	tn_json_begin_array(out);
	for (const struct tn_json *at = props->first; at; at = at->next) {
		struct tn_wb_prop prop;

		fill_prop(at, &prop);
		if (prop.editable)
			tn_json_put_str(out, at->key);
	}
	tn_json_end_array(out);
}
