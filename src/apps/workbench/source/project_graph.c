/* What the producers `registry` and `core.components` claim (G12, G19). */
#include "apps/workbench/limits.h"
#include "apps/workbench/source/project_parts.h"
#include "jsonrpc/json_write.h"

/* ---- registry ---- */

/* Of the hints of a type the first that is found. */
static const struct tn_wb_hint_place *place_of(const struct tn_wb_links *links, uint32_t first)
{
	for (size_t i = first; i < links->hint_count &&
			       tn_str_equal(links->hints[i].type_id, links->hints[first].type_id);
	     i++)
		if (links->places[i].file && links->places[i].is_found)
			return &links->places[i];
	return NULL;
}

static void tell_missing(const struct tn_wb_links *links, struct tn_wb_diagnostics *diagnostics)
{
	for (size_t i = 0; i < links->hint_count; i++) {
		const struct tn_wb_source_hint *hint = &links->hints[i];
		struct tn_str name = hint->export_name.size ? hint->export_name : TN_STR("default");
		struct tn_wb_diagnostic missing = {.severity = TN_WB_WARNING,
						   .code = "hint_unresolved"};

		if (hint->kind != TN_WB_SOURCE_FILE || links->places[i].is_found)
			continue;
		missing.file = links->places[i].file ? links->places[i].file->path : NULL;
		tn_wb_diagnose_format(
			diagnostics, &missing,
			links->places[i].file
				? "%.*s: %.*s exports no \"%.*s\"; correct the hint"
				: "%.*s: there is no %.*s that could export \"%.*s\"; "
				  "correct the hint",
			(int)hint->type_id.size, hint->type_id.data, (int)hint->target.size,
			hint->target.data, (int)name.size, name.data);
	}
}

static enum tenon_code list_types(struct tn_wb_links *links, struct tn_wb_type_list *list,
				  struct tenon_error *err)
{
	*list = (struct tn_wb_type_list){.arena = &links->arena, .hints = links->hints};
	for (uint32_t i = 0; i < links->hint_count; i++)
		if (i == 0 || !tn_str_equal(links->hints[i].type_id, links->hints[i - 1].type_id))
			tn_wb_type_found(list, i);
	tn_wb_types_sort(list);
	return list->failed ? tn_fail(err, TENON_NO_MEMORY, "out of memory") : TENON_OK;
}

static void put_registry(const struct tn_wb_links *links, const struct tn_wb_type_list *types,
			 struct tn_buf *out)
{
	tn_wb_begin_snapshot(out);
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (size_t i = 0; i < types->count; i++) {
		const struct tn_wb_source_hint *hint = &links->hints[types->items[i]];
		const struct tn_wb_hint_place *place = place_of(links, types->items[i]);

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "kind", "componentType");
		tn_json_put_member_str(out, "id", hint->type_id);
		tn_json_put_member_str(out, "displayName", hint->display_name);
		if (place)
			tn_wb_put_source(out, place->file->path, place->at);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_member_raw(out, "edges", TN_STR("[]"));
	tn_json_end_object(out);
}

/* ---- components ---- */

/* What the declarations behind all hints of a type render. */
static enum tenon_code types_used_by(struct tn_wb_links *links, uint32_t first,
				     struct tn_wb_type_list *ret, struct tenon_error *err)
{
	*ret = (struct tn_wb_type_list){.arena = &links->arena, .hints = links->hints};
	for (size_t i = first; i < links->hint_count &&
			       tn_str_equal(links->hints[i].type_id, links->hints[first].type_id);
	     i++) {
		uint32_t node = links->places[i].node;
		struct tn_wb_search search = {.found = tn_wb_type_found, .data = ret};

		if (node == TN_WB_NONE)
			continue;
		search.start = &links->targets[links->target_first[node]];
		search.count = links->target_first[node + 1] - links->target_first[node];
		tn_wb_links_search(links, &search);
	}
	tn_wb_types_sort(ret);
	return ret->failed ? tn_fail(err, TENON_NO_MEMORY, "out of memory") : TENON_OK;
}

