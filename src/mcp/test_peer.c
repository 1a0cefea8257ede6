#include "mcp/test_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/test_fixtures.h"

enum { WAIT_MS = 30000 };

/* ---- what the core sends ---- */

static bool is_response(const struct tn_json *message)
{
	return tn_json_get(message, "result") || tn_json_get(message, "error");
}

/* A message (or each element of a batch's reply) is one this side may send. */
static void check_message(const struct tn_json *message, enum test_kind kind)
{
	struct tn_str version;

	assert_true(tn_json_to_str(tn_json_get(message, "jsonrpc"), &version));
	assert_true(tn_str_is(version, "2.0"));
	assert_int_equal(is_response(message), kind == TEST_ANSWER);
	assert_int_equal(!is_response(message), tn_json_get(message, "method") != NULL);
	assert_false(tn_json_get(message, "result") && tn_json_get(message, "error"));
	assert_false(tn_json_is(tn_json_get(message, "id"), TN_JSON_NULL)); /* MCP-016 */
}

static void check_text(struct tn_str json, enum test_kind kind)
{
	struct tn_arena arena;
	struct tn_json *tree;
	struct tenon_error err;

	assert_true(tn_utf8_valid(json.data, json.size));
	assert_true(tn_str_find_byte(json, '\n') == TN_STR_NONE); /* MCP-079 */
	assert_true(tn_str_find_byte(json, '\r') == TN_STR_NONE);
	tn_arena_init(&arena, 2 * TN_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, json, &tree, &err) != TENON_OK)
		fail_msg("the server sent no JSON: %s: %.*s", err.message,
			 (int)(json.size < 400 ? json.size : 400), json.data);
	if (tree->type == TN_JSON_ARRAY) {
		assert_int_equal(kind, TEST_ANSWER);
		for (const struct tn_json *m = tree->first; m; m = m->next)
			check_message(m, kind);
	} else {
		check_message(tree, kind);
	}
	tn_arena_finish(&arena);
}

/* While the core runs, a test may let its allocations fail; ours do not. */
static void enter_core(struct test_peer *t, bool inside)
{
	t->in_core = inside;
	if (t->faults)
		t->faults(inside);
}

static void record(struct test_peer *t, enum test_kind kind, unsigned exchange,
		   struct tn_peer *peer, struct tn_str json)
{
	struct test_message *m;
	bool inside = t->in_core;

	enter_core(t, false);
	m = tn_mem_alloc(sizeof(*m) + json.size + 1);
	check_text(json, kind);
	assert_non_null(m);
	m->kind = kind;
	m->exchange = exchange;
	m->peer = peer;
	memcpy(m->json, json.data, json.size);
	*t->tail = m;
	t->tail = &m->next;
	enter_core(t, inside);
}

static void on_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct test_exchange *e = (struct test_exchange *)x;

	assert_int_equal(e->end, TEST_OPEN);
	e->end = TEST_ANSWERED;
	e->status = status;
	record(e->t, TEST_ANSWER, e->number, NULL, json);
}

static void on_notify(struct tn_exchange *x, struct tn_str json)
{
	struct test_exchange *e = (struct test_exchange *)x;

	assert_int_equal(e->end, TEST_OPEN);
	assert_false(e->deaf);
	e->notices++;
	record(e->t, TEST_NOTIFY, e->number, NULL, json);
}

static void on_end(struct tn_exchange *x, bool cancelled)
{
	struct test_exchange *e = (struct test_exchange *)x;

	assert_int_equal(e->end, TEST_OPEN);
	e->end = cancelled ? TEST_CANCELLED : TEST_ENDED;
}

static void on_release(struct tn_exchange *x, unsigned retry_ms)
{
	struct test_exchange *e = (struct test_exchange *)x;

	assert_int_equal(e->end, TEST_OPEN);
	assert_true(retry_ms > 0);
	e->releases++;
}

static bool is_backlogged(const struct tn_exchange *x)
{
	return ((const struct test_exchange *)x)->backlogged;
}

static bool is_deaf(const struct tn_exchange *x)
{
	return ((const struct test_exchange *)x)->deaf;
}

static const struct tn_exchange_ops exchange_ops = {
	.answer = on_answer,
	.notify = on_notify,
	.end = on_end,
	.release = on_release,
	.backlogged = is_backlogged,
	.deaf = is_deaf,
};

static bool outlet_ready(const struct tn_peer *peer)
{
	const struct test_peer *t = peer->transport;

	return !t->outlet_slow && !t->outlet_alone;
}

