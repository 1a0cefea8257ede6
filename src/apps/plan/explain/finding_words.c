#include "apps/plan/explain/finding_words.h"

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/turn.h"
#include "apps/plan/explain/vocabulary.h"
#include "apps/plan/limits.h"
#include "base/size.h"

enum { RULES_MAX = 32 }; /* there are fewer */

/* ---- one sentence ---- */

struct words {
	const char *id;
	const char *before, *after; /* around the object */
	bool with_detail;
	const char *counted; /* where it is only counted; NULL: the rule's title */
};

static const struct words table[] = {
	{"RISK-DATA-DELETE", "Deletes data for good: the ", "", false, NULL},
	{"RISK-DATA-REPLACE", "Deletes data for good by replacing what holds it: the ", "", false,
	 NULL},
	{"RISK-KEY-LOSS", "Loses a key or secret: the ", "", true, NULL},
	{"RISK-DATA-PROTECT-OFF", "Takes a safeguard away from the ", "", false, NULL},
	{"RISK-DELETE", "Deletes the ", "", false, NULL},
	{"RISK-ACCESS-OPEN", "Opens to the whole internet: the ", "", false, NULL},
	{"RISK-PUBLIC-DATA", "Makes data public: the ", "", true, "public access is opened"},
	{"RISK-IAM", "Gives far-reaching permissions: the ", "", true, NULL},
	{"RISK-ENCRYPTION-OFF", "Weakens encryption: the ", "", true, NULL},
	{"RISK-KEY-OFF", "Switches a key off: the ", "", true, NULL},
	{"RISK-SECURITY-OFF", "Weakens security: the ", "", true, NULL},
	{"RISK-DATA-EXPIRES", "Deletes data by its age: the ", "", true, NULL},
	{"RISK-DNS", "Changes names of the internet: the ", "", true, NULL},
	{"RISK-IMPORT-DESTROY", "Takes over and destroys in one run: the ", "", false, NULL},
};

static const struct words *find_words(const char *id)
{
	for (size_t i = 0; i < TN_COUNT(table); i++)
		if (strcmp(id, table[i].id) == 0)
			return &table[i];
	return NULL;
}

/* A sentence of ours as the second half of another one. */
static void put_half(struct tn_buf *out, struct tn_str detail)
{
	if (detail.size == 0)
		return;
	tn_buf_append_byte(out, tn_to_lower(detail.data[0]));
	tn_buf_append(out, detail.data + 1, detail.size - 1);
	if (!out->failed && out->data[out->size - 1] == '.')
		out->size--;
}

static void put_where(struct tn_buf *out, const struct tn_plan *plan,
		      const struct tn_plan_entry *entry)
{
	tn_buf_append_text(out, " (");
	tn_plan_put_clean(out, entry->address, 0);
	tn_plan_put_unit(out, plan, entry->unit, ", in ");
	tn_buf_append_byte(out, ')');
}

static const char *const crowds[] = {"the whole internet", "half of the internet",
				     "half of the internet", "every IPv6 address"};

/* Where the fact itself is the sentence. */
static bool put_fact_first(struct tn_buf *out, const struct tn_plan *plan,
			   const struct tn_plan_finding *finding, const struct tn_plan_entry *entry)
{
	bool opens = strcmp(finding->id, "RISK-ACCESS-OPEN") == 0;
	bool gives = strcmp(finding->id, "RISK-IAM") == 0 &&
		     tn_str_find(finding->fact, TN_STR("\" to \"")) != TN_STR_NONE;

	if (finding->fact.size == 0 || (!opens && !gives))
		return false;
	tn_buf_append_text(out, opens ? "Opens " : "Gives ");
	tn_buf_append_str(out, finding->fact);
	if (opens) {
		tn_buf_append_text(out, " to ");
		tn_buf_append_text(out, crowds[finding->crowd]);
	}
	put_where(out, plan, entry);
	return true;
}

static size_t rule_index(const char *id)
{
	size_t count, at = 0;
	const struct tn_plan_rule *rules = tn_plan_rules(&count);

	while (at + 1 < count && strcmp(rules[at].id, id) != 0)
		at++;
	return at;
}

/* A machine that is replaced holds data, but is none. */
static bool is_of_disk(const struct tn_plan_finding *finding)
{
	static const char *const facts[] = {"root disk", "data disks", "disks"};

	return tn_plan_is_one_of(finding->fact, facts, TN_COUNT(facts));
}

