/* idle_streams.c - what an idle stream costs, and how soon a change reaches all of them.
 *
 *     idle_streams --port N --pid N [OPTION VALUE]...
 *
 *     --streams N   streams, each on a connection of its own (1000)
 *     --rounds N    changes told, one after the other (30)
 *     --era E       modern: subscriptions/listen; legacy: a session with its GET stream and
 *                   resources/subscribe (modern)
 *     --load-cpu N  processor of this program (1)
 *
 * Opens the streams, waits until the server has given back what it does not need, and weighs it:
 * the difference to before, by the number of streams. Then calls `broadcast` on one more connection
 * and waits until each stream has got the event. Prints one line: name=value for each figure. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define STREAMS_MAX 20000
#define ROUNDS_MAX 1000
#define READ_BYTES (64 * 1024)
#define ROUND_MS_MAX 10000
#define SETTLE_MS 500

struct streams {
	uint16_t port;
	bool legacy;
	int epoll;
	int control;
	char session[256]; /* of the control connection */
	int *fds;
	uint32_t *told; /* the last round each stream has got */
	int count;
	char *buffer; /* READ_BYTES */
};

static const char modern_meta[] =
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
	"\"io.modelcontextprotocol/clientCapabilities\":{}}";

static int dial(const struct streams *streams)
{
	const int on = 1;
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons(streams->port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		bench_die("cannot connect: %s", strerror(errno));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

/* Sends a request; `headers` are whole lines. */
static void request(const struct streams *streams, int fd, const char *verb, const char *headers,
		    const char *body)
{
	char text[4096];
	const int size =
		snprintf(text, sizeof(text),
			 "%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
			 "Accept: application/json, text/event-stream\r\n"
			 "Content-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
			 verb, streams->port, headers, strlen(body), body);
	if (size < 0 || (size_t)size >= sizeof(text))
		bench_die("the request is too long");
	bench_write(fd, text, (size_t)size);
}

/* Reads until `text` has come. */
static void expect(const struct streams *streams, int fd, const char *text)
{
	size_t have = 0;
	for (;;) {
		const ssize_t size = recv(fd, streams->buffer + have, READ_BYTES - 1 - have, 0);
		if (size <= 0)
			bench_die("the server closed a connection: %s", streams->buffer);
		have += (size_t)size;
		streams->buffer[have] = '\0';
		if (strstr(streams->buffer, text))
			return;
		if (have == READ_BYTES - 1 || strstr(streams->buffer, "\"error\""))
			bench_die("not expected: %.500s", streams->buffer);
	}
}

/* Opens a session on this connection. Fills in the header lines that name it. */
static void open_session(const struct streams *streams, int fd, char *ret_headers, size_t size)
{
	char id[128] = "";
	request(streams, fd, "POST", "",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
		"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
		"\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}");
	expect(streams, fd, "\"serverInfo\"");
	const char *header = strcasestr(streams->buffer, "\r\nmcp-session-id:");
	if (!header || sscanf(header + 17, " %127[!-~]", id) != 1)
		bench_die("no session: %.500s", streams->buffer);
	(void)snprintf(ret_headers, size,
		       "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-11-25\r\n", id);
	request(streams, fd, "POST", ret_headers,
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
	expect(streams, fd, " 202 ");
}

static void open_stream(struct streams *streams, int index)
{
	char headers[256], body[512];
	const int fd = dial(streams);
	streams->fds[index] = fd;
	if (streams->legacy) {
		open_session(streams, fd, headers, sizeof(headers));
		request(streams, fd, "POST", headers,
			"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\","
			"\"params\":{\"uri\":\"bench://feed\"}}");
		expect(streams, fd, "\"result\"");
		request(streams, fd, "GET", headers, "");
		expect(streams, fd, "text/event-stream");
	} else {
		(void)snprintf(body, sizeof(body),
			       "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"subscriptions/listen\","
			       "\"params\":{\"notifications\":{\"resourceSubscriptions\":["
			       "\"bench://feed\"]},%s}}",
			       10000000 + index, modern_meta);
		request(streams, fd, "POST",
			"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
			body);
		expect(streams, fd, "subscriptions/acknowledged");
	}
	struct epoll_event interest = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
	(void)epoll_ctl(streams->epoll, EPOLL_CTL_ADD, fd, &interest);
}

static void call_broadcast(struct streams *streams)
{
	char body[512];
	(void)snprintf(body, sizeof(body),
		       "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{"
		       "\"name\":\"broadcast\",\"arguments\":{}%s%s}}",
		       streams->legacy ? "" : ",", streams->legacy ? "" : modern_meta);
	request(streams, streams->control, "POST",
		streams->legacy ? streams->session
				: "MCP-Protocol-Version: 2026-07-28\r\n"
				  "Mcp-Method: tools/call\r\nMcp-Name: broadcast\r\n",
		body);
}

/* Returns how many streams got the round's event just now. */
static int take_events(struct streams *streams, uint32_t round, int timeout_ms)
{
	struct epoll_event events[256];
	int fresh = 0;
	const int ready = epoll_wait(streams->epoll, events, 256, timeout_ms);
	for (int i = 0; i < ready; i++) {
		const uint32_t index = events[i].data.u32;
		const ssize_t size = recv(streams->fds[index], streams->buffer, READ_BYTES, 0);
		if (size <= 0)
			bench_die("the server closed a stream");
		if (memmem(streams->buffer, (size_t)size, "resources/updated", 17) &&
		    streams->told[index] != round) {
			streams->told[index] = round;
			fresh++;
		}
	}
	return ready > 0 || timeout_ms == 0 ? fresh : -1;
}

/* From before the call until the last stream has got its event. */
static uint64_t run_round(struct streams *streams, uint32_t round)
{
	const uint64_t begin = bench_now_ns();
	call_broadcast(streams);
	for (int told = 0; told < streams->count;) {
		const int fresh = take_events(streams, round, ROUND_MS_MAX);
		if (fresh < 0)
			bench_die("%d of %d streams were told", told, streams->count);
		told += fresh;
	}
	const uint64_t took = bench_now_ns() - begin;
	expect(streams, streams->control, "sent");
	return took;
}

/* Opens the control connection and all streams but those there are already. */
static void open_streams(struct streams *streams, int count)
{
	if (streams->count == 0) {
		streams->control = dial(streams);
		if (streams->legacy)
			open_session(streams, streams->control, streams->session,
				     sizeof(streams->session));
	}
	for (; streams->count < count; streams->count++)
		open_stream(streams, streams->count);
}

static long settled_kib(pid_t pid)
{
	const struct timespec settle = {.tv_nsec = SETTLE_MS * 1000000L};
	long rss_kib, pss_kib;
	(void)nanosleep(&settle, NULL);
	bench_memory_of(pid, &rss_kib, &pss_kib);
	return rss_kib;
}

int main(int argc, char **argv)
{
	const long count = bench_option_number(argc, argv, "--streams", 1000);
	const long rounds = bench_option_number(argc, argv, "--rounds", 30);
	const pid_t pid = (pid_t)bench_option_number(argc, argv, "--pid", 0);
	struct rlimit files;
	struct streams streams = {
		.port = (uint16_t)bench_option_number(argc, argv, "--port", 0),
		.legacy = strcmp(bench_option(argc, argv, "--era", "modern"), "legacy") == 0,
		.epoll = epoll_create1(EPOLL_CLOEXEC),
		.fds = bench_memory(STREAMS_MAX * sizeof(int)),
		.told = bench_memory(STREAMS_MAX * sizeof(uint32_t)),
		.buffer = bench_memory(READ_BYTES)};
	uint64_t *took = bench_memory(ROUNDS_MAX * sizeof(*took));
	if (streams.port == 0 || pid == 0 || count < 2 || count > STREAMS_MAX || rounds < 1 ||
	    rounds > ROUNDS_MAX)
		bench_die("usage: idle_streams --port N --pid N [--streams N] [--rounds N]");
	(void)getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
	bench_pin((int)bench_option_number(argc, argv, "--load-cpu", 1));

	/* One stream and one change first: what all streams share is not counted. */
	open_streams(&streams, 1);
	(void)run_round(&streams, 1);
	const long before_kib = settled_kib(pid);
	open_streams(&streams, (int)count);
	const long idle_kib = settled_kib(pid);
	for (long i = 0; i < rounds; i++)
		took[i] = run_round(&streams, (uint32_t)i + 2);
	const long after_kib = settled_kib(pid);
	(void)printf(
		"streams=%ld bytes_each=%ld bytes_each_after=%ld last_us=%.0f last_p90_us=%.0f\n",
		count, (idle_kib - before_kib) * 1024 / (count - 1),
		(after_kib - before_kib) * 1024 / (count - 1),
		(double)bench_percentile(took, (size_t)rounds, 0.5) / 1e3,
		(double)bench_percentile(took, (size_t)rounds, 0.9) / 1e3);
	return 0;
}
