/* Rules of the protocol that no other test has as its subject, and the ways to fail that need a
 * case of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/limits.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/test_fixtures.h"

static void call_tool(struct test_peer *t, int id, const char *name)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"}}",
			 id, name);
}

static void add_tool(struct test_peer *t, const char *name, tenon_call_fn *call)
{
	const struct tenon_tool tool = {
		.name = name, .input_schema = "{\"type\":\"object\"}", .call = call};

	test_add_tools(t, &tool, 1);
	tn_timer_stop(t->server->list_timer);
	t->server->dirty = 0;
}

/* ---- messages ---- */

static void test_ids_of_ours(void **state) /* MCP-005 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	for (int id = 1; id <= 3; id++) {
		call_tool(t, 100 + id, "ask_form");
		test_expectf(
			t, "{\"id\":%d,\"method\":\"elicitation/create\",\"params\":\"<object>\"}",
			id); /* never one that was used */
		(void)test_sendf(
			t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"action\":\"cancel\"}}",
			id);
		assert_non_null(test_next(t));
	}
}

static void test_error_messages(void **state) /* MCP-015, MCP-034: a short sentence, one line */
{
	static const char *const bad[] = {
		"[",
		"[]",
		"{}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		"call\",\"params\":{\"name\":\"x\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		"list\",\"params\":{\"cursor\":1}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/"
		"read\",\"params\":{\"uri\":\"a:\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/"
		"get\",\"params\":{\"name\":\"greet\"}}"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{}");
	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		char message[512];

		(void)test_send(t, bad[i]);
		assert_non_null(test_next(t));
		test_member(t, "error/message", message, sizeof(message));
		assert_in_range(strlen(message), 3, 160);
		assert_null(strpbrk(message, "\r\n/"));
	}
}

static void test_foreign_codes(void **state) /* MCP-030: no meaning in another's codes */
{
	static const int codes[] = {-32000, -32002, -32019, -32042, 7};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	for (size_t i = 0; i < TN_COUNT(codes); i++) {
		call_tool(t, 50, "ask_form");
		assert_non_null(test_next(t));
		(void)test_sendf(
			t,
			"{\"jsonrpc\":\"2.0\",\"id\":%d,\"error\":{\"code\":%d,\"message\":"
			"\"no\"}}",
			(int)i + 1, codes[i]);
		test_expect(
			t,
			"{\"id\":50,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			"\"<has could not answer elicitation/create: no>\"}],\"isError\":true}}");
	}
}

/* More members than an object may have. */
static void test_too_many_members(void **state)
{
	struct test_peer *t = *state;
	struct tn_buf text;

	tn_buf_init(&text, 16 * TN_MIB);
	tn_buf_append_text(&text, "{\"jsonrpc\":\"2.0\"");
	for (int i = 0; i <= TN_JSON_MEMBERS_MAX; i++)
		tn_buf_append_text(&text, ",\"a\":1");
	tn_buf_append_text(&text, "}");
	(void)test_send_str(t, tn_buf_str(&text));
	assert_non_null(strstr(test_next(t), "\"code\":-32600"));
	tn_buf_finish(&text);
}

/* ---- statelessness ---- */

static void copy_next(struct test_peer *t, char *out, size_t size)
{
	const char *json = test_next(t);

	assert_non_null(json);
	assert_true(strlen(json) < size);
	memcpy(out, json, strlen(json) + 1);
}

static void test_same_lists(void **state) /* MCP-037: nobody's doing changes a list */
{
	struct test_peer *t = *state;
	static const char *const other[][2] = {
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}, {NULL, NULL}};
	size_t size = 64 * 1024;
	char *first = tn_mem_alloc(size), *again = tn_mem_alloc(size);

	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	copy_next(t, first, size);
	(void)test_modern(t, "2", "tools/call", "\"name\":\"echo\"", NULL, NULL);
	(void)test_next(t);
	(void)test_modern(t, "3", "tools/call", "\"name\":\"ask_form\"", "{\"elicitation\":{}}",
			  NULL);
	(void)test_next(t);
	test_initialize(t, "2024-11-05", "{}");
	(void)test_modern(t, "1", "tools/list", "", "{\"sampling\":{}}", NULL);
	copy_next(t, again, size);
	assert_string_equal(first, again);
	(void)test_post(t, other, test_modern_text(t, "1", "tools/list", "", NULL, NULL));
	copy_next(t, again, size);
	assert_string_equal(first, again);
	tn_mem_free(first);
	tn_mem_free(again);
}

