#include "apps/terminal/screen/screen_scrollback.h"

#include "apps/terminal/limits.h"
#include "base/mem.h"

/* How a line is written: the text of its cells as it is, and between it
 *   BLANKS n                  so many erased cells
 *   STYLE fg bg flags         of what follows
 *   CLUSTER size              the text of the next cell has so many bytes
 *   WIDE                      the next cell takes two columns
 * Numbers in groups of seven bits, the last without the high bit. */
enum { BLANKS = 0, STYLE = 1, CLUSTER = 2, WIDE = 3 };

enum {
	SEGMENT_BYTES = 16 * 1024,
	HEAD_BYTES = 2, /* size, and whether the line wraps */
	WRAPPED = 0x8000,
	/* STYLE with three numbers, CLUSTER with its size, WIDE, a whole cluster. */
	CELL_BYTES_MAX = 1 + 5 + 5 + 3 + 2 + 1 + TN_CLUSTER_SIZE
};
_Static_assert(CELL_BYTES_MAX *TN_SCREEN_COLUMNS_MAX < WRAPPED, "a line's size fits its head");

struct tn_scroll_segment {
	struct tn_scroll_segment *older, *newer;
	uint32_t count;      /* lines in it */
	uint32_t head, used; /* offsets: its oldest line, where the next one goes */
	uint32_t size;
	char data[];
};

bool tn_scrollback_widen(struct tn_scrollback *back, uint16_t columns)
{
	char *scratch;

	if (back->count_max == 0 || columns <= back->scratch_columns)
		return true;
	scratch = tn_mem_alloc_array(columns, CELL_BYTES_MAX);
	if (!scratch)
		return false;
	tn_mem_free(back->scratch);
	back->scratch = scratch;
	back->scratch_columns = columns;
	return true;
}

bool tn_scrollback_create(struct tn_scrollback *back, uint32_t count_max, uint16_t columns)
{
	*back = (struct tn_scrollback){.count_max = count_max};
	back->bytes_max = (size_t)count_max * TN_SCREEN_LINE_BYTES + 4 * (size_t)SEGMENT_BYTES;
	return tn_scrollback_widen(back, columns);
}

void tn_scrollback_clear(struct tn_scrollback *back)
{
	while (back->oldest) {
		struct tn_scroll_segment *newer = back->oldest->newer;

		tn_mem_free(back->oldest);
		back->oldest = newer;
	}
	back->newest = NULL;
	back->count = 0;
	back->bytes = 0;
}

void tn_scrollback_finish(struct tn_scrollback *back)
{
	tn_scrollback_clear(back);
	tn_mem_free(back->scratch);
	back->scratch = NULL;
}

static uint32_t line_size(const char *line)
{
	uint16_t head;

	memcpy(&head, line, HEAD_BYTES);
	return HEAD_BYTES + (head & (WRAPPED - 1u));
}

/* Out of the list; its memory is the caller's. */
static void unlink_segment(struct tn_scrollback *back, struct tn_scroll_segment *segment)
{
	if (segment->older)
		segment->older->newer = segment->newer;
	else
		back->oldest = segment->newer;
	if (segment->newer)
		segment->newer->older = segment->older;
	else
		back->newest = segment->older;
	back->bytes -= segment->size;
	back->count -= segment->count;
}

static void drop_oldest(struct tn_scrollback *back)
{
	struct tn_scroll_segment *segment = back->oldest;

	if (segment->count == 1) {
		unlink_segment(back, segment);
		tn_mem_free(segment);
		return;
	}
	segment->head += line_size(segment->data + segment->head);
	segment->count--;
	back->count--;
}

static void drop_oldest_segment(struct tn_scrollback *back)
{
	struct tn_scroll_segment *segment = back->oldest;

	unlink_segment(back, segment);
	tn_mem_free(segment);
}

/* A new segment for a line of `need` bytes; the oldest make room for it. NULL: no memory. */
static struct tn_scroll_segment *add_segment(struct tn_scrollback *back, size_t need)
{
	size_t size = need < SEGMENT_BYTES ? SEGMENT_BYTES : need;
	struct tn_scroll_segment *segment = NULL;

