#include "base/utf8.h"

#include "base/size.h"

#include <string.h>

static bool continues(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

/* Of the form the lead byte announces; 0: a byte that cannot lead. */
static size_t length_of(unsigned char lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xC2) /* a continuation, or an overlong form */
		return 0;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

static bool is_scalar(uint32_t code, size_t length)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	return code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

size_t tn_utf8_decode(const char *data, size_t size, uint32_t *ret_code)
{
	const unsigned char *s = (const unsigned char *)data;
	size_t length = length_of(s[0]);
	uint32_t code;

	if (length <= 1) {
		if (length)
			*ret_code = s[0];
		return length;
	}
	if (length > size)
		return 0;
	code = s[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (!continues(s[i]))
			return 0;
		code = code << 6 | (s[i] & 0x3Fu);
	}
	if (!is_scalar(code, length))
		return 0;
	*ret_code = code;
	return length;
}

bool tn_utf8_valid(const char *data, size_t size)
{
	size_t at = 0;

	while (at < size) {
		uint64_t word;
		uint32_t code;
		size_t length;

		/* Eight ASCII bytes at a time: most text is nothing else. */
		while (size - at >= sizeof(word)) {
			memcpy(&word, data + at, sizeof(word));
			if (word & UINT64_C(0x8080808080808080))
				break;
			at += sizeof(word);
		}
		if (at == size)
			break;
		length = tn_utf8_decode(data + at, size - at, &code);
		if (length == 0)
			return false;
		at += length;
	}
	return true;
}

size_t tn_utf8_encode(uint32_t code, char out[TN_UTF8_BYTES_MAX])
{
	if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
		code = TN_UTF8_REPLACEMENT;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3F));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3F));
		out[2] = (char)(0x80 | (code & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3F));
	out[2] = (char)(0x80 | (code >> 6 & 0x3F));
	out[3] = (char)(0x80 | (code & 0x3F));
	return 4;
}

struct tn_str tn_utf8_cut(struct tn_str text, size_t max)
{
	if (text.size <= max)
		return text;
	while (max > 0 && continues((unsigned char)text.data[max]))
		max--;
	return tn_str(text.data, max);
}

enum tn_utf8_look tn_utf8_look(uint32_t code)
{
	static const struct {
		uint32_t first, last;
		enum tn_utf8_look look;
	} ranges[] = {
		{0x00, 0x09, TN_UTF8_CONTROL},      {0x0A, 0x0D, TN_UTF8_BREAK},
		{0x0E, 0x1F, TN_UTF8_CONTROL},      {0x7F, 0x84, TN_UTF8_CONTROL},
		{0x85, 0x85, TN_UTF8_BREAK},        {0x86, 0x9F, TN_UTF8_CONTROL},
		{0xAD, 0xAD, TN_UTF8_NO_SIZE},      {0x34F, 0x34F, TN_UTF8_FILLER},
		{0x61C, 0x61C, TN_UTF8_TURN},       {0x115F, 0x1160, TN_UTF8_FILLER},
		{0x17B4, 0x17B5, TN_UTF8_FILLER},   {0x180B, 0x180F, TN_UTF8_FILLER},
		{0x200B, 0x200D, TN_UTF8_NO_SIZE},  {0x200E, 0x200F, TN_UTF8_TURN},
		{0x2028, 0x2029, TN_UTF8_BREAK},    {0x202A, 0x202E, TN_UTF8_TURN},
		{0x2060, 0x2065, TN_UTF8_NO_SIZE},  {0x2066, 0x2069, TN_UTF8_TURN},
		{0x206A, 0x206F, TN_UTF8_NO_SIZE},  {0x3164, 0x3164, TN_UTF8_FILLER},
		{0xFE00, 0xFE0F, TN_UTF8_FILLER},   {0xFEFF, 0xFEFF, TN_UTF8_NO_SIZE},
		{0xFFA0, 0xFFA0, TN_UTF8_FILLER},   {0xFFF0, 0xFFF8, TN_UTF8_FILLER},
		{0xFFF9, 0xFFFB, TN_UTF8_NO_SIZE},  {0x1BCA0, 0x1BCA3, TN_UTF8_FILLER},
		{0x1D173, 0x1D17A, TN_UTF8_FILLER}, {0xE0000, 0xE007F, TN_UTF8_TURN},
		{0xE0080, 0xE0FFF, TN_UTF8_FILLER},
	};

	if (code >= 0x20 && code < 0x7F)
		return TN_UTF8_SEEN;
	for (size_t i = 0; i < TN_COUNT(ranges) && code >= ranges[i].first; i++) {
		if (code <= ranges[i].last)
			return ranges[i].look;
	}
	return TN_UTF8_SEEN;
}

/* Bytes that are no UTF-8 stay. */
static void make_blank(char *text, size_t size, const char *but)
{
	size_t length;

	for (size_t at = 0; at < size; at += length ? length : 1) {
		uint32_t code = TN_UTF8_REPLACEMENT;

		length = tn_utf8_decode(text + at, size - at, &code);
		if (tn_utf8_look(code) >= TN_UTF8_TURN &&
		    !(code && code < 0x80 && strchr(but, (int)code)))
			memset(text + at, ' ', length);
	}
}

void tn_utf8_one_line(char *text, size_t size)
{
	make_blank(text, size, "");
}

void tn_utf8_own_lines(char *text, size_t size)
{
	make_blank(text, size, "\n\t");
}

void tn_utf8_put_line(struct tn_buf *out, struct tn_str text)
{
	size_t from = out->size;

	tn_buf_append_str(out, text);
	if (out->size > from)
		tn_utf8_one_line(out->data + from, out->size - from);
}
