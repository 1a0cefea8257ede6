#include "apps/plan/explain/expiry_filter.h"

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/turn.h"
#include "base/size.h"

/* ---- names ---- */

/* When does a value hold another one? */
enum holding {
	SAME,
	BEGINS,
	ENDS,
	AT_LEAST, /* a larger number is about less */
	AT_MOST,
	UNTIL /* an earlier date is about less */
};

static const struct filter {
	const char *name;
	enum holding holding;
	bool parts; /* it leaves out some of what is there now */
} filters[] = {
	{"prefix", BEGINS, true},
	{"matches_prefix", BEGINS, true},
	{"prefix_match", BEGINS, true},
	{"tagPrefixList", BEGINS, true},
	{"tag_prefixes", BEGINS, true},
	{"package_name_prefixes", BEGINS, true},
	{"version_name_prefixes", BEGINS, true},
	{"matches_suffix", ENDS, true},
	{"tagPatternList", SAME, true},
	{"matches_storage_class", SAME, true},
	{"blob_types", SAME, true},
	{"object_size_greater_than", AT_LEAST, true},
	{"object_size_less_than", AT_MOST, true},
	{"days_since_custom_time", AT_LEAST, true},
	{"custom_time_before", UNTIL, true},
	{"with_state", SAME, false},
	{"tagStatus", SAME, false},
	{"tag_state", SAME, false},
	{"num_newer_versions", AT_LEAST, false},
	{"newer_noncurrent_versions", AT_LEAST, false},
	{"days_since_noncurrent_time", AT_LEAST, false},
	{"noncurrent_time_before", UNTIL, false},
	{"created_before", UNTIL, false},
};

static bool is_of(const struct filter *filter, struct tn_str path)
{
	return tn_str_is(tn_plan_path_split(path).name, filter->name);
}

static const struct filter *find_filter(struct tn_str path)
{
	struct tn_str name = tn_plan_path_split(path).name;

	for (size_t i = 0; i < TN_COUNT(filters); i++)
		if (tn_str_is(name, filters[i].name))
			return &filters[i];
	return NULL;
}

/* Tags of a rule's filter stand in a map, or in blocks with a key. */
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

bool tn_plan_expiry_is_kept_number(struct tn_str path)
{
	return tn_str_is(tn_plan_path_split(path).name, "keep_count");
}

bool tn_plan_filter_is_one(struct tn_str path)
{
	return is_tag(path) || find_filter(path);
}

/* ---- what is asked for ---- */

/* Clouds print words and numbers for what nobody asked for. */
static bool is_asked(struct tn_str text)
{
	static const char *const nothing[] = {"", "0", "any", "TAG_STATE_UNSPECIFIED"};

	return !tn_plan_is_one_of(text, nothing, TN_COUNT(nothing));
}

static bool asks(const struct tn_plan_rule_side *rule, const struct tn_plan_attribute *at,
		 struct tn_str *ret_text)
{
	return tn_plan_side_text(at, rule->side, ret_text) && is_asked(*ret_text) &&
	       (!tn_plan_expiry_is_of_old(at->path) || rule->of_old);
}

/* Nearly all that is stored there is of this kind. */
static bool is_main_kind(const struct tn_plan_rule_side *rule, const struct filter *filter)
{
	static const struct tn_str main_kind = {"blockBlob", 9};
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->rule.first; at < rule->rule.end; at++)
		if (is_of(filter, at->path) && asks(rule, at, &text) &&
		    tn_str_equal_nocase(text, main_kind))
			return true;
	return false;
}

bool tn_plan_filter_parts(const struct tn_plan_rule_side *rule)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->rule.first; at < rule->rule.end; at++) {
		const struct filter *filter = find_filter(at->path);

		if (!asks(rule, at, &text))
			continue;
		if (is_tag(at->path) || (filter && filter->parts && !is_main_kind(rule, filter)))
			return true;
	}
	return false;
}

