/* One session: its states (terminal.md 4.2), what is shown in place of helper lines (5.2), the
 * alternate screen (6.4), lines that somebody types, its end. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/session/term_kit.h"

#include "apps/terminal/limits.h"

/* ---- states ---- */

static void test_states(void **state) /* terminal.md 4.2 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_kit kit;
	struct term_answer a;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	assert_int_equal(s->state, TN_TERM_IDLE);
	assert_int_equal(s->integration, TN_TERM_INTEGRATION_MARKS);
	request = term_kit_request(&kit, s->id, "sleep 0.3; read x; sleep 0.3; exit 7");
	(void)term_kit_begin(&kit, &request, &a);
	term_kit_until_state(&kit, s, TN_TERM_RUNNING);
	term_kit_until_answered(&kit, &a); /* it waits for input */
	assert_int_equal(a.status, TN_TERM_STATUS_WAITING_INPUT);
	assert_int_equal(s->state, TN_TERM_WAITING_INPUT);
	assert_true(a.waiting.for_input && a.waiting.certain && !a.waiting.hidden_input);
	term_kit_type(s, "word\r");
	assert_int_equal(s->state, TN_TERM_RUNNING);
	term_kit_until_state(&kit, s, TN_TERM_CLOSED);
	assert_int_equal(s->exit_code, 7);
	assert_true(kit.changes[TN_TERM_SESSION_CHANGED] > 3);
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

static void test_state_names(void **state) /* terminal.md 4.2, 5.3, 7.1 */
{
	static const char *const states[] = {"starting", "idle",   "running", "waiting_input",
					     "exited",   "closed", "failed",  "lost"};
	static const char *const integrations[] = {"none", "prompt", "marks", "process"};
	static const char *const statuses[] = {
		"queued", "running",       "completed",      "timed_out",   "interrupted",
		"killed", "waiting_input", "session_exited", "not_started", "unknown"};

	(void)state;
	for (unsigned i = 0; i < TN_COUNT(states); i++)
		assert_string_equal(tn_term_state_name((enum tn_term_state)i), states[i]);
	for (unsigned i = 0; i < TN_COUNT(integrations); i++)
		assert_string_equal(tn_term_integration_name((enum tn_term_integration)i),
				    integrations[i]);
	for (unsigned i = 0; i < TN_COUNT(statuses); i++)
		assert_string_equal(tn_term_status_name((enum tn_term_status)i), statuses[i]);
}

static struct tn_term_session *start_with(struct term_kit *kit, const char *start_file)
{
	char path[128];
	FILE *file;

	term_kit_open(kit, NULL);
	(void)snprintf(path, sizeof(path), "%s/.bashrc", kit->folder);
	file = fopen(path, "we");
	assert_non_null(file);
	(void)fputs(start_file, file);
	assert_int_equal(fclose(file), 0);
	return term_kit_shell(kit, NULL); /* answers when it is ready, asks, or takes too long */
}

/* A start file that takes long: what is asked for meanwhile waits for the first prompt. */
static void test_slow_start(void **state) /* terminal.md 4.2 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b;
	struct term_kit kit;

	(void)state;
	s = start_with(&kit, "sleep 11\n");
	assert_int_equal(s->state, TN_TERM_STARTING);
	assert_int_equal(s->start_state, TN_START_FILES);
	request = term_kit_request(&kit, s->id, "echo there");
	request.yield_ms = 0;
	term_kit_execute(&kit, &request, &b);
	assert_int_equal(b.status, TN_TERM_QUEUED);
	assert_string_equal(b.waiting.program, "sleep");
	request.yield_ms = 30000;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_COMPLETED);
	assert_int_equal(s->integration, TN_TERM_INTEGRATION_MARKS);
	assert_true(tn_str_is(tn_buf_str(&a.text), "there\n"));
	assert_int_equal(s->numbers, 2); /* the one before it ran, too */
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

