#include "apps/workbench/workspace/claims.h"

#include <stdio.h>

#include "base/mem.h"
#include "jsonrpc/json_make.h"

static const struct tn_wb_claimed *find(const struct tn_wb_claims *claims, const char *producer)
{
	for (size_t i = 0; i < claims->count; i++)
		if (strcmp(claims->items[i].producer, producer) == 0)
			return &claims->items[i];
	return NULL;
}

static void tell(struct tn_wb_diagnostics *diagnostics, const struct tenon_error *err)
{
	tn_wb_diagnose(diagnostics, &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							       .code = "not_read",
							       .message = err->message});
}

/* ---- reading ---- */

struct reading {
	const struct tn_wb_claims *before;
	struct tn_wb_claims *claims;
	struct tn_wb_diagnostics *diagnostics;
	struct tenon_error *err;
};

static enum tenon_code read_snapshot(const struct reading *reading, struct tn_wb_claimed *claimed,
				     const struct tn_json *json)
{
	const struct tn_wb_claimed *before = find(reading->before, claimed->producer);
	enum tenon_code code =
		tn_wb_snapshot_read(TN_WB_GRAPH_PROJECT, claimed->producer, json,
				    &claimed->snapshot, reading->diagnostics, reading->err);

	if (claimed->snapshot && before && before->snapshot)
		tn_wb_snapshot_compare(claimed->snapshot, before->snapshot);
	return code;
}

static struct tn_wb_claimed *add(const struct reading *reading, const char *prefix,
				 const char *name, uint32_t rank)
{
	struct tn_wb_claimed *claimed = &reading->claims->items[reading->claims->count++];

	claimed->rank = rank;
	(void)snprintf(claimed->producer, sizeof(claimed->producer), "%s%s", prefix, name);
	return claimed;
}

static enum tenon_code read_source(const struct reading *reading, const char *name, uint32_t rank,
				   const struct tn_wb_source_producer *from)
{
	struct tn_wb_claimed *claimed = add(reading, "", name, rank);
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;
	struct tn_json *json;

	tn_wb_diagnostics_add(reading->diagnostics, &from->diagnostics);
	if (!from->snapshot.size)
		return TENON_OK;
	tn_arena_init(&arena, TN_WB_UPDATE_ARENA_MAX);
	if (tn_json_parse(&arena, from->snapshot.data, from->snapshot.size, &json, reading->err) ==
	    TENON_OK)
		code = read_snapshot(reading, claimed, json);
	else
		tell(reading->diagnostics, reading->err);
	tn_arena_finish(&arena);
	return code;
}

/* A module's graph has no version and no number of its own: it is one snapshot. */
static enum tenon_code read_module(const struct reading *reading,
				   const struct tn_wb_config_module *module, uint32_t rank)
{
	struct tn_wb_claimed *claimed = add(reading, "module:", module->id, rank);
	struct tn_json_maker maker;
	struct tn_arena arena;
	struct tn_json *json;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	tn_json_maker_begin(&maker, &arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("schemaVersion"), tn_json_make_str(&arena, TN_STR("v0")));
	tn_json_maker_put(&maker, TN_STR("revision"), tn_json_make_int(&arena, 0));
	tn_json_maker_put(&maker, TN_STR("nodes"), tn_json_get(module->graph, "nodes"));
	tn_json_maker_put(&maker, TN_STR("edges"), tn_json_get(module->graph, "edges"));
	json = tn_json_maker_end(&maker);
	code = json ? read_snapshot(reading, claimed, json)
		    : tn_fail(reading->err, TENON_NO_MEMORY, "out of memory");
	tn_arena_finish(&arena);
	return code;
}

void tn_wb_claims_name(const struct tn_wb_config_module *module,
		       const struct tn_wb_config_producer *producer,
		       char out[TN_WB_PRODUCER_NAME_SIZE])
{
	(void)snprintf(out, TN_WB_PRODUCER_NAME_SIZE, "module:%.80s:%s", module->id, producer->id);
}

/* C9: what producers of a module in JavaScript have said. */
static enum tenon_code read_producers(const struct reading *reading,
				      const struct tn_wb_config_module *module, uint32_t rank,
				      uint64_t serial)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < module->producer_count && code == TENON_OK; i++) {
		struct tn_wb_claimed *claimed = add(reading, "", "", rank);

		tn_wb_claims_name(module, &module->producers[i], claimed->producer);
		claimed->serial = serial;
		code = read_snapshot(reading, claimed, module->producers[i].snapshot);
	}
	return code;
}

enum tenon_code tn_wb_claims_read(const struct tn_wb_source_graph *sources,
				  const struct tn_wb_config *config,
				  const struct tn_wb_claims *before, struct tn_wb_claims *ret,
				  struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	const struct reading reading = {before, ret, diagnostics, err};
	size_t count = config->module_count + 3;
	enum tenon_code code;

	for (size_t i = 0; i < config->module_count; i++)
		count += config->modules[i].producer_count;
	*ret = (struct tn_wb_claims){.items = tn_mem_alloc_array(count, sizeof(*ret->items))};
	if (!ret->items)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = read_source(&reading, "registry", TN_WB_RANK_REGISTRY, &sources->registry);
	if (code == TENON_OK)
		code = read_source(&reading, "core.routes", TN_WB_RANK_ROUTES, &sources->routes);
	if (code == TENON_OK)
		code = read_source(&reading, "core.components", TN_WB_RANK_COMPONENTS,
				   &sources->components);
	for (size_t i = 0; i < config->module_count && code == TENON_OK; i++) {
		const struct tn_wb_config_module *module = &config->modules[i];
		uint32_t rank = TN_WB_RANK_MODULE + (uint32_t)i;

		if (module->graph)
			code = read_module(&reading, module, rank);
		if (code == TENON_OK)
			code = read_producers(&reading, module, rank, config->scripts_serial);
	}
	return code;
}

void tn_wb_claims_finish(struct tn_wb_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		tn_wb_snapshot_free(claims->items[i].snapshot);
	tn_mem_free(claims->items);
	*claims = (struct tn_wb_claims){0};
}

/* ---- taking ---- */

/* The graph has this very snapshot, and may have patches since (G4): it is no new one. */
static bool has_said_it(const struct tn_wb_claimed *before, const struct tn_wb_claimed *now)
{
	return before && before->snapshot && now->serial && before->serial == now->serial &&
	       before->rank == now->rank;
}

void tn_wb_claims_take(struct tn_wb_claims *claims, const struct tn_wb_claims *before,
		       struct tn_wb_graph *graph, struct tn_wb_diagnostics *diagnostics)
{
	struct tn_wb_update update;
	struct tenon_error err;

	for (size_t i = 0; i < before->count; i++)
		if (!find(claims, before->items[i].producer))
			(void)tn_wb_graph_remove(graph, before->items[i].producer, &update);
	for (size_t i = 0; i < claims->count; i++) {
		struct tn_wb_claimed *claimed = &claims->items[i];
		bool failed;

		if (!claimed->snapshot || has_said_it(find(before, claimed->producer), claimed))
			continue;
		failed =
			tn_wb_graph_take(graph, claimed->producer, claimed->rank, claimed->snapshot,
					 &update, diagnostics, &err) != TENON_OK;
		if (failed)
			tell(diagnostics, &err);
		if (!failed && update.accepted)
			continue;
		tn_wb_snapshot_free(claimed->snapshot);
		claimed->snapshot = NULL;
	}
}
