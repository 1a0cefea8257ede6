/* target.h - what is to be previewed (workbench.md 10.1).
 *
 * Ownership: slices point into the JSON that was read. Threads: any. */
#ifndef TN_WB_SESSIONS_TARGET_H
#define TN_WB_SESSIONS_TARGET_H

#include "apps/workbench/drafts/draft.h"
#include "apps/workbench/registry/registry.h"

struct tn_wb_target {
	enum tn_wb_group type;   /* also the group of its overrides (O2) */
	struct tn_str url;       /* attached: a server that somebody else runs; empty: managed */
	struct tn_str launcher;  /* managed: its id */
	struct tn_str component; /* of a component's session */
	const struct tn_json *options; /* launcherOptions, or NULL */
	const struct tn_json *asked;   /* as it was requested */
};

struct tn_wb_target_rules {
	const struct tn_wb_registry *registry; /* NULL: an empty one */
	bool any_host; /* the command line allows other hosts than this one */
};

/* NULL: it can be previewed. Otherwise the code ("invalid_target", "unsupported_target",
 * "unknown_component", "component_disabled"), and a sentence in `err`. Whether a launcher exists is
 * not asked here. */
const char *tn_wb_target_read(const struct tn_json *json, const struct tn_wb_target_rules *rules,
			      struct tn_wb_target *ret, struct tenon_error *err);

#endif
