#include "serve/http_options.h"

#include "base/str.h"
#include "mcp/peer.h"
#include "transport/limits.h"

enum { TOKEN_MIN = 16 };

bool tn_http_is_loopback(const char *address)
{
	struct tn_str text = tn_str_from(address);

	return tn_str_starts(text, TN_STR("127.")) || tn_str_is(text, "::1") ||
	       tn_str_is(text, "[::1]");
}

/* ---- checks ---- */

static bool is_name(const char *name)
{
	struct tn_str text = tn_str_from(name);

	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (!tn_is_alpha(c) && !tn_is_digit(c) && c != '_' && c != '-' && c != '.')
			return false;
	}
	return text.size && text.size < TN_PRINCIPAL_SIZE;
}

/* Whoever comes without a token has one of these: a token of that name would share its tasks. */
static bool is_taken(const char *name)
{
	return strcmp(name, TN_PRINCIPAL_ANONYMOUS) == 0 || strcmp(name, TN_PRINCIPAL_LOCAL) == 0;
}

enum tenon_code tn_http_token_check(const char *token, struct tenon_error *err)
{
	struct tn_str text = tn_str_from(token);

	if (text.size < TOKEN_MIN)
		return tn_fail(err, TENON_INVALID, "a token needs at least 16 characters");
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] <= ' ' || text.data[i] > '~')
			return tn_fail(err, TENON_INVALID,
				       "a token has visible ASCII characters only");
	}
	return TENON_OK;
}

/* Two names may be one: a principal with two secrets. Two secrets may not: nobody would know which
 * one is meant. */
static enum tenon_code check_tokens(const struct tenon_token *tokens, struct tenon_error *err)
{
	for (const struct tenon_token *at = tokens; at->name; at++) {
		enum tenon_code code = tn_http_token_check(at->token, err);

		if (code != TENON_OK)
			return code;
		if (!is_name(at->name))
			return tn_fail(
				err, TENON_INVALID,
				"a token's name has 1 to 63 characters of A-Z a-z 0-9 _ - .");
		if (is_taken(at->name))
			return tn_fail(err, TENON_INVALID, "no token may have the name %s",
				       at->name);
		for (const struct tenon_token *other = tokens; other != at; other++) {
			if (strcmp(other->token, at->token) == 0)
				return tn_fail(err, TENON_INVALID,
					       "the tokens %s and %s are alike; each needs a "
					       "secret of its own",
					       other->name, at->name);
		}
	}
	return TENON_OK;
}

static enum tenon_code check_access(const struct tenon_http_options *o, struct tenon_error *err)
{
	bool named = o->tokens && o->tokens->name;

	if (o->token && named)
		return tn_fail(err, TENON_INVALID, "token and tokens exclude each other");
	if (o->no_token && (o->token || named))
		return tn_fail(err, TENON_INVALID, "no_token and a token exclude each other");
	if (o->no_token && !tn_http_is_loopback(o->address)) /* MCP-103 */
		return tn_fail(err, TENON_INVALID,
			       "without a token only a loopback address can be served");
	if (named)
		return check_tokens(o->tokens, err);
	return o->no_token ? TENON_OK : tn_http_token_check(o->token, err);
}

/* Kept to what is written in a request line as it is. */
static enum tenon_code check_path(const char *path, struct tenon_error *err)
{
	struct tn_str text = tn_str_from(path);

	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if (c <= ' ' || c > '~' || c == '?' || c == '#' || c == '%')
			return tn_fail(err, TENON_INVALID,
				       "a path has visible ASCII characters without ? # %%");
	}
	if (text.size && text.data[0] != '/')
		return tn_fail(err, TENON_INVALID, "a path begins with /");
	return TENON_OK;
}

static enum tenon_code check_paths(struct tn_arena *arena, const struct tenon_http_options *o,
				   struct tenon_error *err)
{
	const char *paths[4] = {o->path, o->sse_path, o->ws_path,
				tn_http_messages_path(arena, o->sse_path)};

