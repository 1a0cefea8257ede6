/* updates.c - what changes about an object, the most telling first (plan.md section 10.4). */
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/finding_words.h"
#include "apps/plan/explain/lines.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/policy_words.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/rules.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"

/* Values are shown only when nothing says that they are secret: the plan, the path, or the text. */
static bool is_secret(const struct tn_plan_attribute *attribute)
{
	return attribute->sensitive || attribute->write_only ||
	       tn_plan_is_hidden(attribute->path, &attribute->before, &attribute->after) ||
	       (attribute->before.kind == TN_PLAN_VALUE_STRING &&
		tn_plan_has_secret(attribute->before.text)) ||
	       (attribute->after.kind == TN_PLAN_VALUE_STRING &&
		tn_plan_has_secret(attribute->after.text));
}

static bool has_lines(const struct tn_plan_value *value)
{
	return tn_str_find_byte(value->text, '\n') != TN_STR_NONE;
}

void tn_plan_put_shown_value(struct tn_buf *out, const struct tn_plan_attribute *attribute,
			     const struct tn_plan_value *value)
{
	if (is_secret(attribute)) {
		tn_buf_append_text(out, "(hidden)");
	} else if (value->kind == TN_PLAN_VALUE_NONE || value->kind == TN_PLAN_VALUE_NULL) {
		tn_buf_append_text(out, value == &attribute->after && attribute->unknown
						? "a value known after applying"
						: "nothing");
	} else if (has_lines(value)) {
		tn_buf_append_text(out, "a text of several lines");
	} else {
		tn_buf_append_byte(out, '"');
		tn_plan_put_clean(out, value->text, TN_PLAN_SHOWN_CHARACTERS);
		tn_buf_append_byte(out, '"');
	}
}

/* environment[0].value is told by the name that stands beside it. */
static bool put_name_beside(struct tn_buf *out, const struct tn_plan_entry *entry,
			    const struct tn_plan_attribute *attribute,
			    enum tn_plan_audience audience)
{
	static const struct tn_str value = {".value", 6};
	struct tn_plan_block block;
	const struct tn_plan_attribute *name;
	struct tn_str text, owner = attribute->path;

	if (!tn_str_ends(owner, value))
		return false;
	owner.size -= value.size - 1;
	block = tn_plan_block_around(entry, attribute, owner);
	name = tn_plan_block_get(&block, "name");
	if (!name || !tn_plan_side_text(name, TN_PLAN_AFTER, &text) || text.size == 0 ||
	    is_secret(name))
		return false;
	tn_plan_put_path_words(out, tn_str(owner.data, owner.size - 1), audience);
	tn_buf_append_byte(out, ' ');
	tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
	return true;
}

static void put_update(struct tn_buf *out, const struct tn_plan_entry *entry,
		       const struct tn_plan_attribute *attribute, enum tn_plan_audience audience)
{
	if (!put_name_beside(out, entry, attribute, audience))
		tn_plan_put_path_words(out, attribute->path, audience);
	if (is_secret(attribute)) {
		tn_buf_append_text(out, " (hidden)");
		return;
	}
	if (has_lines(&attribute->before) && has_lines(&attribute->after)) {
		tn_buf_append_text(out, " (a text of several lines)");
		return;
	}
	tn_buf_append_text(out, " from ");
	tn_plan_put_shown_value(out, attribute, &attribute->before);
	tn_buf_append_text(out, " to ");
	tn_plan_put_shown_value(out, attribute, &attribute->after);
}

/* ---- which are told ---- */

enum { DANGERS_SHOWN = 20 }; /* of one object, in one sentence */

/* What is found by it comes first, the worst before the rest; two of these are never left out. */
enum rank {
	CRITICAL,
	HIGH,
	MEDIUM,
	LOW,
	FORCED,
	KEY_FACT,
	CHOSEN,
	EMPTY,
	COMPUTED,
	NOISE,
	RANKS,
	NOT_TOLD
};

struct telling {
	const struct tn_plan *plan;
	const struct tn_plan_entry *entry;
	bool has_tags; /* then tags_all says the same again */
	bool firewall; /* its rules are told in words of their own */
	bool policy;   /* what its policies say, too */
};

