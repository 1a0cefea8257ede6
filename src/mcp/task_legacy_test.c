/* Tasks of 2025-11-25 (mcp.md section 20.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define ALL "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}"
#define NAMED(name) "{\"action\":\"accept\",\"content\":{\"name\":\"" name "\"}}"
#define RELATED "{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}"

enum { ID_SIZE = 64 };

static int setup(void **state)
{
	(void)test_peer_setup(state);
	test_add_tasks(*state);
	test_initialize(*state, "2025-11-25", ALL);
	return 0;
}

/* The same without a handshake. */
static int setup_bare(void **state)
{
	(void)test_peer_setup(state);
	test_add_tasks(*state);
	return 0;
}

static void call_tool(struct test_peer *t, const char *name, const char *more)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"%s%s}}",
			 name, more[0] ? "," : "", more);
}

static void start_task(struct test_peer *t, const char *name, char id[ID_SIZE])
{
	call_tool(t, name, "\"task\":{}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":{\"taskId\":\"<has tsk_>\",\"status\":"
		       "\"working\",\"...\":0}}}");
	test_member(t, "result/task/taskId", id, ID_SIZE);
}

static struct test_exchange *ask(struct test_peer *t, int request, const char *method,
				 const char *id)
{
	return test_sendf(t,
			  "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{"
			  "\"taskId\":\"%s\"}}",
			  request, method, id);
}

static void expect_status(struct test_peer *t, const char *id, const char *status)
{
	(void)ask(t, 2, "tasks/get", id);
	test_expectf(t,
		     "{\"id\":2,\"result\":{\"taskId\":\"%s\",\"status\":\"%s\",\"createdAt\":"
		     "\"<string>\",\"lastUpdatedAt\":\"<string>\",\"ttl\":600000,"
		     "\"pollInterval\":1000}}",
		     id, status);
}

/* notifications/tasks/status on the session's own stream. */
static void expect_notice(struct test_peer *t, const char *id, const char *status)
{
	test_expectf(t,
		     "{\"method\":\"notifications/tasks/status\",\"params\":{\"taskId\":\"%s\","
		     "\"status\":\"%s\",\"createdAt\":\"<string>\",\"lastUpdatedAt\":\"<string>\","
		     "\"ttl\":600000,\"pollInterval\":1000}}",
		     id, status);
	assert_int_equal(t->shown->kind, TEST_OUTLET);
}

static void expect_result(struct test_peer *t, int request, const char *id, const char *text,
			  const char *more)
{
	test_expectf(t,
		     "{\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
		     "%s%s\"_meta\":" RELATED "}}",
		     request, text, more, more[0] ? "," : "", id);
}

/* ---- becoming one ---- */

static void send_initialize(struct test_peer *t, const char *revision)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
			 "{\"protocolVersion\":\"%s\",\"capabilities\":{}}}",
			 revision);
}

static void test_declared(void **state) /* MCP-242, MCP-247 */
{
	static const struct tenon_server_options options = {.name = "test", .version = "1.2"};
	struct test_peer *t = *state;
	struct test_peer *plain = test_peer_create(&options);

	send_initialize(t, "2025-11-25");
	test_expect(t,
		    "{\"id\":1,\"result\":{\"capabilities\":{\"tasks\":{\"list\":{},\"cancel\":{},"
		    "\"requests\":{\"tools\":{\"call\":{}}}},\"...\":0},\"...\":0}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"tools\":\"<array>\"}}");
	assert_non_null(strstr(t->shown->json, "\"execution\":{\"taskSupport\":\"optional\"}"));
	assert_non_null(strstr(t->shown->json, "\"execution\":{\"taskSupport\":\"required\"}"));
	assert_null(strstr(t->shown->json, "forbidden"));
	test_reconnect(t);
	send_initialize(t, "2025-06-18"); /* older clients hear nothing of it */
	assert_null(strstr(test_next(t), "tasks"));
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
	assert_null(strstr(test_next(t), "execution"));
	test_reconnect(t);
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "anonymous");
	send_initialize(t, "2025-11-25");
	test_expect(t, "{\"id\":1,\"result\":{\"capabilities\":{\"tasks\":{\"cancel\":{},"
		       "\"requests\":{\"tools\":{\"call\":{}}}},\"...\":0},\"...\":0}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/list\"}");
	test_expect_error(t, "1", -32601, "Method not found");

	test_add_fixtures(plain); /* no tool with task support */
	send_initialize(plain, "2025-11-25");
	assert_null(strstr(test_next(plain), "tasks"));
	call_tool(plain, "echo", "\"task\":{\"ttl\":1}"); /* MCP-243: says nothing then */
	test_expect(plain, "{\"id\":1,\"result\":{\"content\":[\"<object>\"]}}");
	(void)ask(plain, 2, "tasks/get", "x");
	test_expect_error(plain, "2", -32601, "Method not found");
	test_peer_destroy(plain);
}

