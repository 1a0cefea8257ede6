/* What is known of a terminal's programs without reading what they print: who is in front, who
 * waits for input (terminal.md section 3), where they are; and signals to them (7.10). */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty/pty_kit.h"
#include "base/size.h"

enum { LOOKS = 400, SAME_LOOKS = 5, LOOK_MS = 10 };

static struct kit_session *start(struct kit *kit, const char *const *argv)
{
	struct tn_pty_spawn spawn = {.argv = argv, .stdin_fd = -1};

	return kit_spawn(kit, &spawn);
}

/* Until it says so five times in a row: programs come to rest some time after they have started. */
static void expect_waiting(struct kit_session *s, enum tn_pty_waiting wanted)
{
	int same = 0;
	enum tn_pty_waiting last = TN_PTY_NOT_WAITING;

	for (int i = 0; i < LOOKS && same < SAME_LOOKS; i++) {
		kit_wait_ms(s->kit, LOOK_MS);
		last = tn_pty_waiting(s->pty);
		same = last == wanted ? same + 1 : 0;
	}
	if (same < SAME_LOOKS) {
		tn_buf_append_byte(&s->out[0], '\0');
		print_error("waiting is %d, not %d; output: %s\n", last, wanted, s->out[0].data);
	}
	assert_int_equal(same, SAME_LOOKS);
}

static bool is_there(const char *program)
{
	char path[128];
	static const char *const folders[] = {"/usr/bin", "/bin", "/usr/local/bin"};

	for (size_t i = 0; i < TN_COUNT(folders); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folders[i], program);
		if (access(path, X_OK) == 0)
			return true;
	}
	return false;
}

struct program {
	const char *name;
	const char *argv[8];
	enum tn_pty_waiting waiting;
};

/* terminal.md section 3: certain, likely, hidden; 5.3: never by how the text looks. */
static const struct program programs[] = {
	{"cat", {"cat"}, TN_PTY_WAITS},
	{"sleep", {"sleep", "1000"}, TN_PTY_NOT_WAITING},
	{"sh", {"sh", "-c", "printf 'Password: '; sleep 1000"}, TN_PTY_NOT_WAITING},
	{"sh", {"sh", "-c", "printf '$ '; while :; do :; done"}, TN_PTY_NOT_WAITING},
	{"sh", {"sh", "-c", "cat | sort | tr a b"}, TN_PTY_WAITS},
	{"sh", {"sh", "-c", "sleep 1000 | cat"}, TN_PTY_NOT_WAITING}, /* reads a pipe */
	{"sh", {"sh", "-c", "cat </dev/tty"}, TN_PTY_WAITS},
	{"sh", {"sh", "-i"}, TN_PTY_WAITS},
	{"bash", {"bash", "--norc", "-c", "read -s x"}, TN_PTY_WAITS_HIDDEN},
	{"bash", {"bash", "--norc", "-c", "read x"}, TN_PTY_WAITS},
	{"bash", {"bash", "--norc", "-i"}, TN_PTY_WAITS_LIKELY},
	{"python3", {"python3", "-c", "input()"}, TN_PTY_WAITS},
	{"python3", {"python3", "-c", "import getpass; getpass.getpass()"}, TN_PTY_WAITS_HIDDEN},
	{"python3",
	 {"python3", "-c", "import time; print('>>> ', flush=True); time.sleep(1000)"},
	 TN_PTY_NOT_WAITING},
	{"vim", {"vim", "-u", "NONE", "-N"}, TN_PTY_WAITS_LIKELY},
	{"top", {"top"}, TN_PTY_WAITS_LIKELY},
};