static bool is_among(struct tn_str text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_is(text, words[i]))
			return true;
	return false;
}

static bool is_key_fact(struct tn_str path)
{
	static const char *const facts[] = {"instance_type",
					    "instance_class",
					    "vm_size",
					    "size",
					    "machine_type",
					    "sku_name",
					    "tier",
					    "node_type",
					    "server_type",
					    "memory_size",
					    "allocated_storage",
					    "engine",
					    "engine_version",
					    "version",
					    "redis_version",
					    "kubernetes_version",
					    "runtime",
					    "image_id",
					    "ami",
					    "image_uri",
					    "port",
					    "desired_count",
					    "replicas",
					    "desired_capacity",
					    "min_size",
					    "max_size",
					    "node_count",
					    "publicly_accessible"};
	struct tn_plan_path split = tn_plan_path_split(path);

	if (tn_str_is(split.name, "image") || tn_str_is(split.name, "replicas"))
		return true;
	return split.owner.size == 0 && is_among(split.name, facts, TN_COUNT(facts));
}

/* Every deploy changes them, and they tell nobody what. */
static bool is_noise(struct tn_str path)
{
	static const char *const names[] = {
		"source_code_hash", "source_code_size",     "last_modified",    "etag",
		"fingerprint",      "metadata_fingerprint", "resource_version", "generation",
		"tags_all",         "effective_labels",     "terraform_labels", "updated_at",
		"latest_version",   "qualified_arn",        "version_id"};

	return is_among(tn_plan_path_root(path), names, TN_COUNT(names));
}

static bool is_tag(struct tn_str path)
{
	static const char *const roots[] = {"tags", "tags_all", "labels", "effective_labels",
					    "terraform_labels"};

	return is_among(tn_plan_path_root(path), roots, TN_COUNT(roots));
}

/* Nothing, and what is as good as nothing. */
static bool is_empty(const struct tn_plan_value *value)
{
	static const char *const words[] = {"", "false", "0", "[]", "{}"};

	return value->kind == TN_PLAN_VALUE_NONE || value->kind == TN_PLAN_VALUE_NULL ||
	       is_among(value->text, words, TN_COUNT(words));
}

/* subnets of subnets[1]; empty for what is no element. */
static struct tn_str list_of(struct tn_str path)
{
	size_t at = path.size;

	if (at < 3 || path.data[at - 1] != ']' || !tn_is_digit(path.data[at - 2]))
		return tn_str("", 0);
	for (at -= 2; at > 0 && tn_is_digit(path.data[at]); at--)
		;
	return path.data[at] == '[' ? tn_str(path.data, at) : tn_str("", 0);
}

/* The highest level of what is found by this attribute, or by another element of its list. */
static enum tn_plan_risk evidence_level(const struct telling *telling, struct tn_str path)
{
	uint32_t count, change = (uint32_t)(telling->entry - telling->plan->changes);
	const struct tn_plan_finding *findings = tn_plan_findings_of(telling->plan, change, &count);
	struct tn_str list = list_of(path);
	enum tn_plan_risk level = TN_PLAN_RISK_NONE;

	for (uint32_t i = 0; i < count; i++)
		if (findings[i].path.data && findings[i].level > level &&
		    (tn_str_equal(findings[i].path, path) ||
		     (list.size > 0 && tn_str_equal(list_of(findings[i].path), list))))
			level = findings[i].level;
	return level;
}

static bool is_told_otherwise(const struct telling *telling, struct tn_str path)
{
	struct tn_plan_path split = tn_plan_path_split(path);

	if (telling->policy && tn_plan_is_policy_path(path))
		return true;
	/* What stands in the blocks of a firewall belongs to its rules. */
	return telling->firewall && !is_tag(path) &&
	       (tn_plan_access_reads(split.name) || split.owner.size > 0);
}

