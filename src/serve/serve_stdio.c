/* One client on standard input and output. */
#include <fcntl.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "serve/conversation.h"
#include "serve/serve.h"
#include "transport/line_stream.h"

struct stdio_way {
	struct tn_way way; /* first */
	struct tn_line_stream *stream;
	struct tn_conversation *conversation;
	int out;
	bool broken;
};

/* ---- the conversation's end of it ---- */

static void link_send(void *link, struct tn_str json)
{
	const struct stdio_way *s = link;

	tn_line_stream_send(s->stream, json);
}

static size_t link_queued(const void *link)
{
	const struct stdio_way *s = link;

	return tn_line_stream_queued(s->stream);
}

static void link_settled(void *link)
{
	const struct stdio_way *s = link;

	tn_serve_settled(s->way.server);
}

static const struct tn_conversation_ops link_ops = {
	.send = link_send,
	.queued = link_queued,
	.settled = link_settled,
};

/* ---- the stream's ---- */

static void on_line(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	const struct stdio_way *s = data;

	(void)stream;
	tn_conversation_receive(s->conversation, line);
}

static void on_too_long(struct tn_line_stream *stream, void *data)
{
	const struct stdio_way *s = data;

	(void)stream;
	tn_conversation_refuse(s->conversation, "The message is too long");
}

static void on_end(struct tn_line_stream *stream, void *data)
{
	const struct stdio_way *s = data;

	(void)stream;
	tn_serve_stop(s->way.server);
}

static void on_broken(struct tn_line_stream *stream, void *data)
{
	struct stdio_way *s = data;

	s->broken = true;
	on_end(stream, data);
}

static const struct tn_line_stream_events stream_events = {
	.line = on_line,
	.too_long = on_too_long,
	.end = on_end,
	.broken = on_broken,
};

/* ---- the way in ---- */

static void drain(struct tn_way *way)
{
	struct stdio_way *s = (struct stdio_way *)way;

	tn_line_stream_stop_reading(s->stream);
	tn_conversation_mute(s->conversation);
}

static bool is_drained(struct tn_way *way)
{
	const struct stdio_way *s = (const struct stdio_way *)way;
	bool written = tn_line_stream_flush(s->stream);

	return s->broken || (written && tn_conversation_idle(s->conversation));
}

static void close_way(struct tn_way *way)
{
	struct stdio_way *s = (struct stdio_way *)way;

	tn_conversation_close(s->conversation);
	tn_line_stream_close(s->stream);
	if (s->out >= 0)
		(void)close(s->out); /* everything that could be written has been */
	tn_mem_free(s);
}

static const struct tn_way_ops way_ops = {
	.drain = drain,
	.is_drained = is_drained,
	.close = close_way,
};

/* MCP-081: the real standard output becomes ours alone; whatever prints goes to standard error. */
static int take_stdout(void)
{
	int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (copy >= 0)
		(void)dup2(STDERR_FILENO,
			   STDOUT_FILENO); /* fails without stderr: then nothing prints */
	return copy;
}

enum tenon_code tenon_server_listen_stdio(struct tenon_server *server, struct tenon_error *err)
{
	struct stdio_way *s;
	enum tenon_code code = tn_serve_open(server, err);

	if (code != TENON_OK)
		return code;
	if (tn_serve_has(server, &way_ops))
		return tn_fail(err, TENON_INVALID, "standard input and output are in use already");
	s = tn_mem_alloc(sizeof(*s));
	if (!s)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	s->way = (struct tn_way){.ops = &way_ops, .server = server};
	s->out = take_stdout();
	if (s->out < 0)
		code = tn_fail(err, TENON_SYSTEM, "standard output is closed");
	if (code == TENON_OK)
		code = tn_conversation_open(server, TN_PRINCIPAL_LOCAL, &link_ops, s,
					    &s->conversation, err);
	if (code == TENON_OK)
		code = tn_line_stream_open(server->loop, STDIN_FILENO, s->out, TN_MESSAGE_BYTES_MAX,
					   &stream_events, s, &s->stream, err);
	/* Who has started us speaks; at a terminal that is a person who tries us out. */
	if (code == TENON_OK && server->client_speaks && !isatty(STDIN_FILENO))
		(void)server->client_speaks(server->client_speaks_data, getppid());
	if (code == TENON_OK)
		tn_serve_add(server, &s->way);
	else
		close_way(&s->way);
	return code;
}

enum tenon_code tenon_server_run_stdio(struct tenon_server *server, struct tenon_error *err)
{
	enum tenon_code code = tenon_server_listen_stdio(server, err);

	return code == TENON_OK ? tenon_server_run(server, err) : code;
}
