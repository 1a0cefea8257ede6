/* rules.h - what may be run: ordered rules over what analysis.h found (terminal.md section 10.1).
 *
 * They stand in policy.json below "terminal" (docs/policy.md); without it the built-in ones hold.
 * No tool, resource or prompt reads or changes them. Ownership: the caller's. Threads: loop. */
#ifndef TN_TERM_RULES_H
#define TN_TERM_RULES_H

#include "apps/terminal/policy/analysis.h"

enum tn_rule_action { TN_RULE_ALLOW, TN_RULE_CONFIRM, TN_RULE_DENY };
enum tn_risk { TN_RISK_SAFE, TN_RISK_CAUTION, TN_RISK_UNKNOWN, TN_RISK_DANGER };
const char *tn_rule_action_name(enum tn_rule_action action); /* "allow" */
const char *tn_risk_name(enum tn_risk risk);                 /* "safe" */

struct tn_rules;

/* `text`: the member "terminal" of policy.json (its object, JSON with comments), preceded by as
 * many line breaks as stand before it in the file, so that lines are told right. Empty: built-in.
 * Fails: INVALID ("policy.json:LINE: terminal.rules[0].action: ..."), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_rules_create(struct tn_str text, struct tn_rules **ret,
					    struct tenon_error *err);
void tn_rules_destroy(struct tn_rules *rules); /* accepts NULL */

struct tn_rules_question {
	const struct tn_analysis *analysis;
	const char *cwd;          /* NULL: not known */
	const char *home;         /* what ~ is; NULL: not known */
	const char *const *roots; /* NULL-terminated; may be NULL */
	bool network;             /* the caller came over the network: the default is "confirm" */
};
struct tn_rule;
struct tn_rule_hit {
	const char *id, *source; /* source: "policy.json", "built-in", "default" */
	const char *pattern;     /* what it looks for, in words */
	enum tn_rule_action action;
	size_t command;             /* index in the analysis; SIZE_MAX: the text as a whole */
	const struct tn_rule *rule; /* NULL: none */
};
enum { TN_RULE_HITS_MAX = 16, TN_RULE_SENTENCES_MAX = 8, TN_RULE_ALTERNATIVES_MAX = 4 };
struct tn_rule_alternative {
	const char *command, *description;
	enum tn_risk risk;
};
struct tn_verdict_of_rules { /* texts live in the rules and in the arena */
	enum tn_rule_action action;
	enum tn_risk risk;
	struct tn_rule_hit hits[TN_RULE_HITS_MAX]; /* the strictest first */
	size_t hit_count;
	const char *explanation[TN_RULE_SENTENCES_MAX];
	size_t explanation_count;
	bool needs_privilege, network;
	const char *undo_hint; /* NULL: none */
	struct tn_rule_alternative alternatives[TN_RULE_ALTERNATIVES_MAX];
	size_t alternative_count;
};
/* Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_rules_judge(const struct tn_rules *rules, struct tn_arena *arena,
					   const struct tn_rules_question *question,
					   struct tn_verdict_of_rules *ret,
					   struct tenon_error *err);

enum tn_fallback { TN_FALLBACK_REFUSE, TN_FALLBACK_ALLOW };
enum tn_fallback tn_rules_fallback(const struct tn_rules *rules);             /* confirm_fallback */
enum tn_rule_action tn_rules_interactive_input(const struct tn_rules *rules); /* allow, confirm */
enum tn_rule_action tn_rules_sandbox_off(const struct tn_rules *rules);
bool tn_rules_history_off(const struct tn_rules *rules, const char *project_id);

#endif
