/* output_pump.c - a stretch of the spool as it was meant: without our marks, with its edits. */
#include "apps/terminal/output/marks.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/output/internal.h"

enum { PIECE_BYTES = 64 * 1024 };

struct pump {
	const struct tn_output_sink *sink;
	uint64_t from; /* what comes before it was read only to know where marks are */
	struct tn_marks marks;
	struct tn_buf bytes;
};

static bool stopped(const struct pump *pump)
{
	return pump->sink->stop && *pump->sink->stop;
}

static void on_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct pump *pump = data;
	uint64_t early = from < pump->from ? pump->from - from : 0;

	if (early >= bytes.size || stopped(pump))
		return;
	pump->sink->text(tn_str_from_offset(bytes, (size_t)early), from + early, pump->sink->data);
}

static void skip(struct pump *pump, uint64_t to)
{
	if (pump->sink->skipped && to > pump->from && !stopped(pump))
		pump->sink->skipped(to, pump->sink->data);
}

static void on_mark(const struct tn_mark *mark, void *data)
{
	struct pump *pump = data;
	bool is_text = mark->kind == TN_MARK_ALTERNATE || mark->kind == TN_MARK_RESET;

	if (!is_text)
		skip(pump, mark->to);
}

static void on_foreign(struct tn_str bytes, uint64_t from, void *data)
{
	struct pump *pump = data;

	if (pump->sink->foreign)
		on_text(bytes, from, data);
	else
		skip(pump, from + bytes.size);
}

/* Reads one piece of at most `max` bytes; *at goes on. Nothing left: *at stays. */
static enum tenon_code read_piece(const struct tn_output_source *source, uint64_t *at, uint64_t max,
				  struct tn_buf *bytes, struct tenon_error *err)
{
	enum tenon_code code;

	tn_buf_clear(bytes);
	if (max > PIECE_BYTES)
		max = PIECE_BYTES;
	code = tn_spool_read(source->spool, *at, (size_t)max, bytes, err);
	*at += bytes->size;
	return code;
}

static enum tenon_code pump_bytes(struct pump *pump, const struct tn_output_source *source,
				  uint64_t *at, uint64_t to, struct tenon_error *err)
{
	const struct tn_marks_sink sink = {on_text, on_mark, on_foreign, pump};

	while (*at < to && !stopped(pump)) {
		enum tenon_code code = read_piece(source, at, to - *at, &pump->bytes, err);

		if (code != TENON_OK)
			return code;
		if (pump->bytes.size == 0)
			break;
		tn_marks_feed(&pump->marks, tn_buf_str(&pump->bytes), &sink);
	}
	return TENON_OK;
}

