/* The sandbox: what its words are, and that real programs do not get out of it (terminal.md 10).
 *
 * As root the attempts are made as the user nobody. Where nobody may make a user namespace, they
 * are counted as skipped. */
#include "hold/confine.h"
#include "apps/terminal/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/size.h"

enum { SAID_SIZE = 65536, PATIENCE_MS = 60000 };

static struct tenon_error err;
static struct tn_arena arena;
static struct tn_buf report;
static char folder[] = "/tmp/tenon-sandbox-XXXXXX";
static char root[PATH_MAX], outside[PATH_MAX], home[PATH_MAX];
static const char *roots[2], *no_roots[1];
static struct tn_term_config config;
static char home_variable[PATH_MAX + 8];
static char said_text[SAID_SIZE];
static bool works;
/* Of this run alone: others count the processes of "nobody", too, and would be refused theirs. */
static unsigned nobody;

/* ---- programs in it ---- */

static void become_nobody(void)
{
	if (geteuid() == 0 &&
	    (setgroups(0, NULL) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0))
		_exit(99);
}

/* The user's shell could have these; no secret of ours is among them. */
static _Noreturn void run_in(const char *const *argv)
{
	const char *const env[] = {home_variable,
				   "PATH=/usr/bin:/bin",
				   "TERM=dumb",
				   "LANG=C.UTF-8",
				   "PS1=> ",
				   "CANARY_VARIABLE=1",
				   "SSH_AUTH_SOCK=/nowhere",
				   NULL};

	become_nobody();
	(void)execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(98);
}

static const char *const *wrap(const char *const *argv, const char *cwd)
{
	const struct tn_sandbox_wish wish = {.argv = argv, .cwd = cwd};
	const char *const *words = NULL;

	tn_buf_clear(&report);
	assert_int_equal(tn_sandbox_wrap(&config, &wish, &arena, &words, &report, &err), TENON_OK);
	return words;
}

/* Everything it says until its end, which is waited for. */
static void collect(int fd, pid_t pid, char out[SAID_SIZE], int *ret_status)
{
	uint64_t deadline = tn_clock_now_ms(&tn_clock_system) + PATIENCE_MS;
	size_t used = 0;

	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		ssize_t got;

		if (poll(&ready, 1, 100) > 0) {
			got = read(fd, out + used, SAID_SIZE - 1 - used);
			if (got <= 0)
				break;
			used += (size_t)got;
		}
		if (tn_clock_now_ms(&tn_clock_system) > deadline) {
			(void)kill(pid, SIGKILL);
			fail_msg("it does not end: %.*s", (int)used, out);
		}
	}
	out[used] = '\0';
	assert_int_equal(waitpid(pid, ret_status, 0), pid);
}

/* What a script says in the sandbox, without a terminal. */
static const char *in_sandbox(const char *script, uint64_t processes)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	const char *const *words = wrap(argv, root);
	int ends[2], status = 0;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		const struct rlimit limit = {processes, processes};

		(void)dup2(ends[1], STDOUT_FILENO);
		(void)dup2(ends[1], STDERR_FILENO);
		(void)close(ends[0]);
		(void)close(ends[1]);
		if (processes && setrlimit(RLIMIT_NPROC, &limit) != 0)
			_exit(97);
		run_in(words);
	}
	(void)close(ends[1]);
	collect(ends[0], pid, said_text, &status);
	(void)close(ends[0]);
	return said_text;
}

static void need(void)
{
	if (!works)
		skip(); /* set_up_all has said why */
}

static void assert_said(const char *script, const char *wanted)
{
	const char *said = in_sandbox(script, 0);

	if (strcmp(said, wanted) != 0)
		fail_msg("%s\nsaid [%s] instead of [%s]", script, said, wanted);
}

/* ---- the words ---- */

static bool has(const char *const *words, const char *first, const char *second, const char *third)
{
	for (; *words; words++) {
		if (strcmp(words[0], first) == 0 && (!second || strcmp(words[1], second) == 0) &&
		    (!third || strcmp(words[2], third) == 0))
			return true;
	}
	return false;
}

