/* plain_fuzz.c - any bytes as output to be cleaned, and to be shown to a viewer: however they are
 * cut, the same comes out; plain text has no control but tabs, lines are as long as is allowed, and
 * what a viewer gets is filtered once and for all. */
#include <stdint.h>

#include "apps/terminal/output/live_filter.h"
#include "apps/terminal/output/plain.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4 };

struct pieces {
	const uint8_t *data;
	size_t size;
	uint64_t seed; /* 0: all at once */
	size_t at;
};

/* The next piece, in memory of exactly its size; NULL: no more. */
static char *next_piece(struct pieces *pieces, size_t *ret_size)
{
	size_t piece = pieces->size - pieces->at;
	char *copy;

	if (piece == 0)
		return NULL;
	if (pieces->seed) {
		pieces->seed = pieces->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		piece = 1 + (size_t)(pieces->seed >> 33) % ((pieces->seed >> 62) ? 6 : 64);
		if (piece > pieces->size - pieces->at)
			piece = pieces->size - pieces->at;
	}
	copy = tn_mem_alloc(piece);
	tn_assert(copy);
	memcpy(copy, pieces->data + pieces->at, piece);
	pieces->at += piece;
	*ret_size = piece;
	return copy;
}

struct seen {
	struct tn_plain_options options;
	struct tn_buf log;
	uint64_t last_from, size;
};

/* Of plain text nothing is a control but tabs; with SGR, ESC [ digits and semicolons m. */
static uint64_t count_characters(const struct seen *seen, struct tn_str text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c == 0x1B) {
			tn_assert(seen->options.format == TN_PLAIN_ANSI);
			tn_assert(i + 1 < text.size && text.data[i + 1] == '[');
			for (i += 2; i < text.size && text.data[i] != 'm'; i++)
				tn_assert(tn_is_digit(text.data[i]) || text.data[i] == ';');
			tn_assert(i < text.size);
			continue;
		}
		tn_assert((c >= 0x20 || c == '\t') && c != 0x7F);
		count += (c & 0xC0) != 0x80;
	}
	return count;
}

static void see_line(struct tn_str text, uint64_t from, bool unfinished, void *data)
{
	struct seen *seen = data;
	uint64_t most = seen->options.line_characters_max;

	tn_assert(tn_utf8_valid(text.data, text.size));
	tn_assert(from >= seen->last_from && from <= seen->size);
	seen->last_from = from;
	/* Each character with marks (7 at least fit, 14 at most), and the note. */
	tn_assert(count_characters(seen, text) <= most * 15 + 32);
	tn_buf_append_str(&seen->log, text);
	tn_buf_format(&seen->log, "%c%llu ", unfinished ? '$' : '\n', (unsigned long long)from);
}

static bool clean(struct seen *seen, const uint8_t *head, struct pieces pieces)
{
	struct tn_plain *plain = NULL;
	struct tenon_error err;
	size_t size;
	char *piece;
	bool rendered;

	*seen = (struct seen){.size = pieces.size};
	tn_buf_init(&seen->log, 64 * 1024 * 1024);
	seen->options = (struct tn_plain_options){
		.format = head[0] & 1 ? TN_PLAIN_ANSI : TN_PLAIN_TEXT,
		.columns = head[0] & 2 ? (uint16_t)(1 + (head[0] >> 3)) : 0,
		.rows = head[0] & 4 ? (uint16_t)(1 + head[1] % 8) : 0,
		.line_characters_max = 1 + (head[1] >> 3),
		.line = see_line,
		.data = seen};
	tn_assert(tn_plain_create(&seen->options, &plain, &err) == TENON_OK);
	for (size_t at = 0; (piece = next_piece(&pieces, &size)) != NULL; at += size) {
		tn_plain_feed(plain, tn_str(piece, size), at);
		tn_mem_free(piece);
		(void)tn_plain_line_size(plain);
	}
	tn_plain_end(plain);
	rendered = tn_plain_rendered(plain);
	tn_plain_destroy(plain);
	tn_assert(!seen->log.failed);
	return rendered;
}

static void filter(struct pieces pieces, struct tn_buf *out)
{
	struct tn_live_filter filter;
	size_t size;
	char *piece;

	tn_buf_init(out, pieces.size * TN_LIVE_FILTER_GROWTH + TN_LIVE_FILTER_HELD);
	tn_live_filter_init(&filter);
	while ((piece = next_piece(&pieces, &size)) != NULL) {
		tn_live_filter_feed(&filter, tn_str(piece, size), out);
		tn_mem_free(piece);
	}
	tn_assert(!out->failed && tn_utf8_valid(out->data, out->size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pieces all, some;
	struct seen whole, cut;
	struct tn_buf passed, again;

	if (size < HEAD)
		return 0;
	all = (struct pieces){.data = data + HEAD, .size = size - HEAD};
	some = all;
	some.seed = 1 + data[2] + 256u * data[3];
	tn_assert(clean(&whole, data, all) == clean(&cut, data, some));
	tn_assert(tn_str_equal(tn_buf_str(&whole.log), tn_buf_str(&cut.log)));
	tn_buf_finish(&whole.log);
	tn_buf_finish(&cut.log);

	filter(all, &passed);
	filter(some, &again);
	tn_assert(tn_str_equal(tn_buf_str(&passed), tn_buf_str(&again)));
	tn_buf_finish(&again);
	some.data = (const uint8_t *)passed.data;
	some.size = passed.size;
	filter(some, &again);
	tn_assert(tn_str_equal(tn_buf_str(&passed), tn_buf_str(&again)));
	tn_buf_finish(&passed);
	tn_buf_finish(&again);
	return 0;
}
