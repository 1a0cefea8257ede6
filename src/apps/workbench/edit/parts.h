/* parts.h - the inside of a change of files, for the files of this room.
 *
 * Beside a file that is changed lie, while that goes on, its new contents (".tenon-TOKEN-N.new")
 * and the file as it was (".tenon-TOKEN-N.old"); the journal in the root names them all. Threads:
 * as edit.h. */
#ifndef TN_WB_EDIT_PARTS_H
#define TN_WB_EDIT_PARTS_H

#include "apps/workbench/edit/edit.h"
#include "base/rng.h"
#include "store/beneath.h"

enum { TN_WB_EDIT_TOKEN_SIZE = TN_RNG_TOKEN_SIZE(10), TN_WB_EDIT_NAME_SIZE = 64 };

/* One file, read and checked. */
struct tn_wb_prepared {
	struct tn_wb_file_edit *edit;
	struct tn_place place;
	const char *relative; /* into place.path, below the root */
	bool is_there;        /* there was a file; `status` and `before` are what was read */
	bool is_nothing;      /* there is nothing to do */
	struct stat status;
	struct tn_buf before, after;
	unsigned made; /* folders that are missing on the way */
};

struct tn_wb_transaction {
	char root[PATH_MAX]; /* real */
	struct tn_roots roots;
	int root_fd;
	struct tn_wb_prepared *files;
	size_t count;
	char token[TN_WB_EDIT_TOKEN_SIZE];
	int journal; /* locked; -1: none */
};

/* Opens the root. Fails: NOT_FOUND, DENIED, INVALID, NO_MEMORY; then there is nothing to close. */
TN_MUST_USE enum tenon_code tn_wb_transaction_open(struct tn_wb_transaction *t, const char *root,
						   struct tenon_error *err);
void tn_wb_transaction_close(struct tn_wb_transaction *t);

/* ---- prepare.c ---- */

/* Reads and checks every file; nothing is written. Fails: as tn_wb_edits_apply. */
TN_MUST_USE enum tenon_code tn_wb_transaction_prepare(struct tn_wb_transaction *t,
						      const struct tn_wb_edits *edits,
						      struct tn_wb_edit_outcome *outcome,
						      struct tenon_error *err);

/* As tn_wb_edit_fail, with the name of what `err` says. */
enum tenon_code tn_wb_edit_fail_of(struct tn_wb_edit_outcome *outcome, struct tn_str path,
				   const struct tenon_error *err);

/* ---- undo.c ---- */

enum tn_wb_beside { TN_WB_NEW, TN_WB_OLD };
void tn_wb_beside_name(char ret[TN_WB_EDIT_NAME_SIZE], const char *token, size_t number,
		       enum tn_wb_beside which);
/* Takes back what was done to a file of that name, as far as it was; what lies beside it goes. */
void tn_wb_undo_file(int folder, const char *name, const char *token, size_t number);
/* Removes what lies beside it. */
void tn_wb_tidy_file(int folder, const char *token, size_t number);
/* Removes the innermost `made` folders above a file, where they are empty. */
void tn_wb_undo_folders(const struct tn_roots *roots, const char *root, const char *relative,
			unsigned made);
/* Of a folder that is open, as O_PATH, too. Fails: SYSTEM. */
TN_MUST_USE enum tenon_code tn_wb_sync_folder(int folder, struct tenon_error *err);

/* ---- journal.c ---- */

/* Puts right what somebody else left, and begins a journal of one's own, which is locked. Fails:
 * EXPIRED (somebody is at it), DENIED, SYSTEM. */
TN_MUST_USE enum tenon_code tn_wb_journal_begin(struct tn_wb_transaction *t,
						struct tenon_error *err);
/* From here on the change is made: whoever finds the journal tidies up. Fails: SYSTEM. */
TN_MUST_USE enum tenon_code tn_wb_journal_commit(struct tn_wb_transaction *t,
						 struct tenon_error *err);
void tn_wb_journal_end(struct tn_wb_transaction *t); /* it is removed */

#endif
