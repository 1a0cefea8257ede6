/* Heads on their way through the gateway (workbench.md S16, S17). */
#include "gateway/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const struct tn_route route = {.upstream_host = {"localhost:5173", 14},
				      .upstream_origin = {"http://localhost:5173", 21},
				      .own_origin = {"http://127.0.0.1:40001", 22},
				      .channel = {"ws://127.0.0.1:40001", 20}};

static void assert_request(const char *text, bool upgrade, const char *want)
{
	struct tn_http_parser parser;
	struct tn_http_limits limits;
	struct tn_buf out;

	tn_http_limits_default(&limits);
	tn_http_parser_init(&parser, &limits);
	assert_int_equal(tn_http_parse_head(&parser, text, strlen(text)), TN_HTTP_READY);
	tn_buf_init(&out, TN_MIB);
	tn_request_put(&out, &parser, text, &route, upgrade);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, want);
	tn_buf_finish(&out);
}

static void a_request_speaks_to_the_upstream_by_its_own_name(void **none)
{
	(void)none;
	assert_request("GET /a%20b?c=d HTTP/1.1\r\nHost: 127.0.0.1:40001\r\nOrigin: "
		       "http://127.0.0.1:40001\r\nAccept-Encoding: gzip\r\nConnection: keep-alive, "
		       "X-Mine\r\nX-Mine: 1\r\nCookie: a=b\r\n\r\n",
		       false,
		       "GET /a%20b?c=d HTTP/1.1\r\nHost: localhost:5173\r\nOrigin: "
		       "http://localhost:5173\r\nCookie: a=b\r\nAccept-Encoding: identity\r\n"
		       "Connection: close\r\n\r\n");
	assert_request(
		"GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
		"Sec-WebSocket-Key: k\r\n\r\n",
		true,
		"GET /ws HTTP/1.1\r\nHost: localhost:5173\r\nSec-WebSocket-Key: k\r\n"
		"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
	/* Naming what frames the body must not make it a body without frame. */
	assert_request("POST / HTTP/1.1\r\nHost: a\r\nConnection: Content-Length\r\n"
		       "Content-Length: 3\r\n\r\n",
		       false,
		       "POST / HTTP/1.1\r\nHost: localhost:5173\r\nContent-Length: 3\r\n"
		       "Accept-Encoding: identity\r\nConnection: close\r\n\r\n");
}

static void assert_answer(const char *text, const char *want)
{
	struct tn_answer answer;
	struct tn_buf out;

	assert_int_equal(tn_answer_read(tn_str_from(text), false, &answer), TN_ANSWER_READY);
	tn_buf_init(&out, TN_MIB);
	tn_answer_put(
		&out, &answer, &route,
		&(struct tn_answer_form){.inject = answer.is_page, .chunked = true, .nonce = "N"});
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, want);
	tn_buf_finish(&out);
}

static void a_page_loses_what_would_not_hold_any_more(void **none)
{
	(void)none;
	assert_answer("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
		      "Content-Length: 10\r\nETag: \"a\"\r\nX-Frame-Options: DENY\r\n"
		      "Content-Security-Policy: script-src 'self'; frame-ancestors 'none'\r\n"
		      "Keep-Alive: timeout=5\r\n\r\n",
		      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
		      "Content-Security-Policy: script-src 'self' 'nonce-N'\r\n"
		      "Cache-Control: no-store\r\nTransfer-Encoding: chunked\r\n"
		      "Connection: close\r\n\r\n");
}

static void other_answers_pass_untouched(void **none)
{
	(void)none;
	assert_answer("HTTP/1.0 404 Not Found\r\nContent-Type: text/javascript\r\n"
		      "Content-Length: 3\r\nETag: \"a\"\r\n\r\n",
		      "HTTP/1.1 404 Not Found\r\nContent-Type: text/javascript\r\n"
		      "Content-Length: 3\r\nETag: \"a\"\r\nConnection: close\r\n\r\n");
	/* Compressed all the same: nothing can be put into it. */
	assert_answer("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
		      "Content-Length: 3\r\n\r\n",
		      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
		      "Content-Length: 3\r\nConnection: close\r\n\r\n");
}