	while (back->oldest && back->bytes + size > back->bytes_max)
		drop_oldest_segment(back);
	segment = tn_mem_alloc(sizeof(*segment) + size);
	if (!segment && back->oldest) {
		drop_oldest_segment(back);
		segment = tn_mem_alloc(sizeof(*segment) + size);
	}
	if (!segment)
		return NULL;
	segment->size = (uint32_t)size;
	segment->older = back->newest;
	if (back->newest)
		back->newest->newer = segment;
	else
		back->oldest = segment;
	back->newest = segment;
	back->bytes += size;
	return segment;
}

static char *put_number(char *at, uint32_t value)
{
	while (value >= 0x80) {
		*at++ = (char)(value | 0x80);
		value >>= 7;
	}
	*at++ = (char)value;
	return at;
}

static char *put_style(char *at, const struct tn_cell *cell)
{
	*at++ = STYLE;
	at = put_number(at, cell->foreground);
	at = put_number(at, cell->background);
	return put_number(at, cell->flags & (TN_CELL_WIDE - 1u));
}

static bool same_style(const struct tn_cell *a, const struct tn_cell *b)
{
	return a->foreground == b->foreground && a->background == b->background &&
	       ((a->flags ^ b->flags) & (TN_CELL_WIDE - 1u)) == 0;
}

static char *put_cell(char *at, const struct tn_row *row, unsigned column)
{
	const struct tn_cell *cell = &row->cells[column];

	if (cell->flags & TN_CELL_WIDE)
		*at++ = WIDE;
	if (cell->cluster_size) {
		*at++ = CLUSTER;
		*at++ = (char)cell->cluster_size;
		memcpy(at, row->clusters[column], cell->cluster_size);
		return at + cell->cluster_size;
	}
	memcpy(at, cell->text, sizeof(cell->text)); /* what is too much is written over */
	return at + tn_text_size(cell->text);
}

static unsigned count_blanks(const struct tn_row *row, unsigned from)
{
	unsigned i = from;

	while (i < row->used && tn_cell_is_erased(&row->cells[i]) &&
	       same_style(&row->cells[i], &row->cells[from]))
		i++;
	return i - from;
}

/* Cells of ASCII in the default colours, which most are, one byte each. Returns how many columns.
 */
static unsigned put_plain(char *at, const struct tn_row *row, unsigned from, unsigned to)
{
	unsigned i = from;

	for (; i < to; i++) {
		const struct tn_cell *cell = &row->cells[i];
		uint64_t words[2];

		memcpy(words, cell, sizeof(words));
		/* Elsewhere than on little-endian machines nothing is plain: slower, as good. */
		if (words[1] || words[0] - 1 >= 0x7F)
			break;
		at[i - from] = cell->text[0];
	}
	return i - from;
}

/* Into the scratch memory; returns its size. */
static size_t encode(const struct tn_scrollback *back, const struct tn_row *row)
{
	const struct tn_cell plain = {.flags = 0};
	const struct tn_cell *style = &plain;
	char *at = back->scratch;
	unsigned used = row->used;

	while (used && tn_cell_is_zero(&row->cells[used - 1]))
		used--;
	for (unsigned i = 0; i < used;) {
		const struct tn_cell *cell = &row->cells[i];
		unsigned plain_count = style == &plain ? put_plain(at, row, i, used) : 0;

		if (plain_count) {
			at += plain_count;
			i += plain_count;
			continue;
		}
		if (!same_style(cell, style)) {
			at = put_style(at, cell);
			style = same_style(cell, &plain) ? &plain : cell;
		}
		if (cell->flags & TN_CELL_WIDE_TAIL) {
			i++;
		} else if (cell->text[0] == 0) {
			*at++ = BLANKS;
			at = put_number(at, count_blanks(row, i));
			i += count_blanks(row, i);
		} else if ((unsigned char)cell->text[0] < 0x80 && !cell->cluster_size) {
			*at++ = cell->text[0];
			i++;
		} else {
			at = put_cell(at, row, i);
			i++;
		}
	}
	return (size_t)(at - back->scratch);
}