static void the_words_and_the_report(void **state)
{
	static const char *const argv[] = {"/bin/bash", "-i", NULL};
	const char *const *words = wrap(argv, root);
	char wanted[PATH_MAX * 2];

	(void)state;
	assert_true(has(words, "--die-with-parent", NULL, NULL));
	assert_true(has(words, "--unshare-pid", NULL, NULL));
	assert_true(has(words, "--unshare-ipc", NULL, NULL));
	assert_true(has(words, "--unshare-uts", NULL, NULL));
	assert_false(has(words, "--new-session", NULL, NULL)); /* section 3: job control stays */
	assert_false(has(words, "--unshare-net", NULL, NULL));
	assert_true(has(words, "--ro-bind", "/usr", "/usr"));
	assert_true(has(words, "--ro-bind", "/etc", "/etc"));
	assert_true(has(words, "--bind", root, root));
	assert_true(has(words, "--tmpfs", home, NULL));
	assert_true(has(words, "--chdir", root, NULL));
	assert_true(has(words, "/bin/bash", "-i", NULL));
	(void)snprintf(wanted, sizeof(wanted),
		       "reads: /usr, /bin, /sbin, /lib*, /etc (without secrets)\n"
		       "writes: %.200s\n"
		       "own and empty, gone with the session: /tmp, %.200s\n"
		       "processes: its own only\nnetwork: the host's\n",
		       root, home);
	assert_int_equal(report.size, strlen(wanted));
	assert_memory_equal(report.data, wanted, report.size);

	config.sandbox_network = false;
	words = wrap(argv, root);
	assert_true(has(words, "--unshare-net", NULL, NULL));
	assert_non_null(memmem(report.data, report.size, "network: none\n", 14));
	config.sandbox_network = true;
}

/* Without roots it is where it starts; but nobody has chosen home, or what it lies in. */
static void without_roots(void **state)
{
	static const char *const argv[] = {"true", NULL};

	(void)state;
	config.roots = no_roots;
	assert_true(has(wrap(argv, root), "--bind", root, root));
	assert_false(has(wrap(argv, home), "--bind", NULL, NULL));
	assert_false(has(wrap(argv, "/tmp"), "--bind", NULL, NULL)); /* home lies in it */
	assert_false(has(wrap(argv, "/"), "--bind", NULL, NULL));
	assert_non_null(memmem(report.data, report.size, "writes: nothing\n", 16));
	config.roots = roots;
}

/* ---- attempts ---- */

static void it_writes_only_to_the_roots(void **state)
{
	char script[PATH_MAX * 4], path[PATH_MAX + 16];

	(void)state;
	need();
	(void)snprintf(
		script, sizeof(script),
		"for d in /usr /etc /bin/ /var %.200s %.200s /; do "
		"touch $d/escaped 2>/dev/null && echo $d; done; echo in >inside && cat inside",
		outside, folder);
	/* Those of its own /tmp are made of nothing and go with it. */
	assert_non_null(strstr(in_sandbox(script, 0), "in\n"));
	(void)snprintf(path, sizeof(path), "%s/inside", root);
	assert_int_equal(access(path, F_OK), 0);
	(void)snprintf(path, sizeof(path), "%s/escaped", outside);
	assert_int_equal(access(path, F_OK), -1);
	(void)snprintf(path, sizeof(path), "%s/escaped", folder);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access("/usr/escaped", F_OK), -1);
	assert_int_equal(access("/etc/escaped", F_OK), -1);
}

static void it_reads_no_secrets_and_nothing_of_others(void **state)
{
	char script[PATH_MAX * 2];

	(void)state;
	need();
	assert_said("cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key 2>/dev/null; "
		    "ls -A /etc/ssl/private 2>/dev/null; echo end",
		    "end\n");
	(void)snprintf(script, sizeof(script), "ls %.200s %.200s 2>&1 | grep -c canary; ls -A ~",
		       outside, folder);
	assert_said(script, "0\n");
	/* Our own settings, though the root has them in it. */
	assert_said("cat .config/tenon/policy.json 2>/dev/null; ls -A .config/tenon; echo end",
		    "end\n");
	assert_said("echo $CANARY_VARIABLE$SSH_AUTH_SOCK$XDG_RUNTIME_DIR", "1\n");
}

static void it_sees_its_own_processes_only(void **state)
{
	char script[256];

	(void)state;
	need();
	(void)snprintf(script, sizeof(script),
		       "kill -0 %d 2>/dev/null && echo sees; kill -9 -1 2>/dev/null; "
		       "ls /proc | grep -c '^[0-9]'",
		       (int)getpid());
	assert_true(strtol(in_sandbox(script, 0), NULL, 10) <= 6);
	assert_said("ls -A /dev/pts", "ptmx\n"); /* nobody else's terminal */
	assert_said("cat /proc/1/environ 2>/dev/null | tr '\\0' '\\n' | grep -c SECRET", "0\n");
}

