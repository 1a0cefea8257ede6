/* Questions as each revision knows them, and what is read of their answers (mcp.md section 16). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/form.h"
#include "mcp/sampling.h"
#include "mcp/test_fixtures.h"

/* What the tools below ask: set by each test. */
static struct {
	const char *form, *question;
} asked;

static void ask_form(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(call, "form", "Well?", asked.form);
	int64_t n = -1;
	double d = -1;
	const char *first, *third;
	char text[256];

	(void)data;
	if (!answer)
		return;
	(void)tenon_answer_int(answer, "n", &n);
	(void)tenon_answer_double(answer, "d", &d);
	first = tenon_answer_item(answer, "list", 0);
	third = tenon_answer_item(answer, "list", 2);
	(void)snprintf(text, sizeof(text), "%d %.2f %s %s %s", (int)n, d, first ? first : "-",
		       third ? third : "-", tenon_answer_item(answer, "n", 0) ? "?" : "none");
	tenon_call_reply_text(call, text);
}

static void ask_model(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_sample(call, "why", asked.question);

	(void)data;
	if (answer)
		tenon_call_reply_text(call, tenon_answer_text(answer, NULL));
}

static void send_away(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer =
		tenon_call_elicit_url(call, "visit", "Go there", "https://example.com/x");

	(void)data;
	tenon_call_elicit_done(call, "never asked");
	if (!answer)
		return;
	tenon_call_elicit_done(call, "visit");
	tenon_call_reply_text(call, "done");
}

static void need_context(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_call_require(call, TENON_CAN_SAMPLE_CONTEXT))
		tenon_call_reply_text(call, "fine");
}

static int setup(void **state)
{
	const struct tenon_server_options options = {.name = "test", .version = "1.2"};
	const struct tenon_tool tools[] = {{.name = "form", .call = ask_form},
					   {.name = "model", .call = ask_model},
					   {.name = "away", .call = send_away},
					   {.name = "context", .call = need_context}};
	struct test_peer *t = test_peer_create(&options);

	test_add_tools(t, tools, TN_COUNT(tools));
	tn_timer_stop(t->server->list_timer);
	t->server->dirty = 0;
	*state = t;
	return 0;
}

static void call_tool(struct test_peer *t, const char *name)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"}}",
			 name);
}

static void expect_tool_error(struct test_peer *t, const char *words)
{
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		     "\"<has %s>\"}],\"isError\":true}}",
		     words);
}

/* ---- forms (MCP-208, MCP-209) ---- */

static const char titled[] =
	"{\"type\":\"object\",\"properties\":{\"color\":{\"type\":\"string\",\"title\":\"C\","
	"\"oneOf\":[{\"const\":\"r\",\"title\":\"Red\"},{\"const\":\"b\",\"title\":\"Blue\"}]},"
	"\"yes\":{\"type\":\"boolean\",\"default\":true},\"n\":{\"type\":\"integer\",\"default\":5}"
	"},\"required\":[\"n\"]}";
static const char several[] =
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},\"d\":{\"type\":"
	"\"number\"},\"list\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":["
	"\"a\",\"b\",\"c\"]},\"minItems\":1}}}";

static void test_form_as_written(void **state) /* MCP-209 */
{
	struct test_peer *t = *state;

	asked.form = titled;
	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	call_tool(t, "form");
	test_expectf(t,
		     "{\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
		     "\"message\":\"Well?\",\"requestedSchema\":%s}}",
		     titled);
}

static void test_form_for_older(void **state) /* MCP-209 */
{
	struct test_peer *t = *state;

	asked.form = titled;
	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	call_tool(t, "form");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":"
		       "\"Well?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
		       "\"color\":{\"type\":\"string\",\"title\":\"C\",\"enum\":[\"r\",\"b\"],"
		       "\"enumNames\":[\"Red\",\"Blue\"]},\"yes\":{\"type\":\"boolean\","
		       "\"default\":true},\"n\":{\"type\":\"integer\"}},"
		       "\"required\":[\"n\"]}}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\","
			   "\"content\":{\"color\":\"b\",\"n\":7}}}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"7 -1.00 - - none\"}]}}");
}

static void test_several(void **state) /* MCP-209: lists to choose several from */
{
	struct test_peer *t = *state;

	asked.form = several;
	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	call_tool(t, "form");
	expect_tool_error(t, "clients before 2025-11-25 do not know");
	test_reconnect(t);
	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	call_tool(t, "form");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"params\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\","
			   "\"content\":{\"n\":3,\"d\":0.25,\"list\":[\"c\",\"b\",\"a\"]}}}");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"3 0.25 c a none\"}]}}");
}

