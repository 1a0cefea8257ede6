/* mcp_fuzz.c - conversations: whatever a client sends, each message is answered at most once, what
 * is sent is one line of valid JSON-RPC, and nothing is leaked or used after its end.
 *
 * The first byte chooses a connection (even) or HTTP (odd); then follow messages, one a line. A
 * line that begins with "!" does what no message can: see deeds. Over HTTP what stands before the
 * first
 * "{" or "[" is a list of headers, "Name=value;Name=value;". A "$" is the id of the newest task. */
#include <stdint.h>

#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json.h"
#include "mcp/call.h"
#include "mcp/feed.h"
#include "mcp/receive.h"
#include "mcp/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MESSAGES_MAX = 200, HEADERS_MAX = 12, SESSIONS_MAX = 4, MESSAGE_BYTES_MAX = 64 * 1024 };

struct header {
	struct tn_str name, value;
};

struct exchange {
	struct tn_exchange x; /* first */
	bool closed;
	bool slow;
	bool deaf;
};

struct world {
	struct tenon_server *server;
	struct tn_peer *peer, *modern;
	struct tn_peer *sessions[SESSIONS_MAX];
	struct tn_clock clock;
	uint64_t now_ms;
	struct exchange exchanges[MESSAGES_MAX];
	unsigned exchange_count;
	struct header headers[HEADERS_MAX];
	unsigned header_count;
	struct tenon_call *held;
	bool http, slow, deaf;
};

struct view {
	struct tn_http_view view; /* first */
	struct world *w;
};

/* ---- what comes back ---- */

static void check_text(struct tn_str json, bool answer)
{
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	bool response;

	tn_assert(tn_utf8_valid(json.data, json.size));
	tn_assert(tn_str_find_byte(json, '\n') == TN_STR_NONE);
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_assert(tn_json_parse_copy(&arena, json, &tree, NULL) == TENON_OK);
	if (tree->type == TN_JSON_OBJECT) {
		response = tn_json_get(tree, "result") || tn_json_get(tree, "error");
		tn_assert(response == answer);
		tn_assert(tn_str_is(tn_json_get(tree, "jsonrpc")->text, "2.0"));
	} else {
		tn_assert(tree->type == TN_JSON_ARRAY && answer && tree->count);
	}
	tn_arena_finish(&arena);
}

static void on_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct exchange *e = (struct exchange *)x;

	tn_assert(!e->closed && status >= 200 && status < 600);
	e->closed = true;
	check_text(json, true);
}

static void on_notify(struct tn_exchange *x, struct tn_str json)
{
	tn_assert(!((struct exchange *)x)->closed);
	check_text(json, false);
}

static void on_end(struct tn_exchange *x, bool cancelled)
{
	struct exchange *e = (struct exchange *)x;

	(void)cancelled;
	tn_assert(!e->closed);
	e->closed = true;
}

static bool is_backlogged(const struct tn_exchange *x)
{
	return ((const struct exchange *)x)->slow;
}

static bool is_deaf(const struct tn_exchange *x)
{
	return ((const struct exchange *)x)->deaf;
}

static const struct tn_exchange_ops exchange_ops = {.answer = on_answer,
						    .notify = on_notify,
						    .end = on_end,
						    .backlogged = is_backlogged,
						    .deaf = is_deaf};

static bool outlet_ready(const struct tn_peer *peer)
{
	return !((const struct world *)peer->transport)->slow;
}

static bool outlet_slow(const struct tn_peer *peer)
{
	return !outlet_ready(peer);
}

static void outlet_send(struct tn_peer *peer, struct tn_str json)
{
	(void)peer;
	check_text(json, false);
}

static const struct tn_outlet_ops outlet_ops = {
	.ready = outlet_ready, .send = outlet_send, .slow = outlet_slow};

/* ---- HTTP ---- */

static bool view_header(const struct tn_http_view *view, const char *name, size_t nth,
			struct tn_str *ret)
{
	const struct world *w = ((const struct view *)view)->w;

	for (unsigned i = 0; i < w->header_count; i++) {
		if (tn_str_equal_nocase(w->headers[i].name, tn_str_from(name)) && nth-- == 0) {
			*ret = tn_str_trim(w->headers[i].value);
			return true;
		}
	}
	return false;
}

