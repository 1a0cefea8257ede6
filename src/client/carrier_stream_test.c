/* The carriers of one connection for everything: Unix sockets and WebSocket, against peers that
 * refuse, hang, break off and go. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "client/carrier.h"
#include "transport/limits.h"
#include "transport/ws_frame.h"

enum { WAIT_MS = 30000, BYTES_MAX = 64 * 1024 };

struct world {
	struct tn_loop *loop;
	struct tn_carrier *carrier;
	struct tn_buf log; /* what the conversation is told, one line each */
	struct tn_timer *timer;
	struct tn_later *later;
	const char *wanted;
	bool is_late;

	/* The peer. */
	char folder[32];
	char path[64];
	uint16_t port;
	int listener, fd; /* -1: none */
	struct tn_io *accepting, *reading;
	struct tn_buf heard;
	/* Plays the peer whenever something was heard; NULL: it listens only. */
	void (*play)(struct world *w);
	const char *reply; /* to an upgrade; "$": the right Sec-WebSocket-Accept */
};

/* ---- the conversation ---- */

static void look(struct world *w)
{
	tn_buf_append_byte(&w->log, '\0');
	w->log.size--;
	if (w->wanted && strstr(w->log.data, w->wanted))
		tn_loop_stop(w->loop);
}

static void ready(void *data)
{
	struct world *w = data;

	tn_buf_append_text(&w->log, "ready\n");
	look(w);
}

static void message(void *data, void *request, unsigned status, struct tn_str json)
{
	struct world *w = data;

	assert_null(request);
	assert_int_equal(status, 0);
	tn_buf_format(&w->log, "message %.*s\n", (int)(json.size < 100 ? json.size : 100),
		      json.data);
	look(w);
}

static void ended(void *data, void *request, const struct tn_carrier_end *end)
{
	(void)data;
	(void)request;
	(void)end;
	fail_msg("a stream carrier ends no requests");
}

static void lost(void *data, const struct tenon_error *err)
{
	struct world *w = data;

	tn_buf_format(&w->log, "lost %s %s\n", tenon_code_name(err->code), err->message);
	look(w);
}

static void skipped(void *data)
{
	struct world *w = data;

	tn_buf_append_text(&w->log, "skipped\n");
	look(w);
}

static void closed(void *data)
{
	struct world *w = data;

	w->carrier = NULL;
	tn_buf_append_text(&w->log, "closed\n");
	look(w);
}

static const struct tn_carrier_events events = {
	.ready = ready, .message = message, .ended = ended, .lost = lost, .skipped = skipped};

static void time_over(struct tn_timer *timer, void *data)
{
	struct world *w = data;

	(void)timer;
	w->is_late = true;
	tn_loop_stop(w->loop);
}

static bool runs_until(struct world *w, const char *text, uint32_t ms)
{
	w->wanted = text;
	w->is_late = false;
	tn_timer_start(w->timer, ms);
	if (!w->log.size || !strstr(w->log.data, text))
		tn_loop_run(w->loop);
	tn_timer_stop(w->timer);
	w->wanted = NULL;
	return !w->is_late;
}

static void run_until(struct world *w, const char *text)
{
	if (!runs_until(w, text, WAIT_MS))
		fail_msg("no %s; %s", text, w->log.size ? w->log.data : "");
}

/* ---- the peer ---- */

static void hang_up(struct world *w)
{
	tn_io_close(w->reading);
	w->reading = NULL;
	if (w->fd >= 0)
		(void)close(w->fd);
	w->fd = -1;
}

