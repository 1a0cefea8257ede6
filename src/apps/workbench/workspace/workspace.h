/* workspace.h - a folder that is open: its configuration, registry, graph and drafts, kept up to
 * date with the files (workbench.md sections 0, 3 and 6 to 9).
 *
 * Reading happens aside, in a worker, and what was read is taken over at once: whoever reads a
 * workspace sees one moment of it. Nothing of a folder that is not trusted is executed; of one that
 * is, its configuration and modules in JavaScript (evaluate.h). Every change is told with what it
 * concerns. Ownership: a set has its workspaces; a workspace has everything it hands out,
 * until the next change. Threads: loop. */
#ifndef TN_WB_WORKSPACE_H
#define TN_WB_WORKSPACE_H

#include "apps/workbench/config/config.h"
#include "apps/workbench/drafts/drafts.h"
#include "apps/workbench/graph/graph.h"
#include "apps/workbench/registry/registry.h"
#include "apps/workbench/sessions/session.h"
#include "apps/workbench/workspace/claims.h"
#include "base/digest.h"
#include "store/handles.h"

struct tn_loop;
struct tn_wb_claiming;
struct tn_wb_evaluation;
struct tn_wb_load;
struct tn_wb_saving;
struct tn_wb_source;
struct tn_wb_stay;
struct tn_wb_watch;
struct tn_wb_workspaces;

/* Section 3, L2; of one workspace. */
enum tn_wb_state { TN_WB_LOADING, TN_WB_LOADED, TN_WB_DEGRADED, TN_WB_CLOSING };

/* What a change concerns. */
enum {
	TN_WB_CHANGED_STATE = 1 << 0,
	TN_WB_CHANGED_CONFIG = 1 << 1,
	TN_WB_CHANGED_REGISTRY = 1 << 2,
	TN_WB_CHANGED_GRAPH = 1 << 3,
	TN_WB_CHANGED_OVERRIDES = 1 << 4,
	TN_WB_CHANGED_LIST = 1 << 5,      /* a workspace was opened or closed */
	TN_WB_CHANGED_LAUNCHERS = 1 << 6, /* what modules offer to start */
	TN_WB_CHANGED_SOURCES = 1 << 7,   /* files that are analysed */
	TN_WB_CHANGED_PLAN = 1 << 14      /* what a Save would do */
};

enum { TN_WB_EPOCH_SIZE = 33 };

struct tn_wb_workspace {
	struct tn_wb_workspaces *set;
	struct tn_wb_workspace *next; /* opened before */
	char id[TN_HANDLE_SIZE];      /* "ws_..." */
	char epoch[TN_WB_EPOCH_SIZE]; /* 32 hex digits, new whenever it is opened (L3) */
	char *root;                   /* absolute, without links */
	const char *name;             /* the last part of it */
	bool trusted;
	enum tn_wb_state state;
	struct tn_wb_config *config; /* NULL while it is loading */
	struct tn_wb_registry *registry;
	/* As it was when it was told of last, until its change has been told; NULL: it is. */
	struct tn_wb_registry *registry_told;
	size_t types_told;          /* of both, so far */
	uint64_t registry_revision; /* 0: none yet (R7) */
	struct tn_wb_diagnostics registry_diagnostics, graph_diagnostics;
	struct tn_wb_graph *graph;
	int root_fd;                 /* of the folder, while there are drafts; else -1 */
	struct tn_wb_drafts *drafts; /* NULL while it is loading */
	struct tn_wb_sessions sessions;
	char shown[TN_DIGEST_HEX_SIZE]; /* the caller's: preview/selection as it was told last */

	struct tn_wb_source *source; /* lent to the look that runs, as `claims` are */
	struct tn_wb_claims claims;  /* of the look before: the graph has them */
	bool analyses;               /* sources can be read */

	struct tn_wb_evaluated evaluated; /* lent, likewise: what its programs have said */

