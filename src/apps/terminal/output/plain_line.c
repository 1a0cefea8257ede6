#include "apps/terminal/output/plain_line.h"

#include "apps/terminal/screen/internal.h"
#include "apps/terminal/screen/vt_width.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"

enum {
	JOINED_MAX = 28, /* bytes of marks on one character: more is an attack on the reader */
	TEXT_FACTOR = 4 + JOINED_MAX,
	STYLES_MAX = 4096,
	LONG_TEXT_MIN = 4096
};

void tn_plain_line_init(struct tn_plain_line *line, bool styled, uint16_t columns,
			uint32_t characters_max)
{
	if (characters_max == 0 || characters_max > TN_PLAIN_CHARACTERS_MAX)
		characters_max = TN_PLAIN_CHARACTERS_MAX;
	*line = (struct tn_plain_line){
		.styled = styled, .columns = columns, .characters_max = characters_max};
	tn_buf_init(&line->text, (size_t)characters_max * TEXT_FACTOR);
	tn_buf_init(&line->long_text, (size_t)characters_max * TEXT_FACTOR * 2 + LONG_TEXT_MIN);
	tn_buf_init(&line->styles, STYLES_MAX * sizeof(struct tn_style));
	line->edited = styled;
}

void tn_plain_line_finish(struct tn_plain_line *line)
{
	tn_buf_finish(&line->text);
	tn_buf_finish(&line->long_text);
	tn_buf_finish(&line->styles);
	tn_mem_free(line->cells);
}

static void forget_content(struct tn_plain_line *line)
{
	tn_buf_clear(&line->text);
	tn_buf_clear(&line->long_text);
	tn_buf_clear(&line->styles);
	line->cell_count = 0;
	line->edited = line->styled;
	line->characters = line->dropped = 0;
	line->joined = 0;
	line->end = 0;
}

void tn_plain_line_clear(struct tn_plain_line *line)
{
	forget_content(line);
	line->column = line->row_start = 0;
}

bool tn_plain_line_is_empty(const struct tn_plain_line *line)
{
	return line->end == 0;
}

/* How many columns are kept: a tab may take all of its columns for one character. */
static size_t cells_max(const struct tn_plain_line *line)
{
	size_t max = (size_t)line->characters_max * TN_PLAIN_TAB;

	return max < TN_PLAIN_CHARACTERS_MAX ? max : TN_PLAIN_CHARACTERS_MAX;
}

/* `cell_count` becomes at least `count`, with blanks. False: no more are kept. */
static bool grow(struct tn_plain_line *line, uint64_t count)
{
	static const struct tn_plain_cell blank = {.width = 1};

	if (count <= line->cell_count)
		return true;
	if (count > cells_max(line))
		return false;
	if (count > line->cell_capacity) {
		size_t capacity = (size_t)count * 2;
		struct tn_plain_cell *cells = tn_mem_resize(line->cells, capacity * sizeof(*cells));

		if (!cells)
			return false;
		line->cells = cells;
		line->cell_capacity = capacity;
	}
	while (line->cell_count < count)
		line->cells[line->cell_count++] = blank;
	return true;
}

/* No character reaches over the border before `column` any more. */
static void part(struct tn_plain_line *line, uint64_t column)
{
	size_t first, i;

	if (column >= line->cell_count || line->cells[column].width != 0)
		return;
	for (first = (size_t)column; first > 0 && line->cells[first].width == 0;)
		first--;
	for (i = first; i < line->cell_count && (i == first || line->cells[i].width == 0); i++)
		continue;
	while (i > first) {
		line->cells[--i].width = 1;
		line->cells[i].size = 1;
		line->cells[i].text = ' ';
	}
}

static uint16_t style_index(struct tn_plain_line *line)
{
	const struct tn_style *styles = (const void *)line->styles.data;
	size_t count = line->styles.size / sizeof(*styles);

	if (!line->styled)
		return 0;
	for (size_t i = count; i > 0; i--)
		if (tn_style_equal(&styles[i - 1], &line->style))
			return (uint16_t)(i - 1);
	tn_buf_append(&line->styles, &line->style, sizeof(line->style));
	/* With too many in a line the last ones share one. */
	return (uint16_t)(line->styles.failed && count ? count - 1 : count);
}

static const char *cell_text(const struct tn_plain_line *line, const struct tn_plain_cell *cell)
{
	if (cell->size <= sizeof(cell->text))
		return (const char *)&cell->text;
	return line->long_text.data + cell->text;
}

