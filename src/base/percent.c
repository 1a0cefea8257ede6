#include "base/percent.h"

#include <string.h>

void tn_percent_put(struct tn_buf *out, struct tn_str text, const char *kept)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		const char escape[3] = {'%', digits[c >> 4], digits[c & 15]};

		if (tn_is_alpha((char)c) || tn_is_digit((char)c) ||
		    (c && (strchr("-._~", c) || strchr(kept, c))))
			tn_buf_append_byte(out, (char)c);
		else
			tn_buf_append(out, escape, sizeof(escape));
	}
}

static bool is_hex(char c)
{
	return tn_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool tn_percent_is_valid(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '%' &&
		    (text.size - i < 3 || !is_hex(text.data[i + 1]) || !is_hex(text.data[i + 2])))
			return false;
	}
	return true;
}