/* The bracket of a block that forces a replacement: what stands in it is told. */
static bool is_opening(const struct tn_plan_attribute *attribute)
{
	return !attribute->sensitive && !attribute->write_only && !attribute->unknown &&
	       attribute->before.kind == TN_PLAN_VALUE_NONE &&
	       attribute->after.kind == TN_PLAN_VALUE_NONE;
}

static bool is_changed_element(const struct tn_plan_attribute *attribute, struct tn_str list)
{
	return attribute->change != TN_PLAN_ATTR_UNCHANGED && !is_opening(attribute) &&
	       tn_str_equal(list_of(attribute->path), list);
}

/* The elements of a list are told with the first of them that changes. */
static bool is_first_of_list(const struct tn_plan_entry *entry,
			     const struct tn_plan_attribute *attribute)
{
	struct tn_str list = list_of(attribute->path);

	for (const struct tn_plan_attribute *at = attribute;
	     list.size && at > entry->attributes.items; at--) {
		if (!tn_str_starts(at[-1].path, list))
			break;
		if (is_changed_element(at - 1, list))
			return false;
	}
	return true;
}

/* The list itself, known after applying, beside its elements that go. */
static const struct tn_plan_attribute *find_later(const struct tn_plan_entry *entry,
						  struct tn_str list)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (entry->attributes.items[i].unknown &&
		    tn_str_equal(entry->attributes.items[i].path, list))
			return &entry->attributes.items[i];
	return NULL;
}

static bool has_elements(const struct tn_plan_entry *entry, struct tn_str list)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (is_changed_element(&entry->attributes.items[i], list))
			return true;
	return false;
}

/* By another attribute, in words of its own, or because it says nothing. */
static bool is_left_out(const struct telling *telling, const struct tn_plan_attribute *attribute)
{
	if (attribute->change == TN_PLAN_ATTR_UNCHANGED || is_opening(attribute) ||
	    !is_first_of_list(telling->entry, attribute))
		return true;
	if (telling->has_tags && tn_str_is(tn_plan_path_root(attribute->path), "tags_all"))
		return true;
	return is_told_otherwise(telling, attribute->path) ||
	       (attribute->unknown && has_elements(telling->entry, attribute->path));
}

static enum rank rank_of(const struct telling *telling, const struct tn_plan_attribute *attribute)
{
	enum tn_plan_risk level;

	if (is_left_out(telling, attribute))
		return NOT_TOLD;
	level = evidence_level(telling, attribute->path);
	if (level != TN_PLAN_RISK_NONE)
		return (enum rank)(TN_PLAN_RISK_CRITICAL - level);
	if (attribute->forces_replacement)
		return FORCED;
	if (is_noise(attribute->path))
		return NOISE;
	if (attribute->unknown)
		return COMPUTED;
	if (is_key_fact(attribute->path))
		return KEY_FACT;
	if (!attribute->sensitive && is_empty(&attribute->before) && is_empty(&attribute->after))
		return EMPTY;
	return CHOSEN;
}

static bool changes_tags(const struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (entry->attributes.items[i].change != TN_PLAN_ATTR_UNCHANGED &&
		    tn_str_is(tn_plan_path_root(entry->attributes.items[i].path), "tags"))
			return true;
	return false;
}

bool tn_plan_changes_only_tags(const struct tn_plan_entry *entry)
{
	bool any = false;

	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

		if (attribute->change == TN_PLAN_ATTR_UNCHANGED)
			continue;
		if (!is_tag(attribute->path))
			return false;
		any = true;
	}
	return any && entry->attributes.truncated == 0;
}

/* ---- telling them ---- */

/* What everybody may reach, then whom else its rules let in. */
static bool put_firewall(struct tn_buf *out, const struct tn_plan_entry *entry)
{
	bool exposure = tn_plan_put_exposure(out, entry);
	size_t before = out->size;

	if (exposure)
		tn_buf_append_text(out, ", ");
	if (tn_plan_put_rule_changes(out, entry, exposure))
		return true;
	if (!out->failed)
		out->size = before;
	return exposure;
}

