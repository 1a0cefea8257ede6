/* What a new daemon finds of sessions: the same handles, commands, offsets; and a journal that was
 * cut, or that something else has written (docs/terminal.md, terminal.md 12.4). */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/session/term_kit.h"

static const char *const settings[] = {"terminal.persist", "host", NULL};

static struct tn_term_session *come_back(struct term_kit *kit, const char *id)
{
	term_kit_end_server(kit, true);
	term_kit_open_again(kit);
	return term_kit_session(kit, id);
}

static bool is_idle(void *data)
{
	const struct tn_term_session *s = data;

	return s->state == TN_TERM_IDLE && !s->running && !s->queue;
}

static void test_round_trip(void **state) /* terminal.md 12.4, 6.1 */
{
	struct tn_term_read read = {.shaping = {.bytes_max = 10000}};
	struct tn_term_execute request;
	struct tn_term_session *s;
	struct term_answer a, b, c;
	struct term_kit kit;
	char id[TN_HANDLE_SIZE], cursor[TN_CURSOR_TEXT_SIZE];
	uint64_t end;

	(void)state;
	term_kit_open(&kit, settings);
	read.caller = &kit.caller;
	s = term_kit_shell(&kit, NULL);
	(void)snprintf(id, sizeof(id), "%s", s->id);
	tn_term_set_active(kit.term, kit.caller.key, s);
	term_kit_run(&kit, s, "echo first; cd /usr; (exit 4)", &a);
	assert_int_equal(a.exit_code, 4);
	tn_output_cursor(a.epoch, a.next, cursor);
	request = term_kit_request(&kit, id,
				   "sleep 2; echo second; exit_code() { return 9; }; exit_code");
	request.yield_ms = 300;
	term_kit_execute(&kit, &request, &b);
	assert_int_equal(b.status, TN_TERM_STATUS_RUNNING);
	request = term_kit_request(&kit, id, "echo queued");
	request.yield_ms = 0;
	term_kit_execute(&kit, &request, &c);
	assert_int_equal(c.status, TN_TERM_QUEUED);
	end = s->offset;
	s = come_back(&kit, id);
	assert_int_equal(kit.came, 1);
	assert_true(s->offset >= end);
	assert_ptr_equal(term_kit_session(&kit, NULL), s); /* the active one */
	assert_string_equal(s->cwd, "/usr");
	assert_int_equal(s->integration, TN_TERM_INTEGRATION_MARKS);
	term_kit_until(&kit, is_idle, s);
	assert_int_equal(s->command_count, 3);
	assert_string_equal(s->commands->id, a.id);
	assert_int_equal(s->commands->exit_code, 4);
	assert_string_equal(s->commands->next->id, b.id);
	assert_int_equal(s->commands->next->exit_code, 9);
	assert_string_equal(s->last_command->id, c.id);
	term_kit_answer_finish(&b);
	read.command_id = a.id;
	term_kit_read(&kit, &read, &b);
	assert_true(tn_str_is(tn_buf_str(&b.text), "first\n"));
	term_kit_answer_finish(&b);
	read.command_id = c.id;
	term_kit_read(&kit, &read, &b);
	assert_true(tn_str_is(tn_buf_str(&b.text), "queued\n"));
	term_kit_answer_finish(&b);
	read.command_id = NULL;
	read.session_id = id;
	read.cursor = cursor;
	term_kit_read(&kit, &read, &b);
	assert_true(term_kit_has(&b, "second") && !term_kit_has(&b, "first"));
	assert_false(term_kit_has(&b, "__tn")); /* edits came back, too */
	term_kit_answer_finish(&b);
	term_kit_expect(&kit, s, "echo third", 0, "third\n");
	term_kit_answer_finish(&a);
	term_kit_answer_finish(&c);
	term_kit_close(&kit);
}

static void append(const struct tn_term_session *s, const char *text, size_t size)
{
	char path[PATH_MAX + 16];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/journal", s->spool_folder);
	fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	assert_int_equal(close(fd), 0);
}

