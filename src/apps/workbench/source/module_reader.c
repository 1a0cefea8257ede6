#include "apps/workbench/source/module_reader.h"

#include "apps/workbench/limits.h"

/* ---- what the files module_*.c share ---- */

void *tn_wb_grow(struct tn_wb_module_reader *reader, void *items, uint32_t count,
		 struct tn_wb_growing *growing, size_t size)
{
	uint32_t capacity = growing->capacity ? growing->capacity * 2 : 8;
	void *fresh;

	if (reader->failed)
		return NULL;
	if (count < growing->capacity)
		return items;
	if (capacity > TN_WB_LIST_MAX) {
		reader->failed = true;
		return NULL;
	}
	fresh = tn_arena_alloc_array(&reader->module->arena, capacity, size);
	reader->failed = !fresh;
	if (!fresh)
		return NULL;
	if (count)
		memcpy(fresh, items, count * size);
	growing->capacity = capacity;
	return fresh;
}

struct tn_str tn_wb_keep(struct tn_wb_module_reader *reader, struct tn_str text)
{
	char *copy = reader->failed ? NULL : tn_arena_copy(&reader->module->arena, text);

	reader->failed = !copy;
	return copy ? tn_str(copy, text.size) : tn_str("", 0);
}

struct tn_wb_position tn_wb_position_of(const struct tn_wb_module_reader *reader, uint32_t node)
{
	return tn_wb_tree_position(reader->tree, reader->tree->nodes[node].start);
}

bool tn_wb_keep_literal(struct tn_wb_module_reader *reader, uint32_t node, struct tn_str *ret)
{
	char room[TN_WB_TEXT_BYTES_MAX];

	if (!tn_wb_literal(reader->tree, node, room, sizeof(room), ret))
		return false;
	*ret = tn_wb_keep(reader, *ret);
	return true;
}

bool tn_wb_is_capital(struct tn_str name)
{
	return name.size > 0 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

bool tn_wb_is_function(enum tn_wb_syntax_kind kind)
{
	return kind == TN_WB_FUNCTION || kind == TN_WB_GENERATOR || kind == TN_WB_FUNCTION_VALUE ||
	       kind == TN_WB_GENERATOR_VALUE || kind == TN_WB_ARROW;
}

bool tn_wb_is_class(enum tn_wb_syntax_kind kind)
{
	return kind == TN_WB_CLASS || kind == TN_WB_ABSTRACT_CLASS || kind == TN_WB_CLASS_VALUE;
}

struct tn_str tn_wb_last_name(const struct tn_wb_tree *tree, uint32_t node)
{
	node = tn_wb_bare(tree, node);
	if (tn_wb_kind(tree, node) == TN_WB_MEMBER)
		node = tn_wb_child(tree, node, TN_WB_FIELD_PROPERTY);
	return tn_wb_kind(tree, node) == TN_WB_IDENTIFIER ||
			       tn_wb_kind(tree, node) == TN_WB_PROPERTY
		       ? tn_wb_text(tree, node)
		       : tn_str("", 0);
}

uint32_t tn_wb_wrapped(const struct tn_wb_tree *tree, uint32_t node)
{
	struct tn_str name;

	if (tn_wb_kind(tree, node) != TN_WB_CALL)
		return TN_WB_NO_NODE;
	name = tn_wb_last_name(tree, tn_wb_child(tree, node, TN_WB_FIELD_FUNCTION));
	if (!tn_str_is(name, "memo") && !tn_str_is(name, "forwardRef"))
		return TN_WB_NO_NODE;
	return tn_wb_bare(tree, tn_wb_first(tree, tn_wb_child(tree, node, TN_WB_FIELD_ARGUMENTS)));
}

/* ---- looking up ---- */

const struct tn_wb_import *tn_wb_module_import(const struct tn_wb_module *module,
					       struct tn_str local)
{
	for (uint32_t i = 0; i < module->import_count; i++)
		if (tn_str_equal(module->imports[i].local, local))
			return &module->imports[i];
	return NULL;
}

const struct tn_wb_export *tn_wb_module_export(const struct tn_wb_module *module,
					       struct tn_str name)
{
	for (uint32_t i = 0; i < module->export_count; i++)
		if (tn_str_equal(module->exports[i].name, name))
			return &module->exports[i];
	return NULL;
}

uint32_t tn_wb_module_unit(const struct tn_wb_module *module, struct tn_str name)
{
	for (uint32_t i = 0; i < module->unit_count; i++)
		if (tn_str_equal(module->units[i].name, name))
			return i;
	return TN_WB_NONE;
}
