/* Programs on PTYs as the daemon has them: ends, bytes, pipes, limits. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/pty/pty_kit.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/size.h"

enum { SHORT_LIVES = 500, FLOOD_BYTES = 4 * 1024 * 1024 };

static const char *text_of(struct kit_session *s, int stream)
{
	tn_buf_append_byte(&s->out[stream], '\0');
	s->out[stream].size--;
	return s->out[stream].data;
}

/* ---- how it begins and ends ---- */

static void test_ends(void **state)
{
	static const struct {
		const char *script;
		int status;
	} cases[] = {{"exit 0", 0},
		     {"exit 3", 3 << 8},
		     {"kill -9 $$", SIGKILL},
		     {"kill -15 $$", SIGTERM}};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct kit_session *s = kit_script(&kit, cases[i].script);
		bool directory;

		kit_until_ended(s);
		assert_int_equal(s->status, cases[i].status);
		assert_null(tn_pty_failure(s->pty, &directory));
	}
	kit_close(&kit, false);
}

/* What a program finds: a terminal of its own, its environment and nothing else, no core files. */
static void test_surroundings(void **state)
{
	struct kit kit;
	struct kit_session *s;
	const char *text;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit,
		       "tty; stty size; echo \"$PATH\"; pwd; umask; ulimit -c; ls /proc/$$/fd;"
		       "echo end $(ps -o sid= -p $$) $$ $(ps -o tty= -p $$)");
	kit_until_ended(s);
	text = text_of(s, TN_PTY_OUT);
	assert_non_null(strstr(text, "/dev/pts/"));
	assert_non_null(
		strstr(text, "24 80\r\n/usr/local/bin:/usr/bin:/bin\r\n/\r\n0022\r\n0\r\n"));
	assert_non_null(strstr(text, "\r\n0\r\n0\r\n"
				     "1\r\n"
				     "2\r\nend ")
				?: strstr(text, "0  1  2\r\nend "));
	assert_int_equal(kit_number(s, "end "), tn_pty_pid(s->pty)); /* it leads its session */
	kit_close(&kit, false);
}

/* terminal.md 13: spawn_failed, cwd_not_found, cwd_not_directory */
static void test_never_begins(void **state)
{
	static const struct {
		const char *program, *cwd, *why;
		bool directory;
	} cases[] = {
		{"no-such-program-here", "/", "there is no such program", false},
		{"/etc/passwd", "/", "the program is not executable", false},
		{"/bin/true", "/no/such/folder", "the directory does not exist", true},
		{"/bin/true", "/etc/passwd", "this is no directory", true},
	};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const char *argv[] = {cases[i].program, NULL};
		struct tn_pty_spawn spawn = {.argv = argv, .cwd = cases[i].cwd, .stdin_fd = -1};
		struct kit_session *s = kit_spawn(&kit, &spawn);
		bool directory;

		kit_until_ended(s);
		assert_string_equal(tn_pty_failure(s->pty, &directory), cases[i].why);
		assert_int_equal(directory, cases[i].directory);
		assert_int_equal(tn_pty_pid(s->pty), 0);
		assert_int_equal(tn_pty_write(s->pty, TN_STR("x"), NULL), TENON_EXPIRED);
		tn_pty_end(s->pty, false, 1000);
		kit_until_closed(s);
		assert_int_equal(s->killed_count, 0);
	}
	kit_close(&kit, false);
}

static void test_refused(void **state)
{
	const char *argv[] = {"/bin/true", NULL}, *none[] = {NULL};
	const struct tn_pty_spawn cases[] = {
		{.key = "", .argv = argv, .cwd = "/", .stdin_fd = -1},
		{.key = "k", .argv = none, .cwd = "/", .stdin_fd = -1},
		{.key = "k", .argv = argv, .cwd = "relative", .stdin_fd = -1},
		{.key = "k", .argv = argv, .cwd = "/", .stdin_fd = -1, .columns = 501},
		{.key = "k", .argv = argv, .cwd = "/", .stdin_fd = -1, .rows = 201},
		{.key = "a name that is longer than any name may be, it is",
		 .argv = argv,
		 .cwd = "/",
		 .stdin_fd = -1},
	};
	struct kit kit;
	struct tn_pty *pty;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_pty_spawn(kit.host, &cases[i], &pty, NULL), TENON_INVALID);
	assert_int_equal(kit.host_pid, 0); /* nothing was started for them */
	kit_close(&kit, false);
}