static void test_client_info(void **state) /* MCP-046: for display only */
{
	static const char *const infos[] = {
		NULL,
		"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"Claude\",\"version\":\"1\"}",
		"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"curl\",\"version\":\"0\"}"};
	struct test_peer *t = *state;
	char first[4096] = "", again[4096];

	for (size_t i = 0; i < TN_COUNT(infos); i++) {
		(void)test_modern(t, "1", "tools/call", "\"name\":\"blocks\"", NULL, infos[i]);
		copy_next(t, i ? again : first, sizeof(first));
		if (i)
			assert_string_equal(first, again);
	}
}

static void test_no_cancelled_in_modern(void **state) /* MCP-175 */
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "tools/call", "\"name\":\"hold\"", "{\"elicitation\":{}}", NULL);
	(void)test_modern(t, "2", "tools/call", "\"name\":\"ask_form\"", "{\"elicitation\":{}}",
			  NULL);
	assert_non_null(test_next(t)); /* the question is the answer */
	(void)test_send(t,
			"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
			"\"requestId\":1}}");
	test_expect_nothing(t);
	(void)test_modern(t, "3", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	assert_non_null(test_next(t));
	tn_feed_close(t->server); /* MCP-195: a result, and no notification */
	test_expect(t, "{\"id\":3,\"result\":\"<object>\"}");
	test_expect_nothing(t);
}

/* ---- doors of the transport's ---- */

static void test_one_era_only(void **state) /* MCP-053, MCP-158 */
{
	struct test_peer *t = *state;

	t->peer->no_legacy = true;
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			   "\"protocolVersion\":\"2025-11-25\"}}");
	test_expect(t, "{\"id\":1,\"error\":{\"code\":-32022,\"message\":\"<string>\",\"data\":{"
		       "\"supported\":[\"2026-07-28\"],\"requested\":\"2025-11-25\"}}}");
	t->peer->no_legacy = false;
	t->peer->no_modern = "The newest revision is at /mcp";
	(void)test_modern(t, "2", "tools/list", "", NULL, NULL);
	test_expect_error(t, "2", -32600, "is at /mcp");
}

/* ---- questions ---- */

static void test_unanswered(void **state) /* MCP-071, MCP-176, MCP-207 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	call_tool(t, 9, "ask_form");
	assert_non_null(test_next(t));
	assert_non_null(t->peer->calls->ask_timer);
	tn_timer_start(t->peer->calls->ask_timer, 1); /* not ten minutes */
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	test_expect(t, "{\"id\":9,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"<has did not answer in time>\"}],\"isError\":true}}");
}

static const char any_form[] = "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}";

/* One more than goes out in a round. */
static void ask_many(struct tenon_call *call, void *data)
{
	bool all = true;

	(void)data;
	for (int i = 0; i <= TN_ASKS_PER_ROUND_MAX; i++) {
		char key[16];

		(void)snprintf(key, sizeof(key), "k%d", i);
		if (!tenon_call_elicit(call, key, "?", any_form))
			all = false;
		(void)tenon_call_elicit(call, key, "the same again", any_form);
	}
	if (all)
		tenon_call_reply_text(call, "all");
}

static void test_many_questions(void **state)
{
	struct test_peer *t = *state;

	add_tool(t, "ask_many", ask_many);
	test_initialize(t, "2025-11-25", "{\"elicitation\":{}}");
	call_tool(t, 99, "ask_many");
	for (int i = 1; i <= TN_ASKS_PER_ROUND_MAX; i++)
		test_expectf(
			t, "{\"id\":%d,\"method\":\"elicitation/create\",\"params\":\"<object>\"}",
			i);
	test_expect_nothing(t);
	for (int i = 1; i <= TN_ASKS_PER_ROUND_MAX; i++)
		(void)test_sendf(
			t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"action\":\"decline\"}}",
			i);
	test_expect(t, "{\"id\":17,\"method\":\"elicitation/create\",\"params\":\"<object>\"}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":17,\"result\":{\"action\":\"decline\"}}");
	test_expect(t,
		    "{\"id\":99,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"all\"}]}}");
}

