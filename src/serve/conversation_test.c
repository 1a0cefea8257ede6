/* A conversation over a link that only remembers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "serve/conversation.h"
#include "mcp/test_fixtures.h"
#include "transport/limits.h"

struct bench {
	struct test_peer *t;
	struct tn_conversation *conversation;
	char sent[4096]; /* the last message */
	unsigned messages, settled;
	size_t queued;
};

static void link_send(void *link, struct tn_str json)
{
	struct bench *b = link;

	(void)snprintf(b->sent, sizeof(b->sent), "%.*s", (int)json.size, json.data);
	b->messages++;
}

static size_t link_queued(const void *link)
{
	return ((const struct bench *)link)->queued;
}

static void link_settled(void *link)
{
	((struct bench *)link)->settled++;
}

static const struct tn_conversation_ops ops = {
	.send = link_send, .queued = link_queued, .settled = link_settled};

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));
	struct tenon_error err;
	void *t;

	assert_non_null(b);
	(void)test_peer_setup(&t);
	b->t = t;
	assert_int_equal(tn_conversation_open(b->t->server, "ann", &ops, b, &b->conversation, &err),
			 TENON_OK);
	assert_string_equal(tn_conversation_peer(b->conversation)->principal, "ann");
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_conversation_close(b->conversation);
	test_peer_destroy(b->t);
	tn_mem_free(b);
	return 0;
}

static void receive(struct bench *b, const char *json)
{
	tn_conversation_receive(b->conversation, tn_str_from(json));
}

static void receive_modern(struct bench *b, const char *id, const char *method, const char *params)
{
	receive(b, test_modern_text(b->t, id, method, params, NULL, NULL));
}

static void test_both_eras(void **state) /* MCP-093, MCP-164 */
{
	struct bench *b = *state;

	receive_modern(b, "1", "server/discover", "");
	assert_non_null(strstr(b->sent, "\"supportedVersions\":[\"2026-07-28\"]"));
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{"
		   "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
		   "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
	assert_non_null(strstr(b->sent, "\"protocolVersion\":\"2025-06-18\""));
	assert_int_equal(b->messages, 2);
	assert_int_equal(b->settled, 2);
	assert_true(tn_conversation_idle(b->conversation));
}

static void test_one_era_only(void **state) /* MCP-053, MCP-158 */
{
	struct bench *b = *state;

	tn_conversation_peer(b->conversation)->no_modern = "elsewhere";
	receive_modern(b, "1", "server/discover", "");
	assert_string_equal(b->sent, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,"
				     "\"message\":\"elsewhere\"}}");
	tn_conversation_peer(b->conversation)->no_modern = NULL;
	tn_conversation_peer(b->conversation)->no_legacy = true;
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{"
		   "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
		   "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
	assert_non_null(strstr(b->sent, "\"code\":-32022"));
	assert_non_null(strstr(b->sent, "\"requested\":\"2025-06-18\""));
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}");
	assert_non_null(strstr(b->sent, "\"code\":-32602"));
	assert_non_null(strstr(b->sent, "_meta needs io.modelcontextprotocol/protocolVersion"));
}

static void test_refused(void **state) /* MCP-089 */
{
	struct bench *b = *state;

	tn_conversation_refuse(b->conversation, "The message is too long");
	assert_string_equal(b->sent, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":"
				     "\"The message is too long\"}}");
}

static void test_end_cancels_and_is_silent(void **state) /* MCP-164 */
{
	struct bench *b = *state;

	receive_modern(b, "1", "tools/call", "\"name\":\"hold\",\"arguments\":{}");
	receive_modern(b, "2", "subscriptions/listen",
		       "\"notifications\":{\"toolsListChanged\":true}");
	assert_int_equal(b->messages, 1); /* acknowledged */
	assert_false(tn_conversation_idle(b->conversation));
	tn_conversation_close(b->conversation);
	b->conversation = NULL;
	assert_int_equal(b->t->cancelled_count, 1);
	assert_int_equal(b->messages, 1);
	assert_int_equal(b->settled, 0); /* nobody is there to be told */
}

static void test_notices_wait_for_the_slow(void **state)
{
	struct bench *b = *state;

	receive_modern(b, "1", "subscriptions/listen",
		       "\"notifications\":{\"resourceSubscriptions\":[\"test://live\"]}");
	assert_int_equal(b->messages, 1);
	b->queued = TN_OUTPUT_QUEUE_MAX;
	for (unsigned i = 0; i < 5; i++)
		tenon_server_resource_updated(b->t->server, "test://live");
	assert_int_equal(b->messages, 1); /* held back, and one of five */
	b->queued = 0;
	tenon_server_resource_updated(b->t->server, "test://live");
	assert_int_equal(b->messages, 2);
	assert_non_null(strstr(b->sent, "notifications/resources/updated"));
}

static const char initialize[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
	"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
	"\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

static void expect_unheard(const struct bench *b, const char *id)
{
	assert_non_null(strstr(b->sent, id));
	assert_non_null(strstr(b->sent, "\"isError\":true"));
	assert_non_null(strstr(b->sent, "it cannot answer what it is asked"));
}

/* A client that sends no more is not waited for, neither by a call nor by a task. */
static void test_mute(void **state)
{
	struct bench *b = *state;

	test_add_tasks(b->t);
	receive(b, initialize);
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
		   "\"name\":\"ask_form\"}}");
	assert_non_null(strstr(b->sent, "elicitation/create"));
	tn_conversation_mute(b->conversation);
	expect_unheard(b, "\"id\":2");
	assert_true(tn_conversation_idle(b->conversation));
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
		   "\"name\":\"ask_form\"}}");
	expect_unheard(b, "\"id\":3");
	assert_true(tn_conversation_idle(b->conversation));
}

static void test_mute_with_task(void **state)
{
	struct bench *b = *state;
	char message[256];

	test_add_tasks(b->t);
	receive(b, initialize);
	receive(b, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
		   "\"name\":\"task_asks\",\"task\":{}}}");
	(void)snprintf(message, sizeof(message),
		       "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/result\",\"params\":{"
		       "\"taskId\":\"%s\"}}",
		       b->t->server->tasks.first->id);
	receive(b, message);
	assert_non_null(strstr(b->sent, "elicitation/create"));
	tn_conversation_mute(b->conversation);
	expect_unheard(b, "\"id\":3");
	assert_true(tn_conversation_idle(b->conversation));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_both_eras, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_era_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_end_cancels_and_is_silent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_notices_wait_for_the_slow, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mute, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mute_with_task, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("conversation", tests, NULL, NULL);
}
