#include "gateway/head.h"

#include "base/url.h"
#include "gateway/limits.h"
#include "gateway/policy.h"

static bool is(struct tn_str name, const char *other)
{
	return tn_str_equal_nocase(name, tn_str_from(other));
}

static bool is_one_of(struct tn_str name, const char *const *list)
{
	for (; *list; list++)
		if (is(name, *list))
			return true;
	return false;
}

/* Whether a comma-separated list has that token. */
static bool lists(struct tn_str value, struct tn_str token)
{
	while (value.size) {
		size_t end = tn_str_find_byte(value, ',');
		struct tn_str one =
			tn_str_trim(tn_str(value.data, end == TN_STR_NONE ? value.size : end));

		if (tn_str_equal_nocase(one, token))
			return true;
		value = tn_str_from_offset(value, end == TN_STR_NONE ? value.size : end + 1);
	}
	return false;
}

static void put_header(struct tn_buf *out, struct tn_str name, struct tn_str value)
{
	tn_buf_append_str(out, name);
	tn_buf_append_text(out, ": ");
	tn_buf_append_str(out, value);
	tn_buf_append_text(out, "\r\n");
}

/* Of one connection, whatever Connection names besides. */
static const char *const of_connection[] = {
	"Connection",          "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate",
	"Proxy-Authorization", "TE",         "Upgrade",          NULL};

/* ---- requests ---- */

static struct tn_str text_of(const char *data, struct tn_http_span span)
{
	return tn_str(data + span.at, span.size);
}

struct tn_str tn_request_header(const struct tn_http_parser *parser, const char *data,
				const char *name)
{
	for (size_t i = 0; i < parser->header_count; i++)
		if (is(text_of(data, parser->headers[i].name), name))
			return text_of(data, parser->headers[i].value);
	return tn_str(NULL, 0);
}

size_t tn_request_count(const struct tn_http_parser *parser, const char *data, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < parser->header_count; i++)
		count += is(text_of(data, parser->headers[i].name), name);
	return count;
}

bool tn_request_lists(const struct tn_http_parser *parser, const char *data, const char *name,
		      const char *token)
{
	for (size_t i = 0; i < parser->header_count; i++)
		if (is(text_of(data, parser->headers[i].name), name) &&
		    lists(text_of(data, parser->headers[i].value), tn_str_from(token)))
			return true;
	return false;
}

/* Named by Connection, so of this connection alone; but never what frames the body, which would be
 * read as another then. */
static bool is_named(const struct tn_http_parser *parser, const char *data, struct tn_str name)
{
	if (is(name, "Transfer-Encoding") || is(name, "Content-Length") || is(name, "Host"))
		return false;
	for (size_t i = 0; i < parser->header_count; i++)
		if (is(text_of(data, parser->headers[i].name), "Connection") &&
		    lists(text_of(data, parser->headers[i].value), name))
			return true;
	return false;
}

static void put_request_header(struct tn_buf *out, struct tn_str name, struct tn_str value,
			       const struct tn_route *route)
{
	static const char *const dropped[] = {"Host", "Accept-Encoding", "Expect", NULL};

	if (is_one_of(name, dropped))
		return;
	if (is(name, "Origin"))
		put_header(out, name, route->upstream_origin);
	else
		put_header(out, name, value);
}

void tn_request_put(struct tn_buf *out, const struct tn_http_parser *parser, const char *data,
		    const struct tn_route *route, bool upgrade)
{
	tn_buf_append_str(out, text_of(data, parser->method));
	tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, text_of(data, parser->path));
	if (parser->has_query) {
		tn_buf_append_byte(out, '?');
		tn_buf_append_str(out, text_of(data, parser->query));
	}
	tn_buf_append_text(out, " HTTP/1.1\r\n");
	put_header(out, TN_STR("Host"), route->upstream_host);
	for (size_t i = 0; i < parser->header_count; i++) {
		struct tn_str name = text_of(data, parser->headers[i].name);

		if (!is_one_of(name, of_connection) && !is_named(parser, data, name))
			put_request_header(out, name, text_of(data, parser->headers[i].value),
					   route);
	}
	if (upgrade) {
		tn_buf_append_text(out, "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
	} else {
		tn_buf_append_text(out, "Accept-Encoding: identity\r\nConnection: close\r\n\r\n");
	}
}

/* ---- answers ---- */

/* The next line up to CR LF; false: none is left. */
static bool next_line(struct tn_str *rest, struct tn_str *ret)
{
	size_t end = tn_str_find(*rest, TN_STR("\r\n"));

	if (!rest->size || end == TN_STR_NONE)
		return false;
	*ret = tn_str(rest->data, end);
	*rest = tn_str_from_offset(*rest, end + 2);
	return true;
}

/* What would end a line for somebody else. */
static bool breaks_line(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] == '\r' || text.data[i] == '\n' || text.data[i] == '\0')
			return true;
	return false;
}