static bool outlet_slow(const struct tn_peer *peer)
{
	const struct test_peer *t = peer->transport;

	return t->outlet_slow && !t->outlet_alone;
}

static void outlet_send(struct tn_peer *peer, struct tn_str json)
{
	assert_true(outlet_ready(peer));
	record(peer->transport, TEST_OUTLET, 0, peer, json);
}

static const struct tn_outlet_ops outlet_ops = {outlet_ready, outlet_send, outlet_slow};

/* ---- the HTTP view ---- */

struct test_view {
	struct tn_http_view view; /* first */
	struct test_peer *t;
	struct test_exchange *x;
};

static bool view_header(const struct tn_http_view *view, const char *name, size_t nth,
			struct tn_str *ret)
{
	const struct test_peer *t = ((const struct test_view *)view)->t;

	for (size_t i = 0; t->headers && t->headers[i][0]; i++) {
		if (!tn_str_equal_nocase(tn_str_from(t->headers[i][0]), tn_str_from(name)))
			continue;
		if (nth-- == 0) {
			*ret = tn_str_trim(tn_str_from(t->headers[i][1]));
			return true;
		}
	}
	return false;
}

static enum tn_session_lookup view_find_session(const struct tn_http_view *view,
						struct tn_peer **ret)
{
	const struct test_peer *t = ((const struct test_view *)view)->t;
	struct tn_str id;

	if (t->stateless)
		return TN_SESSION_OFF;
	if (!view_header(view, "Mcp-Session-Id", 0, &id))
		return TN_SESSION_ABSENT;
	for (unsigned i = 0; i < t->session_count; i++) {
		if (t->sessions[i].peer && tn_str_is(id, t->sessions[i].id)) {
			*ret = t->sessions[i].peer;
			return TN_SESSION_FOUND;
		}
	}
	return TN_SESSION_UNKNOWN;
}

static bool view_open_session(const struct tn_http_view *view, struct tn_peer **ret)
{
	const struct test_view *v = (const struct test_view *)view;
	struct test_peer *t = v->t;
	struct test_session *session = &t->sessions[t->session_count];
	struct tenon_error err;

	if (t->stateless) {
		*ret = NULL;
		return true;
	}
	if (t->no_more_sessions || t->session_count == TEST_SESSIONS_MAX)
		return false;
	assert_int_equal(tn_peer_create(t->server, TN_PEER_HTTP_SESSION, "tester", &outlet_ops, t,
					&session->peer, &err),
			 TENON_OK);
	t->session_count++;
	(void)snprintf(session->id, sizeof(session->id), "session-%u", t->session_count);
	v->x->opened = session->id;
	*ret = session->peer;
	return true;
}

static const struct tn_http_view_ops view_ops = {
	.header = view_header,
	.find_session = view_find_session,
	.open_session = view_open_session,
};

/* ---- life ---- */

static uint64_t clock_now(void *data)
{
	return ((const struct test_peer *)data)->now_ms;
}

static int64_t clock_wall(void *data)
{
	return (int64_t)((const struct test_peer *)data)->now_ms + 1800000000000;
}

static void open_peer(struct test_peer *t)
{
	struct tenon_error err;

	assert_int_equal(
		tn_peer_create(t->server, TN_PEER_STREAM, "tester", &outlet_ops, t, &t->peer, &err),
		TENON_OK);
}

struct test_peer *test_peer_create(const struct tenon_server_options *options)
{
	struct test_peer *t = tn_mem_alloc(sizeof(*t));
	struct tenon_error err;

	assert_non_null(t);
	t->tail = &t->first;
	t->now_ms = 1000000;
	t->clock = (struct tn_clock){.monotonic_ms = clock_now, .wall_ms = clock_wall, .data = t};
	tn_buf_init(&t->text, TN_MESSAGE_ARENA_MAX);
	assert_int_equal(tenon_server_create(options, &t->server, &err), TENON_OK);
	t->server->clock = &t->clock;
	open_peer(t);
	assert_int_equal(tn_peer_create(t->server, TN_PEER_HTTP_REQUEST, "tester", NULL, t,
					&t->modern, &err),
			 TENON_OK);
	return t;
}

int test_peer_setup(void **state)
{
	const struct tenon_server_options options = {.name = "test",
						     .version = "1.2",
						     .title = "Test server",
						     .website_url = "https://example.com/",
						     .instructions = "Call echo.",
						     .check_output = true};
	struct test_peer *t = test_peer_create(&options);

	test_add_fixtures(t);
	tn_timer_stop(t->server->list_timer); /* offered before anybody came: no change */
	t->server->dirty = 0;
	*state = t;
	return 0;
}

