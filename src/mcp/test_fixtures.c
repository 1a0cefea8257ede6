#include "mcp/test_fixtures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"

/* ---- tools that answer at once ---- */

static void echo(struct tenon_call *call, void *data)
{
	const char *text = tenon_call_text(call, "text");

	(void)data;
	tenon_call_reply_text(call, text ? text : "nothing");
}

static void who(struct tenon_call *call, void *data)
{
	char text[256];

	(void)data;
	(void)snprintf(text, sizeof(text), "%s|%s|%s", tenon_call_client_name(call),
		       tenon_call_principal(call), tenon_call_revision(call));
	tenon_call_reply_text(call, text);
}

static void arguments(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, tenon_call_json(call, NULL));
}

static void blocks(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "hello", TENON_TEXT);
	tenon_call_annotate(call, "user", 0.5);
	tenon_call_add_image(call, "image/png", "\x01\x02\x03", 3);
	tenon_call_add_audio(call, "audio/wav", "wave", 4);
	tenon_call_add_link(call, "test://text", "text", "The text", "A text", "text/plain");
	tenon_call_add_resource_text(call, "test://text", "text/plain", "embedded", TENON_TEXT);
	tenon_call_add_resource_blob(call, "test://blob", NULL, "\xff", 1);
	tenon_call_set_meta(call, "\"example.com/k\":1");
	tenon_call_finish(call);
}

static void structured(struct tenon_call *call, void *data)
{
	const char *json = data;

	tenon_call_set_structured(call, json, TENON_TEXT);
	tenon_call_finish(call);
}

static void structured_error(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_error(call);
	tenon_call_add_text(call, "no value", TENON_TEXT);
	tenon_call_finish(call);
}

static void fails(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "half a result", TENON_TEXT);
	tenon_call_fail(call, "failed with %d", 7);
}

static void refuses(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_refuse(call, 4711, "refused", "{\"why\":\n \"because\"}");
}

/* Finishes twice and goes on: the second ending must change nothing. */
static void finishes_twice(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "once");
	tenon_call_progress(call, 1, 2, "late");
	tenon_call_log(call, TENON_LOG_EMERGENCY, NULL, "late");
	tenon_call_reply_text(call, "twice");
	tenon_call_fail(call, "three times");
	tenon_call_refuse(call, -1, "four times", NULL);
}

static void too_large(struct tenon_call *call, void *data)
{
	char *text = tn_mem_alloc(TN_MIB + 1);

	(void)data;
	assert_non_null(text);
	memset(text, 'x', TN_MIB);
	for (int i = 0; i < 65; i++)
		tenon_call_add_text(call, text, TN_MIB);
	tn_mem_free(text);
	tenon_call_finish(call);
}

/* ---- tools that take their time ---- */

static void release_data(void *data)
{
	(*(unsigned *)data)++;
}

static void later_due(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "later");
}

static void later(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	tenon_call_set_data(call, &t->freed, release_data);
	tenon_call_after(call, 5, later_due, data);
}

static void work(const struct tenon_call *call, void *data)
{
	(void)call;
	(void)data;
}

static void work_done(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	t->worked++;
	tenon_call_reply_text(call, tenon_call_cancelled(call) ? "cancelled" : "worked");
}

static void works(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	tenon_call_set_data(call, &t->freed, release_data);
	tenon_call_work(call, work, work_done, data);
}

/* Answers while its work is still out. */
static void works_late(struct tenon_call *call, void *data)
{
	works(call, data);
	tenon_call_reply_text(call, "before the work");
}

static void hold_cancelled(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	t->cancelled_count++;
	for (unsigned i = 0; i < t->held_count; i++) {
		if (t->held[i] == call)
			t->held[i] = NULL;
	}
	assert_true(tenon_call_cancelled(call));
	tenon_call_reply_text(call, "nobody reads this");
}

static void hold(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	assert_true(t->held_count < TEST_HELD_MAX);
	t->held[t->held_count++] = call;
	tenon_call_set_data(call, &t->freed, release_data);
	tenon_call_on_cancel(call, hold_cancelled, data);
}

