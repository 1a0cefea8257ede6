#include "cli/call/tool_list.h"

#include <string.h>

#include "base/near.h"

enum { TOOLS_MAX = 10000, APP_NAME_MAX = 64 };

int tn_tool_list(const struct tn_cli *cli, struct tenon_client *client, struct tn_arena *arena,
		 const struct tn_json **ret)
{
	const struct tenon_request_options options = {.fresh = true};
	struct tenon_outcome outcome;
	struct tenon_error err = {0};
	struct tenon_request *request;
	struct tn_json *root;
	enum tenon_code code;

	request = tenon_client_list(client, TENON_LIST_TOOLS, &options, &err);
	if (!request)
		return tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, "list of tools", &err);
	if (tenon_request_wait(request, &outcome) != TENON_OK)
		return tn_cli_fail_outcome(cli, &outcome);
	code = tn_json_parse_copy(arena, tn_str(outcome.result, outcome.result_size), &root, &err);
	if (code != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_TOOL, "list of tools", &err);
	*ret = tn_json_get(root, "tools");
	return TN_EXIT_OK;
}

const struct tn_json *tn_tool_find(const struct tn_json *tools, struct tn_str name)
{
	const struct tn_json *tool = tn_json_is(tools, TN_JSON_ARRAY) ? tools->first : NULL;
	struct tn_str is;

	while (tool && !(tn_json_to_str(tn_json_get(tool, "name"), &is) && tn_str_equal(is, name)))
		tool = tool->next;
	return tool;
}

const char *tn_tool_near(const struct tn_json *tools, struct tn_str name)
{
	unsigned distance = TN_NEAR_NONE;
	const char *best = NULL;
	struct tn_str is;

	for (const struct tn_json *tool = tn_json_is(tools, TN_JSON_ARRAY) ? tools->first : NULL;
	     tool; tool = tool->next) {
		unsigned d;

		if (!tn_json_to_str(tn_json_get(tool, "name"), &is) || !tn_near_is(name, is))
			continue;
		d = tn_near_distance(name, is);
		if (d >= distance)
			continue;
		distance = d;
		best = is.data;
	}
	return best;
}

/* Looks in one connection. 0 and a NULL tool: it is not there. */
static int look(const struct tn_cli *cli, const struct tn_connect *connect, const char *name,
		struct tn_arena *arena, const struct tn_json **ret_tools, struct tn_tool_place *ret)
{
	int exit = tn_cli_connect(cli, connect, &ret->client, NULL);

	if (exit == TN_EXIT_OK)
		exit = tn_tool_list(cli, ret->client, arena, ret_tools);
	if (exit != TN_EXIT_OK)
		return exit;
	ret->name = name;
	ret->tool = tn_tool_find(*ret_tools, tn_str_from(name));
	return TN_EXIT_OK;
}

/* `app`: what stood before the point and is none, or empty. */
static int not_found(const struct tn_cli *cli, const struct tn_json *tools, const char *word,
		     const char *name, const char *app)
{
	const char *near = tn_tool_near(tools, tn_str_from(name));
	int before = (int)(name - word); /* the app and its point */

	if (near)
		return tn_cli_fail(cli, TN_EXIT_USAGE, "NOT_FOUND", false,
				   "there is no tool \"%.80s\"; did you mean \"%.*s%s\"?", word,
				   before, word, near);
	if (*app)
		return tn_cli_fail(cli, TN_EXIT_USAGE, "NOT_FOUND", false,
				   "there is neither an app \"%s\" nor a tool \"%.80s\"; tenon "
				   "tools lists them",
				   app, word);
	return tn_cli_fail(cli, TN_EXIT_USAGE, "NOT_FOUND", false,
			   "there is no tool \"%.80s\"; tenon tools lists them", word);
}

int tn_tool_place_find(const struct tn_cli *cli, const struct tn_connect *connect, const char *word,
		       struct tn_arena *arena, struct tn_tool_place *ret)
{
	const char *point = strchr(word, '.'), *name = word;
	const struct tn_json *tools = NULL;
	struct tn_connect in_app = *connect;
	char app[APP_NAME_MAX + 1] = "";
	struct tenon_error err = {0};
	int exit = TN_EXIT_OK;

	*ret = (struct tn_tool_place){0};
	if (point && point > word && (size_t)(point - word) <= APP_NAME_MAX) {
		memcpy(app, word, (size_t)(point - word));
		in_app.app = app;
		/* Names of tools may have points in them: only a server knows its apps. */
		if (tn_cli_try_connect(cli, &in_app, &ret->client, NULL, &err) == TENON_OK)
			exit = tn_tool_list(cli, ret->client, arena, &tools);
		name = tools ? point + 1 : word;
		ret->tool = tn_tool_find(tools, tn_str_from(name));
	}
	if (exit == TN_EXIT_OK && !tools)
		exit = look(cli, connect, name, arena, &tools, ret);
	ret->name = name;
	if (exit == TN_EXIT_OK && !ret->tool)
		exit = not_found(cli, tools, word, name, name == word ? app : "");
	return exit;
}
