/* A program that is a server and a client at once, on one loop: the server is called by its own
 * client, and asks it in return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tenon/client.h"
#include "tenon/tenon.h"

struct both {
	struct tenon_server *server;
	struct tenon_client *client;
	char folder[32], path[64], url[80];
	char got[256]; /* the result, or what went wrong */
	char revision[16];
	int asked, changed;
};

/* ---- the server's half ---- */

static void greet(struct tenon_call *call, void *data)
{
	const struct tenon_answer *answer = tenon_call_elicit(
		call, "name", "who?",
		"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}");
	char text[64];

	(void)data;
	if (!answer)
		return;
	(void)snprintf(text, sizeof(text), "hello, %s", tenon_answer_text(answer, "name"));
	tenon_call_reply_text(call, text);
}

static const struct tenon_tool tool = {.name = "greet",
				       .description = "Greets whoever it asks for",
				       .input_schema = "{\"type\":\"object\"}",
				       .call = greet};
static const struct tenon_tool other = {.name = "other",
					.description = "Comes while the client looks",
					.input_schema = "{\"type\":\"object\"}",
					.call = greet};

/* ---- the client's half ---- */

static void ends(struct both *both, const char *text)
{
	(void)snprintf(both->got, sizeof(both->got), "%s", text);
	tenon_server_stop(both->server);
}

static void elicit(struct tenon_question *question, void *data)
{
	struct both *both = data;
	struct tenon_error err;

	both->asked++;
	if (tenon_question_accept(question, "{\"name\":\"Ann\"}", &err) != TENON_OK)
		ends(both, err.message);
}

static void changed(enum tenon_change change, const char *uri, void *data)
{
	struct both *both = data;

	(void)uri;
	if (change == TENON_CHANGED_TOOLS && both->changed++ == 0)
		tenon_server_stop(both->server);
}

static void called(struct tenon_request *request, const struct tenon_outcome *outcome, void *data)
{
	struct both *both = data;
	struct tenon_outcome ignored;
	struct tenon_error err;

	if (outcome->code != TENON_OK) {
		ends(both, outcome->err.message);
		return;
	}
	/* Waiting would stop the server that is waited for. */
	assert_int_equal(tenon_request_wait(request, &ignored), TENON_INTERNAL);
	(void)snprintf(both->got, sizeof(both->got), "%s", outcome->result);
	/* The other direction: the change ends the test, when it is told. */
	assert_int_equal(tenon_server_add_tool(both->server, &other, &err), TENON_OK);
}

static void connected(struct tenon_client *client, const struct tenon_error *err, void *data)
{
	struct tenon_request_options options = {.done = called, .data = data};
	struct both *both = data;
	struct tenon_error why;

	if (err) {
		ends(both, err->message);
		return;
	}
	(void)snprintf(both->revision, sizeof(both->revision), "%s", tenon_client_revision(client));
	if (!tenon_client_call(client, "greet", NULL, &options, &why))
		ends(both, why.message);
}

static void start_client(struct both *both, enum tenon_client_mode mode)
{
	struct tenon_client_options options = {
		.name = "both",
		.version = "1",
		.url = both->url,
		.mode = mode,
		.server = both->server,
		.handlers = {.elicit = elicit, .changed = changed, .data = both}};
	struct tenon_error err;

	assert_int_equal(tenon_client_create(&options, &both->client, &err), TENON_OK);
	assert_int_equal(tenon_client_connect(both->client, &err), TENON_INTERNAL);
	assert_non_null(strstr(err.message, "must not wait"));
	tenon_client_run_for(both->client, 60000); /* likewise: it returns at once */
	tenon_client_wake(both->client);
	tenon_client_start(both->client, connected, both);
}

static void listening(const char *url, void *data)
{
	struct both *both = data;
	const char *end = strrchr(url, '/');

	(void)snprintf(both->url, sizeof(both->url), "ws%.*s/ws", (int)(end - url - 4), url + 4);
}

