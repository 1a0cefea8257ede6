/* source_fuzz.c - any text as a source file: what is known of it hangs together, and nothing is
 * reached that is not there. A text that begins with "//ts" is TypeScript, any other TSX. */
#include <stdint.h>

#include "apps/workbench/source/module.h"
#include "source_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tree(const struct tn_wb_tree *tree)
{
	tn_assert(tree->count > 0 && tree->nodes[0].after == tree->count);
	for (uint32_t i = 1; i < tree->count; i++) {
		const struct tn_wb_syntax_node *node = &tree->nodes[i], *parent;

		tn_assert(node->parent < i && node->after > i && node->after <= tree->count);
		parent = &tree->nodes[node->parent];
		tn_assert(node->after <= parent->after && node->start <= node->end);
		tn_assert(node->end <= tree->text.size);
	}
}

static void check_position(const struct tn_wb_tree *tree, uint32_t offset)
{
	struct tn_wb_position at = tn_wb_tree_position(tree, offset);

	tn_assert(at.line > 0 && at.column > 0 && at.line <= tree->line_count);
}

static void check_module(const struct tn_wb_module *module)
{
	for (uint32_t i = 0; i < module->unit_count; i++) {
		const struct tn_wb_unit *unit = &module->units[i];

		tn_assert(unit->use_first + unit->use_count <= module->use_count);
		tn_assert(unit->prop_first + unit->prop_count <= module->prop_count);
		tn_assert(tn_wb_module_unit(module, unit->name) <= i);
	}
	for (uint32_t i = 0; i < module->route_count; i++)
		tn_assert(module->routes[i].parent == TN_WB_NONE || module->routes[i].parent < i);
	for (uint32_t i = 0; i < module->tree_count; i++)
		tn_assert(module->trees[i].first + module->trees[i].count <= module->route_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_wb_reader *reader = source_reader();
	struct tn_str text = tn_str((const char *)data, size);
	struct tn_str path = tn_str_starts(text, TN_STR("//ts")) ? TN_STR("a.ts") : TN_STR("a.tsx");
	struct tn_wb_module module = {0};
	struct tn_wb_tree tree = {0};

	if (!reader)
		return 0;
	if (tn_wb_tree_parse(reader, tn_wb_language_of(path), text, &tree, NULL) == TENON_OK) {
		check_tree(&tree);
		check_position(&tree, (uint32_t)size);
		check_position(&tree, (uint32_t)size / 2);
		tn_wb_tree_finish(&tree);
	}
	if (tn_wb_module_read(reader, path, text, &module, NULL) == TENON_OK) {
		check_module(&module);
		tn_wb_module_finish(&module);
	}
	return 0;
}
