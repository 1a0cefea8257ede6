/* Lines over real pipes, sockets and files (mcp.md section 9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "transport/limits.h"
#include "transport/line_stream.h"

enum { LINE_MAX_BYTES = 1000 };

/* A stream between two pipes, and both far ends. */
struct bench {
	struct tn_loop *loop;
	struct tn_line_stream *stream;
	int to, from;       /* our ends; -1: closed */
	int in, out;        /* the stream's */
	struct tn_buf seen; /* lines delivered, each with a newline behind it */
	struct tn_buf read; /* what came out */
	unsigned lines, too_long, ends, breaks, relieved;
	unsigned pause_after;
	size_t reply_bytes; /* each line is answered by one of this size; 0: by nothing */
	unsigned stop_after;
};

static void on_line(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	struct bench *b = data;

	b->lines++;
	tn_buf_append_str(&b->seen, line);
	tn_buf_append_byte(&b->seen, '\n');
	if (b->reply_bytes) {
		char *reply = tn_mem_alloc(b->reply_bytes);

		assert_non_null(reply);
		memset(reply, 'a' + (int)(b->lines % 26), b->reply_bytes);
		tn_line_stream_send(stream, tn_str(reply, b->reply_bytes));
		tn_mem_free(reply);
	}
	if (b->lines == b->stop_after)
		tn_line_stream_stop_reading(stream);
	if (b->lines == b->pause_after)
		tn_line_stream_pause(stream, true);
}

static void on_too_long(struct tn_line_stream *stream, void *data)
{
	struct bench *b = data;

	(void)stream;
	b->too_long++;
	tn_buf_append_text(&b->seen, "(too long)\n");
}

static void on_end(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	((struct bench *)data)->ends++;
}

static void on_broken(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	((struct bench *)data)->breaks++;
}

static void on_relieved(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	((struct bench *)data)->relieved++;
}

static const struct tn_line_stream_events events = {.line = on_line,
						    .too_long = on_too_long,
						    .end = on_end,
						    .broken = on_broken,
						    .relieved = on_relieved};

static void open_stream(struct bench *b, int in, int out)
{
	struct tenon_error err;

	b->in = in;
	b->out = out;
	tn_buf_init(&b->seen, 64 * TN_MIB);
	tn_buf_init(&b->read, 128 * TN_MIB);
	assert_int_equal(tn_loop_create(&b->loop, &err), TENON_OK);
	if (tn_line_stream_open(b->loop, in, out, LINE_MAX_BYTES, &events, b, &b->stream, &err) !=
	    TENON_OK)
		fail_msg("%s", err.message);
	(void)signal(SIGPIPE, SIG_IGN);
}

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));
	int to[2], from[2];

	assert_non_null(b);
	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	b->to = to[1];
	b->from = from[0];
	open_stream(b, to[0], from[1]);
	*state = b;
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_line_stream_close(b->stream);
	tn_loop_destroy(b->loop);
	if (b->out == b->in)
		b->out = -1;
	close_fd(&b->to);
	close_fd(&b->from);
	close_fd(&b->in);
	close_fd(&b->out);
	tn_buf_finish(&b->seen);
	tn_buf_finish(&b->read);
	tn_mem_free(b);
	return 0;
}

static void stop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

static void run(struct bench *b, unsigned ms)
{
	struct tn_timer *timer;
	struct tenon_error err;

	assert_int_equal(tn_timer_open(b->loop, stop, b->loop, &timer, &err), TENON_OK);
	tn_timer_start(timer, ms);
	tn_loop_run(b->loop);
	tn_timer_close(timer);
}

static void put(struct bench *b, const char *text)
{
	size_t size = strlen(text);

	assert_int_equal(write(b->to, text, size), size);
	run(b, 2);
}

/* Reads what there is to read now. */
static void take(struct bench *b)
{
	assert_int_equal(fcntl(b->from, F_SETFL, O_NONBLOCK), 0);
	for (;;) {
		ssize_t got;

		assert_true(tn_buf_reserve(&b->read, TN_MIB));
		got = read(b->from, b->read.data + b->read.size, TN_MIB);
		if (got <= 0)
			return;
		b->read.size += (size_t)got;
	}
}

