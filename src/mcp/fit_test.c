/* Which forms of a result each host is sent (hosts.md HO-002): every profile, the list and results,
 * and who decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/test_fixtures.h"

static const struct tn_fit_rule rules[] = {
	{"texts", {2, 1, 0}, {3, 0, 0}, TN_FIT_TEXT},
	{"texts", {3, 0, 0}, {0, 0, 0}, TN_FIT_IMAGE_ALONE},
	{"cli-*", {0, 5, 0}, {0, 0, 0}, TN_FIT_TEXT},
};

static const char *const told_by_setting[] = {"other=structured", "set-*=text", "no rule", NULL};

/* ---- the tools ---- */

#define OUTPUT \
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"

static const char value[] = "{\"n\":3}";

/* A text, the value, and another text. */
static void plain(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "three", TENON_TEXT);
	if (tn_call_sends_structured(call))
		tenon_call_set_structured(call, value, TENON_TEXT);
	tenon_call_add_text(call, "more", TENON_TEXT);
	tenon_call_annotate(call, "assistant", -1);
	tenon_call_finish(call);
}

static void bare(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_structured(call, value, TENON_TEXT);
	tenon_call_finish(call);
}

static void picture(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "three", TENON_TEXT);
	tenon_call_add_image(call, "image/png", "\x01\x02\x03", 3);
	tenon_call_add_text(call, "more", TENON_TEXT);
	tenon_call_set_structured(call, value, TENON_TEXT);
	tenon_call_finish(call);
}

static void fault(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_error(call);
	tenon_call_add_text(call, "no three", TENON_TEXT);
	tenon_call_set_structured(call, "{\"error\":\"NO\"}", TENON_TEXT);
	tenon_call_finish(call);
}

/* Says whether a model reads it, and whether it has to be built. */
static void lean(struct tenon_call *call, void *state)
{
	struct tn_buf structured;

	(void)state;
	tn_call_begin_structured(call, &structured);
	tenon_call_add_text(call,
			    structured.unwanted     ? "unwanted"
			    : tn_call_is_lean(call) ? "lean"
						    : "whole",
			    TENON_TEXT);
	tn_buf_finish(&structured);
	tenon_call_finish(call);
}

static int setup(void **state)
{
	static const struct tenon_tool tools[] = {
		{.name = "plain", .output_schema = OUTPUT, .call = plain},
		{.name = "bare", .output_schema = OUTPUT, .call = bare},
		{.name = "picture",
		 .output_schema = OUTPUT,
		 .flags = TENON_GIVES_PICTURES,
		 .call = picture},
		{.name = "lean", .call = lean},
		{.name = "fault", .output_schema = OUTPUT, .call = fault},
	};
	struct test_peer *t;

	if (test_peer_setup(state) != 0)
		return -1;
	t = *state;
	test_add_tools(t, tools, TN_COUNT(tools));
	t->server->fit_rules = rules;
	t->server->fit_rule_count = TN_COUNT(rules);
	return 0;
}

/* ---- all profiles ---- */

#define TEXT(words) "{\"type\":\"text\",\"text\":\"" words "\"}"
#define MORE "{\"type\":\"text\",\"text\":\"more\",\"annotations\":{\"audience\":[\"assistant\"]}}"
#define IMAGE "{\"type\":\"image\",\"data\":\"AQID\",\"mimeType\":\"image/png\"}"
#define JSON_TEXT TEXT("{\\\"n\\\":3}")
#define VALUE ",\"structuredContent\":{\"n\":3}"
#define ERROR ",\"structuredContent\":{\"error\":\"NO\"}"

static const struct {
	bool plain_schema, picture_schema;
	const char *plain, *bare, *picture, *fault;
} seen[TN_FIT_KINDS] = {
	[TN_FIT_BOTH] = {true, true, "[" TEXT("three") "," MORE "]" VALUE, "[" JSON_TEXT "]" VALUE,
			 "[" TEXT("three") "," IMAGE "," TEXT("more") "]" VALUE,
			 "[" TEXT("no three") "]" ERROR},
	[TN_FIT_TEXT] = {false, false, "[" TEXT("three") "," MORE "]", "[" JSON_TEXT "]",
			 "[" TEXT("three") "," IMAGE "," TEXT("more") "]",
			 "[" TEXT("no three") "]"},
	[TN_FIT_STRUCTURED] = {true, true, "[]" VALUE, "[]" VALUE, "[" IMAGE "]" VALUE,
			       "[" TEXT("no three") "]" ERROR},
	[TN_FIT_IMAGE_ALONE] = {true, false, "[" TEXT("three") "," MORE "]" VALUE,
				"[" JSON_TEXT "]" VALUE,
				"[" TEXT("three") "," IMAGE "," TEXT("more") "]",
				"[" TEXT("no three") "]" ERROR},
};

static const char *const revisions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

static void expect_call(struct test_peer *t, const char *name, const char *content, bool error)
{
	(void)test_sendf(t,
			 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
			 "\"name\":\"%s\"}}",
			 name);
	test_expectf(t, "{\"id\":1,\"result\":{\"content\":%s%s}}", content,
		     error ? ",\"isError\":true" : "");
}

