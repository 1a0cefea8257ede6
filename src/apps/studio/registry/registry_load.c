#include "apps/studio/registry/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

extern const char tn_studio_catalog[]; /* data/catalog, in one text */
extern const size_t tn_studio_catalog_size;

enum { FORMAT_VERSION = 1 };

/* ---- files ---- */

/* Line and column are what an editor shows; the reader knows bytes. */
static void place_of(struct tn_str text, const struct tenon_error *err, unsigned *ret_line,
		     unsigned *ret_column)
{
	const char *byte = strstr(err->message, "byte ");
	size_t offset = byte ? strtoul(byte + 5, NULL, 10) : 0;

	*ret_line = 1;
	*ret_column = 1;
	for (size_t i = 0; i < offset && i < text.size; i++) {
		(*ret_column)++;
		if (text.data[i] == '\n') {
			(*ret_line)++;
			*ret_column = 1;
		}
	}
}

static bool check_top(struct tn_registry_loader *loader, const struct tn_json *root)
{
	static const char *const keys[] = {"formatVersion",
					   "asOf",
					   "verifiedAgainst",
					   "providers",
					   "regionShortcodes",
					   "costRegions",
					   "palette",
					   "connectionRules",
					   "bindings",
					   "prices",
					   "types",
					   "note",
					   NULL};
	static const char *const lists[] = {"palette", "connectionRules", "bindings", "types",
					    NULL};
	const struct tn_registry_at version_at = tn_registry_key(NULL, "formatVersion");
	const struct tn_json *list;
	int64_t version;

	if (!tn_json_is(root, TN_JSON_OBJECT))
		return tn_registry_fault(loader, NULL, "a registry file is an object, not %s",
					 tn_json_type_name(root));
	if (!tn_json_to_int(tn_json_get(root, "formatVersion"), &version))
		return tn_registry_fault(loader, &version_at, "\"formatVersion\": %d is missing",
					 FORMAT_VERSION);
	if (version != FORMAT_VERSION)
		return tn_registry_fault(loader, &version_at,
					 "version %lld is not understood; this program reads %d",
					 (long long)version, FORMAT_VERSION);
	for (size_t i = 0; lists[i]; i++) {
		if (!tn_registry_get_array(loader, root, NULL, lists[i], &list))
			return false;
	}
	/* Told, but what is understood is used all the same. */
	(void)tn_registry_keys(loader, root, NULL, keys);
	return true;
}

static bool parse_file(struct tn_registry_loader *loader, struct tn_registry_file *file,
		       struct tn_str text)
{
	struct tn_json *root = NULL;
	struct tenon_error err;
	unsigned line, column;
	enum tenon_code code;

	loader->file = file;
	if (text.size > TN_STUDIO_TYPE_FILE_BYTES_MAX) {
		(void)tn_registry_fault(loader, NULL, "larger than %zu bytes",
					(size_t)TN_STUDIO_TYPE_FILE_BYTES_MAX);
		return true;
	}
	code = tn_json_parse_copy(&loader->registry->arena, text, &root, &err);
	if (code == TENON_NO_MEMORY)
		return tn_registry_starve(loader);
	if (code != TENON_OK) {
		place_of(text, &err, &line, &column);
		(void)tn_registry_fault(loader, NULL, "line %u, column %u: %s", line, column,
					err.message);
		return true;
	}
	if (check_top(loader, root))
		file->root = root;
	return !loader->starved;
}

static bool parse_files(struct tn_registry_loader *loader, const struct tn_studio_source *sources,
			size_t count, bool built_in)
{
	if (count > TN_STUDIO_TYPE_FILES_MAX)
		count = TN_STUDIO_TYPE_FILES_MAX;
	loader->files = tn_registry_alloc(loader, count + 1, sizeof(*loader->files));
	if (!loader->files)
		return false;
	loader->file_count = count + 1;
	loader->files[0] =
		(struct tn_registry_file){.name = TN_STR("studio-catalog.json"), .built_in = true};
	if (built_in && !parse_file(loader, &loader->files[0],
				    tn_str(tn_studio_catalog, tn_studio_catalog_size)))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct tn_registry_file *file = &loader->files[i + 1];
		const char *name = tn_arena_copy(&loader->registry->arena, sources[i].name);

		if (!name)
			return tn_registry_starve(loader);
		file->name = tn_str(name, sources[i].name.size);
		file->from_project = sources[i].from_project;
		if (!parse_file(loader, file, sources[i].text))
			return false;
	}
	return true;
}

/* ---- types ---- */

