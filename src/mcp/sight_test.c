/* What a caller sees of a server with several apps: those of its path, those that are on, what is
 * for persons only; and a server that is switched off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/scope.h"
#include "mcp/test_fixtures.h"

/* ---- two apps, and a tool of none ---- */

static void say(struct tenon_call *call, void *data)
{
	tenon_call_reply_text(call, data ? data : "nothing");
}

static void complete(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_completion(call, "one");
	tenon_call_finish(call);
}

static const struct tenon_tool red_tool = {.name = "red_paint", .call = say};
static const struct tenon_tool blue_tool = {.name = "blue_paint", .call = say};
static const struct tenon_tool blue_task = {
	.name = "blue_task",
	.call = say,
	.task_support = TENON_TASK_OPTIONAL,
	.beyond_core = true,
};
static const struct tenon_tool blue_person = {
	.name = "blue_approve", .call = say, .person_only = true};
static const struct tenon_resource red_resource = {
	.uri = "color://red", .name = "red", .read = say, .size_bytes = -1};
static const struct tenon_resource blue_resource = {
	.uri = "color://blue", .name = "blue", .read = say, .size_bytes = -1};
static const struct tenon_resource_template blue_template = {
	.uri_template = "blue://{shade}", .name = "shade", .read = say, .complete = complete};
static const struct tenon_prompt blue_prompt = {
	.name = "blue_mood", .get = say, .complete = complete};

static const struct tenon_tool *const red_tools[] = {&red_tool, NULL};
static const struct tenon_tool *const blue_tools[] = {&blue_tool, &blue_task, &blue_person, NULL};
static const struct tenon_resource *const red_resources[] = {&red_resource, NULL};
static const struct tenon_resource *const blue_resources[] = {&blue_resource, NULL};
static const struct tenon_resource_template *const blue_templates[] = {&blue_template, NULL};
static const struct tenon_prompt *const blue_prompts[] = {&blue_prompt, NULL};

static const struct tenon_app red = {.name = "red",
				     .instructions = "Red is warm.",
				     .tools = red_tools,
				     .resources = red_resources};
static const struct tenon_app blue = {.name = "blue",
				      .instructions = "Blue is cold.",
				      .tools = blue_tools,
				      .resources = blue_resources,
				      .templates = blue_templates,
				      .prompts = blue_prompts};

static int set_up(void **state)
{
	static const struct tenon_server_options options = {
		.name = "test", .version = "1.2", .instructions = "Colors.", .list_public = true};
	static const struct tenon_tool common = {.name = "common", .call = say};
	struct test_peer *t = test_peer_create(&options);

	assert_int_equal(tenon_server_add_app(t->server, &red, NULL), TENON_OK);
	test_add_tools(t, &common, 1);
	assert_int_equal(tenon_server_add_app(t->server, &blue, NULL), TENON_OK);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	test_peer_destroy(*state);
	return 0;
}

static uint32_t bit_of(const struct test_peer *t, const char *app)
{
	uint32_t bit = tn_server_app_bit(t->server, tn_str_from(app));

	assert_true(bit != 0);
	return bit;
}

/* The names of a list, as "a b c". */
static void expect_list(struct test_peer *t, const char *method, const char *member,
			const char *names)
{
	char seen[512] = "";
	const char *at, *json;

	(void)test_modern(t, "1", method, "", NULL, NULL);
	json = test_next(t);
	assert_non_null(json);
	at = strstr(json, member);
	assert_non_null(at);
	while ((at = strstr(at, "\"name\":\"")) != NULL) {
		at += 8;
		if (strncmp(at, "test\"", 5) != 0) /* serverInfo */
			(void)snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s%.*s",
				       seen[0] ? " " : "", (int)strcspn(at, "\""), at);
	}
	assert_string_equal(seen, names);
}