static void remember_too_much(struct tenon_call *call, void *data)
{
	char *note = tn_mem_alloc(TN_STATE_BYTES_MAX + 1);

	(void)data;
	assert_non_null(note);
	memset(note, 'x', TN_STATE_BYTES_MAX);
	tenon_call_set_state(call, note);
	tn_mem_free(note);
	(void)tenon_call_elicit(call, "k", "?", any_form);
}

static void test_state_too_large(void **state) /* MCP-205 */
{
	struct test_peer *t = *state;

	add_tool(t, "remember", remember_too_much);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"remember\"", "{\"elicitation\":{}}",
			  NULL);
	test_expect_error(t, "1", -32603, "the request's state is");
}

/* A retry with an answer that its own state holds already: the newer counts, once. */
static void test_answered_again(void **state) /* MCP-202, MCP-203 */
{
	struct test_peer *t = *state;
	char sealed[4096], params[8192];

	(void)test_modern(
		t, "1", "tools/call",
		"\"name\":\"ask_rounds\",\"inputResponses\":{\"one\":{\"action\":\"accept\","
		"\"content\":{\"name\":\"first\"}}}",
		"{\"elicitation\":{}}", NULL);
	assert_non_null(test_next(t));
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	(void)snprintf(
		params, sizeof(params),
		"\"name\":\"ask_rounds\",\"requestState\":\"%s\",\"inputResponses\":{\"one\":{"
		"\"action\":\"accept\",\"content\":{\"name\":\"second\"}}}",
		sealed);
	(void)test_modern(t, "2", "tools/call", params, "{\"elicitation\":{}}", NULL);
	assert_non_null(test_next(t));
	test_member(t, "result/requestState", sealed, sizeof(sealed));
	(void)snprintf(
		params, sizeof(params),
		"\"name\":\"ask_rounds\",\"requestState\":\"%s\",\"inputResponses\":{\"two\":{"
		"\"action\":\"accept\",\"content\":{\"name\":\"2nd\"}},\"three\":{\"action\":"
		"\"accept\",\"content\":{\"name\":\"3rd\"}}}",
		sealed);
	(void)test_modern(t, "3", "tools/call", params, "{\"elicitation\":{}}", NULL);
	test_expect_complete(t, "3",
			     "\"content\":[{\"type\":\"text\",\"text\":\"<has second 2nd 3rd>\"}]");
}

/* ---- what handlers read and write ---- */

static void read_all(struct tenon_call *call, void *data)
{
	char text[256];
	const char *bytes = "", *sub;
	size_t size = 0;
	double d = 0;
	bool b = false, c = false;
	int64_t n = 0;

	assert_false(tenon_call_bytes(call, "absent", &bytes, &size));
	assert_false(tenon_call_double(call, "text", &d));
	assert_false(tenon_call_bool(call, "text", &b));
	assert_false(tenon_call_int(call, "d", &n));
	assert_null(tenon_call_text(call, "d"));
	assert_null(tenon_call_json(call, "absent"));
	assert_null(tenon_call_uri(call));
	assert_ptr_equal(tenon_call_data(call), NULL);
	tenon_call_set_data(call, text, NULL);
	assert_ptr_equal(tenon_call_data(call), text);
	tenon_call_set_data(call, data, NULL); /* what it had goes */
	assert_true(tenon_call_bytes(call, "text", &bytes, &size));
	assert_true(tenon_call_double(call, "d", &d));
	assert_true(tenon_call_bool(call, "b", &b));
	sub = tenon_call_json(call, "sub");
	(void)snprintf(text, sizeof(text), "%zu %.2f %d%d %s", size, d, b, c, sub);
	tenon_call_reply_text(call, text);
}

static void test_arguments(void **state)
{
	struct test_peer *t = *state;

	add_tool(t, "read_all", read_all);
	(void)test_modern(
		t, "1", "tools/call",
		"\"name\":\"read_all\",\"arguments\":{\"text\":\"a\\u0001b\",\"d\":0.25,\"b\":"
		"true,\"sub\":{\"x\":[1.50]}}",
		NULL, NULL);
	test_expect_complete(
		t, "1",
		"\"content\":[{\"type\":\"text\",\"text\":\"3 0.25 10 {\\\"x\\\":[1.50]}\"}]");
}