static struct tn_registry_draft *add_draft(struct tn_registry_loader *loader)
{
	if (loader->draft_count == loader->draft_room) {
		/* Drafts are pointed at by `declared`: their room is made before they are. */
		(void)tn_registry_starve(loader);
		return NULL;
	}
	return &loader->drafts[loader->draft_count++];
}

static bool declare(struct tn_registry_loader *loader, struct tn_registry_draft *draft,
		    const struct tn_json *source, const struct tn_registry_at *at)
{
	struct tn_str id = draft->type->id;
	struct tn_registry_draft *before = tn_map_get(&loader->declared, id);
	bool override = false;
	struct tenon_error err;

	if (before) {
		(void)tn_json_to_bool(tn_json_get(source, "override"), &override);
		if (!override) {
			draft->broken = true;
			return tn_registry_fault(loader, at,
						 "\"%.*s\" is there already; \"override\": true "
						 "puts this one in its place",
						 (int)id.size, id.data);
		}
		draft->replaces = before;
	}
	if (tn_map_put(&loader->declared, id, draft, &err) != TENON_OK)
		return tn_registry_starve(loader);
	return true;
}

static bool read_type(struct tn_registry_loader *loader, const struct tn_json *source, size_t index)
{
	const struct tn_registry_at place = tn_registry_key(NULL, "types");
	struct tn_registry_at here = tn_registry_index(&place, index);
	struct tn_registry_draft *draft = add_draft(loader);

	if (!draft)
		return false;
	*draft = (struct tn_registry_draft){.file = loader->file, .index = index};
	draft->type = tn_registry_alloc(loader, 1, sizeof(*draft->type));
	if (!draft->type)
		return false;
	draft->type->from_project = loader->file->from_project;
	loader->broken = false;
	draft->broken = !tn_registry_type(loader, source, &here, draft->type) || loader->broken;
	draft->type->provider = tn_studio_provider_find(loader->registry, draft->type->provider_id);
	/* A broken type is declared as well, so that what names it is not blamed. */
	if (tn_registry_is_type_id(draft->type->id))
		(void)declare(loader, draft, source, &here);
	return !loader->starved;
}

static bool read_types(struct tn_registry_loader *loader)
{
	size_t room = tn_registry_count(loader, "types");

	if (room > TN_STUDIO_TYPES_MAX)
		room = TN_STUDIO_TYPES_MAX;
	loader->drafts = tn_mem_alloc_array(room + 1, sizeof(*loader->drafts));
	loader->draft_room = room;
	if (!loader->drafts)
		return tn_registry_starve(loader);
	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *types =
			tn_registry_member_of(&loader->files[i], "types", TN_JSON_ARRAY);
		size_t index = 0;

		loader->file = &loader->files[i];
		for (const struct tn_json *e = types ? types->first : NULL; e;
		     e = e->next, index++) {
			if (loader->draft_count == room) {
				(void)tn_registry_fault(loader, NULL, "more than %d types",
							TN_STUDIO_TYPES_MAX);
				return true;
			}
			if (!read_type(loader, e, index))
				return false;
		}
	}
	return true;
}

static int category_order(const struct tn_studio_registry *registry, struct tn_str category)
{
	for (size_t i = 0; i < registry->category_count; i++) {
		if (tn_str_equal(registry->categories[i].id, category))
			return (int)i;
	}
	return (int)registry->category_count;
}

static int compare_types(const void *a, const void *b)
{
	const struct tn_studio_type *const *left = a, *const *right = b;

	return ((*left)->order > (*right)->order) - ((*left)->order < (*right)->order);
}

/* The types that are whole, in palette order, by their ids. */
static bool list_types(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	struct tenon_error err;

	registry->type_count = 0;
	for (size_t i = loader->draft_count; i-- > 0;) {
		struct tn_registry_draft *draft = &loader->drafts[i];

		/* What is overridden stays when its successor is broken. */
		if (draft->replaces && (draft->replaced || !draft->broken))
			draft->replaces->replaced = true;
	}
	for (size_t i = 0; i < loader->draft_count; i++) {
		struct tn_registry_draft *draft = &loader->drafts[i];
		struct tn_studio_type *type = draft->type;

		if (draft->broken || draft->replaced)
			continue;
		type->order = (unsigned)category_order(registry, type->category) *
				      (TN_STUDIO_TYPES_MAX + 1) +
			      (unsigned)i;
		registry->types[registry->type_count++] = type;
		if (tn_map_put(&registry->by_id, type->id, type, &err) != TENON_OK)
			return tn_registry_starve(loader);
	}
	qsort(registry->types, registry->type_count, sizeof(struct tn_studio_type *),
	      compare_types);
	return true;
}

