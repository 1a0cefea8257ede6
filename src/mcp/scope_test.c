/* What the holder of one token may use (mcp.md MCP-266). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/limits.h"
#include "mcp/scope.h"
#include "mcp/test_fixtures.h"

static const struct {
	const char *pattern, *text;
	bool fits;
} patterns[] = {
	{"", "", true},         {"", "a", false},     {"a", "a", true},
	{"a", "b", false},      {"a", "ab", false},   {"*", "", true},
	{"*", "abc", true},     {"a*", "abc", true},  {"a*", "bc", false},
	{"*c", "abc", true},    {"*c", "cab", false}, {"a*c", "abbc", true},
	{"a*c", "acb", false},  {"a**", "a", true},   {"*a*b*", "xaxbx", true},
	{"*a*b*", "ba", false}, {"*ab", "aab", true}, {"a.c", "abc", false},
};

static void test_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(patterns); i++) {
		if (tn_pattern_fits(tn_str_from(patterns[i].pattern),
				    tn_str_from(patterns[i].text)) != patterns[i].fits)
			fail_msg("%s on %s", patterns[i].pattern, patterns[i].text);
	}
}

static const char *const tools[] = {"echo", "hold*", NULL};
static const char *const resources[] = {"test://text", "test://item/a*", NULL};
static const char *const prompts[] = {NULL};
static const struct tenon_token token = {
	.name = "narrow", .tools = tools, .resources = resources, .prompts = prompts};

/* The fixtures, and a client that may use a few of them. */
static struct tn_scope *narrow(struct test_peer *t, const struct tenon_token *who)
{
	struct tn_scope *scope;
	struct tenon_error err;

	assert_int_equal(tn_scope_create(t->server, who, &scope, &err), TENON_OK);
	t->peer->scope = scope;
	return scope;
}

static void drop(struct test_peer *t, struct tn_scope *scope)
{
	t->peer->scope = NULL;
	tn_scope_free(scope);
}

static void test_lists(void **state) /* MCP-266: what may not be used is not seen */
{
	struct test_peer *t = *state;
	struct tn_scope *scope = narrow(t, &token);

	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	test_expect_complete(t, "1",
			     "\"tools\":[{\"name\":\"echo\",\"...\":0},{\"name\":\"hold\",\"...\":0"
			     "},{\"name\":\"hold_deaf\",\"...\":0}],\"ttlMs\":0,\"cacheScope\":"
			     "\"private\"");
	(void)test_modern(t, "2", "resources/list", "", NULL, NULL);
	test_expect_complete(t, "2",
			     "\"resources\":[{\"uri\":\"test://text\",\"...\":0}],\"ttlMs\":0,"
			     "\"cacheScope\":\"private\"");
	(void)test_modern(t, "3", "resources/templates/list", "", NULL, NULL);
	test_expect_complete(t, "3",
			     "\"resourceTemplates\":[],\"ttlMs\":0,\"cacheScope\":\"private\"");
	(void)test_modern(t, "4", "prompts/list", "", NULL, NULL);
	test_expect_complete(t, "4", "\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"");
	drop(t, scope);
	(void)test_modern(t, "5", "tools/list", "", NULL, NULL);
	assert_non_null(strstr(test_next(t), "\"strict\""));
}

static void test_uses(void **state)
{
	struct test_peer *t = *state;
	struct tn_scope *scope = narrow(t, &token);

	(void)test_modern(t, "1", "tools/call", "\"name\":\"echo\"", NULL, NULL);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	(void)test_modern(t, "2", "tools/call", "\"name\":\"who\"", NULL, NULL);
	test_expect_error(t, "2", -32602, "Unknown tool: who");
	(void)test_modern(t, "3", "resources/read", "\"uri\":\"test://text\"", NULL, NULL);
	test_expect(t, "{\"id\":3,\"result\":\"<object>\"}");
	(void)test_modern(t, "4", "resources/read", "\"uri\":\"test://blob\"", NULL, NULL);
	test_expect_error(t, "4", -32602, "Resource not found");
	(void)test_modern(t, "5", "resources/read", "\"uri\":\"test://item/abc/x\"", NULL, NULL);
	test_expect(t, "{\"id\":5,\"result\":\"<object>\"}");
	(void)test_modern(t, "6", "resources/read", "\"uri\":\"test://item/b/x\"", NULL, NULL);
	test_expect_error(t, "6", -32602, "Resource not found");
	(void)test_modern(t, "7", "prompts/get", "\"name\":\"plain\"", NULL, NULL);
	test_expect_error(t, "7", -32602, "Unknown prompt: plain");
	(void)test_modern(t, "8", "completion/complete",
			  "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{"
			  "\"name\":\"color\",\"value\":\"\"}",
			  NULL, NULL);
	test_expect_error(t, "8", -32602, "unknown prompt");
	(void)test_modern(
		t, "9", "completion/complete",
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/{name}/{part}\"},"
		"\"argument\":{\"name\":\"name\",\"value\":\"\"}",
		NULL, NULL);
	test_expect_error(t, "9", -32602, "unknown resource template");
	drop(t, scope);
}

static void test_subscriptions(void **state)
{
	struct test_peer *t = *state;
	struct tn_scope *scope = narrow(t, &token);

	(void)test_modern(t, "1", "subscriptions/listen",
			  "\"notifications\":{\"resourceSubscriptions\":[\"test://text\","
			  "\"test://blob\"]}",
			  NULL, NULL);
	test_expect(t, "{\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"
		       "\"_meta\":\"<object>\",\"notifications\":{\"resourceSubscriptions\":["
		       "\"test://text\"]}}}");
	tenon_server_resource_updated(t->server, "test://blob");
	test_expect_nothing(t);
	test_initialize(t, "2025-11-25", "{}");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"test://blob\"}}");
	test_expect_error(t, "2", -32002, "Resource not found");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/subscribe\","
			   "\"params\":{\"uri\":\"test://text\"}}");
	test_expect(t, "{\"id\":3,\"result\":{}}");
	drop(t, scope);
}

