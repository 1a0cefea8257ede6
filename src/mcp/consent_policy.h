/* consent_policy.h - the rules that say whether a call may happen, read from text and asked
 * (docs/policy.md has every member).
 *
 * Ownership: the maker frees. A policy does not change once it is made. Threads: any. */
#ifndef TN_MCP_CONSENT_POLICY_H
#define TN_MCP_CONSENT_POLICY_H

#include "base/error.h"
#include "base/str.h"
#include "mcp/consent.h"

struct tn_policy;

/* When an elicitation counts as an answer. */
enum tn_elicitation {
	TN_ELICITATION_GUARDED, /* but for apply and destroy of studio while a page is open */
	TN_ELICITATION_ALWAYS,
	TN_ELICITATION_NO_PAGE, /* only while no person's page is open */
	TN_ELICITATION_NEVER
};

/* JSON with comments; NULL: the built-in policy. Fails: INVALID ("policy.json:4: rules[1].action:
 * ..."), LIMIT (size, rules), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_policy_parse(struct tn_str text, struct tn_policy **ret,
					    struct tenon_error *err);
void tn_policy_free(struct tn_policy *policy); /* accepts NULL */

/* What is asked about: a tool, or an act of one. */
struct tn_policy_question {
	struct tn_str tool, app, client; /* app: empty for a tool of none */
	struct tn_str act;               /* data NULL: the tool as a whole, before its handler */
	unsigned flags;                  /* TENON_READ_ONLY and so on */
	bool person;                     /* the caller is one */
	struct tn_str through;           /* the finder that named the tool; data NULL: none did */
};

struct tn_policy_answer {
	enum tn_verdict verdict;
	const char *rule; /* its id, or "rule 3"; NULL: the default decided. Lives in the policy */
	bool built_in;    /* nothing that the policy's author wrote had a part in it */
	bool way;         /* it denies the finder, not the tool */
	int elicitation;  /* of the rule: 1 counts, 0 does not, -1: see the policy */
};

struct tn_policy_answer tn_policy_ask(const struct tn_policy *policy,
				      const struct tn_policy_question *question);
enum tn_elicitation tn_policy_elicitation(const struct tn_policy *policy);
uint64_t tn_policy_timeout_ms(const struct tn_policy *policy); /* 0: it does not say */
/* The text of a member that is an app's (policy_part.h), behind as many line breaks as stand before
 * it; empty: there is none. Lives in the policy. */
struct tn_str tn_policy_member(const struct tn_policy *policy, const char *name);

#endif
