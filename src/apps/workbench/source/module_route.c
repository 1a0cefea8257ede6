/* Routes of a module: arrays of route objects, and trees of <Route> (G14, G15). */
#include "apps/workbench/source/module_reader.h"

/* ---- what is the router's ---- */

/* What the router calls this name, `createBrowserRouter` or `Route`; empty: it is not its. */
static struct tn_str routers_name(const struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	const struct tn_wb_import *import;
	uint32_t object = node;

	if (tn_wb_kind(tree, node) == TN_WB_MEMBER)
		object = tn_wb_child(tree, node, TN_WB_FIELD_OBJECT);
	if (tn_wb_kind(tree, object) != TN_WB_IDENTIFIER)
		return tn_str("", 0);
	import = tn_wb_module_import(reader->module, tn_wb_text(tree, object));
	if (!import || (!tn_str_is(import->specifier, "react-router") &&
			!tn_str_is(import->specifier, "react-router-dom")))
		return tn_str("", 0);
	if (object != node)
		return tn_str_is(import->name, "*") ? tn_wb_last_name(tree, node) : tn_str("", 0);
	return import->name;
}

static bool takes_routes(struct tn_str name)
{
	return tn_str_is(name, "createBrowserRouter") || tn_str_is(name, "createHashRouter") ||
	       tn_str_is(name, "createMemoryRouter") || tn_str_is(name, "useRoutes");
}

/* ---- adding ---- */

static uint32_t add_route(struct tn_wb_module_reader *reader, uint32_t parent, uint32_t node)
{
	struct tn_wb_module *module = reader->module;
	struct tn_wb_source_route *list = tn_wb_grow(reader, module->routes, module->route_count,
						     &reader->routes, sizeof(*list));

	if (!list)
		return TN_WB_NONE;
	module->routes = list;
	list[module->route_count] = (struct tn_wb_source_route){
		.parent = parent,
		.at = tn_wb_position_of(reader, node),
		.use_first = module->use_count,
	};
	tn_wb_begin_uses(reader);
	return module->route_count++;
}

static struct tn_wb_route_tree *add_tree(struct tn_wb_module_reader *reader, struct tn_str name,
					 bool is_sure)
{
	struct tn_wb_module *module = reader->module;
	struct tn_wb_route_tree *list = tn_wb_grow(reader, module->trees, module->tree_count,
						   &reader->trees, sizeof(*list));

	if (!list)
		return NULL;
	module->trees = list;
	list[module->tree_count] = (struct tn_wb_route_tree){
		.name = tn_wb_keep(reader, name),
		.is_sure = is_sure,
		.first = module->route_count,
	};
	return &list[module->tree_count++];
}

/* What an element, or a component by name, brings. */
static void add_rendered(struct tn_wb_module_reader *reader, uint32_t value)
{
	uint32_t bare = tn_wb_bare(reader->tree, value);
	enum tn_wb_syntax_kind kind = tn_wb_kind(reader->tree, bare);

	if (kind == TN_WB_IDENTIFIER || kind == TN_WB_MEMBER)
		tn_wb_read_named_use(reader, bare);
	else if (bare != TN_WB_NO_NODE)
		tn_wb_read_uses(reader, bare, tn_wb_after(reader->tree, bare));
}

/* One property or attribute; `value`: none when the name stands alone. */
static void set_part(struct tn_wb_module_reader *reader, uint32_t route, struct tn_str name,
		     uint32_t value)
{
	struct tn_wb_source_route *made = &reader->module->routes[route];

	if (tn_str_is(name, "id")) {
		made->has_id = tn_wb_keep_literal(reader, value, &made->id);
	} else if (tn_str_is(name, "path")) {
		made->has_path = tn_wb_keep_literal(reader, value, &made->path);
		made->is_odd = made->is_odd || (!made->has_path &&
						tn_wb_kind(reader->tree, value) != TN_WB_UNDEFINED);
	} else if (tn_str_is(name, "index")) {
		made->is_index =
			value == TN_WB_NO_NODE || tn_wb_kind(reader->tree, value) == TN_WB_TRUE;
	} else if (tn_str_is(name, "element") || tn_str_is(name, "Component") ||
		   tn_str_is(name, "component")) {
		add_rendered(reader, value);
	} else if (tn_str_is(name, "lazy") && value != TN_WB_NO_NODE) {
		tn_wb_read_late_uses(reader, value, tn_wb_after(reader->tree, value), "Component");
	}
}

static void end_route(struct tn_wb_module_reader *reader, uint32_t route)
{
	struct tn_wb_module *module = reader->module;

	module->routes[route].use_count = module->use_count - module->routes[route].use_first;
}

/* ---- route objects ---- */

static void read_array(struct tn_wb_module_reader *reader, uint32_t array, uint32_t parent);

