/* The endpoints of an HTTP listener and the order of checks, which is one for all (MCP-104). */
#include "base/limits.h"
#include "base/size.h"
#include "host/http_accept.h"
#include "host/http_host.h"
#include "jsonrpc/json_write.h"

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

/* ---- who asks ---- */

static enum tn_auth find_caller(const struct tn_http_host *host, const struct tn_http_exchange *x,
				bool bearer_counts, size_t *ret_index)
{
	enum tn_auth verdict = tn_auth_check(x, host->keys, host->caller_count, ret_index);
	struct tn_str bearer;

	if (verdict != TN_AUTH_MISSING || !bearer_counts)
		return verdict;
	bearer = tn_ws_bearer(x);
	if (!bearer.data)
		return TN_AUTH_MISSING;
	return tn_auth_find(bearer, host->keys, host->caller_count, ret_index) ? TN_AUTH_OK
									       : TN_AUTH_WRONG;
}

/* False: answered. Otherwise the exchange's user is the caller, until `request`. */
static bool check_token(const struct tn_http_host *host, struct tn_http_exchange *x,
			bool bearer_counts)
{
	struct tn_http_header challenge = {TN_STR("WWW-Authenticate"), tn_str(NULL, 0)};
	enum tn_auth verdict = TN_AUTH_OK;
	size_t index = 0;

	if (!host->options.no_token)
		verdict = find_caller(host, x, bearer_counts, &index);
	if (verdict == TN_AUTH_OK) {
		tn_http_set_user(x, &host->callers[index]);
		return true;
	}
	challenge.value = tn_auth_challenge(verdict);
	tn_http_refuse(x, 401, "Send the token as Authorization: Bearer <token>", &challenge);
	return false;
}

/* ---- GET and DELETE of Streamable HTTP ---- */

/* The session a GET or DELETE names; NULL: answered. */
static struct tn_http_session *named_session(struct tn_http_host *host, struct tn_http_exchange *x)
{
	const struct tn_http_caller *caller = tn_http_user(x);
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
		session = tn_http_session_find(&host->sessions, id, caller->modern->principal);
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

static void mcp_get(struct tn_http_host *host, struct tn_http_exchange *x)
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

static void mcp_delete(struct tn_http_host *host, struct tn_http_exchange *x)
{
	struct tn_http_session *session = named_session(host, x);

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

static void get_page(struct tn_http_host *host, struct tn_http_exchange *x)
{
	const struct tn_http_page *page = find_page(host, tn_http_path(x));

	tn_http_set_user(x, NULL); /* it has no owner: it is answered at once */
	page->get(x, page->data);
}

/* ---- the endpoints ---- */

typedef void serve_fn(struct tn_http_host *host, struct tn_http_exchange *x);

struct endpoint {
	serve_fn *post, *get, *head, *remove; /* NULL: 405 */
	struct tn_http_header allow;
	unsigned get_accepts; /* what the answer to a GET is, of TN_ACCEPTS_*; 0: anything */
	bool post_accepts;    /* the answer to a POST is JSON or a stream: Accept must allow one */
	bool bearer;          /* a token may come as a subprotocol, where that is switched on */
};

static const struct endpoint mcp_endpoint = {
	.post = tn_post_begin,
	.get = mcp_get,
	.remove = mcp_delete,
	.allow = {{"Allow", 5}, {"POST, GET, DELETE", 17}},
	.get_accepts = TN_ACCEPTS_EVENTS,
	.post_accepts = true,
};
/* Without sessions there is nothing to listen to or to delete (MCP-053, MCP-129). */
static const struct endpoint post_endpoint = {
	.post = tn_post_begin,
	.allow = {{"Allow", 5}, {"POST", 4}},
	.post_accepts = true,
};
static const struct endpoint sse_endpoint = {
	.get = tn_sse_get,
	.allow = {{"Allow", 5}, {"GET", 3}},
	.get_accepts = TN_ACCEPTS_EVENTS,
};
static const struct endpoint messages_endpoint = {
	.post = tn_sse_post,
	.allow = {{"Allow", 5}, {"POST", 4}},
};
static const struct endpoint ws_endpoint = {
	.get = tn_ws_get,
	.allow = {{"Allow", 5}, {"GET", 3}},
	.bearer = true,
};

static const struct endpoint page_endpoint = {
	.get = get_page,
	.head = get_page,
	.allow = {{"Allow", 5}, {"GET, HEAD", 9}},
};

static const struct endpoint *find_endpoint(const struct tn_http_host *host,
					    const struct tn_http_exchange *x)
{
	const struct tenon_http_options *o = &host->options;
	struct tn_str path = tn_http_path(x);

	if (path.size == 0)
		return NULL; /* what is not offered has no path */
	if (tn_str_is(path, o->path))
		return o->no_legacy || o->no_sessions ? &post_endpoint : &mcp_endpoint;
	if (tn_str_is(path, o->sse_path))
		return &sse_endpoint;
	if (tn_str_is(path, host->messages_path))
		return &messages_endpoint;
	if (tn_str_is(path, o->ws_path))
		return &ws_endpoint;
	return find_page(host, path) ? &page_endpoint : NULL;
}

static serve_fn *find_method(const struct endpoint *endpoint, struct tn_str method)
{
	if (tn_str_is(method, "POST"))
		return endpoint->post;
	if (tn_str_is(method, "GET"))
		return endpoint->get;
	if (tn_str_is(method, "HEAD"))
		return endpoint->head;
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

static bool wants_token(const struct tn_http_host *host, const struct endpoint *endpoint,
			const struct tn_http_exchange *x)
{
	return endpoint != &page_endpoint || find_page(host, tn_http_path(x))->token;
}

/* MCP-104: each check reveals nothing that a later one would. */
static void on_check(struct tn_http_exchange *x, void *data)
{
	const struct tn_http_host *host = data;
	const struct endpoint *endpoint = find_endpoint(host, x);
	serve_fn *serve = endpoint ? find_method(endpoint, tn_http_method(x)) : NULL;

	if (!endpoint)
		tn_http_refuse(x, 404, "No such path", NULL);
	else if (!tn_origin_allowed(x, &host->rules))
		tn_http_refuse(x, 403, "Host or Origin is not allowed", NULL);
	else if (is_preflight(host, x))
		answer_preflight(x);
	else if (wants_token(host, endpoint, x) &&
		 !check_token(host, x, endpoint->bearer && host->options.bearer_subprotocol))
		return; /* answered */
	else if (!serve)
		tn_http_refuse(x, 405, "Method not allowed", &endpoint->allow);
	else if (serve == endpoint->post)
		check_post(endpoint, x);
	else if (serve == endpoint->get && endpoint != &page_endpoint)
		check_get(host, endpoint, x);
}

static void on_request(struct tn_http_exchange *x, void *data)
{
	struct tn_http_host *host = data;

	find_method(find_endpoint(host, x), tn_http_method(x))(host, x);
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
