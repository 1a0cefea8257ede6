/* output_page.c - pages of plain text that fit, cut where a line or a character begins. */
#include <stdio.h>

#include "apps/terminal/output/internal.h"
#include "apps/terminal/limits.h"
#include "base/utf8.h"

enum {
	LAST_BYTES = 64, /* of each piece, fed one by one: an unfinished character is shorter */
	SPAN_MIN = 16,   /* of drawn output: what is shorter is not divided any more */
	NOTE_SIZE = 48
};

/* Lines that are gathered onto a page. Those with the same `from` stand or go together. */
struct gather {
	struct tn_plain *plain;
	struct tn_buf *text;
	size_t text_max;
	uint32_t lines_max, lines;
	bool force;    /* a first group that is too long is shown by its head */
	bool full;     /* no more fits, or no more is wanted */
	uint64_t next; /* when full: where the first line begins that is not shown */
	bool any;
	uint64_t group_from; /* the last group, and what there was before it */
	size_t group_at;
	uint32_t group_lines;
	bool forced;     /* the group is shown by its head */
	uint64_t hidden; /* characters of it that are not */
	bool unfinished; /* the last line is */
	size_t unfinished_at;
	uint64_t unfinished_from;
	uint64_t seen_to;  /* what the machine has got */
	uint64_t whole_to; /* of that, without an unfinished character or sequence */
};

static uint64_t count_characters(struct tn_str text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += (text.data[i] & 0xC0) != 0x80;
	return count;
}

/* The head of a group that is too long for the page; how much is missing is said at its end. */
static void put_head(struct gather *gather, struct tn_str line)
{
	size_t room = gather->text_max > NOTE_SIZE ? gather->text_max - NOTE_SIZE : 0;
	struct tn_str all;

	tn_buf_append_str(gather->text, line);
	all = tn_buf_str(gather->text);
	gather->text->size = tn_utf8_cut(all, room).size;
	gather->hidden = count_characters(tn_str_from_offset(all, gather->text->size));
	gather->forced = true;
}

static void put_hidden(struct gather *gather)
{
	if (gather->forced)
		tn_buf_format(gather->text, "\xe2\x80\xa6[+%llu]\n",
			      (unsigned long long)gather->hidden);
}

static void note_group(struct gather *gather, uint64_t from)
{
	if (gather->any && from == gather->group_from)
		return;
	gather->any = true;
	gather->group_from = from;
	gather->group_at = gather->text->size;
	gather->group_lines = gather->lines;
}

static void gather_line(struct tn_str text, uint64_t from, bool unfinished, void *data)
{
	struct gather *gather = data;
	size_t size = text.size + !unfinished;
	bool same = gather->any && from == gather->group_from;

	if (gather->full)
		return;
	if (gather->forced && same) {
		gather->hidden += count_characters(text) + 1;
		return;
	}
	note_group(gather, from);
	if (gather->text->size + size <= gather->text_max && !gather->forced &&
	    (!gather->lines_max || gather->lines < gather->lines_max)) {
		gather->unfinished = unfinished;
		gather->unfinished_at = gather->text->size;
		gather->unfinished_from = from;
		tn_buf_append_str(gather->text, text);
		if (!unfinished)
			tn_buf_append_byte(gather->text, '\n');
		gather->lines++;
	} else if (gather->force && gather->group_at == 0 && !gather->forced) {
		put_head(gather, text);
	} else {
		gather->full = true;
		if (!gather->forced) {
			gather->text->size = gather->group_at;
			gather->lines = gather->group_lines;
		}
		gather->next = from;
	}
}

static void on_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct gather *gather = data;
	size_t bulk = bytes.size > LAST_BYTES ? bytes.size - LAST_BYTES : 0;

	tn_plain_feed(gather->plain, tn_str(bytes.data, bulk), from);
	if (bulk && tn_plain_is_whole(gather->plain))
		gather->whole_to = from + bulk;
	for (size_t i = bulk; i < bytes.size; i++) {
		tn_plain_feed(gather->plain, tn_str(bytes.data + i, 1), from + i);
		if (tn_plain_is_whole(gather->plain))
			gather->whole_to = from + i + 1;
	}
	gather->seen_to = from + bytes.size;
}

static void on_skipped(uint64_t to, void *data)
{
	struct gather *gather = data;

	gather->seen_to = to;
	if (tn_plain_is_whole(gather->plain))
		gather->whole_to = to;
}

static void on_insert(const struct tn_output_edit *edit, void *data)
{
	struct gather *gather = data;

	tn_plain_insert(gather->plain, edit->text, edit->from);
	on_skipped(edit->to, gather);
}

static enum tenon_code make_plain(const struct tn_output_source *source,
				  enum tn_plain_format format, bool draws, struct gather *gather,
				  struct tenon_error *err)
{
	const struct tn_plain_options options = {.format = format,
						 .columns = source->columns,
						 .rows = draws ? source->rows : 0,
						 .line_characters_max = TN_TERM_LINE_CHARACTERS_MAX,
						 .line = gather_line,
						 .data = gather};

	return tn_plain_create(&options, &gather->plain, err);
}

static size_t window_bytes(size_t text_max)
{
	return text_max > TN_OUTPUT_WINDOW_MIN / 4 ? text_max * 4 : TN_OUTPUT_WINDOW_MIN;
}

/* Cleans [from, to) until the page is full. */
static enum tenon_code run(const struct tn_output_source *source,
			   const struct tn_output_page_wish *wish, uint64_t to,
			   struct gather *gather, struct tn_output_page *page,
			   struct tenon_error *err)
{
	const struct tn_output_sink sink = {.text = on_text,
					    .insert = on_insert,
					    .skipped = on_skipped,
					    .stop = &gather->full,
					    .data = gather};
	enum tenon_code code = make_plain(source, wish->format, true, gather, err);

