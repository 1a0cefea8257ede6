/* Tasks of 2026-07-28: the extension io.modelcontextprotocol/tasks (mcp.md section 20.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define TASKS "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}"
#define CAN "{" TASKS "}"
#define CAN_ALL "{" TASKS ",\"elicitation\":{},\"sampling\":{},\"roots\":{}}"
#define INFO "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":\"<object>\"}"
#define TIMES "\"createdAt\":\"<string>\",\"lastUpdatedAt\":\"<string>\""
#define NAMED(name) "{\"action\":\"accept\",\"content\":{\"name\":\"" name "\"}}"

enum { ID_SIZE = 64 };

static int setup(void **state)
{
	(void)test_peer_setup(state);
	test_add_tasks(*state);
	return 0;
}

static void call_tool(struct test_peer *t, const char *name, const char *can)
{
	char params[256];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\"", name);
	(void)test_modern(t, "1", "tools/call", params, can, NULL);
}

/* Calls a tool that becomes a task; its id goes to `id`. */
static void start_task(struct test_peer *t, const char *name, char id[ID_SIZE])
{
	call_tool(t, name, CAN_ALL);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"<has tsk_>\","
		       "\"status\":\"working\",\"...\":0}}");
	test_member(t, "result/taskId", id, ID_SIZE);
}

static struct test_exchange *ask(struct test_peer *t, const char *method, const char *id,
				 const char *more)
{
	char params[4096];

	(void)snprintf(params, sizeof(params), "\"taskId\":\"%s\"%s%s", id, more[0] ? "," : "",
		       more);
	return test_modern(t, "2", method, params, CAN, NULL);
}

/* tasks/get answers with this status and these members besides. */
static void expect_task(struct test_peer *t, const char *id, const char *status, const char *more)
{
	char members[2048];

	(void)ask(t, "tasks/get", id, "");
	(void)snprintf(members, sizeof(members),
		       "\"taskId\":\"%s\",\"status\":\"%s\",\"statusMessage\":\"At work\"," TIMES
		       ",\"ttlMs\":60000,\"pollIntervalMs\":50%s%s",
		       id, status, more[0] ? "," : "", more);
	test_expect_complete(t, "2", members);
}

static void expect_text(struct test_peer *t, const char *id, const char *text)
{
	char result[512];

	(void)snprintf(result, sizeof(result),
		       "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
		       "\"resultType\":\"complete\"," INFO "}",
		       text);
	expect_task(t, id, "completed", result);
}

static void run_until_over(struct test_peer *t, const char *id)
{
	const struct tn_task *task = tn_task_by_id(t->server, tn_str_from(id));

	assert_non_null(task);
	for (unsigned waited = 0; !tn_task_is_over(task) && waited < 30000; waited += 5)
		test_run(t, 5);
}

/* ---- becoming one ---- */

