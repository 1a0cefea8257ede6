/* Our client and real child processes: servers that behave badly, die, flood, or do not go. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tenon/client.h"

static const char *server_path, *tiny_path;

struct seen {
	size_t text_bytes, changes;
	int lost_again, lost_for_good;
};

static void on_text(const char *text, size_t size, void *data)
{
	struct seen *seen = data;

	(void)text;
	seen->text_bytes += size;
}

static void on_changed(enum tenon_change change, const char *uri, void *data)
{
	struct seen *seen = data;

	(void)change;
	(void)uri;
	seen->changes++;
}

static void on_lost(const struct tenon_error *why, bool again, void *data)
{
	struct seen *seen = data;

	(void)why;
	if (again)
		seen->lost_again++;
	else
		seen->lost_for_good++;
}

static struct tenon_client *make(const char *const *command, struct seen *seen)
{
	struct tenon_client_options options = {.name = "test",
					       .version = "1",
					       .command = command,
					       .probe_timeout_ms = 300,
					       .handlers = {.server_text = on_text,
							    .changed = on_changed,
							    .lost = on_lost,
							    .data = seen}};
	struct tenon_client *client;
	struct tenon_error err;

	assert_int_equal(tenon_client_create(&options, &client, &err), TENON_OK);
	return client;
}

static struct tenon_client *connect_kind(const char *kind, struct seen *seen)
{
	const char *command[] = {server_path, kind, NULL};
	struct tenon_client *client = make(command, seen);
	struct tenon_error err;

	if (tenon_client_connect(client, &err) != TENON_OK)
		fail_msg("%s: %s", kind, err.message);
	return client;
}

static struct tenon_outcome call(struct tenon_client *client, uint32_t timeout_ms)
{
	struct tenon_request_options options = {.timeout_ms = timeout_ms};
	struct tenon_outcome outcome;
	struct tenon_error err;

	(void)tenon_request_wait(tenon_client_call(client, "t", NULL, &options, &err), &outcome);
	return outcome;
}

static void works(const char *kind)
{
	struct seen seen = {0};
	struct tenon_client *client = connect_kind(kind, &seen);
	struct tenon_outcome outcome = call(client, 0);

	if (outcome.code != TENON_OK)
		fail_msg("%s: %s", kind, outcome.err.message);
	assert_non_null(strstr(outcome.result, "done"));
	tenon_client_destroy(client);
}

static void ill_mannered_servers(void **state) /* MCP-059 MCP-089 */
{
	(void)state;
	works("dies");
	works("silent");
	works("polite");
	works("garbage");
}

static void dead_servers(void **state)
{
	static const char *const commands[][4] = {
		{"/nonexistent/server", NULL},
		{"true", NULL},
		{"sh", "-c", "exit 3", NULL},
	};
	static const char *const messages[] = {"No such file", "ended with status 0",
					       "ended with status 3"};
	struct seen seen = {0};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct tenon_client *client = make(commands[i], &seen);
		struct tenon_error err;

		assert_int_equal(tenon_client_connect(client, &err), TENON_SYSTEM);
		if (!strstr(err.message, messages[i]))
			fail_msg("%s", err.message);
		tenon_client_destroy(client);
	}
}

