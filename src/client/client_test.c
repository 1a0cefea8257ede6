/* The conversation against scripts, after its handshake: requests, questions, tasks, lists,
 * changes, losses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/size.h"
#include "client/client_test_kit.h"
#include "client/limits.h"

static struct tenon_outcome list(struct tenon_client *client, enum tenon_list which)
{
	struct tenon_outcome outcome = {0};
	struct tenon_error err = {0};
	struct tenon_request *request = tenon_client_list(client, which, NULL, &err);

	assert_non_null(request);
	(void)tenon_request_wait(request, &outcome);
	return outcome;
}

/* ---- requests ---- */

static void expect_outcome(const struct kit_step *steps, size_t count, enum tenon_code code,
			   const char *message)
{
	struct kit_server server = {.steps = steps, .count = count};
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", NULL);
	if (outcome.code != code ||
	    !strstr(code == TENON_OK ? outcome.result : outcome.err.message, message))
		fail_msg("%d %s %s; %s", (int)outcome.code, outcome.err.message,
			 outcome.result ? outcome.result : "", server.fault);
	kit_close(&server, client);
}

#define EXPECT(steps, code, message) expect_outcome(steps, TN_COUNT(steps), code, message)

static void answers(void **state) /* MCP-017 MCP-076 MCP-064 MCP-033 */
{
	static const struct kit_step late[] = {
		CONNECT_MODERN,
		{"tools/call", "\"arguments\":{\"a\":1}",
		 "{\"jsonrpc\":\"2.0\",\"id\":\"$id\",\"result\":{}}\n"
		 "{\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{\"x\":1}}\n"
		 "[1,2]\nnull\ngarbage\n" OK("\"content\":[]," DONE)},
	};
	static const struct kit_step type[] = {
		CONNECT_MODERN, {"tools/call", NULL, OK("\"resultType\":\"surprise\"")}};
	static const struct kit_step version[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, ERROR("-32022", ",\"data\":{\"supported\":[\"2026-07-28\"]}")},
		{"tools/call", NULL, OK("\"second\":true")}};
	static const struct kit_step both[] = {
		CONNECT_MODERN,
		{"tools/call", NULL,
		 "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{},\"error\":{\"code\":1}}"}};
	static const struct kit_step nothing[] = {
		CONNECT_MODERN, {"tools/call", NULL, "{\"jsonrpc\":\"2.0\",\"id\":$id}"}};

	(void)state;
	EXPECT(late, TENON_OK, "\"content\":[]");
	EXPECT(type, TENON_INVALID, "of an unknown type: surprise");
	EXPECT(version, TENON_OK, "second");
	EXPECT(both, TENON_INVALID, "a result and an error");
	EXPECT(nothing, TENON_INVALID, "no result that is an object");
}

static void server_errors(void **state)
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, ERROR("-32602", ",\"message\":\"no\",\"data\":{\"k\":1}")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	(void)state;
	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", NULL);
	assert_int_equal(outcome.error_code, -32602);
	assert_string_equal(outcome.error_data, "{\"k\":1}");
	assert_string_equal(outcome.err.message, "no");
	assert_null(outcome.result);
	kit_close(&server, client);
}

