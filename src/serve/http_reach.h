/* http_reach.h - whether a request comes from elsewhere: not from a user of this machine, whatever
 * address it has (terminal.md 10.1). The consent policy asks more of such callers.
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_REACH_H
#define TN_HOST_HTTP_REACH_H

#include <stdbool.h>

struct tn_http_host;
struct tn_http_exchange;
struct tn_http_caller;

/* What is known of a request. */
struct tn_http_reach {
	bool loopback;      /* its peer address is this machine's own */
	bool token;         /* it brought a token that counts */
	bool local_token;   /* the token is of a user of this machine: no named one for others */
	bool found_token;   /* the token stands in the discovery file */
	bool forwarded;     /* it has Forwarded, X-Forwarded-* or Via */
	bool by_proxy;      /* its peer address is one of http.proxies */
	bool other_process; /* the other end is another user's, or none that can be seen */
	bool has_proxies;   /* http.proxies, or a cluster, is configured */
};

bool tn_http_reach_is_elsewhere(const struct tn_http_reach *reach);

/* The same of a request that has passed its check. */
bool tn_http_is_elsewhere(const struct tn_http_host *host, const struct tn_http_exchange *x,
			  const struct tn_http_caller *caller);

#endif
