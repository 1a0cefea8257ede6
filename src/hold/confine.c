#include "hold/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold/hold.h"
#include "base/pass_fds.h"
#include "base/size.h"

enum {
	EXIT_UNABLE = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	CAPABILITIES = 64,
};

static _Noreturn void fail(const char *what)
{
	(void)fprintf(stderr, "tenon: the sandbox cannot be made: %s: %s\n", what, strerror(errno));
	_exit(EXIT_UNABLE);
}

/* ---- the words ---- */

static void add(struct tn_confine_paths *paths, const char *path)
{
	if (paths->count == TN_CONFINE_PATHS_MAX) {
		errno = E2BIG;
		fail("too many paths");
	}
	paths->list[paths->count++] = path;
}

/* Those without a value. */
static bool read_switch(const char *word, struct tn_confine *confine)
{
	if (strcmp(word, "--no-network") == 0)
		confine->network = false;
	else if (strcmp(word, "--held") == 0)
		confine->holds = true;
	else if (strcmp(word, "--only-held") == 0)
		confine->holds = confine->only_holds = true;
	else
		return false;
	return true;
}

/* The program's words; NULL: there are none. */
static char **read_words(int argc, char **argv, struct tn_confine *confine, int *ret_abi,
			 int *ret_held)
{
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (read_switch(argv[i], confine))
			continue;
		if (strcmp(argv[i], "--cache") == 0)
			confine->cache = value;
		if (strcmp(argv[i], "--write") == 0 || confine->cache == value)
			add(&confine->write, value);
		else if (strcmp(argv[i], "--hide") == 0)
			add(&confine->hide, value);
		else if (strcmp(argv[i], "--read") == 0)
			add(&confine->read, value);
		else if (strcmp(argv[i], "--abi") == 0)
			*ret_abi = (int)strtol(value, NULL, 10);
		else if (strcmp(argv[i], "--at") == 0)
			*ret_held = (int)strtol(value, NULL, 10);
		else
			return NULL;
		i++;
	}
	return i + 1 < argc ? argv + i + 1 : NULL;
}

/* ---- what is its own ---- */

/* A tool that has no cache yet, where it would look for it, cannot make one there. */
static void move_caches(const char *cache)
{
	static const struct {
		const char *usual, *variable, *name;
	} tools[] = {
		{".npm", "npm_config_cache", "npm"},
		{".cargo", "CARGO_HOME", "cargo"},
		{"go", "GOPATH", "go"},
		{".gradle", "GRADLE_USER_HOME", "gradle"},
	};

	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		char path[PATH_MAX];
		size_t home = (size_t)(strrchr(cache, '/') - cache);

		(void)snprintf(path, sizeof(path), "%.*s/%s", (int)home, cache, tools[i].usual);
		if (access(path, F_OK) == 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", cache, tools[i].name);
		(void)setenv(tools[i].variable, path, 0); /* refused: as without */
	}
}

static void set_environment(const char *temp)
{
	static const char *const temps[] = {"TMPDIR", "TMP", "TEMP", "TMUX_TMPDIR"};
	/* They name what cannot be reached. */
	static const char *const gone[] = {"SSH_AUTH_SOCK", "SSH_AGENT_PID", "XDG_RUNTIME_DIR",
					   "DBUS_SESSION_BUS_ADDRESS", "TMUX"};

	for (size_t i = 0; i < TN_COUNT(temps); i++) {
		if (setenv(temps[i], temp, 1) != 0)
			fail("its environment");
	}
	for (size_t i = 0; i < TN_COUNT(gone); i++)
		(void)unsetenv(gone[i]);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[2] = {{0}};

	for (unsigned long i = 0; i < CAPABILITIES; i++)
		(void)prctl(PR_CAPBSET_DROP, i); /* of who has none it is refused, and not needed */
	if (syscall(SYS_capset, &head, none) != 0)
		fail("giving up capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		fail("giving up new privileges");
}

/* ---- the program ---- */

static void restore_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* refused for two of them, rightly */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become(const struct tn_confine *confine, int ruleset, const int line[2],
			     char **words)
{
	char go;
	int listener;

	(void)close(line[0]);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		fail("binding it to its watcher");
	if (ruleset >= 0 && !tn_confine_restrict(ruleset))
		fail("Landlock");
	listener = tn_confine_filter(confine);
	if (listener < 0)
		fail("the system call filter");
	if (!tn_pass_fds_send(line[1], &listener, 1) || read(line[1], &go, 1) != 1)
		_exit(EXIT_UNABLE);
	(void)close(listener);
	(void)close(line[1]);
	restore_signals();
	(void)execvp(words[0], words);
	(void)fprintf(stderr, "tenon: %s: %s\n", words[0], strerror(errno));
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* ---- the watcher ---- */

/* -1: it has said why there is none. */
static int take_listener(const int line[2])
{
	int fd;

	(void)close(line[1]);
	if (tn_pass_fds_receive(line[0], &fd, 1) != 1)
		return -1;
	if (write(line[0], "", 1) != 1)
		fail("starting it");
	(void)close(line[0]);
	return fd;
}

/* True: the program has ended. Helpers and what it has left behind are reaped on the way. */
static bool reap(pid_t program, struct tn_confine_watch *watch, int *ret_status)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
		if (watch->hold)
			tn_hold_waited(watch->hold, pid, status);
		if (WIFSTOPPED(status))
			continue;
		tn_confine_watch_reaped(watch, pid);
		if (pid == program) {
			*ret_status = status;
			ended = true;
		}
	}
	return ended;
}

