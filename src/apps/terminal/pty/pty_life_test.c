/* Who dies with whom: ends in order, killed keepers and hosts, many sessions, hostile ones. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty/pty_kit.h"
#include "apps/terminal/limits.h"
#include "loop/process_tree.h"
#include "base/clock.h"
#include "base/size.h"

enum { OPENED = 300, NOBODY = 65534 };

static bool was_killed(const struct kit_session *s, pid_t pid)
{
	for (unsigned i = 0; i < s->killed_count; i++) {
		if (s->killed[i] == pid)
			return true;
	}
	return false;
}

/* ---- ends in order ---- */

/* terminal.md 7.12: HUP, TERM, KILL; `closed` says who, and then nobody is left. */
static void test_end(void **state)
{
	struct kit kit;
	struct kit_session *s;
	pid_t pids[KIT_MEMBERS];

	(void)state;
	for (int force = 0; force <= 1; force++) {
		uint32_t grace_ms = force ? 30000 : 900;
		uint64_t began;

		kit_open(&kit, NULL, 0);
		s = kit_start_household(&kit, pids);
		began = kit_now_ms();
		tn_pty_end(s->pty, force, grace_ms);
		kit_until_closed(s);
		for (int i = 0; i < KIT_MEMBERS; i++) {
			assert_true(was_killed(s, pids[i]));
			assert_false(kit_is_alive(pids[i]));
		}
		assert_true(was_killed(s, tn_pty_pid(s->pty)));
		assert_true(s->exited);
		assert_false(s->lost);
		assert_true(force ? kit_now_ms() - began < grace_ms : kit_now_ms() - began >= 800);
		kit_until_ended(s);
		assert_true(kit_has(s, "all up")); /* it stays readable */
		tn_pty_end(s->pty, true, 0);       /* a second end is none */
		kit_wait_ms(&kit, 50);
		kit_close(&kit, false);
	}
}

/* Who listens to the hang-up is not made to wait, and says its last words. */
static void test_end_gently(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit,
		       "trap 'echo farewell; exit 5' HUP; echo up; while :; do sleep 0.01; done");
	kit_until_text(s, "up");
	tn_pty_end(s->pty, false, 10 * KIT_WAIT_MS);
	kit_until_closed(s); /* which would not wait that long */
	assert_int_equal(s->status, 5 << 8);
	kit_until_ended(s);
	assert_true(kit_has(s, "farewell"));
	kit_close(&kit, false);
}

static void test_close(void **state)
{
	struct kit kit;
	struct kit_session *s;
	pid_t pids[KIT_MEMBERS];

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_start_household(&kit, pids);
	tn_pty_close(s->pty);
	s->pty = NULL;
	kit_check_gone(pids);
	assert_true(kit_is_alive(kit.host_pid));
	kit_close(&kit, false);
}

/* terminal.md 12.4: within five seconds nothing is left of all sessions, nor the host. */
static void test_shutdown(void **state)
{
	struct kit kit;
	pid_t pids[3][KIT_MEMBERS], host;
	uint64_t began;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (int i = 0; i < 3; i++)
		(void)kit_start_household(&kit, pids[i]);
	host = kit.host_pid;
	began = kit_now_ms();
	kit_close(&kit, false);
	assert_true(kit_now_ms() - began < TN_PTY_SHUTDOWN_MS);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < KIT_MEMBERS; j++)
			assert_false(kit_is_alive(pids[i][j]));
	}
	assert_int_equal(kill(host, 0), -1); /* and no zombie of it */
}

/* ---- killed ---- */

/* A killed keeper's processes go, those of other sessions stay. */
static void test_keeper_killed(void **state)
{
	struct kit kit;
	struct kit_session *s, *other;
	pid_t pids[KIT_MEMBERS], others[KIT_MEMBERS];

	(void)state;
	kit_open(&kit, NULL, 0);
	other = kit_start_household(&kit, others);
	s = kit_start_household(&kit, pids);
	assert_int_equal(kill(kit_parent_of(tn_pty_pid(s->pty)), SIGKILL), 0);
	kit_until_lost(s);
	for (int i = 0; i < KIT_MEMBERS; i++) {
		assert_false(kit_is_alive(pids[i]));
		assert_true(kit_is_alive(others[i]));
	}
	assert_true(tn_pty_ended(s->pty, TN_PTY_OUT));
	assert_int_equal(tn_pty_write(s->pty, TN_STR("x"), NULL), TENON_EXPIRED);
	assert_false(other->lost);
	tn_pty_end(s->pty, false, 100); /* there is nothing to be ended: it is closed */
	kit_until_closed(s);
	kit_close(&kit, false);
	kit_check_gone(others);
}