static void time_is_over(void **state) /* MCP-071 MCP-174 MCP-171 */
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, NULL},
		{"notifications/cancelled", "\"reason\":\"timeout\"", NULL},
		{"tools/call", NULL, OK("\"content\":[]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_request_options request = {.timeout_ms = 30};
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	(void)state;
	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", &request);
	assert_int_equal(outcome.code, TENON_EXPIRED);
	assert_int_equal(outcome.error_code, 0);
	outcome = kit_call(client, "t", NULL);
	assert_int_equal(outcome.code, TENON_OK);
	kit_close(&server, client);
}

static void on_progress(struct tenon_request *request, double progress, double total,
			const char *message, void *data)
{
	(void)request;
	tn_buf_format(data, "%g/%g %s;", progress, total, message ? message : "-");
}

static void progress(void **state) /* MCP-168 MCP-165 */
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/call", "\"progressToken\":1",
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":1,\"progress\":1,\"total\":3}}\n"
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":77,\"progress\":2}}\n"
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":1,\"progress\":0.5}}\n"
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":1,\"progress\":2,\"message\":\"nearly\"}}\n" OK(
			 "\"content\":[]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_request_options request = {.progress = on_progress, .data = &server.log};

	(void)state;
	tenon_client_run_for(client, 5);
	assert_int_equal(kit_call(client, "t", &request).code, TENON_OK);
	assert_string_equal(kit_log(&server), "1/3 -;2/0 nearly;");
	kit_close(&server, client);
}

static void cancelling(void **state) /* MCP-143 MCP-171 */
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"tools/call", NULL, NULL},
		{"notifications/cancelled", NULL, OK("\"late\":true")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;
	struct tenon_request *request = tenon_client_call(client, "t", NULL, NULL, &err);

	(void)state;
	tenon_client_run_for(client, 5);
	tenon_request_cancel(request);
	assert_int_equal(tenon_request_wait(request, &outcome), TENON_CANCELLED);
	tenon_client_run_for(client, 5);
	kit_close(&server, client);
}

/* ---- questions ---- */

static void rounds(void **state) /* MCP-202 MCP-212 MCP-214 */
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/call", NULL,
		 OK("\"resultType\":\"input_required\",\"requestState\":\"s\\u0001\","
		    "\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\",\"params\":" FORM
		    "},\"m\":{\"method\":\"sampling/"
		    "createMessage\",\"params\":{\"maxTokens\":5,\"messages\":[]}},"
		    "\"r\":{\"method\":\"roots/list\"}}")},
		{"tools/call",
		 "\"inputResponses\":{\"k\":{\"action\":\"accept\",\"content\":{\"name\":\"Ann\","
		 "\"age\":7}},\"m\":{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":"
		 "\"text\",\"text\":\"yes\"}},\"r\":{\"roots\":[{\"uri\":\"file:///a\"}]}},"
		 "\"requestState\":\"s\\u0001\"",
		 OK("\"resultType\":\"input_required\",\"requestState\":\"t\"")},
		{"tools/call", "\"arguments\":{\"a\":1},\"requestState\":\"t\"",
		 OK("\"content\":[]," DONE)}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_client(&server, &options);
	struct tenon_error err;

	(void)state;
	assert_int_equal(tenon_client_set_roots(client, "[{\"uri\":\"file:///a\"}]", &err), 0);
	assert_int_equal(tenon_client_connect(client, &err), TENON_OK);
	tenon_client_run_for(client, 5);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	assert_string_equal(kit_log(&server), "elicit who?\nsample\n");
	kit_close(&server, client);
}

static void endless_rounds(void **state) /* MCP-206 */
{
	struct kit_step steps[2 + TN_CLIENT_ROUNDS_MAX + 1] = {CONNECT_MODERN};

	(void)state;
	for (size_t i = 2; i < TN_COUNT(steps); i++)
		steps[i] = (struct kit_step){
			"tools/call", NULL,
			OK("\"resultType\":\"input_required\",\"requestState\":\"s\"")};
	expect_outcome(steps, TN_COUNT(steps), TENON_LIMIT, "has asked 10 times");
}

static void undeclared(void **state) /* MCP-214 */
{
	static const struct kit_step tools[] = {
		CONNECT_MODERN,
		{"tools/call", NULL,
		 OK("\"resultType\":\"input_required\",\"inputRequests\":{\"m\":{\"method\":"
		    "\"sampling/"
		    "createMessage\",\"params\":{\"maxTokens\":5,\"messages\":[],\"tools\":[]}}"
		    "}")}};
	static const struct kit_step roots[] = {
		CONNECT_MODERN,
		{"tools/call", NULL,
		 OK("\"resultType\":\"input_required\",\"inputRequests\":{\"m\":{\"method\":"
		    "\"roots/list\"}}")}};
	static const struct kit_step empty[] = {
		CONNECT_MODERN, {"tools/call", NULL, OK("\"resultType\":\"input_required\"")}};

	(void)state;
	EXPECT(tools, TENON_INVALID, "sampling.tools is not declared");
	EXPECT(roots, TENON_INVALID, "what we did not declare: roots/list");
	EXPECT(empty, TENON_INVALID, "in a way that the protocol does not know");
}

