#include "base/utf8.h"

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
