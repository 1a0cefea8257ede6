/* The tools of the terminal before a scripted backend: what they accept and refuse, what they ask
 * for, how answers and refusals look; and without any backend (T-03 to T-09, T-11, T-13,
 * terminal.md 4.1 and 7). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/mcp/tools.h"
#include "apps/terminal/session/fake_backend.h"
#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/mcp/tool_admit.h"
#include "base/mem.h"
#include "mcp/test_peer.h"

/* ---- the app, with doors of ours ---- */

static struct fake_backend fake;
static bool without_backend;

static const char *get_variable(const char *name)
{
	return strcmp(name, "TENON_STATE_DIR") == 0 ? "/tmp" : NULL;
}

static enum tenon_code open_door(struct tenon_server *server, void **ret, struct tenon_error *err)
{
	const struct tn_term_surroundings around = {.get = get_variable};
	struct tn_term_door *door = tn_mem_alloc(sizeof(*door));

	assert_non_null(door);
	door->server = server;
	assert_int_equal(tn_term_config_read(&door->config, &around, err), TENON_OK);
	assert_int_equal(tn_term_admit_open(door, err), TENON_OK);
	if (!without_backend)
		door->backend = &fake.backend;
	*ret = door;
	return TENON_OK;
}

static void close_door(void *state)
{
	struct tn_term_door *door = state;

	tn_term_admit_close(door);
	tn_term_config_finish(&door->config);
	tn_mem_free(door);
}

static const struct tenon_app app = {.name = "terminal",
				     .argument_faults = TENON_FAULTS_ARE_PROTOCOL_ERRORS,
				     .tools = tn_term_tools,
				     .open = open_door,
				     .stop = close_door};

static int start(void **state)
{
	static const struct tenon_server_options options = {
		.name = "test", .version = "1.2", .check_output = true};
	struct test_peer *t = test_peer_create(&options);
	struct tenon_error err = {0};

	fake_backend_init(&fake);
	if (tenon_server_add_app(t->server, &app, &err) != TENON_OK)
		fail_msg("%s", err.message);
	*state = t;
	return 0;
}

static int set_up(void **state)
{
	without_backend = false;
	return start(state);
}

static int set_up_without(void **state)
{
	without_backend = true;
	return start(state);
}

static int tear_down(void **state)
{
	test_peer_destroy(*state);
	return 0;
}

/* ---- calls ---- */

static struct test_exchange *call(struct test_peer *t, const char *tool, const char *arguments)
{
	char params[2048];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\",\"arguments\":{%s}", tool,
		       arguments);
	return test_modern(t, "1", "tools/call", params, NULL, NULL);
}

static void expect_invalid(struct test_peer *t, const char *tool, const char *arguments,
			   const char *words)
{
	unsigned before = fake.calls;

	(void)call(t, tool, arguments);
	test_expect_error(t, "1", -32602, words);
	assert_int_equal(fake.calls, before); /* nothing was asked for */
}

static void expect_structured(struct test_peer *t, const char *tool, const char *arguments,
			      const char *text, const char *structured)
{
	(void)call(t, tool, arguments);
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}],"
		     "\"structuredContent\":%s,\"...\":0}}",
		     text, structured);
}

/* ---- arguments ---- */

