/* risk_join.c - RISK-ACCESS-OPEN: rules that each let in a part of the internet, and together half
 * of it or all.
 *
 * They stand in one group, as objects of their own or as its blocks. What counts is what they come
 * to for the ports of each of them, before the change and after it. */
#include <stdlib.h>

#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/risk_rules.h"
#include "base/mem.h"
#include "base/size.h"

enum { FIRST_CAPACITY = 64 };

/* One range of one rule, on one side. */
struct part {
	struct tn_str group;
	bool inside; /* a block of the group, which is the object; else an object that names it */
	uint32_t unit, change;
	enum tn_plan_side side;
	const struct tn_plan_attribute *address;
	struct tn_str owner, range, protocol;
	struct tn_plan_opening ports;
};

struct parts {
	struct part *items;
	uint32_t count, capacity;
	bool failed; /* no memory */
};

/* ---- collecting ---- */

static bool find_group(const struct tn_plan_entry *entry, enum tn_plan_side side,
		       struct tn_str *ret)
{
	static const char *const names[] = {"security_group_id", "network_security_group_name",
					    "security_group", "network", "network_acl_id"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const struct tn_plan_attribute *at = tn_plan_find_attribute(entry, names[i]);

		if (at && tn_plan_side_text(at, side, ret) && ret->size > 0)
			return true;
	}
	return false;
}

static bool make_room(struct parts *parts)
{
	uint32_t capacity = parts->capacity ? parts->capacity * 2 : FIRST_CAPACITY;
	struct part *items;
	size_t bytes;

	if (parts->count < parts->capacity)
		return true;
	if (!tn_size_mul(capacity, sizeof(*items), &bytes))
		return false;
	items = tn_mem_resize(parts->items, bytes);
	if (!items)
		return false;
	parts->items = items;
	parts->capacity = capacity;
	return true;
}

static struct tn_str protocol_of(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	const struct tn_plan_attribute *named = tn_plan_block_get(rule, "protocol");
	struct tn_str text;

	if (!named)
		named = tn_plan_block_get(rule, "ip_protocol");
	return named && tn_plan_side_text(named, side, &text) ? text : tn_str("", 0);
}

static void add_part(struct parts *parts, const struct tn_plan *plan, uint32_t change,
		     const struct tn_plan_attribute *address, enum tn_plan_side side)
{
	const struct tn_plan_entry *entry = &plan->changes[change];
	struct tn_plan_path path = tn_plan_path_split(address->path);
	struct tn_plan_block rule = tn_plan_block_around(entry, address, path.owner);
	struct part part = {.unit = entry->unit,
			    .change = change,
			    .side = side,
			    .address = address,
			    .owner = path.owner,
			    .inside = path.owner.size > 0,
			    .group = entry->address};
	struct tn_plan_rule_facts facts;

	if (!tn_plan_side_text(address, side, &part.range) || !tn_plan_is_wide_range(part.range) ||
	    (!part.inside && !find_group(entry, side, &part.group)))
		return;
	tn_plan_rule_read(entry, &rule, side, &facts);
	if (facts.denies || facts.disabled)
		return;
	part.ports = facts.ports;
	part.ports.out = facts.ports.out || tn_str_starts(path.name, TN_STR("destination_"));
	part.protocol = protocol_of(&rule, side);
	if (make_room(parts))
		parts->items[parts->count++] = part;
	else
		parts->failed = true;
}

static void collect(struct parts *parts, const struct tn_plan *plan, uint32_t change)
{
	const struct tn_plan_entry *entry = &plan->changes[change];

	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *at = &entry->attributes.items[i];

		if (!tn_plan_is_rule_address(entry, at))
			continue;
		add_part(parts, plan, change, at, TN_PLAN_BEFORE);
		add_part(parts, plan, change, at, TN_PLAN_AFTER);
	}
}

