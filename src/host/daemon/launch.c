/* Starting a daemon: once, whoever asks for it and however many do at a time. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/limits.h"
#include "host/daemon/launch.h"
#include "host/limits.h"
#include "host/settings/runtime.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { POLL_MS = 10, LINE_MAX_BYTES = 512, LOG_TAIL_BYTES = 4096, TRIES_MAX = 5 };

/* ---- one launcher at a time ---- */

/* *ret_fd holds launch.json locked. Fails: BUSY (another launcher takes too long). */
static enum tenon_code lock_launch(const struct tn_runtime_paths *paths, int *ret_fd,
				   struct tenon_error *err)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open(paths->launch, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return tn_fail_errno(err, errno, "open launch.json");
	for (int waited = 0; fcntl(fd, F_OFD_SETLK, &whole) != 0; waited += POLL_MS) {
		if (waited > 2 * TN_LAUNCH_WAIT_MS) {
			(void)close(fd);
			return tn_fail(err, TENON_BUSY, "another process is starting the daemon");
		}
		(void)poll(NULL, 0, POLL_MS);
	}
	*ret_fd = fd;
	return TENON_OK;
}

/* ---- how often it died (ST-007) ---- */

static int64_t read_restarts(int fd)
{
	char text[256];
	ssize_t size = pread(fd, text, sizeof(text), 0);
	struct tn_arena arena;
	struct tn_json *root;
	int64_t count = 0;

	if (size <= 0)
		return 0;
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse(&arena, text, (size_t)size, &root, NULL) == TENON_OK)
		(void)tn_json_to_int(tn_json_get(root, "restarts"), &count);
	tn_arena_finish(&arena);
	return count;
}

static void write_restarts(int fd, int64_t count)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "{\"restarts\":%lld}\n", (long long)count);

	/* Lost, it only means that a daemon is started once more than it should be. */
	if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)size, 0) != size)
		return;
}

void tn_launch_healthy(const struct tn_runtime_paths *paths)
{
	int fd = open(paths->launch, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return;
	write_restarts(fd, 0);
	(void)close(fd);
}

/* What a line of the log says; the line itself where it is not one of ours. */
static void put_words(const char *line, size_t size, char *out, size_t out_size)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	struct tn_str message = tn_str(line, size);

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_str(line, size), &root, NULL) == TENON_OK)
		(void)tn_json_to_str(tn_json_get(root, "message"), &message);
	(void)snprintf(out, out_size, "the last line of its log: %.*s",
		       (int)(message.size > 160 ? 160 : message.size), message.data);
	tn_arena_finish(&arena);
}

/* The log's last line, without what it does not say. */
static void last_words(char *out, size_t size)
{
	struct tn_buf path;
	char text[LOG_TAIL_BYTES];
	ssize_t got = 0;
	int fd = -1;

	(void)snprintf(out, size, "its log is empty");
	tn_buf_init(&path, PATH_MAX);
	if (tn_dir_state(&path, false, NULL) == TENON_OK) {
		struct stat status;

		tn_buf_append(&path, "/tenond.log", sizeof("/tenond.log"));
		fd = path.failed ? -1 : open(path.data, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0 && fstat(fd, &status) == 0)
			got = pread(fd, text, sizeof(text),
				    status.st_size > (off_t)sizeof(text)
					    ? status.st_size - (off_t)sizeof(text)
					    : 0);
	}
	if (fd >= 0)
		(void)close(fd);
	tn_buf_finish(&path);
	while (got > 0 && text[got - 1] == '\n')
		got--;
	if (got > 0) {
		const char *before = memrchr(text, '\n', (size_t)got);
		const char *line = before ? before + 1 : text;

		put_words(line, (size_t)(text + got - line), out, size);
	}
}

/* A discovery file that nobody stands behind is what a daemon leaves that did not end by itself. */
static enum tenon_code count_death(const struct tn_runtime_paths *paths, int launch_fd, bool reset,
				   struct tenon_error *err)
{
	int64_t count = reset ? 0 : read_restarts(launch_fd);
	char words[256];

	if (access(paths->discovery, F_OK) == 0 && !reset)
		count++;
	if (count > TN_RESTARTS_MAX) {
		last_words(words, sizeof(words));
		return tn_fail(err, TENON_LIMIT,
			       "the daemon died %d times in a row and is not started again; "
			       "%.150s; \"tenon up\" tries anew",
			       TN_RESTARTS_MAX + 1, words);
	}
	write_restarts(launch_fd, count);
	return TENON_OK;
}

