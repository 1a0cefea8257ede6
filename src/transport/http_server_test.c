/* Requests over real sockets: what is answered, what is refused, and what becomes of the
 * connection. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "transport/http_test_kit.h"
#include "transport/limits.h"

#define OK "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n"
#define GET_WITH(headers) "GET /echo HTTP/1.1\r\nHost: h\r\n" headers "\r\n"
#define POST_WITH(headers, body) "POST /echo HTTP/1.1\r\nHost: h\r\n" headers "\r\n" body
#define CHUNKED(body) POST_WITH("Transfer-Encoding: chunked\r\n", body)
#define ROW(name, text, status, goes_on)                      \
	{                                                     \
		name, text, sizeof(text) - 1, status, goes_on \
	}

struct row {
	const char *name;
	const char *text;
	size_t size;
	unsigned status;
	bool goes_on; /* the connection answers the next request */
};

/* MCP-107, MCP-290; RFC 9112. One row is one way in which two programs could disagree. */
static const struct row rows[] = {
	ROW("plain", OK, 200, true),
	ROW("length and chunked",
	    POST_WITH("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400,
	    false),
	ROW("chunked and length",
	    POST_WITH("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), 400,
	    false),
	ROW("two lengths that differ",
	    POST_WITH("Content-Length: 1\r\nContent-Length: 2\r\n", "ab"), 400, false),
	ROW("two equal lengths", POST_WITH("Content-Length: 2\r\nContent-Length: 2\r\n", "ab"), 400,
	    false),
	ROW("length list", POST_WITH("Content-Length: 2, 2\r\n", "ab"), 400, false),
	ROW("length with plus", POST_WITH("Content-Length: +2\r\n", "ab"), 400, false),
	ROW("length with minus", POST_WITH("Content-Length: -2\r\n", "ab"), 400, false),
	ROW("length with blank inside", POST_WITH("Content-Length: 1 2\r\n", "ab"), 400, false),
	ROW("length in hexadecimal", POST_WITH("Content-Length: 0x2\r\n", "ab"), 400, false),
	ROW("length empty", POST_WITH("Content-Length:\r\n", "ab"), 400, false),
	ROW("length past 64 bits", POST_WITH("Content-Length: 18446744073709551618\r\n", "ab"), 400,
	    false),
	ROW("length of 2^63", POST_WITH("Content-Length: 9223372036854775808\r\n", "ab"), 400,
	    false),
	ROW("length too large", POST_WITH("Content-Length: 9223372036854775807\r\n", "ab"), 413,
	    false),
	ROW("length right", POST_WITH("Content-Length: \t 2 \t\r\n", "ab"), 200, true),
	ROW("length zero", POST_WITH("Content-Length: 0\r\n", ""), 200, true),
	ROW("other encoding", POST_WITH("Transfer-Encoding: gzip\r\n", ""), 400, false),
	ROW("encoding list", POST_WITH("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), 400,
	    false),
	ROW("chunked twice", POST_WITH("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 400,
	    false),
	ROW("two encodings",
	    POST_WITH("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
	    400, false),
	ROW("xchunked", POST_WITH("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), 400, false),
	ROW("identity", POST_WITH("Transfer-Encoding: identity\r\n", ""), 400, false),
	ROW("vertical tab before chunked",
	    POST_WITH("Transfer-Encoding: \vchunked\r\n", "0\r\n\r\n"), 400, false),
	ROW("chunked to HTTP/1.0",
	    "POST /echo HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
	    "0\r\n\r\n",
	    400, false),
	ROW("blank before colon", GET_WITH("Content-Length : 0\r\n"), 400, false),
	ROW("tab before colon", GET_WITH("X\t: 0\r\n"), 400, false),
	ROW("folded header", GET_WITH("X: a\r\n b\r\n"), 400, false),
	ROW("folded by tab", GET_WITH("X: a\r\n\tb\r\n"), 400, false),
	ROW("folded first header", "GET /echo HTTP/1.1\r\n Host: h\r\n\r\n", 400, false),
	ROW("bare LF after request line", "GET /echo HTTP/1.1\nHost: h\r\n\r\n", 400, false),
	ROW("bare LF after header", GET_WITH("X: a\nY: b\r\n"), 400, false),
	ROW("bare LF as blank line", "GET /echo HTTP/1.1\r\nHost: h\r\n\n", 400, false),
	ROW("bare CR in value", GET_WITH("X: a\rY: b\r\n"), 400, false),
	ROW("bare CR in name", GET_WITH("X\rY: b\r\n"), 400, false),
	ROW("bare CR in request line", "GET /echo\r HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("NUL in value", GET_WITH("X: a\0b\r\n"), 400, false),
	ROW("NUL in name", GET_WITH("X\0Y: b\r\n"), 400, false),
	ROW("NUL in target", "GET /ec\0ho HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("control character in value", GET_WITH("X: a\001b\r\n"), 400, false),
	ROW("delete in value", GET_WITH("X: abcdefghijkl\177b\r\n"), 400, false),
	ROW("escape in a long value", GET_WITH("X: abcdefghijklmnopqrst\033[0m\r\n"), 400, false),
	ROW("tab and high bytes in value", GET_WITH("X: a\tb \303\244 c\r\n"), 200, true),
	ROW("empty header name", GET_WITH(": x\r\n"), 400, false),
	ROW("header without colon", GET_WITH("Nonsense\r\n"), 400, false),
	ROW("header name with parenthesis", GET_WITH("X(y): z\r\n"), 400, false),
	ROW("header name with high byte", GET_WITH("X\303\244: z\r\n"), 400, false),
	ROW("empty value", GET_WITH("X:\r\n"), 200, true),
	ROW("no host", "GET /echo HTTP/1.1\r\n\r\n", 400, false),
	ROW("two hosts", GET_WITH("Host: h\r\n"), 400, false),
	ROW("two hosts, other letters", GET_WITH("hOST: other\r\n"), 400, false),
	ROW("absolute target", "GET http://h/echo HTTP/1.1\r\nHost: h\r\n\r\n", 200, true),
	ROW("absolute target, upper case", "GET HTTP://H/echo HTTP/1.1\r\nHost: h\r\n\r\n", 200,
	    true),
	ROW("absolute target of another host", "GET http://x/echo HTTP/1.1\r\nHost: h\r\n\r\n", 400,
	    false),
	ROW("absolute target, port differs", "GET http://h:81/echo HTTP/1.1\r\nHost: h\r\n\r\n",
	    400, false),
	ROW("absolute target, user", "GET http://u@h/echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("absolute target, other scheme", "GET ftp://h/echo HTTP/1.1\r\nHost: h\r\n\r\n", 400,
	    false),
	ROW("absolute target without path", "GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", 200, true),
	ROW("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", 200, true),
	ROW("GET *", "GET * HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("target without slash", "GET echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("target with fragment", "GET /echo#x HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("target with high byte", "GET /ech\303\266 HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("two blanks", "GET  /echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("tab as blank", "GET\t/echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("blank at the end", "GET /echo HTTP/1.1 \r\nHost: h\r\n\r\n", 400, false),
	ROW("no version", "GET /echo\r\nHost: h\r\n\r\n", 400, false),
	ROW("no method", " /echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("method with bracket", "G<T /echo HTTP/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("lower-case version", "GET /echo http/1.1\r\nHost: h\r\n\r\n", 400, false),
	ROW("long version", "GET /echo HTTP/1.10\r\nHost: h\r\n\r\n", 400, false),
	ROW("later minor", "GET /echo HTTP/1.2\r\nHost: h\r\n\r\n", 200, true),
	ROW("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, false),
	ROW("HTTP/0.9", "GET /echo HTTP/0.9\r\n\r\n", 505, false),
	ROW("TLS", "\026\003\001\002\000\001", 400, false),
	ROW("one empty line before", "\r\n" OK, 200, true),
	ROW("two empty lines before", "\r\n\r\n" OK, 400, false),
	ROW("chunks", CHUNKED("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), 200, true),
	ROW("chunks, upper case", CHUNKED("A\r\n0123456789\r\n000\r\n\r\n"), 200, true),
	ROW("trailers", CHUNKED("1\r\na\r\n0\r\nX: y\r\nZ: 1\r\n\r\n"), 200, true),
	ROW("folded trailer", CHUNKED("1\r\na\r\n0\r\nX: y\r\n z\r\n\r\n"), 400, false),
	ROW("trailer with bare LF", CHUNKED("1\r\na\r\n0\r\nX: y\n\r\n"), 400, false),
	ROW("chunk size is none", CHUNKED("g\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size empty", CHUNKED("\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size with 0x", CHUNKED("0x1\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size with sign", CHUNKED("+1\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size with blank", CHUNKED("1 \r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size before blank", CHUNKED(" 1\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk size past 64 bits", CHUNKED("10000000000000001\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk too large", CHUNKED("fffffffffffffff\r\na\r\n"), 413, false),
	ROW("chunk size with bare LF", CHUNKED("1\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk extension with bare LF", CHUNKED("1;\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk extension with bare CR", CHUNKED("1;x\ry\r\na\r\n0\r\n\r\n"), 400, false),
	ROW("chunk longer than it says", CHUNKED("1\r\nab\r\n0\r\n\r\n"), 400, false),
	ROW("chunk ends with bare LF", CHUNKED("1\r\na\n0\r\n\r\n"), 400, false),
	ROW("chunk ends without CRLF", CHUNKED("1\r\na0\r\n\r\n"), 400, false),
	ROW("other expectation", GET_WITH("Expect: 200-ok\r\n"), 417, false),
	ROW("close", GET_WITH("Connection: close\r\n"), 200, false),
	ROW("close in a list", GET_WITH("Connection: x, Close\r\n"), 200, false),
	ROW("keep-alive", GET_WITH("Connection: keep-alive\r\n"), 200, true),
	ROW("HTTP/1.0", "GET /echo HTTP/1.0\r\n\r\n", 200, false),
	ROW("HTTP/1.0 with two hosts", "GET /echo HTTP/1.0\r\nHost: h\r\nHost: h\r\n\r\n", 400,
	    false),
	/* Refused by the handler: the framing is intact, so the connection goes on. */
	ROW("unknown path", "GET /nowhere HTTP/1.1\r\nHost: h\r\n\r\n", 404, true),
	ROW("unknown path with body",
	    "POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", 404, true),
	ROW("unknown path with chunks",
	    "POST /nowhere HTTP/1.1\r\nHost: h\r\n"
	    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
	    404, true),
	ROW("wrong type",
	    "POST /typed HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\n"
	    "Content-Length: 3\r\n\r\nabc",
	    415, true),
};

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

static void check_row(const struct kit *kit, const struct row *row, size_t step)
{
	int fd = kit_dial(kit);
	unsigned status;

	for (size_t at = 0; at < row->size; at += step)
		kit_send(fd, row->text + at, row->size - at < step ? row->size - at : step);
	status = kit_answer(fd, NULL);
	if (status != row->status)
		fail_msg("%s: %u instead of %u", row->name, status, row->status);
	if (row->goes_on) {
		kit_send_text(fd, OK);
		status = kit_answer(fd, NULL);
		if (status != 200)
			fail_msg("%s: the connection does not go on", row->name);
	} else {
		kit_send_text(fd, OK); /* must not be taken for a request */
		if (!kit_ends(fd, KIT_WAIT_MS))
			fail_msg("%s: the connection is not closed", row->name);
	}
	(void)close(fd);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		check_row(*state, &rows[i], rows[i].size);
}

static void test_rows_byte_by_byte(void **state)
{
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		check_row(*state, &rows[i], 1);
}

/* MCP-290: whatever was thrown at it, the next client is served. */
static void test_answers_after_all_that(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, "POST /echo?a=1&b HTTP/1.1\r\nHost: h\r\nX-TRY: v \r\n"
			  "Content-Length: 5\r\n\r\nhello");
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "\r\n\r\nPOST /echo a=1&b hello"));
	assert_non_null(strstr(text, "\r\nX-Seen: v\r\n"));
	assert_non_null(strstr(text, "\r\nDate: "));
	(void)close(fd);
}

static void test_decodes_chunks(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, CHUNKED("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: v\r\n\r\n"));
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "POST /echo  abcde"));
	(void)close(fd);
}

/* ---- limits of the head ---- */

static unsigned answer_to_filled(struct kit *kit, const char *before, size_t fill,
				 const char *after)
{
	int fd = kit_dial(kit);
	char *filler = tn_mem_alloc(fill + 1);
	unsigned status;

	memset(filler, 'x', fill);
	kit_send_text(fd, before);
	kit_send(fd, filler, fill);
	kit_send_text(fd, after);
	status = kit_answer(fd, NULL);
	if (status != 200 && status != 404)
		assert_true(kit_ends(fd, KIT_WAIT_MS));
	tn_mem_free(filler);
	(void)close(fd);
	return status;
}

static void test_line_limit(void **state)
{
	size_t rest = strlen("GET / HTTP/1.1");

	assert_int_equal(answer_to_filled(*state, "GET /", TN_HTTP_LINE_MAX - rest,
					  " HTTP/1.1\r\nHost: h\r\n\r\n"),
			 404);
	assert_int_equal(answer_to_filled(*state, "GET /", TN_HTTP_LINE_MAX - rest + 1,
					  " HTTP/1.1\r\nHost: h\r\n\r\n"),
			 414);
	assert_int_equal(answer_to_filled(*state, "GET /", 100000, ""), 414);
}

static void test_header_limit(void **state)
{
	assert_int_equal(answer_to_filled(*state, "GET /echo HTTP/1.1\r\nHost: h\r\nX: ",
					  TN_HTTP_HEADER_MAX - 3, "\r\n\r\n"),
			 200);
	assert_int_equal(answer_to_filled(*state, "GET /echo HTTP/1.1\r\nHost: h\r\nX: ",
					  TN_HTTP_HEADER_MAX - 2, "\r\n\r\n"),
			 431);
	assert_int_equal(
		answer_to_filled(*state, "GET /echo HTTP/1.1\r\nHost: h\r\nX: ", 100000, ""), 431);
}

static void test_section_and_count_limits(void **state)
{
	static const struct {
		size_t headers, size;
		unsigned status;
	} sections[] = {{99, 10, 200}, {100, 10, 431}, {2, 16000, 200}, {3, 16000, 431}};

	for (size_t i = 0; i < TN_COUNT(sections); i++) {
		int fd = kit_dial(*state);
		char *line = tn_mem_alloc(sections[i].size + 3);

		memset(line, 'v', sections[i].size);
		memcpy(line, "X: ", 3);
		memcpy(line + sections[i].size, "\r\n", 2);
		kit_send_text(fd, "GET /echo HTTP/1.1\r\nHost: h\r\n");
		for (size_t n = 0; n < sections[i].headers; n++)
			kit_send_text(fd, line);
		kit_send_text(fd, "\r\n");
		assert_int_equal(kit_answer(fd, NULL), sections[i].status);
		tn_mem_free(line);
		(void)close(fd);
	}
}

static void test_chunk_extension_limits(void **state)
{
	int fd;

	assert_int_equal(answer_to_filled(*state, CHUNKED("1;"), 900, "\r\na\r\n0\r\n\r\n"), 200);
	assert_int_equal(answer_to_filled(*state, CHUNKED("1;"), 2000, "\r\na\r\n0\r\n\r\n"), 400);
	fd = kit_dial(*state);
	kit_send_text(fd, CHUNKED(""));
	for (unsigned i = 0; i < 6; i++) { /* each is allowed, all of them are not */
		char chunk[1000];

		(void)snprintf(chunk, sizeof(chunk), "1;%0900d\r\na\r\n", 0);
		kit_send_text(fd, chunk);
	}
	assert_int_equal(kit_answer(fd, NULL), 400);
	(void)close(fd);
}

/* ---- bodies ---- */

static void test_large_body(void **state)
{
	size_t size = 3 * TN_MIB;
	char *body = tn_mem_alloc(size + 1), head[128];
	const char *text;
	int fd = kit_dial(*state);

	for (size_t i = 0; i < size; i++)
		body[i] = (char)('a' + i % 23);
	(void)snprintf(head, sizeof(head), POST_WITH("Content-Length: %zu\r\n", ""), size);
	kit_send_text(fd, head);
	kit_send(fd, body, size);
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_true(tn_str_ends(tn_str_from(text), tn_str(body, size)));
	/* The same in chunks of odd sizes, joined where they lie. */
	kit_send_text(fd, CHUNKED(""));
	for (size_t at = 0, chunk; at < size; at += chunk) {
		chunk = 1 + at % 5000 < size - at ? 1 + at % 5000 : size - at;
		(void)snprintf(head, sizeof(head), "%zx\r\n", chunk);
		kit_send_text(fd, head);
		kit_send(fd, body + at, chunk);
		kit_send_text(fd, "\r\n");
	}
	kit_send_text(fd, "0\r\n\r\n");
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_true(tn_str_ends(tn_str_from(text), tn_str(body, size)));
	tn_mem_free(body);
	(void)close(fd);
}

/* The answer arrives although the client goes on sending: the connection lingers. */
static void test_too_large_body(void **state)
{
	size_t piece = TN_MIB;
	char *zeros = tn_mem_alloc(piece);
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, POST_WITH("X-Tell: me\r\nContent-Length: 67108864\r\n", ""));
	for (unsigned i = 0; i < 64; i++)
		kit_send(fd, zeros, piece);
	assert_int_equal(kit_answer(fd, &text), 413);
	assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
	assert_non_null(strstr(text, "\r\nX-Told: me\r\n"));
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
	/* MCP-104: whom a check refuses does not learn of the size. */
	fd = kit_dial(*state);
	kit_send_text(fd, "POST /nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 67108864\r\n\r\n");
	assert_int_equal(kit_answer(fd, NULL), 404);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	tn_mem_free(zeros);
	(void)close(fd);
}

static void test_chunks_too_large_together(void **state)
{
	size_t piece = TN_MIB;
	char *zeros = tn_mem_alloc(piece);
	int fd = kit_dial(*state);

	kit_send_text(fd, CHUNKED(""));
	for (unsigned i = 0; i < 17; i++) {
		kit_send_text(fd, "100000\r\n");
		kit_send(fd, zeros, piece);
		kit_send_text(fd, "\r\n");
	}
	assert_int_equal(kit_answer(fd, NULL), 413);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	tn_mem_free(zeros);
	(void)close(fd);
}

static void test_expect_continue(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, POST_WITH("Expect: 100-Continue\r\nContent-Length: 5\r\n", ""));
	assert_int_equal(kit_answer(fd, NULL), 100);
	kit_send_text(fd, "hello");
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "hello"));
	/* Who sends the body at once does not wait for it. */
	kit_send_text(fd, POST_WITH("Expect: 100-continue\r\nContent-Length: 5\r\n", "hello"));
	assert_int_equal(kit_answer(fd, &text), 200);
	/* Refused: the body is not asked for. */
	kit_send_text(fd, "POST /nowhere HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
			  "Content-Length: 5\r\n\r\n");
	assert_int_equal(kit_answer(fd, NULL), 404);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

static void test_expect_continue_too_large(void **state)
{
	int fd = kit_dial(*state);

	kit_send_text(fd, POST_WITH("Expect: 100-continue\r\nContent-Length: 99999999\r\n", ""));
	assert_int_equal(kit_answer(fd, NULL), 413);
	(void)close(fd);
}

/* ---- connections ---- */

static void test_head_has_no_body(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, "HEAD /echo HTTP/1.1\r\nHost: h\r\n\r\n" OK);
	assert_int_equal(kit_answer_head(fd, &text), 200);
	assert_non_null(strstr(text, "\r\nContent-Length: 12\r\n"));
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "GET /echo"));
	/* What would be a stream ends with its head, framed so that the next answer is found. */
	kit_send_text(fd, "HEAD /open HTTP/1.1\r\nHost: h\r\n\r\n" OK);
	assert_int_equal(kit_answer_head(fd, NULL), 200);
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "GET /echo"));
	(void)close(fd);
}

/* MCP-107: pipelined requests are answered in order, whether at once or later. */
static void test_pipelining(void **state)
{
	const char *text;
	char request[256], wanted[64];
	int fd = kit_dial(*state);

	for (unsigned round = 0; round < 2; round++) {
		struct tn_buf all;

		tn_buf_init(&all, TN_MIB);
		for (unsigned i = 0; i < 50; i++) {
			const char *path = round && i % 10 == 3 ? "/later" : "/echo";

			(void)snprintf(
				request, sizeof(request),
				"POST %s?%u HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody",
				path, i);
			tn_buf_append_text(&all, request);
		}
		kit_send(fd, all.data, all.size);
		tn_buf_finish(&all);
		for (unsigned i = 0; i < 50; i++) {
			assert_int_equal(kit_answer(fd, &text), 200);
			(void)snprintf(wanted, sizeof(wanted), " %u body", i);
			assert_true(tn_str_ends(tn_str_from(text), tn_str_from(wanted)));
		}
	}
	(void)close(fd);
}

/* Behind one that waits, more than is read ahead. */
static void test_long_pipeline_behind_waiting(void **state)
{
	struct tn_buf all;
	int fd = kit_dial(*state);

	tn_buf_init(&all, TN_MIB);
	tn_buf_append_text(&all, "GET /later HTTP/1.1\r\nHost: h\r\n\r\n");
	for (unsigned i = 0; i < 2000; i++)
		tn_buf_append_text(&all, OK);
	kit_send(fd, all.data, all.size);
	tn_buf_finish(&all);
	for (unsigned i = 0; i < 2001; i++)
		assert_int_equal(kit_answer(fd, NULL), 200);
	(void)close(fd);
}

static void test_pipelined_fault(void **state)
{
	int fd = kit_dial(*state);

	kit_send_text(fd, OK OK "GET /echo HTTP/1.1\nHost: h\r\n\r\n" OK);
	assert_int_equal(kit_answer(fd, NULL), 200);
	assert_int_equal(kit_answer(fd, NULL), 200);
	assert_int_equal(kit_answer(fd, NULL), 400);
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
}

static void test_pipelined_stream(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, OK "GET /sse HTTP/1.1\r\nHost: h\r\n\r\n" OK);
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "GET /echo"));
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "text/event-stream"));
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "GET /echo"));
	(void)close(fd);
}

static void test_half_closed_client_gets_its_answer(void **state)
{
	struct kit *kit = *state;
	const char *text;
	unsigned closed = atomic_load(&kit->closed);

	for (unsigned i = 0; i < 2; i++) {
		int fd = kit_dial(kit);

		kit_send_text(fd, i ? "GET /later HTTP/1.1\r\nHost: h\r\n\r\n" : OK);
		assert_int_equal(shutdown(fd, SHUT_WR), 0);
		assert_int_equal(kit_answer(fd, &text), 200); /* MCP-154 */
		assert_true(kit_ends(fd, KIT_WAIT_MS));
		(void)close(fd);
	}
	assert_int_equal(atomic_load(&kit->closed), closed);
}

/* Neither end of the connection is heard of again, but for a reset (MCP-154). */
static void test_reset_while_waiting(void **state)
{
	const struct linger hard = {.l_onoff = 1};
	struct kit *kit = *state;
	unsigned requests = atomic_load(&kit->requests), closed = atomic_load(&kit->closed);
	int fd = kit_dial(kit);

	kit_send_text(fd, "GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_true(kit_reaches(&kit->requests, requests + 1));
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	assert_false(kit_ends(fd, 100)); /* half-closed, it may still get its answer */
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard)), 0);
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, closed + 1));
}