/* One that asks: nothing is typed into its question, and what waited too long is gone. */
static void test_asking_start(void **state) /* terminal.md 4.2, 13 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	s = start_with(&kit, "read -p 'Unlock? ' answer\n");
	assert_int_equal(s->state, TN_TERM_WAITING_INPUT);
	request = term_kit_request(&kit, s->id, "echo ran >> ran; echo \"$answer\"");
	request.timeout_ms = 1000;
	term_kit_execute(&kit, &request, &a); /* at once: it is known to wait */
	assert_int_equal(a.status, TN_TERM_QUEUED);
	assert_true(a.waiting.for_input && a.waiting.certain);
	term_kit_answer_finish(&a);
	while (s->queue)
		term_kit_wait_ms(&kit, 50);
	assert_int_equal(s->last_command->status, TN_TERM_NOT_STARTED);
	term_kit_type(s, "word\r");
	term_kit_until_state(&kit, s, TN_TERM_IDLE);
	request.timeout_ms = 30000;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_COMPLETED);
	assert_true(tn_str_is(tn_buf_str(&a.text), "word\n"));
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "wc -l < ran", 0, "1\n");
	term_kit_close(&kit);
}

static void created(const struct tn_term_session_info *info, struct tn_str first_output,
		    const struct tn_term_fault *fault, void *data)
{
	struct term_answer *a = data;

	(void)info;
	(void)first_output;
	a->count++;
	(void)snprintf(a->fault, sizeof(a->fault), "%s", fault && fault->code ? fault->code : "");
	(void)snprintf(a->message, sizeof(a->message), "%s", fault ? fault->message : "");
}

static void expect_no_session(struct term_kit *kit, const struct tn_term_create *request,
			      const char *code)
{
	struct term_answer a;

	term_kit_answer_init(&a);
	(void)kit->backend->create_session(kit->backend->self, request, created, &a);
	term_kit_until_answered(kit, &a);
	assert_string_equal(a.fault, code);
	assert_true(a.message[0] != '\0');
	term_kit_answer_finish(&a);
}

static bool is_gone(void *data)
{
	const struct tn_term_session *s = data;

	return !s->pty;
}

/* What cannot be started is refused, is nobody's active session, and leaves nothing running. */
static void test_failed(void **state) /* terminal.md 4.2, 7.4, 13 */
{
	static const char *const missing[] = {"/nowhere/program", NULL};
	struct tn_term_create request = {
		.program = missing, .columns = 80, .rows = 24, .sandbox = -1, .activate = true};
	struct tn_term_session *s;
	struct tn_term_fault fault = {0};
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	request.caller = &kit.caller;
	request.cwd = kit.folder;
	expect_no_session(&kit, &request, "spawn_failed");
	s = kit.term->sessions;
	assert_int_equal(s->state, TN_TERM_FAILED);
	assert_null(tn_term_active_id(kit.term, kit.caller.key));
	assert_int_equal(kit.term->open_count, 0);
	assert_false(tn_term_usable(s, &kit.caller, &fault));
	assert_string_equal(fault.code, "session_closed");
	term_kit_until(&kit, is_gone, s);
	request.cwd = "/nowhere/at/all";
	expect_no_session(&kit, &request, "cwd_not_found");
	request.cwd = "/etc/hostname";
	expect_no_session(&kit, &request, "cwd_not_directory");
	request.cwd = NULL;
	request.program = NULL;
	request.shell = "/bin/cat";
	expect_no_session(&kit, &request, "shell_not_allowed");
	term_kit_close(&kit);
}

static void test_root_directory(void **state) /* terminal.md 10.3 */
{
	const char *const settings[] = {"terminal.roots", "/usr", NULL};
	struct tn_term_create request = {.columns = 80, .rows = 24, .sandbox = -1, .cwd = "/etc"};
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, settings);
	request.caller = &kit.caller;
	expect_no_session(&kit, &request, "cwd_not_allowed");
	term_kit_close(&kit);
}

/* ---- whose it is ---- */

/* A caller as the door names it, of the same host; it has called. */
static void call_as(struct term_kit *kit, pid_t relay, struct tn_term_caller *ret)
{
	uint64_t after = 0;

	*ret = kit->caller;
	(void)snprintf(ret->key, sizeof(ret->key), "local/host/77/%d", (int)relay);
	assert_true(tn_term_admit_rate(kit->term, ret, &after));
}

static pid_t ended_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return child;
}

/* Two relays that run are two conversations, whatever host they have in common; one that comes
 * after another has ended goes on with its session (HO-012, terminal.md 2, 12.1). */
