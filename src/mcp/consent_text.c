#include "mcp/consent_text.h"

#include "base/size.h"
#include "base/utf8.h"

static const struct {
	uint32_t first, last;
} hidden[] = {
	{0x80, 0x9F},       /* C1 */
	{0xAD, 0xAD},       /* soft hyphen */
	{0x34F, 0x34F},     /* grapheme joiner */
	{0x61C, 0x61C},     /* Arabic letter mark */
	{0x115F, 0x1160},   /* Hangul fillers */
	{0x17B4, 0x17B5},   /* invisible vowels */
	{0x180B, 0x180F},   /* Mongolian selectors */
	{0x200B, 0x200F},   /* zero width, marks of direction */
	{0x2028, 0x202E},   /* separators, embeddings, overrides */
	{0x2060, 0x206F},   /* joiners, isolates */
	{0x3164, 0x3164},   /* Hangul filler */
	{0xFE00, 0xFE0F},   /* variation selectors */
	{0xFEFF, 0xFEFF},   /* byte order mark */
	{0xFFA0, 0xFFA0},   /* half-width filler */
	{0xFFF0, 0xFFFB},   /* annotations */
	{0x1BCA0, 0x1BCA3}, /* shorthand controls */
	{0x1D173, 0x1D17A}, /* musical controls */
	{0xE0000, 0xE0FFF}, /* tags */
};

static bool is_hidden(uint32_t code)
{
	for (size_t i = 0; i < TN_COUNT(hidden); i++) {
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	}
	return false;
}

/* One character as it is shown; C0 and DEL as Unicode's pictures of them. */
static void put_one(struct tn_buf *out, uint32_t code, bool lines)
{
	char bytes[TN_UTF8_BYTES_MAX];

	if (code == '\n' || code == '\t') {
		if (lines) {
			tn_buf_append_byte(out, (char)code);
			return;
		}
	}
	if (is_hidden(code)) {
		tn_buf_format(out, "<U+%04X>", (unsigned)code);
		return;
	}
	if (code < 0x20)
		code += 0x2400;
	else if (code == 0x7F)
		code = 0x2421;
	tn_buf_append(out, bytes, tn_utf8_encode(code, bytes));
}

void tn_consent_text_put(struct tn_buf *out, struct tn_str text, size_t max, bool lines)
{
	size_t at = 0, start = out->size;

	while (at < text.size && out->size - start < max) {
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		put_one(out, code, lines);
		at += size ? size : 1;
	}
	if (at < text.size)
		tn_buf_format(out, " [... %zu more bytes, not shown]", text.size - at);
}
