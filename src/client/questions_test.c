/* What the server asks, and what may happen while it waits; tasks that ask, and are given up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "client/client_test_kit.h"

#include "client/limits.h"

#define ASK(key, method, params) "\"" key "\":{\"method\":\"" method "\",\"params\":" params "}"
#define ROUND(requests) OK("\"resultType\":\"input_required\",\"inputRequests\":{" requests "}")
#define URL_QUESTION "{\"mode\":\"url\",\"message\":\"go\",\"url\":\"https://x.test/a\"}"

static struct tenon_outcome call_with(const struct kit_step *steps, size_t count,
				      struct tenon_client_options (*change)(struct kit_server *))
{
	struct kit_server server = {.steps = steps, .count = count};
	struct tenon_client_options options = change(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;

	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", NULL);
	outcome.result = NULL; /* it goes with the client */
	outcome.error_data = NULL;
	kit_close(&server, client);
	return outcome;
}

/* ---- URLs ---- */

static void on_url(struct tenon_question *question, void *data)
{
	struct tenon_error err;

	(void)data;
	assert_null(tenon_question_schema(question));
	assert_string_equal(tenon_question_url(question), "https://x.test/a");
	assert_string_equal(tenon_question_message(question), "go");
	assert_string_equal(tenon_question_server(question), "kit");
	assert_non_null(strstr(tenon_question_params(question), "\"mode\":\"url\""));
	assert_int_equal(tenon_question_answer(question, "{}", &err), TENON_INVALID);
	assert_int_equal(tenon_question_accept(question, NULL, &err), TENON_OK);
}

static struct tenon_client_options with_urls(struct kit_server *server)
{
	struct tenon_client_options options = kit_options(server);

	options.handlers.elicit = on_url;
	options.handlers.elicits_urls = true;
	return options;
}

static void urls(void **state) /* MCP-210 MCP-212 MCP-040 */
{
	static const struct kit_step taken[] = {
		{"server/discover", "\"elicitation\":{\"form\":{},\"url\":{}}", kit_modern},
		{"subscriptions/listen", NULL, NULL},
		{"tools/call", NULL, ROUND(ASK("k", "elicitation/create", URL_QUESTION))},
		{"tools/call", "\"inputResponses\":{\"k\":{\"action\":\"accept\"}}",
		 OK("\"content\":[]")}};
	static const struct kit_step refused[] = {
		CONNECT_MODERN,
		{"tools/call", NULL, ROUND(ASK("k", "elicitation/create", URL_QUESTION))}};
	struct tenon_outcome outcome = call_with(taken, TN_COUNT(taken), with_urls);

	(void)state;
	assert_int_equal(outcome.code, TENON_OK);
	outcome = call_with(refused, TN_COUNT(refused), kit_options);
	assert_int_equal(outcome.code, TENON_INVALID);
	assert_non_null(strstr(outcome.err.message, "mode url was not declared"));
}

/* ---- sampling ---- */

static struct tenon_client_options with_tools(struct kit_server *server)
{
	struct tenon_client_options options = kit_options(server);

	options.handlers.samples_tools = true;
	return options;
}

#define USER(content) "{\"role\":\"user\",\"content\":" content "}"
#define MODEL(content) "{\"role\":\"assistant\",\"content\":" content "}"
#define USE(id) "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"n\",\"input\":{}}"
#define USED(id) "{\"type\":\"tool_result\",\"toolUseId\":\"" id "\",\"content\":[]}"
#define TEXT "{\"type\":\"text\",\"text\":\"hello\"}"
#define SAMPLE(messages)                         \
	ROUND(ASK("m", "sampling/createMessage", \
		  "{\"maxTokens\":9,\"tools\":[],\"messages\":[" messages "]}"))

static void tool_uses(void **state) /* MCP-214 MCP-215 */
{
	static const char *const good[] = {
		SAMPLE(USER(TEXT)),
		SAMPLE(USER(TEXT) "," MODEL("[" USE("1") "," USE("2") "]") "," USER(
			"[" USED("2") "," USED("1") "]")),
		SAMPLE(MODEL(USE("1")) "," USER(USED("1")) "," MODEL(TEXT)),
	};
	static const char *const bad[] = {
		SAMPLE(MODEL("[" USE("1") "]")),
		SAMPLE(MODEL(USE("1")) "," USER(TEXT)),
		SAMPLE(MODEL(USE("1")) "," USER(USED("2"))),
		SAMPLE(MODEL(USE("1")) "," USER("[" USED("1") "," USED("1") "]")),
		SAMPLE(MODEL(USE("1")) "," USER("[" USED("1") "," TEXT "]")),
		SAMPLE(MODEL(USE("1")) "," MODEL(USED("1"))),
		SAMPLE(USER(USED("1"))),
		SAMPLE("{\"role\":\"system\",\"content\":" TEXT "}"),
		ROUND(ASK("m", "sampling/createMessage", "{\"messages\":[]}")),
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(good); i++) {
		const struct kit_step steps[] = {
			{"server/discover", "\"sampling\":{\"tools\":{}}", kit_modern},
			{"subscriptions/listen", NULL, NULL},
			{"tools/call", NULL, good[i]},
			{"tools/call", "\"inputResponses\":{\"m\":{\"role\":", OK("")}};

		assert_int_equal(call_with(steps, TN_COUNT(steps), with_tools).code, TENON_OK);
	}
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		const struct kit_step steps[] = {CONNECT_MODERN, {"tools/call", NULL, bad[i]}};
		struct tenon_outcome outcome = call_with(steps, TN_COUNT(steps), with_tools);

		if (outcome.code != TENON_INVALID || !strstr(outcome.err.message, "sampling: "))
			fail_msg("%zu: %d %s", i, (int)outcome.code, outcome.err.message);
	}
}

