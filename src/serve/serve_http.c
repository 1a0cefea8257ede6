/* An HTTP listener: its life. What it answers is in http_route.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "serve/http_gate.h"
#include "serve/http_host.h"

enum { OPTIONS_BYTES_MAX = 4 * 1024 * 1024 };

/* ---- timers ---- */

static void slow_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_posts_open_slow(data);
}

static void expel_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_ws_expel_now(data);
	tn_stream_expel_now(data);
}

static void turn_due(struct tn_later *later, void *data)
{
	(void)later;
	tn_http_callers_turn(data);
	tn_sse_turn(data);
	tn_ws_turn(data);
	tn_stream_turn(data);
}

/* ---- the end ---- */

static void connections_gone(void *data)
{
	struct tn_http_host *host = data;

	host->drained = true;
	tn_serve_settled(host->server);
}

static void drain(struct tn_way *way)
{
	struct tn_http_host *host = (struct tn_http_host *)way;

	for (struct tn_http_session *s = host->sessions.newest; s; s = s->next)
		tn_http_session_end_get(s);
	tn_http_server_drain(host->http, connections_gone, host);
	tn_later_request(host->turn);
}

static bool is_drained(struct tn_way *way)
{
	const struct tn_http_host *host = (const struct tn_http_host *)way;

	return host->drained && !host->sockets && !host->streams;
}

static void close_host(struct tn_way *way)
{
	struct tn_http_host *host = (struct tn_http_host *)way;

	if (host->extra.gate)
		host->extra.gate->forget(host->extra.gate->data, host);
	tn_sse_close(host);
	tn_ws_close_all(host);
	tn_stream_close_all(host);
	tn_http_sessions_close(&host->sessions);
	tn_http_callers_close(host);
	tn_http_server_close(host->http);
	tn_http_callers_finish(host);
	tn_posts_free_spare(host);
	tn_timer_close(host->slow_timer);
	tn_timer_close(host->expel_timer);
	tn_later_close(host->turn);
	tn_arena_finish(&host->arena);
	tn_mem_free(host);
}

static const struct tn_way_ops way_ops = {
	.drain = drain,
	.is_drained = is_drained,
	.close = close_host,
};

struct tn_http_host *tn_http_host_of(struct tn_way *way)
{
	return way->ops == &way_ops ? (struct tn_http_host *)way : NULL;
}

/* ---- the beginning ---- */

static enum tenon_code read_options(struct tn_http_host *host,
				    const struct tenon_http_options *options,
				    struct tenon_error *err)
{
	struct tenon_http_options *o = &host->options;
	enum tenon_code code = tn_http_options_read(&host->arena, options, o, err);

	if (code != TENON_OK)
		return code;
	host->messages_path = tn_http_messages_path(&host->arena, o->sse_path);
	host->no_modern = tn_arena_format(
		&host->arena, "2026-07-28 is not served here: %s%s%s initialize",
		o->path[0] ? "POST to " : "", o->path, o->path[0] ? ", or send" : "send");
	if (!host->messages_path || !host->no_modern)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

/* The proxies' addresses, IPv4 as IPv6 writes it. */
static enum tenon_code read_proxies(struct tn_http_host *host, struct tenon_error *err)
{
	const char *const *list = host->extra.proxies;
	size_t count = 0;

	while (list && list[count])
		count++;
	host->proxies = tn_arena_alloc_array(&host->arena, count + 1, sizeof(*host->proxies));
	if (!host->proxies)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < count; i++) {
		unsigned char *at = host->proxies[i];

		at[10] = at[11] = 0xff;
		if (inet_pton(AF_INET, list[i], at + 12) != 1 &&
		    inet_pton(AF_INET6, list[i], at) != 1)
			return tn_fail(err, TENON_INVALID,
				       "http.proxies: %.60s; send an IP address such as 127.0.0.1",
				       list[i]);
	}
	host->proxy_count = count;
	return TENON_OK;
}

/* Which port; the code and the number of the system stay. */
static void explain_taken(unsigned first, unsigned last, struct tenon_error *err)
{
	if (last > first)
		(void)snprintf(err->message, sizeof(err->message),
			       "bind listener: other programs have all ports from %u to %u; choose "
			       "another one",
			       first, last);
	else
		(void)snprintf(err->message, sizeof(err->message),
			       "bind listener: another program has port %u; choose another one",
			       first);
}

static enum tenon_code open_server(struct tn_http_host *host, struct tenon_error *err)
{
	const struct tenon_http_options *o = &host->options;
	struct tn_http_limits limits;
	struct tn_http_options http = {
		.address = o->address,
		.port = o->port,
		.fd = o->fd,
		.lines = host->extra.hardened ? tn_http_hardened_lines : NULL,
		.limits = &limits,
		.handler = o->cors ? &tn_http_host_cors_handler : &tn_http_host_handler,
		.data = host,
	};
	struct tenon_error why = {0};
	enum tenon_code code;

