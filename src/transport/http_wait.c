/* The time that connections may take: a queue for each kind of wait, and one timer for all. */
#include <poll.h>

#include "transport/http_connection.h"
#include "transport/sse.h"

void tn_http_set_durations(struct tn_http_server *server)
{
	const struct tn_http_limits *limits = &server->limits;

	server->waits[TN_HTTP_WAIT_HEADERS].duration_ms = limits->headers_timeout_ms;
	server->waits[TN_HTTP_WAIT_BODY].duration_ms = limits->body_timeout_ms;
	server->waits[TN_HTTP_WAIT_IDLE].duration_ms = limits->idle_ms;
	server->waits[TN_HTTP_WAIT_KEEPALIVE].duration_ms = limits->keepalive_ms;
	server->waits[TN_HTTP_WAIT_PROBE].duration_ms = TN_HTTP_PROBE_MS;
	server->waits[TN_HTTP_WAIT_STALL].duration_ms = limits->stall_ms;
	server->waits[TN_HTTP_WAIT_LINGER].duration_ms = limits->linger_ms;
}

const char *tn_http_date(struct tn_http_server *server)
{
	uint64_t now = tn_loop_now_ms(server->loop);

	if (now >= server->date_until_ms) {
		int64_t wall = tn_clock_wall_ms(&tn_clock_system);

		tn_http_format_date(wall, server->date);
		server->date_until_ms = now + 1000 - (uint64_t)(wall % 1000);
	}
	return server->date;
}

void tn_http_unwait(struct tn_http_exchange *c)
{
	struct tn_http_queue *queue = &c->server->waits[c->wait];

	if (c->wait == TN_HTTP_WAIT_NONE)
		return;
	if (c->wait_prev)
		c->wait_prev->wait_next = c->wait_next;
	else
		queue->first = c->wait_next;
	if (c->wait_next)
		c->wait_next->wait_prev = c->wait_prev;
	else
		queue->last = c->wait_prev;
	c->wait_prev = c->wait_next = NULL;
	c->wait = TN_HTTP_WAIT_NONE;
}

static void arm_timer(struct tn_http_server *server, uint64_t at_ms)
{
	uint64_t now = tn_loop_now_ms(server->loop);

	if (tn_timer_active(server->timer) && server->timer_due_ms <= at_ms)
		return; /* it will look again then */
	server->timer_due_ms = at_ms;
	tn_timer_start(server->timer, at_ms > now ? at_ms - now : 0);
}

void tn_http_wait(struct tn_http_exchange *c, enum tn_http_wait wait)
{
	struct tn_http_queue *queue = &c->server->waits[wait];

	tn_http_unwait(c);
	if (wait == TN_HTTP_WAIT_NONE || (wait == TN_HTTP_WAIT_KEEPALIVE && !queue->duration_ms))
		return;
	c->wait = (unsigned char)wait;
	c->since_ms = tn_loop_now_ms(c->server->loop);
	c->wait_prev = queue->last;
	if (queue->last)
		queue->last->wait_next = c;
	else
		queue->first = c;
	queue->last = c;
	arm_timer(c->server, c->since_ms + queue->duration_ms);
}

/* Slow, but faster than an attacker: it gets another period. */
static bool is_body_fast_enough(struct tn_http_exchange *c)
{
	const struct tn_http_limits *limits = &c->server->limits;
	uint64_t needed;

	if (c->periods < UINT16_MAX)
		c->periods++;
	needed = (uint64_t)c->periods * limits->body_timeout_ms * limits->body_rate_min / 1000;
	return c->in && needed && c->in->parser.taken >= needed;
}

static void ping(struct tn_http_exchange *c)
{
	/* Bytes under way are a sign of life already, and a queue must not grow by signs of life.
	 */
	if (c->event_stream && tn_http_pending(c) == 0)
		(void)tn_http_stream_bytes(c, TN_SSE_PING); /* a broken one is told as `closed` */
}

/* The peer sent its end before the stream began. Half-closed, it listens; wholly closed, it has
 * answered our first bytes with a reset, which only shows when looked for: its input is at its end
 * and so is ready all the time. */
static void probe(struct tn_http_exchange *c)
{
	uint32_t keepalive_ms = c->server->limits.keepalive_ms;
	struct pollfd peer = {.fd = c->fd};

	if (poll(&peer, 1, 0) == 1 && (peer.revents & (POLLERR | POLLHUP))) {
		tn_http_break(c);
		return;
	}
	tn_http_wait(c, TN_HTTP_WAIT_PROBE);
	if (keepalive_ms && ++c->periods * TN_HTTP_PROBE_MS >= keepalive_ms) {
		c->periods = 0;
		ping(c);
	}
}

static void time_is_up(struct tn_http_exchange *c, enum tn_http_wait wait)
{
	switch (wait) {
	case TN_HTTP_WAIT_BODY:
		if (is_body_fast_enough(c)) {
			tn_http_wait(c, wait);
			return;
		}
		/* fall through */
	case TN_HTTP_WAIT_HEADERS:
		if (c->refused) { /* answered already */
			tn_http_kill(c);
			return;
		}
		tn_http_fault(c, 408, "the request took too long to arrive");
		tn_http_settle(c);
		return;
	case TN_HTTP_WAIT_KEEPALIVE:
		tn_http_wait(c, wait);
		ping(c);
		return;
	case TN_HTTP_WAIT_PROBE:
		probe(c);
		return;
	default:
		tn_http_break(c);
		return;
	}
}

void tn_http_timer_expired(struct tn_timer *timer, void *data)
{
	struct tn_http_server *server = data;
	uint64_t now = tn_loop_now_ms(server->loop), next = UINT64_MAX;

	(void)timer;
	for (unsigned wait = 1; wait < TN_HTTP_WAITS; wait++) {
		struct tn_http_queue *queue = &server->waits[wait];

		while (queue->first && queue->first->since_ms + queue->duration_ms <= now)
			time_is_up(queue->first, wait);
	}
	for (unsigned wait = 1; wait < TN_HTTP_WAITS; wait++) {
		const struct tn_http_queue *queue = &server->waits[wait];

		if (queue->first && queue->first->since_ms + queue->duration_ms < next)
			next = queue->first->since_ms + queue->duration_ms;
	}
	if (next != UINT64_MAX)
		arm_timer(server, next);
}
