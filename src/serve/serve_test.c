/* Ways in that are opened, run and ended, without a process of their own. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "mcp/call.h"
#include "tenon/server.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

struct bench {
	struct tenon_server *server;
	char path[64];
	char url[128];
	pthread_t thread;
	enum tenon_code code;
	struct tenon_error err;
};

static int set_up(void **state)
{
	const struct tenon_server_options options = {.name = "t", .version = "1"};
	struct bench *b = tn_mem_alloc(sizeof(*b));
	char token[TN_RNG_TOKEN_SIZE(8)];

	assert_non_null(b);
	tn_rng_token(token, 8);
	(void)snprintf(b->path, sizeof(b->path), "/tmp/tn-%s.sock", token);
	assert_int_equal(tenon_server_create(&options, &b->server, &b->err), TENON_OK);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	struct stat info;

	tenon_server_destroy(b->server);
	assert_int_equal(stat(b->path, &info), -1); /* removed, however it ended */
	tn_mem_free(b);
	return 0;
}

static void *run(void *data)
{
	struct bench *b = data;

	b->code = tenon_server_run(b->server, &b->err);
	return NULL;
}

static void start(struct bench *b)
{
	assert_int_equal(pthread_create(&b->thread, NULL, run, b), 0);
}

static void stop(struct bench *b)
{
	tenon_server_stop(b->server);
	assert_int_equal(pthread_join(b->thread, NULL), 0);
	assert_int_equal(b->code, TENON_OK);
}

static void listen_unix(struct bench *b, const int64_t *uids)
{
	const struct tenon_unix_options options = {.path = b->path, .uids = uids};

	assert_int_equal(tenon_server_listen_unix(b->server, &options, &b->err), TENON_OK);
}

static void heard(const char *url, void *data)
{
	struct bench *b = data;

	(void)snprintf(b->url, sizeof(b->url), "%s", url);
}

static int dial(const struct bench *b)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(at.sun_path, b->path, strlen(b->path));
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static void expect(int fd, const char *text)
{
	char got[256];
	size_t size = strlen(text), have = 0;

	while (have < size) {
		ssize_t more = read(fd, got + have, size - have);

		assert_true(more > 0);
		have += (size_t)more;
	}
	assert_memory_equal(got, text, size);
}

static void test_nothing_to_serve(void **state)
{
	struct bench *b = *state;

	assert_int_equal(tenon_server_run(b->server, &b->err), TENON_INVALID);
	assert_string_equal(b->err.message,
			    "nothing to serve: call a tenon_server_listen function first");
}

static void test_opened_and_never_run(void **state)
{
	struct bench *b = *state;
	const struct tenon_http_options http = {.no_token = true, .listening = heard, .data = b};

	listen_unix(b, NULL);
	assert_int_equal(tenon_server_listen_http(b->server, &http, &b->err), TENON_OK);
	assert_memory_equal(b->url, "http://127.0.0.1:", 17);
}

/* A stop that comes before the run ends it at once. */
static void test_stopped_before_it_runs(void **state)
{
	struct bench *b = *state;

	listen_unix(b, NULL);
	tenon_server_stop(b->server);
	assert_int_equal(tenon_server_run(b->server, &b->err), TENON_OK);
}

static void test_runs_twice(void **state)
{
	struct bench *b = *state;

	for (unsigned i = 0; i < 2; i++) {
		int fd;

		listen_unix(b, NULL);
		start(b);
		fd = dial(b);
		assert_int_equal(write(fd, PING, sizeof(PING) - 1), sizeof(PING) - 1);
		expect(fd, PONG);
		stop(b);
		assert_int_equal(read(fd, &(char){0}, 1), 0);
		(void)close(fd);
	}
}

