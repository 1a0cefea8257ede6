#include "apps/plan/service/review.h"

#include "apps/plan/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static const char *const names[] = {"none", "ok", "question", "stop"};

const char *tn_plan_mark_kind_name(enum tn_plan_mark_kind verdict)
{
	return names[verdict];
}

bool tn_plan_mark_kind_from_name(struct tn_str name, enum tn_plan_mark_kind *ret)
{
	for (unsigned i = 0; i < TN_PLAN_MARK_COUNT; i++) {
		if (tn_str_is(name, names[i])) {
			*ret = (enum tn_plan_mark_kind)i;
			return true;
		}
	}
	return false;
}

void tn_plan_review_finish(struct tn_plan_review *review)
{
	for (size_t i = 0; i < review->count; i++)
		tn_mem_free(review->marks[i]);
	tn_mem_free(review->marks);
	*review = (struct tn_plan_review){.marks = NULL};
}

/* ---- the document ---- */

static size_t bytes_of(const struct tn_plan_mark *mark)
{
	return sizeof(*mark) + mark->address.size + mark->note.size + mark->by.size;
}

static struct tn_str move_text(char **at, struct tn_str text)
{
	struct tn_str moved = tn_str(*at, text.size);

	if (text.size)
		memcpy(*at, text.data, text.size);
	*at += text.size;
	return moved;
}

/* One block for a mark and its texts. */
static struct tn_plan_mark *copy_mark(const struct tn_plan_mark *mark)
{
	struct tn_plan_mark *copy = tn_mem_alloc(bytes_of(mark));
	char *at = (char *)(copy + 1);

	if (!copy)
		return NULL;
	*copy = *mark;
	copy->address = move_text(&at, mark->address);
	copy->note = move_text(&at, mark->note);
	copy->by = move_text(&at, mark->by);
	return copy;
}

