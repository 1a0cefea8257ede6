/* risk_rules.h - what the files behind risk.h share: the rules by number, and the entry being
 * looked at. Private to risk*.c. */
#ifndef TN_PLAN_RISK_RULES_H
#define TN_PLAN_RISK_RULES_H

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/new_stores.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/vocabulary.h"

enum tn_plan_rule_number {
	TN_PLAN_RULE_DATA_DELETE,
	TN_PLAN_RULE_DATA_REPLACE,
	TN_PLAN_RULE_DATA_PROTECT_OFF,
	TN_PLAN_RULE_DATA_EXPIRES,
	TN_PLAN_RULE_DELETE,
	TN_PLAN_RULE_REPLACE_DOWNTIME,
	TN_PLAN_RULE_ACCESS_OPEN,
	TN_PLAN_RULE_PUBLIC_DATA,
	TN_PLAN_RULE_IAM,
	TN_PLAN_RULE_ENCRYPTION_OFF,
	TN_PLAN_RULE_SECURITY_OFF,
	TN_PLAN_RULE_KEY_LOSS,
	TN_PLAN_RULE_KEY_OFF,
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
	const struct tn_plan_new_stores *new_stores;
	struct tn_plan_finding *items; /* grows; copied to the plan's arena at the end */
	uint32_t count, capacity;
	bool failed; /* no memory */

	/* The entry being looked at. */
	const struct tn_plan_entry *entry;
	uint32_t change; /* its index */
	uint32_t first;  /* its first finding */
	enum tn_plan_class class;
	bool old_goes; /* delete, or a replacement that destroys what was there */
	/* The rule that was looked at last ends here: for what is there, and for what was
	 * overwritten. */
	const struct tn_plan_attribute *rule_end[2];
	/* Of what is told next: to whom it opens, and its title; NULL: the rule's. */
	enum tn_plan_crowd crowd;
	const char *title;

	/* Why an identity change is more than medium; the detail is NULL while nothing says so. */
	const char *iam_detail;
	const struct tn_plan_attribute *iam_evidence;
	struct tn_str iam_fact;
};

/* risk_rule.c: `detail` is static; `evidence` may be NULL. */
void tn_plan_risk_add(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
		      enum tn_plan_risk level, const char *detail,
		      const struct tn_plan_attribute *evidence);

/* The same with the deciding fact in a few words, which are copied: "SSH (port 22)". */
void tn_plan_risk_add_fact(struct tn_plan_risks *risks, enum tn_plan_rule_number rule,
			   enum tn_plan_risk level, const char *detail,
			   const struct tn_plan_attribute *evidence, struct tn_str fact);

/* What is added next is about this change, whose turn may have been before: then all must be put in
 * order at the end, by their changes, the highest first. */
void tn_plan_risk_begin(struct tn_plan_risks *risks, uint32_t change);
void tn_plan_risk_put_in_order(struct tn_plan_risks *risks);

/* A copy in the plan's arena; empty when there is no memory. */
struct tn_str tn_plan_risk_keep(struct tn_plan_risks *risks, struct tn_str text);

/* Where the watched names of each first letter begin; once a plan. */
void tn_plan_risk_index_watches(struct tn_plan_risks *risks);

/* The rules that look at one attribute of an entry that will exist afterwards. */
void tn_plan_risk_attributes(struct tn_plan_risks *risks);

/* A setting of data/plan-safety.tsv that changes the risky way. */
void tn_plan_risk_safety(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute);

/* RISK-DATA-EXPIRES: the rule that this attribute stands in deletes more, or sooner. */
void tn_plan_risk_expiry(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute);

/* RISK-IAM and RISK-PUBLIC-DATA: who may do what afterwards and might not before. */
void tn_plan_risk_grants(struct tn_plan_risks *risks);

/* What becomes of a machine's root disk when the machine goes. */
enum tn_plan_disk_fate {
	TN_PLAN_DISK_NONE, /* it has none, or it is kept */
	TN_PLAN_DISK_LOST,
	TN_PLAN_DISK_UNTOLD /* the plan does not say whether it is kept */
};
enum tn_plan_disk_fate tn_plan_root_disk_fate(const struct tn_plan_entry *entry);

/* The attribute says whether a disk goes with its machine. */
bool tn_plan_is_disk_switch(struct tn_str type, struct tn_str path);

/* RISK-DELETE of what is neither light nor unknown; a machine takes its disks with it. */
void tn_plan_risk_delete_with_disks(struct tn_plan_risks *risks);

/* RISK-DATA-REPLACE: a machine is replaced, and disks with it. */
void tn_plan_risk_replaced_disks(struct tn_plan_risks *risks);

/* RISK-SECURITY-OFF: a rule lets in more, and the text does not show whom. */
void tn_plan_risk_unseen(struct tn_plan_risks *risks);

/* RISK-DELETE and RISK-SECURITY-OFF: a rule goes that kept others out. False: none does. */
bool tn_plan_risk_denial(struct tn_plan_risks *risks);

/* RISK-ACCESS-OPEN: what the entry admits afterwards and did not before. */
void tn_plan_risk_access(struct tn_plan_risks *risks);

struct tn_plan_opening;
/* What a rule opens, as a finding of the entry; and one that was told of a part, as of everybody.
 */
void tn_plan_risk_opening(struct tn_plan_risks *risks, const struct tn_plan_opening *opening);
void tn_plan_risk_widen(struct tn_plan_finding *finding);

/* Rules of one group that let in a part of the internet each, and together half of it or all. Once,
 * when all is found. */
void tn_plan_risk_join(struct tn_plan_risks *risks);

#endif
