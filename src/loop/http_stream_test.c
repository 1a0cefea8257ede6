/* Against a server of one sentence, on a real port: http_stream_test PLUGIN_FOLDER */
#include "loop/http_stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "loop/limits.h"

static const char *plugin_folder;

enum { SOCKETS_MAX = 16, LARGE = 16 * 1024 * 1024 };

/* Answers every request with `head`, then `body_size` times "x". */
struct server {
	struct tn_loop *loop;
	int listener;
	struct tn_io *accepting;
	struct tn_timer *limit;
	uint16_t port;
	const char *head;
	size_t body_size;
	size_t accepted;
	struct line {
		struct server *server;
		struct tn_io *io;
		int fd;
		size_t left; /* of the body */
	} lines[SOCKETS_MAX];
	struct tn_http_streams *streams;
};

static void hang_up(struct line *line)
{
	tn_io_close(line->io);
	(void)close(line->fd);
	line->fd = -1;
}

static void write_body(struct line *line)
{
	static const char zeros[65536];

	while (line->left) {
		size_t size = line->left < sizeof(zeros) ? line->left : sizeof(zeros);
		ssize_t sent = send(line->fd, zeros, size, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent <= 0)
			break;
		line->left -= (size_t)sent;
	}
	tn_io_watch(line->io, TN_IO_READ | (line->left ? TN_IO_WRITE : 0));
}

static void line_ready(struct tn_io *io, int events, void *data)
{
	struct line *line = data;
	char bytes[4096];
	ssize_t got = recv(line->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	(void)io;
	if (got == 0 || (got < 0 && errno != EAGAIN)) {
		hang_up(line);
		return;
	}
	if (got > 0 && line->server->head) {
		size_t size = strlen(line->server->head);

		assert_int_equal(send(line->fd, line->server->head, size, MSG_NOSIGNAL), size);
		line->left = line->server->body_size;
	}
	if (got > 0 || (events & TN_IO_WRITE))
		write_body(line);
}

static void accept_one(struct tn_io *io, int events, void *data)
{
	struct server *server = data;
	struct line *line = &server->lines[server->accepted++];

	(void)io;
	(void)events;
	assert_true(server->accepted <= SOCKETS_MAX);
	line->server = server;
	line->fd = accept(server->listener, NULL, NULL);
	assert_true(line->fd >= 0);
	assert_int_equal(tn_io_open(server->loop, line->fd, line_ready, line, &line->io, NULL),
			 TENON_OK);
	tn_io_watch(line->io, TN_IO_READ);
}

static void time_over(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(((struct server *)data)->loop);
}

static void server_open(struct server *server, const char *head, size_t body_size)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);

	*server = (struct server){.head = head, .body_size = body_size};
	for (size_t i = 0; i < SOCKETS_MAX; i++)
		server->lines[i].fd = -1;
	assert_int_equal(tn_loop_create(&server->loop, NULL), TENON_OK);
	server->listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(server->listener, (struct sockaddr *)&address, size), 0);
	assert_int_equal(listen(server->listener, SOCKETS_MAX), 0);
	assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
	server->port = ntohs(address.sin_port);
	assert_int_equal(tn_io_open(server->loop, server->listener, accept_one, server,
				    &server->accepting, NULL),
			 TENON_OK);
	tn_io_watch(server->accepting, TN_IO_READ);
	assert_int_equal(tn_timer_open(server->loop, time_over, server, &server->limit, NULL),
			 TENON_OK);
	assert_int_equal(tn_http_streams_open(server->loop, plugin_folder, &server->streams, NULL),
			 TENON_OK);
}

static void server_close(struct server *server)
{
	tn_http_streams_close(server->streams);
	for (size_t i = 0; i < SOCKETS_MAX; i++) {
		if (server->lines[i].fd >= 0)
			hang_up(&server->lines[i]);
	}
	tn_io_close(server->accepting);
	tn_timer_close(server->limit);
	(void)close(server->listener);
	tn_loop_destroy(server->loop);
}

