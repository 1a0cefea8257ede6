/* head.h - heads of requests and answers on their way through the gateway (workbench.md S16, S17).
 *
 * The head of a request was read by the strict parser; that of an answer is read here. Both are
 * written anew: what belongs to one connection stays behind (RFC 9110 section 7.6.1), every
 * exchange ends its connection. Ownership: slices point into the caller's bytes. Threads: any. */
#ifndef TN_GATEWAY_HEAD_H
#define TN_GATEWAY_HEAD_H

#include "base/buf.h"
#include "gateway/body.h"
#include "transport/http_parse.h"

struct tn_route {
	struct tn_str upstream_host;   /* "localhost:5173" */
	struct tn_str upstream_origin; /* "http://localhost:5173" */
	struct tn_str own_origin;      /* "http://127.0.0.1:40001" */
	struct tn_str channel;         /* "ws://127.0.0.1:40001" */
};

/* ---- requests ---- */

/* The first header of that name; NULL data: absent. `data` is what was parsed. */
struct tn_str tn_request_header(const struct tn_http_parser *parser, const char *data,
				const char *name);
size_t tn_request_count(const struct tn_http_parser *parser, const char *data, const char *name);
/* Whether a header's list has that token, without case. */
bool tn_request_lists(const struct tn_http_parser *parser, const char *data, const char *name,
		      const char *token);
/* `upgrade`: it asks for a WebSocket, and may have it. */
void tn_request_put(struct tn_buf *out, const struct tn_http_parser *parser, const char *data,
		    const struct tn_route *route, bool upgrade);

/* ---- answers ---- */

enum tn_answer_progress { TN_ANSWER_MORE, TN_ANSWER_READY, TN_ANSWER_FAULT };

struct tn_answer {
	unsigned status;
	struct tn_str reason;
	struct tn_str lines; /* of headers */
	size_t size;         /* of the head */
	enum tn_body_kind body;
	uint64_t length;
	bool is_page; /* HTML that something can be put into */
};

/* `head_only`: the request was HEAD. */
enum tn_answer_progress tn_answer_read(struct tn_str data, bool head_only, struct tn_answer *ret);
struct tn_answer_form {
	bool inject;       /* something is put into the page */
	bool chunked;      /* what is injected into goes in chunks */
	bool upgrade;      /* 101 */
	const char *nonce; /* of the script that is injected */
};
void tn_answer_put(struct tn_buf *out, const struct tn_answer *answer, const struct tn_route *route,
		   const struct tn_answer_form *form);

#endif