static void write_cell(struct tn_plain_line *line, struct tn_str text, unsigned width,
		       uint16_t style)
{
	uint64_t at = line->column;

	line->column += width;
	if (line->end < line->column)
		line->end = line->column;
	line->joined = 0;
	part(line, at);
	part(line, at + width);
	if (!grow(line, at + width))
		return;
	for (uint64_t i = at; i < at + width; i++)
		line->cells[i] = (struct tn_plain_cell){.style = style};
	line->cells[at].width = (uint8_t)width;
	line->cells[at].size = (uint8_t)text.size;
	memcpy(&line->cells[at].text, text.data, text.size);
}

/* What the row has no room for goes on in the next one. */
static void wrap(struct tn_plain_line *line, unsigned width)
{
	if (line->columns && line->column - line->row_start + width > line->columns)
		line->row_start = line->column;
}

static unsigned tab_width(const struct tn_plain_line *line)
{
	return TN_PLAIN_TAB - (unsigned)((line->column - line->row_start) % TN_PLAIN_TAB);
}

/* The marks of a line's cells that have gone: copied together, without the holes. */
static void pack_long_text(struct tn_plain_line *line)
{
	struct tn_buf packed;

	tn_buf_init(&packed, line->long_text.limit);
	for (size_t i = 0; i < line->cell_count; i++) {
		struct tn_plain_cell *cell = &line->cells[i];
		size_t at = packed.size;

		if (cell->size <= sizeof(cell->text))
			continue;
		tn_buf_append(&packed, line->long_text.data + cell->text, cell->size);
		if (packed.failed)
			cell->size = 0;
		cell->text = (uint32_t)at;
	}
	tn_buf_finish(&line->long_text);
	line->long_text = packed;
}

/* A mark joins the character before the cursor. */
static void join_cell(struct tn_plain_line *line, struct tn_str mark)
{
	uint64_t at = line->column;
	struct tn_plain_cell *cell;
	char text[sizeof(uint32_t) + JOINED_MAX + TN_UTF8_BYTES_MAX];
	size_t size;

	if (at == 0 || at > line->cell_count)
		return;
	for (at--; at > 0 && line->cells[at].width == 0;)
		at--;
	cell = &line->cells[at];
	if (cell->size == 0 || cell->size + mark.size > sizeof(uint32_t) + JOINED_MAX)
		return;
	size = cell->size + mark.size;
	memcpy(text, cell_text(line, cell), cell->size);
	memcpy(text + cell->size, mark.data, mark.size);
	if (size > sizeof(cell->text)) {
		size_t offset;

		if (line->long_text.size > LONG_TEXT_MIN &&
		    line->long_text.size > line->long_text.limit / 2)
			pack_long_text(line);
		offset = line->long_text.size;
		tn_buf_append(&line->long_text, text, size);
		if (line->long_text.failed)
			return;
		cell->text = (uint32_t)offset;
	} else {
		memcpy(&cell->text, text, size);
	}
	cell->size = (uint8_t)size;
}

static void replay(struct tn_plain_line *line, struct tn_str text)
{
	uint32_t code;
	size_t size;

	for (size_t at = 0; at < text.size; at += size) {
		struct tn_str one;

		size = tn_utf8_decode(text.data + at, text.size - at, &code);
		one = tn_str(text.data + at, size);
		if (code != '\t' && tn_vt_width(code) == TN_VT_JOINS) {
			join_cell(line, one);
			continue;
		}
		if (code == '\t') {
			wrap(line, 1);
			write_cell(line, one, tab_width(line), 0);
		} else {
			unsigned width = tn_vt_width(code) == TN_VT_WIDE ? 2 : 1;

			wrap(line, width);
			write_cell(line, one, width, 0);
		}
	}
}

/* From now on columns count. */
static void edit(struct tn_plain_line *line)
{
	uint64_t column = line->column, row_start = line->row_start, end = line->end;

	if (line->edited)
		return;
	line->edited = true;
	line->column = line->row_start = line->end = 0;
	replay(line, tn_buf_str(&line->text));
	line->column = column;
	line->row_start = row_start;
	line->end = end; /* with what was not kept */
}

static bool appends(const struct tn_plain_line *line)
{
	return !line->edited && line->column == line->end;
}

