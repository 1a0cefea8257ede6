/* Streams that end before their time: carrier_resume_test PLUGIN_FOLDER */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "client/carrier_test_kit.h"

#define EVENTS "Content-Type: text/event-stream\r\n"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define NOTICE "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}"
#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}"
#define INIT "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}"
#define INITED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OPEN(kit, script) kit_open(kit, script, COUNT(script))

/* Replies that bring events and end, in order or by breaking off. */
#define ENDED(events)                                                                          \
	{                                                                                      \
		.status = 200, .headers = EVENTS, .body = events, .streams = true, .cut = true \
	}
#define OPEN_ENDED(events)                                                        \
	{                                                                         \
		.status = 200, .headers = EVENTS, .body = events, .streams = true \
	}
#define BROKEN(events)                                                                       \
	{                                                                                    \
		.status = 200, .headers = EVENTS "Content-Length: 9999\r\n", .body = events, \
		.streams = true, .cut = true                                                 \
	}
#define REFUSED(number)                                     \
	{                                                   \
		.status = number, .headers = "", .body = "" \
	}
#define SESSION                                                                 \
	{.status = 200,                                                         \
	 .headers = "Content-Type: application/json\r\nMcp-Session-Id: s1\r\n", \
	 .body = ANSWER},                                                       \
		REFUSED(202)

static bool has(const struct kit *kit, size_t index, const char *text)
{
	return index < kit->request_count && strstr(kit->requests[index], text);
}

static bool logged(struct kit *kit, const char *text)
{
	return tn_str_find(tn_buf_str(&kit->log), tn_str_from(text)) != TN_STR_NONE;
}

static void call(struct kit *kit, enum tn_revision revision)
{
	kit_carrier(kit, "http", (struct tn_url_target){.token = "secret"});
	kit_send(kit, CALL, "tools/call", "A", revision);
}

