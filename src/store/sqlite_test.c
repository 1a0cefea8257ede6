#include "store/sqlite.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/tenon-sqlite-test-XXXXXX";
static char path[PATH_MAX];

static void keeps_rows_between_openings(void **state)
{
	struct tenon_error err = {0};
	struct tn_sqlite *db = NULL;
	struct tn_sqlite_stmt *stmt = NULL;
	struct stat status;
	bool row = false;

	(void)state;
	assert_int_equal(tn_sqlite_open(path, 0, &db, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_sqlite_open(path, TN_SQLITE_CREATE, &db, &err), TENON_OK);
	assert_int_equal(tn_sqlite_exec(db, "create table t(a integer, b text);", &err), TENON_OK);
	assert_int_equal(tn_sqlite_prepare(db, "insert into t values(?,?)", &stmt, &err), TENON_OK);
	tn_sqlite_bind_int(stmt, 1, INT64_MIN);
	tn_sqlite_bind_str(stmt, 2, tn_str("a\0b", 3));
	assert_int_equal(tn_sqlite_run(stmt, &err), TENON_OK);
	assert_int_equal(tn_sqlite_last_id(db), 1);
	tn_sqlite_finish(stmt);
	tn_sqlite_close(db);

	/* Plans describe infrastructure: nobody else on the machine may read them. */
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);

	assert_int_equal(tn_sqlite_open(path, TN_SQLITE_READ_ONLY, &db, &err), TENON_OK);
	assert_int_equal(tn_sqlite_prepare(db, "select a, b, null from t", &stmt, &err), TENON_OK);
	assert_int_equal(tn_sqlite_step(stmt, &row, &err), TENON_OK);
	assert_true(row);
	assert_true(tn_sqlite_column_int(stmt, 0) == INT64_MIN);
	assert_true(tn_str_equal(tn_sqlite_column_str(stmt, 1), tn_str("a\0b", 3)));
	assert_null(tn_sqlite_column_str(stmt, 2).data);
	assert_int_equal(tn_sqlite_step(stmt, &row, &err), TENON_OK);
	assert_false(row);
	tn_sqlite_finish(stmt);
	assert_int_not_equal(tn_sqlite_exec(db, "delete from t", &err), TENON_OK);
	tn_sqlite_close(db);
}

static void faults_are_told_without_the_path(void **state)
{
	struct tenon_error err = {0};
	struct tn_sqlite *db = NULL;
	struct tn_sqlite_stmt *stmt = NULL;
	FILE *file;

	(void)state;
	assert_int_equal(tn_sqlite_open(":memory:", 0, &db, &err), TENON_OK);
	assert_int_equal(tn_sqlite_exec(db, "no such sql", &err), TENON_SYSTEM);
	assert_int_equal(tn_sqlite_prepare(db, "select * from nothing", &stmt, &err), TENON_SYSTEM);
	assert_null(stmt);
	assert_int_equal(tn_sqlite_prepare(db, "select ?", &stmt, &err), TENON_OK);
	tn_sqlite_bind_int(stmt, 7, 1); /* there is no seventh parameter */
	assert_int_equal(tn_sqlite_run(stmt, &err), TENON_SYSTEM);
	tn_sqlite_finish(stmt);
	tn_sqlite_close(db);

	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs("this is not a database, it is a sentence that is long enough", file) >=
		    0);
	assert_int_equal(fclose(file), 0);
	db = NULL;
	assert_int_equal(tn_sqlite_open(path, TN_SQLITE_CREATE, &db, &err), TENON_SYSTEM);
	assert_null(db);
	assert_null(strstr(err.message, folder));
	assert_int_equal(err.sys_errno, EUCLEAN);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/etc/hostname", path), 0);
	assert_int_equal(tn_sqlite_open(path, TN_SQLITE_CREATE, &db, &err), TENON_DENIED);
	tn_sqlite_close(NULL);
	tn_sqlite_finish(NULL);
}

static bool has_enough(void *data)
{
	int *asked = data;

	return ++*asked > 3;
}

static void statements_run_again_and_stop_when_told(void **state)
{
	struct tenon_error err = {0};
	struct tn_sqlite *db = NULL;
	struct tn_sqlite_stmt *stmt = NULL;
	bool row = false;
	int asked = 0;

	(void)state;
	assert_int_equal(tn_sqlite_open(":memory:", 0, &db, &err), TENON_OK);
	assert_int_equal(tn_sqlite_prepare(db, "select ?1, ?2", &stmt, &err), TENON_OK);
	tn_sqlite_bind_int(stmt, 1, 7);
	tn_sqlite_bind_int(stmt, 9, 7);
	assert_int_not_equal(tn_sqlite_step(stmt, &row, &err), TENON_OK);
	tn_sqlite_reset(stmt);
	tn_sqlite_bind_int(stmt, 2, 8);
	assert_int_equal(tn_sqlite_step(stmt, &row, &err), TENON_OK);
	assert_true(row);
	assert_true(tn_sqlite_column_is_null(stmt, 0));
	assert_false(tn_sqlite_column_is_null(stmt, 1));
	assert_int_equal(tn_sqlite_column_int(stmt, 1), 8);
	tn_sqlite_finish(stmt);

	tn_sqlite_set_stop(db, has_enough, &asked);
	assert_int_equal(
		tn_sqlite_exec(db,
			       "with recursive n(i) as (select 1 union all select i + 1 from n) "
			       "select count(*) from n",
			       &err),
		TENON_CANCELLED);
	assert_int_equal(asked, 4);
	tn_sqlite_set_stop(db, NULL, NULL);
	assert_int_equal(tn_sqlite_exec(db, "select 1", &err), TENON_OK);
	tn_sqlite_close(db);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/db", folder);
	return 0;
}

static int tear_down(void **state)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	char name[PATH_MAX + 8];

	(void)state;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		(void)unlink(name);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_rows_between_openings),
		cmocka_unit_test(faults_are_told_without_the_path),
		cmocka_unit_test(statements_run_again_and_stop_when_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
