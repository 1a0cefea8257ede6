/* hint.h - where a component type is implemented: what to instrument (workbench.md section 7.5,
 * R13).
 *
 * Ownership: trees in the reading's arena. Threads: one at a time. */
#ifndef TN_WB_REGISTRY_HINT_H
#define TN_WB_REGISTRY_HINT_H

#include "apps/workbench/registry/reading.h"

/* The valid ones of one hint or an array of hints, in the same form; the reading stands at the
 * component, and says which were left out. NULL: none is left. */
struct tn_json *tn_wb_hints_read(struct tn_wb_reading *reading, const struct tn_json *hints);

enum tn_wb_hint_kind { TN_WB_HINT_FILE, TN_WB_HINT_PACKAGE };

struct tn_wb_hint {
	struct tn_str type_id;
	enum tn_wb_hint_kind kind;
	struct tn_str target;      /* a path in the workspace, or a module specifier */
	struct tn_str export_name; /* "default" where none was given */
};
/* Of a valid hint. */
struct tn_wb_hint tn_wb_hint_of(struct tn_str type_id, const struct tn_json *hint);

#endif
