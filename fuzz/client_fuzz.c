/* client_fuzz.c - a server's bytes into the client's conversation: nothing is leaked or used after
 * its end, every request of the program ends once, and what we send is one line of valid JSON.
 *
 * The first byte chooses the era (0: modern, 1: legacy, 2: the handshake is fuzzed, too); then
 * follow lines of the server's. A line that begins with "!" is what the program does: see deeds. A
 * "$" is the id of our newest request. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "client/client.h"
#include "jsonrpc/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINES_MAX = 100, LINE_BYTES_MAX = 64 * 1024 };

struct world {
	struct tenon_client *client;
	struct tn_carrier carrier;
	struct tn_later *later;
	struct tn_loop *loop;
	char id[32];
	const struct tn_carrier_events *events;
	void *events_data;
	bool is_ready, is_open;
	int started, ended;
	struct tenon_request *last;
	struct tenon_question *held;
};

static const char modern[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"
	"\"capabilities\":{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},"
	"\"prompts\":{}}}}";
static const char legacy[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\","
	"\"capabilities\":{\"tools\":{},\"resources\":{\"subscribe\":true},\"tasks\":{\"requests\":"
	"{\"tools\":{\"call\":{}}}}}}}";

/* ---- the clock ----
 *
 * Nobody waits here: what is asked of the C library's monotonic clock is answered by the kernel's
 * time and what was skipped. */

static uint64_t skipped_ms;

int clock_gettime(clockid_t which, struct timespec *ret)
{
	int status = (int)syscall(SYS_clock_gettime, which, ret);

	if (status == 0 && (which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_COARSE))
		ret->tv_sec += (time_t)(skipped_ms / 1000); /* whole seconds: no carry */
	return status;
}

static void skip_second(struct world *w)
{
	skipped_ms += 1000;
	tenon_client_run_for(w->client, 0);
}

/* ---- the carrier ---- */

static void check(bool good)
{
	if (!good)
		abort();
}

static void sent(struct tn_carrier *carrier, const struct tn_outgoing *message)
{
	struct world *w = carrier->data;
	struct tn_json *json = NULL;
	struct tn_arena arena;
	int64_t id;

	tn_arena_init(&arena, 64 * TN_MIB);
	check(tn_str_find_byte(message->json, '\n') == TN_STR_NONE);
	check(tn_json_parse_copy(&arena, message->json, &json, NULL) == TENON_OK);
	if (message->request && tn_json_to_int(tn_json_get(json, "id"), &id))
		(void)snprintf(w->id, sizeof(w->id), "%lld", (long long)id);
	tn_arena_finish(&arena);
}

static void forget(struct tn_carrier *carrier, void *request)
{
	(void)carrier;
	(void)request;
}

static void shut(struct world *w)
{
	w->is_open = false;
	tn_later_close(w->later);
	w->later = NULL;
}

static void aborted(struct tn_carrier *carrier)
{
	shut(carrier->data);
}

struct farewell {
	void (*closed)(void *data);
	void *data;
	struct tn_later *later;
};

static void say_closed(struct tn_later *later, void *data)
{
	struct farewell farewell = *(struct farewell *)data;

	tn_later_close(later);
	tn_mem_free(data);
	farewell.closed(farewell.data);
}

static void closing(struct tn_carrier *carrier, void (*closed)(void *data), void *data)
{
	struct world *w = carrier->data;
	struct farewell *farewell = tn_mem_alloc(sizeof(*farewell));

	check(farewell != NULL);
	farewell->closed = closed;
	farewell->data = data;
	check(tn_later_open(w->loop, say_closed, farewell, &farewell->later, NULL) == TENON_OK);
	tn_later_request(farewell->later);
	shut(w);
}

static const struct tn_carrier_ops ops = {
	.send = sent, .forget = forget, .close = closing, .abort = aborted};

static void get_ready(struct tn_later *later, void *data)
{
	struct world *w = data;

	(void)later;
	w->events->ready(w->events_data);
	w->is_ready = true;
}

static enum tenon_code open_carrier(void *data, const struct tn_carrier_options *options,
				    struct tn_carrier **ret, struct tenon_error *err)
{
	struct world *w = data;

	w->loop = options->loop;
	w->events = options->events;
	w->events_data = options->data;
	w->carrier = (struct tn_carrier){&ops, options->events, w, TN_CARRIER_STREAM, "fuzz"};
	w->is_open = true;
	check(tn_later_open(options->loop, get_ready, w, &w->later, err) == TENON_OK);
	tn_later_request(w->later);
	*ret = &w->carrier;
	return TENON_OK;
}

/* ---- the program ---- */

