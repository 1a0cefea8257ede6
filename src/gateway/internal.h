/* internal.h - what the files of the gateway share; not for anybody else. */
#ifndef TN_GATEWAY_INTERNAL_H
#define TN_GATEWAY_INTERNAL_H

#include <sys/socket.h>

#include "base/buf.h"
#include "gateway/body.h"
#include "gateway/gateway.h"
#include "gateway/head.h"
#include "gateway/inject.h"
#include "gateway/limits.h"
#include "loop/tls.h"
#include "transport/http_parse.h"

enum { TN_GATEWAY_ADDRESSES_MAX = 2 };

struct tn_gateway_connection;

struct tn_gateway {
	struct tn_loop *loop;
	int fd;
	struct tn_io *io;
	struct tn_timer *rest; /* while it runs nobody is accepted */
	uint16_t port;
	char own_origin[32];  /* "http://127.0.0.1:40001" */
	char channel_url[32]; /* "ws://127.0.0.1:40001" */
	char *upstream;       /* NULL: none */
	struct tn_route route;
	const struct tn_tls_library *tls; /* NULL: the upstream speaks without */
	char *tls_host;                   /* what it is called then */
	size_t shaking;                   /* connections that connect, or shake hands */
	struct tn_later *again;
	struct sockaddr_storage addresses[TN_GATEWAY_ADDRESSES_MAX];
	size_t address_count;
	char *page_origin;
	struct tn_buf block;  /* the bootstrap block */
	struct tn_buf tagged; /* the script with a block in front; empty: there is none */
	struct tn_str adapter;
	const struct tn_gateway_events *events;
	void *data;
	struct tn_http_limits limits;
	struct tn_gateway_connection *connections;
	size_t count;
	struct tn_channel *channels;
	uint64_t rested_us;   /* until then its pages have had their share of the loop */
	size_t channel_count; /* also of those that are refused, until they have ended */
};

/* One side of a connection: its socket, and what it has not taken yet. TLS: the server's alone. */
struct tn_gateway_end {
	int fd; /* -1: none */
	struct tn_io *io;
	struct tn_buf out;
	size_t sent; /* of it */
	bool eof;    /* it sends no more */

	struct tn_tls *tls; /* NULL: none */
	int shakes_on;      /* events that its handshake waits for */
	bool unread;        /* there may be bytes that the socket does not tell of */
	bool hears_first;   /* it takes nothing before it has said something */
};

enum tn_gateway_phase {
	TN_GATEWAY_HEAD,       /* of the request */
	TN_GATEWAY_WAITING,    /* for others to end their handshakes */
	TN_GATEWAY_CONNECTING, /* to the upstream */
	TN_GATEWAY_SHAKING,    /* hands with it */
	TN_GATEWAY_EXCHANGE,
	TN_GATEWAY_TUNNEL, /* a WebSocket, as bytes */
	TN_GATEWAY_ENDING, /* everything is said but what waits for the client */
	TN_GATEWAY_LINGER, /* the client has it all; what it still sends is dropped */
	TN_GATEWAY_DEAD
};

struct tn_gateway_connection {
	struct tn_gateway *gateway;
	struct tn_gateway_connection *next, *previous;
	enum tn_gateway_phase phase;
	struct tn_gateway_end client, server;
	tn_io_fn *server_ready; /* the server's socket */
	struct tn_timer *timer;
	struct tn_buf in;              /* the request's head, then the answer's */
	struct tn_buf early;           /* for the WebSocket that is not agreed on yet */
	struct tn_http_parser *parser; /* until the request's head is written */
	struct tn_body request_body, answer_body;
	size_t address;               /* that is tried */
	bool head_only, old, upgrade; /* HEAD; HTTP/1.0; a WebSocket */
	bool answered;                /* the answer's head is written */
	bool has_turn;                /* one of those that shake hands */
	bool inject, chunked;
	struct tn_inject injector;
	char nonce[27];
};

/* ---- connection.c ---- */
/* False: so few descriptors are left that they are for the rest of the program. */
bool tn_gateway_may_have(int fd);
void tn_gateway_admit(struct tn_gateway *gateway, int fd);
void tn_gateway_drop(struct tn_gateway_connection *c); /* at once */
/* What has come of it is sent, and it is waited for what comes next. May free it. */
void tn_gateway_settle(struct tn_gateway_connection *c);
/* Bytes of the server, if there is room for them; then it settles. */
void tn_gateway_read_on(struct tn_gateway_connection *c);

/* ---- end.c; `library` may be NULL for the client's ---- */
void tn_gateway_end_close(struct tn_gateway_end *end, const struct tn_tls_library *library);
size_t tn_gateway_end_pending(const struct tn_gateway_end *end);
/* False: the peer is gone. */
bool tn_gateway_end_flush(struct tn_gateway_end *end, const struct tn_tls_library *library);
/* One read of at most so many bytes; more come in another turn, so that nobody is kept waiting.
 * -1: nothing is there; 0: the end. */
ssize_t tn_gateway_end_read(struct tn_gateway_end *end, const struct tn_tls_library *library,
			    char bytes[TN_GATEWAY_READ_BYTES]);

/* ---- turn.c ---- */
/* Handshakes take their time of the loop, so few are made at once. False: it waits for its turn. */
bool tn_gateway_take_turn(struct tn_gateway_connection *c);
void tn_gateway_end_turn(struct tn_gateway_connection *c); /* if it had one */

/* ---- secure.c ---- */
void tn_gateway_begin_tls(struct tn_gateway_connection *c);
void tn_gateway_shake(struct tn_gateway_connection *c, int events);
void tn_gateway_run_again(struct tn_later *later, void *gateway);

/* ---- reply.c ---- */
/* Answers by ourselves; the connection ends. */
void tn_gateway_answer(struct tn_gateway_connection *c, unsigned status, const char *type,
		       struct tn_str body);
void tn_gateway_say(struct tn_gateway_connection *c, unsigned status, const char *sentence);
/* The same with more headers: whole lines. */
void tn_gateway_answer_with(struct tn_gateway_connection *c, struct tn_str lines, unsigned status,
			    const char *type, struct tn_str body);

/* ---- tag.c ---- */
/* S18: the script that makes its block itself. */
TN_MUST_USE enum tenon_code tn_gateway_make_tagged(struct tn_gateway *gateway, struct tn_str block,
						   struct tenon_error *err);
/* To pages of the one origin, and to nobody else: it has the key. */
void tn_gateway_answer_tag(struct tn_gateway_connection *c);

/* ---- upstream.c ---- */
/* Begins to connect, or tries the next address; answers where none is left. */
void tn_gateway_connect(struct tn_gateway_connection *c);
bool tn_gateway_find_upstream(struct tn_gateway *gateway, const struct tn_gateway_options *options,
			      struct tenon_error *err);
void tn_gateway_connected(struct tn_gateway_connection *c);

/* ---- answer.c ---- */
/* Bytes of the upstream, or its end. */
void tn_gateway_take_answer(struct tn_gateway_connection *c, struct tn_str bytes, bool ended);

/* ---- channel.c ---- */
/* Takes the connection's socket over where it is a page's channel; otherwise answers. */
void tn_gateway_open_channel(struct tn_gateway_connection *c);
void tn_gateway_close_channels(struct tn_gateway *gateway);

#endif
