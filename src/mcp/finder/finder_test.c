/* HO-010: a short list, words that find the rest, and calls through a finder that are calls of what
 * they name; finder_search: which words fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/finder/finder.h"
#include "mcp/finder/finder_search.h"
#include "mcp/observe.h"
#include "mcp/test_fixtures.h"

static void say(struct tenon_call *call, void *data)
{
	tenon_call_reply_text(call, data ? data : tenon_call_json(call, "text"));
}

static void ask(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(
		call, "name", "Which one?",
		"{\"type\":\"object\",\"properties\":{\"which\":{\"type\":\"string\"}}}");

	(void)data;
	if (answer)
		tenon_call_reply_text(call, "asked");
}

#define TEXT_SCHEMA                                                       \
	"{\"type\":\"object\",\"properties\":{\"text\":{\"type\":"        \
	"\"string\",\"x-mcp-header\":\"Text\"}},\"required\":[\"text\"]," \
	"\"additionalProperties\":false}"

static const struct tenon_tool paint = {.name = "paint_wall",
					.description = "Paints a wall.",
					.everyday = true,
					.call = say,
					.data = (void *)(uintptr_t) "painted"};
static const struct tenon_tool measure = {.name = "measure_wall",
					  .title = "Size of a wall",
					  .description = "Says how long a wall is.",
					  .input_schema = TEXT_SCHEMA,
					  .flags = TENON_READ_ONLY,
					  .call = say};
static const struct tenon_tool tear = {.name = "tear_down",
				       .description = "Removes a wall.",
				       .input_schema = TEXT_SCHEMA,
				       .call = say};
static const struct tenon_tool which = {
	.name = "which_wall", .description = "Asks back.", .flags = TENON_READ_ONLY, .call = ask};
static const struct tenon_tool hidden = {.name = "approve_wall",
					 .description = "For the owner of the wall.",
					 .flags = TENON_READ_ONLY,
					 .person_only = true,
					 .call = say,
					 .data = (void *)(uintptr_t) "approved"};

static const struct tenon_tool plaster = {
	.name = "plaster_it",
	.description = "Plasters, and notes it on a list.",
	.input_schema = "{\"type\":\"object\",\"properties\":{\"list\":{\"type\":\"string\"}}}",
	.writes_with = "list",
	.call = say,
	.data = (void *)(uintptr_t) "plastered"};

static const struct tenon_tool *const tools[] = {&measure, &tear,    &paint, &which,
						 &hidden,  &plaster, NULL};
static const struct tenon_app walls = {.name = "walls", .tools = tools};

static int set_up(void **state)
{
	static const struct tenon_server_options options = {
		.name = "test", .version = "1", .argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS};
	struct test_peer *t = test_peer_create(&options);

	assert_int_equal(tenon_server_add_app(t->server, &walls, NULL), TENON_OK);
	assert_int_equal(tn_finders_add(t->server, NULL), TENON_OK);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	test_peer_destroy(*state);
	return 0;
}

static void expect_list(struct test_peer *t, const char *names)
{
	char seen[256] = "";
	const char *at;

	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	at = strstr(test_next(t), "\"tools\":");
	assert_non_null(at);
	while ((at = strstr(at, "{\"name\":\"")) != NULL) {
		at += strlen("{\"name\":\"");
		if (strncmp(at, "test\"", 5) != 0) /* serverInfo */
			(void)snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%s%.*s",
				       seen[0] ? " " : "", (int)strcspn(at, "\""), at);
	}
	assert_string_equal(seen, names);
}

static void test_lists(void **state) /* HO-010, HO-011 */
{
	struct test_peer *t = *state;

	expect_list(t, "paint_wall find_tools call_tool call_writing_tool");
	t->peer->apps = TN_APPS_EVERY;
	expect_list(t, "paint_wall measure_wall tear_down which_wall plaster_it");
	t->peer->apps = 1; /* of one app */
	expect_list(t, "paint_wall measure_wall tear_down which_wall plaster_it");
	t->peer->apps = 0;
	t->peer->person = true;
	expect_list(t, "paint_wall measure_wall tear_down which_wall approve_wall plaster_it");
}