/* Those of one group stand together, in the order of the plan. */
static int by_group(const void *one, const void *other)
{
	const struct part *a = one, *b = other;
	int order = tn_str_compare(a->group, b->group);

	if (order == 0)
		order = (int)a->inside - (int)b->inside;
	if (order == 0 && a->unit != b->unit)
		order = a->unit < b->unit ? -1 : 1;
	if (order == 0 && a->change != b->change)
		order = a->change < b->change ? -1 : 1;
	if (order == 0 && a->address != b->address)
		order = a->address < b->address ? -1 : 1;
	return order ? order : (int)a->side - (int)b->side;
}

static bool is_same_group(const struct part *one, const struct part *other)
{
	return one->inside == other->inside && one->unit == other->unit &&
	       tn_str_equal(one->group, other->group);
}

/* ---- joining ---- */

static bool is_every_protocol(struct tn_str text)
{
	return text.size == 0 || tn_str_is(text, "-1") || tn_str_is(text, "*") ||
	       tn_str_equal_nocase(text, TN_STR("all")) || tn_str_equal_nocase(text, TN_STR("any"));
}

static bool holds_range(const struct tn_plan_opening *ports, struct tn_plan_ports range)
{
	for (unsigned i = 0; i < ports->range_count; i++)
		if (ports->ranges[i].low <= range.low && range.high <= ports->ranges[i].high)
			return true;
	return false;
}

/* Whoever the part lets in reaches all ports of the other one. */
static bool reaches(const struct part *part, const struct part *target)
{
	if (part->ports.out != target->ports.out || target->ports.more ||
	    (!is_every_protocol(part->protocol) &&
	     !tn_str_equal_nocase(part->protocol, target->protocol)))
		return false;
	for (unsigned i = 0; i < target->ports.range_count; i++)
		if (!holds_range(&part->ports, target->ports.ranges[i]))
			return false;
	return true;
}

/* Those that reach what the target does come to these parts of the internet. */
static unsigned come_to(const struct part *group, size_t count, const struct part *target,
			enum tn_plan_side side)
{
	struct tn_plan_joined joined = {.count = 0};
	unsigned parts = 0;

	for (size_t i = 0; i < count; i++)
		if (group[i].side == side && reaches(&group[i], target))
			parts |= tn_plan_join(&joined, group[i].range);
	return parts;
}

/* It is not there already by a wider one, and somebody comes from there. */
static bool takes_part(const struct part *group, size_t count, const struct part *part)
{
	if (tn_plan_is_nobodys(part->range))
		return false;
	for (size_t i = 0; i < count; i++)
		if (group[i].side == TN_PLAN_AFTER && reaches(&group[i], part) &&
		    !tn_str_equal(group[i].range, part->range) &&
		    tn_plan_range_holds(group[i].range, part->range))
			return false;
	return true;
}

/* ---- telling ---- */

struct joining {
	struct tn_plan_risks *risks;
	uint32_t earlier; /* so many findings stand in the order of their changes */
	uint32_t first;   /* the first one that was added for this group */
	const struct part *group;
	size_t count;
};

static bool is_of_rule(const struct tn_plan_finding *finding, const struct part *part)
{
	return finding->change == part->change && strcmp(finding->id, "RISK-ACCESS-OPEN") == 0 &&
	       tn_str_starts(finding->path, part->owner);
}