static void a_part_of_a_page_and_what_is_encoded_are_no_pages(void **none)
{
	static const char *const others[] = {
		"HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n"
		"Content-Range: bytes 5-9/20\r\nContent-Length: 5\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
		"Content-Encoding: identity\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=Utf-16LE\r\n\r\n",
	};
	struct tn_answer answer;

	(void)none;
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		assert_int_equal(tn_answer_read(tn_str_from(others[i]), false, &answer),
				 TN_ANSWER_READY);
		if (answer.is_page)
			fail_msg("is a page: %s", others[i]);
	}
}

/* S17. */
static void redirects_to_the_upstream_lead_to_the_gateway(void **none)
{
	(void)none;
	assert_answer("HTTP/1.1 302 Found\r\nLocation: http://LOCALHOST:5173/a?b#c\r\n"
		      "Content-Length: 0\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:40001/a?b#c\r\n"
		      "Content-Length: 0\r\nConnection: close\r\n\r\n");
	assert_answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:5173/a\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:40001/a\r\n"
		      "Connection: close\r\n\r\n");
	assert_answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:7777/mcp\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:7777/mcp\r\n"
		      "Connection: close\r\n\r\n");
	assert_answer("HTTP/1.1 302 Found\r\nLocation: //localhost:5173/a\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:40001/a\r\n"
		      "Connection: close\r\n\r\n");
	assert_answer("HTTP/1.1 302 Found\r\nLocation: //example.org/a\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: http://example.org/a\r\n"
		      "Connection: close\r\n\r\n");
	assert_answer("HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n",
		      "HTTP/1.1 302 Found\r\nLocation: /a\r\nConnection: close\r\n\r\n");
}

/* The browser knows the gateway by another name than the server's. */
static void cookies_of_the_servers_name_are_the_gateways(void **none)
{
	(void)none;
	assert_answer("HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Domain=.LocalHost; Secure\r\n"
		      "Set-Cookie: Domain=localhost; Path=/; domain = localhost\r\n"
		      "Set-Cookie: c=2;Domain=example.org;HttpOnly\r\n"
		      "Set-Cookie:\r\n\r\n",
		      "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Secure\r\n"
		      "Set-Cookie: Domain=localhost; Path=/\r\n"
		      "Set-Cookie: c=2;Domain=example.org;HttpOnly\r\n"
		      "Set-Cookie: \r\nConnection: close\r\n\r\n");
}

static void answers_that_can_be_read_in_two_ways_are_none(void **none)
{
	static const char *const bad[] = {
		"HTTP/2 200 OK\r\n\r\n",
		"hello\r\n\r\n",
		"HTTP/1.1 20 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
		"HTTP/1.1 200 OK\r\nA B: c\r\n\r\n",
		"HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n",
		"HTTP/1.1 200 OK\nA: b\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
	};
	struct tn_answer answer;

	(void)none;
	for (size_t i = 0; i < TN_COUNT(bad); i++)
		if (tn_answer_read(tn_str_from(bad[i]), false, &answer) != TN_ANSWER_FAULT)
			fail_msg("was taken: %s", bad[i]);
	assert_int_equal(tn_answer_read(TN_STR("HTTP/1.1 200 OK\r\n"), false, &answer),
			 TN_ANSWER_MORE);
}

static void bodies_are_where_the_head_says(void **none)
{
	struct tn_answer answer;

	(void)none;
	(void)tn_answer_read(TN_STR("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"), true, &answer);
	assert_int_equal(answer.body, TN_BODY_NONE);
	(void)tn_answer_read(TN_STR("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n"),
			     false, &answer);
	assert_int_equal(answer.body, TN_BODY_NONE);
	(void)tn_answer_read(TN_STR("HTTP/1.1 200 OK\r\n\r\n"), false, &answer);
	assert_int_equal(answer.body, TN_BODY_UNTIL_CLOSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_speaks_to_the_upstream_by_its_own_name),
		cmocka_unit_test(a_page_loses_what_would_not_hold_any_more),
		cmocka_unit_test(other_answers_pass_untouched),
		cmocka_unit_test(a_part_of_a_page_and_what_is_encoded_are_no_pages),
		cmocka_unit_test(redirects_to_the_upstream_lead_to_the_gateway),
		cmocka_unit_test(cookies_of_the_servers_name_are_the_gateways),
		cmocka_unit_test(answers_that_can_be_read_in_two_ways_are_none),
		cmocka_unit_test(bodies_are_where_the_head_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
