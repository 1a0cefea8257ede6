#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/limits.h"
#include "store/oplog_line.h"
#include "store/oplog_log.h"

/* ---- beginning and ending ---- */

static enum tenon_code check(const struct tn_oplog *log, int64_t expected, struct tenon_error *err)
{
	if (log->broken)
		return tn_fail(err, TENON_INTERNAL,
			       "the document is between two revisions; it must be opened again");
	if (log->begun)
		return tn_fail(err, TENON_BUSY, "another change has begun and not ended");
	if (expected >= 0 && (uint64_t)expected != log->revision)
		return tn_fail(err, TENON_EXPIRED,
			       "the revision is %llu now, not %lld; read again and decide anew",
			       (unsigned long long)log->revision, (long long)expected);
	return TENON_OK;
}

/* A snapshot that is due is written before the first step: later the document would be ahead of the
 * revision. */
static enum tenon_code begin(struct tn_oplog *log, bool keeps, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (log->must_snapshot && keeps) {
		code = tn_oplog_compact(log, err);
		log->must_snapshot = code != TENON_OK;
	}
	if (code != TENON_OK)
		return code;
	tn_oplog_steps_clear(log);
	log->begun = true;
	return TENON_OK;
}

/* Nothing of one change is needed by the next; a large one does not hold its memory for ever. */
static void let_go(struct tn_oplog *log)
{
	struct tn_buf *bufs[] = {&log->line,   &log->inverse, &log->texts,
				 &log->pieces, &log->steps,   &log->waste};

	for (size_t i = 0; i < sizeof(bufs) / sizeof(bufs[0]); i++) {
		tn_buf_clear(bufs[i]);
		tn_buf_shrink(bufs[i], TN_OPLOG_KEEP_BYTES);
	}
	tn_arena_reset(&log->arena);
	log->begun = false;
	tn_oplog_settle(log, false); /* what has become a change has settled before */
}

static void write_line(struct tn_oplog *log, const struct tn_change *change)
{
	tn_buf_clear(&log->line);
	tn_oplog_line_begin(&log->line);
	tn_oplog_put_change(&log->line, change);
	tn_json_put_key(&log->line, "operations");
	tn_buf_append_str(&log->line, tn_buf_str(&log->texts));
	tn_buf_append_byte(&log->line, ']');
	tn_oplog_line_end(&log->line);
}

/* The journal comes last: what stands there has happened, and what failed does not stand there. */
static enum tenon_code keep(struct tn_oplog *log, const struct tn_change *change,
			    struct tn_change *ret, struct tenon_error *err)
{
	struct tn_oplog_pending pending = {NULL, NULL};
	enum tenon_code code = tn_oplog_steps_invert(log, err);

	if (code == TENON_OK) {
		tn_buf_append_byte(&log->texts, ']');
		code = tn_buf_check(&log->texts, err);
	}
	if (code == TENON_OK)
		code = tn_oplog_history_prepare(&log->history, change, tn_buf_str(&log->inverse),
						tn_buf_str(&log->texts), &pending, err);
	if (code == TENON_OK)
		code = tn_oplog_disk_append(&log->disk, tn_buf_str(&log->line), err);
	if (code != TENON_OK) {
		tn_oplog_history_drop(&pending);
		return code;
	}
	*ret = *tn_oplog_history_record(&log->history, &pending);
	log->revision++;
	log->begun = false;
	tn_oplog_settle(log, true);
	if (log->disk.path)
		log->journal_lines++;
	tn_oplog_sync_soon(log);
	tn_oplog_compact_if_long(log);
	return TENON_OK;
}

/* The steps become a change, or nothing has happened. */
static enum tenon_code make(struct tn_oplog *log, struct tn_change *change, struct tn_change *ret,
			    struct tenon_error *err)
{
	int64_t wall_ms = tn_clock_wall_ms(log->clock);
	enum tenon_code code;

