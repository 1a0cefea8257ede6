/* http_parse.h - one HTTP/1.1 request out of bytes that arrive in any pieces. No I/O.
 *
 * What two programs could read differently is refused, not repaired: that is how requests are
 * smuggled past a proxy (RFC 9112 section 11.2). The caller keeps all bytes of one request in one
 * run of memory, which may move between calls: positions here are offsets into it.
 * Threads: one at a time. Nothing is allocated. */
#ifndef TN_TRANSPORT_HTTP_PARSE_H
#define TN_TRANSPORT_HTTP_PARSE_H

#include "transport/http.h"
#include "transport/limits.h"

struct tn_http_span {
	uint32_t at, size;
};

struct tn_http_field {
	struct tn_http_span name, value;
};

enum tn_http_progress {
	TN_HTTP_MORE,  /* not complete yet */
	TN_HTTP_READY, /* the head, or the whole request, is complete */
	TN_HTTP_FAULT  /* `status` and `fault` say why; the rest of the input is lost */
};

enum tn_http_state {
	TN_HTTP_AT_LINE,
	TN_HTTP_AT_HEADERS,
	TN_HTTP_AT_LENGTH, /* a body of known length */
	TN_HTTP_AT_CHUNK_SIZE,
	TN_HTTP_AT_CHUNK,
	TN_HTTP_AT_CHUNK_END,
	TN_HTTP_AT_TRAILERS,
	TN_HTTP_AT_END
};

struct tn_http_parser {
	const struct tn_http_limits *limits;
	enum tn_http_state state;
	size_t at;         /* everything before is parsed */
	size_t scanned;    /* no line ends between `at` and here */
	size_t section_at; /* where the header or trailer section begins */
	unsigned status;   /* of a fault */
	const char *fault; /* a static sentence */

	struct tn_http_span method, path, query, authority;
	bool has_query, has_authority;
	unsigned minor; /* HTTP/1.minor */
	unsigned hosts;
	struct tn_http_span host; /* value of the Host header */
	bool close;               /* the connection ends with this exchange */
	bool expect_continue;
	bool chunked, has_length;
	bool discard;     /* body bytes are counted, not kept */
	uint64_t length;  /* of the body, or left of the chunk */
	uint64_t taken;   /* body bytes seen so far */
	size_t extension; /* bytes of chunk extensions so far */
	size_t body_at, body_size;
	size_t header_count;
	struct tn_http_field headers[TN_HTTP_HEADERS_MAX];
};

void tn_http_parser_init(struct tn_http_parser *parser, const struct tn_http_limits *limits);

/* data[0..size): all bytes of the request so far, and perhaps more. READY: `body_at` is set. */
enum tn_http_progress tn_http_parse_head(struct tn_http_parser *parser, const char *data,
					 size_t size);

/* After the head is READY. Chunks are joined where they lie, so *size may shrink.
 * READY: the body is at body_at, the next request begins at `at`. */
enum tn_http_progress tn_http_parse_body(struct tn_http_parser *parser, char *data, size_t *size);

bool tn_http_is_token(struct tn_str text); /* RFC 9110 section 5.6.2, not empty */

#endif