static void drop_shown(struct test_peer *t)
{
	tn_mem_free(t->shown);
	t->shown = NULL;
}

void test_peer_destroy(struct test_peer *t)
{
	tenon_server_destroy(t->server);
	while (t->first) {
		struct test_message *m = t->first;

		t->first = m->next;
		tn_mem_free(m);
	}
	drop_shown(t);
	for (unsigned i = 0; i < t->exchange_count; i++) {
		assert_int_not_equal(t->exchanges[i]->end, TEST_OPEN); /* each has ended */
		tn_mem_free(t->exchanges[i]);
	}
	tn_buf_finish(&t->text);
	tn_mem_free(t);
}

int test_peer_teardown(void **state)
{
	test_peer_destroy(*state);
	return 0;
}

void test_reconnect(struct test_peer *t)
{
	tn_peer_destroy(t->peer);
	open_peer(t);
}

/* ---- sending ---- */

static struct test_exchange *new_exchange(struct test_peer *t)
{
	struct test_exchange *x = tn_mem_alloc(sizeof(*x));

	assert_non_null(x);
	assert_true(t->exchange_count < TEST_EXCHANGES_MAX);
	x->x.ops = &exchange_ops;
	x->t = t;
	x->deaf = t->deaf;
	t->exchanges[t->exchange_count++] = x;
	x->number = t->exchange_count;
	return x;
}

struct test_exchange *test_send_str(struct test_peer *t, struct tn_str json)
{
	struct test_exchange *x = new_exchange(t);

	enter_core(t, true);
	tn_receive_stream(t->peer, &x->x, json);
	enter_core(t, false);
	return x;
}

struct test_exchange *test_send(struct test_peer *t, const char *json)
{
	return test_send_str(t, tn_str_from(json));
}

static TN_PRINTF(1, 0) char *format_text(const char *format, va_list args)
{
	va_list again;
	char *text;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	assert_true(size >= 0);
	text = tn_mem_alloc((size_t)size + 1);
	assert_non_null(text);
	(void)vsnprintf(text, (size_t)size + 1, format, args);
	return text;
}

struct test_exchange *test_sendf(struct test_peer *t, const char *format, ...)
{
	struct test_exchange *x;
	va_list args;
	char *text;

	va_start(args, format);
	text = format_text(format, args);
	va_end(args);
	x = test_send(t, text);
	tn_mem_free(text);
	return x;
}

static void put_initialize(struct test_peer *t, const char *revision, const char *capabilities)
{
	tn_buf_clear(&t->text);
	tn_buf_format(&t->text,
		      "{\"jsonrpc\":\"2.0\",\"id\":\"init\",\"method\":\"initialize\","
		      "\"params\":{\"protocolVersion\":\"%s\",\"capabilities\":%s,"
		      "\"clientInfo\":{\"name\":\"tester\",\"version\":\"1\"}}}",
		      revision, capabilities ? capabilities : "{}");
	tn_buf_append_byte(&t->text, '\0');
	assert_false(t->text.failed);
}

void test_initialize(struct test_peer *t, const char *revision, const char *capabilities)
{
	put_initialize(t, revision, capabilities);
	(void)test_send(t, t->text.data);
	test_expectf(t, "{\"id\":\"init\",\"result\":{\"protocolVersion\":\"%s\",\"...\":0}}",
		     revision);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	test_expect_nothing(t);
}

const char *test_modern_text(struct test_peer *t, const char *id, const char *method,
			     const char *params, const char *capabilities, const char *meta)
{
	tn_buf_clear(&t->text);
	tn_buf_append_text(&t->text, "{\"jsonrpc\":\"2.0\",\"id\":");
	tn_buf_append_text(&t->text, id);
	tn_buf_append_text(&t->text, ",\"method\":\"");
	tn_buf_append_text(&t->text, method);
	tn_buf_append_text(&t->text, "\",\"params\":{");
	if (params && params[0]) {
		tn_buf_append_text(&t->text, params);
		tn_buf_append_text(&t->text, ",");
	}
	tn_buf_append_text(&t->text,
			   "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
			   "\"io.modelcontextprotocol/clientCapabilities\":");
	tn_buf_append_text(&t->text, capabilities ? capabilities : "{}");
	if (meta) {
		tn_buf_append_text(&t->text, ",");
		tn_buf_append_text(&t->text, meta);
	}
	tn_buf_append_text(&t->text, "}}}");
	tn_buf_append_byte(&t->text, '\0');
	assert_false(t->text.failed);
	return t->text.data;
}

