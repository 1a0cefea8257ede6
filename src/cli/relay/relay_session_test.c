/* What is remembered for the next daemon, and what is answered in the place of the last one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cli/relay/relay_session.h"
#include "cli/limits.h"

static struct tn_relay_session session;
static struct tn_relay_calls calls;
static struct tn_relay_scan scan;
static struct tn_arena arena;
static struct tn_buf said; /* a line each */

static int set_up(void **state)
{
	(void)state;
	tn_relay_session_init(&session);
	tn_relay_calls_init(&calls);
	tn_relay_scan_init(&scan);
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&said, TN_MIB);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_relay_session_finish(&session);
	tn_relay_calls_finish(&calls);
	tn_relay_scan_finish(&scan);
	tn_arena_finish(&arena);
	tn_buf_finish(&said);
	return 0;
}

static void say(void *data, struct tn_str json)
{
	tn_buf_append_str(data, json);
	tn_buf_append_byte(data, '\n');
}

static void assert_said(const char *expected)
{
	tn_buf_append_byte(&said, '\0');
	assert_string_equal(said.data, expected);
	tn_buf_clear(&said);
}

/* A request of the host's. */
static struct tn_relay_call *ask(const char *text)
{
	struct tn_relay_message message;
	enum tn_relay_call_kind kind;
	struct tn_str extra;

	assert_true(tn_relay_scan_begin(&scan, tn_str_from(text)));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
	kind = tn_relay_call_kind_of(&message, tn_str_from(text), &arena, &extra);
	return tn_relay_calls_add(&calls, &message, kind, extra);
}

static void settle(const char *text, const char *answer)
{
	struct tn_relay_call *call = ask(text);

	assert_non_null(call);
	tn_relay_session_note(&session, call, tn_str_from(answer));
	tn_relay_calls_remove(&calls, call);
}

#define INITIALIZE                                                                     \
	"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"x\":1," \
	"\"protocolVersion\":\"2025-06-18\"}}"
#define AGREED                                                                             \
	"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\","    \
	"\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":" \
	"true,\"listChanged\":false},\"prompts\":{\"listChanged\":true}}}}"

static void test_replay(void **state)
{
	(void)state;
	settle(INITIALIZE, AGREED);
	assert_int_equal(session.revision, TN_R3);
	session.initialized = true;
	settle("{\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"error\"}}", "{}");
	settle("{\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"a\\u0062\"}}",
	       "{}");
	settle("{\"id\":3,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"gone\"}}", "{}");
	settle("{\"id\":4,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"gone\"}}",
	       "{}");
	settle("{\"id\":5,\"method\":\"resources/subscribe\",\"params\":{\"uri\":7}}", "{}");

	tn_relay_session_replay(&session, say, &said);
	assert_said("{\"jsonrpc\":\"2.0\",\"id\":\"tenon-relay-1\",\"method\":\"initialize\","
		    "\"params\":{\"x\":1,\"protocolVersion\":\"2025-06-18\"}}\n");
	tn_relay_session_restore(&session, say, &said);
	assert_said("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
		    "{\"jsonrpc\":\"2.0\",\"id\":\"tenon-relay-2\",\"method\":\"logging/setLevel\","
		    "\"params\":{\"level\":\"error\"}}\n"
		    "{\"jsonrpc\":\"2.0\",\"id\":\"tenon-relay-3\",\"method\":"
		    "\"resources/subscribe\",\"params\":{\"uri\":\"ab\"}}\n");
	tn_relay_session_tell(&session, say, &said); /* ST-015 */
	assert_said(
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}\n"
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":"
		"{\"uri\":\"ab\"}}\n");
	assert_true(tn_relay_session_is_own(TN_STR("\"tenon-relay-3")));
	assert_false(tn_relay_session_is_own(TN_STR("tenon-relay-3")));
	assert_false(tn_relay_session_is_own(TN_STR("3")));
}

/* The new daemon may not speak another revision behind the host's back. */
static void test_agreement(void **state)
{
	struct tenon_error err;

	(void)state;
	settle(INITIALIZE, AGREED);
	assert_true(tn_relay_session_agrees(&session, TN_STR(AGREED), &err));
	assert_false(tn_relay_session_agrees(
		&session, TN_STR("{\"result\":{\"protocolVersion\":\"2025-11-25\"}}"), &err));
	assert_non_null(strstr(err.message, "speaks 2025-11-25"));
	assert_non_null(strstr(err.message, "began with 2025-06-18"));
	assert_false(
		tn_relay_session_agrees(&session, TN_STR("{\"error\":{\"code\":-32600}}"), &err));
	assert_non_null(strstr(err.message, "does not take this conversation"));
}

