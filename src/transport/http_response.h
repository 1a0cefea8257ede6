/* http_response.h - status lines and header sections of answers, and the date they carry.
 * Threads: one at a time. */
#ifndef TN_TRANSPORT_HTTP_RESPONSE_H
#define TN_TRANSPORT_HTTP_RESPONSE_H

#include "transport/http.h"

const char *tn_http_reason(unsigned status); /* "Not Found"; never NULL */

/* "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 section 5.6.7). */
#define TN_HTTP_DATE_SIZE 30
void tn_http_format_date(int64_t wall_ms, char out[TN_HTTP_DATE_SIZE]);

enum tn_http_framing {
	TN_HTTP_NO_BODY, /* 204, 304 */
	TN_HTTP_LENGTH,
	TN_HTTP_CHUNKED,
	TN_HTTP_UNTIL_CLOSE, /* a stream to HTTP/1.0 */
	TN_HTTP_UPGRADE      /* 101: another protocol follows */
};

struct tn_http_head {
	const struct tn_http_reply *reply;
	enum tn_http_framing framing;
	size_t length;
	bool close;
	struct tn_str lines; /* further headers, each with its line end */
	struct tn_str fixed; /* likewise, the same for all answers */
	const char *date;    /* TN_HTTP_DATE_SIZE */
};

/* Appends everything up to and including the blank line. */
void tn_http_put_head(struct tn_buf *out, const struct tn_http_head *head);

#endif
