#include "store/oplog.h"

#include <unistd.h>

#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/limits.h"
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
	tn_buf_init(&log->texts, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_init(&log->pieces, TN_OPLOG_COMMIT_BYTES_MAX);
	tn_buf_init(&log->steps, TN_OPLOG_BATCH_MAX * sizeof(struct tn_oplog_piece));
	tn_buf_init(&log->waste, TN_OPLOG_COMMIT_BYTES_MAX);
}

static void tear_down(struct tn_oplog *log)
{
	tn_oplog_history_finish(&log->history);
	tn_arena_finish(&log->arena);
	tn_buf_finish(&log->line);
	tn_buf_finish(&log->inverse);
	tn_buf_finish(&log->texts);
	tn_buf_finish(&log->pieces);
	tn_buf_finish(&log->steps);
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

enum tenon_code tn_oplog_start(struct tn_oplog *log, uint64_t revision, struct tenon_error *err)
{
	enum tenon_code code;

	if (log->revision != 0 || log->broken || revision == 0)
		return tn_fail(err, TENON_INVALID, "the log has begun already");
	log->revision = revision;
	tn_oplog_settle(log, true);
	code = tn_oplog_compact(log, err);
	if (code != TENON_OK)
		log->revision = 0;
	return code;
}

void tn_oplog_close(struct tn_oplog *log)
{
	bool in_snapshot = false;

	if (!log)
		return;
	tn_oplog_sync_stop(log);
	tn_oplog_abandon(log);
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

/* ---- looking ---- */

const char *tn_oplog_undo_label(const struct tn_oplog *log)
{
	const struct tn_oplog_step *step = tn_oplog_history_undoable(&log->history, NULL);

	return step ? step->label : NULL;
}

const char *tn_oplog_redo_label(const struct tn_oplog *log)
{
	const struct tn_oplog_step *step = tn_oplog_history_redoable(&log->history, NULL);

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