	tn_http_limits_default(&limits);
	limits.keepalive_ms = o->keepalive_ms;
	limits.connections_max = o->connections_max;
	code = tn_http_server_open(host->server->loop, &http, &host->http, &why);
	while (code != TENON_OK && why.sys_errno == EADDRINUSE &&
	       http.port < host->extra.port_last) { /* ST-005 */
		http.port++;
		code = tn_http_server_open(host->server->loop, &http, &host->http, &why);
	}
	if (code != TENON_OK && why.sys_errno == EADDRINUSE)
		explain_taken(o->port, http.port, &why);
	if (code != TENON_OK && err)
		*err = why;
	if (code == TENON_OK)
		host->rules = (struct tn_origin_rules){.address = o->address,
						       .port = tn_http_server_port(host->http),
						       .hosts = o->hosts,
						       .origins = o->origins,
						       .pages = host->extra.pages != NULL};
	return code;
}

static enum tenon_code open_host(struct tn_http_host *host,
				 const struct tenon_http_options *options, struct tenon_error *err)
{
	struct tenon_server *server = host->server;
	enum tenon_code code = read_options(host, options, err);

	if (code == TENON_OK)
		code = read_proxies(host, err);
	if (code == TENON_OK)
		code = tn_http_callers_open(host, err);
	if (code == TENON_OK)
		code = tn_timer_open(server->loop, slow_due, host, &host->slow_timer, err);
	if (code == TENON_OK)
		code = tn_timer_open(server->loop, expel_due, host, &host->expel_timer, err);
	if (code == TENON_OK)
		code = tn_later_open(server->loop, turn_due, host, &host->turn, err);
	if (code == TENON_OK)
		code = tn_http_sessions_open(&host->sessions, server, err);
	if (code == TENON_OK)
		code = open_server(host, err);
	return code;
}

/* What a socket from outside is bound to. */
static enum tenon_code read_address(int fd, char ret[INET6_ADDRSTRLEN], struct tenon_error *err)
{
	struct sockaddr_storage at = {0};
	socklen_t size = sizeof(at);
	const struct sockaddr_in *four = (const struct sockaddr_in *)&at;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&at;
	bool known = getsockname(fd, (struct sockaddr *)&at, &size) == 0;

	if (known && at.ss_family == AF_INET)
		known = inet_ntop(AF_INET, &four->sin_addr, ret, INET6_ADDRSTRLEN) != NULL;
	else
		known = known && at.ss_family == AF_INET6 &&
			inet_ntop(AF_INET6, &six->sin6_addr, ret, INET6_ADDRSTRLEN) != NULL;
	return known ? TENON_OK : tn_fail(err, TENON_INVALID, "descriptor %d is no TCP socket", fd);
}

static void announce(const struct tn_http_host *host)
{
	const struct tenon_http_options *o = &host->options;
	char url[256];
	bool six = strchr(o->address, ':') != NULL && o->address[0] != '[';

	(void)snprintf(url, sizeof(url), "http://%s%s%s:%u%s", six ? "[" : "", o->address,
		       six ? "]" : "", (unsigned)tn_http_server_port(host->http), o->path);
	if (o->listening)
		o->listening(url, o->data);
}

enum tenon_code tn_serve_http(struct tenon_server *server, const struct tenon_http_options *options,
			      const struct tn_http_extra *extra, uint16_t *ret_port,
			      struct tenon_error *err)
{
	struct tenon_http_options wanted = *options;
	enum tenon_code code = tn_serve_open(server, err);
	char address[INET6_ADDRSTRLEN];
	struct tn_http_host *host;

	wanted.address = options->fd > 0 ? address : options->address;
	if (code == TENON_OK && options->fd > 0)
		code = read_address(options->fd, address, err);
	if (code != TENON_OK)
		return code;
	host = tn_mem_alloc(sizeof(*host));
	if (!host)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	host->way = (struct tn_way){.ops = &way_ops, .server = server};
	host->server = server;
	tn_arena_init(&host->arena, OPTIONS_BYTES_MAX);
	tn_map_init(&host->sse.by_id);
	if (extra)
		host->extra = *extra;
	code = open_host(host, &wanted, err);
	if (code != TENON_OK) {
		close_host(&host->way);
		return code;
	}
	tn_serve_add(server, &host->way);
	*ret_port = tn_http_server_port(host->http);
	announce(host);
	return TENON_OK;
}

enum tenon_code tenon_server_listen_http(struct tenon_server *server,
					 const struct tenon_http_options *options,
					 struct tenon_error *err)
{
	uint16_t port;

	return tn_serve_http(server, options, NULL, &port, err);
}

enum tenon_code tenon_server_run_http(struct tenon_server *server,
				      const struct tenon_http_options *options,
				      struct tenon_error *err)
{
	enum tenon_code code = tenon_server_listen_http(server, options, err);

	return code == TENON_OK ? tenon_server_run(server, err) : code;
}
