/* oplog_history_file.c - the history as JSON: in a snapshot, and a change in a line of the journal.
 */
#include "jsonrpc/json_write.h"
#include "store/limits.h"
#include "store/oplog_history.h"

static const char *const kinds[] = {"done", "undo", "redo"};

void tn_oplog_put_change(struct tn_buf *out, const struct tn_change *change)
{
	tn_json_put_member_int(out, "revision", (int64_t)change->revision);
	if (change->id != change->revision)
		tn_json_put_member_int(out, "id", (int64_t)change->id);
	tn_json_put_member_int(out, "time", (int64_t)change->wall_ms);
	tn_json_put_member_text(out, "kind", kinds[change->kind]);
	tn_json_put_member_int(out, "of", (int64_t)change->of);
	tn_json_put_member_text(out, "actor", change->actor);
	tn_json_put_member_text(out, "label", change->label);
	if (change->who)
		tn_json_put_member_text(out, "who", change->who);
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

/* What not every change has. */
static bool read_rest(const struct tn_json *object, struct tn_change *ret)
{
	if (tn_json_get(object, "who") && !read_text(object, "who", &ret->who))
		return false;
	if (tn_json_get(object, "note") && !read_text(object, "note", &ret->note))
		return false;
	ret->id = ret->revision; /* one number does for both, unless it is part of another one */
	return !tn_json_get(object, "id") ||
	       (read_count(object, "id", &ret->id) && ret->id > 0 && ret->id <= ret->revision);
}

bool tn_oplog_read_change(const struct tn_json *object, struct tn_change *ret)
{
	*ret = (struct tn_change){.id = 0};
	if (!read_count(object, "revision", &ret->revision) || ret->revision == 0 ||
	    !read_count(object, "time", &ret->wall_ms) || !read_kind(object, ret) ||
	    !read_count(object, "of", &ret->of) || !read_text(object, "actor", &ret->actor) ||
	    !read_text(object, "label", &ret->label))
		return false;
	return (ret->of == 0) == (ret->kind == TN_CHANGE_DONE) && read_rest(object, ret);
}

static void put_step(struct tn_buf *out, const struct tn_oplog_step *step)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "of", (int64_t)step->of);
	tn_json_put_member_text(out, "label", step->label);
	tn_json_put_member_int(out, "toggled", (int64_t)step->toggled);
	tn_json_put_member_bool(out, "takenBack", step->undone);
	tn_json_put_member_text(out, "who", step->who);
	tn_json_put_member_text(out, "by", step->toggled_by);
	tn_json_put_member_raw(out, "operations", step->operations);
	if (step->forth.size > 0)
		tn_json_put_member_raw(out, "forth", step->forth);
	tn_json_end_object(out);
}

void tn_oplog_history_put(struct tn_buf *out, const struct tn_oplog_history *history)
{
	tn_json_put_member_int(out, "applied", (int64_t)tn_oplog_history_done(history));
	tn_json_put_key(out, "steps");
	tn_json_begin_array(out);
	for (size_t i = 0; i < history->step_count; i++)
		put_step(out, history->steps[i]);
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

/* Written by an older program: steps had no more than an order, whether they were undone stood in
 * how many were not, and of those the first was undone last. */
static void guess_state(struct tn_oplog_step *step, uint64_t revision, uint64_t undone_before)
{
	step->undone = true;
	step->toggled = revision > undone_before ? revision - undone_before : step->of;
}

static bool read_state(const struct tn_json *object, struct tn_oplog_step *step)
{
	const char *who, *by;

	if (!read_count(object, "toggled", &step->toggled) || !read_text(object, "who", &who) ||
	    !read_text(object, "by", &by) ||
	    !tn_json_to_bool(tn_json_get(object, "takenBack"), &step->undone))
		return false;
	tn_oplog_step_belongs_to(step, who, by);
	return true;
}

static struct tn_oplog_step *add_step(struct tn_oplog_history *history, uint64_t of,
				      const char *label, const struct tn_json *operations,
				      const struct tn_json *forth)
{
	struct tn_oplog_step *step = NULL;
	struct tn_buf back, again;

	tn_buf_init(&back, TN_OPLOG_FILE_BYTES_MAX);
	tn_buf_init(&again, TN_OPLOG_FILE_BYTES_MAX);
	tn_json_put_value(&back, operations);
	if (forth)
		tn_json_put_value(&again, forth);
	if (!back.failed && !again.failed)
		step = tn_oplog_history_add_step(history, of, label, tn_buf_str(&back),
						 tn_buf_str(&again));
	tn_buf_finish(&back);
	tn_buf_finish(&again);
	return step;
}

/* Steps stand in the order of their changes, each once: it is by them that they are found. */
static bool is_next(const struct tn_oplog_history *history, uint64_t of)
{
	return history->step_count == 0 || of > history->steps[history->step_count - 1]->of;
}

static enum tenon_code read_step(struct tn_oplog_history *history, const struct tn_json *object,
				 uint64_t applied, uint64_t revision, struct tenon_error *err)
{
	const struct tn_json *operations = tn_json_get(object, "operations");
	const struct tn_json *forth = tn_json_get(object, "forth");
	size_t place = history->step_count;
	struct tn_oplog_step *step;
	const char *label;
	uint64_t of;

	if (!read_count(object, "of", &of) || !read_text(object, "label", &label) ||
	    !tn_json_is(operations, TN_JSON_ARRAY) ||
	    (forth && !tn_json_is(forth, TN_JSON_ARRAY)) || !is_next(history, of))
		return tn_fail(err, TENON_INVALID, "a step of the history is not as it should be");
	step = add_step(history, of, label, operations, forth);
	if (!step)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	step->toggled = of;
	if (!tn_json_get(object, "toggled")) {
		if (place >= applied)
			guess_state(step, revision, place - applied);
		return TENON_OK;
	}
	if (!read_state(object, step))
		return tn_fail(err, TENON_INVALID, "a step of the history is not as it should be");
	return TENON_OK;
}

static enum tenon_code read_past(struct tn_oplog_history *history, const struct tn_json *object,
				 struct tenon_error *err)
{
	struct tn_change change;
	uint64_t operations;

	if (!tn_oplog_read_change(object, &change) ||
	    !read_count(object, "operations", &operations))
		return tn_fail(err, TENON_INVALID, "a change in the list is not as it should be");
	change.operations = operations;
	return tn_oplog_history_add_line(history, &change)
		       ? TENON_OK
		       : tn_fail(err, TENON_NO_MEMORY, "out of memory");
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
	uint64_t applied, revision;

	if (!read_count(snapshot, "applied", &applied) ||
	    !read_count(snapshot, "revision", &revision) || !tn_json_is(steps, TN_JSON_ARRAY) ||
	    !tn_json_is(past, TN_JSON_ARRAY) || applied > steps->count)
		return tn_fail(err, TENON_INVALID, "the history is not as it should be");
	for (const struct tn_json *at = first_of(steps); at && code == TENON_OK; at = at->next)
		code = read_step(history, at, applied, revision, err);
	for (const struct tn_json *at = first_of(past); at && code == TENON_OK; at = at->next)
		code = read_past(history, at, err);
	if (code != TENON_OK)
		return code;
	tn_oplog_history_trim(history); /* fewer may be remembered than when it was written */
	return TENON_OK;
}
