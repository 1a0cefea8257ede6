/* The gateway before servers that break TLS, or never begin it (workbench.md section 0, S16): raw
 * bytes from a process of their own. Servers that speak it are in tests/workbench/secure.py. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "gateway/gateway.h"
#include "gateway/limits.h"

typedef void act_fn(int client);

struct stage {
	struct tn_loop *loop;
	struct tn_wakeup *stop;
	struct tn_gateway *gateway;
	pthread_t thread;
	pid_t server;
};

static const char *plugin_folder;
static struct stage the_stage;

static void stop(struct tn_wakeup *wakeup, void *data)
{
	struct stage *stage = data;

	(void)wakeup;
	tn_loop_stop(stage->loop);
}

static void *run(void *data)
{
	struct stage *stage = data;

	tn_loop_run(stage->loop);
	return NULL;
}

static int listen_here(uint16_t *ret_port)
{
	struct sockaddr_in here = {.sin_family = AF_INET};
	socklen_t size = sizeof(here);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&here, size), 0);
	assert_int_equal(listen(fd, 128), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&here, &size), 0);
	*ret_port = ntohs(here.sin_port);
	return fd;
}

/* Each connection in a process of its own, which ends with its work. */
static pid_t serve(int listener, act_fn *act)
{
	pid_t child = fork();

	if (child != 0)
		return child;
	(void)signal(SIGCHLD, SIG_IGN);
	(void)close(STDOUT_FILENO); /* nobody waits for its end */
	(void)close(STDERR_FILENO);
	for (;;) {
		int client = accept(listener, NULL, NULL);

		if (client < 0)
			_exit(0);
		if (fork() == 0) {
			(void)alarm(20);
			act(client);
			_exit(0);
		}
		(void)close(client);
	}
}

static void open_gateway(struct stage *stage, act_fn *act)
{
	static const struct tn_gateway_events events = {NULL, NULL, NULL};
	struct tn_gateway_options options = {.session_id = "session_1",
					     .key = "K",
					     .adapter = TN_STR("adapter()"),
					     .plugin_folder = plugin_folder,
					     .events = &events};
	char upstream[64];
	uint16_t port;
	int listener = listen_here(&port);

	stage->server = serve(listener, act);
	(void)close(listener);
	(void)snprintf(upstream, sizeof(upstream), "https://127.0.0.1:%u", port);
	options.upstream = upstream;
	assert_int_equal(tn_loop_create(&stage->loop, NULL), TENON_OK);
	assert_int_equal(tn_wakeup_open(stage->loop, stop, stage, &stage->stop, NULL), TENON_OK);
	assert_int_equal(tn_gateway_open(stage->loop, &options, &stage->gateway, NULL), TENON_OK);
	assert_int_equal(pthread_create(&stage->thread, NULL, run, stage), 0);
}

static void close_gateway(struct stage *stage)
{
	tn_wakeup_send(stage->stop);
	assert_int_equal(pthread_join(stage->thread, NULL), 0);
	tn_gateway_close(stage->gateway);
	tn_wakeup_close(stage->stop);
	tn_loop_destroy(stage->loop);
	assert_int_equal(kill(stage->server, SIGKILL), 0);
	assert_int_equal(waitpid(stage->server, NULL, 0), stage->server);
}

static int connect_client(const struct stage *stage)
{
	const struct timeval patience = {.tv_sec = 20};
	struct sockaddr_in to = {.sin_family = AF_INET};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	uint64_t port = 0;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(tn_str_to_uint(tn_str_from(strrchr(tn_gateway_origin(stage->gateway), ':') + 1),
				   &port));
	to.sin_port = htons((uint16_t)port);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
	return fd;
}

static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

static int begin(const struct stage *stage)
{
	int client = connect_client(stage);

	assert_int_equal(send(client, request, sizeof(request) - 1, MSG_NOSIGNAL),
			 sizeof(request) - 1);
	return client;
}

/* The status of what it is answered. */
static unsigned end(int client)
{
	char heard[4096];
	uint64_t status = 0;
	size_t size = 0;
	ssize_t got;

	while ((got = recv(client, heard + size, sizeof(heard) - size, 0)) > 0)
		size += (size_t)got;
	(void)close(client);
	assert_int_equal(got, 0);
	assert_true(size > 12 && tn_str_to_uint(tn_str(heard + 9, 3), &status));
	return (unsigned)status;
}

/* ---- what servers do ---- */

static void take_hello(int client)
{
	char hello[4096];

	(void)!read(client, hello, sizeof(hello));
}

static void tell(int client, const void *bytes, size_t size)
{
	take_hello(client);
	(void)!send(client, bytes, size, MSG_NOSIGNAL);
	take_hello(client);
}

static void close_at_once(int client)
{
	(void)close(client);
}