/* Everything that can be added, in the contents of a resource. */
static void read_mixture(struct tenon_call *call, void *data)
{
	(void)data;
	assert_string_equal(tenon_call_uri(call), "test://mixture");
	tenon_call_add_text(call, "a", TENON_TEXT);
	tenon_call_add_resource_text(call, NULL, NULL, "b", TENON_TEXT);
	tenon_call_add_image(call, "image/png", "c", 1);
	tenon_call_add_audio(call, "audio/wav", "d", 1);
	tenon_call_finish(call);
}

static void test_contents(void **state) /* MCP-232: the type is told when it is known */
{
	const struct tenon_resource resource = {.uri = "test://mixture",
						.name = "mixture",
						.mime_type = "text/x-mixed",
						.size_bytes = -1,
						.read = read_mixture};
	struct test_peer *t = *state;
	struct tenon_error err;

	assert_int_equal(tenon_server_add_resource(t->server, &resource, &err), TENON_OK);
	(void)test_modern(t, "1", "resources/read", "\"uri\":\"test://mixture\"", NULL, NULL);
	test_expect_complete(
		t, "1",
		"\"contents\":[{\"uri\":\"test://mixture\",\"mimeType\":\"text/x-mixed\",\"text\":"
		"\"a\"},{\"uri\":\"test://mixture\",\"mimeType\":\"text/x-mixed\",\"text\":\"b\"},{"
		"\"uri\":\"test://mixture\",\"mimeType\":\"image/png\",\"blob\":\"Yw==\"},{\"uri\":"
		"\"test://mixture\",\"mimeType\":\"audio/wav\",\"blob\":\"ZA==\"}],\"ttlMs\":0,"
		"\"cacheScope\":\"private\"");
}

static void answer_yes_no(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(
		call, "k", "?",
		"{\"type\":\"object\",\"properties\":{\"yes\":{\"type\":\"boolean\"}}}");
	const struct tenon_answer *roots = tenon_call_roots(call, "roots");
	bool yes = false;

	(void)data;
	if (!answer || !roots)
		return;
	assert_int_equal(tenon_answer_action(roots), TENON_DISMISSED); /* it has none */
	assert_false(tenon_answer_bool(roots, "yes", &yes));
	assert_true(tenon_answer_bool(answer, "yes", &yes));
	tenon_call_reply_text(call, yes ? "yes" : "no");
}

static void test_answers(void **state)
{
	struct test_peer *t = *state;

	add_tool(t, "yes_no", answer_yes_no);
	(void)test_modern(t, "1", "tools/call",
			  "\"name\":\"yes_no\",\"inputResponses\":{\"k\":{\"action\":\"accept\","
			  "\"content\":{\"yes\":true}},\"roots\":{\"roots\":[]}}",
			  "{\"elicitation\":{},\"roots\":{}}", NULL);
	test_expect_complete(t, "1", "\"content\":[{\"type\":\"text\",\"text\":\"yes\"}]");
}

static void test_completion_limits(void **state) /* MCP-185 */
{
	struct test_peer *t = *state;
	char name[TN_NAME_BYTES_MAX + 2], params[1024];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(
		params, sizeof(params),
		"\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":"
		"\"%s\",\"value\":\"\"}",
		name);
	(void)test_modern(t, "1", "completion/complete", params, NULL, NULL);
	test_expect_error(t, "1", -32602, "argument: longer than 256");
}

static void refuse_as(struct tenon_call *call, void *data)
{
	int64_t code = 0;

	(void)data;
	(void)tenon_call_int(call, "code", &code);
	tenon_call_refuse(call, (int)code, "no", NULL);
}

static void test_legacy_codes(void **state) /* MCP-029 */
{
	struct test_peer *t = *state;

	add_tool(t, "refuse_as", refuse_as);
	(void)test_modern(t, "1", "tools/call",
			  "\"name\":\"refuse_as\",\"arguments\":{\"code\":-32002}", NULL, NULL);
	test_expect_error(t, "1", -32602, "no");
	(void)test_modern(t, "2", "tools/call",
			  "\"name\":\"refuse_as\",\"arguments\":{\"code\":-32042}", NULL, NULL);
	test_expect_error(t, "2", -32602, "no");
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"refuse_as\",\"arguments\":{\"code\":-32042}}}");
	test_expect_error(t, "3", -32042, "no");
}