static void test_others_change_the_mode(void **state) /* MCP-284 */
{
	static const int64_t uids[] = {12345, -1};
	struct bench *b = *state;
	struct stat info;

	listen_unix(b, uids);
	assert_int_equal(stat(b->path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0666);
	start(b);
	{
		int fd = dial(b); /* our own user may always */

		assert_int_equal(write(fd, PING, sizeof(PING) - 1), sizeof(PING) - 1);
		expect(fd, PONG);
		(void)close(fd);
	}
	stop(b);
}

static void who(struct tenon_call *call, void *data)
{
	(void)data;
	tenon_call_reply_text(call, call->foreign ? "foreign" : "own");
}

/* As another user. */
static int ask_as(const struct bench *b, uid_t uid, const char *expected)
{
	static const char ask[] =
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
		"call\",\"params\":{\"name\":\"who\","
		"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
		"\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n";
	char text[1024] = "";
	int status, fd;
	pid_t child = fork();

	if (child == 0) { /* no assertion may return from here */
		if (setuid(uid) != 0)
			_exit(2);
		fd = dial(b);
		(void)!write(fd, ask, sizeof(ask) - 1);
		(void)!read(fd, text, sizeof(text) - 1);
		_exit(strstr(text, expected) ? 0 : 1);
	}
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Another user could have files read to it that only we may read. */
static void test_another_user_is_elsewhere(void **state)
{
	static const int64_t uids[] = {12345, -1};
	const struct tenon_tool tool = {.name = "who",
					.description = "Who.",
					.input_schema = "{\"type\":\"object\"}",
					.call = who};
	struct bench *b = *state;

	if (geteuid() != 0)
		skip();
	assert_int_equal(tenon_server_add_tool(b->server, &tool, &b->err), TENON_OK);
	listen_unix(b, uids);
	start(b);
	assert_int_equal(ask_as(b, 0, "own"), 0);
	assert_int_equal(ask_as(b, 12345, "foreign"), 0);
	assert_int_equal(ask_as(b, 12346, "may not connect"), 0);
	stop(b);
}

static uint64_t cpu_us(void)
{
	struct rusage used;

	(void)getrusage(RUSAGE_SELF, &used);
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int count_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	assert_int_equal(closedir(folder), 0);
	return count;
}

/* Out of descriptors the listener rests, and takes up again when there are some. */
static void test_no_descriptors_left(void **state)
{
	struct bench *b = *state;
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct rlimit before, none;
	uint64_t began;
	int fd, spare, before_count;

	listen_unix(b, NULL);
	start(b);
	fd = dial(b); /* the loop has opened whatever it needs when this one is answered */
	assert_int_equal(write(fd, PING, sizeof(PING) - 1), sizeof(PING) - 1);
	expect(fd, PONG);
	before_count = count_descriptors();
	(void)close(fd);
	for (int i = 0; i < 3000 && count_descriptors() > before_count - 2; i++)
		(void)usleep(10000); /* until the other end of it is free again, too */
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	spare = dup(0);
	(void)close(spare);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){(rlim_t)spare, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	memcpy(at.sun_path, b->path, strlen(b->path));
	assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(write(fd, PING, sizeof(PING) - 1), sizeof(PING) - 1);
	began = cpu_us();
	(void)usleep(400000);
	assert_in_range(cpu_us() - began, 0, 100000); /* one that spins would take all of it */
	assert_int_equal(recv(fd, &(char){0}, 1, MSG_DONTWAIT), -1);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	expect(fd, PONG);
	(void)close(fd);
	stop(b);
}

static void test_taken(void **state)
{
	struct bench *b = *state;
	const struct tenon_unix_options options = {.path = b->path};
	struct tenon_http_options http = {.no_token = true, .listening = heard, .data = b};
	unsigned port;

	listen_unix(b, NULL);
	assert_int_equal(tenon_server_listen_unix(b->server, &options, &b->err), TENON_BUSY);
	assert_string_equal(b->err.message, "another server listens on this Unix socket");
	assert_int_equal(tenon_server_listen_http(b->server, &http, &b->err), TENON_OK);
	assert_int_equal(sscanf(b->url, "http://127.0.0.1:%u", &port), 1);
	http.port = (uint16_t)port;
	assert_int_equal(tenon_server_listen_http(b->server, &http, &b->err), TENON_SYSTEM);
	assert_non_null(strstr(b->err.message, "bind listener"));
	start(b); /* what was opened goes on */
	stop(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_nothing_to_serve, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_opened_and_never_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stopped_before_it_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_runs_twice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_others_change_the_mode, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_another_user_is_elsewhere, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_descriptors_left, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_taken, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
