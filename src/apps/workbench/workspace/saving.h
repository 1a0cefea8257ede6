/* saving.h - the drafts of an open folder into its source: a plan, or the plan carried out
 * (workbench.md section 14).
 *
 * One at a time, in a worker, with the sources lent to it; what is read meanwhile waits. Threads:
 * loop. */
#ifndef TN_WB_SAVING_H
#define TN_WB_SAVING_H

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/save/plan.h"
#include "apps/workbench/workspace/workspace.h"

/* The plan where there are no drafts. */
#define TN_WB_EMPTY_PLAN "{\"edits\":[],\"failures\":[],\"diff\":\"\",\"files\":[]}"

struct tn_wb_saved {
	enum tenon_code code; /* of planning at all */
	struct tenon_error err;
	struct tn_wb_plan_inputs inputs;
	struct tn_wb_plan plan;
	bool is_written; /* files and drafts; else nothing was done, or files->code says why */
	struct tn_wb_edit_outcome files;
	const char *failure; /* NULL, or why the drafts stay although files were written */
};
/* `workspace` NULL: it was closed meanwhile. `saved` stays until this returns. */
typedef void tn_wb_saved_fn(void *data, struct tn_wb_workspace *workspace,
			    const struct tn_wb_saved *saved);

struct tn_wb_save {
	const struct tn_wb_address *only; /* NULL: all drafts of the group app */
	bool writes;                      /* else it is planned alone */
	bool partial;                     /* what can be written is, and the others stay (D2) */
	bool undo;            /* instead: the last Save is taken back (NOT_FOUND: none) */
	const char *actor;    /* whose doing it is; static */
	tn_wb_saved_fn *done; /* comes later, exactly once */
	void *data;
};
/* The workspace is loaded. Fails: NO_MEMORY; then `done` does not come. */
TN_MUST_USE enum tenon_code tn_wb_workspace_save(struct tn_wb_workspace *workspace,
						 const struct tn_wb_save *save,
						 struct tenon_error *err);
/* Begins the next one that waits, if nothing else has the sources. */
void tn_wb_saving_next(struct tn_wb_workspace *workspace);
/* The workspace closes: those that wait end, and the one that runs frees itself. */
void tn_wb_saving_close(struct tn_wb_workspace *workspace);
/* The workspace has drafts that could be written. */
bool tn_wb_saving_has_drafts(const struct tn_wb_workspace *workspace);

#endif
