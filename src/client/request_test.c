/* Requests that meet what they should not: cancelled in the middle, repeated after a loss, with
 * headers that have changed, with results that are not to be kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "client/client_test_kit.h"

#include "client/limits.h"

static struct tenon_outcome wait_for(struct tenon_request *request)
{
	struct tenon_outcome outcome = {0};

	assert_non_null(request);
	(void)tenon_request_wait(request, &outcome);
	return outcome;
}

static struct tenon_outcome list_tools(struct tenon_client *client)
{
	struct tenon_error err;

	return wait_for(tenon_client_list(client, TENON_LIST_TOOLS, NULL, &err));
}

/* The first is silent about changes, so that scripts need no listening. */
static const char quiet_modern[] =
	OK(DONE ",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{},"
		"\"resources\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");

static void count_end(struct tenon_request *request, const struct tenon_outcome *outcome,
		      void *data)
{
	struct tn_buf *log = data;

	(void)request;
	tn_buf_format(log, "end %s\n", tenon_code_name(outcome->code));
}

/* ---- headers ---- */

#define TOOL_WITH_HEADER(header)                                                            \
	"{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{"      \
	"\"type\":\"integer\",\"x-mcp-header\":\"" header "\"},\"b\":{\"type\":\"string\"," \
	"\"x-mcp-header\":\"B\"}}}}"
#define BAD_TOOL                                                                         \
	"{\"name\":\"bad\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{" \
	"\"type\":\"number\",\"x-mcp-header\":\"A\"}}}}"