/* Like hold, but deaf: a cancelled call stays with its handler. */
static void hold_deaf(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;

	t->held[t->held_count++] = call;
	tenon_call_set_data(call, &t->freed, release_data);
}

void test_finish_held(struct test_peer *t, unsigned index, const char *text)
{
	struct tenon_call *call = t->held[index];

	assert_non_null(call);
	t->held[index] = NULL;
	tenon_call_reply_text(call, text);
}

static void logs(struct tenon_call *call, void *data)
{
	(void)data;
	for (int level = TENON_LOG_DEBUG; level <= TENON_LOG_EMERGENCY; level++)
		tenon_call_log(call, (enum tenon_log_level)level,
			       level == TENON_LOG_ERROR ? "unit" : NULL, "line\nwith a break");
	tenon_call_reply_text(call, "logged");
}

/* Steps 1 to n, `gap_ms` apart on the test's clock. */
static void steps(struct tenon_call *call, void *data)
{
	struct test_peer *t = data;
	int64_t count = 3, gap = 0;

	(void)tenon_call_int(call, "count", &count);
	(void)tenon_call_int(call, "gap", &gap);
	for (int64_t i = 1; i <= count; i++) {
		tenon_call_progress(call, (double)i, (double)count, "step");
		tenon_call_progress(call, (double)i, (double)count, "no step");
		tenon_call_progress(call, (double)i - 0.5, 0, "backwards");
		test_turn_clock(t, (uint64_t)gap);
	}
	tenon_call_reply_text(call, "done");
}

static void polls(struct tenon_call *call, void *data)
{
	tenon_call_release_stream(call, 100);
	tenon_call_after(call, 5, later_due, data);
}

static const char text_schema[] =
	"{\"type\":\"object\",\n \"properties\":{\"text\":{\"type\":\"string\"}}}";
static const char strict_schema[] =
	"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":1}},"
	"\"required\":[\"n\"],\"additionalProperties\":false}";
static const char object_output[] =
	"{\"type\":\"object\",\r\n\"properties\":{\"n\":{\"type\":\"integer\"}},"
	"\"required\":[\"n\"]}";
static const char routed_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
	"\"dry\":{\"type\":\"boolean\",\"x-mcp-header\":\"Dry\"},"
	"\"where\":{\"type\":\"object\",\"properties\":{"
	"\"shard\":{\"type\":\"integer\",\"x-mcp-header\":\"Shard-No\"}}}}}";
static const char any_schema[] = "{\"type\":\"object\"}";

static void add_plain_tools(struct test_peer *t)
{
	const struct tenon_tool tools[] = {
		{.name = "echo",
		 .title = "Echo",
		 .description = "Says it again",
		 .input_schema = text_schema,
		 .icons = "[{\"src\":\"https://example.com/i.png\"}]",
		 .meta = "{\"example.com/m\":\n1}",
		 .flags = TENON_READ_ONLY | TENON_CLOSED_WORLD,
		 .call = echo},
		{.name = "who", .description = "Who asks", .call = who},
		{.name = "arguments", .input_schema = any_schema, .call = arguments},
		{.name = "strict", .input_schema = strict_schema, .call = arguments},
		{.name = "routed", .input_schema = routed_schema, .call = arguments},
		{.name = "blocks", .call = blocks},
		{.name = "number",
		 .output_schema = object_output,
		 .call = structured,
		 .data = (void *)(uintptr_t) "{\"n\":\n1}"},
		{.name = "list",
		 .output_schema = "{\"type\":\"array\"}",
		 .call = structured,
		 .data = (void *)(uintptr_t) "[1,2]"},
		{.name = "wrong_number",
		 .output_schema = object_output,
		 .call = structured,
		 .data = (void *)(uintptr_t) "{\"n\":\"one\"}"},
		{.name = "no_number", .output_schema = object_output, .call = echo},
		{.name = "failed_number", .output_schema = object_output, .call = structured_error},
		{.name = "fails", .call = fails},
		{.name = "refuses", .call = refuses},
		{.name = "finishes_twice", .call = finishes_twice},
		{.name = "too_large", .call = too_large},
	};

	test_add_tools(t, tools, TN_COUNT(tools));
}

