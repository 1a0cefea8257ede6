/* The app `tenon`: what its resources say, when they are published, and what only a person may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/record/audit_file.h"
#include "host/daemon/internal.h"
#include "host/record/metrics.h"
#include "mcp/consent.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/test_fixtures.h"
#include "store/file.h"

struct world {
	struct test_peer *t;
	struct tn_daemon daemon;
	char folder[64], path[128];
};

/* ---- a daemon without listeners ---- */

static unsigned applied, policies_read;
static bool refuse_apply;

enum tn_daemon_state tn_daemon_state(const struct tn_daemon *d)
{
	if (d->reason[0])
		return TN_DAEMON_ERROR;
	return d->server->disabled ? TN_DAEMON_OFF : TN_DAEMON_LISTENING;
}

enum tenon_code tn_daemon_rotate(struct tn_daemon *d, struct tenon_error *err)
{
	if (d->token_fixed)
		return tn_fail(err, TENON_DENIED, "the token is in a file");
	(void)snprintf(d->found.token, sizeof(d->found.token), "the-new-token");
	return TENON_OK;
}

enum tenon_code tn_daemon_apply(struct tn_daemon *d, struct tenon_error *err)
{
	(void)d;
	applied++;
	return refuse_apply ? tn_fail(err, TENON_SYSTEM, "the port is taken") : TENON_OK;
}

enum tenon_code tn_daemon_read_policy(struct tn_daemon *d, struct tenon_error *err)
{
	(void)d;
	(void)err;
	policies_read++;
	return TENON_OK;
}

#define ADA "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"Ada\",\"version\":\"1.2\"}"
#define STARTED 1800000990000 /* ten seconds before the test's clock */

static int set_up(void **state)
{
	struct world *w = tn_mem_alloc(sizeof(*w));
	struct tn_daemon *d = &w->daemon;
	void *peer = NULL;

	assert_non_null(w);
	assert_int_equal(test_peer_setup(&peer), 0);
	w->t = peer;
	d->server = w->t->server;
	d->started_wall_ms = STARTED;
	d->token_since_wall_ms = STARTED;
	d->found.pid = 4711;
	d->found.http_port = 7778;
	d->found.bridge_port = 40123;
	d->wanted_port = 7777;
	(void)snprintf(d->found.url, sizeof(d->found.url), "http://127.0.0.1:7778");
	(void)snprintf(d->config_folder, sizeof(d->config_folder), "/c");
	(void)snprintf(d->state_folder, sizeof(d->state_folder), "/s");
	(void)snprintf(d->policy_path, sizeof(d->policy_path), "/nowhere/policy.json");
	assert_int_equal(tn_log_open("/dev/null", TN_LOG_INFO, NULL), TENON_OK);
	assert_int_equal(tn_metrics_open(d->server, &d->metrics, NULL), TENON_OK);
	assert_int_equal(tn_audit_file_open(d->server, NULL, &d->audit, NULL), TENON_OK);
	assert_int_equal(tn_admin_open(d, NULL), TENON_OK);
	test_run(w->t, TN_LIST_CHANGED_DEBOUNCE_MS + 30); /* the lists have been published */
	*state = w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	tn_admin_close(&w->daemon);
	tn_audit_file_close(w->daemon.audit);
	tn_metrics_close(w->daemon.metrics);
	test_peer_destroy(w->t);
	tn_config_free(w->daemon.config);
	tn_log_close();
	tn_mem_free(w);
	return 0;
}

