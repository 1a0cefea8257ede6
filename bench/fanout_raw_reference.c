/* fanout_raw_reference.c - the least a program can do that holds event streams open and tells all
 * of them something: what the stream rows of `make bench` are divided by.
 *
 *     fanout_raw_reference   prints "listening on http://127.0.0.1:PORT/mcp" on standard error
 *
 * A request that contains "subscriptions/listen" gets the head of a stream and stays; any other is
 * answered after an event has been written to every stream. Nothing else is looked at. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define STREAMS_MAX 65536
#define EVENTS_MAX 256
#define READ_BYTES 4096

struct reference {
	int epoll, listener;
	int streams[STREAMS_MAX];
	int stream_count;
	char chunk[READ_BYTES];
};

static const char stream_head[] =
	"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
	"Transfer-Encoding: chunked\r\n\r\nA2\r\nevent: message\ndata: "
	"{\"jsonrpc\":\"2.0\",\"method\":"
	"\"notifications/subscriptions/acknowledged\",\"params\":{\"notifications\":{"
	"\"resourceSubscriptions\":[\"bench://feed\"]}}}\n\n\r\n";
static const char event[] = "AF\r\nevent: message\ndata: "
			    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\","
			    "\"params\":{\"uri\":\"bench://feed\",\"_meta\":{"
			    "\"io.modelcontextprotocol/subscriptionId\":10000000}}}\n\n\r\n";
static const char answer[] =
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 82\r\n\r\n"
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
	"\"sent\"}]}}    \n";

/* A short write would need a queue; on loopback and with these sizes there is none. */
static void put(int fd, const char *data, size_t size)
{
	if (send(fd, data, size, MSG_NOSIGNAL) != (ssize_t)size)
		(void)fprintf(stderr, "short write\n");
}

static void add(struct reference *reference, int fd)
{
	struct epoll_event interest = {.events = EPOLLIN, .data.fd = fd};
	(void)epoll_ctl(reference->epoll, EPOLL_CTL_ADD, fd, &interest);
}

static void accept_one(struct reference *reference)
{
	const int on = 1;
	const int fd = accept4(reference->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	add(reference, fd);
}

static void serve(struct reference *reference, int fd)
{
	const ssize_t size = recv(fd, reference->chunk, READ_BYTES, 0);
	if (size <= 0) {
		(void)close(
			fd); /* its stream, if it was one, fails from now on; the bench is over */
		return;
	}
	if (memmem(reference->chunk, (size_t)size, "subscriptions/listen", 20)) {
		put(fd, stream_head, sizeof(stream_head) - 1);
		if (reference->stream_count < STREAMS_MAX)
			reference->streams[reference->stream_count++] = fd;
		return;
	}
	for (int i = 0; i < reference->stream_count; i++)
		put(reference->streams[i], event, sizeof(event) - 1);
	put(fd, answer, sizeof(answer) - 1);
}

static int open_listener(struct reference *reference)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	reference->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(reference->listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(reference->listener, 4096) != 0 ||
	    getsockname(reference->listener, (struct sockaddr *)&address, &size) != 0)
		return -1;
	(void)fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n", ntohs(address.sin_port));
	return 0;
}

int main(void)
{
	struct epoll_event events[EVENTS_MAX];
	struct reference *reference = mmap(NULL, sizeof(*reference), PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (reference == MAP_FAILED || open_listener(reference) != 0)
		return 1;
	reference->epoll = epoll_create1(EPOLL_CLOEXEC);
	add(reference, reference->listener);
	for (;;) {
		const int count = epoll_wait(reference->epoll, events, EVENTS_MAX, -1);
		if (count < 0 && errno != EINTR)
			return 1;
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd == reference->listener)
				accept_one(reference);
			else
				serve(reference, events[i].data.fd);
		}
	}
}
