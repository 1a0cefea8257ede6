/* log.jsonl of a run: every line as the readers got it; written, gone on with, and read. Beyond the
 * cap the head stays, and of the rest the end (ST-087): the file is written anew with a mark
 * between the two, once for every few megabytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { READ_BYTES = 256 * 1024 };

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

void tn_studio_run_log_reopen(struct tn_studio_run_log *log, const char *folder)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	tn_buf_finish(&log->pending);
	*log = (struct tn_studio_run_log){.fd = -1};
	tn_buf_init(&log->pending, 16 * TN_MIB);
	if (tn_studio_run_path(path, folder, "log.jsonl"))
		log->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
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
	char mark[128];
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
	size = snprintf(mark, sizeof(mark), "{\"omitted\":%llu,\"stdout\":%llu,\"stderr\":%llu}\n",
			(unsigned long long)log->omitted, (unsigned long long)log->at[0],
			(unsigned long long)log->at[1]);
	if (write_at(log->fd, mark, (size_t)size, log->head) &&
	    write_at(log->fd, all + from, log->size - from, log->head + (uint64_t)size)) {
		log->tail = log->head + (uint64_t)size;
		log->size = log->tail + (log->size - from);
		(void)!ftruncate(log->fd, (off_t)log->size); /* old lines at the end, at worst */
	}
	tn_mem_free(all);
}

void tn_studio_run_log_append(struct tn_studio_run_log *log)
{
	struct tn_str text = tn_buf_str(&log->pending);

	log->failed = log->failed || log->pending.failed;
	if (log->fd >= 0 && text.size > 0 && write_at(log->fd, text.data, text.size, log->size))
		log->size += text.size;
	else if (text.size > 0)
		log->failed = true;
	tn_buf_clear(&log->pending);
	tn_buf_shrink(&log->pending, 256 * TN_KIB);
}

bool tn_studio_run_log_fit(struct tn_studio_run_log *log)
{
	uint64_t before = log->size;

	if (before > TN_STUDIO_RUN_LOG_BYTES_MAX)
		compact(log);
	return log->size < before;
}

void tn_studio_run_log_flush(struct tn_studio_run_log *log)
{
	if (log->pending.size == 0 && !log->pending.failed)
		return;
	tn_studio_run_log_append(log);
	(void)tn_studio_run_log_fit(log);
}

/* ---- reading it again ---- */

/* {"n":12,...: without reading all of it. */
uint64_t tn_studio_run_line_number(struct tn_str line)
{
	uint64_t number = 0;
	size_t end;

	if (!tn_str_starts(line, TN_STR("{\"n\":")))
		return 0;
	line = tn_str_from_offset(line, 5);
	end = tn_str_find_byte(line, ',');
	if (end == TN_STR_NONE || !tn_str_to_uint(tn_str(line.data, end), &number))
		return 0;
	return number;
}

/* Of the first bytes of a line. Where the key stands in a text its quotes are escaped. */
static bool number_after(struct tn_str line, const char *key, uint64_t *ret)
{
	size_t at = tn_str_find(line, tn_str_from(key)), end = 0;

	if (at == TN_STR_NONE)
		return false;
	line = tn_str_from_offset(line, at + strlen(key));
	while (end < line.size && tn_is_digit(line.data[end]))
		end++;
	return tn_str_to_uint(tn_str(line.data, end), ret);
}

/* "time":"2026-01-02T03:04:05.678Z": in the first bytes, too. */
static void note_time(struct tn_studio_run_log *log, struct tn_str line)
{
	size_t at = tn_str_find(line, TN_STR("\"time\":\"")), end;
	int64_t wall_ms;

	if (at == TN_STR_NONE)
		return;
	line = tn_str_from_offset(line, at + 8);
	end = tn_str_find_byte(line, '"');
	if (end != TN_STR_NONE && tn_clock_parse_iso(tn_str(line.data, end), &wall_ms))
		log->last_ms = wall_ms;
}

static void note_line(struct tn_studio_run_log *log, uint64_t end)
{
	struct tn_str line = tn_str(log->line, log->line_size);
	uint64_t number = tn_studio_run_line_number(line);

	if (number > 0) {
		log->last = number;
		note_time(log, line);
		(void)number_after(line, "\"stream\":\"stdout\",\"at\":", &log->at[0]);
		(void)number_after(line, "\"stream\":\"stderr\",\"at\":", &log->at[1]);
	} else if (number_after(line, "{\"omitted\":", &log->omitted)) {
		log->head = log->size;
		log->tail = end;
		(void)number_after(line, "\"stdout\":", &log->at[0]);
		(void)number_after(line, "\"stderr\":", &log->at[1]);
	}
	log->size = end;
	log->line_size = 0;
}