static void test_created(void **state) /* MCP-244 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	call_tool(t, "task_hold", "\"task\":{\"ttl\":5000.5}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":{\"taskId\":\"<has tsk_>\",\"status\":"
		       "\"working\",\"createdAt\":\"2027-01-15T08:16:40.000Z\",\"lastUpdatedAt\":"
		       "\"2027-01-15T08:16:40.000Z\",\"ttl\":5000,\"pollInterval\":1000}}}");
	start_task(t, "task_hold", id);
	expect_status(t, id, "working");
	test_finish_held(t, 1, "finished");
	expect_notice(t, id, "completed");
	expect_status(t, id, "completed");
	(void)ask(t, 3, "tasks/result", id);
	expect_result(t, 3, id, "finished", "");
	(void)ask(t, 4, "tasks/result", id); /* as often as one likes */
	expect_result(t, 4, id, "finished", "");
}

static void test_ttl(void **state) /* MCP-244, MCP-247 */
{
	static const struct {
		const char *task, *ttl;
	} good[] = {{"{}", "600000"},
		    {"{\"ttl\":null}", "600000"},
		    {"{\"ttl\":0}", "1000"},
		    {"{\"ttl\":1e99}", "86400000"},
		    {"{\"ttl\":70000,\"more\":1}", "70000"}};
	static const struct {
		const char *task, *words;
	} bad[] = {{"1", "task: expected an object, got integer"},
		   {"{\"ttl\":-1}", "task.ttl: send milliseconds"},
		   {"{\"ttl\":\"1\"}", "task.ttl: send milliseconds"}};
	struct test_peer *t = *state;
	char more[64];

	for (size_t i = 0; i < TN_COUNT(good); i++) {
		(void)snprintf(more, sizeof(more), "\"task\":%s", good[i].task);
		call_tool(t, "task_hold", more);
		test_expectf(t, "{\"id\":1,\"result\":{\"task\":{\"ttl\":%s,\"...\":0}}}",
			     good[i].ttl);
	}
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		(void)snprintf(more, sizeof(more), "\"task\":%s", bad[i].task);
		call_tool(t, "task_hold", more);
		test_expect_error(t, "1", -32602, bad[i].words);
	}
	assert_int_equal(t->server->tasks.count, TN_COUNT(good));
}

static void test_support(void **state) /* MCP-243 */
{
	struct test_peer *t = *state;

	call_tool(t, "task_never", "\"task\":{}");
	test_expect_error(t, "1", -32601, "This tool cannot run as a task");
	call_tool(t, "task_required", "");
	test_expect_error(t, "1", -32601, "This tool runs only as a task");
	call_tool(t, "task_or_not", ""); /* nobody asked for a task */
	test_expect(t, "{\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
		       "\"data\":\"a line\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[\"<object>\",{\"type\":\"text\","
		       "\"text\":\"no task\"}],\"_meta\":{\"example.com/k\":1}}}");
	test_reconnect(t);
	test_initialize(t, "2025-06-18", NULL);
	call_tool(t, "task_required", "\"task\":{}");
	test_expect_error(t, "1", -32601, "which this revision does not have");
	call_tool(t, "task_or_not", "\"task\":1");
	test_expect(t, "{\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
		       "\"data\":\"a line\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[\"<object>\",{\"type\":\"text\","
		       "\"text\":\"no task\"}],\"_meta\":{\"example.com/k\":1}}}");
	(void)ask(t, 2, "tasks/get", "x");
	test_expect_error(t, "2", -32601, "Method not found");
	assert_int_equal(t->server->tasks.count, 0);
}