static int watch_until_end(pid_t program, struct tn_confine_watch *watch, int signals)
{
	int status = 0;

	for (;;) {
		struct pollfd polled[] = {{.fd = watch->listener, .events = POLLIN},
					  {.fd = signals, .events = POLLIN}};
		struct signalfd_siginfo info;

		if (poll(polled, 2, -1) < 0 && errno != EINTR)
			return status;
		if (polled[0].revents & POLLIN)
			tn_confine_watch_answer(watch);
		else if (polled[0].revents)
			watch->listener = -1; /* nobody is confined by it any more */
		if (polled[1].revents && read(signals, &info, sizeof(info)) > 0 &&
		    reap(program, watch, &status))
			return status;
	}
}

/* As the program: by its code, or by the same signal. */
static _Noreturn void end_as(int status)
{
	if (WIFSIGNALED(status)) {
		const struct rlimit none = {0, 0};

		(void)setrlimit(RLIMIT_CORE, &none); /* it may have made one */
		restore_signals();
		(void)raise(WTERMSIG(status));
		_exit(128 + WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

static int block_signals(void)
{
	sigset_t all, wanted;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)sigemptyset(&wanted);
	(void)sigaddset(&wanted, SIGCHLD);
	return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

static _Noreturn void run(const struct tn_confine *confine, struct tn_hold *hold, int ruleset,
			  char **words)
{
	struct tn_confine_watch watch = {.confine = confine, .hold = hold};
	int line[2], signals = block_signals(), status;
	pid_t program;

	if (signals < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) != 0)
		fail("its watcher");
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	program = fork();
	if (program < 0)
		fail("its process");
	if (program == 0)
		become(confine, ruleset, line, words);
	if (ruleset >= 0)
		(void)close(ruleset);
	watch.listener = take_listener(line);
	status = watch_until_end(program, &watch, signals);
	/* Confined as we are nothing else can be removed, whatever is put in its place meanwhile.
	 */
	if (confine->temp)
		tn_confine_temp_remove(confine->temp);
	end_as(status);
}

/* Everything but the filter; *ret: what the program is bound by. */
static void confine_all(struct tn_confine *confine, char temp[], int abi, int *ret)
{
	int watcher, lock; /* which stays open as long as we live */

	confine->abi = tn_confine_abi(abi);
	if (confine->abi < 1) {
		errno = ENOSYS;
		fail("Landlock");
	}
	if (!tn_confine_temp_make(temp, &lock))
		fail("its temporary folder");
	confine->temp = temp;
	add(&confine->write, temp);
	add(&confine->write, "/dev/shm");
	set_environment(temp);
	if (confine->cache)
		move_caches(confine->cache);
	if (!tn_confine_rules(confine, &watcher, ret))
		fail("Landlock's rules");
	drop_capabilities();
	if (!tn_confine_restrict(watcher))
		fail("Landlock");
	(void)close(watcher);
}

int tn_confine_main(int argc, char **argv)
{
	struct tn_confine confine = {.network = true};
	char temp[TN_CONFINE_TEMP_SIZE];
	struct tn_hold *hold = NULL;
	int abi = -1, program = -1, held = TN_HOLD_FD;
	char **words = read_words(argc, argv, &confine, &abi, &held);

	(void)prctl(PR_SET_NAME, "tenon-confine");
	if (!words) {
		(void)fprintf(stderr, "tenon: --confine is for tenond itself\n");
		return EXIT_UNABLE;
	}
	if (confine.holds)
		hold = tn_hold_unpack(held);
	if (confine.holds && !hold)
		fail("what is held");
	if (!confine.only_holds)
		confine_all(&confine, temp, abi, &program);
	run(&confine, hold, program, words);
}
