/* Answers of the Streamable HTTP carrier: JSON, a stream of events, or neither. */
#include "client/http_carrier.h"

#include "base/limits.h"
#include "base/mem.h"
#include "client/http_reply.h"
#include "client/limits.h"

static const struct tn_carrier_end unanswered = {
	.code = TENON_INVALID,
	.err = {.code = TENON_INVALID, .message = "the reply is over, and had no answer in it"},
};

/* ---- the head ---- */

/* MCP-131: the id of the session that `initialize` opened. False: it has ended the exchange. */
static bool take_session(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	struct tn_http_carrier *carrier = exchange->carrier;
	struct tn_carrier_end end = {.status = head->status};
	struct tn_str id;
	char *copy;

	if (exchange->revision != TN_REVISION_NONE || head->status != 200)
		return true;
	if (!tn_http_reply_session(head, &id)) {
		end.code = tn_fail(&end.err, TENON_INVALID,
				   "the server's session id is longer than %d bytes or has other "
				   "characters than visible ASCII",
				   TN_SESSION_ID_BYTES_MAX);
		tn_exchange_end(exchange, &end);
		return false;
	}
	if (!id.data)
		return true;
	copy = tn_mem_copy_text(id.data, id.size);
	if (!copy) {
		end.code = tn_fail(&end.err, TENON_NO_MEMORY, "out of memory");
		tn_exchange_end(exchange, &end);
		return false;
	}
	tn_mem_free(carrier->session);
	carrier->session = copy;
	carrier->session_lost = false;
	return true;
}

/* Only 307 and 308, which keep the method, and only to our own origin: the token is for nobody
 * else. */
static bool redirects(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	struct tn_http_carrier *carrier = exchange->carrier;
	const char *url;

	if ((head->status != 307 && head->status != 308) ||
	    exchange->redirects >= TN_HTTP_REDIRECTS_MAX)
		return false;
	url = tn_http_target_resolve(&carrier->target,
				     exchange->url ? exchange->url : carrier->target.url,
				     tn_http_head_get(head, "Location"), &exchange->arena);
	if (!url)
		return false;
	exchange->url = url;
	exchange->redirects++;
	exchange->state = TN_EXCHANGE_REDIRECT;
	return true;
}

static void read_fault(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	tn_http_reply_judge(head, exchange->in_session, &exchange->end);
	exchange->state = TN_EXCHANGE_FAULT;
	exchange->body.limit = TN_HTTP_FAULT_BYTES_MAX;
	if (exchange->end.session_lost && exchange->session_no == exchange->carrier->session_no)
		exchange->carrier->session_lost = true;
}

/* MCP-111 of a client: 202 and 204 answer no request. An old server may mean to answer on the GET
 * stream; whoever waits for it there has a timeout. */
static void accepted(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	struct tn_carrier_end end = {.status = head->status};

	if (exchange->revision != TN_R5 && exchange->carrier->feed) {
		tn_exchange_drop(exchange);
		return;
	}
	end.code = tn_fail(&end.err, TENON_INVALID, "the server answered a request with status %u",
			   head->status);
	tn_exchange_end(exchange, &end);
}

static void answer_begins(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	enum tn_http_content content = tn_http_reply_content(head);
	bool is_good = head->status >= 200 && head->status < 300;

	if (is_good && exchange->carrier->is_sse) { /* MCP-160: the answer comes on the stream */
		exchange->request = NULL;
		exchange->state = TN_EXCHANGE_DRAIN;
		return;
	}
	if (is_good && !take_session(exchange, head))
		return;
	if (head->status == 202 || head->status == 204)
		accepted(exchange, head);
	else if (is_good && content == TN_HTTP_CONTENT_EVENTS)
		exchange->state = TN_EXCHANGE_EVENTS;
	else if (is_good && content == TN_HTTP_CONTENT_JSON)
		exchange->state = TN_EXCHANGE_JSON;
	else
		read_fault(exchange, head);
}

