/* Sessions and their ports: what pages say goes in, what is to be said goes out (sections 10, 11).
 */
#include "mcp/preview_ports.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/request.h"
#include "base/mem.h"
#include "base/url.h"
#include "mcp/server.h"

static struct tn_wb_door *door_of(const struct tn_wb_workspace *workspace)
{
	return workspace->set->session_data;
}

static struct tn_wb_workspace *workspace_of(const struct tn_wb_session *session)
{
	return session->set->data;
}

/* ---- time ---- */

/* Ports are not closed while they tell something: everything that ends does so by the timer. */
static void run_soon(struct tn_wb_door *door)
{
	if (door->preview_soon)
		return;
	door->preview_soon = true;
	tn_timer_start(door->preview_timer, 1);
}

static void close_port(struct tn_wb_door *door, struct tn_wb_session *session)
{
	if (session->user)
		door->ports->close(session->user);
	session->user = NULL;
}

static void release_stopped(struct tn_wb_door *door, struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_session *at = workspace->sessions.first, *next; at; at = next) {
		next = at->next;
		if (at->state != TN_WB_SESSION_STOPPED || at->pages)
			continue;
		close_port(door, at);
		tn_wb_session_released(at);
	}
}

static void tick(struct tn_timer *timer, void *data)
{
	struct tn_wb_door *door = data;
	uint64_t next = UINT64_MAX;

	door->preview_soon = false;
	for (struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next) {
		uint64_t due = tn_wb_sessions_tick(&at->sessions);

		next = due < next ? due : next;
		release_stopped(door, at);
	}
	if (next != UINT64_MAX && !door->preview_soon)
		tn_timer_start(timer, next ? next : 1);
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
	run_soon(door);
	return true;
}

static void message(void *data, struct tn_channel *channel, struct tn_str text)
{
	struct tn_wb_session *session = data;
	struct tn_wb_door *door = door_of(workspace_of(session));

	tn_wb_page_receive(door->ports->user(channel), text);
	run_soon(door);
}

static void closed(void *data, struct tn_channel *channel)
{
	struct tn_wb_session *session = data;
	struct tn_wb_door *door = door_of(workspace_of(session));

	tn_wb_page_gone(door->ports->user(channel));
	run_soon(door);
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
		   struct tn_str code, struct tn_str words)
{
	(void)words; /* the page's, and not ours to say */
	tn_wb_request_answered(door_of(data), session, request, ok, code);
}

static const struct tn_wb_sessions_events session_events = {
	.send = send, .close = close_page, .changed = changed, .result = result};

/* ---- life ---- */

enum tenon_code tn_wb_preview_open(struct tn_wb_door *door, struct tenon_error *err)
{
	door->ports = door->server->preview_ports;
	door->workspaces.session_events = &session_events;
	door->workspaces.session_data = door;
	return tn_timer_open(door->server->loop, tick, door, &door->preview_timer, err);
}

void tn_wb_preview_close_all(struct tn_wb_door *door, struct tn_wb_workspace *workspace)
{
	for (struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		close_port(door, at);
}

void tn_wb_preview_close(struct tn_wb_door *door)
{
	for (struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		tn_wb_preview_close_all(door, at);
	tn_timer_close(door->preview_timer);
	door->preview_timer = NULL;
}

/* ---- starting and stopping ---- */

/* T18: never one of our own ports, whatever it is called. */
static bool is_ours(const struct tn_wb_door *door, const struct tn_url *url)
{
	struct tn_url own;

	if (!tn_url_is_loopback(url))
		return false;
	if (tn_url_parse(tn_str_from(door->server->page_url), &own) && own.port == url->port)
		return true;
	for (const struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		for (const struct tn_wb_session *s = at->sessions.first; s; s = s->next)
			if (s->url && tn_url_parse(tn_str_from(s->url), &own) &&
			    own.port == url->port)
				return true;
	return false;
}

/* The page is React's where the project says so; the other adapter is for any page. */
static const char *adapter_for(const struct tn_wb_workspace *workspace)
{
	struct tenon_error err;
	struct tn_buf text;
	bool reacts = false;
	int fd = workspace->root_fd < 0 ? -1
					: openat(workspace->root_fd, "package.json",
						 O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return "dom";
	tn_buf_init(&text, TN_MIB);
	if (tn_buf_read_all(&text, fd, &err) == TENON_OK)
		reacts = tn_str_find(tn_buf_str(&text), TN_STR("\"react\"")) != TN_STR_NONE;
	tn_buf_finish(&text);
	(void)close(fd);
	return reacts ? "react-hook" : "dom";
}

static enum tenon_code open_port(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				 struct tn_wb_session *session, struct tn_str upstream,
				 struct tenon_error *err)
{
	char *text = tn_mem_copy_text(upstream.data, upstream.size);
	const struct tn_preview_options options = {.upstream = text,
						   .session_id = session->id,
						   .key = session->key,
						   .adapter = adapter_for(workspace),
						   .events = &port_events,
						   .data = session};
	struct tn_preview_port *port = NULL;
	enum tenon_code code = TENON_NO_MEMORY;
	char url[TN_WB_ADDRESS_BYTES_MAX + 64];
	struct tn_url parsed;

	if (text)
		code = door->ports->open(door->server->loop, &options, &port, err);
	tn_mem_free(text);
	if (code != TENON_OK)
		return code;
	session->user = port;
	(void)tn_url_parse(upstream, &parsed);
	(void)snprintf(url, sizeof(url), "%s%s%.*s", door->ports->origin(port),
		       parsed.target.size ? "" : "/", (int)parsed.target.size,
		       parsed.target.data ? parsed.target.data : "");
	return tn_wb_session_reachable(session, url, err);
}

const char *tn_wb_preview_start(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
				const struct tn_json *json, struct tn_wb_session **ret,
				struct tenon_error *err)
{
	const struct tn_wb_target_rules rules = {.registry = workspace->registry};
	struct tn_wb_target target;
	struct tn_url url;
	const char *code = tn_wb_target_read(json, &rules, &target, err);
	enum tenon_code failed;

	if (code)
		return code;
	if (!target.url.size || !door->ports) {
		(void)tn_fail(err, TENON_INVALID,
			      "servers are not started from here yet: start yours, and give its "
			      "url");
		return "unsupported_target";
	}
	if (tn_url_parse(target.url, &url) && is_ours(door, &url)) {
		(void)tn_fail(err, TENON_INVALID, "that is a port of ours, and no app");
		return "invalid_target";
	}
	failed = tn_wb_session_start(&workspace->sessions, &target, ret, err);
	if (failed != TENON_OK)
		return failed == TENON_LIMIT ? "limit_exceeded" : "internal_error";
	failed = open_port(door, workspace, *ret, target.url, err);
	if (failed != TENON_OK)
		tn_wb_preview_stop(door, *ret);
	run_soon(door);
	return failed == TENON_OK        ? NULL
	       : failed == TENON_INVALID ? "unsupported_target"
					 : "launch_failed";
}

void tn_wb_preview_stop(struct tn_wb_door *door, struct tn_wb_session *session)
{
	(void)tn_wb_session_stop(session);
	run_soon(door);
}
