#include "apps/studio/run/run_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/studio/limits.h"
#include "base/clock.h"
#include "base/mem.h"

enum {
	CHUNK = 64 * 1024,
	LOOK_MS = 20,
	STREAMS = 2,
	FORGET_BYTES = 1024 * 1024,
	KEPT_BYTES = TN_STUDIO_RUN_LINE_BYTES_MAX + CHUNK /* of what may be in no log yet */
};

static const char *const file_names[STREAMS] = {"stdout", "stderr"};

struct stream {
	struct tn_studio_process *process;
	int fd; /* a pipe's end (the child's own), or our file; -1: at its end */
	struct tn_io *io;
	bool is_file;
	uint64_t at, forgotten; /* of a file */
};

struct tn_studio_process {
	struct tn_studio_process_options options;
	struct tn_child *child;
	struct stream streams[STREAMS];
	struct tn_timer *look;
	char *folder;
	bool has_ended;
	struct tn_child_end end;
	char chunk[CHUNK];
};

/* ---- output ---- */

/* What a file has said and the log has need not take room on the disk. */
static void forget(struct stream *stream)
{
	uint64_t end = stream->at > KEPT_BYTES ? stream->at - KEPT_BYTES : 0;

	if (end < stream->forgotten + FORGET_BYTES)
		return;
	if (fallocate(stream->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		      (off_t)stream->forgotten, (off_t)(end - stream->forgotten)) == 0 ||
	    errno == EOPNOTSUPP)
		stream->forgotten = end;
}

/* One chunk. False: nothing is there now. */
static bool read_some(struct stream *stream)
{
	struct tn_studio_process *process = stream->process;
	ssize_t got;

	if (stream->fd < 0)
		return false;
	do
		got = stream->is_file ? pread(stream->fd, process->chunk, CHUNK, (off_t)stream->at)
				      : read(stream->fd, process->chunk, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got <= 0) {
		if (!stream->is_file && (got == 0 || errno != EAGAIN)) {
			tn_io_close(stream->io);
			stream->io = NULL;
			stream->fd = -1;
		}
		return false;
	}
	stream->at += (uint64_t)got;
	if (stream->is_file)
		forget(stream);
	process->options.output(tn_str(process->chunk, (size_t)got), stream == &process->streams[1],
				process->options.data);
	return true;
}

static void pipe_ready(struct tn_io *io, int events, void *data)
{
	(void)io;
	(void)events;
	(void)read_some(data);
}

static void look_due(struct tn_timer *timer, void *data)
{
	struct tn_studio_process *process = data;

	/* A chunk of each a turn: others want theirs, too. */
	bool more = false;

	for (int i = 0; i < STREAMS; i++)
		more = read_some(&process->streams[i]) || more;
	tn_timer_start(timer, more ? 0 : LOOK_MS);
}

/* ---- the end ---- */

static void remove_files(const struct tn_studio_process *process)
{
	char path[4200];

	for (int i = 0; process->folder && i < STREAMS; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", process->folder, file_names[i]) <
		    (int)sizeof(path))
			(void)unlink(path); /* it stays, then: nobody reads it */
	}
}

static void exited(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct tn_studio_process *process = data;

	(void)child;
	process->has_ended = true;
	process->end = end;
	for (int i = 0; i < STREAMS; i++) {
		while (read_some(&process->streams[i]))
			; /* its group is dead: this comes to an end */
	}
	if (process->look)
		tn_timer_stop(process->look);
	remove_files(process);
	process->options.ended(end, process->options.data);
}

