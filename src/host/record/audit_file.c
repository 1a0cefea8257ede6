#include "host/record/audit_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "host/limits.h"
#include "host/record/audit_chain.h"
#include "host/record/log.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"

enum { AGAIN_MS = 5000 };

/* The file. The lock is for the end only: the loop's thread then writes what a worker may just be
 * writing, or has not come to. */
struct writer {
	pthread_mutex_t lock;
	int fd;
	uint64_t bytes;
	bool torn; /* it ended in half a line when it was opened: a line end comes first */
	char path[PATH_MAX];
};

/* Lines on their way to the file. */
struct batch {
	struct writer *writer;
	struct tn_audit_file *audit; /* NULL: closed meanwhile, and the writer is ours to free */
	struct tn_buf lines;
	char head[TN_DIGEST_HEX_SIZE]; /* of the last of them */
	bool is_out;                   /* a worker has it */
	size_t written;                /* bytes; under the writer's lock */
	int fault;                     /* of the worker: errno; 0: none */
};

struct tn_audit_file {
	struct tenon_server *server;
	struct tn_observer observer;
	struct writer *writer; /* NULL: in memory only */
	struct batch *out;     /* the worker has it, or it waits; NULL: none */
	unsigned waiting; /* of its lines, that could not be written: the next entry tries again */
	struct tn_timer *timer; /* tries again without an entry */
	bool again;             /* an entry came while the worker had it */
	struct tn_buf queue;    /* lines for the next one */
	unsigned queued;
	uint64_t lost;
	char head[TN_DIGEST_HEX_SIZE];      /* of the last line; empty: none yet */
	char kept_head[TN_DIGEST_HEX_SIZE]; /* of the last one that is in the file for sure */
	char *lines[TN_AUDIT_ENTRIES_KEPT]; /* a ring */
	size_t next, count;
	void (*added)(void *data);
	void *data;
};

/* ---- the file (any thread, under the lock) ---- */