static void say(struct world *w, const char *bytes, size_t size)
{
	assert_int_equal(send(w->fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
}

static void hear(struct tn_io *io, int what, void *data)
{
	struct world *w = data;
	char bytes[BYTES_MAX];
	ssize_t got = recv(w->fd, bytes, sizeof(bytes), MSG_DONTWAIT);

	(void)io;
	(void)what;
	if (got <= 0) {
		tn_buf_append_text(&w->log, "peer: end\n");
		hang_up(w);
		look(w);
		return;
	}
	tn_buf_append(&w->heard, bytes, (size_t)got);
	tn_buf_append_byte(&w->heard, '\0');
	w->heard.size--;
	if (w->play)
		w->play(w);
}

static void come_in(struct tn_io *io, int what, void *data)
{
	struct world *w = data;

	(void)io;
	(void)what;
	hang_up(w);
	tn_buf_clear(&w->heard);
	w->fd = accept(w->listener, NULL, NULL);
	assert_true(w->fd >= 0);
	assert_int_equal(tn_io_open(w->loop, w->fd, hear, w, &w->reading, NULL), TENON_OK);
	tn_io_watch(w->reading, TN_IO_READ);
}

static void set_up(struct world *w, int family)
{
	union {
		struct sockaddr any;
		struct sockaddr_un local;
		struct sockaddr_in in;
	} address = {0};
	socklen_t size = family == AF_UNIX ? sizeof(address.local) : sizeof(address.in);

	*w = (struct world){.listener = -1, .fd = -1, .folder = "/tmp/carrier-XXXXXX"};
	tn_buf_init(&w->log, TN_MIB);
	tn_buf_init(&w->heard, TN_MIB);
	assert_int_equal(tn_loop_create(&w->loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(w->loop, time_over, w, &w->timer, NULL), TENON_OK);
	assert_non_null(mkdtemp(w->folder));
	(void)snprintf(w->path, sizeof(w->path), "%s/socket", w->folder);
	address.any.sa_family = (sa_family_t)family;
	if (family == AF_UNIX)
		memcpy(address.local.sun_path, w->path, strlen(w->path));
	else
		address.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	w->listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(w->listener, &address.any, size), 0);
	assert_int_equal(listen(w->listener, 1), 0);
	if (family == AF_INET) {
		assert_int_equal(getsockname(w->listener, &address.any, &size), 0);
		w->port = ntohs(address.in.sin_port);
	}
	assert_int_equal(tn_io_open(w->loop, w->listener, come_in, w, &w->accepting, NULL),
			 TENON_OK);
	tn_io_watch(w->accepting, TN_IO_READ);
}

static void stop_listening(struct world *w)
{
	tn_io_close(w->accepting);
	w->accepting = NULL;
	if (w->listener >= 0)
		(void)close(w->listener);
	w->listener = -1;
}

static void tear_down(struct world *w)
{
	if (w->carrier)
		w->carrier->ops->abort(w->carrier);
	hang_up(w);
	stop_listening(w);
	(void)unlink(w->path);
	(void)rmdir(w->folder);
	tn_timer_close(w->timer);
	tn_loop_destroy(w->loop); /* fails when anything is left open */
	tn_buf_finish(&w->log);
	tn_buf_finish(&w->heard);
}

static void send_text(struct world *w, const char *json)
{
	struct tn_outgoing out = {.json = tn_str_from(json)};

	w->carrier->ops->send(w->carrier, &out);
	w->carrier->ops->forget(w->carrier, w); /* means nothing here */
}

/* ---- Unix sockets ---- */

static enum tenon_code open_unix(struct world *w, const char *path, uint32_t timeout_ms,
				 struct tenon_error *err)
{
	struct tn_carrier_options options = {
		.loop = w->loop, .events = &events, .data = w, .connect_timeout_ms = timeout_ms};
	struct tn_url_target target = {0};
	char url[256];

	(void)snprintf(url, sizeof(url), "unix:%s", path);
	target.url = url;
	return tn_carrier_open_unix(&options, &target, &w->carrier, err);
}

static void answer_line(struct world *w)
{
	static const char lines[] = "{\"b\":2}\n\n{\"c\":3}\r\n";

	if (strstr(w->heard.data, "{\"a\":1}\n"))
		say(w, lines, sizeof(lines) - 1);
}

static void unix_talk(void **state) /* MCP-093 MCP-080 */
{
	struct world w;
	struct tenon_error err;

	(void)state;
	set_up(&w, AF_UNIX);
	w.play = answer_line;
	assert_int_equal(open_unix(&w, w.path, 1000, &err), TENON_OK);
	assert_string_equal(w.carrier->transport, "unix");
	assert_int_equal(w.carrier->kind, TN_CARRIER_STREAM);
	assert_int_equal(w.log.size, 0); /* nothing inside the call */
	send_text(&w, "{\"early\":0}");  /* connected at once, so it may travel */
	run_until(&w, "ready");
	send_text(&w, "{\"a\":1}");
	run_until(&w, "{\"c\":3}");
	assert_string_equal(w.log.data, "ready\nmessage {\"b\":2}\nmessage {\"c\":3}\n");
	/* Closing: what was sent arrives, then the end; the peer's own end ends it. */
	send_text(&w, "{\"last\":1}");
	w.carrier->ops->close(w.carrier, closed, &w);
	run_until(&w, "closed");
	assert_non_null(strstr(w.heard.data, "{\"last\":1}\n"));
	assert_non_null(strstr(w.log.data, "peer: end\nclosed\n"));
	tear_down(&w);
}

static void unix_refusals(void **state)
{
	char path[120];
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_UNIX);
	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(open_unix(&w, path, 1000, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "1 to 107 bytes"));
	assert_int_equal(open_unix(&w, "", 1000, &err), TENON_INVALID);
	assert_int_equal(open_unix(&w, "/nowhere/at/all", 1000, &err), TENON_OK);
	run_until(&w, "lost");
	assert_string_equal(w.log.data,
			    "lost system connect to the server's socket: No such file or "
			    "directory\n");
	w.carrier->ops->close(w.carrier, closed, &w);
	run_until(&w, "closed");
	tear_down(&w);
}

static void unix_peer_goes(void **state)
{
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_UNIX);
	assert_int_equal(open_unix(&w, w.path, 1000, &err), TENON_OK);
	run_until(&w, "ready");
	send_text(&w, "{\"a\":1}");
	while (w.fd < 0 || !w.heard.size)
		(void)runs_until(&w, "never", 5);
	hang_up(&w);
	run_until(&w, "lost");
	send_text(&w, "{\"b\":1}"); /* nowhere */
	(void)runs_until(&w, "never", 20);
	assert_string_equal(w.log.data,
			    "ready\nlost system the server has closed the connection\n");
	tear_down(&w);
}

