/* One PTY, as the daemon has it: its ring, its input, its events. */
#include "apps/terminal/pty/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/pty/internal.h"
#include "apps/terminal/pty/pty_pump.h"
#include "base/mem.h"

enum { INPUT_KEEP_BYTES = 4096 };

/* ---- its life ---- */

void tn_pty_request_turn(struct tn_pty *pty)
{
	struct tn_pty_host *host = pty->host;

	if (!host || pty->is_due || pty->is_closed)
		return;
	pty->is_due = true;
	pty->next_due = NULL;
	*host->due_end = pty;
	host->due_end = &pty->next_due;
	tn_later_request(host->later);
}

static void bell_rang(struct tn_io *io, int events, void *data)
{
	struct tn_pty *pty = data;
	uint64_t times;

	(void)io;
	(void)events;
	if (read(pty->bell, &times, sizeof(times)) < 0)
		return; /* it was another's ring that woke us */
	tn_pty_request_turn(pty);
}

static void free_pty(struct tn_pty *pty)
{
	tn_io_close(pty->bell_io);
	tn_io_close(pty->master_io);
	tn_pty_close_fd(&pty->socket);
	tn_pty_close_fd(&pty->bell);
	tn_pty_close_fd(&pty->master);
	if (pty->shared)
		(void)munmap(pty->shared, pty->shared_size);
	tn_buf_finish(&pty->input);
	tn_mem_free(pty);
}

/* Its descriptors are still the caller's. */
static void abandon(struct tn_pty *pty)
{
	pty->socket = pty->bell = pty->master = -1;
	free_pty(pty);
}

enum tenon_code tn_pty_adopt(struct tn_pty_host *host, const char *key,
			     const int fds[TN_PTY_FDS_KEPT + 1], struct tn_pty **ret,
			     struct tenon_error *err)
{
	struct tn_pty *pty = tn_mem_alloc(sizeof(*pty));
	enum tenon_code code;

	if (!pty)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	pty->host = host;
	pty->socket = fds[TN_PTY_FD_SOCKET];
	pty->bell = fds[TN_PTY_FD_BELL];
	pty->master = fds[TN_PTY_FDS_KEPT];
	(void)snprintf(pty->key, sizeof(pty->key), "%s", key);
	tn_buf_init(&pty->input, TN_PTY_INPUT_MAX);
	pty->shared = tn_pty_shared_map(fds[TN_PTY_FD_SHARED], &pty->shared_size);
	if (!pty->shared) {
		abandon(pty);
		return tn_fail(err, TENON_SYSTEM, "no memory to share with the terminal");
	}
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		pty->bytes[i] = tn_pty_shared_bytes(pty->shared, i);
	code = tn_io_open(host->loop, pty->bell, bell_rang, pty, &pty->bell_io, err);
	if (code != TENON_OK) {
		abandon(pty);
		return code;
	}
	tn_io_watch(pty->bell_io, TN_IO_READ);
	pty->next = host->all;
	host->all = pty;
	*ret = pty;
	return TENON_OK;
}

bool tn_pty_order(struct tn_pty *pty, const struct tn_pty_command *command)
{
	ssize_t sent;

	do
		sent = send(pty->socket, command, sizeof(*command), MSG_NOSIGNAL | MSG_DONTWAIT);
	while (sent < 0 && errno == EINTR);
	return sent >= 0;
}

static void leave_host(struct tn_pty *pty)
{
	struct tn_pty_host *host = pty->host;
	struct tn_pty **at = &host->all;

	while (*at != pty)
		at = &(*at)->next;
	*at = pty->next;
	if (pty->is_due) {
		for (at = &host->due; *at != pty; at = &(*at)->next_due)
			;
		*at = pty->next_due;
		if (!*at)
			host->due_end = at;
		pty->is_due = false;
	}
	pty->host = NULL;
}

void tn_pty_close(struct tn_pty *pty)
{
	const struct tn_pty_command close_it = {.order = TN_PTY_ORDER_CLOSE};

	if (!pty)
		return;
	tn_assert(!pty->is_closed);
	if (pty->host) {
		(void)tn_pty_order(pty, &close_it); /* nobody there: as wanted */
		leave_host(pty);
	}
	if (pty->is_serving)
		pty->is_closed = true;
	else
		free_pty(pty);
}

void tn_pty_end(struct tn_pty *pty, bool force, uint32_t grace_ms)
{
	const struct tn_pty_command command = {
		.order = TN_PTY_ORDER_END, .force = force, .grace_ms = grace_ms};

	pty->end_asked = true;
	if (!pty->host || pty->is_lost || !tn_pty_order(pty, &command))
		pty->is_lost = true; /* nobody is left who could end it, and nothing to be ended */
	tn_pty_request_turn(pty);
}