	if (!paths[3])
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (!paths[0][0] && !paths[1][0] && !paths[2][0])
		return tn_fail(err, TENON_INVALID, "an endpoint needs a path");
	for (size_t i = 0; i < 4; i++) {
		enum tenon_code code = check_path(paths[i], err);

		if (code != TENON_OK)
			return code;
		for (size_t j = 0; j < i; j++) {
			if (paths[i][0] && strcmp(paths[i], paths[j]) == 0)
				return tn_fail(err, TENON_INVALID,
					       "two endpoints have the path %.64s", paths[i]);
		}
	}
	return TENON_OK;
}

/* ---- copies ---- */

/* Each sets *ok to false when the memory is out. */
static const char *copy(struct tn_arena *arena, const char *text, bool *ok)
{
	char *made = text ? tn_arena_copy(arena, tn_str_from(text)) : NULL;

	*ok = *ok && (made || !text);
	return made;
}

static const char *const *copy_list(struct tn_arena *arena, const char *const *list, bool *ok)
{
	const char **made;
	size_t count = 0;

	if (!list)
		return NULL;
	while (list[count])
		count++;
	made = tn_arena_alloc_array(arena, count + 1, sizeof(*made));
	*ok = *ok && made;
	for (size_t i = 0; made && i < count; i++)
		made[i] = copy(arena, list[i], ok);
	return made;
}

static const struct tenon_token *copy_tokens(struct tn_arena *arena,
					     const struct tenon_http_options *o, bool *ok)
{
	const struct tenon_token one[2] = {{.name = "token", .token = o->token, .local = true},
					   {.name = NULL}};
	const struct tenon_token none = {.name = NULL};
	const struct tenon_token *list = o->tokens && o->tokens->name ? o->tokens
					 : o->token                   ? one
								      : &none;
	struct tenon_token *made;
	size_t count = 0;

	while (list[count].name)
		count++;
	made = tn_arena_alloc_array(arena, count + 1, sizeof(*made));
	*ok = *ok && made;
	for (size_t i = 0; made && i < count; i++)
		made[i] = (struct tenon_token){.name = copy(arena, list[i].name, ok),
					       .token = copy(arena, list[i].token, ok),
					       .tools = copy_list(arena, list[i].tools, ok),
					       .resources = copy_list(arena, list[i].resources, ok),
					       .prompts = copy_list(arena, list[i].prompts, ok),
					       .person = list[i].person,
					       .local = list[i].local};
	return made;
}

const char *tn_http_messages_path(struct tn_arena *arena, const char *sse_path)
{
	const char *slash = strrchr(sse_path, '/');

	if (!slash)
		return "";
	return tn_arena_format(arena, "%.*s/messages", (int)(slash - sse_path), sse_path);
}

enum tenon_code tn_http_options_read(struct tn_arena *arena,
				     const struct tenon_http_options *options,
				     struct tenon_http_options *ret, struct tenon_error *err)
{
	struct tenon_http_options o = *options;
	bool ok = true;
	enum tenon_code code;

	o.address = o.address ? o.address : "127.0.0.1";
	o.path = o.path ? o.path : "/mcp";
	o.ws_path = o.ws_path ? o.ws_path : "/ws";
	if (o.no_legacy) /* that transport is legacy through and through */
		o.sse_path = "";
	o.sse_path = o.sse_path ? o.sse_path : "/sse";
	if (o.keepalive_ms == 0)
		o.keepalive_ms = TN_HTTP_KEEPALIVE_MS;
	else if (o.keepalive_ms == UINT32_MAX)
		o.keepalive_ms = 0; /* as the transport writes "never" */
	if (o.connections_max == 0)
		o.connections_max = TN_HTTP_CONNECTIONS_MAX;
	code = check_access(&o, err);
	if (code == TENON_OK)
		code = check_paths(arena, &o, err);
	if (code != TENON_OK)
		return code;
	o.address = copy(arena, o.address, &ok);
	o.path = copy(arena, o.path, &ok);
	o.sse_path = copy(arena, o.sse_path, &ok);
	o.ws_path = copy(arena, o.ws_path, &ok);
	o.hosts = copy_list(arena, o.hosts, &ok);
	o.origins = copy_list(arena, o.origins, &ok);
	o.tokens = copy_tokens(arena, &o, &ok);
	o.token = NULL;
	if (!ok)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*ret = o;
	return TENON_OK;
}
