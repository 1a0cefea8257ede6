/* Listen streams and the change feed of both eras (mcp.md section 15, MCP-066, MCP-198). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/limits.h"
#include "base/size.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

enum { DEBOUNCED_MS = TN_LIST_CHANGED_DEBOUNCE_MS + 30 };

static const char *const listen_headers[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						{"Mcp-Method", "subscriptions/listen"},
						{NULL, NULL}};

/* Listens with this filter and takes the acknowledgement, which repeats `accepted`. */
static struct test_exchange *listen(struct test_peer *t, const char *id, const char *filter,
				    const char *accepted)
{
	struct test_exchange *x;
	struct tn_buf params;

	tn_buf_init(&params, TN_MIB);
	tn_buf_format(&params, "\"notifications\":{%s}", filter);
	tn_buf_append_byte(&params, '\0');
	x = test_modern(t, id, "subscriptions/listen", params.data, NULL, NULL);
	tn_buf_finish(&params);
	test_expectf(t,
		     "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		     "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s},"
		     "\"notifications\":{%s}}}",
		     id, accepted);
	return x;
}

static void expect_changed(struct test_peer *t, const char *what, const char *id)
{
	if (id)
		test_expectf(t,
			     "{\"method\":\"notifications/%s/list_changed\",\"params\":{\"_meta\":{"
			     "\"io.modelcontextprotocol/subscriptionId\":%s}}}",
			     what, id);
	else
		test_expectf(t, "{\"method\":\"notifications/%s/list_changed\"}", what);
}

static void expect_updated(struct test_peer *t, const char *uri, const char *id)
{
	test_expectf(t,
		     "{\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"%s\","
		     "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}}}",
		     uri, id);
}

static void remove_prompt(struct test_peer *t)
{
	assert_true(tenon_server_remove_prompt(t->server, "plain"));
}

/* ---- modern ---- */

static void test_acknowledged(void **state) /* MCP-191, MCP-194 */
{
	static const char *const filters[] = {
		"",
		"\"toolsListChanged\":true",
		"\"promptsListChanged\":true,\"resourcesListChanged\":true",
		"\"resourceSubscriptions\":[\"test://text\"]",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(filters); i++) {
		char id[16];

		(void)snprintf(id, sizeof(id), i % 2 ? "%zu" : "\"%zu\"", i);
		assert_int_equal(listen(t, id, filters[i], filters[i])->end, TEST_OPEN);
	}
	(void)listen(t, "9", "\"toolsListChanged\":false,\"unknown\":7,\"taskIds\":[]", "");
	(void)listen(t, "10", "\"resourceSubscriptions\":[\"a:b\",\"a:b\"]",
		     "\"resourceSubscriptions\":[\"a:b\"]");
	(void)listen(t, "11", "\"resourceSubscriptions\":[]", "");
	test_expect_nothing(t);
}

static void test_bad_filters(void **state) /* MCP-194, MCP-197 */
{
	static const char *const bad[] = {
		"",
		"\"notifications\":[]",
		"\"notifications\":null",
		"\"notifications\":{\"toolsListChanged\":1}",
		"\"notifications\":{\"promptsListChanged\":\"yes\"}",
		"\"notifications\":{\"resourceSubscriptions\":{}}",
		"\"notifications\":{\"resourceSubscriptions\":\"a:b\"}",
		"\"notifications\":{\"resourceSubscriptions\":[\"a:b\",7]}",
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		(void)test_modern(t, "1", "subscriptions/listen", bad[i], NULL, NULL);
		test_expect_error(t, "1", -32602, "notifications");
	}
	assert_int_equal(t->server->listener_count, 0);
	assert_int_equal(t->server->subscription_bytes, 0);
}

static void test_many_uris(void **state) /* MCP-197 */
{
	struct test_peer *t = *state;

	for (int count = 10000; count <= 10001; count++) {
		struct tn_buf params;

		tn_buf_init(&params, TN_MIB);
		tn_buf_append_text(&params, "\"notifications\":{\"resourceSubscriptions\":[");
		for (int i = 0; i < count; i++)
			tn_buf_format(&params, "%s\"a:%d\"", i ? "," : "", i);
		tn_buf_append_text(&params, "]}");
		tn_buf_append_byte(&params, '\0');
		(void)test_modern(t, "1", "subscriptions/listen", params.data, NULL, NULL);
		tn_buf_finish(&params);
		if (count == 10000)
			test_expect(t, "{\"method\":\"<string>\",\"params\":\"<object>\"}");
		else
			test_expect_error(t, "1", -32603, "subscription limit reached");
		test_reconnect(t);
	}
	assert_int_equal(t->server->subscription_bytes, 0);
}

