/* terminal.md section 9: what the history's file never holds, and what becomes of it when the
 * machine does its worst. */
#include "apps/terminal/history/history.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/history/history_kit.h"
#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/sanitized.h"
#include "base/size.h"

/* ---- the files, byte for byte ---- */

/* Whether the text stands in a file of the history's folder. */
static bool is_on_disk(const struct history_kit *kit, const char *text)
{
	bool found = false;
	char below[96], name[400];
	DIR *folder;

	(void)snprintf(below, sizeof(below), "%s/below", kit->folder);
	folder = opendir(below);
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct tn_buf bytes;
		struct tenon_error err;
		int fd;

		(void)snprintf(name, sizeof(name), "%s/%s", below, entry->d_name);
		fd = open(name, O_RDONLY);
		tn_buf_init(&bytes, 512 * TN_MIB);
		if (entry->d_name[0] != '.' && fd >= 0 &&
		    tn_buf_read_all(&bytes, fd, &err) == TENON_OK &&
		    tn_str_find(tn_buf_str(&bytes), tn_str_from(text)) != TN_STR_NONE)
			found = true;
		tn_buf_finish(&bytes);
		if (fd >= 0)
			(void)close(fd);
	}
	(void)closedir(folder);
	return found;
}

static unsigned count_files(const struct history_kit *kit, const char *part)
{
	char below[96];
	unsigned count = 0;
	DIR *folder;

	(void)snprintf(below, sizeof(below), "%s/below", kit->folder);
	folder = opendir(below);
	for (struct dirent *entry; folder && (entry = readdir(folder));)
		count += strstr(entry->d_name, part) != NULL;
	if (folder)
		(void)closedir(folder);
	return count;
}

static size_t total_of(struct history_kit *kit, const char *query)
{
	struct tn_history_found found = history_kit_words(kit, query);
	size_t total = found.total;

	if (found.code != TENON_OK)
		fail_msg("%s: %s", query, found.error.message);
	tn_arena_finish(&found.arena);
	return total;
}

/* ---- secrets ---- */

static void learn(struct history_kit *kit)
{
	struct tenon_error err;

	assert_int_equal(tn_redactor_create(NULL, &kit->secrets, &err), TENON_OK);
	tn_redactor_learn(kit->secrets, TN_STR("canary-from-environment"));
	tn_redactor_learn_command(kit->secrets, TN_STR("export MY_TOKEN='canary exported'"));
}

static void record_canaries(struct history_kit *kit)
{
	static const char *const texts[] = {
		"export MY_TOKEN='canary exported'",
		"echo canary-from-environment",
		"curl -u me:canary-argument https://you:canary-url@host/",
		"curl -H 'Authorization: Bearer canary-header-1'",
		"mysql -pcanary-mysql",
		("echo gh"
		 "p_canarycanarycanarycanarycanarycanary"),
	};
	const struct tn_history_event event = {.kind = "confirmed",
					       .principal = "alice",
					       .detail = "{\"command\":\"X_SECRET=canary-event "
							 "make\",\"list\":[1,\"canary exported\"]}",
					       .secrets = kit->secrets};

	for (size_t i = 0; i < TN_COUNT(texts); i++)
		history_kit_command(kit, "ses_a", texts[i], texts[i], 0);
	history_kit_command(
		kit, "ses_a", "env",
		"HOME=/root\r\nOTHER_TOKEN=canary-printed\r\nthe canary exp\r\norted one\n"
		"\x1b[1mcanary-from\x1b[0m-environment\n-----BEGIN PRIVATE"
		" KEY-----\n"
		"canary+private+key\n-----END PRIVATE KEY-----\n",
		0);
	tn_history_record_event(kit->history, &event);
}