void tn_scrollback_push(struct tn_scrollback *back, const struct tn_row *row)
{
	struct tn_scroll_segment *segment = back->newest;
	uint16_t head;
	size_t size;

	if (back->count_max == 0)
		return;
	size = encode(back, row);
	while (back->count >= back->count_max)
		drop_oldest(back);
	segment = back->newest; /* dropping may have taken it */
	if (!segment || segment->size - segment->used < HEAD_BYTES + size)
		segment = add_segment(back, HEAD_BYTES + size);
	if (!segment)
		return;
	head = (uint16_t)(size | (row->wrapped ? WRAPPED : 0u));
	memcpy(segment->data + segment->used, &head, HEAD_BYTES);
	memcpy(segment->data + segment->used + HEAD_BYTES, back->scratch, size);
	segment->used += (uint32_t)(HEAD_BYTES + size);
	segment->count++;
	back->count++;
}

/* The oldest line of a segment is 0. */
static char *line_at(struct tn_scroll_segment *segment, uint32_t index)
{
	char *line = segment->data + segment->head;

	while (index--)
		line += line_size(line);
	return line;
}

void tn_scrollback_drop_newest(struct tn_scrollback *back)
{
	struct tn_scroll_segment *segment = back->newest;

	if (!segment)
		return;
	if (segment->count == 1) {
		unlink_segment(back, segment);
		tn_mem_free(segment);
		return;
	}
	segment->used = (uint32_t)(line_at(segment, segment->count - 1) - segment->data);
	segment->count--;
	back->count--;
}

static const char *get_number(const char *at, uint32_t *ret)
{
	unsigned shift = 0;

	*ret = 0;
	while ((unsigned char)*at & 0x80) {
		*ret |= (uint32_t)(*at++ & 0x7F) << shift;
		shift += 7;
	}
	*ret |= (uint32_t)*at++ << shift;
	return at;
}

struct decoder {
	struct tn_scroll_line *line;
	struct tn_cell style;
	unsigned cluster_size;
	bool wide;
};

static const char *decode_mark(struct decoder *d, const char *at)
{
	struct tn_scroll_line *line = d->line;
	uint32_t value;

	switch (*at++) {
	case BLANKS:
		at = get_number(at, &value);
		while (value--)
			line->cells[line->columns++] = d->style;
		break;
	case STYLE:
		at = get_number(at, &d->style.foreground);
		at = get_number(at, &d->style.background);
		at = get_number(at, &value);
		d->style.flags = (uint16_t)value;
		break;
	case CLUSTER:
		d->cluster_size = (unsigned char)*at++;
		break;
	default:
		d->wide = true;
		break;
	}
	return at;
}

static const char *decode_cell(struct decoder *d, const char *at)
{
	struct tn_scroll_line *line = d->line;
	struct tn_cell *cell = &line->cells[line->columns];
	size_t length = tn_text_size(at);

	*cell = d->style;
	memcpy(cell->text, at, length);
	if (d->cluster_size) {
		memcpy(line->clusters[line->columns], at, d->cluster_size);
		cell->cluster_size = (uint16_t)d->cluster_size;
		length = d->cluster_size;
	}
	line->columns++;
	if (d->wide) {
		cell->flags |= TN_CELL_WIDE;
		line->cells[line->columns] = d->style;
		line->cells[line->columns++].flags |= TN_CELL_WIDE_TAIL;
		line->row.wide = true;
	}
	d->cluster_size = 0;
	d->wide = false;
	return at + length;
}

bool tn_scrollback_get(const struct tn_scrollback *back, uint32_t index, struct tn_scroll_line *ret)
{
	struct tn_scroll_segment *segment = back->newest;
	struct decoder decoder = {.line = ret};
	const char *at, *end;
	uint16_t head;

	if (index >= back->count)
		return false;
	for (; index >= segment->count; segment = segment->older)
		index -= segment->count;
	at = line_at(segment, segment->count - 1 - index);
	end = at + line_size(at);
	memcpy(&head, at, HEAD_BYTES);
	ret->row = (struct tn_row){.cells = ret->cells, .clusters = ret->clusters};
	ret->row.wrapped = head & WRAPPED;
	ret->columns = 0;
	for (at += HEAD_BYTES; at < end;)
		at = (unsigned char)*at < 0x20 ? decode_mark(&decoder, at)
					       : decode_cell(&decoder, at);
	ret->row.used = ret->columns;
	return true;
}
