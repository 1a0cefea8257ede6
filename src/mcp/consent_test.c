/* Nothing that needs consent runs before somebody said yes: both eras, all endings (ARCHITECTURE
 * section 3.4, terminal.md section 10.2, workbench.md section 17.6). */
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
#define YES "{\"action\":\"accept\",\"content\":{\"decision\":\"Approve once\"}}"
#define NO "{\"action\":\"accept\",\"content\":{\"decision\":\"Refuse\"}}"

struct fixture {
	struct test_peer *t; /* first: helpers take the state for a test_peer's */
	struct tn_peer *page;
	unsigned runs;    /* of tools that need consent */
	unsigned changes; /* of the approvals */
	const char *bytes;
	char id[64]; /* of the request shown last */
};

static struct fixture fixture;

/* ---- the server's tools ---- */

static void wreck(struct tenon_call *call, void *data)
{
	((struct fixture *)data)->runs++;
	tenon_call_reply_text(call, "wrecked");
}

static void apply(struct tenon_call *call, void *data)
{
	struct fixture *f = data;
	const struct tenon_act act = {.kind = "apply",
				      .summary = "Apply 3 changes\x1b[2K to prod",
				      .detail = "- vm\n- disk",
				      .exactly = f->bytes,
				      .exactly_size = strlen(f->bytes)};

	if (!tenon_call_consent(call, &act))
		return;
	f->runs++;
	tenon_call_reply_text(call, "applied");
}

/* Asks for consent, then something else, then does it. */
static void apply_and_ask(struct tenon_call *call, void *data)
{
	struct fixture *f = data;
	const struct tenon_act act = {.kind = "apply", .summary = "Apply"};
	const struct tenon_answer *who;

	if (!tenon_call_consent(call, &act))
		return;
	who = tenon_call_elicit(call, "who", "Who?",
				"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":"
				"\"string\"}},\"required\":[\"name\"]}");
	if (!who)
		return;
	f->runs++;
	tenon_call_reply_text(call, tenon_answer_text(who, "name"));
}

static void ask_and_apply(struct tenon_call *call, void *data)
{
	struct fixture *f = data;
	const struct tenon_act act = {.kind = "apply", .summary = "Apply"};
	const struct tenon_answer *roots = tenon_call_roots(call, "roots");
	bool consented = tenon_call_consent(call, &act);

	if (!roots || !consented)
		return;
	f->runs++;
	tenon_call_reply_text(call, "both");
}

static void read_with_consent(struct tenon_call *call, void *data)
{
	const struct tenon_act act = {.kind = "read", .summary = "Read it"};

	(void)data;
	if (tenon_call_consent(call, &act))
		tenon_call_add_resource_text(call, NULL, "text/plain", "secret", TENON_TEXT),
			tenon_call_finish(call);
}

static const struct tenon_tool shed_tool = {.name = "wreck_app", .call = wreck, .data = &fixture};
static const struct tenon_tool *const shed_tools[] = {&shed_tool, NULL};
static const struct tenon_app sheds = {.name = "sheds", .tools = shed_tools};

static void count_change(void *data)
{
	((struct fixture *)data)->changes++;
}

static void add_tools(struct fixture *f)
{
	const struct tenon_tool tools[] = {
		{.name = "wreck",
		 .title = "Wreck it",
		 .input_schema = "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}",
		 .call = wreck,
		 .data = f},
		{.name = "wreck_inside", .flags = TENON_CLOSED_WORLD, .call = wreck, .data = f},
		{.name = "look", .flags = TENON_READ_ONLY, .call = wreck, .data = f},
		{.name = "wreck_task",
		 .task_support = TENON_TASK_OPTIONAL,
		 .call = wreck,
		 .data = f},
		{.name = "apply", .flags = TENON_ASKS_CONSENT, .call = apply, .data = f},
		{.name = "apply_twice", .call = apply, .data = f},
		{.name = "apply_and_ask",
		 .flags = TENON_ASKS_CONSENT,
		 .call = apply_and_ask,
		 .data = f},
		{.name = "ask_and_apply",
		 .flags = TENON_ASKS_CONSENT,
		 .call = ask_and_apply,
		 .data = f},
		{.name = "for_persons", .person_only = true, .call = wreck, .data = f},
	};
	const struct tenon_resource resource = {.uri = "test://guarded",
						.name = "guarded",
						.size_bytes = -1,
						.read = read_with_consent,
						.data = f};
	struct tenon_error err;

	test_add_tools(f->t, tools, TN_COUNT(tools));
	assert_int_equal(tenon_server_add_app(f->t->server, &sheds, &err), TENON_OK);
	assert_int_equal(tenon_server_add_resource(f->t->server, &resource, &err), TENON_OK);
	tn_timer_stop(f->t->server->list_timer);
	f->t->server->dirty = 0;
}

static void open_consent(struct fixture *f, const char *environment)
{
	struct tenon_error err;

	tn_consent_close(f->t->server);
	assert_int_equal(tn_consent_open(f->t->server, environment, &err), TENON_OK);
	tn_consent_on_change(f->t->server, count_change, f);
}