static void no_secret_reaches_the_file(void **state)
{
	struct history_kit kit;
	struct tn_history_found found;

	(void)state;
	history_kit_open(&kit);
	learn(&kit);
	record_canaries(&kit);
	history_kit_flush(&kit);
	/* While it is open there is a log beside the file; both are looked through. */
	assert_true(is_on_disk(&kit, "curl"));
	if (is_on_disk(&kit, "canary"))
		fail_msg("a secret is on the disk");
	assert_int_equal(total_of(&kit, "canary"), 0);
	found = history_kit_words(&kit, "HOME");
	assert_int_equal(found.count, 1);
	tn_arena_finish(&found.arena);
	history_kit_close(&kit);
	if (is_on_disk(&kit, "canary"))
		fail_msg("a secret is on the disk");
	assert_true(is_on_disk(&kit, "[redacted:env]"));
	assert_true(is_on_disk(&kit, "[redacted:private-key]"));
	assert_true(is_on_disk(
		&kit, "{\"command\":\"X_SECRET=[redacted:assigned] make\"")); /* still JSON */
	history_kit_remove(&kit);
}

/* Over the border where a long output is cut, wherever it falls. */
static void no_piece_of_a_secret_stands_at_a_cut(void **state)
{
	enum { SIZE = 700 * 1024 };
	static const char secret[] = "piece1-piece2-piece3-piece4-piece5";
	char *text = tn_mem_alloc(SIZE + 1);

	(void)state;
	assert_non_null(text);
	for (int shift = 0; shift <= 40; shift += 8) {
		struct history_kit kit;
		struct tenon_error err;

		history_kit_open(&kit);
		assert_int_equal(tn_redactor_create(NULL, &kit.secrets, &err), TENON_OK);
		tn_redactor_learn(kit.secrets, TN_STR(secret));
		memset(text, 'x', SIZE);
		memcpy(text + TN_HISTORY_OUTPUT_BYTES - (size_t)shift, secret, sizeof(secret) - 1);
		memcpy(text + SIZE - TN_HISTORY_OUTPUT_BYTES - (size_t)shift, secret,
		       sizeof(secret) - 1);
		history_kit_command(&kit, "ses_a", "x", text, 0);
		history_kit_close(&kit);
		for (char i = '1'; i <= '5'; i++) {
			const char piece[] = {'p', 'i', 'e', 'c', 'e', i, '\0'};

			if (is_on_disk(&kit, piece))
				fail_msg("%s at %d", piece, shift);
		}
		history_kit_remove(&kit);
	}
	tn_mem_free(text);
}

static void only_the_owner_may_read_it(void **state)
{
	static const char *const names[] = {"", "-wal", "-shm"};
	struct history_kit kit;
	struct stat status;
	char name[200];

	(void)state;
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "ls", NULL, 0);
	history_kit_flush(&kit);
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", kit.path, names[i]);
		assert_int_equal(stat(name, &status), 0);
		assert_int_equal(status.st_mode & 0777, 0600);
	}
	(void)snprintf(name, sizeof(name), "%s/below", kit.folder);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* ---- forgetting ---- */

