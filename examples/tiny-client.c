/* tiny-client.c - a complete MCP client: connects, lists the tools, calls one.
 *     cc tiny-client.c $(pkg-config --cflags --libs tenon) -o tiny-client
 *     tiny-client ./tiny-server                                    what can it do?
 *     tiny-client ./tiny-server -- greet '{"name":"Ann"}'          do it
 *     tiny-client http://127.0.0.1:8080/mcp -- greet '{"name":"Ann"}' */
#include <stdio.h>
#include <string.h>
#include <tenon/client.h>

static int fail(const char *what, const struct tenon_error *err)
{
	char text[512]; /* a server may have a say in it */
	tenon_client_clean_text(err->message, text, sizeof(text));
	(void)fprintf(stderr, "tiny-client: %s: %s\n", what, text);
	return 1;
}

static int show(const char *what, struct tenon_request *request, const struct tenon_error *err)
{
	struct tenon_outcome outcome;
	char text[8192];
	if (!request)
		return fail(what, err);
	if (tenon_request_wait(request, &outcome) != TENON_OK)
		return fail(what, &outcome.err);
	tenon_client_clean_text(outcome.result, text, sizeof(text));
	(void)printf("%s\n", text);
	return outcome.is_tool_error ? 2 : 0;
}

int main(int count, char **words)
{
	struct tenon_client_options options = {.name = "tiny-client", .version = "1.0.0"};
	struct tenon_client *client;
	struct tenon_error err;
	int status, end = 1;

	while (end < count && strcmp(words[end], "--") != 0)
		end++;
	if (end == 1)
		return (void)fprintf(stderr,
				     "usage: tiny-client COMMAND... | URL [-- TOOL [JSON]]\n"),
		       2;
	if (strstr(words[1], "://") || strncmp(words[1], "unix:", 5) == 0)
		options.url = words[1];
	else
		options.command = (const char *const *)words + 1;
	const char *tool = end + 1 < count ? words[end + 1] : NULL;
	const char *arguments = end + 2 < count ? words[end + 2] : NULL;
	words[end] = NULL; /* the command ends there */

	if (tenon_client_create(&options, &client, &err) != TENON_OK)
		return fail("options", &err);
	if (tenon_client_connect(client, &err) != TENON_OK)
		status = fail("connect", &err);
	else if (tool)
		status = show(tool, tenon_client_call(client, tool, arguments, NULL, &err), &err);
	else
		status =
			show("list", tenon_client_list(client, TENON_LIST_TOOLS, NULL, &err), &err);
	tenon_client_destroy(client);
	return status;
}