static int setup(void **state)
{
	void *t;

	if (test_peer_setup(&t) != 0)
		return -1;
	fixture = (struct fixture){.t = t, .bytes = "plan 1"};
	add_tools(&fixture);
	open_consent(&fixture, NULL);
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

/* ---- helpers ---- */

static void set_policy(struct fixture *f, const char *text)
{
	struct tenon_error err;

	if (tn_consent_set_policy(f->t->server, text, &err) != TENON_OK)
		fail_msg("%s", err.message);
}

static void open_page(struct fixture *f)
{
	struct tenon_error err;

	assert_int_equal(
		tn_peer_create(f->t->server, TN_PEER_STREAM, "tester", NULL, f->t, &f->page, &err),
		TENON_OK);
	f->page->person = true;
}

static struct test_exchange *call_legacy(struct fixture *f, int id, const char *params)
{
	return test_sendf(
		f->t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{%s}}",
		id, params);
}

static void call_modern(struct fixture *f, const char *params, const char *capabilities)
{
	(void)test_modern(f->t, "1", "tools/call", params, capabilities, NULL);
}

static void expect_text(struct fixture *f, int id, const char *text)
{
	test_expectf(f->t,
		     "{\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
		     "\"...\":0}}",
		     id, text);
}

static void expect_fault(struct fixture *f, int id, const char *code)
{
	test_expectf(f->t,
		     "{\"id\":%d,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
		     "\"error\":\"%s\",\"...\":0},\"isError\":true,\"...\":0}}",
		     id, code);
}

/* The newest request, in this state; its id goes into f->id. */
static void expect_request(struct fixture *f, const char *state, const char *by)
{
	struct tn_arena arena;
	struct tn_json *tree;
	const struct tn_json *r;
	struct tn_buf out;
	struct tn_str id, text;

	tn_buf_init(&out, TN_MIB);
	tn_arena_init(&arena, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_false(out.failed);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&out), &tree, NULL), TENON_OK);
	r = tn_json_get(tree, "approvals")->first;
	assert_non_null(r);
	assert_true(tn_json_to_str(tn_json_get(r, "state"), &text));
	assert_string_equal(text.data, state);
	if (by) {
		assert_true(tn_json_to_str(tn_json_get(r, "decidedBy"), &text));
		assert_string_equal(text.data, by);
	} else {
		assert_true(tn_json_is(tn_json_get(r, "decidedBy"), TN_JSON_NULL));
	}
	assert_true(tn_json_to_str(tn_json_get(r, "id"), &id));
	assert_true(id.size < sizeof(f->id));
	memcpy(f->id, id.data, id.size + 1);
	tn_arena_finish(&arena);
	tn_buf_finish(&out);
}

static void expect_no_requests(const struct fixture *f)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "{\"approvals\":[]}"));
	tn_buf_finish(&out);
}

static enum tenon_code decide(struct fixture *f, enum tn_decision decision, const char *by)
{
	struct tenon_error err;

	return tn_consent_decide(f->t->server, tn_str_from(f->id), decision, by, &err);
}

/* ---- who is asked at all ---- */

static void test_not_asked(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"look\"");
	expect_text(f, 1, "wrecked");
	(void)call_legacy(f, 2, "\"name\":\"wreck_inside\"");
	expect_text(f, 2, "wrecked");
	set_policy(f, "{\"default\":\"allow\"}");
	(void)call_legacy(f, 3, "\"name\":\"wreck\"");
	expect_text(f, 3, "wrecked");
	(void)call_legacy(f, 4, "\"name\":\"apply\"");
	expect_text(f, 4, "applied");
	f->t->peer->person = true;
	set_policy(f, "{\"default\":\"confirm\"}");
	(void)call_legacy(f, 5, "\"name\":\"wreck\"");
	expect_text(f, 5, "wrecked");
	set_policy(f, "{\"default\":\"deny\"}"); /* must not lock the person out */
	(void)call_legacy(f, 6, "\"name\":\"for_persons\"");
	expect_text(f, 6, "wrecked");
	expect_no_requests(f);
}

static void test_denied(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	open_page(f);
	set_policy(f, "{\"rules\":[{\"id\":\"never\",\"tool\":\"wreck\",\"action\":\"deny\"}]}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	test_expect(f->t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
			  "\"error\":\"DENIED_BY_POLICY\",\"message\":\"<has (never)>\","
			  "\"retryable\":false},\"isError\":true}}");
	set_policy(f, "{\"default\":\"deny\"}");
	(void)call_legacy(f, 2, "\"name\":\"look\"");
	expect_fault(f, 2, "DENIED_BY_POLICY");
	assert_int_equal(f->runs, 0);
	expect_no_requests(f);
}

static void test_environment(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;

	test_initialize(f->t, "2025-11-25", ELICIT);
	open_page(f);
	open_consent(f, "allow");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_text(f, 1, "wrecked");
	(void)call_legacy(f, 2, "\"name\":\"apply\"");
	expect_text(f, 2, "applied");
	set_policy(f, "{\"default\":\"deny\"}"); /* it answers for a person, not for the policy */
	(void)call_legacy(f, 3, "\"name\":\"wreck\"");
	expect_fault(f, 3, "DENIED_BY_POLICY");
	open_consent(f, "deny");
	(void)call_legacy(f, 4, "\"name\":\"wreck\"");
	expect_fault(f, 4, "CONSENT_DECLINED");
	(void)call_legacy(f, 5, "\"name\":\"wreck_inside\"");
	expect_text(f, 5, "wrecked");
	assert_int_equal(f->runs, 3);
	expect_no_requests(f);
	tn_consent_close(f->t->server);
	assert_int_equal(tn_consent_open(f->t->server, "perhaps", &err), TENON_INVALID);
	assert_string_equal(err.message, "TENON_CONSENT: perhaps; send allow or deny");
}

