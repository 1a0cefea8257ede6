#include "apps/terminal/session/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/output/live_filter.h"
#include "base/arena.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum {
	SLICE_BYTES = 64 * 1024,
	HEAD_BYTES = 16 * 1024, /* the longest first line */
	MARK_BYTES = 200,       /* of a command's text */
	LAST_BYTES = 256,       /* room for the last line */
	LOCK_TRIES = 100        /* a lock that is held for the moment of a look */
};

struct tn_record {
	struct tn_term_session *session; /* NULL: it is gone */
	struct tn_term_watcher watcher;
	const struct tn_clock *clock;
	int fd;
	uint64_t start_ms; /* of the monotonic clock: time 0; may be before the machine's */
	uint64_t last_ms;  /* time never goes back */
	uint64_t size;
	uint16_t columns, rows;
	struct tn_live_filter filter;
	struct tn_buf text, line;
	const char *problem;
};

/* ---- writing ---- */

/* Before its session does. */
static void end_early(struct tn_record *record, const char *problem)
{
	record->problem = problem;
	if (record->session)
		tn_term_record_ended(record->session, true);
}

/* Whole lines or nothing: half a line would end the recording for whoever plays it. */
static void write_line(struct tn_record *record)
{
	size_t size = record->line.size;
	ssize_t wrote;

	if (record->problem)
		return;
	if (record->line.failed) {
		end_early(record, "memory ran out for the recording; it has ended");
		return;
	}
	wrote = write(record->fd, record->line.data, size);
	if (wrote == (ssize_t)size) {
		record->size += size;
		return;
	}
	end_early(record, "the recording could not be written on; is the disk full?");
	(void)!ftruncate(record->fd, (off_t)record->size); /* nothing else can be done about it */
}

static void format_event(struct tn_record *record, char kind, struct tn_str data)
{
	char code[2] = {kind, '\0'};
	uint64_t now = tn_clock_now_ms(record->clock) - record->start_ms;

	if (now > record->last_ms)
		record->last_ms = now;
	tn_buf_clear(&record->line);
	tn_buf_format(&record->line, "[%llu.%03u", (unsigned long long)(record->last_ms / 1000),
		      (unsigned)(record->last_ms % 1000));
	tn_json_put_text(&record->line, code);
	tn_json_put_str(&record->line, data);
	tn_json_end_array(&record->line);
	tn_buf_append_byte(&record->line, '\n');
}

static const char full[] = "the recording is as large as one may be; it has ended";

static bool has_room(const struct tn_record *record, size_t size)
{
	return record->size + size + LAST_BYTES <= TN_RECORD_BYTES_MAX;
}

static void put_event(struct tn_record *record, char kind, struct tn_str data)
{
	if (record->problem)
		return;
	format_event(record, kind, data);
	if (record->line.failed || has_room(record, record->line.size)) {
		write_line(record);
		return;
	}
	/* Whoever plays it should not take its end for the session's. */
	format_event(record, 'm', tn_str_from(full));
	write_line(record);
	if (!record->problem)
		end_early(record, full);
}

/* How many bytes at the end are the beginning of a character that is not complete. */
static size_t unfinished(struct tn_str text)
{
	for (size_t back = 1; back < TN_UTF8_BYTES_MAX && back <= text.size; back++) {
		unsigned char byte = (unsigned char)text.data[text.size - back];
		size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;

		if ((byte & 0xC0) == 0x80)
			continue;
		return length > back ? back : 0;
	}
	return 0;
}

static void on_output(struct tn_term_watcher *watcher, struct tn_str bytes, uint64_t from)
{
	struct tn_record *record = watcher->data;

	(void)from;
	while (bytes.size && !record->problem) {
		struct tn_str slice =
			tn_str(bytes.data, bytes.size < SLICE_BYTES ? bytes.size : SLICE_BYTES);
		size_t whole;

		tn_live_filter_feed(&record->filter, slice, &record->text);
		whole = record->text.size - unfinished(tn_buf_str(&record->text));
		if (whole)
			put_event(record, 'o', tn_str(record->text.data, whole));
		tn_buf_drop_front(&record->text, whole);
		bytes = tn_str_from_offset(bytes, slice.size);
	}
}

