/* The Streamable HTTP carrier: its ops, its session, and its end. */
#include "base/limits.h"
#include "base/mem.h"
#include "client/http_carrier.h"
#include "client/http_reply.h"
#include "client/limits.h"

static struct tn_http_carrier *carrier_of(struct tn_carrier *base)
{
	return (struct tn_http_carrier *)(void *)base; /* its first member */
}

/* ---- exchanges ---- */

struct tn_exchange *tn_exchange_open(struct tn_http_carrier *carrier, enum tn_exchange_kind kind,
				     enum tn_revision revision)
{
	struct tn_exchange *exchange = tn_mem_alloc(sizeof(*exchange));

	if (!exchange)
		return NULL;
	exchange->carrier = carrier;
	exchange->kind = kind;
	exchange->revision = revision;
	exchange->session_no = carrier->session_no;
	tn_arena_init(&exchange->arena, TN_RESULT_BYTES_MAX + TN_MIB);
	tn_event_reader_init(&exchange->reader, TN_RESULT_BYTES_MAX);
	tn_buf_init(&exchange->body, TN_RESULT_BYTES_MAX);
	exchange->link = carrier->last;
	*carrier->last = exchange;
	carrier->last = &exchange->next;
	return exchange;
}

static void free_exchange(struct tn_exchange *exchange)
{
	struct tn_http_carrier *carrier = exchange->carrier;

	*exchange->link = exchange->next;
	if (exchange->next)
		exchange->next->link = exchange->link;
	else
		carrier->last = exchange->link;
	tn_timer_close(exchange->timer);
	tn_arena_finish(&exchange->arena);
	tn_event_reader_finish(&exchange->reader);
	tn_buf_finish(&exchange->body);
	tn_mem_free(exchange);
}

void tn_http_carrier_release(struct tn_http_carrier *carrier)
{
	if (carrier->barrier || carrier->is_lost || (carrier->is_sse && !carrier->endpoint))
		return;
	for (struct tn_exchange *at = carrier->first; at; at = at->next) {
		if (at->state != TN_EXCHANGE_QUEUED)
			continue;
		if (at->kind == TN_EXCHANGE_FEED)
			tn_exchange_get(at);
		else
			tn_exchange_post(at);
	}
}

void tn_exchange_drop(struct tn_exchange *exchange)
{
	struct tn_http_carrier *carrier = exchange->carrier;

	if (exchange->state == TN_EXCHANGE_GONE)
		return;
	tn_http_carrier_enter(carrier);
	exchange->state = TN_EXCHANGE_GONE;
	exchange->request = NULL;
	tn_http_stream_cancel(exchange->stream);
	exchange->stream = NULL;
	if (exchange->timer)
		tn_timer_stop(exchange->timer);
	if (carrier->feed == exchange)
		carrier->feed = NULL;
	if (carrier->barrier == exchange) {
		carrier->barrier = NULL;
		tn_http_carrier_release(carrier);
	}
	tn_http_carrier_leave(carrier);
}

void tn_exchange_end(struct tn_exchange *exchange, const struct tn_carrier_end *end)
{
	struct tn_http_carrier *carrier = exchange->carrier;
	void *request = exchange->request;

	tn_http_carrier_enter(carrier);
	tn_exchange_drop(exchange);
	if (request)
		carrier->base.events->ended(carrier->base.data, request, end);
	tn_http_carrier_leave(carrier);
}

static void drop_all(struct tn_http_carrier *carrier, bool notes)
{
	for (struct tn_exchange *at = carrier->first; at; at = at->next) {
		if (notes || at->kind != TN_EXCHANGE_NOTE)
			tn_exchange_drop(at);
	}
}

/* ---- the carrier's own life ---- */

static void free_carrier(struct tn_http_carrier *carrier)
{
	while (carrier->first)
		free_exchange(carrier->first);
	tn_http_streams_close(carrier->streams);
	tn_http_target_finish(&carrier->target);
	tn_later_close(carrier->later);
	tn_timer_close(carrier->grace);
	tn_timer_close(carrier->endpoint_timer);
	tn_mem_free(carrier->endpoint);
	tn_mem_free(carrier->session);
	tn_mem_free(carrier);
}

void tn_http_carrier_enter(struct tn_http_carrier *carrier)
{
	carrier->depth++;
}

void tn_http_carrier_leave(struct tn_http_carrier *carrier)
{
	struct tn_exchange *next;

	if (carrier->depth > 1) {
		carrier->depth--;
		return;
	}
	for (struct tn_exchange *at = carrier->first; at; at = next) {
		next = at->next;
		if (at->state == TN_EXCHANGE_GONE)
			free_exchange(at);
	}
	carrier->depth = 0;
	if (carrier->is_over) {
		void (*closed)(void *data) = carrier->closed;
		void *data = carrier->closed_data;

		free_carrier(carrier);
		if (closed)
			closed(data);
	} else if (carrier->is_closing && !carrier->first) {
		tn_later_request(carrier->later);
	}
}