static void test_waiting(void **state)
{
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(programs); i++) {
		struct kit_session *s;

		if (!is_there(programs[i].name))
			continue;
		s = start(&kit, programs[i].argv);
		s->counts = i == TN_COUNT(programs) - 1;
		if (programs[i].waiting == TN_PTY_NOT_WAITING)
			kit_wait_ms(&kit, 150); /* it has started by then */
		expect_waiting(s, programs[i].waiting);
		assert_int_not_equal(tn_pty_foreground(s->pty), 0);
		tn_pty_close(s->pty);
		s->pty = NULL;
	}
	kit_close(&kit, false);
}

/* Line editors and pagers differ in how they read; each of them waits, in one way or the other. */
static void test_waits_somehow(void **state)
{
	static const struct program others[] = {
		{"python3", {"python3", "-i"}, 0},          {"zsh", {"zsh", "-f", "-i"}, 0},
		{"less", {"less", "/etc/services"}, 0},     {"node", {"node", "-i"}, 0},
		{"fish", {"fish", "--no-config", "-i"}, 0},
	};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		enum tn_pty_waiting waiting = TN_PTY_NOT_WAITING;
		struct kit_session *s;

		if (!is_there(others[i].name))
			continue;
		s = start(&kit, others[i].argv);
		for (int j = 0; j < LOOKS * 2 && waiting == TN_PTY_NOT_WAITING; j++) {
			kit_wait_ms(&kit, LOOK_MS);
			waiting = tn_pty_waiting(s->pty);
		}
		if (waiting != TN_PTY_WAITS && waiting != TN_PTY_WAITS_LIKELY)
			print_error("%s: %d\n", others[i].name, waiting);
		assert_true(waiting == TN_PTY_WAITS || waiting == TN_PTY_WAITS_LIKELY);
	}
	kit_close(&kit, false);
}

/* Without a terminal there is nobody to wait for. */
static void test_pipes_wait_never(void **state)
{
	const char *argv[] = {"sleep", "1000", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .pipes = true, .stdin_fd = -1};
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_spawn(&kit, &spawn);
	expect_waiting(s, TN_PTY_NOT_WAITING);
	assert_int_equal(tn_pty_foreground(s->pty), 0);
	kit_close(&kit, false);
}

static void test_mode(void **state)
{
	struct tn_pty_mode mode;
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(
		&kit,
		"echo up; read x; stty -echo; echo hidden; read x; stty raw; echo raw; sleep 1000");
	kit_until_text(s, "up");
	assert_true(tn_pty_mode(s->pty, &mode));
	assert_true(mode.canonical && mode.echo);
	assert_int_equal(mode.kill_character, 'U' & 0x1f);
	kit_type(s, "\n");
	kit_until_text(s, "hidden");
	assert_true(tn_pty_mode(s->pty, &mode));
	assert_true(mode.canonical && !mode.echo);
	kit_type(s, "\n");
	kit_until_text(s, "raw");
	assert_true(tn_pty_mode(s->pty, &mode));
	assert_false(mode.canonical);
	kit_close(&kit, false);
}

/* terminal.md 7.3 "cwd", 7.9: where the root program is, and who is in front. */
static void test_names(void **state)
{
	const char *argv[] = {"bash", "--norc", "-i", NULL};
	char text[4096];
	struct kit kit;
	struct kit_session *s;

	(void)state;
	if (!is_there("bash"))
		skip();
	kit_open(&kit, NULL, 0);
	s = start(&kit, argv);
	expect_waiting(s, TN_PTY_WAITS_LIKELY);
	assert_int_equal(tn_pty_directory(s->pty, text, sizeof(text), NULL), TENON_OK);
	assert_string_equal(text, "/");
	assert_int_equal(tn_pty_foreground(s->pty), tn_pty_pid(s->pty));
	tn_pty_foreground_name(s->pty, text, sizeof(text));
	assert_string_equal(text, "bash");
	kit_type(s, "cd /usr/bin; cat\n");
	expect_waiting(s, TN_PTY_WAITS);
	assert_int_not_equal(tn_pty_foreground(s->pty), tn_pty_pid(s->pty));
	tn_pty_foreground_name(s->pty, text, sizeof(text));
	assert_string_equal(text, "cat");
	assert_int_equal(tn_pty_directory(s->pty, text, sizeof(text), NULL), TENON_OK);
	assert_string_equal(text, "/usr/bin");
	assert_int_equal(tn_pty_directory(s->pty, text, 4, NULL), TENON_NOT_FOUND);
	kit_type(s, "\x04");
	expect_waiting(s, TN_PTY_WAITS_LIKELY);
	kit_type(s, "exit 3\n");
	kit_until_exited(s);
	assert_int_equal(s->status, 3 << 8);
	assert_int_equal(tn_pty_directory(s->pty, text, sizeof(text), NULL), TENON_NOT_FOUND);
	assert_int_equal(tn_pty_waiting(s->pty), TN_PTY_NOT_WAITING);
	kit_close(&kit, false);
}