bool tn_plan_filter_is_dropped(const struct tn_plan_rule_side *rule)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->rule.first; at < rule->rule.end; at++)
		if (tn_plan_filter_is_one(at->path) && at->change == TN_PLAN_ATTR_UPDATE &&
		    rule->side == TN_PLAN_AFTER && tn_plan_side_text(at, rule->side, &text) &&
		    text.size == 0)
			return true;
	return false;
}

/* ---- one rule and another ---- */

static bool value_holds(const struct filter *filter, struct tn_str wide, struct tn_str narrow)
{
	uint64_t most, least;

	switch (filter->holding) {
	case BEGINS:
		return tn_str_starts(narrow, wide);
	case ENDS:
		return tn_str_ends(narrow, wide);
	case AT_LEAST:
	case AT_MOST:
		if (!tn_str_to_uint(wide, &most) || !tn_str_to_uint(narrow, &least))
			break;
		return filter->holding == AT_LEAST ? least >= most : least <= most;
	case UNTIL:
		return tn_str_compare(narrow, wide) <= 0;
	case SAME:
		break;
	}
	return tn_str_equal_nocase(wide, narrow);
}

/* An element of a list of which the text prints only what changes. */
static bool has_hidden_siblings(const struct tn_plan_entry *entry,
				const struct tn_plan_attribute *at)
{
	return entry->hidden_elements > 0 && tn_str_ends(at->path, TN_STR("]"));
}

/* One of the alternatives of this name holds the text; `ret_any`: there are some. */
static bool some_hold(const struct tn_plan_rule_side *wide, const struct filter *filter,
		      struct tn_str narrow, bool *ret_any)
{
	bool holds = false;
	struct tn_str text;

	*ret_any = false;
	for (const struct tn_plan_attribute *at = wide->rule.first; at < wide->rule.end; at++) {
		if (!is_of(filter, at->path) || !asks(wide, at, &text))
			continue;
		*ret_any = true;
		holds = holds || value_holds(filter, text, narrow);
	}
	return holds;
}

static bool has_some(const struct tn_plan_rule_side *rule, const struct filter *filter)
{
	bool any;

	(void)some_hold(rule, filter, tn_str("", 0), &any);
	return any;
}

/* The tag's key or value, wherever it stands there. */
static bool has_tag(const struct tn_plan_rule_side *rule, struct tn_str text)
{
	struct tn_str other;

	for (const struct tn_plan_attribute *at = rule->rule.first; at < rule->rule.end; at++)
		if (is_tag(at->path) && asks(rule, at, &other) &&
		    (tn_str_equal(other, text) || tn_str_equal(tn_plan_path_key(at->path), text)))
			return true;
	return false;
}

/* What `wide` asks for, `narrow` asks for, too. */
static bool is_asked_by(const struct tn_plan_entry *entry, const struct tn_plan_rule_side *narrow,
			const struct tn_plan_attribute *at, struct tn_str text)
{
	const struct filter *filter = find_filter(at->path);
	struct tn_str key = tn_plan_path_key(at->path);

	if (is_tag(at->path))
		return has_tag(narrow, text) && (key.size == 0 || has_tag(narrow, key));
	return !filter || has_some(narrow, filter) || has_hidden_siblings(entry, at);
}

/* What `narrow` asks for is among what `wide` does. */
static bool is_held_by(const struct tn_plan_entry *entry, const struct tn_plan_rule_side *wide,
		       const struct tn_plan_attribute *at, struct tn_str text)
{
	const struct filter *filter = find_filter(at->path);
	bool any;

	if (is_tag(at->path) || !filter || some_hold(wide, filter, text, &any))
		return true;
	return !any && !(at->change == TN_PLAN_ATTR_ADD && has_hidden_siblings(entry, at));
}

bool tn_plan_filter_holds(const struct tn_plan_entry *entry, const struct tn_plan_rule_side *wide,
			  const struct tn_plan_rule_side *narrow)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = wide->rule.first; at < wide->rule.end; at++)
		if (asks(wide, at, &text) && !is_asked_by(entry, narrow, at, text))
			return false;
	for (const struct tn_plan_attribute *at = narrow->rule.first; at < narrow->rule.end; at++)
		if (asks(narrow, at, &text) && !is_held_by(entry, wide, at, text))
			return false;
	return true;
}
