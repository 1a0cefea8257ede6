/* Talks to tests/servers/fake_llm.c over real sockets: http_client_test PLUGIN_FOLDER FAKE_LLM */
#include "loop/http_client.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

#define BODY_START                                                                                \
	"{\"model\":\"m\",\"temperature\":0,\"max_tokens\":9,\"messages\":[{\"role\":\"system\"," \
	"\"content\":\"{\\\"mcp_version\\\":\\\"1.0\\\",\\\"system\\\":\\\"s\\\",\\\"tool_"       \
	"output\\\":[\\\"- create "                                                               \
	"a.b\\\"],\\\"history\\\":[]}\"}]}"

static const char *plugin_folder;
static const char *server_path;

struct fixture {
	struct tn_http_client *client;
	pid_t pid;
	int server_input;
	unsigned port;
};

static struct fixture shared;

static int start_server(void **state)
{
	struct tenon_error err = {0};
	int to_server[2], from_server[2];
	FILE *port;

	if (pipe(to_server) != 0 || pipe(from_server) != 0)
		return -1;
	shared.pid = fork();
	if (shared.pid == 0) {
		(void)dup2(to_server[0], STDIN_FILENO);
		(void)dup2(from_server[1], STDOUT_FILENO);
		(void)close(to_server[1]);
		(void)execl(server_path, server_path, (char *)NULL);
		_exit(127);
	}
	(void)close(to_server[0]);
	(void)close(from_server[1]);
	shared.server_input = to_server[1];
	port = fdopen(from_server[0], "r");
	if (!port || fscanf(port, "%u", &shared.port) != 1)
		return -1;
	(void)fclose(port);
	*state = &shared;
	return tn_http_client_open(plugin_folder, &shared.client, &err) == TENON_OK ? 0 : -1;
}

static int stop_server(void **state)
{
	struct fixture *fixture = *state;

	tn_http_client_close(fixture->client);
	(void)close(fixture->server_input);
	return waitpid(fixture->pid, NULL, 0) == fixture->pid ? 0 : -1;
}

struct exchange {
	char url[128];
	struct tn_http_request request;
	struct tn_http_answer answer;
};

static void prepare(struct exchange *exchange, const struct fixture *fixture, const char *part)
{
	static const char *const headers[] = {"Content-Type: application/json", NULL};

	(void)snprintf(exchange->url, sizeof(exchange->url),
		       "http://127.0.0.1:%u/%s/v1/chat/completions", fixture->port, part);
	exchange->request = (struct tn_http_request){.url = exchange->url,
						     .headers = headers,
						     .body = TN_STR(BODY_START),
						     .timeout_ms = 5000,
						     .retries = 1,
						     .direct = true};
	exchange->answer = (struct tn_http_answer){0};
	tn_buf_init(&exchange->answer.body, TN_MIB);
}

static void run_one(const struct fixture *fixture, struct exchange *exchange,
		    const atomic_bool *cancel)
{
	struct tenon_error err = {0};
	struct tn_http_batch batch = {.requests = &exchange->request,
				      .answers = &exchange->answer,
				      .count = 1,
				      .parallel = 1,
				      .cancel = cancel};

	assert_int_equal(tn_http_client_run(fixture->client, &batch, &err), TENON_OK);
}

static void expect(void **state, const char *part, enum tenon_code code, unsigned status)
{
	struct exchange exchange;

	prepare(&exchange, *state, part);
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.code, code);
	assert_int_equal(exchange.answer.status, status);
	tn_buf_finish(&exchange.answer.body);
}

static void an_answer_arrives_whole(void **state)
{
	struct exchange exchange;

	prepare(&exchange, *state, "good");
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.code, TENON_OK);
	assert_int_equal(exchange.answer.status, 200);
	assert_true(tn_str_find(tn_buf_str(&exchange.answer.body),
				TN_STR("Summary: 1 change\\nThe model says: create a.b.")) !=
		    TN_STR_NONE);
	tn_buf_finish(&exchange.answer.body);
}

/* plan.md section 10.5: redirects off, response cap, a status is the caller's to judge. */
static void statuses_and_limits(void **state)
{
	expect(state, "redirect", TENON_OK, 302);
	expect(state, "bad-key", TENON_OK, 401);
	expect(state, "500", TENON_OK, 500);
	expect(state, "huge", TENON_LIMIT, 200);
	expect(state, "closed", TENON_SYSTEM, 0);
}

/* plan.md section 10.5: one retry on 429 and 5xx, honouring Retry-After. The server answers the
 * first call of its life with 429. */
static void a_retry_waits_as_told(void **state)
{
	uint64_t before_ms = tn_clock_now_ms(&tn_clock_system);

	expect(state, "429-then-good", TENON_OK, 200);
	assert_true(tn_clock_now_ms(&tn_clock_system) - before_ms >= 1000);
}

static void without_retries_the_first_answer_stands(void **state)
{
	struct exchange exchange;

	prepare(&exchange, *state, "429-then-good");
	exchange.request.retries = 0;
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.status, 429);
	tn_buf_finish(&exchange.answer.body);
}

