/* bench_server.c - the server that the benches call.
 *
 *     bench-server stdio|http PORT|unix PATH [--tools N] [--streams N]
 *
 * Tools: `echo {message}` answers the message; `blob {bytes}` a text of that size; `broadcast` says
 * that bench://feed has changed; --tools adds N synthetic ones, tool_00000 and so on, that echo
 * too; --streams raises the limits, so that N streams may be open. Over HTTP it needs no token and
 * prints its URL on standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tenon/tenon.h>

#define BLOB_BYTES_MAX (8 * 1024 * 1024)
#define TOOLS_MAX 100000
#define STREAMS_MAX 100000
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

struct bench_options {
	bool web;
	uint16_t port;
	const char *socket; /* NULL: not on a Unix socket */
	unsigned tools, streams;
};

/* False: usage. */
static bool parse_options(int argc, char **argv, struct bench_options *ret)
{
	const char *way = argc > 1 ? argv[1] : "";
	int next = 3;
	if (strcmp(way, "http") == 0 && argc > 2) {
		ret->web = true;
		ret->port = (uint16_t)strtoul(argv[2], NULL, 10);
	} else if (strcmp(way, "unix") == 0 && argc > 2) {
		ret->socket = argv[2];
	} else if (strcmp(way, "stdio") == 0) {
		next = 2;
	} else {
		return false;
	}
	for (; next + 1 < argc; next += 2) {
		const unsigned number = (unsigned)strtoul(argv[next + 1], NULL, 10);
		if (strcmp(argv[next], "--tools") == 0 && number <= TOOLS_MAX)
			ret->tools = number;
		else if (strcmp(argv[next], "--streams") == 0 && number <= STREAMS_MAX)
			ret->streams = number;
		else
			return false;
	}
	return next == argc;
}

/* One connection more than streams: somebody has to ask for the change. */
static enum tenon_code serve(const struct bench_server *bench, const struct bench_options *options,
			     struct tenon_error *err)
{
	const uint32_t connections = options->streams ? options->streams + 1 : 0;
	const struct tenon_http_options http = {.port = options->port,
						.no_token = true,
						.connections_max = connections,
						.listening = listening};
	const struct tenon_unix_options local = {.path = options->socket,
						 .connections_max = connections};
	enum tenon_code code;
	if (options->web)
		code = tenon_server_listen_http(bench->server, &http, err);
	else if (options->socket)
		code = tenon_server_listen_unix(bench->server, &local, err);
	else
		code = tenon_server_listen_stdio(bench->server, err);
	return code == TENON_OK ? tenon_server_run(bench->server, err) : code;
}

int main(int argc, char **argv)
{
	struct bench_options options = {.web = false};
	struct bench_server bench = {.server = NULL};
	struct tenon_error err = {0};

	if (!parse_options(argc, argv, &options)) {
		(void)fprintf(stderr, "usage: bench-server stdio|http PORT|unix PATH [--tools N] "
				      "[--streams N]\n");
		return 2;
	}
	const struct tenon_server_options about = {
		.name = "bench-server",
		.version = "1.0.0",
		.sessions_max = options.streams ? options.streams + 1 : 0,
		.listeners_max = options.streams,
		.no_lint = true};
	/* Only address space until it is asked for, so that it does not count as memory used. */
	bench.blob = mmap(NULL, BLOB_BYTES_MAX, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bench.blob == MAP_FAILED)
		return 1;
	enum tenon_code code = tenon_server_create(&about, &bench.server, &err);
	if (code == TENON_OK)
		code = add_everything(&bench, options.tools, &err);
	if (code == TENON_OK)
		code = serve(&bench, &options, &err);
	if (code != TENON_OK)
		(void)fprintf(stderr, "bench-server: %s\n", err.message);
	tenon_server_destroy(bench.server);
	return code == TENON_OK ? 0 : 1;
}
