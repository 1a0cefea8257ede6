/* http_load.c - asks an HTTP server as fast as it answers.
 *
 *     http_load --port N [OPTION VALUE]...
 *
 *     --connections N  kept alive, each with one request under way at a time (16)
 *     --pipeline N     requests under way on each connection (1)
 *     --seconds N      how long to measure, after warming up (3)
 *     --count N        instead: how many answers to measure
 *     --request FILE   a whole request, head and body, as it goes over the wire; built in: a modern
 *                      tools/call of echo
 *     --warm-ms N      how long calls are made before (500)
 *     --load-cpu N     processor of this program (1); -1: any
 *     --pid N          the server; its processor time a call is printed as well
 *     --token T        sent as Authorization with the built-in request
 *
 * Understands Content-Length and chunked answers. A status other than 2xx ends the run: figures of
 * refusals would be worthless. Prints one line: name=value for each figure. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

#define READ_BYTES (256 * 1024)
#define REQUEST_MAX (1024 * 1024)
#define PIPELINE_MAX 64
#define SAMPLES_MAX (16 * 1024 * 1024)

enum part { HEAD, LENGTH, CHUNK_SIZE, CHUNK, TRAILER };

struct connection {
	int fd;
	enum part part;
	size_t left; /* of the body or chunk */
	size_t held; /* bytes of a line or head that is not complete */
	char line[8192];
	uint64_t asked_ns[PIPELINE_MAX]; /* a ring: when each request left */
	size_t asked_first;
};

struct load {
	int epoll;
	uint16_t port;
	size_t pipeline;
	char *request; /* `pipeline` of them behind each other */
	size_t request_size;
	struct connection *connections;
	size_t connection_count;
	uint64_t *samples_ns;
	size_t samples, answers, bytes;
	bool measuring;
	char *buffer;
};

static void ask(struct load *load, struct connection *c, size_t count)
{
	const uint64_t now = bench_now_ns();
	const char *data = load->request;
	size_t size = count * load->request_size;

	for (size_t i = 0; i < count; i++)
		c->asked_ns[(c->asked_first + load->pipeline - count + i) % PIPELINE_MAX] = now;
	while (size) {
		const ssize_t sent = send(c->fd, data, size, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			bench_die("cannot send: %s", strerror(errno));
		if (sent > 0) {
			data += sent;
			size -= (size_t)sent;
		}
	}
}

static void answered(struct load *load, struct connection *c)
{
	if (load->measuring && load->samples < SAMPLES_MAX)
		load->samples_ns[load->samples++] =
			bench_now_ns() - c->asked_ns[c->asked_first % PIPELINE_MAX];
	c->asked_first++;
	c->part = HEAD;
	load->answers++;
}

/* Collects bytes in c->line up to and with `end`. Returns how many were taken. */
static size_t collect(struct connection *c, const char *data, size_t size, const char *end,
		      bool *ret_complete)
{
	const size_t end_size = strlen(end), before = c->held;
	size_t room = sizeof(c->line) - 1 - before;
	char *found;

	if (size < room)
		room = size;
	memcpy(c->line + before, data, room);
	c->held += room;
	found = memmem(c->line, c->held, end, end_size);
	*ret_complete = found != NULL;
	if (!found) {
		if (c->held == sizeof(c->line) - 1)
			bench_die("an answer's head is too long");
		return room;
	}
	c->held = (size_t)(found - c->line) + end_size;
	room = c->held - before;
	c->line[c->held] = '\0';
	c->held = 0;
	return room;
}

static void begin_body(struct load *load, struct connection *c)
{
	const char *length = strcasestr(c->line, "\r\nContent-Length:");

	if (strncmp(c->line, "HTTP/1.1 2", 10) != 0)
		bench_die("the server answers %.40s", c->line);
	if (strcasestr(c->line, "\r\nTransfer-Encoding: chunked")) {
		c->part = CHUNK_SIZE;
		return;
	}
	c->left = length ? strtoul(length + 17, NULL, 10) : 0;
	c->part = LENGTH;
	if (c->left == 0)
		answered(load, c);
}

/* Takes bytes off the front of what arrived. */
static size_t take(struct load *load, struct connection *c, const char *data, size_t size)
{
	bool complete = false;
	size_t used = size < c->left ? size : c->left;

	switch (c->part) {
	case HEAD:
		used = collect(c, data, size, "\r\n\r\n", &complete);
		if (complete)
			begin_body(load, c);
		return used;
	case CHUNK_SIZE:
		used = collect(c, data, size, "\r\n", &complete);
		if (complete) {
			c->left = strtoul(c->line, NULL, 16);
			c->part = c->left ? CHUNK : TRAILER;
			c->left += c->left ? 2 : 0;
		}
		return used;
	case TRAILER:
		used = collect(c, data, size, "\r\n", &complete);
		if (complete)
			answered(load, c);
		return used;
	default:
		c->left -= used;
		if (c->left == 0 && c->part == LENGTH)
			answered(load, c);
		else if (c->left == 0)
			c->part = CHUNK_SIZE;
		return used;
	}
}

static void read_answers(struct load *load, struct connection *c)
{
	const ssize_t got = recv(c->fd, load->buffer, READ_BYTES, 0);
	const size_t before = load->answers;
	size_t at = 0;

	if (got <= 0)
		bench_die("the server closed a connection");
	load->bytes += (size_t)got;
	while (at < (size_t)got)
		at += take(load, c, load->buffer + at, (size_t)got - at);
	if (load->answers > before)
		ask(load, c, load->answers - before);
}

static void run_until(struct load *load, uint64_t end_ns, size_t end_answers)
{
	struct epoll_event events[256];

	while (bench_now_ns() < end_ns && load->answers < end_answers) {
		const int count = epoll_wait(load->epoll, events, 256, 1000);

		for (int i = 0; i < count; i++)
			read_answers(load, events[i].data.ptr);
	}
}

static void dial(struct load *load, struct connection *c)
{
	const int on = 1;
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(load->port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct epoll_event interest = {.events = EPOLLIN, .data.ptr = c};

	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&at, sizeof(at)) != 0)
		bench_die("cannot connect: %s", strerror(errno));
	(void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)epoll_ctl(load->epoll, EPOLL_CTL_ADD, c->fd, &interest);
}