static void count_connections(struct kit *kit, void *data)
{
	*(size_t *)data = tn_http_server_connections(kit->server);
}

static void test_another_protocol(void **state)
{
	static const char ask[] = "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n"
				  "GET /switch HTTP/1.1\r\nHost: h\r\nX-Tell: a\r\n\r\nbehind";
	int fd = kit_dial(*state);
	size_t connections = 1;

	kit_send_text(fd, ask); /* behind an answer that waits to leave in one write */
	assert_true(kit_expect(fd, "HTTP/1.1 200 OK", KIT_WAIT_MS));
	assert_true(kit_expect(fd, "HTTP/1.1 101 Switching Protocols", KIT_WAIT_MS));
	assert_true(kit_expect(fd,
			       "\r\nUpgrade: parrot\r\nX-Told: a\r\nConnection: Upgrade\r\n\r\n",
			       KIT_WAIT_MS));
	assert_true(kit_expect(fd, "behind", KIT_WAIT_MS));
	assert_true(kit_ends(fd, KIT_WAIT_MS));
	(void)close(fd);
	kit_run(*state, count_connections, &connections);
	assert_int_equal(connections, 0);
}

static void test_more_headers(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	kit_send_text(fd, "GET /nowhere HTTP/1.1\r\nHost: h\r\nX-Tell: 1\r\n\r\n");
	assert_int_equal(kit_answer(fd, &text), 404); /* of the check */
	assert_non_null(strstr(text, "\r\nX-Told: 1\r\n"));
	kit_send_text(fd, "GET /sse HTTP/1.1\r\nHost: h\r\nX-Tell: 2\r\n\r\n");
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "\r\nX-Told: 2\r\n"));
	kit_send_text(fd, "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_null(strstr(text, "X-Told"));
	(void)close(fd);
}

