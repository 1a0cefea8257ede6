#include "apps/plan/explain/rules.h"

#include "apps/plan/explain/cidr.h"
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/lines.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/turn.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"

enum { SOURCES_SHOWN = 3 };

/* ---- one rule ---- */

bool tn_plan_rule_is_source(struct tn_str name)
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

/* One source of one rule. */
struct key {
	struct tn_str source;
	struct tn_plan_rule_facts facts;
};

struct listing {
	const struct tn_plan_entry *entry;
	enum tn_plan_side side;
	const struct tn_buf *other; /* struct key each: what these hold is not told; NULL: all is */
	bool without_everybody;     /* what everybody may reach is told elsewhere */
	bool as_keys;               /* for comparing, not for reading */
	bool exact;                 /* that a wider rule holds it does not count */
};

/* Everything but who it is about: "lets " and " in on port 22" around the sources. */
static void put_around(struct tn_buf *out, const struct tn_plan_rule_facts *facts,
		       struct tn_str sources)
{
	tn_buf_append_text(out, facts->denies ? "keeps " : "lets ");
	if (facts->ports.out)
		tn_buf_append_text(out, "it");
	else
		tn_buf_append_str(out, sources);
	if (facts->denies)
		tn_buf_append_text(out, facts->ports.out ? " from reaching " : " out");
	else
		tn_buf_append_text(out, facts->ports.out ? " reach " : " in");
	if (facts->ports.out)
		tn_buf_append_str(out, sources);
	if (facts->ports.range_count > 0 && facts->ports.ranges[0].low != TN_PLAN_NO_PORT) {
		tn_buf_append_text(out, " on ");
		tn_plan_put_ports(out, facts->ports.ranges, facts->ports.range_count);
		if (facts->ports.more)
			tn_buf_append_text(out, " and more");
	}
	if (facts->disabled)
		tn_buf_append_text(out, " (switched off)");
}

static bool is_same_port(struct tn_plan_ports one, struct tn_plan_ports other)
{
	return one.low == other.low && one.high == other.high;
}

static bool is_among_ports(struct tn_plan_ports range, const struct tn_plan_opening *ports)
{
	for (unsigned i = 0; i < ports->range_count; i++)
		if (ports->ranges[i].low <= range.low && range.high <= ports->ranges[i].high)
			return true;
	return false;
}

static bool is_same_rule(const struct tn_plan_rule_facts *one,
			 const struct tn_plan_rule_facts *other)
{
	if (one->ports.range_count != other->ports.range_count ||
	    one->ports.more != other->ports.more)
		return false;
	for (unsigned i = 0; i < one->ports.range_count; i++)
		if (!is_same_port(one->ports.ranges[i], other->ports.ranges[i]))
			return false;
	return true;
}

/* All ports of the one are among those of the other. */
static bool is_inside(const struct tn_plan_rule_facts *one, const struct tn_plan_rule_facts *other)
{
	if (one->ports.more)
		return is_same_rule(one, other);
	for (unsigned i = 0; i < one->ports.range_count; i++)
		if (!is_among_ports(one->ports.ranges[i], &other->ports))
			return false;
	return true;
}

/* The other side has it: what comes was there just so, and what goes stays where a wider rule
 * holds it. */
static bool is_there(const struct listing *listing, const struct key *key)
{
	size_t count = listing->other ? listing->other->size / sizeof(*key) : 0;

	for (size_t i = 0; i < count; i++) {
		struct key other;

		memcpy(&other, listing->other->data + i * sizeof(other), sizeof(other));
		if (other.facts.denies != key->facts.denies ||
		    other.facts.disabled != key->facts.disabled ||
		    other.facts.ports.out != key->facts.ports.out)
			continue;
		if (listing->side == TN_PLAN_AFTER || listing->exact
			    ? tn_str_equal(other.source, key->source) &&
				      is_same_rule(&key->facts, &other.facts)
			    : tn_plan_range_holds(other.source, key->source) &&
				      is_inside(&key->facts, &other.facts))
			return true;
	}
	return false;
}

struct sources {
	const struct listing *listing;
	const struct tn_plan_block *rule;
	struct tn_plan_rule_facts facts;
	struct tn_buf text; /* of those that are told */
	unsigned shown, more, all;
};

