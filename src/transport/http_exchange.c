/* What a handler asks about a request, and how it answers. */
#include <stdio.h>
#include <sys/socket.h>

#include "base/size.h"
#include "transport/http_connection.h"
#include "transport/sse.h"

/* ---- the request ---- */

static struct tn_str piece(const struct tn_http_exchange *c, struct tn_http_span where)
{
	return tn_str(c->req->data + c->req->start + where.at, where.size);
}

struct tn_str tn_http_method(const struct tn_http_exchange *c)
{
	return c->req ? piece(c, c->req->parser.method) : tn_str(NULL, 0);
}

struct tn_str tn_http_path(const struct tn_http_exchange *c)
{
	/* http://host asks for the root (RFC 9112 section 3.2.2). */
	if (c->req && c->req->parser.path.size == 0)
		return TN_STR("/");
	return c->req ? piece(c, c->req->parser.path) : tn_str(NULL, 0);
}

struct tn_str tn_http_query(const struct tn_http_exchange *c)
{
	return c->req && c->req->parser.has_query ? piece(c, c->req->parser.query)
						  : tn_str(NULL, 0);
}

struct tn_str tn_http_query_value(const struct tn_http_exchange *c, struct tn_str name)
{
	struct tn_str query = tn_http_query(c);

	while (query.size) {
		size_t end = tn_str_find_byte(query, '&');
		struct tn_str pair = end == TN_STR_NONE ? query : tn_str(query.data, end);

		if (tn_str_starts(pair, name) && pair.size > name.size &&
		    pair.data[name.size] == '=')
			return tn_str_from_offset(pair, name.size + 1);
		query = end == TN_STR_NONE ? tn_str(NULL, 0) : tn_str_from_offset(query, end + 1);
	}
	return tn_str(NULL, 0);
}

struct tn_str tn_http_header(const struct tn_http_exchange *c, const char *name, size_t *ret_count)
{
	struct tn_str wanted = tn_str_from(name), found = {NULL, 0};
	size_t count = 0, total = c->req ? c->req->parser.header_count : 0;

	for (size_t i = 0; i < total; i++) {
		const struct tn_http_field *field = &c->req->parser.headers[i];

		if (field->name.size != wanted.size ||
		    !tn_str_equal_nocase(piece(c, field->name), wanted))
			continue;
		if (count++ == 0)
			found = piece(c, field->value);
		if (!ret_count)
			break;
	}
	if (ret_count)
		*ret_count = count;
	return found;
}

size_t tn_http_header_count(const struct tn_http_exchange *c)
{
	return c->req ? c->req->parser.header_count : 0;
}

struct tn_http_header tn_http_header_at(const struct tn_http_exchange *c, size_t index)
{
	const struct tn_http_field *field = &c->req->parser.headers[index];

	tn_assert(index < c->req->parser.header_count);
	return (struct tn_http_header){piece(c, field->name), piece(c, field->value)};
}

char *tn_http_body(struct tn_http_exchange *c, size_t *ret_size)
{
	struct tn_http_input *req = c->req;

	*ret_size = req ? req->parser.body_size : 0;
	return req ? req->data + req->start + req->parser.body_at : NULL;
}

static bool is_head_request(const struct tn_http_exchange *c)
{
	return tn_str_equal(tn_http_method(c), TN_STR("HEAD"));
}

void tn_http_forget_request(struct tn_http_exchange *c)
{
	/* Inside the callback the bytes also hold what follows. They go when it returns. */
	if (c->req && c->req != c->in)
		tn_http_input_give(c->server, c->req);
	c->req = NULL;
}

const unsigned char *tn_http_peer_address(const struct tn_http_exchange *c)
{
	return c->peer;
}

void tn_http_set_user(struct tn_http_exchange *c, void *user)
{
	c->user = user;
}

void *tn_http_user(const struct tn_http_exchange *c)
{
	return c->user;
}

/* ---- the end of an exchange ---- */

/* False: the exchange is open no more, only its owner does not know yet. */
static bool is_answerable(struct tn_http_exchange *c)
{
	if (c->phase == TN_HTTP_BROKEN)
		tn_http_kill(c); /* answered before `closed` was due, which is then not called */
	return c->phase == TN_HTTP_CHECK || c->phase == TN_HTTP_BUSY || c->phase == TN_HTTP_STREAM;
}

