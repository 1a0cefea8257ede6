/* HTTP+SSE against a server that answers as its script says: carrier_sse_test PLUGIN_FOLDER */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/carrier_test_kit.h"

#define EVENTS "Content-Type: text/event-stream\r\n"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define INIT "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\"}"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define OPEN(kit, script) kit_open(kit, script, COUNT(script))
#define STREAM(events)                                                            \
	{                                                                         \
		.status = 200, .headers = EVENTS, .body = events, .streams = true \
	}
#define ENDPOINT(url) STREAM("event: endpoint\ndata: " url "\n\n")
#define ACCEPTED                                                 \
	{                                                        \
		.status = 202, .headers = "", .body = "Accepted" \
	}

static bool has(const struct kit *kit, size_t index, const char *text)
{
	return index < kit->request_count && strstr(kit->requests[index], text);
}

static bool logged(struct kit *kit, const char *text)
{
	return tn_str_find(tn_buf_str(&kit->log), tn_str_from(text)) != TN_STR_NONE;
}

static void connect_to(struct kit *kit, const char *path)
{
	char url[128];

	kit_carrier(kit, "sse",
		    (struct tn_url_target){.url = kit_url(kit, path, url, sizeof(url)),
					   .token = "secret"});
}

/* MCP-160 */
static void messages_go_where_the_endpoint_says(void **state)
{
	static const struct kit_reply script[] = {
		STREAM(""), ACCEPTED, {.status = 200, .body = "{\"not\":\"a message\"}"}, ACCEPTED};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/a/sse");
	assert_string_equal(kit.carrier->transport, "sse");
	assert_int_equal(kit.carrier->kind, TN_CARRIER_STREAM);
	kit_run_requests(&kit, 1);
	assert_true(has(&kit, 0, "GET /a/sse HTTP/1.1\r\n"));
	assert_true(has(&kit, 0, "\r\nAuthorization: Bearer secret\r\n"));
	assert_true(has(&kit, 0, "\r\nAccept: text/event-stream\r\n"));
	kit_run_for(&kit, 20);
	assert_int_equal(kit.log.size, 0);
	kit_push(&kit, 0, "event: endpoint\ndata: /messages?sessionId=9f2c\n\n");
	kit_run(&kit, "ready\n");
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run_requests(&kit, 2);
	assert_true(has(&kit, 1, "POST /messages?sessionId=9f2c HTTP/1.1\r\n"));
	assert_true(has(&kit, 1, "\r\nContent-Type: application/json\r\n"));
	assert_true(has(&kit, 1, "\r\nAuthorization: Bearer secret\r\n"));
	assert_true(has(&kit, 1, "\r\n\r\n" INIT));
	kit_run_for(&kit, 20);
	assert_false(logged(&kit, "ended")); /* the answer comes on the stream */
	kit_push(&kit, 0, "event: message\ndata: " ANSWER "\n\n");
	kit_run(&kit, "message - 200 " ANSWER "\n");
	/* Whatever the POST's answer says. */
	kit_send(&kit, INIT, "tools/call", "A", TN_R4);
	kit_run_requests(&kit, 3);
	kit_run_for(&kit, 20);
	assert_false(logged(&kit, "not"));
	/* It is said once. */
	kit_push(&kit, 0, "event: endpoint\ndata: /elsewhere\n\n");
	kit_run_for(&kit, 20);
	kit_send(&kit, INIT, "tools/call", "B", TN_R4);
	kit_run_requests(&kit, 4);
	assert_true(has(&kit, 3, "POST /messages?sessionId=9f2c HTTP/1.1\r\n"));
	kit_close(&kit);
}

static void relative_endpoints_are_seen_from_the_stream(void **state)
{
	static const struct kit_reply script[] = {ENDPOINT("messages?s=1"), ACCEPTED};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/a/sse?x");
	kit_run(&kit, "ready\n");
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run_requests(&kit, 2);
	assert_true(has(&kit, 1, "POST /a/messages?s=1 HTTP/1.1\r\n"));
	kit_close(&kit);
}

/* MCP-160: our token is for one origin. */
static void endpoints_of_other_origins_are_refused(void **state)
{
	static const struct kit_reply scripts[] = {
		ENDPOINT("http://localhost:1/messages"), ENDPOINT("//evil.example/messages"),
		ENDPOINT("https://127.0.0.1/messages"),  ENDPOINT("http://user@127.0.0.1/"),
		ENDPOINT("file:///etc/passwd"),          ENDPOINT(""),
	};
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < COUNT(scripts); i++) {
		kit_open(&kit, &scripts[i], 1);
		connect_to(&kit, "/sse");
		kit_run(&kit, "lost denied: the server names an endpoint that is not of its "
			      "origin\n");
		assert_false(logged(&kit, "ready"));
		kit_close(&kit);
	}
}

