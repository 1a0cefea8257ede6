#include "apps/terminal/pty/pty_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold/confine.h"
#include "apps/terminal/pty/pty_program.h"
#include "apps/terminal/pty/pty_pump.h"
#include "loop/process_tree.h"
#include "base/clock.h"
#include "base/size.h"
#include "loop/limits.h"

enum {
	KILL_AGAIN_MS = 10,         /* between two passes */
	KILL_MS = 1500,             /* then what is left cannot be killed by us */
	TERM_SHARE = 3,             /* SIGTERM comes after this part of the grace */
	TERMINATED_GRACE_MS = 1000, /* when somebody asks the keeper itself to end */
	PIPE_BYTES = (int)TN_PIPE_BYTES,
};

enum stage { LIVING, HUNG_UP, TERMINATED, KILLING, ENDED };

struct keeper {
	struct tn_pty_pump pump;
	int socket, life, signals;
	bool children_changed; /* since they were last looked at */
	pid_t root;
	bool root_told; /* that it has ended */
	int root_status;
	enum stage stage;
	uint64_t began_ms, due_ms; /* of the end */
	uint32_t grace_ms;
	bool leaves;
	struct tn_process_tree tree;
};

/* ---- processes ---- */

static uint64_t now_ms(void)
{
	return tn_pty_pump_now_ms();
}

static void note_end(struct keeper *k, int status)
{
	k->root_status = status;
	tn_pty_pump_note_end(&k->pump);
}

/* Looks whether the root program has ended, without giving its number away. */
static void look_at_root(struct keeper *k)
{
	siginfo_t info = {0};
	int status;

	if (k->pump.program_ended ||
	    waitid(P_PID, (id_t)k->root, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid != k->root)
		return;
	status = info.si_status;
	if (info.si_code == CLD_EXITED)
		status <<= 8; /* as waitpid has it */
	note_end(k, status);
}

/* The end is told when all that it wrote stands in the ring. */
static void tell_end(struct keeper *k)
{
	if (!k->pump.program_ended || k->root_told)
		return;
	if (!tn_pty_pump_is_dry(&k->pump) && k->stage == LIVING)
		return;
	k->root_told = true;
	k->pump.shared->status = k->root_status;
	tn_pty_pump_tell(&k->pump, TN_PTY_EXITED);
}

/* True: there is no process left. Until the end of the root program was told its number stays
 * taken, and so nobody is reaped. */
static bool reap(struct keeper *k)
{
	int status;
	pid_t pid;

	look_at_root(k);
	tell_end(k);
	if (k->pump.program_ended && !k->root_told)
		return false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == k->root && !k->pump.program_ended)
			note_end(k, status);
	}
	tell_end(k);
	return pid < 0 && errno == ECHILD;
}

static void note_killed(struct keeper *k, pid_t pid)
{
	struct tn_pty_shared *shared = k->pump.shared;

	for (uint32_t i = 0; i < shared->killed_count; i++) {
		if (shared->killed[i] == pid)
			return;
	}
	if (shared->killed_count < TN_PTY_KILLED_MAX)
		shared->killed[shared->killed_count++] = pid;
}

static void signal_all(struct keeper *k, int number)
{
	tn_process_tree_list(&k->tree, getpid());
	/* Noted first: with its shell the kernel hangs up a whole group, before its turn comes. */
	for (size_t i = 0; i < k->tree.count; i++) {
		if (tn_process_tree_signal(&k->tree, k->tree.pids[i], 0))
			note_killed(k, k->tree.pids[i]);
	}
	for (size_t i = 0; i < k->tree.count; i++) {
		(void)tn_process_tree_signal(&k->tree, k->tree.pids[i], number);
		/* Who is stopped must go on to hear it. */
		(void)tn_process_tree_signal(&k->tree, k->tree.pids[i], SIGCONT);
	}
}