static void test_created(void **state) /* MCP-251, MCP-252, MCP-257 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], other[ID_SIZE];

	call_tool(t, "task_hold", CAN);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"<string>\","
		       "\"status\":\"working\",\"statusMessage\":\"At work\","
		       "\"createdAt\":\"2027-01-15T08:16:40.000Z\","
		       "\"lastUpdatedAt\":\"2027-01-15T08:16:40.000Z\","
		       "\"ttlMs\":60000,\"pollIntervalMs\":50," INFO "}}");
	test_member(t, "result/taskId", id, sizeof(id));
	assert_int_equal(strlen(id), 4 + 26);
	start_task(t, "task_hold", other);
	assert_string_not_equal(id, other);
	expect_task(t, id, "working", "");
	test_turn_clock(t, 1000);
	test_finish_held(t, 0, "finished");
	test_expect_nothing(t);
	expect_text(t, id, "finished");
	expect_task(t, other, "working", "");
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"createdAt\":\"2027-01-15T08:16:40.000Z\","
		       "\"lastUpdatedAt\":\"2027-01-15T08:16:41.000Z\",\"...\":0}}");
}

static void test_goes_on_with_its_result(void **state) /* what was built before is not lost */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	(void)test_modern(t, "1", "tools/call", "\"name\":\"task_or_not\"", CAN,
			  "\"progressToken\":7,\"io.modelcontextprotocol/logLevel\":\"debug\"");
	test_expect(t, "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":7,"
		       "\"progress\":1,\"total\":2,\"message\":\"before\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"<string>\","
		       "\"status\":\"working\"," TIMES
		       ",\"ttlMs\":600000,\"pollIntervalMs\":1000," INFO "}}");
	test_member(t, "result/taskId", id, sizeof(id));
	test_expect_nothing(t); /* MCP-169, MCP-256: neither progress nor log lines of a task */
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"result\":{\"content\":["
		       "{\"type\":\"text\",\"text\":\"before\"},{\"type\":\"text\",\"text\":"
		       "\"a task\"}],\"resultType\":\"complete\",\"_meta\":{\"example.com/k\":1,"
		       "\"io.modelcontextprotocol/serverInfo\":\"<object>\"}},\"...\":0}}");
}

static void test_reports_come_first(void **state) /* MCP-165, MCP-167 */
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "tools/call", "\"name\":\"task_after_reports\"", CAN,
			  "\"progressToken\":7");
	for (int i = 1; i <= 10; i++)
		test_expectf(t,
			     "{\"method\":\"notifications/progress\",\"params\":{\"progress\":%d,"
			     "\"...\":0}}",
			     i);
	test_expect(t, "{\"method\":\"notifications/progress\",\"params\":{\"progress\":20,"
		       "\"...\":0}}"); /* the one held back is told, too */
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"...\":0}}");
	test_finish_held(t, 0, "done");
	test_expect_nothing(t);
}

static void test_stays_a_call(void **state) /* MCP-249, MCP-250 */
{
	static const char *const cans[] = {"{}", "{\"extensions\":{}}",
					   "{\"extensions\":{\"io.modelcontextprotocol/tasks\":1}}",
					   "{\"tasks\":{\"requests\":{}}}"};
	const char *pattern = "{\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":["
			      "\"<object>\",{\"type\":\"text\",\"text\":\"no task\"}],\"...\":0}}";
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(cans); i++) {
		call_tool(t, "task_or_not", cans[i]);
		test_expect(t, pattern);
	}
	call_tool(t, "task_never", CAN); /* no task support */
	test_expect(t, pattern);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"task_never\",\"task\":{\"ttl\":1}", CAN,
			  NULL);
	test_expect(t, pattern);
	assert_int_equal(t->server->tasks.count, 0);
}

static void test_required(void **state) /* MCP-250, MCP-254 */
{
	static const char *const headers[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						 {"Mcp-Method", "tools/call"},
						 {"Mcp-Name", "task_required"},
						 {NULL, NULL}};
	const char *refusal = "{\"id\":1,\"error\":{\"code\":-32021,\"message\":"
			      "\"Missing required client capability\",\"data\":{"
			      "\"requiredCapabilities\":{\"extensions\":{"
			      "\"io.modelcontextprotocol/tasks\":{}}}}}}";
	struct test_peer *t = *state;
	const struct test_exchange *x;
	char id[ID_SIZE];

	x = test_post(
		t, headers,
		test_modern_text(t, "1", "tools/call", "\"name\":\"task_required\"", "{}", NULL));
	test_expect_status(t, x, 400, refusal);
	assert_int_equal(t->held_count, 0); /* the handler was not entered */
	start_task(t, "task_required", id);
	expect_task(t, id, "working", "");
	(void)test_modern(t, "1", "tasks/get", "\"taskId\":\"x\"", NULL, NULL);
	test_expect(t, refusal);
	(void)test_modern(t, "1", "tasks/cancel", "\"taskId\":\"x\"", NULL, NULL);
	test_expect(t, refusal);
	(void)test_modern(t, "1", "tasks/update", "\"taskId\":\"x\"", NULL, NULL);
	test_expect(t, refusal);
}

