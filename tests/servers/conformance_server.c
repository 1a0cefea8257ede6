/* conformance_server.c - the server the official conformance suite is run against.
 *
 *     conformance-server --http 127.0.0.1:PORT   no token; http://127.0.0.1:PORT/mcp
 *     conformance-server --stdio
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
	static const struct tenon_tool *const tables[] = {fixture_content_tools, fixture_live_tools,
							  fixture_asking_tools, fixture_round_tools,
							  fixture_task_tools};
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

int main(int argc, char **argv)
{
	const struct tenon_server_options options = {.name = "tenon-conformance-server",
						     .title = "Tenon's conformance fixtures",
						     .version = "1.0.0",
						     .instructions =
							     "Every tool here exists to be tested.",
						     .list_public = true,
						     .check_output = true};
	struct tenon_http_options http = {.no_token = true, .listening = listening};
	struct fixture_world world = {.server = NULL};
	struct tenon_error err = {0};
	const bool web =
		argc == 3 && strcmp(argv[1], "--http") == 0 && parse_address(argv[2], &http);

	if (!web && (argc != 2 || strcmp(argv[1], "--stdio") != 0)) {
		(void)fprintf(stderr, "usage: conformance-server --http ADDR:PORT | --stdio\n");
		return 2;
	}
	enum tenon_code code = tenon_server_create(&options, &world.server, &err);
	if (code == TENON_OK)
		code = add_everything(&world, &err);
	if (code == TENON_OK)
		code = web ? tenon_server_run_http(world.server, &http, &err)
			   : tenon_server_run_stdio(world.server, &err);
	if (code != TENON_OK)
		(void)fprintf(stderr, "conformance-server: %s\n", err.message);
	tenon_server_destroy(world.server);
	return code == TENON_OK ? 0 : 1;
}
