/* entry.h - one component type as a module describes it: reading it, and what the project's
 * configuration changes of it (workbench.md sections 7.1, R2, R3, 7.4, 7.5).
 *
 * Ownership: trees in the reading's arena. Threads: one at a time. */
#ifndef TN_WB_REGISTRY_ENTRY_H
#define TN_WB_REGISTRY_ENTRY_H

#include "apps/workbench/registry/reading.h"

/* The reading stands at the entry. NULL: it is dropped, which is said (or no memory: then the
 * reading has failed). An entry with more than TN_WB_PROPS_MAX props is dropped, too. */
struct tn_json *tn_wb_entry_read(struct tn_wb_reading *reading, struct tn_str type_id,
				 const struct tn_json *entry);

/* Lays an override of the project's configuration over a valid entry (R10-R12); the reading stands
 * at the override. `over` is an object without "disabled":true. NULL: no memory. */
struct tn_json *tn_wb_entry_override(struct tn_wb_reading *reading, const struct tn_json *entry,
				     const struct tn_json *over);

/* The props named in an array of texts can be looked at alone from now on
 * (guardrails.lockedProps); those that are opaque stay so. The reading stands at the array. NULL:
 * no memory. */
struct tn_json *tn_wb_entry_lock(struct tn_wb_reading *reading, const struct tn_json *entry,
				 const struct tn_json *names);

#endif
