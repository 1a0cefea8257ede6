/* edit.h - files beneath a folder changed: all of them, or none (workbench.md D3).
 *
 * Everything is read and checked before anything is written. Then new contents are written beside
 * the old ones, old ones are kept, and one name after the other is exchanged; whatever fails undoes
 * all of it. A journal in the root says what is under way, so that a process that is killed leaves
 * nothing that the next one does not put right (recover.h). Modes and owners stay; line ends are
 * bytes like any other. A file that has changed since it was read is a conflict.
 *
 * Paths are relative to the root, plain (values/plain_path.h) and opened beneath it: links that
 * stay inside are followed, and the file that they lead to is replaced. Threads: any; these calls
 * block. Limits: limits.h. */
#ifndef TN_WB_EDIT_EDIT_H
#define TN_WB_EDIT_EDIT_H

#include <limits.h>

#include "apps/workbench/values/glob.h"
#include "base/buf.h"
#include "jsonrpc/json.h"

enum tn_wb_edit_kind { TN_WB_EDIT_TEXT, TN_WB_EDIT_CREATE, TN_WB_EDIT_DELETE };

/* Bytes from `start` up to, not with, `end` become `text`. */
struct tn_wb_replacement {
	size_t start, end;
	struct tn_str text;
};
struct tn_wb_file_edit {
	enum tn_wb_edit_kind kind;
	struct tn_str path;
	struct tn_str expected; /* TEXT: SHA-256 as 64 hex digits; empty: whatever it is */
	struct tn_wb_replacement *list;
	size_t count;
	struct tn_str contents; /* CREATE */
	bool overwrite;         /* CREATE: one that is there is replaced */
	bool allow_missing;     /* DELETE: one that is not there is fine */
};
struct tn_wb_edits {
	struct tn_wb_file_edit *list;
	size_t count;
	const struct tn_wb_globs *read_only; /* NULL: none */
};

struct tn_wb_edit_outcome {
	const char *code;      /* NULL, or "invalidEdit", "conflict", "notFound",
				* "permissionDenied", "ioError" */
	char path[PATH_MAX];   /* of the file that caused it; "": none did */
	struct tn_buf files;   /* [{"filePath","sha256"}], null for one that is gone */
	struct tn_buf inverse; /* edits that take the TEXT ones back, as JSON; of files in
				* UTF-8 */
};
void tn_wb_edit_outcome_init(struct tn_wb_edit_outcome *outcome);
void tn_wb_edit_outcome_finish(struct tn_wb_edit_outcome *outcome);
/* Notes what went wrong with which file, and returns `code`. `err` has the sentence already. */
enum tenon_code tn_wb_edit_fail(struct tn_wb_edit_outcome *outcome, const char *what,
				struct tn_str path, enum tenon_code code);

/* Reads an array of edits: objects {"kind":"text"|"create"|"delete","filePath",...}. They live in
 * the arena. Fails: INVALID (invalidEdit), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_edits_read(struct tn_arena *arena, const struct tn_json *json,
					     struct tn_wb_edits *ret,
					     struct tn_wb_edit_outcome *outcome,
					     struct tenon_error *err);

/* Appends `text` with the replacements made; several at one place come in the order of the list,
 * which is sorted by this. Fails: INVALID (out of range, overlap, inside a character of what is
 * UTF-8), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_replace(struct tn_str text, struct tn_wb_replacement *list,
					  size_t count, struct tn_buf *out,
					  struct tenon_error *err);

/* Does all of it. `root` is absolute. Fails with outcome->code set, and nothing has changed:
 * INVALID, EXPIRED (conflict), NOT_FOUND, DENIED, SYSTEM (ioError), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_edits_apply(const char *root, const struct tn_wb_edits *edits,
					      struct tn_wb_edit_outcome *outcome,
					      struct tenon_error *err);

#endif
