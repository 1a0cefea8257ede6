#include "apps/workbench/launch/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "base/clock.h"
#include "base/mem.h"

enum {
	STREAMS = 2,
	READ_BYTES = 16 * 1024,
	REST_FACTOR = 3,
	REST_LEAST_US = 1000,
	SECOND_MS = 1000
};

struct stream {
	struct tn_wb_process *process;
	int fd; /* the child's; -1: at its end */
	struct tn_io *io;
	struct tn_buf line;   /* what has come of one that has not ended */
	struct tn_buf unread; /* came before it was held, and is told after */
};

struct tn_wb_process {
	struct tn_wb_process_options options;
	struct tn_child *child;
	struct stream streams[STREAMS];
	struct tn_io *in;
	struct tn_buf waiting; /* for its standard input */
	struct tn_timer *rest; /* while it runs nothing is read */
	uint64_t spent_us;     /* on its lines, and not rested for yet */
	size_t rate_bytes;     /* in a second; 0: as many as there are */
	size_t got_bytes;      /* since then: */
	uint64_t got_since_ms;
	bool held, has_ended;
	struct tn_child_end end;
	bool *freed; /* set when it is freed; for whoever is calling out */
};

/* ---- lines ---- */

/* False: the process has been freed. */
static bool tell(struct stream *stream, struct tn_str line)
{
	struct tn_wb_process *process = stream->process;
	bool freed = false, *before = process->freed;

	if (line.size && line.data[line.size - 1] == '\r')
		line.size--;
	process->freed = &freed;
	process->options.line(process->options.data, line, stream == &process->streams[1]);
	if (!freed)
		process->freed = before;
	else if (before)
		*before = true;
	return !freed;
}

static void keep(struct stream *stream, struct tn_str part)
{
	size_t max = stream->process->options.line_max;
	size_t room = stream->line.size < max ? max - stream->line.size : 0;

	tn_buf_append(&stream->line, part.data, part.size < room ? part.size : room);
}

static bool take(struct stream *stream, struct tn_str bytes)
{
	while (bytes.size) {
		size_t end = tn_str_find_byte(bytes, '\n');

		if (stream->process->held) {
			tn_buf_append_str(&stream->unread, bytes);
			return true;
		}
		keep(stream, tn_str(bytes.data, end == TN_STR_NONE ? bytes.size : end));
		if (end == TN_STR_NONE)
			return true;
		if (!tell(stream, tn_buf_str(&stream->line)))
			return false;
		tn_buf_clear(&stream->line);
		tn_buf_shrink(&stream->line, READ_BYTES);
		bytes = tn_str_from_offset(bytes, end + 1);
	}
	return true;
}

static void close_stream(struct stream *stream)
{
	tn_io_close(stream->io);
	stream->io = NULL;
	stream->fd = -1;
}

/* -1: the process has been freed; 0: nothing is there now. */
static int read_some(struct stream *stream)
{
	char bytes[READ_BYTES];
	ssize_t got;

	if (stream->fd < 0)
		return 0;
	got = read(stream->fd, bytes, sizeof(bytes));
	if (got > 0)
		stream->process->got_bytes += (size_t)got;
	if (got > 0)
		return take(stream, tn_str(bytes, (size_t)got)) ? 1 : -1;
	if (got == 0 || (errno != EAGAIN && errno != EINTR))
		close_stream(stream);
	return 0;
}

/* ---- the loop's time ---- */

static void watch(struct tn_wb_process *process, int events)
{
	for (int i = 0; i < STREAMS; i++)
		if (process->streams[i].io)
			tn_io_watch(process->streams[i].io, events);
}

/* What is left of this second when it has printed enough in it; else 0. */
static uint64_t too_much_ms(struct tn_wb_process *process)
{
	uint64_t now = tn_clock_now_us(&tn_clock_system) / 1000;

	if (now - process->got_since_ms >= SECOND_MS) {
		process->got_since_ms = now;
		process->got_bytes = 0;
	}
	if (!process->rate_bytes || process->got_bytes < process->rate_bytes)
		return 0;
	return process->got_since_ms + SECOND_MS - now;
}

