/* Consent that lasts (terminal.md section 10.2), and members of the policy that are an app's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/policy_part.h"
#include "mcp/test_fixtures.h"

#define ONCE "Run once"
#define LASTING "Allow this exact command in this session"
#define LASTING_MS 1000
#define ANSWER(words) "{\"action\":\"accept\",\"content\":{\"decision\":\"" words "\"}}"

struct fixture {
	struct test_peer *t; /* first */
	struct tn_peer *page;
	const char *bytes, *lasting;
	const char *lasting_bytes; /* NULL: the same */
	bool is_allowed;
	bool could_ask;
	unsigned runs;
	int questions;  /* asked so far */
	char text[256]; /* of the policy's part in force */
	unsigned used, dropped;
	char id[64]; /* of a request */
};

static struct fixture fixture;

static void run(struct tenon_call *call, void *data)
{
	struct fixture *f = data;
	const struct tenon_act act = {.kind = "run",
				      .summary = "Run a command",
				      .detail = f->bytes,
				      .exactly = f->bytes,
				      .exactly_size = strlen(f->bytes),
				      .once = ONCE,
				      .lasting = f->lasting,
				      .lasting_exactly = f->lasting_bytes,
				      .lasting_exactly_size =
					      f->lasting_bytes ? strlen(f->lasting_bytes) : 0,
				      .lasting_ms = f->lasting_bytes ? LASTING_MS : 0,
				      .is_allowed = f->is_allowed};

	f->could_ask = tn_consent_can_ask(call);
	if (!tenon_call_consent(call, &act))
		return;
	f->runs++;
	tenon_call_reply_text(call, "ran");
}

static int setup(void **state)
{
	static const struct tenon_tool tool = {
		.name = "run",
		.input_schema = "{\"type\":\"object\",\"properties\":{\"wait\":{}}}",
		.flags = TENON_ASKS_CONSENT,
		.call = run,
		.data = &fixture};
	struct tenon_error err;
	void *t;

	if (test_peer_setup(&t) != 0)
		return -1;
	fixture = (struct fixture){.t = t, .bytes = "rm -rf build", .lasting = LASTING};
	test_add_tools(fixture.t, &tool, 1);
	tn_timer_stop(fixture.t->server->list_timer);
	fixture.t->server->dirty = 0;
	assert_int_equal(tn_consent_open(fixture.t->server, NULL, &err), TENON_OK);
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

static void call_with(struct fixture *f, int wait)
{
	(void)test_sendf(f->t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"run\",\"arguments\":{\"wait\":%d}}}",
			 wait);
}

static void expect_question(struct fixture *f, const char *choices)
{
	test_expectf(f->t,
		     "{\"id\":%d,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
		     "\"message\":\"<string>\",\"requestedSchema\":{\"type\":\"object\","
		     "\"properties\":{\"decision\":{\"type\":\"string\",\"title\":\"Decision\","
		     "\"enum\":[%s]}},\"required\":[\"decision\"]}}}",
		     ++f->questions, choices);
}

static void answer(struct fixture *f, const char *result)
{
	(void)test_sendf(f->t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}", f->questions,
			 result);
}

static void expect_ran(struct fixture *f)
{
	test_expect(f->t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"ran\"}"
			  "],\"...\":0}}");
}

#define THREE "\"" ONCE "\",\"" LASTING "\",\"Refuse\""

static void test_once(void **state) /* terminal.md 10.2: one property, three choices */
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	for (unsigned i = 1; i <= 2; i++) {
		call_with(f, 0);
		expect_question(f, THREE);
		answer(f, ANSWER(ONCE));
		expect_ran(f);
		assert_int_equal(f->runs, i);
	}
	assert_true(f->could_ask);
}

static void test_lasting(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER(LASTING));
	expect_ran(f);
	call_with(f, 1); /* other arguments, the same command */
	expect_ran(f);
	f->bytes = "rm -rf src";
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER("Refuse"));
	test_expect(f->t, "{\"id\":1,\"result\":{\"structuredContent\":{\"error\":"
			  "\"CONSENT_DECLINED\",\"...\":0},\"isError\":true,\"...\":0}}");
	assert_int_equal(f->runs, 2);
}

/* Bound to other bytes than what is done once, for a while: workbench.md section 0, Acting. */
static void test_lasting_of_other_bytes(void **state)
{
	struct fixture *f = *state;

	f->lasting_bytes = "this preview";
	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER(LASTING));
	expect_ran(f);
	f->bytes = "another command";
	call_with(f, 0);
	expect_ran(f);
	f->lasting_bytes = "another preview";
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER(ONCE)); /* of one that lasts for the first nothing follows here */
	expect_ran(f);
	f->lasting_bytes = "this preview";
	f->t->now_ms += LASTING_MS - 1;
	call_with(f, 0);
	expect_ran(f);
	f->t->now_ms += 1;
	call_with(f, 0);
	expect_question(f, THREE);
	assert_int_equal(f->runs, 4);
}

/* What a setting allows is asked about by whoever wrote a policy, and by nobody else. */
static void test_allowed_by_a_setting(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;

	f->is_allowed = true;
	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	call_with(f, 0);
	expect_ran(f);
	assert_int_equal(tn_consent_set_policy(
				 f->t->server,
				 "{\"rules\":[{\"act\":\"run\",\"action\":\"confirm\"}]}", &err),
			 TENON_OK);
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER(ONCE));
	expect_ran(f);
	assert_int_equal(
		tn_consent_set_policy(f->t->server,
				      "{\"rules\":[{\"act\":\"run\",\"action\":\"deny\"}]}", &err),
		TENON_OK);
	call_with(f, 0);
	test_expect(f->t, "{\"id\":1,\"result\":{\"structuredContent\":{\"error\":"
			  "\"DENIED_BY_POLICY\",\"...\":0},\"isError\":true,\"...\":0}}");
	assert_int_equal(f->runs, 2);
}

