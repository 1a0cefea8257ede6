#include "store/oplog_history.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/limits.h"

void tn_oplog_history_init(struct tn_oplog_history *history, size_t step_max)
{
	*history = (struct tn_oplog_history){.step_max = step_max};
}

static void free_text(struct tn_str text)
{
	tn_mem_free((char *)(uintptr_t)text.data);
}

static void free_step(struct tn_oplog_step *step)
{
	if (!step)
		return;
	free_text(step->operations);
	free_text(step->forth);
	free_text(step->keys);
	tn_mem_free(step);
}

static size_t bytes_of(const struct tn_oplog_step *step)
{
	return step->operations.size + step->forth.size + step->keys.size;
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

static void copy_cut(char *out, const char *text, size_t max)
{
	struct tn_str cut = tn_utf8_cut(tn_str_from(text ? text : ""), max);

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

static struct tn_oplog_step *make_step(uint64_t of, const char *label, struct tn_str operations,
				       struct tn_str forth)
{
	struct tn_oplog_step *step = tn_mem_alloc(sizeof(*step));
	char *copy = tn_mem_copy_text(operations.data, operations.size);
	char *other = tn_mem_copy_text(forth.data ? forth.data : "", forth.size);

	if (!step || !copy || !other) {
		tn_mem_free(step);
		tn_mem_free(copy);
		tn_mem_free(other);
		return NULL;
	}
	step->of = of;
	step->operations = tn_str(copy, operations.size);
	step->forth = tn_str(other, forth.size);
	copy_cut(step->label, label, TN_OPLOG_TEXT_MAX);
	return step;
}

static struct tn_oplog_past *make_past(const struct tn_change *change)
{
	size_t note_size = change->note ? strlen(change->note) : 0;
	struct tn_oplog_past *past = tn_mem_alloc(sizeof(*past) + note_size + 1);

	if (!past)
		return NULL;
	copy_cut(past->actor, change->actor, TN_OPLOG_TEXT_MAX);
	copy_cut(past->label, change->label, TN_OPLOG_TEXT_MAX);
	copy_cut(past->who, change->who, TN_OPLOG_WHO_MAX);
	past->change = *change;
	past->change.who = past->who[0] ? past->who : NULL;
	past->change.actor = past->actor;
	past->change.label = past->label;
	if (note_size > 0)
		memcpy(past->note, change->note, note_size);
	past->change.note = note_size > 0 ? past->note : NULL;
	return past;
}

/* ---- gestures ---- */

const struct tn_oplog_past *tn_oplog_history_newest(const struct tn_oplog_history *history)
{
	const struct tn_oplog_past *past =
		history->past_count ? history->past[history->past_count - 1] : NULL;
	const struct tn_oplog_step *step =
		history->step_count ? history->steps[history->step_count - 1] : NULL;

	if (!past || past->change.kind != TN_CHANGE_DONE || !step || step->undone ||
	    step->of != past->change.id)
		return NULL;
	return past;
}

static bool joins(const struct tn_oplog_history *history, const struct tn_change *change)
{
	const struct tn_oplog_past *past = tn_oplog_history_newest(history);

	return past && change->kind == TN_CHANGE_DONE && change->id != change->revision &&
	       past->change.id == change->id;
}

/* "[a]" and "[b]" to "[a,b]". */
static void put_both(struct tn_buf *out, struct tn_str first, struct tn_str second)
{
	tn_buf_append(out, first.data, first.size - 1);
	tn_buf_append_byte(out, ',');
	tn_buf_append_str(out, tn_str_from_offset(second, 1));
}

/* To take back both: the later one first. */
static struct tn_oplog_step *join_steps(const struct tn_oplog_history *history,
					const struct tn_change *change, struct tn_str operations,
					struct tn_str forth)
{
	const struct tn_oplog_step *before = history->steps[history->step_count - 1];
	struct tn_oplog_step *step = NULL;
	struct tn_buf back, again;

	tn_buf_init(&back, TN_OPLOG_FILE_BYTES_MAX);
	tn_buf_init(&again, TN_OPLOG_FILE_BYTES_MAX);
	put_both(&back, operations, before->operations);
	if (before->forth.size > 0)
		put_both(&again, before->forth, forth);
	if (!back.failed && !again.failed)
		step = make_step(change->id, change->label, tn_buf_str(&back), tn_buf_str(&again));
	tn_buf_finish(&back);
	tn_buf_finish(&again);
	return step;
}

enum tenon_code tn_oplog_history_prepare(struct tn_oplog_history *history,
					 const struct tn_change *change, struct tn_str operations,
					 struct tn_str forth, struct tn_oplog_pending *pending,
					 struct tenon_error *err)
{
	enum tenon_code code = make_room(history, err);

	if (code != TENON_OK)
		return code;
	pending->past = make_past(change);
	if (joins(history, change))
		pending->step = join_steps(history, change, operations, forth);
	else
		pending->step = make_step(change->kind == TN_CHANGE_DONE ? change->id : change->of,
					  change->label, operations, forth);
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

static size_t count_done(const struct tn_oplog_history *history)
{
	size_t done = 0;

	for (size_t i = 0; i < history->step_count; i++)
		done += !history->steps[i]->undone;
	return done;
}

/* Those that are undone are kept as long as those beside them, and no more of them than of others.
 */
static void drop_oldest_steps(struct tn_oplog_history *history)
{
	size_t done = count_done(history), drop = 0;

	while (history->step_count - drop > 1 &&
	       (done > history->step_max || history->step_count - drop > 2 * history->step_max ||
		history->step_bytes > TN_OPLOG_UNDO_BYTES)) {
		done -= !history->steps[drop]->undone;
		history->step_bytes -= bytes_of(history->steps[drop]);
		free_step(history->steps[drop++]);
	}
	if (drop == 0)
		return;
	history->step_count -= drop;
	memmove(history->steps, history->steps + drop,
		history->step_count * sizeof(*history->steps));
}

/* Replaces a step by the prepared one, which says how to go back. Without the step (it was one too
 * many to be remembered) there is nothing to turn. */
static void replace_step(struct tn_oplog_history *history, const struct tn_change *change,
			 struct tn_oplog_step *step)
{
	for (size_t i = history->step_count; i-- > 0;) {
		struct tn_oplog_step *old = history->steps[i];

		if (old->of != step->of)
			continue;
		copy_cut(step->who, old->who, TN_OPLOG_WHO_MAX);
		copy_cut(step->toggled_by, change->who, TN_OPLOG_WHO_MAX);
		step->undone = change->kind == TN_CHANGE_UNDO;
		step->toggled = change->revision;
		if (change->kind != TN_CHANGE_DONE)
			copy_cut(step->label, old->label, TN_OPLOG_TEXT_MAX);
		history->step_bytes += bytes_of(step) - bytes_of(old);
		free_step(old);
		history->steps[i] = step;
		return;
	}
	free_step(step);
}

static void keep_step(struct tn_oplog_history *history, const struct tn_change *change,
		      struct tn_oplog_step *step)
{
	if (change->kind != TN_CHANGE_DONE) {
		replace_step(history, change, step);
		return;
	}
	copy_cut(step->who, change->who, TN_OPLOG_WHO_MAX);
	step->toggled = change->revision;
	history->steps[history->step_count++] = step;
	history->step_bytes += bytes_of(step);
	drop_oldest_steps(history);
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

	if (joins(history, &past->change)) {
		struct tn_oplog_past **newest = &history->past[history->past_count - 1];

		replace_step(history, &past->change, pending->step);
		past->change.operations += (*newest)->change.operations;
		tn_mem_free(*newest);
		*newest = past;
		*pending = (struct tn_oplog_pending){NULL, NULL};
		return &past->change;
	}
	keep_step(history, &past->change, pending->step);
	keep_past(history, past);
	*pending = (struct tn_oplog_pending){NULL, NULL};
	return &past->change;
}

/* ---- looking ---- */

struct tn_oplog_step *tn_oplog_history_undoable(const struct tn_oplog_history *history,
						const char *who)
{
	for (size_t i = history->step_count; i-- > 0;) {
		struct tn_oplog_step *step = history->steps[i];

		if (!step->undone && (!who || strcmp(step->who, who) == 0))
			return step;
	}
	return NULL;
}

struct tn_oplog_step *tn_oplog_history_redoable(const struct tn_oplog_history *history,
						const char *who)
{
	struct tn_oplog_step *last = NULL;
	uint64_t done = 0; /* the newest change; each has the revision it began with for its id */

	for (size_t i = 0; i < history->step_count; i++) {
		struct tn_oplog_step *step = history->steps[i];

		if (!who || strcmp(step->who, who) == 0)
			done = step->of > done ? step->of : done;
		if (step->undone && (!who || strcmp(step->toggled_by, who) == 0) &&
		    (!last || step->toggled > last->toggled))
			last = step;
	}
	return last && last->toggled > done ? last : NULL;
}

struct tn_oplog_step *tn_oplog_history_find(const struct tn_oplog_history *history, uint64_t id)
{
	for (size_t i = history->step_count; i-- > 0;) {
		if (history->steps[i]->of == id)
			return history->steps[i];
	}
	return NULL;
}

const struct tn_change *tn_oplog_history_line(const struct tn_oplog_history *history, uint64_t id)
{
	for (size_t i = history->past_count; i-- > 0;) {
		if (history->past[i]->change.id == id)
			return &history->past[i]->change;
	}
	return NULL;
}

unsigned tn_oplog_history_turns(const struct tn_oplog_history *history, uint64_t id,
				uint64_t revision)
{
	unsigned turns = 0;

	if (history->past_count > 0 && history->past[0]->change.revision > revision + 1)
		return 1;
	for (size_t i = history->past_count; i-- > 0;) {
		const struct tn_change *change = &history->past[i]->change;

		if (change->revision <= revision)
			break;
		turns += change->kind == TN_CHANGE_DONE ? change->id == id : change->of == id;
	}
	return turns;
}

void tn_oplog_history_keep_keys(struct tn_oplog_history *history, struct tn_oplog_step *step,
				struct tn_str keys)
{
	history->step_bytes += keys.size - step->keys.size;
	free_text(step->keys);
	step->keys = keys;
}

/* ---- for what is read ---- */

size_t tn_oplog_history_done(const struct tn_oplog_history *history)
{
	return count_done(history);
}

struct tn_oplog_step *tn_oplog_history_add_step(struct tn_oplog_history *history, uint64_t of,
						const char *label, struct tn_str operations,
						struct tn_str forth)
{
	struct tn_oplog_step *step = make_step(of, label, operations, forth);

	if (!step || make_room(history, NULL) != TENON_OK) {
		free_step(step);
		return NULL;
	}
	history->steps[history->step_count++] = step;
	history->step_bytes += bytes_of(step);
	return step;
}

void tn_oplog_step_belongs_to(struct tn_oplog_step *step, const char *who, const char *toggled_by)
{
	copy_cut(step->who, who, TN_OPLOG_WHO_MAX);
	copy_cut(step->toggled_by, toggled_by, TN_OPLOG_WHO_MAX);
}

bool tn_oplog_history_add_line(struct tn_oplog_history *history, const struct tn_change *change)
{
	struct tn_oplog_past *past = make_past(change);

	if (!past || make_room(history, NULL) != TENON_OK) {
		tn_mem_free(past);
		return false;
	}
	keep_past(history, past);
	return true;
}

void tn_oplog_history_trim(struct tn_oplog_history *history)
{
	drop_oldest_steps(history);
}
