/* relay_link.h - one attempt at the bridge and the connection that came of it.
 *
 * Connect, upgrade, messages, end: once each; the next attempt is another link. Messages may be
 * handed over before the daemon has answered the handshake (tn_relay_link_early): they leave with
 * it, which saves a fresh relay a round trip, and count only when `opened` has come.
 * Ownership: the caller frees it, not inside its events but for `closed`. Threads: loop. No event
 * comes inside a call. */
#ifndef TN_CLI_RELAY_LINK_H
#define TN_CLI_RELAY_LINK_H

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_relay_link;

struct tn_relay_target {
	uint16_t port; /* on 127.0.0.1 */
	const char *token;
	const char *path; /* "/ws", "/ws/plan,terminal" */
	const char *fit;  /* which forms of results the host is to get (mcp/fit.h); NULL: its own */
};

/* Why there is no connection, or none any more. */
struct tn_relay_loss {
	bool opened;     /* there was one */
	bool orderly;    /* the daemon said goodbye */
	bool absent;     /* nobody listens there */
	unsigned status; /* of HTTP, when the daemon refused the handshake; 0 otherwise */
	char message[512];
};

struct tn_relay_link_events {
	void (*opened)(void *data);
	void (*message)(struct tn_str text, void *data);
	void (*relieved)(void *data); /* the queue was over TN_OUTPUT_QUEUE_MAX and is half of it */
	void (*closed)(const struct tn_relay_loss *loss, void *data); /* the last one */
};

TN_MUST_USE enum tenon_code tn_relay_link_open(struct tn_loop *loop,
					       const struct tn_relay_target *target,
					       const struct tn_relay_link_events *events,
					       void *data, struct tn_relay_link **ret,
					       struct tenon_error *err);

/* Before `opened`. False: not sent; it must wait for `opened`, and so must all that follow. */
bool tn_relay_link_early(struct tn_relay_link *link, struct tn_str text);

/* After `opened`. */
void tn_relay_link_send(struct tn_relay_link *link, struct tn_str text);
size_t tn_relay_link_queued(const struct tn_relay_link *link);
void tn_relay_link_pause(struct tn_relay_link *link, bool pause);
void tn_relay_link_close(struct tn_relay_link *link); /* `closed` follows */
void tn_relay_link_free(struct tn_relay_link *link);  /* at once; accepts NULL */

#endif
