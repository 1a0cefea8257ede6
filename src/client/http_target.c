#include "client/http_target.h"

#include "base/limits.h"
#include "transport/limits.h"

enum { OWN_LINES = 3 }; /* User-Agent, Expect, Authorization */

/* What the carrier writes itself, or the HTTP client does. */
static const char *const reserved[] = {
	"Accept",
	"Connection",
	"Content-Length",
	"Content-Type",
	"Expect",
	"Host",
	"Last-Event-ID",
	"Mcp-Method",
	"Mcp-Name",
	"MCP-Protocol-Version",
	"Mcp-Session-Id",
	"Proxy-Authorization",
	"TE",
	"Trailer",
	"Transfer-Encoding",
	"Upgrade",
};

bool tn_http_value_valid(struct tn_str value)
{
	for (size_t i = 0; i < value.size; i++) {
		unsigned char c = (unsigned char)value.data[i];

		if ((c < 0x20 && c != '\t') || c == 0x7F)
			return false;
	}
	return true;
}

static bool is_header_name(struct tn_str name)
{
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) &&
		    (c == '\0' || !strchr("!#$%&'*+-.^_`|~", c)))
			return false;
	}
	return name.size > 0;
}

static bool is_reserved(struct tn_str name)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (tn_str_equal_nocase(name, tn_str_from(reserved[i])))
			return true;
	}
	return false;
}

void tn_http_lines_add(struct tn_http_lines *lines, struct tn_str name, struct tn_str value)
{
	const char *line;

	if (lines->failed || lines->count == lines->room || name.size > TN_HTTP_HEADER_MAX ||
	    value.size > TN_HTTP_HEADER_MAX || !tn_http_value_valid(value)) {
		lines->failed = true;
		return;
	}
	/* The HTTP client drops a header that ends with its colon, and sends "Name;" as empty. */
	line = tn_arena_format(lines->arena, value.size ? "%.*s: %.*s" : "%.*s;%.*s",
			       (int)name.size, name.data, (int)value.size,
			       value.size ? value.data : "");
	lines->failed = !line;
	if (line)
		lines->lines[lines->count++] = line;
}

void tn_http_lines_init(struct tn_http_lines *lines, const struct tn_http_target *target,
			size_t more, struct tn_arena *arena)
{
	*lines = (struct tn_http_lines){.arena = arena, .room = target->line_count + more};
	lines->lines = tn_arena_alloc_array(arena, lines->room + 1, sizeof(*lines->lines));
	lines->failed = !lines->lines;
	if (lines->failed)
		return;
	for (; lines->count < target->line_count; lines->count++)
		lines->lines[lines->count] = target->lines[lines->count];
}

static enum tenon_code add_header(struct tn_http_lines *lines, const char *text, bool has_token,
				  struct tenon_error *err)
{
	struct tn_str line = tn_str_from(text), name, value;
	size_t colon = tn_str_find_byte(line, ':');

	if (colon == TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "a header is written \"Name: value\"");
	name = tn_str(line.data, colon);
	value = tn_str_trim(tn_str_from_offset(line, colon + 1));
	if (!is_header_name(name) || !tn_http_value_valid(value))
		return tn_fail(err, TENON_INVALID,
			       "a header has characters that none may have; it was not sent");
	if (is_reserved(name))
		return tn_fail(err, TENON_INVALID, "the header %.*s is not yours to set",
			       (int)(name.size > 64 ? 64 : name.size), name.data);
	if (has_token && tn_str_equal_nocase(name, TN_STR("Authorization")))
		return tn_fail(err, TENON_INVALID,
			       "there are a token and an Authorization header; give one of them");
	if (value.size > TN_HTTP_HEADER_MAX)
		return tn_fail(err, TENON_INVALID, "a header is longer than %zu bytes",
			       TN_HTTP_HEADER_MAX);
	tn_http_lines_add(lines, name, value);
	return TENON_OK;
}

static enum tenon_code add_token(struct tn_http_lines *lines, const char *token,
				 struct tenon_error *err)
{
	struct tn_str value = tn_str_from(token);
	const char *bearer;

	for (size_t i = 0; i < value.size; i++) {
		if (value.data[i] <= ' ' || value.data[i] >= 0x7F)
			value.size = 0;
	}
	if (value.size == 0 || value.size > TN_HTTP_HEADER_MAX - sizeof("Bearer"))
		return tn_fail(err, TENON_INVALID,
			       "the token is empty, too long, or not of visible ASCII characters");
	bearer = tn_arena_format(lines->arena, "Bearer %s", token);
	if (!bearer)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_http_lines_add(lines, TN_STR("Authorization"), tn_str_from(bearer));
	return TENON_OK;
}

static enum tenon_code set_lines(struct tn_http_target *target, const struct tn_url_target *from,
				 struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_http_lines lines;
	size_t count = 0;

	while (from->headers && from->headers[count])
		count++;
	tn_http_lines_init(&lines, target, count + OWN_LINES, &target->arena);
	tn_http_lines_add(&lines, TN_STR("User-Agent"), TN_STR("tenon/" TENON_VERSION));
	if (!lines.failed)
		lines.lines[lines.count++] = "Expect:"; /* never waits for 100-continue */
	if (from->token)
		code = add_token(&lines, from->token, err);
	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = add_header(&lines, from->headers[i], from->token != NULL, err);
	if (code == TENON_OK && lines.failed)
		code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	target->lines = lines.lines;
	target->line_count = lines.count;
	return code;
}

enum tenon_code tn_http_target_init(struct tn_http_target *target, const struct tn_url_target *from,
				    struct tenon_error *err)
{
	struct tn_str url = tn_str_from(from->url);

	*target = (struct tn_http_target){0};
	tn_arena_init(&target->arena, TN_MIB);
	if (url.size > TN_URI_BYTES_MAX)
		return tn_fail(err, TENON_INVALID, "the URL is longer than %zu bytes",
			       TN_URI_BYTES_MAX);
	target->url = tn_arena_copy(&target->arena, url);
	if (!target->url)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!tn_url_parse(tn_str(target->url, url.size), &target->parts) ||
	    tn_str_starts(target->parts.scheme, TN_STR("w")) ||
	    tn_str_starts(target->parts.scheme, TN_STR("W")))
		return tn_fail(err, TENON_INVALID,
			       "the URL is not a plain http:// or https:// one; send "
			       "http://host:port/path, without a user name");
	/* A proxy reads all of plain http, the token too. */
	target->direct = tn_url_is_loopback(&target->parts) ||
			 !tn_str_equal_nocase(target->parts.scheme, TN_STR("https"));
	if (from->ca_file) {
		target->ca_file = tn_arena_copy(&target->arena, tn_str_from(from->ca_file));
		if (!target->ca_file)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	return set_lines(target, from, err);
}

void tn_http_target_finish(struct tn_http_target *target)
{
	tn_arena_finish(&target->arena);
}

const char *tn_http_target_resolve(const struct tn_http_target *target, const char *base,
				   struct tn_str reference, struct tn_arena *arena)
{
	const char *ret = NULL;
	struct tn_url parts, url;
	struct tn_buf text;

	tn_buf_init(&text, 2 * TN_URI_BYTES_MAX);
	if (reference.size && tn_url_parse(tn_str_from(base), &parts) &&
	    tn_url_resolve(&parts, tn_str_trim(reference), &text) &&
	    tn_url_parse(tn_buf_str(&text), &url) && tn_url_same_origin(&url, &target->parts))
		ret = tn_arena_copy(arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	return ret;
}
