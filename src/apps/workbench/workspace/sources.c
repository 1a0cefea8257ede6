/* The registry and what the sources say, in a worker: guesses are made of what modules leave, the
 * registry is composed of both, and the graph is of the types that are in force then. */
#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/load.h"
#include "base/mem.h"

/* `whole`: with the project's overrides; else what its modules say alone. */
static enum tenon_code compose(struct tn_wb_load *load, const struct tn_json *inferred, bool whole)
{
	const struct tn_wb_config *config = load->config;
	struct tn_wb_registry_inputs inputs = {
		.inferred = inferred,
		.overrides = whole ? tn_wb_config_get(config, "components", "overrides") : NULL,
		.locked = whole ? tn_wb_config_get(config, "guardrails", "lockedProps") : NULL,
		.config_file = config->file};
	struct tn_wb_contribution *list;
	enum tenon_code code;
	size_t count = 0;

	for (size_t i = 0; i < config->module_count; i++)
		count += config->modules[i].contribution_count;
	list = tn_mem_alloc_array(count + 1, sizeof(*list));
	if (!list)
		return tn_fail(&load->err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < config->module_count; i++)
		for (size_t k = 0; k < config->modules[i].contribution_count; k++)
			list[inputs.count++] = config->modules[i].contributions[k];
	inputs.contributions = list;
	tn_wb_registry_free(load->registry);
	load->registry = NULL;
	tn_wb_diagnostics_finish(&load->registry_diagnostics);
	code = tn_wb_registry_compose(&inputs, &load->registry_diagnostics, &load->registry,
				      &load->err);
	tn_mem_free(list);
	return code;
}

/* ---- sources ---- */

/* Hints as the source room has them. NULL: out of memory. */
static struct tn_wb_source_hint *hints_of(struct tn_arena *arena,
					  const struct tn_wb_registry *registry, size_t *ret_count)
{
	size_t hints = 0, entries = tn_wb_registry_count(registry), count = 0;
	const struct tn_wb_hint *from = tn_wb_registry_hints(registry, &hints);
	struct tn_wb_source_hint *list =
		tn_arena_alloc_array(arena, hints + entries + 1, sizeof(*list));

	for (size_t i = 0, at = 0; list && i < entries; i++) {
		const struct tn_wb_entry *entry = tn_wb_registry_at(registry, i);
		struct tn_wb_source_hint hint = {.type_id = entry->type_id,
						 .display_name = entry->display_name,
						 .is_inferred =
							 tn_str_is(entry->module, "inferred")};

		if (at == hints || !tn_str_equal(from[at].type_id, entry->type_id))
			list[count++] = hint;
		for (; at < hints && tn_str_equal(from[at].type_id, entry->type_id); at++) {
			hint.kind = from[at].kind == TN_WB_HINT_FILE ? TN_WB_SOURCE_FILE
								     : TN_WB_SOURCE_PACKAGE;
			hint.target = from[at].target;
			hint.export_name = from[at].export_name;
			list[count++] = hint;
		}
	}
	*ret_count = count;
	return list;
}

static struct tn_str *texts_of(struct tn_arena *arena, const struct tn_json *list,
			       size_t *ret_count)
{
	size_t size = tn_json_is(list, TN_JSON_ARRAY) ? list->count : 0;
	struct tn_str *texts = tn_arena_alloc_array(arena, size + 1, sizeof(*texts));

	*ret_count = 0;
	for (const struct tn_json *at = size ? list->first : NULL; texts && at; at = at->next)
		if (tn_json_to_str(at, &texts[*ret_count]))
			++*ret_count;
	return texts;
}

/* The patterns of a setting; one that is none of ours is told, and nothing matches it. */
static struct tn_wb_globs *globs_of(struct tn_wb_load *load, struct tn_arena *arena,
				    const struct tn_json *list, const char *pointer)
{
	struct tn_wb_globs *globs = NULL;
	struct tenon_error err;
	size_t count;
	struct tn_str *texts = texts_of(arena, list, &count);

	if (texts && tn_wb_globs_create(texts, count, &globs, &err) != TENON_OK)
		tn_wb_diagnose(&load->config->diagnostics,
			       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							  .code = "VALIDATION_ERROR",
							  .message = err.message,
							  .file = load->config->file,
							  .pointer = pointer});
	return globs;
}

