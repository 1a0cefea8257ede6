/* One connection: reading, taking requests apart, handing them over, and its end. */
#include "transport/http_connection.h"

#include <errno.h>
#include <sys/socket.h>

#include "base/mem.h"

/* ---- the end of a connection ---- */

void tn_http_break(struct tn_http_exchange *c)
{
	bool open = c->phase == TN_HTTP_BUSY || c->phase == TN_HTTP_STREAM ||
		    c->phase == TN_HTTP_BROKEN;

	if (c->phase == TN_HTTP_DEAD)
		return;
	if (open) {
		c->phase = TN_HTTP_DEAD; /* whatever `closed` does with it is ignored */
		c->server->handler->closed(c, c->server->data);
	}
	tn_http_kill(c);
}

/* Closing at once, with input of the peer unread, would make the kernel send a reset that may
 * overtake our last answer (RFC 9112 section 9.6). */
static void linger(struct tn_http_exchange *c)
{
	if (c->eof || shutdown(c->fd, SHUT_WR) != 0) {
		tn_http_kill(c);
		return;
	}
	tn_http_input_give(c->server, c->in);
	c->in = NULL;
	c->phase = TN_HTTP_LINGER;
	tn_http_wait(c, TN_HTTP_WAIT_LINGER);
}

static void drop_input(struct tn_http_exchange *c)
{
	char scrap[4096];

	for (unsigned reads = 0; reads < 64; reads++) {
		ssize_t got = recv(c->fd, scrap, sizeof(scrap), MSG_DONTWAIT);

		if (got > 0 || (got < 0 && errno == EINTR))
			continue;
		if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
			tn_http_kill(c);
		return;
	}
}

/* ---- faults ---- */

/* The handler's lines where the head has been read: a page may learn why its body was refused. */
static struct tn_str fault_lines(struct tn_http_exchange *c)
{
	struct tn_str lines;

	if (c->phase != TN_HTTP_BODY || !c->in)
		return tn_str("", 0);
	c->req = c->in;
	lines = tn_http_more_headers(c);
	c->req = NULL;
	return lines;
}

void tn_http_fault(struct tn_http_exchange *c, unsigned status, const char *sentence)
{
	struct tn_http_server *server = c->server;
	struct tn_buf body;
	struct tn_str parts[2];
	struct tn_http_header retry = {TN_STR("Retry-After"), TN_STR("1")};
	struct tn_http_reply reply = {.status = status,
				      .type = TN_STR("text/plain; charset=utf-8")};
	struct tn_http_head head = {.reply = &reply,
				    .framing = TN_HTTP_LENGTH,
				    .close = true,
				    .date = tn_http_date(server),
				    .lines = fault_lines(c),
				    .fixed = server->fixed_lines};

	tn_buf_init(&body, 64 * TN_KIB);
	if (server->handler->fault) {
		reply.type = tn_str_from(
			server->handler->fault(status, tn_str_from(sentence), &body, server->data));
	} else {
		tn_buf_append_text(&body, sentence);
		tn_buf_append_byte(&body, '\n');
	}
	if (status == 503) {
		reply.headers = &retry;
		reply.header_count = 1;
	}
	head.length = body.size;
	tn_buf_clear(&server->head);
	tn_http_put_head(&server->head, &head);
	parts[0] = tn_buf_str(&server->head);
	parts[1] = tn_buf_str(&body);
	c->closing = true;
	c->phase = TN_HTTP_WRITING;
	if (server->head.failed || body.failed || !tn_http_output(c, parts, 2, false))
		tn_http_kill(c);
	tn_buf_finish(&body);
}

/* ---- from bytes to exchanges ---- */

static struct tn_str unread(const struct tn_http_input *in)
{
	return tn_str(in->data + in->start, in->size - in->start);
}

/* The request at the front of the input is done with. */
static void advance(struct tn_http_exchange *c)
{
	struct tn_http_input *in = c->in;

	in->start += in->parser.at;
	tn_http_parser_init(&in->parser, &c->server->limits);
	c->refused = false;
}

