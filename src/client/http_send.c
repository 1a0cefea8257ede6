/* Requests of the Streamable HTTP carrier: their header lines (mcp.md section 11.3) and their
 * start. */
#include "client/http_carrier.h"

#include "base/limits.h"

enum { POST_LINES = 6, GET_LINES = 4 };

static void fail(struct tn_exchange *exchange, enum tenon_code code, const struct tenon_error *err)
{
	exchange->state = TN_EXCHANGE_FAILED;
	exchange->end.code = code;
	exchange->end.err = *err;
	tn_later_request(exchange->carrier->later);
}

static void fail_memory(struct tn_exchange *exchange)
{
	struct tenon_error err;

	fail(exchange, tn_fail(&err, TENON_NO_MEMORY, "out of memory"), &err);
}

static bool is_legacy(enum tn_revision revision)
{
	return revision >= TN_R1 && revision <= TN_R4;
}

/* MCP-117, MCP-131: what tells the server who and in which revision. */
static void add_context(struct tn_exchange *exchange, struct tn_http_lines *lines)
{
	struct tn_http_carrier *carrier = exchange->carrier;

	if (exchange->revision >= TN_R3)
		tn_http_lines_add(lines, TN_STR("MCP-Protocol-Version"),
				  tn_revision_name(exchange->revision));
	exchange->in_session = is_legacy(exchange->revision) && carrier->session;
	if (exchange->in_session)
		tn_http_lines_add(lines, TN_STR("Mcp-Session-Id"), tn_str_from(carrier->session));
}

/* MCP-116, MCP-121: what modern servers route by. */
static void add_modern(struct tn_http_lines *lines, const struct tn_outgoing *message)
{
	if (message->method.data)
		tn_http_lines_add(lines, TN_STR("Mcp-Method"), message->method);
	if (message->name.data)
		tn_http_lines_add(lines, TN_STR("Mcp-Name"), message->name);
	for (size_t i = 0; i < message->header_count; i++)
		tn_http_lines_add(lines, message->headers[i].name, message->headers[i].value);
}

void tn_exchange_fill(struct tn_exchange *exchange, const struct tn_outgoing *message)
{
	struct tn_http_lines lines;
	struct tenon_error err;
	char *json;

	exchange->request = message->request;
	json = tn_arena_copy(&exchange->arena, message->json);
	tn_http_lines_init(&lines, &exchange->carrier->target, POST_LINES + message->header_count,
			   &exchange->arena);
	/* MCP-108 */
	tn_http_lines_add(&lines, TN_STR("Content-Type"), TN_STR("application/json"));
	tn_http_lines_add(&lines, TN_STR("Accept"), TN_STR("application/json, text/event-stream"));
	add_context(exchange, &lines);
	if (exchange->revision == TN_R5)
		add_modern(&lines, message);
	exchange->json = tn_str(json, message->json.size);
	exchange->lines = lines.lines;
	if (!json || !lines.lines || exchange->arena.starved)
		fail_memory(exchange);
	else if (lines.failed)
		fail(exchange,
		     tn_fail(&err, TENON_INVALID, "a header's value is too long or cannot be sent"),
		     &err);
}

static void start(struct tn_exchange *exchange, const char *method, const char *const *lines,
		  uint32_t timeout_ms)
{
	struct tn_http_carrier *carrier = exchange->carrier;
	bool is_post = method[0] == 'P';
	const char *url = is_post && carrier->endpoint ? carrier->endpoint : carrier->target.url;
	struct tn_http_stream_request request = {
		.method = method,
		.url = exchange->url ? exchange->url : url,
		.headers = lines,
		.body = is_post ? exchange->json : tn_str(NULL, 0),
		.connect_timeout_ms = carrier->connect_timeout_ms,
		.timeout_ms = timeout_ms,
		.direct = carrier->target.direct,
		.ca_file = carrier->target.ca_file,
	};
	struct tenon_error err = {0};
	enum tenon_code code;

	exchange->state = TN_EXCHANGE_SENT;
	tn_event_reader_restart(&exchange->reader);
	tn_buf_clear(&exchange->body);
	code = tn_http_stream_start(carrier->streams, &request, &tn_exchange_events, exchange,
				    &exchange->stream, &err);
	if (code != TENON_OK)
		fail(exchange, code, &err);
}

void tn_exchange_post(struct tn_exchange *exchange)
{
	start(exchange, "POST", exchange->lines, 0);
}

/* Lines of a request that was not kept: GET and DELETE. */
static const char *const *make_lines(struct tn_exchange *exchange, struct tn_arena *arena,
				     bool is_get)
{
	struct tn_str last_id = tn_buf_str(&exchange->reader.last_id);
	struct tn_http_lines lines;

	tn_http_lines_init(&lines, &exchange->carrier->target, GET_LINES, arena);
	add_context(exchange, &lines);
	if (is_get)
		tn_http_lines_add(&lines, TN_STR("Accept"), TN_STR("text/event-stream"));
	if (is_get && last_id.size)
		tn_http_lines_add(&lines, TN_STR("Last-Event-ID"), last_id);
	return lines.failed ? NULL : lines.lines;
}

static void start_other(struct tn_exchange *exchange, const char *method, uint32_t timeout_ms)
{
	const char *const *lines;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	lines = make_lines(exchange, &arena, method[0] == 'G');
	if (lines)
		start(exchange, method, lines, timeout_ms);
	else
		fail_memory(exchange);
	tn_arena_finish(&arena);
}

void tn_exchange_get(struct tn_exchange *exchange)
{
	exchange->resuming = true;
	start_other(exchange, "GET", 0);
}

void tn_exchange_delete(struct tn_exchange *exchange)
{
	start_other(exchange, "DELETE", TN_SHUTDOWN_GRACE_MS);
}

void tn_exchange_again(struct tn_exchange *exchange)
{
	if (exchange->kind == TN_EXCHANGE_DELETE)
		tn_exchange_delete(exchange);
	else if (exchange->resuming)
		tn_exchange_get(exchange);
	else
		tn_exchange_post(exchange);
}
