/* override_file.h - the file that overrides are kept in, .skaffa/overrides.v0.json: writing it byte
 * for byte as the contract has it, and reading it without losing anything (workbench.md O11, O12,
 * O14).
 *
 * Ownership: the caller's. Threads: one at a time; nothing here touches the disk. */
#ifndef TN_WB_DRAFTS_OVERRIDE_FILE_H
#define TN_WB_DRAFTS_OVERRIDE_FILE_H

#include "apps/workbench/drafts/document.h"
#include "apps/workbench/values/diagnostic.h"

#define TN_WB_OVERRIDE_FOLDER ".skaffa"
#define TN_WB_OVERRIDE_NAME "overrides.v0.json"
#define TN_WB_OVERRIDE_PATH TN_WB_OVERRIDE_FOLDER "/" TN_WB_OVERRIDE_NAME

/* The file's text. Failures stick to the buffer. */
void tn_wb_override_file_put(struct tn_buf *out, const struct tn_wb_document *document,
			     const char *updated_at);
/* The same document as one compact value. */
void tn_wb_override_file_put_compact(struct tn_buf *out, const struct tn_wb_document *document,
				     const char *updated_at);

/* Puts what the text holds into an empty document. Fails: INVALID (not JSON, another schemaVersion,
 * an invalid entry: the diagnostics have each, with its pointer), LIMIT, NO_MEMORY; then the
 * document is to be thrown away. Of an address that stands there twice the last one counts, with a
 * warning. `updated_at` has room for TN_CLOCK_ISO_SIZE bytes; "" where the text has no such time.
 */
TN_MUST_USE enum tenon_code tn_wb_override_file_read(struct tn_wb_document *document,
						     struct tn_str text, char *updated_at,
						     struct tn_wb_diagnostics *diagnostics,
						     struct tenon_error *err);

#endif