void tn_http_carrier_lose(struct tn_http_carrier *carrier, const struct tenon_error *err)
{
	if (carrier->is_lost || carrier->is_closing)
		return;
	carrier->is_lost = true;
	drop_all(carrier, true);
	carrier->base.events->lost(carrier->base.data, err);
}

void tn_http_carrier_lose_session(struct tn_exchange *exchange, const struct tenon_error *err)
{
	struct tn_http_carrier *carrier = exchange->carrier;

	if (carrier->session_lost || exchange->session_no != carrier->session_no)
		return;
	carrier->session_lost = true;
	tn_http_carrier_lose(carrier, err);
}

/* ---- closing: notifications leave, the session is ended (MCP-134), `closed` ---- */

static bool has_kind(const struct tn_http_carrier *carrier, enum tn_exchange_kind kind)
{
	for (const struct tn_exchange *at = carrier->first; at; at = at->next) {
		if (at->kind == kind && at->state != TN_EXCHANGE_GONE)
			return true;
	}
	return false;
}

static void go_on_closing(struct tn_http_carrier *carrier)
{
	struct tn_exchange *last;

	if (has_kind(carrier, TN_EXCHANGE_NOTE) || has_kind(carrier, TN_EXCHANGE_DELETE))
		return;
	if (carrier->session && !carrier->session_lost) {
		carrier->session_lost = true;
		last = tn_exchange_open(carrier, TN_EXCHANGE_DELETE, carrier->revision);
		if (last) {
			tn_exchange_delete(last);
			return;
		}
	}
	carrier->is_over = true;
}

static void grace_over(struct tn_timer *timer, void *data)
{
	struct tn_http_carrier *carrier = data;

	(void)timer;
	tn_http_carrier_enter(carrier);
	for (struct tn_exchange *at = carrier->first; at; at = at->next) {
		if (at->kind == TN_EXCHANGE_NOTE)
			tn_exchange_drop(at);
	}
	tn_http_carrier_leave(carrier);
}

void tn_http_carrier_close(struct tn_carrier *base, void (*closed)(void *data), void *data)
{
	struct tn_http_carrier *carrier = carrier_of(base);
	bool waits;

	tn_http_carrier_enter(carrier);
	carrier->is_closing = true;
	carrier->closed = closed;
	carrier->closed_data = data;
	waits = tn_timer_open(carrier->loop, grace_over, carrier, &carrier->grace, NULL) ==
		TENON_OK;
	if (waits)
		tn_timer_start(carrier->grace, TN_SHUTDOWN_GRACE_MS);
	drop_all(carrier, !waits || carrier->is_lost);
	tn_http_carrier_leave(carrier);
}

void tn_http_carrier_abort(struct tn_carrier *base)
{
	struct tn_http_carrier *carrier = carrier_of(base);

	tn_http_carrier_enter(carrier);
	carrier->is_lost = true;
	carrier->is_over = true;
	carrier->closed = NULL;
	drop_all(carrier, true);
	tn_http_carrier_leave(carrier);
}

/* ---- what is told at the end of the turn ---- */

static void tell_failed(struct tn_exchange *exchange)
{
	/* The feed has its own patience. */
	if (exchange->kind == TN_EXCHANGE_FEED)
		tn_exchange_stream_over(exchange, &exchange->end);
	else
		tn_exchange_end(exchange, &exchange->end);
}

static void turn_over(struct tn_later *later, void *data)
{
	struct tn_http_carrier *carrier = data;
	struct tenon_error err;

	(void)later;
	tn_http_carrier_enter(carrier);
	if (!carrier->is_ready && !carrier->is_closing && !carrier->is_lost &&
	    (!carrier->is_sse || carrier->endpoint)) {
		carrier->is_ready = true;
		carrier->base.events->ready(carrier->base.data);
	}
	if (carrier->is_starved) {
		(void)tn_fail(&err, TENON_NO_MEMORY, "out of memory");
		tn_http_carrier_lose(carrier, &err);
	}
	for (struct tn_exchange *at = carrier->first; at; at = at->next) {
		if (at->state == TN_EXCHANGE_FAILED)
			tell_failed(at);
	}
	if (carrier->is_closing && !carrier->is_over)
		go_on_closing(carrier);
	tn_http_carrier_leave(carrier);
}

/* ---- ops ---- */

/* A new conversation: what belonged to the old one is over. */
static void begin_session(struct tn_http_carrier *carrier)
{
	carrier->session_no++;
	carrier->session_lost = false;
	tn_mem_free(carrier->session);
	carrier->session = NULL;
	if (carrier->feed && !carrier->is_sse)
		tn_exchange_drop(carrier->feed);
}

