/* risk_expiry.c - RISK-DATA-EXPIRES: rules that delete what a store holds once it is old enough.
 *
 * What counts is what a rule deletes afterwards and did not before: sooner, or more of it. */
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

enum reach {
	NOTHING,   /* no rule, or one that is switched off */
	A_PART,    /* what a filter says */
	UNCERTAIN, /* a filter may stand in what the text does not print */
	ALL
};

struct expiry {
	enum reach reach;
	bool known; /* the days are */
	uint64_t days;
};

static bool narrows(struct tn_str name)
{
	static const char *const names[] = {"prefix",
					    "matches_prefix",
					    "matches_suffix",
					    "prefix_match",
					    "object_size_greater_than",
					    "object_size_less_than",
					    "matches_storage_class",
					    "with_state",
					    "num_newer_versions"};

	return tn_plan_is_one_of(name, names, TN_COUNT(names));
}

/* tags of a rule's filter stand in a map, or in blocks with a key. */
static bool is_tag(struct tn_str path)
{
	return tn_plan_path_has_name(path, TN_STR("tag")) ||
	       tn_plan_path_has_name(path, TN_STR("tags")) ||
	       tn_plan_path_has_name(path, TN_STR("match_blob_index_tag"));
}

static bool is_days(struct tn_plan_path path)
{
	if (tn_str_is(path.name, "days"))
		return tn_plan_path_has_name(path.owner, TN_STR("expiration"));
	return tn_str_is(path.name, "age") ||
	       tn_str_starts(path.name, TN_STR("delete_after_days_since_"));
}

static bool is_off(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	return tn_plan_block_says(rule, side, "status", "Disabled") ||
	       tn_plan_block_says(rule, side, "enabled", "false") ||
	       tn_plan_block_says(rule, side, "action[0].type", "SetStorageClass") ||
	       tn_plan_block_says(rule, side, "action.type", "SetStorageClass");
}

static bool is_stated_wide(const struct tn_plan_attribute *at, struct tn_str text,
			   enum tn_plan_side side)
{
	return side == TN_PLAN_AFTER && at->change == TN_PLAN_ATTR_UPDATE && text.size == 0;
}

static struct expiry read_expiry(const struct tn_plan_entry *entry,
				 const struct tn_plan_block *rule, enum tn_plan_side side)
{
	struct expiry expiry = {.reach = NOTHING};
	bool part = false, stated = false;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);
		struct tn_str text;

		if (!tn_plan_side_text(at, side, &text))
			continue;
		if (is_days(path) && tn_str_to_uint(text, &expiry.days))
			expiry.known = true;
		else if (narrows(path.name) || is_tag(at->path)) {
			part = part || text.size > 0;
			stated = stated || is_stated_wide(at, text, side);
		}
	}
	if (!expiry.known || is_off(rule, side))
		return expiry;
	if (part)
		expiry.reach = A_PART;
	else if (!stated && (entry->hidden_attributes > 0 || entry->hidden_blocks > 0))
		expiry.reach = UNCERTAIN;
	else
		expiry.reach = ALL;
	return expiry;
}

static void tell(struct tn_plan_risks *risks, const struct expiry *after,
		 const struct tn_plan_attribute *attribute)
{
	if (after->reach != ALL)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_MEDIUM,
				 "What falls under its rule is deleted sooner, or from now on.",
				 attribute);
	else if (after->days <= 1)
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_CRITICAL,
				 "All that is stored there is deleted when it is a day old.",
				 attribute);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_DATA_EXPIRES, TN_PLAN_RISK_HIGH,
				 "All that is stored there is deleted at an age that was not "
				 "enough before.",
				 attribute);
}

void tn_plan_risk_expiry(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute)
{
	size_t dot = tn_str_find_byte(attribute->path, '.');
	struct tn_plan_block rule;
	struct expiry before, after;

	if (dot == TN_STR_NONE || tn_plan_is_unclear(attribute))
		return;
	rule = tn_plan_block_around(risks->entry, attribute, tn_str(attribute->path.data, dot + 1));
	before = read_expiry(risks->entry, &rule, TN_PLAN_BEFORE);
	after = read_expiry(risks->entry, &rule, TN_PLAN_AFTER);
	if (after.reach == NOTHING)
		return;
	if (before.reach == NOTHING || after.days < before.days ||
	    (before.reach != ALL && after.reach == ALL))
		tell(risks, &after, attribute);
}