/* A killed host takes its keepers and their processes with it; the next session has a new one. */
static void test_host_killed(void **state)
{
	struct kit kit;
	struct kit_session *s, *other;
	pid_t pids[2][KIT_MEMBERS], first;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_start_household(&kit, pids[0]);
	other = kit_start_household(&kit, pids[1]);
	first = kit.host_pid;
	assert_int_equal(kill(first, SIGKILL), 0);
	kit_until_lost(s);
	kit_until_lost(other);
	for (int i = 0; i < KIT_MEMBERS; i++) {
		assert_false(kit_is_alive(pids[0][i]));
		assert_false(kit_is_alive(pids[1][i]));
	}
	s = kit_script(&kit, "echo again");
	kit_until_ended(s);
	assert_true(kit_has(s, "again"));
	assert_int_not_equal(kit.host_pid, first);
	assert_int_equal(kill(first, 0), -1);
	kit_close(&kit, false);
}

/* Keeper and host at the same time: nobody is left to end the session but what its processes say of
 * themselves (terminal.md 12.4: never by bare number). */
static void test_both_killed(void **state)
{
	const char *argv[] = {"/bin/sh", "-c", kit_household, NULL};
	const char *env[] = {"PATH=/usr/bin:/bin", "TENON_SESSION_ID=ses_both", NULL};
	const char *other_env[] = {"PATH=/usr/bin:/bin", "TENON_SESSION_ID=ses_both_not", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .env = env, .stdin_fd = -1, .key = "ses_both"};
	struct kit kit;
	struct kit_session *s;
	pid_t pids[KIT_MEMBERS], bystander, keeper;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_spawn(&kit, &spawn);
	kit_until_household(s, pids);
	bystander = fork();
	if (bystander == 0) {
		(void)execle("/bin/sleep", "sleep", "1000", NULL, other_env);
		_exit(1);
	}
	keeper = kit_parent_of(tn_pty_pid(s->pty));
	assert_int_equal(kill(kit.host_pid, SIGSTOP),
			 0); /* so that it does not see the other die */
	assert_int_equal(kill(keeper, SIGKILL), 0);
	assert_int_equal(kill(kit.host_pid, SIGKILL), 0);
	kit_until_lost(s);
	kit_check_gone(pids);
	assert_true(kit_is_alive(bystander));
	assert_int_equal(kill(bystander, SIGKILL), 0);
	assert_int_equal(waitpid(bystander, NULL, 0), bystander);
	kit_close(&kit, false);
}

/* ---- many ---- */

static unsigned count_entries(const char *folder)
{
	DIR *open = opendir(folder);
	unsigned count = 0;

	/* The host shows its own to root alone. */
	assert_true(open || (errno == EACCES && geteuid() != 0));
	while (open && readdir(open))
		count++;
	if (open)
		(void)closedir(open);
	return count;
}

/* Opened and closed three hundred times: no descriptor and no process is left, here or there. */
static void test_many(void **state)
{
	char files[64];
	struct kit kit;
	unsigned ours, theirs;
	struct tn_process_tree tree = {0};

	(void)state;
	kit_open(&kit, NULL, 0);
	kit_until_ended(kit_script(&kit, "exit 0"));
	tn_pty_close(kit.sessions[0].pty);
	kit.count = 0;
	kit_wait_ms(&kit, 100);
	(void)snprintf(files, sizeof(files), "/proc/%d/fd", (int)kit.host_pid);
	ours = count_entries("/proc/self/fd");
	theirs = count_entries(files);
	for (int i = 0; i < OPENED; i++) {
		struct kit_session *s = kit_script(&kit, "sleep 1000 & echo up; wait");

		if (i % 3 > 0)
			kit_until_text(s, "up"); /* else it is closed before it has begun */
		if (i % 3 > 1) {
			tn_pty_end(s->pty, i % 2, 2000);
			kit_until_closed(s);
		}
		if (i % 20 < 19)
			continue; /* twenty at a time */
		while (kit.count > 0) {
			tn_pty_close(kit.sessions[--kit.count].pty);
			tn_buf_finish(&kit.sessions[kit.count].out[0]);
		}
	}
	/* A session closed before it had begun goes when the host has answered. */
	for (int i = 0; i < 3000; i++) {
		kit_wait_ms(&kit, 10);
		tn_process_tree_list(&tree, kit.host_pid);
		if (tree.count == 0 && count_entries("/proc/self/fd") == ours &&
		    count_entries(files) == theirs)
			break;
	}
	assert_int_equal(tree.count, 0);
	assert_int_equal(count_entries("/proc/self/fd"), ours);
	assert_int_equal(count_entries(files), theirs);
	tn_process_tree_finish(&tree);
	kit_close(&kit, false);
}