static bool link_types(struct tn_registry_loader *loader)
{
	struct tn_studio_registry *registry = loader->registry;
	const struct tn_registry_at types = tn_registry_key(NULL, "types");

	registry->types =
		tn_registry_alloc(loader, loader->draft_count, sizeof(struct tn_studio_type *));
	if (!registry->types || !list_types(loader))
		return false;
	for (size_t i = 0; i < loader->draft_count; i++) {
		struct tn_registry_draft *draft = &loader->drafts[i];
		struct tn_registry_at here = tn_registry_index(&types, draft->index);

		if (draft->broken)
			continue;
		loader->file = draft->file;
		loader->broken = false;
		draft->broken =
			!tn_registry_type_links(loader, draft->type, &here) || loader->broken;
		if (loader->starved)
			return false;
	}
	for (size_t i = 0; i < loader->draft_count; i++)
		loader->drafts[i].replaced = false;
	tn_map_finish(&registry->by_id);
	tn_map_init(&registry->by_id);
	return list_types(loader);
}

static bool link_providers(struct tn_registry_loader *loader)
{
	const struct tn_registry_at place = tn_registry_key(NULL, "providers");

	for (size_t i = 0; i < loader->file_count; i++) {
		const struct tn_json *providers =
			tn_registry_member_of(&loader->files[i], "providers", TN_JSON_OBJECT);

		loader->file = &loader->files[i];
		for (const struct tn_json *m = providers ? providers->first : NULL; m;
		     m = m->next) {
			struct tn_registry_at here = tn_registry_member(&place, m);
			const struct tn_studio_provider *provider =
				tn_studio_provider_find(loader->registry, m->key);

			if (provider)
				(void)tn_registry_provider_links(loader, provider, &here);
		}
	}
	return !loader->starved;
}

/* ---- all of it ---- */

static bool load(struct tn_registry_loader *loader, const struct tn_studio_source *sources,
		 size_t count, bool built_in)
{
	if (!parse_files(loader, sources, count, built_in) || !tn_registry_add_providers(loader) ||
	    !tn_registry_add_palette(loader))
		return false;
	for (size_t i = 0; i < loader->file_count; i++) {
		loader->file = &loader->files[i];
		if (loader->file->root && (!tn_registry_add_prices(loader, loader->file) ||
					   !tn_registry_add_maps(loader, loader->file)))
			return false;
	}
	return read_types(loader) && link_types(loader) && link_providers(loader) &&
	       tn_registry_connect(loader);
}

static bool keep_faults(struct tn_registry_loader *loader)
{
	struct tn_json *faults;
	struct tenon_error err;

	tn_json_end_array(&loader->faults);
	if (loader->faults.failed ||
	    tn_json_parse_copy(&loader->registry->arena, tn_buf_str(&loader->faults), &faults,
			       &err) != TENON_OK)
		return tn_registry_starve(loader);
	loader->registry->faults = faults;
	return true;
}

enum tenon_code tn_registry_create(const struct tn_studio_source *sources, size_t count,
				   bool built_in, struct tn_studio_registry **ret,
				   struct tenon_error *err)
{
	struct tn_studio_registry *registry = tn_mem_alloc(sizeof(*registry));
	struct tn_registry_loader loader = {.registry = registry};
	bool right;

	if (!registry)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	atomic_init(&registry->refs, 1);
	tn_arena_init(&registry->arena, TN_STUDIO_ARENA_MAX);
	tn_map_init(&registry->by_id);
	tn_map_init(&loader.declared);
	tn_map_init(&loader.patterns);
	tn_buf_init(&loader.faults, 4 * TN_MIB);
	tn_json_begin_array(&loader.faults);
	right = load(&loader, sources, count, built_in) && keep_faults(&loader) &&
		tn_registry_judge(&loader, sources, count);
	tn_buf_finish(&loader.faults);
	tn_map_finish(&loader.patterns);
	tn_map_finish(&loader.declared);
	tn_mem_free(loader.drafts);
	/* Files may override built-in types, and then the built-in rules may not fit any more. */
	if (right && (count > 0 || loader.first_built_in[0] == '\0')) {
		*ret = registry;
		return TENON_OK;
	}
	tn_studio_registry_unref(registry);
	if (right)
		return tn_fail(err, TENON_INTERNAL, "built-in types: %s", loader.first_built_in);
	return tn_fail(err, TENON_NO_MEMORY, "no memory for the resource types");
}

enum tenon_code tn_studio_registry_create(const struct tn_studio_source *sources, size_t count,
					  struct tn_studio_registry **ret, struct tenon_error *err)
{
	return tn_registry_create(sources, count, true, ret, err);
}

enum tenon_code tn_studio_registry_built_in(struct tn_studio_registry **ret,
					    struct tenon_error *err)
{
	return tn_studio_registry_create(NULL, 0, ret, err);
}