static void it_makes_no_mounts_and_namespaces(void **state)
{
	(void)state;
	need();
	assert_said("mount -t tmpfs x /tmp 2>/dev/null && echo mounted; "
		    "unshare -Ur true 2>/dev/null && echo unshared; "
		    "chroot / true 2>/dev/null && echo chrooted; "
		    "mknod /tmp/x b 8 0 2>/dev/null && echo device; "
		    "grep CapEff /proc/self/status",
		    "CapEff:\t0000000000000000\n");
}

static void without_network_there_is_none(void **state)
{
	(void)state;
	need();
	config.sandbox_network = false;
	assert_said("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '", "lo\n");
	config.sandbox_network = true;
}

static unsigned count_with(const char *mark)
{
	char command[256], line[32] = "0";
	FILE *out;
	int ends[2];
	pid_t pid;

	/* Not the grep itself, which has a bracket before it. */
	(void)snprintf(command, sizeof(command), "ps -eo args | grep -c '[^]]%s'", mark);
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		(void)dup2(ends[1], STDOUT_FILENO);
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(1);
	}
	(void)close(ends[1]);
	out = fdopen(ends[0], "r");
	assert_non_null(fgets(line, sizeof(line), out));
	(void)fclose(out);
	(void)waitpid(pid, NULL, 0);
	return (unsigned)strtoul(line, NULL, 10);
}

/* "The hostile programs: a fork bomb in the sandbox with a process limit." It ends with the shell
 * that has started it, and nothing is left. */
static void a_fork_bomb_ends_with_the_session(void **state)
{
	uint64_t deadline = tn_clock_now_ms(&tn_clock_system) + PATIENCE_MS;
	char mark[64], script[256];

	(void)state;
	need();
	/* Of its own: the same test of another build may run beside this one. */
	(void)snprintf(mark, sizeof(mark), "tenon-fork-bomb-%ld-is-over", (long)getpid());
	/* The shell makes one process, before there is any other, and then waits without: the bomb
	 * may have all there are. */
	(void)snprintf(script, sizeof(script),
		       "bomb() { bomb | bomb & }; bomb 2>/dev/null & i=0; "
		       "while [ $i -lt 20000 ]; do i=$((i+1)); done; echo %s",
		       mark);
	assert_non_null(strstr(in_sandbox(script, 150), mark));
	while (count_with(mark) && tn_clock_now_ms(&tn_clock_system) < deadline)
		(void)usleep(100000);
	assert_int_equal(count_with(mark), 0);
}

/* ---- on a terminal ---- */

/* Types each of `keys` when the text before it has appeared. */
static void on_terminal(const char *const *argv, const char *const keys[][2], char out[SAID_SIZE])
{
	const char *const *words = wrap(argv, root);
	uint64_t deadline = tn_clock_now_ms(&tn_clock_system) + PATIENCE_MS;
	size_t used = 0, from = 0;
	int master, status = 0;
	pid_t pid = forkpty(&master, NULL, NULL, NULL);

	if (pid == 0)
		run_in(words);
	assert_true(pid > 0);
	out[0] = '\0';
	while (keys[0][0]) {
		struct pollfd ready = {.fd = master, .events = POLLIN};
		const char *found = strstr(out + from, keys[0][0]);
		ssize_t got;

		if (found) {
			from = used;
			/* A shell says what it brings to the front before it does so. */
			if (keys[0][1][0] < ' ')
				(void)usleep(500000);
			assert_true(write(master, keys[0][1], strlen(keys[0][1])) >= 0);
			keys++;
			continue;
		}
		if (poll(&ready, 1, 100) > 0) {
			got = read(master, out + used, SAID_SIZE - 1 - used);
			if (got <= 0)
				break;
			used += (size_t)got;
			out[used] = '\0';
		}
		if (tn_clock_now_ms(&tn_clock_system) > deadline)
			break;
	}
	(void)kill(pid, SIGKILL); /* dies with its parent: nothing inside is left either */
	(void)waitpid(pid, &status, 0);
	(void)close(master);
	if (keys[0][0])
		fail_msg("[%s] never came: %s", keys[0][0], out);
}