static void test_declared(void **state) /* MCP-249, MCP-254 */
{
	struct test_peer *t = *state;
	struct test_peer *plain;
	static const struct tenon_server_options options = {.name = "test", .version = "1.2"};

	(void)test_modern(t, "1", "server/discover", "", NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"capabilities\":{\"extensions\":{"
		       "\"io.modelcontextprotocol/tasks\":{}},\"logging\":{},\"completions\":{},"
		       "\"prompts\":\"<object>\",\"resources\":\"<object>\",\"tools\":\"<object>\"}"
		       ",\"...\":0}}");
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	assert_null(strstr(test_next(t), "taskSupport"));
	(void)test_modern(t, "1", "tasks/list", "", CAN, NULL);
	test_expect_error(t, "1", -32601, "Method not found");
	(void)test_modern(t, "1", "tasks/result", "\"taskId\":\"x\"", CAN, NULL);
	test_expect_error(t, "1", -32601, "Method not found");

	plain = test_peer_create(&options); /* no tool becomes a task: there are none */
	test_add_fixtures(plain);
	(void)test_modern(plain, "1", "server/discover", "", NULL, NULL);
	assert_null(strstr(test_next(plain), "extensions"));
	(void)test_modern(plain, "1", "tasks/get", "\"taskId\":\"x\"", CAN, NULL);
	test_expect_error(plain, "1", -32601, "Method not found");
	test_add_tasks(plain);
	(void)test_modern(plain, "1", "tasks/get", "\"taskId\":\"x\"", CAN, NULL);
	test_expect_error(plain, "1", -32602, "no such task");
	test_peer_destroy(plain);
}

/* ---- how they end ---- */

static void test_ends(void **state) /* MCP-252 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_fails", id); /* a tool that failed has completed */
	expect_task(t, id, "completed",
		    "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"failed with 7\"}],"
		    "\"isError\":true,\"resultType\":\"complete\"," INFO "}");
	start_task(t, "task_refuses", id);
	expect_task(t, id, "failed",
		    "\"error\":{\"code\":4711,\"message\":\"refused\",\"data\":{\"why\":1}}");
	start_task(t, "task_too_large", id);
	expect_task(t, id, "failed",
		    "\"error\":{\"code\":-32603,\"message\":\"The result is too large.\"}");
	start_task(t, "task_works", id);
	run_until_over(t, id);
	expect_text(t, id, "later");
}

static void test_message(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_later", id);
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"working\",\"statusMessage\":"
		       "\"Almost there\",\"...\":0}}");
	run_until_over(t, id);
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"...\":0}}");
}

static void test_results_are_bounded(void **state) /* MCP-247 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	for (int i = 0; i < 2; i++) {
		start_task(t, "task_large", id);
		(void)ask(t, "tasks/get", id, "");
		test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"...\":0}}");
	}
	start_task(t, "task_large", id);
	expect_task(t, id, "failed",
		    "\"error\":{\"code\":-32603,\"message\":\"The result could not be kept.\"}");
	test_turn_clock(t, 60000);
	start_task(t, "task_large", id); /* the others have expired */
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"...\":0}}");
}

static void test_number_is_bounded(void **state) /* MCP-247 */
{
	struct test_peer *t = *state;

	for (int i = 0; i < TN_TASKS_PER_OWNER_MAX; i++) {
		call_tool(t, "task_or_not", CAN);
		test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"...\":0}}");
	}
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "else");
	call_tool(t, "task_or_not", CAN); /* others have room */
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"...\":0}}");
	t->server->tasks.count += TN_TASKS_MAX; /* until all have taken theirs */
	call_tool(t, "task_or_not", CAN);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"complete\",\"...\":0}}");
	t->server->tasks.count -= TN_TASKS_MAX;
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "tester");
	call_tool(t, "task_or_not", CAN); /* goes on as it was */
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"complete\",\"...\":0}}");
	test_turn_clock(t, TN_TASK_TTL_MS);
	call_tool(t, "task_or_not", CAN);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"...\":0}}");
	assert_int_equal(t->server->tasks.count, 1);
}

