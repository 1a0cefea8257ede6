#include "jsonrpc/json_write.h"
#include "store/limits.h"
#include "store/oplog_log.h"

static struct tn_oplog_piece *steps_of(const struct tn_oplog *log)
{
	return (struct tn_oplog_piece *)(void *)log->steps.data;
}

size_t tn_oplog_steps(const struct tn_oplog *log)
{
	return log->steps.size / sizeof(struct tn_oplog_piece);
}

void tn_oplog_steps_clear(struct tn_oplog *log)
{
	tn_buf_clear(&log->texts);
	tn_buf_clear(&log->pieces);
	tn_buf_clear(&log->steps);
	tn_buf_clear(&log->inverse);
}

void tn_oplog_settle(struct tn_oplog *log, bool committed)
{
	if (log->ops->settled)
		log->ops->settled(log->document, log->revision, committed);
}

static void cut(struct tn_buf *buf, size_t size)
{
	buf->size = size < buf->size ? size : buf->size;
	buf->failed = buf->starved = false;
}

/* ---- taking back ---- */

static bool apply_text(struct tn_oplog *log, struct tn_str operation)
{
	struct tn_json *tree = NULL;

	tn_buf_clear(&log->waste);
	return tn_json_parse_copy(&log->arena, operation, &tree, NULL) == TENON_OK &&
	       log->ops->apply(log->document, tree, &log->waste, NULL) == TENON_OK;
}

static struct tn_str inverse_of(const struct tn_oplog *log, size_t step)
{
	const struct tn_oplog_piece *piece = &steps_of(log)[step];

	return tn_str(log->pieces.data + piece->start, piece->size);
}

void tn_oplog_steps_back(struct tn_oplog *log, size_t count)
{
	size_t steps = tn_oplog_steps(log);

	if (count >= steps)
		return;
	for (size_t i = steps; i-- > count && !log->broken;)
		log->broken = !apply_text(log, inverse_of(log, i));
	cut(&log->pieces, steps_of(log)[count].start);
	cut(&log->texts, count ? steps_of(log)[count - 1].text_end : 0);
	cut(&log->steps, count * sizeof(struct tn_oplog_piece));
}

void tn_oplog_put_steps(const struct tn_oplog *log, struct tn_buf *out)
{
	if (log->texts.size == 0)
		tn_buf_append_byte(out, '[');
	tn_buf_append_str(out, tn_buf_str(&log->texts));
	tn_buf_append_byte(out, ']');
	tn_buf_inherit_failure(out, &log->texts);
}

/* ---- applying ---- */

/* Whoever writes JSON looks at the byte before: here it is the beginning of an array. */
static enum tenon_code apply_to(struct tn_oplog *log, const struct tn_json *operation,
				struct tn_oplog_piece *piece, struct tenon_error *err)
{
	struct tn_buf *buf = &log->pieces;
	enum tenon_code code;

	tn_buf_append_byte(buf, '[');
	code = tn_buf_check(buf, err);
	piece->start = buf->size;
	if (code == TENON_OK)
		code = log->ops->apply(log->document, operation, buf, err);
	if (code == TENON_OK && buf->failed) { /* against the contract of `apply` */
		log->broken = true;
		return tn_fail(err, TENON_INTERNAL, "an operation without inverse");
	}
	piece->size = buf->size - piece->start;
	return code;
}

static enum tenon_code note_text(struct tn_oplog *log, const struct tn_json *operation,
				 struct tn_oplog_piece *piece, struct tenon_error *err)
{
	if (log->texts.size == 0)
		tn_buf_append_byte(&log->texts, '[');
	tn_json_put_value(&log->texts, operation);
	piece->text_end = log->texts.size;
	return tn_buf_check(&log->texts, err);
}

enum tenon_code tn_oplog_apply_step(struct tn_oplog *log, const struct tn_json *operation,
				    struct tenon_error *err)
{
	struct tn_oplog_piece piece = {.start = 0};
	size_t text_size = log->texts.size, piece_size = log->pieces.size;
	enum tenon_code code;

	if (tn_oplog_steps(log) == TN_OPLOG_BATCH_MAX)
		return tn_fail(err, TENON_LIMIT, "send at most %d operations in one change",
			       TN_OPLOG_BATCH_MAX);
	code = note_text(log, operation, &piece, err);
	if (code == TENON_OK && !tn_buf_reserve(&log->steps, sizeof(piece)))
		code = tn_buf_check(&log->steps, err);
	if (code == TENON_OK)
		code = apply_to(log, operation, &piece, err);
	if (code == TENON_OK) {
		tn_buf_append(&log->steps, &piece, sizeof(piece));
		return TENON_OK;
	}
	cut(&log->texts, text_size);
	cut(&log->pieces, piece_size);
	cut(&log->steps, log->steps.size);
	return code;
}

/* A batch says which of its operations it was. */
static void say_which(const struct tn_json *operations, size_t index, struct tenon_error *err)
{
	struct tenon_error why;

	if (operations->count < 2 || !err)
		return;
	why = *err;
	(void)tn_fail(err, why.code, "operation %zu of %u: %.200s", index + 1, operations->count,
		      why.message);
	err->sys_errno = why.sys_errno;
}

enum tenon_code tn_oplog_apply(struct tn_oplog *log, const struct tn_json *operations,
			       struct tenon_error *err)
{
	size_t index = 0;

	if (!tn_json_is(operations, TN_JSON_ARRAY) || operations->count == 0)
		return tn_fail(err, TENON_INVALID, "there are no operations; send at least one");
	if (operations->count > TN_OPLOG_BATCH_MAX)
		return tn_fail(err, TENON_LIMIT, "%u operations; send at most %d in one change",
			       operations->count, TN_OPLOG_BATCH_MAX);
	for (const struct tn_json *at = operations->first; at; at = at->next, index++) {
		enum tenon_code code = tn_oplog_apply_step(log, at, err);

		if (code != TENON_OK) {
			say_which(operations, index, err);
			tn_oplog_steps_back(log, 0);
			return code;
		}
	}
	return TENON_OK;
}

enum tenon_code tn_oplog_steps_invert(struct tn_oplog *log, struct tenon_error *err)
{
	tn_buf_clear(&log->inverse);
	tn_buf_append_byte(&log->inverse, '[');
	for (size_t i = tn_oplog_steps(log); i-- > 0;) {
		tn_buf_append_str(&log->inverse, inverse_of(log, i));
		if (i > 0)
			tn_buf_append_byte(&log->inverse, ',');
	}
	tn_buf_append_byte(&log->inverse, ']');
	return tn_buf_check(&log->inverse, err);
}
