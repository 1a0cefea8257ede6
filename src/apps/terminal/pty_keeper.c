#include "apps/terminal/pty_keeper.h"

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

#include "apps/terminal/pty_program.h"
#include "apps/terminal/pty_tree.h"
#include "base/clock.h"
#include "base/size.h"

enum {
	READ_MAX = 64 * 1024,
	PUMP_READS = 64,            /* of one stream, then the others' turn comes */
	BELL_MS = 1,                /* between two bells of a flood */
	BELL_BYTES = 64 * 1024,     /* so much waiting rings before that */
	AGAIN_MS = 20,              /* a terminal that nobody has open just now is looked at */
	KILL_AGAIN_MS = 10,         /* between two passes */
	KILL_MS = 1500,             /* then what is left cannot be killed by us */
	TERM_SHARE = 3,             /* SIGTERM comes after this part of the grace */
	TERMINATED_GRACE_MS = 1000, /* when somebody asks the keeper itself to end */
	PIPE_BYTES = (int)TN_PIPE_BYTES,
};

enum stage { LIVING, HUNG_UP, TERMINATED, KILLING, ENDED };

struct stream {
	int fd; /* -1: nothing more comes */
	bool is_full;
	bool is_dry;       /* since the program ended all it wrote has been read */
	uint64_t again_ms; /* nobody has the terminal open: when to look again; 0: now */
	struct tn_pty_ring *ring;
	uint8_t *bytes;
};

struct keeper {
	struct tn_pty_shared *shared;
	struct stream streams[TN_PTY_STREAMS];
	int socket, bell, life, signals;
	bool has_terminal;
	bool children_changed; /* since they were last looked at */
	pid_t root;
	bool root_ended, root_told;
	int root_status;
	size_t drained; /* since it ended */
	enum stage stage;
	uint64_t began_ms, due_ms; /* of the end */
	uint32_t grace_ms;
	bool leaves;
	uint64_t bell_ms; /* when it rang last */
	bool bell_waits;
	struct tn_pty_tree tree;
};

/* ---- shared memory ---- */

struct tn_pty_shared *tn_pty_shared_map(int fd, size_t *ret_size)
{
	struct stat info;
	void *memory;
	size_t rings;

	if (fstat(fd, &info) != 0 || info.st_size < TN_PTY_PAGE_BYTES)
		return NULL;
	rings = ((size_t)info.st_size - TN_PTY_PAGE_BYTES) / TN_PTY_RING_BYTES;
	if (rings < 1 || rings > TN_PTY_STREAMS)
		return NULL;
	*ret_size = TN_PTY_PAGE_BYTES + rings * TN_PTY_RING_BYTES;
	memory = mmap(NULL, *ret_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

uint8_t *tn_pty_shared_bytes(struct tn_pty_shared *shared, int stream)
{
	return (uint8_t *)shared + TN_PTY_PAGE_BYTES + (size_t)stream * TN_PTY_RING_BYTES;
}

/* ---- the bell ---- */

static uint64_t now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}

static void ring_bell(struct keeper *k)
{
	const uint64_t one = 1;

	k->bell_ms = now_ms();
	k->bell_waits = false;
	for (uint32_t i = 0; i < k->shared->streams; i++)
		(void)atomic_fetch_and(&k->streams[i].ring->sleeping,
				       ~(uint32_t)TN_PTY_DAEMON_SLEEPS);
	if (write(k->bell, &one, sizeof(one)) < 0)
		return; /* it has not been heard 2^64 times: it rings already */
}

/* In a flood the daemon need not wake for each piece: once a millisecond, or for a fair share. */
static void tell_of_bytes(struct keeper *k, const struct stream *stream)
{
	uint64_t waiting;

	if (!(atomic_load(&stream->ring->sleeping) & TN_PTY_DAEMON_SLEEPS))
		return;
	waiting = atomic_load(&stream->ring->head) - atomic_load(&stream->ring->tail);
	if (waiting >= BELL_BYTES || now_ms() >= k->bell_ms + BELL_MS)
		ring_bell(k);
	else
		k->bell_waits = true;
}

static void tell_state(struct keeper *k, enum tn_pty_state state)
{
	atomic_store(&k->shared->state, state);
	ring_bell(k);
}

/* ---- bytes ---- */

static void end_stream(struct keeper *k, struct stream *stream)
{
	if (stream->fd < 0)
		return;
	tn_pty_close_fd(&stream->fd);
	stream->is_dry = true;
	atomic_store(&stream->ring->ended, 1);
	ring_bell(k);
}

/* Room in one piece; 0: the ring is full, and the daemon knows that we wait. */
static size_t find_room(struct stream *stream, uint64_t *ret_head)
{
	uint64_t head = atomic_load(&stream->ring->head), used;
	size_t at = (size_t)(head % TN_PTY_RING_BYTES), room;

	used = head - atomic_load(&stream->ring->tail);
	if (used >= TN_PTY_RING_BYTES) {
		(void)atomic_fetch_or(&stream->ring->sleeping, TN_PTY_KEEPER_SLEEPS);
		used = head - atomic_load(&stream->ring->tail);
		if (used >= TN_PTY_RING_BYTES)
			return 0;
		(void)atomic_fetch_and(&stream->ring->sleeping, ~(uint32_t)TN_PTY_KEEPER_SLEEPS);
	}
	*ret_head = head;
	room = (size_t)(TN_PTY_RING_BYTES - used);
	if (room > TN_PTY_RING_BYTES - at)
		room = TN_PTY_RING_BYTES - at;
	return room < READ_MAX ? room : READ_MAX;
}

/* Nothing was read, for this reason (0: the end). */
static void read_nothing(struct keeper *k, struct stream *stream, int number)
{
	if (number == EAGAIN) {
		stream->is_dry = k->root_ended;
		if (k->stage == ENDED)
			end_stream(k, stream); /* whoever still has it open is beyond us */
		return;
	}
	/* No process has the terminal open. While the program runs it may open it again. */
	if (number == EIO && k->has_terminal && !k->root_ended && k->stage != ENDED) {
		stream->again_ms = now_ms() + AGAIN_MS;
		return;
	}
	end_stream(k, stream);
}

/* Reads until nothing is there, the ring is full, or others are due. True: there may be more. */
static bool pump(struct keeper *k, struct stream *stream)
{
	for (int i = 0; i < PUMP_READS && stream->fd >= 0; i++) {
		uint64_t head = 0;
		size_t room = find_room(stream, &head);
		ssize_t got;

		stream->is_full = room == 0;
		if (room == 0)
			return false;
		got = read(stream->fd, stream->bytes + head % TN_PTY_RING_BYTES, room);
		if (got > 0) {
			if (k->root_ended)
				k->drained += (size_t)got;
			atomic_store(&stream->ring->head, head + (uint64_t)got);
			tell_of_bytes(k, stream);
		} else if (got == 0 || errno != EINTR) {
			read_nothing(k, stream, got == 0 ? 0 : errno);
			return false;
		}
	}
	return stream->fd >= 0;
}

/* ---- processes ---- */

static void note_end(struct keeper *k, int status)
{
	k->root_ended = true;
	k->root_status = status;
	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		k->streams[i].is_dry = k->streams[i].fd < 0;
		k->streams[i].again_ms = 0;
	}
}

