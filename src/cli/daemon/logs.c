/* tenon logs: the daemon's log file, whether it runs or not. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/size.h"
#include "cli/daemon/log_path.h"
#include "cli/shared/run.h"
#include "host/limits.h"
#include "host/record/log.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { LOOK_MS = 200, READ_BYTES = 64 * 1024, LINES_DEFAULT = 50, LINES_MAX = 1000000 };

struct logs {
	struct tn_cli cli;
	bool follow;
	int64_t count;
	int level; /* index of a level; lines below it are left out */
	char path[PATH_MAX];
	struct tn_buf out;
};

/* ---- one line ---- */

static void put_rest(struct tn_buf *out, const struct tn_json *line)
{
	static const char *const shown[] = {"time", "level", "area", "message"};

	for (const struct tn_json *m = line->first; m; m = m->next) {
		bool is_shown = false;

		for (size_t i = 0; i < TN_COUNT(shown); i++)
			is_shown = is_shown || tn_str_is(m->key, shown[i]);
		if (is_shown)
			continue;
		tn_buf_format(out, " %.*s=", (int)m->key.size, m->key.data);
		if (m->type == TN_JSON_STRING && tn_str_find_byte(m->text, ' ') == TN_STR_NONE) {
			tn_buf_append_str(out, m->text);
		} else {
			struct tn_buf value;

			tn_buf_init(&value, TN_LOG_LINE_BYTES_MAX);
			tn_json_put_value(&value, m);
			tn_buf_append_str(out, tn_buf_str(&value));
			tn_buf_finish(&value);
		}
	}
}

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text : tn_str("", 0);
}

static void put_for_people(struct tn_buf *out, const struct tn_json *line)
{
	struct tn_str time = text_of(line, "time"), level = text_of(line, "level");
	struct tn_str area = text_of(line, "area"), message = text_of(line, "message");

	tn_buf_format(out, "%.*s %-7.*s %.*s: %.*s", (int)time.size, time.data, (int)level.size,
		      level.data, (int)area.size, area.data, (int)message.size, message.data);
	put_rest(out, line);
}

/* Appends the line to `out`, unless its level is too low. False: it was left out. A line that is
 * no JSON (a library's, a crash) is shown as it is. */
static bool put_line(const struct logs *logs, struct tn_str text, struct tn_buf *out)
{
	struct tn_arena arena;
	struct tn_json *line = NULL;
	enum tn_log_level level = TN_LOG_ERROR;
	struct tn_str name;
	bool is_wanted;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &line, NULL) != TENON_OK ||
	    line->type != TN_JSON_OBJECT)
		line = NULL;
	name = text_of(line, "level");
	if (name.size)
		(void)tn_log_level_find(name.data, &level);
	is_wanted = text.size && (int)level >= logs->level;
	if (is_wanted) {
		if (logs->cli.json || !line)
			tn_buf_append_str(out, text);
		else
			put_for_people(out, line);
		tn_buf_append_byte(out, '\n');
	}
	tn_arena_finish(&arena);
	return is_wanted;
}

/* ---- the end of the file ---- */

/* The last lines of `text` that are wanted, at most `count`; returns how many. Appends them in
 * order. */
static int64_t put_last(const struct logs *logs, struct tn_str text, int64_t count,
			struct tn_buf *out)
{
	struct tn_buf ignored;
	size_t start = text.size;
	int64_t found = 0;

	tn_buf_init(&ignored, TN_MIB);
	while (start > 0 && found < count) {
		size_t end = start;

		if (text.data[end - 1] == '\n')
			end--;
		start = end;
		while (start > 0 && text.data[start - 1] != '\n')
			start--;
		tn_buf_clear(&ignored);
		found += put_line(logs, tn_str(text.data + start, end - start), &ignored);
	}
	tn_buf_finish(&ignored);
	while (start < text.size) {
		struct tn_str rest = tn_str_from_offset(text, start);
		size_t end = tn_str_find_byte(rest, '\n');

		if (end == TN_STR_NONE)
			end = rest.size;
		(void)put_line(logs, tn_str(rest.data, end), out);
		start += end + 1;
	}
	return found;
}

/* The file, and the one before it if it has too few lines. *ret_size is how much of the file has
 * been shown. */
static int show_last(struct logs *logs, size_t *ret_size)
{
	char old_path[PATH_MAX + 2];
	struct tn_buf now, old, newer;
	struct tenon_error err = {0};
	enum tenon_code code;
	int64_t found;
	int exit = TN_EXIT_OK;

	tn_buf_init(&now, 2 * TN_LOG_FILE_BYTES_MAX);
	tn_buf_init(&old, 2 * TN_LOG_FILE_BYTES_MAX);
	tn_buf_init(&newer, logs->out.limit);
	code = tn_file_read(logs->path, TN_FILE_REGULAR_ONLY, &now, &err);
	if (code != TENON_OK && code != TENON_NOT_FOUND)
		exit = tn_cli_fail_error(&logs->cli, TN_EXIT_TOOL, logs->path, &err);
	if (code == TENON_NOT_FOUND && !logs->follow)
		tn_cli_note(&logs->cli, "tenon logs: no daemon has written %s yet", logs->path);
	found = put_last(logs, tn_buf_str(&now), logs->count, &newer);
	(void)snprintf(old_path, sizeof(old_path), "%s.1", logs->path);
	if (found < logs->count &&
	    tn_file_read(old_path, TN_FILE_REGULAR_ONLY, &old, &err) == TENON_OK)
		(void)put_last(logs, tn_buf_str(&old), logs->count - found, &logs->out);
	tn_buf_append_str(&logs->out, tn_buf_str(&newer));
	*ret_size = now.size;
	if (exit == TN_EXIT_OK)
		exit = tn_cli_write(&logs->cli, &logs->out, exit);
	tn_buf_finish(&now);
	tn_buf_finish(&old);
	tn_buf_finish(&newer);
	return exit;
}

