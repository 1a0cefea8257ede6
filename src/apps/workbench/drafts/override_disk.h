/* override_disk.h - the file of the overrides on the disk: looked at, and replaced whole; nothing
 * here knows the drafts in memory (workbench.md O11, O13 to O15).
 *
 * Ownership: the caller's. Limits: TN_WB_OVERRIDES_FILE_MAX. Threads: any; the loop leaves both to
 * a worker, because the file may be long. */
#ifndef TN_WB_DRAFTS_OVERRIDE_DISK_H
#define TN_WB_DRAFTS_OVERRIDE_DISK_H

#include "apps/workbench/drafts/document.h"
#include "apps/workbench/values/diagnostic.h"
#include "base/clock.h"
#include "base/digest.h"

struct tn_wb_disk_look {
	/* What the drafts knew when it was begun (tn_wb_drafts_look_begin). */
	bool is_known;
	char known[TN_DIGEST_HEX_SIZE]; /* "": there was no file */
	uint64_t writes;

	bool is_same; /* the file is what was known: nothing below is set */
	bool exists, is_invalid;
	char digest[TN_DIGEST_HEX_SIZE], updated_at[TN_CLOCK_ISO_SIZE];
	struct tn_wb_document document; /* empty where there is none, and where it is invalid */
	struct tn_wb_diagnostics diagnostics;
};

void tn_wb_disk_look_init(struct tn_wb_disk_look *look);
void tn_wb_disk_look_finish(struct tn_wb_disk_look *look);
/* Looks at the file below that folder. One that cannot be used is no failure (O14): it is invalid,
 * and the diagnostics say why. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_disk_look(struct tn_wb_disk_look *look, int root_fd,
					    struct tenon_error *err);

/* .skaffa, the caller's to close. -1: there is none; errno says why. */
int tn_wb_override_folder_open(int root_fd);

/* The document into the file. `known` is the digest of the file as it was last seen, "" where there
 * was none, NULL: it may be any. Fails: DENIED, LIMIT, SYSTEM, NO_MEMORY; EXPIRED: others have
 * changed the file since. Then it is as it was. */
TN_MUST_USE enum tenon_code tn_wb_override_file_write(int root_fd,
						      const struct tn_wb_document *document,
						      const char *updated_at, const char *known,
						      char ret_digest[TN_DIGEST_HEX_SIZE],
						      struct tenon_error *err);

#endif
