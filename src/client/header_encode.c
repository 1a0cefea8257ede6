/* MCP-121: text as the value of a header of ours. */
#include "base/base64.h"
#include "client/wire.h"

static bool is_plain(struct tn_str text)
{
	if (text.size && (text.data[0] == ' ' || text.data[text.size - 1] == ' '))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] < 0x20 || text.data[i] > 0x7E)
			return false;
	}
	return !(tn_str_starts(text, TN_STR("=?base64?")) && tn_str_ends(text, TN_STR("?=")));
}

void tn_header_encode(struct tn_str text, struct tn_buf *out)
{
	if (is_plain(text)) {
		tn_buf_append_str(out, text);
		return;
	}
	tn_buf_append_text(out, "=?base64?");
	tn_base64_append(out, text.data, text.size);
	tn_buf_append_text(out, "?=");
}
