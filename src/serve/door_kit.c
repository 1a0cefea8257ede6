#include "serve/door_kit.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tenon/server.h"

enum { REPLY_MAX = 8 * 1024 * 1024, WAIT_S = 30, REQUEST_MAX = 64 * 1024 };

/* ---- the server ---- */

struct door *door_create(void)
{
	static const struct tenon_server_options options = {
		.name = "door", .version = "1", .no_lint = true};
	struct door *d = tn_mem_alloc(sizeof(*d));
	struct tenon_error err;

	assert_non_null(d);
	tn_buf_init(&d->reply, REPLY_MAX);
	assert_int_equal(tenon_server_create(&options, &d->server, &err), TENON_OK);
	return d;
}

uint16_t door_listen(struct door *d, const struct tenon_http_options *options,
		     const struct tn_http_extra *extra)
{
	struct tenon_http_options wanted = *options;
	struct tenon_error err = {0};
	uint16_t port = 0;

	if (!wanted.token && !wanted.tokens && !wanted.no_token)
		wanted.token = DOOR_TOKEN;
	if (tn_serve_http(d->server, &wanted, extra, &port, &err) != TENON_OK)
		fail_msg("%s", err.message);
	assert_true(port != 0);
	if (!d->port)
		d->port = port;
	return port;
}

static void *run(void *data)
{
	struct door *d = data;

	d->code = tenon_server_run(d->server, NULL);
	return NULL;
}

void door_run(struct door *d)
{
	assert_int_equal(pthread_create(&d->thread, NULL, run, d), 0);
	d->running = true;
}

void door_close(struct door *d)
{
	if (d->running) {
		tenon_server_stop(d->server);
		assert_int_equal(pthread_join(d->thread, NULL), 0);
		assert_int_equal(d->code, TENON_OK);
	}
	tenon_server_destroy(d->server);
	tn_buf_finish(&d->reply);
	tn_mem_free(d);
}

/* ---- bytes ---- */

int door_connect(uint16_t port)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct timeval patience = {.tv_sec = WAIT_S};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

void door_send(int fd, const void *data, size_t size)
{
	assert_int_equal(send(fd, data, size, MSG_NOSIGNAL), size);
}

/* So many bytes more at most; 0 at the end, which a reset is, too. */
static size_t read_some(struct door *d, int fd, size_t max)
{
	ssize_t got;

	assert_true(tn_buf_reserve(&d->reply, max + 1));
	got = recv(fd, d->reply.data + d->reply.size, max, 0);
	if (got < 0)
		got = 0;
	d->reply.size += (size_t)got;
	d->reply.data[d->reply.size] = '\0';
	return (size_t)got;
}

bool door_read(struct door *d, int fd, const char *until)
{
	tn_buf_clear(&d->reply);
	while (read_some(d, fd, until ? 1 : 65536)) {
		if (until && strstr(d->reply.data, until))
			return true;
	}
	return !until;
}

static unsigned status_of(const struct door *d)
{
	assert_true(d->reply.size > 12);
	assert_memory_equal(d->reply.data, "HTTP/1.1 ", 9);
	return (unsigned)strtoul(d->reply.data + 9, NULL, 10);
}

unsigned door_ask(struct door *d, uint16_t port, const char *request)
{
	int fd = door_connect(port);

	door_send(fd, request, strlen(request));
	assert_true(door_read(d, fd, NULL));
	(void)close(fd);
	return status_of(d);
}

unsigned door_post(struct door *d, uint16_t port, const char *path, const char *headers,
		   const char *body)
{
	char request[REQUEST_MAX];
	int size = snprintf(request, sizeof(request),
			    "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" DOOR_JSON
			    "%sContent-Length: %zu\r\n\r\n%s",
			    path, headers, strlen(body), body);

	assert_true(size > 0 && (size_t)size < sizeof(request));
	return door_ask(d, port, request);
}

bool door_replied(const struct door *d, const char *words)
{
	return strstr(d->reply.data, words) != NULL;
}

const char *door_header(struct door *d, const char *name, char *value, size_t size)
{
	char line[128];
	const char *at;

	(void)snprintf(line, sizeof(line), "\r\n%s: ", name);
	at = strstr(d->reply.data, line);
	value[0] = '\0';
	if (at) {
		at += strlen(line);
		(void)snprintf(value, size, "%.*s", (int)strcspn(at, "\r"), at);
	}
	return value;
}

/* ---- WebSocket ---- */

int door_upgrade(struct door *d, uint16_t port, const char *path, const char *headers)
{
	char request[4096];
	int fd = door_connect(port);
	int size = snprintf(request, sizeof(request),
			    "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\n"
			    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
			    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n",
			    path, headers);

	door_send(fd, request, (size_t)size);
	assert_true(door_read(d, fd, "\r\n\r\n"));
	if (status_of(d) == 101)
		return fd;
	(void)close(fd);
	return -1;
}

/* Masked with zeros, so that the text goes as it is. */
void door_say(int fd, const char *json)
{
	size_t size = strlen(json);
	unsigned char head[8] = {0x81, 0x80 | 126, (unsigned char)(size >> 8), (unsigned char)size};

	assert_true(size >= 126 && size < 65536);
	door_send(fd, head, sizeof(head));
	door_send(fd, json, size);
}

static bool read_exactly(struct door *d, int fd, size_t size)
{
	tn_buf_clear(&d->reply);
	while (d->reply.size < size) {
		if (!read_some(d, fd, size - d->reply.size))
			return false;
	}
	return true;
}

const char *door_hear(struct door *d, int fd)
{
	const unsigned char *bytes;
	unsigned char kind;
	size_t size;

	do {
		if (!read_exactly(d, fd, 2))
			return "";
		bytes = (const unsigned char *)d->reply.data;
		kind = bytes[0];
		size = bytes[1];
		assert_true(size < 127); /* nothing here is larger */
		if (size == 126) {
			assert_true(read_exactly(d, fd, 2));
			bytes = (const unsigned char *)d->reply.data;
			size = (size_t)bytes[0] << 8 | bytes[1];
		}
		tn_buf_clear(&d->reply);
		if (size && !read_exactly(d, fd, size))
			return "";
	} while (kind == 0x89);
	if (kind == 0x88) {
		unsigned code = size < 2 ? 1005
					 : (unsigned)(unsigned char)d->reply.data[0] << 8 |
						   (unsigned char)d->reply.data[1];

		tn_buf_clear(&d->reply);
		tn_buf_format(&d->reply, "close %u", code);
		tn_buf_append_byte(&d->reply, '\0');
	}
	return d->reply.data;
}
