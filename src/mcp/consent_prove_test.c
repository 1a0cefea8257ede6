/* An approval that is to be proven counts after the proof, and for the question it was given for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"

#define ELICIT "{\"elicitation\":{}}"

struct fixture {
	struct test_peer *t; /* first */
	struct tn_peer *page;
	unsigned runs;
	char id[64], state[32]; /* of the newest request */
	/* The prover. */
	unsigned asked, cancelled;
	char claim[256];
	bool refuses;
	void (*done)(void *data, const struct tenon_error *why);
	void *done_data;
	/* Whoever approves. */
	unsigned told;
	struct tenon_error why;
};

static struct fixture fixture;

static void wreck(struct tenon_call *call, void *data)
{
	((struct fixture *)data)->runs++;
	tenon_call_reply_text(call, "wrecked");
}

static enum tenon_code ask(void *data, const struct tn_consent_claim *claim,
			   void (*done)(void *done_data, const struct tenon_error *why),
			   void *done_data, void **ret_asking, struct tenon_error *err)
{
	struct fixture *f = data;

	f->asked++;
	(void)snprintf(f->claim, sizeof(f->claim), "%s|%s|%s|%lld", claim->summary, claim->detail,
		       claim->client, (long long)claim->process);
	f->done = done;
	f->done_data = done_data;
	*ret_asking = f;
	return f->refuses ? tn_fail(err, TENON_DENIED, "no key is there") : TENON_OK;
}

static void cancel(void *asking)
{
	((struct fixture *)asking)->cancelled++;
}

static void told(void *data, const struct tenon_error *why)
{
	struct fixture *f = data;

	f->told++;
	f->why = *why;
}

/* ---- a server whose approvals are to be proven ---- */

static int setup(void **state)
{
	static const struct tenon_tool tool = {
		.name = "wreck",
		.input_schema = "{\"type\":\"object\",\"properties\":{\"a\":{}}}",
		.call = wreck,
		.data = &fixture};
	const struct tn_consent_prover prover = {
		.name = "polkit", .ask = ask, .cancel = cancel, .data = &fixture};
	struct tenon_error err;
	void *t;

	if (test_peer_setup(&t) != 0)
		return -1;
	fixture = (struct fixture){.t = t};
	test_add_tools(fixture.t, &tool, 1);
	tn_timer_stop(fixture.t->server->list_timer);
	fixture.t->server->dirty = 0;
	assert_int_equal(tn_consent_open(fixture.t->server, "allow", &err), TENON_OK);
	tn_consent_set_prover(fixture.t->server, &prover);
	assert_int_equal(tn_peer_create(fixture.t->server, TN_PEER_STREAM, "tester", NULL, t,
					&fixture.page, &err),
			 TENON_OK);
	fixture.page->person = true;
	*state = &fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	void *t = f->t;

	tn_peer_destroy(f->page);
	return test_peer_teardown(&t);
}

static void call(struct fixture *f, int id, const char *arguments)
{
	(void)test_sendf(f->t,
			 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"wreck\",\"arguments\":%s}}",
			 id, arguments);
}

/* The newest request's id goes into f->id; its state. */
static const char *look(struct fixture *f)
{
	struct tn_arena arena;
	struct tn_json *tree;
	const struct tn_json *r;
	struct tn_str id, text;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_arena_init(&arena, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&out), &tree, NULL), TENON_OK);
	r = tn_json_get(tree, "approvals")->first;
	f->state[0] = '\0';
	if (r && tn_json_to_str(tn_json_get(r, "id"), &id) &&
	    tn_json_to_str(tn_json_get(r, "state"), &text)) {
		(void)snprintf(f->id, sizeof(f->id), "%s", id.data);
		(void)snprintf(f->state, sizeof(f->state), "%s", text.data);
	}
	tn_arena_finish(&arena);
	tn_buf_finish(&out);
	return f->state;
}

static enum tenon_code answer(struct fixture *f, enum tn_decision decision, bool *ret_waits)
{
	const struct tn_consent_answer a = {.id = tn_str_from(f->id),
					    .decision = decision,
					    .by = "page",
					    .process = 77,
					    .done = told,
					    .data = f};

	return tn_consent_answer(f->t->server, &a, ret_waits, &f->why);
}

static void expect_waits(struct fixture *f)
{
	bool waits = false;

	assert_int_equal(answer(f, TN_APPROVED, &waits), TENON_OK);
	assert_true(waits);
	assert_int_equal(f->runs, 0);
	assert_string_equal(look(f), "pending");
}

static void prove(struct fixture *f, enum tenon_code code)
{
	struct tenon_error why = {.code = code};

	if (code != TENON_OK)
		(void)tn_fail(&why, code, "not proven");
	f->done(f->done_data, &why);
}

/* A call waits for a person, whose client elicits: what a client says of its user proves nothing.
 */
static void begin(struct fixture *f)
{
	test_initialize(f->t, "2025-11-25", ELICIT);
	call(f, 1, "{\"a\":1}");
	assert_int_equal(f->runs, 0);
	assert_string_equal(look(f), "pending");
}

/* ---- the tests ---- */