static void test_relays(void **state)
{
	struct tn_term_caller first, second, third;
	struct tn_term_session *s;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	call_as(&kit, getpid(), &first);
	tn_term_set_active(kit.term, first.key, s);
	call_as(&kit, getppid(), &second);
	assert_null(tn_term_active_id(kit.term, second.key));
	assert_string_equal(tn_term_active_id(kit.term, first.key), s->id);
	tn_term_set_active(kit.term, first.key, NULL);
	call_as(&kit, ended_process(), &third);
	tn_term_set_active(kit.term, third.key, s);
	assert_null(tn_term_active_id(kit.term, second.key)); /* it runs, with what it has */
	call_as(&kit, ended_process(), &first);
	assert_string_equal(tn_term_active_id(kit.term, first.key), s->id);
	assert_null(tn_term_active_id(kit.term, third.key));
	term_kit_close(&kit);
}

/* ---- its end ---- */

static void test_exit(void **state) /* terminal.md 4.2, 7.1 */
{
	struct tn_term_fault fault = {0};
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	tn_term_set_active(kit.term, kit.caller.key, s);
	term_kit_run(&kit, NULL, "echo last; exit 3", &a);
	assert_int_equal(a.status, TN_TERM_SESSION_EXITED);
	assert_int_equal(a.exit_code, 3);
	assert_true(term_kit_has(&a, "last"));
	assert_string_equal(a.session_id, s->id);
	term_kit_answer_finish(&a);
	/* Whoever names it is told; whoever does not gets a new one. */
	assert_false(tn_term_usable(s, &kit.caller, &fault));
	assert_non_null(strstr(fault.message, "exit code 3"));
	term_kit_run(&kit, s, "echo", &a);
	assert_true(strcmp(a.fault, "session_exited") == 0 ||
		    strcmp(a.fault, "session_closed") == 0);
	term_kit_answer_finish(&a);
	term_kit_run(&kit, NULL, "echo new", &a);
	assert_string_equal(a.fault, "");
	assert_string_not_equal(a.session_id, s->id);
	assert_string_equal(term_kit_session(&kit, NULL)->name, "default");
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

static unsigned closes;

static void was_closed(const struct tn_term_session_info *info, const pid_t *killed, unsigned count,
		       struct tn_str final_output, void *data)
{
	(void)killed;
	(void)count;
	(void)final_output;
	closes++;
	*(enum tn_term_state *)data = info->state;
}

static bool is_closed(void *data)
{
	return *(enum tn_term_state *)data == TN_TERM_CLOSED;
}

static void test_close(void **state) /* terminal.md 7.12 */
{
	enum tn_term_state first = TN_TERM_IDLE, second = TN_TERM_IDLE, third = TN_TERM_IDLE;
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "sleep 100");
	(void)term_kit_begin(&kit, &request, &a);
	(void)term_kit_begin(&kit, &request, &b); /* waits in the queue */
	while (!s->running || !s->running->started)
		term_kit_wait_ms(&kit, 10);
	tn_term_session_close(s, false, 1000, was_closed, &first);
	tn_term_session_close(s, true, 0, was_closed, &second);
	term_kit_until(&kit, is_closed, &second);
	term_kit_until_answered(&kit, &a);
	term_kit_until_answered(&kit, &b);
	assert_int_equal(a.status, TN_TERM_SESSION_EXITED);
	assert_int_equal(b.status, TN_TERM_NOT_STARTED);
	assert_int_equal(s->state, TN_TERM_CLOSED);
	tn_term_session_close(s, false, 1000, was_closed, &third); /* at once */
	assert_int_equal(third, TN_TERM_CLOSED);
	assert_null(s->pty);
	assert_int_equal(kit.term->open_count, 0);
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

/* A close that nobody has been told of is told when the server goes. */
static void test_close_at_the_end(void **state)
{
	enum tn_term_state end = TN_TERM_IDLE;
	struct tn_term_session *s;
	struct term_kit kit;
	unsigned before = closes;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	tn_term_session_close(s, false, 3000, was_closed, &end);
	term_kit_close(&kit);
	assert_int_equal(closes, before + 1);
}

static void test_sweep(void **state) /* terminal.md 12.5: idle_timeout_s, closed_retention_s */
{
	const char *const settings[] = {"terminal.closed_retention_s", "60",
					"terminal.idle_timeout_s", "30", NULL};
	struct tn_term_fault fault = {0};
	struct tn_term_session *s;
	char id[TN_HANDLE_SIZE];
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, settings);
	s = term_kit_shell(&kit, NULL);
	(void)snprintf(id, sizeof(id), "%s", s->id);
	term_kit_turn(&kit, 31000);
	term_kit_until_state(&kit, s, TN_TERM_CLOSED);
	assert_non_null(tn_term_find(kit.term, &kit.caller, id, &fault));
	term_kit_turn(&kit, 61000);
	while (kit.term->sessions)
		term_kit_wait_ms(&kit, 100);
	assert_null(tn_term_find(kit.term, &kit.caller, id, &fault));
	assert_string_equal(fault.code, "session_closed");
	assert_int_equal(kit.went, 1);
	term_kit_close(&kit);
}

