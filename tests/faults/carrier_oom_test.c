/* Every allocation of the client's HTTP fails once, and from then on always: no crash, no leak, and
 * the carrier can always be closed. carrier_oom_test PLUGIN_FOLDER
 *
 * short_memory.c replaces base/mem.c in this program, and, as the program exports it, in the
 * plug-in: libcurl's own allocations fail, too. The server is a process of its own, whose
 * allocations never fail.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "client/carrier_test_kit.h"
#include "short_memory.h"

/* ---- the server ---- */

#define EVENTS "Content-Type: text/event-stream\r\n"
#define ANSWER "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define NOTICE "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}"

struct choice {
	const char *words;
	struct kit_reply reply;
};

/* The first whose words are in the request. */
static const struct choice choices[] = {
	{"DELETE /mcp", {.status = 204, .headers = ""}},
	{"Last-Event-ID: r",
	 {.status = 200,
	  .headers = EVENTS,
	  .body = "data: " ANSWER "\n\n",
	  .streams = true,
	  .cut = true}},
	{"Last-Event-ID: f", {.status = 200, .headers = EVENTS, .body = "", .streams = true}},
	{"GET /mcp",
	 {.status = 200,
	  .headers = EVENTS,
	  .body = "id: f\nretry: 1\ndata: " NOTICE "\n\n",
	  .streams = true,
	  .cut = true}},
	{"GET /sse",
	 {.status = 200,
	  .headers = EVENTS,
	  .body = "event: endpoint\ndata: /messages?s=1\n\ndata: " ANSWER "\n\n",
	  .streams = true}},
	{"\"notifications/", {.status = 202, .headers = ""}},
	{"POST /messages", {.status = 202, .headers = ""}},
	{"\"initialize\"",
	 {.status = 200,
	  .headers = "Content-Type: application/json\r\nMcp-Session-Id: s1\r\n",
	  .body = ANSWER}},
	{"\"stream\"",
	 {.status = 200,
	  .headers = EVENTS,
	  .body = "id: r\nretry: 1\ndata: " NOTICE "\n\n",
	  .streams = true,
	  .cut = true}},
	{"POST /moved", {.status = 307, .headers = "Location: /mcp\r\n"}},
	{"\"denied\"",
	 {.status = 401,
	  .headers = "WWW-Authenticate: Bearer resource_metadata=\"https://h/x\"\r\n",
	  .body = "{\"error\":{},\"id\":1}"}},
	{"", {.status = 200, .body = ANSWER}},
};

static const struct kit_reply *choose(const char *request)
{
	size_t i = 0;

	while (!strstr(request, choices[i].words))
		i++;
	return &choices[i].reply;
}

static struct {
	pid_t pid;
	char url[64];
} server;

static void serve(int tell_fd)
{
	struct kit kit;

	kit_open(&kit, NULL, 0);
	kit.choose = choose;
	if (write(tell_fd, &kit.port, sizeof(kit.port)) == (ssize_t)sizeof(kit.port))
		tn_loop_run(kit.loop);
	_exit(1);
}

/* The child makes its own loop: one that is shared loses what either takes out of it. */
static int start_server(void **state)
{
	uint16_t port;
	int ends[2];
	bool is_told;

	(void)state;
	if (pipe(ends) != 0)
		return -1;
	server.pid = fork();
	if (server.pid == 0)
		serve(ends[1]);
	is_told = server.pid > 0 && read(ends[0], &port, sizeof(port)) == (ssize_t)sizeof(port);
	(void)close(ends[0]);
	(void)close(ends[1]);
	(void)snprintf(server.url, sizeof(server.url), "http://127.0.0.1:%u", is_told ? port : 0u);
	return is_told ? 0 : -1;
}

static int stop_server(void **state)
{
	(void)state;
	(void)kill(server.pid, SIGKILL);
	return waitpid(server.pid, NULL, 0) == server.pid ? 0 : -1;
}

/* ---- the client ---- */