static void test_refused(void **state) /* T-06 */
{
	struct test_peer *t = *state;

	expect_invalid(t, "nothing", "", "Unknown tool: nothing");
	expect_invalid(t, "execute_command", "", "command");
	expect_invalid(t, "execute_command", "\"command\":\"\"", "command");
	expect_invalid(t, "execute_command", "\"command\":7", "command");
	expect_invalid(t, "execute_command", "\"command\":\"a\\u0000b\"", "NUL");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"timeout_ms\":-1", "timeout_ms");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"timeout_ms\":86400001",
		       "timeout_ms");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"yield_ms\":55001", "yield_ms");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"yield_ms\":1.5", "yield_ms");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"if_busy\":\"later\"", "if_busy");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"on_timeout\":\"\"", "on_timeout");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"stdin\":\"y\"", "isolated");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"pty\":false", "isolated");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"env\":{\"A=\":\"1\"}", "env");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"env\":{\"A\":1}", "env");
	expect_invalid(t, "execute_command", "\"command\":\"x\",\"colour\":\"red\"", "colour");
	expect_invalid(t, "get_terminal_output", "\"lines\":0", "lines");
	expect_invalid(t, "get_terminal_output", "\"lines\":10001", "lines");
	expect_invalid(t, "get_terminal_output", "\"lines\":5,\"cursor\":\"c1.e.1\"", "lines");
	expect_invalid(t, "get_terminal_output", "\"max_bytes\":1048577", "max_bytes");
	expect_invalid(t, "create_session", "\"cols\":19", "cols");
	expect_invalid(t, "create_session", "\"rows\":201", "rows");
	expect_invalid(t, "create_session", "\"name\":\"a\\u0007\"", "printed");
	expect_invalid(t, "create_session", "\"program\":[]", "program");
	expect_invalid(t, "create_session", "\"program\":[\"\"]", "program");
	expect_invalid(t, "create_session", "\"program\":[\"a\"],\"shell\":\"bash\"", "shell");
	expect_invalid(t, "switch_session", "", "session_id");
	expect_invalid(t, "search_history", "", "query");
	expect_invalid(t, "search_history", "\"query\":\"x\",\"type\":\"some\"", "type");
	expect_invalid(t, "search_history", "\"query\":\"x\",\"since\":\"monday\"", "RFC 3339");
	expect_invalid(t, "send_keys", "", "exactly one");
	expect_invalid(t, "send_keys", "\"text\":\"a\",\"keys\":[\"Enter\"]", "exactly one");
	expect_invalid(t, "wait_for", "", "until");
	expect_invalid(t, "wait_for", "\"until\":\"pattern\"", "value");
	expect_invalid(t, "wait_for", "\"until\":\"port\",\"value\":\"70000\"", "65535");
	expect_invalid(t, "close_session", "", "session_id");
	expect_invalid(t, "resize_session", "\"cols\":80", "rows");
	expect_invalid(t, "hand_over", "", "message");
	assert_int_equal(fake.calls, 0);
}

/* ---- execute_command ---- */

static void test_execute(void **state) /* T-05, T-07, T-13 */
{
	struct test_peer *t = *state;

	fake.output = "hello\n";
	fake.exit_code = 1;
	expect_structured(
		t, "execute_command", "\"command\":\"make\"",
		"hello\\n[exit 1 \xC2\xB7 0.2 s \xC2\xB7 /fake \xC2\xB7 cmd_fake]",
		"{\"command_id\":\"cmd_fake\",\"session_id\":\"ses_fake\",\"status\":\"completed\","
		"\"exit_code\":1,\"signal\":null,\"completion\":\"marks\",\"duration_ms\":212,"
		"\"cwd\":\"/fake\",\"output\":\"hello\\n\",\"stderr\":null,\"format\":\"plain\","
		"\"truncated\":false,\"omitted_bytes\":0,\"total_bytes\":5,\"total_lines\":1,"
		"\"next_cursor\":\"c1.e.16\",\"alternate_screen\":false,\"screen\":null,"
		"\"waiting\":{\"for_input\":false,\"certain\":false,\"hidden_input\":false,"
		"\"program\":null},\"timeout_ms\":30000,\"started_at\":"
		"\"1970-01-01T00:00:01.000Z\",\"redactions\":0,\"warnings\":[],\"...\":0}");
	assert_string_equal(fake.command, "make");
	assert_string_equal(fake.cwd, "");
	assert_int_equal(fake.timeout_ms, 30000);
	assert_false(fake.timeout_given);
	assert_int_equal(fake.yield_ms, 20000);
	assert_int_equal(fake.shaping.bytes_max, 16384);
	assert_true(fake.pty && !fake.isolated && !fake.has_stdin);
	assert_int_equal(fake.on_timeout, TN_TERM_INTERRUPT);
	assert_int_equal(fake.if_busy, TN_TERM_WAIT);
	(void)call(t, "execute_command",
		   "\"command\":\"x\",\"cwd\":\"/srv\",\"timeout_ms\":0,\"isolated\":true,"
		   "\"pty\":false,\"stdin\":\"in\",\"env\":{\"A\":\"1 2\"},\"yield_ms\":5,"
		   "\"on_timeout\":\"leave\",\"if_busy\":\"new_session\",\"max_bytes\":7,"
		   "\"format\":\"raw\",\"omit\":\"tail\",\"session_id\":\"ses_x\"");
	assert_non_null(test_next(t));
	assert_string_equal(fake.cwd, "/srv");
	assert_string_equal(fake.env, "A=1 2");
	assert_string_equal(fake.session_id, "ses_x");
	assert_true(fake.timeout_given && fake.timeout_ms == 0 && fake.yield_ms == 5);
	assert_true(fake.isolated && !fake.pty && fake.has_stdin);
	assert_int_equal(fake.on_timeout, TN_TERM_LEAVE);
	assert_int_equal(fake.if_busy, TN_TERM_NEW_SESSION);
	assert_int_equal(fake.shaping.bytes_max, 7);
	assert_int_equal(fake.shaping.format, TN_OUTPUT_RAW);
	assert_int_equal(fake.shaping.omit, TN_OUTPUT_OMIT_TAIL);
}