static void kill_all(struct keeper *k)
{
	(void)tn_process_tree_kill(&k->tree, getpid());
	for (size_t i = 0; i < k->tree.count; i++)
		note_killed(k, k->tree.pids[i]);
	k->due_ms = now_ms() + KILL_AGAIN_MS;
}

static void finish(struct keeper *k)
{
	k->stage = ENDED;
	tn_pty_pump_note_end(&k->pump); /* or it is beyond us */
	k->pump.is_last = true;
	k->root_told = true;
	tn_pty_pump_tell(&k->pump, TN_PTY_CLOSED);
}

static void begin_end(struct keeper *k, bool force, uint32_t grace_ms)
{
	enum stage wanted = force ? KILLING : HUNG_UP;

	if (k->stage >= wanted)
		return;
	k->stage = wanted;
	k->began_ms = now_ms();
	k->grace_ms = grace_ms;
	k->due_ms = k->began_ms + grace_ms / TERM_SHARE;
	if (wanted == HUNG_UP)
		signal_all(k, SIGHUP);
	else
		kill_all(k);
}

static void advance(struct keeper *k, bool nobody)
{
	if (k->stage == LIVING || k->stage == ENDED)
		return;
	if (nobody) {
		finish(k);
	} else if (now_ms() < k->due_ms) {
		return;
	} else if (k->stage == HUNG_UP) {
		k->stage = TERMINATED;
		k->due_ms = k->began_ms + k->grace_ms;
		signal_all(k, SIGTERM);
	} else if (k->stage == TERMINATED) {
		k->stage = KILLING;
		k->began_ms = now_ms();
		kill_all(k);
	} else if (now_ms() - k->began_ms > KILL_MS) {
		finish(k); /* another user's, or in the kernel for good */
	} else {
		kill_all(k);
	}
}

/* ---- what wakes it ---- */

enum { WAKE_SOCKET, WAKE_LIFE, WAKE_SIGNAL, WAKE_STREAMS, WAKES = WAKE_STREAMS + TN_PTY_STREAMS };

static void sooner(int *timeout, uint64_t due_ms)
{
	uint64_t now = now_ms(), left = due_ms > now ? due_ms - now : 0;

	if (*timeout < 0 || left < (uint64_t)*timeout)
		*timeout = (int)left;
}

static int find_timeout(const struct keeper *k)
{
	int timeout = -1;

	if (k->stage > LIVING && k->stage < ENDED)
		sooner(&timeout, k->due_ms);
	if (tn_pty_pump_due_ms(&k->pump))
		sooner(&timeout, tn_pty_pump_due_ms(&k->pump));
	return timeout;
}

static void obey(struct keeper *k, const struct tn_pty_command *command)
{
	if (command->order == TN_PTY_ORDER_ROOM) {
		for (int i = 0; i < TN_PTY_STREAMS; i++)
			k->pump.streams[i].is_full = false;
	} else if (command->order == TN_PTY_ORDER_END) {
		k->leaves = k->leaves || command->leave;
		begin_end(k, command->force != 0, command->grace_ms);
	} else if (command->order == TN_PTY_ORDER_CLOSE) {
		k->leaves = true;
		begin_end(k, true, 0);
	}
}

/* Daemon and host are both gone when the socket is: the host keeps an end as well. */
static void hear_orders(struct keeper *k)
{
	struct tn_pty_command command;
	ssize_t got;

	while ((got = recv(k->socket, &command, sizeof(command), MSG_DONTWAIT)) > 0) {
		if (got == sizeof(command))
			obey(k, &command);
	}
	if (got == 0) {
		k->leaves = true;
		begin_end(k, true, 0);
	}
}

static void hear_signals(struct keeper *k)
{
	struct signalfd_siginfo info;

	while (read(k->signals, &info, sizeof(info)) == sizeof(info)) {
		k->children_changed = k->children_changed || info.ssi_signo == SIGCHLD;
		if (info.ssi_signo == SIGTERM)
			begin_end(k, false, TERMINATED_GRACE_MS);
	}
}