/* A thousand uses in one message are not compared each with each. */
static void many_uses(void **state) /* MCP-288 */
{
	static const char tail[] = "]}]}}}}}";
	struct kit_step steps[] = {CONNECT_MODERN, {"tools/call", NULL, NULL}};
	struct tenon_outcome outcome;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 64 * TN_MIB);
	tn_buf_append_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"resultType\":"
				  "\"input_required\",\"inputRequests\":{\"m\":{\"method\":"
				  "\"sampling/createMessage\",\"params\":{\"maxTokens\":9,"
				  "\"messages\":[");
	for (int role = 0; role < 2; role++) {
		tn_buf_append_text(&text, role == 0 ? "{\"role\":\"assistant\",\"content\":[0"
						    : "]},{\"role\":\"user\",\"content\":[0");
		for (int i = 0; i < 50000; i++)
			tn_buf_format(&text,
				      role == 0
					      ? ",{\"type\":\"tool_use\",\"id\":\"%d\"}"
					      : ",{\"type\":\"tool_result\",\"toolUseId\":\"%d\"}",
				      i);
	}
	tn_buf_append(&text, tail, sizeof(tail));
	assert_false(text.failed);
	steps[2].lines = text.data;
	outcome = call_with(steps, TN_COUNT(steps), with_tools);
	assert_int_equal(outcome.code, TENON_INVALID);
	assert_non_null(strstr(outcome.err.message, "more tool_use blocks"));
	tn_buf_finish(&text);
}

static void on_sample(struct tenon_question *question, void *data)
{
	static const char one[] = "{\"role\":\"assistant\",\"model\":\"m\",\"content\":" TEXT "}";
	static const char list[] =
		"{\"role\":\"assistant\",\"model\":\"m\",\"content\":[" TEXT "]}";
	struct tenon_error err;

	(void)data;
	assert_int_equal(tenon_question_answer(question, "{\"role\":\"assistant\"}", &err),
			 TENON_INVALID);
	assert_int_equal(tenon_question_answer(question, "[]", &err), TENON_INVALID);
	assert_int_equal(tenon_question_answer(question, "no JSON", &err), TENON_INVALID);
	assert_int_equal(tenon_question_answer(question, list, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "takes one block"));
	assert_int_equal(tenon_question_accept(question, NULL, &err), TENON_INVALID);
	assert_int_equal(tenon_question_answer(question, one, &err), TENON_OK);
}

static struct tenon_client_options with_old_sampling(struct kit_server *server)
{
	struct tenon_client_options options = kit_options(server);

	options.mode = TENON_MODE_LEGACY;
	options.handlers.sample = on_sample;
	return options;
}

static void one_block(void **state) /* MCP-217 */
{
	static const char old[] = OK("\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}");
	static const struct kit_step steps[] = {
		{"initialize", NULL, old},
		{"notifications/initialized", NULL, NULL},
		{"tools/call", NULL,
		 OK("") "\n{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"sampling/createMessage\","
			"\"params\":{\"maxTokens\":1,\"messages\":[]}}"},
		{"<response>", "\"id\":5,\"result\":{\"role\":\"assistant\"", NULL}};

	(void)state;
	assert_int_equal(call_with(steps, TN_COUNT(steps), with_old_sampling).code, TENON_OK);
}

/* ---- the program changes its mind ---- */

struct fickle {
	struct tenon_client *client;
	struct tenon_request *request;
	struct tenon_question *held;
	int asked;
};

static void give_up(struct tenon_question *question, void *data)
{
	struct fickle *fickle = data;

	fickle->asked++;
	fickle->held = question;
	tenon_request_cancel(fickle->request);
}

static void cancelled_by_a_question(void **state)
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL,
		 kit_modern}, /* nothing is listened to without `changed` */
		{"tools/call", NULL,
		 ROUND(ASK("a", "elicitation/create", FORM) "," ASK("b", "elicitation/create",
								    FORM))}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct fickle fickle = {0};
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	options.handlers.elicit = give_up;
	options.handlers.changed = NULL;
	options.handlers.log = NULL;
	options.handlers.lost = NULL;
	options.handlers.data = &fickle;
	fickle.client = kit_client(&server, &options);
	assert_int_equal(tenon_client_connect(fickle.client, &err), TENON_OK);
	fickle.request = tenon_client_call(fickle.client, "t", NULL, NULL, &err);
	assert_int_equal(tenon_request_wait(fickle.request, &outcome), TENON_CANCELLED);
	assert_int_equal(fickle.asked, 1);                  /* the second was never put ... */
	assert_int_equal(fickle.client->question_count, 1); /* ... and is not counted */
	tenon_question_decline(fickle.held);                /* late, and harmless */
	assert_int_equal(fickle.client->question_count, 0);
	kit_close(&server, fickle.client);
}