static void begin_session(struct kit *kit)
{
	kit_carrier(kit, "http", (struct tn_url_target){0});
	kit_send(kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run(kit, "ended I");
	kit_send(kit, INITED, "notifications/initialized", NULL, TN_R4);
	kit_run_requests(kit, 2);
	kit_run_for(kit, 20);
}

static uint64_t between(const struct kit *kit, size_t first, size_t second)
{
	return kit->request_ms[second] - kit->request_ms[first];
}

/* Never sooner. */
static bool is_in_time(const struct kit *kit, size_t first, uint64_t least, uint64_t most)
{
	uint64_t took_ms = between(kit, first, first + 1);

	assert_true(took_ms >= least);
	return took_ms <= most;
}

/* Where others want the processor it is looked at again: what waits for longer always does. */
static void in_time(bool (*look)(void))
{
	bool good = look();

	for (int i = 0; i < 5 && !good; i++)
		good = look();
	assert_true(good);
}

/* ---- the stream of a request ---- */

/* MCP-147, MCP-148: the server polls. Not earlier than 50 ms before its time, not later than 200
 * after. */
static bool look_a_polling_server_is_asked_again_in_time(void)
{
	static const struct kit_reply script[] = {
		ENDED("id: 2-0\ndata:\n\nid: 2-1\ndata: " NOTICE "\n\nretry: 500\n\n"),
		ENDED("id: 2-2\ndata: " NOTICE "\n\nretry: 100\n\n"),
		ENDED("id: 2-3\ndata: " ANSWER "\n\n")};
	struct kit kit;
	bool good;

	OPEN(&kit, script);
	call(&kit, TN_R4);
	kit_run(&kit, "ended A");
	assert_true(logged(&kit, "message A 200 " NOTICE "\nmessage A 200 " NOTICE
				 "\nmessage A 200 " ANSWER "\nended A "));
	assert_true(has(&kit, 1, "GET /mcp HTTP/1.1\r\n"));
	assert_true(has(&kit, 1, "\r\nLast-Event-ID: 2-1\r\n"));
	assert_true(has(&kit, 1, "\r\nAccept: text/event-stream\r\n"));
	assert_true(has(&kit, 1, "\r\nAuthorization: Bearer secret\r\n"));
	assert_true(has(&kit, 1, "\r\nMCP-Protocol-Version: 2025-11-25\r\n"));
	good = is_in_time(&kit, 0, 450, 700);
	assert_true(has(&kit, 2, "\r\nLast-Event-ID: 2-2\r\n"));
	good = is_in_time(&kit, 1, 50, 300) && good;
	kit_run_for(&kit, 200);
	assert_int_equal(kit.request_count, 3); /* what is answered is not resumed */
	kit_close(&kit);
	return good;
}

static void a_polling_server_is_asked_again_in_time(void **state)
{
	(void)state;
	in_time(look_a_polling_server_is_asked_again_in_time);
}

/* MCP-151, MCP-148: without a retry value about a second. */
static bool look_a_broken_stream_is_resumed(void)
{
	static const struct kit_reply script[] = {BROKEN("id: a\ndata: " NOTICE "\n\ndata: half"),
						  ENDED("data: " ANSWER "\n\n")};
	struct kit kit;
	bool good;

	OPEN(&kit, script);
	call(&kit, TN_R2);
	kit_run(&kit, "message A 200 " ANSWER "\nended A ");
	assert_true(has(&kit, 1, "\r\nLast-Event-ID: a\r\n"));
	good = is_in_time(&kit, 0, 700, 1600);
	kit_close(&kit);
	return good;
}

static void a_broken_stream_is_resumed(void **state)
{
	(void)state;
	in_time(look_a_broken_stream_is_resumed);
}

static void without_an_id_the_request_is_lost(void **state)
{
	static const struct kit_reply script[] = {BROKEN("data: " NOTICE "\n\n"),
						  ENDED("data: " NOTICE "\n\nretry: 1\n\n")};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	call(&kit, TN_R4);
	kit_run(&kit, "ended A system 200: ");
	kit_send(&kit, CALL, "tools/call", "B", TN_R4);
	kit_run(&kit, "ended B invalid 200: the reply is over, and had no answer in it\n");
	kit_run_for(&kit, 100);
	assert_int_equal(kit.request_count, 2);
	kit_close(&kit);
}

/* MCP-152: modern streams are never resumed, whatever the server sends. */
static void modern_streams_are_not_resumed(void **state)
{
	static const struct kit_reply script[] = {BROKEN("id: a\nretry: 1\ndata: " NOTICE "\n\n"),
						  ENDED("id: b\nretry: 1\n\n")};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	call(&kit, TN_R5);
	kit_run(&kit, "ended A system 200: ");
	kit_send(&kit, CALL, "tools/call", "B", TN_R5);
	kit_run(&kit, "ended B invalid 200: ");
	kit_run_for(&kit, 100);
	assert_int_equal(kit.request_count, 2);
	assert_false(has(&kit, 1, "Last-Event-ID"));
	kit_close(&kit);
}

static void a_refused_resumption_ends_the_request(void **state)
{
	static const struct kit_reply script[] = {ENDED("id: a\nretry: 1\ndata: " NOTICE "\n\n"),
						  REFUSED(405)};
	static const struct kit_reply denied[] = {ENDED("id: a\nretry: 1\ndata: " NOTICE "\n\n"),
						  REFUSED(401)};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	call(&kit, TN_R4);
	kit_run(&kit, "ended A system 405: the stream broke off, and the server does not resume it "
		      "(405)\n");
	kit_close(&kit);
	OPEN(&kit, denied);
	call(&kit, TN_R4);
	kit_run(&kit, "ended A denied 401: ");
	kit_close(&kit);
}

static void a_session_lost_meanwhile_is_said_so(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, ENDED("id: a\nretry: 1\ndata: " NOTICE "\n\n"), REFUSED(404)};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run(&kit, "ended A expired 404: the server does not know our session any more (404) "
		      "(session lost)\n");
	assert_true(has(&kit, 3, "\r\nMcp-Session-Id: s1\r\n"));
	kit_close(&kit);
}

