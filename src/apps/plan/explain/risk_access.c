/* risk_access.c - RISK-ACCESS-OPEN: what an object's rules open to everybody. */
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/rules.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/map.h"
#include "base/size.h"

enum { FACT_BYTES = 256, KEY_BYTES = 1024, HALVES = 2 };

/* By what may be reached: anything, every port, a precious one, whatever is outside. */
enum reached { SOMETHING, EVERYTHING, PRECIOUS, OUTSIDE };

static const struct {
	enum tn_plan_risk level;
	const char *detail, *half, *six;
} tellings[] = {
	[SOMETHING] = {TN_PLAN_RISK_HIGH,
		       "Everybody on the internet may come in through this rule.",
		       "Half of the internet may come in through this rule.",
		       "Everybody with an IPv6 address may come in through this rule."},
	[EVERYTHING] = {TN_PLAN_RISK_CRITICAL, "Everybody on the internet may reach every port.",
			"Half of the internet may reach every port.",
			"Everybody with an IPv6 address may reach every port."},
	[PRECIOUS] = {TN_PLAN_RISK_CRITICAL,
		      "Everybody on the internet may reach a port used for administration or "
		      "data.",
		      "Half of the internet may reach a port used for administration or data.",
		      "Everybody with an IPv6 address may reach a port used for administration or "
		      "data."},
	[OUTSIDE] = {TN_PLAN_RISK_LOW, "What is behind this rule may reach any address.",
		     "What is behind this rule may reach half of the internet.",
		     "What is behind this rule may reach any IPv6 address."},
};

static const char *const titles[] = {"Open to everybody", "Open to half of the internet",
				     "Open to half of the internet", "Open to every IPv6 address"};

static enum reached what_is_reached(const struct tn_plan_opening *opening)
{
	if (opening->out)
		return OUTSIDE;
	if (opening->all)
		return EVERYTHING;
	return opening->precious ? PRECIOUS : SOMETHING;
}

static const char *detail_of(enum reached reached, enum tn_plan_crowd crowd)
{
	if (crowd == TN_PLAN_EVERYBODY)
		return tellings[reached].detail;
	return crowd == TN_PLAN_SIX_CROWD ? tellings[reached].six : tellings[reached].half;
}

static void tell(void *context, const struct tn_plan_opening *opening)
{
	struct tn_plan_risks *risks = context;
	enum reached reached = what_is_reached(opening);
	struct tn_buf fact;

	tn_buf_init(&fact, FACT_BYTES);
	tn_plan_put_ports(&fact, opening->ranges, opening->range_count);
	if (opening->more)
		tn_buf_append_text(&fact, " and more");
	risks->failed = risks->failed || fact.starved;
	risks->crowd = opening->crowd;
	risks->title = titles[opening->crowd];
	tn_plan_risk_add_fact(risks, TN_PLAN_RULE_ACCESS_OPEN, tellings[reached].level,
			      detail_of(reached, opening->crowd), opening->evidence,
			      tn_buf_str(&fact));
	risks->crowd = TN_PLAN_EVERYBODY;
	risks->title = NULL;
	tn_buf_finish(&fact);
}

void tn_plan_risk_access(struct tn_plan_risks *risks)
{
	if (!tn_plan_find_openings(risks->entry, tell, risks))
		risks->failed = true;
}

/* ---- what is no longer kept out ---- */