/* terminal.md 7.10: the group in front, never the root program; success with an empty list. */
/* Numbers begin again when they are used up: the latest has not always the highest. */
static void test_numbers_begin_again(void **state)
{
	const char *const argv[] = {
		"sh", "-c",
		"sleep 60 & sleep 0.1; echo 400 >/proc/sys/kernel/ns_last_pid; cat; true", NULL};
	char name[64] = "";
	struct kit_session *s;
	struct kit kit;

	(void)state;
	if (access("/proc/sys/kernel/ns_last_pid", W_OK) != 0 || getpid() < 2000)
		skip();
	kit_open(&kit, NULL, 0);
	s = start(&kit, argv);
	for (int i = 0; i < LOOKS && strcmp(name, "cat") != 0; i++) {
		kit_wait_ms(&kit, LOOK_MS);
		tn_pty_working_name(s->pty, name, sizeof(name));
	}
	assert_string_equal(name, "cat");
	kit_close(&kit, false);
}

static void test_signals(void **state)
{
	const char *argv[] = {"bash", "--norc", "-i", NULL};
	struct kit kit;
	struct kit_session *s;
	pid_t pids[16], front;

	(void)state;
	if (!is_there("bash"))
		skip();
	kit_open(&kit, NULL, 0);
	s = start(&kit, argv);
	expect_waiting(s, TN_PTY_WAITS_LIKELY);
	assert_int_equal(tn_pty_signal(s->pty, SIGKILL, TN_PTY_FOREGROUND, pids, 16), 0);
	kit_type(s, "sleep 1000 & echo j''ob=$!.; cat; echo \"was $?\"\n");
	expect_waiting(s, TN_PTY_WAITS);
	front = tn_pty_foreground(s->pty);
	assert_int_equal(tn_pty_signal(s->pty, SIGINT, TN_PTY_FOREGROUND, pids, 16), 1);
	assert_int_equal(pids[0], front);
	expect_waiting(s, TN_PTY_WAITS_LIKELY); /* an interrupted list is dropped */
	assert_false(kit_has(s, "\nwas "));
	assert_true(kit_is_alive(kit_number(s, "job=")));
	assert_int_equal(tn_pty_signal(s->pty, SIGWINCH, TN_PTY_SESSION, pids, 16), 2);
	/* A shell that is told to end while it handles another signal may read on until a key
	 * comes. */
	expect_waiting(s, TN_PTY_WAITS_LIKELY);
	assert_int_equal(tn_pty_signal(s->pty, SIGHUP, TN_PTY_ROOT, pids, 16), 1);
	assert_int_equal(pids[0], tn_pty_pid(s->pty));
	kit_until_exited(s);
	kit_until_gone(kit_number(s, "job="));
	assert_int_equal(tn_pty_signal(s->pty, SIGTERM, TN_PTY_SESSION, pids, 16), 0);
	kit_close(&kit, false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_waits_somehow),
		cmocka_unit_test(test_pipes_wait_never),
		cmocka_unit_test(test_mode),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_numbers_begin_again),
		cmocka_unit_test(test_signals),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
