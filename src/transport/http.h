/* http.h - an HTTP/1.1 server with event streams; strict, and ignorant of what it carries.
 *
 * A request is handed over whole (method, target, headers, body) as an exchange, which is answered
 * at once or later, by one reply or by a stream. Requests of one connection are handed over one at
 * a time and answered in order; several in one packet, answered at once, leave in one write.
 *
 * Ownership: the server owns its exchanges. An exchange ends, and its pointer with it, when
 * tn_http_respond, tn_http_stream_end or tn_http_abort is called, or when `closed` returns.
 * Threads: loop thread only. No callback runs inside a call made by the user of this header. */
#ifndef TN_TRANSPORT_HTTP_H
#define TN_TRANSPORT_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"
#include "loop/loop.h"

struct sockaddr_storage;
struct tn_http_server;
struct tn_http_exchange;

struct tn_http_header {
	struct tn_str name, value;
};

/* ---- the server ---- */

/* Every number bounds what a peer can make us hold or wait for; see transport/limits.h. */
struct tn_http_limits {
	size_t line_max;                 /* request line, bytes: 414 beyond */
	size_t header_max;               /* one header line, bytes: 431 beyond */
	size_t section_max;              /* all header lines, bytes: 431 beyond */
	size_t headers_max;              /* count, at most TN_HTTP_HEADERS_MAX: 431 beyond */
	size_t body_max;                 /* bytes after decoding: 413 beyond */
	size_t connections_max;          /* 503 beyond */
	size_t connections_per_peer_max; /* from one address that is not loopback: 503 beyond */
	size_t output_queue_max;         /* bytes of a stream that the peer has not taken */
	uint32_t headers_timeout_ms;     /* from a request's first byte to its blank line: 408 */
	uint32_t body_timeout_ms;        /* then to its last byte: 408, unless ... */
	uint32_t body_rate_min;          /* ... it came with so many bytes a second on average */
	uint32_t idle_ms;                /* between requests; the connection is closed */
	uint32_t keepalive_ms;           /* a comment on a stream silent for so long; 0: never */
	uint32_t stall_ms;               /* output that the peer does not take: closed */
	uint32_t linger_ms; /* after our last byte, for the peer's (RFC 9112 section 9.6) */
};
void tn_http_limits_default(struct tn_http_limits *limits);

struct tn_http_handler {
	/* After the header section, before the body is read or asked for. To refuse, respond here:
	 * the body is then skipped. Slices taken here are valid during this call only. NULL: none.
	 * A body that is too large is refused afterwards (mcp.md MCP-104). */
	void (*check)(struct tn_http_exchange *exchange, void *data);
	/* The whole request. Answered here or later. */
	void (*request)(struct tn_http_exchange *exchange, void *data);
	/* The peer, or the server by a deadline or tn_http_server_close, ended it before we did.
	 * Only for exchanges that were handed to `request`. */
	void (*closed)(struct tn_http_exchange *exchange, void *data);
	/* The body of an answer that the server gives by itself (400, 408, 413, 414, 417, 431, 503,
	 * 505): appends to `body` and returns its Content-Type. NULL: the sentence as text. */
	const char *(*fault)(unsigned status, struct tn_str sentence, struct tn_buf *body,
			     void *data);
	/* Header lines for the head of every answer to a request that has been read, `check`'s
	 * refusals too: appends "Name: value\r\n" for each; no control byte in a value. NULL: none.
	 */
	void (*headers)(const struct tn_http_exchange *exchange, struct tn_buf *lines, void *data);
};

struct tn_http_options {
	const char *address; /* numeric: "127.0.0.1", "::1" (brackets allowed), "0.0.0.0" */
	uint16_t port;       /* 0: the kernel's choice */
	/* A socket that listens already, instead of the two above; the server's once it is open.
	 * 0: none. */
	int fd;
	/* Header lines for every answer, faults too, each with its CR LF; static. NULL: none. */
	const char *lines;
	const struct tn_http_limits *limits;   /* copied; NULL: defaults */
	const struct tn_http_handler *handler; /* must outlive the server */
	void *data;
};

/* Listens when it returns. Fails: INVALID (not a numeric address), SYSTEM (address in use, which
 * sys_errno tells, ...), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_http_server_open(struct tn_loop *loop,
						const struct tn_http_options *options,
						struct tn_http_server **ret,
						struct tenon_error *err);
uint16_t tn_http_server_port(const struct tn_http_server *server);
size_t tn_http_server_connections(const struct tn_http_server *server);

/* Stops accepting, closes idle connections, lets running exchanges end; `drained` is called once,
 * when the last connection is gone. Open streams are the caller's to end. */
void tn_http_server_drain(struct tn_http_server *server, void (*drained)(void *data), void *data);

/* Ends everything at once; calls `closed` for every exchange that is open. Accepts NULL. Not to be
 * called from a callback of the same server other than `drained`. */
void tn_http_server_close(struct tn_http_server *server);

/* The first exchange that is wanted among those that are open: checked and being read, waiting for
 * its answer, or a stream. NULL: none. */
struct tn_http_exchange *tn_http_server_find(const struct tn_http_server *server,
					     bool (*wanted)(const struct tn_http_exchange *exchange,
							    void *data),
					     void *data);

/* ---- who is there ---- */

/* Only inside `check`: anybody may send this, so it does not show that its connection may stay when
 * places run out. */
void tn_http_anybodys(struct tn_http_exchange *exchange);
/* Only inside `check`: `request` waits for tn_http_server_let_go, however long that takes. */
void tn_http_hold(struct tn_http_exchange *exchange);
/* Marks the connection of that number, says whose it is (any number), and what was held on it goes
 * on at the end of this turn. Nothing when it has ended. */
