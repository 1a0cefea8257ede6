/* Streamable HTTP: the listener, the order of checks (MCP-104), and the three methods. */
#include <stdio.h>

#include "base/limits.h"
#include "host/http_accept.h"
#include "host/http_host.h"
#include "host/serve.h"
#include "jsonrpc/json_write.h"
#include "mcp/feed.h"
#include "transport/auth.h"
#include "transport/origin.h"

/* ---- helpers ---- */

static void put_error(struct tn_buf *body, struct tn_str message)
{
	tn_json_begin_object(body);
	tn_json_put_member_text(body, "jsonrpc", "2.0");
	tn_json_put_key(body, "error");
	tn_json_begin_object(body);
	tn_json_put_member_int(body, "code", -32600);
	tn_json_put_member_str(body, "message", message);
	tn_json_end_object(body);
	tn_json_end_object(body);
}

void tn_http_refuse(struct tn_http_exchange *x, unsigned status, const char *message,
		    const struct tn_http_header *header)
{
	struct tn_buf body;
	struct tn_str part;

	tn_buf_init(&body, 4 * TN_KIB);
	put_error(&body, tn_str_from(message));
	part = tn_buf_str(&body);
	tn_http_respond(x, &(struct tn_http_reply){.status = status,
						   .type = TN_STR("application/json"),
						   .headers = header,
						   .header_count = header ? 1 : 0,
						   .parts = &part,
						   .part_count = 1});
	tn_buf_finish(&body);
}

static const char *principal_of(const struct tn_http_host *host)
{
	return host->options->no_token ? "anonymous" : "token";
}

/* ---- checks before the body is read ---- */

static bool is_json(const struct tn_http_exchange *x)
{
	struct tn_str type = tn_http_header(x, "Content-Type", NULL);
	size_t end = tn_str_find_byte(type, ';');

	type = tn_str_trim(end == TN_STR_NONE ? type : tn_str(type.data, end));
	return tn_str_equal_nocase(type, TN_STR("application/json"));
}

static bool check_token(const struct tn_http_host *host, struct tn_http_exchange *x)
{
	enum tn_auth verdict = tn_auth_check(x, host->options->token);
	struct tn_http_header challenge = {TN_STR("WWW-Authenticate"), tn_auth_challenge(verdict)};

	if (verdict == TN_AUTH_OK)
		return true;
	tn_http_refuse(x, 401, "Send the token as Authorization: Bearer <token>", &challenge);
	return false;
}

static bool accepts_enough(const struct tn_http_exchange *x, bool get)
{
	unsigned accepted = tn_http_accept(x);

	return get ? (accepted & TN_ACCEPTS_EVENTS) != 0 : accepted != 0;
}

/* MCP-104: each check reveals nothing that a later one would. */
static void on_check(struct tn_http_exchange *x, void *data)
{
	static const struct tn_http_header allow = {{"Allow", 5}, {"POST, GET, DELETE", 17}};
	const struct tn_http_host *host = data;
	struct tn_str method = tn_http_method(x);
	const struct tn_origin_rules rules = {
		.address = host->options->address,
		.port = tn_http_server_port(host->http),
		.hosts = host->options->hosts,
		.origins = host->options->origins,
	};
	bool post = tn_str_is(method, "POST"), get = tn_str_is(method, "GET");

	if (!tn_str_is(tn_http_path(x), host->path))
		tn_http_refuse(x, 404, "No such path", NULL);
	else if (!tn_origin_allowed(x, &rules))
		tn_http_refuse(x, 403, "Host or Origin is not allowed", NULL);
	else if (!host->options->no_token && !check_token(host, x))
		return; /* answered */
	else if (!post && !get && !tn_str_is(method, "DELETE"))
		tn_http_refuse(x, 405, "Method not allowed", &allow);
	else if (post && !is_json(x))
		tn_http_refuse(x, 415, "Content-Type must be application/json", NULL);
	else if ((post || get) && !accepts_enough(x, get))
		tn_http_refuse(x, 406, "Accept application/json and text/event-stream", NULL);
}

/* ---- GET and DELETE ---- */

/* The session a GET or DELETE names; NULL: answered. */
static struct tn_http_session *named_session(struct tn_http_host *host, struct tn_http_exchange *x)
{
	struct tn_http_session *session;
	struct tn_str id = tn_http_header(x, "Mcp-Session-Id", NULL);
	struct tn_str version = tn_http_header(x, "MCP-Protocol-Version", NULL);
	enum tn_revision revision = tn_revision_find(version);

	if (!id.data) {
		tn_http_refuse(x, 400, "Mcp-Session-Id is missing", NULL);
		return NULL;
	}
	session = tn_http_session_find(&host->sessions, id, principal_of(host));
	if (!session) {
		tn_http_refuse(x, 404, "Session not found; send initialize to open a new one",
			       NULL);
		return NULL;
	}
	if (version.data && (revision == TN_REVISION_NONE || revision == TN_R5)) {
		tn_http_refuse(x, 400, "MCP-Protocol-Version: unsupported version", NULL);
		return NULL;
	}
	return session;
}

