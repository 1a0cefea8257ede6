/* buf.h - a growable run of bytes, born with its cap.
 *
 * Appending never fails loudly: the first refusal (cap, memory) sets `failed`, later appends do
 * nothing, and the maker checks once at the end. Threads: one at a time. */
#ifndef TN_BASE_BUF_H
#define TN_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/size.h"
#include "base/str.h"

struct tn_buf {
	char *data; /* NULL while capacity is 0; not NUL-terminated */
	size_t size;
	size_t capacity;
	size_t limit; /* bytes; a cap of base/limits.h */
	bool failed;
	bool starved;  /* failed because the system refused memory, not at the limit */
	bool unwanted; /* nobody will read it: what is appended goes, and that is no failure */
};

void tn_buf_init(struct tn_buf *buf, size_t limit); /* allocates nothing */
/* The same, of what nobody will read: appending costs nothing. `failed` is set from the start;
 * tn_buf_is_bad() says whether something went wrong. */
void tn_buf_init_unwanted(struct tn_buf *buf);
void tn_buf_finish(struct tn_buf *buf);
void tn_buf_clear(struct tn_buf *buf);               /* empty and not failed; keeps the memory */
void tn_buf_shrink(struct tn_buf *buf, size_t keep); /* gives memory above `keep` back if empty */

bool tn_buf_reserve(struct tn_buf *buf, size_t more); /* room for `more` bytes, or sets failed */
void tn_buf_append(struct tn_buf *buf, const void *data, size_t size);
void tn_buf_append_str(struct tn_buf *buf, struct tn_str text);
void tn_buf_append_text(struct tn_buf *buf, const char *text); /* up to the NUL */
void tn_buf_append_byte(struct tn_buf *buf, char byte);
void tn_buf_append_uint(struct tn_buf *buf, unsigned long long value);
/* "1 node", "2 nodes". */
void tn_buf_append_count(struct tn_buf *buf, unsigned long long count, const char *noun);
void tn_buf_format(struct tn_buf *buf, const char *format, ...) TN_PRINTF(2, 3);
void tn_buf_drop_front(struct tn_buf *buf, size_t size);

/* What was made of `from` is part of `buf`: a failure of one is a failure of both. */
static inline void tn_buf_inherit_failure(struct tn_buf *buf, const struct tn_buf *from)
{
	buf->failed = buf->failed || from->failed;
	buf->unwanted = buf->unwanted && (!from->failed || from->unwanted);
	buf->starved = buf->starved || from->starved;
}

static inline bool tn_buf_is_bad(const struct tn_buf *buf)
{
	return buf->failed && !buf->unwanted;
}

static inline struct tn_str tn_buf_str(const struct tn_buf *buf)
{
	return tn_str(buf->data, buf->size);
}

/* Reads a descriptor to its end. Fails: LIMIT at the buffer's cap, SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_buf_read_all(struct tn_buf *buf, int fd, struct tenon_error *err);

/* OK, or why the buffer failed: LIMIT or NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_buf_check(const struct tn_buf *buf, struct tenon_error *err);

#endif