static void test_cancel(void **state) /* MCP-253 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	for (int i = 0; i < 2; i++) {
		(void)ask(t, "tasks/cancel", id, "");
		test_expect(t, "{\"id\":2,\"result\":{\"resultType\":\"complete\"," INFO "}}");
		assert_int_equal(t->cancelled_count, 1);
		assert_int_equal(t->freed, 1);
		expect_task(t, id, "cancelled", "");
	}
	start_task(t, "task_deaf", id); /* its handler finishes although nobody waits */
	(void)ask(t, "tasks/cancel", id, "");
	test_expect_complete(t, "2", "");
	test_finish_held(t, 1, "in vain");
	assert_int_equal(t->freed, 2);
	expect_task(t, id, "cancelled", "");
	start_task(t, "task_fails", id); /* too late: nothing changes */
	(void)ask(t, "tasks/cancel", id, "");
	test_expect_complete(t, "2", "");
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"...\":0}}");
}

static void test_outlives_its_caller(void **state) /* MCP-253, MCP-073 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	expect_task(t, id, "working", "");
	test_reconnect(t);
	assert_int_equal(t->cancelled_count, 0);
	expect_task(t, id, "working", "");
	test_finish_held(t, 0, "still there");
	expect_text(t, id, "still there");
}

static void test_caller_left_before(void **state) /* nobody to tell of a task: there is none */
{
	struct test_peer *t = *state;
	struct test_exchange *x = test_modern(t, "1", "tools/call", "\"name\":\"hold\"", CAN, NULL);

	test_gone(x);
	assert_int_equal(t->cancelled_count, 1);
	assert_int_equal(t->server->tasks.count, 0);
}

static void expect_unknown(struct test_peer *t, const char *id)
{
	static const char *const methods[] = {"tasks/get", "tasks/cancel", "tasks/update"};

	for (size_t i = 0; i < TN_COUNT(methods); i++) {
		(void)ask(t, methods[i], id, "\"inputResponses\":{}");
		test_expect_error(t, "2", -32602, "there is no such task, or it has expired");
	}
}

static void test_unknown(void **state) /* MCP-257, MCP-285 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_hold", id);
	expect_unknown(t, "tsk_aaaaaaaaaaaaaaaaaaaaaaaaaa");
	expect_unknown(t, "");
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "else");
	expect_unknown(t, id); /* somebody else's */
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "tester");
	expect_task(t, id, "working", "");
	(void)test_modern(t, "2", "tasks/get", "", CAN, NULL);
	test_expect_error(t, "2", -32602, "taskId is missing");
	(void)test_modern(t, "2", "tasks/get", "\"taskId\":1", CAN, NULL);
	test_expect_error(t, "2", -32602, "taskId: expected a string, got integer");
	test_turn_clock(t, 59999);
	expect_task(t, id, "working", "");
	test_turn_clock(t, 1); /* expired: what runs is told so */
	expect_unknown(t, id);
	assert_int_equal(t->cancelled_count, 1);
	assert_int_equal(t->server->tasks.count, 0);
}

