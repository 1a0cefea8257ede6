/* link_load.c - calls a server over connections that stay open: WebSocket, or lines on a Unix
 * socket.
 *
 *     link_load --ws PORT | --unix PATH [OPTION VALUE]...
 *
 *     --connections N  each with one request under way at a time (16)
 *     --count N        answers to measure (100000)
 *     --warm N         answers before that (2000)
 *     --load-cpu N     processor of this program (1)
 *     --raw 1          the peer answers lines without reading them: nothing is checked
 *
 * The request is a modern tools/call of echo. The first answer on each connection must hold the
 * echo; every other one must be as long. Prints one line: name=value for each figure. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench.h"

#define ANSWER_MAX 4096
#define SAMPLES_MAX 4000000
#define CONNECTIONS_MAX 4096
#define TEXT_FRAME 0x81
#define MASKED 0x80

struct connection {
	int fd;
	size_t have;
	uint64_t asked_ns;
	char data[ANSWER_MAX];
};

struct load {
	bool ws, raw, measuring;
	int epoll;
	char request[1024];
	size_t request_size;
	size_t answer_size; /* of the first answer on the first connection, framing included */
	struct connection *connections;
	size_t connection_count, answers, samples;
	uint64_t *samples_ns;
};

static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"echo\",\"arguments\":{\"message\":\"hello\"},\"_meta\":{"
			   "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
			   "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

/* A line, or a masked frame. The mask is zero: the server cannot know, and undoes it all the same.
 */
static void make_request(struct load *load)
{
	const size_t size = sizeof(body) - 1;
	char *at = load->request;
	if (load->ws) {
		*at++ = (char)TEXT_FRAME;
		*at++ = (char)(MASKED | 126);
		*at++ = (char)(size >> 8);
		*at++ = (char)(size & 0xFF);
		memset(at, 0, 4);
		at += 4;
	}
	memcpy(at, body, size);
	at += size;
	if (!load->ws)
		*at++ = '\n';
	load->request_size = (size_t)(at - load->request);
}

static int dial_tcp(uint16_t port)
{
	const int on = 1;
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		bench_die("cannot connect: %s", strerror(errno));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

static int dial_unix(const char *path)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		bench_die("cannot connect to %s: %s", path, strerror(errno));
	return fd;
}

static void upgrade(int fd, uint16_t port)
{
	char text[1024];
	size_t have = 0;
	const int size =
		snprintf(text, sizeof(text),
			 "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nUpgrade: websocket\r\n"
			 "Connection: Upgrade\r\nSec-WebSocket-Key: dGVub24gYmVuY2ggbG9hZA==\r\n"
			 "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mcp\r\n\r\n",
			 port);
	bench_write(fd, text, (size_t)size);
	do {
		const ssize_t got = recv(fd, text + have, sizeof(text) - 1 - have, 0);
		if (got <= 0)
			bench_die("the connection was closed during the handshake");
		have += (size_t)got;
		text[have] = '\0';
	} while (!strstr(text, "\r\n\r\n"));
	if (strncmp(text, "HTTP/1.1 101 ", 13) != 0)
		bench_die("no WebSocket: %.200s", text);
}

static void ask(struct load *load, struct connection *c)
{
	c->asked_ns = bench_now_ns();
	bench_write(c->fd, load->request, load->request_size);
}

/* Bytes of the first whole answer, 0 while there is none. Pings are not sent within a bench. */
static size_t frame(const struct load *load, const struct connection *c)
{
	const unsigned char *at = (const unsigned char *)c->data;
	size_t head = 2, size;
	if (!load->ws) {
		const char *end = memchr(c->data, '\n', c->have);
		return end ? (size_t)(end - c->data) + 1 : 0;
	}
	if (c->have < 4)
		return 0;
	size = at[1];
	if (at[0] != TEXT_FRAME || size > 126)
		bench_die("a frame that is not expected: %02x %02x", at[0], at[1]);
	if (size == 126) {
		size = (size_t)at[2] << 8 | at[3];
		head = 4;
	}
	return c->have >= head + size ? head + size : 0;
}

