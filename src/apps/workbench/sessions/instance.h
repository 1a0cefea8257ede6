/* instance.h - a component that lives on a page, as its adapter describes it (workbench.md 11.5).
 *
 * What an adapter says is checked and copied, member by member; an instance never changes.
 * Ownership: tn_mem_free. Threads: any. */
#ifndef TN_WB_SESSIONS_INSTANCE_H
#define TN_WB_SESSIONS_INSTANCE_H

#include "jsonrpc/json.h"

struct tn_wb_instance {
	struct tn_str id, type_id;
	struct tn_str display_name; /* empty: not said */
	struct tn_str parent_id;    /* empty: it has none */
	struct tn_str source;       /* a SourceRef as JSON; empty: not known */
	struct tn_str text;         /* the InstanceDescriptor as JSON */
	char data[];
};

/* `json` is an InstanceDescriptor, perhaps with parentInstanceId. A source that is none in the
 * workspace is left out. Fails: INVALID (it is no descriptor, or another session's: a sentence),
 * LIMIT (larger than section 21 allows), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_instance_read(const struct tn_json *json, const char *session_id,
						struct tn_wb_instance **ret,
						struct tenon_error *err);

#endif
