/* Who dies with whom: ends in order, killed keepers, hosts and daemons, and the next daemon. */
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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty_kit.h"
#include "apps/terminal/pty_link.h"
#include "apps/terminal/pty_pass.h"
#include "apps/terminal/pty_tree.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/size.h"

enum { OPENED = 300, NOBODY = 65534 };

/* A shell that has started what is hard to end: a child, a background job that ignores hang-ups and
 * terminations, and a daemon of two forks with a session of its own. */
static const char household[] =
	"sleep 1000 & echo job=$!.\n"
	"sh -c 'trap \"\" HUP TERM; echo stubborn=$$.; while :; do sleep 0.1; done' &\n"
	"setsid sh -c '(trap \"\" HUP; echo daemon=$(exec sh -c \"echo \\$PPID\").;"
	" exec sleep 1000) </dev/null &' \n"
	"kill -STOP $! 2>/dev/null; kill -CONT $!\n"
	"sh -c 'echo stopped=$$.; kill -STOP $$; sleep 1000' &\n"
	"sleep 0.1; echo all up; wait";

enum { MEMBERS = 4 };
static const char *const members[MEMBERS] = {"job=", "stubborn=", "daemon=", "stopped="};

static struct kit_session *start_household(struct kit *kit, pid_t pids[MEMBERS])
{
	struct kit_session *s = kit_script(kit, household);

	kit_until_text(s, "all up");
	for (int i = 0; i < MEMBERS; i++) {
		pids[i] = kit_number(s, members[i]);
		assert_true(kit_is_alive(pids[i]));
	}
	return s;
}

static void check_gone(const pid_t pids[MEMBERS])
{
	for (int i = 0; i < MEMBERS; i++)
		kit_until_gone(pids[i]);
}

static bool was_killed(const struct kit_session *s, pid_t pid)
{
	for (unsigned i = 0; i < s->killed_count; i++) {
		if (s->killed[i] == pid)
			return true;
	}
	return false;
}

static uint64_t now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

/* ---- ends in order ---- */

/* terminal.md 7.12: HUP, TERM, KILL; `closed` says who, and then nobody is left. */
static void test_end(void **state)
{
	struct kit kit;
	struct kit_session *s;
	pid_t pids[MEMBERS];

	(void)state;
	for (int force = 0; force <= 1; force++) {
		uint64_t began;

		kit_open(&kit, NULL, 0);
		s = start_household(&kit, pids);
		began = now_ms();
		tn_pty_end(s->pty, force, 900);
		kit_until_closed(s);
		for (int i = 0; i < MEMBERS; i++) {
			assert_true(was_killed(s, pids[i]));
			assert_false(kit_is_alive(pids[i]));
		}
		assert_true(was_killed(s, tn_pty_pid(s->pty)));
		assert_true(s->exited);
		assert_false(s->lost);
		assert_true(force ? now_ms() - began < 800 : now_ms() - began >= 800);
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
	uint64_t began;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit,
		       "trap 'echo farewell; exit 5' HUP; echo up; while :; do sleep 0.01; done");
	kit_until_text(s, "up");
	began = now_ms();
	tn_pty_end(s->pty, false, 6000);
	kit_until_closed(s);
	assert_true(now_ms() - began < 1500);
	assert_int_equal(s->status, 5 << 8);
	kit_until_ended(s);
	assert_true(kit_has(s, "farewell"));
	kit_close(&kit, false);
}

static void test_close(void **state)
{
	struct kit kit;
	struct kit_session *s;
	pid_t pids[MEMBERS];

	(void)state;
	kit_open(&kit, NULL, 0);
	s = start_household(&kit, pids);
	tn_pty_close(s->pty);
	s->pty = NULL;
	check_gone(pids);
	assert_true(kit_is_alive(kit.host_pid));
	kit_close(&kit, false);
}