/* The session's id is its digit. */
static enum tn_session_lookup view_find_session(const struct tn_http_view *view,
						struct tn_peer **ret)
{
	const struct world *w = ((const struct view *)view)->w;
	struct tn_str id;
	unsigned i;

	if (!view_header(view, "Mcp-Session-Id", 0, &id))
		return TN_SESSION_ABSENT;
	i = id.size == 1 ? (unsigned)(id.data[0] - '0') : SESSIONS_MAX;
	if (i >= SESSIONS_MAX || !w->sessions[i])
		return TN_SESSION_UNKNOWN;
	*ret = w->sessions[i];
	return TN_SESSION_FOUND;
}

static struct tn_peer *new_peer(struct world *w, enum tn_peer_kind kind)
{
	struct tn_peer *peer = NULL;

	tn_assert(tn_peer_create(w->server, kind, "fuzz", &outlet_ops, w, &peer, NULL) == TENON_OK);
	return peer;
}

static bool view_open_session(const struct tn_http_view *view, struct tn_peer **ret)
{
	struct world *w = ((const struct view *)view)->w;

	for (unsigned i = 0; i < SESSIONS_MAX; i++) {
		if (!w->sessions[i]) {
			w->sessions[i] = *ret = new_peer(w, TN_PEER_HTTP_SESSION);
			return true;
		}
	}
	return false;
}

static const struct tn_http_view_ops view_ops = {.header = view_header,
						 .find_session = view_find_session,
						 .open_session = view_open_session};

static struct tn_str take_headers(struct world *w, struct tn_str line)
{
	w->header_count = 0;
	while (line.size && line.data[0] != '{' && line.data[0] != '[') {
		size_t end = tn_str_find_byte(line, ';');
		struct tn_str one = tn_str(line.data, end == TN_STR_NONE ? line.size : end);
		size_t equals = tn_str_find_byte(one, '=');

		if (equals != TN_STR_NONE && w->header_count < HEADERS_MAX)
			w->headers[w->header_count++] = (struct header){
				tn_str(one.data, equals), tn_str_from_offset(one, equals + 1)};
		line = tn_str_from_offset(line, one.size + 1);
	}
	return line;
}

/* ---- the server ---- */

static void echo(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_progress(call, 1, 2, "half");
	tenon_call_log(call, TENON_LOG_ERROR, "fuzz", "a line");
	tenon_call_add_link(call, "fuzz://text", "text", NULL, NULL, NULL);
	tenon_call_add_audio(call, "audio/wav", "x", 1);
	tenon_call_annotate(call, "user", 1);
	tenon_call_reply_text(call, tenon_call_json(call, NULL));
}

static void structured(struct tenon_call *call, void *data)
{
	const char *json = tenon_call_json(call, "value");

	(void)data;
	tenon_call_set_structured(call, json ? json : "", TENON_TEXT);
	tenon_call_finish(call);
}

static void later(struct tenon_call *call, void *data)
{
	tenon_call_after(call, 0, echo, data);
}

static void release(struct tenon_call *call, void *data)
{
	struct world *w = data;

	if (w->held == call)
		w->held = NULL;
	tenon_call_fail(call, "given up");
}

static void hold(struct tenon_call *call, void *data)
{
	struct world *w = data;

	if (w->held)
		tenon_call_reply_text(w->held, "released");
	w->held = call;
	tenon_call_on_cancel(call, release, data);
}

static void ask(struct tenon_call *call, void *data)
{
	static const char form[] = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
				   "\"string\",\"format\":\"email\"}},\"required\":[\"a\"]}";
	static const char question[] = "{\"messages\":[],\"maxTokens\":1}";
	const char *state = tenon_call_state(call);
	const struct tenon_answer *who, *why, *where;

	(void)data;
	tenon_call_set_state(call, state ? state : "first");
	who = tenon_call_can(call, TENON_CAN_ELICIT) ? tenon_call_elicit(call, "who", "?", form)
						     : NULL;
	why = tenon_call_sample(call, "why", question);
	if (!why)
		return;
	where = tenon_call_roots(call, "where");
	if (!where)
		return;
	tenon_call_add_text(call, who ? tenon_answer_json(who) : "nobody", TENON_TEXT);
	tenon_call_reply_text(call, tenon_answer_text(why, NULL) ? tenon_answer_json(where) : "-");
}

