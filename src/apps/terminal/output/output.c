#include "apps/terminal/output/output.h"

#include <stdio.h>

#include "apps/terminal/output/internal.h"
#include "base/base64.h"

enum { NOTE_BYTES = 256 };

struct stretch {
	uint64_t from, to;
};

void tn_output_finish(struct tn_output *output)
{
	tn_buf_finish(&output->text);
}

void tn_output_cursor(const char *epoch, uint64_t offset, char out[TN_CURSOR_TEXT_SIZE])
{
	(void)snprintf(out, TN_CURSOR_TEXT_SIZE, "c1.%s.%llu", epoch, (unsigned long long)offset);
}

enum tenon_code tn_output_read_cursor(struct tn_str text, const char *epoch, uint64_t *ret_offset,
				      struct tenon_error *err)
{
	size_t epoch_size = strlen(epoch), dot = text.size;
	char again[TN_CURSOR_TEXT_SIZE];
	struct tn_str named;
	uint64_t offset;

	while (dot > 0 && text.data[dot - 1] != '.')
		dot--;
	if (!tn_str_starts(text, TN_STR("c1.")) || dot < 4 || text.size >= TN_CURSOR_TEXT_SIZE ||
	    !tn_str_to_uint(tn_str_from_offset(text, dot), &offset))
		return tn_fail(err, TENON_INVALID,
			       "this is no cursor; use next_cursor of an earlier answer");
	named = tn_str(text.data + 3, dot - 4);
	if (named.size != epoch_size || memcmp(named.data, epoch, epoch_size) != 0)
		return tn_fail(err, TENON_EXPIRED, "this cursor belongs to another session");
	tn_output_cursor(epoch, offset, again);
	if (!tn_str_is(text, again))
		return tn_fail(err, TENON_INVALID,
			       "this is no cursor; use next_cursor of an earlier answer");
	*ret_offset = offset;
	return TENON_OK;
}

/* 49 983 616 */
static void put_number(struct tn_buf *out, uint64_t number)
{
	char digits[32];
	int size = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);

	for (int i = 0; i < size; i++) {
		if (i && (size - i) % 3 == 0)
			tn_buf_append_byte(out, ' ');
		tn_buf_append_byte(out, digits[i]);
	}
}

/* terminal.md section 6.2 */
static void put_omitted(const struct tn_output_source *source, struct tn_output *ret)
{
	char cursor[TN_CURSOR_TEXT_SIZE];

	if (ret->text.size && ret->text.data[ret->text.size - 1] != '\n')
		tn_buf_append_byte(&ret->text, '\n');
	tn_output_cursor(source->epoch, ret->next, cursor);
	tn_buf_append_text(&ret->text, "[\xe2\x80\xa6 ");
	put_number(&ret->text, ret->omitted_bytes);
	tn_buf_format(&ret->text,
		      " bytes omitted \xe2\x80\x93 read on with get_terminal_output cursor %s ]\n",
		      cursor);
}

static struct tn_output_page_wish page_wish(const struct tn_output_wish *wish, uint64_t from,
					    uint64_t to)
{
	return (struct tn_output_page_wish){
		.format = wish->format == TN_OUTPUT_ANSI ? TN_PLAIN_ANSI : TN_PLAIN_TEXT,
		.from = from,
		.to = to,
		.text_max = wish->bytes_max,
		.lines_max = wish->lines_max};
}

static void begin_page(struct tn_output_page *page)
{
	*page = (struct tn_output_page){.complete = false};
	/* Twice the text: what was taken too much is cut off again. */
	tn_buf_init(&page->text, 64 * TN_MIB);
}

static enum tenon_code make_piece(const struct tn_output_source *source,
				  const struct tn_output_wish *wish, struct stretch stretch,
				  struct tn_output *ret, struct tenon_error *err)
{
	const struct tn_output_page_wish piece = page_wish(wish, stretch.from, stretch.to);
	struct tn_output_page page;
	enum tenon_code code;