static bool is_told(const struct sources *sources, const struct key *key)
{
	const struct listing *listing = sources->listing;

	if (listing->without_everybody && is_everybody(key->source) && !key->facts.denies &&
	    !key->facts.ports.out)
		return false;
	return !is_there(listing, key);
}

static void add_source(struct tn_buf *out, struct sources *sources, struct tn_str name,
		       struct tn_str source)
{
	struct key key = {source, sources->facts};

	sources->all++;
	if (sources->listing->as_keys) {
		tn_buf_append(out, &key, sizeof(key));
		return;
	}
	if (!is_told(sources, &key))
		return;
	if (sources->shown == SOURCES_SHOWN) {
		sources->more++;
		return;
	}
	if (sources->shown++ > 0)
		tn_buf_append_text(&sources->text, " and ");
	if (is_everybody(source)) {
		tn_buf_append_text(&sources->text, tn_str_is(source, "::/0")
							   ? "everybody with an IPv6 address"
							   : "everybody");
	} else if (name.size == 0) {
		tn_buf_append_str(&sources->text, source);
	} else {
		tn_buf_append_byte(&sources->text, '"');
		tn_plan_put_clean(&sources->text, source, TN_PLAN_SHOWN_CHARACTERS);
		tn_buf_append_byte(&sources->text, '"');
		put_range_end(&sources->text, sources->rule, name, sources->listing->side);
	}
}

static void add_sources(struct tn_buf *out, struct sources *sources)
{
	const struct tn_plan_block *rule = sources->rule;
	enum tn_plan_side side = sources->listing->side;
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);

		if (tn_str_equal(path.owner, rule->owner) && tn_plan_rule_is_source(path.name) &&
		    tn_plan_side_text(at, side, &text) && text.size > 0)
			add_source(out, sources, path.name, text);
	}
	if (sources->all == 0 && tn_plan_block_says(rule, side, "self", "true"))
		add_source(out, sources, tn_str("", 0), TN_STR("its own members"));
	if (sources->more)
		tn_buf_format(&sources->text, " and %u more", sources->more);
}

/* A line, or keys; nothing where the rule is not there on that side, or has been told. */
static void put_rule(struct tn_buf *out, const struct listing *listing,
		     const struct tn_plan_block *rule)
{
	struct sources sources = {.listing = listing, .rule = rule};

	tn_buf_init(&sources.text, TN_PLAN_LINES_BYTES_MAX);
	tn_plan_rule_read(listing->entry, rule, listing->side, &sources.facts);
	add_sources(out, &sources);
	tn_buf_inherit_failure(out, &sources.text);
	if (sources.text.size > 0) {
		put_around(out, &sources.facts, tn_buf_str(&sources.text));
		tn_buf_append_byte(out, '\n');
	}
	tn_buf_finish(&sources.text);
}

/* ---- all of them ---- */

/* One line each, so that equal rules are equal lines. */
static void list_rules(struct tn_buf *lines, const struct listing *listing)
{
	const struct tn_plan_entry *entry = listing->entry;
	struct tn_str last = {NULL, 0};

	tn_buf_init(lines, TN_PLAN_LINES_BYTES_MAX);
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);
		struct tn_plan_block rule;

		if ((!tn_plan_rule_is_source(path.name) && !tn_str_is(path.name, "self")) ||
		    tn_plan_path_is_remark(attribute->path) ||
		    (last.data && tn_str_equal(last, path.owner)))
			continue;
		last = path.owner;
		rule = tn_plan_block_around(entry, attribute, path.owner);
		put_rule(lines, listing, &rule);
	}
}

bool tn_plan_put_rules(struct tn_buf *out, const struct tn_plan_entry *entry,
		       enum tn_plan_side side)
{
	struct listing listing = {.entry = entry, .side = side};
	size_t start = out->size;
	struct tn_buf lines;

	list_rules(&lines, &listing);
	tn_buf_inherit_failure(out, &lines);
	(void)tn_plan_put_difference(out, start, tn_buf_str(&lines), tn_str("", 0), "");
	tn_buf_finish(&lines);
	return out->size > start;
}

