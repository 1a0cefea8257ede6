#include "transport/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "transport/http_test_kit.h"

static const char *const hosts[] = {"mcp.example", "other.example:8443", NULL};
static const char *const origins[] = {"https://app.example", "http://localhost:5173", NULL};
static const char *const with_null[] = {"null", NULL};

static const struct tn_origin_rules loopback = {"127.0.0.1", 7777, hosts, origins, false};
static const struct tn_origin_rules six = {"::1", 7777, NULL, NULL, false};
static const struct tn_origin_rules wide = {"0.0.0.0", 7777, hosts, NULL, false};
static const struct tn_origin_rules wide_pages = {"0.0.0.0", 7777, hosts, NULL, .pages = true};
static const struct tn_origin_rules lan = {"192.168.1.5", 7777, NULL, NULL, false};
static const struct tn_origin_rules sandbox = {"127.0.0.1", 80, NULL, with_null, false};

struct row {
	const struct tn_origin_rules *rules;
	const char *text;
	bool allowed;
};

/* MCP-102 */
static const struct row host_rows[] = {
	{&loopback, "localhost", true},
	{&loopback, "localhost:7777", true},
	{&loopback, "LOCALHOST:7777", true},
	{&loopback, "127.0.0.1", true},
	{&loopback, "127.0.0.1:7777", true},
	{&loopback, "[::1]:7777", true},
	{&loopback, "localhost:9000", true}, /* a tunnel */
	{&loopback, "localhost.evil.example", false},
	{&loopback, "localhost.", false},
	{&loopback, "evil.example", false},
	{&loopback, "evil.example:7777", false},
	{&loopback, "127.0.0.1.evil.example", false},
	{&loopback, "127.0.0.1:7777@evil.example", false},
	{&loopback, "evil@127.0.0.1", false},
	{&loopback, "127.0.0.1, evil.example", false},
	{&loopback, "127.0.0.2", false},
	{&loopback, "localhost:", false},
	{&loopback, "localhost:08080", false}, /* as no browser writes it */
	{&loopback, "localhost:0", false},
	{&loopback, "localhost:65536", false},
	{&loopback, "localhost:77x", false},
	{&loopback, "[::1", false},
	{&loopback, "[::1]x", false},
	{&loopback, "[::2]", false},
	{&loopback, "", false},
	{&loopback, "mcp.example", true},
	{&loopback, "MCP.Example:7777", true},
	{&loopback, "mcp.example:80", false},
	{&loopback, "xmcp.example", false},
	{&loopback, "mcp.example.com", false},
	{&loopback, "other.example:8443", true},
	{&loopback, "other.example", false},
	{&loopback, "other.example:7777", false},
	{&six, "[::1]:7777", true},
	{&six, "localhost", true},
	{&wide, "localhost:7777", false},
	{&wide, "0.0.0.0:7777", false},
	{&wide, "mcp.example", true},
	{&lan, "192.168.1.5:7777", true},
	{&lan, "localhost", false},
};

/* MCP-101 */
static const struct row origin_rows[] = {
	{&loopback, "http://localhost:7777", true},
	{&loopback, "http://127.0.0.1:7777", true},
	{&loopback, "http://[::1]:7777", true},
	{&loopback, "HTTP://LocalHost:7777", true},
	{&loopback, "https://localhost:7777", false},
	{&loopback, "http://localhost", false},
	{&loopback, "http://localhost:7778", false},
	{&loopback, "http://localhost:77777", false},
	{&loopback, "http://localhost:7777.evil.example", false},
	{&loopback, "http://localhost.evil.example:7777", false},
	{&loopback, "http://evil.example:7777", false},
	{&loopback, "http://evil.example", false},
	{&loopback, "http://user@localhost:7777", false},
	{&loopback, "http://localhost:7777/", false},
	{&loopback, "null", false},
	{&loopback, "", false},
	{&loopback, "localhost:7777", false},
	{&loopback, "://localhost:7777", false},
	{&loopback, "https://app.example", true},
	{&loopback, "https://app.example:443", true},
	{&loopback, "https://APP.example", true},
	{&loopback, "http://app.example", false},
	{&loopback, "https://app.example:444", false},
	{&loopback, "https://app.example.evil.example", false},
	{&loopback, "https://evil-app.example", false},
	{&loopback, "http://localhost:5173", true},
	{&sandbox, "null", true},
	{&sandbox, "http://localhost", true},
	{&sandbox, "http://localhost:80", true},
	{&wide, "http://localhost:7777", false},
	{&wide, "http://mcp.example:7777", false},
	{&lan, "http://192.168.1.5:7777", true},
	/* our own page, under the names that http.hosts allows */
	{&wide_pages, "http://mcp.example:7777", true},
	{&wide_pages, "http://MCP.example:7777", true},
	{&wide_pages, "https://mcp.example", true},
	{&wide_pages, "https://mcp.example:443", true},
	{&wide_pages, "http://mcp.example", false},
	{&wide_pages, "http://mcp.example:7778", false},
	{&wide_pages, "https://mcp.example:7777", false},
	{&wide_pages, "ftp://mcp.example:7777", false},
	{&wide_pages, "http://mcp.example.evil.example:7777", false},
	{&wide_pages, "http://evil.example:7777", false},
	{&wide_pages, "https://other.example:8443", true},
	{&wide_pages, "http://other.example:8443", true},
	{&wide_pages, "http://other.example:7777", false},
	{&wide_pages, "https://other.example", false},
	{&wide_pages, "http://localhost:7777", false},
	{&wide_pages, "http://0.0.0.0:7777", false},
	{&wide_pages, "null", false},
};