static void done(struct tenon_request *request, const struct tenon_outcome *outcome, void *data)
{
	struct world *w = data;

	check(outcome->code == TENON_OK ? outcome->result != NULL : outcome->err.message[0] != 0);
	w->ended++;
	if (w->last == request)
		w->last = NULL;
}

static void ask(struct tenon_question *question, void *data)
{
	struct world *w = data;
	struct tenon_error err;

	if (!w->held)
		w->held = question;
	else if (tenon_question_accept(question, NULL, &err) != TENON_OK)
		tenon_question_decline(question);
}

static void sample(struct tenon_question *question, void *data)
{
	(void)data;
	tenon_question_refuse(question, -1, "no");
}

static void changed(enum tenon_change change, const char *uri, void *data)
{
	(void)change;
	(void)data;
	check(!uri || strlen(uri) < LINE_BYTES_MAX);
}

static void log_line(const char *level, const char *logger, const char *json, void *data)
{
	(void)logger;
	(void)data;
	check(level && json);
}

static void progress(struct tenon_request *request, double value, double total, const char *message,
		     void *data)
{
	(void)value;
	(void)total;
	(void)message;
	(void)data;
	(void)request;
}

static void begin(struct world *w, struct tenon_request *request)
{
	if (!request)
		return;
	w->last = request;
	w->started++;
}

static void deed(struct world *w, char which)
{
	struct tenon_request_options options = {
		.done = done, .progress = progress, .data = w, .as_task = true};
	struct tenon_error err;

	switch (which) {
	case 'c':
		begin(w, tenon_client_call(w->client, "t", NULL, &options, &err));
		break;
	case 'l':
		begin(w, tenon_client_list(w->client, TENON_LIST_TOOLS, &options, &err));
		break;
	case 'r':
		begin(w, tenon_client_read(w->client, "x:1", &options, &err));
		break;
	case 'x':
		if (w->last)
			tenon_request_cancel(w->last);
		w->last = NULL;
		break;
	case 'w':
		(void)tenon_client_watch(w->client, "x:1", &err);
		break;
	case 'u':
		tenon_client_unwatch(w->client, "x:1");
		break;
	case 'a':
		if (w->held)
			tenon_question_cancel(w->held);
		w->held = NULL;
		break;
	case 't':
		skip_second(w); /* a poll, or the next attempt */
		break;
	default:
		break;
	}
}

/* ---- the server ---- */

static void deliver(struct world *w, struct tn_str line)
{
	struct tn_buf text;

	tn_buf_init(&text, 2 * LINE_BYTES_MAX);
	for (size_t i = 0; i < line.size; i++) {
		if (line.data[i] == '$')
			tn_buf_append_text(&text, w->id);
		else
			tn_buf_append_byte(&text, line.data[i]);
	}
	if (w->is_open && w->is_ready && text.size)
		w->events->message(w->events_data, NULL, 0, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void play(struct world *w, struct tn_str rest)
{
	for (int i = 0; rest.size && i < LINES_MAX; i++) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);

		rest = tn_str_from_offset(rest, line.size + 1);
		if (line.size > LINE_BYTES_MAX)
			continue;
		if (line.size >= 2 && line.data[0] == '!')
			deed(w, line.data[1]);
		else
			deliver(w, line);
		tenon_client_run_for(w->client, 0);
	}
}

static void connected(struct tenon_client *client, const struct tenon_error *err, void *data)
{
	(void)client;
	(void)err;
	(void)data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world w = {.id = "0"};
	struct tenon_client_options options = {.name = "fuzz",
					       .version = "1",
					       .url = "unix:/nowhere",
					       .no_reconnect = true,
					       .handlers = {.elicit = ask,
							    .elicits_urls = true,
							    .sample = sample,
							    .changed = changed,
							    .log = log_line,
							    .data = &w}};
	int kind = size ? data[0] % 3 : 0;
	struct tenon_error err;

	if (size == 0)
		return 0;
	options.mode = kind == 1 ? TENON_MODE_LEGACY : TENON_MODE_AUTO;
	check(tenon_client_create(&options, &w.client, &err) == TENON_OK);
	w.client->open_carrier = open_carrier;
	w.client->open_data = &w;
	check(tenon_client_set_roots(w.client, "[{\"uri\":\"file:///\"}]", &err) == TENON_OK);
	tenon_client_start(w.client, connected, NULL);
	for (int i = 0; i < 10 && !w.is_ready; i++)
		tenon_client_run_for(w.client, 0);
	check(w.is_ready);
	if (kind != 2)
		deliver(&w, kind == 0 ? tn_str_from(modern) : tn_str_from(legacy));
	tenon_client_run_for(w.client, 0);
	play(&w, tn_str((const char *)data + 1, size - 1));
	check(w.ended <= w.started);
	tenon_client_destroy(w.client);
	check(!w.is_open && !w.later);
	return 0;
}
