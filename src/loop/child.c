/* fork and exec of our own: libuv's spawn can neither tie the child's life to ours nor leave the
 * process's SIGCHLD alone. The end is noticed through a descriptor of the process (pidfd), which
 * works beside any other user of wait in the same program. */
#include "loop/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "loop/guard.h"
#include "loop/limits.h"

enum { STREAMS = 3, POLL_MS = 20, DRAIN_BYTES = 16 * 1024 };

enum stage { RUNNING, INPUT_CLOSED, TERMINATED, KILLED, EXITED };

struct tn_child {
	struct tn_loop *loop;
	pid_t pid;
	int fds[STREAMS]; /* our ends */
	int pid_fd;       /* -1: this kernel has none, and the timer asks */
	struct tn_io *exit_watch;
	struct tn_timer *poll;
	struct tn_timer *grace;
	uint64_t grace_end_ms; /* by the clock: the loop's own stands still while it works */
	struct tn_io *drains[STREAMS];
	enum stage stage;
	bool guarded;
	void (*exited)(struct tn_child *child, struct tn_child_end end, void *data);
	void *data;
};

/* ---- the end ---- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd); /* whoever wrote has flushed */
	*fd = -1;
}

static void signal_group(const struct tn_child *child, int number)
{
	if (child->pid > 0 && child->stage != EXITED)
		(void)kill(-child->pid, number); /* nobody left: as wanted */
}

/* A guard tells those below it. */
static void signal_them(const struct tn_child *child, int number)
{
	if (!child->guarded)
		signal_group(child, number);
	else if (child->pid > 0 && child->stage != EXITED)
		(void)kill(child->pid, number);
}

static void stop_watching(struct tn_child *child)
{
	tn_io_close(child->exit_watch);
	child->exit_watch = NULL;
	if (child->poll)
		tn_timer_stop(child->poll);
	if (child->grace)
		tn_timer_stop(child->grace);
	for (int i = 0; i < STREAMS; i++) {
		tn_io_close(child->drains[i]);
		child->drains[i] = NULL;
	}
	close_fd(&child->pid_fd);
}

/* Asks whether it has ended, without making it wait-able for others: the group's id must stay taken
 * until the group has been killed. */
static bool has_ended(const struct tn_child *child)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
		return errno == ECHILD; /* somebody else in this program has waited for it */
	return info.si_pid == child->pid;
}

static struct tn_child_end reap(struct tn_child *child, int flags)
{
	struct tn_child_end end = {0};
	int status = 0;
	pid_t got;

	do
		got = waitpid(child->pid, &status, flags);
	while (got < 0 && errno == EINTR);
	if (got == child->pid) {
		end.by_signal = WIFSIGNALED(status);
		end.number = end.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
	}
	return end;
}

static void look(struct tn_child *child)
{
	struct tn_child_end end;

	if (child->stage == EXITED)
		return;
	if (!has_ended(child)) {
		if (child->pid_fd < 0)
			tn_timer_start(child->poll, POLL_MS);
		return;
	}
	signal_group(child, SIGKILL); /* what it left behind */
	end = reap(child, 0);
	child->stage = EXITED;
	stop_watching(child);
	if (child->exited)
		child->exited(child, end, child->data);
}

static void pid_ready(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	look(data);
}

static void poll_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	look(data);
}

static void begin_grace(struct tn_child *child)
{
	child->grace_end_ms = tn_clock_now_ms(&tn_clock_system) + TN_CHILD_GRACE_MS;
	tn_timer_start(child->grace, TN_CHILD_GRACE_MS);
}

static void grace_over(struct tn_timer *timer, void *data)
{
	struct tn_child *child = data;
	uint64_t now = tn_clock_now_ms(&tn_clock_system);

	if (now < child->grace_end_ms) {
		tn_timer_start(timer, child->grace_end_ms - now);
		return;
	}
	if (child->stage == INPUT_CLOSED) {
		child->stage = TERMINATED;
		signal_them(child, SIGTERM);
		begin_grace(child);
	} else if (child->stage == TERMINATED) {
		child->stage = KILLED;
		signal_group(child, SIGKILL);
	}
}

static void drain(struct tn_io *io, int events, void *data)
{
	struct tn_child *child = data;
	char bytes[DRAIN_BYTES];

	(void)events;
	for (int i = 0; i < STREAMS; i++) {
		ssize_t got;

		if (child->drains[i] != io)
			continue;
		got = read(child->fds[i], bytes, sizeof(bytes));
		if (got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR)))
			return;
		tn_io_watch(io, 0); /* its end */
	}
}

void tn_child_stop(struct tn_child *child)
{
	if (child->stage != RUNNING)
		return;
	child->stage = INPUT_CLOSED;
	close_fd(&child->fds[TN_CHILD_STDIN]);
	for (int i = TN_CHILD_STDOUT; i < STREAMS; i++) {
		/* Without memory for it the child may have to be told by a signal. */
		if (child->fds[i] >= 0 && tn_io_open(child->loop, child->fds[i], drain, child,
						     &child->drains[i], NULL) == TENON_OK)
			tn_io_watch(child->drains[i], TN_IO_READ);
	}
	begin_grace(child);
}

