#include "apps/studio/registry/internal.h"

#include "apps/studio/limits.h"

const struct tn_json *tn_registry_member_of(const struct tn_registry_file *file, const char *key,
					    enum tn_json_type type)
{
	const struct tn_json *value = tn_json_get(file->root, key);

	return tn_json_is(value, type) ? value : NULL;
}

/* An object with the members of both; of equal names the one of `over` is found first. */
static bool merge(struct tn_registry_loader *loader, const struct tn_json *over,
		  const struct tn_json *under, const struct tn_json **ret)
{
	struct tn_json *made = tn_registry_alloc(loader, 1, sizeof(*made));
	struct tn_json **tail;

	if (!made)
		return false;
	*made = (struct tn_json){.type = TN_JSON_OBJECT};
	tail = &made->first;
	for (const struct tn_json *m = over ? over->first : NULL; m; m = m->next) {
		struct tn_json *copy = tn_registry_alloc(loader, 1, sizeof(*copy));

		if (!copy)
			return false;
		*copy = *m;
		*tail = copy;
		tail = &copy->next;
		made->count++;
	}
	*tail = under ? under->first : NULL;
	made->count += under ? under->count : 0;
	*ret = made;
	return true;
}

bool tn_registry_add_prices(struct tn_registry_loader *loader, const struct tn_registry_file *file)
{
	const struct tn_json *prices = tn_json_get(file->root, "prices");
	const struct tn_registry_at at = tn_registry_key(NULL, "prices");
	struct tn_studio_registry *registry = loader->registry;
	const struct tn_json *table;
	struct tn_json *made;

	if (!prices || !tn_registry_prices(loader, prices, &at))
		return !loader->starved;
	if (!registry->prices) {
		registry->prices = prices;
		return true;
	}
	if (!merge(loader, tn_json_get(prices, "table"), tn_json_get(registry->prices, "table"),
		   &table) ||
	    !merge(loader, NULL, registry->prices, (const struct tn_json **)&made))
		return false;
	/* "table" in front hides the one before. */
	((struct tn_json *)(uintptr_t)table)->key = TN_STR("table");
	((struct tn_json *)(uintptr_t)table)->next = made->first;
	made->first = (struct tn_json *)(uintptr_t)table;
	registry->prices = made;
	return true;
}

bool tn_registry_add_maps(struct tn_registry_loader *loader, const struct tn_registry_file *file)
{
	struct tn_studio_registry *registry = loader->registry;
	const struct tn_json *codes = NULL, *regions = NULL;
	const struct tn_registry_at at = tn_registry_key(NULL, "regionShortcodes");

	if (!tn_registry_get_object(loader, file->root, NULL, "regionShortcodes", &codes) ||
	    !tn_registry_get_texts(loader, file->root, NULL, "costRegions", &regions))
		return !loader->starved;
	for (const struct tn_json *c = codes ? codes->first : NULL; c; c = c->next) {
		struct tn_registry_at here = tn_registry_member(&at, c);

		if (c->type != TN_JSON_STRING) {
			(void)tn_registry_fault(loader, &here, "a string is expected");
			codes = NULL;
			break;
		}
	}
	if (regions)
		registry->cost_regions = regions;
	return !codes ||
	       merge(loader, codes, registry->region_shortcodes, &registry->region_shortcodes);
}

size_t tn_registry_count(const struct tn_registry_loader *loader, const char *key)
{
	size_t count = 0;

	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *value = tn_json_get(loader->files[i].root, key);

		if (tn_json_is(value, TN_JSON_ARRAY) || tn_json_is(value, TN_JSON_OBJECT))
			count += value->count;
	}
	return count;
}

static bool read_category(struct tn_registry_loader *loader, const struct tn_json *source,
			  const struct tn_registry_at *at, struct tn_studio_category *ret)
{
	static const char *const keys[] = {"id", "label", "order", NULL};
	int64_t order = 1000;

	if (!tn_registry_keys(loader, source, at, keys) ||
	    !tn_registry_get_text(loader, source, at, "id", &ret->id) ||
	    !tn_registry_get_text(loader, source, at, "label", &ret->label) ||
	    !tn_registry_get_count(loader, source, at, "order", &order))
		return false;
	if (ret->id.size == 0 || ret->label.size == 0)
		return tn_registry_fault(loader, at, "\"id\" and \"label\" are needed");
	ret->order = (int)order;
	return true;
}

