#include "apps/workbench/source/module.h"

#include "apps/workbench/limits.h"
#include "apps/workbench/source/module_reader.h"
#include "base/mem.h"

/* ---- imports ---- */

static void add_import(struct tn_wb_module_reader *reader, struct tn_str local, struct tn_str name,
		       struct tn_str specifier)
{
	struct tn_wb_module *module = reader->module;
	struct tn_wb_import *list = tn_wb_grow(reader, module->imports, module->import_count,
					       &reader->imports, sizeof(*list));

	if (!list)
		return;
	module->imports = list;
	list[module->import_count].local = tn_wb_keep(reader, local);
	list[module->import_count].name = tn_wb_keep(reader, name);
	list[module->import_count++].specifier = specifier;
}

static void read_named_imports(struct tn_wb_module_reader *reader, uint32_t node,
			       struct tn_str specifier)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = tn_wb_first(tree, node); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		uint32_t name = tn_wb_child(tree, i, TN_WB_FIELD_NAME);
		uint32_t alias = tn_wb_child(tree, i, TN_WB_FIELD_ALIAS);

		if (tn_wb_kind(tree, i) != TN_WB_IMPORT_SPECIFIER || name == TN_WB_NO_NODE ||
		    tn_wb_child_of_kind(tree, i, TN_WB_TYPE_WORD) != TN_WB_NO_NODE)
			continue;
		add_import(reader, tn_wb_text(tree, alias == TN_WB_NO_NODE ? name : alias),
			   tn_wb_text(tree, name), specifier);
	}
}

static void read_import(struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t clause = tn_wb_child_of_kind(tree, node, TN_WB_IMPORT_CLAUSE);
	struct tn_str specifier;

	if (!tn_wb_keep_literal(reader, tn_wb_child(tree, node, TN_WB_FIELD_SOURCE), &specifier))
		return;
	/* Of types alone, too: routes that stand apart need no more of the router (G14). */
	reader->module->has_router = reader->module->has_router ||
				     tn_str_is(specifier, "react-router") ||
				     tn_str_is(specifier, "react-router-dom");
	if (tn_wb_child_of_kind(tree, node, TN_WB_TYPE_WORD) != TN_WB_NO_NODE)
		return;
	for (uint32_t i = tn_wb_first(tree, clause); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		switch (tn_wb_kind(tree, i)) {
		case TN_WB_IDENTIFIER:
			add_import(reader, tn_wb_text(tree, i), TN_STR("default"), specifier);
			break;
		case TN_WB_NAMESPACE_IMPORT:
			add_import(reader,
				   tn_wb_text(tree, tn_wb_child_of_kind(tree, i, TN_WB_IDENTIFIER)),
				   TN_STR("*"), specifier);
			break;
		case TN_WB_NAMED_IMPORTS:
			read_named_imports(reader, i, specifier);
			break;
		default:
			break;
		}
	}
}

/* ---- declarations ---- */

/* A class that renders: another one's instances are not for wrapping. */
static bool is_rendering_class(const struct tn_wb_tree *tree, uint32_t node)
{
	uint32_t body = tn_wb_child(tree, node, TN_WB_FIELD_BODY);

	if (tn_wb_child_of_kind(tree, node, TN_WB_CLASS_HERITAGE) == TN_WB_NO_NODE)
		return false;
	for (uint32_t i = tn_wb_first(tree, body); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		uint32_t name = tn_wb_child(tree, i, TN_WB_FIELD_NAME);

		if (tn_str_is(tn_wb_text(tree, name), "render"))
			return true;
	}
	return false;
}

/* R14: a function, a class, or what is initialised by a function, memo(...) or forwardRef(...). */
static bool has_form(const struct tn_wb_tree *tree, uint32_t value)
{
	enum tn_wb_syntax_kind kind = tn_wb_kind(tree, value);

	return tn_wb_is_function(kind) || tn_wb_wrapped(tree, value) != TN_WB_NO_NODE ||
	       (tn_wb_is_class(kind) && is_rendering_class(tree, value));
}

/* The name written in `function X`, `class X`, memo(function X ...). */
static struct tn_str declared_name(const struct tn_wb_tree *tree, uint32_t value)
{
	uint32_t inner = tn_wb_wrapped(tree, value);

