#include "loop/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "loop/limits.h"
#include "loop/process_tree.h"

enum { EXIT_UNABLE = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127, KILL_AGAIN_MS = 20 };

/* What the kernel sends us when those who started us are gone. */
#define LEFT_ALONE SIGUSR1

enum stage { GUARDING, ASKED, KILLING };

struct guard {
	pid_t program;
	int signals;
	int status; /* of the program, once it has ended */
	enum stage stage;
	uint64_t due_ms; /* of what comes next in the stage */
};

static uint64_t now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

static void restore_signals(void)
{
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- the program ---- */

static _Noreturn void become(pid_t guard, char **words)
{
	/* Whoever kills its guard kills it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != guard)
		_exit(EXIT_UNABLE);
	restore_signals();
	(void)execvp(words[0], words);
	(void)fprintf(stderr, "tenon: %s: %s\n", words[0], strerror(errno));
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* ---- the end ---- */

static void ask_all(struct guard *guard)
{
	struct tn_process_tree tree = {0};

	if (guard->stage != GUARDING)
		return;
	guard->stage = ASKED;
	guard->due_ms = now_ms() + TN_GUARD_GRACE_MS;
	tn_process_tree_list(&tree, getpid());
	for (size_t i = 0; i < tree.count; i++)
		(void)tn_process_tree_signal(&tree, tree.pids[i], SIGTERM); /* gone: as wanted */
	tn_process_tree_finish(&tree);
}

/* Again and again: what is born while we look is seen the next time. */
static void kill_all(struct guard *guard)
{
	struct tn_process_tree tree = {0};

	guard->stage = KILLING;
	guard->due_ms = now_ms() + KILL_AGAIN_MS;
	(void)tn_process_tree_kill(&tree, getpid());
	tn_process_tree_finish(&tree);
}

static _Noreturn void end_as(int status)
{
	if (WIFSIGNALED(status)) {
		const struct rlimit none = {0, 0};

		(void)setrlimit(RLIMIT_CORE, &none); /* it may have made one */
		(void)signal(WTERMSIG(status), SIG_DFL);
		restore_signals();
		(void)raise(WTERMSIG(status));
		_exit(128 + WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

/* ---- waiting ---- */

/* False: nobody is left below us. */
static bool reap(struct guard *guard)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != guard->program)
			continue;
		guard->status = status;
		kill_all(guard);
	}
	return pid == 0 || errno != ECHILD;
}

static void take_signals(struct guard *guard)
{
	struct signalfd_siginfo info;

	while (read(guard->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGQUIT)
			kill_all(guard);
		else if (info.ssi_signo != SIGCHLD)
			ask_all(guard);
	}
}

static void run(struct guard *guard)
{
	while (reap(guard)) {
		struct pollfd polled = {.fd = guard->signals, .events = POLLIN};
		uint64_t now = now_ms();
		int wait = -1;

		if (guard->stage != GUARDING)
			wait = guard->due_ms > now ? (int)(guard->due_ms - now) : 0;
		if (poll(&polled, 1, wait) < 0 && errno != EINTR)
			kill_all(guard);
		take_signals(guard);
		if (guard->stage != GUARDING && now_ms() >= guard->due_ms)
			kill_all(guard);
	}
}

static int listen_to_signals(void)
{
	static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, LEFT_ALONE};
	sigset_t wanted;

	(void)sigemptyset(&wanted);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		(void)sigaddset(&wanted, numbers[i]);
	if (sigprocmask(SIG_BLOCK, &wanted, NULL) != 0)
		return -1;
	return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

int tn_guard_main(int argc, char **argv)
{
	struct guard guard = {.signals = listen_to_signals()};
	pid_t self = getpid();

	if (argc < 2 || guard.signals < 0) {
		(void)fprintf(stderr, "tenon: --guard is for tenond itself\n");
		return EXIT_UNABLE;
	}
	(void)prctl(PR_SET_NAME, "tenon-guard");
	/* Until here our end is told by SIGKILL, and nothing has been started yet (child.c). */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || prctl(PR_SET_PDEATHSIG, LEFT_ALONE) != 0)
		return EXIT_UNABLE;
	guard.program = fork();
	if (guard.program < 0) {
		(void)fprintf(stderr, "tenon: start a process: %s\n", strerror(errno));
		return EXIT_UNABLE;
	}
	if (guard.program == 0)
		become(self, argv + 1);
	run(&guard);
	end_as(guard.status);
}