static void finish(struct tn_http_exchange *c)
{
	if (c->phase == TN_HTTP_CHECK) {
		c->refused = true;
		return;
	}
	c->user = NULL;
	c->over_queue = false;
	tn_http_forget_request(c);
	c->phase = c->closing || tn_http_pending(c) ? TN_HTTP_WRITING : TN_HTTP_IDLE;
	tn_http_settle(c);
}

void tn_http_abort(struct tn_http_exchange *c)
{
	if (is_answerable(c))
		tn_http_kill(c);
}

struct tn_str tn_http_more_headers(const struct tn_http_exchange *c)
{
	struct tn_http_server *server = c->server;

	if (!server->handler->headers || !c->req)
		return tn_str("", 0);
	tn_buf_clear(&server->lines);
	server->handler->headers(c, &server->lines, server->data);
	return server->lines.failed ? tn_str("", 0) : tn_buf_str(&server->lines);
}

/* ---- one reply ---- */

/* Whether what follows an early refusal can be told from the refused body. */
static bool loses_track(const struct tn_http_exchange *c)
{
	const struct tn_http_parser *p = &c->req->parser;
	bool has_body = p->chunked || p->length > 0;

	return c->phase == TN_HTTP_CHECK && has_body &&
	       (p->expect_continue || p->length > c->server->limits.body_max);
}

static bool has_no_body(unsigned status)
{
	return status == 204 || status == 304;
}

static bool send_reply(struct tn_http_exchange *c, const struct tn_http_reply *reply, size_t length)
{
	struct tn_str parts[16];
	struct tn_http_server *server = c->server;
	struct tn_http_head head = {
		.reply = reply,
		.framing = has_no_body(reply->status) ? TN_HTTP_NO_BODY : TN_HTTP_LENGTH,
		.length = length,
		.close = c->closing,
		.date = tn_http_date(server),
		.lines = tn_http_more_headers(c),
		.fixed = server->fixed_lines,
	};
	bool bare = has_no_body(reply->status) || is_head_request(c);
	size_t count = bare ? 0 : reply->part_count;
	bool follows = c->processing && c->in->start + c->in->parser.at < c->in->size;

	tn_buf_clear(&server->head);
	tn_http_put_head(&server->head, &head);
	if (count >= TN_COUNT(parts)) { /* rare: joined behind the head */
		for (size_t i = 0; i < count; i++)
			tn_buf_append_str(&server->head, reply->parts[i]);
		count = 0;
	}
	if (server->head.failed)
		return false;
	parts[0] = tn_buf_str(&server->head);
	for (size_t i = 0; i < count; i++)
		parts[i + 1] = reply->parts[i];
	return tn_http_output(c, parts, count + 1, follows);
}

void tn_http_respond(struct tn_http_exchange *c, const struct tn_http_reply *reply)
{
	size_t length = 0;

	if (!is_answerable(c) || c->refused)
		return;
	tn_assert(c->phase != TN_HTTP_STREAM);
	for (size_t i = 0; i < reply->part_count; i++)
		length += reply->parts[i].size;
	/* Without the request its method is unknown; only who forgets it answers so. */
	tn_assert(c->req);
	if (reply->close || c->server->draining || c->eof || loses_track(c))
		c->closing = true;
	if (send_reply(c, reply, length))
		finish(c);
	else
		tn_http_kill(c);
}

/* ---- streams ---- */

static void begin_head(struct tn_http_exchange *c, const struct tn_http_reply *reply)
{
	struct tn_http_head head = {.reply = reply,
				    .date = tn_http_date(c->server),
				    .lines = tn_http_more_headers(c),
				    .fixed = c->server->fixed_lines};

	c->chunked = c->req->parser.minor > 0;
	c->closing = c->closing || !c->chunked || reply->close || c->server->draining || c->eof;
	head.framing = c->chunked ? TN_HTTP_CHUNKED : TN_HTTP_UNTIL_CLOSE;
	head.close = c->closing;
	tn_buf_clear(&c->server->head);
	tn_http_put_head(&c->server->head, &head);
}

static void break_later(struct tn_http_exchange *c)
{
	c->phase = TN_HTTP_BROKEN;
	tn_http_due(c);
}

