/* compare.h - what differs between two plans (terraform_compare, plan.md section 12).
 *
 * Entries are matched by address and deposed key, attributes by path. Threads: any. */
#ifndef TN_PLAN_COMPARE_H
#define TN_PLAN_COMPARE_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* {"identical":bool,"plan_id","other_plan_id","total_changes","other_total_changes",
 *  "counts":{"added","removed","changed","same"},
 *  "added":[{address,deposed,type,action,actions}],   only in `other`
 *  "removed":[...],                                   only in `plan`
 *  "changed":[{address,deposed,type,action,other_action,
 *              "attributes":[{path,"difference":"added|removed|changed",
 *                             change,before,after,other_change,other_before,other_after,
 *                             sensitive}]}]}
 * Fails: NO_MEMORY. What does not fit fails the buffer. */
TN_MUST_USE enum tenon_code tn_plan_put_compare_json(struct tn_buf *out, const struct tn_plan *plan,
						     const struct tn_plan *other,
						     struct tenon_error *err);

/* The same for people: a line with the counts, then one line an entry. */
TN_MUST_USE enum tenon_code tn_plan_put_compare_text(struct tn_buf *out, const struct tn_plan *plan,
						     const struct tn_plan *other,
						     struct tenon_error *err);

#endif
