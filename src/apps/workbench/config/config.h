/* config.h - how a workspace is configured: its configuration file and the modules that it names
 * (workbench.md section 6).
 *
 * A configuration is read as a whole and does not change: what changed is read again. Whatever is
 * wrong, there is a configuration: the defaults, with diagnostics and `degraded`. Nothing of the
 * workspace is executed here: what its programs have said is read, and what they must be asked
 * first is told. Ownership: the caller's. Threads: any, one at a time; reading blocks. */
#ifndef TN_WB_CONFIG_H
#define TN_WB_CONFIG_H

#include "apps/workbench/config/evaluated.h"
#include "apps/workbench/registry/registry.h"
#include "base/arena.h"
#include "jsonrpc/json.h"
#include "store/beneath.h"

struct tn_wb_config_producer { /* of the graph (C9) */
	const char *id;
	const struct tn_json *snapshot;
};

struct tn_wb_config_module {
	const char *id;
	bool failed;
	struct tn_wb_diagnostics diagnostics;
	struct tn_wb_diagnostics later; /* of its producers, since: the workspace's to change */
	const struct tn_wb_contribution *contributions; /* in order (R5) */
	size_t contribution_count;
	const struct tn_json *graph;                   /* NULL, or {"nodes":[...],"edges":[...]} */
	const struct tn_wb_config_producer *producers; /* of a module in JavaScript */
	size_t producer_count;
	const struct tn_json *launchers; /* NULL, or a list */
	const char *file;           /* of the manifest, relative to the workspace; NULL: none */
	bool is_script, has_status; /* in JavaScript; and what has become of it is known */
};

struct tn_wb_config {
	struct tn_arena arena;
	const char *file;                /* NULL: there is none */
	bool degraded;                   /* the file is wrong: defaults are in force (C4) */
	const struct tn_json *effective; /* section 6.2, with all defaults filled in */
	struct tn_wb_config_module *modules;
	size_t module_count;
	struct tn_wb_diagnostics diagnostics;
	uint64_t scripts_serial; /* of the asking that modules in JavaScript are of; 0: none are */
	/* Files that its programs are made of, there or not; relative to the workspace. */
	const char **followed;
	size_t followed_count;
};

struct tn_wb_config_options {
	const struct tn_roots *roots;    /* the workspace's root alone */
	const struct tn_roots *packages; /* the repository's: where node_modules may lie (C7) */
	bool trusted;                    /* T21 */
	const struct tn_wb_evaluated *evaluated; /* NULL: nothing was asked yet */
	/* NULL: programs are not asked. Otherwise it is begun, and what is missing is said there;
	 * the configuration is then of no use yet. */
	struct tn_wb_want *want;
};

/* Fails: NO_MEMORY, SYSTEM (the folder cannot be read). */
TN_MUST_USE enum tenon_code tn_wb_config_read(const struct tn_wb_config_options *options,
					      struct tn_wb_config **ret, struct tenon_error *err);
void tn_wb_config_destroy(struct tn_wb_config *config); /* accepts NULL */

/* The member of a section: tn_wb_config_get(config, "graph", "include"). NULL: absent. */
const struct tn_json *tn_wb_config_get(const struct tn_wb_config *config, const char *section,
				       const char *member);
/* {"config","modules","diagnostics"}: the data of skaffa://workspace/config (C8). */
void tn_wb_config_put(struct tn_buf *out, const struct tn_wb_config *config);
/* What tn_wb_config_put writes is the same. */
bool tn_wb_config_equal(const struct tn_wb_config *a, const struct tn_wb_config *b);
/* The modules offer to start the same. */
bool tn_wb_config_launchers_equal(const struct tn_wb_config *a, const struct tn_wb_config *b);

/* The names that are looked for, in order (C1); ends with NULL. */
extern const char *const tn_wb_config_names[];

#endif
