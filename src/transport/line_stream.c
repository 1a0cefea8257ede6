#include "transport/line_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "loop/limits.h"
#include "transport/limits.h"

enum { DIRECT_BYTES = 32 * 1024 };

struct tn_line_stream {
	struct tn_loop *loop;
	int in_fd, out_fd;
	bool own_in, own_out; /* re-opened for ourselves */
	bool in_socket, out_socket;
	bool one_socket;        /* for both directions */
	struct tn_io *in, *out; /* NULL for descriptors that cannot be watched: plain files */
	struct tn_later *turn;  /* goes on with held lines; reads a plain file chunk by chunk */
	struct tn_later *flush_turn;
	const struct tn_line_stream_events *events;
	void *data;
	size_t line_max;
	struct tn_buf input; /* an unfinished line, or the chunk being taken apart */
	size_t searched;     /* bytes of it known to hold no newline */
	bool skipping;       /* the rest of an over-long line */
	bool held;           /* lines are left because the peer reads too slowly */
	bool ended, broken, paused, stopped, in_chunk;
	bool asked_to_wait;   /* tn_line_stream_pause */
	struct tn_buf output; /* not written yet */
};

/* ---- descriptors ----
 *
 * O_NONBLOCK belongs to the open file, which we share with whoever started us (a shell's terminal,
 * a sibling's pipe). So pipes and terminals are opened again through /proc for flags of our own;
 * sockets are read and written with MSG_DONTWAIT instead. */

static int reopen(int fd, int mode)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, mode | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

static bool is_socket(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode);
}

static bool is_watchable(int fd)
{
	struct stat info;

	return fstat(fd, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) ||
					 (S_ISCHR(info.st_mode) && isatty(fd)));
}

static void own_descriptor(int *fd, bool *own, bool *socket, int mode)
{
	int copy;

	*socket = is_socket(*fd);
	if (*socket || !is_watchable(*fd))
		return;
	(void)fcntl(*fd, F_SETPIPE_SZ,
		    (int)TN_PIPE_BYTES); /* no pipe, or refused: works as it is */
	copy = reopen(*fd, mode);
	if (copy >= 0) {
		*fd = copy;
		*own = true;
	} else {
		int flags = fcntl(*fd, F_GETFL);

		if (flags >= 0)
			(void)fcntl(*fd, F_SETFL, flags | O_NONBLOCK); /* without /proc: shared */
	}
}

/* ---- output ---- */

static void break_stream(struct tn_line_stream *s)
{
	if (s->broken)
		return;
	s->broken = true;
	tn_buf_clear(&s->output);
	if (s->in)
		tn_io_watch(s->in, 0);
	if (s->out)
		tn_io_watch(s->out, 0);
	s->events->broken(s, s->data);
}

/* Writes as much as fits; returns the bytes written, or -1 when the stream is broken. */
static ssize_t write_parts(struct tn_line_stream *s, struct iovec *parts, int count)
{
	for (;;) {
		ssize_t wrote;

		if (s->out_socket) {
			struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};

			wrote = sendmsg(s->out_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
		} else {
			wrote = writev(s->out_fd, parts, count);
		}
		if (wrote >= 0)
			return wrote;
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return 0;
		if (errno != EINTR)
			return -1;
	}
}

static void watch_input(struct tn_line_stream *s);

static void update_watch(struct tn_line_stream *s)
{
	if (s->out)
		tn_io_watch(s->out, s->output.size ? TN_IO_WRITE : 0);
	if (s->paused && s->output.size < TN_OUTPUT_QUEUE_MAX / 2) {
		s->paused = false;
		watch_input(s);
		if (s->events->relieved)
			s->events->relieved(s, s->data);
	} else if (!s->paused && s->output.size > TN_OUTPUT_QUEUE_MAX) {
		s->paused = true;
		watch_input(s);
	}
	if (s->held && !s->paused && !s->asked_to_wait)
		tn_later_request(s->turn);
}

bool tn_line_stream_flush(struct tn_line_stream *s)
{
	if (s->broken)
		return true;
	while (s->output.size) {
		struct iovec part = {s->output.data, s->output.size};
		ssize_t wrote = write_parts(s, &part, 1);

		if (wrote < 0) {
			break_stream(s);
			return true;
		}
		if (wrote == 0)
			break;
		tn_buf_drop_front(&s->output, (size_t)wrote);
	}
	tn_buf_shrink(&s->output, TN_STDIO_READ_BYTES);
	update_watch(s);
	return s->output.size == 0;
}

static void flush_due(struct tn_later *later, void *data)
{
	(void)later;
	(void)tn_line_stream_flush(data);
}

