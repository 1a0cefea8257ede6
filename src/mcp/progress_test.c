/* Progress and log lines of running calls (mcp.md sections 14.1 and 14.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/test_fixtures.h"

static void call_steps(struct test_peer *t, const char *token, int count, int gap_ms)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"steps\",\"arguments\":{\"count\":%d,\"gap\":%d}%s%s%s}}",
			 count, gap_ms, token ? ",\"_meta\":{\"progressToken\":" : "",
			 token ? token : "", token ? "}" : "");
}

static void expect_step(struct test_peer *t, const char *token, int step, int count,
			const char *message)
{
	test_expectf(t,
		     "{\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,"
		     "\"progress\":%d,\"total\":%d%s}}",
		     token, step, count, message);
}

static void expect_done(struct test_peer *t)
{
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
		       "\"done\"}]}}");
	test_expect_nothing(t);
}

static void test_tokens(void **state) /* MCP-165: same type; MCP-167: no message in R1 */
{
	static const char *const tokens[] = {"7", "\"7\"", "\"\"", "123456789012345678901234",
					     "\"a\\\"b\""};
	static const char *const revisions[] = {"2024-11-05", "2025-03-26", "2025-11-25"};
	struct test_peer *t = *state;

	for (size_t r = 0; r < TN_COUNT(revisions); r++) {
		test_initialize(t, revisions[r], NULL);
		for (size_t i = 0; i < TN_COUNT(tokens); i++) {
			call_steps(t, tokens[i], 3, 0);
			for (int step = 1; step <= 3; step++) /* none goes back */
				expect_step(t, tokens[i], step, 3,
					    r ? ",\"message\":\"step\"" : "");
			expect_done(t);
		}
		test_reconnect(t);
	}
}

static void test_no_token(void **state) /* MCP-166 */
{
	static const char *const tokens[] = {NULL, "null", "1.5", "[1]", "{}", "true"};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < TN_COUNT(tokens); i++) {
		call_steps(t, tokens[i], 3, 0);
		expect_done(t);
	}
}

static void test_modern_progress(void **state)
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "tools/call", "\"name\":\"steps\",\"arguments\":{\"count\":1}",
			  NULL, "\"progressToken\":\"p\"");
	expect_step(t, "\"p\"", 1, 1, ",\"message\":\"step\"");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_expect_nothing(t);
}

/* Counts the progress messages up to the answer and looks at their order; returns the last value.
 */
static double count_progress(struct test_peer *t, unsigned *ret_count)
{
	double last = -1;

	*ret_count = 0;
	for (const char *json = test_next(t); json; json = test_next(t)) {
		const char *at = strstr(json, "\"progress\":");
		double value;

		if (!at) {
			assert_non_null(strstr(json, "\"done\""));
			test_expect_nothing(t); /* nothing after the answer */
			return last;
		}
		value = strtod(at + strlen("\"progress\":"), NULL);
		assert_true(value > last); /* MCP-165 */
		last = value;
		++*ret_count;
	}
	fail_msg("no answer");
	return 0;
}

static void test_rate(void **state) /* MCP-167 */
{
	static const struct {
		int count, gap_ms;
		unsigned least, most;
	} cases[] = {
		{10, 0, 10, 10},      /* the first ten go out at once */
		{1000, 0, 11, 11},    /* then nothing but the last */
		{1000, 10, 109, 111}, /* ten seconds: ten and ten a second and the last */
		{100, 100, 100, 100}, /* slow enough */
	};
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		unsigned count;

		call_steps(t, "1", cases[i].count, cases[i].gap_ms);
		assert_true(count_progress(t, &count) == cases[i].count); /* the final value */
		assert_in_range(count, cases[i].least, cases[i].most);
	}
}

static void chatty(struct tenon_call *call, void *data)
{
	static const char *const messages[] = {"a", "a longer message than the one before", "ab"};

	(void)data;
	for (unsigned i = 0; i < 300000; i++)
		tenon_call_progress(call, i, 0, messages[i % 3]);
	tenon_call_progress(call, NAN, 0, "x");
	tenon_call_progress(call, INFINITY, 0, "x");
	tenon_call_progress(call, 300001, INFINITY, "last");
	assert_true(call->arena.total < 64 * TN_KIB); /* no growth with the number of reports */
	tenon_call_reply_text(call, "done");
}

static void test_held_memory(void **state) /* MCP-167, MCP-292 */
{
	static const struct tenon_tool tool = {.name = "chatty", .call = chatty};
	struct test_peer *t = *state;
	unsigned count;

	test_add_tools(t, &tool, 1);
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"chatty\",\"_meta\":{\"progressToken\":1}}}");
	assert_true(count_progress(t, &count) == 300001);
	assert_int_equal(count, 11);
}

static void lines(struct tenon_call *call, void *data)
{
	char meta[64];

	(void)data;
	for (unsigned i = 1; i <= 1000; i++) {
		(void)snprintf(meta, sizeof(meta), "\"line\":\"line %u\",\"stream\":\"stdout\"", i);
		tn_call_progress_each(call, i, "line", tn_str_from(meta));
	}
	tn_call_progress_each(call, 1000, "again", tn_str("", 0)); /* MCP-165 */
	tn_call_progress_each(call, NAN, "no number", tn_str("", 0));
	assert_true(tn_call_is_backlogged(call) == false);
	tenon_call_reply_text(call, "done");
}