/* Lines that nobody of ours has written, and the last one cut: the rest counts. */
static void test_strange_lines(void **state)
{
	static const char strange[] =
		"\n\n{}\n[]\nnull\n\"s\"\n{\"t\":7}\n{\"t\":\"q\"}\n{\"t\":\"c\"}\n"
		"{\"t\":\"c\",\"id\":\"cmd_x\",\"status\":99,\"number\":-5,\"from\":-1,"
		"\"to\":9223372036854775807,\"exit\":99999999999,\"onTimeout\":77,\"ended\":true}\n"
		"{\"t\":\"e\",\"from\":9,\"to\":3,\"text\":7}\n"
		"{\"t\":\"e\",\"from\":9223372036854775806,\"to\":9223372036854775807}\n"
		"{\"t\":\"a\"}\n{\"t\":\"a\",\"caller\":\"\",\"since\":-1}\n"
		"\xff\xfe\x00\x01 not JSON\n{\"t\":\"x\",\"at\":1";
	struct tn_term_session *s;
	struct term_answer a;
	struct term_kit kit;
	char id[TN_HANDLE_SIZE];

	(void)state;
	term_kit_open(&kit, settings);
	s = term_kit_shell(&kit, NULL);
	(void)snprintf(id, sizeof(id), "%s", s->id);
	term_kit_expect(&kit, s, "echo known", 0, "known\n");
	append(s, strange, sizeof(strange) - 1);
	s = come_back(&kit, id);
	assert_string_equal(s->commands->text, "echo known");
	assert_int_equal(s->commands->exit_code, 0);
	for (struct tn_term_command *c = s->commands; c; c = c->next) {
		struct tn_term_shaping shaping = {.bytes_max = 1000};
		struct tn_term_executed executed;
		struct tenon_error err;

		if (tn_term_command_result(c, &shaping, &executed, &err) == TENON_OK)
			tn_term_executed_finish(&executed);
	}
	term_kit_run(&kit, s, "echo on", &a);
	assert_true(term_kit_has(&a, "on\n"));
	term_kit_answer_finish(&a);
	term_kit_close(&kit);
}

/* Sizes and states that no session has. */
static void test_strange_state(void **state)
{
	static const char strange[] =
		"\n{\"t\":\"x\",\"at\":-1,\"lines\":-1,\"row\":70000,\"column\":-3,\"state\":99,"
		"\"integration\":77,\"columns\":0,\"rows\":0,\"numbers\":-1,\"alternate\":true,"
		"\"alternateFrom\":9223372036854775807}\n";
	struct tn_term_session *s;
	struct tn_term_fault fault = {0};
	struct term_kit kit;
	char id[TN_HANDLE_SIZE];

	(void)state;
	term_kit_open(&kit, settings);
	s = term_kit_shell(&kit, NULL);
	(void)snprintf(id, sizeof(id), "%s", s->id);
	append(s, strange, sizeof(strange) - 1);
	term_kit_end_server(&kit, true);
	term_kit_open_again(&kit);
	s = tn_term_find(kit.term, &kit.caller, id, &fault);
	if (s) /* what can be used of it works */
		term_kit_wait_ms(&kit, 200);
	else
		assert_true(fault.message[0] != '\0' && kit.problems[0] != '\0');
	term_kit_close(&kit);
}

/* The file itself: one that was deleted and made anew is another. 0: there is none. */
static ino_t recording_of(const struct term_kit *kit, const char *id)
{
	char path[PATH_MAX];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/recordings/%s.cast", kit->config.state_folder, id);
	return stat(path, &status) == 0 ? status.st_ino : 0;
}

/* Every worker waits, so that nothing is done by one before they may go on. */
struct pause {
	atomic_bool over;
	unsigned count;
};

static void pause_work(void *data, const atomic_bool *cancelled)
{
	struct pause *pause = data;
	const struct timespec moment = {.tv_nsec = 1000000};

	while (!atomic_load(&pause->over) && !atomic_load(cancelled))
		(void)nanosleep(&moment, NULL);
}

static void pause_done(void *data, bool cancelled)
{
	struct pause *pause = data;

	assert_false(cancelled);
	pause->count--;
}

static void pause_workers(struct term_kit *kit, struct pause *pause)
{
	enum { WORKERS = 4 }; /* libuv's */
	struct tn_job *job;

	atomic_store(&pause->over, false);
	for (pause->count = 0; pause->count < WORKERS; pause->count++)
		assert_int_equal(tn_job_start(kit->loop, pause_work, pause_done, pause, &job, NULL),
				 TENON_OK);
}

static bool is_over(void *data)
{
	return ((struct pause *)data)->count == 0;
}

