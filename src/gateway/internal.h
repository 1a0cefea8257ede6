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
	struct sockaddr_storage addresses[TN_GATEWAY_ADDRESSES_MAX];
	size_t address_count;
	char *page_origin;
	struct tn_buf block; /* the bootstrap block */
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

/* One side of a connection: its socket, and what it has not taken yet. */
struct tn_gateway_end {
	int fd; /* -1: none */
	struct tn_io *io;
	struct tn_buf out;
	size_t sent; /* of it */
	bool eof;    /* it sends no more */
};

enum tn_gateway_phase {
	TN_GATEWAY_HEAD,       /* of the request */
	TN_GATEWAY_CONNECTING, /* to the upstream */
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
	bool inject, chunked;
	struct tn_inject injector;
	char nonce[27];
};

/* ---- connection.c ---- */
/* False: so few descriptors are left that they are for the rest of the program. */
bool tn_gateway_may_have(int fd);
void tn_gateway_admit(struct tn_gateway *gateway, int fd);
void tn_gateway_drop(struct tn_gateway_connection *c); /* at once */

/* ---- reply.c ---- */
/* Answers by ourselves; the connection ends. */
void tn_gateway_answer(struct tn_gateway_connection *c, unsigned status, const char *type,
		       struct tn_str body);

/* ---- upstream.c ---- */
/* Begins to connect, or tries the next address; answers where none is left. */
void tn_gateway_connect(struct tn_gateway_connection *c);
bool tn_gateway_find_upstream(struct tn_gateway *gateway, const char *upstream,
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
