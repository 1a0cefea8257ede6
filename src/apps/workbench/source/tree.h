/* tree.h - a source file as a tree, its positions, and what is asked of nodes.
 *
 * Nodes stand in an array in the order of the text: the inside of node n are the nodes n + 1 up to,
 * not with, nodes[n].after. A node is named by its index; TN_WB_NO_NODE is none, and every question
 * about none is answered with none. Offsets are bytes, lines and columns count from 1, columns in
 * UTF-16 units (workbench.md section 5).
 *
 * Files that do not parse give what could be read; is_broken says so. Ownership: a tree has its own
 * nodes, the text is the caller's. Threads: a reader one at a time. */
#ifndef TN_WB_SOURCE_TREE_H
#define TN_WB_SOURCE_TREE_H

#include "apps/workbench/source/parser_plugin.h"

#define TN_WB_NO_NODE UINT32_MAX

/* ---- reading ---- */

struct tn_wb_reader;
/* `folder`: where the plug-in lies; NULL: the usual places.
 * Fails: NOT_FOUND (it is not installed), SYSTEM, INTERNAL, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_reader_open(const char *folder, struct tn_wb_reader **ret,
					      struct tenon_error *err);
void tn_wb_reader_close(struct tn_wb_reader *reader); /* accepts NULL */

struct tn_wb_tree {
	struct tn_str text; /* as given */
	struct tn_wb_syntax_node *nodes;
	uint32_t count;
	bool is_broken, is_cut;
	uint32_t *lines; /* where each begins */
	uint32_t line_count;
};
/* By the name's ending: .ts, .mts and .cts are TypeScript, all others TSX, which JavaScript is part
 * of. */
enum tn_wb_language tn_wb_language_of(struct tn_str path);
/* Fails: LIMIT (2 MiB, time, memory), NO_MEMORY. On failure there is nothing to finish. */
TN_MUST_USE enum tenon_code tn_wb_tree_parse(struct tn_wb_reader *reader,
					     enum tn_wb_language language, struct tn_str text,
					     struct tn_wb_tree *ret, struct tenon_error *err);
void tn_wb_tree_finish(struct tn_wb_tree *tree);

/* ---- positions ---- */

struct tn_wb_position {
	uint32_t line, column;
};
struct tn_wb_position tn_wb_tree_position(const struct tn_wb_tree *tree, uint32_t offset);
/* False: the text has no such place. */
bool tn_wb_tree_offset(const struct tn_wb_tree *tree, struct tn_wb_position position,
		       uint32_t *ret);

/* ---- nodes ---- */

static inline enum tn_wb_syntax_kind tn_wb_kind(const struct tn_wb_tree *tree, uint32_t node)
{
	return node == TN_WB_NO_NODE ? TN_WB_OTHER : (enum tn_wb_syntax_kind)tree->nodes[node].kind;
}
static inline struct tn_str tn_wb_text(const struct tn_wb_tree *tree, uint32_t node)
{
	const struct tn_wb_syntax_node *at = node == TN_WB_NO_NODE ? NULL : &tree->nodes[node];

	return at ? tn_str(tree->text.data + at->start, at->end - at->start) : tn_str("", 0);
}
/* The first child, and the one after `child`; none behind the last. */
uint32_t tn_wb_first(const struct tn_wb_tree *tree, uint32_t node);
uint32_t tn_wb_next(const struct tn_wb_tree *tree, uint32_t child);
uint32_t tn_wb_parent(const struct tn_wb_tree *tree, uint32_t node);
uint32_t tn_wb_child(const struct tn_wb_tree *tree, uint32_t node, enum tn_wb_syntax_field field);
uint32_t tn_wb_child_of_kind(const struct tn_wb_tree *tree, uint32_t node,
			     enum tn_wb_syntax_kind kind);
/* The first node behind this one's inside, or the tree's count. */
static inline uint32_t tn_wb_after(const struct tn_wb_tree *tree, uint32_t node)
{
	return node == TN_WB_NO_NODE ? 0 : tree->nodes[node].after;
}
/* The expression without parentheses, `as`, `satisfies` and `!` around it. */
uint32_t tn_wb_bare(const struct tn_wb_tree *tree, uint32_t node);
/* What a string literal, or a template without substitutions, says; false: it is none, or longer
 * than the buffer. Lives in `out`. */
bool tn_wb_literal(const struct tn_wb_tree *tree, uint32_t node, char *out, size_t size,
		   struct tn_str *ret);

#endif