/* ---- the page ---- */

static void test_page_approves(void **state)
{
	static const char *const revisions[] = {"2025-03-26", "2025-11-25"};
	struct fixture *f = *state;

	open_page(f);
	for (size_t i = 0; i < TN_COUNT(revisions); i++) {
		test_initialize(f->t, revisions[i], "{}");
		(void)call_legacy(f, 1, "\"name\":\"wreck\"");
		test_expect_nothing(f->t);
		assert_int_equal(f->runs, i);
		assert_int_equal(tn_consent_pending(f->t->server), 1);
		expect_request(f, "pending", NULL);
		assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
		expect_text(f, 1, "wrecked");
		expect_request(f, "used", "page");
		assert_int_equal(f->runs, i + 1);
		assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_EXPIRED);
		test_reconnect(f->t);
	}
	assert_true(f->changes >= 6);
}

static void test_page_approves_modern(void **state) /* the request itself waits */
{
	struct fixture *f = *state;

	open_page(f);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	test_expect_nothing(f->t);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	test_expect_complete(f->t, "1", "\"content\":[{\"type\":\"text\",\"text\":\"wrecked\"}]");
	expect_request(f, "used", "terminal");
	call_modern(f, "\"name\":\"wreck\"", NULL); /* single use */
	test_expect_nothing(f->t);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	expect_fault(f, 1, "CONSENT_DECLINED");
	assert_int_equal(f->runs, 1);
}

static void test_page_denies(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"apply\"");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	expect_fault(f, 1, "CONSENT_DECLINED");
	expect_request(f, "denied", "page");
	(void)call_legacy(f, 2, "\"name\":\"apply\""); /* asked anew */
	test_expect_nothing(f->t);
	assert_int_equal(tn_consent_pending(f->t->server), 1);
	assert_int_equal(f->runs, 0);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	expect_fault(f, 2, "CONSENT_DECLINED");
}

/* Two equal calls need two approvals, and each call gets its own. */
static void test_equal_calls(void **state)
{
	struct fixture *f = *state;
	char second[64];

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	(void)call_legacy(f, 2, "\"name\":\"wreck\"");
	assert_int_equal(tn_consent_pending(f->t->server), 2);
	expect_request(f, "pending", NULL);
	memcpy(second, f->id, sizeof(second));
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_text(f, 2, "wrecked");
	test_expect_nothing(f->t);
	assert_int_equal(f->runs, 1);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			      "\"params\":{\"requestId\":1}}");
	assert_int_equal(tn_consent_pending(f->t->server), 0);
}

static void test_page_opens_later(void **state) /* a waiting call stays when the page goes */
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	tn_peer_destroy(f->page);
	f->page = NULL;
	test_expect_nothing(f->t);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	expect_text(f, 1, "wrecked");
}

/* ---- nobody is there ---- */

static void test_unavailable(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{}");
	/* Nobody has a way to decide it: then it says what would be one. */
	call_modern(f, "\"name\":\"wreck\",\"arguments\":{\"c\":3}", NULL);
	test_expect(f->t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
			  "\"error\":\"CONSENT_UNAVAILABLE\",\"message\":\"<has What asks: >\","
			  "\"...\":0},\"isError\":true,\"...\":0}}");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "terminal"), TENON_OK);
	f->t->server->person_socket = true;
	(void)call_legacy(f, 1, "\"name\":\"wreck\",\"arguments\":{\"a\":1,\"b\":2}");
	expect_request(f, "pending", NULL);
	test_expectf(f->t,
		     "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
		     "\"error\":\"CONSENT_UNAVAILABLE\",\"message\":\"<has tenon approve %s>\","
		     "\"retryable\":true,\"approvalId\":\"%s\"},\"isError\":true}}",
		     f->id, f->id);
	/* The same again is the same request. */
	(void)call_legacy(f, 2, "\"name\":\"wreck\",\"arguments\":{\"b\":2,\"a\":1}");
	expect_fault(f, 2, "CONSENT_UNAVAILABLE");
	assert_int_equal(tn_consent_pending(f->t->server), 1);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	expect_request(f, "approved", "terminal");
	/* Another thing is another request, whatever was approved. */
	(void)call_legacy(f, 3, "\"name\":\"wreck\",\"arguments\":{\"a\":1,\"b\":3}");
	expect_fault(f, 3, "CONSENT_UNAVAILABLE");
	(void)call_legacy(f, 4, "\"name\":\"wreck\"");
	expect_fault(f, 4, "CONSENT_UNAVAILABLE");
	(void)call_legacy(f, 5, "\"name\":\"wreck\",\"arguments\":{\"b\":2,\"a\":1}");
	expect_text(f, 5, "wrecked");
	(void)call_legacy(f, 6, "\"name\":\"wreck\",\"arguments\":{\"a\":1,\"b\":2}");
	expect_fault(f, 6, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 1);
}

static void test_denied_later(void **state) /* told once, then asked anew */
{
	struct fixture *f = *state;

	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "terminal"), TENON_OK);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_DECLINED");
	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 0);
}