const char *tn_pty_key(const struct tn_pty *pty)
{
	return pty->key;
}

pid_t tn_pty_pid(const struct tn_pty *pty)
{
	return atomic_load(&pty->shared->root_pid);
}

bool tn_pty_has_exited(const struct tn_pty *pty, int *ret_status)
{
	if (atomic_load(&pty->shared->state) < TN_PTY_EXITED)
		return false;
	if (ret_status)
		*ret_status = pty->shared->status;
	return true;
}

const char *tn_pty_failure(const struct tn_pty *pty, bool *ret_directory)
{
	const struct tn_pty_shared *shared = pty->shared;

	*ret_directory = false;
	if (atomic_load(&shared->state) < TN_PTY_EXITED || shared->spawn_errno == 0)
		return NULL;
	*ret_directory = shared->spawn_step == TN_PTY_STEP_DIRECTORY;
	if (*ret_directory && shared->spawn_errno == ENOENT)
		return "the directory does not exist";
	if (*ret_directory && shared->spawn_errno == ENOTDIR)
		return "this is no directory";
	if (*ret_directory)
		return "the directory cannot be entered";
	if (shared->spawn_step == TN_PTY_STEP_PROCESS)
		return "no terminal or process could be had";
	if (shared->spawn_errno == ENOENT)
		return "there is no such program";
	if (shared->spawn_errno == EACCES)
		return "the program is not executable";
	if (shared->spawn_errno == E2BIG)
		return "arguments and environment are too long";
	return "the program cannot be started";
}

/* ---- bytes from it ---- */

uint64_t tn_pty_head(const struct tn_pty *pty, int stream)
{
	return atomic_load(&pty->shared->rings[stream].head);
}

uint64_t tn_pty_tail(const struct tn_pty *pty, int stream)
{
	return atomic_load(&pty->shared->rings[stream].tail);
}

bool tn_pty_ended(const struct tn_pty *pty, int stream)
{
	const struct tn_pty_ring *ring = &pty->shared->rings[stream];

	/* In this order: what was written before the end was told counts. */
	return (pty->is_lost || atomic_load(&ring->ended) ||
		(uint32_t)stream >= pty->shared->streams) &&
	       atomic_load(&ring->head) == atomic_load(&ring->tail);
}

struct tn_str tn_pty_peek(const struct tn_pty *pty, int stream, size_t max)
{
	const struct tn_pty_ring *ring = &pty->shared->rings[stream];
	uint64_t tail = atomic_load(&ring->tail);
	size_t at = (size_t)(tail % TN_PTY_RING_BYTES), size;

	size = (size_t)(atomic_load(&ring->head) - tail);
	if (size > TN_PTY_RING_BYTES - at)
		size = TN_PTY_RING_BYTES - at;
	if (size > max)
		size = max;
	return tn_str((const char *)pty->bytes[stream] + at, size);
}

void tn_pty_consume(struct tn_pty *pty, int stream, size_t size)
{
	const struct tn_pty_command room = {.order = TN_PTY_ORDER_ROOM};
	struct tn_pty_ring *ring = &pty->shared->rings[stream];
	uint64_t tail = atomic_load(&ring->tail) + size, head = atomic_load(&ring->head);

	tn_assert(tail <= head);
	atomic_store(&ring->tail, tail);
	if (!(atomic_load(&ring->sleeping) & TN_PTY_KEEPER_SLEEPS))
		return;
	/* For half a ring: or each piece would cost it a wake-up. */
	if (head - tail > TN_PTY_RING_BYTES / 2)
		return;
	(void)atomic_fetch_and(&ring->sleeping, ~(uint32_t)TN_PTY_KEEPER_SLEEPS);
	(void)tn_pty_order(pty, &room); /* nobody there: nothing more comes */
}

void tn_pty_pause(struct tn_pty *pty, bool pause)
{
	pty->paused = pause;
	if (!pause)
		tn_pty_request_turn(pty);
}

/* ---- bytes to it ---- */

static void write_input(struct tn_pty *pty)
{
	while (pty->input.size > 0) {
		ssize_t sent = write(pty->master, pty->input.data, pty->input.size);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 && errno == EAGAIN)
			break;
		if (sent < 0) {
			tn_buf_clear(&pty->input); /* nobody has the terminal open */
			break;
		}
		tn_buf_drop_front(&pty->input, (size_t)sent);
	}
	tn_buf_shrink(&pty->input, INPUT_KEEP_BYTES);
	if (pty->master_io)
		tn_io_watch(pty->master_io, pty->input.size > 0 ? TN_IO_WRITE : 0);
}