static void a_silent_server_runs_into_the_timeout(void **state)
{
	struct exchange exchange;

	prepare(&exchange, *state, "slow");
	exchange.request.timeout_ms = 300;
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.code, TENON_EXPIRED);
	tn_buf_finish(&exchange.answer.body);
}

static void *cancel_soon(void *data)
{
	const struct timespec moment = {.tv_nsec = 200 * 1000 * 1000};

	(void)nanosleep(&moment, NULL);
	atomic_store((atomic_bool *)data, true);
	return NULL;
}

/* How long it took. */
static uint64_t cancel_a_silent_wait(void **state)
{
	struct exchange exchange;
	atomic_bool cancel = false;
	pthread_t thread;
	uint64_t before_ms = tn_clock_now_ms(&tn_clock_system);

	prepare(&exchange, *state, "slow");
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &cancel), 0);
	run_one(*state, &exchange, &cancel);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(exchange.answer.code, TENON_CANCELLED);
	tn_buf_finish(&exchange.answer.body);
	return tn_clock_now_ms(&tn_clock_system) - before_ms;
}

/* plan.md section 12.3: stops within one second of being cancelled. Where others want the processor
 * it is looked at again: one that waits for longer always does. */
static void cancelling_ends_a_silent_wait(void **state)
{
	uint64_t took_ms = cancel_a_silent_wait(state);

	for (int i = 0; i < 10 && took_ms >= 1200; i++)
		took_ms = cancel_a_silent_wait(state);
	assert_true(took_ms < 1200);
}

static void no_more_than_asked_run_at_once(void **state)
{
	const struct fixture *fixture = *state;
	struct exchange exchanges[10], question;
	struct tn_http_request requests[10];
	struct tn_http_answer answers[10];
	struct tenon_error err = {0};
	atomic_uint finished = 0;
	struct tn_http_batch batch = {.requests = requests,
				      .answers = answers,
				      .count = 10,
				      .parallel = 4,
				      .finished = &finished};

	for (size_t i = 0; i < 10; i++) {
		prepare(&exchanges[i], fixture, "steady");
		requests[i] = exchanges[i].request;
		answers[i] = exchanges[i].answer;
	}
	assert_int_equal(tn_http_client_run(fixture->client, &batch, &err), TENON_OK);
	assert_int_equal(atomic_load(&finished), 10);
	for (size_t i = 0; i < 10; i++) {
		assert_int_equal(answers[i].status, 200);
		tn_buf_finish(&answers[i].body);
	}
	prepare(&question, fixture, "good");
	(void)snprintf(question.url, sizeof(question.url), "http://127.0.0.1:%u/most-open",
		       fixture->port);
	question.request.body = tn_str(NULL, 0); /* by GET */
	run_one(fixture, &question, NULL);
	assert_true(tn_str_is(tn_buf_str(&question.answer.body), "4"));
	tn_buf_finish(&question.answer.body);
}

static void other_schemes_and_closed_ports_fail_clearly(void **state)
{
	struct exchange exchange;

	prepare(&exchange, *state, "good");
	exchange.request.url = "file:///etc/hostname";
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.code, TENON_INVALID);
	assert_int_equal(exchange.answer.body.size, 0);
	exchange.request.url = "http://127.0.0.1:1/v1";
	run_one(*state, &exchange, NULL);
	assert_int_equal(exchange.answer.code, TENON_SYSTEM);
	assert_null(strstr(exchange.answer.err.message, "127.0.0.1"));
	tn_buf_finish(&exchange.answer.body);
}

static void without_the_plugin_the_error_names_it(void **state)
{
	struct tn_http_client *client = NULL;
	struct tn_http_batch batch = {.parallel = 1};
	struct tenon_error err = {0};

	(void)state;
	assert_int_equal(tn_http_client_open("/nonexistent", &client, &err), TENON_OK);
	assert_int_equal(tn_http_client_run(client, &batch, &err), TENON_NOT_FOUND);
	assert_non_null(strstr(err.message, "tenon-client.so"));
	tn_http_client_close(client);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_arrives_whole, start_server, stop_server),
		cmocka_unit_test_setup_teardown(statuses_and_limits, start_server, stop_server),
		cmocka_unit_test_setup_teardown(a_retry_waits_as_told, start_server, stop_server),
		cmocka_unit_test_setup_teardown(without_retries_the_first_answer_stands,
						start_server, stop_server),
		cmocka_unit_test_setup_teardown(a_silent_server_runs_into_the_timeout, start_server,
						stop_server),
		cmocka_unit_test_setup_teardown(cancelling_ends_a_silent_wait, start_server,
						stop_server),
		cmocka_unit_test_setup_teardown(no_more_than_asked_run_at_once, start_server,
						stop_server),
		cmocka_unit_test_setup_teardown(other_schemes_and_closed_ports_fail_clearly,
						start_server, stop_server),
		cmocka_unit_test(without_the_plugin_the_error_names_it),
	};

	if (argc != 3) {
		(void)fprintf(stderr, "usage: http_client_test PLUGIN_FOLDER FAKE_LLM\n");
		return 64;
	}
	plugin_folder = argv[1];
	server_path = argv[2];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
