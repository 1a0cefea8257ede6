/* rule.h - a rule as it was read: what rules_read.c and rules.c share. Threads: any. */
#ifndef TN_TERMINAL_POLICY_RULE_H
#define TN_TERMINAL_POLICY_RULE_H

#include "apps/terminal/policy/rules.h"

struct tn_rule_texts {
	const struct tn_str *items;
	size_t count;
	bool given; /* the rule says something about it */
	/* With which letters its texts begin; all bits: with a pattern. */
	uint64_t first[4];
	/* With which letters paths go on behind "/" and behind "~/". */
	uint64_t root[4], home[4];
};

enum tn_rule_want { TN_WANT_ANY, TN_WANT_SET, TN_WANT_CLEAR };

struct tn_rule {
	const char *id, *source, *pattern;
	enum tn_rule_action action;
	bool has_action, built_in;
	struct tn_rule_texts command, except, args, any, none, path, path_write, path_read, cwd,
		fed_by, feeds;
	enum tn_rule_want privileged, network, runs_unknown, forks_itself, deletes, above,
		reads_pipe, sends_secret;
	enum tn_risk risk;
	bool has_risk, marks_network, marks_privilege;
	const char *why, *undo;
	struct tn_rule_alternative instead[TN_RULE_ALTERNATIVES_MAX];
	size_t instead_count;
	struct tn_rule *next;
};

enum { TN_RULE_BUCKETS = 32 };

/* Rules in their order, by the letter that a program's name begins with: of some hundred rules a
 * few are about any one program. Which letters share a bucket does not matter. */
struct tn_rule_index {
	const struct tn_rule *const *all; /* each ends with NULL */
	const struct tn_rule *const *of[TN_RULE_BUCKETS];
};

struct tn_rules {
	struct tn_arena arena;
	struct tn_rule *rules;    /* in order */
	struct tn_rule *programs; /* what is known of programs no rule is about */
	struct tn_rule_index rules_index, programs_index;
	size_t count;
	enum tn_rule_action fallback, hidden, opaque;
	bool fallback_given, hidden_given, opaque_given, rules_given;
	enum tn_fallback confirm_fallback;
	enum tn_rule_action interactive_input;
	enum tn_rule_action sandbox_off;
	bool history_off;
	struct tn_rule_texts history_off_projects;
};

/* Reads one object of members into `rules`. `built_in`: it is the embedded data. */
TN_MUST_USE enum tenon_code tn_rules_read(struct tn_rules *rules, struct tn_str text, bool built_in,
					  struct tenon_error *err);

/* Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_rule_index_make(struct tn_rule_index *ret, struct tn_arena *arena,
					       const struct tn_rule *list, struct tenon_error *err);

#endif