static void stream_begins(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	struct tn_carrier_end end = {0};

	if (head->status == 200 && tn_http_reply_content(head) == TN_HTTP_CONTENT_EVENTS) {
		exchange->state = TN_EXCHANGE_EVENTS;
		return;
	}
	tn_http_reply_judge(head, exchange->in_session, &end);
	tn_exchange_get_refused(exchange, &end);
}

/* A notification is accepted by any 2xx. That it was not is seen by the next request; a lost
 * session may have none to come. */
static void note_taken(struct tn_exchange *exchange, const struct tn_http_head *head)
{
	struct tn_carrier_end end = {0};

	exchange->state = TN_EXCHANGE_DRAIN;
	if (head->status >= 200 && head->status < 300 &&
	    tn_http_reply_content(head) != TN_HTTP_CONTENT_EVENTS)
		return;
	tn_http_reply_judge(head, exchange->in_session, &end);
	if (end.session_lost)
		tn_http_carrier_lose_session(exchange, &end.err);
	tn_exchange_drop(exchange);
}

static void head_came(void *data, const struct tn_http_head *head)
{
	struct tn_exchange *exchange = data;
	struct tn_http_carrier *carrier = exchange->carrier;

	tn_http_carrier_enter(carrier);
	exchange->end.status = head->status;
	if (redirects(exchange, head)) {
		tn_http_carrier_leave(carrier);
		return;
	}
	switch (exchange->kind) {
	case TN_EXCHANGE_REQUEST:
		if (exchange->resuming)
			stream_begins(exchange, head);
		else
			answer_begins(exchange, head);
		break;
	case TN_EXCHANGE_NOTE:
		note_taken(exchange, head);
		break;
	case TN_EXCHANGE_FEED:
		stream_begins(exchange, head);
		break;
	case TN_EXCHANGE_DELETE: /* 405 and 404 are as good as 204 (MCP-134) */
		exchange->state = TN_EXCHANGE_DRAIN;
		break;
	}
	tn_http_carrier_leave(carrier);
}

/* ---- the body ---- */

static void hand_over(struct tn_exchange *exchange, unsigned status, struct tn_str json)
{
	struct tn_http_carrier *carrier = exchange->carrier;

	exchange->current = json;
	/* Nobody waits, but the server may still have something to say to everybody. */
	if (exchange->kind == TN_EXCHANGE_FEED || exchange->request)
		carrier->base.events->message(carrier->base.data, exchange->request, status, json);
	exchange->current = tn_str(NULL, 0);
}

static void event_came(struct tn_exchange *exchange, const struct tn_event *event)
{
	struct tn_carrier_end end = {.status = exchange->end.status, .code = event->code};

	exchange->tries = 0;
	if (exchange->carrier->is_sse && tn_str_is(event->type, "endpoint"))
		tn_sse_endpoint_came(exchange, event->data);
	if (!tn_str_is(event->type, "message"))
		return;
	/* On the GET stream a message that is too large is lost alone. */
	if (event->code != TENON_OK && exchange->kind == TN_EXCHANGE_REQUEST) {
		if (event->code == TENON_LIMIT)
			(void)tn_fail(&end.err, event->code, "a message of more than %zu bytes",
				      TN_RESULT_BYTES_MAX);
		else
			(void)tn_fail(&end.err, event->code, "out of memory");
		tn_exchange_end(exchange, &end);
		return;
	}
	if (event->code != TENON_OK && exchange->carrier->base.events->skipped)
		exchange->carrier->base.events->skipped(exchange->carrier->base.data);
	if (event->data.size == 0)
		return;
	/* Streams that could be resumed must know when not to be. */
	if (exchange->kind == TN_EXCHANGE_REQUEST && exchange->reader.last_id.size &&
	    tn_http_reply_is_response(event->data))
		exchange->answered = true;
	hand_over(exchange, exchange->end.status, event->data);
}

static void read_events(struct tn_exchange *exchange, struct tn_str bytes)
{
	struct tn_event event;

	while (exchange->state == TN_EXCHANGE_EVENTS &&
	       tn_event_reader_next(&exchange->reader, &bytes, &event)) {
		/* MCP-152: the modern era has neither. */
		if (exchange->revision == TN_R5) {
			tn_buf_clear(&exchange->reader.last_id);
			exchange->reader.has_retry = false;
		}
		event_came(exchange, &event);
	}
}