	change->revision = log->revision + 1;
	if (change->id == 0)
		change->id = change->revision;
	change->wall_ms = wall_ms > 0 ? (uint64_t)wall_ms : 0;
	change->operations = tn_oplog_steps(log);
	write_line(log, change);
	code = tn_buf_check(&log->line, err);
	if (code == TENON_OK)
		code = keep(log, change, ret, err);
	if (code != TENON_OK)
		tn_oplog_steps_back(log, 0);
	return code;
}

/* The texts as they will be kept, so that the line says the same. */
static const char *cut(struct tn_oplog *log, const char *text)
{
	return tn_arena_copy(&log->arena, tn_utf8_cut(tn_str_from(text), TN_OPLOG_TEXT_MAX));
}

static enum tenon_code name_it(struct tn_oplog *log, const struct tn_commit *commit,
			       struct tn_change *ret, struct tenon_error *err)
{
	ret->actor = cut(log, commit->actor);
	ret->label = cut(log, commit->label);
	ret->who = commit->who;
	ret->note = commit->note;
	if (commit->note && strlen(commit->note) > TN_OPLOG_NOTE_MAX)
		return tn_fail(err, TENON_LIMIT, "a note has at most %d bytes",
			       (int)TN_OPLOG_NOTE_MAX);
	if (!ret->actor || !ret->label)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

/* ---- gestures ---- */

const struct tn_change *tn_oplog_joins(const struct tn_oplog *log, const char *actor,
				       const char *gesture)
{
	const struct tn_oplog_past *newest = tn_oplog_history_newest(&log->history);
	struct tn_str cut = tn_utf8_cut(tn_str_from(actor), TN_OPLOG_TEXT_MAX);

	if (!gesture || !newest || newest->change.id != log->gesture_id ||
	    strcmp(gesture, log->gesture) != 0 || !tn_str_is(cut, newest->actor) ||
	    tn_clock_now_ms(log->clock) > log->gesture_until_ms ||
	    tn_oplog_history_undoable(&log->history, NULL)->operations.size >
		    TN_OPLOG_GESTURE_BYTES)
		return NULL;
	return &newest->change;
}

static void note_gesture(struct tn_oplog *log, const char *gesture, uint64_t id)
{
	struct tn_str text = tn_str_from(gesture ? gesture : "");

	log->gesture_id = 0;
	if (text.size == 0 || text.size > TN_OPLOG_GESTURE_MAX)
		return;
	memcpy(log->gesture, text.data, text.size);
	log->gesture[text.size] = '\0';
	log->gesture_id = id;
	log->gesture_until_ms = tn_clock_now_ms(log->clock) + TN_OPLOG_GESTURE_MS;
}

/* ---- step by step ---- */

enum tenon_code tn_oplog_begin(struct tn_oplog *log, int64_t expected_revision,
			       struct tenon_error *err)
{
	enum tenon_code code = check(log, expected_revision, err);

	return code == TENON_OK ? begin(log, true, err) : code;
}

enum tenon_code tn_oplog_step(struct tn_oplog *log, const struct tn_json *operation,
			      struct tenon_error *err)
{
	if (log->broken || !log->begun)
		return tn_fail(err, TENON_INTERNAL, "no change has begun");
	return tn_oplog_apply_step(log, operation, err);
}

void tn_oplog_back_to(struct tn_oplog *log, size_t steps)
{
	if (log->begun && !log->broken)
		tn_oplog_steps_back(log, steps);
}

void tn_oplog_abandon(struct tn_oplog *log)
{
	if (!log->begun)
		return;
	tn_oplog_back_to(log, 0);
	let_go(log);
}

static void swap(struct tn_buf *one, struct tn_buf *other)
{
	struct tn_buf kept = *one;

	*one = *other;
	*other = kept;
}

void tn_oplog_pass(struct tn_oplog *from, struct tn_oplog *to)
{
	tn_assert(from->begun && to->begun && tn_oplog_steps(to) == 0);
	swap(&from->texts, &to->texts);
	swap(&from->pieces, &to->pieces);
	swap(&from->steps, &to->steps);
}

/* What a dry run, or a change without a step, tells. */
static void tell(const struct tn_oplog *log, const struct tn_commit *commit,
		 struct tn_change *change, struct tn_change *ret)
{
	int64_t wall_ms = tn_clock_wall_ms(log->clock);