/* ---- the new process ---- */

/* Only what may be called between fork and exec. */
static void become_daemon(const char *program, int ready_fd, int log_fd)
{
	char name[] = "tenond", daemon_word[] = "--daemon", ready_word[] = "--ready-fd",
	     ready_number[] = "3";
	char *const arguments[] = {name, daemon_word, ready_word, ready_number, NULL};
	int null_fd = open("/dev/null", O_RDWR);
	sigset_t none;

	(void)setsid();
	if (fork() != 0)
		_exit(0); /* whoever started us need not wait for the daemon's end */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* fails for two of them */
	if (ready_fd == 3)
		(void)fcntl(3, F_SETFD, 0);
	else if (dup2(ready_fd, 3) < 0)
		_exit(127);
	if (dup2(null_fd, STDIN_FILENO) < 0 || dup2(null_fd, STDOUT_FILENO) < 0 ||
	    dup2(log_fd >= 0 ? log_fd : null_fd, STDERR_FILENO) < 0 || chdir("/") != 0)
		_exit(127);
	(void)close_range(4, ~0U, 0); /* what a careless starter left open */
	(void)execv(program, arguments);
	_exit(127);
}

/* What it writes before it has a log, and what sanitizers and the C library say when it dies. */
static int open_last_log(void)
{
	struct tn_buf path;
	int fd = -1;

	tn_buf_init(&path, PATH_MAX);
	if (tn_dir_state(&path, true, NULL) == TENON_OK) {
		tn_buf_append(&path, "/tenond.log", sizeof("/tenond.log"));
		if (!path.failed)
			fd = open(path.data, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
				  0600);
	}
	tn_buf_finish(&path);
	return fd;
}

static enum tenon_code spawn(int *ret_ready, struct tenon_error *err)
{
	char program[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int ends[2], log_fd;
	pid_t child;

	if (size <= 0)
		return tn_fail_errno(err, errno, "find tenond");
	program[size] = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0)
		return tn_fail_errno(err, errno, "make a pipe");
	log_fd = open_last_log();
	child = fork();
	if (child == 0)
		become_daemon(program, ends[1], log_fd);
	(void)close(ends[1]);
	if (log_fd >= 0)
		(void)close(log_fd);
	if (child < 0) {
		(void)close(ends[0]);
		return tn_fail_errno(err, errno, "start tenond");
	}
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	*ret_ready = ends[0];
	return TENON_OK;
}

/* ---- waiting for it ---- */

/* One line, or what came before its end. */
static void read_line(int fd, char *line, size_t size)
{
	uint64_t until = tn_clock_now_ms(&tn_clock_system) + TN_LAUNCH_WAIT_MS;
	size_t used = 0;

	while (used + 1 < size) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		uint64_t now = tn_clock_now_ms(&tn_clock_system);
		ssize_t got;

		if (now >= until || (poll(&ready, 1, (int)(until - now)) < 0 && errno != EINTR))
			break;
		if (!ready.revents)
			continue;
		got = read(fd, line + used, size - 1 - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += (size_t)got;
		if (line[used - 1] == '\n')
			break;
	}
	while (used && line[used - 1] == '\n')
		used--;
	line[used] = '\0';
}

/* Somebody else's daemon is coming up, or another's launcher was faster. */
static enum tenon_code wait_for_discovery(const struct tn_runtime_paths *paths,
					  struct tn_discovery *ret, struct tenon_error *err)
{
	enum tenon_code code = tn_discovery_read(paths, ret, err);

	for (int waited = 0; code != TENON_OK && waited < TN_LAUNCH_WAIT_MS; waited += POLL_MS) {
		(void)poll(NULL, 0, POLL_MS);
		code = tn_discovery_read(paths, ret, err);
	}
	return code;
}

/* Somebody held the lock: one that comes up is waited for; behind one that ends *ret_again says
 * that the place is free. */
static enum tenon_code wait_for_holder(const struct tn_runtime_paths *paths, bool *ret_again,
				       struct tn_discovery *ret, struct tenon_error *err)
{
	enum tenon_code code = tn_discovery_read(paths, ret, err);

	for (int waited = 0; code != TENON_OK && waited < TN_LAUNCH_WAIT_MS; waited += POLL_MS) {
		*ret_again = !tn_runtime_is_held(paths);
		if (*ret_again)
			return code;
		(void)poll(NULL, 0, POLL_MS);
		code = tn_discovery_read(paths, ret, err);
	}
	return code;
}

