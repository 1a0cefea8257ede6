/* Counters, histograms, and what /metrics says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "host/limits.h"
#include "host/record/metrics.h"
#include "host/daemon/metrics_page.h"
#include "mcp/test_fixtures.h"

struct world {
	struct test_peer *t;
	struct tn_daemon daemon;
	struct tn_buf text;
};

static int set_up(void **state)
{
	struct world *w = tn_mem_alloc(sizeof(*w));
	void *peer = NULL;

	assert_non_null(w);
	assert_int_equal(test_peer_setup(&peer), 0);
	w->t = peer;
	w->daemon.server = w->t->server;
	w->daemon.started_wall_ms = 1800000000000;
	assert_int_equal(tn_metrics_open(w->t->server, &w->daemon.metrics, NULL), TENON_OK);
	tn_buf_init(&w->text, TN_METRICS_BYTES_MAX);
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	tn_metrics_close(w->daemon.metrics);
	test_peer_destroy(w->t);
	tn_buf_finish(&w->text);
	tn_mem_free(w);
	return 0;
}

static void call(struct world *w, const char *tool)
{
	char params[256];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\",\"arguments\":{\"text\":\"x\"}",
		       tool);
	(void)test_modern(w->t, "1", "tools/call", params, NULL, NULL);
	assert_non_null(test_next(w->t));
}

static const char *page(struct world *w)
{
	tn_buf_clear(&w->text);
	tn_metrics_write(&w->daemon, &w->text);
	tn_buf_append_byte(&w->text, '\0');
	assert_false(w->text.failed);
	return w->text.data;
}

static void expect_line(struct world *w, const char *line)
{
	char whole[512];

	(void)snprintf(whole, sizeof(whole), "\n%s\n", line);
	if (!strstr(page(w), whole))
		fail_msg("no line %s in\n%s", line, w->text.data);
}

/* ---- histograms ---- */

static void test_histogram(void **state)
{
	struct tn_histogram h = {0};

	(void)state;
	assert_true(tn_histogram_ms(&h, 0.5) == 0);
	tn_histogram_add(&h, 0);
	tn_histogram_add(&h, 10);
	tn_histogram_add(&h, 11);
	assert_int_equal(h.buckets[0], 2);
	assert_int_equal(h.buckets[1], 1);
	tn_histogram_add(&h, 60000000);
	assert_int_equal(h.buckets[TN_HISTOGRAM_BUCKETS - 1], 1);
	assert_int_equal(h.max_us, 60000000);
	assert_int_equal(h.sum_us, 60000021);
	assert_true(tn_histogram_ms(&h, 1) == 60000);
	for (size_t i = 1; i < TN_COUNT(tn_histogram_bounds); i++)
		assert_true(tn_histogram_bounds[i].us > tn_histogram_bounds[i - 1].us);
	for (size_t i = 0; i + 1 < TN_COUNT(tn_histogram_bounds); i++) {
		double text = strtod(tn_histogram_bounds[i].seconds, NULL) * 1e6;

		assert_true(text > (double)tn_histogram_bounds[i].us - 0.001 &&
			    text < (double)tn_histogram_bounds[i].us + 0.001);
	}
}

/* Estimates lie in the bucket of the true value, and never above the largest. */
static void test_quantiles(void **state)
{
	struct tn_histogram h = {0};

	(void)state;
	for (unsigned i = 1; i <= 1000; i++)
		tn_histogram_add(&h, i * 10); /* 0.01 to 10 ms */
	assert_true(tn_histogram_ms(&h, 0.5) >= 2 && tn_histogram_ms(&h, 0.5) <= 5.001);
	assert_true(tn_histogram_ms(&h, 0.99) >= 9 && tn_histogram_ms(&h, 0.99) <= 10);
	assert_true(tn_histogram_ms(&h, 0.5) <= tn_histogram_ms(&h, 0.9));
	memset(&h, 0, sizeof(h));
	for (unsigned i = 0; i < 10; i++)
		tn_histogram_add(&h, 70);
	assert_true(tn_histogram_ms(&h, 0.99) <= 0.07);
}

/* ---- counting ---- */

static void test_counts(void **state)
{
	struct world *w = *state;
	struct tn_metrics *m = w->daemon.metrics;

	call(w, "echo");
	call(w, "echo");
	call(w, "fails");
	assert_int_equal(m->calls, 3);
	assert_int_equal(m->errors, 1);
	assert_string_equal(m->tools.first->name, "echo");
	assert_int_equal(m->tools.first->took.count, 2);
	assert_int_equal(m->tools.first->last_wall_ms, w->t->now_ms + 1800000000000);
	expect_line(w, "tenon_requests_total{method=\"tools/call\",outcome=\"ok\"} 2");
	expect_line(w, "tenon_requests_total{method=\"tools/call\",outcome=\"tool_error\"} 1");
	expect_line(w, "tenon_tool_calls_total{tool=\"echo\",app=\"\",outcome=\"ok\"} 2");
	expect_line(w, "tenon_tool_call_duration_seconds_count{tool=\"echo\",app=\"\"} 2");
	expect_line(
		w, "tenon_tool_call_duration_seconds_bucket{tool=\"echo\",app=\"\",le=\"+Inf\"} 2");
	expect_line(w, "tenon_requests_in_flight 0");
	expect_line(w, "tenon_handles 0");
	expect_line(w, "tenon_approvals_pending 0");
	expect_line(w, "tenon_audit_lost_total 0");
	expect_line(w, "tenon_clients{transport=\"stdio\"} 1");
	expect_line(w, "tenon_build_info{version=\"" TENON_VERSION "\"} 1");
	expect_line(w, "process_start_time_seconds 1800000000.000000");
	expect_line(w, "tenon_uptime_seconds 1000.000000");
}

