/* names.h - the words of plan.md section 5 for the enums of model.h. Static strings, never NULL.
 * Threads: any. */
#ifndef TN_PLAN_NAMES_H
#define TN_PLAN_NAMES_H

#include "apps/plan/read/model.h"

const char *tn_plan_kind_name(enum tn_plan_kind kind);       /* "text", ... */
const char *tn_plan_tool_name(enum tn_plan_tool tool);       /* "terraform", ... */
const char *tn_plan_product_name(enum tn_plan_tool tool);    /* "Terraform", "OpenTofu" */
const char *tn_plan_format_name(enum tn_plan_format format); /* "modern", ... */
const char *tn_plan_status_name(enum tn_plan_status status); /* "changes", ... */
const char *tn_plan_mode_name(enum tn_plan_mode mode);       /* "normal", ... */
const char *tn_plan_confidence_name(enum tn_plan_confidence confidence);
const char *tn_plan_action_name(enum tn_plan_action action); /* "create", ... "unknown" */
const char *tn_plan_change_name(enum tn_plan_change change); /* "add", ... */
const char *tn_plan_order_name(enum tn_plan_order order);    /* NULL for ORDER_NONE */
const char *tn_plan_risk_name(enum tn_plan_risk level);      /* "none" ... "critical" */
const char *tn_plan_cleanup_name(enum tn_plan_cleanup step); /* "prefix:iso8601", ... */

/* The words of JSON plans for one entry: ["delete","create"]. Returns how many, 1 or 2. */
unsigned tn_plan_action_words(const struct tn_plan_entry *entry, const char *words[2]);

/* For arguments from outside; false when the word is none of them. */
bool tn_plan_action_from_name(struct tn_str name, enum tn_plan_action *ret);
bool tn_plan_risk_from_name(struct tn_str name, enum tn_plan_risk *ret);

/* "1 change", "7 changes" are made with this: "" for 1, otherwise "s". */
const char *tn_plan_plural(uint64_t count);

#endif