static void read_object(struct tn_wb_module_reader *reader, uint32_t object, uint32_t parent)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t route = add_route(reader, parent, object), children = TN_WB_NO_NODE;

	if (route == TN_WB_NONE)
		return;
	for (uint32_t i = tn_wb_first(tree, object); i != TN_WB_NO_NODE && !reader->failed;
	     i = tn_wb_next(tree, i)) {
		struct tn_str name = tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_KEY));
		uint32_t value = tn_wb_bare(tree, tn_wb_child(tree, i, TN_WB_FIELD_VALUE));

		if (tn_wb_kind(tree, i) == TN_WB_SHORTHAND) {
			name = tn_wb_text(tree, i); /* { path } is { path: path } */
			reader->module->routes[route].is_odd =
				reader->module->routes[route].is_odd || tn_str_is(name, "path");
			continue;
		}
		if (name.size > 1 && (name.data[0] == '"' || name.data[0] == '\''))
			name = tn_str(name.data + 1, name.size - 2);
		if (tn_wb_kind(tree, i) == TN_WB_PAIR && tn_str_is(name, "children"))
			children = value;
		else if (tn_wb_kind(tree, i) == TN_WB_PAIR)
			set_part(reader, route, name, value);
	}
	end_route(reader, route);
	if (tn_wb_kind(tree, children) == TN_WB_ARRAY)
		read_array(reader, children, route);
}

static void read_array(struct tn_wb_module_reader *reader, uint32_t array, uint32_t parent)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = tn_wb_first(tree, array); i != TN_WB_NO_NODE && !reader->failed;
	     i = tn_wb_next(tree, i)) {
		uint32_t object = tn_wb_bare(tree, i);

		if (tn_wb_kind(tree, object) == TN_WB_OBJECT)
			read_object(reader, object, parent);
	}
}

/* Whether an array that nothing else says it of is one of routes. */
static bool looks_like_routes(const struct tn_wb_tree *tree, uint32_t array)
{
	uint32_t object = tn_wb_bare(tree, tn_wb_first(tree, array));

	for (uint32_t i = tn_wb_kind(tree, object) == TN_WB_OBJECT ? tn_wb_first(tree, object)
								   : TN_WB_NO_NODE;
	     i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		struct tn_str key = tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_KEY));

		if (tn_str_is(key, "path") || tn_str_is(key, "element") ||
		    tn_str_is(key, "Component") || tn_str_is(key, "children") ||
		    tn_str_is(key, "index"))
			return true;
	}
	return false;
}

static void read_tree(struct tn_wb_module_reader *reader, uint32_t array, struct tn_str name,
		      bool is_sure)
{
	struct tn_wb_route_tree *tree;

	if (!is_sure && !looks_like_routes(reader->tree, array))
		return;
	tree = add_tree(reader, name, is_sure);
	if (!tree)
		return;
	read_array(reader, array, TN_WB_NONE);
	/* The list may have moved, but no tree is added within one. */
	reader->module->trees[reader->module->tree_count - 1].count =
		reader->module->route_count -
		reader->module->trees[reader->module->tree_count - 1].first;
}

/* RouteObject[], Array<RouteObject>. */
static bool is_routes_type(struct tn_str type)
{
	size_t at = tn_str_find(type, TN_STR("RouteObject"));
	struct tn_str rest = tn_str_from_offset(type, at == TN_STR_NONE ? type.size : at + 11);

	return tn_str_is(rest, "[]") ||
	       (tn_str_is(rest, ">") && tn_str_find(type, TN_STR("Array<")) != TN_STR_NONE);
}

/* `x satisfies RouteObject[]`, `x as RouteObject[]`. */
static bool says_routes(const struct tn_wb_tree *tree, uint32_t value)
{
	enum tn_wb_syntax_kind kind = tn_wb_kind(tree, value);
	struct tn_str text = tn_wb_text(tree, value);

	return (kind == TN_WB_AS || kind == TN_WB_SATISFIES) &&
	       (tn_str_ends(text, TN_STR(" RouteObject[]")) ||
		tn_str_ends(text, TN_STR(" Array<RouteObject>")));
}

static void read_variable(struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t name = tn_wb_child(tree, node, TN_WB_FIELD_NAME);
	uint32_t type = tn_wb_child(tree, node, TN_WB_FIELD_TYPE);
	uint32_t value = tn_wb_child(tree, node, TN_WB_FIELD_VALUE);
	bool is_sure = tn_str_is(tn_wb_text(tree, name), "routes") ||
		       is_routes_type(tn_wb_text(tree, type)) || says_routes(tree, value);

	value = tn_wb_bare(tree, value);
	if (tn_wb_kind(tree, value) == TN_WB_ARRAY && tn_wb_kind(tree, name) == TN_WB_IDENTIFIER)
		read_tree(reader, value, tn_wb_text(tree, name), is_sure);
}