static bool split_line(struct tn_str line, struct tn_str *ret_name, struct tn_str *ret_value)
{
	size_t colon = tn_str_find_byte(line, ':');

	if (colon == TN_STR_NONE)
		return false;
	*ret_name = tn_str(line.data, colon);
	*ret_value = tn_str_trim(tn_str_from_offset(line, colon + 1));
	return tn_http_is_token(*ret_name) && !breaks_line(*ret_value);
}

static bool read_status(struct tn_str line, struct tn_answer *ret)
{
	uint64_t status;

	if (line.size < 12 || !tn_str_starts(line, TN_STR("HTTP/1.")) || line.data[8] != ' ' ||
	    !tn_str_to_uint(tn_str(line.data + 9, 3), &status) || status < 100 || breaks_line(line))
		return false;
	ret->status = (unsigned)status;
	ret->reason = tn_str_trim(tn_str_from_offset(line, 12));
	return true;
}

struct seen {
	struct tn_str type;
	unsigned lengths;
	bool chunked, encoded;
};

static bool see_header(struct tn_str name, struct tn_str value, struct seen *seen,
		       struct tn_answer *ret)
{
	if (is(name, "Content-Type")) {
		seen->type = value;
	} else if (is(name, "Content-Encoding")) {
		seen->encoded |= value.size && !is(value, "identity");
	} else if (is(name, "Content-Length")) {
		if (seen->lengths++ || !tn_str_to_uint(value, &ret->length))
			return false;
	} else if (is(name, "Transfer-Encoding")) {
		if (seen->chunked || !is(value, "chunked"))
			return false;
		seen->chunked = true;
	}
	return true;
}

static bool mentions(struct tn_str text, struct tn_str word)
{
	for (size_t i = 0; i + word.size <= text.size; i++)
		if (tn_str_equal_nocase(tn_str(text.data + i, word.size), word))
			return true;
	return false;
}

/* HTML, whole, as it is, in an encoding that ASCII is a part of. */
static bool is_page(const struct seen *seen, unsigned status)
{
	size_t end = tn_str_find_byte(seen->type, ';');
	struct tn_str type =
		tn_str_trim(tn_str(seen->type.data, end == TN_STR_NONE ? seen->type.size : end));

	return is(type, "text/html") && !seen->encoded && status != 206 &&
	       !mentions(seen->type, TN_STR("utf-16"));
}

static void choose_body(const struct seen *seen, bool head_only, struct tn_answer *ret)
{
	if (head_only || ret->status < 200 || ret->status == 204 || ret->status == 304)
		ret->body = TN_BODY_NONE;
	else if (seen->chunked)
		ret->body = TN_BODY_CHUNKED;
	else if (seen->lengths)
		ret->body = TN_BODY_LENGTH;
	else
		ret->body = TN_BODY_UNTIL_CLOSE;
	ret->is_page = ret->body != TN_BODY_NONE && is_page(seen, ret->status);
}

enum tn_answer_progress tn_answer_read(struct tn_str data, bool head_only, struct tn_answer *ret)
{
	size_t end = tn_str_find(data, TN_STR("\r\n\r\n"));
	struct tn_str rest, line, name, value;
	struct seen seen = {.lengths = 0};

	*ret = (struct tn_answer){.status = 0};
	if (end == TN_STR_NONE)
		return data.size > TN_GATEWAY_HEAD_MAX ? TN_ANSWER_FAULT : TN_ANSWER_MORE;
	ret->size = end + 4;
	rest = tn_str(data.data, end + 2);
	if (!next_line(&rest, &line) || !read_status(line, ret))
		return TN_ANSWER_FAULT;
	ret->lines = rest;
	while (next_line(&rest, &line))
		if (!split_line(line, &name, &value) || !see_header(name, value, &seen, ret))
			return TN_ANSWER_FAULT;
	if (seen.chunked && seen.lengths)
		return TN_ANSWER_FAULT;
	choose_body(&seen, head_only, ret);
	return TN_ANSWER_READY;
}

/* The same server by another name of this machine counts as the upstream. *ret is what follows its
 * origin. */
static bool leads_to_upstream(struct tn_str value, const struct tn_url *upstream,
			      struct tn_str *ret)
{
	struct tn_url to;

	if (!tn_url_parse(value, &to))
		return false;
	*ret = tn_str_from_offset(value, to.origin.size);
	return tn_url_same_origin(&to, upstream) ||
	       (to.port == upstream->port && tn_str_equal_nocase(to.scheme, upstream->scheme) &&
		tn_url_is_loopback(&to) && tn_url_is_loopback(upstream));
}

/* S17: redirects to the upstream lead to the gateway. "//host/" is of the server's scheme, not of
 * ours. */
