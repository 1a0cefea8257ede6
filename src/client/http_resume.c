/* Streams that end before their time (mcp.md section 11.8): how long to wait, whether to come back
 * for the rest, and when to give up. */
#include "client/http_carrier.h"

#include "base/rng.h"
#include "client/limits.h"

enum { DELAY_MIN_MS = 10 }; /* a server that says "retry: 0" does not get a busy loop */

/* 1 s doubling to 30 s, a quarter more or less, so that clients of a server that fell do not all
 * come back at once. */
static uint64_t backoff_ms(unsigned tries)
{
	uint64_t base = TN_RESUME_FIRST_MS;

	for (unsigned i = 1; i < tries && base < TN_RESUME_MAX_MS; i++)
		base *= 2;
	if (base > TN_RESUME_MAX_MS)
		base = TN_RESUME_MAX_MS;
	return base * 3 / 4 + tn_rng_u64() % (base / 2);
}

/* MCP-148: as the server said; a server that is not there may need longer. */
static uint64_t delay_ms(const struct tn_exchange *exchange, const struct tn_carrier_end *end)
{
	const struct tn_event_reader *reader = &exchange->reader;
	bool is_polite = end->code == TENON_INVALID && end->status < 300; /* ended, not broken */
	uint64_t delay = reader->retry_ms;

	if (!reader->has_retry)
		delay = backoff_ms(exchange->tries);
	else if (!is_polite && exchange->tries > 1 && backoff_ms(exchange->tries - 1) > delay)
		delay = backoff_ms(exchange->tries - 1);
	if (delay < end->retry_after_ms)
		delay = end->retry_after_ms;
	return delay < DELAY_MIN_MS ? DELAY_MIN_MS : delay;
}

static void time_over(struct tn_timer *timer, void *data)
{
	struct tn_exchange *exchange = data;
	struct tn_http_carrier *carrier = exchange->carrier;

	(void)timer;
	tn_http_carrier_enter(carrier);
	if (exchange->state == TN_EXCHANGE_WAIT)
		tn_exchange_get(exchange);
	else if (exchange->state != TN_EXCHANGE_GONE)
		tn_exchange_drop(exchange); /* lingered long enough */
	tn_http_carrier_leave(carrier);
}

static bool start_timer(struct tn_exchange *exchange, uint64_t after_ms, struct tenon_error *err)
{
	if (!exchange->timer && tn_timer_open(exchange->carrier->loop, time_over, exchange,
					      &exchange->timer, err) != TENON_OK)
		return false;
	tn_timer_start(exchange->timer, after_ms);
	return true;
}

static void wait(struct tn_exchange *exchange, const struct tn_carrier_end *why)
{
	struct tn_carrier_end end = {0};

	tn_http_stream_cancel(exchange->stream);
	exchange->stream = NULL;
	exchange->state = TN_EXCHANGE_WAIT;
	if (start_timer(exchange, delay_ms(exchange, why), &end.err))
		return;
	end.code = TENON_NO_MEMORY;
	tn_exchange_end(exchange, &end);
}

/* MCP-151, MCP-152: a request can be resumed when its events have ids, and only in the legacy eras.
 * The feed always comes back. */
static bool can_resume(const struct tn_exchange *exchange)
{
	if (exchange->kind == TN_EXCHANGE_FEED)
		return true;
	return exchange->kind == TN_EXCHANGE_REQUEST && exchange->request && !exchange->answered &&
	       exchange->revision != TN_R5 && exchange->reader.last_id.size > 0 &&
	       exchange->tries <= TN_RESUME_TRIES_MAX;
}

void tn_exchange_stream_over(struct tn_exchange *exchange, const struct tn_carrier_end *end)
{
	if (exchange->carrier->is_sse && exchange->kind == TN_EXCHANGE_FEED) {
		tn_sse_stream_over(exchange, end);
		return;
	}
	/* A server that polls says when to come back, as often as it likes. */
	if (end->code != TENON_INVALID || !exchange->reader.has_retry)
		exchange->tries++;
	if (can_resume(exchange))
		wait(exchange, end);
	else
		tn_exchange_end(exchange, end);
}

/* MCP-141: some servers answer 409 while they believe the old stream to be alive. */
static bool is_passing(unsigned status)
{
	return status == 408 || status == 409 || status == 429 ||
	       (status >= 500 && status != 501 && status != 505);
}

void tn_exchange_get_refused(struct tn_exchange *exchange, const struct tn_carrier_end *why)
{
	struct tn_carrier_end end = *why;

	if (exchange->carrier->is_sse) {
		tn_sse_stream_over(exchange, why);
		return;
	}
	exchange->tries++;
	if (is_passing(end.status) && can_resume(exchange)) {
		wait(exchange, &end);
		return;
	}
	if (exchange->kind == TN_EXCHANGE_FEED) {
		/* MCP-144: a server without such a stream is as good. */
		if (end.session_lost)
			tn_http_carrier_lose_session(exchange, &end.err);
		tn_exchange_drop(exchange);
		return;
	}
	if (end.session_lost)
		exchange->carrier->session_lost = true;
	else if (end.code != TENON_DENIED)
		end.code = tn_fail(&end.err, TENON_SYSTEM,
				   "the stream broke off, and the server does not resume it (%u)",
				   end.status);
	tn_exchange_end(exchange, &end);
}

void tn_exchange_linger(struct tn_exchange *exchange)
{
	struct tenon_error err;

	exchange->answered = true;
	if (!start_timer(exchange, TN_ANSWER_LINGER_MS, &err))
		tn_exchange_drop(exchange);
}
