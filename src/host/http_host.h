/* http_host.h - everything one HTTP listener shares: routes, guards, sessions, posts.
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_HOST_H
#define TN_HOST_HTTP_HOST_H

#include "host/http_post.h"
#include "host/http_session.h"
#include "mcp/server.h"
#include "transport/http.h"

struct tn_http_host {
	struct tenon_server *server;
	const struct tenon_http_options *options;
	const char *path;
	struct tn_http_server *http;
	struct tn_peer *modern; /* whom stateless requests belong to */
	struct tn_http_sessions sessions;

	struct tn_post *slow_first, *slow_last; /* not answered at once, oldest first */
	struct tn_timer *slow_timer;
	struct tn_post *spare;  /* to be used again */
	struct tn_timer *grace; /* of the shutdown */
};

/* An error without id, as JSON. */
/* `header` may be NULL. */
void tn_http_refuse(struct tn_http_exchange *x, unsigned status, const char *message,
		    const struct tn_http_header *header);

#endif
