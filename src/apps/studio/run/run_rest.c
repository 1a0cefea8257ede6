/* What a lost run's engine said when nobody heard it any more. An apply goes on without the daemon
 * and writes to files of the run's folder (9.6). Once it has ended, what of them the log does not
 * have is taken into it, line by line as if it had been heard, and the files go.
 *
 * They are raw: what nobody may read has to be hidden by what was hidden when the run began. When
 * that is no longer the same (a password was changed since), nothing of them is shown. Until then
 * the log stays as it is, so that its numbers stay, too. A chunk a turn of the loop. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "store/file.h"

/* A folder from elsewhere may have a thousand such runs: so many are open at once, each with a
 * descriptor and a chunk. */
enum { CHUNK = 64 * 1024, LOOK_MS = 200, OPEN_MAX = 16 };

enum stage {
	QUEUED,   /* others are open */
	LOOKING,  /* how far the log is */
	WAITING,  /* the engine still runs */
	READING,  /* the files, one after the other */
	WITHHELD, /* for good */
	FAILED,   /* when it is next opened, perhaps */
	OVER
};

struct tn_studio_rest {
	struct tn_studio_run *run;
	struct tn_timer *timer;
	enum stage stage;
	bool is_open;
	bool has_files; /* what ended with us has none, and its log is whole */
	int stream, fd; /* the file that is read; -1: not open */
	uint64_t at;
	int64_t said_ms; /* by the clock on the wall: when something was last written; 0: never */
	int pid;         /* of the engine */
	uint64_t pid_start;
	struct tn_studio_lines lines;
	struct tn_buf chunk;
};

static const char *const streams[] = {"stdout", "stderr"};

static bool path_of(const struct tn_studio_run *run, int stream, char path[TN_STUDIO_RUN_PATH_SIZE])
{
	return tn_studio_run_path(path, run->folder, streams[stream]);
}

/* Whether there are files, and when they were last written to. */
static void look_at_files(struct tn_studio_rest *rest)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct stat about;

	for (int i = 0; i < 2; i++) {
		int64_t written_ms;

		if (!path_of(rest->run, i, path) || lstat(path, &about) != 0)
			continue;
		rest->has_files = true;
		written_ms = (int64_t)about.st_mtim.tv_sec * 1000 + about.st_mtim.tv_nsec / 1000000;
		if (about.st_size > 0 && written_ms > rest->said_ms)
			rest->said_ms = written_ms;
	}
}

static void remove_files(const struct tn_studio_run *run)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	for (int i = 0; i < 2; i++) {
		if (path_of(run, i, path))
			(void)unlink(path); /* its lines are in the log: nothing comes twice */
	}
}

/* What is hidden now is what was hidden then. */
static bool is_safe(const struct tn_studio_run *run)
{
	struct tn_str then = {NULL, 0};
	char now[TN_DIGEST_HEX_SIZE];

	(void)tn_json_to_str(tn_json_get(tn_json_get(run->record, "private"), "hidden"), &then);
	return then.size > 0 && run->project && tn_studio_redact_digest(run->project, now) &&
	       tn_str_is(then, now);
}

/* ---- the files ---- */

