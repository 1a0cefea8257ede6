/* event_fuzz.c - any bytes as an event stream: cut into any pieces they mean the same as in one,
 * and nothing that is handed out is longer than its limit or holds what an event cannot. */
#include <stdint.h>

#include "base/mem.h"
#include "client/event_reader.h"
#include "client/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DATA_MAX = 48, LOG_MAX = 1 << 22 };

static void check_event(const struct tn_event_reader *reader, const struct tn_event *event)
{
	struct tn_str id = tn_buf_str(&reader->last_id);

	tn_assert(event->type.size > 0 && event->type.size <= TN_EVENT_WORD_MAX + 1);
	tn_assert(event->data.size <= DATA_MAX);
	tn_assert(event->code == TENON_OK || event->data.size == 0);
	tn_assert(tn_str_find_byte(event->data, '\r') == TN_STR_NONE);
	tn_assert(tn_str_find_byte(event->type, '\n') == TN_STR_NONE);
	tn_assert(id.size <= TN_EVENT_ID_BYTES_MAX);
	/* It goes into a header of ours. */
	tn_assert(tn_str_find_byte(id, '\0') == TN_STR_NONE);
	tn_assert(tn_str_find_byte(id, '\r') == TN_STR_NONE);
	tn_assert(tn_str_find_byte(id, '\n') == TN_STR_NONE);
}

static void put(struct tn_buf *log, struct tn_str text)
{
	tn_buf_append_uint(log, text.size);
	tn_buf_append_byte(log, ':');
	tn_buf_append_str(log, text);
}

/* Each piece is memory of its exact size, so that the sanitizer sees a read past its end. */
static void read_piece(struct tn_event_reader *reader, const uint8_t *data, size_t size,
		       struct tn_buf *log)
{
	char *copy = tn_mem_alloc(size);
	struct tn_str piece = tn_str(copy, size);
	struct tn_event event;

	tn_assert(copy);
	memcpy(copy, data, size);
	while (tn_event_reader_next(reader, &piece, &event)) {
		check_event(reader, &event);
		put(log, event.type);
		put(log, event.data);
		put(log, tn_buf_str(&reader->last_id));
		tn_buf_append_uint(log, reader->retry_ms);
	}
	tn_assert(piece.size == 0);
	tn_mem_free(copy);
}

static void read_all(const uint8_t *data, size_t size, uint64_t seed, struct tn_buf *log)
{
	struct tn_event_reader reader;

	tn_event_reader_init(&reader, DATA_MAX);
	while (size) {
		size_t piece = size;

		if (seed) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			piece = 1 + (size_t)(seed >> 33) % ((seed >> 62) ? 4 : 40);
			piece = piece < size ? piece : size;
		}
		read_piece(&reader, data, piece, log);
		data += piece;
		size -= piece;
	}
	put(log, tn_buf_str(&reader.last_id));
	tn_buf_append_uint(log, reader.has_retry ? reader.retry_ms + 1u : 0);
	tn_event_reader_finish(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_buf whole, pieces;

	tn_buf_init(&whole, LOG_MAX);
	tn_buf_init(&pieces, LOG_MAX);
	read_all(data, size, 0, &whole);
	read_all(data, size, size * 2654435761u + 1, &pieces);
	tn_assert(tn_str_equal(tn_buf_str(&whole), tn_buf_str(&pieces)));
	tn_buf_finish(&whole);
	tn_buf_finish(&pieces);
	return 0;
}
