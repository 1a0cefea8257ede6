/* drafts.h - the overrides of a workspace: changed by batches, kept in a file, undone by anybody
 * (workbench.md section 13, O1-O18; ARCHITECTURE section 3.3).
 *
 * Every change is made in memory, then in the file, and only then told to the caller, who sends it
 * on (O6). Undo, redo and who did what come from the operation log, which is in memory: what
 * outlives the process is the contract's file. With a loop the file is written in a worker
 * (writing.h): a change is in memory when the call returns, and what it is for is done when it is
 * written. Ownership: the caller's, from open to close; outcomes are the caller's. Limits:
 * limits.h. Threads: one at a time; without a loop writing blocks for as long as the file takes. */
#ifndef TN_WB_DRAFTS_DRAFTS_H
#define TN_WB_DRAFTS_DRAFTS_H

#include "apps/workbench/drafts/check.h"
#include "base/clock.h"

struct tn_loop;
struct tn_wb_disk_look;
struct tn_wb_writing;
struct tn_wb_drafts; /* opaque; the layout is in drafts_parts.h */

struct tn_wb_drafts_options {
	int root_fd; /* of the workspace, open as long as the drafts; -1: nothing is kept */
	const struct tn_clock *clock;
	struct tn_loop *loop; /* NULL: the file is written before a change returns */
};

/* Loads the file (O14). One that cannot be used is no failure: the store is then "file_invalid",
 * and its diagnostics say why. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_drafts_open(const struct tn_wb_drafts_options *options,
					      struct tn_wb_drafts **ret, struct tenon_error *err);
void tn_wb_drafts_close(struct tn_wb_drafts *drafts); /* accepts NULL */

/* ---- what changed ---- */

struct tn_wb_outcome {
	uint64_t revision; /* after it, or without it where nothing has changed */
	bool changed;
	size_t applied, unchanged; /* O8 */
	/* For the sessions of each group: an array of set and clear that leads from what was there
	 * to what is there; empty (no text) where nothing has changed. */
	struct tn_buf forth[TN_WB_GROUPS];
	struct tn_buf
		inverse;      /* O10: an array of ops of the batch's group that restores what was */
	size_t inverse_count; /* ops of it */
	struct tn_buf states; /* an array of the drafts that were named or touched, as they are */
	/* NULL, or why nothing has happened: "validation_failed", "conflict", "persist_failed",
	 * "limit_exceeded", "nothing_to_undo", "internal_error". */
	const char *failure;
	struct tn_wb_op_fault *faults; /* of validation_failed: of all ops that fail */
	size_t fault_count;
	uint64_t change_id; /* in the log; 0: none */
	char *label;        /* NULL, or what was undone or redone */
};
void tn_wb_outcome_init(struct tn_wb_outcome *outcome);
void tn_wb_outcome_finish(struct tn_wb_outcome *outcome);

struct tn_wb_batch {
	enum tn_wb_group group;
	const struct tn_json *ops; /* an array of 1 to TN_WB_OPS_MAX (fewer or more: INVALID) */
	int64_t expected_revision; /* -1: whatever it is */
	bool dry_run, by_assistant;
	const char *actor, *label; /* "Claude Code"; "Set label of ui.button" */
	const char *who;           /* NULL, or whose it is (see struct tn_change) */
	const struct tn_wb_facts *facts;
};
/* Fails with outcome->failure set and a sentence in `err`: INVALID (validation_failed), EXPIRED
 * (conflict), SYSTEM, DENIED, INVALID (persist_failed), LIMIT, NO_MEMORY; then nothing has changed.
 */
TN_MUST_USE enum tenon_code tn_wb_drafts_apply(struct tn_wb_drafts *drafts,
					       const struct tn_wb_batch *batch,
					       struct tn_wb_outcome *outcome,
					       struct tenon_error *err);

/* A set that puts back, exactly, what an earlier change has replaced or taken away (O10). */
bool tn_wb_drafts_was_there(const struct tn_wb_drafts *drafts, enum tn_wb_group group,
			    const struct tn_json *op);

/* Takes back a change, or makes one again; one that others have changed since is refused
 * (conflict). Fails: as applying, and NOT_FOUND (nothing_to_undo). */
TN_MUST_USE enum tenon_code tn_wb_drafts_undo(struct tn_wb_drafts *drafts,
					      const struct tn_oplog_which *which, const char *actor,
					      const char *who, struct tn_wb_outcome *outcome,
					      struct tenon_error *err);

/* The same, only tried: what it would come to. */
TN_MUST_USE enum tenon_code tn_wb_drafts_would_undo(struct tn_wb_drafts *drafts,
						    const struct tn_oplog_which *which,
						    struct tn_wb_outcome *outcome,
						    struct tenon_error *err);

/* The change that this would take back or make again. NULL: none. */
const struct tn_change *tn_wb_drafts_undoes(const struct tn_wb_drafts *drafts,
					    const struct tn_oplog_which *which);

/* Clears the orphans of one group, or of all (`group` NULL), in one change. Fails: as applying. */
TN_MUST_USE enum tenon_code tn_wb_drafts_clear_orphaned(struct tn_wb_drafts *drafts,
							const enum tn_wb_group *group,
							const char *actor,
							struct tn_wb_outcome *outcome,
							struct tenon_error *err);

/* Clears these, however many, in one change: what a Save has written (D2). Those that are not there
 * are passed over. Fails: as applying. */
TN_MUST_USE enum tenon_code
tn_wb_drafts_clear_these(struct tn_wb_drafts *drafts, const struct tn_wb_address *addresses,
			 size_t count, const char *actor, const char *label,
			 struct tn_wb_outcome *outcome, struct tenon_error *err);

