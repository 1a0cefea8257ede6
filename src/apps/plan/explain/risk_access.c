/* risk_access.c - RISK-ACCESS-OPEN: what an object's rules open to everybody. */
#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/risk_rules.h"
#include "apps/plan/explain/rules.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

enum { FACT_BYTES = 256 };

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

void tn_plan_risk_opening(struct tn_plan_risks *risks, const struct tn_plan_opening *opening)
{
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

static void tell(void *context, const struct tn_plan_opening *opening)
{
	tn_plan_risk_opening(context, opening);
}

void tn_plan_risk_widen(struct tn_plan_finding *finding)
{
	for (size_t i = 0; i < TN_COUNT(tellings); i++)
		if (tn_str_is(finding->detail, tellings[i].half) ||
		    tn_str_is(finding->detail, tellings[i].six))
			finding->detail = tn_str_from(tellings[i].detail);
	finding->crowd = TN_PLAN_EVERYBODY;
	finding->title = tn_str_from(titles[TN_PLAN_EVERYBODY]);
}

void tn_plan_risk_access(struct tn_plan_risks *risks)
{
	if (!tn_plan_find_openings(risks->entry, tell, risks))
		risks->failed = true;
}

/* ---- who may come is not printed ---- */

static bool is_inside(struct tn_plan_ports range, const struct tn_plan_opening *ports)
{
	for (unsigned i = 0; i < ports->range_count; i++)
		if (ports->ranges[i].low <= range.low && range.high <= ports->ranges[i].high)
			return true;
	return false;
}

/* It lets in now, or to other ports; `ret_precious`: to those that matter, or to any. */
static bool lets_in_more(const struct tn_plan_rule_facts *before,
			 const struct tn_plan_rule_facts *after, bool *ret_precious)
{
	bool more = false;

	*ret_precious = (before->denies || before->disabled);
	if (after->denies || after->disabled || after->ports.out)
		return false;
	for (unsigned i = 0; i < after->ports.range_count; i++)
		if (!is_inside(after->ports.ranges[i], &before->ports)) {
			more = true;
			*ret_precious =
				*ret_precious || tn_plan_is_precious(after->ports.ranges[i]);
		}
	return more || *ret_precious;
}

/* A text leaves out what stays as it is, and the address often does. */
void tn_plan_risk_unseen(struct tn_plan_risks *risks)
{
	const struct tn_plan_entry *entry = risks->entry;
	struct tn_plan_block rule = tn_plan_block_whole(entry);
	struct tn_plan_rule_facts before, after;
	bool precious;

	if (risks->class != TN_PLAN_ACCESS || entry->hidden_attributes == 0 ||
	    entry->action == TN_PLAN_CREATE)
		return;
	tn_plan_rule_read(entry, &rule, TN_PLAN_BEFORE, &before);
	tn_plan_rule_read(entry, &rule, TN_PLAN_AFTER, &after);
	if (lets_in_more(&before, &after, &precious))
		tn_plan_risk_add(risks, TN_PLAN_RULE_SECURITY_OFF,
				 precious ? TN_PLAN_RISK_HIGH : TN_PLAN_RISK_MEDIUM,
				 "More may come in by it than before; who, this text does not "
				 "show.",
				 NULL);
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