static void call(struct test_peer *t, const char *tool, const char *arguments)
{
	char params[512];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\",\"arguments\":{%s}", tool,
		       arguments);
	(void)test_modern(t, "1", "tools/call", params, "{\"elicitation\":{}}", NULL);
}

static void expect_text(struct test_peer *t, const char *words)
{
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"<has "
		     "%s>\"}],\"...\":0}}",
		     words);
}

static void test_calls(void **state)
{
	struct test_peer *t = *state;

	call(t, "measure_wall", "\"text\":\"north\""); /* not listed, and there */
	expect_text(t, "north");
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":{\"text\":\"east\"}");
	expect_text(t, "east");
	call(t, "call_tool", "\"name\":\"tear_down\",\"arguments\":{\"text\":\"east\"}");
	expect_text(t, "call_writing_tool");
	call(t, "call_writing_tool", "\"name\":\"tear_down\",\"arguments\":{\"text\":\"south\"}");
	expect_text(t, "south");
	call(t, "call_writing_tool", "\"name\":\"measure_wall\",\"arguments\":{\"text\":\"up\"}");
	expect_text(t, "up");
	call(t, "call_writing_tool", "\"name\":\"paint_wall\"");
	expect_text(t, "painted");
}

/* Which it is, of a tool that writes with one argument only, the call's arguments say. */
static void test_writes_with(void **state)
{
	struct test_peer *t = *state;
	const char *listed;

	call(t, "call_tool", "\"name\":\"plaster_it\"");
	expect_text(t, "plastered");
	call(t, "call_tool", "\"name\":\"plaster_it\",\"arguments\":{\"list\":\"a\"}");
	expect_text(t, "call_writing_tool");
	call(t, "call_writing_tool", "\"name\":\"plaster_it\",\"arguments\":{\"list\":\"a\"}");
	expect_text(t, "plastered");
	call(t, "find_tools", "\"query\":\"plaster\"");
	expect_text(t, "plaster_it (call_writing_tool)");
	/* What a host believes of it has to be so of every call. */
	t->peer->apps = TN_APPS_EVERY;
	(void)test_modern(t, "1", "tools/list", "", NULL, NULL);
	listed = strstr(test_next(t), "{\"name\":\"plaster_it\"");
	assert_non_null(listed);
	assert_non_null(
		strstr(listed, "\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":true"));
}

static void test_refused(void **state)
{
	struct test_peer *t = *state;

	/* As the tool itself says it. */
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":{\"size\":1}");
	expect_text(t, "size: unknown property");
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":{\"text\":\"a\\u0000b\"}");
	expect_text(t, "NUL");
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":\"text\"");
	expect_text(t, "arguments: ");
	call(t, "call_tool", "\"arguments\":{}");
	expect_text(t, "name: required");
	call(t, "call_tool", "\"name\":\"nothing\"");
	expect_text(t, "find_tools");
	/* No way around who may see what. */
	call(t, "call_tool", "\"name\":\"approve_wall\"");
	expect_text(t, "There is no tool");
	call(t, "call_writing_tool", "\"name\":\"approve_wall\"");
	expect_text(t, "There is no tool");
	call(t, "call_writing_tool",
	     "\"name\":\"call_writing_tool\",\"arguments\":{\"name\":\"tear_down\"}");
	expect_text(t, "its own name");
	assert_true(tn_server_set_app_off(t->server, "walls", true));
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":{\"text\":\"east\"}");
	expect_text(t, "There is no tool");
}

/* A question, and the same call again with the answer. */
static void test_asks(void **state)
{
	struct test_peer *t = *state;

	call(t, "call_tool", "\"name\":\"which_wall\"");
	test_expect(t, "{\"id\":1,\"result\":{\"resultType\":\"input_required\",\"...\":0}}");
	(void)test_modern(t, "1", "tools/call",
			  "\"name\":\"call_tool\",\"arguments\":{\"name\":\"which_wall\"},"
			  "\"inputResponses\":{\"name\":{\"action\":\"accept\",\"content\":{"
			  "\"which\":\"that\"}}}",
			  "{\"elicitation\":{}}", NULL);
	expect_text(t, "asked");
}

