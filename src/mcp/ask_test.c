/* Asking the client in both eras: questions, answers, refusals, state (mcp.md section 16). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define ALL "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}"

static const char name_schema[] =
	"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"minLength\":2}},"
	"\"required\":[\"name\"]}";
static const char question[] =
	"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Why?\"}}],"
	"\"maxTokens\":10}";

static void call_tool(struct test_peer *t, const char *name)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"}}",
			 name);
}

static void answer(struct test_peer *t, int id, const char *result)
{
	const struct test_exchange *x =
		test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}", id, result);

	assert_int_equal(x->end, TEST_ENDED);
}

static void expect_text(struct test_peer *t, const char *text)
{
	test_expectf(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}",
		     text);
}

static void expect_tool_error(struct test_peer *t, const char *words)
{
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		     "\"<has %s>\"}],\"isError\":true}}",
		     words);
}

/* A modern call of a tool with all abilities, and what comes along with a retry. */
static void call_modern(struct test_peer *t, const char *id, const char *name, const char *more)
{
	char params[4096];

	assert_true(snprintf(params, sizeof(params), "\"name\":\"%s\"%s%s", name,
			     more[0] ? "," : "", more) < (int)sizeof(params));
	(void)test_modern(t, id, "tools/call", params, ALL, NULL);
}

static void expect_input_required(struct test_peer *t, const char *id, const char *requests,
				  bool state)
{
	test_expectf(t,
		     "{\"id\":%s,\"result\":{\"inputRequests\":%s,%s\"resultType\":"
		     "\"input_required\",\"_meta\":\"<object>\"}}",
		     id, requests, state ? "\"requestState\":\"<string>\"," : "");
}

/* ---- legacy ---- */

static void test_legacy_form(void **state) /* MCP-207, MCP-208, MCP-210, MCP-213 */
{
	static const char *const revisions[] = {"2025-06-18", "2025-11-25"};
	static const struct {
		const char *result, *text;
	} answers[] = {
		{"{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}", "accepted Ann"},
		{"{\"action\":\"decline\"}", "declined -"},
		{"{\"action\":\"cancel\"}", "dismissed -"},
		{"{\"action\":\"else\"}", "dismissed -"},
	};
	struct test_peer *t = *state;

	for (size_t r = 0; r < TN_COUNT(revisions); r++) {
		test_initialize(t, revisions[r], "{\"elicitation\":{}}");
		for (size_t i = 0; i < TN_COUNT(answers); i++) {
			call_tool(t, "ask_form");
			test_expectf(t,
				     "{\"id\":%zu,\"method\":\"elicitation/create\",\"params\":{%s"
				     "\"message\":\"Who?\",\"requestedSchema\":%s}}",
				     i + 1, r ? "\"mode\":\"form\"," : "", name_schema);
			test_expect_nothing(t);
			answer(t, (int)i + 1, answers[i].result);
			expect_text(t, answers[i].text);
		}
		test_reconnect(t);
	}
}

static void test_legacy_sample(void **state) /* MCP-217: one block, or several since R4 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2024-11-05", "{\"sampling\":{}}");
	call_tool(t, "ask_model");
	test_expectf(t, "{\"id\":1,\"method\":\"sampling/createMessage\",\"params\":%s}", question);
	answer(t, 1,
	       "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":"
	       "\"So.\"}}");
	expect_text(t, "So.");
	call_tool(t, "ask_model");
	test_expect(t, "{\"id\":2,\"method\":\"sampling/createMessage\",\"params\":\"<object>\"}");
	answer(t, 2,
	       "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"image\"},{"
	       "\"type\":\"text\",\"text\":\"Two.\"}]}");
	expect_text(t, "Two.");
	call_tool(t, "ask_model");
	test_expect(t, "{\"id\":3,\"method\":\"sampling/createMessage\",\"params\":\"<object>\"}");
	answer(t, 3, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":[]}");
	expect_text(t, "no text");
}

static void test_legacy_several(void **state) /* all at once, answered in any order */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", ALL);
	call_tool(t, "ask_several");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"params\":\"<object>\"}");
	test_expect(t, "{\"id\":2,\"method\":\"sampling/createMessage\",\"params\":\"<object>\"}");
	test_expect(t, "{\"id\":3,\"method\":\"roots/list\",\"params\":{}}");
	answer(t, 3, "{\"roots\":[{\"uri\":\"file:///x\"}]}");
	answer(t, 3, "{\"roots\":[]}"); /* twice: the second is dropped */
	answer(t, 99, "{\"roots\":[]}");
	answer(t, 1, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	test_expect_nothing(t);
	assert_int_equal(t->entries, 1);
	answer(t, 2, "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"text\":\"So.\"}}");
	expect_text(t, "Ann, So., {\\\"roots\\\":[{\\\"uri\\\":\\\"file:///x\\\"}]}");
	assert_int_equal(t->entries, 2);
}

