/* Batches, which revision 2025-03-26 has and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/size.h"
#include "mcp/test_fixtures.h"

#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define NOTE "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"

static void test_batch(void **state) /* MCP-018, MCP-019 */
{
	struct test_peer *t = *state;
	const struct test_exchange *x;

	test_initialize(t, "2025-03-26", NULL);
	(void)test_send(t, "[" PING("1") "," NOTE "," PING("\"two\"") "]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"result\":{}}]");
	x = test_send(t, "[" NOTE "," NOTE "]");
	assert_int_equal(x->end, TEST_ENDED);
	x = test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
	assert_int_equal(x->end, TEST_ENDED);
	test_expect_nothing(t);
	(void)test_send(t, "[" PING("1") "]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
}

static void test_bad_elements(void **state) /* MCP-018: each as if it came alone */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	(void)test_send(t, "[1,{},{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"no\"}," PING("4") "]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"...\":0}},"
		       "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"...\":0}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32601,\"...\":0}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}]");
	(void)test_send(t, "[" PING("1") "," PING("1") "]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
}

static void test_refused(void **state) /* MCP-020, MCP-021, MCP-022 */
{
	static const char *const revisions[] = {NULL, "2024-11-05", "2025-06-18", "2025-11-25"};
	static const char *const never[] = {
		"[]",
		"[" PING("1") ",[" PING("2") "]]",
		"[[" PING("2") "]]",
		"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		"\"protocolVersion\":\"2025-03-26\",\"capabilities\":{}}}]",
		"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
		"\"hold\"}},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{"
		"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":7}}}]",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		if (revisions[i])
			test_initialize(t, revisions[i], NULL);
		(void)test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"hold\"}}," PING("2") "]");
		test_expect_error(t, NULL, -32600, "");
		test_reconnect(t);
	}
	test_initialize(t, "2025-03-26", NULL);
	for (size_t i = 0; i < TN_COUNT(never); i++) {
		(void)test_send(t, never[i]);
		test_expect_error(t, NULL, -32600, "");
	}
	assert_int_equal(t->held_count, 0); /* nothing was executed */
}

static void test_too_many(void **state) /* MCP-022: at most 100 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	for (int count = 100; count <= 101; count++) {
		struct tn_buf text;

		tn_buf_init(&text, TN_MIB);
		for (int i = 0; i < count; i++)
			tn_buf_append_text(&text, i ? "," NOTE : "[" NOTE);
		tn_buf_append_byte(&text, ']');
		(void)test_send_str(t, tn_buf_str(&text));
		tn_buf_finish(&text);
		if (count == 101)
			test_expect_error(t, NULL, -32600, "Too many");
		else
			test_expect_nothing(t);
	}
}

static void test_slow_elements(void **state) /* MCP-019: the reply comes with the last */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	(void)test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			   "{\"name\":\"hold\"}},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":"
			   "\"tools/call\",\"params\":{\"name\":\"hold\"}}," PING("3") "]");
	test_expect_nothing(t);
	test_finish_held(t, 1, "b");
	test_expect_nothing(t);
	test_finish_held(t, 0, "a");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"...\":0}},"
		       "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"...\":0}}]");
}

static void test_cancel_element(void **state) /* MCP-170: no answer for it, one for the others */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	(void)test_send(t,
			"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			"{\"name\":\"hold\"}},{\"jsonrpc\":\"2.0\",\"method\":"
			"\"notifications/cancelled\",\"params\":{\"requestId\":1}}," PING("3") "]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}]");
	assert_int_equal(t->cancelled_count, 1);
}

static void test_asking_element(void **state) /* questions go out before the array of answers */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", "{\"roots\":{}}");
	(void)test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			   "{\"name\":\"ask_roots\"}}]");
	test_expect(t, "{\"id\":1,\"method\":\"roots/list\",\"params\":{}}");
	(void)test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}}]");
	test_expect(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"...\":0}}]");
}

static void test_client_leaves(void **state) /* MCP-142, and the end of a connection */
{
	struct test_peer *t = *state;
	struct test_exchange *x;

	test_initialize(t, "2025-03-26", NULL);
	x = test_send(t, "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			 "{\"name\":\"hold\"}},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":"
			 "\"tools/call\",\"params\":{\"name\":\"hold\"}}]");
	test_gone(x);
	assert_int_equal(t->cancelled_count, 0); /* loss of the stream is no cancellation */
	test_finish_held(t, 0, "a");
	test_reconnect(t); /* the end of the peer is */
	assert_int_equal(t->cancelled_count, 1);
	test_expect_nothing(t);
}

static void test_http(void **state) /* MCP-018 to MCP-022 with their statuses */
{
	struct test_peer *t = *state;
	const char *const r2[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-03-26", NULL)},
				     {NULL, NULL}};
	const char *const r4[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-11-25", NULL)},
				     {NULL, NULL}};

	test_expect_status(t, test_post(t, r2, "[" PING("1") "," NOTE "]"), 200,
			   "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
	assert_int_equal(test_post(t, r2, "[" NOTE "]")->end, TEST_ENDED);
	test_expect_status(t, test_post(t, r2, "[]"), 400,
			   "{\"error\":{\"code\":-32600,\"...\":0}}");
	test_expect_status(t, test_post(t, r4, "[" PING("1") "]"), 400,
			   "{\"error\":{\"code\":-32600,\"...\":0}}");
	test_expect_status(t, test_post(t, NULL, "[" PING("1") "]"), 400,
			   "{\"error\":{\"code\":-32600,\"...\":0}}");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_batch),          TEST(test_bad_elements),  TEST(test_refused),
		TEST(test_too_many),       TEST(test_slow_elements), TEST(test_cancel_element),
		TEST(test_asking_element), TEST(test_client_leaves), TEST(test_http),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
