/* json_write.h - writing compact JSON into a buffer.
 *
 * The writer has no state of its own: whether a comma is due is read off the last byte written, so
 * calls simply follow the document. Strings are escaped; bytes that are not UTF-8 become U+FFFD, so
 * what is written is always valid. Failures stick to the buffer (base/buf.h). Threads: one at a
 * time. */
#ifndef TN_JSONRPC_JSON_WRITE_H
#define TN_JSONRPC_JSON_WRITE_H

#include <stdint.h>

#include "base/buf.h"
#include "jsonrpc/json.h"

void tn_json_begin_object(struct tn_buf *out);
void tn_json_end_object(struct tn_buf *out);
void tn_json_begin_array(struct tn_buf *out);
void tn_json_end_array(struct tn_buf *out);

void tn_json_put_key(struct tn_buf *out, const char *key); /* a literal that needs no escaping */
void tn_json_put_key_str(struct tn_buf *out, struct tn_str key);

void tn_json_put_str(struct tn_buf *out, struct tn_str value);
void tn_json_put_text(struct tn_buf *out, const char *value); /* NULL is written as null */
void tn_json_put_int(struct tn_buf *out, int64_t value);
void tn_json_put_double(struct tn_buf *out, double value); /* shortest form; NaN, infinity: null */
void tn_json_put_bool(struct tn_buf *out, bool value);
void tn_json_put_null(struct tn_buf *out);
void tn_json_put_raw(struct tn_buf *out, struct tn_str json); /* a complete value, already JSON */
/* The same of text that somebody else wrote: line breaks between its tokens are left out, because a
 * message is one line (MCP-079). */
void tn_json_put_foreign(struct tn_buf *out, struct tn_str json);
void tn_json_put_value(struct tn_buf *out, const struct tn_json *value); /* NULL is null */

/* Key and value in one line each. */
void tn_json_put_member_str(struct tn_buf *out, const char *key, struct tn_str value);
void tn_json_put_member_text(struct tn_buf *out, const char *key, const char *value);
void tn_json_put_member_int(struct tn_buf *out, const char *key, int64_t value);
void tn_json_put_member_bool(struct tn_buf *out, const char *key, bool value);
void tn_json_put_member_null(struct tn_buf *out, const char *key);
void tn_json_put_member_raw(struct tn_buf *out, const char *key, struct tn_str json);
void tn_json_put_member_foreign(struct tn_buf *out, const char *key, struct tn_str json);

/* The inside of a string, without quotes and without a comma: to build one from pieces. */
void tn_json_put_escaped(struct tn_buf *out, struct tn_str text);

/* A number within a text, written as above; in a text no comma is due before it. */
void tn_json_append_double(struct tn_buf *text, double value);

/* Base 64 of the bytes as a string value. */
void tn_json_put_base64(struct tn_buf *out, const void *data, size_t size);

#endif