/* Pages of what is left: each item once, and no empty page at the end. */
static void test_pages(void **state)
{
	static const char *const many[] = {"some-*", NULL};
	const struct tenon_token who = {.name = "pages", .tools = many};
	struct test_peer *t = *state;
	struct tn_scope *scope = narrow(t, &who);
	char cursor[128], params[256];

	test_add_many_tools(t, "some", 501);
	test_add_many_tools(t, "other", 600);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	assert_null(strstr(test_next(t), "other-"));
	test_member(t, "result/nextCursor", cursor, sizeof(cursor));
	(void)snprintf(params, sizeof(params), "\"cursor\":\"%s\"", cursor);
	(void)test_modern(t, "2", "tools/list", params, NULL, NULL);
	test_expect_complete(t, "2",
			     "\"tools\":[{\"name\":\"some-0500\",\"...\":0}],\"ttlMs\":0,"
			     "\"cacheScope\":\"private\"");
	drop(t, scope);
}

/* MCP-188: with scopes, what one may see is not what all may. */
static void test_never_public(void **state)
{
	const struct tenon_server_options options = {
		.name = "test", .version = "1.2", .list_public = true, .list_ttl_ms = 5};
	struct test_peer *t = test_peer_create(&options);
	struct tn_scope *scope;

	(void)state;
	test_add_many_tools(t, "some", 1);
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	test_expect_complete(t, "1", "\"tools\":\"<array>\",\"ttlMs\":5,\"cacheScope\":\"public\"");
	scope = narrow(t, &token);
	(void)test_modern(t, "2", "tools/list", "", NULL, NULL);
	test_expect_complete(t, "2", "\"tools\":[],\"ttlMs\":5,\"cacheScope\":\"private\"");
	drop(t, scope);
	(void)test_modern(t, "3", "tools/list", "", NULL, NULL);
	test_expect_complete(t, "3",
			     "\"tools\":\"<array>\",\"ttlMs\":5,\"cacheScope\":\"private\"");
	test_peer_destroy(t);
}

static void test_making(void **state)
{
	const char *too_many[TN_SCOPE_PATTERNS_MAX + 2] = {NULL};
	const struct tenon_token all = {.name = "all"};
	const struct tenon_token huge = {.name = "huge", .prompts = too_many};
	struct test_peer *t = *state;
	struct tn_scope *scope;
	struct tenon_error err;

	assert_int_equal(tn_scope_create(t->server, &all, &scope, &err), TENON_OK);
	assert_null(scope);
	assert_true(tn_scope_allows(scope, TN_ITEM_TOOL, TN_STR("any")));
	for (size_t i = 0; i < TN_COUNT(too_many) - 1; i++)
		too_many[i] = "x";
	assert_int_equal(tn_scope_create(t->server, &huge, &scope, &err), TENON_LIMIT);
	assert_non_null(strstr(err.message, "patterns for one token"));
	assert_null(scope);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test_setup_teardown(test_lists, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_uses, test_peer_setup, test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_subscriptions, test_peer_setup,
						test_peer_teardown),
		cmocka_unit_test_setup_teardown(test_pages, test_peer_setup, test_peer_teardown),
		cmocka_unit_test(test_never_public),
		cmocka_unit_test_setup_teardown(test_making, test_peer_setup, test_peer_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