/* ---- bytes ---- */

/* terminal.md 7.1 "fast failures lose nothing": the last bytes of a program that lives a moment. */
static void test_short_lives(void **state)
{
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (int i = 0; i < SHORT_LIVES; i++) {
		char script[128], expected[64];
		struct kit_session *s;

		(void)snprintf(script, sizeof(script),
			       "echo out %d; echo last words %d >&2; exit %d", i, i, i % 100);
		(void)snprintf(expected, sizeof(expected), "out %d\r\nlast words %d\r\n", i, i);
		s = kit_script(&kit, script);
		if (i % 2 == 0) {
			kit_until_ended(s);
		} else {
			kit_until_exited(s);
			assert_int_equal(s->head_at_exit, strlen(expected));
			kit_until_ended(s);
		}
		assert_string_equal(text_of(s, TN_PTY_OUT), expected);
		assert_int_equal(s->status, (i % 100) << 8);
		tn_pty_close(s->pty);
		tn_buf_finish(&s->out[0]);
		kit.count--;
	}
	kit_close(&kit, false);
}

static void check_flood(const struct tn_buf *out, size_t size)
{
	char line[64];

	assert_int_equal(out->size, size);
	for (size_t at = 0; at < size; at += 16) {
		(void)snprintf(line, sizeof(line), "%015zx ", at);
		assert_memory_equal(out->data + at, line, 16);
	}
}

static struct kit_session *flood(struct kit *kit, bool pipes, const char *bytes)
{
	const char *argv[] = {"/proc/self/exe", "--flood", bytes, NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .pipes = pipes, .stdin_fd = -1};

	return kit_spawn(kit, &spawn);
}

/* terminal.md 6.1: the ring wraps, and a slow consumer stops the program instead of losing bytes.
 */
static void test_slow_consumer(void **state)
{
	static const size_t turns[] = {0, 1000, 65536, 4096};
	struct kit kit;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(turns); i++) {
		struct kit_session *s = flood(&kit, i % 2 == 1, "4194304");

		s->turn_max = turns[i];
		kit_until_ended(s);
		check_flood(&s->out[TN_PTY_OUT], FLOOD_BYTES);
		assert_int_equal(tn_pty_head(s->pty, TN_PTY_OUT), FLOOD_BYTES);
	}
	kit_close(&kit, false);
}

static bool is_full(struct kit *kit, void *data)
{
	struct kit_session *s = data;

	(void)kit;
	return tn_pty_head(s->pty, TN_PTY_OUT) - tn_pty_tail(s->pty, TN_PTY_OUT) ==
	       TN_PTY_RING_BYTES;
}

/* terminal.md 6.1: while the consumer is stopped nothing is dropped, and nothing more is read. */
static void test_paused(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = flood(&kit, false, "4194304");
	tn_pty_pause(s->pty, true);
	for (int i = 0; i < 3000 && !is_full(&kit, s); i++)
		kit_wait_ms(&kit, 10);
	assert_true(is_full(&kit, s));
	kit_wait_ms(&kit, 50);
	assert_int_equal(s->turns[TN_PTY_OUT], 0);
	assert_int_equal(tn_pty_head(s->pty, TN_PTY_OUT), TN_PTY_RING_BYTES);
	tn_pty_pause(s->pty, false);
	kit_until_ended(s);
	check_flood(&s->out[TN_PTY_OUT], FLOOD_BYTES);
	kit_close(&kit, false);
}

