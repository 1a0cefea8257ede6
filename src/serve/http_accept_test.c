/* MCP-110: a missing header and wildcards mean both; only what is named and not refused counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/http_accept.h"

static void test_values(void **state)
{
	static const struct {
		const char *value;
		unsigned expected;
	} cases[] = {
		{"application/json, text/event-stream", TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS},
		{"text/event-stream, application/json",
		 TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS | TN_ACCEPTS_EVENTS_FIRST},
		{"text/event-stream", TN_ACCEPTS_EVENTS | TN_ACCEPTS_EVENTS_FIRST},
		{"application/json", TN_ACCEPTS_JSON},
		{"Application/JSON;charset=utf-8", TN_ACCEPTS_JSON},
		{"*/*", TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS},
		{"text/*", TN_ACCEPTS_EVENTS},
		{"application/*;q=0.5", TN_ACCEPTS_JSON},
		{"application/json;q=0, text/event-stream",
		 TN_ACCEPTS_EVENTS | TN_ACCEPTS_EVENTS_FIRST},
		{"application/json;q=0.000", 0},
		{"application/json;q=0.001", TN_ACCEPTS_JSON},
		{"text/html", 0},
		{"application/jsonx", 0},
		{"", 0},
		{",,", 0},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		assert_int_equal(tn_http_accept_value(0, tn_str_from(cases[i].value)),
				 cases[i].expected);
}

static void test_headers_add_up(void **state)
{
	unsigned first = tn_http_accept_value(0, TN_STR("application/json"));

	(void)state;
	assert_int_equal(tn_http_accept_value(first, TN_STR("text/event-stream")),
			 TN_ACCEPTS_JSON | TN_ACCEPTS_EVENTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_headers_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
