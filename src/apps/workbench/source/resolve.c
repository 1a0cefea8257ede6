#include "apps/workbench/source/resolve.h"

#include <stdio.h>

#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/jsonc.h"

/* ---- paths ---- */

static struct tn_str folder_of(struct tn_str path)
{
	size_t size = path.size;

	while (size > 0 && path.data[size - 1] != '/')
		size--;
	return tn_str(path.data, size ? size - 1 : 0);
}

/* Appends one part; ".." takes the last one away. */
static bool add_part(char ret[PATH_MAX], size_t *size, struct tn_str part)
{
	if (part.size == 0 || tn_str_is(part, "."))
		return true;
	if (tn_str_is(part, "..")) {
		if (*size == 0)
			return false;
		*size = folder_of(tn_str(ret, *size)).size;
		return true;
	}
	if (*size + part.size + 2 > PATH_MAX)
		return false;
	if (*size)
		ret[(*size)++] = '/';
	memcpy(ret + *size, part.data, part.size);
	*size += part.size;
	return true;
}

bool tn_wb_join(struct tn_str folder, struct tn_str path, char ret[PATH_MAX])
{
	struct tn_str texts[] = {folder, path};
	size_t size = 0;

	for (int i = 0; i < 2; i++) {
		struct tn_str rest = texts[i];

		while (rest.size > 0) {
			size_t end = tn_str_find_byte(rest, '/');
			struct tn_str part = end == TN_STR_NONE ? rest : tn_str(rest.data, end);

			if (!add_part(ret, &size, part))
				return false;
			rest = tn_str_from_offset(rest, part.size + 1);
		}
	}
	ret[size] = '\0';
	return true;
}

/* ---- endings ---- */

static struct tn_wb_file *find_exact(struct tn_wb_files *files, const char *path, bool take)
{
	struct tn_str text = tn_str_from(path);

	return take ? tn_wb_files_take(files, text) : tn_wb_files_get(files, text);
}

static struct tn_wb_file *find_with(struct tn_wb_files *files, struct tn_str stem,
				    const char *const *endings, bool take)
{
	char path[PATH_MAX];

	for (; *endings; endings++) {
		struct tn_wb_file *file;
		int size =
			snprintf(path, sizeof(path), "%.*s%s", (int)stem.size, stem.data, *endings);

		if (size <= 0 || (size_t)size >= sizeof(path))
			continue;
		file = find_exact(files, path[0] == '/' ? path + 1 : path, take);
		if (file)
			return file;
	}
	return NULL;
}

/* "./x.js" may be written for x.ts. */
static struct tn_wb_file *find_compiled(struct tn_wb_files *files, struct tn_str path, bool take)
{
	static const char *const instead[] = {".ts", ".tsx", ".jsx", NULL};
	size_t size = tn_str_ends(path, TN_STR(".jsx")) || tn_str_ends(path, TN_STR(".mjs")) ? 4
		      : tn_str_ends(path, TN_STR(".js"))                                     ? 3
											     : 0;

	return size ? find_with(files, tn_str(path.data, path.size - size), instead, take) : NULL;
}

struct tn_wb_file *tn_wb_find_module(struct tn_wb_files *files, struct tn_str path, bool take)
{
	static const char *const endings[] = {"",          ".tsx",       ".ts",       ".jsx",
					      ".js",       ".mjs",       ".mts",      "/index.tsx",
					      "/index.ts", "/index.jsx", "/index.js", NULL};
	struct tn_wb_file *file;

	while (tn_str_starts(path, TN_STR("./")))
		path = tn_str_from_offset(path, 2);
	file = find_with(files, path, endings, take);
	return file ? file : find_compiled(files, path, take);
}

/* ---- tsconfig.json ---- */

struct alias {
	struct alias *next;
	struct tn_str before, after; /* of the "*" */
	bool has_star;
	size_t target_count;
	struct tn_str *targets; /* from the root, with a "*" or without */
};
struct config {
	struct alias *aliases;
	bool has_paths, has_base;
	struct tn_str base;
};

static bool text_of(const struct tn_json *value, struct tn_str *ret)
{
	return tn_json_to_str(value, ret) && ret->size < PATH_MAX;
}

static struct tn_str keep(struct tn_wb_resolver *resolver, const char *text)
{
	return tn_str_from(tn_arena_copy(&resolver->arena, tn_str_from(text)));
}