static void test_bad_forms(void **state)
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	asked.form = "{\"type\":";
	call_tool(t, "form");
	expect_tool_error(t, "The form is no JSON");
	asked.form = "{\"type\":\"object\"}";
	call_tool(t, "form");
	expect_tool_error(t, "The form has no properties");
}

static void test_secrets(void **state) /* MCP-211 */
{
	static const char *const names[] = {"password", "Your API-Key", "client_secret",
					    "accessToken"};
	struct test_peer *t = *state;
	char form[256];

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	asked.form = form;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		(void)snprintf(form, sizeof(form),
			       "{\"type\":\"object\",\"properties\":{\"%s\":{\"type\":"
			       "\"string\"}}}",
			       names[i]);
		call_tool(t, "form");
		expect_tool_error(t, "must not ask for secrets");
	}
	asked.form = "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\","
		     "\"format\":\"password\"}}}";
	call_tool(t, "form");
	expect_tool_error(t, "must not ask for secrets");
	asked.form = "{\"type\":\"object\",\"properties\":{\"token_count\":{\"type\":"
		     "\"integer\"}}}";
	call_tool(t, "form");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"params\":\"<object>\"}");
}

/* ---- sampling ---- */

static const char blocks[] =
	"{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{"
	"\"type\":\"text\",\"text\":\"b\"}],\"_meta\":{}},{\"role\":\"assistant\",\"content\":{"
	"\"type\":\"text\",\"text\":\"c\"}}],\"maxTokens\":10,\"includeContext\":\"thisServer\"}";

static void test_single_blocks(void **state) /* MCP-217 */
{
	struct test_peer *t = *state;

	asked.question = blocks;
	test_initialize(t, "2025-06-18", "{\"sampling\":{}}");
	call_tool(t, "model");
	test_expect(t, "{\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{"
		       "\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"a\"}},{"
		       "\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"b\"}},{"
		       "\"role\":\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"c\"}}],"
		       "\"maxTokens\":10,\"includeContext\":\"thisServer\"}}");
}

static void expect_question(struct test_peer *t, const char *capabilities, const char *end)
{
	test_initialize(t, "2025-11-25", capabilities);
	call_tool(t, "model");
	test_expectf(t,
		     "{\"id\":1,\"method\":\"sampling/createMessage\",\"params\":{\"messages\":"
		     "\"<array>\",\"maxTokens\":10%s}}",
		     end);
	test_reconnect(t);
	test_expect(t, "{\"method\":\"notifications/cancelled\",\"params\":\"<object>\"}");
}

static void test_context(void **state) /* MCP-216 */
{
	struct test_peer *t = *state;

	asked.question = blocks;
	expect_question(t, "{\"sampling\":{}}", "");
	expect_question(t, "{\"sampling\":{\"context\":{}}}", ",\"includeContext\":\"thisServer\"");
	asked.question = "{\"messages\":[],\"maxTokens\":10,\"includeContext\":\"none\"}";
	expect_question(t, "{\"sampling\":{}}", ",\"includeContext\":\"none\"");
	(void)test_modern(t, "1", "tools/call", "\"name\":\"context\"", "{\"sampling\":{}}", NULL);
	test_expect(t, "{\"id\":1,\"error\":{\"code\":-32021,\"message\":\"<string>\",\"data\":{"
		       "\"requiredCapabilities\":{\"sampling\":{\"context\":{}}}}}}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"context\"",
			  "{\"sampling\":{\"context\":{}}}", NULL);
	test_expect_complete(t, "2", "\"content\":[{\"type\":\"text\",\"text\":\"fine\"}]");
}

#define USE(id) "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"t\",\"input\":{}}"
#define RESULT(id) "{\"type\":\"tool_result\",\"toolUseId\":\"" id "\",\"content\":[]}"
#define TEXT "{\"type\":\"text\",\"text\":\"x\"}"
#define ASSISTANT(blocks) "{\"role\":\"assistant\",\"content\":" blocks "}"
#define USER(blocks) "{\"role\":\"user\",\"content\":" blocks "}"
#define QUESTION(messages) "{\"messages\":[" messages "],\"maxTokens\":1}"