static void test_half_a_request_then_close(void **state)
{
	static const char *const halves[] = {"G", "GET /echo HTTP/1.1\r\nHo",
					     POST_WITH("Content-Length: 10\r\n", "abc"),
					     CHUNKED("5\r\nab")};
	struct kit *kit = *state;
	unsigned requests = atomic_load(&kit->requests);

	for (size_t i = 0; i < TN_COUNT(halves); i++) {
		int fd = kit_dial(kit);

		kit_send_text(fd, halves[i]);
		assert_int_equal(shutdown(fd, SHUT_WR), 0);
		assert_true(kit_ends(fd, KIT_WAIT_MS));
		(void)close(fd);
	}
	assert_int_equal(atomic_load(&kit->requests), requests);
}

static void test_reset_while_waiting_is_told(void **state)
{
	struct kit *kit = *state;
	const struct linger reset = {.l_onoff = 1};
	unsigned closed = atomic_load(&kit->closed), requests = atomic_load(&kit->requests);
	int fd = kit_dial(kit);

	kit_send_text(fd, "GET /never HTTP/1.1\r\nHost: h\r\n\r\n");
	assert_true(kit_reaches(&kit->requests, requests + 1));
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
	(void)close(fd);
	assert_true(kit_reaches(&kit->closed, closed + 1));
}