/* Waits, unless a stream may have more. */
static void wait_for_work(struct keeper *k, bool more)
{
	struct pollfd polled[WAKES] = {
		[WAKE_SOCKET] = {.fd = k->socket, .events = POLLIN},
		[WAKE_LIFE] = {.fd = k->life, .events = POLLIN},
		[WAKE_SIGNAL] = {.fd = k->signals, .events = POLLIN},
	};

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		const struct tn_pty_pump_stream *stream = &k->pump.streams[i];
		bool waits = stream->fd >= 0 && !stream->is_full && !stream->again_ms;

		polled[WAKE_STREAMS + i] =
			(struct pollfd){.fd = waits ? stream->fd : -1, .events = POLLIN};
	}
	if (poll(polled, WAKES, more ? 0 : find_timeout(k)) <= 0)
		return;
	if (polled[WAKE_SOCKET].revents)
		hear_orders(k);
	if (polled[WAKE_SIGNAL].revents)
		hear_signals(k);
	if (polled[WAKE_LIFE].revents) {
		k->leaves = true;
		k->life = -1; /* it stays readable */
		begin_end(k, true, 0);
	}
}

/* True: there may be last words to be read. */
static bool look_at_children(struct keeper *k)
{
	bool had_ended = k->pump.program_ended, was_last = k->pump.is_last;

	k->children_changed = false;
	advance(k, reap(k));
	return k->pump.program_ended != had_ended || k->pump.is_last != was_last;
}

static _Noreturn void keep(struct keeper *k)
{
	bool more = false;

	for (;;) {
		wait_for_work(k, more);
		more = tn_pty_pump_run(&k->pump);
		if (k->children_changed || k->pump.program_ended != k->root_told ||
		    (k->stage != LIVING && k->stage != ENDED))
			more = look_at_children(k) || more;
		if (k->leaves && k->stage == ENDED) {
			tn_confine_temp_sweep(); /* its watcher may have been killed */
			_exit(0);
		}
	}
}

/* ---- the start ---- */

/* Nothing of the other sessions may stay open here. `keep`: what stays, -1 where there is none. */
static void close_others(const int *keep, size_t count)
{
	int low = STDERR_FILENO + 1;

	for (;;) {
		int next = -1;

		for (size_t i = 0; i < count; i++) {
			if (keep[i] >= low && (next < 0 || keep[i] < next))
				next = keep[i];
		}
		if (next < 0)
			break;
		if (next > low)
			(void)syscall(SYS_close_range, low, next - 1, 0);
		low = next + 1;
	}
	(void)syscall(SYS_close_range, low, ~0U, 0);
}

static void listen_to_signals(struct keeper *k)
{
	sigset_t all, wanted;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	(void)sigemptyset(&wanted);
	(void)sigaddset(&wanted, SIGCHLD);
	(void)sigaddset(&wanted, SIGTERM);
	k->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool make_pipes(struct keeper *k, int theirs[TN_PTY_STREAMS])
{
	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		int ends[2];

		if (pipe2(ends, O_CLOEXEC) != 0)
			return false;
		(void)fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES); /* refused: it works as it is */
		(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
		k->pump.streams[i].fd = ends[0];
		theirs[i] = ends[1];
	}
	return true;
}

static void start_program(struct keeper *k, const struct tn_pty_program *program)
{
	struct tn_pty_start_failure failure;

	k->root = tn_pty_program_start(program, &failure);
	if (k->root > 0) {
		atomic_store(&k->pump.shared->root_pid, k->root);
		tn_pty_pump_tell(&k->pump, TN_PTY_RUNNING);
		return;
	}
	k->pump.shared->spawn_errno = failure.number;
	k->pump.shared->spawn_step = failure.step;
	k->pump.program_ended = k->root_told = true;
	tn_pty_pump_tell(&k->pump, TN_PTY_EXITED);
}

