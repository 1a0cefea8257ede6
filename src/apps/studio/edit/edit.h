/* edit.h - changing a diagram by its rules (studio.md section 6): one edit is one change of the
 * operation log, however many steps it has.
 *
 * Arguments have the shape of the tools of studio.md 12.3 and were checked against their schemas;
 * results are the members of the tool's answer without `revision` and `changeId`, appended inside
 * an open JSON object. Every step works on the document at once, so that the next one sees it;
 * abandoning takes all of it back. A step that fails leaves the document as it was before the step
 * (ST-060). Threads: loop. */
#ifndef TN_STUDIO_EDIT_H
#define TN_STUDIO_EDIT_H

#include "apps/studio/document/geometry.h"
#include "apps/studio/document/value.h"

struct tn_studio_project;

struct tn_studio_edit {
	struct tn_studio_document *document;
	struct tn_oplog *log;
	struct tn_arena *arena; /* for what the steps make; the call's */
	struct tn_studio_fault *fault;
	const char *actor, *tool; /* who, and by what */
	const char *who;          /* NULL, or whose change it is, as an id (oplog.h) */
	const char *folder;  /* NULL, or where the caller stands: relative paths are from there */
	bool exact;          /* places are taken as they are, on the grid or not */
	const char *gesture; /* NULL, or who does what: changes that are one step of undo */
	struct tn_studio_project
		*project; /* whose secrets are set; NULL: sensitive values are refused */
	/* Of an edit on a fork: what other open projects are, frozen, in a list; NULL: none. */
	struct tn_studio_project *others;
	/* Whether a block of this node is in the state, and its addresses: for `willDestroy` and
	 * ADDRESS_CHANGED. NULL: nothing is deployed. */
	bool (*deployed)(const void *status, struct tn_str node_id, struct tn_buf *ret_addresses);
	const void *status;
	/* Private. */
	uint64_t of;               /* the change that is taken back or made again; 0: none */
	struct tn_buf touched;     /* ids, a JSON array without brackets: as many as a note holds */
	struct tn_map touched_ids; /* all of them, to how many there were before and itself */
	size_t touched_count;      /* of the change, with those of a gesture before it */
	char summary[256];         /* of one step: "Add Subnet app subnet" */
	unsigned steps;
};

/* Fails: STALE_REVISION, and what the log says. */
bool tn_studio_edit_begin(struct tn_studio_edit *edit, int64_t expected_revision);
/* Whether nodes and edges are as a caller knows them: {id: rev}, NULL for nothing (SC-012). Of an
 * edit that is not begun, or has no step yet. Fails: STALE_NODE with what came between. */
bool tn_studio_edit_expects(struct tn_studio_edit *edit, const struct tn_json *expected);
/* `label` NULL: the step's own summary, or "N changes". A dry run leaves nothing. Without an
 * operation nothing is committed and *ret has the revision as it is. */
bool tn_studio_edit_finish(struct tn_studio_edit *edit, const char *label, bool dry_run,
			   struct tn_change *ret);
void tn_studio_edit_abandon(struct tn_studio_edit *edit);
/* All steps of an edit on trial (of a fork, project.h) as steps of this one, whose document is at
 * the revision that the fork was made of. The other is abandoned, and this one where it fails. */
bool tn_studio_edit_adopt(struct tn_studio_edit *edit, struct tn_studio_edit *from);

typedef bool tn_studio_edit_fn(struct tn_studio_edit *edit, const struct tn_json *arguments,
			       struct tn_buf *result);
tn_studio_edit_fn tn_studio_edit_add;         /* add_resource (6.2) */
tn_studio_edit_fn tn_studio_edit_update;      /* update_resource (6.3) */
tn_studio_edit_fn tn_studio_edit_remove;      /* remove_resource */
tn_studio_edit_fn tn_studio_edit_connect;     /* connect_resources (ST-046) */
tn_studio_edit_fn tn_studio_edit_disconnect;  /* disconnect_resources */
tn_studio_edit_fn tn_studio_edit_update_edge; /* update_edge (SC-027) */
tn_studio_edit_fn tn_studio_edit_move;        /* move_resource */
tn_studio_edit_fn tn_studio_edit_copy;        /* copy_resources; edit->project is not NULL */
tn_studio_edit_fn tn_studio_edit_moves;       /* move_resources */
tn_studio_edit_fn tn_studio_edit_layout;      /* layout_diagram (layout.h) */
tn_studio_edit_fn tn_studio_edit_config;      /* set_project_config (config.h) */

/* How `algorithm` and `direction` of some arguments (NULL: none) lay out, else the project's
 * configuration. */
struct tn_studio_layout_way {
	enum tn_studio_algorithm algorithm;
	enum tn_studio_direction direction;
};
struct tn_studio_layout_way tn_studio_layout_way_of(const struct tn_studio_document *document,
						    const struct tn_json *arguments);

struct tn_studio_undo { /* a change that can be taken back, or made again, as it stands */
	uint64_t id;
	const char *label, *actor;
	struct tn_str back;
};
/* Whether that is so of what these mean in `log`, and there is so much of it that a worker had
 * better do it. What is returned lies in the arena. */
bool tn_studio_undo_is_large(struct tn_oplog *log, const struct tn_oplog_which *which,
			     struct tn_arena *arena, struct tn_studio_undo *ret);
/* Its steps, in an edit that has begun; the result as below. */
bool tn_studio_undo_do(struct tn_studio_edit *edit, const struct tn_studio_undo *undo,
		       struct tn_buf *result);

/* undo_change, redo_change (SC-019): one change is taken back, or made again, as a new one; exactly
 * that, whatever else has happened since. The whole edit, from begin to finish. What was done is
 * appended as an object {changeId, summary, actor}. Fails: NOTHING_TO_UNDO, UNDO_CONFLICT with
 * `by`, STALE_REVISION. */
bool tn_studio_edit_undo(struct tn_studio_edit *edit, const struct tn_oplog_which *which,
			 int64_t expected_revision, struct tn_buf *result, struct tn_change *ret);

/* For the steps: applies one operation now and notes its inverse. */
bool tn_studio_edit_apply(struct tn_studio_edit *edit, struct tn_str operation);
void tn_studio_edit_touch(struct tn_studio_edit *edit, struct tn_str node_id);
/* One secret of a node (declared.h) into the project's store; NULL forgets it. */
bool tn_studio_edit_keep_secret(struct tn_studio_edit *edit, struct tn_str node_id,
				struct tn_str rest, const struct tn_str *value);

#endif
