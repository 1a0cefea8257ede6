/* module.h - what is known of one source file once its tree is gone: what it imports and exports,
 * what it declares, what each declaration renders, what props a component takes, and routes.
 *
 * Everything lives in the module's own arena. Indexes into a list are TN_WB_NONE where there is
 * nothing. Threads: one at a time. */
#ifndef TN_WB_SOURCE_MODULE_H
#define TN_WB_SOURCE_MODULE_H

#include "apps/workbench/source/tree.h"
#include "base/arena.h"

#define TN_WB_NONE UINT32_MAX

/* import D, { a as b }, * as N from "x"; three of them. */
struct tn_wb_import {
	struct tn_str local, name; /* name: of the export, "default" or "*" */
	struct tn_str specifier;
};
/* Of the module's own, or passed on from another: `export { a as b } from "x"`. */
struct tn_wb_export {
	struct tn_str name;
	struct tn_str local;     /* the binding here; empty when it is passed on */
	struct tn_str passed_on; /* the name there, or "*" for all of it as one */
	struct tn_str specifier; /* empty: its own */
	struct tn_wb_position at;
};

/* What is rendered: <name>, <name.member>, or the export `name` of `specifier`, loaded late. */
struct tn_wb_use {
	struct tn_str name, member, specifier;
};

enum tn_wb_prop_kind {
	TN_WB_PROP_OPAQUE,
	TN_WB_PROP_STRING,
	TN_WB_PROP_NUMBER,
	TN_WB_PROP_BOOLEAN,
	TN_WB_PROP_SELECT,
	TN_WB_PROP_SLOT,
	TN_WB_PROP_CODE,
	TN_WB_PROP_JSON
};
struct tn_wb_source_prop {
	struct tn_str name;
	enum tn_wb_prop_kind kind;
	bool is_required;
	const struct tn_str *options; /* of a select */
	uint32_t option_count;
	bool has_standard;
	struct tn_str standard; /* what it is without being given: a text's content, else JSON */
};

/* A declaration of the module itself, or the expression that it exports by default. */
struct tn_wb_unit {
	struct tn_str name;  /* the binding; TN_WB_DEFAULT_UNIT */
	struct tn_str shown; /* its declared name; empty: none */
	bool is_component;   /* by its form (R14), whatever it is called */
	struct tn_wb_position at;
	uint32_t use_first, use_count, prop_first, prop_count;
};
#define TN_WB_DEFAULT_UNIT "*default*"

struct tn_wb_source_route {
	uint32_t parent; /* in the list; TN_WB_NONE at the top */
	struct tn_str id, path;
	bool has_id, has_path, is_index;
	bool is_odd; /* its path, or what its children are, is no literal */
	struct tn_wb_position at;
	uint32_t use_first, use_count;
};
/* An array of route objects, or a tree of <Route>: routes that stand together, parents first. */
struct tn_wb_route_tree {
	struct tn_str name; /* the variable, "default"; empty: it has none */
	bool is_sure;       /* by name, type, tag, or as an argument; else somebody must name it */
	uint32_t first, count;
};

struct tn_wb_module {
	struct tn_arena arena;
	bool is_broken;
	uint32_t broken_line;
	bool has_router; /* imports react-router or react-router-dom */
	struct tn_wb_import *imports;
	struct tn_wb_export *exports;
	struct tn_str *stars; /* export * from these */
	struct tn_wb_unit *units;
	struct tn_wb_use *uses;
	struct tn_wb_source_prop *props;
	struct tn_wb_source_route *routes;
	struct tn_wb_route_tree *trees;
	struct tn_str *named_trees; /* what createBrowserRouter and its kin are given by name */
	uint32_t import_count, export_count, star_count, unit_count, use_count, prop_count;
	uint32_t route_count, tree_count, named_tree_count;
};

/* Fails: LIMIT (as tn_wb_tree_parse; more is in it than an arena holds), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_module_read(struct tn_wb_reader *reader, struct tn_str path,
					      struct tn_str text, struct tn_wb_module *ret,
					      struct tenon_error *err);
void tn_wb_module_finish(struct tn_wb_module *module);

/* NULL: none of this name. */
const struct tn_wb_import *tn_wb_module_import(const struct tn_wb_module *module,
					       struct tn_str local);
const struct tn_wb_export *tn_wb_module_export(const struct tn_wb_module *module,
					       struct tn_str name);
uint32_t tn_wb_module_unit(const struct tn_wb_module *module, struct tn_str name);

#endif
