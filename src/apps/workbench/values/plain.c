#include "apps/workbench/values/plain.h"

#include "apps/workbench/limits.h"
#include "base/mem.h"

/* Behind the first byte that is not between the two. */
static size_t skip_between(struct tn_str text, size_t at, char first, char last)
{
	while (at < text.size && text.data[at] >= first && text.data[at] <= last)
		at++;
	return at < text.size ? at + 1 : at;
}

/* Behind BEL or ESC \. */
static size_t skip_string(struct tn_str text, size_t at)
{
	while (at < text.size && text.data[at] != '\a' && text.data[at] != '\033')
		at++;
	if (at + 1 < text.size && text.data[at] == '\033')
		at++;
	return at < text.size ? at + 1 : at;
}

/* Where a sequence that begins with ESC ends (ECMA-48): CSI up to its final byte, OSC and the like
 * up to their terminator, others up to the byte behind their intermediate ones. */
static size_t skip_sequence(struct tn_str text, size_t at)
{
	char kind = at + 1 < text.size ? text.data[at + 1] : '\0';

	at += 2;
	if (kind >= ' ' && kind <= '/')
		return skip_between(text, at, ' ', '/');
	if (kind == '[')
		return skip_between(text, at, ' ', '?');
	if (kind == ']' || kind == 'P' || kind == '^' || kind == '_' || kind == 'X')
		return skip_string(text, at);
	return at;
}

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

char *tn_wb_plain_copy(struct tn_str text)
{
	char *out = tn_mem_alloc(
		(text.size < TN_WB_TEXT_BYTES_MAX ? text.size : TN_WB_TEXT_BYTES_MAX) + 1);
	size_t size = 0, at = 0;

	if (!out)
		return NULL;
	while (at < text.size && size < TN_WB_TEXT_BYTES_MAX) {
		unsigned char c = (unsigned char)text.data[at];

		if (c == '\033') {
			at = skip_sequence(text, at);
			continue;
		}
		at++;
		if ((c >= 0x20 && c != 0x7F) || c == '\t' || c == '\n')
			out[size++] = (char)c;
	}
	if (at < text.size && is_continuation(text.data[at])) { /* no half of a character */
		while (size > 0 && is_continuation(out[size - 1]))
			size--;
		size -= size > 0;
	}
	out[size] = '\0';
	return out;
}
