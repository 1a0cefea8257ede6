#include "transport/ws_frame.h"

#include <string.h>

#include "base/utf8.h"

enum { OP_CONTINUATION = 0 }; /* the header has those that are written */
enum { FINAL = 0x80, RESERVED = 0x70, OPCODE = 0x0F, CONTROL = 0x08, MASKED = 0x80 };
enum { SIZE_16 = 126, SIZE_64 = 127, CONTROL_MAX = 125, MASK_BYTES = 4 };

struct frame {
	unsigned char opcode;
	bool final;
	const unsigned char *mask; /* NULL: none */
	size_t head;               /* bytes before the payload */
	size_t size;               /* of the payload */
};

void tn_ws_reader_init(struct tn_ws_reader *reader, enum tn_ws_role role, size_t message_max)
{
	*reader = (struct tn_ws_reader){.role = role, .message_max = message_max};
	tn_buf_init(&reader->parts, message_max);
}

void tn_ws_reader_finish(struct tn_ws_reader *reader)
{
	tn_buf_finish(&reader->parts);
}

/* ---- masks ---- */

void tn_ws_mask(char *data, size_t size, const unsigned char mask[4])
{
	uint32_t half;
	uint64_t word, key;
	size_t at = 0;

	memcpy(&half, mask, sizeof(half));
	key = (uint64_t)half << 32 | half; /* the same bytes twice, whatever the byte order */
	for (; size - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		word ^= key;
		memcpy(data + at, &word, sizeof(word));
	}
	for (; at < size; at++)
		data[at] = (char)((unsigned char)data[at] ^ mask[at & 3]);
}

/* ---- heads ---- */

/* What the first two bytes forbid by themselves (RFC 6455 sections 5.1 to 5.5); 0: nothing. */
static unsigned check_start(const struct tn_ws_reader *reader, const unsigned char *at)
{
	unsigned char opcode = at[0] & OPCODE;
	unsigned char size = at[1] & 0x7F;

	if (at[0] & RESERVED) /* no extension was agreed upon */
		return TN_WS_PROTOCOL_ERROR;
	if (((at[1] & MASKED) != 0) != (reader->role == TN_WS_SERVER))
		return TN_WS_PROTOCOL_ERROR;
	switch (opcode) {
	case TN_WS_OP_CLOSE:
	case TN_WS_OP_PING:
	case TN_WS_OP_PONG:
		return (at[0] & FINAL) && size <= CONTROL_MAX ? 0 : TN_WS_PROTOCOL_ERROR;
	case OP_CONTINUATION:
		return reader->in_message ? 0 : TN_WS_PROTOCOL_ERROR;
	case TN_WS_OP_TEXT:
	case TN_WS_OP_BINARY:
		if (reader->in_message)
			return TN_WS_PROTOCOL_ERROR;
		return opcode == TN_WS_OP_TEXT || reader->takes_binary ? 0 : TN_WS_UNSUPPORTED;
	default:
		return TN_WS_PROTOCOL_ERROR;
	}
}

static uint64_t read_number(const unsigned char *at, size_t bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes; i++)
		number = number << 8 | at[i];
	return number;
}

static size_t size_bytes_of(const unsigned char *at)
{
	unsigned size = at[1] & 0x7F;

	return size == SIZE_16 ? 2 : size == SIZE_64 ? 8 : 0;
}

/* Whether the payload is within the cap and its size well written; 0: yes. */
static unsigned check_size(const struct tn_ws_reader *reader, const unsigned char *at,
			   uint64_t *ret_size)
{
	size_t bytes = size_bytes_of(at);

	*ret_size = bytes ? read_number(at + 2, bytes) : at[1] & 0x7F;
	/* One length has one form, and the first bit of the long one is 0. */
	if (bytes && *ret_size < (bytes == 2 ? SIZE_16 : UINT64_C(0x10000)))
		return TN_WS_PROTOCOL_ERROR;
	if (*ret_size >> 63)
		return TN_WS_PROTOCOL_ERROR;
	if (!(at[0] & CONTROL) && *ret_size > reader->message_max - reader->parts.size)
		return TN_WS_TOO_LARGE;
	return 0;
}

/* Returns the code of a fault, or 0; with ret->head == 0 the head is not all there. */
static unsigned read_head(const struct tn_ws_reader *reader, const char *data, size_t have,
			  struct frame *ret)
{
	const unsigned char *at = (const unsigned char *)data;
	size_t sized, head;
	uint64_t size;
	unsigned fault;

	ret->head = 0;
	if (have < 2)
		return 0;
	fault = check_start(reader, at);
	sized = 2 + size_bytes_of(at);
	head = sized + ((at[1] & MASKED) ? MASK_BYTES : 0);
	if (fault || have < sized)
		return fault;
	fault = check_size(reader, at, &size);
	if (fault || have < head)
		return fault;
	ret->opcode = at[0] & OPCODE;
	ret->final = at[0] & FINAL;
	ret->mask = (at[1] & MASKED) ? at + sized : NULL;
	ret->head = head;
	ret->size = (size_t)size;
	return 0;
}