static void test_all_uris(void **state) /* MCP-197, MCP-292: the bytes of everybody's together */
{
	enum { EACH = TN_SUBSCRIPTION_BYTES_MAX / TN_URI_BYTES_MAX };
	struct test_peer *t = *state;
	unsigned taken = 0;
	struct tn_buf params;

	tn_buf_init(&params, TN_MESSAGE_BYTES_MAX);
	tn_buf_append_text(&params, "\"notifications\":{\"resourceSubscriptions\":[");
	for (int i = 0; i < EACH; i++)
		tn_buf_format(&params, "%s\"a:%0*d\"", i ? "," : "", (int)TN_URI_BYTES_MAX - 2, i);
	tn_buf_append_text(&params, "]}");
	tn_buf_append_byte(&params, '\0');
	assert_false(params.failed);
	for (int i = 0; i < 20; i++) {
		const struct test_exchange *x = test_post(
			t, listen_headers,
			test_modern_text(t, "1", "subscriptions/listen", params.data, NULL, NULL));

		taken += x->end == TEST_OPEN;
		if (x->end == TEST_OPEN)
			(void)test_next(t);
		else
			test_expect_error(t, "1", -32603, "subscription limit reached");
	}
	tn_buf_finish(&params);
	assert_int_equal(taken, TN_SUBSCRIPTION_TOTAL_MAX / TN_SUBSCRIPTION_BYTES_MAX);
	assert_int_equal(t->server->subscription_bytes, TN_SUBSCRIPTION_TOTAL_MAX);
}

static void test_list_changes(void **state) /* MCP-191, MCP-192, MCP-193, MCP-198 */
{
	struct test_peer *t = *state;

	(void)listen(t, "1", "\"toolsListChanged\":true", "\"toolsListChanged\":true");
	(void)listen(t, "\"2\"", "\"toolsListChanged\":true,\"promptsListChanged\":true",
		     "\"toolsListChanged\":true,\"promptsListChanged\":true");
	(void)listen(t, "3", "", "");
	test_add_many_tools(t, "more", 100);
	test_expect_nothing(t);
	test_run(t, DEBOUNCED_MS);
	expect_changed(t, "tools", "\"2\""); /* once each */
	expect_changed(t, "tools", "1");
	test_expect_nothing(t);
	remove_prompt(t);
	test_run(t, DEBOUNCED_MS);
	expect_changed(t, "prompts", "\"2\"");
	test_expect_nothing(t);
}

static void test_updates(void **state) /* MCP-193 */
{
	struct test_peer *t = *state;

	(void)listen(t, "1", "\"resourceSubscriptions\":[\"test://text\",\"test://blob\"]",
		     "\"resourceSubscriptions\":\"<array>\"");
	(void)listen(t, "2", "\"resourceSubscriptions\":[\"test://text\"]",
		     "\"resourceSubscriptions\":[\"test://text\"]");
	(void)listen(t, "3", "\"toolsListChanged\":true", "\"toolsListChanged\":true");
	tenon_server_resource_updated(t->server, "test://text");
	expect_updated(t, "test://text", "2");
	expect_updated(t, "test://text", "1");
	tenon_server_resource_updated(t->server, "test://blob");
	expect_updated(t, "test://blob", "1");
	tenon_server_resource_updated(t->server, "test://text/more");
	tenon_server_resource_updated(t->server, "TEST://text");
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t);
}

static void test_queries(void **state) /* workbench N2 */
{
	struct test_peer *t = *state;

	(void)listen(t, "1",
		     "\"resourceSubscriptions\":[\"test://text?since=7\",\"test://textile\"]",
		     "\"resourceSubscriptions\":\"<array>\"");
	assert_true(tn_feed_has_subscriber(t->server, TN_STR("test://text")));
	tenon_server_resource_updated(t->server, "test://text");
	expect_updated(t, "test://text?since=7", "1");
	tenon_server_resource_updated(t->server, "test://tex");
	tenon_server_resource_updated(t->server, "test://text?since");
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t);
}

static bool is_it(const struct tn_peer *peer, void *data)
{
	return peer == data;
}

