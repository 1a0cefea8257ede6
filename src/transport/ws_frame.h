/* ws_frame.h - WebSocket framing without I/O: bytes to messages and back (RFC 6455 section 5;
 * mcp.md MCP-162). For servers and clients.
 *
 * The reader works in place: it unmasks where the bytes lie and hands a message out without copying
 * it when it came in one frame. No extensions. Threads: any, one at a time. */
#ifndef TN_TRANSPORT_WS_FRAME_H
#define TN_TRANSPORT_WS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

enum tn_ws_role { TN_WS_SERVER, TN_WS_CLIENT };

enum tn_ws_close {
	TN_WS_NORMAL = 1000,
	TN_WS_GOING_AWAY = 1001,
	TN_WS_PROTOCOL_ERROR = 1002,
	TN_WS_UNSUPPORTED = 1003, /* binary messages where only text is taken */
	TN_WS_NO_STATUS = 1005,   /* never sent */
	TN_WS_ABNORMAL = 1006,    /* never sent */
	TN_WS_BAD_TEXT = 1007,
	TN_WS_POLICY = 1008,
	TN_WS_TOO_LARGE = 1009,
	TN_WS_INTERNAL = 1011
};

enum tn_ws_event {
	TN_WS_MORE,   /* a frame is not complete: read more */
	TN_WS_TEXT,   /* `ret` is a whole message, valid UTF-8, until the next call */
	TN_WS_BINARY, /* the same of any bytes; only where they are taken */
	TN_WS_PING,   /* `ret` is to be sent back as a pong */
	TN_WS_PONG,
	TN_WS_CLOSE, /* the peer closes; `ret` is the reason, *ret_code the code */
	TN_WS_FAULT  /* close with *ret_code; nothing more is read */
};

struct tn_ws_reader {
	enum tn_ws_role role; /* ours: a server demands masks, a client refuses them */
	bool takes_binary;    /* false after init: binary messages are a fault (MCP-162) */
	size_t message_max;
	struct tn_buf parts; /* of a fragmented message */
	bool in_message;     /* fragments are being collected ... */
	bool is_binary;      /* ... of a binary one */
	bool failed;         /* a fault or a close was reported */
	size_t consumed;     /* of the bytes handed in: the caller may drop so many */
};

void tn_ws_reader_init(struct tn_ws_reader *reader, enum tn_ws_role role, size_t message_max);
void tn_ws_reader_finish(struct tn_ws_reader *reader);

/* Takes the next event from data[reader->consumed..size); changes the bytes (unmasking). Call until
 * TN_WS_MORE, then drop `consumed` bytes, set it to 0, append what was read and call again. */
enum tn_ws_event tn_ws_read(struct tn_ws_reader *reader, char *data, size_t size,
			    struct tn_str *ret, uint16_t *ret_code);

/* How many bytes the frame at the front still needs, as far as known; 0: not known. Lets the caller
 * size its buffer once. */
size_t tn_ws_needed(const struct tn_ws_reader *reader, const char *data, size_t size);

enum { TN_WS_HEAD_MAX = 14 };
enum tn_ws_opcode {
	TN_WS_OP_TEXT = 1,
	TN_WS_OP_BINARY = 2,
	TN_WS_OP_CLOSE = 8,
	TN_WS_OP_PING = 9,
	TN_WS_OP_PONG = 10
};

/* The head of a final frame of `size` bytes of payload; returns its length. A client's `mask` is
 * the four bytes the payload must then be masked with (tn_ws_mask); NULL for a server. */
size_t tn_ws_write_head(char out[TN_WS_HEAD_MAX], enum tn_ws_opcode opcode, size_t size,
			const unsigned char *mask);
void tn_ws_mask(char *data, size_t size, const unsigned char mask[4]);

/* ---- the handshake (RFC 6455 section 4) ---- */

enum { TN_WS_KEY_SIZE = 25, TN_WS_ACCEPT_SIZE = 29 }; /* with the final NUL */

void tn_ws_make_key(char out[TN_WS_KEY_SIZE]);
bool tn_ws_is_key(struct tn_str key); /* 16 bytes in base 64: ask before tn_ws_accept */
void tn_ws_accept(struct tn_str key, char out[TN_WS_ACCEPT_SIZE]);

/* A client's side. `head` is the server's reply up to the empty line, `key` what was sent; the
 * subprotocol must be `mcp` or none (MCP-161). *ret_status is 0 for what is no HTTP. Fails: DENIED
 * (401, 403), BUSY (429, 503), INVALID (any other status, a wrong handshake). */
TN_MUST_USE enum tenon_code tn_ws_check_reply(struct tn_str head, const char *key,
					      unsigned *ret_status, struct tenon_error *err);
/* The value of a header in it; NULL data: absent. */
struct tn_str tn_ws_reply_header(struct tn_str head, struct tn_str name);

#endif
