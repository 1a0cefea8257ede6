/* Every allocation of the protocol core fails once, and from then on always: no crash, no leak, no
 * message ended twice or never, and where memory comes back the conversation goes on.
 *
 * The driver beside it does the same to whole programs from outside; here a thousand runs take
 * seconds and the sanitizers see every line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"
#include "base/size.h"
#include "mcp/consent.h"
#include "mcp/feed.h"
#include "mcp/scope.h"
#include "mcp/test_fixtures.h"

static void arm(bool on)
{
	fault.armed = on;
}

/* ---- conversations ---- */

#define CALL(id, name)                    \
	"{\"jsonrpc\":\"2.0\",\"id\":" id \
	",\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\",\
\"_meta\":{\"progressToken\":1}}}"
#define REQUEST(id, method, params) \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"" method "\",\"params\":{" params "}}"
#define ALL "{\"elicitation\":{\"form\":{},\"url\":{}},\"sampling\":{\"tools\":{}},\"roots\":{}}"
#define MODERN(id, method, params)                                                      \
	REQUEST(id, method,                                                             \
		params "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"        \
		       "\"2026-07-28\",\"io.modelcontextprotocol/logLevel\":\"debug\"," \
		       "\"io.modelcontextprotocol/clientCapabilities\":" ALL "}")
#define INITIALIZE(version)                                                   \
	REQUEST("\"i\"", "initialize",                                        \
		"\"protocolVersion\":\"" version "\",\"capabilities\":" ALL), \
		"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"
#define CANCEL(id)                                         \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" \
	"cancelled\",\"params\":{\"requestId\":" id "}}"
#define ANSWER(id, result) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"

static const char *const plain[] = {
	INITIALIZE("2025-11-25"),
	REQUEST("1", "tools/list", ""),
	REQUEST("2", "resources/list", ""),
	REQUEST("3", "prompts/list", ""),
	CALL("4", "blocks"),
	CALL("5", "number"),
	CALL("6", "wrong_number"),
	CALL("7", "strict"),
	CALL("8", "logs"),
	CALL("9", "steps"),
	CALL("10", "later"),
	CALL("11", "works"),
	CALL("12", "fails"),
	REQUEST("13", "resources/read", "\"uri\":\"test://item/a%20b/c\""),
	REQUEST("14", "prompts/get", "\"name\":\"greet\",\"arguments\":{\"name\":\"x\"}"),
	REQUEST("15", "completion/complete",
		"\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://item/{name}/"
		"{part}\"},\"argument\":{\"name\":"
		"\"many\",\"value\":\"\"}"),
	"{\"jsonrpc\":\"2.0\",\"id\":\"a string\",\"method\":\"nothing\"}",
	CALL("16", "long"),
	REQUEST("17", "extra/echo", "\"a\":[1]"),
	"not a message",
	NULL};

static const char *const asking[] = {
	INITIALIZE("2025-11-25"),
	CALL("1", "ask_several"),
	ANSWER("1", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}"),
	ANSWER("2", "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"text\":\"So.\"}}"),
	ANSWER("3", "{\"roots\":[]}"),
	CALL("2", "ask_after"),
	CALL("3", "ask_form"),
	CANCEL("3"),
	CALL("4", "hold"),
	CANCEL("4"),
	NULL};

