/* The port of a session: what its pages say goes in, what is to be said to them goes out (11.2). */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/request.h"
#include "base/mem.h"
#include "base/url.h"
#include "mcp/preview_ports.h"
#include "mcp/server.h"

static struct tn_wb_door *door_of(const struct tn_wb_workspace *workspace)
{
	return workspace->set->session_data;
}

static struct tn_wb_workspace *workspace_of(const struct tn_wb_session *session)
{
	return session->set->data;
}

/* Ports are not closed while they tell something: everything that ends does so by the timer. */
void tn_wb_preview_run_soon(struct tn_wb_door *door)
{
	if (door->preview_soon)
		return;
	door->preview_soon = true;
	tn_timer_start(door->preview_timer, 1);
}

/* ---- from pages ---- */

static bool opened(void *data, struct tn_channel *channel, unsigned *ret_code)
{
	struct tn_wb_session *session = data;
	struct tn_wb_door *door = door_of(workspace_of(session));
	struct tn_wb_page *page = NULL;
	struct tenon_error err;
	enum tenon_code code = tn_wb_page_open(session, channel, &page, &err);

	*ret_code = code == TENON_EXPIRED ? TN_WB_CLOSE_GONE : 1013; /* try again later */
	if (code != TENON_OK)
		return false;
	door->ports->set_user(channel, page);
	tn_wb_preview_run_soon(door);
	return true;
}

static void message(void *data, struct tn_channel *channel, struct tn_str text)
{
	struct tn_wb_session *session = data;
	struct tn_wb_door *door = door_of(workspace_of(session));

	tn_wb_page_receive(door->ports->user(channel), text);
	tn_wb_preview_run_soon(door);
}

static void closed(void *data, struct tn_channel *channel)
{
	struct tn_wb_session *session = data;
	struct tn_wb_door *door = door_of(workspace_of(session));

	tn_wb_page_gone(door->ports->user(channel));
	tn_wb_preview_run_soon(door);
}

static const struct tn_preview_events port_events = {opened, message, closed};

/* ---- from sessions ---- */

static void send(void *data, struct tn_wb_page *page, struct tn_str text)
{
	door_of(data)->ports->send(page->connection, text);
}

static void close_page(void *data, struct tn_wb_page *page, unsigned code)
{
	door_of(data)->ports->end(page->connection, code);
}

static void changed(void *data, struct tn_wb_session *session, unsigned what)
{
	session->changes |= what;
	tn_wb_workspace_tell(data, what);
}

static void result(void *data, struct tn_wb_session *session, uint64_t request, bool ok,
		   struct tn_str code, const struct tn_json *answer)
{
	tn_wb_request_answered(door_of(data), session, request, ok, code,
			       tn_json_get(answer, "rect"));
}

const struct tn_wb_sessions_events tn_wb_preview_events = {
	.send = send, .close = close_page, .changed = changed, .result = result};

/* ---- opening ---- */

static enum tenon_code open_port(struct tn_wb_door *door, struct tn_wb_session *session,
				 const struct tn_preview_options *how, struct tenon_error *err)
{
	struct tn_preview_options options = *how;
	struct tn_preview_port *port = NULL;
	enum tenon_code code;

	options.session_id = session->id;
	options.key = session->key;
	options.events = &port_events;
	options.data = session;
	code = door->ports->open(door->server->loop, &options, &port, err);
	if (code == TENON_OK)
		session->user = port;
	return code;
}

enum tenon_code tn_wb_preview_open_channel(struct tn_wb_door *door, struct tn_wb_session *session,
					   struct tenon_error *err)
{
	const struct tn_preview_options options = {.upstream = NULL};

	return open_port(door, session, &options, err);
}

bool tn_wb_preview_names(const struct tn_wb_workspace *workspace, const char *text)
{
	const struct tn_json *folder = tn_wb_config_get(workspace->config, "preview", "root");
	char path[PATH_MAX];
	struct tenon_error err;
	struct tn_buf read;
	bool found = false;
	int fd = -1;

	if (workspace->root_fd >= 0 &&
	    snprintf(path, sizeof(path), "%s/package.json",
		     tn_json_is(folder, TN_JSON_STRING) ? folder->text.data : ".") <
		    (int)sizeof(path))
		fd = openat(workspace->root_fd, path,
			    O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	tn_buf_init(&read, TN_MIB);
	if (tn_buf_read_all(&read, fd, &err) == TENON_OK)
		found = tn_str_find(tn_buf_str(&read), tn_str_from(text)) != TN_STR_NONE;
	tn_buf_finish(&read);
	(void)close(fd); /* only read */
	return found;
}

/* The page is React's where the project says so; the other adapter is for any page. */
static const char *adapter_of(const struct tn_wb_session *session)
{
	return tn_wb_preview_names(workspace_of(session), "\"react\"") ? "react-hook" : "dom";
}

/* Below those that the system gives to others. */
static uint16_t port_of_tag(const struct tn_wb_workspace *workspace, struct tn_str launcher)
{
	uint64_t hash = tn_str_hash(launcher, tn_str_hash(tn_str_from(workspace->root), 0));

	return (uint16_t)(TN_WB_TAG_PORT + hash % TN_WB_TAG_PORTS);
}

enum tenon_code tn_wb_preview_open_tagged(struct tn_wb_door *door, struct tn_wb_session *session,
					  struct tn_str launcher, struct tenon_error *err)
{
	const struct tn_preview_options options = {
		.adapter = adapter_of(session),
		.tagged = true,
		.port = port_of_tag(workspace_of(session), launcher)};

	return open_port(door, session, &options, err);
}

enum tenon_code tn_wb_preview_attach(struct tn_wb_door *door, struct tn_wb_session *session,
				     struct tn_str upstream, struct tenon_error *err)
{
	char *text = tn_mem_copy_text(upstream.data, upstream.size);
	const struct tn_preview_options options = {.upstream = text,
						   .adapter = adapter_of(session)};
	char url[TN_WB_ADDRESS_BYTES_MAX + 64];
	enum tenon_code code = TENON_NO_MEMORY;
	struct tn_url parsed;

	if (text)
		code = open_port(door, session, &options, err);
	tn_mem_free(text);
	if (code != TENON_OK)
		return code;
	(void)tn_url_parse(upstream, &parsed);
	(void)snprintf(url, sizeof(url), "%s%s%.*s", door->ports->origin(session->user),
		       parsed.target.size ? "" : "/", (int)parsed.target.size,
		       parsed.target.data ? parsed.target.data : "");
	return tn_wb_session_reachable(session, url, err);
}

bool tn_wb_preview_is_ours(const struct tn_wb_door *door, const struct tn_url *url)
{
	struct tn_url own;

	if (!tn_url_is_loopback(url))
		return false;
	if (tn_url_parse(tn_str_from(door->server->page_url), &own) && own.port == url->port)
		return true;
	for (const struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		for (const struct tn_wb_session *s = at->sessions.first; s; s = s->next)
			if (s->user &&
			    tn_url_parse(tn_str_from(door->ports->origin(s->user)), &own) &&
			    own.port == url->port)
				return true;
	return false;
}