static void job_control_works_in_it(void **state)
{
	static const char *const argv[] = {"bash", "--norc", "--noprofile", "-i", NULL};
	static const char *const keys[][2] = {
		{"> ", "sh -c 'echo wait-$((1))-for; exec sleep 600'\r"},
		{"wait-1-for", "\032"}, /* Ctrl-Z */
		{"Stopped", "fg\r"},
		{"exec sleep 600", "\003"}, /* Ctrl-C */
		{"> ", "echo code $?\r"},
		{"code 130", "exit\r"},
		{NULL, NULL},
	};
	char out[SAID_SIZE];

	(void)state;
	need();
	on_terminal(argv, keys, out);
	assert_null(strstr(out, "no job control"));
}

/* Bubblewrap is in the same foreground group, and must outlive what is meant for the program. */
static void ctrl_c_reaches_the_program_and_spares_the_sandbox(void **state)
{
	static const char *const argv[] = {
		"bash", "-c", "trap 'echo got-it-$((1))' INT; echo rea''dy; read x; echo still-$x",
		NULL};
	static const char *const keys[][2] = {
		{"ready", "\003"},  {"got-it-1", "\003"}, {"got-it-1", "here\r"},
		{"still-here", ""}, {NULL, NULL},
	};
	char out[SAID_SIZE];

	(void)state;
	need();
	on_terminal(argv, keys, out);
}

/* ---- the probe ---- */

struct answer {
	struct tn_loop *loop;
	char why_not[256];
	unsigned count;
};

static void answered(const char *why_not, void *data)
{
	struct answer *answer = data;

	(void)snprintf(answer->why_not, sizeof(answer->why_not), "%s", why_not ? why_not : "");
	answer->count++;
	tn_loop_stop(answer->loop);
}

static void probe(struct answer *answer, enum tn_sandbox_kind kind)
{
	struct tn_sandbox_probe *handle = NULL;

	*answer = (struct answer){.count = 0};
	assert_int_equal(tn_loop_create(&answer->loop, &err), TENON_OK);
	assert_int_equal(tn_sandbox_probe(answer->loop, kind, answered, answer, &handle, &err),
			 TENON_OK);
	assert_int_equal(answer->count, 0);
	tn_loop_run(answer->loop);
	tn_sandbox_probe_free(handle);
	tn_loop_destroy(answer->loop);
	assert_int_equal(answer->count, 1);
}

static void the_probe_says_why_not(void **state)
{
	struct answer answer;

	(void)state;
	if (geteuid() == 0) {
		probe(&answer, TN_SANDBOX_BUBBLEWRAP);
		assert_string_equal(answer.why_not,
				    "the server runs as root, whom bubblewrap would not hold; run "
				    "it as another user");
	}
}

/* What another user is told comes to the same as what the attempts above have seen. */
static void the_probe_is_right(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		struct answer answer;

		become_nobody();
		probe(&answer, TN_SANDBOX_BUBBLEWRAP);
		_exit(answer.why_not[0] ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), works ? 0 : 1);
}

/* Whoever we are: a kernel without it says so, and never a sandbox that does not hold. */
static void landlock_says_whether_it_works(void **state)
{
	struct answer answer;

	(void)state;
	probe(&answer, TN_SANDBOX_LANDLOCK);
	if (tn_confine_abi(-1) < 1)
		assert_non_null(strstr(answer.why_not, "Landlock"));
	else
		assert_string_equal(answer.why_not, "");
	assert_int_equal(setenv(TN_SANDBOX_ABI, "0", 1), 0);
	probe(&answer, TN_SANDBOX_LANDLOCK);
	assert_non_null(strstr(answer.why_not, "Landlock"));
	assert_int_equal(unsetenv(TN_SANDBOX_ABI), 0);
}