static char heard[64];

static void hear(const struct tn_call_record *record, void *data)
{
	(void)data;
	(void)snprintf(heard, sizeof(heard), "%.*s", (int)record->name.size, record->name.data);
}

/* Whoever watches sees the tool that is named, and never the finder. */
static void test_observed(void **state)
{
	struct test_peer *t = *state;
	struct tn_observer observer = {.call_ended = hear};

	tn_observe(t->server, &observer);
	call(t, "call_writing_tool", "\"name\":\"tear_down\",\"arguments\":{\"text\":\"south\"}");
	expect_text(t, "south");
	assert_string_equal(heard, "tear_down");
	call(t, "call_tool", "\"name\":\"nothing\"");
	expect_text(t, "find_tools");
	assert_string_equal(heard, "call_tool");
	tn_observe_stop(t->server, &observer);
}

/* By its name even one that is listed; by words it is said to be there. */
static void test_finds_listed(void **state)
{
	struct test_peer *t = *state;

	call(t, "find_tools", "\"query\":\"Paint_wall\"");
	expect_text(t, "paint_wall (call_writing_tool): Paints a wall.");
	call(t, "find_tools", "\"query\":\"mcp__tenon__paint_wall\""); /* as hosts write it */
	expect_text(t, "paint_wall (call_writing_tool): Paints a wall.");
	call(t, "call_tool", "\"name\":\"walls.measure_wall\"");
	expect_text(t, "here it is called measure_wall");
	call(t, "call_tool", "\"name\":\"walls.approve_wall\""); /* nobody is told of it */
	expect_text(t, "find_tools finds those");
	call(t, "find_tools", "\"query\":\"paint it on a list\"");
	expect_text(t, "Of your list paint_wall fits best.");
}

/* A rule that names the finder refuses the calls through it, and no other (docs/policy.md). */
static void test_denied(void **state)
{
	static const char denied[] =
		"{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{\"error\":"
		"\"DENIED_BY_POLICY\",\"message\":\"<has by its own name>\",\"...\":0},\"...\":0}}";
	struct test_peer *t = *state;
	struct tenon_error err;

	assert_int_equal(tn_consent_open(t->server, NULL, &err), TENON_OK);
	assert_int_equal(
		tn_consent_set_policy(t->server,
				      "{\"default\":\"allow\",\"rules\":[{\"tool\":[\"call_tool\","
				      "\"call_writing_tool\"],\"action\":\"deny\"}]}",
				      &err),
		TENON_OK);
	call(t, "call_tool", "\"name\":\"measure_wall\",\"arguments\":{\"text\":\"east\"}");
	test_expect(t, denied);
	call(t, "call_writing_tool", "\"name\":\"tear_down\",\"arguments\":{\"text\":\"south\"}");
	test_expect(t, denied);
	call(t, "measure_wall", "\"text\":\"east\"");
	expect_text(t, "east");
	tn_consent_close(t->server);
}

static void test_finds(void **state)
{
	struct test_peer *t = *state;

	call(t, "find_tools", "\"query\":\"sizes\"");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"<has "
		       "measure_wall (call_tool): Says how long a wall is.>\"}],"
		       "\"structuredContent\":{\"tools\":[{\"name\":\"measure_wall\","
		       "\"description\":\"<string>\",\"call_with\":\"call_tool\",\"input_schema\":"
		       "\"<object>\"}],\"others\":[]},\"...\":0}}");
	call(t, "find_tools", "\"query\":\"delete the wall\",\"limit\":1");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"structuredContent\":{"
		       "\"tools\":[{\"name\":\"tear_down\",\"call_with\":\"call_writing_tool\","
		       "\"input_schema\":\"<object>\",\"...\":0},"
		       "{\"name\":\"measure_wall\",\"description\":\"<string>\","
		       "\"call_with\":\"call_tool\"},{\"name\":\"which_wall\",\"description\":"
		       "\"<string>\",\"call_with\":\"call_tool\"}],\"others\":[\"paint_wall\"]},"
		       "\"...\":0}}");
	call(t, "find_tools", "\"query\":\"delete the wall\"");
	expect_text(t, "measure_wall (call_tool): Says how long a wall is.");
	call(t, "find_tools", "\"query\":\"delete the wall\",\"limit\":3");
	expect_text(t, "tear_down (call_writing_tool): Removes a wall.");
	/* What is listed has its schema there; nothing is told of what is for persons. */
	call(t, "find_tools", "\"query\":\"paint owner\"");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"<has "
		       "Tools: paint_wall>\"}],\"structuredContent\":{\"tools\":[],\"others\":["
		       "\"paint_wall\"]},\"...\":0}}");
	call(t, "find_tools", "\"query\":\"zeppelin\"");
	expect_text(t, "No tool fits these words.");
	call(t, "find_tools", "\"app\":\"roofs\"");
	expect_text(t, "there are: walls");
	call(t, "find_tools", "\"app\":\"walls\"");
	expect_text(t, "measure_wall, tear_down, which_wall");
}

