#include "apps/terminal/policy/rule_fit.h"

#include "apps/terminal/limits.h"
#include "apps/terminal/policy/paths.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"

extern const char tn_term_rules_data[]; /* data/rules.json */
extern const size_t tn_term_rules_data_size;

const char *tn_rule_action_name(enum tn_rule_action action)
{
	static const char *const names[] = {"allow", "confirm", "deny"};

	return names[action];
}

const char *tn_risk_name(enum tn_risk risk)
{
	static const char *const names[] = {"safe", "caution", "unknown", "danger"};

	return names[risk];
}

/* ---- life ---- */

enum tenon_code tn_rules_create(struct tn_str text, struct tn_rules **ret, struct tenon_error *err)
{
	struct tn_rules *rules = tn_mem_alloc(sizeof(*rules));
	enum tenon_code code = TENON_OK;
	struct tn_rule *own;

	if (!rules)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	rules->sandbox_off = TN_RULE_CONFIRM;
	tn_arena_init(&rules->arena, TN_POLICY_ARENA_MAX);
	if (text.size)
		code = tn_rules_read(rules, text, false, err);
	/* What is known of programs holds in any case, the rules only without others. */
	own = rules->rules;
	if (code == TENON_OK && !rules->programs) {
		rules->rules = NULL;
		code = tn_rules_read(rules, tn_str(tn_term_rules_data, tn_term_rules_data_size),
				     true, err);
		if (rules->rules_given)
			rules->rules = own;
	}
	if (code == TENON_OK)
		code = tn_rule_index_make(&rules->rules_index, &rules->arena, rules->rules, err);
	if (code == TENON_OK)
		code = tn_rule_index_make(&rules->programs_index, &rules->arena, rules->programs,
					  err);
	if (code == TENON_OK)
		*ret = rules;
	else
		tn_rules_destroy(rules);
	return code;
}

void tn_rules_destroy(struct tn_rules *rules)
{
	if (!rules)
		return;
	tn_arena_finish(&rules->arena);
	tn_mem_free(rules);
}

enum tn_fallback tn_rules_fallback(const struct tn_rules *rules)
{
	return rules->confirm_fallback;
}

enum tn_rule_action tn_rules_interactive_input(const struct tn_rules *rules)
{
	return rules->interactive_input;
}

enum tn_rule_action tn_rules_sandbox_off(const struct tn_rules *rules)
{
	return rules->sandbox_off;
}

bool tn_rules_history_off(const struct tn_rules *rules, const char *project_id)
{
	const struct tn_rule_texts *projects = &rules->history_off_projects;
	bool off = rules->history_off;

	for (size_t i = 0; project_id && i < projects->count; i++)
		off = off || tn_name_fits(projects->items[i], tn_str_from(project_id), false);
	return off;
}

/* ---- judging ---- */

struct judging {
	const struct tn_rules *rules;
	struct tn_arena *arena;
	const struct tn_rules_question *q;
	struct tn_rule_fit fit;
	struct tn_verdict_of_rules *verdict;
	const struct tn_rule *notes[TN_RULE_SENTENCES_MAX]; /* of programs */
	size_t note_count;
};

static enum tn_rule_action fallback_of(const struct judging *j)
{
	if (j->rules->fallback_given)
		return j->rules->fallback;
	return j->q->network ? TN_RULE_CONFIRM : TN_RULE_ALLOW;
}

/* ---- the verdict ---- */

static void add_hit(struct tn_verdict_of_rules *v, struct tn_rule_hit hit)
{
	size_t at = v->hit_count;

	for (size_t i = 0; i < v->hit_count; i++) {
		if (strcmp(v->hits[i].id, hit.id) == 0 && v->hits[i].source == hit.source)
			return;
	}
	if (hit.action > v->action)
		v->action = hit.action;
	while (at > 0 && v->hits[at - 1].action < hit.action)
		at--;
	if (at >= TN_RULE_HITS_MAX)
		return;
	if (v->hit_count == TN_RULE_HITS_MAX)
		v->hit_count--;
	memmove(&v->hits[at + 1], &v->hits[at], (v->hit_count - at) * sizeof(v->hits[0]));
	v->hits[at] = hit;
	v->hit_count++;
}

static void add_sentence(struct tn_verdict_of_rules *v, const char *sentence)
{
	for (size_t i = 0; i < v->explanation_count; i++) {
		if (strcmp(v->explanation[i], sentence) == 0)
			return;
	}
	if (v->explanation_count < TN_RULE_SENTENCES_MAX)
		v->explanation[v->explanation_count++] = sentence;
}

static void add_words(struct tn_verdict_of_rules *v, const struct tn_rule *rule)
{
	if (rule->why)
		add_sentence(v, rule->why);
	if (rule->undo && !v->undo_hint)
		v->undo_hint = rule->undo;
	for (size_t i = 0; i < rule->instead_count; i++) {
		if (v->alternative_count < TN_RULE_ALTERNATIVES_MAX)
			v->alternatives[v->alternative_count++] = rule->instead[i];
	}
}

static void add_risk(struct tn_verdict_of_rules *v, enum tn_risk risk)
{
	if (risk > v->risk)
		v->risk = risk;
}