static void test_handler_is_told(void **state) /* it is a task before the handler runs */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	call_tool(t, "task_or_not", "\"task\":{}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":{\"status\":\"working\",\"...\":0}}}");
	test_member(t, "result/task/taskId", id, sizeof(id));
	test_expectf(t,
		     "{\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
		     "\"data\":\"a line\",\"_meta\":" RELATED "}}",
		     id);
	expect_notice(t, id, "completed");
	(void)ask(t, 3, "tasks/result", id);
	test_expectf(t,
		     "{\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"before\"},{"
		     "\"type\":\"text\",\"text\":\"a task\"}],\"_meta\":{\"example.com/k\":1,"
		     "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}}}",
		     id);
}

static void test_bad_arguments(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	call_tool(t, "app_task", "\"task\":{}"); /* a protocol error comes at once */
	test_expect_error(t, "1", -32602, "n: required but missing");
	assert_int_equal(t->server->tasks.count, 0);
	start_task(t, "task_strict", id); /* a tool error is the task's result */
	expect_notice(t, id, "failed");
	(void)ask(t, 3, "tasks/result", id);
	expect_result(t, 3, id, "<has n>", "\"isError\":true");
}

static void test_too_many(void **state) /* MCP-247 */
{
	struct test_peer *t = *state;

	t->outlet_alone = true;
	for (int i = 0; i < TN_TASKS_PER_OWNER_MAX; i++) {
		call_tool(t, "task_fails", "\"task\":{}");
		test_expect(t, "{\"id\":1,\"result\":{\"task\":\"<object>\"}}");
	}
	call_tool(t, "task_fails", "\"task\":{}");
	test_expect_error(t, "1", -32603, "Too many tasks; try again later");
}

/* ---- the end ---- */

static void test_result_waits(void **state) /* MCP-244 */
{
	struct test_peer *t = *state;
	struct test_exchange *first, *second;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	first = ask(t, 3, "tasks/result", id);
	second = ask(t, 4, "tasks/result", id);
	(void)ask(t, 5, "tasks/result", id);
	test_expect_nothing(t);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":4}}");
	assert_int_equal(second->end, TEST_CANCELLED);
	test_gone(first); /* legacy: the loss of a connection cancels nothing */
	assert_int_equal(t->cancelled_count, 0);
	test_finish_held(t, 0, "finished");
	expect_notice(t, id, "completed");
	expect_result(t, 5, id, "finished", "");
	test_expect_nothing(t);
}

static void test_ends(void **state) /* MCP-245 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_fails", id); /* unlike in 2026-07-28 */
	expect_notice(t, id, "failed");
	(void)ask(t, 3, "tasks/result", id);
	expect_result(t, 3, id, "failed with 7", "\"isError\":true");
	start_task(t, "task_refuses", id);
	expect_notice(t, id, "failed");
	(void)ask(t, 3, "tasks/result", id);
	test_expect(t, "{\"id\":3,\"error\":{\"code\":4711,\"message\":\"refused\",\"data\":{"
		       "\"why\":1}}}");
	start_task(t, "task_later", id);
	(void)ask(t, 3, "tasks/result", id);
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/tasks/status\",\"params\":{\"status\":"
		       "\"completed\",\"statusMessage\":\"Almost there\",\"...\":0}}");
	expect_result(t, 3, id, "later", "");
}

static void test_cancel(void **state) /* MCP-244, MCP-245 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	(void)ask(t, 3, "tasks/result", id);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}"); /* the request is answered */
	expect_status(t, id, "working");
	(void)ask(t, 2, "tasks/cancel", id);
	assert_int_equal(t->cancelled_count, 1);
	expect_notice(t, id, "cancelled");
	test_expect_error(t, "3", -32602, "the task was cancelled, so it has no result");
	test_expectf(t,
		     "{\"id\":2,\"result\":{\"taskId\":\"%s\",\"status\":\"cancelled\",\"...\":0}}",
		     id);
	(void)ask(t, 2, "tasks/cancel", id);
	test_expect_error(t, "2", -32602, "the task has ended already");
	(void)ask(t, 3, "tasks/result", id);
	test_expect_error(t, "3", -32602, "the task was cancelled, so it has no result");
	start_task(t, "task_deaf", id);
	(void)ask(t, 2, "tasks/cancel", id);
	expect_notice(t, id, "cancelled");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"cancelled\",\"...\":0}}");
	test_finish_held(t, 1, "in vain");
	expect_status(t, id, "cancelled");
}

static void expect_unknown(struct test_peer *t, const char *id)
{
	static const char *const methods[] = {"tasks/get", "tasks/cancel", "tasks/result"};

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		(void)ask(t, 2, methods[i], id);
		test_expect_error(t, "2", -32602, "there is no such task, or it has expired");
	}
}

