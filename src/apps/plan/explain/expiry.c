#include "apps/plan/explain/expiry.h"

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

/* ---- names ---- */

static bool narrows(struct tn_str name)
{
	static const char *const names[] = {
		"prefix",         "matches_prefix",           "matches_suffix",
		"prefix_match",   "object_size_greater_than", "object_size_less_than",
		"tagPrefixList",  "matches_storage_class",    "days_since_custom_time",
		"tagPatternList", "custom_time_before",       "package_name_prefixes",
		"tag_prefixes",   "version_name_prefixes"};

	return tn_plan_is_one_of(name, names, TN_COUNT(names));
}

/* tags of a rule's filter stand in a map, or in blocks with a key. */
static bool is_tag(struct tn_str path)
{
	return tn_plan_path_has_name(path, TN_STR("tag")) ||
	       tn_plan_path_has_name(path, TN_STR("tags")) ||
	       tn_plan_path_has_name(path, TN_STR("match_blob_index_tag"));
}

bool tn_plan_expiry_is_of_old(struct tn_str path)
{
	static const char *const blocks[] = {"noncurrent_version_expiration", "snapshot", "version",
					     "max_version"};

	for (size_t i = 0; i < TN_COUNT(blocks); i++)
		if (tn_plan_path_has_name(path, tn_str_from(blocks[i])))
			return true;
	return false;
}

enum age {
	NO_AGE,
	DAYS,
	DURATION,   /* "30d" */
	DATE,       /* 2026-01-01 */
	OLD_NUMBER, /* of versions, or days that something is one */
	OLD_DATE
};

static enum age age_of(struct tn_str path)
{
	static const struct {
		const char *name;
		enum age age;
	} names[] = {
		{"age", DAYS},
		{"noncurrent_days", DAYS},
		{"days_since_custom_time", DAYS},
		{"delete_after_days_since_creation", DAYS},
		{"countNumber", DAYS},
		{"number", DAYS},
		{"older_than", DURATION},
		{"duration", DURATION},
		{"date", DATE},
		{"created_before", DATE},
		{"custom_time_before", DATE},
		{"num_newer_versions", OLD_NUMBER},
		{"days_since_noncurrent_time", OLD_NUMBER},
		{"noncurrent_time_before", OLD_DATE},
	};
	struct tn_plan_path split = tn_plan_path_split(path);

	if (tn_str_is(split.name, "days"))
		return tn_plan_path_has_name(split.owner, TN_STR("expiration")) ||
				       tn_plan_path_has_name(split.owner, TN_STR("max_age")) ||
				       tn_plan_expiry_is_of_old(split.owner)
			       ? DAYS
			       : NO_AGE;
	if (tn_str_starts(split.name, TN_STR("delete_after_days_since_")))
		return DAYS;
	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(split.name, names[i].name))
			return names[i].age;
	return NO_AGE;
}

bool tn_plan_expiry_is_age(struct tn_str path)
{
	return age_of(path) != NO_AGE;
}

bool tn_plan_expiry_rule(const struct tn_plan_entry *entry,
			 const struct tn_plan_attribute *attribute, struct tn_plan_block *ret)
{
	static const struct tn_str document = {"policy.", 7};
	size_t start = tn_str_starts(attribute->path, document) ? document.size : 0;
	size_t dot = tn_str_find_byte(tn_str_from_offset(attribute->path, start), '.');

	if (dot == TN_STR_NONE)
		return false;
	*ret = tn_plan_block_around(entry, attribute,
				    tn_str(attribute->path.data, start + dot + 1));
	return true;
}

/* ---- one rule on one side ---- */

struct reading {
	bool known, zero_age; /* age = 0 is how one cloud prints that no age is asked for */
	bool old, part, stated, acts;
	uint64_t days;
	struct tn_str date;
};

static void take_days(struct reading *reading, uint64_t days)
{
	if (!reading->known || days < reading->days)
		reading->days = days;
	reading->known = true;
}

