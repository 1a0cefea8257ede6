/* rules.h - what may be run: ordered rules over what analysis.h found (terminal.md section 10.1).
 *
 * They stand in policy.json below "terminal" (docs/policy.md); without it the built-in ones hold.
 * No tool, resource or prompt reads or changes them. Ownership: the caller's. Threads: loop. */
#ifndef TN_TERM_RULES_H
#define TN_TERM_RULES_H

#include "apps/terminal/analysis.h"
#include "jsonrpc/json_write.h"

enum tn_rule_action { TN_RULE_ALLOW, TN_RULE_CONFIRM, TN_RULE_DENY };
enum tn_risk { TN_RISK_SAFE, TN_RISK_CAUTION, TN_RISK_DANGER, TN_RISK_UNKNOWN };

struct tn_rules;

/* `text`: JSON of the member "terminal", or NULL: built-in. `network`: the default is "confirm".
 * Fails: INVALID (member, what was wrong, what to send instead), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_rules_create(const char *text, struct tn_rules **ret,
					    struct tenon_error *err);
void tn_rules_destroy(struct tn_rules *rules); /* accepts NULL */

struct tn_rules_question {
	const struct tn_analysis *analysis;
	const char *cwd;
	const char *const *roots; /* NULL-terminated; may be NULL */
	bool network;             /* the caller is not on this machine: default is "confirm" */
};
struct tn_rule_hit {
	const char *id, *source; /* source: "policy.json", "built-in", "default" */
	const char *pattern;     /* what it looks for, in words */
	enum tn_rule_action action;
	size_t command; /* index in the analysis */
};
struct tn_verdict_of_rules {
	enum tn_rule_action action;
	enum tn_risk risk;
	struct tn_rule_hit hits[16]; /* the strictest first */
	size_t hit_count;
	struct tn_str explanation[8]; /* sentences, in the arena */
	size_t explanation_count;
	bool needs_privilege, network;
	struct tn_str undo_hint; /* empty: none */
	struct {
		struct tn_str command, description;
		enum tn_risk risk;
	} alternatives[4];
	size_t alternative_count;
};
TN_MUST_USE enum tenon_code tn_rules_judge(const struct tn_rules *rules, struct tn_arena *arena,
					   const struct tn_rules_question *question,
					   struct tn_verdict_of_rules *ret,
					   struct tenon_error *err);

enum tn_fallback { TN_FALLBACK_REFUSE, TN_FALLBACK_ALLOW };
enum tn_fallback tn_rules_fallback(const struct tn_rules *rules);             /* confirm_fallback */
enum tn_rule_action tn_rules_interactive_input(const struct tn_rules *rules); /* allow, confirm */
bool tn_rules_sandbox_off_allowed(const struct tn_rules *rules);
bool tn_rules_history_off(const struct tn_rules *rules, const char *project_id);

#endif