int tn_child_pid(const struct tn_child *child)
{
	return (int)child->pid;
}

void tn_child_signal(struct tn_child *child, int number)
{
	signal_them(child, number);
}

/* The guard kills whatever is below it, in whichever group that is, and ends. */
static void end_guard(const struct tn_child *child)
{
	uint64_t until = tn_clock_now_ms(&tn_clock_system) + TN_GUARD_END_MS;

	(void)kill(child->pid, SIGQUIT);
	(void)kill(child->pid, SIGCONT);
	while (!has_ended(child) && tn_clock_now_ms(&tn_clock_system) < until)
		(void)poll(NULL, 0, 1);
}

static void let_go(struct tn_child *child)
{
	stop_watching(child);
	tn_timer_close(child->poll);
	tn_timer_close(child->grace);
	for (int i = 0; i < STREAMS; i++)
		close_fd(&child->fds[i]);
	tn_mem_free(child);
}

void tn_child_leave(struct tn_child *child)
{
	if (child)
		let_go(child);
}

void tn_child_free(struct tn_child *child)
{
	if (!child)
		return;
	if (child->stage != EXITED && child->pid > 0) {
		if (child->guarded)
			end_guard(child);
		signal_group(child, SIGKILL);
		(void)reap(child, 0); /* a killed process ends at once */
	}
	let_go(child);
}

int tn_child_fd(const struct tn_child *child, enum tn_child_stream stream)
{
	return child->fds[stream];
}

/* ---- the start ---- */

struct start {
	const struct tn_child_options *options;
	const char **guarded; /* the guard's words, then the command's; NULL: it has none */
	int theirs[STREAMS];  /* the child's ends; -1: it keeps what we have */
	int report[2];        /* the error number of what failed, or nothing when exec closed it */
	pid_t parent;
};

enum step { STEP_PROCESS, STEP_DIRECTORY, STEP_PROGRAM };
struct failure {
	enum step step;
	int number;
};

static void restore_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL); /* refused for two of them, rightly */
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void give_up(const struct start *start, enum step step, int number)
{
	struct failure failure = {step, number};

	/* A pipe takes so few bytes whole, or nobody reads them any more. */
	if (write(start->report[1], &failure, sizeof(failure)) < 0)
		_exit(126);
	_exit(127);
}

static _Noreturn void run_program(const struct start *start)
{
	const struct tn_child_options *options = start->options;

	for (size_t i = 0; i < options->kept_count; i++) {
		if (fcntl(options->kept[i], F_SETFD, 0) != 0)
			give_up(start, STEP_PROCESS, errno);
	}
	environ = (char **)(uintptr_t)options->env;
	if (start->guarded)
		(void)execv("/proc/self/exe", (char *const *)(uintptr_t)start->guarded);
	else if (options->program)
		(void)execv(options->program, (char *const *)(uintptr_t)options->command);
	else
		(void)execvp(options->command[0], (char *const *)(uintptr_t)options->command);
	give_up(start, STEP_PROGRAM, errno);
}

/* The child's side. Only what is allowed after fork in a program with threads. */
static _Noreturn void become(const struct start *start)
{
	const struct tn_child_options *options = start->options;
	int fds[STREAMS];

	if (options->new_session)
		(void)setsid(); /* a new child leads no group yet, which is all it takes */
	else
		(void)setpgid(0, 0);
	if (!options->outlives_us &&
	    (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != start->parent))
		give_up(start, STEP_PROCESS, errno ? errno : ESRCH);
	restore_signals();
	/* Out of the way first: one stream's end may sit on another's number. */
	for (int i = 0; i < STREAMS; i++) {
		fds[i] = fcntl(start->theirs[i] >= 0 ? start->theirs[i] : i, F_DUPFD_CLOEXEC,
			       STREAMS);
		if (fds[i] < 0 && start->theirs[i] >= 0)
			give_up(start, STEP_PROCESS, errno);
	}
	for (int i = 0; i < STREAMS; i++) {
		if (fds[i] >= 0 && dup2(fds[i], i) < 0)
			give_up(start, STEP_PROCESS, errno);
	}
	if (options->directory && chdir(options->directory) != 0)
		give_up(start, STEP_DIRECTORY, errno);
	run_program(start);
}

static bool make_pipe(int *ret_ours, int *ret_theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	(void)fcntl(ends[0], F_SETPIPE_SZ, (int)TN_PIPE_BYTES); /* refused: it works as it is */
	*ret_ours = ends[0];
	*ret_theirs = ends[1];
	return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static bool make_input(struct tn_child *child, struct start *start)
{
	int ends[2], size = (int)TN_PIPE_BYTES;

	if (start->options->no_input) {
		start->theirs[TN_CHILD_STDIN] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		return start->theirs[TN_CHILD_STDIN] >= 0;
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	child->fds[TN_CHILD_STDIN] = ends[0];
	start->theirs[TN_CHILD_STDIN] = ends[1];
	(void)setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)); /* as much as fits */
	return true;
}