/* ---- the server ---- */

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish(call);
}

static void test_whole_app(void **state)
{
	static const struct tenon_resource resource = {
		.uri = "app:r", .name = "r", .size_bytes = -1, .read = nothing};
	static const struct tenon_resource_template pattern = {
		.uri_template = "app:{x}", .name = "t", .read = nothing};
	static const struct tenon_prompt prompt = {.name = "app_prompt", .get = nothing};
	static const struct tenon_resource *const resources[] = {&resource, NULL};
	static const struct tenon_resource_template *const patterns[] = {&pattern, NULL};
	static const struct tenon_prompt *const prompts[] = {&prompt, NULL};
	static const struct tenon_app app = {
		.name = "whole", .resources = resources, .templates = patterns, .prompts = prompts};
	struct test_peer *t = *state;
	struct tenon_error err;

	assert_int_equal(tenon_server_add_app(t->server, &app, &err), TENON_OK);
	(void)test_modern(t, "1", "resources/read", "\"uri\":\"app:r\"", NULL, NULL);
	test_expect_complete(t, "1", "\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"");
	(void)test_modern(t, "2", "resources/read", "\"uri\":\"app:other\"", NULL, NULL);
	test_expect_complete(t, "2", "\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"");
	(void)test_modern(t, "3", "prompts/get", "\"name\":\"app_prompt\"", NULL, NULL);
	test_expect_complete(t, "3", "\"messages\":[]");
	assert_int_equal(tenon_server_add_app(t->server, &app, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "\"app:r\" exists already"));
}

static void note_stop(void *data)
{
	struct test_peer *t = data;

	t->worked++;
	tn_loop_stop(t->server->loop);
}

static void test_stop(void **state)
{
	struct test_peer *t = *state;

	tenon_server_stop(t->server); /* nobody serves: nothing happens */
	test_run(t, 1);
	t->server->on_stop = note_stop;
	t->server->on_stop_data = t;
	tenon_server_stop(t->server);
	tn_loop_run(t->server->loop);
	assert_int_equal(t->worked, 1);
	t->server->on_stop = NULL;
}

static void test_full_list(void **state)
{
	struct test_peer *t = *state;
	struct tn_list *list = &t->server->registry.lists[TN_ITEM_PROMPT];
	const struct tenon_prompt prompt = {.name = "one_more", .get = nothing};
	struct tenon_error err;
	size_t count = list->count;

	list->count = 100000; /* as if it were full */
	assert_int_equal(tenon_server_add_prompt(t->server, &prompt, &err), TENON_LIMIT);
	list->count = count;
	assert_non_null(strstr(err.message, "more than 100000 prompts"));
}

static void say_long(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "longer than that");
}

/* An idle server gives back what it kept for its clients. */
static void test_long_texts_go(void **state) /* MCP-231 */
{
	const struct tenon_tool tool = {.name = "long", .text_max_bytes = 2, .call = say_long};
	struct test_peer *t = *state;

	test_add_tools(t, &tool, 1);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"long\"", NULL, NULL);
	assert_non_null(test_next(t));
	assert_int_equal(t->server->long_text_count, 1);
	tn_timer_start(t->server->long_text_timer, 0);
	test_run(t, 2);
	assert_int_equal(t->server->long_text_count, 1); /* not yet */
	test_turn_clock(t, TN_LONG_TEXT_MS);
	tn_timer_start(t->server->long_text_timer, 0);
	test_run(t, 2);
	assert_int_equal(t->server->long_text_count, 0);
	assert_int_equal(t->server->long_text_bytes, 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_ids_of_ours),
		CASE(test_error_messages),
		CASE(test_foreign_codes),
		CASE(test_too_many_members),
		CASE(test_same_lists),
		CASE(test_client_info),
		CASE(test_no_cancelled_in_modern),
		CASE(test_one_era_only),
		CASE(test_unanswered),
		CASE(test_many_questions),
		CASE(test_state_too_large),
		CASE(test_answered_again),
		CASE(test_arguments),
		CASE(test_contents),
		CASE(test_answers),
		CASE(test_completion_limits),
		CASE(test_whole_app),
		CASE(test_stop),
		CASE(test_full_list),
		CASE(test_legacy_codes),
		CASE(test_long_texts_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
