#include "store/oplog_history.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/limits.h"

static const char *const kinds[] = {"done", "undo", "redo"};

void tn_oplog_history_init(struct tn_oplog_history *history, size_t step_max)
{
	*history = (struct tn_oplog_history){.step_max = step_max};
}

static void free_step(struct tn_oplog_step *step)
{
	if (!step)
		return;
	tn_mem_free((char *)(uintptr_t)step->operations.data);
	tn_mem_free(step);
}

void tn_oplog_history_finish(struct tn_oplog_history *history)
{
	for (size_t i = 0; i < history->step_count; i++)
		free_step(history->steps[i]);
	for (size_t i = 0; i < history->past_count; i++)
		tn_mem_free(history->past[i]);
	tn_mem_free(history->steps);
	tn_mem_free(history->past);
	*history = (struct tn_oplog_history){.step_max = history->step_max};
}

/* ---- recording ---- */

static void copy_cut(char out[TN_OPLOG_TEXT_MAX + 1], const char *text)
{
	struct tn_str cut = tn_utf8_cut(tn_str_from(text), TN_OPLOG_TEXT_MAX);

	if (cut.size)
		memcpy(out, cut.data, cut.size);
	out[cut.size] = '\0';
}

static enum tenon_code make_room(struct tn_oplog_history *history, struct tenon_error *err)
{
	if (history->step_count == history->step_capacity) {
		size_t capacity = history->step_capacity ? 2 * history->step_capacity : 16;
		void *grown = tn_mem_resize(history->steps, capacity * sizeof(*history->steps));

		if (!grown)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		history->steps = grown;
		history->step_capacity = capacity;
	}
	if (history->past_count == history->past_capacity) {
		size_t capacity = history->past_capacity ? 2 * history->past_capacity : 16;
		void *grown = tn_mem_resize(history->past, capacity * sizeof(*history->past));

		if (!grown)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		history->past = grown;
		history->past_capacity = capacity;
	}
	return TENON_OK;
}

static struct tn_oplog_step *make_step(uint64_t of, const char *label, struct tn_str operations)
{
	struct tn_oplog_step *step = tn_mem_alloc(sizeof(*step));
	char *copy = tn_mem_copy_text(operations.data, operations.size);

	if (!step || !copy) {
		tn_mem_free(step);
		tn_mem_free(copy);
		return NULL;
	}
	step->of = of;
	step->operations = tn_str(copy, operations.size);
	copy_cut(step->label, label);
	return step;
}

static struct tn_oplog_past *make_past(const struct tn_change *change)
{
	size_t note_size = change->note ? strlen(change->note) : 0;
	struct tn_oplog_past *past = tn_mem_alloc(sizeof(*past) + note_size + 1);

	if (!past)
		return NULL;
	copy_cut(past->actor, change->actor);
	copy_cut(past->label, change->label);
	past->change = *change;
	past->change.actor = past->actor;
	past->change.label = past->label;
	if (note_size > 0)
		memcpy(past->note, change->note, note_size);
	past->change.note = note_size > 0 ? past->note : NULL;
	return past;
}

enum tenon_code tn_oplog_history_prepare(struct tn_oplog_history *history,
					 const struct tn_change *change, struct tn_str operations,
					 struct tn_oplog_pending *pending, struct tenon_error *err)
{
	enum tenon_code code = make_room(history, err);