static const char *const modern[] = {
	MODERN("1", "server/discover", ""),
	MODERN("2", "tools/list", ""),
	MODERN("3", "tools/call", "\"name\":\"ask_several\","),
	MODERN("4", "tools/call",
	       "\"name\":\"ask_rounds\",\"arguments\":{\"a\":{\"x\":[1,2]}},\"inputResponses\":{"
	       "\"one\":{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}},"),
	MODERN("5", "tools/call", "\"name\":\"ask_rounds\",\"requestState\":\"AAAA\","),
	MODERN("6", "tools/call", "\"name\":\"logs\","),
	MODERN("9", "tools/call", "\"name\":\"long\","),
	MODERN("10", "extra/echo", "\"a\":{\"_meta\":1},"),
	MODERN("7", "subscriptions/listen",
	       "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":["
	       "\"test://text\",\"a:b\"]},"),
	MODERN("8", "subscriptions/listen", "\"notifications\":{},"),
	CANCEL("7"),
	NULL};

static const char *const batches[] = {
	INITIALIZE("2025-03-26"),
	"[" CALL("1", "echo") "," CALL("2", "hold") "," CALL("3", "ask_roots") "," CANCEL("2") "]",
	REQUEST("4", "resources/subscribe", "\"uri\":\"test://text\""),
	"[" ANSWER("1", "{\"roots\":[]}") "]",
	REQUEST("5", "resources/unsubscribe", "\"uri\":\"test://text\""),
	NULL};

#define TASK_CALL(id, name)       \
	REQUEST(id, "tools/call", \
		"\"name\":\"" name "\",\"task\":{\"ttl\":5000},\"_meta\":{\"progressToken\":1}")
#define TASK(id, method) REQUEST(id, method, "\"taskId\":\"$\"")
#define TASKS                                                               \
	"{\"elicitation\":{},\"sampling\":{},\"roots\":{},\"extensions\":{" \
	"\"io.modelcontextprotocol/tasks\":{}}}"
#define MODERN_TASK(id, method, params)                                          \
	REQUEST(id, method,                                                      \
		params "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":" \
		       "\"2026-07-28\",\"io.modelcontextprotocol/"               \
		       "clientCapabilities\":" TASKS "}")

/* In these `$` is the id of the task begun last. */
static const char *const legacy_tasks[] = {
	INITIALIZE("2025-11-25"),
	TASK_CALL("1", "task_reports"),
	TASK("2", "tasks/get"),
	TASK("3", "tasks/result"),
	TASK("4", "tasks/cancel"),
	TASK_CALL("5", "task_asks_all"),
	TASK("6", "tasks/result"),
	ANSWER("1", "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}"),
	ANSWER("2", "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"text\":\"So.\"}}"),
	ANSWER("3", "{\"roots\":[]}"),
	TASK("7", "tasks/result"),
	TASK_CALL("8", "task_fails"),
	REQUEST("9", "tasks/list", ""),
	TASK_CALL("10", "task_later"),
	TASK("11", "tasks/result"),
	TASK_CALL("12", "task_works"),
	TASK_CALL("13", "task_deaf"),
	NULL};

static const char *const modern_tasks[] = {
	MODERN_TASK("1", "tools/call", "\"name\":\"task_asks_all\","),
	MODERN_TASK("2", "subscriptions/listen", "\"notifications\":{\"taskIds\":[\"$\"]},"),
	MODERN_TASK("3", "tasks/get", "\"taskId\":\"$\","),
	MODERN_TASK("4", "tasks/update",
		    "\"taskId\":\"$\",\"inputResponses\":{\"who.1\":{\"action\":\"accept\","
		    "\"content\":{\"name\":\"Ann\"}}},"),
	MODERN_TASK("5", "tasks/update",
		    "\"taskId\":\"$\",\"inputResponses\":{\"why.2\":{\"role\":\"assistant\","
		    "\"model\":\"m\",\"content\":{\"text\":\"So.\"}},\"where.3\":{\"roots\":"
		    "[]}},"),
	MODERN_TASK("6", "tasks/get", "\"taskId\":\"$\","),
	MODERN_TASK("7", "tools/call", "\"name\":\"task_or_not\","),
	MODERN_TASK("8", "tools/call", "\"name\":\"task_hold\","),
	MODERN_TASK("9", "tasks/cancel", "\"taskId\":\"$\","),
	MODERN_TASK("10", "tools/call", "\"name\":\"task_works\","),
	MODERN_TASK("11", "tools/call", "\"name\":\"task_later\","),
	NULL};

#define YES "{\"action\":\"accept\",\"content\":{\"decision\":\"Approve once\"}}"
#define NO "{\"action\":\"accept\",\"content\":{\"decision\":\"Refuse\"}}"

/* Lines that begin with @ are a person's. */
static const char *const consents[] = {
	INITIALIZE("2025-11-25"),
	CALL("1", "wreck"),
	ANSWER("1", YES),
	CALL("2", "act"),
	ANSWER("2", NO),
	CALL("3", "wreck"),
	"@approve",
	"@page",
	"@policy",
	CALL("4", "act"),
	"@approve",
	CALL("5", "wreck"),
	"@deny",
	CALL("6", "wreck"),
	CANCEL("6"),
	MODERN("7", "tools/call", "\"name\":\"wreck\","),
	"@approve",
	"@leave",
	MODERN("8", "tools/call", "\"name\":\"act\","),
	"@approve",
	MODERN("9", "tools/call", "\"name\":\"act\","),
	NULL,
};

static struct {
	unsigned approvals, runs; /* of what needs consent */
	struct tn_peer *page;
} consented;

static void wreck(struct tenon_call *call, void *data)
{
	(void)data;
	consented.runs++;
	tenon_call_reply_text(call, "wrecked");
}

static void do_act(struct tenon_call *call, void *data)
{
	static const struct tenon_act act = {.kind = "apply",
					     .summary = "Apply",
					     .detail = "it",
					     .exactly = "x",
					     .exactly_size = 1};

	if (tenon_call_consent(call, &act))
		wreck(call, data);
}

static void add_consent(struct test_peer *t)
{
	static const struct tenon_tool tools[] = {
		{.name = "wreck", .call = wreck},
		{.name = "act", .flags = TENON_ASKS_CONSENT, .call = do_act},
	};
	struct tenon_error err;

	test_add_tools(t, tools, TN_COUNT(tools));
	assert_int_equal(tn_consent_open(t->server, NULL, &err), TENON_OK);
	consented.approvals = consented.runs = 0;
	consented.page = NULL;
}

/* The newest request's id; the writer has memory of its own. */
static void find_request(struct test_peer *t, char id[64])
{
	struct tn_buf out;
	size_t at;

	tn_buf_init(&out, TN_MIB);
	tn_consent_write(t->server, &out);
	at = tn_str_find(tn_buf_str(&out), TN_STR("apr_"));
	(void)snprintf(id, 64, "%.30s", at == TN_STR_NONE ? "" : out.data + at);
	tn_buf_finish(&out);
}

static void be_person(struct test_peer *t, const char *what)
{
	static const char policy[] =
		"{\"elicitation\":\"never\",\"rules\":[{\"id\":\"a\",\"tool\":["
		"\"x\"],\"action\":\"deny\"}]}";
	struct tenon_error err;
	char id[64];

	if (strcmp(what, "@page") == 0) {
		assert_int_equal(tn_peer_create(t->server, TN_PEER_STREAM, "tester", NULL, t,
						&consented.page, &err),
				 TENON_OK);
		consented.page->person = true;
		return;
	}
	find_request(t, id);
	t->in_core = true;
	arm(true);
	if (strcmp(what, "@leave") == 0) {
		tn_peer_destroy(consented.page);
		consented.page = NULL;
	} else if (strcmp(what, "@policy") == 0) {
		if (tn_consent_set_policy(t->server, policy, &err) != TENON_OK)
			assert_int_equal(err.code, TENON_NO_MEMORY);
	} else if (tn_consent_decide(t->server, tn_str_from(id),
				     strcmp(what, "@deny") == 0 ? TN_DENIED : TN_APPROVED, "page",
				     &err) == TENON_OK) {
		consented.approvals += strcmp(what, "@approve") == 0;
	}
	arm(false);
	t->in_core = false;
}

static void echo_params(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish_json(call, tenon_call_json(call, NULL));
}

static void long_text(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "longer than it may be");
}

