/* What was read becomes what is seen. */
#include <stdio.h>

#include "apps/workbench/drafts/override_file.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/load.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* Exchanges the two lists; true: they differ. */
static bool exchange(struct tn_wb_diagnostics *mine, struct tn_wb_diagnostics *read)
{
	struct tn_wb_diagnostics before = *mine;
	struct tn_buf a, b;
	bool differ;

	tn_buf_init(&a, TN_MESSAGE_BYTES_MAX);
	tn_buf_init(&b, TN_MESSAGE_BYTES_MAX);
	tn_wb_diagnostics_put(&a, mine);
	tn_wb_diagnostics_put(&b, read);
	differ = a.failed || b.failed || !tn_str_equal(tn_buf_str(&a), tn_buf_str(&b));
	tn_buf_finish(&a);
	tn_buf_finish(&b);
	*mine = *read;
	*read = before;
	return differ;
}

static void put_config(struct tn_buf *out, const struct tn_wb_config *config)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "config");
	tn_json_put_value(out, config->effective);
	tn_json_put_key(out, "modules");
	tn_wb_config_put_modules(config, out);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &config->diagnostics);
	tn_json_end_object(out);
}

static bool differ(const struct tn_wb_config *before, const struct tn_wb_config *now)
{
	struct tn_buf a, b;
	bool ret;

	if (!before)
		return true;
	tn_buf_init(&a, TN_RESULT_BYTES_MAX);
	tn_buf_init(&b, TN_RESULT_BYTES_MAX);
	put_config(&a, before);
	put_config(&b, now);
	ret = a.failed || b.failed || !tn_str_equal(tn_buf_str(&a), tn_buf_str(&b));
	tn_buf_finish(&a);
	tn_buf_finish(&b);
	return ret;
}

static unsigned take_config(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	bool changed = differ(workspace->config, load->config);
	enum tn_wb_state before = workspace->state;

	tn_wb_config_destroy(workspace->config);
	workspace->config = load->config;
	load->config = NULL;
	workspace->state = workspace->config->degraded ? TN_WB_DEGRADED : TN_WB_LOADED;
	return (changed ? TN_WB_CHANGED_CONFIG : 0u) |
	       (before != workspace->state ? TN_WB_CHANGED_STATE : 0u);
}

/* R7: the same again is no change. */
static unsigned take_registry(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	unsigned changed = 0;

	if (!workspace->registry || !tn_wb_registry_equal(workspace->registry, load->registry)) {
		tn_wb_registry_free(workspace->registry);
		workspace->registry = load->registry;
		load->registry = NULL;
		workspace->registry_revision++;
		changed = TN_WB_CHANGED_REGISTRY;
	}
	if (exchange(&workspace->registry_diagnostics, &load->registry_diagnostics))
		changed |= TN_WB_CHANGED_REGISTRY;
	return changed;
}

/* ---- graphs of modules (6.4, G20) ---- */

struct former { /* producers of modules that are not configured any more */
	const struct tn_wb_config *config;
	char *gone;
};

static void producer_name(const struct tn_wb_module *module, char *out, size_t size)
{
	(void)snprintf(out, size, "module:%s", module->id);
}

static void note_former(const char *producer, uint32_t rank, void *data)
{
	struct former *former = data;
	char name[TN_WB_ID_BYTES_MAX + 16];

	if (former->gone || rank < TN_WB_RANK_MODULE || rank >= TN_WB_RANK_OUTSIDE)
		return;
	for (size_t i = 0; i < former->config->module_count; i++) {
		producer_name(&former->config->modules[i], name, sizeof(name));
		if (former->config->modules[i].graph && strcmp(name, producer) == 0)
			return;
	}
	former->gone = tn_mem_copy_text(producer, strlen(producer));
}

