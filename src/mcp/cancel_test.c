/* Cancellation, clients that leave, and servers that end under their calls (mcp.md section 14.2).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/test_fixtures.h"

static struct test_exchange *hold(struct test_peer *t, int id)
{
	return test_sendf(t,
			  "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
			  "\"name\":\"hold\"}}",
			  id);
}

static void cancel(struct test_peer *t, const char *id)
{
	assert_int_equal(test_sendf(t,
				    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
				    "\"params\":{\"requestId\":%s,\"reason\":\"enough\"}}",
				    id)
				 ->end,
			 TEST_ENDED);
}

static void test_every_second(void **state) /* MCP-173, MCP-292 */
{
	struct test_peer *t = *state;
	struct test_exchange *x[100];
	bool seen[100] = {false};
	unsigned answers = 0;

	test_initialize(t, "2025-11-25", NULL);
	for (int i = 0; i < 100; i++)
		x[i] = hold(t, i);
	for (int i = 0; i < 100; i += 2) {
		char id[16];

		(void)snprintf(id, sizeof(id), "%d", i);
		cancel(t, id);
		cancel(t, id); /* once more: ignored */
	}
	assert_int_equal(t->cancelled_count, 50);
	for (int i = 99; i >= 0; i--) {
		if (t->held[i])
			test_finish_held(t, (unsigned)i, "done");
	}
	for (const char *json = test_next(t); json; json = test_next(t)) {
		int id = (int)strtol(strstr(json, "\"id\":") + strlen("\"id\":"), NULL, 10);

		assert_in_range(id, 0, 99);
		assert_false(seen[id]);
		seen[id] = true;
		answers++;
	}
	assert_int_equal(answers, 50);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(seen[i], i % 2);
		assert_int_equal(x[i]->end, i % 2 ? TEST_ANSWERED : TEST_CANCELLED);
	}
	assert_int_equal(t->freed, 100);
	assert_int_equal(t->server->running, 0);
	assert_true(tn_peer_idle(t->peer));
}

static void test_same_type(void **state) /* MCP-003, MCP-171: "1" is not 1 */
{
	static const char *const others[] = {"\"5\"", "5.0", "50", "null", "[5]", "{}", "true"};
	struct test_peer *t = *state;
	const struct test_exchange *x;

	test_initialize(t, "2025-11-25", NULL);
	x = hold(t, 5);
	for (size_t i = 0; i < TN_COUNT(others); i++)
		cancel(t, others[i]);
	assert_int_equal(x->end, TEST_OPEN);
	cancel(t, "5");
	assert_int_equal(x->end, TEST_CANCELLED);
	cancel(t, "5"); /* finished */
	test_expect_nothing(t);
	(void)hold(t, 5); /* the id is free again */
	test_finish_held(t, 1, "done");
	test_expect(t, "{\"id\":5,\"result\":\"<object>\"}");
}

static void test_any_era(void **state) /* ladder 6: among all requests of the connection */
{
	struct test_peer *t = *state;
	const struct test_exchange *modern, *legacy;

	modern = test_modern(t, "\"m\"", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	cancel(t, "\"m\""); /* without any session */
	assert_int_equal(modern->end, TEST_CANCELLED);
	test_initialize(t, "2025-03-26", NULL);
	legacy = hold(t, 1);
	modern = test_modern(t, "2", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	cancel(t, "2");
	assert_int_equal(modern->end, TEST_CANCELLED);
	assert_int_equal(legacy->end, TEST_OPEN);
	test_finish_held(t, 1, "done");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
}

static void test_deaf_handler(void **state) /* a late answer goes nowhere */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold_deaf\",\"_meta\":{\"progressToken\":1}}}");
	cancel(t, "1");
	tenon_call_progress(t->held[0], 1, 2, NULL);
	tenon_call_log(t->held[0], TENON_LOG_EMERGENCY, NULL, "unheard");
	assert_true(tenon_call_cancelled(t->held[0]));
	test_finish_held(t, 0, "late");
	test_expect_nothing(t);
	assert_int_equal(t->server->running, 0);
}

static void test_work_and_timers(void **state) /* MCP-172 */
{
	static const char *const tools[] = {"works", "later"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				 "\"params\":{\"name\":\"%s\"}}",
				 tools[i]);
		cancel(t, "1");
		for (int wait = 0; wait < 6000 && t->freed <= i; wait++)
			test_run(t, 5);
		assert_int_equal(t->freed, i + 1);
	}
	test_expect_nothing(t);
	assert_int_equal(t->server->running, 0);
}

static void test_from_handler(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	tenon_call_on_cancel(call, NULL, NULL);
	tn_call_cancel(call); /* as a transport may do while the handler writes */
	assert_true(tenon_call_cancelled(call));
	assert_false(call->left);
	tenon_call_set_data(call, &t->freed, NULL);
	tenon_call_reply_text(call, "nobody reads this");
}

static void test_inside_handler(void **state)
{
	static const struct tenon_tool tool = {.name = "cancels", .call = test_from_handler};
	struct test_peer *t = *state;
	const struct test_exchange *x;

	test_add_tools(t, &tool, 1);
	x = test_modern(t, "1", "tools/call", "\"name\":\"cancels\"", NULL, NULL);
	assert_int_equal(x->end, TEST_CANCELLED);
	test_expect_nothing(t);
	assert_int_equal(t->server->running, 0);
}

