/* What the engine of a lost run wrote to nobody (run_rest.c): once, whole, hidden as it was then,
 * and not before it has ended. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "apps/studio/run/internal.h"
#include "apps/studio/run/run_test_kit.h"
#include "base/mem.h"
#include "store/file.h"

#define ID "run_abcdefghijklmnopqrstuvwxyz"
#define STARTED 1767323045 /* 2026-01-02T03:04:05Z */
#define LINE(n, stream, at, text)                                                                 \
	"{\"n\":" n ",\"time\":\"2026-01-02T03:04:05.678Z\",\"stream\":\"" stream "\",\"at\":" at \
	",\"level\":\"info\",\"text\":\"" text "\"}\n"
#define BEING_READ "[Tenon ended before the engine did: what it wrote is being read]\n"
#define WITHHELD                                                                                   \
	"[Tenon ended before the engine did: what it wrote is withheld: what has to be hidden in " \
	"it has changed]\n"
#define STILL_RUNS                                                                          \
	"[Tenon ended before the engine did: what it writes meanwhile follows when it has " \
	"ended]\n"

static void path_of(const struct run_kit *k, const char *name, char *path, size_t size)
{
	assert_true(snprintf(path, size, "%s/.tenon/runs/" ID "/%s", k->project->path, name) <
		    (int)size);
}

