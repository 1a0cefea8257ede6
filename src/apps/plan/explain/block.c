/* block.c - what an attribute is worth before and afterwards, and the attributes around it. */
#include "apps/plan/explain/block.h"

bool tn_plan_value_is_readable(const struct tn_plan_value *value)
{
	return value->kind == TN_PLAN_VALUE_STRING || value->kind == TN_PLAN_VALUE_NUMBER ||
	       value->kind == TN_PLAN_VALUE_BOOL;
}

bool tn_plan_side_text(const struct tn_plan_attribute *attribute, enum tn_plan_side side,
		       struct tn_str *ret)
{
	const struct tn_plan_value *value =
		side == TN_PLAN_AFTER ? &attribute->after : &attribute->before;

	/* What stays is told once. */
	if (attribute->change == TN_PLAN_ATTR_UNCHANGED && !tn_plan_value_is_readable(value))
		value = side == TN_PLAN_AFTER ? &attribute->before : &attribute->after;
	if (side == TN_PLAN_AFTER &&
	    (attribute->change == TN_PLAN_ATTR_REMOVE || attribute->unknown))
		return false;
	if (!tn_plan_value_is_readable(value))
		return false;
	*ret = value->text;
	return true;
}

struct tn_plan_block tn_plan_block_whole(const struct tn_plan_entry *entry)
{
	const struct tn_plan_attribute *items = entry->attributes.items;

	/* An entry without attributes has no array that an offset could be added to. */
	return (struct tn_plan_block){items, items ? items + entry->attributes.count : items,
				      TN_STR("")};
}

struct tn_plan_block tn_plan_block_around(const struct tn_plan_entry *entry,
					  const struct tn_plan_attribute *of, struct tn_str owner)
{
	struct tn_plan_block whole = tn_plan_block_whole(entry);
	struct tn_plan_block block = {of, of + 1, owner};

	if (owner.size == 0)
		return whole;
	while (block.first > whole.first && tn_str_starts(block.first[-1].path, owner))
		block.first--;
	while (block.end < whole.end && tn_str_starts(block.end->path, owner))
		block.end++;
	return block;
}

const struct tn_plan_attribute *tn_plan_block_get(const struct tn_plan_block *block,
						  const char *name)
{
	for (const struct tn_plan_attribute *at = block->first; at < block->end; at++)
		if (tn_str_is(tn_str_from_offset(at->path, block->owner.size), name))
			return at;
	return NULL;
}

bool tn_plan_block_says(const struct tn_plan_block *block, enum tn_plan_side side, const char *name,
			const char *word)
{
	const struct tn_plan_attribute *attribute = tn_plan_block_get(block, name);
	struct tn_str text;

	return attribute && tn_plan_side_text(attribute, side, &text) &&
	       tn_str_equal_nocase(text, tn_str_from(word));
}