/* A chunk of the parts; parts[0] is free for its size, and so is the one behind the last. */
static bool send_chunk(struct tn_http_exchange *c, struct tn_str *parts, size_t count, bool last)
{
	char size_line[24];
	size_t total = 0;

	for (size_t i = 1; i <= count; i++)
		total += parts[i].size;
	parts[0] = parts[count + 1] = tn_str("", 0);
	if (c->chunked) {
		int written = total ? snprintf(size_line, sizeof(size_line), "%zx\r\n", total) : 0;

		parts[0] = tn_str(size_line, (size_t)written);
		if (total)
			parts[count + 1] = last ? TN_STR("\r\n0\r\n\r\n") : TN_STR("\r\n");
		else if (last)
			parts[count + 1] = TN_STR("0\r\n\r\n");
	}
	return tn_http_output(c, parts, count + 2, false);
}

bool tn_http_stream_begin(struct tn_http_exchange *c, const struct tn_http_reply *reply)
{
	struct tn_str head;

	if (!is_answerable(c))
		return false;
	tn_assert(c->phase == TN_HTTP_BUSY && c->req);
	if (is_head_request(c)) {
		struct tn_http_reply bare = *reply;

		bare.part_count = 0;
		tn_http_respond(c, &bare);
		return false;
	}
	begin_head(c, reply);
	c->phase = TN_HTTP_STREAM;
	c->event_stream = false;
	head = tn_buf_str(&c->server->head);
	tn_http_queue(c, &head, 1);
	for (size_t i = 0; i < reply->part_count; i++)
		(void)tn_http_stream_bytes(c,
					   reply->parts[i]); /* the head may always be followed */
	if (c->out.failed || c->server->head.failed)
		break_later(c);
	else
		tn_http_due(c);
	return true;
}

bool tn_http_sse_begin(struct tn_http_exchange *c, const struct tn_http_header *headers,
		       size_t header_count)
{
	enum { OURS = 2, EXTRA_MAX = 14 };
	struct tn_http_header all[OURS + EXTRA_MAX] = {
		{TN_STR("Cache-Control"), TN_STR("no-cache, no-transform")},
		{TN_STR("X-Accel-Buffering"), TN_STR("no")}, /* or nginx collects events */
	};
	struct tn_http_reply reply = {
		.status = 200,
		.type = TN_STR("text/event-stream"),
		.headers = all,
		.header_count = OURS + header_count,
	};

	tn_assert(header_count <= EXTRA_MAX);
	for (size_t i = 0; i < header_count; i++)
		all[OURS + i] = headers[i];
	if (!tn_http_stream_begin(c, &reply))
		return false;
	c->event_stream = true;
	return true;
}

/* False: the queue of a peer that does not read is full. */
static bool may_send(struct tn_http_exchange *c)
{
	if (tn_http_pending(c) <= c->server->limits.output_queue_max)
		return true;
	if (!c->over_queue) {
		c->over_queue = true;
		tn_http_settle(c); /* from now on it has stall_ms */
	}
	return false;
}

/* After something was sent: silence begins anew. */
static void sent(struct tn_http_exchange *c)
{
	if (tn_http_pending(c) > c->server->limits.output_queue_max)
		c->over_queue = true;
	if (c->wait == TN_HTTP_WAIT_KEEPALIVE)
		tn_http_wait(c, TN_HTTP_WAIT_KEEPALIVE);
	tn_http_settle(c);
}

static bool send_event(struct tn_http_exchange *c, const struct tn_http_event *event, bool last)
{
	struct tn_str parts[16];
	struct tn_buf *prefix = &c->server->head;
	size_t count = event->data_count;

	tn_buf_clear(prefix);
	tn_sse_put_prefix(prefix, event);
	if (count + 4 > TN_COUNT(parts)) { /* rare: joined behind the prefix */
		for (size_t i = 0; i < count; i++)
			tn_buf_append_str(prefix, event->data[i]);
		count = 0;
	}
	if (prefix->failed)
		return false;
	parts[1] = tn_buf_str(prefix);
	for (size_t i = 0; i < count; i++)
		parts[i + 2] = event->data[i];
	parts[count + 2] = TN_SSE_SUFFIX;
	return send_chunk(c, parts, count + 2, last);
}

