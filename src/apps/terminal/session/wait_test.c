/* wait_for, all its kinds (terminal.md 7.8). */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apps/terminal/session/term_kit.h"

static struct term_kit kit;

static int open_kit(void **state)
{
	(void)state;
	term_kit_open(&kit, NULL);
	return 0;
}

static int close_kit(void **state)
{
	(void)state;
	term_kit_close(&kit);
	return 0;
}

static void begin(struct tn_term_session *s, const char *command, uint32_t yield_ms,
		  struct term_answer *a)
{
	struct tn_term_execute request = term_kit_request(&kit, s->id, command);

	request.yield_ms = yield_ms;
	term_kit_execute(&kit, &request, a);
}

static void expect(struct tn_term_session *s, enum tn_term_until until, const char *value,
		   const char *reason, struct term_answer *w)
{
	(void)term_kit_begin_wait(&kit, s, until, value, w);
	term_kit_until_answered(&kit, w);
	if (strcmp(w->reason, reason) != 0)
		fail_msg("%s: %s %s %s", reason, w->reason, w->fault, w->message);
	term_kit_answer_finish(w);
}

static void test_exit(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer a, w;

	(void)state;
	expect(s, TN_TERM_UNTIL_EXIT, "", "matched", &w); /* at its prompt already */
	begin(s, "sleep 0.5", 0, &a);
	expect(s, TN_TERM_UNTIL_EXIT, "", "matched", &w);
	assert_int_equal(s->state, TN_TERM_IDLE);
	term_kit_answer_finish(&a);
	begin(s, "sleep 0.5; exit 2", 0, &a);
	expect(s, TN_TERM_UNTIL_TEXT, "never", "exited", &w);
	term_kit_answer_finish(&a);
}

static void test_pattern(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer a, w;

	(void)state;
	/* The text of the command is no output: our own echo does not match. */
	begin(s, "sleep 0.4; printf 'ser'; sleep 0.2; echo 'ver 42 ready'", 0, &a);
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_PATTERN, "server ([0-9]+) (r.*)$", &w);
	term_kit_until_answered(&kit, &w);
	assert_true(w.matched);
	assert_string_equal(w.match, "server 42 ready");
	assert_int_equal(w.group_count, 2);
	term_kit_answer_finish(&w);
	term_kit_answer_finish(&a);
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_PATTERN, "(", &w);
	assert_string_equal(w.fault, "invalid_pattern");
	term_kit_answer_finish(&w);
}

static void test_own_echo(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct tn_term_execute request;
	struct term_answer a, w;

	(void)state;
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_TEXT, "needle", &w);
	request = term_kit_request(&kit, s->id,
				   "echo nee\"\"dle | tr d d >/dev/null; : needle; sleep 0.3");
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(w.count, 0);
	term_kit_answer_finish(&a);
	request = term_kit_request(&kit, s->id, "echo nee\"\"dle");
	term_kit_execute(&kit, &request, &a);
	term_kit_until_answered(&kit, &w);
	assert_string_equal(w.match, "needle");
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&w);
}

/* Much stands there when somebody begins to look from a cursor: all of it is looked through. */
static void test_backlog(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct tn_term_wait wait = {.caller = &kit.caller,
				    .session = s,
				    .until = TN_TERM_UNTIL_TEXT,
				    .value = tn_str_from("the very last"),
				    .timeout_ms = 20000,
				    .hold_ms = 20000};
	struct term_answer a, w;
	uint64_t before = s->offset;

	(void)state;
	term_kit_run(&kit, s, "seq 1 700000; echo the very last", &a);
	assert_true(s->offset - before > (4U << 20));
	term_kit_answer_finish(&a);
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_IDLE, "", &w); /* its completion */
	term_kit_until_answered(&kit, &w);
	term_kit_answer_finish(&w);
	wait.from = before;
	term_kit_wait_from(&kit, &wait, &w);
	assert_true(w.matched);
	assert_string_equal(w.match, "the very last");
	term_kit_answer_finish(&w);
	/* Of a command that has ended, too, and what is not there is not found. */
	wait.command = s->last_command;
	wait.from = UINT64_MAX;
	term_kit_wait_from(&kit, &wait, &w);
	assert_true(w.matched);
	term_kit_answer_finish(&w);
	wait.value = tn_str_from("nobody says this");
	term_kit_wait_from(&kit, &wait, &w);
	assert_string_equal(w.reason, "exited");
	term_kit_answer_finish(&w);
}

/* What others print before a queued command begins is not its output. */
static void test_queued_command(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct tn_term_wait wait = {.caller = &kit.caller,
				    .session = s,
				    .until = TN_TERM_UNTIL_TEXT,
				    .value = tn_str_from("tick"),
				    .from = UINT64_MAX,
				    .timeout_ms = 20000,
				    .hold_ms = 20000};
	struct tn_term_execute request;
	struct term_answer a, b, w;
	uint64_t begun;

	(void)state;
	request = term_kit_request(&kit, s->id, "echo tick; sleep 0.7; echo tick");
	(void)term_kit_begin(&kit, &request, &a);
	request = term_kit_request(&kit, s->id, "echo own tick");
	(void)term_kit_begin(&kit, &request, &b);
	wait.command = s->queue;
	assert_non_null(wait.command);
	term_kit_wait_from(&kit, &wait, &w);
	begun = wait.command->from;
	assert_true(w.matched);
	assert_true(begun > 0 && w.from >= begun);
	term_kit_answer_finish(&w);
	term_kit_until_answered(&kit, &b);
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
}

