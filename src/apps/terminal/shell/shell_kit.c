#include "apps/terminal/shell/shell_kit.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rng.h"
#include "store/file.h"

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool find_program(const char *name, char *out, size_t size)
{
	static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin",
					      "/opt/homebrew/bin"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		(void)snprintf(out, size, "%s/%s", folders[i], name);
		if (access(out, X_OK) == 0)
			return true;
	}
	return false;
}

bool kit_has(const char *shell)
{
	char path[256];

	return find_program(shell, path, sizeof(path));
}

/* ---- starting ---- */

static void make_folders(struct kit *kit, const struct kit_file *files)
{
	struct tenon_error err;
	char path[512];

	(void)snprintf(kit->top, sizeof(kit->top), "/tmp/tenon-shell-XXXXXX");
	assert_non_null(mkdtemp(kit->top));
	(void)snprintf(kit->home, sizeof(kit->home), "%s/home", kit->top);
	(void)snprintf(kit->folder, sizeof(kit->folder), "%s/run it's", kit->top);
	assert_int_equal(mkdir(kit->home, 0700), 0);
	assert_int_equal(mkdir(kit->folder, 0700), 0);
	for (; files && files->name; files++) {
		(void)snprintf(path, sizeof(path), "%s/%s", kit->home, files->name);
		for (char *c = path + strlen(kit->home) + 1; (c = strchr(c, '/')); c++) {
			*c = '\0';
			assert_int_equal(tn_dir_create(path, 0700, &err), TENON_OK);
			*c = '/';
		}
		assert_int_equal(tn_file_write(path, 0600, tn_str_from(files->text), &err),
				 TENON_OK);
	}
}

static _Noreturn void become(struct kit *kit, const struct kit_wish *wish)
{
	char home[128];
	const char *env[32] = {"PATH=/usr/local/bin:/usr/bin:/bin", "TERM=xterm-256color",
			       "LANG=C.UTF-8"};
	size_t count = 3;

	(void)snprintf(home, sizeof(home), "HOME=%s", kit->home);
	env[count++] = home;
	for (size_t i = 0; kit->start.env[i]; i++)
		env[count++] = kit->start.env[i];
	for (size_t i = 0; wish->env && wish->env[i] && count < 31; i++)
		env[count++] = wish->env[i];
	if (chdir(kit->home) != 0)
		_exit(126);
	execve(kit->start.argv[0], (char *const *)(uintptr_t)kit->start.argv,
	       (char *const *)(uintptr_t)env);
	_exit(127);
}

void kit_start(struct kit *kit, const struct kit_wish *wish)
{
	struct winsize size = {.ws_col = 120, .ws_row = 40};
	struct tn_shell_wish shell = {.login = wish->login};
	struct tenon_error err;

	memset(kit, 0, sizeof(*kit));
	assert_true(find_program(wish->shell, kit->path, sizeof(kit->path)));
	make_folders(kit, wish->home);
	tn_rng_token(kit->nonce, 16);
	tn_buf_init(&kit->output, 64 * TN_MIB);
	tn_buf_init(&kit->last, 64 * TN_MIB);
	shell.path = kit->path;
	shell.folder = kit->folder;
	shell.nonce = kit->nonce;
	assert_int_equal(tn_shell_prepare(&shell, &kit->start, &err), TENON_OK);
	kit->pid = forkpty(&kit->fd, NULL, NULL, &size);
	assert_true(kit->pid >= 0);
	if (kit->pid == 0)
		become(kit, wish);
}

void kit_open(struct kit *kit, const struct kit_wish *wish)
{
	kit_start(kit, wish);
	kit_prompt(kit);
}

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *walk)
{
	(void)status;
	(void)flag;
	(void)walk;
	return remove(path);
}

