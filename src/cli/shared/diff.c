#include "cli/shared/diff.h"

#include "base/mem.h"

enum { AROUND = 3, MATCHED_MAX = 1000 };

struct lines {
	struct tn_str *list; /* with their line ends */
	size_t count;
};

static bool split(struct tn_str text, struct lines *ret)
{
	size_t count = 0, start = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n' || i + 1 == text.size;
	ret->count = 0;
	ret->list = tn_mem_alloc_array(count + 1, sizeof(*ret->list));
	for (size_t i = 0; ret->list && i < text.size; i++) {
		if (text.data[i] != '\n' && i + 1 != text.size)
			continue;
		ret->list[ret->count++] = tn_str(text.data + start, i + 1 - start);
		start = i + 1;
	}
	return ret->list != NULL;
}

static void put_line(char mark, struct tn_str line, struct tn_buf *out)
{
	tn_buf_append_byte(out, mark);
	tn_buf_append_str(out, line);
	if (!tn_str_ends(line, TN_STR("\n")))
		tn_buf_append_text(out, "\n\\ No newline at end of file\n");
}

static void put_all(char mark, const struct lines *lines, size_t from, size_t to,
		    struct tn_buf *out)
{
	for (size_t i = from; i < to; i++)
		put_line(mark, lines->list[i], out);
}

/* The middles, by the longest common subsequence: the textbook's table, filled from the end. */
static bool put_matched(const struct lines *a, const struct lines *b, struct tn_buf *out)
{
	size_t width = b->count + 1, i = 0, j = 0;
	unsigned short *table = tn_mem_alloc_array((a->count + 1) * width, sizeof(*table));

	if (!table)
		return false;
	for (size_t x = a->count; x-- > 0;) {
		for (size_t y = b->count; y-- > 0;) {
			unsigned short down = table[(x + 1) * width + y];
			unsigned short right = table[x * width + y + 1];

			if (tn_str_equal(a->list[x], b->list[y]))
				table[x * width + y] =
					(unsigned short)(table[(x + 1) * width + y + 1] + 1);
			else
				table[x * width + y] = down > right ? down : right;
		}
	}
	while (i < a->count && j < b->count) {
		if (tn_str_equal(a->list[i], b->list[j])) {
			put_line(' ', a->list[i++], out);
			j++;
		} else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
			put_line('-', a->list[i++], out);
		} else {
			put_line('+', b->list[j++], out);
		}
	}
	put_all('-', a, i, a->count, out);
	put_all('+', b, j, b->count, out);
	tn_mem_free(table);
	return true;
}

static struct lines part(const struct lines *lines, size_t head, size_t tail)
{
	return (struct lines){lines->list + head, lines->count - head - tail};
}

static void put_hunk(const struct lines *a, const struct lines *b, struct tn_buf *out)
{
	size_t least = a->count < b->count ? a->count : b->count, head = 0, tail = 0;
	size_t before, behind;
	struct lines mid_a, mid_b;

	while (head < least && tn_str_equal(a->list[head], b->list[head]))
		head++;
	while (tail < least - head &&
	       tn_str_equal(a->list[a->count - 1 - tail], b->list[b->count - 1 - tail]))
		tail++;
	before = head < AROUND ? head : AROUND;
	behind = tail < AROUND ? tail : AROUND;
	mid_a = part(a, head, tail);
	mid_b = part(b, head, tail);
	tn_buf_format(out, "@@ -%zu,%zu +%zu,%zu @@\n", head - before + (a->count > 0),
		      before + mid_a.count + behind, head - before + (b->count > 0),
		      before + mid_b.count + behind);
	put_all(' ', a, head - before, head, out);
	if (mid_a.count > MATCHED_MAX || mid_b.count > MATCHED_MAX ||
	    !put_matched(&mid_a, &mid_b, out)) {
		put_all('-', &mid_a, 0, mid_a.count, out);
		put_all('+', &mid_b, 0, mid_b.count, out);
	}
	put_all(' ', a, a->count - tail, a->count - tail + behind, out);
}

void tn_diff(struct tn_str before, struct tn_str after, const char *name_before,
	     const char *name_after, struct tn_buf *out)
{
	struct lines a = {.list = NULL}, b = {.list = NULL};

	if (tn_str_equal(before, after))
		return;
	if (split(before, &a) && split(after, &b)) {
		tn_buf_format(out, "--- %s\n+++ %s\n", name_before, name_after);
		put_hunk(&a, &b, out);
	}
	tn_mem_free(a.list);
	tn_mem_free(b.list);
}
