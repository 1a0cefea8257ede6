/* Who has spoken: real connections of real processes, looked up in the kernel and in /proc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/person/callers.h"
#include "host/limits.h"

struct setup {
	struct tn_loop *loop;
	struct tn_callers *callers;
	int listener;
	struct sockaddr_in at;
	/* What was answered. */
	enum tn_http_gate_mark mark;
	uint64_t connection;
	size_t holders;
	unsigned answers;
};

static struct setup current;

static int set_up(void **state)
{
	struct setup *s = &current;
	socklen_t size = sizeof(s->at);

	*s = (struct setup){
		.at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
	*state = s;
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return bind(s->listener, (const struct sockaddr *)&s->at, sizeof(s->at)) != 0 ||
	       listen(s->listener, 8) != 0 ||
	       getsockname(s->listener, (struct sockaddr *)&s->at, &size) != 0 ||
	       tn_loop_create(&s->loop, NULL) != TENON_OK ||
	       tn_callers_open(s->loop, &s->callers, NULL) != TENON_OK;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	tn_loop_destroy(s->loop);
	tn_callers_close(s->callers);
	(void)close(s->listener);
	return 0;
}

/* ---- a process that connects, and says what it was told ---- */

struct client {
	pid_t pid;
	int to;   /* its end of input ends it */
	int ours; /* our end of its connection */
};

static void be_client(const struct setup *s, int in, bool closes)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char word;

	if (connect(fd, (const struct sockaddr *)&s->at, sizeof(s->at)) != 0)
		_exit(1);
	if (closes)
		(void)close(fd);
	while (read(in, &word, 1) == 1)
		(void)close(fd); /* it lives on without */
	_exit(0);
}

static struct client start_client(const struct setup *s, bool closes)
{
	struct client c = {.ours = -1};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		(void)close(ends[1]);
		be_client(s, ends[0], closes);
	}
	(void)close(ends[0]);
	c.to = ends[1];
	c.ours = accept(s->listener, NULL, NULL);
	assert_true(c.ours >= 0);
	return c;
}

/* Its end of the connection is: that is seen here. */
static void expect_closed(const struct client *c)
{
	assert_int_equal(recv(c->ours, &(char){0}, 1, 0), 0);
}

static void stop_client(struct client *c)
{
	(void)close(c->to);
	(void)close(c->ours);
	(void)kill(c->pid, SIGKILL); /* its input may be open in others, too */
	(void)waitpid(c->pid, NULL, 0);
}

static struct tn_socket_ends ends_of(const struct client *c)
{
	struct tn_socket_ends ends = {.here = {0}};
	socklen_t size = sizeof(ends.here);

	assert_int_equal(getsockname(c->ours, (struct sockaddr *)&ends.here, &size), 0);
	size = sizeof(ends.there);
	assert_int_equal(getpeername(c->ours, (struct sockaddr *)&ends.there, &size), 0);
	return ends;
}

/* ---- asking ---- */

static void answered(void *host, uint64_t connection, enum tn_http_gate_mark mark, pid_t process)
{
	struct setup *s = host;

	assert_int_equal(process != 0, mark == TN_GATE_OPEN);

	s->connection = connection;
	s->mark = mark;
	s->answers++;
	tn_loop_stop(s->loop);
}

static void looked_up(void *data, const struct tn_holders *who)
{
	struct setup *s = data;

	s->holders = who->count;
	s->answers++;
	tn_loop_stop(s->loop);
}

static void refreshed(void *data, bool complete)
{
	struct setup *s = data;

	assert_true(complete);

	s->answers++;
	tn_loop_stop(s->loop);
}

static enum tn_http_gate_mark ask(struct setup *s, const struct client *c)
{
	const struct tn_http_gate *gate = tn_callers_gate(s->callers);
	struct tn_socket_ends ends = ends_of(c);
	const struct tn_http_gate_question question = {
		.here = ends.here, .there = ends.there, .connection = 7};
	unsigned before = s->answers;

	assert_true(gate->ask(gate->data, &question, answered, s));
	assert_int_equal(s->answers, before); /* later, not at once */
	tn_loop_run(s->loop);
	assert_int_equal(s->answers, before + 1);
	assert_int_equal(s->connection, 7);
	return s->mark;
}

static bool is_above(const struct setup *s, pid_t pid)
{
	struct tn_ancestry ancestry;

	assert_int_equal(tn_ancestry_read(pid, &ancestry, NULL), TENON_OK);
	return tn_callers_above(s->callers, &ancestry) != NULL;
}

/* ---- tests ---- */

static void test_remembered_while_it_lives(void **state)
{
	struct setup *s = *state;
	struct client c = start_client(s, false), other = start_client(s, false);

	assert_false(is_above(s, c.pid));
	assert_int_equal(ask(s, &c), TN_GATE_OPEN);
	assert_true(is_above(s, c.pid));
	assert_false(is_above(s, getpid())); /* we listen, and ask nobody */
	assert_int_equal(write(c.to, "x", 1), 1);
	expect_closed(&c);
	assert_true(tn_callers_refresh(s->callers, refreshed, s));
	tn_loop_run(s->loop);
	assert_true(is_above(s, c.pid)); /* its connection is over */
	stop_client(&c);
	stop_client(&other);
}

static void test_nobody_is_left(void **state)
{
	struct setup *s = *state;
	struct client c = start_client(s, true);

	expect_closed(&c);
	assert_int_equal(ask(s, &c), TN_GATE_LEFT);
	assert_false(is_above(s, c.pid));
	stop_client(&c);
}