static void on_changed(struct tn_term_watcher *watcher)
{
	struct tn_record *record = watcher->data;
	struct tn_term_session_info info;
	char size[32];

	tn_term_session_describe(record->session, NULL, &info);
	if (info.columns == record->columns && info.rows == record->rows)
		return;
	record->columns = info.columns;
	record->rows = info.rows;
	(void)snprintf(size, sizeof(size), "%ux%u", (unsigned)info.columns, (unsigned)info.rows);
	put_event(record, 'r', tn_str_from(size));
}

/* A marker: players can go from command to command. */
static void on_command(struct tn_term_watcher *watcher, const struct tn_term_command_info *info,
		       bool ended)
{
	struct tn_record *record = watcher->data;

	if (!ended && info->status == TN_TERM_STATUS_RUNNING)
		put_event(record, 'm', tn_utf8_cut(tn_str_from(info->text), MARK_BYTES));
}

static const char session_ended[] = "the session has ended";

static void stop(struct tn_record *record)
{
	if (record->session)
		tn_term_unwatch(record->session, &record->watcher);
	record->session = NULL;
	if (record->fd >= 0)
		(void)close(record->fd); /* every line of it has been written */
	record->fd = -1;
	if (!record->problem)
		record->problem = session_ended;
}

static void on_closed(struct tn_term_watcher *watcher)
{
	stop(watcher->data);
}

/* ---- the first line ---- */

static enum tenon_code write_head(struct tn_record *record, struct tenon_error *err)
{
	int64_t wall_ms = tn_clock_wall_ms(record->clock);
	struct tn_term_session_info info;

	tn_term_session_describe(record->session, NULL, &info);
	tn_json_begin_object(&record->line);
	tn_json_put_member_int(&record->line, "version", 2);
	tn_json_put_member_int(&record->line, "width", info.columns);
	tn_json_put_member_int(&record->line, "height", info.rows);
	tn_json_put_member_int(&record->line, "timestamp", wall_ms / 1000);
	tn_json_put_member_text(&record->line, "title", info.name);
	tn_json_put_key(&record->line, "env");
	tn_json_begin_object(&record->line);
	tn_json_put_member_text(&record->line, "TERM", "xterm-256color");
	if (info.shell)
		tn_json_put_member_text(&record->line, "SHELL", info.shell);
	tn_json_end_object(&record->line);
	tn_json_end_object(&record->line);
	tn_buf_append_byte(&record->line, '\n');
	write_line(record);
	record->start_ms = tn_clock_now_ms(record->clock);
	record->columns = info.columns;
	record->rows = info.rows;
	return record->problem ? tn_fail(err, TENON_SYSTEM, "%s", record->problem) : TENON_OK;
}

/* When it began. False: it is no recording. */
static bool read_head(const char *head, size_t size, int64_t *ret_start_s)
{
	const char *end = memchr(head, '\n', size);
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	int64_t version = 0;
	bool good;

	tn_arena_init(&arena, 256 * 1024);
	good = end &&
	       tn_json_parse_copy(&arena, tn_str(head, (size_t)(end - head)), &tree, NULL) ==
		       TENON_OK &&
	       tn_json_to_int(tn_json_get(tree, "version"), &version) && version == 2 &&
	       tn_json_to_int(tn_json_get(tree, "timestamp"), ret_start_s);
	tn_arena_finish(&arena);
	return good;
}

/* A line that was cut short when the daemon died. Returns the size up to the last line's end. */
static off_t whole_lines(int fd, off_t size)
{
	char chunk[4096];

	while (size > 0) {
		size_t want = size < (off_t)sizeof(chunk) ? (size_t)size : sizeof(chunk);
		ssize_t got = pread(fd, chunk, want, size - (off_t)want);
		const char *end;

		if (got != (ssize_t)want)
			return 0;
		end = memrchr(chunk, '\n', want);
		if (end)
			return size - (off_t)want + (end - chunk) + 1;
		size -= (off_t)want;
	}
	return 0;
}

/* It was full before: its last line says so, and stays the last one. */
static bool is_full(const struct tn_record *record)
{
	char last[LAST_BYTES] = "";
	uint64_t size = record->size < sizeof(last) ? record->size : sizeof(last);
	ssize_t got = pread(record->fd, last, (size_t)size, (off_t)(record->size - size));
	struct tn_str end = tn_str(last, got > 0 ? (size_t)got : 0);
	char line[LAST_BYTES];

	if (!has_room(record, 0))
		return true;
	/* What a program prints cannot look like it: there a quote has a backslash before it. */
	(void)snprintf(line, sizeof(line), ",\"m\",\"%s\"]\n", full);
	return tn_str_ends(end, tn_str_from(line));
}

