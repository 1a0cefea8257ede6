/* rule_fit.h - does a rule fit a command: its program, its words, the paths that they name.
 * Threads: one at a time. */
#ifndef TN_TERMINAL_POLICY_RULE_FIT_H
#define TN_TERMINAL_POLICY_RULE_FIT_H

#include "apps/terminal/policy/rule.h"

/* A path, made absolute once for all rules. */
struct tn_path {
	struct tn_str full, home; /* home: the same with ~ for it; empty: it is not below it */
	bool is_known;
};

/* One command at a time, against as many rules as there are. */
struct tn_rule_fit {
	const struct tn_rules_question *q;
	const struct tn_simple_command *c;
	bool network;            /* the command talks to other machines */
	struct tn_arena scratch; /* of one command */
	struct tn_path *paths;   /* of its words, as far as they were asked for */
	struct tn_path cwd;      /* where it runs, likewise */
};
void tn_rule_fit_init(struct tn_rule_fit *fit, const struct tn_rules_question *question);
void tn_rule_fit_finish(struct tn_rule_fit *fit);
void tn_rule_fit_begin(struct tn_rule_fit *fit, const struct tn_simple_command *command);

/* The first that fits; NULL: none. */
const struct tn_rule *tn_rule_find(struct tn_rule_fit *fit, const struct tn_rule_index *index);

/* Is its program among these? (rule_index.c) */
bool tn_rule_name_fits(const struct tn_rule_texts *texts, const struct tn_simple_command *c);

/* ---- rule_flow.c: what goes from one command to another, and elsewhere ---- */

/* One of these makes its input or its words. */
bool tn_rule_is_fed_by(const struct tn_rule_fit *fit, const struct tn_rule_texts *names);
/* What it prints goes to one of these. */
bool tn_rule_feeds(const struct tn_rule_fit *fit, const struct tn_rule_texts *names);
/* $API_TOKEN is in its words, its here-document, or in what feeds it, and not as what it logs in
 * with. */
bool tn_rule_sends_secret(const struct tn_rule_fit *fit);

#endif
