/* risk_block.c - what an attribute is worth afterwards, and the attributes around it. */
#include "apps/plan/explain/risk_rules.h"

bool tn_plan_risk_is_readable(const struct tn_plan_value *value)
{
	return value->kind == TN_PLAN_VALUE_STRING || value->kind == TN_PLAN_VALUE_NUMBER ||
	       value->kind == TN_PLAN_VALUE_BOOL;
}

bool tn_plan_risk_after(const struct tn_plan_attribute *attribute, struct tn_str *ret)
{
	const struct tn_plan_value *value = &attribute->after;

	if (attribute->change == TN_PLAN_ATTR_UNCHANGED && !tn_plan_risk_is_readable(value))
		value = &attribute->before;
	if (attribute->change == TN_PLAN_ATTR_REMOVE || attribute->unknown ||
	    !tn_plan_risk_is_readable(value))
		return false;
	*ret = value->text;
	return true;
}

struct tn_plan_block tn_plan_risk_block(const struct tn_plan_risks *risks,
					const struct tn_plan_attribute *of, struct tn_str owner)
{
	const struct tn_plan_attribute *items = risks->entry->attributes.items;
	const struct tn_plan_attribute *end = items + risks->entry->attributes.count;
	struct tn_plan_block block = {of, of + 1, owner};

	if (owner.size == 0)
		return (struct tn_plan_block){items, end, owner};
	while (block.first > items && tn_str_starts(block.first[-1].path, owner))
		block.first--;
	while (block.end < end && tn_str_starts(block.end->path, owner))
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

bool tn_plan_block_says(const struct tn_plan_block *block, const char *name, const char *word)
{
	const struct tn_plan_attribute *attribute = tn_plan_block_get(block, name);
	struct tn_str text;

	return attribute && tn_plan_risk_after(attribute, &text) &&
	       tn_str_equal_nocase(text, tn_str_from(word));
}
