/* The one server behind a gateway (S17): where it is, and connecting to it. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/url.h"
#include "gateway/internal.h"

static void add_four(struct tn_gateway *gateway, struct in_addr address, uint16_t port)
{
	struct sockaddr_in *to =
		(struct sockaddr_in *)&gateway->addresses[gateway->address_count++];

	to->sin_family = AF_INET;
	to->sin_addr = address;
	to->sin_port = htons(port);
}

static void add_six(struct tn_gateway *gateway, struct in6_addr address, uint16_t port)
{
	struct sockaddr_in6 *to =
		(struct sockaddr_in6 *)&gateway->addresses[gateway->address_count++];

	to->sin6_family = AF_INET6;
	to->sin6_addr = address;
	to->sin6_port = htons(port);
}

/* No name is looked up, which would block and could change: numbers, and "localhost", which is this
 * machine by both. */
static bool add_addresses(struct tn_gateway *gateway, const struct tn_url *url)
{
	char host[INET6_ADDRSTRLEN];
	struct in_addr four;
	struct in6_addr six;
	struct tn_str text = url->host;

	if (tn_str_equal_nocase(text, TN_STR("localhost"))) {
		four.s_addr = htonl(INADDR_LOOPBACK);
		add_four(gateway, four, url->port);
		add_six(gateway, in6addr_loopback, url->port);
		return true;
	}
	if (text.size > 2 && text.data[0] == '[')
		text = tn_str(text.data + 1, text.size - 2);
	if (text.size >= sizeof(host))
		return false;
	memcpy(host, text.data, text.size);
	host[text.size] = '\0';
	if (inet_pton(AF_INET, host, &four) == 1)
		add_four(gateway, four, url->port);
	else if (inet_pton(AF_INET6, host, &six) == 1)
		add_six(gateway, six, url->port);
	return gateway->address_count > 0;
}

bool tn_gateway_find_upstream(struct tn_gateway *gateway, const char *upstream,
			      struct tenon_error *err)
{
	struct tn_url url;

	if (!tn_url_parse(tn_str_from(upstream), &url)) {
		(void)tn_fail(err, TENON_INVALID, "that is no URL of a server");
		return false;
	}
	if (!tn_str_equal_nocase(url.scheme, TN_STR("http"))) {
		(void)tn_fail(err, TENON_INVALID,
			      "only http servers can be previewed yet: start yours without TLS");
		return false;
	}
	gateway->upstream = tn_mem_copy_text(url.origin.data, url.origin.size);
	if (!gateway->upstream) {
		(void)tn_fail(err, TENON_NO_MEMORY, "out of memory");
		return false;
	}
	gateway->route.upstream_origin = tn_str_from(gateway->upstream);
	gateway->route.upstream_host =
		tn_str_from_offset(gateway->route.upstream_origin, url.scheme.size + 3);
	if (!add_addresses(gateway, &url)) {
		(void)tn_fail(err, TENON_INVALID,
			      "name the server by localhost or by a number: names are not looked "
			      "up");
		return false;
	}
	return true;
}

/* ---- connecting ---- */

static void close_server(struct tn_gateway_connection *c)
{
	tn_io_close(c->server.io);
	c->server.io = NULL;
	if (c->server.fd >= 0)
		(void)close(c->server.fd);
	c->server.fd = -1;
}

/* False: this address is not there. */
static bool try_address(struct tn_gateway_connection *c, const struct sockaddr_storage *to)
{
	const int on = 1;
	socklen_t size =
		to->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

	c->server.fd = socket(to->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->server.fd < 0)
		return false;
	if (!tn_gateway_may_have(c->server.fd)) {
		close_server(c);
		return false;
	}
	(void)setsockopt(c->server.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if ((connect(c->server.fd, (const struct sockaddr *)to, size) == 0 ||
	     errno == EINPROGRESS) &&
	    tn_io_open(c->gateway->loop, c->server.fd, c->server_ready, c, &c->server.io, NULL) ==
		    TENON_OK)
		return true;
	close_server(c);
	return false;
}

void tn_gateway_connect(struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;

	close_server(c);
	c->phase = TN_GATEWAY_CONNECTING;
	while (c->address < gateway->address_count) {
		if (try_address(c, &gateway->addresses[c->address++])) {
			tn_timer_start(c->timer, TN_GATEWAY_CONNECT_MS);
			return;
		}
	}
	tn_gateway_answer(c, 502, "text/plain; charset=utf-8",
			  TN_STR("The server behind this preview does not answer. Start it, then "
				 "load this page again.\n"));
}

void tn_gateway_connected(struct tn_gateway_connection *c)
{
	int failure = 0;
	socklen_t size = sizeof(failure);

	if (getsockopt(c->server.fd, SOL_SOCKET, SO_ERROR, &failure, &size) != 0 || failure) {
		tn_gateway_connect(c);
		return;
	}
	tn_timer_stop(c->timer);
	c->phase = TN_GATEWAY_EXCHANGE;
}
