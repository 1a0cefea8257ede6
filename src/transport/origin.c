#include "transport/origin.h"

#include "base/size.h"

#define HTTP_PORT 80
#define HTTPS_PORT 443

struct authority {
	struct tn_str name; /* with the brackets of an IPv6 address */
	uint64_t port;      /* 0: none was given */
};

static bool is_name_char(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == '-' || c == '.' || c == '_';
}

static size_t name_size(struct tn_str text)
{
	size_t size = 0;

	if (text.size && text.data[0] == '[') {
		size = tn_str_find_byte(text, ']');
		return size == TN_STR_NONE ? 0 : size + 1;
	}
	while (size < text.size && is_name_char(text.data[size]))
		size++;
	return size;
}

/* Anything but `name` or `name:port` is nobody's. */
static bool parse_authority(struct tn_str text, struct authority *ret)
{
	size_t size = name_size(text);

	if (size == 0)
		return false;
	ret->name = tn_str(text.data, size);
	ret->port = 0;
	if (size == text.size)
		return true;
	text = tn_str_from_offset(text, size);
	/* One port has one form: what writes 08080 is no browser. */
	return text.data[0] == ':' && text.size > 1 && text.data[1] != '0' &&
	       tn_str_to_uint(tn_str_from_offset(text, 1), &ret->port) && ret->port <= UINT16_MAX;
}

static bool is_wildcard(struct tn_str address)
{
	return tn_str_is(address, "0.0.0.0") || tn_str_is(address, "::") ||
	       tn_str_is(address, "[::]");
}

static bool is_loopback(struct tn_str address)
{
	return tn_str_starts(address, TN_STR("127.")) || tn_str_is(address, "::1") ||
	       tn_str_is(address, "[::1]");
}

/* An IPv6 address is written with brackets in Host and Origin, and perhaps without in `address`. */
static bool is_own_address(struct tn_str address, struct tn_str name)
{
	if (is_wildcard(address))
		return false;
	if (name.size > 2 && name.data[0] == '[' && address.size && address.data[0] != '[')
		name = tn_str(name.data + 1, name.size - 2);
	return tn_str_equal_nocase(address, name);
}

static bool is_own_name(const struct tn_origin_rules *rules, struct tn_str name)
{
	struct tn_str address = tn_str_from(rules->address);

	if (is_own_address(address, name))
		return true;
	return is_loopback(address) && (tn_str_equal_nocase(name, TN_STR("localhost")) ||
					tn_str_is(name, "127.0.0.1") || tn_str_is(name, "[::1]"));
}

bool tn_origin_host_allowed(const struct tn_origin_rules *rules, struct tn_str host)
{
	struct authority asked, known;

	if (!parse_authority(host, &asked))
		return false;
	if (is_own_name(rules, asked.name))
		return true;
	for (const char *const *at = rules->hosts; at && *at; at++) {
		if (!parse_authority(tn_str_from(*at), &known) ||
		    !tn_str_equal_nocase(known.name, asked.name))
			continue;
		if (asked.port == known.port || (!known.port && asked.port == rules->port))
			return true;
	}
	return false;
}

struct origin {
	struct tn_str scheme;
	struct authority at; /* the scheme's port when none is written */
};

static bool parse_origin(struct tn_str text, struct origin *ret)
{
	size_t colon = tn_str_find(text, TN_STR("://"));

	if (colon == TN_STR_NONE || colon == 0)
		return false;
	ret->scheme = tn_str(text.data, colon);
	if (!parse_authority(tn_str_from_offset(text, colon + 3), &ret->at))
		return false;
	if (ret->at.port == 0 && tn_str_equal_nocase(ret->scheme, TN_STR("http")))
		ret->at.port = HTTP_PORT;
	else if (ret->at.port == 0 && tn_str_equal_nocase(ret->scheme, TN_STR("https")))
		ret->at.port = HTTPS_PORT;
	return true;
}

static bool is_same_origin(const struct origin *a, const struct origin *b)
{
	return tn_str_equal_nocase(a->scheme, b->scheme) &&
	       tn_str_equal_nocase(a->at.name, b->at.name) && a->at.port == b->at.port;
}

/* A page that was opened under one of the names by which we may be asked. */
static bool is_own_page(const struct tn_origin_rules *rules, const struct origin *asked)
{
	bool plain = tn_str_equal_nocase(asked->scheme, TN_STR("http"));
	struct authority known;

	if (!plain && !tn_str_equal_nocase(asked->scheme, TN_STR("https")))
		return false;
	for (const char *const *at = rules->hosts; at && *at; at++) {
		uint64_t port = plain ? rules->port : HTTPS_PORT;

		if (!parse_authority(tn_str_from(*at), &known) ||
		    !tn_str_equal_nocase(known.name, asked->at.name))
			continue;
		if (asked->at.port == (known.port ? known.port : port))
			return true;
	}
	return false;
}

bool tn_origin_origin_allowed(const struct tn_origin_rules *rules, struct tn_str text)
{
	struct origin asked, known;
	bool parsed = parse_origin(text, &asked);

	if (parsed && tn_str_equal_nocase(asked.scheme, TN_STR("http")) &&
	    asked.at.port == rules->port && is_own_name(rules, asked.at.name))
		return true;
	if (parsed && rules->pages && is_own_page(rules, &asked))
		return true;
	for (const char *const *at = rules->origins; at && *at; at++) {
		/* "null" is what sandboxed pages send; whoever wants it writes it down. */
		if (tn_str_is(text, *at) && tn_str_is(text, "null"))
			return true;
		if (parsed && parse_origin(tn_str_from(*at), &known) &&
		    is_same_origin(&asked, &known))
			return true;
	}
	return false;
}

/* Sent by browsers and not to be forged by pages: where a request comes from, also when the browser
 * leaves Origin out (navigations, images). */
static bool is_fetch_site_allowed(const struct tn_http_exchange *exchange, bool has_allowed_origin)
{
	size_t count;
	struct tn_str site = tn_http_header(exchange, "Sec-Fetch-Site", &count);

	if (count == 0)
		return true;
	return count == 1 &&
	       (has_allowed_origin || tn_str_is(site, "same-origin") || tn_str_is(site, "none"));
}

bool tn_origin_allowed(const struct tn_http_exchange *exchange, const struct tn_origin_rules *rules)
{
	size_t origins;
	struct tn_str host = tn_http_header(exchange, "Host", NULL);
	struct tn_str origin = tn_http_header(exchange, "Origin", &origins);

	/* Only HTTP/1.0 may leave Host out, and no browser speaks that. */
	if (host.data && !tn_origin_host_allowed(rules, host))
		return false;
	if (origins > 1 || (origins == 1 && !tn_origin_origin_allowed(rules, origin)))
		return false;
	return is_fetch_site_allowed(exchange, origins == 1);
}
