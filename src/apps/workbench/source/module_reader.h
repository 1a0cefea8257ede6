/* module_reader.h - the inside of reading a module, for the files module_*.c: they go over one tree
 * and add to one module.
 *
 * What is added is copied into the module's arena. A refusal sets `failed`; adding then does
 * nothing, and the maker looks once at the end. Threads: one at a time. */
#ifndef TN_WB_SOURCE_MODULE_READER_H
#define TN_WB_SOURCE_MODULE_READER_H

#include "apps/workbench/source/module.h"
#include "base/map.h"

/* A list of a module while it grows. */
struct tn_wb_growing {
	uint32_t capacity;
};
struct tn_wb_module_reader {
	const struct tn_wb_tree *tree;
	struct tn_wb_module *module;
	uint32_t *unit_values;  /* what each unit is: a function, a class, an expression */
	struct tn_map declared; /* types of the module by name: node + 1 */
	struct tn_map helpers;  /* units with small letters */
	struct tn_map seen;     /* uses of the unit at hand */
	uint64_t work;          /* nodes looked at for uses */
	uint32_t steps;         /* types looked at for one component */
	struct tn_wb_growing imports, exports, stars, units, uses, props, routes, trees,
		named_trees;
	bool failed;
};

/* Room for one more; NULL: refused. `items` is the list's pointer. */
void *tn_wb_grow(struct tn_wb_module_reader *reader, void *items, uint32_t count,
		 struct tn_wb_growing *growing, size_t size);
/* A copy in the arena; empty when refused. */
struct tn_str tn_wb_keep(struct tn_wb_module_reader *reader, struct tn_str text);
struct tn_wb_position tn_wb_position_of(const struct tn_wb_module_reader *reader, uint32_t node);
/* The text of a string literal, kept; false: it is none. */
bool tn_wb_keep_literal(struct tn_wb_module_reader *reader, uint32_t node, struct tn_str *ret);
bool tn_wb_is_capital(struct tn_str name);
/* Whether the node is a function: a declaration, an expression, an arrow. */
bool tn_wb_is_function(enum tn_wb_syntax_kind kind);
bool tn_wb_is_class(enum tn_wb_syntax_kind kind);
/* Of `f` and of `a.f`: "f". */
struct tn_str tn_wb_last_name(const struct tn_wb_tree *tree, uint32_t node);
/* The first argument of memo(...) and forwardRef(...); none when it is no such call. */
uint32_t tn_wb_wrapped(const struct tn_wb_tree *tree, uint32_t node);

/* ---- module_use.c ---- */

/* `Card`, or `UI.Card`; of deeper ones only the first two names can be followed. */
bool tn_wb_split_name(const struct tn_wb_tree *tree, uint32_t node, struct tn_str *ret_name,
		      struct tn_str *ret_member);
/* Whether the name is, at this node, that of something declared in a function around it. */
bool tn_wb_is_hidden_at(const struct tn_wb_tree *tree, uint32_t node, struct tn_str name);

/* Adds what the nodes from `first` up to, not with, `end` render. */
void tn_wb_read_uses(struct tn_wb_module_reader *reader, uint32_t first, uint32_t end);
/* Adds what an expression names: `Home`, `pages.Home`, `import("./home")`. */
void tn_wb_read_named_use(struct tn_wb_module_reader *reader, uint32_t node);
/* Adds what it loads late; an export of another name than "default" is `usual`. */
void tn_wb_read_late_uses(struct tn_wb_module_reader *reader, uint32_t first, uint32_t end,
			  const char *usual);
/* Begins another list of uses. */
void tn_wb_begin_uses(struct tn_wb_module_reader *reader);

/* ---- module_props.c ---- */

/* Adds the props of a component: of the type of its first parameter. */
void tn_wb_read_props(struct tn_wb_module_reader *reader, uint32_t unit);

/* ---- module_route.c ---- */

void tn_wb_read_routes(struct tn_wb_module_reader *reader);

#endif