static bool make_output(struct tn_child *child, struct start *start, int stream, int file)
{
	if (file <= 0)
		return make_pipe(&child->fds[stream], &start->theirs[stream]);
	start->theirs[stream] = fcntl(file, F_DUPFD_CLOEXEC, 0);
	return start->theirs[stream] >= 0;
}

static bool make_streams(struct tn_child *child, struct start *start)
{
	const struct tn_child_options *options = start->options;

	if (!make_input(child, start) ||
	    !make_output(child, start, TN_CHILD_STDOUT, options->stdout_file))
		return false;
	return options->shares_stderr ||
	       make_output(child, start, TN_CHILD_STDERR, options->stderr_file);
}

/* False: out of memory. */
static bool make_words(struct start *start)
{
	const char *const *command = start->options->command;
	size_t count = 0;

	if (!start->options->guarded)
		return true;
	while (command[count])
		count++;
	start->guarded = tn_mem_alloc_array(count + 3, sizeof(*start->guarded));
	if (!start->guarded)
		return false;
	start->guarded[0] = "tenond";
	start->guarded[1] = TN_GUARD_WORD;
	memcpy(start->guarded + 2, command, count * sizeof(*command));
	return true;
}

static enum tenon_code fail_start(const struct tn_child_options *options, struct failure failure,
				  struct tenon_error *err)
{
	char what[128] = "start a process";

	if (failure.step == STEP_PROGRAM)
		(void)snprintf(what, sizeof(what), "start %.80s", options->command[0]);
	else if (failure.step == STEP_DIRECTORY)
		(void)snprintf(what, sizeof(what), "enter the directory %.80s", options->directory);
	return tn_fail_errno(err, failure.number, what);
}

static enum tenon_code launch(struct tn_child *child, struct start *start, struct tenon_error *err)
{
	struct failure failure = {STEP_PROCESS, 0};
	ssize_t got;

	if (!make_streams(child, start) || pipe2(start->report, O_CLOEXEC) != 0)
		return tn_fail_errno(err, errno, "pipes to a child");
	start->parent = getpid();
	child->pid = fork();
	if (child->pid < 0)
		return tn_fail_errno(err, errno, "start a process");
	if (child->pid == 0)
		become(start);
	/* Both do it: neither must wait for the other. But who leads a group makes no session. */
	if (!start->options->new_session)
		(void)setpgid(child->pid, child->pid);
	close_fd(&start->report[1]);
	do
		got = read(start->report[0], &failure, sizeof(failure));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return TENON_OK;
	if (got < 0)
		failure.number = errno;
	return fail_start(start->options, failure, err);
}

static enum tenon_code watch_exit(struct tn_child *child, struct tenon_error *err)
{
	enum tenon_code code = tn_timer_open(child->loop, poll_due, child, &child->poll, err);

	if (code == TENON_OK)
		code = tn_timer_open(child->loop, grace_over, child, &child->grace, err);
	if (code != TENON_OK)
		return code;
	child->pid_fd = (int)syscall(SYS_pidfd_open, child->pid, 0); /* close on exec by itself */
	if (child->pid_fd < 0) {
		tn_timer_start(child->poll, POLL_MS);
		return TENON_OK;
	}
	code = tn_io_open(child->loop, child->pid_fd, pid_ready, child, &child->exit_watch, err);
	if (code == TENON_OK)
		tn_io_watch(child->exit_watch, TN_IO_READ);
	return code;
}

enum tenon_code tn_child_open(struct tn_loop *loop, const struct tn_child_options *options,
			      struct tn_child **ret, struct tenon_error *err)
{
	struct start start = {.options = options, .theirs = {-1, -1, -1}, .report = {-1, -1}};
	struct tn_child *child;
	enum tenon_code code;

	if (!options->command || !options->command[0] || !options->command[0][0])
		return tn_fail(err, TENON_INVALID, "no command to start");
	child = tn_mem_alloc(sizeof(*child));
	if (!child)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*child = (struct tn_child){.loop = loop,
				   .fds = {-1, -1, -1},
				   .pid_fd = -1,
				   .guarded = options->guarded,
				   .exited = options->exited,
				   .data = options->data};
	code = make_words(&start) ? launch(child, &start, err)
				  : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_mem_free(start.guarded);
	if (code == TENON_OK)
		code = watch_exit(child, err);
	for (int i = 0; i < STREAMS; i++)
		close_fd(&start.theirs[i]);
	close_fd(&start.report[0]);
	close_fd(&start.report[1]);
	if (code != TENON_OK) {
		tn_child_free(child);
		return code;
	}
	*ret = child;
	return TENON_OK;
}