static void add_slow_tools(struct test_peer *t)
{
	const struct tenon_tool tools[] = {
		{.name = "later", .call = later},
		{.name = "works", .call = works},
		{.name = "works_late", .call = works_late},
		{.name = "hold", .call = hold},
		{.name = "hold_deaf", .call = hold_deaf},
		{.name = "logs", .call = logs},
		{.name = "steps", .input_schema = any_schema, .call = steps},
		{.name = "polls", .call = polls},
	};

	test_add_tools(t, tools, TN_COUNT(tools));
}

void test_add_tools(struct test_peer *t, const struct tenon_tool *tools, size_t count)
{
	struct tenon_error err;

	for (size_t i = 0; i < count; i++) {
		struct tenon_tool tool = tools[i];

		if (!tool.data)
			tool.data = t;
		if (tenon_server_add_tool(t->server, &tool, &err) != TENON_OK)
			fail_msg("%s: %s", tool.name, err.message);
	}
}

void test_add_many_tools(struct test_peer *t, const char *prefix, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		char name[64];
		const struct tenon_tool tool = {.name = name, .call = echo};

		(void)snprintf(name, sizeof(name), "%s-%04u", prefix, i);
		test_add_tools(t, &tool, 1);
	}
}

/* ---- an app, whose faults are protocol errors ---- */

static const struct tenon_tool app_strict = {
	.name = "app_strict", .input_schema = strict_schema, .call = arguments};

static void app_state(struct tenon_call *call, void *data)
{
	tenon_call_reply_text(call, data);
}

static const struct tenon_tool app_tool = {.name = "app_state", .call = app_state};

static void app_own(struct tenon_call *call, void *data)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "%s beside %s", (const char *)data,
		       (const char *)tenon_call_app_state(call));
	tenon_call_reply_text(call, text);
}

static char own_data[] = "its own";
static const struct tenon_tool app_own_tool = {
	.name = "app_own", .call = app_own, .data = own_data};
static const struct tenon_tool *const app_tools[] = {&app_strict, &app_tool, &app_own_tool, NULL};

