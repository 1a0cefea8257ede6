/* A person who names what is to be done approves it by that (studio-canvas.md SC-022), nobody else
 * does, and what programs draw of a question goes with it for as long as it is open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/test_fixtures.h"

struct fixture {
	struct test_peer *t; /* first */
	bool is_named;
	const char *data, *consent;
	unsigned runs;
};

static struct fixture fixture;

static void apply(struct tenon_call *call, void *data)
{
	struct fixture *f = data;
	const struct tenon_act act = {.kind = "apply",
				      .summary = "Apply",
				      .exactly = "plan 1",
				      .exactly_size = 6,
				      .data = f->data,
				      .is_named = f->is_named};

	if (!tenon_call_consent(call, &act))
		return;
	f->consent = call->consent ? call->consent : "nobody";
	f->runs++;
	tenon_call_reply_text(call, "applied");
}

static enum tenon_code ask(void *data, const struct tn_consent_claim *claim,
			   void (*done)(void *done_data, const struct tenon_error *why),
			   void *done_data, void **ret_asking, struct tenon_error *err)
{
	(void)data;
	(void)claim;
	(void)done;
	(void)done_data;
	(void)ret_asking;
	return tn_fail(err, TENON_DENIED, "nobody is there");
}

static void cancel(void *asking)
{
	(void)asking;
}

static int setup(void **state)
{
	static const struct tenon_tool tool = {
		.name = "apply", .flags = TENON_ASKS_CONSENT, .call = apply, .data = &fixture};
	struct tenon_error err;
	void *t;

	if (test_peer_setup(&t) != 0)
		return -1;
	fixture = (struct fixture){.t = t, .is_named = true};
	test_add_tools(fixture.t, &tool, 1);
	tn_timer_stop(fixture.t->server->list_timer);
	fixture.t->server->dirty = 0;
	assert_int_equal(tn_consent_open(fixture.t->server, NULL, &err), TENON_OK);
	test_initialize(fixture.t, "2025-11-25", "{}");
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	void *t = ((struct fixture *)*state)->t;

	return test_peer_teardown(&t);
}

static void set_policy(const struct fixture *f, const char *text)
{
	struct tenon_error err;

	if (tn_consent_set_policy(f->t->server, text, &err) != TENON_OK)
		fail_msg("%s", err.message);
}

static void call(struct fixture *f, int id, bool person)
{
	f->t->peer->person = person;
	(void)test_sendf(f->t,
			 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"apply\"}}",
			 id);
}

static void expect_ran(struct fixture *f, int id, const char *consent)
{
	test_expectf(
		f->t,
		"{\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"applied\"}],"
		"\"...\":0}}",
		id);
	assert_string_equal(f->consent, consent);
}

static void expect_fault(struct fixture *f, int id, const char *code)
{
	test_expectf(f->t,
		     "{\"id\":%d,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
		     "\"error\":\"%s\",\"...\":0},\"isError\":true,\"...\":0}}",
		     id, code);
}

#define ASKED "{\"rules\":[{\"person\":true,\"act\":\"apply\",\"action\":\"confirm\"}]}"

static void persons(void **state)
{
	struct fixture *f = *state;

	call(f, 1, true);
	expect_ran(f, 1, "page");
	set_policy(f, ASKED);
	call(f, 2, true);
	expect_ran(f, 2, "page");
	assert_int_equal(tn_consent_pending(f->t->server), 0);
	set_policy(f, "{\"rules\":[{\"act\":\"apply\",\"action\":\"deny\"}]}");
	call(f, 3, true);
	expect_fault(f, 3, "DENIED_BY_POLICY");
	set_policy(f, "{\"default\":\"deny\"}");
	call(f, 4, true);
	expect_fault(f, 4, "DENIED_BY_POLICY");
	assert_int_equal(f->runs, 2);
}

/* Only what is named; and nothing a client says makes it a person. */
static void others(void **state)
{
	struct fixture *f = *state;

	call(f, 1, false);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	set_policy(f, ASKED);
	f->is_named = false;
	call(f, 2, true);
	test_expect_nothing(f->t); /* it is a person's stream: it waits for the page */
	assert_int_equal(f->runs, 0);
}

static void environment(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;

	tn_consent_close(f->t->server);
	assert_int_equal(tn_consent_open(f->t->server, "deny", &err), TENON_OK);
	set_policy(f, ASKED);
	call(f, 1, true);
	expect_fault(f, 1, "CONSENT_DECLINED");
	assert_int_equal(f->runs, 0);
}

/* Where approvals are to be proven this one is, too. */
static void proven(void **state)
{
	static const struct tn_consent_prover prover = {
		.name = "test", .ask = ask, .cancel = cancel};
	struct fixture *f = *state;

	tn_consent_set_prover(f->t->server, &prover);
	set_policy(f, ASKED);
	call(f, 1, true);
	test_expect_nothing(f->t);
	assert_int_equal(tn_consent_pending(f->t->server), 1);
	assert_int_equal(f->runs, 0);
}

static bool listed(const struct fixture *f, const char *text)
{
	struct tn_buf out;
	bool found;

	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_false(out.failed);
	found = tn_str_find(tn_buf_str(&out), tn_str_from(text)) != TN_STR_NONE;
	tn_buf_finish(&out);
	return found;
}

static void data(void **state)
{
	struct fixture *f = *state;

	f->data = "{\"planId\":\"run_1\",\"destroys\":true,\"label\":\"a\\u202eb\"}";
	set_policy(f, ASKED);
	f->is_named = false;
	call(f, 1, true);
	test_expect_nothing(f->t);
	assert_true(listed(f,
			   "\"data\":{\"planId\":\"run_1\",\"destroys\":true,\"label\":\"a<U+202E>"
			   "b\"}"));
	set_policy(f, "{\"timeout_s\":1,\"rules\":[{\"person\":true,\"action\":\"confirm\"}]}");
	f->data = "no JSON";
	f->t->peer->person = true;
	call(f, 2, true);
	assert_true(listed(f, "\"data\":{")); /* the first one's */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(persons), TEST(others), TEST(environment),
					   TEST(proven), TEST(data)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
