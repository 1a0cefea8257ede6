#include "mcp/consent_text.h"

#include "base/utf8.h"

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
	if (code > 0x7F && tn_utf8_look(code) != TN_UTF8_SEEN) {
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
