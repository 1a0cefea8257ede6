#include "store/oplog_line.h"
#include "store/oplog_log.h"

/* ---- the snapshot ---- */

static enum tenon_code load(struct tn_oplog *log, const struct tn_json *snapshot,
			    struct tenon_error *err)
{
	const struct tn_json *document = tn_json_get(snapshot, "document");
	int64_t format, revision;
	enum tenon_code code;

	if (!tn_json_to_int(tn_json_get(snapshot, "format"), &format) ||
	    !tn_json_to_int(tn_json_get(snapshot, "revision"), &revision) || revision < 1 ||
	    !document)
		return tn_fail(err, TENON_INVALID, "the snapshot is not one of this program");
	if (format > TN_OPLOG_FORMAT)
		return tn_fail(err, TENON_INVALID,
			       "the snapshot has format %lld, which a newer program wrote",
			       (long long)format);
	code = tn_oplog_history_read(&log->history, snapshot, err);
	if (code != TENON_OK)
		return code;
	log->revision = (uint64_t)revision;
	code = log->ops->load(log->document, document, err);
	if (code == TENON_OK)
		tn_oplog_settle(log, true);
	return code;
}

enum tenon_code tn_oplog_read_snapshot(struct tn_oplog *log, struct tn_buf *text,
				       struct tenon_error *err)
{
	struct tn_json *snapshot = NULL;
	struct tn_str line;
	enum tenon_code code;

	if (text->size == 0)
		return TENON_OK;
	line = tn_str(text->data, text->size - 1);
	if (text->data[text->size - 1] != '\n' || !tn_oplog_line_is_whole(line))
		return tn_fail(err, TENON_INVALID,
			       "line 1 of the snapshot is damaged: its checksum is wrong");
	tn_arena_reset(&log->arena);
	code = tn_json_parse(&log->arena, text->data, line.size, &snapshot, err);
	return code == TENON_OK ? load(log, snapshot, err) : code;
}

/* ---- the journal ---- */

static enum tenon_code fail_line(size_t number, const char *why, struct tenon_error *err)
{
	struct tenon_error copy;

	if (!err)
		return TENON_INVALID;
	copy = *err;
	return tn_fail(err, TENON_INVALID, "line %zu of the journal: %.180s", number,
		       why ? why : copy.message);
}

static enum tenon_code apply_again(struct tn_oplog *log, struct tn_change *change,
				   const struct tn_json *operations, struct tenon_error *err)
{
	struct tn_oplog_pending pending = {NULL, NULL};
	enum tenon_code code;

	tn_oplog_steps_clear(log);
	code = tn_oplog_apply(log, operations, err);
	if (code == TENON_OK)
		code = tn_oplog_steps_invert(log, err);
	if (code != TENON_OK)
		return code;
	change->operations = operations->count;
	tn_buf_append_byte(&log->texts, ']');
	code = tn_buf_check(&log->texts, err);
	if (code == TENON_OK)
		code = tn_oplog_history_prepare(&log->history, change, tn_buf_str(&log->inverse),
						tn_buf_str(&log->texts), &pending, err);
	if (code != TENON_OK)
		return code;
	(void)tn_oplog_history_record(&log->history, &pending);
	log->revision = change->revision;
	tn_oplog_settle(log, true);
	return TENON_OK;
}

static enum tenon_code read_line(struct tn_oplog *log, char *text, size_t size, size_t number,
				 struct tenon_error *err)
{
	struct tn_json *object = NULL;
	struct tn_change change;
	enum tenon_code code;

	tn_arena_reset(&log->arena);
	code = tn_json_parse(&log->arena, text, size, &object, err);
	if (code == TENON_OK && !tn_oplog_read_change(object, &change))
		return fail_line(number, "it is no change", err);
	if (code == TENON_OK && change.revision <= log->revision)
		return TENON_OK; /* the snapshot has it */
	if (code == TENON_OK && change.revision != log->revision + 1)
		return fail_line(number, "changes before it are missing", err);
	if (code == TENON_OK)
		code = apply_again(log, &change, tn_json_get(object, "operations"), err);
	return code == TENON_OK || code == TENON_NO_MEMORY ? code : fail_line(number, NULL, err);
}

/* Torn: without its end, or with a block that never reached the disk and reads as zeros. What a
 * change writes has no zeros. */
static bool is_torn(struct tn_str line, bool ends, bool is_last)
{
	return is_last && (!ends || tn_str_find_byte(line, '\0') != TN_STR_NONE);
}

enum tenon_code tn_oplog_read_journal(struct tn_oplog *log, struct tn_buf *text, size_t *ret_good,
				      struct tenon_error *err)
{
	struct tn_str rest = tn_buf_str(text);
	size_t number = 0;

	*ret_good = 0;
	while (rest.size > 0) {
		size_t size = tn_str_find_byte(rest, '\n');
		bool ends = size != TN_STR_NONE;
		struct tn_str line = tn_str(rest.data, ends ? size : rest.size);
		enum tenon_code code;

		rest = tn_str_from_offset(rest, line.size + 1);
		number++;
		if (!ends || !tn_oplog_line_is_whole(line)) {
			if (is_torn(line, ends, rest.size == 0))
				return TENON_OK;
			return fail_line(number, "it is damaged: its checksum is wrong", err);
		}
		code = read_line(log, text->data + *ret_good, line.size, number, err);
		if (code != TENON_OK)
			return code;
		*ret_good += line.size + 1;
		log->journal_lines++;
	}
	return TENON_OK;
}
