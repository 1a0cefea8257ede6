#include "apps/terminal/redact/internal.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { RUNS_FIRST = 64, SPANS_FIRST = 16 };

/* CSI, and the two-byte selection of a character set that comes with many resets. OSC strings stay:
 * the address of a hyperlink is text in which a password can stand. */
size_t tn_fold_escape(struct tn_str text, size_t at)
{
	size_t end = at + 2;

	if (text.data[at] != '\x1b' || at + 1 >= text.size)
		return 0;
	if (strchr("()*+", text.data[at + 1]) && text.data[at + 1] != '\0')
		return at + 2 < text.size ? 3 : 0;
	if (text.data[at + 1] != '[')
		return 0;
	while (end < text.size && text.data[end] >= 0x20 && text.data[end] <= 0x3f)
		end++;
	if (end >= text.size || text.data[end] < 0x40 || text.data[end] > 0x7e)
		return 0;
	return end + 1 - at;
}

/* What goes at this place; 0: the byte stays. */
static size_t gap_at(struct tn_str text, size_t at, bool join)
{
	switch (text.data[at]) {
	case '\r':
		return 1;
	case '\n':
		return join ? 1 : 0;
	case '\x1b':
		return tn_fold_escape(text, at);
	default:
		return 0;
	}
}

static bool add_run(struct tn_fold *fold, struct tn_str piece, size_t from)
{
	if (fold->run_count == fold->run_capacity) {
		size_t capacity = fold->run_capacity ? fold->run_capacity * 2 : RUNS_FIRST;
		void *runs = tn_mem_resize(fold->runs, capacity * sizeof(*fold->runs));

		if (!runs)
			return false;
		fold->runs = runs;
		fold->run_capacity = capacity;
	}
	fold->runs[fold->run_count++] = (struct tn_fold_run){fold->bytes.size, from};
	tn_buf_append_str(&fold->bytes, piece);
	return !fold->bytes.failed;
}

bool tn_fold_init(struct tn_fold *fold, struct tn_str text, bool join)
{
	size_t begin = 0;

	*fold = (struct tn_fold){.text = text};
	tn_buf_init(&fold->bytes, text.size);
	for (size_t at = 0; at < text.size;) {
		size_t gap = gap_at(text, at, join);

		if (gap == 0) {
			at++;
			continue;
		}
		if (!fold->bytes.data && !tn_buf_reserve(&fold->bytes, text.size))
			goto out;
		if (at > begin && !add_run(fold, tn_str(text.data + begin, at - begin), begin))
			goto out;
		at += gap;
		begin = at;
	}
	if (!fold->bytes.data)
		return true;
	if (begin < text.size &&
	    !add_run(fold, tn_str(text.data + begin, text.size - begin), begin))
		goto out;
	fold->text = tn_buf_str(&fold->bytes);
	return true;
out:
	tn_fold_finish(fold);
	return false;
}

void tn_fold_finish(struct tn_fold *fold)
{
	if (fold->bytes.data)
		explicit_bzero(fold->bytes.data, fold->bytes.capacity);
	tn_buf_finish(&fold->bytes);
	tn_mem_free(fold->runs);
	fold->runs = NULL;
	fold->run_count = fold->run_capacity = 0;
}

static size_t original(const struct tn_fold *fold, size_t at)
{
	size_t low = 0, high = fold->run_count;

	if (!fold->runs)
		return at;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (fold->runs[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return fold->runs[low].from + (at - fold->runs[low].at);
}

void tn_redact_add(struct tn_redact_spans *spans, const struct tn_fold *fold, size_t begin,
		   size_t end, const char *kind)
{
	struct tn_redact_span span, *last = spans->count ? &spans->items[spans->count - 1] : NULL;

	if (begin >= end || spans->failed)
		return;
	span = (struct tn_redact_span){original(fold, begin), original(fold, end - 1) + 1, kind};
	if (last && last->kind == kind && span.begin >= last->begin && span.begin < last->end) {
		if (span.end > last->end)
			last->end = span.end;
		return;
	}
	if (spans->count == spans->capacity) {
		size_t capacity = spans->capacity ? spans->capacity * 2 : SPANS_FIRST;
		void *items = tn_mem_resize(spans->items, capacity * sizeof(span));

		if (!items) {
			spans->failed = true;
			return;
		}
		spans->items = items;
		spans->capacity = capacity;
	}
	spans->items[spans->count++] = span;
}