static void speak_http(int client)
{
	static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";

	tell(client, text, sizeof(text) - 1);
}

static void alert(int client)
{
	tell(client, "\x15\x03\x03\x00\x02\x02\x28", 7);
}

static void end_within_a_record(int client)
{
	take_hello(client);
	(void)!send(client, "\x16\x03\x03\x02\x00\x02\x00", 7, MSG_NOSIGNAL);
}

static void send_zeros(int client)
{
	static const char zeros[70000];

	tell(client, zeros, sizeof(zeros));
}

static void send_a_hello_of_rubbish(int client)
{
	char hello[5 + 4 + 300];

	memset(hello, 'x', sizeof(hello));
	memcpy(hello, "\x16\x03\x03\x01\x30\x02\x00\x01\x2c", 9);
	tell(client, hello, sizeof(hello));
}

static void send_early_data(int client)
{
	static const char record[] = "\x17\x03\x03\x00\x05hello";

	tell(client, record, sizeof(record) - 1);
}

static void send_empty_records(int client)
{
	take_hello(client);
	for (int i = 0; i < 40000; i++)
		if (send(client, "\x16\x03\x03\x00\x00", 5, MSG_NOSIGNAL) != 5)
			return;
	take_hello(client);
}

static void say_nothing(int client)
{
	for (;;)
		take_hello(client);
}

/* ---- ---- */

static void what_is_no_tls_is_said_so(void **state)
{
	static act_fn *const acts[] = {
		close_at_once,       speak_http,         alert,
		end_within_a_record, send_zeros,         send_a_hello_of_rubbish,
		send_early_data,     send_empty_records,
	};
	struct stage *stage = &the_stage;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(acts); i++) {
		uint64_t before = tn_clock_now_ms(&tn_clock_system);

		open_gateway(stage, acts[i]);
		assert_int_equal(end(begin(stage)), 502);
		assert_true(tn_clock_now_ms(&tn_clock_system) - before < TN_GATEWAY_SHAKE_MS);
		close_gateway(stage);
	}
}

/* So many shake hands at a time; those who wait are told when it has taken too long. */
static void a_handshake_that_never_ends_is_given_up(void **state)
{
	struct stage *stage = &the_stage;
	int clients[2 * TN_GATEWAY_HANDSHAKES_MAX + 2];
	uint64_t before = tn_clock_now_ms(&tn_clock_system);

	(void)state;
	open_gateway(stage, say_nothing);
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		clients[i] = begin(stage);
	for (size_t i = 0; i < TN_GATEWAY_HANDSHAKES_MAX; i++)
		assert_int_equal(end(clients[i]), 504);
	assert_in_range(tn_clock_now_ms(&tn_clock_system) - before, TN_GATEWAY_SHAKE_MS - 100,
			TN_GATEWAY_SHAKE_MS + 3000);
	/* Some of the next leave: their turns are for the others. */
	(void)close(clients[TN_GATEWAY_HANDSHAKES_MAX]);
	(void)close(clients[TN_GATEWAY_HANDSHAKES_MAX + 1]);
	for (size_t i = TN_GATEWAY_HANDSHAKES_MAX + 2; i < TN_COUNT(clients); i++)
		assert_int_equal(end(clients[i]), 504);
	assert_true(tn_clock_now_ms(&tn_clock_system) - before < 2 * TN_GATEWAY_SHAKE_MS + 3000);
	close_gateway(stage);
}

static void it_closes_while_hands_are_shaken_and_others_wait(void **state)
{
	struct stage *stage = &the_stage;
	int clients[2 * TN_GATEWAY_HANDSHAKES_MAX];

	(void)state;
	open_gateway(stage, say_nothing);
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		clients[i] = begin(stage);
	(void)usleep(300000);
	close_gateway(stage);
	for (size_t i = 0; i < TN_COUNT(clients); i++)
		(void)close(clients[i]);
}

static void without_the_plugin_it_is_told(void **state)
{
	struct tn_gateway_options options = {.upstream = "https://localhost:1",
					     .plugin_folder = "/nonexistent"};
	struct tn_gateway *gateway = NULL;
	struct tn_loop *loop = NULL;
	struct tenon_error err;

	(void)state;
	assert_int_equal(tn_loop_create(&loop, NULL), TENON_OK);
	assert_int_equal(tn_gateway_open(loop, &options, &gateway, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "tenon-client.so"));
	tn_loop_destroy(loop);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_tls_is_said_so),
		cmocka_unit_test(a_handshake_that_never_ends_is_given_up),
		cmocka_unit_test(it_closes_while_hands_are_shaken_and_others_wait),
		cmocka_unit_test(without_the_plugin_it_is_told),
	};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: gateway_tls_test PLUGIN_FOLDER\n");
		return 64;
	}
	plugin_folder = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
