/* oplog_compact.c - the snapshot: a log that has grown long begins anew with what there is. */
#include "store/oplog.h"

#include "jsonrpc/json_write.h"
#include "store/limits.h"
#include "store/oplog_line.h"
#include "store/oplog_log.h"

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
void tn_oplog_compact_if_long(struct tn_oplog *log)
{
	if (log->disk.path && tn_oplog_is_long(log, log->loop ? 2 : 1) &&
	    tn_oplog_compact(log, NULL) != TENON_OK)
		return; /* it tries again later; the journal has everything */
}