/* A peer that does not read its end of input is not waited for longer than the grace. */
static void unix_peer_stays(void **state) /* MCP-087 */
{
	struct tenon_error err;
	uint64_t begun;
	struct world w;

	(void)state;
	set_up(&w, AF_UNIX);
	assert_int_equal(open_unix(&w, w.path, 1000, &err), TENON_OK);
	run_until(&w, "ready");
	while (w.fd < 0)
		(void)runs_until(&w, "never", 5);
	tn_io_watch(w.reading, 0);
	begun = tn_loop_now_ms(w.loop);
	w.carrier->ops->close(w.carrier, closed, &w);
	run_until(&w, "closed");
	assert_true(tn_loop_now_ms(w.loop) - begun >= TN_SHUTDOWN_GRACE_MS - 10);
	tear_down(&w);
}

/* The queue of those who wait to be let in is full: tried again, but not for ever. */
static void unix_queue_is_full(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int waiting[8];
	size_t count = 0;
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_UNIX);
	tn_io_watch(w.accepting, 0);
	memcpy(address.sun_path, w.path, strlen(w.path));
	for (; count < TN_COUNT(waiting); count++) {
		waiting[count] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		if (connect(waiting[count], (const struct sockaddr *)(const void *)&address,
			    sizeof(address)) != 0)
			break;
	}
	assert_true(count < TN_COUNT(waiting));
	assert_int_equal(open_unix(&w, w.path, 60, &err), TENON_OK);
	run_until(&w, "lost");
	assert_non_null(strstr(w.log.data, "lost system connect to the server's socket: Resource"));
	w.carrier->ops->abort(w.carrier);
	tn_buf_clear(&w.log);
	assert_int_equal(open_unix(&w, w.path, 2000, &err), TENON_OK);
	(void)runs_until(&w, "never", 30);
	tn_io_watch(w.accepting, TN_IO_READ); /* now they are let in, one after the other */
	run_until(&w, "ready");
	for (size_t i = 0; i <= count; i++)
		(void)close(waiting[i]);
	tear_down(&w);
}

