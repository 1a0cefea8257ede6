#include "transport/http_response.h"

#include <stdio.h>
#include <time.h>

#include "base/size.h"

static const struct {
	unsigned status;
	const char *reason;
} reasons[] = {
	{101, "Switching Protocols"},
	{200, "OK"},
	{202, "Accepted"},
	{204, "No Content"},
	{304, "Not Modified"},
	{400, "Bad Request"},
	{401, "Unauthorized"},
	{403, "Forbidden"},
	{404, "Not Found"},
	{405, "Method Not Allowed"},
	{406, "Not Acceptable"},
	{408, "Request Timeout"},
	{409, "Conflict"},
	{413, "Content Too Large"},
	{414, "URI Too Long"},
	{415, "Unsupported Media Type"},
	{417, "Expectation Failed"},
	{426, "Upgrade Required"},
	{429, "Too Many Requests"},
	{431, "Request Header Fields Too Large"},
	{500, "Internal Server Error"},
	{501, "Not Implemented"},
	{503, "Service Unavailable"},
	{505, "HTTP Version Not Supported"},
};

const char *tn_http_reason(unsigned status)
{
	for (size_t i = 0; i < TN_COUNT(reasons); i++) {
		if (reasons[i].status == status)
			return reasons[i].reason;
	}
	return "Status"; /* the phrase means nothing to a client (RFC 9112 section 4) */
}

/* strftime would ask the locale. */
void tn_http_format_date(int64_t wall_ms, char out[TN_HTTP_DATE_SIZE])
{
	static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
					     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm t = {0};

	(void)gmtime_r(&seconds, &t); /* fails only for years that do not fit an int */
	(void)snprintf(out, TN_HTTP_DATE_SIZE, "%s, %02u %s %04u %02u:%02u:%02u GMT",
		       days[(unsigned)t.tm_wday % 7], (unsigned)t.tm_mday % 100,
		       months[(unsigned)t.tm_mon % 12], (unsigned)(t.tm_year + 1900) % 10000,
		       (unsigned)t.tm_hour % 100, (unsigned)t.tm_min % 100,
		       (unsigned)t.tm_sec % 100);
}

/* A value may repeat what a peer sent. A line end in it would begin a header of the peer's. */
static void put_value(struct tn_buf *out, struct tn_str value)
{
	size_t from = out->size;

	tn_buf_append_str(out, value);
	if (out->failed)
		return;
	for (char *at = out->data + from; at < out->data + out->size; at++) {
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = ' ';
	}
}

static void put_header(struct tn_buf *out, struct tn_str name, struct tn_str value)
{
	put_value(out, name);
	tn_buf_append_str(out, TN_STR(": "));
	put_value(out, value);
	tn_buf_append_str(out, TN_STR("\r\n"));
}

static void put_status_line(struct tn_buf *out, unsigned status)
{
	if (status == 200) { /* nearly always */
		tn_buf_append_str(out, TN_STR("HTTP/1.1 200 OK\r\n"));
		return;
	}
	tn_buf_append_str(out, TN_STR("HTTP/1.1 "));
	tn_buf_append_uint(out, status);
	tn_buf_append_byte(out, ' ');
	tn_buf_append_text(out, tn_http_reason(status));
	tn_buf_append_str(out, TN_STR("\r\n"));
}

void tn_http_put_head(struct tn_buf *out, const struct tn_http_head *head)
{
	const struct tn_http_reply *reply = head->reply;

	put_status_line(out, reply->status);
	tn_buf_append_str(out, TN_STR("Date: "));
	tn_buf_append(out, head->date, TN_HTTP_DATE_SIZE - 1);
	tn_buf_append_str(out, TN_STR("\r\n"));
	if (reply->type.size)
		put_header(out, TN_STR("Content-Type"), reply->type);
	for (size_t i = 0; i < reply->header_count; i++)
		put_header(out, reply->headers[i].name, reply->headers[i].value);
	tn_buf_append_str(out, head->lines);
	tn_buf_append_str(out, head->fixed);
	if (head->framing == TN_HTTP_UPGRADE)
		tn_buf_append_str(out, TN_STR("Connection: Upgrade\r\n"));
	else if (head->close)
		tn_buf_append_str(out, TN_STR("Connection: close\r\n"));
	if (head->framing == TN_HTTP_CHUNKED) {
		tn_buf_append_str(out, TN_STR("Transfer-Encoding: chunked\r\n"));
	} else if (head->framing == TN_HTTP_LENGTH) {
		tn_buf_append_str(out, TN_STR("Content-Length: "));
		tn_buf_append_uint(out, head->length);
		tn_buf_append_str(out, TN_STR("\r\n"));
	}
	tn_buf_append_str(out, TN_STR("\r\n"));
}