/* What the rule says of the risk, or what is known of the program. */
static enum tn_risk risk_of(const struct tn_simple_command *c, const struct tn_rule *rule,
			    const struct tn_rule *known)
{
	enum tn_risk risk = known ? known->risk : c->name.size ? TN_RISK_UNKNOWN : TN_RISK_SAFE;
	bool guarded = rule && rule->action != TN_RULE_ALLOW;

	if (rule && rule->has_risk)
		return rule->risk;
	if ((guarded || c->write_count) && risk < TN_RISK_CAUTION)
		return TN_RISK_CAUTION;
	return risk;
}

static void judge_command(struct judging *j, size_t index)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const struct tn_simple_command *c = &j->q->analysis->commands[index];
	const struct tn_rule *known, *rule;

	tn_rule_fit_begin(&j->fit, c);
	known = tn_rule_find(&j->fit, &j->rules->programs_index);
	j->fit.network = known && known->marks_network;
	rule = tn_rule_find(&j->fit, &j->rules->rules_index);
	if (rule)
		add_hit(v, (struct tn_rule_hit){rule->id, rule->source, rule->pattern, rule->action,
						index, rule});
	else if (fallback_of(j) != TN_RULE_ALLOW)
		add_hit(v, (struct tn_rule_hit){"default", "default", "every other command",
						fallback_of(j), index, NULL});
	if (known && !(rule && rule->why) && j->note_count < TN_RULE_SENTENCES_MAX)
		j->notes[j->note_count++] = known;
	add_risk(v, risk_of(c, rule, known));
	v->network = v->network || j->fit.network;
	v->needs_privilege =
		v->needs_privilege || c->privileged || (known && known->marks_privilege);
}

/* What is not known about the text as a whole. */
struct unknown {
	const char *id, *pattern, *sentence;
	struct tn_str because;
	enum tn_rule_action action;
	bool is_own; /* policy.json says so */
};

static void judge_unknown(const struct judging *j, const struct unknown *u)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const char *sentence;

	add_risk(v, TN_RISK_UNKNOWN);
	if (u->action != TN_RULE_ALLOW)
		add_hit(v, (struct tn_rule_hit){u->id, u->is_own ? "policy.json" : "default",
						u->pattern, u->action, SIZE_MAX, NULL});
	sentence = tn_arena_format(j->arena, "%s: %.*s.", u->sentence, (int)u->because.size,
				   u->because.data);
	if (sentence)
		add_sentence(v, sentence);
}

/* What is plain gets asked about, and what is masked must not get through more easily: hidden is
 * asked about whatever the default is. */
static void judge_hidden(const struct judging *j)
{
	const struct tn_rules *rules = j->rules;

	judge_unknown(j, &(struct unknown){
				 .id = "hidden",
				 .pattern = "a text that hides what will run",
				 .sentence = "The text hides what will run",
				 .because = j->q->analysis->hidden_because,
				 .action = rules->hidden_given ? rules->hidden : TN_RULE_CONFIRM,
				 .is_own = rules->hidden_given,
			 });
}

static void judge_opaque(const struct judging *j)
{
	const struct tn_rules *rules = j->rules;

	judge_unknown(j, &(struct unknown){
				 .id = "opaque",
				 .pattern = "what cannot be known without running it",
				 .sentence = "Not all of it can be known without running it",
				 .because = j->q->analysis->opaque_because,
				 .action = rules->opaque_given ? rules->opaque : fallback_of(j),
				 .is_own = rules->opaque_given,
			 });
}

/* What the strictest rules say comes first. Beside a danger nothing is said of what is harmless:
 * that would be a second verdict. */
static void explain(const struct judging *j)
{
	struct tn_verdict_of_rules *v = j->verdict;
	const char *unknown[2] = {NULL, NULL};
	size_t count = v->explanation_count;

	for (size_t i = 0; i < count && i < TN_COUNT(unknown); i++)
		unknown[i] = v->explanation[i];

	v->explanation_count = 0;
	for (size_t i = 0; i < v->hit_count; i++) {
		if (v->hits[i].rule && v->hits[i].action == v->action)
			add_words(v, v->hits[i].rule);
	}
	for (size_t i = 0; i < count && i < TN_COUNT(unknown); i++)
		add_sentence(v, unknown[i]);
	for (size_t i = 0; i < j->note_count; i++) {
		if (j->notes[i]->risk >= v->risk || v->action == TN_RULE_ALLOW)
			add_words(v, j->notes[i]);
	}
}

enum tenon_code tn_rules_judge(const struct tn_rules *rules, struct tn_arena *arena,
			       const struct tn_rules_question *question,
			       struct tn_verdict_of_rules *ret, struct tenon_error *err)
{
	struct judging j = {.rules = rules, .arena = arena, .q = question, .verdict = ret};
	bool starved;

	memset(ret, 0, sizeof(*ret));
	tn_rule_fit_init(&j.fit, question);
	for (size_t i = 0; i < question->analysis->count; i++)
		judge_command(&j, i);
	if (question->analysis->hidden)
		judge_hidden(&j);
	if (question->analysis->opaque)
		judge_opaque(&j);
	explain(&j);
	if (!ret->explanation_count && !question->analysis->count)
		add_sentence(ret, "It runs no command.");
	else if (!ret->explanation_count)
		add_sentence(ret, ret->risk == TN_RISK_UNKNOWN
					  ? "What this program does is not known here."
					  : "No rule is about it.");
	starved = arena->starved || j.fit.scratch.starved;
	tn_rule_fit_finish(&j.fit);
	if (starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}