/* terminal.md 6.1: round-robin; a session that prints one line is not behind those that flood. */
static void test_fair(void **state)
{
	struct kit kit;
	struct kit_session *loud[4], *quiet;
	unsigned most = 0, least = UINT32_MAX;

	(void)state;
	kit_open(&kit, NULL, 0);
	for (size_t i = 0; i < TN_COUNT(loud); i++) {
		loud[i] = kit_script(&kit, "while :; do yes; done");
		loud[i]->counts = true;
		loud[i]->turn_max = 4096;
	}
	kit_wait_ms(&kit, 300);
	for (size_t i = 0; i < TN_COUNT(loud); i++)
		loud[i]->turns[TN_PTY_OUT] = 0;
	quiet = kit_script(&kit, "echo here");
	kit_until_text(quiet, "here");
	kit_wait_ms(&kit, 1000);
	for (size_t i = 0; i < TN_COUNT(loud); i++) {
		most = loud[i]->turns[TN_PTY_OUT] > most ? loud[i]->turns[TN_PTY_OUT] : most;
		least = loud[i]->turns[TN_PTY_OUT] < least ? loud[i]->turns[TN_PTY_OUT] : least;
	}
	assert_true(least > 0 && most < least * 4);
	kit_close(&kit, false);
}

/* What a background job keeps open is no end of the stream, but the program has ended. */
static void test_background(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "trap '' HUP; (sleep 0.4; echo later) & echo first; exit 7");
	kit_until_exited(s);
	assert_int_equal(s->status, 7 << 8);
	assert_false(tn_pty_ended(s->pty, TN_PTY_OUT));
	assert_int_equal(s->head_at_exit, strlen("first\r\n"));
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "first\r\nlater\r\n");
	kit_close(&kit, false);
}

/* Nobody has the terminal open for a while, and then somebody has again. */
static void test_opened_again(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit,
		       "echo one; T=$(tty); exec <&- >&- 2>&-; sleep 0.2; exec >\"$T\"; echo two");
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "one\r\ntwo\r\n");
	kit_close(&kit, false);
}

/* ---- pipes, standard input ---- */

static int make_file(const char *text)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* terminal.md 7.1: `pty` false, `stdin` */
static void test_pipes(void **state)
{
	const char *argv[] = {"/bin/sh", "-c", "cat; echo bad >&2; tty; exit 4", NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .pipes = true};
	struct kit kit;
	struct kit_session *s;
	struct tn_pty_mode mode;

	(void)state;
	kit_open(&kit, NULL, 0);
	spawn.stdin_fd = make_file("given\n");
	s = kit_spawn(&kit, &spawn);
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "given\nnot a tty\n");
	assert_string_equal(text_of(s, TN_PTY_ERR), "bad\n");
	assert_int_equal(s->status, 4 << 8);
	assert_false(tn_pty_mode(s->pty, &mode));
	assert_int_equal(tn_pty_resize(s->pty, 80, 24, NULL), TENON_INVALID);
	assert_int_equal(tn_pty_write(s->pty, TN_STR("x"), NULL), TENON_INVALID);
	(void)close(spawn.stdin_fd);
	spawn.key = NULL;
	spawn.stdin_fd = -1;
	s = kit_spawn(&kit, &spawn);
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "not a tty\n"); /* /dev/null was its input */
	kit_close(&kit, false);
}

static void test_stdin_and_terminal(void **state)
{
	const char *argv[] = {"/bin/sh", "-c", "cat; ls -l /proc/self/fd/1; echo typed >/dev/tty",
			      NULL};
	struct tn_pty_spawn spawn = {.argv = argv};
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	spawn.stdin_fd = make_file("given\n");
	s = kit_spawn(&kit, &spawn);
	kit_until_ended(s);
	assert_true(kit_has(s, "given\r\n"));
	assert_true(kit_has(s, "/dev/pts/"));
	assert_true(kit_has(s, "typed\r\n"));
	(void)close(spawn.stdin_fd);
	kit_close(&kit, false);
}

/* ---- typing ---- */

