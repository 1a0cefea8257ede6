/* origin.h - which Host and Origin a listener believes: the guard against DNS rebinding and against
 * web pages that talk to local servers (mcp.md MCP-101, MCP-102).
 *
 * Names are compared whole, never by prefix or suffix, letters without case. Threads: any. */
#ifndef TN_TRANSPORT_ORIGIN_H
#define TN_TRANSPORT_ORIGIN_H

#include "transport/http.h"

struct tn_origin_rules {
	const char *address;      /* what the listener is bound to, numeric */
	uint16_t port;            /* likewise */
	const char *const *hosts; /* further names, "mcp.example" or "mcp.example:8443"; or NULL */
	const char *const *origins; /* further origins, "https://app.example", "null"; or NULL */
	bool pages; /* we serve pages ourselves: those under the names of `hosts` are ours, too */
};

/* Both lists end with NULL. True when Host, Origin and Sec-Fetch-Site allow the request. */
bool tn_origin_allowed(const struct tn_http_exchange *exchange,
		       const struct tn_origin_rules *rules);

/* Its parts. On a loopback listener `localhost`, `127.0.0.1` and `[::1]` are allowed with any port
 * (tunnels change it) or none; a configured name without port is allowed without one, or with the
 * listener's. The listener's own address is allowed unless it is a wildcard. */
bool tn_origin_host_allowed(const struct tn_origin_rules *rules, struct tn_str host);

/* On a loopback listener its own origins on its own port; and the configured ones. With `pages`
 * also the origins of `hosts`: http on the listener's port, https on 443 (a proxy with TLS stands
 * before us), or either on the port that the name was configured with. */
bool tn_origin_origin_allowed(const struct tn_origin_rules *rules, struct tn_str origin);

#endif