/* Reads a resource; the text of it fits the pattern. */
static void expect_resource(struct world *w, const char *uri, const char *pattern)
{
	char params[128];
	struct tn_arena arena;
	struct tn_json *root;
	struct tn_str text = {NULL, 0};
	const struct tn_json *contents;

	(void)snprintf(params, sizeof(params), "\"uri\":\"%s\"", uri);
	(void)test_modern(w->t, "\"read\"", "resources/read", params, NULL, NULL);
	test_run_until_sent(w->t);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(test_next(w->t)), &root, NULL),
			 TENON_OK);
	contents = tn_json_get(tn_json_get(root, "result"), "contents");
	assert_true(tn_json_is(contents, TN_JSON_ARRAY) && contents->count == 1);
	assert_true(tn_json_to_str(tn_json_get(contents->first, "text"), &text));
	if (!test_fits(text.data, pattern))
		fail_msg("%s: %s\nexpected %s", uri, text.data, pattern);
	tn_arena_finish(&arena);
}

static void call_echo(struct world *w)
{
	(void)test_modern(w->t, "1", "tools/call",
			  "\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}", NULL, ADA);
	assert_non_null(test_next(w->t));
}

/* ---- what they say ---- */

static void test_status(void **state) /* docs/daemon.md, FR-24 */
{
	struct world *w = *state;

	call_echo(w);
	expect_resource(
		w, "tenon://status",
		"{\"version\":\"" TENON_VERSION "\",\"pid\":4711,\"startedAt\":\"<has Z>\","
		"\"uptimeMs\":10000,\"state\":\"listening\",\"reason\":null,\"mcpEnabled\":true,"
		"\"http\":{\"url\":\"http://127.0.0.1:7778\",\"address\":\"127.0.0.1\","
		"\"port\":7778,\"wantedPort\":7777,\"exposure\":\"loopback\"},"
		"\"bridge\":{\"port\":40123},"
		"\"token\":{\"policy\":\"rotating\",\"since\":\"<has Z>\"},\"apps\":\"<array>\","
		"\"clients\":1,\"calls\":{\"total\":1,\"errors\":0,\"inFlight\":0,\"perSecond\":0},"
		"\"latency\":{\"p50Ms\":\"<number>\",\"p99Ms\":\"<number>\"},\"handles\":0,"
		"\"approvals\":0,\"memoryBytes\":\"<number>\","
		"\"files\":{\"config\":\"/c/config.json\",\"policy\":\"/nowhere/policy.json\","
		"\"manifest\":\"/c/mcp.json\",\"log\":\"/s/tenond.log\","
		"\"audit\":\"/s/audit.jsonl\"}}");
	test_turn_clock(w->t, 1000);
	(void)snprintf(w->daemon.reason, sizeof(w->daemon.reason), "the port is taken");
	expect_resource(w, "tenon://status",
			"{\"state\":\"error\",\"reason\":\"the port is taken\","
			"\"calls\":{\"perSecond\":0.2,\"...\":0},\"...\":0}");
	w->daemon.reason[0] = '\0';
}

static void say_nothing(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_finish(call);
}

static void test_apps(void **state)
{
	static const struct tenon_tool tool = {.name = "one", .call = say_nothing};
	static const struct tenon_tool *const tools[] = {&tool, NULL};
	static const struct tenon_app first = {.name = "first", .tools = tools};
	static const struct tenon_app second = {.name = "second"};
	struct world *w = *state;

	assert_int_equal(tenon_server_add_app(w->t->server, &first, NULL), TENON_OK);
	assert_int_equal(tenon_server_add_app(w->t->server, &second, NULL), TENON_OK);
	assert_true(tn_server_set_app_off(w->t->server, "second", true));
	expect_resource(
		w, "tenon://status",
		"{\"apps\":[\"<object>\",\"<object>\",{\"name\":\"first\",\"title\":\"First\","
		"\"enabled\":true,\"tools\":1,\"resources\":0},{\"name\":\"second\","
		"\"title\":\"Second\",\"enabled\":false,\"tools\":0,\"resources\":0}],\"...\":0}");
}

