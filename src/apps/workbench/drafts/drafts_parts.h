/* drafts_parts.h - the inside of the override store, for those who make it. See drafts.h. */
#ifndef TN_WB_DRAFTS_DRAFTS_PARTS_H
#define TN_WB_DRAFTS_DRAFTS_PARTS_H

#include "apps/workbench/drafts/drafts.h"
#include "apps/workbench/drafts/override_disk.h"
#include "apps/workbench/drafts/past.h"

enum { TN_WB_CHANGER_BYTES = 64 };

struct tn_wb_drafts {
	int root_fd;
	const struct tn_clock *clock;
	struct tn_wb_writing *writing; /* NULL: without a loop */
	struct tn_wb_document document;
	struct tn_wb_past past;
	struct tn_oplog *log;
	uint64_t revision;
	struct tn_wb_diagnostics diagnostics; /* of the file */
	bool file_invalid, file_exists;
	bool merged;     /* with what others have written, which nobody has been told yet */
	uint64_t writes; /* of the file, begun and ended: a look from before is of no use */
	char digest[TN_DIGEST_HEX_SIZE]; /* of the file as we know it; "" where there is none */
	char updated_at[TN_CLOCK_ISO_SIZE];
	uint64_t changer_revision; /* 0: nobody has been named */
	char changer[TN_WB_CHANGER_BYTES];
	bool changer_is_person;
};

/* ---- a change: begin, steps, then keep or abandon ---- */

struct tn_wb_change {
	struct tn_wb_drafts *drafts;
	struct tn_wb_outcome *outcome;
	struct tn_arena arena;
	const char *actor, *label, *who;
	uint64_t of; /* the change that it takes back; 0: none */
	bool dry_run, by_assistant;
	bool keep_file; /* the file has it already */
	/* The log's operations are also for the case that nothing has changed in the end. */
	bool always;
};
TN_MUST_USE enum tenon_code tn_wb_change_begin(struct tn_wb_change *change,
					       struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_wb_change_step(struct tn_wb_change *change,
					      const struct tn_json *operation,
					      struct tenon_error *err);
/* A step that takes a draft away. */
TN_MUST_USE enum tenon_code tn_wb_change_clear(struct tn_wb_change *change,
					       const struct tn_wb_draft *draft,
					       struct tenon_error *err);
/* Writes the file, commits, fills the outcome. In any case the change is over afterwards. */
TN_MUST_USE enum tenon_code tn_wb_change_end(struct tn_wb_change *change, struct tenon_error *err);
void tn_wb_change_abandon(struct tn_wb_change *change);
/* The outcome's failure for a code that came of a step or an end. */
enum tenon_code tn_wb_change_fail(struct tn_wb_change *change, const char *failure,
				  enum tenon_code code);

/* ---- the file ---- */

/* Writes what the document is now. Fails: INVALID (file_invalid), SYSTEM, DENIED, LIMIT, NO_MEMORY;
 * then the file is as it was. */
TN_MUST_USE enum tenon_code tn_wb_drafts_write(struct tn_wb_drafts *drafts,
					       struct tenon_error *err);
/* What was seen of the file is what is known of it now. */
void tn_wb_drafts_note(struct tn_wb_drafts *drafts, struct tn_wb_disk_look *look);
/* Others have changed the file since it was `base`, and this was seen of it: what they have changed
 * is changed in memory, too, where it is as it was in `base`; *base is then what they have written.
 * Fails: INVALID (the file is "file_invalid" now), LIMIT, NO_MEMORY; then the drafts are as they
 * were. */
TN_MUST_USE enum tenon_code tn_wb_drafts_merge(struct tn_wb_drafts *drafts,
					       struct tn_wb_document *base,
					       struct tn_wb_disk_look *look,
					       struct tenon_error *err);
/* Makes the drafts those of a document that the file has. */
TN_MUST_USE enum tenon_code tn_wb_drafts_be(struct tn_wb_drafts *drafts,
					    const struct tn_wb_document *document,
					    const char *label, struct tn_wb_outcome *outcome,
					    struct tenon_error *err);

#endif
