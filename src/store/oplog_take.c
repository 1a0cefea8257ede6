/* oplog_take.c - which change undo or redo takes, and which others stand against it. */
#include <stdlib.h>

#include "base/mem.h"
#include "store/oplog_log.h"

/* ---- what a step touches ---- */

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorted, each once. */
static size_t sort(uint64_t *keys, size_t count)
{
	size_t kept = 0;

	qsort(keys, count, sizeof(*keys), compare);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || keys[kept - 1] != keys[i])
			keys[kept++] = keys[i];
	}
	return kept;
}

static struct tn_str ask_keys(const struct tn_oplog *log, const struct tn_oplog_step *step)
{
	struct tn_json *forth = NULL, *back = NULL;
	struct tn_str keys = tn_str(NULL, 0);
	struct tn_arena arena;
	struct tn_buf out;

	if (!log->ops->touch || step->forth.size == 0)
		return keys;
	tn_arena_init(&arena, TN_OPLOG_ARENA_MAX);
	tn_buf_init(&out, TN_OPLOG_COMMIT_BYTES_MAX);
	if (tn_json_parse_copy(&arena, step->forth, &forth, NULL) == TENON_OK &&
	    tn_json_parse_copy(&arena, step->operations, &back, NULL) == TENON_OK)
		log->ops->touch(forth, back, &out);
	if (!out.failed && out.size > 0) {
		size_t count = sort((uint64_t *)(void *)out.data, out.size / sizeof(uint64_t));
		char *copy = tn_mem_copy_text(out.data, count * sizeof(uint64_t));

		if (copy)
			keys = tn_str(copy, count * sizeof(uint64_t));
	}
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return keys;
}

/* Empty: they cannot be known, so it meets everything. */
static struct tn_str keys_of(struct tn_oplog *log, struct tn_oplog_step *step)
{
	if (step->keys.size == 0) {
		struct tn_str keys = ask_keys(log, step);

		if (keys.size > 0)
			tn_oplog_history_keep_keys(&log->history, step, keys);
	}
	return step->keys;
}

/* Of the numbers that stand for one part, from `at` on: whether one is odd, and where the next part
 * begins. */
static bool is_whole(const uint64_t *keys, size_t count, size_t *at)
{
	uint64_t part = keys[*at] | 1;
	bool whole = false;

	for (; *at < count && (keys[*at] | 1) == part; ++*at)
		whole = whole || (keys[*at] & 1);
	return whole;
}

static bool meet(struct tn_str a, struct tn_str b)
{
	const uint64_t *x = (const uint64_t *)(const void *)a.data;
	const uint64_t *y = (const uint64_t *)(const void *)b.data;
	size_t i = 0, j = 0, x_count = a.size / sizeof(*x), y_count = b.size / sizeof(*y);

	if (x_count == 0 || y_count == 0)
		return true;
	while (i < x_count && j < y_count) {
		bool same = (x[i] | 1) == (y[j] | 1), less = x[i] < y[j], whole = false;

		if (same || less)
			whole = is_whole(x, x_count, &i);
		if (same || !less)
			whole = is_whole(y, y_count, &j) || whole;
		if (same && whole)
			return true;
	}
	return false;
}

/* ---- against it ---- */

/* Since `step` was turned last this one has come to be otherwise than it was then. */
static bool has_turned(const struct tn_oplog *log, const struct tn_oplog_step *step,
		       const struct tn_oplog_step *other)
{
	return other != step && other->toggled > step->toggled &&
	       tn_oplog_history_turns(&log->history, other->of, step->toggled) % 2 == 1;
}