static void calls_that_fail(void **state) /* MCP-088 MCP-288 */
{
	static const struct {
		const char *kind;
		enum tenon_code code;
		const char *message;
		int lost;
	} cases[] = {
		{"hangs", TENON_EXPIRED, "in time", 0},
		{"crashes", TENON_SYSTEM, "ended by signal 6", 1},
		{"killed", TENON_SYSTEM, "ended by signal 9", 1},
		{"too-large", TENON_LIMIT, "more than", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct seen seen = {0};
		struct tenon_client *client = connect_kind(cases[i].kind, &seen);
		struct tenon_outcome outcome = call(client, i == 0 ? 100 : 20000);
		struct tenon_error err;

		if (outcome.code != cases[i].code || !strstr(outcome.err.message, cases[i].message))
			fail_msg("%s: %d %s", cases[i].kind, (int)outcome.code,
				 outcome.err.message);
		/* And it goes on. */
		(void)tenon_request_wait(tenon_client_request(client, "ping", NULL, NULL, &err),
					 &outcome);
		if (outcome.code != TENON_OK)
			fail_msg("%s: then %s", cases[i].kind, outcome.err.message);
		assert_int_equal(seen.lost_again, cases[i].lost);
		tenon_client_destroy(client);
	}
}

static void much_is_taken(void **state) /* MCP-082 MCP-084 */
{
	struct seen seen = {0};
	struct tenon_client *client;
	struct tenon_outcome outcome;

	(void)state;
	works("floods");
	client = connect_kind("chatty", &seen);
	assert_int_equal(call(client, 20000).code, TENON_OK);
	tenon_client_run_for(client, 100);
	assert_true(seen.text_bytes > 1000000);
	tenon_client_destroy(client);
	client = connect_kind("large", &seen);
	outcome = call(client, 20000);
	assert_int_equal(outcome.code, TENON_OK);
	assert_true(outcome.result_size > (size_t)60 << 20);
	tenon_client_destroy(client);
	client = connect_kind("last-words", &seen); /* the answer comes before the end */
	outcome = call(client, 20000);
	assert_int_equal(outcome.code, TENON_OK);
	tenon_client_destroy(client);
}

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t destroy_time(const char *kind)
{
	struct seen seen = {0};
	struct tenon_client *client = connect_kind(kind, &seen);
	uint64_t start = now_ms();

	tenon_client_destroy(client);
	return now_ms() - start;
}

static void ends_in_order(void **state) /* MCP-087 */
{
	uint64_t time;

	(void)state;
	assert_true(destroy_time("polite") < 1000);
	time = destroy_time("lingers");
	assert_true(time >= 1900 && time < 3500); /* SIGTERM */
	time = destroy_time("stubborn");
	assert_true(time >= 3900 && time < 5500); /* SIGKILL */
}

static void both_eras_of_ours(void **state) /* MCP-063 */
{
	static const struct {
		enum tenon_client_mode mode;
		const char *revision, *expected;
	} cases[] = {
		{TENON_MODE_AUTO, NULL, "2026-07-28"},
		{TENON_MODE_MODERN, NULL, "2026-07-28"},
		{TENON_MODE_LEGACY, NULL, "2025-11-25"},
		{TENON_MODE_AUTO, "2025-06-18", "2025-06-18"},
		{TENON_MODE_AUTO, "2025-03-26", "2025-03-26"},
		{TENON_MODE_AUTO, "2024-11-05", "2024-11-05"},
	};
	const char *command[] = {tiny_path, NULL};
	struct seen seen = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tenon_client_options options = {
			.name = "test",
			.version = "1",
			.command = command,
			.mode = cases[i].mode,
			.revision = cases[i].revision,
			.handlers = {.server_text = on_text, .data = &seen}};
		struct tenon_client *client;
		struct tenon_outcome outcome;
		struct tenon_error err;

		assert_int_equal(tenon_client_create(&options, &client, &err), TENON_OK);
		if (tenon_client_connect(client, &err) != TENON_OK)
			fail_msg("%s: %s", cases[i].expected, err.message);
		assert_string_equal(tenon_client_revision(client), cases[i].expected);
		(void)tenon_request_wait(
			tenon_client_call(client, "greet", "{\"name\":\"Ann\"}", NULL, &err),
			&outcome);
		assert_int_equal(outcome.code, TENON_OK);
		assert_non_null(strstr(outcome.result, "Hello, Ann!"));
		(void)tenon_request_wait(tenon_client_list(client, TENON_LIST_PROMPTS, NULL, &err),
					 &outcome);
		assert_non_null(strstr(outcome.result, "\"welcome\""));
		tenon_client_destroy(client);
	}
}

/* What a child started goes with it. */
static void no_orphans(void **state)
{
	char file[] = "/tmp/tenon-orphan-XXXXXX", script[256];
	const char *command[] = {"sh", "-c", script, NULL};
	struct seen seen = {0};
	struct tenon_client *client;
	struct tenon_error err;
	int pid = 0, fd = mkstemp(file);
	FILE *in;

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	(void)snprintf(script, sizeof(script), "sleep 300 & echo $! >%s; exec %s polite", file,
		       server_path);
	client = make(command, &seen);
	assert_int_equal(tenon_client_connect(client, &err), TENON_OK);
	in = fopen(file, "r");
	assert_non_null(in);
	assert_int_equal(fscanf(in, "%d", &pid), 1);
	(void)fclose(in);
	assert_int_equal(kill(pid, 0), 0);
	tenon_client_destroy(client);
	for (int i = 0; i < 100 && kill(pid, 0) == 0; i++)
		(void)usleep(10000); /* until init has reaped it */
	(void)unlink(file);
	/* A zombie that init has not fetched yet answers, too; it runs no more. */
	if (kill(pid, 0) == 0) {
		char path[64], text[256] = "";

		(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		in = fopen(path, "r");
		if (in && fgets(text, sizeof(text), in))
			assert_non_null(strstr(text, ") Z "));
		if (in)
			(void)fclose(in);
	}
}

int main(int count, char **words)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(ill_mannered_servers), cmocka_unit_test(dead_servers),
		cmocka_unit_test(calls_that_fail),      cmocka_unit_test(much_is_taken),
		cmocka_unit_test(ends_in_order),        cmocka_unit_test(both_eras_of_ours),
		cmocka_unit_test(no_orphans),
	};

	if (count < 3)
		return 2;
	server_path = words[1];
	tiny_path = words[2];
	return cmocka_run_group_tests(all, NULL, NULL);
}