/* What passes is waited for, longer if the server says so. */
static bool look_a_busy_server_is_asked_again(void)
{
	static const struct kit_reply script[] = {
		ENDED("id: a\nretry: 50\ndata: " NOTICE "\n\n"),
		{.status = 503, .headers = "Retry-After: 1\r\n", .body = ""},
		REFUSED(409),
		{.reset = true},
		ENDED("data: " ANSWER "\n\n")};
	struct kit kit;
	bool good;

	OPEN(&kit, script);
	call(&kit, TN_R4);
	kit_run(&kit, "message A 200 " ANSWER "\n");
	good = is_in_time(&kit, 0, 40, 400);
	good = is_in_time(&kit, 1, 950, 1500) && good;
	assert_true(has(&kit, 4, "\r\nLast-Event-ID: a\r\n"));
	kit_close(&kit);
	return good;
}

static void a_busy_server_is_asked_again(void **state)
{
	(void)state;
	in_time(look_a_busy_server_is_asked_again);
}

static void nobody_waits_for_what_was_forgotten(void **state)
{
	static const struct kit_reply script[] = {ENDED("id: a\nretry: 50\ndata: " NOTICE "\n\n")};
	static const char request[] = "A";
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	kit_carrier(&kit, "http", (struct tn_url_target){0});
	kit_send(&kit, CALL, "tools/call", request, TN_R4);
	kit_run(&kit, "message A");
	kit_run_for(&kit, 20);
	kit.carrier->ops->forget(kit.carrier, (void *)(uintptr_t)request);
	kit_run_for(&kit, 100);
	assert_int_equal(kit.request_count, 1);
	assert_false(logged(&kit, "ended"));
	kit_close(&kit);
}

/* mcp.md section 24: an event that is too large ends its request only. */
static void an_event_beyond_the_limit_ends_its_request(void **state)
{
	static const char start[] = "id: a\ndata: ";
	const size_t size = TN_RESULT_BYTES_MAX + sizeof(start);
	struct kit_reply script[] = {OPEN_ENDED(NULL)};
	char *body = tn_mem_alloc(size + 3);
	struct kit kit;

	(void)state;
	assert_non_null(body);
	memset(body, ' ', size);
	memcpy(body, start, sizeof(start) - 1);
	memcpy(body + size, "\n\n", 3);
	script[0].body = body;
	OPEN(&kit, script);
	call(&kit, TN_R4);
	kit_run(&kit, "ended A limit 200: a message of more than 67108864 bytes\n");
	kit_close(&kit);
	tn_mem_free(body);
}

/* ---- the feed ---- */

/* MCP-144, MCP-148 */
static bool look_the_feed_comes_back(void)
{
	static const struct kit_reply script[] = {
		SESSION, ENDED("retry: 100\nid: 7\ndata: " NOTICE "\n\n"),
		REFUSED(409), /* MCP-141 */
		BROKEN("data: " NOTICE "\n\n"), OPEN_ENDED("data: " ANSWER "\n\n")};
	struct kit kit;
	bool good;

	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4); /* there is one */
	kit_run(&kit, "message - 200 " NOTICE "\nmessage - 200 " NOTICE "\nmessage - 200 " ANSWER);
	assert_false(has(&kit, 2, "Last-Event-ID"));
	assert_true(has(&kit, 3, "\r\nLast-Event-ID: 7\r\n"));
	good = is_in_time(&kit, 2, 90, 300);
	assert_true(has(&kit, 5, "\r\nLast-Event-ID: 7\r\n"));
	assert_true(kit_is_open(&kit, 5));
	assert_false(logged(&kit, "lost"));
	kit_close(&kit);
	return good;
}

static void the_feed_comes_back(void **state)
{
	(void)state;
	in_time(look_the_feed_comes_back);
}

