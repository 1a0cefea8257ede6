#include "base/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct tn_url parsed(const char *text)
{
	struct tn_url url = {0};

	assert_true(tn_url_parse(tn_str_from(text), &url));
	return url;
}

static void the_parts_of_a_url(void **state)
{
	struct tn_url url = parsed("https://Example.org:8443/mcp/x?y=1#z");

	(void)state;
	assert_true(tn_str_is(url.scheme, "https"));
	assert_true(tn_str_is(url.host, "Example.org"));
	assert_int_equal(url.port, 8443);
	assert_true(tn_str_is(url.origin, "https://Example.org:8443"));
	assert_true(tn_str_is(url.target, "/mcp/x?y=1"));
	url = parsed("http://[::1]");
	assert_true(tn_str_is(url.host, "[::1]"));
	assert_int_equal(url.port, 80);
	assert_int_equal(url.target.size, 0);
	assert_int_equal(parsed("ws://h?q").port, 80);
	assert_int_equal(parsed("WSS://h#f").port, 443);
}

/* What one parser reads as one host and the next as another is refused. */
static void doubtful_urls_are_none(void **state)
{
	static const char *const bad[] = {
		"",
		"http:/x",
		"http://",
		"http:///x",
		"ftp://h/",
		"file:///etc/passwd",
		"//h/x",
		"http://user@h/",
		"http://user:word@h/",
		"http://good\\@evil/",
		"http://h:0/",
		"http://h:65536/",
		"http://h:8o/",
		"http://h:/",
		"http://[::1/",
		"http://[::1]x/",
		"http://[]/",
		"http://[x]/",
		"http://a b/",
		"http://h/a b",
		"http://h/\n",
		"http://h/\x80",
		"http://h%00/",
	};
	struct tn_url url;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(tn_url_parse(tn_str_from(bad[i]), &url));
}

static bool same(const char *a, const char *b)
{
	struct tn_url first = parsed(a), second = parsed(b);

	return tn_url_same_origin(&first, &second);
}

static void origins_are_scheme_host_and_port(void **state)
{
	(void)state;
	assert_true(same("http://h/a", "HTTP://H:80/b"));
	assert_true(same("https://h:443", "https://h"));
	assert_false(same("http://h", "https://h"));
	assert_false(same("http://h", "http://h:8080"));
	assert_false(same("http://h", "http://h.evil"));
	assert_false(same("http://127.0.0.1", "http://localhost"));
}

static bool loopback(const char *text)
{
	struct tn_url url = parsed(text);

	return tn_url_is_loopback(&url);
}

static void loopback_is_this_machine(void **state)
{
	(void)state;
	assert_true(loopback("http://localhost:1/"));
	assert_true(loopback("http://LocalHost/"));
	assert_true(loopback("http://127.1.2.3/"));
	assert_true(loopback("http://[::1]:8/"));
	assert_false(loopback("http://127.0.0.1.example/"));
	assert_false(loopback("http://localhost.example/"));
	assert_false(loopback("http://10.0.0.1/"));
}

static bool resolves(const char *base, const char *reference, const char *expected)
{
	struct tn_url url = parsed(base);
	struct tn_buf out;
	bool good;

	tn_buf_init(&out, 256);
	good = tn_url_resolve(&url, tn_str_from(reference), &out);
	if (good && expected)
		good = tn_str_is(tn_buf_str(&out), expected);
	tn_buf_finish(&out);
	return good;
}

static void references_are_seen_from_their_base(void **state)
{
	(void)state;
	assert_true(resolves("http://h:1/a/b?c", "/m?s=1", "http://h:1/m?s=1"));
	assert_true(resolves("http://h:1/a/b?c", "m", "http://h:1/a/m"));
	assert_true(resolves("http://h:1", "m", "http://h:1/m"));
	assert_true(resolves("http://h:1/a/b?c", "?d", "http://h:1/a/b?d"));
	assert_true(resolves("http://h:1/a/b?c", "", "http://h:1/a/b?c"));
	assert_true(resolves("http://h:1/a/b?c", "#f", "http://h:1/a/b?c"));
	assert_true(resolves("http://h:1/a", "//o/x", "http://o/x"));
	assert_true(resolves("http://h:1/a", "https://o/x#f", "https://o/x"));
	assert_false(resolves("http://h:1/a", "javascript:alert(1)", NULL));
	assert_false(resolves("http://h:1/a", "/a b", NULL));
	assert_false(resolves("http://h:1/a", "//user@o/", NULL));
}

static void a_full_buffer_is_no_url(void **state)
{
	struct tn_url url = parsed("http://h/");
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, 8);
	assert_false(tn_url_resolve(&url, TN_STR("/long"), &out));
	tn_buf_finish(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts_of_a_url),
		cmocka_unit_test(doubtful_urls_are_none),
		cmocka_unit_test(origins_are_scheme_host_and_port),
		cmocka_unit_test(loopback_is_this_machine),
		cmocka_unit_test(references_are_seen_from_their_base),
		cmocka_unit_test(a_full_buffer_is_no_url),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
