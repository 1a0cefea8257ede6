/* Between the plug-in and the users of streams: watches descriptors for the one, and collects what
 * it reports, so that the other may call anything from its events, which libcurl's callbacks do not
 * allow. */
#include "loop/http_stream.h"

#include "base/mem.h"
#include "loop/http_plugin.h"
#include "loop/limits.h"

struct tn_http_streams {
	struct tn_loop *loop;
	char *folder;
	const struct tn_http_plugin *plugin; /* NULL until the first request */
	struct tn_http_engine *engine;
	struct tn_timer *alarm;
	struct tn_later *later;
	struct tn_http_stream *first;            /* all of them */
	struct tn_http_stream *news, *news_last; /* those with something to tell, in order */
	struct tn_http_stream *telling;          /* its event runs */
	struct socket *sockets;
	bool closed; /* from within an event: freed behind it */
};

enum { NEWS_HEAD = 1, NEWS_BODY = 2, NEWS_DONE = 4, TURNS_MAX = 256 };

struct tn_http_stream {
	struct tn_http_streams *streams;
	struct tn_http_stream *next, **link; /* among all */
	struct tn_http_stream *news_next;
	const struct tn_http_stream_events *events;
	void *data;
	struct tn_http_transfer *transfer; /* NULL: it is over */
	unsigned news;
	bool in_news;
	bool held;    /* the plug-in was told to wait */
	bool paused;  /* by the user */
	bool retired; /* cancelled while its event runs, or over */
	struct tn_http_head head;
	struct tn_buf lines; /* of the head */
	struct tn_buf body;
	enum tenon_code code;
	struct tenon_error err;
};

struct socket {
	struct tn_http_streams *streams;
	struct socket *next, **link;
	struct tn_io *io;
	int fd;
};

bool tn_http_head_next(const struct tn_http_head *head, size_t *cursor, struct tn_str *ret_name,
		       struct tn_str *ret_value)
{
	while (*cursor < head->lines.size) {
		struct tn_str rest = tn_str_from_offset(head->lines, *cursor);
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);
		size_t colon = tn_str_find_byte(line, ':');

		*cursor += line.size + 1;
		if (colon == TN_STR_NONE)
			continue;
		*ret_name = tn_str(line.data, colon);
		*ret_value = tn_str_trim(tn_str_from_offset(line, colon + 1));
		return true;
	}
	return false;
}

struct tn_str tn_http_head_get(const struct tn_http_head *head, const char *name)
{
	struct tn_str at, value;
	size_t cursor = 0;

	while (tn_http_head_next(head, &cursor, &at, &value)) {
		if (tn_str_equal_nocase(at, tn_str_from(name)))
			return value;
	}
	return tn_str(NULL, 0);
}

/* ---- telling ---- */

static void put_news(struct tn_http_stream *stream, unsigned news)
{
	struct tn_http_streams *streams = stream->streams;

	stream->news |= news;
	tn_later_request(streams->later);
	if (stream->in_news)
		return;
	stream->in_news = true;
	stream->news_next = NULL;
	if (streams->news_last)
		streams->news_last->news_next = stream;
	else
		streams->news = stream;
	streams->news_last = stream;
}

static void drop_news(struct tn_http_stream *stream)
{
	struct tn_http_streams *streams = stream->streams;
	struct tn_http_stream **at = &streams->news, *before = NULL;

	if (!stream->in_news)
		return;
	while (*at != stream) {
		before = *at;
		at = &before->news_next;
	}
	*at = stream->news_next;
	if (streams->news_last == stream)
		streams->news_last = before;
	stream->in_news = false;
}

static void free_stream(struct tn_http_stream *stream)
{
	drop_news(stream);
	*stream->link = stream->next;
	if (stream->next)
		stream->next->link = stream->link;
	tn_buf_finish(&stream->lines);
	tn_buf_finish(&stream->body);
	tn_mem_free(stream);
}

static void tell_head(struct tn_http_stream *stream)
{
	if (!(stream->news & NEWS_HEAD))
		return;
	stream->news &= ~(unsigned)NEWS_HEAD;
	stream->head.lines = tn_buf_str(&stream->lines);
	stream->events->head(stream->data, &stream->head);
}

/* There was no memory for some of it. An answer that never ends, a stream of events, must end all
 * the same: nobody is told what follows a gap. */