static enum tenon_code scan(struct tn_wb_load *load, struct tn_arena *arena,
			    const atomic_bool *cancelled)
{
	const struct tn_json *infer = tn_wb_config_get(load->config, "components", "infer");
	struct tn_wb_source_scan what = {.infers = !tn_json_is(infer, TN_JSON_FALSE)};
	struct tn_wb_globs *include, *exclude, *only = NULL;
	enum tenon_code code;

	include = globs_of(load, arena, tn_wb_config_get(load->config, "graph", "include"),
			   "/graph/include");
	exclude = globs_of(load, arena, tn_wb_config_get(load->config, "graph", "exclude"),
			   "/graph/exclude");
	if (tn_json_is(infer, TN_JSON_OBJECT))
		only = globs_of(load, arena, tn_json_get(infer, "include"), "/components/infer");
	what.include = include;
	what.exclude = exclude;
	what.infer = only;
	what.hints = load->explicit_hints;
	what.hint_count = load->explicit_count;
	code = tn_wb_source_scan(load->source, &what, cancelled, &load->found, &load->err);
	tn_wb_globs_destroy(include);
	tn_wb_globs_destroy(exclude);
	tn_wb_globs_destroy(only);
	return code;
}

/* What modules say, disabled or not, is left alone by guesses (R14). */
static enum tenon_code infer(struct tn_wb_load *load, struct tn_arena *arena,
			     const atomic_bool *cancelled)
{
	struct tn_json *inferred = NULL;
	enum tenon_code code;

	load->explicit_hints = hints_of(arena, load->registry, &load->explicit_count);
	code = load->explicit_hints ? scan(load, arena, cancelled)
				    : tn_fail(&load->err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK && load->found.registry.size)
		code = tn_json_parse(arena, load->found.registry.data, load->found.registry.size,
				     &inferred, &load->err);
	return code == TENON_OK ? compose(load, inferred, true) : code;
}

/* A project whose sources lie elsewhere would look like an empty one. Where nothing is inferred,
 * its modules have said all that there is. */
static void tell_no_sources(struct tn_wb_load *load)
{
	if (tn_wb_source_file_count(load->source) ||
	    tn_json_is(tn_wb_config_get(load->config, "components", "infer"), TN_JSON_FALSE))
		return;
	tn_wb_diagnose(
		&load->found.diagnostics,
		&(struct tn_wb_diagnostic){
			.severity = TN_WB_WARNING,
			.code = "no_sources",
			.file = load->config->file,
			.pointer = "/graph/include",
			.message =
				"no source file lies where graph.include says; name the folders of "
				"yours in skaffa.config.json: {\"graph\":{\"include\":["
				"\"components/**/*.{ts,tsx}\"]}}"});
}

/* ---- the graph ---- */

/* The first look makes the graph itself: until it is taken over nobody has seen another. */
static enum tenon_code take_claims(struct tn_wb_load *load,
				   const struct tn_wb_source_graph *sources)
{
	static const struct tn_wb_claims none;
	enum tenon_code code;

	tn_wb_diagnostics_add(&load->graph_diagnostics, &load->found.diagnostics);
	code = tn_wb_claims_read(sources, load->config, &load->before, &load->claims,
				 &load->graph_diagnostics, &load->err);
	if (code != TENON_OK || !load->first)
		return code;
	load->graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	if (!load->graph)
		return tn_fail(&load->err, TENON_NO_MEMORY, "out of memory");
	tn_wb_claims_take(&load->claims, &none, load->graph, &load->graph_diagnostics);
	return TENON_OK;
}

static enum tenon_code read_graph(struct tn_wb_load *load, struct tn_arena *arena,
				  const atomic_bool *cancelled)
{
	const struct tn_json *paths = tn_wb_config_get(load->config, "graph", "routes");
	struct tn_wb_source_graph sources = {0};
	size_t hint_count, route_count;
	struct tn_wb_source_hint *hints = hints_of(arena, load->registry, &hint_count);
	struct tn_str *routes = texts_of(arena, paths, &route_count);
	enum tenon_code code;

	if (!hints || !routes)
		return tn_fail(&load->err, TENON_NO_MEMORY, "out of memory");
	code = tn_wb_source_graph(load->source, hints, hint_count, route_count ? routes : NULL,
				  route_count, cancelled, &sources, &load->err);
	if (code == TENON_OK)
		code = take_claims(load, &sources);
	tn_wb_source_graph_finish(&sources);
	return code;
}

enum tenon_code tn_wb_load_sources(struct tn_wb_load *load, const atomic_bool *cancelled)
{
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_WB_CONFIG_ARENA_MAX);
	if (!load->source)
		code = tn_wb_source_open(load->root, NULL, &load->source, &load->err);
	if (code == TENON_OK)
		code = compose(load, NULL, false);
	if (code == TENON_OK)
		code = infer(load, &arena, cancelled);
	load->analyses = load->source && tn_wb_source_is_available(load->source);
	if (code == TENON_OK && load->analyses)
		tell_no_sources(load);
	if (code == TENON_OK)
		code = read_graph(load, &arena, cancelled);
	tn_arena_finish(&arena);
	return code;
}