static void test_listeners(void **state)
{
	struct tn_relay_call *call = ask(
		"{\"id\":\"L\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":"
		"{\"toolsListChanged\":true}}}");

	(void)state;
	assert_int_equal(calls.listening, 1);
	assert_int_equal(call->kind, TN_RELAY_CALL_LISTEN);
	assert_false(tn_relay_session_tell_listener(
		call,
		TN_STR("{\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"
		       "\"M\"},\"notifications\":{\"toolsListChanged\":true}}}"),
		say, &said));
	assert_said("");
	assert_true(tn_relay_session_tell_listener(
		call,
		TN_STR("{\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"
		       "\"L\"},\"notifications\":{\"toolsListChanged\":true,"
		       "\"promptsListChanged\":false,\"resourceSubscriptions\":[\"u\"]}}}"),
		say, &said));
	assert_said("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\","
		    "\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"}}}\n"
		    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
		    "\"params\":{\"uri\":\"u\",\"_meta\":{"
		    "\"io.modelcontextprotocol/subscriptionId\":\"L\"}}}\n");
	tn_relay_calls_remove(&calls, call);
	assert_int_equal(calls.listening, 0);
	assert_int_equal(calls.kept_bytes, 0);
}

static void test_table(void **state)
{
	struct tn_relay_call *first = ask("{\"id\":1,\"method\":\"a\"}");
	struct tn_relay_call *second = ask("{\"id\":\"1\",\"method\":\"b\"}");

	(void)state;
	assert_non_null(first);
	assert_non_null(second); /* a number and a string are two ids */
	assert_null(ask("{\"id\":\"\\u0031\",\"method\":\"c\"}"));
	assert_ptr_equal(tn_relay_calls_find(&calls, TN_STR("1")), first);
	assert_ptr_equal(tn_relay_calls_find(&calls, TN_STR("\"1")), second);
	assert_int_equal(calls.count, 2);
	tn_relay_calls_remove(&calls, first);
	assert_ptr_equal(calls.first, second);
	assert_ptr_equal(calls.last, second);
	assert_null(tn_relay_calls_find(&calls, TN_STR("1")));
}

/* One kept message too many is passed on and only not kept. */
static void test_kept_limit(void **state)
{
	struct tn_relay_call *call;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 8 * TN_MIB);
	tn_buf_append_text(&text, "{\"id\":1,\"method\":\"initialize\",\"params\":{\"x\":\"");
	while (text.size < TN_RELAY_KEPT_MAX)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append(&text, "\"}}", 4);
	call = ask(text.data);
	assert_non_null(call);
	assert_int_equal(call->extra.size, 0);
	tn_buf_finish(&text);
}

/* ST-013: a tool's error for a tool, in the form its revision knows. */
static void test_answers(void **state)
{
	static const struct tn_relay_fault fault = {.code = "BRIDGE_DISCONNECTED",
						    .message = "It \"broke\"."};
	static const struct tn_relay_fault failed = {
		.code = "SERVER_FAILED", .message = "No.", .final = true};

	(void)state;
	tn_relay_answer(&said, TN_STR("\"a\""), TN_RELAY_CALL_TOOL, TN_R5, &fault);
	assert_said("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"content\":[{\"type\":\"text\","
		    "\"text\":\"{\\\"error\\\":\\\"BRIDGE_DISCONNECTED\\\",\\\"message\\\":\\\"It "
		    "\\\\\\\"broke\\\\\\\".\\\",\\\"retryable\\\":true}\"}],\"structuredContent\":"
		    "{\"error\":\"BRIDGE_DISCONNECTED\",\"message\":\"It \\\"broke\\\".\","
		    "\"retryable\":true},\"isError\":true,\"resultType\":\"complete\"}}");
	tn_relay_answer(&said, TN_STR("1"), TN_RELAY_CALL_TOOL, TN_R2, &failed);
	assert_said("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\","
		    "\"text\":\"{\\\"error\\\":\\\"SERVER_FAILED\\\",\\\"message\\\":\\\"No.\\\","
		    "\\\"retryable\\\":false}\"}],\"isError\":true}}");
	tn_relay_answer(&said, TN_STR("1"), TN_RELAY_CALL_PLAIN, TN_R4, &failed);
	assert_said("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":\"No.\","
		    "\"data\":{\"error\":\"SERVER_FAILED\",\"message\":\"No.\",\"retryable\":"
		    "false}}}");
}

/* A task is answered with a task, or with an error. */
static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(
		ask("{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\"}}")->kind,
		TN_RELAY_CALL_TOOL);
	assert_int_equal(
		ask("{\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"task\":{}}}")
			->kind,
		TN_RELAY_CALL_PLAIN);
	assert_int_equal(ask("{\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"a\","
			     "\"arguments\":{\"task\":1}}}")
				 ->kind,
			 TN_RELAY_CALL_TOOL);
	assert_int_equal(ask("{\"id\":4,\"method\":\"tools/list\"}")->kind, TN_RELAY_CALL_PLAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_replay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_agreement, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_listeners, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_table, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kept_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
