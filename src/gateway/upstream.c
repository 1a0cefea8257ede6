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

/* Section 0: certificates of this machine's servers are not verified. */
static bool prepare_tls(struct tn_gateway *gateway, const struct tn_url *url, const char *folder,
			struct tenon_error *err)
{
	if (!tn_str_equal_nocase(url->scheme, TN_STR("https")))
		return true;
	if (!tn_url_is_loopback(url)) {
		(void)tn_fail(err, TENON_INVALID,
			      "only of this machine's servers certificates need not be verified");
		return false;
	}
	if (tn_tls_load(folder, &gateway->tls, err) != TENON_OK) {
		(void)tn_fail(err, TENON_INVALID,
			      "a server with TLS is previewed by the plug-in tenon-client.so, "
			      "which is not installed: start yours without TLS");
		return false;
	}
	gateway->tls_host = tn_mem_copy_text(url->host.data, url->host.size);
	if (!gateway->tls_host)
		(void)tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return gateway->tls_host != NULL;
}

static bool is_http(struct tn_str scheme)
{
	return tn_str_equal_nocase(scheme, TN_STR("http")) ||
	       tn_str_equal_nocase(scheme, TN_STR("https"));
}

bool tn_gateway_find_upstream(struct tn_gateway *gateway, const struct tn_gateway_options *options,
			      struct tenon_error *err)
{
	struct tn_url url;

	if (!tn_url_parse(tn_str_from(options->upstream), &url) || !is_http(url.scheme)) {
		(void)tn_fail(err, TENON_INVALID, "that is no URL of a server");
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
	return prepare_tls(gateway, &url, options->plugin_folder, err);
}

/* ---- connecting ---- */

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
		tn_gateway_end_close(&c->server, NULL);
		return false;
	}
	(void)setsockopt(c->server.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if ((connect(c->server.fd, (const struct sockaddr *)to, size) == 0 ||
	     errno == EINPROGRESS) &&
	    tn_io_open(c->gateway->loop, c->server.fd, c->server_ready, c, &c->server.io, NULL) ==
		    TENON_OK)
		return true;
	tn_gateway_end_close(&c->server, NULL);
	return false;
}

void tn_gateway_connect(struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;

	tn_gateway_end_close(&c->server, NULL);
	if (!tn_gateway_take_turn(c))
		return;
	c->phase = TN_GATEWAY_CONNECTING;
	while (c->address < gateway->address_count) {
		if (try_address(c, &gateway->addresses[c->address++])) {
			tn_timer_start(c->timer, TN_GATEWAY_CONNECT_MS);
			return;
		}
	}
	tn_gateway_say(c, 502,
		       "The server behind this preview does not answer. Start it, then load this "
		       "page again.\n");
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
	if (c->gateway->tls)
		tn_gateway_begin_tls(c);
}
