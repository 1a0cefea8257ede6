/* claiming.h - what producers from outside claim in a workspace's graph, in the order in which it
 * came (G6, G7, G20).
 *
 * What is short is done at once. What is long is read in a worker and done there to a copy of the
 * graph, which then takes its place in one turn; what came later waits, and so does what a look has
 * found. Ownership: a claiming is the caller's until it is added, then the queue's; `done` is
 * called once, and frees it. Threads: loop; `describe` runs where the update is made. */
#ifndef TN_WB_CLAIMING_H
#define TN_WB_CLAIMING_H

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/claims.h"
#include "apps/workbench/workspace/workspace.h"

enum tn_wb_claiming_kind { TN_WB_CLAIM_SNAPSHOT, TN_WB_CLAIM_PATCH, TN_WB_CLAIM_NOTHING };

struct tn_wb_claiming {
	/* Before. */
	enum tn_wb_claiming_kind kind;
	char producer[TN_WB_PRODUCER_NAME_SIZE];
	struct tn_buf text;             /* the document */
	const struct tn_json *document; /* or what was read of it; for trying alone */
	bool comes;                     /* its text is still being made: it has its place already */
	void (*describe)(struct tn_wb_claiming *claiming); /* fills `out` */
	void (*done)(struct tn_wb_claiming *claiming);
	void *data;
	/* After. */
	enum tenon_code code; /* OK; INVALID: no JSON; NOT_FOUND: nothing to take back; CANCELLED:
				 the workspace was closed; NO_MEMORY */
	struct tenon_error err;
	struct tn_wb_update update; /* while it is described */
	struct tn_wb_diagnostics diagnostics;
	struct tn_buf out;
	/* The queue's. */
	struct tn_wb_workspace *workspace; /* NULL: it was closed, or not added */
	struct tn_wb_claiming *next;
	/* Of the first of those that a worker does at once. */
	struct tn_wb_graph *lent, *made;
	uint32_t outside;
};

void tn_wb_claiming_init(struct tn_wb_claiming *claiming);
void tn_wb_claiming_finish(struct tn_wb_claiming *claiming);

/* Done, and `done` called, before this returns, where it is short and nothing waits. Otherwise
 * false, and nothing has happened: a document has to become text, and to be added. */
bool tn_wb_claiming_try(struct tn_wb_workspace *workspace, struct tn_wb_claiming *claiming);
/* False: too many wait already. */
bool tn_wb_claiming_add(struct tn_wb_workspace *workspace, struct tn_wb_claiming *claiming);
/* `comes` has become false: the queue goes on. */
void tn_wb_claiming_go_on(struct tn_wb_workspace *workspace);
/* Of one that comes, and now does not: `done` is called (CANCELLED). */
void tn_wb_claiming_drop(struct tn_wb_claiming *claiming);

/* The graph is not lent: a look can be taken over. */
bool tn_wb_claiming_is_idle(const struct tn_wb_workspace *workspace);
/* Before the graph is freed; it may be gone then. */
void tn_wb_claiming_close(struct tn_wb_workspace *workspace);

#endif