static size_t built_in(char *out, uint16_t port, const char *token)
{
	static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
				   "call\",\"params\":{\"name\":\"echo\","
				   "\"arguments\":{\"message\":\"hello\"},\"_meta\":{"
				   "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
				   "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
	char authorization[300] = "";

	if (token)
		(void)snprintf(authorization, sizeof(authorization), "Authorization: Bearer %s\r\n",
			       token);
	return (size_t)snprintf(
		out, REQUEST_MAX,
		"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nContent-Type: application/json\r\n"
		"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: "
		"2026-07-28\r\n"
		"Mcp-Method: tools/call\r\nMcp-Name: echo\r\n%sContent-Length: %zu\r\n\r\n%s",
		port, authorization, sizeof(body) - 1, body);
}

static void load_request(struct load *load, int argc, char **argv)
{
	const char *path = bench_option(argc, argv, "--request", NULL);
	const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t size;

	load->request = bench_memory(REQUEST_MAX * (PIPELINE_MAX + 1));
	if (path) {
		size = fd < 0 ? -1 : read(fd, load->request, REQUEST_MAX);
		if (size <= 0)
			bench_die("cannot read %s", path);
		(void)close(fd);
		load->request_size = (size_t)size;
	} else {
		load->request_size = built_in(load->request, load->port,
					      bench_option(argc, argv, "--token", NULL));
	}
	for (size_t i = 1; i < load->pipeline; i++)
		memcpy(load->request + i * load->request_size, load->request, load->request_size);
}

static double cpu_us_of(long pid)
{
	char path[64], text[1024];
	unsigned long user = 0, system_time = 0;
	int fd;
	ssize_t size;
	char *at;

	if (pid <= 0)
		return 0;
	(void)snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (size <= 0)
		bench_die("cannot read %s", path);
	(void)close(fd);
	text[size] = '\0';
	at = strrchr(text, ')');
	if (!at || sscanf(at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
			  &system_time) != 2)
		bench_die("cannot read %s", path);
	return (double)(user + system_time) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static double own_cpu_us(void)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void measure(struct load *load, uint64_t seconds, size_t count, long pid)
{
	uint64_t begin_ns, took_ns;
	double calls, server_us, own_us;

	load->answers = load->bytes = 0;
	load->measuring = true;
	server_us = cpu_us_of(pid);
	own_us = own_cpu_us();
	begin_ns = bench_now_ns();
	run_until(load, count ? UINT64_MAX : begin_ns + seconds * 1000000000U,
		  count ? count : SIZE_MAX);
	took_ns = bench_now_ns() - begin_ns;
	calls = (double)load->answers;
	(void)printf(
		"connections=%zu pipeline=%zu calls=%zu calls_per_s=%.0f p50_us=%.1f p99_us=%.1f "
		"load_cpu_us_per_call=%.3f",
		load->connection_count, load->pipeline, load->answers,
		calls * 1e9 / (double)took_ns,
		(double)bench_percentile(load->samples_ns, load->samples, 0.50) / 1000,
		(double)bench_percentile(load->samples_ns, load->samples, 0.99) / 1000,
		(own_cpu_us() - own_us) / calls);
	if (pid > 0)
		(void)printf(" server_cpu_us_per_call=%.3f", (cpu_us_of(pid) - server_us) / calls);
	(void)printf(" bytes_per_answer=%.0f\n", (double)load->bytes / calls);
}

int main(int argc, char **argv)
{
	struct load load = {
		.port = (uint16_t)bench_option_number(argc, argv, "--port", 0),
		.pipeline = (size_t)bench_option_number(argc, argv, "--pipeline", 1),
		.connection_count = (size_t)bench_option_number(argc, argv, "--connections", 16),
	};

	if (load.port == 0 || load.pipeline < 1 || load.pipeline > PIPELINE_MAX ||
	    load.connection_count < 1)
		bench_die("usage: http_load --port N [--connections N] [--pipeline 1..64] ...");
	bench_pin((int)bench_option_number(argc, argv, "--load-cpu", 1));
	load.epoll = epoll_create1(EPOLL_CLOEXEC);
	load.buffer = bench_memory(READ_BYTES);
	load.samples_ns = bench_memory(SAMPLES_MAX * sizeof(*load.samples_ns));
	load.connections = bench_memory(load.connection_count * sizeof(*load.connections));
	load_request(&load, argc, argv);
	for (size_t i = 0; i < load.connection_count; i++)
		dial(&load, &load.connections[i]);
	for (size_t i = 0; i < load.connection_count; i++)
		ask(&load, &load.connections[i], load.pipeline);
	run_until(&load,
		  bench_now_ns() +
			  (uint64_t)bench_option_number(argc, argv, "--warm-ms", 500) * 1000000U,
		  SIZE_MAX);
	measure(&load, (uint64_t)bench_option_number(argc, argv, "--seconds", 3),
		(size_t)bench_option_number(argc, argv, "--count", 0),
		bench_option_number(argc, argv, "--pid", 0));
	return 0;
}
