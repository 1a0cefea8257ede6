/* risk_rule.c - the rules by number, and the findings that they lead to. */
#include "apps/plan/explain/risk_rules.h"

#include "base/mem.h"
#include "base/size.h"

enum { FIRST_CAPACITY = 64, FACT_SLACK = 64 };

static const struct tn_plan_rule rules[TN_PLAN_RULE_COUNT] = {
	[TN_PLAN_RULE_DATA_DELETE] = {"RISK-DATA-DELETE", "Data is deleted", TN_PLAN_RISK_CRITICAL},
	[TN_PLAN_RULE_DATA_REPLACE] = {"RISK-DATA-REPLACE", "Data is lost by a replacement",
				       TN_PLAN_RISK_CRITICAL},
	[TN_PLAN_RULE_DATA_PROTECT_OFF] = {"RISK-DATA-PROTECT-OFF",
					   "Protection of data is turned off", TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_DATA_EXPIRES] = {"RISK-DATA-EXPIRES", "Data is deleted by its age",
				       TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_DELETE] = {"RISK-DELETE", "An object is deleted", TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_REPLACE_DOWNTIME] = {"RISK-REPLACE-DOWNTIME", "Down while it is replaced",
					   TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_ACCESS_OPEN] = {"RISK-ACCESS-OPEN", "Open to everybody", TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_PUBLIC_DATA] = {"RISK-PUBLIC-DATA", "Data becomes public", TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_IAM] = {"RISK-IAM", "Permissions change", TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_ENCRYPTION_OFF] = {"RISK-ENCRYPTION-OFF", "Encryption is weakened",
					 TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_SECURITY_OFF] = {"RISK-SECURITY-OFF", "Security is weakened",
				       TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_KEY_LOSS] = {"RISK-KEY-LOSS", "A key or secret is lost",
				   TN_PLAN_RISK_CRITICAL},
	[TN_PLAN_RULE_KEY_OFF] = {"RISK-KEY-OFF", "A key is switched off", TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_SECRET_ROTATES] = {"RISK-SECRET-ROTATES", "A secret gets a new value",
					 TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_DNS] = {"RISK-DNS", "A DNS name changes", TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_CAPACITY_ZERO] = {"RISK-CAPACITY-ZERO", "Capacity goes to zero",
					TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_RESTART] = {"RISK-RESTART", "A restart is likely", TN_PLAN_RISK_LOW},
	[TN_PLAN_RULE_UNKNOWN_REPLACE] = {"RISK-UNKNOWN-REPLACE", "Replaced without visible cause",
					  TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_FORGET] = {"RISK-FORGET", "No longer managed", TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_IMPORT_DESTROY] = {"RISK-IMPORT-DESTROY", "Imported and destroyed at once",
					 TN_PLAN_RISK_CRITICAL},
	[TN_PLAN_RULE_MANY_DELETES] = {"RISK-MANY-DELETES", "Many objects are removed",
				       TN_PLAN_RISK_HIGH},
	[TN_PLAN_RULE_DRIFT_REVERT] = {"RISK-DRIFT-REVERT", "A change made outside is undone",
				       TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_ERRORED] = {"RISK-ERRORED", "The plan is incomplete", TN_PLAN_RISK_MEDIUM},
	[TN_PLAN_RULE_INCONSISTENT] = {"RISK-INCONSISTENT", "The text is cut off or altered",
				       TN_PLAN_RISK_MEDIUM},
};

const struct tn_plan_rule *tn_plan_rules(size_t *ret_count)
{
	*ret_count = TN_PLAN_RULE_COUNT;
	return rules;
}

static bool make_room(struct tn_plan_risks *risks)
{
	uint32_t capacity = risks->capacity ? risks->capacity * 2 : FIRST_CAPACITY;
	struct tn_plan_finding *items;
	size_t bytes;

	if (risks->count < risks->capacity)
		return true;
	if (risks->failed || !tn_size_mul(capacity, sizeof(*items), &bytes))
		return false;
	items = tn_mem_resize(risks->items, bytes);
	if (!items) {
		risks->failed = true;
		return false;
	}
	risks->items = items;
	risks->capacity = capacity;
	return true;
}

