#include "jsonrpc/json_write.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/base64.h"
#include "base/size.h"
#include "base/utf8.h"

static bool comma_due(const struct tn_buf *out)
{
	char last;

	if (out->size == 0)
		return false;
	last = out->data[out->size - 1];
	return last != '{' && last != '[' && last != ':' && last != ',' && last != '\n';
}

/* Room for a comma, if one is due (it is written), and `size` bytes more; returns where these go,
 * or NULL when the buffer refused. finish() then takes the end of what was written. One question to
 * the buffer for a whole value: this is where writing spends its time. */
static inline char *start(struct tn_buf *out, size_t size)
{
	bool comma = comma_due(out);
	size_t wanted;

	if (!tn_size_add(size, comma, &wanted))
		wanted = SIZE_MAX;
	if ((out->failed || out->capacity - out->size < wanted) && !tn_buf_reserve(out, wanted))
		return NULL;
	if (comma)
		out->data[out->size++] = ',';
	return out->data ? out->data + out->size : NULL; /* NULL: nothing was asked for */
}

static inline void finish(struct tn_buf *out, const char *end)
{
	out->size = (size_t)(end - out->data);
}

static inline char *copy(char *to, const char *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
	return to + size;
}

static void put_byte(struct tn_buf *out, char byte)
{
	char *at = start(out, 1);

	if (!at)
		return;
	*at = byte;
	finish(out, at + 1);
}

void tn_json_begin_object(struct tn_buf *out)
{
	put_byte(out, '{');
}

void tn_json_end_object(struct tn_buf *out)
{
	tn_buf_append_byte(out, '}');
}

void tn_json_begin_array(struct tn_buf *out)
{
	put_byte(out, '[');
}

void tn_json_end_array(struct tn_buf *out)
{
	tn_buf_append_byte(out, ']');
}

void tn_json_put_key(struct tn_buf *out, const char *key)
{
	size_t size = strlen(key);
	char *at = start(out, size + 3);

	if (!at)
		return;
	*at++ = '"';
	at = copy(at, key, size);
	*at++ = '"';
	*at++ = ':';
	finish(out, at);
}

void tn_json_put_key_str(struct tn_buf *out, struct tn_str key)
{
	tn_json_put_str(out, key);
	tn_buf_append_byte(out, ':');
}

/* ---- strings ---- */

static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && (unsigned char)c < 0x80 && c != '"' && c != '\\';
}

/* Copies the run of bytes that may stand as they are (ASCII without escapes) and returns its
 * length. There is room for `size` bytes, all of which may be written to: looking and copying is
 * one pass.
 */
static size_t copy_plain(char *to, const char *from, size_t size)
{
	size_t at = 0;

#if defined(__SSE2__)
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');

	for (; size - at >= 16; at += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + at));
		__m128i stop =
			_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash));
		unsigned mask;

		/* Signed compare: bytes above 0x7F are negative and stop the run as well. */
		stop = _mm_or_si128(stop, _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)));
		_mm_storeu_si128((__m128i *)(void *)(to + at), bytes);
		mask = (unsigned)_mm_movemask_epi8(stop);
		if (mask)
			return at + (unsigned)__builtin_ctz(mask);
	}
#endif
	for (; at < size && is_plain(from[at]); at++)
		to[at] = from[at];
	return at;
}

static void put_control(struct tn_buf *out, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

	switch (c) {
	case '"':
		tn_buf_append(out, "\\\"", 2);
		break;
	case '\\':
		tn_buf_append(out, "\\\\", 2);
		break;
	case '\n':
		tn_buf_append(out, "\\n", 2);
		break;
	case '\r':
		tn_buf_append(out, "\\r", 2);
		break;
	case '\t':
		tn_buf_append(out, "\\t", 2);
		break;
	default:
		tn_buf_append(out, escape, sizeof(escape));
	}
}

/* U+0085, U+2028 and their like are plain letters to JSON; but models are given JSON as text, and
 * there they would begin a line, or turn what follows. An escape says the same. */
static bool is_escaped(char lead, uint32_t code)
{
	return (lead == '\xC2' || lead == '\xD8' || lead == '\xE2' || lead == '\xF3') &&
	       tn_utf8_look(code) >= TN_UTF8_TURN;
}

static void put_escape(struct tn_buf *out, uint32_t code)
{
	if (code > 0xFFFF) { /* two surrogates */
		tn_buf_format(out, "\\u%04x", (unsigned)(0xD7C0 + (code >> 10)));
		code = 0xDC00 | (code & 0x3FF);
	}
	tn_buf_format(out, "\\u%04x", (unsigned)code);
}

static size_t put_high(struct tn_buf *out, const char *at, size_t size)
{
	uint32_t code;
	size_t length = tn_utf8_decode(at, size, &code);

	if (length == 0) {
		tn_buf_append(out, "\xEF\xBF\xBD", 3);
		return 1;
	}
	if (is_escaped(*at, code))
		put_escape(out, code);
	else
		tn_buf_append(out, at, length);
	return length;
}

void tn_json_put_escaped(struct tn_buf *out, struct tn_str text)
{
	const char *at = text.data, *end = text.size > 0 ? at + text.size : at;

	while (at < end && tn_buf_reserve(out, (size_t)(end - at))) {
		const size_t run = copy_plain(out->data + out->size, at, (size_t)(end - at));

		out->size += run;
		at += run;
		if (at == end)
			break;
		if ((unsigned char)*at >= 0x80)
			at += put_high(out, at, (size_t)(end - at));
		else
			put_control(out, (unsigned char)*at++);
	}
}

