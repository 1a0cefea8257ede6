#include "base/size.h"
#include "store/oplog_log.h"

/* ---- taking back ---- */

static bool apply_text(struct tn_oplog *log, struct tn_str operation)
{
	struct tn_json *tree = NULL;

	tn_buf_clear(&log->waste);
	return tn_json_parse_copy(&log->arena, operation, &tree, NULL) == TENON_OK &&
	       log->ops->apply(log->document, tree, &log->waste, NULL) == TENON_OK;
}

/* Where the inverse of an operation stands in log->pieces. */
struct piece {
	size_t start, size;
};

static struct tn_str text_of(const struct tn_oplog *log, struct piece piece)
{
	return tn_str(log->pieces.data + piece.start, piece.size);
}

/* The inverses of the first `count` operations, last one first. */
static void take_back_pieces(struct tn_oplog *log, const struct piece *pieces, size_t count)
{
	for (size_t i = count; i-- > 0 && !log->broken;)
		log->broken = !apply_text(log, text_of(log, pieces[i]));
}

void tn_oplog_take_back(struct tn_oplog *log, struct tn_str inverse)
{
	struct tn_json *operations = NULL;

	if (tn_json_parse_copy(&log->arena, inverse, &operations, NULL) != TENON_OK) {
		log->broken = true;
		return;
	}
	for (const struct tn_json *at = operations->first; at && !log->broken; at = at->next) {
		tn_buf_clear(&log->waste);
		log->broken = log->ops->apply(log->document, at, &log->waste, NULL) != TENON_OK;
	}
}

/* ---- applying ---- */

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

/* Whoever writes JSON looks at the byte before: here it is the beginning of an array. */
static enum tenon_code apply_one(struct tn_oplog *log, const struct tn_json *operation,
				 struct piece *piece, struct tenon_error *err)
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

static enum tenon_code apply_each(struct tn_oplog *log, const struct tn_json *operations,
				  struct piece *pieces, struct tenon_error *err)
{
	size_t index = 0;

	for (const struct tn_json *at = operations->first; at; at = at->next, index++) {
		enum tenon_code code = apply_one(log, at, &pieces[index], err);

		if (code != TENON_OK) {
			say_which(operations, index, err);
			take_back_pieces(log, pieces, index);
			return code;
		}
	}
	return TENON_OK;
}

static void join_backwards(const struct tn_oplog *log, const struct piece *pieces, size_t count,
			   struct tn_buf *inverse)
{
	tn_buf_append_byte(inverse, '[');
	for (size_t i = count; i-- > 0;) {
		tn_buf_append_str(inverse, text_of(log, pieces[i]));
		if (i > 0)
			tn_buf_append_byte(inverse, ',');
	}
	tn_buf_append_byte(inverse, ']');
}

enum tenon_code tn_oplog_apply(struct tn_oplog *log, const struct tn_json *operations,
			       struct tn_buf *inverse, struct tenon_error *err)
{
	struct piece *pieces;
	enum tenon_code code;

	if (!tn_json_is(operations, TN_JSON_ARRAY) || operations->count == 0)
		return tn_fail(err, TENON_INVALID, "there are no operations; send at least one");
	if (operations->count > TN_OPLOG_BATCH_MAX)
		return tn_fail(err, TENON_LIMIT, "%u operations; send at most %d in one change",
			       operations->count, TN_OPLOG_BATCH_MAX);
	pieces = tn_arena_alloc_array(&log->arena, operations->count, sizeof(*pieces));
	if (!pieces)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_clear(&log->pieces);
	code = apply_each(log, operations, pieces, err);
	if (code != TENON_OK)
		return code;
	join_backwards(log, pieces, operations->count, inverse);
	code = tn_buf_check(inverse, err);
	if (code != TENON_OK)
		take_back_pieces(log, pieces, operations->count);
	return code;
}