static void what_is_sent_too_early_waits(void **state)
{
	static const struct kit_reply script[] = {STREAM(""), ACCEPTED};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/sse");
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run_requests(&kit, 1);
	kit_run_for(&kit, 20);
	kit_push(&kit, 0, "event: endpoint\ndata: /m\n\n");
	kit_run_requests(&kit, 2);
	assert_true(has(&kit, 1, "POST /m "));
	kit_close(&kit);
}

struct failure {
	struct kit_reply reply;
	const char *log;
};

static void a_stream_that_does_not_come_loses_the_carrier(void **state)
{
	static const struct failure failures[] = {
		{{.status = 405, .headers = "", .body = ""},
		 "lost invalid: the server replied with status 405\n"},
		{{.status = 401, .headers = "", .body = ""},
		 "lost denied: the server wants authorization (401): give a token\n"},
		{{.status = 200, .body = "{}"},
		 "lost invalid: the server's reply (200) is neither"},
		{{.reset = true}, "lost system: "},
		{{.status = 200, .headers = EVENTS, .body = "", .cut = true},
		 "lost invalid: the reply is over"},
		{STREAM("data: " ANSWER "\n\n"),
		 "lost expired: the server has not named its endpoint in time\n"},
	};
	struct kit kit;

	(void)state;
	for (size_t i = 0; i < COUNT(failures); i++) {
		kit_open(&kit, &failures[i].reply, 1);
		connect_to(&kit, "/sse");
		kit_run(&kit, failures[i].log);
		assert_false(logged(&kit, "ready"));
		kit_close(&kit);
	}
}

static void the_end_of_the_stream_is_the_end(void **state)
{
	static const struct kit_reply script[] = {ENDPOINT("/m"), ACCEPTED};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/sse");
	kit_run(&kit, "ready\n");
	kit_send(&kit, INIT, "initialize", "I", TN_REVISION_NONE);
	kit_run_requests(&kit, 2);
	kit_push(&kit, 0, NULL);
	kit_run(&kit, "lost system: the server has ended the stream\n");
	kit_run_for(&kit, 20);
	assert_int_equal(kit.request_count, 2); /* it does not come back by itself */
	kit_close(&kit);
}

static void a_refused_post_ends_its_request(void **state)
{
	static const struct kit_reply script[] = {
		ENDPOINT("/m"), {.status = 404, .headers = "", .body = "no such session"}};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/sse");
	kit_run(&kit, "ready\n");
	kit_send(&kit, INIT, "tools/call", "A", TN_R4);
	kit_run(&kit, "ended A invalid 404: the server replied with status 404 body 15 no such");
	kit_close(&kit);
}

static void note_closed(void *data)
{
	struct kit *kit = data;

	kit->carrier = NULL;
	tn_buf_append_text(&kit->log, "closed\n");
}

static void closing_ends_the_stream(void **state)
{
	static const struct kit_reply script[] = {ENDPOINT("/m")};
	struct kit kit;

	(void)state;
	OPEN(&kit, script);
	connect_to(&kit, "/sse");
	kit_run(&kit, "ready\n");
	assert_true(kit_is_open(&kit, 0));
	kit.carrier->ops->close(kit.carrier, note_closed, &kit);
	kit_run(&kit, "closed\n");
	kit_run_for(&kit, 20);
	assert_false(kit_is_open(&kit, 0));
	assert_false(logged(&kit, "lost"));
	kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_go_where_the_endpoint_says),
		cmocka_unit_test(relative_endpoints_are_seen_from_the_stream),
		cmocka_unit_test(endpoints_of_other_origins_are_refused),
		cmocka_unit_test(what_is_sent_too_early_waits),
		cmocka_unit_test(a_stream_that_does_not_come_loses_the_carrier),
		cmocka_unit_test(the_end_of_the_stream_is_the_end),
		cmocka_unit_test(a_refused_post_ends_its_request),
		cmocka_unit_test(closing_ends_the_stream),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: carrier_sse_test PLUGIN_FOLDER\n");
		return 64;
	}
	kit_plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
