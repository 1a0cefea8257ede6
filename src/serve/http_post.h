/* http_post.h - one POST on its way: answered as JSON, or as a stream of events (MCP-112), which in
 * revision 2025-11-25 a client may come back to (mcp.md section 11.8).
 *
 * Threads: loop. A post lives until the core has ended it and no connection, and in a session
 * nobody coming back, needs it any more. */
#ifndef TN_HOST_HTTP_POST_H
#define TN_HOST_HTTP_POST_H

#include "serve/http_session.h"
#include "mcp/exchange.h"
#include "transport/http.h"

struct tn_http_host;

/* Takes a complete POST over. */
void tn_post_begin(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps);
/* Resumes the stream that `last_event_id` names on this GET. */
enum tn_resume { TN_RESUMED, TN_RESUME_MALFORMED, TN_RESUME_LOST };
enum tn_resume tn_post_resume(struct tn_http_session *session, struct tn_http_exchange *x,
			      struct tn_str last_event_id);

void tn_posts_expire(struct tn_http_session *session, uint64_t now_ms);
void tn_posts_drop(struct tn_http_session *session); /* the session ends */

/* Opens the streams of posts that have waited long enough (MCP-112). */
void tn_posts_open_slow(struct tn_http_host *host);
void tn_posts_free_spare(struct tn_http_host *host);

#endif