/* Reads until so many bytes have come; 5 s at most. */
static void take_all(struct bench *b, size_t size)
{
	for (int i = 0; i < 2500 && b->read.size < size; i++) {
		run(b, 2);
		take(b);
	}
	assert_int_equal(b->read.size, size);
}

static void expect_seen(struct bench *b, const char *text)
{
	if (!tn_str_is(tn_buf_str(&b->seen), text))
		fail_msg("%.*s instead of %s", (int)b->seen.size, b->seen.data, text);
	tn_buf_clear(&b->seen);
}

/* ---- reading ---- */

static void test_lines(void **state) /* MCP-079, MCP-080 */
{
	struct bench *b = *state;

	put(b, "one\ntwo\r\n\n   \n\t\r\n three \n\r\nfo");
	expect_seen(b, "one\ntwo\n three \n");
	put(b, "u");
	put(b, "r\r");
	expect_seen(b, "");
	put(b, "\nfive");
	expect_seen(b, "four\n");
	close_fd(&b->to);
	run(b, 2);
	expect_seen(b, "five\n"); /* a last line without its end */
	assert_int_equal(b->ends, 1);
	run(b, 5);
	assert_int_equal(b->ends, 1);
	assert_int_equal(b->breaks, 0);
}

static void test_byte_by_byte(void **state) /* MCP-084 */
{
	static const char text[] = "alpha\r\nbeta\n\ngamma\n";
	struct bench *b = *state;

	for (size_t i = 0; text[i]; i++)
		put(b, (const char[]){text[i], '\0'});
	expect_seen(b, "alpha\nbeta\ngamma\n");
}

static void test_too_long(void **state) /* MCP-089: skipped, told once, and on with the next */
{
	struct bench *b = *state;
	char line[LINE_MAX_BYTES + 2], chunk[4097];

	memset(line, 'x', sizeof(line));
	line[LINE_MAX_BYTES] = '\n';
	line[LINE_MAX_BYTES + 1] = '\0';
	put(b, line); /* the longest that is taken */
	assert_int_equal(b->lines, 1);
	tn_buf_clear(&b->seen);
	line[LINE_MAX_BYTES] = 'x';
	put(b, line);
	put(b, "\nnext\n");
	expect_seen(b, "(too long)\nnext\n");
	line[LINE_MAX_BYTES] = 'x';
	put(b, "before\n");
	tn_buf_clear(&b->seen);
	memset(chunk, 'y', sizeof(chunk));
	chunk[sizeof(chunk) - 1] = '\0';
	for (int i = 0; i < 1000; i++) /* 4 MB, never held in memory */
		put(b, chunk);
	put(b, "\nnext\n");
	expect_seen(b, "(too long)\nnext\n");
	chunk[2000] = '\n'; /* too long although its end came with it */
	chunk[2001] = 'z';
	chunk[2002] = '\n';
	chunk[2003] = '\0';
	put(b, chunk);
	expect_seen(b, "(too long)\nz\n");
	put(b, line);
	close_fd(&b->to);
	run(b, 2);
	expect_seen(b, "(too long)\n");
	assert_int_equal(b->ends, 1);
}

static void test_stop(void **state)
{
	struct bench *b = *state;

	b->stop_after = 2;
	put(b, "1\n2\n3\n4");
	put(b, "\n5\n");
	close_fd(&b->to);
	run(b, 5);
	expect_seen(b, "1\n2\n");
}

/* ---- writing ---- */