void tn_http_server_let_go(struct tn_http_server *server, uint64_t number, unsigned char mark,
			   int64_t owner);
int64_t tn_http_owner(const struct tn_http_exchange *exchange);      /* of its connection; 0 */
unsigned char tn_http_mark(const struct tn_http_exchange *exchange); /* of its connection; 0 */
uint64_t tn_http_number(const struct tn_http_exchange *exchange);    /* of its connection */
/* The addresses of both ends of its connection. False: it is none any more. */
bool tn_http_ends(const struct tn_http_exchange *exchange, struct sockaddr_storage *ret_here,
		  struct sockaddr_storage *ret_there);

/* ---- what was asked ----
 *
 * Slices point into the request, which stays until the exchange ends or tn_http_forget_request. */

struct tn_str tn_http_method(const struct tn_http_exchange *exchange); /* as sent: "POST" */
struct tn_str tn_http_path(const struct tn_http_exchange *exchange);   /* "/mcp"; "*" for OPTIONS */
/* After "?"; NULL data: there is none. */
struct tn_str tn_http_query(const struct tn_http_exchange *exchange);
/* Of "name=value" in it, as sent; NULL data: there is none. */
struct tn_str tn_http_query_value(const struct tn_http_exchange *exchange, struct tn_str name);

/* The first header of that name (case-insensitive), trimmed of blanks; NULL data: absent.
 * *ret_count, if wanted, is how many there are. */
struct tn_str tn_http_header(const struct tn_http_exchange *exchange, const char *name,
			     size_t *ret_count);
size_t tn_http_header_count(const struct tn_http_exchange *exchange);
struct tn_http_header tn_http_header_at(const struct tn_http_exchange *exchange, size_t index);

/* The decoded body; empty during `check`. The caller may write into it (a JSON reader does). */
char *tn_http_body(struct tn_http_exchange *exchange, size_t *ret_size);

/* Gives the memory of headers and body back; everything above is then empty. For streams that stay
 * open for hours; only after tn_http_stream_begin. */
void tn_http_forget_request(struct tn_http_exchange *exchange);

/* Where it comes from: an IPv6 address, or IPv4 as IPv6 writes it; 16 bytes. */
const unsigned char *tn_http_peer_address(const struct tn_http_exchange *exchange);

void tn_http_set_user(struct tn_http_exchange *exchange, void *user); /* NULL at first */
void *tn_http_user(const struct tn_http_exchange *exchange);

/* ---- one reply ---- */

struct tn_http_reply {
	unsigned status;
	struct tn_str type;                   /* Content-Type; empty: none */
	const struct tn_http_header *headers; /* others; Date, Connection and lengths are ours */
	size_t header_count;
	const struct tn_str *parts; /* the body, one after the other; not kept */
	size_t part_count;
	bool close; /* end the connection afterwards */
};

/* Ends the exchange. What the socket does not take at once is copied. Nothing is sent as body to
 * HEAD, and with 204 and 304. A control byte in a header's value is sent as a blank. */
void tn_http_respond(struct tn_http_exchange *exchange, const struct tn_http_reply *reply);

/* Cuts the connection without an answer. */
void tn_http_abort(struct tn_http_exchange *exchange);

/* ---- another protocol ---- */

struct tn_http_seat;

/* A connection that speaks HTTP no more. */
struct tn_http_upgraded {
	int fd;                    /* a socket, non-blocking; the caller's to close */
	struct tn_buf unread;      /* bytes that came behind the request; the caller's to finish */
	struct tn_http_seat *seat; /* the caller's to give back when the connection has ended */
};

/* A connection keeps its place among those that are counted, whatever it speaks. Accepts NULL. All
 * have left before the server is closed. */
void tn_http_leave(struct tn_http_seat *seat);

/* Answers 101 with these headers (Connection is ours) and gives the connection away: the exchange
 * has ended, and the server knows it no more, but that tn_http_server_drain has nothing to wait
 * for. Only inside `request`. False: the connection broke instead; the exchange has ended. */
bool tn_http_upgrade(struct tn_http_exchange *exchange, const struct tn_http_header *headers,
		     size_t header_count, struct tn_http_upgraded *ret);

/* ---- a stream ---- */

struct tn_http_event {
	struct tn_str id;          /* NULL data: no id line */
	struct tn_str name;        /* NULL data: no event line */
	const struct tn_str *data; /* one line in parts: no CR or LF; JSON text has none */
	size_t data_count;         /* 0: `data:` alone, which a priming event wants (MCP-146) */
};

/* The head leaves with the first bytes, or at the end of this turn. `reply->parts` are such first
 * bytes. From now on the end of the peer's input counts as `closed` (MCP-154); one that came
 * before is a half-closed peer, unless it resets. A HEAD request ends
 * here, as by tn_http_respond: returns false then. */
bool tn_http_stream_begin(struct tn_http_exchange *exchange, const struct tn_http_reply *reply);

/* The same with type and headers of an event stream (MCP-095), and `headers` besides. */
bool tn_http_sse_begin(struct tn_http_exchange *exchange, const struct tn_http_header *headers,
		       size_t header_count);

/* Both: false when nothing was taken: the queue is full (closed after stall_ms if it stays so) or
 * the connection is broken (`closed` follows). */
bool tn_http_stream_event(struct tn_http_exchange *exchange, const struct tn_http_event *event);
bool tn_http_stream_bytes(struct tn_http_exchange *exchange, struct tn_str bytes);

/* Ends the exchange; `last` (or NULL) and the end leave in one send, whatever is queued. */
void tn_http_stream_end(struct tn_http_exchange *exchange, const struct tn_http_event *last);

size_t tn_http_stream_queued(const struct tn_http_exchange *exchange); /* bytes not taken */

#endif
