/* What the producer `core.routes` claims: ids and whole paths of routes, and the types they show
 * (G14-G18). */
#include <stdlib.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/source/project_parts.h"
#include "base/map.h"
#include "jsonrpc/json_write.h"

struct node {
	struct tn_str id, path;
	const char *file;
	struct tn_wb_position at;
	struct tn_wb_type_list types;
};
struct routes {
	struct tn_wb_links *links;
	struct tn_wb_source_producer *out;
	struct node **list;
	size_t count, capacity;
	struct tn_map by_id;
	struct tn_map done; /* trees that were taken, by their place in memory */
	bool failed;
};

/* ---- paths ---- */

/* Child behind parent, one slash between, none at the end; one that begins with a slash stands
 * alone. The parent is whole already. */
static struct tn_str whole_path(struct routes *routes, struct tn_str parent, struct tn_str child)
{
	struct tn_str base = child.size && child.data[0] == '/' ? tn_str("", 0) : parent;
	char *text = tn_arena_alloc(&routes->links->arena, base.size + child.size + 3);
	size_t size = 0;

	routes->failed = routes->failed || !text;
	if (!text)
		return tn_str("/", 1);
	for (size_t i = 0; i < base.size + 1 + child.size; i++) {
		char c = i < base.size    ? base.data[i]
			 : i == base.size ? '/'
					  : child.data[i - base.size - 1];

		if (c != '/' || size == 0 || text[size - 1] != '/')
			text[size++] = c;
	}
	while (size > 1 && text[size - 1] == '/')
		size--;
	return tn_str(text, size);
}

static bool is_usable_id(struct tn_str id)
{
	return id.size > 0 && id.size + 8 <= TN_WB_ID_BYTES_MAX &&
	       tn_str_find_byte(id, ':') == TN_STR_NONE && tn_str_find_byte(id, '/') == TN_STR_NONE;
}

/* ---- nodes ---- */

static void diagnose(struct routes *routes, const struct tn_wb_file *file,
		     const struct tn_wb_source_route *route, const char *code, const char *message)
{
	tn_wb_diagnose(&routes->out->diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_WARNING,
						  .code = code,
						  .message = message,
						  .file = file->path,
						  .line = route->at.line});
}

static struct tn_str id_of(struct routes *routes, const struct tn_wb_file *file,
			   const struct tn_wb_source_route *route, struct tn_str path)
{
	bool usable = route->has_id && is_usable_id(route->id);
	struct tn_str rest = usable ? route->id : path;
	const char *id;

	if (route->has_id && !usable)
		diagnose(routes, file, route, "invalid_route_id",
			 "this id is empty, too long, or has a colon or a slash; the path stands "
			 "in for it");
	id = tn_arena_format(&routes->links->arena, "%s%.*s",
			     usable ? "routeId:" : "route:", (int)rest.size, rest.data);
	routes->failed = routes->failed || !id;
	return tn_str_from(id);
}

static struct node *add_node(struct routes *routes)
{
	struct node *node = tn_arena_alloc(&routes->links->arena, sizeof(*node));

	if (routes->count == routes->capacity) {
		size_t capacity = routes->capacity ? routes->capacity * 2 : 64;
		struct node **list = tn_arena_alloc_array(&routes->links->arena, capacity,
							  sizeof(struct node *));

		if (list && routes->count)
			memcpy(list, routes->list, routes->count * sizeof(struct node *));
		routes->failed = routes->failed || !list;
		if (!list)
			return NULL;
		routes->list = list;
		routes->capacity = capacity;
	}
	routes->failed = routes->failed || !node;
	if (!node)
		return NULL;
	node->types = (struct tn_wb_type_list){.arena = &routes->links->arena,
					       .hints = routes->links->hints};
	routes->list[routes->count++] = node;
	return node;
}

static void find_types(struct routes *routes, const struct tn_wb_file *file,
		       const struct tn_wb_source_route *route, struct node *node)
{
	uint32_t *start =
		tn_arena_alloc_array(&routes->links->arena, route->use_count + 1, sizeof(*start));
	struct tn_wb_search search = {
		.start = start, .is_route = true, .found = tn_wb_type_found, .data = &node->types};

	routes->failed = routes->failed || !start;
	for (uint32_t i = 0; start && i < route->use_count; i++)
		start[search.count++] = tn_wb_links_use(routes->links, file,
							&file->module.uses[route->use_first + i]);
	if (start)
		tn_wb_links_search(routes->links, &search);
	routes->failed = routes->failed || node->types.failed;
}

/* An index route without an id is where its parent is, and mostly has the parent's id: what it
 * shows is what is seen there. */
static void take_route(struct routes *routes, const struct tn_wb_file *file,
		       const struct tn_wb_source_route *route, struct tn_str path)
{
	struct tn_str id = id_of(routes, file, route, path);
	struct node *node = routes->failed ? NULL : tn_map_get(&routes->by_id, id);

	if (node) {
		diagnose(routes, file, route, "duplicate_route_id",
			 "another route has this id already, and counts; give this one an id of "
			 "its own");
		if (route->is_index && !route->has_id && tn_str_equal(node->path, path))
			find_types(routes, file, route, node);
		return;
	}
	node = add_node(routes);
	if (!node || tn_map_put(&routes->by_id, id, node, NULL) != TENON_OK) {
		routes->failed = true;
		return;
	}
	node->id = id;
	node->path = path;
	node->file = file->path;
	node->at = route->at;
	find_types(routes, file, route, node);
}

