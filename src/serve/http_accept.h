/* http_accept.h - what a client can take, by its Accept header (RFC 9110 section 12.5.1, MCP-110).
 *
 * Threads: loop. */
#ifndef TN_HOST_HTTP_ACCEPT_H
#define TN_HOST_HTTP_ACCEPT_H

#include "transport/http.h"

enum {
	TN_ACCEPTS_JSON = 1,
	TN_ACCEPTS_EVENTS = 2,
	/* Event streams are named before JSON: it can take both and would rather have a stream,
	 * also for an answer that is ready at once. */
	TN_ACCEPTS_EVENTS_FIRST = 4
};

unsigned tn_http_accept(const struct tn_http_exchange *x); /* no header: both */

/* The same for one header's value added to what the headers before it said. */
unsigned tn_http_accept_value(unsigned accepted, struct tn_str value);

#endif