/* Where the mark of this address stands, or would stand. */
static size_t find(const struct tn_plan_review *review, struct tn_str address, bool *ret_found)
{
	size_t low = 0, high = review->count;

	*ret_found = false;
	while (low < high && !*ret_found) {
		size_t middle = low + (high - low) / 2;
		int order = tn_str_compare(address, review->marks[middle]->address);

		if (order == 0)
			*ret_found = true;
		if (order <= 0)
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

static enum tenon_code make_room(struct tn_plan_review *review, struct tenon_error *err)
{
	size_t capacity = review->capacity ? 2 * review->capacity : 16;
	void *grown;

	if (review->count < review->capacity)
		return TENON_OK;
	grown = tn_mem_resize(review->marks, capacity * sizeof(*review->marks));
	if (!grown)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	review->marks = grown;
	review->capacity = capacity;
	return TENON_OK;
}

/* Takes the mark out (`fresh` NULL) or puts one in; cannot fail. */
static void set(struct tn_plan_review *review, size_t at, bool found, struct tn_plan_mark *fresh)
{
	struct tn_plan_mark **place = review->marks + at;

	if (found) {
		review->bytes -= bytes_of(*place);
		tn_mem_free(*place);
	}
	if (found && !fresh) {
		review->count--;
		memmove(place, place + 1, (review->count - at) * sizeof(*place));
	} else if (!found && fresh) {
		memmove(place + 1, place, (review->count - at) * sizeof(*place));
		review->count++;
	}
	if (!fresh)
		return;
	*place = fresh;
	review->bytes += bytes_of(fresh);
}

static bool read_mark(const struct tn_json *object, struct tn_plan_mark *ret)
{
	struct tn_str verdict;

	*ret = (struct tn_plan_mark){.verdict = TN_PLAN_MARK_NONE};
	if (!tn_json_to_str(tn_json_get(object, "address"), &ret->address) ||
	    !tn_json_to_str(tn_json_get(object, "verdict"), &verdict) ||
	    !tn_plan_mark_kind_from_name(verdict, &ret->verdict))
		return false;
	/* Absent: no note, nobody, no time. */
	(void)tn_json_to_str(tn_json_get(object, "note"), &ret->note);
	(void)tn_json_to_str(tn_json_get(object, "by"), &ret->by);
	(void)tn_json_to_int(tn_json_get(object, "at"), &ret->at_ms);
	return true;
}

static enum tenon_code check_size(const struct tn_plan_review *review,
				  const struct tn_plan_mark *mark, struct tenon_error *err)
{
	if (mark->verdict != TN_PLAN_MARK_NONE &&
	    bytes_of(mark) > TN_PLAN_REVIEW_BYTES_MAX - review->bytes)
		return tn_fail(err, TENON_LIMIT,
			       "the review holds all it may; shorten or remove notes");
	return TENON_OK;
}

static enum tenon_code apply(void *data, const struct tn_json *operation, struct tn_buf *inverse,
			     struct tenon_error *err)
{
	struct tn_plan_review *review = data;
	struct tn_plan_mark *fresh = NULL;
	struct tn_plan_mark mark;
	enum tenon_code code;
	bool found;
	size_t at;

	if (!read_mark(operation, &mark))
		return tn_fail(err, TENON_INVALID, "this is no mark");
	at = find(review, mark.address, &found);
	if (found)
		tn_plan_mark_put(inverse, review->marks[at]);
	else
		tn_plan_mark_put(inverse, &(struct tn_plan_mark){.address = mark.address});
	code = tn_buf_check(inverse, err);
	if (code == TENON_OK)
		code = check_size(review, &mark, err);
	if (code == TENON_OK && !found)
		code = make_room(review, err);
	if (code != TENON_OK)
		return code;
	if (mark.verdict != TN_PLAN_MARK_NONE) {
		fresh = copy_mark(&mark);
		if (!fresh)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	set(review, at, found, fresh);
	return TENON_OK;
}

static void save(const void *data, struct tn_buf *out)
{
	const struct tn_plan_review *review = data;

	tn_json_begin_object(out);
	tn_json_put_key(out, "marks");
	tn_json_begin_array(out);
	for (size_t i = 0; i < review->count; i++)
		tn_plan_mark_put(out, review->marks[i]);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static enum tenon_code load(void *data, const struct tn_json *saved, struct tenon_error *err)
{
	const struct tn_json *marks = tn_json_get(saved, "marks");
	struct tn_buf waste;
	enum tenon_code code = TENON_OK;

	if (!tn_json_is(marks, TN_JSON_ARRAY))
		return tn_fail(err, TENON_INVALID, "this is no review");
	tn_buf_init(&waste, TN_PLAN_REVIEW_BYTES_MAX);
	for (const struct tn_json *at = marks->count ? marks->first : NULL; at && code == TENON_OK;
	     at = at->next) {
		tn_buf_clear(&waste);
		code = apply(data, at, &waste, err);
	}
	tn_buf_finish(&waste);
	return code;
}

const struct tn_document_ops tn_plan_review_ops = {.apply = apply, .save = save, .load = load};

/* ---- as JSON ---- */

void tn_plan_mark_put(struct tn_buf *out, const struct tn_plan_mark *mark)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "address", mark->address);
	tn_json_put_member_text(out, "verdict", names[mark->verdict]);
	if (mark->note.size)
		tn_json_put_member_str(out, "note", mark->note);
	if (mark->by.size)
		tn_json_put_member_str(out, "by", mark->by);
	if (mark->at_ms)
		tn_json_put_member_int(out, "at", mark->at_ms);
	tn_json_end_object(out);
}

static void put_for_readers(struct tn_buf *out, const struct tn_plan_mark *mark)
{
	char when[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(mark->at_ms, when);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "address", mark->address);
	tn_json_put_member_text(out, "verdict", names[mark->verdict]);
	tn_json_put_key(out, "note");
	if (mark->note.size)
		tn_json_put_str(out, mark->note);
	else
		tn_json_put_null(out);
	tn_json_put_member_str(out, "by", mark->by);
	tn_json_put_member_text(out, "at", when);
	tn_json_end_object(out);
}

static void put_counts(struct tn_buf *out, const struct tn_plan_review *review, size_t changes)
{
	size_t counts[TN_PLAN_MARK_COUNT] = {0};

	for (size_t i = 0; i < review->count; i++)
		counts[review->marks[i]->verdict]++;
	tn_json_put_key(out, "counts");
	tn_json_begin_object(out);
	for (unsigned i = TN_PLAN_MARK_OK; i < TN_PLAN_MARK_COUNT; i++)
		tn_json_put_member_int(out, names[i], (int64_t)counts[i]);
	tn_json_put_member_int(out, "open",
			       (int64_t)(changes > review->count ? changes - review->count : 0));
	tn_json_end_object(out);
}

void tn_plan_review_put(struct tn_buf *out, const struct tn_plan_review *review,
			const struct tn_oplog *log, bool saved, size_t changes)
{
	tn_json_put_member_int(out, "revision", log ? (int64_t)tn_oplog_revision(log) : 0);
	tn_json_put_member_bool(out, "saved", saved);
	tn_json_put_key(out, "marks");
	tn_json_begin_array(out);
	for (size_t i = 0; i < review->count; i++)
		put_for_readers(out, review->marks[i]);
	tn_json_end_array(out);
	put_counts(out, review, changes);
	tn_json_put_member_text(out, "undo", log ? tn_oplog_undo_label(log) : NULL);
	tn_json_put_member_text(out, "redo", log ? tn_oplog_redo_label(log) : NULL);
}