static void ask_later(struct tenon_call *call, void *data)
{
	if (tenon_call_data(call)) {
		ask(call, data);
		return;
	}
	tenon_call_set_data(call, data, NULL);
	tenon_call_after(call, 0, ask, data);
}

static void task_hold(struct tenon_call *call, void *data)
{
	(void)tenon_call_start_task(call, NULL);
	tenon_call_progress(call, 1, 2, "half");
	hold(call, data);
}

static void task_later(struct tenon_call *call, void *data)
{
	const struct tenon_task_options options = {.ttl_ms = 1000, .message = "Soon"};

	(void)tenon_call_start_task(call, &options);
	tenon_call_after(call, 0, echo, data);
}

static void task_ask(struct tenon_call *call, void *data)
{
	(void)tenon_call_start_task(call, NULL);
	ask(call, data);
	tenon_call_set_task_message(call, "Asked");
}

static void complete(struct tenon_call *call, void *data)
{
	const char *name, *value;

	(void)data;
	tenon_call_completing(call, &name, &value);
	tenon_call_add_completion(call, value);
	tenon_call_finish(call);
}

static void add_tools(struct world *w)
{
	static const char any[] = "{\"type\":\"object\"}";
	static const char strict[] =
		"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
		"\"x-mcp-header\":\"N\"},\"s\":{\"type\":\"string\",\"x-mcp-header\":\"S\"}},"
		"\"additionalProperties\":false}";
	const struct tenon_tool tools[] = {
		{.name = "echo", .input_schema = any, .call = echo, .data = w},
		{.name = "strict", .input_schema = strict, .call = echo, .data = w},
		{.name = "structured",
		 .input_schema = any,
		 .output_schema = "{\"type\":\"object\"}",
		 .call = structured,
		 .data = w},
		{.name = "later", .input_schema = any, .call = later, .data = w},
		{.name = "hold", .input_schema = any, .call = hold, .data = w},
		{.name = "ask", .input_schema = any, .call = ask, .data = w},
		{.name = "ask_later", .input_schema = any, .call = ask_later, .data = w},
		{.name = "task_hold",
		 .task_support = TENON_TASK_OPTIONAL,
		 .call = task_hold,
		 .data = w},
		{.name = "task_later",
		 .input_schema = any,
		 .task_support = TENON_TASK_REQUIRED,
		 .call = task_later,
		 .data = w},
		{.name = "task_ask",
		 .input_schema = strict,
		 .task_support = TENON_TASK_OPTIONAL,
		 .call = task_ask,
		 .data = w},
	};

	for (size_t i = 0; i < TN_COUNT(tools); i++)
		tn_assert(tenon_server_add_tool(w->server, &tools[i], NULL) == TENON_OK);
}

static void add_others(struct world *w)
{
	static const struct tenon_prompt_argument argument = {.name = "a", .required = 1};
	const struct tenon_resource resource = {
		.uri = "fuzz://text", .name = "text", .size_bytes = -1, .read = echo, .data = w};
	const struct tenon_resource_template pattern = {.uri_template = "fuzz://item/{a}{?b,c}",
							.name = "item",
							.read = ask,
							.complete = complete,
							.data = w};
	const struct tenon_prompt prompt = {.name = "prompt",
					    .arguments = &argument,
					    .argument_count = 1,
					    .get = ask,
					    .complete = complete,
					    .data = w};

	tn_assert(tenon_server_add_resource(w->server, &resource, NULL) == TENON_OK);
	tn_assert(tenon_server_add_template(w->server, &pattern, NULL) == TENON_OK);
	tn_assert(tenon_server_add_prompt(w->server, &prompt, NULL) == TENON_OK);
}

/* ---- time ---- */

static uint64_t clock_now(void *data)
{
	return ((const struct world *)data)->now_ms;
}

static int64_t clock_wall(void *data)
{
	return (int64_t)((const struct world *)data)->now_ms;
}

static void stop_loop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

/* A few turns of the loop, without waiting. */
static void turn(struct world *w)
{
	struct tn_timer *timer = NULL;

	tn_assert(tn_timer_open(w->server->loop, stop_loop, w->server->loop, &timer, NULL) ==
		  TENON_OK);
	for (int i = 0; i < 3; i++) {
		tn_timer_start(timer, 0);
		tn_loop_run(w->server->loop);
	}
	tn_timer_close(timer);
}

/* ---- what a message cannot do ---- */

