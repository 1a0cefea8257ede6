#include "transport/sse.h"

static void put_line(struct tn_buf *out, struct tn_str field, struct tn_str value)
{
	size_t from;

	tn_buf_append_str(out, field);
	from = out->size;
	tn_buf_append_str(out, value);
	if (out->failed)
		return;
	for (char *at = out->data + from; at < out->data + out->size; at++) {
		if (*at == '\r' || *at == '\n' || *at == '\0')
			*at = ' ';
	}
	tn_buf_append_byte(out, '\n');
}

void tn_sse_put_prefix(struct tn_buf *out, const struct tn_http_event *event)
{
	if (event->id.data)
		put_line(out, TN_STR("id: "), event->id);
	if (event->name.data)
		put_line(out, TN_STR("event: "), event->name);
	if (event->data_count)
		tn_buf_append_str(out, TN_STR("data: "));
	else
		tn_buf_append_str(out, TN_STR("data:"));
}
