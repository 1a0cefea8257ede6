/* conformance_server.c - the server the official conformance suite is run against.
 *
 *     conformance-server --http 127.0.0.1:PORT   no token; http://127.0.0.1:PORT/mcp, /sse, /ws
 *     conformance-server --unix PATH
 *     conformance-server --stdio
 *
 * Several of them at once, too. For tests of the ways in:
 *
 *     --token NAME=SECRET    named tokens instead of none; may be repeated
 *     --only NAME=PATTERN    that token may use only tools that fit; may be repeated
 *     --cors ORIGIN          pages of that origin may call
 *     --keepalive MS, --connections N, --no-sessions, --no-legacy, --bearer-subprotocol
 *
 * On the public API only, so it is also the longest example of it. What it offers stands in tables
 * in fixtures_*.c; here they are registered and served. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures.h"

static enum tenon_code add_tools(struct fixture_world *world, const struct tenon_tool *tools,
				 struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	for (; tools->name && code == TENON_OK; tools++) {
		struct tenon_tool tool = *tools;
		tool.data = world;
		code = tenon_server_add_tool(world->server, &tool, err);
	}
	return code;
}

static enum tenon_code add_resources(struct fixture_world *world, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	for (const struct tenon_resource *it = fixture_resources; it->uri && !code; it++)
		code = tenon_server_add_resource(world->server, it, err);
	for (const struct tenon_resource_template *it = fixture_templates;
	     it->uri_template && !code; it++)
		code = tenon_server_add_template(world->server, it, err);
	if (code == TENON_OK)
		code = tenon_server_add_resource(world->server, &fixture_ui_resource, err);
	return code;
}

static enum tenon_code add_prompts(struct fixture_world *world, const struct tenon_prompt *prompts,
				   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	for (; prompts->name && code == TENON_OK; prompts++)
		code = tenon_server_add_prompt(world->server, prompts, err);
	return code;
}

static enum tenon_code add_everything(struct fixture_world *world, struct tenon_error *err)
{
	static const struct tenon_tool *const tables[] = {
		fixture_content_tools, fixture_live_tools, fixture_asking_tools,
		fixture_round_tools,   fixture_task_tools, fixture_ui_tools};
	enum tenon_code code = TENON_OK;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && code == TENON_OK; i++)
		code = add_tools(world, tables[i], err);
	if (code == TENON_OK)
		code = add_resources(world, err);
	if (code == TENON_OK)
		code = add_prompts(world, fixture_prompts, err);
	if (code == TENON_OK)
		code = add_prompts(world, fixture_round_prompts, err);
	return code;
}

static void listening(const char *url, void *data)
{
	(void)data;
	(void)fprintf(stderr, "listening on %s\n", url);
}

/* ---- the ways in ---- */

enum { NAMES_MAX = 8 };

struct door {
	struct tenon_http_options http;
	struct tenon_unix_options socket;
	bool web, stdio;
	struct tenon_token tokens[NAMES_MAX + 1];
	const char *patterns[NAMES_MAX][NAMES_MAX + 1]; /* of each token's tools */
	const char *origins[NAMES_MAX + 1];
};

/* "ADDR:PORT"; false when it is not. The address is cut off in place. */
static bool parse_address(char *text, struct tenon_http_options *http)
{
	char *colon = strrchr(text, ':');
	char *end = NULL;
	const unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 0;
	if (!colon || end == colon + 1 || *end != '\0' || port > UINT16_MAX)
		return false;
	*colon = '\0';
	http->address = text;
	http->port = (uint16_t)port;
	return true;
}

/* The token of that name, or a new one; NULL: too many. */
static struct tenon_token *find_token(struct door *door, const char *name)
{
	for (size_t i = 0; i < NAMES_MAX; i++) {
		if (!door->tokens[i].name)
			door->tokens[i].name = name;
		if (strcmp(door->tokens[i].name, name) == 0)
			return &door->tokens[i];
	}
	return NULL;
}