static void test_some(void **state) /* who means another thing by the URI is not told */
{
	struct test_peer *t = *state;

	(void)listen(t, "1", "\"resourceSubscriptions\":[\"test://text\"]",
		     "\"resourceSubscriptions\":[\"test://text\"]");
	tn_feed_resource_updated_for(t->server, TN_STR("test://text"), is_it, NULL);
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t);
	tn_feed_resource_updated_for(t->server, TN_STR("test://text"), is_it, t->peer);
	expect_updated(t, "test://text", "1");
}

static void test_cancel(void **state) /* MCP-196: no response follows */
{
	struct test_peer *t = *state;
	struct test_exchange *one, *two, *http;

	one = listen(t, "1", "\"toolsListChanged\":true", "\"toolsListChanged\":true");
	two = listen(t, "\"1\"", "\"toolsListChanged\":true", "\"toolsListChanged\":true");
	http = test_post(t, listen_headers,
			 test_modern_text(t, "1", "subscriptions/listen",
					  "\"notifications\":{\"toolsListChanged\":true}", NULL,
					  NULL));
	test_expect(t, "{\"method\":\"<has acknowledged>\",\"params\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	assert_int_equal(one->end, TEST_CANCELLED);
	assert_int_equal(two->end, TEST_OPEN);
	assert_int_equal(http->end, TEST_OPEN);
	test_gone(http);
	test_add_many_tools(t, "more", 1);
	test_run(t, DEBOUNCED_MS);
	expect_changed(t, "tools", "\"1\"");
	test_expect_nothing(t);
	test_reconnect(t);
	assert_int_equal(two->end, TEST_CANCELLED);
	assert_int_equal(t->server->listener_count, 0);
}

static void test_close(void **state) /* MCP-195: the result, with the id */
{
	struct test_peer *t = *state;
	const struct test_exchange *x = listen(t, "\"s\"", "", "");

	tn_feed_close(t->server);
	assert_int_equal(x->end, TEST_ANSWERED);
	test_expect(t, "{\"id\":\"s\",\"result\":{\"resultType\":\"complete\",\"_meta\":{"
		       "\"io.modelcontextprotocol/subscriptionId\":\"s\"}}}");
	assert_int_equal(t->server->listener_count, 0);
}

static void test_limits(void **state) /* MCP-197 */
{
	struct test_peer *t = *state;
	const struct test_exchange *x;
	char id[16];

	for (int i = 0; i < 64; i++) {
		(void)snprintf(id, sizeof(id), "%d", i);
		(void)listen(t, id, "", "");
	}
	(void)test_modern(t, "64", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	test_expect_error(t, "64", -32603, "subscription limit reached");
	for (int i = 64; i < 1024; i++) { /* of other connections */
		x = test_post(t, listen_headers,
			      test_modern_text(t, "1", "subscriptions/listen",
					       "\"notifications\":{}", NULL, NULL));
		assert_int_equal(x->end, TEST_OPEN);
		test_expect(t, "{\"method\":\"<has acknowledged>\",\"params\":\"<object>\"}");
	}
	x = test_post(t, listen_headers,
		      test_modern_text(t, "1", "subscriptions/listen", "\"notifications\":{}", NULL,
				       NULL));
	test_expect_status(t, x, 200,
			   "{\"id\":1,\"error\":{\"code\":-32603,\"message\":\"<has subscription "
			   "limit reached>\"}}");
}

static void test_deaf_listener(void **state) /* MCP-192: it needs a stream */
{
	struct test_peer *t = *state;

	t->deaf = true;
	test_expect_status(t,
			   test_post(t, listen_headers,
				     test_modern_text(t, "1", "subscriptions/listen",
						      "\"notifications\":{}", NULL, NULL)),
			   406,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"message\":\"Accept must allow "
			   "text/event-stream\"}}");
	assert_int_equal(t->server->listener_count, 0);
}

static void test_slow_listener(void **state) /* MCP-197: coalesced, never queued */
{
	struct test_peer *t = *state;
	struct test_exchange *x =
		listen(t, "1",
		       "\"toolsListChanged\":true,\"resourceSubscriptions\":[\"test://text\","
		       "\"test://blob\"]",
		       "\"toolsListChanged\":true,\"resourceSubscriptions\":\"<array>\"");

	x->backlogged = true;
	for (int i = 0; i < 1000; i++) {
		tenon_server_resource_updated(t->server, "test://text");
		tenon_server_resource_updated(t->server, "test://blob");
	}
	test_add_many_tools(t, "more", 3);
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t);
	x->backlogged = false;
	test_run_until_sent(t); /* it looks again by itself */
	expect_changed(t, "tools", "1");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":\"<object>\"}");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":\"<object>\"}");
	test_run(t, 250);
	test_expect_nothing(t);
}

