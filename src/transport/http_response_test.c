#include "transport/http_response.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "transport/sse.h"

static void test_dates(void **state)
{
	static const struct {
		int64_t wall_ms;
		const char *text;
	} rows[] = {
		{0, "Thu, 01 Jan 1970 00:00:00 GMT"},
		{784111777000, "Sun, 06 Nov 1994 08:49:37 GMT"}, /* RFC 9110 section 5.6.7 */
		{951782400999, "Tue, 29 Feb 2000 00:00:00 GMT"},
		{1798761599000, "Thu, 31 Dec 2026 23:59:59 GMT"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		char text[TN_HTTP_DATE_SIZE];

		tn_http_format_date(rows[i].wall_ms, text);
		assert_string_equal(text, rows[i].text);
	}
}

static void test_head(void **state)
{
	const struct tn_http_header headers[] = {{TN_STR("Allow"), TN_STR("POST, GET")},
						 {TN_STR("X-A"), TN_STR("a\r\nX-B: b")}};
	const struct tn_http_reply reply = {
		.status = 405, .type = TN_STR("text/plain"), .headers = headers, .header_count = 2};
	struct tn_http_head head = {.reply = &reply,
				    .framing = TN_HTTP_LENGTH,
				    .length = 12,
				    .close = true,
				    .date = "Thu, 01 Jan 1970 00:00:00 GMT"};
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_KIB);
	tn_http_put_head(&out, &head);
	assert_true(tn_str_is(tn_buf_str(&out), "HTTP/1.1 405 Method Not Allowed\r\n"
						"Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
						"Content-Type: text/plain\r\n"
						"Allow: POST, GET\r\n"
						/* A value cannot begin a header of its own. */
						"X-A: a  X-B: b\r\n"
						"Connection: close\r\n"
						"Content-Length: 12\r\n\r\n"));
	tn_buf_clear(&out);
	head = (struct tn_http_head){.reply = &(struct tn_http_reply){.status = 101},
				     .framing = TN_HTTP_UPGRADE,
				     .lines = TN_STR("Vary: Origin\r\n"),
				     .date = "Thu, 01 Jan 1970 00:00:00 GMT"};
	tn_http_put_head(&out, &head);
	assert_true(tn_str_is(tn_buf_str(&out), "HTTP/1.1 101 Switching Protocols\r\n"
						"Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
						"Vary: Origin\r\n"
						"Connection: Upgrade\r\n\r\n"));
	tn_buf_finish(&out);
}

static void test_reasons(void **state)
{
	(void)state;
	assert_string_equal(tn_http_reason(431), "Request Header Fields Too Large");
	assert_string_equal(tn_http_reason(299), "Status");
}

static void test_event_prefixes(void **state)
{
	const struct tn_str data = TN_STR("{}");
	const struct tn_http_event full = {
		.id = TN_STR("1"), .name = TN_STR("message"), .data = &data, .data_count = 1};
	const struct tn_http_event forged = {.id = TN_STR("1\ndata: x"), .name = TN_STR("a\rb")};
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_KIB);
	tn_sse_put_prefix(&out, &full);
	assert_true(tn_str_is(tn_buf_str(&out), "id: 1\nevent: message\ndata: "));
	tn_buf_clear(&out);
	tn_sse_put_prefix(&out, &forged);
	assert_true(tn_str_is(tn_buf_str(&out), "id: 1 data: x\nevent: a b\ndata:"));
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_event_prefixes),
	};

	return cmocka_run_group_tests_name("http_response", tests, NULL, NULL);
}