static void test_every_line(void **state) /* studio.md ST-086: none is left out */
{
	static const char *const revisions[] = {"2024-11-05", "2025-03-26", "2025-11-25"};
	static const struct tenon_tool tool = {.name = "lines", .call = lines};
	struct test_peer *t = *state;

	test_add_tools(t, &tool, 1);
	for (size_t r = 0; r < TN_COUNT(revisions); r++) {
		test_initialize(t, revisions[r], NULL);
		(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"lines\",\"_meta\":{\"progressToken\":"
				   "\"p\"}}}");
		for (unsigned i = 1; i <= 1000; i++)
			test_expectf(t,
				     r ? "{\"method\":\"notifications/progress\",\"params\":{"
					 "\"progressToken\":\"p\",\"progress\":%u,\"message\":"
					 "\"line\",\"_meta\":{\"line\":\"line %u\",\"stream\":"
					 "\"stdout\"}}}"
				       : "{\"method\":\"notifications/progress\",\"params\":{"
					 "\"progressToken\":\"p\",\"progress\":%u}}",
				     i, i);
		expect_done(t);
		test_reconnect(t);
	}
}

static void late_progress(struct tenon_call *call, void *data)
{
	tenon_call_progress(call, 1, 0, NULL);
	test_finish_held(data, 0, "done");
	tenon_call_progress(call, 2, 0, NULL);
}

static void early(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	t->held[t->held_count++] = call;
	late_progress(call, data);
}

static void test_after_answer(void **state) /* MCP-165: nothing after the response */
{
	static const struct tenon_tool tool = {.name = "early", .call = early};
	struct test_peer *t = *state;
	unsigned count;

	test_add_tools(t, &tool, 1);
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"early\",\"_meta\":{\"progressToken\":1}}}");
	assert_true(count_progress(t, &count) == 1);
}

/* ---- log lines ---- */

static const char *const levels[] = {"debug", "info",     "notice", "warning",
				     "error", "critical", "alert",  "emergency"};

static void expect_lines(struct test_peer *t, size_t from)
{
	for (size_t i = from; i < TN_COUNT(levels); i++)
		test_expectf(t,
			     "{\"method\":\"notifications/message\",\"params\":{\"level\":\"%s\",%s"
			     "\"data\":\"line\\nwith a break\"}}",
			     levels[i], i == 4 ? "\"logger\":\"unit\"," : "");
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	test_expect_nothing(t);
}

static void test_legacy_levels(void **state) /* MCP-177, MCP-178, MCP-180 */
{
	struct test_peer *t = *state;
	static const char call[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
				   "\"params\":{\"name\":\"logs\"}}";

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, call);
	expect_lines(t, 3); /* warnings, until the client chooses */
	for (size_t i = 0; i < TN_COUNT(levels); i++) {
		(void)test_sendf(t,
				 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\","
				 "\"params\":{\"level\":\"%s\"}}",
				 levels[i]);
		test_expect(t, "{\"id\":2,\"result\":{}}");
		(void)test_send(t, call);
		expect_lines(t, i);
	}
}

static void test_level_of_running_call(void **state) /* MCP-178: the session's, from now on */
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			   "\"name\":\"hold\"}}");
	tenon_call_log(t->held[0], TENON_LOG_DEBUG, NULL, "unheard");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\","
			   "\"params\":{\"level\":\"debug\"}}");
	test_expect(t, "{\"id\":2,\"result\":{}}");
	tenon_call_log(t->held[0], TENON_LOG_DEBUG, NULL, "heard");
	test_expect(t, "{\"method\":\"notifications/message\",\"params\":{\"level\":\"debug\","
		       "\"data\":\"heard\"}}");
}

static void test_modern_levels(void **state) /* MCP-179, MCP-155 */
{
	struct test_peer *t = *state;
	const struct test_exchange *listener, *x;

	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\","
			   "\"params\":{\"level\":\"debug\"}}");
	test_expect(t, "{\"id\":2,\"result\":{}}");
	listener = test_modern(t, "9", "subscriptions/listen",
			       "\"notifications\":{\"toolsListChanged\":true}", NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"...\":0}");
	(void)test_modern(t, "1", "tools/call", "\"name\":\"logs\"", NULL, NULL);
	expect_lines(t, TN_COUNT(levels)); /* none without the key, whatever the session says */
	for (size_t i = 0; i < TN_COUNT(levels); i++) {
		char meta[64];

		(void)snprintf(meta, sizeof(meta), "\"io.modelcontextprotocol/logLevel\":\"%s\"",
			       levels[i]);
		x = test_modern(t, "1", "tools/call", "\"name\":\"logs\"", NULL, meta);
		assert_int_equal(x->notices, TN_COUNT(levels) - i); /* on its own stream */
		expect_lines(t, i);
	}
	assert_int_equal(listener->notices, 1);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"logs\"", NULL,
			  "\"io.modelcontextprotocol/logLevel\":\"loud\"");
	test_expect_error(t, "1", -32602, "logLevel");
	(void)test_modern(t, "1", "tools/call", "\"name\":\"logs\"", NULL,
			  "\"io.modelcontextprotocol/logLevel\":3");
	test_expect_error(t, "1", -32602, "logLevel");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, test_peer_setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tokens),
		TEST(test_no_token),
		TEST(test_modern_progress),
		TEST(test_rate),
		TEST(test_held_memory),
		TEST(test_every_line),
		TEST(test_after_answer),
		TEST(test_legacy_levels),
		TEST(test_level_of_running_call),
		TEST(test_modern_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