/* ---- what is shown ---- */

static void expect_shell(struct term_kit *kit, const char *shell)
{
	struct tn_term_session *s = term_kit_shell(kit, shell);
	struct tn_term_shaping shaping = {.bytes_max = TN_TERM_ANSWER_BYTES};
	struct tn_output output = {0};
	unsigned redactions;
	struct tn_str text;

	term_kit_expect(kit, s, "echo \"sh\"own", 0, "shown\n");
	term_kit_expect(kit, s, "printf 'a\\nb'\nfalse", 1, "a\nb");
	assert_int_equal(tn_term_session_output(s, 0, s->offset, &shaping, false, &output,
						&redactions, NULL),
			 TENON_OK);
	text = tn_buf_str(&output.text);
	assert_true(tn_str_find(text, TN_STR("echo \"sh\"own\nshown\n")) != TN_STR_NONE);
	assert_true(tn_str_find(text, TN_STR("printf 'a\\nb'\nfalse\na\nb")) != TN_STR_NONE);
	assert_true(tn_str_find(text, TN_STR("__tn")) == TN_STR_NONE);
	assert_true(tn_str_find(text, TN_STR("133;")) == TN_STR_NONE);
	tn_output_finish(&output);
}

static void test_echo(void **state) /* terminal.md 5.2: the real text in place of the helper line */
{
	static const char *const shells[] = {"/bin/bash", "/usr/bin/zsh", "/usr/bin/fish",
					     "/bin/dash"};
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	for (size_t i = 0; i < TN_COUNT(shells); i++) {
		if (access(shells[i], X_OK) == 0)
			expect_shell(&kit, shells[i]);
	}
	term_kit_close(&kit);
}

static void test_alternate(void **state) /* terminal.md 6.4 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_expect(
		&kit, s,
		"echo before; printf '\\033[?1049hframe'; printf '\\033[?1049l'; echo after", 0,
		"before\n[full-screen program \"bash\": 21 bytes not shown \xE2\x80\x93 use "
		"get_screen]\nafter\n");
	request = term_kit_request(&kit, s->id, "printf '\\033[?1049hframe'; sleep 100");
	request.yield_ms = 700;
	term_kit_execute(&kit, &request, &a);
	assert_int_equal(a.status, TN_TERM_STATUS_RUNNING);
	assert_true(a.alternate && a.has_screen);
	assert_true(term_kit_has(&a, "[full-screen program"));
	assert_false(term_kit_has(&a, "frame"));
	term_kit_answer_finish(&a);
	/* It crashes: the next prompt is on a sane screen, and the result warns. */
	tn_term_command_interrupt(s->running);
	term_kit_until_state(&kit, s, TN_TERM_IDLE);
	assert_int_equal(s->alternate_from, UINT64_MAX);
	assert_string_equal(s->last_command->warnings[0], "terminal_reset");
	term_kit_close(&kit);
}

/* However often a program goes to the other screen and back, what is kept of it has an end. */
static void test_many_screens(void **state)
{
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	term_kit_run(
		&kit, s,
		"awk 'BEGIN { for (i = 0; i < 60000; i++) printf \"\\033[?1049h\\033[?1049lx\" }'",
		&a);
	assert_int_equal(a.exit_code, 0);
	assert_true(s->edit_count <= TN_TERM_EDITS_MAX && s->edit_count > 1000);
	for (size_t i = 1; i < s->edit_count; i++)
		assert_true(s->edits[i - 1].to <= s->edits[i].from);
	term_kit_answer_finish(&a);
	term_kit_expect(&kit, s, "echo still", 0, "still\n");
	term_kit_close(&kit);
}

/* ---- typing ---- */

static bool has_typed(void *data)
{
	const struct tn_term_session *s = data;

	return s->last_command && s->last_command->ended && s->state == TN_TERM_IDLE;
}

