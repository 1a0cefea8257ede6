#include "client/http_target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/limits.h"
#include "transport/limits.h"

static void refuse(struct tn_url_target from, const char *message)
{
	struct tn_http_target target;
	struct tenon_error err = {0};

	assert_int_equal(tn_http_target_init(&target, &from, &err), TENON_INVALID);
	assert_string_equal(err.message, message);
	tn_http_target_finish(&target);
}

static void urls_are_plain(void **state)
{
	static const char sentence[] =
		"the URL is not a plain http:// or https:// one; send http://host:port/path, "
		"without a user name";
	char endless[TN_URI_BYTES_MAX + 2] = "http://h/";

	(void)state;
	refuse((struct tn_url_target){.url = "ws://h/"}, sentence);
	refuse((struct tn_url_target){.url = "WSS://h/"}, sentence);
	refuse((struct tn_url_target){.url = "http://user:word@h/"}, sentence);
	refuse((struct tn_url_target){.url = "http://h/\r\nX: 1"}, sentence);
	refuse((struct tn_url_target){.url = "unix:/x"}, sentence);
	refuse((struct tn_url_target){0}, sentence);
	memset(endless + 9, 'x', sizeof(endless) - 10);
	refuse((struct tn_url_target){.url = endless}, "the URL is longer than 65536 bytes");
}

static void tokens_are_visible_ascii(void **state)
{
	static const char sentence[] =
		"the token is empty, too long, or not of visible ASCII characters";
	static const char *const bad[] = {"", "a b", "a\nX: 1", "\x7f", "\xc3\xa4"};
	char endless[TN_HTTP_HEADER_MAX + 1] = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		refuse((struct tn_url_target){.url = "http://h/", .token = bad[i]}, sentence);
	memset(endless, 'x', sizeof(endless) - 1);
	refuse((struct tn_url_target){.url = "http://h/", .token = endless}, sentence);
}

static void refuse_header(const char *header, const char *token, const char *message)
{
	const char *const headers[] = {header, NULL};

	refuse((struct tn_url_target){.url = "http://h/", .headers = headers, .token = token},
	       message);
}

static void headers_are_checked(void **state)
{
	static const char characters[] =
		"a header has characters that none may have; it was not sent";
	char endless[TN_HTTP_HEADER_MAX + 10] = "X: ";

	(void)state;
	refuse_header("X", NULL, "a header is written \"Name: value\"");
	refuse_header(": x", NULL, characters);
	refuse_header("X Y: x", NULL, characters);
	refuse_header("X: a\r\nY: b", NULL, characters);
	refuse_header("X\xc3\xa4: b", NULL, characters);
	refuse_header("host: evil", NULL, "the header host is not yours to set");
	refuse_header("Mcp-Session-Id: s", NULL, "the header Mcp-Session-Id is not yours to set");
	refuse_header("transfer-encoding: chunked", NULL,
		      "the header transfer-encoding is not yours to set");
	refuse_header("Authorization: Basic x", "token",
		      "there are a token and an Authorization header; give one of them");
	memset(endless + 3, 'x', sizeof(endless) - 4);
	refuse_header(endless, NULL, "a header is longer than 16384 bytes");
}

static bool has_line(const char *const *lines, size_t count, const char *line)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(lines[i], line) == 0)
			return true;
	}
	return false;
}

static void good_lines_are_kept(void **state)
{
	static const char *const headers[] = {"X-A:  b  ", "X-Empty:", "Authorization: Basic x",
					      NULL};
	struct tn_url_target from = {.url = "https://H.example:8443/mcp", .headers = headers};
	struct tn_http_target target;
	struct tn_http_lines lines;
	struct tenon_error err = {0};

	(void)state;
	assert_int_equal(tn_http_target_init(&target, &from, &err), TENON_OK);
	assert_false(target.direct);
	assert_true(has_line(target.lines, target.line_count, "X-A: b"));
	assert_true(has_line(target.lines, target.line_count, "X-Empty;"));
	assert_true(has_line(target.lines, target.line_count, "Authorization: Basic x"));
	tn_http_lines_init(&lines, &target, 2, &target.arena);
	tn_http_lines_add(&lines, TN_STR("One"), TN_STR("1"));
	assert_int_equal(lines.count, target.line_count + 1);
	assert_null(lines.lines[lines.count]);
	assert_false(lines.failed);
	tn_http_lines_add(&lines, TN_STR("Two"), TN_STR("2\n3"));
	assert_true(lines.failed);
	tn_http_target_finish(&target);
}

static bool resolves(const char *base, const char *reference, const char *expected)
{
	struct tn_url_target from = {.url = "http://127.0.0.1:80/mcp"};
	struct tn_http_target target;
	const char *url;
	bool ret;

	assert_int_equal(tn_http_target_init(&target, &from, NULL), TENON_OK);
	assert_true(target.direct);
	url = tn_http_target_resolve(&target, base, tn_str_from(reference), &target.arena);
	ret = url && expected ? strcmp(url, expected) == 0 : url == expected;
	tn_http_target_finish(&target);
	return ret;
}

static void only_our_origin_is_resolved(void **state)
{
	static const char base[] = "http://127.0.0.1/a/sse";

	(void)state;
	assert_true(resolves(base, "/m", "http://127.0.0.1/m"));
	assert_true(resolves(base, " m?s=1 ", "http://127.0.0.1/a/m?s=1"));
	assert_true(resolves(base, "HTTP://127.0.0.1:80/m", "HTTP://127.0.0.1:80/m"));
	assert_true(resolves(base, "http://localhost/m", NULL));
	assert_true(resolves(base, "http://127.0.0.1:81/m", NULL));
	assert_true(resolves(base, "https://127.0.0.1/m", NULL));
	assert_true(resolves(base, "//127.0.0.1.example/m", NULL));
	assert_true(resolves(base, "", NULL));
	assert_true(resolves("nonsense", "/m", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urls_are_plain),
		cmocka_unit_test(tokens_are_visible_ascii),
		cmocka_unit_test(headers_are_checked),
		cmocka_unit_test(good_lines_are_kept),
		cmocka_unit_test(only_our_origin_is_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