static void legacy_questions(void **state) /* MCP-069 MCP-212 MCP-218 */
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"tools/call", NULL,
		 "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n"
		 "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"elicitation/create\",\"params\":" FORM
		 "}\n{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"roots/list\"}"},
		{"<response>", "\"id\":\"p\",\"result\":{}", NULL},
		{"<response>",
		 "\"id\":5,\"result\":{\"action\":\"accept\",\"content\":{\"name\":\"B\"}}", NULL},
		{"<response>", "\"id\":6,\"error\":{\"code\":-32601",
		 "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"content\":[]}}\n"
		 "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}"}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	server.accepts = "{\"name\":\"B\"}";
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	kit_close(&server, client);
}

static void content_is_checked(void **state) /* MCP-212 */
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"ping", NULL,
		 OK("") "\n{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"elicitation/create\","
			"\"params\":" FORM "}"},
		{"<response>", "\"action\":\"cancel\"", NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	server.accepts = "{\"age\":\"old\"}";
	(void)tenon_request_wait(tenon_client_request(client, "ping", NULL, NULL, &err), &outcome);
	tenon_client_run_for(client, 5);
	if (!strstr(kit_log(&server), "name: required") || !strstr(kit_log(&server), "age: "))
		fail_msg("%s", kit_log(&server));
	kit_close(&server, client);
}

/* ---- tasks ---- */

static void tasks(void **state) /* MCP-258 MCP-249 */
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/call", "\"io.modelcontextprotocol/tasks\":{}",
		 OK("\"resultType\":\"task\"," TASK("working", ""))},
		{"tasks/get", "\"taskId\":\"T\"",
		 OK(DONE "," TASK("input_required",
				  ",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\","
				  "\"params\":" FORM "}}"))},
		{"tasks/update", "\"inputResponses\":{\"k\":{\"action\":\"accept\"", OK(DONE)},
		{"tasks/get", NULL,
		 OK(DONE "," TASK("input_required",
				  ",\"inputRequests\":{\"k\":{\"method\":\"elicitation/create\","
				  "\"params\":" FORM "}}"))},
		{"tasks/get", NULL,
		 OK(DONE "," TASK("completed", ",\"result\":{\"content\":[],\"isError\":true}"))}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	(void)state;
	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", NULL);
	assert_int_equal(outcome.code, TENON_OK);
	assert_true(outcome.is_tool_error);
	assert_string_equal(outcome.result, "{\"content\":[],\"isError\":true}");
	assert_string_equal(kit_log(&server), "elicit who?\n"); /* once */
	kit_close(&server, client);
}

static void failed_tasks(void **state)
{
	static const struct kit_step failed[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, OK("\"resultType\":\"task\"," TASK("working", ""))},
		{"tasks/get", NULL,
		 OK(DONE "," TASK("failed", ",\"error\":{\"code\":-7,\"message\":\"broke\"}"))}};
	static const struct kit_step cancelled[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, OK("\"resultType\":\"task\"," TASK("working", ""))},
		{"tasks/get", NULL, OK(DONE "," TASK("cancelled", ""))}};

	(void)state;
	EXPECT(failed, TENON_INVALID, "broke");
	EXPECT(cancelled, TENON_CANCELLED, "has cancelled the task");
}

