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

#endif