static enum tenon_code start_once(const struct tn_runtime_paths *paths, bool *ret_again,
				  struct tn_discovery *ret, struct tenon_error *err)
{
	static const char invalid[] = "invalid ", busy[] = "busy ";
	char line[LINE_MAX_BYTES], words[256];
	const char *space;
	int ready = -1;
	enum tenon_code code = spawn(&ready, err);

	if (code != TENON_OK)
		return code;
	read_line(ready, line, sizeof(line));
	(void)close(ready);
	if (strcmp(line, "ready") == 0)
		return wait_for_discovery(paths, ret, err);
	if (strncmp(line, busy, strlen(busy)) == 0)
		return wait_for_holder(paths, ret_again, ret, err);
	if (strncmp(line, invalid, strlen(invalid)) == 0)
		return tn_fail(err, TENON_INVALID, "%.240s", line + strlen(invalid));
	space = strchr(line, ' '); /* behind the name of the code, which is for programs */
	if (line[0])
		return tn_fail(err, TENON_SYSTEM, "the daemon cannot start: %.200s",
			       space ? space + 1 : line);
	last_words(words, sizeof(words));
	return tn_fail(err, TENON_SYSTEM, "the daemon ended before it was ready; %.200s", words);
}

static enum tenon_code start(const struct tn_runtime_paths *paths, struct tn_discovery *ret,
			     struct tenon_error *err)
{
	enum tenon_code code = TENON_BUSY;
	bool again = true;

	for (int tries = 0; again && tries < TRIES_MAX; tries++) {
		again = false;
		code = start_once(paths, &again, ret, err);
	}
	return code;
}

/* ---- under systemd ---- */

/* The user manager holds the port for a daemon of its own: that one is to be started. */
static bool is_unit_active(void)
{
	static const char *const units[] = {"tenond.socket", "tenond.service"};
	const char *base = getenv("XDG_RUNTIME_DIR");
	char path[PATH_MAX];
	struct stat status;

	for (size_t i = 0; base && i < 2; i++) {
		(void)snprintf(path, sizeof(path), "%s/systemd/units/invocation:%s", base,
			       units[i]);
		if (lstat(path, &status) == 0)
			return true;
	}
	return false;
}

static enum tenon_code start_unit(const struct tn_runtime_paths *paths, struct tn_discovery *ret,
				  struct tenon_error *err)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		(void)execlp("systemctl", "systemctl", "--user", "--quiet", "start",
			     "tenond.service", (char *)NULL);
		_exit(127);
	}
	if (child < 0)
		return tn_fail_errno(err, errno, "start systemctl");
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return tn_fail(err, TENON_SYSTEM,
			       "systemctl --user start tenond.service failed; see systemctl --user "
			       "status tenond.service");
	return wait_for_discovery(paths, ret, err);
}

/* ---- all of it ---- */

enum tenon_code tn_launch(bool reset, struct tn_discovery *ret, struct tenon_error *err)
{
	struct tn_runtime_paths paths;
	enum tenon_code code = tn_runtime_find(&paths, true, err);
	int fd = -1;

	if (code != TENON_OK)
		return code;
	if (tn_discovery_read(&paths, ret, NULL) == TENON_OK)
		return TENON_OK;
	if (is_unit_active())
		return start_unit(&paths, ret, err);
	code = lock_launch(&paths, &fd, err);
	if (code != TENON_OK)
		return code;
	if (tn_discovery_read(&paths, ret, NULL) != TENON_OK) {
		code = count_death(&paths, fd, reset, err);
		if (code == TENON_OK)
			code = start(&paths, ret, err);
	}
	(void)close(fd); /* and with it the lock */
	return code;
}

/* What the relay runs when it finds no daemon: one line on standard output. */
int tn_launch_main(void)
{
	struct tn_discovery found;
	struct tenon_error err;
	enum tenon_code code = tn_launch(false, &found, &err);
	struct tn_buf out;

	tn_buf_init(&out, 16 * TN_KIB);
	if (code == TENON_OK) {
		tn_discovery_put(&found, &out);
	} else {
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "error", "SERVER_FAILED");
		tn_json_put_member_text(&out, "message", err.message);
		tn_json_put_member_bool(&out, "retryable", code == TENON_BUSY);
		tn_json_end_object(&out);
	}
	tn_buf_append_byte(&out, '\n');
	if (!out.failed)
		(void)fwrite(out.data, 1, out.size, stdout);
	tn_buf_finish(&out);
	return code == TENON_OK && fflush(stdout) == 0 ? 0 : 4;
}