static void a_purge_leaves_nothing_behind(void **state)
{
	struct history_kit kit;
	int64_t middle;

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < 300; i++)
		history_kit_command(&kit, "ses_a", "echo ordinary", "ordinary output\n", 0);
	history_kit_command(&kit, "ses_a", "echo hunter2secret", "ordinary\n", 0);
	history_kit_command(&kit, "ses_a", "cat file", "it says Hunter2Secret!\n", 0);
	history_kit_command(&kit, "ses_a", "cat other", "hunter2.secret\n", 0);
	history_kit_flush(&kit);
	assert_true(is_on_disk(&kit, "hunter2secret"));
	assert_int_equal(history_kit_purge(&kit, 0, "hunter2secret"), 2);
	assert_int_equal(total_of(&kit, "hunter2secret"), 0);
	if (is_on_disk(&kit, "hunter2secret") || is_on_disk(&kit, "Hunter2Secret"))
		fail_msg("it is still in a file");
	assert_int_equal(total_of(&kit, "ordinary"), 600);
	assert_int_equal(history_kit_purge(&kit, 0, "hunter2.sec"), 1);
	middle = kit.time_ms;
	history_kit_command(&kit, "ses_a", "echo ordinary later", NULL, 0);
	assert_int_equal(history_kit_purge(&kit, middle, "nothing-like-this"), 0);
	assert_int_equal(history_kit_purge(&kit, middle, ""), 300);
	assert_int_equal(total_of(&kit, "ordinary"), 1);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void what_is_old_or_too_much_goes(void **state)
{
	struct history_kit kit;
	int64_t now;
	char *text = tn_mem_alloc(20001);
	struct stat status;

	(void)state;
	assert_non_null(text);
	history_kit_open(&kit);
	now = kit.time_ms;
	kit.time_ms = now - INT64_C(31) * 24 * 60 * 60 * 1000;
	history_kit_command(&kit, "ses_a", "echo ancient", "ancient output\n", 0);
	kit.time_ms = now;
	history_kit_command(&kit, "ses_a", "echo recent", "recent output\n", 0);
	history_kit_close(&kit);
	/* Once a minute after it was opened, then hourly: here it is asked for. */
	kit.bytes_max = 4 * TN_MIB;
	history_kit_open_again(&kit);
	for (int i = 0; i < 1000; i++) {
		for (int j = 0; j < 20000; j++)
			text[j] = (char)((i * 7 + j * j + j / 3) % 26 + (j % 9 ? 'a' : '\n' - 0));
		for (int j = 0; j < 20000; j++)
			text[j] = text[j] < 'a' ? '\n' : text[j];
		history_kit_command(&kit, "ses_a", "make all", text, 0);
	}
	history_kit_flush(&kit);
	for (int i = 0; i < 20; i++)
		history_kit_retain(&kit);
	assert_int_equal(total_of(&kit, "ancient"), 0);
	assert_true(total_of(&kit, "make") > 900); /* outputs go first */
	history_kit_close(&kit);
	assert_int_equal(stat(kit.path, &status), 0);
	if (status.st_size > 6 * (off_t)TN_MIB)
		fail_msg("the file has %lld bytes", (long long)status.st_size);
	tn_mem_free(text);
	history_kit_remove(&kit);
}

/* ---- the machine's worst ---- */

static bool is_thread_sanitized(void)
{
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
	return true;
#endif
#endif
	return false;
}

/* Killed in the middle of writing: what was written is there, the file is whole. */
static void killed_while_writing(void **state)
{
	struct history_kit kit;
	size_t total = 0;

	(void)state;
	if (is_thread_sanitized()) /* a child of a process with threads may have none there */
		skip();
	history_kit_open(&kit);
	history_kit_close(&kit);
	for (int round = 0; round < 8; round++) {
		int wrote[2];
		char byte;
		pid_t child;

		assert_int_equal(pipe(wrote), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			history_kit_open_again(&kit);
			for (;;) {
				for (int i = 0; i < 50; i++)
					history_kit_command_of(&kit, "ses_a", (unsigned)getpid(),
							       "echo killed", "out put\n", 0);
				history_kit_flush(&kit);
				if (write(wrote[1], "x", 1) < 0)
					_exit(1);
			}
		}
		(void)close(wrote[1]); /* its end of it is the child's alone */
		/* Once it has written something it is killed at some moment of its work. */
		assert_int_equal(read(wrote[0], &byte, 1), 1);
		(void)usleep(17000 * (unsigned)round);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		(void)close(wrote[0]); /* it said what it had to */
		history_kit_open_again(&kit);
		assert_true(total_of(&kit, "killed") > total);
		total = total_of(&kit, "killed");
		assert_int_equal(total_of(&kit, "put"), total);
		assert_null(tn_history_problem(kit.history));
		history_kit_close(&kit);
	}
	assert_int_equal(count_files(&kit, "broken"), 0);
	history_kit_remove(&kit);
}

static void a_damaged_file_is_moved_aside(void **state)
{
	struct history_kit kit;
	int fd;

	(void)state;
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "echo before", NULL, 0);
	history_kit_close(&kit);
	fd = open(kit.path, O_WRONLY);
	assert_true(fd >= 0);
	for (int i = 0; i < 64; i++)
		assert_int_equal(pwrite(fd, "this is no database", 19, i * 100), 19);
	assert_int_equal(close(fd), 0);
	history_kit_open_again(&kit);
	history_kit_command(&kit, "ses_a", "echo after", NULL, 0);
	assert_int_equal(total_of(&kit, "after"), 1);
	assert_int_equal(total_of(&kit, "before"), 0);
	assert_non_null(strstr(kit.state, "was damaged"));
	assert_null(tn_history_problem(kit.history));
	assert_int_equal(count_files(&kit, "broken"), 1);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* Damage in the middle, which only a search meets. */