static void test_order(void **state) /* MCP-083: small and large ones in their order */
{
	static const size_t sizes[] = {10, 40000, 1, 31 * 1024, 2000000, 5, 32 * 1024, 7};
	struct bench *b = *state;
	size_t total = 0, at = 0;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *text = tn_mem_alloc(sizes[i]);

		assert_non_null(text);
		memset(text, '0' + (int)i, sizes[i]);
		tn_line_stream_send(b->stream, tn_str(text, sizes[i]));
		tn_mem_free(text);
		total += sizes[i] + 1;
	}
	take_all(b, total);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(b->read.data[at++], '0' + (int)i);
		assert_int_equal(b->read.data[at++], '\n');
	}
	assert_int_equal(tn_line_stream_queued(b->stream), 0);
	assert_true(tn_line_stream_flush(b->stream));
}

/* MCP-084, MCP-086: one chunk of requests with answers larger than the queue. None is lost, joined
 * to another or left lying, whether the input has ended or not. */
static void many_answers(struct bench *b, bool end)
{
	enum { COUNT = 2000, SIZE = 20000 };
	struct tn_buf text;

	b->reply_bytes = SIZE;
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i < COUNT; i++)
		tn_buf_format(&text, "%d\n", i);
	assert_int_equal(write(b->to, text.data, text.size), text.size);
	if (end)
		close_fd(&b->to);
	run(b, 20);
	assert_true(tn_line_stream_queued(b->stream) <= TN_OUTPUT_QUEUE_MAX + SIZE + 1);
	assert_true(b->lines < COUNT); /* backpressure: it does not read on */
	assert_int_equal(b->ends, 0);
	take_all(b, (size_t)COUNT * (SIZE + 1));
	assert_int_equal(b->lines, COUNT);
	assert_true(tn_str_equal(tn_buf_str(&b->seen), tn_buf_str(&text)));
	tn_buf_finish(&text);
	run(b, 5);
	assert_int_equal(b->ends, end);
}

static void test_held_lines(void **state)
{
	many_answers(*state, false);
}

static void test_held_lines_at_end(void **state)
{
	many_answers(*state, true);
}

static void test_backpressure(void **state) /* MCP-084: reading goes on when the queue is half */
{
	struct bench *b = *state;
	size_t size = 100000;

	b->reply_bytes = size;
	for (int i = 0; i < 200; i++)
		assert_int_equal(write(b->to, "x\n", 2), 2);
	run(b, 20);
	assert_true(b->lines >= TN_OUTPUT_QUEUE_MAX / size && b->lines < 120);
	take_all(b, 200 * (size + 1));
	assert_int_equal(b->lines, 200);
}

static void test_reader_gone(void **state) /* MCP-085 */
{
	struct bench *b = *state;

	b->reply_bytes = 10;
	close_fd(&b->from);
	put(b, "1\n2\n");
	put(b, "3\n");
	assert_int_equal(b->breaks, 1);
	tn_line_stream_send(b->stream, TN_STR("nobody reads this"));
	assert_true(tn_line_stream_flush(b->stream));
	assert_int_equal(b->breaks, 1);
	assert_int_equal(b->ends, 0);
}

/* ---- what it is given ---- */

