/* block.h - an entry's attributes before and after the change, and the blocks that they stand in.
 *
 * Threads: any; slices and pointers are the entry's. */
#ifndef TN_PLAN_BLOCK_H
#define TN_PLAN_BLOCK_H

#include "apps/plan/read/model.h"

enum tn_plan_side { TN_PLAN_BEFORE, TN_PLAN_AFTER };

/* One text, number or switch. */
bool tn_plan_value_is_readable(const struct tn_plan_value *value);

/* The attribute's value on that side as text, when it is known and readable. */
bool tn_plan_side_text(const struct tn_plan_attribute *attribute, enum tn_plan_side side,
		       struct tn_str *ret);

/* The attributes of one block, or the whole entry at the top: those around `of` whose paths start
 * with `owner`. Blocks stand together, so looking at them costs no more than their size. */
struct tn_plan_block {
	const struct tn_plan_attribute *first, *end;
	struct tn_str owner;
};
struct tn_plan_block tn_plan_block_whole(const struct tn_plan_entry *entry);
struct tn_plan_block tn_plan_block_around(const struct tn_plan_entry *entry,
					  const struct tn_plan_attribute *of, struct tn_str owner);

/* The attribute `name` of the block itself. NULL: none. */
const struct tn_plan_attribute *tn_plan_block_get(const struct tn_plan_block *block,
						  const char *name);

/* True when that attribute has this word on that side, whatever the case. */
bool tn_plan_block_says(const struct tn_plan_block *block, enum tn_plan_side side, const char *name,
			const char *word);

#endif