static void expect_call(struct test_peer *t, const char *tool, bool known)
{
	char params[128];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\"", tool);
	(void)test_modern(t, "2", "tools/call", params, NULL, NULL);
	if (known)
		test_expect(t, "{\"id\":2,\"result\":\"<object>\"}");
	else
		test_expect_error(t, "2", -32602, "Unknown tool: ");
}

static void expect_read(struct test_peer *t, const char *uri, bool known)
{
	char params[128];

	(void)snprintf(params, sizeof(params), "\"uri\":\"%s\"", uri);
	(void)test_modern(t, "3", "resources/read", params, NULL, NULL);
	if (known)
		test_expect(t, "{\"id\":3,\"result\":\"<object>\"}");
	else
		test_expect_error(t, "3", -32602, "Resource not found");
}

/* ---- a path's apps ---- */

static void test_all(void **state)
{
	struct test_peer *t = *state;

	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
	expect_list(t, "resources/list", "resources", "red blue");
	expect_list(t, "prompts/list", "prompts", "blue_mood");
	t->peer->apps = bit_of(t, "red") | bit_of(t, "blue"); /* all of them by name */
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
}

static void test_one_app(void **state)
{
	struct test_peer *t = *state;

	t->peer->apps = bit_of(t, "blue");
	expect_list(t, "tools/list", "tools", "common blue_paint blue_task");
	expect_list(t, "resources/list", "resources", "blue");
	expect_list(t, "resources/templates/list", "resourceTemplates", "shade");
	expect_call(t, "blue_paint", true);
	expect_call(t, "common", true);
	expect_call(t, "red_paint", false);
	expect_read(t, "color://blue", true);
	expect_read(t, "blue://navy", true);
	expect_read(t, "color://red", false);
	t->peer->apps = bit_of(t, "red");
	expect_read(t, "blue://navy", false);
	expect_call(t, "blue_paint", false);
}

static void test_core(void **state)
{
	struct test_peer *t = *state;

	t->peer->apps = TN_APPS_CORE; /* of all apps */
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint");
	expect_list(t, "resources/list", "resources", "red blue");
	expect_call(t, "blue_paint", true);
	expect_call(t, "blue_task", true); /* HO-010: listed or not */
	t->peer->apps = TN_APPS_CORE | bit_of(t, "blue");
	expect_list(t, "tools/list", "tools", "common blue_paint");
	expect_call(t, "blue_task", true);
	expect_call(t, "red_paint", false);
	t->peer->apps = 0; /* the pages of others are as before */
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
	expect_call(t, "blue_task", true);
}

/* What red does not have is not there: neither method nor capability. */
static void test_features_of_one_app(void **state)
{
	struct test_peer *t = *state;

	t->peer->apps = bit_of(t, "red");
	(void)test_modern(t, "1", "prompts/list", "", NULL, NULL);
	test_expect_error(t, "1", -32601, "Method not found");
	(void)test_modern(t, "2", "completion/complete",
			  "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"blue_mood\"},\"argument\":{"
			  "\"name\":\"x\",\"value\":\"\"}",
			  NULL, NULL);
	test_expect_error(t, "2", -32601, "Method not found");
	(void)test_modern(t, "3", "server/discover", "", NULL, NULL);
	test_expect(t, "{\"id\":3,\"result\":{\"supportedVersions\":\"<array>\",\"capabilities\":{"
		       "\"logging\":{},\"resources\":\"<object>\",\"tools\":\"<object>\"},"
		       "\"instructions\":\"Colors. Red is warm.\",\"...\":0}}");
	t->peer->apps = bit_of(t, "blue");
	(void)test_modern(t, "4", "server/discover", "", NULL, NULL);
	test_expect(t, "{\"id\":4,\"result\":{\"supportedVersions\":\"<array>\",\"capabilities\":{"
		       "\"logging\":{},\"completions\":{},\"prompts\":\"<object>\",\"resources\":"
		       "\"<object>\",\"tools\":\"<object>\",\"extensions\":\"<object>\"},"
		       "\"instructions\":\"Colors. Blue is cold.\",\"...\":0}}");
}