	*ret = *change;
	ret->actor = commit->actor;
	ret->label = commit->label;
	ret->id = 0;
	ret->revision = log->revision;
	ret->wall_ms = wall_ms > 0 ? (uint64_t)wall_ms : 0;
}

static enum tn_change_kind kind_of(const struct tn_oplog *log, uint64_t of)
{
	const struct tn_oplog_step *step = of ? tn_oplog_history_find(&log->history, of) : NULL;

	if (!of)
		return TN_CHANGE_DONE;
	return step && step->undone ? TN_CHANGE_REDO : TN_CHANGE_UNDO;
}

enum tenon_code tn_oplog_end(struct tn_oplog *log, const struct tn_commit *commit,
			     struct tn_change *ret, struct tenon_error *err)
{
	struct tn_change change = {.kind = kind_of(log, commit->of), .of = commit->of};
	enum tenon_code code;

	if (log->broken || !log->begun)
		return tn_fail(err, TENON_INTERNAL, "no change has begun");
	change.operations = tn_oplog_steps(log);
	code = name_it(log, commit, &change, err);
	if (code == TENON_OK && !commit->dry_run && change.operations > 0) {
		const struct tn_change *whole =
			commit->of ? NULL : tn_oplog_joins(log, commit->actor, commit->gesture);

		change.id = whole ? whole->id : 0;
		code = make(log, &change, ret, err);
		if (code == TENON_OK)
			note_gesture(log, commit->gesture, ret->id);
	} else {
		tn_oplog_steps_back(log, 0);
		if (log->broken)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
		if (code == TENON_OK)
			tell(log, commit, &change, ret);
	}
	let_go(log);
	return code;
}

enum tenon_code tn_oplog_commit(struct tn_oplog *log, const struct tn_commit *commit,
				struct tn_change *ret, struct tenon_error *err)
{
	enum tenon_code code = check(log, commit->expected_revision, err);

	if (code == TENON_OK)
		code = begin(log, !commit->dry_run, err);
	if (code != TENON_OK)
		return code;
	code = tn_oplog_apply(log, commit->operations, err);
	if (code == TENON_OK)
		return tn_oplog_end(log, commit, ret, err);
	let_go(log);
	return code;
}

/* ---- back and forth ---- */

static enum tenon_code move(struct tn_oplog *log, const struct tn_oplog_step *step,
			    enum tn_change_kind kind, const char *actor, struct tn_change *ret,
			    struct tenon_error *err)
{
	const struct tn_commit commit = {.actor = actor, .label = step->label};
	struct tn_change change = {.kind = kind, .of = step->of};
	struct tn_json *operations = NULL;
	enum tenon_code code = begin(log, true, err);

	if (code == TENON_OK)
		code = name_it(log, &commit, &change, err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&log->arena, step->operations, &operations, err);
	if (code == TENON_OK)
		code = tn_oplog_apply(log, operations, err);
	if (code == TENON_OK)
		code = make(log, &change, ret, err);
	let_go(log);
	return code;
}

enum tenon_code tn_oplog_undo(struct tn_oplog *log, const char *actor, int64_t expected_revision,
			      struct tn_change *ret, struct tenon_error *err)
{
	const struct tn_oplog_step *step = tn_oplog_history_undoable(&log->history, NULL);
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
	const struct tn_oplog_step *step = tn_oplog_history_redoable(&log->history, NULL);
	enum tenon_code code = check(log, expected_revision, err);

	if (code != TENON_OK)
		return code;
	if (!step)
		return tn_fail(err, TENON_NOT_FOUND, "there is nothing to redo");
	return move(log, step, TN_CHANGE_REDO, actor, ret, err);
}