static void read_alias(struct tn_wb_resolver *resolver, struct config *config, struct tn_str folder,
		       const struct tn_json *pair)
{
	struct alias *alias = tn_arena_alloc(&resolver->arena, sizeof(*alias));
	size_t star = tn_str_find_byte(pair->key, '*');
	char path[PATH_MAX];

	if (!alias || !tn_json_is(pair, TN_JSON_ARRAY))
		return;
	alias->has_star = star != TN_STR_NONE;
	alias->before = tn_str(pair->key.data, alias->has_star ? star : pair->key.size);
	alias->after = tn_str_from_offset(pair->key, alias->has_star ? star + 1 : pair->key.size);
	alias->targets =
		tn_arena_alloc_array(&resolver->arena, pair->count + 1, sizeof(*alias->targets));
	for (const struct tn_json *i = pair->first; alias->targets && i; i = i->next) {
		struct tn_str text;

		if (text_of(i, &text) && tn_wb_join(folder, text, path))
			alias->targets[alias->target_count++] = keep(resolver, path);
	}
	alias->next = config->aliases;
	config->aliases = alias;
}

static struct tn_json *read_json(struct tn_wb_resolver *resolver, const char *path)
{
	struct tn_json *found = NULL;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_TSCONFIG_BYTES_MAX);
	if (tn_wb_files_text(resolver->files, tn_str_from(path), &text, NULL) != TENON_OK ||
	    tn_jsonc_parse(&resolver->arena, tn_buf_str(&text), &found, NULL, NULL) != TENON_OK)
		found = NULL;
	tn_buf_finish(&text);
	return found;
}

static bool read_config(struct tn_wb_resolver *resolver, const char *path, unsigned depth,
			struct config *config);

/* What it extends, first: its own settings count. */
static void read_bases(struct tn_wb_resolver *resolver, const struct tn_json *bases,
		       struct tn_str folder, unsigned depth, struct config *config)
{
	char path[PATH_MAX];
	struct tn_str text;

	if (tn_json_is(bases, TN_JSON_ARRAY)) {
		for (const struct tn_json *i = bases->first; i; i = i->next)
			read_bases(resolver, i, folder, depth + 1, config);
		return;
	}
	if (!text_of(bases, &text) || text.data[0] != '.' || !tn_wb_join(folder, text, path))
		return;
	if (!tn_str_ends(text, TN_STR(".json")) && strlen(path) + 6 < sizeof(path))
		memcpy(path + strlen(path), ".json", 6);
	(void)read_config(resolver, path, depth + 1, config); /* one that is missing says nothing */
}

static void read_options(struct tn_wb_resolver *resolver, const struct tn_json *options,
			 struct tn_str folder, struct config *config)
{
	const struct tn_json *paths = tn_json_get(options, "paths");
	char base[PATH_MAX];
	struct tn_str text;

	if (text_of(tn_json_get(options, "baseUrl"), &text) && tn_wb_join(folder, text, base)) {
		config->base = keep(resolver, base);
		config->has_base = true;
	}
	if (!tn_json_is(paths, TN_JSON_OBJECT))
		return;
	config->aliases = NULL;
	config->has_paths = true;
	for (const struct tn_json *i = paths->first; i; i = i->next)
		read_alias(resolver, config, config->has_base ? config->base : folder, i);
}

/* Where a project is parted, the parts have the paths. */
static void read_parts(struct tn_wb_resolver *resolver, const struct tn_json *parts,
		       struct tn_str folder, unsigned depth, struct config *config)
{
	char path[PATH_MAX];
	struct tn_str text;

	for (const struct tn_json *i = tn_json_is(parts, TN_JSON_ARRAY) ? parts->first : NULL;
	     i && !config->has_paths && !config->has_base; i = i->next) {
		if (!text_of(tn_json_get(i, "path"), &text) || !tn_wb_join(folder, text, path))
			continue;
		if (!tn_str_ends(text, TN_STR(".json")) && strlen(path) + 15 < sizeof(path))
			memcpy(path + strlen(path), "/tsconfig.json", 15);
		(void)read_config(resolver, path, depth + 1, config);
	}
}

/* False: no such file. */
static bool read_config(struct tn_wb_resolver *resolver, const char *path, unsigned depth,
			struct config *config)
{
	struct tn_str folder = folder_of(tn_str_from(path));
	const struct tn_json *text;

	if (depth > TN_WB_TSCONFIG_DEPTH_MAX || ++resolver->reads > TN_WB_TSCONFIGS_MAX)
		return false;
	text = read_json(resolver, path);
	if (!text)
		return false;
	folder = tn_str(tn_arena_copy(&resolver->arena, folder), folder.size);
	if (!folder.data)
		return false;
	if (tn_json_get(text, "extends"))
		read_bases(resolver, tn_json_get(text, "extends"), folder, depth, config);
	read_options(resolver, tn_json_get(text, "compilerOptions"), folder, config);
	if (!config->has_paths && !config->has_base)
		read_parts(resolver, tn_json_get(text, "references"), folder, depth, config);
	return true;
}

static struct config *load_config(struct tn_wb_resolver *resolver, struct tn_str folder)
{
	static const char *const names[] = {"tsconfig.json", "jsconfig.json"};
	struct config *config = tn_arena_alloc(&resolver->arena, sizeof(*config));
	char path[PATH_MAX];