static void put(const struct run_kit *k, const char *name, const char *text)
{
	char path[512];
	int fd;

	path_of(k, name, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(close(fd), 0);
}

static bool is_there(const struct run_kit *k, const char *name)
{
	char path[512];

	path_of(k, name, path, sizeof(path));
	return access(path, F_OK) == 0;
}

/* An apply that the daemon left behind; a process that is none: it has ended. */
static void make_lost(struct run_kit *k, int pid)
{
	char folder[512], record[1024], hidden[TN_DIGEST_HEX_SIZE];
	uint64_t start = pid ? tn_studio_process_start_time(pid) : 1;

	assert_true(tn_studio_redact_digest(k->project, hidden));
	path_of(k, "", folder, sizeof(folder));
	assert_int_equal(tn_dir_create(folder, 0700, NULL), TENON_OK);
	(void)snprintf(record, sizeof(record),
		       "{\"result\":{\"runId\":\"" ID
		       "\",\"command\":\"apply\",\"status\":\"running\","
		       "\"startedAt\":\"2026-01-02T03:04:05.678Z\",\"lines\":0,\"durationMs\":2,"
		       "\"summary\":{\"add\":0,\"text\":\"0 added\"}},\"private\":{"
		       "\"hidden\":\"%s\",\"pid\":%d,\"pidStart\":%llu}}\n",
		       hidden, pid ? pid : 999999, (unsigned long long)start);
	put(k, "run.json", record);
}

static void set_secret(struct run_kit *k, const char *value)
{
	struct tn_str text = tn_str_from(value);

	assert_true(tn_studio_secret_set(k->project, TN_STR("a"), value ? &text : NULL, NULL));
}

/* The log from this line on; until all of it was read. */
static const char *log_from(struct run_kit *k, uint64_t from, uint64_t *ret_next)
{
	const struct tn_studio_run *run = tn_studio_run_find(k->runs, k->project, ID);

	assert_non_null(run);
	assert_int_equal(tn_studio_run_state(run), TN_STUDIO_LOST);
	for (int i = 0; i < 1000; i++) {
		tn_buf_clear(&k->text);
		tn_studio_run_log(&k->text, run, from, 32 * TN_MIB, ret_next);
		if (!run_kit_contains(&k->text, BEING_READ))
			break;
		run_kit_pause(k, 5);
	}
	tn_buf_append_byte(&k->text, '\0');
	return k->text.data;
}

/* The run as get_run tells of it: k->result and k->text. */
static void ask(struct run_kit *k)
{
	const struct tn_studio_run *run = tn_studio_run_find(k->runs, k->project, ID);

	assert_non_null(run);
	tn_buf_clear(&k->result);
	tn_buf_clear(&k->text);
	tn_studio_run_put(&k->result, run, &k->text);
	tn_buf_append_byte(&k->result, '\0');
	tn_buf_append_byte(&k->text, '\0');
}

static void written_at(const struct run_kit *k, const char *name, time_t seconds)
{
	const struct timeval times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	char path[512];

	path_of(k, name, path, sizeof(path));
	assert_int_equal(utimes(path, times), 0);
}

static void it_follows_once(void **state)
{
	static const char wanted[] = "one\ntwo [redacted]\nthree\nhalf a line\nnot well\n";
	struct run_kit *k = *state;
	uint64_t next = 0;

	set_secret(k, "hunter2");
	make_lost(k, 0);
	put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
	put(k, "log.jsonl", "{\"n\":2,\"time\":\"2026-01-02T"); /* cut off */
	put(k, "stdout",
	    "one\ntwo hunter2\n{\"@level\":\"info\",\"@message\":\"three\"}\nhalf a line");
	put(k, "stderr", "not well\n");
	written_at(k, "stdout", STARTED + 90);
	written_at(k, "stderr", STARTED + 60);
	assert_string_equal(log_from(k, 1, &next), wanted);
	assert_int_equal(next, 6);
	assert_string_equal(log_from(k, 3, &next), "three\nhalf a line\nnot well\n");
	assert_string_equal(log_from(k, 6, &next), "");
	assert_int_equal(next, 6);
	/* It is in the log: whatever is hidden later, and after a restart. */
	assert_false(is_there(k, "stdout"));
	assert_false(is_there(k, "stderr"));
	set_secret(k, NULL);
	run_kit_restart(k);
	assert_string_equal(log_from(k, 1, &next), wanted);
	for (int i = 0; i < 2; i++) {
		ask(k);
		run_kit_has(k, "\"status\":\"lost\"");
		run_kit_has(k, "\"lines\":5,\"durationMs\":89322");
		run_kit_has(k, "\"summary\":{\"add\":0,\"text\":\"not known: Tenon ended before "
			       "it did\"}");
		assert_string_equal(k->text.data,
				    "apply was lost: Tenon ended before it did.\nRun " ID
				    ", 5 lines: studio://runs/" ID "/log");
		run_kit_restart(k);
	}
}

/* The daemon ended again in the middle of it. */
static void it_goes_on_where_it_was(void **state)
{
	struct run_kit *k = *state;
	uint64_t next = 0;

	make_lost(k, 0);
	put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
	put(k, "log.jsonl", "{\"omitted\":6,\"stdout\":20,\"stderr\":2}\n");
	put(k, "log.jsonl",
	    LINE("8", "stdout", "24", "say \\\"stream\\\":\\\"stderr\\\",\\\"at\\\":9"));
	put(k, "stdout", "one\n................two\n\nthree\n");
	put(k, "stderr", "x\ny\n");
	assert_string_equal(log_from(k, 1, &next), "one\n[6 lines left out]\nsay \"stream\":"
						   "\"stderr\",\"at\":9\n\nthree\ny\n");
	assert_int_equal(next, 12);
}

/* A password that it echoed is not one any more. */
static void what_cannot_be_hidden_is_withheld(void **state)
{
	static const char *const later[] = {"another one", NULL};
	struct run_kit *k = *state;
	uint64_t next = 0;

	for (int i = 0; i < 2; i++) {
		char folder[512];

		set_secret(k, "hunter2");
		make_lost(k, 0);
		put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
		put(k, "stdout", "one\ntwo hunter2\n");
		set_secret(k, later[i]);
		run_kit_restart(k);
		assert_string_equal(log_from(k, 1, &next), "one\n" WITHHELD);
		assert_int_equal(next, 2);
		assert_true(is_there(k, "stdout"));
		ask(k);
		run_kit_has(k, "\"lines\":1");
		assert_true(run_kit_contains(&k->text, ", 1 lines: studio://runs/" ID
						       "/log\n[Tenon ended before the engine did: "
						       "what it wrote is withheld"));
		path_of(k, "stdout", folder, sizeof(folder));
		assert_int_equal(unlink(folder), 0);
		path_of(k, "run.json", folder, sizeof(folder));
		assert_int_equal(unlink(folder), 0);
		path_of(k, "log.jsonl", folder, sizeof(folder));
		assert_int_equal(unlink(folder), 0);
		run_kit_restart(k);
	}
	/* Of an earlier version: nobody knows what was hidden. */
	make_lost(k, 0);
	put(k, "stdout", "two hunter2\n");
	{
		char path[512];

		path_of(k, "run.json", path, sizeof(path));
		assert_int_equal(
			tn_file_write(path, 0600,
				      TN_STR("{\"result\":{\"runId\":\"" ID
					     "\",\"command\":\"apply\",\"status\":\"running\","
					     "\"startedAt\":\"2026-01-02T03:04:05.678Z\"},"
					     "\"private\":{\"before\":0}}\n"),
				      NULL),
			TENON_OK);
	}
	run_kit_restart(k);
	assert_string_equal(log_from(k, 1, &next), WITHHELD);
}

static int start_engine(void)
{
	int pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)execl("/bin/sleep", "sleep", "60", (char *)NULL);
		_exit(127);
	}
	return pid;
}