static void damage_found_by_a_reader(void **state)
{
	struct history_kit kit;
	struct stat status;
	char page[4096];
	int fd;

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < 2000; i++)
		history_kit_command(&kit, "ses_a", "echo something to find",
				    "a line of output that is long enough to fill pages\n", 0);
	history_kit_close(&kit);
	assert_int_equal(stat(kit.path, &status), 0);
	memset(page, 0x5a, sizeof(page));
	fd = open(kit.path, O_WRONLY);
	assert_true(fd >= 0);
	for (off_t at = 20 * 4096; at < status.st_size; at += 4096)
		assert_int_equal(pwrite(fd, page, sizeof(page), at), (ssize_t)sizeof(page));
	assert_int_equal(close(fd), 0);
	history_kit_open_again(&kit);
	for (int i = 0; i < 600 && count_files(&kit, "broken") == 0; i++) {
		struct tn_history_found found = history_kit_words(&kit, "find");

		tn_arena_finish(&found.arena);
		history_kit_wait(&kit, 50);
	}
	assert_true(count_files(&kit, ".broken") >= 1); /* and its log */
	history_kit_command(&kit, "ses_a", "echo after", NULL, 0);
	assert_int_equal(total_of(&kit, "after"), 1);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* The history is off and says so, callers go on, and it works again by itself. */
static void a_full_disk(void **state)
{
	struct history_kit kit;
	struct rlimit before, small;
	char *text = tn_mem_alloc(200001);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 200000; i++)
		text[i] = (char)('a' + i * i % 23);
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "echo first", NULL, 0);
	history_kit_flush(&kit);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 400000;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (int i = 0; i < 10; i++)
		history_kit_command(&kit, "ses_a", "echo second", text, 0);
	for (int i = 0; i < 300 && !tn_history_problem(kit.history); i++)
		history_kit_wait(&kit, 100);
	assert_non_null(tn_history_problem(kit.history));
	assert_non_null(strstr(kit.state, "History is off: "));
	/* What is there is found all the same. */
	assert_int_equal(total_of(&kit, "first"), 1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	history_kit_command(&kit, "ses_a", "echo third", NULL, 0);
	assert_int_equal(history_kit_purge(&kit, 1, ""), 0); /* does not wait for the next try */
	assert_null(tn_history_problem(kit.history));
	assert_true(tn_str_ends(tn_str_from(kit.state), TN_STR("works|")));
	assert_int_equal(total_of(&kit, "third"), 1);
	history_kit_close(&kit);
	tn_mem_free(text);
	history_kit_remove(&kit);
}

static void a_folder_that_cannot_be(void **state)
{
	struct history_kit kit;
	struct tn_history_found found;

	(void)state;
	history_kit_open(&kit);
	history_kit_close(&kit);
	(void)snprintf(kit.path, sizeof(kit.path), "/proc/version/history.db");
	history_kit_open_again(&kit);
	history_kit_command(&kit, "ses_a", "echo", NULL, 0);
	for (int i = 0; i < 600 && !tn_history_problem(kit.history); i++)
		history_kit_wait(&kit, 50);
	assert_non_null(tn_history_problem(kit.history));
	assert_null(strstr(kit.state, "/proc"));
	found = history_kit_words(&kit, "echo");
	assert_int_not_equal(found.code, TENON_OK);
	assert_int_not_equal(found.code, TENON_INVALID);
	tn_arena_finish(&found.arena);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* The daemon and `tenon serve` on one file. */
static void two_processes(void **state)
{
	enum { COMMANDS = 400 };
	struct history_kit kit;
	pid_t children[2];

	(void)state;
	if (is_thread_sanitized()) /* a child of a process with threads may have none there */
		skip();
	history_kit_open(&kit);
	history_kit_close(&kit);
	(void)unlink(kit.path); /* both make it */
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] != 0)
			continue;
		history_kit_open_again(&kit);
		for (int j = 0; j < COMMANDS; j++) {
			history_kit_command_of(&kit, "ses_a", (unsigned)getpid(), "echo both",
					       "both of them\n", 0);
			if (j % 20 == 0)
				history_kit_flush(&kit);
		}
		history_kit_close(&kit);
		_exit(kit.state[0] ? 1 : 0);
	}
	for (int i = 0; i < 2; i++) {
		int status = -1;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
	}
	history_kit_open_again(&kit);
	assert_int_equal(total_of(&kit, "both"), 4 * COMMANDS);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