static void test_unknown(void **state) /* MCP-244, MCP-247, MCP-285 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], params[128];

	start_task(t, "task_hold", id);
	expect_unknown(t, "tsk_aaaaaaaaaaaaaaaaaaaaaaaaaa");
	(void)snprintf(params, sizeof(params), "\"taskId\":\"%s\"", id);
	(void)test_modern(t, "2", "tasks/get", params,
			  "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}", NULL);
	test_expect_error(t, "2", -32602, "no such task"); /* of the other form */
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "else");
	expect_unknown(t, id);
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "tester");
	expect_status(t, id, "working");
	test_turn_clock(t, TN_TASK_TTL_MS);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/list\"}");
	test_expect(t, "{\"id\":2,\"result\":{\"tasks\":[]}}");
	expect_unknown(t, id);
	assert_int_equal(t->cancelled_count, 1);
}

static void test_expiry(void **state) /* MCP-245: nobody has to ask for that */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	test_run(t, 60); /* the lists have changed: that is told first */
	while (t->first)
		(void)test_next(t);
	call_tool(t, "task_hold", "\"task\":{\"ttl\":1}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":{\"ttl\":1000,\"...\":0}}}");
	test_member(t, "result/task/taskId", id, sizeof(id));
	(void)ask(t, 3, "tasks/result", id);
	test_turn_clock(t, 1000);
	test_run(t, 1050);
	test_expect_error(t, "3", -32602, "the task was cancelled, so it has no result");
	assert_int_equal(t->cancelled_count, 1);
	assert_int_equal(t->server->tasks.count, 0);
	start_task(t, "task_hold", id); /* and the next one counts from its own beginning */
	expect_status(t, id, "working");
}

/* ---- the list ---- */

static void send_list(struct test_peer *t, const char *params)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/list\",\"params\":{%s}}",
			 params);
}

static void test_list(void **state) /* MCP-182, MCP-244 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], cursor[64], params[128];

	t->outlet_alone = true;
	start_task(t, "task_fails", id);
	send_list(t, "\"cursor\":null");
	test_expectf(t,
		     "{\"id\":2,\"result\":{\"tasks\":[{\"taskId\":\"%s\",\"status\":\"failed\","
		     "\"createdAt\":\"<string>\",\"lastUpdatedAt\":\"<string>\",\"ttl\":600000,"
		     "\"pollInterval\":1000}]}}",
		     id);
	for (int i = 0; i < TN_PAGE_ITEMS_MAX; i++)
		start_task(t, "task_fails", id);
	send_list(t, "");
	test_expect(t, "{\"id\":2,\"result\":{\"tasks\":\"<array>\",\"nextCursor\":\"<string>\"}}");
	test_member(t, "result/nextCursor", cursor, sizeof(cursor));
	(void)snprintf(params, sizeof(params), "\"cursor\":\"%s\"", cursor);
	send_list(t, params);
	test_expectf(t, "{\"id\":2,\"result\":{\"tasks\":[{\"taskId\":\"%s\",\"...\":0}]}}", id);
	send_list(t, "\"cursor\":\"else\"");
	test_expect_error(t, "2", -32602, "cursor: not one of this list's cursors");
	send_list(t, "\"cursor\":1");
	test_expect_error(t, "2", -32602, "cursor: expected a string");
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "else");
	send_list(t, "");
	test_expect(t, "{\"id\":2,\"result\":{\"tasks\":[]}}"); /* only one's own */
}

/* ---- questions ---- */

static void answer(struct test_peer *t, int id, const char *result)
{
	(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}", id, result);
}

static void expect_elicit(struct test_peer *t, int request, const char *id)
{
	test_expectf(t,
		     "{\"id\":%d,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
		     "\"message\":\"Who?\",\"requestedSchema\":\"<object>\",\"_meta\":" RELATED
		     "}}",
		     request, id);
}

static void test_question(void **state) /* MCP-246 */
{
	struct test_peer *t = *state;
	struct test_exchange *x;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	test_expect_nothing(t);     /* nobody waits: the question does */
	answer(t, 0, NAMED("Eve")); /* and has no number yet */
	test_expect_nothing(t);
	x = ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	assert_int_equal(t->shown->exchange, x->number);
	answer(t, 1, NAMED("A")); /* does not fit: asked again */
	expect_notice(t, id, "input_required");
	expect_elicit(t, 2, id);
	answer(t, 1, NAMED("Eve")); /* dropped */
	test_expect_nothing(t);
	answer(t, 2, NAMED("Ann"));
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "Ann", "");
	assert_int_equal(t->entries, 3);
}