struct test_exchange *test_modern(struct test_peer *t, const char *id, const char *method,
				  const char *params, const char *capabilities, const char *meta)
{
	return test_send(t, test_modern_text(t, id, method, params, capabilities, meta));
}

struct test_exchange *test_post(struct test_peer *t, const char *const (*headers)[2],
				const char *json)
{
	struct test_exchange *x = new_exchange(t);
	struct test_view view = {.view = {&view_ops}, .t = t, .x = x};

	t->headers = headers;
	enter_core(t, true);
	tn_receive_http(t->modern, &x->x, &view.view, tn_str_from(json));
	enter_core(t, false);
	t->headers = NULL;
	return x;
}

const char *test_open_session(struct test_peer *t, const char *revision, const char *capabilities)
{
	const struct test_exchange *x;

	put_initialize(t, revision, capabilities);
	x = test_post(t, NULL, t->text.data);
	test_expect_status(t, x, 200, "{\"id\":\"init\",\"result\":{\"...\":0}}");
	assert_non_null(x->opened);
	return x->opened;
}

/* ---- patterns ---- */

static bool is_rest(const struct tn_json *pattern)
{
	return tn_json_is(pattern, TN_JSON_STRING) && tn_str_is(pattern->text, "...");
}

static bool fits_word(const struct tn_json *value, struct tn_str word)
{
	static const struct {
		const char *word;
		enum tn_json_type type;
	} kinds[] = {
		{"<string>", TN_JSON_STRING},
		{"<number>", TN_JSON_NUMBER},
		{"<object>", TN_JSON_OBJECT},
		{"<array>", TN_JSON_ARRAY},
	};
	const struct tn_str has = TN_STR("<has ");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (tn_str_is(word, kinds[i].word))
			return value->type == kinds[i].type;
	}
	if (tn_str_starts(word, has) && tn_str_ends(word, TN_STR(">")))
		return value->type == TN_JSON_STRING &&
		       tn_str_find(value->text, tn_str(word.data + has.size,
						       word.size - has.size - 1)) != TN_STR_NONE;
	return tn_str_is(word, "<any>") ||
	       (value->type == TN_JSON_STRING && tn_str_equal(value->text, word));
}

static bool fits(const struct tn_json *value, const struct tn_json *pattern);

static bool fits_object(const struct tn_json *value, const struct tn_json *pattern)
{
	bool open = tn_json_get(pattern, "...") != NULL;
	uint32_t wanted = 0;

	for (const struct tn_json *p = pattern->first; p; p = p->next) {
		const struct tn_json *v = tn_json_get_str(value, p->key);

		if (tn_str_is(p->key, "..."))
			continue;
		if (!v || !fits(v, p))
			return false;
		wanted++;
	}
	return open || wanted == value->count;
}

static bool fits_array(const struct tn_json *value, const struct tn_json *pattern)
{
	const struct tn_json *v = value->first, *p = pattern->first;

	for (; p && !is_rest(p); p = p->next, v = v->next) {
		if (!v || !fits(v, p))
			return false;
	}
	return p || !v;
}

static bool fits(const struct tn_json *value, const struct tn_json *pattern)
{
	if (pattern->type == TN_JSON_STRING)
		return fits_word(value, pattern->text);
	if (pattern->type != value->type)
		return false;
	if (pattern->type == TN_JSON_OBJECT)
		return fits_object(value, pattern);
	if (pattern->type == TN_JSON_ARRAY)
		return fits_array(value, pattern);
	return tn_json_equal(value, pattern);
}

static struct tn_json *parse(struct tn_arena *arena, const char *text)
{
	struct tn_json *tree = NULL;
	struct tenon_error err;

	if (tn_json_parse_copy(arena, tn_str_from(text), &tree, &err) != TENON_OK)
		fail_msg("no JSON: %s: %s", err.message, text);
	return tree;
}

bool test_fits(const char *json, const char *pattern)
{
	struct tn_arena arena;
	bool fit;

	tn_arena_init(&arena, 2 * TN_MESSAGE_ARENA_MAX);
	fit = fits(parse(&arena, json), parse(&arena, pattern));
	tn_arena_finish(&arena);
	return fit;
}

/* ---- what came back ---- */

const char *test_next(struct test_peer *t)
{
	struct test_message *m = t->first;

	drop_shown(t);
	if (!m)
		return NULL;
	t->first = m->next;
	if (!t->first)
		t->tail = &t->first;
	t->shown = m;
	return m->json;
}