/* Somebody who is only looked up is not remembered. */
static void test_looking_up(void **state)
{
	struct setup *s = *state;
	struct client c = start_client(s, false);
	struct tn_socket_ends ends = ends_of(&c);

	assert_true(tn_callers_look_up(s->callers, &ends, looked_up, s));
	tn_loop_run(s->loop);
	assert_int_equal(s->holders, 1);
	assert_false(is_above(s, c.pid));
	stop_client(&c);
}

/* Both that share a connection, found by whichever. */
static void test_shared(void **state)
{
	struct setup *s = *state;
	int fd = socket(AF_INET, SOCK_STREAM, 0), ends[2];
	struct client c = {.ours = -1};

	assert_int_equal(connect(fd, (const struct sockaddr *)&s->at, sizeof(s->at)), 0);
	c.ours = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	assert_int_equal(pipe(ends), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		(void)close(ends[1]);
		(void)!read(ends[0], &(char){0}, 1);
		_exit(0);
	}
	(void)close(ends[0]);
	c.to = ends[1];
	assert_int_equal(ask(s, &c), TN_GATE_OPEN);
	assert_true(is_above(s, c.pid));
	(void)close(fd);
	stop_client(&c);
}

/* A line of processes that all have the connection: also the first of them, who has made it. */
static void test_shared_by_many(void **state)
{
	enum { DEPTH = 24 };
	struct setup *s = *state;
	struct client c = {.ours = -1};
	int ends[2], ready[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(ready), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		(void)close(ends[1]);
		if (connect(fd, (const struct sockaddr *)&s->at, sizeof(s->at)) != 0)
			_exit(1);
		for (int i = 0; i < DEPTH && fork() == 0; i++) {
			if (i == DEPTH - 1)
				(void)!write(ready[1], "r", 1);
		}
		(void)!read(ends[0], &(char){0}, 1);
		_exit(0);
	}
	(void)close(ends[0]);
	c.to = ends[1];
	c.ours = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	assert_int_equal(read(ready[0], &(char){0}, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	assert_int_equal(ask(s, &c), TN_GATE_OPEN);
	assert_true(is_above(s, c.pid));
	stop_client(&c);
}

/* One that is found does not wait for one that nobody has. */
static void test_found_in_time(void **state)
{
	struct setup *s = *state;
	struct client c = start_client(s, false);
	struct tn_socket_ends ends = ends_of(&c);
	struct tn_holders list[2] = {{.inode = 0}, {.inode = 1}}; /* which no socket has */
	atomic_bool cancelled = false;
	const struct tn_holders_search how = {
		.likely = &c.pid, .likely_count = 1, .patience_ms = 0, .cancelled = &cancelled};
	uid_t uid;

	assert_int_equal(tn_socket_look(&ends, true, &uid, &list[0].inode), TN_SOCKET_OPEN);
	for (int i = 0; i < 200 && !list[0].count; i++) /* a clock tick may be over at once */
		(void)tn_holders_find(list, 2, &how);
	assert_int_equal(list[0].count, 1);
	assert_int_equal(list[0].processes[0].pid, c.pid);
	assert_int_equal(list[1].count, 0);
	tn_holders_finish(&list[0]);
	stop_client(&c);
}

static void test_forgotten(void **state)
{
	struct setup *s = *state;
	struct client c = start_client(s, false);
	struct tn_socket_ends ends = ends_of(&c);

	assert_true(tn_callers_look_up(s->callers, &ends, looked_up, &s->holders));
	tn_callers_forget(s->callers, &s->holders);
	assert_int_equal(ask(s, &c), TN_GATE_OPEN); /* which comes after it */
	stop_client(&c);
}

/* Those that have ended make room; when all live, nobody more is taken. */
static void test_full(void **state)
{
	struct setup *s = *state;
	struct tn_process self;
	struct tenon_error err;

	assert_int_equal(tn_process_read(getpid(), &self, NULL), TENON_OK);
	for (int i = 0; i < 3 * TN_CALLERS_MAX; i++) {
		self.started++; /* nobody */
		assert_int_equal(tn_callers_add(s->callers, &self, &err), TENON_OK);
	}
}

static void test_full_of_living(void **state)
{
	struct setup *s = *state;
	struct tn_process process;
	struct tenon_error err;
	pid_t pids[TN_CALLERS_MAX + 1];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i <= TN_CALLERS_MAX; i++) {
		pids[i] = fork();
		assert_true(pids[i] >= 0);
		if (pids[i] == 0) {
			(void)close(ends[1]);
			_exit((int)read(ends[0], &(char){0}, 1));
		}
		assert_int_equal(tn_process_read(pids[i], &process, NULL), TENON_OK);
		assert_int_equal(tn_callers_add(s->callers, &process, &err),
				 i < TN_CALLERS_MAX ? TENON_OK : TENON_LIMIT);
	}
	assert_int_equal(kill(pids[3], SIGKILL), 0);
	assert_int_equal(waitpid(pids[3], NULL, 0), pids[3]);
	assert_int_equal(tn_callers_add(s->callers, &process, &err), TENON_OK);
	(void)close(ends[1]);
	while (wait(NULL) > 0)
		;
	(void)close(ends[0]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_remembered_while_it_lives),
		TEST(test_nobody_is_left),
		TEST(test_looking_up),
		TEST(test_shared),
		TEST(test_forgotten),
		TEST(test_shared_by_many),
		TEST(test_found_in_time),
		TEST(test_full),
		TEST(test_full_of_living),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