static void test_several_questions(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_all", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	test_expectf(t,
		     "{\"id\":2,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":"
		     "\"<array>\",\"maxTokens\":10,\"_meta\":{\"example.com/k\":1,"
		     "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}}}",
		     id);
	test_expectf(t, "{\"id\":3,\"method\":\"roots/list\",\"params\":{\"_meta\":" RELATED "}}",
		     id);
	answer(t, 3, "{\"roots\":[]}");
	answer(t, 1, NAMED("Ann"));
	expect_status(t, id, "input_required");
	answer(t, 2, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"text\":\"So.\"}}");
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "Ann So. {\\\"roots\\\":[]}", "");
}

static void test_answered_is_not_asked_again(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_all", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	(void)test_next(t);
	(void)test_next(t);
	answer(t, 1, NAMED("Ann"));
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":3}}");
	(void)ask(t, 4, "tasks/result", id);
	test_expect(t, "{\"id\":4,\"method\":\"sampling/createMessage\",\"params\":\"<any>\"}");
	test_expect(t, "{\"id\":5,\"method\":\"roots/list\",\"params\":\"<any>\"}");
	test_expect_nothing(t);
	answer(t, 5, "{\"roots\":[]}");
	answer(t, 4, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"text\":\"So.\"}}");
	expect_notice(t, id, "completed");
	expect_result(t, 4, id, "Ann So. {\\\"roots\\\":[]}", "");
}

static void test_question_then_work(void **state) /* MCP-245: and back again */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_then_holds", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	answer(t, 1, "{\"action\":\"decline\"}");
	expect_notice(t, id, "working");
	test_finish_held(t, 0, "done");
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "done", "");
}

static void test_question_is_asked_again(void **state) /* whoever waited has gone */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":3}}");
	t->deaf = true; /* a client that takes one answer only cannot be asked */
	(void)ask(t, 4, "tasks/result", id);
	t->deaf = false;
	test_expect_nothing(t);
	test_gone(ask(t, 5, "tasks/result", id));
	expect_elicit(t, 2, id);
	(void)ask(t, 6, "tasks/result", id);
	expect_elicit(t, 3, id);
	(void)ask(t, 7, "tasks/result", id);
	test_expect_nothing(t); /* it is out */
	answer(t, 3, NAMED("Ann"));
	expect_notice(t, id, "completed");
	expect_result(t, 4, id, "Ann", "");
	expect_result(t, 6, id, "Ann", "");
	expect_result(t, 7, id, "Ann", "");
}

/* Two sessions of one principal wait for the same task: a question goes to one of them, and it is
 * that one's answer that counts (the numbers of the other's questions are another's). */
static void test_two_sessions_wait(void **state)
{
	struct test_peer *t = *state;
	struct tn_peer *first = t->peer, *second;
	struct test_exchange *x;
	struct tenon_error err;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	assert_int_equal(tn_peer_create(t->server, TN_PEER_STREAM, "tester", first->outlet, t,
					&second, &err),
			 TENON_OK);
	t->peer = second;
	test_initialize(t, "2025-11-25", ALL);
	x = ask(t, 4, "tasks/result", id);
	expect_elicit(t, 1, id); /* the newer session is the one that is alive */
	assert_int_equal(t->shown->exchange, x->number);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":4}}");
	expect_elicit(t, 2, id); /* back to the one that still waits */
	t->peer = first;
	answer(t, 2, NAMED("Ann"));
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "Ann", "");
	tn_peer_destroy(second);
}

static void test_waiting_session_is_left(void **state)
{
	struct test_peer *t = *state;
	struct tn_peer *first = t->peer, *second;
	struct tenon_error err;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	assert_int_equal(tn_peer_create(t->server, TN_PEER_STREAM, "tester", first->outlet, t,
					&second, &err),
			 TENON_OK);
	t->peer = second;
	test_initialize(t, "2025-11-25", ALL);
	(void)ask(t, 4, "tasks/result", id);
	expect_elicit(t, 1, id);
	tn_peer_destroy(second);
	t->peer = first;
	expect_elicit(t, 2, id);
	answer(t, 2, NAMED("Ann"));
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "Ann", "");
}

