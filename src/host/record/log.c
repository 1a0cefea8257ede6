#include "host/record/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "host/limits.h"
#include "jsonrpc/json_write.h"

enum { MESSAGE_MAX = 1024, OLD_PATH_MAX = 4096 + 8 };

static const char *const level_names[] = {"debug", "info", "notice", "warning", "error"};

/* One log a process, like standard error. */
static struct {
	int fd; /* 0: not opened; lines go to standard error */
	char *path;
	uint64_t bytes; /* of the file */
	enum tn_log_level lowest;
	bool told_full;
	char *lines[TN_LOG_LINES_KEPT]; /* a ring */
	size_t next, count;
	void (*told)(void *data);
	void *data;
} state = {.lowest = TN_LOG_INFO};

bool tn_log_level_find(const char *name, enum tn_log_level *ret)
{
	for (size_t i = 0; i < sizeof(level_names) / sizeof(level_names[0]); i++) {
		if (strcmp(name, level_names[i]) != 0)
			continue;
		*ret = (enum tn_log_level)i;
		return true;
	}
	return false;
}

/* ---- the file ---- */

static int open_file(const char *path)
{
	struct stat status;
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0)
		state.bytes = fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
	return fd;
}

/* The old one makes room. Whoever follows it sees the new one under the same name. */
static void rotate(void)
{
	char old[OLD_PATH_MAX];
	int fd;

	(void)snprintf(old, sizeof(old), "%s.1", state.path);
	/* ENOENT: somebody took it away, or the last turn found no descriptor for a new one. */
	if (rename(state.path, old) != 0 && errno != ENOENT)
		return; /* it grows on; the next line tries again */
	fd = open_file(state.path);
	if (fd < 0)
		return; /* the old one is written on */
	(void)close(state.fd);
	state.fd = fd;
}

static void write_line(struct tn_str line)
{
	int fd = state.fd ? state.fd : STDERR_FILENO;
	ssize_t wrote = write(fd, line.data, line.size);
	int fault = wrote < 0 ? errno : ENOSPC; /* cut short: there was no room for the rest */

	if (wrote == (ssize_t)line.size) {
		state.told_full = false;
		state.bytes += (uint64_t)wrote;
	} else if (!state.told_full && state.fd) {
		state.told_full = true;
		(void)fprintf(stderr, "tenond: the log cannot be written: %s\n", strerror(fault));
	}
	if (state.path && state.bytes > TN_LOG_FILE_BYTES_MAX)
		rotate();
}

enum tenon_code tn_log_open(const char *path, enum tn_log_level lowest, struct tenon_error *err)
{
	char *copy = NULL;
	int fd = 0;

	if (path) {
		copy = tn_mem_copy_text(path, strlen(path));
		if (!copy)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		fd = open_file(path);
		if (fd < 0) {
			char what[TENON_ERROR_MESSAGE_MAX];
			int number = errno;

			(void)snprintf(what, sizeof(what), "open the log %.180s", path);
			tn_mem_free(copy);
			return tn_fail_errno(err, number, what);
		}
	}
	tn_log_close();
	state.path = copy;
	state.fd = fd;
	state.lowest = lowest;
	return TENON_OK;
}

void tn_log_close(void)
{
	if (state.fd)
		(void)close(state.fd); /* every line is in the kernel */
	tn_mem_free(state.path);
	for (size_t i = 0; i < TN_LOG_LINES_KEPT; i++) {
		tn_mem_free(state.lines[i]);
		state.lines[i] = NULL;
	}
	state.path = NULL;
	state.fd = 0;
	state.next = state.count = 0;
	state.bytes = 0;
}

void tn_log_set_level(enum tn_log_level lowest)
{
	state.lowest = lowest;
}

bool tn_log_wants(enum tn_log_level level)
{
	return level >= state.lowest;
}

/* ---- lines ---- */

static void keep(struct tn_str line)
{
	char *copy = tn_mem_copy_text(line.data, line.size);

	if (!copy)
		return; /* it stands in the file */
	tn_mem_free(state.lines[state.next]);
	state.lines[state.next] = copy;
	state.next = (state.next + 1) % TN_LOG_LINES_KEPT;
	if (state.count < TN_LOG_LINES_KEPT)
		state.count++;
	if (state.told)
		state.told(state.data);
}

static TN_PRINTF(4, 0) void put_line(enum tn_log_level level, const char *area,
				     struct tn_str members, const char *format, va_list args)
{
	char message[MESSAGE_MAX], time[TN_CLOCK_ISO_SIZE];
	struct tn_buf line;

	tn_clock_format_iso(tn_clock_wall_ms(&tn_clock_system), time);
	(void)vsnprintf(message, sizeof(message), format, args); /* cut is fine */
	tn_buf_init(&line, TN_LOG_LINE_BYTES_MAX);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "time", time);
	tn_json_put_member_text(&line, "level", level_names[level]);
	tn_json_put_member_text(&line, "area", area);
	tn_json_put_member_text(&line, "message", message);
	tn_buf_append_str(&line, members);
	tn_json_end_object(&line);
	if (!line.failed) {
		keep(tn_buf_str(&line));
		tn_buf_append_byte(&line, '\n');
		write_line(tn_buf_str(&line));
	}
	tn_buf_finish(&line);
}

void tn_log(enum tn_log_level level, const char *area, const char *format, ...)
{
	va_list args;

	if (level < state.lowest)
		return;
	va_start(args, format);
	put_line(level, area, tn_str("", 0), format, args);
	va_end(args);
}

void tn_log_with(enum tn_log_level level, const char *area, struct tn_str members,
		 const char *format, ...)
{
	va_list args;

	if (level < state.lowest)
		return;
	va_start(args, format);
	put_line(level, area, members, format, args);
	va_end(args);
}

void tn_log_write(struct tn_buf *out)
{
	size_t at = (state.next + TN_LOG_LINES_KEPT - state.count) % TN_LOG_LINES_KEPT;

	tn_json_begin_object(out);
	tn_json_put_key(out, "lines");
	tn_json_begin_array(out);
	for (size_t i = 0; i < state.count; i++) {
		tn_json_put_raw(out, tn_str_from(state.lines[at]));
		at = (at + 1) % TN_LOG_LINES_KEPT;
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_log_on_line(void (*told)(void *data), void *data)
{
	state.told = told;
	state.data = data;
}