static void test_flags_stay(void **state) /* a shell's terminal must not become non-blocking */
{
	struct bench *b = *state;

	assert_int_equal(fcntl(b->in, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(fcntl(b->out, F_GETFL) & O_NONBLOCK, 0);
}

static void test_socket(void **state) /* MCP-093: both directions in one descriptor */
{
	struct bench b = {.in = -1};
	struct bench *p = &b;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	b.to = pair[1];
	b.from = dup(pair[1]);
	open_stream(&b, pair[0], pair[0]);
	b.reply_bytes = 100000;
	put(&b, "1\n2\n3\n");
	expect_seen(&b, "1\n2\n3\n");
	take_all(&b, (size_t)3 * 100001);
	assert_int_equal(fcntl(pair[0], F_GETFL) & O_NONBLOCK, 0);
	close_fd(&b.from);
	close_fd(&b.to);
	run(&b, 5);
	assert_int_equal(b.ends, 1);
	tn_line_stream_close(p->stream);
	tn_loop_destroy(p->loop);
	close_fd(&b.in);
	tn_buf_finish(&b.seen);
	tn_buf_finish(&b.read);
}

/* The peer closes without having read: the kernel says reset, and no answer can be delivered. */
static void test_socket_reset(void **state)
{
	struct bench b = {.in = -1};
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	b.to = pair[1];
	b.from = -1;
	open_stream(&b, pair[0], pair[0]);
	b.reply_bytes = 10;
	put(&b, "1\n");
	expect_seen(&b, "1\n");
	close_fd(&b.to);
	run(&b, 5);
	assert_int_equal(b.breaks, 1);
	assert_int_equal(b.ends, 0);
	tn_line_stream_close(b.stream);
	tn_loop_destroy(b.loop);
	close_fd(&b.in);
	tn_buf_finish(&b.seen);
	tn_buf_finish(&b.read);
}

static void test_files(void **state) /* input and output redirected to plain files */
{
	struct bench b = {.to = -1};
	FILE *in = tmpfile(), *out = tmpfile();
	char text[64] = "";

	(void)state;
	assert_non_null(in);
	assert_non_null(out);
	assert_int_equal(write(fileno(in), "1\n2\n3", 5), 5);
	assert_int_equal(lseek(fileno(in), 0, SEEK_SET), 0);
	b.from = -1;
	open_stream(&b, fileno(in), fileno(out));
	b.reply_bytes = 3;
	for (int i = 0; i < 50 && !b.ends; i++)
		run(&b, 2);
	expect_seen(&b, "1\n2\n3\n");
	assert_int_equal(b.ends, 1);
	assert_int_equal(pread(fileno(out), text, sizeof(text) - 1, 0), 12);
	assert_string_equal(text, "bbb\nccc\nddd\n");
	tn_line_stream_close(b.stream);
	tn_loop_destroy(b.loop);
	(void)fclose(in);
	(void)fclose(out);
	tn_buf_finish(&b.seen);
	tn_buf_finish(&b.read);
}

/* Whoever the lines go to is slow: those of the same chunk wait, and so do the end and what has not
 * been read. */
static void test_pause(void **state)
{
	struct bench *b = *state;

	b->pause_after = 2;
	put(b, "one\ntwo\nthree\nfo");
	put(b, "ur\nfive\n");
	close_fd(&b->to);
	run(b, 10);
	expect_seen(b, "one\ntwo\n");
	assert_int_equal(b->ends, 0);
	tn_line_stream_pause(b->stream, true); /* again: no difference */
	tn_line_stream_pause(b->stream, false);
	expect_seen(b, ""); /* not inside the call */
	run(b, 10);
	expect_seen(b, "three\nfour\nfive\n");
	assert_int_equal(b->ends, 1);
}

/* Told once when a queue that was over its cap is half of it. */
static void test_relieved(void **state)
{
	struct bench *b = *state;
	char *text = tn_mem_alloc(TN_MIB);
	size_t sent = 0;

	assert_non_null(text);
	memset(text, 'x', TN_MIB);
	while (tn_line_stream_queued(b->stream) <= TN_OUTPUT_QUEUE_MAX) {
		tn_line_stream_send(b->stream, tn_str(text, TN_MIB));
		sent += TN_MIB + 1;
	}
	run(b, 10);
	assert_int_equal(b->relieved, 0);
	take_all(b, sent);
	assert_int_equal(b->relieved, 1);
	tn_line_stream_send(b->stream, tn_str(text, TN_MIB));
	take_all(b, sent + TN_MIB + 1);
	assert_int_equal(b->relieved, 1);
	tn_mem_free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines),
		TEST(test_byte_by_byte),
		TEST(test_too_long),
		TEST(test_stop),
		TEST(test_order),
		TEST(test_held_lines),
		TEST(test_held_lines_at_end),
		TEST(test_backpressure),
		TEST(test_pause),
		TEST(test_relieved),
		TEST(test_reader_gone),
		TEST(test_flags_stay),
		cmocka_unit_test(test_socket),
		cmocka_unit_test(test_socket_reset),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
