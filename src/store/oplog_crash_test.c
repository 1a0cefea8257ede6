/* A process that commits is killed at random moments (kill -9): what it acknowledged is there when
 * the log is opened again, and nothing that was never committed.
 *
 * Twenty rounds of 500 commits; TENON_CRASH_ROUNDS says how many. */
#include "store/oplog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "store/oplog_test_kit.h"

enum { COMMITS = 500, ROUNDS = 20, REOPEN_EVERY = 40 };

/* The change that makes revision `revision` is known from its number: the document after it can be
 * made without having seen the process that made it. */
static enum tenon_code change(struct tn_oplog *log, uint64_t revision, struct tenon_error *err)
{
	uint64_t seed = 977 * revision + 1;
	unsigned way = (unsigned)(kit_random(&seed) >> 60);
	struct tn_change made;
	struct tn_buf batch;
	enum tenon_code code;

	if (way < 3 && tn_oplog_undo_label(log))
		return tn_oplog_undo(log, "child", (int64_t)revision - 1, &made, err);
	if (way < 5 && tn_oplog_redo_label(log))
		return tn_oplog_redo(log, "child", (int64_t)revision - 1, &made, err);
	tn_buf_init(&batch, TN_MIB);
	for (unsigned i = 0; i <= way; i++) {
		tn_buf_append_byte(&batch, i ? ',' : '[');
		kit_random_operation(&batch, &seed);
	}
	tn_buf_append(&batch, "]", 2);
	code = way % 2 ? kit_commit(log, batch.data, &made, err)
		       : kit_step(log, batch.data, &made, err);
	tn_buf_finish(&batch);
	return code;
}

/* The child: commits for ever, and says each revision once it is acknowledged. Closing and opening
 * now and then puts snapshots under the knife as well. */
static _Noreturn void commit_until_killed(const char *path, int acknowledge)
{
	for (;;) {
		struct kit_document document = {{NULL}};
		struct tn_oplog *log = NULL;

		if (kit_open(path, &document, &log, NULL) != TENON_OK)
			_exit(3);
		for (int i = 0; i < REOPEN_EVERY; i++) {
			uint64_t revision = tn_oplog_revision(log) + 1;

			if (change(log, revision, NULL) != TENON_OK)
				_exit(4);
			if (write(acknowledge, &revision, sizeof(revision)) != sizeof(revision))
				_exit(5);
		}
		tn_oplog_close(log);
		kit_clear(&document);
	}
}

static void wait_us(unsigned us)
{
	const struct timespec pause = {.tv_nsec = (long)us * 1000};

	(void)nanosleep(&pause, NULL); /* cut short is as good */
}

/* Runs a child until it has acknowledged about `count` changes more, and kills it. Returns the last
 * revision it acknowledged; 0: none. */
static uint64_t kill_after(const char *path, unsigned count)
{
	uint64_t revision = 0, last = 0;
	int pipes[2], status = 0;
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)close(pipes[0]);
		commit_until_killed(path, pipes[1]);
	}
	(void)close(pipes[1]);
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(read(pipes[0], &revision, sizeof(revision)), sizeof(revision));
		last = revision;
	}
	wait_us((unsigned)(tn_rng_u64() % 3000));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status)); /* it did not end by itself */
	while (read(pipes[0], &revision, sizeof(revision)) == sizeof(revision))
		last = revision; /* said before it died */
	(void)close(pipes[0]);
	return last;
}

static void save(const struct kit_document *document, struct tn_buf *out)
{
	tn_buf_init(out, TN_MIB);
	kit_save(document, out);
}

/* The same changes again, in memory. */
static void expect_prefix(const struct kit_document *found, uint64_t revision)
{
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;
	struct tn_buf expected, text;

	assert_int_equal(kit_open(NULL, &document, &log, NULL), TENON_OK);
	for (uint64_t i = 1; i <= revision; i++)
		assert_int_equal(change(log, i, NULL), TENON_OK);
	save(&document, &expected);
	save(found, &text);
	assert_true(tn_str_equal(tn_buf_str(&expected), tn_buf_str(&text)));
	tn_buf_finish(&expected);
	tn_buf_finish(&text);
	tn_oplog_close(log);
	kit_clear(&document);
}

static uint64_t look(const char *path, uint64_t acknowledged)
{
	struct kit_document document = {{NULL}};
	struct tn_oplog *log = NULL;
	struct tenon_error err = {0};
	uint64_t revision;

	if (kit_open(path, &document, &log, &err) != TENON_OK)
		fail_msg("after revision %llu: %s", (unsigned long long)acknowledged, err.message);
	revision = tn_oplog_revision(log);
	assert_true(revision >= acknowledged);
	assert_true(revision <= acknowledged + 1); /* at most the one that was on its way */
	expect_prefix(&document, revision);
	tn_oplog_close(log);
	kit_clear(&document);
	return revision;
}

static void remove_folder(const char *folder)
{
	char path[320];
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		(void)unlink(path); /* "." and ".." refuse */
	}
	(void)closedir(dir);
	assert_int_equal(rmdir(folder), 0);
}

static unsigned one_round(void)
{
	char folder[] = "/tmp/tenon-crash-XXXXXX", path[64];
	uint64_t revision = 0, acknowledged = 0;
	unsigned kills = 0;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/doc.json", folder);
	while (revision < COMMITS) {
		uint64_t last = kill_after(path, (unsigned)(tn_rng_u64() % 150));

		acknowledged = last ? last : revision;
		revision = look(path, acknowledged);
		kills++;
	}
	remove_folder(folder);
	return kills;
}

static void no_acknowledged_change_is_lost(void **state)
{
	const char *wanted = getenv("TENON_CRASH_ROUNDS");
	long rounds = wanted ? strtol(wanted, NULL, 10) : ROUNDS;
	unsigned kills = 0;

	(void)state;
	assert_true(rounds > 0);
	for (long i = 0; i < rounds; i++)
		kills += one_round();
	print_message("%ld rounds, %u kills\n", rounds, kills);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_acknowledged_change_is_lost)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