static void test_not_offered(void **state) /* what was not offered is no approval */
{
	struct fixture *f = *state;

	f->lasting = NULL;
	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	call_with(f, 0);
	expect_question(f, "\"" ONCE "\",\"Refuse\"");
	answer(f, ANSWER(LASTING));
	expect_question(f, "\"" ONCE "\",\"Refuse\""); /* it fits no choice: asked again */
	answer(f, ANSWER("Refuse"));
	test_expect(f->t, "{\"id\":1,\"result\":{\"structuredContent\":{\"error\":"
			  "\"CONSENT_DECLINED\",\"...\":0},\"isError\":true,\"...\":0}}");
	assert_int_equal(f->runs, 0);
}

static void test_new_policy_forgets(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;

	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{}}");
	call_with(f, 0);
	expect_question(f, THREE);
	answer(f, ANSWER(LASTING));
	expect_ran(f);
	assert_int_equal(tn_consent_set_policy(f->t->server, "{}", &err), TENON_OK);
	call_with(f, 0);
	expect_question(f, THREE);
}

/* The newest request's id. */
static struct tn_str newest(const struct fixture *f)
{
	struct tn_buf out;
	size_t at;

	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	tn_buf_append_byte(&out, '\0');
	assert_false(out.failed);
	at = tn_str_find(tn_buf_str(&out), TN_STR("apr_"));
	assert_true(at != TN_STR_NONE);
	(void)snprintf(fixture.id, sizeof(fixture.id), "%.*s", (int)strcspn(out.data + at, "\""),
		       out.data + at);
	tn_buf_finish(&out);
	return tn_str_from(fixture.id);
}

static void test_by_a_person(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;
	struct tn_buf out;

	test_initialize(f->t, "2025-11-25", "{}");
	call_with(f, 0);
	assert_false(f->could_ask);
	test_expect(f->t, "{\"id\":1,\"result\":{\"structuredContent\":{\"error\":"
			  "\"CONSENT_UNAVAILABLE\",\"...\":0},\"isError\":true,\"...\":0}}");
	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_true(tn_str_find(tn_buf_str(&out), TN_STR("\"lasting\":\"" LASTING "\"")) !=
		    TN_STR_NONE);
	tn_buf_finish(&out);
	assert_int_equal(
		tn_consent_decide(f->t->server, newest(f), TN_APPROVED_LASTING, "terminal", &err),
		TENON_OK);
	for (unsigned i = 1; i <= 3; i++) {
		call_with(f, 0);
		expect_ran(f);
		assert_int_equal(f->runs, i);
	}
	f->lasting = NULL;
	f->bytes = "rm -rf docs";
	call_with(f, 0);
	test_expect(f->t, "{\"id\":1,\"result\":{\"isError\":true,\"...\":0}}");
	assert_int_equal(
		tn_consent_decide(f->t->server, newest(f), TN_APPROVED_LASTING, "terminal", &err),
		TENON_INVALID);
}

/* ---- parts of the policy ---- */

static enum tenon_code read_part(struct tn_str text, void **ret, struct tenon_error *err)
{
	if (tn_str_find(text, TN_STR("bad")) != TN_STR_NONE)
		return tn_fail(err, TENON_INVALID, "policy.json: bad");
	*ret = tn_mem_copy_text(text.data ? text.data : "", text.size);
	return *ret ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static void use_part(void *made, void *data)
{
	struct fixture *f = data;

	(void)snprintf(f->text, sizeof(f->text), "%s", (const char *)made);
	f->used++;
	tn_mem_free(made);
}

static void drop_part(void *made)
{
	fixture.dropped++;
	tn_mem_free(made);
}

static void test_part(void **state)
{
	struct fixture *f = *state;
	struct tenon_server *server = f->t->server;
	struct tn_policy_part part = {
		.member = "terminal", .read = read_part, .use = use_part, .drop = drop_part};
	struct tn_policy_part second = part;
	struct tenon_error err;

	part.data = second.data = f;
	assert_int_equal(tn_consent_set_policy(server, "{\n\n\"terminal\": {\"a\": 1} }", &err),
			 TENON_OK);
	assert_int_equal(tn_policy_part_add(server, &part, &err), TENON_OK);
	assert_string_equal(f->text, "\n\n{\"a\": 1}"); /* lines are where they are */
	/* A fault keeps all of the policy that was in force. */
	assert_int_equal(tn_policy_part_add(server, &second, &err), TENON_OK);
	assert_int_equal(
		tn_consent_set_policy(server, "{\"default\":\"deny\",\"terminal\":\"bad\"}", &err),
		TENON_INVALID);
	assert_string_equal(err.message, "policy.json: bad");
	assert_string_equal(f->text, "\n\n{\"a\": 1}");
	assert_int_equal(f->used, 2);
	assert_int_equal(tn_consent_set_policy(server, "{}", &err), TENON_OK);
	assert_string_equal(f->text, "");
	assert_int_equal(f->used, 4);
	assert_int_equal(f->dropped, 0);
	assert_int_equal(tn_consent_set_policy(server, "{\"terminal\":{},\"terminal\":{}}", &err),
			 TENON_INVALID);
	tn_policy_part_remove(server, &second);
	tn_policy_part_remove(server, &part);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_once),
		TEST(test_lasting),
		TEST(test_lasting_of_other_bytes),
		TEST(test_allowed_by_a_setting),
		TEST(test_not_offered),
		TEST(test_new_policy_forgets),
		TEST(test_by_a_person),
		TEST(test_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
