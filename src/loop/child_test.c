#include "loop/child.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "loop/child_test_kit.h"
#include "loop/limits.h"

enum { WAIT_MS = 30000 };

static enum tenon_code begin(struct watched *w, const char *script, const char *directory,
			     struct tenon_error *err)
{
	const char *command[] = {"/bin/sh", "-c", script, NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", "GREETING=hello there", NULL};

	return watched_begin(
		w,
		(struct tn_child_options){.command = command, .env = env, .directory = directory},
		err);
}

/* What the child has written by now; it has ended, so nothing more comes. */
static void read_all(struct watched *w, enum tn_child_stream stream, char *out, size_t size)
{
	ssize_t got = read(tn_child_fd(w->child, stream), out, size - 1);

	out[got > 0 ? got : 0] = '\0';
}

static void expect_end(const char *script, bool by_signal, int number)
{
	struct tenon_error err;
	struct watched w;

	assert_int_equal(begin(&w, script, NULL, &err), TENON_OK);
	assert_false(w.has_ended); /* not inside the call */
	watched_wait(&w);
	assert_int_equal(w.end.by_signal, by_signal);
	assert_int_equal(w.end.number, number);
	tn_child_stop(w.child); /* too late, and harmless */
	watched_finish(&w);
}

static void ends(void **state)
{
	(void)state;
	expect_end("exit 0", false, 0);
	expect_end("exit 7", false, 7);
	expect_end("kill -TERM $$", true, SIGTERM);
	expect_end("kill -KILL $$", true, SIGKILL);
}

static void streams(void **state) /* MCP-286: its environment is what it is given */
{
	char out[256], errors[64];
	struct tenon_error err;
	struct watched w;

	(void)state;
	for (int fd = 3; fd < 256; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC); /* what the test itself was given */
	assert_int_equal(setenv("TENON_SECRET", "leaked", 1), 0);
	assert_int_equal(
		begin(&w,
		      "read line; echo \"$line $GREETING $TENON_SECRET$(pwd)\"; echo no >&2; "
		      "ls /proc/self/fd | wc -l",
		      "/usr", &err),
		TENON_OK);
	assert_int_equal(unsetenv("TENON_SECRET"), 0);
	assert_int_equal(write(tn_child_fd(w.child, TN_CHILD_STDIN), "say\n", 4), 4);
	for (int i = 0; i < 3; i++) {
		int fd = tn_child_fd(w.child, (enum tn_child_stream)i);

		assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK || i == TN_CHILD_STDIN);
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	watched_wait(&w);
	read_all(&w, TN_CHILD_STDOUT, out, sizeof(out));
	read_all(&w, TN_CHILD_STDERR, errors, sizeof(errors));
	/* Nothing of ours is open in it: three streams, and the folder that ls reads. */
	assert_string_equal(out, "say hello there /usr\n4\n");
	assert_string_equal(errors, "no\n");
	watched_finish(&w);
}

/* Of its own session, so that no shell in it asks for our terminal; and nothing to read. */
static void alone(void **state)
{
	static const char *const command[] = {
		"/bin/sh", "-c",
		"read x || echo end; read pid name st parent group session rest "
		"</proc/$$/stat; echo $((pid == group && pid == session))",
		NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const struct tn_child_options options = {
		.command = command, .env = env, .new_session = true, .no_input = true};
	struct watched w;
	char text[64];

	(void)state;
	assert_int_equal(watched_begin(&w, options, NULL), TENON_OK);
	assert_int_equal(tn_child_fd(w.child, TN_CHILD_STDIN), -1);
	watched_wait(&w);
	read_all(&w, TN_CHILD_STDOUT, text, sizeof(text));
	assert_string_equal(text, "end\n1\n");
	watched_finish(&w);
}

static size_t size_of_file(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);

	return end > 0 ? (size_t)end : 0;
}

/* studio.md 9.6: what must not be cut off writes to files, takes signals, and goes on without us,
 * even when the thread that started it is no more. */
static void outlives(void **state)
{
	static const char *const command[] = {
		"/bin/sh", "-c",
		"trap 'echo caught; exit 3' INT; echo out; echo err >&2; "
		"i=0; while [ $i -lt 200 ]; do sleep 0.05; i=$((i + 1)); done",
		NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	char path[] = "/tmp/child-test-XXXXXX", text[64] = "";
	int file = mkstemp(path), numbers[2], status;
	struct timespec moment = {0, 10000000};
	pid_t middle, pid = 0;

	(void)state;
	assert_true(file > 0);
	assert_int_equal(pipe(numbers), 0);
	middle = fork();
	assert_true(middle >= 0);
	if (middle == 0) { /* we, in the story: start it and are killed */
		const struct tn_child_options options = {.command = command,
							 .env = env,
							 .no_input = true,
							 .outlives_us = true,
							 .stdout_file = file,
							 .stderr_file = file};
		struct tn_child *child = NULL;
		struct tn_loop *loop = NULL;
		int number;

		if (tn_loop_create(&loop, NULL) != TENON_OK ||
		    tn_child_open(loop, &options, &child, NULL) != TENON_OK)
			_exit(1);
		number = tn_child_fd(child, TN_CHILD_STDOUT) == -1 ? tn_child_pid(child) : 0;
		if (write(numbers[1], &number, sizeof(number)) < 0)
			_exit(1);
		(void)raise(SIGKILL);
	}
	assert_int_equal(read(numbers[0], &pid, sizeof(pid)), sizeof(pid));
	assert_true(pid > 0);
	assert_int_equal(waitpid(middle, &status, 0), middle);
	for (int i = 0; i < 3000 && size_of_file(file) < 8; i++)
		(void)nanosleep(&moment, NULL);
	assert_int_equal(kill(-pid, 0), 0); /* it runs, and leads its group */
	assert_int_equal(kill(-pid, SIGINT), 0);
	for (int i = 0; i < 3000 && size_of_file(file) < 15; i++)
		(void)nanosleep(&moment, NULL);
	assert_true(pread(file, text, sizeof(text) - 1, 0) > 0);
	assert_string_equal(text, "out\nerr\ncaught\n");
	(void)close(file);
	(void)close(numbers[0]);
	(void)close(numbers[1]);
	(void)unlink(path);
}

static void refusals(void **state)
{
	static const char *const nothing[] = {NULL}, *const empty[] = {"", NULL};
	static const char *const missing[] = {"/no/such/program", NULL};
	static const char *const env[] = {NULL};
	struct tn_child_options options = {.command = nothing, .env = env};
	struct tenon_error err;
	struct watched w;

	(void)state;
	assert_int_equal(begin(&w, "exit 0", "/no/such/folder", &err), TENON_SYSTEM);
	assert_string_equal(err.message,
			    "enter the directory /no/such/folder: No such file or directory");
	assert_int_equal(tn_child_open(w.loop, &options, &w.child, &err), TENON_INVALID);
	options.command = empty;
	assert_int_equal(tn_child_open(w.loop, &options, &w.child, &err), TENON_INVALID);
	options.command = missing;
	assert_int_equal(tn_child_open(w.loop, &options, &w.child, &err), TENON_SYSTEM);
	assert_string_equal(err.message, "start /no/such/program: No such file or directory");
	assert_null(w.child);
	watched_finish(&w);
}

static bool is_alive(long pid)
{
	return kill((pid_t)pid, 0) == 0 || errno != ESRCH;
}

static long read_pid(struct watched *w)
{
	char text[32] = "";

	for (int i = 0; i < WAIT_MS / 10 && !strchr(text, '\n'); i++) {
		size_t used = strlen(text);
		ssize_t got = read(tn_child_fd(w->child, TN_CHILD_STDOUT), text + used,
				   sizeof(text) - 1 - used);

		if (got <= 0)
			(void)usleep(10000);
	}
	return strtol(text, NULL, 10);
}

static void expect_gone(long pid)
{
	assert_true(pid > 1);
	for (int i = 0; i < WAIT_MS / 10 && is_alive(pid); i++)
		(void)usleep(10000); /* whoever adopted it has to wait for it */
	assert_false(is_alive(pid));
}

/* What it has started and left behind goes with it. */
static void family(void **state)
{
	struct tenon_error err;
	struct watched w;
	long pid;

	(void)state;
	assert_int_equal(begin(&w, "sleep 1000 >/dev/null 2>&1 & echo $!", NULL, &err), TENON_OK);
	pid = read_pid(&w);
	watched_wait(&w);
	expect_gone(pid);
	watched_finish(&w);

	assert_int_equal(begin(&w, "sleep 1000 & echo $!; wait", NULL, &err), TENON_OK);
	pid = read_pid(&w);
	assert_true(is_alive(pid));
	watched_finish(&w); /* at once, while both run */
	assert_false(w.has_ended);
	expect_gone(pid);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void expect_stop(const char *script, uint64_t from_ms, uint64_t to_ms, bool by_signal,
			int number)
{
	struct tenon_error err;
	uint64_t begun;
	struct watched w;

	assert_int_equal(begin(&w, script, NULL, &err), TENON_OK);
	assert_true(read_pid(&w) > 0); /* its traps are set */
	begun = now_ms();
	tn_child_stop(w.child);
	tn_child_stop(w.child); /* once is enough */
	assert_int_equal(tn_child_fd(w.child, TN_CHILD_STDIN), -1);
	watched_wait(&w);
	if (now_ms() - begun < from_ms || now_ms() - begun > to_ms)
		fail_msg("%s: %d ms", script, (int)(now_ms() - begun));
	assert_int_equal(w.end.by_signal, by_signal);
	assert_int_equal(w.end.number, number);
	watched_finish(&w);
}

static void stopping(void **state) /* MCP-087 */
{
	const uint64_t grace = TN_CHILD_GRACE_MS;

	(void)state;
	/* The end of input is enough; so is what it still has to write, however much that is. */
	expect_stop("echo $$; cat", 0, grace, false, 0);
	expect_stop("echo $$; cat; head -c 9000000 /dev/zero; exit 5", 0, grace, false, 5);
	/* SIGTERM, then SIGKILL. */
	expect_stop("echo $$; exec sleep 1000", grace - 20, 2 * grace, true, SIGTERM);
	expect_stop("trap '' TERM; echo $$; while :; do sleep 1; done", 2 * grace - 40, 4 * grace,
		    true, SIGKILL);
}

/* Somebody else in the program waits for all children: the end is noticed all the same. */
static void waited_for_by_others(void **state)
{
	struct tenon_error err;
	struct watched w;
	int status;

	(void)state;
	assert_int_equal(begin(&w, "exit 3", NULL, &err), TENON_OK);
	while (waitpid(-1, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	watched_wait(&w);
	assert_false(w.end.by_signal);
	watched_finish(&w);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(ends),     cmocka_unit_test(streams),
		cmocka_unit_test(alone),    cmocka_unit_test(outlives),
		cmocka_unit_test(refusals), cmocka_unit_test(family),
		cmocka_unit_test(stopping), cmocka_unit_test(waited_for_by_others),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