bool tn_studio_run_log_look(struct tn_studio_run_log *log, struct tn_buf *chunk)
{
	struct tn_str rest;
	ssize_t got;

	tn_buf_clear(chunk);
	do
		got = log->fd < 0 || !tn_buf_reserve(chunk, chunk->limit)
			      ? 0
			      : pread(log->fd, chunk->data, chunk->limit, (off_t)log->looked);
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		/* A line that was cut off in the middle goes. */
		log->failed = log->fd < 0 || got < 0 || ftruncate(log->fd, (off_t)log->size) != 0;
		return false;
	}
	for (rest = tn_str(chunk->data, (size_t)got); rest.size > 0;) {
		size_t end = tn_str_find_byte(rest, '\n');
		size_t size = end == TN_STR_NONE ? rest.size : end;
		size_t room = sizeof(log->line) - log->line_size;

		room = size < room ? size : room;
		memcpy(log->line + log->line_size, rest.data, room);
		log->line_size += room;
		log->looked += end == TN_STR_NONE ? size : size + 1;
		if (end != TN_STR_NONE)
			note_line(log, log->looked);
		rest = tn_str_from_offset(rest, end == TN_STR_NONE ? size : size + 1);
	}
	return true;
}

/* ---- writing ---- */

void tn_studio_run_log_add(struct tn_studio_run_log *log, const struct tn_studio_run_line *line,
			   int64_t wall_ms)
{
	struct tn_buf *out = &log->pending;
	char time[TN_CLOCK_ISO_SIZE];

	if (out->size > TN_MIB)
		tn_studio_run_log_append(log);
	tn_clock_format_iso(wall_ms, time);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "n", (int64_t)line->number);
	tn_json_put_member_text(out, "time", time);
	tn_json_put_member_text(out, "stream", line->is_stderr ? "stderr" : "stdout");
	if (line->at > 0) {
		tn_json_put_member_int(out, "at", (int64_t)line->at);
		log->at[line->is_stderr] = line->at;
	}
	tn_json_put_member_str(out, "level", line->level);
	tn_json_put_member_str(out, "text", line->text);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

/* ---- for readers ---- */

struct reader {
	struct tn_buf *out;
	uint64_t from, next, last; /* next: after the last that was put */
	size_t most;               /* bytes of `out` */
};

static void put_line(struct reader *reader, struct tn_str line)
{
	struct tn_json *record = NULL;
	struct tn_arena arena;
	struct tn_str text = {NULL, 0};
	int64_t omitted = 0;

	tn_arena_init(&arena, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
	if (tn_json_parse_copy(&arena, line, &record, NULL) == TENON_OK) {
		if (tn_json_to_int(tn_json_get(record, "omitted"), &omitted))
			tn_buf_format(reader->out, "[%lld lines left out]", (long long)omitted);
		(void)tn_json_to_str(tn_json_get(record, "text"), &text);
		tn_buf_append_str(reader->out, text);
		tn_buf_append_byte(reader->out, '\n');
	}
	tn_arena_finish(&arena);
}

/* The whole lines of the window. False: `out` is full. */
static bool read_lines(struct reader *reader, struct tn_buf *window)
{
	struct tn_str rest = tn_buf_str(window);
	size_t end;

	while ((end = tn_str_find_byte(rest, '\n')) != TN_STR_NONE) {
		struct tn_str line = tn_str(rest.data, end);
		uint64_t number = tn_studio_run_line_number(line);

		if (reader->out->size >= reader->most)
			return false;
		if (number >= reader->from || (number == 0 && reader->last + 1 >= reader->from))
			put_line(reader, line);
		if (number > 0)
			reader->last = number;
		if (number >= reader->next)
			reader->next = number + 1;
		rest = tn_str_from_offset(rest, end + 1);
	}
	tn_buf_drop_front(window, window->size - rest.size);
	return true;
}

/* Of a log of ten megabytes no more is held than a line and a chunk. True: all of it was read. */
static bool read_log(struct reader *reader, int fd)
{
	struct tn_buf window;
	uint64_t at = 0;
	ssize_t got = 0;
	bool room = true;

	tn_buf_init(&window, 2 * TN_STUDIO_RUN_LOG_BYTES_MAX);
	while (room && tn_buf_reserve(&window, READ_BYTES)) {
		got = pread(fd, window.data + window.size, READ_BYTES, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		window.size += (size_t)got;
		at += (uint64_t)got;
		room = read_lines(reader, &window);
	}
	tn_buf_finish(&window);
	return room && got == 0;
}

bool tn_studio_run_log_file(const struct tn_studio_run *run, char *ret_path, size_t size)
{
	int length = snprintf(ret_path, size, "%s/log.jsonl", run->folder);

	return length > 0 && (size_t)length < size;
}

bool tn_studio_run_log_read(struct tn_buf *out, const char *path, uint64_t from, size_t bytes_max,
			    uint64_t *ret_next)
{
	struct reader reader = {
		.out = out, .from = from, .next = from, .most = out->size + bytes_max};
	bool all = true; /* where there is none */
	int fd = -1;

	if (tn_file_open(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &fd, NULL) == TENON_OK) {
		all = read_log(&reader, fd);
		(void)close(fd); /* only read from */
	}
	*ret_next = reader.next;
	return all;
}

uint64_t tn_studio_run_log_cuts(const struct tn_studio_run *run)
{
	return run->log.omitted;
}