static void test_footers(void **state) /* terminal.md 7.1 */
{
	static const struct {
		enum tn_term_status status;
		int exit_code;
		const char *text;
	} rows[] = {
		{TN_TERM_QUEUED, -1, "<has until the shell has an empty prompt>"},
		{TN_TERM_STATUS_RUNNING, -1,
		 "[still running after 0.2 s \xC2\xB7 cmd_fake \xC2\xB7 use wait_for]"},
		{TN_TERM_TIMED_OUT, 130, "[timed out after 30.0 s, interrupted \xC2\xB7 cmd_fake]"},
		{TN_TERM_TIMED_OUT, 137, "[timed out after 30.0 s, killed \xC2\xB7 cmd_fake]"},
		{TN_TERM_STATUS_WAITING_INPUT, -1,
		 "[waiting for hidden input (password?) \xC2\xB7 cmd_fake]"},
		{TN_TERM_SESSION_EXITED, 3, "<has session exited>"},
		{TN_TERM_COMPLETED, -1, "<has exit unknown>"},
		{TN_TERM_NOT_STARTED, -1, "<has not run>"},
		{TN_TERM_UNKNOWN, -1, "<has no way to know>"},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fake.status = rows[i].status;
		fake.exit_code = rows[i].exit_code;
		expect_structured(t, "execute_command", "\"command\":\"x\"", rows[i].text,
				  "\"<object>\"");
	}
}

static void expect_refusal(struct test_peer *t, const char *tool, const char *arguments,
			   const char *code)
{
	fake.fault = code;
	(void)call(t, tool, arguments);
	test_expectf(t,
		     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"It was "
		     "refused. Do something else.\"},{\"type\":\"text\",\"text\":\"error %s "
		     "data:{\\\"left\\\":1}\",\"annotations\":{\"audience\":[\"assistant\"]}}],"
		     "\"isError\":true,\"structuredContent\":{"
		     "\"error\":{\"code\":\"%s\",\"message\":\"It was refused.\",\"hint\":\"Do "
		     "something else.\",\"data\":{\"left\":1}}},\"...\":0}}",
		     code, code);
	fake.fault = "-";
	(void)call(t, tool, arguments);
	test_expect_error(t, "1", -32603, "It was refused.");
	fake.fault = NULL;
}

