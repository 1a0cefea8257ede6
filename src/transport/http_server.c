/* The listener and the connections it has. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "transport/http_connection.h"
#include "transport/limits.h"

enum { ACCEPTS_PER_TURN = 64, ACCEPT_RETRY_MS = 100, BACKLOG = 1024 };

void tn_http_limits_default(struct tn_http_limits *limits)
{
	*limits = (struct tn_http_limits){
		.line_max = TN_HTTP_LINE_MAX,
		.header_max = TN_HTTP_HEADER_MAX,
		.section_max = TN_HTTP_SECTION_MAX,
		.headers_max = TN_HTTP_HEADERS_MAX,
		.body_max = TN_MESSAGE_BYTES_MAX,
		.connections_max = TN_HTTP_CONNECTIONS_MAX,
		.connections_per_peer_max = TN_HTTP_CONNECTIONS_PER_PEER_MAX,
		.output_queue_max = TN_OUTPUT_QUEUE_MAX,
		.headers_timeout_ms = TN_HTTP_HEADERS_TIMEOUT_MS,
		.body_timeout_ms = TN_HTTP_BODY_TIMEOUT_MS,
		.body_rate_min = TN_HTTP_BODY_RATE_MIN,
		.idle_ms = TN_HTTP_IDLE_MS,
		.keepalive_ms = TN_HTTP_KEEPALIVE_MS,
		.stall_ms = TN_OUTPUT_STALL_MS,
		.linger_ms = TN_HTTP_LINGER_MS,
	};
}

/* ---- inputs ---- */

struct tn_http_input *tn_http_input_take(struct tn_http_server *server)
{
	struct tn_http_input *input = server->pool;

	if (input) {
		server->pool = input->next;
		server->pooled--;
	} else {
		input = tn_mem_alloc(sizeof(*input));
		if (!input)
			return NULL;
		input->data = tn_mem_resize(NULL, TN_HTTP_INPUT_BYTES);
		if (!input->data) {
			tn_mem_free(input);
			return NULL;
		}
		input->capacity = TN_HTTP_INPUT_BYTES;
	}
	input->start = input->size = 0;
	tn_http_parser_init(&input->parser, &server->limits);
	return input;
}

static void free_input(struct tn_http_input *input)
{
	tn_mem_free(input->data);
	tn_mem_free(input);
}

void tn_http_input_give(struct tn_http_server *server, struct tn_http_input *input)
{
	if (!input)
		return;
	if (input->capacity != TN_HTTP_INPUT_BYTES || server->pooled == TN_HTTP_INPUTS_KEPT) {
		free_input(input);
		return;
	}
	input->next = server->pool;
	server->pool = input;
	server->pooled++;
}

/* ---- the end of the turn ---- */

void tn_http_due(struct tn_http_exchange *c)
{
	if (c->due)
		return;
	c->due = true;
	c->due_next = c->server->due;
	c->server->due = c;
	tn_later_request(c->server->turn);
}

static void free_dead(struct tn_http_server *server)
{
	struct tn_http_exchange **link = &server->dead;

	while (*link) {
		struct tn_http_exchange *c = *link;

		if (c->due) {
			link = &c->next;
			continue;
		}
		*link = c->next;
		tn_mem_free(c);
	}
}

static void turn_ends(struct tn_later *later, void *data)
{
	struct tn_http_server *server = data;
	struct tn_http_exchange *due;

	(void)later;
	tn_http_send_late(server);
	due = server->due;
	server->due = NULL;
	while (due) {
		struct tn_http_exchange *c = due;

		due = c->due_next;
		c->due = false;
		tn_http_serve_due(c);
	}
	free_dead(server);
	if (server->draining && server->count == 0 && server->drained) {
		void (*drained)(void *) = server->drained;

		server->drained = NULL;
		drained(server->drained_data); /* may close the server: nothing after this */
	}
}

/* ---- connections ---- */

int tn_http_release(struct tn_http_exchange *c)
{
	struct tn_http_server *server = c->server;
	int fd = c->fd;

	if (fd < 0)
		return fd;
	tn_http_send_late_of(c);
	tn_http_unwait(c);
	tn_io_close(c->io);
	c->fd = -1;
	c->io = NULL;
	c->phase = TN_HTTP_DEAD;
	if (c->req != c->in)
		tn_http_input_give(server, c->req);
	tn_http_input_give(server, c->in);
	c->req = c->in = NULL;
	tn_buf_finish(&c->out);
	if (c->prev)
		c->prev->next = c->next;
	else
		server->connections = c->next;
	if (c->next)
		c->next->prev = c->prev;
	server->count--;
	if (c->over_cap)
		server->refused--;
	c->next = server->dead;
	server->dead = c;
	tn_later_request(server->turn);
	return fd;
}