static void a_file_that_is_taken_away(void **state)
{
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	history_kit_command(&kit, "ses_a", "echo lost", NULL, 0);
	history_kit_flush(&kit);
	assert_int_equal(unlink(kit.path), 0);
	history_kit_command(&kit, "ses_a", "echo kept", NULL, 0);
	assert_int_equal(total_of(&kit, "kept"), 1);
	assert_int_equal(total_of(&kit, "lost"), 0);
	history_kit_close(&kit);
	assert_int_equal(access(kit.path, F_OK), 0);
	history_kit_remove(&kit);
}

static void many_commands(void **state)
{
	/* Under a sanitizer one search of them all took more than a minute on a slow machine. */
	enum { COMMANDS = TN_SANITIZED ? 20000 : 100000 };
	struct history_kit kit;

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < COMMANDS; i++) {
		history_kit_command(&kit, "ses_a", i % 1000 ? "echo many" : "echo thousandth",
				    "one line\n", 0);
		if (i % 10000 == 0)
			history_kit_flush(&kit);
	}
	assert_int_equal(total_of(&kit, "thousandth"), COMMANDS / 1000);
	assert_int_equal(total_of(&kit, "echo"), COMMANDS);
	assert_int_equal(total_of(&kit, "echo "), COMMANDS);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

/* Closing writes what waits, and answers who waits. */
struct last {
	enum tenon_code code;
	unsigned answers;
};

static void take_last(struct tn_history_found *found, void *data)
{
	struct last *last = data;

	last->code = found->code;
	last->answers++;
}

static void closing_writes_what_waits(void **state)
{
	struct history_kit kit;
	struct last last = {0};
	struct tenon_error err;
	const struct tn_history_search search = {
		.query = TN_STR("echo"), .types = TN_HISTORY_COMMANDS, .limit = 5};

	(void)state;
	history_kit_open(&kit);
	for (int i = 0; i < 100; i++)
		history_kit_command(&kit, "ses_a", "echo at the end", NULL, 0);
	assert_int_equal(tn_history_search(kit.history, &search, take_last, &last, &err), TENON_OK);
	history_kit_command(&kit, "ses_a", "echo at the very end", NULL, 0);
	history_kit_close(&kit);
	assert_int_equal(last.answers, 1);
	assert_int_equal(last.code, TENON_CANCELLED);
	history_kit_open_again(&kit);
	assert_int_equal(total_of(&kit, "end"), 101);
	history_kit_close(&kit);
	history_kit_remove(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_secret_reaches_the_file),
		cmocka_unit_test(no_piece_of_a_secret_stands_at_a_cut),
		cmocka_unit_test(only_the_owner_may_read_it),
		cmocka_unit_test(a_purge_leaves_nothing_behind),
		cmocka_unit_test(what_is_old_or_too_much_goes),
		cmocka_unit_test(killed_while_writing),
		cmocka_unit_test(a_damaged_file_is_moved_aside),
		cmocka_unit_test(damage_found_by_a_reader),
		cmocka_unit_test(a_full_disk),
		cmocka_unit_test(a_folder_that_cannot_be),
		cmocka_unit_test(two_processes),
		cmocka_unit_test(a_file_that_is_taken_away),
		cmocka_unit_test(many_commands),
		cmocka_unit_test(closing_writes_what_waits),
	};

	return cmocka_run_group_tests_name("history_fault", tests, NULL, NULL);
}