/* A character at the end of a line in which nothing has moved. */
static void append(struct tn_plain_line *line, struct tn_str text, unsigned width)
{
	line->column += width;
	line->end = line->column;
	line->joined = 0;
	if (line->characters < line->characters_max && !line->text.failed) {
		tn_buf_append_str(&line->text, text);
		line->characters += !line->text.failed;
		line->dropped += line->text.failed;
	} else {
		line->dropped++;
	}
}

static void append_ascii(struct tn_plain_line *line, struct tn_str text)
{
	uint64_t room = line->characters_max - line->characters;
	size_t kept = text.size < room ? text.size : (size_t)room;
	uint64_t in_row = line->column - line->row_start + text.size;

	if (line->text.failed)
		kept = 0;
	tn_buf_append(&line->text, text.data, kept);
	if (line->text.failed)
		kept = 0;
	line->characters += kept;
	line->dropped += text.size - kept;
	if (line->columns && in_row > line->columns)
		line->row_start += (in_row - 1) / line->columns * line->columns;
	line->column += text.size;
	line->end = line->column;
	line->joined = 0;
}

void tn_plain_line_ascii(struct tn_plain_line *line, struct tn_str text)
{
	uint16_t style;

	if (text.size == 0)
		return;
	if (appends(line)) {
		append_ascii(line, text);
		return;
	}
	edit(line);
	style = style_index(line);
	for (size_t i = 0; i < text.size; i++) {
		wrap(line, 1);
		write_cell(line, tn_str(text.data + i, 1), 1, style);
	}
}

static void put_mark(struct tn_plain_line *line, struct tn_str mark)
{
	if (!appends(line)) {
		edit(line);
		join_cell(line, mark);
	} else if (line->joined + mark.size <= JOINED_MAX && line->dropped == 0) {
		tn_buf_append_str(&line->text, mark);
		line->joined += (unsigned)mark.size;
	}
}

void tn_plain_line_code(struct tn_plain_line *line, uint32_t code)
{
	char bytes[TN_UTF8_BYTES_MAX];
	struct tn_str text = tn_str(bytes, tn_utf8_encode(code, bytes));
	enum tn_vt_width kind = tn_vt_width(code);
	unsigned width = kind == TN_VT_WIDE ? 2 : 1;

	if (kind == TN_VT_UNSEEN)
		return;
	if (kind == TN_VT_JOINS) {
		put_mark(line, text);
		return;
	}
	wrap(line, width);
	if (appends(line)) {
		append(line, text, width);
		return;
	}
	edit(line);
	write_cell(line, text, width, style_index(line));
}

/* Within what is printed a tab moves only; at its end it is a character of the line. */
void tn_plain_line_tab(struct tn_plain_line *line)
{
	unsigned width;

	wrap(line, 1);
	width = tab_width(line);
	if (line->column < line->end) {
		uint64_t stop = line->column + width;

		line->column = stop < line->end ? stop : line->end;
		if (stop <= line->end)
			return;
		width = (unsigned)(stop - line->column);
	}
	if (appends(line)) {
		append(line, TN_STR("\t"), width);
		return;
	}
	edit(line);
	write_cell(line, TN_STR("\t"), width, style_index(line));
}

void tn_plain_line_return(struct tn_plain_line *line)
{
	line->column = line->row_start;
}

/* After the last column of a row the cursor still stands on it. */
static void settle(struct tn_plain_line *line)
{
	if (line->columns && line->column - line->row_start == line->columns)
		line->column--;
}

void tn_plain_line_left(struct tn_plain_line *line, unsigned columns)
{
	uint64_t room;

	settle(line);
	room = line->column - line->row_start;
	line->column -= columns < room ? columns : room;
}

void tn_plain_line_move(struct tn_plain_line *line, unsigned column)
{
	if (line->columns && column >= line->columns)
		column = line->columns - 1u;
	line->column = line->row_start + column;
}

void tn_plain_line_right(struct tn_plain_line *line, unsigned columns)
{
	uint64_t column;

	settle(line);
	column = line->column - line->row_start + columns;
	if (line->columns && column >= line->columns)
		column = line->columns - 1u;
	line->column = line->row_start + column;
}

void tn_plain_line_erase_right(struct tn_plain_line *line)
{
	if (line->column >= line->end)
		return;
	if (line->column == 0) {
		forget_content(line);
		return;
	}
	edit(line);
	part(line, line->column);
	if (line->cell_count > line->column)
		line->cell_count = (size_t)line->column;
	line->end = line->column;
}

