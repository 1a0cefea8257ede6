/* Modules: what a configuration adds to a workspace (sections 6.3 to 6.5). */
#include <limits.h>
#include <stdio.h>

#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"

struct reading {
	struct tn_wb_config *config;
	const struct tn_wb_config_options *options;
	struct tn_wb_config_module *module;
	const struct tn_roots *roots; /* where its files may lie */
	bool names_itself;            /* the configuration gives it no id */
	struct tn_wb_scripts scripts;
};

/* ---- where it is ---- */

static bool starts(struct tn_str text, const char *prefix)
{
	return tn_str_starts(text, tn_str_from(prefix));
}

static bool is_path(struct tn_str text)
{
	return starts(text, "./") || starts(text, "../") || starts(text, "@/") ||
	       starts(text, "workspace:/");
}

/* C6: everything is relative to the root, where the configuration file lies, too. */
static const char *path_of(struct tn_arena *arena, struct tn_str path)
{
	static const char *const prefixes[] = {"./", "@/", "workspace:/"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (starts(path, prefixes[i]))
			path = tn_str_from_offset(path, strlen(prefixes[i]));
	return tn_arena_copy(arena, path);
}

/* A package's name has at most one slash, and no dots lead out of node_modules. */
static bool is_package(struct tn_str name)
{
	size_t slash = tn_str_find_byte(name, '/');
	bool scoped = name.size > 1 && name.data[0] == '@';

	if (name.size == 0 || name.size > 214 || name.data[0] == '.' || name.data[0] == '/')
		return false;
	if (slash == TN_STR_NONE)
		return !scoped;
	return scoped && slash + 1 < name.size && name.data[slash + 1] != '.' &&
	       tn_str_find_byte(tn_str_from_offset(name, slash + 1), '/') == TN_STR_NONE;
}

static bool is_there(const struct tn_roots *roots, const char *path)
{
	struct tenon_error err;
	struct tn_place place;
	bool found;

	if (tn_place_find(roots, path, &place, &err) != TENON_OK)
		return false;
	found = place.exists;
	tn_place_close(&place);
	return found;
}

/* C7: in the root's node_modules, or in one above it up to the repository's. */
static const char *find_package(struct reading *reading, struct tn_str name)
{
	const char *path =
		tn_arena_format(&reading->config->arena, "node_modules/%.*s/skaffa.module.json",
				(int)name.size, name.data);

	if (!path || !is_package(name)) {
		tn_wb_config_fail_module(reading->module, "NOT_FOUND", NULL,
					 "its package's name is none that npm knows");
		return NULL;
	}
	if (is_there(reading->options->roots, path)) {
		reading->roots = reading->options->roots;
		return path;
	}
	for (size_t i = 0; i < reading->options->packages->count; i++) {
		const char *whole = tn_arena_format(&reading->config->arena, "%s/%s",
						    reading->options->packages->list[i].path, path);

		if (whole && is_there(reading->options->packages, whole))
			return whole;
	}
	tn_wb_config_fail_module(reading->module, "NOT_FOUND", path, "there is no such package");
	return NULL;
}

/* ---- what it contributes ---- */

static bool add_contribution(struct reading *reading, const struct tn_json *registry,
			     const char *file, const char *pointer)
{
	const struct tn_wb_contribution contribution = {
		.tree = registry, .file = file, .pointer = pointer};

	return tn_wb_config_contribute(reading->config, reading->module, &contribution);
}

static struct tn_str folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? tn_str(path, (size_t)(slash - path) + 1) : tn_str("", 0);
}

static bool add_registry_files(struct reading *reading, const struct tn_json *list,
			       const char *file)
{
	struct tn_str folder = folder_of(file);

	for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
		const char *path = path_of(&reading->config->arena, at->text);
		const struct tn_json *registry;

		if (path && !starts(at->text, "@/") && !starts(at->text, "workspace:/"))
			path = tn_arena_format(&reading->config->arena, "%.*s%s", (int)folder.size,
					       folder.data, path);
		if (!path)
			return false;
		registry = tn_wb_config_load(reading->config, reading->roots, path, "NOT_FOUND",
					     &reading->module->diagnostics);
		if (registry && !add_contribution(reading, registry, path, NULL))
			return false;
	}
	return true;
}

/* 6.4 */
static bool read_manifest(struct reading *reading, const char *file)
{
	const struct tn_str schema = tn_str(tn_wb_module_schema, tn_wb_module_schema_size);
	struct tn_wb_config_module *module = reading->module;
	const struct tn_json *registry, *json;
	struct tn_str id;

	module->file = file;
	json = tn_wb_config_load(reading->config, reading->roots, file, "NOT_FOUND",
				 &module->diagnostics);
	if (!json || !tn_wb_config_check(schema, json, file, &module->diagnostics)) {
		module->failed = true;
		return true;
	}
	if (reading->names_itself && tn_json_to_str(tn_json_get(json, "id"), &id))
		module->id = tn_arena_copy(&reading->config->arena, id);
	registry = tn_json_get(json, "registry");
	module->graph = tn_json_get(json, "graph");
	module->launchers = tn_json_get(json, "launchers");
	return module->id &&
	       (!registry || add_contribution(reading, registry, file, "/registry")) &&
	       add_registry_files(reading, tn_json_get(json, "registries"), file);
}

static bool is_script(const char *path)
{
	return tn_str_ends(tn_str_from(path), tn_str_from(".js")) ||
	       tn_str_ends(tn_str_from(path), tn_str_from(".mjs"));
}

static bool read_module(struct reading *reading, const struct tn_json *entry)
{
	struct tn_str id = {0}, path = {0}, package = {0};
	const char *file;

	reading->names_itself = tn_json_is(entry, TN_JSON_STRING);
	if (tn_json_to_str(entry, &id)) {
		*(is_path(id) ? &path : &package) = id;
	} else {
		(void)tn_json_to_str(tn_json_get(entry, "id"), &id);
		(void)tn_json_to_str(tn_json_get(entry, "path"), &path);
		if (!tn_json_to_str(tn_json_get(entry, "package"), &package) && !path.size)
			package = id;
	}
	reading->module->id = tn_arena_copy(&reading->config->arena, id);
	if (!reading->module->id)
		return false;
	reading->roots = path.size ? reading->options->roots : reading->options->packages;
	file = path.size ? path_of(&reading->config->arena, path) : find_package(reading, package);
	if (!file)
		return reading->module->failed;
	return is_script(file) ? tn_wb_script_module(&reading->scripts, reading->module, file)
			       : read_manifest(reading, file);
}

enum tenon_code tn_wb_modules_read(struct tn_wb_config *config, const struct tn_json *list,
				   const struct tn_wb_config_options *options,
				   struct tenon_error *err)
{
	struct reading reading = {.config = config,
				  .options = options,
				  .scripts = {.config = config, .options = options}};
	enum tenon_code code;
	bool done = true;

	if (!list)
		return TENON_OK;
	config->modules =
		tn_arena_alloc_array(&config->arena, list->count + 1, sizeof(*config->modules));
	if (!config->modules)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_init(&reading.scripts.question, TN_WB_LINE_BYTES_MAX * 16);
	for (const struct tn_json *at = list->first; done && at; at = at->next) {
		reading.module = &config->modules[config->module_count++];
		tn_wb_diagnostics_init(&reading.module->diagnostics);
		tn_wb_diagnostics_init(&reading.module->later);
		done = read_module(&reading, at);
	}
	code = done ? tn_wb_scripts_end(&reading.scripts, err)
		    : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_finish(&reading.scripts.question);
	return code;
}