	begin_page(&page);
	code = tn_output_forward(source, &piece, &page, err);
	tn_buf_append_str(&ret->text, tn_buf_str(&page.text));
	tn_buf_finish(&page.text);
	ret->next = page.next;
	ret->rendered = page.rendered;
	/* The beginning of a character is there, but cannot be read yet. */
	ret->more = page.next < stretch.to && !(page.complete && page.next == stretch.from);
	ret->truncated = !page.complete;
	return code;
}

/* A head, what is omitted, a tail; either may be none. */
static enum tenon_code make_parts(const struct tn_output_source *source,
				  const struct tn_output_wish *wish, struct stretch stretch,
				  struct tn_output *ret, struct tenon_error *err)
{
	struct tn_output_page_wish head = page_wish(wish, stretch.from, stretch.to), tail = head;
	struct tn_output_page first, last;
	enum tenon_code code = TENON_OK;

	if (wish->omit == TN_OUTPUT_OMIT_MIDDLE) {
		head.text_max /= 4;
		head.lines_max /= 4;
	}
	begin_page(&first);
	begin_page(&last);
	first.next = last.from = stretch.from;
	/* With a limit of one to three lines the last ones count. */
	if (wish->omit != TN_OUTPUT_OMIT_HEAD && !(wish->lines_max && !head.lines_max))
		code = tn_output_forward(source, &head, &first, err);
	tail.from = first.next;
	tail.text_max -= first.text.size < tail.text_max ? first.text.size : tail.text_max;
	tail.lines_max -= head.lines_max;
	last.from = stretch.to;
	if (code == TENON_OK && wish->omit != TN_OUTPUT_OMIT_TAIL)
		code = tn_output_backward(source, &tail, &last, err);
	if (code == TENON_OK) {
		ret->next = first.next;
		ret->omitted_bytes = last.from > first.next ? last.from - first.next : 0;
		ret->truncated = ret->omitted_bytes > 0;
		ret->rendered = first.rendered || last.rendered;
		tn_buf_append_str(&ret->text, tn_buf_str(&first.text));
		if (ret->truncated)
			put_omitted(source, ret);
		else
			ret->next = stretch.to;
		tn_buf_append_str(&ret->text, tn_buf_str(&last.text));
	}
	tn_buf_finish(&first.text);
	tn_buf_finish(&last.text);
	return code;
}

/* terminal.md section 6.3, 5 */
static void trim_end(struct tn_buf *text)
{
	while (text->size > 1 && text->data[text->size - 1] == '\n' &&
	       text->data[text->size - 2] == '\n')
		text->size--;
}

static enum tenon_code make_whole(const struct tn_output_source *source,
				  const struct tn_output_wish *wish, struct stretch stretch,
				  struct tn_output *ret, struct tenon_error *err)
{
	enum tenon_code code = make_piece(source, wish, stretch, ret, err);

	if (code == TENON_OK && ret->truncated) {
		tn_buf_clear(&ret->text);
		code = make_parts(source, wish, stretch, ret, err);
	} else {
		ret->next = stretch.to;
	}
	trim_end(&ret->text);
	ret->more = ret->next < stretch.to;
	return code;
}

/* Exact bytes. */
struct raw {
	struct tn_buf bytes;
	size_t max;
	bool full;
	uint64_t next;
};

static void raw_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct raw *raw = data;
	size_t room = raw->max - raw->bytes.size;
	size_t size = bytes.size < room ? bytes.size : room;

	tn_buf_append(&raw->bytes, bytes.data, size);
	raw->next = from + size;
	raw->full = size < bytes.size;
}

static void raw_insert(const struct tn_output_edit *edit, void *data)
{
	struct raw *raw = data;

	/* It goes as a whole, unless it would never fit. */
	if (raw->bytes.size && edit->text.size > raw->max - raw->bytes.size) {
		raw->next = edit->from;
		raw->full = true;
		return;
	}
	raw_text(edit->text, edit->from, raw);
	raw->full = false;
	raw->next = edit->to;
}