bool tn_studio_process_wait(struct tn_studio_process *process, uint64_t at_most_ms)
{
	uint64_t start = tn_clock_now_ms(&tn_clock_system);
	siginfo_t info = {0};

	while (!process->has_ended) {
		for (int i = 0; i < STREAMS; i++) {
			while (read_some(&process->streams[i]))
				;
		}
		if (waitid(P_PID, (id_t)tn_child_pid(process->child), &info,
			   WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid != 0) {
			struct tn_child_end end = {.by_signal = info.si_code != CLD_EXITED,
						   .number = info.si_status};

			tn_child_signal(process->child, SIGKILL); /* what it left behind */
			exited(process->child, end, process);
			return true;
		}
		if (tn_clock_now_ms(&tn_clock_system) - start >= at_most_ms)
			return false;
		(void)poll(NULL, 0, LOOK_MS);
	}
	return true;
}

static void let_go(struct tn_studio_process *process)
{
	for (int i = 0; i < STREAMS; i++) {
		struct stream *stream = &process->streams[i];

		tn_io_close(stream->io);
		if (stream->is_file && stream->fd >= 0)
			(void)close(stream->fd); /* only read from */
	}
	tn_timer_close(process->look);
	tn_mem_free(process->folder);
	tn_mem_free(process);
}

void tn_studio_process_leave(struct tn_studio_process *process)
{
	for (int i = 0; i < STREAMS; i++)
		tn_io_close(process->streams[i].io);
	for (int i = 0; i < STREAMS; i++)
		process->streams[i].io = NULL;
	tn_child_leave(process->child);
	let_go(process);
}

void tn_studio_process_free(struct tn_studio_process *process)
{
	if (!process)
		return;
	for (int i = 0; i < STREAMS; i++) {
		tn_io_close(process->streams[i].io);
		process->streams[i].io = NULL;
	}
	if (!process->has_ended)
		remove_files(process);
	tn_child_free(process->child);
	let_go(process);
}

int tn_studio_process_pid(const struct tn_studio_process *process)
{
	return tn_child_pid(process->child);
}

void tn_studio_process_signal(struct tn_studio_process *process, int number)
{
	if (!process->has_ended)
		tn_child_signal(process->child, number);
}

/* ---- the start ---- */

/* Makes the file and opens it a second time for us. */
static enum tenon_code open_file(struct tn_studio_process *process, int i, int *ret_theirs,
				 struct tenon_error *err)
{
	struct stream *stream = &process->streams[i];
	char path[4200];

	if (snprintf(path, sizeof(path), "%s/%s", process->folder, file_names[i]) >=
	    (int)sizeof(path))
		return tn_fail(err, TENON_LIMIT, "the project's path is too long");
	(void)unlink(path); /* none is there, or it is an old one */
	*ret_theirs =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*ret_theirs < 0)
		return tn_fail_errno(err, errno, "make a file for the engine's output");
	stream->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (stream->fd < 0)
		return tn_fail_errno(err, errno, "open a file for the engine's output");
	stream->is_file = true;
	return TENON_OK;
}

static enum tenon_code start_child(struct tn_studio_process *process, const int theirs[STREAMS],
				   struct tenon_error *err)
{
	const struct tn_studio_process_options *options = &process->options;
	const struct tn_child_options child = {.command = options->argv,
					       .env = options->env,
					       .directory = options->directory,
					       .program = options->program,
					       .kept = options->kept,
					       .kept_count = options->kept_count,
					       .new_session = true,
					       .no_input = true,
					       .outlives_us = process->folder != NULL,
					       .stdout_file = theirs[0],
					       .stderr_file = theirs[1],
					       .exited = exited,
					       .data = process};
	enum tenon_code code = tn_child_open(options->loop, &child, &process->child, err);

	for (int i = 0; code == TENON_OK && i < STREAMS && !process->folder; i++) {
		struct stream *stream = &process->streams[i];

		stream->fd =
			tn_child_fd(process->child, i == 0 ? TN_CHILD_STDOUT : TN_CHILD_STDERR);
		code = tn_io_open(options->loop, stream->fd, pipe_ready, stream, &stream->io, err);
		if (code == TENON_OK)
			tn_io_watch(stream->io, TN_IO_READ);
	}
	if (code == TENON_OK && process->folder) {
		code = tn_timer_open(options->loop, look_due, process, &process->look, err);
		if (code == TENON_OK)
			tn_timer_start(process->look, LOOK_MS);
	}
	return code;
}

