/* carrier.h - how a client's messages travel: by lines to a child process or a socket, by
 * WebSocket, or each in a POST of its own.
 *
 * A carrier moves whole messages and knows what its transport needs (sessions, streams, event ids,
 * reconnection of a stream); what a message means is the conversation's business. Exactly one of
 * `answer` and `ended` comes for every request that was sent, unless it was cancelled or the
 * carrier was closed. Ownership: the conversation opens and closes the carrier; texts handed in are
 * copied or sent at once. Threads: loop. No event comes inside an op. */
#ifndef TN_CLIENT_CARRIER_H
#define TN_CLIENT_CARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"
#include "mcp/revision.h"

struct tn_carrier;

enum tn_carrier_kind {
	TN_CARRIER_STREAM, /* one connection for everything: cancel by notification */
	TN_CARRIER_HTTP    /* a stream for each request: modern cancels by closing it (MCP-174) */
};

struct tn_carrier_header {
	struct tn_str name, value; /* value encoded for the header (mcp.md section 11.4) */
};

struct tn_outgoing {
	struct tn_str json;
	struct tn_str method;                    /* Mcp-Method; NULL data: a response */
	struct tn_str name;                      /* Mcp-Name, encoded; NULL data: none */
	const struct tn_carrier_header *headers; /* Mcp-Param-* */
	size_t header_count;
	enum tn_revision revision; /* of this message; NONE: `initialize`, before it is known */
	void *request;             /* the conversation's, of a request; NULL otherwise */
};

/* Why a request's stream ended without an answer. */
struct tn_carrier_end {
	/* SYSTEM: the network or the process; DENIED: 401, 403; BUSY: 429, 503; EXPIRED: 404 for
	 * our session; INVALID: anything else that is no answer. */
	enum tenon_code code;
	struct tenon_error err;
	unsigned status;         /* HTTP; 0: there was none */
	struct tn_str body;      /* of a reply that is no event stream, at most 64 KiB of it */
	bool session_lost;       /* MCP-131: open a new one by `initialize` */
	uint32_t retry_after_ms; /* 0: not said */
};

struct tn_carrier_events {
	/* Messages can be sent. Comes once after open, and again after `lost` when the carrier has
	 * come back by itself (it does not: the conversation opens a new one). */
	void (*ready)(void *data);
	/* A message. `request` is whose stream it came on; NULL: the connection's, or a GET stream.
	 * `status` is HTTP's, 0 elsewhere. */
	void (*message)(void *data, void *request, unsigned status, struct tn_str json);
	/* The request's stream is over, and brought no message with its id: the carrier cannot know
	 * ids, so this comes whenever the stream of `request` ends; the conversation ignores it for
	 * requests that are answered, or forgets them. Streams that can be resumed are, before this
	 * is said. Not for a legacy request that HTTP answered with 202 while the GET stream is
	 * open: the answer may come there, or never. */
	void (*ended)(void *data, void *request, const struct tn_carrier_end *end);
	/* Nothing travels any more: the process has ended, the connection is broken. Once. */
	void (*lost)(void *data, const struct tenon_error *err);
	/* Text on the child's standard error. NULL: it shares ours. */
	void (*text)(void *data, struct tn_str text);
	/* A message too large to be read was passed over, on a connection that all requests share.
	 * May be NULL. */
	void (*skipped)(void *data);
};

struct tn_carrier_ops {
	void (*send)(struct tn_carrier *carrier, const struct tn_outgoing *message);
	/* Nobody waits for this request any more; HTTP closes its stream. */
	void (*forget)(struct tn_carrier *carrier, void *request);
	/* Legacy, after `notifications/initialized`: opens the stream for what belongs to no
	 * request (HTTP: GET). NULL: nothing to open. */
	void (*open_feed)(struct tn_carrier *carrier, enum tn_revision revision);
	/* Ends in order (DELETE, closing stdin and so on); `closed` comes once when it is done, and
	 * the carrier is gone. */
	void (*close)(struct tn_carrier *carrier, void (*closed)(void *data), void *data);
	/* At once, without asking anybody; frees it. */
	void (*abort)(struct tn_carrier *carrier);
};

struct tn_carrier {
	const struct tn_carrier_ops *ops;
	const struct tn_carrier_events *events;
	void *data; /* of the events */
	enum tn_carrier_kind kind;
	const char *transport; /* "stdio", "http", "sse", "ws", "unix" */
};

/* What all of them are opened with. */
struct tn_carrier_options {
	struct tn_loop *loop;
	const struct tn_carrier_events *events;
	void *data;
	uint32_t connect_timeout_ms;
	const char *plugin_folder; /* of HTTP's plug-in; NULL: the usual places */
};

/* ---- the kinds ---- */

struct tn_child_target {
	const char *const *command, *const *env;
	const char *directory;
};
/* carrier_child.c. Fails: SYSTEM (no such program), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_carrier_open_child(const struct tn_carrier_options *options,
						  const struct tn_child_target *target,
						  struct tn_carrier **ret, struct tenon_error *err);

struct tn_url_target {
	const char *url;
	const char *token;          /* NULL: none */
	const char *const *headers; /* "Name: value", NULL-terminated; or NULL */
	const char *ca_file;        /* https: PEM; NULL: the system's */
};
/* carrier_unix.c: `unix:/path`; lines, like stdio. */
TN_MUST_USE enum tenon_code tn_carrier_open_unix(const struct tn_carrier_options *options,
						 const struct tn_url_target *target,
						 struct tn_carrier **ret, struct tenon_error *err);
/* carrier_ws.c: `ws://`. */
TN_MUST_USE enum tenon_code tn_carrier_open_ws(const struct tn_carrier_options *options,
					       const struct tn_url_target *target,
					       struct tn_carrier **ret, struct tenon_error *err);
/* carrier_http.c: Streamable HTTP, `http://` and `https://`. Always ready at once. */
TN_MUST_USE enum tenon_code tn_carrier_open_http(const struct tn_carrier_options *options,
						 const struct tn_url_target *target,
						 struct tn_carrier **ret, struct tenon_error *err);
/* carrier_sse.c: HTTP+SSE of 2024-11-05; ready when the `endpoint` event has come (MCP-160), lost
 * when it does not. */
TN_MUST_USE enum tenon_code tn_carrier_open_sse(const struct tn_carrier_options *options,
						const struct tn_url_target *target,
						struct tn_carrier **ret, struct tenon_error *err);

#endif
