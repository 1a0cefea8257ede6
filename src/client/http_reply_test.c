/* What the carriers' own tests do not reach; the sentences are tested there. */
#include "client/http_reply.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "client/limits.h"

static bool is_response(const char *json)
{
	return tn_http_reply_is_response(tn_str_from(json));
}

static void responses_are_told_from_calls(void **state)
{
	(void)state;
	assert_true(is_response("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"method\":\"x\"}}"));
	assert_true(is_response(" {\"error\":{\"code\":1,\"message\":\"\"},\"id\":null} "));
	assert_true(is_response("{\"\\u0072esult\":{}}"));
	assert_false(is_response("{\"method\":\"x\",\"params\":{\"result\":1}}"));
	assert_false(is_response("{\"id\":1,\"\\u006dethod\":\"x\",\"result\":{}}"));
	assert_false(is_response("{\"params\":{\"result\":1}}"));
	assert_false(is_response("{\"result\":{}"));
	assert_false(is_response("{\"result\":{}} x"));
	assert_false(is_response("[{\"result\":{}}]"));
	assert_false(is_response("\"result\""));
	assert_false(is_response("<html>"));
	assert_false(is_response(""));
}

static enum tn_http_content content(const char *lines)
{
	const struct tn_http_head head = {.status = 200, .lines = tn_str_from(lines)};

	return tn_http_reply_content(&head);
}

/* MCP-113: names without case; and a type's parameters say nothing. */
static void types_are_compared_without_case(void **state)
{
	(void)state;
	assert_int_equal(content("A: b\r\ncontent-TYPE:\tApplication/JSON ; charset=utf-8\r\n"),
			 TN_HTTP_CONTENT_JSON);
	assert_int_equal(content("Content-Type: text/event-stream\r\n"), TN_HTTP_CONTENT_EVENTS);
	assert_int_equal(content("Content-Type: text/event-streams\r\n"), TN_HTTP_CONTENT_OTHER);
	assert_int_equal(content("Content-Types: application/json\r\nnothing\r\n"),
			 TN_HTTP_CONTENT_OTHER);
	assert_int_equal(content(""), TN_HTTP_CONTENT_OTHER);
}

static bool session(const char *lines, struct tn_str *ret)
{
	const struct tn_http_head head = {.status = 200, .lines = tn_str_from(lines)};

	return tn_http_reply_session(&head, ret);
}

static void session_ids_are_checked(void **state)
{
	char endless[TN_SESSION_ID_BYTES_MAX + 20] = "mcp-session-id: ";
	struct tn_str id;

	(void)state;
	assert_true(session("mcp-session-id:  !~x \r\n", &id));
	assert_true(tn_str_is(id, "!~x"));
	assert_true(session("X: y\r\n", &id));
	assert_null(id.data);
	assert_true(session("Mcp-Session-Id:\r\n", &id));
	assert_null(id.data);
	assert_false(session("Mcp-Session-Id: a b\r\n", &id));
	assert_false(session("Mcp-Session-Id: \x7f\r\n", &id));
	assert_false(session("Mcp-Session-Id: \xc3\xa4\r\n", &id));
	memset(endless + 16, 'x', TN_SESSION_ID_BYTES_MAX + 1);
	assert_false(session(endless, &id));
	endless[16 + TN_SESSION_ID_BYTES_MAX] = '\0';
	assert_true(session(endless, &id));
}

/* MCP-278: only an address that can be one is shown. */
static void only_an_address_is_shown(void **state)
{
	static const char *const bad[] = {
		"WWW-Authenticate: Bearer resource_metadata=\"https://h/\x1b[31m\"\r\n",
		"WWW-Authenticate: Bearer resource_metadata=\r\n",
		"WWW-Authenticate: Bearer realm=\"x\"\r\n",
		"X-Other: resource_metadata=\"https://h/\"\r\n",
	};
	struct tn_http_head head = {.status = 401};
	struct tn_carrier_end end = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		head.lines = tn_str_from(bad[i]);
		tn_http_reply_judge(&head, false, &end);
		assert_string_equal(end.err.message,
				    "the server wants authorization (401): give a token");
	}
	head.lines = TN_STR("www-authenticate: Bearer resource_metadata=https://h/x, a=b\r\n");
	tn_http_reply_judge(&head, false, &end);
	assert_string_equal(end.err.message,
			    "the server wants authorization (401); how is said at https://h/x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(responses_are_told_from_calls),
		cmocka_unit_test(types_are_compared_without_case),
		cmocka_unit_test(session_ids_are_checked),
		cmocka_unit_test(only_an_address_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