static void test_another_principal(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	(void)snprintf(f->t->peer->principal, sizeof(f->t->peer->principal), "mallory");
	(void)call_legacy(f, 2, "\"name\":\"wreck\"");
	expect_fault(f, 2, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 0);
}

/* ---- exactly this ---- */

static void test_bytes_count(void **state) /* ST-081: bound to what was shown */
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"apply\"");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	f->bytes = "plan 2"; /* the plan has changed since */
	(void)call_legacy(f, 2, "\"name\":\"apply\"");
	expect_fault(f, 2, "CONSENT_UNAVAILABLE");
	f->bytes = "plan 1";
	(void)call_legacy(f, 3, "\"name\":\"apply\"");
	expect_text(f, 3, "applied");
	assert_int_equal(f->runs, 1);
}

static void test_bytes_change_while_waiting(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"apply\"");
	expect_request(f, "pending", NULL);
	f->bytes = "plan 2";
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect_nothing(f->t); /* asked again, about the new one */
	assert_int_equal(f->runs, 0);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_text(f, 1, "applied");
	assert_int_equal(f->runs, 1);
}

static void test_what_is_shown(void **state)
{
	struct fixture *f = *state;
	struct tn_buf out;

	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"apply\"");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	(void)call_legacy(f, 2, "\"name\":\"wreck\",\"arguments\":{\"b\":\"x\\u001by\",\"a\":1}");
	expect_fault(f, 2, "CONSENT_UNAVAILABLE");
	tn_buf_init(&out, TN_MIB);
	tn_consent_write(f->t->server, &out);
	tn_buf_append_byte(&out, '\0');
	assert_true(test_fits(
		out.data,
		"{\"approvals\":[{\"id\":\"<string>\",\"tool\":\"wreck\",\"app\":\"\",\"act\":null,"
		"\"summary\":\"Call wreck (Wreck it)\","
		"\"detail\":\"{\\\"a\\\":1,\\\"b\\\":\\\"x\\\\u001by\\\"}\","
		"\"digest\":\"<string>\",\"client\":\"<string>\",\"createdAt\":\"<string>\","
		"\"expiresAt\":\"<string>\",\"state\":\"pending\",\"decidedBy\":null,\"rule\":null}"
		","
		"{\"id\":\"<string>\",\"tool\":\"apply\",\"app\":\"\",\"act\":\"apply\","
		"\"summary\":\"Apply 3 changes\u241b[2K to prod\",\"detail\":\"- vm\\n- disk\","
		"\"...\":0}]}"));
	tn_buf_finish(&out);
}

static void test_asked_twice(void **state) /* by the policy for the tool, then for the act */
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"apply_twice\"");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect_nothing(f->t);
	assert_int_equal(f->runs, 0);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_text(f, 1, "applied");
	assert_int_equal(f->runs, 1);
}

/* ---- elicitation ---- */

static void expect_form(struct fixture *f, int id)
{
	test_expectf(f->t,
		     "{\"id\":%d,\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\","
		     "\"message\":\"<has counts once>\",\"requestedSchema\":{\"type\":\"object\","
		     "\"properties\":{\"decision\":{\"type\":\"string\",\"title\":\"Decision\","
		     "\"enum\":[\"Approve once\",\"Refuse\"]}},\"required\":[\"decision\"]}}}",
		     id);
}

static void answer(struct fixture *f, int id, const char *result)
{
	(void)test_sendf(f->t, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":%s}", id, result);
}

static void test_legacy_elicitation(void **state)
{
	static const struct {
		const char *result, *code;
	} cases[] = {
		{YES, NULL},
		{NO, "CONSENT_DECLINED"},
		{"{\"action\":\"decline\"}", "CONSENT_DECLINED"},
		{"{\"action\":\"cancel\"}", "CONSENT_DECLINED"},
		{"{\"action\":\"whatever\"}", "CONSENT_DECLINED"},
	};
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		(void)call_legacy(f, 1, "\"name\":\"wreck\"");
		expect_form(f, (int)i + 1);
		expect_request(f, "pending", NULL);
		answer(f, (int)i + 1, cases[i].result);
		if (cases[i].code)
			expect_fault(f, 1, cases[i].code);
		else
			expect_text(f, 1, "wrecked");
		expect_request(f, cases[i].code ? "denied" : "used", "elicitation");
		assert_int_equal(f->runs, 1);
	}
}

static void test_legacy_nonsense_is_no_approval(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	answer(f, 1, "{\"action\":\"accept\"}");
	expect_form(f, 2);
	answer(f, 2, "{\"action\":\"accept\",\"content\":{\"decision\":true}}");
	expect_form(f, 3);
	answer(f, 3, "{\"action\":\"accept\",\"content\":{\"decision\":\"yes\"}}");
	expect_form(f, 4);
	assert_int_equal(f->runs, 0);
	answer(f, 4, NO);
	expect_fault(f, 1, "CONSENT_DECLINED");
}