static void check(struct load *load, const struct connection *c, size_t size)
{
	if (!load->answer_size) {
		if (!load->raw && !memmem(c->data, size, "\"text\":\"hello\"", 14))
			bench_die("not expected: %.*s", (int)size, c->data);
		load->answer_size = size;
	}
	if (size != load->answer_size)
		bench_die("an answer of %zu bytes, not %zu: %.*s", size, load->answer_size,
			  (int)size, c->data);
}

static void read_answer(struct load *load, struct connection *c)
{
	const ssize_t got = recv(c->fd, c->data + c->have, ANSWER_MAX - c->have, 0);
	size_t size;
	if (got <= 0)
		bench_die("the server closed a connection");
	c->have += (size_t)got;
	size = frame(load, c);
	if (!size && c->have == ANSWER_MAX)
		bench_die("an answer over %d bytes", ANSWER_MAX);
	if (!size)
		return;
	if (size != c->have)
		bench_die("more than one answer to one request");
	check(load, c, size);
	if (load->measuring && load->samples < SAMPLES_MAX)
		load->samples_ns[load->samples++] = bench_now_ns() - c->asked_ns;
	c->have = 0;
	load->answers++;
	ask(load, c);
}

static void run(struct load *load, size_t count)
{
	struct epoll_event events[256];
	load->answers = 0;
	while (load->answers < count) {
		const int ready = epoll_wait(load->epoll, events, 256, 5000);
		if (ready == 0)
			bench_die("no answer for five seconds");
		for (int i = 0; i < ready; i++)
			read_answer(load, events[i].data.ptr);
	}
}

static void open_all(struct load *load, uint16_t port, const char *path)
{
	for (size_t i = 0; i < load->connection_count; i++) {
		struct connection *c = &load->connections[i];
		struct epoll_event interest = {.events = EPOLLIN, .data.ptr = c};
		c->fd = path ? dial_unix(path) : dial_tcp(port);
		if (load->ws)
			upgrade(c->fd, port);
		(void)epoll_ctl(load->epoll, EPOLL_CTL_ADD, c->fd, &interest);
	}
	for (size_t i = 0; i < load->connection_count; i++)
		ask(load, &load->connections[i]);
}

int main(int argc, char **argv)
{
	const uint16_t port = (uint16_t)bench_option_number(argc, argv, "--ws", 0);
	const char *path = bench_option(argc, argv, "--unix", NULL);
	const long count = bench_option_number(argc, argv, "--count", 100000);
	const long connections = bench_option_number(argc, argv, "--connections", 16);
	struct load load = {.ws = port != 0,
			    .raw = bench_option_number(argc, argv, "--raw", 0) != 0,
			    .epoll = epoll_create1(EPOLL_CLOEXEC),
			    .connection_count = (size_t)connections};
	if ((port != 0) == (path != NULL) || count < 1 || connections < 1 ||
	    connections > CONNECTIONS_MAX)
		bench_die("usage: link_load --ws PORT | --unix PATH [--connections N] [--count N]");
	bench_pin((int)bench_option_number(argc, argv, "--load-cpu", 1));
	load.connections = bench_memory(load.connection_count * sizeof(*load.connections));
	load.samples_ns = bench_memory(SAMPLES_MAX * sizeof(*load.samples_ns));
	make_request(&load);
	open_all(&load, port, path);
	run(&load, (size_t)bench_option_number(argc, argv, "--warm", 2000));
	load.measuring = true;
	const uint64_t begin = bench_now_ns();
	run(&load, (size_t)count);
	const double took_ns = (double)(bench_now_ns() - begin);
	(void)printf("calls_per_s=%.0f p50_us=%.1f p99_us=%.1f answer_bytes=%zu\n",
		     (double)load.answers * 1e9 / took_ns,
		     (double)bench_percentile(load.samples_ns, load.samples, 0.5) / 1e3,
		     (double)bench_percentile(load.samples_ns, load.samples, 0.99) / 1e3,
		     load.answer_size);
	return 0;
}
