#include "jsonrpc/json_pointer.h"

void tn_json_pointer_push(struct tn_buf *pointer, struct tn_str token)
{
	tn_buf_append_byte(pointer, '/');
	for (size_t i = 0; i < token.size; i++) {
		if (token.data[i] == '~')
			tn_buf_append_text(pointer, "~0");
		else if (token.data[i] == '/')
			tn_buf_append_text(pointer, "~1");
		else
			tn_buf_append_byte(pointer, token.data[i]);
	}
}

void tn_json_pointer_push_index(struct tn_buf *pointer, size_t index)
{
	tn_buf_append_byte(pointer, '/');
	tn_buf_append_uint(pointer, index);
}

bool tn_json_pointer_take(struct tn_str *rest, char *out, struct tn_str *ret_token)
{
	size_t at = 1, size = 0;

	if (!rest->size || rest->data[0] != '/')
		return false;
	for (; at < rest->size && rest->data[at] != '/'; at++) {
		char c = rest->data[at];

		if (c == '~') {
			at++;
			if (at == rest->size || (rest->data[at] != '0' && rest->data[at] != '1'))
				return false;
			c = rest->data[at] == '0' ? '~' : '/';
		}
		out[size++] = c;
	}
	*ret_token = tn_str(out, size);
	*rest = tn_str_from_offset(*rest, at);
	return true;
}