static bool is_of_address(const struct tn_plan_finding *finding)
{
	return tn_str_is(finding->fact, "address");
}

/* That something can be reached does not make its data public. */
static bool has_own_title(const struct tn_plan_finding *finding)
{
	size_t count;
	const struct tn_plan_rule *rules = tn_plan_rules(&count);

	return !tn_str_is(finding->title, rules[rule_index(finding->id)].title);
}

static void put_before(struct tn_buf *out, const struct tn_plan_finding *finding,
		       const struct words *words)
{
	if (is_of_disk(finding)) {
		tn_buf_append_text(out, "Replaces the ");
	} else if (strcmp(finding->id, "RISK-PUBLIC-DATA") == 0 && has_own_title(finding)) {
		tn_buf_append_text(out, "Opens access: the ");
	} else if (is_of_address(finding)) {
		tn_buf_append_text(out, "Gives up for good: the ");
	} else if (words && finding->crowd != TN_PLAN_EVERYBODY) {
		tn_buf_append_text(out, "Opens to ");
		tn_buf_append_text(out, crowds[finding->crowd]);
		tn_buf_append_text(out, ": the ");
	} else if (words) {
		tn_buf_append_text(out, words->before);
	} else {
		tn_buf_append_str(out, finding->title);
		tn_buf_append_text(out, ": the ");
	}
}

/* What decides, where the sentence is about a setting: its name, or its name and both values. */
static void put_setting(struct tn_buf *out, const struct tn_plan_finding *finding,
			enum tn_plan_audience audience)
{
	const struct tn_plan_attribute setting = {
		.path = finding->path, .before = finding->before, .after = finding->after};
	bool expires = strcmp(finding->id, "RISK-DATA-EXPIRES") == 0;

	if (finding->path.size == 0 ||
	    (!expires && strcmp(finding->id, "RISK-DATA-PROTECT-OFF") != 0))
		return;
	tn_buf_append_text(out, expires ? " (" : ": ");
	tn_plan_put_path_words(out, finding->path, audience);
	if (!expires)
		return;
	if (tn_plan_value_is_readable(&setting.before)) {
		tn_buf_append_text(out, " from ");
		if (tn_plan_value_is_endless(&setting.before))
			tn_buf_append_text(out, "no limit");
		else
			tn_plan_put_shown_value(out, &setting, &setting.before);
		tn_buf_append_text(out, " to ");
	} else {
		tn_buf_append_byte(out, ' ');
	}
	tn_plan_put_shown_value(out, &setting, &setting.after);
	tn_buf_append_byte(out, ')');
}

void tn_plan_put_finding_sentence(struct tn_buf *out, const struct tn_plan *plan,
				  const struct tn_plan_finding *finding,
				  enum tn_plan_audience audience)
{
	const struct words *words = find_words(finding->id);
	const struct tn_plan_entry *entry;

	if (finding->change == TN_PLAN_NO_CHANGE) {
		tn_buf_append_str(out, finding->detail);
		return;
	}
	entry = &plan->changes[finding->change];
	if (!put_fact_first(out, plan, finding, entry)) {
		put_before(out, finding, words);
		tn_plan_put_what(out, entry, audience);
		put_where(out, plan, entry);
		if (!words || words->with_detail || is_of_disk(finding) || is_of_address(finding)) {
			tn_buf_append_text(out, "; ");
			put_half(out, finding->detail);
		}
		if (strcmp(finding->id, "RISK-DELETE") == 0 && finding->fact.size > 0) {
			tn_buf_append_text(out, finding->fact.data[0] == ';' ? "" : " ");
			tn_buf_append_str(out, finding->fact);
		}
		put_setting(out, finding, audience);
	}
	tn_buf_append_byte(out, '.');
}

/* ---- all of them ---- */

const struct tn_plan_finding *tn_plan_findings_of(const struct tn_plan *plan, uint32_t change,
						  uint32_t *ret_count)
{
	uint32_t low = 0, high = plan->finding_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (plan->findings[middle].change < change)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < plan->finding_count && plan->findings[end].change == change; end++)
		;
	*ret_count = end - low;
	return end > low ? &plan->findings[low] : NULL;
}

/* Where a sentence does not say what it was found by, the rule's next one would say the same. */
static bool says_the_same(const struct tn_plan_finding *one, const struct tn_plan_finding *other)
{
	const struct words *words = find_words(one->id);

	return strcmp(one->id, other->id) == 0 &&
	       (!words || !words->with_detail || tn_str_equal(one->detail, other->detail));
}