static bool look_a_feed_that_never_speaks_is_asked_less_and_less(void)
{
	static const struct kit_reply script[] = {SESSION, ENDED(""), ENDED(""), ENDED("")};
	struct kit kit;
	bool good;

	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 5);
	good = is_in_time(&kit, 2, 700, 1400);
	good = is_in_time(&kit, 3, 1400, 2700) && good;
	kit_close(&kit);
	return good;
}

static void a_feed_that_never_speaks_is_asked_less_and_less(void **state)
{
	(void)state;
	in_time(look_a_feed_that_never_speaks_is_asked_less_and_less);
}

static void a_feed_without_our_session_loses_the_carrier(void **state)
{
	static const struct kit_reply script[] = {SESSION, ENDED("retry: 1\ndata: " NOTICE "\n\n"),
						  REFUSED(404)};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run(&kit, "lost expired: the server does not know our session any more (404)\n");
	kit_send(&kit, CALL, "tools/call", "A", TN_R4); /* nothing travels any more */
	kit_run_for(&kit, 20);
	assert_int_equal(kit.request_count, 4);
	kit_close(&kit);
}

static void a_feed_that_is_no_stream_is_none(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, {.status = 200, .body = "{}"}, {.status = 202, .headers = ""}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R5); /* the modern era has none */
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 3);
	kit_run_for(&kit, 20);
	assert_false(logged(&kit, "lost"));
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run(&kit, "ended A invalid 202: the server answered a request with status 202\n");
	kit_close(&kit);
}

/* mcp.md section 11.10: 202 to a request, in an old server's way of answering on the GET stream. */
static void an_answer_may_come_on_the_feed(void **state)
{
	static const struct kit_reply script[] = {SESSION, OPEN_ENDED(""), REFUSED(202)};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 3);
	kit_send(&kit, CALL, "tools/call", "A", TN_R4);
	kit_run_requests(&kit, 4);
	kit_run_for(&kit, 20);
	kit_push(&kit, 2, "data: " ANSWER "\n\n");
	kit_run(&kit, "message - 200 " ANSWER "\n");
	assert_false(logged(&kit, "ended A"));
	kit_close(&kit);
}

/* A new session has a feed of its own. */
static void initialize_closes_the_old_feed(void **state)
{
	static const struct kit_reply script[] = {
		SESSION, OPEN_ENDED(""), {.status = 200, .body = ANSWER}, OPEN_ENDED("")};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	begin_session(&kit);
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 3);
	kit_send(&kit, INIT, "initialize", "J", TN_REVISION_NONE);
	kit_run(&kit, "ended J");
	assert_false(kit_is_open(&kit, 2));
	kit.carrier->ops->open_feed(kit.carrier, TN_R4);
	kit_run_requests(&kit, 5);
	assert_false(has(&kit, 4, "Mcp-Session-Id"));
	kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_polling_server_is_asked_again_in_time),
		cmocka_unit_test(a_broken_stream_is_resumed),
		cmocka_unit_test(without_an_id_the_request_is_lost),
		cmocka_unit_test(modern_streams_are_not_resumed),
		cmocka_unit_test(a_refused_resumption_ends_the_request),
		cmocka_unit_test(a_session_lost_meanwhile_is_said_so),
		cmocka_unit_test(a_busy_server_is_asked_again),
		cmocka_unit_test(nobody_waits_for_what_was_forgotten),
		cmocka_unit_test(an_event_beyond_the_limit_ends_its_request),
		cmocka_unit_test(the_feed_comes_back),
		cmocka_unit_test(a_feed_that_never_speaks_is_asked_less_and_less),
		cmocka_unit_test(a_feed_without_our_session_loses_the_carrier),
		cmocka_unit_test(a_feed_that_is_no_stream_is_none),
		cmocka_unit_test(an_answer_may_come_on_the_feed),
		cmocka_unit_test(initialize_closes_the_old_feed),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: carrier_resume_test PLUGIN_FOLDER\n");
		return 64;
	}
	kit_plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
