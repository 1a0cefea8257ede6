/* gateway.h - the port that a preview is seen through (workbench.md 10.6, S16-S18, T13-T20): a
 * reverse proxy to exactly one server, which puts the adapter into pages and carries its channel.
 *
 * It listens on 127.0.0.1 alone, on a port of its own. Each connection carries one request; bytes
 * pass as they come, in both directions, never more than TN_GATEWAY_PENDING_MAX ahead of who takes
 * them. WebSockets other than the channel's are passed through. Refused are: foreign names in Host
 * and Origin, absolute targets, CONNECT, and whatever is ambiguous.
 * Ownership: the caller's gateway; a channel is gone after `closed`. Threads: loop. No event comes
 * inside a call. */
#ifndef TN_GATEWAY_GATEWAY_H
#define TN_GATEWAY_GATEWAY_H

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct tn_gateway;
struct tn_channel; /* the WebSocket of a page's adapter */

struct tn_gateway_events {
	/* A page has connected. False: it is refused, with `code` set. */
	bool (*opened)(void *data, struct tn_channel *channel, unsigned *ret_code);
	void (*message)(void *data, struct tn_channel *channel, struct tn_str text);
	void (*closed)(void *data, struct tn_channel *channel);
};

struct tn_gateway_options {
	/* "http://localhost:5173": this machine, by number or by that name; with https the
	 * certificate is not verified. NULL: there is no server behind it, it carries the channel
	 * alone. */
	const char *upstream;
	const char *plugin_folder;    /* of TLS; NULL: the usual places */
	const char *session_id, *key; /* of the bootstrap block; texts that need no escaping */
	struct tn_str adapter;        /* the script; outlives the gateway */
	const char *page_origin; /* besides its own: of pages that somebody else serves; NULL */
	/* S18: those pages have a tag that loads the script from here, which brings the block. */
	bool tagged;
	uint16_t port; /* that is wanted; 0, or taken by somebody: another */
	const struct tn_gateway_events *events;
	void *data;
};

/* Fails: INVALID (no such server can be reached from here), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_gateway_open(struct tn_loop *loop,
					    const struct tn_gateway_options *options,
					    struct tn_gateway **ret, struct tenon_error *err);
/* Everything at once; `closed` is not told. Accepts NULL. Not from within an event. */
void tn_gateway_close(struct tn_gateway *gateway);
/* From now on pages of this origin may have the channel, too, and no longer those of another that
 * was said before. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_gateway_allow(struct tn_gateway *gateway, struct tn_str page_origin,
					     struct tenon_error *err);
const char *tn_gateway_origin(const struct tn_gateway *gateway); /* "http://127.0.0.1:40001" */
size_t tn_gateway_connections(const struct tn_gateway *gateway);

void tn_channel_send(struct tn_channel *channel, struct tn_str text);
/* `closed` follows. */
void tn_channel_close(struct tn_channel *channel, unsigned code);
void tn_channel_set_user(struct tn_channel *channel, void *user);
void *tn_channel_user(const struct tn_channel *channel);

#endif