/* "NAME=VALUE", cut apart in place. */
static bool add_to_token(struct door *door, char *text, bool only)
{
	char *equals = strchr(text, '=');
	if (!equals)
		return false;
	*equals = '\0';
	struct tenon_token *token = find_token(door, text);
	if (!token)
		return false;
	door->http.no_token = false;
	if (!only) {
		token->token = equals + 1;
		return true;
	}
	const char **patterns = door->patterns[token - door->tokens];
	token->tools = patterns;
	for (size_t i = 0; i < NAMES_MAX; i++) {
		if (!patterns[i]) {
			patterns[i] = equals + 1;
			return true;
		}
	}
	return false;
}

static bool add_origin(struct door *door, const char *origin)
{
	size_t i = 0;
	while (i < NAMES_MAX && door->origins[i])
		i++;
	if (i == NAMES_MAX)
		return false;
	door->origins[i] = origin;
	door->http.cors = true;
	return true;
}

static bool set_flag(struct door *door, const char *name)
{
	if (strcmp(name, "--stdio") == 0)
		door->stdio = true;
	else if (strcmp(name, "--no-sessions") == 0)
		door->http.no_sessions = true;
	else if (strcmp(name, "--no-legacy") == 0)
		door->http.no_legacy = true;
	else if (strcmp(name, "--bearer-subprotocol") == 0)
		door->http.bearer_subprotocol = true;
	else
		return false;
	return true;
}

static bool set_option(struct door *door, const char *name, char *value)
{
	if (strcmp(name, "--http") == 0)
		return door->web = parse_address(value, &door->http);
	if (strcmp(name, "--unix") == 0)
		return (door->socket.path = value) != NULL;
	if (strcmp(name, "--token") == 0 || strcmp(name, "--only") == 0)
		return add_to_token(door, value, strcmp(name, "--only") == 0);
	if (strcmp(name, "--cors") == 0)
		return add_origin(door, value);
	if (strcmp(name, "--keepalive") == 0)
		door->http.keepalive_ms = (uint32_t)strtoul(value, NULL, 10);
	else if (strcmp(name, "--connections") == 0)
		door->http.connections_max = (uint32_t)strtoul(value, NULL, 10);
	else
		return false;
	door->socket.connections_max = door->http.connections_max;
	return true;
}

static bool parse(struct door *door, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (set_flag(door, argv[i]))
			continue;
		if (i + 1 == argc || !set_option(door, argv[i], argv[i + 1]))
			return false;
		i++;
	}
	door->http.origins = door->origins;
	door->http.tokens = door->tokens;
	return door->web || door->stdio || door->socket.path;
}

static enum tenon_code serve(struct tenon_server *server, const struct door *door,
			     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	if (door->web)
		code = tenon_server_listen_http(server, &door->http, err);
	if (code == TENON_OK && door->socket.path) {
		code = tenon_server_listen_unix(server, &door->socket, err);
		if (code == TENON_OK)
			(void)fprintf(stderr, "listening on unix:%s\n", door->socket.path);
	}
	if (code == TENON_OK && door->stdio)
		code = tenon_server_listen_stdio(server, err);
	return code == TENON_OK ? tenon_server_run(server, err) : code;
}

int main(int argc, char **argv)
{
	const struct tenon_server_options options = {.name = "tenon-conformance-server",
						     .title = "Tenon's conformance fixtures",
						     .version = "1.0.0",
						     .instructions =
							     "Every tool here exists to be tested.",
						     .list_public = true,
						     .check_output = true,
						     .no_lint = true};
	struct door door = {.http = {.no_token = true, .listening = listening}};
	struct fixture_world world = {.server = NULL};
	struct tenon_error err = {0};

	if (!parse(&door, argc, argv)) {
		(void)fprintf(stderr, "usage: conformance-server --http ADDR:PORT | --unix PATH | "
				      "--stdio ...\n");
		return 2;
	}
	enum tenon_code code = tenon_server_create(&options, &world.server, &err);
	if (code == TENON_OK)
		code = add_everything(&world, &err);
	if (code == TENON_OK)
		code = serve(world.server, &door, &err);
	if (code != TENON_OK)
		(void)fprintf(stderr, "conformance-server: %s\n", err.message);
	tenon_server_destroy(world.server);
	return code == TENON_OK ? 0 : 1;
}
