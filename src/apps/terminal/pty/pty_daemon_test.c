/* Daemons that are killed, leave or come twice: what the next one finds, and what nobody finds. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty/pty_kit.h"
#include "apps/terminal/pty/pty_pass.h"
#include "base/size.h"

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
	pid_t host, root, pids[KIT_MEMBERS];
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
	struct kit_session *s = kit_start_household(kit, told->pids);

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
		began = kit_now_ms();
		kill_daemon(daemon);
		if (graces[i] > 0) {
			(void)poll(NULL, 0, (int)graces[i] / 2);
			for (int j = 0; j < KIT_MEMBERS; j++)
				assert_true(kit_is_alive(told.pids[j]) ||
					    kit_now_ms() - began >= graces[i]);
		}
		kit_check_gone(told.pids);
		kit_until_gone(told.root);
		kit_until_gone(told.host);
		assert_true(kit_now_ms() - began >= graces[i]);
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
	assert_int_equal(kill(kit_parent_of(told.root), SIGKILL), 0);
	kit_check_gone(told.pids);
	kit_open(&kit, p.path, 20000);
	assert_int_equal(kit.found_count, 1);
	kit_until_lost(&kit.sessions[0]);
	kit_close(&kit, false);
	drop_path(&p);
}

/* A connection to the host that has said nothing yet. */
static int knock(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

/* The same between its connection and its first word: what it hears first is still the welcome. */
static void test_lost_before_hello(void **state)
{
	static const enum tn_pty_word words[] = {TN_PTY_WORD_WELCOME, TN_PTY_WORD_SESSION,
						 TN_PTY_WORD_GONE};
	struct tn_pty_packet packet = {
		.message = {.word = TN_PTY_WORD_HELLO, .version = TN_PTY_WIRE_VERSION}};
	struct shared_path p;
	struct told told;
	int fd;

	(void)state;
	make_path(&p);
	kill_daemon(fork_daemon(p.path, 20000, live_with_household, &told));
	fd = knock(p.path);
	assert_int_equal(kill(kit_parent_of(told.root), SIGKILL), 0);
	kit_check_gone(told.pids);
	(void)poll(NULL, 0, 100); /* for the host to have seen that, too */
	assert_int_equal(tn_pty_pass_send(fd, &packet, 1000, NULL), TENON_OK);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		assert_int_equal(tn_pty_pass_receive(fd, &packet, KIT_WAIT_MS, NULL), TENON_OK);
		assert_int_equal(packet.message.word, words[i]);
		tn_pty_packet_close(&packet);
	}
	(void)close(fd);
	kit_until_gone(told.host);
	drop_path(&p);
}

/* One daemon at a time; of another version: everything ends, and a new host comes. */
static void test_second_daemon(void **state)
{
	static const struct tn_pty_events none;
	struct tn_pty_host_options options = {.events = &none, .grace_ms = 20000};
	struct tn_pty_packet hello = {.message = {.word = TN_PTY_WORD_HELLO, .version = 999}};
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
	for (int i = 0; i < KIT_MEMBERS; i++)
		assert_true(kit_is_alive(told.pids[i]));
	kill_daemon(daemon);
	fd = knock(p.path);
	assert_int_equal(tn_pty_pass_send(fd, &hello, 1000, NULL), TENON_OK);
	(void)poll(NULL, 0, 100);
	kit_open(&kit, p.path, 20000); /* waits for the end of the one that is ending */
	assert_int_equal(kit.found_count, 0);
	for (int i = 0; i < KIT_MEMBERS; i++)
		assert_false(kit_is_alive(told.pids[i]));
	kit_until_ended(kit_script(&kit, "echo new"));
	assert_int_not_equal(kit.host_pid, told.host);
	kit_close(&kit, false);
	(void)close(fd);
	drop_path(&p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nobody_comes),
		cmocka_unit_test(test_next_daemon),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_lost_meanwhile),
		cmocka_unit_test(test_lost_before_hello),
		cmocka_unit_test(test_second_daemon),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	if (argc > 2 && strcmp(argv[1], "--flood") == 0)
		return kit_print_flood((size_t)strtoul(argv[2], NULL, 10));
	/* What a killed daemon leaves comes to us, and not to a process that never waits for it. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
