/* http_stream_door.h - WebSockets that are an app's own (mcp/stream_door.h) beside the endpoints of
 * an HTTP listener.
 *
 * Host and Origin are checked as everywhere; a token is not asked for: the ticket is the app's to
 * judge. Threads: loop. */
#ifndef TN_HOST_HTTP_STREAM_DOOR_H
#define TN_HOST_HTTP_STREAM_DOOR_H

#include "mcp/stream_door.h"
#include "transport/http.h"

struct tn_http_host;

/* A GET below a door's prefix: 101, or why not. */
void tn_stream_get(struct tn_http_host *host, struct tn_http_exchange *x,
		   const struct tn_stream_door *door);

void tn_stream_turn(struct tn_http_host *host); /* closes them, while draining */
/* A token was replaced: who was let in under the old one may be anybody. Nothing more is taken from
 * any of them; they are closed; and those that have been closed so are gone. */
void tn_stream_silence(struct tn_http_host *host);
void tn_stream_expel(struct tn_http_host *host);
void tn_stream_expel_now(struct tn_http_host *host);
void tn_stream_close_all(struct tn_http_host *host);

#endif