/* ---- legacy ---- */

static void test_legacy_lists(void **state) /* MCP-066, MCP-198 */
{
	struct test_peer *t = *state;

	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			   "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_add_many_tools(t, "more", 10);
	test_run(t, DEBOUNCED_MS);
	test_add_many_tools(t, "again", 10);
	remove_prompt(t);
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t); /* held back until it is initialized */
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	expect_changed(t, "tools", NULL);
	expect_changed(t, "prompts", NULL);
	test_expect_nothing(t);
	assert_true(tenon_server_remove_resource(t->server, "test://blob"));
	test_run(t, DEBOUNCED_MS);
	expect_changed(t, "resources", NULL);
	test_expect_nothing(t);
}

static void test_legacy_unasked(void **state) /* MCP-193: nothing for those who never asked */
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "tools/list", NULL, NULL, NULL); /* a modern client */
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_add_many_tools(t, "more", 1);
	tenon_server_resource_updated(t->server, "test://text");
	test_run(t, DEBOUNCED_MS);
	test_expect_nothing(t);
}

static void test_legacy_slow(void **state) /* MCP-140, MCP-197: told when it has caught up */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"test://text\"}}");
	test_expect(t, "{\"id\":1,\"result\":{}}");
	t->outlet_slow = true;
	for (int i = 0; i < 100; i++)
		tenon_server_resource_updated(t->server, "test://text");
	test_add_many_tools(t, "more", 1);
	test_run(t, DEBOUNCED_MS);
	t->outlet_slow = false;
	test_run_until_sent(t);
	expect_changed(t, "tools", NULL);
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":"
		       "\"test://text\"}}");
	test_run(t, 250);
	test_expect_nothing(t);
}

static void test_legacy_away(void **state) /* MCP-140: without a stream it waits for one */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	t->outlet_alone = true;
	test_add_many_tools(t, "more", 1);
	test_run(t, DEBOUNCED_MS);
	assert_false(t->server->retry_timer && tn_timer_active(t->server->retry_timer));
	t->outlet_alone = false;
	tn_peer_flush(t->peer); /* as a transport does when a stream is opened */
	expect_changed(t, "tools", NULL);
}

static void test_both_eras_listen(void **state) /* MCP-049 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2024-11-05", NULL);
	(void)listen(t, "1", "\"toolsListChanged\":true", "\"toolsListChanged\":true");
	test_add_many_tools(t, "more", 1);
	test_run(t, DEBOUNCED_MS);
	expect_changed(t, "tools", NULL);
	expect_changed(t, "tools", "1");
	test_expect_nothing(t);
}

static bool has_subscriber(const struct test_peer *t, const char *uri)
{
	return tn_feed_has_subscriber(t->server, tn_str_from(uri));
}

static void test_subscribers(void **state) /* whether it is worth making a change known */
{
	struct test_peer *t = *state;

	assert_false(has_subscriber(t, "test://text"));
	(void)listen(t, "1", "\"resourceSubscriptions\":[\"test://text\"]",
		     "\"resourceSubscriptions\":[\"test://text\"]");
	assert_true(has_subscriber(t, "test://text"));
	assert_false(has_subscriber(t, "test://page"));
	test_reconnect(t);
	assert_false(has_subscriber(t, "test://text"));
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"test://text\"}}");
	(void)test_next(t);
	assert_true(has_subscriber(t, "test://text"));
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/unsubscribe\","
			   "\"params\":{\"uri\":\"test://text\"}}");
	(void)test_next(t);
	assert_false(has_subscriber(t, "test://text"));
}

/* The fixtures have been published before the test begins. */
static int set_up(void **state)
{
	(void)test_peer_setup(state);
	test_run(*state, DEBOUNCED_MS);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_acknowledged),  TEST(test_bad_filters),  TEST(test_many_uris),
		TEST(test_all_uris),      TEST(test_list_changes), TEST(test_updates),
		TEST(test_queries),       TEST(test_some),         TEST(test_cancel),
		TEST(test_close),         TEST(test_limits),       TEST(test_deaf_listener),
		TEST(test_slow_listener), TEST(test_legacy_lists), TEST(test_legacy_unasked),
		TEST(test_legacy_slow),   TEST(test_legacy_away),  TEST(test_both_eras_listen),
		TEST(test_subscribers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
