#include "apps/plan/explain/expiry.h"

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

/* ---- names ---- */

/* Objects that hold such rules, and the list that these stand in. */
static const struct {
	const char *type; /* NULL: any */
	const char *list;
} kinds[] = {
	{NULL, "lifecycle_rule"},
	{"aws_s3_bucket_lifecycle_configuration", "rule"},
	{"aws_s3control_bucket_lifecycle_configuration", "rule"},
	{"alicloud_oss_bucket_lifecycle", "rule"},
	{"minio_ilm_policy", "rule"},
	{"azurerm_storage_management_policy", "rule"},
	{"aws_ecr_lifecycle_policy", "policy.rules"},
	{"google_artifact_registry_repository", "cleanup_policies"},
};

/* The path behind "rule[0]."; empty: it stands in no such rule. */
static struct tn_str path_in_rule(struct tn_str type, struct tn_str path)
{
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		struct tn_str list = tn_str_from(kinds[i].list), rest;
		size_t dot;

		if (!tn_str_starts(path, list) ||
		    (kinds[i].type && !tn_str_is(type, kinds[i].type)))
			continue;
		rest = tn_str_from_offset(path, list.size);
		dot = tn_str_find_byte(rest, '.');
		if (dot != TN_STR_NONE && (rest.data[0] == '.' || rest.data[0] == '['))
			return tn_str_from_offset(rest, dot + 1);
	}
	return tn_str("", 0);
}

/* Of the path in the rule. */
static bool is_action(struct tn_str path)
{
	return tn_str_is(path, "action") || (tn_str_is(tn_plan_path_root(path), "action") &&
					     tn_str_is(tn_plan_path_split(path).name, "type"));
}

static bool is_switch(struct tn_str path)
{
	return tn_str_is(path, "status") || tn_str_is(path, "enabled");
}

