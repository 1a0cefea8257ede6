/* http_transport.c - our HTTP server with a handler that does nothing: what the transport alone
 * costs against http_raw_reference.
 *
 *     http_transport [--body BYTES] [--sse 1]   the size of each answer, 128 unless told; as events
 *
 * Prints "listening on http://127.0.0.1:PORT/mcp" on standard error, and its processor time a call
 * when SIGTERM ends it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"
#include "transport/http.h"

struct fixed {
	struct tn_loop *loop;
	struct tn_str body;
	bool sse;
	size_t calls;
};

static void request(struct tn_http_exchange *exchange, void *data)
{
	struct fixed *fixed = data;
	const struct tn_http_event event = {
		.name = TN_STR("message"), .data = &fixed->body, .data_count = 1};
	const struct tn_http_reply reply = {.status = 200,
					    .type = TN_STR("application/json"),
					    .parts = &fixed->body,
					    .part_count = 1};

	fixed->calls++;
	if (!fixed->sse)
		tn_http_respond(exchange, &reply);
	else if (tn_http_sse_begin(exchange, NULL, 0))
		tn_http_stream_end(exchange, &event);
}

static void closed(struct tn_http_exchange *exchange, void *data)
{
	(void)exchange;
	(void)data;
}

static void stop(struct tn_signal *signal, int number, void *data)
{
	struct fixed *fixed = data;

	(void)signal;
	(void)number;
	tn_loop_stop(fixed->loop);
}

int main(int argc, char **argv)
{
	static const struct tn_http_handler handler = {.request = request, .closed = closed};
	const size_t body = (size_t)bench_option_number(argc, argv, "--body", 128);
	struct fixed fixed = {.sse = bench_option_number(argc, argv, "--sse", 0) != 0};
	const struct tn_http_options options = {
		.address = "127.0.0.1",
		.port = (uint16_t)bench_option_number(argc, argv, "--port", 0),
		.handler = &handler,
		.data = &fixed,
	};
	struct tn_http_server *server = NULL;
	struct tn_signal *signal = NULL;
	struct tenon_error err;
	struct rusage usage;

	fixed.body = tn_str(memset(bench_memory(body), 'x', body), body);
	if (tn_loop_create(&fixed.loop, &err) != TENON_OK ||
	    tn_signal_open(fixed.loop, SIGTERM, stop, &fixed, &signal, &err) != TENON_OK ||
	    tn_http_server_open(fixed.loop, &options, &server, &err) != TENON_OK)
		bench_die("%s", err.message);
	(void)fprintf(stderr, "listening on http://127.0.0.1:%u/mcp\n",
		      tn_http_server_port(server));
	tn_loop_run(fixed.loop);
	tn_http_server_close(server);
	tn_signal_close(signal);
	tn_loop_destroy(fixed.loop);
	(void)getrusage(RUSAGE_SELF, &usage);
	(void)fprintf(stderr, "transport: %zu calls, %.3f us of processor time each\n", fixed.calls,
		      fixed.calls ? ((double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
				     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)) /
					    (double)fixed.calls
				  : 0.0);
	return 0;
}