static void test_legacy_asked_again(void **state) /* MCP-213: the form must be filled in right */
{
	static const char *const bad[] = {
		"{\"action\":\"accept\"}",
		"{\"action\":\"accept\",\"content\":{}}",
		"{\"action\":\"accept\",\"content\":{\"name\":\"A\"}}",
		"{\"action\":\"accept\",\"content\":{\"name\":7}}",
		"{\"action\":\"accept\",\"content\":[]}",
		"{}",
		"{\"action\":7}",
	};
	struct test_peer *t = *state;
	int id = 1;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	call_tool(t, "ask_form");
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
		answer(t, id++, bad[i]);
	}
	test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
	answer(t, id++, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	expect_text(t, "accepted Ann");
	call_tool(t, "ask_mail"); /* a format is asserted here */
	test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
	answer(t, id++, "{\"action\":\"accept\",\"content\":{\"mail\":\"nowhere\"}}");
	test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
	answer(t, id, "{\"action\":\"accept\",\"content\":{\"mail\":\"a@example.com\"}}");
	expect_text(t, "accepted a@example.com");
}

static void test_legacy_rounds(void **state) /* MCP-207: at most eight; the state stays inside */
{
	struct test_peer *t = *state;
	int id;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	call_tool(t, "ask_rounds");
	for (id = 1; id <= 3; id++) {
		test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
		answer(t, id, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	}
	expect_text(t, "Ann Ann Ann +++");
	t->entries = 0;
	call_tool(t, "ask_endless");
	for (int round = 1; round <= 8; round++, id++) {
		test_expectf(t, "{\"id\":%d,\"method\":\"elicitation/create\",\"...\":0}", id);
		answer(t, id, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	}
	expect_tool_error(t, "8 rounds");
}

static void test_legacy_refused(void **state) /* an error is an answer, too */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", ALL);
	call_tool(t, "ask_several");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	test_expect(t, "{\"id\":2,\"method\":\"sampling/createMessage\",\"...\":0}");
	test_expect(t, "{\"id\":3,\"method\":\"roots/list\",\"...\":0}");
	answer(t, 1, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-1,\"message\":"
			   "\"User rejected sampling\"}}");
	/* MCP-172: nobody needs the third any more. */
	test_expect(t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
	expect_tool_error(t, "User rejected sampling");
	answer(t, 3, "{\"roots\":[]}");
	test_expect_nothing(t);
	for (int i = 0; i < 2; i++) { /* neither result nor a sensible error */
		call_tool(t, "ask_roots");
		test_expectf(t, "{\"id\":%d,\"method\":\"roots/list\",\"...\":0}", 4 + i);
		(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"%s\":[]}", 4 + i,
				 i ? "error" : "result");
		expect_tool_error(t, "roots/list");
	}
}

static void test_legacy_missing(void **state) /* MCP-038, MCP-207, MCP-208 */
{
	static const struct {
		const char *revision, *capabilities, *tool;
	} cases[] = {
		{"2025-11-25", "{}", "ask_form"},
		{"2025-11-25", "{\"sampling\":{},\"roots\":{}}", "ask_form"},
		{"2025-11-25", "{\"elicitation\":{\"url\":{}}}", "ask_form"},
		{"2025-11-25", "{\"elicitation\":{}}", "ask_url"},
		{"2025-11-25", "{\"elicitation\":{\"form\":{}}}", "ask_url"},
		{"2025-11-25", "{\"elicitation\":{}}", "ask_model"},
		{"2025-11-25", "{\"elicitation\":[],\"sampling\":true,\"roots\":1}", "ask_roots"},
		{"2025-11-25", "{\"sampling\":{}}", "ask_model_tools"},
		{"2025-11-25", "{}", "needs_model"},
		{"2025-03-26", "{\"elicitation\":{}}", "ask_form"}, /* not in this revision */
		{"2025-11-25", "{\"elicitation\":{},\"sampling\":{}}", "ask_several"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		test_initialize(t, cases[i].revision, cases[i].capabilities);
		call_tool(t, cases[i].tool);
		expect_tool_error(t, "capability");
		test_expect_nothing(t);
		test_reconnect(t);
	}
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{"
			   "\"name\":\"asks\"}}");
	test_expect_error(t, "1", -32602, "capability");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\","
			   "\"params\":{\"uri\":\"test://asks\"}}");
	test_expect_error(t, "1", -32602, "capability");
}

static void test_legacy_url(void **state) /* MCP-210: elicitationId in R4 */
{
	struct test_peer *t = *state;
	char first[64], second[64];

	test_initialize(t, "2025-11-25", ALL);
	call_tool(t, "ask_url");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\","
		       "\"message\":\"Go there\",\"url\":\"https://example.com/x\","
		       "\"elicitationId\":\"<string>\"}}");
	test_member(t, "params/elicitationId", first, sizeof(first));
	answer(t, 1, "{\"action\":\"accept\"}");
	expect_text(t, "accepted -");
	call_tool(t, "ask_url"); /* the same question again is another elicitation */
	test_expect(t, "{\"id\":2,\"method\":\"elicitation/create\",\"...\":0}");
	test_member(t, "params/elicitationId", second, sizeof(second));
	assert_string_not_equal(first, second);
	answer(t, 2, "{\"action\":\"accept\"}");
	expect_text(t, "accepted -");
	call_tool(t, "ask_model_tools");
	test_expect(t, "{\"id\":3,\"method\":\"sampling/createMessage\",\"params\":{\"tools\":"
		       "\"<array>\",\"...\":0}}");
	answer(t, 3, "{\"content\":[]}");
	expect_text(t, "{\\\"content\\\":[]}");
}

static void test_legacy_prompt(void **state) /* also for prompts and resources */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/get\",\"params\":{"
			   "\"name\":\"asks\"}}");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	answer(t, 1, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"messages\":[{\"role\":\"user\",\"content\":{"
		       "\"type\":\"text\",\"text\":\"Ann\"}}]}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\","
			   "\"params\":{\"uri\":\"test://asks\"}}");
	test_expect(t, "{\"id\":2,\"method\":\"elicitation/create\",\"...\":0}");
	answer(t, 2, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"contents\":[{\"uri\":\"test://asks\","
		       "\"mimeType\":\"text/plain\",\"text\":\"Ann\"}]}}");
}