bool tn_plan_risk_denial(struct tn_plan_risks *risks)
{
	static const struct {
		const char *deleted, *fact, *changed;
	} words[] = {
		[TN_PLAN_DENIES_LESS_IN] =
			{"It is deleted: what it kept out may come in, where another rule lets it.",
			 "; what it kept out may come in, where another rule lets it",
			 "What it kept out may come in, where another rule lets it."},
		[TN_PLAN_DENIES_LESS_OUT] =
			{"It is deleted: what it kept from being reached may be reached, where "
			 "another rule lets it.",
			 "; what it kept from being reached may be reached, where another rule "
			 "lets it",
			 "What it kept from being reached may be reached, where another rule lets "
			 "it."},
	};
	enum tn_plan_denial lost = TN_PLAN_DENIES_AS_BEFORE;

	if (risks->class == TN_PLAN_ACCESS && !tn_plan_find_lost_denial(risks->entry, &lost))
		risks->failed = true;
	if (lost == TN_PLAN_DENIES_AS_BEFORE)
		return false;
	if (risks->entry->action == TN_PLAN_DELETE)
		tn_plan_risk_add_fact(risks, TN_PLAN_RULE_DELETE, TN_PLAN_RISK_HIGH,
				      words[lost].deleted, NULL, tn_str_from(words[lost].fact));
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_SECURITY_OFF, TN_PLAN_RISK_MEDIUM,
				 words[lost].changed, NULL);
	return true;
}

/* ---- two halves ---- */

static bool is_half(const struct tn_plan_finding *finding)
{
	return finding->change != TN_PLAN_NO_CHANGE &&
	       (finding->crowd == TN_PLAN_LOW_CROWD || finding->crowd == TN_PLAN_HIGH_CROWD);
}

/* The group that a rule is of, and what it opens. False: the group is not known. */
static bool put_key(struct tn_buf *key, const struct tn_plan *plan,
		    const struct tn_plan_finding *finding)
{
	static const char *const groups[] = {"security_group_id", "network_security_group_name",
					     "security_group", "network", "network_acl_id"};
	const struct tn_plan_entry *entry = &plan->changes[finding->change];
	struct tn_str group;

	tn_buf_clear(key);
	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		const struct tn_plan_attribute *at = tn_plan_find_attribute(entry, groups[i]);

		if (!at || !tn_plan_side_text(at, TN_PLAN_AFTER, &group) || group.size == 0)
			continue;
		tn_buf_append_str(key, group);
		tn_buf_format(key, " %u %d ", entry->unit, finding->level);
		tn_buf_append_str(key, finding->fact);
		return !key->failed;
	}
	return false;
}

static enum tenon_code note_halves(struct tn_plan_risks *risks, struct tn_buf *key,
				   struct tn_map *halves, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (uint32_t i = 0; i < risks->count && code == TENON_OK; i++) {
		struct tn_plan_finding *finding = &risks->items[i];

		if (is_half(finding) && put_key(key, risks->plan, finding))
			code = tn_map_put(&halves[finding->crowd == TN_PLAN_HIGH_CROWD],
					  tn_buf_str(key), finding, err);
	}
	return code;
}

static struct tn_str whole_detail(struct tn_str half)
{
	for (size_t i = 0; i < TN_COUNT(tellings); i++)
		if (tn_str_is(half, tellings[i].half))
			return tn_str_from(tellings[i].detail);
	return half;
}

enum tenon_code tn_plan_risk_join_halves(struct tn_plan_risks *risks, struct tenon_error *err)
{
	struct tn_map halves[HALVES];
	struct tn_buf key;
	enum tenon_code code;

	tn_buf_init(&key, KEY_BYTES);
	for (size_t i = 0; i < HALVES; i++)
		tn_map_init(&halves[i]);
	code = note_halves(risks, &key, halves, err);
	for (uint32_t i = 0; i < risks->count && code == TENON_OK; i++) {
		struct tn_plan_finding *finding = &risks->items[i];

		if (!is_half(finding) || !put_key(&key, risks->plan, finding) ||
		    !tn_map_get(&halves[finding->crowd == TN_PLAN_LOW_CROWD], tn_buf_str(&key)))
			continue;
		finding->crowd = TN_PLAN_EVERYBODY;
		finding->title = tn_str_from(titles[TN_PLAN_EVERYBODY]);
		finding->detail = whole_detail(finding->detail);
	}
	for (size_t i = 0; i < HALVES; i++)
		tn_map_finish(&halves[i]);
	tn_buf_finish(&key);
	return code;
}