static void test_clients(void **state)
{
	struct world *w = *state;

	test_reconnect(w->t);
	expect_resource(w, "tenon://clients",
			"{\"clients\":[{\"id\":\"<has c>\",\"name\":\"\",\"version\":null,"
			"\"transport\":\"stdio\",\"revision\":null,\"person\":false,\"apps\":null,"
			"\"fit\":\"both\",\"fitBy\":\"default\",\"pid\":null,\"connectedAt\":\"<"
			"has Z>\",\"lastCallAt\":null,"
			"\"lastCall\":null,\"calls\":0,\"inFlight\":1}]}");
	call_echo(w);
	w->t->peer->way = "relay";
	w->t->peer->person = true;
	w->t->peer->process = 99;
	expect_resource(w, "tenon://clients",
			"{\"clients\":[{\"name\":\"Ada\",\"version\":\"1.2\",\"transport\":"
			"\"relay\",\"revision\":\"2026-07-28\",\"person\":true,\"pid\":99,"
			"\"fit\":\"both\",\"fitBy\":\"default\","
			"\"lastCallAt\":\"<has Z>\",\"lastCall\":\"echo\",\"calls\":2,"
			"\"...\":0}]}");
	test_reconnect(w->t);
	test_initialize(w->t, "2025-06-18", "{}");
	expect_resource(w, "tenon://clients",
			"{\"clients\":[{\"revision\":\"2025-06-18\",\"lastCall\":\"initialize\","
			"\"calls\":1,\"...\":0}]}");
}

/* A POST of 2026-07-28 to tools/list by a client of this name. */
static void post_as(struct world *w, const char *name)
{
	static const char *const headers[][2] = {
		{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}, {NULL, NULL}};
	char meta[128];

	(void)snprintf(meta, sizeof(meta),
		       "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"%s\",\"version\":\"3\"}",
		       name);
	(void)test_post(w->t, headers, test_modern_text(w->t, "1", "tools/list", "", NULL, meta));
	assert_non_null(test_next(w->t));
}

/* Callers without a connection are told apart by what they call themselves. */
static void test_callers(void **state)
{
	struct world *w = *state;
	char name[16];

	post_as(w, "Bob");
	post_as(w, "Bob");
	test_turn_clock(w->t, 60000);
	post_as(w, "Cy");
	expect_resource(w, "tenon://clients",
			"{\"clients\":[\"<object>\",{\"id\":\"h1\",\"name\":\"Bob\",\"version\":"
			"\"3\",\"transport\":\"http\",\"revision\":\"2026-07-28\",\"lastCall\":"
			"\"tools/list\",\"calls\":2,\"inFlight\":0,\"...\":0},"
			"{\"id\":\"h2\",\"name\":\"Cy\",\"calls\":1,\"...\":0}]}");
	assert_int_equal(tn_admin_clients_count(w->daemon.admin), 3);
	test_turn_clock(w->t, TN_ADMIN_CALLER_MS - 60000);
	assert_int_equal(tn_admin_clients_count(w->daemon.admin), 2); /* Bob was long ago */
	for (unsigned i = 0; i < TN_ADMIN_CALLERS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "n%u", i);
		test_turn_clock(w->t, 1);
		post_as(w, name);
	}
	assert_int_equal(tn_admin_clients_count(w->daemon.admin), 1 + TN_ADMIN_CALLERS_MAX);
	test_turn_clock(w->t, TN_ADMIN_CALLER_MS);
	assert_int_equal(tn_admin_clients_count(w->daemon.admin), 1);
}

