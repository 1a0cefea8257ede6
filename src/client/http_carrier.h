/* http_carrier.h - what the parts of the two HTTP carriers share: carrier_http.c (ops and end),
 * http_send.c (requests leave), http_receive.c (answers come), http_resume.c (streams that end
 * before their time), carrier_sse.c (what is different in HTTP+SSE: one stream has all answers, and
 * says where to POST).
 *
 * Every POST, the GET stream and the DELETE is an exchange, a state machine of its own.
 * Ownership: the carrier owns its exchanges. Whatever is called from an event of the HTTP client, a
 * timer or the end of a turn stands between tn_http_carrier_enter and _leave; in between nothing
 * is freed, so that the conversation may do in its events what it likes. Threads: loop. */
#ifndef TN_CLIENT_HTTP_CARRIER_H
#define TN_CLIENT_HTTP_CARRIER_H

#include "client/carrier.h"
#include "client/event_reader.h"
#include "client/http_target.h"
#include "loop/http_stream.h"

enum tn_exchange_kind {
	TN_EXCHANGE_REQUEST, /* a POST whose answer is waited for */
	TN_EXCHANGE_NOTE,    /* a POST of a notification or a response */
	TN_EXCHANGE_FEED,    /* the GET stream for what belongs to no request */
	TN_EXCHANGE_DELETE
};

enum tn_exchange_state {
	TN_EXCHANGE_QUEUED, /* behind `notifications/initialized`, or just made */
	TN_EXCHANGE_SENT,   /* no head yet */
	TN_EXCHANGE_JSON,
	TN_EXCHANGE_EVENTS,
	TN_EXCHANGE_FAULT,    /* the body of a reply that is no answer is collected */
	TN_EXCHANGE_DRAIN,    /* the rest does not matter */
	TN_EXCHANGE_REDIRECT, /* goes to another URL of the origin when this one is complete */
	TN_EXCHANGE_WAIT,     /* before a stream is resumed */
	TN_EXCHANGE_FAILED,   /* could not be sent: `end` is told at the end of the turn */
	TN_EXCHANGE_GONE      /* is freed when nobody stands in it */
};

struct tn_http_carrier;

struct tn_exchange {
	struct tn_http_carrier *carrier;
	struct tn_exchange *next, **link;
	enum tn_exchange_kind kind;
	enum tn_exchange_state state;
	void *request; /* NULL: nobody waits (any more) */
	enum tn_revision revision;
	struct tn_http_stream *stream;
	struct tn_timer *timer; /* before a resumption; while lingering */
	struct tn_arena arena;
	const char *const *lines; /* of the POST */
	struct tn_str json;
	const char *url;     /* NULL: the target's */
	bool resuming;       /* what runs is a GET of ours, not the POST */
	bool in_session;     /* what runs has a session id */
	bool answered;       /* the response has come on the stream */
	unsigned session_no; /* of the carrier when it was made */
	unsigned redirects;
	unsigned tries; /* connections without an event */
	struct tn_event_reader reader;
	struct tn_buf body;
	struct tn_str current;     /* the message that is being handed over */
	struct tn_carrier_end end; /* FAULT, FAILED */
};

struct tn_http_carrier {
	struct tn_carrier base;
	struct tn_loop *loop;
	uint32_t connect_timeout_ms;
	struct tn_http_target target;
	struct tn_http_streams *streams;
	struct tn_exchange *first, **last; /* in the order they were sent */
	bool is_sse;
	char *endpoint; /* HTTP+SSE: where to POST; NULL: not said yet */
	struct tn_timer *endpoint_timer;
	struct tn_exchange *barrier; /* `notifications/initialized` on its way */
	struct tn_exchange *feed;
	char *session;             /* NULL: none */
	bool session_lost;         /* told, or ended by us */
	unsigned session_no;       /* counts `initialize` */
	enum tn_revision revision; /* of the session */
	struct tn_later *later;
	struct tn_timer *grace; /* while closing */
	unsigned depth;
	bool is_ready, is_starved; /* to be told at the end of the turn, or told */
	bool is_lost;
	bool is_closing, is_over;
	void (*closed)(void *data);
	void *closed_data;
};

/* carrier_http.c */
void tn_http_carrier_enter(struct tn_http_carrier *carrier);
void tn_http_carrier_leave(struct tn_http_carrier *carrier);
/* Once; nothing else comes any more. */
void tn_http_carrier_lose(struct tn_http_carrier *carrier, const struct tenon_error *err);
/* The server does not know the exchange's session: the same, unless a request has told it. */
void tn_http_carrier_lose_session(struct tn_exchange *exchange, const struct tenon_error *err);
/* NULL: no memory. */
struct tn_exchange *tn_exchange_open(struct tn_http_carrier *carrier, enum tn_exchange_kind kind,
				     enum tn_revision revision);
void tn_exchange_drop(struct tn_exchange *exchange); /* tells nobody */
/* Tells who waits, and drops it. */
void tn_exchange_end(struct tn_exchange *exchange, const struct tn_carrier_end *end);

/* Opens the carrier without saying `ready`. */
TN_MUST_USE enum tenon_code tn_http_carrier_open(const struct tn_carrier_options *options,
						 const struct tn_url_target *target,
						 const struct tn_carrier *base,
						 struct tn_http_carrier **ret,
						 struct tenon_error *err);
/* Starts what waited for `notifications/initialized` or for the endpoint. */
void tn_http_carrier_release(struct tn_http_carrier *carrier);
void tn_http_carrier_send(struct tn_carrier *base, const struct tn_outgoing *message);
void tn_http_carrier_forget(struct tn_carrier *base, void *request);
void tn_http_carrier_close(struct tn_carrier *base, void (*closed)(void *data), void *data);
void tn_http_carrier_abort(struct tn_carrier *base);

/* carrier_sse.c: an `endpoint` event. */
void tn_sse_endpoint_came(struct tn_exchange *feed, struct tn_str reference);
/* The one stream is over, or never was: so is the carrier. */
void tn_sse_stream_over(struct tn_exchange *feed, const struct tn_carrier_end *end);

/* http_send.c: each starts a request, or fails: the exchange is then FAILED. */
void tn_exchange_fill(struct tn_exchange *exchange, const struct tn_outgoing *message);
void tn_exchange_post(struct tn_exchange *exchange);
void tn_exchange_get(struct tn_exchange *exchange); /* a feed, or resumes */
void tn_exchange_delete(struct tn_exchange *exchange);
void tn_exchange_again(struct tn_exchange *exchange); /* after a redirection */

/* http_receive.c */
extern const struct tn_http_stream_events tn_exchange_events;

/* http_resume.c: the stream is over, for `end`'s reason; another try, or the end of it. */
void tn_exchange_stream_over(struct tn_exchange *exchange, const struct tn_carrier_end *end);
/* The reply to a GET is no stream. */
void tn_exchange_get_refused(struct tn_exchange *exchange, const struct tn_carrier_end *end);
/* The answer is there and nobody waits: the stream may end by itself, so that its connection is
 * kept. */
void tn_exchange_linger(struct tn_exchange *exchange);

#endif