	if (code != TENON_OK)
		return code;
	pending->past = make_past(change);
	pending->step = make_step(change->kind == TN_CHANGE_DONE ? change->id : change->of,
				  change->label, operations);
	if (pending->past && pending->step)
		return TENON_OK;
	tn_oplog_history_drop(pending);
	return tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

void tn_oplog_history_drop(struct tn_oplog_pending *pending)
{
	free_step(pending->step);
	tn_mem_free(pending->past);
	*pending = (struct tn_oplog_pending){NULL, NULL};
}

static void drop_oldest_steps(struct tn_oplog_history *history)
{
	size_t drop = 0;

	while (history->step_count - drop > 1 && drop < history->applied &&
	       (history->step_count - drop > history->step_max ||
		history->step_bytes > TN_OPLOG_UNDO_BYTES)) {
		history->step_bytes -= history->steps[drop]->operations.size;
		free_step(history->steps[drop++]);
	}
	if (drop == 0)
		return;
	history->step_count -= drop;
	history->applied -= drop;
	memmove(history->steps, history->steps + drop,
		history->step_count * sizeof(*history->steps));
}

static void clear_redo_side(struct tn_oplog_history *history)
{
	while (history->step_count > history->applied) {
		struct tn_oplog_step *step = history->steps[--history->step_count];

		history->step_bytes -= step->operations.size;
		free_step(step);
	}
}

/* Replaces the step at `at` by the prepared one, which says how to go back. Without the step (it
 * was one too many to be remembered) there is nothing to move. */
static bool replace_step(struct tn_oplog_history *history, size_t at, struct tn_oplog_step *step)
{
	if (at >= history->step_count || history->steps[at]->of != step->of) {
		free_step(step);
		return false;
	}
	history->step_bytes += step->operations.size - history->steps[at]->operations.size;
	free_step(history->steps[at]);
	history->steps[at] = step;
	return true;
}

static void keep_step(struct tn_oplog_history *history, const struct tn_change *change,
		      struct tn_oplog_step *step)
{
	switch (change->kind) {
	case TN_CHANGE_UNDO:
		if (replace_step(history, history->applied - 1, step))
			history->applied--;
		break;
	case TN_CHANGE_REDO:
		if (replace_step(history, history->applied, step))
			history->applied++;
		break;
	default:
		clear_redo_side(history);
		history->steps[history->step_count++] = step;
		history->applied++;
		history->step_bytes += step->operations.size;
		drop_oldest_steps(history);
	}
}

/* What was undone stays on the list, and says so. */
static void mark_undone(struct tn_oplog_history *history, const struct tn_change *move)
{
	for (size_t i = history->past_count; i-- > 0;) {
		struct tn_change *change = &history->past[i]->change;

		if (change->id == move->of) {
			change->undone = move->kind == TN_CHANGE_UNDO;
			return;
		}
	}
}

static void keep_past(struct tn_oplog_history *history, struct tn_oplog_past *past)
{
	if (past->change.kind != TN_CHANGE_DONE)
		mark_undone(history, &past->change);
	if (history->past_count == TN_OPLOG_LISTED_MAX) {
		tn_mem_free(history->past[0]);
		history->past_count--;
		memmove(history->past, history->past + 1,
			history->past_count * sizeof(*history->past));
	}
	history->past[history->past_count++] = past;
}

const struct tn_change *tn_oplog_history_record(struct tn_oplog_history *history,
						struct tn_oplog_pending *pending)
{
	struct tn_oplog_past *past = pending->past;

	keep_step(history, &past->change, pending->step);
	keep_past(history, past);
	*pending = (struct tn_oplog_pending){NULL, NULL};
	return &past->change;
}

const struct tn_oplog_step *tn_oplog_history_undoable(const struct tn_oplog_history *history)
{
	return history->applied ? history->steps[history->applied - 1] : NULL;
}

const struct tn_oplog_step *tn_oplog_history_redoable(const struct tn_oplog_history *history)
{
	return history->applied < history->step_count ? history->steps[history->applied] : NULL;
}

/* ---- as JSON ---- */

void tn_oplog_put_change(struct tn_buf *out, const struct tn_change *change)
{
	tn_json_put_member_int(out, "revision", (int64_t)change->revision);
	tn_json_put_member_int(out, "time", (int64_t)change->wall_ms);
	tn_json_put_member_text(out, "kind", kinds[change->kind]);
	tn_json_put_member_int(out, "of", (int64_t)change->of);
	tn_json_put_member_text(out, "actor", change->actor);
	tn_json_put_member_text(out, "label", change->label);
	if (change->note)
		tn_json_put_member_text(out, "note", change->note);
}

static bool read_count(const struct tn_json *object, const char *key, uint64_t *ret)
{
	int64_t value;

	if (!tn_json_to_int(tn_json_get(object, key), &value) || value < 0)
		return false;
	*ret = (uint64_t)value;
	return true;
}

static bool read_text(const struct tn_json *object, const char *key, const char **ret)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(object, key), &text))
		return false;
	*ret = text.data; /* followed by a NUL (json.h) */
	return true;
}

static bool read_kind(const struct tn_json *object, struct tn_change *ret)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(object, "kind"), &text))
		return false;
	if (tn_str_is(text, "done"))
		ret->kind = TN_CHANGE_DONE;
	else if (tn_str_is(text, "undo"))
		ret->kind = TN_CHANGE_UNDO;
	else if (tn_str_is(text, "redo"))
		ret->kind = TN_CHANGE_REDO;
	else
		return false;
	return true;
}

