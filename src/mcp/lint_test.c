/* What a server's author is told about names, descriptions and schemas (lint.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "mcp/lint.h"
#include "mcp/test_fixtures.h"

static void note(const char *item, const char *sentence, void *data)
{
	struct tn_buf *text = data;

	tn_buf_format(text, "%s: %s\n", item, sentence);
}

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "");
}

static struct test_peer *make(void)
{
	const struct tenon_server_options options = {.name = "test", .version = "1"};

	return test_peer_create(&options);
}

/* Lints and compares: `words` each occur in one line of their own, and there is nothing else. */
static void expect_lint(struct test_peer *t, const char *const *words, size_t count)
{
	struct tn_buf text;
	size_t told;

	tn_buf_init(&text, TN_MIB);
	told = tenon_server_lint(t->server, note, &text);
	tn_buf_append_byte(&text, '\0');
	for (size_t i = 0; i < count; i++) {
		if (!strstr(text.data, words[i]))
			fail_msg("not told: %s; but:\n%s", words[i], text.data);
	}
	if (told != count)
		fail_msg("told %zu, not %zu:\n%s", told, count, text.data);
	assert_int_equal(tenon_server_lint(t->server, NULL, NULL), count);
	tn_buf_finish(&text);
	test_peer_destroy(t);
}

static const char good_schema[] =
	"{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\",\"description\":\"A "
	"city\"}},\"not\":{\"required\":[\"x\"]}}";

static void test_nothing_to_say(void **state)
{
	const struct tenon_tool tool = {.name = "get_weather",
					.title = "Weather",
					.description = "Tells the weather of a city",
					.input_schema = good_schema,
					.output_schema = "{\"type\":\"object\"}",
					.icons = "[{\"src\":\"https://x/y\"},{\"src\":\"data:,\"},{"
						 "\"src\":\"http://127.0.0.1:1/x\"}]",
					.meta = "{\"com.example/a\":1}",
					.call = nothing};
	struct test_peer *t = make();

	(void)state;
	test_add_tools(t, &tool, 1);
	expect_lint(t, NULL, 0);
}

static void test_names(void **state) /* MCP-220 */
{
	static const char *const words[] = {
		"tool a23456789-123456789-123456789-123456789-1: the name has 41 characters",
		"tool a.b: OpenAI and Anthropic refuse a dot",
		"tool Weather: the name differs from \"weather\" in upper and lower case only"};
	const struct tenon_tool tools[] = {
		{.name = "a23456789-123456789-123456789-123456789-1",
		 .description = "d",
		 .call = nothing},
		{.name = "a23456789-123456789-123456789-123456789-",
		 .description = "d",
		 .call = nothing},
		{.name = "a.b", .description = "d", .call = nothing},
		{.name = "weather", .description = "d", .call = nothing},
		{.name = "Weather", .description = "d", .call = nothing}};
	struct test_peer *t = make();

	(void)state;
	test_add_tools(t, tools, TN_COUNT(tools));
	expect_lint(t, words, TN_COUNT(words));
}

static void test_descriptions(void **state) /* MCP-221 */
{
	static const char *const words[] = {"tool none: there is no description",
					    "tool empty: there is no description",
					    "tool long: the description has 1025 characters",
					    "tool titled: the title has 65 characters",
					    "tool titled: the title has line breaks"};
	char fits[2 * TN_LINT_DESCRIPTION_MAX + 1] = "", too_long[TN_LINT_DESCRIPTION_MAX + 2] = "";
	char title[TN_LINT_TITLE_MAX + 2] = "";
	const struct tenon_tool tools[] = {
		{.name = "none", .call = nothing},
		{.name = "empty", .description = "", .call = nothing},
		{.name = "fits", .description = fits, .call = nothing},
		{.name = "long", .description = too_long, .call = nothing},
		{.name = "titled", .description = "d", .title = title, .call = nothing}};
	struct test_peer *t = make();

	(void)state;
	for (size_t i = 0; i < TN_LINT_DESCRIPTION_MAX; i++)
		memcpy(fits + 2 * i, "\xC3\xA9", 2); /* characters, not bytes */
	memset(too_long, 'x', sizeof(too_long) - 1);
	memset(title, 'x', sizeof(title) - 1);
	title[10] = '\n';
	test_add_tools(t, tools, TN_COUNT(tools));
	expect_lint(t, words, TN_COUNT(words));
}