static void test_instructions(void **state)
{
	struct test_peer *t = *state;

	test_initialize(t, "2025-11-25", NULL);
	test_reconnect(t);
	t->peer->apps = bit_of(t, "red");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
			   "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
			   "\"name\":\"Ada\",\"version\":\"7\"}}}");
	test_expect(t, "{\"id\":1,\"result\":{\"capabilities\":{\"logging\":{},\"resources\":"
		       "\"<object>\",\"tools\":\"<object>\"},\"instructions\":\"Colors. Red is "
		       "warm.\",\"...\":0}}");
	assert_string_equal(t->peer->client_name, "Ada");
	assert_string_equal(t->peer->client_version, "7");
}

static void test_subscriptions(void **state)
{
	struct test_peer *t = *state;

	t->peer->apps = bit_of(t, "red");
	(void)test_modern(
		t, "1", "subscriptions/listen",
		"\"notifications\":{\"promptsListChanged\":true,\"toolsListChanged\":true,"
		"\"resourceSubscriptions\":[\"color://red\",\"color://blue\"]}",
		NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		       "\"_meta\":\"<object>\",\"notifications\":{\"toolsListChanged\":true,"
		       "\"resourceSubscriptions\":[\"color://red\"]}}}");
	tenon_server_resource_updated(t->server, "color://blue");
	test_expect_nothing(t);
	tenon_server_resource_updated(t->server, "color://red");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":\"<object>\"}");
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"color://blue\"}}");
	test_expect_error(t, "2", -32002, "Resource not found");
}

/* ---- an app is switched off ---- */

static void test_off(void **state)
{
	struct test_peer *t = *state;

	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
	test_run(t, 100); /* what was added has been told */
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"color://red\"}}");
	test_expect(t, "{\"id\":5,\"result\":{}}");
	assert_false(tn_server_set_app_off(t->server, "green", true));
	assert_true(tn_server_set_app_off(t->server, "red", true));
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/tools/list_changed\"}");
	test_expect(t, "{\"method\":\"notifications/resources/list_changed\"}");
	test_expect_nothing(t); /* it has no prompts */
	assert_int_equal(tn_server_app_bit(t->server, TN_STR("red")), 0);
	expect_list(t, "tools/list", "tools", "common blue_paint blue_task");
	expect_list(t, "resources/list", "resources", "blue");
	expect_call(t, "red_paint", false);
	expect_read(t, "color://red", false);
	tenon_server_resource_updated(t->server, "color://red");
	test_expect_nothing(t);
	assert_true(tn_server_set_app_off(t->server, "red", true)); /* it is already */
	assert_true(tn_server_set_app_off(t->server, "red", false));
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/tools/list_changed\"}");
	test_expect(t, "{\"method\":\"notifications/resources/list_changed\"}");
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
	expect_call(t, "red_paint", true);
}

static void test_too_many_apps(void **state)
{
	static const struct tenon_app empty = {.name = "empty"};
	struct test_peer *t = *state;
	struct tenon_error err;

	for (unsigned i = 2; i < TN_APPS_MAX; i++)
		assert_int_equal(tenon_server_add_app(t->server, &empty, &err), TENON_OK);
	assert_int_equal(tenon_server_add_app(t->server, &empty, &err), TENON_LIMIT);
	assert_string_equal(err.message, "more than 30 apps");
}

/* ---- persons ---- */

static void test_person_only(void **state)
{
	struct test_peer *t = *state;

	expect_call(t, "blue_approve", false);
	t->peer->person = true;
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task blue_approve");
	expect_call(t, "blue_approve", true);
	t->peer->apps = bit_of(t, "red");
	expect_call(t, "blue_approve", false);
	t->peer->apps = 0;
	t->peer->person = false;
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
}

