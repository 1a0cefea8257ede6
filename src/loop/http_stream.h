/* http_stream.h - requests to other servers whose answers come in pieces, on the loop.
 *
 * The same plug-in as http_client.h, opened with the first request. Connections are kept and used
 * again. Always: certificates are verified, redirects are not followed, this machine is never
 * reached by a proxy, and no header or body is ever quoted in an error.
 *
 * Ownership: the caller closes what it opened; a request is gone with `done`, or by cancelling.
 * Everything may be called from within an event, cancelling and closing too. No event comes inside
 * a call. Threads: loop thread only. */
#ifndef TN_LOOP_HTTP_STREAM_H
#define TN_LOOP_HTTP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "loop/loop.h"

struct tn_http_streams; /* a client with its connections */
struct tn_http_stream;  /* one request */

struct tn_http_head {
	unsigned status;
	struct tn_str lines;     /* "Name: value" CR LF, of this answer only */
	uint32_t retry_after_ms; /* 0: not said; dates are understood, too */
};

/* The first header of that name (case-insensitive), trimmed; NULL data: absent. */
struct tn_str tn_http_head_get(const struct tn_http_head *head, const char *name);
/* Walks all of them: start with *cursor = 0, stop at false. */
bool tn_http_head_next(const struct tn_http_head *head, size_t *cursor, struct tn_str *ret_name,
		       struct tn_str *ret_value);

struct tn_http_stream_events {
	void (*head)(void *data, const struct tn_http_head *head);
	void (*body)(void *data, struct tn_str bytes); /* at most TN_HTTP_PIECE_MAX at a time */
	/* Once, after everything else. OK: the answer is complete, whatever its status. EXPIRED:
	 * no connection in time, or no end. SYSTEM: no connection, broken, TLS refused. INVALID: no
	 * HTTP, or no such ca_file. LIMIT: headers. NO_MEMORY. NOT_FOUND, INTERNAL: the plug-in. */
	void (*done)(void *data, enum tenon_code code, const struct tenon_error *err);
};

struct tn_http_stream_request {
	const char *method;         /* "GET", "POST", "DELETE" */
	const char *url;            /* http or https */
	const char *const *headers; /* "Name: value" or "Name;" (empty), NULL-terminated */
	struct tn_str body;         /* of POST; must live until `done` */
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms; /* of all of it; 0: none */
	bool direct;         /* never by a proxy */
	const char *ca_file; /* PEM, trusted besides the system's folder; NULL: the system's */
};

/* Opens nothing yet. `folder` is where the plug-in lies; NULL: the usual places. */
TN_MUST_USE enum tenon_code tn_http_streams_open(struct tn_loop *loop, const char *folder,
						 struct tn_http_streams **ret,
						 struct tenon_error *err);
void tn_http_streams_close(struct tn_http_streams *streams); /* cancels all; accepts NULL */

/* Everything but the body is copied. Fails: NO_MEMORY, INVALID (the URL), NOT_FOUND, SYSTEM,
 * INTERNAL (the plug-in). */
TN_MUST_USE enum tenon_code tn_http_stream_start(struct tn_http_streams *streams,
						 const struct tn_http_stream_request *request,
						 const struct tn_http_stream_events *events,
						 void *data, struct tn_http_stream **ret,
						 struct tenon_error *err);
/* No event comes any more; the connection is cut unless the answer was complete. Accepts NULL. */
void tn_http_stream_cancel(struct tn_http_stream *stream);

/* No body comes until it is resumed; the peer is stopped by its socket. */
void tn_http_stream_pause(struct tn_http_stream *stream);
void tn_http_stream_resume(struct tn_http_stream *stream);

#endif
