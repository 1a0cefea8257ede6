/* http_host.h - everything one HTTP listener shares: routes, guards, callers, sessions, posts,
 * event streams of HTTP+SSE, WebSockets.
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_HOST_H
#define TN_HOST_HTTP_HOST_H

#include "base/arena.h"
#include "serve/http_options.h"
#include "serve/http_page.h"
#include "serve/http_post.h"
#include "serve/http_session.h"
#include "serve/http_sse.h"
#include "serve/http_stream_door.h"
#include "serve/http_token.h"
#include "serve/http_ws.h"
#include "serve/serve.h"
#include "transport/http.h"
#include "transport/origin.h"
#include "transport/throttle.h"

struct tn_http_host {
	struct tn_way way; /* first */
	struct tenon_server *server;
	struct tn_arena arena;             /* of the options */
	struct tenon_http_options options; /* complete: no default is left to choose */
	struct tn_http_extra extra;
	const char *messages_path;    /* beside options.sse_path; "": not offered */
	const char *no_modern;        /* said to modern requests over HTTP+SSE */
	unsigned char (*proxies)[16]; /* addresses as tn_http_peer_address has them */
	size_t proxy_count;
	struct tn_origin_rules rules;
	struct tn_http_caller *callers;
	struct tn_auth_key *keys; /* of the callers, in their order */
	size_t caller_count;
	struct tn_throttle throttle; /* of those who come without a valid one */
	struct tn_http_server *http;
	struct tn_http_sessions sessions;
	struct tn_sse_clients sse;
	struct tn_ws_client *sockets;
	struct tn_stream *streams;    /* of doors */
	struct tn_timer *expel_timer; /* of WebSockets whose token was replaced */
	struct tn_later *turn;        /* ends event streams and WebSockets that are through */
	bool drained;                 /* no HTTP connection is left */

	struct tn_post *slow_first, *slow_last; /* not answered at once, oldest first */
	struct tn_timer *slow_timer;
	struct tn_post *spare; /* to be used again */
};

/* ---- serve_http.c ---- */

struct tn_http_host *tn_http_host_of(struct tn_way *way); /* NULL: it is no HTTP listener */

/* ---- http_route.c ---- */

extern const struct tn_http_handler tn_http_host_handler, tn_http_host_cors_handler;
/* The lines of a hardened listener (workbench.md T19). */
extern const char tn_http_hardened_lines[];

/* An error without id, as JSON. `header` may be NULL. */
void tn_http_refuse(struct tn_http_exchange *x, unsigned status, const char *message,
		    const struct tn_http_header *header);
/* The same with another code than -32600. */
void tn_http_refuse_code(struct tn_http_exchange *x, unsigned status, int code,
			 const char *message);

/* Walks what a header lists, over all headers of that name. `at` and `rest` begin as 0 and empty.
 */
struct tn_http_list {
	size_t at;
	struct tn_str rest;
};
bool tn_http_list_next(const struct tn_http_exchange *x, const char *name,
		       struct tn_http_list *list, struct tn_str *ret);

#endif