static void begin(struct keeper *k, const struct tn_pty_keeper_start *start,
		  const struct tn_pty_request *request)
{
	struct tn_pty_packet *spawn = start->spawn;
	bool has_master = spawn->message.flags & TN_PTY_HAS_MASTER;
	struct tn_pty_program program = {.request = request,
					 .master = -1,
					 .stdin_fd = -1,
					 .directory = -1,
					 .held = -1,
					 .pipes = {-1, -1},
					 .files = start->files};
	size_t at = TN_PTY_FDS_NEEDED;

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		k->pump.streams[i].fd = -1;
		k->pump.streams[i].is_dry = true;
		k->pump.streams[i].ring = &k->pump.shared->rings[i];
		k->pump.streams[i].bytes = tn_pty_shared_bytes(k->pump.shared, i);
	}
	k->pump.has_terminal = has_master;
	if (has_master)
		program.master = k->pump.streams[TN_PTY_OUT].fd = spawn->fds[at++];
	if (spawn->message.flags & TN_PTY_HAS_STDIN)
		program.stdin_fd = spawn->fds[at++];
	if (spawn->message.flags & TN_PTY_HAS_DIRECTORY)
		program.directory = spawn->fds[at++];
	if (spawn->message.flags & TN_PTY_HAS_HELD)
		program.held = spawn->fds[at++];
	if (!has_master && !make_pipes(k, program.pipes)) {
		k->pump.shared->spawn_errno = errno;
		k->pump.shared->spawn_step = TN_PTY_STEP_PROCESS;
		k->pump.program_ended = k->root_told = true;
		tn_pty_pump_tell(&k->pump, TN_PTY_EXITED);
	} else {
		start_program(k, &program);
	}
	tn_pty_close_fd(&program.stdin_fd);
	tn_pty_close_fd(&program.directory);
	tn_pty_close_fd(&program.held);
	tn_pty_close_fd(&program.pipes[TN_PTY_OUT]);
	tn_pty_close_fd(&program.pipes[TN_PTY_ERR]);
	if (k->root == 0)
		tn_pty_pump_end_all(&k->pump);
}

_Noreturn void tn_pty_keeper_run(struct tn_pty_keeper_start *start)
{
	struct tn_pty_packet *spawn = start->spawn;
	struct keeper k = {.socket = spawn->fds[TN_PTY_FD_KEEPER],
			   .pump = {.bell = spawn->fds[TN_PTY_FD_BELL]},
			   .life = start->life};
	int kept[TN_PTY_FDS_MAX + 1];
	struct tn_pty_request *request = MAP_FAILED;
	struct stat info;
	size_t size;

	tn_pty_close_fd(&spawn->fds[TN_PTY_FD_SOCKET]); /* the daemon's end of it, and the host's */
	memcpy(kept, spawn->fds, sizeof(spawn->fds));
	kept[TN_PTY_FD_SOCKET] = -1;
	for (size_t i = spawn->fd_count; i < TN_PTY_FDS_MAX; i++)
		kept[i] = -1;
	kept[TN_PTY_FDS_MAX] = start->life;
	close_others(kept, TN_COUNT(kept));
	(void)setsid();
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)prctl(PR_SET_NAME, "tenon-keeper");
	listen_to_signals(&k);
	k.pump.shared = tn_pty_shared_map(spawn->fds[TN_PTY_FD_SHARED], &size);
	if (fstat(spawn->fds[TN_PTY_FD_REQUEST], &info) == 0)
		request = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE,
			       spawn->fds[TN_PTY_FD_REQUEST], 0);
	if (!k.pump.shared || request == MAP_FAILED || k.signals < 0)
		_exit(1); /* the host tells that it is gone */
	tn_pty_close_fd(&spawn->fds[TN_PTY_FD_SHARED]);
	tn_pty_close_fd(&spawn->fds[TN_PTY_FD_REQUEST]);
	atomic_store(&k.pump.shared->keeper_pid, getpid());
	begin(&k, start, request);
	(void)munmap(request, (size_t)info.st_size);
	keep(&k);
}