static void take_date(struct reading *reading, struct tn_str text)
{
	if (text.size == 0)
		return;
	reading->known = true;
	reading->date = text;
}

/* The condition of one cloud has all of its ages, and 0 for those that are not asked for. */
static bool is_zero_condition(const struct tn_plan_attribute *at, uint64_t number)
{
	return number == 0 && tn_plan_path_has_name(at->path, TN_STR("condition"));
}

static void take_age(struct reading *reading, const struct tn_plan_attribute *at,
		     struct tn_str text)
{
	enum age age = age_of(at->path);
	uint64_t number = 0;
	bool is_number = tn_str_to_uint(text, &number);

	switch (age) {
	case DAYS:
		if (is_number && is_zero_condition(at, number))
			reading->zero_age = tn_str_is(tn_plan_path_split(at->path).name, "age");
		else if (is_number)
			take_days(reading, number);
		break;
	case DURATION:
		if (tn_plan_read_seconds(text, &number))
			take_days(reading, number / SECONDS_OF_DAY);
		break;
	case OLD_NUMBER:
		if (number > 0)
			take_days(reading, number);
		reading->old = reading->old || number > 0;
		break;
	case OLD_DATE:
		reading->old = reading->old || text.size > 0;
		take_date(reading, text);
		break;
	case DATE:
		take_date(reading, text);
		break;
	case NO_AGE:
		break;
	}
}

static bool is_filtered(struct tn_str text)
{
	return text.size > 0 && !tn_str_is(text, "0");
}

static bool is_stated_wide(const struct tn_plan_attribute *at, struct tn_str text,
			   enum tn_plan_side side)
{
	return side == TN_PLAN_AFTER && at->change == TN_PLAN_ATTR_UPDATE && text.size == 0;
}

static void take(struct reading *reading, const struct tn_plan_attribute *at,
		 enum tn_plan_side side, bool of_old)
{
	struct tn_str name = tn_plan_path_split(at->path).name, text;

	if (!tn_plan_side_text(at, side, &text))
		return;
	if (tn_plan_path_has_name(at->path, TN_STR("action")))
		reading->acts = true;
	if (narrows(name) || is_tag(at->path)) {
		reading->part = reading->part || is_filtered(text);
		reading->stated = reading->stated || is_stated_wide(at, text, side);
	}
	if (tn_str_is(name, "with_state"))
		reading->old = reading->old || tn_str_is(text, "ARCHIVED");
	else if (tn_str_is(name, "tagStatus") || tn_str_is(name, "tag_state"))
		reading->old = reading->old || tn_str_equal_nocase(text, TN_STR("untagged"));
	else if (tn_plan_expiry_is_of_old(at->path) == of_old)
		take_age(reading, at, text);
}

static bool is_off(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	static const struct {
		const char *name, *word;
	} offs[] = {
		{"status", "Disabled"},
		{"enabled", "false"},
		{"action", "KEEP"},
		{"action[0].type", "SetStorageClass"},
		{"action.type", "SetStorageClass"},
		{"action[0].type", "AbortIncompleteMultipartUpload"},
		{"action.type", "AbortIncompleteMultipartUpload"},
	};

	for (size_t i = 0; i < TN_COUNT(offs); i++)
		if (tn_plan_block_says(rule, side, offs[i].name, offs[i].word))
			return true;
	return false;
}

/* A text leaves out what stays as it is: of a rule that is new, nothing. */
static bool may_hide(const struct tn_plan_entry *entry, const struct tn_plan_block *rule)
{
	if (entry->hidden_attributes == 0 && entry->hidden_blocks == 0)
		return false;
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (at->change != TN_PLAN_ATTR_ADD)
			return true;
	return false;
}

