/* output_tail.c - the last lines of a stretch that fit on a page. */
#include "apps/terminal/output/internal.h"
#include "apps/terminal/limits.h"
#include "base/utf8.h"

enum {
	WINDOW_FIRST = 4096, /* besides the bytes that the text would take if nothing is removed */
	NOTE_SIZE = 48
};

struct line {
	uint64_t from;
	size_t at, size; /* in `text`, with its newline */
};

/* All lines of a window. */
struct lines {
	struct tn_plain *plain;
	struct tn_buf text;
	struct tn_buf list; /* of struct line */
	bool rendered;
};

static size_t count_of(const struct lines *lines)
{
	return lines->list.size / sizeof(struct line);
}

static struct line line_of(const struct lines *lines, size_t index)
{
	struct line line;

	memcpy(&line, lines->list.data + index * sizeof(line), sizeof(line));
	return line;
}

static void keep_line(struct tn_str text, uint64_t from, bool unfinished, void *data)
{
	struct lines *lines = data;
	struct line line = {from, lines->text.size, text.size + !unfinished};

	tn_buf_append_str(&lines->text, text);
	if (!unfinished)
		tn_buf_append_byte(&lines->text, '\n');
	tn_buf_append(&lines->list, &line, sizeof(line));
}

static void on_text(struct tn_str bytes, uint64_t from, void *data)
{
	struct lines *lines = data;

	tn_plain_feed(lines->plain, bytes, from);
}

static void on_insert(const struct tn_output_edit *edit, void *data)
{
	struct lines *lines = data;

	tn_plain_insert(lines->plain, edit->text, edit->from);
}

static enum tenon_code clean(const struct tn_output_source *source,
			     const struct tn_output_page_wish *wish, uint64_t from,
			     struct lines *lines, struct tenon_error *err)
{
	const struct tn_plain_options options = {.format = wish->format,
						 .columns = source->columns,
						 .rows = source->rows,
						 .line_characters_max = TN_TERM_LINE_CHARACTERS_MAX,
						 .line = keep_line,
						 .data = lines};
	const struct tn_output_sink sink = {.text = on_text, .insert = on_insert, .data = lines};
	enum tenon_code code = tn_plain_create(&options, &lines->plain, err);

	if (code != TENON_OK)
		return code;
	tn_buf_clear(&lines->text);
	tn_buf_clear(&lines->list);
	code = tn_output_pump(source, from, wish->to, &sink, err);
	tn_plain_end(lines->plain);
	lines->rendered = tn_plain_rendered(lines->plain);
	tn_plain_destroy(lines->plain);
	tn_buf_inherit_failure(&lines->text, &lines->list);
	if (code == TENON_OK)
		code = tn_buf_check(&lines->text, err);
	return code;
}

/* The first of the last lines that fit. Lines of one origin stay together, if they can. */
static size_t choose(const struct lines *lines, const struct tn_output_page_wish *wish,
		     bool together)
{
	size_t count = count_of(lines), first = count, chosen = count, size = 0;

	while (first > 0) {
		struct line line = line_of(lines, first - 1);

		size += line.size;
		if (size > wish->text_max || (wish->lines_max && count - first >= wish->lines_max))
			break;
		first--;
		if (!together || first == 0 || line_of(lines, first - 1).from != line.from)
			chosen = first;
	}
	return chosen;
}

static void put_from(const struct lines *lines, size_t first, struct tn_output_page *page)
{
	size_t at = line_of(lines, first).at;

	tn_buf_append_str(&page->text, tn_str_from_offset(tn_buf_str(&lines->text), at));
}

/* Not even the last line fits: its head does. */
static void put_head(const struct lines *lines, const struct tn_output_page_wish *wish,
		     struct tn_output_page *page)
{
	struct line line = line_of(lines, count_of(lines) - 1);
	struct tn_str text = tn_str(lines->text.data + line.at, line.size), head;
	size_t hidden = 0;

	head = tn_utf8_cut(text, wish->text_max > NOTE_SIZE ? wish->text_max - NOTE_SIZE : 0);
	for (size_t i = head.size; i < text.size; i++)
		hidden += (text.data[i] & 0xC0) != 0x80 && text.data[i] != '\n';
	tn_buf_append_str(&page->text, head);
	tn_buf_format(&page->text, "\xe2\x80\xa6[+%zu]\n", hidden);
	page->from = line.from;
}

/* What is shown of the window that begins at `start`. */
static void put_lines(const struct lines *lines, const struct tn_output_page_wish *wish,
		      uint64_t start, struct tn_output_page *page)
{
	size_t count = count_of(lines), first = choose(lines, wish, true);

	page->rendered = lines->rendered;
	if (count == 0) {
		page->from = start;
	} else if (first < count) {
		put_from(lines, first, page);
		page->from = first ? line_of(lines, first).from : start;
	} else if ((first = choose(lines, wish, false)) < count) {
		/* A part of what was drawn together: shown, and still to be read. */
		put_from(lines, first, page);
		page->from = wish->to;
	} else {
		put_head(lines, wish, page);
	}
}

static enum tenon_code try_windows(const struct tn_output_source *source,
				   const struct tn_output_page_wish *wish, struct lines *lines,
				   struct tn_output_page *page, struct tenon_error *err)
{
	uint64_t window = wish->text_max + (uint64_t)WINDOW_FIRST;
	uint64_t most = wish->text_max > TN_OUTPUT_WINDOW_MIN / 4 ? (uint64_t)wish->text_max * 4
								  : TN_OUTPUT_WINDOW_MIN;

	for (;;) {
		uint64_t start = wish->from;
		enum tenon_code code = TENON_OK;

		if (window < wish->to - wish->from)
			code = tn_output_line_start(source, wish->to - window, wish->to, &start,
						    err);
		if (code == TENON_OK)
			code = clean(source, wish, start, lines, err);
		if (code != TENON_OK)
			return code;
		if (start == wish->from || window >= most || choose(lines, wish, true) != 0) {
			put_lines(lines, wish, start, page);
			return TENON_OK;
		}
		/* All of it fits, and there is more. */
		window = window * 4 < most ? window * 4 : most;
	}
}

enum tenon_code tn_output_backward(const struct tn_output_source *source,
				   const struct tn_output_page_wish *wish,
				   struct tn_output_page *page, struct tenon_error *err)
{
	struct lines lines = {.rendered = false};
	enum tenon_code code = TENON_OK;

	page->from = page->next = wish->to;
	page->rendered = false;
	page->complete = true;
	if (wish->from >= wish->to || wish->text_max == 0)
		return TENON_OK;
	tn_buf_init(&lines.text, 64 * TN_MIB);
	tn_buf_init(&lines.list, 64 * TN_MIB);
	code = try_windows(source, wish, &lines, page, err);
	tn_buf_finish(&lines.text);
	tn_buf_finish(&lines.list);
	if (code == TENON_OK)
		code = tn_buf_check(&page->text, err);
	return code;
}