/* As many as the limit allows, and each of them more. */
static int explode(void)
{
	(void)signal(SIGHUP, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)
		return 1;
	for (;;)
		(void)fork();
}

/* Processor time of a process in clock ticks. */
static unsigned long ticks_of(pid_t pid)
{
	char path[64], text[1024];
	unsigned long user = 0, system = 0;
	FILE *file;
	size_t got;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	assert_non_null(file);
	got = fread(text, 1, sizeof(text) - 1, file);
	(void)fclose(file);
	text[got] = '\0';
	assert_int_equal(sscanf(strrchr(text, ')'),
				") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
				&system),
			 2);
	return user + system;
}

/* terminal.md 15: 100 % of a processor on something closed. In no state does anybody spin. */
static void test_rest(void **state)
{
	static const char *const scripts[] = {
		"exec sleep 1000",                                      /* runs */
		"trap '' HUP; sleep 1000 & exit 0",                     /* something has it open */
		"exec sleep 1000 <&- >&- 2>&-",                         /* nobody has it open */
		"trap '' HUP; (exec sleep 1000 <&- >&- 2>&-) & exit 0", /* neither */
		"exit 0",
		"while :; do echo flood; done", /* not consumed */
	};
	struct kit kit;
	struct tn_process_tree tree = {0};
	unsigned long before = 0, after = 0;
	size_t keepers = 0;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < 2 * TN_COUNT(scripts); i++) {
		struct kit_session *s = kit_script(&kit, scripts[i % TN_COUNT(scripts)]);

		tn_pty_pause(s->pty, i % TN_COUNT(scripts) == 5);
		kit_wait_ms(&kit, 30);
		if (i < TN_COUNT(scripts))
			continue;
		tn_pty_end(s->pty, true, 0);
		kit_until_closed(s);
	}
	kit_wait_ms(&kit, 300);
	for (int pass = 0; pass < 2; pass++) {
		unsigned long *sum = pass == 0 ? &before : &after;

		tn_process_tree_list(&tree, kit.host_pid);
		keepers = 0;
		for (size_t i = 0; i < tree.count; i++) {
			if (kit_parent_of(tree.pids[i]) != kit.host_pid)
				continue;
			*sum += ticks_of(tree.pids[i]);
			keepers++;
		}
		*sum += ticks_of(kit.host_pid) + ticks_of(getpid());
		kit_wait_ms(&kit, 500);
	}
	assert_int_equal(keepers, 2 * TN_COUNT(scripts));
	assert_true(after - before <= 5);
	tn_process_tree_finish(&tree);
	kit_close(&kit, false);
}

/* Under the thread sanitizer every process of the bomb takes its time to start and to die. */
static bool is_impossible(void)
{
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
	return true;
#endif
#endif
	return false;
}

/* terminal.md 10, "hostile programs": a fork bomb below a process limit, as another user. */
static void test_fork_bomb(void **state)
{
	const char *argv[] = {"/proc/self/exe", "--bomb", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .stdin_fd = -1, .limits = {.processes = 150}};
	struct tn_process_tree tree = {0};
	struct kit kit;
	struct kit_session *s, *other;

	(void)state;
	if (is_impossible())
		skip();
	if (geteuid() != 0)
		skip(); /* only root can become somebody whom the limit binds */
	kit_open(&kit, NULL, 0);
	other = kit_script(&kit, "read x; echo \"still $x\"");
	s = kit_spawn(&kit, &spawn);
	while (tree.count < 140) {
		kit_wait_ms(&kit, 10);
		tn_process_tree_list(&tree, kit.host_pid);
	}
	tn_pty_end(s->pty, true, 0);
	kit_until_closed(s);
	tn_process_tree_list(&tree, kit.host_pid);
	assert_int_equal(tree.count, 3); /* two keepers, and the other one's shell */
	kit_type(other, "here\n");
	kit_until_text(other, "still here");
	tn_process_tree_finish(&tree);
	kit_close(&kit, false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end),           cmocka_unit_test(test_end_gently),
		cmocka_unit_test(test_close),         cmocka_unit_test(test_shutdown),
		cmocka_unit_test(test_keeper_killed), cmocka_unit_test(test_host_killed),
		cmocka_unit_test(test_both_killed),   cmocka_unit_test(test_many),
		cmocka_unit_test(test_rest),          cmocka_unit_test(test_fork_bomb),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "--bomb") == 0)
		return explode();
	/* What a killed host leaves comes to us, and not to a process that never waits for it. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