static void blank(struct tn_plain_line *line, uint64_t from, uint64_t to)
{
	edit(line);
	part(line, from);
	part(line, to);
	for (uint64_t i = from; i < to && i < line->cell_count; i++)
		line->cells[i] = (struct tn_plain_cell){.width = 1};
}

void tn_plain_line_erase_left(struct tn_plain_line *line)
{
	uint64_t to = line->column + 1;

	if (line->end == 0)
		return;
	blank(line, line->row_start, to < line->end ? to : line->end);
	/* All of the row is gone: only rows before it are left. */
	if (to >= line->end)
		line->end = line->row_start;
	if (line->cell_count > line->end)
		line->cell_count = (size_t)line->end;
}

void tn_plain_line_erase_all(struct tn_plain_line *line)
{
	uint64_t column = line->column;

	line->column = line->row_start;
	tn_plain_line_erase_right(line);
	line->column = column;
}

void tn_plain_line_blank(struct tn_plain_line *line, unsigned columns)
{
	settle(line);
	if (line->column + columns >= line->end)
		tn_plain_line_erase_right(line);
	else
		blank(line, line->column, line->column + columns);
}

void tn_plain_line_delete(struct tn_plain_line *line, unsigned columns)
{
	uint64_t from = line->column, to = from + columns;

	if (from >= line->end)
		return;
	if (to >= line->end) {
		tn_plain_line_erase_right(line);
		return;
	}
	edit(line);
	part(line, from);
	part(line, to);
	line->end -= columns;
	if (to < line->cell_count) {
		memmove(line->cells + from, line->cells + to,
			(line->cell_count - to) * sizeof(*line->cells));
		line->cell_count -= columns;
	} else if (from < line->cell_count) {
		line->cell_count = (size_t)from;
	}
}

void tn_plain_line_insert(struct tn_plain_line *line, unsigned columns)
{
	uint64_t from = line->column;
	size_t before;

	if (from >= line->end)
		return;
	edit(line);
	part(line, from);
	before = line->cell_count;
	line->end += columns;
	if (from >= before || !grow(line, before + (uint64_t)columns))
		return;
	memmove(line->cells + from + columns, line->cells + from,
		(before - from) * sizeof(*line->cells));
	for (uint64_t i = from; i < from + columns; i++)
		line->cells[i] = (struct tn_plain_cell){.width = 1};
}

static void put_count(struct tn_buf *out, uint64_t count)
{
	if (count)
		tn_buf_format(out, "\xe2\x80\xa6[+%llu]", (unsigned long long)count);
}

/* Blanks that were not printed have no style. */
static void put_style(const struct tn_plain_line *line, const struct tn_plain_cell *cell,
		      struct tn_style *shown, struct tn_buf *out)
{
	const struct tn_style *styles = (const void *)line->styles.data;
	struct tn_style style = {.flags = 0};

	/* Without memory there may be no style at all. */
	if (cell->size && (cell->style + 1u) * sizeof(style) <= line->styles.size)
		style = styles[cell->style];
	if (tn_style_equal(&style, shown))
		return;
	tn_screen_put_style(&style, out);
	*shown = style;
}

static void put_text(const struct tn_plain_line *line, struct tn_buf *out)
{
	tn_buf_append_str(out, tn_buf_str(&line->text));
	put_count(out, line->dropped);
}

void tn_plain_line_put(const struct tn_plain_line *line, struct tn_buf *out)
{
	static const struct tn_style plain = {.flags = 0};
	struct tn_style shown = plain;
	uint64_t hidden = line->end > line->cell_count ? line->end - line->cell_count : 0;
	size_t used = line->cell_count, characters = 0;

	if (!line->edited) {
		put_text(line, out);
		return;
	}
	/* What was erased at the end, or never reached, is no blank that was printed. */
	while (!hidden && used > 0 && line->cells[used - 1].width && !line->cells[used - 1].size)
		used--;
	for (size_t i = 0; i < used; i++) {
		const struct tn_plain_cell *cell = &line->cells[i];

		if (cell->width == 0)
			continue;
		if (characters++ >= line->characters_max) {
			hidden++;
			continue;
		}
		if (line->styled)
			put_style(line, cell, &shown, out);
		if (cell->size == 0)
			tn_buf_append_byte(out, ' ');
		else
			tn_buf_append(out, cell_text(line, cell), cell->size);
	}
	if (!tn_style_equal(&shown, &plain))
		tn_screen_put_style(&plain, out);
	put_count(out, hidden);
}
