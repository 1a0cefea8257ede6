/* Every allocation of an HTTP server fails once, and from then on always: no crash, no leak, and no
 * client waits: each gets a whole answer, or the end of its connection. */
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "short_memory.h"
#include "base/size.h"
#include "transport/http.h"

/* ---- the handler ---- */

enum { LARGE = 3000000, CLIENTS_MAX = 12, PATIENCE_MS = 1000 };

static char large[LARGE]; /* read only, once filled */

struct talk {
	struct tn_loop *loop;
	struct tn_http_server *server;
	struct tn_timer *later, *patience;
	struct tn_http_exchange *stream, *waiting;
	size_t clients; /* not served yet */
	struct client {
		struct talk *t;
		int fd;
		struct tn_io *io;
		char status[16];
		size_t got;
		bool ended;
	} all[CLIENTS_MAX];
	bool impatient, drained;
};

static void respond(struct tn_http_exchange *x, unsigned status, size_t parts)
{
	struct tn_str body[20];

	for (size_t i = 0; i < parts; i++)
		body[i] = parts == 1 ? tn_str(large, LARGE) : TN_STR("part ");
	tn_http_respond(x, &(struct tn_http_reply){.status = status,
						   .type = TN_STR("text/plain"),
						   .parts = body,
						   .part_count = parts});
}

static void send_event(struct tn_http_exchange *x, struct tn_str id, size_t parts)
{
	struct tn_str data[20];
	struct tn_http_event event = {.id = id, .data = data, .data_count = parts};

	for (size_t i = 0; i < parts; i++)
		data[i] = TN_STR("part ");
	(void)tn_http_stream_event(x, &event); /* refused: `closed` follows */
}

static void on_request(struct tn_http_exchange *x, void *data)
{
	struct talk *t = data;
	struct tn_str path = tn_http_path(x);

	if (tn_str_is(path, "/later")) {
		t->waiting = x;
		tn_timer_start(t->later, 5);
	} else if (tn_str_is(path, "/stream")) {
		if (!tn_http_sse_begin(x, NULL, 0))
			return;
		tn_http_forget_request(x);
		t->stream = x;
		send_event(x, tn_str(large, 5000), 1);
		send_event(x, TN_STR("2"), 18);
		tn_timer_start(t->later, 5);
	} else if (tn_str_is(path, "/switch")) {
		struct tn_http_upgraded upgraded;

		if (!tn_http_upgrade(x, NULL, 0, &upgraded))
			return;
		tn_buf_finish(&upgraded.unread);
		(void)close(upgraded.fd);
		tn_http_leave(upgraded.seat);
	} else {
		respond(x, 200, tn_str_is(path, "/large") ? 1 : tn_str_is(path, "/parts") ? 20 : 2);
	}
}

static void on_check(struct tn_http_exchange *x, void *data)
{
	(void)data;
	if (tn_str_is(tn_http_path(x), "/refused"))
		respond(x, 403, 2);
}

static void on_closed(struct tn_http_exchange *x, void *data)
{
	struct talk *t = data;

	if (t->stream == x)
		t->stream = NULL;
	if (t->waiting == x)
		t->waiting = NULL;
}

static void on_headers(const struct tn_http_exchange *x, struct tn_buf *lines, void *data)
{
	(void)x;
	(void)data;
	tn_buf_append_text(lines, "X-More: yes\r\n");
}

static const struct tn_http_handler handler = {
	.check = on_check, .request = on_request, .closed = on_closed, .headers = on_headers};

static void later_due(struct tn_timer *timer, void *data)
{
	struct talk *t = data;
	struct tn_http_exchange *x = t->waiting;
	const struct tn_str word = TN_STR("last");
	const struct tn_http_event last = {.data = &word, .data_count = 1};

	(void)timer;
	t->waiting = NULL;
	if (x)
		respond(x, 200, 2);
	x = t->stream;
	t->stream = NULL;
	if (x)
		tn_http_stream_end(x, &last);
}

/* ---- the clients ---- */

#define GET(path) "GET " path " HTTP/1.1\r\nHost: h\r\n\r\n"
#define POST_WITH(path, headers, body) "POST " path " HTTP/1.1\r\nHost: h\r\n" headers "\r\n" body

