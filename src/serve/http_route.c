/* The endpoints of an HTTP listener and the order of checks, which is one for all (MCP-104). */
#include "base/size.h"
#include "serve/http_accept.h"
#include "serve/http_gate.h"
#include "serve/http_host.h"
#include "serve/http_json_door.h"
#include "jsonrpc/json_write.h"
#include "mcp/fault.h"
#include "mcp/method.h"
#include "transport/limits.h"

#define TN_GATE_BUSY_WORDS \
	"It cannot be seen now which program this is; try again, or end some that use this server"

const char tn_http_hardened_lines[] = "Cache-Control: no-store\r\n"
				      "X-Content-Type-Options: nosniff\r\n"
				      "Cross-Origin-Resource-Policy: same-origin\r\n";

/* ---- refusals ---- */

static void put_error(struct tn_buf *body, int code, struct tn_str message)
{
	tn_json_begin_object(body);
	tn_json_put_member_text(body, "jsonrpc", "2.0");
	tn_json_put_key(body, "error");
	tn_json_begin_object(body);
	tn_json_put_member_int(body, "code", code);
	tn_json_put_member_str(body, "message", message);
	tn_json_end_object(body);
	tn_json_end_object(body);
}

static void refuse(struct tn_http_exchange *x, unsigned status, int code, const char *message,
		   const struct tn_http_header *header)
{
	struct tn_buf body;
	struct tn_str part;

	tn_buf_init(&body, 4 * TN_KIB);
	put_error(&body, code, tn_str_from(message));
	part = tn_buf_str(&body);
	tn_http_respond(x, &(struct tn_http_reply){.status = status,
						   .type = TN_STR("application/json"),
						   .headers = header,
						   .header_count = header ? 1 : 0,
						   .parts = &part,
						   .part_count = 1});
	tn_buf_finish(&body);
}

void tn_http_refuse(struct tn_http_exchange *x, unsigned status, const char *message,
		    const struct tn_http_header *header)
{
	refuse(x, status, -32600, message, header);
}

void tn_http_refuse_code(struct tn_http_exchange *x, unsigned status, int code, const char *message)
{
	refuse(x, status, code, message, NULL);
}