/* MCP-225: a schema is listed where, and only where, structured content comes. */
static void expect_schema(struct test_peer *t, const char *name, bool wanted)
{
	char start[64];
	const char *at, *end;

	(void)snprintf(start, sizeof(start), "{\"name\":\"%s\",", name);
	at = strstr(t->shown->json, start);
	assert_non_null(at);
	end = strstr(at + 1, "{\"name\":\"");
	at = strstr(at, "\"outputSchema\"");
	assert_int_equal(at && (!end || at < end), wanted);
}

static void test_profiles(void **state) /* HO-002, MCP-225 */
{
	struct test_peer *t = *state;

	for (unsigned fit = 0; fit < TN_FIT_KINDS; fit++) {
		t->peer->fit_told = (struct tn_fit_choice){(enum tn_fit)fit, "connection"};
		test_initialize(t, "2025-11-25", NULL);
		(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
		test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
		expect_schema(t, "plain", seen[fit].plain_schema);
		expect_schema(t, "picture", seen[fit].picture_schema);
		expect_call(t, "plain", seen[fit].plain, false);
		expect_call(t, "bare", seen[fit].bare, false);
		expect_call(t, "picture", seen[fit].picture, false);
		expect_call(t, "fault", seen[fit].fault, true);
		test_reconnect(t);
	}
}

/* What these cannot read they get as text in every profile. */
static void test_old_revisions(void **state) /* MCP-026 */
{
	struct test_peer *t = *state;

	for (unsigned fit = 0; fit < TN_FIT_KINDS; fit++) {
		for (size_t i = 0; i < 2; i++) {
			t->peer->fit_told = (struct tn_fit_choice){(enum tn_fit)fit, "connection"};
			test_initialize(t, revisions[i], NULL);
			expect_call(t, "bare", "[" JSON_TEXT "]", false);
			expect_call(t, "picture", seen[TN_FIT_TEXT].picture, false);
			test_reconnect(t);
		}
	}
}

/* A value that is no object: only the newest revision has it as structured content. */
static void test_no_object(void **state) /* MCP-026 */
{
	struct test_peer *t = *state;

	t->peer->fit_told = (struct tn_fit_choice){TN_FIT_STRUCTURED, "connection"};
	test_initialize(t, "2025-11-25", NULL);
	expect_call(t, "list", "[\"<any>\"]", false);
	assert_null(strstr(t->shown->json, "structuredContent"));
}

/* ---- who decides ---- */

static void expect_choice(const struct test_peer *t, const struct tn_fit_client *client,
			  enum tn_fit fit, const char *by)
{
	struct tn_fit_choice choice = tn_fit_choose(t->server, client);

	assert_string_equal(choice.by, by);
	assert_int_equal(choice.fit, fit);
}

static void test_rules(void **state)
{
	static const struct {
		const char *name, *version;
		enum tn_fit fit;
	} hosts[] = {
		{"texts", "2.1.330", TN_FIT_TEXT},
		{"texts", "2.1", TN_FIT_TEXT},
		{"texts", "2.99.0-beta.1", TN_FIT_TEXT},
		{"texts", "3", TN_FIT_IMAGE_ALONE},
		{"texts", "12.0.0", TN_FIT_IMAGE_ALONE},
		{"texts", "99999999999999999999", TN_FIT_IMAGE_ALONE},
		{"cli-x", "0.5", TN_FIT_TEXT},
		{"texts", "2.0.9", TN_FIT_BOTH},
		{"texts", "", TN_FIT_BOTH},
		{"texts", "v2.1", TN_FIT_BOTH},
		{"Texts", "2.1", TN_FIT_BOTH},
		{"cli", "1", TN_FIT_BOTH},
		{"", "", TN_FIT_BOTH},
	};
	const struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(hosts); i++) {
		const struct tn_fit_client client = {.name = tn_str_from(hosts[i].name),
						     .version = tn_str_from(hosts[i].version)};

		expect_choice(t, &client, hosts[i].fit,
			      hosts[i].fit == TN_FIT_BOTH ? "default" : "client");
	}
}

/* The nearest to the user wins; persons and pages get everything, whoever says what. */
static void test_order(void **state)
{
	const struct test_peer *t = *state;
	struct tn_fit_client client = {.name = TN_STR("set-texts"), .version = TN_STR("2.1")};

	t->server->fit_settings = told_by_setting;
	expect_choice(t, &client, TN_FIT_TEXT, "setting");
	client.name = TN_STR("texts");
	expect_choice(t, &client, TN_FIT_TEXT, "client");
	client.told = (struct tn_fit_choice){TN_FIT_STRUCTURED, "connection"};
	expect_choice(t, &client, TN_FIT_STRUCTURED, "connection");
	client.abilities = TENON_CAN_SHOW_UI;
	expect_choice(t, &client, TN_FIT_BOTH, "views");
	client.person = true;
	expect_choice(t, &client, TN_FIT_BOTH, "person");
	t->server->fit_settings = NULL;
}

