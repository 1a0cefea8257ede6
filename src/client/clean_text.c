/* MCP-287: what a server wrote, made safe for a terminal. */
#include "base/utf8.h"
#include "client/client.h"

/* Control characters of both sets, and those that change the direction or the look of the text
 * around them, which is how a line can be made to read as another. */
static bool is_hidden(uint32_t code)
{
	return code != '\t' && code != '\n' && tn_utf8_look(code) >= TN_UTF8_NO_SIZE;
}

/* Behind the sequence that ESC (or its one-character form) begins; an unfinished one ends with the
 * text. ECMA-48: CSI ... final byte; OSC and its kin up to BEL or ST; else one or two bytes. */
static struct tn_str skip_sequence(struct tn_str text, char kind)
{
	size_t at = 0;

	if (kind == '[') {
		while (at < text.size && text.data[at] >= 0x20 && text.data[at] <= 0x3F)
			at++;
		return tn_str_from_offset(text, at + 1);
	}
	if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
		for (; at < text.size; at++) {
			if (text.data[at] == '\a')
				return tn_str_from_offset(text, at + 1);
			if (text.data[at] == 0x1B)
				return tn_str_from_offset(text, at + 2); /* ESC backslash */
		}
		return tn_str("", 0);
	}
	if (kind >= 0x20 && kind <= 0x2F) /* one more byte, as in "ESC ( B" */
		return tn_str_from_offset(text, 1);
	return text;
}

static struct tn_str skip_hidden(struct tn_str rest, uint32_t code, size_t size)
{
	/* The one-character forms of CSI, DCS, SOS, OSC, PM and APC. */
	static const uint32_t forms[] = {0x9B, 0x90, 0x98, 0x9D, 0x9E, 0x9F};
	static const char kinds[] = "[PX]^_";

	rest = tn_str_from_offset(rest, size);
	if (code == 0x1B && rest.size)
		return skip_sequence(tn_str_from_offset(rest, 1), rest.data[0]);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (code == forms[i])
			return skip_sequence(rest, kinds[i]);
	}
	return rest;
}

void tenon_client_clean_text(const char *text, char *out, size_t size)
{
	struct tn_str rest = tn_str_from(text);
	size_t used = 0;

	if (size == 0)
		return;
	while (rest.size) {
		char bytes[TN_UTF8_BYTES_MAX];
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t length = tn_utf8_decode(rest.data, rest.size, &code);
		size_t written;

		if (length == 0)
			length = 1; /* a byte that is no text is shown as such */
		if (is_hidden(code)) {
			rest = skip_hidden(rest, code, length);
			continue;
		}
		written = tn_utf8_encode(code, bytes);
		if (used + written + 1 > size)
			break;
		memcpy(out + used, bytes, written);
		used += written;
		rest = tn_str_from_offset(rest, length);
	}
	out[used] = '\0';
}

void tn_sentence_clean(const char *text, struct tenon_error *ret)
{
	tenon_client_clean_text(text, ret->message, sizeof(ret->message));
	for (char *at = ret->message; *at; at++) {
		if (*at == '\n' || *at == '\t')
			*at = ' '; /* it begins no line of its own in somebody's log */
	}
}