static bool remove_former(struct tn_wb_workspace *workspace)
{
	struct former former = {.config = workspace->config};
	struct tn_wb_update update = {0};

	tn_wb_graph_producers(workspace->graph, note_former, &former);
	if (!former.gone)
		return false;
	(void)tn_wb_graph_remove(workspace->graph, former.gone, &update);
	tn_mem_free(former.gone);
	return true;
}

/* A module's graph has no version and no number of its own: it is one snapshot. */
static bool put_module(struct tn_wb_workspace *workspace, size_t index,
		       struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_wb_module *module = &workspace->config->modules[index];
	struct tn_wb_update update = {0};
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *tree;
	char name[TN_WB_ID_BYTES_MAX + 16];
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_arena_init(&arena, TN_WB_UPDATE_ARENA_MAX);
	tn_json_begin_object(&text);
	tn_json_put_member_text(&text, "schemaVersion", "v0");
	tn_json_put_member_int(&text, "revision", 0);
	tn_json_put_key(&text, "nodes");
	tn_json_put_value(&text, tn_json_get(module->graph, "nodes"));
	tn_json_put_key(&text, "edges");
	tn_json_put_value(&text, tn_json_get(module->graph, "edges"));
	tn_json_end_object(&text);
	producer_name(module, name, sizeof(name));
	if (!text.failed && tn_json_parse(&arena, text.data, text.size, &tree, &err) == TENON_OK &&
	    tn_wb_graph_put(workspace->graph, name, TN_WB_RANK_MODULE + (uint32_t)index, tree,
			    &update, diagnostics, &err) != TENON_OK)
		update.changed = false;
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
	return update.changed;
}

static unsigned take_graph(struct tn_wb_workspace *workspace)
{
	uint64_t before = tn_wb_graph_revision(workspace->graph);
	struct tn_wb_diagnostics diagnostics;
	bool differs;

	tn_wb_diagnostics_init(&diagnostics);
	while (remove_former(workspace))
		;
	for (size_t i = 0; i < workspace->config->module_count; i++)
		if (workspace->config->modules[i].graph)
			(void)put_module(workspace, i, &diagnostics);
	differs = exchange(&workspace->graph_diagnostics, &diagnostics);
	tn_wb_diagnostics_finish(&diagnostics);
	return differs || before != tn_wb_graph_revision(workspace->graph) ? TN_WB_CHANGED_GRAPH
									   : 0u;
}

/* O15: what others have written is one change. */
static unsigned take_drafts(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	bool was_invalid, changed;
	struct tn_wb_outcome outcome;
	struct tenon_error err;

	if (!workspace->drafts) {
		workspace->drafts = load->drafts;
		workspace->root_fd = load->root_fd;
		load->drafts = NULL;
		load->root_fd = -1;
		return TN_WB_CHANGED_OVERRIDES;
	}
	was_invalid = tn_wb_drafts_file_is_invalid(workspace->drafts);
	tn_wb_outcome_init(&outcome);
	changed = tn_wb_drafts_reload(workspace->drafts, &outcome, &err) == TENON_OK &&
		  outcome.changed;
	tn_wb_outcome_finish(&outcome);
	changed = changed || was_invalid != tn_wb_drafts_file_is_invalid(workspace->drafts);
	return changed ? TN_WB_CHANGED_OVERRIDES : 0u;
}

static void tell_failure(struct tn_wb_workspace *workspace, const struct tn_wb_load *load)
{
	tn_wb_diagnose(&workspace->graph_diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
						  .code = "not_read",
						  .message = load->err.message});
}

void tn_wb_workspace_take(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	unsigned what = 0;

	if (load->code == TENON_OK) {
		what = take_config(workspace, load);
		what |= take_registry(workspace, load);
		what |= take_graph(workspace);
		what |= take_drafts(workspace, load);
		if (workspace->watch)
			tn_wb_watch_add(workspace->watch, TN_WB_OVERRIDE_FOLDER);
	} else {
		tell_failure(workspace, load);
		what = TN_WB_CHANGED_GRAPH;
	}
	tn_wb_workspace_tell(workspace, what);
}