/* Far more than a socket holds: the rest is queued and written as the peer reads. */
static void test_large_answers(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	for (unsigned i = 0; i < 3; i++)
		kit_send_text(fd, "GET /big?3500000 HTTP/1.1\r\nHost: h\r\n\r\n");
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(kit_answer(fd, &text), 200);
		assert_int_equal(strlen(strstr(text, "\r\n\r\n") + 4), 3500000);
	}
	(void)close(fd);
}

static void test_header_values_cannot_inject(void **state)
{
	const char *text;
	int fd = kit_dial(*state);

	/* The request cannot carry CR or LF in a value; a handler's own text can. */
	kit_send_text(fd, GET_WITH("X-Try: a\tb\r\n"));
	assert_int_equal(kit_answer(fd, &text), 200);
	assert_non_null(strstr(text, "\r\nX-Seen: a b\r\n"));
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_rows_byte_by_byte),
		cmocka_unit_test(test_answers_after_all_that),
		cmocka_unit_test(test_decodes_chunks),
		cmocka_unit_test(test_line_limit),
		cmocka_unit_test(test_header_limit),
		cmocka_unit_test(test_section_and_count_limits),
		cmocka_unit_test(test_chunk_extension_limits),
		cmocka_unit_test(test_large_body),
		cmocka_unit_test(test_too_large_body),
		cmocka_unit_test(test_chunks_too_large_together),
		cmocka_unit_test(test_expect_continue),
		cmocka_unit_test(test_expect_continue_too_large),
		cmocka_unit_test(test_head_has_no_body),
		cmocka_unit_test(test_pipelining),
		cmocka_unit_test(test_long_pipeline_behind_waiting),
		cmocka_unit_test(test_pipelined_fault),
		cmocka_unit_test(test_pipelined_stream),
		cmocka_unit_test(test_half_closed_client_gets_its_answer),
		cmocka_unit_test(test_reset_while_waiting),
		cmocka_unit_test(test_another_protocol),
		cmocka_unit_test(test_more_headers),
		cmocka_unit_test(test_half_a_request_then_close),
		cmocka_unit_test(test_reset_while_waiting_is_told),
		cmocka_unit_test(test_large_answers),
		cmocka_unit_test(test_header_values_cannot_inject),
	};

	return cmocka_run_group_tests_name("http_server", tests, open_kit, close_kit);
}
