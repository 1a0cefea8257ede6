#include "apps/plan/service/history.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/plan/limits.h"
#include "jsonrpc/json.h"
#include "store/sqlite.h"

static char folder[] = "/tmp/tenon-history-test-XXXXXX";
static char path[PATH_MAX];
static int64_t now_ms;

static int64_t read_wall(void *data)
{
	(void)data;
	return now_ms;
}

static const struct tn_clock test_clock = {.wall_ms = read_wall};
static const struct tn_plan_config config = {.keep_days = 30,
					     .handle_idle_ms = 24ull * 60 * 60 * 1000};
static const int64_t day_ms = 24 * 60 * 60 * 1000;

static struct tn_plan_history *create(const struct tn_plan_config *with)
{
	struct tn_plan_history *history = NULL;
	struct tenon_error err = {0};

	assert_int_equal(tn_plan_history_create(with, &test_clock, path, &history, &err), TENON_OK);
	return history;
}

static void write_nothing(struct tn_buf *out, const void *data)
{
	(void)data;
	tn_buf_append_text(out, "{}");
}

static void add(struct tn_plan_history *history, const char *principal, const char *plan_id,
		const char *text, const char *addresses)
{
	const struct tn_plan_turn turns[] = {{TN_STR("user"), TN_STR("Count only")},
					     {TN_STR("assistant"), tn_str_from(text)}};
	struct tn_plan_record record = {.principal = principal,
					.plan_id = plan_id,
					.sha256 = "00",
					.source_bytes = 7,
					.write_plan = write_nothing,
					.form = "full",
					.source = "builtin",
					.score = 80,
					.text = tn_str_from(text),
					.addresses = tn_str_from(addresses),
					.conversation_id = "cnv_x",
					.turns = turns,
					.turn_count = 2};
	struct tenon_error err = {0};

	assert_int_equal(tn_plan_history_add(history, &record, &err), TENON_OK);
}

/* The number of entries found; the first one's text goes to `ret_first`. */
static int64_t find(struct tn_plan_history *history, const char *principal, const char *query,
		    int64_t since_ms, char ret_first[64])
{
	struct tn_plan_question question = {.principal = principal,
					    .query = tn_str_from(query),
					    .since_ms = since_ms,
					    .limit = 10};
	struct tenon_error err = {0};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	struct tn_str text;
	struct tn_buf out;
	int64_t total = -1;

	tn_buf_init(&out, 100000);
	tn_arena_init(&arena, 1000000);
	assert_int_equal(tn_plan_history_find(history, &question, &out, &err), TENON_OK);
	assert_int_equal(tn_json_parse(&arena, out.data, out.size, &tree, &err), TENON_OK);
	assert_true(tn_json_to_int(tn_json_get(tree, "total"), &total));
	ret_first[0] = '\0';
	if (tn_json_get(tree, "entries")->count &&
	    tn_json_to_str(tn_json_get(tn_json_get(tree, "entries")->first, "text"), &text))
		(void)snprintf(ret_first, 64, "%s", text.data);
	tn_arena_finish(&arena);
	tn_buf_finish(&out);
	return total;
}

/* plan.md section 16: opened on first use; asking makes no file. */
static void asking_first_makes_no_file(void **state)
{
	struct tn_plan_history *history = create(&config);
	char first[64];

	(void)state;
	assert_int_equal(find(history, "a", NULL, 0, first), 0);
	assert_int_equal(access(path, F_OK), -1);
	tn_plan_history_destroy(history);
}