/* What the fixtures do not have. */
static void add_more(struct test_peer *t)
{
	static const struct tenon_method methods[] = {{.name = "extra/echo", .call = echo_params},
						      {.name = NULL}};
	static const struct tenon_extension extension = {
		.id = "a/extra", .legacy = true, .methods = methods};
	static const struct tenon_tool tool = {
		.name = "long", .text_max_bytes = 4, .call = long_text};
	struct tenon_error err;

	assert_int_equal(tenon_server_add_extension(t->server, &extension, &err), TENON_OK);
	test_add_tools(t, &tool, 1);
}

/* Sends a line; `$` becomes the id of the newest task, and stays when there is none. */
static void send_line(struct test_peer *t, const char *line)
{
	const struct tn_task *task = t->server->tasks.last;
	const char *mark = strchr(line, '$');

	if (line[0] == '@')
		be_person(t, line);
	else if (mark && task)
		(void)test_sendf(t, "%.*s%s%s", (int)(mark - line), line, task->id, mark + 1);
	else
		(void)test_send(t, line);
}

static void change_things(struct test_peer *t)
{
	t->in_core = true;
	arm(true);
	tenon_server_resource_updated(t->server, "test://text");
	(void)tenon_server_remove_tool(t->server, "echo");
	arm(false);
	t->in_core = false;
}

/* One run; true when the fault has happened. */
static bool run_once(const char *const *lines, unsigned long nth, bool goes_on)
{
	static const struct tenon_server_options options = {
		.name = "test", .version = "1.2", .check_output = true};
	struct test_peer *t;

	arm(false);
	t = test_peer_create(&options);
	test_add_fixtures(t);
	add_more(t);
	if (lines == legacy_tasks || lines == modern_tasks)
		test_add_tasks(t);
	if (lines == consents)
		add_consent(t);
	t->faults = arm;
	fault.nth = nth;
	fault.goes_on = goes_on;
	fault.count = 0;
	fault.hit = false;
	for (size_t i = 0; lines[i]; i++)
		send_line(t, lines[i]);
	change_things(t);
	test_run(t, 8);
	fault.nth = 0;
	while (test_next(t))
		;
	/* Memory is back: so is the server. */
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"method\":\"ping\"}");
	while (t->first && !strstr(t->first->json, "\"last\""))
		(void)test_next(t);
	test_expect(t, "{\"id\":\"last\",\"result\":{}}");
	if (lines ==
	    consents) /* short of memory, too: one run for each yes, the form's among them */
		assert_true(consented.runs <= consented.approvals + 1);
	if (lines == consents && !fault.hit)
		assert_int_equal(consented.runs, 5);
	test_peer_destroy(t);
	return fault.hit;
}