/* Both are asked; the first answer wins and the other question is withdrawn. */
static void test_legacy_both(void **state) /* V6: "either" */
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	expect_text(f, 1, "wrecked");
	answer(f, 1, NO); /* too late */
	test_expect_nothing(f->t);
	(void)call_legacy(f, 2, "\"name\":\"wreck\"");
	expect_form(f, 2);
	expect_request(f, "pending", NULL);
	answer(f, 2, YES);
	expect_text(f, 2, "wrecked");
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_EXPIRED);
	(void)call_legacy(f, 3, "\"name\":\"wreck\"");
	expect_form(f, 3);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
	expect_fault(f, 3, "CONSENT_DECLINED");
	assert_int_equal(f->runs, 2);
}

/* The client cannot answer after all. */
static void test_legacy_client_fails(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,"
			      "\"message\":\"no\"}}");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	open_page(f);
	(void)call_legacy(f, 2, "\"name\":\"wreck\"");
	expect_form(f, 2);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,"
			      "\"message\":\"no\"}}");
	test_expect_nothing(f->t);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_text(f, 2, "wrecked");
}

static void test_legacy_mute(void **state) /* it has ended its side */
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	open_page(f);
	tn_peer_mute(f->t->peer);
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_text(f, 1, "wrecked");
}

static void test_elicitation_does_not_count(void **state)
{
	static const struct {
		const char *policy;
		bool page, asked;
	} cases[] = {
		{"{\"elicitation\":\"never\"}", false, false},
		{"{\"elicitation\":\"no_page\"}", false, true},
		{"{\"elicitation\":\"no_page\"}", true, false},
		{"{\"elicitation\":\"always\"}", true, true},
		{"{\"rules\":[{\"action\":\"confirm\",\"elicitation\":false}]}", false, false},
		{"{\"elicitation\":\"never\",\"rules\":[{\"action\":\"confirm\","
		 "\"elicitation\":true}]}",
		 true, true},
	};
	struct fixture *f = *state;
	int asked = 0;

	test_initialize(f->t, "2025-11-25", ELICIT);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		if (cases[i].page && !f->page)
			open_page(f);
		else if (!cases[i].page && f->page)
			tn_peer_destroy(f->page), f->page = NULL;
		set_policy(f, cases[i].policy);
		(void)call_legacy(f, 1, "\"name\":\"wreck\"");
		if (cases[i].asked) {
			expect_form(f, ++asked);
			answer(f, asked, NO);
			expect_fault(f, 1, "CONSENT_DECLINED");
			continue;
		}
		expect_request(f, "pending", NULL);
		assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
		expect_fault(f, 1, cases[i].page ? "CONSENT_DECLINED" : "CONSENT_UNAVAILABLE");
		if (!cases[i].page) { /* told now */
			(void)call_legacy(f, 1, "\"name\":\"wreck\"");
			expect_fault(f, 1, "CONSENT_DECLINED");
		}
	}
	assert_int_equal(f->runs, 0);
}

/* Who types at `tenon call` may be the assistant that asks. */
static void test_own_command_line(void **state)
{
	struct fixture *f = *state;

	set_policy(f, "{\"elicitation\":\"always\"}");
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
			      "\"protocolVersion\":\"2025-11-25\",\"capabilities\":" ELICIT
			      ",\"clientInfo\":{\"name\":\"tenon call\",\"version\":\"1\"}}}");
	assert_non_null(test_next(f->t));
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 0);
}

static void test_page_and_elicitation_of_act(void **state) /* other questions stay out */
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{\"elicitation\":{},\"roots\":{}}");
	(void)call_legacy(f, 1, "\"name\":\"ask_and_apply\"");
	test_expect(f->t, "{\"id\":1,\"method\":\"roots/list\",\"params\":{}}");
	expect_form(f, 2);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
	test_expect_nothing(f->t);
	answer(f, 1, "{\"roots\":[]}");
	expect_text(f, 1, "both");
	assert_int_equal(f->runs, 1);
}

/* Nothing else is asked until the page has answered; then it is. */
static void test_page_then_roots(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{\"roots\":{}}");
	(void)call_legacy(f, 1, "\"name\":\"ask_and_apply\"");
	test_expect_nothing(f->t);
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect(f->t, "{\"id\":1,\"method\":\"roots/list\",\"params\":{}}");
	answer(f, 1, "{\"roots\":[]}");
	expect_text(f, 1, "both");
	assert_int_equal(f->runs, 1);
}

/* Elicitation ends to count while the form is out: the request that the answer names is there. */
static void test_nobody_left(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	set_policy(f, "{\"elicitation\":\"never\"}");
	answer(f, 1, YES);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	assert_int_equal(f->runs, 0);
}

/* Approved after MCP was switched off, or the tool's app: it does not run (ST-008). */
static void test_switched_off_meanwhile(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_request(f, "pending", NULL);
	f->t->server->disabled = true;
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	expect_fault(f, 1, "SERVER_DISABLED");
	f->t->server->disabled = false;
	expect_no_requests(f); /* nor does it wait for the next call */
	(void)call_legacy(f, 2, "\"name\":\"wreck_app\"");
	expect_request(f, "pending", NULL);
	assert_true(tn_server_set_app_off(f->t->server, "sheds", true));
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	test_expect(f->t, "{\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			  "\"<has switched off>\"}],\"isError\":true}}");
	assert_int_equal(f->runs, 0);
	expect_no_requests(f);
}

/* ---- modern: the question is the answer ---- */