/* Looks whether the root program has ended, without giving its number away. */
static void look_at_root(struct keeper *k)
{
	siginfo_t info = {0};
	int status;

	if (k->root_ended ||
	    waitid(P_PID, (id_t)k->root, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid != k->root)
		return;
	status = info.si_status;
	if (info.si_code == CLD_EXITED)
		status <<= 8; /* as waitpid has it */
	note_end(k, status);
}

/* The end is told when all that it wrote stands in the ring. What others write meanwhile must not
 * delay that for ever: no more than this can have been its own. */
static void tell_end(struct keeper *k)
{
	bool dry = true;

	if (!k->root_ended || k->root_told)
		return;
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		dry = dry && k->streams[i].is_dry;
	if (!dry && k->drained < TN_PTY_RING_BYTES && k->stage == LIVING)
		return;
	k->root_told = true;
	k->shared->status = k->root_status;
	tell_state(k, TN_PTY_EXITED);
}

/* True: there is no process left. Until the end of the root program was told its number stays
 * taken, and so nobody is reaped. */
static bool reap(struct keeper *k)
{
	int status;
	pid_t pid;

	look_at_root(k);
	tell_end(k);
	if (k->root_ended && !k->root_told)
		return false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == k->root && !k->root_ended)
			note_end(k, status);
	}
	tell_end(k);
	return pid < 0 && errno == ECHILD;
}

static void note_killed(struct keeper *k, pid_t pid)
{
	struct tn_pty_shared *shared = k->shared;

	for (uint32_t i = 0; i < shared->killed_count; i++) {
		if (shared->killed[i] == pid)
			return;
	}
	if (shared->killed_count < TN_PTY_KILLED_MAX)
		shared->killed[shared->killed_count++] = pid;
}

static void signal_all(struct keeper *k, int number)
{
	tn_pty_tree_list(&k->tree, getpid());
	for (size_t i = 0; i < k->tree.count; i++) {
		if (tn_pty_tree_signal(&k->tree, k->tree.pids[i], number))
			note_killed(k, k->tree.pids[i]);
		/* Who is stopped must go on to hear it. */
		(void)tn_pty_tree_signal(&k->tree, k->tree.pids[i], SIGCONT);
	}
}

static void kill_all(struct keeper *k)
{
	(void)tn_pty_tree_kill(&k->tree, getpid());
	for (size_t i = 0; i < k->tree.count; i++)
		note_killed(k, k->tree.pids[i]);
	k->due_ms = now_ms() + KILL_AGAIN_MS;
}

static void finish(struct keeper *k)
{
	k->stage = ENDED;
	k->root_ended = true; /* or it is beyond us */
	k->root_told = true;
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		k->streams[i].again_ms = 0;
	tell_state(k, TN_PTY_CLOSED);
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
	if (k->bell_waits)
		sooner(&timeout, k->bell_ms + BELL_MS);
	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		if (k->streams[i].fd >= 0 && k->streams[i].again_ms)
			sooner(&timeout, k->streams[i].again_ms);
	}
	return timeout;
}