static void test_legacy_cancelled(void **state) /* MCP-172: the question is taken back */
{
	struct test_peer *t = *state;
	const struct test_exchange *x;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	x = test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"ask_form\"}}");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	test_expect(t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	assert_int_equal(x->end, TEST_CANCELLED);
	answer(t, 1, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}"); /* too late */
	test_expect_nothing(t);
	assert_int_equal(t->server->running, 0);
}

static void test_legacy_peer_gone(void **state) /* questions do not outlive the client */
{
	struct test_peer *t = *state;
	struct test_exchange *x;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	call_tool(t, "ask_form");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	test_reconnect(t);
	(void)test_next(t); /* the question is taken back on the way out */
	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	x = test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"ask_form\"}}");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	test_gone(x);
	assert_int_equal(t->server->running, 0);
}

static void test_sessions_apart(void **state) /* MCP-285: nobody answers for another */
{
	struct test_peer *t = *state;
	const char *const one[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-11-25", ALL)},
				      {NULL, NULL}};
	const char *const two[][2] = {{"Mcp-Session-Id", test_open_session(t, "2025-11-25", ALL)},
				      {NULL, NULL}};
	static const char form[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"ask_form\"}}";
	static const char reply[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":"
				    "\"accept\",\"content\":{\"name\":\"%s\"}}}";
	const struct test_exchange *a = test_post(t, one, form);
	const struct test_exchange *b = test_post(t, two, form);
	char text[256];

	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	(void)snprintf(text, sizeof(text), reply, "Bob");
	assert_int_equal(test_post(t, two, text)->end, TEST_ENDED);
	test_expect_status(t, b, 200,
			   "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
			   "\"text\":\"accepted Bob\"}]}}");
	(void)snprintf(text, sizeof(text), reply, "Ann");
	assert_int_equal(test_post(t, two, text)->end, TEST_ENDED); /* two has no question */
	assert_int_equal(a->end, TEST_OPEN);
	assert_int_equal(test_post(t, one, text)->end, TEST_ENDED);
	test_expect_status(t, a, 200,
			   "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
			   "\"text\":\"accepted Ann\"}]}}");
}

static void test_deaf(void **state) /* MCP-110, MCP-140: a client that takes JSON only */
{
	struct test_peer *t = *state;
	const char *const session[][2] = {
		{"Mcp-Session-Id", test_open_session(t, "2025-03-26", ALL)}, {NULL, NULL}};

	t->deaf = true;
	test_expect_status(t,
			   test_post(t, session,
				     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				     "\"params\":{\"name\":\"ask_roots\"}}"),
			   200,
			   "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			   "\"<has event-stream>\"}],\"isError\":true}}");
	test_expect_status(t,
			   test_post(t, session,
				     "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				     "\"params\":{\"name\":\"ask_roots\"}}]"),
			   200,
			   "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":\"<array>\","
			   "\"isError\":true}}]");
	call_modern(t, "2", "ask_roots", ""); /* the modern way needs no stream */
	test_expect(t, "{\"id\":2,\"result\":{\"resultType\":\"input_required\",\"...\":0}}");
}

static void test_from_timer_and_work(void **state) /* a handler may ask later, too */
{
	static const char *const tools[] = {"ask_after", "ask_after_work"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		t->entries = 0;
		call_tool(t, tools[i]);
		test_expect_nothing(t);
		test_run_until_sent(t);
		test_expectf(t, "{\"id\":%zu,\"method\":\"elicitation/create\",\"...\":0}", i + 1);
		answer(t, (int)i + 1, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
		expect_text(t, "accepted Ann");
		t->entries = 0;
		call_modern(t, "2", tools[i], "");
		test_run_until_sent(t);
		test_expect(t, "{\"id\":2,\"result\":{\"resultType\":\"input_required\","
			       "\"...\":0}}");
	}
}

static void test_bad_questions(void **state) /* the handler's mistakes end the call */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", ALL);
	call_tool(t, "ask_too_much");
	expect_tool_error(t, "too large");
	call_tool(t, "ask_nonsense");
	expect_tool_error(t, "no JSON");
	call_modern(t, "1", "ask_too_much", "");
	test_expect(t,
		    "{\"id\":1,\"result\":{\"content\":\"<array>\",\"isError\":true,\"...\":0}}");
}

/* ---- modern ---- */

static void test_modern_form(void **state) /* MCP-199, MCP-200, MCP-202 */
{
	struct test_peer *t = *state;
	char requests[512];

	(void)snprintf(requests, sizeof(requests),
		       "{\"who\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
		       "\"message\":\"Who?\",\"requestedSchema\":%s}}}",
		       name_schema);
	call_modern(t, "1", "ask_form", "");
	expect_input_required(t, "1", requests, false); /* nothing to remember: no state */
	call_modern(t, "\"retry\"", "ask_form",
		    "\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":"
		    "\"Ann\"}},\"unknown\":{\"action\":\"accept\"}}");
	test_expect_complete(t, "\"retry\"",
			     "\"content\":[{\"type\":\"text\",\"text\":\"accepted Ann\"}]");
	call_modern(t, "3", "ask_form", "\"inputResponses\":{\"who\":{\"action\":\"decline\"}}");
	test_expect_complete(t, "3", "\"content\":[{\"type\":\"text\",\"text\":\"declined -\"}]");
	call_modern(t, "4", "ask_url", "");
	expect_input_required(t, "4",
			      "{\"visit\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":"
			      "\"url\",\"message\":\"Go there\",\"url\":"
			      "\"https://example.com/x\"}}}",
			      false); /* MCP-210: no elicitationId */
}

static void test_modern_asked_again(void **state) /* MCP-203 */
{
	static const char *const incomplete[] = {
		"\"inputResponses\":{}",
		"\"inputResponses\":{\"other\":{\"action\":\"accept\"}}",
		"\"inputResponses\":{\"who\":7}",
		"\"inputResponses\":{\"who\":{}}",
		"\"inputResponses\":{\"who\":{\"action\":\"accept\"}}",
		"\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":0}}}",
	};
	static const char *const malformed[] = {"[]", "7", "null", "\"x\""};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(incomplete); i++) {
		call_modern(t, "1", "ask_form", incomplete[i]);
		test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"input_required\","
			       "\"inputRequests\":{\"who\":\"<object>\"},\"...\":0}}");
	}
	for (size_t i = 0; i < TN_COUNT(malformed); i++) {
		char more[64];

		(void)snprintf(more, sizeof(more), "\"inputResponses\":%s", malformed[i]);
		call_modern(t, "1", "ask_form", more);
		test_expect_error(t, "1", -32602, "inputResponses");
	}
}