static void end_engine(int pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void numbers_stay_while_it_runs(void **state)
{
	struct run_kit *k = *state;
	int pid = start_engine();
	const char *log;
	uint64_t next = 0;

	make_lost(k, pid);
	put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
	put(k, "stdout", "one\ntwo\n");
	put(k, "stderr", "first\n");
	assert_string_equal(log_from(k, 1, &next), "one\n" STILL_RUNS);
	assert_int_equal(next, 2);
	ask(k);
	run_kit_has(k, "\"lines\":1,\"durationMs\":");
	run_kit_lacks(k, "\"durationMs\":2,");
	tn_buf_clear(&k->result);
	tn_studio_runs_put(&k->result, k->runs, k->project);
	tn_buf_append_byte(&k->result, '\0');
	run_kit_has(k, "\"text\":\"not known: Tenon ended before it did\"");
	run_kit_lacks(k, "0 added");
	put(k, "stdout", "three\n");
	assert_string_equal(log_from(k, next, &next), STILL_RUNS);
	assert_int_equal(next, 2);
	put(k, "stderr", "second\n");
	end_engine(pid);
	for (int i = 0; i < 100; i++) {
		log = log_from(k, 2, &next);
		if (strcmp(log, STILL_RUNS) != 0)
			break;
		run_kit_pause(k, 20);
	}
	assert_string_equal(log, "two\nthree\nfirst\nsecond\n");
	assert_int_equal(next, 6);
	assert_string_equal(log_from(k, 4, &next), "first\nsecond\n");
}

static void a_password_that_changes_meanwhile(void **state)
{
	struct run_kit *k = *state;
	int pid = start_engine();
	uint64_t next = 0;

	set_secret(k, "hunter2");
	make_lost(k, pid);
	put(k, "stdout", "two hunter2\n");
	assert_string_equal(log_from(k, 1, &next), STILL_RUNS);
	set_secret(k, "another one");
	end_engine(pid);
	run_kit_pause(k, 500);
	assert_string_equal(log_from(k, 1, &next), WITHHELD);
}

/* What writes to pipes ends with us: its log is whole, and only its record is not. */
static void without_files(void **state)
{
	struct run_kit *k = *state;
	uint64_t next = 0;

	make_lost(k, 0);
	put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
	put(k, "log.jsonl",
	    "{\"n\":2,\"time\":\"2026-01-02T03:04:07.000Z\",\"stream\":\"stdout\",\"level\":"
	    "\"info\",\"text\":\"two\"}\n");
	set_secret(k, "hunter2"); /* nothing is raw: nothing is withheld */
	for (int i = 0; i < 2; i++) {
		assert_string_equal(log_from(k, 1, &next), "one\ntwo\n");
		assert_int_equal(next, 3);
		ask(k);
		run_kit_has(k, "\"lines\":2,\"durationMs\":1322");
		run_kit_restart(k);
	}
}

/* More than a log has room for, some of it a turn of the loop. */
static void much_of_it(void **state)
{
	struct run_kit *k = *state;
	const struct tn_studio_run *run;
	struct tn_buf text;
	uint64_t next = 0;

	make_lost(k, 0);
	put(k, "log.jsonl", LINE("1", "stdout", "4", "one"));
	put(k, "stdout", "one\n");
	tn_buf_init(&text, 32 * TN_MIB);
	while (text.size < 14 * TN_MIB)
		tn_buf_append_text(&text, "Still creating what takes its time, and more of it\n");
	for (size_t i = 0; i < TN_STUDIO_RUN_LINE_BYTES_MAX + 7; i++)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append_text(&text, "\nthe very last\n");
	tn_buf_append_byte(&text, '\0');
	put(k, "stdout", text.data);
	put(k, "stderr", "not well\n");
	run = tn_studio_run_find(k->runs, k->project, ID);
	assert_non_null(run);
	tn_buf_clear(&text);
	tn_studio_run_log(&text, run, 1, 32 * TN_MIB, &next);
	assert_true(run_kit_contains(&text, BEING_READ));
	assert_in_range(text.size, 1, TN_MIB); /* no more was read at once */
	(void)log_from(k, 1, &next);
	assert_true(run_kit_contains(&k->text, "one\nStill creating"));
	assert_true(run_kit_contains(&k->text, " lines left out]\n"));
	assert_true(run_kit_contains(&k->text, "x [7 bytes left out]\nthe very last\nnot well\n"));
	assert_false(is_there(k, "stdout"));
	assert_true(next > 14 * TN_MIB / 51);
	assert_string_equal(log_from(k, next - 2, &next), "the very last\nnot well\n");
	tn_buf_finish(&text);
}

/* Whoever has the folder cannot try passwords; and without the key nothing is shown. */
static void the_digest_has_a_key(void **state)
{
	struct run_kit *k = *state;
	char hidden[TN_DIGEST_HEX_SIZE], plain[TN_DIGEST_HEX_SIZE], path[512];
	uint64_t next = 0;

	set_secret(k, "hunter22");
	assert_true(tn_studio_redact_digest(k->project, hidden));
	tn_digest_hex(TN_STR("8 hunter22"), plain);
	assert_string_not_equal(hidden, plain);
	make_lost(k, 0);
	put(k, "stdout", "two hunter22\n");
	(void)snprintf(path, sizeof(path), "%s/studio-key", k->kit->state);
	assert_int_equal(unlink(path), 0);
	k->project->projects->machine_key[0] = '\0';
	set_secret(k, "hunter23");
	set_secret(k, "hunter22");
	assert_string_equal(log_from(k, 1, &next), WITHHELD);
}

static unsigned open_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	assert_int_equal(closedir(folder), 0);
	return count;
}

