/* The paths of single apps, persons, and a server switched off: over HTTP and WebSocket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/door_kit.h"
#include "serve/serve.h"
#include "mcp/call.h"

#define PERSON "person-token-0123456789abcdef"
#define AS_PERSON "Authorization: Bearer " PERSON "\r\n"
#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"
#define META                                                                           \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","       \
	"\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/" \
	"clientInfo\":{\"name\":\"kit\",\"version\":\"3\"}}"
#define MODERN_LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}"
#define MODERN_CALL(tool)                                                                      \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
	"\"," META "}}"
#define CALL(tool)                                                                             \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" tool \
	"\",\"arguments\":{}}}"
#define INITIALIZE                                                                                 \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"                     \
	"\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"kit\"," \
	"\"version\":\"3\"}}}"

/* ---- two apps that switch things ---- */

static void say(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, tenon_call_is_person(call) ? "a person" : "a client");
}

/* How the core knows whoever asks. */
static void who(struct tenon_call *call, void *data)
{
	const struct tn_peer *peer = call->peer;
	char text[256];

	(void)data;
	(void)snprintf(text, sizeof(text), "%s %s %s %s %d %d", peer->way, peer->principal,
		       peer->foreign ? "foreign" : "local", peer->person ? "person" : "client",
		       (int)peer->process, (int)peer->parent);
	tenon_call_reply_text(call, text);
}

static void red_off(struct tenon_call *call, void *data)
{
	(void)data;
	(void)tn_server_set_app_off(call->server, "red", true);
	tenon_call_reply_text(call, "red is off");
}

static void disable(struct tenon_call *call, void *data)
{
	(void)data;
	call->server->disabled = !call->server->disabled;
	tenon_call_reply_text(call, call->server->disabled ? "off" : "on");
}

/* The listener whose turn it is moves elsewhere, as when a person changes the port. */
static void move(struct tenon_call *call, void *data)
{
	struct tn_way *way = tn_serve_first(call->server);

	(void)data;
	while (way->retired_ms)
		way = way->next;
	tn_serve_retire(call->server, way);
	tenon_call_reply_text(call, "moved");
}

static const struct tenon_tool red_tool = {.name = "red_paint", .call = say};
static const struct tenon_tool blue_tool = {.name = "blue_paint", .call = say};
static const struct tenon_tool blue_who = {.name = "blue_who", .call = who};
static const struct tenon_tool own_off = {.name = "red_off", .call = red_off, .person_only = true};
static const struct tenon_tool own_disable = {
	.name = "disable", .call = disable, .person_only = true};
static const struct tenon_tool own_move = {.name = "move", .call = move, .person_only = true};
static const struct tenon_tool *const red_tools[] = {&red_tool, NULL};
static const struct tenon_tool *const blue_tools[] = {&blue_tool, &blue_who, NULL};
static const struct tenon_tool *const own_tools[] = {&own_off, &own_disable, &own_move, NULL};
static const struct tenon_app red = {.name = "red", .tools = red_tools};
static const struct tenon_app blue = {.name = "blue", .tools = blue_tools};
static const struct tenon_app own = {.name = "own", .tools = own_tools};
static const struct tenon_token tokens[] = {
	{.name = "user", .token = DOOR_TOKEN},
	{.name = "user", .token = PERSON, .person = true},
	{.name = NULL},
};

static uint16_t bridge;

static int set_up(void **state)
{
	const struct tenon_http_options options = {
		.tokens = tokens, .app_paths = true, .bearer_subprotocol = true};
	const struct tenon_http_options only_ws = {
		.tokens = tokens, .app_paths = true, .path = "", .sse_path = ""};
	struct door *d = door_create();

	assert_int_equal(tenon_server_add_app(d->server, &red, NULL), TENON_OK);
	assert_int_equal(tenon_server_add_app(d->server, &blue, NULL), TENON_OK);
	assert_int_equal(tenon_server_add_app(d->server, &own, NULL), TENON_OK);
	(void)door_listen(d, &options, NULL);
	bridge = door_listen(d, &only_ws, &(struct tn_http_extra){.local = true});
	door_run(d);
	*state = d;
	return 0;
}

static int tear_down(void **state)
{
	door_close(*state);
	return 0;
}

static void expect(const struct door *d, const char *words, bool there)
{
	if (door_replied(d, words) != there)
		fail_msg("%s%s in %s", there ? "no " : "", words, d->reply.data);
}

static void expect_post(struct door *d, const char *path, const char *headers, const char *body,
			unsigned status, const char *words)
{
	unsigned got = door_post(d, d->port, path, headers, body);

	if (got != status || !door_replied(d, words))
		fail_msg("POST %s: wanted %u %s, got %s", path, status, words, d->reply.data);
}

#define MODERN_HEADERS(method) \
	DOOR_AUTH "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"

/* ---- paths ---- */

