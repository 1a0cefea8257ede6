#include "apps/terminal/mcp/tool_live_view.h"

#include <stdio.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/server.h"
#include "mcp/stream_door.h"
#include "store/handles.h"

#define PREFIX "/terminal/stream/"

struct tn_live_door {
	struct tenon_server *server;
	struct tn_live *live;
	struct tn_stream_door door;
	char url[512];
};

/* Between the two: a WebSocket, and who looks through it. */
struct line {
	struct tn_live_viewer *viewer;
	struct tn_stream *stream;
	const struct tn_stream_ops *ops;
};

/* ---- the viewer's end of it ---- */

static void line_send(void *data, struct tn_str bytes, bool binary)
{
	const struct line *line = data;

	line->ops->send(line->stream, bytes, binary);
}

static size_t line_queued(const void *data)
{
	const struct line *line = data;

	return line->ops->queued(line->stream);
}

static void line_close(void *data, unsigned code)
{
	const struct line *line = data;

	line->ops->close(line->stream, code, NULL);
}

/* ---- the server's end of it ---- */

static void *open_stream(void *app, struct tn_str path, struct tn_str ticket,
			 struct tn_stream *stream, const struct tn_stream_ops *ops)
{
	struct tn_live_door *door = app;
	struct line *line = tn_mem_alloc(sizeof(*line));
	const struct tn_live_wire wire = {
		.send = line_send, .queued = line_queued, .close = line_close, .line = line};

	if (!line)
		return NULL;
	line->stream = stream;
	line->ops = ops;
	line->viewer = tn_live_enter(door->live, path, ticket, &wire);
	if (line->viewer)
		return line;
	tn_mem_free(line);
	return NULL;
}

static void stream_ready(void *self)
{
	struct line *line = self;

	tn_live_begin(line->viewer);
}

static void stream_received(void *self, struct tn_str bytes, bool binary)
{
	struct line *line = self;

	tn_live_received(line->viewer, bytes, binary);
}

static void stream_closed(void *self)
{
	struct line *line = self;

	tn_live_leave(line->viewer);
	tn_mem_free(line);
}

/* ---- life ---- */

/* What its owner may see; persons and tickets for looking alike. */
static struct tn_term_session *find(const char *session_id, const char *principal, void *data)
{
	const struct tn_term_caller caller = {.principal = principal, .client = ""};
	struct tn_term_fault fault;

	return tn_term_find(data, &caller, session_id, &fault);
}

enum tenon_code tn_live_door_open(struct tenon_server *server, struct tn_term *term,
				  struct tn_live_door **ret, struct tenon_error *err)
{
	const struct tn_live_options options = {
		.loop = server->loop, .clock = server->clock, .find = find, .data = term};
	struct tn_live_door *door = tn_mem_alloc(sizeof(*door));
	enum tenon_code code;

	if (!door)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	door->server = server;
	code = tn_live_open(&options, &door->live, err);
	if (code != TENON_OK) {
		tn_mem_free(door);
		return code;
	}
	door->door = (struct tn_stream_door){.prefix = PREFIX,
					     .subprotocol = "tenon-terminal",
					     .app_name = "terminal",
					     .open = open_stream,
					     .ready = stream_ready,
					     .received = stream_received,
					     .closed = stream_closed,
					     .app = door};
	tn_stream_door_add(server, &door->door);
	*ret = door;
	return TENON_OK;
}

void tn_live_door_close(struct tn_live_door *door)
{
	if (!door)
		return;
	tn_stream_door_remove(door->server, &door->door);
	tn_live_close(door->live);
	tn_mem_free(door);
}

const char *tn_live_door_url(struct tn_live_door *door, const char *session_id)
{
	if (!door->server->page_url[0])
		return NULL;
	(void)snprintf(door->url, sizeof(door->url), "%s/#/terminal/%s", door->server->page_url,
		       session_id);
	return door->url;
}

/* ---- the tool ---- */

static void reply(struct tenon_call *call, struct tn_live_door *door, const char *id,
		  const char *ticket)
{
	char stream[sizeof(PREFIX) + TN_HANDLE_SIZE], text[768];
	const char *url = tn_live_door_url(door, id);
	struct tn_buf out;

	(void)snprintf(stream, sizeof(stream), PREFIX "%s", id);
	tn_call_begin_structured(call, &out);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "url", url);
	tn_json_put_member_text(&out, "stream", stream);
	tn_json_put_member_text(&out, "ticket", ticket);
	tn_json_put_member_bool(&out, "control", tenon_call_is_person(call));
	tn_json_put_member_int(&out, "expires_in_ms", TN_TERM_TICKET_MS);
	tn_json_end_object(&out);
	(void)snprintf(text, sizeof(text),
		       "%s%s%sA person can see it in a terminal, too: tenon terminal attach %s",
		       url ? "The session is live in the page that `tenon open` opens: " : "",
		       url ? url : "", url ? " . " : "", id);
	tn_term_reply(call, tn_str_from(text), &out);
}

void tn_term_call_live_view(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_session *session;
	struct tn_term_caller caller;
	char ticket[TN_LIVE_TICKET_SIZE];
	const char *id;

	if (!tn_term_begin(call, door, "{}", &caller))
		return;
	session = tn_term_session_of(call, door, &caller, false);
	if (!session)
		return;
	id = tn_term_session_id(session);
	if (tn_live_ticket(door->live->live, id, caller.principal, tenon_call_is_person(call),
			   ticket, NULL) != TENON_OK) {
		tn_term_fail(call, "unknown_session", NULL, NULL, "There is no such session.");
		return;
	}
	reply(call, door->live, id, ticket);
	explicit_bzero(ticket, sizeof(ticket));
}