	for (size_t i = 0; config && i < 2; i++)
		if (tn_wb_join(folder, tn_str_from(names[i]), path) &&
		    read_config(resolver, path, 0, config))
			return config;
	return NULL;
}

/* The nearest one; NULL: there is none. Folders that were asked about are remembered. */
static struct config *config_of(struct tn_wb_resolver *resolver, struct tn_str folder)
{
	static const char none = 0;
	struct tn_str at = folder;
	struct config *found;

	while (!(found = tn_map_get(&resolver->configs, at)) &&
	       !(found = load_config(resolver, at)) && at.size > 0)
		at = folder_of(at);
	if (tn_map_get(&resolver->configs, folder))
		return found == (const void *)&none ? NULL : found;
	if (tn_map_put(&resolver->configs, folder, found ? (void *)found : (void *)&none, NULL) !=
	    TENON_OK)
		return NULL;
	return found == (const void *)&none ? NULL : found;
}

/* ---- imports ---- */

static struct tn_wb_file *try_target(struct tn_wb_files *files, struct tn_str target,
				     struct tn_str star)
{
	size_t at = tn_str_find_byte(target, '*');
	char written[PATH_MAX], path[PATH_MAX];
	int size;

	if (at == TN_STR_NONE)
		return tn_wb_find_module(files, target, false);
	size = snprintf(written, sizeof(written), "%.*s%.*s%.*s", (int)at, target.data,
			(int)star.size, star.data, (int)(target.size - at - 1),
			target.data + at + 1);
	if (size <= 0 || (size_t)size >= sizeof(written) ||
	    !tn_wb_join(tn_str("", 0), tn_str_from(written), path))
		return NULL;
	return tn_wb_find_module(files, tn_str_from(path), false);
}

static bool alias_fits(const struct alias *alias, struct tn_str specifier)
{
	if (!alias->has_star)
		return tn_str_equal(alias->before, specifier);
	return specifier.size >= alias->before.size + alias->after.size &&
	       tn_str_starts(specifier, alias->before) && tn_str_ends(specifier, alias->after);
}

/* The alias with the longest text before its "*" counts; one without any before all. */
static const struct alias *choose(const struct config *config, struct tn_str specifier)
{
	const struct alias *best = NULL;

	for (const struct alias *i = config->aliases; i; i = i->next)
		if (alias_fits(i, specifier) &&
		    (!best || !i->has_star ||
		     (best->has_star && i->before.size > best->before.size)))
			best = i;
	return best;
}

static struct tn_wb_file *by_config(struct tn_wb_files *files, const struct config *config,
				    struct tn_str specifier)
{
	const struct alias *alias = config ? choose(config, specifier) : NULL;
	struct tn_wb_file *file = NULL;
	char path[PATH_MAX];

	for (size_t i = 0; alias && !file && i < alias->target_count; i++)
		file = try_target(files, alias->targets[i],
				  tn_str(specifier.data + alias->before.size,
					 specifier.size - alias->before.size - alias->after.size));
	if (!file && config && config->has_base && tn_wb_join(config->base, specifier, path))
		file = tn_wb_find_module(files, tn_str_from(path), false);
	return file;
}

struct tn_wb_file *tn_wb_resolve(struct tn_wb_resolver *resolver, const struct tn_wb_file *from,
				 struct tn_str specifier)
{
	struct tn_str folder = folder_of(tn_str_from(from->path));
	char path[PATH_MAX];

	if (specifier.size == 0 || specifier.size >= PATH_MAX)
		return NULL;
	if (tn_str_is(specifier, ".") || tn_str_is(specifier, "..") ||
	    tn_str_starts(specifier, TN_STR("./")) || tn_str_starts(specifier, TN_STR("../"))) {
		if (!tn_wb_join(folder, specifier, path))
			return NULL;
		return tn_wb_find_module(resolver->files, tn_str_from(path), false);
	}
	if (specifier.data[0] == '/') /* from the root, as Vite takes it */
		return tn_wb_join(tn_str("", 0), specifier, path)
			       ? tn_wb_find_module(resolver->files, tn_str_from(path), false)
			       : NULL;
	return by_config(resolver->files, config_of(resolver, folder), specifier);
}

void tn_wb_resolver_init(struct tn_wb_resolver *resolver, struct tn_wb_files *files)
{
	*resolver = (struct tn_wb_resolver){.files = files};
	tn_arena_init(&resolver->arena, TN_WB_TSCONFIG_ARENA_MAX);
	tn_map_init(&resolver->configs);
}

void tn_wb_resolver_finish(struct tn_wb_resolver *resolver)
{
	tn_map_finish(&resolver->configs);
	tn_arena_finish(&resolver->arena);
}