void kit_close(struct kit *kit)
{
	if (kit->pid > 0) {
		(void)kill(-kit->pid, SIGKILL);
		(void)kill(kit->pid, SIGKILL);
		(void)waitpid(kit->pid, NULL, 0);
	}
	(void)close(kit->fd);
	tn_shell_start_finish(&kit->start);
	tn_buf_finish(&kit->output);
	tn_buf_finish(&kit->last);
	tn_shell_remove(kit->folder);
	assert_int_equal(access(kit->folder, F_OK), -1);
	(void)nftw(kit->top, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- bytes ---- */

static _Noreturn void give_up(struct kit *kit, const char *what)
{
	size_t from = kit->output.size > 1500 ? kit->output.size - 1500 : 0;

	(void)fprintf(stderr, "%s: %s; the last bytes:\n", kit->path, what);
	for (size_t i = from; i < kit->output.size; i++) {
		unsigned char c = (unsigned char)kit->output.data[i];

		if (c == '\n' || c >= ' ')
			(void)fputc(c, stderr);
		else
			(void)fprintf(stderr, "\\x%02x", c);
	}
	(void)fputc('\n', stderr);
	fail();
	abort();
}

/* False: the end of it, or nothing within the time. */
static bool read_more(struct kit *kit, int64_t until)
{
	struct pollfd wait = {.fd = kit->fd, .events = POLLIN};
	int64_t left = until - now_ms();
	ssize_t got;

	if (left < 0 || poll(&wait, 1, (int)left) <= 0)
		return false;
	assert_true(tn_buf_reserve(&kit->output, 65536));
	got = read(kit->fd, kit->output.data + kit->output.size, 65536);
	if (got <= 0)
		return false;
	kit->output.size += (size_t)got;
	return true;
}

void kit_send(struct kit *kit, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t put = write(kit->fd, bytes, size);

		assert_true(put > 0);
		bytes += put;
		size -= (size_t)put;
	}
}

void kit_type(struct kit *kit, const char *text)
{
	kit_send(kit, text, strlen(text));
}

bool kit_quiet(struct kit *kit, int for_ms)
{
	return !read_more(kit, now_ms() + for_ms);
}

void kit_wait_text(struct kit *kit, const char *text)
{
	int64_t until = now_ms() + KIT_WAIT_MS;
	size_t found;

	for (;;) {
		found = tn_str_find(tn_str_from_offset(tn_buf_str(&kit->output), kit->at),
				    tn_str_from(text));
		if (found != TN_STR_NONE)
			break;
		if (!read_more(kit, until))
			give_up(kit, text);
	}
	kit->at += found + strlen(text);
}

static void pause_until(struct kit *kit, int64_t until, const char *what)
{
	const struct timespec pause = {.tv_nsec = 5000000};

	if (now_ms() > until)
		give_up(kit, what);
	(void)nanosleep(&pause, NULL);
}

static bool is_in_front(const struct kit *kit, const char *program)
{
	char path[64], name[64] = "";
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/comm", (int)tcgetpgrp(kit->fd));
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		name[0] = '\0';
	(void)fclose(file);
	name[strcspn(name, "\n")] = '\0';
	return strcmp(name, program) == 0;
}

void kit_wait_front(struct kit *kit, const char *program)
{
	int64_t until = now_ms() + KIT_WAIT_MS;

	while (!is_in_front(kit, program))
		pause_until(kit, until, program);
}

int kit_wait_exit(struct kit *kit)
{
	int64_t until = now_ms() + KIT_WAIT_MS;
	int status;

	while (read_more(kit, until))
		continue;
	while (waitpid(kit->pid, &status, WNOHANG) != kit->pid)
		pause_until(kit, until, "it did not end");
	kit->pid = 0;
	return status;
}

/* ---- marks ---- */

static const char *field(const char *mark, const char *name, char *out, size_t size)
{
	const char *at = strstr(mark, name);
	size_t length = at ? strcspn(at + strlen(name), ";") : 0;

	if (!at || length >= size)
		return NULL;
	memcpy(out, at + strlen(name), length);
	out[length] = '\0';
	return out;
}

/* Reads a mark between ESC ] 133 ; and BEL; false: none of ours. */
static bool parse_mark(const struct kit *kit, const char *text, struct kit_mark *mark)
{
	char value[4096];

	if (!field(text, ";tn=", value, sizeof(value)) || strcmp(value, kit->nonce) != 0)
		return false;
	memset(mark, 0, sizeof(*mark));
	mark->kind = text[0];
	if (mark->kind == 'D')
		mark->exit_code = (int)strtol(text + 2, NULL, 10);
	if (field(text, ";n=", value, sizeof(value)))
		mark->number = strtol(value, NULL, 10);
	(void)field(text, ";cwd=", mark->cwd, sizeof(mark->cwd));
	return true;
}

/* The next mark in what was read; false: none yet. */
static bool next_mark(struct kit *kit, struct kit_mark *mark)
{
	char text[8192];

	for (;;) {
		struct tn_str rest = tn_str_from_offset(tn_buf_str(&kit->output), kit->at);
		size_t begin = tn_str_find(rest, TN_STR("\033]133;")), size;

		if (begin == TN_STR_NONE)
			return false;
		size = tn_str_find_byte(tn_str_from_offset(rest, begin), '\a');
		if (size == TN_STR_NONE || size > sizeof(text))
			return false;
		memcpy(text, rest.data + begin + 6, size - 6);
		text[size - 6] = '\0';
		kit->at += begin + size + 1;
		if (!parse_mark(kit, text, mark))
			continue;
		mark->to = kit->at;
		mark->from = kit->at - size - 1;
		return true;
	}
}

struct kit_mark kit_mark(struct kit *kit)
{
	int64_t until = now_ms() + KIT_WAIT_MS;
	struct kit_mark mark;

	while (!next_mark(kit, &mark)) {
		if (!read_more(kit, until))
			give_up(kit, "no mark came");
	}
	return mark;
}

struct kit_mark kit_mark_of(struct kit *kit, char kind, long number)
{
	struct kit_mark mark;

	do {
		mark = kit_mark(kit);
	} while (mark.kind != kind || mark.number != number);
	return mark;
}

void kit_prompt(struct kit *kit)
{
	(void)kit_mark_of(kit, 'B', 0);
}

/* ---- commands ---- */

uint64_t kit_deliver(struct kit *kit, struct tn_str text, const char *cwd, const char *const *env)
{
	struct tn_shell_command command = {
		.number = ++kit->number, .text = text, .cwd = cwd, .env = env};
	struct tenon_error err;
	struct termios mode;
	struct tn_buf line;

	if (tcgetattr(kit->fd, &mode) == 0 && (mode.c_lflag & ICANON))
		command.kill_character = (char)mode.c_cc[VKILL];
	tn_buf_init(&line, 4096);
	assert_int_equal(
		tn_shell_deliver(kit->start.kind, kit->folder, kit->nonce, &command, &line, &err),
		TENON_OK);
	kit_send(kit, line.data, line.size);
	tn_buf_finish(&line);
	return kit->number;
}

/* What stands between two places of the output, CRLF as LF and NUL-terminated. */
static void take_output(struct kit *kit, size_t from, size_t to)
{
	tn_buf_clear(&kit->last);
	for (size_t i = from; i < to; i++) {
		if (kit->output.data[i] != '\r' || i + 1 == to || kit->output.data[i + 1] != '\n')
			tn_buf_append_byte(&kit->last, kit->output.data[i]);
	}
	tn_buf_append_byte(&kit->last, '\0');
	assert_false(kit->last.failed);
}

struct kit_result kit_finish_command(struct kit *kit, uint64_t number)
{
	struct kit_mark start = kit_mark_of(kit, 'C', (long)number);
	struct kit_mark end = kit_mark_of(kit, 'D', (long)number);
	struct kit_result result = {.exit_code = (int)end.exit_code};

	(void)snprintf(result.cwd, sizeof(result.cwd), "%s", end.cwd);
	take_output(kit, start.to, end.from);
	result.output = kit->last.data;
	result.size = kit->last.size - 1;
	tn_shell_forget(kit->folder, number);
	return result;
}

struct kit_result kit_run_with(struct kit *kit, struct tn_str text, const char *cwd,
			       const char *const *env)
{
	struct kit_result result = kit_finish_command(kit, kit_deliver(kit, text, cwd, env));

	kit_prompt(kit);
	return result;
}

struct kit_result kit_run(struct kit *kit, const char *text)
{
	return kit_run_with(kit, tn_str_from(text), NULL, NULL);
}

void kit_expect(struct kit *kit, const char *text, int exit_code, const char *output)
{
	struct kit_result result = kit_run(kit, text);

	if (result.exit_code != exit_code || (output && strcmp(result.output, output) != 0))
		(void)fprintf(stderr, "%s: %s\nexit %d, output: %s\n", kit->path, text,
			      result.exit_code, result.output);
	assert_int_equal(result.exit_code, exit_code);
	if (output)
		assert_string_equal(result.output, output);
}
