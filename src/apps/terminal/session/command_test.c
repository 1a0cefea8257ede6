/* Commands: their queue, directories and variables of one command, isolated ones, and what is read
 * of them (terminal.md 5.4, 7.1, 7.2). */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/session/term_kit.h"

#include "apps/terminal/limits.h"

/* ---- one after another ---- */

static void test_queue(void **state) /* terminal.md 5.4, 7.1: FIFO, never mixed */
{
	static const char *const texts[] = {"sleep 0.4; echo one", "echo two", "echo three"};
	static const char *const outputs[] = {"one\n", "two\n", "three\n"};
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a[3];
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	for (unsigned i = 0; i < 3; i++) {
		request = term_kit_request(&kit, s->id, texts[i]);
		(void)term_kit_begin(&kit, &request, &a[i]);
	}
	for (unsigned i = 0; i < 3; i++) {
		term_kit_until_answered(&kit, &a[i]);
		assert_int_equal(a[i].status, TN_TERM_COMPLETED);
		assert_int_equal(a[i].text.size, strlen(outputs[i]));
		assert_memory_equal(a[i].text.data, outputs[i], a[i].text.size);
		assert_int_equal(a[i].total_lines, 1);
		term_kit_answer_finish(&a[i]);
	}
	term_kit_close(&kit);
}

/* Of a command that has not begun there is nothing to read, whatever others print meanwhile. */
static void test_queued_result(void **state) /* terminal.md 5.4, 7.2 */
{
	struct tn_term_command_info info;
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b, r;
	struct tn_term_read read = {.shaping = {.bytes_max = 1000}};
	struct term_kit kit;
	char id[TN_HANDLE_SIZE];

	(void)state;
	term_kit_open(&kit, NULL);
	read.caller = &kit.caller;
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "echo others; sleep 1; echo others");
	(void)term_kit_begin(&kit, &request, &a);
	request = term_kit_request(&kit, s->id, "echo own");
	request.yield_ms = 400;
	term_kit_execute(&kit, &request, &b);
	assert_int_equal(b.status, TN_TERM_QUEUED);
	assert_int_equal(b.total_bytes, 0);
	assert_int_equal(b.text.size, 0);
	(void)snprintf(id, sizeof(id), "%s", b.id);
	tn_term_command_describe(s->queue, &info);
	assert_int_equal(info.total_bytes, 0);
	assert_int_equal(info.queued_for, TN_TERM_FOR_COMMAND);
	read.command_id = id;
	term_kit_read(&kit, &read, &r);
	assert_int_equal(r.text.size, 0);
	term_kit_answer_finish(&r);
	read.wait_ms = 10000; /* until it has printed something */
	term_kit_read(&kit, &read, &r);
	assert_true(r.text.size > 0); /* one byte is enough for that */
	assert_true(tn_str_starts(TN_STR("own\n"), tn_buf_str(&r.text)));
	term_kit_answer_finish(&r);
	term_kit_until_answered(&kit, &a);
	assert_true(tn_str_is(tn_buf_str(&a.text), "others\nothers\n"));
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

/* Finding 8: what somebody has typed is no other command. */
static void test_queued_behind_a_line(void **state) /* terminal.md 7.1 */
{
	struct tn_term_command_info info;
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_type(s, "half a li");
	request = term_kit_request(&kit, s->id, "echo whole");
	request.yield_ms = 0;
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGSTOP), 0); /* it does not begin meanwhile */
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_QUEUED);
	tn_term_command_describe(s->queue, &info);
	assert_int_equal(info.queued_for, TN_TERM_FOR_NOTHING);
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGCONT), 0);
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "echo next", 0, "next\n");
	term_kit_close(&kit);
}

/* Between the end of a command and its prompt nothing runs: what comes at once is neither refused
 * nor given to another session. */