/* The first of the earlier findings that is of this change, or of a later one. */
static uint32_t find_change(const struct joining *joining, uint32_t change)
{
	uint32_t low = 0, high = joining->earlier;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (joining->risks->items[middle].change < change)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The rule was told already: by what it opens alone, or by another range of it. */
static struct tn_plan_finding *find_told(const struct joining *joining, const struct part *part)
{
	struct tn_plan_finding *items = joining->risks->items;

	for (uint32_t i = find_change(joining, part->change);
	     i < joining->earlier && items[i].change == part->change; i++)
		if (is_of_rule(&items[i], part))
			return &items[i];
	for (uint32_t i = joining->first; i < joining->risks->count; i++)
		if (is_of_rule(&items[i], part))
			return &items[i];
	return NULL;
}

static void tell(const struct joining *joining, const struct part *part, enum tn_plan_crowd crowd)
{
	struct tn_plan_opening opening = part->ports;
	struct tn_plan_finding *told = find_told(joining, part);

	if (told && told->crowd != crowd && crowd == TN_PLAN_EVERYBODY)
		tn_plan_risk_widen(told);
	if (told)
		return;
	opening.evidence = part->address;
	opening.crowd = crowd;
	tn_plan_risk_begin(joining->risks, part->change);
	tn_plan_risk_opening(joining->risks, &opening);
}

static bool changes(const struct tn_plan *plan, const struct part *part)
{
	const struct tn_plan_entry *entry = &plan->changes[part->change];
	struct tn_plan_block rule = tn_plan_block_around(entry, part->address, part->owner);

	for (const struct tn_plan_attribute *at = rule.first; at < rule.end; at++)
		if (at->change != TN_PLAN_ATTR_UNCHANGED &&
		    !tn_plan_path_is_remark(tn_str_from_offset(at->path, rule.owner.size)))
			return true;
	return false;
}

static bool is_equal(const struct part *one, const struct part *other)
{
	return reaches(one, other) && reaches(other, one);
}

/* What the target reaches is opened to more of the internet by all of them together. */
static void join_for(const struct joining *joining, const struct part *target)
{
	static const unsigned all = TN_PLAN_LOW_HALF | TN_PLAN_HIGH_HALF;
	const struct part *group = joining->group;
	unsigned after = come_to(group, joining->count, target, TN_PLAN_AFTER) & all;
	unsigned before = come_to(group, joining->count, target, TN_PLAN_BEFORE);

	for (size_t i = 0; i < joining->count && after & ~before; i++) {
		bool low = tn_plan_range_holds(TN_STR("0.0.0.0/1"), group[i].range);
		unsigned half = low ? TN_PLAN_LOW_HALF : TN_PLAN_HIGH_HALF;
		enum tn_plan_crowd crowd = low ? TN_PLAN_LOW_CROWD : TN_PLAN_HIGH_CROWD;

		if (group[i].side == TN_PLAN_AFTER && after & ~before & half &&
		    is_equal(&group[i], target) && changes(joining->risks->plan, &group[i]) &&
		    takes_part(group, joining->count, &group[i]))
			tell(joining, &group[i], after == all ? TN_PLAN_EVERYBODY : crowd);
	}
}

static bool is_done(const struct part *group, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (group[i].side == TN_PLAN_AFTER && is_equal(&group[i], &group[at]))
			return true;
	return false;
}

static void join_group(struct joining *joining)
{
	joining->first = joining->risks->count;
	if (joining->count > TN_PLAN_PARTS_JOINED_MAX)
		joining->count = TN_PLAN_PARTS_JOINED_MAX;
	for (size_t i = 0; i < joining->count; i++)
		if (joining->group[i].side == TN_PLAN_AFTER && !is_done(joining->group, i))
			join_for(joining, &joining->group[i]);
}

static void join_all(struct joining *joining, const struct parts *parts)
{
	for (uint32_t at = 0, end; at < parts->count; at = end) {
		for (end = at + 1;
		     end < parts->count && is_same_group(&parts->items[at], &parts->items[end]);)
			end++;
		joining->group = &parts->items[at];
		joining->count = end - at;
		if (joining->count > 1)
			join_group(joining);
	}
}

void tn_plan_risk_join(struct tn_plan_risks *risks)
{
	struct joining joining = {.risks = risks, .earlier = risks->count};
	struct parts parts = {.items = NULL};

	for (uint32_t i = 0; i < risks->plan->change_count; i++)
		if (tn_plan_type_class(risks->plan->changes[i].type) == TN_PLAN_ACCESS)
			collect(&parts, risks->plan, i);
	if (parts.count > 1) {
		qsort(parts.items, parts.count, sizeof(*parts.items), by_group);
		join_all(&joining, &parts);
	}
	risks->failed = risks->failed || parts.failed;
	if (risks->count > joining.earlier && !risks->failed)
		tn_plan_risk_put_in_order(risks);
	tn_mem_free(parts.items);
}