static void test_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(host_rows); i++) {
		const struct row *row = &host_rows[i];

		if (tn_origin_host_allowed(row->rules, tn_str_from(row->text)) != row->allowed)
			fail_msg("host %s on %s", row->text, row->rules->address);
	}
}

static void test_origins(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(origin_rows); i++) {
		const struct row *row = &origin_rows[i];

		if (tn_origin_origin_allowed(row->rules, tn_str_from(row->text)) != row->allowed)
			fail_msg("origin %s on %s", row->text, row->rules->address);
	}
}

/* ---- the headers of real requests ---- */

struct guarded {
	struct tn_loop *loop;
	struct tn_http_server *server;
};

static void answer(struct tn_http_exchange *x, void *data)
{
	const struct guarded *guarded = data;
	const struct tn_origin_rules rules = {"127.0.0.1", tn_http_server_port(guarded->server),
					      NULL, origins, false};
	const struct tn_http_reply reply = {.status = tn_origin_allowed(x, &rules) ? 200 : 403};

	tn_http_respond(x, &reply);
}

static void closed(struct tn_http_exchange *x, void *data)
{
	(void)x;
	(void)data;
}

static void stop(struct tn_wakeup *wakeup, void *data)
{
	(void)wakeup;
	tn_loop_stop(data);
}

static void *run(void *loop)
{
	tn_loop_run(loop);
	return NULL;
}

static void test_requests(void **state)
{
	static const struct {
		const char *headers;
		unsigned status;
	} rows[] = {
		{"", 200},
		{"Origin: https://app.example\r\n", 200},
		{"Origin: https://evil.example\r\n", 403},
		{"Origin: null\r\n", 403},
		{"Origin: https://app.example\r\nOrigin: https://app.example\r\n", 403},
		{"Origin: https://app.example\r\nOrigin: https://evil.example\r\n", 403},
		{"Sec-Fetch-Site: none\r\n", 200},
		{"Sec-Fetch-Site: same-origin\r\n", 200},
		{"Sec-Fetch-Site: same-site\r\n", 403},
		{"Sec-Fetch-Site: cross-site\r\n", 403},
		{"Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: none\r\n", 403},
		{"Sec-Fetch-Site: cross-site\r\nOrigin: https://app.example\r\n", 200},
		{"Sec-Fetch-Site: cross-site\r\nOrigin: https://evil.example\r\n", 403},
	};
	static const struct tn_http_handler handler = {.request = answer, .closed = closed};
	struct guarded guarded = {0};
	struct tn_http_options options = {
		.address = "127.0.0.1", .handler = &handler, .data = &guarded};
	struct tn_wakeup *wakeup = NULL;
	struct tenon_error err;
	struct kit client = {0};
	pthread_t thread;
	int fd;

	(void)state;
	assert_int_equal(tn_loop_create(&guarded.loop, &err), TENON_OK);
	assert_int_equal(tn_wakeup_open(guarded.loop, stop, guarded.loop, &wakeup, &err), TENON_OK);
	assert_int_equal(tn_http_server_open(guarded.loop, &options, &guarded.server, &err),
			 TENON_OK);
	client.port = tn_http_server_port(guarded.server);
	assert_int_equal(pthread_create(&thread, NULL, run, guarded.loop), 0);
	fd = kit_dial(&client);
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		kit_send_text(fd, "GET / HTTP/1.1\r\nHost: localhost\r\n");
		kit_send_text(fd, rows[i].headers);
		kit_send_text(fd, "\r\n");
		if (kit_answer(fd, NULL) != rows[i].status)
			fail_msg("%s", rows[i].headers);
	}
	kit_send_text(fd, "GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
	assert_int_equal(kit_answer(fd, NULL), 403);
	kit_send_text(fd, "GET / HTTP/1.0\r\n\r\n");
	assert_int_equal(kit_answer(fd, NULL), 200);
	(void)close(fd);
	tn_wakeup_send(wakeup);
	assert_int_equal(pthread_join(thread, NULL), 0);
	tn_http_server_close(guarded.server);
	tn_wakeup_close(wakeup);
	tn_loop_destroy(guarded.loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
