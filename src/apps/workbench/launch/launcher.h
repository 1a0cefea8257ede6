/* launcher.h - which launchers a workspace has: the one for Vite, which is ours, and commands that
 * its modules describe (workbench.md sections 6.4 and 10.5).
 *
 * Ownership: slices and trees are the configuration's. Threads: any. */
#ifndef TN_WB_LAUNCH_LAUNCHER_H
#define TN_WB_LAUNCH_LAUNCHER_H

#include "apps/workbench/config/config.h"

#define TN_WB_VITE "vite"

struct tn_wb_launcher {
	struct tn_str id;
	const struct tn_json *described; /* by a module; NULL: it is Vite's */
};

/* A module's launcher of that id counts before ours. False: there is none. */
bool tn_wb_launcher_find(const struct tn_wb_config *config, struct tn_str id,
			 struct tn_wb_launcher *ret);
/* The one of preview.launcher; empty: none. */
struct tn_str tn_wb_launcher_default(const struct tn_wb_config *config);
/* [{id,displayName,description?,supportedSessionTypes}] of all; of a command also what would run
 * (T21): {command,cwd?,env?}, of the variables their names. */
void tn_wb_launchers_put(struct tn_buf *out, const struct tn_wb_config *config);

#endif
