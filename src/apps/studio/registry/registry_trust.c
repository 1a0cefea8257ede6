/* What a project's own files of types let the engine run (ST-143). Mistakes and raw text are marked
 * where they are read; here it is the providers: each is a program that a plan starts. */
#include "apps/studio/registry/internal.h"

/* "azurerm_subnet" is of the provider azurerm. Those of the engine itself make nothing but values,
 * save for the one that reads other states. */
static bool is_known(const struct tn_studio_registry *registry, struct tn_str type)
{
	size_t end = tn_str_find_byte(type, '_');
	const struct tn_studio_provider *provider =
		tn_studio_provider_find(registry, tn_str(type.data, end == TN_STR_NONE ? 0 : end));

	return tn_str_is(type, "terraform_data") || (provider && provider->source.size > 0);
}

static bool are_known(const struct tn_studio_registry *registry, const struct tn_json *blocks)
{
	for (const struct tn_json *at = tn_json_is(blocks, TN_JSON_ARRAY) ? blocks->first : NULL;
	     at; at = at->next) {
		struct tn_str type = TN_STR("");

		(void)tn_json_to_str(tn_json_get(at, "type"), &type);
		if (!is_known(registry, type))
			return false;
	}
	return true;
}

/* One name, or names by the value of a property. */
static bool primary_is_known(const struct tn_studio_registry *registry,
			     const struct tn_studio_type *type)
{
	const struct tn_json *named = tn_json_get(type->terraform, "type");
	const struct tn_json *cases = tn_json_get(named, "cases");
	struct tn_str name;

	if (type->is_virtual || type->no_primary || !named)
		return true;
	if (tn_json_to_str(named, &name))
		return is_known(registry, name);
	if (tn_json_to_str(tn_json_get(named, "default"), &name) && !is_known(registry, name))
		return false;
	for (const struct tn_json *at = cases ? cases->first : NULL; at; at = at->next) {
		if (!tn_json_to_str(at, &name) || !is_known(registry, name))
			return false;
	}
	return true;
}

static bool has_members(const struct tn_registry_file *file, const char *key)
{
	const struct tn_json *value = tn_json_get(file->root, key);

	return value && value->first;
}

static void put_source(struct tn_buf *out, const struct tn_studio_source *source)
{
	char hex[TN_DIGEST_HEX_SIZE];

	tn_digest_hex(source->text, hex);
	tn_buf_format(out, "%zu %.*s %s\n", source->name.size, (int)source->name.size,
		      source->name.data, hex);
}

bool tn_registry_judge(struct tn_registry_loader *loader, const struct tn_studio_source *sources,
		       size_t count)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tn_buf all;

	tn_buf_init(&all, TN_MIB);
	for (size_t i = 0; i < count; i++) {
		if (sources[i].from_project)
			put_source(&all, &sources[i]);
	}
	if (all.size > 0)
		tn_digest_hex(tn_buf_str(&all), registry->project_digest);
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_registry_file *file = &loader->files[i];

		registry->project_brings |= file->from_project && (has_members(file, "providers") ||
								   has_members(file, "bindings"));
	}
	for (size_t i = 0; i < registry->type_count; i++) {
		struct tn_studio_type *type = registry->types[i];

		if (type->from_project &&
		    (!primary_is_known(registry, type) || !are_known(registry, type->data) ||
		     !are_known(registry, type->extra)))
			type->needs_trust = true;
	}
	if (all.failed)
		(void)tn_registry_starve(loader);
	tn_buf_finish(&all);
	return !loader->starved;
}
