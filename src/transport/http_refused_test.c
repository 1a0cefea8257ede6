/* What the server refuses by itself: each way with its status and its sentence. What comes after,
 * and why the bytes are refused, is http_server_test.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "transport/http_test_kit.h"
#include "transport/limits.h"

#define GET_WITH(headers) "GET /echo HTTP/1.1\r\nHost: h\r\n" headers "\r\n"
#define POST_WITH(headers, body) "POST /echo HTTP/1.1\r\nHost: h\r\n" headers "\r\n" body
#define CHUNKED(body) POST_WITH("Transfer-Encoding: chunked\r\n", body)

static int open_kit(void **state)
{
	*state = kit_open("127.0.0.1", NULL);
	return 0;
}

static int close_kit(void **state)
{
	kit_close(*state);
	return 0;
}

/* The answer has this status and nothing but this sentence, and is the last one. */
static void expect_sentence(int fd, unsigned status, const char *sentence)
{
	const char *text, *body;

	assert_int_equal(kit_answer(fd, &text), status);
	body = strstr(text, "\r\n\r\n") + 4;
	if (strncmp(body, sentence, strlen(sentence)) != 0 || strcmp(body + strlen(sentence), "\n"))
		fail_msg("wanted: %s; got: %s", sentence, body);
	assert_non_null(strstr(text, "\r\nContent-Type: text/plain; charset=utf-8\r\n"));
	assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

static const struct {
	const char *text;
	unsigned status;
	const char *sentence;
} refused[] = {
	{"GET /echo http/1.1\r\n", 400, "the request line does not end with HTTP/1.1"},
	{"GET /echo HTTP/2.0\r\n", 505, "only HTTP/1.1 is spoken here"},
	{"GET /a#b HTTP/1.1\r\n", 400, "the request target holds bytes that must be escaped"},
	{"GET * HTTP/1.1\r\n", 400, "only OPTIONS may ask for *"},
	{"GET echo HTTP/1.1\r\n", 400, "the request target is not a path"},
	{"GET ftp://h/ HTTP/1.1\r\n", 400, "the request target is not a path"},
	{"G<T / HTTP/1.1\r\n", 400, "the request line does not begin with a method"},
	{"GET\r\n", 400, "the request line does not begin with a method"},
	{"GET /\r\n", 400, "the request line is not: method, target, HTTP/1.1"},
	{"\026\003\001", 400, "this is not HTTP"},
	{POST_WITH("Content-Length: 1\r\nContent-Length: 1\r\n", ""), 400,
	 "more than one Content-Length"},
	{POST_WITH("Content-Length: +1\r\n", ""), 400, "Content-Length is not a number"},
	{POST_WITH("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", ""), 400,
	 "more than one Transfer-Encoding"},
	{POST_WITH("Transfer-Encoding: gzip\r\n", ""), 400,
	 "a Transfer-Encoding other than chunked"},
	{GET_WITH("Expect: much\r\n"), 417, "an Expect other than 100-continue"},
	{GET_WITH("X: a\r\n b\r\n"), 400, "a folded header line"},
	{GET_WITH("X : a\r\n"), 400, "a header name that is none"},
	{GET_WITH("X: a\001\r\n"), 400, "a control character in a header"},
	{GET_WITH("X: a\n"), 400, "a line that ends without CR"},
	{"GET /echo HTTP/1.1\r\n\r\n", 400, "there must be one Host header"},
	{GET_WITH("Host: h\r\n"), 400, "there must be one Host header"},
	{POST_WITH("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", ""), 400,
	 "both Content-Length and Transfer-Encoding"},
	{"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
	 "Transfer-Encoding with HTTP/1.0"},
	{"GET http://x/ HTTP/1.1\r\nHost: h\r\n\r\n", 400, "the request target and Host differ"},
	{POST_WITH("Content-Length: 999999999999\r\n", ""), 413, "the body is too large"},
	{CHUNKED("fffffffffffffff\r\n"), 413, "the body is too large"},
	{CHUNKED("10000000000000000\r\n"), 400, "a chunk size with too many digits"},
	{CHUNKED("g\r\n"), 400, "a chunk size that is none"},
	{CHUNKED("1;a\001\r\n"), 400,
	 "chunk extensions that are too long or hold control characters"},
	{CHUNKED("1\r\nab"), 400, "a chunk that does not end where it said"},
	{CHUNKED("0\r\n X: y\r\n\r\n"), 400, "a folded header line"},
};

static void test_sentences(void **state) /* MCP-015, MCP-107 */
{
	for (size_t i = 0; i < TN_COUNT(refused); i++) {
		int fd = kit_dial(*state);

		kit_send_text(fd, refused[i].text);
		expect_sentence(fd, refused[i].status, refused[i].sentence);
	}
}

/* ---- too much ---- */

static void expect_too_much(struct kit *kit, const char *before, size_t filler, unsigned status,
			    const char *sentence)
{
	int fd = kit_dial(kit);
	char *bytes = tn_mem_alloc(filler);

	memset(bytes, 'x', filler);
	kit_send_text(fd, before);
	kit_send(fd, bytes, filler);
	tn_mem_free(bytes);
	expect_sentence(fd, status, sentence);
}

static void append_zeros(struct tn_buf *out, const char *before, size_t count, const char *after)
{
	tn_buf_append_text(out, before);
	while (count--)
		tn_buf_append_byte(out, '0');
	tn_buf_append_text(out, after);
}

static void test_too_much(void **state)
{
	struct kit *kit = *state;
	struct tn_buf lines;
	int fd;

	expect_too_much(kit, "GET /", TN_HTTP_LINE_MAX, 414, "the request line is too long");
	expect_too_much(kit, "GET / HTTP/1.1\r\nX: ", TN_HTTP_HEADER_MAX, 431,
			"a header is too long");
	expect_too_much(kit, CHUNKED("1;"), 3000, 400, "a chunk size line that is too long");

	tn_buf_init(&lines, TN_MIB);
	tn_buf_append_text(&lines, "GET / HTTP/1.1\r\nHost: h\r\n");
	for (unsigned i = 0; i < TN_HTTP_HEADERS_MAX; i++)
		tn_buf_append_text(&lines, "X: y\r\n");
	fd = kit_dial(kit);
	kit_send(fd, lines.data, lines.size);
	expect_sentence(fd, 431, "too many headers");

	tn_buf_clear(&lines);
	tn_buf_append_text(&lines, "GET / HTTP/1.1\r\n");
	for (size_t i = 0; i <= TN_HTTP_SECTION_MAX; i += 4000)
		append_zeros(&lines, "X: ", 3995, "\r\n");
	fd = kit_dial(kit);
	kit_send(fd, lines.data, lines.size);
	expect_sentence(fd, 431, "the headers are too long");
	tn_buf_finish(&lines);
}

/* Room in the line for extensions, but not for so many in one body. */
static void test_chunk_extensions(void **state)
{
	int fd = kit_dial(*state);
	struct tn_buf chunks;

	tn_buf_init(&chunks, TN_MIB);
	tn_buf_append_text(&chunks, CHUNKED(""));
	for (unsigned i = 0; i < 6; i++)
		append_zeros(&chunks, "1;", 900, "\r\na\r\n");
	kit_send(fd, chunks.data, chunks.size);
	tn_buf_finish(&chunks);
	expect_sentence(fd, 400, "chunk extensions that are too long or hold control characters");
}

static void test_too_late_and_too_many(void **state)
{
	struct tn_http_limits limits;
	struct kit *kit;
	int fd, other;

	(void)state;
	tn_http_limits_default(&limits);
	limits.headers_timeout_ms = limits.body_timeout_ms = 50;
	limits.connections_max = 1;
	kit = kit_open("127.0.0.1", &limits);
	fd = kit_dial(kit);
	kit_send_text(fd, "GET /ec");
	expect_sentence(fd, 408, "the request took too long to arrive");
	fd = kit_dial(kit);
	kit_send_text(fd, POST_WITH("Content-Length: 10\r\n", "a"));
	expect_sentence(fd, 408, "the request took too long to arrive");
	fd = kit_dial(kit);
	kit_send_text(fd, GET_WITH(""));
	assert_int_equal(kit_answer(fd, NULL), 200);
	other = kit_dial(kit);
	expect_sentence(other, 503, "too many connections");
	(void)close(fd);
	kit_close(kit);
}

/* ---- the listener ---- */

static void expect_no_listener(struct tn_loop *loop, const struct tn_http_options *options,
			       enum tenon_code code, const char *words)
{
	struct tn_http_server *server = NULL;
	struct tenon_error err;

	assert_int_equal(tn_http_server_open(loop, options, &server, &err), code);
	assert_null(server);
	assert_int_equal(err.code, code);
	if (!strstr(err.message, words))
		fail_msg("%s", err.message);
}

static void test_addresses(void **state)
{
	static const struct tn_http_handler handler = {0};
	const struct kit *kit = *state;
	struct tn_http_options options = {.handler = &handler};
	struct tn_loop *loop = NULL;

	assert_int_equal(tn_loop_create(&loop, NULL), TENON_OK);
	options.address = "localhost";
	expect_no_listener(loop, &options, TENON_INVALID,
			   "the address to listen on is not numeric; send 127.0.0.1 or ::1");
	options.address = "127.0.0.1";
	options.port = kit->port;
	expect_no_listener(loop, &options, TENON_SYSTEM, "bind listener");
	tn_loop_destroy(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_chunk_extensions),
		cmocka_unit_test(test_too_late_and_too_many),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests_name("http_refused", tests, open_kit, close_kit);
}