/* Sorted by `order`; equal ones stay as they came. */
static void insert_category(struct tn_studio_category *list, size_t count,
			    struct tn_studio_category category)
{
	while (count > 0 && list[count - 1].order > category.order) {
		list[count] = list[count - 1];
		count--;
	}
	list[count] = category;
}

bool tn_registry_add_palette(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tn_studio_category *list =
		tn_registry_alloc(loader, tn_registry_count(loader, "palette"), sizeof(*list));
	const struct tn_registry_at place = tn_registry_key(NULL, "palette");

	if (!list)
		return false;
	registry->categories = list;
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *palette =
			tn_registry_member_of(&loader->files[i], "palette", TN_JSON_ARRAY);
		size_t index = 0;

		loader->file = &loader->files[i];
		for (const struct tn_json *e = palette ? palette->first : NULL; e;
		     e = e->next, index++) {
			struct tn_registry_at here = tn_registry_index(&place, index);
			struct tn_studio_category category = {.order = 0};
			bool twice = false;

			if (registry->category_count >= TN_STUDIO_TYPES_MAX ||
			    !read_category(loader, e, &here, &category))
				continue;
			for (size_t c = 0; c < registry->category_count; c++)
				twice = twice || tn_str_equal(list[c].id, category.id);
			/* A file may repeat what it puts its types into. */
			if (!twice)
				insert_category(list, registry->category_count++, category);
		}
	}
	return !loader->starved;
}

/* null: built into the engine. */
static bool read_source(struct tn_registry_loader *loader, const struct tn_json *source,
			const struct tn_registry_at *at, struct tn_studio_provider *ret)
{
	const struct tn_json *origin = tn_json_get(source, "source");

	if (!tn_json_is(origin, TN_JSON_NULL) &&
	    !tn_registry_get_text(loader, source, at, "source", &ret->source))
		return false;
	return (origin && ret->display_name.size > 0 && tn_registry_is_identifier(ret->id)) ||
	       tn_registry_fault(loader, at,
				 "a provider needs an id, \"displayName\" and \"source\"");
}

static bool read_provider(struct tn_registry_loader *loader, const struct tn_json *source,
			  const struct tn_registry_at *at, struct tn_studio_provider *ret)
{
	static const char *const keys[] = {"displayName", "source", "version", "config", "body",
					   "scopes",      "alias",  "note",    NULL};
	struct tn_registry_at config_at = tn_registry_key(at, "config");
	const struct tn_json *config = NULL;
	struct tn_studio_property *list = NULL;
	bool right;

	ret->id = source->key;
	if (!tn_registry_keys(loader, source, at, keys) ||
	    !tn_registry_get_text(loader, source, at, "displayName", &ret->display_name) ||
	    !tn_registry_get_text(loader, source, at, "version", &ret->version) ||
	    !tn_registry_get_array(loader, source, at, "config", &config) ||
	    !tn_registry_get_array(loader, source, at, "body", &ret->body) ||
	    !tn_registry_get_object(loader, source, at, "scopes", &ret->scopes) ||
	    !tn_registry_get_object(loader, source, at, "alias", &ret->alias) ||
	    !read_source(loader, source, at, ret))
		return false;
	right = !config || tn_registry_properties(loader, config, &config_at, false, 0, &list,
						  &ret->config_count);
	ret->config = list;
	return right;
}

bool tn_registry_add_providers(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tn_studio_provider *list =
		tn_registry_alloc(loader, tn_registry_count(loader, "providers"), sizeof(*list));
	const struct tn_registry_at place = tn_registry_key(NULL, "providers");

	if (!list)
		return false;
	registry->providers = list;
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *providers =
			tn_registry_member_of(&loader->files[i], "providers", TN_JSON_OBJECT);

		loader->file = &loader->files[i];
		for (const struct tn_json *m = providers ? providers->first : NULL; m;
		     m = m->next) {
			struct tn_registry_at here = tn_registry_member(&place, m);
			struct tn_studio_provider provider = {.config_count = 0};

			if (tn_studio_provider_find(registry, m->key))
				(void)tn_registry_fault(loader, &here,
							"another file has this provider");
			else if (registry->provider_count < TN_STUDIO_TYPE_FILES_MAX &&
				 read_provider(loader, m, &here, &provider))
				list[registry->provider_count++] = provider;
		}
	}
	return !loader->starved;
}
