/* exposure.h - how a prop may be seen and changed: reading an exposure, and laying one over another
 * (workbench.md sections 7.1, R3, R4, R12).
 *
 * Ownership: trees in the reading's arena. Threads: one at a time. */
#ifndef TN_WB_REGISTRY_EXPOSURE_H
#define TN_WB_REGISTRY_EXPOSURE_H

#include "apps/workbench/registry/reading.h"

enum tn_wb_exposure_kind { TN_WB_EDITABLE, TN_WB_INSPECT_ONLY, TN_WB_OPAQUE };

/* False: no such kind. */
bool tn_wb_exposure_kind_of(const struct tn_json *exposure, enum tn_wb_exposure_kind *ret);

/* A copy with the fields of its kind alone, in one order; a default that does not fit is left out,
 * and said (R4). NULL: it is invalid, and *ret_why a sentence (or NULL: no memory). */
struct tn_json *tn_wb_exposure_read(struct tn_wb_reading *reading, const struct tn_json *exposure,
				    const char **ret_why);

/* `over` laid over `old`, which is valid, and read again (R12). NULL as above: the old one stays.
 * Kinds that differ: nothing of the old one is left. */
struct tn_json *tn_wb_exposure_merge(struct tn_wb_reading *reading, const struct tn_json *old,
				     const struct tn_json *over, const char **ret_why);

#endif