static void test_paths(void **state)
{
	static const char *const unknown[] = {"/mcp/green",    "/mcp/",         "/mcp/red/",
					      "/mcp/red,blue", "/mcp/red/blue", "/mcpred",
					      "/sse/red",      "/messages/red"};
	struct door *d = *state;

	for (size_t i = 0; i < TN_COUNT(unknown); i++)
		expect_post(d, unknown[i], DOOR_AUTH, LIST, 404, "No such path");
	expect_post(d, "/mcp", DOOR_AUTH, LIST, 200, "red_paint");
	expect(d, "blue_paint", true);
	expect_post(d, "/mcp/red", DOOR_AUTH, LIST, 200, "red_paint");
	expect(d, "blue_paint", false);
	expect_post(d, "/mcp/red", "", LIST, 401, "Send the token");
	expect_post(d, "/mcp/blue", MODERN_HEADERS("tools/list"), MODERN_LIST, 200, "blue_paint");
	expect(d, "red_paint", false);
	expect_post(d, "/mcp/blue", MODERN_HEADERS("tools/call") "Mcp-Name: red_paint\r\n",
		    MODERN_CALL("red_paint"), 200, "Unknown tool: red_paint");
	expect_post(d, "/mcp/red", MODERN_HEADERS("tools/call") "Mcp-Name: red_paint\r\n",
		    MODERN_CALL("red_paint"), 200, "a client");
}

static void test_sessions_stay(void **state)
{
	struct door *d = *state;
	char id[64], headers[512];

	assert_int_equal(door_post(d, d->port, "/mcp/red", DOOR_AUTH, INITIALIZE), 200);
	(void)snprintf(headers, sizeof(headers), "%sMcp-Session-Id: %s\r\n", DOOR_AUTH,
		       door_header(d, "Mcp-Session-Id", id, sizeof(id)));
	assert_true(strlen(id) > 20);
	expect_post(d, "/mcp/red", headers, LIST, 200, "red_paint");
	expect(d, "blue_paint", false);
	expect_post(d, "/mcp", headers, LIST, 404, "Session not found");
	expect_post(d, "/mcp/blue", headers, LIST, 404, "Session not found");
	(void)snprintf(headers, sizeof(headers), "%sMcp-Session-Id: %s\r\n", AS_PERSON, id);
	expect_post(d, "/mcp/red", headers, LIST, 404, "Session not found"); /* another token's */
}

static int open_ws(struct door *d, uint16_t port, const char *path, const char *headers)
{
	int fd = door_upgrade(d, port, path, headers);

	if (fd < 0)
		fail_msg("%s: %s", path, d->reply.data);
	return fd;
}

static void test_several_over_ws(void **state)
{
	struct door *d = *state;
	int fd = open_ws(d, d->port, "/ws/red,blue", DOOR_AUTH);

	door_say(fd, MODERN_LIST);
	assert_non_null(strstr(door_hear(d, fd), "blue_paint"));
	expect(d, "red_paint", true);
	(void)close(fd);
	fd = open_ws(d, d->port, "/ws/red", AS_PERSON);
	door_say(fd, MODERN_LIST);
	assert_non_null(strstr(door_hear(d, fd), "red_paint"));
	expect(d, "blue_paint", false);
	expect(d, "disable", false); /* of another app, person or not */
	(void)close(fd);
	assert_int_equal(door_upgrade(d, d->port, "/ws/red,green", DOOR_AUTH), -1);
	expect(d, " 404 ", true);
	assert_int_equal(door_upgrade(d, d->port, "/ws/red,", DOOR_AUTH), -1);
	expect(d, " 404 ", true);
}

static void test_app_off(void **state)
{
	struct door *d = *state;
	int fd = open_ws(d, d->port, "/ws/red", DOOR_AUTH);

	expect_post(d, "/mcp/red", DOOR_AUTH, LIST, 200, "red_paint");
	expect_post(d, "/mcp", DOOR_AUTH, CALL("red_off"), 200, "Unknown tool: red_off");
	expect_post(d, "/mcp", AS_PERSON, CALL("red_off"), 200, "red is off");
	expect_post(d, "/mcp/red", DOOR_AUTH, LIST, 404, "No such path");
	expect_post(d, "/mcp", DOOR_AUTH, LIST, 200, "blue_paint");
	expect(d, "red_paint", false);
	door_say(fd, MODERN_CALL("red_paint"));
	assert_non_null(strstr(door_hear(d, fd), "\"error\""));
	(void)close(fd);
}

/* ---- persons ---- */