static void test_schemas(void **state) /* MCP-026, MCP-230 */
{
	static const char *const words[] = {
		"tool any: inputSchema has anyOf at its root",
		"tool one: inputSchema has oneOf at its root",
		"tool all: inputSchema has allOf at its root",
		"tool keys: Anthropic refuses the parameter name \"a b\"",
		"tool keys: Anthropic refuses the parameter name \"x2345678901234567890",
		"tool keys: Anthropic refuses the parameter name \"$deep\"",
		"tool keys: OpenAI refuses the array list without",
		"tool keys: the parameter list has no description",
		"tool output: outputSchema is no object"};
	const struct tenon_tool tools[] = {
		{.name = "any",
		 .description = "d",
		 .input_schema = "{\"type\":\"object\",\"anyOf\":[{}]}",
		 .call = nothing},
		{.name = "one",
		 .description = "d",
		 .input_schema = "{\"type\":\"object\",\"oneOf\":[{}]}",
		 .call = nothing},
		{.name = "all",
		 .description = "d",
		 .input_schema = "{\"type\":\"object\",\"allOf\":[{}]}",
		 .call = nothing},
		{.name = "keys",
		 .description = "d",
		 .input_schema =
			 "{\"type\":\"object\",\"properties\":{\"a b\":{\"description\":\"d\"},"
			 "\"x2345678901234567890123456789012345678901234567890123456789012345\":{"
			 "\"description\":\"d\"},\"list\":{\"type\":\"array\"},\"deep\":{"
			 "\"description\":\"d\",\"type\":\"array\",\"items\":{\"type\":\"object\","
			 "\"properties\":{\"$deep\":{}}}}}}",
		 .call = nothing},
		{.name = "output",
		 .description = "d",
		 .output_schema = "{\"type\":\"array\"}",
		 .call = nothing}};
	struct test_peer *t = make();

	(void)state;
	test_add_tools(t, tools, TN_COUNT(tools));
	expect_lint(t, words, TN_COUNT(words));
}

static void test_icons_and_meta(void **state) /* MCP-043, MCP-241 */
{
	static const char *const words[] = {"clients do not load the icon http://x/y",
					    "clients do not load the icon http://localhost.evil/",
					    "clients do not load the icon file:///x",
					    "an icon has no src", "the _meta key \"a b\""};
	const struct tenon_tool tool = {
		.name = "icons",
		.description = "d",
		.icons = "[{\"src\":\"http://x/y\"},{\"src\":\"file:///x\"},{},{\"src\":"
			 "\"http://localhost.evil/\"},{\"src\":\"http://localhost/x\"}]",
		.meta = "{\"a b\":1,\"fine\":2}",
		.call = nothing};
	struct test_peer *t = make();

	(void)state;
	test_add_tools(t, &tool, 1);
	expect_lint(t, words, TN_COUNT(words));
}

static void test_other_kinds(void **state)
{
	static const char *const words[] = {"prompt p: there is no description",
					    "prompt p: the argument who has no description",
					    "resource test://r: the name is empty",
					    "template test://{x}: the name is empty"};
	static const struct tenon_prompt_argument who = {.name = "who"};
	const struct tenon_prompt prompt = {
		.name = "p", .arguments = &who, .argument_count = 1, .get = nothing};
	const struct tenon_resource resource = {
		.uri = "test://r", .name = "", .size_bytes = -1, .read = nothing};
	const struct tenon_resource_template template = {
		.uri_template = "test://{x}", .name = "", .read = nothing};
	struct test_peer *t = make();
	struct tenon_error err;

	(void)state;
	assert_int_equal(tenon_server_add_prompt(t->server, &prompt, &err), TENON_OK);
	assert_int_equal(tenon_server_add_resource(t->server, &resource, &err), TENON_OK);
	assert_int_equal(tenon_server_add_template(t->server, &template, &err), TENON_OK);
	expect_lint(t, words, TN_COUNT(words));
}