static enum tenon_code go_on(struct tn_record *record, off_t size, struct tenon_error *err)
{
	char head[HEAD_BYTES];
	ssize_t got = pread(record->fd, head, sizeof(head), 0);
	int64_t start_s = 0, since_ms;
	uint64_t now_ms = tn_clock_now_ms(record->clock);

	if (got <= 0 || !read_head(head, (size_t)got, &start_s))
		return tn_fail(err, TENON_INVALID, "what is there is no recording of ours");
	size = whole_lines(record->fd, size);
	if (ftruncate(record->fd, size) != 0)
		return tn_fail_errno(err, errno, "go on with the recording");
	record->size = (uint64_t)size;
	if (is_full(record))
		end_early(record, full);
	since_ms = tn_clock_wall_ms(record->clock) - start_s * 1000;
	if (since_ms < 0) /* the clock was set back */
		since_ms = 0;
	record->start_ms = now_ms - (uint64_t)since_ms; /* may wrap; the difference does not */
	return TENON_OK;
}

/* ---- life ---- */

/* Opened and locked, so that tn_records_trim leaves it alone. Where that was faster, and the file
 * is not there any more, it is made anew. */
static enum tenon_code open_locked(struct tn_record *record, const char *path, struct stat *status,
				   struct tenon_error *err)
{
	for (unsigned tries = 0; tries < LOCK_TRIES; tries++) {
		if (record->fd >= 0)
			(void)close(record->fd); /* nothing was written to it */
		record->fd = open(path,
				  O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
				  0600);
		if (record->fd < 0 && errno == ELOOP)
			return tn_fail(err, TENON_DENIED,
				       "the recording's place is taken by a link");
		if (record->fd < 0 || fstat(record->fd, status) != 0)
			return tn_fail_errno(err, errno, "open the recording");
		if (!S_ISREG(status->st_mode) || status->st_nlink > 1)
			return tn_fail(err, TENON_DENIED, "the recording's place is taken");
		if (flock(record->fd, LOCK_EX | LOCK_NB) == 0 && fstat(record->fd, status) == 0 &&
		    status->st_nlink > 0)
			break;
	}
	if (status->st_nlink == 0)
		return tn_fail(err, TENON_BUSY, "the recording is taken away again and again");
	return TENON_OK; /* who holds its lock for longer is not one of us */
}

static enum tenon_code open_file(struct tn_record *record, const char *path,
				 struct tenon_error *err)
{
	struct stat status;
	enum tenon_code code = open_locked(record, path, &status, err);

	if (code != TENON_OK)
		return code;
	return status.st_size ? go_on(record, status.st_size, err) : write_head(record, err);
}

enum tenon_code tn_record_open(struct tn_term_session *session, const char *path,
			       const struct tn_clock *clock, struct tn_record **ret,
			       struct tenon_error *err)
{
	struct tn_record *record = tn_mem_alloc(sizeof(*record));
	enum tenon_code code;

	if (!record)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	record->fd = -1;
	record->session = session;
	tn_term_record_ended(session, false);
	record->clock = clock;
	tn_live_filter_init(&record->filter);
	tn_buf_init(&record->text,
		    TN_LIVE_FILTER_GROWTH * (size_t)SLICE_BYTES + TN_LIVE_FILTER_HELD);
	tn_buf_init(&record->line, TN_RECORD_LINE_BYTES); /* escaped: six times as much */
	record->watcher = (struct tn_term_watcher){.output = on_output,
						   .changed = on_changed,
						   .command = on_command,
						   .closed = on_closed,
						   .data = record};
	code = open_file(record, path, err);
	if (code != TENON_OK) {
		record->session = NULL; /* it is not watched yet */
		tn_record_close(record);
		return code;
	}
	tn_term_watch(session, &record->watcher);
	on_changed(&record->watcher); /* an old one may have had another size */
	*ret = record;
	return TENON_OK;
}

void tn_record_close(struct tn_record *record)
{
	if (!record)
		return;
	stop(record);
	tn_buf_finish(&record->text);
	tn_buf_finish(&record->line);
	tn_mem_free(record);
}

const char *tn_record_problem(const struct tn_record *record)
{
	return record->problem;
}