static void test_question_fails(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-1,\"message\":"
			   "\"no screen\"}}");
	expect_notice(t, id, "failed");
	expect_result(t, 3, id, "<has could not answer elicitation/create: no screen>",
		      "\"isError\":true");
	test_reconnect(t);
	test_initialize(t, "2025-11-25", NULL);
	start_task(t, "task_asks", id);
	expect_notice(t, id, "failed");
	(void)ask(t, 3, "tasks/result", id);
	expect_result(t, 3, id, "<has needs a capability>", "\"isError\":true");
}

static void test_endless_questions(void **state) /* MCP-207 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_endlessly", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	t->outlet_alone = true;
	for (int i = 1; i <= TN_ROUNDS_MAX; i++) {
		test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", i);
		answer(t, i, NAMED("Ann"));
	}
	expect_result(t, 3, id, "<has More than 8 rounds of questions.>", "\"isError\":true");
}

static void test_cancel_while_asking(void **state) /* MCP-172 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	expect_elicit(t, 1, id);
	(void)ask(t, 2, "tasks/cancel", id);
	test_expectf(t,
		     "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,"
		     "\"_meta\":" RELATED "}}",
		     id);
	expect_notice(t, id, "cancelled");
	test_expect_error(t, "3", -32602, "the task was cancelled, so it has no result");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"cancelled\",\"...\":0}}");
	answer(t, 1, NAMED("Ann"));
	expect_status(t, id, "cancelled");
	assert_int_equal(t->entries, 1);
}

/* ---- progress and log lines ---- */

static void test_progress(void **state) /* MCP-169, MCP-246, MCP-140 */
{
	struct test_peer *t = *state;
	struct test_exchange *x;
	char id[ID_SIZE];

	call_tool(t, "task_reports", "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":\"<object>\"}}");
	test_member(t, "result/task/taskId", id, sizeof(id));
	test_expectf(t,
		     "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\","
		     "\"progress\":1,\"total\":3,\"message\":\"first\",\"_meta\":" RELATED "}}",
		     id);
	assert_int_equal(t->shown->kind, TEST_OUTLET);
	test_expectf(t,
		     "{\"method\":\"notifications/message\",\"params\":{\"level\":\"error\","
		     "\"logger\":\"unit\",\"data\":\"a line\",\"_meta\":" RELATED "}}",
		     id);
	x = ask(t, 3, "tasks/result", id);
	tenon_call_progress(t->held[0], 2, 3, NULL);
	test_expectf(t,
		     "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\","
		     "\"progress\":2,\"total\":3,\"_meta\":" RELATED "}}",
		     id);
	assert_int_equal(t->shown->exchange, x->number);
	for (int i = 0; i < 20; i++) /* more than may be told: the newest is kept */
		tenon_call_progress(t->held[0], 3 + i, 0, NULL);
	while (t->first)
		(void)test_next(t);
	test_finish_held(t, 0, "done");
	test_expectf(t,
		     "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\","
		     "\"progress\":22,\"_meta\":" RELATED "}}",
		     id);
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "done", "");
	test_expect_nothing(t);
}

static void test_nobody_listens(void **state) /* nothing is queued */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	t->outlet_alone = true;
	call_tool(t, "task_reports", "\"task\":{},\"_meta\":{\"progressToken\":\"p\"}");
	test_expect(t, "{\"id\":1,\"result\":{\"task\":\"<object>\"}}");
	test_member(t, "result/task/taskId", id, sizeof(id));
	test_finish_held(t, 0, "done");
	test_expect_nothing(t);
	expect_status(t, id, "completed");
}

/* ---- sessions ---- */

static void test_session_ends(void **state) /* MCP-247: the principal's tasks go on */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], asking[ID_SIZE];

	start_task(t, "task_hold", id);
	start_task(t, "task_asks", asking);
	expect_notice(t, asking, "input_required");
	(void)ask(t, 3, "tasks/result", id);
	(void)ask(t, 4, "tasks/result", asking);
	expect_elicit(t, 1, asking);
	test_reconnect(t);
	assert_int_equal(t->cancelled_count, 0);
	test_initialize(t, "2025-11-25", ALL);
	expect_status(t, id, "working");
	(void)ask(t, 3, "tasks/result", id);
	test_finish_held(t, 0, "finished");
	expect_notice(t, id, "completed");
	expect_result(t, 3, id, "finished", "");
	(void)ask(t, 4, "tasks/result", asking); /* asked in the new session */
	expect_elicit(t, 1, asking);
	answer(t, 1, NAMED("Ann"));
	expect_notice(t, asking, "completed");
	expect_result(t, 4, asking, "Ann", "");
}