static void expect_typed(struct term_kit *kit, const char *shell, bool exact)
{
	struct tn_term_session *s = term_kit_shell(kit, shell);
	struct tn_term_command *c;

	term_kit_type(s, "echo ty\"\"ped\r");
	term_kit_until(kit, has_typed, s);
	c = s->last_command;
	assert_true(c->typed);
	assert_int_equal(c->exit_code, 0);
	assert_true(tn_str_starts(tn_str_from(c->text), TN_STR("echo ty\"\"ped")));
	if (exact) {
		struct term_answer a;
		struct tn_term_read read = {.caller = &kit->caller,
					    .command_id = c->id,
					    .shaping = {.bytes_max = 1000}};

		assert_string_equal(c->text, "echo ty\"\"ped");
		term_kit_read(kit, &read, &a);
		assert_true(term_kit_has(&a, "typed\n") && a.text.size == 6);
		term_kit_answer_finish(&a);
	}
	/* What somebody has begun to type is no part of the next command (5.2). */
	term_kit_type(s, "echo 'begun");
	term_kit_wait_ms(kit, 100);
	term_kit_expect(kit, s, "echo exact", 0, "exact\n");
}

static void test_typed(void **state) /* terminal.md 5.1, 9 */
{
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	expect_typed(&kit, "/bin/bash", true);
	expect_typed(&kit, "/bin/dash", false);
	term_kit_close(&kit);
}

/* Enter at the very moment in which a command is delivered: it runs once. */
static void test_typed_meanwhile(void **state) /* terminal.md 5.2 */
{
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	for (unsigned i = 0; i < 20; i++) {
		struct tn_term_execute request =
			term_kit_request(&kit, s->id, "echo x >> once; wc -l < once");
		char lines[16];

		if (i % 2)
			term_kit_type(s, "\r");
		(void)term_kit_begin(&kit, &request, &a);
		if (!(i % 2))
			term_kit_type(s, "\r");
		term_kit_until_answered(&kit, &a);
		assert_string_equal(a.fault, "");
		if (a.status != TN_TERM_COMPLETED)
			fail_msg("round %u: %s: %.*s (%s)", i, tn_term_status_name(a.status),
				 (int)a.text.size, a.text.data, a.warnings);
		(void)snprintf(lines, sizeof(lines), "%u\n", i + 1);
		if (!term_kit_has(&a, lines))
			fail_msg("round %u: %.*s (%s)", i, (int)a.text.size, a.text.data,
				 a.warnings);
		term_kit_answer_finish(&a);
	}
	term_kit_close(&kit);
}

/* On a machine that is so busy that time passes between two looks at the clock: what begins after
 * the first is not taken for what began ages ago. */
static void test_time_passes_while_looking(void **state) /* terminal.md 5.2 */
{
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	kit.each_look_ms = 2;
	request = term_kit_request(&kit, s->id, "echo well");
	/* The shell has no time: no prompt follows the Ctrl-C that clears what was typed. */
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGSTOP), 0);
	term_kit_type(s, "typed");
	(void)term_kit_begin(&kit, &request, &a);
	while (!s->running && !a.count)
		term_kit_wait_ms(&kit, 20);
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGCONT), 0);
	term_kit_until_answered(&kit, &a);
	if (a.status != TN_TERM_COMPLETED)
		fail_msg("%s (%s)", tn_term_status_name(a.status), a.warnings);
	assert_true(term_kit_has(&a, "well\n"));
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* The line was dropped on its way: it is sent again, and the command is in its list once. */
static void test_delivered_again(void **state) /* terminal.md 5.2 */
{
	static const struct tn_mark past = {.kind = TN_MARK_INPUT};
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b;
	struct term_kit kit;
	unsigned count = 0;

	(void)state;
	(void)past;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	request = term_kit_request(&kit, s->id, "echo x >> twice; wc -l < twice");
	/* As after Ctrl-C of a person before the shell has read any of it: it cannot read now. */
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGSTOP), 0);
	(void)term_kit_begin(&kit, &request, &a);
	(void)term_kit_begin(&kit, &request, &b);
	tn_pty_discard_input(s->pty);
	assert_int_equal(tn_pty_write(s->pty, TN_STR("\x15\x03\r"), NULL), TENON_OK);
	assert_int_equal(kill(tn_pty_pid(s->pty), SIGCONT), 0);
	term_kit_until_answered(&kit, &a);
	term_kit_until_answered(&kit, &b);
	if (a.status != TN_TERM_COMPLETED)
		fail_msg("%s: %.*s", a.warnings, (int)a.text.size, a.text.data ? a.text.data : "");
	assert_true(term_kit_has(&a, "1\n"));
	assert_true(term_kit_has(&b, "2\n"));
	for (struct tn_term_command *c = s->commands; c; c = c->next)
		assert_true(++count < 10);
	assert_int_equal(count, 2);
	assert_int_equal(s->command_count, 2);
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&b);
	term_kit_close(&kit);
}

