#include "store/oplog.h"

#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/oplog_line.h"
#include "store/oplog_log.h"

/* ---- life ---- */

static void set_up(struct tn_oplog *log, const struct tn_oplog_options *options)
{
	log->ops = options->ops;
	log->document = options->document;
	log->clock = options->clock;
	log->loop = options->loop;
	log->sync_ms = options->sync_ms ? options->sync_ms : TN_OPLOG_SYNC_MS;
	log->snapshot_at_lines = TN_OPLOG_JOURNAL_LINES;
	tn_oplog_history_init(&log->history,
			      options->undo_max ? options->undo_max : TN_OPLOG_UNDO_MAX);
	tn_arena_init(&log->arena, TN_OPLOG_ARENA_MAX);
	tn_buf_init(&log->line, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_init(&log->inverse, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_init(&log->pieces, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_init(&log->waste, TN_OPLOG_COMMIT_BYTES_MAX);
}

static void tear_down(struct tn_oplog *log)
{
	tn_oplog_history_finish(&log->history);
	tn_arena_finish(&log->arena);
	tn_buf_finish(&log->line);
	tn_buf_finish(&log->inverse);
	tn_buf_finish(&log->pieces);
	tn_buf_finish(&log->waste);
	tn_mem_free(log);
}

static enum tenon_code read_files(struct tn_oplog *log, struct tenon_error *err)
{
	struct tn_buf text;
	size_t good = 0;
	enum tenon_code code;

	tn_buf_init(&text, TN_OPLOG_FILE_BYTES_MAX);
	code = tn_oplog_disk_read(&log->disk, false, &text, err);
	if (code == TENON_OK)
		code = tn_oplog_read_snapshot(log, &text, err);
	tn_buf_clear(&text);
	if (code == TENON_OK)
		code = tn_oplog_disk_read(&log->disk, true, &text, err);
	if (code == TENON_OK)
		code = tn_oplog_read_journal(log, &text, &good, err);
	if (code == TENON_OK)
		tn_oplog_disk_keep(&log->disk, good, text.size);
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_oplog_open(const struct tn_oplog_options *options, struct tn_oplog **ret,
			      struct tenon_error *err)
{
	struct tn_oplog *log = tn_mem_alloc(sizeof(*log));
	enum tenon_code code;

	if (!log)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	set_up(log, options);
	code = tn_oplog_disk_open(&log->disk, options->path, err);
	if (code == TENON_OK)
		code = read_files(log, err);
	if (code != TENON_OK) {
		tn_oplog_disk_close(&log->disk, false);
		tear_down(log);
		return code;
	}
	*ret = log;
	return TENON_OK;
}

void tn_oplog_close(struct tn_oplog *log)
{
	bool in_snapshot = false;

	if (!log)
		return;
	tn_oplog_sync_stop(log);
	if (!log->broken && log->journal_lines > 0) {
		in_snapshot = tn_oplog_compact(log, NULL) == TENON_OK;
		if (!in_snapshot && tn_oplog_sync(log, NULL) != TENON_OK)
			log->must_snapshot = true; /* nobody is left who could */
	}
	tn_oplog_disk_close(&log->disk, in_snapshot);
	tear_down(log);
}

enum tenon_code tn_oplog_remove(const char *path, struct tenon_error *err)
{
	struct tn_oplog_disk disk;
	enum tenon_code code = tn_oplog_disk_open(&disk, path, err);

	if (code != TENON_OK)
		return code;
	(void)unlink(path); /* one that cannot go stays as it is */
	tn_oplog_disk_close(&disk, true);
	return TENON_OK;
}

bool tn_oplog_is_broken(const struct tn_oplog *log)
{
	return log->broken;
}

uint64_t tn_oplog_revision(const struct tn_oplog *log)
{
	return log->revision;
}

/* ---- the snapshot ---- */

bool tn_oplog_is_long(const struct tn_oplog *log, unsigned times)
{
	return log->journal_lines > times * log->snapshot_at_lines ||
	       log->disk.journal_size > times * TN_OPLOG_JOURNAL_BYTES;
}

static void write_snapshot(const struct tn_oplog *log, struct tn_buf *out)
{
	struct tn_buf document;

	tn_buf_init(&document, TN_OPLOG_FILE_BYTES_MAX);
	log->ops->save(log->document, &document);
	tn_oplog_line_begin(out);
	tn_json_put_member_int(out, "format", TN_OPLOG_FORMAT);
	tn_json_put_member_int(out, "revision", (int64_t)log->revision);
	tn_oplog_history_put(out, &log->history);
	if (document.size > 0)
		tn_json_put_member_foreign(out, "document", tn_buf_str(&document));
	tn_oplog_line_end(out);
	tn_buf_inherit_failure(out, &document);
	tn_buf_finish(&document);
}

enum tenon_code tn_oplog_compact(struct tn_oplog *log, struct tenon_error *err)
{
	struct tn_buf snapshot;
	enum tenon_code code;

	tn_buf_init(&snapshot, TN_OPLOG_FILE_BYTES_MAX);
	write_snapshot(log, &snapshot);
	code = tn_buf_check(&snapshot, err);
	if (code == TENON_OK)
		code = tn_oplog_disk_replace(&log->disk, tn_buf_str(&snapshot), err);
	tn_buf_finish(&snapshot);
	if (code == TENON_OK) {
		log->journal_lines = 0;
		log->snapshot_at_lines = TN_OPLOG_JOURNAL_LINES;
	} else {
		/* Not again with each commit: the journal has everything. */
		log->snapshot_at_lines = log->journal_lines + TN_OPLOG_JOURNAL_LINES;
	}
	return code;
}

/* Most snapshots are written while nobody waits (oplog_sync.c); here when that was too seldom. */
static void compact_if_long(struct tn_oplog *log)
{
	if (log->disk.path && tn_oplog_is_long(log, log->loop ? 2 : 1) &&
	    tn_oplog_compact(log, NULL) != TENON_OK)
		return; /* it tries again later; the journal has everything */
}

/* ---- a change ---- */

static enum tenon_code check(const struct tn_oplog *log, int64_t expected, struct tenon_error *err)
{
	if (log->broken)
		return tn_fail(err, TENON_INTERNAL,
			       "the document is between two revisions; it must be opened again");
	if (expected >= 0 && (uint64_t)expected != log->revision)
		return tn_fail(err, TENON_EXPIRED,
			       "the revision is %llu now, not %lld; read again and decide anew",
			       (unsigned long long)log->revision, (long long)expected);
	return TENON_OK;
}

static void write_line(struct tn_oplog *log, const struct tn_change *change,
		       const struct tn_json *operations)
{
	tn_buf_clear(&log->line);
	tn_oplog_line_begin(&log->line);
	tn_oplog_put_change(&log->line, change);
	tn_json_put_key(&log->line, "operations");
	tn_json_put_value(&log->line, operations);
	tn_oplog_line_end(&log->line);
}

/* The journal comes last: what stands there has happened, and what failed does not stand there. */
static enum tenon_code keep(struct tn_oplog *log, const struct tn_change *change,
			    struct tn_change *ret, struct tenon_error *err)
{
	struct tn_oplog_pending pending = {NULL, NULL};
	enum tenon_code code;

	code = tn_oplog_history_prepare(&log->history, change, tn_buf_str(&log->inverse), &pending,
					err);
	if (code == TENON_OK)
		code = tn_oplog_disk_append(&log->disk, tn_buf_str(&log->line), err);
	if (code != TENON_OK) {
		tn_oplog_history_drop(&pending);
		tn_oplog_take_back(log, tn_buf_str(&log->inverse));
		return code;
	}
	*ret = *tn_oplog_history_record(&log->history, &pending);
	log->revision++;
	if (log->disk.path)
		log->journal_lines++;
	tn_oplog_sync_soon(log);
	compact_if_long(log);
	return TENON_OK;
}

static enum tenon_code make(struct tn_oplog *log, struct tn_change *change,
			    const struct tn_json *operations, bool dry_run, struct tn_change *ret,
			    struct tenon_error *err)
{
	int64_t wall_ms = tn_clock_wall_ms(log->clock);
	enum tenon_code code = TENON_OK;

	if (log->must_snapshot && !dry_run) {
		code = tn_oplog_compact(log, err);
		log->must_snapshot = code != TENON_OK;
	}
	if (code != TENON_OK)
		return code;
	change->id = change->revision = log->revision + 1;
	change->wall_ms = wall_ms > 0 ? (uint64_t)wall_ms : 0;
	change->operations = tn_json_is(operations, TN_JSON_ARRAY) ? operations->count : 0;
	write_line(log, change, operations);
	code = tn_buf_check(&log->line, err);
	if (code != TENON_OK)
		return code;
	tn_buf_clear(&log->inverse);
	code = tn_oplog_apply(log, operations, &log->inverse, err);
	if (code != TENON_OK)
		return code;
	if (!dry_run)
		return keep(log, change, ret, err);
	tn_oplog_take_back(log, tn_buf_str(&log->inverse));
	if (log->broken)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*ret = *change;
	ret->id = 0;
	ret->revision = log->revision;
	return TENON_OK;
}

/* Nothing of one change is needed by the next; a large one does not hold its memory for ever. */
static void let_go(struct tn_oplog *log)
{
	struct tn_buf *bufs[] = {&log->line, &log->inverse, &log->pieces, &log->waste};

	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++) {
		tn_buf_clear(bufs[i]);
		tn_buf_shrink(bufs[i], TN_OPLOG_KEEP_BYTES);
	}
	tn_arena_reset(&log->arena);
}

/* The texts as they will be kept, so that the line says the same. */
static const char *cut(struct tn_oplog *log, const char *text)
{
	return tn_arena_copy(&log->arena, tn_utf8_cut(tn_str_from(text), TN_OPLOG_TEXT_MAX));
}

enum tenon_code tn_oplog_commit(struct tn_oplog *log, const struct tn_commit *commit,
				struct tn_change *ret, struct tenon_error *err)
{
	struct tn_change change = {.kind = TN_CHANGE_DONE};
	enum tenon_code code = check(log, commit->expected_revision, err);

	if (code != TENON_OK)
		return code;
	change.actor = cut(log, commit->actor);
	change.label = cut(log, commit->label);
	if (!change.actor || !change.label)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = make(log, &change, commit->operations, commit->dry_run, ret, err);
	if (code == TENON_OK && commit->dry_run) {
		ret->actor = commit->actor;
		ret->label = commit->label;
	}
	let_go(log);
	return code;
}

static enum tenon_code move(struct tn_oplog *log, const struct tn_oplog_step *step,
			    enum tn_change_kind kind, const char *actor, struct tn_change *ret,
			    struct tenon_error *err)
{
	struct tn_change change = {.kind = kind, .of = step->of};
	struct tn_json *operations = NULL;
	enum tenon_code code;

	change.actor = cut(log, actor);
	change.label = cut(log, step->label);
	if (!change.actor || !change.label)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = tn_json_parse_copy(&log->arena, step->operations, &operations, err);
	if (code == TENON_OK)
		code = make(log, &change, operations, false, ret, err);
	let_go(log);
	return code;
}

enum tenon_code tn_oplog_undo(struct tn_oplog *log, const char *actor, int64_t expected_revision,
			      struct tn_change *ret, struct tenon_error *err)
{
	const struct tn_oplog_step *step = tn_oplog_history_undoable(&log->history);
	enum tenon_code code = check(log, expected_revision, err);

	if (code != TENON_OK)
		return code;
	if (!step)
		return tn_fail(err, TENON_NOT_FOUND, "there is nothing to undo");
	return move(log, step, TN_CHANGE_UNDO, actor, ret, err);
}

enum tenon_code tn_oplog_redo(struct tn_oplog *log, const char *actor, int64_t expected_revision,
			      struct tn_change *ret, struct tenon_error *err)
{
	const struct tn_oplog_step *step = tn_oplog_history_redoable(&log->history);
	enum tenon_code code = check(log, expected_revision, err);

	if (code != TENON_OK)
		return code;
	if (!step)
		return tn_fail(err, TENON_NOT_FOUND, "there is nothing to redo");
	return move(log, step, TN_CHANGE_REDO, actor, ret, err);
}

/* ---- looking ---- */

const char *tn_oplog_undo_label(const struct tn_oplog *log)
{
	const struct tn_oplog_step *step = tn_oplog_history_undoable(&log->history);

	return step ? step->label : NULL;
}

const char *tn_oplog_redo_label(const struct tn_oplog *log)
{
	const struct tn_oplog_step *step = tn_oplog_history_redoable(&log->history);

	return step ? step->label : NULL;
}

void tn_oplog_list(const struct tn_oplog *log, uint64_t since,
		   bool (*each)(const struct tn_change *change, void *data), void *data)
{
	for (size_t i = 0; i < log->history.past_count; i++) {
		const struct tn_change *change = &log->history.past[i]->change;

		if (change->revision > since && !each(change, data))
			return;
	}
}
