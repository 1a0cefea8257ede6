/* Whether a server answers at an address, with TLS or without (6.4). */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/workbench/launch/ready.h"
#include "apps/workbench/limits.h"
#include "base/clock.h"
#include "base/url.h"
#include "loop/loop.h"
#include "loop/tls.h"

enum { HOST_SIZE = 64 };

/* What is asked, and until when. */
struct asking {
	struct tn_url url;
	uint64_t until_ms;
	char request[TN_WB_ADDRESS_BYTES_MAX + 256];
};

static bool wait_for(int fd, short events, uint64_t until_ms)
{
	struct pollfd polled = {.fd = fd, .events = events};
	uint64_t now = tn_clock_now_ms(&tn_clock_system);

	return now < until_ms && poll(&polled, 1, (int)(until_ms - now)) == 1;
}

static bool connect_to(int fd, const char *host, const struct asking *asking)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(asking->url.port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(asking->url.port)};
	bool is_v6 = strchr(host, ':') != NULL;
	socklen_t size = sizeof(int);
	int fault = 0;

	if (inet_pton(is_v6 ? AF_INET6 : AF_INET, host,
		      is_v6 ? (void *)&v6.sin6_addr : (void *)&v4.sin_addr) != 1)
		return false;
	if (connect(fd, is_v6 ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4,
		    is_v6 ? sizeof(v6) : sizeof(v4)) == 0)
		return true;
	return wait_for(fd, POLLOUT, asking->until_ms) &&
	       getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &size) == 0 && fault == 0;
}

static bool ask(int fd, const struct asking *asking)
{
	size_t size = strlen(asking->request);
	char first;

	return send(fd, asking->request, size, MSG_NOSIGNAL) == (ssize_t)size &&
	       wait_for(fd, POLLIN, asking->until_ms) && recv(fd, &first, 1, 0) > 0;
}

static bool shake(const struct tn_tls_library *library, struct tn_tls *tls, int fd,
		  uint64_t until_ms)
{
	int wants = 0;
	enum tn_tls_step step = library->shake(tls, 0, &wants);

	while (step == TN_TLS_MORE) {
		short events = (short)((wants & TN_IO_READ ? POLLIN : 0) |
				       (wants & TN_IO_WRITE ? POLLOUT : 0));

		if (!wait_for(fd, events, until_ms))
			return false;
		step = library->shake(tls, wants, &wants);
	}
	return step == TN_TLS_READY;
}

/* The request goes in one piece: nothing was sent before it. */
static bool ask_within(const struct tn_tls_library *library, struct tn_tls *tls, int fd,
		       const struct asking *asking)
{
	size_t size = strlen(asking->request);
	char first;
	ssize_t got = -1;

	if (!shake(library, tls, fd, asking->until_ms) ||
	    library->write(tls, asking->request, size) != (ssize_t)size)
		return false;
	while (got < 0) {
		got = library->read(tls, &first, 1);
		if (got < 0 && !wait_for(fd, POLLIN, asking->until_ms))
			return false;
	}
	return got > 0;
}

/* Without the plug-in whoever listens counts: the preview says what is missing. */
static bool ask_secure(int fd, const char *host, const struct asking *asking)
{
	const struct tn_tls_library *library = NULL;
	struct tn_tls *tls = NULL;
	bool answers;

	if (tn_tls_load(NULL, &library, NULL) != TENON_OK)
		return true;
	if (library->open(fd, strchr(host, ':') ? "[::1]" : host, &tls, NULL) != TENON_OK)
		return false;
	answers = ask_within(library, tls, fd, asking);
	library->close(tls);
	return answers;
}

static bool answers_at(const char *host, const struct asking *asking)
{
	int family = strchr(host, ':') ? AF_INET6 : AF_INET;
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool answers = fd >= 0 && connect_to(fd, host, asking);

	if (answers)
		answers = tn_str_equal_nocase(asking->url.scheme, TN_STR("https"))
				  ? ask_secure(fd, host, asking)
				  : ask(fd, asking);
	if (fd >= 0)
		(void)close(fd); /* only asked */
	return answers;
}

static bool put_request(struct asking *asking)
{
	const struct tn_url *url = &asking->url;
	int size = snprintf(asking->request, sizeof(asking->request),
			    "GET %.*s HTTP/1.1\r\nHost: %.*s:%u\r\nConnection: close\r\n\r\n",
			    url->target.size ? (int)url->target.size : 1,
			    url->target.size ? url->target.data : "/", (int)url->host.size,
			    url->host.data, url->port);

	return size > 0 && (size_t)size < sizeof(asking->request);
}

bool tn_wb_ready_answers(const char *text, int wait_ms)
{
	struct asking asking = {.until_ms = tn_clock_now_ms(&tn_clock_system) + (uint64_t)wait_ms};
	char host[HOST_SIZE];
	struct tn_str name;

	if (!tn_url_parse(tn_str_from(text), &asking.url) || !put_request(&asking))
		return false;
	name = asking.url.host;
	if (tn_str_equal_nocase(name, TN_STR("localhost")))
		return answers_at("127.0.0.1", &asking) || answers_at("::1", &asking);
	if (name.data[0] == '[')
		name = tn_str(name.data + 1, name.size - 2);
	if (name.size >= sizeof(host))
		return false;
	memcpy(host, name.data, name.size);
	host[name.size] = '\0';
	return answers_at(host, &asking);
}
