/* http_connection.h - what the files of the HTTP server share; not for anybody else.
 *
 * A connection carries one exchange at a time, so both are one struct, kept small: thousands of
 * them idle with an open stream. Bytes of requests lie in pooled inputs, which an idle connection
 * does not have. Threads: loop thread only. */
#ifndef TN_TRANSPORT_HTTP_CONNECTION_H
#define TN_TRANSPORT_HTTP_CONNECTION_H

#include "transport/http.h"
#include "transport/http_parse.h"
#include "transport/http_response.h"

enum {
	TN_HTTP_INPUT_BYTES = 16 * 1024, /* one read, and how far we read ahead of an answer */
	TN_HTTP_INPUTS_KEPT = 16,        /* in the pool */
	TN_HTTP_BATCH_BYTES = 65536,     /* answers that wait to leave in one write */
	TN_HTTP_LATE_BYTES = 4096,       /* an output that may wait for the end of the turn */
	TN_HTTP_LATE_MAX = 1024 * 1024,  /* all that wait at once */
	TN_HTTP_REFUSED_MAX = 64,        /* connections above the cap that are told so */
	TN_HTTP_PROBE_MS = 250           /* how often a stream's half-closed peer is looked at */
};

/* Bytes from the peer: data[start..size), beginning with the request being parsed. */
struct tn_http_input {
	struct tn_http_input *next; /* in the pool */
	char *data;
	size_t start, size, capacity;
	struct tn_http_parser parser;
};

enum tn_http_phase {
	TN_HTTP_IDLE,    /* nothing of the next request is here */
	TN_HTTP_HEAD,    /* a part of its head is */
	TN_HTTP_CHECK,   /* inside the check callback */
	TN_HTTP_BODY,    /* a part of its body is */
	TN_HTTP_HELD,    /* all of it is, and `request` has to wait */
	TN_HTTP_BUSY,    /* handed over, not answered */
	TN_HTTP_STREAM,  /* being answered by a stream */
	TN_HTTP_WRITING, /* answered, not all of it written */
	TN_HTTP_LINGER,  /* everything sent and said so; what still comes is dropped */
	TN_HTTP_BROKEN,  /* the exchange is open, the connection is not; `closed` is due */
	TN_HTTP_DEAD     /* descriptor closed; memory is freed at the end of the turn */
};

/* Connections that wait for the same time stand in one queue each, so that the first is due first
 * and one timer serves them all. */
enum tn_http_wait {
	TN_HTTP_WAIT_NONE,
	TN_HTTP_WAIT_HEADERS,
	TN_HTTP_WAIT_BODY,
	TN_HTTP_WAIT_IDLE,
	TN_HTTP_WAIT_KEEPALIVE,
	TN_HTTP_WAIT_PROBE,
	TN_HTTP_WAIT_STALL,
	TN_HTTP_WAIT_LINGER,
	TN_HTTP_WAITS
};

struct tn_http_exchange {
	struct tn_http_server *server;
	struct tn_io *io;
	int fd;
	unsigned char phase; /* enum tn_http_phase */
	unsigned char wait;  /* enum tn_http_wait */
	bool eof;            /* the peer sends no more */
	bool closing;        /* the connection ends with the answer */
	bool refused;        /* answered by the check */
	bool chunked;        /* the stream's framing */
	bool event_stream;   /* comments may be sent in silence */
	bool processing;     /* inside the loop over the input */
	bool due;            /* in the list of the end of this turn */
	bool over_cap;       /* one of those that are only told to go away */
	bool over_queue;     /* the stream's peer does not read */
	bool late;           /* in the server's list of those with late bytes */
	bool anybodys;       /* this request */
	bool served;         /* a request of it has passed the check, which was not anybody's */
	bool held;           /* not to be handed over */
	unsigned char mark;  /* the user's, of the connection */
	uint16_t periods;    /* that the wait was prolonged for */
	uint64_t since_ms;   /* when the wait began */
	struct tn_http_exchange *wait_prev, *wait_next;
	struct tn_http_exchange *prev, *next; /* all connections */
	struct tn_http_exchange *due_next;
	struct tn_http_input *in;  /* not handed over yet; NULL: nothing */
	struct tn_http_input *req; /* the exchange's request; may be `in` */
	struct tn_buf out;         /* not written yet, from out_sent */
	size_t out_sent;
	/* Bytes in the server's `late` that count as sent and go at the end of this turn. */
	struct tn_http_exchange *late_next;
	uint32_t late_at, late_size;
	void *user;
	int64_t owner;          /* the user's, of the connection */
	uint64_t number;        /* never used again */
	unsigned char peer[16]; /* IPv6 or mapped IPv4 */
};