enum tenon_code tn_studio_process_start(const struct tn_studio_process_options *options,
					struct tn_studio_process **ret, struct tenon_error *err)
{
	struct tn_studio_process *process = tn_mem_alloc(sizeof(*process));
	int theirs[STREAMS] = {0};
	enum tenon_code code = TENON_OK;

	if (!process)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	process->options = *options;
	for (int i = 0; i < STREAMS; i++)
		process->streams[i] = (struct stream){.process = process, .fd = -1};
	if (options->folder) {
		process->folder = tn_mem_copy_text(options->folder, strlen(options->folder));
		if (!process->folder)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
		for (int i = 0; i < STREAMS && code == TENON_OK; i++)
			code = open_file(process, i, &theirs[i], err);
	}
	if (code == TENON_OK)
		code = start_child(process, theirs, err);
	process->options.argv = process->options.env = NULL;
	process->options.kept = NULL;
	process->options.program = process->options.directory = NULL;
	for (int i = 0; i < STREAMS; i++) {
		if (theirs[i] > 0)
			(void)close(theirs[i]); /* the child has its own */
	}
	if (code == TENON_OK)
		*ret = process;
	else
		tn_studio_process_free(process);
	return code;
}

/* ---- one whose output is wanted whole ---- */

struct tn_studio_capture {
	struct tn_studio_capture_options options;
	struct tn_studio_process *process;
	struct tn_timer *timer;
	struct tn_buf out;
	bool late;
};

static void capture_output(struct tn_str bytes, bool is_stderr, void *data)
{
	struct tn_studio_capture *capture = data;

	if (!is_stderr)
		tn_buf_append_str(&capture->out, bytes);
}

static void capture_ended(struct tn_child_end end, void *data)
{
	struct tn_studio_capture *capture = data;
	enum tenon_code code = TENON_OK;

	if (capture->late)
		code = TENON_EXPIRED;
	else if (capture->out.failed)
		code = capture->out.starved ? TENON_NO_MEMORY : TENON_LIMIT;
	capture->options.done(code, end.by_signal ? 128 + end.number : end.number,
			      tn_buf_str(&capture->out), capture->options.data);
}

static void capture_late(struct tn_timer *timer, void *data)
{
	struct tn_studio_capture *capture = data;

	(void)timer;
	capture->late = true;
	tn_studio_process_signal(capture->process, SIGKILL); /* it only reads */
}

enum tenon_code tn_studio_capture_start(const struct tn_studio_capture_options *options,
					struct tn_studio_capture **ret, struct tenon_error *err)
{
	struct tn_studio_capture *capture = tn_mem_alloc(sizeof(*capture));
	const struct tn_studio_process_options process = {.loop = options->loop,
							  .argv = options->argv,
							  .env = options->env,
							  .directory = options->directory,
							  .program = options->program,
							  .kept = options->kept,
							  .kept_count = options->kept_count,
							  .output = capture_output,
							  .ended = capture_ended,
							  .data = capture};
	enum tenon_code code;

	if (!capture)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	capture->options = *options;
	tn_buf_init(&capture->out, options->bytes_max);
	code = tn_timer_open(options->loop, capture_late, capture, &capture->timer, err);
	if (code == TENON_OK)
		code = tn_studio_process_start(&process, &capture->process, err);
	if (code != TENON_OK) {
		tn_studio_capture_free(capture);
		return code;
	}
	if (options->timeout_ms > 0)
		tn_timer_start(capture->timer, options->timeout_ms);
	*ret = capture;
	return TENON_OK;
}

struct tn_buf *tn_studio_capture_out(struct tn_studio_capture *capture)
{
	return &capture->out;
}

void tn_studio_capture_free(struct tn_studio_capture *capture)
{
	if (!capture)
		return;
	tn_studio_process_free(capture->process);
	tn_timer_close(capture->timer);
	tn_buf_finish(&capture->out);
	tn_mem_free(capture);
}