void tn_json_put_str(struct tn_buf *out, struct tn_str value)
{
	size_t wanted, plain;
	char *at = start(out, tn_size_add(value.size, 2, &wanted) ? wanted : SIZE_MAX);

	if (!at)
		return;
	*at++ = '"';
	plain = copy_plain(at, value.data, value.size);
	finish(out, at + plain);
	if (plain < value.size)
		tn_json_put_escaped(out, tn_str_from_offset(value, plain));
	tn_buf_append_byte(out, '"');
}

void tn_json_put_text(struct tn_buf *out, const char *value)
{
	if (value)
		tn_json_put_str(out, tn_str_from(value));
	else
		tn_json_put_null(out);
}

/* ---- other values ---- */

void tn_json_put_int(struct tn_buf *out, int64_t value)
{
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char digits[24];
	size_t first = sizeof(digits);
	char *at;

	do {
		digits[--first] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--first] = '-';
	at = start(out, sizeof(digits) - first);
	if (at)
		finish(out, copy(at, digits + first, sizeof(digits) - first));
}

enum { NUMBER_SIZE = 40 };

static bool is_whole(double value)
{
	return value == floor(value) && fabs(value) < 1e15;
}

/* 15 digits always survive, except in the subnormal numbers, which have fewer. */
static struct tn_str shortest_of(double value, char digits[NUMBER_SIZE])
{
	for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
		(void)snprintf(digits, NUMBER_SIZE, "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	return tn_str_from(digits);
}

void tn_json_put_double(struct tn_buf *out, double value)
{
	char digits[NUMBER_SIZE];

	if (!isfinite(value))
		tn_json_put_null(out);
	else if (is_whole(value))
		tn_json_put_int(out, (int64_t)value);
	else
		tn_json_put_raw(out, shortest_of(value, digits));
}

void tn_json_append_double(struct tn_buf *text, double value)
{
	char digits[NUMBER_SIZE];

	if (!isfinite(value))
		tn_buf_append_text(text, "null");
	else if (is_whole(value))
		tn_buf_format(text, "%lld", (long long)value);
	else
		tn_buf_append_str(text, shortest_of(value, digits));
}

void tn_json_put_bool(struct tn_buf *out, bool value)
{
	tn_json_put_raw(out, value ? TN_STR("true") : TN_STR("false"));
}

void tn_json_put_null(struct tn_buf *out)
{
	tn_json_put_raw(out, TN_STR("null"));
}

void tn_json_put_raw(struct tn_buf *out, struct tn_str json)
{
	char *at = start(out, json.size);

	if (at)
		finish(out, copy(at, json.data, json.size));
}

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

void tn_json_put_foreign(struct tn_buf *out, struct tn_str json)
{
	const char *end = json.data + json.size;
	char *at;

	if (!json.size ||
	    (!memchr(json.data, '\n', json.size) && !memchr(json.data, '\r', json.size))) {
		tn_json_put_raw(out, json);
		return;
	}
	at = start(out, json.size);
	if (!at)
		return;
	/* No string holds a raw line break, so what is left out here is white space. */
	for (const char *from = json.data; from < end; from++) {
		if (!is_break(*from))
			*at++ = *from;
	}
	finish(out, at);
}

void tn_json_put_base64(struct tn_buf *out, const void *data, size_t size)
{
	put_byte(out, '"');
	tn_base64_append(out, data, size);
	tn_buf_append_byte(out, '"');
}

static void put_children(struct tn_buf *out, const struct tn_json *container)
{
	for (const struct tn_json *child = container->first; child; child = child->next) {
		if (container->type == TN_JSON_OBJECT)
			tn_json_put_key_str(out, child->key);
		tn_json_put_value(out, child);
	}
}

/* Recursion is bounded by TN_JSON_DEPTH_MAX, which every tree was read under. */
void tn_json_put_value(struct tn_buf *out, const struct tn_json *value)
{
	switch (value ? value->type : TN_JSON_NULL) {
	case TN_JSON_NULL:
		tn_json_put_null(out);
		break;
	case TN_JSON_FALSE:
	case TN_JSON_TRUE:
		tn_json_put_bool(out, value->type == TN_JSON_TRUE);
		break;
	case TN_JSON_NUMBER:
		tn_json_put_raw(out, value->text);
		break;
	case TN_JSON_STRING:
		tn_json_put_str(out, value->text);
		break;
	case TN_JSON_ARRAY:
		tn_json_begin_array(out);
		put_children(out, value);
		tn_json_end_array(out);
		break;
	case TN_JSON_OBJECT:
		tn_json_begin_object(out);
		put_children(out, value);
		tn_json_end_object(out);
		break;
	}
}

void tn_json_put_member_str(struct tn_buf *out, const char *key, struct tn_str value)
{
	tn_json_put_key(out, key);
	tn_json_put_str(out, value);
}

void tn_json_put_member_text(struct tn_buf *out, const char *key, const char *value)
{
	tn_json_put_key(out, key);
	tn_json_put_text(out, value);
}

void tn_json_put_member_int(struct tn_buf *out, const char *key, int64_t value)
{
	tn_json_put_key(out, key);
	tn_json_put_int(out, value);
}

void tn_json_put_member_bool(struct tn_buf *out, const char *key, bool value)
{
	tn_json_put_key(out, key);
	tn_json_put_bool(out, value);
}

void tn_json_put_member_null(struct tn_buf *out, const char *key)
{
	tn_json_put_key(out, key);
	tn_json_put_null(out);
}

void tn_json_put_member_raw(struct tn_buf *out, const char *key, struct tn_str json)
{
	tn_json_put_key(out, key);
	tn_json_put_raw(out, json);
}

void tn_json_put_member_foreign(struct tn_buf *out, const char *key, struct tn_str json)
{
	tn_json_put_key(out, key);
	tn_json_put_foreign(out, json);
}