static void too_many_entries(void **state) /* MCP-288 */
{
	struct kit_step steps[] = {CONNECT_MODERN, {"tools/call", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_client(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"resultType\":"
				  "\"input_required\",\"inputRequests\":{");
	for (int i = 0; i <= TN_CLIENT_QUESTIONS_MAX; i++)
		tn_buf_format(&text, "%s\"k%d\":{\"method\":\"roots/list\"}", i ? "," : "", i);
	tn_buf_append(&text, "}}}", 4);
	steps[2].lines = text.data;
	assert_int_equal(tenon_client_set_roots(client, "[{\"uri\":\"file:///a\"}]", &err), 0);
	assert_int_equal(tenon_client_connect(client, &err), TENON_OK);
	tenon_client_run_for(client, 5);
	outcome = kit_call(client, "t", NULL);
	assert_int_equal(outcome.code, TENON_LIMIT);
	assert_non_null(strstr(outcome.err.message, "more than 64 questions"));
	kit_close(&server, client);
	tn_buf_finish(&text);
}

/* ---- a legacy server gives up, or goes ---- */

static void withdrawn(void **state) /* MCP-176 */
{
	static const struct kit_step steps[] = {
		CONNECT_LEGACY,
		{"ping", NULL,
		 "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/"
		 "create\",\"params\":" FORM
		 "}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
		 "\"requestId\":\"q\"}}\n" OK("")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	server.holds = true;
	client = kit_connect(&server, &options);
	(void)tenon_request_wait(tenon_client_request(client, "ping", NULL, NULL, &err), &outcome);
	assert_non_null(server.held);
	assert_int_equal(tenon_question_accept(server.held, NULL, &err), TENON_OK); /* unheard */
	assert_int_equal(client->question_count, 0);
	kit_close(&server, client);
}

/* ---- tasks ---- */

static void cancelled_task(void **state) /* MCP-253 */
{
	static const struct kit_step extension[] = {
		CONNECT_MODERN,
		{"tools/call", NULL,
		 OK("\"resultType\":\"task\"," TASK_POLLED("working", "500", ""))},
		{"tasks/cancel", "\"taskId\":\"T\"", OK(DONE)}};
	static const struct kit_step legacy[] = {
		CONNECT_LEGACY,
		{"tools/call", "\"task\":{}",
		 OK("\"task\":{\"taskId\":\"T\",\"status\":\"input_required\"}")},
		{"tasks/result", NULL, NULL},
		{"tasks/cancel", "\"taskId\":\"T\"", OK("")},
		{"notifications/cancelled", NULL, NULL}};
	static const struct {
		const struct kit_step *steps;
		size_t count;
	} cases[] = {{extension, TN_COUNT(extension)}, {legacy, TN_COUNT(legacy)}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct kit_server server = {.steps = cases[i].steps, .count = cases[i].count};
		struct tenon_client_options options = kit_options(&server);
		struct tenon_client *client = kit_connect(&server, &options);
		struct tenon_request_options as_task = {.as_task = true};
		struct tenon_outcome outcome;
		struct tenon_error err;
		struct tenon_request *request;

		tenon_client_run_for(client, 5);
		request = tenon_client_call(client, "t", NULL, &as_task, &err);
		tenon_client_run_for(client, 10);
		tenon_request_cancel(request);
		assert_int_equal(tenon_request_wait(request, &outcome), TENON_CANCELLED);
		tenon_client_run_for(client, 600); /* no poll comes any more */
		kit_close(&server, client);
	}
}

/* ---- subscriptions ---- */

static void ended_by_notice(void **state) /* MCP-195, and mcp.md section 25 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, kit_modern},
		{"subscriptions/listen", NULL, NOTICE("subscriptions/acknowledged", "")},
		{"ping", NULL,
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
		 "\"params\":{\"requestId\":2}}\n" OK("")},
		{"subscriptions/listen", NULL, NOTICE("subscriptions/acknowledged", "")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	tenon_client_run_for(client, TN_CLIENT_POLL_MS + 50); /* it has lived for a while */
	(void)tenon_request_wait(tenon_client_request(client, "ping", NULL, NULL, &err), &outcome);
	assert_int_equal(outcome.code, TENON_OK);
	tenon_client_run_for(client, 20);
	assert_string_equal(kit_log(&server), "changed 4 -\n"); /* what was missed is not known */
	kit_close(&server, client);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(urls),
		cmocka_unit_test(tool_uses),
		cmocka_unit_test(many_uses),
		cmocka_unit_test(one_block),
		cmocka_unit_test(cancelled_by_a_question),
		cmocka_unit_test(too_many_entries),
		cmocka_unit_test(withdrawn),
		cmocka_unit_test(cancelled_task),
		cmocka_unit_test(ended_by_notice),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