static bool put_words_of_its_own(struct tn_buf *out, struct telling *telling)
{
	const struct tn_plan_entry *entry = telling->entry;

	if (tn_plan_type_class(entry->type) == TN_PLAN_ACCESS)
		telling->firewall = put_firewall(out, entry);
	else
		telling->policy = tn_plan_put_policy_changes(out, entry);
	return telling->firewall || telling->policy;
}

/* One line an element, so that equal ones are found wherever they stand. */
static void list_elements(struct tn_buf *lines, const struct telling *telling,
			  const struct tn_plan_attribute *first, enum tn_plan_side side)
{
	const struct tn_plan_attribute *end =
		telling->entry->attributes.items + telling->entry->attributes.count;
	struct tn_str list = list_of(first->path);

	tn_buf_init(lines, TN_PLAN_LINES_BYTES_MAX);
	for (const struct tn_plan_attribute *at = first; at < end; at++) {
		const struct tn_plan_value *value =
			side == TN_PLAN_AFTER ? &at->after : &at->before;
		bool later = side == TN_PLAN_AFTER && at->unknown;

		if (!tn_str_starts(at->path, list))
			break;
		if (!is_changed_element(at, list) ||
		    (!later &&
		     (value->kind == TN_PLAN_VALUE_NONE || value->kind == TN_PLAN_VALUE_NULL)))
			continue;
		tn_plan_put_shown_value(lines, at, value);
		tn_buf_append_byte(lines, '\n');
	}
}

/* subnets adds "b", removes "a" */
static void put_list_update(struct tn_buf *out, const struct telling *telling,
			    const struct tn_plan_attribute *first, enum tn_plan_audience audience)
{
	struct tn_buf before, after;
	size_t start;
	unsigned changes;

	list_elements(&before, telling, first, TN_PLAN_BEFORE);
	list_elements(&after, telling, first, TN_PLAN_AFTER);
	tn_buf_inherit_failure(out, &before);
	tn_buf_inherit_failure(out, &after);
	tn_plan_put_path_words(out, list_of(first->path), audience);
	tn_buf_append_byte(out, ' ');
	start = out->size;
	if (find_later(telling->entry, list_of(first->path)))
		tn_buf_append_text(out, "adds values known after applying");
	changes = out->size > start;
	changes += tn_plan_put_difference(out, start, tn_buf_str(&after), tn_buf_str(&before),
					  "adds ");
	changes += tn_plan_put_difference(out, start, tn_buf_str(&before), tn_buf_str(&after),
					  "removes ");
	if (changes == 0)
		tn_buf_append_text(out, "in another order");
	tn_buf_finish(&after);
	tn_buf_finish(&before);
}

static bool is_list(const struct tn_plan_attribute *attribute)
{
	return list_of(attribute->path).size > 0 && !is_secret(attribute);
}

/* A danger is told even where there are more of them than settings are told otherwise. */
static bool is_folded(enum rank rank, unsigned shown)
{
	if (rank <= HIGH)
		return shown >= DANGERS_SHOWN;
	return shown >= TN_PLAN_UPDATES_SHOWN || (shown > 0 && rank >= EMPTY);
}

bool tn_plan_put_updates(struct tn_buf *out, const struct tn_plan *plan,
			 const struct tn_plan_entry *entry, enum tn_plan_audience audience)
{
	struct telling telling = {plan, entry, changes_tags(entry), false, false};
	bool any = put_words_of_its_own(out, &telling);
	unsigned shown = any;
	uint32_t left = entry->attributes.truncated;

	for (int rank = CRITICAL; rank < RANKS; rank++)
		for (uint32_t i = 0; i < entry->attributes.count; i++) {
			const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

			if (rank_of(&telling, attribute) != (enum rank)rank)
				continue;
			if (is_folded((enum rank)rank, shown)) {
				left++;
				continue;
			}
			if (shown++ > 0)
				tn_buf_append_text(out, any ? "; " : ", ");
			any = false;
			if (is_list(attribute))
				put_list_update(out, &telling, attribute, audience);
			else
				put_update(out, entry, attribute, audience);
		}
	if (shown > 0 && left > 0)
		tn_buf_format(out, " and %u more setting%s", left, tn_plan_plural(left));
	return shown > 0;
}