static enum tenon_code app_open(struct tenon_server *server, void **ret_state,
				struct tenon_error *err)
{
	(void)server;
	*ret_state = tn_mem_copy_text("the state", strlen("the state"));
	return *ret_state ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static const struct tenon_app app = {.name = "app",
				     .instructions = "Apps speak, too.",
				     .argument_faults = TENON_FAULTS_ARE_PROTOCOL_ERRORS,
				     .tools = app_tools,
				     .open = app_open,
				     .close = tn_mem_free};

/* An app whose errors have a shape of their own. */
static void shaped_refuse(struct tenon_call *call, void *state,
			  const struct tenon_argument_fault *faults, size_t count, size_t more)
{
	char json[128];

	(void)snprintf(json, sizeof(json), "{\"error\":\"NO\",\"path\":\"%s\",\"count\":%zu}",
		       faults[0].path, count + more);
	tenon_call_set_error(call);
	tenon_call_add_text(call, state ? "with a state" : "without", TENON_TEXT);
	tenon_call_set_structured(call, json, strlen(json));
	tenon_call_finish(call);
}
static const struct tenon_tool shaped_strict = {
	.name = "shaped_strict", .input_schema = strict_schema, .call = arguments};
static const struct tenon_tool *const shaped_tools[] = {&shaped_strict, NULL};
static const struct tenon_app shaped_app = {.name = "shaped",
					    .argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS,
					    .tools = shaped_tools,
					    .refuse_arguments = shaped_refuse};

/* ---- resources and prompts ---- */

static void read_text(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_text(call, "some text", TENON_TEXT);
	tenon_call_set_cache(call, 5000, true);
	tenon_call_finish(call);
}

static void read_blob(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_add_resource_blob(call, NULL, "application/octet-stream", "\x00\xff", 2);
	tenon_call_finish(call);
}

static void read_gone(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_not_found(call);
}

static void read_item(struct tenon_call *call, void *data)
{
	const char *part = tenon_call_text(call, "part");
	char text[256];

	(void)data;
	(void)snprintf(text, sizeof(text), "%s of %s", part ? part : "?",
		       tenon_call_text(call, "name"));
	tenon_call_add_resource_text(call, NULL, "text/plain", text, TENON_TEXT);
	tenon_call_finish(call);
}

/* Offers the colors that begin with what was typed, or 150 names. */
static void complete(struct tenon_call *call, void *data)
{
	static const char *const colors[] = {"red", "rose", "blue"};
	const char *name, *value;

	(void)data;
	tenon_call_completing(call, &name, &value);
	for (size_t i = 0; i < TN_COUNT(colors) && strcmp(name, "many") != 0; i++) {
		if (strncmp(colors[i], value, strlen(value)) == 0)
			tenon_call_add_completion(call, colors[i]);
	}
	for (int i = 0; i < 150 && strcmp(name, "many") == 0; i++)
		tenon_call_add_completion(call, "name");
	if (strcmp(name, "context") == 0)
		tenon_call_add_completion(call, tenon_call_text(call, "name"));
	if (strcmp(name, "many") == 0)
		tenon_call_set_completion_total(call, 1000);
	tenon_call_finish(call);
}

static void greet(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_set_description(call, "A greeting");
	tenon_call_add_text(call, tenon_call_text(call, "name"), TENON_TEXT);
	tenon_call_set_role(call, "assistant");
	tenon_call_add_image(call, "image/png", "p", 1);
	tenon_call_add_resource_text(call, "test://text", "text/plain", "embedded", TENON_TEXT);
	tenon_call_finish(call);
}

static void add_resources(struct test_peer *t)
{
	const struct tenon_resource resources[] = {
		{.uri = "test://text",
		 .name = "text",
		 .title = "The text",
		 .description = "A text",
		 .mime_type = "text/plain",
		 .size_bytes = 9,
		 .read = read_text},
		{.uri = "test://blob", .name = "blob", .size_bytes = -1, .read = read_blob},
		{.uri = "test://gone", .name = "gone", .size_bytes = -1, .read = read_gone},
	};
	const struct tenon_resource_template templates[] = {
		{.uri_template = "test://item/{name}/{part}",
		 .name = "item",
		 .title = "An item",
		 .mime_type = "text/plain",
		 .read = read_item,
		 .complete = complete},
		{.uri_template = "test://item/{+name}", .name = "items", .read = read_item},
	};
	struct tenon_error err;

	for (size_t i = 0; i < TN_COUNT(resources); i++)
		assert_int_equal(tenon_server_add_resource(t->server, &resources[i], &err),
				 TENON_OK);
	for (size_t i = 0; i < TN_COUNT(templates); i++)
		assert_int_equal(tenon_server_add_template(t->server, &templates[i], &err),
				 TENON_OK);
}

static void add_prompts(struct test_peer *t)
{
	static const struct tenon_prompt_argument greet_arguments[] = {
		{.name = "name", .title = "Name", .description = "Whom", .required = 1},
		{.name = "color"},
	};
	const struct tenon_prompt prompts[] = {
		{.name = "greet",
		 .title = "Greet",
		 .description = "Greets somebody",
		 .arguments = greet_arguments,
		 .argument_count = TN_COUNT(greet_arguments),
		 .get = greet,
		 .complete = complete},
		{.name = "plain", .get = greet},
		{.name = "failing", .get = fails},
	};
	struct tenon_error err;

	for (size_t i = 0; i < TN_COUNT(prompts); i++)
		assert_int_equal(tenon_server_add_prompt(t->server, &prompts[i], &err), TENON_OK);
}

void test_add_fixtures(struct test_peer *t)
{
	struct tenon_error err;

	add_plain_tools(t);
	add_slow_tools(t);
	assert_int_equal(tenon_server_add_app(t->server, &app, &err), TENON_OK);
	assert_int_equal(tenon_server_add_app(t->server, &shaped_app, &err), TENON_OK);
	add_resources(t);
	add_prompts(t);
	test_add_asking(t);
}
