/* Commands: what their time limit does, and cancelling (terminal.md 7.1, 7.10). */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/session/term_kit.h"

#include "apps/terminal/limits.h"

/* And its program is there. */
static bool has_printed(void *data)
{
	const struct tn_term_session *s = data;

	return term_kit_has_begun(data) && s->offset > s->running->from &&
	       !tn_pty_root_in_front(s->pty);
}

/* ---- time limits ---- */

static void test_timeout(void **state) /* terminal.md 7.1: interrupt */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "echo before; sleep 60");
	request.timeout_ms = 600000;
	request.timeout_given = true;
	(void)term_kit_begin(&kit, &request, &a);
	term_kit_until(&kit, has_printed, s);
	term_kit_turn(&kit, 601000);
	term_kit_until_answered(&kit, &a);
	assert_int_equal(a.status, TN_TERM_TIMED_OUT);
	assert_int_equal(a.exit_code, 130);
	assert_true(term_kit_has(&a, "before\n"));
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "echo after", 0, "after\n");
	term_kit_close(&kit);
}

/* Who ignores SIGINT gets SIGTERM, then SIGKILL. */
static void test_timeout_steps(void **state) /* terminal.md 7.1: INT, 2 s TERM, 3 s KILL */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id,
				   "sh -c 'trap : INT TERM; while :; do sleep 0.05; done'");
	request.timeout_ms = 300;
	(void)term_kit_begin(&kit, &request, &a);
	while (!s->running || s->running->stage < 1)
		term_kit_wait_ms(&kit, 20);
	assert_true(s->running->timed_out);
	term_kit_turn(&kit, INTERRUPT_TERM_MS);
	while (s->running->stage < 2)
		term_kit_wait_ms(&kit, 20);
	term_kit_turn(&kit, INTERRUPT_KILL_MS);
	term_kit_until_answered(&kit, &a);
	assert_int_equal(a.status, TN_TERM_TIMED_OUT);
	assert_int_equal(a.exit_code, 128 + SIGKILL);
	term_kit_answer_finish(&a);
	request = term_kit_request(&kit, s->id, "sh -c 'trap : INT TERM; sleep 60; sleep 60'");
	request.timeout_ms = 300;
	request.on_timeout = TN_TERM_KILL;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_TIMED_OUT);
	assert_int_equal(a.exit_code, 128 + SIGKILL);
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* terminal.md 7.1, 7.10: what has stopped the shell itself is no end of the session. */
static void test_stopped_shell(void **state)
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	pid_t pids[8];

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "kill -STOP $$");
	request.timeout_ms = 600000;
	request.timeout_given = true;
	(void)term_kit_begin(&kit, &request, &a);
	while (!s->running || !s->running->started)
		term_kit_wait_ms(&kit, 20);
	term_kit_wait_ms(&kit, 100);
	term_kit_turn(&kit, 601000);
	term_kit_until_answered(&kit, &a);
	assert_int_equal(a.status, TN_TERM_TIMED_OUT);
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "echo after", 0, "after\n");
	request = term_kit_request(&kit, s->id, "kill -STOP $$; echo on");
	(void)term_kit_begin(&kit, &request, &a);
	while (!s->running || !s->running->started)
		term_kit_wait_ms(&kit, 20);
	term_kit_wait_ms(&kit, 100);
	assert_int_equal(tn_term_session_signal(s, SIGCONT, "foreground", false, pids, 8), 1);
	term_kit_until_answered(&kit, &a);
	assert_int_equal(a.status, TN_TERM_COMPLETED);
	assert_true(term_kit_has(&a, "on\n"));
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* leave: the call returns, the command goes on, and ends as any other. */
static void test_timeout_leave(void **state) /* terminal.md 7.1 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "sleep 1; echo end");
	request.timeout_ms = 200;
	request.on_timeout = TN_TERM_LEAVE;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_STATUS_RUNNING);
	term_kit_until_state(&kit, s, TN_TERM_IDLE);
	assert_int_equal(s->last_command->status, TN_TERM_COMPLETED);
	assert_int_equal(s->last_command->exit_code, 0);
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* From the cursor on, in as many answers as it comes in. */
static void expect_rest(struct term_kit *kit, const struct term_answer *a, const char *wanted)
{
	struct tn_term_read read = {.caller = &kit->caller,
				    .command_id = a->id,
				    .wait_ms = 10000,
				    .shaping = {.bytes_max = 1000}};
	char cursor[TN_CURSOR_TEXT_SIZE];
	size_t got = 0, most = strlen(wanted);
	uint64_t next = a->next;

	while (got < most) {
		struct term_answer r;

		tn_output_cursor(a->epoch, next, cursor);
		read.cursor = cursor;
		term_kit_read(kit, &read, &r);
		if (!r.text.size ||
		    !tn_str_starts(tn_str(wanted + got, most - got), tn_buf_str(&r.text)))
			fail_msg("after %zu bytes: \"%.*s\"", got, (int)r.text.size, r.text.data);
		assert_int_equal(r.gap_bytes, 0);
		got += r.text.size;
		next = r.next;
		term_kit_answer_finish(&r);
	}
}