static void test_proven(void **state)
{
	struct fixture *f = *state;

	struct tn_buf out;

	begin(f);
	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_true(tn_str_find(tn_buf_str(&out), TN_STR("],\"proof\":\"polkit\"}")) !=
		    TN_STR_NONE);
	tn_buf_finish(&out);
	assert_int_equal(f->asked, 0);
	expect_waits(f);
	assert_non_null(strstr(f->claim, "Call wreck|{\"a\":1}|"));
	assert_non_null(strstr(f->claim, "|77"));
	prove(f, TENON_OK);
	assert_int_equal(f->runs, 1);
	assert_int_equal(f->told, 1);
	assert_int_equal(f->why.code, TENON_OK);
	assert_string_equal(look(f), "used");
	assert_int_equal(f->cancelled, 0);
}

static void test_not_proven(void **state)
{
	struct fixture *f = *state;

	begin(f);
	expect_waits(f);
	prove(f, TENON_DENIED);
	assert_int_equal(f->told, 1);
	assert_int_equal(f->why.code, TENON_DENIED);
	assert_int_equal(f->runs, 0);
	expect_waits(f); /* and it can be tried again */
	prove(f, TENON_OK);
	assert_int_equal(f->runs, 1);
}

static void test_cannot_be_asked(void **state)
{
	struct fixture *f = *state;
	bool waits = true;

	begin(f);
	f->refuses = true;
	assert_int_equal(answer(f, TN_APPROVED, &waits), TENON_DENIED);
	assert_false(waits);
	assert_string_equal(f->why.message, "no key is there");
	f->refuses = false;
	expect_waits(f);
}

/* The way without a proof is closed, and refusing needs none. */
static void test_no_way_round(void **state)
{
	struct fixture *f = *state;
	bool waits = true;

	begin(f);
	assert_int_equal(
		tn_consent_decide(f->t->server, tn_str_from(f->id), TN_APPROVED, "page", &f->why),
		TENON_DENIED);
	assert_string_equal(look(f), "pending");
	expect_waits(f);
	assert_int_equal(answer(f, TN_DENIED, &waits), TENON_OK);
	assert_false(waits);
	assert_string_equal(look(f), "denied");
	assert_int_equal(f->told, 1); /* who approved */
	assert_int_equal(f->why.code, TENON_EXPIRED);
	assert_int_equal(f->cancelled, 1);
	assert_int_equal(f->runs, 0);
}

/* A proof is of one question: another one waits for its own. */
static void test_one_at_a_time(void **state)
{
	struct fixture *f = *state;
	char first[64];
	bool waits;

	begin(f);
	expect_waits(f);
	memcpy(first, f->id, sizeof(first));
	assert_int_equal(answer(f, TN_APPROVED, &waits), TENON_BUSY);
	call(f, 2, "{\"a\":2}");
	assert_string_equal(look(f), "pending");
	assert_string_not_equal(f->id, first);
	assert_int_equal(answer(f, TN_APPROVED, &waits), TENON_BUSY);
	prove(f, TENON_OK);
	assert_int_equal(f->runs, 1);
	assert_string_equal(look(f), "pending");
	assert_int_equal(answer(f, TN_APPROVED, &waits), TENON_OK);
	assert_true(waits);
	assert_int_equal(f->runs, 1);
	assert_int_equal(f->asked, 2);
}

/* The call that asked is cancelled while the human reads. */
static void test_withdrawn(void **state)
{
	struct fixture *f = *state;

	begin(f);
	expect_waits(f);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			      "\"params\":{\"requestId\":1}}");
	assert_int_equal(f->cancelled, 1);
	assert_int_equal(f->told, 1);
	assert_int_equal(f->why.code, TENON_EXPIRED);
	assert_string_equal(look(f), "");
}

static void test_given_up(void **state)
{
	struct fixture *f = *state;

	begin(f);
	expect_waits(f);
	tn_consent_give_up(f->t->server, &fixture.runs); /* somebody else */
	assert_int_equal(f->cancelled, 0);
	tn_consent_give_up(f->t->server, f);
	assert_int_equal(f->cancelled, 1);
	assert_int_equal(f->told, 0);
	assert_string_equal(look(f), "pending");
	expect_waits(f);
}

static void test_server_ends(void **state)
{
	struct fixture *f = *state;

	begin(f);
	expect_waits(f);
	tn_consent_close(f->t->server);
	assert_int_equal(f->cancelled, 1);
	assert_int_equal(f->told, 0);
	assert_int_equal(f->runs, 0);
}

/* A proof that comes after the question's time is one of nothing. */
static void test_too_late(void **state)
{
	struct fixture *f = *state;

	begin(f);
	expect_waits(f);
	f->t->now_ms += TN_CONSENT_TIMEOUT_MS + 1;
	prove(f, TENON_OK);
	assert_int_equal(f->runs, 0);
	assert_int_equal(f->told, 1);
	assert_int_equal(f->why.code, TENON_EXPIRED);
	assert_string_equal(look(f), "expired");
}

static void test_other_acts(void **state)
{
	struct fixture *f = *state;
	const struct tn_consent_claim claim = {
		.summary = "Change the policy", .detail = "{}", .client = "page", .digest = ""};

	assert_int_equal(tn_consent_prove(f->t->server, &claim, told, f, &f->why), TENON_OK);
	assert_int_equal(f->told, 0);
	prove(f, TENON_OK);
	assert_int_equal(f->told, 1);
	assert_int_equal(f->why.code, TENON_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_proven),       TEST(test_not_proven),    TEST(test_cannot_be_asked),
		TEST(test_no_way_round), TEST(test_one_at_a_time), TEST(test_withdrawn),
		TEST(test_given_up),     TEST(test_server_ends),   TEST(test_too_late),
		TEST(test_other_acts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