/* terminal.md 12.4: within five seconds nothing is left of all sessions, nor the host. */
static void test_shutdown(void **state)
{
	struct kit kit;
	pid_t pids[3][MEMBERS], host;
	uint64_t began;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (int i = 0; i < 3; i++)
		(void)start_household(&kit, pids[i]);
	host = kit.host_pid;
	began = now_ms();
	kit_close(&kit, false);
	assert_true(now_ms() - began < TN_PTY_SHUTDOWN_MS);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < MEMBERS; j++)
			assert_false(kit_is_alive(pids[i][j]));
	}
	assert_int_equal(kill(host, 0), -1); /* and no zombie of it */
}

/* ---- killed ---- */

static pid_t parent_of(pid_t pid)
{
	struct tn_pty_process process;

	assert_true(tn_pty_process_read(pid, &process));
	return process.parent;
}

/* A killed keeper's processes go, those of other sessions stay. */
static void test_keeper_killed(void **state)
{
	struct kit kit;
	struct kit_session *s, *other;
	pid_t pids[MEMBERS], others[MEMBERS];

	(void)state;
	kit_open(&kit, NULL, 0);
	other = start_household(&kit, others);
	s = start_household(&kit, pids);
	assert_int_equal(kill(parent_of(tn_pty_pid(s->pty)), SIGKILL), 0);
	kit_until_lost(s);
	for (int i = 0; i < MEMBERS; i++) {
		assert_false(kit_is_alive(pids[i]));
		assert_true(kit_is_alive(others[i]));
	}
	assert_true(tn_pty_ended(s->pty, TN_PTY_OUT));
	assert_int_equal(tn_pty_write(s->pty, TN_STR("x"), NULL), TENON_EXPIRED);
	assert_false(other->lost);
	tn_pty_end(s->pty, false, 100); /* there is nothing to be ended: it is closed */
	kit_until_closed(s);
	kit_close(&kit, false);
	check_gone(others);
}