static void test_headers(void **state) /* MCP-255 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], params[128];
	const char *headers[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
				    {"Mcp-Method", "tasks/get"},
				    {"Mcp-Name", id},
				    {NULL, NULL}};
	struct test_exchange *x;

	start_task(t, "task_hold", id);
	(void)snprintf(params, sizeof(params), "\"taskId\":\"%s\"", id);
	x = test_post(t, headers, test_modern_text(t, "3", "tasks/get", params, CAN, NULL));
	test_expect_status(t, x, 200, "{\"id\":3,\"result\":{\"status\":\"working\",\"...\":0}}");
	headers[2][1] = "another";
	x = test_post(t, headers, test_modern_text(t, "3", "tasks/get", params, CAN, NULL));
	test_expect_status(t, x, 400,
			   "{\"id\":3,\"error\":{\"code\":-32020,\"message\":"
			   "\"header Mcp-Name differs from the body\"}}");
	headers[2][0] = NULL;
	x = test_post(t, headers, test_modern_text(t, "3", "tasks/get", params, CAN, NULL));
	test_expect_status(t, x, 400,
			   "{\"id\":3,\"error\":{\"code\":-32020,\"message\":"
			   "\"header Mcp-Name is missing\"}}");
}

/* ---- questions ---- */

#define ELICIT                                                                                   \
	"{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Who?\"," \
	"\"requestedSchema\":\"<object>\"}}"

static void update(struct test_peer *t, const char *id, const char *responses)
{
	char more[2048];

	(void)snprintf(more, sizeof(more), "\"inputResponses\":{%s}", responses);
	(void)ask(t, "tasks/update", id, more);
	test_expect(t, "{\"id\":2,\"result\":{\"resultType\":\"complete\"," INFO "}}");
}

static void test_question(void **state) /* MCP-252, MCP-253 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	expect_task(t, id, "input_required", "\"inputRequests\":{\"who.1\":" ELICIT "}");
	update(t, id, "\"who\":" NAMED("Eve")); /* keys that are not out */
	update(t, id, "\"who.1\":\"Eve\"");     /* no result object */
	update(t, id, "");
	assert_int_equal(t->entries, 1);
	expect_task(t, id, "input_required", "\"inputRequests\":{\"who.1\":" ELICIT "}");
	update(t, id, "\"who.1\":" NAMED("A")); /* MCP-213: does not fit the form */
	expect_task(t, id, "input_required", "\"inputRequests\":{\"who.2\":" ELICIT "}");
	update(t, id, "\"who.1\":" NAMED("Ann")); /* a key is never used twice */
	expect_task(t, id, "input_required", "\"inputRequests\":{\"who.2\":" ELICIT "}");
	update(t, id, "\"who.2\":" NAMED("Ann"));
	assert_int_equal(t->entries, 3);
	expect_text(t, id, "Ann");
	update(t, id, "\"who.2\":" NAMED("Bob")); /* it is over */
	expect_text(t, id, "Ann");
	(void)ask(t, "tasks/update", id, "");
	test_expect_error(t, "2", -32602, "inputResponses: send an object");
	(void)ask(t, "tasks/update", id, "\"inputResponses\":[]");
	test_expect_error(t, "2", -32602, "inputResponses: send an object");
}

static void test_several_questions(void **state) /* MCP-253: partial answers leave the rest */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_all", id);
	expect_task(t, id, "input_required",
		    "\"inputRequests\":{\"who.1\":" ELICIT ",\"why.2\":{\"method\":"
		    "\"sampling/createMessage\",\"params\":\"<object>\"},\"where.3\":{\"method\":"
		    "\"roots/list\",\"params\":{}}}");
	update(t, id,
	       "\"why.2\":{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":"
	       "\"text\",\"text\":\"So.\"}}");
	expect_task(t, id, "input_required",
		    "\"inputRequests\":{\"who.1\":" ELICIT ",\"where.3\":\"<object>\"}");
	update(t, id, "\"where.3\":{},\"who.1\":" NAMED("Ann")); /* no roots: asked again */
	expect_task(t, id, "input_required", "\"inputRequests\":{\"where.4\":\"<object>\"}");
	update(t, id, "\"where.4\":{\"roots\":[]}");
	assert_int_equal(t->entries, 4);
	(void)ask(t, "tasks/get", id, "");
	test_expect(t, "{\"id\":2,\"result\":{\"status\":\"completed\",\"result\":{\"content\":[{"
		       "\"type\":\"text\",\"text\":\"Ann So. {\\\"roots\\\":[]}\"}],\"...\":0},"
		       "\"...\":0}}");
}