static void test_calls(void **state)
{
	struct world *w = *state;

	call_echo(w);
	(void)test_modern(w->t, "1", "tools/call", "\"name\":\"no_such\"", NULL, ADA);
	(void)test_next(w->t);
	(void)test_modern(w->t, "1", "tools/list", "", NULL, ADA);
	(void)test_next(w->t);
	expect_resource(
		w, "tenon://calls",
		"{\"perSecond\":\"<array>\",\"tools\":[{\"name\":\"echo\",\"app\":\"\","
		"\"calls\":1,\"errors\":0,\"p50Ms\":\"<number>\",\"p99Ms\":\"<number>\","
		"\"lastAt\":\"<has Z>\"}],\"recent\":["
		"{\"time\":\"<has Z>\",\"client\":\"Ada\",\"person\":false,\"method\":"
		"\"tools/list\",\"name\":null,\"outcome\":\"ok\",\"ms\":0,\"bytes\":\"<number>\"},"
		"{\"name\":\"no_such\",\"outcome\":\"error\",\"...\":0},"
		"{\"name\":\"echo\",\"outcome\":\"ok\",\"...\":0}]}");
	for (unsigned i = 0; i < 2 * TN_ADMIN_RECENT_CALLS; i++)
		call_echo(w);
	assert_int_equal(w->daemon.admin->recent_count, TN_ADMIN_RECENT_CALLS);
	expect_resource(w, "tenon://calls",
			"{\"recent\":[{\"name\":\"echo\",\"...\":0},\"...\"],\"...\":0}");
}

static void test_records(void **state)
{
	struct world *w = *state;

	expect_resource(
		w, "tenon://audit",
		"{\"entries\":[{\"client\":\"tenond\",\"tool\":\"daemon_start\",\"...\":0}],"
		"\"head\":\"<string>\"}");
	expect_resource(w, "tenon://approvals", "{\"approvals\":[]}");
	expect_resource(w, "tenon://handles", "{\"handles\":[]}");
	expect_resource(w, "tenon://hosts", "{\"hosts\":\"<array>\"}");
	expect_resource(w, "tenon://settings", "{\"path\":\"\",\"settings\":[]}");
	tn_log(TN_LOG_WARNING, "test", "careful");
	expect_resource(w, "tenon://logs",
			"{\"lines\":[{\"level\":\"warning\",\"area\":\"test\",\"message\":"
			"\"careful\",\"time\":\"<has Z>\"}]}");
}

static void test_policy(void **state)
{
	struct world *w = *state;

	expect_resource(w, "tenon://policy",
			"{\"path\":\"/nowhere/policy.json\",\"text\":\"\",\"problem\":null}");
	(void)snprintf(w->daemon.policy_problem, sizeof(w->daemon.policy_problem), "line 1");
	(void)snprintf(w->daemon.policy_path, sizeof(w->daemon.policy_path), "/proc/self/comm");
	expect_resource(
		w, "tenon://policy",
		"{\"path\":\"/proc/self/comm\",\"text\":\"<string>\",\"problem\":\"line 1\"}");
}

/* One line a call at level debug; none of those that look at the dashboard. */
static void test_debug_line(void **state)
{
	struct world *w = *state;

	tn_log_set_level(TN_LOG_DEBUG);
	call_echo(w);
	expect_resource(
		w, "tenon://logs",
		"{\"lines\":[{\"level\":\"debug\",\"area\":\"call\",\"message\":"
		"\"tools/call\",\"tool\":\"echo\",\"ms\":\"<number>\",\"bytes\":\"<number>\","
		"\"outcome\":\"ok\",\"...\":0}]}");
	expect_resource(w, "tenon://logs", "{\"lines\":[\"<object>\"]}");
}

/* ---- what only a person may ---- */

static void open_consent(struct world *w)
{
	assert_int_equal(tn_consent_open(w->t->server, NULL, NULL), TENON_OK);
	assert_int_equal(tn_consent_set_policy(w->t->server, NULL, NULL), TENON_OK);
}

static void expect_call(struct world *w, const char *tool, const char *arguments,
			const char *pattern)
{
	char params[1024];

	(void)snprintf(params, sizeof(params), "\"name\":\"%s\",\"arguments\":%s", tool, arguments);
	(void)test_modern(w->t, "7", "tools/call", params, NULL, ADA);
	test_run_until_sent(w->t);
	test_expect_complete(w->t, "7", pattern);
}

