/* The handshake against scripts: eras, what a silence and a death prove, revisions (mcp.md 6.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/size.h"
#include "client/client_test_kit.h"

static void refused(struct kit_server *server, struct tenon_client_options options,
		    enum tenon_code code, const char *message)
{
	struct tenon_client *client = kit_client(server, &options);
	struct tenon_error err = {0};

	assert_int_equal(tenon_client_connect(client, &err), code);
	if (!strstr(err.message, message))
		fail_msg("%s, not %s", err.message, message);
	kit_close(server, client);
}

static const struct kit_step modern[] = {
	{"server/discover", "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"",
	 kit_modern},
	{"subscriptions/listen", "\"toolsListChanged\":true", NULL},
};

static void modern_server(void **state) /* MCP-059 MCP-045 */
{
	struct kit_server server = SERVER(modern);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	assert_string_equal(tenon_client_revision(client), "2026-07-28");
	assert_string_equal(tenon_client_server_name(client), "kit");
	assert_string_equal(tenon_client_transport(client), "kit");
	tenon_client_run_for(client, 20);
	kit_close(&server, client);
}

static void legacy_after(const char *lines, const char *second)
{
	const struct kit_step steps[] = {
		{"server/discover", NULL, lines},
		{"initialize", "\"protocolVersion\":\"2025-11-25\"", kit_legacy},
		{"notifications/initialized", NULL, second},
	};
	struct kit_server server = SERVER(steps);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	assert_string_equal(tenon_client_revision(client), "2025-11-25");
	kit_close(&server, client);
}

static void legacy_servers(void **state) /* MCP-059 MCP-063 MCP-065 */
{
	(void)state;
	legacy_after(ERROR("-32601", ",\"message\":\"what?\""), NULL);
	legacy_after(ERROR("-32602", ",\"message\":\"before initialize\""), NULL);
	legacy_after(ERROR("1", ",\"message\":\"odd\""), NULL);
	legacy_after("not JSON at all", NULL); /* and then silence: the probe's time is over */
	legacy_after(NULL, NULL);
	legacy_after("<lost>", NULL); /* a server that died of the probe */
	legacy_after(OK("\"supportedVersions\":[\"2025-11-25\"],\"capabilities\":{}"), NULL);
	legacy_after(ERROR("-32022", ",\"data\":{\"supported\":[\"2025-06-18\"]}"), NULL);
}

/* MCP-059: a silence proves nothing; of a server that starts slowly it is what comes first. */
static void slow_modern_server(void **state)
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, NULL},
		{"initialize", NULL, ERROR("-32601", ",\"message\":\"no\"")},
		{"server/discover", NULL, kit_modern},
		{"subscriptions/listen", NULL, NULL},
	};
	static const struct kit_step neither[] = {
		{"server/discover", NULL, NULL},
		{"initialize", NULL, ERROR("-32601", ",\"message\":\"no\"")},
		{"server/discover", NULL, ERROR("-32601", ",\"message\":\"no\"")},
		{"initialize", NULL, ERROR("-32601", ",\"message\":\"no\"")},
	};
	struct kit_server server = SERVER(steps), other = SERVER(neither);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	assert_string_equal(tenon_client_revision(client), "2026-07-28");
	tenon_client_run_for(client, 20);
	kit_close(&server, client);
	refused(&other, kit_options(&other), TENON_INVALID, "refused initialize (-32601): no");
}

/* MCP-059: it reads the probe when that has been given up, and dies of it. */
static void slow_server_that_dies_of_the_probe(void **state)
{
	static const struct kit_step steps[] = {
		{"server/discover", NULL, NULL},
		{"initialize", NULL, "<lost>"},
		{"initialize", "\"protocolVersion\":\"2025-11-25\"", kit_legacy},
		{"notifications/initialized", NULL, NULL},
	};
	static const struct kit_step dead[] = {
		{"server/discover", NULL, NULL},
		{"initialize", NULL, "<lost>"},
		{"initialize", NULL, "<lost>"},
	};
	struct kit_server server = SERVER(steps), other = SERVER(dead);
	struct tenon_client_options options = kit_options(&server);
	struct tenon_client *client = kit_connect(&server, &options);

	(void)state;
	assert_string_equal(tenon_client_revision(client), "2025-11-25");
	kit_close(&server, client);
	refused(&other, kit_options(&other), TENON_SYSTEM, "the script has ended the connection");
}

static void no_revision_in_common(void **state) /* MCP-056 MCP-059 */
{
	static const struct kit_step future[] = {
		{"server/discover", NULL,
		 ERROR("-32022", ",\"data\":{\"supported\":[\"2027-01-01\"]}")}};
	static const struct kit_step old[] = {
		{"initialize", NULL, OK("\"protocolVersion\":\"1.0\",\"capabilities\":{}")}};
	static const struct kit_step legacy[] = {
		{"server/discover", NULL, ERROR("-32601", ",\"message\":\"what?\"")}};
	struct kit_server one = SERVER(future), two = SERVER(old), three = SERVER(legacy);
	struct tenon_client_options options = kit_options(&one);

	(void)state;
	refused(&one, options, TENON_INVALID, "the server speaks 2027-01-01, we");
	options = kit_options(&two);
	options.mode = TENON_MODE_LEGACY;
	refused(&two, options, TENON_INVALID, "the server speaks 1.0, we");
	options = kit_options(&three);
	options.mode = TENON_MODE_MODERN;
	refused(&three, options, TENON_INVALID, "does not speak 2026-07-28 (-32601): what?");
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(modern_server),
		cmocka_unit_test(legacy_servers),
		cmocka_unit_test(slow_modern_server),
		cmocka_unit_test(slow_server_that_dies_of_the_probe),
		cmocka_unit_test(no_revision_in_common),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