static void test_yield(void **state) /* terminal.md 7.1: yield_ms over */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "echo first; sleep 1; echo second");
	request.yield_ms = 500;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_STATUS_RUNNING);
	assert_true(tn_str_is(tn_buf_str(&a.text), "first\n"));
	expect_rest(&kit, &a, "second\n");
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* ---- cancelling ---- */

static bool is_idle(void *data)
{
	const struct tn_term_session *s = data;

	return s->state == TN_TERM_IDLE && !s->running && !s->queue;
}

static void expect_cancelled(struct term_kit *kit, struct tn_term_session *s, unsigned after_ms,
			     bool goes_on)
{
	struct tn_term_execute request = term_kit_request(
		kit, s->id, goes_on ? "sleep 4; echo ran >> ran" : "sleep 20; echo ran >> ran");
	struct term_answer a;
	struct tn_term_op *op;

	request.timeout_given = goes_on;
	op = term_kit_begin(kit, &request, &a);
	assert_non_null(op);
	if (after_ms)
		term_kit_wait_ms(kit, after_ms);
	kit->backend->cancel(kit->backend->self, op);
	term_kit_until(kit, is_idle, s);
	assert_int_equal(a.count, 0); /* it does not complete */
	if (s->last_command->status != (goes_on ? TN_TERM_COMPLETED : TN_TERM_INTERRUPTED))
		fail_msg("cancelled after %u ms: %s, exit code %d, by %d, %u reminders", after_ms,
			 tn_term_status_name(s->last_command->status), s->last_command->exit_code,
			 s->last_command->ended_by, s->last_command->reminders);
	term_kit_answer_finish(&a);
}

static void test_cancel(void **state) /* terminal.md 7.1 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct tn_term_op *op;
	struct term_kit kit;
	struct term_answer b;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	expect_cancelled(&kit, s, 500, false);
	expect_cancelled(&kit, s, 0, false); /* its line is on its way */
	expect_cancelled(&kit, s, 5, false);
	expect_cancelled(&kit, s, 300, true);
	term_kit_expect(&kit, s, "wc -l < ran", 0, "1\n");
	/* One that waits in the queue never runs. */
	request = term_kit_request(&kit, s->id, "sleep 1");
	(void)term_kit_begin(&kit, &request, &a);
	request = term_kit_request(&kit, s->id, "echo ran >> ran");
	op = term_kit_begin(&kit, &request, &b);
	kit.backend->cancel(kit.backend->self, op);
	term_kit_until_answered(&kit, &a);
	term_kit_expect(&kit, s, "wc -l < ran", 0, "1\n");
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

/* Cancelled while the shell is about to start the program, and does not heed the signal itself. */
static void test_cancel_at_the_beginning(void **state) /* terminal.md 7.1 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	struct tn_term_op *op;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id,
				   "trap '' INT; end=$((SECONDS + 1)); "
				   "while [ $SECONDS -lt $end ]; do :; done; trap - INT; "
				   "sleep 30; echo ran >> ran");
	op = term_kit_begin(&kit, &request, &a);
	term_kit_until(&kit, term_kit_has_begun, s);
	kit.backend->cancel(kit.backend->self, op);
	term_kit_until(&kit, is_idle, s);
	assert_int_equal(s->last_command->status, TN_TERM_INTERRUPTED);
	assert_int_equal(s->last_command->exit_code, 130);
	term_kit_expect(&kit, s, "test -e ran", 1, "");
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* A signal in the moment in which the line is on its way ends that command, and nothing else. */
static void test_early_signal(void **state) /* terminal.md 7.10 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	pid_t pids[8];

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	for (unsigned i = 0; i < 4; i++) {
		term_kit_until(&kit, is_idle, s);
		request = term_kit_request(&kit, s->id, "sleep 20");
		(void)term_kit_begin(&kit, &request, &a);
		assert_non_null(s->running);
		(void)tn_term_session_signal(s, SIGINT, "foreground", false, pids, 8);
		term_kit_until_answered(&kit, &a);
		assert_int_equal(a.status, TN_TERM_INTERRUPTED);
		term_kit_answer_finish(&a);
	}
	term_kit_expect(&kit, s, "echo well", 0, "well\n");
	term_kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_timeout_steps),
		cmocka_unit_test(test_stopped_shell),
		cmocka_unit_test(test_timeout_leave),
		cmocka_unit_test(test_yield),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_cancel_at_the_beginning),
		cmocka_unit_test(test_early_signal),
	};

	TERM_KIT_HOST(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