static void test_persons_only(void **state) /* no client may do it */
{
	static const char *const tools[] = {"approve_request", "rotate_token", "change_settings",
					    "change_policy", "show_token"};
	struct world *w = *state;
	char params[128];

	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		(void)snprintf(params, sizeof(params), "\"name\":\"%s\"", tools[i]);
		(void)test_modern(w->t, "1", "tools/call", params, NULL, NULL);
		test_expect_error(w->t, "1", -32602, "Unknown tool");
	}
	assert_string_equal(w->daemon.found.token, "");
}

static void test_show_token(void **state)
{
	struct world *w = *state;

	(void)snprintf(w->daemon.found.token, sizeof(w->daemon.found.token), "the-token-of-now");
	w->t->peer->person = true;
	expect_call(
		w, "show_token", "{}",
		"\"structuredContent\":{\"token\":\"the-token-of-now\"},\"content\":\"<array>\"");
}

static void test_rotate(void **state)
{
	struct world *w = *state;

	w->t->peer->person = true;
	expect_call(w, "rotate_token", "{}",
		    "\"structuredContent\":{\"token\":\"the-new-token\"},\"content\":\"<array>\"");
	w->daemon.token_fixed = true;
	expect_call(w, "rotate_token", "{}",
		    "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"the token is in "
		    "a file\"}]");
	expect_resource(w, "tenon://audit",
			"{\"entries\":[{\"tool\":\"rotate_token\",\"outcome\":\"tool_error\","
			"\"...\":0},{\"tool\":\"rotate_token\",\"client\":\"Ada\",\"person\":true,"
			"\"outcome\":\"ok\",\"...\":0},\"<object>\"],\"head\":\"<string>\"}");
}

/* A folder of the test's own. */
static void make_folder(struct world *w, const char *name)
{
	(void)snprintf(w->folder, sizeof(w->folder), "/tmp/tenon-admin-XXXXXX");
	assert_non_null(mkdtemp(w->folder));
	(void)snprintf(w->path, sizeof(w->path), "%s/%s", w->folder, name);
}

static void expect_file(const struct world *w, const char *text)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_file_read(w->path, 0, &out, NULL), TENON_OK);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, text);
	tn_buf_finish(&out);
}

static void drop_folder(const struct world *w)
{
	(void)unlink(w->path);
	(void)rmdir(w->folder);
}

static void test_settings(void **state)
{
	static const char text[] = "{\"http\": {\"port\": 7000}} // mine\n";
	struct world *w = *state;

	make_folder(w, "config.json");
	assert_int_equal(tn_file_write(w->path, 0600, tn_str_from(text), NULL), TENON_OK);
	assert_int_equal(tn_config_read(w->path, NULL, &w->daemon.config, NULL), TENON_OK);
	w->t->peer->person = true;
	applied = 0;
	expect_call(
		w, "change_settings", "{\"settings\":{\"http.port\":7001,\"log.level\":\"loud\"}}",
		"\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"<has log.level>\"}]");
	expect_file(w, text); /* wholly or not at all */
	assert_int_equal(applied, 0);
	expect_call(w, "change_settings",
		    "{\"settings\":{\"http.port\":null,\"mcp.enabled\":false}}",
		    "\"structuredContent\":{\"changed\":[\"http.port\",\"mcp.enabled\"],"
		    "\"problem\":null},\"content\":\"<array>\"");
	assert_int_equal(applied, 1);
	assert_int_equal(tn_config_int(w->daemon.config, "http.port"), 7777);
	assert_false(tn_config_bool(w->daemon.config, "mcp.enabled"));
	refuse_apply = true;
	expect_call(w, "change_settings", "{\"settings\":{\"http.port\":7002}}",
		    "\"structuredContent\":{\"changed\":[\"http.port\"],"
		    "\"problem\":\"the port is taken\"},\"content\":\"<array>\"");
	refuse_apply = false;
	expect_resource(w, "tenon://settings",
			"{\"path\":\"<has config.json>\",\"settings\":[{"
			"\"key\":\"<string>\",\"...\":0},\"...\"]}");
	expect_resource(w, "tenon://audit",
			"{\"entries\":[{\"detail\":\"http.port\",\"...\":0},"
			"{\"detail\":\"http.port, "
			"mcp.enabled\",\"...\":0},\"...\"],\"head\":\"<string>\"}");
	expect_call(w, "change_settings", "{\"settings\":{}}",
		    "\"isError\":true,\"content\":\"<array>\"");
	drop_folder(w);
}

