/* hint.h - where a component type is implemented, as the registry says it to the sources.
 *
 * Ownership: the texts are the caller's, as long as the call. */
#ifndef TN_WB_SOURCE_HINT_H
#define TN_WB_SOURCE_HINT_H

#include "base/str.h"

enum tn_wb_source_kind { TN_WB_SOURCE_UNKNOWN, TN_WB_SOURCE_FILE, TN_WB_SOURCE_PACKAGE };
/* Where a component type is implemented (7.5). A type with several has them one after the other. */
struct tn_wb_source_hint {
	struct tn_str type_id, display_name;
	enum tn_wb_source_kind kind; /* UNKNOWN: the type is known, its place is not */
	struct tn_str target; /* a path from the root, whose ending may be missing; a specifier */
	struct tn_str export_name; /* empty: "default" */
	bool is_inferred;          /* routes look through it for what it renders */
};

#endif