bool tn_http_stream_event(struct tn_http_exchange *c, const struct tn_http_event *event)
{
	if (c->phase != TN_HTTP_STREAM || !may_send(c))
		return false;
	if (!send_event(c, event, false)) {
		break_later(c);
		return false;
	}
	sent(c);
	return true;
}

bool tn_http_stream_bytes(struct tn_http_exchange *c, struct tn_str bytes)
{
	struct tn_str parts[3];

	if (c->phase != TN_HTTP_STREAM || !may_send(c))
		return false;
	parts[1] = bytes;
	if (!send_chunk(c, parts, 1, false)) {
		break_later(c);
		return false;
	}
	sent(c);
	return true;
}

void tn_http_stream_end(struct tn_http_exchange *c, const struct tn_http_event *last)
{
	struct tn_str parts[2];
	bool good;

	if (!is_answerable(c))
		return;
	tn_assert(c->phase == TN_HTTP_STREAM);
	good = last ? send_event(c, last, true) : send_chunk(c, parts, 0, true);
	c->closing = c->closing || c->server->draining;
	if (good)
		finish(c);
	else
		tn_http_kill(c);
}

size_t tn_http_stream_queued(const struct tn_http_exchange *c)
{
	return tn_http_pending(c);
}

/* ---- another protocol ---- */

static bool send_switch(struct tn_http_exchange *c, const struct tn_http_reply *reply)
{
	struct tn_http_server *server = c->server;
	struct tn_http_head head = {.reply = reply,
				    .fixed = c->server->fixed_lines,
				    .framing = TN_HTTP_UPGRADE,
				    .date = tn_http_date(server),
				    .lines = tn_http_more_headers(c)};
	struct tn_str part;

	tn_buf_clear(&server->head);
	tn_http_put_head(&server->head, &head);
	part = tn_buf_str(&server->head);
	c->closing = true; /* or it would wait for the end of the turn */
	/* A socket that does not even take this has answers before it unread: not worth waiting. */
	return !server->head.failed && tn_http_output(c, &part, 1, false) &&
	       tn_http_pending(c) == 0;
}

void tn_http_anybodys(struct tn_http_exchange *c)
{
	tn_assert(c->phase == TN_HTTP_CHECK);
	c->anybodys = true;
}

void tn_http_hold(struct tn_http_exchange *c)
{
	tn_assert(c->phase == TN_HTTP_CHECK);
	c->held = true;
}

unsigned char tn_http_mark(const struct tn_http_exchange *c)
{
	return c->mark;
}

int64_t tn_http_owner(const struct tn_http_exchange *c)
{
	return c->owner;
}

uint64_t tn_http_number(const struct tn_http_exchange *c)
{
	return c->number;
}

bool tn_http_ends(const struct tn_http_exchange *c, struct sockaddr_storage *ret_here,
		  struct sockaddr_storage *ret_there)
{
	socklen_t size = sizeof(*ret_here);

	*ret_here = *ret_there = (struct sockaddr_storage){0};
	if (getsockname(c->fd, (struct sockaddr *)ret_here, &size) != 0)
		return false;
	size = sizeof(*ret_there);
	return getpeername(c->fd, (struct sockaddr *)ret_there, &size) == 0;
}

bool tn_http_upgrade(struct tn_http_exchange *c, const struct tn_http_header *headers,
		     size_t header_count, struct tn_http_upgraded *ret)
{
	const struct tn_http_reply reply = {
		.status = 101, .headers = headers, .header_count = header_count};
	struct tn_str after;

	tn_assert(c->phase == TN_HTTP_BUSY && c->req && c->req == c->in);
	if (!send_switch(c, &reply)) {
		tn_http_kill(c);
		return false;
	}
	after = tn_str(c->in->data + c->in->start + c->in->parser.at,
		       c->in->size - c->in->start - c->in->parser.at);
	tn_buf_init(&ret->unread, after.size);
	tn_buf_append_str(&ret->unread, after);
	ret->seat = tn_http_sit(c);
	if (ret->unread.failed || !ret->seat) {
		tn_http_leave(ret->seat);
		tn_buf_finish(&ret->unread);
		tn_http_kill(c);
		return false;
	}
	ret->fd = tn_http_release(c);
	return true;
}
