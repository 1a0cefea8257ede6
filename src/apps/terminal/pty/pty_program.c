#include "apps/terminal/pty/pty_program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "hold/hold.h"
#include "base/mem.h"

enum { STREAMS = 3, PATH_BYTES = 64 };

static _Noreturn void give_up(int report, int step, int number)
{
	struct tn_pty_start_failure failure = {number ? number : EIO, step};

	/* A pipe takes so few bytes whole, or nobody reads them any more. */
	if (write(report, &failure, sizeof(failure)) < 0)
		_exit(126);
	_exit(127);
}

static void restore_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* refused for two of them, rightly */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static int open_slave(int master)
{
	char path[PATH_BYTES];
	int fd = -1;

#ifdef TIOCGPTPEER
	/* Works also where /dev/pts is another one, or none. */
	fd = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
#endif
	if (fd < 0 && ptsname_r(master, path, sizeof(path)) == 0)
		fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	return fd;
}

/* The terminal becomes the controlling one of our new session. */
static int take_terminal(int master)
{
	struct termios mode;
	int fd = open_slave(master);

	if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) != 0)
		return -1;
	if (tcgetattr(fd, &mode) == 0) {
		mode.c_iflag |= IUTF8;               /* one Backspace takes one character */
		(void)tcsetattr(fd, TCSANOW, &mode); /* or it takes a byte, no more */
	}
	return fd;
}

/* Which descriptor becomes standard input, output, error; -1: none could be had. */
static void choose_streams(const struct tn_pty_program *program, int fds[STREAMS])
{
	int terminal = program->master >= 0 ? take_terminal(program->master) : -1;

	if (program->stdin_fd >= 0)
		fds[0] = program->stdin_fd;
	else
		fds[0] = program->master >= 0 ? terminal : open("/dev/null", O_RDONLY | O_CLOEXEC);
	fds[1] = program->master >= 0 ? terminal : program->pipes[TN_PTY_OUT];
	fds[2] = program->master >= 0 ? terminal : program->pipes[TN_PTY_ERR];
}

static void place_streams(const struct tn_pty_program *program, int report)
{
	int fds[STREAMS];

	choose_streams(program, fds);
	/* Out of the way first: one stream's end may sit on another's number. */
	for (int i = 0; i < STREAMS; i++) {
		fds[i] = fds[i] < 0 ? -1 : fcntl(fds[i], F_DUPFD_CLOEXEC, STREAMS);
		if (fds[i] < 0)
			give_up(report, TN_PTY_STEP_PROCESS, errno);
	}
	for (int i = 0; i < STREAMS; i++) {
		if (dup2(fds[i], i) < 0)
			give_up(report, TN_PTY_STEP_PROCESS, errno);
	}
}

static void limit(__rlimit_resource_t which, uint64_t most)
{
	struct rlimit now, wanted = {most, most};

	if (most == 0)
		return;
	if (getrlimit(which, &now) == 0 && wanted.rlim_max > now.rlim_max)
		wanted.rlim_max = wanted.rlim_cur = now.rlim_max; /* it is lower than asked for */
	(void)setrlimit(which, &wanted);                          /* lowering is always allowed */
}

static void set_limits(const struct tn_pty_program *program)
{
	const struct tn_pty_request *request = program->request;
	const struct rlimit none = {0, 0};

	(void)setrlimit(RLIMIT_CORE, &none); /* a core file would hold what was typed */
	(void)setrlimit(RLIMIT_NOFILE, &program->files);
	limit(RLIMIT_NOFILE, request->files);
	limit(RLIMIT_FSIZE, request->file_bytes);
	limit(RLIMIT_AS, request->memory_bytes);
	limit(RLIMIT_CPU, request->cpu_s);
	limit(RLIMIT_NPROC, request->processes);
}

struct texts {
	const char *directory;
	char **argv, **env;
};

/* False: no memory. */
static bool lay_out(const struct tn_pty_request *request, struct texts *ret)
{
	const char *at = (const char *)(request + 1);

	ret->argv = tn_mem_alloc_array((size_t)request->argc + 1, sizeof(*ret->argv));
	ret->env = tn_mem_alloc_array((size_t)request->envc + 1, sizeof(*ret->env));
	if (!ret->argv || !ret->env)
		return false;
	ret->directory = at;
	at += strlen(at) + 1;
	for (uint32_t i = 0; i < request->argc; i++, at += strlen(at) + 1)
		ret->argv[i] = (char *)(uintptr_t)at;
	for (uint32_t i = 0; i < request->envc; i++, at += strlen(at) + 1)
		ret->env[i] = (char *)(uintptr_t)at;
	return true;
}

/* The way back is moved when it sits there. */
static void place_held(int held, int *report)
{
	if (*report == TN_HOLD_FD)
		*report = fcntl(*report, F_DUPFD_CLOEXEC, TN_HOLD_FD + 1);
	if (held == TN_HOLD_FD ? fcntl(held, F_SETFD, 0) != 0 : dup2(held, TN_HOLD_FD) < 0)
		give_up(*report, TN_PTY_STEP_PROCESS, errno);
}

static _Noreturn void become(const struct tn_pty_program *program, const struct texts *texts,
			     pid_t keeper, int report)
{
	/* With the keeper the program goes at once; what it has started the host looks for. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper || setsid() < 0)
		give_up(report, TN_PTY_STEP_PROCESS, errno);
	place_streams(program, report);
	restore_signals();
	(void)umask((mode_t)program->request->umask);
	if (program->directory >= 0 ? fchdir(program->directory) != 0
				    : chdir(texts->directory) != 0)
		give_up(report, TN_PTY_STEP_DIRECTORY, errno);
	if (program->held >= 0)
		place_held(program->held, &report);
	set_limits(program); /* last: they bind us as well */
	environ = texts->env;
	(void)execvp(texts->argv[0], texts->argv);
	give_up(report, TN_PTY_STEP_EXEC, errno);
}

pid_t tn_pty_program_start(const struct tn_pty_program *program, struct tn_pty_start_failure *ret)
{
	struct texts texts = {0};
	pid_t keeper = getpid(), pid = -1;
	int report[2] = {-1, -1};
	ssize_t got = -1;

	*ret = (struct tn_pty_start_failure){ENOMEM, TN_PTY_STEP_PROCESS};
	if (!lay_out(program->request, &texts))
		goto out;
	if (pipe2(report, O_CLOEXEC) == 0)
		pid = fork();
	if (pid == 0)
		become(program, &texts, keeper, report[1]);
	ret->number = errno;
	if (pid < 0)
		goto out;
	(void)close(report[1]);
	report[1] = -1;
	do
		got = read(report[0], ret, sizeof(*ret));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		*ret = (struct tn_pty_start_failure){0};
	if (got == 0)
		goto out;
	(void)waitpid(pid, NULL, 0); /* it has said why, and ends */
	pid = -1;
out:
	if (report[0] >= 0)
		(void)close(report[0]);
	if (report[1] >= 0)
		(void)close(report[1]);
	tn_mem_free(texts.argv);
	tn_mem_free(texts.env);
	return pid > 0 ? pid : 0;
}