static void test_anonymous_sessions(void **state) /* MCP-247: a session is all there is */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];
	struct tn_peer *first = t->peer;
	struct tenon_error err;

	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "anonymous");
	test_initialize(t, "2025-11-25", ALL);
	start_task(t, "task_hold", id);
	expect_status(t, id, "working");
	assert_int_equal(tn_peer_create(t->server, TN_PEER_STREAM, "anonymous", first->outlet, t,
					&t->peer, &err),
			 TENON_OK);
	test_initialize(t, "2025-11-25", ALL);
	expect_unknown(t, id);
	tn_peer_destroy(first); /* nobody could ask for it any more */
	assert_int_equal(t->cancelled_count, 1);
	assert_int_equal(t->server->tasks.count, 0);
}

static void test_no_sessions(void **state) /* MCP-129: then nobody could follow a task */
{
	static const char *const headers[][2] = {{"MCP-Protocol-Version", "2025-11-25"},
						 {NULL, NULL}};
	const char *call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"task_or_not\",\"task\":{}}}";
	struct test_peer *t = *state;
	const struct test_exchange *x;

	t->stateless = true;
	t->deaf = true;
	x = test_post(t, NULL,
		      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		      "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
	test_expect_status(t, x, 200,
			   "{\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
			   "\"...\":0}}");
	assert_null(strstr(t->shown->json, "\"tasks\""));
	t->deaf = false;
	x = test_post(t, headers, call);
	test_expect(t, "{\"method\":\"notifications/message\",\"params\":\"<object>\"}");
	test_expect_status(t, x, 200,
			   "{\"id\":1,\"result\":{\"content\":[\"<object>\",{\"type\":"
			   "\"text\",\"text\":\"no task\"}],\"_meta\":{"
			   "\"example.com/k\":1}}}");
	x = test_post(t, headers,
		      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
		      "\"name\":\"task_required\",\"task\":{}}}");
	test_expect_status(t, x, 200,
			   "{\"id\":1,\"error\":{\"code\":-32601,\"message\":"
			   "\"<has which needs a session>\"}}");
	x = test_post(t, headers,
		      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/get\",\"params\":{"
		      "\"taskId\":\"x\"}}");
	test_expect_status(t, x, 400,
			   "{\"id\":1,\"error\":{\"code\":-32600,\"message\":"
			   "\"This server keeps no sessions\"}}");
	assert_int_equal(t->server->tasks.count, 0);
}

static void test_server_ends(void **state) /* with everything a task can be doing */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	(void)ask(t, 3, "tasks/result", id);
	start_task(t, "task_deaf", id);
	start_task(t, "task_works", id);
	start_task(t, "task_later", id);
	start_task(t, "task_asks", id);
	expect_notice(t, id, "input_required");
	(void)ask(t, 4, "tasks/result", id);
	expect_elicit(t, 1, id);
	assert_int_equal(t->server->tasks.count, 5);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, test_peer_teardown)
#define BARE(name) cmocka_unit_test_setup_teardown(name, setup_bare, test_peer_teardown)
	const struct CMUnitTest tests[] = {
		BARE(test_declared),
		TEST(test_created),
		TEST(test_ttl),
		TEST(test_support),
		TEST(test_handler_is_told),
		TEST(test_bad_arguments),
		TEST(test_too_many),
		TEST(test_result_waits),
		TEST(test_ends),
		TEST(test_cancel),
		TEST(test_unknown),
		TEST(test_expiry),
		TEST(test_list),
		TEST(test_question),
		TEST(test_several_questions),
		TEST(test_answered_is_not_asked_again),
		TEST(test_question_then_work),
		TEST(test_question_is_asked_again),
		TEST(test_two_sessions_wait),
		TEST(test_waiting_session_is_left),
		TEST(test_question_fails),
		TEST(test_endless_questions),
		TEST(test_cancel_while_asking),
		TEST(test_progress),
		TEST(test_nobody_listens),
		TEST(test_session_ends),
		BARE(test_anonymous_sessions),
		BARE(test_no_sessions),
		TEST(test_server_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