/* The place of a connection that speaks another protocol now. */
struct tn_http_seat {
	struct tn_http_server *server;
	struct tn_http_seat *next, *prev;
	unsigned char peer[16];
};

struct tn_http_queue {
	struct tn_http_exchange *first, *last;
	uint32_t duration_ms;
};

struct tn_http_server {
	struct tn_loop *loop;
	struct tn_http_limits limits;
	const struct tn_http_handler *handler;
	void *data;
	struct tn_str fixed_lines; /* of every head */
	int fd;                    /* -1: not accepting any more */
	struct tn_io *io;
	uint16_t port;
	struct tn_http_exchange *connections, *dead, *due;
	uint64_t numbers; /* given to connections */
	size_t count, refused;
	struct tn_http_seat *seats;
	size_t seat_count;
	struct tn_later *turn; /* frees the dead, serves the due */
	struct tn_timer *timer, *accept_timer;
	uint64_t timer_due_ms;
	struct tn_http_queue waits[TN_HTTP_WAITS];
	struct tn_http_input *pool;
	size_t pooled;
	struct tn_buf batch; /* answers of the connection being processed */
	struct tn_buf late;  /* small outputs of this turn, of all connections */
	struct tn_http_exchange *late_first, **late_tail;
	struct tn_buf head;  /* the head being built */
	struct tn_buf lines; /* what the handler adds to it */
	char date[TN_HTTP_DATE_SIZE];
	uint64_t date_until_ms;
	void (*drained)(void *data);
	void *drained_data;
	bool draining;
};

/* ---- http_server.c ---- */

struct tn_http_input *tn_http_input_take(struct tn_http_server *server); /* NULL: no memory */
void tn_http_input_give(struct tn_http_server *server, struct tn_http_input *input);
void tn_http_due(struct tn_http_exchange *c); /* tn_http_serve_due at the end of this turn */
void tn_http_kill(struct tn_http_exchange *c);
/* The same without closing the descriptor, which is returned. */
int tn_http_release(struct tn_http_exchange *c);

/* For a connection that is about to be released; NULL: no memory. */
struct tn_http_seat *tn_http_sit(const struct tn_http_exchange *c);

/* ---- http_wait.c ---- */

void tn_http_set_durations(struct tn_http_server *server); /* from its limits */
/* Enters a queue at its end, from now on; leaves the one before. */
void tn_http_wait(struct tn_http_exchange *c, enum tn_http_wait wait);
void tn_http_unwait(struct tn_http_exchange *c);
void tn_http_timer_expired(struct tn_timer *timer, void *data); /* data: the server */
const char *tn_http_date(struct tn_http_server *server);

/* ---- http_connection.c ---- */

void tn_http_ready(struct tn_io *io, int events, void *data);
void tn_http_serve_due(struct tn_http_exchange *c);
void tn_http_settle(struct tn_http_exchange *c); /* after a change of phase */
void tn_http_break(struct tn_http_exchange *c);  /* kills, or says `closed` and kills */
/* Answers by ourselves, and the connection ends. */
void tn_http_fault(struct tn_http_exchange *c, unsigned status, const char *sentence);

/* ---- http_exchange.c ---- */

/* The handler's lines for an answer to this request; valid until the next call. */
struct tn_str tn_http_more_headers(const struct tn_http_exchange *c);

/* ---- http_output.c ---- */

/* Sends or queues what waits, then the parts. hold: more will follow in this turn, so it may wait.
 * False: the peer is gone or the memory is; the caller ends the connection. */
bool tn_http_output(struct tn_http_exchange *c, const struct tn_str *parts, size_t count,
		    bool hold);
bool tn_http_flush(struct tn_http_exchange *c); /* false as above */
/* Everything that waits, and the parts, behind each other in c->out; out.failed tells. */
void tn_http_queue(struct tn_http_exchange *c, const struct tn_str *parts, size_t count);
/* Sends what waited for the end of the turn. */
void tn_http_send_late(struct tn_http_server *server);
/* The same for one connection, whatever becomes of it. */
void tn_http_send_late_of(struct tn_http_exchange *c);
static inline size_t tn_http_pending(const struct tn_http_exchange *c)
{
	return c->out.size - c->out_sent;
}

#endif