/* More than the usual size only when it was read together with a large body. */
static bool fits(struct tn_http_input *in, size_t size)
{
	char *data = size > in->capacity ? tn_mem_resize(in->data, size) : in->data;

	if (!data)
		return false;
	in->data = data;
	if (size > in->capacity)
		in->capacity = size;
	return true;
}

/* The exchange stays open after its callback: its bytes must not move any more, so it takes the
 * input with it, and what follows in it moves instead. */
static void detach_request(struct tn_http_exchange *c)
{
	struct tn_http_input *in = c->in, *rest = NULL;
	struct tn_str after = tn_str_from_offset(unread(in), in->parser.at);

	if (!c->req) { /* already forgotten */
		advance(c);
		return;
	}
	if (after.size) {
		rest = tn_http_input_take(c->server);
		if (!rest || !fits(rest, after.size)) {
			tn_http_input_give(c->server, rest);
			rest = NULL;
			c->closing = true; /* no memory for what follows: it will not be answered */
		} else {
			memcpy(rest->data, after.data, after.size);
			rest->size = after.size;
		}
	}
	c->in = rest;
}

static void hand_over(struct tn_http_exchange *c)
{
	c->phase = TN_HTTP_BUSY;
	c->req = c->in;
	c->server->handler->request(c, c->server->data);
	if (c->phase == TN_HTTP_BUSY || c->phase == TN_HTTP_STREAM || c->phase == TN_HTTP_BROKEN)
		detach_request(c);
	else if (c->phase == TN_HTTP_IDLE || c->phase == TN_HTTP_WRITING)
		advance(c);
}

static bool send_continue(struct tn_http_exchange *c)
{
	struct tn_str line = TN_STR("HTTP/1.1 100 Continue\r\n\r\n");

	return tn_http_output(c, &line, 1, false);
}

static void ask_user(struct tn_http_exchange *c)
{
	const struct tn_http_server *server = c->server;

	c->user = NULL;
	c->anybodys = false;
	if (server->handler->check)
		server->handler->check(c, server->data);
	c->served = c->served || (!c->refused && !c->anybodys);
}

/* After the head: the user's check, then the size, then the body may come (MCP-104). */
static void check(struct tn_http_exchange *c)
{
	struct tn_http_server *server = c->server;
	struct tn_http_parser *p = &c->in->parser;

	c->phase = TN_HTTP_CHECK;
	c->req = c->in;
	c->closing = p->close || server->draining;
	ask_user(c);
	c->req = NULL;
	if (c->phase != TN_HTTP_CHECK)
		return;
	if (c->refused && c->closing) {
		c->phase = TN_HTTP_WRITING;
		return;
	}
	c->phase = TN_HTTP_BODY;
	p->discard = c->refused;
	if (p->has_length && p->length > server->limits.body_max)
		tn_http_fault(c, 413, "the body is too large");
	else if (p->expect_continue && !c->refused && p->body_at == unread(c->in).size &&
		 (p->chunked || p->length) && !send_continue(c))
		tn_http_kill(c);
}

static bool parse_failed(struct tn_http_exchange *c)
{
	struct tn_http_parser *p = &c->in->parser;

	if (c->refused) { /* its answer has been given; there is no second one */
		c->closing = true;
		c->phase = TN_HTTP_WRITING;
	} else {
		tn_http_fault(c, p->status, p->fault);
	}
	return false;
}

static bool step_head(struct tn_http_exchange *c)
{
	struct tn_http_input *in = c->in;

	if (!in || unread(in).size == 0) {
		c->phase = TN_HTTP_IDLE;
		return false;
	}
	switch (tn_http_parse_head(&in->parser, in->data + in->start, in->size - in->start)) {
	case TN_HTTP_READY:
		check(c);
		return true;
	case TN_HTTP_FAULT:
		return parse_failed(c);
	default:
		c->phase = TN_HTTP_HEAD;
		return false;
	}
}

static bool step_body(struct tn_http_exchange *c)
{
	struct tn_http_input *in = c->in;
	size_t size = in->size - in->start;
	enum tn_http_progress progress =
		tn_http_parse_body(&in->parser, in->data + in->start, &size);

	if (progress == TN_HTTP_MORE) /* only then may bytes have been joined */
		in->size = in->start + size;
	if (progress == TN_HTTP_FAULT)
		return parse_failed(c);
	if (progress == TN_HTTP_MORE)
		return false;
	if (c->refused) {
		advance(c);
		c->phase = TN_HTTP_IDLE;
	} else if (c->held) {
		c->phase = TN_HTTP_HELD;
	} else {
		hand_over(c);
	}
	return true;
}