/* MCP-188: a list that differs from caller to caller is never a public one. */
static void test_person_lists_are_private(void **state)
{
	struct test_peer *t = *state;

	(void)test_modern(t, "1", "resources/list", "", NULL, NULL);
	test_expect_complete(t, "1",
			     "\"resources\":\"<array>\",\"ttlMs\":0,\"cacheScope\":\"private\"");
}

/* ---- what belongs to somebody ---- */

/* The lists of both eras, and what can be read and followed, for the principal of this moment. */
static void expect_owned(struct test_peer *t, const char *list, const char *seen,
			 const char *hidden)
{
	expect_list(t, "resources/list", "resources", list);
	expect_read(t, seen, true);
	expect_read(t, hidden, false);
}

static void add_owned(struct test_peer *t, const char *uri, const char *owner, bool told)
{
	const struct tenon_resource resource = {
		.uri = uri, .name = uri, .owner = owner, .read = say, .size_bytes = -1};

	assert_int_equal(tn_server_add_resource_of(t->server, &blue, &resource, told, NULL),
			 TENON_OK);
}

static void become(struct test_peer *t, const char *principal)
{
	(void)snprintf(t->peer->principal, sizeof(t->peer->principal), "%s", principal);
}

static void test_owner(void **state) /* terminal.md 2: every use is checked against the owner */
{
	struct test_peer *t = *state;

	add_owned(t, "own://ada", "ada", false);
	add_owned(t, "own://bob", "bob", false);
	become(t, "ada");
	expect_owned(t, "red blue own://ada", "own://ada", "own://bob");
	become(t, "bob");
	expect_owned(t, "red blue own://bob", "own://bob", "own://ada");
	become(t, "eve");
	expect_list(t, "resources/list", "resources", "red blue");
	expect_read(t, "own://ada", false);
	expect_read(t, "color://red", true);
}

static void test_owner_legacy(void **state)
{
	struct test_peer *t = *state;

	add_owned(t, "own://ada", "ada", false);
	add_owned(t, "own://bob", "bob", false);
	become(t, "ada");
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}");
	test_expect(t, "{\"id\":2,\"result\":{\"resources\":[{\"name\":\"red\",\"...\":0},"
		       "{\"name\":\"blue\",\"...\":0},{\"name\":\"own://ada\",\"...\":0}],"
		       "\"...\":0}}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/read\","
			   "\"params\":{\"uri\":\"own://bob\"}}");
	test_expect_error(t, "3", -32002, "Resource not found");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"own://bob\"}}");
	test_expect_error(t, "4", -32002, "Resource not found");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"own://ada\"}}");
	test_expect(t, "{\"id\":5,\"result\":{}}");
	tenon_server_resource_updated(t->server, "own://bob");
	test_expect_nothing(t);
	tenon_server_resource_updated(t->server, "own://ada");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":\"<object>\"}");
}

/* A subscription to what belongs to somebody else is not acknowledged. */
static void test_owner_listener(void **state)
{
	struct test_peer *t = *state;

	add_owned(t, "own://ada", "ada", false);
	add_owned(t, "own://bob", "bob", false);
	become(t, "ada");
	(void)test_modern(t, "1", "subscriptions/listen",
			  "\"notifications\":{\"resourceSubscriptions\":[\"own://ada\","
			  "\"own://bob\"]}",
			  NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		       "\"_meta\":\"<object>\",\"notifications\":{"
		       "\"resourceSubscriptions\":[\"own://ada\"]}}}");
	tenon_server_resource_updated(t->server, "own://bob");
	test_expect_nothing(t);
	tenon_server_resource_updated(t->server, "own://ada");
	test_expect(t, "{\"method\":\"notifications/resources/updated\",\"params\":\"<object>\"}");
}