/* The first edit that is not over before `at`. */
static size_t first_edit(const struct tn_output_source *source, uint64_t at)
{
	size_t low = 0, high = source->edit_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tn_output_edit *edit = &source->edits[middle];

		if (edit->to <= at && edit->from < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static enum tenon_code pump_edits(struct pump *pump, const struct tn_output_source *source,
				  uint64_t to, struct tenon_error *err)
{
	const struct tn_output_sink *sink = pump->sink;
	const char *nonce = source->nonce ? source->nonce : "";
	uint64_t at = pump->from;
	enum tenon_code code = TENON_OK;

	for (size_t i = first_edit(source, at); i < source->edit_count; i++) {
		const struct tn_output_edit *edit = &source->edits[i];

		if (edit->from >= to)
			break;
		if (edit->frames && sink->frames)
			continue;
		code = pump_bytes(pump, source, &at, edit->from, err);
		if (code != TENON_OK || stopped(pump))
			return code;
		/* Whoever begins in the middle of an edit has had its text. */
		if (edit->from >= pump->from)
			sink->insert(edit, sink->data);
		if (at < edit->to)
			at = edit->to;
		tn_marks_init(&pump->marks, nonce, at);
	}
	return pump_bytes(pump, source, &at, to, err);
}

enum tenon_code tn_output_pump(const struct tn_output_source *source, uint64_t from, uint64_t to,
			       const struct tn_output_sink *sink, struct tenon_error *err)
{
	struct pump pump = {.sink = sink, .from = from};
	uint64_t at = from > TN_MARK_BYTES_MAX ? from - TN_MARK_BYTES_MAX : 0;
	enum tenon_code code;

	if (from >= to)
		return TENON_OK;
	/* A cursor that somebody made up may point into the middle of a mark. */
	if (at < tn_spool_begin(source->spool))
		at = tn_spool_begin(source->spool);
	tn_buf_init(&pump.bytes, PIECE_BYTES);
	tn_marks_init(&pump.marks, source->nonce ? source->nonce : "", at);
	code = pump_bytes(&pump, source, &at, from, err);
	if (code == TENON_OK)
		code = pump_edits(&pump, source, to, err);
	tn_buf_finish(&pump.bytes);
	return code;
}

/* Nothing begins within an edit. */
static uint64_t after_edit(const struct tn_output_source *source, uint64_t at)
{
	size_t i = first_edit(source, at);

	if (i < source->edit_count && source->edits[i].from < at && source->edits[i].to > at)
		return source->edits[i].to;
	return at;
}

enum tenon_code tn_output_line_start(const struct tn_output_source *source, uint64_t from,
				     uint64_t to, uint64_t *ret, struct tenon_error *err)
{
	struct tn_buf bytes;
	uint64_t at = from, character = from;
	enum tenon_code code = TENON_OK;
	const char *found = NULL;

	tn_buf_init(&bytes, PIECE_BYTES);
	while (at < to && !found) {
		uint64_t start = at;

		code = read_piece(source, &at, to - at, &bytes, err);
		if (code != TENON_OK || bytes.size == 0)
			break;
		while (start == from && character - from < bytes.size && character < from + 3 &&
		       (bytes.data[character - from] & 0xC0) == 0x80)
			character++;
		found = memchr(bytes.data, '\n', bytes.size);
		if (found)
			at = start + (size_t)(found - bytes.data) + 1;
	}
	tn_buf_finish(&bytes);
	*ret = after_edit(source, found && at < to ? at : character);
	if (*ret > to)
		*ret = to;
	return code;
}

/* The offset after the `*lines`th line feed from the end of the bytes; counts down. */
static const char *back_over(struct tn_str bytes, uint32_t *lines)
{
	const char *end = bytes.data + bytes.size;

	while (end > bytes.data) {
		const char *found = memrchr(bytes.data, '\n', (size_t)(end - bytes.data));

		if (!found)
			return NULL;
		if (--*lines == 0)
			return found + 1;
		end = found;
	}
	return NULL;
}

enum tenon_code tn_output_last_lines(const struct tn_output_source *source, uint64_t from,
				     uint64_t to, uint32_t lines, uint64_t *ret,
				     struct tenon_error *err)
{
	uint64_t limit = to - from > TN_OUTPUT_SEARCH_MAX ? to - TN_OUTPUT_SEARCH_MAX : from;
	uint64_t end = to > from ? to - 1 : to; /* a feed at the very end ends the last line */
	struct tn_buf bytes;
	enum tenon_code code = TENON_OK;

	tn_buf_init(&bytes, PIECE_BYTES);
	*ret = limit;
	while (end > limit && code == TENON_OK) {
		uint64_t start = end - limit > PIECE_BYTES ? end - PIECE_BYTES : limit, at = start;
		const char *found;

		code = read_piece(source, &at, end - start, &bytes, err);
		/* A segment's border came between: only what is before it was read. */
		while (code == TENON_OK && at < end && bytes.size) {
			start = at;
			code = read_piece(source, &at, end - at, &bytes, err);
		}
		found = code == TENON_OK ? back_over(tn_buf_str(&bytes), &lines) : NULL;
		if (found) {
			*ret = after_edit(source, start + (size_t)(found - bytes.data));
			break;
		}
		end = start;
	}
	tn_buf_finish(&bytes);
	return code;
}