static int open_append(const char *path)
{
	return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* The old one makes room; when that fails it grows on, and the next batch tries again. */
static void rotate(struct writer *writer)
{
	char old[PATH_MAX + 2];
	int fd;

	(void)snprintf(old, sizeof(old), "%s.1", writer->path);
	if (rename(writer->path, old) != 0 && errno != ENOENT)
		return; /* ENOENT: it has made room already, and could not be opened anew */
	fd = open_append(writer->path);
	if (fd < 0)
		return;
	(void)close(writer->fd); /* all of it is in the kernel */
	writer->fd = fd;
	writer->bytes = 0;
}

/* Half a line is no entry, and would look like one that somebody cut. Where it cannot be taken off
 * (a file that only grows), its rest follows it when there is room. */
static bool is_cut_off(const struct writer *writer, size_t half)
{
	struct stat status;

	return fstat(writer->fd, &status) == 0 &&
	       ftruncate(writer->fd, status.st_size - (off_t)half) == 0;
}

/* The bytes behind the last line end of these. */
static size_t half_of(struct tn_str text)
{
	size_t half = 0;

	while (half < text.size && text.data[text.size - 1 - half] != '\n')
		half++;
	return half;
}

static int write_all(struct writer *writer, struct tn_str text, size_t *ret_written)
{
	*ret_written = 0;
	while (*ret_written < text.size) {
		ssize_t wrote =
			write(writer->fd, text.data + *ret_written, text.size - *ret_written);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return wrote < 0 ? errno : EIO;
		*ret_written += (size_t)wrote;
		writer->bytes += (uint64_t)wrote;
	}
	return 0;
}

/* From `*at` on, which is where to go on afterwards. Returns errno, or 0. */
static int write_lines(struct writer *writer, struct tn_str lines, size_t *at)
{
	size_t wrote, half;
	int fault = 0;

	if (writer->torn && *at < lines.size)
		fault = write_all(writer, TN_STR("\n"), &wrote);
	if (fault)
		return fault;
	writer->torn = false;
	fault = write_all(writer, tn_str_from_offset(lines, *at), &wrote);
	*at += wrote;
	half = half_of(tn_str(lines.data, *at));
	if (fault && half > 0 && is_cut_off(writer, half)) {
		*at -= half;
		writer->bytes -= half;
	}
	if (!fault && writer->bytes > TN_AUDIT_FILE_BYTES_MAX)
		rotate(writer);
	return fault;
}

static void free_writer(struct writer *writer)
{
	if (!writer)
		return;
	(void)close(writer->fd); /* all of it is in the kernel */
	(void)pthread_mutex_destroy(&writer->lock);
	tn_mem_free(writer);
}

/* Returns errno, or 0. */
static int write_batch(struct batch *batch)
{
	int fault;

	(void)pthread_mutex_lock(&batch->writer->lock); /* a plain lock: cannot fail */
	fault = write_lines(batch->writer, tn_buf_str(&batch->lines), &batch->written);
	(void)pthread_mutex_unlock(&batch->writer->lock);
	return fault;
}

/* ---- batches ---- */

static void batch_work(void *data, const atomic_bool *cancelled)
{
	struct batch *batch = data;

	(void)cancelled;
	batch->fault = write_batch(batch);
}

static void lose(struct tn_audit_file *audit, unsigned count)
{
	if (!audit->lost)
		tn_log(TN_LOG_ERROR, "audit", "Entries of the audit are lost: %s",
		       audit->waiting ? "more wait for the disk than are kept"
				      : "the disk does not keep up");
	audit->lost += count;
}

static void start_batch(struct tn_audit_file *audit);

/* What follows in the chain names it: it is written, however late, or the daemon itself would have
 * broken the chain. */
static void wait_for_room(struct tn_audit_file *audit)
{
	const struct batch *batch = audit->out;
	struct tn_str kept = tn_str(batch->lines.data, batch->written);
	unsigned waiting = 0;
	size_t start;

	if (!audit->waiting)
		tn_log(TN_LOG_ERROR, "audit", "The audit cannot be written, its entries wait: %s",
		       strerror(batch->fault));
	for (size_t i = batch->written; i < batch->lines.size; i++)
		waiting += batch->lines.data[i] == '\n';
	audit->waiting = waiting;
	tn_timer_start(audit->timer, AGAIN_MS);
	kept.size -= half_of(kept);
	if (!kept.size)
		return;
	kept.size--; /* its line end */
	start = kept.size;
	while (start > 0 && kept.data[start - 1] != '\n')
		start--;
	tn_digest_hex(tn_str_from_offset(kept, start), audit->kept_head);
}

static void free_batch(struct batch *batch)
{
	tn_buf_finish(&batch->lines);
	tn_mem_free(batch);
}

static void batch_done(void *data, bool cancelled);

static bool is_started(struct tn_audit_file *audit, struct batch *batch)
{
	struct tn_job *job;

	audit->again = false;
	batch->is_out = tn_job_start(audit->server->loop, batch_work, batch_done, batch, &job,
				     NULL) == TENON_OK;
	return batch->is_out;
}

static void batch_done(void *data, bool cancelled)
{
	struct batch *batch = data;
	struct tn_audit_file *audit = batch->audit;

	(void)cancelled;
	batch->is_out = false;
	if (audit && batch->fault) {
		wait_for_room(audit);
		if (audit->again)
			(void)is_started(audit, batch);
		return;
	}
	if (!audit) {
		free_writer(batch->writer);
		free_batch(batch);
		return;
	}
	memcpy(audit->kept_head, batch->head, sizeof(batch->head));
	free_batch(batch);
	audit->out = NULL;
	audit->waiting = 0;
	if (audit->queue.size)
		start_batch(audit);
}

static void try_again(struct tn_timer *timer, void *data)
{
	struct tn_audit_file *audit = data;

	(void)timer;
	if (audit->out && !audit->out->is_out)
		(void)is_started(audit, audit->out);
}

static void start_batch(struct tn_audit_file *audit)
{
	struct batch *batch = tn_mem_alloc(sizeof(*batch));

	if (!batch)
		return; /* the next entry tries again */
	*batch = (struct batch){.writer = audit->writer, .audit = audit, .lines = audit->queue};
	memcpy(batch->head, audit->head, sizeof(batch->head));
	if (!is_started(audit, batch)) {
		tn_mem_free(batch);
		return;
	}
	audit->out = batch;
	tn_buf_init(&audit->queue, TN_AUDIT_QUEUE_MAX);
	audit->queued = 0;
}

static void enqueue(struct tn_audit_file *audit, struct tn_str line)
{
	if (!audit->writer) {
		tn_digest_hex(line, audit->head);
		return;
	}
	if (!tn_buf_reserve(&audit->queue, line.size + 1)) {
		audit->queue.failed = audit->queue.starved = false; /* what is in it stays good */
		lose(audit, 1);
	} else {
		tn_buf_append_str(&audit->queue, line);
		tn_buf_append_byte(&audit->queue, '\n');
		audit->queued++;
		tn_digest_hex(line, audit->head);
	}
	if (audit->out && audit->out->is_out)
		audit->again = true;
	else if (audit->out)
		(void)is_started(audit, audit->out);
	else if (audit->queue.size)
		start_batch(audit);
}

/* ---- entries ---- */

static void keep(struct tn_audit_file *audit, struct tn_str line)
{
	char *copy = tn_mem_copy_text(line.data, line.size);

	if (!copy)
		return; /* it stands in the file */
	tn_mem_free(audit->lines[audit->next]);
	audit->lines[audit->next] = copy;
	audit->next = (audit->next + 1) % TN_AUDIT_ENTRIES_KEPT;
	if (audit->count < TN_AUDIT_ENTRIES_KEPT)
		audit->count++;
}

static void put_cut(struct tn_buf *line, const char *key, struct tn_str text)
{
	tn_json_put_member_str(line, key, tn_utf8_cut(text, TN_AUDIT_TEXT_MAX));
}

void tn_audit_file_add(struct tn_audit_file *audit, const struct tn_audit_entry *entry)
{
	char time[TN_CLOCK_ISO_SIZE], digest[TN_DIGEST_HEX_SIZE];
	struct tn_buf line;

	tn_clock_format_iso(tn_clock_wall_ms(audit->server->clock), time);
	tn_buf_init(&line, TN_AUDIT_LINE_MAX);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "time", time);
	put_cut(&line, "client", entry->client);
	tn_json_put_member_bool(&line, "person", entry->person);
	put_cut(&line, "tool", entry->tool);
	if (entry->arguments.data)
		tn_digest_hex(entry->arguments, digest);
	tn_json_put_member_text(&line, "digest", entry->arguments.data ? digest : NULL);
	tn_json_put_member_text(&line, "outcome", entry->outcome);
	tn_json_put_member_int(&line, "ms", entry->ms);
	tn_json_put_member_text(&line, "consent", entry->consent);
	if (entry->detail)
		put_cut(&line, "detail", tn_str_from(entry->detail));
	else
		tn_json_put_member_null(&line, "detail");
	tn_json_put_member_text(&line, "prev", audit->head[0] ? audit->head : NULL);
	tn_json_end_object(&line);
	if (line.failed) {
		lose(audit, 1);
	} else {
		keep(audit, tn_buf_str(&line));
		enqueue(audit, tn_buf_str(&line));
		if (audit->added)
			audit->added(audit->data);
	}
	tn_buf_finish(&line);
}