size_t tn_ws_needed(const struct tn_ws_reader *reader, const char *data, size_t size)
{
	struct frame frame;
	size_t have = size - reader->consumed;

	if (reader->failed || read_head(reader, data + reader->consumed, have, &frame) != 0)
		return 0;
	if (frame.head == 0)
		return 0;
	return frame.head + frame.size > have ? frame.head + frame.size - have : 0;
}

/* ---- events ---- */

static enum tn_ws_event fault(struct tn_ws_reader *reader, enum tn_ws_close code,
			      struct tn_str *ret, uint16_t *ret_code)
{
	reader->failed = true;
	tn_buf_finish(&reader->parts);
	*ret = tn_str("", 0);
	*ret_code = (uint16_t)code;
	return TN_WS_FAULT;
}

/* Codes a peer may send: RFC 6455 section 7.4 and what IANA has registered since. */
static bool may_be_sent(unsigned code)
{
	return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
	       (code >= 3000 && code <= 4999);
}

static enum tn_ws_event take_close(struct tn_ws_reader *reader, struct tn_str payload,
				   struct tn_str *ret, uint16_t *ret_code)
{
	unsigned code = TN_WS_NO_STATUS;

	if (payload.size == 1)
		return fault(reader, TN_WS_PROTOCOL_ERROR, ret, ret_code);
	if (payload.size) {
		code = (unsigned)read_number((const unsigned char *)payload.data, 2);
		payload = tn_str_from_offset(payload, 2);
		if (!may_be_sent(code))
			return fault(reader, TN_WS_PROTOCOL_ERROR, ret, ret_code);
		if (!tn_utf8_valid(payload.data, payload.size))
			return fault(reader, TN_WS_BAD_TEXT, ret, ret_code);
	}
	reader->failed = true; /* nothing counts behind it */
	tn_buf_finish(&reader->parts);
	*ret = payload;
	*ret_code = (uint16_t)code;
	return TN_WS_CLOSE;
}

/* A frame of a message: TEXT or BINARY when it was the last, MORE when it was not. */
static enum tn_ws_event take_data(struct tn_ws_reader *reader, const struct frame *frame,
				  struct tn_str payload, struct tn_str *ret, uint16_t *ret_code)
{
	bool whole = frame->final && !reader->in_message;

	if (!reader->in_message)
		reader->is_binary = frame->opcode == TN_WS_OP_BINARY;
	if (!whole) {
		tn_buf_append_str(&reader->parts, payload);
		if (reader->parts.failed)
			return fault(reader, TN_WS_INTERNAL, ret, ret_code);
		payload = tn_buf_str(&reader->parts);
	}
	reader->in_message = !frame->final;
	if (!frame->final)
		return TN_WS_MORE;
	if (!reader->is_binary && !tn_utf8_valid(payload.data, payload.size))
		return fault(reader, TN_WS_BAD_TEXT, ret, ret_code);
	*ret = payload;
	return reader->is_binary ? TN_WS_BINARY : TN_WS_TEXT;
}

enum tn_ws_event tn_ws_read(struct tn_ws_reader *reader, char *data, size_t size,
			    struct tn_str *ret, uint16_t *ret_code)
{
	enum tn_ws_event event = TN_WS_MORE;

	if (!reader->in_message)
		tn_buf_finish(&reader->parts); /* a message that was handed out */
	if (reader->failed)
		reader->consumed = size;
	while (event == TN_WS_MORE && reader->consumed < size) {
		char *at = data + reader->consumed;
		size_t have = size - reader->consumed;
		struct frame frame;
		struct tn_str payload;
		unsigned code = read_head(reader, at, have, &frame);

		if (code)
			return fault(reader, code, ret, ret_code);
		if (frame.head == 0 || have - frame.head < frame.size)
			break;
		if (frame.mask)
			tn_ws_mask(at + frame.head, frame.size, frame.mask);
		reader->consumed += frame.head + frame.size;
		payload = *ret = tn_str(at + frame.head, frame.size);
		if (frame.opcode == TN_WS_OP_CLOSE)
			event = take_close(reader, payload, ret, ret_code);
		else if (frame.opcode & CONTROL)
			event = frame.opcode == TN_WS_OP_PING ? TN_WS_PING : TN_WS_PONG;
		else
			event = take_data(reader, &frame, payload, ret, ret_code);
	}
	return event;
}

/* ---- writing ---- */

size_t tn_ws_write_head(char out[TN_WS_HEAD_MAX], enum tn_ws_opcode opcode, size_t size,
			const unsigned char *mask)
{
	unsigned char *at = (unsigned char *)out;
	unsigned char masked = mask ? MASKED : 0;
	size_t bytes = size <= CONTROL_MAX ? 0 : size <= UINT16_MAX ? 2 : 8;

	at[0] = (unsigned char)(FINAL | opcode);
	at[1] = (unsigned char)(masked | (bytes == 0   ? size
					  : bytes == 2 ? (size_t)SIZE_16
						       : (size_t)SIZE_64));
	for (size_t i = 0; i < bytes; i++)
		at[2 + i] = (unsigned char)((uint64_t)size >> (8 * (bytes - 1 - i)));
	if (mask)
		memcpy(at + 2 + bytes, mask, MASK_BYTES);
	return 2 + bytes + (mask ? MASK_BYTES : 0);
}
