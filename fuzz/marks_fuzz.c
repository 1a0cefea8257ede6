/* marks_fuzz.c - any bytes as a terminal's output: however they are cut, text and marks are the
 * same; what is not text is a mark or an imitation, and no byte is lost or moved. */
#include <stdint.h>

#include "apps/terminal/output/marks.h"
#include "base/buf.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BASE = 1000 }; /* of the stream */

struct seen {
	const uint8_t *data;
	uint64_t next; /* everything before it was handed out */
	struct tn_buf text, marks;
};

static void see_text(struct tn_str bytes, uint64_t from, void *context)
{
	struct seen *seen = context;

	tn_assert(bytes.size > 0 && from == seen->next);
	tn_assert(memcmp(seen->data + (from - BASE), bytes.data, bytes.size) == 0);
	seen->next += bytes.size;
	tn_buf_append_str(&seen->text, bytes);
}

static void see_mark(const struct tn_mark *mark, void *context)
{
	struct seen *seen = context;
	bool is_text = mark->kind == TN_MARK_ALTERNATE || mark->kind == TN_MARK_RESET;

	tn_assert(mark->from < mark->to && mark->from >= BASE);
	if (is_text)
		tn_assert(mark->to == seen->next);
	else
		tn_assert(mark->from == seen->next && mark->to - mark->from <= TN_MARK_BYTES_MAX);
	seen->next = mark->to;
	tn_assert(mark->cwd.size < TN_MARK_CWD_SIZE);
	tn_assert(mark->cwd.size == 0 || mark->cwd.data[0] == '/');
	tn_buf_format(&seen->marks, "%d %llu %llu %d %d ", (int)mark->kind,
		      (unsigned long long)mark->from, (unsigned long long)mark->number,
		      mark->exit_code, mark->on);
	tn_buf_append_str(&seen->marks, mark->cwd);
}

static void see_foreign(struct tn_str bytes, uint64_t from, void *context)
{
	struct seen *seen = context;

	tn_assert(from == seen->next);
	tn_assert(memcmp(seen->data + (from - BASE), bytes.data, bytes.size) == 0);
	seen->next += bytes.size;
}

static void play(struct seen *seen, const uint8_t *data, size_t size, uint64_t seed)
{
	const struct tn_marks_sink sink = {see_text, see_mark, see_foreign, seen};
	struct tn_marks *marks = tn_mem_alloc(sizeof(*marks));

	tn_assert(marks);
	*seen = (struct seen){.data = data, .next = BASE};
	tn_buf_init(&seen->text, size + 1);
	tn_buf_init(&seen->marks, 64 * size + 1);
	tn_marks_init(marks, "n", BASE);
	for (size_t at = 0; at < size;) {
		size_t piece = size - at;
		char *copy;

		if (seed) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			piece = 1 + (size_t)(seed >> 33) % ((seed >> 62) ? 6 : 64);
			piece = piece < size - at ? piece : size - at;
		}
		/* In memory of exactly its size: a read past it is seen. */
		copy = tn_mem_alloc(piece);
		tn_assert(copy);
		memcpy(copy, data + at, piece);
		tn_marks_feed(marks, tn_str(copy, piece), &sink);
		tn_mem_free(copy);
		at += piece;
		tn_assert(marks->offset == BASE + at && seen->next <= BASE + at);
	}
	tn_marks_end(marks, &sink);
	tn_assert(seen->next == BASE + size && !seen->text.failed && !seen->marks.failed);
	tn_mem_free(marks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole, cut;

	if (size < 2)
		return 0;
	play(&whole, data + 2, size - 2, 0);
	play(&cut, data + 2, size - 2, 1 + data[0] + 256u * data[1]);
	tn_assert(tn_str_equal(tn_buf_str(&whole.text), tn_buf_str(&cut.text)));
	tn_assert(tn_str_equal(tn_buf_str(&whole.marks), tn_buf_str(&cut.marks)));
	tn_buf_finish(&whole.text);
	tn_buf_finish(&whole.marks);
	tn_buf_finish(&cut.text);
	tn_buf_finish(&cut.marks);
	return 0;
}