	for (int depth = 0; inner != TN_WB_NO_NODE && depth < 8; depth++) {
		value = inner;
		inner = tn_wb_wrapped(tree, value);
	}
	return tn_wb_text(tree, tn_wb_child(tree, value, TN_WB_FIELD_NAME));
}

static void add_unit(struct tn_wb_module_reader *reader, struct tn_str name, uint32_t name_node,
		     uint32_t value)
{
	struct tn_wb_module *module = reader->module;
	struct tn_wb_unit *list = tn_wb_grow(reader, module->units, module->unit_count,
					     &reader->units, sizeof(*list));
	struct tn_wb_unit *unit;

	if (!list)
		return;
	module->units = list;
	unit = &list[module->unit_count];
	unit->name = tn_wb_keep(reader, name);
	unit->shown = tn_wb_keep(reader, declared_name(reader->tree, value));
	unit->is_component = has_form(reader->tree, value);
	unit->at = tn_wb_position_of(reader, name_node);
	reader->unit_values[module->unit_count] = value;
	if (!tn_wb_is_capital(name) && tn_map_put(&reader->helpers, name, reader, NULL) != TENON_OK)
		reader->failed = true;
	module->unit_count++;
}

static void remember_type(struct tn_wb_module_reader *reader, uint32_t node)
{
	struct tn_str name =
		tn_wb_text(reader->tree, tn_wb_child(reader->tree, node, TN_WB_FIELD_NAME));

	if (name.size > 0 && !tn_map_get(&reader->declared, name) &&
	    tn_map_put(&reader->declared, name, (void *)(uintptr_t)(node + 1), NULL) != TENON_OK)
		reader->failed = true;
}

static void add_export(struct tn_wb_module_reader *reader, const struct tn_wb_export *export)
{
	struct tn_wb_module *module = reader->module;
	struct tn_wb_export *list = tn_wb_grow(reader, module->exports, module->export_count,
					       &reader->exports, sizeof(*list));

	if (!list)
		return;
	module->exports = list;
	list[module->export_count] = *export;
	list[module->export_count].name = tn_wb_keep(reader, export->name);
	list[module->export_count].local = tn_wb_keep(reader, export->local);
	list[module->export_count++].passed_on = tn_wb_keep(reader, export->passed_on);
}

/* A function, a class, or one variable; patterns are none. */
static void read_binding(struct tn_wb_module_reader *reader, uint32_t node, uint32_t value,
			 bool is_export)
{
	uint32_t name = tn_wb_child(reader->tree, node, TN_WB_FIELD_NAME);
	struct tn_str text = tn_wb_text(reader->tree, name);

	if (text.size == 0 || text.size > TN_WB_NAME_BYTES_MAX || text.data[0] == '{' ||
	    text.data[0] == '[')
		return;
	add_unit(reader, text, name, tn_wb_bare(reader->tree, value));
	if (is_export)
		add_export(reader, &(struct tn_wb_export){.name = text,
							  .local = text,
							  .at = tn_wb_position_of(reader, name)});
}

/* A declaration of the module: units, types, and with `is_export` exports of the same names. */
static void read_declaration(struct tn_wb_module_reader *reader, uint32_t node, bool is_export)
{
	const struct tn_wb_tree *tree = reader->tree;
	enum tn_wb_syntax_kind kind = tn_wb_kind(tree, node);

	if (kind == TN_WB_INTERFACE || kind == TN_WB_TYPE_ALIAS)
		remember_type(reader, node);
	if (tn_wb_is_function(kind) || tn_wb_is_class(kind))
		read_binding(reader, node, node, is_export);
	if (kind != TN_WB_LEXICAL && kind != TN_WB_VARIABLES)
		return;
	for (uint32_t i = tn_wb_first(tree, node); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i))
		if (tn_wb_kind(tree, i) == TN_WB_DECLARATOR)
			read_binding(reader, i, tn_wb_child(tree, i, TN_WB_FIELD_VALUE), is_export);
}

/* ---- exports ---- */

