#include "base/buf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/size.h"

enum { FIRST_CAPACITY = 256, READ_STEP = 64 * 1024 };

void tn_buf_init(struct tn_buf *buf, size_t limit)
{
	*buf = (struct tn_buf){.limit = limit};
}

void tn_buf_init_unwanted(struct tn_buf *buf)
{
	tn_buf_init(buf, 0);
	buf->failed = true;
	buf->unwanted = true;
}

void tn_buf_finish(struct tn_buf *buf)
{
	tn_mem_free(buf->data);
	tn_buf_init(buf, buf->limit);
}

void tn_buf_clear(struct tn_buf *buf)
{
	buf->size = 0;
	buf->failed = false;
	buf->starved = false;
}

void tn_buf_shrink(struct tn_buf *buf, size_t keep)
{
	if (buf->size == 0 && buf->capacity > keep)
		tn_buf_finish(buf);
}

static bool grow(struct tn_buf *buf, size_t wanted)
{
	size_t capacity = buf->capacity ? buf->capacity : FIRST_CAPACITY;
	char *data;

	while (capacity < wanted && capacity < buf->limit / 2)
		capacity += capacity < READ_STEP ? capacity : capacity / 2;
	if (capacity < wanted || capacity > buf->limit)
		capacity = buf->limit;
	data = tn_mem_resize(buf->data, capacity);
	if (!data) {
		buf->starved = true;
		return false;
	}
	buf->data = data;
	buf->capacity = capacity;
	return true;
}

bool tn_buf_reserve(struct tn_buf *buf, size_t more)
{
	size_t wanted;

	if (buf->failed)
		return false;
	if (!tn_size_add(buf->size, more, &wanted) || wanted > buf->limit ||
	    (wanted > buf->capacity && !grow(buf, wanted))) {
		buf->failed = true;
		return false;
	}
	return true;
}

void tn_buf_append(struct tn_buf *buf, const void *data, size_t size)
{
	if (size == 0 || !tn_buf_reserve(buf, size))
		return;
	memcpy(buf->data + buf->size, data, size);
	buf->size += size;
}

void tn_buf_append_str(struct tn_buf *buf, struct tn_str text)
{
	tn_buf_append(buf, text.data, text.size);
}

void tn_buf_append_text(struct tn_buf *buf, const char *text)
{
	tn_buf_append(buf, text, strlen(text));
}

void tn_buf_append_byte(struct tn_buf *buf, char byte)
{
	if (!tn_buf_reserve(buf, 1))
		return;
	buf->data[buf->size++] = byte;
}

void tn_buf_append_uint(struct tn_buf *buf, unsigned long long value)
{
	char digits[24];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	tn_buf_append(buf, digits + at, sizeof(digits) - at);
}

void tn_buf_append_count(struct tn_buf *buf, unsigned long long count, const char *noun)
{
	tn_buf_append_uint(buf, count);
	tn_buf_append_byte(buf, ' ');
	tn_buf_append_text(buf, noun);
	if (count != 1)
		tn_buf_append_byte(buf, 's');
}

void tn_buf_format(struct tn_buf *buf, const char *format, ...)
{
	char small[256]; /* most lines fit, and are formatted once */
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (size >= 0 && (size_t)size < sizeof(small)) {
		tn_buf_append(buf, small, (size_t)size);
		return;
	}
	if (size < 0 || !tn_buf_reserve(buf, (size_t)size + 1)) {
		buf->failed = true;
		return;
	}
	va_start(args, format);
	(void)vsnprintf(buf->data + buf->size, (size_t)size + 1, format, args);
	va_end(args);
	buf->size += (size_t)size;
}

void tn_buf_drop_front(struct tn_buf *buf, size_t size)
{
	tn_assert(size <= buf->size);
	if (size == 0)
		return;
	memmove(buf->data, buf->data + size, buf->size - size);
	buf->size -= size;
}

/* A file that is too long is not read to find that out; a pipe, and what grows, is. */
static bool is_too_long(const struct tn_buf *buf, int fd)
{
	off_t at = lseek(fd, 0, SEEK_CUR);
	struct stat status;

	return at >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	       status.st_size > at && (uint64_t)(status.st_size - at) > buf->limit - buf->size;
}

enum tenon_code tn_buf_read_all(struct tn_buf *buf, int fd, struct tenon_error *err)
{
	if (is_too_long(buf, fd))
		return tn_fail(err, TENON_LIMIT, "more than %zu bytes", buf->limit);
	for (;;) {
		size_t room = buf->limit - buf->size;
		ssize_t got;

		/* At the cap one more byte is asked for, to tell "exactly full" from "too much". */
		if (room == 0) {
			char extra;

			got = read(fd, &extra, 1);
			if (got == 0)
				return TENON_OK;
			if (got > 0)
				return tn_fail(err, TENON_LIMIT, "more than %zu bytes", buf->limit);
		} else {
			if (!tn_buf_reserve(buf, room < READ_STEP ? room : READ_STEP))
				return tn_fail(err, TENON_NO_MEMORY, "out of memory");
			got = read(fd, buf->data + buf->size, buf->capacity - buf->size);
			if (got == 0)
				return TENON_OK;
			if (got > 0)
				buf->size += (size_t)got;
		}
		if (got < 0 && errno != EINTR)
			return tn_fail_errno(err, errno, "read");
	}
}

enum tenon_code tn_buf_check(const struct tn_buf *buf, struct tenon_error *err)
{
	if (!buf->failed)
		return TENON_OK;
	if (buf->starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_fail(err, TENON_LIMIT, "more than %zu bytes", buf->limit);
}
