/* stream_door.h - a WebSocket that is no conversation in MCP: an app's own frames, for viewers of
 * what MCP would be too slow or too wordy for (terminal.md section 11).
 *
 * The app registers a door; the HTTP listeners hand upgrades below its path to it. Origin and Host
 * are checked as everywhere; who may come in is decided by the ticket that stands in the
 * subprotocol. Threads: loop. Ownership: the app owns what `open` returns until `closed`. */
#ifndef TN_MCP_STREAM_DOOR_H
#define TN_MCP_STREAM_DOOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct tn_stream; /* the transport's end */

struct tn_stream_ops {
	void (*send)(struct tn_stream *stream, struct tn_str bytes, bool binary);
	size_t (*queued)(
		const struct tn_stream *stream); /* bytes not yet taken by the peer's socket */
	void (*close)(struct tn_stream *stream, unsigned code,
		      const char *reason); /* `closed` still comes */
};

struct tn_stream_door {
	const char *prefix; /* "/terminal/stream/" */
	const char
		*subprotocol; /* "tenon-terminal"; the ticket is a second one, "ticket.<ticket>" */
	/* `path`: what follows the prefix. NULL: refused with 403. */
	void *(*open)(void *app, struct tn_str path, struct tn_str ticket, struct tn_stream *stream,
		      const struct tn_stream_ops *ops);
	void (*received)(void *self, struct tn_str bytes, bool binary);
	void (*writable)(void *self); /* the queue has become short */
	void (*closed)(void *self);
	void *app;
};

#endif
