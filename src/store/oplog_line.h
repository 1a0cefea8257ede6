/* oplog_line.h - a line with a checksum: {"check":"0a1b2c3d", and the members after it. Both files
 * of an operation log are made of such lines. Private to the log. */
#ifndef TN_STORE_OPLOG_LINE_H
#define TN_STORE_OPLOG_LINE_H

#include "base/buf.h"

/* `out` is empty. Between the two the members are written; end adds the brace, the line break and
 * the checksum of everything behind its own member. */
void tn_oplog_line_begin(struct tn_buf *out);
void tn_oplog_line_end(struct tn_buf *out);

/* A line without its line break. Not all lines that pass are JSON. */
bool tn_oplog_line_is_whole(struct tn_str line);

#endif
