/* install_edit.h - what `tenon install` does to one file of a host: first as a plan, then for real.
 *
 * Ownership: the plan owns its texts; finish in any case. Threads: main. */
#ifndef TN_CLI_INSTALL_EDIT_H
#define TN_CLI_INSTALL_EDIT_H

#include <limits.h>
#include <sys/types.h>

#include "host/settings/hosts.h"

enum tn_install_action {
	TN_INSTALL_UNCHANGED, /* the entries are there, or gone, already */
	TN_INSTALL_ADDED,
	TN_INSTALL_UPDATED,
	TN_INSTALL_REMOVED,  /* our entries; the rest of the file stays */
	TN_INSTALL_RESTORED, /* nothing else had changed: the backup takes its place */
	TN_INSTALL_DELETED   /* the file had nothing but our entries and was made by us */
};

enum { TN_INSTALL_KEPT_MAX = 32 };

struct tn_install_plan {
	const struct tn_host *host;
	char path[PATH_MAX];   /* where links lead */
	char backup[PATH_MAX]; /* PATH.tenon-backup */
	bool exists;
	bool keep; /* writing begins with a backup */
	mode_t mode;
	enum tn_install_action action;
	struct tn_buf before, after;
	bool brought_back; /* an entry that stood where ours was is there again */
	const char *kept[TN_INSTALL_KEPT_MAX]; /* undoing: entries that are not ours; they stay */
	size_t kept_count;
};

void tn_install_plan_finish(struct tn_install_plan *plan);

/* Fails: INVALID ("line N: ..."; the file cannot be followed), DENIED, LIMIT, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_install_plan_add(struct tn_install_plan *plan,
						const struct tn_host *host,
						const struct tn_host_entry *entries, size_t count,
						struct tenon_error *err);
/* `names`: the entries to take out, as far as they are ours; they outlive the plan. Where one took
 * the place of another, that comes back. */
TN_MUST_USE enum tenon_code tn_install_plan_undo(struct tn_install_plan *plan,
						 const struct tn_host *host,
						 const char *const *names, size_t count,
						 struct tenon_error *err);

/* Backup, then the file, each whole or not at all. Fails: BUSY (the file has changed since the
 * plan), DENIED, SYSTEM. */
TN_MUST_USE enum tenon_code tn_install_carry_out(const struct tn_install_plan *plan,
						 struct tenon_error *err);

/* Whether the host's file has an entry of this name that starts `tenon mcp`. Fails: as plan_add. */
TN_MUST_USE enum tenon_code tn_install_has(const struct tn_host *host, const char *name, bool *ret,
					   struct tenon_error *err);

const char *tn_install_action_name(enum tn_install_action action); /* "added" */

#endif