static void obey(struct keeper *k, const struct tn_pty_command *command)
{
	if (command->order == TN_PTY_ORDER_ROOM) {
		for (int i = 0; i < TN_PTY_STREAMS; i++)
			k->streams[i].is_full = false;
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
		const struct stream *stream = &k->streams[i];
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

static bool pump_all(struct keeper *k)
{
	bool more = false;

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		struct stream *stream = &k->streams[i];

		if (stream->fd < 0 || stream->is_full)
			continue;
		if (stream->again_ms && now_ms() < stream->again_ms)
			continue;
		stream->again_ms = 0;
		more = pump(k, stream) || more;
	}
	return more;
}

static _Noreturn void keep(struct keeper *k)
{
	bool more = false;

	for (;;) {
		wait_for_work(k, more);
		more = pump_all(k);
		if (k->children_changed || k->stage != LIVING || k->root_ended != k->root_told) {
			bool had_ended = k->root_ended;

			k->children_changed = false;
			advance(k, reap(k));
			more = more || k->root_ended != had_ended; /* its last words */
		}
		if (k->bell_waits && now_ms() >= k->bell_ms + BELL_MS)
			ring_bell(k);
		if (k->leaves && k->stage == ENDED)
			_exit(0);
		more = more || k->stage == ENDED; /* until what is left has been read, once */
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
		k->streams[i].fd = ends[0];
		theirs[i] = ends[1];
	}
	return true;
}

static void start_program(struct keeper *k, const struct tn_pty_program *program)
{
	struct tn_pty_start_failure failure;

	k->root = tn_pty_program_start(program, &failure);
	if (k->root > 0) {
		atomic_store(&k->shared->root_pid, k->root);
		tell_state(k, TN_PTY_RUNNING);
		return;
	}
	k->shared->spawn_errno = failure.number;
	k->shared->spawn_step = failure.step;
	k->root_ended = k->root_told = true;
	tell_state(k, TN_PTY_EXITED);
}

static void begin(struct keeper *k, const struct tn_pty_keeper_start *start,
		  const struct tn_pty_request *request)
{
	struct tn_pty_packet *spawn = start->spawn;
	bool has_master = spawn->message.flags & TN_PTY_HAS_MASTER;
	struct tn_pty_program program = {.request = request,
					 .master = -1,
					 .stdin_fd = -1,
					 .pipes = {-1, -1},
					 .files = start->files};
	size_t at = TN_PTY_FDS_NEEDED;

	for (int i = 0; i < TN_PTY_STREAMS; i++) {
		k->streams[i].fd = -1;
		k->streams[i].is_dry = true;
		k->streams[i].ring = &k->shared->rings[i];
		k->streams[i].bytes = tn_pty_shared_bytes(k->shared, i);
	}
	k->has_terminal = has_master;
	if (has_master)
		program.master = k->streams[TN_PTY_OUT].fd = spawn->fds[at++];
	if (spawn->message.flags & TN_PTY_HAS_STDIN)
		program.stdin_fd = spawn->fds[at++];
	if (!has_master && !make_pipes(k, program.pipes)) {
		k->shared->spawn_errno = errno;
		k->shared->spawn_step = TN_PTY_STEP_PROCESS;
		k->root_ended = k->root_told = true;
		tell_state(k, TN_PTY_EXITED);
	} else {
		start_program(k, &program);
	}
	tn_pty_close_fd(&program.stdin_fd);
	tn_pty_close_fd(&program.pipes[TN_PTY_OUT]);
	tn_pty_close_fd(&program.pipes[TN_PTY_ERR]);
	for (int i = 0; i < TN_PTY_STREAMS && k->root == 0; i++)
		end_stream(k, &k->streams[i]);
}

_Noreturn void tn_pty_keeper_run(struct tn_pty_keeper_start *start)
{
	struct tn_pty_packet *spawn = start->spawn;
	struct keeper k = {.socket = spawn->fds[TN_PTY_FD_KEEPER],
			   .bell = spawn->fds[TN_PTY_FD_BELL],
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
	k.shared = tn_pty_shared_map(spawn->fds[TN_PTY_FD_SHARED], &size);
	if (fstat(spawn->fds[TN_PTY_FD_REQUEST], &info) == 0)
		request = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE,
			       spawn->fds[TN_PTY_FD_REQUEST], 0);
	if (!k.shared || request == MAP_FAILED || k.signals < 0)
		_exit(1); /* the host tells that it is gone */
	tn_pty_close_fd(&spawn->fds[TN_PTY_FD_SHARED]);
	tn_pty_close_fd(&spawn->fds[TN_PTY_FD_REQUEST]);
	atomic_store(&k.shared->keeper_pid, getpid());
	begin(&k, start, request);
	(void)munmap(request, (size_t)info.st_size);
	keep(&k);
}