static void test_faults(void **state) /* T-06, terminal.md 4.1, 7, 13 */
{
	struct test_peer *t = *state;

	expect_refusal(t, "execute_command", "\"command\":\"x\"", "busy");
	expect_refusal(t, "get_terminal_output", "", "no_session");
	expect_refusal(t, "create_session", "", "session_limit");
	expect_refusal(t, "switch_session", "\"session_id\":\"x\"", "unknown_session");
	fake.fault = "x";
	(void)call(t, "search_history", "\"query\":\"x\"");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"isError\":true,"
		       "\"structuredContent\":{\"error\":{\"code\":\"history_unavailable\","
		       "\"...\":0}},\"...\":0}}");
}

/* ---- the others of the seed ---- */

#define SESSION                                                                               \
	"{\"id\":\"ses_fake\",\"name\":\"<string>\",\"cwd\":\"/fake\",\"project_id\":null,"   \
	"\"is_active\":true,\"state\":\"idle\",\"program\":\"bash\",\"shell\":\"/bin/bash\"," \
	"\"pid\":42,\"cols\":\"<number>\",\"rows\":\"<number>\",\"title\":\"\","              \
	"\"integration\":\"marks\",\"alternate_screen\":false,\"running_command_id\":null,"   \
	"\"exit_code\":null,\"signal\":null,\"created_at\":\"<string>\","                     \
	"\"last_activity_at\":\"<string>\",\"expires_at\":\"<string>\",\"sandbox\":\"none\"," \
	"\"host\":\"inline\",\"live_url\":null,\"total_bytes\":15,\"stuck\":false,\"...\":0}"

static void test_seed(void **state) /* T-03, T-08, terminal.md 7.2 to 7.6 */
{
	struct test_peer *t = *state;

	fake.output = "line";
	(void)call(t, "get_terminal_output", "");
	test_expect(t, "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"line\"},"
		       "{\"type\":\"text\",\"text\":\"[idle \xC2\xB7 next_cursor c1.e.14]\","
		       "\"annotations\":{\"audience\":[\"assistant\"]}}],\"structuredContent\":{"
		       "\"session_id\":\"ses_fake\",\"command_id\":null,\"output\":\"line\","
		       "\"format\":\"plain\",\"from_cursor\":\"c1.e.10\",\"next_cursor\":"
		       "\"c1.e.14\",\"gap_bytes\":0,\"more\":false,\"total_bytes\":15,"
		       "\"state\":\"idle\",\"running_command_id\":null,"
		       "\"alternate_screen\":false,\"screen\":null,\"...\":0},\"...\":0}}");
	assert_int_equal(fake.shaping.lines_max, 100); /* T-13 */
	assert_int_equal(fake.wait_ms, 0);
	expect_structured(t, "list_sessions", "",
			  "[{\\\"id\\\":\\\"ses_fake\\\",\\\"name\\\":\\\"fake\\\",\\\"cwd\\\":"
			  "\\\"/fake\\\",\\\"project_id\\\":null,\\\"is_active\\\":true}]",
			  "{\"sessions\":[" SESSION "],\"active_session_id\":\"ses_fake\","
			  "\"limit\":100,\"count\":1}");
	expect_structured(t, "create_session", "\"name\":\"mine\"",
			  "Created session ses_fake \\\"mine\\\" in /fake (bash). Sessions close "
			  "after 1 h without activity.",
			  "{\"session\":" SESSION ",\"first_output\":\"$ \"}");
	assert_int_equal(fake.columns, 120);
	assert_int_equal(fake.rows, 40);
	assert_true(fake.activate && !fake.record && fake.sandbox == -1);
	expect_structured(t, "switch_session", "\"session_id\":\"ses_fake\"",
			  "Switched to session: ses_fake",
			  "{\"session\":" SESSION ",\"previous_session_id\":\"ses_before\"}");
	expect_structured(t, "search_history", "\"query\":\"make\"",
			  "<has Search results (1 match):>",
			  "{\"entries\":[{\"timestamp\":60,\"content\":\"make all\","
			  "\"entry_type\":\"command\",\"command_id\":\"cmd_fake\",\"...\":0}],"
			  "\"total\":1,\"next_cursor\":null}");
	assert_string_equal(fake.command, "make");
}

