/* rule_index.c - which rules can be about a program at all (rule.h). */
#include "apps/terminal/policy/rule.h"

#include "base/size.h"

static bool is_in_bucket(const struct tn_rule *rule, size_t bucket)
{
	if (!rule->command.given)
		return true;
	for (size_t c = bucket; c < 256; c += TN_RULE_BUCKETS) {
		if (rule->command.first[c / 64] >> (c % 64) & 1)
			return true;
	}
	return false;
}

enum tenon_code tn_rule_index_make(struct tn_rule_index *ret, struct tn_arena *arena,
				   const struct tn_rule *list, struct tenon_error *err)
{
	size_t count = 0, at = 0;
	const struct tn_rule **slots;

	for (const struct tn_rule *rule = list; rule; rule = rule->next)
		count++;
	slots = tn_arena_alloc_array(arena, (count + 1) * (TN_RULE_BUCKETS + 1), sizeof(*slots));
	if (!slots)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	ret->all = slots;
	for (const struct tn_rule *rule = list; rule; rule = rule->next)
		slots[at++] = rule;
	slots[at++] = NULL;
	for (size_t bucket = 0; bucket < TN_RULE_BUCKETS; bucket++) {
		ret->of[bucket] = slots + at;
		for (const struct tn_rule *rule = list; rule; rule = rule->next) {
			if (is_in_bucket(rule, bucket))
				slots[at++] = rule;
		}
		slots[at++] = NULL;
	}
	return TENON_OK;
}