/* One step on the way; false when more input or an answer is needed first. */
static bool step(struct tn_http_exchange *c)
{
	switch (c->phase) {
	case TN_HTTP_IDLE:
	case TN_HTTP_HEAD:
		return step_head(c);
	case TN_HTTP_BODY:
		return step_body(c);
	case TN_HTTP_HELD:
		if (c->held)
			return false;
		hand_over(c);
		return true;
	default:
		return false;
	}
}

static void process(struct tn_http_exchange *c)
{
	c->processing = true;
	while (step(c))
		;
	if (c->phase != TN_HTTP_DEAD && !tn_http_flush(c))
		tn_http_break(c);
	tn_buf_clear(&c->server->batch);
	c->processing = false;
	if (tn_http_pending(c) && c->phase == TN_HTTP_IDLE)
		c->phase = TN_HTTP_WRITING;
	tn_http_settle(c);
}

/* ---- where a connection stands, and what it waits for ---- */

static void release_input(struct tn_http_exchange *c)
{
	if (c->in && unread(c->in).size == 0 &&
	    (c->phase == TN_HTTP_IDLE || c->phase >= TN_HTTP_BUSY)) {
		tn_http_input_give(c->server, c->in);
		c->in = NULL;
	}
}

static bool has_room_ahead(const struct tn_http_exchange *c)
{
	return !c->in || c->in->size - c->in->start < TN_HTTP_INPUT_BYTES;
}

static void watch(struct tn_http_exchange *c)
{
	int events = tn_http_pending(c) ? TN_IO_WRITE : 0;

	if (c->phase == TN_HTTP_BUSY || c->phase == TN_HTTP_STREAM) {
		if (!c->eof && has_room_ahead(c))
			events |= TN_IO_READ;
	} else if (c->phase != TN_HTTP_WRITING && c->phase != TN_HTTP_HELD) {
		events |= TN_IO_READ;
	}
	tn_io_watch(c->io, events);
}

static void wait_for(struct tn_http_exchange *c)
{
	static const unsigned char waits[] = {
		[TN_HTTP_IDLE] = TN_HTTP_WAIT_IDLE,     [TN_HTTP_HEAD] = TN_HTTP_WAIT_HEADERS,
		[TN_HTTP_BODY] = TN_HTTP_WAIT_BODY,     [TN_HTTP_HELD] = TN_HTTP_WAIT_NONE,
		[TN_HTTP_BUSY] = TN_HTTP_WAIT_NONE,     [TN_HTTP_STREAM] = TN_HTTP_WAIT_KEEPALIVE,
		[TN_HTTP_WRITING] = TN_HTTP_WAIT_STALL, [TN_HTTP_LINGER] = TN_HTTP_WAIT_LINGER,
		[TN_HTTP_BROKEN] = TN_HTTP_WAIT_NONE,
	};
	enum tn_http_wait wait = waits[c->phase];

	if (c->phase == TN_HTTP_STREAM && c->over_queue)
		wait = TN_HTTP_WAIT_STALL;
	else if ((c->phase == TN_HTTP_STREAM || c->phase == TN_HTTP_BUSY) && c->eof)
		wait = TN_HTTP_WAIT_PROBE;
	/* Idleness starts anew with each answer; the others run on until they are over. */
	if (wait != c->wait || wait == TN_HTTP_WAIT_IDLE) {
		c->periods = 0;
		tn_http_wait(c, wait);
	}
}

void tn_http_settle(struct tn_http_exchange *c)
{
	if (c->phase == TN_HTTP_DEAD || c->processing)
		return;
	if (c->phase == TN_HTTP_WRITING && tn_http_pending(c) == 0) {
		if (c->closing) {
			linger(c);
			if (c->phase == TN_HTTP_DEAD)
				return;
		} else {
			c->phase = TN_HTTP_IDLE;
		}
	}
	release_input(c);
	if (c->phase == TN_HTTP_IDLE && c->server->draining && !c->in) {
		tn_http_kill(c);
		return;
	}
	/* What came while the exchange before was open. */
	if (c->phase == TN_HTTP_IDLE && c->in)
		tn_http_due(c);
	wait_for(c);
	watch(c);
}

