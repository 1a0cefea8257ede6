/* markdown_settings.h - all that changes about one object, folded away: what the table has no room
 * for. Threads: any. */
#ifndef TN_PLAN_MARKDOWN_SETTINGS_H
#define TN_PLAN_MARKDOWN_SETTINGS_H

#include "apps/plan/read/model.h"
#include "base/buf.h"

/* Address, and a folded list of its settings with both values. Nothing for an object whose row
 * tells all. */
void tn_plan_put_markdown_settings(struct tn_buf *out, const struct tn_plan *plan,
				   const struct tn_plan_entry *entry);
/* The same in a line for who can ask on: those that weigh (to_json.h), a few more that are known,
 * and how many others there are. `change` is its index. */
void tn_plan_put_markdown_weighty(struct tn_buf *out, const struct tn_plan *plan, uint32_t change);

#endif