static void retry(struct fixture *f, const char *name, const char *key, const char *result,
		  const char *state_text)
{
	char params[8192];

	assert_true(snprintf(params, sizeof(params),
			     "\"name\":\"%s\",\"inputResponses\":{\"%s\":%s}%s%s%s", name, key,
			     result, state_text ? ",\"requestState\":\"" : "",
			     state_text ? state_text : "",
			     state_text ? "\"" : "") < (int)sizeof(params));
	call_modern(f, params, ELICIT);
}

/* input_required; its state goes into `sealed`. */
static void expect_input_required(struct fixture *f, char *sealed, size_t size)
{
	expect_request(f, "pending", NULL);
	test_expectf(f->t,
		     "{\"id\":1,\"result\":{\"inputRequests\":{\"%s\":{\"method\":"
		     "\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"<has "
		     "counts once>\",\"requestedSchema\":\"<object>\"}}},\"requestState\":"
		     "\"<string>\",\"resultType\":\"input_required\",\"_meta\":\"<object>\"}}",
		     f->id);
	test_member(f->t, "result/requestState", sealed, size);
}

static void test_modern_elicitation(void **state)
{
	struct fixture *f = *state;
	char sealed[4096], id[64];

	call_modern(f, "\"name\":\"wreck\"", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	memcpy(id, f->id, sizeof(id));
	retry(f, "wreck", id, YES, sealed);
	expect_text(f, 1, "wrecked");
	expect_request(f, "used", "elicitation");
	retry(f, "wreck", id, YES, sealed); /* the same once more is asked anew */
	expect_input_required(f, sealed, sizeof(sealed));
	assert_string_not_equal(id, f->id);
	retry(f, "wreck", f->id, NO, sealed);
	expect_fault(f, 1, "CONSENT_DECLINED");
	assert_int_equal(f->runs, 1);
}

static void test_modern_forged(void **state) /* V9: the seal belongs to the answer */
{
	struct fixture *f = *state;
	char sealed[4096], other[4096], id[64];

	call_modern(f, "\"name\":\"wreck\"", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	memcpy(id, f->id, sizeof(id));
	retry(f, "wreck", id, YES, NULL); /* without it */
	expect_input_required(f, other, sizeof(other));
	retry(f, "wreck_task", id, YES, sealed); /* another tool */
	test_expect_error(f->t, "1", -32602, "requestState");
	sealed[10] = sealed[10] == 'A' ? 'B' : 'A';
	retry(f, "wreck", id, YES, sealed);
	test_expect_error(f->t, "1", -32602, "requestState");
	retry(f, "wreck", "apr_aaaaaaaaaaaaaaaaaaaaaaaaaa", YES, other);
	expect_input_required(f, other, sizeof(other));
	assert_int_equal(f->runs, 0);
}

static void test_modern_changed_arguments(void **state)
{
	struct fixture *f = *state;
	char sealed[4096], params[8192];

	call_modern(f, "\"name\":\"wreck\",\"arguments\":{\"a\":1}", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	(void)snprintf(params, sizeof(params),
		       "\"name\":\"wreck\",\"arguments\":{\"a\":2},\"inputResponses\":{\"%s\":" YES
		       "},\"requestState\":\"%s\"",
		       f->id, sealed);
	call_modern(f, params, ELICIT);
	test_expect_error(f->t, "1", -32602, "requestState");
	assert_int_equal(f->runs, 0);
}

static void test_modern_page_meanwhile(void **state)
{
	struct fixture *f = *state;
	char sealed[4096];

	open_page(f);
	call_modern(f, "\"name\":\"wreck\"", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	retry(f, "wreck", f->id, NO, sealed); /* too late: the first answer wins */
	expect_text(f, 1, "wrecked");
	expect_request(f, "used", "page");
	call_modern(f, "\"name\":\"wreck\"", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	retry(f, "wreck", f->id, YES, sealed);
	expect_fault(f, 1, "CONSENT_DECLINED");
	assert_int_equal(f->runs, 1);
}

/* The consent was given, then the handler asked something: it counts for the retry, once. */
static void test_modern_rounds(void **state)
{
	struct fixture *f = *state;
	char sealed[4096], second[4096];

	call_modern(f, "\"name\":\"apply_and_ask\"", ELICIT);
	expect_input_required(f, sealed, sizeof(sealed));
	retry(f, "apply_and_ask", f->id, YES, sealed);
	test_expect(f->t, "{\"id\":1,\"result\":{\"inputRequests\":{\"who\":\"<object>\"},"
			  "\"requestState\":\"<string>\",\"resultType\":\"input_required\","
			  "\"_meta\":\"<object>\"}}");
	test_member(f->t, "result/requestState", second, sizeof(second));
	assert_int_equal(f->runs, 0);
	retry(f, "apply_and_ask", "who", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}",
	      second);
	expect_text(f, 1, "Ann");
	expect_request(f, "used", "elicitation");
	retry(f, "apply_and_ask", "who", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}",
	      second);
	expect_input_required(f, sealed, sizeof(sealed));
	assert_int_equal(f->runs, 1);
}

static void test_legacy_rounds(void **state)
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"apply_and_ask\"");
	expect_form(f, 1);
	answer(f, 1, YES);
	test_expect(f->t, "{\"id\":2,\"method\":\"elicitation/create\",\"...\":0}");
	test_turn_clock(f->t, 2 * TN_CONSENT_KEPT_MS); /* what it runs by is not forgotten */
	test_run(f->t, 5);
	answer(f, 2, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}");
	expect_text(f, 1, "Ann");
	assert_int_equal(f->runs, 1);
}

/* ---- time, cancellation, caps ---- */

static void test_timeout(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	set_policy(f, "{\"timeout_s\": 1}");
	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	(void)test_modern(f->t, "2", "tools/call", "\"name\":\"wreck\",\"arguments\":{\"a\":1}",
			  NULL, NULL);
	test_turn_clock(f->t, 1000);
	test_run_until_sent(f->t);
	test_expect(f->t, "{\"id\":2,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
			  "\"error\":\"CONSENT_TIMEOUT\",\"...\":0},\"isError\":true,\"...\":0}}");
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	expect_fault(f, 1, "CONSENT_TIMEOUT");
	expect_request(f, "expired", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_EXPIRED);
	assert_int_equal(f->runs, 0);
}

static void test_approval_expires(void **state)
{
	struct fixture *f = *state;

	tn_consent_set_timeout(f->t->server, 5000);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	expect_request(f, "pending", NULL);
	test_turn_clock(f->t, 4000);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	test_turn_clock(f->t, 4999); /* counted from the approval */
	expect_request(f, "approved", "terminal");
	test_turn_clock(f->t, 1);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 0);
	expect_request(f, "pending", NULL);
	test_turn_clock(f->t, 2 * TN_CONSENT_KEPT_MS);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_EXPIRED);
	test_turn_clock(f->t, 2 * TN_CONSENT_KEPT_MS);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_NOT_FOUND);
	expect_no_requests(f);
}