static void header_arguments(void **state) /* MCP-126 MCP-128 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, quiet_modern},
		{"tools/call", "\"arguments\":{\"a\":1}", /* not listed: no headers */
		 ERROR("-32020", ",\"message\":\"headers\"")},
		{"tools/list", NULL, OK("\"tools\":[" BAD_TOOL "," TOOL_WITH_HEADER("A") "]")},
		{"tools/call", "\nMcp-Param-A: 1;", OK("\"content\":[]")},
		{"tools/call", "\nMcp-Param-A: 1;", ERROR("-32020", ",\"message\":\"changed\"")},
		{"tools/list", NULL, OK("\"tools\":[" TOOL_WITH_HEADER("New") "]")},
		{"tools/call", "\nMcp-Param-New: 1;", ERROR("-32020", ",\"message\":\"again\"")},
		{"tools/list", NULL, OK("\"tools\":[" BAD_TOOL "]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;
	struct tenon_outcome outcome;

	(void)state;
	server.kind = TN_CARRIER_HTTP;
	client = kit_connect(&server, &options);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	outcome = kit_call(client, "t", NULL); /* once, and no more */
	assert_int_equal(outcome.error_code, -32020);
	assert_string_equal(outcome.err.message, "again");
	assert_string_equal(list_tools(client).result, "{\"tools\":[]}");
	assert_non_null(strstr(kit_log(&server), "log warning tenon \"")); /* name and reason */
	assert_non_null(strstr(kit_log(&server), "bad"));
	kit_close(&server, client);
}

/* Whoever waits for the new list may be gone when it comes. */
static void cancelled_while_relisting(void **state)
{
	static const struct kit_step steps[] = {{"server/discover", NULL, quiet_modern},
						{"tools/call", NULL, ERROR("-32020", "")},
						{"tools/list", NULL, NULL},
						{"tools/call", NULL, ERROR("-32020", "")},
						{"tools/list", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_request_options late = {.total_ms = 20, .done = count_end};
	struct tenon_request_options short_one = {.done = count_end};
	struct tenon_client *client;
	struct tenon_request *request;
	struct tenon_error err;

	(void)state;
	server.kind = TN_CARRIER_HTTP;
	client = kit_connect(&server, &options);
	late.data = short_one.data = &server.log;
	request = tenon_client_call(client, "t", NULL, &short_one, &err);
	tenon_client_run_for(client, 5);
	tenon_request_cancel(request);
	tenon_client_run_for(client, 5);
	assert_non_null(tenon_client_call(client, "t", NULL, &late, &err));
	tenon_client_run_for(client, 40);
	assert_string_equal(kit_log(&server), "end cancelled\nend expired\n");
	kit_close(&server, client);
}

/* ---- inside callbacks ---- */

static void cancel_now(struct tenon_request *request, double progress, double total,
		       const char *message, void *data)
{
	(void)progress;
	(void)total;
	(void)message;
	tn_buf_append_text(data, "progress\n");
	tenon_request_cancel(request);
}

static void cancelled_by_progress(void **state)
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, quiet_modern},
		{"tools/call", NULL,
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":1,\"progress\":1}}\n"
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
		 "\"progressToken\":1,\"progress\":2}}\n" OK("\"content\":[]")},
		{"notifications/cancelled", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_request_options watched = {
		.progress = cancel_now, .done = count_end, .data = &server.log};
	struct tenon_error err;

	(void)state;
	assert_non_null(tenon_client_call(client, "t", NULL, &watched, &err));
	tenon_client_run_for(client, 10);
	assert_string_equal(kit_log(&server), "progress\nend cancelled\n");
	kit_close(&server, client);
}

struct chain {
	struct tenon_client *client;
	int left;
};

static void begin_next(struct tenon_request *request, const struct tenon_outcome *outcome,
		       void *data)
{
	struct tenon_request_options options = {.done = begin_next, .data = data};
	struct chain *chain = data;
	struct tenon_outcome ignored;
	struct tenon_error err;

	tenon_request_cancel(request); /* it is over: nothing happens */
	assert_int_equal(outcome->code, TENON_OK);
	assert_int_equal(tenon_client_connect(chain->client, &err), TENON_INTERNAL);
	assert_non_null(strstr(err.message, "inside a callback"));
	assert_int_equal(tenon_request_wait(request, &ignored), TENON_INTERNAL);
	tenon_client_run_for(chain->client, 1000); /* likewise refused: it returns at once */
	if (chain->left-- > 0)
		assert_non_null(tenon_client_call(chain->client, "t", NULL, &options, &err));
}

static void requests_of_callbacks(void **state)
{
	static const struct kit_step steps[] = {{"server/discover", NULL, quiet_modern},
						{"tools/call", NULL, OK("")},
						{"tools/call", NULL, OK("")},
						{"tools/call", NULL, OK("")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct chain chain = {kit_connect(&server, &options), 2};
	struct tenon_request_options first = {.done = begin_next, .data = &chain};
	struct tenon_error err;

	(void)state;
	assert_non_null(tenon_client_call(chain.client, "t", NULL, &first, &err));
	tenon_client_run_for(chain.client, 20);
	assert_int_equal(chain.left, -1);
	kit_close(&server, chain.client);
}

/* ---- losses ---- */

static const char annotated[] =
	OK("\"tools\":[{\"name\":\"safe\",\"annotations\":{\"readOnlyHint\":true}},"
	   "{\"name\":\"same\",\"annotations\":{\"idempotentHint\":true}},"
	   "{\"name\":\"t\",\"annotations\":{\"readOnlyHint\":false}}]");

static void lost_session(void **state) /* MCP-131 */
{
	static const struct kit_step steps[] = {{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL},
						{"tools/list", NULL, annotated},
						{"tools/call", "safe", "<404>"},
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL},
						{"tools/call", "safe", OK("\"content\":[1]")},
						{"tools/list", NULL, annotated},
						{"tools/call", "same", "<404>"},
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL},
						{"tools/call", "same", "<404>"}, /* once */
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL},
						{"tools/list", NULL, annotated},
						{"tools/call", "\"t\"", "<404>"},
						{"initialize", NULL, kit_legacy},
						{"notifications/initialized", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;

	(void)state;
	server.kind = TN_CARRIER_HTTP;
	options.mode = TENON_MODE_LEGACY;
	client = kit_connect(&server, &options);
	(void)list_tools(client);
	assert_int_equal(kit_call(client, "safe", NULL).code, TENON_OK);
	(void)list_tools(client);
	assert_int_equal(kit_call(client, "same", NULL).code, TENON_EXPIRED);
	(void)list_tools(client);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_EXPIRED);
	tenon_client_run_for(client, 1000);
	assert_non_null(strstr(kit_log(&server), "changed 4 -")); /* the loss is told */
	kit_close(&server, client);
}

static void broken_stream(void **state) /* MCP-152 */
{
	static const struct kit_step steps[] = {{"server/discover", NULL, quiet_modern},
						{"resources/read", NULL, "<broken>"},
						{"resources/read", NULL, OK("\"contents\":[1]")},
						{"resources/read", NULL, "<broken>"},
						{"resources/read", NULL, "<broken>"},
						{"tools/call", NULL, "<broken>"}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;
	struct tenon_error err;

	(void)state;
	server.kind = TN_CARRIER_HTTP;
	client = kit_connect(&server, &options);
	assert_int_equal(wait_for(tenon_client_read(client, "x:1", NULL, &err)).code, TENON_OK);
	assert_int_equal(wait_for(tenon_client_read(client, "x:1", NULL, &err)).code, TENON_SYSTEM);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_SYSTEM);
	kit_close(&server, client);
}

/* Cursors of a connection that is gone mean nothing to the next: from the first page again. */
static void lost_between_pages(void **state) /* MCP-088 MCP-190 */
{
	static const struct kit_step steps[] = {
		{"initialize", NULL, kit_legacy},
		{"notifications/initialized", NULL, NULL},
		{"tools/list", NULL, OK("\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"2\"")},
		{"tools/list", "\"cursor\":\"2\"", "<lost>"},
		{"initialize", NULL, kit_legacy},
		{"notifications/initialized", NULL, NULL},
		{"tools/list", "\"params\":{}",
		 OK("\"tools\":[{\"name\":\"b\"}],\"nextCursor\":\"2\"")},
		{"tools/list", "\"cursor\":\"2\"", OK("\"tools\":[{\"name\":\"c\"}]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;

	(void)state;
	options.mode = TENON_MODE_LEGACY;
	client = kit_connect(&server, &options);
	assert_string_equal(list_tools(client).result,
			    "{\"tools\":[{\"name\":\"b\"},{\"name\":\"c\"}]}");
	kit_close(&server, client);
}

/* The era that was found is kept, until the server does not want it any more. */
static void another_server(void **state) /* MCP-062 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, ERROR("-32601", "")},
		{"initialize", NULL, kit_legacy},
		{"notifications/initialized", NULL, NULL},
		{"ping", NULL, "<lost>"},
		{"initialize", NULL, ERROR("-32601", ",\"message\":\"no more\"")},
		{"server/discover", NULL, quiet_modern},
		{"ping", NULL, OK("")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_error err;

	(void)state;
	assert_string_equal(tenon_client_revision(client), "2025-11-25");
	assert_int_equal(wait_for(tenon_client_request(client, "ping", NULL, NULL, &err)).code,
			 TENON_OK);
	assert_string_equal(tenon_client_revision(client), "2026-07-28");
	kit_close(&server, client);
}

static void long_lines(void **state) /* MCP-089 MCP-288 */
{
	static const struct kit_step legacy[] = {
		{"initialize", NULL, kit_legacy},
		{"notifications/initialized", NULL, NULL},
		{"tools/call", NULL, "<long>"},
		{"<response>", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600", NULL}};
	/* A subscription waits for no answer: the other request is the only one that can be meant.
	 */
	static const struct kit_step modern[] = {CONNECT_MODERN, {"tools/call", NULL, "<long>"}};
	struct kit_server one = SERVER(legacy), two = SERVER(modern);
	struct tenon_client_options options = kit_options(&one);
	struct tenon_client *client;

	(void)state;
	options.mode = TENON_MODE_LEGACY;
	client = kit_connect(&one, &options);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_LIMIT);
	kit_close(&one, client);
	options = kit_options(&two);
	client = kit_connect(&two, &options);
	tenon_client_run_for(client, 5);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_LIMIT);
	kit_close(&two, client);
}

/* ---- results ---- */

static void not_kept(void **state) /* MCP-189 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, quiet_modern},
		{"resources/read", NULL,
		 OK("\"resultType\":\"input_required\",\"requestState\":\"s\",\"ttlMs\":60000")},
		{"resources/read", "\"requestState\":\"s\"",
		 OK("\"contents\":[1],\"ttlMs\":60000")},
		{"resources/read", "\"requestState\":\"s\"", OK("\"contents\":[2]")},
		{"resources/read", NULL, OK("\"contents\":[3],\"ttlMs\":60000")},
		{"resources/read", NULL, OK("\"contents\":[4]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);
	struct tenon_request_options once = {.once = true}, fresh = {.fresh = true};
	const char *answered = "{\"uri\":\"x:1\",\"requestState\":\"s\"}";
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)state;
	outcome = wait_for(tenon_client_read(client, "x:1", &once, &err));
	assert_non_null(strstr(outcome.result, "input_required")); /* handed out as it came */
	for (int i = 1; i <= 2; i++) {
		outcome = wait_for(
			tenon_client_request(client, "resources/read", answered, &once, &err));
		assert_non_null(strstr(outcome.result, i == 1 ? "[1]" : "[2]"));
	}
	outcome = wait_for(tenon_client_read(client, "x:1", NULL, &err));
	assert_non_null(strstr(outcome.result, "[3]"));
	outcome = wait_for(tenon_client_read(client, "x:1", NULL, &err));
	assert_non_null(strstr(outcome.result, "[3]"));
	outcome = wait_for(tenon_client_read(client, "x:1", &fresh, &err));
	assert_non_null(strstr(outcome.result, "[4]"));
	kit_close(&server, client);
}

static void clean_errors(void **state) /* MCP-287 */
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, quiet_modern},
		{"tools/call", NULL, OK("\"resultType\":\"a\\u001b[31mb\\nc\"")},
		{"tools/call", NULL, OK("\"resultType\":\"task\"," TASK("working", ""))},
		{"tasks/get", NULL,
		 OK(TASK("failed",
			 ",\"error\":{\"code\":-1,\"message\":\"x\\u001b]0;y\\u0007\\nz\"}"))}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	assert_string_equal(kit_call(client, "t", NULL).err.message,
			    "the server's result is of an unknown type: ab c");
	assert_string_equal(kit_call(client, "t", NULL).err.message, "x z");
	kit_close(&server, client);
}

static void batches(void **state) /* MCP-018 */
{
	static const char r2[] = OK("\"protocolVersion\":\"2025-03-26\",\"capabilities\":{}");
	static const struct kit_step steps[] = {
		{"initialize", NULL, r2},
		{"notifications/initialized", NULL, NULL},
		{"tools/call", NULL,
		 "[{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"},7,[],"
		 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{"
		 "\"level\":\"info\",\"data\":1}}," OK("\"content\":[]") "]"},
		{"<response>", "\"id\":\"q\",\"result\":{}", NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client;

	(void)state;
	options.mode = TENON_MODE_LEGACY;
	client = kit_connect(&server, &options);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	assert_string_equal(kit_log(&server), "log info - 1\n");
	kit_close(&server, client);
}

/* ---- growth ---- */

static void put_page(struct tn_buf *script, size_t cursor_bytes, char fill)
{
	tn_buf_append_text(script, "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[],"
				   "\"nextCursor\":\"");
	for (size_t i = 0; i < cursor_bytes; i++)
		tn_buf_append_byte(script, fill);
	tn_buf_append_text(script, "\"}}");
	tn_buf_append_byte(script, '\0');
}

static void long_cursors(void **state) /* MCP-288 */
{
	struct kit_step steps[] = {{"initialize", NULL, kit_legacy},
				   {"notifications/initialized", NULL, NULL},
				   {"tools/list", NULL, NULL},
				   {"tools/list", NULL, NULL}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tn_buf fits, too_long;
	struct tenon_client *client;
	struct tenon_outcome outcome;

	(void)state;
	tn_buf_init(&fits, TN_MIB);
	tn_buf_init(&too_long, TN_MIB);
	put_page(&fits, TN_CLIENT_CURSOR_MAX, 'a');
	put_page(&too_long, TN_CLIENT_CURSOR_MAX + 1, 'b');
	steps[2].lines = fits.data;
	steps[3].lines = too_long.data;
	options.mode = TENON_MODE_LEGACY;
	client = kit_connect(&server, &options);
	outcome = list_tools(client);
	assert_int_equal(outcome.code, TENON_INVALID);
	assert_non_null(strstr(outcome.err.message, "nextCursor"));
	kit_close(&server, client);
	tn_buf_finish(&fits);
	tn_buf_finish(&too_long);
}

/* What is listed no more is remembered no more. */
static void tools_that_went(void **state)
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, quiet_modern},
		{"tools/list", NULL,
		 OK("\"tools\":[{\"name\":\"t\",\"outputSchema\":{\"type\":\"object\"}},"
		    "{\"name\":\"u\"}]")},
		{"tools/call", NULL, OK("\"content\":[]")},
		{"tools/list", NULL, OK("\"tools\":[{\"name\":\"u\"}]")},
		{"tools/call", NULL, OK("\"content\":[]")}};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	(void)list_tools(client);
	assert_int_equal(client->tools.used, 2);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_INVALID);
	(void)list_tools(client);
	assert_int_equal(client->tools.used, 1);
	assert_int_equal(kit_call(client, "t", NULL).code, TENON_OK);
	kit_close(&server, client);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(header_arguments),
		cmocka_unit_test(cancelled_while_relisting),
		cmocka_unit_test(cancelled_by_progress),
		cmocka_unit_test(requests_of_callbacks),
		cmocka_unit_test(lost_session),
		cmocka_unit_test(broken_stream),
		cmocka_unit_test(lost_between_pages),
		cmocka_unit_test(another_server),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(not_kept),
		cmocka_unit_test(clean_errors),
		cmocka_unit_test(batches),
		cmocka_unit_test(long_cursors),
		cmocka_unit_test(tools_that_went),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