static void test_tool_calls(void **state) /* MCP-215 */
{
	static const struct {
		const char *question, *words; /* NULL: well formed */
	} cases[] = {
		{QUESTION(USER(TEXT)), NULL},
		{QUESTION(ASSISTANT("[" USE("1") "," USE("2") "]") "," USER(
			 "[" RESULT("2") "," RESULT("1") "]") "," ASSISTANT(TEXT)),
		 NULL},
		{QUESTION(ASSISTANT(USE("1")) "," USER(RESULT("1"))), NULL},
		{QUESTION(ASSISTANT(USE("1"))), "in the user message that follows"},
		{QUESTION(ASSISTANT(USE("1")) "," USER(TEXT)), "in the user message that follows"},
		{QUESTION(ASSISTANT(USE("1")) "," ASSISTANT(RESULT("1"))),
		 "in the user message that follows"},
		{QUESTION(ASSISTANT(USE("1")) "," USER(RESULT("2"))),
		 "Each tool_use needs one tool_result with its id in toolUseId."},
		{QUESTION(ASSISTANT("[" USE("1") "," USE("2") "]") "," USER(
			 "[" RESULT("1") "," RESULT("1") "]")),
		 "with its id"},
		{QUESTION(ASSISTANT(USE("1")) "," USER("[" RESULT("1") "," TEXT "]")),
		 "nothing but such"},
		{QUESTION(USER(RESULT("1"))), "answers a tool_use of the message before"},
		{QUESTION(ASSISTANT(RESULT("1"))), "nothing but such"},
		{QUESTION(USER(USE("1"))), "stands in an assistant message"},
		{QUESTION("{\"role\":\"system\",\"content\":" TEXT "}"), "The role of a message"},
		{"{\"messages\":{},\"maxTokens\":1}", "needs messages and maxTokens"},
		{"{\"messages\":[]}", "needs messages and maxTokens"},
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"sampling\":{\"tools\":{}}}");
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		asked.question = cases[i].question;
		call_tool(t, "model");
		if (cases[i].words) {
			expect_tool_error(t, cases[i].words);
			continue;
		}
		test_expectf(
			t,
			"{\"id\":\"<number>\",\"method\":\"sampling/createMessage\",\"params\":"
			"%s}",
			asked.question);
		(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
				   "\"params\":{\"requestId\":1}}");
		/* MCP-176: the server takes its own question back. */
		test_expect(t, "{\"method\":\"notifications/cancelled\",\"params\":\"<object>\"}");
	}
}

/* ---- URLs ---- */

static void test_done(void **state) /* MCP-210: the client is told by the id it knows */
{
	struct test_peer *t = *state;
	char id[64];

	test_initialize(t, "2025-11-25", "{\"elicitation\":{\"url\":{}}}");
	call_tool(t, "away");
	assert_non_null(test_next(t));
	test_member(t, "params/elicitationId", id, sizeof(id));
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}");
	test_expectf(t,
		     "{\"method\":\"notifications/elicitation/complete\",\"params\":{"
		     "\"elicitationId\":\"%s\"}}",
		     id);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
}

static void send_nowhere(struct tenon_call *call, void *data)
{
	(void)data;
	if (tenon_call_elicit_url(call, "visit", "Go there", "/relative"))
		tenon_call_reply_text(call, "gone");
}

static void test_bad_url(void **state) /* MCP-210: an absolute one */
{
	const struct tenon_tool tool = {.name = "nowhere", .call = send_nowhere};
	struct test_peer *t = *state;

	test_add_tools(t, &tool, 1);
	tn_timer_stop(t->server->list_timer);
	t->server->dirty = 0;
	test_initialize(t, "2025-11-25", "{\"elicitation\":{\"url\":{}}}");
	call_tool(t, "nowhere");
	expect_tool_error(t, "The URL is not an absolute one");
}

static void test_done_modern(void **state) /* MCP-210: there is no such notification */
{
	struct test_peer *t = *state;

	(void)test_modern(
		t, "1", "tools/call",
		"\"name\":\"away\",\"inputResponses\":{\"visit\":{\"action\":\"accept\"}}",
		"{\"elicitation\":{\"url\":{}}}", NULL);
	test_expect_complete(t, "1", "\"content\":[{\"type\":\"text\",\"text\":\"done\"}]");
	test_expect_nothing(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_form_as_written, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_form_for_older, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_several, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_bad_forms, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_secrets, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_single_blocks, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_context, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_tool_calls, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_done, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_bad_url, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_done_modern, setup, test_peer_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