static void end_if_lost(struct tn_http_stream *stream)
{
	if (!stream->body.failed && !stream->lines.failed)
		return;
	if (stream->transfer)
		stream->streams->plugin->cancel(stream->transfer);
	stream->transfer = NULL;
	stream->code = tn_fail(&stream->err, TENON_NO_MEMORY, "out of memory");
	stream->news = NEWS_DONE;
}

static void tell_body(struct tn_http_stream *stream)
{
	if (!(stream->news & NEWS_BODY) || stream->retired || stream->paused)
		return;
	stream->news &= ~(unsigned)NEWS_BODY;
	if (stream->body.size)
		stream->events->body(stream->data, tn_buf_str(&stream->body));
	tn_buf_clear(&stream->body);
	if (stream->held && stream->transfer && !stream->paused) {
		stream->held = false;
		stream->streams->plugin->resume(stream->transfer);
	}
}

static void tell_done(struct tn_http_stream *stream)
{
	if (!(stream->news & NEWS_DONE) || stream->retired || stream->paused)
		return;
	stream->retired = true;
	stream->events->done(stream->data, stream->code, &stream->err);
}

static void free_streams(struct tn_http_streams *streams);

static void tell(struct tn_later *later, void *data)
{
	struct tn_http_streams *streams = data;

	(void)later;
	/* Whoever makes news in its events shares the loop with the others. */
	for (int turns = TURNS_MAX; turns && streams->news && !streams->closed; turns--) {
		struct tn_http_stream *stream = streams->news;

		drop_news(stream);
		streams->telling = stream;
		end_if_lost(stream);
		tell_head(stream);
		tell_body(stream);
		tell_done(stream);
		streams->telling = NULL;
		if (stream->retired)
			free_stream(stream);
	}
	if (streams->closed)
		free_streams(streams);
	else if (streams->news)
		tn_later_request(streams->later);
}

/* ---- what the plug-in asks for ---- */

static void socket_ready(struct tn_io *io, int events, void *data)
{
	struct socket *socket = data;

	(void)io;
	socket->streams->plugin->engine_ready(socket->streams->engine, socket->fd, events);
}

static void close_socket(struct socket *socket)
{
	*socket->link = socket->next;
	if (socket->next)
		socket->next->link = socket->link;
	tn_io_close(socket->io);
	tn_mem_free(socket);
}

static struct socket *open_socket(struct tn_http_streams *streams, int fd)
{
	struct socket *socket = tn_mem_alloc(sizeof(*socket));
	struct tenon_error err;

	if (!socket)
		return NULL;
	if (tn_io_open(streams->loop, fd, socket_ready, socket, &socket->io, &err) != TENON_OK) {
		tn_mem_free(socket);
		return NULL;
	}
	socket->streams = streams;
	socket->fd = fd;
	socket->next = streams->sockets;
	if (socket->next)
		socket->next->link = &socket->next;
	socket->link = &streams->sockets;
	streams->sockets = socket;
	return socket;
}

static bool watch(void *user, int fd, int events, void **slot)
{
	struct socket *socket = *slot;

	if (!events) {
		if (socket)
			close_socket(socket);
		*slot = NULL;
		return true;
	}
	if (!socket) {
		socket = open_socket(user, fd);
		if (!socket)
			return false;
		*slot = socket;
	}
	tn_io_watch(socket->io, events);
	return true;
}

static void set_alarm(void *user, int64_t after_ms)
{
	struct tn_http_streams *streams = user;

	if (after_ms < 0)
		tn_timer_stop(streams->alarm);
	else
		tn_timer_start(streams->alarm, (uint64_t)after_ms);
}

static void head_came(void *request, const struct tn_http_head *head)
{
	struct tn_http_stream *stream = request;

	stream->head = *head;
	tn_buf_clear(&stream->lines);
	tn_buf_append_str(&stream->lines, head->lines);
	put_news(stream, NEWS_HEAD);
}

static bool body_came(void *request, struct tn_str bytes)
{
	struct tn_http_stream *stream = request;

	if (stream->body.size + bytes.size > TN_HTTP_PIECE_MAX || stream->paused) {
		stream->held = true;
		return false;
	}
	tn_buf_append_str(&stream->body, bytes); /* a failure ends it in end_if_lost */
	put_news(stream, NEWS_BODY);
	return true;
}

static void done_came(void *request, enum tenon_code code, const struct tenon_error *err)
{
	struct tn_http_stream *stream = request;

	stream->transfer = NULL;
	stream->code = code;
	stream->err = *err;
	put_news(stream, NEWS_DONE);
}

