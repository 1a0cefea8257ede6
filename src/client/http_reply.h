/* http_reply.h - what a server's HTTP answer is, when it is not what was asked for.
 *
 * Threads: any. Texts of the server that reach an error are visible ASCII of a checked URL; the
 * body is handed on as it is (mcp.md MCP-287). */
#ifndef TN_CLIENT_HTTP_REPLY_H
#define TN_CLIENT_HTTP_REPLY_H

#include "client/carrier.h"
#include "loop/http_stream.h"

enum tn_http_content { TN_HTTP_CONTENT_OTHER, TN_HTTP_CONTENT_JSON, TN_HTTP_CONTENT_EVENTS };

enum tn_http_content tn_http_reply_content(const struct tn_http_head *head);

/* Code, sentence, status, session_lost and retry_after_ms of a reply that is no answer (mcp.md
 * section 11.10; MCP-278: 401 names the metadata URL). */
void tn_http_reply_judge(const struct tn_http_head *head, bool in_session,
			 struct tn_carrier_end *ret);

/* The same of a connection that failed: EXPIRED becomes SYSTEM, which carriers say of networks. */
void tn_http_reply_failed(enum tenon_code code, const struct tenon_error *err,
			  struct tn_carrier_end *ret);

/* The session id of a reply; NULL data: none. False: it is no id (not visible ASCII, too long). */
bool tn_http_reply_session(const struct tn_http_head *head, struct tn_str *ret);

/* A JSON-RPC response: an object with "result" or "error", and without "method". */
bool tn_http_reply_is_response(struct tn_str json);

#endif
