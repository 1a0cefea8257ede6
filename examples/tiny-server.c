/* tiny-server.c - a complete MCP server: one tool, one resource, one prompt.
 *     cc tiny-server.c $(pkg-config --cflags --libs tenon) -o tiny-server
 *     tiny-server                        serves its parent on standard input and output
 *     tiny-server --http 127.0.0.1:8080  serves http://127.0.0.1:8080/mcp, this machine only */
#include <stdio.h>
#include <string.h>
#include <tenon/tenon.h>

/* A tool: its arguments fit the schema when this runs, and `data` is what the table below says. */
static void greet(struct tenon_call *call, void *data)
{
	char text[512]; /* 100 characters are at most 400 bytes */
	(void)snprintf(text, sizeof(text), "%s, %s!", (char *)data, tenon_call_text(call, "name"));
	tenon_call_reply_text(call, text);
}
static const struct tenon_tool tool = {
	.name = "greet",
	.description = "Greets somebody by name",
	.input_schema = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
			"\"description\":\"whom\",\"maxLength\":100}},\"required\":[\"name\"]}",
	.call = greet,
	.data = "Hello"};

/* A resource: NULL stands for the URI that was asked for. */
static void read_about(struct tenon_call *call, void *data)
{
	tenon_call_add_resource_text(call, NULL, "text/plain", data, TENON_TEXT);
	tenon_call_finish(call);
}
static const struct tenon_resource about = {
	.uri = "tiny://me", .name = "about", .size_bytes = -1, .read = read_about, .data = "Tiny."};

/* A prompt: the text becomes a message of the user. */
static void get_welcome(struct tenon_call *call, void *data)
{
	tenon_call_reply_text(call, data);
}
static const struct tenon_prompt prompt = {.name = "welcome",
					   .description = "Begins a friendly conversation",
					   .get = get_welcome,
					   .data = "Ask for my name, then greet me with it."};

int main(int argc, char **argv)
{
	const struct tenon_server_options options = {.name = "tiny-server", .version = "1.0.0"};
	struct tenon_server *server = NULL;
	struct tenon_error err = {0}; /* whatever fails below says why in it */
	char address[64];
	struct tenon_http_options http = {.address = address, .no_token = true};
	if (argc > 1 && (argc != 3 || strcmp(argv[1], "--http") != 0 ||
			 sscanf(argv[2], "%63[^:]:%hu", address, &http.port) != 2))
		return fprintf(stderr, "usage: tiny-server [--http ADDR:PORT]\n"), 1;
	if (tenon_server_create(&options, &server, &err) ||
	    tenon_server_add_tool(server, &tool, &err) ||
	    tenon_server_add_resource(server, &about, &err) ||
	    tenon_server_add_prompt(server, &prompt, &err) ||
	    (argc > 1 ? tenon_server_run_http(server, &http, &err)
		      : tenon_server_run_stdio(server, &err)))
		(void)fprintf(stderr, "tiny-server: %s\n", err.message);
	tenon_server_destroy(server);
	return err.code == TENON_OK ? 0 : 1;
}