static void master_ready(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	write_input(data);
}

enum tenon_code tn_pty_write(struct tn_pty *pty, struct tn_str bytes, struct tenon_error *err)
{
	enum tenon_code code;

	if (pty->master < 0)
		return tn_fail(err, TENON_INVALID, "it has no terminal to type into");
	if (!pty->host || pty->is_lost || tn_pty_has_exited(pty, NULL))
		return tn_fail(err, TENON_EXPIRED, "the program has ended");
	if (bytes.size > TN_PTY_INPUT_MAX - pty->input.size)
		return tn_fail(
			err, TENON_LIMIT,
			"the program has not read what was typed before; %llu bytes may wait",
			(unsigned long long)TN_PTY_INPUT_MAX);
	if (!pty->master_io) {
		code = tn_io_open(pty->host->loop, pty->master, master_ready, pty, &pty->master_io,
				  err);
		if (code != TENON_OK)
			return code;
	}
	if (!tn_buf_reserve(&pty->input, bytes.size)) {
		pty->input.failed = pty->input.starved = false;
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	tn_buf_append_str(&pty->input, bytes);
	write_input(pty);
	return TENON_OK;
}

void tn_pty_discard_input(struct tn_pty *pty)
{
	int slave;

	tn_buf_clear(&pty->input);
	write_input(pty);
	if (pty->master < 0)
		return;
	/* What the kernel holds for the program is flushed at the program's end of it. */
	slave = ioctl(pty->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return;
	(void)tcflush(slave, TCIFLUSH);
	(void)close(slave);
}

/* ---- its turn ---- */

static void serve_bytes(struct tn_pty *pty, const struct tn_pty_events *events)
{
	for (int i = 0; i < TN_PTY_STREAMS && !pty->is_closed && !pty->paused; i++) {
		bool ended = tn_pty_ended(pty, i);

		if ((uint32_t)i >= pty->shared->streams || (ended && pty->ended_told[i]))
			continue;
		if (ended)
			pty->ended_told[i] = true;
		else if (tn_pty_head(pty, i) == tn_pty_tail(pty, i))
			continue;
		if (events->readable)
			events->readable(pty, i, pty->data);
	}
}

static void serve_state(struct tn_pty *pty, const struct tn_pty_events *events)
{
	uint32_t state = atomic_load(&pty->shared->state);
	bool closed = state == TN_PTY_CLOSED || pty->is_lost;
	pid_t killed[TN_PTY_KILLED_MAX];

	if (state >= TN_PTY_EXITED && !pty->exit_told) {
		pty->exit_told = true;
		if (events->exited)
			events->exited(pty, pty->data);
	}
	if (pty->is_closed)
		return;
	if (closed && pty->end_asked && !pty->closed_told) {
		unsigned count = pty->shared->killed_count;

		count = count < TN_PTY_KILLED_MAX ? count : TN_PTY_KILLED_MAX;
		memcpy(killed, pty->shared->killed, count * sizeof(*killed));
		pty->closed_told = true;
		if (events->closed)
			events->closed(pty, killed, count, pty->data);
	} else if (pty->is_lost && !pty->end_asked && !pty->lost_told) {
		pty->lost_told = true;
		if (events->lost)
			events->lost(pty, pty->data);
	}
}

/* True: something came between the last look and the wish to be woken. */
static bool fall_asleep(struct tn_pty *pty)
{
	bool again = false;

	for (uint32_t i = 0; i < pty->shared->streams && !pty->paused; i++) {
		struct tn_pty_ring *ring = &pty->shared->rings[i];

		(void)atomic_fetch_or(&ring->sleeping, TN_PTY_DAEMON_SLEEPS);
		if (atomic_load(&ring->head) != atomic_load(&ring->tail))
			again = true;
		else if (tn_pty_ended(pty, (int)i) && !pty->ended_told[i])
			again = true;
	}
	if (atomic_load(&pty->shared->state) >= TN_PTY_EXITED && !pty->exit_told)
		again = true;
	return again;
}

void tn_pty_serve(struct tn_pty *pty)
{
	const struct tn_pty_events *events = pty->host->options.events;

	pty->is_serving = true;
	serve_bytes(pty, events);
	if (!pty->is_closed && pty->host)
		serve_state(pty, events);
	pty->is_serving = false;
	if (pty->is_closed)
		free_pty(pty);
	else if (pty->host && fall_asleep(pty))
		tn_pty_request_turn(pty);
}