static void test_not_busy_before_the_prompt(void **state) /* terminal.md 7.1 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_expect(&kit, s, "PROMPT_COMMAND='sleep 0.1'; here=1", 0, "");
	for (unsigned i = 0; i < 8; i++) {
		request = term_kit_request(&kit, s->id, "echo $here");
		request.if_busy = i % 2 ? TN_TERM_FAIL : TN_TERM_NEW_SESSION;
		term_kit_execute(&kit, &request, &a);
		assert_string_equal(a.fault, "");
		assert_string_equal(a.session_id, s->id);
		assert_true(tn_str_is(tn_buf_str(&a.text), "1\n"));
		term_kit_answer_finish(&a);
	}
	term_kit_close(&kit);
}

static void test_if_busy(void **state) /* terminal.md 7.1 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b;
	struct term_kit kit;
	char temporary[TN_HANDLE_SIZE];

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_expect(&kit, s, "cd /usr", 0, "");
	request = term_kit_request(&kit, s->id, "sleep 20");
	(void)term_kit_begin(&kit, &request, &a);
	request = term_kit_request(&kit, s->id, "pwd");
	request.if_busy = TN_TERM_FAIL;
	term_kit_execute(&kit, &request, &b);
	assert_string_equal(b.fault, "busy");
	term_kit_answer_finish(&b);
	request.if_busy = TN_TERM_NEW_SESSION;
	term_kit_execute(&kit, &request, &b);
	assert_string_equal(b.fault, "");
	assert_true(tn_str_is(tn_buf_str(&b.text), "/usr\n"));
	assert_string_not_equal(b.session_id, s->id);
	(void)snprintf(temporary, sizeof(temporary), "%s", b.session_id);
	term_kit_until_state(&kit, term_kit_session(&kit, temporary), TN_TERM_CLOSED);
	term_kit_answer_finish(&b);
	/* A directory that is none: the session that was made for it goes again. */
	request.cwd = "/nowhere";
	term_kit_execute(&kit, &request, &b);
	assert_string_equal(b.fault, "cwd_not_found");
	term_kit_answer_finish(&b);
	while (kit.term->open_count > 1)
		term_kit_wait_ms(&kit, 20);
	tn_term_command_interrupt(s->running);
	term_kit_until_answered(&kit, &a);
	assert_int_equal(a.status, TN_TERM_INTERRUPTED);
	assert_int_equal(a.exit_code, 130);
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

static void test_not_at_prompt(void **state) /* terminal.md 5.2 */
{
	struct tn_term_session *s;
	struct term_answer a, b;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_run(&kit, s, "cat", &a);
	assert_int_equal(a.status, TN_TERM_STATUS_WAITING_INPUT);
	assert_string_equal(a.waiting.program, "cat");
	term_kit_run(&kit, s, "echo x", &b);
	assert_string_equal(b.fault, "not_at_prompt");
	assert_non_null(strstr(b.hint, "send_keys"));
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

static void test_session_limit(void **state) /* terminal.md 7.4, 12.5 */
{
	const char *const settings[] = {"terminal.max_sessions", "2", NULL};
	struct tn_term_execute request;
	struct tn_term_session *first;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, settings);
	first = term_kit_shell(&kit, NULL);
	(void)term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, NULL, "echo x");
	request.isolated = true;
	term_kit_execute(&kit, &request, &a);
	assert_string_equal(a.fault, "session_limit");
	assert_non_null(strstr(a.message, first->id));
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* ---- its own directory and variables ---- */

static void test_directory(void **state) /* terminal.md 7.1: cwd, env */
{
	const char *const env[] = {"COLOUR=dark red", NULL};
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	struct tn_term_executed again;
	struct tn_term_shaping shaping = {.bytes_max = 1000};
	struct tenon_error err;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "pwd; echo \"$COLOUR\"; export KEPT=1");
	request.cwd = "/usr";
	request.env = env;
	term_kit_execute(&kit, &request, &a);
	assert_true(tn_str_is(tn_buf_str(&a.text), "/usr\ndark red\n"));
	assert_string_equal(a.cwd, kit.folder); /* the session's own does not move */
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "echo \"${COLOUR-none} $KEPT\"", 0, "none 1\n");
	term_kit_run(&kit, s, "cd /usr", &a);
	assert_string_equal(a.cwd, "/usr");
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "cd /", 0, "");
	/* Later on an older result still has the directory that it had. */
	for (struct tn_term_command *c = s->commands; c; c = c->next) {
		if (strcmp(c->text, "cd /usr") != 0)
			continue;
		assert_int_equal(tn_term_command_result(c, &shaping, &again, &err), TENON_OK);
		assert_string_equal(again.cwd, "/usr");
		tn_term_executed_finish(&again);
	}
	request.cwd = "/etc/hostname";
	term_kit_execute(&kit, &request, &a);
	assert_string_equal(a.fault, "cwd_not_directory");
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* ---- isolated ---- */