bool tn_oplog_read_change(const struct tn_json *object, struct tn_change *ret)
{
	*ret = (struct tn_change){.id = 0};
	if (!read_count(object, "revision", &ret->revision) || ret->revision == 0 ||
	    !read_count(object, "time", &ret->wall_ms) || !read_kind(object, ret) ||
	    !read_count(object, "of", &ret->of) || !read_text(object, "actor", &ret->actor) ||
	    !read_text(object, "label", &ret->label))
		return false;
	if (tn_json_get(object, "note") && !read_text(object, "note", &ret->note))
		return false;
	ret->id = ret->revision; /* one change makes one revision, so one number does for both */
	return (ret->of == 0) == (ret->kind == TN_CHANGE_DONE);
}

void tn_oplog_history_put(struct tn_buf *out, const struct tn_oplog_history *history)
{
	tn_json_put_member_int(out, "applied", (int64_t)history->applied);
	tn_json_put_key(out, "steps");
	tn_json_begin_array(out);
	for (size_t i = 0; i < history->step_count; i++) {
		const struct tn_oplog_step *step = history->steps[i];

		tn_json_begin_object(out);
		tn_json_put_member_int(out, "of", (int64_t)step->of);
		tn_json_put_member_text(out, "label", step->label);
		tn_json_put_member_raw(out, "operations", step->operations);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "past");
	tn_json_begin_array(out);
	for (size_t i = 0; i < history->past_count; i++) {
		tn_json_begin_object(out);
		tn_oplog_put_change(out, &history->past[i]->change);
		tn_json_put_member_int(out, "operations",
				       (int64_t)history->past[i]->change.operations);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static enum tenon_code read_step(struct tn_oplog_history *history, const struct tn_json *object,
				 struct tenon_error *err)
{
	const struct tn_json *operations = tn_json_get(object, "operations");
	struct tn_oplog_step *step;
	const char *label;
	struct tn_buf text;
	uint64_t of;

	if (!read_count(object, "of", &of) || !read_text(object, "label", &label) ||
	    !tn_json_is(operations, TN_JSON_ARRAY))
		return tn_fail(err, TENON_INVALID, "a step of the history is not as it should be");
	tn_buf_init(&text, TN_OPLOG_FILE_BYTES_MAX);
	tn_json_put_value(&text, operations);
	step = text.failed ? NULL : make_step(of, label, tn_buf_str(&text));
	tn_buf_finish(&text);
	if (!step || make_room(history, err) != TENON_OK) {
		free_step(step);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	history->steps[history->step_count++] = step;
	history->step_bytes += step->operations.size;
	return TENON_OK;
}

static enum tenon_code read_past(struct tn_oplog_history *history, const struct tn_json *object,
				 struct tenon_error *err)
{
	struct tn_change change;
	struct tn_oplog_past *past;
	uint64_t operations;

	if (!tn_oplog_read_change(object, &change) ||
	    !read_count(object, "operations", &operations))
		return tn_fail(err, TENON_INVALID, "a change in the list is not as it should be");
	change.operations = operations;
	past = make_past(&change);
	if (!past || make_room(history, err) != TENON_OK) {
		tn_mem_free(past);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	keep_past(history, past);
	return TENON_OK;
}

static const struct tn_json *first_of(const struct tn_json *array)
{
	return array->count ? array->first : NULL;
}

enum tenon_code tn_oplog_history_read(struct tn_oplog_history *history,
				      const struct tn_json *snapshot, struct tenon_error *err)
{
	const struct tn_json *steps = tn_json_get(snapshot, "steps");
	const struct tn_json *past = tn_json_get(snapshot, "past");
	enum tenon_code code = TENON_OK;
	uint64_t applied;

	if (!read_count(snapshot, "applied", &applied) || !tn_json_is(steps, TN_JSON_ARRAY) ||
	    !tn_json_is(past, TN_JSON_ARRAY) || applied > steps->count)
		return tn_fail(err, TENON_INVALID, "the history is not as it should be");
	for (const struct tn_json *at = first_of(steps); at && code == TENON_OK; at = at->next)
		code = read_step(history, at, err);
	for (const struct tn_json *at = first_of(past); at && code == TENON_OK; at = at->next)
		code = read_past(history, at, err);
	if (code != TENON_OK)
		return code;
	history->applied = applied;
	drop_oldest_steps(history); /* fewer may be remembered than when it was written */
	return TENON_OK;
}