static void free_detail(void *text)
{
	tn_mem_free(text);
}

void tn_audit_detail(struct tenon_call *call, const char *format, ...)
{
	char text[TN_AUDIT_TEXT_MAX];
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args); /* cut is fine */
	va_end(args);
	if (size >= 0)
		tenon_call_set_data(call, tn_mem_copy_text(text, strlen(text)), free_detail);
}

static void call_ended(const struct tn_call_record *record, void *data)
{
	const struct tenon_call *call = record->call;
	struct tn_audit_entry entry = {.client = record->client, .tool = record->name};
	struct tn_buf arguments;

	if (!call->item || call->item->kind != TN_ITEM_TOOL ||
	    !tn_str_is(record->method, "tools/call") ||
	    tn_tool_flags(&call->item->tool, call->arguments) & TENON_READ_ONLY)
		return;
	tn_buf_init(&arguments, TN_MESSAGE_ARENA_MAX);
	tn_json_put_value(&arguments, call->arguments);
	entry.person = call->peer->person;
	if (!arguments.failed)
		entry.arguments = tn_buf_str(&arguments);
	entry.outcome = tn_outcome_name(record->outcome);
	entry.ms = (int64_t)(record->took_us / 1000);
	entry.consent = record->consent;
	if (call->free_data == free_detail)
		entry.detail = tenon_call_data(call);
	tn_audit_file_add(data, &entry);
	tn_buf_finish(&arguments);
}