bool tn_plan_expiry_is_shared(struct tn_str type, struct tn_str path)
{
	struct tn_str rest = path_in_rule(type, path);

	return rest.size > 0 &&
	       (is_switch(rest) || is_action(rest) || tn_plan_filter_is_one(rest) ||
		tn_plan_expiry_is_kept_number(rest));
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
	bool unknown;         /* there is one, which is not known yet */
	bool in_sight;        /* the block that ages stand in is printed */
	bool printed;         /* one is, or was: what the text does not print is none */
	bool old, acts;
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

/* The condition of one cloud has all of its ages, and 0 for those that are not asked for; so has
 * the expiration of another one, which may be about a date or markers. */
static bool is_unasked(const struct tn_plan_attribute *at, uint64_t number)
{
	return number == 0 && (tn_plan_path_has_name(at->path, TN_STR("condition")) ||
			       tn_plan_path_has_name(at->path, TN_STR("expiration")));
}

static void take_age(struct reading *reading, const struct tn_plan_attribute *at,
		     struct tn_str text)
{
	enum age age = age_of(at->path);
	uint64_t number = 0;
	bool is_number = tn_str_to_uint(text, &number);

	switch (age) {
	case DAYS:
		if (is_number && is_unasked(at, number))
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

static bool is_of_ages(struct tn_str path)
{
	static const char *const blocks[] = {"expiration", "condition", "base_blob",
					     "selection",  "actions",   "max_age"};

	for (size_t i = 0; i < TN_COUNT(blocks); i++)
		if (tn_plan_path_has_name(path, tn_str_from(blocks[i])))
			return true;
	return false;
}

static void take(struct reading *reading, const struct tn_plan_attribute *at,
		 enum tn_plan_side side, bool of_old)
{
	static const struct tn_str condition = {"condition", 9};
	struct tn_str name = tn_plan_path_split(at->path).name, text;

	reading->in_sight = reading->in_sight || is_of_ages(at->path);
	if (tn_plan_expiry_is_of_old(at->path) == of_old && age_of(at->path) != NO_AGE) {
		reading->unknown = reading->unknown || (side == TN_PLAN_AFTER && at->unknown);
		reading->printed = reading->printed || !tn_plan_path_has_name(at->path, condition);
	}
	if (!tn_plan_side_text(at, side, &text))
		return;
	if (tn_plan_path_has_name(at->path, TN_STR("action")))
		reading->acts = true;
	if (tn_str_is(name, "with_state"))
		reading->old = reading->old || tn_str_is(text, "ARCHIVED");
	else if (tn_str_is(name, "tagStatus") || tn_str_is(name, "tag_state"))
		reading->old = reading->old || tn_str_equal_nocase(text, TN_STR("untagged"));
	else if (tn_plan_expiry_is_of_old(at->path) == of_old)
		take_age(reading, at, text);
}

/* Switched off, or a rule that keeps, moves or tidies up. */
static bool is_off(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	static const char *const others[] = {"KEEP", "SetStorageClass",
					     "AbortIncompleteMultipartUpload"};
	static const char *const offs[] = {"Disabled", "false"};
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++) {
		struct tn_str path = tn_str_from_offset(at->path, rule->owner.size);

		if (!tn_plan_side_text(at, side, &text))
			continue;
		if ((is_switch(path) && tn_plan_is_one_of(text, offs, TN_COUNT(offs))) ||
		    (is_action(path) && tn_plan_is_one_of(text, others, TN_COUNT(others))))
			return true;
	}
	return false;
}

/* What every rule has says whether it is there; where none of that is printed, it is. */
static bool is_there(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	static const char *const names[] = {"id", "name", "rulePriority"};
	bool told = false;
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++) {
		struct tn_str path = tn_str_from_offset(at->path, rule->owner.size);

		if (!is_switch(path) && !is_action(path) &&
		    !tn_plan_is_one_of(path, names, TN_COUNT(names)))
			continue;
		if (at->unknown || tn_plan_side_text(at, side, &text))
			return true;
		told = true;
	}
	return !told;
}

/* A text leaves out what stays as it is: of a rule that comes or goes, nothing. */
static bool may_hide(const struct tn_plan_entry *entry, const struct tn_plan_block *rule)
{
	if (entry->hidden_attributes + entry->hidden_blocks + entry->hidden_elements == 0 ||
	    !is_there(rule, TN_PLAN_BEFORE) || !is_there(rule, TN_PLAN_AFTER))
		return false;
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (at->change != TN_PLAN_ATTR_ADD)
			return true;
	return false;
}

/* The age stands in a block that is left out, or is left out of its block. */
static bool may_hide_age(const struct tn_plan_entry *entry, const struct reading *reading)
{
	return entry->hidden_blocks > 0 || (entry->hidden_attributes > 0 && reading->in_sight);
}

static bool is_age_hidden(const struct tn_plan_entry *entry, const struct tn_plan_block *rule,
			  const struct reading *reading, bool of_old)
{
	if (reading->known || reading->zero_age)
		return false;
	if (reading->unknown)
		return true;
	return !of_old && !reading->printed &&
	       path_in_rule(entry->type, rule->first->path).size > 0 && may_hide(entry, rule) &&
	       may_hide_age(entry, reading);
}

static struct tn_plan_rule_side side_of(const struct tn_plan_expiry *expiry)
{
	return (struct tn_plan_rule_side){expiry->rule, expiry->side, expiry->of_old};
}

static enum tn_plan_reach reach_of(const struct tn_plan_entry *entry,
				   const struct tn_plan_expiry *expiry, bool old)
{
	struct tn_plan_rule_side rule = side_of(expiry);

	if (expiry->of_old || old)
		return TN_PLAN_REACH_OLD;
	if (tn_plan_filter_parts(&rule))
		return TN_PLAN_REACH_PART;
	return may_hide(entry, &rule.rule) && !tn_plan_filter_is_dropped(&rule)
		       ? TN_PLAN_REACH_UNCERTAIN
		       : TN_PLAN_REACH_ALL;
}

struct tn_plan_expiry tn_plan_expiry_read(const struct tn_plan_entry *entry,
					  const struct tn_plan_block *rule, enum tn_plan_side side,
					  bool of_old)
{
	struct tn_plan_expiry expiry = {
		.rule = *rule, .side = side, .of_old = of_old, .reach = TN_PLAN_REACH_NOTHING};
	struct reading reading = {.known = false};

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		take(&reading, at, side, of_old);
	expiry.age_hidden = is_age_hidden(entry, rule, &reading, of_old);
	if ((!reading.known && !reading.zero_age && !expiry.age_hidden) || is_off(rule, side) ||
	    !is_there(rule, side))
		return expiry;
	expiry.reach = reach_of(entry, &expiry, reading.old);
	expiry.days = reading.days;
	expiry.date = reading.date;
	expiry.deletes = !expiry.age_hidden &&
			 (reading.acts || !may_hide(entry, rule) ||
			  !tn_str_starts(entry->type, TN_STR("google_storage_bucket")));
	return expiry;
}

/* ---- two of them ---- */

static bool is_same_rule(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	return one->rule.first == other->rule.first;
}

/* An age that is not shown stays as it is. */
static bool is_as_soon(const struct tn_plan_expiry *one, const struct tn_plan_expiry *other)
{
	if (one->age_hidden || other->age_hidden)
		return one->age_hidden && other->age_hidden && is_same_rule(one, other);
	if (one->date.size > 0 || other->date.size > 0)
		return one->date.size > 0 && other->date.size > 0 &&
		       tn_str_compare(one->date, other->date) <= 0;
	return one->days <= other->days;
}

static bool covers(const struct tn_plan_entry *entry, const struct tn_plan_expiry *one,
		   const struct tn_plan_expiry *other)
{
	struct tn_plan_rule_side wide = side_of(one), narrow = side_of(other);

	if (one->reach == TN_PLAN_REACH_NOTHING || !is_as_soon(one, other))
		return false;
	if (one->reach == TN_PLAN_REACH_OLD && other->reach > TN_PLAN_REACH_OLD)
		return false;
	/* What a text hides of a rule is equal in the next one only where the rules changed places.
	 */
	if (one->reach == TN_PLAN_REACH_UNCERTAIN && !is_same_rule(one, other) &&
	    one->days != other->days)
		return false;
	return tn_plan_filter_holds(entry, &wide, &narrow);
}

bool tn_plan_expiry_was_there(const struct tn_plan_entry *entry, const struct tn_plan_expiry *after)
{
	const struct tn_plan_attribute *end = entry->attributes.items + entry->attributes.count;
	struct tn_plan_block rule;

	for (const struct tn_plan_attribute *at = entry->attributes.items; at < end; at++) {
		struct tn_plan_expiry before;

		if (!tn_plan_expiry_rule(entry, at, &rule))
			continue;
		before = tn_plan_expiry_read(entry, &rule, TN_PLAN_BEFORE, after->of_old);
		if (covers(entry, &before, after))
			return true;
		at = rule.end - 1;
	}
	return false;
}