static void run_for(struct server *server, uint64_t ms)
{
	tn_timer_start(server->limit, ms);
	tn_loop_run(server->loop);
	tn_timer_stop(server->limit);
}

/* ---- a request that counts ---- */

struct request {
	struct server *server;
	struct tn_http_stream *stream;
	struct request *other; /* cancelled by us */
	unsigned heads, dones, status;
	size_t bytes, largest;
	enum tenon_code code;
	char message[TENON_ERROR_MESSAGE_MAX], answer[64];
	bool cancel_in_head, cancel_in_body, close_in_body, pause_in_body;
};

static void request_head(void *data, const struct tn_http_head *head)
{
	struct request *request = data;
	struct tn_str answer = tn_http_head_get(head, "x-answer");

	request->heads++;
	request->status = head->status;
	assert_true(answer.size < sizeof(request->answer));
	memcpy(request->answer, answer.data ? answer.data : "", answer.size);
	if (request->cancel_in_head)
		tn_http_stream_cancel(request->stream);
}

static void request_body(void *data, struct tn_str bytes)
{
	struct request *request = data;

	request->bytes += bytes.size;
	if (bytes.size > request->largest)
		request->largest = bytes.size;
	if (request->pause_in_body)
		tn_http_stream_pause(request->stream);
	if (request->cancel_in_body)
		tn_http_stream_cancel(request->stream);
	if (request->other)
		tn_http_stream_cancel(request->other->stream);
	request->other = NULL;
	if (request->close_in_body) {
		tn_http_streams_close(request->server->streams);
		request->server->streams = NULL;
	}
}

static void request_done(void *data, enum tenon_code code, const struct tenon_error *err)
{
	struct request *request = data;

	request->dones++;
	request->code = code;
	memcpy(request->message, err->message, sizeof(request->message));
	tn_loop_stop(request->server->loop);
}

static const struct tn_http_stream_events events = {
	.head = request_head, .body = request_body, .done = request_done};

static void start_at(struct request *request, const char *url, uint32_t timeout_ms)
{
	const struct tn_http_stream_request what = {.method = "GET",
						    .url = url,
						    .connect_timeout_ms = 2000,
						    .timeout_ms = timeout_ms,
						    .direct = true};

	assert_int_equal(tn_http_stream_start(request->server->streams, &what, &events, request,
					      &request->stream, NULL),
			 TENON_OK);
}