/* A folder from elsewhere: not each has a descriptor, and the turn of each comes. */
static void many_of_them(void **state)
{
	enum { RUNS = 150 };
	struct run_kit *k = *state;
	uint64_t next = 0;
	unsigned before = open_files();

	for (int i = 0; i <= RUNS; i++) {
		char from[512], to[512], *end;

		make_lost(k, 0);
		put(k, "stdout", "one\n");
		if (i == RUNS)
			break;
		path_of(k, "", from, sizeof(from));
		from[strlen(from) - 1] = '\0';
		(void)snprintf(to, sizeof(to), "%s", from);
		end = to + strlen(to) - 3;
		(void)snprintf(end, 4, "%03d", i);
		assert_int_equal(rename(from, to), 0);
	}
	assert_non_null(tn_studio_run_find(k->runs, k->project, ID));
	assert_true(open_files() < before + 40);
	for (int i = 0; i < 2000 && k->runs->rests_open > 0; i++)
		run_kit_pause(k, 5);
	assert_int_equal(k->runs->rests_open, 0);
	for (struct tn_studio_run *run = k->runs->first; run; run = run->next) {
		tn_buf_clear(&k->text);
		tn_studio_run_log(&k->text, run, 1, TN_MIB, &next);
		assert_true(tn_str_is(tn_buf_str(&k->text), "one\n"));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, run_kit_set_up, run_kit_tear_down)

int main(void)
{
	const struct CMUnitTest all[] = {
		TEST(it_follows_once),
		TEST(it_goes_on_where_it_was),
		TEST(what_cannot_be_hidden_is_withheld),
		TEST(numbers_stay_while_it_runs),
		TEST(a_password_that_changes_meanwhile),
		TEST(without_files),
		TEST(much_of_it),
		TEST(the_digest_has_a_key),
		TEST(many_of_them),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
