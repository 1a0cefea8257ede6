#include "host/record/log.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/limits.h"
#include "jsonrpc/json.h"
#include "store/file.h"

static char folder[64], path[96];

static int set_up(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/tenon-log-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/log", folder);
	return 0;
}

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(name);
}

static int tear_down(void **state)
{
	(void)state;
	tn_log_close();
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void a_line_is_an_object(void **state)
{
	struct tn_arena arena;
	struct tn_json *line;
	struct tn_str text;
	struct tn_buf file;
	int64_t port;

	(void)state;
	assert_int_equal(tn_log_open(path, TN_LOG_INFO, NULL), TENON_OK);
	tn_log(TN_LOG_DEBUG, "test", "not wanted");
	tn_log_with(TN_LOG_WARNING, "test", TN_STR(",\"port\":7"), "a \"quote\" and\na line %d", 1);
	tn_buf_init(&file, 4096);
	assert_int_equal(tn_file_read(path, 0, &file, NULL), TENON_OK);
	tn_arena_init(&arena, 65536);
	assert_int_equal(file.data[file.size - 1], '\n');
	assert_int_equal(tn_json_parse(&arena, file.data, file.size, &line, NULL), TENON_OK);
	assert_true(tn_json_to_str(tn_json_get(line, "message"), &text));
	assert_true(tn_str_is(text, "a \"quote\" and\na line 1"));
	assert_true(tn_json_to_str(tn_json_get(line, "level"), &text));
	assert_true(tn_str_is(text, "warning"));
	assert_true(tn_json_to_int(tn_json_get(line, "port"), &port));
	assert_int_equal(port, 7);
	tn_arena_finish(&arena);
	tn_buf_finish(&file);
}

static void the_file_is_rotated_and_the_last_lines_are_kept(void **state)
{
	char old[128];
	struct stat now, before;
	struct tn_buf out;
	struct tn_arena arena;
	struct tn_json *root;
	struct tn_str text;

	(void)state;
	assert_int_equal(tn_log_open(path, TN_LOG_INFO, NULL), TENON_OK);
	for (int i = 0; i < 12000; i++)
		tn_log(TN_LOG_INFO, "test", "%d %0900d", i, 0);
	(void)snprintf(old, sizeof(old), "%s.1", path);
	assert_int_equal(stat(path, &now), 0);
	assert_int_equal(stat(old, &before), 0);
	assert_int_equal(before.st_mode & 0777, 0600);
	assert_true((size_t)now.st_size < TN_LOG_FILE_BYTES_MAX);
	assert_true((size_t)before.st_size < TN_LOG_FILE_BYTES_MAX + TN_LOG_LINE_BYTES_MAX);
	tn_buf_init(&out, 4 * TN_MIB);
	tn_log_write(&out);
	assert_false(out.failed);
	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(tn_json_parse(&arena, out.data, out.size, &root, NULL), TENON_OK);
	assert_int_equal(tn_json_get(root, "lines")->count, TN_LOG_LINES_KEPT);
	assert_true(
		tn_json_to_str(tn_json_get(tn_json_get(root, "lines")->first, "message"), &text));
	assert_true(tn_str_starts(text, TN_STR("11500 ")));
	tn_arena_finish(&arena);
	tn_buf_finish(&out);
}

static unsigned told;

static void count(void *data)
{
	assert_ptr_equal(data, &told);
	told++;
}

static void who_listens_is_told(void **state)
{
	(void)state;
	assert_int_equal(tn_log_open(path, TN_LOG_ERROR, NULL), TENON_OK);
	tn_log_on_line(count, &told);
	tn_log(TN_LOG_WARNING, "test", "no");
	assert_int_equal(told, 0);
	tn_log_set_level(TN_LOG_WARNING);
	tn_log(TN_LOG_WARNING, "test", "yes");
	assert_int_equal(told, 1);
	tn_log_on_line(NULL, NULL);
}

static void levels_have_names(void **state)
{
	enum tn_log_level level;

	(void)state;
	assert_true(tn_log_level_find("notice", &level));
	assert_int_equal(level, TN_LOG_NOTICE);
	assert_false(tn_log_level_find("loud", &level));
	assert_int_equal(tn_log_open("/nowhere/log", TN_LOG_INFO, NULL), TENON_SYSTEM);
}

/* By a cleaner, or another program that turns logs: the file is there again after the next turn. */
static void a_file_that_was_taken_away_comes_back(void **state)
{
	struct stat now;

	(void)state;
	assert_int_equal(tn_log_open(path, TN_LOG_INFO, NULL), TENON_OK);
	assert_int_equal(unlink(path), 0);
	for (int i = 0; i < 10000; i++)
		tn_log(TN_LOG_INFO, "test", "%d %0900d", i, 0);
	assert_int_equal(stat(path, &now), 0);
	tn_log_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_line_is_an_object, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_file_is_rotated_and_the_last_lines_are_kept,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_was_taken_away_comes_back, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(who_listens_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(levels_have_names, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