static void read_default(struct tn_wb_module_reader *reader, uint32_t node)
{
	uint32_t value = tn_wb_child(reader->tree, node, TN_WB_FIELD_VALUE);
	uint32_t array = tn_wb_bare(reader->tree, value);

	if (tn_wb_kind(reader->tree, array) == TN_WB_ARRAY)
		read_tree(reader, array, TN_STR(TN_WB_DEFAULT_UNIT),
			  says_routes(reader->tree, value));
}

static void read_call(struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	struct tn_wb_module *module = reader->module;
	uint32_t argument;
	struct tn_str *list;

	if (!takes_routes(routers_name(reader, tn_wb_child(tree, node, TN_WB_FIELD_FUNCTION))))
		return;
	argument =
		tn_wb_bare(tree, tn_wb_first(tree, tn_wb_child(tree, node, TN_WB_FIELD_ARGUMENTS)));
	if (tn_wb_kind(tree, argument) == TN_WB_ARRAY)
		read_tree(reader, argument, tn_str("", 0), true);
	if (tn_wb_kind(tree, argument) != TN_WB_IDENTIFIER)
		return;
	list = tn_wb_grow(reader, module->named_trees, module->named_tree_count,
			  &reader->named_trees, sizeof(*list));
	if (!list)
		return;
	module->named_trees = list;
	list[module->named_tree_count++] = tn_wb_keep(reader, tn_wb_text(tree, argument));
}

/* ---- trees of <Route> ---- */

/* The opening tag of an element; none: it is no element. */
static uint32_t opening_of(const struct tn_wb_tree *tree, uint32_t node)
{
	if (tn_wb_kind(tree, node) == TN_WB_JSX_SELF_CLOSING)
		return node;
	return tn_wb_kind(tree, node) == TN_WB_JSX_ELEMENT
		       ? tn_wb_child(tree, node, TN_WB_FIELD_OPEN_TAG)
		       : TN_WB_NO_NODE;
}

static bool is_route(const struct tn_wb_module_reader *reader, uint32_t node)
{
	uint32_t name = tn_wb_child(reader->tree, opening_of(reader->tree, node), TN_WB_FIELD_NAME);

	return name != TN_WB_NO_NODE && tn_str_is(routers_name(reader, name), "Route");
}

/* The value of an attribute without quotes and braces around it; none: the name alone. */
static uint32_t attribute_value(const struct tn_wb_tree *tree, uint32_t attribute)
{
	uint32_t value = tn_wb_next(tree, tn_wb_first(tree, attribute));

	if (tn_wb_kind(tree, value) == TN_WB_JSX_EXPRESSION)
		value = tn_wb_bare(tree, tn_wb_first(tree, value));
	return value;
}

static void read_attributes(struct tn_wb_module_reader *reader, uint32_t route, uint32_t opening)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = tn_wb_first(tree, opening); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i))
		if (tn_wb_kind(tree, i) == TN_WB_JSX_ATTRIBUTE)
			set_part(reader, route, tn_wb_text(tree, tn_wb_first(tree, i)),
				 attribute_value(tree, i));
	end_route(reader, route);
}

/* The node and, between its tags, those inside: through fragments and `{condition && <Route />}`.
 * What stands in attributes of other elements is no child. */
static void read_routes_in(struct tn_wb_module_reader *reader, uint32_t node, uint32_t parent)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t opening = opening_of(tree, node), route = parent;

	if (is_route(reader, node)) {
		route = add_route(reader, parent, opening);
		if (route == TN_WB_NONE)
			return;
		read_attributes(reader, route, opening);
	}
	for (uint32_t i = tn_wb_first(tree, node); i != TN_WB_NO_NODE && !reader->failed;
	     i = tn_wb_next(tree, i))
		if (i != opening && tn_wb_kind(tree, i) != TN_WB_JSX_ATTRIBUTE)
			read_routes_in(reader, i, route);
}

/* Past the tree when the node is the outermost <Route>. */
static uint32_t read_element(struct tn_wb_module_reader *reader, uint32_t node)
{
	if (!is_route(reader, node))
		return node + 1;
	if (!add_tree(reader, tn_str("", 0), true))
		return node + 1;
	read_routes_in(reader, node, TN_WB_NONE);
	reader->module->trees[reader->module->tree_count - 1].count =
		reader->module->route_count -
		reader->module->trees[reader->module->tree_count - 1].first;
	return tn_wb_after(reader->tree, node);
}

void tn_wb_read_routes(struct tn_wb_module_reader *reader)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = 1; i < tree->count && !reader->failed;) {
		uint32_t next = i + 1;

		switch (tn_wb_kind(tree, i)) {
		case TN_WB_DECLARATOR:
			read_variable(reader, i);
			break;
		case TN_WB_EXPORT:
			read_default(reader, i);
			break;
		case TN_WB_CALL:
			read_call(reader, i);
			break;
		case TN_WB_JSX_ELEMENT:
		case TN_WB_JSX_SELF_CLOSING:
			next = read_element(reader, i);
			break;
		default:
			break;
		}
		i = next;
	}
}