static void test_cancelled(void **state)
{
	struct fixture *f = *state;
	struct test_exchange *x;

	open_page(f);
	test_initialize(f->t, "2025-11-25", ELICIT);
	x = call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			      "\"params\":{\"requestId\":1}}");
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	assert_int_equal(x->end, TEST_CANCELLED);
	expect_no_requests(f);
	set_policy(f, "{\"elicitation\":\"never\"}");
	x = call_legacy(f, 2, "\"name\":\"wreck\"");
	test_gone(x); /* the connection is lost while a person is waited for */
	expect_no_requests(f);
	x = test_modern(f->t, "3", "tools/call", "\"name\":\"wreck\"", NULL, NULL);
	assert_int_equal(tn_consent_pending(f->t->server), 1);
	test_gone(x);
	expect_no_requests(f);
	(void)call_legacy(f, 4, "\"name\":\"wreck\"");
	test_reconnect(f->t); /* the peer itself goes */
	expect_no_requests(f);
	assert_int_equal(f->runs, 0);
}

/* One client's questions do not keep another one out; nobody has all there are. */
static void test_caps_of_clients(void **state)
{
	struct fixture *f = *state;
	const size_t shared = TN_CONSENT_PENDING_MAX - TN_CONSENT_PENDING_KEPT;
	char params[256];

	for (size_t i = 0; i < shared; i++) {
		f->t->peer->owner = (int64_t)(1000 + i / (TN_CONSENT_PENDING_OWN_MAX - 1));
		(void)snprintf(params, sizeof(params),
			       "\"name\":\"wreck\",\"arguments\":{\"a\":%zu}", i);
		call_modern(f, params, NULL);
		expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	}
	assert_int_equal(tn_consent_pending(f->t->server), shared);
	call_modern(f, "\"name\":\"wreck\",\"arguments\":{\"b\":1}", NULL); /* it has some */
	test_expect(
		f->t,
		"{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{\"error\":"
		"\"CONSENT_UNAVAILABLE\",\"message\":\"<has of all clients>\",\"retryable\":true},"
		"\"isError\":true,\"...\":0}}");
	assert_int_equal(tn_consent_pending(f->t->server), shared);
	f->t->peer->owner = 5; /* it has none */
	call_modern(f, "\"name\":\"wreck\",\"arguments\":{\"b\":1}", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(tn_consent_pending(f->t->server), shared + 1);
}

static void test_caps(void **state)
{
	struct fixture *f = *state;
	char params[256];

	for (size_t i = 0; i < TN_CONSENT_PENDING_OWN_MAX; i++) {
		(void)snprintf(params, sizeof(params),
			       "\"name\":\"wreck\",\"arguments\":{\"a\":%zu}", i);
		call_modern(f, params, NULL);
		expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	}
	expect_request(f, "pending", NULL);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	test_expect(
		f->t,
		"{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{\"error\":"
		"\"CONSENT_UNAVAILABLE\",\"message\":\"<has 16 requests>\",\"retryable\":true},"
		"\"isError\":true,\"...\":0}}");
	assert_int_equal(tn_consent_pending(f->t->server), TN_CONSENT_PENDING_OWN_MAX);
	assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
	call_modern(f, "\"name\":\"wreck\"", NULL);
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(tn_consent_pending(f->t->server), TN_CONSENT_PENDING_OWN_MAX);
	for (size_t i = 0; i < 2 * TN_CONSENT_KEPT_MAX; i++) { /* decided ones make room */
		expect_request(f, "pending", NULL);
		assert_int_equal(decide(f, TN_DENIED, "page"), TENON_OK);
		call_modern(f, "\"name\":\"wreck\"", NULL);
		expect_fault(f, 1, "CONSENT_DECLINED");
		call_modern(f, "\"name\":\"wreck\"", NULL);
		expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	}
	assert_int_equal(f->runs, 0);
}

/* The server stops: nobody waits for a person who will not come. */
static void test_draining(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	(void)call_legacy(f, 2, "\"name\":\"apply\"");
	test_expect_nothing(f->t);
	f->t->server->stopping = true;
	tn_consent_drain(f->t->server);
	expect_fault(f, 2, "CONSENT_UNAVAILABLE");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	(void)call_legacy(f, 3, "\"name\":\"apply\""); /* it came before, and asks only now */
	expect_fault(f, 3, "CONSENT_UNAVAILABLE");
	f->t->server->stopping = false;
	expect_no_requests(f);
	assert_int_equal(f->runs, 0);
}

static void test_closing(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", ELICIT);
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_form(f, 1);
	tn_consent_close(f->t->server);
	test_expect(f->t, "{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
	expect_fault(f, 1, "CONSENT_UNAVAILABLE");
	assert_int_equal(f->runs, 0);
}

/* ---- tasks, other methods ---- */

static void test_task_2025(void **state)
{
	struct fixture *f = *state;

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck_task\",\"task\":{}");
	test_expect(f->t, "{\"id\":1,\"result\":{\"task\":{\"status\":\"working\",\"...\":0}}}");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "page"), TENON_OK);
	assert_int_equal(f->runs, 1);
	expect_request(f, "used", "page");
}