static void take_line(struct tn_str raw, uint64_t cut, void *data)
{
	struct tn_studio_rest *rest = data;
	struct tn_studio_run *run = rest->run;
	struct tn_studio_run_line line;
	struct tn_studio_said said;
	struct tn_arena arena;
	struct tn_buf text;

	tn_arena_init(&arena, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
	tn_buf_init(&text, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	line = tn_studio_run_line_of(run, raw, cut, rest->stream == 1, &arena, &text, &said);
	line.at = rest->lines.at;
	tn_studio_run_log_add(&run->log, &line, rest->said_ms); /* nobody saw when */
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}

static void close_file(struct tn_studio_rest *rest)
{
	if (rest->fd >= 0)
		(void)close(rest->fd); /* only read from */
	rest->fd = -1;
}

/* False: there is none. */
static bool open_file(struct tn_studio_rest *rest)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	rest->at = rest->lines.at = rest->run->log.at[rest->stream];
	return path_of(rest->run, rest->stream, path) &&
	       tn_file_open(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &rest->fd, NULL) ==
		       TENON_OK;
}

static enum stage finish(struct tn_studio_rest *rest)
{
	if (rest->run->log.failed)
		return FAILED;
	tn_studio_run_resave(rest->run);
	remove_files(rest->run);
	return OVER;
}

/* A chunk; at the end of a file it is the next one's turn. */
static enum stage read_chunk(struct tn_studio_rest *rest)
{
	ssize_t got = 0;

	if (rest->fd >= 0 || open_file(rest))
		got = pread(rest->fd, rest->chunk.data, CHUNK, (off_t)rest->at);
	if (got < 0)
		return errno == EINTR ? READING : FAILED;
	if (got > 0) {
		rest->at += (uint64_t)got;
		tn_studio_lines_feed(&rest->lines, tn_str(rest->chunk.data, (size_t)got), take_line,
				     rest);
	} else {
		tn_studio_lines_end(&rest->lines, take_line, rest);
		close_file(rest);
		rest->stream++;
	}
	tn_studio_run_log_append(&rest->run->log);
	return READING;
}

static enum stage read_some(struct tn_studio_rest *rest)
{
	if (!is_safe(rest->run))
		return WITHHELD;
	if (tn_studio_run_log_fit(&rest->run->log))
		return READING;
	return rest->stream < 2 ? read_chunk(rest) : finish(rest);
}

/* ---- the stages ---- */

static enum stage look_at_log(struct tn_studio_rest *rest)
{
	struct tn_studio_run_log *log = &rest->run->log;

	if (tn_studio_run_log_look(log, &rest->chunk))
		return LOOKING;
	rest->run->line_count = log->last;
	if (log->last_ms > rest->said_ms)
		rest->said_ms = log->last_ms;
	return log->failed ? FAILED : WAITING;
}

static enum stage wait_for_end(struct tn_studio_rest *rest)
{
	bool runs = tn_studio_process_is(rest->pid, rest->pid_start);

	look_at_files(rest);
	if (rest->has_files && !is_safe(rest->run))
		return WITHHELD;
	return runs ? WAITING : READING;
}

static enum stage go_on(struct tn_studio_rest *rest)
{
	switch (rest->stage) {
	case LOOKING:
		return look_at_log(rest);
	case WAITING:
		return wait_for_end(rest);
	case READING:
		return read_some(rest);
	default:
		return rest->stage;
	}
}

static void release(struct tn_studio_rest *rest)
{
	if (rest->is_open)
		rest->run->runs->rests_open--;
	rest->is_open = false;
	close_file(rest);
	tn_studio_lines_finish(&rest->lines);
	tn_studio_lines_init(&rest->lines);
	tn_buf_finish(&rest->chunk);
	tn_studio_run_log_close(&rest->run->log);
}

static void open_queued(struct tn_studio_runs *runs);

static void look(struct tn_timer *timer, void *data)
{
	struct tn_studio_rest *rest = data;

	rest->stage = go_on(rest);
	if (rest->stage == WAITING) {
		tn_timer_start(timer, LOOK_MS);
	} else if (rest->stage == LOOKING || rest->stage == READING) {
		tn_timer_start(timer, 0);
	} else {
		release(rest);
		open_queued(rest->run->runs);
	}
}

/* ---- opening ---- */

static void read_process(struct tn_studio_rest *rest)
{
	const struct tn_json *record = tn_json_get(rest->run->record, "private");
	int64_t pid = 0, start = 0;

	if (tn_json_to_int(tn_json_get(record, "pid"), &pid) &&
	    tn_json_to_int(tn_json_get(record, "pidStart"), &start) && pid > 1 &&
	    pid <= INT32_MAX && start > 0) {
		rest->pid = (int)pid;
		rest->pid_start = (uint64_t)start;
	}
}

/* It was taken up before. */
static bool is_whole(struct tn_studio_rest *rest)
{
	struct tn_str status = {NULL, 0};

	look_at_files(rest);
	(void)tn_json_to_str(tn_json_get(tn_json_get(rest->run->record, "result"), "status"),
			     &status);
	return !rest->has_files && tn_str_is(status, tn_studio_run_state_name(TN_STUDIO_LOST));
}

static void begin(struct tn_studio_rest *rest)
{
	struct tn_studio_run *run = rest->run;

	rest->is_open = true;
	run->runs->rests_open++;
	read_process(rest);
	tn_studio_run_log_reopen(&run->log, run->folder);
	tn_buf_init(&rest->chunk, CHUNK);
	rest->stage = LOOKING;
	if (tn_buf_reserve(&rest->chunk, CHUNK) &&
	    tn_timer_open(run->runs->options.loop, look, rest, &rest->timer, NULL) == TENON_OK) {
		tn_timer_start(rest->timer, 0);
		return;
	}
	rest->stage = FAILED;
	release(rest);
}

static void open_queued(struct tn_studio_runs *runs)
{
	for (struct tn_studio_run *run = runs->first;
	     run && runs->rests_open < OPEN_MAX && !runs->is_closing; run = run->next) {
		if (run->rest && run->rest->stage == QUEUED)
			begin(run->rest);
	}
}

void tn_studio_rest_open(struct tn_studio_run *run, unsigned *turns)
{
	struct tn_studio_rest *rest;

	if (run->state != TN_STUDIO_LOST)
		return;
	rest = tn_mem_alloc(sizeof(*rest));
	if (!rest)
		return;
	*rest = (struct tn_studio_rest){.run = run, .fd = -1};
	tn_studio_lines_init(&rest->lines);
	tn_buf_init(&rest->chunk, CHUNK);
	if (is_whole(rest)) {
		tn_studio_rest_close(rest);
		return;
	}
	run->rest = rest;
	open_queued(run->runs);
	for (; *turns > 0 && rest->is_open && rest->stage < WITHHELD; --*turns) {
		bool waited = rest->stage == WAITING;

		look(rest->timer, rest);
		if (waited && rest->stage == WAITING)
			break;
	}
}

void tn_studio_rest_close(struct tn_studio_rest *rest)
{
	if (!rest)
		return;
	tn_timer_close(rest->timer);
	release(rest);
	rest->run->rest = NULL;
	open_queued(rest->run->runs);
	tn_mem_free(rest);
}

int64_t tn_studio_rest_duration_ms(const struct tn_studio_rest *rest)
{
	int64_t end = rest->said_ms;

	if (rest->stage == WAITING)
		end = tn_clock_wall_ms(rest->run->runs->options.clock);
	if (end == 0)
		return -1;
	return end > rest->run->started_wall_ms ? end - rest->run->started_wall_ms : 0;
}

void tn_studio_rest_tell(const struct tn_studio_rest *rest, struct tn_buf *out)
{
	static const char *const words[] = {
		[QUEUED] = "what it wrote is being read",
		[LOOKING] = "what it wrote is being read",
		[WAITING] = "what it writes meanwhile follows when it has ended",
		[READING] = "what it wrote is being read",
		[WITHHELD] = "what it wrote is withheld: what has to be hidden in it has changed",
		[FAILED] = "what it wrote could not be read"};

	if (rest->has_files && rest->stage != OVER)
		tn_buf_format(out, "[Tenon ended before the engine did: %s]\n", words[rest->stage]);
}

/* ---- a log as it is read ---- */

void tn_studio_run_log_end(struct tn_buf *out, const struct tn_studio_run *run)
{
	if (run->rest)
		tn_studio_rest_tell(run->rest, out);
}

void tn_studio_run_log(struct tn_buf *out, const struct tn_studio_run *run, uint64_t from,
		       size_t bytes_max, uint64_t *ret_next)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	*ret_next = from;
	if (tn_studio_run_log_file(run, path, sizeof(path)) &&
	    tn_studio_run_log_read(out, path, from, bytes_max, ret_next))
		tn_studio_run_log_end(out, run);
}
