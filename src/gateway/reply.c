/* What the gateway answers by itself. */
#include "gateway/internal.h"
#include "transport/http_response.h"

void tn_gateway_answer_with(struct tn_gateway_connection *c, struct tn_str lines, unsigned status,
			    const char *type, struct tn_str body)
{
	struct tn_buf *out = &c->client.out;

	tn_buf_format(out,
		      "HTTP/1.1 %u %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		      "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
		      "Cross-Origin-Resource-Policy: same-origin\r\n",
		      status, tn_http_reason(status), type, body.size);
	tn_buf_append_str(out, lines);
	tn_buf_append_text(out, "Connection: close\r\n\r\n");
	if (!c->head_only)
		tn_buf_append_str(out, body);
	tn_gateway_end_turn(c);
	c->answered = true;
	c->phase = out->failed ? TN_GATEWAY_DEAD : TN_GATEWAY_ENDING;
}

void tn_gateway_answer(struct tn_gateway_connection *c, unsigned status, const char *type,
		       struct tn_str body)
{
	tn_gateway_answer_with(c, tn_str("", 0), status, type, body);
}

void tn_gateway_say(struct tn_gateway_connection *c, unsigned status, const char *sentence)
{
	tn_gateway_answer(c, status, "text/plain; charset=utf-8", tn_str_from(sentence));
}
