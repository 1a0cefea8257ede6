/* load.h - one look at a workspace's files, in a worker.
 *
 * Ownership: the reading has what it found until it is taken over; then it is freed. */
#ifndef TN_WB_LOAD_H
#define TN_WB_LOAD_H

#include "apps/workbench/drafts/override_disk.h"
#include "apps/workbench/launch/prepare.h"
#include "apps/workbench/source/project.h"
#include "apps/workbench/workspace/workspace.h"
#include "loop/loop.h"

struct tn_wb_load {
	struct tn_wb_workspace *workspace; /* NULL: it was closed meanwhile */
	struct tn_job *job;
	char *root;
	bool trusted, first;

	/* Lent, as `source` is; and what of it is missing: then nothing else was looked at. */
	struct tn_wb_evaluated evaluated;
	struct tn_wb_want want;
	struct tn_wb_prepare prepare; /* for asking */
	const char *prepare_code;     /* why it cannot be asked; NULL: it can */

	/* The workspace's, while this runs; made by the first look. */
	struct tn_wb_source *source;
	bool analyses; /* the plug-in that reads sources is there */

	enum tenon_code code; /* of reading at all */
	struct tenon_error err;
	struct tn_wb_config *config;
	struct tn_wb_registry *registry;
	struct tn_wb_drafts *drafts; /* of the first look alone: then they are the workspace's */
	int root_fd;                 /* theirs; -1: none */
	struct tn_wb_disk_look look; /* at their file, by any later look */
	const struct tn_clock *clock;
	struct tn_loop *loop;                     /* for the drafts, later */
	struct tn_wb_source_hint *explicit_hints; /* while it looks */
	size_t explicit_count;
	struct tn_wb_source_found found;
	struct tn_wb_diagnostics registry_diagnostics, graph_diagnostics;
	struct tn_wb_claims claims, before; /* `before` is lent as `source` is */
	struct tn_wb_graph *graph;          /* of the first look alone: all of them, put already */
};

/* Begins one; `workspace->load` is it. Fails: NO_MEMORY, LIMIT (no worker). */
TN_MUST_USE enum tenon_code tn_wb_load_start(struct tn_wb_workspace *workspace,
					     struct tenon_error *err);
/* What has ended while the graph was lent is taken over now. */
void tn_wb_load_settle(struct tn_wb_workspace *workspace);
void tn_wb_load_close(struct tn_wb_workspace *workspace); /* its job frees it */
/* sources.c: the registry, and what the sources and modules claim in the graph. */
TN_MUST_USE enum tenon_code tn_wb_load_sources(struct tn_wb_load *load,
					       const atomic_bool *cancelled);
/* Takes over what was read; called on the loop when it is done. */
void tn_wb_workspace_take(struct tn_wb_workspace *workspace, struct tn_wb_load *load);

/* ---- watch.c ---- */

/* Follows folders below the root; `changed` is called on the loop, TN_WB_DEBOUNCE_MS after the
 * first of several changes. NULL: no memory, or no descriptors. */
struct tn_wb_watch *tn_wb_watch_create(struct tn_loop *loop, const char *root,
				       void (*changed)(void *data), void *data);
void tn_wb_watch_destroy(struct tn_wb_watch *watch); /* accepts NULL */
/* A folder below the root, "" for itself. True: it is followed, and was not before. */
bool tn_wb_watch_add(struct tn_wb_watch *watch, const char *folder);

#endif