static void test_names(void **state)
{
	struct tn_str name;
	enum tn_fit fit;

	(void)state;
	for (unsigned i = 0; i < TN_FIT_KINDS; i++) {
		assert_true(tn_fit_find(tn_str_from(tn_fit_name((enum tn_fit)i)), &fit));
		assert_int_equal(fit, i);
		assert_non_null(strstr(TN_FIT_WORDS, tn_fit_name((enum tn_fit)i)));
	}
	assert_false(tn_fit_find(TN_STR("Text"), &fit));
	assert_true(tn_fit_split(TN_STR("a=b=text"), &name, &fit));
	assert_true(tn_str_is(name, "a=b"));
	assert_int_equal(fit, TN_FIT_TEXT);
	assert_false(tn_fit_split(TN_STR("=text"), &name, &fit));
	assert_false(tn_fit_split(TN_STR("text"), &name, &fit));
	assert_false(tn_fit_split(TN_STR("a="), &name, &fit));
	assert_false(tn_fit_split(TN_STR(""), &name, &fit));
}

/* A client of the modern era says with each request who it is, and may say it by a header. */
static void test_modern_clients(void **state)
{
	static const char *const told[][2] = {{"Tenon-Fit", "both"},
					      {"MCP-Protocol-Version", "2026-07-28"},
					      {"Mcp-Method", "tools/call"},
					      {"Mcp-Name", "plain"},
					      {NULL, NULL}};
	static const char *const wrong[][2] = {{"Tenon-Fit", "short"},
					       {"MCP-Protocol-Version", "2026-07-28"},
					       {"Mcp-Method", "tools/call"},
					       {"Mcp-Name", "plain"},
					       {NULL, NULL}};
	static const char info[] = "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"cli-x\","
				   "\"version\":\"1.0\"}";
	struct test_peer *t = *state;
	const char *text;

	(void)test_modern(t, "1", "tools/call", "\"name\":\"plain\"", NULL, info);
	test_expect_complete(t, "1", "\"content\":[\"<any>\",\"<any>\"]");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"plain\"", NULL, NULL);
	test_expect_complete(t, "2", "\"content\":[\"<any>\",\"<any>\"]" VALUE);
	text = test_modern_text(t, "3", "tools/call", "\"name\":\"plain\"", NULL, info);
	(void)test_post(t, told + 1, text);
	test_expect_complete(t, "3", "\"content\":[\"<any>\",\"<any>\"]");
	text = test_modern_text(t, "3", "tools/call", "\"name\":\"plain\"", NULL, info);
	(void)test_post(t, told, text);
	test_expect_complete(t, "3", "\"content\":[\"<any>\",\"<any>\"]" VALUE);
	text = test_modern_text(t, "3", "tools/call", "\"name\":\"plain\"", NULL, info);
	(void)test_post(t, wrong, text);
	test_expect_error(t, "3", -32600, "both, text, structured or image-alone");
}

/* HO-001, HO-003: scripts and persons get every member, and so do those that show pages. */
static void test_lean(void **state)
{
	static const struct {
		const char *way;
		struct tn_fit_choice told;
		bool person;
		unsigned abilities;
		const char *wanted;
		uint32_t apps;
	} rows[] = {
		{"http", {TN_FIT_BOTH, NULL}, false, 0, "whole", 0},
		{NULL, {TN_FIT_BOTH, NULL}, false, 0, "whole", 0},
		{"relay", {TN_FIT_BOTH, NULL}, false, 0, "lean", 0},
		{"relay", {TN_FIT_BOTH, NULL}, false, 0, "lean", TN_APPS_EVERY},
		{"relay", {TN_FIT_BOTH, NULL}, false, 0, "whole", 1},
		{"relay", {TN_FIT_BOTH, "connection"}, false, 0, "lean", 1},
		{"relay", {TN_FIT_BOTH, NULL}, true, 0, "whole", 0},
		{"relay", {TN_FIT_BOTH, NULL}, false, TENON_CAN_SHOW_UI, "whole", 0},
		{"http", {TN_FIT_BOTH, "connection"}, false, 0, "lean", 0},
		{"http", {TN_FIT_STRUCTURED, "connection"}, false, 0, "lean", 0},
		{"relay", {TN_FIT_TEXT, "connection"}, false, 0, "unwanted", 0},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		char content[64];

		t->peer->way = rows[i].way;
		t->peer->fit_told = rows[i].told;
		t->peer->person = rows[i].person;
		t->peer->apps = rows[i].apps;
		test_initialize(t, "2025-11-25", NULL);
		t->peer->abilities |= rows[i].abilities;
		(void)snprintf(content, sizeof(content), "[" TEXT("%s") "]", rows[i].wanted);
		expect_call(t, "lean", content, false);
		test_reconnect(t);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, test_peer_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_profiles),       TEST(test_old_revisions), TEST(test_no_object),
		TEST(test_rules),          TEST(test_order),         TEST(test_names),
		TEST(test_modern_clients), TEST(test_lean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
