/* prepare.h - what must be there before a server of the project is started: its folder, Node, and
 * our programs for it, which lie in a folder that is ours and never in the project.
 *
 * Ownership: the caller's struct. Threads: a worker; everything here blocks. */
#ifndef TN_WB_LAUNCH_PREPARE_H
#define TN_WB_LAUNCH_PREPARE_H

#include <limits.h>

#include "apps/workbench/launch/scratch.h"
#include "base/error.h"
#include "base/str.h"

enum { TN_WB_PREPARE_FILES = 2 };

struct tn_wb_prepare_file {
	const char *name; /* "launcher.mjs"; NULL: none */
	struct tn_str text;
};

struct tn_wb_prepare {
	/* Before. */
	const char *root;           /* of the workspace: absolute, without links */
	const char *folder;         /* where it is started, as seen from there: "." */
	const char *runtime_folder; /* ours; NULL: one is made */
	bool needs_node;
	struct tn_wb_prepare_file files[TN_WB_PREPARE_FILES];
	/* After. */
	char directory[PATH_MAX]; /* `folder`, absolute */
	char node[PATH_MAX];
	char paths[TN_WB_PREPARE_FILES][PATH_MAX];
	/* A folder that was made, to be removed with the files (scratch.h); "": none. */
	char made[TN_WB_SCRATCH_SIZE];
};

/* NULL: it is all there. Otherwise the code ("NODE_MISSING", "folder_missing", "launch_failed"),
 * and a sentence in `err`. */
const char *tn_wb_prepare(struct tn_wb_prepare *prepare, struct tenon_error *err);

#endif