static const struct tn_http_engine_user engine_user = {
	.watch = watch,
	.alarm = set_alarm,
	.head = head_came,
	.body = body_came,
	.done = done_came,
};

static void alarm_rang(struct tn_timer *timer, void *data)
{
	struct tn_http_streams *streams = data;

	(void)timer;
	if (!streams->closed)
		streams->plugin->engine_alarm(streams->engine);
}

/* ---- public ---- */

enum tenon_code tn_http_streams_open(struct tn_loop *loop, const char *folder,
				     struct tn_http_streams **ret, struct tenon_error *err)
{
	struct tn_http_streams *streams = tn_mem_alloc(sizeof(*streams));
	enum tenon_code code = TENON_OK;

	if (!streams)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	streams->loop = loop;
	if (folder) {
		streams->folder = tn_mem_copy_text(folder, strlen(folder));
		if (!streams->folder)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (code == TENON_OK)
		code = tn_timer_open(loop, alarm_rang, streams, &streams->alarm, err);
	if (code == TENON_OK)
		code = tn_later_open(loop, tell, streams, &streams->later, err);
	if (code != TENON_OK) {
		free_streams(streams);
		return code;
	}
	*ret = streams;
	return TENON_OK;
}

static void free_streams(struct tn_http_streams *streams)
{
	while (streams->first) {
		if (streams->first->transfer)
			streams->plugin->cancel(streams->first->transfer);
		free_stream(streams->first);
	}
	if (streams->engine)
		streams->plugin->engine_close(streams->engine);
	while (streams->sockets)
		close_socket(streams->sockets);
	tn_timer_close(streams->alarm);
	tn_later_close(streams->later);
	tn_mem_free(streams->folder);
	tn_mem_free(streams);
}

void tn_http_streams_close(struct tn_http_streams *streams)
{
	if (!streams)
		return;
	if (!streams->telling) {
		free_streams(streams);
		return;
	}
	streams->closed = true;
	for (struct tn_http_stream *stream = streams->first; stream; stream = stream->next)
		stream->retired = true;
}

static enum tenon_code open_engine(struct tn_http_streams *streams, struct tenon_error *err)
{
	enum tenon_code code;

	if (streams->engine)
		return TENON_OK;
	code = tn_http_plugin_load(streams->folder, &streams->plugin, err);
	if (code != TENON_OK)
		return code;
	return streams->plugin->engine_open(&engine_user, streams, &streams->engine, err);
}

enum tenon_code tn_http_stream_start(struct tn_http_streams *streams,
				     const struct tn_http_stream_request *request,
				     const struct tn_http_stream_events *events, void *data,
				     struct tn_http_stream **ret, struct tenon_error *err)
{
	enum tenon_code code = open_engine(streams, err);
	struct tn_http_stream *stream;

	if (code != TENON_OK)
		return code;
	stream = tn_mem_alloc(sizeof(*stream));
	if (!stream)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	stream->streams = streams;
	stream->events = events;
	stream->data = data;
	tn_buf_init(&stream->lines, TN_HTTP_REPLY_HEADERS_MAX);
	tn_buf_init(&stream->body, TN_HTTP_PIECE_MAX);
	stream->link = &streams->first;
	stream->next = streams->first;
	if (stream->next)
		stream->next->link = &stream->next;
	streams->first = stream;
	code = streams->plugin->start(streams->engine, request, stream, &stream->transfer, err);
	if (code != TENON_OK) {
		free_stream(stream);
		return code;
	}
	*ret = stream;
	return TENON_OK;
}

void tn_http_stream_cancel(struct tn_http_stream *stream)
{
	if (!stream)
		return;
	if (stream->transfer) {
		stream->streams->plugin->cancel(stream->transfer);
		stream->transfer = NULL;
	}
	if (stream->streams->telling == stream)
		stream->retired = true;
	else
		free_stream(stream);
}

void tn_http_stream_pause(struct tn_http_stream *stream)
{
	stream->paused = true;
}

void tn_http_stream_resume(struct tn_http_stream *stream)
{
	stream->paused = false;
	if (stream->news & (NEWS_BODY | NEWS_DONE))
		put_news(stream, 0);
	if (stream->held && stream->transfer) {
		stream->held = false;
		stream->streams->plugin->resume(stream->transfer);
	}
}
