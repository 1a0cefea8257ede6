/* call_output.h - what a person or a script sees of a result. Threads: main. */
#ifndef TN_CLI_CALL_OUTPUT_H
#define TN_CLI_CALL_OUTPUT_H

#include "cli/shared/run.h"
#include "jsonrpc/json.h"

/* JSON with line breaks and two spaces a level. */
void tn_json_put_pretty(struct tn_buf *out, const struct tn_json *value, unsigned depth);

/* What the content of a tools/call or resources/read result says, as text: the texts as they are (a
 * structured result indented), a sentence for whatever is no text. `file`: NULL, or where the first
 * picture, sound or other bytes are written; otherwise the text itself is. Appends to `out`.
 * Fails: as tn_file_write; INVALID (`file` was given and there is nothing for it). */
TN_MUST_USE enum tenon_code tn_output_result(const struct tn_json *result, const char *file,
					     struct tn_buf *out, struct tenon_error *err);

#endif