void tn_http_kill(struct tn_http_exchange *c)
{
	int fd = tn_http_release(c);

	if (fd >= 0)
		(void)close(fd); /* what could be sent has been */
}

struct tn_http_seat *tn_http_sit(const struct tn_http_exchange *c)
{
	struct tn_http_server *server = c->server;
	struct tn_http_seat *seat = tn_mem_alloc(sizeof(*seat));

	if (!seat)
		return NULL;
	seat->server = server;
	memcpy(seat->peer, c->peer, sizeof(seat->peer));
	seat->next = server->seats;
	if (seat->next)
		seat->next->prev = seat;
	server->seats = seat;
	server->seat_count++;
	return seat;
}

void tn_http_leave(struct tn_http_seat *seat)
{
	if (!seat)
		return;
	if (seat->prev)
		seat->prev->next = seat->next;
	else
		seat->server->seats = seat->next;
	if (seat->next)
		seat->next->prev = seat->prev;
	seat->server->seat_count--;
	tn_mem_free(seat);
}

static struct tn_http_exchange *add_connection(struct tn_http_server *server, int fd)
{
	struct tenon_error err;
	struct tn_http_exchange *c = tn_mem_alloc(sizeof(*c));

	if (!c)
		return NULL;
	if (tn_io_open(server->loop, fd, tn_http_ready, c, &c->io, &err) != TENON_OK) {
		tn_mem_free(c);
		return NULL;
	}
	c->server = server;
	c->fd = fd;
	c->number = ++server->numbers;
	tn_buf_init(&c->out, server->limits.output_queue_max + TN_RESULT_BYTES_MAX);
	c->next = server->connections;
	if (c->next)
		c->next->prev = c;
	server->connections = c;
	server->count++;
	return c;
}

/* IPv6, or IPv4 as IPv6 writes it. True: this machine. */
static bool read_peer(const struct sockaddr_storage *from, unsigned char peer[16])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	struct in6_addr six;

	if (from->ss_family == AF_INET) {
		const struct sockaddr_in *four = (const struct sockaddr_in *)from;

		memcpy(six.s6_addr, mapped, 12);
		memcpy(six.s6_addr + 12, &four->sin_addr, 4);
	} else {
		six = ((const struct sockaddr_in6 *)from)->sin6_addr;
	}
	memcpy(peer, six.s6_addr, 16);
	return (memcmp(six.s6_addr, mapped, 12) == 0 && six.s6_addr[12] == 127) ||
	       IN6_IS_ADDR_LOOPBACK(&six);
}

static bool is_peer_over_cap(const struct tn_http_exchange *added)
{
	size_t same = 0;

	for (const struct tn_http_exchange *c = added->server->connections; c; c = c->next)
		same += memcmp(c->peer, added->peer, 16) == 0;
	for (const struct tn_http_seat *seat = added->server->seats; seat; seat = seat->next)
		same += memcmp(seat->peer, added->peer, 16) == 0;
	return same > added->server->limits.connections_per_peer_max;
}

/* For a head, for the body of what was refused, or until a refusal is read. */
static bool waits_for_peer(const struct tn_http_exchange *c)
{
	return c->phase == TN_HTTP_IDLE || c->phase == TN_HTTP_HEAD || c->phase == TN_HTTP_BODY ||
	       c->phase == TN_HTTP_WRITING || c->phase == TN_HTTP_LINGER;
}

/* Whoever has not shown yet that it may be here makes room, the oldest first: half requests do not
 * shut the door for others. */
static bool make_room(struct tn_http_server *server)
{
	struct tn_http_exchange *oldest = NULL;

	for (struct tn_http_exchange *c = server->connections; c; c = c->next) {
		if (!c->served && !c->over_cap && waits_for_peer(c))
			oldest = c;
	}
	if (!oldest)
		return false;
	tn_http_break(oldest);
	return true;
}

static void admit(struct tn_http_server *server, int fd, const struct sockaddr_storage *from)
{
	int on = 1;
	size_t held = server->count - server->refused + server->seat_count;
	bool full = held >= server->limits.connections_max && !make_room(server);
	struct tn_http_exchange *c = NULL;

	if (!full || server->refused < TN_HTTP_REFUSED_MAX)
		c = add_connection(server, fd);
	if (!c) {
		(void)close(fd); /* no memory, or too many even to say so */
		return;
	}
	/* Answers must not wait for the peer's acknowledgement: 40 ms each. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)); /* slower at worst */
	if (!read_peer(from, c->peer) && !full)
		full = is_peer_over_cap(c);
	if (full) {
		c->over_cap = true;
		server->refused++;
		tn_http_fault(c, 503, "too many connections");
	}
	tn_http_settle(c);
}