enum { PATIENCE_MS = 150, HANG_MS = 20000, CROWD = 100 };

enum kind { HTTP, SSE, MANY };

/* A whole conversation makes more; the carrier's own are a third of them. */
enum { HTTP_ALLOCATIONS_MIN = 600, SSE_ALLOCATIONS_MIN = 80 };

struct story {
	struct tn_loop *loop;
	struct tn_timer *timer; /* the story's patience, then ours */
	struct tn_carrier *carrier;
	bool is_sse, begun, closing, closed, hung;
	unsigned open; /* requests whose end is not told */
	bool is_many;
	int waits;                /* how often nothing had failed when patience was over */
	char requests[3 + CROWD]; /* their addresses stand for them */
};

static void end_story(struct story *story);

static void closed(void *data)
{
	struct story *story = data;

	story->carrier = NULL;
	story->closed = true;
	tn_loop_stop(story->loop);
}

static void end_story(struct story *story)
{
	if (story->closing)
		return;
	story->closing = true;
	tn_timer_start(story->timer, HANG_MS);
	story->carrier->ops->close(story->carrier, closed, story);
}

static void patience_over(struct tn_timer *timer, void *data)
{
	struct story *story = data;

	if (!story->closing && fault.nth && !fault.hit && story->waits++ < HANG_MS / PATIENCE_MS) {
		tn_timer_start(timer, PATIENCE_MS); /* a busy machine: nothing has failed yet */
		return;
	}
	if (!story->closing) {
		end_story(story);
		return;
	}
	story->hung = true;
	tn_loop_stop(story->loop);
}

static void send_text(struct story *story, const char *json, const char *method, void *request,
		      enum tn_revision revision)
{
	struct tn_outgoing message = {.json = tn_str_from(json),
				      .method = tn_str_from(method),
				      .revision = revision,
				      .request = request};

	story->open += request != NULL;
	story->carrier->ops->send(story->carrier, &message);
}

static void told_ready(void *data)
{
	struct story *story = data;

	send_text(story, "{\"method\":\"initialize\"}", "initialize", story, TN_REVISION_NONE);
}

static void told_message(void *data, void *request, unsigned status, struct tn_str json)
{
	struct story *story = data;

	(void)request;
	(void)status;
	if (story->is_sse && tn_str_is(json, ANSWER))
		end_story(story);
}

static void begin_talking(struct story *story)
{
	story->begun = true;
	send_text(story, "{\"method\":\"notifications/initialized\"}", "notifications/initialized",
		  NULL, TN_R4);
	story->carrier->ops->open_feed(story->carrier, TN_R4);
	send_text(story, "{\"json\":1}", "tools/call", &story->requests[0], TN_R4);
	send_text(story, "{\"stream\":1}", "tools/call", &story->requests[1], TN_R4);
	send_text(story, "{\"denied\":1}", "tools/call", &story->requests[2], TN_R5);
	for (int i = 0; story->is_many && i < CROWD; i++)
		send_text(story, "{\"json\":1}", "tools/call", &story->requests[3 + i], TN_R5);
}

static void told_ended(void *data, void *request, const struct tn_carrier_end *end)
{
	struct story *story = data;

	(void)request;
	assert_int_not_equal(end->code, TENON_OK);
	assert_int_equal(end->code, end->err.code);
	assert_true(story->open > 0);
	story->open--;
	if (!story->begun && end->status == 200 && !story->is_sse)
		begin_talking(story);
	else if (story->open == 0)
		end_story(story);
}

static void told_lost(void *data, const struct tenon_error *err)
{
	assert_int_not_equal(err->code, TENON_OK);
	end_story(data);
}

static const struct tn_carrier_events events = {
	.ready = told_ready,
	.message = told_message,
	.ended = told_ended,
	.lost = told_lost,
};