static const char *const scripts[] = {
	GET("/") GET("/") GET("/parts"),
	GET("/later") GET("/"),
	GET("/large"),
	GET("/stream"),
	GET("/switch"),
	POST_WITH("/", "Content-Length: 5\r\nExpect: 100-continue\r\n", "") "hello" GET("/"),
	POST_WITH("/", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n"),
	POST_WITH("/refused", "Content-Length: 3\r\n", "abc") GET("/"),
	"nonsense\r\n\r\n",
	"GET /stream HTTP/1.0\r\n\r\n",
	"HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n",
	POST_WITH("/", "Content-Length: 5\r\nExpect: 100-continue\r\n", ""),
};

static void client_ready(struct tn_io *io, int events, void *data)
{
	struct client *c = data;
	char scrap[65536];
	ssize_t got = recv(c->fd, scrap, sizeof(scrap), MSG_DONTWAIT);

	(void)events;
	if (got < 0 && errno == EAGAIN)
		return;
	if (got > 0) {
		for (ssize_t i = 0; i < got && c->got < sizeof(c->status) - 1; i++)
			c->status[c->got++] = scrap[i];
		return;
	}
	tn_io_watch(io, 0);
	c->ended = true;
	if (--c->t->clients == 0)
		tn_loop_stop(c->t->loop);
}

static void out_of_patience(struct tn_timer *timer, void *data)
{
	struct talk *t = data;

	(void)timer;
	t->impatient = true;
	tn_loop_stop(t->loop);
}

static void on_drained(void *data)
{
	struct talk *t = data;

	t->drained = true;
}

/* All at once, and nothing after it. */
static void write_script(const struct client *c, const char *script)
{
	assert_true(send(c->fd, script, strlen(script), MSG_NOSIGNAL) > 0);
	(void)shutdown(c->fd, SHUT_WR);
}

static bool dial(struct talk *t, const char *script)
{
	struct client *c = &t->all[t->clients];
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(tn_http_server_port(t->server)),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	*c = (struct client){.t = t, .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	assert_true(c->fd >= 0);
	assert_int_equal(connect(c->fd, (struct sockaddr *)&at, sizeof(at)), 0);
	write_script(c, script);
	if (tn_io_open(t->loop, c->fd, client_ready, c, &c->io, NULL) != TENON_OK) {
		(void)close(c->fd);
		return false;
	}
	tn_io_watch(c->io, TN_IO_READ);
	t->clients++;
	return true;
}

/* ---- one run ---- */

static bool open_handles(struct talk *t)
{
	struct tn_http_limits limits;
	struct tenon_error err = {0};
	struct tn_http_options options = {
		.address = "127.0.0.1", .limits = &limits, .handler = &handler, .data = t};
	enum tenon_code code = tn_timer_open(t->loop, later_due, t, &t->later, &err);

	tn_http_limits_default(&limits);
	limits.linger_ms = limits.stall_ms = limits.idle_ms = 100;
	if (code == TENON_OK)
		code = tn_timer_open(t->loop, out_of_patience, t, &t->patience, &err);
	if (code == TENON_OK)
		code = tn_http_server_open(t->loop, &options, &t->server, &err);
	if (code == TENON_OK)
		return true;
	assert_int_equal(code, TENON_NO_MEMORY);
	assert_string_equal(err.message, "out of memory");
	return false;
}

static void talk(struct talk *t)
{
	*t = (struct talk){0};
	if (tn_loop_create(&t->loop, NULL) != TENON_OK)
		return;
	if (open_handles(t)) {
		bool all = true;

		for (size_t i = 0; i < TN_COUNT(scripts) && all; i++)
			all = dial(t, scripts[i]);
		tn_timer_start(t->patience, PATIENCE_MS);
		if (t->clients)
			tn_loop_run(t->loop);
		tn_http_server_drain(t->server, on_drained, t);
		for (size_t i = 0; i < TN_COUNT(t->all); i++) {
			if (!t->all[i].io)
				continue;
			tn_io_close(t->all[i].io);
			(void)close(t->all[i].fd);
		}
	}
	tn_http_server_close(t->server);
	tn_timer_close(t->later);
	tn_timer_close(t->patience);
	tn_loop_destroy(t->loop);
}

static void test_every_allocation(void **state)
{
	static const char *const wanted[] = {"200", "200", "200", "200", "101", "200",
					     "200", "403", "400", "200", "200", "100"};
	struct talk *t = malloc(sizeof(*t));
	unsigned long total;

	(void)state;
	assert_non_null(t);
	assert_int_equal(TN_COUNT(wanted), TN_COUNT(scripts));
	memset(large, 'x', sizeof(large));
	talk(t);
	total = fault.count;
	assert_false(t->impatient);
	for (size_t i = 0; i < TN_COUNT(wanted); i++) {
		assert_true(t->all[i].ended);
		assert_memory_equal(t->all[i].status + 9, wanted[i], 3);
	}
	assert_int_equal(fault.live, 0);
	assert_in_range(total, 20, 2000);
	for (unsigned run = 0; run < 2; run++) {
		fault.goes_on = run == 1;
		for (unsigned long nth = 1; nth <= total; nth++) {
			fault.count = 0;
			fault.nth = nth;
			talk(t);
			assert_int_equal(fault.live, 0);
			assert_false(t->impatient);
		}
	}
	fault.nth = 0;
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};

	fault.armed = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