	if (code != TENON_OK)
		return code;
	gather->text = &page->text;
	gather->text_max = wish->text_max;
	gather->lines_max = wish->lines_max;
	gather->seen_to = gather->whole_to = wish->from;
	code = tn_output_pump(source, wish->from, to, &sink, err);
	tn_plain_end(gather->plain);
	put_hidden(gather);
	page->rendered = tn_plain_rendered(gather->plain);
	tn_plain_destroy(gather->plain);
	gather->plain = NULL;
	if (code == TENON_OK)
		code = tn_buf_check(&page->text, err);
	return code;
}

/* All of [from, to) was cleaned and fits. Where does the next page begin? */
static void end_page(const struct tn_output_page_wish *wish, uint64_t to, struct gather *gather,
		     struct tn_output_page *page)
{
	uint64_t whole_to = gather->whole_to;

	/* In the middle of a string without an end: it has been looked at, so it counts. */
	if (gather->seen_to > whole_to + LAST_BYTES)
		whole_to = gather->seen_to;
	page->complete = to == wish->to;
	if (!page->complete && gather->unfinished && !page->rendered &&
	    gather->unfinished_from > wish->from) {
		page->text.size = gather->unfinished_at;
		page->next = gather->unfinished_from;
	} else if (!page->complete && whole_to <= wish->from) {
		page->next = to;
	} else {
		page->next = whole_to;
	}
}

/* Feeding byte by byte: how far does the first line fit? */
struct probe {
	struct gather gather; /* of a machine whose lines end it */
	size_t max;
	uint64_t cut;
	bool over;
};

static void probe_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct probe *probe = data;

	for (size_t i = 0; i < bytes.size && !probe->over; i++) {
		size_t size;

		tn_plain_feed(probe->gather.plain, tn_str(bytes.data + i, 1), from + i);
		size = tn_plain_line_size(probe->gather.plain);
		probe->over = size > probe->max || probe->gather.any;
		if (!probe->over && tn_plain_is_whole(probe->gather.plain))
			probe->cut = from + i + 1;
	}
}

static void probe_insert(const struct tn_output_edit *edit, void *data)
{
	struct probe *probe = data;

	(void)edit;
	probe->over = true;
}

/* Cuts the first line of the page so that it fits. *ret stays when nothing does. */
static enum tenon_code cut_line(const struct tn_output_source *source,
				const struct tn_output_page_wish *wish, uint64_t *ret,
				struct tenon_error *err)
{
	struct tn_buf none;
	struct probe probe = {.gather = {.text = &none}, .max = wish->text_max, .cut = wish->from};
	const struct tn_output_sink sink = {
		.text = probe_text, .insert = probe_insert, .stop = &probe.over, .data = &probe};
	enum tenon_code code = make_plain(source, wish->format, false, &probe.gather, err);

	if (code != TENON_OK)
		return code;
	tn_buf_init(&none, 0);
	code = tn_output_pump(source, wish->from, wish->to, &sink, err);
	if (code == TENON_OK && probe.cut > wish->from)
		*ret = probe.cut;
	tn_plain_destroy(probe.gather.plain);
	tn_buf_finish(&none);
	return code;
}

/* The first group of lines does not fit. One line is cut; of drawn ones fewer are drawn. */
static enum tenon_code shrink(const struct tn_output_source *source,
			      const struct tn_output_page_wish *wish, uint64_t span,
			      struct tn_output_page *page, struct tenon_error *err)
{
	struct gather gather = {.force = false};
	uint64_t to = wish->from;
	enum tenon_code code = TENON_OK;
	bool drawn = page->rendered;

	if (!drawn)
		code = cut_line(source, wish, &to, err);
	while (code == TENON_OK && drawn && to == wish->from && span > SPAN_MIN) {
		span /= 2;
		gather = (struct gather){.force = false};
		page->text.size = 0;
		code = run(source, wish, wish->from + span, &gather, page, err);
		if (code == TENON_OK && page->text.size)
			to = wish->from + span;
	}
	if (code != TENON_OK)
		return code;
	page->text.size = 0;
	gather = (struct gather){.force = to == wish->from};
	/* Shown by its head, if it cannot be cut: then all of it counts as shown. */
	if (gather.force)
		to = wish->to - wish->from > window_bytes(wish->text_max)
			     ? wish->from + window_bytes(wish->text_max)
			     : wish->to;
	code = run(source, wish, to, &gather, page, err);
	if (code == TENON_OK && gather.full)
		page->next = gather.next;
	else if (code == TENON_OK)
		end_page(wish, to, &gather, page);
	return code;
}

enum tenon_code tn_output_forward(const struct tn_output_source *source,
				  const struct tn_output_page_wish *wish,
				  struct tn_output_page *page, struct tenon_error *err)
{
	struct gather gather = {.force = false};
	uint64_t window = window_bytes(wish->text_max);
	uint64_t to = wish->to - wish->from > window ? wish->from + window : wish->to;
	enum tenon_code code;

	page->from = page->next = wish->from;
	page->complete = page->rendered = false;
	code = run(source, wish, to, &gather, page, err);
	if (code != TENON_OK)
		return code;
	if (!gather.full) {
		end_page(wish, to, &gather, page);
	} else if (page->text.size == 0 && gather.next == gather.group_from &&
		   gather.group_at == 0 && wish->text_max && gather.lines == 0) {
		code = shrink(source, wish, gather.seen_to - wish->from, page, err);
	} else {
		page->next = gather.next;
	}
	return code;
}