static void start(struct request *request, uint32_t timeout_ms)
{
	char url[64];

	(void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/", request->server->port);
	start_at(request, url, timeout_ms);
}

/* ---- tests ---- */

static void the_last_of_several_heads_counts(void **state)
{
	struct server server;
	struct request request = {.server = &server};

	(void)state;
	server_open(&server,
		    "HTTP/1.1 103 Early Hints\r\nX-Answer: early\r\n\r\n"
		    "HTTP/1.1 201 Created\r\nX-ANSWER:  late \r\nTransfer-Encoding: chunked\r\n\r\n"
		    "3\r\nabc\r\n0\r\nX-Answer: trailer\r\n\r\n",
		    0);
	start(&request, 0);
	assert_int_equal(request.heads, 0);
	run_for(&server, 5000);
	assert_int_equal(request.code, TENON_OK);
	assert_int_equal(request.heads, 1);
	assert_int_equal(request.status, 201);
	assert_string_equal(request.answer, "late");
	assert_int_equal(request.bytes, 3);
	/* The connection is used again. */
	start(&request, 0);
	run_for(&server, 5000);
	assert_int_equal(request.dones, 2);
	assert_int_equal(server.accepted, 1);
	server_close(&server);
}

static const char large_head[] = "HTTP/1.1 200 OK\r\nContent-Length: 16777216\r\n\r\n";

static void a_paused_stream_stops_its_server(void **state)
{
	struct server server;
	struct request request = {.server = &server, .pause_in_body = true};

	(void)state;
	server_open(&server, large_head, LARGE);
	start(&request, 0);
	run_for(&server, 300);
	assert_in_range(request.bytes, 1, TN_HTTP_PIECE_MAX);
	assert_int_equal(request.dones, 0);
	assert_true(server.lines[0].left > LARGE / 4); /* the rest of it is with the server */
	request.pause_in_body = false;
	tn_http_stream_resume(request.stream);
	run_for(&server, 5000);
	assert_int_equal(request.code, TENON_OK);
	assert_int_equal(request.bytes, LARGE);
	assert_true(request.largest <= TN_HTTP_PIECE_MAX);
	server_close(&server);
}

/* The end waits as well, when all there is has come before. */
static void a_paused_stream_does_not_end(void **state)
{
	struct server server;
	struct request request = {.server = &server, .pause_in_body = true};

	(void)state;
	server_open(&server, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 0);
	start(&request, 0);
	run_for(&server, 50);
	assert_int_equal(request.bytes, 3);
	assert_int_equal(request.dones, 0);
	tn_http_stream_resume(request.stream);
	run_for(&server, 5000);
	assert_int_equal(request.dones, 1);
	server_close(&server);
}

static void cancelling_is_possible_anywhere(void **state)
{
	struct server server;
	struct request first = {.server = &server, .cancel_in_head = true};
	struct request second = {.server = &server, .cancel_in_body = true};
	struct request third = {.server = &server}, fourth = {.server = &server};

	(void)state;
	server_open(&server, large_head, LARGE);
	start(&first, 0);
	start(&second, 0);
	start(&third, 0);
	third.other = &fourth;
	start(&fourth, 0);
	run_for(&server, 5000); /* until the third one is done */
	assert_int_equal(third.dones, 1);
	assert_int_equal(third.bytes, LARGE);
	assert_int_equal(first.heads, 1);
	assert_int_equal(first.bytes + first.dones, 0);
	assert_true(second.bytes > 0 && second.bytes <= TN_HTTP_PIECE_MAX);
	assert_int_equal(second.dones + fourth.dones, 0);
	/* At once, before anything has happened; and NULL is nothing. */
	start(&first, 0);
	tn_http_stream_cancel(first.stream);
	tn_http_stream_cancel(NULL);
	server_close(&server);
}

static void closing_is_possible_anywhere(void **state)
{
	struct server server;
	struct request first = {.server = &server, .close_in_body = true};
	struct request second = {.server = &server};

	(void)state;
	server_open(&server, large_head, LARGE);
	start(&second, 0);
	start(&first, 0);
	run_for(&server, 200);
	assert_null(server.streams);
	assert_int_equal(first.dones + second.dones, 0);
	server_close(&server);
}

static void time_and_nonsense(void **state)
{
	struct server server;
	struct request request = {.server = &server};

	(void)state;
	server_open(&server, NULL, 0);
	start(&request, 100);
	run_for(&server, 5000);
	assert_int_equal(request.code, TENON_EXPIRED);
	assert_string_equal(request.message, "no answer in time");
	assert_int_equal(request.heads, 0);
	start_at(&request, "file:///etc/hostname", 0);
	run_for(&server, 5000);
	assert_int_equal(request.code, TENON_INVALID);
	start_at(&request, "http://[::1", 0);
	run_for(&server, 5000);
	assert_int_equal(request.code, TENON_INVALID);
	assert_string_equal(request.message, "the URL is not valid");
	server_close(&server);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_of_several_heads_counts),
		cmocka_unit_test(a_paused_stream_stops_its_server),
		cmocka_unit_test(a_paused_stream_does_not_end),
		cmocka_unit_test(cancelling_is_possible_anywhere),
		cmocka_unit_test(closing_is_possible_anywhere),
		cmocka_unit_test(time_and_nonsense),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: http_stream_test PLUGIN_FOLDER\n");
		return 64;
	}
	plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
