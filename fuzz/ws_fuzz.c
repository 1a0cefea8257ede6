/* ws_fuzz.c - any bytes as what a WebSocket peer sends: cut into any pieces they mean the same as
 * in one, what is handed out is within the limits and is text, and nothing follows an end. */
#include <stdint.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "transport/ws_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MESSAGE_MAX = 300 }; /* small, so that inputs of a few hundred bytes reach it */

struct input {
	const uint8_t *data; /* what has not arrived yet */
	size_t size;
	uint64_t seed; /* of the pieces; 0: all at once */
	char *window;  /* what has, in memory of exactly its size */
	size_t window_size;
};

/* A read past the end or through an old pointer is seen by the sanitizer. False: nothing more. */
static bool arrive(struct input *in)
{
	size_t piece = in->size;
	char *window;

	if (in->size == 0)
		return false;
	if (in->seed) {
		in->seed = in->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		piece = 1 + (size_t)(in->seed >> 33) % ((in->seed >> 62) ? 8 : 64);
		piece = piece < in->size ? piece : in->size;
	}
	window = tn_mem_alloc(in->window_size + piece);
	tn_assert(window);
	memcpy(window, in->window ? in->window : "", in->window_size);
	memcpy(window + in->window_size, in->data, piece);
	tn_mem_free(in->window);
	in->window = window;
	in->window_size += piece;
	in->data += piece;
	in->size -= piece;
	return true;
}

static void drop(struct input *in, size_t size)
{
	tn_assert(size <= in->window_size);
	memmove(in->window, in->window + size, in->window_size - size);
	in->window_size -= size;
}

static void check_event(const struct tn_ws_reader *reader, enum tn_ws_event event,
			struct tn_str text, uint16_t code)
{
	bool end = event == TN_WS_CLOSE || event == TN_WS_FAULT;

	tn_assert(reader->failed == end);
	tn_assert(text.size <= (event == TN_WS_TEXT || event == TN_WS_BINARY ? MESSAGE_MAX : 125));
	if (event == TN_WS_TEXT || event == TN_WS_CLOSE)
		tn_assert(tn_utf8_valid(text.data, text.size));
	if (event == TN_WS_FAULT)
		tn_assert(code == TN_WS_PROTOCOL_ERROR || code == TN_WS_UNSUPPORTED ||
			  code == TN_WS_BAD_TEXT || code == TN_WS_TOO_LARGE);
}

static void play(struct tn_buf *log, const uint8_t *data, size_t size, unsigned how, uint64_t seed)
{
	struct input in = {.data = data, .size = size, .seed = seed};
	struct tn_ws_reader reader;

	tn_buf_init(log, TN_WS_HEAD_MAX + 16 * size + 64);
	tn_ws_reader_init(&reader, (how & 1) ? TN_WS_CLIENT : TN_WS_SERVER, MESSAGE_MAX);
	reader.takes_binary = how & 2;
	while (!reader.failed && arrive(&in)) {
		enum tn_ws_event event = TN_WS_MORE;

		do {
			struct tn_str text = {0};
			uint16_t code = 0;

			event = tn_ws_read(&reader, in.window, in.window_size, &text, &code);
			if (event == TN_WS_MORE)
				break;
			check_event(&reader, event, text, code);
			tn_buf_format(log, "%d %u %zu:", (int)event, code, text.size);
			tn_buf_append_str(log, text);
		} while (!reader.failed);
		drop(&in, reader.consumed);
		reader.consumed = 0;
		tn_assert(reader.parts.size <= MESSAGE_MAX);
		if (event == TN_WS_MORE)
			tn_assert(tn_ws_needed(&reader, in.window, in.window_size) <=
				  MESSAGE_MAX + TN_WS_HEAD_MAX);
	}
	tn_assert(!log->failed);
	tn_ws_reader_finish(&reader);
	tn_mem_free(in.window);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_buf whole, cut;
	if (size < 3)
		return 0;
	play(&whole, data + 3, size - 3, data[0], 0);
	/* The pieces are the fuzzer's choice as well. */
	play(&cut, data + 3, size - 3, data[0], 1 + data[1] + 256u * data[2]);
	tn_assert(tn_str_equal(tn_buf_str(&whole), tn_buf_str(&cut)));
	tn_buf_finish(&whole);
	tn_buf_finish(&cut);
	return 0;
}
