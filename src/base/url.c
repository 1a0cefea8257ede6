#include "base/url.h"

static const struct {
	const char *name;
	uint16_t port;
} schemes[] = {{"http", 80}, {"https", 443}, {"ws", 80}, {"wss", 443}};

static bool is_plain(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] <= 0x20 || text.data[i] >= 0x7F || text.data[i] == '\\')
			return false;
	}
	return true;
}

static struct tn_str without_fragment(struct tn_str text)
{
	size_t at = tn_str_find_byte(text, '#');

	return at == TN_STR_NONE ? text : tn_str(text.data, at);
}

static bool is_name(struct tn_str host)
{
	for (size_t i = 0; i < host.size; i++) {
		char c = host.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '-' && c != '.' && c != '_')
			return false;
	}
	return host.size > 0;
}

static bool is_ipv6(struct tn_str host)
{
	if (host.size < 4 || host.data[0] != '[' || host.data[host.size - 1] != ']')
		return false;
	for (size_t i = 1; i < host.size - 1; i++) {
		char c = tn_to_lower(host.data[i]);

		if (!tn_is_digit(c) && !(c >= 'a' && c <= 'f') && c != ':' && c != '.')
			return false;
	}
	return true;
}

/* "name", "name:port", "[address]", "[address]:port". */
static bool parse_authority(struct tn_str text, struct tn_url *url)
{
	struct tn_str port = {0};
	uint64_t number = 0;
	size_t end = 0;

	if (text.size && text.data[0] == '[') {
		end = tn_str_find_byte(text, ']');
		end = end == TN_STR_NONE ? 0 : end + 1;
	} else {
		end = tn_str_find_byte(text, ':');
		end = end == TN_STR_NONE ? text.size : end;
	}
	url->host = tn_str(text.data, end);
	if (!is_name(url->host) && !is_ipv6(url->host))
		return false;
	if (end == text.size)
		return true;
	port = tn_str_from_offset(text, end + 1);
	if (text.data[end] != ':' || !tn_str_to_uint(port, &number) || number == 0 ||
	    number > UINT16_MAX)
		return false;
	url->port = (uint16_t)number;
	return true;
}

static bool parse_scheme(struct tn_str name, struct tn_url *url)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (!tn_str_equal_nocase(name, tn_str_from(schemes[i].name)))
			continue;
		url->scheme = name;
		url->port = schemes[i].port;
		return true;
	}
	return false;
}

bool tn_url_parse(struct tn_str text, struct tn_url *ret)
{
	size_t colon = tn_str_find(text, TN_STR("://"));
	struct tn_url url = {0};
	struct tn_str rest;
	size_t end = 0;

	if (colon == TN_STR_NONE || !is_plain(text) ||
	    !parse_scheme(tn_str(text.data, colon), &url))
		return false;
	rest = tn_str_from_offset(text, colon + 3);
	while (end < rest.size && !strchr("/?#", rest.data[end]))
		end++;
	if (!parse_authority(tn_str(rest.data, end), &url))
		return false;
	url.origin = tn_str(text.data, colon + 3 + end);
	url.target = without_fragment(tn_str_from_offset(rest, end));
	*ret = url;
	return true;
}

bool tn_url_same_origin(const struct tn_url *a, const struct tn_url *b)
{
	return tn_str_equal_nocase(a->scheme, b->scheme) && tn_str_equal_nocase(a->host, b->host) &&
	       a->port == b->port;
}

/* Four numbers and dots: "127.0.0.1.example" is a name that anybody may point anywhere. */
static bool is_ipv4(struct tn_str host)
{
	size_t dots = 0;

	for (size_t i = 0; i < host.size; i++) {
		if (host.data[i] == '.')
			dots++;
		else if (!tn_is_digit(host.data[i]))
			return false;
	}
	return dots == 3;
}

bool tn_url_is_loopback(const struct tn_url *url)
{
	return tn_str_equal_nocase(url->host, TN_STR("localhost")) ||
	       tn_str_is(url->host, "[::1]") ||
	       (tn_str_starts(url->host, TN_STR("127.")) && is_ipv4(url->host));
}

static bool has_scheme(struct tn_str reference)
{
	for (size_t i = 0; i < reference.size; i++) {
		if (reference.data[i] == ':')
			return i > 0;
		if (!tn_is_alpha(reference.data[i]) && !tn_is_digit(reference.data[i]))
			return false;
	}
	return false;
}

/* The part of the base's target that a reference is put behind. */
static struct tn_str kept_target(struct tn_str target, struct tn_str reference)
{
	size_t query = tn_str_find_byte(target, '?');
	struct tn_str path = query == TN_STR_NONE ? target : tn_str(target.data, query);

	if (reference.size == 0)
		return target;
	if (reference.data[0] == '/')
		return tn_str(target.data, 0);
	if (reference.data[0] == '?')
		return path;
	while (path.size && path.data[path.size - 1] != '/')
		path.size--;
	return path.size ? path : TN_STR("/");
}

bool tn_url_resolve(const struct tn_url *base, struct tn_str reference, struct tn_buf *out)
{
	size_t start = out->size;
	struct tn_url url;

	reference = without_fragment(reference);
	if (has_scheme(reference)) {
		tn_buf_append_str(out, reference);
	} else if (tn_str_starts(reference, TN_STR("//"))) {
		tn_buf_append_str(out, base->scheme);
		tn_buf_append_byte(out, ':');
		tn_buf_append_str(out, reference);
	} else {
		tn_buf_append_str(out, base->origin);
		tn_buf_append_str(out, kept_target(base->target, reference));
		tn_buf_append_str(out, reference);
	}
	return !out->failed && tn_url_parse(tn_str_from_offset(tn_buf_str(out), start), &url);
}