static void test_modern_several(void **state) /* MCP-200, MCP-203: what is missing is asked again */
{
	static const char model[] = "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":"
				    "\"text\",\"text\":\"So.\"}}";
	struct test_peer *t = *state;
	char sealed[2048], more[4096];

	call_modern(t, "1", "ask_several", "");
	test_expect(t, "{\"id\":1,\"result\":{\"inputRequests\":{\"who\":\"<object>\",\"why\":"
		       "{\"method\":\"sampling/createMessage\",\"params\":\"<object>\"},"
		       "\"roots\":{\"method\":\"roots/list\",\"params\":{}}},\"...\":0}}");
	(void)snprintf(more, sizeof(more), "\"inputResponses\":{\"why\":%s}", model);
	call_modern(t, "2", "ask_several", more);
	test_expect(t, "{\"id\":2,\"result\":{\"inputRequests\":{\"who\":\"<object>\",\"roots\":"
		       "\"<object>\"},\"requestState\":\"<string>\",\"...\":0}}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	(void)snprintf(more, sizeof(more),
		       "\"requestState\":\"%s\",\"inputResponses\":{\"who\":{\"action\":"
		       "\"accept\",\"content\":{\"name\":\"Ann\"}},\"roots\":{\"roots\":[]}}",
		       sealed);
	call_modern(t, "3", "ask_several", more);
	test_expect_complete(t, "3",
			     "\"content\":[{\"type\":\"text\",\"text\":\"Ann, So., "
			     "{\\\"roots\\\":[]}\"}]");
}