/* Sessions are news for those who keep lists, commands are not. */
static void test_quiet_and_told(void **state)
{
	struct test_peer *t = *state;

	test_run(t, 100); /* what was added has been told */
	test_initialize(t, "2025-11-25", NULL);
	add_owned(t, "own://quiet", NULL, false);
	test_run(t, 100);
	test_expect_nothing(t);
	add_owned(t, "own://told", NULL, true);
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/resources/list_changed\"}");
	tn_server_remove_resource_of(t->server, "own://quiet", false);
	test_run(t, 100);
	test_expect_nothing(t);
	expect_read(t, "own://quiet", false);
	expect_read(t, "own://told", true);
	tn_server_remove_resource_of(t->server, "own://told", true);
	test_run_until_sent(t);
	test_expect(t, "{\"method\":\"notifications/resources/list_changed\"}");
	tn_server_remove_resource_of(t->server, "own://told", true); /* it has gone */
	test_run(t, 100);
	test_expect_nothing(t);
	expect_list(t, "resources/list", "resources", "red blue");
}

/* ---- switched off ---- */

#define DISABLED "{\"error\":\"SERVER_DISABLED\",\"message\":\"<string>\",\"retryable\":true}"

static void test_disabled(void **state) /* ST-008 */
{
	static const struct {
		const char *method, *params;
	} refused[] = {
		{"resources/read", "\"uri\":\"color://red\""},
		{"resources/read", "\"uri\":\"blue://navy\""},
		{"prompts/get", "\"name\":\"blue_mood\""},
		{"completion/complete",
		 "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"blue_mood\"},\"argument\":{"
		 "\"name\":\"x\",\"value\":\"\"}"},
	};
	struct test_peer *t = *state;

	t->server->disabled = true;
	(void)test_modern(t, "1", "tools/call", "\"name\":\"common\"", NULL, NULL);
	test_expect(t,
		    "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":" DISABLED
		    ",\"isError\":true,\"...\":0}}");
	for (size_t i = 0; i < TN_COUNT(refused); i++) {
		(void)test_modern(t, "2", refused[i].method, refused[i].params, NULL, NULL);
		test_expect(t, "{\"id\":2,\"error\":{\"code\":-32603,\"message\":\"<string>\","
			       "\"data\":" DISABLED "}}");
	}
	expect_list(t, "tools/list", "tools", "red_paint common blue_paint blue_task");
	test_initialize(t, "2025-11-25", NULL);
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}");
	test_expect(t, "{\"id\":3,\"result\":{}}");
	t->peer->person = true;
	expect_call(t, "common", true);
	t->peer->person = false;
	t->server->disabled = false; /* at once */
	expect_call(t, "common", true);
	expect_read(t, "color://red", true);
}

/* A call that was there before goes on. */
static void test_disabled_while_it_runs(void **state)
{
	static const struct tenon_server_options options = {.name = "test", .version = "1"};
	struct test_peer *t = test_peer_create(&options);

	(void)state;
	test_add_fixtures(t);
	(void)test_modern(t, "1", "tools/call", "\"name\":\"hold\"", NULL, NULL);
	t->server->disabled = true;
	test_finish_held(t, 0, "done");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"text\":\"done\",\"...\":0}],"
		       "\"...\":0}}");
	test_peer_destroy(t);
}

/* ---- who is on a connection ---- */

static void test_modern_client(void **state)
{
	struct test_peer *t = *state;

	assert_int_equal(t->peer->spoken, TN_REVISION_NONE);
	(void)test_modern(t, "1", "tools/list", "", NULL,
			  "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"Ada\",\"version\":"
			  "\"1.2\"}");
	assert_non_null(test_next(t));
	assert_string_equal(t->peer->client_name, "Ada");
	assert_string_equal(t->peer->client_version, "1.2");
	assert_int_equal(t->peer->spoken, TN_R5);
	assert_int_equal(t->peer->revision, TN_REVISION_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_app, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_core, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_features_of_one_app, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_instructions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_subscriptions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_apps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_person_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_person_lists_are_private, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_owner, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_owner_legacy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_owner_listener, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_quiet_and_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_disabled, set_up, tear_down),
		cmocka_unit_test(test_disabled_while_it_runs),
		cmocka_unit_test_setup_teardown(test_modern_client, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