static void add_tools(struct test_peer *t, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		char name[16];
		const struct tenon_tool tool = {.name = name, .description = "d", .call = nothing};

		(void)snprintf(name, sizeof(name), "t%u", i);
		test_add_tools(t, &tool, 1);
	}
}

static void test_many(void **state)
{
	static const char *const some[] = {"server: there are 41 tools; Cursor"};
	static const char *const many[] = {"server: there are 129 tools; VS Code"};
	struct test_peer *t = make();

	(void)state;
	add_tools(t, TN_LINT_TOOLS_SOFT_MAX);
	assert_int_equal(tenon_server_lint(t->server, NULL, NULL), 0);
	add_tools((test_peer_destroy(t), t = make()), TN_LINT_TOOLS_SOFT_MAX + 1);
	expect_lint(t, some, 1);
	t = make();
	add_tools(t, TN_LINT_TOOLS_MAX + 1);
	expect_lint(t, many, 1);
}

static void test_instructions(void **state) /* MCP-070 */
{
	static const char *const words[] = {"server: the instructions have 2049 bytes"};
	char text[TN_LINT_INSTRUCTIONS_MAX + 2] = "";
	const struct tenon_server_options options = {
		.name = "test", .version = "1", .instructions = text};

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	expect_lint(test_peer_create(&options), words, 1);
}

/* ---- at the start ---- */

static void test_told_once(void **state)
{
	struct tn_buf text;
	const struct tenon_server_options options = {
		.name = "test", .version = "1", .lint = note, .data = &text};
	const struct tenon_tool tool = {.name = "a", .call = nothing};
	struct test_peer *t;
	struct tenon_error err;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	t = test_peer_create(&options);
	test_add_tools(t, &tool, 1);
	assert_int_equal(tn_server_start(t->server, &err), TENON_OK);
	assert_int_equal(tn_server_start(t->server, &err), TENON_OK);
	assert_true(tn_str_starts(tn_buf_str(&text), TN_STR("tool a: there is no description")));
	assert_int_equal(tn_str_find_byte(tn_buf_str(&text), '\n'), text.size - 1);
	test_peer_destroy(t);
	tn_buf_finish(&text);
}

/* Standard error into a file, and back; returns what was written. */
static void start_aside(struct test_peer *t, char *out, size_t size)
{
	FILE *aside = tmpfile();
	int kept = dup(STDERR_FILENO);
	struct tenon_error err;

	assert_non_null(aside);
	assert_true(kept >= 0);
	assert_true(dup2(fileno(aside), STDERR_FILENO) >= 0);
	assert_int_equal(tn_server_start(t->server, &err), TENON_OK);
	(void)fflush(stderr);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	(void)close(kept);
	rewind(aside);
	out[fread(out, 1, size - 1, aside)] = '\0';
	(void)fclose(aside);
}

static void test_standard_error(void **state) /* MCP-180 */
{
	const struct tenon_server_options silent = {.name = "t", .version = "1", .no_lint = true};
	char text[64 * 1024];
	struct test_peer *t = make();

	(void)state;
	test_add_many_tools(t, "t", 25); /* none has a description */
	start_aside(t, text, sizeof(text));
	assert_non_null(strstr(text, "lint: tool t-0019: there is no description"));
	assert_null(strstr(text, "t-0020"));
	assert_non_null(strstr(text, "lint: and 5 more.\n"));
	test_peer_destroy(t);
	t = test_peer_create(&silent);
	test_add_many_tools(t, "t", 1);
	start_aside(t, text, sizeof(text));
	assert_string_equal(text, "");
	test_peer_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_to_say), cmocka_unit_test(test_names),
		cmocka_unit_test(test_descriptions),   cmocka_unit_test(test_schemas),
		cmocka_unit_test(test_icons_and_meta), cmocka_unit_test(test_other_kinds),
		cmocka_unit_test(test_many),           cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_told_once),      cmocka_unit_test(test_standard_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