/* Those of one side that the other one has not. Returns how many there are. */
static unsigned put_side(struct tn_buf *out, size_t start, struct listing listing,
			 const char *before)
{
	struct listing other = {.entry = listing.entry,
				.side = listing.side == TN_PLAN_AFTER ? TN_PLAN_BEFORE
								      : TN_PLAN_AFTER,
				.as_keys = true};
	struct tn_buf keys, lines;
	unsigned changes;

	list_rules(&keys, &other);
	listing.other = &keys;
	list_rules(&lines, &listing);
	tn_buf_inherit_failure(out, &keys);
	tn_buf_inherit_failure(out, &lines);
	changes = tn_plan_put_difference(out, start, tn_buf_str(&lines), tn_str("", 0), before);
	tn_buf_finish(&lines);
	tn_buf_finish(&keys);
	return changes;
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
		    tn_plan_rule_is_source(
			    tn_plan_path_split(entry->attributes.items[i].path).name))
			return true;
	return false;
}

/* There were some, and each of them is there afterwards. */
static bool all_stay(const struct tn_plan_entry *entry)
{
	struct listing listing = {.entry = entry, .side = TN_PLAN_BEFORE, .exact = true};
	struct tn_buf lines;
	bool stay;

	list_rules(&lines, &listing);
	stay = lines.size > 0;
	tn_buf_clear(&lines);
	stay = stay && put_side(&lines, 0, listing, "") == 0;
	tn_buf_finish(&lines);
	return stay;
}

bool tn_plan_put_rule_changes(struct tn_buf *out, const struct tn_plan_entry *entry,
			      bool without_everybody)
{
	struct listing listing = {
		.entry = entry, .side = TN_PLAN_AFTER, .without_everybody = without_everybody};
	size_t start = out->size;
	unsigned changes = put_side(out, start, listing, "");

	listing.side = TN_PLAN_BEFORE;
	changes += put_side(out, start, listing, "no longer ");
	if (changes == 0 && !without_everybody && has_block_remark(entry))
		tn_buf_append_text(out, "only the descriptions of its rules change");
	else if (changes == 0 && !without_everybody && changes_rules(entry) && all_stay(entry))
		tn_buf_append_text(out, "its rules stay, in another order");
	return out->size > start;
}

/* ---- what is no longer kept out ---- */

/* Most objects deny nothing; of one whose sources are not known yet, nothing is lost. */
static bool may_lose_denial(const struct tn_plan_entry *entry)
{
	static const char *const words[] = {"deny", "block"};
	bool denies = false;
	struct tn_str text;

	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];

		if (at->unknown && tn_plan_rule_is_source(tn_plan_path_split(at->path).name))
			return false;
		if (tn_plan_side_text(at, TN_PLAN_BEFORE, &text))
			denies = denies || tn_plan_is_one_of(text, words, TN_COUNT(words)) ||
				 tn_str_is(tn_plan_path_root(at->path), "deny");
	}
	return denies;
}

static enum tn_plan_denial lost_among(const struct tn_buf *were, const struct listing *before)
{
	enum tn_plan_denial lost = TN_PLAN_DENIES_AS_BEFORE;
	struct key key;

	for (size_t at = 0; at + sizeof(key) <= were->size; at += sizeof(key)) {
		memcpy(&key, were->data + at, sizeof(key));
		if (!key.facts.denies || key.facts.disabled || is_there(before, &key))
			continue;
		if (!key.facts.ports.out)
			return TN_PLAN_DENIES_LESS_IN;
		lost = TN_PLAN_DENIES_LESS_OUT;
	}
	return lost;
}

bool tn_plan_find_lost_denial(const struct tn_plan_entry *entry, enum tn_plan_denial *ret)
{
	struct listing before = {.entry = entry, .side = TN_PLAN_BEFORE, .as_keys = true};
	struct listing after = {.entry = entry, .side = TN_PLAN_AFTER, .as_keys = true};
	struct tn_buf were, are;
	bool starved;

	*ret = TN_PLAN_DENIES_AS_BEFORE;
	if (!may_lose_denial(entry))
		return true;
	list_rules(&were, &before);
	list_rules(&are, &after);
	before.other = &are;
	if (!were.failed && !are.failed)
		*ret = lost_among(&were, &before);
	starved = were.starved || are.starved;
	tn_buf_finish(&are);
	tn_buf_finish(&were);
	return !starved;
}
