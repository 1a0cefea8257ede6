/* What a guarded child leaves behind: nothing, however it or we end (workbench.md S6, L7). */
#include "loop/guard.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "loop/child_test_kit.h"
#include "loop/limits.h"
#include "loop/proc_stat.h"

enum { WAIT_MS = 30000 };

static void begin(struct watched *w, const char *program, const char *script)
{
	const char *command[] = {program, script ? "-c" : NULL, script, NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const struct tn_child_options options = {
		.command = command, .env = env, .new_session = true, .guarded = true};

	assert_int_equal(watched_begin(w, options, NULL), TENON_OK);
}

/* The numbers that it prints: of processes that it has started. */
static size_t read_numbers(int fd, pid_t *out, size_t count)
{
	char text[256];
	size_t size = 0, lines = 0;

	while (lines < count && size < sizeof(text) - 1) {
		struct pollfd polled = {.fd = fd, .events = POLLIN};
		ssize_t got;

		if (poll(&polled, 1, WAIT_MS) != 1)
			break;
		got = read(fd, text + size, sizeof(text) - 1 - size);
		if (got <= 0)
			break;
		for (ssize_t i = 0; i < got; i++)
			lines += text[size + (size_t)i] == '\n';
		size += (size_t)got;
	}
	text[size] = '\0';
	lines = 0;
	for (char *at = text, *end; lines < count; at = end + 1) {
		end = strchr(at, '\n');
		if (!end)
			break;
		out[lines++] = (pid_t)strtol(at, NULL, 10);
	}
	return lines;
}

static bool runs(pid_t pid)
{
	struct tn_proc_stat process;

	return tn_proc_stat_read(pid, &process) && process.state != 'Z';
}

/* Others reap what has been left to them, in their own time. */
static void expect_gone(pid_t pid)
{
	uint64_t until = tn_clock_now_ms(&tn_clock_system) + WAIT_MS;

	while (runs(pid) && tn_clock_now_ms(&tn_clock_system) < until)
		(void)poll(NULL, 0, 5);
	assert_false(runs(pid));
}

static void ends_as_the_program_does(void **state)
{
	static const struct {
		const char *program, *script;
		bool by_signal;
		int number;
	} ways[] = {
		{"/bin/sh", "exit 0", false, 0},
		{"/bin/sh", "exit 7", false, 7},
		{"/bin/sh", "kill -TERM $$", true, SIGTERM},
		{"/bin/sh", "kill -KILL $$", true, SIGKILL},
		{"no-such-program", NULL, false, 127},
		{"/etc/passwd", NULL, false, 126},
	};
	struct watched w;

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		begin(&w, ways[i].program, ways[i].script);
		watched_wait(&w);
		assert_int_equal(w.end.by_signal, ways[i].by_signal);
		assert_int_equal(w.end.number, ways[i].number);
		watched_finish(&w);
	}
}

/* A server in a session of its own, whose parent has gone: no group reaches it. */
#define HIDDEN "(setsid sh -c 'echo $$; exec sleep 1000' &) "

static void what_the_program_leaves_is_killed(void **state)
{
	struct watched w;
	pid_t hidden = 0;

	(void)state;
	begin(&w, "/bin/sh", HIDDEN "; sleep 0.3; exit 3");
	watched_wait(&w);
	assert_int_equal(w.end.number, 3);
	assert_int_equal(read_numbers(tn_child_fd(w.child, TN_CHILD_STDOUT), &hidden, 1), 1);
	expect_gone(hidden);
	watched_finish(&w);
}

static void freed_at_once_nothing_is_left(void **state)
{
	pid_t pids[2] = {0};
	struct watched w;

	(void)state;
	begin(&w, "/bin/sh", "trap '' TERM; " HIDDEN "; echo $$; while :; do sleep 1; done");
	assert_int_equal(read_numbers(tn_child_fd(w.child, TN_CHILD_STDOUT), pids, 2), 2);
	watched_finish(&w);
	assert_false(runs(pids[0]));
	assert_false(runs(pids[1]));
}

static void asked_to_end_what_does_not_is_killed(void **state)
{
	uint64_t began;
	pid_t pids[2] = {0};
	struct watched w;

	(void)state;
	begin(&w, "/bin/sh", "trap '' TERM; " HIDDEN "; echo $$; while :; do sleep 1; done");
	assert_int_equal(read_numbers(tn_child_fd(w.child, TN_CHILD_STDOUT), pids, 2), 2);
	began = tn_clock_now_ms(&tn_clock_system);
	tn_child_signal(w.child, SIGTERM);
	watched_wait(&w);
	assert_true(tn_clock_now_ms(&tn_clock_system) - began >= TN_GUARD_GRACE_MS - 100);
	expect_gone(pids[0]);
	expect_gone(pids[1]);
	watched_finish(&w);
}

static void asked_to_end_it_may_do_so_in_order(void **state)
{
	char said[64] = "";
	struct watched w;
	pid_t pid = 0;
	ssize_t got;

	(void)state;
	begin(&w, "/bin/sh",
	      "trap 'echo over; exit 4' TERM; echo $$; while :; do sleep 0.05; done");
	assert_int_equal(read_numbers(tn_child_fd(w.child, TN_CHILD_STDOUT), &pid, 1), 1);
	tn_child_signal(w.child, SIGTERM);
	watched_wait(&w);
	assert_int_equal(w.end.number, 4);
	got = read(tn_child_fd(w.child, TN_CHILD_STDOUT), said, sizeof(said) - 1);
	assert_true(got > 0);
	assert_string_equal(said, "over\n"); /* told once */
	watched_finish(&w);
}

/* S6, L7: we are killed, and cannot do anything about it any more. */
static void killed_we_leave_nothing_behind(void **state)
{
	pid_t pids[2] = {0}, us;
	int line[2], status;

	(void)state;
	assert_int_equal(pipe(line), 0);
	us = fork();
	if (us == 0) {
		struct watched w;
		char text[64];
		ssize_t got;

		begin(&w, "/bin/sh", HIDDEN "; echo $$; while :; do sleep 1; done");
		for (;;) {
			got = read(tn_child_fd(w.child, TN_CHILD_STDOUT), text, sizeof(text));
			if (got > 0 && write(line[1], text, (size_t)got) != got)
				_exit(1);
			(void)poll(NULL, 0, 5);
		}
	}
	assert_int_equal(read_numbers(line[0], pids, 2), 2);
	assert_true(runs(pids[0]) && runs(pids[1]));
	assert_int_equal(kill(us, SIGKILL), 0);
	assert_int_equal(waitpid(us, &status, 0), us);
	expect_gone(pids[0]);
	expect_gone(pids[1]);
	(void)close(line[0]);
	(void)close(line[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_as_the_program_does),
		cmocka_unit_test(what_the_program_leaves_is_killed),
		cmocka_unit_test(freed_at_once_nothing_is_left),
		cmocka_unit_test(asked_to_end_what_does_not_is_killed),
		cmocka_unit_test(asked_to_end_it_may_do_so_in_order),
		cmocka_unit_test(killed_we_leave_nothing_behind),
	};

	if (argc > 1 && strcmp(argv[1], TN_GUARD_WORD) == 0)
		return tn_guard_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