/* ---- what comes ---- */

/* Shows the lines that are complete; the rest stays in `pending`. */
static int show_new(struct logs *logs, struct tn_buf *pending)
{
	struct tn_str rest = tn_buf_str(pending);
	size_t end;

	tn_buf_clear(&logs->out);
	while ((end = tn_str_find_byte(rest, '\n')) != TN_STR_NONE) {
		(void)put_line(logs, tn_str(rest.data, end), &logs->out);
		rest = tn_str_from_offset(rest, end + 1);
	}
	tn_buf_drop_front(pending, pending->size - rest.size);
	return logs->out.size ? tn_cli_write(&logs->cli, &logs->out, TN_EXIT_OK) : TN_EXIT_OK;
}

static int read_new(struct logs *logs, int fd, struct tn_buf *pending)
{
	char bytes[READ_BYTES];
	ssize_t got;
	int exit = TN_EXIT_OK;

	while (exit == TN_EXIT_OK && (got = read(fd, bytes, sizeof(bytes))) > 0) {
		tn_buf_append(pending, bytes, (size_t)got);
		if (pending->failed) /* a line without end: nothing of ours */
			tn_buf_clear(pending);
		exit = show_new(logs, pending);
	}
	return exit;
}

/* The file under the name is another one than that of `fd`, or has been cut. */
static bool is_replaced(const char *path, int fd)
{
	struct stat named, open_one;

	if (stat(path, &named) != 0 || fstat(fd, &open_one) != 0)
		return false; /* between the old and the new one */
	return named.st_ino != open_one.st_ino || named.st_dev != open_one.st_dev ||
	       open_one.st_size < lseek(fd, 0, SEEK_CUR);
}

/* Until a signal ends us. */
static int follow(struct logs *logs, size_t from)
{
	struct tn_buf pending;
	int fd = open(logs->path, O_RDONLY | O_CLOEXEC);
	int exit = TN_EXIT_OK;

	tn_buf_init(&pending, TN_MIB);
	if (fd >= 0)
		(void)lseek(fd, (off_t)from, SEEK_SET); /* a regular file can be sought in */
	while (exit == TN_EXIT_OK) {
		bool is_old = fd >= 0 && is_replaced(logs->path, fd);

		if (fd >= 0)
			exit = read_new(logs, fd, &pending);
		if (is_old) {
			(void)close(fd); /* read to its end */
			fd = -1;
		}
		if (fd < 0)
			fd = open(logs->path, O_RDONLY | O_CLOEXEC);
		if (!is_old)
			(void)poll(NULL, 0, LOOK_MS);
	}
	if (fd >= 0)
		(void)close(fd);
	tn_buf_finish(&pending);
	return exit;
}

int tn_cli_logs(int argc, char **argv)
{
	struct logs logs = {.cli = {.verb = "logs"}, .count = LINES_DEFAULT};
	const struct tn_option table[] = {
		{.name = "follow",
		 .letter = 'f',
		 .kind = TN_OPTION_FLAG,
		 .value = &logs.follow,
		 .help = "go on with what is written, until Ctrl-C"},
		{.name = "lines",
		 .letter = 'n',
		 .kind = TN_OPTION_NUMBER,
		 .value = &logs.count,
		 .least = 0,
		 .most = LINES_MAX,
		 .word = "N",
		 .help = "how many of the last lines (50)"},
		{.name = "level",
		 .kind = TN_OPTION_CHOICE,
		 .value = &logs.level,
		 .choices = "debug|info|notice|warning|error",
		 .help = "leave out lines below this level"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &logs.cli.json,
		 .help = "lines as they stand in the file: a JSON object each"},
	};
	const struct tn_options options = {
		.usage = "tenon logs [-f] [-n N] [--level LEVEL] [--json]",
		.summary = "Shows the end of the daemon's log, whether it runs or not.\n\n"
			   "Example: tenon logs -f --level warning",
		.options = table,
		.option_count = TN_COUNT(table)};
	struct tenon_error err = {0};
	size_t count = 0, size = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&logs.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (tn_cli_log_path(logs.path, &err) != TENON_OK)
		return tn_cli_fail_error(&logs.cli, TN_EXIT_USAGE, NULL, &err);
	tn_buf_init(&logs.out, 8 * TN_LOG_FILE_BYTES_MAX);
	exit = show_last(&logs, &size);
	if (exit == TN_EXIT_OK && logs.follow)
		exit = follow(&logs, size);
	tn_buf_finish(&logs.out);
	return exit;
}