/* ---- life ---- */

/* The last lines of the file that are entries. What a crash or somebody's editor left between them
 * is passed over. */
static void remember(struct tn_audit_file *audit, struct tn_str tail)
{
	while (tail.size) {
		size_t end = tn_str_find_byte(tail, '\n');
		struct tn_str line = tn_str(tail.data, end == TN_STR_NONE ? tail.size : end);

		if (tn_audit_chain_is_entry(line)) {
			keep(audit, line);
			tn_digest_hex(line, audit->head);
		}
		tail = tn_str_from_offset(tail, line.size + 1);
	}
}

/* *ret_open: the last line has no end. */
static enum tenon_code read_tail(struct tn_audit_file *audit, int fd, uint64_t bytes,
				 bool *ret_open, struct tenon_error *err)
{
	uint64_t from = bytes > TN_AUDIT_TAIL_BYTES ? bytes - TN_AUDIT_TAIL_BYTES : 0;
	size_t wanted = (size_t)(bytes - from);
	char *text;
	ssize_t size;

	*ret_open = false;
	if (!wanted)
		return TENON_OK;
	text = tn_mem_alloc(wanted);
	if (!text)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	size = pread(fd, text, wanted, (off_t)from);
	if (size > 0) {
		remember(audit, tn_str(text, (size_t)size));
		*ret_open = text[size - 1] != '\n';
	}
	tn_mem_free(text);
	return TENON_OK;
}

/* The chain goes on where it ended, be it in the file before this one. */
static enum tenon_code read_files(struct tn_audit_file *audit, struct tenon_error *err)
{
	struct writer *writer = audit->writer;
	char old[PATH_MAX + 2];
	struct stat status;
	enum tenon_code code = TENON_OK;
	bool is_open = false;
	int fd;

	(void)snprintf(old, sizeof(old), "%s.1", writer->path);
	fd = open(old, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		code = read_tail(audit, fd, (uint64_t)status.st_size, &is_open, err);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	if (code == TENON_OK)
		code = read_tail(audit, writer->fd, writer->bytes, &is_open, err);
	writer->torn = writer->bytes && is_open; /* the last writer was killed in it */
	memcpy(audit->kept_head, audit->head, sizeof(audit->head));
	return code;
}

static enum tenon_code open_writer(struct tn_audit_file *audit, const char *path,
				   struct tenon_error *err)
{
	struct writer *writer;
	struct stat status;
	int fd;