/* ---- readiness ---- */

/* Memory for the next read; less than one read only when reading ahead of an answer. */
static size_t make_room(struct tn_http_exchange *c)
{
	struct tn_http_input *in = c->in;
	size_t wanted;

	if (!in) {
		in = c->in = tn_http_input_take(c->server);
		return in ? in->capacity : 0;
	}
	if (in->start) {
		memmove(in->data, in->data + in->start, in->size - in->start);
		in->size -= in->start;
		in->start = 0;
	}
	if (in->size < in->capacity / 2 || c->phase >= TN_HTTP_BUSY)
		return in->capacity - in->size;
	/* Grown by doubling, and never on the mere promise of a Content-Length. */
	wanted = in->capacity * 2;
	if (c->phase == TN_HTTP_BODY && in->parser.has_length &&
	    in->parser.body_at + in->parser.length < wanted)
		wanted = in->parser.body_at + (size_t)in->parser.length;
	if (wanted > in->capacity) {
		char *data = tn_mem_resize(in->data, wanted);

		if (!data)
			return 0;
		in->data = data;
		in->capacity = wanted;
	}
	return in->capacity - in->size;
}

static void input_ended(struct tn_http_exchange *c)
{
	c->eof = true;
	if (c->phase != TN_HTTP_BUSY) /* half a request, or nobody listens to the stream */
		tn_http_break(c);
	else
		tn_http_settle(c); /* half-closed: it still gets its answer (MCP-154) */
}

static void read_ready(struct tn_http_exchange *c)
{
	size_t room = make_room(c);
	ssize_t got;

	if (room == 0) {
		if (c->phase >= TN_HTTP_BUSY)
			tn_http_settle(c);
		else
			tn_http_break(c); /* no memory */
		return;
	}
	got = recv(c->fd, c->in->data + c->in->size, room, MSG_DONTWAIT);
	if (got > 0) {
		c->in->size += (size_t)got;
		if (c->phase < TN_HTTP_BUSY)
			process(c);
		else
			tn_http_settle(c);
	} else if (got == 0) {
		input_ended(c);
	} else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
		release_input(c);
	} else {
		tn_http_break(c);
	}
}

static void write_ready(struct tn_http_exchange *c)
{
	size_t before = tn_http_pending(c);

	if (!tn_http_flush(c)) {
		tn_http_break(c);
		return;
	}
	if (c->over_queue && tn_http_pending(c) <= c->server->limits.output_queue_max / 2)
		c->over_queue = false;
	if (c->phase == TN_HTTP_WRITING && tn_http_pending(c) < before)
		tn_http_wait(c, TN_HTTP_WAIT_STALL); /* it does take some */
	tn_http_settle(c);
}

void tn_http_ready(struct tn_io *io, int events, void *data)
{
	struct tn_http_exchange *c = data;

	(void)io;
	if ((events & TN_IO_WRITE) && tn_http_pending(c))
		write_ready(c);
	if (!(events & TN_IO_READ) || c->phase == TN_HTTP_DEAD || c->phase == TN_HTTP_WRITING ||
	    c->phase == TN_HTTP_HELD)
		return;
	if (c->phase == TN_HTTP_LINGER)
		drop_input(c);
	else if (c->phase != TN_HTTP_BROKEN && !c->eof)
		read_ready(c);
}

void tn_http_serve_due(struct tn_http_exchange *c)
{
	if (c->phase == TN_HTTP_BROKEN) {
		tn_http_break(c);
	} else if (c->phase == TN_HTTP_STREAM) {
		if (!tn_http_flush(c)) /* a head that nothing followed */
			tn_http_break(c);
		else
			tn_http_settle(c);
	} else if ((c->phase == TN_HTTP_IDLE && c->in) || (c->phase == TN_HTTP_HELD && !c->held)) {
		process(c);
	}
}