static void out_ready(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	(void)tn_line_stream_flush(data);
}

/* Queue, line and newline in one call, without copying the line. */
static void send_direct(struct tn_line_stream *s, struct tn_str line)
{
	struct iovec parts[3] = {{s->output.data, s->output.size},
				 {(void *)(uintptr_t)line.data, line.size},
				 {(void *)(uintptr_t) "\n", 1}};
	size_t queued = s->output.size;
	ssize_t wrote = write_parts(s, parts, 3);
	size_t done;

	if (wrote < 0) {
		break_stream(s);
		return;
	}
	done = (size_t)wrote;
	if (done <= queued) {
		tn_buf_drop_front(&s->output, done);
		done = 0;
	} else {
		tn_buf_clear(&s->output);
		done -= queued;
	}
	if (done < line.size)
		tn_buf_append(&s->output, line.data + done, line.size - done);
	if (done <= line.size)
		tn_buf_append_byte(&s->output, '\n');
	update_watch(s);
}

void tn_line_stream_send(struct tn_line_stream *s, struct tn_str line)
{
	if (s->broken)
		return;
	if (line.size >= DIRECT_BYTES) {
		send_direct(s, line);
	} else {
		tn_buf_append_str(&s->output, line);
		tn_buf_append_byte(&s->output, '\n');
		if (!s->in_chunk)
			tn_later_request(s->flush_turn);
	}
	if (s->output.failed) /* past every cap although we stopped reading: give up on the peer */
		break_stream(s);
}

size_t tn_line_stream_queued(const struct tn_line_stream *s)
{
	return s->output.size;
}

/* ---- input ---- */

static struct tn_str without_cr(struct tn_str line)
{
	if (line.size && line.data[line.size - 1] == '\r')
		line.size--;
	return line;
}

static void deliver(struct tn_line_stream *s, struct tn_str line)
{
	line = without_cr(line);
	if (line.size > s->line_max)
		s->events->too_long(s, s->data);
	else if (tn_str_trim(line).size)
		s->events->line(s, line, s->data);
}

/* Hands over the complete lines of the input and keeps the rest. */
static void take_lines(struct tn_line_stream *s)
{
	size_t at = 0;

	s->in_chunk = true;
	s->held = false;
	for (;;) {
		const char *start = s->input.data + at;
		size_t known = s->searched > at ? s->searched - at : 0;
		const char *end = s->input.size - at > known
					  ? memchr(start + known, '\n', s->input.size - at - known)
					  : NULL;

		if (!end || s->broken || s->stopped)
			break;
		s->held = s->output.size > TN_OUTPUT_QUEUE_MAX || s->asked_to_wait;
		if (s->held)
			break;
		if (!s->skipping)
			deliver(s, tn_str(start, (size_t)(end - start)));
		s->skipping = false; /* its end has come */
		at = (size_t)(end - s->input.data) + 1;
	}
	s->in_chunk = false;
	tn_buf_drop_front(&s->input, at);
	s->searched = s->held ? 0 : s->input.size;
	if (s->input.size > s->line_max && !s->skipping && !s->held) {
		s->skipping = true;
		s->events->too_long(s, s->data);
	}
	if (s->skipping) {
		tn_buf_clear(&s->input);
		s->searched = 0;
	}
	tn_buf_shrink(&s->input, TN_STDIO_READ_BYTES);
	(void)tn_line_stream_flush(s);
	watch_input(s); /* held lines come before what is still to be read */
}

static void end_input(struct tn_line_stream *s)
{
	s->ended = true;
	watch_input(s);
	if (s->input.size && !s->skipping && !s->stopped) /* MCP-080: a last line without its end */
		deliver(s, tn_buf_str(&s->input));
	tn_buf_finish(&s->input);
	(void)tn_line_stream_flush(s);
	s->events->end(s, s->data);
}

/* One read and what it brings; false when there is nothing to read now. */
static bool read_some(struct tn_line_stream *s)
{
	ssize_t got;

	if (!tn_buf_reserve(&s->input, TN_STDIO_READ_BYTES)) {
		break_stream(s);
		return false;
	}
	got = s->in_socket ? recv(s->in_fd, s->input.data + s->input.size, TN_STDIO_READ_BYTES,
				  MSG_DONTWAIT)
			   : read(s->in_fd, s->input.data + s->input.size,
				  s->input.capacity - s->input.size);
	if (got < 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
			return false;
		if (s->one_socket) { /* an end leaves the other direction open, a reset none */
			break_stream(s);
			return false;
		}
		got = 0; /* a broken pipe ends the conversation like any end */
	}
	if (got == 0) {
		end_input(s);
		return false;
	}
	s->input.size += (size_t)got;
	take_lines(s);
	return true;
}