static void test_typing(void **state)
{
	struct kit kit;
	struct kit_session *s;
	char *much = tn_mem_alloc(TN_PTY_INPUT_MAX + 1);

	(void)state;
	assert_non_null(much);
	memset(much, 'a', TN_PTY_INPUT_MAX + 1);
	kit_open(&kit, NULL, 0);
	s = kit_script(
		&kit,
		"read x; echo \"got $x\"; stty raw -echo; echo ready; head -c 1000000 | wc -c;"
		"sleep 100");
	kit_type(s, "some words\n");
	kit_until_text(s, "got some words");
	kit_until_text(s, "ready");
	assert_int_equal(tn_pty_write(s->pty, tn_str(much, TN_PTY_INPUT_MAX + 1), NULL),
			 TENON_LIMIT);
	assert_int_equal(tn_pty_write(s->pty, tn_str(much, 1000000), NULL), TENON_OK);
	kit_until_text(s, "1000000");
	assert_int_equal(tn_pty_write(s->pty, tn_str(much, TN_PTY_INPUT_MAX), NULL), TENON_OK);
	assert_int_equal(tn_pty_write(s->pty, tn_str(much, TN_PTY_INPUT_MAX), NULL), TENON_LIMIT);
	tn_pty_discard_input(s->pty);
	assert_int_equal(tn_pty_write(s->pty, tn_str(much, TN_PTY_INPUT_MAX), NULL), TENON_OK);
	kit_close(&kit, false);
	tn_mem_free(much);
}

/* terminal.md 5.2: type-ahead is discarded before a command is sent */
static void test_discard(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "echo up; sleep 0.5; echo; read x; echo \"got <$x>\"");
	kit_until_text(s, "up");
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGSTOP), 0); /* it does not read before it may */
	kit_type(s, "unwanted\nhalf a line");
	kit_wait_ms(&kit, 100);
	tn_pty_discard_input(s->pty);
	kit_type(s, "wanted\n");
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGCONT), 0);
	kit_until_ended(s);
	assert_true(kit_has(s, "got <wanted>"));
	kit_close(&kit, false);
}

/* terminal.md 7.11 */
static void test_resize(void **state)
{
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "trap 'stty size; exit' WINCH; echo up; while :; do sleep 0.02; done");
	kit_until_text(s, "up");
	assert_int_equal(tn_pty_resize(s->pty, 501, 24, NULL), TENON_INVALID);
	assert_int_equal(tn_pty_resize(s->pty, 132, 0, NULL), TENON_INVALID);
	assert_int_equal(tn_pty_resize(s->pty, 132, 50, NULL), TENON_OK);
	kit_until_ended(s);
	assert_true(kit_has(s, "50 132"));
	kit_close(&kit, false);
}

/* ---- limits ---- */

/* terminal.md 10 (3): resource limits */
static void test_limits(void **state)
{
	const char *argv[] = {"/bin/sh", "-c", "ulimit -n; ulimit -f; ulimit -v; ulimit -t", NULL};
	struct tn_pty_spawn spawn = {.argv = argv,
				     .stdin_fd = -1,
				     .limits = {.files = 99,
						.file_bytes = 512 * 77,
						.memory_bytes = 1024 * (uint64_t)1048576,
						.cpu_s = 123}};
	struct kit kit;
	struct kit_session *s;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_spawn(&kit, &spawn);
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "99\r\n77\r\n1048576\r\n123\r\n");
	kit_close(&kit, false);
}