/* held: the hold limit was reached; between two calls nothing is missed. */
static void test_bookmark(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct tn_term_wait wait = {.caller = &kit.caller,
				    .session = s,
				    .until = TN_TERM_UNTIL_TEXT,
				    .value = tn_str_from("between"),
				    .from = UINT64_MAX,
				    .timeout_ms = 20000,
				    .hold_ms = 200};
	struct term_answer a, w;

	(void)state;
	term_kit_wait_from(&kit, &wait, &w);
	assert_string_equal(w.reason, "held");
	assert_false(w.matched);
	term_kit_answer_finish(&w);
	term_kit_run(&kit, s, "echo between", &a);
	term_kit_answer_finish(&a);
	term_kit_wait_from(&kit, &wait, &w);
	assert_true(w.matched);
	term_kit_answer_finish(&w);
	term_kit_wait_from(&kit, &wait, &w); /* the bookmark was for one call */
	assert_string_equal(w.reason, "held");
	term_kit_answer_finish(&w);
	wait.value = tn_str_from("other");
	wait.timeout_ms = 100;
	term_kit_wait_from(&kit, &wait, &w);
	assert_string_equal(w.reason, "timed_out");
	term_kit_answer_finish(&w);
}

static void test_screen(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer a, w;

	(void)state;
	begin(s, "sleep 0.3; printf '\\033[2J\\033[5;10HMe\\033[5;12Hnu'; sleep 20", 0, &a);
	expect(s, TN_TERM_UNTIL_SCREEN, "^ +Menu$", "matched", &w);
	term_kit_answer_finish(&a);
}

static void test_idle_and_input(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer a, w;

	(void)state;
	begin(s, "for i in 1 2 3; do echo $i; sleep 0.3; done; read -rs word; echo done", 0, &a);
	expect(s, TN_TERM_UNTIL_IDLE, "", "matched", &w);
	expect(s, TN_TERM_UNTIL_INPUT, "", "matched", &w);
	term_kit_type(s, "secret\r");
	expect(s, TN_TERM_UNTIL_EXIT, "", "matched", &w);
	term_kit_answer_finish(&a);
}

static void test_port(void **state)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(at);
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct term_answer w;
	char port[16];

	(void)state;
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	(void)snprintf(port, sizeof(port), "%u", ntohs(at.sin_port));
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_PORT, port, &w);
	term_kit_wait_ms(&kit, 300);
	assert_int_equal(w.count, 0);
	assert_int_equal(listen(fd, 1), 0);
	term_kit_until_answered(&kit, &w);
	assert_true(w.matched);
	term_kit_answer_finish(&w);
	(void)close(fd);
}

static void test_returned(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer w;

	(void)state;
	tn_term_session_hand_over(s, "please");
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_RETURNED, "", &w);
	term_kit_wait_ms(&kit, 100);
	assert_int_equal(w.count, 0);
	assert_true(tn_term_session_take(s, "Ada"));
	tn_term_session_give(s);
	term_kit_until_answered(&kit, &w);
	assert_true(w.matched);
	term_kit_answer_finish(&w);
}

/* Many wait for the same, and are told in one turn, whatever that leads to. */
static void test_many(void **state)
{
	struct tn_term_session *s = term_kit_shell(&kit, NULL);
	struct term_answer a, w[40];

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		(void)term_kit_begin_wait(
			&kit, s, i % 2 ? TN_TERM_UNTIL_TEXT : TN_TERM_UNTIL_PATTERN, "go", &w[i]);
	term_kit_run(&kit, s, "echo g\"\"o", &a);
	for (unsigned i = 0; i < 40; i++) {
		term_kit_until_answered(&kit, &w[i]);
		assert_true(w[i].matched);
		term_kit_answer_finish(&w[i]);
	}
	term_kit_answer_finish(&a);
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_TEXT, "never", &w[0]);
	(void)term_kit_begin_wait(&kit, s, TN_TERM_UNTIL_TEXT, "never", &w[1]);
	tn_term_session_close(s, true, 0, NULL, NULL);
	term_kit_until_answered(&kit, &w[0]);
	term_kit_until_answered(&kit, &w[1]);
	assert_false(w[0].matched);
	term_kit_answer_finish(&w[0]);
	term_kit_answer_finish(&w[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit),           cmocka_unit_test(test_pattern),
		cmocka_unit_test(test_own_echo),       cmocka_unit_test(test_backlog),
		cmocka_unit_test(test_queued_command), cmocka_unit_test(test_bookmark),
		cmocka_unit_test(test_screen),         cmocka_unit_test(test_idle_and_input),
		cmocka_unit_test(test_port),           cmocka_unit_test(test_returned),
		cmocka_unit_test(test_many),
	};

	TERM_KIT_HOST(argc, argv);
	return cmocka_run_group_tests(tests, open_kit, close_kit);
}
