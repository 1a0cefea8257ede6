/* rule_index.c - which rules are about a program (rule.h). */
#include "apps/terminal/policy/rule_fit.h"

#include "apps/terminal/policy/paths.h"
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

bool tn_rule_name_fits(const struct tn_rule_texts *texts, const struct tn_simple_command *c)
{
	unsigned char first = c->name.size ? (unsigned char)c->name.data[0] : 0;
	bool may_begin = texts->first[first / 64] >> (first % 64) & 1, is_glob;

	/* Most rules end here. */
	if (!may_begin && (!c->name_is_glob || tn_is_alpha((char)first)))
		return false;
	/* A pattern below /usr/bin may be sudo; one that begins with a dot is a script here. */
	is_glob = c->name_is_glob && !tn_str_starts(c->path, TN_STR("."));
	if (!may_begin && !is_glob)
		return false;
	if (tn_str_starts(c->path, TN_STR("/etc/passwd")))
		return false; /* a file of that name is no program */
	for (size_t i = 0; i < texts->count; i++) {
		if (!is_glob && tn_name_differs_at_once(texts->items[i], c->name))
			continue;
		if (tn_name_fits(texts->items[i], c->name, is_glob))
			return true;
	}
	return false;
}