static void legacy_tasks(void **state)
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"tools/call", "\"task\":{}",
		 OK("\"task\":{\"taskId\":\"T\",\"status\":\"working\",\"pollInterval\":20}")},
		{"tasks/get", NULL, OK("\"taskId\":\"T\",\"status\":\"working\"")},
		{"tasks/get", NULL, OK("\"taskId\":\"T\",\"status\":\"completed\"")},
		{"tasks/result", "\"taskId\":\"T\"", OK("\"content\":[]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_request_options request = {.as_task = true};

	(void)state;
	assert_int_equal(kit_call(client, "t", &request).code, TENON_OK);
	kit_close(&server, client);
}

/* ---- lists ---- */

static void pages(void **state) /* MCP-181 MCP-041 MCP-226 */
{
	static const struct kit_step steps[] = {
		CONNECT_MODERN,
		{"tools/list", NULL,
		 OK("\"tools\":[{\"name\":\"t\",\"inputSchema\":{},\"outputSchema\":{\"type\":"
		    "\"object\",\"required\":[\"n\"]}}],\"nextCursor\":\"\"," DONE)},
		{"tools/list", "\"cursor\":\"\"",
		 OK("\"tools\":[{\"name\":\"b\"}],\"nextCursor\":null")},
		{"tools/call", NULL, OK("\"content\":[]")},
		{"tools/call", NULL, OK("\"content\":[],\"structuredContent\":{\"m\":1}")},
		{"tools/call", NULL, OK("\"content\":[],\"isError\":true")},
		{"tools/call", NULL, OK("\"content\":[],\"structuredContent\":{\"n\":1}")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	(void)state;
	tenon_client_run_for(client, 5);
	outcome = list(client, TENON_LIST_TOOLS);
	assert_int_equal(outcome.code, TENON_OK);
	assert_non_null(strstr(outcome.result, "},{\"name\":\"b\"}]"));
	outcome = kit_call(client, "t", NULL);
	assert_int_equal(outcome.code, TENON_INVALID);
	assert_non_null(strstr(outcome.err.message, "no structuredContent"));
	outcome = kit_call(client, "t", NULL);
	assert_non_null(strstr(outcome.err.message, "does not fit the tool's outputSchema"));
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	kit_close(&server, client);
}

static void endless_list(void **state) /* MCP-181 */
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"tools/list", NULL, OK("\"tools\":[],\"nextCursor\":\"a\"")},
		{"tools/list", NULL, OK("\"tools\":[],\"nextCursor\":\"b\"")},
		{"tools/list", NULL, OK("\"tools\":[],\"nextCursor\":\"a\"")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	assert_int_equal(list(client, TENON_LIST_TOOLS).code, TENON_LIMIT);
	assert_string_equal(list(client, TENON_LIST_PROMPTS).result, "{\"prompts\":[]}");
	kit_close(&server, client);
}

/* ---- changes ---- */

static void changes(void **state) /* MCP-092 MCP-190 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, kit_modern},
		{"subscriptions/listen", "\"resourceSubscriptions\":[\"x:1\"]",
		 NOTICE("subscriptions/acknowledged", ",\"notifications\":{}")},
		{"resources/read", NULL, OK("\"contents\":[],\"ttlMs\":60000")},
		{"resources/read", "x:2", OK("\"contents\":[2],\"ttlMs\":60000")},
		{"subscriptions/listen", NULL,
		 NOTICE("subscriptions/acknowledged", "") "\n" NOTICE(
			 "resources/updated",
			 ",\"uri\":\"x:1\"") "\n"
					     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
					     "tools/list_changed\"}"},
		{"notifications/cancelled", NULL, NULL},
		{"resources/read", NULL, OK("\"contents\":[3]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_client(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tenon_client_watch(client, "x:1", &err), TENON_OK);
	assert_int_equal(tenon_client_connect(client, &err), TENON_OK);
	tenon_client_run_for(client, 5);
	for (int i = 0; i < 3; i++) { /* the second is from the cache */
		(void)tenon_request_wait(
			tenon_client_read(client, i < 2 ? "x:1" : "x:2", NULL, &err), &outcome);
		assert_int_equal(outcome.code, TENON_OK);
	}
	assert_int_equal(tenon_client_watch(client, "x:3", &err), TENON_OK);
	tenon_client_run_for(client, 10);
	assert_string_equal(kit_log(&server), "changed 3 x:1\n");
	(void)tenon_request_wait(tenon_client_read(client, "x:1", NULL, &err), &outcome);
	assert_non_null(strstr(outcome.result, "[3]"));
	kit_close(&server, client);
}

