/* http.h - a strict HTTP/1.1 server with event streams, on our loop (mcp.md sections 10 and 11).
 *
 * Knows nothing of what it carries: a request is handed to callbacks and answered now or later, whole
 * or as a stream. Requests of one connection are handed over one at a time and answered in order.
 * Ownership: the server owns its exchanges; an exchange lives from `check` to `finished`, which comes
 * exactly once for each, and is not touched afterwards. Threads: loop.
 * Source: RFC 9110, RFC 9112; where they leave a choice, the stricter one. */
#ifndef TN_TRANSPORT_HTTP_H
#define TN_TRANSPORT_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_http_server;
struct tn_http_exchange;

struct tn_http_limits { /* 0 anywhere: the default of base/limits.h */
	size_t body_bytes_max;
	unsigned connections_max;
	uint32_t headers_timeout_ms, body_timeout_ms, idle_timeout_ms;
	uint32_t keepalive_ms; /* comment lines on silent streams */
	uint32_t stall_ms;     /* how long a reader may leave a full queue standing */
};

struct tn_http_events {
	/* The header section is complete, the body not read yet. Answer to refuse (the body is then
	 * passed over), or return to accept. */
	void (*check)(struct tn_http_exchange *x, void *data);
	/* The whole request is there. */
	void (*request)(struct tn_http_exchange *x, void *data);
	/* The peer went away before the end of the answer; `finished` follows. */
	void (*closed)(struct tn_http_exchange *x, void *data);
	/* The last use of the exchange. */
	void (*finished)(struct tn_http_exchange *x, void *data);
};

/* Listens. address: "127.0.0.1" or "::1". Fails: INVALID (no such address), SYSTEM. */
TN_MUST_USE enum tenon_code tn_http_server_open(struct tn_loop *loop, const char *address,
						uint16_t port, const struct tn_http_limits *limits,
						const struct tn_http_events *events, void *data,
						struct tn_http_server **ret,
						struct tenon_error *err);
uint16_t tn_http_server_port(const struct tn_http_server *server);
/* Accepts nothing new; `drained` runs when the last exchange has finished, at once if there is none. */
void tn_http_server_drain(struct tn_http_server *server, void (*drained)(void *data), void *data);
void tn_http_server_close(struct tn_http_server *server); /* cuts what is left; accepts NULL */

/* ---- the request; slices live as long as the exchange ---- */

struct tn_str tn_http_method(const struct tn_http_exchange *x);
struct tn_str tn_http_path(const struct tn_http_exchange *x);  /* without the query */
struct tn_str tn_http_query(const struct tn_http_exchange *x); /* without the "?" */
/* The nth value of a header of this name (case ignored), trimmed; false: not that many. */
bool tn_http_header(const struct tn_http_exchange *x, const char *name, size_t nth,
		    struct tn_str *ret);
struct tn_str tn_http_body(const struct tn_http_exchange *x);

void tn_http_set_user(struct tn_http_exchange *x, void *user);
void *tn_http_user(const struct tn_http_exchange *x);

/* ---- the answer ---- */

/* Adds a header to the answer to come. The value must not hold control characters. */
void tn_http_add_header(struct tn_http_exchange *x, const char *name, struct tn_str value);
/* The whole answer in one send. `content_type` NULL: no body. */
void tn_http_respond(struct tn_http_exchange *x, int status, const char *content_type,
		     struct tn_str body);

/* Begins an event stream (200, text/event-stream): the header leaves together with the first bytes,
 * or at the end of this turn of the loop. */
void tn_http_stream_begin(struct tn_http_exchange *x);
/* One event: `id` and `name` may be absent. `data` has no line ends. */
void tn_http_stream_event(struct tn_http_exchange *x, struct tn_str id, struct tn_str name,
			  struct tn_str data);
void tn_http_stream_raw(struct tn_http_exchange *x, struct tn_str lines); /* "retry: 500\n\n" */
void tn_http_stream_end(struct tn_http_exchange *x);
size_t tn_http_stream_queued(const struct tn_http_exchange *x); /* bytes not written yet */

#endif
