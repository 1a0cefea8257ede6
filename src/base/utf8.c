#include "base/utf8.h"

static bool continues(unsigned char byte)
{
	return (byte & 0xC0) == 0x80;
}

size_t tn_utf8_decode(const char *data, size_t size, uint32_t *ret_code)
{
	const unsigned char *s = (const unsigned char *)data;

	if (s[0] < 0x80) {
		*ret_code = s[0];
		return 1;
	}
	if (s[0] >= 0xC2 && s[0] <= 0xDF && size >= 2 && continues(s[1])) {
		*ret_code = (uint32_t)(s[0] & 0x1F) << 6 | (s[1] & 0x3Fu);
		return 2;
	}
	if ((s[0] & 0xF0) == 0xE0 && size >= 3 && continues(s[1]) && continues(s[2])) {
		uint32_t code = (uint32_t)(s[0] & 0x0F) << 12 | (uint32_t)(s[1] & 0x3F) << 6 |
				(s[2] & 0x3Fu);

		if (code < 0x800 || (code >= 0xD800 && code <= 0xDFFF))
			return 0;
		*ret_code = code;
		return 3;
	}
	if (s[0] >= 0xF0 && s[0] <= 0xF4 && size >= 4 && continues(s[1]) && continues(s[2]) &&
	    continues(s[3])) {
		uint32_t code = (uint32_t)(s[0] & 0x07) << 18 | (uint32_t)(s[1] & 0x3F) << 12 |
				(uint32_t)(s[2] & 0x3F) << 6 | (s[3] & 0x3Fu);

		if (code < 0x10000 || code > 0x10FFFF)
			return 0;
		*ret_code = code;
		return 4;
	}
	return 0;
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