static void run_all(const char *const *lines)
{
	unsigned long n = 0;

	while (run_once(lines, ++n, false))
		;
	print_message("%lu allocations\n", n - 1);
	assert_true(n > 20); /* it has met some */
	for (n = 1; run_once(lines, n, true); n++)
		;
}

static void test_plain(void **state)
{
	(void)state;
	run_all(plain);
}

static void test_asking(void **state)
{
	(void)state;
	run_all(asking);
}

static void test_modern_era(void **state)
{
	(void)state;
	run_all(modern);
}

static void test_tasks(void **state)
{
	(void)state;
	run_all(legacy_tasks);
	run_all(modern_tasks);
}

static void test_consent(void **state)
{
	(void)state;
	run_all(consents);
}

static void test_batches(void **state)
{
	(void)state;
	run_all(batches);
}

/* ---- making a server and filling it ---- */

static void nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, "");
}

static void fill(struct tenon_server *server)
{
	static const struct tenon_prompt_argument argument = {"a", "b", "c", 1};
	static const struct tenon_tool tool = {
		.name = "t",
		.title = "T",
		.input_schema =
			"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
			"\"pattern\":\"^a+$\",\"x-mcp-header\":\"A\"}},\"$defs\":{\"b\":{}}}",
		.output_schema = "{\"type\":\"object\"}",
		.meta = "{\"k\":1}",
		.icons = "[]",
		.ui = "ui://x",
		.call = nothing};
	static const struct tenon_tool *const tools[] = {&tool, NULL};
	static const struct tenon_app app = {.name = "a", .instructions = "x", .tools = tools};
	static const struct tenon_resource resource = {
		.uri = "a:b", .name = "r", .size_bytes = -1, .read = nothing};
	static const struct tenon_resource_template pattern = {
		.uri_template = "a:{b}{?c*}", .name = "r", .read = nothing};
	static const struct tenon_prompt prompt = {
		.name = "p", .arguments = &argument, .argument_count = 1, .get = nothing};

	static const char *const patterns[] = {"a*", "b", NULL};
	static const struct tenon_token token = {
		.name = "k", .tools = patterns, .resources = patterns, .prompts = patterns};
	static const struct tenon_method methods[] = {
		{.name = "x/y", .name_member = "z", .call = nothing}, {.name = NULL}};
	static const struct tenon_extension extension = {
		.id = "a/b", .settings = "{}", .methods = methods};
	struct tn_scope *scope = NULL;

	/* Each may fail, and the next may not. */
	(void)tenon_server_add_extension(server, &extension, NULL);
	if (tn_scope_create(server, &token, &scope, NULL) == TENON_OK)
		tn_scope_free(scope);
	(void)tenon_server_add_app(server, &app, NULL);
	(void)tenon_server_add_resource(server, &resource, NULL);
	(void)tenon_server_add_template(server, &pattern, NULL);
	(void)tenon_server_add_prompt(server, &prompt, NULL);
}

static bool create_once(unsigned long nth)
{
	static const char *const keys[] = {"0123456789abcdef0123456789abcdef", NULL};
	static const struct tenon_server_options options = {.name = "test",
							    .version = "1",
							    .title = "t",
							    .instructions = "i",
							    .description = "d",
							    .icons = "[]",
							    .seal_keys = keys};
	struct tenon_server *server = NULL;

	fault.nth = nth;
	fault.goes_on = false;
	fault.count = 0;
	fault.hit = false;
	arm(true);
	if (tenon_server_create(&options, &server, NULL) == TENON_OK) {
		fill(server);
		tenon_server_destroy(server);
	}
	arm(false);
	return fault.hit;
}

static void test_create(void **state)
{
	unsigned long n = 0;

	(void)state;
	while (create_once(++n))
		;
	print_message("%lu allocations\n", n - 1);
	assert_true(n > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create),  cmocka_unit_test(test_plain),
		cmocka_unit_test(test_asking),  cmocka_unit_test(test_modern_era),
		cmocka_unit_test(test_batches), cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_consent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