static unsigned score(const char *query)
{
	static const struct tenon_tool tool = {.name = "export_plan",
					       .title = "The plan as a file",
					       .description = "Writes DXF drawings and pictures.",
					       .keywords = "copy drag printable",
					       .input_schema =
						       "{\"properties\":{\"paperSize\":{}}}"};
	struct tn_finder_word words[TN_FINDER_WORDS_MAX];
	size_t count = tn_finder_words(tn_str_from(query), words);
	unsigned all = 0;

	for (size_t i = 0; i < count; i++)
		all += tn_finder_score(&tool, &words[i]);
	return all;
}

static void test_naming(void **state)
{
	static const struct {
		const char *query, *name;
		enum tn_finder_naming naming;
	} rows[] = {{"get_plan", "get_plan", TN_FINDER_NAMED},
		    {" Get Plan ", "get_plan", TN_FINDER_NAMED},
		    {"get-plan", "get_plan", TN_FINDER_NAMED},
		    {"mcp__tenon__get_plan", "get_plan", TN_FINDER_NAMED_LAST},
		    {"studio.get_plan", "get_plan", TN_FINDER_NAMED_LAST},
		    {"call get_plan", "get_plan", TN_FINDER_NAMED_LAST},
		    {"budget_plan", "get_plan", TN_FINDER_NOT_NAMED},
		    {"forget plan", "get_plan", TN_FINDER_NOT_NAMED},
		    {"send a signal", "signal", TN_FINDER_NOT_NAMED},
		    {"tenon_signal", "signal", TN_FINDER_NAMED_LAST},
		    {"get_plan of it", "get_plan", TN_FINDER_NOT_NAMED},
		    {"", "get_plan", TN_FINDER_NOT_NAMED}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		assert_int_equal(
			tn_finder_naming(tn_str_from(rows[i].query), tn_str_from(rows[i].name)),
			rows[i].naming);
}

static void test_words(void **state)
{
	(void)state;
	assert_true(score("export") > score("file"));
	assert_true(score("file") > score("drawing"));
	assert_int_equal(score("exporting"), score("export"));
	assert_int_equal(score("exports"), score("EXPORT"));
	assert_int_equal(score("dxf"), score("DXF!"));
	assert_true(score("image") > 0); /* a picture */
	assert_int_equal(score("the of a"), 0);
	assert_int_equal(score(""), 0);
	/* Endings of any kind, and words that only who looks for it says. */
	assert_true(score("copies") > score("drawing"));
	assert_int_equal(score("copying"), score("copy"));
	assert_int_equal(score("dragged"), score("drag"));
	assert_int_equal(score("printed"), score("print"));
	assert_int_equal(score("expo"), 0);
	assert_int_equal(score("dx"), 0);
	assert_int_equal(score("\xc3\xa9t\xc3\xa9 \xff\xfe"), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest all[] = {
		TEST(test_lists),
		TEST(test_calls),
		TEST(test_refused),
		TEST(test_writes_with),
		TEST(test_asks),
		TEST(test_observed),
		TEST(test_finds_listed),
		TEST(test_finds),
		cmocka_unit_test(test_naming),
		cmocka_unit_test(test_words),
		TEST(test_denied),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
