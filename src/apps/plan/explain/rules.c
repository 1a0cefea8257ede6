#include "apps/plan/explain/rules.h"

#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/lines.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"

enum { SOURCES_SHOWN = 3 };

/* ---- one rule ---- */

/* Groups of machines stand where addresses do. */
static bool is_source(struct tn_str name)
{
	static const char *const names[] = {"security_groups",
					    "source_security_group_id",
					    "referenced_security_group_id",
					    "prefix_list_ids",
					    "prefix_list_id",
					    "source_tags",
					    "source_service_accounts"};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i]))
			return true;
	return tn_plan_access_is_address(name) && !tn_str_is(name, "value");
}

static bool is_everybody(struct tn_str source)
{
	static const char *const words[] = {"0.0.0.0/0", "::/0", "*", "Internet", "Any"};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (tn_str_equal_nocase(source, tn_str_from(words[i])))
			return true;
	return false;
}

/* "0.0.0.0" to "255.255.255.255". */
static void put_range_end(struct tn_buf *out, const struct tn_plan_block *rule, struct tn_str name,
			  enum tn_plan_side side)
{
	const struct tn_plan_attribute *end = NULL;
	struct tn_str text;

	if (tn_str_is(name, "start_ip_address"))
		end = tn_plan_block_get(rule, "end_ip_address");
	else if (tn_str_is(name, "start_ip"))
		end = tn_plan_block_get(rule, "end_ip");
	if (!end || !tn_plan_side_text(end, side, &text))
		return;
	tn_buf_append_text(out, " to \"");
	tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
	tn_buf_append_byte(out, '"');
}

static void put_sources(struct tn_buf *out, const struct tn_plan_block *rule,
			enum tn_plan_side side)
{
	unsigned shown = 0, more = 0;
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);

		if (!tn_str_equal(path.owner, rule->owner) || !is_source(path.name) ||
		    !tn_plan_side_text(at, side, &text) || text.size == 0)
			continue;
		if (shown == SOURCES_SHOWN) {
			more++;
			continue;
		}
		if (shown++ > 0)
			tn_buf_append_text(out, " and ");
		if (is_everybody(text)) {
			tn_buf_append_text(out, "everybody");
		} else {
			tn_buf_append_byte(out, '"');
			tn_plan_put_clean(out, text, TN_PLAN_SHOWN_CHARACTERS);
			tn_buf_append_byte(out, '"');
			put_range_end(out, rule, path.name, side);
		}
	}
	if (more)
		tn_buf_format(out, " and %u more", more);
	if (shown == 0 && tn_plan_block_says(rule, side, "self", "true"))
		tn_buf_append_text(out, "its own members");
}

/* Nothing where the rule is not there on that side. */
static void put_rule(struct tn_buf *out, const struct tn_plan_entry *entry,
		     const struct tn_plan_block *rule, enum tn_plan_side side)
{
	struct tn_plan_rule_facts facts;
	struct tn_buf sources;

	tn_buf_init(&sources, TN_PLAN_LINES_BYTES_MAX);
	put_sources(&sources, rule, side);
	tn_buf_inherit_failure(out, &sources);
	if (sources.size > 0) {
		tn_plan_rule_read(entry, rule, side, &facts);
		tn_buf_append_text(out, facts.denies ? "keeps " : "lets ");
		if (!facts.ports.out)
			tn_buf_append_str(out, tn_buf_str(&sources));
		else
			tn_buf_append_text(out, "it");
		if (facts.denies)
			tn_buf_append_text(out, facts.ports.out ? " from reaching " : " out");
		else
			tn_buf_append_text(out, facts.ports.out ? " reach " : " in");
		if (facts.ports.out)
			tn_buf_append_str(out, tn_buf_str(&sources));
		if (facts.ports.range_count > 0 && facts.ports.ranges[0].low != TN_PLAN_NO_PORT) {
			tn_buf_append_text(out, " on ");
			tn_plan_put_ports(out, facts.ports.ranges, facts.ports.range_count);
			if (facts.ports.more)
				tn_buf_append_text(out, " and more");
		}
		if (facts.disabled)
			tn_buf_append_text(out, " (switched off)");
	}
	tn_buf_finish(&sources);
}

/* ---- all of them ---- */

/* One line each, so that equal rules are equal lines. */
static void list_rules(struct tn_buf *lines, const struct tn_plan_entry *entry,
		       enum tn_plan_side side, bool without_everybody)
{
	static const struct tn_str everybody = {"lets everybody in", 17};
	struct tn_str last = {NULL, 0};

	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);
		struct tn_plan_block rule;
		size_t before = lines->size;

		if ((!is_source(path.name) && !tn_str_is(path.name, "self")) ||
		    tn_plan_path_is_remark(attribute->path) ||
		    (last.data && tn_str_equal(last, path.owner)))
			continue;
		last = path.owner;
		rule = tn_plan_block_around(entry, attribute, path.owner);
		put_rule(lines, entry, &rule, side);
		if (without_everybody && !lines->failed && lines->size > before &&
		    tn_str_starts(tn_str_from_offset(tn_buf_str(lines), before), everybody))
			lines->size = before; /* told already */
		if (lines->size > before)
			tn_buf_append_byte(lines, '\n');
	}
}

bool tn_plan_put_rules(struct tn_buf *out, const struct tn_plan_entry *entry,
		       enum tn_plan_side side)
{
	size_t start = out->size;
	struct tn_buf lines;

	tn_buf_init(&lines, TN_PLAN_LINES_BYTES_MAX);
	list_rules(&lines, entry, side, false);
	tn_buf_inherit_failure(out, &lines);
	(void)tn_plan_put_difference(out, start, tn_buf_str(&lines), tn_str("", 0), "");
	tn_buf_finish(&lines);
	return out->size > start;
}

static bool has_block_remark(const struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);

		if (attribute->change != TN_PLAN_ATTR_UNCHANGED && path.owner.size > 0 &&
		    tn_str_is(path.name, "description"))
			return true;
	}
	return false;
}

static bool changes_rules(const struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (entry->attributes.items[i].change != TN_PLAN_ATTR_UNCHANGED &&
		    is_source(tn_plan_path_split(entry->attributes.items[i].path).name))
			return true;
	return false;
}

bool tn_plan_put_rule_changes(struct tn_buf *out, const struct tn_plan_entry *entry,
			      bool without_everybody)
{
	size_t start = out->size;
	struct tn_buf before, after;
	unsigned changes;

	tn_buf_init(&before, TN_PLAN_LINES_BYTES_MAX);
	tn_buf_init(&after, TN_PLAN_LINES_BYTES_MAX);
	list_rules(&before, entry, TN_PLAN_BEFORE, without_everybody);
	list_rules(&after, entry, TN_PLAN_AFTER, without_everybody);
	tn_buf_inherit_failure(out, &before);
	tn_buf_inherit_failure(out, &after);
	changes = tn_plan_put_difference(out, start, tn_buf_str(&after), tn_buf_str(&before), "");
	changes += tn_plan_put_difference(out, start, tn_buf_str(&before), tn_buf_str(&after),
					  "no longer ");
	if (changes == 0 && !without_everybody && has_block_remark(entry))
		tn_buf_append_text(out, "only the descriptions of its rules change");
	else if (changes == 0 && !without_everybody && before.size > 0 && changes_rules(entry))
		tn_buf_append_text(out, "its rules stay, in another order");
	tn_buf_finish(&after);
	tn_buf_finish(&before);
	return out->size > start;
}
