/* bench_server.c - the server that the benches call.
 *
 *     bench-server stdio [--tools N]
 *     bench-server http PORT [--tools N]
 *
 * Tools: `echo {message}` answers the message; `blob {bytes}` a text of that size; `broadcast` says
 * that bench://feed has changed; --tools adds N synthetic ones, tool_00000 and so on, that echo
 * too. Over HTTP it needs no token and prints its URL on standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tenon/tenon.h>

#define BLOB_BYTES_MAX (8 * 1024 * 1024)
#define TOOLS_MAX 100000
#define FEED_URI "bench://feed"

struct bench_server {
	struct tenon_server *server;
	char *blob;        /* BLOB_BYTES_MAX reserved, filled as far as it has been asked for */
	size_t blob_bytes; /* filled */
};

static void echo(struct tenon_call *call, void *data)
{
	const char *message = "";
	size_t size = 0;
	(void)data;
	(void)tenon_call_bytes(call, "message", &message, &size); /* required by the schema */
	tenon_call_add_text(call, message, size);
	tenon_call_finish(call);
}

static void blob(struct tenon_call *call, void *data)
{
	struct bench_server *bench = data;
	int64_t bytes = 0;
	(void)tenon_call_int(call, "bytes", &bytes); /* required, and bounded by the schema */
	if ((size_t)bytes > bench->blob_bytes) {
		memset(bench->blob + bench->blob_bytes, 'x', (size_t)bytes - bench->blob_bytes);
		bench->blob_bytes = (size_t)bytes;
	}
	tenon_call_add_text(call, bench->blob, (size_t)bytes);
	tenon_call_finish(call);
}

static void broadcast(struct tenon_call *call, void *data)
{
	const struct bench_server *bench = data;
	tenon_server_resource_updated(bench->server, FEED_URI);
	tenon_call_reply_text(call, "sent");
}

static void read_feed(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_text(call, NULL, "text/plain", "news", TENON_TEXT);
	tenon_call_finish(call);
}

static const char echo_schema[] =
	"{\"type\":\"object\",\"properties\":{\"message\":{\"type\":\"string\","
	"\"description\":\"What comes back\"}},\"required\":[\"message\"]}";

static const char blob_schema[] =
	"{\"type\":\"object\",\"properties\":{\"bytes\":{\"type\":\"integer\",\"minimum\":0,"
	"\"maximum\":8388608,\"description\":\"How large the answer "
	"is\"}},\"required\":[\"bytes\"]}";

static const struct tenon_tool tools[] = {
	{.name = "echo",
	 .description = "Answers with the message",
	 .input_schema = echo_schema,
	 .flags = TENON_READ_ONLY,
	 .call = echo},
	{.name = "blob",
	 .description = "Answers with a text of a given size",
	 .input_schema = blob_schema,
	 .flags = TENON_READ_ONLY,
	 .call = blob},
	{.name = "broadcast", .description = "Tells all who subscribed", .call = broadcast}};

static const struct tenon_resource feed = {.uri = FEED_URI,
					   .name = "feed",
					   .description = "What broadcast changes",
					   .mime_type = "text/plain",
					   .size_bytes = -1,
					   .read = read_feed};

static enum tenon_code add_synthetic(struct bench_server *bench, unsigned count,
				     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	for (unsigned i = 0; i < count && code == TENON_OK; i++) {
		char name[32];
		const struct tenon_tool tool = {.name = name,
						.description =
							"One of many; answers with the message",
						.input_schema = echo_schema,
						.flags = TENON_READ_ONLY,
						.call = echo};
		(void)snprintf(name, sizeof(name), "tool_%05u", i);
		code = tenon_server_add_tool(bench->server, &tool, err);
	}
	return code;
}

static enum tenon_code add_everything(struct bench_server *bench, unsigned synthetic,
				      struct tenon_error *err)
{
	enum tenon_code code = tenon_server_add_resource(bench->server, &feed, err);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]) && code == TENON_OK; i++) {
		struct tenon_tool tool = tools[i];
		tool.data = bench;
		code = tenon_server_add_tool(bench->server, &tool, err);
	}
	return code == TENON_OK ? add_synthetic(bench, synthetic, err) : code;
}

static void listening(const char *url, void *data)
{
	(void)data;
	(void)fprintf(stderr, "listening on %s\n", url);
}

/* False: usage. */
static bool parse_options(int argc, char **argv, bool *ret_http, uint16_t *ret_port,
			  unsigned *ret_tools)
{
	*ret_http = argc > 2 && strcmp(argv[1], "http") == 0;
	if (!*ret_http && (argc < 2 || strcmp(argv[1], "stdio") != 0))
		return false;
	if (*ret_http)
		*ret_port = (uint16_t)strtoul(argv[2], NULL, 10);
	const int next = *ret_http ? 3 : 2;
	if (argc == next)
		return true;
	if (argc != next + 2 || strcmp(argv[next], "--tools") != 0)
		return false;
	*ret_tools = (unsigned)strtoul(argv[next + 1], NULL, 10);
	return *ret_tools <= TOOLS_MAX;
}

int main(int argc, char **argv)
{
	const struct tenon_server_options options = {.name = "bench-server", .version = "1.0.0"};
	struct tenon_http_options http = {.no_token = true, .listening = listening};
	struct bench_server bench = {.server = NULL};
	struct tenon_error err = {0};
	bool web = false;
	unsigned synthetic = 0;

	if (!parse_options(argc, argv, &web, &http.port, &synthetic)) {
		(void)fprintf(stderr, "usage: bench-server stdio|http PORT [--tools N]\n");
		return 2;
	}
	/* Only address space until it is asked for, so that it does not count as memory used. */
	bench.blob = mmap(NULL, BLOB_BYTES_MAX, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bench.blob == MAP_FAILED)
		return 1;
	enum tenon_code code = tenon_server_create(&options, &bench.server, &err);
	if (code == TENON_OK)
		code = add_everything(&bench, synthetic, &err);
	if (code == TENON_OK)
		code = web ? tenon_server_run_http(bench.server, &http, &err)
			   : tenon_server_run_stdio(bench.server, &err);
	if (code != TENON_OK)
		(void)fprintf(stderr, "bench-server: %s\n", err.message);
	tenon_server_destroy(bench.server);
	return code == TENON_OK ? 0 : 1;
}