static void test_question_then_work(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks_then_holds", id);
	update(t, id, "\"who.1\":{\"action\":\"decline\"}");
	expect_task(t, id, "working", "");
	update(t, id, "\"who.1\":{\"action\":\"accept\"}");
	expect_task(t, id, "working", "");
	test_finish_held(t, 0, "done");
	expect_text(t, id, "done");
}

static void test_question_before(void **state) /* MCP-251 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	call_tool(t, "task_after_asking", CAN_ALL);
	test_expect(t, "{\"id\":1,\"result\":{\"inputRequests\":{\"who\":" ELICIT "},"
		       "\"resultType\":\"input_required\"," INFO "}}");
	assert_int_equal(t->server->tasks.count, 0);
	(void)test_modern(
		t, "1", "tools/call",
		"\"name\":\"task_after_asking\",\"inputResponses\":{\"who\":" NAMED("Ann") "}",
		CAN_ALL, NULL);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"taskId\":\"<string>\","
		       "\"status\":\"working\",\"statusMessage\":\"At work\"," TIMES
		       ",\"ttlMs\":60000,\"pollIntervalMs\":50," INFO "}}");
	test_member(t, "result/taskId", id, sizeof(id));
	expect_text(t, id, "Ann");
}

static void test_question_nobody_can_answer(void **state) /* MCP-201 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	call_tool(t, "task_asks", CAN);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"task\",\"...\":0}}");
	test_member(t, "result/taskId", id, sizeof(id));
	expect_task(t, id, "failed",
		    "\"error\":{\"code\":-32021,\"message\":\"Missing required client capability\","
		    "\"data\":{\"requiredCapabilities\":{\"elicitation\":{}}}}");
}

static void test_endless_questions(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE], answer[128];

	start_task(t, "task_asks_endlessly", id);
	for (unsigned i = 1; i <= TN_TASK_ROUNDS_MAX; i++) {
		(void)snprintf(answer, sizeof(answer), "\"k%u.%u\":" NAMED("Ann"), i, i);
		update(t, id, answer);
		expect_task(t, id, "input_required", "\"inputRequests\":\"<object>\"");
	}
	(void)snprintf(answer, sizeof(answer), "\"k%u.%u\":" NAMED("Ann"), TN_TASK_ROUNDS_MAX + 1,
		       TN_TASK_ROUNDS_MAX + 1);
	update(t, id, answer);
	expect_task(t, id, "completed",
		    "\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		    "\"<has More than 64 rounds of questions.>\"}],\"isError\":true,\"...\":0}");
	assert_int_equal(t->entries, TN_TASK_ROUNDS_MAX + 1);
}

static void test_cancel_while_asking(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE];

	start_task(t, "task_asks", id);
	(void)ask(t, "tasks/cancel", id, "");
	test_expect_complete(t, "2", "");
	expect_task(t, id, "cancelled", "");
	update(t, id, "\"who.1\":" NAMED("Ann"));
	expect_task(t, id, "cancelled", "");
	assert_int_equal(t->entries, 1);
	start_task(t, "task_asks", id);
	test_turn_clock(t, 60000);
	expect_unknown(t, id);
}

/* ---- notifications ---- */

static struct test_exchange *listen(struct test_peer *t, const char *ids)
{
	char params[512];

	(void)snprintf(params, sizeof(params), "\"notifications\":{\"taskIds\":%s}", ids);
	return test_modern(t, "9", "subscriptions/listen", params, CAN, NULL);
}

static void expect_notice(struct test_peer *t, const char *id, const char *status, const char *more)
{
	test_expectf(t,
		     "{\"method\":\"notifications/tasks\",\"params\":{\"taskId\":\"%s\","
		     "\"status\":\"%s\",\"statusMessage\":\"At work\"," TIMES
		     ",\"ttlMs\":60000,\"pollIntervalMs\":50%s%s,\"_meta\":{"
		     "\"io.modelcontextprotocol/subscriptionId\":9}}}",
		     id, status, more[0] ? "," : "", more);
}

