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

struct tenon_server;
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
	const char *app_name; /* no such path while this app is off; NULL: always there */
	/* `path`: what follows the prefix. NULL: refused with 403. Nothing can be sent before
	 * `ready`. */
	void *(*open)(void *app, struct tn_str path, struct tn_str ticket, struct tn_stream *stream,
		      const struct tn_stream_ops *ops);
	void (*ready)(void *self); /* the handshake is done */
	void (*received)(void *self, struct tn_str bytes, bool binary);
	void (*writable)(void *self); /* the queue had been over TN_OUTPUT_QUEUE_MAX and is short */
	void (*closed)(void *self);   /* the last of these; may come without `ready` */
	void *app;
	struct tn_stream_door *next; /* the server's */
};

/* The door is the caller's, and stays where it is until it is removed, which every stream of it has
 * to precede: when its app closes no listener is left. */
void tn_stream_door_add(struct tenon_server *server, struct tn_stream_door *door);
void tn_stream_door_remove(struct tenon_server *server, struct tn_stream_door *door);
/* The door that this path of a request leads to; NULL: none. */
const struct tn_stream_door *tn_stream_door_find(const struct tenon_server *server,
						 struct tn_str path);

#endif