/* Out of descriptors, a level-triggered listener would spin: it rests instead. */
static void rest_accepting(struct tn_http_server *server)
{
	tn_io_watch(server->io, 0);
	tn_timer_start(server->accept_timer, ACCEPT_RETRY_MS);
}

static void accept_again(struct tn_timer *timer, void *data)
{
	struct tn_http_server *server = data;

	(void)timer;
	if (server->io)
		tn_io_watch(server->io, TN_IO_READ);
}

static void accept_ready(struct tn_io *io, int events, void *data)
{
	struct tn_http_server *server = data;

	(void)io;
	(void)events;
	for (unsigned i = 0; i < ACCEPTS_PER_TURN; i++) {
		struct sockaddr_storage from = {0};
		socklen_t size = sizeof(from);
		int fd = accept4(server->fd, (struct sockaddr *)&from, &size,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			admit(server, fd, &from);
		} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			   errno == ENOBUFS) {
			rest_accepting(server);
			return;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			return;
		} /* else this one was gone before it was accepted */
	}
}

/* ---- the server ---- */

static enum tenon_code parse_address(const char *text, uint16_t port, struct sockaddr_storage *ret,
				     socklen_t *ret_size, struct tenon_error *err)
{
	struct sockaddr_in *four = (struct sockaddr_in *)ret;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)ret;
	char bare[INET6_ADDRSTRLEN];
	struct tn_str inner = tn_str_from(text);

	*ret = (struct sockaddr_storage){0};
	if (inner.size > 2 && inner.data[0] == '[' && inner.data[inner.size - 1] == ']')
		inner = tn_str(inner.data + 1, inner.size - 2);
	(void)snprintf(bare, sizeof(bare), "%.*s", (int)inner.size, inner.data);
	if (inner.size < sizeof(bare) && inet_pton(AF_INET, bare, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		*ret_size = sizeof(*four);
	} else if (inner.size < sizeof(bare) && inet_pton(AF_INET6, bare, &six->sin6_addr) == 1) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		*ret_size = sizeof(*six);
	} else {
		return tn_fail(err, TENON_INVALID,
			       "the address to listen on is not numeric; send 127.0.0.1 or ::1");
	}
	return TENON_OK;
}

/* A socket of a supervisor's, which has listened since before we were there. */
static enum tenon_code adopt(struct tn_http_server *server, int fd, struct tenon_error *err)
{
	int listens = 0, family = 0;
	socklen_t size = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0 ||
	    (family != AF_INET && family != AF_INET6) ||
	    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
		return tn_fail(err, TENON_INVALID,
			       "descriptor %d is no TCP socket that listens already", fd);
	if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
		return tn_fail_errno(err, errno, "take the listener over");
	server->fd = fd;
	return TENON_OK;
}

static enum tenon_code bind_listener(struct tn_http_server *server,
				     const struct tn_http_options *options, struct tenon_error *err)
{
	struct sockaddr_storage at;
	socklen_t size = 0;
	int on = 1;
	enum tenon_code code = parse_address(options->address ? options->address : "",
					     options->port, &at, &size, err);

	if (code != TENON_OK)
		return code;
	server->fd = socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (server->fd < 0)
		return tn_fail_errno(err, errno, "open listener");
	(void)setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)); /* bind will say */
	if (at.ss_family == AF_INET6) /* [::] is not also 0.0.0.0: that was not asked for */
		(void)setsockopt(server->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(server->fd, (struct sockaddr *)&at, size) != 0)
		return tn_fail_errno(err, errno, "bind listener");
	if (listen(server->fd, BACKLOG) != 0)
		return tn_fail_errno(err, errno, "listen");
	return TENON_OK;
}

static enum tenon_code start_listening(struct tn_http_server *server,
				       const struct tn_http_options *options,
				       struct tenon_error *err)
{
	struct sockaddr_storage at;
	socklen_t size = sizeof(at);
	enum tenon_code code = options->fd > 0 ? adopt(server, options->fd, err)
					       : bind_listener(server, options, err);

