/* exchange.h - one incoming message's way back, as the transport offers it.
 *
 * A transport embeds struct tn_exchange in whatever it keeps per message and fills `ops`. The core
 * calls `answer`, `refuse` or `end` exactly once and does not touch the exchange afterwards;
 * `notify` any number of times before. When the peer goes away first, the transport calls
 * tn_exchange_gone and the core forgets the exchange. Threads: the loop's thread. */
#ifndef TN_MCP_EXCHANGE_H
#define TN_MCP_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "mcp/revision.h"

struct tn_exchange;
struct tn_peer;

struct tn_exchange_ops {
	/* The final message. `status` is for HTTP. The bytes are the core's again afterwards. */
	void (*answer)(struct tn_exchange *x, int status, struct tn_str json);
	/* A message that belongs to this one and comes before its answer. */
	void (*notify)(struct tn_exchange *x, struct tn_str json);
	/* Nothing (more) will come: 202 for what expects no answer, or a cancelled request. */
	void (*end)(struct tn_exchange *x, bool cancelled);
	/* Opens the stream at once although nothing is to be sent yet; NULL: nothing to open. */
	void (*open_stream)(struct tn_exchange *x);
	/* MCP-147: closes the connection, not the stream; NULL: not possible. */
	void (*release)(struct tn_exchange *x, unsigned retry_ms);
	/* True while the peer does not keep up: hold back what can be coalesced. NULL: never. */
	bool (*backlogged)(const struct tn_exchange *x);
	/* True when `notify` would reach nobody: the client takes one JSON answer only. NULL:
	 * never. */
	bool (*deaf)(const struct tn_exchange *x);
};

struct tn_exchange {
	const struct tn_exchange_ops *ops;
	void *user; /* the core's: the call or listener that owes the answer */
	void (*gone)(struct tn_exchange *x); /* the core's: set while `user` is */
	int64_t owner;  /* the transport's: the process that speaks; 0: not known */
	bool elsewhere; /* the transport's: not from a user of this machine (tn_peer.elsewhere) */
	enum tn_revision revision; /* the core's: known before the first op is called */
};

/* The peer went away; no op will be called any more. `is_cancel`: in the modern era that ends the
 * request, in legacy eras it goes on and its result is dropped (MCP-142, MCP-154). */
static inline void tn_exchange_gone(struct tn_exchange *x)
{
	if (x->gone)
		x->gone(x);
}

static inline bool tn_exchange_deaf(const struct tn_exchange *x)
{
	return x->ops->deaf && x->ops->deaf(x);
}

/* ---- what HTTP adds ---- */

struct tn_http_view;

enum tn_session_lookup {
	TN_SESSION_ABSENT,
	TN_SESSION_UNKNOWN,
	TN_SESSION_FOUND,
	TN_SESSION_OFF /* there are none here: legacy requests stand alone (MCP-129) */
};

struct tn_http_view_ops {
	/* The nth value of a header, trimmed; false when there are not that many. */
	bool (*header)(const struct tn_http_view *view, const char *name, size_t nth,
		       struct tn_str *ret);
	/* The session named by Mcp-Session-Id, if it exists and belongs to this principal. */
	enum tn_session_lookup (*find_session)(const struct tn_http_view *view,
					       struct tn_peer **ret);
	/* Makes a session and names it in the response's header; where sessions are off, *ret
	 * becomes NULL. False: too many (503). */
	bool (*open_session)(const struct tn_http_view *view, struct tn_peer **ret);
};

struct tn_http_view {
	const struct tn_http_view_ops *ops;
};

#endif