/* ---- trees ---- */

/* Whole paths by route of the tree; no data: it and all below have none that is known. */
static void take_tree(struct routes *routes, const struct tn_wb_file *file,
		      const struct tn_wb_route_tree *tree)
{
	struct tn_str *paths =
		tn_arena_alloc_array(&routes->links->arena, tree->count + 1, sizeof(*paths));

	routes->failed = routes->failed || !paths;
	for (uint32_t i = 0; paths && i < tree->count && !routes->failed; i++) {
		const struct tn_wb_source_route *route = &file->module.routes[tree->first + i];
		struct tn_str parent = route->parent == TN_WB_NONE
					       ? TN_STR("/")
					       : paths[route->parent - tree->first];

		if (!parent.data)
			continue;
		if (route->is_odd) {
			diagnose(routes, file, route, "route_not_static",
				 "this route's path is not a literal; it and its children are left "
				 "out");
			continue;
		}
		paths[i] = route->has_path && route->path.size && !route->is_index
				   ? whole_path(routes, parent, route->path)
				   : parent;
		/* A layout without path and id is nowhere by itself. */
		if (route->has_path || route->is_index || route->has_id)
			take_route(routes, file, route, paths[i]);
	}
}

static void take_once(struct routes *routes, const struct tn_wb_file *file,
		      const struct tn_wb_route_tree *tree)
{
	struct tn_str key = tn_str((const char *)&tree, sizeof(tree));

	if (tn_map_get(&routes->done, key))
		return;
	routes->failed = routes->failed || tn_map_put(&routes->done, key, routes, NULL) != TENON_OK;
	take_tree(routes, file, tree);
}

static void take_named(struct routes *routes, const struct tn_wb_file *file, struct tn_str name)
{
	const struct tn_wb_file *at = tn_wb_links_variable(routes->links, file, name, &name);

	for (uint32_t i = 0; at && i < at->module.tree_count; i++)
		if (tn_str_equal(at->module.trees[i].name, name))
			take_once(routes, at, &at->module.trees[i]);
}

static void take_file(struct routes *routes, const struct tn_wb_file *file)
{
	for (uint32_t i = 0; i < file->module.tree_count; i++)
		if (file->module.trees[i].is_sure)
			take_once(routes, file, &file->module.trees[i]);
	for (uint32_t i = 0; i < file->module.named_tree_count; i++)
		take_named(routes, file, file->module.named_trees[i]);
}

static bool is_named(const struct tn_wb_links *links, const struct tn_wb_route_files *of,
		     const struct tn_wb_file *file)
{
	for (size_t i = 0; i < of->count; i++)
		if (tn_wb_find_module(links->files, of->paths[i], false) == file)
			return true;
	return false;
}

/* ---- writing ---- */

static int by_id(const void *a, const void *b)
{
	const struct node *const *left = a, *const *right = b;

	return tn_str_compare((*left)->id, (*right)->id);
}

static void put_nodes(const struct routes *routes, struct tn_buf *out)
{
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (size_t i = 0; i < routes->count; i++) {
		const struct node *node = routes->list[i];

		tn_json_begin_object(out);
		tn_json_put_member_text(out, "kind", "route");
		tn_json_put_member_str(out, "id", node->id);
		tn_json_put_member_str(out, "path", node->path);
		tn_wb_put_source(out, node->file, node->at);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_edges(const struct routes *routes, struct tn_buf *out)
{
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (size_t i = 0; i < routes->count; i++) {
		struct node *node = routes->list[i];

		tn_wb_types_sort(&node->types);
		for (size_t k = 0; k < node->types.count; k++) {
			tn_json_begin_object(out);
			tn_json_put_member_text(out, "kind", "routeUsesComponentType");
			tn_json_put_member_str(out, "routeId", node->id);
			tn_json_put_member_str(out, "componentTypeId",
					       routes->links->hints[node->types.items[k]].type_id);
			tn_json_end_object(out);
		}
	}
	tn_json_end_array(out);
}

enum tenon_code tn_wb_put_routes(struct tn_wb_links *links, const struct tn_wb_route_files *of,
				 struct tn_wb_source_producer *out, struct tenon_error *err)
{
	struct routes routes = {.links = links, .out = out};

	tn_map_init(&routes.by_id);
	tn_map_init(&routes.done);
	for (size_t i = 0; i < links->files->count && !routes.failed; i++) {
		const struct tn_wb_file *file = links->files->list[i];

		if (of->paths ? is_named(links, of, file)
			      : file->is_included && file->module.has_router)
			take_file(&routes, file);
	}
	if (routes.count)
		qsort(routes.list, routes.count, sizeof(struct node *), by_id);
	tn_wb_begin_snapshot(&out->snapshot);
	put_nodes(&routes, &out->snapshot);
	put_edges(&routes, &out->snapshot);
	tn_json_end_object(&out->snapshot);
	tn_map_finish(&routes.by_id);
	tn_map_finish(&routes.done);
	if (!routes.failed)
		return TENON_OK;
	return links->arena.starved ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
				    : tn_fail(err, TENON_LIMIT, "too many routes");
}