static enum tenon_code put_components(struct tn_wb_links *links,
				      const struct tn_wb_type_list *types,
				      const atomic_bool *cancelled, struct tn_buf *out,
				      struct tenon_error *err)
{
	tn_wb_begin_snapshot(out);
	tn_json_put_member_raw(out, "nodes", TN_STR("[]"));
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (size_t i = 0; i < types->count; i++) {
		struct tn_wb_type_list used;
		enum tenon_code code = types_used_by(links, types->items[i], &used, err);

		if (code != TENON_OK)
			return code;
		if (cancelled && atomic_load_explicit(cancelled, memory_order_relaxed))
			return tn_fail(err, TENON_CANCELLED, "cancelled");
		for (size_t k = 0; k < used.count; k++) {
			if (used.items[k] == types->items[i])
				continue;
			tn_json_begin_object(out);
			tn_json_put_member_text(out, "kind", "componentTypeUsesComponentType");
			tn_json_put_member_str(out, "from", links->hints[types->items[i]].type_id);
			tn_json_put_member_str(out, "to", links->hints[used.items[k]].type_id);
			tn_json_end_object(out);
		}
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
	return TENON_OK;
}

/* ---- the graph ---- */

static void init_producer(struct tn_wb_source_producer *producer)
{
	tn_buf_init(&producer->snapshot, TN_WB_RESULT_BYTES_MAX);
	tn_wb_diagnostics_init(&producer->diagnostics);
}

static void finish_producer(struct tn_wb_source_producer *producer)
{
	tn_buf_finish(&producer->snapshot);
	tn_wb_diagnostics_finish(&producer->diagnostics);
}

static enum tenon_code make_graph(struct tn_wb_source *source, struct tn_wb_links *links,
				  const struct tn_wb_route_files *routes,
				  const atomic_bool *cancelled, struct tn_wb_source_graph *ret,
				  struct tenon_error *err)
{
	struct tn_wb_type_list types;
	enum tenon_code code = tn_wb_links_follow(links, cancelled, err);

	if (code == TENON_OK)
		code = list_types(links, &types, err);
	if (code != TENON_OK)
		return code;
	if (source->reader)
		tell_missing(links, &ret->registry.diagnostics);
	put_registry(links, &types, &ret->registry.snapshot);
	code = put_components(links, &types, cancelled, &ret->components.snapshot, err);
	if (code == TENON_OK)
		code = tn_wb_put_routes(links, routes, &ret->routes, err);
	return code;
}

enum tenon_code tn_wb_source_graph(struct tn_wb_source *source,
				   const struct tn_wb_source_hint *hints, size_t hint_count,
				   const struct tn_str *routes, size_t route_count,
				   const atomic_bool *cancelled, struct tn_wb_source_graph *ret,
				   struct tenon_error *err)
{
	struct tn_wb_route_files of = {.paths = routes, .count = route_count};
	struct tn_wb_links links;
	enum tenon_code code;

	init_producer(&ret->registry);
	init_producer(&ret->routes);
	init_producer(&ret->components);
	for (size_t i = 0; routes && i < route_count; i++)
		(void)tn_wb_find_module(&source->files, routes[i], true); /* or it is missing */
	code = tn_wb_links_make(&links, &source->files, hints, hint_count, err);
	if (code == TENON_OK)
		code = make_graph(source, &links, &of, cancelled, ret, err);
	tn_wb_links_finish(&links);
	if (code == TENON_OK)
		code = tn_buf_check(&ret->registry.snapshot, err);
	if (code == TENON_OK)
		code = tn_buf_check(&ret->routes.snapshot, err);
	return code == TENON_OK ? tn_buf_check(&ret->components.snapshot, err) : code;
}

void tn_wb_source_graph_finish(struct tn_wb_source_graph *graph)
{
	finish_producer(&graph->registry);
	finish_producer(&graph->routes);
	finish_producer(&graph->components);
}