/* One round of "ask_rounds": answers `key`, gives the state back, and takes the next. */
static void next_round(struct test_peer *t, const char *key, char *sealed, size_t size)
{
	char more[4096];

	(void)snprintf(more, sizeof(more),
		       "\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"name\":"
		       "\"Ann\"}}},\"requestState\":\"%s\"",
		       key, sealed);
	call_modern(t, "1", "ask_rounds", more);
	if (strcmp(key, "three") == 0)
		return;
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"...\":0}}");
	test_member(t, "result/requestState", sealed, size);
}

static void test_modern_rounds(void **state) /* MCP-073, MCP-205: all of it travels sealed */
{
	struct test_peer *t = *state;
	char sealed[2048];

	call_modern(t, "1", "ask_rounds", "");
	test_expect(t, "{\"id\":1,\"result\":{\"inputRequests\":{\"one\":\"<object>\"},"
		       "\"requestState\":\"<string>\",\"...\":0}}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	assert_null(strstr(sealed, "state"));
	test_reconnect(t); /* another connection does as well: nothing is remembered here */
	next_round(t, "one", sealed, sizeof(sealed));
	next_round(t, "two", sealed, sizeof(sealed));
	test_turn_clock(t, TN_STATE_TTL_MS); /* the very last moment */
	next_round(t, "three", sealed, sizeof(sealed));
	test_expect_complete(t, "1",
			     "\"content\":[{\"type\":\"text\",\"text\":\"Ann Ann Ann +++\"}]");
	assert_int_equal(t->server->running, 0);
}

static void expect_invalid_state(struct test_peer *t)
{
	test_expect_error(t, "1", -32602, "invalid requestState");
}

static void test_forged_state(void **state) /* MCP-204, MCP-205 */
{
	static const char *const nonsense[] = {"\"\"",      "\"AAAA\"", "\"!\"", "7",
					       "{\"a\":1}", "null",     "[]"};
	struct test_peer *t = *state;
	char sealed[2048], more[4096];

	call_modern(t, "1", "ask_rounds", "\"arguments\":{\"a\":1,\"b\":{\"x\":1,\"y\":2}}");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	/* The same arguments in another order are the same request. */
	(void)snprintf(more, sizeof(more),
		       "\"arguments\":{\"b\":{\"y\":2,\"x\":1},\"a\":1},\"requestState\":\"%s\"",
		       sealed);
	call_modern(t, "1", "ask_rounds", more);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"...\":0}}");
	/* Other arguments, another tool, another method are not. */
	(void)snprintf(more, sizeof(more),
		       "\"arguments\":{\"a\":2,\"b\":{\"x\":1,\"y\":2}},\"requestState\":\"%s\"",
		       sealed);
	call_modern(t, "1", "ask_rounds", more);
	expect_invalid_state(t);
	(void)snprintf(more, sizeof(more), "\"requestState\":\"%s\"", sealed);
	call_modern(t, "1", "ask_form", more);
	expect_invalid_state(t);
	(void)snprintf(more, sizeof(more), "\"name\":\"asks\",\"requestState\":\"%s\"", sealed);
	(void)test_modern(t, "1", "prompts/get", more, ALL, NULL);
	expect_invalid_state(t);
	for (size_t i = 0; i < TN_COUNT(nonsense); i++) {
		(void)snprintf(more, sizeof(more), "\"requestState\":%s", nonsense[i]);
		call_modern(t, "1", "ask_form", more);
		expect_invalid_state(t);
	}
}