/* Whoever keeps settings elsewhere has a link there. */
static void test_linked_policy(struct world *w)
{
	char target[sizeof(w->path) + 8];
	struct stat status;

	(void)snprintf(target, sizeof(target), "%s.real", w->path);
	assert_int_equal(rename(w->path, target), 0);
	assert_int_equal(symlink(target, w->path), 0);
	expect_call(w, "change_policy", "{\"text\":\"{} // linked\"}",
		    "\"structuredContent\":{\"path\":\"<has real>\"},\"content\":\"<array>\"");
	assert_int_equal(lstat(w->path, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	expect_file(w, "{} // linked");
	assert_int_equal(unlink(target), 0);
}

static void test_change_policy(void **state)
{
	struct world *w = *state;
	struct stat status;

	make_folder(w, "policy.json");
	open_consent(w);
	(void)snprintf(w->daemon.policy_path, sizeof(w->daemon.policy_path), "%s", w->path);
	(void)snprintf(w->daemon.policy_problem, sizeof(w->daemon.policy_problem), "line 1");
	w->t->peer->person = true;
	expect_call(w, "change_policy", "{\"text\":\"{ nonsense\"}",
		    "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"<has "
		    "policy.json:1>\"}]");
	assert_int_not_equal(stat(w->path, &status), 0);
	expect_call(
		w, "change_policy", "{\"text\":\"{} // all of it\"}",
		"\"structuredContent\":{\"path\":\"<has policy.json>\"},\"content\":\"<array>\"");
	/* Two at a time: the file would say what the one wrote last, and the other be in force. */
	(void)test_modern(w->t, "8", "tools/call",
			  "\"name\":\"change_policy\",\"arguments\":{\"text\":\"{} // all of "
			  "it\"}",
			  NULL, ADA);
	(void)test_modern(w->t, "9", "tools/call",
			  "\"name\":\"change_policy\",\"arguments\":{\"text\":\"{}\"}", NULL, ADA);
	test_expect_complete(w->t, "9",
			     "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"<has "
			     "being written>\"}]");
	test_run_until_sent(w->t);
	test_expect_complete(w->t, "8",
			     "\"structuredContent\":{\"path\":\"<has policy.json>\"},"
			     "\"content\":\"<array>\"");
	expect_file(w, "{} // all of it");
	assert_int_equal(stat(w->path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_string_equal(w->daemon.policy_problem, "");
	expect_resource(w, "tenon://policy",
			"{\"path\":\"<has policy.json>\",\"text\":\"{} // all of it\","
			"\"problem\":null}");
	test_linked_policy(w);
	drop_folder(w);
	policies_read = 0;
	expect_call(w, "change_policy", "{\"text\":\"{}\"}",
		    "\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"<has could not be "
		    "written>\"}]");
	assert_int_equal(policies_read, 1); /* what the file says holds again */
	tn_consent_close(w->t->server);
}

static void test_approve(void **state)
{
	struct world *w = *state;

	w->t->peer->person = true;
	expect_call(w, "approve_request", "{\"id\":\"x\",\"decision\":\"approve\"}",
		    "\"isError\":true,\"content\":\"<array>\"");
	open_consent(w);
	expect_call(w, "approve_request", "{\"id\":\"no-such\",\"decision\":\"deny\"}",
		    "\"isError\":true,\"content\":\"<array>\"");
	expect_call(w, "approve_request", "{\"id\":\"no-such\",\"decision\":\"perhaps\"}",
		    "\"isError\":true,\"content\":\"<array>\"");
	expect_resource(w, "tenon://approvals", "{\"approvals\":[]}");
	tn_consent_close(w->t->server);
}

/* ---- publishing ---- */

static void listen_to(struct world *w, const char *uri)
{
	char params[160];

	(void)snprintf(params, sizeof(params),
		       "\"notifications\":{\"resourceSubscriptions\":[\"%s\"]}", uri);
	(void)test_modern(w->t, "\"l\"", "subscriptions/listen", params, NULL, NULL);
	assert_non_null(test_next(w->t));
}

static void expect_published(struct world *w, const char *uri)
{
	test_expectf(w->t,
		     "{\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"%s\","
		     "\"...\":0}}",
		     uri);
}

static void test_published(void **state)
{
	struct world *w = *state;

	call_echo(w);
	test_run(w->t, 20);
	test_expect_nothing(w->t);
	assert_int_equal(w->daemon.admin->dirty_counts, 0); /* nobody waits for it */
	listen_to(w, "tenon://calls");
	for (unsigned i = 0; i < 50; i++)
		call_echo(w);
	test_run(w->t, 20);
	expect_published(w, "tenon://calls"); /* once, and not again within the second */
	call_echo(w);
	test_run(w->t, 300);
	test_expect_nothing(w->t);
	test_run(w->t, 800);
	expect_published(w, "tenon://calls");
	test_turn_clock(w->t, 100000); /* the minute that is shown is empty again */
	test_run(w->t, 1100);
	expect_published(w, "tenon://calls");
	test_run(w->t, 1100);
	test_expect_nothing(w->t);
}

/* Looking is no reason to look again. */
static void test_quiet(void **state)
{
	struct world *w = *state;

	listen_to(w, "tenon://status");
	test_run(w->t, 20);
	expect_resource(w, "tenon://status", "\"<object>\"");
	expect_resource(w, "tenon://calls", "\"<object>\"");
	test_run(w->t, 1200);
	test_expect_nothing(w->t);
	tn_admin_changed(&w->daemon);
	tn_admin_changed(&w->daemon);
	test_run(w->t, 10);
	expect_published(w, "tenon://status"); /* at once, and once */
	test_run(w->t, 10);
	test_expect_nothing(w->t);
}

static void test_topics_published(void **state)
{
	static const struct tn_audit_entry entry = {
		.client = {"x", 1}, .tool = {"y", 1}, .outcome = "ok"};
	struct world *w = *state;

	listen_to(w, "tenon://audit");
	tn_audit_file_add(w->daemon.audit, &entry);
	test_run(w->t, 20);
	expect_published(w, "tenon://audit");
	test_reconnect(w->t);
	test_run(w->t, 1100);
	listen_to(w, "tenon://logs");
	tn_log(TN_LOG_WARNING, "test", "careful");
	test_run(w->t, 1100);
	expect_published(w, "tenon://logs");
	test_reconnect(w->t);
	listen_to(w, "tenon://settings");
	tn_admin_changed(&w->daemon);
	test_run(w->t, 10);
	expect_published(w, "tenon://settings");
}

static void test_close(void **state)
{
	struct world *w = *state;

	listen_to(w, "tenon://status");
	call_echo(w);
	tn_admin_close(&w->daemon);
	tn_admin_close(&w->daemon);
	call_echo(w);
	test_run(w->t, 30);
	test_expect_nothing(w->t);
	tn_admin_changed(&w->daemon);
	assert_null(w->daemon.admin);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_status),
		TEST(test_apps),
		TEST(test_clients),
		TEST(test_callers),
		TEST(test_calls),
		TEST(test_records),
		TEST(test_policy),
		TEST(test_debug_line),
		TEST(test_published),
		TEST(test_persons_only),
		TEST(test_show_token),
		TEST(test_rotate),
		TEST(test_settings),
		TEST(test_change_policy),
		TEST(test_approve),
		TEST(test_quiet),
		TEST(test_topics_published),
		TEST(test_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