static void test_isolated(void **state) /* terminal.md 7.1: isolated, pty, stdin */
{
	struct tn_term_execute request;
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct term_answer a;
	char previous[64];
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	request = term_kit_request(&kit, NULL, "cat; echo bad >&2; tty; exit 5");
	request.isolated = true;
	request.pty = false;
	request.has_stdin = true;
	request.stdin_text = tn_str_from("given\n");
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_COMPLETED);
	assert_int_equal(a.exit_code, 5);
	assert_string_equal(a.completion, "process");
	assert_true(tn_str_is(tn_buf_str(&a.text), "given\nnot a tty\n"));
	assert_true(a.has_errors && tn_str_is(tn_buf_str(&a.error_text), "bad\n"));
	/* It is nobody's session: no command can follow, and it cannot be the active one. */
	assert_false(kit.backend->switch_session(kit.backend->self, &kit.caller, a.session_id,
						 &info, previous, &fault));
	assert_true(strcmp(fault.code, "not_supported") == 0 ||
		    strcmp(fault.code, "session_closed") == 0);
	term_kit_answer_finish(&a);
	request = term_kit_request(&kit, NULL, "kill -KILL $$");
	request.isolated = true;
	term_kit_execute(&kit, &request, &a);
	assert_string_equal(a.signal, "SIGKILL");
	assert_int_equal(a.exit_code, TN_TERM_NO_EXIT_CODE);
	term_kit_answer_finish(&a);
	/* Fast failures lose nothing. */
	for (unsigned i = 0; i < 10; i++) {
		request = term_kit_request(&kit, NULL, "echo quick; exit 1");
		request.isolated = true;
		request.pty = i % 2 == 0;
		term_kit_execute(&kit, &request, &a);
		assert_int_equal(a.exit_code, 1);
		assert_true(term_kit_has(&a, "quick\n"));
		term_kit_answer_finish(&a);
	}
	assert_int_equal(kit.came, 0); /* nothing comes and goes in lists */
	term_kit_close(&kit);
}

/* ---- without integration ---- */

static void test_program(void **state) /* terminal.md 5.3: heuristic */
{
	static const char *const argv[] = {"/bin/sh", "-c",
					   "while read -r x; do echo \"got $x\"; done", NULL};
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_program(&kit, argv);
	assert_int_equal(s->integration, TN_TERM_INTEGRATION_NONE);
	term_kit_run(&kit, s, "hello", &a);
	assert_int_equal(a.status, TN_TERM_UNKNOWN);
	assert_string_equal(a.completion, "heuristic");
	assert_int_equal(a.exit_code, TN_TERM_NO_EXIT_CODE);
	assert_true(term_kit_has(&a, "got hello"));
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* ---- reading ---- */

static void test_last_lines(void **state) /* T-13, terminal.md 7.2 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, r;
	struct tn_term_read read = {.shaping = {.bytes_max = 100000, .lines_max = 3}};
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_run(&kit, s, "seq 1 500", &a);
	term_kit_answer_finish(&a);
	read.caller = &kit.caller;
	read.session_id = s->id;
	request = term_kit_request(&kit, s->id, "sleep 0.7; echo new; sleep 30");
	request.yield_ms = 0;
	term_kit_execute(&kit, &request, &a);
	term_kit_until(&kit, term_kit_has_begun, s);
	read.wait_ms = 10000;
	term_kit_read(&kit, &read, &r);
	/* The last lines once there is something new, not only the new. */
	assert_true(term_kit_has(&r, "new"));
	assert_true(term_kit_has(&r, "sleep 0.7"));
	assert_false(term_kit_has(&r, "497"));
	term_kit_answer_finish(&r);
	term_kit_answer_finish(&a);
	read.cursor = "c1.other.1";
	term_kit_read(&kit, &read, &r);
	assert_string_equal(r.fault, "invalid_cursor");
	term_kit_answer_finish(&r);
	term_kit_close(&kit);
}

/* However many there were, the results of the last thousand are kept, and handles of others are
 * told as expired. */
static void test_kept(void **state) /* limits.h: TN_TERM_COMMANDS_KEPT */
{
	struct tn_term_fault fault = {0};
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	char first[TN_HANDLE_SIZE];

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_run(&kit, s, ":", &a);
	(void)snprintf(first, sizeof(first), "%s", a.id);
	term_kit_answer_finish(&a);
	for (unsigned i = 0; i < TN_TERM_COMMANDS_KEPT; i++) {
		term_kit_run(&kit, s, ":", &a);
		assert_int_equal(a.exit_code, 0);
		term_kit_answer_finish(&a);
	}
	assert_int_equal(s->command_count, TN_TERM_COMMANDS_KEPT);
	assert_null(tn_term_command_find(kit.term, &kit.caller, first, &fault));
	assert_string_equal(fault.code, "output_expired");
	term_kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_queued_result),
		cmocka_unit_test(test_queued_behind_a_line),
		cmocka_unit_test(test_if_busy),
		cmocka_unit_test(test_not_busy_before_the_prompt),
		cmocka_unit_test(test_not_at_prompt),
		cmocka_unit_test(test_session_limit),
		cmocka_unit_test(test_directory),
		cmocka_unit_test(test_isolated),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_last_lines),
		cmocka_unit_test(test_kept),
	};

	TERM_KIT_HOST(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