static void read_export_list(struct tn_wb_module_reader *reader, uint32_t clause,
			     struct tn_str specifier)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = tn_wb_first(tree, clause); i != TN_WB_NO_NODE; i = tn_wb_next(tree, i)) {
		struct tn_str name = tn_wb_text(tree, tn_wb_child(tree, i, TN_WB_FIELD_NAME));
		uint32_t alias = tn_wb_child(tree, i, TN_WB_FIELD_ALIAS);

		if (tn_wb_kind(tree, i) != TN_WB_EXPORT_SPECIFIER || name.size == 0 ||
		    tn_wb_child_of_kind(tree, i, TN_WB_TYPE_WORD) != TN_WB_NO_NODE)
			continue;
		add_export(reader,
			   &(struct tn_wb_export){
				   .name = alias == TN_WB_NO_NODE ? name : tn_wb_text(tree, alias),
				   .local = specifier.size ? tn_str("", 0) : name,
				   .passed_on = specifier.size ? name : tn_str("", 0),
				   .specifier = specifier,
				   .at = tn_wb_position_of(reader, i),
			   });
	}
}

static void read_star(struct tn_wb_module_reader *reader, uint32_t node, struct tn_str specifier)
{
	const struct tn_wb_tree *tree = reader->tree;
	struct tn_wb_module *module = reader->module;
	uint32_t named = tn_wb_child_of_kind(tree, node, TN_WB_NAMESPACE_EXPORT);
	struct tn_str *list;

	if (named != TN_WB_NO_NODE) {
		add_export(reader,
			   &(struct tn_wb_export){
				   .name = tn_wb_text(tree, tn_wb_child_of_kind(tree, named,
										TN_WB_IDENTIFIER)),
				   .passed_on = TN_STR("*"),
				   .specifier = specifier,
				   .at = tn_wb_position_of(reader, named)});
		return;
	}
	if (tn_wb_child_of_kind(tree, node, TN_WB_STAR) == TN_WB_NO_NODE)
		return;
	list = tn_wb_grow(reader, module->stars, module->star_count, &reader->stars, sizeof(*list));
	if (!list)
		return;
	module->stars = list;
	list[module->star_count++] = specifier;
}

/* export default X; of a name it is that binding, of anything else a unit of its own. */
static void read_default(struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t written = tn_wb_child(tree, node, TN_WB_FIELD_DECLARATION);
	struct tn_wb_export export = {.name = TN_STR("default")};
	uint32_t value, name;

	if (written == TN_WB_NO_NODE)
		written = tn_wb_child(tree, node, TN_WB_FIELD_VALUE);
	value = tn_wb_bare(tree, written);
	if (value == TN_WB_NO_NODE || tn_wb_kind(tree, value) == TN_WB_INTERFACE)
		return;
	name = tn_wb_child(tree, value, TN_WB_FIELD_NAME);
	export.at = tn_wb_position_of(reader, name == TN_WB_NO_NODE ? value : name);
	if (tn_wb_kind(tree, value) == TN_WB_IDENTIFIER) {
		export.local = tn_wb_text(tree, value);
	} else if (tn_wb_child(tree, node, TN_WB_FIELD_DECLARATION) != TN_WB_NO_NODE &&
		   name != TN_WB_NO_NODE) {
		read_declaration(reader, value, false);
		export.local = tn_wb_text(tree, name);
	} else {
		export.local = TN_STR(TN_WB_DEFAULT_UNIT);
		add_unit(reader, export.local, name == TN_WB_NO_NODE ? value : name, value);
	}
	add_export(reader, &export);
}

static void read_export(struct tn_wb_module_reader *reader, uint32_t node)
{
	const struct tn_wb_tree *tree = reader->tree;
	uint32_t clause = tn_wb_child_of_kind(tree, node, TN_WB_EXPORT_CLAUSE);
	struct tn_str specifier = {0};
	bool is_from =
		tn_wb_keep_literal(reader, tn_wb_child(tree, node, TN_WB_FIELD_SOURCE), &specifier);

	if (tn_wb_child_of_kind(tree, node, TN_WB_DEFAULT) != TN_WB_NO_NODE)
		read_default(reader, node);
	else if (tn_wb_child_of_kind(tree, node, TN_WB_TYPE_WORD) != TN_WB_NO_NODE)
		return;
	else if (clause != TN_WB_NO_NODE)
		read_export_list(reader, clause, specifier);
	else if (is_from)
		read_star(reader, node, specifier);
	else
		read_declaration(reader, tn_wb_child(tree, node, TN_WB_FIELD_DECLARATION), true);
}