static void wait_a_moment(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

/* One conversation; `loop` and its timers are not part of what fails. */
static void play(struct tn_loop *loop, enum kind kind)
{
	bool is_sse = kind == SSE;
	struct story story = {.loop = loop, .is_sse = is_sse, .is_many = kind == MANY};
	const struct tn_carrier_options options = {.loop = loop,
						   .events = &events,
						   .data = &story,
						   .connect_timeout_ms = 2000,
						   .plugin_folder = kit_plugin_folder};
	char url[80];
	const struct tn_url_target target = {.url = url, .token = "secret"};
	struct tn_timer *moment;
	enum tenon_code code;

	(void)snprintf(url, sizeof(url), "%s%s", server.url, is_sse ? "/sse" : "/moved");
	assert_int_equal(tn_timer_open(loop, patience_over, &story, &story.timer, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(loop, wait_a_moment, loop, &moment, NULL), TENON_OK);
	fault.count = 0;
	fault.hit = false;
	fault.armed = true;
	code = is_sse ? tn_carrier_open_sse(&options, &target, &story.carrier, NULL)
		      : tn_carrier_open_http(&options, &target, &story.carrier, NULL);
	if (code == TENON_OK) {
		tn_timer_start(story.timer, fault.nth ? PATIENCE_MS : HANG_MS);
		tn_loop_run(loop);
	}
	fault.armed = false;
	assert_false(story.hung);
	assert_true(fault.hit ||
		    (story.open == 0 && story.closed)); /* nothing failed: all is told */
	assert_true(code != TENON_OK || story.closed);
	tn_timer_close(story.timer);
	tn_timer_start(moment, 1); /* closed handles are given back */
	tn_loop_run(loop);
	tn_timer_close(moment);
}

static void settle(struct tn_loop *loop)
{
	struct tn_timer *moment;

	assert_int_equal(tn_timer_open(loop, wait_a_moment, loop, &moment, NULL), TENON_OK);
	tn_timer_start(moment, 1);
	tn_loop_run(loop);
	tn_timer_close(moment);
}

static void fail_everywhere(enum kind kind, bool goes_on)
{
	unsigned long count, hits = 0, step;
	struct tn_loop *loop;
	long live;

	assert_int_equal(tn_loop_create(&loop, NULL), TENON_OK);
	fault.nth = 0;
	play(loop, kind); /* loads the plug-in, and fills libuv's tables */
	play(loop, kind);
	settle(loop);
	count = fault.count;
	assert_true(count > (kind == SSE ? SSE_ALLOCATIONS_MIN : HTTP_ALLOCATIONS_MIN));
	live = fault.live;
	fault.goes_on = goes_on;
	step = goes_on ? count / 50 + 1 : 1;
	for (unsigned long nth = 1; nth <= count; nth += step) {
		fault.nth = nth;
		play(loop, kind);
		settle(loop);
		hits += fault.hit;
		if (fault.live != live) /* with the last timer of settle, in both */
			fail_msg("%ld blocks are left after allocation %lu failed",
				 fault.live - live, nth);
	}
	fault.nth = 0;
	assert_true(hits >= count / step / 2);
	print_message("%lu of %lu allocations failed\n", hits, count);
	tn_loop_destroy(loop);
}

static void each_allocation_fails_once(void **state)
{
	(void)state;
	fail_everywhere(HTTP, false);
}

static void allocations_fail_from_then_on(void **state)
{
	(void)state;
	fail_everywhere(HTTP, true);
}

static void the_same_over_sse(void **state)
{
	(void)state;
	fail_everywhere(SSE, false);
	fail_everywhere(SSE, true);
}

/* Many requests are on their way when memory ends, all of them in need of the reserve. */
static void a_crowd_of_requests(void **state)
{
	(void)state;
	fail_everywhere(MANY, true);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails_once),
		cmocka_unit_test(allocations_fail_from_then_on),
		cmocka_unit_test(the_same_over_sse),
		cmocka_unit_test(a_crowd_of_requests),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: carrier_oom_test PLUGIN_FOLDER\n");
		return 64;
	}
	kit_plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
