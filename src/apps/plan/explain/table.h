/* table.h - `tenon plan parse --format table|tsv`: one line an entry. Threads: any. */
#ifndef TN_PLAN_TABLE_H
#define TN_PLAN_TABLE_H

#include "apps/plan/explain/to_json.h"

/* Columns padded with blanks: action, risk, address, what; then the totals. */
void tn_plan_put_table(struct tn_buf *out, const struct tn_plan *plan,
		       const struct tn_plan_filter *filter);

/* A header line, then index, action, risk, type, address, previous_address, deposed, import_id.
 * Tabs, line breaks and backslashes in values are written \t, \n, \r, \\. */
void tn_plan_put_tsv(struct tn_buf *out, const struct tn_plan *plan,
		     const struct tn_plan_filter *filter);

#endif
