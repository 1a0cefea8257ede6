/* http_page.h - what an HTTP listener answers besides MCP: /health, /metrics, the web UI.
 *
 * Pages are for GET and HEAD; Host, Origin and Sec-Fetch-Site are checked as everywhere. Threads:
 * loop. */
#ifndef TN_HOST_HTTP_PAGE_H
#define TN_HOST_HTTP_PAGE_H

#include "mcp/server.h"
#include "transport/http.h"

struct tn_http_gate;

struct tn_http_page {
	const char *path; /* "/health"; one that ends with "*" is for all that begin so */
	bool token;       /* 401 without one */
	/* Answers by tn_http_respond before it returns; a body to HEAD is left out by itself. */
	void (*get)(struct tn_http_exchange *x, void *data);
	void *data;
};

/* What the daemon wants of a listener beyond tenon_server_listen_http. */
struct tn_http_extra {
	/* Outlive the listener; ends with a NULL path; NULL: none. The first that fits counts,
	 * after the endpoints. */
	const struct tn_http_page *pages;
	/* The headers of workbench.md T19 on every answer: no-store, nosniff, same-origin. */
	bool hardened;
	bool local; /* peers are of our own user: they have read a 0600 file (tn_peer.foreign) */
	const struct tn_http_gate *gate; /* asked about clients; outlives us; NULL: none */
	const char *const *proxies;      /* addresses; what comes through them is from elsewhere */
	bool discovered;    /* the tokens stand in the discovery file, or a person has them */
	uint16_t port_last; /* ports to try from options->port on when it is taken; 0: only that */
};

/* As tenon_server_listen_http; `extra` may be NULL; *ret_port is the port it got. */
TN_MUST_USE enum tenon_code tn_serve_http(struct tenon_server *server,
					  const struct tenon_http_options *options,
					  const struct tn_http_extra *extra, uint16_t *ret_port,
					  struct tenon_error *err);

#endif
