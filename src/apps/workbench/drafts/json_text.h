/* json_text.h - JSON as the override file has it (workbench.md O12): numbers in their shortest form
 * that reads back the same, members in their order.
 *
 * Integers of 64 bits keep all their digits; other numbers are written as ECMAScript does.
 * Threads: any. Failures stick to the buffer. */
#ifndef TN_WB_DRAFTS_JSON_TEXT_H
#define TN_WB_DRAFTS_JSON_TEXT_H

#include "base/buf.h"
#include "jsonrpc/json.h"

/* A JsonValue of section 5: no number in it is too large for a double. */
bool tn_wb_json_is_finite(const struct tn_json *value);
/* How deep arrays and objects stand in one another: 0 for a scalar. */
unsigned tn_wb_json_depth(const struct tn_json *value);

/* Compactly. */
void tn_wb_json_put_compact(struct tn_buf *out, const struct tn_json *value);
/* Two blanks a level, one member or element a line, text beyond ASCII as it is; the value begins in
 * the line that has been begun, which is indented by `level`. */
void tn_wb_json_put_pretty(struct tn_buf *out, const struct tn_json *value, unsigned level);
/* A string of the pretty form, with its quotes. */
void tn_wb_json_put_pretty_string(struct tn_buf *out, struct tn_str text);

#endif
