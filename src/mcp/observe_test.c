/* Who observes a server: calls that end, peers that come and go; and nobody, at no cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "mcp/observe.h"
#include "mcp/test_fixtures.h"

struct seen {
	unsigned calls, came, went;
	uint64_t last_peer;
	struct tn_call_record record;
	char method[64], name[64], client[64];
	bool is_tool;
};

static void keep(char out[64], struct tn_str text)
{
	(void)snprintf(out, 64, "%.*s", (int)text.size, text.data ? text.data : "");
}

static void call_ended(const struct tn_call_record *record, void *data)
{
	struct seen *seen = data;

	seen->calls++;
	seen->record = *record;
	seen->is_tool = record->call->item && record->call->item->kind == TN_ITEM_TOOL;
	keep(seen->method, record->method);
	keep(seen->name, record->name);
	keep(seen->client, record->client);
}

static void peer_came(const struct tn_peer *peer, void *data)
{
	struct seen *seen = data;

	seen->came++;
	seen->last_peer = peer->number;
}

static void peer_went(const struct tn_peer *peer, void *data)
{
	struct seen *seen = data;

	seen->went++;
	seen->last_peer = peer->number;
}

static void test_calls(void **state) /* MCP-289 */
{
	struct test_peer *t = *state;
	struct seen seen = {0};
	struct tn_observer observer = {.call_ended = call_ended, .data = &seen};
	struct test_message *answer;

	tn_observe(t->server, &observer);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}",
			  NULL,
			  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"Ada\",\"version\":"
			  "\"1\"}");
	assert_int_equal(seen.calls, 1);
	assert_string_equal(seen.method, "tools/call");
	assert_string_equal(seen.name, "echo");
	assert_string_equal(seen.client, "Ada");
	assert_true(seen.is_tool);
	assert_int_equal(seen.record.outcome, TN_OUTCOME_OK);
	assert_null(seen.record.consent);
	answer = t->first;
	assert_non_null(test_next(t));
	assert_int_equal(seen.record.bytes, strlen(answer->json));
	assert_int_equal(t->peer->call_total, 1);
	assert_int_equal(t->peer->last_call_wall_ms, t->now_ms + 1800000000000);

	(void)test_modern(t, "2", "tools/call", "\"name\":\"no_such\"", NULL, NULL);
	(void)test_next(t);
	assert_int_equal(seen.calls, 2);
	assert_string_equal(seen.name, "no_such");
	assert_false(seen.is_tool);
	assert_int_equal(seen.record.outcome, TN_OUTCOME_ERROR);
	assert_int_equal(seen.record.error_code, -32602);
	assert_string_equal(tn_outcome_name(seen.record.outcome), "error");
	tn_observe_stop(t->server, &observer);
	(void)test_modern(t, "3", "tools/list", "", NULL, NULL);
	(void)test_next(t);
	assert_int_equal(seen.calls, 2);
	assert_int_equal(t->peer->call_total, 2); /* nobody counts */
}

/* A call that began before anybody observed has no beginning to tell of. */
static void test_late_observer(void **state)
{
	struct test_peer *t = *state;
	struct seen seen = {0};
	struct tn_observer observer = {.call_ended = call_ended, .data = &seen};

	(void)test_modern(t, "1", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	tn_observe(t->server, &observer);
	(void)test_modern(t, "2", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	test_turn_clock(t, 40);
	test_finish_held(t, 0, "late");
	(void)test_next(t);
	assert_int_equal(seen.calls, 0);
	test_finish_held(t, 1, "seen");
	(void)test_next(t);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(seen.record.took_us, 40000);
	tn_observe_stop(t->server, &observer);
}

static void test_several(void **state)
{
	struct test_peer *t = *state;
	struct seen first = {0}, second = {0};
	struct tn_observer a = {.call_ended = call_ended, .data = &first};
	struct tn_observer b = {.peer_came = peer_came, .peer_went = peer_went, .data = &second};

	tn_observe(t->server, &a);
	tn_observe(t->server, &b);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	(void)test_next(t);
	assert_int_equal(first.calls, 1);
	assert_int_equal(second.calls, 0);
	test_reconnect(t);
	assert_int_equal(second.went, 1);
	assert_int_equal(second.came, 1);
	assert_int_equal(second.last_peer, t->peer->number);
	assert_int_equal(t->peer->created_wall_ms, t->now_ms + 1800000000000);
	tn_observe_stop(t->server, &a);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	(void)test_next(t);
	assert_int_equal(first.calls, 1);
	tn_observe_stop(t->server, &b);
	tn_observe_stop(t->server, &b); /* is not there any more */
	assert_null(t->server->observers);
}

static void test_cancelled(void **state)
{
	struct test_peer *t = *state;
	struct seen seen = {0};
	struct tn_observer observer = {.call_ended = call_ended, .data = &seen};

	tn_observe(t->server, &observer);
	test_initialize(t, "2025-11-25", "{}");
	assert_string_equal(seen.method, "initialize");
	seen.calls = 0;
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold\"}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	assert_int_equal(t->cancelled_count, 1); /* its handler has answered to nobody ... */
	assert_int_equal(seen.calls, 1);         /* ... and is told of once */
	assert_int_equal(seen.record.outcome, TN_OUTCOME_CANCELLED);
	assert_int_equal(seen.record.bytes, 0);
	tn_observe_stop(t->server, &observer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_calls, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_late_observer, test_peer_setup,
						test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_several, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_cancelled, test_peer_setup,
						test_peer_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