	struct tn_wb_load *load;             /* aside, now; NULL: none */
	bool load_waits;                     /* it has ended, and can be taken over later */
	struct tn_wb_evaluation *evaluation; /* its programs are asked, now; NULL: they are not */
	uint64_t askings;                    /* of its programs, so far */
	bool forgets;                        /* what they have said: they are asked anew */
	struct tn_wb_stay *stay;             /* producers that send patches; NULL: none do */
	struct tn_wb_saving *savings;        /* into the source; the first may run (saving.h) */
	bool saving_runs;
	char *last_saved;           /* the edits that take the last Save back, JSON; NULL: none */
	uint64_t last_saved_change; /* that cleared its drafts, in their log */
	/* Whoever had the sources lent has given them back: the next one begins. */
	void (*sources_free)(struct tn_wb_workspace *workspace);
	char *plan;      /* the save plan as it was made last; NULL: never */
	bool plan_again; /* something that it depends on has changed since it began */
	bool read_again; /* something has changed since it began */
	/* The look, for what stands below it. */
	void (*look_again)(struct tn_wb_workspace *workspace);
	void (*settle_look)(struct tn_wb_workspace *workspace);
	struct tn_wb_watch *watch;
	uint32_t outside; /* producers from outside, so far */
	/* Updates from outside that wait, and the first of those that a worker does to a copy of
	 * the graph, which nobody may change meanwhile (claiming.h). */
	struct tn_wb_claiming *claimings, *claiming_runs;
};

struct tn_wb_workspaces {
	struct tn_loop *loop;
	const struct tn_clock *clock;
	struct tn_wb_workspace *first; /* the one opened last */
	size_t count;
	struct tn_handle_registry *handles;
	/* Told of every change; `workspace` may be going. */
	void (*changed)(void *data, struct tn_wb_workspace *workspace, unsigned what);
	void *changed_data;
	/* Of the sessions of every workspace; the data is the workspace. */
	const struct tn_wb_sessions_events *session_events;
	void *session_data; /* the caller's */
	struct tn_wb_trust *trust;
	/* For asking programs of workspaces; the caller's. */
	const char *runtime_folder; /* NULL: one is made, each time */
	struct tn_str evaluator;    /* evaluator.mjs; empty: they are not asked */
};

/* `state_folder`: where trust and recent folders are kept; NULL: only while this runs. */
void tn_wb_workspaces_init(struct tn_wb_workspaces *set, struct tn_loop *loop,
			   const struct tn_clock *clock, const char *state_folder);
/* Ends everything; jobs that still run free themselves. */
void tn_wb_workspaces_finish(struct tn_wb_workspaces *set);

/* Opens the folder, or returns the workspace that it is already; then it is the one that was opened
 * last. `trusted` marks it as trusted (T21); without it what was decided before counts. Looking the
 * folder up blocks for a moment; reading it does not. Fails: NOT_FOUND, INVALID (no folder, or not
 * absolute), DENIED, LIMIT (TN_WB_WORKSPACES_MAX), NO_MEMORY, SYSTEM. */
TN_MUST_USE enum tenon_code tn_wb_workspace_open(struct tn_wb_workspaces *set, const char *path,
						 bool trusted, struct tn_wb_workspace **ret,
						 struct tenon_error *err);
void tn_wb_workspace_close(struct tn_wb_workspace *workspace);
/* Reads the configuration again, because what may be read depends on it (section 0, Opening).
 * Fails: SYSTEM, NO_MEMORY: the decision could not be kept; trust is not given, but is taken back.
 */
TN_MUST_USE enum tenon_code tn_wb_workspace_trust(struct tn_wb_workspace *workspace, bool trusted,
						  struct tenon_error *err);
/* Files may have changed: reads them again, soon. */
void tn_wb_workspace_read_again(struct tn_wb_workspace *workspace);

/* Tells everybody who follows it. */
static inline void tn_wb_workspace_tell(struct tn_wb_workspace *workspace, unsigned what)
{
	const struct tn_wb_workspaces *set = workspace->set;

	if (set->changed && what)
		set->changed(set->changed_data, workspace, what);
}
struct tn_wb_workspace *tn_wb_workspaces_find(const struct tn_wb_workspaces *set, struct tn_str id);

/* The caller's (section 0): the one whose root is the nearest folder above where the caller
 * stands (NULL: not known), else the only one, else the one that was opened last. *ret_why is a
 * sentence. NULL: none is open. */
struct tn_wb_workspace *tn_wb_workspaces_of(const struct tn_wb_workspaces *set, const char *folder,
					    const char **ret_why);

/* ---- trust.c ---- */

struct tn_wb_trust *tn_wb_trust_create(const char *state_folder); /* NULL: out of memory */
void tn_wb_trust_destroy(struct tn_wb_trust *trust);              /* accepts NULL */
bool tn_wb_trust_is(struct tn_wb_trust *trust, const char *root);
TN_MUST_USE enum tenon_code tn_wb_trust_set(struct tn_wb_trust *trust, const char *root,
					    bool trusted, struct tenon_error *err);

#endif