static void test_task_cancelled(void **state)
{
	struct fixture *f = *state;
	char id[64];

	open_page(f);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck_task\",\"task\":{}");
	test_expect(f->t, "{\"id\":1,\"result\":{\"task\":{\"status\":\"working\",\"...\":0}}}");
	test_member(f->t, "result/task/taskId", id, sizeof(id));
	(void)test_sendf(f->t,
			 "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/cancel\",\"params\":{"
			 "\"taskId\":\"%s\"}}",
			 id);
	assert_non_null(test_next(f->t)); /* its new status */
	expect_no_requests(f);
	assert_int_equal(f->runs, 0);
}

static void test_resource(void **state) /* no tool: an error with the same object as data */
{
	struct fixture *f = *state;

	test_initialize(f->t, "2025-11-25", "{}");
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\","
			      "\"params\":{\"uri\":\"test://guarded\"}}");
	test_expect(f->t, "{\"id\":1,\"error\":{\"code\":-32603,\"message\":\"<string>\",\"data\":{"
			  "\"error\":\"CONSENT_UNAVAILABLE\",\"...\":0}}}");
	expect_request(f, "pending", NULL);
	assert_int_equal(decide(f, TN_APPROVED, "terminal"), TENON_OK);
	(void)test_send(f->t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\","
			      "\"params\":{\"uri\":\"test://guarded\"}}");
	test_expect(f->t, "{\"id\":2,\"result\":\"<object>\"}");
}

static void test_without_policy(void **state) /* a server of somebody else's */
{
	struct fixture *f = *state;

	tn_consent_close(f->t->server);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"wreck\"");
	expect_text(f, 1, "wrecked");
	(void)call_legacy(f, 2, "\"name\":\"apply\"");
	expect_text(f, 2, "applied");
}

static void test_bad_policy_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct tenon_error err;

	set_policy(f, "{\"default\":\"deny\"}");
	assert_int_equal(tn_consent_set_policy(f->t->server, "{\"default\":\"alow\"}", &err),
			 TENON_INVALID);
	test_initialize(f->t, "2025-11-25", "{}");
	(void)call_legacy(f, 1, "\"name\":\"look\"");
	expect_fault(f, 1, "DENIED_BY_POLICY");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_not_asked),
		TEST(test_denied),
		TEST(test_environment),
		TEST(test_page_approves),
		TEST(test_page_approves_modern),
		TEST(test_page_denies),
		TEST(test_equal_calls),
		TEST(test_page_opens_later),
		TEST(test_unavailable),
		TEST(test_denied_later),
		TEST(test_another_principal),
		TEST(test_bytes_count),
		TEST(test_bytes_change_while_waiting),
		TEST(test_what_is_shown),
		TEST(test_asked_twice),
		TEST(test_legacy_elicitation),
		TEST(test_legacy_nonsense_is_no_approval),
		TEST(test_legacy_both),
		TEST(test_legacy_client_fails),
		TEST(test_legacy_mute),
		TEST(test_elicitation_does_not_count),
		TEST(test_own_command_line),
		TEST(test_page_and_elicitation_of_act),
		TEST(test_modern_elicitation),
		TEST(test_modern_forged),
		TEST(test_modern_changed_arguments),
		TEST(test_modern_page_meanwhile),
		TEST(test_modern_rounds),
		TEST(test_legacy_rounds),
		TEST(test_timeout),
		TEST(test_approval_expires),
		TEST(test_page_then_roots),
		TEST(test_nobody_left),
		TEST(test_switched_off_meanwhile),
		TEST(test_cancelled),
		TEST(test_caps),
		TEST(test_caps_of_clients),
		TEST(test_draining),
		TEST(test_closing),
		TEST(test_task_2025),
		TEST(test_task_cancelled),
		TEST(test_resource),
		TEST(test_without_policy),
		TEST(test_bad_policy_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
