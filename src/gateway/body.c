#include "gateway/body.h"

#include "gateway/limits.h"

enum {
	AT_SIZE,
	AT_EXTENSION,
	AT_SIZE_END,
	AT_DATA,
	AT_DATA_CR,
	AT_DATA_LF,
	AT_TRAILER,
	AT_TRAILER_LF
};

void tn_body_init(struct tn_body *body, enum tn_body_kind kind, uint64_t length)
{
	*body = (struct tn_body){.kind = kind, .left = length, .state = AT_SIZE};
	body->ended = kind == TN_BODY_NONE || (kind == TN_BODY_LENGTH && !length);
}

static int digit_of(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_size(struct tn_body *body, char c)
{
	int digit = digit_of(c);

	if (digit >= 0) {
		if (body->left >> 56)
			return false;
		body->left = body->left << 4 | (unsigned)digit;
		body->digits = true;
		return true;
	}
	if (!body->digits)
		return false;
	if (c == ';' || c == ' ' || c == '\t')
		body->state = AT_EXTENSION;
	else if (c == '\r')
		body->state = AT_SIZE_END;
	else
		return false;
	return true;
}

/* Trailers are passed on, and end with an empty line: none that ends for us alone, or for others.
 */
static bool take_trailer(struct tn_body *body, char c)
{
	if (body->state == AT_TRAILER && c == '\n')
		return false;
	if (body->state == AT_TRAILER_LF) {
		if (c != '\n')
			return false;
		body->ended = body->line == 2;
		body->line = 0;
		body->state = AT_TRAILER;
	} else if (c == '\r') {
		body->state = AT_TRAILER_LF;
	}
	return true;
}

/* One byte that is not data. */
static bool take_frame(struct tn_body *body, char c)
{
	if (++body->line > TN_GATEWAY_CHUNK_LINE_MAX && body->state < AT_TRAILER)
		return false;
	switch (body->state) {
	case AT_SIZE:
		return take_size(body, c);
	case AT_EXTENSION:
		if (c == '\r')
			body->state = AT_SIZE_END;
		return c != '\n';
	case AT_SIZE_END:
		body->state = body->left ? AT_DATA : AT_TRAILER;
		body->line = 0;
		body->digits = false;
		return c == '\n';
	case AT_DATA_CR:
		body->state = AT_DATA_LF;
		return c == '\r';
	case AT_DATA_LF:
		body->state = AT_SIZE;
		body->line = 0;
		return c == '\n';
	default:
		return body->line <= TN_GATEWAY_HEAD_MAX && take_trailer(body, c);
	}
}

static size_t take_data(struct tn_body *body, struct tn_str bytes, struct tn_str *ret_payload)
{
	size_t size = bytes.size;

	if (body->kind != TN_BODY_UNTIL_CLOSE && size > body->left)
		size = (size_t)body->left;
	if (body->kind != TN_BODY_UNTIL_CLOSE)
		body->left -= size;
	*ret_payload = tn_str(bytes.data, size);
	if (body->kind == TN_BODY_LENGTH)
		body->ended = !body->left;
	else if (body->kind == TN_BODY_CHUNKED && !body->left)
		body->state = AT_DATA_CR;
	return size;
}

size_t tn_body_take(struct tn_body *body, struct tn_str bytes, struct tn_str *ret_payload)
{
	size_t at = 0;

	*ret_payload = tn_str(bytes.data, 0);
	if (body->ended || body->fault || !bytes.size)
		return 0;
	if (body->kind != TN_BODY_CHUNKED || body->state == AT_DATA)
		return take_data(body, bytes, ret_payload);
	while (at < bytes.size && !body->ended && body->state != AT_DATA) {
		if (!take_frame(body, bytes.data[at++])) {
			body->fault = true;
			return at;
		}
	}
	return at;
}