static bool is_gone(void *path)
{
	return access(path, F_OK) != 0;
}

/* terminal.md 8: those of live sessions are larger than all may be. None of them goes, neither when
 * a daemon finds them one by one, nor when one more is made; what nobody writes does. */
static void test_recordings_of_live_sessions(void **state)
{
	enum { LIVE = 5 };
	static const char *const argv[] = {"/bin/cat", NULL};
	struct tn_term_session *s;
	struct term_kit kit;
	char ids[LIVE][TN_HANDLE_SIZE], old[PATH_MAX];
	ino_t files[LIVE];
	struct pause pause;
	int fd;

	(void)state;
	term_kit_open(&kit, settings);
	kit.records = true;
	for (size_t i = 0; i < LIVE; i++) {
		s = term_kit_program(&kit, argv);
		(void)snprintf(ids[i], sizeof(ids[i]), "%s", s->id);
		files[i] = recording_of(&kit, s->id);
		assert_int_not_equal(files[i], 0);
	}
	(void)snprintf(old, sizeof(old), "%s/recordings/ses_old.cast", kit.config.state_folder);
	fd = open(old, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "old", 3), 3);
	assert_int_equal(close(fd), 0);
	kit.records_bytes_max = 1;
	term_kit_end_server(&kit, true);
	term_kit_open_again(&kit);
	for (size_t i = 0; i < LIVE; i++) {
		s = term_kit_session(&kit, ids[i]);
		assert_true(tn_term_session_open(s));
		assert_int_equal(recording_of(&kit, ids[i]), files[i]);
	}
	assert_int_equal(access(old, F_OK), 0);
	pause_workers(&kit, &pause);
	s = term_kit_program(&kit, argv);
	assert_int_equal(access(old, F_OK), 0); /* the loop has no time for it */
	atomic_store(&pause.over, true);
	term_kit_until(&kit, is_over, &pause);
	term_kit_until(&kit, is_gone, old);
	for (size_t i = 0; i < LIVE; i++)
		assert_int_equal(recording_of(&kit, ids[i]), files[i]);
	assert_int_not_equal(recording_of(&kit, s->id), 0);
	term_kit_close(&kit);
}

static bool is_recorded(const struct tn_term_session *s)
{
	struct tn_term_session_info info;

	tn_term_session_describe(s, NULL, &info);
	return info.recorded;
}

static bool says_full(void *data)
{
	return strstr(((struct term_kit *)data)->problems, "as large as one may be") != NULL;
}

/* terminal.md 7.4: what ended before its session is not said to go on, nor does the next daemon go
 * on with it. */
static void test_recording_that_ended(void **state)
{
	static const char *const argv[] = {"/bin/cat", NULL};
	struct tn_term_session *s;
	struct term_kit kit;
	char id[TN_HANDLE_SIZE], path[PATH_MAX], typed[500];
	int fd;

	(void)state;
	term_kit_open(&kit, settings);
	kit.records = true;
	s = term_kit_program(&kit, argv);
	(void)snprintf(id, sizeof(id), "%s", s->id);
	assert_true(is_recorded(s));
	term_kit_end_server(&kit, true);
	(void)snprintf(path, sizeof(path), "%s/recordings/%s.cast", kit.config.state_folder, id);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, "\n", 1, TN_RECORD_BYTES_MAX - 700), 1);
	assert_int_equal(close(fd), 0);
	term_kit_open_again(&kit);
	s = term_kit_session(&kit, id);
	assert_true(is_recorded(s));
	memset(typed, 'x', sizeof(typed) - 2);
	memcpy(typed + sizeof(typed) - 2, "\n", 2);
	term_kit_type(s, typed);
	term_kit_until(&kit, says_full, &kit);
	assert_false(is_recorded(s));
	kit.problems[0] = '\0';
	term_kit_end_server(&kit, true);
	term_kit_open_again(&kit);
	s = term_kit_session(&kit, id);
	assert_true(tn_term_session_open(s));
	assert_false(is_recorded(s));
	assert_string_equal(kit.problems, "");
	term_kit_close(&kit);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_strange_lines),
		cmocka_unit_test(test_strange_state),
		cmocka_unit_test(test_recordings_of_live_sessions),
		cmocka_unit_test(test_recording_that_ended),
	};

	TERM_KIT_HOST(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