/* By whom the newest change was made, as that client names itself: told with the state. */
void tn_wb_drafts_name_changer(struct tn_wb_drafts *drafts, const char *client, bool is_person);

/* ---- the file ---- */

/* Who waits until the changes so far are in the file; the caller's, until `done` was called. */
struct tn_wb_written {
	/* OK, or why they are not, and then they have been taken back; CANCELLED: the drafts were
	 * closed. */
	void (*done)(struct tn_wb_written *written, enum tenon_code code,
		     const struct tenon_error *err);
	struct tn_wb_writing *writing; /* NULL: nothing is waited for */
	struct tn_wb_written *next;
	uint64_t number;
};
/* False: they are there, and `done` is not called. */
bool tn_wb_drafts_wait(struct tn_wb_drafts *drafts, struct tn_wb_written *written);
void tn_wb_written_forget(struct tn_wb_written *written);

/* The file may have been changed by others (O15): begin on the loop, tn_wb_disk_look in a worker,
 * then reload, which makes its differences one change. What we wrote ourselves is none, and what
 * was seen before or while we did is passed over. A file that cannot be used makes the store
 * "file_invalid" and changes nothing else; one that can be used again ends that. Fails: as
 * applying. */
void tn_wb_drafts_look_begin(const struct tn_wb_drafts *drafts, struct tn_wb_disk_look *look);
TN_MUST_USE enum tenon_code tn_wb_drafts_reload(struct tn_wb_drafts *drafts,
						struct tn_wb_disk_look *look,
						struct tn_wb_outcome *outcome,
						struct tenon_error *err);
/* For "file_invalid": renames the file to overrides.v0.json.bak-<time> and goes on with what is in
 * memory. Fails: INVALID (the file is fine), SYSTEM. */
TN_MUST_USE enum tenon_code tn_wb_drafts_reset_file(struct tn_wb_drafts *drafts,
						    struct tenon_error *err);

/* ---- what the sessions say (O16-O18) ---- */

enum tn_wb_report { /* of one session about one draft */
		    TN_WB_UNREPORTED,
		    TN_WB_APPLIED,
		    TN_WB_INSTANCE_NOT_FOUND,
		    TN_WB_AMBIGUOUS_LOCATOR,
		    TN_WB_PATH_INVALID_THERE
};
/* "instance_not_found", ...; UNREPORTED: no such reason. */
enum tn_wb_report tn_wb_report_of(struct tn_str reason);

/* `session` is a number of the caller's, 0 to TN_WB_SESSIONS_MAX - 1, the same as long as it lives.
 * True: a status has changed. Addresses that are not there are passed over. */
bool tn_wb_drafts_report(struct tn_wb_drafts *drafts, unsigned session,
			 const struct tn_wb_address *address, enum tn_wb_report report);
/* The session has ended, or was reloaded: what it said counts no more (O18). */
bool tn_wb_drafts_forget(struct tn_wb_drafts *drafts, unsigned session);

struct tn_wb_rebound {
	struct tn_wb_address from;
	struct tn_str to_instance_id;
	const struct tn_json *to_locator; /* NULL: none */
};
/* A15: instances were found again under other ids. Their drafts move there and keep where they came
 * from, all of one report in one change of the file; what would displace a draft that stays, and
 * what is not there, is left alone. *ret_moved says how many moved; the revision goes up by one
 * where any did. No part of the log; undo finds them where they are. Call it before the same
 * report's statuses. Fails: as writing the file; then nothing has moved. */
TN_MUST_USE enum tenon_code tn_wb_drafts_rebind(struct tn_wb_drafts *drafts,
						const struct tn_wb_rebound *list, size_t count,
						size_t *ret_moved, struct tenon_error *err);

/* ---- reading ---- */

uint64_t tn_wb_drafts_revision(const struct tn_wb_drafts *drafts); /* 0 after load */
bool tn_wb_drafts_file_is_invalid(const struct tn_wb_drafts *drafts);
const struct tn_wb_diagnostics *tn_wb_drafts_diagnostics(const struct tn_wb_drafts *drafts);
const struct tn_wb_document *tn_wb_drafts_document(const struct tn_wb_drafts *drafts);
/* For labels of undo and redo, and the list of changes. Read only. */
const struct tn_oplog *tn_wb_drafts_log(const struct tn_wb_drafts *drafts);

/* "pending", "applied" or "orphaned"; *ret_reason (may be NULL) is NULL or the reason. What a
 * registry does not have, or has disabled, is the reason of an orphan. */
const char *tn_wb_slot_status(const struct tn_wb_slot *slot, const struct tn_wb_registry *registry,
			      const char **ret_reason);
/* One draft with group, status and reason, as an object. */
void tn_wb_slot_put(struct tn_buf *out, const struct tn_wb_slot *slot,
		    const struct tn_wb_registry *registry);
/* Which part of the drafts. */
struct tn_wb_drafts_page {
	struct tn_str cursor; /* as a page before has said; empty: from the first one on */
	size_t limit;         /* 0: any number */
	size_t bytes_max;     /* of the drafts, and of the file's content; 0: any number */
};
/* The data of skaffa://workspace/overrides (15.1); where not all drafts are shown, `total` and
 * perhaps `nextCursor` (M4). False: the cursor is none. */
bool tn_wb_drafts_put_state(struct tn_buf *out, const struct tn_wb_drafts *drafts,
			    const struct tn_wb_registry *registry,
			    const struct tn_wb_drafts_page *page);
/* The drafts of one group as an array of sets: initialOverrides of host.init. */
void tn_wb_drafts_put_initial(struct tn_buf *out, const struct tn_wb_drafts *drafts,
			      enum tn_wb_group group);

#endif
