/* What a listener answers besides MCP: pages, their order of checks, the lines of a hardened
 * listener; and where it listens: the next free port, a socket of a supervisor's. */
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/door_kit.h"

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"

/* ---- pages ---- */

static void get_text(struct tn_http_exchange *x, void *data)
{
	const char *name = data;
	const struct tn_str parts[] = {tn_str_from(name), TN_STR(" "), tn_http_path(x)};

	tn_http_respond(x, &(struct tn_http_reply){.status = 200,
						   .type = TN_STR("text/plain"),
						   .parts = parts,
						   .part_count = TN_COUNT(parts)});
}

static char open_page[] = "open", secret_page[] = "secret", files_page[] = "files";
static const struct tn_http_page pages[] = {
	{.path = "/health", .get = get_text, .data = open_page},
	{.path = "/metrics", .token = true, .get = get_text, .data = secret_page},
	{.path = "/files/*", .get = get_text, .data = files_page},
	{.path = NULL},
};

static int set_up(void **state)
{
	struct door *d = door_create();

	(void)door_listen(d, &(struct tenon_http_options){.origins = NULL},
			  &(struct tn_http_extra){.pages = pages, .hardened = true});
	door_run(d);
	*state = d;
	return 0;
}

static int tear_down(void **state)
{
	door_close(*state);
	return 0;
}

static const struct {
	const char *request;
	unsigned status;
	const char *words;
} asked[] = {
	{DOOR_HEAD("GET /health") "\r\n", 200, "open /health"},
	{DOOR_HEAD("GET /health?x=1") "\r\n", 200, "open /health"},
	{DOOR_HEAD("GET /files/a/b.js") "\r\n", 200, "files /files/a/b.js"},
	{DOOR_HEAD("GET /files/") "\r\n", 200, "files /files/"},
	{DOOR_HEAD("GET /files") "\r\n", 404, "No such path"},
	{DOOR_HEAD("GET /healthy") "\r\n", 404, "No such path"},
	{DOOR_HEAD("GET /") "\r\n", 404, "No such path"},
	{DOOR_HEAD("GET /metrics") "\r\n", 401, "Send the token"},
	{DOOR_HEAD("GET /metrics?token=" DOOR_TOKEN) "\r\n", 401, "Send the token"},
	{DOOR_HEAD("GET /metrics") DOOR_AUTH "\r\n", 200, "secret /metrics"},
	{DOOR_HEAD("PUT /metrics") DOOR_AUTH "\r\n", 405, "\r\nAllow: GET, HEAD\r\n"},
	{DOOR_HEAD("POST /health") "Content-Length: 2\r\n\r\n{}", 405, "\r\nAllow: GET, HEAD\r\n"},
	{DOOR_HEAD("OPTIONS /health") "\r\n", 405, "\r\nAllow: GET, HEAD\r\n"},
	{DOOR_HEAD("GET /health") "Origin: https://evil.example\r\n\r\n", 403, "not allowed"},
	{DOOR_HEAD("GET /health") "Origin: null\r\n\r\n", 403, "not allowed"},
	{DOOR_HEAD("GET /health") "Sec-Fetch-Site: cross-site\r\n\r\n", 403, "not allowed"},
	{DOOR_HEAD("GET /health") "Sec-Fetch-Site: none\r\n\r\n", 200, "open"},
	{DOOR_HEAD("GET /metrics") "Sec-Fetch-Site: same-site\r\n" DOOR_AUTH "\r\n", 403,
	 "not allowed"},
	{"GET /health HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n", 403,
	 "not allowed"},
};

static void test_pages(void **state) /* FR-08, MCP-104, MCP-267 */
{
	struct door *d = *state;

	for (size_t i = 0; i < TN_COUNT(asked); i++) {
		unsigned status = door_ask(d, d->port, asked[i].request);

		if (status != asked[i].status || !door_replied(d, asked[i].words))
			fail_msg("%s wanted: %u %s; got: %s", asked[i].request, asked[i].status,
				 asked[i].words, d->reply.data);
	}
}

static void test_head(void **state)
{
	struct door *d = *state;
	char length[32];

	assert_int_equal(door_ask(d, d->port, DOOR_HEAD("HEAD /health") "\r\n"), 200);
	assert_string_equal(door_header(d, "Content-Length", length, sizeof(length)), "12");
	assert_true(tn_str_ends(tn_buf_str(&d->reply), TN_STR("\r\n\r\n")));
}