/* ST-008. */
static void refuse_disabled(struct tn_http_exchange *x)
{
	struct tn_str words = TN_STR(TN_DISABLED_WORDS), part;
	struct tn_buf body;

	tn_buf_init(&body, 4 * TN_KIB);
	tn_buf_append_text(&body, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603");
	tn_json_put_member_str(&body, "message", words);
	tn_json_put_key(&body, "data");
	tn_fault_write(&body, "SERVER_DISABLED", true, words);
	tn_buf_append_text(&body, "}}");
	part = tn_buf_str(&body);
	tn_http_respond(x, &(struct tn_http_reply){.status = 503,
						   .type = TN_STR("application/json"),
						   .parts = &part,
						   .part_count = 1});
	tn_buf_finish(&body);
}

static const char *on_fault(unsigned status, struct tn_str sentence, struct tn_buf *body,
			    void *data)
{
	(void)status;
	(void)data;
	put_error(body, -32600, sentence);
	return "application/json";
}

/* ---- lists in headers ---- */

static bool next_header(const struct tn_http_exchange *x, struct tn_str name,
			struct tn_http_list *list)
{
	while (list->at < tn_http_header_count(x)) {
		struct tn_http_header header = tn_http_header_at(x, list->at++);

		if (tn_str_equal_nocase(header.name, name)) {
			list->rest = header.value;
			return true;
		}
	}
	return false;
}

bool tn_http_list_next(const struct tn_http_exchange *x, const char *name,
		       struct tn_http_list *list, struct tn_str *ret)
{
	for (;;) {
		size_t comma = tn_str_find_byte(list->rest, ',');
		struct tn_str element = list->rest;

		if (comma == TN_STR_NONE) {
			list->rest = tn_str("", 0);
		} else {
			element.size = comma;
			list->rest = tn_str_from_offset(list->rest, comma + 1);
		}
		*ret = tn_str_trim(element);
		if (ret->size)
			return true;
		if (!list->rest.size && !next_header(x, tn_str_from(name), list))
			return false;
	}
}

/* ---- CORS (MCP-105) ---- */

/* A page of an allowed origin asks; NULL data: none does. */
static struct tn_str allowed_origin(const struct tn_http_host *host,
				    const struct tn_http_exchange *x)
{
	size_t count;
	struct tn_str origin = tn_http_header(x, "Origin", &count);

	if (count != 1 || !tn_origin_origin_allowed(&host->rules, origin))
		return tn_str(NULL, 0);
	return origin;
}

static void on_headers(const struct tn_http_exchange *x, struct tn_buf *lines, void *data)
{
	const struct tn_http_host *host = data;
	struct tn_str origin = allowed_origin(host, x);

	tn_buf_append_text(lines, "Vary: Origin\r\n");
	if (!origin.data)
		return;
	tn_buf_append_text(lines, "Access-Control-Allow-Origin: ");
	tn_buf_append_str(lines, origin); /* one of the rules': without control bytes */
	tn_buf_append_text(lines, "\r\nAccess-Control-Expose-Headers: Mcp-Session-Id, "
				  "MCP-Protocol-Version, WWW-Authenticate\r\n");
}

static bool is_preflight(const struct tn_http_host *host, const struct tn_http_exchange *x)
{
	return host->options.cors && tn_str_is(tn_http_method(x), "OPTIONS") &&
	       tn_http_header(x, "Access-Control-Request-Method", NULL).data &&
	       allowed_origin(host, x).data;
}

static void answer_preflight(struct tn_http_exchange *x)
{
	struct tn_http_header headers[3] = {
		{TN_STR("Access-Control-Allow-Methods"), TN_STR("POST, GET, DELETE, OPTIONS")},
		{TN_STR("Access-Control-Max-Age"), TN_STR("600")},
	};
	struct tn_http_list list = {0};
	struct tn_str element;
	struct tn_buf allowed;

	tn_buf_init(&allowed, TN_HTTP_SECTION_MAX);
	tn_buf_append_text(&allowed, "Content-Type, Accept, Authorization, MCP-Protocol-Version, "
				     "Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID");
	while (tn_http_list_next(x, "Access-Control-Request-Headers", &list, &element)) {
		if (element.size <= 10 ||
		    !tn_str_equal_nocase(tn_str(element.data, 10), TN_STR("Mcp-Param-")))
			continue;
		tn_buf_append_text(&allowed, ", ");
		tn_buf_append_str(&allowed, element);
	}
	headers[2] = (struct tn_http_header){TN_STR("Access-Control-Allow-Headers"),
					     tn_buf_str(&allowed)};
	tn_http_respond(x, &(struct tn_http_reply){.status = 204,
						   .headers = headers,
						   .header_count = allowed.failed ? 2 : 3});
	tn_buf_finish(&allowed);
}

/* ---- GET and DELETE of Streamable HTTP ---- */

/* The session a GET or DELETE names; NULL: answered. */
static struct tn_http_session *named_session(struct tn_http_host *host, struct tn_http_exchange *x,
					     uint32_t apps)
{
	struct tn_http_session *session = NULL;
	size_t ids;
	struct tn_str id = tn_http_header(x, "Mcp-Session-Id", &ids);
	struct tn_str version = tn_http_header(x, "MCP-Protocol-Version", NULL);
	enum tn_revision revision = tn_revision_find(version);

	if (!id.data) {
		tn_http_refuse(x, 400, "Mcp-Session-Id is missing", NULL);
		return NULL;
	}
	if (ids == 1)
		session = tn_http_session_find(&host->sessions, id, tn_http_user(x), apps);
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

static void mcp_get(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	struct tn_http_session *session = named_session(host, x, apps);
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

static void mcp_delete(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	struct tn_http_session *session = named_session(host, x, apps);

	if (!session)
		return;
	tn_http_session_destroy(session);
	tn_http_respond(x, &(struct tn_http_reply){.status = 204});
}

/* ---- pages (http_page.h) ---- */

static bool is_for(const struct tn_http_page *page, struct tn_str path)
{
	struct tn_str own = tn_str_from(page->path);

	if (own.size && own.data[own.size - 1] == '*')
		return tn_str_starts(path, tn_str(own.data, own.size - 1));
	return tn_str_equal(path, own);
}

static const struct tn_http_page *find_page(const struct tn_http_host *host, struct tn_str path)
{
	const struct tn_http_page *page = host->extra.pages;

	while (page && page->path && !is_for(page, path))
		page++;
	return page && page->path ? page : NULL;
}

static void change_by_door(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	const struct tn_json_door *door = tn_json_door_find(host->server, tn_http_path(x));

	(void)apps;
	tn_http_json_door_serve(x, tn_http_user(x), door);
}

static void get_page(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	const struct tn_http_page *page = find_page(host, tn_http_path(x));

	(void)apps;
	tn_http_set_user(x, NULL); /* it has no owner: it is answered at once */
	page->get(x, page->data);
}

/* ---- the endpoints ---- */

/* `apps`: those of the path; 0: all. */
typedef void serve_fn(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps);

struct endpoint {
	serve_fn *post, *get, *head, *remove, *put; /* NULL: 405 */
	struct tn_http_header allow;
	unsigned get_accepts; /* what the answer to a GET is, of TN_ACCEPTS_*; 0: anything */
	bool post_accepts;    /* the answer to a POST is JSON or a stream: Accept must allow one */
	bool bearer;          /* a token may come as a subprotocol, where that is switched on */
	bool may_be_off;      /* 503 while the server is switched off (studio.md ST-008) */
};

static const struct endpoint mcp_endpoint = {
	.post = tn_post_begin,
	.get = mcp_get,
	.remove = mcp_delete,
	.allow = {{"Allow", 5}, {"POST, GET, DELETE", 17}},
	.get_accepts = TN_ACCEPTS_EVENTS,
	.post_accepts = true,
	.may_be_off = true,
};
/* Without sessions there is nothing to listen to or to delete (MCP-053, MCP-129). */
static const struct endpoint post_endpoint = {
	.post = tn_post_begin,
	.allow = {{"Allow", 5}, {"POST", 4}},
	.post_accepts = true,
	.may_be_off = true,
};
static const struct endpoint sse_endpoint = {
	.get = tn_sse_get,
	.allow = {{"Allow", 5}, {"GET", 3}},
	.get_accepts = TN_ACCEPTS_EVENTS,
	.may_be_off = true,
};
static const struct endpoint messages_endpoint = {
	.post = tn_sse_post,
	.allow = {{"Allow", 5}, {"POST", 4}},
	.may_be_off = true,
};
static const struct endpoint ws_endpoint = {
	.get = tn_ws_get,
	.allow = {{"Allow", 5}, {"GET", 3}},
	.bearer = true,
};

static void get_stream(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	(void)apps;
	tn_stream_get(host, x, tn_stream_door_find(host->server, tn_http_path(x)));
}

static const struct endpoint stream_endpoint = {
	.get = get_stream,
	.allow = {{"Allow", 5}, {"GET", 3}},
};
static const struct endpoint page_endpoint = {
	.get = get_page,
	.head = get_page,
	.allow = {{"Allow", 5}, {"GET, HEAD", 9}},
};

static const struct endpoint json_endpoint = {
	.post = change_by_door,
	.put = change_by_door,
	.remove = change_by_door,
	.allow = {{"Allow", 5}, {"PUT, POST, DELETE", 17}},
	.may_be_off = true,
};

struct route {
	const struct endpoint *endpoint; /* NULL: no such path */
	const struct tn_http_page *page; /* of the page endpoint */
	uint32_t apps;                   /* of the path; 0: all; TN_APPS_CORE */
	bool bad_tools;                  /* the query asks for tools that there are not */
};

/* Who may come in is for others to judge: the page itself is for everybody, a door has tickets. */
static bool is_without_token(const struct route *route)
{
	return route->endpoint == &stream_endpoint || (route->page && !route->page->token);
}

static const struct endpoint *post_or_mcp(const struct tenon_http_options *o)
{
	return o->no_legacy || o->no_sessions ? &post_endpoint : &mcp_endpoint;
}

/* "plan" of "/mcp/plan"; data NULL: it is not below this endpoint. */
static struct tn_str below(struct tn_str path, const char *endpoint)
{
	struct tn_str own = tn_str_from(endpoint);

	if (!own.size || path.size <= own.size + 1 || !tn_str_starts(path, own) ||
	    path.data[own.size] != '/')
		return tn_str(NULL, 0);
	return tn_str_from_offset(path, own.size + 1);
}

/* The apps of "plan,studio"; 0 when one of them is unknown, or off. */
static uint32_t read_apps(const struct tenon_server *server, struct tn_str names)
{
	uint32_t apps = 0, bit;

	for (;;) {
		size_t comma = tn_str_find_byte(names, ',');

		bit = tn_server_app_bit(server,
					comma == TN_STR_NONE ? names : tn_str(names.data, comma));
		apps |= bit;
		if (!bit || comma == TN_STR_NONE)
			return bit ? apps : 0;
		names = tn_str_from_offset(names, comma + 1);
	}
}

static struct route find_app_route(const struct tn_http_host *host, struct tn_str path)
{
	const struct tenon_http_options *o = &host->options;
	struct route route = {NULL, NULL, 0, false};
	struct tn_str one = below(path, o->path), several = below(path, o->ws_path);

	if (one.data)
		route.apps = tn_server_app_bit(host->server, one);
	else if (several.data)
		route.apps = read_apps(host->server, several);
	if (route.apps)
		route.endpoint = one.data ? post_or_mcp(o) : &ws_endpoint;
	return route;
}

/* "?tools=core" of what speaks MCP: lists have each app's core tools; "all": every tool. */
static void read_tools(const struct tn_http_exchange *x, struct route *route)
{
	struct tn_str tools = tn_http_query_value(x, TN_STR("tools"));

	if (tn_str_is(tools, "core"))
		route->apps |= TN_APPS_CORE;
	else if (tn_str_is(tools, "all"))
		route->apps |= TN_APPS_EVERY;
	else if (tools.data)
		route->bad_tools = true;
}

static struct route find_route(const struct tn_http_host *host, const struct tn_http_exchange *x)
{
	const struct tenon_http_options *o = &host->options;
	struct tn_str path = tn_http_path(x);
	struct route route = {NULL, NULL, 0, false};

	if (path.size == 0)
		return route; /* what is not offered has no path */
	if (tn_str_is(path, o->path))
		route.endpoint = post_or_mcp(o);
	else if (tn_str_is(path, o->sse_path))
		route.endpoint = &sse_endpoint;
	else if (tn_str_is(path, host->messages_path))
		route.endpoint = &messages_endpoint;
	else if (tn_str_is(path, o->ws_path))
		route.endpoint = &ws_endpoint;
	else if (o->app_paths)
		route = find_app_route(host, path);
	if (route.endpoint)
		read_tools(x, &route);
	if (!route.endpoint && tn_stream_door_find(host->server, path))
		route.endpoint = &stream_endpoint;
	if (!route.endpoint && tn_json_door_find(host->server, path))
		route.endpoint = &json_endpoint;
	if (route.endpoint)
		return route;
	route.page = find_page(host, path);
	route.endpoint = route.page ? &page_endpoint : NULL;
	return route;
}

static serve_fn *find_method(const struct endpoint *endpoint, struct tn_str method)
{
	if (tn_str_is(method, "POST"))
		return endpoint->post;
	if (tn_str_is(method, "GET"))
		return endpoint->get;
	if (tn_str_is(method, "HEAD"))
		return endpoint->head;
	if (tn_str_is(method, "PUT"))
		return endpoint->put;
	return tn_str_is(method, "DELETE") ? endpoint->remove : NULL;
}

static bool is_json(const struct tn_http_exchange *x)
{
	size_t count;
	struct tn_str type = tn_http_header(x, "Content-Type", &count);
	size_t end = tn_str_find_byte(type, ';');

	type = tn_str_trim(end == TN_STR_NONE ? type : tn_str(type.data, end));
	return count == 1 && tn_str_equal_nocase(type, TN_STR("application/json"));
}

static void refuse_accept(struct tn_http_exchange *x)
{
	tn_http_refuse(x, 406, "Accept application/json and text/event-stream", NULL);
}

static void check_post(const struct endpoint *endpoint, struct tn_http_exchange *x)
{
	if (!is_json(x))
		tn_http_refuse(x, 415, "Content-Type must be application/json", NULL);
	else if (endpoint->post_accepts && !tn_http_accept(x))
		refuse_accept(x);
}

/* Each answer is a stream without end: one begun now would hold the server's end up. */
static void check_get(const struct tn_http_host *host, const struct endpoint *endpoint,
		      struct tn_http_exchange *x)
{
	if (host->server->stopping)
		tn_http_refuse(x, 503, "The server is stopping", NULL);
	else if (endpoint->get_accepts && !(tn_http_accept(x) & endpoint->get_accepts))
		refuse_accept(x);
}

/* ---- who is there (http_gate.h) ---- */

static void gate_answered(void *data, uint64_t connection, enum tn_http_gate_mark mark,
			  pid_t process)
{
	const struct tn_http_host *host = data;

	tn_http_server_let_go(host->http, connection, (unsigned char)mark, process);
}

static bool is_known(const struct tn_http_gate *gate, const struct tn_http_exchange *x, bool person)
{
	unsigned char mark = tn_http_mark(x);

	return mark == TN_GATE_OPEN || mark == TN_GATE_OTHER ||
	       (person && (mark == TN_GATE_PERSON || !gate->persons));
}

/* A client's connection is known before its first request is served. False: answered. */
static bool check_gate(struct tn_http_host *host, struct tn_http_exchange *x,
		       const struct tn_http_caller *caller)
{
	const struct tn_http_gate *gate = host->extra.gate;
	struct tn_http_gate_question question = {.connection = tn_http_number(x),
						 .person = caller->person};

	if (!gate)
		return true;
	if (is_known(gate, x, caller->person)) {
		if (!caller->person)
			gate->active(gate->data);
		return true;
	}
	question.hint = host->extra.local ? tn_ws_relay_process(x) : 0;
	if (tn_http_ends(x, &question.here, &question.there) &&
	    gate->ask(gate->data, &question, gate_answered, host)) {
		tn_http_hold(x);
		return true;
	}
	if (caller->person)
		return true; /* whoever approves is not known, then */
	tn_http_refuse(x, 503, TN_GATE_BUSY_WORDS, NULL);
	return false;
}

/* False: answered, or nobody waits for an answer. */
static bool pass_gate(struct tn_http_exchange *x)
{
	if (tn_http_mark(x) == TN_GATE_LEFT)
		tn_http_abort(x);
	else if (tn_http_mark(x) == TN_GATE_BUSY)
		tn_http_refuse(x, 503, TN_GATE_BUSY_WORDS, NULL);
	else
		return true;
	return false;
}

/* ---- the checks ---- */

/* False: answered. Otherwise the exchange's user is the caller, until `request`. */
static bool check_token(struct tn_http_host *host, struct tn_http_exchange *x,
			const struct route *route)
{
	struct tn_http_caller *caller;

	if (is_without_token(route)) {
		tn_http_anybodys(x);
		return true;
	}
	caller = tn_http_caller_find(host, x,
				     route->endpoint->bearer && host->options.bearer_subprotocol);
	if (!caller)
		return false;
	tn_http_set_user(x, caller);
	if (!route->endpoint->may_be_off || !host->server->disabled || caller->person)
		return check_gate(host, x, caller);
	refuse_disabled(x);
	return false;
}

/* MCP-104: each check reveals nothing that a later one would. */
static void on_check(struct tn_http_exchange *x, void *data)
{
	struct tn_http_host *host = data;
	const struct route route = find_route(host, x);
	const struct endpoint *endpoint = route.endpoint;
	serve_fn *serve = endpoint ? find_method(endpoint, tn_http_method(x)) : NULL;

	if (!endpoint)
		tn_http_refuse(x, 404, "No such path", NULL);
	else if (!tn_origin_allowed(x, &host->rules))
		tn_http_refuse(x, 403, "Host or Origin is not allowed", NULL);
	else if (is_preflight(host, x))
		answer_preflight(x);
	else if (!check_token(host, x, &route))
		return; /* answered */
	else if (!serve)
		tn_http_refuse(x, 405, "Method not allowed", &endpoint->allow);
	else if (route.bad_tools)
		tn_http_refuse(x, 400, "tools in the query is core or all", NULL);
	else if (serve == endpoint->post && !tn_str_is(tn_http_method(x), "DELETE"))
		check_post(endpoint, x);
	else if (serve == endpoint->get && !route.page)
		check_get(host, endpoint, x);
}

static void on_request(struct tn_http_exchange *x, void *data)
{
	struct tn_http_host *host = data;
	const struct route route = find_route(host, x);

	if (!route.endpoint) /* its app was switched off while the body came */
		tn_http_refuse(x, 404, "No such path", NULL);
	else if (!route.page && route.endpoint != &stream_endpoint &&
		 !tn_http_user(x)) /* and here its token was replaced */
		tn_http_refuse_token(x, TN_AUTH_WRONG);
	else if (is_without_token(&route) || pass_gate(x))
		find_method(route.endpoint, tn_http_method(x))(host, x, route.apps);
}

static void on_closed(struct tn_http_exchange *x, void *data)
{
	struct tn_http_owner *owner = tn_http_user(x);

	(void)data;
	if (owner)
		owner->closed(owner);
}

const struct tn_http_handler tn_http_host_handler = {
	.check = on_check,
	.request = on_request,
	.closed = on_closed,
	.fault = on_fault,
};

const struct tn_http_handler tn_http_host_cors_handler = {
	.check = on_check,
	.request = on_request,
	.closed = on_closed,
	.fault = on_fault,
	.headers = on_headers,
};