static void put_location(struct tn_buf *out, struct tn_str name, struct tn_str value,
			 const struct tn_route *route)
{
	struct tn_url upstream;
	struct tn_buf whole;
	struct tn_str rest;

	tn_buf_init(&whole, TN_GATEWAY_HEAD_MAX);
	if (!tn_url_parse(route->upstream_origin, &upstream)) {
		put_header(out, name, value);
		return;
	}
	if (tn_str_starts(value, TN_STR("//")))
		tn_buf_format(&whole, "%.*s:", (int)upstream.scheme.size, upstream.scheme.data);
	tn_buf_append_str(&whole, value);
	if (leads_to_upstream(tn_buf_str(&whole), &upstream, &rest)) {
		tn_buf_append_str(out, name);
		tn_buf_append_text(out, ": ");
		tn_buf_append_str(out, route->own_origin);
		tn_buf_append_str(out, rest);
		tn_buf_append_text(out, "\r\n");
	} else {
		put_header(out, name, tn_buf_str(&whole));
	}
	tn_buf_inherit_failure(out, &whole);
	tn_buf_finish(&whole);
}

/* "Domain=localhost", as it is written in a cookie; a dot in front says nothing. */
static bool names_domain(struct tn_str part, struct tn_str host)
{
	size_t sign = tn_str_find_byte(part, '=');
	struct tn_str domain;

	if (sign == TN_STR_NONE || !is(tn_str_trim(tn_str(part.data, sign)), "Domain"))
		return false;
	domain = tn_str_trim(tn_str_from_offset(part, sign + 1));
	if (tn_str_starts(domain, TN_STR(".")))
		domain = tn_str_from_offset(domain, 1);
	return tn_str_equal_nocase(domain, host);
}

/* A cookie of the server's own name is one of the gateway's, which has another. */
static void put_cookie(struct tn_buf *out, struct tn_str name, struct tn_str value,
		       const struct tn_route *route)
{
	struct tn_url upstream;
	bool known = tn_url_parse(route->upstream_origin, &upstream);

	tn_buf_append_str(out, name);
	tn_buf_append_text(out, ": ");
	for (bool first = true; value.size || first; first = false) {
		size_t end = tn_str_find_byte(value, ';');
		struct tn_str part = end == TN_STR_NONE ? value : tn_str(value.data, end);

		if (first || !known || !names_domain(tn_str_trim(part), upstream.host)) {
			tn_buf_append_text(out, first ? "" : ";");
			tn_buf_append_str(out, part);
		}
		value = tn_str_from_offset(value, end == TN_STR_NONE ? value.size : end + 1);
	}
	tn_buf_append_text(out, "\r\n");
}

static void put_policy(struct tn_buf *out, struct tn_str name, struct tn_str value,
		       const struct tn_route *route, const struct tn_answer_form *form)
{
	struct tn_buf policy;

	tn_buf_init(&policy, 4 * TN_GATEWAY_HEAD_MAX);
	tn_policy_rewrite(&policy, value, form->nonce, route->channel);
	if (policy.size)
		put_header(out, name, tn_buf_str(&policy));
	tn_buf_inherit_failure(out, &policy);
	tn_buf_finish(&policy);
}

static void put_answer_header(struct tn_buf *out, struct tn_str name, struct tn_str value,
			      const struct tn_route *route, const struct tn_answer_form *form)
{
	/* A page that was kept has a key that is not valid any more. */
	static const char *const of_page[] = {"Content-Length", "Transfer-Encoding", "ETag",
					      "Last-Modified",  "Cache-Control",     NULL};

	if (is(name, "X-Frame-Options") || (form->inject && is_one_of(name, of_page)))
		return;
	if (is(name, "Location"))
		put_location(out, name, value, route);
	else if (is(name, "Set-Cookie"))
		put_cookie(out, name, value, route);
	else if (is(name, "Content-Security-Policy"))
		put_policy(out, name, value, route, form);
	else
		put_header(out, name, value);
}

void tn_answer_put(struct tn_buf *out, const struct tn_answer *answer, const struct tn_route *route,
		   const struct tn_answer_form *form)
{
	struct tn_str rest = answer->lines, line, name, value;

	tn_buf_append_text(out, "HTTP/1.1 ");
	tn_buf_append_uint(out, answer->status);
	tn_buf_append_byte(out, ' ');
	tn_buf_append_str(out, answer->reason);
	tn_buf_append_text(out, "\r\n");
	while (next_line(&rest, &line)) {
		if (split_line(line, &name, &value) && !is_one_of(name, of_connection))
			put_answer_header(out, name, value, route, form);
	}
	if (form->upgrade) {
		tn_buf_append_text(out, "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
		return;
	}
	if (form->inject)
		tn_buf_append_text(out, form->chunked
						? "Cache-Control: no-store\r\nTransfer-Encoding: "
						  "chunked\r\n"
						: "Cache-Control: no-store\r\n");
	tn_buf_append_text(out, "Connection: close\r\n\r\n");
}
