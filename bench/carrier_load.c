/* carrier_load.c - how many calls a second the client's HTTP carriers make, without a conversation
 * above them; also a way to see what they make of any server.
 *
 *     carrier_load --url URL [OPTION VALUE]...
 *
 *     --kind http|sse|modern  Streamable HTTP with a session, HTTP+SSE, or without a session
 * (modern)
 *     --method M --params P   of the requests (ping, {}); modern: P has its _meta
 *     --name N                Mcp-Name
 *     --count N               answers to measure (20000)
 *     --in-flight N           requests under way at a time (1)
 *     --feed 1                opens the GET stream as well
 *     --show 1                prints every message
 *     --plugins FOLDER        where tenon-client.so lies (the usual places)
 *     --load-cpu N            processor of this program (-1)
 *
 * Prints one line: name=value for each figure. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "bench.h"
#include "client/carrier.h"

struct load {
	struct tn_loop *loop;
	struct tn_carrier *carrier;
	const char *kind, *method, *params, *name;
	enum tn_revision revision;
	size_t wanted, in_flight, asked, answers, ended;
	uint64_t start_ns;
	bool feed, show, begun;
	struct tn_buf text;
};

/* Any address that is not NULL: the carrier only hands it back. */
static char request_mark[4096];

static void ask(struct load *load)
{
	struct tn_outgoing message = {.method = tn_str_from(load->method),
				      .name = tn_str_from(load->name),
				      .revision = load->revision};

	tn_buf_clear(&load->text);
	tn_buf_format(&load->text,
		      "{\"jsonrpc\":\"2.0\",\"id\":%zu,\"method\":\"%s\",\"params\":%s}",
		      load->asked + 1, load->method, load->params);
	message.json = tn_buf_str(&load->text);
	message.request = request_mark + load->asked++ % sizeof(request_mark);
	load->carrier->ops->send(load->carrier, &message);
}

static void say(struct load *load, const char *json, const char *method, enum tn_revision revision,
		void *request)
{
	struct tn_outgoing message = {.json = tn_str_from(json),
				      .method = tn_str_from(method),
				      .revision = revision,
				      .request = request};

	load->carrier->ops->send(load->carrier, &message);
}

static void begin_load(struct load *load)
{
	load->begun = true;
	if (load->feed && load->carrier->ops->open_feed)
		load->carrier->ops->open_feed(load->carrier, load->revision);
	load->start_ns = bench_now_ns();
	for (size_t i = 0; i < load->in_flight; i++)
		ask(load);
}

static void ready(void *data)
{
	struct load *load = data;

	if (load->revision == TN_R5)
		begin_load(load);
	else
		say(load,
		    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
		    "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
		    "\"name\":\"carrier_load\",\"version\":\"1\"}}}",
		    "initialize", TN_REVISION_NONE, request_mark);
}

static void message_came(void *data, void *request, unsigned status, struct tn_str json)
{
	struct load *load = data;

	if (load->show)
		(void)printf("%s %u %.*s\n", request ? "answer" : "message", status, (int)json.size,
			     json.data);
	/* A server that sends anything but answers is not measured, but looked at. */
	if (tn_str_find(json, TN_STR("\"method\":")) != TN_STR_NONE)
		return;
	if (!load->begun) {
		say(load, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
		    "notifications/initialized", load->revision, NULL);
		begin_load(load);
		return;
	}
	load->answers++;
	if (load->answers == load->wanted)
		tn_loop_stop(load->loop);
	else if (load->asked < load->wanted)
		ask(load);
}

static void ended(void *data, void *request, const struct tn_carrier_end *end)
{
	struct load *load = data;

	(void)request;
	load->ended++;
	/* After a good answer this comes as well. */
	if (end->status != 200 || end->code != TENON_INVALID)
		bench_die("a request ended: %s %u: %s", tenon_code_name(end->code), end->status,
			  end->err.message);
}

static void lost(void *data, const struct tenon_error *err)
{
	(void)data;
	bench_die("the carrier is lost: %s: %s", tenon_code_name(err->code), err->message);
}

static void closed(void *data)
{
	tn_loop_stop(((struct load *)data)->loop);
}

static const struct tn_carrier_events events = {
	.ready = ready,
	.message = message_came,
	.ended = ended,
	.lost = lost,
};

static void open_carrier(struct load *load, int argc, char **argv)
{
	const struct tn_url_target target = {.url = bench_option(argc, argv, "--url", ""),
					     .token = bench_option(argc, argv, "--token", NULL)};
	const struct tn_carrier_options options = {
		.loop = load->loop,
		.events = &events,
		.data = load,
		.plugin_folder = bench_option(argc, argv, "--plugins", NULL)};
	struct tenon_error err = {0};
	enum tenon_code code;

	if (strcmp(load->kind, "sse") == 0)
		code = tn_carrier_open_sse(&options, &target, &load->carrier, &err);
	else
		code = tn_carrier_open_http(&options, &target, &load->carrier, &err);
	if (code != TENON_OK)
		bench_die("%s", err.message);
}

int main(int argc, char **argv)
{
	struct load load = {
		.kind = bench_option(argc, argv, "--kind", "http"),
		.method = bench_option(argc, argv, "--method", "ping"),
		.params = bench_option(argc, argv, "--params", "{}"),
		.name = bench_option(argc, argv, "--name", NULL),
		.wanted = (size_t)bench_option_number(argc, argv, "--count", 20000),
		.in_flight = (size_t)bench_option_number(argc, argv, "--in-flight", 1),
		.feed = bench_option_number(argc, argv, "--feed", 0) != 0,
		.show = bench_option_number(argc, argv, "--show", 0) != 0,
		.revision = TN_R4,
	};
	struct tenon_error err = {0};
	double seconds;

	if (strcmp(load.kind, "modern") == 0)
		load.revision = TN_R5;
	bench_pin((int)bench_option_number(argc, argv, "--load-cpu", -1));
	tn_buf_init(&load.text, TN_MIB);
	if (tn_loop_create(&load.loop, &err) != TENON_OK)
		bench_die("%s", err.message);
	open_carrier(&load, argc, argv);
	tn_loop_run(load.loop);
	seconds = (double)(bench_now_ns() - load.start_ns) / 1e9;
	(void)printf("calls=%zu seconds=%.3f calls_per_s=%.0f\n", load.answers, seconds,
		     (double)load.answers / seconds);
	load.carrier->ops->close(load.carrier, closed, &load);
	tn_loop_run(load.loop);
	tn_loop_destroy(load.loop);
	tn_buf_finish(&load.text);
	return 0;
}
