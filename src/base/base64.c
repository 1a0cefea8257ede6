#include "base/base64.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void tn_base64_encode(char *out, const void *data, size_t size)
{
	const unsigned char *s = data;

	for (; size >= 3; size -= 3, s += 3, out += 4) {
		out[0] = alphabet[s[0] >> 2];
		out[1] = alphabet[(s[0] & 3) << 4 | s[1] >> 4];
		out[2] = alphabet[(s[1] & 15) << 2 | s[2] >> 6];
		out[3] = alphabet[s[2] & 63];
	}
	if (size) {
		out[0] = alphabet[s[0] >> 2];
		out[1] = alphabet[(s[0] & 3) << 4 | (size == 2 ? s[1] >> 4 : 0)];
		out[2] = size == 2 ? alphabet[(s[1] & 15) << 2] : '=';
		out[3] = '=';
	}
}

void tn_base64_append(struct tn_buf *out, const void *data, size_t size)
{
	/* What is too large to be computed is too large for the buffer as well. */
	size_t digits = size > SIZE_MAX / 2 ? SIZE_MAX : (size + 2) / 3 * 4;

	if (size == 0 || !tn_buf_reserve(out, digits))
		return;
	tn_base64_encode(out->data + out->size, data, size);
	out->size += digits;
}

static int value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* One group of four; returns the bytes written (1 to 3), or 0 when the group is malformed. */
static size_t decode_group(const char *in, bool last, char *out)
{
	int v[4];
	size_t digits = 4;

	while (last && digits > 2 && in[digits - 1] == '=')
		digits--;
	for (size_t i = 0; i < 4; i++) {
		v[i] = i < digits ? value_of(in[i]) : 0;
		if (v[i] < 0)
			return 0;
	}
	if ((digits == 2 && (v[1] & 15)) || (digits == 3 && (v[2] & 3)))
		return 0; /* bits that no encoder writes */
	out[0] = (char)(v[0] << 2 | v[1] >> 4);
	if (digits > 2)
		out[1] = (char)((v[1] & 15) << 4 | v[2] >> 2);
	if (digits > 3)
		out[2] = (char)((v[2] & 3) << 6 | v[3]);
	return digits - 1;
}

bool tn_base64_decode(struct tn_arena *arena, struct tn_str text, struct tn_str *ret_bytes)
{
	char *out;
	size_t at = 0;

	if (text.size % 4)
		return false;
	out = tn_arena_alloc_raw(arena, text.size / 4 * 3 + 1);
	if (!out)
		return false;
	for (size_t i = 0; i < text.size; i += 4) {
		size_t wrote = decode_group(text.data + i, i + 4 == text.size, out + at);

		if (wrote == 0)
			return false;
		at += wrote;
	}
	*ret_bytes = tn_str(out, at);
	return true;
}