static void test_tampered_state(void **state) /* MCP-204: no bit of it may change */
{
	struct test_peer *t = *state;
	char sealed[2048], more[4096];
	size_t size;

	call_modern(t, "1", "ask_rounds", "");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	size = strlen(sealed);
	for (size_t i = 0; i < size && sealed[i] != '='; i += 3) {
		char kept = sealed[i];

		sealed[i] = kept == 'A' ? 'B' : 'A';
		(void)snprintf(more, sizeof(more), "\"requestState\":\"%s\"", sealed);
		call_modern(t, "1", "ask_rounds", more);
		expect_invalid_state(t);
		sealed[i] = kept;
	}
	sealed[size - 4] = '\0';
	(void)snprintf(more, sizeof(more), "\"requestState\":\"%s\"", sealed);
	call_modern(t, "1", "ask_rounds", more);
	expect_invalid_state(t);
}

static void test_expired_state(void **state) /* MCP-205: ten minutes */
{
	struct test_peer *t = *state;
	char sealed[2048], more[4096];

	call_modern(t, "1", "ask_rounds", "");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	(void)snprintf(more, sizeof(more), "\"requestState\":\"%s\"", sealed);
	test_turn_clock(t, TN_STATE_TTL_MS + 1);
	call_modern(t, "1", "ask_rounds", more);
	expect_invalid_state(t);
}

static void test_foreign_state(void **state) /* MCP-205, MCP-285: bound to who asked */
{
	struct test_peer *t = *state;
	char sealed[2048], more[4096];

	call_modern(t, "1", "ask_rounds", "");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	(void)snprintf(more, sizeof(more), "\"requestState\":\"%s\"", sealed);
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "somebody else");
	call_modern(t, "1", "ask_rounds", more);
	expect_invalid_state(t);
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "tester");
	call_modern(t, "1", "ask_rounds", more);
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"...\":0}}");
}

static void test_large_state(void **state) /* MCP-205: at most 64 KiB */
{
	struct test_peer *t = *state;
	size_t size = TN_STATE_BYTES_MAX;
	char *name = tn_mem_alloc(size + 1);
	struct tn_buf params;

	assert_non_null(name);
	memset(name, 'x', size);
	tn_buf_init(&params, TN_MIB);
	tn_buf_format(&params,
		      "\"name\":\"ask_rounds\",\"inputResponses\":{\"one\":{\"action\":"
		      "\"accept\",\"content\":{\"name\":\"%s\"}}}",
		      name);
	tn_buf_append_byte(&params, '\0');
	(void)test_modern(t, "1", "tools/call", params.data, ALL, NULL);
	test_expect_error(t, "1", -32603, "state is too large");
	tn_buf_finish(&params);
	tn_mem_free(name);
}