static void talk(enum tenon_client_mode mode, bool over_ws, const char *revision)
{
	struct tenon_server_options server_options = {.name = "both", .version = "1"};
	struct both both = {.folder = "/tmp/both-XXXXXX"};
	struct tenon_unix_options local = {.path = both.path};
	struct tenon_http_options http = {.no_token = true, .listening = listening, .data = &both};
	struct tenon_error err = {0};

	assert_non_null(mkdtemp(both.folder));
	(void)snprintf(both.path, sizeof(both.path), "%s/socket", both.folder);
	(void)snprintf(both.url, sizeof(both.url), "unix:%s", both.path);
	assert_int_equal(tenon_server_create(&server_options, &both.server, &err), TENON_OK);
	assert_int_equal(tenon_server_add_tool(both.server, &tool, &err), TENON_OK);
	assert_int_equal(over_ws ? tenon_server_listen_http(both.server, &http, &err)
				 : tenon_server_listen_unix(both.server, &local, &err),
			 TENON_OK);
	start_client(&both, mode);
	if (tenon_server_run(both.server, &err) != TENON_OK)
		fail_msg("%s", err.message);
	assert_string_equal(both.revision, revision);
	if (!strstr(both.got, "hello, Ann"))
		fail_msg("%s", both.got);
	assert_int_equal(both.asked, 1);
	assert_int_equal(both.changed, 1);
	tenon_client_destroy(both.client); /* its connection may still say good-bye ... */
	tenon_server_destroy(both.server); /* ... before the loop goes */
	(void)unlink(both.path);
	(void)rmdir(both.folder);
}

static void modern_unix(void **state)
{
	(void)state;
	talk(TENON_MODE_AUTO, false, "2026-07-28");
}

static void legacy_unix(void **state)
{
	(void)state;
	talk(TENON_MODE_LEGACY, false, "2025-11-25");
}

static void modern_ws(void **state)
{
	(void)state;
	talk(TENON_MODE_MODERN, true, "2026-07-28");
}

static void legacy_ws(void **state)
{
	(void)state;
	talk(TENON_MODE_LEGACY, true, "2025-11-25");
}

/* What a client has closed is not over at once on a loop that it does not own: the child still
 * comes to its end, and is not left behind. */
static void client_goes(void **state)
{
	static const char *const command[] = {"/bin/cat", NULL}; /* echoes, and answers nothing */
	struct tenon_server_options server_options = {.name = "both", .version = "1"};
	struct both both = {.folder = "/tmp/both-XXXXXX"};
	struct tenon_unix_options local = {.path = both.path};
	struct tenon_client_options options = {.name = "both",
					       .version = "1",
					       .command = command,
					       .probe_timeout_ms = 20,
					       .request_timeout_ms = 20000};
	struct tenon_error err;

	(void)state;
	assert_non_null(mkdtemp(both.folder));
	(void)snprintf(both.path, sizeof(both.path), "%s/socket", both.folder);
	assert_int_equal(tenon_server_create(&server_options, &both.server, &err), TENON_OK);
	assert_int_equal(tenon_server_listen_unix(both.server, &local, &err), TENON_OK);
	options.server = both.server;
	assert_int_equal(tenon_client_create(&options, &both.client, &err), TENON_OK);
	tenon_client_destroy(both.client); /* never started */
	assert_int_equal(tenon_client_create(&options, &both.client, &err), TENON_OK);
	tenon_client_start(both.client, connected, &both);
	assert_int_equal(tenon_server_run(both.server, &err), TENON_OK);
	/* Its own words came back to it: a question, then the refusal of that question. */
	assert_non_null(strstr(both.got, "the server refused initialize (-32601)"));
	tenon_client_destroy(both.client);
	tenon_server_destroy(both.server);
	(void)rmdir(both.folder);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(modern_unix), cmocka_unit_test(legacy_unix),
		cmocka_unit_test(modern_ws),   cmocka_unit_test(legacy_ws),
		cmocka_unit_test(client_goes),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