/* ---- WebSocket ---- */

#define SWITCH(accept, more)                                                       \
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Up" \
	"grade\r\nSec-WebSocket-Accept: " accept "\r\n" more "\r\n"

static enum tenon_code open_ws(struct world *w, const char *url, struct tn_url_target target,
			       uint32_t timeout_ms, struct tenon_error *err)
{
	struct tn_carrier_options options = {
		.loop = w->loop, .events = &events, .data = w, .connect_timeout_ms = timeout_ms};
	char text[128];

	(void)snprintf(text, sizeof(text), "ws://127.0.0.1:%u/ws?x=1", w->port);
	target.url = url ? url : text;
	return tn_carrier_open_ws(&options, &target, &w->carrier, err);
}

static void answer_upgrade(struct world *w)
{
	const char *key = strstr(w->heard.data, "Sec-WebSocket-Key: ");
	char accept[TN_WS_ACCEPT_SIZE], own_key[TN_WS_KEY_SIZE];
	struct tn_buf out;

	if (!strstr(w->heard.data, "\r\n\r\n") || !key || !w->reply)
		return;
	memcpy(own_key, key + 19, sizeof(own_key) - 1);
	own_key[sizeof(own_key) - 1] = '\0';
	tn_ws_accept(tn_str_from(own_key), accept);
	tn_buf_init(&out, TN_MIB);
	for (const char *at = w->reply; *at; at++) {
		if (*at == '$')
			tn_buf_append_text(&out, accept);
		else
			tn_buf_append_byte(&out, *at);
	}
	w->play = NULL;
	say(w, out.data, out.size);
	tn_buf_finish(&out);
}

static void open_to(struct world *w, const char *reply)
{
	struct tenon_error err = {0};

	w->play = answer_upgrade;
	w->reply = reply;
	assert_int_equal(open_ws(w, NULL, (struct tn_url_target){0}, 2000, &err), TENON_OK);
}

static void ws_talk(void **state) /* MCP-161 MCP-162 MCP-272 */
{
	static const char *const headers[] = {"X-One: 1", "X-Two: 2", NULL};
	static const char *const wanted[] = {
		"GET /ws?x=1 HTTP/1.1\r\nHost: 127.0.0.1:", "\r\nUpgrade: websocket\r\n",
		"\r\nSec-WebSocket-Version: 13\r\n",        "\r\nSec-WebSocket-Protocol: mcp\r\n",
		"\r\nAuthorization: Bearer secret\r\n",     "\r\nX-One: 1\r\nX-Two: 2\r\n"};
	struct tn_url_target target = {.token = "secret", .headers = headers};
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_INET);
	w.play = answer_upgrade;
	/* A message comes in the same packet as the handshake. */
	w.reply = SWITCH("$", "sec-websocket-protocol:  mcp \r\n") "\x81\x07{\"a\":1}";
	assert_int_equal(open_ws(&w, NULL, target, 2000, &err), TENON_OK);
	assert_string_equal(w.carrier->transport, "ws");
	send_text(&w, "{\"too early\":1}"); /* not connected: dropped */
	run_until(&w, "message");
	assert_string_equal(w.log.data, "ready\nmessage {\"a\":1}\n");
	for (size_t i = 0; i < TN_COUNT(wanted); i++) {
		if (!strstr(w.heard.data, wanted[i]))
			fail_msg("%s is not in %s", wanted[i], w.heard.data);
	}
	assert_null(strstr(w.heard.data, "early"));
	tn_buf_clear(&w.heard);
	send_text(&w, "{\"b\":22}");
	while (w.heard.size < 14)
		(void)runs_until(&w, "never", 5);
	assert_int_equal((unsigned char)w.heard.data[0], 0x81);
	assert_int_equal((unsigned char)w.heard.data[1], 0x80 | 8); /* masked */
	/* An orderly end: our close frame, the peer's, and it is over. */
	w.carrier->ops->close(w.carrier, closed, &w);
	while (w.heard.size < 22)
		(void)runs_until(&w, "never", 5);
	assert_int_equal((unsigned char)w.heard.data[14], 0x88);
	say(&w, "\x88\x02\x03\xe8", 4);
	hang_up(&w);
	run_until(&w, "closed");
	tear_down(&w);
}