static void test_modern_missing(void **state) /* MCP-039, MCP-040, MCP-201 */
{
	static const struct {
		const char *capabilities, *tool, *required;
	} cases[] = {
		{"{}", "ask_form", "{\"elicitation\":{}}"},
		{"{\"elicitation\":{\"url\":{}}}", "ask_form", "{\"elicitation\":{}}"},
		{"{\"elicitation\":{}}", "ask_url", "{\"elicitation\":{\"url\":{}}}"},
		{"{}", "ask_both_ways", "{\"elicitation\":{\"form\":{},\"url\":{}}}"},
		{"{\"elicitation\":{}}", "ask_model", "{\"sampling\":{}}"},
		{"{\"sampling\":{}}", "ask_model_tools", "{\"sampling\":{\"tools\":{}}}"},
		{"{\"sampling\":{}}", "ask_roots", "{\"roots\":{}}"},
		{"{}", "needs_model", "{\"sampling\":{}}"},
		{"{\"roots\":{}}", "ask_several", "{\"elicitation\":{},\"sampling\":{}}"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const char *const headers[][2] = {{"MCP-Protocol-Version", "2026-07-28"},
						  {"Mcp-Method", "tools/call"},
						  {"Mcp-Name", cases[i].tool},
						  {NULL, NULL}};
		char params[64], wanted[256];
		const char *text;

		(void)snprintf(params, sizeof(params), "\"name\":\"%s\"", cases[i].tool);
		(void)snprintf(wanted, sizeof(wanted),
			       "{\"id\":1,\"error\":{\"code\":-32021,\"message\":\"<string>\","
			       "\"data\":{\"requiredCapabilities\":%s}}}",
			       cases[i].required);
		text = test_modern_text(t, "1", "tools/call", params, cases[i].capabilities, NULL);
		test_expect_status(t, test_post(t, headers, text), 400, wanted);
		(void)test_send(t, text);
		test_expect(t, wanted);
	}
	(void)test_modern(t, "1", "tools/call", "\"name\":\"needs_model\"",
			  "{\"sampling\":{\"tools\":{}}}", NULL);
	test_expect_complete(t, "1", "\"content\":[{\"type\":\"text\",\"text\":\"with tools\"}]");
}

static void test_modern_others(void **state) /* MCP-199: prompts/get and resources/read */
{
	static const char *const requests[][2] = {{"prompts/get", "\"name\":\"asks\""},
						  {"resources/read", "\"uri\":\"test://asks\""}};
	static const char reply[] = "\"inputResponses\":{\"who\":{\"action\":\"accept\","
				    "\"content\":{\"name\":\"Ann\"}}}";
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(requests); i++) {
		char params[512];

		(void)test_modern(t, "1", requests[i][0], requests[i][1], ALL, NULL);
		/* MCP-187: no caching fields here. */
		expect_input_required(t, "1", "{\"who\":\"<object>\"}", false);
		(void)snprintf(params, sizeof(params), "%s,%s", requests[i][1], reply);
		(void)test_modern(t, "2", requests[i][0], params, ALL, NULL);
		test_expect(t, "{\"id\":2,\"result\":{\"resultType\":\"complete\",\"...\":0}}");
		assert_non_null(strstr(t->shown->json, "\"Ann\""));
	}
}

static void test_ignored_elsewhere(void **state) /* the fields mean nothing in legacy eras */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-06-18", "{\"elicitation\":{}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"ask_form\",\"requestState\":7,\"inputResponses\":{\"who\":{"
			   "\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}}}}");
	test_expect(t, "{\"id\":1,\"method\":\"elicitation/create\",\"...\":0}");
	answer(t, 1, "{\"action\":\"decline\"}");
	expect_text(t, "declined -");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_legacy_form),
		TEST(test_legacy_sample),
		TEST(test_legacy_several),
		TEST(test_legacy_asked_again),
		TEST(test_legacy_rounds),
		TEST(test_legacy_refused),
		TEST(test_legacy_missing),
		TEST(test_legacy_url),
		TEST(test_legacy_prompt),
		TEST(test_legacy_cancelled),
		TEST(test_legacy_peer_gone),
		TEST(test_sessions_apart),
		TEST(test_deaf),
		TEST(test_from_timer_and_work),
		TEST(test_bad_questions),
		TEST(test_modern_form),
		TEST(test_modern_asked_again),
		TEST(test_modern_several),
		TEST(test_modern_rounds),
		TEST(test_forged_state),
		TEST(test_tampered_state),
		TEST(test_expired_state),
		TEST(test_foreign_state),
		TEST(test_large_state),
		TEST(test_modern_missing),
		TEST(test_modern_others),
		TEST(test_ignored_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