static void on_get(struct tn_http_host *host, struct tn_http_exchange *x)
{
	struct tn_http_session *session = named_session(host, x);
	struct tn_str last = tn_http_header(x, "Last-Event-ID", NULL);

	if (!session)
		return;
	if (last.data) {
		switch (tn_post_resume(session, x, last)) {
		case TN_RESUMED:
			return;
		case TN_RESUME_MALFORMED:
			tn_http_refuse(x, 400, "Last-Event-ID is none of this session's", NULL);
			return;
		case TN_RESUME_LOST:
			break; /* MCP-149: start live */
		}
	}
	tn_http_session_attach(session, x);
}

static void on_delete(struct tn_http_host *host, struct tn_http_exchange *x)
{
	struct tn_http_session *session = named_session(host, x);

	if (!session)
		return;
	tn_http_session_destroy(session);
	tn_http_respond(x, &(struct tn_http_reply){.status = 204});
}

static void on_request(struct tn_http_exchange *x, void *data)
{
	struct tn_http_host *host = data;
	struct tn_str method = tn_http_method(x);

	if (tn_str_is(method, "POST"))
		tn_post_begin(host, x);
	else if (tn_str_is(method, "GET"))
		on_get(host, x);
	else
		on_delete(host, x);
}

static void on_closed(struct tn_http_exchange *x, void *data)
{
	struct tn_http_owner *owner = tn_http_user(x);

	(void)data;
	if (owner)
		owner->closed(owner);
}

static const char *on_fault(unsigned status, struct tn_str sentence, struct tn_buf *body,
			    void *data)
{
	(void)status;
	(void)data;
	put_error(body, sentence);
	return "application/json";
}

static const struct tn_http_handler http_handler = {
	.check = on_check,
	.request = on_request,
	.closed = on_closed,
	.fault = on_fault,
};

/* ---- life ---- */

static void slow_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_posts_open_slow(data);
}

static void drained(void *data)
{
	struct tn_http_host *host = data;

	tn_loop_stop(host->server->loop);
}

static void grace_over(struct tn_timer *timer, void *data)
{
	(void)timer;
	drained(data);
}

/* Calls that run may finish; streams that only listen are told that it is over. */
static void on_stop(void *data)
{
	struct tn_http_host *host = data;

	if (host->server->stopping)
		return;
	host->server->stopping = true;
	tn_feed_close(host->server);
	for (struct tn_http_session *s = host->sessions.newest; s; s = s->next)
		tn_http_session_end_get(s);
	tn_timer_start(host->grace, TN_SHUTDOWN_GRACE_MS);
	tn_http_server_drain(host->http, drained, host);
}

static bool is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static enum tenon_code check_options(const struct tenon_http_options *o, struct tenon_error *err)
{
	if (!o->no_token && (!o->token || strlen(o->token) < 16))
		return tn_fail(err, TENON_INVALID, "a token needs at least 16 characters");
	if (o->no_token && !is_loopback(o->address)) /* MCP-103 */
		return tn_fail(err, TENON_INVALID,
			       "without a token only a loopback address can be served");
	return TENON_OK;
}

static void announce(const struct tn_http_host *host)
{
	const struct tenon_http_options *o = host->options;
	char url[256];
	bool six = strchr(o->address, ':') != NULL;

	(void)snprintf(url, sizeof(url), "http://%s%s%s:%u%s", six ? "[" : "", o->address,
		       six ? "]" : "", (unsigned)tn_http_server_port(host->http), host->path);
	if (o->listening)
		o->listening(url, o->data);
}

static enum tenon_code open_host(struct tn_http_host *host, struct tn_serve_stop *stop,
				 struct tenon_error *err)
{
	struct tenon_server *server = host->server;
	const struct tn_http_options http = {.address = host->options->address,
					     .port = host->options->port,
					     .handler = &http_handler,
					     .data = host};
	enum tenon_code code = tn_peer_create(server, TN_PEER_HTTP_REQUEST, principal_of(host),
					      NULL, host, &host->modern, err);

	if (code == TENON_OK)
		code = tn_timer_open(server->loop, slow_due, host, &host->slow_timer, err);
	if (code == TENON_OK)
		code = tn_timer_open(server->loop, grace_over, host, &host->grace, err);
	if (code == TENON_OK)
		code = tn_http_sessions_open(&host->sessions, server, err);
	if (code == TENON_OK)
		code = tn_serve_stop_open(stop, server, on_stop, host, err);
	if (code == TENON_OK)
		code = tn_http_server_open(server->loop, &http, &host->http, err);
	return code;
}

enum tenon_code tenon_server_run_http(struct tenon_server *server,
				      const struct tenon_http_options *options,
				      struct tenon_error *err)
{
	struct tenon_http_options o = *options;
	struct tn_http_host host = {.server = server, .options = &o};
	struct tn_serve_stop stop = {0};
	enum tenon_code code;

	if (!o.address)
		o.address = "127.0.0.1";
	host.path = o.path ? o.path : "/mcp";
	code = check_options(&o, err);
	if (code != TENON_OK)
		return code;
	code = open_host(&host, &stop, err);
	if (code == TENON_OK) {
		announce(&host);
		tn_loop_run(server->loop);
	}
	tn_http_sessions_close(&host.sessions);
	tn_peer_destroy(host.modern);
	tn_http_server_close(host.http);
	tn_posts_free_spare(&host);
	tn_timer_close(host.slow_timer);
	tn_timer_close(host.grace);
	tn_serve_stop_close(&stop, server);
	server->stopping = false;
	return code;
}