static void read_json(struct tn_exchange *exchange, struct tn_str bytes)
{
	struct tn_carrier_end end = {.status = exchange->end.status};

	tn_buf_append_str(&exchange->body, bytes);
	if (!exchange->body.failed)
		return;
	end.code = tn_buf_check(&exchange->body, &end.err);
	if (end.code == TENON_LIMIT)
		(void)tn_fail(&end.err, end.code, "an answer of more than %zu bytes",
			      TN_RESULT_BYTES_MAX);
	tn_exchange_end(exchange, &end);
}

static void body_came(void *data, struct tn_str bytes)
{
	struct tn_exchange *exchange = data;
	struct tn_http_carrier *carrier = exchange->carrier;
	size_t room = exchange->body.limit - exchange->body.size;

	tn_http_carrier_enter(carrier);
	switch (exchange->state) {
	case TN_EXCHANGE_EVENTS:
		read_events(exchange, bytes);
		break;
	case TN_EXCHANGE_JSON:
		read_json(exchange, bytes);
		break;
	case TN_EXCHANGE_FAULT: /* as much as is kept of it */
		tn_buf_append(&exchange->body, bytes.data, bytes.size < room ? bytes.size : room);
		if (bytes.size > room)
			exchange->state = TN_EXCHANGE_DRAIN;
		break;
	default:
		break;
	}
	if (exchange->state == TN_EXCHANGE_DRAIN && exchange->request) {
		exchange->end.body = tn_buf_str(&exchange->body);
		tn_exchange_end(exchange, &exchange->end);
	}
	tn_http_carrier_leave(carrier);
}

/* ---- the end ---- */

static void json_over(struct tn_exchange *exchange)
{
	struct tn_carrier_end end = unanswered;

	end.status = exchange->end.status;
	if (exchange->body.size)
		hand_over(exchange, end.status, tn_buf_str(&exchange->body));
	tn_exchange_end(exchange, &end);
}

/* Errors of the modern era come with status 400 and 404 (mcp.md section 3). */
static void fault_over(struct tn_exchange *exchange)
{
	exchange->end.body = tn_buf_str(&exchange->body);
	if (tn_http_reply_is_response(exchange->end.body))
		hand_over(exchange, exchange->end.status, exchange->end.body);
	tn_exchange_end(exchange, &exchange->end);
}

static void broken(struct tn_exchange *exchange, enum tenon_code code,
		   const struct tenon_error *err)
{
	struct tn_carrier_end end = {.status = exchange->end.status};

	tn_http_reply_failed(code, err, &end);
	if (exchange->state == TN_EXCHANGE_FAULT)
		fault_over(exchange); /* its head says more than how it ended */
	else if (exchange->state == TN_EXCHANGE_EVENTS || exchange->resuming)
		tn_exchange_stream_over(exchange, &end);
	else
		tn_exchange_end(exchange, &end);
}

static void complete(struct tn_exchange *exchange)
{
	struct tn_carrier_end end = unanswered;

	switch (exchange->state) {
	case TN_EXCHANGE_EVENTS:
		end.status = exchange->end.status;
		tn_exchange_stream_over(exchange, &end);
		break;
	case TN_EXCHANGE_JSON:
		json_over(exchange);
		break;
	case TN_EXCHANGE_FAULT:
		fault_over(exchange);
		break;
	case TN_EXCHANGE_REDIRECT:
		tn_exchange_again(exchange);
		break;
	default:
		tn_exchange_drop(exchange);
		break;
	}
}

static void done_came(void *data, enum tenon_code code, const struct tenon_error *err)
{
	struct tn_exchange *exchange = data;
	struct tn_http_carrier *carrier = exchange->carrier;

	tn_http_carrier_enter(carrier);
	exchange->stream = NULL;
	if (code != TENON_OK)
		broken(exchange, code, err);
	else
		complete(exchange);
	tn_http_carrier_leave(carrier);
}

const struct tn_http_stream_events tn_exchange_events = {
	.head = head_came,
	.body = body_came,
	.done = done_came,
};
