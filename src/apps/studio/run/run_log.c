/* log.jsonl of a run: every line as the readers got it. Beyond the cap the head stays, and of the
 * rest the end (ST-087): the file is written anew with a mark between the two, once for every few
 * megabytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* Of the 10 MiB: what stays of the beginning, and of the end when it is written anew. */
static const size_t head_bytes = 4 * TN_MIB, tail_bytes = 3 * TN_MIB;

void tn_studio_run_log_open(struct tn_studio_run_log *log, const char *folder)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	*log = (struct tn_studio_run_log){.fd = -1};
	tn_buf_init(&log->pending, 16 * TN_MIB);
	if (tn_studio_run_path(path, folder, "log.jsonl"))
		log->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

void tn_studio_run_log_close(struct tn_studio_run_log *log)
{
	tn_studio_run_log_flush(log);
	if (log->fd >= 0)
		(void)close(log->fd); /* nothing can be done about it */
	log->fd = -1;
	tn_buf_finish(&log->pending);
}

static bool read_at(int fd, char *to, size_t size, uint64_t at)
{
	while (size > 0) {
		ssize_t got = pread(fd, to, size, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		size -= (size_t)got;
		at += (uint64_t)got;
	}
	return true;
}

static bool write_at(int fd, const char *from, size_t size, uint64_t at)
{
	while (size > 0) {
		ssize_t put = pwrite(fd, from, size, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		from += put;
		size -= (size_t)put;
		at += (uint64_t)put;
	}
	return true;
}

static uint64_t count_lines(struct tn_str text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	return count;
}

/* The end of the last line that ends before `limit` bytes. */
static uint64_t find_head(struct tn_str all, size_t limit)
{
	for (size_t i = limit < all.size ? limit : all.size; i > 0; i--) {
		if (all.data[i - 1] == '\n')
			return i;
	}
	return 0;
}

/* Lines in the middle go. What a reader finds is whole lines: head, mark, tail. */
static void compact(struct tn_studio_run_log *log)
{
	char *all = tn_mem_alloc(log->size + 1);
	char mark[64];
	uint64_t from;
	size_t newline;
	int size;

	if (!all || !read_at(log->fd, all, log->size, 0)) {
		tn_mem_free(all);
		return;
	}
	if (log->head == 0)
		log->head = log->tail = find_head(tn_str(all, log->size), head_bytes);
	from = log->size - tail_bytes;
	newline = tn_str_find_byte(tn_str(all + from, log->size - from), '\n');
	from = newline == TN_STR_NONE ? log->size : from + newline + 1;
	log->omitted += count_lines(tn_str(all + log->tail, from - log->tail));
	size = snprintf(mark, sizeof(mark), "{\"omitted\":%llu}\n",
			(unsigned long long)log->omitted);
	if (write_at(log->fd, mark, (size_t)size, log->head) &&
	    write_at(log->fd, all + from, log->size - from, log->head + (uint64_t)size)) {
		log->tail = log->head + (uint64_t)size;
		log->size = log->tail + (log->size - from);
		(void)!ftruncate(log->fd, (off_t)log->size); /* old lines at the end, at worst */
	}
	tn_mem_free(all);
}

void tn_studio_run_log_flush(struct tn_studio_run_log *log)
{
	struct tn_str text = tn_buf_str(&log->pending);

	if (log->fd >= 0 && text.size > 0 && write_at(log->fd, text.data, text.size, log->size)) {
		log->size += text.size;
		if (log->size > TN_STUDIO_RUN_LOG_BYTES_MAX)
			compact(log);
	}
	tn_buf_clear(&log->pending);
	tn_buf_shrink(&log->pending, 256 * TN_KIB);
}

void tn_studio_run_log_add(struct tn_studio_run_log *log, const struct tn_studio_run_line *line,
			   int64_t wall_ms)
{
	struct tn_buf *out = &log->pending;
	char time[TN_CLOCK_ISO_SIZE];

	if (out->size > TN_MIB)
		tn_studio_run_log_flush(log);
	tn_clock_format_iso(wall_ms, time);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "n", (int64_t)line->number);
	tn_json_put_member_text(out, "time", time);
	tn_json_put_member_text(out, "stream", line->is_stderr ? "stderr" : "stdout");
	tn_json_put_member_str(out, "level", line->level);
	tn_json_put_member_str(out, "text", line->text);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}