/* Steps that are not remembered any more may have been turned as well. */
static bool is_clean(const struct tn_oplog *log, const struct tn_oplog_step *step)
{
	const struct tn_oplog_history *history = &log->history;

	if (history->past_count == 0 || history->past[0]->change.revision > step->toggled + 1)
		return step->toggled == log->revision;
	for (size_t i = history->past_count; i-- > 0;) {
		const struct tn_change *change = &history->past[i]->change;
		uint64_t of = change->kind == TN_CHANGE_DONE ? change->id : change->of;

		if (change->revision <= step->toggled)
			break;
		if (of != step->of && tn_oplog_history_turns(history, of, step->toggled) % 2 == 1)
			return false;
	}
	return true;
}

size_t tn_oplog_conflicts(struct tn_oplog *log, uint64_t id, bool meeting, size_t max,
			  void (*each)(const struct tn_change *change, void *data), void *data)
{
	struct tn_oplog_step *step = tn_oplog_history_find(&log->history, id);
	size_t count = 0;

	for (size_t i = 0; step && i < log->history.step_count; i++) {
		struct tn_oplog_step *other = log->history.steps[i];
		const struct tn_change *line;

		if (!has_turned(log, step, other) ||
		    (meeting && !meet(keys_of(log, step), keys_of(log, other))))
			continue;
		line = tn_oplog_history_line(&log->history, other->of);
		if (line && count < max)
			each(line, data);
		count++;
	}
	return count;
}

const struct tn_change *tn_oplog_line(const struct tn_oplog *log, uint64_t id)
{
	return tn_oplog_history_line(&log->history, id);
}

/* ---- which ---- */

static const struct tn_oplog_step *choose(struct tn_oplog *log, const struct tn_oplog_which *which,
					  struct tenon_error *err)
{
	const struct tn_oplog_step *step;

	if (!which->id) {
		step = which->redo ? tn_oplog_history_redoable(&log->history, which->who)
				   : tn_oplog_history_undoable(&log->history, which->who);
		if (!step)
			(void)tn_fail(err, TENON_NOT_FOUND, "there is nothing%s to %s",
				      which->who ? " of yours" : "", which->redo ? "redo" : "undo");
		return step;
	}
	step = tn_oplog_history_find(&log->history, which->id);
	if (step && step->undone == which->redo)
		return step;
	(void)tn_fail(err, TENON_NOT_FOUND, "%s",
		      !step          ? "there is no such change, or it is too old to be undone"
		      : step->undone ? "the change is undone already"
				     : "the change is not undone");
	return NULL;
}

static enum tenon_code name(struct tn_oplog *log, const struct tn_oplog_step *step,
			    struct tn_arena *arena, struct tn_oplog_taken *ret,
			    struct tenon_error *err)
{
	*ret = (struct tn_oplog_taken){
		.id = step->of,
		.label = tn_arena_copy(arena, tn_str_from(step->label)),
		.text = step->operations,
		.forth_text = step->forth,
		.clean = is_clean(log, step),
	};
	return ret->label ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

enum tenon_code tn_oplog_look(struct tn_oplog *log, const struct tn_oplog_which *which,
			      struct tn_arena *arena, struct tn_oplog_taken *ret,
			      struct tenon_error *err)
{
	const struct tn_oplog_step *step = choose(log, which, err);

	return step ? name(log, step, arena, ret, err) : TENON_NOT_FOUND;
}

enum tenon_code tn_oplog_take(struct tn_oplog *log, const struct tn_oplog_which *which,
			      struct tn_arena *arena, struct tn_oplog_taken *ret,
			      struct tenon_error *err)
{
	const struct tn_oplog_step *step = choose(log, which, err);
	struct tn_json *back = NULL, *forth = NULL;
	enum tenon_code code;

	if (!step)
		return TENON_NOT_FOUND;
	code = tn_json_parse_copy(arena, step->operations, &back, err);
	if (code == TENON_OK && step->forth.size > 0)
		code = tn_json_parse_copy(arena, step->forth, &forth, err);
	if (code == TENON_OK)
		code = name(log, step, arena, ret, err);
	if (code != TENON_OK)
		return code;
	ret->back = back;
	ret->forth = forth;
	return TENON_OK;
}