/* The pattern says nothing of "jsonrpc", which record() has looked at. */
static void expect_fit(const char *json, const char *pattern)
{
	struct tn_arena arena;
	struct tn_json *value, *wanted;

	tn_arena_init(&arena, 2 * TN_MESSAGE_ARENA_MAX);
	value = parse(&arena, json);
	wanted = parse(&arena, pattern);
	if (value->type == TN_JSON_OBJECT) {
		struct tn_json **link = &value->first;

		while (!tn_str_is((*link)->key, "jsonrpc"))
			link = &(*link)->next;
		*link = (*link)->next;
		value->count--;
	}
	if (!fits(value, wanted))
		fail_msg("expected %.2000s\n     got %.2000s", pattern, json);
	tn_arena_finish(&arena);
}

void test_expect(struct test_peer *t, const char *pattern)
{
	const char *json = test_next(t);

	if (!json)
		fail_msg("nothing came; expected %s", pattern);
	expect_fit(json, pattern);
}

void test_expectf(struct test_peer *t, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_text(format, args);
	va_end(args);
	test_expect(t, text);
	tn_mem_free(text);
}

void test_expect_nothing(struct test_peer *t)
{
	const char *json = test_next(t);

	if (json)
		fail_msg("nothing was expected, but there came %.2000s", json);
}

void test_expect_status(struct test_peer *t, const struct test_exchange *x, int status,
			const char *pattern)
{
	assert_int_equal(x->end, TEST_ANSWERED);
	if (x->status != status)
		fail_msg("expected status %d and %s; got %d and %s", status, pattern, x->status,
			 test_next(t));
	test_expect(t, pattern);
	assert_int_equal(t->shown->kind, TEST_ANSWER);
	assert_int_equal(t->shown->exchange, x->number);
}

void test_expect_error(struct test_peer *t, const char *id, int code, const char *words)
{
	if (id)
		test_expectf(t,
			     "{\"id\":%s,\"error\":{\"code\":%d,\"message\":\"<has %s>\","
			     "\"...\":0}}",
			     id, code, words);
	else
		test_expectf(t, "{\"error\":{\"code\":%d,\"message\":\"<has %s>\",\"...\":0}}",
			     code, words);
}

void test_expect_complete(struct test_peer *t, const char *id, const char *members)
{
	test_expectf(t,
		     "{\"id\":%s,\"result\":{%s%s\"resultType\":\"complete\",\"_meta\":{"
		     "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"test\",\"version\":"
		     "\"1.2\",\"...\":0},\"...\":0}}}",
		     id, members, members[0] ? "," : "");
}

void test_member(struct test_peer *t, const char *path, char *out, size_t size)
{
	struct tn_arena arena;
	const struct tn_json *value;
	struct tn_str rest = tn_str_from(path), text;

	assert_non_null(t->shown);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	value = parse(&arena, t->shown->json);
	while (rest.size) {
		size_t slash = tn_str_find_byte(rest, '/');
		struct tn_str key = slash == TN_STR_NONE ? rest : tn_str(rest.data, slash);

		value = tn_json_get_str(value, key);
		rest = slash == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, slash + 1);
	}
	if (!tn_json_to_str(value, &text) || text.size >= size)
		fail_msg("%s is no such string in %s", path, t->shown->json);
	memcpy(out, text.data, text.size);
	out[text.size] = '\0';
	tn_arena_finish(&arena);
}

/* ---- time ---- */

void test_turn_clock(struct test_peer *t, uint64_t ms)
{
	t->now_ms += ms;
}

static void stop_loop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

void test_run(struct test_peer *t, unsigned ms)
{
	struct tn_timer *timer;
	struct tenon_error err;

	assert_int_equal(tn_timer_open(t->server->loop, stop_loop, t->server->loop, &timer, &err),
			 TENON_OK);
	tn_timer_start(timer, ms);
	enter_core(t, true);
	tn_loop_run(t->server->loop);
	enter_core(t, false);
	tn_timer_close(timer);
}

void test_run_until(struct test_peer *t, bool (*done)(void *data), void *data)
{
	for (unsigned waited = 0; !done(data) && waited < WAIT_MS; waited += 5)
		test_run(t, 5);
}

static bool is_sent(void *data)
{
	return ((struct test_peer *)data)->first != NULL;
}

void test_run_until_sent(struct test_peer *t)
{
	test_run_until(t, is_sent, t);
}

void test_gone(struct test_exchange *x)
{
	assert_int_equal(x->end, TEST_OPEN);
	x->end = TEST_GONE;
	tn_exchange_gone(&x->x);
}
