/* A gateway's listener, and what is the same for all its connections. */
#include "gateway/gateway.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/url.h"
#include "gateway/internal.h"
#include "jsonrpc/json_write.h"

enum { ACCEPTS_PER_TURN = 32, BACKLOG = 128, PORTS_TRIED = 8 };

static void accept_some(struct tn_io *io, int events, void *data)
{
	struct tn_gateway *gateway = data;

	(void)events;
	for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
		int fd = accept4(gateway->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			tn_gateway_admit(gateway, fd);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			   errno == ENOBUFS) {
			tn_io_watch(io, 0); /* it would spin */
			tn_timer_start(gateway->rest, TN_GATEWAY_ACCEPT_AGAIN_MS);
			return;
		} else if (errno == EAGAIN) {
			return;
		}
	}
}

static void accept_again(struct tn_timer *timer, void *data)
{
	struct tn_gateway *gateway = data;

	(void)timer;
	tn_io_watch(gateway->io, TN_IO_READ);
}

/* A port that is asked for, or one of the next, so that a tag in a page stays true; else any. */
static bool bind_near(int fd, uint16_t port)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	const int on = 1;

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (port) /* connections that have ended do not hold it */
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	for (unsigned at = port; port && at < port + 0u + PORTS_TRIED && at <= UINT16_MAX; at++) {
		here.sin_port = htons((uint16_t)at);
		if (bind(fd, (struct sockaddr *)&here, sizeof(here)) == 0)
			return true;
	}
	here.sin_port = 0;
	return bind(fd, (struct sockaddr *)&here, sizeof(here)) == 0;
}

static enum tenon_code listen_here(struct tn_gateway *gateway, uint16_t port,
				   struct tenon_error *err)
{
	struct sockaddr_in here;
	socklen_t size = sizeof(here);

	gateway->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (gateway->fd < 0)
		return tn_fail_errno(err, errno, "open a socket");
	if (!bind_near(gateway->fd, port) || listen(gateway->fd, BACKLOG) != 0 ||
	    getsockname(gateway->fd, (struct sockaddr *)&here, &size) != 0)
		return tn_fail_errno(err, errno, "listen for previews");
	gateway->port = ntohs(here.sin_port);
	(void)snprintf(gateway->own_origin, sizeof(gateway->own_origin), "http://127.0.0.1:%u",
		       gateway->port);
	(void)snprintf(gateway->channel_url, sizeof(gateway->channel_url), "ws://127.0.0.1:%u",
		       gateway->port);
	gateway->route.own_origin = tn_str_from(gateway->own_origin);
	gateway->route.channel = tn_str_from(gateway->channel_url);
	return TENON_OK;
}

/* 11.2. Nothing in it can end the element: "<" is written as an escape. */
static enum tenon_code make_block(struct tn_gateway *gateway,
				  const struct tn_gateway_options *options, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_buf json, url;

	tn_buf_init(&json, 16 * TN_KIB);
	tn_buf_init(&url, TN_KIB);
	tn_buf_format(&url, "%s/__skaffa/rt", gateway->channel_url);
	tn_json_begin_object(&json);
	tn_json_put_member_text(&json, "protocol", "v0");
	tn_json_put_member_text(&json, "sessionId", options->session_id);
	tn_json_put_member_str(&json, "channelUrl", tn_buf_str(&url));
	tn_json_put_member_text(&json, "key", options->key);
	tn_json_end_object(&json);
	if (options->tagged)
		code = tn_gateway_make_tagged(gateway, tn_buf_str(&json), err);
	tn_buf_init(&gateway->block, 64 * TN_KIB);
	tn_buf_append_text(&gateway->block,
			   "<script type=\"application/json\" id=\"skaffa-rt-config\">");
	for (size_t i = 0; i < json.size; i++) {
		if (json.data[i] == '<')
			tn_buf_append_text(&gateway->block, "\\u003c");
		else
			tn_buf_append_byte(&gateway->block, json.data[i]);
	}
	tn_buf_append_text(&gateway->block, "</script>");
	tn_buf_inherit_failure(&gateway->block, &json);
	tn_buf_finish(&json);
	tn_buf_finish(&url);
	return code == TENON_OK ? tn_buf_check(&gateway->block, err) : code;
}