/* The host needs many descriptors; what it starts has the limit that we have. */
static void test_inherited_limit(void **state)
{
	struct kit kit;
	struct kit_session *s;
	struct rlimit before, now;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	now = before;
	now.rlim_cur = 512;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "ulimit -n");
	kit_until_ended(s);
	assert_string_equal(text_of(s, TN_PTY_OUT), "512\r\n");
	kit_close(&kit, false);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static unsigned count_files(void)
{
	unsigned count = 0;

	for (int fd = 0; fd < 4096; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* terminal.md 16: exhaustion. Nothing stays open of what could not be made. */
static void test_no_descriptors(void **state)
{
	const char *argv[] = {"/bin/true", NULL}, *env[] = {NULL};
	const struct tn_pty_spawn spawn = {
		.key = "k", .argv = argv, .env = env, .cwd = "/", .stdin_fd = -1};
	struct kit kit;
	struct kit_session *s;
	struct rlimit before, now;
	struct tn_pty *pty = NULL;
	enum tenon_code code = TENON_LIMIT;
	unsigned used;

	(void)state;
	kit_open(&kit, NULL, 0);
	s = kit_script(&kit, "echo up; exec sleep 100");
	kit_until_text(s, "up"); /* the host runs by now */
	used = count_files();
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (unsigned more = 0; code == TENON_LIMIT; more++) {
		now = before;
		now.rlim_cur = used + more;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
		code = tn_pty_spawn(kit.host, &spawn, &pty, NULL);
		assert_true(more < 12);
		if (code == TENON_LIMIT)
			assert_int_equal(count_files(), used);
	}
	assert_int_equal(code, TENON_OK);
	tn_pty_close(pty);
	assert_int_equal(count_files(), used);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_true(kit_is_alive(tn_pty_pid(s->pty)));
	kit_close(&kit, false);
}

static bool put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		(void)close(fd);
	return written;
}

/* Mounts of one's own: as root, or as root of a user namespace. */
static bool may_mount(void)
{
	char user[32], group[32];

	(void)snprintf(user, sizeof(user), "0 %u 1", (unsigned)geteuid());
	(void)snprintf(group, sizeof(group), "0 %u 1", (unsigned)getegid());
	if (geteuid() != 0 &&
	    (unshare(CLONE_NEWUSER) < 0 || !put_file("/proc/self/setgroups", "deny") ||
	     !put_file("/proc/self/uid_map", user) || !put_file("/proc/self/gid_map", group)))
		return false;
	return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* All terminals of a /dev/pts of its own, with room for a few: the machine's are others' as well.
 * From here on this program has no other, so nothing may come after it. Where nobody may mount it
 * is counted as skipped. */
static void test_no_terminals(void **state)
{
	enum { ROOM = 4 };
	const char *argv[] = {"/bin/true", NULL}, *env[] = {NULL};
	const struct tn_pty_spawn spawn = {
		.key = "k", .argv = argv, .env = env, .cwd = "/", .stdin_fd = -1};
	struct tenon_error err;
	struct tn_pty *pty;
	int masters[ROOM];
	struct kit kit;

	(void)state;
	if (!may_mount() || mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
				  "newinstance,ptmxmode=0666,max=4") < 0)
		skip();
	for (int i = 0; i < ROOM; i++) {
		masters[i] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
		assert_true(masters[i] >= 0);
	}
	kit_open(&kit, NULL, 0);
	assert_int_equal(tn_pty_spawn(kit.host, &spawn, &pty, &err), TENON_LIMIT);
	assert_string_equal(err.message, "there are no more terminals");
	for (int i = 0; i < ROOM; i++)
		(void)close(masters[i]);
	assert_int_equal(tn_pty_spawn(kit.host, &spawn, &pty, &err), TENON_OK);
	tn_pty_close(pty);
	kit_close(&kit, false);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_surroundings),
		cmocka_unit_test(test_never_begins),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_short_lives),
		cmocka_unit_test(test_slow_consumer),
		cmocka_unit_test(test_paused),
		cmocka_unit_test(test_fair),
		cmocka_unit_test(test_background),
		cmocka_unit_test(test_opened_again),
		cmocka_unit_test(test_pipes),
		cmocka_unit_test(test_stdin_and_terminal),
		cmocka_unit_test(test_typing),
		cmocka_unit_test(test_discard),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_inherited_limit),
		cmocka_unit_test(test_no_descriptors),
		cmocka_unit_test(test_no_terminals),
	};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	if (argc > 2 && strcmp(argv[1], "--flood") == 0)
		return kit_print_flood((size_t)strtoul(argv[2], NULL, 10));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