static void legacy_changes(void **state)
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"resources/subscribe", "\"uri\":\"x:1\"",
		 OK("") "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
			"\"params\":{\"uri\":\"x:1\"}}\n{\"jsonrpc\":\"2.0\",\"method\":"
			"\"notifications/tools/list_changed\"}"},
		{"resources/unsubscribe", "\"uri\":\"x:1\"", OK("")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_error err;

	(void)state;
	assert_int_equal(tenon_client_watch(client, "x:1", &err), TENON_OK);
	tenon_client_run_for(client, 5);
	tenon_client_unwatch(client, "x:1");
	tenon_client_run_for(client, 5);
	assert_string_equal(kit_log(&server), "changed 3 x:1\nchanged 0 -\n");
	kit_close(&server, client);
}

/* ---- losses ---- */

static void comes_back(void **state) /* MCP-088 */
{
	static const struct kit_step steps[] = {CONNECT_LEGACY,
						{"ping", NULL, "<lost>"},
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL},
						{"ping", NULL, OK("\"again\":true")},
						{"tools/call", NULL, "<lost>"},
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	(void)tenon_request_wait(tenon_client_request(client, "ping", NULL, NULL, &err), &outcome);
	assert_int_equal(outcome.code, TENON_OK);
	assert_non_null(strstr(outcome.result, "again"));
	outcome = kit_call(client, "t", NULL); /* it may have had its effect: not repeated */
	assert_int_equal(outcome.code, TENON_SYSTEM);
	tenon_client_run_for(client, 400);
	assert_non_null(strstr(kit_log(&server), "lost again the script"));
	assert_non_null(strstr(kit_log(&server), "changed 4 -"));
	kit_close(&server, client);
}

static void gives_up(void **state) /* MCP-088: five times a minute */
{
	struct kit_step steps[3 + TN_CLIENT_AGAIN_MAX] = {CONNECT_LEGACY};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;

	(void)state;
	steps[2].lines = "<lost>";
	for (size_t i = 3; i < TN_COUNT(steps); i++)
		steps[i] = (struct kit_step){"initialize", NULL, "<lost>"};
	client = kit_connect(&server, &options);
	tenon_client_run_for(client, 4000);
	assert_non_null(strstr(kit_log(&server), "lost for good the script"));
	kit_close(&server, client);
}

static void not_connected(void **state)
{
	struct kit_server server = {0};
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_client(&server, &options);
	struct tenon_error err;

	(void)state;
	assert_null(tenon_client_request(client, "ping", NULL, NULL, &err));
	assert_non_null(strstr(err.message, "not connected"));
	kit_close(&server, client);
}

static void clean_texts(void **state) /* MCP-287 */
{
	static const char *const cases[][2] = {
		{"plain", "plain"},
		{"a\x1b[31mred\x1b[0m", "ared"},
		{"\x1b]0;title\x07x\x1b]8;;u\x1b\\y", "xy"},
		{"a\xc2\x9b"
		 "31mb",
		 "ab"},
		{"tab\tline\nend\r\b", "tab\tline\nend"},
		{"rtl\xe2\x80\xaeX", "rtlX"},
		{"bad\xff", "bad\xef\xbf\xbd"},
		{"\x1b", ""},
	};
	char out[32];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		tenon_client_clean_text(cases[i][0], out, sizeof(out));
		assert_string_equal(out, cases[i][1]);
	}
	tenon_client_clean_text("ab\xc3\xa9", out, 4);
	assert_string_equal(out, "ab");
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(server_errors),
		cmocka_unit_test(time_is_over),
		cmocka_unit_test(progress),
		cmocka_unit_test(cancelling),
		cmocka_unit_test(rounds),
		cmocka_unit_test(endless_rounds),
		cmocka_unit_test(undeclared),
		cmocka_unit_test(legacy_questions),
		cmocka_unit_test(content_is_checked),
		cmocka_unit_test(tasks),
		cmocka_unit_test(failed_tasks),
		cmocka_unit_test(legacy_tasks),
		cmocka_unit_test(pages),
		cmocka_unit_test(endless_list),
		cmocka_unit_test(changes),
		cmocka_unit_test(legacy_changes),
		cmocka_unit_test(comes_back),
		cmocka_unit_test(gives_up),
		cmocka_unit_test(not_connected),
		cmocka_unit_test(clean_texts),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