static void ws_refused(const char *reply, const char *told)
{
	struct world w;

	set_up(&w, AF_INET);
	open_to(&w, reply);
	run_until(&w, "lost");
	if (strcmp(w.log.data, told) != 0)
		fail_msg("%s, not %s", w.log.data, told);
	w.carrier->ops->close(w.carrier, closed, &w); /* nothing is left to say good-bye to */
	run_until(&w, "closed");
	tear_down(&w);
}

static void ws_refusals(void **state) /* MCP-061 MCP-161 */
{
	static const char *const cases[][2] = {
		{"HTTP/1.1 401 Unauthorized\r\n\r\n", "lost denied the server refuses us (401)\n"},
		{"HTTP/1.1 403 Forbidden\r\n\r\n", "lost denied the server refuses us (403)\n"},
		{"HTTP/1.1 503 Busy\r\n\r\n", "lost busy the server is busy (503)\n"},
		{"HTTP/1.1 429 Slow\r\n\r\n", "lost busy the server is busy (429)\n"},
		{"HTTP/1.1 200 OK\r\n\r\nhello",
		 "lost invalid the server answered 200 and opened no WebSocket\n"},
		{"HTTP/1.1 xxx\r\n\r\n", "lost invalid the server's reply is not HTTP\n"},
		{"SSH-2.0-OpenSSH\r\n\r\n", "lost invalid the server's reply is not HTTP\n"},
		{SWITCH("AAAAAAAAAAAAAAAAAAAAAAAAAAA=", ""),
		 "lost invalid the server's WebSocket handshake is wrong\n"},
		{"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nSec-WebSocket-Accept: $\r\n\r"
		 "\n",
		 "lost invalid the server's WebSocket handshake is wrong\n"},
		{"HTTP/1.1 101 Switching Protocols\r\nno colon\r\n\r\n",
		 "lost invalid the server's WebSocket handshake is wrong\n"},
		{SWITCH("$", "Sec-WebSocket-Protocol: chat\r\n"),
		 "lost invalid the server chose another WebSocket subprotocol than mcp\n"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		ws_refused(cases[i][0], cases[i][1]);
}

static void ws_endings(void **state)
{
	static const char *const cases[][2] = {
		/* The peer closes with 1001, breaks off, sends a binary message. */
		{"\x88\x02\x03\xe9", "lost system the server has closed the connection (1001)\n"},
		{"", "lost system the connection to the server broke\n"},
		{"\x82\x01x", "lost system"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct world w;

		set_up(&w, AF_INET);
		open_to(&w, SWITCH("$", ""));
		run_until(&w, "ready\n"); /* no subprotocol at all is taken */
		if (cases[i][0][0])
			say(&w, cases[i][0], strlen(cases[i][0]));
		if (i != 2)
			hang_up(&w);
		run_until(&w, "lost");
		if (!strstr(w.log.data, cases[i][1]))
			fail_msg("%s, not %s", w.log.data, cases[i][1]);
		send_text(&w, "{}"); /* nowhere */
		tear_down(&w);
	}
}

static void ws_silence(void **state)
{
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_INET); /* it takes the connection and says nothing */
	assert_int_equal(open_ws(&w, NULL, (struct tn_url_target){0}, 50, &err), TENON_OK);
	run_until(&w, "lost");
	assert_non_null(strstr(w.log.data, "lost expired no connection to the server in time\n"));
	tear_down(&w);
}

static void ws_hang_up(void **state)
{
	static const char half[] = "HTTP/1.1 101 Switch";
	struct world w;
	char *flood;

	(void)state;
	set_up(&w, AF_INET);
	open_to(&w, half);
	while (w.fd < 0 || w.play)
		(void)runs_until(&w, "never", 5);
	hang_up(&w);
	run_until(&w, "lost system the server ended the WebSocket handshake\n");
	tear_down(&w);

	set_up(&w, AF_INET); /* a head without an end */
	flood = tn_mem_alloc(TN_HTTP_SECTION_MAX + 2);
	assert_non_null(flood);
	memset(flood, 'x', TN_HTTP_SECTION_MAX + 1);
	open_to(&w, flood);
	run_until(&w, "lost limit");
	tn_mem_free(flood);
	tear_down(&w);
}

static void ws_nobody(void **state)
{
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_INET);
	stop_listening(&w);
	assert_int_equal(open_ws(&w, NULL, (struct tn_url_target){0}, 2000, &err), TENON_OK);
	run_until(&w, "lost");
	assert_string_equal(w.log.data, "lost system connect to the server: Connection refused\n");
	w.carrier->ops->abort(w.carrier);
	assert_int_equal(
		open_ws(&w, "ws://no-such-host.invalid/", (struct tn_url_target){0}, 5000, &err),
		TENON_OK);
	run_until(&w, "lost system the server's host has no address\n");
	w.carrier->ops->abort(w.carrier);
	w.carrier = NULL;
	assert_int_equal(open_ws(&w, "http://127.0.0.1/", (struct tn_url_target){0}, 1, &err),
			 TENON_INVALID);
	assert_int_equal(open_ws(&w, "ws:", (struct tn_url_target){0}, 1, &err), TENON_INVALID);
	tear_down(&w);
}

/* At every step of the way in. */
static void ws_closed_early(void **state)
{
	struct tenon_error err;
	struct world w;

	(void)state;
	set_up(&w, AF_INET);
	for (int step = 0; step < 3; step++) {
		tn_buf_clear(&w.log);
		assert_int_equal(
			open_ws(&w, "ws://localhost:1/", (struct tn_url_target){0}, 500, &err),
			TENON_OK);
		if (step == 0) {
			w.carrier->ops->abort(w.carrier); /* the lookup goes on alone */
			w.carrier = NULL;
			continue;
		}
		if (step == 2)
			(void)runs_until(&w, "never", 5);
		w.carrier->ops->close(w.carrier, closed, &w);
		run_until(&w, "closed");
		assert_null(strstr(w.log.data, "ready"));
	}
	open_to(&w, NULL); /* connected, and not answered */
	while (w.fd < 0 || !w.heard.size)
		(void)runs_until(&w, "never", 5);
	tn_buf_clear(&w.log);
	w.carrier->ops->close(w.carrier, NULL, NULL); /* nobody wants to know */
	run_until(&w, "peer: end");
	(void)runs_until(&w, "never", 5);
	w.carrier = NULL;
	assert_string_equal(w.log.data, "peer: end\n");
	tear_down(&w);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(unix_talk),          cmocka_unit_test(unix_refusals),
		cmocka_unit_test(unix_peer_goes),     cmocka_unit_test(unix_peer_stays),
		cmocka_unit_test(unix_queue_is_full), cmocka_unit_test(ws_talk),
		cmocka_unit_test(ws_refusals),        cmocka_unit_test(ws_endings),
		cmocka_unit_test(ws_silence),         cmocka_unit_test(ws_hang_up),
		cmocka_unit_test(ws_nobody),          cmocka_unit_test(ws_closed_early),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