/* The same rule on the same object is one danger; that something is deleted is said by what is
 * worse, too. */
static bool is_said_already(const struct tn_plan *plan, uint32_t index)
{
	const struct tn_plan_finding *finding = &plan->findings[index];

	for (uint32_t i = index; i-- > 0 && plan->findings[i].change == finding->change;) {
		if (says_the_same(&plan->findings[i], finding))
			return true;
		if (strcmp(finding->id, "RISK-DELETE") == 0 &&
		    plan->findings[i].level == TN_PLAN_RISK_CRITICAL)
			return true;
	}
	return false;
}

/* What is lost for good comes first; that a safeguard went matters less than what it was to keep.
 */
enum pass { LOST, OTHER, SAFEGUARDS, PASSES };

static enum pass pass_of(const struct tn_plan_finding *finding)
{
	static const char *const losses[] = {"RISK-DATA-DELETE", "RISK-DATA-REPLACE",
					     "RISK-DATA-EXPIRES", "RISK-IMPORT-DESTROY"};

	for (size_t i = 0; i < TN_COUNT(losses); i++)
		if (strcmp(finding->id, losses[i]) == 0)
			return LOST;
	return strcmp(finding->id, "RISK-DATA-PROTECT-OFF") == 0 ? SAFEGUARDS : OTHER;
}

struct told {
	uint32_t of_rule[RULES_MAX];
	uint32_t total;
};

static void put_level(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk level,
		      uint32_t max, enum tn_plan_audience audience, struct told *told)
{
	for (int pass = LOST; pass < PASSES; pass++)
		for (uint32_t at = 0; at < plan->finding_count && told->total < max; at++) {
			const struct tn_plan_finding *finding = &plan->findings[at];

			if (finding->level != level || (int)pass_of(finding) != pass ||
			    is_said_already(plan, at))
				continue;
			told->of_rule[rule_index(finding->id)]++;
			told->total++;
			tn_plan_put_finding_sentence(out, plan, finding, audience);
			tn_buf_append_byte(out, ' ');
		}
}

static struct told count_level(const struct tn_plan *plan, enum tn_plan_risk level)
{
	struct told all = {.total = 0};

	for (uint32_t at = 0; at < plan->finding_count; at++)
		if (plan->findings[at].level == level && !is_said_already(plan, at)) {
			all.of_rule[rule_index(plan->findings[at].id)]++;
			all.total++;
		}
	return all;
}

/* "Also of high risk: an object is deleted (4 times), open to everybody (once)." */
static void put_rest(struct tn_buf *out, const struct tn_plan *plan, enum tn_plan_risk level,
		     const struct told *told)
{
	size_t count;
	const struct tn_plan_rule *rules = tn_plan_rules(&count);
	const struct words *words;
	struct told all;
	bool first = true;

	tn_assert(count <= RULES_MAX);
	all = count_level(plan, level);
	for (size_t rule = 0; rule < count && all.total > told->total; rule++) {
		uint32_t times = all.of_rule[rule] - told->of_rule[rule];

		if (times == 0)
			continue;
		if (first)
			tn_buf_format(out, "Also of %s risk: ", tn_plan_risk_name(level));
		else
			tn_buf_append_text(out, ", ");
		words = find_words(rules[rule].id);
		put_half(out,
			 tn_str_from(words && words->counted ? words->counted : rules[rule].title));
		if (times == 1)
			tn_buf_append_text(out, " (once)");
		else
			tn_buf_format(out, " (%u times)", times);
		first = false;
	}
	if (!first)
		tn_buf_append_text(out, ". ");
}

void tn_plan_put_dangers(struct tn_buf *out, const struct tn_plan *plan,
			 enum tn_plan_audience audience)
{
	static const struct {
		enum tn_plan_risk level;
		uint32_t max;
	} levels[] = {{TN_PLAN_RISK_CRITICAL, TN_PLAN_TOLD_MAX},
		      {TN_PLAN_RISK_HIGH, TN_PLAN_HIGH_SHOWN}};

	for (size_t i = 0; i < TN_COUNT(levels) && plan->risk >= TN_PLAN_RISK_HIGH; i++) {
		struct told told = {.total = 0};

		put_level(out, plan, levels[i].level, levels[i].max, audience, &told);
		put_rest(out, plan, levels[i].level, &told);
	}
}