/* Reads on now, or after the others have had their time. */
static void go_on(struct tn_wb_process *process)
{
	uint64_t wait_ms = too_much_ms(process);

	if (process->held)
		return;
	if (process->spent_us >= REST_LEAST_US) {
		uint64_t rest_ms = process->spent_us * REST_FACTOR / 1000 + 1;

		wait_ms = rest_ms > wait_ms ? rest_ms : wait_ms;
		process->spent_us = 0;
	}
	if (wait_ms || process->has_ended) {
		watch(process, 0);
		tn_timer_start(process->rest, wait_ms);
	} else {
		watch(process, TN_IO_READ);
	}
}

/* -1: the process has been freed; 0: nothing is there now. */
static int read_timed(struct stream *stream)
{
	uint64_t began = tn_clock_now_us(&tn_clock_system);
	struct tn_wb_process *process = stream->process;
	int got = read_some(stream);

	if (got >= 0)
		process->spent_us += tn_clock_now_us(&tn_clock_system) - began;
	return got;
}

static void ready(struct tn_io *io, int events, void *data)
{
	struct stream *stream = data;
	struct tn_wb_process *process = stream->process;

	(void)io;
	(void)events;
	if (!process->held && read_timed(stream) >= 0)
		go_on(process);
}

/* False: the process has been freed. */
static bool take_unread(struct tn_wb_process *process)
{
	for (int i = 0; i < STREAMS; i++) {
		struct stream *stream = &process->streams[i];
		struct tn_buf unread = stream->unread;
		bool lives;

		tn_buf_init(&stream->unread, READ_BYTES);
		lives = take(stream, tn_buf_str(&unread));
		tn_buf_finish(&unread);
		if (!lives)
			return false;
	}
	return true;
}

/* All that it had are dead: what is there comes to an end. */
static void tell_end(struct tn_wb_process *process)
{
	for (int i = 0; i < STREAMS; i++) {
		struct stream *stream = &process->streams[i];

		if (stream->line.size && !tell(stream, tn_buf_str(&stream->line)))
			return;
		tn_buf_clear(&stream->line);
	}
	process->options.ended(process->options.data, process->end);
}

static void rested(struct tn_timer *timer, void *data)
{
	struct tn_wb_process *process = data;
	bool is_over = process->has_ended;

	(void)timer;
	if (process->held || !take_unread(process) || process->held)
		return;
	for (int i = 0; process->has_ended && i < STREAMS; i++) {
		int got = read_timed(&process->streams[i]);

		if (got < 0)
			return;
		is_over = is_over && got == 0;
	}
	if (is_over && !process->held)
		tell_end(process);
	else
		go_on(process);
}

void tn_wb_process_bound(struct tn_wb_process *process, size_t line_max, size_t rate_bytes)
{
	process->options.line_max = line_max;
	process->rate_bytes = rate_bytes;
}

void tn_wb_process_follow(struct tn_wb_process *process,
			  void (*line)(void *data, struct tn_str line, bool is_stderr),
			  void (*ended)(void *data, struct tn_child_end end), void *data)
{
	process->options.line = line;
	process->options.ended = ended;
	process->options.data = data;
}

void tn_wb_process_hold(struct tn_wb_process *process, bool held)
{
	process->held = held;
	watch(process, 0);
	tn_timer_stop(process->rest);
	if (!held)
		tn_timer_start(process->rest, 0);
}

/* ---- what is written to it ---- */