	if (strlen(path) >= sizeof(writer->path))
		return tn_fail(err, TENON_INVALID, "the audit's path is too long");
	fd = open_append(path);
	if (fd < 0)
		return tn_fail_errno(err, errno, "open the audit file");
	writer = tn_mem_alloc(sizeof(*writer));
	if (!writer) {
		(void)close(fd); /* nothing was written */
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	(void)pthread_mutex_init(&writer->lock, NULL); /* cannot fail with default attributes */
	(void)snprintf(writer->path, sizeof(writer->path), "%s", path);
	writer->fd = fd;
	writer->bytes = fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
	audit->writer = writer;
	return read_files(audit, err);
}

enum tenon_code tn_audit_file_open(struct tenon_server *server, const char *path,
				   struct tn_audit_file **ret, struct tenon_error *err)
{
	struct tn_audit_file *audit = tn_mem_alloc(sizeof(*audit));
	enum tenon_code code = TENON_OK;

	if (!audit)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	audit->server = server;
	tn_buf_init(&audit->queue, TN_AUDIT_QUEUE_MAX);
	audit->observer = (struct tn_observer){.call_ended = call_ended, .data = audit};
	tn_observe(server, &audit->observer);
	if (path)
		code = tn_timer_open(server->loop, try_again, audit, &audit->timer, err);
	if (path && code == TENON_OK)
		code = open_writer(audit, path, err);
	if (code != TENON_OK) {
		tn_audit_file_close(audit);
		return code;
	}
	*ret = audit;
	return TENON_OK;
}

/* Everything is in the file when this returns, also what a worker has not come to. */
static void write_rest(struct tn_audit_file *audit)
{
	struct batch *batch = audit->out;
	int fault = batch ? write_batch(batch) : 0;
	size_t at = 0;

	(void)pthread_mutex_lock(&audit->writer->lock); /* a plain lock: cannot fail */
	if (!fault)
		fault = write_lines(audit->writer, tn_buf_str(&audit->queue), &at);
	(void)pthread_mutex_unlock(&audit->writer->lock);
	if (fault)
		tn_log(TN_LOG_ERROR, "audit", "The last entries of the audit are lost: %s",
		       strerror(fault));
	if (batch && batch->is_out) {
		batch->audit = NULL; /* its end frees the writer */
		return;
	}
	if (batch)
		free_batch(batch);
	free_writer(audit->writer);
}

void tn_audit_file_close(struct tn_audit_file *audit)
{
	if (!audit)
		return;
	tn_observe_stop(audit->server, &audit->observer);
	if (audit->writer)
		write_rest(audit);
	tn_timer_close(audit->timer);
	tn_buf_finish(&audit->queue);
	for (size_t i = 0; i < TN_AUDIT_ENTRIES_KEPT; i++)
		tn_mem_free(audit->lines[i]);
	tn_mem_free(audit);
}

/* ---- reading ---- */

void tn_audit_file_write(const struct tn_audit_file *audit, struct tn_buf *out)
{
	size_t at = audit->next;

	tn_json_begin_object(out);
	tn_json_put_key(out, "entries");
	tn_json_begin_array(out);
	for (size_t i = 0; i < audit->count; i++) {
		at = (at + TN_AUDIT_ENTRIES_KEPT - 1) % TN_AUDIT_ENTRIES_KEPT;
		tn_json_put_raw(out, tn_str_from(audit->lines[at]));
	}
	tn_json_end_array(out);
	tn_json_put_member_text(out, "head", audit->head[0] ? audit->head : NULL);
	if (audit->waiting || (!audit->out && audit->queued)) {
		tn_json_put_member_int(out, "waiting", audit->waiting + audit->queued);
		tn_json_put_member_text(out, "written",
					audit->kept_head[0] ? audit->kept_head : NULL);
	}
	tn_json_end_object(out);
}

void tn_audit_file_on_entry(struct tn_audit_file *audit, void (*added)(void *data), void *data)
{
	audit->added = added;
	audit->data = data;
}

uint64_t tn_audit_file_lost(const struct tn_audit_file *audit)
{
	return audit->lost;
}