/* A killed host takes its keepers and their processes with it; the next session has a new one. */
static void test_host_killed(void **state)
{
	struct kit kit;
	struct kit_session *s, *other;
	pid_t pids[2][MEMBERS], first;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = start_household(&kit, pids[0]);
	other = start_household(&kit, pids[1]);
	first = kit.host_pid;
	assert_int_equal(kill(first, SIGKILL), 0);
	kit_until_lost(s);
	kit_until_lost(other);
	for (int i = 0; i < MEMBERS; i++) {
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
	const char *argv[] = {"/bin/sh", "-c", household, NULL};
	const char *env[] = {"PATH=/usr/bin:/bin", "TENON_SESSION_ID=ses_both", NULL};
	const char *other_env[] = {"PATH=/usr/bin:/bin", "TENON_SESSION_ID=ses_both_not", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .env = env, .stdin_fd = -1, .key = "ses_both"};
	struct kit kit;
	struct kit_session *s;
	pid_t pids[MEMBERS], bystander, keeper;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_spawn(&kit, &spawn);
	kit_until_text(s, "all up");
	for (int i = 0; i < MEMBERS; i++)
		pids[i] = kit_number(s, members[i]);
	bystander = fork();
	if (bystander == 0) {
		(void)execle("/bin/sleep", "sleep", "1000", NULL, other_env);
		_exit(1);
	}
	keeper = parent_of(tn_pty_pid(s->pty));
	assert_int_equal(kill(kit.host_pid, SIGSTOP),
			 0); /* so that it does not see the other die */
	assert_int_equal(kill(keeper, SIGKILL), 0);
	assert_int_equal(kill(kit.host_pid, SIGKILL), 0);
	kit_until_lost(s);
	check_gone(pids);
	assert_true(kit_is_alive(bystander));
	assert_int_equal(kill(bystander, SIGKILL), 0);
	assert_int_equal(waitpid(bystander, NULL, 0), bystander);
	kit_close(&kit, false);
}

/* ---- daemons that are killed ---- */

struct shared_path {
	char folder[64], path[96];
};

static void make_path(struct shared_path *p)
{
	(void)snprintf(p->folder, sizeof(p->folder), "/tmp/tenon-pty-test-XXXXXX");
	assert_non_null(mkdtemp(p->folder));
	(void)snprintf(p->path, sizeof(p->path), "%s/pty-host.sock", p->folder);
}

static void drop_path(const struct shared_path *p)
{
	(void)unlink(p->path);
	assert_int_equal(rmdir(p->folder), 0);
}

struct told {
	pid_t host, root, pids[MEMBERS];
	uint64_t consumed;
};

/* The life of a daemon that will be killed: in a process of its own. */
static pid_t fork_daemon(const char *path, uint32_t grace_ms,
			 void (*live)(struct kit *, struct told *), struct told *ret)
{
	int report[2];
	pid_t pid;

	assert_int_equal(pipe(report), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct told told = {0};
		struct kit kit;

		kit_open(&kit, path, grace_ms);
		live(&kit, &told);
		told.host = kit.host_pid;
		if (write(report[1], &told, sizeof(told)) != sizeof(told))
			_exit(1);
		(void)pause();
		_exit(1);
	}
	(void)close(report[1]);
	assert_int_equal(read(report[0], ret, sizeof(*ret)), sizeof(*ret));
	(void)close(report[0]);
	return pid;
}

static void kill_daemon(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void live_with_household(struct kit *kit, struct told *told)
{
	struct kit_session *s = start_household(kit, told->pids);

	told->root = tn_pty_pid(s->pty);
}

/* terminal.md 12.4: without a second daemon nothing is left after the grace, nor the socket. */
static void test_nobody_comes(void **state)
{
	static const uint32_t graces[] = {0, 1500};
	struct shared_path p;
	struct told told;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(graces); i++) {
		pid_t daemon;
		uint64_t began;

		make_path(&p);
		daemon = fork_daemon(p.path, graces[i], live_with_household, &told);
		began = now_ms();
		kill_daemon(daemon);
		if (graces[i] > 0) {
			(void)poll(NULL, 0, (int)graces[i] / 2);
			for (int j = 0; j < MEMBERS; j++)
				assert_true(kit_is_alive(told.pids[j]));
		}
		check_gone(told.pids);
		kit_until_gone(told.root);
		kit_until_gone(told.host);
		assert_true(now_ms() - began < graces[i] + 2000);
		drop_path(&p);
	}
}

static void live_with_flood(struct kit *kit, struct told *told)
{
	const char *argv[] = {"/proc/self/exe", "--flood", "8388608", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .stdin_fd = -1, .key = "ses_flood"};
	struct kit_session *s = kit_spawn(kit, &spawn);
	struct kit_session *gone = kit_script(kit, "echo over; exit 3");

	s->turn_max = 10007;
	kit_until_ended(gone);
	while (tn_pty_tail(s->pty, TN_PTY_OUT) < 1000000)
		kit_wait_ms(kit, 1);
	told->root = tn_pty_pid(s->pty);
	told->consumed = tn_pty_tail(s->pty, TN_PTY_OUT);
	for (uint64_t at = 0; at < told->consumed / 16; at++) {
		char line[32];

		(void)snprintf(line, sizeof(line), "%015llx ", (unsigned long long)at * 16);
		assert_memory_equal(s->out[TN_PTY_OUT].data + at * 16, line, 16);
	}
}

static struct kit_session *find_key(struct kit *kit, const char *key)
{
	for (unsigned i = 0; i < kit->count; i++) {
		if (strcmp(tn_pty_key(kit->sessions[i].pty), key) == 0)
			return &kit->sessions[i];
	}
	return NULL;
}

/* terminal.md 12.4: killed in the middle of a flood; the next one has every byte exactly once, the
 * same processes, and the end of what ended before. */
static void test_next_daemon(void **state)
{
	struct shared_path p;
	struct told told;
	struct kit kit;
	struct kit_session *s, *over;
	struct stat info;
	pid_t daemon;

	(void)state;
	make_path(&p);
	daemon = fork_daemon(p.path, 20000, live_with_flood, &told);
	assert_int_equal(stat(p.path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	kill_daemon(daemon);
	kit_open(&kit, p.path, 20000);
	assert_int_equal(kit.host_pid, told.host);
	assert_int_equal(kit.found_count, 2);
	s = find_key(&kit, "ses_flood");
	over = find_key(&kit, "ses_test_2");
	assert_non_null(s);
	assert_non_null(over);
	assert_int_equal(tn_pty_pid(s->pty), told.root);
	assert_int_equal(tn_pty_tail(s->pty, TN_PTY_OUT), told.consumed);
	kit_until_ended(s);
	assert_int_equal(told.consumed + s->out[TN_PTY_OUT].size, 8388608);
	for (size_t i = 0; i < s->out[TN_PTY_OUT].size; i++) {
		char line[32];
		uint64_t at = told.consumed + i;

		if (at % 16 != 0 || i + 16 > s->out[TN_PTY_OUT].size)
			continue;
		(void)snprintf(line, sizeof(line), "%015llx ", (unsigned long long)at);
		assert_memory_equal(s->out[TN_PTY_OUT].data + i, line, 16);
	}
	kit_until_exited(over);
	assert_int_equal(over->status, 3 << 8);
	kit_close(&kit, false);
	kit_until_gone(told.host);
	drop_path(&p);
}

/* Left in order, and taken again: typing works, a session that nobody wants is ended. */
static void test_kept(void **state)
{
	struct shared_path p;
	struct kit kit;
	struct kit_session *s;
	pid_t host, root;

	(void)state;
	make_path(&p);
	kit_open(&kit, p.path, 20000);
	s = kit_script(&kit, "echo up; while read x; do echo \"got $x\"; done");
	kit_until_text(s, "up");
	host = kit.host_pid;
	root = tn_pty_pid(s->pty);
	kit_close(&kit, true);
	assert_true(kit_is_alive(root));
	for (int i = 0; i < 3; i++) {
		kit_open(&kit, p.path, 20000);
		assert_int_equal(kit.host_pid, host);
		assert_int_equal(kit.found_count, 1);
		s = &kit.sessions[0];
		assert_int_equal(tn_pty_pid(s->pty), root);
		kit_type(s, "this\n");
		kit_until_text(s, "got this");
		kit_close(&kit, i < 2);
	}
	assert_false(kit_is_alive(root));
	assert_int_equal(waitpid(host, NULL, WNOHANG), host); /* it was a child of this process */
	drop_path(&p);
}

/* A keeper that was killed while there was no daemon: the next one is told. */
static void test_lost_meanwhile(void **state)
{
	struct shared_path p;
	struct told told;
	struct kit kit;
	pid_t daemon;

	(void)state;
	make_path(&p);
	daemon = fork_daemon(p.path, 20000, live_with_household, &told);
	kill_daemon(daemon);
	assert_int_equal(kill(parent_of(told.root), SIGKILL), 0);
	check_gone(told.pids);
	kit_open(&kit, p.path, 20000);
	assert_int_equal(kit.found_count, 1);
	kit_until_lost(&kit.sessions[0]);
	kit_close(&kit, false);
	drop_path(&p);
}

/* One daemon at a time; of another version: everything ends, and a new host comes. */
static void test_second_daemon(void **state)
{
	static const struct tn_pty_events none;
	struct tn_pty_host_options options = {.events = &none, .grace_ms = 20000};
	struct tn_pty_packet hello = {.message = {.word = TN_PTY_WORD_HELLO, .version = 999}};
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct shared_path p;
	struct told told;
	struct tn_loop *loop;
	struct tn_pty_host *host = NULL;
	struct kit kit;
	pid_t daemon;
	int fd;

	(void)state;
	make_path(&p);
	daemon = fork_daemon(p.path, 20000, live_with_household, &told);
	options.socket_path = p.path;
	assert_int_equal(tn_loop_create(&loop, NULL), TENON_OK);
	assert_int_equal(tn_pty_host_open(loop, &options, &host, NULL), TENON_BUSY);
	tn_loop_destroy(loop);
	for (int i = 0; i < MEMBERS; i++)
		assert_true(kit_is_alive(told.pids[i]));
	kill_daemon(daemon);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", p.path);
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(tn_pty_pass_send(fd, &hello, 1000, NULL), TENON_OK);
	(void)poll(NULL, 0, 100);
	kit_open(&kit, p.path, 20000); /* waits for the end of the one that is ending */
	assert_int_equal(kit.found_count, 0);
	for (int i = 0; i < MEMBERS; i++)
		assert_false(kit_is_alive(told.pids[i]));
	kit_until_ended(kit_script(&kit, "echo new"));
	assert_int_not_equal(kit.host_pid, told.host);
	kit_close(&kit, false);
	(void)close(fd);
	drop_path(&p);
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
	struct tn_pty_tree tree = {0};

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
	for (int i = 0; i < 500 && (i == 0 || tree.count > 0); i++) {
		kit_wait_ms(&kit, 10);
		tn_pty_tree_list(&tree, kit.host_pid);
	}
	assert_int_equal(tree.count, 0);
	assert_int_equal(count_entries("/proc/self/fd"), ours);
	assert_int_equal(count_entries(files), theirs);
	tn_pty_tree_finish(&tree);
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
	struct tn_pty_tree tree = {0};
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

		tn_pty_tree_list(&tree, kit.host_pid);
		keepers = 0;
		for (size_t i = 0; i < tree.count; i++) {
			if (parent_of(tree.pids[i]) != kit.host_pid)
				continue;
			*sum += ticks_of(tree.pids[i]);
			keepers++;
		}
		*sum += ticks_of(kit.host_pid) + ticks_of(getpid());
		kit_wait_ms(&kit, 500);
	}
	assert_int_equal(keepers, 2 * TN_COUNT(scripts));
	assert_true(after - before <= 5);
	tn_pty_tree_finish(&tree);
	kit_close(&kit, false);
}

/* terminal.md 10, "hostile programs": a fork bomb below a process limit, as another user. */
static void test_fork_bomb(void **state)
{
	const char *argv[] = {"/proc/self/exe", "--bomb", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .stdin_fd = -1, .limits = {.processes = 150}};
	struct tn_pty_tree tree = {0};
	struct kit kit;
	struct kit_session *s, *other;

	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can become somebody whom the limit binds */
	kit_open(&kit, NULL, 0);
	other = kit_script(&kit, "read x; echo \"still $x\"");
	s = kit_spawn(&kit, &spawn);
	while (tree.count < 140) {
		kit_wait_ms(&kit, 10);
		tn_pty_tree_list(&tree, kit.host_pid);
	}
	tn_pty_end(s->pty, true, 0);
	kit_until_closed(s);
	tn_pty_tree_list(&tree, kit.host_pid);
	assert_int_equal(tree.count, 3); /* two keepers, and the other one's shell */
	kit_type(other, "here\n");
	kit_until_text(other, "still here");
	tn_pty_tree_finish(&tree);
	kit_close(&kit, false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_end_gently),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_shutdown),
		cmocka_unit_test(test_keeper_killed),
		cmocka_unit_test(test_host_killed),
		cmocka_unit_test(test_both_killed),
		cmocka_unit_test(test_nobody_comes),
		cmocka_unit_test(test_next_daemon),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_lost_meanwhile),
		cmocka_unit_test(test_second_daemon),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_fork_bomb),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	if (argc > 2 && strcmp(argv[1], "--flood") == 0)
		return kit_print_flood((size_t)strtoul(argv[2], NULL, 10));
	if (argc > 1 && strcmp(argv[1], "--bomb") == 0)
		return explode();
	/* What a killed host leaves comes to us, and not to a process that never waits for it. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