/* In the plan's arena, whose limit grows by what is kept: how much a plan's own text may take has
 * been decided before. */
struct tn_str tn_plan_risk_keep(struct tn_plan_risks *risks, struct tn_str text)
{
	struct tn_arena *arena = &risks->plan->arena;
	char *copy;

	if (text.size == 0)
		return tn_str("", 0);
	arena->limit += text.size + FACT_SLACK;
	copy = tn_arena_copy(arena, text);
	risks->failed = risks->failed || !copy;
	return tn_str(copy ? copy : "", copy ? text.size : 0);
}

void tn_plan_risk_add(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
		      enum tn_plan_risk level, const char *detail,
		      const struct tn_plan_attribute *evidence)
{
	tn_plan_risk_add_fact(risks, rule, level, detail, evidence, tn_str("", 0));
}

void tn_plan_risk_add_fact(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
			   enum tn_plan_risk level, const char *detail,
			   const struct tn_plan_attribute *evidence, struct tn_str fact)
{
	struct tn_plan_finding finding = {
		.id = rules[rule].id,
		.level = level,
		.change = risks->change,
		.title = tn_str_from(rules[rule].title),
		.detail = tn_str_from(detail),
		.fact = tn_plan_risk_keep(risks, fact),
		.crowd = (uint8_t)risks->crowd,
	};
	uint32_t at;

	if (risks->title)
		finding.title = tn_str_from(risks->title);
	if (!make_room(risks))
		return;
	if (evidence) {
		finding.path = evidence->path;
		finding.before = evidence->before;
		finding.after = evidence->after;
	}
	/* Highest first within one change, in order of discovery within a level. */
	for (at = risks->count; at > risks->first && risks->items[at - 1].level < level; at--)
		risks->items[at] = risks->items[at - 1];
	risks->items[at] = finding;
	risks->count++;
}

void tn_plan_risk_begin(struct tn_plan_risks *risks, uint32_t change)
{
	risks->entry = &risks->plan->changes[change];
	risks->change = change;
	risks->first = risks->count;
}

/* The whole plan is behind all of its changes. */
static uint32_t place_of(const struct tn_plan_risks *risks, const struct tn_plan_finding *finding)
{
	return finding->change == TN_PLAN_NO_CHANGE ? risks->plan->change_count : finding->change;
}

/* Those of one change stand together; few of them are not where they belong. */
static void put_highest_first(struct tn_plan_finding *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t at = i; at > 0 && items[at].change == items[at - 1].change &&
				      items[at].level > items[at - 1].level;
		     at--) {
			struct tn_plan_finding other = items[at];

			items[at] = items[at - 1];
			items[at - 1] = other;
		}
}

void tn_plan_risk_put_in_order(struct tn_plan_risks *risks)
{
	size_t places = (size_t)risks->plan->change_count + 2;
	uint32_t *ends = tn_mem_alloc(places * sizeof(*ends)); /* zeroed */
	struct tn_plan_finding *items = tn_mem_alloc(risks->capacity * sizeof(*items));

	if (ends && items) {
		for (uint32_t i = 0; i < risks->count; i++)
			ends[place_of(risks, &risks->items[i]) + 1]++;
		for (size_t i = 1; i < places; i++)
			ends[i] += ends[i - 1];
		for (uint32_t i = 0; i < risks->count; i++)
			items[ends[place_of(risks, &risks->items[i])]++] = risks->items[i];
		memcpy(risks->items, items, risks->count * sizeof(*items));
		put_highest_first(risks->items, risks->count);
	} else {
		risks->failed = true;
	}
	tn_mem_free(items);
	tn_mem_free(ends);
}
