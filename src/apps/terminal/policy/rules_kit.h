/* rules_kit.h - for the tests of rules: judges rows of shell texts, where ann works in
 * /home/ann/project and /srv/team/project is a root. Threads: one. Ownership: who makes rules
 * destroys them. A row that is not as it should be is printed, and fails the test at the end of
 * its list. */
#ifndef TN_TERMINAL_POLICY_RULES_KIT_H
#define TN_TERMINAL_POLICY_RULES_KIT_H

#include "apps/terminal/policy/rules.h"

struct tn_rules_row {
	const char *text;
	const char *shell; /* NULL: bash */
};

struct tn_rules_judged {
	struct tn_arena arena;
	struct tn_analysis analysis;
	struct tn_verdict_of_rules verdict;
};

/* What must hold of each row; NULL: fine, otherwise what is wrong. */
typedef const char *tn_rules_expect_fn(const struct tn_rules_judged *j);

void tn_rules_rows(const struct tn_rules *rules, const struct tn_rules_row *rows, size_t count,
		   tn_rules_expect_fn *expect);
/* The rules of a policy.json's `terminal`; NULL: the built-in ones. */
struct tn_rules *tn_rules_of(const char *text);

const char *tn_rules_denied(const struct tn_rules_judged *j);
const char *tn_rules_asked(const struct tn_rules_judged *j);
const char *tn_rules_stopped(const struct tn_rules_judged *j); /* asked about or denied */
const char *tn_rules_allowed(const struct tn_rules_judged *j);
const char *tn_rules_plain(const struct tn_rules_judged *j);   /* allowed, and all of it known */
const char *tn_rules_unknown(const struct tn_rules_judged *j); /* hidden or opaque */
const char *tn_rules_hidden(const struct tn_rules_judged *j);  /* and asked about */

#endif
