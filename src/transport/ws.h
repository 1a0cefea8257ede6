/* ws.h - a WebSocket connection on the loop: messages in, messages out, pings, an orderly end
 * (mcp.md section 13). Both roles.
 *
 * Small messages of one turn leave in one write; a large one is written from where it lies. When
 * the peer does not read, output is queued up to TN_OUTPUT_QUEUE_MAX, then reading pauses; a queue
 * that stays full for TN_OUTPUT_STALL_MS ends the connection. An idle connection holds no buffer.
 * Ownership: the connection owns its descriptor. Threads: loop. No event comes inside a call. */
#ifndef TN_TRANSPORT_WS_H
#define TN_TRANSPORT_WS_H

#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"
#include "transport/ws_frame.h"

struct tn_ws;

struct tn_ws_events {
	void (*message)(struct tn_ws *ws, struct tn_str text, void *data);
	/* NULL: binary messages end the connection with 1003. */
	void (*binary)(struct tn_ws *ws, struct tn_str bytes, void *data);
	/* The connection is over, for whatever reason; the last event. The caller calls tn_ws_free.
	 * `code` is what the peer's close frame said, or TN_WS_ABNORMAL. */
	void (*closed)(struct tn_ws *ws, uint16_t code, void *data);
	/* The output had been over TN_OUTPUT_QUEUE_MAX and is half of it now. NULL: not told. */
	void (*relieved)(struct tn_ws *ws, void *data);
};

struct tn_ws_options {
	enum tn_ws_role role;
	size_t message_max;
	uint32_t ping_ms;     /* of silence before a ping; 0: never. Two missed end it (MCP-162) */
	uint32_t stall_ms;    /* 0: TN_OUTPUT_STALL_MS */
	uint32_t linger_ms;   /* 0: TN_HTTP_LINGER_MS */
	struct tn_str unread; /* bytes that came behind the handshake; copied */
	const struct tn_ws_events *events;
	void *data;
};

/* Takes the descriptor over on success: a socket, non-blocking, after the handshake. */
TN_MUST_USE enum tenon_code tn_ws_open(struct tn_loop *loop, int fd,
				       const struct tn_ws_options *options, struct tn_ws **ret,
				       struct tenon_error *err);

void tn_ws_send(struct tn_ws *ws, struct tn_str text); /* dropped when it is closing */
void tn_ws_send_binary(struct tn_ws *ws, struct tn_str bytes);
size_t tn_ws_queued(const struct tn_ws *ws);

/* Nothing is read while it is so: whoever messages go to is slow. No pings are sent meanwhile. */
void tn_ws_pause(struct tn_ws *ws, bool pause);

/* Sends a close frame, waits at most TN_HTTP_LINGER_MS for the peer's, then `closed`. */
void tn_ws_close(struct tn_ws *ws, enum tn_ws_close code);
void tn_ws_free(struct tn_ws *ws); /* at once; no event any more. Accepts NULL */

#endif