static void in_ready(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	(void)read_some(data);
}

static bool wants_input(const struct tn_line_stream *s)
{
	return !s->ended && !s->paused && !s->held && !s->stopped && !s->broken &&
	       !s->asked_to_wait;
}

static void turn_due(struct tn_later *later, void *data)
{
	struct tn_line_stream *s = data;

	if (s->held && !s->paused && !s->asked_to_wait)
		take_lines(s);
	if (!s->in && wants_input(s) && read_some(s))
		tn_later_request(later);
}

static void watch_input(struct tn_line_stream *s)
{
	if (s->in)
		tn_io_watch(s->in, wants_input(s) ? TN_IO_READ : 0);
	else if (wants_input(s))
		tn_later_request(s->turn);
}

void tn_line_stream_pause(struct tn_line_stream *s, bool pause)
{
	if (s->asked_to_wait == pause)
		return;
	s->asked_to_wait = pause;
	watch_input(s);
	if (s->held && !pause)
		tn_later_request(s->turn);
}

void tn_line_stream_stop_reading(struct tn_line_stream *s)
{
	s->stopped = true;
	watch_input(s);
}

/* ---- life ---- */

/* The loop makes what it watches non-blocking; a socket is shared as it is, and needs no such flag.
 */
static enum tenon_code watch(struct tn_line_stream *s, int fd, bool socket, tn_io_fn *ready,
			     struct tn_io **ret, struct tenon_error *err)
{
	int flags = fcntl(fd, F_GETFL);
	enum tenon_code code = tn_io_open(s->loop, fd, ready, s, ret, err);

	if (socket && flags >= 0)
		(void)fcntl(fd, F_SETFL, flags); /* refused: it stays as the loop made it */
	return code;
}

static enum tenon_code open_handles(struct tn_line_stream *s, struct tenon_error *err)
{
	enum tenon_code code = tn_later_open(s->loop, flush_due, s, &s->flush_turn, err);

	if (code == TENON_OK)
		code = tn_later_open(s->loop, turn_due, s, &s->turn, err);
	if (code == TENON_OK && is_watchable(s->in_fd))
		code = watch(s, s->in_fd, s->in_socket, in_ready, &s->in, err);
	/* A socket on both sides is one descriptor of the kernel's poll: a copy gets its own. */
	if (code == TENON_OK && is_watchable(s->out_fd) && s->out_fd == s->in_fd) {
		s->out_fd = fcntl(s->out_fd, F_DUPFD_CLOEXEC, 3);
		s->own_out = true;
	}
	if (code == TENON_OK && is_watchable(s->out_fd))
		code = watch(s, s->out_fd, s->out_socket, out_ready, &s->out, err);
	return code;
}

enum tenon_code tn_line_stream_open(struct tn_loop *loop, int in_fd, int out_fd, size_t line_max,
				    const struct tn_line_stream_events *events, void *data,
				    struct tn_line_stream **ret, struct tenon_error *err)
{
	struct tn_line_stream *s = tn_mem_alloc(sizeof(*s));
	enum tenon_code code;

	if (!s)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	s->loop = loop;
	s->in_fd = in_fd;
	s->out_fd = out_fd;
	s->events = events;
	s->data = data;
	s->line_max = line_max;
	tn_buf_init(&s->input, line_max + 2 * TN_STDIO_READ_BYTES);
	tn_buf_init(&s->output, TN_OUTPUT_QUEUE_MAX + TN_RESULT_BYTES_MAX);
	own_descriptor(&s->in_fd, &s->own_in, &s->in_socket, O_RDONLY);
	s->one_socket = s->in_socket && in_fd == out_fd;
	own_descriptor(&s->out_fd, &s->own_out, &s->out_socket, O_WRONLY);
	code = open_handles(s, err);
	if (code != TENON_OK) {
		tn_line_stream_close(s);
		return code;
	}
	watch_input(s);
	*ret = s;
	return TENON_OK;
}

void tn_line_stream_close(struct tn_line_stream *s)
{
	if (!s)
		return;
	tn_io_close(s->in);
	tn_io_close(s->out);
	tn_later_close(s->turn);
	tn_later_close(s->flush_turn);
	if (s->own_in)
		(void)close(s->in_fd); /* read only: nothing is lost */
	if (s->own_out)
		(void)close(s->out_fd); /* everything that could be written has been */
	tn_buf_finish(&s->input);
	tn_buf_finish(&s->output);
	tn_mem_free(s);
}