static void the_words_for_landlock(void **state)
{
	static const char *const argv[] = {"/bin/bash", "-i", NULL};
	const struct tn_sandbox_wish wish = {.kind = TN_SANDBOX_LANDLOCK,
					     .argv = argv,
					     .cwd = root,
					     .run_folder = "/run/folder"};
	const char *const *words = NULL;
	char hidden[PATH_MAX + 32];

	(void)state;
	tn_buf_clear(&report);
	config.sandbox_network = false;
	assert_int_equal(tn_sandbox_wrap(&config, &wish, &arena, &words, &report, &err), TENON_OK);
	config.sandbox_network = true;
	assert_true(has(words, "--write", root, NULL));
	assert_false(has(words, "--write", home, NULL));
	assert_true(has(words, "--hide", "/nowhere", NULL)); /* the state folder */
	(void)snprintf(hidden, sizeof(hidden), "%s/.ssh", home);
	assert_true(has(words, "--hide", hidden, NULL));
	assert_true(has(words, "--read", "/run/folder", NULL));
	(void)snprintf(hidden, sizeof(hidden), "/tmp/tenon-%lu", (unsigned long)geteuid());
	assert_true(has(words, "--hide", hidden, NULL)); /* of a daemon without a runtime folder */
	assert_true(has(words, "--no-network", NULL, NULL));
	assert_false(has(words, "--abi", NULL, NULL));
	assert_true(has(words, "--", "/bin/bash", "-i"));
	assert_non_null(memmem(report.data, report.size, "network: none\n", 14));
}

/* Given up before it answers: nothing comes, nothing is left. */
static void a_probe_can_be_given_up(void **state)
{
	struct answer answer = {.count = 0};
	struct tn_sandbox_probe *handle = NULL;

	(void)state;
	assert_int_equal(tn_loop_create(&answer.loop, &err), TENON_OK);
	assert_int_equal(tn_sandbox_probe(answer.loop, TN_SANDBOX_BUBBLEWRAP, answered, &answer,
					  &handle, &err),
			 TENON_OK);
	tn_sandbox_probe_free(handle);
	tn_loop_destroy(answer.loop);
	assert_int_equal(answer.count, 0);
}

/* ---- */

static void make(const char *name, char out[PATH_MAX], bool is_folder)
{
	(void)snprintf(out, PATH_MAX, "%s/%s", folder, name);
	if (is_folder) {
		assert_int_equal(mkdir(out, 0755), 0);
	} else {
		int fd = open(out, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

		assert_true(fd >= 0 && write(fd, "canary\n", 7) == 7);
		(void)close(fd);
	}
	if (geteuid() == 0)
		assert_int_equal(chown(out, nobody, nobody), 0);
}

static int set_up_all(void **state)
{
	char path[PATH_MAX + 16];

	(void)state;
	nobody = 60000 + (unsigned)getpid() % 4000;
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&report, TN_MIB);
	if (!mkdtemp(folder) || chmod(folder, 0755) != 0)
		return -1;
	make("root", root, true);
	make("root/.config", path, true);
	make("root/.config/tenon", path, true);
	make("root/.config/tenon/policy.json", path, false);
	make("outside", outside, true);
	make("outside/canary", path, false);
	make("home", home, true);
	make("home/canary", path, false);
	roots[0] = root;
	(void)snprintf(path, sizeof(path), "%s/.config", root);
	(void)snprintf(home_variable, sizeof(home_variable), "HOME=%s", home);
	(void)setenv("HOME", home, 1);
	(void)setenv("XDG_CONFIG_HOME", path, 1);
	config = (struct tn_term_config){
		.roots = roots, .sandbox_network = true, .state_folder = "/nowhere"};
	works = strcmp(in_sandbox("echo works", 0), "works\n") == 0;
	if (!works)
		print_message("the sandbox does not work here: its attempts are skipped: %s\n",
			      in_sandbox("echo works", 0));
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static int tear_down_all(void **state)
{
	(void)state;
	tn_arena_finish(&arena);
	tn_buf_finish(&report);
	return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_and_the_report),
		cmocka_unit_test(without_roots),
		cmocka_unit_test(it_writes_only_to_the_roots),
		cmocka_unit_test(it_reads_no_secrets_and_nothing_of_others),
		cmocka_unit_test(it_sees_its_own_processes_only),
		cmocka_unit_test(it_makes_no_mounts_and_namespaces),
		cmocka_unit_test(without_network_there_is_none),
		cmocka_unit_test(a_fork_bomb_ends_with_the_session),
		cmocka_unit_test(job_control_works_in_it),
		cmocka_unit_test(ctrl_c_reaches_the_program_and_spares_the_sandbox),
		cmocka_unit_test(the_probe_says_why_not),
		cmocka_unit_test(the_probe_is_right),
		cmocka_unit_test(landlock_says_whether_it_works),
		cmocka_unit_test(the_words_for_landlock),
		cmocka_unit_test(a_probe_can_be_given_up),
	};

	/* The sandbox is our own program once more. */
	if (argc > 1 && strcmp(argv[1], "--confine") == 0)
		return tn_confine_main(argc - 1, argv + 1);
	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