/* ---- who has the keyboard ---- */

static void test_control(void **state) /* terminal.md 7.14 */
{
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct tn_term_caller person;
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	person = kit.caller;
	person.person = true;
	s = term_kit_shell(&kit, NULL);
	tn_term_session_hand_over(s, "Type the code");
	tn_term_session_describe(s, &kit.caller, &info);
	assert_string_equal(info.message, "Type the code");
	assert_false(tn_term_usable(s, &kit.caller, &fault));
	assert_string_equal(fault.code, "handed_over");
	assert_true(tn_term_usable(s, &person, &fault));
	term_kit_run(&kit, s, "echo x", &a);
	assert_string_equal(a.fault, "handed_over");
	term_kit_answer_finish(&a);
	assert_true(tn_term_session_take(s, "Ada"));
	assert_true(tn_term_session_take(s, "Ada"));
	assert_false(tn_term_session_take(s, "Bob"));
	tn_term_session_describe(s, &kit.caller, &info);
	assert_string_equal(info.controlled_by, "Ada");
	tn_term_session_give(s);
	tn_term_session_describe(s, &kit.caller, &info);
	assert_null(info.controlled_by);
	assert_null(info.message);
	term_kit_expect(&kit, s, "echo back", 0, "back\n");
	term_kit_close(&kit);
}

/* ---- watchers ---- */

struct watching {
	struct tn_term_watcher watcher;
	struct tn_term_session *s;
	unsigned outputs, changes, commands, closed;
	bool leaves;
};

static void saw_output(struct tn_term_watcher *watcher, struct tn_str bytes, uint64_t from)
{
	struct watching *w = watcher->data;

	(void)bytes;
	(void)from;
	w->outputs++;
	if (w->leaves)
		tn_term_unwatch(w->s, watcher);
}

static void saw_change(struct tn_term_watcher *watcher)
{
	((struct watching *)watcher->data)->changes++;
}

static void saw_command(struct tn_term_watcher *watcher, const struct tn_term_command_info *info,
			bool ended)
{
	(void)info;
	((struct watching *)watcher->data)->commands += ended ? 1 : 100;
}

static void saw_close(struct tn_term_watcher *watcher)
{
	((struct watching *)watcher->data)->closed++;
}

static void test_watchers(void **state) /* watch.h */
{
	struct watching w[3];
	struct tn_term_session *s;
	struct term_kit kit;

	(void)state;
	term_kit_open(&kit, NULL);
	s = term_kit_shell(&kit, NULL);
	for (unsigned i = 0; i < 3; i++) {
		w[i] = (struct watching){
			.watcher = {saw_output, saw_change, saw_command, saw_close, &w[i], NULL},
			.s = s,
			.leaves = i == 1};
		tn_term_watch(s, &w[i].watcher);
	}
	term_kit_expect(&kit, s, "echo seen", 0, "seen\n");
	assert_true(w[0].outputs > 0 && w[0].changes > 0);
	assert_int_equal(w[0].commands, 101);
	assert_int_equal(w[1].outputs, 1); /* it has left */
	assert_int_equal(w[2].outputs, w[0].outputs);
	tn_term_session_close(s, true, 0, NULL, NULL);
	term_kit_until_state(&kit, s, TN_TERM_CLOSED);
	assert_int_equal(w[0].closed, 1);
	assert_int_equal(w[1].closed, 0);
	tn_term_unwatch(s, &w[0].watcher);
	tn_term_unwatch(s, &w[2].watcher);
	term_kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_state_names),
		cmocka_unit_test(test_slow_start),
		cmocka_unit_test(test_asking_start),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_root_directory),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_close_at_the_end),
		cmocka_unit_test(test_sweep),
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_alternate),
		cmocka_unit_test(test_many_screens),
		cmocka_unit_test(test_typed),
		cmocka_unit_test(test_typed_meanwhile),
		cmocka_unit_test(test_time_passes_while_looking),
		cmocka_unit_test(test_delivered_again),
		cmocka_unit_test(test_control),
		cmocka_unit_test(test_watchers),
	};

	TERM_KIT_HOST(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