	if (code != TENON_OK)
		return code;
	if (getsockname(server->fd, (struct sockaddr *)&at, &size) != 0)
		return tn_fail_errno(err, errno, "read listener's port");
	server->port = ntohs(at.ss_family == AF_INET ? ((struct sockaddr_in *)&at)->sin_port
						     : ((struct sockaddr_in6 *)&at)->sin6_port);
	code = tn_io_open(server->loop, server->fd, accept_ready, server, &server->io, err);
	if (code == TENON_OK)
		tn_io_watch(server->io, TN_IO_READ);
	return code;
}

enum tenon_code tn_http_server_open(struct tn_loop *loop, const struct tn_http_options *options,
				    struct tn_http_server **ret, struct tenon_error *err)
{
	struct tn_http_server *server = tn_mem_alloc(sizeof(*server));
	enum tenon_code code;

	if (!server)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	server->loop = loop;
	server->handler = options->handler;
	server->data = options->data;
	server->fixed_lines = tn_str_from(options->lines ? options->lines : "");
	server->fd = -1;
	if (options->limits)
		server->limits = *options->limits;
	else
		tn_http_limits_default(&server->limits);
	tn_http_set_durations(server);
	tn_buf_init(&server->batch, TN_HTTP_BATCH_BYTES);
	tn_buf_init(&server->late, TN_HTTP_LATE_MAX);
	server->late_tail = &server->late_first;
	tn_buf_init(&server->head, TN_RESULT_BYTES_MAX);
	tn_buf_init(&server->lines, TN_HTTP_SECTION_MAX);
	code = tn_later_open(loop, turn_ends, server, &server->turn, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, tn_http_timer_expired, server, &server->timer, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, accept_again, server, &server->accept_timer, err);
	if (code == TENON_OK)
		code = start_listening(server, options, err);
	if (code != TENON_OK) {
		if (options->fd > 0)
			server->fd = -1; /* the caller's still */
		tn_http_server_close(server);
		return code;
	}
	*ret = server;
	return TENON_OK;
}

uint16_t tn_http_server_port(const struct tn_http_server *server)
{
	return server->port;
}

size_t tn_http_server_connections(const struct tn_http_server *server)
{
	return server->count;
}

static void stop_accepting(struct tn_http_server *server)
{
	tn_io_close(server->io);
	server->io = NULL;
	if (server->fd >= 0)
		(void)close(server->fd); /* only listened */
	server->fd = -1;
}

void tn_http_server_drain(struct tn_http_server *server, void (*drained)(void *data), void *data)
{
	struct tn_http_exchange *next;

	stop_accepting(server);
	server->draining = true;
	server->drained = drained;
	server->drained_data = data;
	for (struct tn_http_exchange *c = server->connections; c; c = next) {
		next = c->next;
		if (c->phase == TN_HTTP_IDLE)
			tn_http_settle(c);
	}
	tn_later_request(server->turn);
}

static bool is_open(const struct tn_http_exchange *c)
{
	return (c->phase == TN_HTTP_BODY && !c->refused) || c->phase == TN_HTTP_HELD ||
	       c->phase == TN_HTTP_BUSY || c->phase == TN_HTTP_STREAM;
}

struct tn_http_exchange *
tn_http_server_find(const struct tn_http_server *server,
		    bool (*wanted)(const struct tn_http_exchange *exchange, void *data), void *data)
{
	struct tn_http_exchange *c = server->connections;

	while (c && !(is_open(c) && wanted(c, data)))
		c = c->next;
	return c;
}

void tn_http_server_let_go(struct tn_http_server *server, uint64_t number, unsigned char mark,
			   int64_t owner)
{
	struct tn_http_exchange *c = server->connections;

	while (c && c->number != number)
		c = c->next;
	if (!c)
		return; /* it has ended */
	c->held = false;
	c->mark = mark;
	c->owner = owner;
	tn_http_due(c);
}

void tn_http_server_close(struct tn_http_server *server)
{
	if (!server)
		return;
	tn_assert(!server->seats);
	stop_accepting(server);
	while (server->connections)
		tn_http_break(server->connections);
	while (server->dead) {
		struct tn_http_exchange *c = server->dead;

		server->dead = c->next;
		tn_mem_free(c);
	}
	while (server->pool) {
		struct tn_http_input *input = server->pool;

		server->pool = input->next;
		free_input(input);
	}
	tn_later_close(server->turn);
	tn_timer_close(server->timer);
	tn_timer_close(server->accept_timer);
	tn_buf_finish(&server->batch);
	tn_buf_finish(&server->late);
	tn_buf_finish(&server->head);
	tn_buf_finish(&server->lines);
	tn_mem_free(server);
}