static void end_peers(struct world *w)
{
	tn_peer_destroy(w->peer);
	w->peer = new_peer(w, TN_PEER_STREAM);
	for (unsigned i = 0; i < SESSIONS_MAX; i++) {
		tn_peer_destroy(w->sessions[i]);
		w->sessions[i] = NULL;
	}
}

static void leave(struct world *w)
{
	for (unsigned i = 0; i < w->exchange_count; i++) {
		struct exchange *e = &w->exchanges[i];

		if (!e->closed) {
			e->closed = true;
			tn_exchange_gone(&e->x);
			return;
		}
	}
}

static void change_lists(struct world *w)
{
	const struct tenon_tool tool = {.name = "more", .call = echo, .data = w};

	if (!tenon_server_remove_tool(w->server, "more"))
		tn_assert(tenon_server_add_tool(w->server, &tool, NULL) == TENON_OK);
}

static void deed(struct world *w, char what)
{
	switch (what) {
	case 'p':
		end_peers(w);
		break;
	case 'g':
		leave(w);
		break;
	case 'c':
		change_lists(w);
		break;
	case 'u':
		tenon_server_resource_updated(w->server, "fuzz://text");
		break;
	case 's':
		w->slow = !w->slow;
		for (unsigned i = 0; i < w->exchange_count; i++)
			w->exchanges[i].slow = w->slow;
		break;
	case 'd':
		w->deaf = !w->deaf;
		break;
	case 'f':
		tn_feed_close(w->server);
		break;
	case 't':
		w->now_ms += 5 * 60 * 1000;
		break;
	default:
		break;
	}
}

/* ---- one input ---- */

/* Puts the id of the newest task for each "$". */
static struct tn_str put_ids(const struct world *w, struct tn_str line, struct tn_buf *out)
{
	const struct tn_task *task = w->server->tasks.last;

	if (!task || tn_str_find_byte(line, '$') == TN_STR_NONE)
		return line;
	for (size_t i = 0; i < line.size; i++) {
		if (line.data[i] == '$')
			tn_buf_append_text(out, task->id);
		else
			tn_buf_append_byte(out, line.data[i]);
	}
	return out->failed ? line : tn_buf_str(out);
}

static void receive(struct world *w, struct tn_str line)
{
	struct exchange *e = &w->exchanges[w->exchange_count++];
	struct view view = {.view = {&view_ops}, .w = w};
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	line = put_ids(w, line, &text);
	*e = (struct exchange){.x = {.ops = &exchange_ops}, .slow = w->slow, .deaf = w->deaf};
	if (w->http) {
		line = take_headers(w, line);
		tn_receive_http(w->modern, &e->x, &view.view, line);
	} else {
		tn_receive_stream(w->peer, &e->x, line);
	}
	tn_buf_finish(&text);
}

static void converse(struct world *w, struct tn_str text)
{
	while (text.size && w->exchange_count < MESSAGES_MAX) {
		size_t end = tn_str_find_byte(text, '\n');
		struct tn_str line = tn_str(text.data, end == TN_STR_NONE ? text.size : end);

		if (line.size > 1 && line.data[0] == '!')
			deed(w, line.data[1]);
		else
			receive(w, line);
		w->now_ms += 20;
		turn(w);
		text = tn_str_from_offset(text, line.size + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct tenon_server_options options = {
		.name = "fuzz", .version = "1", .check_output = true};
	struct world *w;

	if (size < 2 || size > MESSAGE_BYTES_MAX)
		return 0;
	w = tn_mem_alloc(sizeof(*w));
	tn_assert(w);
	w->clock = (struct tn_clock){.monotonic_ms = clock_now, .wall_ms = clock_wall, .data = w};
	w->now_ms = 1000000;
	w->http = data[0] & 1;
	tn_assert(tenon_server_create(&options, &w->server, NULL) == TENON_OK);
	w->server->clock = &w->clock;
	add_tools(w);
	add_others(w);
	w->peer = new_peer(w, TN_PEER_STREAM);
	w->modern = new_peer(w, TN_PEER_HTTP_REQUEST);
	converse(w, tn_str((const char *)data + 1, size - 1));
	tenon_server_destroy(w->server);
	for (unsigned i = 0; i < w->exchange_count; i++)
		tn_assert(w->exchanges[i].closed);
	tn_mem_free(w);
	return 0;
}
