/* What was read becomes claims in the graph. */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/load.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

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

/* What the sources say, whose order among one another is that of G3. */
static void put_built_in(struct tn_wb_workspace *workspace, const char *name, uint32_t rank,
			 struct tn_wb_source_producer *producer,
			 struct tn_wb_diagnostics *diagnostics)
{
	struct tn_wb_update update;
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *tree;

	tn_wb_diagnostics_add(diagnostics, &producer->diagnostics);
	if (!producer->snapshot.size)
		return;
	tn_arena_init(&arena, TN_WB_UPDATE_ARENA_MAX);
	if (tn_json_parse(&arena, producer->snapshot.data, producer->snapshot.size, &tree, &err) !=
		    TENON_OK ||
	    tn_wb_graph_put(workspace->graph, name, rank, tree, &update, diagnostics, &err) !=
		    TENON_OK)
		tn_wb_diagnose(diagnostics, &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
								       .code = "not_read",
								       .message = err.message});
	tn_arena_finish(&arena);
}

void tn_wb_take_graph(struct tn_wb_workspace *workspace, struct tn_wb_load *load,
		      struct tn_wb_diagnostics *ret)
{
	tn_wb_diagnostics_add(ret, &load->found.diagnostics);
	put_built_in(workspace, "registry", TN_WB_RANK_REGISTRY, &load->graph.registry, ret);
	put_built_in(workspace, "core.routes", TN_WB_RANK_ROUTES, &load->graph.routes, ret);
	put_built_in(workspace, "core.components", TN_WB_RANK_COMPONENTS, &load->graph.components,
		     ret);
	while (remove_former(workspace))
		;
	for (size_t i = 0; i < workspace->config->module_count; i++)
		if (workspace->config->modules[i].graph)
			(void)put_module(workspace, i, ret);
}