static void flush(struct tn_wb_process *process)
{
	struct tn_buf *waiting = &process->waiting;
	int fd = process->child ? tn_child_fd(process->child, TN_CHILD_STDIN) : -1;

	while (fd >= 0 && waiting->size) {
		ssize_t sent = send(fd, waiting->data, waiting->size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (sent <= 0)
			tn_buf_clear(waiting); /* it reads no more, and its end is told */
		else
			tn_buf_drop_front(waiting, (size_t)sent);
	}
	if (process->in)
		tn_io_watch(process->in, waiting->size ? TN_IO_WRITE : 0);
}

static void writable(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	flush(data);
}

bool tn_wb_process_send(struct tn_wb_process *process, struct tn_str line)
{
	tn_buf_append_str(&process->waiting, line);
	tn_buf_append_byte(&process->waiting, '\n');
	if (process->waiting.failed)
		return false;
	flush(process);
	return true;
}

/* ---- the end ---- */

static void exited(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct tn_wb_process *process = data;

	(void)child;
	process->has_ended = true;
	process->end = end;
	go_on(process);
}

void tn_wb_process_stop(struct tn_wb_process *process)
{
	if (!process->has_ended)
		tn_child_signal(process->child, SIGTERM);
}

void tn_wb_process_free(struct tn_wb_process *process)
{
	if (!process)
		return;
	if (process->freed)
		*process->freed = true;
	for (int i = 0; i < STREAMS; i++) {
		close_stream(&process->streams[i]);
		tn_buf_finish(&process->streams[i].line);
		tn_buf_finish(&process->streams[i].unread);
	}
	tn_io_close(process->in);
	tn_timer_close(process->rest);
	tn_child_free(process->child);
	tn_buf_finish(&process->waiting);
	tn_mem_free(process);
}

void tn_wb_process_put_end(struct tn_buf *out, struct tn_child_end end)
{
	if (end.by_signal)
		tn_buf_format(out, "signal %d (%s)", end.number, strsignal(end.number));
	else
		tn_buf_format(out, "exit status %d", end.number);
}

/* ---- the start ---- */

static enum tenon_code open_streams(struct tn_wb_process *process, struct tenon_error *err)
{
	static const enum tn_child_stream of[STREAMS] = {TN_CHILD_STDOUT, TN_CHILD_STDERR};
	struct tn_loop *loop = process->options.loop;
	enum tenon_code code = TENON_OK;

	for (int i = 0; code == TENON_OK && i < STREAMS; i++) {
		struct stream *stream = &process->streams[i];

		stream->fd = tn_child_fd(process->child, of[i]);
		code = tn_io_open(loop, stream->fd, ready, stream, &stream->io, err);
	}
	if (code == TENON_OK)
		code = tn_io_open(loop, tn_child_fd(process->child, TN_CHILD_STDIN), writable,
				  process, &process->in, err);
	if (code == TENON_OK)
		watch(process, TN_IO_READ);
	return code;
}

enum tenon_code tn_wb_process_start(const struct tn_wb_process_options *options,
				    struct tn_wb_process **ret, struct tenon_error *err)
{
	struct tn_wb_process *process = tn_mem_alloc(sizeof(*process));
	const struct tn_child_options child = {.command = options->command,
					       .env = options->env,
					       .directory = options->directory,
					       .new_session = true,
					       .guarded = true,
					       .exited = exited,
					       .data = process};
	enum tenon_code code;

	if (!process)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	process->options = *options;
	process->options.command = process->options.env = NULL;
	process->options.directory = NULL;
	tn_buf_init(&process->waiting, TN_WB_INPUT_BYTES_MAX);
	for (int i = 0; i < STREAMS; i++) {
		process->streams[i] = (struct stream){.process = process, .fd = -1};
		tn_buf_init(&process->streams[i].line, options->line_max);
		tn_buf_init(&process->streams[i].unread, READ_BYTES);
	}
	code = tn_timer_open(options->loop, rested, process, &process->rest, err);
	if (code == TENON_OK)
		code = tn_child_open(options->loop, &child, &process->child, err);
	if (code == TENON_OK)
		code = open_streams(process, err);
	if (code != TENON_OK) {
		tn_wb_process_free(process);
		return code;
	}
	*ret = process;
	return TENON_OK;
}