static void test_listen(void **state) /* MCP-256 */
{
	struct test_peer *t = *state;
	char id[ID_SIZE], other[ID_SIZE], ids[256];
	struct test_exchange *x;

	start_task(t, "task_asks_then_holds", id);
	start_task(t, "task_hold", other);
	(void)snprintf(ids, sizeof(ids), "[\"%s\",\"tsk_unknown\"]", id);
	x = listen(t, ids);
	test_expectf(t,
		     "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		     "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":9},"
		     "\"notifications\":{\"taskIds\":[\"%s\"]}}}",
		     id);
	test_finish_held(t, 0, "nobody asked to be told");
	test_expect_nothing(t);
	(void)ask(t, "tasks/update", id, "\"inputResponses\":{\"who.1\":" NAMED("Ann") "}");
	expect_notice(t, id, "working", "");
	test_expect_complete(t, "2", "");
	x->backlogged = true; /* what cannot be told now is told once, as it is then */
	test_finish_held(t, 1, "done");
	test_expect_nothing(t);
	x->backlogged = false;
	test_run_until_sent(t);
	expect_notice(t, id, "completed",
		      "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],"
		      "\"resultType\":\"complete\"," INFO "}");
	test_expect_nothing(t);
}

static void test_listen_to_questions(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE], ids[256];

	start_task(t, "task_asks_all", id);
	(void)snprintf(ids, sizeof(ids), "[\"%s\"]", id);
	(void)listen(t, ids);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"
		       "\"<object>\"}");
	(void)ask(t, "tasks/update", id, "\"inputResponses\":{\"who.1\":" NAMED("Ann") "}");
	expect_notice(t, id, "input_required",
		      "\"inputRequests\":{\"why.2\":\"<object>\",\"where.3\":\"<object>\"}");
	test_expect_complete(t, "2", "");
	(void)ask(t, "tasks/cancel", id, "");
	expect_notice(t, id, "cancelled", "");
	test_expect_complete(t, "2", "");
}

static void test_listen_refused(void **state)
{
	struct test_peer *t = *state;
	char id[ID_SIZE], ids[256];

	(void)test_modern(t, "9", "subscriptions/listen", "\"notifications\":{\"taskIds\":[]}",
			  "{}", NULL);
	test_expect_error(t, "9", -32021, "Missing required client capability");
	(void)listen(t, "{}");
	test_expect_error(t, "9", -32602, "notifications.taskIds: send an array");
	(void)listen(t, "[1]");
	test_expect_error(t, "9", -32602, "notifications.taskIds: send strings");
	start_task(t, "task_hold", id);
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "else");
	(void)snprintf(ids, sizeof(ids), "[\"%s\"]", id);
	(void)listen(t, ids); /* somebody else's */
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		       "\"_meta\":\"<object>\",\"notifications\":{}}}");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, test_peer_teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_created),
		TEST(test_goes_on_with_its_result),
		TEST(test_reports_come_first),
		TEST(test_stays_a_call),
		TEST(test_required),
		TEST(test_declared),
		TEST(test_ends),
		TEST(test_message),
		TEST(test_results_are_bounded),
		TEST(test_number_is_bounded),
		TEST(test_cancel),
		TEST(test_outlives_its_caller),
		TEST(test_caller_left_before),
		TEST(test_unknown),
		TEST(test_headers),
		TEST(test_question),
		TEST(test_several_questions),
		TEST(test_question_then_work),
		TEST(test_question_before),
		TEST(test_question_nobody_can_answer),
		TEST(test_endless_questions),
		TEST(test_cancel_while_asking),
		TEST(test_listen),
		TEST(test_listen_to_questions),
		TEST(test_listen_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