/* As browsers write it: in small letters, without the port that the scheme has anyway. */
static char *copy_origin(struct tn_str origin)
{
	struct tn_url url;
	bool plain = !tn_url_parse(origin, &url);
	bool usual = !plain && url.port == (url.scheme.size == sizeof("https") - 1 ? 443 : 80);
	size_t host_ends = plain ? 0 : (size_t)(url.host.data - origin.data) + url.host.size;
	char *copy = tn_mem_copy_text(origin.data, usual ? host_ends : origin.size);

	for (size_t i = 0; copy && copy[i]; i++)
		copy[i] = tn_to_lower(copy[i]);
	return copy;
}

enum tenon_code tn_gateway_allow(struct tn_gateway *gateway, struct tn_str page_origin,
				 struct tenon_error *err)
{
	char *copy = copy_origin(page_origin);

	if (!copy)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_mem_free(gateway->page_origin);
	gateway->page_origin = copy;
	return TENON_OK;
}

static enum tenon_code set_up(struct tn_gateway *gateway, const struct tn_gateway_options *options,
			      struct tenon_error *err)
{
	enum tenon_code code;

	if (options->page_origin &&
	    tn_gateway_allow(gateway, tn_str_from(options->page_origin), err) != TENON_OK)
		return TENON_NO_MEMORY;
	if (options->upstream && !tn_gateway_find_upstream(gateway, options, err))
		return err ? err->code : TENON_INVALID;
	code = listen_here(gateway, options->port, err);
	if (code == TENON_OK)
		code = make_block(gateway, options, err);
	if (code == TENON_OK)
		code = tn_timer_open(gateway->loop, accept_again, gateway, &gateway->rest, err);
	if (code == TENON_OK)
		code = tn_later_open(gateway->loop, tn_gateway_run_again, gateway, &gateway->again,
				     err);
	if (code == TENON_OK)
		code = tn_io_open(gateway->loop, gateway->fd, accept_some, gateway, &gateway->io,
				  err);
	if (code == TENON_OK)
		tn_io_watch(gateway->io, TN_IO_READ);
	return code;
}

enum tenon_code tn_gateway_open(struct tn_loop *loop, const struct tn_gateway_options *options,
				struct tn_gateway **ret, struct tenon_error *err)
{
	struct tn_gateway *gateway = tn_mem_alloc(sizeof(*gateway));
	struct tenon_error why;
	enum tenon_code code;

	if (!gateway)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	gateway->loop = loop;
	gateway->fd = -1;
	gateway->adapter = options->adapter;
	gateway->events = options->events;
	gateway->data = options->data;
	tn_buf_init(&gateway->block, 0);
	tn_buf_init(&gateway->tagged, 0);
	tn_http_limits_default(&gateway->limits);
	gateway->limits.body_max = SIZE_MAX / 2; /* bodies pass by */
	code = set_up(gateway, options, err ? err : &why);
	if (code != TENON_OK) {
		tn_gateway_close(gateway);
		return code;
	}
	*ret = gateway;
	return TENON_OK;
}

void tn_gateway_close(struct tn_gateway *gateway)
{
	if (!gateway)
		return;
	while (gateway->connections)
		tn_gateway_drop(gateway->connections);
	tn_gateway_close_channels(gateway);
	tn_io_close(gateway->io);
	tn_timer_close(gateway->rest);
	tn_later_close(gateway->again);
	if (gateway->fd >= 0)
		(void)close(gateway->fd);
	tn_buf_finish(&gateway->block);
	tn_buf_finish(&gateway->tagged);
	tn_mem_free(gateway->upstream);
	tn_mem_free(gateway->tls_host);
	tn_mem_free(gateway->page_origin);
	tn_mem_free(gateway);
}

const char *tn_gateway_origin(const struct tn_gateway *gateway)
{
	return gateway->own_origin;
}

size_t tn_gateway_connections(const struct tn_gateway *gateway)
{
	return gateway->count;
}