static void test_persons(void **state)
{
	struct door *d = *state;
	int fd;

	expect_post(d, "/mcp", DOOR_AUTH, CALL("red_paint"), 200, "a client");
	expect_post(d, "/mcp", AS_PERSON, CALL("red_paint"), 200, "a person");
	expect_post(d, "/mcp", DOOR_AUTH, LIST, 200, "red_paint");
	expect(d, "disable", false);
	expect_post(d, "/mcp", AS_PERSON, LIST, 200, "disable");
	/* One principal, by whichever of its tokens. */
	expect_post(d, "/mcp", AS_PERSON, CALL("blue_who"), 200, "http user foreign person 0 0");
	expect_post(d, "/mcp", DOOR_AUTH, CALL("blue_who"), 200, "http user foreign client 0 0");
	fd = open_ws(d, d->port, "/ws", "Sec-WebSocket-Protocol: mcp, bearer." PERSON "\r\n");
	door_say(fd, MODERN_CALL("blue_who"));
	assert_non_null(strstr(door_hear(d, fd), "websocket user foreign person 0 0"));
	(void)close(fd);
}

/* ---- relays ---- */

static void expect_who(struct door *d, uint16_t port, const char *headers, const char *words)
{
	int fd = open_ws(d, port, "/ws", headers);

	door_say(fd, MODERN_CALL("blue_who"));
	if (!strstr(door_hear(d, fd), words))
		fail_msg("wanted %s, got %s", words, d->reply.data);
	(void)close(fd);
}

static void test_relays(void **state)
{
	struct door *d = *state;

	expect_who(d, bridge, DOOR_AUTH "Tenon-Relay: 41 7\r\n", "relay user local client 41 7");
	expect_who(d, bridge, DOOR_AUTH, "websocket user local client 0 0");
	expect_who(d, bridge, DOOR_AUTH "Tenon-Relay: 41\r\n", "websocket user local client 0 0");
	expect_who(d, bridge, DOOR_AUTH "Tenon-Relay: 41 7 x\r\n",
		   "websocket user local client 0 0");
	expect_who(d, bridge, DOOR_AUTH "Tenon-Relay: 99999999999 7\r\n",
		   "websocket user local client 0 0");
	/* Elsewhere nobody is believed. */
	expect_who(d, d->port, DOOR_AUTH "Tenon-Relay: 41 7\r\n",
		   "websocket user foreign client 0 0");
	/* The bridge takes no token from a subprotocol: no page has business there. */
	assert_int_equal(door_upgrade(d, bridge, "/ws",
				      "Sec-WebSocket-Protocol: mcp, bearer." DOOR_TOKEN "\r\n"),
			 -1);
	expect(d, " 401 ", true);
}

/* ---- switched off ---- */

#define OFF "\"data\":{\"error\":\"SERVER_DISABLED\",\"message\":\""

static void test_disabled(void **state) /* ST-008 */
{
	struct door *d = *state;
	int fd = open_ws(d, d->port, "/ws", DOOR_AUTH);

	expect_post(d, "/mcp", AS_PERSON, CALL("disable"), 200, "off");
	expect_post(d, "/mcp", DOOR_AUTH, LIST, 503, OFF);
	expect_post(d, "/mcp/red", DOOR_AUTH, LIST, 503, OFF);
	expect_post(d, "/messages?sessionId=x", DOOR_AUTH, LIST, 503, OFF);
	assert_int_equal(door_ask(d, d->port, DOOR_HEAD("GET /mcp") DOOR_AUTH "\r\n"), 503);
	assert_int_equal(door_ask(d, d->port, DOOR_HEAD("GET /sse") DOOR_AUTH "\r\n"), 503);
	expect_post(d, "/mcp", "", LIST, 401, "Send the token"); /* and says no more */
	door_say(fd, MODERN_CALL("red_paint"));
	assert_non_null(strstr(door_hear(d, fd), "SERVER_DISABLED"));
	expect(d, "\"isError\":true", true);
	door_say(fd, MODERN_LIST);
	assert_non_null(strstr(door_hear(d, fd), "red_paint"));
	expect_post(d, "/mcp", AS_PERSON, CALL("red_paint"), 200, "a person");
	expect_post(d, "/mcp", AS_PERSON, CALL("disable"), 200, "on");
	expect_post(d, "/mcp", DOOR_AUTH, LIST, 200, "red_paint");
	door_say(fd, MODERN_CALL("red_paint"));
	assert_non_null(strstr(door_hear(d, fd), "a client"));
	(void)close(fd);
}

/* ---- a listener that is given up ---- */

#define MOVE                                                                                   \
	"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":"        \
	"\"move\",\"arguments\":{},\"_meta\":{\"example.com/why\":\"the kit's frames have at " \
	"least 126 bytes\"}}}"

/* Twice in a row by the way that goes first: it lasts until both are answered. */
static void test_moved_twice(void **state)
{
	struct door *d = *state;
	int fd = door_upgrade(d, d->port, "/ws", AS_PERSON);

	door_say(fd, INITIALIZE);
	assert_non_null(strstr(door_hear(d, fd), "serverInfo"));
	for (size_t i = 0; i < 2; i++) {
		door_say(fd, MOVE);
		assert_non_null(strstr(door_hear(d, fd), "moved"));
	}
	assert_string_equal(door_hear(d, fd), ""); /* and then it is closed */
	(void)close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sessions_stay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_several_over_ws, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_app_off, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_persons, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_relays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_disabled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_moved_twice, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
