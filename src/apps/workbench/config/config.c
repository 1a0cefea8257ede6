#include "apps/workbench/config/config.h"

#include <stdio.h>

#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/values/strict_json.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/jsonc.h"

const char *const tn_wb_config_names[] = {"skaffa.config.json", "skaffa.config.js",
					  "skaffa.config.mjs", NULL};

/* ---- the configuration file ---- */

/* A link that leads outside, or nowhere, is there, too: reading it tells what is wrong. */
static bool exists(const struct tn_roots *roots, const char *name)
{
	struct tenon_error err;
	struct tn_place place;
	bool found;

	if (tn_place_find(roots, name, &place, &err) != TENON_OK)
		return true;
	found = place.exists;
	tn_place_close(&place);
	return found;
}

/* C1: the first counts, the others are named. */
static const char *choose_file(struct tn_wb_config *config, const struct tn_roots *roots)
{
	const char *chosen = NULL;

	for (size_t i = 0; tn_wb_config_names[i]; i++) {
		struct tn_wb_diagnostic of = {.severity = TN_WB_INFO,
					      .code = "config_ignored",
					      .file = tn_wb_config_names[i]};

		if (!exists(roots, tn_wb_config_names[i]))
			continue;
		if (chosen)
			tn_wb_diagnose_format(&config->diagnostics, &of,
					      "%s is read, and this file is not", chosen);
		else
			chosen = tn_wb_config_names[i];
	}
	if (!chosen)
		tn_wb_diagnose(&config->diagnostics,
			       &(struct tn_wb_diagnostic){
				       .severity = TN_WB_INFO,
				       .code = "NOT_FOUND",
				       .message =
					       "there is no skaffa.config.json: the defaults are "
					       "in force, and components are inferred"});
	return chosen;
}

static const struct tn_json *read_file(struct tn_wb_config *config,
				       const struct tn_wb_config_options *options)
{
	const struct tn_str schema = tn_str(tn_wb_config_schema, tn_wb_config_schema_size);
	const struct tn_json *json;

	config->file = choose_file(config, options->roots);
	if (!config->file)
		return NULL;
	json = strcmp(config->file, tn_wb_config_names[0]) == 0
		       ? tn_wb_config_load(config, options->roots, config->file, "UNKNOWN_ERROR",
					   &config->diagnostics)
		       : tn_wb_script_config(config, options);
	if (!json || !tn_wb_config_check(schema, json, config->file, &config->diagnostics))
		return NULL;
	tn_wb_config_tell_unknown(json, config->file, &config->diagnostics);
	return json;
}

enum tenon_code tn_wb_config_read(const struct tn_wb_config_options *options,
				  struct tn_wb_config **ret, struct tenon_error *err)
{
	struct tn_wb_config *config = tn_mem_alloc(sizeof(*config));
	const struct tn_json *given;
	enum tenon_code code;

	if (!config)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&config->arena, TN_WB_CONFIG_ARENA_MAX);
	tn_wb_diagnostics_init(&config->diagnostics);
	given = read_file(config, options);
	config->degraded = config->file && !given;
	code = options->want && options->want->any
		       ? TENON_OK
		       : tn_wb_modules_read(config, tn_json_get(given, "modules"), options, err);
	if (code == TENON_OK)
		code = tn_wb_config_fill(config, given, options, err);
	if (code != TENON_OK) {
		tn_wb_config_destroy(config);
		return code;
	}
	*ret = config;
	return TENON_OK;
}

void tn_wb_config_destroy(struct tn_wb_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->module_count; i++) {
		tn_wb_diagnostics_finish(&config->modules[i].diagnostics);
		tn_wb_diagnostics_finish(&config->modules[i].later);
	}
	tn_wb_diagnostics_finish(&config->diagnostics);
	tn_arena_finish(&config->arena);
	tn_mem_free(config);
}

const struct tn_json *tn_wb_config_get(const struct tn_wb_config *config, const char *section,
				       const char *member)
{
	return tn_json_get(tn_json_get(config->effective, section), member);
}

static void put_modules(struct tn_buf *out, const struct tn_wb_config *config)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < config->module_count; i++) {
		const struct tn_wb_config_module *module = &config->modules[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "id", module->id);
		tn_json_put_member_text(out, "status", module->failed ? "failed" : "active");
		tn_json_put_key(out, "diagnostics");
		tn_json_begin_array(out);
		tn_wb_diagnostics_put_items(out, &module->diagnostics);
		tn_wb_diagnostics_put_items(out, &module->later);
		tn_json_end_array(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

void tn_wb_config_put(struct tn_buf *out, const struct tn_wb_config *config)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "config");
	tn_json_put_value(out, config->effective);
	tn_json_put_key(out, "modules");
	put_modules(out, config);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &config->diagnostics);
	tn_json_end_object(out);
}

bool tn_wb_config_equal(const struct tn_wb_config *a, const struct tn_wb_config *b)
{
	if (a->module_count != b->module_count || !tn_json_equal(a->effective, b->effective) ||
	    !tn_wb_diagnostics_equal(&a->diagnostics, &b->diagnostics))
		return false;
	for (size_t i = 0; i < a->module_count; i++) {
		const struct tn_wb_config_module *x = &a->modules[i], *y = &b->modules[i];

		if (x->failed != y->failed || strcmp(x->id, y->id) != 0 ||
		    !tn_wb_diagnostics_equal(&x->diagnostics, &y->diagnostics) ||
		    !tn_wb_diagnostics_equal(&x->later, &y->later))
			return false;
	}
	return true;
}

bool tn_wb_config_launchers_equal(const struct tn_wb_config *a, const struct tn_wb_config *b)
{
	if (a->module_count != b->module_count)
		return false;
	for (size_t i = 0; i < a->module_count; i++) {
		const struct tn_json *x = a->modules[i].launchers, *y = b->modules[i].launchers;

		if (x && y ? !tn_json_equal(x, y) : x != y)
			return false;
	}
	return true;
}
