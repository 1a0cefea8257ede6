/* HTTP+SSE of 2024-11-05 (mcp.md section 12): one GET stream brings every message of the server and
 * says where ours go; a POST's answer says only that it was taken. */
#include "base/mem.h"
#include "client/http_carrier.h"

static void lose(struct tn_http_carrier *carrier, enum tenon_code code, const char *message)
{
	struct tenon_error err;

	(void)tn_fail(&err, code, "%s", message);
	tn_http_carrier_lose(carrier, &err);
}

/* MCP-160: another origin would get our token, and could be a host that only we can reach. */
void tn_sse_endpoint_came(struct tn_exchange *feed, struct tn_str reference)
{
	struct tn_http_carrier *carrier = feed->carrier;
	const char *base = feed->url ? feed->url : carrier->target.url;
	struct tn_arena arena;
	const char *url;

	if (carrier->endpoint)
		return; /* said once; a session does not move */
	tn_arena_init(&arena, TN_MIB);
	url = tn_http_target_resolve(&carrier->target, base, reference, &arena);
	if (url)
		carrier->endpoint = tn_mem_copy_text(url, strlen(url));
	tn_arena_finish(&arena);
	if (!url) {
		lose(carrier, TENON_DENIED,
		     "the server names an endpoint that is not of its origin");
		return;
	}
	if (!carrier->endpoint) {
		lose(carrier, TENON_NO_MEMORY, "out of memory");
		return;
	}
	tn_timer_stop(carrier->endpoint_timer);
	tn_later_request(carrier->later); /* says `ready` */
	tn_http_carrier_release(carrier);
}

void tn_sse_stream_over(struct tn_exchange *feed, const struct tn_carrier_end *end)
{
	struct tn_http_carrier *carrier = feed->carrier;

	if (end->code == TENON_INVALID && end->status < 300 && carrier->endpoint)
		lose(carrier, TENON_SYSTEM, "the server has ended the stream");
	else
		tn_http_carrier_lose(carrier, &end->err);
	tn_exchange_drop(feed);
}

static void no_endpoint(struct tn_timer *timer, void *data)
{
	struct tn_http_carrier *carrier = data;

	(void)timer;
	tn_http_carrier_enter(carrier);
	lose(carrier, TENON_EXPIRED, "the server has not named its endpoint in time");
	tn_http_carrier_leave(carrier);
}

static const struct tn_carrier_ops ops = {
	.send = tn_http_carrier_send,
	.forget = tn_http_carrier_forget,
	.close = tn_http_carrier_close,
	.abort = tn_http_carrier_abort,
};

enum tenon_code tn_carrier_open_sse(const struct tn_carrier_options *options,
				    const struct tn_url_target *target, struct tn_carrier **ret,
				    struct tenon_error *err)
{
	static const struct tn_carrier base = {
		.ops = &ops, .kind = TN_CARRIER_STREAM, .transport = "sse"};
	struct tn_http_carrier *carrier;
	enum tenon_code code = tn_http_carrier_open(options, target, &base, &carrier, err);

	if (code != TENON_OK)
		return code;
	carrier->is_sse = true;
	code = tn_timer_open(options->loop, no_endpoint, carrier, &carrier->endpoint_timer, err);
	if (code == TENON_OK) {
		carrier->feed = tn_exchange_open(carrier, TN_EXCHANGE_FEED, TN_R1);
		if (!carrier->feed)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (code != TENON_OK) {
		tn_http_carrier_abort(&carrier->base);
		return code;
	}
	tn_timer_start(carrier->endpoint_timer, carrier->connect_timeout_ms);
	tn_http_carrier_enter(carrier);
	tn_exchange_get(carrier->feed);
	tn_http_carrier_leave(carrier);
	*ret = &carrier->base;
	return TENON_OK;
}