static void starve(struct tn_http_carrier *carrier)
{
	carrier->is_starved = true;
	tn_later_request(carrier->later);
}

void tn_http_carrier_send(struct tn_carrier *base, const struct tn_outgoing *message)
{
	struct tn_http_carrier *carrier = carrier_of(base);
	struct tn_exchange *exchange;

	if (carrier->is_lost || carrier->is_closing)
		return;
	tn_http_carrier_enter(carrier);
	if (message->request && message->revision == TN_REVISION_NONE)
		begin_session(carrier);
	else if (message->revision >= TN_R1 && message->revision <= TN_R4)
		carrier->revision = message->revision;
	exchange =
		tn_exchange_open(carrier, message->request ? TN_EXCHANGE_REQUEST : TN_EXCHANGE_NOTE,
				 message->revision);
	if (exchange) {
		tn_exchange_fill(exchange, message);
		if (exchange->state == TN_EXCHANGE_QUEUED &&
		    (!carrier->barrier || message->revision == TN_R5) &&
		    (!carrier->is_sse || carrier->endpoint))
			tn_exchange_post(exchange);
		/* Requests that overtake it would be refused (MCP-065). */
		if (tn_str_is(message->method, "notifications/initialized"))
			carrier->barrier = exchange;
	} else {
		starve(carrier);
	}
	tn_http_carrier_leave(carrier);
}

void tn_http_carrier_forget(struct tn_carrier *base, void *request)
{
	struct tn_http_carrier *carrier = carrier_of(base);
	struct tn_exchange *at = carrier->first;

	while (at && at->request != request)
		at = at->next;
	if (!at || !request)
		return;
	tn_http_carrier_enter(carrier);
	at->request = NULL;
	/* Inside the event that brought the answer: what is left of the stream is its end. */
	if (at->current.size == 0)
		tn_exchange_drop(at);
	else if (at->state == TN_EXCHANGE_EVENTS && tn_http_reply_is_response(at->current))
		tn_exchange_linger(at);
	else if (at->state == TN_EXCHANGE_EVENTS)
		tn_exchange_drop(at);
	tn_http_carrier_leave(carrier);
}

static void open_feed(struct tn_carrier *base, enum tn_revision revision)
{
	struct tn_http_carrier *carrier = carrier_of(base);

	if (carrier->feed || carrier->is_lost || carrier->is_closing || revision == TN_R5)
		return;
	tn_http_carrier_enter(carrier);
	carrier->feed = tn_exchange_open(carrier, TN_EXCHANGE_FEED, revision);
	if (!carrier->feed)
		starve(carrier);
	else if (!carrier->barrier)
		tn_exchange_get(carrier->feed);
	tn_http_carrier_leave(carrier);
}

static const struct tn_carrier_ops ops = {
	.send = tn_http_carrier_send,
	.forget = tn_http_carrier_forget,
	.open_feed = open_feed,
	.close = tn_http_carrier_close,
	.abort = tn_http_carrier_abort,
};

enum tenon_code tn_http_carrier_open(const struct tn_carrier_options *options,
				     const struct tn_url_target *target,
				     const struct tn_carrier *base, struct tn_http_carrier **ret,
				     struct tenon_error *err)
{
	struct tn_http_carrier *carrier = tn_mem_alloc(sizeof(*carrier));
	enum tenon_code code;

	if (!carrier)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	carrier->base = *base;
	carrier->base.events = options->events;
	carrier->base.data = options->data;
	carrier->loop = options->loop;
	carrier->connect_timeout_ms =
		options->connect_timeout_ms ? options->connect_timeout_ms : TN_CLIENT_CONNECT_MS;
	carrier->last = &carrier->first;
	code = tn_http_target_init(&carrier->target, target, err);
	if (code == TENON_OK)
		code = tn_http_streams_open(options->loop, options->plugin_folder,
					    &carrier->streams, err);
	if (code == TENON_OK)
		code = tn_later_open(options->loop, turn_over, carrier, &carrier->later, err);
	if (code != TENON_OK) {
		free_carrier(carrier);
		return code;
	}
	*ret = carrier;
	return TENON_OK;
}

enum tenon_code tn_carrier_open_http(const struct tn_carrier_options *options,
				     const struct tn_url_target *target, struct tn_carrier **ret,
				     struct tenon_error *err)
{
	static const struct tn_carrier base = {
		.ops = &ops, .kind = TN_CARRIER_HTTP, .transport = "http"};
	struct tn_http_carrier *carrier;
	enum tenon_code code = tn_http_carrier_open(options, target, &base, &carrier, err);

	if (code != TENON_OK)
		return code;
	tn_later_request(carrier->later);
	*ret = &carrier->base;
	return TENON_OK;
}