/* ---- the module ---- */

/* Where something did not parse, what follows may lie inside of it. */
static void read_statements(struct tn_wb_module_reader *reader)
{
	const struct tn_wb_tree *tree = reader->tree;

	for (uint32_t i = 1; i < tree->count && !reader->failed;) {
		bool is_top = tree->nodes[i].parent == 0;
		enum tn_wb_syntax_kind kind = tn_wb_kind(tree, i);

		if (kind == TN_WB_IMPORT)
			read_import(reader, i);
		else if (kind == TN_WB_EXPORT)
			read_export(reader, i);
		else if (is_top)
			read_declaration(reader, i, false);
		i = tree->is_broken ? i + 1 : tn_wb_after(tree, i);
	}
}

static void read_units(struct tn_wb_module_reader *reader)
{
	const struct tn_wb_tree *tree = reader->tree;
	struct tn_wb_module *module = reader->module;

	for (uint32_t i = 0; i < module->unit_count && !reader->failed; i++) {
		uint32_t value = reader->unit_values[i];

		module->units[i].use_first = module->use_count;
		module->units[i].prop_first = module->prop_count;
		tn_wb_begin_uses(reader);
		if (value != TN_WB_NO_NODE)
			tn_wb_read_uses(reader, value, tn_wb_after(tree, value));
		if (module->units[i].is_component)
			tn_wb_read_props(reader, i);
		module->units[i].use_count = module->use_count - module->units[i].use_first;
		module->units[i].prop_count = module->prop_count - module->units[i].prop_first;
	}
}

static void note_fault(struct tn_wb_module *module, const struct tn_wb_tree *tree)
{
	module->is_broken = tree->is_broken;
	module->broken_line = tree->is_broken ? 1 : 0;
	for (uint32_t i = 0; i < tree->count; i++) {
		if (tree->nodes[i].kind != TN_WB_BROKEN)
			continue;
		module->broken_line = tn_wb_tree_position(tree, tree->nodes[i].start).line;
		return;
	}
}

static enum tenon_code read_tree(const struct tn_wb_tree *tree, struct tn_wb_module *module,
				 struct tenon_error *err)
{
	struct tn_wb_module_reader reader = {.tree = tree, .module = module};
	enum tenon_code code = TENON_OK;

	tn_map_init(&reader.declared);
	tn_map_init(&reader.helpers);
	tn_map_init(&reader.seen);
	reader.unit_values = tn_mem_alloc_array(TN_WB_LIST_MAX, sizeof(uint32_t));
	if (reader.unit_values) {
		read_statements(&reader);
		read_units(&reader);
		tn_wb_read_routes(&reader);
		note_fault(module, tree);
	}
	if (!reader.unit_values || module->arena.starved)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	else if (reader.failed)
		code = tn_fail(err, TENON_LIMIT, "it declares more than can be kept");
	tn_map_finish(&reader.declared);
	tn_map_finish(&reader.helpers);
	tn_map_finish(&reader.seen);
	tn_mem_free(reader.unit_values);
	return code;
}

enum tenon_code tn_wb_module_read(struct tn_wb_reader *reader, struct tn_str path,
				  struct tn_str text, struct tn_wb_module *ret,
				  struct tenon_error *err)
{
	struct tn_wb_module module = {0};
	struct tn_wb_tree tree = {0};
	enum tenon_code code = tn_wb_tree_parse(reader, tn_wb_language_of(path), text, &tree, err);

	if (code != TENON_OK)
		return code;
	tn_arena_init(&module.arena, TN_WB_MODULE_BYTES_MAX);
	code = read_tree(&tree, &module, err);
	tn_wb_tree_finish(&tree);
	if (code != TENON_OK)
		tn_wb_module_finish(&module);
	else
		*ret = module;
	return code;
}

void tn_wb_module_finish(struct tn_wb_module *module)
{
	tn_arena_finish(&module->arena);
	*module = (struct tn_wb_module){0};
}
