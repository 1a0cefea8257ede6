/* The configuration with all its defaults (section 6.2). */
#include <limits.h>
#include <stdio.h>

#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"
#include "jsonrpc/json_write.h"

static const char include_default[] =
	"[\"src/**/*.{tsx,ts,jsx,js}\",\"app/src/**/*.{tsx,ts,jsx,js}\"]";
static const char exclude_default[] =
	"[\"**/node_modules/**\",\"**/dist/**\",\"**/*.test.*\",\"**/*.stories.*\"]";

/* The member as it was given, or this JSON; NULL: it is left out. */
static void put_member(struct tn_buf *out, const struct tn_json *section, const char *name,
		       const char *fallback)
{
	const struct tn_json *given = tn_json_get(section, name);

	if (!given && !fallback)
		return;
	tn_json_put_key(out, name);
	if (given)
		tn_json_put_value(out, given);
	else
		tn_json_put_raw(out, tn_str_from(fallback));
}

static const char *relative(const char *path)
{
	return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* It is there, or behind a link that leads out of these folders: packages may lie anywhere. */
static bool is_installed(const struct tn_roots *roots, const char *path)
{
	struct tenon_error err;
	struct tn_place place;
	enum tenon_code code = tn_place_find(roots, path, &place, &err);
	bool found = code == TENON_DENIED;

	if (code == TENON_OK) {
		found = place.exists;
		tn_place_close(&place);
	}
	return found;
}

/* Vite is where Node would find it from the preview's folder: there, or in a folder above. */
static bool has_vite(const struct tn_wb_config_options *options, const struct tn_json *preview)
{
	struct tn_str root = TN_STR(".");
	char path[PATH_MAX];

	(void)tn_json_to_str(tn_json_get(preview, "root"), &root);
	(void)snprintf(path, sizeof(path), "%.*s/node_modules/vite/package.json", (int)root.size,
		       root.data);
	return is_installed(options->roots, relative(path)) ||
	       is_installed(options->packages, "node_modules/vite/package.json");
}

static void put_preview(struct tn_buf *out, const struct tn_json *preview,
			const struct tn_wb_config_options *options)
{
	tn_json_put_key(out, "preview");
	tn_json_begin_object(out);
	put_member(out, preview, "root", "\".\"");
	put_member(out, preview, "mount",
		   tn_json_get(preview, "entry") ? "\"harness\"" : "\"app\"");
	put_member(out, preview, "entry", NULL);
	put_member(out, preview, "styles", "[]");
	put_member(out, preview, "decorators", "[]");
	put_member(out, preview, "environment", "{}");
	put_member(out, preview, "launcher",
		   has_vite(options, preview) ? "{\"id\":\"vite\"}" : NULL);
	put_member(out, preview, "propDefaults", "{}");
	tn_json_end_object(out);
}

static bool contributes_registry(const struct tn_wb_config *config)
{
	for (size_t i = 0; i < config->module_count; i++)
		if (config->modules[i].contribution_count)
			return true;
	return false;
}

static void put_sections(struct tn_buf *out, const struct tn_wb_config *config,
			 const struct tn_json *given)
{
	const struct tn_json *components = tn_json_get(given, "components");
	const struct tn_json *graph = tn_json_get(given, "graph");
	const struct tn_json *guardrails = tn_json_get(given, "guardrails");

	tn_json_put_key(out, "components");
	tn_json_begin_object(out);
	put_member(out, components, "overrides", "{}");
	put_member(out, components, "infer", contributes_registry(config) ? "false" : "true");
	tn_json_end_object(out);
	tn_json_put_key(out, "graph");
	tn_json_begin_object(out);
	put_member(out, graph, "include", include_default);
	put_member(out, graph, "exclude", exclude_default);
	put_member(out, graph, "routes", NULL);
	tn_json_end_object(out);
	tn_json_put_key(out, "guardrails");
	tn_json_begin_object(out);
	put_member(out, guardrails, "readOnlyFiles", "[]");
	put_member(out, guardrails, "allowSave", "true");
	put_member(out, guardrails, "mcpActuation", NULL);
	put_member(out, guardrails, "lockedProps", "{}");
	tn_json_end_object(out);
	tn_json_put_key(out, "ai");
	tn_json_begin_object(out);
	put_member(out, tn_json_get(given, "ai"), "prompts", "[]");
	tn_json_end_object(out);
}

enum tenon_code tn_wb_config_fill(struct tn_wb_config *config, const struct tn_json *given,
				  const struct tn_wb_config_options *options,
				  struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_json *tree;
	struct tn_buf out;

	tn_buf_init(&out, TN_WB_FILE_BYTES_MAX * 2);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "schemaVersion", "v0");
	put_member(&out, given, "modules", "[]");
	put_preview(&out, tn_json_get(given, "preview"), options);
	put_sections(&out, config, given);
	tn_json_end_object(&out);
	code = tn_buf_check(&out, err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&config->arena, tn_buf_str(&out), &tree, err);
	tn_buf_finish(&out);
	if (code == TENON_OK)
		config->effective = tree;
	return code;
}