/* ---- clients that leave ---- */

static const char *const hold_headers[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
					      {"Mcp-Method", "tools/call"},
					      {"Mcp-Name", "hold"},
					      {NULL, NULL}};

static void test_http_gone_modern(void **state) /* MCP-154: that is the cancellation */
{
	struct test_peer *t = *state;
	struct test_exchange *x =
		test_post(t, hold_headers,
			  test_modern_text(t, "1", "tools/call", "\"name\":\"hold\"", NULL, NULL));

	test_gone(x);
	assert_int_equal(t->cancelled_count, 1);
	assert_int_equal(t->server->running, 0);
}

static void test_http_gone_legacy(void **state) /* MCP-142: that is none */
{
	struct test_peer *t = *state;
	const char *const session[][2] = {
		{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)}, {NULL, NULL}};
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"hold\"}}";
	struct test_exchange *x = test_post(t, session, text), *y;

	test_gone(x);
	assert_int_equal(t->cancelled_count, 0);
	test_finish_held(t, 0, "done"); /* it goes on, and its result is dropped */
	assert_int_equal(t->server->running, 0);
	y = test_post(t, session, text);
	assert_int_equal(test_post(t, session,
				   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
				   "\"params\":{\"requestId\":1}}")
				 ->end,
			 TEST_ENDED);
	assert_int_equal(y->end, TEST_CANCELLED); /* MCP-170: the stream ends without an answer */
	assert_int_equal(t->cancelled_count, 1);
	test_expect_nothing(t);
}

static void test_session_ends(void **state) /* MCP-135, MCP-285 */
{
	struct test_peer *t = *state;
	const char *const one[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)},
				      {NULL, NULL}};
	const char *const two[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)},
				      {NULL, NULL}};
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"hold\"}}";
	const struct test_exchange *x = test_post(t, one, text), *y = test_post(t, two, text);

	/* Another session's request with the same id is not meant. */
	assert_int_equal(test_post(t, two,
				   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
				   "\"params\":{\"requestId\":1}}")
				 ->end,
			 TEST_ENDED);
	assert_int_equal(x->end, TEST_OPEN);
	assert_int_equal(y->end, TEST_CANCELLED);
	tn_peer_destroy(t->sessions[0].peer);
	t->sessions[0].peer = NULL;
	assert_int_equal(x->end, TEST_CANCELLED);
	assert_int_equal(t->cancelled_count, 2);
	assert_int_equal(t->server->running, 0);
}

/* MCP-292: a handler that is deaf to cancellation outlives its connection, and reads what it likes.
 */
static void test_orphan(void **state)
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold_deaf\",\"_meta\":{\"progressToken\":1}}}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"hold_deaf\"", NULL,
			  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"modern\",\"version\":"
			  "\"2\"}");
	test_reconnect(t);
	assert_string_equal(tenon_call_client_name(t->held[0]), "tester");
	assert_string_equal(tenon_call_principal(t->held[0]), "tester");
	assert_string_equal(tenon_call_revision(t->held[0]), "2025-11-25");
	assert_string_equal(tenon_call_client_name(t->held[1]), "modern");
	assert_true(t->held[0]->left && t->held[1]->left); /* it did not say so */
	tenon_call_progress(t->held[0], 1, 2, NULL);
	tenon_call_log(t->held[0], TENON_LOG_ERROR, NULL, "unheard");
	test_finish_held(t, 0, "late");
	test_finish_held(t, 1, "late");
	test_expect_nothing(t);
	assert_int_equal(t->freed, 2);
	assert_int_equal(t->server->running, 0);
}

static void test_orphan_asks(void **state) /* nobody is left to ask */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"ask_after\"}}");
	test_reconnect(t);
	for (int wait = 0; wait < 6000 && t->server->running; wait++)
		test_run(t, 5);
	assert_int_equal(t->server->running, 0);
	test_expect_nothing(t);
}

static void test_server_ends(void **state) /* with calls of every kind; teardown destroys it */
{
	static const char *const tools[] = {"hold",     "hold_deaf",      "later",    "works",
					    "ask_form", "ask_after_work", "ask_after"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		char params[64], id[16];

		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"tools/call\","
				 "\"params\":{\"name\":\"%s\"}}",
				 i, tools[i]);
		(void)snprintf(params, sizeof(params), "\"name\":\"%s\"", tools[i]);
		(void)snprintf(id, sizeof(id), "\"%zu\"", i);
		(void)test_modern(t, id, "tools/call", params, NULL, NULL);
	}
	test_reconnect(t); /* some of them are orphans then */
	(void)test_modern(t, "1", "tools/call", "\"name\":\"hold_deaf\"", NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_every_second),     TEST(test_same_type),        TEST(test_any_era),
		TEST(test_deaf_handler),     TEST(test_work_and_timers),  TEST(test_inside_handler),
		TEST(test_http_gone_modern), TEST(test_http_gone_legacy), TEST(test_session_ends),
		TEST(test_orphan),           TEST(test_orphan_asks),      TEST(test_server_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