static void raw_skipped(uint64_t to, void *data)
{
	struct raw *raw = data;

	raw->next = to;
}

static enum tenon_code make_raw(const struct tn_output_source *source,
				const struct tn_output_wish *wish, struct stretch stretch,
				struct tn_output *ret, struct tenon_error *err)
{
	struct raw raw = {.max = wish->bytes_max, .next = stretch.from};
	const struct tn_output_sink sink = {.text = raw_text,
					    .insert = raw_insert,
					    .skipped = raw_skipped,
					    .foreign = true,
					    .frames = true,
					    .stop = &raw.full,
					    .data = &raw};
	uint64_t from = stretch.from;
	bool tail = !wish->contiguous && wish->omit == TN_OUTPUT_OMIT_HEAD &&
		    stretch.to - from > wish->bytes_max;
	enum tenon_code code;

	if (tail)
		from = stretch.to - wish->bytes_max;
	raw.next = from;
	tn_buf_init(&raw.bytes, wish->bytes_max);
	code = tn_output_pump(source, from, stretch.to, &sink, err);
	if (code == TENON_OK)
		code = tn_buf_check(&raw.bytes, err);
	if (code == TENON_OK)
		tn_base64_append(&ret->text, raw.bytes.data, raw.bytes.size);
	tn_buf_finish(&raw.bytes);
	/* What is held back at the end of a finished stretch is the beginning of a mark. */
	ret->next = raw.full || wish->contiguous ? raw.next : stretch.to;
	ret->more = ret->next < stretch.to && (raw.full || ret->next > stretch.from);
	ret->truncated = ret->more;
	ret->omitted_bytes = wish->contiguous ? 0 : stretch.to - ret->next;
	if (tail) {
		ret->omitted_bytes = from - stretch.from;
		ret->next = stretch.from;
		ret->truncated = ret->more = true;
	}
	return code;
}

/* What there is of what was asked for. */
static struct stretch clip(const struct tn_output_source *source, const struct tn_output_wish *wish,
			   struct tn_output *ret)
{
	uint64_t begin = tn_spool_begin(source->spool),
		 end = tn_spool_end(source->spool) - source->ahead;
	struct stretch stretch = {wish->from, wish->to < end ? wish->to : end};

	if (stretch.from < begin) {
		uint64_t wanted_to = wish->to < begin ? wish->to : begin;

		ret->gap_bytes = wanted_to > wish->from ? wanted_to - wish->from : 0;
		stretch.from = begin;
	}
	if (stretch.to < stretch.from)
		stretch.to = stretch.from;
	return stretch;
}

enum tenon_code tn_output_make(const struct tn_output_source *source,
			       const struct tn_output_wish *wish, struct tn_output *ret,
			       struct tenon_error *err)
{
	struct stretch stretch;
	enum tenon_code code = TENON_OK;

	*ret = (struct tn_output){.more = false};
	tn_buf_init(&ret->text, wish->bytes_max / 3 * 4 + wish->bytes_max + NOTE_BYTES);
	stretch = clip(source, wish, ret);
	if (wish->last_lines && !wish->contiguous)
		code = tn_output_last_lines(source, stretch.from, stretch.to, wish->last_lines,
					    &stretch.from, err);
	/* The last lines are there: what is gone before them was not asked for. */
	if (wish->last_lines && !wish->contiguous && stretch.from > tn_spool_begin(source->spool))
		ret->gap_bytes = 0;
	ret->from = ret->next = stretch.from;
	if (code != TENON_OK || stretch.from == stretch.to)
		return code;
	if (wish->format == TN_OUTPUT_RAW)
		code = make_raw(source, wish, stretch, ret, err);
	else if (wish->contiguous)
		code = make_piece(source, wish, stretch, ret, err);
	else
		code = make_whole(source, wish, stretch, ret, err);
	if (code == TENON_OK)
		code = tn_buf_check(&ret->text, err);
	if (code != TENON_OK)
		tn_output_finish(ret);
	return code;
}
