/* http_raw_reference.c - the least a program can do that answers HTTP requests: what the HTTP rows
 * of `make bench` are divided by.
 *
 *     http_raw_reference [--port N] [--body BYTES]   the kernel's choice; 128 unless told
 *
 * One epoll loop; one read, one write of fixed bytes per request whose frame is complete. Only the
 * end of the headers and Content-Length are looked for. Prints "listening on
 * http://127.0.0.1:PORT/mcp" on standard error, and its processor time a call when SIGTERM ends it:
 * when that is off its recorded figure, the machine is not itself. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS_MAX 4096
#define EVENTS_MAX 1024
#define REQUEST_MAX (16 * 1024)
#define ANSWER_MAX (4 * 1024 * 1024)
#define ANSWER_HEAD \
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n"

struct connection {
	size_t size; /* of a request that is not complete */
	char data[REQUEST_MAX];
};

struct reference {
	struct connection connections[CONNECTIONS_MAX]; /* by descriptor */
	char answer[ANSWER_MAX + 256];
	size_t answer_size, calls;
	int epoll, listener;
};

static volatile sig_atomic_t stopped;

static void stop(int number)
{
	stopped = number;
}

static void watch(struct reference *reference, int fd)
{
	struct epoll_event interest = {.events = EPOLLIN, .data.fd = fd};
	(void)epoll_ctl(reference->epoll, EPOLL_CTL_ADD, fd, &interest);
}

static void accept_one(struct reference *reference)
{
	const int on = 1;
	const int fd = accept4(reference->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0 || fd >= CONNECTIONS_MAX)
		return;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	reference->connections[fd].size = 0;
	watch(reference, fd);
}

/* Bytes of the first request in data, or 0 while it is not complete. */
static size_t frame(const char *data, size_t size)
{
	const char *end = memmem(data, size, "\r\n\r\n", 4);
	if (!end)
		return 0;
	const size_t head = (size_t)(end - data) + 4;
	const char *length = memmem(data, head, "Content-Length: ", 16);
	const size_t total = head + (length ? strtoul(length + 16, NULL, 10) : 0);
	return total <= size ? total : 0;
}

static void serve(struct reference *reference, int fd)
{
	struct connection *c = &reference->connections[fd];
	size_t at = 0, one;
	if (fd == reference->listener) {
		accept_one(reference);
		return;
	}
	const ssize_t got = recv(fd, c->data + c->size, REQUEST_MAX - c->size, 0);
	if (got <= 0) {
		(void)close(fd);
		return;
	}
	c->size += (size_t)got;
	while ((one = frame(c->data + at, c->size - at)) > 0) {
		at += one;
		reference->calls++;
		/* A blocking socket: the kernel waits for the peer when its buffers are full. */
		for (size_t sent = 0; sent < reference->answer_size;) {
			const ssize_t now = send(fd, reference->answer + sent,
						 reference->answer_size - sent, MSG_NOSIGNAL);
			if (now < 0)
				return;
			sent += (size_t)now;
		}
	}
	c->size -= at;
	if (at && c->size)
		memmove(c->data, c->data + at, c->size);
}

static int open_listener(struct reference *reference, uint16_t port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(at);
	reference->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(reference->listener, (struct sockaddr *)&at, size) != 0 ||
	    listen(reference->listener, 1024) != 0 ||
	    getsockname(reference->listener, (struct sockaddr *)&at, &size) != 0)
		return -1;
	(void)fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", ntohs(at.sin_port));
	reference->epoll = epoll_create1(EPOLL_CLOEXEC);
	watch(reference, reference->listener);
	return 0;
}

int main(int argc, char **argv)
{
	struct reference *reference = mmap(NULL, sizeof(*reference), PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct epoll_event events[EVENTS_MAX];
	struct sigaction action = {.sa_handler = stop};
	size_t port = 0, body = 128;
	for (int i = 1; i + 1 < argc; i += 2)
		*(strcmp(argv[i], "--port") == 0 ? &port : &body) = strtoul(argv[i + 1], NULL, 10);
	(void)sigaction(SIGTERM, &action, NULL);
	if (reference == MAP_FAILED || body > ANSWER_MAX ||
	    open_listener(reference, (uint16_t)port) != 0)
		return 1;
	reference->answer_size = (size_t)snprintf(reference->answer, 256, ANSWER_HEAD, body);
	memset(reference->answer + reference->answer_size, 'x', body);
	reference->answer_size += body;
	while (!stopped) {
		const int count = epoll_wait(reference->epoll, events, EVENTS_MAX, -1);
		for (int i = 0; i < count; i++)
			serve(reference, events[i].data.fd);
	}
	const double cpu_us = (double)clock() * 1e6 / CLOCKS_PER_SEC;
	(void)fprintf(stderr, "reference: %zu calls, %.3f us of processor time each\n",
		      reference->calls, reference->calls ? cpu_us / (double)reference->calls : 0.0);
	return 0;
}
