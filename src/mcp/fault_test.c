/* The errors of shared machinery: one shape, wherever they come up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "mcp/fault.h"
#include "mcp/test_fixtures.h"

#define FAULT "{\"error\":\"HANDLE_EXPIRED\",\"message\":\"gone: <7>\",\"retryable\":false}"
#define FAULT_TEXT                                                         \
	"{\\\"error\\\":\\\"HANDLE_EXPIRED\\\",\\\"message\\\":\\\"gone: " \
	"<7>\\\",\\\"retryable\\\":false}"

static void expire(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "half a result", TENON_TEXT);
	tn_call_fail_code(call, "HANDLE_EXPIRED", false, "gone: <%d>", 7);
}

static void expire_at_length(struct tenon_call *call, void *data)
{
	char text[4096];

	(void)data;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	tn_call_fail_code(call, "HANDLE_EXPIRED", true, "%s", text);
}

static int setup(void **state)
{
	static const struct tenon_tool tools[] = {
		{.name = "fail",
		 .call = expire,
		 .output_schema = "{\"type\":\"object\",\"required\":[\"value\"]}"},
		{.name = "fail_at_length", .call = expire_at_length},
	};
	static const struct tenon_resource resource = {
		.uri = "test://fail", .name = "fail", .read = expire, .size_bytes = -1};
	static const struct tenon_prompt prompt = {.name = "fail", .get = expire};
	struct tenon_error err;
	struct test_peer *t;

	if (test_peer_setup(state) != 0)
		return -1;
	t = *state;
	test_add_tools(t, tools, 2);
	assert_int_equal(tenon_server_add_resource(t->server, &resource, &err), TENON_OK);
	assert_int_equal(tenon_server_add_prompt(t->server, &prompt, &err), TENON_OK);
	return 0;
}

static void test_tool(void **state)
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"fail\"}}");
	test_expect(t,
		    "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"gone: <7>\"},"
		    "{\"type\":\"text\",\"text\":\"error HANDLE_EXPIRED\",\"annotations\":{"
		    "\"audience\":[\"assistant\"]}}],\"structuredContent\":" FAULT
		    ",\"isError\":true}}");
}

static void test_older_client_reads_it_as_text(void **state) /* MCP-026 */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-03-26", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"fail\"}}");
	test_expect(t,
		    "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" FAULT_TEXT
		    "\"}],\"isError\":true}}");
}

static void test_other_methods(void **state)
{
	static const char *const requests[] = {
		"\"resources/read\",\"params\":{\"uri\":\"test://fail\"}",
		"\"prompts/get\",\"params\":{\"name\":\"fail\"}"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < 2; i++) {
		(void)test_sendf(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%s}", requests[i]);
		test_expect(t, "{\"id\":1,\"error\":{\"code\":-32603,\"message\":\"gone: <7>\","
			       "\"data\":" FAULT "}}");
	}
}

static void test_long_words_are_cut(void **state)
{
	struct test_peer *t = *state;
	char message[2048];

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"fail_at_length\"}}");
	test_expect(t, "{\"id\":1,\"result\":{\"structuredContent\":{\"error\":\"HANDLE_EXPIRED\","
		       "\"message\":\"<string>\",\"retryable\":true},\"isError\":true,\"...\":0}}");
	test_member(t, "result/structuredContent/message", message, sizeof(message));
	assert_int_equal(strlen(message), 1023);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tool, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_older_client_reads_it_as_text, setup,
						test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_other_methods, setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_long_words_are_cut, setup, test_peer_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
