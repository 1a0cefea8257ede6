#include "apps/workbench/save/diff.h"

enum { AROUND = 3 };

struct diff {
	struct tn_buf *out;
	struct tn_str before;
	const struct tn_wb_replacement *list;
	size_t count;
	size_t at, line; /* where a line begins, and its number from 1 */
	int64_t grown;   /* lines that were added before this one */
};

/* Where the line ends that `at` is in: behind its line break, or at the end. */
static size_t line_end(struct tn_str text, size_t at)
{
	size_t size = tn_str_find_byte(tn_str_from_offset(text, at), '\n');

	return size == TN_STR_NONE ? text.size : at + size + 1;
}

static size_t line_begin(struct tn_str text, size_t at)
{
	while (at > 0 && text.data[at - 1] != '\n')
		at--;
	return at;
}

static size_t count_lines(struct tn_str text)
{
	size_t count = 0;

	for (size_t at = 0; at < text.size; at = line_end(text, at))
		count++;
	return count;
}

static void put_lines(struct tn_buf *out, char sign, struct tn_str text)
{
	for (size_t at = 0, end; at < text.size; at = end) {
		end = line_end(text, at);
		tn_buf_append_byte(out, sign);
		tn_buf_append(out, text.data + at, end - at);
		if (text.data[end - 1] != '\n')
			tn_buf_append_text(out, "\n\\ No newline at end of file\n");
	}
}

/* A stretch of whole lines, and the edits in it. */
struct stretch {
	size_t start, end;  /* bytes of the text before */
	size_t first, last; /* edits from, up to but not with */
};

static struct stretch stretch_of(const struct diff *d, size_t edit)
{
	struct stretch s = {.first = edit, .last = edit + 1};

	s.start = line_begin(d->before, d->list[edit].start);
	s.end = line_end(d->before, d->list[edit].end);
	while (s.last < d->count && d->list[s.last].start < s.end) {
		s.end = line_end(d->before, d->list[s.last].end);
		s.last++;
	}
	return s;
}

static void put_after(const struct diff *d, const struct stretch *s, struct tn_buf *out)
{
	size_t at = s->start;

	for (size_t i = s->first; i < s->last; i++) {
		tn_buf_append(out, d->before.data + at, d->list[i].start - at);
		tn_buf_append_str(out, d->list[i].text);
		at = d->list[i].end;
	}
	tn_buf_append(out, d->before.data + at, s->end - at);
}

static size_t lines_back(struct tn_str text, size_t at, size_t least)
{
	for (int i = 0; i < AROUND && at > least; i++)
		at = line_begin(text, at - 1);
	return at;
}

static size_t lines_on(struct tn_str text, size_t at)
{
	for (int i = 0; i < AROUND && at < text.size; i++)
		at = line_end(text, at);
	return at;
}

static struct tn_str between(const struct diff *d, size_t start, size_t end)
{
	return tn_str(d->before.data + start, end - start);
}

/* From `first` on, all stretches whose surroundings touch. Returns the first edit behind them. */
static size_t put_hunk(struct diff *d, size_t first)
{
	struct stretch s = stretch_of(d, first);
	size_t start = lines_back(d->before, s.start, d->at), at = start, removed, added = 0;
	struct tn_buf body, after;

	tn_buf_init(&body, d->out->limit);
	for (;;) {
		tn_buf_init(&after, d->out->limit);
		put_after(d, &s, &after);
		put_lines(&body, ' ', between(d, at, s.start));
		put_lines(&body, '-', between(d, s.start, s.end));
		put_lines(&body, '+', tn_buf_str(&after));
		added += count_lines(between(d, at, s.start)) + count_lines(tn_buf_str(&after));
		at = s.end;
		tn_buf_inherit_failure(&body, &after);
		tn_buf_finish(&after);
		if (s.last == d->count || line_begin(d->before, d->list[s.last].start) >
						  lines_on(d->before, lines_on(d->before, at)))
			break;
		s = stretch_of(d, s.last);
	}
	put_lines(&body, ' ', between(d, at, lines_on(d->before, at)));
	added += count_lines(between(d, at, lines_on(d->before, at)));
	at = lines_on(d->before, at);
	removed = count_lines(between(d, start, at));
	d->line += count_lines(between(d, d->at, start));
	tn_buf_format(d->out, "@@ -%zu,%zu +%lld,%zu @@\n", d->line, removed,
		      (long long)d->line + (long long)d->grown, added);
	tn_buf_append_str(d->out, tn_buf_str(&body));
	tn_buf_inherit_failure(d->out, &body);
	tn_buf_finish(&body);
	d->line += removed;
	d->grown += (int64_t)added - (int64_t)removed;
	d->at = at;
	return s.last;
}

void tn_wb_put_diff(struct tn_buf *out, struct tn_str path, struct tn_str before,
		    const struct tn_wb_replacement *list, size_t count)
{
	struct diff d = {.out = out, .before = before, .list = list, .count = count, .line = 1};

	if (!count)
		return;
	tn_buf_format(out, "--- a/%.*s\n+++ b/%.*s\n", (int)path.size, path.data, (int)path.size,
		      path.data);
	for (size_t i = 0; i < count;)
		i = put_hunk(&d, i);
}