/* ---- later ---- */

static void test_later(void **state) /* terminal.md 7.1: completion and cancelling */
{
	struct test_peer *t = *state;
	struct test_exchange *x;

	fake.later = true;
	(void)call(t, "execute_command", "\"command\":\"x\"");
	test_expect_nothing(t);
	fake_backend_answer(&fake);
	test_expect(t, "{\"id\":1,\"result\":\"<object>\"}");
	x = call(t, "execute_command", "\"command\":\"x\"");
	(void)test_send(t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			   "\"params\":{\"requestId\":1}}");
	assert_int_equal(fake.cancels, 1);
	assert_int_equal(x->end, TEST_CANCELLED);
	test_expect_nothing(t);
}

/* What needs the session itself is refused where the backend has none (section 14). */
static void test_optional(void **state)
{
	static const char *const rows[][2] = {
		{"send_keys", "\"text\":\"x\""},
		{"wait_for", "\"until\":\"exit\""},
		{"get_screen", ""},
		{"signal", ""},
		{"resize_session", "\"cols\":80,\"rows\":24"},
		{"close_session", "\"session_id\":\"ses_fake\""},
		{"hand_over", "\"message\":\"please\""},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)call(t, rows[i][0], rows[i][1]);
		test_expect(t, "{\"id\":1,\"result\":{\"content\":\"<array>\",\"isError\":true,"
			       "\"structuredContent\":{\"error\":{\"code\":\"not_supported\","
			       "\"...\":0}},\"...\":0}}");
	}
}

/* ---- no backend ---- */

static void test_placeholder(void **state) /* T-11 */
{
	static const char *const rows[][3] = {
		{"execute_command", "\"command\":\"make\"",
		 "{\"command\":\"make\",\"cwd\":\"<current>\",\"timeout_ms\":30000,\"...\":0}"},
		{"execute_command", "\"command\":\"make\",\"timeout_ms\":5",
		 "{\"command\":\"make\",\"timeout_ms\":5,\"cwd\":\"<current>\",\"...\":0}"},
		{"get_terminal_output", "", "{\"lines\":100}"},
		{"list_sessions", "", "\"<object>\""},
		{"create_session", "\"name\":\"a\"",
		 "{\"name\":\"a\",\"cwd\":\"<current>\",\"...\":0}"},
		{"switch_session", "\"session_id\":\"s\"", "{\"session_id\":\"s\"}"},
		{"search_history", "\"query\":\"q\"", "{\"query\":\"q\",\"type\":\"all\"}"},
		{"send_keys", "\"text\":\"x\"", "\"<object>\""},
		{"wait_for", "\"until\":\"exit\"", "\"<object>\""},
		{"get_screen", "", "\"<object>\""},
		{"signal", "", "\"<object>\""},
		{"resize_session", "\"cols\":80,\"rows\":24", "{\"cols\":80,\"rows\":24}"},
		{"close_session", "\"session_id\":\"s\"", "\"<object>\""},
		{"check_command", "\"command\":\"ls\"", "\"<object>\""},
		{"hand_over", "\"message\":\"m\"", "\"<object>\""},
	};
	struct test_peer *t = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		(void)call(t, rows[i][0], rows[i][1]);
		test_expectf(t,
			     "{\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
			     "\"<has Placeholder: no terminal backend is configured.>\"}],"
			     "\"structuredContent\":{\"placeholder\":true,\"arguments\":%s},"
			     "\"...\":0}}",
			     rows[i][2]);
	}
	assert_int_equal(fake.calls, 0);
	expect_invalid(t, "execute_command", "", "command"); /* checked all the same */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_execute, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_footers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_faults, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_seed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_later, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_optional, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_placeholder, set_up_without, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
