/* risk_rules.h - what the files behind risk.h share: the rules by number, and the entry being
 * looked at. Private to risk*.c. */
#ifndef TN_PLAN_RISK_RULES_H
#define TN_PLAN_RISK_RULES_H

#include "apps/plan/explain/path.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/vocabulary.h"

enum tn_plan_rule_number {
	TN_PLAN_RULE_DATA_DELETE,
	TN_PLAN_RULE_DATA_REPLACE,
	TN_PLAN_RULE_DATA_PROTECT_OFF,
	TN_PLAN_RULE_DELETE,
	TN_PLAN_RULE_REPLACE_DOWNTIME,
	TN_PLAN_RULE_ACCESS_OPEN,
	TN_PLAN_RULE_PUBLIC_DATA,
	TN_PLAN_RULE_IAM,
	TN_PLAN_RULE_ENCRYPTION_OFF,
	TN_PLAN_RULE_KEY_LOSS,
	TN_PLAN_RULE_SECRET_ROTATES,
	TN_PLAN_RULE_DNS,
	TN_PLAN_RULE_CAPACITY_ZERO,
	TN_PLAN_RULE_RESTART,
	TN_PLAN_RULE_UNKNOWN_REPLACE,
	TN_PLAN_RULE_FORGET,
	TN_PLAN_RULE_IMPORT_DESTROY,
	TN_PLAN_RULE_MANY_DELETES,
	TN_PLAN_RULE_DRIFT_REVERT,
	TN_PLAN_RULE_ERRORED,
	TN_PLAN_RULE_INCONSISTENT,
	TN_PLAN_RULE_COUNT
};

enum { TN_PLAN_FIRST_LETTERS = 128 };

struct tn_plan_risks {
	struct tn_plan *plan;
	uint8_t watches[TN_PLAN_FIRST_LETTERS]; /* tn_plan_risk_index_watches */
	struct tn_plan_finding *items;          /* grows; copied to the plan's arena at the end */
	uint32_t count, capacity;
	bool failed; /* no memory */

	/* The entry being looked at. */
	const struct tn_plan_entry *entry;
	uint32_t change; /* its index */
	uint32_t first;  /* its first finding */
	enum tn_plan_class class;
	bool old_goes; /* delete, or a replacement that destroys what was there */

	/* Why an identity change is more than medium; NULL while nothing says so. */
	const char *iam_detail;
	const struct tn_plan_attribute *iam_evidence;
};

/* risk_rule.c: `detail` is static; `evidence` may be NULL. */
void tn_plan_risk_add(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
		      enum tn_plan_risk level, const char *detail,
		      const struct tn_plan_attribute *evidence);

/* Where the watched names of each first letter begin; once a plan. */
void tn_plan_risk_index_watches(struct tn_plan_risks *risks);

/* The rules that look at one attribute of an entry that will exist afterwards. */
void tn_plan_risk_attributes(struct tn_plan_risks *risks);

/* RISK-ACCESS-OPEN: what the entry admits afterwards and did not before. */
void tn_plan_risk_access(struct tn_plan_risks *risks);

/* ---- risk_block.c ---- */

/* One text, number or switch. */
bool tn_plan_risk_is_readable(const struct tn_plan_value *value);

/* The attribute's new value as text, when it is known and readable. */
bool tn_plan_risk_after(const struct tn_plan_attribute *attribute, struct tn_str *ret);

/* The attributes of one block, or the whole entry at the top: those around `of` whose paths start
 * with `owner`. Blocks stand together, so looking at them costs no more than their size. */
struct tn_plan_block {
	const struct tn_plan_attribute *first, *end;
	struct tn_str owner;
};
struct tn_plan_block tn_plan_risk_block(const struct tn_plan_risks *risks,
					const struct tn_plan_attribute *of, struct tn_str owner);

/* The attribute `name` of the block itself. NULL: none. */
const struct tn_plan_attribute *tn_plan_block_get(const struct tn_plan_block *block,
						  const char *name);

/* True when that attribute's new value is this word, whatever the case. */
bool tn_plan_block_says(const struct tn_plan_block *block, const char *name, const char *word);

#endif