static void words_and_addresses_are_found(void **state)
{
	struct tn_plan_history *history = create(&config);
	struct stat status;
	char first[64];

	(void)state;
	add(history, "a", "pln_1", "Creates a virtual machine", "aws_instance.web");
	now_ms += 1000;
	add(history, "a", "pln_2", "Removes the managed database", "aws_db_instance.main");
	assert_int_equal(find(history, "a", NULL, 0, first), 2);
	assert_string_equal(first, "Removes the managed database"); /* the newest first */
	assert_int_equal(find(history, "a", "machine", 0, first), 1);
	assert_string_equal(first, "Creates a virtual machine");
	assert_int_equal(find(history, "a", "aws_db_instance.main", 0, first), 1);
	assert_int_equal(find(history, "a", "the database", 0, first), 1);
	assert_int_equal(find(history, "a", "machine database", 0, first), 0); /* all words */
	assert_int_equal(find(history, "a", NULL, now_ms, first), 1);
	/* Nothing in the words is query syntax. */
	assert_int_equal(find(history, "a", "\"machine OR \" NEAR( * ) -x", 0, first), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	tn_plan_history_destroy(history);

	history = create(&config); /* and it is still there for the next process */
	assert_int_equal(find(history, "a", "machine", 0, first), 1);
	tn_plan_history_destroy(history);
}

static void principals_do_not_see_each_other(void **state)
{
	struct tn_plan_history *history = create(&config);
	char first[64];

	(void)state;
	add(history, "a", "pln_1", "alpha", "x.y");
	add(history, "b", "pln_2", "beta", "x.y");
	assert_int_equal(find(history, "a", NULL, 0, first), 1);
	assert_string_equal(first, "alpha");
	assert_int_equal(find(history, "b", "alpha", 0, first), 0);
	assert_int_equal(find(history, NULL, NULL, 0, first), 2); /* the owner of the file */
	tn_plan_history_destroy(history);
}

static int64_t count_rows(const char *table)
{
	struct tn_sqlite *db = NULL;
	struct tn_sqlite_stmt *stmt = NULL;
	struct tenon_error err = {0};
	char sql[80];
	bool row = false;
	int64_t count;

	(void)snprintf(sql, sizeof(sql), "select count(*) from %s", table);
	assert_int_equal(tn_sqlite_open(path, 0, &db, &err), TENON_OK);
	assert_int_equal(tn_sqlite_prepare(db, sql, &stmt, &err), TENON_OK);
	assert_int_equal(tn_sqlite_step(stmt, &row, &err), TENON_OK);
	count = tn_sqlite_column_int(stmt, 0);
	tn_sqlite_finish(stmt);
	tn_sqlite_close(db);
	return count;
}

/* plan.md section 16: 24 hours for handles, 30 days for explanations. */
static void what_is_too_old_is_dropped(void **state)
{
	struct tn_plan_history *history = create(&config);
	char first[64];

	(void)state;
	add(history, "a", "pln_1", "first", "x.y");
	assert_int_equal(count_rows("turns"), 2);
	now_ms += day_ms + 1;
	add(history, "a", "pln_2", "second", "x.y");
	assert_int_equal(count_rows("plans"), 1);
	assert_int_equal(count_rows("turns"), 2);
	assert_int_equal(find(history, "a", NULL, 0, first), 2);
	now_ms += 30 * day_ms + 1;
	add(history, "a", "pln_3", "third", "x.y");
	assert_int_equal(find(history, "a", NULL, 0, first), 1);
	assert_int_equal(find(history, "a", "first", 0, first), 0);
	assert_int_equal(find(history, "a", "third", 0, first), 1);
	tn_plan_history_destroy(history);
}

static void zero_days_means_no_file(void **state)
{
	struct tn_plan_config memory = config;
	struct tn_plan_history *history;
	char first[64];

	(void)state;
	memory.keep_days = 0;
	history = create(&memory);
	add(history, "a", "pln_1", "first", "x.y");
	assert_int_equal(find(history, "a", "first", 0, first), 1);
	/* Memory is bounded: after many more the first one is gone. */
	for (int i = 0; i < TN_PLAN_HISTORY_MEMORY_MAX + 100; i++)
		add(history, "a", "pln_2", "later", "x.y");
	assert_int_equal(find(history, "a", "first", 0, first), 0);
	assert_true(find(history, "a", NULL, 0, first) < TN_PLAN_HISTORY_MEMORY_MAX + 100);
	assert_int_equal(access(path, F_OK), -1);
	tn_plan_history_destroy(history);
}

static void a_kept_text_survives_a_restart(void **state)
{
	struct tn_plan_record record = {.principal = "a",
					.plan_id = "pln_1",
					.sha256 = "00",
					.write_plan = write_nothing,
					.raw = TN_STR("Plan: 1 to add"),
					.form = "count",
					.source = "builtin",
					.text = TN_STR("t")};
	struct tn_plan_history *history = create(&config);
	struct tenon_error err = {0};
	struct tn_buf raw;

	(void)state;
	tn_buf_init(&raw, 1000);
	assert_int_equal(tn_plan_history_raw(history, "pln_1", "a", &raw, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_plan_history_add(history, &record, &err), TENON_OK);
	add(history, "a", "pln_2", "without", "x.y");
	tn_plan_history_destroy(history);

	history = create(&config);
	assert_int_equal(tn_plan_history_raw(history, "pln_1", "a", &raw, &err), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&raw), "Plan: 1 to add"));
	assert_int_equal(tn_plan_history_raw(history, "pln_1", "b", &raw, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_plan_history_raw(history, "pln_2", "a", &raw, &err), TENON_EXPIRED);
	now_ms += day_ms + 1;
	assert_int_equal(tn_plan_history_raw(history, "pln_1", "a", &raw, &err), TENON_EXPIRED);
	tn_buf_finish(&raw);
	tn_plan_history_destroy(history);
}

static void times_are_read_strictly(void **state)
{
	const char *const wrong[] = {"",
				     "2026",
				     "2026-13-01",
				     "2026-00-01",
				     "2026-01-32",
				     "yesterday",
				     "2026-01-01T",
				     "2026-01-01T10:00",
				     "2026-01-01T25:00:00Z",
				     "2026-01-01T10:00:00",
				     "2026-01-01T10:00:00Zx",
				     "+026-01-01"};
	int64_t ms = 0;

	(void)state;
	assert_true(tn_plan_parse_time(TN_STR("1970-01-01"), &ms));
	assert_true(ms == 0);
	assert_true(tn_plan_parse_time(TN_STR("2026-11-21T10:15:30.123Z"), &ms));
	assert_true(ms == 1795256130000);
	assert_true(tn_plan_parse_time(TN_STR("2024-02-29"), &ms));
	assert_true(ms == 1709164800000);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(tn_plan_parse_time(tn_str_from(wrong[i]), &ms));
}

static int fresh(void **state)
{
	static const char *const suffixes[] = {"", "-wal", "-shm"};
	char name[PATH_MAX + 8];

	(void)state;
	now_ms = 1795256130000;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		(void)unlink(name);
	}
	return 0;
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/plans.db", folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)fresh(state);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(asking_first_makes_no_file, fresh),
		cmocka_unit_test_setup(words_and_addresses_are_found, fresh),
		cmocka_unit_test_setup(principals_do_not_see_each_other, fresh),
		cmocka_unit_test_setup(what_is_too_old_is_dropped, fresh),
		cmocka_unit_test_setup(zero_days_means_no_file, fresh),
		cmocka_unit_test_setup(a_kept_text_survives_a_restart, fresh),
		cmocka_unit_test(times_are_read_strictly),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