/* What clients make up is no label. */
static void test_unknown_names(void **state)
{
	struct world *w = *state;

	call(w, "no_such\\\"tool");
	(void)test_modern(w->t, "1", "made/up", "", NULL, NULL);
	(void)test_next(w->t);
	assert_null(w->daemon.metrics->tools.first);
	assert_null(strstr(page(w), "no_such"));
	assert_null(strstr(w->text.data, "made/up"));
	expect_line(w, "tenon_requests_total{method=\"other\",outcome=\"error\"} 1");
	expect_line(w, "tenon_requests_total{method=\"tools/call\",outcome=\"error\"} 1");
}

static void test_many_tools(void **state)
{
	struct world *w = *state;
	char name[32];
	struct tn_metrics *m = w->daemon.metrics;

	test_add_many_tools(w->t, "more", TN_METRICS_TOOLS_MAX + 3);
	for (unsigned i = 0; i < TN_METRICS_TOOLS_MAX + 3; i++) {
		(void)snprintf(name, sizeof(name), "more-%04u", i);
		call(w, name);
	}
	assert_int_equal(m->tools.by_name.used, TN_METRICS_TOOLS_MAX);
	assert_int_equal(m->tools.other.took.count, 3);
	expect_line(w, "tenon_tool_call_duration_seconds_count{tool=\"other\",app=\"\"} 3");
	call(w, "more-0001");
	assert_int_equal(m->tools.other.took.count, 3);
	assert_int_equal(m->calls, TN_METRICS_TOOLS_MAX + 4);
}

/* The dashboard does not show that it is looked at. */
static void test_quiet(void **state)
{
	struct world *w = *state;

	(void)test_modern(w->t, "1", "resources/read", "\"uri\":\"tenon://status\"", NULL, NULL);
	(void)test_next(w->t);
	(void)test_modern(w->t, "2", "subscriptions/listen", "\"notifications\":{}", NULL, NULL);
	(void)test_next(w->t);
	assert_int_equal(w->daemon.metrics->calls, 0);
	expect_line(w, "tenon_requests_total{method=\"resources/read\",outcome=\"error\"} 1");
	expect_line(
		w, "tenon_requests_total{method=\"subscriptions/listen\",outcome=\"listening\"} 1");
	assert_null(strstr(w->text.data, "seconds_count{method=\"subscriptions/listen\"}"));
	(void)test_modern(w->t, "3", "resources/read", "\"uri\":\"test://text\"", NULL, NULL);
	(void)test_next(w->t);
	assert_int_equal(w->daemon.metrics->calls, 1);
}

static void test_seconds(void **state)
{
	struct world *w = *state;
	uint32_t seconds[TN_METRICS_SECONDS];

	call(w, "echo");
	call(w, "echo");
	tn_metrics_seconds(w->daemon.metrics, seconds);
	assert_int_equal(seconds[59], 0); /* the second is not over */
	test_turn_clock(w->t, 1000);
	call(w, "echo");
	test_turn_clock(w->t, 2000);
	tn_metrics_seconds(w->daemon.metrics, seconds);
	assert_int_equal(seconds[59], 0);
	assert_int_equal(seconds[58], 1);
	assert_int_equal(seconds[57], 2);
	assert_int_equal(seconds[56], 0);
	test_turn_clock(w->t, 57000);
	tn_metrics_seconds(w->daemon.metrics, seconds);
	assert_int_equal(seconds[0], 2);
	assert_int_equal(seconds[1], 1);
	test_turn_clock(w->t, 1000);
	tn_metrics_seconds(w->daemon.metrics, seconds);
	assert_int_equal(seconds[0], 1);
	test_turn_clock(w->t, 1000000);
	tn_metrics_seconds(w->daemon.metrics, seconds);
	for (size_t i = 0; i < TN_COUNT(seconds); i++)
		assert_int_equal(seconds[i], 0);
}

static void test_in_flight(void **state)
{
	struct world *w = *state;

	(void)test_modern(w->t, "1", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	(void)test_modern(w->t, "2", "tools/call", "\"name\":\"hold_deaf\"", NULL, NULL);
	assert_int_equal(tn_metrics_in_flight(w->t->server), 2);
	test_reconnect(w->t); /* one handler does not hear that nobody waits */
	assert_int_equal(tn_metrics_in_flight(w->t->server), 1);
	test_finish_held(w->t, 1, "late");
	assert_int_equal(tn_metrics_in_flight(w->t->server), 0);
	assert_int_equal(w->daemon.metrics->connections, 1);
	expect_line(w, "tenon_connections_total 1");
	assert_true(tn_metrics_memory_bytes() > 100 * TN_KIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_unknown_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_tools, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_quiet, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_seconds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_flight, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