static enum tn_plan_reach reach_of(const struct reading *reading, bool hides, bool of_old)
{
	if (of_old || reading->old)
		return TN_PLAN_REACH_OLD;
	if (reading->part)
		return TN_PLAN_REACH_PART;
	return hides && !reading->stated ? TN_PLAN_REACH_UNCERTAIN : TN_PLAN_REACH_ALL;
}

struct tn_plan_expiry tn_plan_expiry_read(const struct tn_plan_entry *entry,
					  const struct tn_plan_block *rule, enum tn_plan_side side,
					  bool of_old)
{
	struct tn_plan_expiry expiry = {
		.rule = *rule, .side = side, .reach = TN_PLAN_REACH_NOTHING};
	struct reading reading = {.known = false};
	bool hides = may_hide(entry, rule);

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		take(&reading, at, side, of_old);
	if ((!reading.known && !reading.zero_age) || is_off(rule, side))
		return expiry;
	expiry.reach = reach_of(&reading, hides, of_old);
	expiry.days = reading.days;
	expiry.date = reading.date;
	expiry.deletes = reading.acts || !hides ||
			 !tn_str_starts(entry->type, TN_STR("google_storage_bucket"));
	return expiry;
}

/* ---- two of them ---- */

static bool is_of_filter(const struct tn_plan_attribute *at, enum tn_plan_side side,
			 struct tn_str *ret_text)
{
	return (narrows(tn_plan_path_split(at->path).name) || is_tag(at->path)) &&
	       tn_plan_side_text(at, side, ret_text) && is_filtered(*ret_text);
}

static bool has_filter(const struct tn_plan_expiry *expiry, struct tn_str path, struct tn_str text)
{
	struct tn_str other;

	for (const struct tn_plan_attribute *at = expiry->rule.first; at < expiry->rule.end; at++)
		if (is_of_filter(at, expiry->side, &other) && tn_str_equal(other, text) &&
		    tn_str_equal(tn_str_from_offset(at->path, expiry->rule.owner.size), path))
			return true;
	return false;
}

static bool has_all_filters_of(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = other->rule.first; at < other->rule.end; at++)
		if (is_of_filter(at, other->side, &text) &&
		    !has_filter(one, tn_str_from_offset(at->path, other->rule.owner.size), text))
			return false;
	return true;
}

bool tn_plan_expiry_same_part(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	return has_all_filters_of(one, other) && has_all_filters_of(other, one);
}

static bool is_as_soon(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	if (one->date.size > 0 || other->date.size > 0)
		return one->date.size > 0 && other->date.size > 0 &&
		       tn_str_compare(one->date, other->date) <= 0;
	return one->days <= other->days;
}

static bool covers(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	if (one->reach == TN_PLAN_REACH_NOTHING || !is_as_soon(one, other))
		return false;
	if (one->reach == TN_PLAN_REACH_ALL || other->reach == TN_PLAN_REACH_NOTHING)
		return true;
	/* What a text hides of a rule is equal in the next one only where the rules changed places.
	 */
	if (one->reach == TN_PLAN_REACH_UNCERTAIN && one->rule.first != other->rule.first &&
	    one->days != other->days)
		return false;
	if (one->reach == TN_PLAN_REACH_UNCERTAIN)
		return tn_plan_expiry_same_part(one, other);
	return one->reach >= other->reach && tn_plan_expiry_same_part(one, other);
}

bool tn_plan_expiry_was_there(const struct tn_plan_entry *entry, const struct tn_plan_expiry *after,
			      bool of_old)
{
	const struct tn_plan_attribute *end = entry->attributes.items + entry->attributes.count;
	struct tn_plan_block rule;

	for (const struct tn_plan_attribute *at = entry->attributes.items; at < end; at++) {
		struct tn_plan_expiry before;

		if (!tn_plan_expiry_rule(entry, at, &rule))
			continue;
		before = tn_plan_expiry_read(entry, &rule, TN_PLAN_BEFORE, of_old);
		if (covers(&before, after))
			return true;
		at = rule.end - 1;
	}
	return false;
}