/* Whatever the answer: of MCP, of a page, a refusal, a fault of the message itself, a stream. */
static void test_hardened(void **state) /* T19 */
{
	static const char *const requests[] = {
		DOOR_HEAD("GET /health") "\r\n",
		DOOR_HEAD("GET /nowhere") "\r\n",
		DOOR_HEAD("GET /mcp") "\r\n",
		DOOR_HEAD("POST /mcp") DOOR_AUTH DOOR_JSON "Content-Length: 46\r\n\r\n" LIST,
		DOOR_HEAD("POST /mcp") DOOR_AUTH DOOR_JSON
		"Accept: text/event-stream\r\nContent-Length: 46\r\n\r\n" LIST,
		DOOR_HEAD("GET /health") "bad header\r\n\r\n",
		"nonsense\r\n\r\n",
	};
	struct door *d = *state;

	for (size_t i = 0; i < TN_COUNT(requests); i++) {
		(void)door_ask(d, d->port, requests[i]);
		if (!door_replied(d, "\r\nCache-Control: no-store\r\n") ||
		    !door_replied(d, "\r\nX-Content-Type-Options: nosniff\r\n") ||
		    !door_replied(d, "\r\nCross-Origin-Resource-Policy: same-origin\r\n") ||
		    door_replied(d, "Access-Control-") || door_replied(d, "Set-Cookie"))
			fail_msg("%s: %s", requests[i], d->reply.data);
	}
}

/* ---- where it listens ---- */

static void test_next_port(void **state) /* ST-005 */
{
	const struct tenon_http_options at = {.token = DOOR_TOKEN};
	struct door *first = door_create(), *second = door_create();
	struct tenon_http_options same = at;
	struct tn_http_extra extra = {.pages = pages};
	struct tenon_error err;
	uint16_t got = 0;

	(void)state;
	same.port = door_listen(first, &at, &extra);
	assert_int_equal(tn_serve_http(second->server, &same, &extra, &got, &err), TENON_SYSTEM);
	assert_int_equal(err.sys_errno, EADDRINUSE);
	assert_non_null(strstr(err.message, "another program has port "));
	extra.port_last = (uint16_t)(same.port < 65000 ? same.port + 20 : 65535);
	second->port = door_listen(second, &same, &extra);
	assert_true(second->port > same.port && second->port <= extra.port_last);
	door_run(second);
	assert_int_equal(door_ask(second, second->port, DOOR_HEAD("GET /health") "\r\n"), 200);
	door_close(second);
	door_close(first);
}

static int listen_on(uint32_t address, uint16_t *ret_port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	*ret_port = ntohs(at.sin_port);
	return fd;
}

static void test_adopted_socket(void **state)
{
	struct tenon_http_options options = {.token = DOOR_TOKEN, .address = "192.0.2.1"};
	const struct tn_http_extra extra = {.pages = pages};
	struct door *d = door_create();
	struct tenon_error err;
	uint16_t port, got;

	(void)state;
	options.fd = listen_on(INADDR_LOOPBACK, &port);
	assert_int_equal(tn_serve_http(d->server, &options, &extra, &got, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "no TCP socket that listens"));
	assert_int_equal(listen(options.fd, 8), 0);
	assert_int_equal(door_listen(d, &options, &extra), port);
	door_run(d);
	assert_int_equal(door_ask(d, port, DOOR_HEAD("GET /health") "\r\n"), 200);
	door_close(d);
}

/* What the socket is bound to decides, not what the options say. */
static void test_adopted_socket_of_the_world(void **state) /* MCP-103 */
{
	struct tenon_http_options options = {.no_token = true, .address = "127.0.0.1"};
	struct door *d = door_create();
	struct tenon_error err;
	uint16_t port;

	(void)state;
	options.fd = listen_on(INADDR_ANY, &port);
	assert_int_equal(listen(options.fd, 8), 0);
	assert_int_equal(tn_serve_http(d->server, &options, NULL, &port, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "only a loopback address"));
	(void)close(options.fd);
	options.fd = STDERR_FILENO;
	assert_int_equal(tn_serve_http(d->server, &options, NULL, &port, &err), TENON_INVALID);
	door_close(d);
}

static void test_only_ws(void **state) /* FR-04: the bridge has nothing but /ws */
{
	const struct tenon_http_options options = {.path = "", .sse_path = ""};
	struct door *d = door_create();
	char request[512];
	int fd;

	(void)state;
	(void)door_listen(d, &options, NULL);
	door_run(d);
	for (size_t i = 0; i < 4; i++) {
		static const char *const paths[] = {"/mcp", "/sse", "/messages", "/"};

		(void)snprintf(request, sizeof(request),
			       "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
			       "%s\r\n",
			       paths[i], DOOR_AUTH);
		assert_int_equal(door_ask(d, d->port, request), 404);
	}
	assert_int_equal(door_upgrade(d, d->port, "/ws", ""), -1);
	assert_true(door_replied(d, " 401 "));
	fd = door_upgrade(d, d->port, "/ws", DOOR_AUTH);
	assert_true(fd >= 0);
	(void)close(fd);
	door_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_head, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hardened, set_up, tear_down),
		cmocka_unit_test(test_next_port),
		cmocka_unit_test(test_adopted_socket),
		cmocka_unit_test(test_adopted_socket_of_the_world),
		cmocka_unit_test(test_only_ws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
